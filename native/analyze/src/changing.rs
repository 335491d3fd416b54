//! Methods that decide whether to reach out by what static fields hold at that time.
//!
//! Comes in: a program, and what its bodies call. Goes out: per method, whether a jump of it that decides so may go by a
//! static field that is written later than by its class's initialiser, or whose content may change.
//! A test finds there what it left itself. Where the user's own tests run before it in the same JVM, they left something else:
//! that is as if it asked.
//! Does not know: which test writes the field.
//!
//! ```text
//! static Path folder;  static final List<File> OPEN = new ArrayList<>();
//! static void clear() { if (folder != null) Files.delete(folder); }     // decides by a field
//! static void close() { for (File one : OPEN) one.delete(); }          // and so does this
//! ```

use crate::asked_fields::reads;
use crate::call_sites::Calls;
use palus_bytecode::{Field, FieldId, Method, Operation, Origin, Program, Type};
use std::collections::BTreeSet;

impl Calls {
    /// Per method: true if it decides so.
    pub(crate) fn deciding_by_state(&self, program: &Program, reaching: &[bool]) -> Vec<bool> {
        let fields = changing(program);
        let mut deciding = vec![false; self.sites.len()];
        if fields.is_empty() {
            return deciding;
        }
        let returning = self.returning(program, &fields);
        for method in program.methods() {
            let Some(code) = method.code.as_ref().filter(|_| is_subject(program, method)) else {
                continue;
            };
            let mut read = reads(program, code, &fields);
            let is_given =
                read.next().is_some() || self.answers(program, method, &returning).next().is_some();
            deciding[method.id.index()] = is_given && !self.deciding(method, reaching).is_empty();
        }
        deciding
    }
}

/// Static fields of the subject that hold something else at another time.
fn changing(program: &Program) -> BTreeSet<FieldId> {
    let methods = program.methods().iter();
    let later = methods.filter(|method| !method.is_initializer() && is_subject(program, method));
    let code = later
        .flat_map(|method| &method.code)
        .flat_map(|code| &code.instructions);
    let written = code.filter_map(|one| match &one.operation {
        Operation::PutField {
            field,
            is_static: true,
        } => program.resolve_field(field),
        _ => None,
    });
    let mut found: BTreeSet<FieldId> = written.collect();
    let subjects = program.classes().iter();
    let fields = subjects
        .filter(|class| class.origin == Origin::Subject)
        .flat_map(|class| &class.fields)
        .map(|&field| (field, program.field(field)));
    let holding = fields.filter(|(_, field)| field.access.is_static() && may_be_filled(field));
    found.extend(holding.map(|(id, _)| id));
    found
}

/// Whether what it holds may have another content: collections, arrays, atomic values. What the compiler made for switches
/// and constants of enums has not.
fn may_be_filled(field: &Field) -> bool {
    let is_written = !field.access.is_synthetic();
    is_written
        && match &field.field_type {
            Type::Array(_) => true,
            of => of.class_name().is_some_and(|class| {
                let of = class.strip_prefix("java/util/");
                of.is_some_and(|rest| {
                    !rest.contains('/') && !PLAIN.contains(&rest) || rest.starts_with("concurrent/")
                })
            }),
        }
}

/// Classes of `java.util` whose objects nobody fills.
const PLAIN: [&str; 11] = [
    "Base64$Decoder",
    "Base64$Encoder",
    "Comparator",
    "Currency",
    "Date",
    "Locale",
    "Optional",
    "Random",
    "ResourceBundle",
    "TimeZone",
    "UUID",
];

fn is_subject(program: &Program, method: &Method) -> bool {
    program.class(method.class).origin == Origin::Subject
}

#[cfg(test)]
mod tests {
    use crate::fixture::program;
    use crate::outside::Outside;
    use palus_bytecode::ClassProbes;

    #[test]
    fn who_decides_by_what_a_static_field_holds_asks() {
        let text = "import java.io.*; import java.util.*; class A {
            static File folder; static final List<File> OPEN = new ArrayList<>(); static boolean on;
            static final File FIXED = new File(\"a\"); static int count; boolean own;
            static void open(File f) { folder = f; on = true; OPEN.add(f); }
            static void clears() { if (folder != null) folder.delete(); }
            static void closes() { for (File one : OPEN) one.delete(); }
            static boolean is() { return on; } static void far(File f) { if (is()) f.delete(); }
            static int counts(File f) { count++; return f.delete() ? 1 : 0; }
            void owns(File f) { if (own) f.delete(); }
            static void fixed() { if (FIXED != null) FIXED.delete(); }
            static int reads() { return on ? 1 : 0; } }";
        let program = program(&[("A.java", text)]);
        let outside = Outside::of(&program, program.classes().len());
        let names = outside.asking().iter().map(|&(class, entry)| {
            let probes = ClassProbes::of(&program, class);
            let found = probes.methods().iter().find(|(start, _)| *start == entry);
            program.method(found.unwrap().1).name.to_string()
        });
        assert_eq!(names.collect::<Vec<_>>().join(" "), "clears closes far");
    }
}
