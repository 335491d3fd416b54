//! Facts from bytecode alone.
//!
//! Comes in: a [`Program`]. Goes out: [`Facts`], computed once for all classes and then only read.
//! Does not know: traces, randomness, how the facts are used.

use palus_bytecode::{ClassId, MethodId, Program, Type};
use std::sync::Arc;

/// Constants in the code of one class, each with how often it stands there, in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// int, short, byte, char and boolean constants and switch keys.
    pub ints: Vec<(i32, u32)>,
    /// long constants.
    pub longs: Vec<(i64, u32)>,
    /// float constants by their bits.
    pub floats: Vec<(u32, u32)>,
    /// double constants by their bits.
    pub doubles: Vec<(u64, u32)>,
    /// String constants.
    pub texts: Vec<(Arc<str>, u32)>,
    /// Class literals and types tested by `instanceof` or cast to.
    pub types: Vec<(Type, u32)>,
}

/// All facts of a program.
#[derive(Debug, Default)]
pub struct Facts {
    none: Constants,
}

impl Facts {
    /// Computes the facts of every class with code.
    pub fn of(program: &Program) -> Facts {
        let _ = program;
        Facts::default()
    }

    /// Constants in the code of a class.
    pub fn constants(&self, class: ClassId) -> &Constants {
        let _ = class;
        &self.none
    }

    /// True if a call of the method changes no state that existed before the call.
    pub fn is_pure(&self, method: MethodId) -> bool {
        let _ = method;
        false
    }
}
