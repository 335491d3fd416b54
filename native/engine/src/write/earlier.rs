//! A file with tests of an earlier run that stays as it is.
//!
//! Comes in: its text, in the form in which Palus writes tests. Goes out: its tests, by name and lines.
//! Does not know: what the tests do.

/// A file that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Earlier {
    /// Relative to the output folder, with `/`.
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) tests: Vec<EarlierTest>,
}

/// A test in such a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EarlierTest {
    pub(crate) name: String,
    /// First and last line, from 1.
    pub(crate) lines: (u32, u32),
}

impl Earlier {
    /// Reads what an earlier run wrote.
    pub(crate) fn new(path: &str, text: String) -> Earlier {
        let mut tests = Vec::new();
        let mut first = None;
        let mut name = None;
        for (line, number) in text.lines().zip(1..) {
            if first.is_none() && line.starts_with("  @Test") {
                first = Some(number);
            } else if first.is_some() && name.is_none() {
                name = method(line).map(str::to_owned);
            } else if line == "  }"
                && let (Some(first), Some(name)) = (first.take(), name.take())
            {
                let lines = (first, number);
                tests.push(EarlierTest { name, lines });
            }
        }
        Earlier {
            path: path.to_owned(),
            text,
            tests,
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
    let rest = line.strip_prefix("  ")?;
    let rest = rest.strip_prefix("public ").unwrap_or(rest);
    rest.strip_prefix("void ")?.split('(').next()
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
}
