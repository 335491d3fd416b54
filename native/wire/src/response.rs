//! What a worker answers, over its standard output.

pub use crate::kinds::Operator;
use std::sync::Arc;

/// A response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// Sent once after `Setup`: the worker is ready.
    Ready {
        /// `java.specification.version` of the worker's JVM.
        java_version: Arc<str>,
    },
    /// The fresh loader stands.
    Begun {
        /// Classes that could not be initialised: internal name and cause.
        failed: Vec<(Arc<str>, Arc<str>)>,
    },
    /// Outcomes of a batch, in order. Shorter than the batch if the worker must be replaced after the last one
    /// (a sequence left the loader unusable); the rest is run again elsewhere.
    Outcomes(Vec<WireOutcome>),
    /// Class files asked for, in order; none where not found.
    ClassFiles(Vec<Option<Vec<u8>>>),
    /// The request could not be carried out at all; the text goes to the user.
    Failure(Arc<str>),
    /// The mutants that classes hold from the next `Begin` on.
    Mutants(Vec<WireMutant>),
}

/// One small change of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireMutant {
    /// Place of its class in the list of `Mutate`.
    pub class: u32,
    /// What it changes.
    pub operator: Operator,
    /// Name of the method.
    pub method: Arc<str>,
    /// Its descriptor.
    pub descriptor: Arc<str>,
    /// Its line; 0 where none is known.
    pub line: u32,
    /// The field, the called method or the sign of arithmetic that it is about; empty for none.
    pub detail: Arc<str>,
}

/// What one sequence did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireOutcome {
    /// How it ended.
    pub end: WireEnd,
    /// One per statement that ran to its end.
    pub observations: Vec<WireObservation>,
    /// (class number, probe) ascending; empty unless something new was touched.
    pub probes: Vec<(u32, u32)>,
    /// Method entries and backward jumps of the subject.
    pub cost: u32,
    /// True if values stayed in thread-locals.
    pub leaves_thread_locals: bool,
    /// False if it ended otherwise when it ran once more in the state that it left.
    pub repeats: bool,
    /// How near it came to what is watched; none where nothing is.
    pub near: Option<Box<WireNear>>,
    /// Mutants that it came to while none was on, by place, ascending, and whether they would have made a difference
    /// there; none where classes hold none.
    pub reached: Option<Vec<(u32, bool)>>,
    /// What it called of an API; none where nothing is recorded.
    pub recording: Option<Box<WireRecording>>,
}

/// What one sequence called of an API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireRecording {
    /// Per object of the API, the internal name of the most specific public type of the API that it has.
    pub objects: Vec<Arc<str>>,
    /// The calls, in the order in which they began; only the first ones of very many.
    pub calls: Vec<WireApiCall>,
    /// The exception that ended the sequence, where a recorded call ended with one of the same class.
    pub failure: Option<WireFailure>,
}

/// One call of an API; objects by their place in [`WireRecording::objects`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireApiCall {
    /// The site's number in `DefineSites`.
    pub site: u32,
    /// The receiver; none for constructors and static methods.
    pub receiver: Option<u32>,
    /// Positions, from 0, and arguments that are objects of the API.
    pub arguments: Vec<(u16, u32)>,
    /// The result, or the new object, where it is one of the API.
    pub result: Option<u32>,
    /// Internal name of the class of the exception that ended it.
    pub thrown: Option<Arc<str>>,
}

/// An exception that ended a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireFailure {
    /// Internal names: its class, then the superclasses, nearest first.
    pub lineage: Vec<Arc<str>>,
    /// Its stack trace, innermost first.
    pub stack: Vec<WireFrame>,
}

/// One line of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireFrame {
    /// Internal name of the class.
    pub class: Arc<str>,
    /// Name of the method.
    pub method: Arc<str>,
    /// Its line; 0 where none is known.
    pub line: u32,
}

/// How near one sequence came to watched probes, which are named by their place in the list of the last `Watch`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WireNear {
    /// Place and distance (by its bits), ascending; a probe whose jump or method was not executed is left out.
    pub distances: Vec<(u32, u64)>,
    /// Operands that decided a jump of which the watched outcome was not reached.
    pub comparisons: Vec<WireComparison>,
}

/// Operands of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WireComparison {
    /// The probe's place.
    pub place: u32,
    /// How they were compared, see `FORMAT.md`.
    pub relation: u8,
    /// The first operand.
    pub left: crate::request::WireConstant,
    /// The second.
    pub right: crate::request::WireConstant,
}

/// How a sequence ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireEnd {
    /// Every statement ran.
    Completed,
    /// A statement threw.
    Threw {
        /// Index of the statement.
        statement: u32,
        /// Internal name of the exception's class.
        class: Arc<str>,
        /// Its message.
        message: Option<Arc<str>>,
        /// Innermost frame: internal class name, method name.
        top_frame: Option<(Arc<str>, Arc<str>)>,
        /// Fields of its subject classes: name, what they hold.
        fields: Vec<(Arc<str>, WireObservation)>,
    },
    /// Fuel used up.
    OutOfFuel,
    /// Depth bound hit.
    TooDeep,
    /// Time used up.
    TimedOut,
    /// A guard denied something.
    Denied(Arc<str>),
    /// A thread was left running.
    StartedThread,
    /// A statement could not be linked or called.
    Unusable(Arc<str>),
    /// The heap was full, and is not any more.
    OutOfMemory,
}

/// What one statement gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireObservation {
    /// Nothing.
    Nothing,
    /// `null`
    Null,
    /// A primitive, box or String.
    Value {
        /// The value.
        value: crate::request::WireConstant,
        /// True when a reference (box or String) was given.
        boxed: bool,
    },
    /// An enum constant: internal name of the declaring enum, constant name.
    EnumConstant(Arc<str>, Arc<str>),
    /// Another object or an array.
    Object {
        /// Internal name or array descriptor.
        class: Arc<str>,
        /// Profile codes.
        profile: Option<Vec<u16>>,
        /// First earlier slot that holds the same object.
        same_as: Option<u32>,
        /// What it holds.
        content: Option<WireContent>,
    },
    /// A String that cannot be written as a constant.
    LongText,
}

/// What an object holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WireContent {
    /// The text that makes an equal one.
    Text(Arc<str>),
    /// Elements; keys and values in turns.
    Elements(Vec<WireObservation>),
}

/// How a worker JVM ends by itself; anything else is a crash or a kill. The same numbers stand in the Java side's
/// `ExitCode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExitCode {
    /// Asked to.
    Normal = 0,
    /// Its standard input ended: whoever started it is gone.
    InputEnded = 80,
    /// A request could not be read.
    WireDamaged = 81,
    /// A sequence or a test took longer than its time limit.
    TimeUsedUp = 82,
    /// The heap is full; what was done is answered first.
    OutOfMemory = 83,
    /// A fault of the worker itself; its standard error says more.
    Internal = 84,
    /// Wrong arguments of its command line.
    WrongArguments = 85,
}

impl ExitCode {
    /// Every code.
    pub const ALL: [ExitCode; 7] = [
        ExitCode::Normal,
        ExitCode::InputEnded,
        ExitCode::WireDamaged,
        ExitCode::TimeUsedUp,
        ExitCode::OutOfMemory,
        ExitCode::Internal,
        ExitCode::WrongArguments,
    ];

    /// The number the process ends with.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// The code with this number; none where the process ended in another way.
    pub fn of(number: i32) -> Option<ExitCode> {
        Self::ALL.into_iter().find(|code| code.number() == number)
    }
}
