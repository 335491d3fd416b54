//! Which values stood together in the calls of a trace, each distinct call kept once.
//!
//! Comes in: methods and the numbers of values. Goes out: small numbers for whole calls, and back again as
//! [`ArgumentRecord`]s.
//! Does not know: what a value's number stands for; who takes part in what role; nodes and edges.
//!
//! Calls are numbered per method, and no more than [`MAXIMUM_CALLS`] distinct ones of a method: edges keep
//! only the first thousand anyway, so memory does not grow with the length of the trace.

use crate::ArgumentRecord;
use crate::table::Table;
use crate::values::{MAXIMUM_CALLS, VALUE_NOT_KEPT, ValueId, Values};
use palus_bytecode::MethodId;
use std::sync::Arc;

/// Number of a distinct whole call.
pub(crate) type CallId = u32;

/// Stands for a call that was counted but not kept.
pub(crate) const NOT_KEPT: CallId = CallId::MAX;

/// A short call's method and values, the rest filled with what no kept call has.
type Short = [u32; 4];

/// Keeps each distinct call once.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    /// Each the method's number, then its values.
    all: Vec<Arc<[u32]>>,
    /// Most calls are short, and found without a look at what is kept of them.
    short: Table<Short, CallId>,
    long: Table<Arc<[u32]>, CallId>,
    key: Vec<u32>,
    of_method: Table<MethodId, u32>,
}

impl Calls {
    /// The number of a whole call; [`NOT_KEPT`] once its method has too many, or too many values.
    pub fn id(&mut self, method: MethodId, values: &[ValueId]) -> CallId {
        if values.contains(&VALUE_NOT_KEPT) {
            return NOT_KEPT;
        }
        self.key.clear();
        self.key.push(method.0);
        self.key.extend_from_slice(values);
        let mut short: Short = [VALUE_NOT_KEPT; 4];
        let is_short = self.key.len() <= short.len();
        let known = if is_short {
            short[..self.key.len()].copy_from_slice(&self.key);
            self.short.get(&short)
        } else {
            self.long.get(&*self.key)
        };
        if let Some(&id) = known {
            return id;
        }
        let count = self.of_method.entry(method).or_default();
        if *count >= MAXIMUM_CALLS {
            return NOT_KEPT;
        }
        *count += 1;
        let id = self.all.len() as CallId;
        let key: Arc<[u32]> = self.key.as_slice().into();
        self.all.push(Arc::clone(&key));
        if is_short {
            self.short.insert(short, id);
        } else {
            self.long.insert(key, id);
        }
        id
    }

    /// The records of a whole call: the receiver, if the method has one, then the arguments.
    pub fn records(&self, call: CallId, values: &Values) -> Vec<ArgumentRecord> {
        let numbers = self.all[call as usize][1..].iter();
        let record = |&value| values.record_of(value).expect("kept with the call").clone();
        numbers.map(record).collect()
    }
}
