//! Every byte shared between Rust and Java: trace files, and the requests and responses of workers; and cache files.
//!
//! Comes in: bytes. Goes out: the plain types below, and back. `FORMAT.md` beside this crate is the specification;
//! the golden files under `tests/golden` are read by the Rust and by the Java tests.
//! Does not know: what a trace means, why a sequence is run.

mod error;
pub mod frame;
mod kinds;
pub mod models;
pub mod request;
mod request_codec;
pub mod response;
mod response_codec;
mod stream;
pub mod trace;

pub use error::WireError;
