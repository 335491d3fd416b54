//! Which other classes fill the static fields that the subject reads.
//!
//! Comes in: the classes a builder holds so far. Goes out: names of classes that it does not hold, whose initialisers fill
//! static fields which bodies of the subject read, and of those that these initialisers call, as far as it is plain which
//! method is called. Asked again with those added, until there are none.
//! Does not know: where classes are found, and what it means to fill a field.
//!
//! ```text
//! if (SystemUtils.IS_OS_LINUX)                              // SystemUtils
//! static final String OS_NAME = SystemProperties.getOsName();   // in SystemUtils: SystemProperties
//! ```

use crate::{ClassId, Code, InvokeKind, Method, MethodName, Operation, Origin, ProgramBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl ProgramBuilder {
    /// Internal names of classes to add, so that their initialisers are known.
    pub fn filling(&self) -> BTreeSet<Arc<str>> {
        let mut walk = Walk {
            builder: self,
            by_class: BTreeMap::new(),
            seen: BTreeSet::new(),
            open: Vec::new(),
            missing: BTreeSet::new(),
        };
        for method in &self.program.methods {
            walk.by_class.entry(method.class).or_default().push(method);
        }
        let bodies = self.program.methods.iter().filter(|method| {
            let origin = self.program.class(method.class).origin;
            origin == Origin::Subject
        });
        for code in bodies.filter_map(|method| method.code.as_ref()) {
            walk.reads(code);
        }
        while let Some(method) = walk.open.pop() {
            if let Some(code) = &method.code {
                walk.reads(code);
                walk.calls(code);
            }
        }
        walk.missing
    }
}

struct Walk<'a> {
    builder: &'a ProgramBuilder,
    by_class: BTreeMap<ClassId, Vec<&'a Method>>,
    /// Bodies met, as class and index within it.
    seen: BTreeSet<(ClassId, usize)>,
    open: Vec<&'a Method>,
    missing: BTreeSet<Arc<str>>,
}

impl Walk<'_> {
    /// The initialisers that fill what a body reads.
    fn reads(&mut self, code: &Code) {
        for instruction in &code.instructions {
            if let Operation::GetField {
                field,
                is_static: true,
            } = &instruction.operation
            {
                self.visit(&field.owner, Method::is_initializer);
            }
        }
    }

    /// The methods that a body calls without a choice.
    fn calls(&mut self, code: &Code) {
        for instruction in &code.instructions {
            if let Operation::Invoke {
                kind: InvokeKind::Static | InvokeKind::Special,
                method,
            } = &instruction.operation
            {
                let MethodName {
                    owner,
                    name,
                    descriptor,
                } = &**method;
                self.visit(owner, |method| {
                    method.is_initializer()
                        || (method.name == *name && method.descriptor == *descriptor)
                });
            }
        }
    }

    /// Goes on in methods of a library's class.
    fn visit(&mut self, class: &Arc<str>, is_meant: impl Fn(&Method) -> bool) {
        let program = &self.builder.program;
        let Some(class) = program.class_named(class) else {
            self.missing.insert(Arc::clone(class));
            return;
        };
        if program.class(class).origin != Origin::Library {
            return;
        }
        let methods = self.by_class.get(&class).into_iter().flatten();
        for (place, method) in methods.enumerate() {
            if is_meant(method) && self.seen.insert((class, place)) {
                self.open.push(method);
            }
        }
    }
}
