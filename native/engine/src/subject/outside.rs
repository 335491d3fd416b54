//! Classes of the class path that are not part of the program, with all that they name in turn.
//!
//! Comes in: an open class path, and names. Goes out: [`Outside`], which tells for some names a number that changes where
//! anything does that code of these classes may come to: class files that they name at any distance, whichever folder or jar
//! holds them, and what else lies in such a jar.
//! A class file counts as a whole, since who answers a call in it is not looked into.
//! Does not know: the platform, which is no part of the class path; resources in folders.

use crate::subject::class_path::ClassPath;
use palus_bytecode::Digest;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Classes, each with a place.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    places: BTreeMap<Arc<str>, usize>,
    classes: Vec<Class>,
    /// Of entries of the class path that hold a class of these: a number for what is no class file in them.
    others: BTreeMap<usize, u64>,
}

#[derive(Debug)]
struct Class {
    digest: u64,
    /// The entry of the class path that holds it.
    entry: usize,
    names: BTreeSet<Arc<str>>,
}

impl Outside {
    /// Reads these classes and what they name, as far as the class path has it.
    pub(crate) fn of(class_path: &mut ClassPath, names: BTreeSet<Arc<str>>) -> Outside {
        let mut outside = Outside::default();
        let mut seen = names.clone();
        let mut open: Vec<Arc<str>> = names.into_iter().collect();
        while let Some(name) = open.pop() {
            let Some((entry, bytes)) = class_path.find(&name) else {
                continue;
            };
            let names = named(&bytes).unwrap_or_default();
            open.extend(
                names
                    .iter()
                    .filter(|one| seen.insert(Arc::clone(one)))
                    .cloned(),
            );
            let place = outside.classes.len();
            let digest = Digest::of(&(&name, crate::write::manifest::hash(&bytes)));
            outside.places.insert(name, place);
            outside.classes.push(Class {
                digest,
                entry,
                names,
            });
            let others = outside.others.entry(entry);
            others.or_insert_with(|| class_path.others(entry));
        }
        outside
    }

    /// What rests on these names.
    pub(crate) fn digest<'a>(&self, names: impl Iterator<Item = &'a Arc<str>>) -> u64 {
        let mut seen = vec![false; self.classes.len()];
        let mut entries = BTreeSet::new();
        let mut digest = 0_u64;
        let mut open: Vec<&Arc<str>> = names.collect();
        while let Some(name) = open.pop() {
            let Some(&place) = self.places.get(name) else {
                continue;
            };
            if std::mem::replace(&mut seen[place], true) {
                continue;
            }
            let class = &self.classes[place];
            // In any order.
            digest = digest.wrapping_add(class.digest);
            entries.insert(class.entry);
            open.extend(&class.names);
        }
        let others = entries.iter().filter_map(|entry| self.others.get(entry));
        others.fold(digest, |sum, &one| sum.wrapping_add(one))
    }
}

/// Internal names of classes that the constants of a class file name, alone or in a descriptor; none where it is damaged.
pub(crate) fn named(bytes: &[u8]) -> Option<BTreeSet<Arc<str>>> {
    let number = |at: usize| Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]));
    let mut texts = BTreeMap::new();
    let mut classes = BTreeSet::new();
    let (mut index, mut at) = (1, 10);
    let count = number(8)?;
    while index < count {
        let tag = *bytes.get(at)?;
        let size = match tag {
            UTF8 => {
                let length = usize::from(number(at + 1)?);
                let text = bytes.get(at + 3..at + 3 + length)?;
                texts.insert(index, std::str::from_utf8(text).unwrap_or_default());
                3 + length
            }
            CLASS => {
                classes.insert(number(at + 1)?);
                3
            }
            8 | 16 | 19 | 20 => 3,
            15 => 4,
            3 | 4 | 9..=12 | 17 | 18 => 5,
            LONG | DOUBLE => 9,
            _ => return None,
        };
        // Long numbers take two places.
        index += if matches!(tag, LONG | DOUBLE) { 2 } else { 1 };
        at += size;
    }
    let mut names: BTreeSet<Arc<str>> = BTreeSet::new();
    let whole = classes.iter().filter_map(|index| texts.get(index));
    names.extend(whole.map(|&text| Arc::from(text)));
    // What looks like a descriptor and is none names no class that is there.
    for &text in texts.values().filter(|text| text.contains(';')) {
        let mut rest = text;
        while let Some((_, name)) = rest.split_once('L') {
            let end = name.find([';', '<', ':']).unwrap_or(name.len());
            names.insert(Arc::from(&name[..end]));
            rest = &name[end..];
        }
    }
    Some(names)
}

/// Kinds of constants.
const UTF8: u8 = 1;
const LONG: u8 = 5;
const DOUBLE: u8 = 6;
const CLASS: u8 = 7;

#[cfg(test)]
mod tests {
    use super::*;
    use palus_fixture::compile;

    const A: &str = "package p; public class A<T extends Lower> { long l = 7L; Long[][] all; String s = \"L;\"; Hidden h; \
        B of(Other o) { return new B(); } }";
    const REST: &str = "package p; class Lower {} class Hidden {} class Other {}";

    fn of(b: &str, names: &[&str]) -> u64 {
        let compiled = compile(&[("p/A.java", A), ("p/B.java", b), ("p/Lower.java", REST)]);
        let mut class_path = ClassPath::open(&[compiled.dir], 17);
        let names: BTreeSet<Arc<str>> = names.iter().map(|&name| name.into()).collect();
        Outside::of(&mut class_path, names.clone()).digest(names.iter())
    }

    #[test]
    fn constants_and_descriptors_name_classes_and_what_is_damaged_names_none() {
        let compiled = compile(&[
            ("p/A.java", A),
            ("p/B.java", "package p; class B {}"),
            ("p/Lower.java", REST),
        ]);
        let bytes = compiled.bytes("p/A");
        let names = named(bytes).unwrap();
        for name in [
            "p/A",
            "p/B",
            "p/Lower",
            "p/Hidden",
            "p/Other",
            "java/lang/Long",
        ] {
            assert!(names.contains(name), "{name}: {names:?}");
        }
        for end in 0..bytes.len() {
            named(&bytes[..end]);
        }
        assert_eq!(named(&bytes[..30]), None);
    }

    #[test]
    fn a_class_that_is_called_alone_is_named_whatever_the_length_of_the_texts_before_it() {
        let source = "package p; class Caller { static Object sixsix, seven77;
            long l = 1234567890123L; int fee() { return Callee.fee(); } }";
        let called = "package p; class Callee { static int fee() { return 5; } }";
        let compiled = compile(&[("p/Caller.java", source), ("p/Callee.java", called)]);
        let names = named(compiled.bytes("p/Caller")).unwrap();
        let expected = ["java/lang/Object", "p/Callee", "p/Caller"];
        assert_eq!(names, expected.map(Arc::from).into());
    }

    #[test]
    fn what_is_named_counts_at_any_distance_and_nothing_else_does() {
        let b = "package p; public class B extends C {} class C { int one() { return 1; } }";
        let far = b.replace("return 1", "return 2");
        assert_eq!(of(b, &["p/A"]), of(b, &["p/A"]));
        assert_ne!(of(b, &["p/A"]), of(&far, &["p/A"]));
        assert_eq!(of(b, &["p/Other"]), of(&far, &["p/Other"]));
        assert_eq!(of(b, &["java/lang/String"]), 0);
    }
}
