//! The project's own compiler, run on generated sources.
//!
//! Comes in: sources as text, the project's class path and effective compiler settings.
//! Goes out: compiled classes and the compiler's errors by file and line.
//! Does not know: what the sources are for.

use crate::{Cancel, Error};
use std::path::{Path, PathBuf};

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
}

/// What the compiler said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompileResult {
    /// Folder of the class files; incomplete where there are errors.
    pub classes: PathBuf,
    /// Errors in the order the compiler reports them.
    pub errors: Vec<CompileError>,
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
}

/// Compiles all sources at once.
///
/// # Errors
/// When the compiler cannot be run at all, or fails without naming a source.
pub fn compile(compilation: &Compilation<'_>, cancel: &Cancel) -> Result<CompileResult, Error> {
    let _ = (compilation, cancel);
    Err(Error::internal("the compiler is missing"))
}
