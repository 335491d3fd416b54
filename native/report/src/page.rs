//! The pages: askama fills the templates, which are checked when this crate is compiled.

use crate::codes::{Code, DROPS, SKIPS};
use crate::data::{
    BehaviourChange, ClassReport, Figures, LineMark, ReachingTest, Report, SourceLine,
};
use crate::explanation::{Explanations, MethodReport, ModelReport, simple_name};
use crate::fault::{in_words, unnoticed};
use crate::heat_map::{HeatMap, heat_map};
use crate::picture::{Picture, picture};
use crate::protocol_picture::protocol_picture;
use askama::Template;
use askama::filters::Safe;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};

#[derive(Template)]
#[template(path = "index.html")]
struct IndexPage<'a> {
    report: &'a Report,
    before: Option<Figures>,
    after: Option<Figures>,
    style: &'a str,
    script: &'a str,
    rows: Vec<ClassRow<'a>>,
    without_test: u64,
    changes: String,
    unsafe_uses: bool,
    picture_style: &'a str,
}

/// A row of the list of classes.
struct ClassRow<'a> {
    class: &'a ClassReport,
    /// Branches that no test reaches.
    left: u32,
    /// Branches that only written tests reach.
    gained: u32,
    /// Faults that no test of the class notices; none where none were tried.
    unnoticed: Option<u64>,
    findings: usize,
}

#[derive(Template)]
#[template(path = "class.html")]
struct ClassPage<'a> {
    report: &'a Report,
    class: &'a ClassReport,
    models: Vec<Drawn<'a>>,
    heat: HeatMap,
    methods: Vec<MethodRow<'a>>,
}

#[derive(Template)]
#[template(path = "codes.html")]
struct CodesPage<'a> {
    report: &'a Report,
    style: &'a str,
    skips: &'a [Code],
    drops: &'a [Code],
}

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesSection<'a> {
    changes: &'a [BehaviourChange],
}

/// A model with its picture.
struct Drawn<'a> {
    model: &'a ModelReport,
    picture: Picture,
    has_nested: bool,
    has_states: bool,
}

/// A test as a row names it.
struct TestLink {
    text: String,
    /// Where its text is; empty if on no page.
    target: String,
}

/// A row of the method table.
struct MethodRow<'a> {
    text: String,
    method: &'a MethodReport,
    tests: Vec<TestLink>,
    more: usize,
    skip: Option<&'static Code>,
    /// Why candidates were dropped, each reason once.
    dropped: BTreeSet<&'a str>,
}

const STYLE: &str = include_str!("../templates/style.css");
const CLASSES_SCRIPT: &str = include_str!("../templates/classes.js");
const PICTURE_STYLE: &str = include_str!("../templates/picture.css");

/// The files that all pages of classes share: their names beside the first page, and their text.
pub const CLASS_FILES: [(&str, &str); 3] = [
    ("style.css", STYLE),
    ("picture.css", PICTURE_STYLE),
    ("picture.js", include_str!("../templates/picture.js")),
];

/// Where the section of changed behaviour begins on the first page, and where it ends: it can be exchanged.
const CHANGES: [&str; 2] = [
    "<!-- behaviour changes -->",
    "<!-- end of behaviour changes -->",
];

/// Tests named in a row of the method table.
const TESTS_IN_ROW: usize = 4;

/// The first page.
///
/// # Panics
/// Never: the templates write to memory only.
pub fn index_page(report: &Report) -> String {
    let page = IndexPage {
        report,
        before: report.before,
        after: report.after,
        style: STYLE,
        script: CLASSES_SCRIPT,
        rows: class_rows(report),
        without_test: report.without_test.iter().map(|row| row.count).sum(),
        changes: changes_section(&report.behaviour_changes),
        unsafe_uses: report.findings.iter().any(|one| one.unsafe_use.is_some()),
        picture_style: PICTURE_STYLE,
    };
    page.render().expect("writing to memory does not fail")
}

/// What is left to cover first, as somebody who looks for work sorts them.
fn class_rows(report: &Report) -> Vec<ClassRow<'_>> {
    let mut findings: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &report.findings {
        *findings.entry(outermost(&finding.class)).or_default() += 1;
    }
    let rows = report.classes.iter().map(|class| {
        let before = class.before.unwrap_or_default().branches_covered;
        let after = class.after.unwrap_or_default();
        ClassRow {
            class,
            left: after.branches.saturating_sub(after.branches_covered),
            gained: after.branches_covered.saturating_sub(before),
            unnoticed: (class.mutants.as_ref())
                .map(|mutants| mutants.made.saturating_sub(mutants.killed)),
            findings: findings.get(class.name.as_str()).copied().unwrap_or(0),
        }
    });
    let mut rows: Vec<ClassRow<'_>> = rows.collect();
    rows.sort_by(|one, other| (other.left, &one.class.name).cmp(&(one.left, &other.class.name)));
    rows
}

/// `demo.Account` of `demo.Account$Entry`
fn outermost(class: &str) -> &str {
    class.split('$').next().unwrap_or(class)
}

/// The section of the first page that shows what changed.
fn changes_section(changes: &[BehaviourChange]) -> String {
    let section = ChangesSection { changes }.render();
    let section = section.expect("writing to memory does not fail");
    let [begin, end] = CHANGES;
    format!("{begin}{section}{end}")
}

/// A first page with other changes in it; none where it has no place for them.
pub(crate) fn exchange_changes(page: &str, changes: &[BehaviourChange]) -> Option<String> {
    let [begin, end] = CHANGES;
    let (before, rest) = page.split_once(begin)?;
    let (_, after) = rest.split_once(end)?;
    Some(format!("{before}{}{after}", changes_section(changes)))
}

/// The page of one class.
///
/// # Panics
/// Never: the templates write to memory only.
pub fn class_page(report: &Report, class: &ClassReport, explanations: &Explanations) -> String {
    let nested = format!("{}$", class.name);
    let is_here = |name: &str| name == class.name || name.starts_with(&nested);
    let methods: Vec<(String, MethodReport)> = explanations
        .classes
        .iter()
        .filter(|one| is_here(&one.name))
        .flat_map(|one| {
            let methods = one.methods.iter().cloned();
            methods.map(|method| (one.name.clone(), method))
        })
        .collect();
    let models = explanations
        .models
        .iter()
        .filter(|model| is_here(&model.class))
        .map(drawn)
        .collect();
    ClassPage {
        report,
        class,
        models,
        heat: heat_map(&class.name, &methods),
        methods: methods
            .iter()
            .map(|(owner, method)| method_row(report, &class.name, owner, method))
            .collect(),
    }
    .render()
    .expect("writing to memory does not fail")
}

/// The page that says what each code means and what to do.
///
/// # Panics
/// Never: the template writes to memory only.
pub fn codes_page(report: &Report) -> String {
    CodesPage {
        report,
        style: STYLE,
        skips: SKIPS,
        drops: DROPS,
    }
    .render()
    .expect("writing to memory does not fail")
}

fn drawn(model: &ModelReport) -> Drawn<'_> {
    Drawn {
        model,
        picture: picture(model),
        has_nested: model.edges.iter().any(|edge| edge.is_nested),
        has_states: !model.dependences.is_empty(),
    }
}

fn method_row<'a>(
    report: &Report,
    class: &str,
    owner: &str,
    method: &'a MethodReport,
) -> MethodRow<'a> {
    let shown = method.tests.len().min(TESTS_IN_ROW);
    let inner = owner.strip_prefix(class).unwrap_or(owner);
    MethodRow {
        text: if inner.is_empty() {
            method.method.clone()
        } else {
            format!("{}.{}", nested_name(inner), method.method)
        },
        method,
        tests: method.tests[..shown]
            .iter()
            .map(|test| test_link(report, class, test))
            .collect(),
        more: method.tests.len() - shown,
        skip: method.skip.as_deref().and_then(crate::codes::code),
        dropped: method.drops.iter().map(|drop| drop.code.as_str()).collect(),
    }
}

/// Whether any line says which tests reach it.
fn has_reached(class: &ClassReport) -> bool {
    class.source.iter().any(|line| !line.tests.is_empty())
}

/// How many tests reach a line.
fn reached_by(line: &SourceLine) -> u64 {
    line.tests.len() as u64 + line.more
}

/// A test that reaches a line, as seen from the page of a class.
fn reaching(class: &str, test: &ReachingTest) -> TestLink {
    let ReachingTest { class: owner, name } = test;
    if owner == class {
        return TestLink {
            text: name.clone(),
            target: format!("#{name}"),
        };
    }
    TestLink {
        text: format!("{}PalusTest.{name}", simple_name(owner)),
        target: format!("{}#{name}", class_page_name(owner)),
    }
}

/// `Entry.Key` of `$Entry$Key`; a class without a name, `$1`, keeps its sign.
fn nested_name(inner: &str) -> String {
    let names = inner.trim_start_matches('$').split('$');
    let names: Vec<String> = names
        .map(|name| {
            let is_anonymous = name.starts_with(|c: char| c.is_ascii_digit());
            format!("{}{name}", if is_anonymous { "$" } else { "" })
        })
        .collect();
    names.join(".")
}

/// `AccountPalusTest#deposit_completes` as seen from the page of a class.
fn test_link(report: &Report, class: &str, test: &str) -> TestLink {
    let (test_class, name) = test.split_once('#').unwrap_or(("", test));
    let has_it = |other: &&ClassReport| {
        let simple = simple_name(&other.name);
        let is_its = test_class
            .strip_prefix(simple)
            .is_some_and(|rest| rest.starts_with("PalusTest"));
        is_its && other.tests.iter().any(|written| written.name == name)
    };
    match report.classes.iter().find(has_it) {
        Some(own) if own.name == class => TestLink {
            text: name.to_owned(),
            target: format!("#{name}"),
        },
        Some(other) => TestLink {
            text: format!("{test_class}.{name}"),
            target: format!("{}#{name}", class_page_name(&other.name)),
        },
        None => TestLink {
            text: format!("{test_class}.{name}"),
            target: String::new(),
        },
    }
}

/// What a file system takes as a name, with room for an ending.
const LONGEST_NAME: usize = 200;

/// File name of a class's page: `$` stands as `_`, and what else a file system may refuse as its number between `-`, which
/// stands for nothing else, so that no two classes have one page.
pub fn class_page_name(class_name: &str) -> String {
    let mut safe = String::new();
    for letter in class_name.chars() {
        match letter {
            '$' => safe.push('_'),
            _ if letter.is_ascii_alphanumeric() || letter == '.' => safe.push(letter),
            _ => {
                let _ = write!(safe, "-{:x}-", u32::from(letter));
            }
        }
    }
    if safe.len() > LONGEST_NAME {
        let mut hasher = DefaultHasher::new();
        class_name.hash(&mut hasher);
        safe.truncate(LONGEST_NAME);
        let _ = write!(safe, "_{:x}_", hasher.finish());
    }
    format!("{safe}.html")
}

/// The text of `report.json`.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn json(report: &Report) -> String {
    serde_json::to_string_pretty(report).expect("plain data can be written as JSON")
}

/// `com.acme.`
fn package(class: &str) -> &str {
    class.rfind('.').map_or("", |dot| &class[..=dot])
}

/// `Account` of `com.acme.Account`
fn below_package(class: &str) -> &str {
    &class[package(class).len()..]
}

/// `61.2`
fn one(value: f64) -> String {
    format!("{value:.1}")
}

/// `+17.7`
fn gain(before: f64, after: f64) -> String {
    format!("{:+.1}", after - before)
}

/// `0.333`
fn weight(value: f64) -> String {
    format!("{value:.3}")
}

/// Class of the style sheet for a line, as an attribute.
fn mark(mark: LineMark) -> Safe<&'static str> {
    Safe(match mark {
        LineMark::None => "",
        LineMark::Missed => " class=\"missed\"",
        LineMark::Before => " class=\"before\"",
        LineMark::New => " class=\"new\"",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::FindingReport;
    use crate::data::{MutantReport, Survivor, WithoutTest, WrittenTest};
    use crate::explanation::{ClassExplanation, DroppedTest, EdgeReport, ObjectsReport};

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
                    tests: Vec::new(),
                    more: 0,
                }],
                ..ClassReport::default()
            }],
            without_test: vec![WithoutTest {
                code: "S04".into(),
                text: "no instance".into(),
                count: 3,
            }],
            ..Report::default()
        }
    }

    #[test]
    fn two_classes_never_have_one_page() {
        let name = class_page_name;
        assert_eq!(name("demo.Outer$Inner"), "demo.Outer_Inner.html");
        assert_eq!(name("demo.Gr\u{f6}\u{df}e"), "demo.Gr-f6--df-e.html");
        assert_ne!(name("demo.Gr\u{fc}n"), name("demo.Gr\u{f6}n"));
        assert_ne!(name("demo.A_B"), name("demo.A$B"));
        assert_ne!(name("demo.A\u{f6}"), name("demo.A$f6$"));
        assert_ne!(name("demo.A\u{f6}"), name("demo.A-f6-"));
        let long = |end: &str| name(&format!("demo.{}{end}", "a".repeat(300)));
        assert!(long("b").len() < 255);
        assert_ne!(long("b"), long("c"));
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
    fn classes_with_most_branches_left_stand_first_and_rows_say_what_they_are_chosen_by() {
        let class = |name: &str, covered, before| ClassReport {
            name: name.to_owned(),
            before: Some(Figures {
                branches_covered: before,
                branches: 9,
                ..Figures::default()
            }),
            after: Some(Figures {
                branches_covered: covered,
                branches: 9,
                ..Figures::default()
            }),
            ..ClassReport::default()
        };
        let report = Report {
            classes: vec![class("p.A", 9, 4), class("p.B", 2, 2), class("p.C", 9, 9)],
            findings: vec![FindingReport {
                class: "p.C$Entry".into(),
                ..FindingReport::default()
            }],
            ..Report::default()
        };
        let rows = class_rows(&report);
        let rows: Vec<_> = rows
            .iter()
            .map(|row| (row.class.name.as_str(), row.left, row.gained, row.findings))
            .collect();
        assert_eq!(rows, [("p.B", 7, 0, 0), ("p.A", 0, 5, 0), ("p.C", 0, 0, 1)]);
        let page = index_page(&report);
        assert!(page.contains("data-name=\"p.B\" data-left=\"7\""), "{page}");
    }

    #[test]
    fn a_line_names_some_of_the_tests_that_reach_it_and_leads_to_them() {
        let mut report = sample();
        let test = |class: &str, name: &str| ReachingTest {
            class: class.into(),
            name: name.into(),
        };
        let line = &mut report.classes[0].source[0];
        line.tests = vec![test("p.RoadMap", "init_completes"), test("p.Way$To", "go")];
        line.more = 3;
        let page = class_page(&report, &report.classes[0], &explanations());
        let (_, source) = page.split_once("<div class=\"source\">").unwrap();
        for part in [
            "<details class=\"new\"><summary data-tests=\"5\" title=\"5 tests\">class RoadMap",
            "<a href=\"#init_completes\">init_completes</a>, ",
            "<a href=\"p.Way_To.html#go\">To",
            "PalusTest.go</a> and 3 more</p></details>",
        ] {
            assert!(source.contains(part), "{part}: {source}");
        }
        assert!(page.contains("<pre id=\"init_completes\">"), "{page}");
        report.classes[0].source[0].tests.truncate(1);
        report.classes[0].source[0].more = 0;
        let page = class_page(&report, &report.classes[0], &explanations());
        assert!(page.contains("title=\"1 test\""), "{page}");
        assert!(!page.contains("more</p>"), "{page}");
    }

    #[test]
    fn a_class_page_shows_source_and_tests() {
        let report = sample();
        let page = class_page(&report, &report.classes[0], &explanations());
        assert!(page.contains("class=\"new\""));
        assert!(!page.contains("RoadMap<T>"), "source is escaped");
        assert!(page.contains("init_completes"));
    }

    #[test]
    fn a_class_page_says_in_words_which_faults_no_test_notices_and_the_json_has_their_names() {
        let mut report = sample();
        report.classes[0].mutants = Some(MutantReport {
            survivors: vec![Survivor {
                operator: "EXPERIMENTAL_MEMBER_VARIABLE".into(),
                detail: "title".into(),
                ..Survivor::default()
            }],
            unreached: vec![Survivor {
                operator: "INVERT_NEGS".into(),
                ..Survivor::default()
            }],
            ..MutantReport::default()
        });
        let page = class_page(&report, &report.classes[0], &explanations());
        assert!(page.contains("the value is not stored in the field title"));
        assert!(!page.contains("MEMBER_VARIABLE"), "{page}");
        let apart = page.split("No test comes to: 1").collect::<Vec<_>>();
        assert!(apart[0].contains("Not noticed: 1") && apart[1].contains("the minus sign"));
        let value: serde_json::Value = serde_json::from_str(&json(&report)).unwrap();
        let survivor = &value["classes"][0]["mutants"]["survivors"][0];
        assert_eq!(survivor["operator"], "EXPERIMENTAL_MEMBER_VARIABLE");
        assert_eq!(survivor["detail"], "title");
    }

    #[test]
    fn a_class_page_names_each_reason_for_a_dropped_test_of_a_method_once() {
        let report = sample();
        let page = class_page(&report, &report.classes[0], &explanations());
        let reason = "<a href=\"../codes.html#harms-elsewhere\">harms-elsewhere</a>";
        let expected = format!("2 dropped while verifying: {reason}</span>");
        assert!(page.contains(&expected), "{page}");
    }

    fn dropped(code: &str) -> DroppedTest {
        DroppedTest {
            code: code.to_owned(),
            ..DroppedTest::default()
        }
    }

    fn explanations() -> Explanations {
        Explanations {
            classes: vec![ClassExplanation {
                name: "p.RoadMap".into(),
                objects: ObjectsReport::default(),
                methods: vec![
                    MethodReport {
                        method: "init()".into(),
                        tests: vec!["RoadMapPalusTest#init_completes".into()],
                        drops: vec![dropped("harms-elsewhere"), dropped("harms-elsewhere")],
                        dependences: vec![("p.RoadMap#go(List<X>)".into(), 1.0)],
                        ..MethodReport::default()
                    },
                    MethodReport {
                        method: "go(List)".into(),
                        skip: Some("S04".into()),
                        missing: vec!["Connection".into()],
                        ..MethodReport::default()
                    },
                ],
            }],
            models: vec![ModelReport {
                class: "p.RoadMap".into(),
                nodes: 2,
                objects: 1,
                calls: 1,
                covered: 0,
                edges: vec![EdgeReport {
                    target: 1,
                    label: "new RoadMap".into(),
                    count: 1,
                    ..EdgeReport::default()
                }],
                dependences: Vec::new(),
            }],
            ..Explanations::default()
        }
    }

    #[test]
    fn a_class_page_has_the_model_the_heat_map_and_a_row_per_method() {
        let report = sample();
        let page = class_page(&report, &report.classes[0], &explanations());
        assert!(page.contains("<svg class=\"model\""));
        assert!(page.contains("new RoadMap"));
        assert!(page.contains("href=\"#init_completes\""), "{page}");
        assert!(page.contains("href=\"../codes.html#S04\""));
        assert!(page.contains("Connection"));
        assert!(page.contains("--w:1.00"), "the heat map's cell");
        assert!(!page.contains("List<X>"), "names are escaped");
        assert!(!page.contains("http"), "the page works without a network");
    }

    #[test]
    fn nested_classes_are_named_as_in_source() {
        assert_eq!(nested_name("$Entry$Key"), "Entry.Key");
        assert_eq!(nested_name("$Entry$1"), "Entry.$1");
    }

    #[test]
    fn every_code_has_a_section_in_the_report_itself() {
        let page = codes_page(&sample());
        for code in SKIPS.iter().chain(DROPS) {
            assert!(page.contains(&format!("id=\"{}\"", code.code)));
        }
        assert!(index_page(&sample()).contains("href=\"codes.html#S04\""));
    }

    #[test]
    fn the_json_has_a_version() {
        let value: serde_json::Value = serde_json::from_str(&json(&sample())).unwrap();
        assert_eq!(value["schema_version"], 1);
        assert_eq!(value["classes"][0]["tests"][0]["name"], "init_completes");
    }
}
