//! Whole hunts of the door's innermost condition.

use super::door::{Doorman, Fixture};
use crate::{Algorithm, Hunted, Means, Near, Origin, hunt};
use palus_bytecode::{ClassProbes, TargetBranch};
use palus_generate::{Refusal, Sources};
use palus_sequence::{Probe, Run, Sequence, Statement, Value, check};

const ALL: [Algorithm; 3] = [Algorithm::Dynamosa, Algorithm::Mosa, Algorithm::MonotonicGa];

/// Hunts after 300 random steps.
fn hunted(algorithm: Algorithm, seed: u64, steps: u64) -> (Hunted, Vec<Run>, Vec<Sequence>) {
    let fixture = Fixture::new();
    let mut doorman = Doorman::new(&fixture.program);
    let mut sources = fixture.sources(&mut doorman, seed, 300);
    let before = doorman.executed.len();
    let hunted = hunt(
        &mut sources,
        &mut doorman,
        algorithm,
        steps,
        Means::default(),
    )
    .unwrap();
    assert_eq!(hunted.steps, (doorman.executed.len() - before) as u64);
    assert!(doorman.watched.is_empty(), "watching ends with the hunt");
    let executed = doorman.executed.split_off(before);
    for sequence in &executed {
        assert_eq!(check(&fixture.program, sequence), Ok(()), "{sequence:?}");
    }
    let inner = doorman.inner();
    let is_covered = sources.is_covered(inner);
    let kept = sources.finish().kept;
    assert_eq!(
        is_covered,
        kept.iter()
            .any(|run| run.outcome.coverage.probes.contains(&inner)),
        "what covers is kept"
    );
    (hunted, kept, executed)
}

#[test]
fn each_algorithm_opens_the_door_by_feeding_operands_back() {
    for algorithm in ALL {
        for seed in 0..3 {
            let (hunted, kept, _) = hunted(algorithm, seed, 20_000);
            assert_eq!(
                hunted.covered, hunted.open,
                "{algorithm:?} {seed}: {hunted:?}"
            );
            assert!(hunted.steps < 6_000, "{algorithm:?} {seed}: {hunted:?}");
            let last = kept.last().unwrap().sequence.statements().iter();
            let values: Vec<_> = last
                .filter_map(|statement| match statement {
                    Statement::Value(value) => Some(value.clone()),
                    _ => None,
                })
                .collect();
            assert!(values.contains(&Value::Int(90817)), "{values:?}");
            assert!(values.contains(&Value::Text("sesame".into())), "{values:?}");
            assert!(
                hunted.by_origin[Origin::Operand as usize].1 > 0,
                "{hunted:?}"
            );
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_runs() {
    for algorithm in ALL {
        let (first, again) = (hunted(algorithm, 5, 900), hunted(algorithm, 5, 900));
        assert_eq!(first, again);
        assert_ne!(first.2, hunted(algorithm, 6, 900).2);
    }
}

#[test]
fn a_hunt_takes_no_more_steps_than_it_has() {
    for algorithm in ALL {
        let (hunted, _, executed) = hunted(algorithm, 1, 130);
        assert!(hunted.steps <= 130 && executed.len() <= 130);
    }
}

#[test]
fn batches_are_large_enough_to_keep_a_worker_busy() {
    let fixture = Fixture::new();
    let mut doorman = Doorman::new(&fixture.program);
    let mut sources = fixture.sources(&mut doorman, 3, 300);
    doorman.batches.clear();
    let hunted = hunt(
        &mut sources,
        &mut doorman,
        Algorithm::Dynamosa,
        1_000,
        Means::default(),
    )
    .unwrap();
    let mean = hunted.steps / doorman.batches.len() as u64;
    assert!((40..=100).contains(&mean), "{:?}", doorman.batches);
}

#[test]
fn what_was_found_before_the_time_ended_is_kept() {
    let fixture = Fixture::new();
    let mut doorman = Doorman::new(&fixture.program);
    let mut sources = fixture.sources(&mut doorman, 1, 300);
    doorman.limit = doorman.executed.len() + 150;
    let hunted = hunt(
        &mut sources,
        &mut doorman,
        Algorithm::Dynamosa,
        9_000,
        Means::default(),
    )
    .unwrap();
    assert!(hunted.is_cut);
    assert!(!sources.finish().kept.is_empty());
}

#[test]
fn templates_are_asked_for_branches_within_reach_only_and_may_fail() {
    for algorithm in ALL {
        let fixture = Fixture::new();
        let program = &fixture.program;
        let mut doorman = Doorman::new(program);
        let mut sources = fixture.sources(&mut doorman, 2, 300);
        let probes = ClassProbes::of(program, doorman.class);
        let class = doorman.class.0;
        let is_covered = |sources: &Sources<'_>, branch| {
            let index = probes.outcome(branch).unwrap();
            sources.is_covered(Probe { class, index })
        };
        let asked = std::cell::RefCell::new(Vec::new());
        let mut template =
            |sources: &mut Sources<'_>, branch: TargetBranch, _: Option<Near<'_>>| {
                assert_eq!(&*program.method(branch.method).name, "open");
                // Each condition lies in the one before.
                if let Some(jump) = branch.jump.checked_sub(1) {
                    let outer = TargetBranch {
                        jump,
                        outcome: 0,
                        ..branch
                    };
                    assert!(is_covered(sources, outer), "{algorithm:?} {branch:?}");
                }
                asked.borrow_mut().push(branch.jump);
                Err(Refusal::NothingToBuild)
            };
        let means = Means {
            template: Some(&mut template),
            ..Means::default()
        };
        let hunted = hunt(&mut sources, &mut doorman, algorithm, 400, means).unwrap();
        let asked = asked.into_inner();
        assert_eq!(hunted.templates_failed, asked.len() as u64);
        assert!(asked.contains(&0) && asked.contains(&1), "{asked:?}");
    }
}

#[test]
fn the_phases_before_get_turns_while_the_search_yields_nothing() {
    let hunted = |explores| {
        let fixture = Fixture::new();
        let mut doorman = Doorman::new(&fixture.program);
        let mut sources = fixture.sources(&mut doorman, 4, 300);
        let before = doorman.executed.len();
        let means = Means {
            feeds_operands: false,
            gives_up: false,
            explores,
            ..Means::default()
        };
        let algorithm = Algorithm::Dynamosa;
        let hunted = hunt(&mut sources, &mut doorman, algorithm, 6_000, means).unwrap();
        assert_eq!(hunted.steps, (doorman.executed.len() - before) as u64);
        assert_eq!(hunted.steps, 6_000);
        hunted.by_origin[Origin::Explored as usize].0
    };
    assert_eq!(hunted(false), 0);
    let explored = hunted(true);
    assert!((1_000..5_000).contains(&explored), "{explored}");
    assert_eq!(explored, hunted(true));
}
