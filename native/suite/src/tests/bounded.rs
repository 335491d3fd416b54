//! How much is run to make tests: a bounded number of fresh starts, less where time is short, nothing without polish.

use super::built::{COUNTER, asked, build, build_within, counter};
use super::printed::style;
use crate::testing::subject;
use crate::{Style, TestFramework, print};
use std::collections::BTreeSet;

#[test]
fn the_same_runs_make_the_same_bytes_and_a_bounded_number_of_fresh_starts() {
    let subject = subject(COUNTER);
    let style = style(TestFramework::Junit4, 8);
    let mut scripts = Vec::new();
    for count in 1..40 {
        let mut script = subject.script();
        let full = counter(&mut script, &vec![1; count]);
        asked(&mut script, full, "isFull()Z");
        scripts.push(script);
    }
    let (first, begins) = build(&subject, &style, &scripts);
    let (second, _) = build(&subject, &style, &scripts);
    assert_eq!(
        print(&subject.program, &first, &style),
        print(&subject.program, &second, &style)
    );
    assert!(begins <= 24, "{begins}");
}

#[test]
fn where_time_is_short_the_most_valuable_tests_are_made_and_all_of_them_assert() {
    let subject = subject(COUNTER);
    let style = style(TestFramework::Jupiter, 11);
    let mut scripts = Vec::new();
    for amounts in [&[1][..], &[1, 2], &[1, 2, 3], &[4, 4]] {
        for member in ["isFull()Z", "clear()Z", "share()I", "size()I"] {
            let mut script = subject.script();
            let counter = counter(&mut script, amounts);
            asked(&mut script, counter, member);
            scripts.push(script);
        }
    }
    let within = |most| {
        let (class, _) = build_within(
            most,
            (&subject, "demo/Counter"),
            &style,
            &scripts,
            (None, &[]),
        );
        class
    };
    let all = within(usize::MAX);
    let mut counts = BTreeSet::new();
    for most in (0..300).step_by(7) {
        let class = within(most);
        for test in &class.tests {
            assert!(!test.assertions.is_empty(), "{most}: {}", test.name);
        }
        counts.insert(class.tests.len());
        assert!(class.tests.len() <= all.tests.len(), "{most}");
    }
    assert_eq!(within(100_000), all);
    assert!(
        counts.len() > 2 && counts.contains(&0),
        "{counts:?} of {}",
        all.tests.len()
    );
}

#[test]
fn without_polish_runs_stay_as_they_were_and_nothing_is_run_again() {
    let subject = subject(COUNTER);
    let style = Style {
        is_polished: false,
        ..style(TestFramework::Jupiter, 11)
    };
    let mut script = subject.script();
    let full = counter(&mut script, &[1, 2, 7]);
    asked(&mut script, full, "describe()Ljava/lang/String;");
    asked(&mut script, full, "isFull()Z");
    let (class, begins) = build(&subject, &style, &[script]);
    assert_eq!(begins, 0);
    let [test] = &class.tests[..] else {
        panic!("one run, one test");
    };
    assert_eq!(test.assertions, []);
    let source = print(&subject.program, &class, &style).text;
    assert!(
        source.contains(".add(1);") && source.contains(".add(2);"),
        "{source}"
    );
}
