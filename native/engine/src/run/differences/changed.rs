//! Which classes differ between two revisions, and which use those.
//!
//! Comes in: folders of class files of both. Goes out: names of outermost classes, and the class files.
//! A class differs where the bytes of its class file, or of one nested in it, do; also a comment can do that, by the lines
//! that it moves. A class uses another where its constants name it.
//! Does not know: what a class file holds otherwise.

use crate::Error;
use crate::subject::class_path::class_files;
use crate::subject::input::class_file;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Names in source form, of outermost classes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changed {
    /// Those that differ, or are on one side alone.
    pub(super) own: BTreeSet<String>,
    /// Those that do not, and use one that does.
    pub(super) users: BTreeSet<String>,
    /// The class files that differ, as relative paths.
    pub(super) files: BTreeSet<String>,
}

/// Class files by internal name; the first folder that has one counts.
type Files = BTreeMap<String, Vec<u8>>;

/// Compares two sides.
///
/// # Errors
/// A configuration error when a folder cannot be read.
pub(super) fn changed(before: &[PathBuf], now: &[PathBuf]) -> Result<Changed, Error> {
    let (before, now) = (read(before)?, read(now)?);
    Ok(compare(&before, &now))
}

fn read(folders: &[PathBuf]) -> Result<Files, Error> {
    let mut files = Files::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let unreadable = |error: std::io::Error| {
            Error::configuration(
                format!("cannot read {}: {error}", folder.display()),
                "check its permissions",
            )
        };
        for file in class_files(folder).map_err(unreadable)? {
            let path = file
                .strip_prefix(folder)
                .unwrap_or(&file)
                .with_extension("");
            let name = path.to_string_lossy().replace('\\', "/");
            let bytes = class_file(&file).map_err(unreadable)?;
            files.entry(name).or_insert(bytes);
        }
    }
    Ok(files)
}

fn compare(before: &Files, now: &Files) -> Changed {
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let files = names
        .into_iter()
        .filter(|&name| before.get(name) != now.get(name));
    let files: Vec<&String> = files.collect();
    let differing: BTreeSet<&str> = files.iter().map(|name| outermost(name)).collect();
    let all = now.iter().chain(before);
    let users = all.filter(|(name, bytes)| {
        let own = outermost(name);
        !differing.contains(own) && differing.iter().any(|other| names_class(bytes, other))
    });
    let in_source = |name: &str| palus_bytecode::binary_name(name);
    Changed {
        users: users.map(|(name, _)| in_source(outermost(name))).collect(),
        own: differing.into_iter().map(in_source).collect(),
        files: files.iter().map(|name| format!("{name}.class")).collect(),
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
            compare(&before, &now),
            Changed {
                own: set(&["p.A", "p.Gone", "p.New"]),
                users: set(&["p.ByName", "p.User"]),
                files: set(&["p/A$Inner.class", "p/Gone.class", "p/New.class"]),
            }
        );
    }

    #[test]
    fn a_name_may_begin_with_the_sign_of_nested_classes() {
        assert_eq!(outermost("p/$A$B"), "p/$A");
        assert_eq!(outermost("A"), "A");
    }
}
