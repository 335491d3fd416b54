//! What the command is told, as `name=value`.
//!
//! Comes in: arguments. Goes out: [`Options`], or an error that names the argument and what is allowed.
//! The short form is a set of other defaults; what is said beside it counts.
//! Does not know: what a study does with them.
//!
//! Written here, since `clap` reads `--name value`, and these are `name=value` as everything that is given to the
//! engine; what is left of the work, defaults that depend on the study and its form, is none of a parser's.

use crate::bound::Bound;
use crate::mode::{self, Mode};
use crate::study::{self, Study};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Everything a study needs to know.
#[derive(Clone, Debug)]
pub struct Options {
    /// `study`
    pub study: &'static Study,
    /// `subject`: names between commas, or `all`.
    pub subjects: Option<Vec<String>>,
    /// `budget`: wall-clock seconds of generation for all classes of a subject together: `60s`, `5m`.
    pub budget_seconds: u64,
    /// `seeds`: how many; they are 1, 2, 3 and so on.
    pub seeds: u64,
    /// `modes`: names between commas.
    pub modes: Vec<&'static Mode>,
    /// `list`: which class lists, by their ending; every study has its own.
    pub list: String,
    /// `sizes`: how many classes, ascending, of the study of growth.
    pub sizes: Vec<u64>,
    /// `steps`: for each class; where it is said, rows are bounded by it instead of by time.
    pub steps: Option<u64>,
    /// `jobs`: rows at a time.
    pub jobs: usize,
    /// `output`: folder of all studies.
    pub output: PathBuf,
    /// `subjectsFolder`: scripts, class lists and sample runs.
    pub subjects_folder: PathBuf,
    /// `cache`: where subjects are made, outside of the checkout.
    pub cache: PathBuf,
    /// `evosuiteJar`, `evosuiteJava`, `randoopJar`
    pub peers: Peers,
    /// `pitClassPath`: PIT and what it needs, of the study of faults.
    pub pit_class_path: Vec<PathBuf>,
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

/// Another tool.
#[derive(Clone, Debug)]
pub struct Tool {
    pub jar: PathBuf,
    /// The Java that it and its tests run on.
    pub java_home: PathBuf,
}

/// Tools of other people, none where it is not said.
#[derive(Clone, Debug)]
pub struct Peers {
    pub evosuite: Option<Tool>,
    pub randoop: Option<Tool>,
}

const NAMES: &[&str] = &[
    "study",
    "subject",
    "budget",
    "seeds",
    "modes",
    "short",
    "list",
    "sizes",
    "steps",
    "jobs",
    "evosuiteJar",
    "evosuiteJava",
    "randoopJar",
    "pitClassPath",
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
    /// Reads arguments, among them the name of one of these studies.
    pub fn read(arguments: &[String], studies: &[&'static Study]) -> Result<Options, String> {
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
        if text("steps").is_some() && text("budget").is_some() {
            return Err("`steps` and `budget` both bound a row; say one of them".to_owned());
        }
        let is_short = given.get("short").is_some_and(|value| *value != "false");
        let study = study::named(text("study").unwrap_or("ablation"), studies)?;
        let form = if is_short { &study.short } else { &study.long };
        let modes = match text("modes") {
            Some(value) => mode::read(names(value), study.modes)?,
            None if form.modes.is_empty() => study.modes.iter().collect(),
            None => mode::read(form.modes.iter().copied(), study.modes)?,
        };
        let java_home = path("javaHome")?;
        let tool = |jar: &str, java: &str| {
            let own = text(java).map(PathBuf::from);
            text(jar).map(|jar| Tool {
                jar: jar.into(),
                java_home: own.unwrap_or(java_home.clone()),
            })
        };
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Options {
            study,
            subjects: text("subject")
                .filter(|value| *value != "all")
                .map(|value| names(value).map(str::to_owned).collect()),
            budget_seconds: text("budget").map_or(Ok(form.budget_seconds), seconds)?,
            seeds: text("seeds").map_or(Ok(form.seeds), |value| number("seeds", value))?,
            modes,
            list: text("list").unwrap_or(study.list).to_owned(),
            sizes: names(text("sizes").unwrap_or("10,100,1000"))
                .map(|size| number("sizes", size))
                .collect::<Result<_, _>>()?,
            steps: text("steps")
                .map(|value| number("steps", value))
                .transpose()?,
            jobs: match text("jobs") {
                Some(value) => number("jobs", value)? as usize,
                None if study.fills_the_machine => cores,
                None => 1,
            },
            output: path("output")?,
            subjects_folder: path("subjectsFolder")?,
            cache: path("cache")?,
            peers: Peers {
                evosuite: tool("evosuiteJar", "evosuiteJava"),
                randoop: tool("randoopJar", "javaHome"),
            },
            pit_class_path: text("pitClassPath")
                .map(|paths| std::env::split_paths(paths).collect())
                .unwrap_or_default(),
            tools: Tools {
                worker_jar: path("workerJar")?,
                launcher: text("launcher").map(PathBuf::from),
                coverage_agent: path("coverageAgent")?,
                coverage_class_path: path("coverageClassPath")?,
                java_home,
            },
        })
    }

    /// What bounds the generation of a row.
    pub fn bound(&self) -> Bound {
        match self.steps {
            Some(steps) => Bound::Steps(steps),
            None => Bound::Seconds(self.budget_seconds),
        }
    }

    /// The folder of the study; rows over other class lists than its own stand apart.
    pub fn folder(&self) -> PathBuf {
        let name = self.study.name;
        if self.list == self.study.list {
            self.output.join(name)
        } else {
            self.output.join(format!("{name}-{}", self.list))
        }
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
        .filter(|number| (1..=10_000).contains(number))
        .ok_or_else(|| format!("`{name}={value}`: allowed is a whole number from 1 to 10000"))
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
    use std::path::Path;

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
        let studies = [
            &crate::ablation::STUDY,
            &crate::templates::STUDY,
            &crate::peers::STUDY,
        ];
        Options::read(&all, &studies)
    }

    #[test]
    fn the_long_form_is_five_seeds_of_a_minute_in_every_mode() {
        let options = read(&[]).unwrap();
        assert_eq!(
            (options.study.name, options.budget_seconds, options.seeds),
            ("ablation", 60, 5)
        );
        assert_eq!(options.modes.len(), 14);
        assert_eq!(options.subjects, None);
    }

    #[test]
    fn the_short_form_changes_defaults_and_nothing_that_is_said() {
        let options = read(&["short=", "seeds=2", "subject=jsap,bcel"]).unwrap();
        let modes: Vec<&str> = options.modes.iter().map(|mode| mode.name).collect();
        assert_eq!(modes, ["random", "palulu", "constraints", "full"]);
        assert_eq!((options.budget_seconds, options.seeds), (30, 2));
        assert_eq!(options.subjects.unwrap(), ["jsap", "bcel"]);
    }

    #[test]
    fn every_study_has_its_own_defaults() {
        let options = read(&["study=templates"]).unwrap();
        assert_eq!((options.budget_seconds, options.seeds), (60, 10));
        assert_eq!(options.modes.len(), 8);
        let options = read(&["study=templates", "short="]).unwrap();
        assert_eq!((options.budget_seconds, options.seeds), (30, 3));
        assert_eq!(options.modes.len(), 6);
        assert!(
            read(&["study=templates", "modes=full"])
                .unwrap_err()
                .ends_with(
                    "known: dynamosa, dynamosa-plain, mosa, mosa-plain, monotonic, monotonic-plain, palus, palus-plain"
                )
        );
    }

    #[test]
    fn rows_over_other_class_lists_stand_apart() {
        let folder = |extra: &[&str]| read(extra).unwrap().folder();
        assert_eq!(folder(&[]), Path::new("/o/ablation"));
        assert_eq!(folder(&["list=peers"]), Path::new("/o/ablation"));
        assert_eq!(folder(&["list=classes"]), Path::new("/o/ablation-classes"));
    }

    #[test]
    fn wrong_values_are_named_with_what_is_allowed() {
        assert_eq!(
            read(&["budget=soon"]).unwrap_err(),
            "`budget=soon`: allowed are seconds and minutes such as `60s` or `5m`"
        );
        assert_eq!(
            read(&["seeds=0"]).unwrap_err(),
            "`seeds=0`: allowed is a whole number from 1 to 10000"
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
        assert_eq!(
            read(&["budget=2m", "steps=9"]).unwrap_err(),
            "`steps` and `budget` both bound a row; say one of them"
        );
        assert_eq!(read(&["budget=2m"]).unwrap().bound(), Bound::Seconds(120));
        assert_eq!(read(&["steps=4000"]).unwrap().bound(), Bound::Steps(4000));
    }
}
