//! Where the object with an id of the trace is kept.
//!
//! Comes in: ids, which agents give out from small numbers up. Goes out: places in the file's list of objects.
//! Does not know: what an object is. Small ids are looked up in a plain list, others in a table.

use crate::history::ObjectIndex;
use crate::table::Table;

/// Where the object with an id is kept.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// Index plus one; agents number objects from small ids up.
    dense: Vec<u32>,
    sparse: Table<u64, u32>,
}

/// Marks an id whose history must not be used although it was not met yet.
const BARRED: u32 = u32::MAX;
/// Marks an object that is not kept at all.
const IGNORED: u32 = u32::MAX - 1;

impl Places {
    const DENSE: u64 = 1 << 26;

    fn entry(&self, id: u64) -> u32 {
        if id < Self::DENSE {
            self.dense.get(id as usize).copied().unwrap_or(0)
        } else {
            self.sparse.get(&id).copied().unwrap_or(0)
        }
    }

    fn set(&mut self, id: u64, entry: u32) {
        if id < Self::DENSE {
            let place = id as usize;
            if place >= self.dense.len() {
                self.dense.resize((place + 1).next_power_of_two(), 0);
            }
            self.dense[place] = entry;
        } else {
            self.sparse.insert(id, entry);
        }
    }

    /// The place of an object met before.
    pub fn get(&self, id: u64) -> Option<ObjectIndex> {
        match self.entry(id) {
            0 | BARRED | IGNORED => None,
            entry => Some(entry - 1),
        }
    }

    /// Remembers the place of an object.
    pub fn insert(&mut self, id: u64, index: ObjectIndex) {
        self.set(id, index + 1);
    }

    /// Marks an object not met yet, whose history must not be used.
    pub fn bar(&mut self, id: u64) {
        if !self.is_ignored(id) {
            self.set(id, BARRED);
        }
    }

    /// Marks an object that was met and is not kept, so that it takes no more memory than this mark.
    pub fn ignore(&mut self, id: u64) {
        self.set(id, IGNORED);
    }

    /// True if the object was met and is not kept.
    pub fn is_ignored(&self, id: u64) -> bool {
        self.entry(id) == IGNORED
    }

    /// True if the object was marked before it was met.
    pub fn is_barred(&self, id: u64) -> bool {
        self.entry(id) == BARRED
    }
}
