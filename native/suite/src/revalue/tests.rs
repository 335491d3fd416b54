//! Lines and names with other values.

use super::*;

fn line(line: &str, now: &str) -> Option<String> {
    revalued(line, "fee_isFive", &Now::Value(now), true).map(|one| one.line)
}

fn name(line: &str, name: &str, now: &str) -> String {
    let of = revalued(line, name, &Now::Value(now), true);
    of.unwrap_or_else(|| panic!("{line} {now}")).name
}

#[test]
fn a_literal_is_written_as_the_one_in_its_place() {
    for (before, now, after) in [
        (
            "    assertEquals(5, rates.fee(1, 2));",
            "-6",
            "    assertEquals(-6, rates.fee(1, 2));",
        ),
        (
            "assertEquals(5, a.b());",
            "2147483647",
            "assertEquals(Integer.MAX_VALUE, a.b());",
        ),
        (
            "assertEquals(Integer.MAX_VALUE, a.b());",
            "5",
            "assertEquals(5, a.b());",
        ),
        ("assertEquals(5L, a.b());", "6", "assertEquals(6L, a.b());"),
        (
            "assertEquals(1.5, a.b(), 0.0);",
            "1.0E10",
            "assertEquals(10000000000.0, a.b(), 0.0);",
        ),
        (
            "assertEquals(1.5f, a.b());",
            "NaN",
            "assertEquals(Float.NaN, a.b());",
        ),
        (
            "assertEquals(Double.NaN, a.b());",
            "-Infinity",
            "assertEquals(Double.NEGATIVE_INFINITY, a.b());",
        ),
        (
            "assertEquals((byte) 1, a.b());",
            "2",
            "assertEquals((byte) 2, a.b());",
        ),
        (
            "assertEquals(Integer.valueOf(5), a.b());",
            "6",
            "assertEquals(Integer.valueOf(6), a.b());",
        ),
        (
            "assertEquals('a', a.b());",
            "'",
            "assertEquals('\\'', a.b());",
        ),
        (
            "assertEquals(\"a, \\\"b\", a.b());",
            "c\"\n",
            "assertEquals(\"c\\\"\\n\", a.b());",
        ),
        (
            "assertEquals(\"a\", a.b(), \"why\");",
            "",
            "assertEquals(\"\", a.b(), \"why\");",
        ),
        ("assertEquals(\"a\", a.b());", "null", "assertNull(a.b());"),
        (
            "assertEquals(Integer.valueOf(5), a.b());",
            "null",
            "assertNull(a.b());",
        ),
        (
            "assertEquals(Size.BIG, a.b());",
            "VERY_SMALL",
            "assertEquals(Size.VERY_SMALL, a.b());",
        ),
        (
            "assertEquals(Map.Size.BIG, a.b());",
            "null",
            "assertNull(a.b());",
        ),
        ("assertNull(a.b());", "x", "assertEquals(\"x\", a.b());"),
        ("assertNotNull(a.b());", "null", "assertNull(a.b());"),
        ("assertTrue(a.b());", "false", "assertFalse(a.b());"),
        ("assertFalse(a.b());", "true", "assertTrue(a.b());"),
    ] {
        assert_eq!(line(before, now).as_deref(), Some(after), "{before} {now}");
    }
}

#[test]
fn what_the_text_does_not_tell_is_left_alone() {
    for (before, now) in [
        ("assertEquals(5, a.b());", "5L"),
        ("assertEquals(5, a.b());", "a"),
        ("assertEquals(5, a.b());", "99999999999"),
        ("assertEquals('a', a.b());", "ab"),
        ("assertEquals(List.of(\"a\"), a.b());", "[b]"),
        ("assertEquals(new Money(5), a.b());", "Money 6"),
        ("assertEquals(Size.BIG, a.b());", "very small"),
        ("assertEquals(0, Double.compare(-0.0, a.b()));", "1"),
        ("assertEquals(other, a.b());", "1"),
        ("assertArrayEquals(new int[] {1}, a.b());", "2"),
        ("assertSame(a, a.b());", "2"),
        ("a.b();", "2"),
        ("assertTrue(a.b());", "true"),
        ("assertEquals(\"a", "2"),
    ] {
        assert_eq!(line(before, now), None, "{before} {now}");
    }
}

/// Line, name, value now, and the name with that.
const NAMES: &str = r#"assertEquals(5, a.fee()); | fee_ofOne_isFive | 13 | fee_ofOne_is13
assertEquals(5, a.fee()); | fee_ofOne_isFive_2 | 6 | fee_ofOne_isSix
assertEquals(5, a.size()); | add_sizeIsFive | 6 | add_sizeIsSix
assertEquals(5, a.getSize()); | add_sizeIsFive | 6 | add_sizeIsSix
assertEquals(5, a.count()); | add_sizeIsFive | 6 | add_sizeIsFive
assertTrue(a.isOpen()); | add_isFull | false | add_isFull
assertFalse(a.isOpen()); | add_isNotFull | true | add_isNotFull
assertEquals(5, a.fee()); | add_withFive_completes | 6 | add_withFive_completes
assertEquals(1.5, a.fee()); | fee_returnsValue | 2.0 | fee_isTwo
assertEquals(2.0, a.fee()); | fee_isTwo | 2.5 | fee_returnsValue
assertEquals("a b", a.fee()); | fee_returnsAB | c | fee_returnsC
assertEquals("a b", a.fee()); | fee_returnsAB | ? | fee_returnsText
assertEquals("?", a.fee()); | fee_returnsText | null | fee_returnsNull
assertEquals(Size.VERY_BIG, a.fee()); | fee_returnsVeryBig | SMALL | fee_returnsSmall
assertTrue(a.fee()); | fee_returnsTrue | false | fee_returnsFalse
assertTrue(a.isFull()); | add_isFull | false | add_isNotFull
assertFalse(a.isFull()); | add_isNotFull | true | add_isFull
assertTrue(a.hasAny()); | add_hasAny | false | add_hasAnyIsFalse
assertFalse(a.hasAny()); | add_hasAnyIsFalse | true | add_hasAny
assertTrue(a.open()); | add_openIsTrue | false | add_openIsFalse
assertTrue(file.exists()); | add_makesA | false | add_deletesA
assertNotNull(a.fee()); | fee_returnsObject | null | fee_returnsNull
assertNull(a.fee()); | add_feeIsNull | x | add_feeIsX
assertEquals(Integer.MAX_VALUE, a.fee()); | fee_is2147483647 | 5 | fee_isFive
assertEquals(Double.NaN, a.fee()); | fee_isNaN | 5.0 | fee_isFive
assertEquals(5, a.fee()); | isFive | 6 | isFive
assertTrue(a.isOpen()); | isOpen | false | isOpen"#;

#[test]
fn a_name_that_tells_the_value_tells_the_new_one() {
    for row in NAMES.lines() {
        let cells: Vec<&str> = row.split(" | ").collect();
        let [text, old, now, new] = cells[..] else {
            panic!("{row}");
        };
        assert_eq!(name(text, old, now), new, "{row}");
    }
}

#[test]
fn another_exception_is_awaited_and_named() {
    let now = Now::Throws("demo.GateException");
    let line = "    assertThrows(IllegalStateException.class, () -> gate.open());";
    let one = revalued(line, "open_throwsIllegalState", &now, true).unwrap();
    assert_eq!(
        one.line,
        "    assertThrows(GateException.class, () -> gate.open());"
    );
    assert_eq!(one.name, "open_throwsGate");
    assert_eq!(one.class.as_deref(), Some("demo.GateException"));
    let line = "  IllegalStateException exception = assertThrows(IllegalStateException.class, () -> gate.open());";
    let one = revalued(line, "open_2", &now, true).unwrap();
    assert_eq!(
        one.line,
        "  GateException exception = assertThrows(GateException.class, () -> gate.open());"
    );
    assert_eq!(one.name, "open_2");
    let nested = Now::Throws("demo.Gate$Shut");
    assert_eq!(revalued(line, "open_2", &nested, true), None);
    assert_eq!(
        revalued("assertEquals(1, a.b());", "open", &now, true),
        None
    );
}

#[test]
fn a_name_tells_what_the_call_gave_by_the_first_assertion_alone() {
    let of = |is_first| {
        let line = "assertTrue(list.isOpen());";
        let one = revalued(line, "add_returnsTrue", &Now::Value("false"), is_first);
        one.unwrap().name
    };
    assert_eq!(of(true), "add_returnsFalse");
    assert_eq!(of(false), "add_returnsTrue");
}

#[test]
fn what_no_new_test_would_say_is_left_alone() {
    let now = Now::Throws("java.lang.StackOverflowError");
    let line = "assertThrows(IllegalStateException.class, () -> gate.open());";
    assert_eq!(revalued(line, "open_throwsIllegalState", &now, true), None);
    for text in ["/home/anna/data", "demo.Gate@5e9f23b4"] {
        let now = Now::Value(text);
        let line = "assertEquals(\"a\", gate.name());";
        assert_eq!(revalued(line, "name_returnsA", &now, true), None, "{text}");
    }
    let line = "assertThrows(Gate.Shut.class, () -> gate.open());";
    let now = Now::Throws("java.lang.IllegalStateException");
    let one = revalued(line, "open_throwsShut", &now, true).unwrap();
    assert_eq!(one.name, "open_throwsIllegalState");
}
