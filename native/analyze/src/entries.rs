//! Entry probes of methods, by what is so of them.
//!
//! Comes in: a program and something that is so, or not, of each method. Goes out: the entry probes of the subject's.
//! Does not know: why it is so.

use palus_bytecode::{ClassId, ClassProbes, Origin, Program};

/// The entries of the subject's methods of which something is so.
pub(crate) fn entries(program: &Program, is_so: &[bool]) -> Vec<(ClassId, u32)> {
    let subjects = program.classes().iter();
    let subjects = subjects.filter(|class| class.origin == Origin::Subject);
    let classes = subjects.flat_map(|class| {
        let probes = ClassProbes::of(program, class.id);
        let entries = probes.methods().iter();
        let entries = entries.filter(|(_, method)| is_so[method.index()]);
        let entries = entries.map(|&(entry, _)| (class.id, entry));
        entries.collect::<Vec<_>>()
    });
    classes.collect()
}
