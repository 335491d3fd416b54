//! Tests of the whole crate, by what they show.

mod built;
mod compiled;
mod javac;
mod literals;
mod printed;
mod random;
mod shapes;
mod units;
