//! From the steps of a trace file to object histories.
//!
//! Comes in: steps, in the order of the file. Goes out: [`Histories`], what each test called to the [`Carver`], and calls
//! without an object to the [`StaticCalls`]; what is left out is counted.
//! Does not know: bytes of files; values other than by their numbers; models.
//!
//! Each thread has a stack of open calls. A call that ends is added to the histories of all objects that took part;
//! one that threw, or that is private, is not; a pure one takes the calls nested in it out again and is kept only for
//! the object it creates.

use crate::Statistics;
use crate::calls::Calls;
use crate::carving::{Carver, OpenTest, Slot};
use crate::decoder::{Batch, Keep, MethodFacts, Operand, Step};
use crate::history::{Histories, HistoryCall, Label, LeftOut, ObjectHistory, ObjectIndex, RoleSet};
use crate::places::Places;
use crate::static_calls::StaticCalls;
use crate::table::Table;
use crate::values::{SELF, ValueId};
use palus_bytecode::{ClassId, MethodId, Program};
use std::slice::Iter;

/// Histories kept per class.
const MAXIMUM_OBJECTS: u32 = 20_000;
/// Calls in the histories of one file after which only classes with few objects get more.
const MANY_CALLS: u64 = 4_000_000;
/// Objects that a class may have even then.
const FEW_OBJECTS: u32 = 200;

/// An open call.
#[derive(Debug, Default)]
struct Frame {
    method: u32,
    /// True if no history holds the call.
    is_passed: bool,
    /// Objects that take part in such a call, if it is pure.
    passed: Vec<(u64, ClassId)>,
    /// Calls in all histories when it began.
    added: u64,
    enter: u64,
    values: Vec<ValueId>,
    participants: Vec<(u8, ObjectIndex)>,
}

#[derive(Debug, Default)]
struct Thread {
    frames: Vec<Frame>,
    test: Option<u32>,
    /// What the test that runs here has called so far.
    carved: Option<OpenTest>,
}

/// Turns the steps of one file into histories.
pub(crate) struct Recorder<'a> {
    program: &'a Program,
    calls: &'a mut Calls,
    statistics: &'a mut Statistics,
    /// Histories per class so far, those of earlier files included.
    counts: &'a mut Table<ClassId, u32>,
    carver: &'a mut Carver,
    static_calls: &'a mut StaticCalls,
    time: u64,
    methods: Vec<Option<MethodFacts>>,
    threads: Vec<Thread>,
    places: Places,
    objects: Vec<ObjectHistory>,
    /// Objects used by each test, by its number.
    used: Vec<Vec<ObjectIndex>>,
    /// Ended frames, for their memory.
    spare: Vec<Frame>,
    /// Calls added to histories so far.
    added: u64,
    latest_test: Option<u32>,
    /// The values of a call as one participant sees them.
    own_values: Vec<ValueId>,
    /// And its other participants.
    others: Vec<(u8, ObjectIndex)>,
}

impl<'a> Recorder<'a> {
    pub fn new(
        program: &'a Program,
        calls: &'a mut Calls,
        statistics: &'a mut Statistics,
        counts: &'a mut Table<ClassId, u32>,
        carver: &'a mut Carver,
        static_calls: &'a mut StaticCalls,
    ) -> Self {
        Recorder {
            program,
            calls,
            statistics,
            counts,
            carver,
            static_calls,
            time: 0,
            methods: Vec::new(),
            threads: Vec::new(),
            places: Places::default(),
            objects: Vec::new(),
            used: Vec::new(),
            spare: Vec::new(),
            added: 0,
            latest_test: None,
            own_values: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Takes in the next events.
    pub fn take(&mut self, batch: &Batch) {
        self.methods.extend_from_slice(&batch.methods);
        let mut operands = batch.operands.iter();
        let mut capped = batch.capped.iter();
        for &step in &batch.steps {
            self.time += 1;
            match step {
                Step::Enter {
                    thread,
                    method,
                    operands: count,
                } => self.enter(thread, method, count, &mut operands),
                Step::Pass {
                    thread,
                    method,
                    operands: count,
                } => self.pass(thread, method, operands.by_ref().take(count as usize)),
                Step::Exit { thread, has_object } => {
                    let result = if has_object { operands.next() } else { None };
                    self.exit(thread, result.copied());
                }
                Step::ExitPassed { thread } => self.exit_passed(thread),
                Step::Throw { thread } => self.throw(thread),
                Step::TestStart { thread } => self.start_test(thread),
                Step::TestEnd { thread, failed } => self.end_test(thread, failed),
                Step::Capped { objects } => {
                    for &id in capped.by_ref().take(objects) {
                        match self.places.get(id) {
                            Some(index) => self.leave_out(index, LeftOut::Capped),
                            None => self.places.bar(id),
                        }
                    }
                }
            }
        }
    }

    fn pass<'o>(&mut self, thread: u32, method: u32, operands: impl Iterator<Item = &'o Operand>) {
        self.statistics.calls += 1;
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.is_passed = true;
        frame.passed.clear();
        frame
            .passed
            .extend(operands.filter_map(|operand| match operand {
                Operand::Object { id, class, .. } => Some((*id, *class)),
                _ => None,
            }));
        frame.method = method;
        frame.enter = self.time;
        frame.added = self.added;
        let facts = self.methods[method as usize];
        let thread = self.thread(thread);
        thread.frames.push(frame);
        if let Some(test) = &mut thread.carved {
            test.run(method, facts.map(|facts| facts.id));
        }
    }

    fn exit_passed(&mut self, thread: u32) {
        let frames = &mut self.thread(thread).frames;
        let Some(mut frame) = frames.pop_if(|frame| frame.is_passed) else {
            return;
        };
        // Only what a pure call left in histories is to be taken out again.
        if frame.added != self.added && !frame.passed.is_empty() {
            frame.participants.clear();
            for &(id, class) in &frame.passed {
                // The position does not matter for a call that is not kept.
                let index = self.object(thread, id, class);
                frame.participants.extend(index.map(|index| (1, index)));
            }
            self.complete(thread, &frame, None);
        }
        self.spare.push(frame);
    }

    fn throw(&mut self, thread: u32) {
        let at = self.thread(thread);
        if let Some(frame) = at.frames.pop() {
            if let Some(test) = at.carved.as_mut().filter(|_| at.frames.is_empty()) {
                test.throw();
            }
            self.statistics.throwing_calls += 1;
            self.spare.push(frame);
        }
    }

    fn start_test(&mut self, thread: u32) {
        let test = self.used.len() as u32;
        self.used.push(Vec::new());
        self.latest_test = Some(test);
        self.statistics.tests += 1;
        let start = self.time;
        let thread = self.thread(thread);
        thread.frames.clear();
        thread.test = Some(test);
        thread.carved = Some(OpenTest::new(start));
    }

    /// The histories that can be used, in the order of object ids, and for every object of the file its place in them.
    pub fn finish(mut self) -> Histories {
        let mut order: Vec<ObjectIndex> = Vec::new();
        for (index, object) in self.objects.iter_mut().enumerate() {
            let class = object.class;
            match object.left_out {
                Some(LeftOut::Capped) => self.statistics.drop_of(class).capped += 1,
                Some(LeftOut::FailedTest) => self.statistics.drop_of(class).failed_test += 1,
                None if object.calls.is_empty() => {}
                None => {
                    object.calls.sort_by_key(|call| call.enter);
                    if object.calls[0].label.roles.is_creation() {
                        order.push(index as ObjectIndex);
                        continue;
                    }
                    self.statistics.drop_of(class).unseen_creation += 1;
                }
            }
            object.calls = Vec::new();
        }
        order.sort_by_key(|&index| self.objects[index as usize].id);
        self.statistics.histories += order.len() as u64;
        Histories {
            objects: self.objects,
            order,
        }
    }

    fn thread(&mut self, thread: u32) -> &mut Thread {
        let thread = thread as usize;
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    fn enter(&mut self, thread: u32, method: u32, count: u32, operands: &mut Iter<'_, Operand>) {
        self.statistics.calls += 1;
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.is_passed = false;
        frame.values.clear();
        frame.participants.clear();
        let facts = self.methods[method as usize];
        let needs_values = facts.is_some_and(|facts| facts.needs_values);
        let at = self.thread(thread);
        let is_outermost = at.frames.is_empty();
        let carved = at.carved.as_mut();
        let is_carved = carved.is_some_and(|test| {
            test.run(method, facts.map(|facts| facts.id));
            is_outermost && needs_values && !test.is_full()
        });
        let mut slots = Vec::new();
        let first = if facts.is_some_and(|facts| facts.has_receiver) {
            1
        } else {
            2
        };
        for position in first..first + count {
            let operand = *operands.next().expect("as many as the step says");
            let (index, value) = match operand {
                Operand::Object { id, class, value } => (self.object(thread, id, class), value),
                Operand::Array { value, .. } | Operand::Other(value) => (None, value),
            };
            let mut slot = index.map_or(Slot::Other(value), |index| Slot::Object(index, value));
            if let Operand::Array { elements, .. } = operand {
                let elements = operands.by_ref().take(elements as usize);
                let elements = elements.map(|element| self.element(element));
                slot = Slot::Array(value, elements.collect());
            }
            if needs_values {
                frame.values.push(value);
            }
            if is_carved {
                slots.push(slot);
            }
            // A method has at most 255 parameters, but roles have 62 bits; the JDK itself stays far below.
            if let Some(index) = index
                && position < 64
            {
                frame.participants.push((position as u8, index));
            }
        }
        if let (true, Some(facts)) = (is_carved, facts) {
            self.begin_outermost(thread, facts.id, slots);
        }
        self.statistics.unknown_calls += u64::from(facts.is_none());
        frame.method = method;
        frame.enter = self.time;
        self.thread(thread).frames.push(frame);
    }

    fn exit(&mut self, thread: u32, result: Option<Operand>) {
        let result = match result {
            Some(Operand::Object { id, class, .. }) => self.object(thread, id, class),
            _ => None,
        };
        let Some(frame) = self.thread(thread).frames.pop() else {
            return;
        };
        let made = result.map(|index| (index, self.objects[index as usize].class));
        let time = self.time;
        let at = self.thread(thread);
        if let Some(test) = at.carved.as_mut().filter(|_| at.frames.is_empty()) {
            test.end(made, time);
        }
        self.complete(thread, &frame, result);
        self.spare.push(frame);
    }

    /// Begins a call that a test makes, if it can be one of its own.
    fn begin_outermost(&mut self, thread: u32, method: MethodId, values: Vec<Slot>) {
        let owner = self.program.method(method).class;
        let package = self.program.package(owner);
        if !self.program.is_method_accessible(method, package) {
            return;
        }
        let objects = &self.objects;
        let carved = self.threads.get_mut(thread as usize);
        let Some(test) = carved.and_then(|thread| thread.carved.as_mut()) else {
            return;
        };
        let holds = |slot: &Slot| match slot {
            Slot::Object(index, _) => test.holds(*index, objects[*index as usize].first_seen),
            Slot::Array(..) | Slot::Other(_) => true,
        };
        if values.iter().all(holds) {
            test.begin(method, values);
        }
    }

    /// An element of an array that a test passes. To stand in an array is no use of an object that a history would tell.
    fn element(&self, element: &Operand) -> Slot {
        match *element {
            Operand::Object { id, value, .. } => {
                let known = self.places.get(id);
                known.map_or(Slot::Other(value), |index| Slot::Object(index, value))
            }
            Operand::Array { value, .. } | Operand::Other(value) => Slot::Other(value),
        }
    }

    /// Adds a call that returned to the histories of all who took part.
    fn complete(&mut self, thread: u32, frame: &Frame, result: Option<ObjectIndex>) {
        let Some(method) = self.methods.get(frame.method as usize).copied().flatten() else {
            return;
        };
        if method.keep == Keep::None {
            return;
        }
        for (place, &(_, index)) in frame.participants.iter().enumerate() {
            let is_again = frame.participants[..place]
                .iter()
                .any(|&(_, known)| known == index);
            if !is_again {
                // Each participant once, with all its roles.
                let own = frame
                    .participants
                    .iter()
                    .filter(|&&(_, known)| known == index);
                let roles = own.fold(0, |roles, (position, _)| roles | 1 << position);
                self.add(thread, frame, method, index, RoleSet(roles));
            }
        }
        if let Some(index) = result {
            let object = &self.objects[index as usize];
            let is_super = method.constructs.is_some_and(|class| class != object.class);
            if object.first_seen > frame.enter && !is_super {
                self.add(thread, frame, method, index, RoleSet::RESULT);
                return;
            }
        }
        if method.is_static && frame.participants.is_empty() && !frame.is_passed {
            let call = self.calls.id(method.id, &frame.values);
            self.static_calls.note(method.id, call);
        }
    }

    /// Adds a completed call to the history of one of its participants.
    fn add(
        &mut self,
        thread: u32,
        frame: &Frame,
        method: MethodFacts,
        index: ObjectIndex,
        roles: RoleSet,
    ) {
        let object = &mut self.objects[index as usize];
        let Some(children) = object.take_nested(frame.enter, thread as u16) else {
            return;
        };
        if method.keep == Keep::Creations && !roles.is_creation() {
            return;
        }
        let values = &mut self.own_values;
        values.clone_from(&frame.values);
        let receiver = usize::from(method.has_receiver);
        let others = &mut self.others;
        others.clear();
        for &(position, other) in &frame.participants {
            if other == index {
                let place = if position == 1 {
                    0
                } else {
                    usize::from(position) - 2 + receiver
                };
                values[place] = SELF;
            } else {
                others.push((position, other));
            }
        }
        let is_added = object.add(HistoryCall {
            label: Label {
                method: method.id,
                roles,
            },
            enter: frame.enter,
            exit: self.time,
            thread: thread as u16,
            call: self.calls.id(method.id, values),
            others: others.as_slice().into(),
            children,
            depth: 0,
            edge: 0,
            observation: None,
        });
        self.added += u64::from(is_added);
    }

    /// The object with an identity, if it is kept.
    fn object(&mut self, thread: u32, id: u64, class: ClassId) -> Option<ObjectIndex> {
        let index = match self.places.get(id) {
            Some(index) => index,
            None if self.places.is_ignored(id) => return None,
            None => self.new_object(id, class)?,
        };
        let test = self
            .threads
            .get(thread as usize)
            .and_then(|thread| thread.test);
        if let Some(test) = test.or(self.latest_test) {
            let object = &mut self.objects[index as usize];
            if object.test != test + 1 {
                object.test = test + 1;
                self.used[test as usize].push(index);
            }
        }
        Some(index)
    }

    fn new_object(&mut self, id: u64, class: ClassId) -> Option<ObjectIndex> {
        let index = self.objects.len() as ObjectIndex;
        let left_out = self.places.is_barred(id).then_some(LeftOut::Capped);
        if left_out.is_none() {
            let count = self.counts.entry(class).or_default();
            let is_full = self.added >= MANY_CALLS && *count >= FEW_OBJECTS;
            if is_full || *count >= MAXIMUM_OBJECTS {
                self.statistics.drop_of(class).too_many += 1;
                self.places.ignore(id);
                return None;
            }
            *count += 1;
        }
        self.objects
            .push(ObjectHistory::new(id, class, self.time, left_out));
        self.places.insert(id, index);
        Some(index)
    }

    fn end_test(&mut self, thread: u32, failed: bool) {
        let thread = self.thread(thread);
        thread.frames.clear();
        let carved = thread.carved.take().filter(|_| !failed);
        let Some(test) = thread.test.take() else {
            return;
        };
        if let Some(carved) = carved {
            self.carver.keep(carved);
        }
        if self.latest_test == Some(test) {
            self.latest_test = None;
        }
        let used = std::mem::take(&mut self.used[test as usize]);
        if failed {
            self.statistics.failed_tests += 1;
            for index in used {
                self.leave_out(index, LeftOut::FailedTest);
            }
        }
    }

    fn leave_out(&mut self, index: ObjectIndex, why: LeftOut) {
        let object = &mut self.objects[index as usize];
        object.left_out.get_or_insert(why);
        object.calls = Vec::new();
    }
}
