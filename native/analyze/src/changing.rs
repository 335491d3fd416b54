//! Methods that reach out with, on or by what static fields hold at that time.
//!
//! Comes in: a program, and what its bodies call. Goes out: per method, whether it calls what reaches out with, on or by what
//! a static field holds that is written later than by its class's initialiser, or whose content may change.
//! A test finds there what it left itself. Where the user's own tests run before it in the same JVM, they left something else:
//! that is as if it asked.
//! Does not know: which test writes the field; fields of the object that a static field holds.
//!
//! ```text
//! static Path folder;  static final List<File> OPEN = new ArrayList<>();
//! static void clear() { if (folder != null) Files.delete(folder); }     // decides by a field
//! static void close() { for (File one : OPEN) one.delete(); }          // and so does this
//! ```

use crate::asked_fields::{depend, reads};
use crate::call_sites::Calls;
use crate::guarded::Guarded;
use palus_bytecode::{FieldId, Method, Operation, Origin, Program};
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
            let given = self.answers(program, method, &returning);
            let given: BTreeSet<u32> = given.chain(reads(program, code, &fields)).collect();
            if given.is_empty() {
                continue;
            }
            let sites = self.sites[method.id.index()].iter();
            let sites = sites.filter(|site| site.reaches(reaching));
            let sites: Vec<u32> = sites.map(|site| site.instruction).collect();
            deciding[method.id.index()] = depend(method, code, &given, sites);
        }
        deciding
    }
}

/// Static fields of the subject that hold something else at another time: those that are written later or that tests may
/// write, and those whose content a body changes that reads them; loggers aside, which nobody decides by.
fn changing(program: &Program) -> BTreeSet<FieldId> {
    let mut found = BTreeSet::new();
    let methods = program.methods().iter();
    for method in methods.filter(|method| is_subject(program, method)) {
        let code = method.code.iter().flat_map(|code| &code.instructions);
        let mut read = BTreeSet::new();
        let mut fills = false;
        for operation in code.map(|one| &one.operation) {
            match operation {
                Operation::PutField {
                    field,
                    is_static: true,
                } if !method.is_initializer() => found.extend(program.resolve_field(field)),
                Operation::GetField {
                    field,
                    is_static: true,
                } => read.extend(program.resolve_field(field)),
                Operation::Invoke { method, .. } => {
                    fills |= may_be_filled(&method.owner) && FILLING.contains(&&*method.name);
                }
                _ => {}
            }
        }
        let filled = read.into_iter().filter(|&field| {
            let of = program.field(field).field_type.class_name();
            fills && !method.is_initializer() && of.is_some_and(may_be_filled)
        });
        found.extend(filled);
    }
    let classes = program.classes().iter();
    let fields = classes.flat_map(|class| &class.fields).copied();
    found.extend(fields.filter(|&field| {
        let field = program.field(field);
        let access = field.access;
        let is_open = access.is_static() && !access.is_final() && !access.is_private();
        // A collection changes by what is put in.
        is_open && !field.field_type.class_name().is_some_and(may_be_filled)
    }));
    found.retain(|&field| {
        let field = program.field(field);
        let is_logger = |class: &str| {
            class.starts_with("java/util/logging/") || Guarded::read().logging.has(class)
        };
        let is_subject = program.class(field.class).origin == Origin::Subject;
        is_subject && !field.field_type.class_name().is_some_and(is_logger)
    });
    found
}

/// Whether objects of a class of the JDK hold what somebody puts in.
fn may_be_filled(class: &str) -> bool {
    const HOLDING: [&str; 10] = [
        "Collection",
        "Deque",
        "Hashtable",
        "List",
        "Map",
        "Properties",
        "Queue",
        "Set",
        "Stack",
        "Vector",
    ];
    let of = class.strip_prefix("java/util/");
    of.is_some_and(|rest| {
        rest.starts_with("concurrent/atomic/") || HOLDING.iter().any(|part| rest.ends_with(part))
    })
}

/// What puts something in, or takes it out.
const FILLING: [&str; 22] = [
    "add",
    "addAll",
    "addFirst",
    "addLast",
    "clear",
    "compareAndSet",
    "computeIfAbsent",
    "getAndSet",
    "incrementAndGet",
    "merge",
    "offer",
    "poll",
    "pop",
    "push",
    "put",
    "putAll",
    "putIfAbsent",
    "remove",
    "removeAll",
    "set",
    "setProperty",
    "updateAndGet",
];

fn is_subject(program: &Program, method: &Method) -> bool {
    program.class(method.class).origin == Origin::Subject
}

#[cfg(test)]
mod tests {
    use crate::fixture::{named, program};
    use crate::outside::Outside;

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
            static final Iterator<File> NONE = OPEN.iterator(); static final List<File> ALL = Arrays.asList(FIXED);
            static void none(Object o) { if (NONE != o) FIXED.delete(); } static void all() { for (File one : ALL) one.delete(); }
            public static boolean dry = true; static void wet(File f) { if (!dry) f.delete(); }
            static void wipes() { folder.delete(); }
            static boolean beside(File f, int n) { OPEN.add(f); if (n == 1) f.delete(); return on; }
            void owns(File f) { if (own) f.delete(); }
            static void fixed() { if (FIXED != null) FIXED.delete(); }
            static int reads() { return on ? 1 : 0; } }";
        let program = program(&[("A.java", text)]);
        let outside = Outside::of(&program, program.classes().len());
        assert_eq!(
            named(&program, outside.asking()),
            "clears closes far wet wipes"
        );
    }
}
