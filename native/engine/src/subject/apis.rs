//! The APIs whose protocols are learned: their classes, and where subject classes call them.
//!
//! Comes in: names of the setting `protocols`, the program, source folders.
//! Goes out: [`Apis`]: call sites by number, for workers and back; what methods declare to throw.
//! Does not know: what is recorded at the sites.

use crate::Settings;
use crate::config::apis::classes_of;
use crate::subject::glob::matches;
use crate::subject::input::class_file;
use palus_bytecode::{Origin, Program, binary_name};
use palus_protocols::{Api, CallSite, Documentation};
use palus_sequence::Run;
use palus_wire::request::WireSites;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The APIs of a run.
#[derive(Debug)]
pub(crate) struct Apis {
    /// By number.
    pub(crate) sites: Vec<CallSite>,
    /// The same for workers.
    pub(crate) wire: WireSites,
    /// Classes with sites.
    calling: BTreeSet<u32>,
    /// Names that mean no class of a library that the project uses.
    pub(crate) unknown: Vec<String>,
    source_directories: Vec<PathBuf>,
    documentation: OnceLock<Documentation>,
}

impl Apis {
    /// Those of the settings; none where there are none.
    pub(crate) fn of(settings: &Settings, program: &Program) -> Option<Apis> {
        if settings.protocols.is_empty() {
            return None;
        }
        let mut roots: Vec<Arc<str>> = Vec::new();
        let mut unknown = Vec::new();
        for name in &settings.protocols {
            let before = roots.len();
            match classes_of(name) {
                Some(classes) => roots.extend(classes.iter().map(|&class| Arc::from(class))),
                None => roots.extend(matching(program, name)),
            }
            if roots.len() == before {
                unknown.push(name.clone());
            }
        }
        roots.sort();
        roots.dedup();
        let api = Api::new(&roots.iter().map(|name| &**name).collect::<Vec<_>>());
        let mut sites = Vec::new();
        let mut by_class = Vec::new();
        let mut calling = BTreeSet::new();
        for class in program.classes() {
            if class.origin != Origin::Subject {
                continue;
            }
            let mut of_class = Vec::new();
            for (place, site) in api.call_sites(program, class.id) {
                of_class.push((place, sites.len() as u32));
                sites.push(site);
            }
            if !of_class.is_empty() {
                calling.insert(class.id.0);
                by_class.push((class.name.clone(), of_class));
            }
        }
        Some(Apis {
            sites,
            wire: WireSites {
                api: roots,
                sites: by_class,
            },
            calling,
            unknown,
            source_directories: settings.source_directories.clone(),
            documentation: OnceLock::new(),
        })
    }

    /// True if runs came to classes that call an API; what each touched is what was new when it ran.
    pub(crate) fn may_be_called(&self, runs: &[Run]) -> bool {
        let mut touched = runs.iter().flat_map(|run| &run.outcome.coverage.probes);
        touched.any(|probe| self.calling.contains(&probe.class))
    }

    /// What the project's sources say of exceptions; they are read where it is first asked for.
    pub(crate) fn documentation(&self, program: &Program) -> &Documentation {
        self.documentation.get_or_init(|| {
            let mut documentation = Documentation::default();
            let exists = |name: &str| program.class_named(name).is_some();
            for folder in &self.source_directories {
                for file in java_files(folder) {
                    if let Ok(bytes) = class_file(&file) {
                        documentation.read_source(&String::from_utf8_lossy(&bytes), &exists);
                    }
                }
            }
            documentation
        })
    }
}

/// Classes of libraries and of the JDK that a pattern means.
fn matching<'a>(program: &'a Program, glob: &'a str) -> impl Iterator<Item = Arc<str>> + 'a {
    let classes = program.classes().iter();
    let foreign =
        classes.filter(|class| matches!(class.origin, Origin::Library | Origin::Platform));
    let named = foreign.filter(move |class| matches(glob, &binary_name(&class.name)));
    named.map(|class| class.name.clone())
}

/// Source files of a folder, in order.
fn java_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            // Links lead elsewhere, and maybe round in circles.
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = entry.path();
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|end| end == "java") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
