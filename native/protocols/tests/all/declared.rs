//! What methods declare: in class files, in source text, in the table of the JDK.

use crate::subject::Subject;
use crate::telling::internal;
use palus_bytecode::Program;
use palus_protocols::{Declared, Documentation, ExceptionFacts, Signature};

fn names(declared: &Declared) -> Vec<String> {
    declared.names_of_classes().map(str::to_owned).collect()
}

/// What a source file of the package `p` says of the methods of its classes, as text.
fn read(java: &str) -> String {
    let mut documentation = Documentation::default();
    let known = [
        "p/Own",
        "p/Outer$Inner",
        "q/Imported",
        "r/Other",
        "java/lang/Error",
        "s/T$U",
    ];
    documentation.read_source(&format!("package p; {java}"), &|name| known.contains(&name));
    documentation.to_string()
}

#[test]
fn the_jdk_table_has_what_the_examples_need() {
    let program = Program::default();
    let documentation = [Documentation::of_jdk()];
    let facts = ExceptionFacts::new(&program, &documentation);
    for (class, name, descriptor, expected) in [
        (
            "Stack",
            "peek",
            "()Ljava/lang/Object;",
            &["java/util/EmptyStackException"][..],
        ),
        (
            "Stack",
            "pop",
            "()Ljava/lang/Object;",
            &["java/util/EmptyStackException"],
        ),
        (
            "Iterator",
            "next",
            "()Ljava/lang/Object;",
            &["java/util/NoSuchElementException"],
        ),
        (
            "Iterator",
            "remove",
            "()V",
            &[
                "java/lang/IllegalStateException",
                "java/lang/UnsupportedOperationException",
            ],
        ),
        (
            "ArrayList",
            "get",
            "(I)Ljava/lang/Object;",
            &["java/lang/IndexOutOfBoundsException"],
        ),
        (
            "Vector",
            "firstElement",
            "()Ljava/lang/Object;",
            &["java/util/NoSuchElementException"],
        ),
        (
            "Vector",
            "lastElement",
            "()Ljava/lang/Object;",
            &["java/util/NoSuchElementException"],
        ),
        (
            "Vector",
            "elementAt",
            "(I)Ljava/lang/Object;",
            &["java/lang/ArrayIndexOutOfBoundsException"],
        ),
        (
            "Enumeration",
            "nextElement",
            "()Ljava/lang/Object;",
            &["java/util/NoSuchElementException"],
        ),
        ("ArrayList", "size", "()I", &[]),
        (
            "Stack",
            "push",
            "(Ljava/lang/Object;)Ljava/lang/Object;",
            &[],
        ),
        ("Iterator", "hasNext", "()Z", &[]),
    ] {
        let declared = facts.declared(&internal(class), &Signature::new(name, descriptor));
        assert_eq!(names(&declared), expected, "{class}.{name}");
    }
}

#[test]
fn a_method_declares_what_the_methods_that_it_overrides_declare() {
    let java = "class L extends java.util.ArrayList { public Object get(int i) { return null; } }
        class I implements java.util.Iterator<String> { public boolean hasNext() { return true; }
          public String next() { return \"\"; } void own() {} }";
    let subject = Subject::new("L.java", java, &[]);
    let documentation = [&subject.sources, Documentation::of_jdk()];
    let facts = ExceptionFacts::new(&subject.program, &documentation);
    let get = Signature::new("get", "(I)Ljava/lang/Object;");
    assert_eq!(
        names(&facts.declared("L", &get)),
        ["java/lang/IndexOutOfBoundsException"]
    );
    // `next` of the source returns another type than the one it overrides.
    let next = Signature::new("next", "()Ljava/lang/String;");
    assert_eq!(
        names(&facts.declared_around("I", &next)),
        ["java/util/NoSuchElementException"]
    );
    assert!(names(&facts.declared_around("I", &Signature::new("own", "()V"))).is_empty());
}

#[test]
fn a_lambda_declares_what_the_method_around_it_does() {
    let java = "class A { A() throws java.io.IOException {}
        /**\n * @throws IllegalStateException */ void get() {}
        /** @exception UnsupportedOperationException ever */ void get(int i) {} static { } }";
    let subject = Subject::new("A.java", java, &[]);
    let documentation = [&subject.sources];
    let facts = ExceptionFacts::new(&subject.program, &documentation);
    let around = |name: &str| names(&facts.declared_around("A", &Signature::new(name, "()V")));
    // Classes that are not loaded keep their simple names.
    let both = ["IllegalStateException", "UnsupportedOperationException"];
    assert_eq!(around("lambda$get$0"), both);
    assert_eq!(around("get"), both[..1]);
    assert_eq!(
        around("lambda$new$3"),
        ["IOException", "java/io/IOException"]
    );
    assert_eq!(around("<init>"), ["IOException", "java/io/IOException"]);
    assert!(around("<clinit>").is_empty());
    assert!(around("lambda$static$1").is_empty());
}

#[test]
fn throws_clauses_and_tags_of_doc_comments_are_read() {
    let text = read(
        "import q.Imported; import r.*; import s.T;
         @Deprecated(since = \"(\") public class Outer<T extends Comparable<? super T>> {
           /** no method: @throws Own */ private static final int[] A = { 1, 2 }, B = {}, C;
           String text = \"/** @throws Own */ void fake() {}\"; char quote = '\\'', brace = '}';
           String block = \"\"\"\n \\\"\"\" } \"\"\";
           /** @throws Own never\n * @throws Imported\n\t* @exception Other . */
           @Override public <X extends Error> void all(final T t, java.util.List<? extends X>[] x, int... n) throws X {
             class Local { /** @throws Own */ void hidden() {} } if (a < b) { throw null; } }
           // @throws Own
           void comments() /* throws Own */ { }
           /** @throws Inner\n @throws T.U\n @throws q.Imported\n @throws Unknown\n @throws Outer.Inner */ Outer() {}
           int array(int a[], Map.Entry<A, B> e)[] throws Own, q.Imported { }
           Map<String, List<String>> generic = f(a -> { return 1; });
           static { int i; } { }
           public static class Inner extends Error { /** @throws Own */ Inner(@A(b = {1}) int i) {} }
         }
         enum E { A(1) { void in() throws Own {} }, B; /** @throws Own */ void of() {} }
         record R<T>(int a, @A(1) T... b) { /** @throws Own */ R { throw null; } /** @throws Own */ void of(R this, int... is) {} }
         non-sealed interface N { /** @throws Own */ default void of() {} int x() default 1; void y() throws Own; }
         /// @throws Inner is of no type
         @interface Z { /// A text.
           /// @throws Own
           int value() default 3; // @throws Imported
         }",
    );
    let expected = "p/E\n of() p/Own\n\
        p/N\n of() p/Own\n y() p/Own\n\
        p/Outer\n <init>() Unknown p/Outer$Inner q/Imported s/T$U\n \
        all(Comparable,List[],int[]) Error p/Own q/Imported r/Other\n \
        array(int[],Entry) p/Own q/Imported\n\
        p/Outer$Inner\n <init>(int) p/Own\n\
        p/R\n <init>(int,Object[]) p/Own\n of(int[]) p/Own\n\
        p/Z\n value() p/Own\n";
    assert_eq!(text, expected);
}

#[test]
fn a_text_that_ends_anywhere_is_read_as_far_as_it_goes() {
    let whole = "import a.*; @B(c = {}) class A<T extends B> { /** @throws E */ void m(int[] a) throws F { g(\"x\", 'y'); } \
                 enum C { D } record R(int x) {} int i = 3; @interface Z {} }";
    for end in 0..=whole.len() {
        read(&whole[..end]);
    }
    let deep = "class A { ".repeat(100_000);
    read(&deep);
}
