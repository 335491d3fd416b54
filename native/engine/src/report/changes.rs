//! Behaviour that changed, in the report folder: of a run that ended there, and so wrote no report of its own.
//!
//! Comes in: the changes. Goes out: `changes.json`, and the report of the last run with them in it.
//! Does not know: how a change was found.

use crate::report::files::{SARIF, put, unwritable};
use crate::{Error, Settings};
use palus_report::{BehaviourChange, Report, changes_json, read_changes, with_changes};
use std::path::Path;

/// Where what `explain` reads is, in the report folder.
pub(crate) const CHANGES: &str = "changes.json";

/// Puts changes into the report of the last run; gives the path of its first page.
///
/// # Errors
/// A configuration error when the report folder cannot be written.
pub(crate) fn show(settings: &Settings, changes: &[BehaviourChange]) -> Result<String, Error> {
    let folder = &settings.report_directory;
    std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    let (report, index) = (folder.join("report.json"), folder.join("index.html"));
    let read = |path: &Path| std::fs::read_to_string(path).ok();
    let otherwise = Report {
        schema_version: palus_report::SCHEMA_VERSION,
        palus_version: env!("CARGO_PKG_VERSION").to_owned(),
        project: settings.project_name.clone(),
        command_line: settings.command_line.clone(),
        seed: settings.seed,
        reproducible: true,
        ..Report::default()
    };
    let shown = with_changes(
        read(&report).as_deref(),
        read(&index).as_deref(),
        changes,
        &otherwise,
    );
    for (path, text) in [
        (&report, &shown.json),
        (&index, &shown.page),
        (&folder.join(SARIF), &shown.sarif),
    ] {
        put(path, &settings.secrets.redact(text))?;
    }
    let path = folder.join(CHANGES);
    if changes.is_empty() {
        let _ = std::fs::remove_file(&path);
    } else {
        put(&path, &settings.secrets.redact(&changes_json(changes)))?;
    }
    Ok(index.display().to_string())
}

/// Takes the changes of an earlier run out of its report, where there are any.
///
/// # Errors
/// A configuration error when the report folder cannot be written.
pub(crate) fn clear(settings: &Settings) -> Result<(), Error> {
    if settings.report_directory.join(CHANGES).is_file() {
        show(settings, &[])?;
    }
    Ok(())
}

/// What the last run found changed.
pub(crate) fn of_last_run(folder: &Path) -> Vec<BehaviourChange> {
    let text = std::fs::read_to_string(folder.join(CHANGES));
    text.map_or_else(|_| Vec::new(), |text| read_changes(&text))
}
