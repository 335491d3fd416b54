//! The calls of whole tests, with the very objects that they used.
//!
//! Comes in: the outermost calls of each test as they begin and end, and which methods ran inside. Goes out: the
//! [`CarvedTest`]s that are worth keeping.
//! Does not know: models; trace files.
//!
//! A history knows one object and leaves all others open; what needs several objects that belong together comes back
//! from whole tests only. Elbaum, Chin, Dwyer, Dokulil, "Carving Differential Unit Test Cases from System Test Cases"
//! (FSE 2006), with calls in place of stored states.
//!
//! Kept are tests that passed and did not do the same as one before, as long as one of the methods that ran in it was
//! not shown by [`PER_METHOD`] others; so their number follows the program's size and not the trace's. What looks like an
//! outermost call may be nested in one that the agent no longer recorded, as calls of a class with very many of them: it
//! is left out where it uses an object that the test cannot have.

use crate::history::ObjectIndex;
use crate::table::Table;
use crate::values::{ValueId, Values};
use crate::{ArgumentRecord, Constraint};
use palus_bytecode::{ClassId, MethodId};
use std::collections::BTreeSet;

/// Tests that are kept because of one method.
const PER_METHOD: u32 = 8;
/// Calls in all kept tests together, after which no more are kept.
const ENOUGH_CALLS: usize = 200_000;

/// The calls that the code of one test made, in order; those that threw are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CarvedTest {
    /// At most [`CarvedTest::MAXIMUM_CALLS`], the first ones.
    pub calls: Vec<CarvedCall>,
    /// Methods that ran, those inside other calls too, in order of their ids.
    pub methods: Vec<MethodId>,
    /// Events of the trace up to the end of its last call: how long it takes, roughly.
    pub events: u64,
}

impl CarvedTest {
    /// Calls kept per test.
    pub const MAXIMUM_CALLS: usize = 100;
}

/// A call that a test made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CarvedCall {
    /// The method or constructor.
    pub method: MethodId,
    /// The receiver, if the method has one, then the arguments.
    pub values: Vec<CarvedValue>,
    /// The object that was made or returned, and its class; none for anything but objects of traced classes.
    pub result: Option<(u32, ClassId)>,
}

/// What stood at a position of such a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CarvedValue {
    /// An object of a traced class by its number within the test, and what else was seen of it.
    Object(u32, ArgumentRecord),
    /// An array of objects, its class first.
    Array(ArgumentRecord, Vec<CarvedValue>),
    /// Anything else.
    Other(ArgumentRecord),
}

/// A value while the trace is read: records by their numbers.
#[derive(Clone, Debug)]
pub(crate) enum Slot {
    Object(ObjectIndex, ValueId),
    Array(ValueId, Vec<Slot>),
    Other(ValueId),
}

#[derive(Clone, Debug)]
struct Call {
    method: MethodId,
    values: Vec<Slot>,
    result: Option<(ObjectIndex, ClassId)>,
}

/// A test that is running.
#[derive(Debug, Default)]
pub(crate) struct OpenTest {
    calls: Vec<Call>,
    /// An outermost call that has not ended.
    open: Option<Call>,
    methods: Vec<MethodId>,
    /// Per method of the file: true if it ran.
    ran: Vec<bool>,
    /// When it started, and when its last call ended.
    start: u64,
    end: u64,
    /// Objects that its calls returned.
    had: BTreeSet<ObjectIndex>,
}

impl OpenTest {
    /// A test that starts at a time, in events of its file.
    pub fn new(start: u64) -> Self {
        OpenTest {
            start,
            ..OpenTest::default()
        }
    }

    /// Notes that a method ran, by its number in the file.
    pub fn run(&mut self, number: u32, method: Option<MethodId>) {
        let number = number as usize;
        if self.is_full() {
            return;
        }
        if number >= self.ran.len() {
            self.ran.resize(number + 1, false);
        }
        if !std::mem::replace(&mut self.ran[number], true) {
            self.methods.extend(method);
        }
    }

    /// True where no more calls are kept.
    pub fn is_full(&self) -> bool {
        self.calls.len() >= CarvedTest::MAXIMUM_CALLS
    }

    /// True if its code can hold an object: one that a call returned, or that was there before. Whatever else is used in
    /// what looks like an outermost call shows that there is a call around it which the agent did not record.
    pub fn holds(&self, object: ObjectIndex, first_seen: u64) -> bool {
        first_seen < self.start || self.had.contains(&object)
    }

    /// Begins an outermost call.
    pub fn begin(&mut self, method: MethodId, values: Vec<Slot>) {
        self.open = Some(Call {
            method,
            values,
            result: None,
        });
    }

    /// Ends the outermost call, which returned.
    pub fn end(&mut self, result: Option<(ObjectIndex, ClassId)>, time: u64) {
        if let Some(mut call) = self.open.take() {
            self.end = time;
            call.result = result;
            self.had.extend(result.map(|(object, _)| object));
            self.calls.push(call);
        }
    }

    /// Ends the outermost call, which threw.
    pub fn throw(&mut self) {
        self.open = None;
    }
}

/// A test that is kept.
#[derive(Debug)]
struct Kept {
    calls: Vec<Call>,
    methods: Vec<MethodId>,
    events: u64,
}

/// Chooses among tests.
#[derive(Debug, Default)]
pub(crate) struct Carver {
    kept: Vec<Kept>,
    /// How many kept tests ran a method.
    shown: Table<MethodId, u32>,
    known: BTreeSet<Box<[u32]>>,
    /// Calls in all of them.
    size: usize,
}

impl Carver {
    /// Keeps a test that passed, if it shows something.
    pub fn keep(&mut self, test: OpenTest) {
        let OpenTest {
            mut calls,
            mut methods,
            start,
            end,
            ..
        } = test;
        let is_wanted = |method: &MethodId| self.shown.get(method).is_none_or(|&n| n < PER_METHOD);
        let is_enough = self.size >= ENOUGH_CALLS;
        if is_enough || calls.is_empty() || !methods.iter().any(is_wanted) {
            return;
        }
        number_objects(&mut calls);
        let mut key = Vec::new();
        for call in &calls {
            key.extend([call.method.0, call.values.len() as u32]);
            for value in &call.values {
                sign(value, &mut key);
            }
        }
        if !self.known.insert(key.into()) {
            return;
        }
        for &method in &methods {
            *self.shown.entry(method).or_default() += 1;
        }
        self.size += calls.len();
        methods.sort_unstable();
        self.kept.push(Kept {
            calls,
            methods,
            events: end.saturating_sub(start),
        });
    }

    /// Ends choosing.
    pub fn finish(self, values: &Values) -> Vec<CarvedTest> {
        let record = |id: ValueId| {
            let known = values.record_of(id).cloned();
            known.unwrap_or_else(|| ArgumentRecord::Constrained(Constraint::default()))
        };
        let tests = self.kept.into_iter().map(|kept| {
            let call = |call: Call| CarvedCall {
                method: call.method,
                values: call
                    .values
                    .iter()
                    .map(|slot| whole(slot, &record))
                    .collect(),
                result: call.result,
            };
            CarvedTest {
                calls: kept.calls.into_iter().map(call).collect(),
                methods: kept.methods,
                events: kept.events,
            }
        });
        tests.collect()
    }
}

/// Gives the objects of a test numbers from 0, in order of their appearance.
fn number_objects(calls: &mut [Call]) {
    fn renumber(slot: &mut Slot, numbers: &mut Table<ObjectIndex, u32>) {
        let count = numbers.len() as u32;
        match slot {
            Slot::Object(object, _) => *object = *numbers.entry(*object).or_insert(count),
            Slot::Array(_, elements) => {
                for element in elements {
                    renumber(element, numbers);
                }
            }
            Slot::Other(_) => {}
        }
    }
    let mut numbers = Table::default();
    for call in calls {
        for value in &mut call.values {
            renumber(value, &mut numbers);
        }
        if let Some((object, _)) = &mut call.result {
            let count = numbers.len() as u32;
            *object = *numbers.entry(*object).or_insert(count);
        }
    }
}

/// What tells two tests apart: which objects and constants stand where. Of unknown ones no more than that counts.
fn sign(slot: &Slot, key: &mut Vec<u32>) {
    match slot {
        Slot::Object(object, _) => key.extend([0, *object]),
        Slot::Array(_, elements) => {
            key.extend([1, elements.len() as u32]);
            for element in elements {
                sign(element, key);
            }
        }
        Slot::Other(value) => key.extend([2, *value]),
    }
}

fn whole(slot: &Slot, record: &impl Fn(ValueId) -> ArgumentRecord) -> CarvedValue {
    match slot {
        Slot::Object(object, value) => CarvedValue::Object(*object, record(*value)),
        Slot::Array(value, elements) => {
            let elements = elements.iter().map(|element| whole(element, record));
            CarvedValue::Array(record(*value), elements.collect())
        }
        Slot::Other(value) => CarvedValue::Other(record(*value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_in_all_is_bounded() {
        let mut carver = Carver::default();
        let most = CarvedTest::MAXIMUM_CALLS;
        for number in 0..2 * (ENOUGH_CALLS / most) as u32 {
            let mut test = OpenTest::new(0);
            let method = MethodId(number);
            test.run(0, Some(method));
            while !test.is_full() {
                test.begin(method, Vec::new());
                test.end(None, 1);
            }
            carver.keep(test);
        }
        let kept = carver.finish(&Values::default());
        assert_eq!(kept.len(), ENOUGH_CALLS / most);
    }
}
