//! Hard inputs: each class of the sample has branches that only some kind of input opens.
//!
//! What such a branch returns begins with `reached`. A test that the run wrote, compiled and ran twice has to assert it.

mod project_lab;

use project_lab::{Lab, borrowed, sources};
use std::collections::BTreeSet;

/// String literals of Java text that begin with `reached`.
fn reached(text: &str) -> BTreeSet<&str> {
    let literals = text.split('"').filter(|part| part.starts_with("reached "));
    literals.collect()
}

#[test]
fn each_kind_of_input_opens_its_branches() {
    let sources = sources("hard-inputs", "inputs");
    let lab = Lab::at_level(17, &borrowed(&sources), &[]);
    let said = lab.run(&[("budget", "10000"), ("seed", "1")]);
    let mut missed = Vec::new();
    for (name, source) in &sources {
        let file = name.replace(".java", "PalusTest.java");
        let tests = std::fs::read_to_string(lab.at("tests").join(file)).unwrap_or_default();
        for word in reached(source) {
            if !tests.contains(&format!("assertEquals(\"{word}\", ")) {
                missed.push(format!("{name}: {word}"));
            }
        }
    }
        std::fs::remove_dir_all(&folder).ok();
        std::process::Command::new("cp")
            .arg("-r")
            .arg(lab.at("tests"))
            .arg(&folder)
            .status()
            .unwrap();
    }
    assert!(missed.is_empty(), "{missed:#?}\n{said}");
}
