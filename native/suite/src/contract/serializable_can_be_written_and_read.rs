//! P117: an object of a class that declares `Serializable` can be written and read again.
//!
//! Comes in: an object. Goes out: the round trip through bytes.
//! What the sequence itself put into the object may be beyond writing; that is judged by whoever knows the sequence.

use crate::check::{Check, Conclusion, Contract, Guilty, Questions, Site};
use palus_bytecode::Origin;

pub(super) const CONTRACT: Contract = Contract {
    code: "P117",
    name: "canBeWrittenAndRead",
    broken: "cannot be written and read again",
    questions: &[Questions::Of(check)],
};

fn check(site: &Site<'_>) -> Option<Check> {
    let program = site.program;
    if !site.is_a("java/io/Serializable") {
        return None;
    }
    let method = |class: &str, name: &str, descriptor: &str| {
        program.find_method(program.class_named(class)?, name, descriptor)
    };
    let bytes = "java/io/ByteArrayOutputStream";
    let out = "java/io/ObjectOutputStream";
    let input = "java/io/ObjectInputStream";
    let blamed = program
        .class(site.class)
        .methods
        .iter()
        .copied()
        .find(|&id| program.method(id).is_constructor())?;
    if program.class(site.class).origin != Origin::Subject {
        return None;
    }
    let mut check = Check::of(blamed);
    let new_bytes = method(bytes, "<init>", "()V")?;
    let new_out = method(out, "<init>", "(Ljava/io/OutputStream;)V")?;
    let write = method(out, "writeObject", "(Ljava/lang/Object;)V")?;
    let flush = method(out, "flush", "()V")?;
    let array = method(bytes, "toByteArray", "()[B")?;
    let new_source = method("java/io/ByteArrayInputStream", "<init>", "([B)V")?;
    let new_in = method(input, "<init>", "(Ljava/io/InputStream;)V")?;
    let read = method(input, "readObject", "()Ljava/lang/Object;")?;
    let place = check.construct(new_bytes, &[]);
    let bytes = site.variable(place);
    let place = check.construct(new_out, &[bytes]);
    let out = site.variable(place);
    check.call(write, out, &[site.object]);
    check.call(flush, out, &[]);
    let place = check.call(array, bytes, &[]);
    let array = site.variable(place);
    let place = check.construct(new_source, &[array]);
    let source = site.variable(place);
    let place = check.construct(new_in, &[source]);
    check.call(read, site.variable(place), &[]);
    Some(check.concluding(Conclusion::Completes, Guilty::AllBut(&[])))
}
