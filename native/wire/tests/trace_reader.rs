//! What the trace reader promises, on traces made by the writer: order between threads, cut tails, damage.

use palus_wire::WireError;
use palus_wire::trace::{
    PlainValue, TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter,
};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn methods() -> Vec<TraceMethod> {
    let method = |name: &str, descriptor: &str, access| TraceMethod {
        class: "road/City".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        access,
    };
    vec![
        method("<init>", "(Ljava/lang/String;)V", 1),
        method("setMap", "(Lroad/RoadMap;)V", 1),
        method("count", "()I", 9),
        method("<init>", "()V", 1),
        method("mix", "(J[[ILjava/lang/String;)Lroad/City;", 9),
    ]
}

fn city(id: u64) -> TraceValue {
    TraceValue::Object {
        id,
        class: "road/City".into(),
        profile: Some(vec![1, 0]),
    }
}

fn enter(
    thread: u32,
    method: u32,
    receiver: Option<TraceValue>,
    arguments: Vec<TraceValue>,
) -> TraceEvent {
    TraceEvent::Enter {
        thread,
        method,
        receiver,
        arguments,
    }
}

fn exit(thread: u32, result: Option<TraceValue>) -> TraceEvent {
    TraceEvent::Exit { thread, result }
}

fn read(bytes: &[u8]) -> Result<(Vec<TraceEvent>, bool), WireError> {
    let mut reader = TraceReader::new(bytes)?;
    let mut events = Vec::new();
    let methods = methods();
    while let Some(mut event) = reader.next_event()? {
        // The reader numbers methods as it meets them; the tests write with the numbers of `methods`.
        if let TraceEvent::Enter { method, .. } = &mut event {
            let met = &reader.methods()[*method as usize];
            let number = methods.iter().position(|method| method == met);
            *method = number.map_or(u32::MAX, |number| number as u32);
        }
        events.push(event);
    }
    Ok((events, reader.is_truncated()))
}

fn write(chunk_size: usize, events: &[TraceEvent]) -> Vec<u8> {
    let mut writer = TraceWriter::new(7, chunk_size, methods());
    for event in events {
        writer.event(event);
    }
    writer.finish()
}

fn every_kind_of_event() -> Vec<TraceEvent> {
    let text = |text: &str| TraceValue::Text(text.into());
    vec![
        TraceEvent::TestStart {
            thread: 0,
            class: "road/CityTest".into(),
            method: "moves".into(),
        },
        enter(0, 0, None, vec![text("Zürich")]),
        exit(0, Some(city(3))),
        enter(0, 1, Some(city(3)), vec![TraceValue::Null]),
        enter(0, 2, None, vec![]),
        exit(0, Some(TraceValue::Int(-17))),
        enter(0, 2, None, vec![]),
        exit(0, Some(TraceValue::Int(175))),
        TraceEvent::Throw {
            thread: 0,
            class: "java/lang/Error".into(),
        },
        TraceEvent::Capped {
            objects: vec![3, 900],
        },
        enter(
            0,
            4,
            None,
            vec![
                TraceValue::Long(i64::MIN),
                TraceValue::Array {
                    id: 12,
                    class: "[[I".into(),
                    length: 40,
                    profile: 7,
                    elements: vec![
                        TraceValue::Null,
                        TraceValue::Array {
                            id: 13,
                            class: "[I".into(),
                            length: 2,
                            profile: 8,
                            elements: vec![TraceValue::Int(1), TraceValue::Int(-16)],
                        },
                    ],
                },
                text(&"x".repeat(300)),
            ],
        ),
        exit(
            0,
            Some(TraceValue::EnumConstant {
                class: "road/Kind".into(),
                name: "BRIDGE".into(),
            }),
        ),
        TraceEvent::TestEnd {
            thread: 0,
            failed: true,
        },
    ]
}

#[test]
fn every_kind_of_event_goes_both_ways() {
    let events = every_kind_of_event();
    for chunk_size in [1 << 18, 64] {
        assert_eq!(
            read(&write(chunk_size, &events)),
            Ok((events.clone(), false))
        );
    }
}

#[test]
fn every_kind_of_value_goes_both_ways() {
    let values = [
        TraceValue::Boolean(true),
        TraceValue::Boolean(false),
        TraceValue::Byte(-128),
        TraceValue::Char(0xffff),
        TraceValue::Short(i16::MIN),
        TraceValue::Int(i32::MIN),
        TraceValue::Int(i32::MAX),
        TraceValue::Int(0),
        TraceValue::Float(f32::NAN.to_bits()),
        TraceValue::Double((-0.0f64).to_bits()),
        TraceValue::UnknownText,
        TraceValue::UnknownNumber,
        TraceValue::Text("".into()),
        TraceValue::ClassLiteral("[Lroad/City;".into()),
        TraceValue::Object {
            id: u64::from(u32::MAX) + 5,
            class: "java/lang/Object".into(),
            profile: None,
        },
    ];
    let mut events = Vec::new();
    for value in values {
        events.push(enter(0, 2, None, vec![]));
        events.push(exit(0, Some(value)));
    }
    assert_eq!(read(&write(1 << 18, &events)), Ok((events, false)));
}

/// What is read of results where `hunter22` and 739146 are held back.
fn read_holding_back(values: Vec<TraceValue>) -> Vec<String> {
    let mut events = Vec::new();
    for value in values {
        events.push(enter(0, 2, None, vec![]));
        events.push(exit(0, Some(value)));
    }
    let bytes = write(1 << 18, &events);
    let is_held = |value: PlainValue<'_>| match value {
        PlainValue::Text(text) => text.contains("hunter22"),
        PlainValue::Integer(number) => number.abs() == 739_146,
        PlainValue::Float(bits) => bits == 739_146.0_f32.to_bits(),
        PlainValue::Double(bits) => bits == 739_146.0_f64.to_bits(),
    };
    let mut reader = TraceReader::new(&bytes).unwrap().holding_back(&is_held);
    let mut seen = Vec::new();
    while let Some(event) = reader.next_event().unwrap() {
        if let TraceEvent::Exit {
            result: Some(value),
            ..
        } = event
        {
            seen.push(match value {
                TraceValue::Array {
                    length, elements, ..
                } => format!("{length}:{}", elements.len()),
                TraceValue::Text(text) => text.to_string(),
                other => format!("{other:?}"),
            });
        }
    }
    seen
}

#[test]
fn texts_that_are_held_back_are_unknown_whole_or_in_pieces() {
    let array = |elements: Vec<TraceValue>| TraceValue::Array {
        id: 7,
        class: "[C".into(),
        length: elements.len() as u32,
        profile: 0,
        elements,
    };
    let characters = |text: &str| {
        let units = text.encode_utf16();
        array(units.map(TraceValue::Char).collect())
    };
    let bytes = |text: &str| {
        let bytes = text.bytes();
        array(
            bytes
                .map(|byte| TraceValue::Byte(byte.cast_signed()))
                .collect(),
        )
    };
    let numbers =
        |text: &str, number: fn(u8) -> TraceValue| array(text.bytes().map(number).collect());
    let double = |byte: u8| TraceValue::Double(f64::from(byte).to_bits());
    let long = format!("{}hunter22", "x".repeat(300));
    let values = vec![
        TraceValue::Text("hunter22".into()),
        TraceValue::Text("plain".into()),
        TraceValue::Text(long.as_str().into()),
        characters("hunter22"),
        bytes("hunter22"),
        characters("plain"),
        numbers("hunter22", |byte| TraceValue::Short(byte.into())),
        numbers("hunter22", |byte| TraceValue::Int(byte.into())),
        numbers("hunter22", |byte| TraceValue::Long(byte.into())),
        numbers("hunter22", |byte| {
            TraceValue::Float(f32::from(byte).to_bits())
        }),
        numbers("hunter22", double),
        numbers("plain", double),
        array(vec![
            TraceValue::Double(0.5_f64.to_bits()),
            TraceValue::Long(-1),
            TraceValue::Null,
        ]),
        TraceValue::Text("hunter22".into()),
        TraceValue::Int(739_146),
        TraceValue::Long(-739_146),
        TraceValue::Float(739_146.0_f32.to_bits()),
        TraceValue::Double(739_146.0_f64.to_bits()),
        TraceValue::Int(739_147),
    ];
    let seen = read_holding_back(values);
    let unknown = "UnknownText";
    let number = "UnknownNumber";
    assert_eq!(
        seen,
        [
            unknown,
            "plain",
            unknown,
            "8:0",
            "8:0",
            "5:5",
            "8:0",
            "8:0",
            "8:0",
            "8:0",
            "8:0",
            "5:5",
            "3:3",
            unknown,
            number,
            number,
            number,
            number,
            "Int(739147)"
        ]
    );
}

#[test]
fn an_object_that_changes_threads_keeps_its_order() {
    let mut writer = TraceWriter::new(7, 1 << 12, methods());
    let born = [
        enter(0, 0, None, vec![TraceValue::Null]),
        exit(0, Some(city(1))),
    ];
    let lent = [
        enter(1, 1, Some(city(1)), vec![TraceValue::Null]),
        exit(1, None),
    ];
    let back = [
        enter(0, 1, Some(city(1)), vec![TraceValue::Null]),
        exit(0, None),
    ];
    for event in &born {
        writer.event(event);
    }
    let records = writer.records(0);
    writer.after(1, 0, records);
    for event in &lent {
        writer.event(event);
    }
    let records = writer.records(1);
    writer.after(0, 1, records);
    for event in &back {
        writer.event(event);
    }
    let expected = [born, lent, back].concat();
    assert_eq!(read(&writer.finish()), Ok((expected, false)));
}

#[test]
fn a_mark_on_records_that_were_lost_does_not_hold_anything_up() {
    let mut writer = TraceWriter::new(7, 1 << 12, methods());
    writer.after(0, 1, 1000);
    writer.after(0, 77, 3);
    let call = [enter(0, 2, None, vec![]), exit(0, Some(TraceValue::Int(1)))];
    for event in &call {
        writer.event(event);
    }
    writer.event(&enter(1, 2, None, vec![]));
    let (events, _) = read(&writer.finish()).unwrap();
    assert_eq!(
        events,
        [enter(1, 2, None, vec![]), call[0].clone(), call[1].clone()]
    );
}

#[test]
fn marks_in_a_circle_are_damage() {
    let mut writer = TraceWriter::new(7, 1 << 12, methods());
    writer.after(0, 1, 2);
    writer.after(1, 0, 2);
    writer.event(&enter(0, 2, None, vec![]));
    writer.event(&enter(1, 2, None, vec![]));
    let damaged = read(&writer.finish()).unwrap_err();
    assert!(matches!(
        damaged,
        WireError::Damaged {
            what: "order marks without a circle",
            ..
        }
    ));
}

#[test]
fn a_killed_jvm_leaves_all_its_calls_and_says_so() {
    let mut writer = TraceWriter::new(7, 1 << 12, methods());
    writer.event(&enter(0, 2, None, vec![]));
    let (events, truncated) = read(&writer.kill()).unwrap();
    assert_eq!(events, [enter(0, 2, None, vec![])]);
    assert!(truncated);
}

#[test]
fn a_jvm_killed_while_it_writes_a_block_leaves_those_before() {
    let mut writer = TraceWriter::new(7, 1 << 12, methods());
    for id in 1..=2 {
        writer.event(&enter(0, 1, Some(city(id)), vec![TraceValue::Null]));
        writer.event(&exit(0, None));
    }
    let whole = writer.kill();
    let (all, _) = read(&whole).unwrap();
    assert_eq!(all.len(), 4);
    let end = whole.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    let mut blocks = BTreeSet::new();
    for written in (64 + 16)..end {
        let mut bytes = whole.clone();
        bytes[written..].fill(0);
        let (events, truncated) = read(&bytes).unwrap();
        assert_eq!(events, all[..events.len()], "{written} bytes were written");
        assert!(truncated);
        blocks.insert(events.len());
    }
    assert_eq!(Vec::from_iter(blocks), [0, 2]);
}

#[test]
fn a_file_cut_anywhere_gives_a_prefix_and_no_error() {
    let events = every_kind_of_event();
    let bytes = write(256, &events);
    let mut longest = 0;
    for end in 6..bytes.len() {
        let (prefix, truncated) = read(&bytes[..end]).unwrap();
        assert_eq!(prefix, events[..prefix.len()]);
        assert!(truncated);
        assert!(prefix.len() >= longest);
        longest = prefix.len();
    }
    assert_eq!(longest, events.len());
}

#[test]
fn a_foreign_file_and_another_version_are_told_apart() {
    let expected = "a Palus trace";
    assert_eq!(
        read(b"\xca\xfe\xba\xbe\0\0"),
        Err(WireError::Foreign { expected })
    );
    assert_eq!(read(b""), Err(WireError::Foreign { expected }));
    let version = WireError::Version {
        found: 9,
        expected: 3,
    };
    assert_eq!(read(b"PALT\x09\0rest"), Err(version.clone()));
    let told = "has format version 9, this build reads version 3";
    assert_eq!(version.to_string(), told);
}

#[test]
fn methods_are_met_in_the_order_of_their_events() {
    let bytes = write(1 << 12, &every_kind_of_event());
    let mut reader = TraceReader::new(&bytes).unwrap();
    assert!(reader.methods().is_empty());
    while reader.next_event().unwrap().is_some() {}
    let names: Vec<_> = reader
        .methods()
        .iter()
        .map(|method| &*method.name)
        .collect();
    assert_eq!(names, ["<init>", "setMap", "count", "mix"]);
    assert_eq!(reader.process(), 7);
}

fn values() -> impl Strategy<Value = TraceValue> {
    let leaf = prop_oneof![
        Just(TraceValue::Null),
        any::<i32>().prop_map(TraceValue::Int),
        any::<i64>().prop_map(TraceValue::Long),
        any::<u64>().prop_map(TraceValue::Double),
        "\\PC{0,12}".prop_map(|text| TraceValue::Text(text.into())),
        any::<u32>().prop_map(|id| city(u64::from(id))),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop::collection::vec(inner, 0..4).prop_map(|elements| TraceValue::Array {
            id: 1,
            class: "[Ljava/lang/Object;".into(),
            length: elements.len() as u32,
            profile: 8,
            elements,
        })
    })
}

/// Balanced calls on up to three threads; the writer puts each thread's events in its own chunks.
fn calls() -> impl Strategy<Value = Vec<Vec<TraceEvent>>> {
    let call = (values(), values(), values());
    let thread = prop::collection::vec(call, 0..20);
    prop::collection::vec(thread, 1..4).prop_map(|threads| {
        let mut all = Vec::new();
        for (thread, calls) in threads.into_iter().enumerate() {
            let thread = thread as u32;
            let mut events = Vec::new();
            for (first, second, third) in calls {
                let result = Some(third.clone());
                events.push(enter(thread, 4, None, vec![first, second, third]));
                events.push(exit(thread, result));
            }
            all.push(events);
        }
        all
    })
}

proptest! {
    #[test]
    fn any_events_go_both_ways(threads in calls(), chunk_size in 16usize..5000) {
        let events = threads.concat();
        prop_assert_eq!(read(&write(chunk_size, &events)), Ok((events, false)));
    }

    #[test]
    fn any_damage_is_an_error_or_other_events_but_never_a_panic(
        threads in calls(),
        damages in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let mut bytes = write(200, &threads.concat());
        for (place, byte) in damages {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read(&bytes);
    }

    #[test]
    fn any_bytes_behind_the_header_never_panic(tail in prop::collection::vec(any::<u8>(), 0..300)) {
        let mut bytes = write(64, &[]);
        bytes.extend_from_slice(b"PALC\0\0\0\0");
        bytes.extend_from_slice(&(tail.len() as u32 + 16).to_le_bytes());
        bytes.extend_from_slice(&[0; 4]);
        bytes.extend_from_slice(&(tail.len() as u32).saturating_sub(4).to_le_bytes());
        bytes.extend_from_slice(&tail);
        let _ = read(&bytes);
    }
}
