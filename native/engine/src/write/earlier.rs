//! A file with tests of an earlier run that stays as it is.
//!
//! Comes in: its text, laid out by Palus or by whoever edited it. Goes out: its tests, by name and lines, and how many
//! methods are tests that cannot be run by name alone: others than `@Test void name()`, and all of a class in which something
//! is to happen around each test.
//! What stands in comments and literals is blanked first, so that braces match; then members are read one by one.
//! Does not know: what the tests do.

mod blank;

pub(crate) use blank::blanked;

/// A file that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Earlier {
    /// Relative to the output folder, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tests: Vec<EarlierTest>,
    /// How many `@Test` cannot be read as a test of this class.
    pub(crate) unread: u64,
    /// True where that run was interrupted before it wrote it.
    pub(crate) is_staged: bool,
}

/// A test in such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EarlierTest {
    pub(crate) name: String,
    /// First and last line, from 1.
    pub(crate) lines: (u32, u32),
}

impl Earlier {
    /// Reads what an earlier run wrote, and somebody may have edited.
    pub(crate) fn new(path: &str, text: String) -> Earlier {
        // A line ends for the compiler at a carriage return alone, too.
        let text = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text
        };
        let (tests, unread) = tests(&blanked(&text));
        Earlier {
            path: path.to_owned(),
            text,
            tests,
            unread,
            is_staged: false,
        }
    }

    /// Reads what an earlier run verified and did not come to write.
    pub(crate) fn staged(path: &str, text: String) -> Earlier {
        Earlier {
            is_staged: true,
            ..Earlier::new(path, text)
        }
    }

    /// `com.acme.AccountPalusTest`
    pub(crate) fn binary_name(&self) -> String {
        let path = self.path.strip_suffix(".java").unwrap_or(&self.path);
        palus_bytecode::binary_name(path)
    }

    /// The text of a test.
    pub(crate) fn text_of(&self, test: &EarlierTest) -> String {
        let (first, last) = test.lines;
        let lines = self.text.lines().skip(first as usize - 1);
        let lines: Vec<_> = lines.take((last - first) as usize + 1).collect();
        lines.join("\n")
    }
}

/// What a test does: its text without its name, and without blanks at the beginnings of lines.
pub(crate) fn body(text: &str) -> String {
    let lines = text.lines().skip_while(|line| method(line).is_none());
    let lines: Vec<&str> = lines.skip(1).map(str::trim).collect();
    lines.join("\n")
}

/// `adds` of `  public void adds() throws Throwable {`
fn method(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("public ").unwrap_or(rest);
    rest.strip_prefix("void ")?.split('(').next()
}

/// The tests of a class of which this is the text, without comments and literals; and what could not be read as one.
fn tests(text: &str) -> (Vec<EarlierTest>, u64) {
    let mut found = Vec::new();
    let mut unread = 0;
    let off = switch(text);
    // Whether all can be called by name; and whether the class that is open is switched off.
    let (mut is_plain, mut is_off) = (true, false);
    // The test that is open; where a member begins; braces and parentheses that are open.
    let mut open: Option<(&str, usize)> = None;
    let mut start = 0;
    let (mut braces, mut parentheses) = (0_usize, 0_usize);
    for (at, one) in text.bytes().enumerate() {
        match one {
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b';' | b'{' | b'}' if parentheses == 0 || open.is_some() => {
                let head = &text[start..at];
                is_plain &= open.is_some() || braces > 1 || !is_around_tests(head);
                if braces == 0 && one == b'{' {
                    is_plain &= !head.contains(" extends ");
                    is_off = is_switched_off(head, off);
                    is_plain &= is_off || !may_be_switched_off(head);
                }
                if open.is_none() && is_test(head) && !is_off && !is_switched_off(head, off) {
                    let name = name(head).filter(|_| one == b'{' && braces == 1);
                    let is_plain = !is_test_of_its_own_kind(head) && !may_be_switched_off(head);
                    match name.filter(|_| is_plain) {
                        Some(name) => {
                            open = Some((name, start + head.len() - head.trim_start().len()));
                        }
                        None => unread += 1,
                    }
                }
                match one {
                    b'{' => braces += 1,
                    b'}' => braces = braces.saturating_sub(1),
                    _ => {}
                }
                start = at + 1;
                if one == b'}'
                    && braces == 1
                    && let Some((name, first)) = open.take()
                {
                    parentheses = 0;
                    found.push(EarlierTest {
                        name: name.to_owned(),
                        lines: (line(text, first), line(text, at)),
                    });
                }
            }
            _ => {}
        }
    }
    unread += u64::from(open.is_some() || is_test(&text[start..]));
    if !is_plain {
        unread += found.len() as u64;
        found.clear();
    }
    (found, unread)
}

/// Tests that run several times, or that methods make.
const OTHER_KINDS: &[&str] = &[
    "RepeatedTest",
    "ParameterizedTest",
    "TestFactory",
    "TestTemplate",
];

/// What makes something happen before, after or instead of a test.
const AROUND: &[&str] = &[
    "Before",
    "BeforeEach",
    "BeforeAll",
    "BeforeClass",
    "After",
    "AfterEach",
    "AfterAll",
    "AfterClass",
    "ClassRule",
    "ExtendWith",
    "RegisterExtension",
    "RunWith",
    "TestInstance",
];

/// Whether a member with this head is annotated as a test.
fn is_test(head: &str) -> bool {
    annotations(head).any(|name| name == "Test") || is_test_of_its_own_kind(head)
}

fn is_test_of_its_own_kind(head: &str) -> bool {
    annotations(head).any(|name| OTHER_KINDS.contains(&name))
}

/// The annotation that switches tests off in this file. None where it is not JUnit's for sure, or the file mixes
/// generations of JUnit: each runs what the other switches off.
fn switch(text: &str) -> Option<&'static str> {
    let (old, new) = ("org.junit.Ignore", "org.junit.jupiter.api.Disabled");
    let is_old = [old, "org.junit.Test", "org.junit.*"]
        .iter()
        .any(|name| text.contains(name));
    match (is_old, text.contains("org.junit.jupiter")) {
        (true, false) if text.contains(old) => Some("Ignore"),
        (false, true) if text.contains(new) => Some("Disabled"),
        _ => None,
    }
}

fn is_switched_off(head: &str, switch: Option<&str>) -> bool {
    switch.is_some_and(|switch| annotations(head).any(|name| name == switch))
}

fn may_be_switched_off(head: &str) -> bool {
    annotations(head).any(|name| matches!(name, "Disabled" | "Ignore"))
}

/// Whether a class, or a member of it, with this head has other code run around its tests. A rule for a folder is known.
fn is_around_tests(head: &str) -> bool {
    let is_rule = |name: &str| name == "Rule" && !head.contains("TemporaryFolder");
    // `EnabledOnOs`, `DisabledIf` and others decide when it runs.
    let is_condition = |name: &str| {
        name.starts_with("Enabled") || name.starts_with("Disabled") && name != "Disabled"
    };
    annotations(head).any(|name| AROUND.contains(&name) || is_rule(name) || is_condition(name))
}

/// The simple names of the annotations in a head that are JUnit's, by the short name or the whole one.
fn annotations(head: &str) -> impl Iterator<Item = &str> {
    head.split('@').skip(1).filter_map(|annotation| {
        let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$' | '.');
        let name = annotation.split(|one| !is_part(one)).next()?;
        match name.rsplit_once('.') {
            Some((package, simple)) => package.starts_with("org.").then_some(simple),
            None => Some(name),
        }
    })
}

/// `adds` of `@Test(timeout = 10) public void adds() throws Throwable`
fn name(head: &str) -> Option<&str> {
    let (_, rest) = head
        .match_indices("void")
        .map(|(at, word)| (head[..at].chars().next_back(), &head[at + word.len()..]))
        .find(|(before, rest)| {
            before.is_none_or(char::is_whitespace) && rest.starts_with(char::is_whitespace)
        })?;
    let (name, rest) = rest.split_once('(')?;
    let name = name.trim();
    let has_none = rest.trim_start().starts_with(')');
    let is_name = name
        .chars()
        .all(|one| one.is_alphanumeric() || matches!(one, '_' | '$'));
    (has_none && is_name && !name.is_empty()).then_some(name)
}

/// The line of a place, from 1.
fn line(text: &str, at: usize) -> u32 {
    let before = text.as_bytes()[..at].iter().filter(|&&one| one == b'\n');
    u32::try_from(before.count() + 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_are_found_in_every_form_in_which_they_are_written() {
        let text = "class APalusTest {\n\n  @Test\n  void one() {\n    if (a) {\n    }\n  }\n\n  \
            @Test(timeout = 10000) // in a thread of its own\n  @SuppressWarnings(\"unchecked\")\n  public void \
            two() throws Throwable {\n  }\n\n  private static int help() {\n  }\n}\n";
        let earlier = Earlier::new("demo/APalusTest.java", text.to_owned());
        let found: Vec<_> = earlier
            .tests
            .iter()
            .map(|test| (test.name.as_str(), test.lines))
            .collect();
        assert_eq!(found, [("one", (3, 7)), ("two", (9, 12))]);
        assert_eq!(earlier.binary_name(), "demo.APalusTest");
        let text = earlier.text_of(&earlier.tests[0]);
        assert!(
            text.starts_with("  @Test\n") && text.ends_with("\n    }\n  }"),
            "{text}"
        );
    }

    /// Names with first and last lines; and how many cannot be read.
    type Names = (Vec<(String, (u32, u32))>, u64);

    fn names(text: &str) -> Names {
        let earlier = Earlier::new("demo/APalusTest.java", text.to_owned());
        let tests = earlier.tests.into_iter();
        (
            tests.map(|test| (test.name, test.lines)).collect(),
            earlier.unread,
        )
    }

    #[test]
    fn tests_are_found_however_the_file_is_laid_out() {
        let text = "class APalusTest {\n\t@Test\n\tvoid one()\n\t{\n\t\tif (a) {\n}\n\t\tString b = \"}\";\n\
            \tchar c = '}'; // }\n/* @Test void no() {\n@Test } */\n\t}\n        @Slow({1, 2}) @org.junit.Test(timeout\n\
            = 1) public final void two() { run(() -> { a(); }); } @Test void three() {\n}\n}\n";
        let found = [("one", (2, 11)), ("two", (12, 13)), ("three", (13, 14))];
        let found = found.map(|(name, lines)| (name.to_owned(), lines));
        assert_eq!(names(text), (found.to_vec(), 0));
    }

    #[test]
    fn lines_end_where_they_do_for_the_compiler() {
        let text =
            "class A {\r  // a note\r  @Test\r  void one() {\r  }\r\n  @Test void two() { }\n}\n";
        let found = [("one", (3, 5)), ("two", (6, 6))];
        let found = found.map(|(name, lines)| (name.to_owned(), lines));
        assert_eq!(names(text), (found.to_vec(), 0));
    }

    #[test]
    fn tests_that_need_more_than_a_call_are_counted_and_those_switched_off_are_none() {
        let one = ("one".to_owned(), (1, 1));
        let with = |more: &str| names(&format!("class A {{ @Test void one() {{ }} {more} }}\n"));
        for (off, unread) in [
            ("@org.junit.jupiter.api.Disabled @Test void two() { }", 0),
            ("@org.junit.Ignore @Test void two() { }", 0),
            // What is not JUnit's for sure, or not of the generation that runs the test.
            ("@Disabled @Test void two() { }", 1),
            (
                "@org.junit.jupiter.api.Disabled @org.junit.Test void two() { }",
                1,
            ),
            (
                "@org.junit.Ignore @org.junit.jupiter.api.Test void two() { }",
                1,
            ),
        ] {
            assert_eq!(with(off), (vec![one.clone()], unread), "{off}");
        }
        assert_eq!(
            with("@RepeatedTest(2) void two() { }"),
            (vec![one.clone()], 1)
        );
        assert_eq!(
            with("@org.junit.jupiter.api.TestFactory List<X> two() { }"),
            (vec![one.clone()], 1)
        );
        assert_eq!(
            with("@Rule public TemporaryFolder folder = new TemporaryFolder();"),
            (vec![one], 0)
        );
        for around in [
            "@BeforeEach void two() { }",
            "@org.junit.After public void two() { }",
            "@Rule public Timeout limit = new Timeout(5);",
            "@RegisterExtension Object two;",
            "@EnabledOnOs(OS.MAC) void two() { }",
        ] {
            assert_eq!(with(around), (Vec::new(), 1), "{around}");
        }
        let class = "@ExtendWith(B.class) class A { @Test void one() { } @Test void two() { } }\n";
        assert_eq!(names(class), (Vec::new(), 2));
        let class = "class A extends B { @Test void one() { } }\n";
        assert_eq!(names(class), (Vec::new(), 1));
        let import = "import org.junit.jupiter.api.Disabled; ";
        let off = "@Disabled class A { @Test void one() { } }\n";
        assert_eq!(names(off), (Vec::new(), 1));
        assert_eq!(names(&format!("{import}{off}")), (Vec::new(), 0));
        // It switches off no other class of the file.
        let class =
            format!("{import}class A {{ @Test void one() {{ }} }} @Disabled class B {{ }}\n");
        assert_eq!(names(&class), (vec![("one".to_owned(), (1, 1))], 0));
    }

    #[test]
    fn what_is_no_test_of_the_class_is_counted() {
        let text = "class A {\n  @Test void with(int a) { }\n  @Test\n  int number() { return 1; }\n  static class B {\n\
            @Test void nested() { }\n  }\n  @Tested void no() { }\n  @Test void whole() { }\n  @Test void cut() {\n";
        let whole = ("whole".to_owned(), (9, 9));
        assert_eq!(names(text), (vec![whole], 4));
    }
}
