//! Where the operands of each instruction come from: reaching definitions over locals and the operand stack.
//!
//! Comes in: a method body and its control flow. Goes out: [`DataDependence`]: per instruction and operand the
//! instructions that may have made the value. A load's only operand is its variable: the stores that reach it, or a
//! parameter. `dup` and its like hand values on and never show up as a source.
//! Does not know: callees, fields, what values are.
//!
//! ```text
//! static int m(int n) {      0 iload_0      (parameter 0)
//!   int twice = n + n;       1 iload_0      (parameter 0)
//!   return twice; }          2 iadd         (0) (1)
//!                            3 istore_1     (2)
//!                            4 iload_1      (3)
//!                            5 ireturn      (4)
//! ```

use crate::control_flow::{ControlFlow, EdgeKind};
use crate::stack::{Shape, Size, shuffle};
use palus_bytecode::{Code, InvokeKind, Method, Operation, Type};
use std::collections::BTreeSet;

/// What made a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// The caller: the receiver comes first, if there is one.
    Parameter(u32),
    /// The instruction at this index.
    Instruction(u32),
    /// A handler's caught exception.
    Caught,
}

/// Sources of all operands of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct DataDependence {
    /// Per instruction, per operand in order of pushing; empty for instructions that are never reached.
    operands: Vec<Vec<Vec<Source>>>,
}

/// A value under interpretation.
#[derive(Clone, Debug, Default, PartialEq)]
struct Value {
    is_wide: bool,
    from: Vec<Source>,
}

#[derive(Clone, Debug, PartialEq)]
struct State {
    locals: Vec<Value>,
    stack: Vec<Value>,
}

impl DataDependence {
    /// Interprets a body; none where its stack makes no sense, or with subroutines of old class files.
    pub fn of(method: &Method, code: &Code, flow: &ControlFlow) -> Option<DataDependence> {
        let mut states: Vec<Option<State>> = vec![None; flow.exit() as usize];
        *states.first_mut()? = Some(entry(method, code));
        let mut found = DataDependence {
            operands: vec![Vec::new(); code.instructions.len()],
        };
        let mut open = BTreeSet::from([0]);
        while let Some(block) = open.pop_first() {
            let mut state = states[block as usize].clone()?;
            let mut index = flow.start(block);
            while (index as usize) < code.instructions.len() && flow.block(index) == block {
                let operation = &code.instructions[index as usize].operation;
                let operands = step(index, operation, &mut state)?;
                found.operands[index as usize] = operands;
                index += 1;
            }
            for edge in flow.edges(block) {
                if edge.to == flow.exit() || edge.kind == EdgeKind::Endless {
                    continue;
                }
                let into = &mut states[edge.to as usize];
                let changed = if edge.kind == EdgeKind::Caught {
                    let caught = State {
                        locals: state.locals.clone(),
                        stack: vec![Value {
                            is_wide: false,
                            from: vec![Source::Caught],
                        }],
                    };
                    join(into, &caught)?
                } else {
                    join(into, &state)?
                };
                if changed {
                    open.insert(edge.to);
                }
            }
        }
        Some(found)
    }

    /// Sources per operand, in order of pushing.
    pub fn operands(&self, instruction: u32) -> &[Vec<Source>] {
        &self.operands[instruction as usize]
    }
}

fn is_wide(value_type: &Type) -> bool {
    matches!(value_type, Type::Long | Type::Double)
}

fn entry(method: &Method, code: &Code) -> State {
    let mut locals = Vec::with_capacity(usize::from(code.max_locals));
    let mut number = 0;
    let mut add = |is_wide: bool| {
        locals.push(Value {
            is_wide,
            from: vec![Source::Parameter(number)],
        });
        number += 1;
        if is_wide {
            locals.push(Value::default());
        }
    };
    if !method.access.is_static() {
        add(false);
    }
    for parameter in &method.method_type.parameters {
        add(is_wide(parameter));
    }
    locals.resize(
        usize::from(code.max_locals).max(locals.len()),
        Value::default(),
    );
    State {
        locals,
        stack: Vec::new(),
    }
}

/// Performs one instruction; its operands' sources.
fn step(index: u32, operation: &Operation, state: &mut State) -> Option<Vec<Vec<Source>>> {
    let stack = &mut state.stack;
    let made = |is_wide| Value {
        is_wide,
        from: vec![Source::Instruction(index)],
    };
    let (popped, pushed) = match operation {
        Operation::Load { slot } => {
            let local = state.locals.get(usize::from(*slot))?;
            let sources = local.from.clone();
            let value = made(local.is_wide);
            stack.push(value);
            return Some(vec![sources]);
        }
        Operation::Store { slot } => {
            let value = stack.pop()?;
            let local = state.locals.get_mut(usize::from(*slot))?;
            *local = made(value.is_wide);
            return Some(vec![value.from]);
        }
        Operation::Increment { slot, .. } => {
            let local = state.locals.get_mut(usize::from(*slot))?;
            let before = std::mem::replace(local, made(false));
            return Some(vec![before.from]);
        }
        Operation::Stack(opcode) => {
            shuffle(*opcode, stack, |value: &Value| value.is_wide)?;
            return Some(Vec::new());
        }
        other => effect(other)?,
    };
    let first = stack.len().checked_sub(popped)?;
    let operands = stack.drain(first..).map(|value| value.from).collect();
    stack.extend(pushed.map(made));
    Some(operands)
}

/// How many values an instruction pops, and whether it pushes one, wide or not.
fn effect(operation: &Operation) -> Option<(usize, Option<bool>)> {
    Some(match operation {
        Operation::Null
        | Operation::Int(_)
        | Operation::Float(_)
        | Operation::Text(_)
        | Operation::ClassLiteral(_)
        | Operation::OtherConstant { .. }
        | Operation::New(_) => (0, Some(false)),
        Operation::Long(_) | Operation::Double(_) => (0, Some(true)),
        Operation::ArrayLoad { is_wide } => (2, Some(*is_wide)),
        Operation::ArrayStore => (3, None),
        Operation::ArrayLength | Operation::InstanceOf(_) | Operation::Cast(_) => (1, Some(false)),
        Operation::GetField { field, is_static } => {
            (usize::from(!is_static), Some(is_wide(&field.field_type)))
        }
        Operation::PutField { is_static, .. } => (1 + usize::from(!is_static), None),
        Operation::Invoke { kind, method } => {
            let (parameters, result) = shape(&method.descriptor)?;
            let receiver = usize::from(*kind != InvokeKind::Static);
            (parameters + receiver, result)
        }
        Operation::InvokeDynamic(call) => shape(&call.descriptor)?,
        Operation::NewArray { dimensions, .. } => (usize::from(*dimensions), Some(false)),
        Operation::JumpIf { .. }
        | Operation::Switch { .. }
        | Operation::Throw
        | Operation::Monitor => (1, None),
        Operation::JumpIfInts { .. } | Operation::JumpIfReferences { .. } => (2, None),
        Operation::Compare(_) => (2, Some(false)),
        Operation::Arithmetic { result, operands } => {
            (usize::from(*operands), Some(is_wide(result)))
        }
        Operation::Return { value } => (usize::from(*value), None),
        Operation::Jump { .. } | Operation::Nothing => (0, None),
        Operation::Subroutine
        | Operation::Load { .. }
        | Operation::Store { .. }
        | Operation::Increment { .. }
        | Operation::Stack(_) => return None,
    })
}

/// What a call site takes, and what it leaves: whether that is wide, if there is anything.
fn shape(descriptor: &str) -> Option<(usize, Option<bool>)> {
    let shape = Shape::of(descriptor)?;
    Some((
        shape.parameters,
        shape.returns.map(|returned| returned == Size::Wide),
    ))
}

/// True if something new came in; none where the stacks differ.
fn join(into: &mut Option<State>, from: &State) -> Option<bool> {
    let Some(known) = into else {
        *into = Some(from.clone());
        return Some(true);
    };
    if known.stack.len() != from.stack.len() || known.locals.len() != from.locals.len() {
        return None;
    }
    let mut changed = false;
    let known = known.locals.iter_mut().chain(&mut known.stack);
    for (known, new) in known.zip(from.locals.iter().chain(&from.stack)) {
        for source in &new.from {
            if let Err(place) = known.from.binary_search(source) {
                known.from.insert(place, *source);
                known.is_wide |= new.is_wide;
                changed = true;
            }
        }
    }
    Some(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{method, program};

    /// One line per instruction with operands: its index and the sources of each.
    fn sources(body: &str) -> String {
        let program = program(&[("A.java", &format!("class A {{ {body} }}"))]);
        let method = program.method(method(&program, "A.m"));
        let code = method.code.as_ref().unwrap();
        let found = DataDependence::of(method, code, &ControlFlow::of(code)).unwrap();
        let mut lines = Vec::new();
        for index in 0..code.instructions.len() as u32 {
            let operands = found.operands(index).iter().map(|sources| {
                let names = sources.iter().map(|source| match source {
                    Source::Parameter(number) => format!("p{number}"),
                    Source::Instruction(number) => number.to_string(),
                    Source::Caught => "caught".to_owned(),
                });
                format!("({})", names.collect::<Vec<_>>().join(" "))
            });
            let operands: Vec<String> = operands.collect();
            if !operands.is_empty() {
                lines.push(format!("{index} {}", operands.join(" ")));
            }
        }
        lines.join(", ")
    }

    #[test]
    fn operands_come_from_what_pushed_them_and_loads_from_stores() {
        assert_eq!(
            sources("static int m(int n) { int twice = n + n; return twice; }"),
            "0 (p0), 1 (p0), 2 (0) (1), 3 (2), 4 (3), 5 (4)"
        );
    }

    #[test]
    fn ways_that_meet_bring_all_their_values() {
        // 0 lload_0 1 lconst_0 2 lcmp 3 ifle 4 aload_2 5 goto 6 aload_3 7 areturn
        assert_eq!(
            sources("static Object m(long n, Object a, Object b) { return n > 0 ? a : b; }"),
            "0 (p0), 2 (0) (1), 3 (2), 4 (p1), 6 (p2), 7 (4 6)"
        );
    }

    #[test]
    fn copies_on_the_stack_have_the_source_of_the_copied() {
        // new, dup, aload_0, invokespecial, areturn
        assert_eq!(
            sources("static Object m(String s) { return new StringBuilder(s); }"),
            "2 (p0), 3 (0) (2), 4 (0)"
        );
    }
}
