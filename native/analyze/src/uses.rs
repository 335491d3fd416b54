//! What the code of a class rests on: a number that changes where something of it does.
//!
//! Comes in: a program and one of its outermost classes. Goes out: [`Uses`]: a digest of the class, with those nested in
//! it, and of all that its code names, followed from member to member; and the names of classes that are not loaded.
//! A method that a class gets in addition changes nothing for those that use its other ones. Where a call may be answered
//! by several methods, only the one that its name resolves to counts: which others there are is no matter of the caller.
//! Does not know: what a run does; platform classes, which are the same for all.

use palus_bytecode::{
    ClassId, DynamicCall, FieldName, Method, MethodId, MethodName, Operation, Origin, Program, Type,
};
use std::collections::BTreeSet;
use std::fmt::{Debug, Write as _};
use std::hash::{DefaultHasher, Hasher as _};
use std::sync::Arc;

/// What a class rests on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// The same where the class and all that its code names are the same, in every run of one build of Palus.
    pub digest: u64,
    /// Internal names of classes that its code names and that are not part of the program.
    pub outside: BTreeSet<Arc<str>>,
}

/// What an outermost class rests on.
pub fn uses(program: &Program, subject: ClassId) -> Uses {
    let mut walk = Walk {
        program,
        uses: Uses::default(),
        classes: BTreeSet::new(),
        methods: BTreeSet::new(),
        open: Vec::new(),
    };
    for class in program.nest(subject) {
        walk.own(class);
    }
    while let Some(method) = walk.open.pop() {
        walk.code(program.method(method));
    }
    walk.uses
}

struct Walk<'a> {
    program: &'a Program,
    uses: Uses,
    classes: BTreeSet<ClassId>,
    methods: BTreeSet<MethodId>,
    /// Methods whose code is to be followed.
    open: Vec<MethodId>,
}

impl Walk<'_> {
    /// All of a class, lines included: they stand in reports.
    fn own(&mut self, class: ClassId) {
        let program = self.program;
        let known = program.class(class);
        self.class(class);
        let marks = (&known.annotations, &known.marks, &known.permitted);
        self.add(&("own", &known.name, marks, &known.source_file));
        for &field in &known.fields {
            let field = program.field(field);
            let about = (
                &field.access,
                &field.signature,
                &field.constant,
                &field.marks,
            );
            self.add(&(&known.name, &field.name, &field.field_type, about));
            self.named_by(&field.field_type);
        }
        for above in program.supertypes(class) {
            // Inherited methods are its own to whoever calls them; the class itself is among those.
            for &method in &program.class(above).methods {
                self.method(method);
            }
        }
        for &method in &known.methods {
            let method = program.method(method);
            let lines = method.code.as_ref().map(|code| &code.lines);
            let about = (&method.marks, &method.parameter_names, lines);
            self.add(&(&known.name, &method.name, &method.descriptor, about));
            for parameter in &method.method_type.parameters {
                self.named_by(parameter);
            }
            self.named_by(&method.method_type.returns);
        }
    }

    /// Adds a part, in any order with the others.
    fn add(&mut self, part: &dyn Debug) {
        let mut digest = Digest(DefaultHasher::new());
        let _ = write!(digest, "{part:?}");
        self.uses.digest = self.uses.digest.wrapping_add(digest.0.finish());
    }

    fn named(&mut self, name: &Arc<str>) -> Option<ClassId> {
        let Some(class) = self.program.class_named(name) else {
            if !name.starts_with('[') {
                self.uses.outside.insert(name.clone());
            }
            return None;
        };
        self.class(class);
        Some(class)
    }

    fn named_by(&mut self, of: &Type) {
        match of {
            Type::Object(name) => {
                self.named(name);
            }
            Type::Array(element) => self.named_by(element),
            _ => {}
        }
    }

    /// What a class says of itself, without its members; and its initialiser, which whoever uses it may be first to run.
    fn class(&mut self, class: ClassId) {
        let program = self.program;
        let known = program.class(class);
        if known.origin == Origin::Platform || !self.classes.insert(class) {
            return;
        }
        let above = (&known.super_name, &known.interface_names, &known.signature);
        self.add(&(&known.name, &known.access, above));
        let initializers = known.methods.iter().copied();
        let mut initializers = initializers.filter(|&id| program.method(id).is_initializer());
        if let Some(initializer) = initializers.next() {
            self.method(initializer);
        }
        for name in known.super_name.iter().chain(&known.interface_names) {
            self.named(name);
        }
    }

    fn method(&mut self, id: MethodId) {
        let method = self.program.method(id);
        let class = self.program.class(method.class);
        if class.origin == Origin::Platform || !self.methods.insert(id) {
            return;
        }
        let digest = method.code.as_ref().map(|code| code.digest);
        let about = (
            &method.access,
            &method.exceptions,
            &method.signature,
            (&method.marks, digest),
        );
        self.add(&(&class.name, &method.name, &method.descriptor, about));
        self.class(method.class);
        self.open.push(id);
    }

    fn call(&mut self, named: &MethodName) {
        let Some(class) = self.named(&named.owner) else {
            return;
        };
        if let Some(method) = self
            .program
            .find_method(class, &named.name, &named.descriptor)
        {
            self.method(method);
        }
    }

    fn field(&mut self, named: &FieldName) {
        let Some(class) = self.named(&named.owner) else {
            return;
        };
        let Some(field) = self.program.find_field(class, &named.name) else {
            return;
        };
        let field = self.program.field(field);
        let class = self.program.class(field.class);
        if class.origin != Origin::Platform {
            let about = (&field.access, &field.signature, &field.constant);
            self.add(&("field", &class.name, &field.name, &field.field_type, about));
        }
    }

    fn code(&mut self, method: &Method) {
        let Some(code) = &method.code else {
            return;
        };
        for instruction in &code.instructions {
            match &instruction.operation {
                Operation::Invoke { method, .. } => self.call(method),
                Operation::InvokeDynamic(call) => self.dynamic(call),
                Operation::GetField { field, .. } | Operation::PutField { field, .. } => {
                    self.field(field);
                }
                Operation::New(name) => {
                    self.named(name);
                }
                Operation::ClassLiteral(of)
                | Operation::Cast(of)
                | Operation::InstanceOf(of)
                | Operation::NewArray { array_type: of, .. } => self.named_by(of),
                _ => {}
            }
        }
        for handler in &code.handlers {
            if let Some(name) = &handler.catches {
                self.named(name);
            }
        }
    }

    fn dynamic(&mut self, call: &DynamicCall) {
        if let Some(implementation) = &call.implementation {
            self.call(implementation);
        }
    }
}

struct Digest(DefaultHasher);

impl std::fmt::Write for Digest {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        self.0.write(text.as_bytes());
        Ok(())
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
        uses(&program, program.class_named("Use").unwrap()).digest
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

    #[test]
    fn lines_count_in_the_class_itself_alone() {
        let before = digest([USE, TILL, FEE, RATE]);
        let below = TILL.replace("int other", "\nint other");
        assert_eq!(before, digest([USE, &below, FEE, RATE]));
        let own = USE.replace("int total", "\nint total");
        assert_ne!(before, digest([&own, TILL, FEE, RATE]));
    }

    #[test]
    fn classes_that_are_not_loaded_are_named() {
        let program = program(&[(
            "Use.java",
            "class Use { Object o = java.util.Currency.getInstance(\"EUR\"); }",
        )]);
        let uses = uses(&program, program.class_named("Use").unwrap());
        assert!(uses.outside.contains("java/util/Currency"), "{uses:?}");
    }
}
