//! The table of attacks in the docs: every row names a test that there is, and no row stands twice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the table must hold at least, by heading.
const LEAST: &[(&str, usize)] = &[
    ("Files", 20),
    ("Network", 10),
    ("Processes", 6),
    ("Memory and threads", 8),
    ("Descriptors and output", 5),
    ("Names and paths", 6),
    ("Builds interrupted or doubled", 8),
    ("Tracing", 6),
    ("Secrets", 6),
];

/// One row: attack or fault, what happens, test.
type Row = [String; 3];

fn table() -> BTreeMap<String, Vec<Row>> {
    let text = std::fs::read_to_string(root().join("docs/attacks.md")).unwrap();
    let mut table: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    let mut heading = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## ") {
            name.clone_into(&mut heading);
        } else if line.starts_with("| ") && !line.starts_with("| attack or fault") {
            let cells: Vec<String> = line
                .trim_matches('|')
                .split(" | ")
                .map(|cell| cell.trim().to_owned())
                .collect();
            let row = Row::try_from(cells).unwrap_or_else(|_| panic!("not three cells: {line}"));
            table.entry(heading.clone()).or_default().push(row);
        }
    }
    table
}

/// Whether a source has a test of this name that runs: not one that is commented out, ignored or disabled.
fn has_test(source: &str, name: &str) -> bool {
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    let starts = ["fn", "void", "public void", "async fn"].map(|kind| format!("{kind} {name}("));
    let is_its = |line: &&str| starts.iter().any(|start| line.starts_with(start));
    let Some(at) = lines.iter().position(is_its) else {
        return false;
    };
    let before = lines[..at].iter().rev();
    let above: Vec<&str> = before
        .take_while(|line| !line.is_empty() && !line.ends_with(['{', '}']))
        .copied()
        .collect();
    let jupiters = "@org.junit.jupiter.api.Test"; // beside a Test of Gradle
    let runs = [
        "#[test]",
        "@Test",
        jupiters,
        "@ParameterizedTest",
        "@TestFactory",
    ];
    let is_off = |line: &&str| {
        line.starts_with("#[ignore") || line.starts_with("@Disabled(") || *line == "@Disabled"
    };
    above
        .iter()
        .any(|line| runs.iter().any(|word| line.starts_with(word)))
        && !above.iter().any(is_off)
}

#[test]
fn a_test_that_does_not_run_is_none() {
    assert!(has_test("#[test]\nfn runs() {", "runs"));
    assert!(has_test(
        "  /** Says. */\n  @Test\n  void runs() throws Exception {",
        "runs"
    ));
    for none in [
        "fn runs() {",
        "// #[test]\n// fn runs() {",
        "#[test]\n#[ignore = \"slow\"]\nfn runs() {",
        "@Test\n@Disabled\nvoid runs() {",
        "#[test]\nfn other() {\n}\nfn runs() {",
    ] {
        assert!(!has_test(none, "runs"), "{none}");
    }
}

#[test]
fn every_row_names_a_test_that_there_is() {
    let mut missing = Vec::new();
    for row in table().into_values().flatten() {
        let name = row[2].trim_matches('`');
        let found = name.split_once("::").is_some_and(|(file, test)| {
            std::fs::read_to_string(root().join(file)).is_ok_and(|text| has_test(&text, test))
        });
        if !found {
            missing.push(name.to_owned());
        }
    }
    assert!(missing.is_empty(), "no such test: {missing:#?}");
}

#[test]
fn no_attack_stands_twice_and_each_kind_has_enough() {
    let table = table();
    let mut seen = BTreeSet::new();
    for row in table.values().flatten() {
        assert!(seen.insert(row[0].clone()), "twice: {}", row[0]);
    }
    let known: BTreeSet<&str> = LEAST.iter().map(|(heading, _)| *heading).collect();
    for heading in table.keys() {
        assert!(
            known.contains(heading.as_str()),
            "unknown heading {heading}"
        );
    }
    for (heading, least) in LEAST {
        let rows = table.get(*heading).map_or(0, Vec::len);
        assert!(rows >= *least, "{heading}: {rows} rows of {least}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}
