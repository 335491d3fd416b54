//! Java agents of the project's test JVM, which written tests are verified with.
//!
//! Comes in: arguments of that JVM. Goes out: the same without agents, their jars, and whether JVMs do without them since one
//! with them ran no test: an agent may need files, hosts or programs that the sandbox denies.
//! Does not know: what an agent does.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

const AGENT: &str = "-javaagent:";

/// What became of the project's agents in a run.
#[derive(Debug, Default)]
pub struct Agents {
    are_left_out: AtomicBool,
    are_told: AtomicBool,
}

impl Agents {
    /// These arguments, as far as JVMs have them.
    pub(crate) fn arguments(&self, arguments: &[String]) -> Vec<String> {
        let mut kept = arguments.to_vec();
        let is_kept = !self.are_left_out.load(Ordering::Relaxed);
        kept.retain(|one| is_kept || !one.starts_with(AGENT));
        kept
    }

    /// Whether a JVM that starts now has agents among these arguments.
    pub(crate) fn are_had(&self, arguments: &[String]) -> bool {
        let is_agent = |one: &String| one.starts_with(AGENT);
        self.arguments(arguments).iter().any(is_agent)
    }

    /// From here on JVMs do without agents.
    pub(crate) fn leave_out(&self) {
        self.are_left_out.store(true, Ordering::Relaxed);
    }

    /// Names of the jars, and whether they were left out; to be told once, and where there are any.
    pub(crate) fn to_tell(&self, arguments: &[String]) -> Option<(Vec<String>, bool)> {
        let name = |jar: PathBuf| {
            let name = jar.file_name().unwrap_or(jar.as_os_str());
            name.to_string_lossy().into_owned()
        };
        let names: Vec<String> = jars(arguments).map(name).collect();
        let is_new = !names.is_empty() && !self.are_told.swap(true, Ordering::Relaxed);
        is_new.then(|| (names, self.are_left_out.load(Ordering::Relaxed)))
    }
}

/// The jars of the agents among these arguments.
pub(crate) fn jars(arguments: &[String]) -> impl Iterator<Item = PathBuf> + '_ {
    let agents = arguments.iter().filter_map(|one| one.strip_prefix(AGENT));
    agents.map(|agent| Path::new(agent.split('=').next().unwrap_or(agent)).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments() -> Vec<String> {
        ["-Xmx1g", "-javaagent:/opt/x.jar=a=b", "-Dmode=test"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn agents_are_left_out_from_the_first_time_on_and_told_once() {
        let agents = Agents::default();
        assert_eq!(agents.arguments(&arguments()), arguments());
        assert!(agents.are_had(&arguments()));
        agents.leave_out();
        assert!(!agents.are_had(&arguments()));
        assert_eq!(agents.arguments(&arguments()), ["-Xmx1g", "-Dmode=test"]);
        let told = agents.to_tell(&arguments());
        assert_eq!(told, Some((vec!["x.jar".to_owned()], true)));
        assert_eq!(agents.to_tell(&arguments()), None);
        let told = Agents::default().to_tell(&arguments());
        assert_eq!(told, Some((vec!["x.jar".to_owned()], false)));
    }

    #[test]
    fn where_there_are_none_nothing_is_left_out() {
        let plain = ["-Xmx1g".to_owned()];
        assert!(!Agents::default().are_had(&plain));
        assert_eq!(Agents::default().to_tell(&plain), None);
    }

    #[test]
    fn jars_stand_before_their_options() {
        let jars: Vec<PathBuf> = jars(&arguments()).collect();
        assert_eq!(jars, [Path::new("/opt/x.jar")]);
    }
}
