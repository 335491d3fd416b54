//! Is there anything to do? A digest of all inputs, kept beside the work files.
//!
//! Comes in: settings, and which written files were edited. Goes out: the same text for the same inputs. Does not know: which settings decide what is written;
//! `config.rs` says so of each.
//! The trace is not part of it: it is determined by the classes and tests, and its bytes differ between two
//! recordings of the same tests (thread timing); whether there is one is part of it.

use crate::Settings;
use crate::subject::class_path::Below;
use crate::subject::promoted::Promoted;
use crate::subject::traces::trace_files;
use crate::write::manifest::{Manifest, hash};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Digest of everything that decides what is written.
pub(crate) fn digest(settings: &Settings, manifest: &Manifest) -> String {
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
    for (path, hash) in manifest.edits() {
        let _ = writeln!(text, "edited {path} {hash}");
    }
    let own = settings
        .classes_directories
        .iter()
        .chain(&settings.test_classes_directories);
    let mut seen = BTreeSet::new();
    for folder in own.chain(&settings.class_path) {
        if folder.is_dir() && seen.insert(folder) {
            digest_folder(&mut text, folder);
        }
    }
    for entry in settings.class_path.iter().filter(|entry| entry.is_file()) {
        let bytes = std::fs::metadata(entry).map_or(0, |data| data.len());
        let modified = std::fs::metadata(entry).and_then(|data| data.modified());
        let _ = writeln!(text, "jar {} {bytes} {modified:?}", name(entry));
    }
    hash(text.as_bytes())
}

/// Where the digest of the last complete run is kept.
pub(crate) fn state_file(settings: &Settings) -> PathBuf {
    settings.work_directory.join("state")
}

/// All files of a folder: also a resource that the code reads decides what the code does.
fn digest_folder(text: &mut String, folder: &Path) {
    let below = Below::of(folder);
    text.push_str("folder\n");
    for file in below.files {
        // Tests of ours that an earlier build compiled in here decide nothing.
        if name(&file).contains("PalusTest") {
            continue;
        }
        let relative = file.strip_prefix(folder).unwrap_or(&file).display();
        let _ = match std::fs::read(&file) {
            Ok(bytes) => writeln!(text, "file {relative} {}", hash(&bytes)),
            Err(_) => writeln!(text, "file {relative} unreadable"),
        };
    }
    for (path, _) in below.unreadable {
        let relative = path.strip_prefix(folder).unwrap_or(&path).display();
        let _ = writeln!(text, "folder {relative} unreadable");
    }
}

fn name(path: &Path) -> String {
    path.file_name()
        .map_or(String::new(), |name| name.to_string_lossy().into_owned())
}
