//! Names of classes in one compilation unit, and the imports they need.
//!
//! Comes in: classes as they are mentioned. Goes out: the shortest name that means the right class, and sorted imports.
//! The first class that asks for a simple name gets it; others of the same simple name are written in full.
//! Does not know: statements, assertions.

use palus_bytecode::{Bound, Program, Type, TypeArgument, TypeSignature, binary_name};
use std::collections::{BTreeMap, BTreeSet};

/// Collects the imports of a compilation unit.
#[derive(Debug)]
pub(crate) struct Imports<'a> {
    program: &'a Program,
    /// Package of the unit as an internal name.
    package: &'a str,
    /// Simple name to the full source name that owns it here.
    owners: BTreeMap<String, String>,
    /// Imports of deprecated classes draw warnings that nothing suppresses before Java 9.
    may_import_deprecated: bool,
    /// Lint names of warnings that the classes named draw.
    warnings: BTreeSet<&'static str>,
}

impl<'a> Imports<'a> {
    /// For a unit of this package (internal form) in which some simple names are taken.
    pub(crate) fn new(
        program: &'a Program,
        package: &'a str,
        taken: &[(&str, &str)],
        language_level: u32,
    ) -> Self {
        let owners = taken
            .iter()
            .map(|&(simple, full)| (simple.to_owned(), full.to_owned()))
            .collect();
        Imports {
            program,
            package,
            owners,
            may_import_deprecated: language_level >= 9,
            warnings: BTreeSet::new(),
        }
    }

    /// Import lines in order, without those the compiler implies.
    pub(crate) fn sorted(&self) -> Vec<String> {
        let package = binary_name(self.package);
        let mut names: Vec<String> = self
            .owners
            .values()
            .filter(|full| {
                let owner = full.rfind('.').map_or("", |end| &full[..end]);
                owner != package && owner != "java.lang" && !owner.is_empty()
            })
            .cloned()
            .collect();
        names.sort();
        names
    }

    /// Lint names of warnings drawn by the classes named since the last call.
    pub(crate) fn take_warnings(&mut self) -> BTreeSet<&'static str> {
        std::mem::take(&mut self.warnings)
    }

    /// True for a top-level class that stands in the source file of another.
    fn is_auxiliary(&self, name: &str) -> bool {
        self.program.class_named(name).is_some_and(|id| {
            let class = self.program.class(id);
            let simple = class.name.rsplit('/').next().unwrap_or_default();
            let file = class
                .source_file
                .as_deref()
                .and_then(|file| file.strip_suffix(".java"));
            class.outer.is_none() && file.is_some_and(|file| file != simple)
        })
    }

    /// True if the class or one around it is deprecated.
    fn is_deprecated(&self, name: &str) -> bool {
        let mut next = self.program.class_named(name);
        while let Some(id) = next {
            let class = self.program.class(id);
            if class
                .annotations
                .iter()
                .any(|one| &**one == "java/lang/Deprecated")
            {
                return true;
            }
            next = class
                .outer
                .as_deref()
                .and_then(|outer| self.program.class_named(outer));
        }
        false
    }

    /// How the unit calls a class (internal name).
    pub(crate) fn class(&mut self, name: &str) -> String {
        let full = self
            .program
            .class_named(name)
            .and_then(|id| self.program.source_name(id))
            .unwrap_or_else(|| name.replace(['/', '$'], "."));
        let package = self
            .program
            .class_named(name)
            .map_or_else(
                || name.rfind('/').map_or("", |end| &name[..end]),
                |id| self.program.package(id),
            )
            .to_owned();
        let nested = if package.is_empty() {
            full.as_str()
        } else {
            &full[package.len() + 1..]
        };
        let top = nested.split('.').next().unwrap_or(nested).to_owned();
        let top_full = if package.is_empty() {
            top.clone()
        } else {
            format!("{}.{top}", binary_name(&package))
        };
        if package == "java/lang" && self.package != "java/lang" {
            // A class of the same package hides the implicit import.
            let rival = if self.package.is_empty() {
                top.clone()
            } else {
                format!("{}/{top}", self.package)
            };
            if self.program.class_named(&rival).is_some() {
                return full;
            }
        }
        if self.is_auxiliary(name) {
            self.warnings.insert("auxiliaryclass");
        }
        if self.is_deprecated(name) {
            self.warnings.insert("deprecation");
            if !self.may_import_deprecated && package != self.package {
                return full;
            }
        }
        let owner = self.owners.entry(top).or_insert_with(|| top_full.clone());
        if *owner == top_full {
            nested.to_owned()
        } else {
            full
        }
    }

    /// How the unit writes an erased type.
    pub(crate) fn erased(&mut self, erased: &Type) -> String {
        self.signature(&crate::generic::plain(erased))
    }

    /// How the unit writes a type.
    pub(crate) fn signature(&mut self, signature: &TypeSignature) -> String {
        match signature {
            TypeSignature::Plain(primitive) => keyword(primitive).into(),
            TypeSignature::Variable(name) => name.to_string(),
            TypeSignature::Array(element) => format!("{}[]", self.signature(element)),
            TypeSignature::Class { name, arguments } => {
                let name = self.class(name);
                if arguments.is_empty() {
                    return name;
                }
                let arguments: Vec<String> = arguments
                    .iter()
                    .map(|argument| self.argument(argument))
                    .collect();
                format!("{name}<{}>", arguments.join(", "))
            }
        }
    }

    fn argument(&mut self, argument: &TypeArgument) -> String {
        match (argument.bound, &argument.signature) {
            (Bound::Exact, Some(signature)) => self.signature(signature),
            (Bound::Extends, Some(signature)) => format!("? extends {}", self.signature(signature)),
            (Bound::Super, Some(signature)) => format!("? super {}", self.signature(signature)),
            _ => "?".into(),
        }
    }
}

/// The keyword of a primitive type.
pub(crate) fn keyword(primitive: &Type) -> &'static str {
    match primitive {
        Type::Boolean => "boolean",
        Type::Byte => "byte",
        Type::Char => "char",
        Type::Short => "short",
        Type::Int => "int",
        Type::Long => "long",
        Type::Float => "float",
        Type::Double => "double",
        _ => "void",
    }
}
