//! Which observations of a finished test are asserted.
//!
//! Comes in: a draft that ran, with what its observers said before and after, and what it kills. Goes out: statements to
//! assert, most telling first.
//! Does not know: how assertions look in text.

use crate::assertion::Expected;
use crate::draft::Draft;
use crate::observer::is_to_string;
use palus_bytecode::{Origin, Program};
use palus_sequence::Statement;

/// Assertions per test.
const MOST_ASSERTIONS: usize = 5;
/// Of these, observers that the last call did not change.
const MOST_UNCHANGED: usize = 2;

/// Ranks of assertions, most telling first.
pub(crate) mod ranks {
    /// The value of the last statement.
    pub(crate) const RESULT: u32 = 0;
    /// An observer that the last statement changed.
    pub(crate) const CHANGED: u32 = 1;
    /// An observer of an object that the last statement made.
    pub(crate) const NEW: u32 = 2;
    /// The value of an earlier call of the subject.
    pub(crate) const EARLIER: u32 = 3;
    /// An observer that the last statement left as it was.
    pub(crate) const UNCHANGED: u32 = 4;
    /// `toString`
    pub(crate) const TEXT: u32 = 5;
    /// Only that there is an object.
    pub(crate) const NOT_NULL: u32 = 6;
}

/// Statements to assert, most telling first, each with its rank.
pub(crate) fn pick(program: &Program, draft: &Draft) -> Vec<(u32, usize)> {
    let last = draft.length - 1;
    let mut ranked = Vec::new();
    for (index, expected) in draft.expected.iter().enumerate() {
        let statement = &draft.sequence.statements()[index];
        if !matches!(
            statement,
            Statement::Call { .. } | Statement::GetField { .. }
        ) {
            continue;
        }
        let Some(expected) = expected else { continue };
        if let Some(rank) = rank(program, draft, index, statement, expected) {
            ranked.push((rank, index));
        }
    }
    ranked.sort_by_key(|&(rank, index)| (rank, index));
    // Only that there is an object says little, but more than nothing.
    let asked: Vec<usize> = ranked
        .iter()
        .filter(|&&(rank, index)| rank < ranks::NOT_NULL && is_about(draft, index, last))
        .map(|&(_, index)| index)
        .collect();
    ranked.retain(|&(rank, _)| rank < ranks::NOT_NULL || asked.is_empty());
    // What the call that the test is about gave is never thrown away.
    for (rank, _) in ranked
        .iter_mut()
        .filter(|(rank, _)| *rank == ranks::NOT_NULL)
    {
        *rank = ranks::RESULT;
    }
    ranked.sort_unstable();
    if let Some(kills) = &draft.kills {
        let statements: Vec<usize> = ranked.iter().map(|&(_, index)| index).collect();
        let of_result: Vec<usize> = statements
            .iter()
            .copied()
            .filter(|&index| is_about(draft, index, last))
            .collect();
        let chosen = kills.choose(&statements, &of_result, MOST_ASSERTIONS);
        ranked.retain(|(_, index)| chosen.contains(index));
        return ranked;
    }
    let mut unchanged = 0;
    ranked.retain(|&(rank, _)| match rank {
        ranks::UNCHANGED | ranks::TEXT => {
            unchanged += 1;
            unchanged <= MOST_UNCHANGED
        }
        _ => true,
    });
    ranked.truncate(MOST_ASSERTIONS);
    ranked
}

fn rank(
    program: &Program,
    draft: &Draft,
    index: usize,
    statement: &Statement,
    expected: &Expected,
) -> Option<u32> {
    let last = draft.length - 1;
    let Statement::Call { method, .. } = statement else {
        return (index == last && *expected != Expected::NotNull).then_some(ranks::RESULT);
    };
    let method = program.method(*method);
    let is_constructor = method.is_constructor();
    if is_constructor || &*method.name == "hashCode" {
        return None;
    }
    let is_object = match expected {
        Expected::NotNull => true,
        // What an observer gives may be what the test made itself, not what another observer gave.
        Expected::Same(earlier) => index <= last || earlier.index() >= draft.length,
        _ => false,
    };
    if index == last {
        return Some(if *expected == Expected::NotNull {
            ranks::NOT_NULL
        } else {
            ranks::RESULT
        });
    }
    if is_object {
        return None;
    }
    if index < last {
        let is_subject = program.class(method.class).origin == Origin::Subject;
        return is_subject.then_some(ranks::EARLIER);
    }
    if is_to_string(program, statement) {
        return Some(ranks::TEXT);
    }
    let now = draft
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.observations.get(index));
    Some(match draft.before.get(index - draft.length) {
        Some(Some(before)) if Some(before) == now => ranks::UNCHANGED,
        Some(Some(_)) => ranks::CHANGED,
        _ => ranks::NEW,
    })
}

/// True if a statement is another, or an observer asks what that gave, or what such an observer gave.
fn is_about(draft: &Draft, index: usize, of: usize) -> bool {
    let mut at = index;
    while at > of {
        match &draft.sequence.statements()[at] {
            Statement::Call {
                receiver: Some(receiver),
                ..
            } if at >= draft.length => at = receiver.index(),
            _ => return false,
        }
    }
    at == of
}
