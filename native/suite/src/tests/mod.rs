//! Tests of the whole crate, by what they show.

#![allow(clippy::needless_raw_string_hashes, reason = "expect-test writes them")]

mod bounded;
mod built;
mod compiled;
mod earlier;
mod generics;
pub(crate) mod javac;
mod literals;
mod observed;
pub(crate) mod printed;
mod random;
mod shapes;
mod units;
mod values;
