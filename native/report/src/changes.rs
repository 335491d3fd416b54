//! What fails of the tests of the last run: behaviour of the code that is another now.
//!
//! Comes in: [`BehaviourChange`]s, and what an earlier run left: `report.json` and the first page. Goes out: both with the
//! changes in them, and `changes.json`, which `explain` reads.
//! Does not know: how a test was run, files.

use crate::data::{BehaviourChange, Report};
use crate::page::{exchange_changes, index_page, json};
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

/// `report.json` and the first page of an earlier run with these changes; of no run, where they are missing or of no
/// known shape.
pub fn with_changes(
    report: Option<&str>,
    page: Option<&str>,
    changes: &[BehaviourChange],
    otherwise: &Report,
) -> (String, String) {
    let of_earlier = report.and_then(|text| exchange_field(text, changes));
    let page = page.and_then(|text| exchange_changes(text, changes));
    if let (Some(report), Some(page)) = (of_earlier, page) {
        return (report, page);
    }
    let report = Report {
        behaviour_changes: changes.to_vec(),
        ..otherwise.clone()
    };
    (json(&report), index_page(&report))
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
            ..Report::default()
        };
        let (report, page) = (json(&earlier), index_page(&earlier));
        assert!(!page.contains("Behaviour that changed"), "{page}");
        let none = Report::default();
        let (report, red) = with_changes(Some(&report), Some(&page), &[change()], &none);
        let value: Value = serde_json::from_str(&report).unwrap();
        assert_eq!(value["behaviour_changes"][0]["now"], "<6>");
        assert_eq!(value["tests"], 7, "the rest stays");
        assert!(red.contains("Behaviour that changed"), "{red}");
        assert!(red.contains("&#60;6&#62;") && red.contains("shop"), "{red}");
        let (report, green) = with_changes(Some(&report), Some(&red), &[], &none);
        assert!(report.contains("\"behaviour_changes\": []"), "{report}");
        assert_eq!(green, page);
    }

    #[test]
    fn without_an_earlier_report_there_is_one_of_the_changes_alone() {
        let otherwise = Report {
            project: "shop".to_owned(),
            ..Report::default()
        };
        for (report, page) in [(None, None), (Some("no json"), Some("no page"))] {
            let (report, page) = with_changes(report, page, &[change()], &otherwise);
            assert!(report.contains("\"project\": \"shop\""), "{report}");
            assert!(report.contains("fee_isFive") && page.contains("fee_isFive"));
        }
    }

    #[test]
    fn what_was_written_for_explain_is_read_again() {
        let changes = [change()];
        assert_eq!(read_changes(&changes_json(&changes)), changes);
        assert_eq!(read_changes("{}"), []);
    }
}
