//! What sets a field of an object, and what gives it: methods, constructors and factories, each with a score.
//!
//! Comes in: the class of an object and one of its fields. Goes out: [`Setter`]s and [`Getter`]s that tests may call.
//! A setter stores into the field, itself or through methods of the same object that it calls; what adds to a collection
//! or array that the field holds counts too, by the names of the JDK's methods and by what the program's own do. Its score is, over the ways from its start to the store, the greatest number
//! of parameters that the stored value depends on times the mean share of each method's branches that let the way go on.
//! Lin, Ong, Sun, Fraser, Dong, "Graph-based seed object synthesis for search-based unit testing", ESEC/FSE 2021,
//! section 4.3.
//! Does not know: which setter is taken.
//!
//! ```java
//! private int f;
//! void m1(A a, B b) { if (a != null) m2(a); m3(b); }   // m1 m2 m3: 1 * (1/2 + 1 + 1) / 3; m1 m3: 1 * (1 + 1) / 2
//! void m2(A a) { m3(a.getB()); }                       // m2 m3: 1
//! void m3(B b) { this.f = b.getF(); }                  // m3: 1
//! void m4() { this.f = 7; }                            // m4: 0, no parameter is stored
//! ```

#[cfg(test)]
mod tests;

use crate::control_flow::EdgeKind;
use crate::data_dependence::Source;
use crate::platform;
use crate::slice::{Bodies, Body};
use palus_bytecode::{ClassId, FieldId, InvokeKind, MethodId, Operation, Origin, Program, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Calls on the same object are followed no deeper than this.
const DEEPEST: usize = 3;
/// Bodies that are looked into on all ways from one method.
const MOST_BODIES: usize = 100;
/// Methods that are asked what they put into a field or an array, at most.
const MOST_TAKEN: usize = 2_000;

/// How a setter is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetterKind {
    /// A constructor of the object's class.
    Constructor,
    /// A method of the object.
    Method,
    /// A static method that makes the object.
    Factory,
}

/// What a setter does to the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// Stores a value.
    Stores,
    /// Puts something into the collection, map or array that the field holds.
    Fills,
}

/// A way to set a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Setter {
    /// What to call.
    pub method: MethodId,
    /// How.
    pub kind: SetterKind,
    /// What it does.
    pub effect: Effect,
    /// The parameters that what is stored depends on, ascending.
    pub parameters: Vec<u32>,
    /// The parameter that is stored as it is, if one is.
    pub stored: Option<u32>,
    /// How good it is.
    pub score: f64,
}

/// A way to get a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Getter {
    /// What to call; it has no parameters.
    pub method: MethodId,
    /// How good it is.
    pub score: f64,
}

/// Setters and getters on demand; each question is answered once.
#[derive(Debug)]
pub struct Setters<'a> {
    bodies: Bodies<'a>,
    package: String,
    setting: BTreeMap<(ClassId, FieldId), Arc<[Setter]>>,
    getting: BTreeMap<(ClassId, FieldId), Arc<[Getter]>>,
    /// Per method: the parameters that it puts into a field or an array.
    taken: BTreeMap<MethodId, Arc<[u32]>>,
}

/// One way from a method to a store.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    effect: Effect,
    parameters: BTreeSet<u32>,
    stored: Option<u32>,
    methods: u32,
    comps: f64,
}

impl Way {
    fn score(&self) -> f64 {
        f64::from(self.parameters.len() as u32) * self.comps / f64::from(self.methods)
    }
}

impl<'a> Setters<'a> {
    /// For tests in a package (internal form).
    pub fn new(program: &'a Program, package: &str) -> Self {
        Setters {
            bodies: Bodies::new(program),
            package: package.to_owned(),
            setting: BTreeMap::new(),
            getting: BTreeMap::new(),
            taken: BTreeMap::new(),
        }
    }

    /// What sets a field of objects of a class: constructors, then methods, then factories, each in class-file order.
    pub fn setters(&mut self, class: ClassId, field: FieldId) -> Arc<[Setter]> {
        if let Some(known) = self.setting.get(&(class, field)) {
            return Arc::clone(known);
        }
        let program = self.bodies.program;
        let mut found = Vec::new();
        for (method, kind) in self.callable(class, field) {
            let start = program.method(method);
            let accepted = match kind {
                SetterKind::Factory => {
                    program.is_assignable(&start.method_type.returns, &class_type(program, class))
                }
                _ => true,
            };
            if !accepted {
                continue;
            }
            let ways = self.ways(class, field, method);
            let best = ways
                .into_iter()
                .max_by(|left, right| order(left).total_cmp(&order(right)));
            if let Some(best) = best {
                found.push(Setter {
                    method,
                    kind,
                    effect: best.effect,
                    score: best.score(),
                    stored: best.stored,
                    parameters: best.parameters.into_iter().collect(),
                });
            }
        }
        found.sort_by_key(|setter| setter.kind);
        let found: Arc<[Setter]> = found.into();
        self.setting.insert((class, field), Arc::clone(&found));
        found
    }

    /// What gives a field of objects of a class.
    pub fn getters(&mut self, class: ClassId, field: FieldId) -> Arc<[Getter]> {
        if let Some(known) = self.getting.get(&(class, field)) {
            return Arc::clone(known);
        }
        let program = self.bodies.program;
        let wanted = &program.field(field).field_type;
        let mut found = Vec::new();
        for (method, kind) in self.callable(class, field) {
            let declared = program.method(method);
            if kind == SetterKind::Method
                && declared.method_type.parameters.is_empty()
                && program.is_assignable(&declared.method_type.returns, wanted)
            {
                let comp = self.gives(class, field, method, &mut vec![method]);
                found.extend(comp.map(|(sum, methods)| Getter {
                    method,
                    score: sum / f64::from(methods),
                }));
            }
        }
        let found: Arc<[Getter]> = found.into();
        self.getting.insert((class, field), Arc::clone(&found));
        found
    }

    /// What tests may call that has the object at hand, in class-file order.
    fn callable(&self, class: ClassId, field: FieldId) -> Vec<(MethodId, SetterKind)> {
        let program = self.bodies.program;
        let is_static = program.field(field).access.is_static();
        let mut found = Vec::new();
        let mut hidden: BTreeSet<(&str, &str)> = BTreeSet::new();
        for owner in program.supertypes(class) {
            if program.class(owner).origin == Origin::Platform {
                continue;
            }
            for &id in &program.class(owner).methods {
                let method = program.method(id);
                let is_constructor = method.is_constructor();
                let kind = if is_constructor {
                    SetterKind::Constructor
                } else if method.access.is_static() && !is_static {
                    SetterKind::Factory
                } else {
                    SetterKind::Method
                };
                let is_own = owner == class || kind == SetterKind::Method;
                if is_own
                    && method.code.is_some()
                    && (!is_static || method.access.is_static())
                    && !method.access.is_bridge()
                    && program.is_method_accessible(id, &self.package)
                    && (is_constructor || hidden.insert((&method.name, &method.descriptor)))
                {
                    found.push((id, kind));
                }
            }
        }
        found
    }

    /// All ways from a method to a store into the field.
    fn ways(&mut self, class: ClassId, field: FieldId, start: MethodId) -> Vec<Way> {
        let mut found = Vec::new();
        let mut left = MOST_BODIES;
        self.follow(class, field, &mut vec![start], &mut left, &mut found);
        found
    }

    fn follow(
        &mut self,
        class: ClassId,
        field: FieldId,
        stack: &mut Vec<MethodId>,
        left: &mut usize,
        found: &mut Vec<Way>,
    ) {
        let program = self.bodies.program;
        let &method = stack.last().expect("a way starts with a method");
        *left = left.saturating_sub(1);
        let (Some(body), Some(code)) = (self.bodies.body(method), &program.method(method).code)
        else {
            return;
        };
        let view = View {
            program,
            method,
            body: &body,
            class,
            field,
        };
        for (index, instruction) in code.instructions.iter().enumerate() {
            let index = index as u32;
            let operation = &instruction.operation;
            let effect = view.effect(index, operation);
            let effect = effect.or_else(|| {
                let callee = view.called_on_what_is_held(index, operation)?;
                let taken = self.taken_in(callee);
                let operands = taken.iter().map(|parameter| *parameter as usize + 1);
                (!taken.is_empty()).then(|| (Effect::Fills, operands.collect()))
            });
            if let Some((effect, operands)) = effect {
                let mut parameters = BTreeSet::new();
                let mut stored = None;
                for operand in operands {
                    let sources = body.data.operands(index).get(operand);
                    let sources = sources.map_or(&[][..], Vec::as_slice);
                    parameters.extend(view.parameters(sources));
                    stored = stored.or(view.copied(sources));
                }
                found.push(Way {
                    effect,
                    parameters,
                    stored,
                    methods: 1,
                    comps: view.comp(index),
                });
            }
            if stack.len() > DEEPEST || *left == 0 {
                continue;
            }
            let Some(callee) = view.same_object_call(index, operation) else {
                continue;
            };
            if stack.contains(&callee) {
                continue;
            }
            stack.push(callee);
            let mut inner = Vec::new();
            self.follow(class, field, stack, left, &mut inner);
            stack.pop();
            let receiver = usize::from(!program.method(callee).access.is_static());
            let operands = body.data.operands(index);
            for way in inner {
                let at = |parameter: u32| {
                    operands
                        .get(parameter as usize + receiver)
                        .map_or(&[][..], Vec::as_slice)
                };
                let parameters = way.parameters.iter();
                found.push(Way {
                    effect: way.effect,
                    parameters: parameters
                        .flat_map(|&parameter| view.parameters(at(parameter)))
                        .collect(),
                    stored: way.stored.and_then(|parameter| view.copied(at(parameter))),
                    methods: way.methods + 1,
                    comps: way.comps + view.comp(index),
                });
            }
        }
    }

    /// The parameters of a method that its body, or a method of the same object that it calls with them, puts into a field
    /// or an array: what fills a collection of the program's own, whatever its name.
    fn taken_in(&mut self, method: MethodId) -> Arc<[u32]> {
        if let Some(known) = self.taken.get(&method) {
            return Arc::clone(known);
        }
        // A method that calls itself adds nothing to what is found without that call.
        self.taken.insert(method, Arc::from([]));
        let program = self.bodies.program;
        let mut found = BTreeSet::new();
        let declared = program.method(method);
        if let (Some(body), Some(code)) = (self.bodies.body(method), &declared.code) {
            for (index, instruction) in code.instructions.iter().enumerate() {
                let operands = body.data.operands(index as u32);
                let stored: Vec<&[Source]> = match &instruction.operation {
                    Operation::ArrayStore => {
                        operands.get(2).map(Vec::as_slice).into_iter().collect()
                    }
                    Operation::PutField {
                        is_static: false, ..
                    } => operands.get(1).map(Vec::as_slice).into_iter().collect(),
                    Operation::Invoke { kind, method } if *kind != InvokeKind::Static => {
                        let callee = program.resolve_method(method);
                        let callee = callee.filter(|_| self.taken.len() < MOST_TAKEN);
                        let taken = callee.map(|callee| self.taken_in(callee));
                        let taken = taken.iter().flat_map(|taken| taken.iter());
                        taken
                            .filter_map(|&parameter| operands.get(parameter as usize + 1))
                            .map(Vec::as_slice)
                            .collect()
                    }
                    _ => continue,
                };
                let view = View {
                    program,
                    method,
                    body: &body,
                    class: declared.class,
                    field: FieldId(0),
                };
                found.extend(
                    stored
                        .into_iter()
                        .filter_map(|sources| view.copied(sources)),
                );
            }
        }
        let found: Arc<[u32]> = found.into_iter().collect();
        self.taken.insert(method, Arc::clone(&found));
        found
    }

    /// The sum of shares and number of methods on the best way from a method to a return of the field.
    fn gives(
        &mut self,
        class: ClassId,
        field: FieldId,
        method: MethodId,
        stack: &mut Vec<MethodId>,
    ) -> Option<(f64, u32)> {
        let program = self.bodies.program;
        let body = self.bodies.body(method)?;
        let code = program.method(method).code.as_ref()?;
        let view = View {
            program,
            method,
            body: &body,
            class,
            field,
        };
        let mut best: Option<(f64, u32)> = None;
        for (index, instruction) in code.instructions.iter().enumerate() {
            if instruction.operation != (Operation::Return { value: true }) {
                continue;
            }
            let index = index as u32;
            let Some(sources) = body.data.operands(index).first() else {
                continue;
            };
            for source in view.behind(sources) {
                let operation = &code.instructions[source as usize].operation;
                let found = if view.reads(source, operation) {
                    Some((view.comp(index), 1))
                } else if stack.len() <= DEEPEST
                    && let Some(callee) = view.same_object_call(source, operation)
                    && !stack.contains(&callee)
                {
                    stack.push(callee);
                    let inner = self.gives(class, field, callee, stack);
                    stack.pop();
                    inner.map(|(sum, methods)| (sum + view.comp(source), methods + 1))
                } else {
                    None
                };
                let mean = |(sum, methods): (f64, u32)| sum / f64::from(methods);
                if let Some(found) = found
                    && best.is_none_or(|best| mean(found) > mean(best))
                {
                    best = Some(found);
                }
            }
        }
        best
    }
}

/// Ways by score; of equal ones those that store, and then those that store a parameter as it is.
fn order(way: &Way) -> f64 {
    let stores = if way.effect == Effect::Stores {
        2e-6
    } else {
        0.0
    };
    way.score() + stores + if way.stored.is_some() { 1e-6 } else { 0.0 }
}

fn class_type(program: &Program, class: ClassId) -> Type {
    Type::Object(Arc::clone(&program.class(class).name))
}

/// One body, asked about one field of objects of one class.
struct View<'a, 'b> {
    program: &'a Program,
    method: MethodId,
    body: &'b Body,
    class: ClassId,
    field: FieldId,
}

impl<'a> View<'a, '_> {
    fn operation(&self, instruction: u32) -> &'a Operation {
        let code = self.program.method(self.method).code.as_ref();
        &code.expect("a body has code").instructions[instruction as usize].operation
    }

    /// What an instruction does to the field, and which of its operands say with what.
    fn effect(&self, index: u32, operation: &Operation) -> Option<(Effect, Vec<usize>)> {
        let operands = self.body.data.operands(index);
        match operation {
            Operation::PutField { is_static, .. } if self.is_field(operation) => {
                if *is_static {
                    return Some((Effect::Stores, vec![0]));
                }
                let object = operands.first()?;
                self.is_self(object).then(|| (Effect::Stores, vec![1]))
            }
            Operation::ArrayStore => {
                let array = operands.first()?;
                self.holds(array).then(|| (Effect::Fills, vec![2]))
            }
            Operation::Invoke { kind, method } if *kind != InvokeKind::Static => {
                let receiver = operands.first()?;
                let fills = platform::fills(&method.name) && self.holds(receiver);
                fills.then(|| (Effect::Fills, (1..operands.len()).collect()))
            }
            _ => None,
        }
    }

    /// The method with code that an instruction calls on what the field holds.
    fn called_on_what_is_held(&self, index: u32, operation: &Operation) -> Option<MethodId> {
        let Operation::Invoke { kind, method } = operation else {
            return None;
        };
        let receiver = self.body.data.operands(index).first()?;
        if *kind == InvokeKind::Static || method.is_constructor() || !self.holds(receiver) {
            return None;
        }
        let callee = self.program.method(self.program.resolve_method(method)?);
        (callee.code.is_some() && self.program.class(callee.class).origin != Origin::Platform)
            .then_some(callee.id)
    }

    fn is_field(&self, operation: &Operation) -> bool {
        let (Operation::GetField { field, .. } | Operation::PutField { field, .. }) = operation
        else {
            return false;
        };
        self.program.resolve_field(field) == Some(self.field)
    }

    /// True if an instruction reads the field of the object itself.
    fn reads(&self, index: u32, operation: &Operation) -> bool {
        let Operation::GetField { is_static, .. } = operation else {
            return false;
        };
        let object = self.body.data.operands(index).first();
        self.is_field(operation)
            && (*is_static || object.is_some_and(|object| self.is_self(object)))
    }

    /// True if a value is what the field holds.
    fn holds(&self, sources: &[Source]) -> bool {
        self.behind(sources).into_iter().any(|source| {
            let operation = self.operation(source);
            self.reads(source, operation)
        })
    }

    /// True if a value is the object itself: the receiver, or what a factory makes.
    fn is_self(&self, sources: &[Source]) -> bool {
        let method = self.program.method(self.method);
        if !method.access.is_static() {
            return self.origins(sources).contains(&Source::Parameter(0));
        }
        self.origins(sources).into_iter().any(|source| {
            let Source::Instruction(at) = source else {
                return false;
            };
            let Operation::New(name) = self.operation(at) else {
                return false;
            };
            let made = self.program.class_named(name);
            made.is_some_and(|made| self.program.is_subclass(made, self.class))
        })
    }

    /// Where copies of a value were first made.
    fn origins(&self, sources: &[Source]) -> BTreeSet<Source> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = sources.to_vec();
        while let Some(source) = open.pop() {
            if !seen.insert(source) {
                continue;
            }
            match source {
                Source::Instruction(at)
                    if matches!(
                        self.operation(at),
                        Operation::Load { .. } | Operation::Store { .. } | Operation::Cast(_)
                    ) =>
                {
                    open.extend(self.body.data.operands(at).iter().flatten());
                }
                _ => {
                    found.insert(source);
                }
            }
        }
        found
    }

    /// The same as instructions.
    fn behind(&self, sources: &[Source]) -> Vec<u32> {
        let origins = self.origins(sources).into_iter();
        origins
            .filter_map(|source| match source {
                Source::Instruction(at) => Some(at),
                _ => None,
            })
            .collect()
    }

    /// The declared parameter a value is, if it is one and nothing else.
    fn copied(&self, sources: &[Source]) -> Option<u32> {
        let origins: Vec<Source> = self.origins(sources).into_iter().collect();
        match origins[..] {
            [Source::Parameter(number)] => self.declared(number),
            _ => None,
        }
    }

    fn declared(&self, number: u32) -> Option<u32> {
        if self.program.method(self.method).access.is_static() {
            Some(number)
        } else {
            number.checked_sub(1)
        }
    }

    /// The declared parameters a value depends on.
    fn parameters(&self, sources: &[Source]) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::new();
        let mut open = sources.to_vec();
        while let Some(source) = open.pop() {
            if !seen.insert(source) {
                continue;
            }
            match source {
                Source::Instruction(at) => {
                    open.extend(self.body.data.operands(at).iter().flatten());
                }
                Source::Parameter(number) => found.extend(self.declared(number)),
                Source::Caught => {}
            }
        }
        found
    }

    /// The method of the same object that an instruction calls.
    fn same_object_call(&self, index: u32, operation: &Operation) -> Option<MethodId> {
        let Operation::Invoke { kind, method } = operation else {
            return None;
        };
        let (name, descriptor) = (&method.name, &method.descriptor);
        let owner = self.program.class_named(&method.owner)?;
        if *kind == InvokeKind::Static {
            let callee = self.program.find_method(owner, name, descriptor)?;
            let is_static = self.program.field(self.field).access.is_static();
            return (is_static && self.program.method(callee).code.is_some()).then_some(callee);
        }
        if !self.is_self(self.body.data.operands(index).first()?) {
            return None;
        }
        let from = match kind {
            InvokeKind::Special => owner,
            _ if self.program.is_subclass(self.class, owner) => self.class,
            _ => owner,
        };
        self.program.find_method(from, name, descriptor)
    }

    /// The share of the body's branches from which an instruction is reached; 1 without branches.
    fn comp(&self, index: u32) -> f64 {
        let flow = self.body.control.flow();
        let at = flow.block(index);
        let leading = flow.leading_to(at);
        let (mut all, mut reaching) = (0_u32, 0_u32);
        for block in 0..flow.exit() {
            for edge in flow.edges(block) {
                if matches!(edge.kind, EdgeKind::Outcome { .. }) {
                    all += 1;
                    reaching += u32::from(leading[edge.to as usize]);
                }
            }
        }
        if all == 0 {
            1.0
        } else {
            f64::from(reaching) / f64::from(all)
        }
    }
}
