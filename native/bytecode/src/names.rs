//! One copy of every name, so that a program of thousands of classes shares its strings.
//!
//! Comes in: borrowed names and descriptors.
//! Goes out: shared `Arc<str>` and parsed types, the same allocation for equal text.
//! Does not know: what a name stands for.

use crate::Type;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Shares strings and types between the classes of one program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    list: Vec<Arc<str>>,
    /// Open addressing: part of the hash and place in `list` plus one; 0 is free. Its length is a power of two.
    table: Vec<(u32, u32)>,
    /// Per name the type it stands for as a descriptor, once asked for.
    types: Vec<Option<Type>>,
    /// Texts of the class at hand by where they lie: place in memory, length, number of the class, place in `list`.
    recent: Vec<(usize, u32, u32, u32)>,
    /// Number of the class at hand.
    class: u32,
}

/// Texts of a class that are remembered by where they lie; a power of two.
const RECENT: usize = 1024;

impl Names {
    /// The shared copy of a text.
    pub fn text(&mut self, text: &str) -> Arc<str> {
        let place = self.place(text);
        Arc::clone(&self.list[place])
    }

    /// Forgets where texts lie, as another class comes.
    pub fn begin_class(&mut self) {
        self.class += 1;
        self.recent.resize(RECENT, (0, 0, 0, 0));
    }

    /// The shared copy of a text that stays where it is until the next class begins. Instructions name the same few
    /// entries of their class's constant pool again and again.
    pub fn lasting(&mut self, text: &str) -> Arc<str> {
        let place = self.lasting_place(text);
        Arc::clone(&self.list[place])
    }

    fn lasting_place(&mut self, text: &str) -> usize {
        let address = text.as_ptr().addr();
        let slot = (address ^ (address >> 10)) & (RECENT - 1);
        let (known, length, class, place) = self.recent[slot];
        if known == address && length as usize == text.len() && class == self.class {
            return place as usize;
        }
        let place = self.place(text);
        self.recent[slot] = (address, text.len() as u32, self.class, place as u32);
        place
    }

    /// Place of a text among the names.
    fn place(&mut self, text: &str) -> usize {
        if self.list.len() * 2 >= self.table.len() {
            self.grow();
        }
        let hash = hash(text.as_bytes());
        let tag = (hash >> 32) as u32;
        let mut slot = self.slot(hash);
        loop {
            let (known, place) = self.table[slot];
            if place == 0 {
                break;
            }
            let name = &self.list[place as usize - 1];
            if known == tag && **name == *text {
                return place as usize - 1;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        }
        self.list.push(text.into());
        self.types.push(None);
        self.table[slot] = (tag, self.list.len() as u32);
        self.list.len() - 1
    }

    /// The type a field descriptor stands for; the text is a lasting one.
    pub fn field_type(&mut self, descriptor: &str) -> Option<Type> {
        let place = self.lasting_place(descriptor);
        if self.types[place].is_none() {
            let parsed = self.share(Type::parse(descriptor)?);
            self.types[place] = Some(parsed);
        }
        self.types[place].clone()
    }

    /// The type of a class or array as constant pools name it: `java/lang/String`, `[I`; the text is a lasting one.
    pub fn class_type(&mut self, name: &str) -> Option<Type> {
        if name.starts_with('[') {
            self.field_type(name)
        } else {
            Some(Type::Object(self.lasting(name)))
        }
    }

    /// All names of a list.
    pub fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) -> Vec<Arc<str>> {
        texts.into_iter().map(|text| self.text(text)).collect()
    }

    fn share(&mut self, parsed: Type) -> Type {
        match parsed {
            Type::Object(name) => Type::Object(self.text(&name)),
            Type::Array(element) => Type::Array(Box::new(self.share(*element))),
            plain => plain,
        }
    }

    fn slot(&self, hash: u64) -> usize {
        (hash >> 20) as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        self.table = vec![(0, 0); (self.table.len() * 2).max(1024)];
        for place in 0..self.list.len() {
            let hash = hash(self.list[place].as_bytes());
            let mut slot = self.slot(hash);
            while self.table[slot].1 != 0 {
                slot = (slot + 1) & (self.table.len() - 1);
            }
            self.table[slot] = ((hash >> 32) as u32, place as u32 + 1);
        }
    }
}

/// Mixes eight bytes at a time. The order of the table is never looked at, so the function only has to spread.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mix =
        |hash: u64, word: u64| (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
    let mut words = bytes.chunks_exact(8);
    let mut hash = bytes.len() as u64;
    for word in &mut words {
        hash = mix(
            hash,
            u64::from_le_bytes(word.try_into().expect("chunks of eight bytes")),
        );
    }
    let mut last = [0; 8];
    last[..words.remainder().len()].copy_from_slice(words.remainder());
    hash = mix(hash, u64::from_le_bytes(last));
    hash ^ (hash >> 29)
}

/// Adds the class names inside a type to a set.
pub(crate) fn collect_class(types: &Type, into: &mut BTreeSet<Arc<str>>) {
    match types {
        Type::Object(name) => drop(into.insert(Arc::clone(name))),
        Type::Array(element) => collect_class(element, into),
        _ => {}
    }
}
