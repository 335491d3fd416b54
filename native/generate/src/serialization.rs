//! Objects written to bytes and read again: the only way to run `writeObject`, `readObject` and their kin.
//!
//! Comes in: an object in a draft. Goes out: the statements of the round trip and the variable of the copy.
//! Does not know: whether the object, or what it holds, can be written at all.
//!
//! ```text
//! bytes = new ByteArrayOutputStream()   out = new ObjectOutputStream(bytes)   out.writeObject(object)   out.flush()
//! array = bytes.toByteArray()   in = new ObjectInputStream(new ByteArrayInputStream(array))   copy = in.readObject()
//! ```

use crate::draft::Draft;
use crate::kinds::Kinds;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{Statement, Variable};

const BYTES: &str = "java/io/ByteArrayOutputStream";
const OUT: &str = "java/io/ObjectOutputStream";
const SOURCE: &str = "java/io/ByteArrayInputStream";
const IN: &str = "java/io/ObjectInputStream";
/// Methods that only serialization calls.
const HOOKS: &[&str] = &[
    "writeObject",
    "readObject",
    "readObjectNoData",
    "writeReplace",
    "readResolve",
];

/// The methods of a round trip.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RoundTrip {
    new_bytes: MethodId,
    new_out: MethodId,
    write: MethodId,
    flush: MethodId,
    array: MethodId,
    new_source: MethodId,
    new_in: MethodId,
    read: MethodId,
}

impl RoundTrip {
    /// The methods, if one of the classes takes part in its own serialization.
    pub fn of(program: &Program, nest: &[ClassId]) -> Option<Self> {
        let serializable = program.class_named("java/io/Serializable")?;
        let takes_part = nest
            .iter()
            .filter(|&&class| program.is_subclass(class, serializable))
            .any(|&class| {
                let mut methods = program
                    .class(class)
                    .methods
                    .iter()
                    .map(|&method| program.method(method));
                methods.any(|method| method.code.is_some() && HOOKS.contains(&&*method.name))
            });
        if !takes_part {
            return None;
        }
        let method = |class: &str, name: &str, descriptor: &str| {
            program.find_method(program.class_named(class)?, name, descriptor)
        };
        Some(RoundTrip {
            new_bytes: method(BYTES, "<init>", "()V")?,
            new_out: method(OUT, "<init>", "(Ljava/io/OutputStream;)V")?,
            write: method(OUT, "writeObject", "(Ljava/lang/Object;)V")?,
            flush: method(OUT, "flush", "()V")?,
            array: method(BYTES, "toByteArray", "()[B")?,
            new_source: method(SOURCE, "<init>", "([B)V")?,
            new_in: method(IN, "<init>", "(Ljava/io/InputStream;)V")?,
            read: method(IN, "readObject", "()Ljava/lang/Object;")?,
        })
    }

    /// Adds the statements; gives the copy.
    pub fn write(
        self,
        program: &Program,
        kinds: &mut Kinds<'_>,
        draft: &mut Draft,
        object: Variable,
    ) -> Option<Variable> {
        let mut call = |method: MethodId, receiver: Option<Variable>, arguments: Vec<Variable>| {
            let declared = program.method(method);
            let kind = if &*declared.name == "<init>" {
                kinds.of_class(declared.class)
            } else {
                kinds.of_type(&declared.method_type.returns)
            };
            draft.push(
                Statement::Call {
                    method,
                    receiver,
                    arguments,
                },
                kind,
            )
        };
        let bytes = call(self.new_bytes, None, Vec::new())?;
        let out = call(self.new_out, None, vec![bytes])?;
        call(self.write, Some(out), vec![object])?;
        call(self.flush, Some(out), Vec::new())?;
        let array = call(self.array, Some(bytes), Vec::new())?;
        let source = call(self.new_source, None, vec![array])?;
        let input = call(self.new_in, None, vec![source])?;
        call(self.read, Some(input), Vec::new())
    }
}
