//! What the reader makes of real compilers' class files, and of broken ones.

mod placed;

use crate::{
    Access, ClassId, FOR_REMOVAL, LoadError, Operation, Origin, Program, ProgramBuilder, Type,
    TypeSignature,
};
use expect_test::{Expect, expect};
use palus_fixture::{Compiled, Options, compile, compile_with, platform_class};
use std::fmt::Write;

fn load(compiled: &Compiled) -> Program {
    let mut builder = ProgramBuilder::new();
    for name in [
        "java/lang/Object",
        "java/lang/Enum",
        "java/lang/Comparable",
        "java/util/List",
    ] {
        builder
            .add(Origin::Platform, &platform_class(name).unwrap())
            .unwrap();
    }
    for (_, bytes) in &compiled.classes {
        builder.add(Origin::Subject, bytes).unwrap();
    }
    builder.finish()
}

fn program(text: &str) -> Program {
    load(&compile(&[("demo/Demo.java", text)]))
}

fn class(program: &Program, name: &str) -> ClassId {
    program.class_named(name).unwrap()
}

/// Readable form of a method's body.
fn body(program: &Program, class_name: &str, method: &str) -> String {
    let methods = &program.class(class(program, class_name)).methods;
    let method = methods
        .iter()
        .find(|&&id| &*program.method(id).name == method)
        .unwrap();
    let code = program.method(*method).code.as_ref().unwrap();
    let mut text = String::new();
    for (index, instruction) in code.instructions.iter().enumerate() {
        writeln!(
            text,
            "{index} @{} {:?}",
            instruction.offset, instruction.operation
        )
        .unwrap();
    }
    for handler in &code.handlers {
        writeln!(text, "{handler:?}").unwrap();
    }
    writeln!(text, "lines {:?}", code.lines).unwrap();
    text
}

fn check_body(java: &str, method: &str, expected: &Expect) {
    expected.assert_eq(&body(&program(java), "demo/Demo", method));
}

#[test]
fn jumps_lead_to_instruction_indices() {
    check_body(
        "package demo;\nclass Demo {\n  int limit(int x) {\n    if (x < 3) return 7;\n    return x;\n  }\n}",
        "limit",
        &expect![[r"
            0 @0 Load { slot: 1 }
            1 @1 Int(3)
            2 @2 JumpIfInts { condition: GreaterOrEqual, target: 5 }
            3 @5 Int(7)
            4 @7 Return { value: true }
            5 @8 Load { slot: 1 }
            6 @9 Return { value: true }
            lines [(0, 4), (5, 5)]
        "]],
    );
}

#[test]
fn both_switches_and_handlers_are_decoded() {
    check_body(
        "package demo; class Demo { int pick(int x) { try { switch (x) { case 1: return 1; \
         case 900: return 2; } switch (x) { case 4: case 5: case 6: return 3; default: return 4; } } \
         catch (RuntimeException e) { return 5; } } }",
        "pick",
        &expect![[r#"
            0 @0 Load { slot: 1 }
            1 @1 Switch { cases: [(1, 2), (900, 4)], default: 6 }
            2 @28 Int(1)
            3 @29 Return { value: true }
            4 @30 Int(2)
            5 @31 Return { value: true }
            6 @32 Load { slot: 1 }
            7 @33 Switch { cases: [(4, 8), (5, 8), (6, 8)], default: 10 }
            8 @60 Int(3)
            9 @61 Return { value: true }
            10 @62 Int(4)
            11 @63 Return { value: true }
            12 @64 Store { slot: 2 }
            13 @65 Int(5)
            14 @66 Return { value: true }
            Handler { start: 0, end: 3, target: 12, catches: Some("java/lang/RuntimeException") }
            Handler { start: 4, end: 5, target: 12, catches: Some("java/lang/RuntimeException") }
            Handler { start: 6, end: 9, target: 12, catches: Some("java/lang/RuntimeException") }
            Handler { start: 10, end: 11, target: 12, catches: Some("java/lang/RuntimeException") }
            lines [(0, 1)]
        "#]],
    );
}

#[test]
fn lambdas_name_their_body_and_concatenation_is_known() {
    let text = body(
        &program(
            "package demo; class Demo { String m(int x) { Runnable r = () -> {}; r.run(); return \"a\" + x; } }",
        ),
        "demo/Demo",
        "m",
    );
    assert!(
        text.contains(
            r#"implementation: Some(MethodName { owner: "demo/Demo", name: "lambda$m$0", descriptor: "()V" }), is_opaque: false, is_concat: false"#
        )
    );
    assert!(text.contains("is_concat: true, recipe: Some("), "{text}");
}

#[test]
fn constants_of_every_kind_are_read() {
    let text = body(
        &program(
            "package demo; class Demo { Object[] m() { return new Object[] { 70000, 5L, 1.5f, 2.5, \"t\\u00e4xt\", \
             Demo.class, int[].class, new int[3][4] }; } }",
        ),
        "demo/Demo",
        "m",
    );
    for wanted in [
        "Int(70000)",
        "Long(5)",
        "Float(1.5)",
        "Double(2.5)",
        "Text(\"täxt\")",
        "ClassLiteral(Object(\"demo/Demo\"))",
        "ClassLiteral(Array(Int))",
        "NewArray { array_type: Array(Array(Int)), dimensions: 2 }",
        "NewArray { array_type: Array(Object(\"java/lang/Object\")), dimensions: 1 }",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
}

#[test]
fn half_a_surrogate_pair_is_marked_as_unusable() {
    let text = "package demo; class Demo { String m() { return \"x\\ud83d\"; } }";
    let program = program(text);
    let method = program.class(class(&program, "demo/Demo")).methods[1];
    let code = program.method(method).code.as_ref().unwrap();
    let Operation::Text(constant) = &code.instructions[0].operation else {
        panic!("{code:?}")
    };
    assert!(
        constant.starts_with('x') && constant.contains('\u{fffd}'),
        "{constant}"
    );
}

#[test]
fn nested_classes_have_the_access_their_source_says() {
    let program = program(
        "package demo; public class Demo { private static class Hidden {} protected class Inner { class Deep {} } \
         static Object make() { class Local { class Member {} } return new Object() {}; } enum Colour { RED {} } }",
    );
    let mut lines = String::new();
    for class in program
        .classes()
        .iter()
        .filter(|class| class.origin == Origin::Subject)
    {
        let Access(bits) = class.access;
        writeln!(
            lines,
            "{} {:#x} outer {:?} inner {:?} local {} source {:?}",
            class.name,
            bits & 0xf,
            class.outer.as_deref(),
            class.inner_name.as_deref(),
            class.is_local,
            program.source_name(class.id),
        )
        .unwrap();
    }
    expect![[r#"
        demo/Demo 0x1 outer None inner None local false source Some("demo.Demo")
        demo/Demo$1 0x0 outer None inner None local true source None
        demo/Demo$1Local 0x0 outer None inner None local true source None
        demo/Demo$1Local$Member 0x0 outer Some("demo/Demo$1Local") inner Some("Member") local false source None
        demo/Demo$Colour 0x8 outer Some("demo/Demo") inner Some("Colour") local false source Some("demo.Demo.Colour")
        demo/Demo$Colour$1 0x0 outer None inner None local true source None
        demo/Demo$Hidden 0xa outer Some("demo/Demo") inner Some("Hidden") local false source Some("demo.Demo.Hidden")
        demo/Demo$Inner 0x4 outer Some("demo/Demo") inner Some("Inner") local false source Some("demo.Demo.Inner")
        demo/Demo$Inner$Deep 0x0 outer Some("demo/Demo$Inner") inner Some("Deep") local false source Some("demo.Demo.Inner.Deep")
    "#]]
    .assert_eq(&lines);
}

#[test]
fn generic_signatures_are_parsed() {
    let program = program(
        "package demo; import java.util.*; abstract class Demo<T extends Comparable<T> & Runnable, U> extends \
         AbstractList<Map.Entry<T, ? super U[]>> { List<? extends T> field; \
         <X extends Exception> int[] m(Map<String, ?> a, long b, T[] c) throws X { return null; } }",
    );
    let demo = program.class(class(&program, "demo/Demo"));
    let signature = demo.signature.as_ref().unwrap();
    assert_eq!(&*signature.parameters[0].name, "T");
    assert_eq!(signature.parameters[0].bounds.len(), 2);
    assert_eq!(signature.parameters[1].bounds.len(), 1);
    let TypeSignature::Class { name, arguments } = &signature.supertypes[0] else {
        panic!()
    };
    assert_eq!(&**name, "java/util/AbstractList");
    let Some(TypeSignature::Class { name, arguments }) = &arguments[0].signature else {
        panic!()
    };
    assert_eq!(&**name, "java/util/Map$Entry");
    assert_eq!(arguments[1].bound, crate::Bound::Super);
    let method =
        program.declared_method(demo.id, "m", "(Ljava/util/Map;J[Ljava/lang/Comparable;)[I");
    let method = program.method(method.unwrap());
    let signature = method.signature.as_ref().unwrap();
    assert_eq!(signature.parameters[1], TypeSignature::Plain(Type::Long));
    assert_eq!(signature.parameters.len(), 3);
    assert_eq!(
        signature.returns,
        TypeSignature::Array(Box::new(TypeSignature::Plain(Type::Int)))
    );
    assert_eq!(method.exceptions, ["java/lang/Exception".into()]);
    let field = program.field(program.find_field(demo.id, "field").unwrap());
    let Some(TypeSignature::Class { arguments, .. }) = &field.signature else {
        panic!()
    };
    assert_eq!(arguments[0].bound, crate::Bound::Extends);
}

#[test]
fn parameters_get_their_names_from_either_table() {
    let files = [(
        "A.java",
        "class A { A(long first, String second) {} static void s(int only) {} }",
    )];
    let debug = Options::default();
    let named = Options {
        parameters: true,
        without_debug: true,
        ..Options::default()
    };
    let unnamed = Options {
        without_debug: true,
        ..Options::default()
    };
    for (options, expected) in [(debug, true), (named, true), (unnamed, false)] {
        let program = load(&compile_with(&files, &options));
        let methods = &program.class(class(&program, "A")).methods;
        let found: Vec<_> = methods
            .iter()
            .map(|&id| program.method(id).parameter_names.join(" "))
            .collect();
        let wanted = if expected {
            ["first second", "only"]
        } else {
            ["", ""]
        };
        assert_eq!(found, wanted);
    }
}

#[test]
fn marks_of_classes_and_members_are_read() {
    let program = program(
        "package demo; @Deprecated final class Demo { static final long LIMIT = 9; static final String NAME = \"n\"; \
         @Deprecated void old() {} @Deprecated(forRemoval = true) void oldest() {} } sealed interface Shape permits Round {} record Round(int r) implements Shape {}",
    );
    let demo = program.class(class(&program, "demo/Demo"));
    assert_eq!(demo.annotations, ["java/lang/Deprecated".into()]);
    assert_eq!(demo.source_file.as_deref(), Some("Demo.java"));
    let constants: Vec<_> = demo
        .fields
        .iter()
        .map(|&id| program.field(id).constant.clone().unwrap())
        .collect();
    assert_eq!(constants, [Operation::Long(9), Operation::Text("n".into())]);
    assert!(program.method(demo.methods[1]).is_deprecated);
    let says_removal = |at: usize| {
        let annotations = &program.method(demo.methods[at]).annotations;
        annotations.iter().any(|name| &**name == FOR_REMOVAL)
    };
    assert_eq!([1, 2].map(says_removal), [false, true]);
    assert!(!program.method(demo.methods[0]).is_deprecated);
    let (shape, round) = (class(&program, "demo/Shape"), class(&program, "demo/Round"));
    assert_eq!(program.class(shape).permitted, ["demo/Round".into()]);
    assert!(program.class(round).is_record);
    assert_eq!(program.subclasses(shape), [round]);
}

#[test]
fn a_class_comes_before_what_is_nested_in_it() {
    let program = program(
        "package demo; class Demo { class B { class C {} } static class A {} } class DemoToo {}",
    );
    let demo = class(&program, "demo/Demo");
    let nest = program.nest(demo).into_iter();
    let names: Vec<&str> = nest.map(|id| &*program.class(id).name).collect();
    assert_eq!(
        names,
        ["demo/Demo", "demo/Demo$A", "demo/Demo$B", "demo/Demo$B$C"]
    );
    assert!(program.is_in_nest(demo, class(&program, "demo/Demo$B$C")));
    assert!(!program.is_in_nest(demo, class(&program, "demo/DemoToo")));
    assert!(!program.is_in_nest(class(&program, "demo/Demo$A"), demo));
}

#[test]
fn a_class_has_an_internal_and_a_binary_name() {
    let program = program("package demo.p; class Demo { class B {} }");
    let nested = class(&program, "demo/p/Demo$B");
    assert_eq!(program.class(nested).binary_name(), "demo.p.Demo$B");
    assert_eq!(crate::internal_name("demo.p.Demo$B"), "demo/p/Demo$B");
    assert_eq!(crate::binary_name("demo/p"), "demo.p");
}

#[test]
fn constructors_and_class_initialisers_are_known_as_such() {
    let program = program(
        "class Demo { static int a = hashed(); static int hashed() { return 1; } Demo() { hashed(); } }",
    );
    let demo = program.class(class(&program, "Demo"));
    let of = |is: fn(&crate::Method) -> bool| {
        let methods = demo.methods.iter().map(|&id| program.method(id));
        let names = methods
            .filter(|method| is(method))
            .map(|method| &*method.name);
        names.collect::<Vec<_>>()
    };
    assert_eq!(of(crate::Method::is_constructor), ["<init>"]);
    assert_eq!(of(crate::Method::is_initializer), ["<clinit>"]);
    let made = crate::MethodName {
        owner: "Demo".into(),
        name: "<init>".into(),
        descriptor: "()V".into(),
    };
    assert!(made.is_constructor());
}

#[test]
fn members_are_resolved_as_the_jvm_does() {
    let program = program(
        "package demo; interface I { void run(); default int size() { return 1; } } \
         class C { public void run() {} } class B extends C {} class A extends B implements I {} class Demo {}",
    );
    let owner = |class_name: &str, name: &str, descriptor: &str| {
        let found = program
            .find_method(class(&program, class_name), name, descriptor)
            .unwrap();
        program.class(program.method(found).class).name.to_string()
    };
    assert_eq!(owner("demo/A", "run", "()V"), "demo/C");
    assert_eq!(owner("demo/A", "size", "()I"), "demo/I");
    assert_eq!(owner("demo/A", "hashCode", "()I"), "java/lang/Object");
    assert!(
        program
            .find_method(class(&program, "demo/A"), "<init>", "(I)V")
            .is_none()
    );
    let type_of = |name: &str| Type::object(name);
    assert!(program.is_assignable(&type_of("demo/A"), &type_of("demo/I")));
    assert!(!program.is_assignable(&type_of("demo/C"), &type_of("demo/I")));
    let array = |element: Type| Type::Array(Box::new(element));
    assert!(program.is_assignable(&array(type_of("demo/A")), &array(type_of("demo/C"))));
    assert!(!program.is_assignable(&array(Type::Int), &array(Type::Long)));
}

#[test]
fn class_files_of_old_and_new_levels_are_read() {
    for release in [8, 9, 11, 17] {
        let options = Options {
            release: Some(release),
            ..Options::default()
        };
        let text = "class A { String m(int x) { return \"a\" + x; } }";
        let compiled = compile_with(&[("A.java", text)], &options);
        let program = load(&compiled);
        assert_eq!(
            program.class(class(&program, "A")).major_version,
            release + 44
        );
        for version in (45..=50).chain(66..=69).chain([75]) {
            let mut bytes = compiled.bytes("A").to_vec();
            bytes[7] = version;
            let old = version < 51 && release > 8;
            let result = ProgramBuilder::new().add(Origin::Subject, &bytes);
            // Concatenation by invokedynamic, which a class of level 50 may not hold.
            assert_eq!(result.is_err(), old, "{release} as {version}: {result:?}");
        }
    }
}

#[test]
fn names_that_are_needed_but_not_loaded_are_listed() {
    let compiled = compile(&[(
        "demo/Demo.java",
        "package demo; import java.util.*; class Demo extends Random implements Iterable<Locale> { \
         Map<String, ? extends Date> field; static class Inner {} \
         public Iterator<Locale> iterator() { return null; } void m(BitSet[] a) throws InterruptedException {} }",
    )]);
    let mut builder = ProgramBuilder::new();
    builder
        .add(Origin::Subject, compiled.bytes("demo/Demo"))
        .unwrap();
    let missing: Vec<_> = builder.missing().iter().map(ToString::to_string).collect();
    assert_eq!(
        missing,
        [
            "java/lang/InterruptedException",
            "java/lang/Iterable",
            "java/lang/String",
            "java/util/BitSet",
            "java/util/Date",
            "java/util/Iterator",
            "java/util/Locale",
            "java/util/Map",
            "java/util/Random",
        ]
    );
    let mut inner = ProgramBuilder::new();
    inner
        .add(Origin::Subject, compiled.bytes("demo/Demo$Inner"))
        .unwrap();
    assert!(inner.missing().contains("demo/Demo"));
}

#[test]
fn a_platform_class_keeps_its_declarations_but_no_code() {
    let program = program("package demo; class Demo {}");
    let list = program.class(class(&program, "java/util/List"));
    assert!(list.methods.len() > 20);
    assert!(
        list.methods
            .iter()
            .all(|&id| program.method(id).code.is_none())
    );
}

#[test]
fn the_classes_that_fill_what_the_subject_reads_are_followed_by_what_their_initialisers_call() {
    let compiled = compile(&[
        (
            "demo/Demo.java",
            "package demo; class Demo { boolean is() { Beside.call(); return Lib.IS; } }",
        ),
        (
            "demo/Lib.java",
            "package demo; class Lib { static final boolean IS = ask(), ON = Far.ON; \
            static boolean ask() { return Other.ask(\"x\"); } static void not() { Beside.call(); } }",
        ),
        (
            "demo/Other.java",
            "package demo; class Other { static boolean ask(String s) { return s.isEmpty(); } }",
        ),
        (
            "demo/Far.java",
            "package demo; class Far { static boolean ON = Beyond.on(); }",
        ),
        (
            "demo/Beyond.java",
            "package demo; class Beyond { static boolean on() { return true; } }",
        ),
        (
            "demo/Beside.java",
            "package demo; class Beside { static void call() { } }",
        ),
    ]);
    let mut builder = ProgramBuilder::new();
    let mut add = |origin, name| {
        builder.add(origin, compiled.bytes(name)).unwrap();
        Vec::from_iter(builder.filling()).join(" ")
    };
    assert_eq!(add(Origin::Subject, "demo/Demo"), "demo/Lib");
    assert_eq!(add(Origin::Library, "demo/Lib"), "demo/Far demo/Other");
    assert_eq!(add(Origin::Library, "demo/Far"), "demo/Beyond demo/Other");
    assert_eq!(add(Origin::Library, "demo/Beyond"), "demo/Other");
    assert_eq!(add(Origin::Library, "demo/Other"), "");
}

#[test]
fn the_first_of_two_equal_names_stays() {
    let compiled = compile(&[("demo/Demo.java", "package demo; class Demo {}")]);
    let mut builder = ProgramBuilder::new();
    let first = builder
        .add(Origin::Subject, compiled.bytes("demo/Demo"))
        .unwrap();
    let second = builder.add(Origin::Library, compiled.bytes("demo/Demo"));
    assert_eq!(second, Err(LoadError::Duplicate("demo/Demo".into())));
    assert_eq!(builder.finish().class(first).origin, Origin::Subject);
}

#[test]
fn module_and_package_descriptors_are_no_classes() {
    let module = compile(&[("module-info.java", "module demo {}")]);
    let package = compile(&[("demo/package-info.java", "@Deprecated package demo;")]);
    for compiled in [module, package] {
        let (_, bytes) = &compiled.classes[0];
        let result = ProgramBuilder::new().add(Origin::Subject, bytes);
        assert!(
            matches!(result, Err(LoadError::Descriptor(_))),
            "{result:?}"
        );
    }
}

const RICH: &str = "package demo; import java.util.*; @interface Mark { String[] value() default {\"x\"}; int n() \
    default 3; } @Mark({\"a\", \"b\"}) class Demo<T extends Number> { @Mark(\"f\") static final double D = 1.5; \
    int pick(@Mark(\"p\") int x) { try { switch (x) { case 1: return 1; case 900: return 2; } \
    switch (x) { case 4: case 5: case 6: case 7: return 3; } } catch (RuntimeException e) { x++; } \
    Runnable r = () -> System.out.println(D); r.run(); return (\"\" + x).length(); } record R(int a, String b) {} }";

#[test]
fn a_class_cut_short_anywhere_is_an_error_and_adds_nothing() {
    let compiled = compile(&[("demo/Demo.java", RICH)]);
    for (name, bytes) in &compiled.classes {
        let mut builder = ProgramBuilder::new();
        for end in 0..bytes.len() {
            let result = builder.add(Origin::Subject, &bytes[..end]);
            assert!(
                matches!(result, Err(LoadError::Malformed(_))),
                "{name} cut at {end}"
            );
        }
        builder.add(Origin::Subject, bytes).unwrap();
        assert_eq!(builder.finish().classes().len(), 1);
    }
}

#[test]
fn no_changed_byte_makes_the_reader_panic() {
    let compiled = compile(&[("demo/Demo.java", RICH)]);
    for (_, bytes) in &compiled.classes {
        for position in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xaa, 0xff, bytes[position] ^ 4] {
                let mut changed = bytes.clone();
                changed[position] = value;
                let mut builder = ProgramBuilder::new();
                let _ = builder.add(Origin::Subject, &changed);
                builder.missing();
                let program = builder.finish();
                for class in program.classes() {
                    program.source_name(class.id);
                    program.is_class_accessible(class.id, "demo");
                }
            }
        }
    }
}

#[test]
fn a_body_is_refused_where_a_handler_covers_nothing() {
    let text = "package demo; public class Demo { public static int f() { \
         try { return Integer.parseInt(\"1\"); } catch (RuntimeException e) { return 2; } } }";
    let bytes = compile(&[("demo/Demo.java", text)])
        .bytes("demo/Demo")
        .to_vec();
    let table = [0, 1, 0, 0, 0, 5, 0, 6];
    let at = bytes
        .windows(table.len())
        .position(|window| window == table)
        .unwrap();
    let read = |range: [u8; 4]| {
        let mut changed = bytes.clone();
        changed[at + 2..at + 6].copy_from_slice(&range);
        ProgramBuilder::new().add(Origin::Subject, &changed)
    };
    assert!(read([0, 0, 0, 5]).is_ok());
    for range in [[0, 5, 0, 5], [0, 5, 0, 0]] {
        let Err(LoadError::Malformed(reason)) = read(range) else {
            panic!("no JVM loads {range:?}")
        };
        assert_eq!(reason, "code of f()I");
    }
}

#[test]
fn a_switch_that_claims_two_billion_cases_is_refused() {
    let compiled = compile(&[("demo/Demo.java", RICH)]);
    let bytes = compiled.bytes("demo/Demo");
    // The table's bounds 4 and 7, as two big-endian ints.
    let bounds = [0, 0, 0, 4, 0, 0, 0, 7];
    let at = bytes
        .windows(8)
        .position(|window| window == bounds)
        .unwrap();
    for high in [0x7f, 0x10] {
        let mut changed = bytes.to_vec();
        changed[at + 4] = high;
        let result = ProgramBuilder::new().add(Origin::Subject, &changed);
        let Err(LoadError::Malformed(reason)) = result else {
            panic!("{result:?}")
        };
        assert!(reason.contains("more cases"), "{reason}");
    }
}

#[test]
fn annotations_nested_without_end_are_refused() {
    let compiled = compile(&[("demo/Demo.java", RICH)]);
    let bytes = compiled.bytes("demo/Mark");
    // The default of `value`: an array of one String.
    let at = bytes
        .windows(4)
        .position(|window| window == [b'[', 0, 1, b's'])
        .unwrap();
    let levels = 100_000;
    let mut changed = bytes[..at].to_vec();
    for _ in 0..levels {
        changed.extend([b'[', 0, 1]);
    }
    changed.extend(&bytes[at..]);
    let length = u32::from_be_bytes(changed[at - 4..at].try_into().unwrap()) + 3 * levels;
    changed[at - 4..at].copy_from_slice(&length.to_be_bytes());
    let result = ProgramBuilder::new().add(Origin::Subject, &changed);
    let Err(LoadError::Malformed(reason)) = result else {
        panic!("{result:?}")
    };
    assert!(reason.contains("nested too deeply"), "{reason}");
}

#[test]
fn classes_that_claim_to_lie_in_each_other_have_no_source_name() {
    let compiled = compile(&[(
        "demo/Demo.java",
        "package demo; class Demo { class A {} class B {} }",
    )]);
    let mut builder = ProgramBuilder::new();
    for (from, to) in [
        ("demo/Demo$A", "demo/Demo$B"),
        ("demo/Demo$B", "demo/Demo$A"),
    ] {
        builder.add(Origin::Subject, compiled.bytes(from)).unwrap();
        let class = builder.program.classes.last_mut().unwrap();
        class.outer = Some(to.into());
    }
    let program = builder.finish();
    assert_eq!(program.source_name(class(&program, "demo/Demo$A")), None);
    assert!(!program.is_class_accessible(class(&program, "demo/Demo$B"), "demo"));
}

#[test]
fn an_instruction_takes_at_most_five_words() {
    // Class paths hold tens of millions of instructions.
    assert!(
        size_of::<crate::Instruction>() <= 40,
        "{}",
        size_of::<crate::Instruction>()
    );
}

#[test]
fn names_are_told_apart_where_one_lies_in_the_place_of_another() {
    // Class after class in the same bytes of memory: what was remembered of one says nothing of the next.
    let names = ["aa", "bb", "cc"];
    let texts = names.map(|name| {
        format!("class A{name} {{ int {name}; int get() {{ return {name}; }} Object o() {{ return \"{name}\"; }} }}")
    });
    let mut buffer = Vec::new();
    let mut builder = ProgramBuilder::new();
    for text in &texts {
        buffer.clear();
        buffer.extend_from_slice(&compile(&[("A.java", text)]).classes[0].1);
        builder.add(Origin::Subject, &buffer).unwrap();
    }
    let program = builder.finish();
    for name in names {
        let code = body(&program, &format!("A{name}"), "get");
        assert!(
            code.contains(&format!("owner: \"A{name}\", name: \"{name}\"")),
            "{code}"
        );
        assert!(body(&program, &format!("A{name}"), "o").contains(&format!("Text(\"{name}\")")));
    }
}
