//! Facts from traces alone: object histories and call sequence models.
//!
//! Comes in: the events of trace files and the names of the program.
//! Goes out: [`Models`], one call sequence model per class.
//! Does not know: method bodies (purity is passed in as a predicate), randomness.

use palus_bytecode::ClassId;

/// The call sequence models of all traced classes.
#[derive(Debug, Default)]
pub struct Models {}

impl Models {
    /// True without any model.
    pub fn is_empty(&self) -> bool {
        true
    }

    /// True if the class has a model.
    pub fn has(&self, class: ClassId) -> bool {
        let _ = class;
        false
    }
}
