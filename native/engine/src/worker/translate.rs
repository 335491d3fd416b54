//! Between the vocabulary of tests and the worker's wire.
//!
//! Comes in: sequences and a program; outcomes as the wire has them. Goes out: wire sequences, with the definitions of
//! methods and fields that the worker has not heard of yet; outcomes as generation wants them.
//! Does not know: processes.

use super::FUEL;
use crate::Secrets;
use palus_bytecode::{ClassId, FieldId, MethodId, Program, Type};
use palus_sequence::{
    AbstractValue, ApiCall, ApiFailure, ApiFrame, Comparison, Content, Coverage, Distance, End,
    Mutant, Nearness, ObjectProfile, Observation, Outcome, Probe, Reached, Recording, Relation,
    Sequence, Statement, Thrown, Value, Variable, open_methods,
};
use palus_wire::request::{
    CallKind, FieldDefinition, MethodDefinition, WireConstant, WireSequence, WireStatement,
};
use palus_wire::response::{
    WireContent, WireEnd, WireMutant, WireNear, WireObservation, WireOutcome, WireRecording,
};
use palus_wire::trace::{PlainValue, spelled, whole_code};
use std::collections::{BTreeMap, BTreeSet};

/// What one worker has been told about.
#[derive(Debug, Default)]
pub struct Vocabulary {
    /// The worker's number of a method called on a class.
    calls: BTreeMap<(MethodId, ClassId), u32>,
    /// Numbers beyond those of the program's methods, for methods called on another class than their own.
    extra: u32,
    fields: BTreeSet<FieldId>,
    /// To be sent before the next batch.
    pub new_methods: Vec<MethodDefinition>,
    /// To be sent before the next batch.
    pub new_fields: Vec<FieldDefinition>,
}

impl Vocabulary {
    /// The sequence in the worker's words.
    pub fn sequence(&mut self, program: &Program, sequence: &Sequence) -> WireSequence {
        let statements = sequence.statements().iter();
        WireSequence {
            statements: statements
                .map(|statement| self.statement(program, sequence, statement))
                .collect(),
        }
    }

    fn statement(
        &mut self,
        program: &Program,
        sequence: &Sequence,
        statement: &Statement,
    ) -> WireStatement {
        let slot = |variable: &Variable| variable.0;
        match statement {
            Statement::Value(Value::StaticField(field)) => WireStatement::GetField {
                field: self.field(program, *field),
                receiver: None,
            },
            Statement::Value(value) => WireStatement::Constant(constant(program, value)),
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let receiver_type = || receiver.map(|receiver| sequence.type_of(program, receiver));
                WireStatement::Call {
                    method: self.method(program, *method, receiver_type),
                    receiver: receiver.as_ref().map(slot),
                    arguments: arguments.iter().map(slot).collect(),
                }
            }
            Statement::NewArray { element, elements } => WireStatement::NewArray {
                array_type: format!("[{element}").into(),
                elements: elements.iter().map(slot).collect(),
            },
            Statement::GetField { field, receiver } => WireStatement::GetField {
                field: self.field(program, *field),
                receiver: receiver.as_ref().map(slot),
            },
            Statement::SetField {
                field,
                receiver,
                value,
            } => WireStatement::SetField {
                field: self.field(program, *field),
                receiver: receiver.as_ref().map(slot),
                value: slot(value),
            },
            Statement::Stub { class, answers } => WireStatement::Stub {
                class: program.class(*class).name.clone(),
                answers: open_methods(program, *class)
                    .into_iter()
                    .zip(answers)
                    .map(|(method, answer)| {
                        let method = program.method(method);
                        let signature = format!("{}{}", method.name, method.descriptor);
                        (signature.into(), answer.as_ref().map(slot))
                    })
                    .collect(),
            },
        }
    }

    fn method(
        &mut self,
        program: &Program,
        id: MethodId,
        receiver: impl FnOnce() -> Option<Type>,
    ) -> u32 {
        let owner = owner(program, id, receiver);
        if let Some(number) = self.calls.get(&(id, owner)) {
            return *number;
        }
        let method = program.method(id);
        let number = if owner == method.class {
            id.0
        } else {
            self.extra += 1;
            program.methods().len() as u32 + self.extra - 1
        };
        let class = program.class(owner);
        self.calls.insert((id, owner), number);
        self.new_methods.push(MethodDefinition {
            id: number,
            kind: match (&*method.name, method.access.is_static()) {
                ("<init>", _) => CallKind::Constructor,
                (_, true) if class.access.is_interface() => CallKind::InterfaceStatic,
                (_, true) => CallKind::Static,
                _ if class.access.is_interface() => CallKind::Interface,
                _ => CallKind::Virtual,
            },
            owner: class.name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        });
        number
    }

    fn field(&mut self, program: &Program, id: FieldId) -> u32 {
        if self.fields.insert(id) {
            let field = program.field(id);
            self.new_fields.push(FieldDefinition {
                id: id.0,
                is_static: field.access.is_static(),
                owner: program.class(field.class).name.clone(),
                name: field.name.clone(),
                descriptor: field.field_type.to_string().into(),
            });
        }
        id.0
    }
}

/// The class to call a method on: the one that declares it, unless callers elsewhere cannot name that one or only
/// heirs may call it; then the receiver's static class, as a compiler does it.
fn owner(program: &Program, id: MethodId, receiver: impl FnOnce() -> Option<Type>) -> ClassId {
    let method = program.method(id);
    if program.class(method.class).access.is_public() && method.access.is_public() {
        return method.class; // nearly all; the receiver's class need not be asked
    }
    match receiver() {
        Some(Type::Object(name)) => program
            .class_named(&name)
            .filter(|class| program.is_subclass(*class, method.class))
            .unwrap_or(method.class),
        _ => method.class,
    }
}

fn constant(program: &Program, value: &Value) -> WireConstant {
    match value {
        Value::Null(_) | Value::StaticField(_) => WireConstant::Null,
        Value::Boolean(value) => WireConstant::Boolean(*value),
        Value::Byte(value) => WireConstant::Byte(*value),
        Value::Char(value) => WireConstant::Char(*value),
        Value::Short(value) => WireConstant::Short(*value),
        Value::Int(value) => WireConstant::Int(*value),
        Value::Long(value) => WireConstant::Long(*value),
        Value::Float(bits) => WireConstant::Float(*bits),
        Value::Double(bits) => WireConstant::Double(*bits),
        Value::Text(text) => WireConstant::Text(text.clone()),
        Value::EnumConstant { class, name } => {
            WireConstant::EnumConstant(program.class(*class).name.clone(), name.clone())
        }
        Value::ClassLiteral(named) => WireConstant::ClassLiteral(named.to_string().into()),
    }
}

/// An outcome in generation's words, without texts that are held back; `watched` is what its worker was told to watch last.
pub fn outcome(
    program: &Program,
    secrets: &Secrets,
    watched: &[Probe],
    wire: WireOutcome,
) -> Outcome {
    let observations = wire.observations.into_iter();
    let probes = wire.probes.into_iter();
    Outcome {
        end: end(secrets, wire.end),
        observations: observations
            .map(|wire| shown(secrets, observation(wire)))
            .collect(),
        coverage: Coverage {
            probes: probes
                .map(|(class, index)| Probe { class, index })
                .collect(),
        },
        cost: wire.cost,
        leaves_thread_locals: wire.leaves_thread_locals,
        repeats: wire.repeats,
        nearness: wire.near.map_or_else(Nearness::default, |near| {
            nearness(program, secrets, watched, *near)
        }),
        recording: wire
            .recording
            .map(|recording| Box::new(recorded(*recording))),
        reached: wire.reached.map_or_else(Vec::new, |reached| {
            let reached = reached.into_iter();
            let reached = reached.map(|(mutant, is_infected)| Reached {
                mutant,
                is_infected,
            });
            reached.collect()
        }),
    }
}

fn recorded(wire: WireRecording) -> Recording {
    let calls = wire.calls.into_iter().map(|call| ApiCall {
        site: call.site,
        receiver: call.receiver,
        arguments: call.arguments,
        result: call.result,
        thrown: call.thrown,
    });
    let failure = wire.failure.map(|failure| ApiFailure {
        lineage: failure.lineage,
        stack: failure
            .stack
            .into_iter()
            .map(|frame| ApiFrame {
                class: frame.class,
                method: frame.method,
                line: Some(frame.line).filter(|line| *line > 0),
            })
            .collect(),
    });
    Recording {
        objects: wire.objects,
        calls: calls.collect(),
        failure,
    }
}

/// A mutant in generation's words; none where it is of no class that was asked for.
pub fn mutant(classes: &[ClassId], wire: WireMutant) -> Option<Mutant> {
    Some(Mutant {
        class: classes.get(wire.class as usize)?.0,
        operator: wire.operator.name(),
        method: wire.method,
        descriptor: wire.descriptor,
        line: Some(wire.line).filter(|line| *line > 0),
        detail: wire.detail,
    })
}

/// A place beyond what is watched, and an operand that has no name in the program, are left out.
fn nearness(program: &Program, secrets: &Secrets, watched: &[Probe], near: WireNear) -> Nearness {
    let probe = |place: u32| watched.get(place as usize).copied();
    let distances = near.distances.into_iter();
    let distances = distances.filter_map(|(place, bits)| {
        Some(Distance {
            probe: probe(place)?,
            distance: f64::from_bits(bits),
        })
    });
    let comparisons = near.comparisons.into_iter();
    let comparisons = comparisons.filter_map(|wire| {
        let (left, right) = operands(program, wire.left, wire.right)?;
        if is_held(secrets, &left) || is_held(secrets, &right) {
            return None;
        }
        Some(Comparison {
            probe: probe(wire.place)?,
            relation: relation(wire.relation)?,
            left,
            right,
        })
    });
    let comparisons: BTreeSet<Comparison> = comparisons.collect();
    Nearness {
        distances: distances.collect(),
        comparisons: comparisons.into_iter().collect(),
    }
}

fn relation(number: u8) -> Option<Relation> {
    Some(match number {
        0 => Relation::Order,
        1 => Relation::Equal,
        2 => Relation::EqualIgnoringCase,
        3 => Relation::Prefix,
        4 => Relation::Suffix,
        5 => Relation::Part,
        6 => Relation::Pattern,
        _ => return None,
    })
}

/// A `null` gets the type of what it was compared with.
fn operands(program: &Program, left: WireConstant, right: WireConstant) -> Option<(Value, Value)> {
    let null_like = |value: &Value| {
        Value::Null(match value {
            Value::EnumConstant { class, .. } => Type::object(&program.class(*class).name),
            other => other
                .plain_type()
                .unwrap_or_else(|| Type::object("java/lang/Object")),
        })
    };
    Some(match (left, right) {
        (WireConstant::Null, right) => {
            let right = operand(program, right)?;
            (null_like(&right), right)
        }
        (left, WireConstant::Null) => {
            let left = operand(program, left)?;
            let right = null_like(&left);
            (left, right)
        }
        (left, right) => (operand(program, left)?, operand(program, right)?),
    })
}

/// None for what cannot be named.
fn operand(program: &Program, constant: WireConstant) -> Option<Value> {
    match constant {
        WireConstant::EnumConstant(class, name) => Some(Value::EnumConstant {
            class: program.class_named(&class)?,
            name,
        }),
        other => plain(other),
    }
}

/// The outcome of a sequence that gave no answer, which is as dear as any can be.
pub fn without_answer(end: End) -> Outcome {
    Outcome {
        cost: FUEL,
        ..Outcome::new(end, Vec::new())
    }
}

fn end(secrets: &Secrets, wire: WireEnd) -> End {
    match wire {
        WireEnd::Completed => End::Completed,
        WireEnd::Threw {
            statement,
            class,
            message,
            top_frame,
            fields,
        } => End::Threw(Thrown {
            statement,
            class,
            message: message.filter(|text| !secrets.holds(text)),
            top_frame,
            fields: fields
                .into_iter()
                .map(|(name, held)| (name, shown(secrets, observation(held))))
                .collect(),
        }),
        WireEnd::OutOfFuel => End::OutOfFuel,
        WireEnd::TooDeep => End::TooDeep,
        WireEnd::TimedOut => End::TimedOut,
        WireEnd::Denied(what) => End::Denied(what),
        WireEnd::StartedThread => End::StartedThread,
        WireEnd::Unusable(cause) => End::Unusable(cause),
        WireEnd::OutOfMemory => End::OutOfMemory,
    }
}

/// A held-back text or number is as a text that no test can write.
fn shown(secrets: &Secrets, mut seen: Observation) -> Observation {
    match &mut seen {
        Observation::Value { value, .. } if is_held(secrets, value) => {
            return Observation::LongText;
        }
        Observation::Object { content, .. } => {
            content.take_if(|content| holds_secret(secrets, content));
        }
        _ => {}
    }
    seen
}

fn holds_secret(secrets: &Secrets, content: &Content) -> bool {
    match content {
        Content::Text(text) => secrets.holds(text),
        Content::Elements(elements) => {
            let spelled = spelled(elements.iter().map(code));
            spelled.is_some_and(|text| secrets.holds(&text))
                || elements.iter().any(|element| match element {
                    Observation::Value { value, .. } => is_held(secrets, value),
                    Observation::Object { content, .. } => content
                        .as_ref()
                        .is_some_and(|content| holds_secret(secrets, content)),
                    _ => false,
                })
        }
    }
}

/// An element as the code of a letter, which it may be.
fn code(element: &Observation) -> Option<u32> {
    let Observation::Value { value, .. } = element else {
        return None;
    };
    match value {
        Value::Char(unit) => Some(u32::from(*unit)),
        Value::Byte(byte) => Some(u32::from(byte.cast_unsigned())),
        Value::Short(number) => u32::try_from(*number).ok(),
        Value::Int(number) => u32::try_from(*number).ok(),
        Value::Long(number) => u32::try_from(*number).ok(),
        Value::Float(bits) => whole_code(f64::from(f32::from_bits(*bits))),
        Value::Double(bits) => whole_code(f64::from_bits(*bits)),
        _ => None,
    }
}

fn is_held(secrets: &Secrets, value: &Value) -> bool {
    let plain = match value {
        Value::Text(text) => PlainValue::Text(text),
        Value::Int(number) => PlainValue::Integer(i64::from(*number)),
        Value::Long(number) => PlainValue::Integer(*number),
        Value::Float(bits) => PlainValue::Float(*bits),
        Value::Double(bits) => PlainValue::Double(*bits),
        _ => return false,
    };
    secrets.holds_plain(plain)
}

fn observation(wire: WireObservation) -> Observation {
    match wire {
        WireObservation::Nothing => Observation::Nothing,
        WireObservation::Null => Observation::Null,
        WireObservation::Value { value, boxed } => observed_value(value, boxed),
        WireObservation::EnumConstant(class, name) => Observation::EnumConstant { class, name },
        WireObservation::Object {
            class,
            profile,
            same_as,
            content,
        } => Observation::Object {
            class,
            profile: profile
                .map(|codes| ObjectProfile(codes.into_iter().map(AbstractValue).collect())),
            same_as,
            content: content.map(|content| match content {
                WireContent::Text(text) => Content::Text(text),
                WireContent::Elements(elements) => {
                    Content::Elements(elements.into_iter().map(observation).collect())
                }
            }),
        },
        WireObservation::LongText => Observation::LongText,
    }
}

fn observed_value(constant: WireConstant, boxed: bool) -> Observation {
    match constant {
        WireConstant::Null => Observation::Null,
        WireConstant::EnumConstant(class, name) => Observation::EnumConstant { class, name },
        other => plain(other).map_or(Observation::LongText, |value| Observation::Value {
            value,
            boxed,
        }),
    }
}

/// The value of a constant that names no class but by its type; none for others.
fn plain(constant: WireConstant) -> Option<Value> {
    Some(match constant {
        WireConstant::Null | WireConstant::EnumConstant(..) => return None,
        WireConstant::ClassLiteral(descriptor) => Value::ClassLiteral(Type::parse(&descriptor)?),
        WireConstant::Boolean(value) => Value::Boolean(value),
        WireConstant::Byte(value) => Value::Byte(value),
        WireConstant::Char(value) => Value::Char(value),
        WireConstant::Short(value) => Value::Short(value),
        WireConstant::Int(value) => Value::Int(value),
        WireConstant::Long(value) => Value::Long(value),
        WireConstant::Float(bits) => Value::Float(bits),
        WireConstant::Double(bits) => Value::Double(bits),
        WireConstant::Text(text) => Value::Text(text),
    })
}
