//! What the text of a test can say where it stands.
//!
//! Comes in, goes out: nothing, only types that the rest of the crate hands around.
//! Does not know: which test it is.

use palus_analyze::ValueMaker;
use palus_bytecode::{ClassId, MethodId, Program};
use std::collections::BTreeMap;

/// What a test of a package can name, and make to compare with.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// All classes.
    pub(crate) program: &'a Program,
    /// Internal name of the package that the test stands in.
    pub(crate) package: &'a str,
    /// What makes objects of value classes.
    pub(crate) makers: &'a BTreeMap<ClassId, Vec<ValueMaker>>,
}

/// What is known from bytecode alone.
#[derive(Clone, Copy)]
pub(crate) struct Bytecode<'a> {
    /// All classes.
    pub(crate) program: &'a Program,
    /// Which methods change nothing.
    pub(crate) is_pure: &'a dyn Fn(MethodId) -> bool,
    /// What makes objects of value classes.
    pub(crate) makers: &'a BTreeMap<ClassId, Vec<ValueMaker>>,
}
