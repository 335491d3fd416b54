//! Files as byte slices, by memory map: trace files and jars are large and read once.
//!
//! Comes in: a path. Goes out: [`Mapped`], which derefs to the file's bytes.
//! This is the only module of the engine with `unsafe`.

#![expect(
    unsafe_code,
    reason = "mapping a file is unsafe by nature; see the SAFETY note"
)]

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// The bytes of a file.
#[derive(Debug)]
pub(crate) struct Mapped(Option<memmap2::Mmap>);

impl Mapped {
    /// Maps a file; an empty file gives no bytes.
    pub(crate) fn open(path: &Path) -> io::Result<Mapped> {
        let file = File::open(path)?;
        if file.metadata()?.len() == 0 {
            return Ok(Mapped(None));
        }
        // SAFETY: the map is read-only. The build tool has finished writing class path entries and traces before the
        // engine is called; a file cut short by someone else meanwhile could raise SIGBUS, which is the price every
        // linker pays too.
        let map = unsafe { memmap2::Mmap::map(&file)? };
        Ok(Mapped(Some(map)))
    }
}

impl Deref for Mapped {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        self
    }
}
