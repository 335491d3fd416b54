//! What stays of earlier runs, through real workers and a real compiler.

mod project_lab;

use project_lab::Lab;
use std::collections::BTreeMap;

const ADDER: (&str, &str) = (
    "demo/Adder.java",
    "package demo; public class Adder { public int add(int a) { return a + 1; } }",
);
const OTHER: (&str, &str) = (
    "demo/Other.java",
    "package demo; public class Other { public int twice(int a) { return a * 2; } }",
);

/// The written tests by name.
fn on_disk(lab: &Lab) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(lab.at("tests/demo")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let read = |name: String| {
        let text = std::fs::read_to_string(lab.at("tests/demo").join(&name)).unwrap();
        (name, text)
    };
    names.map(read).collect()
}

#[test]
fn narrowing_classes_or_choosing_none_keeps_the_files_of_the_others() {
    let lab = Lab::new(&[ADDER, OTHER], &[]);
    lab.run(&[("budget", "200")]);
    let before = on_disk(&lab);
    assert_eq!(before.len(), 2);
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Adder")]);
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(said.contains("demo/OtherPalusTest.java"), "{said}");
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Missing")]);
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(said.contains("no class with code matches"), "{said}");
    // They are still ours: a whole run replaces them.
    let said = lab.run(&[("budget", "200")]);
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(!said.contains("left alone"), "{said}");
}

#[test]
fn two_runs_at_once_write_one_after_the_other_and_the_files_stay_ours() {
    let lab = Lab::new(&[ADDER, OTHER], &[]);
    let said = std::thread::scope(|scope| {
        let runs = ["3", "4"].map(|seed| {
            let lab = &lab;
            scope.spawn(move || lab.run(&[("budget", "200"), ("seed", seed)]))
        });
        runs.map(|run| run.join().unwrap())
    });
    let waited = said.iter().filter(|said| said.contains("waiting until"));
    assert_eq!(waited.count(), 1, "{said:?}");
    assert_eq!(on_disk(&lab).len(), 2);
    let last = lab.run(&[("budget", "200"), ("seed", "5")]);
    assert!(!last.contains("left alone"), "{last}");
    assert_eq!(on_disk(&lab).len(), 2, "{last}");
}
