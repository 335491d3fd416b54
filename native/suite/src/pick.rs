//! Which observations of a finished test are asserted.
//!
//! Comes in: a draft that ran, with what its observers said before and after, and what it kills. Goes out: statements to
//! assert, most telling first.
//! Does not know: how assertions look in text.

use crate::assertion::Expected;
use crate::draft::Draft;
use crate::observer::is_to_string;
use crate::recorded::is_beside_the_point;
use palus_bytecode::{Origin, Program};
use palus_sequence::{End, Observation, Statement, Value, Variable, recorded};
use std::cmp::Reverse;
use std::collections::BTreeSet;

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
    let mut ranked = ranked(program, draft);
    if let Some(written) = &draft.written {
        // What its text asserts, whatever would be chosen now.
        let rank = |index: usize| {
            let known = ranked.iter().find(|one| one.1 == index);
            known.map_or(ranks::EARLIER, |one| one.0)
        };
        let asserted = written.asserted.iter();
        let mut asserted: Vec<(u32, usize)> = asserted.map(|&index| (rank(index), index)).collect();
        asserted.sort_unstable();
        return asserted;
    }
    if let Some(kills) = &draft.kills {
        let last = draft.length - 1;
        let statements: Vec<usize> = ranked.iter().map(|&(_, index)| index).collect();
        let of_result = statements.iter().copied();
        let of_result = of_result.filter(|&index| is_about(draft, index, last));
        let mut of_result: Vec<usize> = of_result.collect();
        // Of what kills the same, what it holds says more than whether it holds something.
        of_result.sort_by_key(|&index| is_boolean(draft, index));
        let held = of_result.iter().copied();
        // A whole value says what is in it.
        let is_whole = matches!(draft.expected[last], Some(Expected::Made(_)));
        let held = held.filter(|&index| !is_whole && is_of_observer(draft, index));
        let held: Vec<usize> = held.collect();
        let near = ranked.iter().filter(|&&(rank, _)| rank <= ranks::NEW);
        let near: Vec<usize> = near.map(|&(_, index)| index).collect();
        let mut chosen = kills.choose(&statements, &[&of_result, &held], &near, MOST_ASSERTIONS);
        // That it ends in an exception is asserted by itself; any other test says something of what is nearest to its call.
        if chosen.is_empty() && !matches!(draft.end, End::Threw(_)) {
            chosen.extend(statements.first());
        }
        let last_calls = last_calls(program, draft, &ranked, &chosen);
        chosen.extend(last_calls);
        ranked.retain(|(_, index)| chosen.contains(index) || draft.wanted.contains(index));
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

/// Where it is chosen how often a stub was called, what its last call was given: the number alone would not notice arguments
/// in another order.
fn last_calls(
    program: &Program,
    draft: &Draft,
    ranked: &[(u32, usize)],
    chosen: &[usize],
) -> Vec<usize> {
    let statements = draft.sequence.statements();
    let asks = |index: usize, wanted: &str, list: Variable| match &statements[index] {
        Statement::Call {
            method,
            receiver: Some(asked),
            ..
        } => *asked == list && &*program.method(*method).name == wanted,
        _ => false,
    };
    let lists = recorded(program, &draft.sequence).into_iter();
    let last = lists.filter_map(|(_, list)| {
        let counts = chosen.iter().any(|&index| asks(index, "size", list));
        let told = ranked.iter().filter(|(rank, _)| *rank <= ranks::NEW);
        let told = told.map(|&(_, index)| index);
        let mut told = told.filter(|&index| asks(index, "get", list));
        if !counts {
            return None;
        }
        told.clone()
            .max()
            .filter(|_| !told.any(|index| chosen.contains(&index)))
    });
    last.collect()
}

/// The mutants that a test kills by what it asserts.
pub(crate) fn noticed(program: &Program, draft: &Draft) -> BTreeSet<u32> {
    let picked = pick(program, draft);
    let kills = draft.kills.as_ref();
    kills.map_or_else(BTreeSet::new, |kills| {
        kills.of(picked.iter().map(|&(_, index)| index))
    })
}

/// The mutants that a test kills by what earlier calls gave, where it says nothing of what its call does: nothing else that
/// it asserts, nor how it ends, kills any, and it asserts nothing that the call gave or changed, nor what it asked of a
/// stub. None for any other test.
pub(crate) fn killed_by_set_up(program: &Program, draft: &Draft) -> Option<BTreeSet<u32>> {
    let kills = draft.kills.as_ref();
    let kills = kills.filter(|_| draft.end == End::Completed && draft.written.is_none())?;
    let (earlier, of_call): (Vec<(u32, usize)>, _) = pick(program, draft)
        .into_iter()
        .partition(|&(rank, _)| rank == ranks::EARLIER);
    let lists = recorded(program, &draft.sequence);
    let asks_stub = |index: usize| {
        let uses = draft.sequence.statements()[index].uses();
        lists.iter().any(|(_, list)| uses.contains(list))
    };
    let mut others = of_call.iter();
    let is_beside = others.all(|&(rank, index)| rank == ranks::UNCHANGED && !asks_stub(index));
    let killed = kills.of(of_call.iter().map(|&(_, index)| index));
    // A fault of the set-up that ends the test before its call says nothing of that either.
    let says_nothing = is_beside && killed.is_subset(&kills.of_set_up);
    let asserted = earlier.iter().chain(&of_call);
    says_nothing.then(|| kills.of(asserted.map(|&(_, index)| index)))
}

/// Statements that may be asserted, most telling first, each with its rank.
pub(crate) fn ranked(program: &Program, draft: &Draft) -> Vec<(u32, usize)> {
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
    ranked
}

/// Has drafts assert, beside what each asserts by itself, what kills mutants that no draft kills else: always that which
/// kills most of them, of several the most telling.
pub(crate) fn assert_what_no_other_does(program: &Program, drafts: &mut [Draft]) {
    let mut killed = BTreeSet::new();
    let mut open: Vec<(u32, usize, usize)> = Vec::new();
    let mut room: Vec<usize> = Vec::new();
    for (place, draft) in drafts.iter().enumerate() {
        let Some(kills) = &draft.kills else {
            room.push(0);
            continue;
        };
        let picked: Vec<usize> = pick(program, draft)
            .iter()
            .map(|&(_, index)| index)
            .collect();
        room.push(match draft.written {
            Some(_) => 0,
            None => MOST_ASSERTIONS.saturating_sub(picked.len()),
        });
        killed.extend(kills.of(picked.iter().copied()));
        let others = ranked(program, draft).into_iter();
        let others = others.filter(|(_, index)| !picked.contains(index));
        open.extend(others.map(|(rank, index)| (rank, place, index)));
    }
    loop {
        let gain = |&(_, place, index): &(u32, usize, usize)| {
            let kills = drafts[place].kills.as_ref();
            kills.map_or(0, |kills| kills.gain(index, &killed))
        };
        open.retain(|one| room[one.1] > 0 && gain(one) > 0);
        let best = open.iter().min_by_key(|one| (Reverse(gain(one)), **one));
        let Some(&(_, place, index)) = best else {
            break;
        };
        if let Some(kills) = &drafts[place].kills {
            killed.extend(kills.of(std::iter::once(index)));
        }
        drafts[place].wanted.push(index);
        room[place] -= 1;
    }
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
    let is_value_of_ours = match expected {
        Expected::Made(made) => made.calls(&|_| true),
        _ => false,
    };
    if is_object || index < last && is_value_of_ours {
        return None;
    }
    if index < last {
        let is_subject = program.class(method.class).origin == Origin::Subject;
        return is_subject.then_some(ranks::EARLIER);
    }
    if is_beside_the_point(program, draft, index) {
        return None;
    }
    if is_to_string(program, statement) {
        return Some(ranks::TEXT);
    }
    let now = draft
        .outcome
        .as_ref()
        .and_then(|outcome| outcome.observations.get(index));
    Some(match draft.before.get(index - draft.length) {
        Some(Some(before)) if now.is_some_and(|now| is_same(before, now)) => ranks::UNCHANGED,
        Some(Some(_)) => ranks::CHANGED,
        _ => ranks::NEW,
    })
}

/// Whether an observer said the same before; where a value compares with it, which object it was says nothing.
fn is_same(before: &Observation, now: &Observation) -> bool {
    let held = |said: &Observation| match said {
        Observation::Object { class, content, .. } => {
            content.clone().map(|one| (class.clone(), one))
        }
        _ => None,
    };
    before == now || held(before).is_some() && held(before) == held(now)
}

fn is_boolean(draft: &Draft, index: usize) -> bool {
    let expected = draft.expected[index].as_ref();
    matches!(expected, Some(Expected::Equal(Value::Boolean(_))))
}

/// True for an observer of what an observer gave.
fn is_of_observer(draft: &Draft, index: usize) -> bool {
    matches!(&draft.sequence.statements()[index], Statement::Call { receiver: Some(receiver), .. }
        if receiver.index() >= draft.length)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::Kills;
    use crate::testing::{Subject, int, object, subject};
    use palus_sequence::Content;

    const PAIR: (&str, &str) = (
        "demo/Pair.java",
        "package demo; public class Pair {
          public void fill(int with) { }
          public int left() { return 0; }
          public int right() { return 0; }
        }",
    );

    /// `fill` and both observers, at 3 and 4, neither of which `fill` changed.
    fn filled(subject: &Subject, kills: &[(usize, &[u32])], own: &[u32]) -> Draft {
        let mut script = subject.script();
        let pair = script.construct("demo/Pair", "()V", &[]);
        let with = script.int(1);
        script.void("demo/Pair.fill(I)V", pair, &[with]);
        script.call("demo/Pair.left()I", Some(pair), &[], int(0));
        script.call("demo/Pair.right()I", Some(pair), &[], int(0));
        let mut draft = Draft::bare(&script.run());
        draft.length = 3;
        draft.before = vec![Some(int(0)); 2];
        let zero = Expected::Equal(Value::Int(0));
        draft.expected = vec![None, None, None, Some(zero.clone()), Some(zero)];
        let kills = kills.iter();
        draft.kills = Some(Kills {
            own: own.iter().copied().collect(),
            by_statement: kills
                .map(|(statement, mutants)| (*statement, mutants.iter().copied().collect()))
                .collect(),
            ..Kills::default()
        });
        draft
    }

    fn picked(program: &Program, draft: &Draft) -> Vec<usize> {
        let picked = pick(program, draft);
        picked.into_iter().map(|(_, index)| index).collect()
    }

    #[test]
    fn a_test_that_no_fault_makes_fail_and_that_asserts_what_was_so_before_says_nothing() {
        let subject = subject(&[PAIR]);
        let killed = |draft: &Draft| killed_by_set_up(&subject.program, draft);
        let mute = filled(&subject, &[], &[]);
        assert_eq!(killed(&mute), Some(BTreeSet::new()));
        assert_eq!(killed(&filled(&subject, &[(4, &[1])], &[1])), None);
        let mut failing = mute.clone();
        failing.kills.as_mut().unwrap().by_end.insert(1);
        assert_eq!(killed(&failing), None);
        failing.kills.as_mut().unwrap().of_set_up.insert(1);
        assert_eq!(killed(&failing), Some(BTreeSet::from([1])));
        let mut changed = mute.clone();
        changed.before[0] = Some(int(7));
        assert_eq!(killed(&changed), None);
        let mut unknown = mute;
        unknown.kills = None;
        assert_eq!(killed(&unknown), None);
    }

    #[test]
    fn a_value_is_unchanged_whichever_object_it_was() {
        let subject = subject(&[PAIR]);
        // The fault is one of the set-up.
        let mut draft = filled(&subject, &[(4, &[1])], &[1]);
        draft.kills.as_mut().unwrap().of_set_up.insert(1);
        let sum = |text: &str, is_of| {
            let mut said = object("java/math/BigDecimal");
            if let Observation::Object {
                same_as, content, ..
            } = &mut said
            {
                *same_as = is_of;
                *content = Some(Content::Text(text.into()));
            }
            said
        };
        draft.before[1] = Some(sum("1", None));
        draft.outcome.as_mut().unwrap().observations[4] = sum("1", Some(3));
        assert_eq!(picked(&subject.program, &draft), [3]);
        draft.outcome.as_mut().unwrap().observations[4] = sum("2", Some(3));
        assert_eq!(picked(&subject.program, &draft), [4]);
    }

    #[test]
    fn what_no_test_would_notice_by_itself_is_asserted_once_where_it_notices_most() {
        let subject = subject(&[PAIR]);
        let program = &subject.program;
        // Faults 7 and 8 are the observers' own.
        let mut drafts = vec![
            filled(&subject, &[(3, &[1]), (4, &[7])], &[1]),
            filled(&subject, &[(3, &[1]), (4, &[7, 8])], &[1]),
        ];
        for draft in &drafts {
            assert_eq!(picked(program, draft), [3]);
        }
        assert_what_no_other_does(program, &mut drafts);
        assert_eq!(picked(program, &drafts[0]), [3]);
        assert_eq!(picked(program, &drafts[1]), [3, 4]);
    }
}
