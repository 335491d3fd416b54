//! Sequences with statements left out, and how much there is to read of one.
//!
//! Comes in: a sequence, which of its statements stay. Goes out: the shorter one, or a number to compare with another's.
//! Does not know: what the statements are for.

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
