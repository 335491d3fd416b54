//! What type variables stand for in one call.
//!
//! Comes in: a generic method, the kind of its receiver, the kind its result should have.
//! Goes out: closed kinds of its parameters and result. Variables are bound by the receiver's type arguments, by the
//! wanted result, else to a type drawn once per call (its bound, `String` or `Integer`).
//! Does not know: inference as the language has it; what does not come out well is printed raw.

use crate::kinds::{Kind, Kinds};
use crate::rng::Rng;
use palus_bytecode::{
    Bound, ClassId, ClassesPassed, Method, PartsLeft, Program, Type, TypeArgument, TypeParameter,
    TypeSignature,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What variables stand for.
pub(crate) type Bindings = BTreeMap<Arc<str>, TypeSignature>;

/// Kinds of one call.
#[derive(Clone, Debug)]
pub(crate) struct Resolved {
    /// Parameters, in order.
    pub parameters: Vec<Kind>,
    /// The result; the class for constructors.
    pub returns: Kind,
}

/// True if a call of the method involves type variables.
pub(crate) fn is_generic(program: &Program, method: &Method) -> bool {
    let class = program.class(method.class);
    let has_parameters = class
        .signature
        .as_ref()
        .is_some_and(|signature| !signature.parameters.is_empty());
    method.signature.is_some() || (has_parameters && &*method.name == "<init>")
}

/// True if closing the types of a call may draw a type for a variable.
pub(crate) fn is_drawn(method: &Method) -> bool {
    let signature = method.signature.as_ref();
    &*method.name == "<init>"
        || signature.is_some_and(|signature| !signature.type_parameters.is_empty())
}

/// Closes the types of a call.
pub(crate) fn resolve(
    program: &Program,
    kinds: &mut Kinds<'_>,
    rng: &mut Rng,
    method: &Method,
    receiver: Option<Kind>,
    wanted: Option<Kind>,
) -> Resolved {
    let mut bindings = Bindings::new();
    let class = program.class(method.class);
    let parameters = class
        .signature
        .as_ref()
        .map_or(&[][..], |signature| &signature.parameters);
    if let Some(receiver) = receiver {
        let signature = kinds.signature(receiver).clone();
        let mut passed = ClassesPassed::default();
        if let Some(TypeSignature::Class { arguments, .. }) =
            seen_as(program, &signature, method.class, &mut passed)
        {
            bind(&mut bindings, parameters, &arguments);
        }
    }
    let is_constructor = &*method.name == "<init>";
    if let Some(wanted) = wanted.map(|wanted| kinds.signature(wanted).clone()) {
        if is_constructor {
            let own = parameters
                .iter()
                .map(|parameter| exact(TypeSignature::Variable(Arc::clone(&parameter.name))));
            let own = TypeSignature::Class {
                name: Arc::clone(&class.name),
                arguments: own.collect(),
            };
            unify(program, &own, &wanted, &mut bindings);
        } else if let Some(signature) = &method.signature {
            unify(program, &signature.returns, &wanted, &mut bindings);
        }
    }
    if is_constructor {
        choose(&mut bindings, parameters, rng);
    }
    if let Some(signature) = &method.signature {
        choose(&mut bindings, &signature.type_parameters, rng);
    }
    let returns = if is_constructor {
        let arguments = parameters.iter().map(|parameter| {
            exact(
                bindings
                    .get(&parameter.name)
                    .cloned()
                    .unwrap_or_else(object),
            )
        });
        TypeSignature::Class {
            name: Arc::clone(&class.name),
            arguments: arguments.collect(),
        }
    } else {
        match &method.signature {
            Some(signature) => close(&signature.returns, &bindings),
            None => crate::kinds::plain(&method.method_type.returns),
        }
    };
    let erased = &method.method_type.parameters;
    let generic = method
        .signature
        .as_ref()
        .map(|signature| &signature.parameters);
    let generic = generic.filter(|generic| generic.len() == erased.len());
    let parameters = erased.iter().enumerate().map(|(position, erased)| {
        let plain = kinds.of_type(erased);
        let Some(generic) = generic else { return plain };
        let closed = close(&generic[position], &bindings);
        let closed = kinds.of(&closed);
        // A bound that a chosen type breaks is met by the erased type.
        if kinds.fits(closed, plain) {
            closed
        } else {
            plain
        }
    });
    let parameters = parameters.collect();
    let erased_result = if is_constructor {
        Type::Object(Arc::clone(&class.name))
    } else {
        method.method_type.returns.clone()
    };
    let (closed, plain) = (kinds.of(&returns), kinds.of_type(&erased_result));
    // The static type of a variable of type `T` is the erased one; what it holds fits the closed one.
    let returns = if kinds.base(closed) == plain {
        closed
    } else {
        plain
    };
    Resolved {
        parameters,
        returns,
    }
}

fn object() -> TypeSignature {
    TypeSignature::Class {
        name: "java/lang/Object".into(),
        arguments: Vec::new(),
    }
}

fn exact(signature: TypeSignature) -> TypeArgument {
    TypeArgument {
        bound: Bound::Exact,
        signature: Some(signature),
    }
}

fn bind(bindings: &mut Bindings, parameters: &[TypeParameter], arguments: &[TypeArgument]) {
    if parameters.len() == arguments.len() {
        for (parameter, argument) in parameters.iter().zip(arguments) {
            if let Some(signature) = &argument.signature {
                bindings.insert(Arc::clone(&parameter.name), signature.clone());
            }
        }
    }
}

/// Binds what is still free.
fn choose(bindings: &mut Bindings, parameters: &[TypeParameter], rng: &mut Rng) {
    for parameter in parameters {
        if bindings.contains_key(&parameter.name) {
            continue;
        }
        let bound = parameter.bounds.first().and_then(|bound| match bound {
            TypeSignature::Class { name, .. }
                if !matches!(
                    &**name,
                    "java/lang/Object" | "java/lang/Comparable" | "java/lang/CharSequence"
                ) =>
            {
                Some(TypeSignature::Class {
                    name: Arc::clone(name),
                    arguments: Vec::new(),
                })
            }
            TypeSignature::Variable(name) => bindings.get(name).cloned(),
            _ => None,
        });
        let chosen = bound.unwrap_or_else(|| {
            let name = if rng.percent(60) {
                "java/lang/String"
            } else {
                "java/lang/Integer"
            };
            TypeSignature::Class {
                name: name.into(),
                arguments: Vec::new(),
            }
        });
        bindings.insert(Arc::clone(&parameter.name), chosen);
    }
}

/// Replaces variables; unknown ones become `Object`, wildcards their bounds. A type that becomes too long loses its
/// arguments.
fn close(signature: &TypeSignature, bindings: &Bindings) -> TypeSignature {
    close_by(signature, bindings, &mut PartsLeft::default()).unwrap_or_else(|| raw_of(signature))
}

fn close_by(
    signature: &TypeSignature,
    bindings: &Bindings,
    left: &mut PartsLeft,
) -> Option<TypeSignature> {
    if !matches!(signature, TypeSignature::Variable(_)) {
        left.take()?;
    }
    Some(match signature {
        TypeSignature::Plain(_) => signature.clone(),
        TypeSignature::Variable(name) => match bindings.get(name) {
            Some(bound) => left.take_copy(bound)?,
            None => object(),
        },
        TypeSignature::Array(element) => {
            TypeSignature::Array(Box::new(close_by(element, bindings, left)?))
        }
        TypeSignature::Class { name, arguments } => {
            let mut closed = Vec::with_capacity(arguments.len());
            for argument in arguments {
                closed.push(exact(match &argument.signature {
                    Some(inner) => close_by(inner, bindings, left)?,
                    None => object(),
                }));
            }
            TypeSignature::Class {
                name: Arc::clone(name),
                arguments: closed,
            }
        }
    })
}

/// A closed class type seen as one of its supertypes.
fn seen_as(
    program: &Program,
    signature: &TypeSignature,
    wanted: ClassId,
    passed: &mut ClassesPassed,
) -> Option<TypeSignature> {
    let TypeSignature::Class { name, arguments } = signature else {
        return None;
    };
    let id = program.class_named(name)?;
    if id == wanted {
        return Some(signature.clone());
    }
    if !program.is_subclass(id, wanted) || !passed.pass(id) {
        return None;
    }
    let class = program.class(id);
    let declared = class.signature.as_ref()?;
    let mut bindings = Bindings::new();
    bind(&mut bindings, &declared.parameters, arguments);
    let raw = arguments.is_empty() && !declared.parameters.is_empty();
    declared.supertypes.iter().find_map(|parent| {
        let parent = if raw {
            raw_of(parent)
        } else {
            close(parent, &bindings)
        };
        seen_as(program, &parent, wanted, passed)
    })
}

fn raw_of(signature: &TypeSignature) -> TypeSignature {
    match signature {
        TypeSignature::Class { name, .. } => TypeSignature::Class {
            name: Arc::clone(name),
            arguments: Vec::new(),
        },
        TypeSignature::Array(element) => TypeSignature::Array(Box::new(raw_of(element))),
        TypeSignature::Variable(_) => object(),
        TypeSignature::Plain(_) => signature.clone(),
    }
}

/// Binds variables of `open` so that it becomes `wanted`, as far as that is plain to see.
fn unify(program: &Program, open: &TypeSignature, wanted: &TypeSignature, bindings: &mut Bindings) {
    match (open, wanted) {
        (TypeSignature::Variable(name), TypeSignature::Class { .. } | TypeSignature::Array(_)) => {
            bindings
                .entry(Arc::clone(name))
                .or_insert_with(|| wanted.clone());
        }
        (TypeSignature::Array(open), TypeSignature::Array(wanted)) => {
            unify(program, open, wanted, bindings);
        }
        (TypeSignature::Class { .. }, TypeSignature::Class { name, arguments })
            if !arguments.is_empty() =>
        {
            let Some(class) = program.class_named(name) else {
                return;
            };
            let Some(TypeSignature::Class { arguments: own, .. }) =
                open_as(program, open, class, &mut ClassesPassed::default())
            else {
                return;
            };
            for (open, wanted) in own.iter().zip(arguments) {
                if let (Some(open), Some(wanted)) = (&open.signature, &wanted.signature) {
                    unify(program, open, wanted, bindings);
                }
            }
        }
        _ => {}
    }
}

/// Like [`seen_as`], keeping variables.
fn open_as(
    program: &Program,
    open: &TypeSignature,
    wanted: ClassId,
    passed: &mut ClassesPassed,
) -> Option<TypeSignature> {
    let TypeSignature::Class { name, arguments } = open else {
        return None;
    };
    let id = program.class_named(name)?;
    if id == wanted {
        return Some(open.clone());
    }
    if !program.is_subclass(id, wanted) || !passed.pass(id) {
        return None;
    }
    let declared = program.class(id).signature.as_ref()?;
    let mut bindings = Bindings::new();
    bind(&mut bindings, &declared.parameters, arguments);
    declared
        .supertypes
        .iter()
        .find_map(|parent| open_as(program, &close(parent, &bindings), wanted, passed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, arguments: &[TypeSignature]) -> TypeSignature {
        TypeSignature::Class {
            name: name.into(),
            arguments: arguments.iter().cloned().map(exact).collect(),
        }
    }

    #[test]
    fn variables_without_a_binding_become_object() {
        let list = class("java/util/List", &[TypeSignature::Variable("E".into())]);
        assert_eq!(
            close(&list, &Bindings::new()),
            class("java/util/List", &[object()])
        );
        let bindings = Bindings::from([("E".into(), class("java/lang/String", &[]))]);
        assert_eq!(
            close(&list, &bindings),
            class("java/util/List", &[class("java/lang/String", &[])])
        );
    }

    #[test]
    fn a_bound_is_chosen_before_strings() {
        let parameter = TypeParameter {
            name: "N".into(),
            bounds: vec![class("java/lang/Number", &[])],
        };
        let mut bindings = Bindings::new();
        choose(&mut bindings, &[parameter], &mut Rng::of(0, ""));
        assert_eq!(bindings["N"], class("java/lang/Number", &[]));
    }

    #[test]
    fn what_grows_with_each_step_stays_short() {
        let program = crate::tests::program(&[(
            "demo/Twice.java",
            "package demo;
            public class Twice<X> {
              public static class Pair<A, B> {}
              public Twice<Pair<X, X>> twice() { return null; }
            }",
        )]);
        let method = program.method(crate::tests::method(&program, "demo/Twice", "twice"));
        let mut kinds = Kinds::new(&program);
        let string = class("java/lang/String", &[]);
        let mut kind = kinds.of(&class("demo/Twice", &[string]));
        let mut longest = 0;
        for _ in 0..40 {
            kind = resolve(
                &program,
                &mut kinds,
                &mut Rng::of(0, ""),
                method,
                Some(kind),
                None,
            )
            .returns;
            longest = longest.max(
                format!("{:?}", kinds.signature(kind))
                    .matches("Pair")
                    .count(),
            );
        }
        assert_eq!(kinds.class(kind), program.class_named("demo/Twice"));
        assert!((15..64).contains(&longest), "{longest}");
    }
}
