//! Constants that source text can write.
//!
//! Floats compare and order by their bits, so that values can be keys and NaN equals itself.

use palus_bytecode::{ClassId, FieldId, Type};
use std::sync::Arc;

/// A constant: a literal, an enum constant, a class literal or a constant field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// `null`, with the reference type it stands for.
    Null(Type),
    /// A boolean.
    Boolean(bool),
    /// A byte.
    Byte(i8),
    /// A UTF-16 code unit.
    Char(u16),
    /// A short.
    Short(i16),
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float by its bits.
    Float(u32),
    /// A double by its bits.
    Double(u64),
    /// A string without lone surrogates, at most 65,535 bytes long as modified UTF-8.
    Text(Arc<str>),
    /// An enum constant.
    EnumConstant {
        /// The enum class.
        class: ClassId,
        /// Name of the constant.
        name: Arc<str>,
    },
    /// A class literal.
    ClassLiteral(Type),
    /// The value of an accessible static field, such as `Locale.ROOT`.
    StaticField(FieldId),
}

impl Value {
    /// The static type of the value; `None` for enum constants and fields, whose type the program knows.
    pub fn plain_type(&self) -> Option<Type> {
        Some(match self {
            Value::Null(null_type) => null_type.clone(),
            Value::Boolean(_) => Type::Boolean,
            Value::Byte(_) => Type::Byte,
            Value::Char(_) => Type::Char,
            Value::Short(_) => Type::Short,
            Value::Int(_) => Type::Int,
            Value::Long(_) => Type::Long,
            Value::Float(_) => Type::Float,
            Value::Double(_) => Type::Double,
            Value::Text(_) => Type::object("java/lang/String"),
            Value::ClassLiteral(_) => Type::object("java/lang/Class"),
            Value::EnumConstant { .. } | Value::StaticField(_) => return None,
        })
    }
}
