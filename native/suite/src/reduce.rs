//! No more tests than there are reasons for.
//!
//! Comes in: drafts that ran, with what they touch and the mutants that they kill, and the probes that they are there for. Goes
//! out: those without which such a probe would be uncovered, or a mutant that some draft kills would live.
//! Tests of an earlier run come before new ones.
//! Greedy, most reasons per statement first, then once more from the longest to the shortest what the others make
//! superfluous (Harrold et al., "A Methodology for Controlling the Size of a Test Suite", TOSEM 1993).
//! Does not know: how a draft came to be.

use crate::about::Home;
use crate::draft::{Draft, Needed};
use crate::earlier::{could_kill, spoken_for};
use crate::minimize::{run_all, tier};
use palus_bytecode::Program;
use palus_sequence::{Executor, ExecutorError, Probe, Sequence};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

/// What a test is kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    Probe(Probe),
    Mutant(u32),
}

/// Drops drafts that others make superfluous, and puts the most valuable first. Where what stays does not cover the same by
/// itself, since one had left something behind for another, all stay.
pub(crate) fn reduce(
    program: &Program,
    home: &Home<'_>,
    wanted: &BTreeSet<Probe>,
    drafts: &mut Vec<Draft>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let probes = drafts.iter().flat_map(|draft| probes(home, wanted, draft));
    let mut open: BTreeSet<Probe> = probes.collect();
    let dropped = choose(program, home, wanted, drafts);
    if dropped.is_empty() {
        return Ok(());
    }
    match uncover(drafts, &mut open, executor) {
        Err(ExecutorError::Cancelled) => return Err(ExecutorError::Cancelled),
        Ok(()) if open.is_empty() => {}
        // Nothing shows that it does without them.
        Ok(()) | Err(_) => drafts.extend(dropped),
    }
    Ok(())
}

/// Takes out what drafts cover in fresh classes.
fn uncover(
    drafts: &[Draft],
    open: &mut BTreeSet<Probe>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    executor.begin()?;
    let sequences: Vec<Sequence> = drafts.iter().map(|draft| draft.sequence.clone()).collect();
    for outcome in run_all(executor, &sequences)? {
        for probe in &outcome.coverage.probes {
            open.remove(probe);
        }
    }
    Ok(())
}

/// Takes out what is superfluous, and sorts what stays.
fn choose(
    program: &Program,
    home: &Home<'_>,
    wanted: &BTreeSet<Probe>,
    drafts: &mut Vec<Draft>,
) -> Vec<Draft> {
    let spoken_for = spoken_for(program, drafts);
    let reasons: Vec<Vec<Reason>> = drafts
        .iter()
        .map(|draft| reasons(program, (home, wanted), &spoken_for, draft))
        .collect();
    let chosen = without_superfluous(drafts, &reasons, greedy(drafts, &reasons));
    let mut open: Vec<Option<Draft>> = drafts.drain(..).map(Some).collect();
    for index in chosen {
        drafts.push(open[index].take().expect("each is chosen once"));
    }
    open.into_iter().flatten().collect()
}

/// Says of each draft what it is needed for: each reason is that of one of them, first of one that ends by itself, then of a
/// short one, so that longer ones need to do less.
pub(crate) fn share_out(
    program: &Program,
    home: &Home<'_>,
    wanted: &BTreeSet<Probe>,
    drafts: &mut [Draft],
) {
    let mut order: Vec<usize> = (0..drafts.len()).collect();
    order.sort_by_key(|&at| {
        let draft = &drafts[at];
        (draft.written.is_none(), tier_of(draft), draft.length, at)
    });
    let spoken_for = spoken_for(program, drafts);
    let mut taken = BTreeSet::new();
    for at in order {
        let mut needed = Needed::default();
        for reason in reasons(program, (home, wanted), &spoken_for, &drafts[at]) {
            if !taken.insert(reason) {
                continue;
            }
            match reason {
                Reason::Probe(probe) => needed.probes.insert(probe),
                Reason::Mutant(mutant) => needed.mutants.insert(mutant),
            };
        }
        drafts[at].needed = needed;
    }
}

/// Whether drafts that were made shorter cover in fresh classes what they did before.
pub(crate) fn cover_the_same(
    home: &Home<'_>,
    wanted: &BTreeSet<Probe>,
    before: &[Draft],
    drafts: &[Draft],
    executor: &mut dyn Executor,
) -> Result<bool, ExecutorError> {
    let probes = before.iter().flat_map(|draft| probes(home, wanted, draft));
    let mut open: BTreeSet<Probe> = probes.collect();
    uncover(drafts, &mut open, executor)?;
    Ok(open.is_empty())
}

/// The wanted probes that a draft touches: where it is about another class, those of the subject itself.
fn probes(home: &Home<'_>, wanted: &BTreeSet<Probe>, draft: &Draft) -> impl Iterator<Item = Probe> {
    let touched = draft.touched.iter().copied();
    touched
        .filter(|probe| wanted.contains(probe) && (draft.is_about_subject || home.is_own(*probe)))
}

/// The wanted probes that a draft is good for, and the mutants that it could kill.
fn reasons(
    program: &Program,
    (home, wanted): (&Home<'_>, &BTreeSet<Probe>),
    spoken_for: &BTreeSet<u32>,
    draft: &Draft,
) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = probes(home, wanted, draft).map(Reason::Probe).collect();
    let killed = could_kill(program, spoken_for, draft).into_iter();
    reasons.extend(killed.map(Reason::Mutant));
    reasons
}

/// Indices until every reason is there, by tiers (see `minimize::choose`): tests of an earlier run that have any, then new
/// ones, best gain per statement first.
fn greedy(drafts: &[Draft], reasons: &[Vec<Reason>]) -> Vec<usize> {
    let mut covered: BTreeSet<Reason> = BTreeSet::new();
    let mut chosen = Vec::new();
    for wanted in 0..3 {
        let of_tier = (0..drafts.len()).filter(|&index| tier_of(&drafts[index]) == wanted);
        let (written, of_tier): (Vec<usize>, Vec<usize>) =
            of_tier.partition(|&index| drafts[index].written.is_some());
        for index in written {
            // Of one without kills nobody knows now what it notices.
            let is_unknown = drafts[index].kills.is_none() && !drafts[index].touched.is_empty();
            if !reasons[index].is_empty() || is_unknown {
                covered.extend(reasons[index].iter().copied());
                chosen.push(index);
            }
        }
        let of_tier = of_tier.into_iter();
        let mut heap: BinaryHeap<(u64, Reverse<usize>)> = of_tier
            .map(|index| (worth(&drafts[index], reasons[index].len()), Reverse(index)))
            .collect();
        while let Some((believed, Reverse(index))) = heap.pop() {
            let gain = reasons[index]
                .iter()
                .filter(|one| !covered.contains(one))
                .count();
            let actual = worth(&drafts[index], gain);
            if actual > 0 && actual < believed {
                heap.push((actual, Reverse(index)));
            } else if actual > 0 {
                covered.extend(reasons[index].iter().copied());
                chosen.push(index);
            }
        }
    }
    chosen
}

fn tier_of(draft: &Draft) -> usize {
    tier(&draft.end, &draft.sequence)
}

fn worth(draft: &Draft, gain: usize) -> u64 {
    gain as u64 * 1_000_000 / (draft.length as u64 + 3)
}

/// Those of them, longest first, whose reasons the others have, too, are left out; a test that ends by itself is not left
/// out since an exception covers the same. Tests of an earlier run stay: whoever reads a change of them looks for its cause.
fn without_superfluous(
    drafts: &[Draft],
    reasons: &[Vec<Reason>],
    chosen: Vec<usize>,
) -> Vec<usize> {
    // By tier.
    let mut counts: BTreeMap<Reason, [u32; 3]> = BTreeMap::new();
    for &index in &chosen {
        for &reason in &reasons[index] {
            counts.entry(reason).or_default()[tier_of(&drafts[index])] += 1;
        }
    }
    let is_new = |index: &usize| drafts[*index].written.is_none();
    let mut by_length: Vec<usize> = chosen.iter().copied().filter(is_new).collect();
    by_length.sort_by_key(|&index| (Reverse(drafts[index].length), index));
    let mut dropped = BTreeSet::new();
    for index in by_length {
        let tier = tier_of(&drafts[index]);
        let has_other = |reason: &Reason| {
            let counts = match reason {
                Reason::Probe(_) => &counts[reason][..=tier],
                Reason::Mutant(_) => &counts[reason][..],
            };
            counts.iter().sum::<u32>() > 1
        };
        if reasons[index].iter().all(has_other) {
            for reason in &reasons[index] {
                counts.get_mut(reason).expect("it is counted")[tier] -= 1;
            }
            dropped.insert(index);
        }
    }
    chosen
        .into_iter()
        .filter(|index| !dropped.contains(index))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::Kills;
    use crate::testing::{Subject, subject, thrown};

    const LAMP: (&str, &str) = (
        "demo/Lamp.java",
        "package demo; public class Lamp { public void light() { } }",
    );

    /// `length` calls that touch these probes of class 0 and end otherwise with these mutants.
    fn draft(subject: &Subject, calls: usize, touched: &[u32], killed: &[u32]) -> Draft {
        let mut script = subject.script();
        let lamp = script.construct("demo/Lamp", "()V", &[]);
        for _ in 0..calls {
            script.void("demo/Lamp.light()V", lamp, &[]);
        }
        let mut draft = Draft::bare(&script.run());
        let touched = touched.iter().map(|&index| Probe { class: 0, index });
        draft.touched = touched.collect();
        draft.kills = Some(Kills {
            by_end: killed.iter().copied().collect(),
            ..Kills::default()
        });
        draft
    }

    /// Lengths of what stays, where probes 1 to 3 of class 0 are wanted.
    fn reduced(subject: &Subject, mut drafts: Vec<Draft>) -> Vec<usize> {
        let wanted = (1..=3).map(|index| Probe { class: 0, index });
        choose(
            &subject.program,
            &Home::of(&subject.program, subject.class("demo/Lamp")),
            &wanted.collect(),
            &mut drafts,
        );
        drafts.iter().map(|draft| draft.length).collect()
    }

    #[test]
    fn a_test_stays_for_a_probe_or_a_fault_that_no_other_has() {
        let subject = subject(&[LAMP]);
        let drafts = vec![
            draft(&subject, 1, &[1, 9], &[]),
            draft(&subject, 2, &[1, 2], &[5]),
            draft(&subject, 3, &[1], &[6]),
            draft(&subject, 4, &[2], &[5, 6]),
            draft(&subject, 5, &[3], &[]),
        ];
        assert_eq!(reduced(&subject, drafts), [3, 4, 6]);
    }

    #[test]
    fn each_reason_is_given_to_one_that_ends_by_itself_and_is_short() {
        let subject = subject(&[LAMP]);
        let mut throwing = draft(&subject, 1, &[1, 2, 3], &[7]);
        throwing.end = thrown(1, "java/lang/IllegalStateException");
        let mut drafts = vec![
            draft(&subject, 4, &[1, 2, 9], &[5, 6]),
            throwing,
            draft(&subject, 2, &[1], &[6]),
        ];
        let wanted = (1..=3).map(|index| Probe { class: 0, index });
        let home = Home::of(&subject.program, subject.class("demo/Lamp"));
        share_out(&subject.program, &home, &wanted.collect(), &mut drafts);
        let needed = drafts.iter().map(|draft| {
            let probes = draft.needed.probes.iter().map(|probe| probe.index);
            let mutants = draft.needed.mutants.iter().copied();
            (probes.collect(), mutants.collect())
        });
        let needed: Vec<(Vec<u32>, Vec<u32>)> = needed.collect();
        let expected = [(vec![2], vec![5]), (vec![3], vec![7]), (vec![1], vec![6])];
        assert_eq!(needed, expected);
    }

    #[test]
    fn an_exception_makes_no_ordinary_end_superfluous() {
        let subject = subject(&[LAMP]);
        let mut throwing = draft(&subject, 2, &[1, 2], &[]);
        throwing.end = thrown(2, "java/lang/IllegalStateException");
        let drafts = vec![throwing, draft(&subject, 4, &[1], &[])];
        assert_eq!(reduced(&subject, drafts), [5, 3]);
    }
}
