//! What tests of whole runs share: a project without a build tool, from classes to tests on disk.
//!
//! Comes in: sources, their Java level, settings. Goes out: what was said and written. JUnit is stood in for by a few
//! lines with the same signatures, so that no registry is needed.
#![allow(dead_code, reason = "each test uses a part of it")]

use palus_engine::{
    Cancel, Error, ErrorKind, Level, Listener, Settings, Summary, accept, compare, differences,
    generate, promote,
};
use palus_fixture::{Compiled, Options, compile, compile_with};
use sha2::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

const JUNIT: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/experimental/theories/Theory.java",
        "package org.junit.experimental.theories;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Theory {}",
    ),
    (
        "org/junit/AssumptionViolatedException.java",
        "package org.junit;
        public class AssumptionViolatedException extends RuntimeException {}",
    ),
    (
        "org/junit/Assume.java",
        "package org.junit;
        public class Assume {
          public static void assumeNotNull(Object one) {
            if (one == null) throw new AssumptionViolatedException();
          }
        }",
    ),
    (
        "org/junit/function/ThrowingRunnable.java",
        "package org.junit.function;
        public interface ThrowingRunnable { void run() throws Throwable; }",
    ),
    (
        "org/junit/Assert.java",
        r#"package org.junit;
        import org.junit.function.ThrowingRunnable;
        public class Assert {
          public static void fail(String text) { throw new AssertionError(text); }
          static void check(String text, boolean holds) { if (!holds) fail(text); }
          public static void assertTrue(boolean a) { check(null, a); }
          public static void assertTrue(String text, boolean a) { check(text, a); }
          public static void assertFalse(boolean a) { check(null, !a); }
          public static void assertFalse(String text, boolean a) { check(text, !a); }
          public static void assertNull(Object a) { check(null, a == null); }
          public static void assertNotNull(Object a) { check(null, a != null); }
          public static void assertSame(Object a, Object b) { check(null, a == b); }
          public static void assertNotSame(String text, Object a, Object b) { check(text, a != b); }
          public static void assertEquals(long a, long b) {
            check("expected:<" + a + "> but was:<" + b + ">", a == b);
          }
          public static void assertEquals(double a, double b, double c) { check(null, a == b); }
          public static void assertEquals(float a, float b, float c) { check(null, a == b); }
          public static void assertArrayEquals(int[] a, int[] b) {
            check(null, java.util.Arrays.equals(a, b));
          }
          public static void assertArrayEquals(long[] a, long[] b) {
            check(null, java.util.Arrays.equals(a, b));
          }
          public static void assertArrayEquals(short[] a, short[] b) {
            check(null, java.util.Arrays.equals(a, b));
          }
          public static void assertArrayEquals(Object[] a, Object[] b) {
            check(null, java.util.Arrays.deepEquals(a, b));
          }
          public static void assertEquals(Object a, Object b) {
            check("expected:<" + a + "> but was:<" + b + ">", a == null ? b == null : a.equals(b));
          }
          public static void assertEquals(String text, long a, long b) { check(text, a == b); }
          public static void assertEquals(String text, Object a, Object b) {
            check(text, a == null ? b == null : a.equals(b));
          }
          public static <T extends Throwable> T assertThrows(Class<T> type, ThrowingRunnable code) {
            try {
              code.run();
            } catch (Throwable thrown) {
              if (type.isInstance(thrown)) return type.cast(thrown);
              throw new AssertionError("unexpected exception type thrown; expected:<" + type.getName() + "> but was:<" + thrown.getClass().getName() + ">");
            }
            throw new AssertionError("expected " + type.getName() + " to be thrown");
          }
        }"#,
    ),
    (
        "org/junit/Rule.java",
        "package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Rule {}",
    ),
    (
        "org/junit/rules/TemporaryFolder.java",
        "package org.junit.rules;
        public class TemporaryFolder {
          private java.io.File folder;
          public java.io.File getRoot() {
            if (folder == null) throw new IllegalStateException();
            return folder;
          }
        }",
    ),
    (
        "io/palus/annotations/PalusIgnore.java",
        "package io.palus.annotations;
        public @interface PalusIgnore { String[] value(); }",
    ),
    (
        "io/palus/annotations/ParamValue.java",
        "package io.palus.annotations;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface ParamValue { String cn(); String mn(); }",
    ),
];

/// A way into the engine.
type Run = fn(&Settings, &dyn Listener, &Cancel) -> Result<Summary, Error>;

/// What a run said.
#[derive(Default)]
struct Log(Mutex<String>);

/// What it warned of.
#[derive(Default)]
struct Warnings(Mutex<Vec<String>>);

impl Listener for Warnings {
    fn line(&self, level: Level, text: &str) {
        if level == Level::Warning {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    fn progress(&self, _: palus_engine::Progress<'_>) {}
}

impl Listener for Log {
    fn line(&self, _: Level, text: &str) {
        let mut log = self.0.lock().unwrap();
        writeln!(log, "{text}").unwrap();
    }

    fn progress(&self, _: palus_engine::Progress<'_>) {}
}

/// The same, with what somebody does at each line.
struct Watched<'w> {
    log: Log,
    then: &'w (dyn Fn(&str) + Sync),
}

impl Listener for Watched<'_> {
    fn line(&self, level: Level, text: &str) {
        self.log.line(level, text);
        (self.then)(text);
    }

    fn progress(&self, _: palus_engine::Progress<'_>) {}
}

/// What a first run left and said, for every test that begins with it.
struct FirstRun {
    folder: tempfile::TempDir,
    said: String,
}

/// First runs by their sources and settings, as long as some test goes on from one.
static FIRST_RUNS: Mutex<BTreeMap<String, Arc<Mutex<Weak<FirstRun>>>>> =
    Mutex::new(BTreeMap::new());

/// A project without a build tool.
pub struct Lab {
    pub folder: tempfile::TempDir,
    /// Where this lab goes on from one.
    first_run: Option<Arc<FirstRun>>,
    main: Compiled,
    test: Option<Compiled>,
    /// A folder, or a jar.
    library: Option<PathBuf>,
    level: u16,
}

impl Lab {
    /// Of Java 8.
    pub fn new(main: &[(&str, &str)], test: &[(&str, &str)]) -> Lab {
        Lab::at_level(8, main, test)
    }

    pub fn at_level(level: u16, main: &[(&str, &str)], test: &[(&str, &str)]) -> Lab {
        let junit = compile(JUNIT).dir;
        let with = |class_path: Vec<PathBuf>| Options {
            release: Some(level),
            class_path,
            ..Options::default()
        };
        let main = compile_with(main, &with(vec![junit.clone()]));
        let test =
            (!test.is_empty()).then(|| compile_with(test, &with(vec![junit, main.dir.clone()])));
        Lab {
            folder: tempfile::tempdir().unwrap(),
            first_run: None,
            main,
            test,
            library: None,
            level,
        }
    }

    /// Of Java 8 and without tests, after a first run; what that said is in [`Lab::said_first`]. Tests that begin with
    /// the same one have a copy each of what it left.
    pub fn after_run(main: &[(&str, &str)], options: &[(&str, &str)]) -> Lab {
        let mut lab = Lab::new(main, &[]);
        let key = format!("{main:?} {options:?}");
        let shared = Arc::clone(FIRST_RUNS.lock().unwrap().entry(key).or_default());
        // A failed first run fails every test that begins with it, each with its own words.
        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let first = shared.upgrade().unwrap_or_else(|| {
            let first = Lab::new(main, &[]);
            let said = first.run(options);
            let folder = first.folder;
            let first = Arc::new(FirstRun { folder, said });
            *shared = Arc::downgrade(&first);
            first
        });
        copy(first.folder.path(), lab.folder.path());
        lab.first_run = Some(first);
        lab
    }

    /// What the run said that this lab goes on from.
    pub fn said_first(&self) -> &str {
        &self.first_run.as_ref().expect("there was one").said
    }

    /// Of Java 8, without tests, and with a library on the class path.
    pub fn with_library(main: &[(&str, &str)], library: &[(&str, &str)]) -> Lab {
        let mut options = Options {
            release: Some(8),
            class_path: vec![compile(JUNIT).dir],
            ..Options::default()
        };
        let library = compile_with(library, &options);
        options.class_path.push(library.dir.clone());
        let library = library.dir;
        Lab {
            folder: tempfile::tempdir().unwrap(),
            first_run: None,
            main: compile_with(main, &options),
            test: None,
            library: Some(library),
            level: 8,
        }
    }

    /// Puts the classes of a package into a folder of the lab's own, where a test may change them; gives it.
    pub fn own_classes(&mut self, package: &str) -> PathBuf {
        let own = self.at("classes").join(package);
        std::fs::create_dir_all(&own).unwrap();
        for file in std::fs::read_dir(self.main.dir.join(package)).unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), own.join(file.file_name())).unwrap();
        }
        self.main.dir = self.at("classes");
        own
    }

    /// Whether a written file has the lines of a text, in whatever order.
    pub fn has_lines_of(&self, file: &str, text: &str) -> bool {
        let written = self.written("demo");
        let [mut one, mut other] =
            [&written[file], text].map(|text| text.lines().collect::<Vec<&str>>());
        one.sort_unstable();
        other.sort_unstable();
        one == other
    }

    /// The folder of work.
    pub fn work(&self) -> PathBuf {
        self.at("palus").join("work")
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs everything; gives what was said.
    pub fn run(&self, options: &[(&str, &str)]) -> String {
        self.try_run(options)
            .unwrap_or_else(|error| panic!("{error}"))
    }

    pub fn try_run(&self, options: &[(&str, &str)]) -> Result<String, Error> {
        let (said, ended) = self.told(options);
        ended.map(|()| said)
    }

    /// What was said, and how the run ended.
    pub fn told(&self, options: &[(&str, &str)]) -> (String, Result<(), Error>) {
        let log = Log::default();
        let ended = generate(&self.settings(options), &log, &Cancel::default());
        (log.0.into_inner().unwrap(), ended.map(drop))
    }

    /// What was said of the tests of the last run, and how that ended.
    pub fn compared(&self, options: &[(&str, &str)]) -> (String, Result<(), Error>) {
        let log = Log::default();
        let ended = compare(&self.settings(options), &log, &Cancel::default());
        (log.0.into_inner().unwrap(), ended.map(drop))
    }

    /// What a look at the tests of the last run, which passes, warned of.
    pub fn warned(&self, options: &[(&str, &str)]) -> Vec<String> {
        let warnings = Warnings::default();
        compare(&self.settings(options), &warnings, &Cancel::default()).unwrap();
        warnings.0.into_inner().unwrap()
    }

    /// As `told`, while somebody does something at each line.
    pub fn told_while(
        &self,
        options: &[(&str, &str)],
        then: &(dyn Fn(&str) + Sync),
    ) -> (String, Result<(), Error>) {
        self.watched(generate, options, then)
    }

    /// What is said by a run that somebody ends at the first line that has this text.
    pub fn ended_at(&self, options: &[(&str, &str)], text: &str) -> String {
        let cancel = Cancel::default();
        let then = |line: &str| {
            if line.contains(text) {
                cancel.cancel();
            }
        };
        let watched = Watched {
            log: Log::default(),
            then: &then,
        };
        let ended = generate(&self.settings(options), &watched, &cancel);
        assert_eq!(ended.unwrap_err().kind, ErrorKind::Cancelled);
        watched.log.0.into_inner().unwrap()
    }

    /// As `compared`, while somebody does something at each line.
    pub fn compared_while(
        &self,
        options: &[(&str, &str)],
        then: &(dyn Fn(&str) + Sync),
    ) -> (String, Result<(), Error>) {
        self.watched(compare, options, then)
    }

    /// As `accept`, while somebody does something at each line.
    pub fn accepted_while(
        &self,
        options: &[(&str, &str)],
        then: &(dyn Fn(&str) + Sync),
    ) -> (String, Result<(), Error>) {
        self.watched(accept, options, then)
    }

    fn watched(
        &self,
        run: Run,
        options: &[(&str, &str)],
        then: &(dyn Fn(&str) + Sync),
    ) -> (String, Result<(), Error>) {
        let log = Log::default();
        let watched = Watched { log, then };
        let ended = run(&self.settings(options), &watched, &Cancel::default());
        (watched.log.0.into_inner().unwrap(), ended.map(drop))
    }

    /// Replaces the written tests that fail; gives what was said.
    pub fn accept(&self, options: &[(&str, &str)]) -> String {
        let log = Log::default();
        accept(&self.settings(options), &log, &Cancel::default()).unwrap();
        log.0.into_inner().unwrap()
    }

    /// Compares the code with other classes of it; gives what was said.
    pub fn differences(&self, base: &Compiled, options: &[(&str, &str)]) -> Result<String, Error> {
        self.differences_beside(base, &[], options)
    }

    /// The same, with folders of other modules as they were, in the place of the library.
    pub fn differences_beside(
        &self,
        base: &Compiled,
        modules: &[PathBuf],
        options: &[(&str, &str)],
    ) -> Result<String, Error> {
        let log = Log::default();
        let mut settings = self.settings(options);
        settings.base_classes_directories = vec![base.dir.clone()];
        let own = std::slice::from_ref(&base.dir);
        settings.base_class_path = [own, modules, &[compile(JUNIT).dir]].concat();
        differences(&settings, &log, &Cancel::default())?;
        Ok(log.0.into_inner().unwrap())
    }

    /// Moves written tests among the project's own; gives what was said.
    pub fn promote(&self, options: &[(&str, &str)]) -> Result<String, Error> {
        let log = Log::default();
        promote(&self.settings(options), &log, &Cancel::default())?;
        Ok(log.0.into_inner().unwrap())
    }

    /// The project's own code is this now.
    pub fn edit(&mut self, main: &[(&str, &str)]) {
        let options = Options {
            release: Some(self.level),
            class_path: vec![compile(JUNIT).dir],
            ..Options::default()
        };
        self.main = compile_with(main, &options);
    }

    /// The library is this now.
    pub fn edit_library(&mut self, library: &[(&str, &str)]) {
        let options = Options {
            release: Some(8),
            ..Options::default()
        };
        self.library = Some(compile_with(library, &options).dir);
    }

    /// The library is a jar of these classes now, with a resource.
    pub fn pack_library(&mut self, library: &[(&str, &str)], resource: &str) {
        let options = Options {
            release: Some(8),
            ..Options::default()
        };
        let path = self.at("library.jar");
        let mut jar = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
        let stored = zip::write::SimpleFileOptions::default();
        for (name, bytes) in &compile_with(library, &options).classes {
            jar.start_file(format!("{name}.class"), stored).unwrap();
            jar.write_all(bytes).unwrap();
        }
        jar.start_file("library.properties", stored).unwrap();
        jar.write_all(resource.as_bytes()).unwrap();
        jar.finish().unwrap();
        self.library = Some(path);
    }

    /// Runs a class of the project's tests that has a `main` under the tracing agent; its trace is in the folder `trace`.
    #[expect(clippy::disallowed_methods, reason = "the traced program is a process")]
    pub fn trace(&self, class: &str, argument: &str) {
        let test = &self.test.as_ref().expect("there are tests").dir;
        let folder = self.at("trace");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let options = folder.join("agent.properties");
        let lines = format!(
            "output={}\ncap=10000\nclasses.0={}\ntestClasses.0={}\n",
            folder.display(),
            self.main.dir.display(),
            test.display()
        );
        std::fs::write(&options, lines).unwrap();
        let agent = format!(
            "-javaagent:{}={}",
            palus_fixture::worker_jar().display(),
            options.display()
        );
        let class_path = [&self.main.dir, test, &compile(JUNIT).dir];
        let ran = std::process::Command::new(palus_fixture::java_home().join("bin/java"))
            .arg(agent)
            .arg("-cp")
            .arg(std::env::join_paths(class_path).unwrap())
            .args([class, argument])
            .status();
        assert!(ran.unwrap().success());
    }

    /// The written tests of a package by name.
    pub fn written(&self, package: &str) -> BTreeMap<String, String> {
        let folder = self.at("tests").join(package);
        // The folder is missing where nothing was written.
        let files = std::fs::read_dir(&folder).into_iter().flatten();
        let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let read = |name: String| {
            let text = std::fs::read_to_string(folder.join(&name)).unwrap();
            (name, text)
        };
        names.map(read).collect()
    }

    /// Puts a text in the place of a written file, as if Palus had written it.
    pub fn forge(&self, path: &str, text: &str) {
        let manifest = self.at("tests/.palus-manifest");
        let listed = std::fs::read_to_string(&manifest).unwrap();
        let digest = sha2::Sha256::digest(text);
        let hash = digest.iter().fold(String::new(), |mut text, byte| {
            write!(text, "{byte:02x}").unwrap();
            text
        });
        let others = listed.lines().filter(|line| !line.ends_with(path));
        let mut lines: Vec<String> = others.map(str::to_owned).collect();
        lines.push(format!("{hash} {path}"));
        std::fs::write(self.at("tests").join(path), text).unwrap();
        std::fs::write(&manifest, lines.join("\n") + "\n").unwrap();
    }

    pub fn settings(&self, options: &[(&str, &str)]) -> Settings {
        self.settings_in(self.folder.path(), options)
    }

    /// Of a run that leaves all in another folder.
    pub fn settings_in(&self, folder: &Path, options: &[(&str, &str)]) -> Settings {
        let mut pairs: Vec<(String, String)> = Vec::new();
        let mut set = |name: &str, value: &Path| {
            pairs.push((name.to_owned(), value.display().to_string()));
        };
        let is_given = |setting: &str| options.iter().any(|(name, _)| *name == setting);
        if !is_given("outputDirectory") {
            set("outputDirectory", &folder.join("tests"));
        }
        set("projectDirectory", folder);
        set("workDirectory", &folder.join("palus/work"));
        set("reportDirectory", &folder.join("report"));
        set("classesDirectory", &self.main.dir);
        if let Some(test) = &self.test {
            set("testClassesDirectory", &test.dir);
            set("classPath", &test.dir);
        }
        set("classPath", &self.main.dir);
        if let Some(library) = &self.library {
            set("classPath", library);
        }
        set("classPath", &compile(JUNIT).dir);
        if !is_given("javaHome") {
            set("javaHome", &palus_fixture::java_home());
        }
        set("workerJar", palus_fixture::worker_jar());
        if !is_given("launcher") {
            set("launcher", palus_fixture::launcher());
        }
        let level = self.level.to_string();
        let fixed = [
            ("languageLevel", &*level),
            ("compilerArgument", "-Xlint:-options"),
            ("compilerArgument", "--release"),
            ("compilerArgument", &level),
            ("workerMemory", "256"),
        ];
        for (name, value) in fixed.iter().chain(options) {
            pairs.push(((*name).to_owned(), (*value).to_owned()));
        }
        Settings::from_pairs(&pairs).unwrap()
    }

    /// Identities of the findings in `report.json`, and whether each is new.
    pub fn findings(&self) -> BTreeSet<(String, bool)> {
        let text = std::fs::read_to_string(self.at("report/report.json")).unwrap();
        assert!(text.contains("\"unverified_findings\": 0,"), "{text}");
        let value = |line: &str, name: &str| {
            let start = format!("\"{name}\": ");
            let rest = line.trim().strip_prefix(&start)?;
            Some(rest.trim_end_matches(',').trim_matches('"').to_owned())
        };
        let ids = text.lines().filter_map(|line| value(line, "id"));
        let new = text.lines().filter_map(|line| value(line, "is_new"));
        ids.zip(new.map(|new| new == "true")).collect()
    }

    pub fn ids(&self) -> Vec<String> {
        self.findings().into_iter().map(|(id, _)| id).collect()
    }
}

/// Copies all that is in a folder.
pub fn copy(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&target).unwrap();
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// The sources of a sample project's package, by name.
pub fn sources(project: &str, package: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integration-tests/projects");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root.join(project).join("src/main/java").join(package)).unwrap()
    {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        found.push((format!("{package}/{name}"), text));
    }
    found.sort();
    found
}

/// Names and texts as what takes them wants them.
pub fn borrowed(sources: &[(String, String)]) -> Vec<(&str, &str)> {
    sources
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect()
}
