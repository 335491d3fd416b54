//! Members that nobody wrote by hand: no test is about them.
//!
//! Comes in: a method. Goes out: whether a tool or the compiler made it.
//! What counts as made is what coverage and mutation tools leave out: annotations whose name ends in `Generated`, what the
//! compiler adds to records and enums. The worker's `CompilersCode` leaves out the same.
//! Does not know: what becomes of their tests.

use crate::{Class, Method, MethodId, Operation, Program};

impl Program {
    /// True for a method that a tool or the compiler made: of Lombok's and others' that mark it `@Generated`, a record's
    /// accessors, `equals`, `hashCode` and `toString`, an enum's `values` and `valueOf`.
    pub fn is_generated(&self, method: MethodId) -> bool {
        let method = self.method(method);
        let class = self.class(method.class);
        is_marked(&method.annotations)
            || is_marked(&class.annotations)
            || is_of_record(class, method)
            || is_of_enum(class, method)
    }
}

/// The name of the field that a method gives, where it does nothing else.
fn field_given(method: &Method) -> Option<&str> {
    let code = method.code.as_ref()?;
    let has_argument = !method.method_type.parameters.is_empty();
    let mut operations = code.instructions.iter().map(|one| &one.operation);
    let read = [operations.next()?, operations.next()?, operations.next()?];
    match read {
        [
            Operation::Load { slot: 0 },
            Operation::GetField {
                field,
                is_static: false,
            },
            Operation::Return { value: true },
        ] if !has_argument && operations.next().is_none() => Some(&field.name),
        _ => None,
    }
}

fn is_marked(annotations: &[std::sync::Arc<str>]) -> bool {
    annotations.iter().any(|one| one.ends_with("Generated"))
}

fn is_of_record(class: &Class, method: &Method) -> bool {
    if !class.is_record {
        return false;
    }
    let is_accessor = field_given(method) == Some(&method.name);
    // The JDK's `ObjectMethods` makes them, asked by the method's own name.
    let is_made = matches!(&*method.name, "equals" | "hashCode" | "toString")
        && method.code.as_ref().is_some_and(|code| {
            let mut operations = code.instructions.iter().map(|one| &one.operation);
            operations.any(|one| {
                matches!(one, Operation::InvokeDynamic(call)
                    if call.name == method.name && call.implementation.is_none() && !call.is_concat)
            })
        });
    is_accessor || is_made
}

fn is_of_enum(class: &Class, method: &Method) -> bool {
    let is_values = &*method.name == "values" && method.descriptor.starts_with("()");
    let is_value_of =
        &*method.name == "valueOf" && method.descriptor.starts_with("(Ljava/lang/String;)");
    class.access.is_enum() && method.access.is_static() && (is_values || is_value_of)
}

#[cfg(test)]
mod tests {
    use crate::{Origin, ProgramBuilder};
    use expect_test::expect;
    use palus_fixture::{Options, compile_with};

    #[test]
    fn what_nobody_wrote_is_told_from_what_somebody_did() {
        let options = Options {
            release: Some(17),
            ..Options::default()
        };
        let text = r#"package demo;
            @interface Generated {}
            enum Suit { CLUBS; static Suit of(int at) { return values()[at]; } }
            record Point(int x, int y) {
              public int y() { return -y; }
              int sum() { return x + y; }
              @Override public String toString() { return x + ":" + y; }
            }
            class Demo {
              int x;
              int x() { return x; }
              int next() { return x + 1; }
              int x(int ignored) { return x; }
              @Generated int made() { return 1 + x; }
            }"#;
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compile_with(&[("demo/Demo.java", text)], &options).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let program = builder.finish();
        let mut said = Vec::new();
        for method in program.methods().iter().filter(|one| one.code.is_some()) {
            let name = &program.class(method.class).name;
            if program.is_generated(method.id) {
                said.push(format!("{name}.{} is generated", method.name));
            }
        }
        said.sort();
        expect![[r"
            demo/Demo.made is generated
            demo/Point.equals is generated
            demo/Point.hashCode is generated
            demo/Point.x is generated
            demo/Suit.valueOf is generated
            demo/Suit.values is generated
        "]]
        .assert_eq(&(said.join("\n") + "\n"));
    }
}
