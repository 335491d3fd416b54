//! Which objects that existed before a call its body may touch: one method at a time.
//!
//! Comes in: a method body. Goes out: a [`Summary`]: what the body itself changes, and for each call it makes, which
//! objects go where. Objects are told apart by where they came from, as a set of bits: one bit per parameter (the
//! receiver first) and one for everything else that existed before. No bit means: made inside this call.
//! Does not know: what the called methods do (see `purity.rs`).
//!
//! ```java
//! static Pair swap(Pair p, List log) {
//!   Pair q = new Pair();        // q: {}
//!   q.left = p.right;           // changes {}: q was made here
//!   log.add(q);                 // call of add with receiver {1}, argument {}
//!   return q;
//! }
//! ```

use crate::stack::{Shape, Size, shuffle};
use palus_bytecode::{Code, InvokeKind, Method, MethodName, Operation, Type};

/// Origins of an object, one bit each.
pub(crate) type Origins = u64;

/// Anything that existed before the call and is no parameter.
pub(crate) const ELSEWHERE: Origins = 1 << 61;
/// Marks a value of two stack slots; never part of an answer.
const WIDE: u64 = 1 << 62;
/// Parameters that have a bit of their own.
const MAXIMUM_PARAMETERS: usize = 60;

/// One call a body makes.
#[derive(Clone, Debug)]
pub(crate) struct CallSite<'a> {
    pub kind: InvokeKind,
    pub method: &'a MethodName,
    /// Origins of the receiver, if there is one, and of the arguments.
    pub arguments: Vec<Origins>,
}

/// What one body does by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary<'a> {
    /// Origins of the objects whose fields or elements it writes.
    pub changes: Origins,
    pub calls: Vec<CallSite<'a>>,
}

/// Walks a body. What cannot be followed (old subroutines, broken stacks) may change anything.
pub(crate) fn summarize<'a>(
    method: &Method,
    code: &'a Code,
    result: &dyn Fn(&str, &str) -> crate::platform::PlatformResult,
) -> Summary<'a> {
    let unknown = Summary {
        changes: ELSEWHERE,
        calls: Vec::new(),
    };
    let Some(start) = entry(method, code) else {
        return unknown;
    };
    let mut walker = Walker {
        code,
        states: vec![None; code.instructions.len()],
        changed: true,
        collect: false,
        summary: Summary::default(),
        result,
        leads: leaders(code),
    };
    // Without jumps the first walk sees all.
    let is_straight = !walker.leads.contains(&true);
    while !is_straight && std::mem::take(&mut walker.changed) {
        if walker.pass(&start).is_none() {
            return unknown;
        }
    }
    walker.collect = true;
    match walker.pass(&start) {
        Some(()) => walker.summary,
        None => unknown,
    }
}

#[derive(Clone, Debug, PartialEq)]
struct State {
    locals: Vec<u64>,
    stack: Vec<u64>,
}

fn wide(value_type: &Type) -> u64 {
    if matches!(value_type, Type::Long | Type::Double) {
        WIDE
    } else {
        0
    }
}

fn entry(method: &Method, code: &Code) -> Option<State> {
    let mut locals = Vec::with_capacity(usize::from(code.max_locals));
    let mut bit = 0;
    if !method.access.is_static() {
        locals.push(1);
        bit = 1;
    }
    for parameter in &method.method_type.parameters {
        locals.push(if parameter.is_reference() {
            1 << bit
        } else {
            wide(parameter)
        });
        if wide(parameter) != 0 {
            locals.push(0);
        }
        bit += 1;
    }
    if bit > MAXIMUM_PARAMETERS || locals.len() > usize::from(code.max_locals) {
        return None;
    }
    locals.resize(usize::from(code.max_locals), 0);
    Some(State {
        locals,
        stack: Vec::new(),
    })
}

/// Instructions that are reached by more than falling through.
fn leaders(code: &Code) -> Vec<bool> {
    let mut leads = vec![false; code.instructions.len()];
    for instruction in &code.instructions {
        match &instruction.operation {
            Operation::JumpIf { target, .. }
            | Operation::JumpIfInts { target, .. }
            | Operation::JumpIfReferences { target, .. }
            | Operation::Jump { target } => leads[*target as usize] = true,
            Operation::Switch { cases, default } => {
                leads[*default as usize] = true;
                for (_, target) in cases {
                    leads[*target as usize] = true;
                }
            }
            _ => {}
        }
    }
    for handler in &code.handlers {
        leads[handler.target as usize] = true;
    }
    leads
}

struct Walker<'a, 'b> {
    code: &'a Code,
    leads: Vec<bool>,
    /// What is known on entry of each leader.
    states: Vec<Option<State>>,
    changed: bool,
    collect: bool,
    summary: Summary<'a>,
    result: &'b dyn Fn(&str, &str) -> crate::platform::PlatformResult,
}

impl<'a> Walker<'a, '_> {
    /// One walk over all instructions in code order; none if the code makes no sense.
    fn pass(&mut self, start: &State) -> Option<()> {
        let mut current = Some(start.clone());
        let code = self.code;
        for index in 0..code.instructions.len() {
            if self.leads[index] {
                if let Some(state) = &current {
                    join(&mut self.states[index], state, &mut self.changed)?;
                }
                current.clone_from(&self.states[index]);
            }
            let Some(mut state) = current.take() else {
                continue;
            };
            self.handlers(index, &state)?;
            if self.step(index, &mut state)? {
                current = Some(state);
            }
        }
        Some(())
    }

    fn handlers(&mut self, index: usize, state: &State) -> Option<()> {
        let code = self.code;
        // Locals are those of the instruction before, unless that stored one or something else leads here.
        let is_known = index > 0 && !self.leads[index] && {
            let before = &code.instructions[index - 1].operation;
            !matches!(before, Operation::Store { .. })
        };
        for handler in &code.handlers {
            let covered = handler.start as usize..handler.end as usize;
            if covered.contains(&index) && !(is_known && covered.start != index) {
                let into = &mut self.states[handler.target as usize];
                join_caught(into, &state.locals, &mut self.changed)?;
            }
        }
        Some(())
    }

    fn jump(&mut self, target: u32, state: &State) -> Option<()> {
        join(&mut self.states[target as usize], state, &mut self.changed)
    }

    #[expect(clippy::too_many_lines, reason = "one arm per operation, nothing else")]
    /// Performs one instruction; false if the next one is not reached from here.
    fn step(&mut self, index: usize, state: &mut State) -> Option<bool> {
        let stack = &mut state.stack;
        let code = self.code;
        match &code.instructions[index].operation {
            Operation::Null
            | Operation::Int(_)
            | Operation::Float(_)
            | Operation::Text(_)
            | Operation::ClassLiteral(_)
            | Operation::OtherConstant { .. }
            | Operation::New(_) => stack.push(0),
            Operation::Long(_) | Operation::Double(_) => stack.push(WIDE),
            Operation::Load { slot } => stack.push(*state.locals.get(usize::from(*slot))?),
            Operation::Store { slot } => {
                let value = stack.pop()?;
                *state.locals.get_mut(usize::from(*slot))? = value;
            }
            Operation::Increment { .. } | Operation::Nothing | Operation::Cast(_) => {}
            Operation::ArrayLoad { is_wide } => {
                stack.pop()?;
                stack.pop()?;
                stack.push(if *is_wide { WIDE } else { ELSEWHERE });
            }
            Operation::ArrayStore => {
                stack.pop()?;
                stack.pop()?;
                let array = stack.pop()?;
                self.change(array);
            }
            Operation::ArrayLength | Operation::InstanceOf(_) => {
                stack.pop()?;
                stack.push(0);
            }
            Operation::GetField { field, is_static } => {
                if !is_static {
                    stack.pop()?;
                }
                stack.push(value_from_elsewhere(&field.field_type));
            }
            Operation::PutField { is_static, .. } => {
                stack.pop()?;
                let object = if *is_static { ELSEWHERE } else { stack.pop()? };
                self.change(object);
            }
            Operation::Invoke { kind, method } => {
                return self.invoke(*kind, method, stack).map(|()| true);
            }
            Operation::InvokeDynamic(call) => {
                let site = Shape::of(&call.descriptor)?;
                stack.truncate(stack.len().checked_sub(site.parameters)?);
                let of_the_language = matches!(
                    &*call.name,
                    "typeSwitch" | "enumSwitch" | "toString" | "hashCode" | "equals"
                );
                if call.implementation.is_none() && !call.is_concat && !of_the_language {
                    self.change(ELSEWHERE);
                }
                stack.push(if site.returns == Some(Size::Wide) {
                    WIDE
                } else {
                    0
                });
            }
            Operation::NewArray { dimensions, .. } => {
                for _ in 0..*dimensions {
                    stack.pop()?;
                }
                stack.push(0);
            }
            Operation::JumpIf { target, .. } => {
                stack.pop()?;
                self.jump(*target, state)?;
            }
            Operation::JumpIfInts { target, .. } | Operation::JumpIfReferences { target, .. } => {
                stack.pop()?;
                stack.pop()?;
                self.jump(*target, state)?;
            }
            Operation::Jump { target } => {
                self.jump(*target, state)?;
                return Some(false);
            }
            Operation::Switch { cases, default } => {
                stack.pop()?;
                self.jump(*default, state)?;
                for (_, target) in cases {
                    self.jump(*target, state)?;
                }
                return Some(false);
            }
            Operation::Compare(_) => {
                stack.pop()?;
                stack.pop()?;
                stack.push(0);
            }
            Operation::Arithmetic { result, operands } => {
                for _ in 0..*operands {
                    stack.pop()?;
                }
                stack.push(wide(result));
            }
            Operation::Stack(opcode) => shuffle(*opcode, stack, |value| value & WIDE != 0)?,
            Operation::Return { .. } | Operation::Throw => return Some(false),
            Operation::Monitor => {
                stack.pop()?;
            }
            Operation::Subroutine => return None,
        }
        Some(true)
    }

    fn change(&mut self, objects: Origins) {
        self.summary.changes |= objects & !WIDE;
    }

    fn invoke(
        &mut self,
        kind: InvokeKind,
        method: &'a MethodName,
        stack: &mut Vec<u64>,
    ) -> Option<()> {
        let call = Shape::of(&method.descriptor)?;
        let receiver = usize::from(kind != InvokeKind::Static);
        let first = stack.len().checked_sub(call.parameters + receiver)?;
        let returned = call.returns.map(|returned| match returned {
            Size::Reference => {
                use crate::platform::PlatformResult;
                match (self.result)(&method.owner, &method.name) {
                    PlatformResult::Fresh => 0,
                    PlatformResult::Receiver => stack[first] & !WIDE,
                    PlatformResult::Unknown => ELSEWHERE,
                }
            }
            Size::Wide => WIDE,
            Size::Plain => 0,
        });
        if self.collect {
            let arguments = stack[first..].iter().map(|argument| argument & !WIDE);
            self.summary.calls.push(CallSite {
                kind,
                method,
                arguments: arguments.collect(),
            });
        }
        stack.truncate(first);
        stack.extend(returned);
        Some(())
    }
}

fn value_from_elsewhere(value_type: &Type) -> u64 {
    if value_type.is_reference() {
        ELSEWHERE
    } else {
        wide(value_type)
    }
}

/// Joins what is known where an exception is caught, which may have existed before.
fn join_caught(into: &mut Option<State>, locals: &[u64], changed: &mut bool) -> Option<()> {
    let Some(known) = into else {
        *into = Some(State {
            locals: locals.to_vec(),
            stack: vec![ELSEWHERE],
        });
        *changed = true;
        return Some(());
    };
    let [caught] = known.stack.as_mut_slice() else {
        return None;
    };
    for (known, new) in known
        .locals
        .iter_mut()
        .zip(locals)
        .chain([(caught, &ELSEWHERE)])
    {
        let both = *known | new;
        *changed |= both != *known;
        *known = both;
    }
    Some(())
}

fn join(into: &mut Option<State>, from: &State, changed: &mut bool) -> Option<()> {
    let Some(known) = into else {
        *into = Some(from.clone());
        *changed = true;
        return Some(());
    };
    if known.stack.len() != from.stack.len() {
        return None;
    }
    let known = known.locals.iter_mut().chain(&mut known.stack);
    for (known, new) in known.zip(from.locals.iter().chain(&from.stack)) {
        // A slot that holds a long on one way and an object on the other is dead; its bits harm nobody.
        let both = *known | new;
        *changed |= both != *known;
        *known = both;
    }
    Some(())
}
