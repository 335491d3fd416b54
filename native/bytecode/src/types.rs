//! Java types as class files write them: erased descriptors and generic signatures.
//!
//! Comes in: descriptor and signature strings (JVM specification, sections 4.3 and 4.7.9.1).
//! Goes out: [`Type`], [`MethodType`] and the generic [`TypeSignature`] family.
//! Does not know: which classes exist.

use std::fmt;
use std::sync::Arc;

/// An erased Java type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Type {
    /// `boolean`
    Boolean,
    /// `byte`
    Byte,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `void`, as a return type only.
    Void,
    /// A class or interface by its internal name (`java/util/Map$Entry`).
    Object(Arc<str>),
    /// An array of the element type.
    Array(Box<Type>),
}

/// Parameter and return types of a method.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MethodType {
    /// Declared parameters, without the receiver.
    pub parameters: Vec<Type>,
    /// `Type::Void` for constructors and void methods.
    pub returns: Type,
}

/// A generic type as written in a `Signature` attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TypeSignature {
    /// A primitive type or `void`.
    Plain(Type),
    /// A class with its type arguments; arguments of enclosing classes are dropped.
    Class {
        /// Internal name, nested classes joined by `$`.
        name: Arc<str>,
        /// Type arguments, empty when raw or not generic.
        arguments: Vec<TypeArgument>,
    },
    /// A type variable by name.
    Variable(Arc<str>),
    /// An array.
    Array(Box<TypeSignature>),
}

/// One type argument with its wildcard.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeArgument {
    /// The wildcard kind.
    pub bound: Bound,
    /// Absent for `?`.
    pub signature: Option<TypeSignature>,
}

/// How a type argument is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bound {
    /// Exactly this type.
    Exact,
    /// `? extends T`
    Extends,
    /// `? super T`
    Super,
    /// `?`
    Any,
}

/// A declared type variable and its bounds (class bound first; may be empty, which means `Object`).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeParameter {
    /// Name of the variable.
    pub name: Arc<str>,
    /// Its bounds.
    pub bounds: Vec<TypeSignature>,
}

/// Generic signature of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassSignature {
    /// Declared type variables.
    pub parameters: Vec<TypeParameter>,
    /// Superclass first, then interfaces.
    pub supertypes: Vec<TypeSignature>,
}

/// Generic signature of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodSignature {
    /// Declared type variables.
    pub type_parameters: Vec<TypeParameter>,
    /// Parameter types; may be shorter than the descriptor's for synthetic constructor parameters.
    pub parameters: Vec<TypeSignature>,
    /// Return type.
    pub returns: TypeSignature,
}

impl Type {
    /// The type of instances of the class with this internal name.
    pub fn object(internal_name: &str) -> Self {
        Type::Object(internal_name.into())
    }

    /// Parses one field descriptor, such as `I` or `[Ljava/lang/String;`.
    pub fn parse(descriptor: &str) -> Option<Self> {
        let (parsed, rest) = Self::parse_prefix(descriptor)?;
        rest.is_empty().then_some(parsed)
    }

    /// The class name inside an object type or, for arrays, inside the innermost element type.
    pub fn class_name(&self) -> Option<&str> {
        match self {
            Type::Object(name) => Some(name),
            Type::Array(element) => element.class_name(),
            _ => None,
        }
    }

    /// True for the eight primitive types, false for `void`.
    pub fn is_primitive(&self) -> bool {
        !matches!(self, Type::Object(_) | Type::Array(_) | Type::Void)
    }

    /// True for classes, interfaces and arrays.
    pub fn is_reference(&self) -> bool {
        matches!(self, Type::Object(_) | Type::Array(_))
    }

    /// Internal name of the box of a primitive type (`java/lang/Integer` for `int`).
    pub fn box_name(&self) -> Option<&'static str> {
        Some(match self {
            Type::Boolean => "java/lang/Boolean",
            Type::Byte => "java/lang/Byte",
            Type::Char => "java/lang/Character",
            Type::Short => "java/lang/Short",
            Type::Int => "java/lang/Integer",
            Type::Long => "java/lang/Long",
            Type::Float => "java/lang/Float",
            Type::Double => "java/lang/Double",
            _ => return None,
        })
    }

    /// The primitive inside a box type, if this is one.
    pub fn unboxed(&self) -> Option<Type> {
        let Type::Object(name) = self else {
            return None;
        };
        Some(match &**name {
            "java/lang/Boolean" => Type::Boolean,
            "java/lang/Byte" => Type::Byte,
            "java/lang/Character" => Type::Char,
            "java/lang/Short" => Type::Short,
            "java/lang/Integer" => Type::Int,
            "java/lang/Long" => Type::Long,
            "java/lang/Float" => Type::Float,
            "java/lang/Double" => Type::Double,
            _ => return None,
        })
    }

    fn parse_prefix(text: &str) -> Option<(Self, &str)> {
        let mut dimensions = 0;
        let mut rest = text;
        while let Some(inner) = rest.strip_prefix('[') {
            dimensions += 1;
            rest = inner;
        }
        let first = rest.chars().next()?;
        let (mut parsed, rest) = if first == 'L' {
            let end = rest.find(';')?;
            (Type::object(&rest[1..end]), &rest[end + 1..])
        } else {
            let plain = match first {
                'Z' => Type::Boolean,
                'B' => Type::Byte,
                'C' => Type::Char,
                'S' => Type::Short,
                'I' => Type::Int,
                'J' => Type::Long,
                'F' => Type::Float,
                'D' => Type::Double,
                'V' => Type::Void,
                _ => return None,
            };
            (plain, &rest[1..])
        };
        for _ in 0..dimensions {
            parsed = Type::Array(Box::new(parsed));
        }
        Some((parsed, rest))
    }
}

/// Writes the descriptor form, such as `[Ljava/lang/String;`.
impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Boolean => f.write_str("Z"),
            Type::Byte => f.write_str("B"),
            Type::Char => f.write_str("C"),
            Type::Short => f.write_str("S"),
            Type::Int => f.write_str("I"),
            Type::Long => f.write_str("J"),
            Type::Float => f.write_str("F"),
            Type::Double => f.write_str("D"),
            Type::Void => f.write_str("V"),
            Type::Object(name) => write!(f, "L{name};"),
            Type::Array(element) => write!(f, "[{element}"),
        }
    }
}

impl MethodType {
    /// Parses a method descriptor, such as `(ILjava/lang/String;)V`.
    pub fn parse(descriptor: &str) -> Option<Self> {
        let mut rest = descriptor.strip_prefix('(')?;
        let mut parameters = Vec::new();
        loop {
            if let Some(returns) = rest.strip_prefix(')') {
                return Some(MethodType {
                    parameters,
                    returns: Type::parse(returns)?,
                });
            }
            let (parameter, after) = Type::parse_prefix(rest)?;
            parameters.push(parameter);
            rest = after;
        }
    }
}

/// Writes the descriptor form.
impl fmt::Display for MethodType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for parameter in &self.parameters {
            write!(f, "{parameter}")?;
        }
        write!(f, "){}", self.returns)
    }
}
