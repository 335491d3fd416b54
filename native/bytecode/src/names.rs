//! One copy of every name, so that a program of thousands of classes shares its strings.
//!
//! Comes in: borrowed names and descriptors.
//! Goes out: shared `Arc<str>` and parsed types, the same allocation for equal text.
//! Does not know: what a name stands for.

use crate::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Shares strings and types between the classes of one program.
#[derive(Debug, Default)]
pub(crate) struct Names {
    buckets: Vec<Vec<Arc<str>>>,
    count: usize,
    types: BTreeMap<Arc<str>, Type>,
}

impl Names {
    /// The shared copy of a text.
    pub fn text(&mut self, text: &str) -> Arc<str> {
        if self.count >= self.buckets.len() {
            self.grow();
        }
        let bucket = self.bucket(text);
        let bucket = &mut self.buckets[bucket];
        if let Some(found) = bucket.iter().find(|name| &***name == text) {
            return Arc::clone(found);
        }
        let shared: Arc<str> = text.into();
        bucket.push(Arc::clone(&shared));
        self.count += 1;
        shared
    }

    /// The type a field descriptor stands for.
    pub fn field_type(&mut self, descriptor: &str) -> Option<Type> {
        if let Some(known) = self.types.get(descriptor) {
            return Some(known.clone());
        }
        let parsed = self.share(Type::parse(descriptor)?);
        let key = self.text(descriptor);
        self.types.insert(key, parsed.clone());
        Some(parsed)
    }

    /// The type of a class or array as constant pools name it: `java/lang/String`, `[I`.
    pub fn class_type(&mut self, name: &str) -> Option<Type> {
        if name.starts_with('[') {
            self.field_type(name)
        } else {
            Some(Type::Object(self.text(name)))
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

    fn bucket(&self, text: &str) -> usize {
        // FNV-1a; the order of buckets is never looked at, so the function only has to spread.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in text.as_bytes() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
        (hash ^ (hash >> 29)) as usize & (self.buckets.len() - 1)
    }

    fn grow(&mut self) {
        let size = (self.buckets.len() * 2).max(1024);
        let old = std::mem::replace(&mut self.buckets, vec![Vec::new(); size]);
        for name in old.into_iter().flatten() {
            let bucket = self.bucket(&name);
            self.buckets[bucket].push(name);
        }
    }
}

/// Adds the class names inside a type to a set.
pub(crate) fn collect_class(types: &Type, into: &mut BTreeSet<Arc<str>>) {
    match types {
        Type::Object(name) => drop(into.insert(Arc::clone(name))),
        Type::Array(element) => collect_class(element, into),
        _ => {}
    }
}
