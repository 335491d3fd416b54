//! Objects of types that nothing implements: which methods they leave open, and what each answers.
//!
//! Comes in: an interface or abstract class. Goes out: whether a stub of it can be written, its open methods, and what a
//! method does with an answer: returns it, throws what it cannot return, or, where it returns nothing and the answer is
//! a list, adds to it what it is called with. Arguments never matter for what it does else.
//! Does not know: where answers come from, source text.

use crate::{Sequence, Statement, Variable};
use palus_bytecode::{ClassId, Method, MethodId, Origin, Program, Type};

/// The abstract methods that an object of the type must have, each once; the type's own come first.
///
/// A method that overrides another one with other erased types is the same method. Methods of `Object` are never open.
pub fn open_methods(program: &Program, class: ClassId) -> Vec<MethodId> {
    let mut open: Vec<MethodId> = Vec::new();
    for parent in program.supertypes(class) {
        for &id in &program.class(parent).methods {
            let method = program.method(id);
            let is_known = open.iter().any(|&known| {
                let known = program.method(known);
                let is_overload = known.class == method.class
                    && known.method_type.parameters != method.method_type.parameters;
                known.name == method.name
                    && known.method_type.parameters.len() == method.method_type.parameters.len()
                    && !is_overload
            });
            let is_open = method.access.is_abstract()
                && !is_known
                && !is_of_object(&method.name, &method.method_type.parameters)
                && program
                    .find_method(class, &method.name, &method.descriptor)
                    .is_none_or(|found| program.method(found).access.is_abstract());
            if is_open {
                open.push(id);
            }
        }
    }
    open
}

/// True for an interface with one open method, which a lambda expression can implement.
pub fn is_functional(program: &Program, class: ClassId) -> bool {
    let access = program.class(class).access;
    access.is_interface() && !access.is_annotation() && open_methods(program, class).len() == 1
}

/// True if code in the package can implement all that the type leaves open: a functional interface, another interface,
/// or an abstract class of the program with a constructor that takes nothing.
pub fn can_be_stubbed(program: &Program, class: ClassId, package: &str) -> bool {
    let declared = program.class(class);
    let access = declared.access;
    if access.is_annotation()
        || access.is_enum()
        || !access.is_abstract()
        || !declared.permitted.is_empty()
        || !program.is_class_accessible(class, package)
    {
        return false;
    }
    let is_here = program.package(class) == package;
    if !access.is_interface() {
        let is_inner = declared.outer.is_some() && !access.is_static();
        let made = program.declared_method(class, "<init>", "()V");
        let is_made = made.is_some_and(|made| {
            let access = program.method(made).access;
            access.is_public() || access.is_protected() || (is_here && !access.is_private())
        });
        if declared.origin == Origin::Platform || is_inner || !is_made {
            return false;
        }
    }
    let open = open_methods(program, class);
    open.iter().all(|&id| {
        let method = program.method(id);
        let is_generic = method
            .signature
            .as_ref()
            .is_some_and(|signature| !signature.type_parameters.is_empty());
        let is_seen = !method.access.is_synthetic()
            && (method.access.is_public()
                || method.access.is_protected()
                || program.package(method.class) == package);
        let mut named = method.method_type.parameters.iter();
        let mut named = named.by_ref().chain([&method.method_type.returns]);
        let can_name = named.all(|named| {
            let class = named
                .class_name()
                .and_then(|name| program.class_named(name));
            class.is_none_or(|class| program.is_class_accessible(class, package))
        });
        is_seen && can_name && (!is_generic || open.len() == 1)
    })
}

/// True if an answer of this type is thrown: an exception where none can be returned.
pub fn is_thrown(program: &Program, method: &Method, answer: &Type) -> bool {
    let throwable = Type::object("java/lang/Throwable");
    program.is_assignable(answer, &throwable)
        && !program.is_assignable(answer, &method.method_type.returns)
}

/// The class of lists that hold what a stub is called with.
pub const CALLS: &str = "java/util/ArrayList";

/// True if an answer of this type is a list to which each call is added: its argument, a list of several, or the method's
/// name where it takes none.
pub fn is_recorded(method: &Method, answer: &Type) -> bool {
    method.method_type.returns == Type::Void && answer.class_name() == Some(CALLS)
}

/// The lists that hold what stubs of a sequence are called with, each with the method.
pub fn recorded(program: &Program, sequence: &Sequence) -> Vec<(MethodId, Variable)> {
    let mut found = Vec::new();
    for statement in sequence.statements() {
        let Statement::Stub { class, answers } = statement else {
            continue;
        };
        for (method, answer) in open_methods(program, *class).into_iter().zip(answers) {
            let list = answer.filter(|&answer| {
                is_recorded(program.method(method), &sequence.type_of(program, answer))
            });
            found.extend(list.map(|list| (method, list)));
        }
    }
    found
}

/// True if the method may throw an exception of this type: one that it declares, or an unchecked one.
pub fn may_throw(program: &Program, method: &Method, exception: &Type) -> bool {
    let is = |name: &str| program.is_assignable(exception, &Type::object(name));
    is("java/lang/RuntimeException")
        || is("java/lang/Error")
        || method.exceptions.iter().any(|name| is(name))
}

fn is_of_object(name: &str, parameters: &[Type]) -> bool {
    match name {
        "hashCode" | "toString" => parameters.is_empty(),
        "equals" => parameters == [Type::object("java/lang/Object")],
        _ => false,
    }
}
