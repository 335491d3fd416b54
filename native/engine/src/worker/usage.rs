//! How much of the machine a JVM uses, as Linux tells it.
//!
//! Comes in: a process id, the JVM's heap, and the folder that it may write into. Goes out: words for what is too much.
//! The kernel's own limits hold before (see the launcher): on memory that is asked for, stacks of threads included. They
//! must leave room for what a JVM reserves and seldom uses; what it really uses is watched here, more closely.
//! Does not know: what is done about it. On other systems nothing is ever too much.

use crate::worker::folder::{CHECKOUT, HOME, TEMPORARY};
use palus_sequence::Crash;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// Threads a JVM may have, its own twenty included.
pub(crate) const MOST_THREADS: u64 = 500;
/// Memory in use that a JVM may have beside its heap, in MiB: classes, code, mapped files, what native code takes.
pub(crate) const RESIDENT_BEYOND_HEAP_MIB: u64 = 512;

/// What the files may take together that a JVM's program made, in MiB: the kernel has a limit for each file alone.
pub(crate) const MOST_FILES_MIB: u64 = 512;
/// And how many there may be.
const MOST_FILES: usize = 10_000;
/// What they may take where tests follow one another in one JVM, in MiB: each leaves its own.
const MOST_FILES_OF_TESTS_MIB: u64 = 8 * MOST_FILES_MIB;

/// Bytes that what is told of a process seldom fills.
const ROOM: usize = 4 << 10;

/// Which figure of memory counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// What is in use now.
    Now,
    /// The most that was in use since the JVM started, however short.
    Peak,
}

/// What a process has too much of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excess {
    /// Which limit it is beyond.
    pub of: Crash,
    /// The same in words.
    pub text: String,
}

/// What a process with this heap, in MiB, has too much of.
pub fn excess(process: u32, heap_mib: u64, memory: Memory) -> Option<Excess> {
    Usage::of(process).excess(heap_mib, memory)
}

/// What the files in a JVM's own folders take too much of.
pub fn filled(folder: &Path) -> Option<Excess> {
    let files = Files::in_folders(folder);
    (files.bytes > MOST_FILES_MIB << 20 || files.number >= MOST_FILES).then(too_many_files)
}

fn too_many_files() -> Excess {
    Excess {
        of: Crash::Disk,
        text: format!(
            "it wrote files of more than {MOST_FILES_MIB} MiB together, or {MOST_FILES} files"
        ),
    }
}

/// The files in a JVM's own folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Files {
    /// What they take together.
    bytes: u64,
    /// How many there are, folders included.
    number: usize,
}

impl Files {
    fn in_folders(folder: &Path) -> Files {
        let mut open = [TEMPORARY, CHECKOUT, HOME]
            .map(|name| folder.join(name))
            .to_vec();
        let mut files = Files::default();
        while let Some(each) = open.pop() {
            // Whatever goes meanwhile takes nothing.
            for entry in fs::read_dir(each).into_iter().flatten().flatten() {
                let Ok(about) = entry.metadata() else {
                    continue;
                };
                if about.is_dir() {
                    open.push(entry.path());
                } else {
                    files.bytes += taken(&about);
                }
                files.number += 1;
                if files.number >= 8 * MOST_FILES {
                    return files;
                }
            }
        }
        files
    }
}

/// What tests that follow one another in one JVM leave in its folders.
#[derive(Debug, Default)]
pub struct Left {
    /// When the test that runs was not yet heard of.
    before: Files,
    last: Files,
}

/// What is to become of a JVM for its files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Filled {
    No,
    /// The test that runs took too much.
    ByTest(Excess),
    /// All tests together did: another JVM begins with none.
    ByAll,
}

impl Left {
    /// Another test runs.
    pub fn next(&mut self) {
        self.before = self.last;
    }

    /// Looks at the folders.
    pub fn look(&mut self, folder: &Path) -> Filled {
        self.take(Files::in_folders(folder))
    }

    fn take(&mut self, now: Files) -> Filled {
        self.last = now;
        let bytes = now.bytes.saturating_sub(self.before.bytes);
        let number = now.number.saturating_sub(self.before.number);
        if bytes > MOST_FILES_MIB << 20 || number >= MOST_FILES {
            Filled::ByTest(too_many_files())
        } else if now.bytes > MOST_FILES_OF_TESTS_MIB << 20 || now.number >= 8 * MOST_FILES {
            Filled::ByAll
        } else {
            Filled::No
        }
    }
}

/// What a file takes on the disk, which may be less than its length.
#[cfg(unix)]
fn taken(about: &fs::Metadata) -> u64 {
    use std::os::unix::fs::MetadataExt;
    about.blocks() * 512
}
#[cfg(not(unix))]
fn taken(about: &fs::Metadata) -> u64 {
    about.len()
}

/// Where a process's use is told, opened once: it is asked after each batch.
#[derive(Debug)]
pub struct Usage {
    process: u32,
    /// None where it could not be opened, which is tried again.
    status: Option<File>,
    text: Vec<u8>,
}

impl Usage {
    /// That of a process; as long as this is kept, no other process can be meant.
    pub fn of(process: u32) -> Usage {
        let mut usage = Usage {
            process,
            status: None,
            text: Vec::new(),
        };
        usage.open();
        usage
    }

    fn open(&mut self) {
        if self.status.is_none() {
            self.status = File::open(format!("/proc/{}/status", self.process)).ok();
        }
    }

    /// What the process, with this heap in MiB, has too much of.
    pub fn excess(&mut self, heap_mib: u64, memory: Memory) -> Option<Excess> {
        let length = self.read()?;
        too_much(
            &String::from_utf8_lossy(&self.text[..length]),
            heap_mib,
            memory,
        )
    }

    /// Reads the text anew: its length. Less than there was room for is all of it, as Linux gives such files.
    fn read(&mut self) -> Option<usize> {
        self.open();
        let mut status = self.status.as_ref()?;
        status.seek(SeekFrom::Start(0)).ok()?;
        let mut length = 0;
        loop {
            if length == self.text.len() {
                self.text.resize(length + ROOM, 0);
            }
            length += status.read(&mut self.text[length..]).ok()?;
            if length < self.text.len() {
                return Some(length);
            }
        }
    }
}

fn too_much(status: &str, heap_mib: u64, memory: Memory) -> Option<Excess> {
    let number = |name: &str| -> Option<u64> {
        let mut lines = status.lines();
        let value = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        value.split_ascii_whitespace().next()?.parse().ok()
    };
    if number("Threads").is_some_and(|threads| threads > MOST_THREADS) {
        return Some(Excess {
            of: Crash::Threads,
            text: format!("it had more than {MOST_THREADS} threads"),
        });
    }
    let resident = number(match memory {
        Memory::Now => "VmRSS",
        Memory::Peak => "VmHWM",
    })?;
    let limit_mib = heap_mib + RESIDENT_BEYOND_HEAP_MIB;
    (resident / 1024 >= limit_mib).then(|| Excess {
        of: Crash::BesideHeap,
        text: format!(
            "it used more than {limit_mib} MiB, {RESIDENT_BEYOND_HEAP_MIB} MiB beside its heap"
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(threads: u64, now_mib: u64, peak_mib: u64) -> String {
        let (now, peak) = (now_mib * 1024, peak_mib * 1024);
        format!("Name:\tjava\nVmHWM:\t  {peak} kB\nVmRSS:\t  {now} kB\nThreads:\t{threads}\n")
    }

    #[test]
    fn threads_and_memory_have_a_limit_each_and_the_first_is_named() {
        assert_eq!(too_much(&status(500, 575, 575), 64, Memory::Peak), None);
        let threads = too_much(&status(501, 576, 576), 64, Memory::Now).unwrap();
        assert_eq!(threads.of, Crash::Threads);
        assert_eq!(threads.text, "it had more than 500 threads");
        let memory = too_much(&status(20, 30, 576), 64, Memory::Peak).unwrap();
        assert_eq!(memory.of, Crash::BesideHeap);
        assert_eq!(
            memory.text,
            "it used more than 576 MiB, 512 MiB beside its heap"
        );
        assert_eq!(too_much(&status(20, 30, 576), 64, Memory::Now), None);
        assert!(too_much(&status(20, 576, 576), 64, Memory::Now).is_some());
    }

    #[test]
    fn files_have_a_limit_together_wherever_in_the_folders_they_lie() {
        let folder = tempfile::tempdir().unwrap();
        let deep = folder.path().join(TEMPORARY).join("a");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(folder.path().join(HOME)).unwrap();
        let block = vec![1; 64 << 10];
        for name in [deep.join("x"), folder.path().join(HOME).join("y")] {
            fs::write(name, &block).unwrap();
        }
        let files = Files::in_folders(folder.path());
        assert_eq!((files.bytes, files.number), (128 << 10, 3));
        assert_eq!(filled(folder.path()), None);
        assert_eq!(filled(Path::new("/nowhere")), None);
    }

    #[test]
    fn a_test_answers_for_what_came_while_it_ran() {
        let files = |mib: u64, number| Files {
            bytes: mib << 20,
            number,
        };
        let mut left = Left::default();
        for test in 1..=8 {
            left.next();
            assert_eq!(left.take(files(500 * test, 10)), Filled::No);
        }
        left.next();
        assert_eq!(left.take(files(4_200, 10)), Filled::ByAll);
        let mut left = Left::default();
        assert_eq!(left.take(files(100, 10)), Filled::No);
        left.next();
        assert_eq!(left.take(files(600, 10)), Filled::No);
        assert!(matches!(left.take(files(613, 10)), Filled::ByTest(_)));
        left.next();
        assert!(matches!(left.take(files(613, 10_010)), Filled::ByTest(_)));
    }

    #[test]
    fn a_system_that_tells_nothing_has_no_limit() {
        assert_eq!(too_much("", 64, Memory::Now), None);
        assert_eq!(excess(u32::MAX, 64, Memory::Now), None);
    }
}
