//! Objects that a test can make for itself, to compare what it got with: those of the JDK, and values of the subject.
//!
//! Comes in: what was observed of an object. Goes out: a [`Made`], which compares equal to it.
//! Left out: what the test cannot name, what has no text of its own, more entries of a map than one.
//! Does not know: Java text.
//!
//! ```text
//! BigDecimal, text "3.10"               new BigDecimal("3.10")
//! ArrayList, elements "a", null         Arrays.asList("a", null)
//! int[][], elements [1], []             new int[][] {{1}, {}}
//! Money, elements 5, "EUR"              Money.eur(5)
//! ```

use crate::generic::{parameters, plain};
use crate::scope::Scope;
use crate::stable::is_stable_text;
use crate::typing::is_nameable;
use palus_analyze::{Stored, ValueMaker};
use palus_bytecode::{Class, ClassId, Method, MethodId, Operation, Origin, Program, Type};
use palus_sequence::{Content, Observation, Statement, Value};
use std::sync::Arc;

/// Something to compare with.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Made {
    /// `null`, among elements.
    Null,
    /// A constant.
    Value(Value),
    /// Made from a text by the class's own means.
    FromText {
        /// Internal name of the class.
        class: Arc<str>,
        /// The text.
        text: Arc<str>,
    },
    /// An array of its elements.
    Array {
        /// Type of an element.
        element: Type,
        /// The elements, in order.
        elements: Vec<Made>,
    },
    /// A list of its elements.
    List(Vec<Made>),
    /// A set of its elements, in an order that does not depend on hashes.
    Set(Vec<Made>),
    /// A map of no entry, or of one.
    Map(Option<Box<(Made, Made)>>),
    /// An object of a value class, by a constructor or static method and its arguments.
    Called {
        /// What is called.
        method: MethodId,
        /// With what.
        arguments: Vec<Made>,
    },
    /// An optional, by the internal name of its class, with or without something in it.
    Optional(Arc<str>, Option<Box<Made>>),
}

impl Made {
    /// True for a collection, array or optional with nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Made::Array { elements, .. } | Made::List(elements) | Made::Set(elements) => {
                elements.is_empty()
            }
            Made::Map(entry) => entry.is_none(),
            Made::Optional(_, held) => held.is_none(),
            Made::Null | Made::Value(_) | Made::FromText { .. } | Made::Called { .. } => false,
        }
    }

    /// True if one of these methods is called to make it.
    pub(crate) fn calls(&self, is_one: &dyn Fn(MethodId) -> bool) -> bool {
        let any = |all: &[Made]| all.iter().any(|one| one.calls(is_one));
        match self {
            Made::Called { method, arguments } => is_one(*method) || any(arguments),
            Made::Array { elements, .. } | Made::List(elements) | Made::Set(elements) => {
                any(elements)
            }
            Made::Map(entry) => entry
                .as_deref()
                .is_some_and(|(key, value)| key.calls(is_one) || value.calls(is_one)),
            Made::Optional(_, held) => held.as_deref().is_some_and(|held| held.calls(is_one)),
            Made::Null | Made::Value(_) | Made::FromText { .. } => false,
        }
    }

    /// True for an array, which `equals` does not compare, or for what holds one.
    fn has_array(&self) -> bool {
        match self {
            Made::Array { .. } => true,
            Made::List(elements)
            | Made::Set(elements)
            | Made::Called {
                arguments: elements,
                ..
            } => elements.iter().any(Made::has_array),
            Made::Map(entry) => entry
                .as_deref()
                .is_some_and(|(key, value)| key.has_array() || value.has_array()),
            Made::Optional(_, held) => held.as_deref().is_some_and(Made::has_array),
            Made::Null | Made::Value(_) | Made::FromText { .. } => false,
        }
    }
}

/// What makes an object equal to the one observed; none where nothing does.
pub(crate) fn made(scope: Scope<'_>, observation: &Observation) -> Option<Made> {
    let Scope {
        program, package, ..
    } = scope;
    Some(match observation {
        Observation::Null => Made::Null,
        Observation::Value {
            value: Value::Text(text),
            ..
        } if !is_stable_text(text) => return None,
        Observation::Value { value, .. } => Made::Value(value.clone()),
        Observation::EnumConstant { class, name } => {
            let class = program.class_named(class)?;
            if !program.is_constant_accessible(class, name, package) {
                return None;
            }
            Made::Value(Value::EnumConstant {
                class,
                name: name.clone(),
            })
        }
        Observation::Object {
            class,
            content: Some(content),
            ..
        } => match content {
            Content::Text(text) if &**class == "java/lang/Class" => {
                let literal = Type::parse(text)?;
                if !is_nameable(program, package, &plain(&literal)) {
                    return None;
                }
                Made::Value(Value::ClassLiteral(literal))
            }
            Content::Text(text) => Made::FromText {
                class: class.clone(),
                text: is_stable_text(text).then(|| text.clone())?,
            },
            Content::Elements(elements) => {
                let made: Option<Vec<Made>> = elements
                    .iter()
                    .map(|element| made(scope, element))
                    .collect();
                match program.class_named(class) {
                    Some(id) if program.class(id).origin == Origin::Subject => {
                        called(scope, id, &made?)?
                    }
                    _ => container(program, package, class, made?)?,
                }
            }
        },
        Observation::Object { .. } | Observation::Nothing | Observation::LongText => return None,
    })
}

fn container(
    program: &Program,
    package: &str,
    class: &Arc<str>,
    mut elements: Vec<Made>,
) -> Option<Made> {
    if class.starts_with('[') {
        let Type::Array(element) = Type::parse(class)? else {
            return None;
        };
        return is_writable(program, package, &element).then_some(Made::Array {
            element: *element,
            elements,
        });
    }
    if elements.iter().any(Made::has_array) {
        return None;
    }
    let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
    if simple.starts_with("Optional") {
        return Some(Made::Optional(class.clone(), elements.pop().map(Box::new)));
    }
    let is = |words: &[&str]| words.iter().any(|word| simple.contains(word));
    Some(if is(&["Map"]) {
        let value = elements.pop();
        let key = elements.pop();
        if !elements.is_empty() {
            return None;
        }
        Made::Map(key.zip(value).map(Box::new))
    } else if is(&["Set"]) {
        elements.sort();
        Made::Set(elements)
    } else {
        Made::List(elements)
    })
}

/// The shortest call that makes an object with these fields.
fn called(scope: Scope<'_>, class: ClassId, fields: &[Made]) -> Option<Made> {
    let Scope {
        program, package, ..
    } = scope;
    let of = program.class(class);
    let is_made = !of.access.is_abstract()
        && parameters(program, &of.name).is_empty()
        && is_nameable(program, package, &plain(&Type::object(&of.name)));
    let makers = scope.makers.get(&class).filter(|_| is_made)?;
    let calls = makers.iter().filter_map(|maker| {
        let method = program.method(maker.method);
        let is_callable = program.is_method_accessible(method.id, package)
            && !method.is_deprecated
            && !method.access.is_synthetic()
            && method.exceptions.is_empty();
        let parameters = &method.method_type.parameters;
        let arguments = arguments(maker, fields, parameters.len()).filter(|_| is_callable)?;
        let mut pairs = arguments.iter().zip(parameters);
        let is_clear = pairs.all(|pair| can_be(program, pair)) && is_alone(program, of, method);
        is_clear.then_some((method, arguments))
    });
    // The first of several is a constructor.
    let (method, arguments) = calls.min_by_key(|(_, arguments)| arguments.len())?;
    Some(Made::Called {
        method: method.id,
        arguments,
    })
}

/// What a call is given so that it stores these fields.
fn arguments(maker: &ValueMaker, fields: &[Made], count: usize) -> Option<Vec<Made>> {
    let mut arguments: Vec<Option<&Made>> = vec![None; count];
    for (stored, field) in maker.stored.iter().zip(fields) {
        match stored {
            Stored::Parameter(place) => {
                let argument = arguments.get_mut(*place as usize)?;
                if argument.replace(field).is_some_and(|other| other != field) {
                    return None;
                }
            }
            Stored::Constant(constant) if holds(field, constant) => {}
            Stored::Constant(_) => return None,
        }
    }
    let is_whole = maker.stored.len() == fields.len();
    let arguments = arguments.into_iter().map(Option::<&Made>::cloned);
    arguments
        .collect::<Option<Vec<Made>>>()
        .filter(|_| is_whole)
}

/// Whether a field holds a constant of the code.
fn holds(field: &Made, constant: &Operation) -> bool {
    match (field, constant) {
        (Made::Null, Operation::Null) => true,
        (Made::Value(value), constant) => match (value, constant) {
            (Value::Boolean(held), Operation::Int(stored)) => i32::from(*held) == *stored,
            (Value::Byte(held), Operation::Int(stored)) => i32::from(*held) == *stored,
            (Value::Short(held), Operation::Int(stored)) => i32::from(*held) == *stored,
            (Value::Char(held), Operation::Int(stored)) => i32::from(*held) == *stored,
            (Value::Int(held), Operation::Int(stored)) => held == stored,
            (Value::Long(held), Operation::Long(stored)) => held == stored,
            (Value::Text(held), Operation::Text(stored)) => held == stored,
            _ => false,
        },
        _ => false,
    }
}

/// Whether an expression can be written as the argument for a parameter.
fn can_be(program: &Program, (made, parameter): (&Made, &Type)) -> bool {
    let is_of = |name: &str| match parameter {
        Type::Object(wanted) => {
            &**wanted == name || program.is_assignable(&Type::object(name), parameter)
        }
        _ => false,
    };
    match made {
        Made::Null => parameter.is_reference(),
        Made::Value(value) => match Statement::Value(value.clone()).defined_type(program) {
            primitive if parameter.is_primitive() => primitive == *parameter,
            Type::Object(name) => is_of(&name),
            primitive => primitive.box_name().is_some_and(is_of),
        },
        Made::FromText { class, .. } => is_of(class),
        Made::Called { method, .. } => is_of(&program.class(program.method(*method).class).name),
        Made::List(elements) => {
            const LISTS: &[&str] = &[
                "java/util/List",
                "java/util/Collection",
                "java/lang/Iterable",
            ];
            let is_list = matches!(parameter, Type::Object(name) if LISTS.contains(&&**name));
            is_list && !elements.is_empty() && elements.iter().all(is_element)
        }
        Made::Array { .. } | Made::Set(_) | Made::Map(_) | Made::Optional(..) => false,
    }
}

fn is_element(made: &Made) -> bool {
    let is_plain = matches!(made, Made::Value(_) | Made::FromText { .. });
    is_plain || matches!(made, Made::Called { .. })
}

/// Whether no other method of the class is called the same with as many arguments.
fn is_alone(program: &Program, class: &Class, method: &Method) -> bool {
    let methods = class.methods.iter().map(|&id| program.method(id));
    let mut others = methods.filter(|other| {
        let count = other.method_type.parameters.len();
        other.id != method.id
            && other.name == method.name
            && count == method.method_type.parameters.len()
    });
    others.next().is_none()
}

/// True if text can make an array of these without a warning.
fn is_writable(program: &Program, package: &str, element: &Type) -> bool {
    match element {
        Type::Array(element) => is_writable(program, package, element),
        Type::Object(name) => {
            parameters(program, name).is_empty() && is_nameable(program, package, &plain(element))
        }
        _ => true,
    }
}
