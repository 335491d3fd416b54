//! What a protocol sees of a call: the method, and which of its parameters take which part in it.
//!
//! Comes in: a call and the objects that stand for the parameters. Goes out: a [`Label`].
//! Does not know: states.

use crate::{Call, ObjectId, Signature, SignatureId, Vocabulary};
use std::fmt;

/// A parameter of a protocol: a typed variable that stands for one object. There are at most two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Parameter(pub u8);

impl Parameter {
    /// Parameters that a protocol has at most.
    pub const MOST: usize = 2;
}

impl fmt::Display for Parameter {
    /// Counted from one: `#1`.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "#{}", self.0 + 1)
    }
}

/// A call in terms of parameters; objects that stand for none are left out. `M` names the method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label<M = Signature> {
    /// The method.
    pub method: M,
    /// The receiver.
    pub receiver: Option<Parameter>,
    /// Positions of arguments from 0, ascending.
    pub arguments: Vec<(u16, Parameter)>,
    /// The result, or a constructor's new object.
    pub result: Option<Parameter>,
}

impl Label<SignatureId> {
    /// The label of a call where `objects` stand for the parameters, in their order, as far as these are known.
    pub(crate) fn of(method: SignatureId, call: &Call, objects: [Option<ObjectId>; 2]) -> Self {
        let parameter = |object: ObjectId| {
            let place = objects.iter().position(|&other| other == Some(object));
            place.map(|place| Parameter(place as u8))
        };
        let arguments = call.arguments.iter();
        Label {
            method,
            receiver: call.receiver.and_then(parameter),
            arguments: arguments
                .filter_map(|&(position, object)| Some((position, parameter(object)?)))
                .collect(),
            result: call.result.and_then(parameter),
        }
    }

    /// The same with the method's name.
    pub(crate) fn named(&self, vocabulary: &Vocabulary) -> Label {
        Label {
            method: vocabulary.signature(self.method).clone(),
            receiver: self.receiver,
            arguments: self.arguments.clone(),
            result: self.result,
        }
    }
}

impl Label {
    /// The same with the method's id.
    pub(crate) fn numbered(&self, vocabulary: &mut Vocabulary) -> Label<SignatureId> {
        Label {
            method: vocabulary.signature_id(&self.method),
            receiver: self.receiver,
            arguments: self.arguments.clone(),
            result: self.result,
        }
    }
}

impl<M> Label<M> {
    /// The parameters that are bound once the call is over.
    pub(crate) fn bound(&self) -> Bound {
        let arguments = self.arguments.iter().map(|&(_, parameter)| parameter);
        let all = arguments.chain(self.receiver).chain(self.result);
        all.fold(Bound::default(), Bound::with)
    }

    /// True if the call makes the object of a parameter: it comes back, and was no receiver.
    pub(crate) fn creates(&self, parameter: Parameter) -> bool {
        self.result == Some(parameter) && self.receiver != Some(parameter)
    }
}

impl fmt::Display for Label {
    /// `#1 = new(int)`, `#2 = #1.iterator()`, `#1.add(Object)`, `#1.addAll(#2)`.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(result) = self.result {
            write!(to, "{result} = ")?;
        }
        if let Some(receiver) = self.receiver {
            write!(to, "{receiver}.")?;
        }
        let is_constructor = self.method.is_constructor();
        let name = if is_constructor {
            "new"
        } else {
            &self.method.name
        };
        write!(to, "{name}(")?;
        let types = parameter_types(&self.method.descriptor);
        for (position, declared) in (0u16..).zip(&types) {
            if position > 0 {
                to.write_str(", ")?;
            }
            let argument = self.arguments.iter().find(|(at, _)| *at == position);
            match argument {
                Some((_, parameter)) => write!(to, "{parameter}")?,
                None => to.write_str(declared)?,
            }
        }
        to.write_str(")")
    }
}

/// The types of a method's parameters as source text has them behind the last dot, such as `int`, `Entry`, `String[]`;
/// those before the first that is none.
pub(crate) fn parameter_types(descriptor: &str) -> Vec<String> {
    let mut types = Vec::new();
    let mut rest = descriptor.strip_prefix('(').unwrap_or_default();
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let (name, after) = match element.chars().next() {
            Some('L') => {
                let Some(end) = element.find(';') else { break };
                (last_part(&element[1..end]), &element[end + 1..])
            }
            Some(code) => match PRIMITIVES.iter().find(|(known, _)| *known == code) {
                Some((_, name)) => (*name, &element[1..]),
                None => break,
            },
            None => break,
        };
        types.push(name.to_owned() + &"[]".repeat(dimensions));
        rest = after;
    }
    types
}

const PRIMITIVES: [(char, &str); 8] = [
    ('Z', "boolean"),
    ('B', "byte"),
    ('C', "char"),
    ('S', "short"),
    ('I', "int"),
    ('J', "long"),
    ('F', "float"),
    ('D', "double"),
];

/// What stands behind the last `/` or `$` of a class's internal name.
pub(crate) fn last_part(internal_name: &str) -> &str {
    internal_name
        .rsplit(['/', '$'])
        .next()
        .unwrap_or(internal_name)
}

/// A set of parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bound(pub u8);

impl Bound {
    /// All parameters of a protocol that has so many.
    pub fn all(parameters: usize) -> Self {
        Bound((1 << parameters) - 1)
    }

    pub fn with(self, parameter: Parameter) -> Self {
        Bound(self.0 | 1 << parameter.0)
    }

    pub fn union(self, other: Bound) -> Self {
        Bound(self.0 | other.0)
    }

    pub fn has(self, parameter: Parameter) -> bool {
        self.0 >> parameter.0 & 1 == 1
    }
}
