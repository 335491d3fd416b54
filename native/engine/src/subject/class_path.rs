//! Class files by name, from the folders and jars of a class path.
//!
//! Comes in: the entries in class path order, and the release of Java that runs them. Goes out: the bytes of a class, from the
//! first entry that has it; of a jar that says it is for several releases, those of the variant that this release loads.
//! Does not know: what a class file holds.

use crate::subject::input::{Input, LARGEST_CLASS_FILE, Watch, class_file};
use palus_bytecode::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Seek};
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
        path: PathBuf,
        archive: zip::ZipArchive<Input>,
        watch: Watch,
        by_name: BTreeMap<Box<str>, usize>,
    },
}

impl ClassPath {
    /// Opens every entry; missing ones are skipped, as `java` does.
    pub(crate) fn open(paths: &[PathBuf], release: u32) -> ClassPath {
        let mut entries = Vec::new();
        let mut unreadable = Vec::new();
        for path in paths {
            if path.is_dir() {
                entries.push(Entry::Folder(path.clone()));
            } else if path.is_file() {
                match open_jar(path, release) {
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
        self.find(internal_name).map(|(_, bytes)| bytes)
    }

    /// The same, and the place of the entry that has it.
    pub(crate) fn find(&mut self, internal_name: &str) -> Option<(usize, Vec<u8>)> {
        let file = format!("{internal_name}.class");
        let entries = self.entries.iter_mut().enumerate();
        let mut found = entries.filter_map(|(place, entry)| {
            let bytes = match entry {
                Entry::Folder(folder) => class_file(&folder.join(&file)).ok(),
                Entry::Jar {
                    archive, by_name, ..
                } => member(archive, *by_name.get(file.as_str())?),
            };
            Some((place, bytes?))
        });
        found.next()
    }

    /// A number for all of a jar that [`ClassPath::find`] does not find: resources, and variants for other releases. Of a
    /// folder it says nothing.
    pub(crate) fn others(&mut self, place: usize) -> u64 {
        let Some(Entry::Jar { archive, .. }) = self.entries.get_mut(place) else {
            return 0;
        };
        let mut digest = Digest::default();
        for place in 0..archive.len() {
            let Ok(member) = archive.by_index_raw(place) else {
                continue;
            };
            let name = member.name().unwrap_or_default();
            if !name.ends_with(".class") || name.starts_with("META-INF/") {
                digest.add(&(name, member.size(), member.crc32()));
            }
        }
        digest.finish()
    }

    /// Jars that somebody wrote since they were opened: what was read of them may be of two states, or damaged.
    pub(crate) fn changed(&self) -> Vec<PathBuf> {
        let changed = self.entries.iter().filter_map(|entry| match entry {
            Entry::Jar { path, watch, .. } if watch.has_changed() => Some(path.clone()),
            _ => None,
        });
        changed.collect()
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

/// The bytes of a member of an archive; none where it is damaged, or larger than any class file.
pub(crate) fn member<R: Read + Seek>(
    archive: &mut zip::ZipArchive<R>,
    place: usize,
) -> Option<Vec<u8>> {
    let member = archive.by_index(place).ok()?;
    // What an archive says of sizes is not to be trusted.
    let expected = usize::try_from(member.size()).unwrap_or(0).min(1 << 20);
    let mut bytes = Vec::with_capacity(expected);
    member
        .take(LARGEST_CLASS_FILE + 1)
        .read_to_end(&mut bytes)
        .ok()?;
    (bytes.len() as u64 <= LARGEST_CLASS_FILE).then_some(bytes)
}

fn open_jar(path: &Path, release: u32) -> Result<Entry, String> {
    let file = Input::open(path).map_err(|error| error.to_string())?;
    let watch = file.watch();
    let (archive, by_name) = open_archive(file, release)?;
    Ok(Entry::Jar {
        path: path.to_owned(),
        archive,
        watch,
        by_name,
    })
}

/// An archive and the places of the class files in it.
pub(crate) type Archive<R> = (zip::ZipArchive<R>, BTreeMap<Box<str>, usize>);

/// Opens an archive as a Java of this release does.
pub(crate) fn open_archive<R: Read + Seek>(bytes: R, release: u32) -> Result<Archive<R>, String> {
    let mut archive = zip::ZipArchive::new(bytes).map_err(|error| error.to_string())?;
    let mut by_name: BTreeMap<Box<str>, usize> = (0..archive.len())
        .filter_map(|index| Some((archive.name_for_index(index)?.ok()?.into(), index)))
        .filter(|(name, _): &(Box<str>, usize)| name.ends_with(".class"))
        .collect();
    if release > 8 && is_for_several_releases(&mut archive) {
        let variants = by_name.iter().filter_map(|(name, &index)| {
            let (of, base) = name.strip_prefix("META-INF/versions/")?.split_once('/')?;
            let of: u32 = of.parse().ok()?;
            (9..=release).contains(&of).then_some((base, of, index))
        });
        let mut variants: Vec<(Box<str>, u32, usize)> = variants
            .map(|(base, of, index)| (base.into(), of, index))
            .collect();
        // The last one counts.
        variants.sort_by_key(|(_, of, _)| *of);
        by_name.extend(variants.into_iter().map(|(base, _, index)| (base, index)));
    }
    Ok((archive, by_name))
}

/// Whether the manifest's main section says so.
fn is_for_several_releases<R: Read + Seek>(archive: &mut zip::ZipArchive<R>) -> bool {
    let place = archive.index_for_name("META-INF/MANIFEST.MF");
    let Some(manifest) = place.and_then(|place| member(archive, place)) else {
        return false;
    };
    let text = String::from_utf8_lossy(&manifest);
    let main = text.lines().take_while(|line| !line.is_empty());
    main.filter_map(|line| line.split_once(':'))
        .any(|(name, value)| {
            name.eq_ignore_ascii_case("Multi-Release") && value.trim().eq_ignore_ascii_case("true")
        })
}

/// All class files below a folder, in path order (`/` before everything else), so that the order is the same on
/// every machine. Links are followed, but no folder is looked into twice; pipes and the like are no class files.
pub(crate) fn class_files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    files_below(folder, ".class")
}

/// All files below a folder whose names end so, by name; each once, whatever links lead to it.
pub(crate) fn files_below(folder: &Path, end: &str) -> std::io::Result<Vec<PathBuf>> {
    let mut below = Below::of(folder);
    if !below.unreadable.is_empty() {
        return Err(below.unreadable.swap_remove(0).1);
    }
    below.files.retain(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().ends_with(end))
    });
    Ok(below.files)
}

/// What is below a folder.
#[derive(Debug, Default)]
pub(crate) struct Below {
    /// By name; each once, whatever links lead to it.
    pub(crate) files: Vec<PathBuf>,
    /// Folders that cannot be read.
    pub(crate) unreadable: Vec<(PathBuf, std::io::Error)>,
}

impl Below {
    pub(crate) fn of(folder: &Path) -> Below {
        let mut below = Below::default();
        let mut seen = BTreeSet::new();
        // In path order, so that of two ways to a folder always the same one is taken.
        let mut folders = BTreeSet::from([folder.to_path_buf()]);
        while let Some(folder) = folders.pop_first() {
            let is_new = folder.canonicalize().map(|place| seen.insert(place));
            let entries = match is_new {
                Ok(false) => continue,
                Ok(true) => std::fs::read_dir(&folder).and_then(Iterator::collect),
                Err(error) => Err(error),
            };
            let entries: Vec<std::fs::DirEntry> = match entries {
                Ok(entries) => entries,
                Err(error) => {
                    below.unreadable.push((folder, error));
                    continue;
                }
            };
            for path in entries.iter().map(std::fs::DirEntry::path) {
                if path.is_dir() {
                    folders.insert(path);
                } else if path.is_file() {
                    below.files.push(path);
                }
            }
        }
        below.files.sort();
        below
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;

    /// A jar with one large class `A` and one small class `B`, neither compressed.
    fn jar(folder: &Path) -> PathBuf {
        let path = folder.join("library.jar");
        let mut jar = zip::ZipWriter::new(File::create(&path).unwrap());
        let stored = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        for (name, bytes) in [("A.class", 1 << 20), ("B.class", 100)] {
            jar.start_file(name, stored).unwrap();
            jar.write_all(&vec![7; bytes]).unwrap();
        }
        jar.finish().unwrap();
        path
    }

    #[test]
    fn a_jar_that_is_cut_or_rewritten_while_it_is_read_is_named_and_loses_classes_at_most() {
        let folder = tempfile::tempdir().unwrap();
        let path = jar(folder.path());
        let mut class_path = ClassPath::open(std::slice::from_ref(&path), 17);
        assert_eq!(class_path.read("A").map(|bytes| bytes.len()), Some(1 << 20));
        assert!(class_path.changed().is_empty());

        let file = File::options().write(true).open(&path).unwrap();
        file.set_len(500).unwrap();
        assert_eq!(class_path.read("A"), None);
        assert_eq!(class_path.changed(), std::slice::from_ref(&path));

        let mut file = File::options().write(true).open(&path).unwrap();
        file.write_all(&vec![0xee; 2 << 20]).unwrap();
        assert_eq!((class_path.read("A"), class_path.read("B")), (None, None));
        assert_eq!(class_path.changed(), [path]);
    }

    #[test]
    fn a_jar_that_another_file_takes_the_place_of_is_read_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let path = jar(folder.path());
        let mut class_path = ClassPath::open(std::slice::from_ref(&path), 17);
        let other = folder.path().join("other");
        std::fs::write(&other, "no jar").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert_eq!(class_path.read("B").map(|bytes| bytes.len()), Some(100));
        assert!(class_path.changed().is_empty());
    }

    #[test]
    fn a_member_that_unpacks_to_more_than_any_class_file_has_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bomb.jar");
        let mut jar = zip::ZipWriter::new(File::create(&path).unwrap());
        let packed = zip::write::SimpleFileOptions::default();
        jar.start_file("A.class", packed).unwrap();
        let block = vec![0; 1 << 20];
        for _ in 0..=LARGEST_CLASS_FILE >> 20 {
            jar.write_all(&block).unwrap();
        }
        jar.finish().unwrap();
        assert_eq!(ClassPath::open(&[path], 17).read("A"), None);
    }

    #[test]
    fn of_a_jar_for_several_releases_the_variant_of_the_newest_one_that_runs_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("several.jar");
        for (says, expected) in [("true", [1, 2, 3]), ("false", [1, 1, 1])] {
            let mut jar = zip::ZipWriter::new(File::create(&path).unwrap());
            let packed = zip::write::SimpleFileOptions::default();
            let manifest = format!("Manifest-Version: 1.0\r\nMulti-Release: {says}\r\n\r\n");
            for (name, text) in [
                ("META-INF/MANIFEST.MF", manifest.as_bytes()),
                ("META-INF/versions/21/a/B.class", b"333"),
                ("META-INF/versions/9/a/B.class", b"22"),
                ("META-INF/versions/9/a/C.class", b"22"),
                ("a/B.class", b"1"),
            ] {
                jar.start_file(name, packed).unwrap();
                jar.write_all(text).unwrap();
            }
            jar.finish().unwrap();
            let read = [8, 17, 25].map(|release| {
                let mut class_path = ClassPath::open(std::slice::from_ref(&path), release);
                class_path.read("a/B").unwrap().len()
            });
            assert_eq!(read, expected, "{says}");
            let seventeen = ClassPath::open(std::slice::from_ref(&path), 17);
            assert_eq!(seventeen.has("a/C"), says == "true");
        }
    }

    #[cfg(unix)]
    #[test]
    fn folders_that_link_to_one_another_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir_all(at("a/b")).unwrap();
        std::fs::write(at("a/b/A.class"), "").unwrap();
        for link in ["a/b/up", "a/b/again", "z"] {
            std::os::unix::fs::symlink(folder.path(), at(link)).unwrap();
        }
        assert_eq!(class_files(folder.path()).unwrap(), [at("a/b/A.class")]);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_or_a_dead_link_with_the_name_of_a_class_is_passed_over() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        mknodat(
            CWD,
            at("Pipe.class"),
            FileType::Fifo,
            Mode::RUSR | Mode::WUSR,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink(at("absent"), at("Dead.class")).unwrap();
        assert!(class_files(folder.path()).unwrap().is_empty());
    }
}
