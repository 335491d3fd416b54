//! The parts together: vectors of the papers' example, and whole hunts against an executor that knows one class.

mod door;
mod hunts;
mod offspring;
pub(crate) mod vectors;

use palus_bytecode::{Origin, Program, ProgramBuilder};
use palus_generate::USEFUL_PLATFORM_CLASSES;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Compiles, and adds the useful classes of the JDK with all their supertypes.
fn program(files: &[(&str, &str)]) -> Program {
    let compiled = palus_fixture::compile(files);
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compiled.classes {
        builder.add(Origin::Subject, bytes).unwrap();
    }
    let mut absent: BTreeSet<Arc<str>> = BTreeSet::new();
    let useful = USEFUL_PLATFORM_CLASSES.iter();
    let mut wanted: Vec<Arc<str>> = useful.map(|&name| name.into()).collect();
    for _ in 0..3 {
        wanted.extend(builder.missing());
        for name in wanted.drain(..) {
            if absent.insert(Arc::clone(&name))
                && let Some(bytes) = palus_fixture::platform_class(&name)
            {
                builder.add(Origin::Platform, &bytes).unwrap();
            }
        }
    }
    builder.finish()
}
