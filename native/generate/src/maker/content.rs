//! Texts that are read as something, and files that hold some.
//!
//! Comes in: a method of the JDK that takes text, or a draft that needs a file. Goes out: a text that the method can make
//! something of, or the statements of a temporary file.
//! Does not know: what is tested.
//!
//! ```text
//! v0 = "palus"   v1 = ".txt"   v2 = File.createTempFile(v0, v1)
//! v3 = "a\nend"  v4 = new FileWriter(v2)   v5 = v4.write(v3)   v6 = v4.close()
//! ```

use super::Maker;
use crate::draft::Draft;
use crate::kinds::Kind;
use crate::platform::Texts;
use palus_bytecode::{MethodId, Type};
use palus_sequence::{Statement, Value, Variable};
use std::sync::Arc;

/// Share of texts for methods that not every text will do for which do, in percent.
const SPECIAL_TEXT: usize = 60;
/// Lines of a text that is read line by line.
const MOST_LINES: usize = 3;
/// Share of files that stay empty, in percent.
const EMPTY: usize = 20;

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
                lines.push(line);
            }
        }
        Value::Text(lines.join("\n").into())
    }

    /// A temporary file, mostly with content.
    pub fn temporary_file(&mut self, draft: &mut Draft) -> Option<Variable> {
        let [create, open, write, close] = self.finder.file()?;
        let mut text = |text: &str| {
            let value = Value::Text(text.into());
            draft.value(&mut self.kinds, Kind::STRING, value)
        };
        let names = vec![text("palus")?, text(".txt")?];
        let call = |method, receiver, arguments| Statement::Call {
            method,
            receiver,
            arguments,
        };
        let kind = self.kinds.of_class(self.program.method(create).class);
        let file = draft.push(call(create, None, names), kind)?;
        if self.rng.percent(EMPTY) {
            return Some(file);
        }
        let content = self.lines();
        let content = draft.value(&mut self.kinds, Kind::STRING, content)?;
        let kind = self.kinds.of_class(self.program.method(open).class);
        let writer = draft.push(call(open, None, vec![file]), kind)?;
        draft.push(call(write, Some(writer), vec![content]), Kind::VOID)?;
        draft.push(call(close, Some(writer), Vec::new()), Kind::VOID)?;
        Some(file)
    }
}
