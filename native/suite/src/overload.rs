//! Which overload the compiler would take, and where a cast must tell it.
//!
//! Comes in: a method and the static types of the arguments at a call. Goes out: which arguments need a cast to the
//! parameter's type. The rules follow the Java Language Specification, section 15.12.2, on erased types.
//! Does not know: statements, text.

use palus_bytecode::{ClassId, Method, Program, Type};

/// For each argument (none is `null`) whether it needs a cast to its parameter's type.
///
/// `seen_from` is the static class of the receiver, or the declaring class.
pub(crate) fn casts(
    program: &Program,
    package: &str,
    method: &Method,
    seen_from: ClassId,
    given: &[Option<Type>],
) -> Vec<bool> {
    let parameters = &method.method_type.parameters;
    let differs = |position: usize| given[position].as_ref() != Some(&parameters[position]);
    let ambiguous = others(program, package, method, seen_from).any(|other| {
        let theirs = &other.method_type.parameters;
        if !applies(program, given, theirs, Phase::Loose) {
            return false;
        }
        let strict_ours = applies(program, given, parameters, Phase::Strict);
        let strict_theirs = applies(program, given, theirs, Phase::Strict);
        if strict_ours && !strict_theirs {
            return false;
        }
        let more_specific = parameters
            .iter()
            .zip(theirs)
            .all(|(ours, theirs)| fits(program, ours, theirs, Phase::Strict));
        !(more_specific && strict_ours == strict_theirs)
    });
    let last = parameters.len().wrapping_sub(1);
    (0..parameters.len())
        .map(|position| {
            let inexact = method.access.is_varargs() && position == last && differs(position);
            // A null receiver of varargs, or a subtype array, draws a warning of its own.
            let inexact = inexact && given[position].as_ref().is_none_or(Type::is_reference);
            inexact || (ambiguous && differs(position))
        })
        .collect()
}

/// True if a primitive may be used as another without a cast (identity or widening).
pub(crate) fn widens(from: &Type, to: &Type) -> bool {
    let rank = |kind: &Type| match kind {
        Type::Byte => Some(1),
        Type::Short => Some(2),
        Type::Char => Some(10),
        Type::Int => Some(3),
        Type::Long => Some(4),
        Type::Float => Some(5),
        Type::Double => Some(6),
        _ => None,
    };
    from == to
        || match (rank(from), rank(to)) {
            (Some(10), Some(to)) => (3..10).contains(&to),
            (Some(from), Some(to)) => to < 10 && from < to,
            _ => false,
        }
}

/// True if the compiler lets a reference be cast, which it refuses where no object could be both.
pub(crate) fn may_cast(program: &Program, from: &Type, to: &Type) -> bool {
    if program.is_assignable(from, to) || program.is_assignable(to, from) {
        return true;
    }
    match (from, to) {
        (Type::Object(from), Type::Object(to)) => {
            let (Some(from), Some(to)) = (program.class_named(from), program.class_named(to))
            else {
                return false;
            };
            let (from, to) = (program.class(from), program.class(to));
            let is_open = |class: &palus_bytecode::Class| {
                !class.access.is_final() && class.permitted.is_empty()
            };
            (from.access.is_interface() || to.access.is_interface()) && is_open(from) && is_open(to)
        }
        (Type::Array(from), Type::Array(to)) => {
            from.is_reference() && to.is_reference() && may_cast(program, from, to)
        }
        _ => false,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Strict,
    Loose,
}

fn others<'a>(
    program: &'a Program,
    package: &'a str,
    method: &'a Method,
    seen_from: ClassId,
) -> impl Iterator<Item = &'a Method> {
    let classes = if method.is_constructor() {
        vec![method.class]
    } else {
        program.supertypes(seen_from)
    };
    let classes = if classes.contains(&method.class) {
        classes
    } else {
        program.supertypes(method.class)
    };
    classes
        .into_iter()
        .flat_map(|class| program.class(class).methods.iter())
        .map(|&id| program.method(id))
        .filter(move |other| {
            let here = program.package(other.class) == package;
            other.name == method.name
                && other.method_type.parameters.len() == method.method_type.parameters.len()
                && other.method_type.parameters != method.method_type.parameters
                && !other.access.is_synthetic()
                && !has_bridge(program, other, method)
                && (other.access.is_public() || (here && !other.access.is_private()))
        })
}

/// True if a call of the one runs the other, which has it bridged to itself: `compare(T, T)` with `T` fixed.
fn has_bridge(program: &Program, other: &Method, method: &Method) -> bool {
    let bridge = program.declared_method(other.class, &method.name, &method.descriptor);
    bridge.is_some_and(|bridge| program.method(bridge).access.is_synthetic())
}

/// The method that source text calls where bytecode calls a bridge to it; any other method is itself.
pub(crate) fn unbridged<'a>(program: &'a Program, method: &'a Method) -> &'a Method {
    if !method.access.is_synthetic() {
        return method;
    }
    let methods = program.class(method.class).methods.iter();
    let mut methods = methods.map(|&id| program.method(id)).filter(|other| {
        let (own, bridged) = (
            &other.method_type.parameters,
            &method.method_type.parameters,
        );
        let mut pairs = own.iter().zip(bridged);
        other.name == method.name
            && !other.access.is_synthetic()
            && own.len() == bridged.len()
            && pairs.all(|(own, bridged)| {
                own == bridged || (own.is_reference() && program.is_assignable(own, bridged))
            })
    });
    match (methods.next(), methods.next()) {
        (Some(only), None) => only,
        _ => method,
    }
}

fn applies(program: &Program, given: &[Option<Type>], parameters: &[Type], phase: Phase) -> bool {
    given
        .iter()
        .zip(parameters)
        .all(|(given, parameter)| match given {
            None => parameter.is_reference(),
            Some(given) => fits(program, given, parameter, phase),
        })
}

fn fits(program: &Program, from: &Type, to: &Type, phase: Phase) -> bool {
    match (from.is_primitive(), to.is_primitive()) {
        (true, true) => widens(from, to),
        (false, false) => program.is_assignable(from, to),
        _ if phase == Phase::Strict => false,
        (true, false) => from
            .box_name()
            .is_some_and(|name| program.is_assignable(&Type::object(name), to)),
        (false, true) => from.unboxed().is_some_and(|inner| widens(&inner, to)),
    }
}
