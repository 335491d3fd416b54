//! Written tests that become the project's own: they move into a folder of its sources, and are not written again.
//!
//! Comes in: the output folder with its manifest, which classes are chosen. Goes out: files in the folder of promoted
//! tests, none of which was there before.
//! Does not know: what the tests do; who holds their twins back (see `subject/promoted.rs`).

use crate::listener::{Cancel, Level, Listener};
use crate::subject::glob::matches;
use crate::subject::promoted::{HEADER, class_name};
use crate::write::disk::{create, sweep, unwritable};
use crate::write::earlier::Earlier;
use crate::write::kept::TESTS;
use crate::write::lock::Lock;
use crate::write::manifest::Manifest;
use crate::{Error, Settings, Summary, message};
use std::io::ErrorKind;
use std::path::Path;

/// Moves the written tests of the chosen classes.
///
/// # Errors
/// A configuration error where nothing is chosen, or a folder cannot be written.
pub fn promote(
    settings: &Settings,
    listener: &dyn Listener,
    cancel: &Cancel,
) -> Result<Summary, Error> {
    let nothing = || {
        Error::configuration(
            format!(
                "no written test of a class that `classes` chooses is in {}",
                settings.output_directory.display()
            ),
            "generate tests first, or choose other classes",
        )
    };
    if !settings.output_directory.is_dir() {
        return Err(nothing());
    }
    let _locks = Lock::of_run(settings, listener, cancel)?;
    let mut manifest = Manifest::of_tests(settings)?;
    let mut summary = Summary::default();
    for path in manifest.unwritten() {
        let Some(front) = path.strip_suffix(TESTS) else {
            continue;
        };
        let class = palus_bytecode::binary_name(front);
        let is_chosen = settings.classes.iter().any(|glob| matches(glob, &class))
            && !settings.excludes.iter().any(|glob| matches(glob, &class));
        let text = manifest.earlier(&path).or_else(|| manifest.edited(&path));
        let Some(text) = text.filter(|_| is_chosen) else {
            continue;
        };
        let tests = Earlier::new(&path, text.clone()).tests.len() as u64;
        let name = place(&settings.promote_directory, front, &text)?;
        // Where somebody deletes what is placed, inputs are again as the last run had them, and its tests are not there.
        let _ = std::fs::remove_file(settings.state_file());
        manifest.give_away(&path, &text)?;
        summary.tests += tests;
        summary.files += 1;
        listener.line(Level::Info, &message::promoted(tests, &class, &name));
    }
    if summary.files == 0 {
        return Err(nothing());
    }
    listener.line(
        Level::Info,
        &message::all_promoted(summary.tests, &settings.promote_directory),
    );
    let mut folders = settings.classes_directories.iter();
    if folders.any(|folder| folder.join("module-info.class").is_file()) {
        listener.line(Level::Warning, message::PROMOTED_IN_MODULE);
    }
    Ok(summary)
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
