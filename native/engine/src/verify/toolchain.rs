//! The project's own compiler, run on generated sources.
//!
//! Comes in: sources as text, the project's class path and effective compiler settings.
//! Goes out: compiled classes and the compiler's errors by file and line.
//! Annotation processors and compiler plug-ins are left out, also those that a class path brings along as services: they are
//! looked for in an empty folder alone. So nothing but the compiler itself runs, and it needs no sandbox.
//! Does not know: what the sources are for.
//!
//! Everything is passed by an argument file, since class paths outgrow command lines. Compilers read that file in
//! their default charset, and file names in that of the locale: both are set to UTF-8 from outside, which works on
//! JDK 8 to 25.

mod archive;

use crate::worker::process::{Launch, Spawner, Trouble, is_past};
use crate::worker::sandbox::{fixed_environment, java_program, join_class_path};
use crate::write::disk::{is_full, unwritable};
use crate::{Cancel, Error, ErrorKind};
use archive::Archive;
use std::ffi::OsString;
use std::fmt::Write;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What to compile and how.
#[derive(Clone, Debug)]
pub struct Compilation<'a> {
    /// The project's JDK.
    pub java_home: &'a Path,
    /// Source level, used where `arguments` say none.
    pub language_level: u32,
    /// Effective javac arguments of the project's test compilation; those that would process annotations, turn
    /// warnings into errors or move files are left out.
    pub arguments: &'a [String],
    /// The test class path.
    pub class_path: &'a [PathBuf],
    /// Relative path and text of each source.
    pub sources: &'a [(PathBuf, String)],
    /// Emptied first; sources are written to `sources` and classes to `classes` below it.
    pub folder: &'a Path,
    /// A folder for what makes the compiler start sooner; nobody else may write to it.
    pub own_files: Option<&'a Path>,
}

/// What the compiler said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileResult {
    /// Folder of the class files; incomplete where there are errors.
    pub classes: PathBuf,
    /// Errors in the order the compiler reports them.
    pub errors: Vec<CompileError>,
    /// True if the compiler was ended since the run's time was over.
    pub is_cut: bool,
}

/// An error of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Relative path of the source, as it was given.
    pub file: PathBuf,
    /// Line, from 1.
    pub line: u32,
    /// First line of the message.
    pub message: String,
    /// Where a name is unknown: what has it, such as `method fee(int)`, and where it was looked for, such as
    /// `class Rates`.
    pub unknown: Option<(String, String)>,
}

/// How often a running compiler is asked whether the run is cancelled.
const PATIENCE: Duration = Duration::from_millis(100);

/// Bytes of a compiler's messages that are read.
const MOST_SAID: u64 = 16 << 20;

/// A folder that stays empty.
const NO_PROCESSORS: &str = "no-processors";

/// How long a JDK has to say its version.
const SAYS_WITHIN: Duration = Duration::from_secs(30);

/// Options with a value in the next argument that are ours to choose.
const DROPPED_PAIRS: &[&str] = &[
    "-d",
    "-s",
    "-h",
    "-cp",
    "-classpath",
    "--class-path",
    "-sourcepath",
    "--source-path",
    "-processor",
    "-processorpath",
    "--processor-path",
    "-encoding",
    "-Xmaxerrs",
    "-Xmaxwarns",
    "-p",
    "--module-path",
    "--module-source-path",
    "--processor-module-path",
];

/// Options that are ours to choose, by their beginning.
const DROPPED: &[&str] = &[
    "-Werror",
    "-Xlint",
    "-proc:",
    "-A",
    "-J",
    "-Xplugin",
    "-Xdoclint",
    "-XD",
    "-verbose",
    "-Xdiags",
    "-implicit:",
    "@",
    "--class-path=",
    "--source-path=",
    "--processor-path=",
    "--module-path=",
    "--module-source-path=",
    "--processor-module-path=",
];

/// Options that fix the language level.
const LEVELS: &[&str] = &["-source", "--source", "-target", "--target", "--release"];

/// Compiles all sources at once; at the deadline the compiler is ended.
///
/// # Errors
/// When the compiler cannot be run at all, or fails without naming a source.
pub fn compile(
    compilation: &Compilation<'_>,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> Result<CompileResult, Error> {
    let archive = compilation.own_files;
    let archive = archive.and_then(|folder| Archive::of(compilation.java_home, folder));
    let flag = archive.as_ref().and_then(Archive::flag);
    let result = compile_with(compilation, flag, deadline, cancel);
    match (archive, &result) {
        // A JVM does not always go on without an archive that is damaged.
        (Some(archive), Err(error)) if error.kind == ErrorKind::Configuration => {
            let without = compile_with(compilation, None, deadline, cancel);
            if without.is_ok() {
                archive.remove();
            }
            without
        }
        (Some(archive), Ok(compiled)) if !compiled.is_cut => {
            archive.keep();
            result
        }
        _ => result,
    }
}

/// The same with a flag for the compiler's JVM.
fn compile_with(
    compilation: &Compilation<'_>,
    flag: Option<OsString>,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> Result<CompileResult, Error> {
    let compiler = java_program(compilation.java_home, "javac")?;
    let sources = compilation.folder.join("sources");
    let classes = compilation.folder.join("classes");
    let argument_file = compilation.folder.join("javac.args");
    let text = argument_text(compilation, &sources, &classes)?;
    write_all(compilation, &sources, &classes)
        .and_then(|()| fs::write(&argument_file, text))
        .map_err(|error| unwritable(compilation.folder, &error))?;
    let mut argument = OsString::from("@");
    argument.push(&argument_file);
    let launch = Launch {
        program: compiler.clone(),
        arguments: vec![
            "-J-Dfile.encoding=UTF-8".into(),
            "-J-Dstdout.encoding=UTF-8".into(),
            "-J-Dstderr.encoding=UTF-8".into(),
            "-J-Duser.language=en".into(),
            "-J-Duser.country=US".into(),
            "-J-XX:+UseSerialGC".into(),
            // A compiler lives for seconds: compiling it thoroughly takes longer than it saves, for megabytes of sources too.
            "-J-XX:TieredStopAtLevel=1".into(),
            // All messages into a file: of standard error only the tail is kept.
            "-Xstdout".into(),
            compilation.folder.join("javac.log").into(),
            argument,
        ]
        .into_iter()
        .chain(flag)
        .collect(),
        folder: compilation.folder.to_owned(),
        environment: fixed_environment(compilation.folder, compilation.folder),
        ..Launch::default()
    };
    let Some((succeeded, complaints)) = run(launch, &compiler, deadline, cancel)? else {
        return Ok(CompileResult {
            classes,
            errors: Vec::new(),
            is_cut: true,
        });
    };
    let said = read_up_to(MOST_SAID, &compilation.folder.join("javac.log"));
    let said = String::from_utf8_lossy(&said);
    // Such a compiler blames the class that it was about to write.
    if !succeeded
        && (is_full(compilation.folder, &said) || is_full(compilation.folder, &complaints))
    {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        return Err(unwritable(compilation.folder, &full));
    }
    let errors = parse(&said, &sources);
    if !succeeded && errors.is_empty() {
        let texts = [&*said, &*complaints];
        let lines = || texts.iter().flat_map(|text| text.lines());
        let first = lines()
            .find(|line| line.contains("error"))
            .or_else(|| lines().find(|line| !line.trim().is_empty()))
            .unwrap_or("it says nothing");
        // JDK 8 knows no `--release`, for one.
        let hint = if first.contains("invalid flag") || first.contains("invalid target release") {
            "the compiler of the JDK that the project's tests run on does not know that option; use a newer JDK for the \
             tests, or leave the option out"
        } else {
            "check the compiler settings of the project's tests"
        };
        return Err(Error::configuration(
            format!("{} cannot compile tests: {first}", compiler.display()),
            hint,
        ));
    }
    Ok(CompileResult {
        classes,
        errors,
        is_cut: false,
    })
}

/// Runs the compiler to its end; true where it was content, and what it wrote to standard error. None where the deadline
/// came first.
fn run(
    launch: Launch,
    compiler: &Path,
    deadline: Option<Instant>,
    cancel: &Cancel,
) -> Result<Option<(bool, String)>, Error> {
    let broken = |error: &dyn std::fmt::Display| {
        Error::configuration(
            format!("{} does not run: {error}", compiler.display()),
            "point the project's toolchain (or JAVA_HOME) to a JDK that works",
        )
    };
    let spawner = Spawner::new();
    let mut process = spawner.spawn(launch).map_err(|error| broken(&error))?;
    process.close_input();
    let mut ignored = Vec::new();
    loop {
        if cancel.is_cancelled() {
            return Err(Error::new(ErrorKind::Cancelled, "cancelled", ""));
        }
        if is_past(deadline) {
            return Ok(None);
        }
        match process.receive(&mut ignored, PATIENCE) {
            Ok(()) => ignored.clear(),
            Err(Trouble::Late) => {}
            Err(Trouble::Ended) => break,
            Err(Trouble::System(error)) => return Err(broken(&error)),
        }
    }
    let status = process.wait(Duration::from_secs(10));
    Ok(Some((
        status.is_some_and(|status| status.success()),
        process.complaints(),
    )))
}

/// The version that a JDK says of itself, such as `1.8.0_402`; none where it does not run, or says nothing of it.
pub(crate) fn version(java_home: &Path) -> Option<String> {
    let program = java_program(java_home, "java").ok()?;
    let folder = tempfile::tempdir().ok()?;
    let launch = Launch {
        program: program.clone(),
        arguments: vec!["-version".into()],
        folder: folder.path().to_owned(),
        environment: fixed_environment(folder.path(), folder.path()),
        ..Launch::default()
    };
    #[expect(clippy::disallowed_methods, reason = "one that hangs says nothing")]
    let deadline = Instant::now() + SAYS_WITHIN;
    let (_, said) = run(launch, &program, Some(deadline), &Cancel::default()).ok()??;
    let (_, rest) = said.split_once("version \"")?;
    rest.split('"').next().map(str::to_owned)
}

/// `8` of `1.8.0_402`, `25` of `25-ea`.
pub(crate) fn feature(version: &str) -> &str {
    let version = version.strip_prefix("1.").unwrap_or(version);
    let mut parts = version.split(['.', '-', '+']);
    parts.next().unwrap_or(version)
}

fn write_all(compilation: &Compilation<'_>, sources: &Path, classes: &Path) -> std::io::Result<()> {
    for folder in [sources, classes] {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
    }
    for (name, text) in compilation.sources {
        let path = sources.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, text)?;
    }
    Ok(())
}

/// The argument file: one quoted argument a line.
fn argument_text(
    compilation: &Compilation<'_>,
    sources: &Path,
    classes: &Path,
) -> Result<String, Error> {
    let kept = kept_arguments(compilation.arguments);
    let mut text = String::new();
    let mut line = |argument: &str| {
        let escaped = argument.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "\"{escaped}\"").expect("a String takes all text");
    };
    if !kept.iter().any(|argument| is_level(argument)) {
        let level = compilation.language_level.to_string();
        for argument in ["-source", &level, "-target", &level] {
            line(argument);
        }
    }
    for argument in &kept {
        line(argument);
    }
    for argument in ["-proc:none", "-nowarn", "-Xlint:none", "-implicit:none"] {
        line(argument);
    }
    for argument in ["-Xmaxerrs", "10000", "-encoding", "UTF-8", "-d"] {
        line(argument);
    }
    line(unicode(classes)?);
    line("-processorpath");
    line(unicode(&compilation.folder.join(NO_PROCESSORS))?);
    let class_path = join_class_path(compilation.class_path)?;
    line("-classpath");
    line(unicode(Path::new(&class_path))?);
    for (name, _) in compilation.sources {
        line(unicode(&sources.join(name))?);
    }
    Ok(text)
}

/// The project's arguments without those that are ours to choose.
fn kept_arguments(arguments: &[String]) -> Vec<&str> {
    let mut kept = Vec::new();
    let mut arguments = arguments.iter().map(String::as_str);
    while let Some(argument) = arguments.next() {
        if DROPPED_PAIRS.contains(&argument) {
            arguments.next();
        } else if !DROPPED.iter().any(|dropped| argument.starts_with(dropped)) {
            kept.push(argument);
        }
    }
    kept
}

/// The first bytes of a file; none where it cannot be read.
fn read_up_to(bytes: u64, path: &Path) -> Vec<u8> {
    let mut read = Vec::new();
    let file = fs::File::open(path);
    let _ = file.and_then(|file| file.take(bytes).read_to_end(&mut read));
    read
}

fn is_level(argument: &str) -> bool {
    let name = argument.split('=').next().unwrap_or(argument);
    LEVELS.contains(&name)
}

fn unicode(path: &Path) -> Result<&str, Error> {
    path.to_str().ok_or_else(|| {
        Error::configuration(
            format!("the path {} is no Unicode", path.display()),
            "rename the folder",
        )
    })
}

/// Reads lines such as `/p/sources/com/acme/A.java:12: error: cannot find symbol`, and what follows of symbols.
pub(crate) fn parse(said: &str, sources: &Path) -> Vec<CompileError> {
    let Some(prefix) = sources.to_str() else {
        return Vec::new();
    };
    let read = |line: &str| {
        let rest = line.strip_prefix(prefix)?.trim_start_matches(['/', '\\']);
        let (place, message) = rest.split_once(": error: ")?;
        let (file, number) = place.rsplit_once(':')?;
        Some(CompileError {
            file: PathBuf::from(file),
            line: number.parse().ok()?,
            message: message.to_owned(),
            unknown: None,
        })
    };
    let mut errors: Vec<CompileError> = Vec::new();
    for line in said.lines() {
        if let Some(error) = read(line) {
            errors.push(error);
        } else if let Some(last) = errors.last_mut() {
            if let Some(symbol) = line.strip_prefix("  symbol:") {
                last.unknown
                    .get_or_insert_with(|| (symbol.trim().to_owned(), String::new()));
            } else if let Some(place) = line.strip_prefix("  location:")
                && let Some((_, known)) = &mut last.unknown
            {
                place.trim().clone_into(known);
            }
        }
    }
    errors
}

#[cfg(test)]
pub(crate) mod tests;
