//! The trace that the agent's own recorder writes for a script, byte for byte (`java/worker` checks that it does),
//! and what the reader makes of it.

use expect_test::expect;
use palus_wire::trace::{TraceReader, format};
use std::fmt::Write;

/// The golden file leaves out the zeros at its end.
fn golden() -> Vec<u8> {
    let hex: String = include_str!("golden/trace.hex")
        .split_whitespace()
        .collect();
    let digits = hex
        .as_bytes()
        .chunks(2)
        .map(|pair| str::from_utf8(pair).expect("hex is ASCII"));
    let mut bytes: Vec<u8> = digits
        .map(|pair| u8::from_str_radix(pair, 16).expect("hex"))
        .collect();
    let length = bytes[format::LENGTH_AT..]
        .first_chunk()
        .expect("a header is longer");
    let length = u64::from_le_bytes(*length);
    bytes.resize(usize::try_from(length).expect("256 kB"), 0);
    bytes
}

#[test]
fn the_agents_trace_reads_as_it_was_recorded() {
    let bytes = golden();
    let mut reader = TraceReader::new(&bytes).expect("a trace");
    let mut text = String::new();
    while let Some(event) = reader.next_event().expect("no damage") {
        let _ = writeln!(text, "{event:?}").is_ok();
    }
    for method in reader.methods() {
        let _ = writeln!(text, "{method:?}").is_ok();
    }
    assert!(!reader.is_truncated());
    assert_eq!(reader.process(), 0x0123_4567_89ab_cdef);
    expect![[r#"
        TestStart { thread: 0, class: "road/CityTest", method: "scripted" }
        Enter { thread: 0, method: 0, receiver: None, arguments: [Text("Zürich")] }
        Exit { thread: 0, result: Some(Object { id: 1, class: "io/palus/agent/GoldenScript$City", profile: Some([1, 3]) }) }
        Enter { thread: 0, method: 1, receiver: Some(Object { id: 1, class: "io/palus/agent/GoldenScript$City", profile: Some([1, 3]) }), arguments: [Boolean(true), Byte(-1), Char(8364), Short(-300), Int(-17), Long(1099511627776), Float(1069547520), Double(9223372036854775808), Null] }
        Throw { thread: 0, class: "java/lang/IllegalStateException" }
        Enter { thread: 0, method: 2, receiver: Some(Object { id: 1, class: "io/palus/agent/GoldenScript$City", profile: Some([1, 3]) }), arguments: [Array { id: 2, class: "[Ljava/lang/Object;", length: 3, profile: 7, elements: [ClassLiteral("[I"), EnumConstant { class: "java/util/concurrent/TimeUnit", name: "DAYS" }, Null] }] }
        Exit { thread: 0, result: Some(Text("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx")) }
        Enter { thread: 0, method: 2, receiver: Some(Object { id: 1, class: "io/palus/agent/GoldenScript$City", profile: Some([1, 4]) }), arguments: [Object { id: 3, class: "java/lang/StringBuilder", profile: None }] }
        Exit { thread: 0, result: None }
        Enter { thread: 0, method: 2, receiver: Some(Object { id: 1, class: "io/palus/agent/GoldenScript$City", profile: Some([1, 4]) }), arguments: [Int(175)] }
        Exit { thread: 0, result: None }
        TestEnd { thread: 0, failed: true }
        TraceMethod { class: "io/palus/agent/GoldenScript$City", name: "<init>", descriptor: "(Ljava/lang/String;)V", access: 1 }
        TraceMethod { class: "io/palus/agent/GoldenScript$City", name: "mix", descriptor: "(ZBCSIJFDLjava/lang/Object;)V", access: 1 }
        TraceMethod { class: "io/palus/agent/GoldenScript$City", name: "take", descriptor: "(Ljava/lang/Object;)Ljava/lang/Object;", access: 1 }
    "#]].assert_eq(&text);
}
