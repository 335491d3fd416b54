//! Class files whose names are no names of source text: none of them gets into a test.

use crate::project_lab::Lab;
use std::path::Path;

/// In source text this would be code that runs, not a name; a JVM takes it for one.
const CODE: &str =
    "inc(0) + Integer\\u002egetInteger(\\u0022asked\\u0022) + demo\\u002eCounter\\u002einc";

const SOURCES: &[(&str, &str)] = &[
    (
        "demo/Counter.java",
        "package demo; public class Counter {
          public static int renamed(int n) { return n > 4 ? 1 : 2; }
          public static int inc(int n) { return n + 1; }
        }",
    ),
    (
        "demo/Color.java",
        "package demo; public enum Color { RED, Renamed; public Color next() { return values()[1 - ordinal()]; } }",
    ),
    (
        "demo/Asks.java",
        "package demo; public class Asks {
          public interface Question { int renamed(); }
          public static int ask(Question question) { return question == null ? 0 : question.renamed() + 1; }
        }",
    ),
    (
        "demo/Renamed.java",
        "package demo; public class Renamed { public int two() { return 2 + 0; } }",
    ),
];

/// Puts another text in the place of one of a class file's constants.
fn rename(file: &Path, from: &str, to: &str) {
    let constant = |text: &str| {
        let length = u16::try_from(text.len()).unwrap().to_be_bytes();
        [&[1], &length[..], text.as_bytes()].concat()
    };
    let mut bytes = std::fs::read(file).unwrap();
    let from = constant(from);
    while let Some(at) = bytes.windows(from.len()).position(|part| part == from) {
        bytes.splice(at..at + from.len(), constant(to));
    }
    std::fs::write(file, bytes).unwrap();
}

#[test]
fn what_no_source_can_name_is_in_no_test_and_costs_the_others_nothing() {
    let mut lab = Lab::new(SOURCES, &[]);
    let classes = lab.own_classes("demo");
    rename(&classes.join("Counter.class"), "renamed", CODE);
    rename(&classes.join("Color.class"), "Renamed", CODE);
    rename(&classes.join("Asks.class"), "renamed", CODE);
    rename(&classes.join("Asks$Question.class"), "renamed", CODE);
    rename(
        &classes.join("Renamed.class"),
        "demo/Renamed",
        "demo/Line\nbreak",
    );
    std::fs::rename(
        classes.join("Renamed.class"),
        classes.join("Line\nbreak.class"),
    )
    .unwrap();
    let said = lab.run(&[("budget", "300")]);
    let written = lab.written("demo");
    for class in ["Counter", "Color", "Asks"] {
        let text = &written[&format!("{class}PalusTest.java")];
        // In a text literal its backslashes are doubled.
        assert!(!text.contains(CODE), "{text}");
    }
    assert!(written["CounterPalusTest.java"].contains(".inc("), "{said}");
    assert!(written["ColorPalusTest.java"].contains("RED"), "{said}");
    assert!(
        written["AsksPalusTest.java"].contains("ask(null)"),
        "{said}"
    );
    assert_eq!(written.len(), 3, "{:?}", written.keys());
}

#[test]
fn a_source_elsewhere_is_not_shown() {
    let mut lab = Lab::new(
        &[(
            "demo/Told.java",
            "package demo; public class Told { public int three() { return 3; } }",
        )],
        &[],
    );
    let sources = lab.at("src");
    std::fs::create_dir_all(sources.join("demo")).unwrap();
    std::fs::write(sources.join("secret.txt"), "nobody else reads this\n").unwrap();
    let classes = lab.own_classes("demo");
    let sources = sources.display().to_string();
    let outside = format!("{sources}/secret.txt");
    let mut name = "Told.java".to_owned();
    for elsewhere in ["../secret.txt", &*outside, ".."] {
        rename(&classes.join("Told.class"), &name, elsewhere);
        name = elsewhere.to_owned();
        lab.run(&[("budget", "50"), ("sourceDirectory", &sources)]);
        let page = std::fs::read_to_string(lab.at("report/classes/demo.Told.html")).unwrap();
        assert!(page.contains("three"), "{page}");
        assert!(!page.contains("nobody else"), "{page}");
    }
}
