//! Hard inputs: each class of the sample has branches that only some kind of input opens.
//!
//! What such a branch returns begins with `reached`. A test that the run wrote, compiled and ran twice has to assert it.

use crate::project_lab::{Lab, borrowed, sources};
use std::collections::BTreeSet;

const MANUAL: &str = include_str!("../../../docs/manual.md");

/// Code of the second column of the manual's table of inputs.
fn shown() -> Vec<&'static str> {
    let (_, section) = MANUAL.split_once("\n## Inputs\n").unwrap();
    let (section, _) = section.split_once("\n## ").unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| "));
    let written = rows.skip(1).filter_map(|row| row.split(" | ").nth(1));
    written
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect()
}

/// True if a line of the text has the parts of the pattern one after the other; `…` stands between them.
fn is_written(text: &str, pattern: &str) -> bool {
    text.lines().any(|line| {
        let mut parts = pattern.split('…');
        parts
            .try_fold(line, |rest, part| Some(rest.split_once(part)?.1))
            .is_some()
    })
}

/// String literals of Java text that begin with `reached`.
fn reached(text: &str) -> BTreeSet<&str> {
    let literals = text.split('"').filter(|part| part.starts_with("reached "));
    literals.collect()
}

#[test]
fn each_kind_of_input_opens_its_branches_and_looks_as_the_manual_says() {
    let sources = sources("hard-inputs", "inputs");
    let lab = Lab::at_level(17, &borrowed(&sources), &[]);
    let said = lab.run(&[("budget", "10000"), ("seed", "1")]);
    let mut missed = Vec::new();
    let mut all = String::new();
    for (name, source) in &sources {
        let file = name.replace(".java", "PalusTest.java");
        let tests = std::fs::read_to_string(lab.at("tests").join(file)).unwrap_or_default();
        all.push_str(&tests);
        for word in reached(source) {
            if !tests.contains(&format!("assertEquals(\"{word}\", ")) {
                missed.push(format!("{name}: {word}"));
            }
        }
    }
    let shown = shown();
    assert!(shown.len() > 15, "{shown:?}");
    let unwritten = shown
        .into_iter()
        .filter(|&pattern| !is_written(&all, pattern));
    missed.extend(unwritten.map(|pattern| format!("the manual: {pattern}")));
    assert!(missed.is_empty(), "{missed:#?}\n{said}");
}
