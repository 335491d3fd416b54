//! Casts that failed: each says of which class an object should have been, so it becomes one of that class.
//!
//! Comes in: a sequence that ended in a failed cast, of an element that went into a container, say. Goes out: sequences in
//! which an argument of the class that came is one of the class that was wanted. Each costs one run; chance would have to
//! hit the class, the container and the call at once.
//! Does not know: targets.
//!
//! ```text
//! v2 = v0.add(v1)   v3 = v0.readLong()      "java.lang.Integer cannot be cast to java.lang.Long"
//! v3 = 7L   v4 = v0.add(v3)   v5 = v0.readLong()
//! ```

use crate::mutation::with_use;
use crate::splice::{is_receiver, wanted};
use palus_bytecode::{MethodId, Type};
use palus_generate::Sources;
use palus_sequence::{End, Outcome, Sequence, Statement};
use std::collections::BTreeMap;

/// Sequences made for one cast that failed.
const MOST: usize = 3;
/// Runs that are changed for the same cast of the same method.
const TRIES: u32 = 8;

/// What a failed cast says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FailedCast {
    /// The type that came; none where that is not said.
    seen: Option<Type>,
    wanted: Type,
}

impl FailedCast {
    /// Read from the message of the exception that a run ended in, as JDKs since 8 word it.
    pub fn of(outcome: &Outcome) -> Option<FailedCast> {
        let End::Threw(thrown) = &outcome.end else {
            return None;
        };
        let message = thrown.message.as_deref()?;
        match &*thrown.class {
            "java/lang/ClassCastException" => {
                let (seen, wanted) = message.split_once(" cannot be cast to ")?;
                Some(FailedCast {
                    seen: Some(named(seen)?),
                    wanted: named(wanted)?,
                })
            }
            "java/lang/ArrayStoreException" => {
                let (_, wanted) = message.split_once(" to the type of the destination array, ")?;
                Some(FailedCast {
                    seen: None,
                    wanted: named(wanted)?,
                })
            }
            _ => None,
        }
    }

    /// True for a variable of the class that came.
    fn may_be(&self, own: &Type) -> bool {
        let is_box = own.unboxed().is_some();
        match &self.seen {
            Some(seen) => seen == own || seen.unboxed().as_ref() == Some(own),
            None => is_box || !own.is_reference() || *own == Type::object("java/lang/String"),
        }
    }
}

/// `class java.lang.Long (java.lang.Long is in module java.base of loader 'bootstrap')`, or less of it.
fn named(text: &str) -> Option<Type> {
    let text = text.strip_prefix("class ").unwrap_or(text);
    let name = text.split(' ').next()?.replace('.', "/");
    if name.starts_with('[') {
        Type::parse(&name)
    } else {
        Some(Type::object(&name))
    }
}

/// Casts that are to be mended.
#[derive(Debug, Default)]
pub(crate) struct Casts {
    waiting: Vec<(Sequence, FailedCast)>,
    /// By the method that was called and what it wanted.
    tries: BTreeMap<(MethodId, FailedCast), u32>,
}

impl Casts {
    /// Notes a run that ended in a failed cast; the last statement of the sequence is the call that it failed in.
    pub fn note(&mut self, sequence: &Sequence, outcome: &Outcome) {
        let Some(cast) = FailedCast::of(outcome) else {
            return;
        };
        let Some(Statement::Call { method, .. }) = sequence.statements().last() else {
            return;
        };
        let tries = self.tries.entry((*method, cast.clone())).or_default();
        if *tries < TRIES {
            *tries += 1;
            self.waiting.push((sequence.clone(), cast));
        }
    }

    /// Sequences that may get past the casts noted since the last time.
    pub fn mended(&mut self, sources: &mut Sources<'_>) -> Vec<Sequence> {
        let mut made = Vec::new();
        for (sequence, cast) in self.waiting.drain(..) {
            made.extend(mended(sources, &sequence, &cast));
        }
        made
    }
}

/// The latest places first: what is put in late is likelier what was read.
fn mended(sources: &mut Sources<'_>, sequence: &Sequence, cast: &FailedCast) -> Vec<Sequence> {
    let program = sources.program();
    let mut made = Vec::new();
    for (index, statement) in sequence.statements().iter().enumerate().rev() {
        let types = wanted(program, statement);
        for (position, (used, parameter)) in statement.uses().into_iter().zip(types).enumerate() {
            let own = sequence.type_of(program, used);
            if is_receiver(statement, position)
                || !cast.may_be(&own)
                || !sources.fits(&cast.wanted, &parameter)
            {
                continue;
            }
            let head = sequence.prefix(index);
            if let Some((head, other)) = sources.with_value(&head, &cast.wanted, false) {
                made.push(with_use(sources, sequence, index, position, head, other));
            }
            if made.len() == MOST {
                return made;
            }
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::Thrown;

    fn read(class: &str, message: &str) -> Option<FailedCast> {
        FailedCast::of(&Outcome::new(
            End::Threw(Thrown {
                statement: 0,
                class: class.into(),
                message: Some(message.into()),
                top_frame: None,
                fields: Vec::new(),
            }),
            Vec::new(),
        ))
    }

    #[test]
    fn the_words_of_all_jdks_are_read() {
        let long = Type::object("java/lang/Long");
        let cast = FailedCast {
            seen: Some(Type::object("java/lang/Integer")),
            wanted: long.clone(),
        };
        for message in [
            "java.lang.Integer cannot be cast to java.lang.Long",
            "class java.lang.Integer cannot be cast to class java.lang.Long (java.lang.Integer and java.lang.Long are \
             in module java.base of loader 'bootstrap')",
        ] {
            let known = read("java/lang/ClassCastException", message);
            assert_eq!(known.as_ref(), Some(&cast), "{message}");
        }
        assert!(cast.may_be(&Type::Int) && !cast.may_be(&Type::Long));
        let stored = "arraycopy: element type mismatch: can not cast one of the elements of java.lang.Object[] to the \
                      type of the destination array, java.lang.Long";
        let stored = read("java/lang/ArrayStoreException", stored).unwrap();
        assert_eq!((&stored.seen, &stored.wanted), (&None, &long));
        assert!(stored.may_be(&Type::Byte) && !stored.may_be(&Type::object("a/B")));
        assert_eq!(read("java/lang/ClassCastException", "no"), None);
        assert_eq!(
            read("java/lang/IllegalStateException", "a cannot be cast to b"),
            None
        );
        let arrays = "class [Ljava.lang.Object; cannot be cast to class [Ljava.lang.Long;";
        let arrays = read("java/lang/ClassCastException", arrays).unwrap();
        assert_eq!(arrays.wanted, Type::Array(Box::new(long)));
    }
}
