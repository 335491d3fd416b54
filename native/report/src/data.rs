//! The data of a report; `report.json` is this, serialised, with a version.

use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Version of `report.json`; raised when a field changes its meaning or goes.
pub const SCHEMA_VERSION: u32 = 1;

/// Everything the report shows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// Version of this schema.
    pub schema_version: u32,
    /// Version of Palus.
    pub palus_version: String,
    /// Name of the project or module.
    pub project: String,
    /// How to run it again.
    pub command_line: String,
    /// `17`, `25`, ...
    pub java_version: String,
    /// `JUnit 4`, `JUnit Jupiter`.
    pub framework: String,
    /// Seed of the run.
    pub seed: u64,
    /// False when the time limit cut the run, so that another run may give other tests.
    pub reproducible: bool,
    /// What the kernel held around the code under test while it ran.
    pub sandbox: SandboxReport,
    /// Coverage of the existing tests.
    pub before: Option<Figures>,
    /// Coverage of existing and written tests together.
    pub after: Option<Figures>,
    /// Small faults put into the classes, and how many of them written tests notice; none where none were tried.
    pub mutants: Option<MutantFigures>,
    /// Tests on disk.
    pub tests: u64,
    /// Test files on disk.
    pub files: u64,
    /// Tests among them that an earlier run wrote.
    pub earlier_tests: u64,
    /// Test files among them that an earlier run wrote.
    pub earlier_files: u64,
    /// Stages in order, with how long each took.
    pub stages: Vec<Stage>,
    /// One row per class with tests or skipped methods, by name.
    pub classes: Vec<ClassReport>,
    /// Methods that a test could call and no written one does, by why, the most frequent reason first.
    pub without_test: Vec<WithoutTest>,
    /// Why candidates were dropped, also of classes that this run did not work on again.
    pub drops: Vec<DropReport>,
    /// Tests of the last run that fail on what the code is now.
    pub behaviour_changes: Vec<BehaviourChange>,
    /// Rules that the subject breaks.
    pub findings: Vec<FindingReport>,
    /// Findings whose test did not fail as it should, and which are not reported.
    pub unverified_findings: u64,
    /// Findings that an annotation of the project suppresses.
    pub suppressed_findings: u64,
    /// What is known of the protocols of APIs; none where none are learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocols: Option<ProtocolsReport>,
    /// Sentences the user should read.
    pub warnings: Vec<String>,
}

/// Protocols of APIs, learned in this run and earlier ones.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ProtocolsReport {
    /// The file that holds them.
    pub file: String,
    /// How many there are.
    pub protocols: u64,
    /// How many sequences the one that most sequences know was learned from.
    pub sequences: u64,
}

/// What the kernel held around the code under test.
#[derive(Clone, Debug, Default, Serialize)]
pub struct SandboxReport {
    /// `FULL`, `PARTIAL` or `NONE`.
    pub level: String,
    /// The same in words.
    pub text: String,
}

/// Methods that no written test calls, for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WithoutTest {
    /// Code of the reason.
    pub code: String,
    /// What it means.
    pub text: String,
    /// How many methods.
    pub count: u64,
}

/// A rule that the subject breaks, shown by a test that fails.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct FindingReport {
    /// What stays the same from run to run: `P101 demo.Account#equals`.
    pub id: String,
    /// Code of the rule.
    pub code: String,
    /// Class to blame, in source form.
    pub class: String,
    /// Method to blame.
    pub method: String,
    /// Where that method is.
    pub place: SourcePlace,
    /// The rule, as what is broken: `is not reflexive`.
    pub broken: String,
    /// `Account#equals is not reflexive`
    pub text: String,
    /// True if the baseline does not know it.
    pub is_new: bool,
    /// Test file, relative to the folder of findings.
    pub file: String,
    /// Test method in that file.
    pub test: String,
    /// Its text.
    #[serde(skip)]
    pub source: String,
    /// Of an unsafe use of an API, why it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsafe_use: Option<UnsafeUseReport>,
}

/// A call that the protocol of an API does not allow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnsafeUseReport {
    /// Why it is certain, in one sentence.
    pub why: String,
    /// The stack of the exception, innermost first, down to the first line of the test: `demo.Rack.top:14`.
    pub stack: Vec<String>,
    /// The place in the stack of the line with the call.
    pub line: u32,
    /// The protocol.
    pub protocol: ProtocolReport,
    /// Places of the states in which the objects were, up to the one that does not allow the call.
    pub path: Vec<u32>,
    /// The call: `#1.peek()`.
    pub refused: String,
}

/// A protocol of an API, learned from passing runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolReport {
    /// Classes of the objects that it speaks of; `#1` is one of the first.
    pub types: Vec<String>,
    /// From how many generated sequences it was learned.
    pub sequences: u64,
    /// Its states, the initial one first.
    pub states: Vec<ProtocolState>,
}

/// A state of a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolState {
    /// True where what it does not allow is a violation.
    pub is_liable: bool,
    /// What it allows.
    pub calls: Vec<ProtocolCall>,
}

/// A call that a state allows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolCall {
    /// `#2 = #1.iterator()`
    pub call: String,
    /// Place of the state after it.
    pub to: u32,
}

/// A place in the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourcePlace {
    /// Source file, relative to the folder that has `.git`, else to the project; empty where none was found.
    pub file: String,
    /// Line from 1; 0 where none is known.
    pub line: u32,
}

/// A test of the last run that fails now.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BehaviourChange {
    /// Class of what the failing line calls, in source form; else the one that the test is for.
    pub class: String,
    /// Method that it is about, without parameters; a constructor has the name of its class; empty where it is the
    /// class as a whole.
    pub method: String,
    /// Test class and method: `demo.AccountPalusTest#deposit_isFive`.
    pub test: String,
    /// Test file, relative to the folder of tests.
    pub file: String,
    /// Line of it that fails, from 1.
    pub line: u32,
    /// That line.
    pub source: String,
    /// What was so when the test was written.
    pub before: String,
    /// What is so now.
    pub now: String,
    /// Where the method is; none in a file that an older Palus wrote.
    #[serde(default)]
    pub place: SourcePlace,
    /// True if it cannot be compiled any more.
    pub is_broken: bool,
    /// True if somebody edited the file, so that Palus never replaces it.
    pub is_edited: bool,
    /// True if the list of what Palus wrote does not name the file, so that it counts as edited, too; not said in a file
    /// that an older Palus wrote.
    #[serde(default)]
    pub is_unlisted: bool,
}

impl BehaviourChange {
    /// `demo.Rates#fee`, or the class alone.
    pub fn subject(&self) -> String {
        named(&self.class, &self.method)
    }
}

/// A method of a class, or the class where there is none.
pub fn named(class: &str, method: &str) -> String {
    if method.is_empty() {
        class.to_owned()
    } else {
        format!("{class}#{method}")
    }
}

/// Lines and branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Figures {
    /// Lines run.
    pub lines_covered: u32,
    /// Lines with code.
    pub lines: u32,
    /// Branches run.
    pub branches_covered: u32,
    /// Branches.
    pub branches: u32,
}

/// One stage of the run.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Stage {
    /// `trace`, `model`, ...
    pub name: String,
    /// What it did, in a few words.
    pub text: String,
    /// Seconds of wall clock.
    pub seconds: f64,
}

/// One class.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ClassReport {
    /// Name in source form.
    pub name: String,
    /// Tests written for it.
    pub tests: Vec<WrittenTest>,
    /// Sequences run for it.
    pub steps: u64,
    /// Coverage by the existing tests.
    pub before: Option<Figures>,
    /// Coverage by all tests.
    pub after: Option<Figures>,
    /// Its source, where it was found, with what covers each line.
    #[serde(skip)]
    pub source: Vec<SourceLine>,
    /// Methods without a test.
    pub skipped: Vec<MethodSkip>,
    /// True if it has a call sequence model.
    pub has_model: bool,
    /// Its faults; none where it has no tests of this run, or none were tried.
    pub mutants: Option<MutantReport>,
}

/// Mutants of all classes that have some.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MutantFigures {
    /// How many there are.
    pub made: u64,
    /// How many of them make a written test of their own class fail.
    pub killed: u64,
}

impl MutantFigures {
    /// The sum over classes; none where no faults were tried.
    pub fn of(classes: &[ClassReport]) -> Option<Self> {
        let each = classes.iter().filter_map(|class| class.mutants.as_ref());
        each.map(|mutants| Self {
            made: mutants.made,
            killed: mutants.killed,
        })
        .reduce(|sum, next| Self {
            made: sum.made + next.made,
            killed: sum.killed + next.killed,
        })
    }

    /// Killed of made, in percent.
    #[expect(clippy::cast_precision_loss, reason = "there are no 2^53 faults")]
    pub fn percent(self) -> f64 {
        self.killed as f64 * 100.0 / self.made.max(1) as f64
    }
}

/// Mutants of a class and of those nested in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct MutantReport {
    /// How many there are.
    pub made: u64,
    /// How many of them a written test comes to.
    pub covered: u64,
    /// How many of them make a written test fail.
    pub killed: u64,
    /// Those that a test comes to and none notices.
    pub survivors: Vec<Survivor>,
    /// Those that none comes to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreached: Vec<Survivor>,
}

/// A mutant that no written test notices.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Survivor {
    /// Name of its class in source form.
    pub class: String,
    /// Source form of the method.
    pub method: String,
    /// Its line, where one is known.
    pub line: Option<u32>,
    /// PIT's name of what it changes: `REMOVE_CONDITIONALS`; pages say it in words.
    pub operator: String,
    /// The field, the called method or the sign of arithmetic that it is about; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
}

/// One written test.
#[derive(Clone, Debug, Default, Serialize)]
pub struct WrittenTest {
    /// Name of the test method.
    pub name: String,
    /// Its text.
    #[serde(skip)]
    pub text: String,
}

/// A line of source.
#[derive(Clone, Debug, Serialize)]
pub struct SourceLine {
    /// Its text.
    pub text: String,
    /// What covers it.
    pub mark: LineMark,
    /// The written tests that reach it, [`TESTS_OF_LINE`] at most.
    pub tests: Vec<ReachingTest>,
    /// How many more there are.
    pub more: u64,
}

/// Tests that are named of a line.
pub const TESTS_OF_LINE: usize = 8;

/// A written test that reaches a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReachingTest {
    /// The class in whose file it stands, in source form.
    pub class: String,
    /// Its name.
    pub name: String,
}

/// Of each test by its name, what it reaches of each class, by its name in source form.
pub type Reach = BTreeMap<String, BTreeMap<String, ReachedCode>>;

/// What a test reaches of a class.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachedCode {
    /// Lines of its source: `3-7,9`.
    pub lines: String,
    /// Names of methods; constructors have that of their class.
    pub methods: BTreeSet<String>,
}

impl ReachedCode {
    /// What a test reaches: lines and names of methods.
    pub fn new(lines: &BTreeSet<u32>, methods: BTreeSet<String>) -> ReachedCode {
        let mut ranges: Vec<(u32, u32)> = Vec::new();
        for &line in lines {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == line => *last = line,
                _ => ranges.push((line, line)),
            }
        }
        let ranges = ranges.iter().map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first}-{last}")
            }
        });
        ReachedCode {
            lines: ranges.collect::<Vec<_>>().join(","),
            methods,
        }
    }

    /// Each of the lines.
    pub fn lines(&self) -> impl Iterator<Item = u32> + '_ {
        let ranges = self.lines.split(',').filter_map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
        });
        ranges.flatten()
    }
}

/// What covers a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum LineMark {
    /// No code.
    None,
    /// Nothing reaches it.
    Missed,
    /// The existing tests reached it.
    Before,
    /// A written test reaches it, or reaches more of it.
    New,
}

/// A method without a test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MethodSkip {
    /// Source form of the method.
    pub method: String,
    /// `S04`, ...
    pub code: String,
    /// What the code means.
    pub text: String,
}

/// Candidates dropped for one reason.
#[derive(Clone, Debug, Serialize)]
pub struct DropReport {
    /// `D01`, ...
    pub code: String,
    /// What it means.
    pub text: String,
    /// How many.
    pub count: u64,
}

impl Figures {
    /// Lines in percent; 100 without lines.
    pub fn line_percent(&self) -> f64 {
        percent(self.lines_covered, self.lines)
    }

    /// Branches in percent; 100 without branches.
    pub fn branch_percent(&self) -> f64 {
        percent(self.branches_covered, self.branches)
    }
}

fn percent(covered: u32, all: u32) -> f64 {
    if all == 0 {
        100.0
    } else {
        100.0 * f64::from(covered) / f64::from(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_as_ranges_and_read_back() {
        for lines in [&[][..], &[4], &[3, 4, 5, 9, 11, 12]] {
            let lines: BTreeSet<u32> = lines.iter().copied().collect();
            let code = ReachedCode::new(&lines, BTreeSet::new());
            assert_eq!(code.lines().collect::<BTreeSet<_>>(), lines);
        }
        let code = ReachedCode::new(&BTreeSet::from([3, 4, 5, 9]), BTreeSet::new());
        assert_eq!(code.lines, "3-5,9");
    }
}
