//! The vocabulary of a test: what a generated body does, what running it did, and who runs it.
//!
//! Comes in: ids of the [`Program`](palus_bytecode::Program).
//! Goes out: immutable [`Sequence`]s, [`Outcome`]s, and the [`Executor`] trait between those who make sequences and
//! the one who runs them.
//! Does not know: processes, Java text, how a sequence was found.

mod check;
mod executor;
mod mutant;
mod outcome;
mod profile;
mod recording;
mod statement;
mod stub;
mod value;

pub use check::{Defect, check};
pub use executor::{ABROAD, ENVIRONMENTS, Executor, ExecutorError, Run};
pub use mutant::{Mutant, Reached};
pub use outcome::{
    Comparison, Content, Coverage, Crash, Distance, End, Nearness, Observation, Outcome, Probe,
    Relation, Thrown,
};
pub use profile::{AbstractValue, ObjectProfile};
pub use recording::{ApiCall, ApiFailure, ApiFrame, Recording};
pub use statement::{Sequence, Statement, Variable};
pub use stub::{
    CALLS, can_be_stubbed, is_functional, is_recorded, is_thrown, may_throw, open_methods, recorded,
};
pub use value::Value;
