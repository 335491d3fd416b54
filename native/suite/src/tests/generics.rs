//! Questions about generic types that have no end by themselves.

use crate::generic::{as_super, class, exact, is_subtype};
use crate::testing::{int, subject};
use crate::typing::type_sequence;
use palus_bytecode::{Bound, TypeArgument, TypeSignature};

const CHAINS: &[(&str, &str)] = &[
    (
        "demo/N.java",
        "package demo; public interface N<X> {}",
    ),
    (
        "demo/C.java",
        "package demo; public class C<X> implements N<N<? super C<C<X>>>> {
          public int n(N<? super C<X>> a) { return 1; }
        }",
    ),
    (
        "demo/Same.java",
        "package demo; public class Same implements N<N<? super Same>> {}",
    ),
    (
        "demo/Many.java",
        "package demo; public class Many<X> implements Three<N<? super Many<Many<X>>>, N<? super Many<X>>, N<? super X>> {}
        interface Three<A, B, C> extends N<N<? super Three<A, B, C>>> {}",
    ),
];

fn of(name: &str, argument: TypeSignature) -> TypeSignature {
    class(name, vec![exact(argument)])
}

fn super_of(name: &str, argument: TypeSignature) -> TypeSignature {
    let bounded = TypeArgument {
        bound: Bound::Super,
        signature: Some(argument),
    };
    class(name, vec![bounded])
}

#[test]
fn a_question_that_leads_to_itself_or_to_a_longer_one_ends() {
    let subject = subject(CHAINS);
    let program = &subject.program;
    let string = || class("java/lang/String", Vec::new());
    let chain = of("demo/C", string());
    // Whether a `C<String>` is one leads to whether a `C<C<String>>` is, and so on.
    let wanted = super_of("demo/N", of("demo/C", string()));
    assert!(!is_subtype(program, &chain, &wanted));
    let same = class("demo/Same", Vec::new());
    assert!(!is_subtype(
        program,
        &same,
        &super_of("demo/N", same.clone())
    ));
    let many = of("demo/Many", string());
    assert!(!is_subtype(
        program,
        &many,
        &super_of("demo/N", many.clone())
    ));
    // What has an answer keeps it.
    let parent = super_of("demo/N", of("demo/C", of("demo/C", string())));
    assert_eq!(
        as_super(program, &chain, "demo/N"),
        Some(of("demo/N", parent.clone()))
    );
    assert!(is_subtype(program, &chain, &of("demo/N", parent)));
}

#[test]
fn a_test_whose_types_lead_to_longer_ones_has_raw_types() {
    let subject = subject(CHAINS);
    let mut script = subject.script();
    let chain = script.construct("demo/C", "()V", &[]);
    script.call("demo/C.n(Ldemo/N;)I", Some(chain), &[chain], int(1));
    let typing = type_sequence(&subject.program, "demo", &script.run().sequence);
    assert!(typing.is_some_and(|typing| typing.is_raw));
}

#[test]
fn a_supertype_that_becomes_too_long_is_raw() {
    let mut files = vec![(
        "demo/Pair.java".to_owned(),
        "package demo; public class Pair<A, B> {}".to_owned(),
    )];
    for index in 0..10 {
        let text = format!(
            "package demo; public class A{index}<X> extends A{}<Pair<X, X>> {{}}",
            index + 1
        );
        files.push((format!("demo/A{index}.java"), text));
    }
    files.push((
        "demo/A10.java".into(),
        "package demo; public class A10<X> {}".into(),
    ));
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(path, text)| (&**path, &**text))
        .collect();
    let subject = subject(&files);
    let from = of("demo/A0", class("java/lang/String", Vec::new()));
    let seen = |name| as_super(&subject.program, &from, name).expect("a supertype");
    let TypeSignature::Class { arguments, .. } = seen("demo/A4") else {
        panic!("a class");
    };
    assert_eq!(format!("{arguments:?}").matches("Pair").count(), 15);
    assert_eq!(seen("demo/A10"), class("demo/A10", Vec::new()));
}

#[test]
fn a_list_of_calls_holds_what_the_stub_is_called_with_and_one_that_it_returns_what_is_put_in() {
    let subject = subject(&[
        (
            "demo/Mailer.java",
            "package demo; public interface Mailer { void send(Thread text); }",
        ),
        (
            "demo/Source.java",
            "package demo; public interface Source { java.util.ArrayList<Integer> all(); }",
        ),
    ]);
    let mut script = subject.script();
    let calls = script.construct("java/util/ArrayList", "()V", &[]);
    script.lambda("demo/Mailer", Some(calls));
    let returned = script.construct("java/util/ArrayList", "()V", &[]);
    script.lambda("demo/Source", Some(returned));
    let typing = type_sequence(&subject.program, "demo", &script.run().sequence).unwrap();
    let list = |of: &str| class("java/util/ArrayList", vec![exact(class(of, Vec::new()))]);
    assert_eq!(typing.declared[calls.index()], list("java/lang/Thread"));
    assert_eq!(typing.declared[returned.index()], list("java/lang/Integer"));
}
