//! Where the class with a name stands in the list of classes.
//!
//! Comes in: the list, each time it got a class more. Goes out: the class with a name.
//! Does not know: what a class is beyond its name. Bodies name classes in every other instruction, so this is a hash
//! table with a fixed function; its order is never looked at.

use crate::names::hash;
use crate::program::{Class, ClassId};

/// Open addressing: part of the hash and place in the list plus one; 0 is free. Its length is a power of two.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClassTable {
    slots: Vec<(u32, u32)>,
    count: usize,
}

impl ClassTable {
    /// The class with this name.
    pub(crate) fn get(&self, classes: &[Class], name: &str) -> Option<ClassId> {
        if self.slots.is_empty() {
            return None;
        }
        let hash = hash(name.as_bytes());
        let mut slot = self.slot(hash);
        loop {
            let (tag, place) = self.slots[slot];
            let id = ClassId(place.checked_sub(1)?);
            if tag == (hash >> 32) as u32 && *classes[id.index()].name == *name {
                return Some(id);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Takes in the last class of the list, whose name is new.
    pub(crate) fn insert(&mut self, classes: &[Class]) {
        self.count += 1;
        if self.count * 2 >= self.slots.len() {
            self.slots = vec![(0, 0); (self.slots.len() * 2).max(1024)];
            for class in classes {
                self.put(class);
            }
        } else if let Some(class) = classes.last() {
            self.put(class);
        }
    }

    fn put(&mut self, class: &Class) {
        let hash = hash(class.name.as_bytes());
        let mut slot = self.slot(hash);
        while self.slots[slot].1 != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.slots[slot] = ((hash >> 32) as u32, class.id.0 + 1);
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.slots.len() - 1)
    }
}
