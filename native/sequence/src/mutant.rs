//! Small changes of classes that good tests notice.

use std::sync::Arc;

/// One change of one instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mutant {
    /// `ClassId` number of the class.
    pub class: u32,
    /// The name of what is changed, PIT's where it has one: `REMOVE_CONDITIONALS`.
    pub operator: &'static str,
    /// The method's name.
    pub method: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// The line, where one is known.
    pub line: Option<u32>,
    /// The field, the called method or the sign of arithmetic that it is about: `title`, `RED.wavelength`, `add`, `+`; empty
    /// for none.
    pub detail: Arc<str>,
}

/// A mutant that a run came to while it was off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Its place among the mutants.
    pub mutant: u32,
    /// True if it would have computed something else there; where it would not, the run is the same with it.
    pub is_infected: bool,
}
