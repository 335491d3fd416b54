//! Which classes are an API's, and where a program calls their methods.
//!
//! Comes in: the names of an API's classes, a [`Program`]. Goes out: the call sites to record.
//! Does not know: how calls are recorded.
//!
//! A call site is one if the method that its name resolves to is a public one of an API's class: `add` of a class of
//! the program's that extends `ArrayList` and does not override it, but not `getClass`. Calls of `super(..)` and `this(..)`
//! make no object of their own and are none; what a method reference names is called by the JDK.

use crate::{CallSite, Signature};
use palus_bytecode::{ClassId, Code, InvokeKind, Method, MethodName, Operation, Origin, Program};
use std::sync::Arc;

/// Classes of libraries or of the JDK, with all that extend or implement them there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Api {
    roots: Vec<Arc<str>>,
}

impl Api {
    /// The API of classes by their internal names, and of their subtypes.
    pub fn new(roots: &[&str]) -> Self {
        Api {
            roots: roots.iter().map(|&name| name.into()).collect(),
        }
    }

    /// Collections with iterators, and vectors with enumerations, of `java.util`.
    pub fn of_java_util() -> Self {
        Api::new(&[
            "java/util/Collection",
            "java/util/Iterator",
            "java/util/Vector",
            "java/util/Enumeration",
        ])
    }

    /// The call sites of a class, in order of methods and code, each with its number among all invocations of methods
    /// in the class, from 0.
    pub fn call_sites(&self, program: &Program, class: ClassId) -> Vec<(u32, CallSite)> {
        let mut sites = Vec::new();
        let mut number = 0;
        for &id in &program.class(class).methods {
            let around = program.method(id);
            let Some(code) = &around.code else { continue };
            // Objects that are made and not yet initialised; none where `super` or `this` is called.
            let mut made = 0;
            for (index, instruction) in (0..).zip(&code.instructions) {
                match &instruction.operation {
                    Operation::New(_) => made += 1,
                    Operation::Invoke { kind, method } => {
                        let is_creation = *kind == InvokeKind::Special && &*method.name == "<init>";
                        let is_of_own = is_creation && made == 0;
                        made -= u32::from(is_creation && made > 0);
                        if !is_of_own && self.has_method(program, method) {
                            let offset = instruction.offset;
                            sites.push((
                                number,
                                site(program, around, code, (index, offset), method),
                            ));
                        }
                        number += 1;
                    }
                    _ => {}
                }
            }
        }
        sites
    }

    fn has_method(&self, program: &Program, named: &MethodName) -> bool {
        program.resolve_method(named).is_some_and(|id| {
            let method = program.method(id);
            method.access.is_public() && self.has_class(program, method.class)
        })
    }

    fn has_class(&self, program: &Program, class: ClassId) -> bool {
        let is_root = |class: ClassId| self.roots.contains(&program.class(class).name);
        !matches!(program.class(class).origin, Origin::Subject | Origin::Test)
            && program.supertypes(class).into_iter().any(is_root)
    }
}

fn site(
    program: &Program,
    around: &Method,
    code: &Code,
    (index, offset): (u32, u32),
    called: &MethodName,
) -> CallSite {
    let behind = code.lines.partition_point(|&(start, _)| start <= index);
    let line = behind.checked_sub(1).map(|place| code.lines[place].1);
    CallSite {
        class: program.class(around.class).name.clone(),
        method: Signature {
            name: around.name.clone(),
            descriptor: around.descriptor.clone(),
        },
        line: line.map(u32::from),
        bytecode_index: Some(offset),
        owner: called.owner.clone(),
        called: Signature {
            name: called.name.clone(),
            descriptor: called.descriptor.clone(),
        },
    }
}
