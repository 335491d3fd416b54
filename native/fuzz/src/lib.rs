//! Damaged bytes against everything that reads bytes from elsewhere: no panic, no hang.
//!
//! Comes in: a count of inputs, a seed. Goes out: what was read, or the first input that a reader panics on.
//! Inputs are good ones with bytes changed, cut out, doubled or put in; the same seed gives the same inputs.
//! Does not know: what a good input means.

mod mutator;

pub use mutator::Mutator;
use palus_bytecode::{Origin, ProgramBuilder};
use palus_wire::frame::{ByteWriter, split_frame};
use palus_wire::models::StoredModels;
use palus_wire::response::Response;
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A reader and inputs that it takes.
pub struct Target {
    /// What is read.
    pub name: &'static str,
    /// Good inputs.
    pub seeds: Vec<Vec<u8>>,
    /// True if the bytes were taken without a complaint.
    pub read: fn(&[u8]) -> bool,
}

/// What came of the inputs of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Inputs read.
    pub executions: u64,
    /// Those that the reader took without a complaint.
    pub accepted: u64,
}

/// All readers.
pub fn targets() -> Vec<Target> {
    let answers: Vec<Vec<u8>> = ANSWERS.iter().map(|answer| answer.to_vec()).collect();
    let frames = answers.iter().map(|answer| {
        let mut writer = ByteWriter::new();
        let start = writer.begin_frame();
        writer.raw(answer);
        writer.end_frame(start);
        writer.into_bytes()
    });
    vec![
        Target {
            name: "class files",
            seeds: vec![include_bytes!("../corpus/Shapes.class").to_vec()],
            read: read_class,
        },
        Target {
            name: "traces",
            seeds: vec![trace()],
            read: read_trace,
        },
        Target {
            name: "frames of workers",
            seeds: frames.collect(),
            read: read_frames,
        },
        Target {
            name: "answers of workers",
            seeds: answers,
            read: |bytes| Response::decode(bytes).is_ok(),
        },
        Target {
            name: "caches of models",
            seeds: vec![
                StoredModels::default().encode(),
                vec![1, 1, b'A', 1, 0, 1, b'm', 3, b'(', b')', b'V', 0, 0, 0, 0],
            ],
            read: |bytes| StoredModels::decode(bytes).is_ok(),
        },
    ]
}

/// Beginnings of answers of each kind; the mutator finds the rest.
const ANSWERS: &[&[u8]] = &[
    &[0, 1, 0, 0, 0, 0, 0, 0],
    &[1, 2, 3, b'a', b'b', b'c', 0, 0, 0, 0],
    &[2, 1, 1, 2, 0, 4, b't', b'e', b'x', b't', 0, 0, 0, 0],
    &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    &[4, 5, 1, 1, 1, 1, 1, 1, 1],
];

/// Runs so many damaged inputs through one reader.
///
/// # Errors
/// The first input that it panics on.
pub fn run(target: &Target, executions: u64, seed: u64) -> Result<Figures, Vec<u8>> {
    let mut mutator = Mutator::new(seed);
    let mut figures = Figures::default();
    for _ in 0..executions {
        let input = mutator.damage(&target.seeds);
        let read = catch_unwind(AssertUnwindSafe(|| (target.read)(&input)));
        let Ok(is_accepted) = read else {
            return Err(input);
        };
        figures.executions += 1;
        figures.accepted += u64::from(is_accepted);
    }
    Ok(figures)
}

fn read_class(bytes: &[u8]) -> bool {
    let mut builder = ProgramBuilder::new();
    let is_read = builder.add(Origin::Subject, bytes).is_ok();
    is_read && builder.finish().classes().len() == 1
}

fn read_trace(bytes: &[u8]) -> bool {
    let Ok(mut reader) = TraceReader::new(bytes) else {
        return false;
    };
    loop {
        match reader.next_event() {
            Ok(Some(_)) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
}

fn read_frames(mut bytes: &[u8]) -> bool {
    loop {
        match split_frame(bytes) {
            Ok(Some((body, taken))) => {
                drop(Response::decode(body));
                bytes = &bytes[taken..];
            }
            Ok(None) => return bytes.is_empty(),
            Err(_) => return false,
        }
    }
}

/// A trace with one of most things.
fn trace() -> Vec<u8> {
    let method = |name: &str, descriptor: &str| TraceMethod {
        class: "road/City".into(),
        name: name.into(),
        descriptor: descriptor.into(),
        access: 1,
    };
    let methods = vec![
        method("<init>", "()V"),
        method("setMap", "(Lroad/RoadMap;)V"),
    ];
    let city = || TraceValue::Object {
        id: 1,
        class: "road/City".into(),
        profile: Some(vec![1, 0]),
    };
    let mut writer = TraceWriter::new(1, 1 << 10, methods);
    for (thread, method) in [(0, 0), (1, 1), (0, 1)] {
        let receiver = (method == 1).then(city);
        let arguments = if method == 1 { vec![city()] } else { vec![] };
        let result = (method == 0).then(city);
        writer.event(&TraceEvent::Enter {
            thread,
            method,
            receiver,
            arguments,
        });
        writer.event(&TraceEvent::Exit { thread, result });
    }
    writer.finish()
}
