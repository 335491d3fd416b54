//! The memory in which it is noted what the kernel denied, and counted what it let change files.
//! `native/wire/FORMAT.md` has the layout.
//!
//! Comes in: what was denied, and to which thread. Goes out: a note that the program reads at [`DESCRIPTOR`].
//! Does not know: why.

use std::io::Error;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the program finds the notes.
pub const DESCRIPTOR: libc::c_int = 5;
/// The name by which it knows them.
const NAME: &std::ffi::CStr = c"palus-denials";

const HEADER: usize = 64;
/// Where it is counted how many calls that may change files went on.
const CHANGES: usize = 8;
/// Where it is counted how many of them named a file that is none of the program's own.
const FOREIGN_CHANGES: usize = 16;
const NOTE: usize = 512;
const NOTES: u64 = 127;
const SIZE: usize = HEADER + NOTE * NOTES as usize;
/// Bytes of a note before its text: the thread and the length of the text.
const TEXT: usize = 8;

/// Memory shared with the program, which cannot write to it.
pub struct Notes {
    start: *mut u8,
}

impl Notes {
    /// Makes the memory and leaves it open at [`DESCRIPTOR`] for the program.
    pub fn make() -> Result<Notes, Error> {
        // SAFETY: the name ends in a zero and lives through the call. The descriptor stays open in the program.
        let made = unsafe { libc::memfd_create(NAME.as_ptr(), libc::MFD_ALLOW_SEALING) };
        let made = checked(made)?;
        // SAFETY: a descriptor of this process.
        checked(unsafe { libc::ftruncate(made, (SIZE as u64).cast_signed()) })?;
        // SAFETY: a new mapping wherever there is room, as long as the file.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                SIZE,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED,
                made,
                0,
            )
        };
        if start == libc::MAP_FAILED {
            return Err(Error::last_os_error());
        }
        // Nobody else can write to it from here on, or cut it short.
        let seals =
            libc::F_SEAL_FUTURE_WRITE | libc::F_SEAL_SHRINK | libc::F_SEAL_GROW | libc::F_SEAL_SEAL;
        // SAFETY: descriptors of this process; nobody uses the second one yet, or it is replaced.
        unsafe {
            checked(libc::fcntl(made, libc::F_ADD_SEALS, seals))?;
            checked(libc::dup2(made, DESCRIPTOR))?;
            if made != DESCRIPTOR {
                libc::close(made);
            }
        }
        Ok(Notes {
            start: start.cast(),
        })
    }

    /// Counts a call that may change files and goes on.
    pub fn count_change(&mut self, is_foreign: bool) {
        if is_foreign {
            self.count(FOREIGN_CHANGES);
        }
        self.count(CHANGES);
    }

    fn count(&mut self, at: usize) {
        // SAFETY: a number of the mapping, aligned as the first one is, which is never freed.
        let count = unsafe { AtomicU64::from_ptr(self.start.add(at).cast()) };
        count.fetch_add(1, Ordering::Release);
    }

    /// Notes that a thread was denied this.
    pub fn add(&mut self, thread: u32, what: &str) {
        // SAFETY: the mapping begins with this number, aligned to a page, and is never freed.
        let count = unsafe { AtomicU64::from_ptr(self.start.cast()) };
        let number = count.load(Ordering::Relaxed);
        let at = HEADER + NOTE * (number % NOTES) as usize;
        let mut end = what.len().min(NOTE - TEXT);
        while !what.is_char_boundary(end) {
            end -= 1;
        }
        let mut head = [0; TEXT];
        head[..4].copy_from_slice(&thread.to_ne_bytes());
        head[4..].copy_from_slice(&(end as u32).to_ne_bytes());
        // SAFETY: the note lies inside the mapping, which only this process writes to; the text is no longer than the
        // rest of the note.
        unsafe {
            let note = self.start.add(at);
            std::ptr::copy_nonoverlapping(head.as_ptr(), note, TEXT);
            std::ptr::copy_nonoverlapping(what.as_ptr(), note.add(TEXT), end);
        }
        count.store(number + 1, Ordering::Release);
    }
}

/// The result of a system call.
pub fn checked(result: libc::c_int) -> Result<libc::c_int, Error> {
    if result < 0 {
        Err(Error::last_os_error())
    } else {
        Ok(result)
    }
}
