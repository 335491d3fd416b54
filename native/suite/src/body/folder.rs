//! Source text of what makes a temporary folder and files in it.
//!
//! Comes in: a statement of a sequence that makes a folder. Goes out: nothing where JUnit makes it, and gives it to a field
//! (`file_calls.rs`); else the lines that make it. A file is written in one statement, and named where it is used.
//! Does not know: who removes the folder.
//!
//! ```text
//! v2 = Files.createTempDirectory(…)                                   @TempDir Path folder;
//! v4 = v2.resolve("a.txt")                                            Path path = folder.resolve("a.txt");
//! v6 = "x".getBytes(UTF_8)   v7 = {}   v8 = Files.write(v4, v6, v7)   Files.writeString(path, "x");
//! ```

use super::Writer;
use crate::file_calls::{FIELD, FILES, PATH, RULE, WRITES_TEXT, is, makes_folder};
use crate::written::FolderOf;
use palus_sequence::{Statement, Variable};

impl Writer<'_, '_, '_> {
    /// Keeps the names that JUnit's folder needs from everything else.
    pub(super) fn keep_names(&mut self) {
        let statements = self.sequence.statements();
        if statements.iter().any(|one| makes_folder(self.program, one)) {
            self.scope.claim(FIELD);
            if self.style.folder == FolderOf::Rule {
                self.scope.claim(RULE);
            }
        }
    }

    /// Writes what makes a folder and gives its name; none for another statement.
    pub(super) fn folder(&mut self, index: usize) -> Option<String> {
        let statements = self.sequence.statements();
        let statement = &statements[index];
        if !makes_folder(self.program, statement) {
            return None;
        }
        let earlier = statements[..index].iter();
        let earlier = earlier
            .clone()
            .position(|one| makes_folder(self.program, one));
        if self.uses(Variable(index as u32)) == 0 {
            return Some(String::new());
        }
        if earlier.is_none() && self.style.folder == FolderOf::Field {
            return Some(FIELD.to_owned());
        }
        let path = self.imports.class(PATH);
        if earlier.is_none() && self.style.folder == FolderOf::Rule {
            let line = format!("{path} {FIELD} = {RULE}.getRoot().toPath();");
            self.body.lines.push(line);
            return Some(FIELD.to_owned());
        }
        if let Statement::Call { method, .. } = statement {
            self.note_throws(self.program.method(*method));
        }
        let files = self.imports.class(FILES);
        // A second one lies in the first, and goes with it.
        let (name, place) = match earlier.map(|first| self.names[first].clone()) {
            Some(first) if !first.is_empty() => (self.scope.claim(FIELD), format!("{first}, ")),
            _ if self.style.folder == FolderOf::Field => return Some(FIELD.to_owned()),
            _ => (FIELD.to_owned(), String::new()),
        };
        self.body.lines.push(format!(
            "{path} {name} = {files}.createTempDirectory({place}\"palus\");"
        ));
        if place.is_empty() {
            let line = format!("{name}.toFile().deleteOnExit();");
            self.body.lines.push(line);
        }
        Some(name)
    }

    /// True for what names a file in a folder.
    pub(super) fn is_path(&self, index: usize) -> bool {
        matches!(&self.sequence.statements()[index], Statement::Call { method, .. }
            if is(self.program, *method, PATH, "resolve"))
    }

    /// True for what gives a name of a file and does nothing.
    pub(super) fn is_name(&self, index: usize) -> bool {
        self.is_path(index)
            || matches!(&self.sequence.statements()[index], Statement::Call { method, .. }
                if is(self.program, *method, PATH, "toFile"))
    }

    /// True for the path of a file that the test writes and nobody else removes.
    pub(super) fn is_left(&self, index: usize) -> bool {
        let statements = self.sequence.statements();
        let is_written = |statement: &Statement| {
            matches!(statement, Statement::Call { method, arguments, .. }
                if is(self.program, *method, FILES, "write")
                    && arguments.first() == Some(&Variable(index as u32)))
        };
        self.style.folder == FolderOf::Nobody
            && self.is_path(index)
            && statements.iter().any(is_written)
    }

    /// The call that writes a file; none for another one.
    pub(super) fn file_content(&mut self, index: usize) -> Option<String> {
        let Statement::Call {
            method, arguments, ..
        } = &self.sequence.statements()[index]
        else {
            return None;
        };
        let [path, bytes, _] = arguments.as_slice() else {
            return None;
        };
        if !is(self.program, *method, FILES, "write") || !self.inner[bytes.index()] {
            return None;
        }
        let Statement::Call {
            receiver: Some(text),
            ..
        } = &self.sequence.statements()[bytes.index()]
        else {
            return None;
        };
        self.note_throws(self.program.method(*method));
        let files = self.imports.class(FILES);
        let path = self.names[path.index()].clone();
        if self.style.language_level >= WRITES_TEXT {
            let text = &self.names[text.index()];
            return Some(format!("{files}.writeString({path}, {text})"));
        }
        let bytes = self.expression(bytes.index());
        Some(format!("{files}.write({path}, {bytes})"))
    }

    /// The arguments of a call without the arrays that say nothing.
    pub(super) fn said<'s>(&self, arguments: &'s [Variable]) -> &'s [Variable] {
        match arguments.split_last() {
            Some((last, others))
                if self.inner[last.index()]
                    && matches!(
                        self.sequence.statements()[last.index()],
                        Statement::NewArray { .. }
                    ) =>
            {
                others
            }
            _ => arguments,
        }
    }
}
