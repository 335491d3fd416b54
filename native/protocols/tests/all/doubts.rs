//! What makes an unsafe use certain, and each thing that leaves it in doubt.

use crate::subject::Subject;
use crate::telling::execution;
use palus_protocols::{Documentation, Doubt, ExceptionFacts};

const P: &str = "class P { private void m() {} public void n() { m(); } }";

const MADE: &str = "s = new Stack(); s.peek() ! EmptyStackException @ P.m:2";
const THREW: &str = "threw EmptyStackException at java/util/Stack.peek:101 P.m:2 P.n:9 Test.main:5";

/// What is in doubt of the last call.
fn doubt(java: &str, text: &str, has_source: bool) -> Option<Doubt> {
    let mut subject = Subject::new("P.java", java, &[]);
    let execution = execution(&mut subject.vocabulary, text);
    let documentation = [&subject.sources, Documentation::of_jdk()];
    let documentation = &documentation[usize::from(!has_source)..];
    let facts = ExceptionFacts::new(&subject.program, documentation);
    let call = execution.calls.last().unwrap();
    Doubt::of(&facts, &subject.vocabulary, &execution, call)
}

/// Of calls and an end, where the class is plain.
fn of(calls: &str, end: &str) -> Option<Doubt> {
    doubt(P, &format!("{calls}; {end}"), true)
}

#[test]
fn what_the_program_made_and_used_in_the_wrong_order_is_certain() {
    assert_eq!(of(MADE, THREW), None);
    // An iterator over what the client gave is the program's.
    let iterator = "v: Collection; i = v.iterator(); i.next() ! NoSuchElementException @ P.m:2";
    let threw = "threw NoSuchElementException at java/util/ArrayList$Itr.next:9 P.m:2";
    assert_eq!(of(iterator, threw), None);
}

#[test]
fn code_that_was_called_back_may_have_thrown_it() {
    let called_back = THREW.replace("P.m:2", "P.n:7 java/util/Stack.sort:3 P.m:2");
    assert_eq!(of(MADE, &called_back), Some(Doubt::NotOfApi));
    assert_eq!(of(MADE, "violated"), Some(Doubt::NotOfApi));
}

#[test]
fn arguments_and_what_objects_never_do_are_no_matter_of_order() {
    for exception in ["UnsupportedOperationException", "NullPointerException"] {
        let calls = MADE.replace("EmptyStackException", exception);
        let threw = THREW.replace("EmptyStackException", exception);
        assert_eq!(of(&calls, &threw), Some(Doubt::NotOfState), "{exception}");
    }
    // A constructor has no state yet.
    let constructor = "new Stack() ! EmptyStackException @ P.m:2";
    assert_eq!(of(constructor, THREW), Some(Doubt::NotOfState));
}

#[test]
fn an_object_of_the_client_is_his_and_so_is_what_is_made_of_it() {
    let given = MADE.replace("s = new Stack()", "s: Stack");
    assert_eq!(of(&given, THREW), Some(Doubt::OfClient));
    let wrapped = "v: Collection; s = new ArrayList(v); s.peek() ! EmptyStackException @ P.m:2";
    assert_eq!(of(wrapped, THREW), Some(Doubt::OfClient));
    let own = wrapped.replace("v: Collection", "v = new ArrayList()");
    assert_eq!(of(&own, THREW), None);
}

#[test]
fn an_index_may_be_the_clients_where_the_method_has_a_number() {
    let calls = "l = new ArrayList(); l.get() ! IndexOutOfBoundsException @ P.m:2";
    let threw = "threw IndexOutOfBoundsException at java/util/ArrayList.get:9 P.m:2";
    assert_eq!(of(calls, threw), None);
    let taking = |descriptor: &str| calls.replace("P.m", &format!("P.m{descriptor}"));
    assert_eq!(of(&taking("(I)"), threw), Some(Doubt::Index));
    assert_eq!(of(&taking("(Z)"), threw), None);
    // Whether there is a next one has nothing to do with a number.
    assert_eq!(of(&MADE.replace("P.m", "P.m(I)"), THREW), None);
}

#[test]
fn a_caller_that_announces_it_tells_the_client() {
    let tag = "/** @throws java.util.EmptyStackException if it is empty */ public void n()";
    let java = P.replace("public void n()", tag);
    let text = format!("{MADE}; {THREW}");
    assert_eq!(doubt(&java, &text, true), Some(Doubt::Announced));
    let java = P.replace("n() {", "n() throws RuntimeException {");
    assert_eq!(doubt(&java, &text, true), Some(Doubt::Announced));
    // Another one's word is none of its.
    let java = P.replace(
        "class P {",
        &format!("class P {{ {} {{}}", tag.replace("n()", "o()")),
    );
    assert_eq!(doubt(&java, &text, true), None);
}

#[test]
fn without_its_documentation_nobody_knows_what_a_method_announces() {
    let text = format!("{MADE}; {THREW}");
    assert_eq!(doubt(P, &text, false), Some(Doubt::Unknown));
}
