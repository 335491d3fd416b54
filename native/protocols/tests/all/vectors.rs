//! The examples of the paper: a stack that is empty, a list without pages, an iterator that removes twice.

use crate::subject::Subject;
use crate::telling::{execution, machine, mine};
use expect_test::expect;
use palus_protocols::{Checker, Vocabulary};

const PUBLISHED: [&str; 2] = [
    "s = new Stack(); s.push(); s.push(); s.push(); s.push(); s.push(); s.pop(); s.pop(); s.push(); s.peek(); \
     s.push(); s.peek(); s.pop(); s.peek(); s.removeAllElements(); s.push(); s.removeAllElements()",
    "s = new Stack(); s.push(); s.push(); s.peek(); s.peek(); s.pop(); s.removeAllElements()",
];

#[test]
fn an_empty_stack_allows_only_push() {
    let protocols = mine(&mut Vocabulary::default(), &PUBLISHED);
    expect![[r"
        #1 java.util.Stack
        1 setup
          #1 = new() -> 2
        2 liable
          #1.push(Object) -> 3
        3 liable
          #1.peek() -> 3
          #1.pop() -> 3
          #1.push(Object) -> 3
          #1.removeAllElements() -> 2
    "]]
    .assert_eq(&machine(&protocols, &["Stack"]));
    let support = protocols.iter().next().unwrap().support();
    assert_eq!((support.generated_sequences, support.subtraces), (2, 2));
}

/// The class of the paper's motivating example, found in xalan.
const C: &str = "public class C { private java.util.Stack s = new java.util.Stack();
  public String report() { return get().toString(); }
  private Object get() { return s.peek(); }
  public void fill() { s.push(\"x\"); } }";

const C_PASSES: [&str; 3] = [
    "s = new Stack() @ C.<init>:1; s.push() @ C.fill:4",
    "s = new Stack() @ C.<init>:1; s.push() @ C.fill:4; s.peek() @ C.get:3",
    "s = new Stack() @ C.<init>:1; s.push() @ C.fill:4; s.push() @ C.fill:4; s.peek() @ C.get:3; s.peek() @ C.get:3",
];

/// `new C().report()`
const C_FAILS: &str = "s = new Stack() @ C.<init>:1; s.peek() ! EmptyStackException @ C.get:3
    threw EmptyStackException at java/util/Stack.peek:101 C.get:3 C.report:2 Test.main:5";

fn c(java: &str) -> Subject {
    Subject::new("C.java", java, &C_PASSES)
}

#[test]
fn a_report_of_an_empty_stack_is_a_bug() {
    let mut subject = c(C);
    expect![[r"
        #1 java.util.Stack
        1 setup
          #1 = new() -> 2
        2 liable
          #1.push(Object) -> 3
        3 liable
          #1.peek() -> 4
          #1.push(Object) -> 3
        4 liable
          #1.peek() -> 4
    "]]
    .assert_eq(&machine(&subject.protocols, &["Stack"]));
    let warning =
        "C.get:3: peek throws EmptyStackException in state 2, which allows #1.push(Object); test 0";
    assert_eq!(subject.told(&[C_FAILS]), [warning]);
    // With the published protocol as well.
    subject.protocols = mine(&mut subject.vocabulary, &PUBLISHED);
    assert_eq!(subject.told(&[C_FAILS]), [warning]);
}

#[test]
fn a_method_that_documents_the_exception_is_safe() {
    for tag in ["@throws", "@exception"] {
        let documented = format!(
            "/** Asks. {tag} java.util.EmptyStackException if nothing was filled in. */ private Object get()"
        );
        // A tag begins a line.
        let java = C.replace("private Object get()", &documented);
        assert_eq!(c(&java).told(&[C_FAILS]).len(), 1, "{tag}");
        let java = java.replace(&format!("Asks. {tag}"), &format!("Asks.\n * {tag}"));
        assert!(c(&java).told(&[C_FAILS]).is_empty(), "{tag}");
    }
}

#[test]
fn a_caller_that_documents_the_exception_changes_nothing() {
    let java = C.replace(
        "public String report()",
        "/** @throws java.util.EmptyStackException */ public String report()",
    );
    assert_eq!(c(&java).told(&[C_FAILS]).len(), 1);
}

#[test]
fn a_method_that_declares_the_exception_or_a_superclass_is_safe() {
    for name in ["java.util.EmptyStackException", "RuntimeException"] {
        let java = C.replace("get() {", &format!("get() throws {name} {{"));
        assert!(c(&java).told(&[C_FAILS]).is_empty(), "{name}");
    }
}

#[test]
fn a_test_that_passes_or_breaks_a_contract_is_not_checked() {
    let caught = "s = new Stack() @ C.<init>:1; s.peek() ! EmptyStackException @ C.get:3";
    let violated = format!("{caught}; violated");
    assert!(c(C).told(&[caught, &violated]).is_empty());
}

#[test]
fn what_the_test_itself_calls_is_no_event() {
    let own = "threw EmptyStackException at java/util/Stack.peek:101 Test.main:5";
    assert!(c(C).told(&[own]).is_empty());
}

/// Found in fop.
const DOC: &str = "public class Doc { protected Book book; public Doc(){ book = new Book(); }
  public void setTextRectProp(int l,int t,int w,int h){ book.curPage().setTextRectProp(l,t,w,h); }
  public void createPage(){ book.pages.add(new Page()); }
  class Book { java.util.ArrayList pages = new java.util.ArrayList();
    private Page curPage(){ return (Page) pages.get(pages.size()-1); } }
  static class Page { void setTextRectProp(int l,int t,int w,int h){} } }";

const DOC_PASSES: [&str; 3] = [
    "p = new ArrayList() @ Doc$Book.<init>:4; p.add() @ Doc.createPage:3",
    "p = new ArrayList() @ Doc$Book.<init>:4; p.add(); p.add(); p.size(); p.get()",
    "p = new ArrayList() @ Doc$Book.<init>:4; p.add(); p.size(); p.get(); p.size(); p.get()",
];

const DOC_FAILS: &str = "p = new ArrayList() @ Doc$Book.<init>:4; p.size() @ Doc$Book.curPage:5
    p.get() ! IndexOutOfBoundsException @ Doc$Book.curPage:5
    threw IndexOutOfBoundsException at jdk/internal/util/Preconditions.outOfBounds:64 \
    jdk/internal/util/Preconditions.outOfBoundsCheckIndex:70 jdk/internal/util/Preconditions.checkIndex:266 \
    java/util/Objects.checkIndex:361 java/util/ArrayList.get:427 Doc$Book.curPage:5 Doc.setTextRectProp:2";

#[test]
fn the_last_page_of_a_document_without_pages_is_a_bug() {
    let mut subject = Subject::new("Doc.java", DOC, &DOC_PASSES);
    expect![[r"
        #1 java.util.ArrayList
        1 setup
          #1 = new() -> 2
        2 liable
          #1.add(Object) -> 3
        3 liable
          #1.add(Object) -> 3
          #1.size() -> 4
        4 liable
          #1.get(int) -> 5
        5 liable
          #1.size() -> 4
    "]]
    .assert_eq(&machine(&subject.protocols, &["ArrayList"]));
    let warning = "Doc$Book.curPage:5: get throws IndexOutOfBoundsException in state 2, \
                   which allows #1.add(Object); test 0";
    assert_eq!(subject.told(&[DOC_FAILS]), [warning]);
    // JDK 8 throws a subclass of what is documented.
    let older = DOC_FAILS
        .replace("Index", "ArrayIndex")
        .replace("checkArrayIndex", "checkIndex");
    assert_eq!(
        subject.told(&[&older]),
        [warning.replace("Index", "ArrayIndex")]
    );
}

#[test]
fn a_harmless_violation_does_not_hide_the_next() {
    let mut subject = Subject::new("Doc.java", DOC, &DOC_PASSES);
    let checker = Checker::new(&subject.protocols, &mut subject.vocabulary);
    let execution = execution(&mut subject.vocabulary, DOC_FAILS);
    let violations = checker.violations(&subject.vocabulary, &execution, &|_| true);
    let found = violations
        .iter()
        .map(|violation| (violation.call, &violation.states[..]));
    assert_eq!(found.collect::<Vec<_>>(), [(1, &[1][..]), (2, &[1][..])]);
    assert_eq!(violations[1].path, [0]);
}

/// Found in jython.
const TABLES: &str =
    "public class Tables { protected java.util.Iterator iter; protected Object cur;
  protected java.util.HashMap classes = new java.util.HashMap();
  public Tables(){ classes.put(\"k\",\"v\"); }
  public void beginCanonical(){ iter = classes.values().iterator(); }
  public Object next(){ if (iter.hasNext()) { cur = iter.next(); return cur; } return null; }
  public void flushCurrent(){ iter.remove(); } }";

const TABLES_PASS: [&str; 4] = [
    "v: Collection; i = v.iterator(); i.hasNext(); i.next(); i.remove(); i.hasNext()",
    "v: Collection; i = v.iterator(); i.hasNext(); i.next(); i.hasNext(); i.next(); i.hasNext()",
    "v: Collection; i = v.iterator(); i.hasNext()",
    "v: Collection; i = v.iterator(); i.hasNext(); i.next(); i.remove(); i.hasNext(); i.next()",
];

const FLUSHES: [&str; 2] = [
    "v: Collection; i = v.iterator() @ Tables.beginCanonical:4
     i.remove() ! IllegalStateException @ Tables.flushCurrent:6
     threw IllegalStateException at java/util/HashMap$HashIterator.remove:1610 Tables.flushCurrent:6",
    "v: Collection; i = v.iterator() @ Tables.beginCanonical:4; i.hasNext() @ Tables.next:5; i.next() @ Tables.next:5
     i.remove() @ Tables.flushCurrent:6; i.remove() ! IllegalStateException @ Tables.flushCurrent:6
     threw IllegalStateException at java/util/HashMap$HashIterator.remove:1610 Tables.flushCurrent:6",
];

#[test]
fn a_flush_of_nothing_is_one_bug_however_it_is_provoked() {
    let mut subject = Subject::new("Tables.java", TABLES, &TABLES_PASS);
    expect![[r"
        #1 java.util.Iterator
        1 setup
          #1 = iterator() -> 2
        2 liable
          #1.hasNext() -> 3
        3 liable
          #1.next() -> 4
        4 liable
          #1.hasNext() -> 3
          #1.remove() -> 2
    "]]
    .assert_eq(&machine(&subject.protocols, &["Iterator"]));
    let warning = "Tables.flushCurrent:6: remove throws IllegalStateException in state 2, \
                   which allows #1.hasNext(); test 0";
    for failing in [&FLUSHES[..], &FLUSHES[..1]] {
        assert_eq!(subject.told(failing), [warning]);
    }
    let of_second = subject.told(&FLUSHES[1..]);
    assert_eq!(of_second, [warning]);
    // Whichever test comes first, the shorter one is kept.
    let turned = subject.told(&[FLUSHES[1], FLUSHES[0]]);
    assert_eq!(turned, [warning.replace("test 0", "test 1")]);
}

#[test]
fn what_fails_on_no_iterator_at_all_is_no_warning() {
    let mut subject = Subject::new("Tables.java", TABLES, &TABLES_PASS);
    let without = "threw NullPointerException at Tables.next:5";
    assert!(subject.told(&[without]).is_empty());
}

#[test]
fn a_collection_and_its_iterator_have_a_protocol_of_both() {
    let protocols = mine(
        &mut Vocabulary::default(),
        &[
            "l = new ArrayList(); l.add(); i = l.iterator(); i.hasNext(); i.next(); i.hasNext(); l.add(); l.size()",
            "l = new ArrayList(); l.add(); j = l.iterator(); i = l.iterator(); i.hasNext(); i.next(); i.hasNext()",
        ],
    );
    expect![[r"
        #1 java.util.ArrayList
        #2 java.util.Iterator
        1 setup
          #1 = new() -> 2
        2 setup
          #1.add(Object) -> 3
        3 setup
          #1.iterator() -> 4
          #2 = #1.iterator() -> 5
        4 setup
          #2 = #1.iterator() -> 5
        5 liable
          #2.hasNext() -> 6
        6 liable
          #1.add(Object) -> 7
          #2.next() -> 5
        7 liable
          #1.size() -> 8
        8 liable
    "]]
    .assert_eq(&machine(&protocols, &["ArrayList", "Iterator"]));
}

#[test]
fn a_list_made_from_another_pairs_with_it_whichever_stands_for_which() {
    let mut vocabulary = Vocabulary::default();
    let passing = "a = new ArrayList(); a.add(); b = new ArrayList(a); b.size(); a.size()";
    let protocols = mine(&mut vocabulary, &[passing]);
    expect![[r"
        #1 java.util.ArrayList
        #2 java.util.ArrayList
        1 setup
          #1 = new() -> 2
        2 setup
          #1.add(Object) -> 3
        3 setup
          #2 = new(#1) -> 4
        4 liable
          #2.size() -> 5
        5 liable
          #1.size() -> 6
        6 liable
    "]]
    .assert_eq(&machine(&protocols, &["ArrayList", "ArrayList"]));
    let checker = Checker::new(&protocols, &mut vocabulary);
    let mut check = |text: &str| {
        let execution = execution(&mut vocabulary, text);
        let violations = checker.violations(&vocabulary, &execution, &|_| true);
        violations.len()
    };
    assert_eq!(check(passing), 0);
    // In the pair's protocol `a` may not be asked first, and exchanged nothing is bound that could forbid it; alone it
    // was never asked for its size twice.
    let twice = "a = new ArrayList(); a.add(); b = new ArrayList(a); a.size(); a.size()";
    assert_eq!(check(twice), 1);
}

#[test]
fn an_object_that_the_test_made_may_be_in_any_state_behind_its_creation() {
    let mut vocabulary = Vocabulary::default();
    let protocols = mine(
        &mut vocabulary,
        &[
            "s = new Stack(); s.push(); s.pop()",
            "s = new Stack(); s.removeAllElements()",
            // Made by the test, and full.
            "s: Stack; s.peek(); s.pop()",
        ],
    );
    let checker = Checker::new(&protocols, &mut vocabulary);
    let mut check = |text: &str| {
        let execution = execution(&mut vocabulary, text);
        let violations = checker.violations(&vocabulary, &execution, &|_| true);
        violations
            .into_iter()
            .map(|violation| violation.call)
            .collect::<Vec<_>>()
    };
    assert!(check("s: Stack; s.push(); s.pop()").is_empty());
    assert!(check("s: Stack; s.removeAllElements()").is_empty());
    // Passing executions began so on such a stack.
    assert!(check("s: Stack; s.peek(); s.pop()").is_empty());
    assert_eq!(check("s: Stack; s.pop()"), [0]);
    assert_eq!(check("s = new Stack(); s.peek()"), [1]);
    // Nobody ever asked for elements: that says nothing.
    assert!(check("s = new Stack(); e = s.elements()").is_empty());
}

#[test]
fn objects_that_a_static_method_made_have_no_creator() {
    let protocols = mine(
        &mut Vocabulary::default(),
        &["s = new Stack(); e = s.elements(); e.nextElement(); l = Collections.list(e); l.size()"],
    );
    let types = protocols.iter().map(|protocol| protocol.types().join(" "));
    assert_eq!(
        types.collect::<Vec<_>>(),
        [
            "java/util/ArrayList",
            "java/util/Enumeration",
            "java/util/Enumeration java/util/Stack",
            "java/util/Stack"
        ]
    );
}

#[test]
fn a_call_whose_exception_the_program_caught_teaches_nothing() {
    let caught = "s = new Stack(); s.pop() ! EmptyStackException; s.push()";
    let mut vocabulary = Vocabulary::default();
    let protocols = mine(&mut vocabulary, &[caught]);
    assert_eq!(
        protocols,
        mine(&mut vocabulary, &["s = new Stack(); s.push()"])
    );
    let failing =
        format!("{caught}; s.peek() ! EmptyStackException; threw EmptyStackException at P.m:1");
    assert_eq!(mine(&mut vocabulary, &[caught, &failing]), protocols);
    // One place that catches makes the call legal nowhere else.
    let mut subject = Subject::new(
        "C.java",
        C,
        &[
            C_PASSES[0],
            C_PASSES[1],
            "s = new Stack() @ C.<init>:1; s.peek() ! EmptyStackException @ C.other:9",
        ],
    );
    assert_eq!(subject.told(&[C_FAILS]).len(), 1);
}
