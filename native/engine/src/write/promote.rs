//! Written tests that become the project's own: they move into a folder of its sources, and are not written again.
//!
//! Comes in: the output folder with its manifest, which classes are chosen, which tests fail. Goes out: files in the folder
//! of promoted tests, none of which was there before; what fails stays in the output folder.
//! Does not know: what the tests do (see `run/pipeline/moved.rs`); who holds their twins back (see `subject/promoted.rs`).

use crate::subject::glob::matches;
use crate::subject::promoted::{HEADER, class_name};
use crate::write::disk::{create, sweep, unwritable};
use crate::write::earlier::{Earlier, EarlierTest, hash_of_test};
use crate::write::kept::TESTS;
use crate::write::manifest::Manifest;
use crate::write::renewed::renewed;
use crate::{Error, Settings};
use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind;
use std::path::Path;

/// A file of tests on its way.
pub(crate) struct Moving {
    /// As it is now.
    file: Earlier,
    is_edited: bool,
    /// What goes.
    pub(crate) text: String,
    /// What stays in its place, where that is not nothing.
    stays: String,
    /// How many tests go.
    pub(crate) tests: u64,
    /// Names of those that nobody asked for.
    unasked: BTreeSet<String>,
}

/// The written files of the chosen classes, to move as they are.
pub(crate) fn chosen(settings: &Settings, manifest: &Manifest) -> Vec<Moving> {
    let is_chosen = |path: &String| {
        let front = path.strip_suffix(TESTS);
        let class = front.map(palus_bytecode::binary_name);
        class.is_some_and(|class| {
            settings.classes.iter().any(|glob| matches(glob, &class))
                && !settings.excludes.iter().any(|glob| matches(glob, &class))
        })
    };
    let paths = manifest.unwritten().into_iter().filter(is_chosen);
    let moving = paths.filter_map(|path| {
        let own = manifest.earlier(&path);
        let is_edited = own.is_none();
        let text = own.or_else(|| manifest.edited(&path))?;
        let file = Earlier::new(&path, text.clone());
        Some(Moving {
            tests: file.tests.len() as u64,
            file,
            is_edited,
            text,
            stays: String::new(),
            unasked: BTreeSet::new(),
        })
    });
    moving.collect()
}

/// Why a file with a test that fails stays as a whole.
pub(crate) type Stays = &'static str;

const ALL_FAIL: Stays = "all of them fail on what the code is now";
const EDITED_AND_CHOSEN: Stays =
    "not all of them are chosen, and Palus takes no file apart that somebody edited";
const EDITED: Stays = "not all of them pass, and Palus takes no file apart that somebody edited";
const NOT_TAKEN_APART: Stays =
    "not all of them pass, and it is laid out otherwise than Palus does now";

impl Moving {
    pub(crate) fn path(&self) -> &str {
        &self.file.path
    }

    /// `demo.Rates`
    pub(crate) fn class(&self) -> String {
        let path = &self.file.path;
        palus_bytecode::binary_name(path.strip_suffix(TESTS).unwrap_or(path))
    }

    /// How many tests are to go, those that Palus cannot run by name included.
    pub(crate) fn all(&self) -> u64 {
        (self.file.tests.len() - self.unasked.len()) as u64 + self.file.unread
    }

    /// How many of its tests nobody asked for.
    pub(crate) fn unasked(&self) -> u64 {
        self.unasked.len() as u64
    }

    /// By the name of each of its tests, a hash of what it does.
    pub(crate) fn bodies(&self) -> BTreeMap<&str, String> {
        let tests = self.file.tests.iter();
        let hashed = tests.map(|test| (&*test.name, hash_of_test(&self.file.text_of(test))));
        hashed.collect()
    }

    /// Lets the others of its tests stay where they are.
    ///
    /// # Errors
    /// Why the whole file stays.
    pub(crate) fn only(&mut self, asked: &BTreeSet<String>) -> Result<(), Stays> {
        let names = self.file.tests.iter().map(|test| test.name.clone());
        self.unasked = names.filter(|name| !asked.contains(name)).collect();
        if self.unasked.is_empty() {
            return Ok(());
        }
        if self.is_edited || self.file.unread > 0 {
            return Err(EDITED_AND_CHOSEN);
        }
        self.split(&self.unasked.clone())
    }

    /// How many of them go.
    pub(crate) fn going(&self) -> u64 {
        self.tests + self.file.unread
    }

    /// Lets the tests of these names stay where they are.
    ///
    /// # Errors
    /// Why the whole file stays.
    pub(crate) fn without(&mut self, failing: &BTreeSet<String>) -> Result<(), Stays> {
        let is_failing = |test: &&EarlierTest| {
            failing.contains(&test.name) && !self.unasked.contains(&test.name)
        };
        let fail = self.file.tests.iter().filter(is_failing).count() as u64;
        if fail == 0 {
            return Ok(());
        }
        if fail == self.all() {
            return Err(ALL_FAIL);
        }
        if self.is_edited {
            return Err(EDITED);
        }
        self.split(&failing.union(&self.unasked).cloned().collect())
    }

    /// Takes it apart: these tests stay, the others go.
    fn split(&mut self, staying: &BTreeSet<String>) -> Result<(), Stays> {
        let names = self.file.tests.iter().map(|test| test.name.clone());
        let going: BTreeSet<String> = names.filter(|name| !staying.contains(name)).collect();
        let part = |without| renewed(&self.file, without, None);
        let (Some(goes), Some(stays)) = (part(staying), part(&going)) else {
            return Err(NOT_TAKEN_APART);
        };
        (self.text, self.stays) = (goes.text, stays.text);
        self.tests = going.len() as u64;
        Ok(())
    }

    /// Moves it; gives the name of its file, relative to the folder of promoted tests.
    ///
    /// # Errors
    /// A configuration error where a folder cannot be written.
    pub(crate) fn put(
        &self,
        settings: &Settings,
        manifest: &mut Manifest,
    ) -> Result<String, Error> {
        let path = &self.file.path;
        let front = path.strip_suffix(TESTS).unwrap_or(path);
        let name = place(&settings.promote_directory, front, &self.text)?;
        // Where somebody deletes what is placed, inputs are again as the last run had them, and its tests are not there.
        let _ = std::fs::remove_file(settings.state_file());
        if self.stays.is_empty() {
            manifest.give_away(path, &self.text)?;
        } else {
            manifest.write_all(&[(path.clone(), &self.stays)])?;
            manifest.save()?;
        }
        Ok(name)
    }
}

/// Writes a file under a name that nobody has, whole or not at all; gives that name, relative to the folder.
fn place(folder: &Path, front: &str, text: &str) -> Result<String, Error> {
    let (package, subject) = front.rsplit_once('/').unwrap_or(("", front));
    let parent = folder.join(package);
    std::fs::create_dir_all(&parent).map_err(|error| unwritable(&parent, &error))?;
    sweep(&parent);
    let relative = |path: &Path| {
        let relative = path.strip_prefix(folder).unwrap_or(path);
        relative.display().to_string()
    };
    let mut number = 1;
    loop {
        let class = class_name(subject, number);
        let path = parent.join(format!("{class}.java"));
        let renamed = renamed(text, &format!("{subject}PalusTest"), &class);
        match create(&path, &renamed) {
            Ok(()) => return Ok(relative(&path)),
            // A run that was killed between this and giving the file away has placed it already.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let is_placed = std::fs::read(&path).is_ok_and(|now| now == renamed.as_bytes());
                if is_placed {
                    return Ok(relative(&path));
                }
                number += 1;
            }
            Err(error) => return Err(unwritable(&path, &error)),
        }
    }
}

/// The text with another name of its class, and the first line of promoted tests in the place of its own.
fn renamed(text: &str, from: &str, to: &str) -> String {
    let is_part = |one: char| one.is_alphanumeric() || one == '_' || one == '$';
    let rest = match text.split_once('\n') {
        Some((first, rest)) if first.starts_with("//") => rest,
        _ => text,
    };
    let mut renamed = format!("{HEADER}\n");
    let mut end = 0;
    for (at, _) in rest.match_indices(from) {
        let before = rest[..at].chars().next_back();
        let after = rest[at + from.len()..].chars().next();
        let is_whole = !before.is_some_and(is_part) && !after.is_some_and(is_part);
        if is_whole && !is_in_literal(&rest[..at]) {
            renamed.push_str(&rest[end..at]);
            renamed.push_str(to);
            end = at + from.len();
        }
    }
    renamed.push_str(&rest[end..]);
    renamed
}

/// True if what follows the text stands in a literal of its last line.
fn is_in_literal(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let mut quote = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match (quote, letter) {
            (Some(_), '\\') => drop(letters.next()),
            (None, '"' | '\'') => quote = Some(letter),
            (Some(open), _) if open == letter => quote = None,
            _ => {}
        }
    }
    quote.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_says_the_name_of_the_class_says_it_still() {
        let text = "class APalusTest {\n  char c = '\"'; String s = \"\\\"APalusTest\"; APalusTest own;\n}\n";
        let now = renamed(text, "APalusTest", "B");
        assert!(
            now.ends_with("class B {\n  char c = '\"'; String s = \"\\\"APalusTest\"; B own;\n}\n"),
            "{now}"
        );
    }

    #[test]
    fn a_file_gets_a_name_that_nobody_has() {
        let folder = tempfile::tempdir().unwrap();
        let text =
            "// Generated.\npackage demo;\n\nclass RatesPalusTest {\n  // OtherRatesPalusTest\n}\n";
        let place = |text: &str| place(folder.path(), "demo/Rates", text).unwrap();
        let other = text.replace("Other", "Further");
        assert_eq!(place(&other), "demo/RatesGeneratedTest.java");
        assert_eq!(place(text), "demo/RatesGenerated2Test.java");
        // As after a kill before it was given away.
        assert_eq!(place(text), "demo/RatesGenerated2Test.java");
        assert_eq!(place(&other), "demo/RatesGeneratedTest.java");
        let second = std::fs::read_to_string(folder.path().join("demo/RatesGenerated2Test.java"));
        let expected = format!(
            "{HEADER}\npackage demo;\n\nclass RatesGenerated2Test {{\n  // OtherRatesPalusTest\n}}\n"
        );
        assert_eq!(second.unwrap(), expected);
    }

    const TEXT: &str = "class RatesPalusTest {}\n";

    /// Runs as a process of its own too, in which no file may be so long.
    #[cfg(unix)]
    #[test]
    fn placer() {
        let Some(folder) = std::env::var_os("PALUS_TEST_FOLDER") else {
            return;
        };
        let limit = rustix::process::Rlimit {
            current: Some(100),
            maximum: Some(100),
        };
        rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
        let _ = place(Path::new(&folder), "Rates", &TEXT.repeat(100));
    }

    #[cfg(unix)]
    #[test]
    #[expect(clippy::disallowed_methods, reason = "the system kills it")]
    fn a_kill_while_a_test_is_promoted_leaves_no_part_of_it_among_the_sources() {
        use std::os::unix::process::ExitStatusExt;
        let folder = tempfile::tempdir().unwrap();
        let names = || -> Vec<String> {
            let entries = std::fs::read_dir(folder.path()).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            names.collect()
        };
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "write::promote::tests::placer"]);
        child.env("PALUS_TEST_FOLDER", folder.path());
        let output = child.output().unwrap();
        assert!(output.status.signal().is_some(), "{output:?}");
        let left = names();
        assert!(
            left.len() == 1
                && Path::new(&left[0])
                    .extension()
                    .is_none_or(|it| it != "java"),
            "{left:?}"
        );
        place(folder.path(), "Rates", TEXT).unwrap();
        assert_eq!(names(), ["RatesGeneratedTest.java"]);
    }
}
