//! What gets tested: the callable methods of a subject and of the classes nested in it.
//!
//! Comes in: the program and the subject. Goes out: [`Target`]s in class-file order, and the methods that no test can
//! reach at all.
//! A method of a class that tests cannot name is called through what it overrides: an iterator's `next` through
//! `java.util.Iterator`, on an object that some other call returned.
//! Does not know: arguments, outcomes.

use crate::kinds::{Kind, Kinds};
use palus_bytecode::{Class, ClassId, MethodId, Origin, Program};
use std::collections::BTreeSet;
use std::sync::Arc;

/// One method to test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    /// The method that is called.
    pub call: MethodId,
    /// The method with the body.
    pub implementation: MethodId,
    /// Class of the receiver; none for constructors and static methods.
    pub receiver: Option<Kind>,
    /// True if only other calls can make the receiver.
    pub is_virtual: bool,
}

/// Targets of a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    /// In class-file order, outermost class first.
    pub list: Vec<Target>,
    /// Methods with a body that tests can call by no way.
    pub unreachable: Vec<MethodId>,
}

/// The subject and the classes nested in it, by name.
pub(crate) fn nest(program: &Program, subject: ClassId) -> Vec<ClassId> {
    let prefix = format!("{}$", program.class(subject).name);
    let mut nested: Vec<&Class> = program
        .classes()
        .iter()
        .filter(|class| class.origin == Origin::Subject && class.name.starts_with(&prefix))
        .collect();
    nested.sort_by(|left, right| left.name.cmp(&right.name));
    std::iter::once(subject)
        .chain(nested.into_iter().map(|class| class.id))
        .collect()
}

/// Finds the targets of a subject.
pub(crate) fn targets(program: &Program, kinds: &mut Kinds<'_>, subject: ClassId) -> Targets {
    let package = program.package(subject);
    let mut targets = Targets::default();
    for id in nest(program, subject) {
        let class = program.class(id);
        if class.access.is_annotation() {
            continue;
        }
        let is_accessible = program.is_class_accessible(id, package);
        let kind = kinds.of_class(id);
        let mut seen = BTreeSet::new();
        for &method in &class.methods {
            if !is_candidate(program, method) {
                continue;
            }
            let declared = program.method(method);
            let is_constructor = &*declared.name == "<init>";
            let needs_receiver = !is_constructor && !declared.access.is_static();
            if is_accessible && program.is_method_accessible(method, package) {
                if is_constructor && class.access.is_abstract() {
                    continue;
                }
                if !declared.access.is_bridge() && seen.insert(method) {
                    let receiver = needs_receiver.then_some(kind);
                    targets.list.push(Target {
                        call: method,
                        implementation: method,
                        receiver,
                        is_virtual: false,
                    });
                }
            } else if needs_receiver
                && let Some(call) = accessible_declaration(program, id, method, package)
            {
                let implementation = program.behind_bridge(class.id, method);
                if seen.insert(implementation) {
                    targets.list.push(Target {
                        call,
                        implementation,
                        receiver: Some(kind),
                        is_virtual: true,
                    });
                }
            }
        }
        for &method in &class.methods {
            let declared = program.method(method);
            let is_hidden = is_candidate(program, method)
                && !declared.access.is_bridge()
                && &*declared.name != "<init>"
                && !seen.contains(&method);
            if is_hidden && !is_accessible {
                targets.unreachable.push(method);
            }
        }
    }
    targets
}

/// True for methods with a body that source text could call.
fn is_candidate(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let is_compiled = method.access.is_synthetic() && !method.access.is_bridge();
    let is_hidden = method.access.is_private()
        || is_compiled
        || matches!(&*method.name, "<clinit>" | "finalize");
    !is_hidden && !method.access.is_abstract()
}

/// What a test in a package writes to call a method on objects of a class.
pub(crate) fn callable(
    program: &Program,
    package: &str,
    method: MethodId,
    class: ClassId,
) -> Option<MethodId> {
    let declared = program.method(method);
    if program.is_method_accessible(method, package) {
        let is_abstract =
            &*declared.name == "<init>" && program.class(declared.class).access.is_abstract();
        return (!is_abstract && &*declared.name != "finalize").then_some(method);
    }
    let is_virtual = !matches!(&*declared.name, "<init>" | "<clinit>" | "finalize")
        && !declared.access.is_static()
        && !declared.access.is_private();
    let of = if program.is_subclass(class, declared.class) {
        class
    } else {
        declared.class
    };
    if is_virtual {
        accessible_declaration(program, of, method, package)
    } else {
        None
    }
}

/// The nearest declaration of a method in a supertype that tests may name, `Object` left out for what it has itself.
pub(crate) fn accessible_declaration(
    program: &Program,
    class: ClassId,
    method: MethodId,
    package: &str,
) -> Option<MethodId> {
    let method = program.method(method);
    program.supertypes(class).into_iter().find_map(|parent| {
        let found = program.declared_method(parent, &method.name, &method.descriptor)?;
        let declared = program.method(found);
        let is_usable = !declared.access.is_static() && !declared.access.is_private();
        (is_usable && program.is_method_accessible(found, package)).then_some(found)
    })
}

/// True if a call may run the body of a method.
pub(crate) fn may_run(program: &Program, called: MethodId, wanted: MethodId) -> bool {
    if called == wanted {
        return true;
    }
    let (called, wanted) = (program.method(called), program.method(wanted));
    &*wanted.name != "<init>"
        && !wanted.access.is_static()
        && called.name == wanted.name
        && called.descriptor == wanted.descriptor
        && (program.is_subclass(wanted.class, called.class)
            || program.is_subclass(called.class, wanted.class))
}

/// Methods that may be called on an object of a class to bring it into other states: those that run code of the
/// program, and what a platform superclass offers to change it.
pub(crate) fn instance_methods(program: &Program, class: ClassId, package: &str) -> Vec<MethodId> {
    let mut seen: BTreeSet<(Arc<str>, Arc<str>)> = BTreeSet::new();
    let mut found = Vec::new();
    for parent in program.supertypes(class) {
        if &*program.class(parent).name == "java/lang/Object" {
            continue;
        }
        for &method in &program.class(parent).methods {
            let declared = program.method(method);
            let is_called = !declared.access.is_static()
                && !declared.access.is_private()
                && !declared.access.is_synthetic()
                && !matches!(&*declared.name, "<init>" | "<clinit>" | "finalize");
            if !is_called
                || !seen.insert((Arc::clone(&declared.name), Arc::clone(&declared.descriptor)))
            {
                continue;
            }
            let Some(body) = program.find_method(class, &declared.name, &declared.descriptor)
            else {
                continue;
            };
            let is_ours = program.class(program.method(body).class).origin == Origin::Subject;
            let is_mutator = crate::platform::MUTATORS.contains(&&*declared.name)
                && !never_called(&program.class(program.method(body).class).name);
            if !is_ours && !is_mutator {
                continue;
            }
            if let Some(call) = accessible_declaration(program, class, method, package) {
                found.push(call);
            }
        }
    }
    found
}

/// Platform classes whose inherited methods are left alone.
fn never_called(owner: &str) -> bool {
    matches!(
        owner,
        "java/lang/Thread" | "java/lang/ClassLoader" | "java/lang/Process"
    )
}
