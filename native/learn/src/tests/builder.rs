//! Traces as indented text, and models as text.
//!
//! An argument is an object's name, a number, a text, `null`, or an array: `[I{1 2}`, with `..` at its end if it was
//! longer than what was recorded. `@after 1 0`: what thread 1 does next comes after what thread 0 did so far.
//!
//! A line is a call: `c1 = new City("Portland")`, `c1.setMap(m1)`, `m1 = RoadMap.genMap()`; deeper lines are nested in
//! the line above. `!` at the end: it threw. `#1` at the end: in thread 1. `@test`, `@passed`, `@failed` mark tests,
//! `@capped c1` an object whose recording ended.

use crate::calls::Calls;
use crate::carving::Carver;
use crate::decoder::Decoder;
use crate::history::HistoryCall;
use crate::learner::record as record_file;
use crate::recorder::Recorder;
use crate::static_calls::StaticCalls;
use crate::table::Table;
use crate::values::Values;
use crate::{ArgumentRecord, CallSequenceModel, EdgeKind, Learner, Models, Role, Statistics};
use palus_bytecode::{Method, MethodId, Origin, Program, ProgramBuilder};
use palus_fixture::compile;
use palus_sequence::Value;
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use std::fmt::Write;

/// A program and what of it is pure.
pub struct Sample {
    pub program: Program,
    pure: Vec<&'static str>,
}

impl Sample {
    /// Compiles the text; `pure` lists methods as `Class.name`.
    pub fn new(java: &str, pure: &[&'static str]) -> Self {
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compile(&[("All.java", java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        Sample {
            program: builder.finish(),
            pure: pure.to_vec(),
        }
    }

    /// Models of the traces, one file each.
    pub fn learn(&self, objects: &[(&str, &str)], traces: &[&str]) -> Models {
        let files: Vec<_> = traces.iter().map(|text| self.file(objects, text)).collect();
        self.learn_files(&files)
    }

    pub fn learn_files(&self, files: &[Vec<u8>]) -> Models {
        let is_pure = |id: MethodId| self.pure.contains(&self.method_name(id).as_str());
        let mut learner = Learner::new(&self.program, &is_pure);
        for file in files {
            learner.read(&mut TraceReader::new(file).unwrap()).unwrap();
        }
        learner.finish()
    }

    pub fn method_name(&self, id: MethodId) -> String {
        let method = self.program.method(id);
        format!("{}.{}", self.program.class(method.class).name, method.name)
    }

    /// All methods of the program, at the indices of their ids.
    pub fn methods(&self) -> Vec<TraceMethod> {
        let method = |method: &Method| TraceMethod {
            class: self.program.class(method.class).name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            access: method.access.0,
        };
        self.program.methods().iter().map(method).collect()
    }

    /// The bytes of a trace file. `objects` gives names their classes, and their ids by position.
    pub fn file(&self, objects: &[(&str, &str)], text: &str) -> Vec<u8> {
        let mut scene = Scene {
            sample: self,
            objects,
            writer: TraceWriter::new(1, 1 << 16, self.methods()),
            open: Vec::new(),
        };
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            scene.line(line);
        }
        scene.close(0);
        scene.writer.finish()
    }

    /// The model of a class: its size, then one line per edge.
    pub fn model(&self, models: &Models, class: &str) -> String {
        let model = models.get(self.program.class_named(class).unwrap());
        let Some(model) = model else {
            return "none".into();
        };
        self.render(model)
    }

    /// The history of one object of a trace: a line per call, nested calls deeper.
    pub fn history(&self, objects: &[(&str, &str)], trace: &str, object: &str) -> String {
        let is_pure = |id: MethodId| self.pure.contains(&self.method_name(id).as_str());
        let (mut values, mut calls) = (Values::default(), Calls::default());
        let mut statistics = Statistics::default();
        let mut counts = Table::default();
        let mut carver = Carver::default();
        let mut static_calls = StaticCalls::default();
        let file = self.file(objects, trace);
        let mut reader = TraceReader::new(&file).unwrap();
        let mut decoder = Decoder::new(&self.program, &is_pure, &mut values, &mut reader);
        let mut recorder = Recorder::new(
            &self.program,
            &mut calls,
            &mut statistics,
            &mut counts,
            &mut carver,
            &mut static_calls,
        );
        record_file(&mut decoder, &mut recorder).unwrap();
        let histories = recorder.finish();
        let id = objects
            .iter()
            .position(|(name, _)| *name == object)
            .unwrap() as u64
            + 1;
        let found = histories
            .objects
            .iter()
            .find(|history| history.id == id)
            .unwrap();
        let mut text = String::new();
        self.write_calls((&calls, &values), &found.calls, 0, &mut text);
        text
    }

    fn write_calls(
        &self,
        known: (&Calls, &Values),
        calls: &[HistoryCall],
        depth: usize,
        text: &mut String,
    ) {
        for call in calls {
            let records: Vec<_> = known
                .0
                .records(call.call, known.1)
                .iter()
                .map(record)
                .collect();
            let name = self.method_name(call.label.method);
            writeln!(text, "{}{name}({})", "  ".repeat(depth), records.join(", ")).unwrap();
            self.write_calls(known, &call.children, depth + 1, text);
        }
    }

    fn render(&self, model: &CallSequenceModel) -> String {
        let mut text = format!(
            "{} nodes, {} edges\n",
            model.node_count(),
            model.edges().len()
        );
        for edge in model.edges() {
            let roles = edge.roles.iter().map(|role| match role {
                Role::Result => "result".to_string(),
                Role::This => "this".to_string(),
                Role::Argument(index) => format!("argument {index}"),
            });
            let roles = roles.collect::<Vec<_>>().join(" ");
            let kind = if edge.kind == EdgeKind::Main {
                ""
            } else {
                " (alternative)"
            };
            let name = self.method_name(edge.method);
            let observations = edge.observations.iter().map(|observation| {
                let records = observation.receiver.iter().chain(&observation.arguments);
                let records = records.map(record);
                format!(
                    " {{{}}} x{}",
                    records.collect::<Vec<_>>().join(", "),
                    observation.count
                )
            });
            let observations: String = observations.collect();
            writeln!(
                text,
                "n{} -> n{} {name} [{roles}]{kind}{observations}",
                edge.source.0, edge.target.0
            )
            .unwrap();
        }
        text
    }
}

fn record(record: &ArgumentRecord) -> String {
    match record {
        ArgumentRecord::Constant(Value::Text(text)) => format!("{text:?}"),
        ArgumentRecord::Constant(value) => format!("{value:?}"),
        ArgumentRecord::ConstantArray { elements, .. } => format!("{elements:?}"),
        ArgumentRecord::SelfObject => "self".to_string(),
        ArgumentRecord::Constrained(constraint) if constraint.is_null => "null".to_string(),
        ArgumentRecord::Constrained(_) => "_".to_string(),
    }
}

struct Scene<'a> {
    sample: &'a Sample,
    objects: &'a [(&'a str, &'a str)],
    writer: TraceWriter,
    /// Events that end the open calls.
    open: Vec<TraceEvent>,
}

impl Scene<'_> {
    fn close(&mut self, depth: usize) {
        while self.open.len() > depth {
            let event = self.open.pop().unwrap();
            self.writer.event(&event);
        }
    }

    fn object(&self, name: &str) -> TraceValue {
        let place = self.objects.iter().position(|(known, _)| *known == name);
        let place = place.unwrap_or_else(|| panic!("no object {name}"));
        TraceValue::Object {
            id: place as u64 + 1,
            class: self.objects[place].1.into(),
            profile: None,
        }
    }

    fn value(&self, text: &str) -> TraceValue {
        if text == "null" {
            TraceValue::Null
        } else if text.starts_with('[') {
            let (class, elements) = text.trim_end_matches('}').split_once('{').unwrap();
            let words = elements.split_whitespace();
            let known: Vec<_> = words
                .clone()
                .filter(|&word| word != "..")
                .map(|word| self.value(word))
                .collect();
            TraceValue::Array {
                id: 1 << 20,
                class: class.into(),
                length: known.len() as u32 + u32::from(words.last() == Some("..")),
                profile: 8,
                elements: known,
            }
        } else if let Some(text) = text.strip_prefix('"') {
            TraceValue::Text(text.trim_end_matches('"').into())
        } else if let Ok(number) = text.parse() {
            TraceValue::Int(number)
        } else {
            self.object(text)
        }
    }

    fn line(&mut self, line: &str) {
        let text = line.trim_start();
        self.close((line.len() - text.len()) / 2);
        let (text, thread) = match text.split_once(" #") {
            Some((text, thread)) => (text, thread.parse().unwrap()),
            None => (text, 0),
        };
        if let Some(threads) = text.strip_prefix("@after ") {
            let (thread, other) = threads.split_once(' ').unwrap();
            let other = other.parse().unwrap();
            let records = self.writer.records(other);
            self.writer.after(thread.parse().unwrap(), other, records);
            return;
        }
        if let Some(mark) = text.strip_prefix('@') {
            self.close(0);
            let event = match mark {
                "test" => TraceEvent::TestStart {
                    thread,
                    class: "ATest".into(),
                    method: "test".into(),
                },
                "passed" | "failed" => TraceEvent::TestEnd {
                    thread,
                    failed: mark == "failed",
                },
                _ => {
                    let name = mark.strip_prefix("capped ").unwrap();
                    let TraceValue::Object { id, .. } = self.object(name) else {
                        panic!()
                    };
                    TraceEvent::Capped { objects: vec![id] }
                }
            };
            self.writer.event(&event);
            return;
        }
        self.call(text, thread);
    }

    fn call(&mut self, text: &str, thread: u32) {
        let (text, threw) = text
            .strip_suffix(" !")
            .map_or((text, false), |text| (text, true));
        let (result, call) = match text.split_once(" = ") {
            Some((result, call)) => (Some(result), call),
            None => (None, text),
        };
        let (callee, arguments) = call.trim_end_matches(')').split_once('(').unwrap();
        let arguments = arguments
            .split(',')
            .map(str::trim)
            .filter(|text| !text.is_empty());
        let arguments: Vec<_> = arguments.map(|text| self.value(text)).collect();
        let (receiver, class, name) = if let Some(class) = callee.strip_prefix("new ") {
            (None, class.to_string(), "<init>")
        } else {
            let (owner, name) = callee.split_once('.').unwrap();
            if owner.starts_with(char::is_uppercase) {
                (None, owner.to_string(), name)
            } else {
                let receiver = self.object(owner);
                let TraceValue::Object { class, .. } = &receiver else {
                    panic!()
                };
                (Some(receiver.clone()), class.to_string(), name)
            }
        };
        let program = &self.sample.program;
        let mut class = program.class(program.class_named(&class).unwrap());
        let method = loop {
            let found = class.methods.iter().find(|&&id| {
                let method = program.method(id);
                &*method.name == name && method.method_type.parameters.len() == arguments.len()
            });
            if let Some(found) = found {
                break found.0;
            }
            let parent = class.super_name.as_deref().unwrap();
            class = program.class(program.class_named(parent).unwrap());
        };
        self.writer.event(&TraceEvent::Enter {
            thread,
            method,
            receiver,
            arguments,
        });
        let result = result.map(|name| self.object(name));
        self.open.push(if threw {
            TraceEvent::Throw {
                thread,
                class: "java/lang/RuntimeException".into(),
            }
        } else {
            TraceEvent::Exit { thread, result }
        });
    }
}
