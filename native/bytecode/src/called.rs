//! Which bodies of libraries the subject's bodies come to.
//!
//! Comes in: the classes a builder holds so far. Goes out: names of classes that it does not hold and that go on with what a
//! body calls, one step at a time; asked again with those added, until there are none.
//! A call leads to the method that its name resolves to, and to the class's initialiser; whoever makes an object leads to all
//! that can be called on it.
//! Does not know: where classes are found; which of the calls a run makes.
//!
//! ```text
//! if (isMonday()) FileUtils.deleteQuietly(file);    // FileUtils, and then what this one method calls
//! ```

use crate::{Class, Method, MethodId, MethodName, Operation, Origin, Program, ProgramBuilder};
use std::collections::BTreeSet;
use std::sync::Arc;

impl ProgramBuilder {
    /// Goes on from a program: its classes, methods and fields keep their ids, and what is added comes after them.
    pub fn after(program: &Program) -> ProgramBuilder {
        let mut builder = ProgramBuilder::new();
        builder.program = program.clone();
        builder
    }

    /// The classes so far. Their hierarchy is not linked: names and bodies are all that can be asked for.
    pub fn so_far(&self) -> &Program {
        &self.program
    }
}

/// The way from the subject's bodies into libraries.
#[derive(Debug)]
pub struct Trail {
    /// Methods whose bodies are to be followed next.
    open: Vec<MethodId>,
    /// All that ever were.
    followed: BTreeSet<MethodId>,
    /// What is looked for in classes.
    wanted: Vec<(Arc<str>, Wanted)>,
    /// Classes that were asked for once.
    asked: BTreeSet<Arc<str>>,
}

/// What is wanted of a class.
#[derive(Clone, Debug)]
enum Wanted {
    Initializer,
    Method(Arc<MethodName>),
    /// All that can be called on an object.
    Object,
}

impl Trail {
    /// From all bodies of the subject.
    pub fn of(program: &Program) -> Trail {
        let is_subjects = |method: &&Method| program.class(method.class).origin == Origin::Subject;
        let subjects = program.methods().iter().filter(is_subjects);
        let open: Vec<MethodId> = subjects.map(|method| method.id).collect();
        Trail {
            followed: open.iter().copied().collect(),
            open,
            wanted: Vec::new(),
            asked: BTreeSet::new(),
        }
    }

    /// Internal names of classes that are next on the way, in order; none where it ends. A class that was named once and
    /// is still not there is passed over.
    pub fn next(&mut self, program: &Program) -> BTreeSet<Arc<str>> {
        loop {
            let mut missing = BTreeSet::new();
            let mut wanted = std::mem::take(&mut self.wanted);
            while let Some((name, what)) = wanted.pop() {
                if let Some(class) = program.class_named(&name) {
                    let class = program.class(class);
                    if class.origin == Origin::Library {
                        self.find(program, class, &what, &mut wanted);
                    }
                } else if missing.contains(&name) || self.asked.insert(Arc::clone(&name)) {
                    missing.insert(Arc::clone(&name));
                    self.wanted.push((name, what));
                }
            }
            if !missing.is_empty() || self.open.is_empty() {
                return missing;
            }
            for method in std::mem::take(&mut self.open) {
                self.follow(program.method(method));
            }
        }
    }

    /// What a body comes to.
    fn follow(&mut self, method: &Method) {
        let code = method.code.iter().flat_map(|code| &code.instructions);
        for operation in code.map(|one| &one.operation) {
            let (class, what) = match operation {
                Operation::Invoke { method, .. } => {
                    (&method.owner, Wanted::Method(Arc::clone(method)))
                }
                Operation::New(class) => (class, Wanted::Object),
                Operation::GetField {
                    field,
                    is_static: true,
                }
                | Operation::PutField {
                    field,
                    is_static: true,
                } => (&field.owner, Wanted::Initializer),
                Operation::InvokeDynamic(site) => match &site.implementation {
                    Some(method) => (&method.owner, Wanted::Method(Arc::new(method.clone()))),
                    None => continue,
                },
                _ => continue,
            };
            if !class.starts_with("java/") && !class.starts_with('[') {
                self.wanted.push((Arc::clone(class), what));
            }
        }
    }

    /// Goes on in a class of a library, and where it has nothing of what is wanted, or not all, in those above it.
    fn find(
        &mut self,
        program: &Program,
        class: &Class,
        what: &Wanted,
        wanted: &mut Vec<(Arc<str>, Wanted)>,
    ) {
        let mut is_found = false;
        for method in class.methods.iter().map(|&id| program.method(id)) {
            let is_wanted = match what {
                Wanted::Method(named) => {
                    method.name == named.name && method.descriptor == named.descriptor
                }
                Wanted::Object => !method.access.is_static() && !method.is_constructor(),
                Wanted::Initializer => false,
            };
            is_found |= is_wanted;
            if (is_wanted || method.is_initializer()) && self.followed.insert(method.id) {
                self.open.push(method.id);
            }
        }
        let goes_up = match what {
            Wanted::Method(named) => !is_found && !named.is_constructor(),
            Wanted::Object => true,
            Wanted::Initializer => false,
        };
        if goes_up {
            let above = class.super_name.iter().chain(&class.interface_names);
            let above = above.filter(|name| !name.starts_with("java/"));
            wanted.extend(above.map(|name| (Arc::clone(name), what.clone())));
        }
    }
}
