//! Templates that begin with a run: its objects, up to its last call of the method.
//!
//! Comes in: a sequence whose run came near the branch. Goes out: its statements as steps, in their order, its receiver
//! and arguments as the inputs of the graph, and the call to end with. Constants become slots.
//! Beyond Lin, Ong, Sun, Fraser, Dong (ESEC/FSE 2021), whose templates begin with objects made at random.
//! Does not know: how near the run came.

use super::Synthesis;
use crate::target::may_run;
use palus_analyze::NodeKind;
use palus_sequence::{Sequence, Statement, Value, Variable};

impl Synthesis<'_, '_, '_> {
    /// Adds the run; none where it does not call the method.
    pub fn base(&mut self, base: &Sequence) -> Option<Statement> {
        let statements = base.statements();
        let (at, method, receiver, arguments) =
            (0..statements.len())
                .rev()
                .find_map(|at| match &statements[at] {
                    Statement::Call {
                        method,
                        receiver,
                        arguments,
                    } if may_run(self.program, *method, self.graph.method()) => {
                        Some((at, *method, *receiver, arguments.clone()))
                    }
                    _ => None,
                })?;
        let mut before: Option<usize> = None;
        for statement in &statements[..at] {
            let step = match statement {
                Statement::Value(
                    value @ (Value::Null(_) | Value::StaticField(_) | Value::ClassLiteral(_)),
                ) => self.plan.add(Statement::Value(value.clone())),
                Statement::Value(value) => self.plan.slot(value.clone()),
                other => {
                    let step = self.plan.add(other.clone());
                    self.plan.keep(step);
                    if let Some(before) = before {
                        self.plan.order(before, step);
                    }
                    before = Some(step);
                    step
                }
            };
            self.claimed.insert(step);
        }
        self.based = self.plan.len();
        let inputs: Vec<_> = self.graph.inputs().collect();
        let mut given: Vec<Variable> = Vec::with_capacity(arguments.len());
        let types = &self.program.method(method).method_type.parameters;
        for (position, argument) in arguments.into_iter().enumerate() {
            let kind = NodeKind::Parameter(position as u32);
            let mut argument = argument.index();
            if let Some(&input) = inputs.iter().find(|id| self.graph.node(**id).kind == kind) {
                if matches!(
                    self.plan.statement(argument),
                    Statement::Value(Value::Null(_))
                ) {
                    let wanted =
                        self.narrowed(&types[position], &self.graph.node(input).value_type);
                    argument = self.value(&wanted, 0)?;
                }
                self.put(input, argument);
            }
            given.push(Variable(argument as u32));
        }
        if let Some(receiver) = receiver {
            let this = inputs
                .iter()
                .find(|id| self.graph.node(**id).kind == NodeKind::This);
            if let Some(&this) = this {
                self.put(this, receiver.index());
            }
        }
        self.static_inputs();
        Some(Statement::Call {
            method,
            receiver,
            arguments: given,
        })
    }
}
