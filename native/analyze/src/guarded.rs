//! The calls that reach out of the JVM, and those that ask for what differs between machines and runs.
//!
//! Comes in: `guarded_calls.txt`, which a test of the worker holds to the worker's own table. Goes out: whether a call that
//! code names is one of them.
//! Does not know: what a call is made with, but for files that it names.

use crate::logging::Logging;
use palus_bytecode::{Class, MethodId, MethodName, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

const GUARDED: &str = include_str!("guarded_calls.txt");

/// Methods by owner: names, or names with descriptors.
pub(crate) type List = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// Guarded calls.
pub(crate) struct Guarded {
    pub reaching: List,
    pub asking: List,
    pub logging: Logging,
}

impl Guarded {
    /// The list, read once.
    pub fn read() -> &'static Guarded {
        static READ: LazyLock<Guarded> = LazyLock::new(Guarded::of_list);
        &READ
    }

    fn of_list() -> Guarded {
        let (mut reaching, mut asking) = (List::new(), List::new());
        let mut logging = Logging::default();
        for line in GUARDED.lines() {
            let (kind, call) = line.split_once(' ').expect("a kind and a call");
            let list = match kind {
                "reaches" => &mut reaching,
                "asks" => &mut asking,
                _ => {
                    logging.read(kind, call);
                    continue;
                }
            };
            let (owner, member) = call.split_once('.').expect("an owner and a member");
            list.entry(owner).or_default().insert(member);
        }
        Guarded {
            reaching,
            asking,
            logging,
        }
    }
}

/// True for a class of a library that writes logs: what its bodies do does not count.
pub fn writes_logs(class: &str) -> bool {
    Guarded::read().logging.has(class)
}

/// True for a constructor of what writes, but into no file.
fn takes_no_file(named: &MethodName) -> bool {
    const WRITING: [&str; 3] = [
        "java/io/PrintStream",
        "java/io/PrintWriter",
        "java/util/Formatter",
    ];
    WRITING.contains(&&*named.owner)
        && !["(Ljava/lang/String;", "(Ljava/io/File;"]
            .iter()
            .any(|file| named.descriptor.starts_with(file))
}

/// True if a list names the method, of the class that is named or of one above it.
pub(crate) fn lists(program: &Program, list: &List, named: &MethodName) -> bool {
    let is_listed = |owner: &str| {
        list.get(owner).is_some_and(|members| {
            (members.contains(&*named.name) && !takes_no_file(named))
                || members.contains(format!("{}{}", named.name, named.descriptor).as_str())
        })
    };
    let class = program.class_named(&named.owner);
    is_listed(&named.owner)
        || class.is_some_and(|class| {
            let above = program.supertypes(class).into_iter();
            let mut above = above.map(|class| program.class(class));
            // The JDK's may not have been read.
            let parents = |class: &Class| {
                let mut parents = class.super_name.iter().chain(&class.interface_names);
                parents.any(|name| program.class_named(name).is_none() && is_listed(name))
            };
            &*named.name != "<init>"
                && above.any(|class| match class.origin {
                    Origin::Platform => is_listed(&class.name),
                    _ => parents(class),
                })
        })
}

/// The JDK's methods that ask.
pub(crate) fn asking_calls(program: &Program) -> BTreeSet<MethodId> {
    let list = &Guarded::read().asking;
    let methods = program.methods().iter().filter(|method| {
        let members = list.get(&*program.class(method.class).name);
        let full = || format!("{}{}", method.name, method.descriptor);
        members.is_some_and(|all| all.contains(&*method.name) || all.contains(full().as_str()))
    });
    methods.map(|method| method.id).collect()
}
