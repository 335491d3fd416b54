//! The subject's build as the engine sees it: classes, JUnit flavour, test style.
//!
//! Comes in: [`Settings`] and a reader of platform classes (a worker's JVM has them).
//! Goes out: a [`Project`]: the [`Program`], which classes get tests, and what could not be read.
//! Does not know: traces, sequences.

use crate::config::Verification;
use crate::subject::class_path::{ClassPath, class_files};
use crate::subject::glob::matches;
use crate::subject::input::class_file;
use crate::subject::libraries::{CAPS, widened};
use crate::subject::promoted::Promoted;
use crate::subject::release::{Release, java_version};
use crate::subject::user_code::{UserCode, is_user_code};
use crate::{Error, Framework, Settings};
use palus_analyze::Facts;
use palus_bytecode::{ClassId, LoadError, Origin, Program, ProgramBuilder};
use palus_suite::{FolderOf, Style, TestFramework};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Tests that are written for one class and those nested in it.
pub(crate) const MOST_TESTS: usize = 100;

/// More rounds than this bring in classes that no parameter of the subject can be made of.
const CLOSING_ROUNDS: usize = 4;

/// How far initialisers of libraries are followed from class to class.
const FILLING_ROUNDS: usize = 5;

/// Reads class files of the platform by internal name.
pub(crate) type PlatformReader<'a> =
    dyn FnMut(&[Arc<str>]) -> Result<Vec<Option<Vec<u8>>>, Error> + 'a;

/// What is known about the subject before anything runs.
#[derive(Debug)]
pub(crate) struct Project {
    pub(crate) program: Arc<Program>,
    /// Outermost classes that get tests, by name.
    pub(crate) subjects: Vec<ClassId>,
    /// The first of them, also where it is not worked on: theories about no object are tried in its turn.
    pub(crate) first: Option<ClassId>,
    pub(crate) style: Style,
    /// What the user wrote for Palus.
    pub(crate) user_code: UserCode,
    /// Tests that Palus wrote and the project took over.
    pub(crate) promoted: Promoted,
    /// Class files that were left out, with the cause.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
    /// Jars that somebody wrote while they were read.
    pub(crate) changed: Vec<PathBuf>,
}

/// The project's class path as its JDK sees it; an unknown one sees what each does.
pub(crate) fn class_path(settings: &Settings) -> ClassPath {
    ClassPath::open(&settings.class_path, class_path_release(settings))
}

/// The release of Java that reads the class path.
pub(crate) fn class_path_release(settings: &Settings) -> u32 {
    const OLDEST: u32 = 8;
    java_version(settings).parse().unwrap_or(OLDEST)
}

impl Project {
    /// Reads everything.
    ///
    /// # Errors
    /// A configuration error when there is nothing to test or no JUnit to write for.
    pub(crate) fn load(
        settings: &Settings,
        platform: &mut PlatformReader<'_>,
    ) -> Result<Project, Error> {
        let java = java_version(settings);
        let mut class_path = class_path(settings);
        let style = style(settings, &class_path)?;
        let mut unreadable = std::mem::take(&mut class_path.unreadable);
        let mut builder = ProgramBuilder::new();
        for folder in settings
            .classes_directories
            .iter()
            .filter(|folder| folder.is_dir())
        {
            let files = class_files(folder).map_err(|error| {
                Error::configuration(
                    format!("cannot read {}: {error}", folder.display()),
                    "check its permissions",
                )
            })?;
            for file in files {
                let Some(name) = name_at(folder, &file) else {
                    continue; // no JVM looks there
                };
                let bytes = match class_file(&file) {
                    Ok(bytes) => bytes,
                    Err(error) => {
                        builder.note_unread(&name);
                        unreadable.push((file, error.to_string()));
                        continue;
                    }
                };
                if let Some(cause) = from_the_future(&bytes, &java) {
                    builder.note_unread(&name);
                    unreadable.push((file, cause));
                    continue;
                }
                match builder.add_as(Origin::Subject, &name, &bytes) {
                    Err(LoadError::Malformed(cause)) => unreadable.push((file, cause)),
                    Err(error @ LoadError::Misplaced(_)) => {
                        unreadable.push((file, error.to_string()));
                    }
                    _ => {}
                }
            }
        }
        add_user_code(settings, &mut builder);
        add_filling(&mut builder, &mut class_path);
        let mut release = Release::of(settings);
        let mut as_compiled = |names: &[Arc<str>]| {
            let mut files = platform(names)?;
            if let Some(release) = &mut release {
                for (name, file) in names.iter().zip(&mut files) {
                    *file = file.take().and_then(|own| release.class(name, own));
                }
            }
            Ok(files)
        };
        close(&mut builder, &mut class_path, &mut as_compiled)?;
        let program = builder.finish();
        let subjects = subjects(settings, &program);
        let user_code = UserCode::of(&program, settings.theories);
        Ok(Project {
            promoted: Promoted::read(&settings.promote_directory),
            program: Arc::new(program),
            first: subjects.first().copied(),
            subjects,
            style,
            user_code,
            unreadable,
            changed: class_path.changed(),
        })
    }

    /// The facts of the program; what it may come to outside of the JVM, and by chance, also by libraries that only bodies
    /// name.
    pub(crate) fn facts(&self, settings: &Settings) -> Facts {
        let mut class_path = class_path(settings);
        let widened = widened(&self.program, &mut class_path, CAPS);
        if let Some(text) = widened.said() {
            log::info!("{text}");
        }
        widened.facts(&self.program)
    }
}

/// The internal name by which a JVM looks for a file of a folder of classes; none where it looks for none, as below
/// `META-INF`, which is no package.
fn name_at(folder: &Path, file: &Path) -> Option<String> {
    let path = file.strip_prefix(folder).ok()?.with_extension("");
    let parts = path.components().map(|part| part.as_os_str().to_str());
    let parts: Vec<&str> = parts.collect::<Option<_>>()?;
    (parts.first() != Some(&"META-INF")).then(|| parts.join("/"))
}

/// Why the project's Java cannot load a class file; none where it can, or it is not known.
fn from_the_future(bytes: &[u8], java: &str) -> Option<String> {
    let major = u16::from_be_bytes([*bytes.get(6)?, *bytes.get(7)?]);
    let known = java.parse::<u16>().ok()? + JAVA_0;
    (major > known).then(|| {
        format!(
            "it has class file version {major} (Java {}), and the project's Java {java} loads none above {known}; compile \
             it with `--release {java}` or lower, or use a newer JDK for the tests",
            major - JAVA_0
        )
    })
}

/// Class file version of Java 1 less one.
const JAVA_0: u16 = 44;

/// Adds those test classes that hold something for Palus; none of them is ever tested.
fn add_user_code(settings: &Settings, builder: &mut ProgramBuilder) {
    let folders = settings.test_classes_directories.iter();
    for folder in folders.filter(|folder| folder.is_dir()) {
        for file in class_files(folder).unwrap_or_default() {
            let bytes = class_file(&file).unwrap_or_default();
            if is_user_code(&bytes) {
                // One that cannot be read is the user's own test, which their build tells them of.
                let _ = builder.add(Origin::Test, &bytes);
            }
        }
    }
}

/// Adds classes of the class path whose initialisers fill static fields that the subject reads, by what they ask, maybe.
fn add_filling(builder: &mut ProgramBuilder, class_path: &mut ClassPath) {
    let mut tried = std::collections::BTreeSet::new();
    for _ in 0..FILLING_ROUNDS {
        let mut names = builder.filling();
        names.retain(|name| tried.insert(name.clone()));
        if names.is_empty() {
            return;
        }
        for name in &names {
            if let Some(bytes) = class_path.read(name) {
                let _ = builder.add_as(Origin::Library, name, &bytes);
            }
        }
    }
}

/// Adds the classes that the subject's declarations name, from the class path or else the platform.
fn close(
    builder: &mut ProgramBuilder,
    class_path: &mut ClassPath,
    platform: &mut PlatformReader<'_>,
) -> Result<(), Error> {
    let mut absent = std::collections::BTreeSet::new();
    for round in 0..CLOSING_ROUNDS {
        let mut missing = builder.missing();
        if round == 0 {
            missing.extend(
                palus_generate::USEFUL_PLATFORM_CLASSES
                    .iter()
                    .map(|&name| Arc::from(name)),
            );
        }
        missing.retain(|name| !absent.contains(name));
        let mut from_platform = Vec::new();
        for name in missing {
            match class_path.read(&name) {
                Some(bytes) => {
                    let _ = builder.add_as(Origin::Library, &name, &bytes);
                }
                None => from_platform.push(name.clone()),
            }
            absent.insert(name);
        }
        if from_platform.is_empty() {
            return Ok(());
        }
        for bytes in platform(&from_platform)?.into_iter().flatten() {
            let _ = builder.add(Origin::Platform, &bytes);
        }
    }
    Ok(())
}

/// Those of all such classes that the settings choose, by name.
fn subjects(settings: &Settings, program: &Program) -> Vec<ClassId> {
    let is_chosen = |id: &ClassId| {
        let name = program.class(*id).binary_name();
        settings.classes.iter().any(|glob| matches(glob, &name))
            && !settings.excludes.iter().any(|glob| matches(glob, &name))
    };
    let all = all_subjects(program).into_iter();
    all.filter(is_chosen).collect()
}

/// Outermost subject classes that have something to call, by name.
pub(crate) fn all_subjects(program: &Program) -> Vec<ClassId> {
    let mut subjects: Vec<ClassId> = program
        .classes()
        .iter()
        .filter(|class| class.origin == Origin::Subject && class.outer.is_none() && !class.is_local)
        .filter(|class| !class.access.is_annotation() && !class.access.is_synthetic())
        .map(|class| class.id)
        .filter(|&id| has_code(program, id))
        .collect();
    subjects.sort_by(|&a, &b| program.class(a).name.cmp(&program.class(b).name));
    subjects
}

/// True if the class or a class nested in it has a method body.
fn has_code(program: &Program, id: ClassId) -> bool {
    let nest = program.nest(id).into_iter();
    let mut methods = nest.flat_map(|class| &program.class(class).methods);
    methods.any(|&method| program.method(method).code.is_some())
}

/// Which JUnit the test class path holds, and how source text must look for it.
fn style(settings: &Settings, class_path: &ClassPath) -> Result<Style, Error> {
    let jupiter = class_path.has("org/junit/jupiter/api/Test");
    let junit4 = class_path.has("org/junit/Test");
    let throwing = class_path.has("org/junit/function/ThrowingRunnable");
    let four = if throwing {
        TestFramework::Junit4
    } else {
        TestFramework::Junit4Early
    };
    let framework = match settings.framework {
        Framework::Auto | Framework::Junit5 | Framework::Junit6 if jupiter => {
            TestFramework::Jupiter
        }
        Framework::Auto | Framework::Junit4 if junit4 => four,
        wanted => {
            let what = match wanted {
                Framework::Auto => "JUnit is",
                Framework::Junit4 => "JUnit 4, which the setting `framework` asks for, is",
                _ => "JUnit Jupiter, which the setting `framework` asks for, is",
            };
            return Err(Error::configuration(
                format!("{what} not on the test class path"),
                without_junit(class_path, jupiter || junit4),
            ));
        }
    };
    Ok(Style {
        framework,
        language_level: settings.language_level,
        folder: match framework {
            TestFramework::Jupiter if class_path.has("org/junit/jupiter/api/io/TempDir") => {
                FolderOf::Field
            }
            TestFramework::Junit4 | TestFramework::Junit4Early
                if class_path.has("org/junit/rules/TemporaryFolder") =>
            {
                FolderOf::Rule
            }
            _ => FolderOf::Nobody,
        },
        has_own_threads: framework != TestFramework::Jupiter
            || class_path.has("org/junit/jupiter/api/Timeout$ThreadMode"),
        max_tests_per_class: match settings.verification {
            Verification::Twice => MOST_TESTS,
            Verification::Once => usize::MAX,
        },
        is_polished: settings.verification == Verification::Twice,
        has_mutants: settings.mutants,
    })
}

/// What to do where the wanted JUnit is missing. A build tool chooses what runs tests by what is on the class path: no advice
/// here may make it leave out tests that run today.
fn without_junit(class_path: &ClassPath, has_another: bool) -> &'static str {
    if has_another {
        "leave `framework` away: another JUnit is there, and tests are written for that one"
    } else if class_path.has("org/testng/annotations/Test") {
        "the tests here are TestNG's, and Palus writes for JUnit alone. With Gradle, add a test dependency on \
         org.junit.jupiter:junit-jupiter: the task `test` goes on using TestNG, and `palusTest` uses JUnit"
    } else if class_path.has("junit/framework/TestCase") {
        "use junit:junit:4.13.2 in place of JUnit 3, whose tests it runs as they are"
    } else {
        "where the module has no tests yet, add a test dependency on org.junit.jupiter:junit-jupiter (JUnit 5 or 6); \
         where it has tests of another framework, see first how to make the build run both, for a build tool may leave \
         out what is not JUnit's"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_file_from_the_future_is_left_out_with_both_versions() {
        let file = |major: u16| {
            let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0];
            bytes.extend(major.to_be_bytes());
            bytes
        };
        assert_eq!(from_the_future(&file(61), "17"), None);
        assert_eq!(from_the_future(&file(52), "8"), None);
        assert_eq!(from_the_future(&[0xca, 0xfe], "17"), None);
        let cause = from_the_future(&file(69), "17").expect("25 is newer than 17");
        assert!(cause.contains("version 69 (Java 25)"), "{cause}");
        assert!(cause.contains("Java 17 loads none above 61"), "{cause}");
    }
}
