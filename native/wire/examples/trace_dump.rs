//! Prints a trace file, one event a line, indented by open calls: `cargo run -p palus-wire --example trace_dump FILE`.

#![expect(clippy::print_stdout, reason = "a command-line tool")]

use palus_wire::trace::{TraceEvent, TraceReader, TraceValue};
use std::fmt::Write;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("which trace file?")?;
    let bytes = std::fs::read(path)?;
    let mut reader = TraceReader::new(&bytes)?;
    let mut depths = Vec::new();
    while let Some(event) = reader.next_event()? {
        let thread = match &event {
            TraceEvent::Enter { thread, .. }
            | TraceEvent::Exit { thread, .. }
            | TraceEvent::Throw { thread, .. }
            | TraceEvent::TestStart { thread, .. }
            | TraceEvent::TestEnd { thread, .. } => *thread as usize,
            TraceEvent::Capped { .. } => 0,
        };
        if depths.len() <= thread {
            depths.resize(thread + 1, 0usize);
        }
        let depth = &mut depths[thread];
        if matches!(event, TraceEvent::Exit { .. } | TraceEvent::Throw { .. }) {
            *depth -= 1;
        }
        println!(
            "{thread}{}{}",
            "  ".repeat(*depth + 1),
            line(&event, &reader)
        );
        if matches!(event, TraceEvent::Enter { .. }) {
            *depth += 1;
        }
    }
    println!("truncated: {}", reader.is_truncated());
    Ok(())
}

fn line(event: &TraceEvent, reader: &TraceReader<'_>) -> String {
    match event {
        TraceEvent::Enter {
            method,
            receiver,
            arguments,
            ..
        } => {
            let method = &reader.methods()[*method as usize];
            let receiver = receiver
                .as_ref()
                .map_or(String::new(), |receiver| show(receiver) + ".");
            let arguments: Vec<_> = arguments.iter().map(show).collect();
            let called = format!("{}.{}{}", method.class, method.name, method.descriptor);
            format!("{receiver}{called} ({})", arguments.join(", "))
        }
        TraceEvent::Exit { result, .. } => {
            let result = result.as_ref().map_or("void".into(), show);
            format!("-> {result}")
        }
        TraceEvent::Throw { class, .. } => format!("throws {class}"),
        TraceEvent::TestStart { class, method, .. } => format!("TEST {class}.{method}"),
        TraceEvent::TestEnd { failed, .. } => {
            format!("TEST {}", if *failed { "failed" } else { "passed" })
        }
        TraceEvent::Capped { objects } => format!("capped {objects:?}"),
    }
}

fn show(value: &TraceValue) -> String {
    match value {
        TraceValue::Object { id, class, profile } => {
            let class = class.rsplit('/').next().unwrap_or(class);
            let mut text = format!("{class}@{id}");
            if let Some(profile) = profile {
                let _ = write!(text, "{profile:?}");
            }
            text
        }
        TraceValue::Array {
            id,
            class,
            length,
            profile,
            elements,
        } => {
            let elements: Vec<_> = elements.iter().map(show).collect();
            format!("{class}@{id}#{length}:{profile}{{{}}}", elements.join(", "))
        }
        other => format!("{other:?}"),
    }
}
