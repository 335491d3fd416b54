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

/// Per method: true for a constructor of a class whose finalizer, its own or one that it inherits, may reach out. One of the
/// JDK may call whatever the class overrides.
pub(crate) fn finalizing(program: &Program, reaching: &[bool]) -> Vec<bool> {
    let is_of_jdk = |class: ClassId| program.class(class).origin == Origin::Platform;
    let is_called = |class: ClassId| {
        let above = program.supertypes(class);
        let finalizes = |&above: &ClassId| {
            let named = &*program.class(above).name;
            let finalizer = program.declared_method(above, "finalize", "()V");
            is_of_jdk(above) && named != "java/lang/Object" && finalizer.is_some()
        };
        above.iter().any(finalizes)
    };
    let is_harmful = |&class: &ClassId| {
        let finalizer = program.declared_method(class, "finalize", "()V");
        let methods = program.class(class).methods.iter();
        let mut overriding = methods.filter(|&&method| {
            let method = program.method(method);
            !method.access.is_static() && !method.is_constructor()
        });
        finalizer.is_some_and(|finalizer| reaching[finalizer.index()])
            || !is_of_jdk(class)
                && overriding.any(|method| reaching[method.index()])
                && is_called(class)
    };
    let methods = program.methods().iter();
    let of_such = methods.map(|method| {
        method.is_constructor() && program.supertypes(method.class).iter().any(is_harmful)
    });
    of_such.collect()
}
