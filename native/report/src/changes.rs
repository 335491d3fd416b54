//! What fails of the tests of the last run: behaviour of the code that is another now.
//!
//! Comes in: [`BehaviourChange`]s, and what an earlier run left: `report.json` and the first page. Goes out: both with the
//! changes in them, `palus.sarif` of both, and `changes.json`, which `explain` reads.
//! Does not know: how a test was run, files.

use crate::data::{BehaviourChange, FindingReport, Report};
use crate::page::{exchange_changes, index_page, json};
use crate::sarif::sarif;
use serde::Deserialize;
use serde_json::Value;

/// Where `report.json` has them.
const FIELD: &str = "behaviour_changes";

/// The text of `changes.json`.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn changes_json(changes: &[BehaviourChange]) -> String {
    serde_json::to_string_pretty(changes).expect("plain data can be written as JSON")
}

/// What `changes.json` holds; nothing where it is of no known shape.
pub fn read_changes(text: &str) -> Vec<BehaviourChange> {
    serde_json::from_str(text).unwrap_or_default()
}

/// What shows the changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WithChanges {
    /// The text of `report.json`.
    pub json: String,
    /// The first page.
    pub page: String,
    /// The text of `palus.sarif`.
    pub sarif: String,
}

/// The report of an earlier run with these changes; of no run, where its parts are missing or of no known shape.
pub fn with_changes(
    report: Option<&str>,
    page: Option<&str>,
    changes: &[BehaviourChange],
    otherwise: &Report,
) -> WithChanges {
    let mut whole = Report {
        behaviour_changes: changes.to_vec(),
        ..otherwise.clone()
    };
    let of_earlier = report.and_then(|text| exchange_field(text, changes));
    let page = page.and_then(|text| exchange_changes(text, changes));
    if let (Some(report), Some(page)) = (of_earlier, page) {
        whole.findings = findings(&report);
        return WithChanges {
            json: report,
            page,
            sarif: sarif(&whole),
        };
    }
    WithChanges {
        json: json(&whole),
        page: index_page(&whole),
        sarif: sarif(&whole),
    }
}

/// Those that `report.json` lists.
fn findings(report: &str) -> Vec<FindingReport> {
    #[derive(Deserialize)]
    struct Findings {
        findings: Vec<FindingReport>,
    }
    serde_json::from_str(report).map_or_else(|_| Vec::new(), |all: Findings| all.findings)
}

fn exchange_field(report: &str, changes: &[BehaviourChange]) -> Option<String> {
    let mut report: Value = serde_json::from_str(report).ok()?;
    let changes = serde_json::to_value(changes).ok()?;
    report.as_object_mut()?.insert(FIELD.to_owned(), changes);
    serde_json::to_string_pretty(&report).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change() -> BehaviourChange {
        BehaviourChange {
            class: "demo.Rates".to_owned(),
            method: "fee".to_owned(),
            test: "demo.RatesPalusTest#fee_isFive".to_owned(),
            file: "demo/RatesPalusTest.java".to_owned(),
            line: 12,
            source: "assertEquals(5, rates.fee());".to_owned(),
            before: "5".to_owned(),
            now: "<6>".to_owned(),
            ..BehaviourChange::default()
        }
    }

    #[test]
    fn a_report_of_an_earlier_run_gets_the_changes_and_loses_them_again() {
        let earlier = Report {
            project: "shop".to_owned(),
            tests: 7,
            findings: vec![FindingReport {
                code: "P101".to_owned(),
                ..FindingReport::default()
            }],
            ..Report::default()
        };
        let (report, page) = (json(&earlier), index_page(&earlier));
        assert!(!page.contains("Behaviour that changed"), "{page}");
        let none = Report::default();
        let red = with_changes(Some(&report), Some(&page), &[change()], &none);
        let value: Value = serde_json::from_str(&red.json).unwrap();
        assert_eq!(value["behaviour_changes"][0]["now"], "<6>");
        assert_eq!(value["tests"], 7, "the rest stays");
        let shown = &red.page;
        assert!(shown.contains("Behaviour that changed"), "{shown}");
        assert!(shown.contains("&#60;6&#62;") && shown.contains("shop"));
        let both = &red.sarif;
        assert!(both.contains("P101") && both.contains("BEHAVIOUR_CHANGE"));
        let green = with_changes(Some(&red.json), Some(&red.page), &[], &none);
        assert!(green.json.contains("\"behaviour_changes\": []"));
        assert!(!green.sarif.contains("BEHAVIOUR_CHANGE"));
        assert_eq!(green.page, page);
    }

    #[test]
    fn without_an_earlier_report_there_is_one_of_the_changes_alone() {
        let otherwise = Report {
            project: "shop".to_owned(),
            ..Report::default()
        };
        for (report, page) in [(None, None), (Some("no json"), Some("no page"))] {
            let shown = with_changes(report, page, &[change()], &otherwise);
            let texts = [&shown.json, &shown.page, &shown.sarif];
            assert!(shown.json.contains("\"project\": \"shop\""));
            assert!(texts.iter().all(|text| text.contains("fee_isFive")));
        }
    }

    #[test]
    fn what_was_written_for_explain_is_read_again() {
        let changes = [change()];
        assert_eq!(read_changes(&changes_json(&changes)), changes);
        assert_eq!(read_changes("{}"), []);
    }
}
