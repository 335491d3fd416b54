//! Is there anything to do? A digest of all inputs, kept beside the work files, with what the last run left beside tests.
//!
//! Comes in: settings, and which written files were edited. Goes out: the same text for the same inputs, wherever the
//! project and the JDK lie. Does not know: which settings decide what is written; `config.rs` says so of each.
//! Neither is part of it where agents of the project's tests lie, nor the value of a property of the command line that no
//! code names: both are others on each machine, or in each build.
//! The trace is not part of it: it is determined by the classes and tests, and its bytes differ between two
//! recordings of the same tests (thread timing); whether there is one is part of it.

mod elsewhere;
mod properties;

pub(crate) use properties::Properties;

use crate::Settings;
use crate::report::changes::CHANGES;
use crate::report::files::PAGES;
use crate::subject::class_path::Below;
use crate::subject::input::{Input, class_file};
use crate::subject::promoted::Promoted;
use crate::subject::traces::trace_files;
use crate::subject::user_code::is_user_code;
use crate::write::manifest::{Manifest, hash, hash_of, listed};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What all inputs are at one time.
#[derive(Clone, Debug)]
pub(crate) struct Inputs {
    /// Digest of everything that decides what is written.
    pub(crate) digest: String,
    /// Digest of what may run of it: classes, resources and jars.
    code: String,
    /// Which folders of classes are there, and when these and the files in them last changed: a class that is gone, or cut
    /// short, for a moment only is missed by whoever asks for it then.
    folders: String,
    /// Files of tests that somebody edited, and hashes of what they hold.
    edits: BTreeSet<(String, String)>,
}

impl Inputs {
    /// Whether what may run is still what it was then.
    pub(crate) fn have_same_code(&self, settings: &Settings) -> bool {
        // Last: what changes while the files are read is a change.
        self.code == hash(running(settings).as_bytes()) && self.folders == folders(settings)
    }

    /// Whether no test was edited since.
    pub(crate) fn have_all_edits(&self, manifest: &Manifest) -> bool {
        edits(manifest).is_subset(&self.edits)
    }
}

fn edits(manifest: &Manifest) -> BTreeSet<(String, String)> {
    let edits = manifest.edits().into_iter();
    edits.map(|(path, hash)| (path.to_owned(), hash)).collect()
}

/// What all inputs are now: to be asked before any code of the project is loaded.
pub(crate) fn inputs(settings: &Settings, manifest: &Manifest) -> Inputs {
    let mut text = deciding(settings, Properties::of(settings).all());
    if let Ok(baseline) = std::fs::read(&settings.baseline) {
        let _ = writeln!(text, "baseline {}", hash(&baseline));
    }
    let _ = writeln!(
        text,
        "promoted {}",
        Promoted::read(&settings.promote_directory).digest()
    );
    let _ = writeln!(text, "traced {}", !trace_files(settings).is_empty());
    let edits = edits(manifest);
    for (path, hash) in &edits {
        let _ = writeln!(text, "edited {path} {hash}");
    }
    // First: what changes while the files are read is a change.
    let folders = folders(settings);
    let code = running(settings);
    text += &code;
    Inputs {
        edits,
        folders,
        digest: hash(text.as_bytes()),
        code: hash(code.as_bytes()),
    }
}

/// Folders and jars of the class path, with the project's own folders, and hashes of all their files.
fn running(settings: &Settings) -> String {
    let mut text = String::new();
    let own = own_folders(settings);
    let mut seen = BTreeSet::new();
    for folder in own.iter().chain(&settings.class_path) {
        if folder.is_dir() && seen.insert(folder) {
            digest_folder(&mut text, (settings, folder), &|_| true);
        }
    }
    for entry in jars(settings) {
        let content = hash_of_file(entry).map_err(|error| error.kind());
        let _ = writeln!(text, "jar {} {content:?}", name(entry));
    }
    text
}

/// All folders and files below those that hold the code under test, each with what tells that it changed. Tests are compiled
/// into others, also those that an IDE finds written meanwhile.
fn folders(settings: &Settings) -> String {
    let mut text = String::new();
    let tests = &settings.test_classes_directories;
    let main = &settings.classes_directories;
    let mut open: Vec<PathBuf> = main.iter().chain(&settings.class_path).cloned().collect();
    open.retain(|folder| folder.is_dir() && (main.contains(folder) || !tests.contains(folder)));
    open.sort();
    open.dedup();
    let written = [
        &settings.work_directory,
        &settings.report_directory,
        &settings.output_directory,
        &settings.findings_directory,
    ];
    while let Some(folder) = open.pop() {
        // In such a one, names come and go by this run itself.
        if written
            .iter()
            .any(|one| one.starts_with(&folder) || folder.starts_with(one))
        {
            open.extend(entries(&folder).0);
            continue;
        }
        let _ = writeln!(text, "{} {}", folder.display(), stamp_of(&folder));
        let (inside, files) = entries(&folder);
        for file in files {
            let _ = writeln!(text, "{} {}", file.display(), stamp_of(&file));
        }
        open.extend(inside);
    }
    text
}

/// The folders and the files in a folder, by name.
fn entries(folder: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let (mut folders, mut files) = (Vec::new(), Vec::new());
    for entry in entries {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let of = if is_folder { &mut folders } else { &mut files };
        of.push(entry.path());
    }
    folders.sort();
    files.sort();
    (folders, files)
}

/// Of what a link leads to, where it is one.
fn stamp_of(path: &Path) -> String {
    std::fs::metadata(path).map_or_else(|_| String::new(), |is| stamp(&is))
}

#[cfg(unix)]
fn stamp(folder: &std::fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let (changed, part) = (folder.ctime(), folder.ctime_nsec());
    format!("{} {changed}.{part}", folder.ino())
}

#[cfg(not(unix))]
fn stamp(folder: &std::fs::Metadata) -> String {
    format!("{:?}", folder.modified().ok())
}

/// Hashes of all that the project's code is: class files and resources by relative path, jars by name.
pub(crate) fn code(settings: &Settings) -> BTreeMap<String, String> {
    let tests = &settings.test_classes_directories;
    let own = settings.classes_directories.iter();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    let mut seen: BTreeSet<&PathBuf> = tests.iter().collect();
    for folder in own.chain(&settings.class_path) {
        if !folder.is_dir() || !seen.insert(folder) {
            continue;
        }
        for file in Below::of(folder).files {
            let relative = file.strip_prefix(folder).unwrap_or(&file);
            let relative = relative.to_string_lossy().replace('\\', "/");
            *all.entry(relative).or_default() += &content(&file);
        }
    }
    for jar in jars(settings) {
        *all.entry(name(jar)).or_default() += &content(jar);
    }
    all
}

/// SHA-256 of a regular file of any size.
pub(crate) fn hash_of_file(path: &Path) -> std::io::Result<String> {
    hash_of(Input::open(path)?)
}

/// The same, with a word for a file that is not there.
fn content(path: &Path) -> String {
    hash_of_file(path).unwrap_or_else(|_| "gone".to_owned())
}

/// Digest of what decides for every class alike. Which classes and models there are is not part of it, nor what jars
/// hold, but for their names: a class rests on some of them only. Nor are the values of properties that classes name.
pub(crate) fn common(settings: &Settings, properties: &Properties) -> String {
    let settings = &Settings {
        update_baseline: false,
        incremental: true,
        ..settings.clone()
    };
    // Which classes are chosen decides for none of them.
    let is_choice = |line: &&str| {
        ["classes ", "excludes "]
            .iter()
            .any(|name| line.starts_with(name))
    };
    let lines = deciding(settings, properties.common.clone());
    let lines: Vec<&str> = lines.lines().filter(|line| !is_choice(line)).collect();
    let mut text = lines.join("\n");
    let is_class = |file: &Path| file.extension().is_some_and(|last| last == "class");
    let is_for_palus = |file: &Path| class_file(file).is_ok_and(|all| is_user_code(&all));
    let own = own_folders(settings);
    let mut seen = BTreeSet::new();
    for folder in own.iter().chain(&settings.class_path) {
        if folder.is_dir() && seen.insert(folder) {
            let is_own = own.contains(folder);
            digest_folder(&mut text, (settings, folder), &|file| {
                !is_class(file) || is_own && is_for_palus(file)
            });
        }
    }
    for entry in jars(settings) {
        let _ = writeln!(text, "jar {}", name(entry));
    }
    hash(text.as_bytes())
}

/// This Palus, the settings that decide, and the project's Java. Where the project, its agents and the JDK lie is no part of
/// it. Of properties of the command line it has these.
fn deciding(settings: &Settings, properties: Vec<String>) -> String {
    let mut text = format!("palus {}\n", env!("CARGO_PKG_VERSION"));
    let project = &settings.project_directory;
    let arguments = settings.jvm_arguments.iter();
    let arguments = arguments.map(|one| elsewhere::by_content(one, project));
    let anywhere = Settings {
        jvm_arguments: arguments.collect(),
        command_line_properties: properties,
        ..settings.clone()
    };
    text += &elsewhere::without_folder(&anywhere.deciding(), project);
    let java = std::fs::read(settings.java_home.join("release"));
    let _ = match java {
        Ok(release) => writeln!(text, "java {}", hash(&release)),
        Err(_) => writeln!(text, "java {}", settings.java_home.display()),
    };
    if let Ok(worker) = std::fs::read(&settings.worker_jar) {
        let _ = writeln!(text, "worker {}", hash(&worker));
    }
    text
}

/// Where the project's classes and tests are compiled to.
fn own_folders(settings: &Settings) -> Vec<PathBuf> {
    let classes = settings.classes_directories.iter();
    let all = classes.chain(&settings.test_classes_directories);
    all.cloned().collect()
}

fn jars(settings: &Settings) -> impl Iterator<Item = &PathBuf> {
    settings.class_path.iter().filter(|entry| entry.is_file())
}

/// What a complete run with this digest of its inputs leaves for the next: the digest, and what it owes its user beside
/// written tests, which the manifest knows. A file of it that is gone, or another one, makes the text another.
pub(crate) fn left(settings: &Settings, digest: &str) -> String {
    let mut text = format!("{digest}\n");
    for path in listed(&settings.findings_directory) {
        let content = content(&settings.findings_directory.join(&path));
        let _ = writeln!(text, "finding {path} {content}");
    }
    let _ = writeln!(text, "protocols {}", content(&protocols_file(settings)));
    // By name alone: looking at the tests of the last run writes into them, too.
    for folder in [PAGES, ""] {
        for name in files_in(&settings.report_directory.join(folder)) {
            let _ = writeln!(text, "report {folder}/{name}");
        }
    }
    text
}

/// Names of the files in a folder of the report, sorted, but for what looking at tests adds.
fn files_in(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let names = files.map(|file| file.file_name().to_string_lossy().into_owned());
    names.filter(|name| name != CHANGES).collect()
}

/// Where protocols of APIs are kept.
pub(crate) fn protocols_file(settings: &Settings) -> PathBuf {
    settings.work_directory.join("protocols.json")
}

/// Files of a folder: also a resource that the code reads decides what the code does.
fn digest_folder(
    text: &mut String,
    (settings, folder): (&Settings, &PathBuf),
    counts: &dyn Fn(&Path) -> bool,
) {
    let below = Below::of(folder);
    // Tests of ours that an earlier build compiled in among the user's decide nothing.
    let holds_tests = !settings.classes_directories.contains(folder)
        || settings.test_classes_directories.contains(folder);
    text.push_str("folder\n");
    for file in below.files {
        if holds_tests && is_written_test(&file) || !counts(&file) {
            continue;
        }
        let relative = file.strip_prefix(folder).unwrap_or(&file).display();
        let _ = match hash_of_file(&file) {
            Ok(hash) => writeln!(text, "file {relative} {hash}"),
            Err(_) => writeln!(text, "file {relative} unreadable"),
        };
    }
    for (path, _) in below.unreadable {
        let relative = path.strip_prefix(folder).unwrap_or(&path).display();
        let _ = writeln!(text, "folder {relative} unreadable");
    }
}

/// `RatesPalusTest.class`, `RatesPalusTest$1.class`
fn is_written_test(file: &Path) -> bool {
    let name = name(file);
    let class = name.strip_suffix(".class").unwrap_or_default();
    let outermost = class.split('$').next().unwrap_or_default();
    outermost.ends_with("PalusTest")
}

fn name(path: &Path) -> String {
    path.file_name()
        .map_or(String::new(), |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_compiled_tests_of_ours_decide_nothing_and_only_among_the_users() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let pair = |name: &str, at: PathBuf| (name.to_owned(), at.display().to_string());
        let settings = Settings::from_pairs(&[
            pair("outputDirectory", at("out")),
            pair("projectDirectory", at("")),
            pair("workDirectory", at("work")),
            pair("reportDirectory", at("report")),
            pair("classesDirectory", at("main")),
            pair("testClassesDirectory", at("test")),
            pair("classPath", at("test")),
            pair("classPath", at("main")),
            pair("javaHome", at("jdk")),
            pair("workerJar", at("worker.jar")),
        ])
        .unwrap();
        std::fs::create_dir(at("out")).unwrap();
        std::fs::create_dir(at("main")).unwrap();
        std::fs::create_dir(at("test")).unwrap();
        std::fs::create_dir(at("test/shop")).unwrap();
        let manifest = Manifest::of_tests(&settings).unwrap();
        for (name, decides) in [
            ("test/RatesPalusTest.class", false),
            ("test/RatesPalusTest$1.class", false),
            ("test/PalusTestSupport.class", true),
            ("test/RatesPalusTest.properties", true),
            ("test/shop/RatesPalusTest.class", false),
            ("main/PalusTestSupport.class", true),
            ("main/RatesPalusTest.class", true),
        ] {
            let before = inputs(&settings, &manifest);
            assert!(before.have_same_code(&settings));
            std::fs::write(at(name), "new").unwrap();
            let now = inputs(&settings, &manifest);
            assert_eq!(now.digest != before.digest, decides, "{name}");
            assert_eq!(!before.have_same_code(&settings), decides, "{name}");
        }
    }
}
