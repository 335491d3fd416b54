//! A run: its stages in order, its units side by side, and how they share time and steps.
//!
//! Comes in: settings. Goes out: what the whole run did.
//! Does not know: how tests are generated, verified, written and reported.

mod batches;
mod best;
mod board;
pub(crate) mod defect;
mod differences;
mod known;
mod lending;
mod open;
mod other;
mod pipeline;
mod protocols;
mod reach;
pub(crate) mod regression;
mod schedule;
mod so_far;
pub(crate) mod staged;
pub(crate) mod state;
pub(crate) mod unchanged;
pub(crate) mod unit;
mod untested;

pub use differences::differences;
pub use pipeline::{accept, compare, generate, promote};
