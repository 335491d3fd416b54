//! The filter's truth table: a call of `Iterator.next` in `P.m`.

use crate::subject::Subject;
use crate::telling::execution;
use palus_protocols::{Conditions, Documentation, End, ExceptionFacts, Frame};

/// The conditions of the last call of an execution.
fn conditions(java: &str, text: &str) -> Conditions {
    let mut subject = Subject::new("P.java", java, &[]);
    let execution = execution(&mut subject.vocabulary, text);
    let documentation = [&subject.sources, Documentation::of_jdk()];
    let facts = ExceptionFacts::new(&subject.program, &documentation);
    let End::Threw(failure) = &execution.end else {
        panic!("it fails");
    };
    let call = execution.calls.last().unwrap();
    Conditions::of(&facts, &subject.vocabulary, failure, call)
}

fn call(thrown: &str) -> String {
    format!("v: Collection; i = v.iterator(); i.next() ! {thrown} @ P.m:2")
}

const SILENT: &str = "class P { void m() {} }";
const DECLARING: &str = "class P { void m() throws java.util.NoSuchElementException {} }";
const AT_CALL: &str =
    "threw NoSuchElementException at java/util/ArrayList$Itr.next:1052 P.m:2 P.n:9";

#[test]
fn all_conditions_hold() {
    let conditions = conditions(
        SILENT,
        &format!("{}; {AT_CALL}", call("NoSuchElementException")),
    );
    assert_eq!(
        conditions,
        Conditions {
            is_declared_by_api: true,
            is_on_stack: true,
            is_declared_by_program: false,
            is_thrown_by_call: true,
        }
    );
    assert!(conditions.hold());
}

#[test]
fn the_program_declares_it() {
    let conditions = conditions(
        DECLARING,
        &format!("{}; {AT_CALL}", call("NoSuchElementException")),
    );
    assert!(conditions.is_declared_by_api && conditions.is_on_stack);
    assert!(conditions.is_declared_by_program && !conditions.hold());
}

#[test]
fn the_call_is_not_on_the_stack() {
    for elsewhere in ["P.m:3", "P.n:2", "Q.m:2"] {
        let failed_later = format!("threw NoSuchElementException at {elsewhere}");
        let text = format!("{}; {failed_later}", call("NoSuchElementException"));
        let conditions = conditions(SILENT, &text);
        assert!(conditions.is_declared_by_api && !conditions.is_declared_by_program);
        assert!(!conditions.is_on_stack && !conditions.hold());
    }
}

#[test]
fn the_api_does_not_declare_it() {
    let text = format!(
        "{}; threw NullPointerException at P.m:2",
        call("NullPointerException")
    );
    let conditions = conditions(SILENT, &text);
    assert!(conditions.is_on_stack && !conditions.is_declared_by_program);
    assert!(!conditions.is_declared_by_api && !conditions.hold());
}

#[test]
fn another_call_of_the_line_threw() {
    let conditions = conditions(
        SILENT,
        &format!("{}; {AT_CALL}", call("IllegalStateException")),
    );
    assert!(conditions.is_declared_by_api && conditions.is_on_stack);
    assert!(!conditions.is_thrown_by_call && !conditions.hold());
}

#[test]
fn a_frame_is_at_a_site_of_its_bytecode_or_else_of_its_line() {
    let site = crate::telling::site(
        "P.m:2",
        "Iterator",
        &palus_protocols::Signature::new("next", "()V"),
    );
    let at = |line, bytecode_index| Frame {
        class: "P".into(),
        method: "m".into(),
        line,
        bytecode_index,
    };
    assert!(at(Some(2), None).is_at(&site));
    assert!(
        at(Some(2), Some(7)).is_at(&site),
        "the site's bytecode is not known"
    );
    assert!(!at(None, None).is_at(&site));
    let mut exact = site.clone();
    exact.bytecode_index = Some(7);
    assert!(at(Some(2), Some(7)).is_at(&exact));
    assert!(
        !at(Some(2), Some(9)).is_at(&exact),
        "another call of the line"
    );
    exact.line = None;
    assert!(!at(None, None).is_at(&exact), "no line equals no line");
}
