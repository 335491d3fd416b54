//! Texts that are read as something, and files that hold some.
//!
//! Comes in: a method of the JDK that takes text, or a draft that needs a file. Goes out: a text that the method can make
//! something of, or the statements of a temporary folder and of files in it.
//! All files of a sequence lie in one folder: what it may touch lies in folders of its own alone.
//! Does not know: what is tested, who removes the folder.
//!
//! ```text
//! v0 = "palus"   v1 = {}   v2 = Files.createTempDirectory(v0, v1)
//! v3 = "a.txt"   v4 = v2.resolve(v3)
//! v5 = "a\nend"  v6 = v5.getBytes(UTF_8)   v7 = {}   v8 = Files.write(v4, v6, v7)
//! ```

use super::Maker;
use crate::draft::Draft;
use crate::kinds::Kind;
use crate::platform::Texts;
use crate::producers::Folder;
use palus_bytecode::{MethodId, Type};
use palus_sequence::{Statement, Value, Variable};
use std::sync::Arc;

/// Share of texts for methods that not every text will do for which do, in percent.
const SPECIAL_TEXT: usize = 60;
/// Lines of a text that is read line by line.
const MOST_LINES: usize = 3;
/// Share of lines with a character of the code between two texts, in percent.
const DIVIDED: usize = 40;
/// Share of paths and of files that are the folder itself, in percent.
const FOLDER_AS_PATH: usize = 55;
const FOLDER_AS_FILE: usize = 30;
/// Share of folders with a file in them, in percent.
const FILLED: usize = 30;
/// Share of other files that exist, in percent.
const EXISTS: usize = 65;
/// Share of files that are empty, in percent.
const EMPTY: usize = 15;
/// Share of names outside of the folder that are those of files, in percent.
const NAMED: usize = 60;
/// Draws of a constant that may be the name of a file.
const NAME_DRAWS: usize = 6;
/// What files are called where the code names none.
const NAMES: [&str; 2] = ["a.txt", "b.txt"];

impl Maker<'_> {
    /// Now and then, a text that means something to the method.
    pub fn text_for(&mut self, method: MethodId) -> Option<Value> {
        let texts = self.finder.texts(method)?;
        if self.unit.mode.is_plain() || !self.rng.percent(SPECIAL_TEXT) {
            return None;
        }
        Some(match texts {
            Texts::Examples(examples) => {
                let example = self.rng.pick(examples).expect("there are examples");
                Value::Text((*example).into())
            }
            Texts::Lines => self.lines(),
        })
    }

    /// Some lines of text, each a constant.
    fn lines(&mut self) -> Value {
        let text = Type::object("java/lang/String");
        let mut lines: Vec<Arc<str>> = Vec::new();
        for _ in 0..=self.rng.below(MOST_LINES) {
            if let Some(Value::Text(line)) = self.constants.draw(&mut self.rng, &text) {
                lines.push(self.divided(line));
            }
        }
        Value::Text(lines.join("\n").into())
    }

    /// Now and then, the text and another one with a character between them that the code looks for.
    fn divided(&mut self, text: Arc<str>) -> Arc<str> {
        if self.unit.mode.is_plain() || !self.rng.percent(DIVIDED) {
            return text;
        }
        let known = self.constants.draw_fact(&mut self.rng, &Type::Char);
        let other = self
            .constants
            .draw(&mut self.rng, &Type::object("java/lang/String"));
        match (known, other) {
            (Some(Value::Char(known)), Some(Value::Text(other))) => {
                let divider = u8::try_from(known).ok().map(char::from);
                let divider = divider.filter(char::is_ascii_punctuation);
                divider.map_or(text.clone(), |divider| {
                    format!("{text}{divider}{other}").into()
                })
            }
            _ => text,
        }
    }

    /// Whether files or paths are wanted.
    pub fn is_of_folder(&mut self, folder: &Folder, wanted: Kind) -> bool {
        self.is_file(folder, wanted) || {
            let path = self
                .kinds
                .of_class(self.program.method(folder.resolve).class);
            path == wanted
        }
    }

    fn is_file(&mut self, folder: &Folder, wanted: Kind) -> bool {
        let file = &self.program.method(folder.to_file).method_type.returns;
        self.kinds.of_type(file) == wanted
    }

    /// The sequence's temporary folder, or a file in it that exists or does not.
    pub fn of_folder(
        &mut self,
        draft: &mut Draft,
        folder: &Folder,
        wanted: Kind,
    ) -> Option<Variable> {
        let made = match draft.call_of(folder.create) {
            Some(made) => made,
            None => self.folder(draft, folder)?,
        };
        let is_file = self.is_file(folder, wanted);
        let share = if is_file {
            FOLDER_AS_FILE
        } else {
            FOLDER_AS_PATH
        };
        let path = if self.rng.percent(share) {
            if self.rng.percent(FILLED) {
                self.file(draft, folder, made, 100)?;
            }
            made
        } else {
            self.file(draft, folder, made, EXISTS)?
        };
        if is_file {
            return self.push_call(draft, folder.to_file, Some(path), Vec::new());
        }
        Some(path)
    }

    /// A file or path of any name; nothing says that it is there.
    pub fn of_name(
        &mut self,
        draft: &mut Draft,
        folder: &Folder,
        wanted: Kind,
    ) -> Option<Variable> {
        let name = if self.rng.percent(NAMED) {
            self.file_name()
        } else {
            self.constants
                .draw(&mut self.rng, &Type::object("java/lang/String"))?
        };
        let name = draft.value(&mut self.kinds, Kind::STRING, name)?;
        let statement = Statement::Call {
            method: folder.file,
            receiver: None,
            arguments: vec![name],
        };
        let kind = self.kinds.of_class(self.program.method(folder.file).class);
        let file = draft.push(statement, kind)?;
        if kind == wanted {
            return Some(file);
        }
        self.push_call(draft, folder.to_path, Some(file), Vec::new())
    }

    fn folder(&mut self, draft: &mut Draft, folder: &Folder) -> Option<Variable> {
        let prefix = Value::Text("palus".into());
        let prefix = draft.value(&mut self.kinds, Kind::STRING, prefix)?;
        let attributes = self.nothing(draft, folder.create)?;
        self.push_call(draft, folder.create, None, vec![prefix, attributes])
    }

    /// A file in the folder, which exists in so many of a hundred cases.
    fn file(
        &mut self,
        draft: &mut Draft,
        folder: &Folder,
        made: Variable,
        existing: usize,
    ) -> Option<Variable> {
        let name = self.file_name();
        let name = draft.value(&mut self.kinds, Kind::STRING, name)?;
        let path = self.push_call(draft, folder.resolve, Some(made), vec![name])?;
        if self.rng.percent(existing) {
            let content = if self.rng.percent(EMPTY) {
                Value::Text("".into())
            } else {
                self.lines()
            };
            let content = draft.value(&mut self.kinds, Kind::STRING, content)?;
            let charset = self.write(draft, Value::StaticField(folder.charset))?;
            let bytes = self.push_call(draft, folder.encode, Some(content), vec![charset])?;
            let options = self.nothing(draft, folder.write)?;
            let written = self.push_call(draft, folder.write, None, vec![path, bytes, options])?;
            draft.hold(written, Kind::VOID);
        }
        Some(path)
    }

    /// A constant of the code that looks like the name of a file, or like the end of one; else any name.
    fn file_name(&mut self) -> Value {
        let text = Type::object("java/lang/String");
        for _ in 0..NAME_DRAWS {
            if let Some(Value::Text(known)) = self.constants.draw_fact(&mut self.rng, &text)
                && let Some(name) = as_file_name(&known)
            {
                return Value::Text(name);
            }
        }
        let name = self.rng.pick(&NAMES).expect("there are names");
        Value::Text((*name).into())
    }

    /// What stands for no further arguments.
    fn nothing(&mut self, draft: &mut Draft, method: MethodId) -> Option<Variable> {
        let Type::Array(element) = self.program.method(method).method_type.parameters.last()?
        else {
            return None;
        };
        let kind = self.kinds.of_type(&Type::Array(element.clone()));
        let none = Statement::NewArray {
            element: (**element).clone(),
            elements: Vec::new(),
        };
        draft.push(none, kind)
    }

    fn push_call(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        receiver: Option<Variable>,
        arguments: Vec<Variable>,
    ) -> Option<Variable> {
        let kind = self
            .kinds
            .of_type(&self.program.method(method).method_type.returns);
        let call = Statement::Call {
            method,
            receiver,
            arguments,
        };
        draft.push(call, kind)
    }
}

/// `a.csv` for `.csv`, `app.conf` for itself; none for what nobody calls a file.
fn as_file_name(text: &str) -> Option<Arc<str>> {
    let (stem, end) = text.rsplit_once('.')?;
    let is_end =
        (1..=10).contains(&end.len()) && end.bytes().all(|one| one.is_ascii_alphanumeric());
    let is_stem = |one: u8| one.is_ascii_alphanumeric() || matches!(one, b'.' | b'-' | b'_');
    if !is_end || text.len() > 40 || !stem.bytes().all(is_stem) {
        return None;
    }
    let front = if stem.is_empty() { "a" } else { "" };
    Some(format!("{front}{text}").into())
}

#[cfg(test)]
mod tests {
    use super::as_file_name;

    #[test]
    fn a_constant_is_the_name_of_a_file_or_the_end_of_one_or_neither() {
        for (text, expected) in [
            (".csv", Some("a.csv")),
            ("app.conf", Some("app.conf")),
            ("../app.conf", None),
            ("*.note", None),
            ("no such file", None),
            ("a sentence.", None),
            (".", None),
            ("..", None),
        ] {
            assert_eq!(as_file_name(text).as_deref(), expected, "{text}");
        }
    }
}
