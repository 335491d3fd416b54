//! What running a sequence did.

use crate::{ObjectProfile, Reached, Recording, Value};
use std::sync::Arc;

/// How a sequence ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// Every statement ran.
    Completed,
    /// A statement threw out of the subject; statements after it did not run.
    Threw(Thrown),
    /// Back-edges and method entries used up the fuel. Never written to a test.
    OutOfFuel,
    /// The call depth bound was hit. Never written to a test.
    TooDeep,
    /// The wall clock ended it, which fuel did not see. Never written to a test.
    TimedOut,
    /// It asked for more memory than a sequence may have. Never written to a test.
    OutOfMemory,
    /// The worker died while it ran. Never written to a test.
    Crashed(Crash),
    /// A guard denied something (exit, file, process, network); the text says what. Never written to a test.
    Denied(Arc<str>),
    /// It left a thread running. Never written to a test.
    StartedThread,
    /// A statement could not be linked or called at all (access, missing class); the text is the cause.
    Unusable(Arc<str>),
}

/// Why a worker died.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Crash {
    /// It ended by itself: a crash in native code, or a halt.
    Ended,
    /// The system killed it, as it does where the machine runs out of memory.
    Killed,
    /// Its heap was full.
    HeapFull,
    /// It had more threads than a worker may have.
    Threads,
    /// It used more memory beside its heap than a worker may use.
    BesideHeap,
    /// Its files took more of the disk than those of a worker may take.
    Disk,
}

/// An exception that left a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thrown {
    /// Index of the statement.
    pub statement: u32,
    /// Internal name of the exception's class.
    pub class: Arc<str>,
    /// Its message.
    pub message: Option<Arc<str>>,
    /// Internal class name and method name of the innermost frame.
    pub top_frame: Option<(Arc<str>, Arc<str>)>,
    /// What the fields of its subject classes hold that a test can write, by name, superclass fields first.
    pub fields: Vec<(Arc<str>, Observation)>,
}

/// What one executed statement gave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Observation {
    /// A void call or an assignment.
    Nothing,
    /// `null`
    Null,
    /// A primitive, a box or a String; a box is given as its primitive.
    Value {
        /// The value.
        value: Value,
        /// Internal name of the runtime class when a reference was returned (a box or String).
        boxed: bool,
    },
    /// An enum constant.
    EnumConstant {
        /// Internal name of the enum class (of the declaring enum, not of a constant's body).
        class: Arc<str>,
        /// Its name.
        name: Arc<str>,
    },
    /// Any other object or array.
    Object {
        /// Internal name or array descriptor of its runtime class.
        class: Arc<str>,
        /// Its profile, where its fields can be read.
        profile: Option<ObjectProfile>,
        /// The first earlier statement whose variable is the same object.
        same_as: Option<u32>,
        /// What it holds, where a test can make an equal one.
        content: Option<Content>,
    },
    /// A String that cannot be written as a constant (too long, lone surrogates).
    LongText,
}

/// What an array, a collection or a value of the JDK holds; few elements only.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// The text from which an equal one can be made: `3.10` of a `BigDecimal`, the descriptor of a `Class`.
    Text(Arc<str>),
    /// Its elements in order; keys and values of a map in turns; what an optional holds, if anything.
    Elements(Vec<Observation>),
}

/// A counter of a subject class: entry of a method, start of a line, or one outcome of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probe {
    /// `ClassId` number of the class.
    pub class: u32,
    /// Number within the class, as `FORMAT.md` of the wire counts them.
    pub index: u32,
}

/// Probes touched by one sequence, in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// The probes.
    pub probes: Vec<Probe>,
}

/// How near a run came to a watched probe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance {
    /// The probe: one outcome of a branch, or the entry of a method.
    pub probe: Probe,
    /// 0 when it was touched; else the smallest branch distance over all executions of its jump, not normalised
    /// (`McMinn`, "Search-based software test data generation: a survey", STVR 2004, section 3).
    pub distance: f64,
}

/// How a comparison relates its two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Relation {
    /// Numbers, characters or booleans that are equal or ordered.
    Order,
    /// `String.equals`, `compareTo` or another comparison of whole texts.
    Equal,
    /// `String.equalsIgnoreCase`.
    EqualIgnoringCase,
    /// `String.startsWith`.
    Prefix,
    /// `String.endsWith`.
    Suffix,
    /// `String.contains`, `indexOf`.
    Part,
    /// `String.matches`: the right operand is a regular expression.
    Pattern,
}

/// Two operands that met in a comparison which decides a watched branch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Comparison {
    /// The branch outcome that was not reached.
    pub probe: Probe,
    /// How they were compared.
    pub relation: Relation,
    /// The first operand.
    pub left: Value,
    /// The second one; for a switch the key of the case.
    pub right: Value,
}

/// What a run showed of the probes that the executor was told to watch ([`Executor::watch`](crate::Executor::watch)).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Nearness {
    /// One per watched probe whose jump or method was executed, ascending by probe.
    pub distances: Vec<Distance>,
    /// Operands of jumps of which a watched outcome was not reached; in ascending order, each once, few per probe.
    pub comparisons: Vec<Comparison>,
}

/// What running one sequence did.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// How it ended.
    pub end: End,
    /// One per statement that ran to its end; shorter than the sequence when it did not complete.
    pub observations: Vec<Observation>,
    /// All probes it touched if at least one of them had not been touched since the executor's `begin` by a sequence
    /// that a test may show (see [`Outcome::is_writable`]); else empty.
    pub coverage: Coverage,
    /// What it cost: method entries and backward jumps of the subject, which unlike time repeat.
    pub cost: u32,
    /// True if it left values in thread-locals, where what runs later in the same thread would find them.
    pub leaves_thread_locals: bool,
    /// False if it ended otherwise when it ran once more in the static state that it left, as tests of one JVM do: what
    /// can be called but once, for one. Asked of what touched something new only.
    pub repeats: bool,
    /// How near it came to what is watched; empty where nothing is.
    pub nearness: Nearness,
    /// Mutants that it came to while none was on, in the order of the mutants; empty where classes hold none.
    pub reached: Vec<Reached>,
    /// What it called of an API; none where that is not recorded.
    pub recording: Option<Box<Recording>>,
}

impl Outcome {
    /// Of a sequence that touched nothing, cost nothing and left nothing.
    pub fn new(end: End, observations: Vec<Observation>) -> Self {
        Outcome {
            end,
            observations,
            coverage: Coverage::default(),
            cost: 0,
            leaves_thread_locals: false,
            repeats: true,
            nearness: Nearness::default(),
            reached: Vec::new(),
            recording: None,
        }
    }

    /// True if it touched a probe for the first time since `begin`.
    pub fn covers_something_new(&self) -> bool {
        !self.coverage.probes.is_empty()
    }

    /// True if a test may show this outcome: it completed or threw in the subject, and does so again.
    pub fn is_writable(&self) -> bool {
        self.repeats && matches!(self.end, End::Completed | End::Threw(_))
    }
}
