//! What differs between two revisions, and which classes of the module use that.
//!
//! Comes in: class folders and class paths of both. Goes out: names of outermost classes, the class files, and resources.
//! A class differs where the bytes of its class file, or of one nested in it, do; also a comment can do that, by the lines
//! that it moves. A class uses another where its constants name it.
//! Of other modules and libraries a class counts where both revisions have it and a class of the module names it: what a
//! class path lacks was left out of it, and does not differ. What is on both class paths is not read.
//! Does not know: what a class file holds otherwise; which entry is which module's.

use super::entries::Entries;
use crate::Error;
use crate::subject::outside::named;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Names in source form, of outermost classes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Those of the module that differ, or are on one side alone.
    pub(super) own: BTreeSet<String>,
    /// Those of other modules and of libraries that differ, and that the module names.
    pub(super) elsewhere: BTreeSet<String>,
    /// Those of the module that do not differ, and use one that does.
    pub(super) users: BTreeSet<String>,
    /// The class files of the module that differ, as relative paths.
    pub(super) files: BTreeSet<String>,
    /// Files that differ and are no class files, as relative paths.
    pub(super) resources: BTreeSet<String>,
}

/// Code of one revision.
#[derive(Clone, Copy)]
pub(super) struct Code<'a> {
    /// The module's own folders.
    pub(super) classes: &'a [PathBuf],
    pub(super) class_path: &'a [PathBuf],
}

/// Class files of the module by internal name.
type Files = BTreeMap<String, Vec<u8>>;

/// Compares two sides, as a Java of this release reads them.
///
/// # Errors
/// A configuration error when a folder cannot be read.
pub(super) fn changed(before: Code<'_>, now: Code<'_>, release: u32) -> Result<Changed, Error> {
    let elsewhere = |code: Code<'_>, other: Code<'_>| {
        let of_it = code.class_path.iter().filter(|path| {
            let is_own = code.classes.contains(path);
            !is_own && !other.class_path.contains(path)
        });
        Entries::of(of_it, release)
    };
    let mut own = [
        Entries::of(before.classes, release)?,
        Entries::of(now.classes, release)?,
    ];
    let mut others = [elsewhere(before, now)?, elsewhere(now, before)?];
    let [classes_before, classes_now] = &mut own;
    let (classes_before, classes_now) = (read(classes_before)?, read(classes_now)?);
    let differing = differing_elsewhere(&classes_before, &classes_now, &mut others)?;
    let mut resources = differing_resources(&mut own, |_, _| true)?;
    // What only the code as it is has may be of a folder that the other class path was made without.
    let is_told = |[before, now]: &[Entries; 2], path: &str| {
        before.has(path) && (before.is_file(path) || now.is_file(path))
    };
    resources.extend(differing_resources(&mut others, is_told)?);
    Ok(Changed {
        resources,
        ..compare(&classes_before, &classes_now, &differing)
    })
}

/// The class files.
fn read(entries: &mut Entries) -> Result<Files, Error> {
    let names = entries
        .paths()
        .filter_map(|path| path.strip_suffix(".class"));
    let names: Vec<String> = names.map(str::to_owned).collect();
    let mut files = Files::new();
    for name in names {
        let bytes = entries.bytes(&format!("{name}.class"))?;
        files.insert(name, bytes.unwrap_or_default());
    }
    Ok(files)
}

/// Internal names of outermost classes of other modules and libraries that differ, and that class files of the module name.
fn differing_elsewhere(
    before: &Files,
    now: &Files,
    others: &mut [Entries; 2],
) -> Result<BTreeSet<String>, Error> {
    let all = before.values().chain(now.values());
    let names: BTreeSet<String> = all
        .filter_map(|bytes| named(bytes))
        .flatten()
        .map(|name| outermost(&name).to_owned())
        .collect();
    let [others_before, others_now] = others;
    let paths = others_now.paths().filter(|&path| {
        let name = path.strip_suffix(".class");
        name.is_some_and(|name| names.contains(outermost(name))) && others_before.has(path)
    });
    let paths: Vec<String> = paths.map(str::to_owned).collect();
    let mut differing = BTreeSet::new();
    for path in paths {
        let name = path.strip_suffix(".class").unwrap_or(&path);
        let is_own = before.contains_key(name) || now.contains_key(name);
        if !is_own && others_before.bytes(&path)? != others_now.bytes(&path)? {
            differing.insert(outermost(name).to_owned());
        }
    }
    Ok(differing)
}

/// Relative paths of files that are no class files and differ, where they are to be told.
fn differing_resources(
    sides: &mut [Entries; 2],
    is_told: impl Fn(&[Entries; 2], &str) -> bool,
) -> Result<BTreeSet<String>, Error> {
    // Some the Kotlin compiler writes, from what it compiles, and one whoever makes a jar.
    let is_resource = |path: &str| {
        let is_made = path.ends_with(".kotlin_module") || path == "META-INF/MANIFEST.MF";
        !is_made && path.strip_suffix(".class").is_none()
    };
    let all = sides.iter().flat_map(Entries::paths);
    let mut paths: BTreeSet<String> = all
        .filter(|path| is_resource(path) && is_told(sides, path))
        .map(str::to_owned)
        .collect();
    let mut unread = None;
    let [before, now] = sides;
    paths.retain(|path| match (before.bytes(path), now.bytes(path)) {
        (Ok(before), Ok(now)) => before != now,
        (Err(error), _) | (_, Err(error)) => {
            unread = Some(error);
            false
        }
    });
    unread.map_or(Ok(paths), Err)
}

/// `elsewhere` are internal names of outermost classes that differ and are not the module's.
fn compare(before: &Files, now: &Files, elsewhere: &BTreeSet<String>) -> Changed {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let files = names
        .into_iter()
        .filter(|&name| before.get(name) != now.get(name));
    let files: Vec<&String> = files.collect();
    let differing: BTreeSet<&str> = files.iter().map(|name| outermost(name)).collect();
    let all = now.iter().chain(before);
    let users = all.filter(|(name, bytes)| {
        let mut others = elsewhere
            .iter()
            .map(String::as_str)
            .chain(differing.iter().copied());
        !differing.contains(outermost(name)) && others.any(|other| names_class(bytes, other))
    });
    let in_source = |name: &str| palus_bytecode::binary_name(name);
    Changed {
        users: users.map(|(name, _)| in_source(outermost(name))).collect(),
        own: differing.iter().copied().map(in_source).collect(),
        elsewhere: elsewhere.iter().map(|name| in_source(name)).collect(),
        files: files.iter().map(|name| format!("{name}.class")).collect(),
        resources: BTreeSet::new(),
    }
}

/// `demo/Account` of `demo/Account$Entry`
fn outermost(name: &str) -> &str {
    // A name may begin with the sign.
    let start = name.rfind('/').map_or(0, |at| at + 1);
    let inner = name[start..]
        .char_indices()
        .skip(1)
        .find(|&(_, c)| c == '$');
    inner.map_or(name, |(at, _)| &name[..start + at])
}

/// Whether a constant of a class file is this name, or a descriptor that holds it.
fn names_class(bytes: &[u8], name: &str) -> bool {
    let length = u16::try_from(name.len()).unwrap_or(u16::MAX).to_be_bytes();
    let constant = [&length[..], name.as_bytes()].concat();
    let in_descriptor = format!("L{name};");
    let nested = format!("L{name}$");
    [&constant[..], in_descriptor.as_bytes(), nested.as_bytes()]
        .iter()
        .any(|part| bytes.windows(part.len()).any(|window| window == *part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(all: &[(&str, &[u8])]) -> Files {
        let files = all.iter();
        files
            .map(|(name, bytes)| ((*name).to_owned(), bytes.to_vec()))
            .collect()
    }

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    #[test]
    fn a_class_differs_with_one_nested_in_it_and_its_users_are_found_by_their_constants() {
        let before = files(&[
            ("p/A", b"1"),
            ("p/A$Inner", b"1"),
            ("p/Same", b"2"),
            ("p/Gone", b"3"),
            ("p/User", b"(Lp/A;)V"),
            ("p/Other", b"(Lp/ABC;)V"),
            ("p/ByName", b"\x00\x03p/A"),
        ]);
        let mut now = before.clone();
        now.insert("p/A$Inner".to_owned(), b"9".to_vec());
        now.remove("p/Gone");
        now.insert("p/New".to_owned(), b"4".to_vec());
        assert_eq!(
            compare(&before, &now, &BTreeSet::new()),
            Changed {
                own: set(&["p.A", "p.Gone", "p.New"]),
                users: set(&["p.ByName", "p.User"]),
                files: set(&["p/A$Inner.class", "p/Gone.class", "p/New.class"]),
                ..Changed::default()
            }
        );
    }

    #[test]
    fn a_name_may_begin_with_the_sign_of_nested_classes() {
        assert_eq!(outermost("p/$A$B"), "p/$A");
        assert_eq!(outermost("A"), "A");
    }
}
