//! Sequences per second through a real worker.
fn main() {}
