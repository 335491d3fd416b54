//! Class files by name, from the folders and jars of a class path.
//!
//! Comes in: the entries in class path order. Goes out: the bytes of a class, from the first entry that has it.
//! Does not know: what a class file holds; multi-release variants (the base variant is read).

use crate::mapped::Mapped;
use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

/// An open class path.
#[derive(Debug)]
pub(crate) struct ClassPath {
    entries: Vec<Entry>,
    /// Entries that could not be opened, with the cause.
    pub(crate) unreadable: Vec<(PathBuf, String)>,
}

#[derive(Debug)]
enum Entry {
    Folder(PathBuf),
    Jar {
        archive: zip::ZipArchive<Cursor<Mapped>>,
        by_name: BTreeMap<Box<str>, usize>,
    },
}

impl ClassPath {
    /// Opens every entry; missing ones are skipped, as `java` does.
    pub(crate) fn open(paths: &[PathBuf]) -> ClassPath {
        let mut entries = Vec::new();
        let mut unreadable = Vec::new();
        for path in paths {
            if path.is_dir() {
                entries.push(Entry::Folder(path.clone()));
            } else if path.is_file() {
                match open_jar(path) {
                    Ok(entry) => entries.push(entry),
                    Err(cause) => unreadable.push((path.clone(), cause)),
                }
            }
        }
        ClassPath {
            entries,
            unreadable,
        }
    }

    /// The class file of an internal name.
    pub(crate) fn read(&mut self, internal_name: &str) -> Option<Vec<u8>> {
        let file = format!("{internal_name}.class");
        self.entries.iter_mut().find_map(|entry| match entry {
            Entry::Folder(folder) => std::fs::read(folder.join(&file)).ok(),
            Entry::Jar { archive, by_name } => {
                let index = *by_name.get(file.as_str())?;
                let mut member = archive.by_index(index).ok()?;
                let mut bytes =
                    Vec::with_capacity(usize::try_from(member.size()).unwrap_or(0).min(1 << 24));
                member.read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
        })
    }

    /// True if some entry has this class.
    pub(crate) fn has(&self, internal_name: &str) -> bool {
        let file = format!("{internal_name}.class");
        self.entries.iter().any(|entry| match entry {
            Entry::Folder(folder) => folder.join(&file).is_file(),
            Entry::Jar { by_name, .. } => by_name.contains_key(file.as_str()),
        })
    }
}

fn open_jar(path: &Path) -> Result<Entry, String> {
    let mapped = Mapped::open(path).map_err(|error| error.to_string())?;
    let archive = zip::ZipArchive::new(Cursor::new(mapped)).map_err(|error| error.to_string())?;
    let by_name = (0..archive.len())
        .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into(), index)))
        .filter(|(name, _): &(Box<str>, usize)| name.ends_with(".class"))
        .collect();
    Ok(Entry::Jar { archive, by_name })
}

/// All class files below a folder, in path order (`/` before everything else), so that the order is the same on
/// every machine.
pub(crate) fn class_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "class")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}
