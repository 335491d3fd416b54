//! A file of tests in the parts of which Palus makes it up.
//!
//! Comes in: a file. Goes out: its head, imports, fields and tests, which make up the same text again; and the same with
//! other tests in it, with the imports and fields that these need.
//! Does not know: why one is replaced, whose the file is.

use crate::write::earlier::Earlier;
use std::collections::{BTreeMap, BTreeSet};

/// A test with all that stands above it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) name: String,
    pub(crate) text: String,
}

impl Block {
    /// The first part of its name, `{method}_{when}_{then}`.
    pub(crate) fn method(&self) -> &str {
        self.name.split('_').next().unwrap_or(&self.name)
    }

    /// With a name that none of these is, which it joins.
    pub(crate) fn named_apart(&self, names: &mut BTreeSet<String>) -> Block {
        self.renamed(&self.name, names)
    }

    /// With this name, or one that begins with it, that none of these is; it joins them.
    pub(crate) fn renamed(&self, wanted: &str, names: &mut BTreeSet<String>) -> Block {
        let mut name = wanted.to_owned();
        let mut number = 1;
        while !names.insert(name.clone()) {
            number += 1;
            name = format!("{wanted}_{number}");
        }
        let (from, to) = (format!("void {}()", self.name), format!("void {name}()"));
        Block {
            text: self.text.replacen(&from, &to, 1),
            name,
        }
    }
}

/// The parts of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    /// First line and package.
    pub(crate) head: Vec<String>,
    /// Whole names, static ones apart.
    statics: BTreeSet<String>,
    imports: BTreeSet<String>,
    /// The line that begins the class.
    pub(crate) class: String,
    /// Fields by which JUnit gives tests something, a line each.
    pub(crate) fields: Vec<String>,
    pub(crate) tests: Vec<Block>,
}

impl Layout {
    /// None where the parts do not make up the text again.
    pub(crate) fn of(file: &Earlier) -> Option<Layout> {
        let lines: Vec<&str> = file.text.lines().collect();
        let is_class =
            |line: &&str| line.starts_with("class ") || line.starts_with("public class ");
        let class = lines.iter().position(is_class)?;
        let mut layout = Layout {
            class: lines[class].to_owned(),
            ..Layout::default()
        };
        for line in &lines[..class] {
            let import = line.strip_prefix("import ");
            match import.and_then(|rest| rest.strip_suffix(';')) {
                Some(name) => match name.strip_prefix("static ") {
                    Some(name) => layout.statics.insert(name.to_owned()),
                    None => layout.imports.insert(name.to_owned()),
                },
                None if line.is_empty() => false,
                None => {
                    layout.head.push((*line).to_owned());
                    true
                }
            };
        }
        let mut end = None;
        for test in &file.tests {
            let (mut first, last) = (test.lines.0 as usize - 1, test.lines.1 as usize);
            while first > class + 1 && !lines[first - 1].is_empty() {
                first -= 1;
            }
            end.get_or_insert(first);
            layout.tests.push(Block {
                name: test.name.clone(),
                text: lines[first..last].join("\n"),
            });
        }
        let fields = lines[class + 1..end.unwrap_or(class + 1)].iter();
        let fields = fields.filter(|line| !line.is_empty());
        layout.fields = fields.map(|line| (*line).to_owned()).collect();
        (layout.text() == file.text).then_some(layout)
    }

    /// Whether all around the tests is what Palus writes for them.
    pub(crate) fn is_plain(&self, binary_name: &str) -> bool {
        let (package, name) = binary_name.rsplit_once('.').unwrap_or(("", binary_name));
        let mut head = vec![palus_suite::HEADER.to_owned()];
        if !package.is_empty() {
            head.push(format!("package {package};"));
        }
        let class = format!("class {name} {{");
        let mut needed = self.clone();
        needed.drop_unused();
        let is_written = |field: &String| palus_suite::FIELDS.contains(&field.as_str());
        self.head == head
            && (self.class == class || self.class == format!("public {class}"))
            && self.fields.iter().all(is_written)
            && *self == needed
    }

    /// As `palus_suite` prints it.
    pub(crate) fn text(&self) -> String {
        let mut lines = self.head.clone();
        if !self.statics.is_empty() {
            lines.push(String::new());
            let names = self.statics.iter();
            lines.extend(names.map(|name| format!("import static {name};")));
        }
        lines.push(String::new());
        let names = self.imports.iter();
        lines.extend(names.map(|name| format!("import {name};")));
        lines.extend([String::new(), self.class.clone()]);
        if !self.fields.is_empty() {
            lines.extend(self.fields.iter().cloned().chain([String::new()]));
        }
        let tests: Vec<&str> = self.tests.iter().map(|test| test.text.as_str()).collect();
        lines.extend([tests.join("\n\n"), "}\n".to_owned()]);
        lines.join("\n")
    }

    /// Which whole name a simple one has here, by an import.
    fn owners(&self) -> BTreeMap<&str, &str> {
        let names = self.statics.iter().chain(&self.imports);
        names.map(|name| (simple(name), name.as_str())).collect()
    }

    /// Whether a test of another file says the same here, and these texts say what they say with its imports.
    pub(crate) fn may_hold(&self, texts: &[String], test: &Block, other: &Layout) -> bool {
        let (here, there) = (self.owners(), other.owners());
        let names: BTreeSet<&str> = here.keys().chain(there.keys()).copied().collect();
        let says = |name: &str| {
            let mut fields = other.fields_of(test);
            says(&test.text, name) || fields.any(|field| says(field, name))
        };
        let is_taken = |field: &String| {
            let mut mine = self.fields.iter();
            mine.any(|mine| mine != field && field_name(mine) == field_name(field))
        };
        if other.fields_of(test).any(is_taken) {
            return false;
        }
        names.into_iter().filter(|name| says(name)).all(|name| {
            match (here.get(name), there.get(name)) {
                (here @ Some(_), there) => here == there,
                (None, _) => !texts.iter().any(|text| self::says(text, name)),
            }
        })
    }

    /// The fields that a test of this file uses.
    fn fields_of<'s>(&'s self, test: &'s Block) -> impl Iterator<Item = &'s String> {
        let fields = self.fields.iter();
        fields.filter(|field| says(&test.text, field_name(field)))
    }

    /// Takes over the fields and imports of a test of another file.
    pub(crate) fn import(&mut self, test: &Block, other: &Layout) {
        for field in other.fields_of(test) {
            if !self.fields.contains(field) {
                self.fields.push(field.clone());
            }
        }
        let needed = |name: &&String| {
            let mut fields = other.fields_of(test);
            let name = simple(name);
            says(&test.text, name) || fields.any(|field| says(field, name))
        };
        self.statics
            .extend(other.statics.iter().filter(needed).cloned());
        self.imports
            .extend(other.imports.iter().filter(needed).cloned());
    }

    /// Has an assertion method and a class to call by their simple names; none where a name has another meaning here.
    pub(crate) fn needs(&mut self, assertion: &str, class: Option<&str>) -> Option<()> {
        let owner = self.statics.iter().find_map(|name| {
            let (owner, method) = name.rsplit_once('.')?;
            method.starts_with("assert").then_some(owner)
        })?;
        let method = format!("{owner}.{assertion}");
        if let Some(class) = class {
            let name = simple(class);
            let is_other = self
                .imports
                .iter()
                .any(|one| simple(one) == name && one != class);
            let is_said = !self.imports.contains(class)
                && self.tests.iter().any(|test| says(&test.text, name));
            let package = class.rsplit_once('.').map_or("", |(package, _)| package);
            let is_near = package == "java.lang" || self.package() == package;
            // A class of the same simple name may be meant where it stands already.
            if is_other || is_said && !is_near {
                return None;
            }
            if !is_near {
                self.imports.insert(class.to_owned());
            }
        }
        self.statics.insert(method);
        Some(())
    }

    /// `demo` of `package demo;`
    fn package(&self) -> &str {
        let package = self
            .head
            .iter()
            .find_map(|line| line.strip_prefix("package "));
        package.map_or("", |rest| rest.trim_end_matches(';'))
    }

    /// Drops the fields and imports that no test needs.
    pub(crate) fn drop_unused(&mut self) {
        let tests = &self.tests;
        self.fields
            .retain(|field| tests.iter().any(|test| says(&test.text, field_name(field))));
        let fields = &self.fields;
        let is_used = |name: &String| {
            let name = simple(name);
            let is_said = tests.iter().any(|test| says(&test.text, name));
            is_said || fields.iter().any(|field| says(field, name))
        };
        self.statics.retain(is_used);
        self.imports.retain(is_used);
    }
}

/// `Map` of `java.util.Map`
fn simple(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// `folder` of `  @TempDir Path folder;` and of one with a value.
fn field_name(line: &str) -> &str {
    let declared = line.split(['=', ';']).next().unwrap_or(line);
    declared.trim_end().rsplit(' ').next().unwrap_or(line)
}

/// Whether a text has a word, and not as a part of a longer name.
fn says(text: &str, word: &str) -> bool {
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '$');
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !before.is_some_and(|one| is_part(one) || one == '.') && !after.is_some_and(is_part)
    })
}
