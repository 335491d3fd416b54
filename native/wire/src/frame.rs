//! Primitives of the wire: magic numbers, versions, variable-length integers, strings, frames.
