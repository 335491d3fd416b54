//! What the tests of a file rest on: a text that is the same while nothing changed that they may run into.
//!
//! Comes in: the project, and the texts of files. Goes out: by file, a digest of its text, of the classes of the project that
//! this may reach, and of all that may matter for any code: settings, resources, jars, other modules.
//! Classes are found by their simple names, whatever they mean there, and then from class to class. Where one of these finds
//! classes by names that are made while it runs, there is no digest: nobody knows what its tests rest on.
//! Source: Legunsen, Hariri, Shi, Lu, Zhang, Marinov, "An Extensive Study of Static Regression Test Selection in Modern
//! Software Evolution", FSE 2016 (the class firewall; its unsafety with reflection is what the last sentence is about).
//! Does not know: whether a test passes.

use crate::Settings;
use crate::run::state::{self, Properties};
use crate::subject::project::Project;
use crate::write::manifest::hash;
use palus_analyze::{Reach, UseGraph};
use palus_bytecode::{ClassId, Program};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

/// The digests, by file.
pub(crate) type Rested = BTreeMap<String, String>;

/// Digests of files, each with its text.
pub(crate) fn rested(
    settings: &Settings,
    project: &Project,
    files: &BTreeMap<String, String>,
) -> Rested {
    let program = &*project.program;
    let properties = Properties::of(settings);
    let mut common = state::common(settings, &properties);
    let own = &settings.classes_directories;
    let is_own = |name: &str| own.iter().any(|folder| folder.join(name).is_file());
    let code = state::code(settings);
    for (name, content) in &code {
        let is_class = Path::new(name)
            .extension()
            .is_some_and(|last| last == "class");
        if !is_class || !is_own(name) {
            let _ = write!(common, "\n{content} {name}");
        }
    }
    for (path, _) in &project.unreadable {
        let content = state::hash_of_file(path).map_err(|error| error.kind());
        let _ = write!(common, "\nunreadable {content:?}");
    }
    let reached = Reached::in_program(program);
    let digest = |(path, text): (&String, &String)| {
        let reach = reached.by(text);
        if reach.is_open {
            return None;
        }
        let mut all = format!("{common}\n{}", hash(text.as_bytes()));
        let _ = write!(all, "\n{:?}", properties.named_by(program, &reach));
        for &class in &reach.classes {
            let name = format!("{}.class", program.class(class).name);
            let content = code.get(&name);
            let _ = write!(all, "\n{name} {content:?}");
        }
        Some((path.clone(), hash(all.as_bytes())))
    };
    files.par_iter().filter_map(digest).collect()
}

/// Which classes a text of tests reaches.
pub(super) struct Reached<'p> {
    /// By their simple names.
    named: BTreeMap<&'p str, Vec<ClassId>>,
    graph: UseGraph<'p>,
}

impl<'p> Reached<'p> {
    pub(super) fn in_program(program: &'p Program) -> Reached<'p> {
        let mut named: BTreeMap<&str, Vec<ClassId>> = BTreeMap::new();
        for class in program.classes() {
            let simple = class.name.rsplit(['/', '$']).next().unwrap_or(&class.name);
            named.entry(simple).or_default().push(class.id);
        }
        let graph = UseGraph::of(program);
        Reached { named, graph }
    }

    pub(super) fn by(&self, text: &str) -> Reach {
        let words: BTreeSet<&str> = text.split(|one: char| !is_part(one)).collect();
        let roots = words.iter().filter_map(|word| self.named.get(word));
        self.graph.reach(roots.flatten().copied())
    }
}

/// Of a name that has no `$`, which stands between the names of nested classes.
fn is_part(one: char) -> bool {
    one.is_alphanumeric() || one == '_'
}
