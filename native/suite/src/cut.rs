//! Sequences with statements left out, and how much there is to read of one.
//!
//! Comes in: a sequence, which of its statements stay. Goes out: the shorter one, or a number to compare with another's.
//! Does not know: what the statements are for.

use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{Sequence, Statement, Variable};
use std::collections::BTreeSet;

/// The statements for which `wanted` holds, less the values nobody uses; users of a dropped statement must be dropped.
pub(crate) fn keep(sequence: &Sequence, wanted: impl Fn(usize) -> bool) -> Sequence {
    let statements = sequence.statements();
    let mut used = BTreeSet::new();
    let mut kept = Vec::new();
    for (index, statement) in statements.iter().enumerate().rev() {
        let is_effect = matches!(
            statement,
            Statement::Call { .. } | Statement::SetField { .. }
        );
        let is_needed = is_effect || index + 1 == statements.len() || used.contains(&index);
        if wanted(index) && is_needed {
            used.extend(statement.uses().iter().map(|used| used.index()));
            kept.push(index);
        }
    }
    kept.reverse();
    let renumbered = |variable: Variable| {
        let position = kept
            .binary_search(&variable.index())
            .expect("users of a dropped statement are dropped");
        Variable(position as u32)
    };
    Sequence::new(
        kept.iter()
            .map(|&index| statements[index].renamed(renumbered))
            .collect(),
    )
}

/// What there is to read: statements, the values they use, and calls twice.
pub(crate) fn weight(sequence: &Sequence) -> usize {
    let weight = |statement: &Statement| {
        let is_call = matches!(statement, Statement::Call { .. });
        1 + usize::from(is_call) + statement.uses().len()
    };
    sequence.statements().iter().map(weight).sum()
}

/// The sequence without some statements, all that use them, and values nobody uses then; none if the tail would go.
pub(crate) fn without(
    sequence: &Sequence,
    mut removed: BTreeSet<usize>,
    tail: usize,
) -> Option<Sequence> {
    let statements = sequence.statements();
    for (index, statement) in statements.iter().enumerate() {
        if statement
            .uses()
            .iter()
            .any(|used| removed.contains(&used.index()))
        {
            removed.insert(index);
        }
    }
    let tail = statements.len().checked_sub(tail)?;
    (removed.range(tail..).next().is_none())
        .then(|| keep(sequence, |index| !removed.contains(&index)))
}

/// Backward slice from the tail: what it needs, and calls that may change an object it needs.
pub(crate) fn slice(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    sequence: &Sequence,
    tail: usize,
) -> Sequence {
    let statements = sequence.statements();
    let mut kept = BTreeSet::new();
    let mut needed: BTreeSet<Variable> = BTreeSet::new();
    loop {
        let before = kept.len();
        for (index, statement) in statements.iter().enumerate().rev() {
            let may_change = match statement {
                Statement::Call { method, .. } => !is_pure(*method),
                Statement::SetField { .. } => true,
                _ => false,
            };
            let uses = statement.uses();
            let is_kept = index + tail >= statements.len()
                || needed.contains(&Variable(index as u32))
                || (may_change
                    && uses.iter().any(|used| {
                        needed.contains(used) && is_mutable(&sequence.type_of(program, *used))
                    }));
            if is_kept && kept.insert(index) {
                needed.extend(uses);
            }
        }
        if kept.len() == before {
            break;
        }
    }
    keep(sequence, |index| kept.contains(&index))
}

fn is_mutable(variable_type: &Type) -> bool {
    match variable_type {
        Type::Object(name) => {
            !matches!(&**name, "java/lang/String" | "java/lang/Class")
                && variable_type.unboxed().is_none()
        }
        Type::Array(_) => true,
        _ => false,
    }
}
