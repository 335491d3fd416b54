//! `palus.sarif`: findings and changed behaviour as SARIF 2.1.0, which code hosts and editors read.
//!
//! Comes in: a [`Report`]. Goes out: the text of the file.
//! Each result has a fingerprint that stays the same from run to run and when lines move. A result of a rule that the
//! baseline knows is `unchanged`, another is `new`. Paths begin in the folder of the repository.
//! Does not know: how a finding was found. Source: OASIS, "Static Analysis Results Interchange Format (SARIF) 2.1.0".

use crate::data::{BehaviourChange, FindingReport, Report, SourcePlace};
use serde_json::Value;
use serde_sarif::sarif::{
    ArtifactLocation, Location, Message, MultiformatMessageString, PhysicalLocation, Region,
    ReportingDescriptor, Result as Found, ResultLevel, Run, Sarif, Tool, ToolComponent,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Rule of behaviour that changed.
const CHANGED: &str = "BEHAVIOUR_CHANGE";
/// What our fingerprints are called; raised when they are made in another way.
const FINGERPRINT: &str = "palus/v1";

/// What the baseline says of a result, in SARIF's words.
const NEW: &str = "new";
const KNOWN: &str = "unchanged";

/// The text of `palus.sarif`.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn sarif(report: &Report) -> String {
    let mut rules: BTreeMap<&str, String> = BTreeMap::new();
    for finding in &report.findings {
        let rule = rules.entry(&finding.code);
        // What stands behind a colon is of this finding alone.
        let broken = finding.broken.split(':').next().unwrap_or_default();
        rule.or_insert_with(|| format!("Method {broken}"));
    }
    if !report.behaviour_changes.is_empty() {
        let text = "A test of the last run fails on what the code is now";
        rules.insert(CHANGED, text.to_owned());
    }
    let changes = report.behaviour_changes.iter().map(of_change);
    let results = changes.chain(report.findings.iter().map(of_finding));
    log(&report.palus_version, rules, results.collect())
}

/// The text of a file with these results; each rule with what it says.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub(crate) fn log(version: &str, rules: BTreeMap<&str, String>, results: Vec<Found>) -> String {
    let rules = rules.into_iter().map(|(id, text)| {
        let text = MultiformatMessageString::builder().text(text).build();
        let rule = ReportingDescriptor::builder().id(id);
        rule.short_description(text).build()
    });
    let driver = ToolComponent::builder()
        .name("Palus")
        .semantic_version(version)
        .rules(rules.collect::<Vec<_>>())
        .build();
    let run = Run::builder()
        .tool(Tool::builder().driver(driver).build())
        .results(results)
        .build();
    let log = Sarif::builder()
        .version(Value::from("2.1.0"))
        .runs(vec![run])
        .build();
    serde_json::to_string_pretty(&log).expect("plain data can be written as JSON")
}

fn of_finding(finding: &FindingReport) -> Found {
    let text = format!("{}. {} shows it.", finding.text, finding.test);
    let state = if finding.is_new { NEW } else { KNOWN };
    Found::builder()
        .rule_id(finding.code.as_str())
        .level(ResultLevel::Warning)
        .baseline_state(Value::from(state))
        .message(message(text))
        .locations(locations(&finding.place))
        .partial_fingerprints(fingerprint(&finding.id))
        .build()
}

fn of_change(change: &BehaviourChange) -> Found {
    let edited = if change.is_unlisted {
        ", which `.palus-manifest` does not list"
    } else if change.is_edited {
        ", which was edited since Palus wrote it"
    } else {
        ""
    };
    let text = format!(
        "{}: before {}, now {}. {} fails at {}:{}{edited}: {}",
        change.subject(),
        change.before,
        change.now,
        change.test,
        change.file,
        change.line,
        change.source
    );
    Found::builder()
        .level(ResultLevel::Error)
        .rule_id(CHANGED)
        .baseline_state(Value::from(NEW))
        .message(message(text))
        .locations(locations(&change.place))
        .partial_fingerprints(fingerprint(&format!("{CHANGED} {}", change.test)))
        .build()
}

/// A result that no baseline knows and that fails nothing.
pub(crate) fn change(rule: &str, text: &str, place: &SourcePlace, id: &str) -> Found {
    Found::builder()
        .level(ResultLevel::Warning)
        .rule_id(rule)
        .baseline_state(Value::from(NEW))
        .message(message(text.to_owned()))
        .locations(locations(place))
        .partial_fingerprints(fingerprint(id))
        .build()
}

fn message(text: String) -> Message {
    Message::builder().text(text).build()
}

/// One, or none where the sources were not found.
fn locations(place: &SourcePlace) -> Vec<Location> {
    if place.file.is_empty() {
        return Vec::new();
    }
    let file = ArtifactLocation::builder().uri(uri(&place.file)).build();
    let region = Region::builder().start_line(i64::from(place.line.max(1)));
    let physical = PhysicalLocation::builder()
        .artifact_location(file)
        .region(region.build());
    let location = Location::builder().physical_location(physical.build());
    vec![location.build()]
}

/// A path as part of a URI (RFC 3986): bytes that may not stand there are written as `%20`.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/._-~$".contains(&byte) {
            uri.push(byte.into());
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
    }
    uri
}

fn fingerprint(text: &str) -> BTreeMap<String, String> {
    BTreeMap::from([(FINGERPRINT.to_owned(), text.to_owned())])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use std::env::consts::ARCH;
    use std::path::PathBuf;
    use std::process::Command;

    fn report() -> Report {
        Report {
            palus_version: "0.1.0".to_owned(),
            findings: vec![FindingReport {
                id: "P101 demo.Account#equals".to_owned(),
                code: "P101".to_owned(),
                text: "Account#equals is not reflexive".to_owned(),
                broken: "is not reflexive".to_owned(),
                test: "equals_isReflexive".to_owned(),
                is_new: true,
                place: SourcePlace {
                    file: "src/main/java/demo/Kontö Äcc.java".to_owned(),
                    line: 12,
                },
                ..FindingReport::default()
            }],
            behaviour_changes: vec![BehaviourChange {
                class: "demo.Rates".to_owned(),
                method: "fee".to_owned(),
                test: "demo.RatesPalusTest#fee_isFive".to_owned(),
                before: "5".to_owned(),
                now: "6".to_owned(),
                ..BehaviourChange::default()
            }],
            ..Report::default()
        }
    }

    /// The schema that the types were made from, which lies in their crate. One pattern of it (of `language`, which we do
    /// not write) has a bracket too many to be a regular expression.
    #[expect(
        clippy::disallowed_methods,
        reason = "a test asks cargo where a crate is"
    )]
    fn schema() -> Value {
        let metadata = Command::new(env!("CARGO"))
            .args(["metadata", "--format-version", "1", "--offline"])
            // Packages of other systems alone were not fetched.
            .args(["--filter-platform", &format!("{ARCH}-unknown-linux-gnu")])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .unwrap();
        let metadata: Value = serde_json::from_slice(&metadata.stdout).unwrap();
        let packages = metadata["packages"].as_array().unwrap();
        let is_ours = |package: &&Value| package["name"] == "serde-sarif";
        let manifest = packages.iter().find(is_ours).unwrap()["manifest_path"].as_str();
        let file = PathBuf::from(manifest.unwrap()).with_file_name("src/schema.json");
        let text = std::fs::read_to_string(file).unwrap();
        serde_json::from_str(&text.replace("{2}]?$", "{2}$")).unwrap()
    }

    /// Fails where the text of a log breaks the schema.
    pub(crate) fn assert_keeps_to_the_schema(log: &str) {
        let schema = jsonschema::validator_for(&schema()).unwrap();
        let log: Value = serde_json::from_str(log).unwrap();
        let errors: Vec<String> = schema
            .iter_errors(&log)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }

    #[test]
    fn what_is_written_keeps_to_the_schema() {
        for report in [report(), Report::default()] {
            assert_keeps_to_the_schema(&sarif(&report));
        }
    }

    #[test]
    #[should_panic(expected = "tool")]
    fn a_run_without_a_tool_breaks_the_schema() {
        assert_keeps_to_the_schema(r#"{"version": "2.1.0", "runs": [{"results": []}]}"#);
    }

    #[test]
    fn a_finding_has_its_place_and_a_fingerprint_that_lines_do_not_change() {
        let mut moved = report();
        moved.findings[0].place.line = 90;
        moved.findings[0].is_new = false;
        let [first, second] = [report(), moved].map(|report| {
            let log: Value = serde_json::from_str(&sarif(&report)).unwrap();
            log["runs"][0]["results"][1].clone()
        });
        assert_eq!(first["ruleId"], "P101");
        assert_eq!(first["baselineState"], "new");
        assert_eq!(second["baselineState"], "unchanged");
        assert_eq!(first["partialFingerprints"], second["partialFingerprints"]);
        let place = &first["locations"][0]["physicalLocation"];
        let uri = "src/main/java/demo/Kont%C3%B6%20%C3%84cc.java";
        assert_eq!(place["artifactLocation"]["uri"], uri);
        assert_eq!(place["region"]["startLine"], 12);
    }

    #[test]
    fn changed_behaviour_is_an_error_and_has_no_place_where_no_source_is_found() {
        let log: Value = serde_json::from_str(&sarif(&report())).unwrap();
        let change = &log["runs"][0]["results"][0];
        assert_eq!(change["level"], "error");
        let text = change["message"]["text"].as_str().unwrap();
        assert!(
            text.starts_with("demo.Rates#fee: before 5, now 6."),
            "{text}"
        );
        assert_eq!(change["locations"], serde_json::json!([]));
    }
}
