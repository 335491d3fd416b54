//! What a test asserts, and which observed values may be asserted at all.
//!
//! Comes in: observations of a run. Goes out: [`Assertion`]s.
//! Left out: text that holds an identity hash or a path of this machine, long text, values of classes that the test
//! cannot name, and errors of the VM. Does not know: how assertions look in text.

use crate::generic::plain;
use crate::made::{Made, made};
use crate::scope::Scope;
use crate::stable::is_stable_text;
use crate::typing::is_nameable;
use palus_bytecode::{Program, Type};
use palus_sequence::{Observation, Statement, Thrown, Value, Variable};
use std::sync::Arc;

/// One assertion about a run: after which statement, and what.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assertion {
    /// Index of the statement whose variable is asserted.
    pub statement: u32,
    /// What its value is.
    pub expected: Expected,
}

/// What a value is asserted to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// `null`
    Null,
    /// An object about which nothing better is known.
    NotNull,
    /// Equal to a constant; floats by their bits.
    Equal(Value),
    /// Equal to an object that the test makes.
    Made(Made),
    /// The same object as an earlier variable.
    Same(Variable),
    /// Another object than an earlier variable; only in findings.
    NotSame(Variable),
    /// Equal to an earlier variable; only in findings.
    EqualTo(Variable),
    /// A number of the opposite sign of an earlier variable, both zero or neither; only in findings.
    OppositeOf(Variable),
    /// 0 if an earlier variable is true, another number if it is false; only in findings.
    ZeroIf(Variable),
}

impl Expected {
    /// The same where variables have other places now; none where the one that it speaks of has none.
    pub(crate) fn moved(self, place: impl Fn(Variable) -> Option<Variable>) -> Option<Expected> {
        Some(match self {
            Expected::Same(variable) => Expected::Same(place(variable)?),
            Expected::NotSame(variable) => Expected::NotSame(place(variable)?),
            Expected::EqualTo(variable) => Expected::EqualTo(place(variable)?),
            Expected::OppositeOf(variable) => Expected::OppositeOf(place(variable)?),
            Expected::ZeroIf(variable) => Expected::ZeroIf(place(variable)?),
            other => other,
        })
    }

    /// The earlier variable it speaks of.
    pub(crate) fn mentions(&self) -> Option<Variable> {
        match self {
            Expected::Same(variable)
            | Expected::NotSame(variable)
            | Expected::EqualTo(variable)
            | Expected::OppositeOf(variable)
            | Expected::ZeroIf(variable) => Some(*variable),
            Expected::Null | Expected::NotNull | Expected::Equal(_) | Expected::Made(_) => None,
        }
    }
}

/// The assertion an observation allows, if any.
pub(crate) fn expected(scope: Scope<'_>, observation: &Observation) -> Option<Expected> {
    match observation {
        Observation::Null => Some(Expected::Null),
        Observation::Value { value, .. } => match value {
            // What such a text says is left out; that there is one is a fact all the same.
            Value::Text(text) if !is_stable_text(text) => Some(Expected::NotNull),
            Value::Null(_) | Value::ClassLiteral(_) | Value::StaticField(_) => None,
            _ => Some(Expected::Equal(value.clone())),
        },
        Observation::EnumConstant { .. } => match made(scope, observation)? {
            Made::Value(constant) => Some(Expected::Equal(constant)),
            _ => None,
        },
        Observation::Object { same_as, .. } => {
            let known = match made(scope, observation) {
                Some(Made::Value(value)) => Some(Expected::Equal(value)),
                Some(known) => Some(Expected::Made(known)),
                None => None,
            };
            // Values and empty collections are shared by whoever needs one.
            let is_shared = match &known {
                Some(Expected::Made(made)) => {
                    made.is_empty() || matches!(made, Made::FromText { .. })
                }
                other => other.is_some(),
            };
            let same = same_as.filter(|_| !is_shared);
            same.map(|earlier| Expected::Same(Variable(earlier)))
                .or(known)
                .or(Some(Expected::NotNull))
        }
        Observation::LongText => Some(Expected::NotNull),
        Observation::Nothing => None,
    }
}

/// The assertion that is allowed of what a statement gave: what a method made is not compared with what it makes.
pub(crate) fn expected_of(
    scope: Scope<'_>,
    statement: &Statement,
    observation: &Observation,
) -> Option<Expected> {
    let expected = expected(scope, observation)?;
    let repeats = match (&expected, statement) {
        (Expected::Made(made), Statement::Call { method, .. }) => made.calls(&|one| one == *method),
        _ => false,
    };
    Some(if repeats { Expected::NotNull } else { expected })
}

/// True if a test may expect this exception: not an error of the VM.
pub(crate) fn may_expect(program: &Program, thrown: &Thrown) -> bool {
    let Some(class) = program.class_named(&thrown.class) else {
        return !thrown.class.ends_with("Error");
    };
    let is_error = program
        .class_named("java/lang/Error")
        .is_some_and(|error| program.is_subclass(class, error));
    let is_platform = program.class(class).origin == palus_bytecode::Origin::Platform;
    !(is_error && (is_platform || thrown.class.starts_with("java/lang/")))
}

/// Internal name of the class a test names for an exception: its own, else the nearest superclass that the package can
/// name.
///
/// None where only `Throwable` or `Error` is left, which would also hold the failure of the assertion itself.
pub(crate) fn expected_exception(
    program: &Program,
    package: &str,
    class: &str,
) -> Option<Arc<str>> {
    let mut next = program.class_named(class);
    if next.is_none() && class.starts_with("java/") && !class.contains('$') {
        // Thrown by the platform, but mentioned nowhere in the program.
        return Some(class.into());
    }
    while let Some(id) = next {
        let class = program.class(id);
        if matches!(
            &*class.name,
            "java/lang/Throwable" | "java/lang/Error" | "java/lang/Object"
        ) {
            return None;
        }
        if is_nameable(program, package, &plain(&Type::Object(class.name.clone()))) {
            return Some(class.name.clone());
        }
        next = class
            .super_name
            .as_deref()
            .and_then(|name| program.class_named(name));
    }
    None
}

/// True if the language lets any code throw the exception; false where that is not known.
pub(crate) fn is_unchecked(program: &Program, class: &str) -> bool {
    const UNCHECKED: &[&str] = &[
        "java/lang/ArithmeticException",
        "java/lang/ArrayIndexOutOfBoundsException",
        "java/lang/ArrayStoreException",
        "java/lang/ClassCastException",
        "java/lang/IllegalArgumentException",
        "java/lang/IllegalMonitorStateException",
        "java/lang/IllegalStateException",
        "java/lang/IndexOutOfBoundsException",
        "java/lang/NegativeArraySizeException",
        "java/lang/NullPointerException",
        "java/lang/NumberFormatException",
        "java/lang/RuntimeException",
        "java/lang/StringIndexOutOfBoundsException",
        "java/lang/UnsupportedOperationException",
        "java/util/ConcurrentModificationException",
        "java/util/EmptyStackException",
        "java/util/MissingResourceException",
        "java/util/NoSuchElementException",
    ];
    UNCHECKED.binary_search(&class).is_ok()
        || program.class_named(class).is_some_and(|id| {
            ["java/lang/RuntimeException", "java/lang/Error"]
                .iter()
                .filter_map(|name| program.class_named(name))
                .any(|ancestor| program.is_subclass(id, ancestor))
        })
}
