//! Written tests compile without a warning and pass, for every framework and language level.

use super::javac::compile_and_run;
use super::printed::{equal, style, test, test_class};
use super::shapes::SHAPES;
use crate::testing::{Script, Subject, int, object, subject};
use crate::{Assertion, Expected, Test, TestFramework, print};
use palus_sequence::{Observation, Value};

/// Tests of all shapes; what they assert is true.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn tests(subject: &Subject) -> Vec<Test> {
    let mut tests: Vec<Test> = Vec::new();
    let mut add = |name: &str, make: &dyn Fn(&mut Script<'_>) -> Vec<Assertion>| {
        let mut script = subject.script();
        let assertions = make(&mut script);
        tests.push(test(name, script.run(), assertions));
    };
    let overloads: Vec<(&str, &str, Value)> = vec![
        ("Object", "Ljava/lang/Object;", Value::Text("x".into())),
        ("Object", "Ljava/lang/Object;", Value::Int(-5)),
        (
            "Object",
            "Ljava/lang/Object;",
            Value::Null(palus_bytecode::Type::object("java/lang/Object")),
        ),
        (
            "String",
            "Ljava/lang/String;",
            Value::Null(palus_bytecode::Type::object("java/lang/String")),
        ),
        ("String", "Ljava/lang/String;", Value::Text("x".into())),
        (
            "CharSequence",
            "Ljava/lang/CharSequence;",
            Value::Text("x".into()),
        ),
        ("int", "I", Value::Int(5)),
        ("long", "J", Value::Long(5)),
        ("char", "C", Value::Char(0x27)),
        ("byte", "B", Value::Byte(-1)),
        ("Integer", "Ljava/lang/Integer;", Value::Int(-5)),
        (
            "List",
            "Ljava/util/List;",
            Value::Null(palus_bytecode::Type::object("java/util/List")),
        ),
    ];
    for (index, (answer, parameter, value)) in overloads.into_iter().enumerate() {
        add(&format!("over_{index}"), &|script| {
            let argument = script.value(value.clone());
            let member = format!("demo/Shapes.over({parameter})Ljava/lang/String;");
            let call = script.call(&member, None, &[argument], Observation::Nothing);
            vec![equal(call, Value::Text(answer.into()))]
        });
    }
    add("overArrays", &|script| {
        let text = script.text("x");
        let number = script.int(1);
        let array = script.array("Ljava/lang/String;", &[text]);
        let numbers = script.array("I", &[number]);
        let first = script.call(
            "demo/Shapes.over([Ljava/lang/Object;)Ljava/lang/String;",
            None,
            &[array],
            object("?"),
        );
        let second = script.call(
            "demo/Shapes.over([I)Ljava/lang/String;",
            None,
            &[numbers],
            object("?"),
        );
        let third = script.call(
            "demo/Shapes.over(Ljava/lang/Object;)Ljava/lang/String;",
            None,
            &[numbers],
            object("?"),
        );
        vec![
            equal(first, Value::Text("Object[]".into())),
            equal(second, Value::Text("int[]".into())),
            equal(third, Value::Text("Object".into())),
        ]
    });
    add("two", &|script| {
        let text = script.text("x");
        let first = script.call(
            "demo/Shapes.two(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;",
            None,
            &[text, text],
            object("?"),
        );
        let null = script.null("Ljava/lang/String;");
        let second = script.call(
            "demo/Shapes.two(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;",
            None,
            &[null, null],
            object("?"),
        );
        vec![
            equal(first, Value::Text("OS".into())),
            equal(second, Value::Text("SO".into())),
        ]
    });
    add("varargs", &|script| {
        let text = script.text("x");
        let array = script.array("Ljava/lang/String;", &[text, text]);
        let null = script.null("[Ljava/lang/Object;");
        let none = script.array("I", &[]);
        let first = script.call(
            "demo/Shapes.count([Ljava/lang/Object;)I",
            None,
            &[array],
            int(2),
        );
        let second = script.call(
            "demo/Shapes.count([Ljava/lang/Object;)I",
            None,
            &[null],
            int(-1),
        );
        let third = script.call("demo/Shapes.sum([I)I", None, &[none], int(0));
        vec![
            equal(first, Value::Int(2)),
            equal(second, Value::Int(-1)),
            equal(third, Value::Int(0)),
        ]
    });
    add("listOfStrings", &|script| {
        let text = script.text("abc");
        let zero = script.int(0);
        let list = script.construct("java/util/ArrayList", "()V", &[]);
        let added = script.call(
            "java/util/ArrayList.add(Ljava/lang/Object;)Z",
            Some(list),
            &[text],
            int(0),
        );
        let length = script.call(
            "demo/Shapes.length(Ljava/util/List;)I",
            None,
            &[list],
            int(3),
        );
        let first = script.call(
            "java/util/ArrayList.get(I)Ljava/lang/Object;",
            Some(list),
            &[zero],
            object("?"),
        );
        let size = script.call(
            "demo/Shapes.sizeOf(Ljava/util/Collection;)I",
            None,
            &[list],
            int(1),
        );
        vec![
            equal(added, Value::Boolean(true)),
            equal(length, Value::Int(3)),
            equal(first, Value::Text("abc".into())),
            equal(size, Value::Int(1)),
        ]
    });
    add("listOfWhatHoldsSomethingUnknown", &|script| {
        let made = "demo/Shapes.unknownRows()Ldemo/Shapes$Rows;";
        let unknown = script.call(made, None, &[], object("demo/Shapes$Rows"));
        let rows = "demo/Shapes$Rows.rows()Ljava/util/List;";
        let list = script.call(rows, Some(unknown), &[], object("java/util/ArrayList"));
        let size = script.call("java/util/List.size()I", Some(list), &[], int(0));
        vec![equal(size, Value::Int(0))]
    });
    add("numbers", &|script| {
        let five = script.int(5);
        let long = script.value(Value::Long(6));
        let list = script.construct("java/util/LinkedList", "()V", &[]);
        script.call(
            "java/util/LinkedList.add(Ljava/lang/Object;)Z",
            Some(list),
            &[five],
            int(0),
        );
        let list2 = script.construct("java/util/HashSet", "()V", &[]);
        script.call(
            "java/util/HashSet.add(Ljava/lang/Object;)Z",
            Some(list2),
            &[five],
            int(0),
        );
        script.call(
            "java/util/HashSet.add(Ljava/lang/Object;)Z",
            Some(list2),
            &[long],
            int(0),
        );
        let copy = script.construct("java/util/ArrayList", "(Ljava/util/Collection;)V", &[list]);
        let total = script.call(
            "demo/Shapes.total(Ljava/util/Collection;)I",
            None,
            &[copy],
            int(5),
        );
        let size = script.call("java/util/HashSet.size()I", Some(list2), &[], int(2));
        vec![equal(total, Value::Int(5)), equal(size, Value::Int(2))]
    });
    add("contradictingUsesNeedRawTypes", &|script| {
        let five = script.int(5);
        let list = script.construct("java/util/ArrayList", "()V", &[]);
        script.call(
            "java/util/ArrayList.add(Ljava/lang/Object;)Z",
            Some(list),
            &[five],
            int(0),
        );
        script.call(
            "java/util/ArrayList.clear()V",
            Some(list),
            &[],
            Observation::Nothing,
        );
        let length = script.call(
            "demo/Shapes.length(Ljava/util/List;)I",
            None,
            &[list],
            int(0),
        );
        vec![equal(length, Value::Int(0))]
    });
    add("genericMethods", &|script| {
        let text = script.text("b");
        let other = script.text("a");
        let five = script.int(5);
        let list = script.call(
            "demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;",
            None,
            &[text, other],
            object("?"),
        );
        let size = script.call("java/util/List.size()I", Some(list), &[], int(2));
        let mixed = script.call(
            "demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;",
            None,
            &[text, five],
            object("?"),
        );
        let mixed_size = script.call("java/util/List.size()I", Some(mixed), &[], int(2));
        let greater = script.call("demo/Shapes.greater(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;", None, &[text, other], object("?"));
        let nothing = script.call(
            "demo/Shapes.only()Ljava/lang/Object;",
            None,
            &[],
            Observation::Null,
        );
        vec![
            equal(size, Value::Int(2)),
            equal(mixed_size, Value::Int(2)),
            equal(greater, Value::Text("b".into())),
            Assertion {
                statement: nothing.0,
                expected: Expected::Null,
            },
        ]
    });
    add("aBridgeAmongRawTypes", &|script| {
        let five = script.int(5);
        let list = script.construct("java/util/ArrayList", "()V", &[]);
        let add = "java/util/ArrayList.add(Ljava/lang/Object;)Z";
        script.call(add, Some(list), &[five], int(0));
        let clear = "java/util/ArrayList.clear()V";
        script.call(clear, Some(list), &[], Observation::Nothing);
        let length = "demo/Shapes.length(Ljava/util/List;)I";
        script.call(length, None, &[list], int(0));
        let order = script.construct("demo/ByLength", "()V", &[]);
        let (one, other) = (script.text("one"), script.text("other"));
        let compare = "java/util/Comparator.compare(Ljava/lang/Object;Ljava/lang/Object;)I";
        let less = script.call(compare, Some(order), &[one, other], int(0));
        let again = "demo/ByLength.compare(Ljava/lang/Object;Ljava/lang/Object;)I";
        let same = script.call(again, Some(order), &[one, one], int(0));
        vec![equal(less, Value::Int(-2)), equal(same, Value::Int(0))]
    });
    add("aClassOutOfBounds", &|script| {
        let text = palus_bytecode::Type::object("java/lang/String");
        let text = script.value(Value::ClassLiteral(text));
        let member = "demo/Shapes.isNumber(Ljava/lang/Class;)Z";
        let known = script.call(member, None, &[text], int(0));
        vec![equal(known, Value::Boolean(false))]
    });
    add("aConstantWithOtherTypeArguments", &|script| {
        let shapes = subject.class("demo/Shapes");
        let order = subject.program.find_field(shapes, "ORDER").unwrap();
        let order = script.value(Value::StaticField(order));
        let member = "demo/Shapes.isOrder(Ljava/util/Comparator;)Z";
        let known = script.call(member, None, &[order], int(0));
        vec![equal(known, Value::Boolean(true))]
    });
    add("rawResults", &|script| {
        let list = script.call("demo/Shapes.raw()Ljava/util/List;", None, &[], object("?"));
        let size = script.call("java/util/List.size()I", Some(list), &[], int(0));
        vec![equal(size, Value::Int(0))]
    });
    add("rawResultsThatAreFilled", &|script| {
        let text = script.text("x");
        let list = script.call("demo/Shapes.raw()Ljava/util/List;", None, &[], object("?"));
        let added = script.call(
            "java/util/List.add(Ljava/lang/Object;)Z",
            Some(list),
            &[text],
            int(0),
        );
        vec![equal(added, Value::Boolean(true))]
    });
    add("boxes", &|script| {
        let text = script.text("x");
        let first = script.construct("demo/Box", "()V", &[]);
        script.void("demo/Box.set(Ljava/lang/Object;)V", first, &[text]);
        let second = script.construct("demo/Box", "()V", &[]);
        script.void("demo/Box.copy(Ldemo/Box;)V", second, &[first]);
        let content = script.call(
            "demo/Box.get()Ljava/lang/Object;",
            Some(second),
            &[],
            object("?"),
        );
        let nested = script.construct("demo/Shapes$Nested", "(Ljava/lang/Object;)V", &[first]);
        let same = script.call(
            "demo/Shapes$Nested.value()Ljava/lang/Object;",
            Some(nested),
            &[],
            object("?"),
        );
        vec![
            equal(content, Value::Text("x".into())),
            Assertion {
                statement: same.0,
                expected: Expected::Same(first),
            },
        ]
    });
    add("aSubclassWithFixedArguments", &|script| {
        let text = script.text("x");
        let zero = script.int(0);
        let names = script.construct("demo/Names", "()V", &[]);
        script.call(
            "demo/Names.add(Ljava/lang/Object;)Z",
            Some(names),
            &[text],
            int(0),
        );
        let length = script.call(
            "demo/Shapes.length(Ljava/util/List;)I",
            None,
            &[names],
            int(1),
        );
        let first = script.call(
            "demo/Names.get(I)Ljava/lang/Object;",
            Some(names),
            &[zero],
            object("?"),
        );
        vec![
            equal(length, Value::Int(1)),
            equal(first, Value::Text("x".into())),
        ]
    });
    add("functions", &|script| {
        let text = script.text("out");
        let mapper = script.lambda("demo/Mapper", Some(text));
        let input = script.int(3);
        let result = script.call(
            "demo/Work.apply(Ldemo/Mapper;Ljava/lang/Object;)Ljava/lang/Object;",
            None,
            &[mapper, input],
            object("?"),
        );
        let order = script.lambda("java/util/Comparator", None);
        let compared = script.call(
            "demo/Work.compare(Ljava/util/Comparator;)I",
            None,
            &[order],
            int(0),
        );
        let runnable = script.lambda("java/lang/Runnable", None);
        script.call(
            "demo/Work.run(Ljava/lang/Runnable;)V",
            None,
            &[runnable],
            Observation::Nothing,
        );
        vec![
            equal(result, Value::Text("out".into())),
            equal(compared, Value::Int(0)),
        ]
    });
    add("values", &|script| {
        let shapes = script.construct("demo/Shapes", "()V", &[]);
        let mut call = |member: &str| {
            script.call(
                &format!("demo/Shapes.{member}"),
                Some(shapes),
                &[],
                object("?"),
            )
        };
        let color = subject.class("demo/Shapes$Color");
        vec![
            equal(
                call("color()Ldemo/Shapes$Color;"),
                Value::EnumConstant {
                    class: color,
                    name: "RED".into(),
                },
            ),
            equal(call("boxed()Ljava/lang/Integer;"), Value::Int(7)),
            equal(call("anything()Ljava/lang/Object;"), Value::Long(7)),
            equal(call("third()D"), Value::Double((1.0_f64 / 3.0).to_bits())),
            equal(call("nothing()F"), Value::Float(f32::NAN.to_bits())),
            equal(call("letter()C"), Value::Char(0x27)),
            equal(call("small()B"), Value::Byte(-3)),
            equal(call("middle()S"), Value::Short(300)),
            equal(call("large()J"), Value::Long(i64::MIN)),
            equal(call("truth()Ljava/lang/Boolean;"), Value::Boolean(true)),
            equal(call("old()I"), Value::Int(1)),
            Assertion {
                statement: call("self()Ldemo/Shapes;").0,
                expected: Expected::Same(shapes),
            },
        ]
    });
    add("halves", &|script| {
        let half = script.call(
            "demo/Shapes.half()Ljava/lang/Number;",
            None,
            &[],
            object("?"),
        );
        let literal = script.value(Value::ClassLiteral(palus_bytecode::Type::object(
            "java/lang/Integer",
        )));
        let five = script.int(-5);
        let is = script.call(
            "demo/Shapes.isType(Ljava/lang/Class;Ljava/lang/Object;)Z",
            None,
            &[literal, five],
            int(1),
        );
        vec![
            equal(half, Value::Double(0.5_f64.to_bits())),
            equal(is, Value::Boolean(true)),
        ]
    });
    add("innerClasses", &|script| {
        let shapes = script.construct("demo/Shapes", "()V", &[]);
        let inner = script.construct("demo/Shapes$Inner", "(Ldemo/Shapes;)V", &[shapes]);
        let field = script.call("demo/Shapes$Inner.outerField()I", Some(inner), &[], int(4));
        vec![equal(field, Value::Int(4))]
    });
    add("checkedExceptionsAreDeclared", &|script| {
        let shapes = script.construct("demo/Shapes", "()V", &[]);
        let one = script.int(1);
        script.void("demo/Shapes.risky(I)V", shapes, &[one]);
        Vec::new()
    });
    add("deprecatedRawAndAuxiliaryClasses", &|script| {
        let old = script.construct("demo/Old", "()V", &[]);
        let null = script.null("Ljava/lang/Object;");
        let added = script.call(
            "demo/Old.add(Ljava/lang/Object;)Z",
            Some(old),
            &[null],
            object("?"),
        );
        let part = script.construct("demo/Old$Part", "()V", &[]);
        let three = script.call("demo/Old$Part.part()I", Some(part), &[], int(3));
        let auxiliary = script.construct("demo/Auxiliary", "()V", &[]);
        let four = script.call("demo/Auxiliary.aid()I", Some(auxiliary), &[], int(4));
        vec![
            equal(added, Value::Boolean(true)),
            equal(three, Value::Int(3)),
            equal(four, Value::Int(4)),
        ]
    });
    add("inheritedFromAHiddenClass", &|script| {
        let visible = script.call(
            "other/Visible.make()Lother/Visible;",
            None,
            &[],
            object("?"),
        );
        let hidden = script.call("other/Visible.hidden()I", Some(visible), &[], int(5));
        let text = script.call(
            "other/Visible.text()Ljava/lang/CharSequence;",
            None,
            &[],
            object("?"),
        );
        let length = script.call("java/lang/CharSequence.length()I", Some(text), &[], int(3));
        vec![equal(hidden, Value::Int(5)), equal(length, Value::Int(3))]
    });
    add("overriddenWhereTestsMayNotCall", &|script| {
        let overriding = script.construct("other/Overriding", "()V", &[]);
        let guarded = script.call("demo/Guarded.guarded()I", Some(overriding), &[], int(8));
        vec![equal(guarded, Value::Int(8))]
    });
    add("simpleNamesThatClash", &|script| {
        let text = script.text("x");
        let own = script.construct("other/List", "()V", &[]);
        let size = script.call("other/List.size()I", Some(own), &[], int(9));
        let list = script.call(
            "demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;",
            None,
            &[text, text],
            object("?"),
        );
        let length = script.call(
            "demo/Shapes.length(Ljava/util/List;)I",
            None,
            &[list],
            int(2),
        );
        vec![equal(size, Value::Int(9)), equal(length, Value::Int(2))]
    });
    let mut throwing = |name: &str, exception: &str, make: &dyn Fn(&mut Script<'_>)| {
        let mut script = subject.script();
        make(&mut script);
        tests.push(test(name, script.threw(exception), Vec::new()));
    };
    throwing("risky_throws", "java/io/FileNotFoundException", &|script| {
        let shapes = script.construct("demo/Shapes", "()V", &[]);
        let minus = script.int(-1);
        script.void("demo/Shapes.risky(I)V", shapes, &[minus]);
    });
    throwing("secret_throws", "demo/Shapes$Secret", &|script| {
        let shapes = script.construct("demo/Shapes", "()V", &[]);
        script.void("demo/Shapes.secret()V", shapes, &[]);
    });
    throwing(
        "newArrayList_throws",
        "java/lang/IllegalArgumentException",
        &|script| {
            let minus = script.int(-1);
            script.construct("java/util/ArrayList", "(I)V", &[minus]);
        },
    );
    tests
}

fn check(framework: TestFramework, language_level: u32) {
    let subject = subject(SHAPES);
    let tests = tests(&subject);
    let count = tests.len();
    let style = style(framework, language_level);
    let class = test_class(&subject, "demo/Shapes", tests);
    let source = print(&subject.program, &class, &style);
    for (test, lines) in class.tests.iter().zip(&source.lines) {
        assert_ne!(*lines, (0, 0), "{} can be written", test.name);
    }
    let printed = compile_and_run(
        &subject,
        "demo/ShapesPalusTest",
        &source.text,
        &style,
        language_level,
    );
    assert_eq!(printed, format!("{count} passed\n"), "{}", source.text);
}

#[test]
fn every_shape_compiles_without_warnings_and_passes_on_java_7() {
    check(TestFramework::Junit4Early, 7);
}

#[test]
fn every_shape_compiles_without_warnings_and_passes_on_java_8() {
    check(TestFramework::Junit4Early, 8);
    check(TestFramework::Junit4, 8);
}

#[test]
fn every_shape_compiles_without_warnings_and_passes_on_java_11() {
    check(TestFramework::Jupiter, 11);
}

#[test]
fn every_shape_compiles_without_warnings_and_passes_on_java_17() {
    check(TestFramework::Jupiter, 17);
}
