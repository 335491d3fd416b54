//! What a look at the written tests says where the list of what Palus wrote is not that of the folder.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;

const OTHER: (&str, &str) = (
    "demo/Other.java",
    "package demo; public class Other { public int twice(int a) { return a * 2; } }",
);
const BUDGET: [(&str, &str); 1] = [("budget", "200")];
const RUNS_NEXT: [(&str, &str); 2] = [("budget", "200"), ("testsRunNext", "true")];
const FIVE: &str = "public int fee() { return 5; }";
const SIX: &str = "public int fee() { return 6; }";
const RATES: &str = "RatesPalusTest.java";

/// A class whose method `fee` is this.
fn rates(fee: &str) -> String {
    format!(
        "package demo; public class Rates {{
            {fee}
            public boolean isHigh(int rate) {{ return rate > 40; }}
        }}"
    )
}

fn edit(lab: &mut Lab, fee: &str) {
    lab.edit(&[("demo/Rates.java", &rates(fee)), OTHER]);
}

fn lab() -> Lab {
    let lab = Lab::after_run(&[("demo/Rates.java", &rates(FIVE)), OTHER], &BUDGET);
    assert_eq!(lab.written("demo").len(), 2);
    lab
}

/// Takes the lines of a file out of the list.
fn forget(lab: &Lab, file: &str) {
    let path = lab.at("tests/.palus-manifest");
    let list = std::fs::read_to_string(&path).unwrap();
    let others = list.lines().filter(|line| !line.contains(file));
    let others: Vec<&str> = others.collect();
    std::fs::write(&path, others.join("\n") + "\n").unwrap();
}

#[test]
fn a_changed_behaviour_is_told_by_a_test_that_no_list_names() {
    let mut lab = lab();
    edit(&mut lab, SIX);
    // No list at all, as where it was not committed; and one of another branch.
    forget(&lab, RATES);
    for _ in 0..2 {
        let (said, ended) = lab.compared(&BUDGET);
        let error = ended.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BehaviourChange, "{said}");
        let change = "unlisted  demo.Rates#fee: the test says 5, the code 6; fee_";
        assert!(said.contains(change), "{said}");
        assert!(!said.contains("all pass"), "{said}");
        let which = "1 of them in files that `.palus-manifest` does not list";
        assert!(error.message.contains(which), "{error}");
        assert!(error.hint.contains("commit that list"), "{}", error.hint);
        std::fs::remove_file(lab.at("tests/.palus-manifest")).unwrap_or_default();
    }
    let lenient = [BUDGET[0], ("failOnChange", "false")];
    for _ in 0..2 {
        let (said, ended) = lab.compared(&lenient);
        ended.unwrap();
        assert!(said.contains("1 fails on what the code is now"), "{said}");
    }
    edit(&mut lab, "");
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains("it does not compile"), "{said}");
    edit(&mut lab, FIVE);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
}

#[test]
fn where_the_build_runs_them_next_it_says_whether_unlisted_tests_pass_and_none_counts_as_passed() {
    let mut lab = lab();
    forget(&lab, RATES);
    for fee in [SIX, ""] {
        edit(&mut lab, fee);
        for _ in 0..2 {
            let (said, ended) = lab.compared(&RUNS_NEXT);
            ended.unwrap();
            assert!(!said.contains("all pass"), "{said}");
            let left = "in demo/RatesPalusTest.java do";
            assert!(said.contains(left), "{said}");
            assert!(said.contains("commit that list"), "{said}");
        }
        // Who asks alone is told what changed.
        let (_, ended) = lab.compared(&BUDGET);
        assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    }
}

#[test]
fn a_listed_file_that_is_not_there_is_named_by_every_look_while_its_class_is_there() {
    let mut lab = lab();
    std::fs::remove_file(lab.at("tests/demo").join(RATES)).unwrap();
    edit(&mut lab, SIX);
    let missing = "1 file that `.palus-manifest` lists is not here: demo/RatesPalusTest.java;";
    for _ in 0..2 {
        let (said, ended) = lab.compared(&BUDGET);
        ended.unwrap();
        assert!(said.contains(missing), "{said}");
    }
    // Who deleted the class, too, knows of it.
    lab.edit(&[OTHER]);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(!said.contains("lists is not here"), "{said}");
    // A run that writes tests says so before it writes them anew.
    edit(&mut lab, SIX);
    let said = lab.run(&BUDGET);
    assert!(said.contains(missing), "{said}");
    assert!(lab.written("demo").contains_key(RATES));
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(!said.contains("lists is not here"), "{said}");
    // Where all of the folder is gone, the list is too.
    std::fs::remove_dir_all(lab.at("tests")).unwrap();
    let said = lab.run(&BUDGET);
    assert!(!said.contains("not here"), "{said}");
}

#[test]
fn where_there_is_nothing_to_look_at_a_look_that_is_asked_for_warns() {
    let lab = Lab::new(&[OTHER], &[]);
    let nothing = "no tests of an earlier run in tests, so nothing was compared";
    let warns = |options| {
        let warned: Vec<String> = lab.warned(options);
        warned.iter().any(|text| text.contains(nothing))
    };
    assert!(warns(&BUDGET));
    std::fs::create_dir(lab.at("tests")).unwrap();
    assert!(warns(&BUDGET));
    // The build that runs what there is says what it ran.
    assert!(!warns(&RUNS_NEXT));
}
