//! Trace files: what the agent saw in one test JVM.
//!
//! Comes in: the bytes of one trace file.
//! Goes out: a [`TraceReader`], which streams [`TraceEvent`]s in an order that agrees with every thread's own order and
//! with the order marks left where an object changed threads. A truncated tail is ignored.
//! Does not know: which classes exist, what a history is.
//! The bytes are described in `FORMAT.md`, part "Trace files"; their numbers stand in [`format`].

pub mod format;
mod lane;
mod reader;
mod value;
mod writer;

pub use reader::{RawEvent, RawKind, TraceReader};
pub use value::{PlainValue, RawProfile, RawValue, RawValues, spelled, whole_code};
pub use writer::TraceWriter;

use std::sync::Arc;

/// A method as the agent met it; events name it by its index in [`TraceReader::methods`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceMethod {
    /// Internal name of the declaring class.
    pub class: Arc<str>,
    /// Name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Descriptor.
    pub descriptor: Arc<str>,
    /// Access flags of the method.
    pub access: u16,
}

/// A receiver, argument or result.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceValue {
    /// `null`
    Null,
    /// A boolean or its box.
    Boolean(bool),
    /// A byte or its box.
    Byte(i8),
    /// A char or its box.
    Char(u16),
    /// A short or its box.
    Short(i16),
    /// An int or its box.
    Int(i32),
    /// A long or its box.
    Long(i64),
    /// A float or its box, by its bits.
    Float(u32),
    /// A double or its box, by its bits.
    Double(u64),
    /// A String that can be written as a constant.
    Text(Arc<str>),
    /// A String that is too long, has lone surrogates, or may be a secret of the machine.
    UnknownText,
    /// An int, a long, a float or a double that may be a secret of the machine, or its box.
    UnknownNumber,
    /// An enum constant.
    EnumConstant {
        /// Internal name of the declaring enum.
        class: Arc<str>,
        /// Name of the constant.
        name: Arc<str>,
    },
    /// A class literal, as a descriptor.
    ClassLiteral(Arc<str>),
    /// Any other object.
    Object {
        /// Identity within the process.
        id: u64,
        /// Internal name of its runtime class.
        class: Arc<str>,
        /// Codes of `palus_sequence::AbstractValue`, at the moment of the event; none for platform classes.
        profile: Option<Vec<u16>>,
    },
    /// An array.
    Array {
        /// Identity within the process.
        id: u64,
        /// Descriptor of its class.
        class: Arc<str>,
        /// Its length.
        length: u32,
        /// One code: null, empty, contains null, other.
        profile: u16,
        /// The first 16 elements; references inside are without profiles.
        elements: Vec<TraceValue>,
    },
}

/// One event of one thread.
#[derive(Clone, Debug, PartialEq)]
pub enum TraceEvent {
    /// A method of a subject class was entered. A constructor has no receiver yet.
    Enter {
        /// Number of the thread in this file.
        thread: u32,
        /// Index of the method.
        method: u32,
        /// The receiver of an instance method.
        receiver: Option<TraceValue>,
        /// The arguments.
        arguments: Vec<TraceValue>,
    },
    /// The innermost open method of the thread returned.
    Exit {
        /// Number of the thread.
        thread: u32,
        /// The result; the new object for a constructor; none for void.
        result: Option<TraceValue>,
    },
    /// The innermost open method of the thread threw.
    Throw {
        /// Number of the thread.
        thread: u32,
        /// Internal name of the exception's class.
        class: Arc<str>,
    },
    /// A test method was entered (no method of a subject class).
    TestStart {
        /// Number of the thread.
        thread: u32,
        /// Internal name of the test class.
        class: Arc<str>,
        /// Name of the test method.
        method: Arc<str>,
    },
    /// The test method ended.
    TestEnd {
        /// Number of the thread.
        thread: u32,
        /// True if it threw something that its annotation does not expect.
        failed: bool,
    },
    /// The agent dropped whole object histories here because a method reached its cap; the calls of these objects
    /// after this point are missing.
    Capped {
        /// Identities whose histories end here and must not be used.
        objects: Vec<u64>,
    },
}
