//! What a run left of each class, for the next one: it does nothing again for classes that did not change.
//!
//! Comes in: [`Left`]. Goes out: two lines of JSON, and the same back. The second line has the form of `explain.json`.
//! Does not know: which classes changed.

use crate::data::{FindingReport, MethodSkip, MutantReport, Reach};
use crate::explanation::{ClassExplanation, Explanations};
use crate::stored::{explanations_json, read_explanations};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Version of the first line; a file of another version is not read.
const VERSION: u32 = 3;

/// All that a run left.
#[derive(Clone, Debug, Default)]
pub struct Left {
    /// The classes that were worked on to the end, by name.
    pub classes: Vec<LeftClass>,
    /// Findings that have a file.
    pub findings: Vec<LeftFinding>,
    /// What `explain` says of these classes and those nested in them.
    pub explanations: Vec<ClassExplanation>,
    /// Hash of the file of protocols, where there is one.
    pub protocols: Option<String>,
}

/// A class as a run left it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LeftClass {
    /// Name in source form.
    pub name: String,
    /// Digest of all that decides what is written for it.
    pub key: String,
    /// The same of the settings and the code that its tests run, without models and promoted tests.
    #[serde(default)]
    pub code: String,
    /// Hash of the file with its tests; none where it got none.
    pub file: Option<String>,
    /// Sequences run for it.
    pub steps: u64,
    /// Methods without a test.
    pub skipped: Vec<MethodSkip>,
    /// Its faults.
    pub mutants: Option<MutantReport>,
    /// Candidates dropped, by code.
    pub drops: BTreeMap<String, u64>,
    /// Findings that an annotation suppresses.
    pub suppressed: u64,
    /// Findings whose test did not fail as it should.
    pub unverified: u64,
    /// Internal names of classes of the objects in runs that protocols may tell to be unsafe uses.
    pub suspects: BTreeSet<String>,
    /// What its tests reach.
    #[serde(default)]
    pub reach: Reach,
    /// Its tests, those first that are worth most.
    #[serde(default)]
    pub best: Vec<KnownTest>,
}

/// A test as a run wrote it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownTest {
    /// Its name.
    pub name: String,
    /// Hash of what it does.
    pub body: String,
    /// The faults that it notices, by their places in the code of its class.
    #[serde(default)]
    pub kills: Vec<u32>,
}

/// A finding as a run left it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LeftFinding {
    /// What the report says of it.
    pub row: FindingReport,
    /// Its test, which other files leave out of the row.
    source: String,
    /// Names of the classes whose work found it, whichever class is to blame.
    pub units: BTreeSet<String>,
    /// Hash of the file with its test.
    pub file: String,
}

impl LeftFinding {
    /// A finding that the work on some classes found, with the hash of its file.
    pub fn new(row: FindingReport, units: BTreeSet<String>, file: String) -> LeftFinding {
        LeftFinding {
            source: row.source.clone(),
            row,
            units,
            file,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct FirstLine {
    version: u32,
    classes: Vec<LeftClass>,
    findings: Vec<LeftFinding>,
    protocols: Option<String>,
}

/// The text that keeps it.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn left_json(left: &Left) -> String {
    let first = FirstLine {
        version: VERSION,
        classes: left.classes.clone(),
        findings: left.findings.clone(),
        protocols: left.protocols.clone(),
    };
    let first = serde_json::to_string(&first).expect("plain data can be written as JSON");
    let explanations = explanations_json(&Explanations {
        classes: left.explanations.clone(),
        ..Explanations::default()
    });
    format!("{first}\n{explanations}\n")
}

/// Reads it.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read_left(text: &str) -> Result<Left, String> {
    #[derive(Deserialize)]
    struct Version {
        version: u32,
    }
    let (first, second) = text.split_once('\n').ok_or("it has one line only")?;
    let Version { version } = serde_json::from_str(first).map_err(|error| error.to_string())?;
    if version != VERSION {
        return Err(format!(
            "it has version {version}, and this Palus reads version {VERSION}"
        ));
    }
    let first: FirstLine = serde_json::from_str(first).map_err(|error| error.to_string())?;
    let with_text = |mut finding: LeftFinding| {
        finding.row.source.clone_from(&finding.source);
        finding
    };
    Ok(Left {
        classes: first.classes,
        findings: first.findings.into_iter().map(with_text).collect(),
        explanations: read_explanations(second)?.classes,
        protocols: first.protocols,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::ReachedCode;
    use crate::data::Survivor;

    fn left() -> Left {
        let code = ReachedCode {
            lines: "3-7,9".to_owned(),
            methods: BTreeSet::from(["a".to_owned()]),
        };
        let class = LeftClass {
            name: "p.A".to_owned(),
            key: "12ab".to_owned(),
            code: "cd".to_owned(),
            file: Some("34cd".to_owned()),
            steps: 7,
            skipped: vec![MethodSkip {
                method: "a()".to_owned(),
                code: "S04".to_owned(),
                text: "it is private".to_owned(),
            }],
            mutants: Some(MutantReport {
                made: 3,
                covered: 2,
                killed: 1,
                survivors: vec![Survivor::default()],
                unreached: vec![Survivor::default()],
            }),
            drops: BTreeMap::from([("times-out".to_owned(), 2)]),
            suppressed: 1,
            unverified: 4,
            suspects: BTreeSet::from(["java/util/Stack".to_owned()]),
            reach: BTreeMap::from([(
                "a_isOne".to_owned(),
                BTreeMap::from([("p.A".to_owned(), code)]),
            )]),
            best: vec![KnownTest {
                name: "a_isOne".to_owned(),
                body: "9abc".to_owned(),
                kills: vec![0, 2],
            }],
        };
        Left {
            classes: vec![class],
            findings: vec![LeftFinding::new(
                FindingReport {
                    id: "P101 p.A#equals".to_owned(),
                    source: "@Test\nvoid a() {}".to_owned(),
                    ..FindingReport::default()
                },
                BTreeSet::from(["p.A".to_owned(), "p.B".to_owned()]),
                "56ef".to_owned(),
            )],
            explanations: vec![ClassExplanation {
                name: "p.A".to_owned(),
                ..ClassExplanation::default()
            }],
            protocols: Some("78ab".to_owned()),
        }
    }

    #[test]
    fn all_that_is_left_is_read_back() {
        let text = left_json(&left());
        let read = read_left(&text).unwrap();
        assert_eq!(format!("{read:?}"), format!("{:?}", left()));
    }

    #[test]
    fn other_versions_and_what_is_cut_short_are_refused() {
        let text = left_json(&left());
        let other = text.replacen("\"version\":3", "\"version\":9", 1);
        let said = read_left(&other).unwrap_err();
        assert_eq!(said, "it has version 9, and this Palus reads version 3");
        for end in 0..text.len() - 1 {
            assert!(read_left(&text[..end]).is_err(), "{end}");
        }
    }
}
