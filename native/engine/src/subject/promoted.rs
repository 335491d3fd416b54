//! Tests that Palus wrote and the project took over: they are its own, and none of them is written again.
//!
//! Comes in: the folder that promoted tests go to. Goes out: whether a test is one of them, by its class and its body.
//! The files themselves are the memory, by their names alone: what stands above a class is the user's to change, and tools
//! put a licence there, also in the place of all that Palus wrote. So is the layout. A test that is edited is another one,
//! one that is deleted is forgotten.
//! Does not know: how a test is promoted.

use crate::subject::class_path::files_below;
use crate::write::earlier::{Earlier, essence};
use crate::write::hashes::hash;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::path::Path;

/// The first line of a promoted file.
pub(crate) const HEADER: &str =
    "// Written by Palus, and kept: it is one of your own tests now, to edit as you like.";
/// How names of promoted test classes end; a number may stand before the last word.
const GENERATED: &str = "Generated";

/// What is in the folder.
#[derive(Debug, Default)]
pub(crate) struct Promoted {
    /// Of each test, the name of its subject and the essence of its body.
    tests: BTreeSet<(String, String)>,
}

impl Promoted {
    /// Reads all promoted files below a folder, which need not be there.
    pub(crate) fn read(folder: &Path) -> Promoted {
        let mut tests = BTreeSet::new();
        for file in files_below(folder, "Test.java").unwrap_or_default() {
            let Ok(text) = std::fs::read_to_string(&file) else {
                continue;
            };
            let relative = file.strip_prefix(folder).unwrap_or(&file);
            let path = relative.to_string_lossy().replace('\\', "/");
            let Some(subject) = subject(&path) else {
                continue;
            };
            let earlier = Earlier::promoted(&path, text);
            let bodies = earlier
                .tests
                .iter()
                .map(|test| essence(&earlier.text_of(test)));
            let bodies = bodies.filter(|body| !body.is_empty());
            tests.extend(bodies.map(|body| (subject.clone(), body)));
        }
        Promoted { tests }
    }

    /// Whether the test with this text, for the class of this name (`demo.Rates`), is one of them.
    pub(crate) fn holds(&self, subject: &str, text: &str) -> bool {
        !self.tests.is_empty() && self.tests.contains(&(subject.to_owned(), essence(text)))
    }

    /// Hashes of what the tests of one class (`demo.Rates`) do.
    pub(crate) fn hashes_for(&self, class: &str) -> BTreeSet<String> {
        let of_class = self.tests.iter().filter(|(subject, _)| subject == class);
        let hashes = of_class.map(|(_, essence)| hash(essence.as_bytes()));
        hashes.collect()
    }

    /// Another text for other tests.
    pub(crate) fn digest(&self) -> String {
        self.digest_of(&|_| true)
    }

    /// The same for the tests of one class (`demo.Rates`).
    pub(crate) fn digest_for(&self, class: &str) -> String {
        self.digest_of(&|subject| subject == class)
    }

    fn digest_of(&self, counts: &dyn Fn(&str) -> bool) -> String {
        let mut digest = Sha256::new();
        for (subject, body) in self.tests.iter().filter(|(subject, _)| counts(subject)) {
            digest.update(subject);
            digest.update([0]);
            digest.update(body);
            digest.update([0]);
        }
        format!("{:x?}", digest.finalize())
    }
}

/// The simple name of a promoted test class: `RatesGeneratedTest`, then `RatesGenerated2Test`.
pub(crate) fn class_name(subject: &str, number: usize) -> String {
    match number {
        1 => format!("{subject}{GENERATED}Test"),
        number => format!("{subject}{GENERATED}{number}Test"),
    }
}

/// `demo.Rates` of `demo/RatesGenerated2Test.java`
fn subject(path: &str) -> Option<String> {
    let name = path.strip_suffix("Test.java")?;
    let name = name.trim_end_matches(|last: char| last.is_ascii_digit());
    Some(name.strip_suffix(GENERATED)?.replace('/', "."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_is_known_from_the_name_of_the_file() {
        for number in [1, 2, 30] {
            let path = format!("demo/{}.java", class_name("Rates", number));
            assert_eq!(subject(&path).as_deref(), Some("demo.Rates"), "{path}");
        }
        assert_eq!(subject("demo/RatesTest.java"), None);
    }

    #[test]
    fn a_test_is_known_by_its_body_until_it_is_edited() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("demo/RatesGeneratedTest.java");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = format!(
            "{HEADER}\npackage demo;\n\nclass RatesGeneratedTest {{\n  @Test\n  void fee_isFive() {{\n    \
             assertEquals(5, new Rates().fee());\n  }}\n}}\n"
        );
        std::fs::write(&path, &text).unwrap();
        let promoted = Promoted::read(folder.path());
        let twin = "  @Test\n  public void fee_isFive_2() throws Throwable {\n    assertEquals(5, new Rates().fee());\n  }";
        assert!(promoted.holds("demo.Rates", twin));
        assert!(!promoted.holds("demo.Fees", twin));
        assert!(!promoted.holds("demo.Rates", &twin.replace('5', "6")));
        // Under a licence, which may take the place of the first line, and laid out by another hand.
        let licence = "/*\n * Copyright: ours.\n */\n";
        let bare = text.replacen(HEADER, "", 1);
        let laid_out = text.replace(
            "assertEquals(5, new",
            "assertEquals(\n        5,\n        new",
        );
        for now in [
            format!("{licence}{text}"),
            format!("{licence}{bare}"),
            laid_out,
        ] {
            std::fs::write(&path, &now).unwrap();
            assert!(
                Promoted::read(folder.path()).holds("demo.Rates", twin),
                "{now}"
            );
        }
        std::fs::write(&path, text.replace("(5", "(7")).unwrap();
        assert!(!Promoted::read(folder.path()).holds("demo.Rates", twin));
        assert!(!Promoted::read(&folder.path().join("missing")).holds("demo.Rates", twin));
    }
}
