//! The kinds of things on the wire, by name; the number of each is its place, from 0.
//!
//! Comes in: a byte. Goes out: a kind, or the error that there is none of this number; and back.
//! `io.palus.wire.Kinds` has the same; tests of both sides read `tests/golden/kinds.txt`.
//! Does not know: what follows a kind.

use crate::WireError;
use crate::frame::{ByteReader, ByteWriter};

macro_rules! kinds {
    ($( $(#[$doc:meta])+ $name:ident, $what:literal { $( $(#[$of:meta])* $kind:ident),+ } )+) => {
        $(
            $(#[$doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum $name { $( $(#[$of])* $kind),+ }

            impl $name {
                const ALL: &[$name] = &[$($name::$kind),+];

                pub(crate) fn write(self, writer: &mut ByteWriter) {
                    writer.byte(self as u8);
                }

                pub(crate) fn read(reader: &mut ByteReader<'_>) -> Result<$name, WireError> {
                    let number = usize::from(reader.byte()?);
                    let kind = Self::ALL.get(number).copied();
                    kind.ok_or_else(|| reader.damaged(concat!("a kind of ", $what)))
                }
            }
        )+

        /// One line each: what it is a kind of, its name, its number.
        #[cfg(test)]
        fn listed() -> String {
            let mut text = String::new();
            $(
                for kind in $name::ALL {
                    text += &format_line(stringify!($name), kind, *kind as u8);
                }
            )+
            text
        }
    };
}

kinds! {
    /// What is asked of a worker.
    Request, "request" {
        Setup, DefineMethods, DefineFields, Begin, Execute, ReadClasses, Exit, Watch, Forget, Mutate, TurnOn,
        DefineSites, Record
    }
    /// What a worker answers; outcomes have kinds of their own where more is told of them.
    Response, "response" {
        Ready, Begun, Outcomes, ClassFiles, Failure, NearOutcomes, Mutants, MutantOutcomes,
        RecordedOutcomes
    }
    /// How a method is called.
    Call, "call" { Constructor, Static, Virtual, Interface, InterfaceStatic }
    /// A statement of a sequence.
    Statement, "statement" { Constant, Call, NewArray, GetField, SetField, Stub }
    /// A constant.
    #[expect(clippy::enum_variant_names, reason = "that of an enum is a constant of its class")]
    Constant, "constant" {
        Null, Boolean, Byte, Char, Short, Int, Long, Float, Double, Text, EnumConstant, ClassLiteral
    }
    /// What a statement gave; the last one says that there are no more.
    Observation, "observation" {
        Nothing, Null, Primitive, Reference, EnumConstant, Object, LongText, NoMore
    }
    /// What is told of what an object holds.
    Content, "content" { Untold, Text, Elements }
    /// How a sequence ended.
    End, "end" {
        Completed, Threw, OutOfFuel, TooDeep, TimedOut, Denied, StartedThread, Unusable, OutOfMemory
    }
    /// What a mutant changes: PIT's default mutators, then three of those that it calls experimental,
    /// one that it has off, here for calls whose result nobody looks at, and two that it has not.
    Operator, "operator" {
        /// `<` becomes `<=`, and so on.
        ConditionalsBoundary,
        /// A condition always comes out as if what it guards were to be left out.
        RemoveConditionals,
        /// `+` becomes `-`, and so on.
        Math,
        /// `i++` becomes `i--`.
        Increments,
        /// `-i` becomes `i`.
        InvertNegs,
        /// A call without result is left out.
        VoidMethodCalls,
        /// An empty text, collection or optional, or a boxed 0, is returned.
        EmptyReturns,
        /// `false` is returned.
        FalseReturns,
        /// `true` is returned.
        TrueReturns,
        /// `null` is returned.
        NullReturns,
        /// 0 is returned.
        PrimitiveReturns,
        /// A field keeps what it has.
        MemberVariable,
        /// A call is replaced by the object that it is made on.
        NakedReceiver,
        /// A call is replaced by its last argument of the type of its result.
        ArgumentPropagation,
        /// A call is left out whose result is thrown away.
        NonVoidMethodCalls,
        /// A field of an enum's constant has another value.
        EnumConstant,
        /// A date comes before, or after, one that it is equal to.
        DateBoundary
    }
}

impl Operator {
    /// As PIT names it: `CONDITIONALS_BOUNDARY`.
    pub fn name(self) -> &'static str {
        match self {
            Operator::ConditionalsBoundary => "CONDITIONALS_BOUNDARY",
            Operator::RemoveConditionals => "REMOVE_CONDITIONALS",
            Operator::Math => "MATH",
            Operator::Increments => "INCREMENTS",
            Operator::InvertNegs => "INVERT_NEGS",
            Operator::VoidMethodCalls => "VOID_METHOD_CALLS",
            Operator::EmptyReturns => "EMPTY_RETURNS",
            Operator::FalseReturns => "FALSE_RETURNS",
            Operator::TrueReturns => "TRUE_RETURNS",
            Operator::NullReturns => "NULL_RETURNS",
            Operator::PrimitiveReturns => "PRIMITIVE_RETURNS",
            Operator::MemberVariable => "EXPERIMENTAL_MEMBER_VARIABLE",
            Operator::NakedReceiver => "EXPERIMENTAL_NAKED_RECEIVER",
            Operator::ArgumentPropagation => "EXPERIMENTAL_ARGUMENT_PROPAGATION",
            Operator::NonVoidMethodCalls => "NON_VOID_METHOD_CALLS",
            Operator::EnumConstant => "ENUM_CONSTANT",
            Operator::DateBoundary => "DATE_BOUNDARY",
        }
    }
}

#[cfg(test)]
fn format_line(of: &str, kind: &dyn std::fmt::Debug, number: u8) -> String {
    format!("{of} {kind:?} {number}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect_file;

    #[test]
    fn kinds_are_those_of_java() {
        expect_file!["../tests/golden/kinds.txt"].assert_eq(&listed());
    }

    #[test]
    fn a_number_of_no_kind_is_damage() {
        let mut reader = ByteReader::new(&[200]);
        let error = Request::read(&mut reader).unwrap_err();
        assert!(error.to_string().contains("a kind of request"), "{error}");
    }
}
