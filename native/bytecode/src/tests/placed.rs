//! Where classes lie, and how many lie above one.

use crate::{LoadError, Origin, ProgramBuilder};
use palus_fixture::compile;

#[test]
fn a_class_counts_only_where_a_jvm_looks_for_it_and_one_that_cannot_be_read_is_known() {
    let compiled = compile(&[
        ("demo/Demo.java", "package demo; class Demo extends Base {}"),
        ("demo/Base.java", "package demo; class Base {}"),
    ]);
    let mut builder = ProgramBuilder::new();
    let mut add = |name: &str, bytes: &[u8]| builder.add_as(Origin::Subject, name, bytes);
    let misplaced = add("versions/9/demo/Base", compiled.bytes("demo/Base"));
    assert_eq!(misplaced, Err(LoadError::Misplaced("demo/Base".into())));
    let cut = &compiled.bytes("demo/Base")[..40];
    assert!(matches!(
        add("demo/Base", cut),
        Err(LoadError::Malformed(_))
    ));
    assert!(add("demo/Demo", compiled.bytes("demo/Demo")).is_ok());
    let program = builder.finish();
    assert!(program.class_named("demo/Base").is_none());
    let unread = ["demo/Base", "demo/Demo", "demo/Other"].map(|name| program.is_unread(name));
    assert_eq!(unread, [true, true, false]);
}

#[test]
fn of_a_chain_of_supertypes_without_end_the_nearest_are_known() {
    let names: Vec<String> = (0..3_000).map(|number| format!("demo/C{number}")).collect();
    let compiled = compile(&[(
        "demo/C.java",
        "package demo; class C extends demo.D {} class D {}",
    )]);
    let template = String::from_utf8_lossy(compiled.bytes("demo/C")).contains("demo/D");
    assert!(template);
    let mut builder = ProgramBuilder::new();
    for (number, name) in names.iter().enumerate() {
        let parent = names
            .get(number + 1)
            .map_or("java/lang/Object", String::as_str);
        let bytes = renamed(
            compiled.bytes("demo/C"),
            &[("demo/C", name), ("demo/D", parent)],
        );
        builder.add(Origin::Subject, &bytes).unwrap();
    }
    let program = builder.finish();
    let above = |name: &str| program.supertypes(program.class_named(name).unwrap()).len();
    assert_eq!((above("demo/C0"), above("demo/C2990")), (1_000, 10));
}

/// A class file with other names in its constant pool.
fn renamed(bytes: &[u8], names: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (old, new) in names {
        let entry = |name: &str| {
            let length = u16::try_from(name.len()).unwrap().to_be_bytes();
            [&[1][..], &length, name.as_bytes()].concat()
        };
        let (old, new) = (entry(old), entry(new));
        let at = bytes
            .windows(old.len())
            .position(|part| part == old)
            .unwrap();
        bytes.splice(at..at + old.len(), new);
    }
    bytes
}
