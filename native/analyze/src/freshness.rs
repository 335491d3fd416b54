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

use palus_bytecode::{Code, InvokeKind, Method, MethodType, Operation, Type};
use std::sync::Arc;

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
pub(crate) struct CallSite {
    pub kind: InvokeKind,
    pub owner: Arc<str>,
    pub name: Arc<str>,
    pub descriptor: Arc<str>,
    /// Origins of the receiver, if there is one, and of the arguments.
    pub arguments: Vec<Origins>,
}

/// What one body does by itself.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    /// Origins of the objects whose fields or elements it writes.
    pub changes: Origins,
    pub calls: Vec<CallSite>,
}

/// Walks a body. What cannot be followed (old subroutines, broken stacks) may change anything.
pub(crate) fn summarize(
    method: &Method,
    code: &Code,
    result: &dyn Fn(&str, &str) -> crate::platform::PlatformResult,
) -> Summary {
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
    while std::mem::take(&mut walker.changed) {
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

struct Walker<'a> {
    code: &'a Code,
    leads: Vec<bool>,
    /// What is known on entry of each leader.
    states: Vec<Option<State>>,
    changed: bool,
    collect: bool,
    summary: Summary,
    result: &'a dyn Fn(&str, &str) -> crate::platform::PlatformResult,
}

impl Walker<'_> {
    /// One walk over all instructions in code order; none if the code makes no sense.
    fn pass(&mut self, start: &State) -> Option<()> {
        let mut current = Some(start.clone());
        for index in 0..self.code.instructions.len() {
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
        for handler in &self.code.handlers {
            if (handler.start as usize..handler.end as usize).contains(&index) {
                // The exception may have existed before.
                let caught = State {
                    locals: state.locals.clone(),
                    stack: vec![ELSEWHERE],
                };
                join(
                    &mut self.states[handler.target as usize],
                    &caught,
                    &mut self.changed,
                )?;
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
        match &self.code.instructions[index].operation {
            Operation::Null
            | Operation::Int(_)
            | Operation::Float(_)
            | Operation::Text(_)
            | Operation::ClassLiteral(_)
            | Operation::OtherConstant
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
            Operation::GetField {
                field_type,
                is_static,
                ..
            } => {
                if !is_static {
                    stack.pop()?;
                }
                stack.push(value_from_elsewhere(field_type));
            }
            Operation::PutField { is_static, .. } => {
                stack.pop()?;
                let object = if *is_static { ELSEWHERE } else { stack.pop()? };
                self.change(object);
            }
            Operation::Invoke {
                kind,
                owner,
                name,
                descriptor,
            } => {
                return self
                    .invoke(*kind, owner, name, descriptor, stack)
                    .map(|()| true);
            }
            Operation::InvokeDynamic {
                name,
                descriptor,
                implementation,
                is_concat,
            } => {
                let site = MethodType::parse(descriptor)?;
                for _ in &site.parameters {
                    stack.pop()?;
                }
                let of_the_language = matches!(
                    &**name,
                    "typeSwitch" | "enumSwitch" | "toString" | "hashCode" | "equals"
                );
                if implementation.is_none() && !is_concat && !of_the_language {
                    self.change(ELSEWHERE);
                }
                stack.push(wide(&site.returns));
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
            Operation::Stack(opcode) => shuffle(*opcode, stack)?,
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
        owner: &Arc<str>,
        name: &Arc<str>,
        descriptor: &Arc<str>,
        stack: &mut Vec<u64>,
    ) -> Option<()> {
        let call = MethodType::parse(descriptor)?;
        let receiver = usize::from(kind != InvokeKind::Static);
        let first = stack.len().checked_sub(call.parameters.len() + receiver)?;
        let mut arguments = stack.split_off(first);
        for argument in &mut arguments {
            *argument &= !WIDE;
        }
        if call.returns != Type::Void {
            use crate::platform::PlatformResult;
            let returned = if call.returns.is_reference() {
                match (self.result)(owner, name) {
                    PlatformResult::Fresh => 0,
                    PlatformResult::Receiver => arguments[0],
                    PlatformResult::Unknown => ELSEWHERE,
                }
            } else {
                wide(&call.returns)
            };
            stack.push(returned);
        }
        if self.collect {
            self.summary.calls.push(CallSite {
                kind,
                owner: Arc::clone(owner),
                name: Arc::clone(name),
                descriptor: Arc::clone(descriptor),
                arguments,
            });
        }
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

/// `pop`, `dup` and `swap` in all their forms, which count slots, not values.
fn shuffle(opcode: u8, stack: &mut Vec<u64>) -> Option<()> {
    let (copied, below) = match opcode {
        0x57 => {
            stack.pop()?;
            return Some(());
        }
        0x58 => {
            take(stack, 2)?;
            return Some(());
        }
        0x5f => {
            let top = stack.len();
            stack.swap(top.checked_sub(1)?, top.checked_sub(2)?);
            return Some(());
        }
        0x59 => (1, 0),
        0x5a => (1, 1),
        0x5b => (1, 2),
        0x5c => (2, 0),
        0x5d => (2, 1),
        0x5e => (2, 2),
        _ => return None,
    };
    let group = take(stack, copied)?;
    let under = take(stack, below)?;
    stack.extend(&group);
    stack.extend(under);
    stack.extend(group);
    Some(())
}

/// Takes values of that many slots off the stack.
fn take(stack: &mut Vec<u64>, slots: usize) -> Option<Vec<u64>> {
    let mut from = stack.len();
    let mut left = slots;
    while left > 0 {
        from = from.checked_sub(1)?;
        left = left.checked_sub(if stack[from] & WIDE != 0 { 2 } else { 1 })?;
    }
    Some(stack.split_off(from))
}
