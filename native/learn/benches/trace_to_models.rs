//! From trace bytes to models: megabytes per second, beside a scan of the same bytes, and the peak memory.
//!
//! `PALUS_BENCH_MB` sets the size of the trace (30 by default; the goal is 300 MB in about 3 s and under 1 GB).
//! With `PALUS_BENCH_ONCE` set, the trace is learned from once and what that took is told, in seconds and memory, for
//! traces too long to be read again and again (3000 MB are made and read within a minute; the memory that learning
//! needs must not follow the length). It also tells a digest of the models, by which two versions are compared.
//! `PALUS_BENCH_TRACE` names a trace file to take in place of the imaginary one, and `PALUS_BENCH_CLASSES` the folder
//! of the classes that it was recorded from. Threads are those of rayon (`RAYON_NUM_THREADS`).
//! The imaginary trace is that of an imaginary test suite: many short-lived lists and maps that are made, filled, passed to each
//! other and asked, a few long-lived ones, texts and numbers that repeat as they do in tests, and numbers that never do.

use criterion::{Criterion, Throughput};
use palus_analyze::Facts;
use palus_bytecode::{Method, MethodId, Origin, Program, ProgramBuilder};
use palus_fixture::compile;
use palus_learn::{Learner, Models};
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

const JAVA: &str = "class Bag { Bag() {} Bag(Bag b) {} boolean add(Object o) { return true; } void addAll(Bag b) {} \
    int size() { return 0; } Bag copy() { return new Bag(this); } } \
    class Index { Index(int n) {} Object put(String key, Bag value) { return null; } Bag get(String key) { return null; } \
    boolean isEmpty() { return true; } }";

fn main() {
    let (program, pure, trace) = real().unwrap_or_else(imaginary);
    if std::env::var_os("PALUS_BENCH_ONCE").is_some() {
        return once(&program, &pure, &trace);
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
    group.bench_function("learn", |bencher| {
        bencher.iter(|| learn(&program, &pure, &trace));
    });
    group.finish();
    criterion.final_summary();
    report_memory(trace.len());
}

/// A program, which of its methods are pure, and a trace of it.
type Subject = (Program, Vec<bool>, Vec<u8>);

fn imaginary() -> Subject {
    let megabytes = std::env::var("PALUS_BENCH_MB")
        .ok()
        .and_then(|text| text.parse().ok());
    let megabytes: usize = megabytes.unwrap_or(30);
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compile(&[("All.java", JAVA)]).classes {
        builder
            .add(Origin::Subject, bytes)
            .expect("the compiler writes readable classes");
    }
    let program = builder.finish();
    let names = ["size", "isEmpty", "get", "<init>"];
    let is_pure = |method: &Method| names.contains(&&*method.name);
    let pure = program.methods().iter().map(is_pure).collect();
    let trace = trace(&program, megabytes << 20);
    (program, pure, trace)
}

/// The trace that the environment names; none if it names none.
fn real() -> Option<Subject> {
    let trace = std::env::var_os("PALUS_BENCH_TRACE")?;
    let trace = std::fs::read(trace).expect("a trace file");
    let classes = std::env::var_os("PALUS_BENCH_CLASSES").expect("PALUS_BENCH_CLASSES, a folder");
    let mut builder = ProgramBuilder::new();
    add_classes(Path::new(&classes), &mut builder);
    let program = builder.finish();
    let facts = Facts::of(&program);
    let methods = (0..).take(program.methods().len()).map(MethodId);
    let pure = methods.map(|id| facts.is_pure(id)).collect();
    Some((program, pure, trace))
}

/// Adds the classes of a folder and of those inside, in the order of their names.
fn add_classes(folder: &Path, builder: &mut ProgramBuilder) {
    let entries = std::fs::read_dir(folder).expect("a folder of classes");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_classes(&path, builder);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            let bytes = std::fs::read(&path).expect("a class file");
            // As in a run, one that cannot be read is left out.
            let _ = builder.add(Origin::Subject, &bytes);
        }
    }
}

fn learn(program: &Program, pure: &[bool], trace: &[u8]) -> Models {
    let is_pure = |id: MethodId| pure[id.index()];
    let mut learner = Learner::new(program, &is_pure);
    let mut reader = TraceReader::new(trace).expect("a trace of this version");
    learner.read(&mut reader).expect("a whole trace");
    learner.finish()
}

/// Learns once, beside one scan.
#[expect(clippy::print_stderr, reason = "a bench's own result")]
#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn once(program: &Program, pure: &[bool], trace: &[u8]) {
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
    let cpu = cpu_seconds();
    let start = Instant::now();
    let models = learn(program, pure, trace);
    let learned = start.elapsed();
    let cpu = cpu_seconds() - cpu;
    let grown = kilobytes("VmHWM").saturating_sub(before) >> 10;
    let edges: usize = models.iter().map(|model| model.edges().len()).sum();
    let mut digest = DefaultHasher::new();
    models.store(program).encode().hash(&mut digest);
    eprintln!(
        "{} MB, {events} events: scan {scanned:.2?}, learn {learned:.2?} ({cpu:.2} s CPU), {edges} edges, {grown} MB more at the peak, \
         models {:016x}",
        trace.len() >> 20,
        digest.finish()
    );
}

/// What all threads of the process took so far, in the system's hundredths.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let behind_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = behind_name.split_whitespace().skip(11).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<u32>().ok())
        .map(|ticks| f64::from(ticks) / 100.0)
        .sum()
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
