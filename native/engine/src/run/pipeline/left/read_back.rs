//! Tests of the last run as sequences, so that those that still do what they did are written again as they are.
//!
//! Comes in: the files of the classes that are worked on. Goes out: the tests of each class, read back from what the
//! project's compiler makes of them. No note of the last run is needed: a fresh checkout has none.
//! A test that does not compile any more is left out; so are all where the compiler does not run.
//! Does not know: how a test is read back (`read_back.rs` of the suite), which of them stay.

use super::super::Pipeline;
use crate::run::defect::bounded;
use crate::subject::input::class_file;
use crate::subject::project::Project;
use crate::verify::toolchain::{Compilation, compile};
use crate::worker::WorkerSettings;
use crate::write::earlier::Earlier;
use crate::write::renewed::renewed;
use crate::{Error, ErrorKind};
use palus_analyze::Facts;
use palus_bytecode::{ClassId, Origin, ProgramBuilder};
use palus_suite::{ReadTest, read_back};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Tests that do not compile are taken out and the rest is compiled again, so often at most.
const ROUNDS: usize = 4;

/// Files of the last run by class.
type Files = BTreeMap<ClassId, Earlier>;

/// Tests of the last run by class.
type ReadTests = BTreeMap<ClassId, Vec<ReadTest>>;

impl Pipeline<'_> {
    /// Reads the tests of these files.
    ///
    /// # Errors
    /// Where the run is cancelled.
    pub(super) fn read_tests(
        &self,
        (project, facts): (&Project, &Facts),
        whole: &WorkerSettings,
        mut files: Files,
    ) -> Result<ReadTests, Error> {
        files.retain(|_, file| !self.settings.secrets.are_in_source(&file.text));
        let folder = self.settings.work_directory.join("earlier");
        let compiled = self.compiled(files, whole, &folder);
        let read = match compiled {
            Err(error) if error.kind == ErrorKind::Cancelled => return Err(error),
            Err(error) => {
                log::debug!("no test of the last run is read: {error}");
                ReadTests::new()
            }
            Ok(None) => ReadTests::new(),
            Ok(Some((files, classes))) => {
                let read = || read(project, facts, &files, &classes);
                let read = bounded(self.listener, "earlier tests", "read", read);
                read.unwrap_or_default()
            }
        };
        let _ = std::fs::remove_dir_all(&folder);
        Ok(read)
    }

    /// What compiles of these files, and the folder of their classes; none where nothing does.
    fn compiled(
        &self,
        mut files: Files,
        whole: &WorkerSettings,
        folder: &Path,
    ) -> Result<Option<(Files, PathBuf)>, Error> {
        for round in 0..=ROUNDS {
            if files.is_empty() {
                return Ok(None);
            }
            let sources = files.values();
            let sources = sources.map(|file| (PathBuf::from(&file.path), file.text.clone()));
            let sources: Vec<(PathBuf, String)> = sources.collect();
            let compilation = Compilation {
                java_home: &self.settings.java_home,
                language_level: self.settings.language_level,
                arguments: &self.settings.compiler_arguments,
                class_path: &self.settings.class_path,
                sources: &sources,
                folder,
                own_files: whole.own_files(),
            };
            let result = compile(&compilation, whole.deadline, self.cancel)?;
            if result.is_cut {
                return Ok(None);
            }
            if result.errors.is_empty() {
                return Ok(Some((files, result.classes)));
            }
            let refused = files.iter().map(|(&class, file)| {
                let of_file = result.errors.iter();
                let of_file = of_file.filter(|error| error.file == Path::new(&file.path));
                let lines: Vec<u32> = of_file.map(|error| error.line).collect();
                (class, lines)
            });
            let refused: BTreeMap<ClassId, Vec<u32>> = refused.collect();
            files = files
                .into_iter()
                .filter_map(|(class, file)| {
                    let lines = &refused[&class];
                    // In the end a file that still does not compile holds up no other.
                    let is_over = round + 1 >= ROUNDS && !lines.is_empty();
                    let left = (!is_over).then(|| without(&file, lines)).flatten();
                    Some((class, left?))
                })
                .collect();
        }
        Ok(None)
    }
}

/// A file without the tests and imports that stand in these lines; none where nothing is left, or one of them is neither.
fn without(file: &Earlier, lines: &[u32]) -> Option<Earlier> {
    let said: Vec<&str> = file.text.lines().collect();
    let is_import = |line: &u32| {
        let at = (*line as usize).checked_sub(1);
        let one = at.and_then(|at| said.get(at));
        one.is_some_and(|one| one.starts_with("import "))
    };
    let (imports, lines): (Vec<u32>, Vec<u32>) = lines.iter().partition(|line| is_import(line));
    let test_at = |line: &u32| {
        let mut tests = file.tests.iter();
        let test = tests.find(|test| (test.lines.0..=test.lines.1).contains(line))?;
        Some(test.name.clone())
    };
    let failing: BTreeSet<String> = lines.iter().map(test_at).collect::<Option<_>>()?;
    let kept = said.iter().zip(1..);
    let kept = kept.filter(|(_, line)| !imports.contains(line));
    let mut kept = kept.map(|(one, _)| *one).collect::<Vec<_>>().join("\n");
    kept.push('\n');
    let file = Earlier::new(&file.path, kept);
    if failing.is_empty() {
        return Some(file);
    }
    let rest = renewed(&file, &failing, None).map(|rest| rest.text);
    let rest = rest.filter(|text| !text.is_empty())?;
    Some(Earlier::new(&file.path, rest))
}

/// The tests of compiled files.
fn read(project: &Project, facts: &Facts, files: &Files, classes: &Path) -> ReadTests {
    let mut builder = ProgramBuilder::new();
    let mut ids = BTreeMap::new();
    for (&class, file) in files {
        let path = file.path.strip_suffix(".java").unwrap_or(&file.path);
        let bytes = class_file(&classes.join(format!("{path}.class")));
        let bytes = bytes.unwrap_or_default();
        if let Ok(id) = builder.add(Origin::Test, &bytes) {
            ids.insert(class, id);
        }
    }
    let tests = builder.finish();
    let is_pure = |method| facts.is_pure(method);
    let read = ids.into_iter().map(|(class, id)| {
        let read = read_back(&project.program, &is_pure, &tests, id);
        log::debug!(
            "{}: {} of {} tests of the last run are known",
            project.program.class(class).name,
            read.len(),
            files[&class].tests.len()
        );
        (class, read)
    });
    read.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_loses_the_tests_that_do_not_compile_and_no_others() {
        let text = "// Generated.\npackage demo;\n\nimport org.Test;\n\nclass APalusTest {\n  @Test\n  void one() {\n    \
            a();\n  }\n\n  @Test\n  void two() {\n    b();\n  }\n}\n";
        let file = Earlier::new("demo/APalusTest.java", text.to_owned());
        let names = |lines: &[u32]| {
            let left = without(&file, lines)?;
            let names = left.tests.iter().map(|test| test.name.clone());
            Some(names.collect::<Vec<String>>())
        };
        assert_eq!(names(&[]).unwrap(), ["one", "two"]);
        assert_eq!(names(&[9, 9]).unwrap(), ["two"]);
        assert_eq!(names(&[9, 14]), None);
        assert_eq!(names(&[4]).unwrap(), ["one", "two"]);
        assert_eq!(names(&[4, 9]).unwrap(), ["two"]);
        assert_eq!(names(&[6]), None);
    }
}
