//! Backward slices of a branch over the interprocedural program dependence graph.
//!
//! Comes in: a branch of a method. Goes out: [`Slice`]: the instructions whose values the branch depends on, once per
//! call string, each with the instructions its operands come from. A value that a callee returns comes from what the
//! callee's returns give; a parameter of a callee comes from the argument at its call site, and so do its fields. A call of
//! a lambda that the code itself makes runs the lambda's body.
//! Lin, Ong, Sun, Fraser, Dong, "Graph-based seed object synthesis for search-based unit testing", ESEC/FSE 2021,
//! section 4.1.
//! Does not know: what objects are for (see `construction_graph.rs`), aliases through the heap.
//!
//! ```text
//! boolean old(Person p) {        aload p                    <- parameter 0 of old
//!   return p.age() > 60; }       invokevirtual age          <- aload p (receiver), age: getfield (returned)
//! class Person { int age() {       age: aload this          <- old: aload p
//!   return age; } }                age: getfield age        <- age: aload this
//! ```

use crate::call_graph::CallGraph;
use crate::control_dependence::ControlDependence;
use crate::data_dependence::{DataDependence, Source};
use palus_bytecode::{InvokeKind, MethodId, Operation, Program, TargetBranch};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Slices with more nodes are given up.
const MOST_NODES: usize = 5_000;
/// Slices that go into more calls are given up.
const MOST_CONTEXTS: usize = 1_000;

/// Loads and stores between the making of a lambda and its call are followed no further.
const LONGEST_HANDING_ON: usize = 16;

/// What a value does for the instruction that uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// The object whose field is read, or on which a method is called.
    Object,
    /// The array of which an element is read.
    Array,
    /// The element's index.
    Index,
    /// An argument of a call, by position.
    Argument(u32),
    /// What a callee returns as the result of the call.
    Returned,
    /// Any other operand.
    Operand,
}

/// What makes a value of the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Maker {
    /// A node of the slice.
    Node(usize),
    /// A parameter of the method itself, the receiver first.
    Parameter(u32),
}

/// A method within a call string.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    pub method: MethodId,
    /// The context and instruction of the call; none for the method of the branch.
    pub call: Option<(u32, u32)>,
    /// Of a lambda's body: the context and instruction that made the lambda, and how many values that captured.
    pub lambda: Option<(u32, u32, u32)>,
    pub depth: u32,
}

/// An instruction within a call string.
#[derive(Clone, Debug)]
pub(crate) struct SliceNode {
    pub context: u32,
    pub instruction: u32,
    pub sources: Vec<(Maker, Role)>,
}

/// What a branch depends on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Slice {
    pub contexts: Vec<Context>,
    pub nodes: Vec<SliceNode>,
}

/// Control and data dependence of one body.
#[derive(Debug)]
pub(crate) struct Body {
    pub control: ControlDependence,
    pub data: DataDependence,
}

/// Bodies and call targets, looked at once.
#[derive(Debug)]
pub(crate) struct Bodies<'a> {
    pub program: &'a Program,
    calls: CallGraph<'a>,
    known: BTreeMap<MethodId, Option<Arc<Body>>>,
}

impl<'a> Bodies<'a> {
    pub fn new(program: &'a Program) -> Self {
        Bodies {
            program,
            calls: CallGraph::new(program),
            known: BTreeMap::new(),
        }
    }

    /// The body of a method; none without code, or where it makes no sense.
    pub fn body(&mut self, method: MethodId) -> Option<Arc<Body>> {
        let program = self.program;
        let known = self.known.entry(method).or_insert_with(|| {
            let declared = program.method(method);
            let code = declared.code.as_ref()?;
            let control = ControlDependence::of(code);
            let data = DataDependence::of(declared, code, control.flow())?;
            Some(Arc::new(Body { control, data }))
        });
        known.clone()
    }

    /// The method a call names, as far as it is loaded.
    pub fn named(&self, operation: &Operation) -> Option<MethodId> {
        let Operation::Invoke { method, .. } = operation else {
            return None;
        };
        self.program.resolve_method(method)
    }

    /// The method whose body a call runs: the named one, or the only one that implements it.
    pub fn target(&mut self, operation: &'a Operation) -> Option<MethodId> {
        let named = self.named(operation)?;
        if self.program.method(named).code.is_some() {
            return Some(named);
        }
        let Operation::Invoke {
            kind: kind @ (InvokeKind::Virtual | InvokeKind::Interface),
            method,
        } = operation
        else {
            return None;
        };
        let targets = self
            .calls
            .targets(*kind, &method.owner, &method.name, &method.descriptor);
        match targets.reached[..] {
            [only] if self.program.method(only).code.is_some() => Some(only),
            _ => None,
        }
    }
}

/// A call on the way to the method of a branch: the caller and the call's instruction.
pub(crate) type Step = (MethodId, u32);

/// What a slice begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Criteria {
    /// The operands of the jump, and of all jumps that decide whether it, or what its operands come from, is reached.
    All,
    /// The operands of the jump alone: for who has a run that reaches it.
    Jump,
}

/// Slices backward from a branch that is reached by the calls of a way, into calls no deeper than `deepest`; none where
/// the slice gets too large or a body cannot be read.
pub(crate) fn slice(
    bodies: &mut Bodies<'_>,
    way: &[Step],
    branch: TargetBranch,
    deepest: u32,
    criteria: Criteria,
) -> Option<Slice> {
    let mut slicer = Slicer {
        bodies,
        criteria,
        deepest: deepest + way.len() as u32,
        slice: Slice::default(),
        index: BTreeMap::new(),
        contexts: BTreeMap::new(),
        open: Vec::new(),
    };
    let mut call = None;
    for (context, &(method, instruction)) in way.iter().enumerate() {
        let context = context as u32;
        slicer.push(method, call);
        let body = slicer.bodies.body(method)?;
        if criteria == Criteria::All {
            for &(jump, _) in body.control.controllers_of(instruction) {
                slicer.decide_all(&body, context, jump);
            }
        }
        call = Some((context, instruction));
    }
    let context = slicer.push(branch.method, call);
    let body = slicer.bodies.body(branch.method)?;
    match criteria {
        Criteria::All => slicer.decide_all(&body, context, branch.jump),
        Criteria::Jump => slicer.decide(&body, context, branch.jump),
    }
    while let Some(node) = slicer.open.pop() {
        slicer.trace(node)?;
    }
    Some(slicer.slice)
}

struct Slicer<'a, 'b> {
    bodies: &'b mut Bodies<'a>,
    criteria: Criteria,
    deepest: u32,
    slice: Slice,
    /// By context and instruction.
    index: BTreeMap<(u32, u32), usize>,
    /// By context and instruction of the call.
    contexts: BTreeMap<(u32, u32), u32>,
    open: Vec<usize>,
}

impl<'a> Slicer<'a, '_> {
    fn push(&mut self, method: MethodId, call: Option<(u32, u32)>) -> u32 {
        let context = self.slice.contexts.len() as u32;
        let depth = call.map_or(0, |(outer, _)| {
            self.slice.contexts[outer as usize].depth + 1
        });
        self.slice.contexts.push(Context {
            method,
            call,
            lambda: None,
            depth,
        });
        if let Some(call) = call {
            self.contexts.insert(call, context);
        }
        context
    }

    /// Adds what the operands of a jump come from, and of all jumps that decide whether it is reached.
    fn decide_all(&mut self, body: &Body, context: u32, jump: u32) {
        let mut jumps = body.control.all_controllers(jump);
        jumps.insert(jump);
        for jump in jumps {
            self.decide(body, context, jump);
        }
    }

    /// Adds what the operands of a jump come from.
    fn decide(&mut self, body: &Body, context: u32, jump: u32) {
        let at = body.control.flow().jumps()[jump as usize].instruction;
        for sources in body.data.operands(at) {
            for &source in sources {
                self.from(context, source);
            }
        }
    }

    /// Where a source lies; a new node is to be looked at.
    fn from(&mut self, context: u32, source: Source) -> Option<Maker> {
        match source {
            Source::Instruction(instruction) => Some(Maker::Node(self.node(context, instruction))),
            Source::Parameter(number) if context == 0 => Some(Maker::Parameter(number)),
            Source::Parameter(_) | Source::Caught => None,
        }
    }

    fn node(&mut self, context: u32, instruction: u32) -> usize {
        let next = self.slice.nodes.len();
        let node = *self.index.entry((context, instruction)).or_insert(next);
        if node == next {
            self.slice.nodes.push(SliceNode {
                context,
                instruction,
                sources: Vec::new(),
            });
            self.open.push(node);
        }
        node
    }

    /// Finds the sources of one node; none when the slice gets too large.
    fn trace(&mut self, node: usize) -> Option<()> {
        if self.slice.nodes.len() > MOST_NODES || self.slice.contexts.len() > MOST_CONTEXTS {
            return None;
        }
        let program = self.bodies.program;
        let SliceNode {
            context,
            instruction,
            ..
        } = self.slice.nodes[node];
        let method = self.slice.contexts[context as usize].method;
        let body = self.bodies.body(method)?;
        let code = program.method(method).code.as_deref()?;
        let operation = &code.instructions[instruction as usize].operation;
        let mut found = Vec::new();
        for (position, sources) in body.data.operands(instruction).iter().enumerate() {
            let role = role(operation, position);
            for &source in sources {
                match source {
                    Source::Parameter(number) if context != 0 => {
                        self.argument(context, number, role, &mut found);
                    }
                    _ => found.extend(self.from(context, source).map(|from| (from, role))),
                }
            }
        }
        if matches!(operation, Operation::Invoke { .. })
            && let Some(inner) = self.enter(context, instruction, operation)
        {
            self.returned(inner, &mut found);
        }
        if self.criteria == Criteria::All {
            for &(jump, _) in body.control.controllers_of(instruction) {
                self.decide(&body, context, jump);
            }
        }
        found.sort_unstable();
        found.dedup();
        self.slice.nodes[node].sources = found;
        Some(())
    }

    /// A parameter of a callee comes from what stands at its call site.
    fn argument(
        &mut self,
        context: u32,
        number: u32,
        role: Role,
        found: &mut Vec<(Maker, Role)>,
    ) -> Option<()> {
        let (outer, call) = self.slice.contexts[context as usize].call?;
        // What a lambda captured comes first, then what it is called with.
        let (outer, at, number) = match self.slice.contexts[context as usize].lambda {
            Some((maker, made, captured)) if number < captured => (maker, made, number),
            Some((_, _, captured)) => (outer, call, number - captured + 1),
            None => (outer, call, number),
        };
        let method = self.slice.contexts[outer as usize].method;
        let body = self.bodies.body(method)?;
        for &source in body.data.operands(at).get(number as usize)? {
            found.extend(self.from(outer, source).map(|from| (from, role)));
        }
        Some(())
    }

    /// The lambda that a call's receiver is, if it is one and nothing else: where it is made.
    fn lambda(&mut self, mut context: u32, call: u32) -> Option<(u32, u32)> {
        let program = self.bodies.program;
        let mut at = call;
        for _ in 0..LONGEST_HANDING_ON {
            let method = self.slice.contexts[context as usize].method;
            let body = self.bodies.body(method)?;
            let mut source = *only(body.data.operands(at).first()?)?;
            while let Source::Parameter(number) = source {
                let known = &self.slice.contexts[context as usize];
                let ((outer, site), None) = (known.call?, known.lambda) else {
                    return None;
                };
                let method = self.slice.contexts[outer as usize].method;
                let body = self.bodies.body(method)?;
                source = *only(body.data.operands(site).get(number as usize)?)?;
                context = outer;
            }
            let Source::Instruction(made) = source else {
                return None;
            };
            let method = self.slice.contexts[context as usize].method;
            let code = program.method(method).code.as_deref()?;
            match &code.instructions[made as usize].operation {
                Operation::InvokeDynamic(_) => return Some((context, made)),
                Operation::Load { .. } | Operation::Store { .. } | Operation::Cast(_) => at = made,
                _ => return None,
            }
        }
        None
    }

    /// The body that a lambda's call runs, and what it captured.
    fn lambda_body(&mut self, context: u32, made: u32) -> Option<(MethodId, u32)> {
        let program = self.bodies.program;
        let method = self.slice.contexts[context as usize].method;
        let code = program.method(method).code.as_deref()?;
        let Operation::InvokeDynamic(site) = &code.instructions[made as usize].operation else {
            return None;
        };
        let body = program.resolve_method(site.implementation.as_ref()?)?;
        let captured = self.bodies.body(method)?.data.operands(made).len() as u32;
        let is_constructor = program.method(body).is_constructor();
        (!is_constructor).then_some((body, captured))
    }

    /// The context of a callee; none where calls are not followed.
    fn enter(&mut self, outer: u32, call: u32, operation: &'a Operation) -> Option<u32> {
        if let Some(&known) = self.contexts.get(&(outer, call)) {
            return Some(known);
        }
        let depth = self.slice.contexts[outer as usize].depth + 1;
        if depth > self.deepest {
            return None;
        }
        let caller = self.slice.contexts[outer as usize].method;
        let mut around = Some((outer, call));
        let mut is_first = true;
        while let Some((context, instruction)) = around {
            let known = &self.slice.contexts[context as usize];
            if !is_first && known.method == caller && instruction == call {
                return None;
            }
            is_first = false;
            around = known.call;
        }
        let is_interface = matches!(
            operation,
            Operation::Invoke {
                kind: InvokeKind::Interface,
                ..
            }
        );
        if is_interface
            && let Some((maker, made)) = self.lambda(outer, call)
            && let Some((method, captured)) = self.lambda_body(maker, made)
        {
            self.bodies.body(method)?;
            let inner = self.push(method, Some((outer, call)));
            self.slice.contexts[inner as usize].lambda = Some((maker, made, captured));
            return Some(inner);
        }
        let method = self.bodies.target(operation)?;
        self.bodies.body(method)?;
        let inner = self.push(method, Some((outer, call)));
        Some(inner)
    }

    /// The result of a call comes from the callee's returns.
    fn returned(&mut self, inner: u32, found: &mut Vec<(Maker, Role)>) -> Option<()> {
        let program = self.bodies.program;
        let method = self.slice.contexts[inner as usize].method;
        let body = self.bodies.body(method)?;
        let code = program.method(method).code.as_deref()?;
        for (index, instruction) in code.instructions.iter().enumerate() {
            if instruction.operation != (Operation::Return { value: true }) {
                continue;
            }
            for source in body.data.operands(index as u32).iter().flatten() {
                let from = self.from(inner, *source);
                found.extend(from.map(|from| (from, Role::Returned)));
            }
        }
        Some(())
    }
}

fn only(sources: &[Source]) -> Option<&Source> {
    match sources {
        [only] => Some(only),
        _ => None,
    }
}

/// What an operand does, by its position in order of pushing.
fn role(operation: &Operation, position: usize) -> Role {
    match operation {
        Operation::GetField { .. } => Role::Object,
        Operation::ArrayLoad { .. } if position == 0 => Role::Array,
        Operation::ArrayLoad { .. } => Role::Index,
        Operation::Invoke {
            kind: InvokeKind::Static,
            ..
        } => Role::Argument(position as u32),
        Operation::Invoke { .. } if position == 0 => Role::Object,
        Operation::Invoke { .. } => Role::Argument(position as u32 - 1),
        _ => Role::Operand,
    }
}
