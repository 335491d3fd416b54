//! Written tests compile without a warning and pass, for every framework and language level.
//!
//! JUnit is stood in for by a few lines with the same signatures, so that no registry is needed; the overloads of
//! `assertEquals` are JUnit's own, because they decide whether a call is ambiguous.

use super::printed::{equal, style, test, test_class};
use crate::testing::{Script, Subject, int, object, subject};
use crate::{Assertion, Expected, Style, Test, TestFramework, print};
use palus_sequence::{Observation, Value};
use std::path::Path;
use std::process::Command;

pub(super) const SHAPES: &[(&str, &str)] = &[
    (
        "demo/Shapes.java",
        r#"package demo;
        import java.util.*;
        public class Shapes {
          public int field = 4;
          public static final Shapes INSTANCE = new Shapes();
          protected Color color = Color.RED;
          public enum Color { RED, GREEN { } }
          public static String over(Object value) { return "Object"; }
          public static String over(String value) { return "String"; }
          public static String over(CharSequence value) { return "CharSequence"; }
          public static String over(int value) { return "int"; }
          public static String over(long value) { return "long"; }
          public static String over(char value) { return "char"; }
          public static String over(byte value) { return "byte"; }
          public static String over(Integer value) { return "Integer"; }
          public static String over(List<String> value) { return "List"; }
          public static String over(Object[] value) { return "Object[]"; }
          public static String over(int[] value) { return "int[]"; }
          public static String two(Object first, String second) { return "OS"; }
          public static String two(String first, Object second) { return "SO"; }
          public static int count(Object... values) { return values == null ? -1 : values.length; }
          public static int sum(int... values) { int sum = 0; for (int v : values) sum += v; return sum; }
          public static <T> List<T> listOf(T first, T second) { return Arrays.asList(first, second); }
          public static <T extends Comparable<T>> T greater(T first, T second) {
            return first.compareTo(second) > 0 ? first : second;
          }
          public static <T> T only() { return null; }
          public static List<String> names() { return new ArrayList<String>(Arrays.asList("a", "b")); }
          public static int total(Collection<? extends Number> numbers) {
            int total = 0; for (Number n : numbers) total += n.intValue(); return total;
          }
          public static int length(List<String> texts) {
            int length = 0; for (String text : texts) length += text.length(); return length;
          }
          @SuppressWarnings("rawtypes") public static List raw() { return new ArrayList(); }
          @SuppressWarnings("rawtypes") public static int sizeOf(Collection raw) { return raw.size(); }
          @Deprecated public int old() { return 1; }
          public void risky(int value) throws java.io.IOException {
            if (value < 0) throw new java.io.FileNotFoundException("x");
          }
          public Color color() { return color; }
          public Integer boxed() { return 7; }
          public Object anything() { return 7L; }
          public double third() { return 1.0 / 3; }
          public float nothing() { return Float.NaN; }
          public char letter() { return '\''; }
          public byte small() { return -3; }
          public short middle() { return 300; }
          public long large() { return Long.MIN_VALUE; }
          public Boolean truth() { return true; }
          public Shapes self() { return this; }
          public static Number half() { return 0.5; }
          public static boolean isType(Class<?> type, Object value) { return type.isInstance(value); }
          public class Inner { public int outerField() { return field; } }
          public static class Nested<T> { T value; public Nested(T value) { this.value = value; } public T value() { return value; } }
          private static class Secret extends IllegalStateException {
            private static final long serialVersionUID = 1L;
          }
          public void secret() { throw new Secret(); }
        }"#,
    ),
    (
        "demo/Box.java",
        "package demo;
        public class Box<T> {
          private T content;
          public void set(T content) { this.content = content; }
          public T get() { return content; }
          public void copy(Box<? extends T> other) { content = other.get(); }
        }",
    ),
    (
        "demo/Names.java",
        "package demo;
        import java.util.*;
        public class Names extends ArrayList<String> {
          private static final long serialVersionUID = 1L;
        }",
    ),
    (
        "demo/Mapper.java",
        "package demo;
        public interface Mapper<A, B> { B map(A input); }",
    ),
    (
        "demo/Work.java",
        "package demo;
        import java.util.*;
        public class Work {
          public static <A, B> B apply(Mapper<A, B> mapper, A input) { return mapper.map(input); }
          public static void run(Runnable runnable) { runnable.run(); }
          public static int compare(Comparator<String> order) { return order.compare(\"a\", \"b\"); }
        }",
    ),
    (
        "other/Hidden.java",
        "package other;
        class Hidden {
          public int hidden() { return 5; }
          public static class Public { public int value() { return 6; } }
        }",
    ),
    (
        "other/Visible.java",
        "package other;
        public class Visible extends Hidden {
          public static Visible make() { return new Visible(); }
          public static CharSequence text() { return new Text(); }
          private static class Text implements CharSequence {
            public char charAt(int index) { return 'x'; }
            public int length() { return 3; }
            public CharSequence subSequence(int start, int end) { return this; }
          }
        }",
    ),
    (
        "other/List.java",
        "package other;
        public class List { public int size() { return 9; } }",
    ),
];

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
        ("Object", "Ljava/lang/Object;", Value::Null(palus_bytecode::Type::object("java/lang/Object"))),
        ("String", "Ljava/lang/String;", Value::Null(palus_bytecode::Type::object("java/lang/String"))),
        ("String", "Ljava/lang/String;", Value::Text("x".into())),
        ("CharSequence", "Ljava/lang/CharSequence;", Value::Text("x".into())),
        ("int", "I", Value::Int(5)),
        ("long", "J", Value::Long(5)),
        ("char", "C", Value::Char(0x27)),
        ("byte", "B", Value::Byte(-1)),
        ("Integer", "Ljava/lang/Integer;", Value::Int(-5)),
        ("List", "Ljava/util/List;", Value::Null(palus_bytecode::Type::object("java/util/List"))),
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
        let texts = script.array("Ljava/lang/String;", &[text]);
        let numbers = script.array("I", &[number]);
        let first = script.call("demo/Shapes.over([Ljava/lang/Object;)Ljava/lang/String;", None, &[texts], object("?"));
        let second = script.call("demo/Shapes.over([I)Ljava/lang/String;", None, &[numbers], object("?"));
        let third = script.call("demo/Shapes.over(Ljava/lang/Object;)Ljava/lang/String;", None, &[numbers], object("?"));
        vec![
            equal(first, Value::Text("Object[]".into())),
            equal(second, Value::Text("int[]".into())),
            equal(third, Value::Text("Object".into())),
        ]
    });
    add("two", &|script| {
        let text = script.text("x");
        let first = script.call("demo/Shapes.two(Ljava/lang/Object;Ljava/lang/String;)Ljava/lang/String;", None, &[text, text], object("?"));
        let null = script.null("Ljava/lang/String;");
        let second = script.call("demo/Shapes.two(Ljava/lang/String;Ljava/lang/Object;)Ljava/lang/String;", None, &[null, null], object("?"));
        vec![equal(first, Value::Text("OS".into())), equal(second, Value::Text("SO".into()))]
    });
    add("varargs", &|script| {
        let text = script.text("x");
        let texts = script.array("Ljava/lang/String;", &[text, text]);
        let null = script.null("[Ljava/lang/Object;");
        let none = script.array("I", &[]);
        let first = script.call("demo/Shapes.count([Ljava/lang/Object;)I", None, &[texts], int(2));
        let second = script.call("demo/Shapes.count([Ljava/lang/Object;)I", None, &[null], int(-1));
        let third = script.call("demo/Shapes.sum([I)I", None, &[none], int(0));
        vec![equal(first, Value::Int(2)), equal(second, Value::Int(-1)), equal(third, Value::Int(0))]
    });
    add("listOfStrings", &|script| {
        let text = script.text("abc");
        let zero = script.int(0);
        let list = script.new("java/util/ArrayList", "()V", &[]);
        let added = script.call("java/util/ArrayList.add(Ljava/lang/Object;)Z", Some(list), &[text], int(0));
        let length = script.call("demo/Shapes.length(Ljava/util/List;)I", None, &[list], int(3));
        let first = script.call("java/util/ArrayList.get(I)Ljava/lang/Object;", Some(list), &[zero], object("?"));
        let size = script.call("demo/Shapes.sizeOf(Ljava/util/Collection;)I", None, &[list], int(1));
        vec![
            equal(added, Value::Boolean(true)),
            equal(length, Value::Int(3)),
            equal(first, Value::Text("abc".into())),
            equal(size, Value::Int(1)),
        ]
    });
    add("numbers", &|script| {
        let five = script.int(5);
        let long = script.value(Value::Long(6));
        let list = script.new("java/util/LinkedList", "()V", &[]);
        script.call("java/util/LinkedList.add(Ljava/lang/Object;)Z", Some(list), &[five], int(0));
        let list2 = script.new("java/util/HashSet", "()V", &[]);
        script.call("java/util/HashSet.add(Ljava/lang/Object;)Z", Some(list2), &[five], int(0));
        script.call("java/util/HashSet.add(Ljava/lang/Object;)Z", Some(list2), &[long], int(0));
        let copy = script.new("java/util/ArrayList", "(Ljava/util/Collection;)V", &[list]);
        let total = script.call("demo/Shapes.total(Ljava/util/Collection;)I", None, &[copy], int(5));
        let size = script.call("java/util/HashSet.size()I", Some(list2), &[], int(2));
        vec![equal(total, Value::Int(5)), equal(size, Value::Int(2))]
    });
    add("contradictingUsesNeedRawTypes", &|script| {
        let five = script.int(5);
        let list = script.new("java/util/ArrayList", "()V", &[]);
        script.call("java/util/ArrayList.add(Ljava/lang/Object;)Z", Some(list), &[five], int(0));
        script.call("java/util/ArrayList.clear()V", Some(list), &[], Observation::Nothing);
        let length = script.call("demo/Shapes.length(Ljava/util/List;)I", None, &[list], int(0));
        vec![equal(length, Value::Int(0))]
    });
    add("genericMethods", &|script| {
        let text = script.text("b");
        let other = script.text("a");
        let five = script.int(5);
        let list = script.call("demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;", None, &[text, other], object("?"));
        let size = script.call("java/util/List.size()I", Some(list), &[], int(2));
        let mixed = script.call("demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;", None, &[text, five], object("?"));
        let mixed_size = script.call("java/util/List.size()I", Some(mixed), &[], int(2));
        let greater = script.call("demo/Shapes.greater(Ljava/lang/Comparable;Ljava/lang/Comparable;)Ljava/lang/Comparable;", None, &[text, other], object("?"));
        let nothing = script.call("demo/Shapes.only()Ljava/lang/Object;", None, &[], Observation::Null);
        vec![
            equal(size, Value::Int(2)),
            equal(mixed_size, Value::Int(2)),
            equal(greater, Value::Text("b".into())),
            Assertion { statement: nothing.0, expected: Expected::Null },
        ]
    });
    add("rawResults", &|script| {
        let list = script.call("demo/Shapes.raw()Ljava/util/List;", None, &[], object("?"));
        let size = script.call("java/util/List.size()I", Some(list), &[], int(0));
        vec![equal(size, Value::Int(0))]
    });
    add("rawResultsThatAreFilled", &|script| {
        let text = script.text("x");
        let list = script.call("demo/Shapes.raw()Ljava/util/List;", None, &[], object("?"));
        let added = script.call("java/util/List.add(Ljava/lang/Object;)Z", Some(list), &[text], int(0));
        vec![equal(added, Value::Boolean(true))]
    });
    add("boxes", &|script| {
        let text = script.text("x");
        let first = script.new("demo/Box", "()V", &[]);
        script.void("demo/Box.set(Ljava/lang/Object;)V", first, &[text]);
        let second = script.new("demo/Box", "()V", &[]);
        script.void("demo/Box.copy(Ldemo/Box;)V", second, &[first]);
        let content = script.call("demo/Box.get()Ljava/lang/Object;", Some(second), &[], object("?"));
        let nested = script.new("demo/Shapes$Nested", "(Ljava/lang/Object;)V", &[first]);
        let same = script.call("demo/Shapes$Nested.value()Ljava/lang/Object;", Some(nested), &[], object("?"));
        vec![equal(content, Value::Text("x".into())), Assertion { statement: same.0, expected: Expected::Same(first) }]
    });
    add("aSubclassWithFixedArguments", &|script| {
        let text = script.text("x");
        let zero = script.int(0);
        let names = script.new("demo/Names", "()V", &[]);
        script.call("demo/Names.add(Ljava/lang/Object;)Z", Some(names), &[text], int(0));
        let length = script.call("demo/Shapes.length(Ljava/util/List;)I", None, &[names], int(1));
        let first = script.call("demo/Names.get(I)Ljava/lang/Object;", Some(names), &[zero], object("?"));
        vec![equal(length, Value::Int(1)), equal(first, Value::Text("x".into()))]
    });
    add("functions", &|script| {
        let text = script.text("out");
        let mapper = script.lambda("demo/Mapper", Some(text));
        let input = script.int(3);
        let result = script.call("demo/Work.apply(Ldemo/Mapper;Ljava/lang/Object;)Ljava/lang/Object;", None, &[mapper, input], object("?"));
        let order = script.lambda("java/util/Comparator", None);
        let compared = script.call("demo/Work.compare(Ljava/util/Comparator;)I", None, &[order], int(0));
        let runnable = script.lambda("java/lang/Runnable", None);
        script.call("demo/Work.run(Ljava/lang/Runnable;)V", None, &[runnable], Observation::Nothing);
        vec![equal(result, Value::Text("out".into())), equal(compared, Value::Int(0))]
    });
    add("values", &|script| {
        let shapes = script.new("demo/Shapes", "()V", &[]);
        let mut call = |member: &str| script.call(&format!("demo/Shapes.{member}"), Some(shapes), &[], object("?"));
        let color = subject.class("demo/Shapes$Color");
        vec![
            equal(call("color()Ldemo/Shapes$Color;"), Value::EnumConstant { class: color, name: "RED".into() }),
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
            Assertion { statement: call("self()Ldemo/Shapes;").0, expected: Expected::Same(shapes) },
        ]
    });
    add("halves", &|script| {
        let half = script.call("demo/Shapes.half()Ljava/lang/Number;", None, &[], object("?"));
        let literal = script.value(Value::ClassLiteral(palus_bytecode::Type::object("java/lang/Integer")));
        let five = script.int(-5);
        let is = script.call("demo/Shapes.isType(Ljava/lang/Class;Ljava/lang/Object;)Z", None, &[literal, five], int(1));
        vec![equal(half, Value::Double(0.5_f64.to_bits())), equal(is, Value::Boolean(true))]
    });
    add("innerClasses", &|script| {
        let shapes = script.new("demo/Shapes", "()V", &[]);
        let inner = script.new("demo/Shapes$Inner", "(Ldemo/Shapes;)V", &[shapes]);
        let field = script.call("demo/Shapes$Inner.outerField()I", Some(inner), &[], int(4));
        vec![equal(field, Value::Int(4))]
    });
    add("checkedExceptionsAreDeclared", &|script| {
        let shapes = script.new("demo/Shapes", "()V", &[]);
        let one = script.int(1);
        script.void("demo/Shapes.risky(I)V", shapes, &[one]);
        Vec::new()
    });
    add("inheritedFromAHiddenClass", &|script| {
        let visible = script.call("other/Visible.make()Lother/Visible;", None, &[], object("?"));
        let hidden = script.call("other/Visible.hidden()I", Some(visible), &[], int(5));
        let text = script.call("other/Visible.text()Ljava/lang/CharSequence;", None, &[], object("?"));
        let length = script.call("java/lang/CharSequence.length()I", Some(text), &[], int(3));
        vec![equal(hidden, Value::Int(5)), equal(length, Value::Int(3))]
    });
    add("simpleNamesThatClash", &|script| {
        let text = script.text("x");
        let own = script.new("other/List", "()V", &[]);
        let size = script.call("other/List.size()I", Some(own), &[], int(9));
        let list = script.call("demo/Shapes.listOf(Ljava/lang/Object;Ljava/lang/Object;)Ljava/util/List;", None, &[text, text], object("?"));
        let length = script.call("demo/Shapes.length(Ljava/util/List;)I", None, &[list], int(2));
        vec![equal(size, Value::Int(9)), equal(length, Value::Int(2))]
    });
    let mut throwing = |name: &str, exception: &str, make: &dyn Fn(&mut Script<'_>)| {
        let mut script = subject.script();
        make(&mut script);
        tests.push(test(name, script.threw(exception), Vec::new()));
    };
    throwing("risky_throws", "java/io/FileNotFoundException", &|script| {
        let shapes = script.new("demo/Shapes", "()V", &[]);
        let minus = script.int(-1);
        script.void("demo/Shapes.risky(I)V", shapes, &[minus]);
    });
    throwing("secret_throws", "demo/Shapes$Secret", &|script| {
        let shapes = script.new("demo/Shapes", "()V", &[]);
        script.void("demo/Shapes.secret()V", shapes, &[]);
    });
    throwing("newArrayList_throws", "java/lang/IllegalArgumentException", &|script| {
        let minus = script.int(-1);
        script.new("java/util/ArrayList", "(I)V", &[minus]);
    });
    tests
}

const JUPITER: &[(&str, &str)] = &[
    (
        "org/junit/jupiter/api/Test.java",
        "package org.junit.jupiter.api;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/jupiter/api/Assertions.java",
        "package org.junit.jupiter.api;
        public class Assertions {
          public interface Executable { void execute() throws Throwable; }
          static void same(boolean equal) { if (!equal) throw new AssertionError(); }
          static void boxes(Object a, Object b) { same(a == null ? b == null : a.equals(b)); }
          public static void assertTrue(boolean actual) { same(actual); }
          public static void assertFalse(boolean actual) { same(!actual); }
          public static void assertNull(Object actual) { same(actual == null); }
          public static void assertNotNull(Object actual) { same(actual != null); }
          public static void assertSame(Object a, Object b) { same(a == b); }
          public static void assertEquals(byte a, byte b) { same(a == b); }
          public static void assertEquals(byte a, Byte b) { boxes(a, b); }
          public static void assertEquals(Byte a, byte b) { boxes(a, b); }
          public static void assertEquals(Byte a, Byte b) { boxes(a, b); }
          public static void assertEquals(char a, char b) { same(a == b); }
          public static void assertEquals(char a, Character b) { boxes(a, b); }
          public static void assertEquals(Character a, char b) { boxes(a, b); }
          public static void assertEquals(Character a, Character b) { boxes(a, b); }
          public static void assertEquals(short a, short b) { same(a == b); }
          public static void assertEquals(short a, Short b) { boxes(a, b); }
          public static void assertEquals(Short a, short b) { boxes(a, b); }
          public static void assertEquals(Short a, Short b) { boxes(a, b); }
          public static void assertEquals(int a, int b) { same(a == b); }
          public static void assertEquals(int a, Integer b) { boxes(a, b); }
          public static void assertEquals(Integer a, int b) { boxes(a, b); }
          public static void assertEquals(Integer a, Integer b) { boxes(a, b); }
          public static void assertEquals(long a, long b) { same(a == b); }
          public static void assertEquals(long a, Long b) { boxes(a, b); }
          public static void assertEquals(Long a, long b) { boxes(a, b); }
          public static void assertEquals(Long a, Long b) { boxes(a, b); }
          public static void assertEquals(float a, float b) { boxes(a, b); }
          public static void assertEquals(float a, Float b) { boxes(a, b); }
          public static void assertEquals(Float a, float b) { boxes(a, b); }
          public static void assertEquals(Float a, Float b) { boxes(a, b); }
          public static void assertEquals(double a, double b) { boxes(a, b); }
          public static void assertEquals(double a, Double b) { boxes(a, b); }
          public static void assertEquals(Double a, double b) { boxes(a, b); }
          public static void assertEquals(Double a, Double b) { boxes(a, b); }
          public static void assertEquals(Object a, Object b) { boxes(a, b); }
          public static <T extends Throwable> T assertThrows(Class<T> type, Executable executable) {
            try { executable.execute(); } catch (Throwable t) { return type.cast(t); }
            throw new AssertionError();
          }
        }",
    ),
];

const JUNIT4: &[(&str, &str)] = &[
    (
        "org/junit/Test.java",
        "package org.junit;
        import java.lang.annotation.*;
        @Retention(RetentionPolicy.RUNTIME) public @interface Test {}",
    ),
    (
        "org/junit/Assert.java",
        "package org.junit;
        public class Assert {
          public interface ThrowingRunnable { void run() throws Throwable; }
          static void same(boolean equal) { if (!equal) throw new AssertionError(); }
          public static void fail(String message) { throw new AssertionError(message); }
          public static void assertTrue(boolean actual) { same(actual); }
          public static void assertFalse(boolean actual) { same(!actual); }
          public static void assertNull(Object actual) { same(actual == null); }
          public static void assertNotNull(Object actual) { same(actual != null); }
          public static void assertSame(Object a, Object b) { same(a == b); }
          public static void assertEquals(Object a, Object b) { same(a == null ? b == null : a.equals(b)); }
          public static void assertEquals(String message, Object a, Object b) { assertEquals(a, b); }
          public static void assertEquals(long a, long b) { same(a == b); }
          @Deprecated public static void assertEquals(double a, double b) { fail(\"use a delta\"); }
          @Deprecated public static void assertEquals(Object[] a, Object[] b) { same(java.util.Arrays.equals(a, b)); }
          public static void assertEquals(float a, float b, float delta) {
            same(Float.compare(a, b) == 0 || Math.abs(a - b) <= delta);
          }
          public static void assertEquals(double a, double b, double delta) {
            same(Double.compare(a, b) == 0 || Math.abs(a - b) <= delta);
          }
          public static <T extends Throwable> T assertThrows(Class<T> type, ThrowingRunnable runnable) {
            try { runnable.run(); } catch (Throwable t) { return type.cast(t); }
            throw new AssertionError();
          }
          public static <T extends Throwable> T assertThrows(String m, Class<T> type, ThrowingRunnable runnable) {
            return assertThrows(type, runnable);
          }
        }",
    ),
];

const RUNNER: (&str, &str) = (
    "demo/Runner.java",
    "package demo;
    import java.lang.reflect.*;
    public class Runner {
      public static void main(String[] arguments) throws Exception {
        Class<?> type = Class.forName(arguments[0]);
        int passed = 0;
        for (Method method : type.getDeclaredMethods()) {
          if (method.isSynthetic()) continue;
          Constructor<?> constructor = type.getDeclaredConstructor();
          try {
            method.invoke(constructor.newInstance());
            passed++;
          } catch (InvocationTargetException e) {
            System.out.println(method.getName() + \": \" + e.getCause());
          }
        }
        System.out.println(passed + \" passed\");
      }
    }",
);

/// Compiles with every warning an error; the class path that now holds the class.
#[expect(clippy::disallowed_methods, reason = "the compiler judges the text; nothing else starts a process here")]
pub(super) fn compile(
    subject: &Subject,
    class: &str,
    text: &str,
    style: &Style,
    release: u32,
) -> (tempfile::TempDir, std::ffi::OsString) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let stub = if style.framework == TestFramework::Jupiter { JUPITER } else { JUNIT4 };
    let stubs = [stub, &[RUNNER]].concat();
    let options = palus_fixture::Options { release: Some(8), ..palus_fixture::Options::default() };
    let stubs = palus_fixture::compile_with(&stubs, &options);
    let path = [&subject.compiled.dir, &stubs.dir, Path::new(folder.path())];
    let path = std::env::join_paths(path).expect("paths without separators");
    let file = folder.path().join(format!("{class}.java"));
    std::fs::create_dir_all(file.parent().expect("a package")).expect("a folder");
    std::fs::write(&file, text).expect("a file");
    let mut javac = Command::new("javac");
    javac.args(["-Xlint:all,-options", "-Werror", "-proc:none", "-encoding", "US-ASCII", "--release"]);
    javac.arg(release.to_string()).arg("-classpath").arg(&path).arg("-d").arg(folder.path()).arg(&file);
    let output = javac.output().expect("javac starts");
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    (folder, path)
}

/// Compiles with every warning an error, runs, and returns what was printed.
#[expect(clippy::disallowed_methods, reason = "the tests show by running that what they assert is true")]
pub(super) fn compile_and_run(subject: &Subject, class: &str, text: &str, style: &Style, release: u32) -> String {
    let (_folder, path) = compile(subject, class, text, style, release);
    let output = Command::new("java")
        .arg("-cp")
        .arg(&path)
        .args(["demo.Runner", &class.replace('/', ".")])
        .output()
        .expect("java starts");
    String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned()
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
    let printed = compile_and_run(&subject, "demo/ShapesPalusTest", &source.text, &style, language_level);
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

