//! Every reader, each with good inputs and the memory it may take.
//!
//! Comes in: bytes. Goes out: whether they were taken.
//! Does not know: how inputs are damaged.

use crate::Target;
use crate::seeds::{self, PROGRAM};
use palus_analyze::Facts;
use palus_bytecode::{Origin, ProgramBuilder};
use palus_engine::{Secrets, Settings, readers};
use palus_learn::Learner;
use palus_protocols::{Documentation, Protocols};
use palus_wire::frame::{FrameReader, split_frame};
use palus_wire::request::Request;
use palus_wire::response::Response;
use palus_wire::trace::TraceReader;
use std::sync::LazyLock;

static SECRETS: LazyLock<Secrets> = LazyLock::new(|| {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Secrets::of(
        [pair("TOKEN", "tiger-lily-4711")],
        [pair("db.password", "correct horse battery")],
    )
});

/// Those of a project without class folders.
static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    let text = seeds::settings().concat();
    let text = String::from_utf8(text).expect("written as text");
    let pairs = text.lines().filter_map(|line| line.split_once('='));
    let pairs: Vec<(String, String)> = pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Settings::from_pairs(&pairs).expect("all that must be set is set")
});

/// Bytes of memory that an input may cost, however small: some readers have buffers of their own.
const MEMORY: usize = 2 << 20;

/// The parser of class files believes counts, which have 16 bits, and allocates for the elements at once.
const MEMORY_OF_COUNTS: usize = 48 << 20;

/// A trace may name one of 65,536 threads first; the reader keeps a place for each below it.
const MEMORY_OF_THREADS: usize = 32 << 20;

/// All readers.
pub fn targets() -> Vec<Target> {
    // Nothing of this counts as memory of an input.
    LazyLock::force(&PROGRAM);
    LazyLock::force(&SECRETS);
    LazyLock::force(&SETTINGS);
    let target = |name, share, memory_per_byte, seeds, read| Target {
        name,
        seeds,
        read,
        share,
        memory: MEMORY,
        memory_per_byte,
    };
    vec![
        Target {
            memory: MEMORY_OF_COUNTS,
            ..target("class files", 6, 1 << 10, seeds::classes(), read_class)
        },
        target("constants", 4, 256, seeds::classes(), |bytes| {
            readers::constants(bytes).is_some()
        }),
        target("jars", 6, 2 << 10, seeds::jars(), |bytes| {
            readers::jar(bytes) == 2
        }),
        Target {
            memory: MEMORY_OF_THREADS,
            ..target("traces", 8, 1 << 10, seeds::traces(), read_trace)
        },
        target("requests", 7, 64, seeds::requests(), |bytes| {
            Request::decode(bytes).is_ok()
        }),
        target("answers", 7, 64, seeds::answers(), |bytes| {
            readers::outcomes(&PROGRAM, &SECRETS, bytes).is_some()
        }),
        target("frames", 8, 64, seeds::frames(), read_frames),
        target("caches of models", 9, 256, seeds::caches(), |bytes| {
            readers::models(&PROGRAM, bytes) > 0
        }),
        target("manifests", 8, 256, seeds::manifests(), |bytes| {
            readers::manifest(bytes) >= 2
        }),
        target("explanations", 7, 256, seeds::explanations(), |bytes| {
            text(bytes, |text| readers::explanations(text).is_some())
        }),
        target("staged classes", 2, 256, seeds::staged(), |bytes| {
            readers::staged(bytes).is_some()
        }),
        target("notes of classes", 2, 256, seeds::notes(), |bytes| {
            text(bytes, |text| readers::notes_of_classes(text).is_some())
        }),
        target("baselines", 4, 256, seeds::baselines(), |bytes| {
            text(bytes, |text| readers::baseline(text).is_some())
        }),
        target("protocols", 4, 512, seeds::protocols(), read_protocols),
        target(
            "source texts",
            2,
            1 << 10,
            seeds::source_texts(),
            read_source,
        ),
        target("lines of processes", 5, 256, seeds::lines(), |bytes| {
            readers::lines_of_processes(&String::from_utf8_lossy(bytes)) >= 6
        }),
        target("changes of behaviour", 1, 256, seeds::changes(), |bytes| {
            text(bytes, |text| readers::changes(text) > 0)
        }),
        target("edited tests", 3, 512, seeds::edited_tests(), |bytes| {
            text(bytes, |text| readers::edited_tests(&SETTINGS, text) >= 2)
        }),
        target("argument files", 1, 256, seeds::argument_files(), |bytes| {
            readers::argument_file(&String::from_utf8_lossy(bytes)) >= 6
        }),
        target("earlier reports", 1, 1 << 10, seeds::reports(), |bytes| {
            text(bytes, readers::report)
        }),
        target("programs", 1, 64, seeds::programs(), |bytes| {
            readers::program(bytes)
        }),
        target("settings", 2, 256, seeds::settings(), |bytes| {
            text(bytes, readers::settings)
        }),
        target("texts with secrets", 2, 256, seeds::secrets(), |bytes| {
            let text = String::from_utf8_lossy(bytes);
            SECRETS.redact(&text) == text
        }),
    ]
}

fn text(bytes: &[u8], read: impl FnOnce(&str) -> bool) -> bool {
    str::from_utf8(bytes).is_ok_and(read)
}

fn read_class(bytes: &[u8]) -> bool {
    let mut builder = ProgramBuilder::new();
    if builder.add(Origin::Subject, bytes).is_err() {
        return false;
    }
    let program = builder.finish();
    drop(Facts::of(&program));
    program.classes().len() == 1
}

fn read_trace(bytes: &[u8]) -> bool {
    let Ok(mut reader) = TraceReader::new(bytes) else {
        return false;
    };
    let mut learner = Learner::new(&PROGRAM, &|_| false);
    let is_read = learner.read(&mut reader).is_ok();
    learner.finish();
    is_read
}

/// What is read is written as it is, and has a state machine that names only states of its own.
fn read_protocols(bytes: &[u8]) -> bool {
    let read = str::from_utf8(bytes).map(Protocols::from_json);
    let Ok(Ok(protocols)) = read else {
        return false;
    };
    let again = Protocols::from_json(&protocols.to_json());
    assert!(again.is_ok_and(|again| again == protocols));
    for protocol in protocols.iter() {
        let machine = protocol.machine();
        let steps = machine.states().iter().flat_map(|state| &state.steps);
        assert!(
            steps
                .into_iter()
                .all(|step| step.1 < machine.states().len())
        );
        drop(machine.to_string());
    }
    true
}

/// Text that is no Java may say anything; that something is declared shows that it was read.
fn read_source(bytes: &[u8]) -> bool {
    let mut documentation = Documentation::default();
    documentation.read_source(&String::from_utf8_lossy(bytes), &|_| true);
    !documentation.to_string().is_empty()
}

/// Whole, and in pieces as a pipe hands them over.
fn read_frames(bytes: &[u8]) -> bool {
    let mut reader = FrameReader::new();
    let mut bodies = 0;
    for piece in bytes.chunks(7) {
        reader.feed(piece);
        while let Ok(Some(body)) = reader.next_frame() {
            drop(Response::decode(body));
            bodies += 1;
        }
    }
    let mut rest = bytes;
    loop {
        match split_frame(rest) {
            Ok(Some((_, taken))) => {
                rest = &rest[taken..];
                bodies -= 1;
            }
            Ok(None) => {
                assert_eq!(bodies, 0, "pieces give the same frames as the whole");
                return rest.is_empty();
            }
            Err(_) => return false,
        }
    }
}
