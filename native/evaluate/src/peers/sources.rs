//! Test sources of other tools: which tests are in a file, and how one is taken out.
//!
//! Comes in: the text of a Java file. Goes out: [`TestFile`], from which tests can be taken out without moving a line.
//! No parser: braces, parentheses, comments and literals are told apart, and what stands directly in the first type of
//! the file is a member. That is enough for what generators write.
//! Does not know: why a test is taken out.
//!
//! ```text
//!  1 package a;
//!  2 public class B_Test {
//!  3   @Test(timeout = 4000)
//!  4   public void test0() { f("}"); }        a test of lines 3 to 4
//!  5   private static int g;                  a member, no test
//!  6 }
//! ```

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// A file of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestFile {
    /// Below the folder of sources.
    pub path: PathBuf,
    pub text: String,
    pub tests: Vec<Test>,
}

/// A test method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    pub method: String,
    /// From 1.
    pub lines: RangeInclusive<u32>,
}

impl TestFile {
    /// Reads a file.
    pub fn read(path: &Path, text: String) -> TestFile {
        let tests = members(&text).into_iter().filter_map(|member| {
            let start = line_of(&text, member.start);
            let end = line_of(&text, member.end.saturating_sub(1));
            let method = test_name(&text[member])?;
            let lines = start..=end;
            Some(Test { method, lines })
        });
        TestFile {
            path: path.to_owned(),
            tests: tests.collect(),
            text,
        }
    }

    /// The binary name of the file's class.
    pub fn class(&self) -> String {
        self.path
            .with_extension("")
            .to_string_lossy()
            .replace(['/', '\\'], ".")
    }

    /// Takes out what stands on a line: the test, or the import. False if it is neither.
    pub fn take_out(&mut self, line: u32) -> bool {
        if let Some(at) = self
            .tests
            .iter()
            .position(|test| test.lines.contains(&line))
        {
            let test = self.tests.remove(at);
            self.blank(&test.lines);
            return true;
        }
        let mut lines = self.text.lines().skip(line as usize - 1);
        if lines
            .next()
            .is_some_and(|line| line.trim_start().starts_with("import "))
        {
            self.blank(&(line..=line));
            return true;
        }
        false
    }

    fn blank(&mut self, lines: &RangeInclusive<u32>) {
        let kept =
            self.text.split('\n').zip(1..).map(
                |(text, number)| {
                    if lines.contains(&number) { "" } else { text }
                },
            );
        self.text = kept.collect::<Vec<_>>().join("\n");
    }
}

fn line_of(text: &str, at: usize) -> u32 {
    text[..at].matches('\n').count() as u32 + 1
}

/// The name of the method if the member is a test.
fn test_name(member: &str) -> Option<String> {
    let head = member.split('{').next()?;
    let is_test = head.contains("@Test") || head.contains("@org.junit.Test");
    let (_, after) = head.split_once("void ").filter(|_| is_test)?;
    let (name, _) = after.split_once('(')?;
    Some(name.trim().to_owned())
}

/// The members of the first type of a file, by position.
fn members(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut members = Vec::new();
    let (mut braces, mut parentheses) = (0_i32, 0_i32);
    let mut start = None;
    let mut at = 0;
    while at < bytes.len() {
        let after = skipped(text, at);
        if after > at {
            at = after;
            continue;
        }
        let byte = bytes[at];
        if braces == 1
            && start.is_none()
            && !byte.is_ascii_whitespace()
            && !matches!(byte, b'}' | b';')
        {
            start = Some(at);
        }
        match byte {
            b'(' => parentheses += 1,
            b')' => parentheses -= 1,
            b'{' => braces += 1,
            b'}' => braces -= 1,
            _ => {}
        }
        let ends = braces == 1 && parentheses == 0 && matches!(byte, b'}' | b';');
        if let Some(from) = start.filter(|_| ends) {
            members.push(from..at + 1);
            start = None;
        }
        if braces == 0 && byte == b'}' {
            break;
        }
        at += 1;
    }
    members
}

/// Where the comment or literal that begins here ends; the same place if none does.
fn skipped(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    let end_of = |end: &[u8], from: usize| {
        let mut windows = rest[from..].windows(end.len());
        windows
            .position(|window| window == end)
            .map_or(text.len(), |place| at + from + place + end.len())
    };
    match rest {
        [b'/', b'/', ..] => end_of(b"\n", 2),
        [b'/', b'*', ..] => end_of(b"*/", 2),
        [quote @ (b'"' | b'\''), ..] => {
            let mut place = 1;
            while place < rest.len() && rest[place] != *quote && rest[place] != b'\n' {
                place += if rest[place] == b'\\' { 2 } else { 1 };
            }
            text.len().min(at + place + 1)
        }
        _ => at,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXAMPLE: &str = "package a;\nimport b.C;\npublic class B_Test {\n  @Test(timeout = 4000)\n  public void test0() { f(\"}\"); }\n  private static int g = 1;\n  // @Test void not() {}\n  @org.junit.Test public void test1() throws Throwable {\n    if (g == '{') { g = 2; }\n  }\n  void helper() {}\n}\n";

    fn example() -> TestFile {
        TestFile::read(Path::new("a/B_Test.java"), EXAMPLE.to_owned())
    }

    #[test]
    fn tests_are_found_with_their_lines_whatever_literals_and_comments_hold() {
        let file = example();
        assert_eq!(file.class(), "a.B_Test");
        let found: Vec<_> = file
            .tests
            .iter()
            .map(|test| (test.method.as_str(), test.lines.clone()))
            .collect();
        assert_eq!(found, [("test0", 4..=5), ("test1", 8..=10)]);
    }

    #[test]
    fn a_test_is_taken_out_by_any_of_its_lines_and_no_line_moves() {
        let mut file = example();
        assert!(file.take_out(9));
        assert_eq!(file.tests.len(), 1);
        assert_eq!(file.text.lines().count(), EXAMPLE.lines().count());
        assert_eq!(file.text.lines().nth(10), Some("  void helper() {}"));
        assert!(!file.text.contains("test1"));
    }

    #[test]
    fn an_import_is_taken_out_and_other_lines_stay() {
        let mut file = example();
        assert!(file.take_out(2));
        assert!(!file.text.contains("import") && file.tests.len() == 2);
        assert!(!file.take_out(11), "a helper is no test");
    }
}
