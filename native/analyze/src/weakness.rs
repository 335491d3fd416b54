//! Classes whose behaviour rests on the garbage collector.
//!
//! Comes in: a program. Goes out: per class, true if it holds objects weakly: its own code, that of a class nested in it
//! or that of a superclass extends, makes or asks a class of `java.lang.ref` or a `WeakHashMap`.
//! What such a class answers may change at any moment, so written tests of it need a harder look.
//! Does not know: which objects are held weakly.

use palus_bytecode::{Class, Operation, Origin, Program};

/// One entry per class of the program.
pub(crate) fn of(program: &Program) -> Vec<bool> {
    let mut weak: Vec<bool> = program
        .classes()
        .iter()
        .map(|class| class.origin != Origin::Platform && holds_weakly(program, class))
        .collect();
    for class in program
        .classes()
        .iter()
        .filter(|class| class.origin != Origin::Platform)
    {
        let mut outer = class;
        // The outermost class has no outer one; a broken class file may go in circles.
        for _ in 0..16 {
            let Some(next) = outer
                .outer
                .as_deref()
                .and_then(|name| program.class_named(name))
            else {
                break;
            };
            outer = program.class(next);
            if weak[class.id.index()] {
                weak[next.index()] = true;
            }
        }
    }
    let own = weak.clone();
    for class in program
        .classes()
        .iter()
        .filter(|class| class.origin != Origin::Platform)
    {
        weak[class.id.index()] = program
            .supertypes(class.id)
            .iter()
            .any(|parent| own[parent.index()]);
    }
    weak
}

fn holds_weakly(program: &Program, class: &Class) -> bool {
    if class.super_name.as_deref().is_some_and(is_weak) {
        return true;
    }
    let codes = class
        .methods
        .iter()
        .filter_map(|&method| program.method(method).code.as_ref());
    codes.flat_map(|code| &code.instructions).any(|instruction| {
        matches!(&instruction.operation, Operation::Invoke { method, .. } if is_weak(&method.owner))
    })
}

fn is_weak(name: &str) -> bool {
    name.starts_with("java/lang/ref/") || name == "java/util/WeakHashMap"
}

#[cfg(test)]
mod tests {
    use crate::Facts;
    use crate::fixture::program;

    fn check(text: &str, weak: &[&str], strong: &[&str]) {
        let program = program(&[("Texts.java", text)]);
        let facts = Facts::of(&program);
        let of = |name: &str| facts.is_weak(program.class_named(name).unwrap());
        for name in weak {
            assert!(of(name), "{name} holds objects weakly");
        }
        for name in strong {
            assert!(!of(name), "{name} holds nothing weakly");
        }
    }

    #[test]
    fn what_extends_makes_or_contains_a_reference_is_weak() {
        check(
            "import java.lang.ref.*; import java.util.*;\n\
             class Cache { static class Entry extends WeakReference<Object> {\n\
               Entry(Object o) { super(o); } }\n Entry e; }\n\
             class Small extends Cache {}\n\
             class Table { Map<Object, Object> map = new WeakHashMap<>(); }\n\
             class Plain { List<Object> list = new ArrayList<>(); }",
            &["Cache", "Cache$Entry", "Small", "Table"],
            &["Plain"],
        );
    }
}
