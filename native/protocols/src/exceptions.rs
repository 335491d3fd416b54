//! What methods declare to throw: in class files, in source text, and in the JDK's documentation.
//!
//! Comes in: a [`Program`], [`Documentation`] read from sources, the table of the JDK.
//! Goes out: per method the exceptions that it or a method it overrides declares.
//! Does not know: which exceptions are thrown.

use crate::Signature;
use crate::label::{last_part, parameter_types};
use crate::sources::{self, Member};
use palus_bytecode::{Method, Origin, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, LazyLock};

/// The exceptions that documentation and `throws` clauses of source text name, by class and method.
///
/// Its text is a line for each class, and behind it a line with a space before it for each method:
///
/// ```text
/// java/util/Iterator
///  next() java/util/NoSuchElementException
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Documentation {
    classes: BTreeMap<Arc<str>, Vec<Member>>,
}

/// True if a method of a source is that of a class file.
fn is_of(member: &Member, signature: &Signature) -> bool {
    let types = || parameter_types(&signature.descriptor);
    // Constructors of inner classes and enums have parameters of the compiler's before their own.
    member.name == signature.name
        && if signature.is_constructor() {
            types().ends_with(&member.parameters)
        } else {
            types() == member.parameters
        }
}

static JDK: LazyLock<Documentation> =
    LazyLock::new(|| Documentation::parse(include_str!("../data/jdk-exceptions.txt")));

impl Documentation {
    /// What the documentation of the JDK says of its collections, iterators, streams and the like.
    /// `examples/jdk_exceptions.rs` makes the table.
    pub fn of_jdk() -> &'static Documentation {
        &JDK
    }

    /// Adds what a source file says. `exists` tells whether there is a class of an internal name: by that the names of
    /// exceptions are resolved.
    pub fn read_source(&mut self, text: &str, exists: &dyn Fn(&str) -> bool) {
        for (class, mut members) in sources::read(text, exists) {
            members.sort();
            self.classes.entry(class.into()).or_insert(members);
        }
    }

    /// Reads the text of a table; lines that begin with `#` are comments.
    fn parse(text: &str) -> Self {
        let mut documentation = Documentation::default();
        let mut members = &mut Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            match line.strip_prefix(' ') {
                Some(member) => members.extend(parse_member(member)),
                None => members = documentation.classes.entry(line.into()).or_default(),
            }
        }
        documentation
    }
}

/// `add(int,Object) java/lang/IndexOutOfBoundsException ...`
fn parse_member(text: &str) -> Option<Member> {
    let (name, rest) = text.split_once('(')?;
    let (parameters, exceptions) = rest.split_once(") ")?;
    let parameters = parameters.split(',').filter(|name| !name.is_empty());
    Some(Member {
        name: name.into(),
        parameters: parameters.map(str::to_owned).collect(),
        exceptions: exceptions.split(' ').map(Into::into).collect(),
    })
}

impl fmt::Display for Documentation {
    /// The text of the table, without classes that declare nothing.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        let classes = self.classes.iter();
        for (class, members) in classes.filter(|(_, members)| !members.is_empty()) {
            writeln!(to, "{class}")?;
            for member in members {
                let (name, parameters) = (&member.name, member.parameters.join(","));
                writeln!(to, " {name}({parameters}) {}", member.exceptions.join(" "))?;
            }
        }
        Ok(())
    }
}

/// The exceptions that a method declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declared {
    names: BTreeSet<Arc<str>>,
}

impl Declared {
    /// Internal names, and simple ones of exceptions of which it is not known which class is meant.
    pub fn names_of_classes(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// True if the exception, or one of its superclasses, is declared; `lineage` holds it and them, nearest first. Those
    /// in `only_themselves` declare no subclass.
    pub(crate) fn names(&self, lineage: &[Arc<str>], only_themselves: &[&str]) -> bool {
        let is_declared =
            |class: &Arc<str>| self.names.contains(class) || self.names.contains(last_part(class));
        let mut lineage = lineage.iter();
        lineage.next().is_some_and(is_declared)
            || lineage
                .filter(|class| !only_themselves.contains(&&***class))
                .any(is_declared)
    }
}

/// What methods of a program and of its libraries declare.
#[derive(Clone, Copy, Debug)]
pub struct ExceptionFacts<'a> {
    program: &'a Program,
    /// Where two know a class, the first is right.
    documentation: &'a [&'a Documentation],
}

impl<'a> ExceptionFacts<'a> {
    /// Of a program, with what is known of sources; the first documentation that knows a class is right about it.
    pub fn new(program: &'a Program, documentation: &'a [&'a Documentation]) -> Self {
        ExceptionFacts {
            program,
            documentation,
        }
    }

    /// What a method that is called by the name of a class declares, with all that it overrides.
    pub fn declared(&self, class: &str, method: &Signature) -> Declared {
        let mut names = BTreeSet::new();
        let hierarchy = self.hierarchy(class);
        let own = if method.is_constructor() {
            1
        } else {
            hierarchy.len()
        };
        for class in &hierarchy[..own] {
            let id = self.program.class_named(class);
            let declared = |id| {
                self.program
                    .declared_method(id, &method.name, &method.descriptor)
            };
            if let Some(id) = id.and_then(declared) {
                names.extend(self.program.method(id).exceptions.iter().cloned());
            }
            let members = self.members(class).iter();
            let members = members.filter(|member| is_of(member, method));
            names.extend(members.flat_map(|member| member.exceptions.iter().cloned()));
        }
        Declared { names }
    }

    /// What the method of the source around a place declares, given the method of the class file. What is in doubt is
    /// declared: the method of a lambda has only the name of the one around it; a method with other types in its
    /// descriptor, but as many parameters, may be the overridden one of a generic class.
    pub fn declared_around(&self, class: &str, method: &Signature) -> Declared {
        let source_name = source_name(&method.name);
        let is_lambda = source_name != &*method.name;
        let count = parameter_types(&method.descriptor).len();
        let mut declared = if is_lambda {
            Declared::default()
        } else {
            self.declared(class, method)
        };
        let hierarchy = self.hierarchy(class);
        // Nobody overrides constructors, and initialisers declare nothing.
        let others = match (source_name, is_lambda) {
            ("<clinit>", _) | ("<init>", false) => &[][..],
            ("<init>", true) => &hierarchy[..1],
            (_, false) => &hierarchy[1..],
            (_, true) => &hierarchy[..],
        };
        for class in others {
            let has_count = |found: usize| is_lambda || found == count;
            let id = self.program.class_named(class);
            let methods = id.map_or(&[][..], |id| &self.program.class(id).methods[..]);
            let methods = methods.iter().map(|&id| self.program.method(id));
            let is_like = |method: &&Method| {
                &*method.name == source_name && has_count(method.method_type.parameters.len())
            };
            let thrown = methods
                .filter(is_like)
                .flat_map(|method| &method.exceptions);
            declared.names.extend(thrown.cloned());
            let members = self.members(class).iter();
            let is_like = |member: &&Member| {
                &*member.name == source_name && has_count(member.parameters.len())
            };
            let documented = members
                .filter(is_like)
                .flat_map(|member| &member.exceptions);
            declared.names.extend(documented.cloned());
        }
        declared
    }

    /// True of a class of the program, or of its tests.
    pub(crate) fn is_programs(&self, class: &str) -> bool {
        let id = self.program.class_named(class);
        let origin = id.map(|id| self.program.class(id).origin);
        matches!(origin, Some(Origin::Subject | Origin::Test))
    }

    /// True if a method of this name, of a class or of what it extends, declares an exception: all that a line of a
    /// stack trace tells.
    pub(crate) fn may_declare(&self, class: &str, method: &str, lineage: &[Arc<str>]) -> bool {
        let name = source_name(method);
        let mut declared = Declared::default();
        for class in self.hierarchy(class) {
            for method in self.methods(&class).filter(|method| &*method.name == name) {
                declared.names.extend(method.exceptions.iter().cloned());
            }
            let members = self.members(&class).iter();
            for member in members.filter(|member| &*member.name == name) {
                declared.names.extend(member.exceptions.iter().cloned());
            }
        }
        declared.names(lineage, &[])
    }

    /// True if all is at hand that is said of a program's method, and of those that it may override.
    pub(crate) fn are_known(&self, class: &str, method: &str) -> bool {
        let name = source_name(method);
        let mut hierarchy = self.hierarchy(class);
        if name.starts_with('<') {
            hierarchy.truncate(1);
        }
        hierarchy.iter().all(|class| {
            let id = self.program.class_named(class);
            match id.map(|id| self.program.class(id).origin) {
                Some(Origin::Platform) if is_of_known_package(class) => true,
                Some(Origin::Subject) => self.has_read(class),
                _ => !self.methods(class).any(|method| &*method.name == name),
            }
        })
    }

    /// True if the source of a class, or of one around it, was read.
    fn has_read(&self, class: &str) -> bool {
        let outer = class.match_indices('$').map(|(end, _)| &class[..end]);
        let mut names = outer.chain([class]);
        names.any(|name| {
            let mut known = self.documentation.iter();
            known.any(|documentation| documentation.classes.contains_key(name))
        })
    }

    fn methods(&self, class: &str) -> impl Iterator<Item = &'a Method> {
        let program = self.program;
        let id = program.class_named(class);
        let methods = id.map_or(&[][..], |id| &program.class(id).methods[..]);
        methods.iter().map(move |&id| program.method(id))
    }

    /// A class and its supertypes, nearest first.
    fn hierarchy(&self, class: &str) -> Vec<Arc<str>> {
        let id = self.program.class_named(class);
        id.map_or_else(
            || vec![class.into()],
            |id| {
                let supertypes = self.program.supertypes(id).into_iter();
                supertypes
                    .map(|id| self.program.class(id).name.clone())
                    .collect()
            },
        )
    }

    fn members(&self, class: &str) -> &'a [Member] {
        let mut known = self.documentation.iter();
        known
            .find_map(|documentation| documentation.classes.get(class))
            .map_or(&[], Vec::as_slice)
    }
}

/// Packages of the JDK whose methods are in the table, or throw nothing that tells of the state of an API's object.
fn is_of_known_package(class: &str) -> bool {
    let package = class.rsplit_once('/').map_or("", |(package, _)| package);
    package.starts_with("java/lang")
        || package.starts_with("java/util")
        || matches!(package, "java/io" | "java/sql")
}

/// The name that source text gives a method: `get` for `lambda$get$0`.
fn source_name(name: &str) -> &str {
    let lambda = name.strip_prefix("lambda$");
    let lambda = lambda.and_then(|rest| rest.rsplit_once('$'));
    match lambda {
        Some(("new", _)) => "<init>",
        Some(("static", _)) => "<clinit>",
        Some((around, _)) => around,
        None => name,
    }
}
