//! Limits of what walks over generic types do, for class files can make each of them endless.
//!
//! Comes in: what a walk is about to do. Goes out: whether it may.
//! `class C<X> implements N<N<? super C<C<X>>>>` compiles, and whether a `C<C<X>>` is an `N<? super C<X>>` leads to the
//! same question about a longer type, without end; arguments that stand twice in each supertype double at each step; a
//! class file may name as its supertypes what it likes, itself too.
//! Does not know: types, what a walk looks for.

use crate::{Bound, ClassId, TypeArgument, TypeSignature};
use std::collections::BTreeSet;

/// Types that people write have fewer classes, variables and wildcards in them.
const MOST_PARTS: usize = 64;

/// More than the supertypes of any class that people write.
const MOST_CLASSES: usize = 256;

/// More than any two types that people write need.
const MOST_QUESTIONS: usize = 256;

/// How much longer a type may become while type variables in it are replaced.
#[derive(Debug)]
pub struct PartsLeft(usize);

impl Default for PartsLeft {
    fn default() -> Self {
        PartsLeft(MOST_PARTS)
    }
}

impl PartsLeft {
    /// Counts a part; none when there are too many.
    pub fn take(&mut self) -> Option<()> {
        self.0 = self.0.checked_sub(1)?;
        Some(())
    }

    /// Counts all parts of a type, and returns a copy; none when there are too many.
    pub fn take_copy(&mut self, signature: &TypeSignature) -> Option<TypeSignature> {
        self.take_all(signature)?;
        Some(signature.clone())
    }

    fn take_all(&mut self, signature: &TypeSignature) -> Option<()> {
        self.take()?;
        match signature {
            TypeSignature::Plain(_) | TypeSignature::Variable(_) => Some(()),
            TypeSignature::Array(element) => self.take_all(element),
            TypeSignature::Class { arguments, .. } => arguments
                .iter()
                .try_for_each(|argument| self.take_argument(argument)),
        }
    }

    fn take_argument(&mut self, argument: &TypeArgument) -> Option<()> {
        match &argument.signature {
            Some(inner) if argument.bound != Bound::Any => self.take_all(inner),
            _ => self.take(),
        }
    }
}

/// Classes that a walk up the supertypes has come to. What it did not find from one, it does not find from it again.
#[derive(Debug, Default)]
pub struct ClassesPassed(BTreeSet<ClassId>);

impl ClassesPassed {
    /// True the first time; false also when there were too many classes.
    pub fn pass(&mut self, class: ClassId) -> bool {
        self.0.len() < MOST_CLASSES && self.0.insert(class)
    }
}

/// How many questions the answer to a first one may still take.
#[derive(Debug)]
pub struct QuestionsLeft(usize);

impl Default for QuestionsLeft {
    fn default() -> Self {
        QuestionsLeft(MOST_QUESTIONS)
    }
}

impl QuestionsLeft {
    /// False when there were too many.
    pub fn ask(&mut self) -> bool {
        let may = self.0 > 0;
        self.0 = self.0.saturating_sub(1);
        may
    }
}
