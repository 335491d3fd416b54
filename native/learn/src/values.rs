//! What stood in the calls of a trace, each distinct thing kept once.
//!
//! Comes in: receivers and arguments as the trace has them. Goes out: small numbers for them, for whole calls, and back
//! again as [`ArgumentRecord`]s.
//! Does not know: who takes part in what role; nodes and edges.
//!
//! Whole calls are numbered per method, and no more than [`MAXIMUM_CALLS`] distinct ones of a method: edges keep only
//! the first thousand anyway, so memory does not grow with the length of the trace. The same holds for the values that
//! a method is the first to bring along.

use crate::profile::{ProfileId, Profiles};
use crate::table::Table;
use crate::{ArgumentRecord, Constraint};
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::Value;
use palus_wire::trace::TraceValue;
use std::sync::Arc;

/// Distinct whole calls that are kept of one method.
const MAXIMUM_CALLS: u32 = 4096;

/// Distinct values that are kept because of one method.
const MAXIMUM_VALUES: u32 = 4 * MAXIMUM_CALLS;

/// Number of a distinct value.
pub(crate) type ValueId = u32;

/// Number of a distinct whole call.
pub(crate) type CallId = u32;

/// The object whose history it is.
pub(crate) const SELF: ValueId = 0;
/// `null`
const NULL: ValueId = 1;

/// Stands for a value that was not kept.
const VALUE_NOT_KEPT: ValueId = ValueId::MAX;

/// Stands for a call that was counted but not kept.
pub(crate) const NOT_KEPT: CallId = CallId::MAX;

/// Keeps each distinct value and call once.
#[derive(Debug)]
pub(crate) struct Values {
    records: Vec<ArgumentRecord>,
    known: Table<ArgumentRecord, ValueId>,
    /// Objects by class and profile, so that the common case builds no record.
    objects: Table<(u32, ProfileId), ValueId>,
    classes: Table<Arc<str>, u32>,
    profiles: Profiles,
    /// Each the method's number, then its values.
    calls: Vec<Arc<[u32]>>,
    known_calls: Table<Arc<[u32]>, CallId>,
    key: Vec<u32>,
    calls_of_method: Table<MethodId, u32>,
    brought_by_method: Table<MethodId, u32>,
}

impl Default for Values {
    fn default() -> Self {
        let null = Constraint {
            is_null: true,
            ..Constraint::default()
        };
        Values {
            records: vec![
                ArgumentRecord::SelfObject,
                ArgumentRecord::Constrained(null),
            ],
            known: Table::default(),
            objects: Table::default(),
            classes: Table::default(),
            profiles: Profiles::default(),
            calls: Vec::new(),
            known_calls: Table::default(),
            key: Vec::new(),
            calls_of_method: Table::default(),
            brought_by_method: Table::default(),
        }
    }
}

impl Values {
    /// The number of a value that stood in a call of a method.
    pub fn id(&mut self, program: &Program, method: MethodId, value: &TraceValue) -> ValueId {
        match value {
            TraceValue::Null => NULL,
            TraceValue::Object { class, profile, .. } => {
                let profile = self.profiles.id(profile.as_deref());
                let count = self.classes.len() as u32;
                let class_id = match self.classes.get(class) {
                    Some(&id) => id,
                    None => *self.classes.entry(Arc::clone(class)).or_insert(count),
                };
                if let Some(&id) = self.objects.get(&(class_id, profile)) {
                    return id;
                }
                if !self.has_room(method) {
                    return VALUE_NOT_KEPT;
                }
                let id = self.records.len() as ValueId;
                self.records.push(ArgumentRecord::Constrained(Constraint {
                    class: Some(Arc::clone(class)),
                    profile: self.profiles.get(profile),
                    ..Constraint::default()
                }));
                self.objects.insert((class_id, profile), id);
                id
            }
            TraceValue::Array {
                class,
                length,
                profile,
                elements,
                ..
            } => {
                let codes = [*profile];
                let record =
                    constant_array(program, class, *length, elements).unwrap_or_else(|| {
                        let profile = self.profiles.id(Some(&codes));
                        ArgumentRecord::Constrained(Constraint {
                            class: Some(Arc::clone(class)),
                            profile: self.profiles.get(profile),
                            ..Constraint::default()
                        })
                    });
                self.record(method, record)
            }
            other => {
                let record = constant(program, other).map_or_else(
                    || ArgumentRecord::Constrained(unknown(other)),
                    ArgumentRecord::Constant,
                );
                self.record(method, record)
            }
        }
    }

    /// The number of a whole call; [`NOT_KEPT`] once its method has too many, or too many values.
    pub fn call(&mut self, method: MethodId, values: &[ValueId]) -> CallId {
        if values.contains(&VALUE_NOT_KEPT) {
            return NOT_KEPT;
        }
        self.key.clear();
        self.key.push(method.0);
        self.key.extend_from_slice(values);
        if let Some(&id) = self.known_calls.get(&*self.key) {
            return id;
        }
        let count = self.calls_of_method.entry(method).or_default();
        if *count >= MAXIMUM_CALLS {
            return NOT_KEPT;
        }
        *count += 1;
        let id = self.calls.len() as CallId;
        let key: Arc<[u32]> = self.key.as_slice().into();
        self.calls.push(Arc::clone(&key));
        self.known_calls.insert(key, id);
        id
    }

    /// What a number stands for; none for what was not kept.
    pub fn record_of(&self, value: ValueId) -> Option<&ArgumentRecord> {
        self.records.get(value as usize)
    }

    /// The records of a whole call: the receiver, if the method has one, then the arguments.
    pub fn records(&self, call: CallId) -> Vec<ArgumentRecord> {
        let values = self.calls[call as usize][1..].iter();
        values
            .map(|&value| self.records[value as usize].clone())
            .collect()
    }

    /// True if a method may bring along one more value.
    fn has_room(&mut self, method: MethodId) -> bool {
        let count = self.brought_by_method.entry(method).or_default();
        let has_room = *count < MAXIMUM_VALUES;
        *count += u32::from(has_room);
        has_room
    }

    fn record(&mut self, method: MethodId, record: ArgumentRecord) -> ValueId {
        if let Some(&id) = self.known.get(&record) {
            return id;
        }
        if !self.has_room(method) {
            return VALUE_NOT_KEPT;
        }
        let id = self.records.len() as ValueId;
        self.records.push(record.clone());
        self.known.insert(record, id);
        id
    }
}

/// The value as source text can write it.
fn constant(program: &Program, value: &TraceValue) -> Option<Value> {
    Some(match value {
        TraceValue::Boolean(value) => Value::Boolean(*value),
        TraceValue::Byte(value) => Value::Byte(*value),
        TraceValue::Char(value) => Value::Char(*value),
        TraceValue::Short(value) => Value::Short(*value),
        TraceValue::Int(value) => Value::Int(*value),
        TraceValue::Long(value) => Value::Long(*value),
        TraceValue::Float(bits) => Value::Float(*bits),
        TraceValue::Double(bits) => Value::Double(*bits),
        TraceValue::Text(text) => Value::Text(Arc::clone(text)),
        TraceValue::EnumConstant { class, name } => Value::EnumConstant {
            class: program.class_named(class)?,
            name: Arc::clone(name),
        },
        TraceValue::ClassLiteral(descriptor) => Value::ClassLiteral(Type::parse(descriptor)?),
        TraceValue::Null
        | TraceValue::UnknownText
        | TraceValue::Object { .. }
        | TraceValue::Array { .. } => return None,
    })
}

/// An array seen whole that holds constants and nulls only.
fn constant_array(
    program: &Program,
    class: &Arc<str>,
    length: u32,
    elements: &[TraceValue],
) -> Option<ArgumentRecord> {
    if elements.len() != length as usize {
        return None;
    }
    let elements = elements.iter().map(|element| match element {
        TraceValue::Null => Some(None),
        element => constant(program, element).map(Some),
    });
    let elements = elements.collect::<Option<Vec<_>>>()?;
    Some(ArgumentRecord::ConstantArray {
        class: Arc::clone(class),
        elements,
    })
}

/// What remains known of a constant that cannot be written.
fn unknown(value: &TraceValue) -> Constraint {
    let class = match value {
        TraceValue::UnknownText => Some("java/lang/String".into()),
        TraceValue::EnumConstant { class, .. } => Some(Arc::clone(class)),
        TraceValue::ClassLiteral(_) => Some("java/lang/Class".into()),
        _ => None,
    };
    Constraint {
        class,
        ..Constraint::default()
    }
}
