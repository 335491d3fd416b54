//! What stood in the calls of a trace, each distinct thing kept once.
//!
//! Comes in: receivers and arguments as the trace has them. Goes out: small numbers for them, and back again as
//! [`ArgumentRecord`]s.
//! Does not know: which of them stood in one call (see `calls.rs`); who takes part in what role; nodes and edges.
//!
//! A method may be the first to bring along no more than [`MAXIMUM_VALUES`], so memory does not grow with the length of
//! the trace.

use crate::profile::{ProfileId, Profiles};
use crate::table::Table;
use crate::{ArgumentRecord, Constraint};
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::Value;
use palus_wire::trace::{RawProfile, TraceValue};
use std::sync::Arc;

/// Distinct values that are kept because of one method.
const MAXIMUM_VALUES: u32 = 4 * MAXIMUM_CALLS;

/// Distinct whole calls that are kept of one method.
pub(crate) const MAXIMUM_CALLS: u32 = 4096;

/// Number of a distinct value.
pub(crate) type ValueId = u32;

/// Number of a class of values.
pub(crate) type ValueClass = u32;

/// The object whose history it is.
pub(crate) const SELF: ValueId = 0;
/// `null`
const NULL: ValueId = 1;

/// Stands for a value that was not kept.
pub(crate) const VALUE_NOT_KEPT: ValueId = ValueId::MAX;

/// Keeps each distinct value once.
#[derive(Debug)]
pub(crate) struct Values {
    records: Vec<ArgumentRecord>,
    known: Table<ArgumentRecord, ValueId>,
    /// Objects by class and profile, so that the common case builds no record.
    objects: Table<(ValueClass, ProfileId), ValueId>,
    classes: Table<Arc<str>, ValueClass>,
    class_names: Vec<Arc<str>>,
    profiles: Profiles,
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
            class_names: Vec::new(),
            profiles: Profiles::default(),
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
                let class = self.class(class);
                self.object_of(method, class, profile)
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

    /// The number of an object's class.
    pub fn class(&mut self, name: &Arc<str>) -> ValueClass {
        if let Some(&class) = self.classes.get(name) {
            return class;
        }
        let class = self.class_names.len() as ValueClass;
        self.class_names.push(Arc::clone(name));
        self.classes.insert(Arc::clone(name), class);
        class
    }

    /// The number of an object as a value.
    pub fn object(
        &mut self,
        method: MethodId,
        class: ValueClass,
        profile: Option<RawProfile<'_>>,
    ) -> ValueId {
        let profile = self.profiles.raw_id(profile);
        self.object_of(method, class, profile)
    }

    fn object_of(&mut self, method: MethodId, class: ValueClass, profile: ProfileId) -> ValueId {
        if let Some(&id) = self.objects.get(&(class, profile)) {
            return id;
        }
        if !self.has_room(method) {
            return VALUE_NOT_KEPT;
        }
        let id = self.records.len() as ValueId;
        self.records.push(ArgumentRecord::Constrained(Constraint {
            class: Some(Arc::clone(&self.class_names[class as usize])),
            profile: self.profiles.get(profile),
            ..Constraint::default()
        }));
        self.objects.insert((class, profile), id);
        id
    }

    /// What a number stands for; none for what was not kept.
    pub fn record_of(&self, value: ValueId) -> Option<&ArgumentRecord> {
        self.records.get(value as usize)
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
        | TraceValue::UnknownNumber
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
