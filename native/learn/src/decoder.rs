//! From the bytes of a trace file to steps: what recording needs of each event, without names, texts or other values.
//!
//! Comes in: a trace reader, the program, and which methods are pure. Goes out: [`Batch`]es of [`Step`]s, values as
//! numbers (see `values.rs`).
//! Does not know: histories; which objects are kept.
//!
//! Values of calls that no history can hold are left out, and of the pure ones among them only the objects stay.
//! Nothing that happens here depends on what recording does with a batch, so the next batch is decoded meanwhile.

use crate::table::Table;
use crate::values::{VALUE_NOT_KEPT, ValueClass, ValueId, Values};
use palus_bytecode::{Access, ClassId, MethodId, Origin, Program};
use palus_wire::WireError;
use palus_wire::trace::{RawEvent, RawKind, RawValue, TraceEvent, TraceReader, TraceValue};
use std::sync::Arc;

/// Events in a batch: enough to make handing it over cheap, few enough to stay in a cache.
const BATCH: usize = 1 << 14;

/// Which calls of a method belong into histories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// None: private, or made by the compiler.
    None,
    /// Those that create the object, as they change nothing else.
    Creations,
    All,
}

/// What the program says of a method of the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MethodFacts {
    pub id: MethodId,
    pub keep: Keep,
    pub has_receiver: bool,
    pub is_static: bool,
    /// The class whose objects it makes, if it is a constructor.
    pub constructs: Option<ClassId>,
    /// False where no history can hold a call, nor is it static, so that its values need not even be decoded.
    pub needs_values: bool,
}

/// What an event does to the calls of its thread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    /// A call began; the next operands are its receiver and arguments.
    Enter {
        thread: u32,
        method: u32,
        operands: u32,
    },
    /// A call began that no history holds; the next operands are the objects that take part, if the method is pure.
    Pass {
        thread: u32,
        method: u32,
        operands: u32,
    },
    /// The innermost call returned; the next operand is the object that it returned, if it did.
    Exit {
        thread: u32,
        has_object: bool,
    },
    /// The innermost call returned, one that began with `Pass`.
    ExitPassed {
        thread: u32,
    },
    /// The innermost call threw.
    Throw {
        thread: u32,
    },
    TestStart {
        thread: u32,
    },
    TestEnd {
        thread: u32,
        failed: bool,
    },
    /// So many of the next capped objects are no longer recorded.
    Capped {
        objects: usize,
    },
}

/// A receiver, argument or result; [`VALUE_NOT_KEPT`] where the number of the value makes no difference.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    /// An object of a subject class, by its identity.
    Object {
        id: u64,
        class: ClassId,
        value: ValueId,
    },
    /// An array of objects that a test passes, seen whole; so many of the next operands are its elements.
    Array {
        value: ValueId,
        elements: u32,
    },
    Other(ValueId),
}

/// Some events in a row.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    pub steps: Vec<Step>,
    /// Those of all steps.
    pub operands: Vec<Operand>,
    /// Identities of all `Capped` steps.
    pub capped: Vec<u64>,
    /// Methods of the file that were met for the first time, in the order of their numbers.
    pub methods: Vec<Option<MethodFacts>>,
}

impl Batch {
    fn clear(&mut self) {
        self.steps.clear();
        self.operands.clear();
        self.capped.clear();
        self.methods.clear();
    }
}

/// What has to be known of a thread to tell which of its values are needed.
#[derive(Debug, Default)]
struct Thread {
    /// Per open call: true if it began with `Pass`.
    passed: Vec<bool>,
    in_test: bool,
}

/// A class of the file.
#[derive(Clone, Copy, Debug)]
struct FileClass {
    value_class: ValueClass,
    /// Itself, if it is a subject class.
    subject: Option<ClassId>,
}

/// Decodes one file.
pub(crate) struct Decoder<'a, 'r, 't> {
    program: &'a Program,
    is_pure: &'a (dyn Fn(MethodId) -> bool + Sync),
    values: &'a mut Values,
    reader: &'r mut TraceReader<'t>,
    methods: Vec<Option<MethodFacts>>,
    threads: Vec<Thread>,
    /// By the numbers of the file.
    classes: Vec<Option<FileClass>>,
    subjects: Table<Arc<str>, Option<ClassId>>,
}

impl<'a, 'r, 't> Decoder<'a, 'r, 't> {
    pub fn new(
        program: &'a Program,
        is_pure: &'a (dyn Fn(MethodId) -> bool + Sync),
        values: &'a mut Values,
        reader: &'r mut TraceReader<'t>,
    ) -> Self {
        Decoder {
            program,
            is_pure,
            values,
            reader,
            methods: Vec::new(),
            threads: Vec::new(),
            classes: Vec::new(),
            subjects: Table::default(),
        }
    }

    /// Fills a batch with the next events; none are left where it stays empty.
    ///
    /// # Errors
    /// [`WireError`] where the file breaks its format; what stands before that is in the batch.
    pub fn fill(&mut self, batch: &mut Batch) -> Result<(), WireError> {
        batch.clear();
        while batch.steps.len() < BATCH {
            let Some(raw) = self.reader.next_raw()? else {
                break;
            };
            let step = self.step(&raw, batch)?;
            batch.steps.push(step);
        }
        Ok(())
    }

    fn step(&mut self, raw: &RawEvent<'t>, batch: &mut Batch) -> Result<Step, WireError> {
        let thread = raw.thread;
        Ok(match raw.kind {
            RawKind::Enter(method) => {
                self.learn_methods(batch);
                let facts = self.methods[method as usize];
                let is_needed =
                    |facts: MethodFacts| facts.needs_values || facts.constructs.is_some();
                let is_passed = !facts.is_none_or(is_needed);
                let operands = if is_passed {
                    self.objects(raw, facts, batch)?
                } else {
                    self.operands(raw, facts, batch)?
                };
                self.thread(thread).passed.push(is_passed);
                if is_passed {
                    Step::Pass {
                        thread,
                        method,
                        operands,
                    }
                } else {
                    Step::Enter {
                        thread,
                        method,
                        operands,
                    }
                }
            }
            RawKind::Exit if self.thread(thread).passed.last() == Some(&true) => {
                self.thread(thread).passed.pop();
                Step::ExitPassed { thread }
            }
            RawKind::Exit => {
                let count = self.operands(raw, None, batch)?;
                self.thread(thread).passed.pop();
                let result = batch.operands.last().filter(|_| count > 0);
                let has_object = matches!(result, Some(Operand::Object { .. }));
                if count > 0 && !has_object {
                    batch.operands.pop();
                }
                Step::Exit { thread, has_object }
            }
            RawKind::Throw => {
                self.thread(thread).passed.pop();
                Step::Throw { thread }
            }
            RawKind::TestStart | RawKind::TestEnd | RawKind::Capped => {
                let event = self.reader.decode(raw)?;
                self.mark(thread, event, batch)
            }
        })
    }

    /// The step of an event that is no part of a call.
    fn mark(&mut self, thread: u32, event: TraceEvent, batch: &mut Batch) -> Step {
        if let TraceEvent::Capped { objects } = event {
            batch.capped.extend_from_slice(&objects);
            let objects = objects.len();
            return Step::Capped { objects };
        }
        let at = self.thread(thread);
        at.passed.clear();
        at.in_test = matches!(event, TraceEvent::TestStart { .. });
        match event {
            TraceEvent::TestEnd { failed, .. } => Step::TestEnd { thread, failed },
            _ => Step::TestStart { thread },
        }
    }

    fn thread(&mut self, thread: u32) -> &mut Thread {
        let thread = thread as usize;
        if thread >= self.threads.len() {
            self.threads.resize_with(thread + 1, Thread::default);
        }
        &mut self.threads[thread]
    }

    /// Adds the values of an event, as numbers where its method needs them, and returns how many they are.
    fn operands(
        &mut self,
        raw: &RawEvent<'t>,
        facts: Option<MethodFacts>,
        batch: &mut Batch,
    ) -> Result<u32, WireError> {
        let needed = facts.filter(|facts| facts.needs_values);
        let at = self.thread(raw.thread);
        let is_made_by_test = at.in_test && at.passed.is_empty();
        let mut values = self.reader.values(raw)?;
        let mut count = 0;
        while let Some(value) = values.next_value()? {
            count += 1;
            let operand = match value {
                RawValue::Object { id, class, profile } => {
                    let name = self.reader.class(class).expect("defined before its use");
                    let known = file_class(&mut self.classes, class, || FileClass {
                        value_class: self.values.class(name),
                        subject: subject(self.program, &mut self.subjects, name),
                    });
                    let value = needed.map_or(VALUE_NOT_KEPT, |facts| {
                        self.values.object(facts.id, known.value_class, profile)
                    });
                    match known.subject {
                        Some(class) => Operand::Object { id, class, value },
                        None => Operand::Other(value),
                    }
                }
                RawValue::Other(other) => {
                    let Some(facts) = needed else {
                        batch.operands.push(Operand::Other(VALUE_NOT_KEPT));
                        continue;
                    };
                    let value = self.values.id(self.program, facts.id, &other);
                    match whole_array_of_objects(&other).filter(|_| is_made_by_test) {
                        None => Operand::Other(value),
                        Some(elements) => {
                            batch.operands.push(Operand::Array {
                                value,
                                elements: elements.len() as u32,
                            });
                            for element in elements {
                                let value = self.values.id(self.program, facts.id, element);
                                batch.operands.push(element_operand(
                                    self.program,
                                    &mut self.subjects,
                                    element,
                                    value,
                                ));
                            }
                            continue;
                        }
                    }
                }
            };
            batch.operands.push(operand);
        }
        Ok(count)
    }

    /// Adds the objects that take part in a call of a pure method, and returns how many they are; none for others.
    fn objects(
        &mut self,
        raw: &RawEvent<'t>,
        facts: Option<MethodFacts>,
        batch: &mut Batch,
    ) -> Result<u32, WireError> {
        if facts.is_none_or(|facts| facts.keep != Keep::Creations) {
            return Ok(0);
        }
        let mut values = self.reader.values(raw)?;
        let mut count = 0;
        while let Some(value) = values.next_value()? {
            let RawValue::Object { id, class, .. } = value else {
                continue;
            };
            let name = self.reader.class(class).expect("defined before its use");
            let known = file_class(&mut self.classes, class, || FileClass {
                value_class: self.values.class(name),
                subject: subject(self.program, &mut self.subjects, name),
            });
            if let Some(class) = known.subject {
                count += 1;
                batch.operands.push(Operand::Object {
                    id,
                    class,
                    value: VALUE_NOT_KEPT,
                });
            }
        }
        Ok(count)
    }

    #[inline]
    fn learn_methods(&mut self, batch: &mut Batch) {
        let known = self.methods.len();
        if known == self.reader.methods().len() {
            return;
        }
        for method in &self.reader.methods()[known..] {
            let class = self.program.class_named(&method.class);
            let id = class.and_then(|class| {
                self.program
                    .declared_method(class, &method.name, &method.descriptor)
            });
            // One that became static, or no longer is, is another one.
            let is_static = Access(method.access).is_static();
            let id = id.filter(|&id| self.program.method(id).access.is_static() == is_static);
            self.methods.push(id.map(|id| self.facts(id)));
        }
        batch.methods.extend_from_slice(&self.methods[known..]);
    }

    fn facts(&self, id: MethodId) -> MethodFacts {
        let method = self.program.method(id);
        let access = method.access;
        let keep = if access.is_private() || access.is_synthetic() || access.is_bridge() {
            Keep::None
        } else if (self.is_pure)(id) {
            Keep::Creations
        } else {
            Keep::All
        };
        let constructs = method.is_constructor().then_some(method.class);
        let may_create = constructs.is_some() || method.method_type.returns.is_reference();
        MethodFacts {
            id,
            keep,
            has_receiver: !access.is_static() && constructs.is_none(),
            is_static: access.is_static(),
            constructs,
            needs_values: keep == Keep::All
                || (keep == Keep::Creations && (may_create || access.is_static())),
        }
    }
}

/// The class with a number, found out when it is met first.
#[inline]
fn file_class(
    classes: &mut Vec<Option<FileClass>>,
    number: u32,
    find: impl FnOnce() -> FileClass,
) -> FileClass {
    let number = number as usize;
    if number >= classes.len() {
        classes.resize(number + 1, None);
    }
    *classes[number].get_or_insert_with(find)
}

/// The subject class with a name.
fn subject(
    program: &Program,
    known: &mut Table<Arc<str>, Option<ClassId>>,
    name: &Arc<str>,
) -> Option<ClassId> {
    if let Some(&found) = known.get(name) {
        return found;
    }
    let found = program.class_named(name);
    let found = found.filter(|&id| program.class(id).origin == Origin::Subject);
    known.insert(Arc::clone(name), found);
    found
}

/// The elements of an array that was seen whole and holds an object.
fn whole_array_of_objects(value: &TraceValue) -> Option<&[TraceValue]> {
    let TraceValue::Array {
        length, elements, ..
    } = value
    else {
        return None;
    };
    let is_object = |element: &TraceValue| matches!(element, TraceValue::Object { .. });
    let is_whole = elements.len() == *length as usize && elements.iter().any(is_object);
    is_whole.then_some(elements)
}

/// An element of an array, whose number is known.
fn element_operand(
    program: &Program,
    subjects: &mut Table<Arc<str>, Option<ClassId>>,
    element: &TraceValue,
    value: ValueId,
) -> Operand {
    let TraceValue::Object { id, class, .. } = element else {
        return Operand::Other(value);
    };
    match subject(program, subjects, class) {
        Some(class) => Operand::Object {
            id: *id,
            class,
            value,
        },
        None => Operand::Other(value),
    }
}
