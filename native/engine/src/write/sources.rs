//! Sources of test classes as files.
//!
//! Comes in: test classes, or texts with their paths. Goes out: files in the folder of a manifest.
//! Does not know: whether the tests pass.

use crate::Error;
use crate::verify::verifier::relative_path;
use crate::write::manifest::{Manifest, Written};
use palus_suite::{Source, TestClass};

/// Writes verified classes; returns names of files that are not ours and were left alone.
///
/// # Errors
/// When the output folder cannot be written.
pub(crate) fn write(
    manifest: &mut Manifest,
    classes: &[(TestClass, Source)],
) -> Result<Vec<String>, Error> {
    let files: Vec<_> = classes
        .iter()
        .map(|(class, source)| (relative_path(class), source.text.as_str()))
        .collect();
    left_alone(manifest, &files)
}

/// Writes files; returns names of those that are not ours and were left alone.
///
/// # Errors
/// When the folder cannot be written.
pub(crate) fn left_alone(
    manifest: &mut Manifest,
    files: &[(String, &str)],
) -> Result<Vec<String>, Error> {
    let fates = manifest.write_all(files)?;
    let files = files.iter().zip(fates);
    let left = files.filter(|(_, fate)| *fate == Written::NotOurs);
    Ok(left.map(|((path, _), _)| path.clone()).collect())
}
