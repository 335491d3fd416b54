//! Objects of types that nothing implements, with something to say.
//!
//! Comes in: an interface or abstract class, and the kind it is wanted as. Goes out: its answers and the stub, added to
//! the draft. A method that declares exceptions throws one now and then.
//! Does not know: what calls the stub.

use super::{Maker, Nullable};
use crate::draft::Draft;
use crate::kinds::Kind;
use palus_bytecode::{ClassId, MethodId, Type};
use palus_sequence::{Statement, Variable, is_thrown, open_methods};

/// Share of methods that answer with the default value of their type, in percent.
const DEFAULT: usize = 15;
/// Share of methods that throw what they declare, in percent.
const THROWS: usize = 20;

impl Maker<'_> {
    /// A stub; none when the sequence is full.
    pub fn stub(
        &mut self,
        draft: &mut Draft,
        class: ClassId,
        wanted: Kind,
        depth: u32,
    ) -> Option<Variable> {
        let own = self.kinds.of_class(class);
        let kind = if self.kinds.base(wanted) == own {
            wanted
        } else {
            own
        };
        let mut answers = Vec::new();
        for method in open_methods(self.program, class) {
            let answer = self.exception(draft, method, depth)?;
            answers.push(match answer {
                None => self.answer(draft, method, kind, depth)?,
                thrown => thrown,
            });
        }
        draft.push(Statement::Stub { class, answers }, kind)
    }

    /// What a method returns, or nothing; none when the sequence is full.
    #[expect(clippy::option_option, reason = "no answer is an answer")]
    fn answer(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        kind: Kind,
        depth: u32,
    ) -> Option<Option<Variable>> {
        let returns = &self.program.method(method).method_type.returns;
        if *returns == Type::Void || self.rng.percent(DEFAULT) {
            return Some(None);
        }
        let result = self.resolve(method, Some(kind), None).returns;
        let closed = self.kinds.arguments(kind);
        // The result of `T get()` is erased; what the interface's argument says is nearer.
        let result = if result == Kind::OBJECT {
            closed.last().copied().unwrap_or(result)
        } else {
            result
        };
        let made = self.argument(draft, result, depth + 1, Nullable::Yes)?;
        Some(Some(made))
    }

    /// Now and then, an exception that a method declares; none when the sequence is full.
    #[expect(clippy::option_option, reason = "no exception is an answer")]
    fn exception(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        depth: u32,
    ) -> Option<Option<Variable>> {
        let method = self.program.method(method);
        if method.exceptions.is_empty() || !self.rng.percent(THROWS) {
            return Some(None);
        }
        let name = self.rng.pick(&method.exceptions)?;
        let declared = self.kinds.of_type(&Type::Object(name.clone()));
        let mark = draft.len();
        let made = self.argument(draft, declared, depth + 1, Nullable::No);
        let thrown = made.filter(|&made| {
            let known = draft.of(made);
            self.kinds.fits(known.declared, declared)
                && is_thrown(self.program, method, self.kinds.erased(known.declared))
        });
        if thrown.is_none() {
            draft.truncate(mark);
        }
        Some(thrown)
    }
}
