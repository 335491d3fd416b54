//! How fast traces are read: events per second, and walking all events against a raw scan of the same bytes.
//!
//! The trace is made by a generator: objects of 200 classes, about 12 events per object, constants, profiles, nested
//! calls, two threads with order marks. `PALUS_TRACE_MB` sets its size (300 by default); `PALUS_TRACE_FILE` takes a
//! real trace instead. "Raw scan" reads the bytes of the mapped file once, one after the other, as a parser that looks
//! at every byte must.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::hint::black_box;
use std::sync::Arc;

const CLASSES: u64 = 200;

fn methods() -> Vec<TraceMethod> {
    let mut methods = Vec::new();
    for class in 0..CLASSES {
        let class: Arc<str> = format!("org/example/part{}/Subject{class}", class % 10).into();
        let shapes = [
            ("<init>", "(ILjava/lang/String;)V", 1),
            (
                "put",
                "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                1,
            ),
            ("size", "()I", 1),
            ("join", "(Lorg/example/Subject;)V", 1),
        ];
        for (name, descriptor, access) in shapes {
            methods.push(TraceMethod {
                class: Arc::clone(&class),
                name: name.into(),
                descriptor: descriptor.into(),
                access,
            });
        }
    }
    methods
}

/// At least `size` bytes of trace, and its number of events.
fn generate(size: usize) -> (Vec<u8>, u64) {
    let methods = methods();
    let classes: Vec<_> = methods
        .iter()
        .step_by(4)
        .map(|method| Arc::clone(&method.class))
        .collect();
    let texts: Vec<Arc<str>> = (0..2000)
        .map(|text| format!("text number {text}").into())
        .collect();
    let mut writer = TraceWriter::new(1, 8 << 20, methods);
    let mut events = 0;
    let mut written = 0;
    let mut id: u64 = 0;
    while written < size {
        id += 1;
        let thread = u32::from(id.is_multiple_of(64));
        let class = id % CLASSES;
        let first = (class * 4) as u32;
        let object = |id: u64, count: u16| TraceValue::Object {
            id,
            class: Arc::clone(&classes[(id % CLASSES) as usize]),
            profile: Some(vec![1, count, 0, 8, 9]),
        };
        let text = TraceValue::Text(Arc::clone(&texts[(id * 7 % 2000) as usize]));
        let mut event = |event: TraceEvent| {
            writer.event(&event);
            events += 1;
        };
        let enter = |method: u32, receiver, arguments| TraceEvent::Enter {
            thread,
            method: first + method,
            receiver,
            arguments,
        };
        let exit = |result| TraceEvent::Exit { thread, result };
        event(enter(
            0,
            None,
            vec![TraceValue::Int(id as i32), text.clone()],
        ));
        event(exit(Some(object(id, 3))));
        for round in 0..2 {
            let other = TraceValue::Int(round * 300);
            event(enter(1, Some(object(id, 4)), vec![text.clone(), other]));
            event(enter(2, Some(object(id, 4)), vec![]));
            event(exit(Some(TraceValue::Int(round))));
            event(exit(Some(TraceValue::Null)));
        }
        event(enter(
            3,
            Some(object(id, 4)),
            vec![object(id.saturating_sub(CLASSES), 4)],
        ));
        event(exit(None));
        if thread == 1 {
            let records = writer.records(0);
            writer.after(1, 0, records);
        }
        written = written.max(writer.written());
    }
    (writer.finish(), events)
}

fn count(bytes: &[u8]) -> u64 {
    let mut reader = TraceReader::new(bytes).expect("a trace");
    let mut events = 0;
    while reader.next_event().expect("no damage").is_some() {
        events += 1;
    }
    events
}

fn walk(bytes: &[u8]) -> u64 {
    let mut reader = TraceReader::new(bytes).expect("a trace");
    let mut events = 0;
    while let Some(raw) = reader.next_raw().expect("no damage") {
        black_box(raw);
        events += 1;
    }
    events
}

fn scan(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0u64, |sum, byte| sum.rotate_left(1) ^ u64::from(*byte))
}

fn traces(criterion: &mut Criterion) {
    let megabytes = std::env::var("PALUS_TRACE_MB")
        .map_or(300, |text| text.parse().expect("a number of megabytes"));
    let (bytes, events) = match std::env::var_os("PALUS_TRACE_FILE") {
        Some(path) => {
            let bytes = std::fs::read(path).expect("a trace file");
            let events = count(&bytes);
            (bytes, events)
        }
        None => generate(megabytes << 20),
    };
    assert_eq!(walk(&bytes), events);
    let mut group = criterion.benchmark_group("traces");
    group.sample_size(10);
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    group.bench_function("raw scan", |bencher| {
        bencher.iter_batched(|| (), |()| scan(black_box(&bytes)), BatchSize::PerIteration);
    });
    group.bench_function("walk events", |bencher| {
        bencher.iter_batched(|| (), |()| walk(black_box(&bytes)), BatchSize::PerIteration);
    });
    group.throughput(Throughput::Elements(events));
    group.bench_function("walk events (events/s)", |bencher| {
        bencher.iter_batched(|| (), |()| walk(black_box(&bytes)), BatchSize::PerIteration);
    });
    group.bench_function("decode events (events/s)", |bencher| {
        bencher.iter_batched(
            || (),
            |()| count(black_box(&bytes)),
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, traces);
criterion_main!(benches);
