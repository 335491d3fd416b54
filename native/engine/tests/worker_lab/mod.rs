//! What tests and benches of workers share: a compiled subject, its program, settings of a pool, short ways to write
//! sequences.
#![allow(dead_code, reason = "each test uses a part of it")]

use palus_bytecode::{ClassId, Origin, Program, ProgramBuilder};
use palus_engine::verify::{TestId, Verdict, Verification, verify};
use palus_engine::worker::platform::PlatformReader;
use palus_engine::worker::{WorkerPool, WorkerSettings};
use palus_engine::{Cancel, Error};
use palus_sequence::{Crash, End, Executor, Outcome, Sequence, Statement, Value, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A subject and all that runs it.
pub struct Lab {
    pub program: Arc<Program>,
    pub settings: WorkerSettings,
    /// Holds the workers' folders; dropped last.
    pub folder: tempfile::TempDir,
}

/// Settings of workers for the subject in this folder, sandboxed as on this machine.
pub fn settings(class_path: Vec<PathBuf>, work_directory: PathBuf) -> WorkerSettings {
    WorkerSettings {
        java_home: palus_fixture::java_home(),
        worker_jar: palus_fixture::worker_jar().to_owned(),
        launcher: Some(palus_fixture::launcher().to_owned()),
        landlock: true,
        required: false,
        class_path,
        memory_mib: 256,
        jvm_arguments: Vec::new(),
        command_line_properties: Vec::new(),
        test_variables: Vec::new(),
        secrets: Arc::default(),
        work_directory,
        fuel: 1_000_000,
        max_depth: 1_000,
        time_limit_millis: 1_000,
        deadline: None,
        cancel: Cancel::default(),
        ran: Arc::default(),
        agents: Arc::default(),
    }
}

/// Verifies tests of compiled classes by one worker, in so many further orders.
pub fn verified(test_classes: &Path, tests: &[TestId], orders: u32) -> Vec<Verdict> {
    let folder = tempfile::tempdir().unwrap();
    let settings = settings(Vec::new(), folder.path().join("workers"));
    let verified = verify(&Verification {
        settings: &settings,
        test_classes,
        tests,
        coverage_agent: None,
        workers: 1,
        orders,
        once: false,
        blames: true,
        is_last: true,
    });
    verified.unwrap().verdicts
}

/// What readers of this program were asked for, and gave.
static PLATFORM: Mutex<BTreeMap<Arc<str>, Option<Vec<u8>>>> = Mutex::new(BTreeMap::new());

/// Class files of the platform. Most subjects name the same ones, and a reader is a JVM: it starts for new ones alone.
fn platform_classes(
    reader: &mut Option<PlatformReader>,
    settings: &WorkerSettings,
    names: &[Arc<str>],
) -> Vec<Option<Vec<u8>>> {
    let mut known = PLATFORM.lock().unwrap_or_else(PoisonError::into_inner);
    let is_new = |name: &&Arc<str>| !known.contains_key(*name);
    let new: Vec<Arc<str>> = names.iter().filter(is_new).cloned().collect();
    if !new.is_empty() {
        let reader = reader.get_or_insert_with(|| PlatformReader::new(settings).unwrap());
        let read = reader.platform_classes(&new).unwrap();
        known.extend(new.into_iter().zip(read));
    }
    names.iter().map(|name| known[name].clone()).collect()
}

impl Lab {
    /// Compiles the subject and reads it together with the platform's classes it names, and these.
    pub fn new(files: &[(&str, &str)], platform: &[&str]) -> Lab {
        let compiled = palus_fixture::compile(files);
        let folder = tempfile::tempdir().unwrap();
        let settings = settings(vec![compiled.dir.clone()], folder.path().join("workers"));
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compiled.classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let mut reader = None;
        let mut wanted: BTreeSet<Arc<str>> = platform.iter().map(|&name| name.into()).collect();
        let mut asked = BTreeSet::new();
        // A few rings are enough for tests: all that is named, and what that names.
        for _ in 0..3 {
            wanted.extend(builder.missing());
            let names: Vec<Arc<str>> = wanted.difference(&asked).cloned().collect();
            asked.extend(names.iter().cloned());
            for bytes in platform_classes(&mut reader, &settings, &names)
                .iter()
                .flatten()
            {
                builder.add(Origin::Platform, bytes).unwrap();
            }
        }
        Lab {
            program: Arc::new(builder.finish()),
            settings,
            folder,
        }
    }

    pub fn pool(&self) -> Result<WorkerPool, Error> {
        WorkerPool::new(self.settings.clone(), Arc::clone(&self.program))
    }

    pub fn class(&self, name: &str) -> ClassId {
        let class = self.program.class_named(name);
        class.unwrap_or_else(|| panic!("the program has no class {name}"))
    }

    /// Begins and runs one batch in a fresh pool.
    pub fn run(&self, batch: &[Sequence]) -> Vec<Outcome> {
        let pool = self.pool().unwrap();
        pool.with_executor(&[], |executor| {
            executor.begin().unwrap();
            executor.execute(batch).unwrap()
        })
        .unwrap()
    }

    /// An empty sequence to add to.
    pub fn body(&self) -> Body<'_> {
        Body {
            lab: self,
            sequence: Sequence::default(),
        }
    }

    /// `new Class().method()`
    pub fn simple(&self, class: &str, method: &str) -> Sequence {
        let mut body = self.body();
        let object = body.new_object(class, "()V", &[]);
        body.call(class, method, Some(object), &[]);
        body.sequence
    }
}

/// A sequence in the making.
pub struct Body<'l> {
    lab: &'l Lab,
    pub sequence: Sequence,
}

impl Body<'_> {
    pub fn value(&mut self, value: Value) -> Variable {
        self.sequence.push(Statement::Value(value))
    }

    pub fn int(&mut self, value: i32) -> Variable {
        self.value(Value::Int(value))
    }

    pub fn new_object(
        &mut self,
        class: &str,
        descriptor: &str,
        arguments: &[Variable],
    ) -> Variable {
        let program = &self.lab.program;
        let method = program.declared_method(self.lab.class(class), "<init>", descriptor);
        self.sequence.push(Statement::Call {
            method: method.unwrap_or_else(|| panic!("no constructor {class}{descriptor}")),
            receiver: None,
            arguments: arguments.to_vec(),
        })
    }

    /// Calls the first method of this name in the class or above it.
    pub fn call(
        &mut self,
        class: &str,
        name: &str,
        receiver: Option<Variable>,
        arguments: &[Variable],
    ) -> Variable {
        let program = &self.lab.program;
        let classes = program.supertypes(self.lab.class(class)).into_iter();
        let mut methods = classes.flat_map(|class| program.class(class).methods.clone());
        let method = methods.find(|id| {
            let method = program.method(*id);
            &*method.name == name && method.method_type.parameters.len() == arguments.len()
        });
        self.sequence.push(Statement::Call {
            method: method.unwrap_or_else(|| panic!("no method {class}.{name}")),
            receiver,
            arguments: arguments.to_vec(),
        })
    }
}

/// How sequences ended, in short.
pub fn ends(outcomes: &[Outcome]) -> Vec<String> {
    let short = |outcome: &Outcome| match &outcome.end {
        End::Threw(thrown) => format!("Threw {} at {}", thrown.class, thrown.statement),
        End::Denied(_) => "Denied".to_owned(),
        End::Unusable(_) => "Unusable".to_owned(),
        End::Crashed(Crash::Ended) => "Crashed".to_owned(),
        end => format!("{end:?}"),
    };
    outcomes.iter().map(short).collect()
}
