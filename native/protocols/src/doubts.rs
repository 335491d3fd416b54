//! Doubts: why a call that threw what ended a test may still be no fault of the program's.
//!
//! Comes in: the call in its execution, and what methods declare. Goes out: a [`Doubt`]; none where the fault is certain.
//! Does not know: protocols; what the test itself calls.
//!
//! The conditions of the filter are the paper's: the call's exception is documented, leaves the program and is not
//! announced by the method around the call. A reader of the test may still answer "what did you expect, given that
//! argument?", or "but my callers are told". A protocol speaks of the order of calls on one object, so a fault is certain
//! only where nothing else explains the exception:
//!
//! ```java
//! Object first() { return list.get(0); }       // certain, if `list` is the program's own and empty
//! Object get(int i) { return list.get(i); }    // in doubt: the index is the client's
//! Object next(Iterator i) { return i.next(); } // in doubt: the iterator is
//! void add(Object o) { view.add(o); }          // in doubt: that a view is read-only is no matter of order
//! ```

use crate::exceptions::ExceptionFacts;
use crate::label::parameter_types;
use crate::subtrace::Origins;
use crate::{Call, End, Execution, ObjectId, Vocabulary};

/// What else explains the exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// Code of the program that the API called back, or that the call led to, threw it.
    NotOfApi,
    /// It speaks of what was passed, or of what such objects can do at all, and not of their state.
    NotOfState,
    /// The program did not make the object, or made it of one that it did not make.
    OfClient,
    /// It speaks of an index, and the method around has a number as parameter.
    Index,
    /// A method on the way from the test to the call declares it.
    Announced,
    /// Whether such a method declares it cannot be known: its documentation, or that of a method which it overrides, is
    /// not at hand.
    Unknown,
}

/// These tell of arguments, or of what objects of a class never do.
const OF_ARGUMENTS: [&str; 7] = [
    "java/lang/NullPointerException",
    "java/lang/IllegalArgumentException",
    "java/lang/ClassCastException",
    "java/lang/UnsupportedOperationException",
    "java/lang/ArrayStoreException",
    "java/lang/NegativeArraySizeException",
    "java/util/InputMismatchException",
];

const OF_INDICES: &str = "java/lang/IndexOutOfBoundsException";

const NUMBERS: [&str; 5] = ["int", "long", "short", "byte", "char"];

impl Doubt {
    /// Of a call that threw what ended the execution; in doubt as well where it is none.
    pub fn of(
        facts: &ExceptionFacts<'_>,
        vocabulary: &Vocabulary,
        execution: &Execution,
        call: &Call,
    ) -> Option<Doubt> {
        let End::Threw(failure) = &execution.end else {
            return Some(Doubt::NotOfApi);
        };
        let site = vocabulary.site(call.site);
        let mut own = failure
            .stack
            .iter()
            .filter(|frame| facts.is_programs(&frame.class));
        if !own.next().is_some_and(|frame| frame.is_at(site)) {
            return Some(Doubt::NotOfApi);
        }
        let is_a = |name: &str| failure.lineage.iter().any(|class| &**class == name);
        let Some(receiver) = call.receiver else {
            return Some(Doubt::NotOfState);
        };
        if OF_ARGUMENTS.into_iter().any(is_a) {
            return Some(Doubt::NotOfState);
        }
        if !is_made_by_program(vocabulary, execution, receiver) {
            return Some(Doubt::OfClient);
        }
        let has_number = |descriptor: &str| {
            let types = parameter_types(descriptor);
            types.iter().any(|name| NUMBERS.contains(&&**name))
        };
        if is_a(OF_INDICES) && has_number(&site.method.descriptor) {
            return Some(Doubt::Index);
        }
        let around = (&*site.class, &*site.method.name);
        let callers = own.map(|frame| (&*frame.class, &*frame.method));
        for (class, method) in std::iter::once(around).chain(callers) {
            if facts.may_declare(class, method, &failure.lineage) {
                return Some(Doubt::Announced);
            }
            if !facts.are_known(class, method) {
                return Some(Doubt::Unknown);
            }
        }
        None
    }
}

/// True if the program obtained the object from a call, and made it of no object but such.
fn is_made_by_program(vocabulary: &Vocabulary, execution: &Execution, object: ObjectId) -> bool {
    let origins = Origins::of(vocabulary, execution);
    let mut open = vec![object];
    let mut seen = vec![false; execution.objects.len()];
    while let Some(object) = open.pop() {
        if std::mem::replace(&mut seen[object.index()], true) {
            continue;
        }
        let Some(creation) = origins.creation[object.index()] else {
            return false;
        };
        let made = &execution.calls[creation as usize];
        open.extend(made.arguments.iter().map(|&(_, argument)| argument));
    }
    true
}
