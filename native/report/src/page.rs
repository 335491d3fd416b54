//! The pages: askama fills the templates, which are checked when this crate is compiled.

use crate::data::{ClassReport, Figures, LineMark, Report};
use askama::Template;
use std::collections::BTreeMap;

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    report: &'a Report,
    before: Option<Figures>,
    after: Option<Figures>,
    style: &'a str,
    skips: Vec<SkipRow>,
    skipped: usize,
}

#[derive(Template)]
#[template(path = "class.html")]
struct ClassPage<'a> {
    report: &'a Report,
    class: &'a ClassReport,
    style: &'a str,
}

struct SkipRow {
    code: String,
    text: String,
    count: usize,
}

const STYLE: &str = include_str!("../templates/style.css");

/// The first page.
///
/// # Panics
/// Never: the templates write to memory only.
pub fn index_page(report: &Report) -> String {
    let mut by_code: BTreeMap<&str, (&str, usize)> = BTreeMap::new();
    for skip in report.classes.iter().flat_map(|class| &class.skipped) {
        by_code.entry(&skip.code).or_insert((&skip.text, 0)).1 += 1;
    }
    let skips: Vec<SkipRow> = by_code
        .into_iter()
        .map(|(code, (text, count))| SkipRow {
            code: code.to_owned(),
            text: text.to_owned(),
            count,
        })
        .collect();
    let skipped = skips.iter().map(|row| row.count).sum();
    let page = IndexPage {
        report,
        before: report.before,
        after: report.after,
        style: STYLE,
        skips,
        skipped,
    };
    page.render().expect("writing to memory does not fail")
}

/// The page of one class.
///
/// # Panics
/// Never: the templates write to memory only.
pub fn class_page(report: &Report, class: &ClassReport) -> String {
    ClassPage {
        report,
        class,
        style: STYLE,
    }
    .render()
    .expect("writing to memory does not fail")
}

/// File name of a class's page; characters that a file system may refuse are replaced.
pub fn class_page_name(class_name: &str) -> String {
    let safe: String = class_name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '.' {
                c
            } else {
                '_'
            }
        })
        .collect();
    format!("{safe}.html")
}

/// The text of `report.json`.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("plain data can be written as JSON")
}

/// `61.2`
fn one(value: f64) -> String {
    format!("{value:.1}")
}

/// `+17.7`
fn gain(before: f64, after: f64) -> String {
    format!("{:+.1}", after - before)
}

/// Class of the style sheet for a line.
fn mark(mark: LineMark) -> &'static str {
    match mark {
        LineMark::None => "none",
        LineMark::Missed => "missed",
        LineMark::Before => "before",
        LineMark::New => "new",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{MethodSkip, SourceLine, WrittenTest};

    fn sample() -> Report {
        let figures = |covered| Figures {
            lines_covered: covered,
            lines: 10,
            branches_covered: 1,
            branches: 4,
        };
        Report {
            schema_version: crate::data::SCHEMA_VERSION,
            project: "a<b>".into(),
            before: Some(figures(5)),
            after: Some(figures(8)),
            classes: vec![ClassReport {
                name: "p.RoadMap".into(),
                tests: vec![WrittenTest {
                    name: "init_completes".into(),
                    text: "if (1 < 2) {}".into(),
                }],
                source: vec![SourceLine {
                    text: "class RoadMap<T> {".into(),
                    mark: LineMark::New,
                }],
                skipped: vec![MethodSkip {
                    method: "go()".into(),
                    code: "S04".into(),
                    text: "no instance".into(),
                }],
                ..ClassReport::default()
            }],
            ..Report::default()
        }
    }

    #[test]
    fn the_first_page_shows_figures_and_escapes_names() {
        let page = index_page(&sample());
        assert!(
            page.contains("a&#60;b&#62;") || page.contains("a&lt;b&gt;"),
            "{page}"
        );
        assert!(page.contains("80.0"));
        assert!(page.contains("+30.0"));
        assert!(page.contains("S04"));
        assert!(page.contains("p.RoadMap.html"));
        assert!(!page.contains("http"), "the page works without a network");
    }

    #[test]
    fn a_class_page_shows_source_and_tests() {
        let report = sample();
        let page = class_page(&report, &report.classes[0]);
        assert!(page.contains("class=\"new\""));
        assert!(!page.contains("RoadMap<T>"), "source is escaped");
        assert!(page.contains("init_completes"));
    }

    #[test]
    fn the_json_has_a_version() {
        let value: serde_json::Value = serde_json::from_str(&json(&sample())).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["classes"][0]["tests"][0]["name"], "init_completes");
    }
}
