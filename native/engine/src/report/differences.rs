//! Behaviour that differs between two revisions, in the report folder.
//!
//! Comes in: the differences. Goes out: `differences/differences.md`, `.json` and `.sarif`.
//! Does not know: how a difference was found.

use crate::report::files::{put, unwritable};
use crate::{Error, Settings};
use palus_report::Differences;

/// Where the files are, in the report folder.
const FOLDER: &str = "differences";

/// Writes them; gives the path of the text for people.
///
/// # Errors
/// A configuration error when the report folder cannot be written.
pub(crate) fn show(settings: &Settings, differences: &Differences) -> Result<String, Error> {
    let folder = settings.report_directory.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|error| unwritable(&folder, &error))?;
    let text = folder.join("differences.md");
    for (path, content) in [
        (&text, differences.markdown()),
        (&folder.join("differences.json"), differences.json()),
        (&folder.join("differences.sarif"), differences.sarif()),
    ] {
        put(path, &settings.secrets.redact(&content))?;
    }
    Ok(text.display().to_string())
}
