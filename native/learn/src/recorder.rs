//! From the events of a trace file to object histories.
//!
//! Comes in: events, in the order of the file. Goes out: [`Histories`], and what each test called to the [`Carver`]; what is
//! left out is counted.
//! Does not know: models; method bodies (whether a method is pure is asked of a predicate).
//!
//! Each thread has a stack of open calls. A call that ends is added to the histories of all objects that took part;
//! one that threw, or that is private, is not; a pure one takes the calls nested in it out again and is kept only for
//! the object it creates. Values of calls that no history can hold are not even decoded.

use crate::Statistics;
use crate::carving::{Carver, OpenTest, Slot};
use crate::history::{Histories, HistoryCall, Label, LeftOut, ObjectHistory, ObjectIndex, RoleSet};
use crate::places::Places;
use crate::table::Table;
use crate::values::{SELF, ValueId, Values};
use palus_bytecode::{ClassId, MethodId, Origin, Program};
use palus_wire::trace::{RawEvent, RawKind, TraceEvent, TraceMethod, TraceValue};
use std::sync::Arc;

/// Histories kept per class.
const MAXIMUM_OBJECTS: u32 = 20_000;
/// Calls in the histories of one file after which only classes with few objects get more.
const MANY_CALLS: u64 = 4_000_000;
/// Objects that a class may have even then.
const FEW_OBJECTS: u32 = 200;

/// Which calls of a method belong into histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// None: private, or made by the compiler.
    None,
    /// Those that create the object, as they change nothing else.
    Creations,
    All,
}

/// What the program says of a method of the file.
#[derive(Clone, Copy, Debug)]
struct MethodFacts {
    id: MethodId,
    keep: Keep,
    has_receiver: bool,
    /// The class whose objects it makes, if it is a constructor.
    constructs: Option<ClassId>,
    /// False where no history can hold a call, so that its values need not even be decoded.
    needs_values: bool,
}

/// What is to be done about an event.
pub(crate) enum Skim<'t> {
    /// Nothing more.
    Taken,
    /// Decode it and take it in.
    Decode,
    /// Decode this earlier event, which began the call that ends here.
    Recall(RawEvent<'t>),
}

/// An open call.
#[derive(Debug, Default)]
struct Frame<'t> {
    method: u32,
    /// The event itself, where its values were not decoded.
    skimmed: Option<RawEvent<'t>>,
    /// Calls in all histories when it began.
    added: u64,
    enter: u64,
    values: Vec<ValueId>,
    participants: Vec<(u8, ObjectIndex)>,
}

#[derive(Debug, Default)]
struct Thread<'t> {
    frames: Vec<Frame<'t>>,
    test: Option<u32>,
    /// What the test that runs here has called so far.
    carved: Option<OpenTest>,
}

/// Turns the events of one file into histories.
pub(crate) struct Recorder<'a, 't> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    values: &'a mut Values,
    statistics: &'a mut Statistics,
    /// Histories per class so far, those of earlier files included.
    counts: &'a mut Table<ClassId, u32>,
    carver: &'a mut Carver,
    time: u64,
    methods: Vec<Option<MethodFacts>>,
    threads: Vec<Thread<'t>>,
    places: Places,
    objects: Vec<ObjectHistory>,
    /// Objects used by each test, by its number.
    used: Vec<Vec<ObjectIndex>>,
    /// Ended frames, for their memory.
    spare: Vec<Frame<'t>>,
    /// Calls added to histories so far.
    added: u64,
    latest_test: Option<u32>,
    classes: Table<Arc<str>, Option<ClassId>>,
}

impl<'a, 't> Recorder<'a, 't> {
    pub fn new(
        program: &'a Program,
        is_pure: &'a dyn Fn(MethodId) -> bool,
        values: &'a mut Values,
        statistics: &'a mut Statistics,
        counts: &'a mut Table<ClassId, u32>,
        carver: &'a mut Carver,
    ) -> Self {
        Recorder {
            program,
            is_pure,
            values,
            statistics,
            counts,
            carver,
            time: 0,
            methods: Vec::new(),
            threads: Vec::new(),
            places: Places::default(),
            objects: Vec::new(),
            used: Vec::new(),
            spare: Vec::new(),
            added: 0,
            latest_test: None,
            classes: Table::default(),
        }
    }

    /// Takes in the next event without its values, where they make no difference.
    pub fn skim(&mut self, methods: &[TraceMethod], raw: &RawEvent<'t>) -> Skim<'t> {
        match raw.kind {
            RawKind::Enter(method) => {
                self.learn_methods(methods);
                let facts = self.methods[method as usize];
                if facts.is_none_or(|facts| facts.needs_values || facts.constructs.is_some()) {
                    return Skim::Decode;
                }
                self.statistics.calls += 1;
                let mut frame = self.spare.pop().unwrap_or_default();
                frame.skimmed = Some(*raw);
                frame.method = method;
                frame.enter = self.time + 1;
                frame.added = self.added;
                let thread = self.thread(raw.thread);
                thread.frames.push(frame);
                if let Some(test) = &mut thread.carved {
                    test.run(method, facts.map(|facts| facts.id));
                }
            }
            RawKind::Exit => {
                let added = self.added;
                let frames = &mut self.thread(raw.thread).frames;
                let Some(frame) = frames.pop_if(|frame| frame.skimmed.is_some()) else {
                    return Skim::Decode;
                };
                // Only what a pure call left in histories is to be taken out again.
                let facts = self.methods[frame.method as usize];
                let is_pure = facts.is_some_and(|facts| facts.keep == Keep::Creations);
                if let Some(enter) = frame.skimmed
                    && is_pure
                    && frame.added != added
                {
                    self.thread(raw.thread).frames.push(frame);
                    return Skim::Recall(enter);
                }
                self.spare.push(frame);
            }
            RawKind::Throw => self.throw(raw.thread),
            RawKind::TestStart | RawKind::TestEnd | RawKind::Capped => return Skim::Decode,
        }
        self.time += 1;
        Skim::Taken
    }

    /// Ends the innermost call of a thread, a pure one, whose values are known only now.
    pub fn recall(&mut self, enter: &TraceEvent) {
        let TraceEvent::Enter {
            thread,
            receiver,
            arguments,
            ..
        } = enter
        else {
            return;
        };
        self.time += 1;
        let Some(mut frame) = self.thread(*thread).frames.pop() else {
            return;
        };
        frame.participants.clear();
        for value in receiver.iter().chain(arguments) {
            // The position does not matter for a call that is not kept.
            let index = self.object(*thread, value);
            frame.participants.extend(index.map(|index| (1, index)));
        }
        self.complete(*thread, &frame, None);
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

    /// Takes in the next event; `methods` names the methods of the file met so far.
    pub fn event(&mut self, methods: &[TraceMethod], event: &TraceEvent) {
        self.time += 1;
        match event {
            TraceEvent::Enter {
                thread,
                method,
                receiver,
                arguments,
            } => {
                self.learn_methods(methods);
                self.enter(*thread, *method, receiver.as_ref(), arguments);
            }
            TraceEvent::Exit { thread, result } => self.exit(*thread, result.as_ref()),
            TraceEvent::Throw { thread, .. } => self.throw(*thread),
            TraceEvent::TestStart { thread, .. } => {
                let test = self.used.len() as u32;
                self.used.push(Vec::new());
                self.latest_test = Some(test);
                self.statistics.tests += 1;
                let start = self.time;
                let thread = self.thread(*thread);
                thread.frames.clear();
                thread.test = Some(test);
                thread.carved = Some(OpenTest::new(start));
            }
            TraceEvent::TestEnd { thread, failed } => self.end_test(*thread, *failed),
            TraceEvent::Capped { objects } => {
                for &id in objects {
                    let index = self.places.get(id);
                    match index {
                        Some(index) => self.leave_out(index, LeftOut::Capped),
                        None => self.places.bar(id),
                    }
                }
            }
        }
    }

    /// The histories that can be used, in the order of object ids, and for every object of the file its place in them.
    pub fn finish(mut self) -> Histories {
        let mut order: Vec<ObjectIndex> = Vec::new();
        for (index, object) in self.objects.iter_mut().enumerate() {
            match object.left_out {
                Some(LeftOut::Capped) => self.statistics.dropped_capped += 1,
                Some(LeftOut::FailedTest) => self.statistics.dropped_failed_test += 1,
                None if object.calls.is_empty() => {}
                None => {
                    object.calls.sort_by_key(|call| call.enter);
                    if object.calls[0].label.roles.is_creation() {
                        order.push(index as ObjectIndex);
                        continue;
                    }
                    self.statistics.dropped_unseen_creation += 1;
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

    fn thread(&mut self, thread: u32) -> &mut Thread<'t> {
        let thread = thread as usize;
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    fn learn_methods(&mut self, methods: &[TraceMethod]) {
        for method in &methods[self.methods.len()..] {
            let class = self.program.class_named(&method.class);
            let id = class.and_then(|class| {
                self.program
                    .declared_method(class, &method.name, &method.descriptor)
            });
            let facts = id.map(|id| {
                let method = self.program.method(id);
                let access = method.access;
                let keep = if access.is_private() || access.is_synthetic() || access.is_bridge() {
                    Keep::None
                } else if (self.is_pure)(id) {
                    Keep::Creations
                } else {
                    Keep::All
                };
                let constructs = (&*method.name == "<init>").then_some(method.class);
                let may_create = constructs.is_some() || method.method_type.returns.is_reference();
                MethodFacts {
                    id,
                    keep,
                    has_receiver: !access.is_static() && constructs.is_none(),
                    constructs,
                    needs_values: keep == Keep::All || (keep == Keep::Creations && may_create),
                }
            });
            self.methods.push(facts);
        }
    }

    fn enter(
        &mut self,
        thread: u32,
        method: u32,
        receiver: Option<&TraceValue>,
        arguments: &[TraceValue],
    ) {
        self.statistics.calls += 1;
        let mut frame = self.spare.pop().unwrap_or_default();
        frame.values.clear();
        frame.participants.clear();
        let first = receiver.map(|value| (1, value));
        // A method has at most 255 parameters, but roles have 62 bits; the JDK itself stays far below.
        let rest = arguments
            .iter()
            .enumerate()
            .map(|(index, value)| (index as u64 + 2, value));
        let facts = self.methods.get(method as usize).copied().flatten();
        let needs_values = facts.is_some_and(|facts| facts.needs_values);
        let at = self.thread(thread);
        let is_outermost = at.frames.is_empty();
        let carved = at.carved.as_mut();
        let is_carved = carved.is_some_and(|test| {
            test.run(method, facts.map(|facts| facts.id));
            is_outermost && needs_values && !test.is_full()
        });
        let mut slots = Vec::new();
        for (position, value) in first.into_iter().chain(rest) {
            if needs_values {
                let method = facts.expect("known where its values are needed").id;
                frame
                    .values
                    .push(self.values.id(self.program, method, value));
            }
            let index = self.object(thread, value);
            if let (true, Some(&id)) = (is_carved, frame.values.last()) {
                let slot = match (index, value) {
                    (Some(index), _) => Slot::Object(index, id),
                    (None, TraceValue::Array { .. }) => self.array(facts, value, id),
                    _ => Slot::Other(id),
                };
                slots.push(slot);
            }
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
        frame.skimmed = None;
        frame.method = method;
        frame.enter = self.time;
        self.thread(thread).frames.push(frame);
    }

    fn exit(&mut self, thread: u32, result: Option<&TraceValue>) {
        let result = result.and_then(|value| self.object(thread, value));
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

    /// An array that a test passes: element by element, if it was seen whole and holds objects.
    fn array(&mut self, facts: Option<MethodFacts>, value: &TraceValue, id: ValueId) -> Slot {
        let TraceValue::Array {
            length, elements, ..
        } = value
        else {
            return Slot::Other(id);
        };
        let is_object = |element: &TraceValue| matches!(element, TraceValue::Object { .. });
        let Some(facts) =
            facts.filter(|_| elements.len() == *length as usize && elements.iter().any(is_object))
        else {
            return Slot::Other(id);
        };
        let slots = elements.iter().map(|element| {
            let id = self.values.id(self.program, facts.id, element);
            // To stand in an array is no use of an object that a history would tell.
            let known = match element {
                TraceValue::Object { id, .. } => self.places.get(*id),
                _ => None,
            };
            known.map_or(Slot::Other(id), |index| Slot::Object(index, id))
        });
        Slot::Array(id, slots.collect())
    }

    /// Adds a call that returned to the histories of all who took part.
    fn complete(&mut self, thread: u32, frame: &Frame<'_>, result: Option<ObjectIndex>) {
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
            }
        }
    }

    /// Adds a completed call to the history of one of its participants.
    fn add(
        &mut self,
        thread: u32,
        frame: &Frame<'_>,
        method: MethodFacts,
        index: ObjectIndex,
        roles: RoleSet,
    ) {
        let object = &mut self.objects[index as usize];
        let Some(children) = object.take_nested(frame.enter, thread) else {
            return;
        };
        if method.keep == Keep::Creations && !roles.is_creation() {
            return;
        }
        let mut values = frame.values.clone();
        let receiver = usize::from(method.has_receiver);
        let mut others = Vec::new();
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
            thread,
            call: self.values.call(method.id, &values),
            others: others.into(),
            children,
            depth: 0,
            edge: 0,
            observation: None,
        });
        self.added += u64::from(is_added);
    }

    /// The object behind a value, if its class has a model.
    fn object(&mut self, thread: u32, value: &TraceValue) -> Option<ObjectIndex> {
        let TraceValue::Object { id, class, .. } = value else {
            return None;
        };
        let index = match self.places.get(*id) {
            Some(index) => index,
            None if self.places.is_ignored(*id) => return None,
            None => self.new_object(*id, class)?,
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

    fn new_object(&mut self, id: u64, class: &Arc<str>) -> Option<ObjectIndex> {
        let found = if let Some(&found) = self.classes.get(class) {
            found
        } else {
            let found = self.program.class_named(class);
            let found = found.filter(|&id| self.program.class(id).origin == Origin::Subject);
            self.classes.insert(Arc::clone(class), found);
            found
        };
        let class = found?;
        let index = self.objects.len() as ObjectIndex;
        let left_out = self.places.is_barred(id).then_some(LeftOut::Capped);
        if left_out.is_none() {
            let count = self.counts.entry(class).or_default();
            let is_full = self.added >= MANY_CALLS && *count >= FEW_OBJECTS;
            if is_full || *count >= MAXIMUM_OBJECTS {
                self.statistics.dropped_too_many += 1;
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
