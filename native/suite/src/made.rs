//! Objects of the JDK that a test can make for itself, to compare what it got with.
//!
//! Comes in: what was observed of an object. Goes out: a [`Made`], which compares equal to it.
//! Left out: what the test cannot name, what has no text of its own, more entries of a map than one.
//! Does not know: Java text.
//!
//! ```text
//! BigDecimal, text "3.10"               new BigDecimal("3.10")
//! ArrayList, elements "a", null         Arrays.asList("a", null)
//! int[][], elements [1], []             new int[][] {{1}, {}}
//! ```

use crate::generic::{parameters, plain};
use crate::stable::is_stable_text;
use crate::typing::is_nameable;
use palus_bytecode::{Program, Type};
use palus_sequence::{Content, Observation, Value};
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
            Made::Null | Made::Value(_) | Made::FromText { .. } => false,
        }
    }

    /// True for an array, which `equals` does not compare, or for what holds one.
    fn has_array(&self) -> bool {
        match self {
            Made::Array { .. } => true,
            Made::List(elements) | Made::Set(elements) => elements.iter().any(Made::has_array),
            Made::Map(entry) => entry
                .as_deref()
                .is_some_and(|(key, value)| key.has_array() || value.has_array()),
            Made::Optional(_, held) => held.as_deref().is_some_and(Made::has_array),
            Made::Null | Made::Value(_) | Made::FromText { .. } => false,
        }
    }
}

/// What makes an object equal to the one observed; none where nothing does.
pub(crate) fn made(program: &Program, package: &str, observation: &Observation) -> Option<Made> {
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
                    .map(|element| made(program, package, element))
                    .collect();
                container(program, package, class, made?)?
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
