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
/// Of more files than this only some are looked at.
const MOST_FILES: usize = 10_000;

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
    take_more(folder, MOST_FILES_MIB << 20).then(|| Excess {
        of: Crash::Disk,
        text: format!("it wrote files of more than {MOST_FILES_MIB} MiB together"),
    })
}

/// Whether the files in a JVM's own folders take more than so many bytes together.
fn take_more(folder: &Path, limit: u64) -> bool {
    let mut open = [TEMPORARY, CHECKOUT, HOME]
        .map(|name| folder.join(name))
        .to_vec();
    let (mut bytes, mut files) = (0_u64, 0);
    while let Some(each) = open.pop() {
        // Whatever goes meanwhile takes nothing.
        for entry in fs::read_dir(each).into_iter().flatten().flatten() {
            let Ok(about) = entry.metadata() else {
                continue;
            };
            if about.is_dir() {
                open.push(entry.path());
            } else {
                bytes += taken(&about);
            }
            files += 1;
            if bytes > limit || files == MOST_FILES {
                open.clear();
                break;
            }
        }
    }
    bytes > limit
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
            assert!(!take_more(folder.path(), 100 << 10));
            fs::write(name, &block).unwrap();
        }
        assert!(take_more(folder.path(), 100 << 10));
        assert!(!take_more(folder.path(), 200 << 10));
        assert_eq!(filled(Path::new("/nowhere")), None);
    }

    #[test]
    fn a_system_that_tells_nothing_has_no_limit() {
        assert_eq!(too_much("", 64, Memory::Now), None);
        assert_eq!(excess(u32::MAX, 64, Memory::Now), None);
    }
}
