//! Which classes are as the last run left them: they keep their tests, and nothing is done for them again.
//!
//! Comes in: the project, its models, the manifest, and what the last run left in the work folder. Goes out: those classes
//! with what the report says of them, and what this run leaves for the next one.
//! A class is as it was where all is that its tests rest on: the settings, its code and what that names (`uses.rs` in
//! `analyze`), the classes of other modules and of libraries that this leads to (`subject/outside.rs`), its model, its
//! promoted tests, and the file with its tests. Other classes may be new or changed. What a class does through methods that
//! it does not name is seen by running its tests (`regression.rs`); one whose tests fail is worked on again.
//! Does not know: how a class is worked on, what becomes of findings (`unchanged/findings.rs`).

mod findings;

pub(crate) use findings::{Finders, Standing};

use crate::Settings;
use crate::run::best::best_first;
use crate::run::staged::{Fate, Staged, StagedClass};
use crate::run::state::{self, Properties, protocols_file};
use crate::run::unit::UnitResult;
use crate::subject::outside::Outside;
use crate::subject::project::{Project, class_path};
use crate::verify::dropped::Drops;
use crate::write::disk::{replace, unwritable};
use crate::write::earlier::hash_of_test;
use crate::write::kept::TESTS;
use crate::write::manifest::{Manifest, hash};
use crate::{Error, Verification};
use palus_analyze::UseGraph;
use palus_bytecode::{ClassId, Program};
use palus_learn::Models;
use palus_report::{KnownTest, Left, LeftClass, left_json, read_left};
use palus_suite::{Source, TestClass};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

/// By class: a digest of all that its tests rest on.
pub(crate) type Keys = BTreeMap<ClassId, String>;

/// What is known of classes that are not worked on again.
#[derive(Default)]
pub(crate) struct Aside {
    pub(crate) classes: Vec<ClassId>,
    /// What the last run left of them.
    pub(crate) left: Left,
    /// What stays of its findings.
    pub(crate) findings: Standing,
    /// Which classes found what this run found.
    pub(crate) finders: Finders,
    /// How many findings of a class of this run, by its name, an annotation suppresses, and how many have no test that fails.
    pub(crate) suppressed: BTreeMap<String, u64>,
    pub(crate) unverified: BTreeMap<String, u64>,
    /// Of classes of this run, internal names of classes of objects that they may use unsafely.
    pub(crate) suspects: BTreeMap<ClassId, BTreeSet<String>>,
    /// What decides for each class that may get tests.
    pub(crate) keys: Keys,
    /// The same of the settings and the code alone, without what models and promoted tests decide.
    pub(crate) code: Keys,
    /// What the last run left of classes that are worked on again.
    pub(crate) before: Vec<LeftClass>,
    /// Names of classes with a test of the last run that fails, where that is accepted.
    pub(crate) failing: BTreeSet<String>,
    /// Names of those that the next run is to work on in any case: a test of theirs fails in the end, or Palus itself did.
    pub(crate) again: BTreeSet<String>,
}

impl Aside {
    /// What the last run left of these classes.
    pub(crate) fn classes_left(&self, program: &Program) -> Vec<LeftClass> {
        let names = self.classes.iter();
        let names: BTreeSet<String> = names.map(|&one| program.class(one).binary_name()).collect();
        let left = self.left.classes.iter();
        left.filter(|one| names.contains(&one.name))
            .cloned()
            .collect()
    }

    /// Whether a file holds the tests of one of these classes.
    pub(crate) fn has_file(&self, program: &Program, file: &str) -> bool {
        let class = file.strip_suffix(TESTS);
        let class = class.and_then(|name| program.class_named(name));
        class.is_some_and(|class| self.classes.contains(&class))
    }
}

/// Digests of all classes that may get tests: of all that their tests rest on, and of the settings and the code alone.
pub(crate) fn keys(settings: &Settings, project: &Project, models: &Models) -> (Keys, Keys) {
    let program = &*project.program;
    let properties = Properties::of(settings);
    let version = env!("CARGO_PKG_VERSION");
    let common = format!("{version} {}", state::common(settings, &properties));
    let seen = models.store(program).digests();
    let graph = UseGraph::of(program);
    let subjects = &project.subjects;
    let all: Vec<_> = subjects
        .par_iter()
        .map(|&class| graph.uses(class))
        .collect();
    let names = all.iter().flat_map(|uses| &uses.outside).cloned();
    let mut class_path = class_path(settings);
    let outside = Outside::of(&mut class_path, names.collect());
    let code = |(&class, uses): (&ClassId, &palus_analyze::Uses)| {
        let mut text = format!("{common}\n{:x}\n", uses.digest);
        let _ = writeln!(text, "outside {:x}", outside.digest(uses.outside.iter()));
        if !properties.is_for_all() {
            let reach = graph.reach(program.nest(class));
            let said = properties.named_by(program, &reach);
            let _ = writeln!(text, "properties {said:?}");
        }
        for nested in program.nest(class) {
            let name = &program.class(nested).name;
            let _ = writeln!(text, "{name} {}", own_bytes(settings, name));
        }
        (class, hash(text.as_bytes()))
    };
    let code: Keys = subjects.iter().zip(&all).map(code).collect();
    let key = |(&class, code): (&ClassId, &String)| {
        let mut text = format!("{code}\n");
        let promoted = project
            .promoted
            .digest_for(&program.class(class).binary_name());
        let _ = writeln!(text, "promoted {promoted}");
        let has_theories = !project.user_code.theories.is_empty();
        let is_first = has_theories && project.first == Some(class);
        let _ = writeln!(text, "theories about no object {is_first}");
        for nested in program.nest(class) {
            let name = &program.class(nested).name;
            let _ = writeln!(text, "{name} {:?}", seen.get(name));
        }
        (class, hash(text.as_bytes()))
    };
    (code.iter().map(key).collect(), code)
}

/// Of a class file of the project, with all that a [`Program`] does not hold.
fn own_bytes(settings: &Settings, name: &str) -> String {
    let folders = settings.classes_directories.iter();
    let mut files = folders.map(|folder| folder.join(format!("{name}.class")));
    files
        .find_map(|file| state::hash_of_file(&file).ok())
        .unwrap_or_default()
}

/// The classes that are as the last run left them, of those chosen now; what it left of all that exist; and which of its
/// findings stay. Classes that an interrupted run had done with are among them.
pub(crate) fn unchanged(
    settings: &Settings,
    program: &Program,
    keys: &Keys,
    manifest: &Manifest,
    failing: &BTreeSet<String>,
    staged: &mut Staged,
) -> (BTreeSet<ClassId>, Left, Standing, Vec<LeftClass>) {
    if settings.verification == Verification::Once {
        // A study measures what a run from nothing does.
        return Default::default();
    }
    let mut left = left_before(settings);
    // The baseline is made of the findings of all classes. What classes taught of APIs is in no other file.
    let is_whole = !settings.incremental
        || settings.update_baseline
        || !settings.protocols.is_empty() && left.protocols != protocols(settings);
    let mut same = BTreeSet::new();
    let by_name: BTreeMap<String, ClassId> = keys
        .keys()
        .map(|&class| (program.class(class).binary_name(), class))
        .collect();
    let (taken, again) = staged.take_up(&|class| match by_name.get(&class.note.name) {
        Some(&id) => fate(settings, (program, id), &keys[&id], manifest, &left, class),
        None if is_there(program, &class.note.name) => Fate::Waits,
        None => Fate::Useless,
    });
    take_over(&mut left, taken, &again);
    let before = if is_whole {
        Vec::new()
    } else {
        left.classes.clone()
    };
    left.classes.retain(|class| {
        let Some(&id) = by_name.get(&class.name) else {
            // Not chosen now; its note holds for a run that chooses it.
            return is_there(program, &class.name);
        };
        let path = format!("{}{}", program.class(id).name, TESTS);
        let is_same = staged.takes(&class.name)
            || !is_whole
                && keys[&id] == class.key
                && !failing.contains(&class.name)
                && is_as_written(manifest, &path, class.file.as_deref());
        if is_same {
            same.insert(id);
        }
        is_same
    });
    let findings = std::mem::take(&mut left.findings);
    let findings = Standing::of(settings, program, findings, &by_name, &mut same);
    left.classes.retain(|class| {
        let id = by_name.get(&class.name);
        id.is_none_or(|id| same.contains(id))
    });
    (same, left, findings, before)
}

/// What becomes of a chosen class that an interrupted run left, with what decides for it now.
fn fate(
    settings: &Settings,
    (program, id): (&Program, ClassId),
    key: &str,
    manifest: &Manifest,
    left: &Left,
    class: &StagedClass,
) -> Fate {
    let path = format!("{}{}", program.class(id).name, TESTS);
    // A run from nothing takes up no class; what was verified stands until it has new tests.
    let is_whole = !settings.incremental || settings.update_baseline;
    if *key != class.note.key || !manifest.is_free(&path) {
        return Fate::Useless;
    }
    // What it found before is to be found again, or to be told no more.
    let has_found = |name: &String| left.findings.iter().any(|one| one.units.contains(name));
    let has_file = !class.text.is_empty();
    if !is_whole
        && class.is_done
        && !has_found(&class.note.name)
        && (has_file || is_as_written(manifest, &path, None))
    {
        Fate::TakenUp(path)
    } else if has_file {
        Fate::StandsBy(path)
    } else {
        Fate::Useless
    }
}

/// What an interrupted run left of classes takes the place of what was left before.
fn take_over(left: &mut Left, taken: Vec<StagedClass>, again: &BTreeSet<String>) {
    let is_taken = |name: &String| taken.iter().any(|class| class.note.name == *name);
    left.classes
        .retain(|class| !again.contains(&class.name) && !is_taken(&class.name));
    let told = taken.iter().flat_map(|class| &class.explanations);
    let told: BTreeSet<String> = told.map(|one| one.name.clone()).collect();
    left.explanations.retain(|one| !told.contains(&one.name));
    for class in taken {
        left.classes.push(class.note);
        left.explanations.extend(class.explanations);
    }
}

fn is_there(program: &Program, class: &str) -> bool {
    let name = palus_bytecode::internal_name(class);
    program.class_named(&name).is_some()
}

/// Whether a file is there as the last run wrote it, or is not there as it wrote none.
fn is_as_written(manifest: &Manifest, path: &str, written: Option<&str>) -> bool {
    let now = manifest.earlier(path).map(|text| hash(text.as_bytes()));
    match written {
        Some(written) => now.as_deref() == Some(written),
        None => now.is_none() && manifest.is_free(path),
    }
}

/// What a unit leaves for the next run, where it came to its end.
pub(crate) fn left_by(
    program: &Program,
    (keys, code): (&Keys, &Keys),
    unit: &UnitResult,
    written: Option<&(TestClass, Source)>,
    drops: &Drops,
) -> LeftClass {
    let drops = drops.of(unit.subject).into_iter();
    let text = written.map(|(_, source)| &*source.text);
    let is_written = |name: &str| text.is_some_and(|text| text.contains(&format!("void {name}(")));
    let reach = unit.reach.iter().filter(|(name, _)| is_written(name));
    LeftClass {
        best: written.map_or_else(Vec::new, |(class, source)| {
            let lines: Vec<&str> = source.text.lines().collect();
            let known = best_first(&class.tests).into_iter().filter_map(|at| {
                let &(first, last) = source.lines.get(at)?;
                let text = lines.get((first as usize).checked_sub(1)?..last as usize)?;
                Some(KnownTest {
                    name: class.tests[at].name.clone(),
                    body: hash_of_test(&text.join("\n")),
                    kills: class.tests[at].kills.clone(),
                })
            });
            known.collect()
        }),
        reach: reach
            .map(|(name, lines)| (name.clone(), lines.clone()))
            .collect(),
        name: program.class(unit.subject).binary_name(),
        key: keys.get(&unit.subject).cloned().unwrap_or_default(),
        code: code.get(&unit.subject).cloned().unwrap_or_default(),
        file: text.map(|text| hash(text.as_bytes())),
        steps: unit.steps,
        drops: drops
            .map(|(reason, tests)| (reason.code().to_owned(), tests))
            .collect(),
        ..LeftClass::default()
    }
}

/// What the last run left, as far as it can be read.
pub(crate) fn left_before(settings: &Settings) -> Left {
    let text = std::fs::read_to_string(file(settings)).unwrap_or_default();
    // What cannot be read is as good as nothing: all classes are worked on.
    read_left(&text).unwrap_or_default()
}

/// Hash of that file, where it is.
pub(crate) fn protocols(settings: &Settings) -> Option<String> {
    let bytes = std::fs::read(protocols_file(settings)).ok()?;
    Some(hash(&bytes))
}

/// Keeps what this run leaves.
///
/// # Errors
/// A configuration error when the work folder cannot be written.
pub(crate) fn keep(settings: &Settings, left: &Left) -> Result<(), Error> {
    let file = file(settings);
    let text = settings.secrets.redact(&left_json(left)).into_owned();
    replace(&file, &text).map_err(|error| unwritable(&file, &error))
}

fn file(settings: &Settings) -> PathBuf {
    settings.work_directory.join("classes.json")
}
