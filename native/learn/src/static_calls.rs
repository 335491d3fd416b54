//! Static calls that no history holds.
//!
//! Comes in: static calls that returned and that no object of a subject class took part in. Goes out: the distinct ones of
//! each method, as [`Observation`]s.
//! A class that is used by static calls alone, as a parser of numbers, has no objects and so no model; what it was called
//! with is known nonetheless. A test that failed counts as well, as each such call returned on its own.
//! Does not know: models, trace files.

use crate::calls::{CallId, Calls, NOT_KEPT};
use crate::table::Table;
use crate::values::Values;
use crate::{CallEdge, Observation};
use palus_bytecode::MethodId;
use std::collections::BTreeMap;

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct StaticCalls {
    /// Per method: its distinct calls in order of first appearance, and how often each was seen.
    of_method: BTreeMap<MethodId, Vec<(CallId, u32)>>,
    places: Table<CallId, u32>,
}

impl StaticCalls {
    /// Counts a call.
    pub fn note(&mut self, method: MethodId, call: CallId) {
        if call == NOT_KEPT {
            return;
        }
        if let Some(&place) = self.places.get(&call) {
            let seen = self.of_method.get_mut(&method);
            if let Some((_, count)) = seen.and_then(|seen| seen.get_mut(place as usize)) {
                *count += 1;
            }
            return;
        }
        let seen = self.of_method.entry(method).or_default();
        if seen.len() < CallEdge::MAXIMUM_OBSERVATIONS {
            self.places.insert(call, seen.len() as u32);
            seen.push((call, 1));
        }
    }

    /// What was seen of each method.
    pub fn finish(self, calls: &Calls, values: &Values) -> BTreeMap<MethodId, Vec<Observation>> {
        let observed = |(call, count)| Observation {
            receiver: None,
            arguments: calls.records(call, values),
            count,
        };
        let all = self.of_method.into_iter();
        all.map(|(method, seen)| (method, seen.into_iter().map(observed).collect()))
            .collect()
    }
}
