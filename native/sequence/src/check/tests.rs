//! Bad sequences, each with what is wrong with it, and good ones. Statements stand between semicolons; statement `n`
//! defines `vn`.

use super::check;
use crate::{Sequence, Statement, Value, Variable};
use expect_test::{Expect, expect};
use palus_bytecode::{ClassId, Origin, Program, ProgramBuilder, Type};
use palus_fixture::{compile, platform_class};

const SHAPES: &[(&str, &str)] = &[
    (
        "Shape.java",
        "public interface Shape { int area(long scale) throws java.io.IOException; String name(); }",
    ),
    (
        "Round.java",
        "public abstract class Round implements Shape { public String label; public String name() { return label; } }",
    ),
    (
        "Circle.java",
        "public final class Circle extends Round { public static int count; public final int radius;
  public Circle(int radius) { this.radius = radius; }
  public int area(long scale) { return radius; }
  public void grow() {}
  public Object owner() { return this; }
  public static Shape largest(Shape one, Shape other) { return one; }
  public static int sum(Integer... numbers) { return 0; } }",
    ),
    (
        "Square.java",
        "public class Square implements Shape { public Square() {}
  public int area(long scale) { return 0; } public String name() { return null; } }",
    ),
    ("Paint.java", "public class Paint { public void on(Shape shape) {} }"),
    ("Ink.java", "public final class Ink { }"),
];

#[test]
fn a_variable_is_used_after_it_is_defined_and_where_it_holds_something() {
    verdicts(
        &[
            "new Circle v0",
            "new Circle v1; int 5",
            "int 5; new Circle v7",
            "int 5; new Circle v0; call Circle.grow on v1; array Object v2",
            "int 5; new Circle v0; text a; set Round.label on v1 to v2; array Object v3",
            // The first defect counts.
            "new Circle v0; new Round",
        ],
        &expect![[r#"
            new Circle v0
                statement 0 uses v0 too early
            new Circle v1; int 5
                statement 0 uses v1 too early
            int 5; new Circle v7
                statement 1 uses v7 too early
            int 5; new Circle v0; call Circle.grow on v1; array Object v2
                statement 3 uses v2, which holds nothing
            int 5; new Circle v0; text a; set Round.label on v1 to v2; array Object v3
                statement 4 uses v3, which holds nothing
            new Circle v0; new Round
                statement 0 uses v0 too early
        "#]],
    );
}

#[test]
fn a_call_has_the_receiver_and_as_many_arguments_as_its_method_asks_for() {
    verdicts(
        &[
            "call Circle.grow",
            "new Square; int 5; call Square.area on v0",
            "new Square; int 5; call Circle.largest on v0 v0 v0",
            "new Square; call Circle.largest v0",
            "int 5; new Circle on v0 v0",
            "new Circle",
            "get Circle.radius",
            "int 5; new Circle v0; get Circle.count on v1",
            "text a; set Round.label to v0",
            "new Square; stub Shape v0",
            "new Round",
        ],
        &expect![[r#"
            call Circle.grow
                statement 0 has the wrong shape for its method
            new Square; int 5; call Square.area on v0
                statement 2 has the wrong shape for its method
            new Square; int 5; call Circle.largest on v0 v0 v0
                statement 2 has the wrong shape for its method
            new Square; call Circle.largest v0
                statement 1 has the wrong shape for its method
            int 5; new Circle on v0 v0
                statement 1 has the wrong shape for its method
            new Circle
                statement 0 has the wrong shape for its method
            get Circle.radius
                statement 0 has the wrong shape for its method
            int 5; new Circle v0; get Circle.count on v1
                statement 2 has the wrong shape for its method
            text a; set Round.label to v0
                statement 1 has the wrong shape for its method
            new Square; stub Shape v0
                statement 1 has the wrong shape for its method
            new Round
                statement 0 instantiates an abstract class
        "#]],
    );
}

#[test]
fn what_is_handed_over_can_be_cast_to_what_is_wanted() {
    verdicts(
        &[
            "text a; new Circle v0",
            // No number becomes a wider one, in a call or in a box: source text has a literal of its own for each.
            "int 5; new Square; call Square.area on v1 v0",
            "int 5; box v0; new Square; call Square.area on v2 v1",
            "long 5; new Circle v0",
            // `Object` is no number, not even by a cast.
            "int 5; new Circle v0; call Circle.owner on v1; new Circle v2",
            // Neither class can be the other.
            "new Square; call Circle.grow on v0",
            "new Square; get Round.label on v0",
            "new Square; text a; set Round.label on v0 to v1",
            "int 5; new Circle v0; set Round.label on v1 to v0",
            "new Ink; call Circle.largest v0 v0",
            "text a; array int v0",
            "int 5; new Circle v0; array Square v1",
            "int 5; array int v0; array Object[] v1",
            "int 5; array int v0; new Circle v1",
        ],
        &expect![[r#"
            text a; new Circle v0
                statement 1: v0 cannot be I
            int 5; new Square; call Square.area on v1 v0
                statement 2: v0 cannot be J
            int 5; box v0; new Square; call Square.area on v2 v1
                statement 3: v1 cannot be J
            long 5; new Circle v0
                statement 1: v0 cannot be I
            int 5; new Circle v0; call Circle.owner on v1; new Circle v2
                statement 3: v2 cannot be I
            new Square; call Circle.grow on v0
                statement 1: v0 cannot be LCircle;
            new Square; get Round.label on v0
                statement 1: v0 cannot be LRound;
            new Square; text a; set Round.label on v0 to v1
                statement 2: v0 cannot be LRound;
            int 5; new Circle v0; set Round.label on v1 to v0
                statement 2: v0 cannot be Ljava/lang/String;
            new Ink; call Circle.largest v0 v0
                statement 1: v0 cannot be LShape;
            text a; array int v0
                statement 1: v0 cannot be I
            int 5; new Circle v0; array Square v1
                statement 2: v1 cannot be LSquare;
            int 5; array int v0; array Object[] v1
                statement 2: v1 cannot be [Ljava/lang/Object;
            int 5; array int v0; new Circle v1
                statement 2: v1 cannot be I
        "#]],
    );
}

#[test]
fn a_stub_answers_what_its_methods_return_or_may_throw() {
    verdicts(
        &[
            "text a; stub Shape v0 _",
            "int 5; stub Shape _ v0",
            // `name` declares no exception; `area` declares this one.
            "new Exception; stub Shape _ v0",
            "new Exception; stub Shape v0 _",
            "new IOException; stub Shape _ v0",
            "new IOException; stub Shape v0 _",
            "new RuntimeException; stub Shape v0 v0",
            "int 5; text a; stub Shape v0 v1",
            "stub Shape _ _",
        ],
        &expect![[r#"
            text a; stub Shape v0 _
                statement 1: v0 cannot be I
            int 5; stub Shape _ v0
                statement 1: v0 cannot be Ljava/lang/String;
            new Exception; stub Shape _ v0
                statement 1: v0 cannot be Ljava/lang/String;
            new Exception; stub Shape v0 _
                statement 1: v0 cannot be I
            new IOException; stub Shape _ v0
                statement 1: v0 cannot be Ljava/lang/String;
            new IOException; stub Shape v0 _
                good
            new RuntimeException; stub Shape v0 v0
                good
            int 5; text a; stub Shape v0 v1
                good
            stub Shape _ _
                good
        "#]],
    );
}

#[test]
fn what_source_text_can_say_passes() {
    verdicts(
        &[
            "",
            "int 5; new Circle v0; long 2; call Round.area on v1 v2",
            // A subclass for a class; a class for its interface, and back by a cast.
            "int 5; new Circle v0; new Square; call Circle.largest v1 v2; call Circle.grow on v3",
            // By a cast from `Object`.
            "int 5; new Circle v0; call Circle.owner on v1; call Circle.grow on v2",
            // What another class below an open one may be.
            "new Paint; call Paint.on on v0 v0",
            // Boxes both ways.
            "int 5; box v0; array Integer v0 v1; call Circle.sum v2; new Circle v1",
            "int 5; array Object v0",
            "text a; array Object v0; array Object[] v1; array Object v2",
            "null Shape; call Circle.largest v0 v0",
            // What is thrown when that runs is not a matter of form.
            "null Integer; new Circle v0",
            "get Circle.count; set Circle.count to v0",
            "int 5; text a; stub Shape v0 v1; call Circle.largest v2 v2",
        ],
        &expect![[r#"

                good
            int 5; new Circle v0; long 2; call Round.area on v1 v2
                good
            int 5; new Circle v0; new Square; call Circle.largest v1 v2; call Circle.grow on v3
                good
            int 5; new Circle v0; call Circle.owner on v1; call Circle.grow on v2
                good
            new Paint; call Paint.on on v0 v0
                good
            int 5; box v0; array Integer v0 v1; call Circle.sum v2; new Circle v1
                good
            int 5; array Object v0
                good
            text a; array Object v0; array Object[] v1; array Object v2
                good
            null Shape; call Circle.largest v0 v0
                good
            null Integer; new Circle v0
                good
            get Circle.count; set Circle.count to v0
                good
            int 5; text a; stub Shape v0 v1; call Circle.largest v2 v2
                good
        "#]],
    );
}

/// Compares what `check` says of each sequence.
fn verdicts(sequences: &[&str], expected: &Expect) {
    let program = program();
    let said = sequences.iter().map(|text| {
        let statements = text.split("; ").filter(|one| !one.is_empty());
        let statements = statements.map(|one| statement(&program, one)).collect();
        let verdict = check(&program, &Sequence::new(statements));
        let verdict = verdict.map_or_else(|defect| defect.to_string(), |()| "good".to_owned());
        format!("{text}\n    {verdict}\n")
    });
    expected.assert_eq(&said.collect::<String>());
}

fn statement(program: &Program, text: &str) -> Statement {
    let words: Vec<&str> = text.split(' ').collect();
    let variable = |word: &str| Variable(word.strip_prefix('v').unwrap().parse().unwrap());
    let after = |mark: &str| {
        let at = words.iter().position(|word| *word == mark)?;
        Some(variable(words[at + 1]))
    };
    let receiver = after("on");
    let skipped = if receiver.is_some() { 4 } else { 2 };
    let rest = words.get(skipped..).unwrap_or_default();
    let variables = || rest.iter().map(|word| variable(word)).collect();
    let call = |method| Statement::Call {
        method,
        receiver,
        arguments: variables(),
    };
    let member = || {
        let (class, name) = words[1].split_once('.').unwrap();
        (program.class(class_named(program, class)), name)
    };
    let field = || {
        let (class, name) = member();
        let mut fields = class.fields.iter().copied();
        fields.find(|&id| &*program.field(id).name == name).unwrap()
    };
    match words[0] {
        "int" => Statement::Value(Value::Int(words[1].parse().unwrap())),
        "long" => Statement::Value(Value::Long(words[1].parse().unwrap())),
        "text" => Statement::Value(Value::Text(words[1].into())),
        "null" => Statement::Value(Value::Null(named(words[1]))),
        "box" => Statement::Call {
            method: {
                let integer = program.class_named("java/lang/Integer").unwrap();
                let descriptor = "(I)Ljava/lang/Integer;";
                program
                    .declared_method(integer, "valueOf", descriptor)
                    .unwrap()
            },
            receiver: None,
            arguments: vec![variable(words[1])],
        },
        "new" => {
            let class = program.class(class_named(program, words[1]));
            let mut made = class.methods.iter().copied();
            // Of the JDK's exceptions the one that takes nothing.
            let is_meant =
                |descriptor: &str| class.origin == Origin::Subject || descriptor == "()V";
            let constructor = made.find(|&id| {
                let method = program.method(id);
                method.is_constructor() && is_meant(&method.descriptor)
            });
            call(constructor.unwrap())
        }
        "call" => {
            let (class, name) = member();
            let id = program.class_named(&class.name).unwrap();
            let mut known = program
                .supertypes(id)
                .into_iter()
                .flat_map(|id| program.class(id).methods.iter().copied());
            call(known.find(|&id| &*program.method(id).name == name).unwrap())
        }
        "array" => Statement::NewArray {
            element: named(words[1]),
            elements: variables(),
        },
        "get" => Statement::GetField {
            field: field(),
            receiver,
        },
        "set" => Statement::SetField {
            field: field(),
            receiver,
            value: after("to").unwrap(),
        },
        "stub" => Statement::Stub {
            class: class_named(program, words[1]),
            answers: rest
                .iter()
                .map(|word| (*word != "_").then(|| variable(word)))
                .collect(),
        },
        other => panic!("{other} is no statement"),
    }
}

fn named(name: &str) -> Type {
    match name.strip_suffix("[]") {
        Some(element) => Type::Array(Box::new(named(element))),
        None if name == "int" => Type::Int,
        None => Type::object(&internal(name)),
    }
}

fn class_named(program: &Program, name: &str) -> ClassId {
    program.class_named(&internal(name)).unwrap()
}

fn internal(name: &str) -> String {
    match name {
        "Object" | "Integer" | "Exception" | "RuntimeException" => format!("java/lang/{name}"),
        "IOException" => format!("java/io/{name}"),
        _ => name.to_owned(),
    }
}

fn program() -> Program {
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compile(SHAPES).classes {
        builder.add(Origin::Subject, bytes).unwrap();
    }
    let others = ["java/lang/Integer", "java/lang/RuntimeException"].map(str::to_owned);
    let mut wanted: Vec<String> = others.into();
    loop {
        let found: Vec<_> = wanted
            .iter()
            .filter_map(|name| platform_class(name))
            .collect();
        if found.is_empty() {
            return builder.finish();
        }
        for bytes in found {
            builder.add(Origin::Platform, &bytes).unwrap();
        }
        wanted = builder
            .missing()
            .into_iter()
            .map(|name| name.to_string())
            .collect();
    }
}
