//! Which methods of an object the JDK may call by itself.
//!
//! Comes in: the name of a class. Goes out: the methods of its objects that override one of the JDK's, but for those of
//! `Object`.
//! Does not know: whether the object is ever handed to the JDK.

use palus_bytecode::{ClassId, Method, MethodId, Origin, Program};

/// Methods of a class of the program that override one of the JDK's.
pub(crate) fn called_back(program: &Program, class: &str) -> Vec<MethodId> {
    let Some(class) = program.class_named(class) else {
        return Vec::new();
    };
    let above = program.supertypes(class);
    let (jdks, own): (Vec<ClassId>, Vec<ClassId>) = above
        .into_iter()
        .partition(|class| program.class(*class).origin == Origin::Platform);
    let is_jdks = |method: &Method| {
        let declares = |jdk: &ClassId| {
            let class = program.class(*jdk);
            let declared = program.declared_method(*jdk, &method.name, &method.descriptor);
            &*class.name != "java/lang/Object" && declared.is_some()
        };
        !method.access.is_static() && !method.is_constructor() && jdks.iter().any(declares)
    };
    let methods = own
        .into_iter()
        .flat_map(|class| &program.class(class).methods);
    methods
        .filter(|&&id| is_jdks(program.method(id)))
        .copied()
        .collect()
}
