//! Files of several entries of a class path, by their paths in these.
//!
//! Comes in: folders and jars, in order, and the release of Java that reads them. Goes out: paths with `/`, and the bytes
//! of each file; the first entry that has a path counts.
//! Does not know: what a file holds, what it is compared with.

use crate::Error;
use crate::subject::class_path::{Below, member, open_archive};
use crate::subject::input::{Input, class_file};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Open folders and jars.
#[derive(Default)]
pub(super) struct Entries {
    files: BTreeMap<String, Place>,
    archives: Vec<zip::ZipArchive<Input>>,
}

/// Where a file is.
enum Place {
    /// In a folder.
    File(PathBuf),
    /// A member of one of the archives.
    Member(usize, usize),
}

impl Entries {
    /// Opens them. What is missing has no files, as for `java`; nor has what is no jar, of which runs warn.
    ///
    /// # Errors
    /// A configuration error when a folder cannot be read.
    pub(super) fn of<'a>(
        paths: impl IntoIterator<Item = &'a PathBuf>,
        release: u32,
    ) -> Result<Entries, Error> {
        let mut entries = Entries::default();
        for path in paths {
            if path.is_dir() {
                entries.add_folder(path)?;
            } else if path.is_file() {
                entries.add_jar(path, release);
            }
        }
        Ok(entries)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), Error> {
        let mut below = Below::of(folder);
        if let Some((path, error)) = below.unreadable.pop() {
            return Err(unreadable(&path, &error));
        }
        for file in below.files {
            let path = file.strip_prefix(folder).unwrap_or(&file);
            let path = path.to_string_lossy().replace('\\', "/");
            self.files.entry(path).or_insert(Place::File(file));
        }
        Ok(())
    }

    fn add_jar(&mut self, path: &Path, release: u32) {
        let opened = Input::open(path).map_err(|error| error.to_string());
        let Ok((archive, classes)) = opened.and_then(|file| open_archive(file, release)) else {
            return;
        };
        let at = self.archives.len();
        let others = (0..archive.len()).filter_map(|member| {
            let name = archive.name_for_index(member)?.ok()?;
            let is_other = !name.ends_with(".class") && !name.ends_with('/');
            is_other.then(|| (name.into(), member))
        });
        for (name, member) in classes.into_iter().chain(others) {
            let place = Place::Member(at, member);
            self.files.entry(name.into_string()).or_insert(place);
        }
        self.archives.push(archive);
    }

    /// All paths, in order.
    pub(super) fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.files.contains_key(path)
    }

    /// Whether it lies in a folder.
    pub(super) fn is_file(&self, path: &str) -> bool {
        matches!(self.files.get(path), Some(Place::File(_)))
    }

    /// The bytes; none where there is no such file, or a jar is damaged.
    ///
    /// # Errors
    /// A configuration error when a file of a folder cannot be read.
    pub(super) fn bytes(&mut self, path: &str) -> Result<Option<Vec<u8>>, Error> {
        match self.files.get(path) {
            None => Ok(None),
            Some(Place::File(file)) => {
                let bytes = class_file(file).map_err(|error| unreadable(file, &error));
                bytes.map(Some)
            }
            Some(&Place::Member(archive, place)) => Ok(member(&mut self.archives[archive], place)),
        }
    }
}

fn unreadable(path: &Path, error: &std::io::Error) -> Error {
    Error::configuration(
        format!("cannot read {}: {error}", path.display()),
        "check its permissions",
    )
}
