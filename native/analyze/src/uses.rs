//! What the code of a class rests on: a number that changes where something of it does.
//!
//! Comes in: a program. Goes out: for an outermost class, [`Uses`]: a digest of all that its code, or that of a class nested
//! in it, names or inherits, followed from member to member; and the names of classes that are not the project's own.
//! A method that a class gets in addition changes nothing for those that use its other ones. Where a call may be answered
//! by several methods, only the one that its name resolves to counts: which others there are is no matter of the caller.
//! Lines do not count.
//! Does not know: what a run does; platform classes, which are the same for all.

use palus_bytecode::{
    Class, ClassId, Digest, FieldName, Method, MethodId, MethodName, Operation, Origin, Program,
    Type,
};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a class rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The same where all that its code names is the same, in every run of one build of Palus.
    pub digest: u64,
    /// Internal names of classes that its code names and that are libraries' or not part of the program.
    pub outside: BTreeSet<Arc<str>>,
}

/// The classes of the project that code may run into, and whether that is all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reach {
    /// Those that are named, and all that any of their members names, at any distance.
    pub classes: BTreeSet<ClassId>,
    /// True if one of these has code that is not Java's, calls a library, or finds classes by names that are made while it
    /// runs: then others may be reached as well.
    pub is_open: bool,
}

/// Calls that find classes by their names, or by what an annotation, a stream of bytes or a file says: owner, or beginning
/// of its name up to a `/`, and beginning of the name.
const FINDERS: &[(&str, &str)] = &[
    ("java/lang/Class", "forName"),
    ("java/lang/Class", "getAnnotation"),
    ("java/lang/Class", "getClasses"),
    ("java/lang/Class", "getDeclaredAnnotation"),
    ("java/lang/Class", "getDeclaredClasses"),
    ("java/lang/Class", "getPermittedSubclasses"),
    ("java/lang/ClassLoader", ""),
    ("java/lang/Thread", "getContextClassLoader"),
    ("java/lang/Package", "getAnnotation"),
    ("java/lang/Package", "getDeclaredAnnotation"),
    ("java/lang/reflect/", "getAnnotation"),
    ("java/lang/reflect/", "getDeclaredAnnotation"),
    ("java/lang/reflect/", "getParameterAnnotations"),
    ("java/lang/invoke/MethodHandles$Lookup", "findClass"),
    ("java/lang/invoke/MethodHandles$Lookup", "define"),
    ("java/io/ObjectInputStream", "<init>"),
    ("java/net/URLClassLoader", ""),
    ("java/nio/charset/Charset", "forName"),
    ("java/nio/file/FileSystems", "newFileSystem"),
    ("java/security/Security", ""),
    ("java/sql/DriverManager", ""),
    ("java/util/ResourceBundle", ""),
    ("java/util/ServiceLoader", ""),
    ("java/beans/", ""),
    ("javax/script/", ""),
    ("javax/naming/", ""),
    ("javax/tools/", ""),
    ("javax/xml/", ""),
];

/// What each class and each method says and names by itself.
pub struct UseGraph<'a> {
    program: &'a Program,
    classes: Vec<Part>,
    methods: Vec<Part>,
}

/// A class without its members, or a method with its code.
#[derive(Default)]
struct Part {
    digest: u64,
    methods: Vec<MethodId>,
    classes: Vec<ClassId>,
    outside: Vec<Arc<str>>,
}

impl<'a> UseGraph<'a> {
    /// Looks at each class and method once.
    pub fn of(program: &'a Program) -> Self {
        let classes = program.classes().par_iter();
        let methods = program.methods().par_iter();
        UseGraph {
            program,
            classes: classes.map(|class| Part::class(program, class)).collect(),
            methods: methods
                .map(|method| Part::method(program, method))
                .collect(),
        }
    }

    /// What code may run into that names these classes. A class is reached as a whole: objects of it are called by way of
    /// types that it extends, too.
    pub fn reach(&self, named: impl IntoIterator<Item = ClassId>) -> Reach {
        let mut reach = Reach::default();
        let mut open: Vec<ClassId> = named.into_iter().collect();
        while let Some(class) = open.pop() {
            let about = self.program.class(class);
            if about.origin == Origin::Platform || !reach.classes.insert(class) {
                continue;
            }
            let declared = Part::declared(self.program, class);
            let methods = about.methods.iter();
            let methods = methods.map(|method| &self.methods[method.index()]);
            for part in methods.chain([&self.classes[class.index()], &declared]) {
                open.extend(&part.classes);
                reach.is_open |= part.outside.iter().any(|name| !self.is_platform(name));
            }
            let mut methods = about.methods.iter().map(|&id| self.program.method(id));
            reach.is_open |= methods.any(finds_classes);
        }
        reach
    }

    fn is_platform(&self, name: &Arc<str>) -> bool {
        let class = self.program.class_named(name);
        let origin = class.map(|class| self.program.class(class).origin);
        origin.map_or(name.starts_with("java/"), |origin| {
            origin == Origin::Platform
        })
    }

    /// What an outermost class rests on.
    pub fn uses(&self, subject: ClassId) -> Uses {
        let program = self.program;
        let mut uses = Uses::default();
        let mut seen = (
            vec![false; self.classes.len()],
            vec![false; self.methods.len()],
        );
        let nest = program.nest(subject);
        let (mut classes, mut methods) = (nest.clone(), Vec::<MethodId>::new());
        for class in nest {
            // What it inherits, what it declares, and what objects of that are made of.
            for above in program.supertypes(class) {
                methods.extend(&program.class(above).methods);
            }
            let declared = Part::declared(program, class);
            classes.extend(declared.classes);
            uses.outside.extend(declared.outside);
        }
        loop {
            let part = if let Some(class) = classes.pop() {
                if std::mem::replace(&mut seen.0[class.index()], true) {
                    continue;
                }
                &self.classes[class.index()]
            } else if let Some(method) = methods.pop() {
                if std::mem::replace(&mut seen.1[method.index()], true) {
                    continue;
                }
                &self.methods[method.index()]
            } else {
                return uses;
            };
            // In any order.
            uses.digest = uses.digest.wrapping_add(part.digest);
            uses.outside.extend(part.outside.iter().cloned());
            classes.extend(&part.classes);
            methods.extend(&part.methods);
        }
    }
}

fn finds_classes(method: &Method) -> bool {
    if method.access.is_native() {
        return true;
    }
    let code = method.code.iter().flat_map(|code| &code.instructions);
    let mut calls = code.filter_map(|instruction| match &instruction.operation {
        Operation::Invoke { method, .. } => Some(&**method),
        Operation::InvokeDynamic(call) => call.implementation.as_ref(),
        _ => None,
    });
    calls.any(|call| {
        let is_one = |&(owner, name): &(&str, &str)| {
            let is_package = owner.ends_with('/') && call.owner.starts_with(owner);
            (is_package || *call.owner == *owner) && call.name.starts_with(name)
        };
        FINDERS.iter().any(is_one)
    })
}

impl Part {
    /// What a class says of itself, without its members; and its initialiser, which whoever uses it may be first to run.
    fn class(program: &Program, class: &Class) -> Part {
        let mut part = Part::default();
        if part.is_foreign(class) {
            return part;
        }
        let above = (&class.super_name, &class.interface_names, &class.signature);
        part.digest = Digest::of(&(&class.name, &class.access, above));
        let methods = class.methods.iter().copied();
        part.methods
            .extend(methods.filter(|&id| program.method(id).is_initializer()));
        for name in class.super_name.iter().chain(&class.interface_names) {
            part.named(program, name);
        }
        part
    }

    /// True of what is not looked into: the platform, and libraries, whose class files are outside.
    fn is_foreign(&mut self, class: &Class) -> bool {
        if class.origin == Origin::Library {
            self.outside.push(class.name.clone());
        }
        matches!(class.origin, Origin::Library | Origin::Platform)
    }

    fn method(program: &Program, method: &Method) -> Part {
        let mut part = Part::default();
        let class = program.class(method.class);
        if part.is_foreign(class) {
            return part;
        }
        let code = method.code.as_ref();
        let about = (
            &method.access,
            &method.exceptions,
            &method.signature,
            (&method.marks, code.map(|code| code.digest)),
        );
        part.digest = Digest::of(&(&class.name, &method.name, &method.descriptor, about));
        part.classes.push(class.id);
        for instruction in code.iter().flat_map(|code| &code.instructions) {
            match &instruction.operation {
                Operation::Invoke { method, .. } => part.call(program, method),
                Operation::InvokeDynamic(call) => {
                    if let Some(implementation) = &call.implementation {
                        part.call(program, implementation);
                    }
                }
                Operation::GetField { field, .. } | Operation::PutField { field, .. } => {
                    part.field(program, field);
                }
                Operation::New(name) => {
                    part.named(program, name);
                }
                Operation::ClassLiteral(of)
                | Operation::Cast(of)
                | Operation::InstanceOf(of)
                | Operation::NewArray { array_type: of, .. } => part.named_by(program, of),
                _ => {}
            }
        }
        let handlers = code.iter().flat_map(|code| &code.handlers);
        for name in handlers.filter_map(|handler| handler.catches.as_ref()) {
            part.named(program, name);
        }
        part
    }

    /// The classes that declarations of a class name.
    fn declared(program: &Program, class: ClassId) -> Part {
        let mut part = Part::default();
        let class = program.class(class);
        for &field in &class.fields {
            part.named_by(program, &program.field(field).field_type);
        }
        for &method in &class.methods {
            let declared = &program.method(method).method_type;
            for named in declared.parameters.iter().chain([&declared.returns]) {
                part.named_by(program, named);
            }
        }
        part
    }

    fn named(&mut self, program: &Program, name: &Arc<str>) -> Option<ClassId> {
        let class = program.class_named(name);
        match class {
            Some(class) => self.classes.push(class),
            None if name.starts_with('[') => {}
            None => self.outside.push(name.clone()),
        }
        class
    }

    fn named_by(&mut self, program: &Program, of: &Type) {
        match of {
            Type::Object(name) => {
                self.named(program, name);
            }
            Type::Array(element) => self.named_by(program, element),
            _ => {}
        }
    }

    fn call(&mut self, program: &Program, named: &MethodName) {
        let class = self.named(program, &named.owner);
        let method =
            class.and_then(|class| program.find_method(class, &named.name, &named.descriptor));
        self.methods.extend(method);
    }

    fn field(&mut self, program: &Program, named: &FieldName) {
        let class = self.named(program, &named.owner);
        let Some(field) = class.and_then(|class| program.find_field(class, &named.name)) else {
            return;
        };
        let field = program.field(field);
        let class = program.class(field.class);
        if !self.is_foreign(class) {
            let about = (&field.access, &field.signature, &field.constant);
            let digest = Digest::of(&(&class.name, &field.name, &field.field_type, about));
            self.digest = self.digest.wrapping_add(digest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;

    const USE: &str =
        "class Use { Till till = new Till(); int total() { return till.sum(2) + Fee.OF; } }";
    const TILL: &str = "class Till { int sum(int a) { return add(a, 1); } private int add(int a, int b) { return a + b; } \
        int other() { return 7; } }";
    const FEE: &str = "class Fee { static int OF = Rate.now(); }";
    const RATE: &str =
        "class Rate { static int now() { return 3; } static int then() { return 4; } }";

    fn digest(sources: [&str; 4]) -> u64 {
        let program = program(&[("Use.java", &sources.concat())]);
        UseGraph::of(&program)
            .uses(program.class_named("Use").unwrap())
            .digest
    }

    #[test]
    fn what_the_code_names_counts_at_any_distance_and_nothing_else_does() {
        let before = digest([USE, TILL, FEE, RATE]);
        assert_eq!(before, digest([USE, TILL, FEE, RATE]));
        let with = |from: &str, to: &str| {
            let all = [USE, TILL, FEE, RATE].map(|source| source.replace(from, to));
            digest(all.each_ref().map(String::as_str))
        };
        // In the class, in a method that it calls, in one that this calls, and in what an initialiser calls.
        assert_ne!(before, with("sum(2)", "sum(3)"));
        assert_ne!(before, with("add(a, 1)", "add(a, 2)"));
        assert_ne!(before, with("a + b", "a - b"));
        assert_ne!(before, with("return 3", "return 5"));
        assert_ne!(before, with("class Till {", "class Till extends Rate {"));
        // A method that it does not use, changed, renamed or new; a private field of another class.
        assert_eq!(before, with("return 7", "return 8"));
        assert_eq!(before, with("int other", "int another"));
        assert_eq!(
            before,
            with("int other", "int more() { return 1; } int other")
        );
        assert_eq!(
            before,
            with("static int then", "static int later; static int then")
        );
    }

    fn reached(text: &str) -> (Vec<String>, bool) {
        let program = program(&[("Use.java", text)]);
        let reach = UseGraph::of(&program).reach(program.class_named("Use"));
        let mut names: Vec<String> = reach
            .classes
            .iter()
            .map(|&class| program.class(class).binary_name())
            .collect();
        names.sort();
        (names, reach.is_open)
    }

    #[test]
    fn a_class_that_is_named_is_reached_with_all_that_its_members_name() {
        let shapes = "interface Shape { int area(); } class Disk implements Shape { public int area() { return Fee.OF; } } \
            class Other { Use use; }";
        let text = format!(
            "class Use {{ Shape shape = new Disk(); int sum() {{ return shape.area(); }} }} {shapes} {FEE} {RATE} {TILL}"
        );
        // `Disk.area` is called by way of the interface alone.
        let names = ["Disk", "Fee", "Rate", "Shape", "Use"].map(str::to_owned);
        assert_eq!(reached(&text), (names.to_vec(), false));
    }

    #[test]
    fn what_finds_classes_by_name_has_no_end() {
        for code in [
            "Class.forName(\"a.\" + a)",
            "java.util.ServiceLoader.load(Use.class)",
            "new java.io.ObjectInputStream(null)",
            "String.class.getMethods()[0].getAnnotation(Deprecated.class)",
            "((java.lang.reflect.AnnotatedElement) Use.class).getAnnotations()",
            "String.class.getMethods()[0].getParameterAnnotations()",
            "java.sql.DriverManager.getConnection(a)",
            "javax.xml.parsers.SAXParserFactory.newInstance()",
            "(java.util.function.Function<String, Object>) java.util.ResourceBundle::getBundle",
        ] {
            let text =
                format!("class Use {{ Object o(String a) throws Exception {{ return {code}; }} }}");
            assert_eq!(reached(&text), (vec!["Use".to_owned()], true), "{code}");
        }
        let other =
            "class Use { Object o() { return Use.class.getDeclaredFields()[0].getName(); } }";
        assert_eq!(reached(other), (vec!["Use".to_owned()], false));
    }

    #[test]
    fn lines_do_not_count() {
        let before = digest([USE, TILL, FEE, RATE]);
        let below = TILL.replace("int add", "\nint add");
        assert_eq!(before, digest([USE, &below, FEE, RATE]));
    }

    #[test]
    fn what_a_class_inherits_counts_as_what_it_calls_does() {
        let base =
            "class Base { int one() { return twice(1); } int twice(int a) { return a + a; } }";
        let heir = |base: &str| digest(["class Use extends Base {}", base, "", ""]);
        assert_eq!(heir(base), heir(base));
        assert_ne!(heir(base), heir(&base.replace("twice(1)", "twice(2)")));
        assert_ne!(heir(base), heir(&base.replace("a + a", "a * a")));
    }

    /// Deeper than a stack is: what comes in is anybody's.
    #[test]
    fn a_long_line_of_ancestors_is_no_matter() {
        // The compiler takes minutes for as many: two classes of it, and the second under every other name.
        let two = "class C0000 {} class C0001 extends C0000 {}";
        let compiled = palus_fixture::compile(&[("C0001.java", two)]);
        let mut builder = palus_bytecode::ProgramBuilder::new();
        builder
            .add(Origin::Subject, compiled.bytes("C0000"))
            .unwrap();
        for number in 1..=3_000 {
            let mut bytes = compiled.bytes("C0001").to_vec();
            for at in 0..bytes.len() - 5 {
                let named = match &bytes[at..at + 5] {
                    b"C0000" => number - 1,
                    b"C0001" => number,
                    _ => continue,
                };
                bytes[at..at + 5].copy_from_slice(format!("C{named:04}").as_bytes());
            }
            builder.add(Origin::Subject, &bytes).unwrap();
        }
        let program = builder.finish();
        let last = program.class_named("C3000").unwrap();
        assert_eq!(program.supertypes(last).len(), 1_000);
        assert_ne!(UseGraph::of(&program).uses(last).digest, 0);
    }

    #[test]
    fn classes_of_libraries_are_named_and_not_looked_into() {
        let with = |library: &str| {
            let compiled = palus_fixture::compile(&[
                ("Use.java", "class Use extends Till {}"),
                ("Till.java", library),
            ]);
            let mut builder = palus_bytecode::ProgramBuilder::new();
            for (name, bytes) in &compiled.classes {
                let origin = if name == "Use" {
                    Origin::Subject
                } else {
                    Origin::Library
                };
                builder.add(origin, bytes).unwrap();
            }
            let program = builder.finish();
            UseGraph::of(&program).uses(program.class_named("Use").unwrap())
        };
        let uses = with(TILL);
        assert!(uses.outside.contains("Till"), "{uses:?}");
        assert_eq!(uses, with(&TILL.replace("a + b", "a - b")));
    }

    #[test]
    fn classes_that_are_not_loaded_are_named() {
        let program = program(&[(
            "Use.java",
            "class Use { Object o = java.util.Currency.getInstance(\"EUR\"); }",
        )]);
        let uses = UseGraph::of(&program).uses(program.class_named("Use").unwrap());
        assert!(uses.outside.contains("java/util/Currency"), "{uses:?}");
    }
}
