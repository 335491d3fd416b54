//! Tests of the whole crate, by what they show.

mod built;
mod compiled;
mod literals;
mod printed;
mod random;
