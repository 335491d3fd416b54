//! Tests only: Java text to a program with the platform classes that the text needs.

use palus_bytecode::{ClassId, ClassProbes, MethodId, Origin, Program, ProgramBuilder};
use palus_fixture::{compile, platform_class};

pub fn program(files: &[(&str, &str)]) -> Program {
    with_library("", files)
}

/// The same, where classes of packages that begin so are a library's; an empty text is none.
pub fn with_library(packages: &str, files: &[(&str, &str)]) -> Program {
    let mut builder = ProgramBuilder::new();
    for (name, bytes) in &compile(files).classes {
        let is_library = !packages.is_empty() && name.starts_with(packages);
        let origin = if is_library {
            Origin::Library
        } else {
            Origin::Subject
        };
        builder.add(origin, bytes).unwrap();
    }
    loop {
        let missing = builder.missing();
        let bytes: Vec<_> = missing
            .iter()
            .filter_map(|name| platform_class(name))
            .collect();
        if bytes.is_empty() {
            return builder.finish();
        }
        for bytes in bytes {
            builder.add(Origin::Platform, &bytes).unwrap();
        }
    }
}

/// A method by `Class.name`; the first of that name.
pub fn method(program: &Program, name: &str) -> MethodId {
    let (class, name) = name.rsplit_once('.').unwrap();
    let class = program.class(program.class_named(class).unwrap());
    let found = class
        .methods
        .iter()
        .find(|&&id| &*program.method(id).name == name);
    *found.unwrap_or_else(|| panic!("{class:?} has no {name}"))
}

/// Names of the methods with these entries.
pub fn named(program: &Program, entries: &[(ClassId, u32)]) -> String {
    let names = entries.iter().map(|&(class, entry)| {
        let probes = ClassProbes::of(program, class);
        let found = probes.methods().iter().find(|(start, _)| *start == entry);
        program.method(found.unwrap().1).name.to_string()
    });
    names.collect::<Vec<_>>().join(" ")
}
