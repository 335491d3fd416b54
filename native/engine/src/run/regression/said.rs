//! What a failing test says of the code: which method it is about, what was so before and what is so now.
//!
//! Comes in: the name and text of a test, the line that failed, what the failure or the compiler says. Goes out: the words
//! for the console and the report.
//! Does not know: how the test was run.

use super::blame::Blame;
use crate::verify::DropReason;
use crate::verify::toolchain::CompileError;
use palus_suite::Now;
use std::borrow::Cow;

/// The end of the name of each class of written tests.
const TEST_CLASS: &str = "PalusTest";

/// Of what ended, or ends, without an exception.
const THROWS_NOTHING: &str = "throws nothing";

/// What was so before and what is so now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Values {
    pub(super) before: String,
    pub(super) now: String,
}

/// The method that a test is about, by its name, `{method}_{when}_{then}`, and by what it calls.
pub(super) fn method<'t>(class: &str, name: &'t str, text: &str) -> &'t str {
    let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
    let ends = name.match_indices('_').map(|(at, _)| at);
    let mut fronts = ends.chain([name.len()]).map(|end| &name[..end]).rev();
    // The longest one that is called: a name may have such a character itself.
    let called = fronts.find(|front| text.contains(&format!(".{front}(")));
    let first = name.split('_').next().unwrap_or(name);
    let front = called.unwrap_or(first);
    match front.strip_prefix("new") {
        Some(made) if made == simple => made,
        _ => front,
    }
}

/// The values that a failure names; `source` is the line of the test that failed, where that is known.
pub(super) fn values(reason: DropReason, text: &str, source: &str) -> Values {
    let values = |before: &str, now: &str| Values {
        before: before.to_owned(),
        now: now.to_owned(),
    };
    match reason {
        DropReason::TimesOut => return values("it ended", "it does not end in time"),
        DropReason::KillsTheJvm if text.is_empty() => {
            return values("it ended", "it ends the JVM");
        }
        DropReason::KillsTheJvm => return values("it ended", text),
        _ => {}
    }
    let (thrown, message) = text.split_once(": ").unwrap_or((text, ""));
    if !is_assertion(thrown, source) {
        let (before, now) = if text.starts_with("it ") {
            ("it ended without an exception", text.to_owned())
        } else {
            (THROWS_NOTHING, format!("throws {text}"))
        };
        return values(before, &now);
    }
    if let Some(values) = lengths(message) {
        return values;
    }
    if let Some((before, now)) = expected(message) {
        // Of one element; the others may have changed, too.
        return match element(message) {
            Some(at) => values(
                &format!("{} at {at}", shown(before)),
                &format!("{} at {at}", shown(now)),
            ),
            None => values(&shown(before), &shown(now)),
        };
    }
    if let Some((before, now)) = opposite(source) {
        return values(before, now);
    }
    if message.contains("nothing was thrown") || source.starts_with("fail(") {
        let before =
            awaited(source).map_or_else(|| source.to_owned(), |one| format!("throws {one}"));
        return values(&before, THROWS_NOTHING);
    }
    values(source, if message.is_empty() { text } else { message })
}

/// What was seen in place of what a line asserts, as far as a value can be written by its text.
pub(super) fn now<'t>(text: &'t str, source: &str) -> Option<Now<'t>> {
    const OTHER_EXCEPTION: &str = "nexpected exception type thrown";
    let (thrown, message) = text.split_once(": ").unwrap_or((text, ""));
    if !is_assertion(thrown, source) || lengths(message).is_some() {
        return None;
    }
    if let Some((_, now)) = expected(message) {
        let is_thrown = message
            .trim_start_matches(['U', 'u'])
            .starts_with(OTHER_EXCEPTION);
        return match (is_thrown, element(message)) {
            (true, _) => Some(Now::Throws(now)),
            (false, None) => Some(Now::Value(now)),
            (false, Some(_)) => None,
        };
    }
    opposite(source).map(|(_, now)| Now::Value(now))
}

/// Whether a failure is that of an assertion, by its class and by the line, where that is known: the code under test may throw
/// the like.
fn is_assertion(thrown: &str, source: &str) -> bool {
    let asserts = source.contains("assert") || source.contains("fail(");
    let is_of_one = [
        "AssertionError",
        "AssertionFailedError",
        "ComparisonFailure",
        "MultipleFailuresError",
    ]
    .iter()
    .any(|end| thrown.ends_with(end));
    is_of_one && (source.is_empty() || asserts)
}

/// What a failing line asserts, and what is so: where there is no third.
fn opposite(source: &str) -> Option<(&'static str, &'static str)> {
    [
        ("assertTrue(", "true", "false"),
        ("assertFalse(", "false", "true"),
        ("assertNotNull(", "not null", "null"),
    ]
    .into_iter()
    .find_map(|(call, before, now)| source.starts_with(call).then_some((before, now)))
}

/// `5` and `6` of `expected: <5> but was: <6>`, in the ways of JUnit 4 and Jupiter.
fn expected(message: &str) -> Option<(&str, &str)> {
    let (front, now) = message.split_once(" but was:")?;
    // A value may have these words, too: the first ones that stand before a value count.
    let quoted = ["expected: <", "expected:<"].iter().find_map(|words| {
        let at = front.find(words)?;
        Some(&front[at + words.len() - 1..])
    });
    let before = quoted.or_else(|| Some(front.rsplit_once("xpected")?.1))?;
    // `expected null, but was:<x>`
    let before = before.strip_suffix(',').unwrap_or(before);
    Some((bare(before), bare(now)))
}

/// The exception that a line awaits, `Exception` of `assertThrows(Exception.class, () -> gate.open());` and of
/// `fail("expected Exception");`.
fn awaited(source: &str) -> Option<&str> {
    let by_lambda = source.split_once("assertThrows(").map(|(_, rest)| rest);
    let by_lambda = by_lambda.and_then(|rest| Some(rest.split_once(".class")?.0));
    let by_fail = || {
        source
            .strip_prefix("fail(\"expected ")?
            .strip_suffix("\");")
    };
    let name = by_lambda.or_else(by_fail)?;
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '.');
    (!name.is_empty() && name.chars().all(is_part)).then_some(name)
}

/// A value as a reader can see it: in quotes where it is empty, ends with a blank or has a comma as the line around it does, on
/// one line.
fn shown(value: &str) -> Cow<'_, str> {
    let is_listed = value.ends_with([']', '}', ')']);
    let is_plain =
        !value.is_empty() && value.trim() == value && (is_listed || !value.contains(", "));
    if is_plain && !value.contains(char::is_control) {
        return Cow::Borrowed(value);
    }
    let escape = |one: char| {
        let escaped = one.is_control().then(|| one.escape_default().to_string());
        escaped.unwrap_or_else(|| one.to_string())
    };
    Cow::Owned(format!(
        "\"{}\"",
        value.chars().map(escape).collect::<String>()
    ))
}

/// Of `array lengths differ, expected: <2> but was: <3>`, and of JUnit 4's `array lengths differed, expected.length=2
/// actual.length=3`.
fn lengths(message: &str) -> Option<Values> {
    let (what, rest) = message.split_once(" lengths differ")?;
    let what = what.rsplit(' ').next().filter(|what| !what.is_empty())?;
    let four = rest.split_once("expected.length=").and_then(|(_, rest)| {
        let (before, rest) = rest.split_once(" actual.length=")?;
        let end = rest.find(|one: char| !one.is_ascii_digit());
        Some((before, &rest[..end.unwrap_or(rest.len())]))
    });
    let (before, now) = four.or_else(|| expected(rest))?;
    let all = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let told = |length| format!("{what} of length {length}");
    (all(before) && all(now)).then(|| Values {
        before: told(before),
        now: told(now),
    })
}

/// `[0]` of `array contents differ at index [0], expected: <1> but was: <2>`.
fn element(message: &str) -> Option<&str> {
    let front = message.split(" but was:").next()?;
    let front = front.rsplit_once("expected:")?.0;
    let front = front.trim_end_matches([',', ';', ' ']);
    ["differ at index ", "differed at element "]
        .iter()
        .find_map(|words| Some(front.split_once(words)?.1))
        .filter(|at| at.starts_with('[') && at.ends_with(']'))
}

/// Without the brackets around it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    let inside = text
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    inside.unwrap_or(text)
}

/// What is missing where a test does not compile any more, naming it: `Rates has no method fee(int)`.
pub(super) fn missing(error: &CompileError) -> String {
    let Some((symbol, place)) = symbol(error) else {
        return error.message.clone();
    };
    match owner(place) {
        Some(owner) => format!("{owner} has no {symbol}"),
        None => format!("there is no {symbol}"),
    }
}

/// The class and the method that the code no longer has, `fee` of `demo.Rates`; of a class that is gone no method.
pub(super) fn unknown(error: &CompileError, blame: &Blame<'_>) -> Option<(String, String)> {
    let (symbol, place) = symbol(error)?;
    if let Some(class) = symbol.strip_prefix("class ") {
        return Some((blame.gone(class), String::new()));
    }
    let method = symbol.strip_prefix("method ")?.split('(').next()?;
    let class = blame.class_named(owner(place)?)?;
    Some((palus_bytecode::binary_name(&class), method.to_owned()))
}

/// What javac does not find, and where it looked. A class that is gone it takes for a variable where one of its static
/// methods is called; a test has no variable with a capital that it does not declare.
fn symbol(error: &CompileError) -> Option<(String, &str)> {
    let (symbol, place) = error.unknown.as_ref()?;
    let variable = symbol.strip_prefix("variable ");
    let class = variable.filter(|name| {
        place.ends_with(TEST_CLASS) && name.starts_with(|first: char| first.is_uppercase())
    });
    let symbol = class.map_or_else(|| symbol.clone(), |class| format!("class {class}"));
    Some((symbol, place))
}

/// `Rates` of `variable rates of type Rates`, where javac looked for a name.
fn owner(place: &str) -> Option<&str> {
    place
        .rsplit_once(" of type ")
        .map(|(_, of)| of)
        .or_else(|| place.strip_prefix("class "))
        .or_else(|| place.strip_prefix("interface "))
        .filter(|owner| !owner.ends_with(TEST_CLASS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn the_method_is_the_longest_beginning_of_the_name_that_is_called() {
        let of = |name, text| method("demo.Rates", name, text);
        assert_eq!(of("fee_isFive", "rates.fee()"), "fee");
        assert_eq!(of("max_fee_null_throws", "rates.max_fee(null)"), "max_fee");
        assert_eq!(of("newRates_completes", "new Rates()"), "Rates");
        assert_eq!(of("newest_isNull", "rates.newest()"), "newest");
        assert_eq!(of("gone_isOne", ""), "gone");
    }

    #[test]
    fn the_values_of_all_ways_to_assert_are_found() {
        let fails = DropReason::FailsWhenRunAgain;
        for (text, source, before, now) in [
            (
                "org.opentest4j.AssertionFailedError: expected: <5> but was: <6>",
                "",
                "5",
                "6",
            ),
            (
                "java.lang.AssertionError: expected:<5> but was:<6>",
                "",
                "5",
                "6",
            ),
            (
                "org.junit.ComparisonFailure: expected:<a[b]c> but was:<a[]c>",
                "",
                "a[b]c",
                "a[]c",
            ),
            (
                "java.lang.AssertionError: expected null, but was:<x>",
                "",
                "null",
                "x",
            ),
            (
                "org.opentest4j.AssertionFailedError: expected: not <null>",
                "assertNotNull(gate.open());",
                "not null",
                "null",
            ),
            (
                "org.opentest4j.AssertionFailedError: Unexpected exception type thrown, expected: <a.B> but was: <c.D>",
                "",
                "a.B",
                "c.D",
            ),
            (
                "org.opentest4j.AssertionFailedError: expected: <unexpected> but was: <as expected>",
                "",
                "unexpected",
                "as expected",
            ),
            (
                "org.opentest4j.AssertionFailedError: expected: <> but was: <a\n b >",
                "",
                "\"\"",
                "\"a\\n b \"",
            ),
            (
                "org.opentest4j.AssertionFailedError: expected: <two, now> but was: <[a, b]>",
                "",
                "\"two, now\"",
                "[a, b]",
            ),
            (
                "java.lang.AssertionError",
                "assertTrue(gate.isOpen());",
                "true",
                "false",
            ),
            (
                "org.opentest4j.AssertionFailedError: Expected a.B to be thrown, but nothing was thrown.",
                "B e = assertThrows(B.class, () -> gate.open());",
                "throws B",
                "throws nothing",
            ),
            (
                "java.lang.AssertionError: expected B",
                "fail(\"expected B\");",
                "throws B",
                "throws nothing",
            ),
            (
                "java.lang.IllegalStateException: shut",
                "gate.open();",
                "throws nothing",
                "throws java.lang.IllegalStateException: shut",
            ),
            (
                "it is denied to open a connection",
                "",
                "it ended without an exception",
                "it is denied to open a connection",
            ),
        ] {
            let expected = Values {
                before: before.to_owned(),
                now: now.to_owned(),
            };
            assert_eq!(values(fails, text, source), expected, "{text}");
        }
        assert_eq!(values(DropReason::TimesOut, "", "").before, "it ended");
        assert_eq!(
            values(DropReason::KillsTheJvm, "", "").now,
            "it ends the JVM"
        );
    }

    #[test]
    fn what_is_so_now_is_told_where_it_has_a_text() {
        let failed = "org.opentest4j.AssertionFailedError: ";
        for (message, source, seen) in [
            ("expected: <5> but was: <6>", "", Some(Now::Value("6"))),
            (
                "expected: <true> but was: <false>",
                "",
                Some(Now::Value("false")),
            ),
            (
                "expected: <a> but was: <x but was: y>",
                "",
                Some(Now::Value("x but was: y")),
            ),
            (
                "expected: not <null>",
                "assertNotNull(gate.open());",
                Some(Now::Value("null")),
            ),
            (
                "Unexpected exception type thrown, expected: <a.B> but was: <c.D>",
                "assertThrows(B.class, () -> gate.open());",
                Some(Now::Throws("c.D")),
            ),
            (
                "unexpected exception type thrown; expected:<a.B> but was:<c.D>",
                "assertThrows(B.class, () -> gate.open());",
                Some(Now::Throws("c.D")),
            ),
            (
                "array contents differ at index [0], expected: <1> but was: <-2>",
                "",
                None,
            ),
            ("array lengths differ, expected: <2> but was: <3>", "", None),
            (
                "Expected a.B to be thrown, but nothing was thrown.",
                "assertThrows(B.class, () -> gate.open());",
                None,
            ),
        ] {
            assert_eq!(
                now(&format!("{failed}{message}"), source),
                seen,
                "{message}"
            );
        }
        assert_eq!(
            now("java.lang.AssertionError", "assertTrue(a.b());"),
            Some(Now::Value("false"))
        );
        assert_eq!(
            now("a.Shut: expected: <5> but was: <6>", "gate.open();"),
            None
        );
        // The code throws what an assertion would.
        let own = "java.lang.AssertionError: expected: <3> but was: <9>";
        assert_eq!(now(own, "gate.open();"), None);
        let told = values(DropReason::FailsWhenRunAgain, own, "gate.open();");
        assert_eq!(told.before, "throws nothing");
    }

    #[test]
    fn lengths_and_elements_of_arrays_are_told_as_such() {
        let fails = DropReason::FailsWhenRunAgain;
        for (text, source, before, now) in [
            (
                "org.opentest4j.AssertionFailedError: array contents differ at index [0], expected: <1> but was: <-2>",
                "",
                "1 at [0]",
                "-2 at [0]",
            ),
            (
                "java.lang.AssertionError: arrays first differed at element [1][0]; expected:<1> but was:<-2>",
                "",
                "1 at [1][0]",
                "-2 at [1][0]",
            ),
            (
                "org.opentest4j.AssertionFailedError: array lengths differ, expected: <2> but was: <3>",
                "",
                "array of length 2",
                "array of length 3",
            ),
            (
                "org.opentest4j.AssertionFailedError: iterable lengths differ at index [0], expected: <0> but was: <13>",
                "",
                "iterable of length 0",
                "iterable of length 13",
            ),
            (
                "java.lang.AssertionError: array lengths differed, expected.length=2 actual.length=13; arrays first differed at element [0]; expected:<1> but was:<5>",
                "",
                "array of length 2",
                "array of length 13",
            ),
            (
                "org.opentest4j.AssertionFailedError: expected: <array lengths differ> but was: <x>",
                "",
                "array lengths differ",
                "x",
            ),
        ] {
            let expected = Values {
                before: before.to_owned(),
                now: now.to_owned(),
            };
            assert_eq!(values(fails, text, source), expected, "{text}");
        }
    }

    #[test]
    fn what_the_code_no_longer_has_is_named_with_the_class_that_had_it() {
        let rates = "package shop; public class Rates { public int rate() { return 1; } }";
        let compiled = palus_fixture::compile(&[("shop/Rates.java", rates)]);
        let settings = crate::Settings {
            classes_directories: vec![compiled.dir.clone()],
            ..crate::Settings::partial(&[]).unwrap()
        };
        let classes = super::super::blame::Classes::new(&settings);
        let text = "package demo;\n\nimport other.Gone;\nimport shop.Rates;\n";
        let blame = Blame::new(text, &classes);
        for (symbol, place, expected) in [
            (
                "method fee(int)",
                "variable rates of type Rates",
                Some(("shop.Rates", "fee")),
            ),
            ("method fee()", "class Rates", Some(("shop.Rates", "fee"))),
            ("method fee()", "variable list of type List<String>", None),
            (
                "class Gone",
                "class TillPalusTest",
                Some(("other.Gone", "")),
            ),
            ("class Till", "class TillPalusTest", Some(("demo.Till", ""))),
            (
                "variable Till",
                "class TillPalusTest",
                Some(("demo.Till", "")),
            ),
        ] {
            let error = CompileError {
                file: PathBuf::from("demo/TillPalusTest.java"),
                line: 3,
                message: "cannot find symbol".to_owned(),
                unknown: Some((symbol.to_owned(), place.to_owned())),
            };
            let found = unknown(&error, &blame);
            let found = found
                .as_ref()
                .map(|(class, method)| (class.as_str(), method.as_str()));
            assert_eq!(found, expected, "{symbol}");
        }
    }

    #[test]
    fn what_is_missing_is_named_with_the_class_that_had_it() {
        let error = |symbol: &str, place: &str| CompileError {
            file: PathBuf::from("demo/RatesPalusTest.java"),
            line: 3,
            message: "cannot find symbol".to_owned(),
            unknown: Some((symbol.to_owned(), place.to_owned())),
        };
        for (symbol, place, text) in [
            (
                "method fee(int)",
                "variable rates of type Rates",
                "Rates has no method fee(int)",
            ),
            ("method of()", "class Rates", "Rates has no method of()"),
            (
                "class Rates",
                "class RatesPalusTest",
                "there is no class Rates",
            ),
            ("class Rates", "package demo", "there is no class Rates"),
            (
                "variable Rates",
                "class RatesPalusTest",
                "there is no class Rates",
            ),
        ] {
            assert_eq!(missing(&error(symbol, place)), text);
        }
        let other = CompileError {
            message: "incompatible types: int cannot be converted to String".to_owned(),
            unknown: None,
            ..error("", "")
        };
        assert_eq!(missing(&other), other.message);
    }
}
