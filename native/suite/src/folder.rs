//! The temporary folder of a test: where it is made, and what a call left in it.
//!
//! Comes in: drafts whose sequences make such a folder, an executor. Goes out: the drafts with observers of the files that the
//! call under test made, changed or deleted there: what a file holds, or whether it is there.
//! Which files that are is found by listing the folder before the call and after it; the order of a list is nobody's.
//! Does not know: how a folder looks in text, which observers get asserted.
//!
//! ```text
//! v2 = Files.createTempDirectory(…)   …   v5 = new Exporter(v4)   v8 = v5.write("a")
//! before: nothing; after: report.txt      Files.exists(v2.resolve("report.txt")), Files.readString(the same)
//! ```

use crate::draft::Draft;
use crate::file_calls::makes_folder;
use crate::minimize::run_all;
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{
    Content, End, Executor, ExecutorError, Observation, Outcome, Sequence, Statement, Value,
    Variable,
};
use std::collections::BTreeSet;

/// Files asked about per test.
const MOST_FILES: usize = 3;
/// The first level of the language whose library reads a file as one text.
const READS_TEXT: u32 = 11;

/// What lists a folder and asks about files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Files {
    to_file: MethodId,
    list: MethodId,
    resolve: MethodId,
    exists: MethodId,
    /// Gives what is in a file as a text, or as a list of lines.
    read: MethodId,
}

impl Files {
    /// None where the program has no such methods.
    pub(crate) fn of(program: &Program, language_level: u32) -> Option<Files> {
        let method = |class: &str, name: &str, descriptor: &str| {
            program.declared_method(program.class_named(class)?, name, descriptor)
        };
        let files = "java/nio/file/Files";
        let lines = "(Ljava/nio/file/Path;)Ljava/util/List;";
        let text = "(Ljava/nio/file/Path;)Ljava/lang/String;";
        let read = match language_level {
            READS_TEXT.. => method(files, "readString", text),
            _ => None,
        };
        Some(Files {
            to_file: method("java/nio/file/Path", "toFile", "()Ljava/io/File;")?,
            list: method("java/io/File", "list", "()[Ljava/lang/String;")?,
            resolve: method(
                "java/nio/file/Path",
                "resolve",
                "(Ljava/lang/String;)Ljava/nio/file/Path;",
            )?,
            exists: method(
                files,
                "exists",
                "(Ljava/nio/file/Path;[Ljava/nio/file/LinkOption;)Z",
            )?,
            read: read.or_else(|| method(files, "readAllLines", lines))?,
        })
    }

    /// Adds observers of the files in the folders of drafts; gives those that have some.
    pub(crate) fn ask(
        &self,
        program: &Program,
        drafts: &mut [Draft],
        executor: &mut dyn Executor,
    ) -> Result<Vec<usize>, ExecutorError> {
        let mut asked = Vec::new();
        let mut lists = Vec::new();
        for (index, draft) in drafts.iter().enumerate() {
            let before = &draft.sequence.statements()[..draft.length - 1];
            let folder = before.iter().position(|one| makes_folder(program, one));
            if let (Some(folder), End::Completed) = (folder, &draft.end) {
                let folder = Variable(folder as u32);
                asked.push((index, folder));
                for length in [draft.length - 1, draft.length] {
                    lists.push(self.listed(draft.sequence.prefix(length), folder));
                }
            }
        }
        if asked.is_empty() {
            return Ok(Vec::new());
        }
        executor.begin()?;
        let outcomes = run_all(executor, &lists)?;
        for (&(index, folder), outcomes) in asked.iter().zip(outcomes.chunks(2)) {
            let [before, after] = [0, 1].map(|at| names(&outcomes[at]));
            if let (Some(before), Some(after)) = (before, after) {
                self.ask_about(&mut drafts[index].sequence, folder, &before, &after);
            }
        }
        Ok(asked.into_iter().map(|(index, _)| index).collect())
    }

    fn listed(&self, mut sequence: Sequence, folder: Variable) -> Sequence {
        let file = on(&mut sequence, self.to_file, folder, Vec::new());
        on(&mut sequence, self.list, file, Vec::new());
        sequence
    }

    /// Files that came or went first: what is there still has most often stayed as it was.
    fn ask_about(
        &self,
        sequence: &mut Sequence,
        folder: Variable,
        before: &BTreeSet<String>,
        after: &BTreeSet<String>,
    ) {
        let came = after.difference(before);
        let went = before.difference(after);
        let stayed = after.intersection(before);
        for name in came.chain(went).chain(stayed).take(MOST_FILES) {
            let text = sequence.push(Statement::Value(Value::Text(name.as_str().into())));
            if before.contains(name) != after.contains(name) {
                let path = on(sequence, self.resolve, folder, vec![text]);
                let none = sequence.push(Statement::NewArray {
                    element: Type::object("java/nio/file/LinkOption"),
                    elements: Vec::new(),
                });
                of(sequence, self.exists, vec![path, none]);
            }
            if after.contains(name) {
                let path = on(sequence, self.resolve, folder, vec![text]);
                of(sequence, self.read, vec![path]);
            }
        }
    }
}

fn on(
    sequence: &mut Sequence,
    method: MethodId,
    receiver: Variable,
    arguments: Vec<Variable>,
) -> Variable {
    sequence.push(Statement::Call {
        method,
        receiver: Some(receiver),
        arguments,
    })
}

fn of(sequence: &mut Sequence, method: MethodId, arguments: Vec<Variable>) -> Variable {
    sequence.push(Statement::Call {
        method,
        receiver: None,
        arguments,
    })
}

/// What the last statement listed; none where it did not come to that, or listed too much to tell.
fn names(outcome: &Outcome) -> Option<BTreeSet<String>> {
    match outcome.observations.last()? {
        Observation::Object {
            content: Some(Content::Elements(elements)),
            ..
        } if outcome.end == End::Completed => elements
            .iter()
            .map(|element| match element {
                Observation::Value {
                    value: Value::Text(name),
                    ..
                } => Some(name.to_string()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}
