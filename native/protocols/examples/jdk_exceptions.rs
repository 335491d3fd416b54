//! Makes the table of exceptions that the JDK's documentation names, from the sources of a JDK:
//!
//! ```text
//! cargo run --release -p palus-protocols --example jdk_exceptions -- /path/to/lib/src.zip "OpenJDK 17.0.21" \
//!     > native/protocols/data/jdk-exceptions.txt
//! ```
//!
//! Comes in: the archive, and what it is called. Goes out: the table, with that name and the packages in its head.
//! Does not know: how the table is used. It holds names alone, none of the text.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program")]

use palus_protocols::Documentation;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs::File;
use std::io::Read as _;
use std::process::ExitCode;

/// Packages of the APIs that have protocols, and of what their types extend.
const PACKAGES: [&str; 7] = [
    "java/io",
    "java/sql",
    "java/util",
    "java/util/concurrent",
    "java/util/concurrent/locks",
    "java/util/regex",
    "java/util/stream",
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [archive, name] = arguments.as_slice() else {
        eprintln!("usage: jdk_exceptions SRC_ZIP NAME_OF_THE_JDK");
        return ExitCode::FAILURE;
    };
    match table(archive) {
        Ok(documentation) => {
            println!(
                "# Exceptions that methods of the JDK declare: throws clauses, @throws and @exception."
            );
            println!(
                "# Made by native/protocols/examples/jdk_exceptions.rs from the sources of {name},"
            );
            println!("# packages {}.", PACKAGES.join(", "));
            print!("{documentation}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{archive}: {error}; a src.zip of a JDK was expected");
            ExitCode::FAILURE
        }
    }
}

fn table(archive: &str) -> Result<Documentation, Box<dyn Error>> {
    let mut archive = zip::ZipArchive::new(File::open(archive)?)?;
    let mut members = BTreeMap::new();
    for place in 0..archive.len() {
        let member = archive.by_index(place)?;
        let name = member.name()?;
        // Since Java 9 the name of the module comes first.
        let name = name
            .split_once('/')
            .filter(|(module, _)| module.contains('.'))
            .map_or(&*name, |(_, rest)| rest);
        if let Some(class) = name.strip_suffix(".java") {
            members.insert(class.to_owned(), place);
        }
    }
    let classes: BTreeSet<String> = members.keys().cloned().collect();
    let mut documentation = Documentation::default();
    for (class, place) in members {
        let package = class.rsplit_once('/').map_or("", |(package, _)| package);
        if PACKAGES.contains(&package) {
            let mut text = String::new();
            archive.by_index(place)?.read_to_string(&mut text)?;
            documentation.read_source(&text, &|name| classes.contains(name));
        }
    }
    Ok(documentation)
}
