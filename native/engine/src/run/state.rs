//! Is there anything to do? A digest of all inputs, kept beside the work files.
//!
//! Comes in: settings. Goes out: the same text for the same inputs. Does not know: which settings decide what is written;
//! `config.rs` says so of each.
//! The trace is not part of it: it is determined by the classes and tests, and its bytes differ between two
//! recordings of the same tests (thread timing); whether there is one is part of it.

use crate::subject::class_path::class_files;
use crate::subject::promoted::Promoted;
use crate::subject::traces::trace_files;
use crate::write::manifest::hash;
use crate::{Error, Settings};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Digest of everything that decides what is written.
pub(crate) fn digest(settings: &Settings) -> Result<String, Error> {
    let mut text = format!("palus {}\n", env!("CARGO_PKG_VERSION"));
    text += &settings.deciding();
    if let Ok(baseline) = std::fs::read(&settings.baseline) {
        let _ = writeln!(text, "baseline {}", hash(&baseline));
    }
    let _ = writeln!(
        text,
        "promoted {}",
        Promoted::read(&settings.promote_directory).digest()
    );
    if let Ok(worker) = std::fs::read(&settings.worker_jar) {
        let _ = writeln!(text, "worker {}", hash(&worker));
    }
    let _ = writeln!(text, "traced {}", !trace_files(settings).is_empty());
    for folder in settings
        .classes_directories
        .iter()
        .chain(&settings.test_classes_directories)
    {
        digest_folder(&mut text, folder)?;
    }
    for entry in settings.class_path.iter().filter(|entry| entry.is_file()) {
        let bytes = std::fs::metadata(entry).map_or(0, |data| data.len());
        let modified = std::fs::metadata(entry).and_then(|data| data.modified());
        let _ = writeln!(text, "jar {} {bytes} {modified:?}", name(entry));
    }
    Ok(hash(text.as_bytes()))
}

/// Where the digest of the last complete run is kept.
pub(crate) fn state_file(settings: &Settings) -> PathBuf {
    settings.work_directory.join("state")
}

fn digest_folder(text: &mut String, folder: &Path) -> Result<(), Error> {
    if !folder.is_dir() {
        return Ok(());
    }
    let unreadable = |path: &Path, error: &std::io::Error| {
        Error::configuration(
            format!("cannot read {}: {error}", path.display()),
            "check its permissions",
        )
    };
    for file in class_files(folder).map_err(|error| unreadable(folder, &error))? {
        // Tests of ours that an earlier build compiled in here decide nothing.
        if name(&file).contains("PalusTest") {
            continue;
        }
        let bytes = std::fs::read(&file).map_err(|error| unreadable(&file, &error))?;
        let relative = file.strip_prefix(folder).unwrap_or(&file);
        let _ = writeln!(text, "class {} {}", relative.display(), hash(&bytes));
    }
    Ok(())
}

fn name(path: &Path) -> String {
    path.file_name()
        .map_or(String::new(), |name| name.to_string_lossy().into_owned())
}
