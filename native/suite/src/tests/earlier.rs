//! Tests of an earlier run beside new ones: written, compiled, read back and written again.

use super::built::{COUNTER, asked, build_within, counter};
use super::printed::style;
use crate::read_back::tests::read;
use crate::testing::{Script, Subject, subject};
use crate::{ReadTest, TestFramework, print};

/// The text of the class, by scripts and what was there before with its text.
fn written(subject: &Subject, scripts: &[Script<'_>], before: (&str, &[ReadTest])) -> String {
    let style = style(TestFramework::Jupiter, 11);
    let body = |text: &str| text.split_once("() {").map(|(_, body)| body.to_owned());
    let known = |text: &str| {
        let tests = before.0.split("  @Test\n").skip(1);
        let mut same = tests.filter(|test| {
            let test = test.split("\n  }\n").next();
            test.and_then(body) == text.strip_suffix("\n  }").and_then(body)
        });
        let name = same.next()?.split_once("() {")?.0;
        name.strip_prefix("  void ").map(str::to_owned)
    };
    let (class, _) = build_within(
        usize::MAX,
        (subject, "demo/Counter"),
        &style,
        scripts,
        (Some(&known), before.1),
    );
    print(&subject.program, &class, &style).text
}

fn many(subject: &Subject) -> Vec<Script<'_>> {
    let mut full = subject.script();
    let filled = counter(&mut full, &[1, 2, 7]);
    asked(&mut full, filled, "isFull()Z");
    asked(&mut full, filled, "clear()Z");
    let mut negative = subject.script();
    counter(&mut negative, &[3, -1]);
    vec![full, negative]
}

#[test]
fn tests_that_were_written_are_written_again() {
    let subject = subject(COUNTER);
    let first = written(&subject, &many(&subject), ("", &[]));
    let earlier = read(&subject, "demo/CounterPalusTest", &first);
    assert_eq!(earlier.len(), first.matches("@Test").count(), "{first}");
    // Whether anything finds them again or not.
    assert_eq!(written(&subject, &[], (&first, &earlier)), first);
    let again = written(&subject, &many(&subject), (&first, &earlier));
    assert_eq!(again, first);
}

#[test]
fn what_is_new_comes_beside_them_and_takes_nobodys_name() {
    let subject = subject(COUNTER);
    let mut few = many(&subject);
    let negative = few.split_off(1);
    let first = written(&subject, &few, ("", &[]));
    // Somebody gave it a name.
    let (old, new) = (
        "clear_onNewCounter_returnsFalse",
        "add_withNegative_throwsIllegalArgument",
    );
    assert!(first.contains(old), "{first}");
    let first = first.replace(old, new);
    let earlier = read(&subject, "demo/CounterPalusTest", &first);
    let both = written(&subject, &negative, (&first, &earlier));
    let tests = |text: &str| -> Vec<String> {
        let tests = text.split("  @Test\n").skip(1);
        tests
            .map(|test| test.trim_end_matches(['}', '\n', ' ']).to_owned())
            .collect()
    };
    let (first, both) = (tests(&first), tests(&both));
    assert_eq!(both.len(), first.len() + 1, "{both:?}");
    assert!(first.iter().all(|test| both.contains(test)), "{both:?}");
}

#[test]
fn a_test_that_ends_otherwise_now_or_says_something_else_is_no_earlier_one() {
    let subject = subject(COUNTER);
    let text = "package demo;\n\nimport static org.junit.jupiter.api.Assertions.*;\n\nimport org.junit.jupiter.api.Test;\n\n\
        class CounterPalusTest {\n  @Test\n  void add_throws() {\n    Counter counter = new Counter();\n\n    \
        assertThrows(RuntimeException.class, () -> counter.add(1));\n  }\n}\n";
    let earlier = read(&subject, "demo/CounterPalusTest", text);
    assert_eq!(earlier.len(), 1);
    let now = written(&subject, &[], (text, &earlier));
    assert!(
        !now.contains("assertThrows") && !now.contains("add_throws"),
        "{now}"
    );
}
