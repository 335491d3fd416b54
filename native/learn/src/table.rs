//! Hash tables with a fixed hash function, for the hot paths of reading a trace.
//!
//! Comes in: keys. Goes out: their values, never an order: nobody iterates these tables, so that results depend on the
//! trace alone.
//! Does not know: what is kept in them.

use rustc_hash::FxBuildHasher;

/// A table that is looked up and never iterated.
#[expect(
    clippy::disallowed_types,
    reason = "fixed hash function, never iterated: the same input gives the same output"
)]
pub(crate) type Table<K, V> = std::collections::HashMap<K, V, FxBuildHasher>;
