//! Properties of the build's command line, as far as they decide: one that no code can read decides nothing, and builds
//! give such ones another value each time (`-Drevision=1.4.17`).
//!
//! Comes in: the arguments, the class path. Goes out: the names of all; the values of those that the JDK may read, or tests,
//! resources, other modules or libraries name; and which classes of the project name others.
//! A name is looked for as bytes of files of folders, and among the constants of classes of jars. A class that asks for all
//! properties names all. Not seen is what a library asks for by a name that it makes, or among all.
//! Does not know: who reaches a class that names one.

use super::elsewhere;
use crate::Settings;
use crate::subject::class_path::{Below, member};
use crate::subject::input::{Input, class_file};
use palus_analyze::Reach;
use palus_bytecode::Program;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Beginnings of names that the JDK reads, or may.
const OF_JDK: &[&str] = &[
    "apple.",
    "awt.",
    "com.sun.",
    "file.",
    "ftp.",
    "http.",
    "https.",
    "java.",
    "javax.",
    "jdk.",
    "line.",
    "native.",
    "networkaddress.",
    "org.jcp.",
    "org.w3c.",
    "org.xml.",
    "os.",
    "path.",
    "socks",
    "stderr.",
    "stdin.",
    "stdout.",
    "sun.",
    "swing.",
    "user.",
];

/// What decides of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Properties {
    /// Names of all, with the values of those that any code may read.
    pub(super) common: Vec<String>,
    /// The arguments that class files of the project name, which have these internal names.
    by_class: BTreeMap<String, BTreeSet<String>>,
}

impl Properties {
    pub(crate) fn of(settings: &Settings) -> Properties {
        let arguments = &settings.command_line_properties;
        if arguments.is_empty() {
            return Properties::default();
        }
        let mut read: BTreeSet<&str> = BTreeSet::new();
        read.extend(arguments.iter().map(|one| name(one)).filter(|name| {
            let is_first = |first: &&str| name.starts_with(first);
            OF_JDK.iter().any(is_first)
        }));
        let mut by_class: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut seen = BTreeSet::new();
        let own = &settings.classes_directories;
        let folders = own.iter().chain(&settings.test_classes_directories);
        for folder in folders.chain(&settings.class_path) {
            if !folder.is_dir() || !seen.insert(folder) {
                continue;
            }
            let is_own =
                own.contains(folder) && !settings.test_classes_directories.contains(folder);
            let files = Below::of(folder).files;
            let said = files.par_iter().map(|file| said_in(file, arguments));
            let said: Vec<Vec<&String>> = said.collect();
            for (file, said) in files.iter().zip(said) {
                let relative = file.strip_prefix(folder).unwrap_or(file).to_string_lossy();
                match relative.strip_suffix(".class").filter(|_| is_own) {
                    Some(class) if !said.is_empty() => {
                        let named = by_class.entry(class.replace('\\', "/")).or_default();
                        named.extend(said.into_iter().cloned());
                    }
                    Some(_) => {}
                    None => read.extend(said.into_iter().map(|one| name(one))),
                }
            }
        }
        let left = arguments.iter().map(|one| name(one));
        let left: BTreeSet<&str> = left.filter(|name| !read.contains(name)).collect();
        let jars = settings.class_path.iter().filter(|path| path.is_file());
        let agents = elsewhere::agents(&settings.jvm_arguments, &settings.project_directory);
        let jars: Vec<PathBuf> = jars.cloned().chain(agents).collect();
        let in_jars: Vec<BTreeSet<String>> =
            jars.par_iter().map(|jar| named_in(jar, &left)).collect();
        let is_read = |argument: &&String| {
            let name = name(argument);
            read.contains(name) || in_jars.iter().any(|names| names.contains(name))
        };
        let common = arguments.iter().map(|argument| {
            if is_read(&argument) {
                argument.clone()
            } else {
                format!("-D{}", name(argument))
            }
        });
        Properties {
            common: common.collect(),
            by_class,
        }
    }

    /// All that any code may read.
    pub(super) fn all(&self) -> Vec<String> {
        let named = self.by_class.values().flatten();
        self.common.iter().chain(named).cloned().collect()
    }

    /// Whether no class of the project names one.
    pub(crate) fn is_for_all(&self) -> bool {
        self.by_class.is_empty()
    }

    /// Those that are named by classes that code may run into.
    pub(crate) fn named_by(&self, program: &Program, reach: &Reach) -> BTreeSet<&str> {
        let classes = self.by_class.iter();
        let is_reached = |name: &str| match program.class_named(name) {
            Some(class) => reach.is_open || reach.classes.contains(&class),
            None => true,
        };
        let reached = classes.filter(|(class, _)| is_reached(class));
        let arguments = reached.flat_map(|(_, arguments)| arguments);
        arguments.map(String::as_str).collect()
    }
}

/// `mode` of `-Dmode=fast`
fn name(argument: &str) -> &str {
    let text = argument.strip_prefix("-D").unwrap_or(argument);
    text.split('=').next().unwrap_or(text)
}

/// Which of them a file names; all where nobody can tell.
fn said_in<'a>(file: &Path, arguments: &'a [String]) -> Vec<&'a String> {
    let Ok(bytes) = class_file(file) else {
        return arguments.iter().collect();
    };
    let is_class = file.extension().is_some_and(|last| last == "class");
    let has = |text: &[u8]| bytes.windows(text.len().max(1)).any(|part| part == text);
    let asks_for_all = is_class && has(b"java/lang/System") && has(b"getProperties");
    let said = arguments.iter();
    said.filter(|one| asks_for_all || has(name(one).as_bytes()))
        .collect()
}

/// A jar as it was at one time, and names that were looked for in it.
type Looked = (PathBuf, u64, Option<SystemTime>, Vec<String>);

/// What was found, for the same run asks several times.
static FOUND: Mutex<BTreeMap<Looked, BTreeSet<String>>> = Mutex::new(BTreeMap::new());

/// Jars that are remembered.
const REMEMBERED: usize = 4096;

/// Which of these names a jar's classes have as a constant; all where nobody can tell.
fn named_in(jar: &Path, names: &BTreeSet<&str>) -> BTreeSet<String> {
    let all = || names.iter().map(|&name| name.to_owned());
    if names.is_empty() {
        return BTreeSet::new();
    }
    let data = std::fs::metadata(jar);
    let (length, modified) = data.map_or((0, None), |data| (data.len(), data.modified().ok()));
    let key = (jar.to_path_buf(), length, modified, all().collect());
    let found = || FOUND.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = found().get(&key) {
        return known.clone();
    }
    let said = constants_of(jar, names).unwrap_or_else(|| all().collect());
    let mut found = found();
    if found.len() >= REMEMBERED {
        found.clear();
    }
    found.insert(key, said.clone());
    said
}

fn constants_of(jar: &Path, names: &BTreeSet<&str>) -> Option<BTreeSet<String>> {
    let mut archive = zip::ZipArchive::new(Input::open(jar).ok()?).ok()?;
    let mut said = BTreeSet::new();
    for place in 0..archive.len() {
        let entry = archive.by_index_raw(place).ok()?;
        let is_class = entry.name().is_ok_and(|name| name.ends_with(".class"));
        drop(entry);
        let bytes = is_class.then(|| member(&mut archive, place)).flatten();
        for constant in constants(bytes.as_deref().unwrap_or_default()) {
            if let Ok(text) = std::str::from_utf8(constant)
                && names.contains(text)
            {
                said.insert(text.to_owned());
            }
        }
    }
    Some(said)
}

/// The texts among the constants of a class file, as far as it can be read.
fn constants(bytes: &[u8]) -> Vec<&[u8]> {
    let number = |at: usize| {
        let two = bytes.get(at..at + 2)?;
        Some(usize::from(u16::from_be_bytes([two[0], two[1]])))
    };
    let mut texts = Vec::new();
    // Behind the magic number and two versions; the first constant is the one of number 1.
    let (mut at, mut left) = (10, number(8).unwrap_or(1).saturating_sub(1));
    while left > 0 {
        let Some(&tag) = bytes.get(at) else { break };
        left -= 1;
        at += 1;
        at += match tag {
            1 => {
                let Some(length) = number(at) else { break };
                let Some(text) = bytes.get(at + 2..at + 2 + length) else {
                    break;
                };
                texts.push(text);
                2 + length
            }
            // A long or double number has two places.
            5 | 6 => {
                left = left.saturating_sub(1);
                8
            }
            3 | 4 | 9..=12 | 17 | 18 => 4,
            15 => 3,
            7 | 8 | 16 | 19 | 20 => 2,
            _ => break,
        };
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_class_are_found_behind_constants_of_every_kind() {
        let source = "package a; class A {
          static final long LONG = 1L << 40; static final double HALF = 0.5;
          static Object read(String s) { Runnable r = () -> { }; return LONG + HALF + s + Long.getLong(\"my.size\"); }
        }";
        let options = palus_fixture::Options {
            release: Some(17),
            ..palus_fixture::Options::default()
        };
        let compiled = palus_fixture::compile_with(&[("a/A.java", source)], &options);
        let class = compiled.bytes("a/A");
        let texts = constants(class);
        assert!(texts.contains(&b"my.size".as_slice()));
        assert!(texts.contains(&b"SourceFile".as_slice()) && texts.contains(&b"read".as_slice()));
        assert!(!texts.contains(&b"my".as_slice()));
        for length in 0..class.len() {
            assert!(constants(&class[..length]).len() <= texts.len());
        }
        assert!(constants(b"no class").is_empty());
    }
}
