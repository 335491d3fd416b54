//! One copy of every name, so that a program of thousands of classes shares its strings.
//!
//! Comes in: borrowed names and descriptors.
//! Goes out: shared `Arc<str>` and parsed types, the same allocation for equal text.
//! Does not know: what a name stands for.

use crate::{FieldName, MethodName, Type};
use rustc_hash::FxHasher;
use std::collections::BTreeSet;
use std::hash::Hasher;
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
    /// Methods and fields that instructions of the class at hand name, by where their names lie.
    recent_methods: Vec<Option<(Place, Arc<MethodName>)>>,
    recent_fields: Vec<Option<(Place, Arc<FieldName>)>>,
    /// Number of the class at hand.
    class: u32,
}

/// Number of the class, and places in memory of the texts that name a member.
type Place = (u32, usize, usize, usize);

/// Texts of a class that are remembered by where they lie; a power of two.
const RECENT: usize = 512;
/// Members of a class that are; a power of two, small enough for the processor's nearest cache.
const RECENT_MEMBERS: usize = 256;

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
        self.recent_methods.resize(RECENT_MEMBERS, None);
        self.recent_fields.resize(RECENT_MEMBERS, None);
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
        let tag = (hash(text) >> 32) as u32;
        let mut slot = self.slot(tag);
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

    /// The method with this owner, name and descriptor, which are lasting texts: one copy for all instructions of a
    /// class that name it.
    pub fn method(&mut self, owner: &str, name: &str, descriptor: &str) -> Arc<MethodName> {
        let (slot, place) = self.member(owner, name, descriptor);
        if let Some((known, method)) = &self.recent_methods[slot]
            && *known == place
        {
            return Arc::clone(method);
        }
        let method = Arc::new(MethodName {
            owner: self.lasting(owner),
            name: self.lasting(name),
            descriptor: self.lasting(descriptor),
        });
        self.recent_methods[slot] = Some((place, Arc::clone(&method)));
        method
    }

    /// As [`Names::method`], for a field; none where the descriptor is none of a field.
    pub fn field(&mut self, owner: &str, name: &str, descriptor: &str) -> Option<Arc<FieldName>> {
        let (slot, place) = self.member(owner, name, descriptor);
        if let Some((known, field)) = &self.recent_fields[slot]
            && *known == place
        {
            return Some(Arc::clone(field));
        }
        let field = Arc::new(FieldName {
            owner: self.lasting(owner),
            name: self.lasting(name),
            field_type: self.field_type(descriptor)?,
        });
        self.recent_fields[slot] = Some((place, Arc::clone(&field)));
        Some(field)
    }

    /// Slot and place of a member by where its texts lie.
    fn member(&self, owner: &str, name: &str, descriptor: &str) -> (usize, Place) {
        let [owner, name, descriptor] = [owner, name, descriptor].map(|text| text.as_ptr().addr());
        let spread = owner.wrapping_mul(31) ^ name.wrapping_mul(17) ^ descriptor;
        let slot = (spread ^ (spread >> 10)) & (RECENT_MEMBERS - 1);
        (slot, (self.class, owner, name, descriptor))
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

    fn slot(&self, tag: u32) -> usize {
        tag as usize & (self.table.len() - 1)
    }

    fn grow(&mut self) {
        let wider = vec![(0, 0); (self.table.len() * 2).max(1024)];
        for (tag, place) in std::mem::replace(&mut self.table, wider) {
            if place != 0 {
                let mut slot = self.slot(tag);
                while self.table[slot].1 != 0 {
                    slot = (slot + 1) & (self.table.len() - 1);
                }
                self.table[slot] = (tag, place);
            }
        }
    }
}

/// The order of the table is never looked at, so the function only has to spread.
fn hash(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// Adds the class names inside a type to a set.
pub(crate) fn collect_class(types: &Type, into: &mut BTreeSet<Arc<str>>) {
    match types {
        Type::Object(name) => drop(into.insert(Arc::clone(name))),
        Type::Array(element) => collect_class(element, into),
        _ => {}
    }
}
