//! Whether tests of the classes under test can leave anything for one another in static fields.
//!
//! Comes in: a program. Goes out: true if a class under test has a static field that may change, or that holds an object
//! that may.
//! Does not know: static fields of libraries, what else a JVM has but once.

use palus_bytecode::{Field, Origin, Program, Type};

/// Types whose objects never change, by internal name.
const UNCHANGING: &[&str] = &[
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Class",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/util/regex/Pattern",
];

/// True if a class under test has state that outlives a test.
pub fn has_static_state(program: &Program) -> bool {
    let classes = program.classes().iter();
    let subject = classes.filter(|class| class.origin == Origin::Subject);
    let mut fields = subject.flat_map(|class| &class.fields);
    fields.any(|&field| may_change(program.field(field)))
}

fn may_change(field: &Field) -> bool {
    let access = field.access;
    // Those of the compiler: values of an enum, tables of a `switch`, whether assertions are on.
    if !access.is_static() || access.is_synthetic() || access.is_enum() {
        return false;
    }
    let holds_unchanging = match &field.field_type {
        Type::Object(name) => UNCHANGING.contains(&&**name),
        Type::Array(_) => false,
        _ => true,
    };
    !access.is_final() || !holds_unchanging
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::ProgramBuilder;

    fn of(members: &str) -> bool {
        let java = format!("package demo; public class Demo {{ {members} }}");
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &palus_fixture::compile(&[("demo/Demo.java", &java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        has_static_state(&builder.finish())
    }

    #[test]
    fn a_static_field_that_is_set_anew_or_holds_what_changes_is_state() {
        assert!(of("private static int count;"));
        assert!(of("static String last = null;"));
        assert!(of(
            "static final java.util.List<String> ALL = new java.util.ArrayList<>();"
        ));
        assert!(of("static final int[] CELLS = new int[3];"));
        assert!(of("static class Inner { static Object held; }"));
    }

    #[test]
    fn constants_fields_of_objects_and_what_the_compiler_adds_are_none() {
        assert!(!of(""));
        assert!(!of("int count; final java.util.List<String> all = null;"));
        assert!(!of(
            "static final int MOST = 3; static final String NAME = String.valueOf(4);"
        ));
        assert!(!of("static final Integer BOXED = Integer.valueOf(4000);"));
        assert!(!of(
            "enum Color { RED, BLUE } static int of(Color color) { assert color != null;
               switch (color) { case RED: return 1; default: return 2; } }"
        ));
    }
}
