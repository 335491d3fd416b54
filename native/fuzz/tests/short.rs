//! The short run that each check has, and that the fuzzer itself can find something.

use palus_fuzz::{Target, run, targets};

#[test]
fn no_reader_panics_on_damaged_input() {
    for target in targets() {
        let figures = run(&target, 20_000, 1);
        let figures = figures.unwrap_or_else(|input| panic!("{}: {input:02x?}", target.name));
        assert!(figures.executions == 20_000, "{}", target.name);
        assert!(figures.accepted < figures.executions, "{}", target.name);
    }
}

#[test]
fn good_class_files_traces_and_caches_are_taken() {
    for target in targets() {
        if ["class files", "traces", "caches of models"].contains(&target.name) {
            assert!((target.read)(&target.seeds[0]), "{}", target.name);
        }
    }
}

#[test]
fn a_reader_that_panics_is_found() {
    let bad = Target {
        name: "a reader with a defect",
        seeds: vec![vec![1, 2, 3, 4]],
        read: |bytes| bytes[3] > 0,
    };
    assert!(run(&bad, 1_000, 1).is_err());
}
