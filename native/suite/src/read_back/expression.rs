//! Expressions of a test that is read, before they are statements.
//!
//! Comes in: constants and types. Goes out: the value of a constant that is to be of some type.
//! Does not know: instructions.

use palus_bytecode::{ClassId, FieldId, MethodId, MethodName, Type};
use palus_sequence::{Value, Variable};
use std::sync::Arc;

/// A constant that the instructions give no type of its own.
#[derive(Clone, Debug)]
pub(super) enum Constant {
    Null,
    /// A boolean, a character or a number.
    Int(i32),
    Value(Value),
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Node {
    Constant(Constant),
    Variable(Variable),
    Call {
        method: MethodId,
        receiver: Option<Box<Node>>,
        arguments: Vec<Node>,
    },
    Field {
        field: FieldId,
        receiver: Option<Box<Node>>,
    },
    Array {
        element: Type,
        elements: Vec<Option<Node>>,
    },
    Stub {
        class: ClassId,
        answer: Option<Box<Node>>,
    },
    /// What an assertion of an exception runs.
    Body {
        method: MethodName,
        captured: Vec<Node>,
    },
    /// The exception, and what is asked of it.
    Thrown,
    /// What a method gives that the program does not have: it may only be awaited.
    Other,
    /// An object before its constructor ran.
    Unmade(Arc<str>),
    /// The same array as the one below.
    Again,
}

/// The value of a constant that is to be of some type.
pub(super) fn typed(constant: &Constant, wanted: Option<&Type>) -> Value {
    match (constant, wanted) {
        (Constant::Value(value), _) => value.clone(),
        (Constant::Null, Some(wanted)) if wanted.is_reference() => Value::Null(wanted.clone()),
        (Constant::Null, _) => Value::Null(Type::object("java/lang/Object")),
        (Constant::Int(number), Some(Type::Boolean)) => Value::Boolean(*number != 0),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "the compiler made the constant of one of that type"
        )]
        (Constant::Int(number), Some(wanted)) => match wanted {
            Type::Byte => Value::Byte(*number as i8),
            Type::Char => Value::Char(*number as u16),
            Type::Short => Value::Short(*number as i16),
            _ => Value::Int(*number),
        },
        (Constant::Int(number), None) => Value::Int(*number),
    }
}
