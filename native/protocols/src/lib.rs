//! Protocols of an API: mined from passing executions, checked on failing ones, a warning only when certain.
//!
//! Comes in: the calls that executions of the program make to an API ([`Execution`], told in the words of a
//! [`Vocabulary`]), and what methods declare to throw ([`ExceptionFacts`]).
//! Goes out: [`Protocols`], as JSON and back, and [`Warnings`].
//! Does not know: who records executions, files, processes, what is made of a warning.
//!
//! ```java
//! public class C { private java.util.Stack s = new java.util.Stack();
//!   public String report() { return get().toString(); }
//!   private Object get() { return s.peek(); }
//!   public void fill() { s.push("x"); } }
//! ```
//!
//! Passing tests fill before they report, and show that `peek` follows `push`. A test that only reports ends with
//! `EmptyStackException`; the protocol has no `peek` right after `new`, `Stack.peek` declares the exception and `get`
//! does not, so that `peek` in `get` is an unsafe use.
//!
//! Pradel, Gross, "Leveraging Test Generation and Specification Mining for Automated Bug Detection without False
//! Positives", ICSE 2012.

mod api;
mod checker;
mod doubts;
mod exceptions;
mod execution;
mod filter;
mod label;
mod miner;
mod protocol;
mod sources;
mod stored;
mod subtrace;
mod vocabulary;

pub use api::Api;
pub use checker::{Checker, Violation};
pub use doubts::Doubt;
pub use exceptions::{Declared, Documentation, ExceptionFacts};
pub use execution::{Call, End, Execution, Failure, Frame, ObjectId};
pub use filter::{Conditions, TestRef, Warning, Warnings};
pub use label::{Label, Parameter};
pub use miner::Miner;
pub use protocol::{Machine, Protocol, Protocols, Source, State, StateKind, Support};
pub use stored::StoredError;
pub use vocabulary::{CallSite, NameId, Signature, SignatureId, SiteId, Vocabulary};
