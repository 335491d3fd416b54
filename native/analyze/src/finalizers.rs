//! Objects that may reach out when they are finalized.
//!
//! Comes in: a program, what its bodies call, and which methods may reach out. Goes out: the constructors of such objects.
//! Does not know: when garbage is collected; the worker lets no finalizer run, so what one does is seen by nobody.
//!
//! ```text
//! class Journal { Writer out; void finalize() { out.close(); } }          // whose `close`, is not known
//! class Scope { List<Runnable> end; void finalize() { end.forEach(Runnable::run); } }
//! class Counted { void finalize() { System.out.println("gone"); } }       // runs nobody's code
//! class Registry { Map<String, Object> all; void finalize() { all.clear(); } }   // at most `equals` and the like
//! ```

use crate::call_sites::Calls;
use crate::guarded::{Guarded, lists};
use palus_bytecode::{ClassId, Method, MethodName, Operation, Origin, Program, Type};

/// Classes of the JDK whose methods run no code of others, unless they are given an object of any class.
const PLAIN: [&str; 13] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Math",
    "java/lang/Short",
    "java/lang/String",
    "java/lang/StringBuffer",
    "java/lang/StringBuilder",
    "java/lang/System",
];

/// Packages of such classes.
const PLAIN_PACKAGES: [&str; 1] = ["java/util/concurrent/atomic/"];

/// Containers of the JDK, in full those whose methods below run of what they hold `equals`, `hashCode` and what compares, and no
/// other code: what else implements these interfaces in the program is known by its bodies.
const CONTAINERS: [&str; 17] = [
    "java/util/ArrayList",
    "java/util/Collection",
    "java/util/Deque",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/Hashtable",
    "java/util/LinkedHashMap",
    "java/util/LinkedHashSet",
    "java/util/LinkedList",
    "java/util/List",
    "java/util/Map",
    "java/util/Queue",
    "java/util/Set",
    "java/util/TreeMap",
    "java/util/TreeSet",
    "java/util/Vector",
    "java/util/concurrent/ConcurrentHashMap",
];

/// Such methods.
const PLAIN_OF_CONTAINERS: [&str; 15] = [
    "add",
    "clear",
    "contains",
    "containsKey",
    "elementAt",
    "get",
    "isEmpty",
    "keySet",
    "put",
    "remove",
    "removeAllElements",
    "removeElement",
    "size",
    "toArray",
    "values",
];

/// Per method: true for a constructor of a class whose finalizer, its own or one that it inherits, may reach out: by what
/// calls of bodies come to, or by a call of the JDK that may run code which nobody knows of. A finalizer of the JDK may
/// call whatever the class overrides.
pub(crate) fn finalizing(program: &Program, calls: &Calls, reaching: &[bool]) -> Vec<bool> {
    let compares = compares_by_reaching_out(program, reaching);
    let handing = program
        .methods()
        .iter()
        .map(|method| hands_on(program, method, compares));
    let handing = calls.leading_to(handing.collect(), |_, _, _| true);
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
        finalizer.is_some_and(|finalizer| reaching[finalizer.index()] || handing[finalizer.index()])
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

/// True if a container may run code of the project's that reaches out, or may be one of the JDK's own: a method that overrides
/// one of a class that is not the project's, `equals` among them, or what is behind a lambda or method reference, reaches out or
/// calls code that nobody knows of; or the project is given a container by the JDK (`System.getProperties()`). Libraries' own
/// objects are taken to compare as they should.
fn compares_by_reaching_out(program: &Program, reaching: &[bool]) -> bool {
    let is_subject = |class: ClassId| program.class(class).origin == Origin::Subject;
    let is_overriding = |method: &Method| {
        let above = program.supertypes(method.class).into_iter();
        above.filter(|&above| !is_subject(above)).any(|above| {
            let declared = program.declared_method(above, &method.name, &method.descriptor);
            declared.is_some()
        })
    };
    let is_harmful =
        |method: &Method| reaching[method.id.index()] || calls_unknown(program, method);
    let mut own = program
        .methods()
        .iter()
        .filter(|method| is_subject(method.class));
    own.any(|method| {
        let is_finalizer = &*method.name == "finalize" && &*method.descriptor == "()V";
        let is_instances = !method.access.is_static() && !method.is_constructor();
        let code = method.code.iter();
        let mut operations = code.flat_map(|code| &code.instructions);
        operations.any(|one| match &one.operation {
            Operation::InvokeDynamic(site) => site.implementation.as_ref().is_some_and(|body| {
                let class = program.class_named(&body.owner).filter(|&class| is_subject(class));
                let found = class
                    .and_then(|class| program.find_method(class, &body.name, &body.descriptor));
                match found {
                    Some(found) => is_harmful(program.method(found)),
                    // A method of the JDK or of a library has no body here.
                    None => is_outward(&body.owner) || lists(program, &Guarded::read().reaching, body),
                }
            }),
            Operation::Invoke { method, .. } => gives_container(program, method),
            _ => false,
        })
            // Its own is what is asked about.
            || is_instances && !is_finalizer && is_overriding(method) && is_harmful(method)
    })
}

/// True if a body calls a method of a class of the JDK that may run code of others, or leads out.
fn calls_unknown(program: &Program, method: &Method) -> bool {
    let code = method.code.iter();
    let mut operations = code.flat_map(|code| &code.instructions);
    operations.any(|one| {
        matches!(&one.operation, Operation::Invoke { method, .. }
            if is_outward(&method.owner)
                && program
                    .class_named(&method.owner)
                    .is_none_or(|class| program.class(class).origin == Origin::Platform))
    })
}

/// Classes of the JDK that no `equals` and no comparator needs: what they do is up to their objects.
fn is_outward(owner: &str) -> bool {
    const PACKAGES: [&str; 9] = [
        "java/io/",
        "java/lang/invoke/",
        "java/lang/reflect/",
        "java/net/",
        "java/nio/",
        "java/sql/",
        "java/util/concurrent/",
        "java/util/function/",
        "javax/",
    ];
    const CLASSES: [&str; 8] = [
        "java/lang/AutoCloseable",
        "java/lang/Process",
        "java/lang/ProcessBuilder",
        "java/lang/Runnable",
        "java/lang/Runtime",
        "java/lang/Thread",
        "java/util/ServiceLoader",
        "java/util/Timer",
    ];
    PACKAGES.iter().any(|start| owner.starts_with(start)) || CLASSES.contains(&owner)
}

/// True if the JDK gives a container that it may go on using itself: one that is not of a container or a text.
fn gives_container(program: &Program, method: &MethodName) -> bool {
    const CALLED: [&str; 9] = [
        "Collection",
        "Deque",
        "List",
        "Map",
        "Properties",
        "Provider",
        "Queue",
        "Set",
        "Vector",
    ];
    let Some((_, returned)) = method.descriptor.rsplit_once(")L") else {
        return false;
    };
    // By name: what stands above a class of the JDK may not have been read.
    let is_container = CALLED.iter().any(|word| returned.contains(word));
    let is_of_jdk = program
        .class_named(&method.owner)
        .map_or(method.owner.starts_with("java"), |class| {
            program.class(class).origin == Origin::Platform
        });
    let is_its_own = method.owner.starts_with("java/util/")
        && !method.owner.starts_with("java/util/logging/")
        || method.owner.starts_with("java/lang/String");
    is_container && is_of_jdk && !is_its_own
}

/// True if a body calls a method of the JDK that may run code of others.
fn hands_on(program: &Program, method: &Method, compares: bool) -> bool {
    let is_of_jdk = program.class(method.class).origin == Origin::Platform;
    let code = method.code.iter().filter(|_| !is_of_jdk);
    let mut operations = code.flat_map(|code| &code.instructions);
    // `System.out.println(name)` is told by the field before it: other streams write where others want.
    let mut prints = false;
    operations.any(|one| match &one.operation {
        Operation::GetField { field, .. } => {
            if matches!(&field.field_type, Type::Object(name) if &**name == "java/io/PrintStream") {
                prints = &*field.owner == "java/lang/System";
            }
            false
        }
        Operation::Invoke { method, .. } if &*method.owner == "java/io/PrintStream" => {
            !prints || gives_any(method)
        }
        Operation::Invoke { method, .. } => runs_others(program, method, compares),
        _ => false,
    })
}

fn runs_others(program: &Program, method: &MethodName, compares: bool) -> bool {
    let class = program.class_named(&method.owner);
    if class.is_some_and(|class| program.class(class).origin != Origin::Platform) {
        return false; // its bodies are known
    }
    let owner = &*method.owner;
    let is_plain =
        PLAIN.contains(&owner) || PLAIN_PACKAGES.iter().any(|start| owner.starts_with(start));
    let is_of_container =
        CONTAINERS.contains(&owner) && PLAIN_OF_CONTAINERS.contains(&&*method.name);
    if is_of_container && !compares {
        return false;
    }
    owner != "java/lang/Object" && (!is_plain || gives_any(method))
}

/// True if it is given an object of any class, whose `toString` or the like it may call.
fn gives_any(method: &MethodName) -> bool {
    method.descriptor.contains("Ljava/lang/Object;)")
}
