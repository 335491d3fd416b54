//! A file with tests of an earlier run that stays as it is.
//!
//! Comes in: its text, laid out by Palus or by whoever edited it. Goes out: its tests, by name and lines, and how many
//! tests cannot be run by name alone: others than `@Test void name()`, what may be one by an annotation that nobody knows,
//! what is inherited, and all of a class in which something is to happen around each test.
//! What stands in comments and literals is blanked first, so that braces match; then members are read one by one.
//! Does not know: what the tests do.

mod blank;
mod head;

pub(crate) use blank::blanked;

use crate::write::hashes::hash;
use blank::is_disguised;
use head::{Head, Names};
use std::collections::BTreeSet;

/// A file that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Earlier {
    /// Relative to the output folder, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tests: Vec<EarlierTest>,
    /// How many tests JUnit runs, or may run, that cannot be called by a name of this class.
    pub(crate) unread: u64,
    /// True where that run was interrupted before it wrote it.
    pub(crate) is_staged: bool,
    /// Names of tests of a staged file that were written before.
    pub(crate) kept: BTreeSet<String>,
}

impl Earlier {
    /// Whether a test was written before.
    pub(crate) fn is_kept(&self, test: &EarlierTest) -> bool {
        !self.is_staged || self.kept.contains(&test.name)
    }
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
        Earlier::read(path, text, Wanted::Callable)
    }

    /// Reads a file of which no test is run: all count that have a name, whatever happens around them.
    pub(crate) fn promoted(path: &str, text: String) -> Earlier {
        Earlier::read(path, text, Wanted::Named)
    }

    fn read(path: &str, text: String, wanted: Wanted) -> Earlier {
        // A line ends for the compiler at a carriage return alone, too.
        let text = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n")
        } else {
            text
        };
        let plain = blanked(&text);
        let (mut tests, mut unread) = tests(&plain, wanted);
        if wanted == Wanted::Callable && is_disguised(&text, &plain) {
            unread = (unread + tests.len() as u64).max(1);
            tests.clear();
        }
        Earlier {
            path: path.to_owned(),
            text,
            tests,
            unread,
            is_staged: false,
            kept: BTreeSet::new(),
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

/// What a test does: its text without its name, empty lines, and blanks at the beginnings of lines.
pub(crate) fn body(text: &str) -> String {
    let lines = text.lines().skip_while(|line| method(line).is_none());
    let lines = lines.skip(1).map(str::trim);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// A hash of what a test does, however it is laid out.
pub(crate) fn hash_of_test(text: &str) -> String {
    hash(essence(text).as_bytes())
}

/// The same however a formatter lays it out: no blanks and line ends, but for blanks in literals.
pub(crate) fn essence(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let lines: String = lines.skip_while(|line| method(line).is_none()).collect();
    let code = lines.split_once('{').map_or("", |(_, code)| code);
    let mut essence = String::with_capacity(code.len());
    let mut quote = None;
    let mut letters = code.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            // No literal that Palus writes goes on in another line.
            (_, '\n') => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
        if quote.is_none() && letter.is_whitespace() {
            continue;
        }
        essence.push(letter);
        if quote.is_some() && letter == '\\' {
            essence.extend(letters.next());
        }
    }
    essence
}

/// `adds` of `  public void adds() throws Throwable {`
fn method(line: &str) -> Option<&str> {
    let rest = line.trim_start();
    let rest = rest.strip_prefix("public ").unwrap_or(rest);
    rest.strip_prefix("void ")?.split('(').next()
}

/// Which tests are wanted of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    /// Those that can be called by name, each alone.
    Callable,
    /// All that have a name.
    Named,
}

/// The tests of a class of which this is the text, without comments and literals; and what could not be read as one.
fn tests(text: &str, wanted: Wanted) -> (Vec<EarlierTest>, u64) {
    let mut reading = Reading {
        names: Names::of(text),
        wanted,
        found: Vec::new(),
        unread: 0,
        is_plain: true,
        has_others: false,
        is_off: false,
        open: None,
        body: None,
        braces: 0,
    };
    // Where a member begins; parentheses that are open; the line, from 1.
    let (mut start, mut parentheses, mut line) = (0, 0_usize, 1_u32);
    for (at, one) in text.bytes().enumerate() {
        match one {
            b'\n' => line = line.saturating_add(1),
            b'(' => parentheses += 1,
            b')' => parentheses = parentheses.saturating_sub(1),
            b';' | b'{' | b'}' if parentheses == 0 || reading.open.is_some() => {
                if reading.open.is_none() {
                    reading.head(&text[start..at], one, line);
                }
                if reading.brace(one, line) {
                    parentheses = 0;
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    reading.end(&text[start..])
}

/// A file while its members are read one by one.
struct Reading<'t> {
    names: Names,
    wanted: Wanted,
    found: Vec<EarlierTest>,
    unread: u64,
    /// Whether all can be called by name, and alone.
    is_plain: bool,
    /// Whether a class may have tests that do not stand in it.
    has_others: bool,
    /// Whether the outermost class that is open is switched off.
    is_off: bool,
    /// The test that is open: its name and first line.
    open: Option<(&'t str, u32)>,
    /// How many braces were open when one was opened that is neither a class's nor a test's.
    body: Option<usize>,
    /// How many are open.
    braces: usize,
}

impl<'t> Reading<'t> {
    /// Takes what stands before a brace or a semicolon.
    fn head(&mut self, text: &'t str, end: u8, line: u32) {
        let head = Head::of(text, end, &self.names);
        self.is_plain &= self.braces > 1 || !head.is_around_tests();
        if self.braces == 0 && end == b'{' {
            self.is_off = head.is_switched_off();
            if head.adds_to_tests() && !self.is_off {
                self.is_plain = false;
                self.has_others |= head.is_concrete();
            }
        }
        if !self.is_off && !head.is_switched_off() {
            if head.is_test() {
                let name = match self.wanted {
                    Wanted::Callable => head.plain_test(),
                    Wanted::Named => head.name(),
                };
                match name.filter(|_| self.braces == 1) {
                    Some(name) => {
                        let above = text.trim_start().matches('\n').count();
                        let above = u32::try_from(above).unwrap_or(u32::MAX);
                        self.open = Some((name, line.saturating_sub(above)));
                    }
                    None => self.unread += 1,
                }
            } else if self.braces > 0 && self.body.is_none() {
                self.unread += u64::from(head.may_run(self.braces > 1));
            }
        }
        if end == b'{' && !head.is_class() && self.open.is_none() {
            self.body.get_or_insert(self.braces);
        }
    }

    /// Takes a brace; true where a test ends with it.
    fn brace(&mut self, one: u8, line: u32) -> bool {
        match one {
            b'{' => self.braces += 1,
            b'}' => {
                self.braces = self.braces.saturating_sub(1);
                self.body = self.body.filter(|&open| open < self.braces);
            }
            _ => {}
        }
        let is_end = one == b'}' && self.braces == 1;
        let Some((name, first)) = self.open.take_if(|_| is_end) else {
            return false;
        };
        self.found.push(EarlierTest {
            name: name.to_owned(),
            lines: (first, line),
        });
        true
    }

    /// Takes what is left behind the last brace.
    fn end(mut self, rest: &'t str) -> (Vec<EarlierTest>, u64) {
        let is_cut = self.open.is_some() || Head::of(rest, b';', &self.names).is_test();
        self.unread += u64::from(is_cut);
        if !self.is_plain && self.wanted == Wanted::Callable {
            self.unread += self.found.len() as u64;
            self.found.clear();
        }
        (self.found, self.unread.max(u64::from(self.has_others)))
    }
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
            \tchar c = '}'; // }\n/* @Test void no() {\n@Test } */\n\t}\n        @org.junit.jupiter.api.Tags({1, 2}) @org.junit.Test(timeout\n\
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
        // `@Tested` may stand for `@Test`.
        assert_eq!(names(text), (vec![whole], 5));
    }

    #[test]
    fn what_a_class_inherits_is_counted_also_where_it_has_no_test_of_its_own() {
        for class in [
            "class A extends B {}",
            "public class A\nextends\tB\n{\n}",
            "class A\textends B {}",
            "class A implements WithDb { }",
            "class A\nimplements WithDb<X>, C { int help() { return 1; } }",
            "record A(int a) implements WithDb { }",
            "@Tag(\"a\") final class A /* not */ extends B { @Test void one() { } }",
            "class A { @Test void one() { } } class B extends C { }",
        ] {
            assert_eq!(names(class), (Vec::new(), 1), "{class}");
        }
        let one = vec![("one".to_owned(), (1, 1))];
        let with = |more: &str| names(&format!("class A {{ @Test void one() {{ }} {more} }}\n"));
        for nested in [
            "static class B extends C { }",
            "@Nested class B\timplements C { }",
            "record B() implements C { }",
        ] {
            assert_eq!(with(nested), (one.clone(), 1), "{nested}");
        }
        for harmless in [
            // JUnit makes no object of these.
            "class B extends C { }",
            "private static class B extends C { }",
            "static abstract class B extends C { }",
            "interface B extends C { } enum D implements C { E }",
            "static <T extends B> void help(List<? super C> all) { class Local extends B { } }",
            "Object own = new B() { public void run() { } };",
            "void record() { int a; } Class<?> type = B.class;",
        ] {
            assert_eq!(with(harmless), (one.clone(), 0), "{harmless}");
        }
        // Nobody runs these by themselves.
        for class in [
            "interface A extends B { }",
            "abstract class A extends B { }",
        ] {
            assert_eq!(names(class), (Vec::new(), 0), "{class}");
        }
        let off = "import org.junit.jupiter.api.Disabled; @Disabled class A extends B { }";
        assert_eq!(names(off), (Vec::new(), 0));
    }

    #[test]
    fn an_annotation_that_no_list_has_may_be_a_test_or_an_extension() {
        let one = vec![("one".to_owned(), (1, 1))];
        let with = |more: &str| names(&format!("class A {{ @Test void one() {{ }} {more} }}\n"));
        for unknown in [
            "@FastTest void wipe() { }",
            "@ FastTest\nvoid wipe() { }",
            "@com.acme.Test void wipe() { }",
            "@Test @Slow void two() { }",
            "@Test @com.acme.Timeout(1) void two() { }",
            "@FastTest(a = 1) public void wipe(@Any int a) { }",
            "@Everywhere static void all() { }",
            "@Wiping Object field = new Object();",
            "@TempDir(factory = Mine.class) Path folder;",
            "static class B { @FastTest void wipe() { } }",
            "@Inner class B { }",
        ] {
            assert_eq!(with(unknown), (one.clone(), 1), "{unknown}");
        }
        for harmless in [
            "@Override @Deprecated public String toString() { return null; }",
            "@java.lang.SuppressWarnings(\"a\") void help() { @Local int a = 1; }",
            "@Test @DisplayName(\"x\") @Timeout(1) @Tag(\"a\") void one() { }",
            "@TempDir Path folder;",
            "@org.junit.jupiter.api.Order(1) int a;",
            "private @Nullable String help(@Any int a) { return null; }",
            "void help(@Any int a) { }",
            "static class Row { @Id int id; @Of static Row of() { return null; } }",
            "@interface Own { }",
        ] {
            let imported = format!("import org.junit.jupiter.api.*; class A {{ {harmless} }}");
            assert_eq!(names(&imported).1, 0, "{harmless}");
        }
        // Of a class it is about all tests; and one without any may have others.
        let class = |text: &str| names(text).1;
        assert_eq!(
            class("@WithDb class A { @Test void one() { } @Test void two() { } }"),
            2
        );
        assert_eq!(class("@SuiteOf(B.class) class A { }"), 1);
        assert_eq!(class("@RunWith(B.class) class A { }"), 1);
        let tagged = "@Tag(\"a\") class A { @Test void one() { } }";
        // One without an import may be of the file's own package.
        assert_eq!(class(tagged), 1);
        for (import, unread) in [
            ("import org.junit.jupiter.api.Tag;", 0),
            ("import org.junit.jupiter.api.*;", 0),
            ("import org.junit.jupiter.api.*; import com.acme.*;", 1),
            ("import com.acme.*;", 1),
            ("import static com.acme.Meta.Tag;", 1),
            (
                "import  static\norg.junit.jupiter.api.Assertions.*; import org.junit.jupiter.api.Tag;",
                0,
            ),
        ] {
            assert_eq!(class(&format!("{import} {tagged}")), unread, "{import}");
        }
        let foreign = "import com.acme.Tag; @Tag class A { @Test void one() { } }";
        assert_eq!(class(foreign), 1);
        assert_eq!(
            class(&foreign.replace("com.acme", "org.junit.jupiter.api")),
            0
        );
        // A rule for a folder that makes its own.
        let rule = "@Rule public TemporaryFolder folder = new Wiping(TemporaryFolder.class);";
        assert_eq!(with(rule), (Vec::new(), 1));
        let rule = "@Rule public TemporaryFolder folder = new TemporaryFolder() { int a; };";
        assert_eq!(with(rule), (Vec::new(), 1));
    }

    #[test]
    fn what_is_written_by_numbers_of_letters_is_not_taken_for_what_it_looks_like() {
        for text in [
            "class A \\u0065xtends B { }",
            "class A { @\\u0054est void one() { } }",
            "class A { // \\u000a @Test void one() { }\n }",
            "class A { String a = \"\\u0022; @Test void one() { }\"; }",
        ] {
            assert_eq!(names(text), (Vec::new(), 1), "{text}");
        }
        let plain = "class A { @Test void one() { a(\"\\u0001 \\\\u0022\", '\\u00e4'); } }";
        assert_eq!(names(plain), (vec![("one".to_owned(), (1, 1))], 0));
    }

    #[test]
    fn the_essence_of_a_test_is_the_same_in_every_layout_and_another_for_another_literal() {
        let text = "  @Test\n  public void one() throws Throwable {\n    a(\"it's  {\\\" \", ' ', b);\n    c();\n  }";
        let other = "\t@Test\r\n\tpublic void one()\n\t\tthrows Throwable\n\t{\n\t\ta(\n\t\t\t\"it's  {\\\" \", ' ',\n\t\t\tb);\n\n\t\tc();\n\t}";
        assert_eq!(essence(text), "a(\"it's  {\\\" \",' ',b);c();}");
        assert_eq!(essence(other), essence(text));
        assert_ne!(essence(&text.replace("it's  {", "it's {")), essence(text));
        assert_ne!(essence(&text.replace("' '", "'\t'")), essence(text));
        assert_eq!(essence("no test"), "");
    }

    #[test]
    fn of_a_promoted_file_all_tests_with_a_name_count() {
        let text = "@WithDb class A extends B { @Test @Slow void one() { } @Test void two() { } }";
        let all = Earlier::promoted("demo/AGeneratedTest.java", text.to_owned()).tests;
        let all: Vec<&str> = all.iter().map(|test| test.name.as_str()).collect();
        assert_eq!(all, ["one", "two"]);
    }

    #[test]
    fn odd_texts_are_read_in_a_time_that_grows_with_them() {
        for odd in [
            "@Test void a(){}",
            "@",
            "@ ",
            "(",
            "<",
            "\"\"",
            "'",
            "\\u",
            "\\",
            "class A extends B{",
            "{",
            "}",
            "@Test void a(){\n",
            "import a.B;",
            "é@é.é",
        ] {
            let text = odd.repeat(400_000 / odd.len());
            names(&text);
            names(&format!("class A {{ {text}"));
        }
    }
}
