//! Which bodies a call comes to where libraries are looked into that only bodies name.
//!
//! Comes in: a program, of whose classes the last ones are such libraries' (far), and what a call may come to by the class
//! hierarchy. Goes out: those of it that count.
//! Whoever loads all classes of a large library finds a body that reaches out behind most calls of an interface, and objects
//! of few of them are ever made. So a far body counts where the call means it: it is what the name resolves to, or the only
//! one there is, or of an object that the subject makes. A far body that calls what the subject implements for its library
//! comes to that; what the subject implements for the JDK counts where the object is made. What far bodies ask does not
//! count: a large library asks for a property wherever a switch of its own may be set.
//! Does not know: what bodies do.
//!
//! ```text
//! FileUtils.deleteQuietly(file);               // a far body, by its name
//! Cleaner all = new FileCleaner(); all.run();  // FileCleaner.run: the subject makes one; not DatabaseCleaner.run
//! ```

use crate::call_graph::Targets;
use palus_bytecode::{ClassId, MethodId, Operation, Origin, Program};
use std::collections::BTreeSet;

/// The classes of a program, near and far.
pub(crate) struct Horizon<'a> {
    pub(crate) program: &'a Program,
    near: usize,
    /// Far classes of objects that the subject makes, and those above them.
    made: BTreeSet<ClassId>,
}

impl<'a> Horizon<'a> {
    /// Of a program whose far classes stand behind the first ones.
    pub fn of(program: &'a Program, near: usize) -> Horizon<'a> {
        let mut horizon = Horizon {
            program,
            near,
            made: BTreeSet::new(),
        };
        if near == program.classes().len() {
            return horizon;
        }
        let methods = program.methods().iter();
        let subjects = methods.filter(|method| horizon.is_subject(method.id));
        let code = subjects.filter_map(|method| method.code.as_ref());
        let operations = code.flat_map(|code| &code.instructions);
        let made = operations.filter_map(|one| match &one.operation {
            Operation::New(class) => program.class_named(class),
            _ => None,
        });
        let made: BTreeSet<ClassId> = made.filter(|&class| !horizon.is_near(class)).collect();
        let above = made.into_iter().flat_map(|class| program.supertypes(class));
        horizon.made = above.filter(|&class| !horizon.is_near(class)).collect();
        horizon
    }

    /// The bodies that a call comes to, and whether it comes to all of them.
    pub fn counted(&self, caller: ClassId, owner: &str, all: &Targets) -> (Vec<MethodId>, bool) {
        let is_only = all.reached.len() < 2;
        if self.near == self.program.classes().len() {
            return (all.reached.clone(), is_only);
        }
        let is_jdks = self
            .program
            .class_named(owner)
            .is_none_or(|class| self.program.class(class).origin == Origin::Platform);
        let is_subjects = self.program.class(caller).origin == Origin::Subject;
        let counts = |&target: &MethodId| {
            let class = self.program.method(target).class;
            all.resolved == Some(target)
                || is_only && !is_jdks
                || match (self.is_near(caller), self.is_near(class)) {
                    (true, true) => true,
                    (true, false) => is_subjects && self.made.contains(&class),
                    (false, true) => !is_jdks && self.is_subject(target),
                    (false, false) => false,
                }
        };
        let counted: Vec<MethodId> = all.reached.iter().copied().filter(counts).collect();
        let is_far = |target: &MethodId| !self.is_near(self.program.method(*target).class);
        let is_sure = counted.len() < 2 && (is_only || !counted.iter().any(is_far));
        (counted, is_sure)
    }

    /// True for a class that is no far one.
    pub fn is_near(&self, class: ClassId) -> bool {
        class.index() < self.near
    }

    fn is_subject(&self, method: MethodId) -> bool {
        let class = self.program.method(method).class;
        self.program.class(class).origin == Origin::Subject
    }
}
