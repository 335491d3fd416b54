//! Calls of the JDK that make temporary folders and files in them, and what of them is written.
//!
//! Comes in: statements. Goes out: what they make or ask, and which of them stand only inside others.
//! Does not know: Java text, who removes a folder.

use crate::written::Test;
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{Sequence, Statement, Value, Variable};

/// The field of a test class in which JUnit puts the folder.
pub(crate) const FIELD: &str = "folder";
/// The field of the rule of JUnit 4 that makes it.
pub(crate) const RULE: &str = "temporaryFolder";
/// The first level of the language whose library writes a text to a file.
pub(crate) const WRITES_TEXT: u32 = 11;
pub(crate) const FILES: &str = "java/nio/file/Files";
pub(crate) const PATH: &str = "java/nio/file/Path";

/// True if the test has a temporary folder.
pub(crate) fn has_folder(program: &Program, test: &Test) -> bool {
    let mut statements = test.run.sequence.statements().iter();
    statements.any(|statement| makes_folder(program, statement))
}

/// The statements that stand only inside others.
pub(crate) fn inner(
    program: &Program,
    sequence: &Sequence,
    length: usize,
    language_level: u32,
) -> Vec<bool> {
    let statements = sequence.statements();
    let users = |index: usize| -> Vec<usize> {
        let variable = Variable(index as u32);
        let uses = statements.iter().enumerate();
        uses.flat_map(|(at, statement)| {
            let uses = statement.uses();
            uses.into_iter()
                .filter(move |used| *used == variable)
                .map(move |_| at)
        })
        .collect()
    };
    let calls = |index: usize, class: &str, name: &str| {
        matches!(&statements[index], Statement::Call { method, .. }
            if is(program, *method, class, name))
    };
    let mut inner = vec![false; statements.len()];
    for index in (0..statements.len()).rev() {
        let users = users(index);
        inner[index] = match (&statements[index], users.as_slice()) {
            // No further options are given, and so none is written.
            (Statement::NewArray { element, elements }, [user]) => {
                elements.is_empty() && is_option(element) && is_of_files(program, statements, *user)
            }
            (Statement::Call { .. }, [user]) => {
                calls(index, "java/lang/String", "getBytes") && calls(*user, FILES, "write")
                    || calls(index, PATH, "resolve")
                        && (calls(*user, PATH, "toFile")
                            || *user >= length && is_of_files(program, statements, *user))
            }
            // Where a text is written as it is, no charset is named.
            (Statement::Value(Value::StaticField(_)), users) => {
                language_level >= WRITES_TEXT
                    && !users.is_empty()
                    && users
                        .iter()
                        .all(|&user| inner[user] && calls(user, "java/lang/String", "getBytes"))
            }
            _ => false,
        };
    }
    inner
}

fn is_option(element: &Type) -> bool {
    matches!(element, Type::Object(name) if name.starts_with("java/nio/file/"))
}

fn is_of_files(program: &Program, statements: &[Statement], index: usize) -> bool {
    matches!(&statements[index], Statement::Call { method, .. }
        if &*program.class(program.method(*method).class).name == FILES)
}

/// True for what makes a temporary folder under the place for such folders.
pub(crate) fn makes_folder(program: &Program, statement: &Statement) -> bool {
    matches!(statement, Statement::Call { method, .. }
        if is(program, *method, "java/nio/file/Files", "createTempDirectory")
            && program.method(*method).method_type.parameters[0] == Type::object("java/lang/String"))
}

/// The name of the file in a folder that an observer asks about.
pub(crate) fn asked_file<'s>(
    program: &Program,
    sequence: &'s Sequence,
    observer: &Statement,
) -> Option<&'s str> {
    let statements = sequence.statements();
    let Statement::Call {
        method,
        receiver: None,
        arguments,
    } = observer
    else {
        return None;
    };
    if &*program.class(program.method(*method).class).name != "java/nio/file/Files" {
        return None;
    }
    let Statement::Call {
        method, arguments, ..
    } = &statements[arguments.first()?.index()]
    else {
        return None;
    };
    match arguments.as_slice() {
        [name] if is(program, *method, "java/nio/file/Path", "resolve") => {
            match &statements[name.index()] {
                Statement::Value(Value::Text(name)) => Some(name),
                _ => None,
            }
        }
        _ => None,
    }
}

/// True for a method of this class and name.
pub(crate) fn is(program: &Program, method: MethodId, class: &str, name: &str) -> bool {
    let method = program.method(method);
    &*method.name == name && &*program.class(method.class).name == class
}
