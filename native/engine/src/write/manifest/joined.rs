//! Files that somebody's version control made of two of ours: two people each accepted a change, and their branches were
//! joined. Such a file is as Palus wrote it, test by test, and has no hash that any run listed.
//!
//! Comes in: texts of files. Goes out: a line `tests ./relative/path hash hash`, with one hash per test, and whether a file
//! consists of listed tests alone. Where both sides' lines of a manifest are kept, a file has several, and all count.
//! Does not know: who joined them.

use crate::write::earlier::Earlier;
use crate::write::hashes::hash;
use crate::write::layout::Layout;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// The dot keeps it from being taken for a line of a file, whose paths have none.
const TESTS: &str = "tests ./";
/// Letters of a test's hash: among the tests of one file that tells them apart.
const LENGTH: usize = 16;

/// Hashes of the tests of each file, by its path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tests(BTreeMap<String, BTreeSet<String>>);

impl Tests {
    /// Those that a manifest lists.
    pub(super) fn listed(manifest: &[u8]) -> Tests {
        let mut listed = Tests::default();
        for line in String::from_utf8_lossy(manifest).lines() {
            let words = line.strip_prefix(TESTS).map(|rest| rest.split(' '));
            if let Some(mut words) = words
                && let Some(path) = words.next()
            {
                let hashes = listed.0.entry(path.to_owned()).or_default();
                hashes.extend(words.map(str::to_owned));
            }
        }
        listed
    }

    /// A file is to hold this text.
    pub(super) fn take(&mut self, path: &str, text: &str) {
        let layout = Layout::of(&Earlier::new(path, text.to_owned()));
        self.0.remove(path);
        if let Some(layout) = layout {
            self.0.insert(path.to_owned(), hashes(&layout));
        }
    }

    /// The line of a file; empty where it has no tests.
    pub(super) fn line(&self, path: &str) -> String {
        let mut line = String::new();
        if let Some(hashes) = self.0.get(path).filter(|hashes| !hashes.is_empty()) {
            let _ = write!(line, "{TESTS}{path}");
            for hash in hashes {
                let _ = write!(line, " {hash}");
            }
            line.push('\n');
        }
        line
    }

    /// Whether a file holds listed tests, in the parts that Palus gives a file, and nothing else. Where nothing was joined it
    /// holds all of them: somebody may have taken one out.
    pub(super) fn make_up(&self, path: &str, bytes: &[u8], are_joined: bool) -> bool {
        let (Some(listed), Ok(text)) = (self.0.get(path), std::str::from_utf8(bytes)) else {
            return false;
        };
        let file = Earlier::new(path, text.to_owned());
        let Some(layout) = Layout::of(&file).filter(|_| file.unread == 0) else {
            return false;
        };
        let there = hashes(&layout);
        let are_known = if are_joined {
            there.is_subset(listed)
        } else {
            there == *listed
        };
        are_known && there.len() == layout.tests.len() && layout.is_plain(&file.binary_name())
    }
}

fn hashes(layout: &Layout) -> BTreeSet<String> {
    let tests = layout.tests.iter();
    tests
        .map(|test| {
            let mut hash = hash(test.text.as_bytes());
            hash.truncate(LENGTH);
            hash
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATH: &str = "demo/RatesPalusTest.java";
    const FEE: &str = "  @Test\n  void fee_isFive() {\n    assertEquals(5, Rates.fee());\n  }";
    const SIX: &str = "  @Test\n  void fee_isSix() {\n    assertEquals(6, Rates.fee());\n  }";
    const DAY: &str =
        "  @Test\n  void day_isOne() {\n    assertEquals(1, Rates.day(List.of()));\n  }";
    const TWO: &str =
        "  @Test\n  void day_isTwo() {\n    assertEquals(2, Rates.day(List.of()));\n  }";

    fn file(tests: &[&str]) -> String {
        format!(
            "{}\npackage demo;\n\nimport static org.Assert.assertEquals;\n\nimport java.util.List;\nimport org.Test;\n\n\
             class RatesPalusTest {{\n{}\n}}\n",
            palus_suite::HEADER,
            tests.join("\n\n")
        )
    }

    fn with(sides: &[String]) -> Tests {
        let mut lines = String::new();
        for side in sides {
            let mut listed = Tests::default();
            listed.take(PATH, side);
            lines += &listed.line(PATH);
        }
        Tests::listed(lines.as_bytes())
    }

    #[test]
    fn what_two_sides_changed_is_ours_test_by_test() {
        let sides = [file(&[SIX, DAY]), file(&[FEE, TWO])];
        let joined = file(&[SIX, TWO]);
        assert!(with(&sides).make_up(PATH, joined.as_bytes(), true));
        assert!(!with(&sides[..1]).make_up(PATH, joined.as_bytes(), true));
        let edited = joined.replace("assertEquals(6", "assertEquals(60");
        assert!(!with(&sides).make_up(PATH, edited.as_bytes(), true));
        let twice = file(&[SIX, SIX]);
        assert!(!with(&sides).make_up(PATH, twice.as_bytes(), true));
    }

    #[test]
    fn a_test_that_somebody_took_out_stays_out_and_line_ends_are_nobodys_edit() {
        let text = file(&[FEE, DAY]);
        let tests = with(std::slice::from_ref(&text));
        assert!(!tests.make_up(PATH, file(&[DAY]).as_bytes(), false));
        assert!(tests.make_up(PATH, text.replace('\n', "\r\n").as_bytes(), false));
    }

    #[test]
    fn what_stands_around_the_tests_is_an_edit_too() {
        let text = file(&[FEE, DAY]);
        let tests = with(std::slice::from_ref(&text));
        let edits = [
            ("class Rates", "@Disabled\nclass Rates"),
            ("// Generated", "// Ours. Generated"),
            (
                "import java.util.List;",
                "import java.util.List;\nimport java.util.Set;",
            ),
            ("Test {\n", "Test {\n  int own;\n\n"),
            ("Test {\n", "Test extends Base {\n"),
            ("  }\n}", "  }\n  // more\n}"),
        ];
        for (from, to) in edits {
            let edited = text.replacen(from, to, 1);
            assert_ne!(edited, text);
            assert!(!tests.make_up(PATH, edited.as_bytes(), true), "{edited}");
        }
    }
}
