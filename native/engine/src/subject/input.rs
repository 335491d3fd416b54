//! Files that somebody else may change while they are read: jars, traces and class files.
//!
//! Comes in: a path. Goes out: its bytes by plain reads, and whether the file is still the one that was opened.
//! Only regular files are read, and what is read whole has a limit: a pipe would be waited for, and one huge file would
//! take the build's memory.
//! Nothing is mapped into memory: where a mapped file is cut short, the next access ends the whole process, and that
//! is the build's own JVM. A plain read just ends early.
//! Does not know: what the bytes are.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// Bytes read at once.
const BLOCK: usize = 16 << 10;

/// Bytes of a class or source file above which it is left alone. The largest ones known have a few MiB.
pub(crate) const LARGEST_CLASS_FILE: u64 = 64 << 20;

/// All bytes of a class or source file.
///
/// # Errors
/// Where it cannot be read, is no regular file, or is larger than any such file is.
pub(crate) fn class_file(path: &Path) -> io::Result<Vec<u8>> {
    let input = Input::open(path)?;
    let expected = input.watch.stamp.bytes.min(LARGEST_CLASS_FILE);
    let mut bytes = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
    input
        .file
        .take(LARGEST_CLASS_FILE + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_CLASS_FILE {
        return Err(io::Error::other(format!(
            "it has more than {} MiB",
            LARGEST_CLASS_FILE >> 20
        )));
    }
    Ok(bytes)
}

/// An open file.
#[derive(Debug)]
pub(crate) struct Input {
    file: BufReader<Arc<File>>,
    watch: Watch,
}

/// Tells whether an open file was changed since it was opened.
#[derive(Clone, Debug)]
pub(crate) struct Watch {
    file: Arc<File>,
    stamp: Stamp,
}

/// What changes when a file is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stamp {
    bytes: u64,
    modified: Option<SystemTime>,
}

impl Stamp {
    fn of(file: &File) -> io::Result<Stamp> {
        let data = file.metadata()?;
        Ok(Stamp {
            bytes: data.len(),
            modified: data.modified().ok(),
        })
    }
}

impl Input {
    /// Opens a file.
    pub(crate) fn open(path: &Path) -> io::Result<Input> {
        let file = Arc::new(open_at_once(path)?);
        if !file.metadata()?.is_file() {
            return Err(io::Error::other("it is no regular file"));
        }
        let stamp = Stamp::of(&file)?;
        Ok(Input {
            file: BufReader::with_capacity(BLOCK, Arc::clone(&file)),
            watch: Watch { file, stamp },
        })
    }

    /// What tells whether the file was changed, for who gives the file away.
    pub(crate) fn watch(&self) -> Watch {
        self.watch.clone()
    }

    /// How many bytes it had when it was opened.
    pub(crate) fn size(&self) -> u64 {
        self.watch.stamp.bytes
    }

    /// As many bytes as it had when it was opened, or what is left of them; an error where memory has no room for them.
    pub(crate) fn bytes(self) -> io::Result<Vec<u8>> {
        let size = self.size();
        let mut bytes = room(size)?;
        self.file.take(size).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Room for so many bytes; where there is none, the process must not end.
fn room(size: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes
        .try_reserve_exact(usize::try_from(size).unwrap_or(usize::MAX))
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    Ok(bytes)
}

/// Opens for reading; a pipe is not waited for.
fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    {
        use rustix::fs::OFlags;
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(OFlags::NONBLOCK.bits().cast_signed());
    }
    options.open(path)
}

impl Watch {
    /// True if the file was written since it was opened. One that another file took the place of is not: what is open
    /// is still the old one.
    pub(crate) fn has_changed(&self) -> bool {
        Stamp::of(&self.file).ok().as_ref() != Some(&self.stamp)
    }

    /// True if both were opened on the same state of a file.
    pub(crate) fn is_as(&self, other: &Watch) -> bool {
        self.stamp == other.stamp
    }
}

impl Read for Input {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.file.read(into)
    }
}

impl Seek for Input {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_memory_has_no_room_for_is_an_error() {
        assert_eq!(room(3).unwrap().capacity(), 3);
        let error = room(u64::MAX).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_is_no_input_and_is_not_waited_for() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.trace");
        mknodat(CWD, &path, FileType::Fifo, Mode::RUSR, 0).unwrap();
        let error = Input::open(&path).unwrap_err();
        assert_eq!(error.to_string(), "it is no regular file");
    }

    #[test]
    fn a_file_larger_than_any_class_file_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("A.class");
        let file = File::create(&path).unwrap();
        file.set_len(LARGEST_CLASS_FILE).unwrap();
        assert_eq!(class_file(&path).unwrap().len() as u64, LARGEST_CLASS_FILE);
        // A sparse file takes no room on the disk, and all of it in memory.
        file.set_len(1 << 42).unwrap();
        let error = class_file(&path).unwrap_err();
        assert_eq!(error.to_string(), "it has more than 64 MiB");
    }

    #[test]
    fn a_file_that_is_cut_while_it_is_read_just_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.trace");
        std::fs::write(&path, vec![7; 4 * BLOCK]).unwrap();
        let mut input = Input::open(&path).unwrap();
        let mut first = [0];
        input.read_exact(&mut first).unwrap();
        let watch = input.watch();
        assert!(!watch.has_changed());
        File::options()
            .write(true)
            .open(&path)
            .unwrap()
            .set_len(1)
            .unwrap();
        assert!(watch.has_changed());
        assert!(input.bytes().unwrap().len() < BLOCK);
    }

    #[test]
    fn what_is_no_regular_file_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Input::open(folder.path()).is_err());
        assert!(Input::open(&folder.path().join("absent")).is_err());
        #[cfg(unix)]
        assert!(Input::open(Path::new("/dev/zero")).is_err());
    }
}
