//! Class bytes to a [`Program`]: classes, methods, fields, their types and, where asked for, their instructions.
//!
//! Comes in: the bytes of class files, one by one, with where each came from.
//! Goes out: one immutable [`Program`] with typed ids, in which names are resolved once and for all.
//! Does not know: files, jars, traces, what the facts are used for.

mod binary_name;
mod called;
mod decode;
mod digest;
mod filling;
mod guard;
mod identifier;
mod instruction;
mod limits;
mod load;
mod members;
mod names;
mod probes;
mod program;
mod signature;
mod types;

pub use binary_name::{binary_name, internal_name};
pub use called::Trail;
pub use digest::Digest;
pub use identifier::{is_identifier, is_reserved};
pub use instruction::{
    Code, Condition, DynamicCall, FieldName, Handler, Instruction, InvokeKind, MethodName,
    Operation,
};
pub use limits::{ClassesPassed, PartsLeft, QuestionsLeft};
pub use load::{FOR_REMOVAL, LoadError, ProgramBuilder};
pub use probes::{ClassProbes, Jump, Place, TargetBranch};
pub use program::{
    Access, Class, ClassId, Field, FieldId, Mark, Method, MethodId, Origin, Program,
};
pub use types::{
    Bound, ClassSignature, MethodSignature, MethodType, Type, TypeArgument, TypeParameter,
    TypeSignature,
};

#[cfg(test)]
mod tests;
