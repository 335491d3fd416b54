//! What the command is told, as `name=value`.
//!
//! Comes in: arguments. Goes out: [`Options`], or an error that names the argument and what is allowed.
//! The short form is a set of other defaults; what is said beside it counts.

use crate::mode::Mode;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything a study needs to know.
#[derive(Clone, Debug)]
pub struct Options {
    /// `study`
    pub study: String,
    /// `subject`: names between commas, or `all`.
    pub subjects: Option<Vec<String>>,
    /// `budget`: wall-clock seconds of generation for all classes of a subject together: `60s`, `5m`.
    pub budget_seconds: u64,
    /// `seeds`: how many; they are 1, 2, 3 and so on.
    pub seeds: u64,
    /// `modes`: names between commas.
    pub modes: Vec<Mode>,
    /// `jobs`: rows at a time; default the number of cores.
    pub jobs: usize,
    /// `output`: folder of all studies.
    pub output: PathBuf,
    /// `subjectsFolder`: scripts, class lists and sample runs.
    pub subjects_folder: PathBuf,
    /// `cache`: where subjects are made, outside of the checkout.
    pub cache: PathBuf,
    /// `workerJar`, `launcher`, `coverageAgent`, `coverageClassPath`, `javaHome`: as the engine's settings.
    pub tools: Tools,
}

/// What is built or resolved elsewhere.
#[derive(Clone, Debug)]
pub struct Tools {
    pub worker_jar: PathBuf,
    pub launcher: Option<PathBuf>,
    pub coverage_agent: PathBuf,
    pub coverage_class_path: PathBuf,
    pub java_home: PathBuf,
}

const NAMES: &[&str] = &[
    "study",
    "subject",
    "budget",
    "seeds",
    "modes",
    "short",
    "jobs",
    "output",
    "subjectsFolder",
    "cache",
    "workerJar",
    "launcher",
    "coverageAgent",
    "coverageClassPath",
    "javaHome",
];

impl Options {
    /// Reads arguments.
    pub fn read(arguments: &[String]) -> Result<Options, String> {
        let mut given: BTreeMap<&str, &str> = BTreeMap::new();
        for argument in arguments {
            let (name, value) = argument
                .split_once('=')
                .ok_or_else(|| format!("`{argument}` is not of the form name=value"))?;
            if !NAMES.contains(&name) {
                return Err(format!(
                    "there is no option `{name}`; known: {}",
                    NAMES.join(", ")
                ));
            }
            given.insert(name, value);
        }
        let text = |name: &str| given.get(name).copied().filter(|value| !value.is_empty());
        let path = |name: &str| {
            text(name)
                .map(PathBuf::from)
                .ok_or_else(|| format!("the option `{name}` is missing"))
        };
        let is_short = given.get("short").is_some_and(|value| *value != "false");
        let (budget, seeds, modes) = if is_short {
            ("30s", "3", "random,palulu,constraints,full")
        } else {
            ("60s", "5", Mode::ALL_NAMES)
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Options {
            study: text("study").unwrap_or("ablation").to_owned(),
            subjects: text("subject")
                .filter(|value| *value != "all")
                .map(|value| names(value).map(str::to_owned).collect()),
            budget_seconds: seconds(text("budget").unwrap_or(budget))?,
            seeds: number("seeds", text("seeds").unwrap_or(seeds))?,
            modes: names(text("modes").unwrap_or(modes))
                .map(Mode::read)
                .collect::<Result<_, _>>()?,
            jobs: match text("jobs") {
                Some(value) => number("jobs", value)? as usize,
                None => cores,
            },
            output: path("output")?,
            subjects_folder: path("subjectsFolder")?,
            cache: path("cache")?,
            tools: Tools {
                worker_jar: path("workerJar")?,
                launcher: text("launcher").map(PathBuf::from),
                coverage_agent: path("coverageAgent")?,
                coverage_class_path: path("coverageClassPath")?,
                java_home: path("javaHome")?,
            },
        })
    }
}

fn names(list: &str) -> impl Iterator<Item = &str> {
    list.split(',')
        .map(str::trim)
        .filter(|name| !name.is_empty())
}

fn number(name: &str, value: &str) -> Result<u64, String> {
    value
        .parse()
        .ok()
        .filter(|number| (1..=1000).contains(number))
        .ok_or_else(|| format!("`{name}={value}`: allowed is a whole number from 1 to 1000"))
}

/// `60s`, `60`, `5m`
fn seconds(value: &str) -> Result<u64, String> {
    let (digits, factor) = match value.strip_suffix('m') {
        Some(minutes) => (minutes, 60),
        None => (value.strip_suffix('s').unwrap_or(value), 1),
    };
    digits
        .parse::<u64>()
        .ok()
        .filter(|number| (1..=100_000).contains(number))
        .map(|number| number * factor)
        .ok_or_else(|| {
            format!("`budget={value}`: allowed are seconds and minutes such as `60s` or `5m`")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(extra: &[&str]) -> Result<Options, String> {
        let needed = [
            "output=/o",
            "subjectsFolder=/s",
            "cache=/c",
            "workerJar=/w",
            "coverageAgent=/a",
            "coverageClassPath=/p",
            "javaHome=/j",
        ];
        let all: Vec<String> = needed
            .iter()
            .chain(extra)
            .map(|&argument| argument.to_owned())
            .collect();
        Options::read(&all)
    }

    #[test]
    fn the_long_form_is_five_seeds_of_a_minute_in_every_mode() {
        let options = read(&[]).unwrap();
        assert_eq!(
            (
                options.study.as_str(),
                options.budget_seconds,
                options.seeds
            ),
            ("ablation", 60, 5)
        );
        assert_eq!(options.modes.len(), 13);
        assert_eq!(options.subjects, None);
    }

    #[test]
    fn the_short_form_changes_defaults_and_nothing_that_is_said() {
        let options = read(&["short=", "seeds=2", "subject=jsap,bcel"]).unwrap();
        let modes: Vec<&str> = options.modes.iter().map(Mode::name).collect();
        assert_eq!(modes, ["random", "palulu", "constraints", "full"]);
        assert_eq!((options.budget_seconds, options.seeds), (30, 2));
        assert_eq!(options.subjects.unwrap(), ["jsap", "bcel"]);
    }

    #[test]
    fn wrong_values_are_named_with_what_is_allowed() {
        assert_eq!(
            read(&["budget=soon"]).unwrap_err(),
            "`budget=soon`: allowed are seconds and minutes such as `60s` or `5m`"
        );
        assert_eq!(
            read(&["seeds=0"]).unwrap_err(),
            "`seeds=0`: allowed is a whole number from 1 to 1000"
        );
        assert!(
            read(&["mode=full"])
                .unwrap_err()
                .starts_with("there is no option `mode`")
        );
        assert!(
            read(&["modes=fulll"])
                .unwrap_err()
                .contains("known: random")
        );
        assert_eq!(read(&["budget=2m"]).unwrap().budget_seconds, 120);
    }
}
