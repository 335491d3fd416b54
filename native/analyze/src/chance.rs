//! Classes whose behaviour may rest on chance, so that written tests of them need a harder look.
//!
//! Comes in: a program. Goes out: per class, true if its own code, that of a class nested in it or that of a superclass
//! - holds objects weakly: it extends, makes or asks a class of `java.lang.ref` or a `WeakHashMap`, or is of the project
//!   and calls such a class, but for one that writes logs; what such a class answers may change at any moment, with the
//!   garbage collector;
//! - asks any object for its hash code: one that has none of its own has another in each JVM;
//! - draws random numbers or asks for the time, or is of the project and calls such a class.
//!
//! And of the whole program, whether code in it makes a set or map of the JDK whose order each JVM draws when it starts.
//!
//! Does not know: which objects are held or asked.

use crate::guarded::writes_logs;
use palus_bytecode::{Class, MethodName, Operation, Origin, Program};

/// Per class of the program: true if it holds objects weakly.
pub(crate) fn weak(program: &Program) -> Vec<bool> {
    with_callers(program, with_kin(program, holds_weakly))
}

/// What is so of a class is so of those of the project that call it, but for one that writes logs.
fn with_callers(program: &Program, mut so: Vec<bool>) -> Vec<bool> {
    loop {
        let is_so = |_: &Program, class: &Class| {
            let calls_such = || {
                calls(program, class).any(|method| {
                    let called = program.class_named(&method.owner);
                    called.is_some_and(|called| {
                        so[called.index()] && !writes_logs(&program.class(called).name)
                    })
                })
            };
            so[class.id.index()] || class.origin == Origin::Subject && calls_such()
        };
        let next = with_kin(program, is_so);
        if next == so {
            return so;
        }
        so = next;
    }
}

/// Per class of the program: true if it asks any object for its hash code.
pub(crate) fn hashing(program: &Program) -> Vec<bool> {
    with_kin(program, asks_for_hash_codes)
}

/// Per class of the program: true if it asks for the time.
pub(crate) fn timed(program: &Program) -> Vec<bool> {
    with_callers(program, with_kin(program, asks_for_time))
}

/// Per class of the program: true if it draws random numbers.
pub(crate) fn drawing(program: &Program) -> Vec<bool> {
    with_callers(program, with_kin(program, draws))
}

/// True if code of the project or its libraries makes a set or map whose elements have an order of each JVM's own, whatever
/// their hash codes are (`Set.of` and the like).
pub(crate) fn has_orders_of_each_jvm(program: &Program) -> bool {
    let classes = program.classes().iter();
    let mut classes = classes.filter(|class| class.origin != Origin::Platform);
    classes.any(|class| {
        calls(program, class).any(|method| {
            matches!(
                (&*method.owner, &*method.name),
                ("java/util/Set", "of" | "copyOf")
                    | ("java/util/Map", "of" | "ofEntries" | "copyOf")
                    | (
                        "java/util/stream/Collectors",
                        "toUnmodifiableSet" | "toUnmodifiableMap"
                    )
            )
        })
    })
}

/// What is so of a class is so of the classes around it, and then of their subclasses.
fn with_kin(program: &Program, is_so: impl Fn(&Program, &Class) -> bool) -> Vec<bool> {
    let mut so: Vec<bool> = program
        .classes()
        .iter()
        .map(|class| class.origin != Origin::Platform && is_so(program, class))
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
            if so[class.id.index()] {
                so[next.index()] = true;
            }
        }
    }
    let own = so.clone();
    for class in program
        .classes()
        .iter()
        .filter(|class| class.origin != Origin::Platform)
    {
        so[class.id.index()] = program
            .supertypes(class.id)
            .iter()
            .any(|parent| own[parent.index()]);
    }
    so
}

fn holds_weakly(program: &Program, class: &Class) -> bool {
    if class.super_name.as_deref().is_some_and(is_weak) {
        return true;
    }
    calls(program, class).any(|method| is_weak(&method.owner))
}

fn asks_for_hash_codes(program: &Program, class: &Class) -> bool {
    calls(program, class).any(|method| {
        matches!(
            (&*method.owner, &*method.name),
            (
                "java/lang/Object" | "java/lang/Enum" | "java/lang/Class" | "java/lang/Thread",
                "hashCode"
            ) | ("java/lang/System", "identityHashCode")
                | ("java/util/Objects", "hashCode" | "hash")
                | ("java/util/IdentityHashMap", _)
        )
    })
}

fn asks_for_time(program: &Program, class: &Class) -> bool {
    calls(program, class).any(|method| {
        let (owner, name) = (&*method.owner, &*method.name);
        let is_clock = owner.starts_with("java/time/")
            && matches!(name, "now" | "dateNow" | "millis" | "instant");
        is_clock
            || matches!(
                (owner, name),
                ("java/lang/System", "currentTimeMillis" | "nanoTime")
                    | ("java/util/Calendar", "getInstance")
            )
            || matches!(owner, "java/util/Date" | "java/util/GregorianCalendar")
                && name == "<init>"
                && &*method.descriptor == "()V"
    })
}

fn draws(program: &Program, class: &Class) -> bool {
    calls(program, class).any(|method| {
        let (owner, name) = (&*method.owner, &*method.name);
        owner.starts_with("java/util/random/")
            || matches!(
                owner,
                "java/util/Random"
                    | "java/util/SplittableRandom"
                    | "java/util/concurrent/ThreadLocalRandom"
                    | "java/security/SecureRandom"
            )
            || matches!(
                (owner, name),
                ("java/lang/Math" | "java/lang/StrictMath", "random")
                    | ("java/util/Collections", "shuffle")
                    | ("java/util/UUID", "randomUUID")
                    | (
                        "java/security/KeyPairGenerator" | "javax/crypto/KeyGenerator",
                        "getInstance"
                    )
            )
    })
}

/// What the code of a class calls, or hands on to be called: `Set::copyOf`.
fn calls<'a>(program: &'a Program, class: &'a Class) -> impl Iterator<Item = &'a MethodName> {
    let codes = class
        .methods
        .iter()
        .filter_map(|&method| program.method(method).code.as_ref());
    let instructions = codes.flat_map(|code| &code.instructions);
    instructions.filter_map(|instruction| match &instruction.operation {
        Operation::Invoke { method, .. } => Some(&**method),
        Operation::InvokeDynamic(site) => site.implementation.as_ref(),
        _ => None,
    })
}

fn is_weak(name: &str) -> bool {
    name.starts_with("java/lang/ref/") || name == "java/util/WeakHashMap"
}

#[cfg(test)]
mod tests {
    use crate::Facts;
    use crate::fixture::program;
    use palus_bytecode::ClassId;

    fn check(text: &str, is_so: fn(&Facts, ClassId) -> bool, yes: &[&str], no: &[&str]) {
        let program = program(&[("Texts.java", text)]);
        let facts = Facts::of(&program);
        let of = |name: &&&str| is_so(&facts, program.class_named(name).unwrap());
        assert_eq!(yes.iter().filter(of).count(), yes.len());
        assert_eq!(no.iter().filter(of).count(), 0);
    }

    #[test]
    fn sets_and_maps_that_cannot_change_have_orders_of_each_jvm() {
        let has = |text: &str| {
            let text = format!(
                "import java.util.*; import java.util.stream.*; class Texts {{ Object of() {{ return {text}; }} }}"
            );
            super::has_orders_of_each_jvm(&program(&[("Texts.java", &text)]))
        };
        assert!(has("Set.of(1, 2)") && has("Map.of(1, 2, 3, 4)") && has("Set.copyOf(List.of(1))"));
        assert!(has(
            "Stream.of(1, 2).collect(Collectors.toUnmodifiableSet())"
        ));
        assert!(has("Stream.of(List.of(1)).map(Set::copyOf).findFirst()"));
        assert!(
            !has("new HashSet<>(List.of(1, 2))")
                && !has("Stream.of(1).collect(Collectors.toSet())")
        );
    }

    #[test]
    fn what_extends_makes_or_contains_a_reference_is_weak() {
        check(
            "import java.lang.ref.*; import java.util.*;\n\
             class Cache { static class Entry extends WeakReference<Object> {\n\
               Entry(Object o) { super(o); } }\n Entry e; }\n\
             class Small extends Cache {}\n\
             class Table { Map<Object, Object> map = new WeakHashMap<>(); }\n\
             class Shop { Object item() { return new Stock().item(); } }\n\
             class Stock { Object item() { return new Small().e; } }\n\
             class Plain { List<Object> list = new ArrayList<>(); }",
            Facts::is_weak,
            &["Cache", "Cache$Entry", "Small", "Table", "Stock", "Shop"],
            &["Plain"],
        );
    }

    #[test]
    fn what_draws_or_asks_for_the_time_and_what_calls_that_is_told_from_the_rest() {
        check(
            "import java.util.*;\n\
             class Dice { int roll() { return new Random().nextInt(6); } }\n\
             class Deck { void mix(List<?> cards) { Collections.shuffle(cards); } }\n\
             class Watch { long now() { return java.time.Clock.systemUTC().millis(); } }\n\
             class Stamp { Date made = new Date(); }\n\
             class Day { int year = new GregorianCalendar().get(Calendar.YEAR); }\n\
             class Game { int turn() { return new Dice().roll(); } }\n\
             class Fixed { Date at(long time) { return new Date(time); } }",
            Facts::is_by_chance,
            &["Dice", "Deck", "Watch", "Stamp", "Day", "Game"],
            &["Fixed"],
        );
    }

    #[test]
    fn what_asks_any_object_for_its_hash_code_is_told_from_what_asks_texts() {
        check(
            "class Table<K> { int slot(K key) { return key.hashCode() & 7; } }\n\
             class Small extends Table<String> {}\n\
             class Same { boolean after(Object a, Object b) {\n\
               return System.identityHashCode(a) > System.identityHashCode(b); } }\n\
             class Words { int of(String word) { return word.hashCode(); } }",
            Facts::is_by_chance,
            &["Table", "Small", "Same"],
            &["Words"],
        );
    }
}
