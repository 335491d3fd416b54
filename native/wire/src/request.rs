//! What the engine asks of a worker, over the worker's standard input.
//!
//! One frame per request. `Setup` comes first; then any number of the others. The worker answers every request but
//! `Define*`, `Watch`, `Forget`, `TurnOn` and `Record` with exactly one response, in order.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

/// A request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Everything that stays the same for the worker's life.
    Setup(Setup),
    /// Adds methods to the worker's table, before their first use.
    DefineMethods(Vec<MethodDefinition>),
    /// Adds fields to the worker's table, before their first use.
    DefineFields(Vec<FieldDefinition>),
    /// Drops the current class loader, if any, and makes a fresh one; forgets which probes were touched.
    /// Answer: `Response::Begun`.
    Begin {
        /// Binary names of classes to initialise at once, in this order.
        initialise: Vec<Arc<str>>,
        /// The environment in which they run, and all sequences until the next `Begin`: 0 is the usual one, others have
        /// another date, other random rows, variables, locale and so on.
        environment: u32,
    },
    /// Runs sequences. Answer: `Response::Outcomes`.
    Execute(Vec<WireSequence>),
    /// Reads class files visible to the worker's JVM (platform classes). Answer: `Response::ClassFiles`.
    ReadClasses(Vec<Arc<str>>),
    /// Ends the worker.
    Exit,
    /// From the next `Execute` on, outcomes tell how near they came to these probes, (class number, probe) ascending,
    /// in place of those watched before. `Begin` ends it too. Not answered.
    Watch(Vec<(u32, u32)>),
    /// Forgets which probes were touched; the class loader stays. Not answered.
    Forget,
    /// From the next `Begin` on, these subject classes (internal names) hold all their mutants, in place of those that
    /// held any before. Nothing is watched while there are some. Answer: `Response::Mutants`.
    Mutate(Vec<Arc<str>>),
    /// From the next `Execute` on, one mutant is on; `Begin` turns it off. Not answered.
    TurnOn {
        /// Its place among the mutants, plus one; 0 for none.
        mutant: u32,
        /// The fuel a sequence may use at most.
        fuel: u32,
    },
    /// Where subject classes call an API, in place of what was defined before. Not answered.
    DefineSites(WireSites),
    /// From the next `Begin` on, calls at the defined sites are recorded, or are not. No class holds mutants while they
    /// are. Not answered.
    Record(bool),
}

/// Where subject classes call an API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireSites {
    /// Internal names of the API's classes; what extends or implements one of them outside of the subject is the API's, too.
    pub api: Vec<Arc<str>>,
    /// Per subject class (internal name) its sites: the number among all calls in the class's code, from 0, ascending,
    /// and the number by which the site is recorded.
    pub sites: Vec<(Arc<str>, SitesOfClass)>,
}

/// Place among the calls of a class and number of each site.
pub type SitesOfClass = Vec<(u32, u32)>;

/// The worker's settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Class path of the subject: files and folders, subject classes first.
    pub class_path: Vec<Arc<str>>,
    /// Classes to instrument: number (the engine's `ClassId`) and internal name.
    pub subject_classes: Vec<(u32, Arc<str>)>,
    /// Back-edges and method entries one sequence may use.
    pub fuel: u32,
    /// Nested calls of subject methods one sequence may have open.
    pub max_depth: u32,
    /// Milliseconds that one sequence may compute, or wait, before the worker gives itself up.
    pub time_limit_millis: u32,
    /// The only folder in which the subject may create, change or delete files.
    pub work_folder: Arc<str>,
}

/// How a method is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallKind {
    /// `new`
    Constructor,
    /// `invokestatic`
    Static,
    /// `invokevirtual`
    Virtual,
    /// `invokeinterface`
    Interface,
    /// `invokestatic` of a static interface method.
    InterfaceStatic,
}

/// A method the worker will be asked to call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodDefinition {
    /// The engine's `MethodId`.
    pub id: u32,
    /// How.
    pub kind: CallKind,
    /// Internal name of the class to call it on.
    pub owner: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
}

/// A field the worker will be asked to read or write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDefinition {
    /// The engine's `FieldId`.
    pub id: u32,
    /// True when static.
    pub is_static: bool,
    /// Internal name of the declaring class.
    pub owner: Arc<str>,
    /// Name.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
}

/// A sequence: statement `i` fills slot `i`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireSequence {
    /// The statements.
    pub statements: Vec<WireStatement>,
}

/// A statement; slots are numbers of earlier statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireStatement {
    /// A constant.
    Constant(WireConstant),
    /// A call; `receiver` only for virtual and interface calls.
    Call {
        /// Defined method.
        method: u32,
        /// Slot of the receiver.
        receiver: Option<u32>,
        /// Slots of the arguments.
        arguments: Slots,
    },
    /// A new array.
    NewArray {
        /// Descriptor of the array's type.
        array_type: Arc<str>,
        /// Slots of the elements.
        elements: Vec<u32>,
    },
    /// Reads a field.
    GetField {
        /// Defined field.
        field: u32,
        /// Slot of the receiver.
        receiver: Option<u32>,
    },
    /// Writes a field.
    SetField {
        /// Defined field.
        field: u32,
        /// Slot of the receiver.
        receiver: Option<u32>,
        /// Slot of the value.
        value: u32,
    },
    /// An object of an interface or abstract class whose open methods answer with slots' values.
    Stub {
        /// Internal name of the interface or class.
        class: Arc<str>,
        /// Name and descriptor of each open method, and the slot it returns or, where it cannot return that, throws; the
        /// default value of its type when none. The same methods in the same order for all stubs of a type.
        answers: Vec<(Arc<str>, Option<u32>)>,
    },
}

/// A constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WireConstant {
    /// `null`
    Null,
    /// A boolean.
    Boolean(bool),
    /// A byte.
    Byte(i8),
    /// A char.
    Char(u16),
    /// A short.
    Short(i16),
    /// An int.
    Int(i32),
    /// A long.
    Long(i64),
    /// A float by its bits.
    Float(u32),
    /// A double by its bits.
    Double(u64),
    /// A String.
    Text(Arc<str>),
    /// An enum constant: internal name and constant name.
    EnumConstant(Arc<str>, Arc<str>),
    /// A class literal by descriptor.
    ClassLiteral(Arc<str>),
}

/// Slots that need no memory of their own.
const FEW: usize = 6;

/// Slots of a call's arguments. Most calls have few, and a batch has thousands of calls.
#[derive(Clone, PartialEq, Eq)]
pub enum Slots {
    /// So many of these; the others are 0.
    Few(u8, [u32; FEW]),
    /// More than these can be.
    Many(Vec<u32>),
}

impl FromIterator<u32> for Slots {
    fn from_iter<I: IntoIterator<Item = u32>>(slots: I) -> Self {
        let mut few = [0; FEW];
        let mut count = 0;
        let mut slots = slots.into_iter();
        while let Some(slot) = slots.next() {
            if count == FEW {
                let mut many = few.to_vec();
                many.push(slot);
                many.extend(slots);
                return Slots::Many(many);
            }
            few[count] = slot;
            count += 1;
        }
        Slots::Few(count as u8, few)
    }
}

impl Deref for Slots {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        match self {
            Slots::Few(count, slots) => &slots[..usize::from(*count)],
            Slots::Many(slots) => slots,
        }
    }
}

impl fmt::Debug for Slots {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(formatter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_that_were_given_however_many() {
        for count in 0..20 {
            let given: Vec<u32> = (1..=count).collect();
            let slots: Slots = given.iter().copied().collect();
            assert_eq!(*slots, *given);
            assert_eq!(format!("{slots:?}"), format!("{given:?}"));
            assert_eq!(matches!(slots, Slots::Many(_)), given.len() > FEW);
        }
    }
}
