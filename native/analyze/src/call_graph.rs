//! Which methods a call may reach, by the class hierarchy.
//!
//! Comes in: call instructions of the program. Goes out: [`Targets`]: the method the call resolves to and every method
//! that overrides it in a class below the named one.
//! Does not know: which of them a run really takes; classes that are not loaded.
//!
//! ```java
//! interface Shape { int area(); }
//! class Square implements Shape { public int area() { return 4; } }
//! class Circle implements Shape { public int area() { return 3; } }
//! class Disc extends Circle {}
//! class Use { int twice(Shape s) { return 2 * s.area(); } }   // reaches Square.area, Circle.area
//! ```

use palus_bytecode::{ClassId, InvokeKind, MethodId, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The methods one call may reach.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Targets {
    /// What the name resolves to; none if its class or the method is not loaded.
    pub resolved: Option<MethodId>,
    /// Methods a receiver may bring along, in id order, abstract ones left out; for calls without dynamic dispatch
    /// the resolved method alone.
    pub reached: Vec<MethodId>,
}

/// Answers which methods a call may reach; remembers what it was asked.
#[derive(Debug)]
pub struct CallGraph<'a> {
    program: &'a Program,
    dispatched: BTreeMap<(ClassId, &'a str, &'a str), Arc<Targets>>,
}

impl<'a> CallGraph<'a> {
    /// An empty graph over a program.
    pub fn new(program: &'a Program) -> Self {
        CallGraph {
            program,
            dispatched: BTreeMap::new(),
        }
    }

    /// The methods that a call by this instruction may reach.
    pub fn targets(
        &mut self,
        kind: InvokeKind,
        owner: &str,
        name: &'a str,
        descriptor: &'a str,
    ) -> Arc<Targets> {
        // Arrays answer to the methods of `Object`.
        let owner = if owner.starts_with('[') {
            "java/lang/Object"
        } else {
            owner
        };
        let Some(class) = self.program.class_named(owner) else {
            return Arc::default();
        };
        let program = self.program;
        let key = (class, name, descriptor);
        if matches!(kind, InvokeKind::Static | InvokeKind::Special) {
            let resolved = program.find_method(class, name, descriptor);
            return Arc::new(Targets {
                resolved,
                reached: resolved.into_iter().collect(),
            });
        }
        let known = self.dispatched.entry(key);
        Arc::clone(known.or_insert_with(|| Arc::new(dispatch(program, class, name, descriptor))))
    }
}

fn dispatch(program: &Program, class: ClassId, name: &str, descriptor: &str) -> Targets {
    let resolved = program.find_method(class, name, descriptor);
    let is_fixed = |id: MethodId| {
        let access = program.method(id).access;
        access.is_private() || access.is_static() || access.is_final()
    };
    if let Some(id) = resolved.filter(|&id| is_fixed(id)) {
        return Targets {
            resolved,
            reached: vec![id],
        };
    }
    let mut classes = vec![class];
    let mut next = 0;
    let mut seen = fixed_set(program.classes().len(), class);
    while next < classes.len() {
        for &below in program.subclasses(classes[next]) {
            if !std::mem::replace(&mut seen[below.index()], true) {
                classes.push(below);
            }
        }
        next += 1;
    }
    let mut reached: Vec<MethodId> = classes
        .into_iter()
        .filter(|&below| !program.class(below).access.is_interface() || below == class)
        .filter_map(|below| program.find_method(below, name, descriptor))
        .filter(|&id| !program.method(id).access.is_abstract())
        .collect();
    reached.sort_unstable();
    reached.dedup();
    Targets { resolved, reached }
}

fn fixed_set(size: usize, first: ClassId) -> Vec<bool> {
    let mut set = vec![false; size];
    set[first.index()] = true;
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;
    use InvokeKind::{Interface, Special, Virtual};

    fn reached(program: &Program, kind: InvokeKind, owner: &str, name: &str) -> Vec<String> {
        let targets = CallGraph::new(program)
            .targets(kind, owner, name, "()I")
            .reached
            .clone();
        let class = |id: &MethodId| program.class(program.method(*id).class).name.to_string();
        targets.iter().map(class).collect()
    }

    #[test]
    fn a_call_reaches_what_the_hierarchy_allows() {
        let program = program(&[(
            "Use.java",
            "interface Shape { int area(); default int sides() { return 0; } } \
             class Square implements Shape { public int area() { return 4; } public int sides() { return 4; } } \
             class Circle implements Shape { public int area() { return 3; } } class Disc extends Circle {} \
             class Free { public int area() { return 1; } private int own() { return 1; } } \
             class Both extends Free implements Shape {} class Use {}",
        )]);
        assert_eq!(
            reached(&program, Interface, "Shape", "area"),
            ["Circle", "Free", "Square"]
        );
        assert_eq!(
            reached(&program, Interface, "Shape", "sides"),
            ["Shape", "Square"]
        );
        assert_eq!(reached(&program, Virtual, "Disc", "area"), ["Circle"]);
        assert_eq!(reached(&program, Special, "Disc", "area"), ["Circle"]);
        assert_eq!(reached(&program, Virtual, "Free", "own"), ["Free"]);
        assert!(reached(&program, Virtual, "Missing", "area").is_empty());
    }
}
