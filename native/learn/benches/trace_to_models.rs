//! From trace bytes to models: megabytes per second, beside a scan of the same bytes, and the peak memory.
//!
//! `PALUS_BENCH_MB` sets the size of the trace (30 by default; the goal is 300 MB in about 3 s and under 1 GB).
//! With `PALUS_BENCH_ONCE` set, the trace is learned from once and what that took is told, in seconds and memory, for
//! traces too long to be read again and again (3000 MB are made and read within a minute; the memory that learning
//! needs must not follow the length).
//! The trace is that of an imaginary test suite: many short-lived lists and maps that are made, filled, passed to each
//! other and asked, a few long-lived ones, texts and numbers that repeat as they do in tests, and numbers that never do.

use criterion::{Criterion, Throughput};
use palus_bytecode::{Method, MethodId, Origin, Program, ProgramBuilder};
use palus_fixture::compile;
use palus_learn::Learner;
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::hint::black_box;
use std::time::Instant;

const JAVA: &str = "class Bag { Bag() {} Bag(Bag b) {} boolean add(Object o) { return true; } void addAll(Bag b) {} \
    int size() { return 0; } Bag copy() { return new Bag(this); } } \
    class Index { Index(int n) {} Object put(String key, Bag value) { return null; } Bag get(String key) { return null; } \
    boolean isEmpty() { return true; } }";

fn main() {
    let megabytes = std::env::var("PALUS_BENCH_MB")
        .ok()
        .and_then(|text| text.parse().ok());
    let megabytes: usize = megabytes.unwrap_or(30);
    let program = program();
    let trace = trace(&program, megabytes << 20);
    if std::env::var_os("PALUS_BENCH_ONCE").is_some() {
        return once(&program, &trace);
    }
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("trace");
    group.throughput(Throughput::Bytes(trace.len() as u64));
    group.bench_function("scan", |bencher| {
        bencher.iter(|| {
            let mut reader = TraceReader::new(&trace).expect("a trace of this version");
            let mut events = 0u64;
            while let Some(event) = reader.next_raw().expect("a whole trace") {
                events += u64::from(event.thread) + 1;
            }
            events
        });
    });
    group.bench_function("decode", |bencher| {
        bencher.iter(|| {
            let mut reader = TraceReader::new(&trace).expect("a trace of this version");
            while let Some(event) = reader.next_event().expect("a whole trace") {
                black_box(&event);
            }
        });
    });
    group.bench_function("learn", |bencher| bencher.iter(|| learn(&program, &trace)));
    group.finish();
    criterion.final_summary();
    report_memory(trace.len());
}

fn learn(program: &Program, trace: &[u8]) -> usize {
    let pure = ["size", "isEmpty", "get", "<init>"];
    let is_pure = |id: MethodId| pure.contains(&&*program.method(id).name);
    let mut learner = Learner::new(program, &is_pure);
    let mut reader = TraceReader::new(trace).expect("a trace of this version");
    learner.read(&mut reader).expect("a whole trace");
    let models = learner.finish();
    models.iter().map(|model| model.edges().len()).sum()
}

/// Learns once, beside one scan.
#[expect(clippy::print_stderr, reason = "a bench's own result")]
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn once(program: &Program, trace: &[u8]) {
    let start = Instant::now();
    let mut reader = TraceReader::new(trace).expect("a trace of this version");
    let mut events = 0u64;
    while reader.next_raw().expect("a whole trace").is_some() {
        events += 1;
    }
    let scanned = start.elapsed();
    // From here on the peak counts anew.
    let _ = std::fs::write("/proc/self/clear_refs", "5");
    let before = kilobytes("VmRSS");
    let start = Instant::now();
    let edges = learn(program, trace);
    let learned = start.elapsed();
    let grown = kilobytes("VmHWM").saturating_sub(before) >> 10;
    eprintln!(
        "{} MB, {events} events: scan {scanned:.1?}, learn {learned:.1?}, {edges} edges, {grown} MB more at the peak",
        trace.len() >> 20
    );
}

/// A line of the process's status.
fn kilobytes(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| {
        line.trim_matches(|c: char| !c.is_ascii_digit())
            .parse()
            .ok()
    });
    number.unwrap_or_default()
}

#[expect(clippy::print_stderr, reason = "a bench's own result")]
fn report_memory(trace: usize) {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find(|line| line.starts_with("VmHWM"))
        .unwrap_or("VmHWM unknown");
    eprintln!(
        "trace of {} MB held in memory as well; peak {peak}",
        trace >> 20
    );
}

fn program() -> Program {
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compile(&[("All.java", JAVA)]).classes {
        builder
            .add(Origin::Subject, bytes)
            .expect("the compiler writes readable classes");
    }
    builder.finish()
}

struct Writer<'a> {
    program: &'a Program,
    file: TraceWriter,
    bytes: usize,
    next: u64,
}

impl Writer<'_> {
    fn object(class: &str, id: u64, size: u16) -> TraceValue {
        let profile = Some(if class == "Bag" {
            vec![1, 3 + size.min(1)]
        } else {
            vec![1, 1, 4]
        });
        TraceValue::Object {
            id,
            class: class.into(),
            profile,
        }
    }

    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn call(
        &mut self,
        class: &str,
        name: &str,
        receiver: Option<TraceValue>,
        arguments: Vec<TraceValue>,
        result: Option<TraceValue>,
    ) {
        self.enter(class, name, receiver, arguments);
        self.exit(result);
    }

    fn enter(
        &mut self,
        class: &str,
        name: &str,
        receiver: Option<TraceValue>,
        arguments: Vec<TraceValue>,
    ) {
        let declaring = self
            .program
            .class(self.program.class_named(class).expect("a class"));
        let method = declaring.methods.iter().find(|&&id| {
            let method = self.program.method(id);
            &*method.name == name && method.method_type.parameters.len() == arguments.len()
        });
        let method = method.expect("a method of the class").0;
        self.bytes += 10 + 7 * arguments.len();
        self.file.event(&TraceEvent::Enter {
            thread: 0,
            method,
            receiver,
            arguments,
        });
    }

    fn exit(&mut self, result: Option<TraceValue>) {
        self.bytes += 6;
        self.file.event(&TraceEvent::Exit { thread: 0, result });
    }
}

/// About `size` bytes.
fn trace(program: &Program, size: usize) -> Vec<u8> {
    let method = |method: &Method| TraceMethod {
        class: program.class(method.class).name.clone(),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
        access: method.access.0,
    };
    let methods = program.methods().iter().map(method).collect();
    let writer = TraceWriter::new(1, 1 << 20, methods);
    let mut out = Writer {
        program,
        file: writer,
        bytes: 0,
        next: 0,
    };
    let index = out.fresh();
    let new_index = Writer::object("Index", index, 1);
    out.call(
        "Index",
        "<init>",
        None,
        vec![TraceValue::Int(16)],
        Some(new_index),
    );
    let mut round = 0u64;
    while out.bytes < size {
        round += 1;
        out.file.event(&TraceEvent::TestStart {
            thread: 0,
            class: "BagTest".into(),
            method: format!("test{}", round % 500).as_str().into(),
        });
        let bag = out.fresh();
        let filled = |size| Writer::object("Bag", bag, size);
        let made = filled(0);
        out.call("Bag", "<init>", None, vec![], Some(made));
        for number in 0..10u16 {
            let value = match number % 5 {
                3 => TraceValue::Int((out.next * 31) as i32 + i32::from(number)),
                4 => TraceValue::Text(format!("only {}", out.next % 8000).as_str().into()),
                0 => TraceValue::Int((round % 300) as i32 + i32::from(number)),
                1 => TraceValue::Text(format!("value {}", round % 97).as_str().into()),
                _ => TraceValue::Null,
            };
            let receiver = filled(number);
            out.call(
                "Bag",
                "add",
                Some(receiver),
                vec![value],
                Some(TraceValue::Boolean(true)),
            );
            let receiver = filled(number + 1);
            out.call(
                "Bag",
                "size",
                Some(receiver),
                vec![],
                Some(TraceValue::Int(i32::from(number) + 1)),
            );
        }
        let copy = out.fresh();
        let receiver = filled(1);
        out.enter("Bag", "copy", Some(receiver.clone()), vec![]);
        let copied = Writer::object("Bag", copy, 1);
        out.call(
            "Bag",
            "<init>",
            None,
            vec![receiver.clone()],
            Some(copied.clone()),
        );
        out.exit(Some(copied.clone()));
        out.call("Bag", "addAll", Some(copied), vec![receiver.clone()], None);
        let key = TraceValue::Text(format!("key {}", round % 211).as_str().into());
        let known = Writer::object("Index", index, 1);
        out.call(
            "Index",
            "put",
            Some(known.clone()),
            vec![key.clone(), receiver.clone()],
            Some(TraceValue::Null),
        );
        out.call("Index", "get", Some(known), vec![key], Some(receiver));
        out.file.event(&TraceEvent::TestEnd {
            thread: 0,
            failed: false,
        });
    }
    out.file.finish()
}
