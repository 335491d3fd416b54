//! `BasicRules.checkRules` of Lin, Ong, Sun, Fraser, Dong (FSE 2021): fitness and dynamic targets, by hand.

use super::program;
use crate::dynamosa::Current;
use crate::fitness::Fitness;
use crate::target::{TargetId, Targets};
use palus_bytecode::Program;
use palus_sequence::{Distance, Nearness};

const GAME: &[(&str, &str)] = &[(
    "BasicRules.java",
    "class Action { private int actor, target; Action(int actor, int target) { this.actor = actor; this.target = target; }
  int getActor() { return actor; } int getTarget() { return target; } }
class Player { private int action; int getAction() { return action; } void setAction(int a) { action = a; } }
class GameState { private Player[] players; void setPlayers(Player[] p) { players = p; }
  Player player(int id) { if (id < 0 || id > 127) return null; return players[id]; } }
public class BasicRules { public boolean checkRules(Action action, GameState state) {
  Player actor = state.player(action.getActor());
  Player target = state.player(action.getTarget());
  if (actor == null) return false;
  if (target == null) return false;
  if (actor.getAction() == 1) return true;
  return false; } }",
)];

pub(crate) fn game() -> (Program, Targets) {
    let program = program(GAME);
    let class = program.class_named("BasicRules").unwrap();
    let targets = Targets::of(&program, &[class]);
    (program, targets)
}

/// `<init>`, `checkRules`, then the outcomes of J1, J2 and J3: not taken, taken.
pub(crate) const INIT: u32 = 0;
pub(crate) const CHECK: u32 = 1;
pub(crate) const fn outcome(jump: u32, is_taken: bool) -> u32 {
    2 * jump + is_taken as u32
}

/// What a run shows of `checkRules`: distances of each jump that was executed, for not taken and taken.
pub(crate) fn nearness(targets: &Targets, jumps: &[(f64, f64)]) -> Nearness {
    let mut found = vec![(INIT, 0.0), (CHECK, 0.0)];
    for (number, &(not_taken, taken)) in (1..).zip(jumps) {
        found.push((outcome(number, false), not_taken));
        found.push((outcome(number, true), taken));
    }
    Nearness {
        distances: found
            .into_iter()
            .map(|(target, distance)| Distance {
                probe: targets.get(TargetId(target)).probe,
                distance,
            })
            .collect(),
        comparisons: Vec::new(),
    }
}

/// `actor` is null, `target` is null, an action of 5.
pub(crate) const NO_ACTOR: &[(f64, f64)] = &[(0.0, 1.0)];
pub(crate) const NO_TARGET: &[(f64, f64)] = &[(1.0, 0.0), (0.0, 1.0)];
pub(crate) const ACTION_5: &[(f64, f64)] = &[(1.0, 0.0), (1.0, 0.0), (4.0, 0.0)];

#[test]
fn the_nearer_a_run_comes_to_the_last_check_the_smaller_its_fitness() {
    let (_, targets) = game();
    let to = |jumps: &[(f64, f64)]| {
        Fitness::of(&targets, &nearness(&targets, jumps)).to(TargetId(outcome(3, false)))
    };
    for (jumps, fitness) in [
        // An exception before J1.
        (&[][..], 3.0),
        (NO_ACTOR, 2.5),
        (NO_TARGET, 1.5),
        (ACTION_5, 0.8),
        (&[(1.0, 0.0), (1.0, 0.0), (1.0, 0.0)], 0.5),
        (&[(1.0, 0.0), (1.0, 0.0), (0.0, 1.0)], 0.0),
    ] {
        assert!(
            (to(jumps) - fitness).abs() < 1e-12,
            "{jumps:?}: {}",
            to(jumps)
        );
    }
}

#[test]
fn a_method_that_was_not_entered_is_farther_away_than_any_jump_of_it() {
    let (_, targets) = game();
    let nothing = Fitness::of(&targets, &Nearness::default());
    let worst = Fitness::worst(&targets);
    let before = Fitness::of(&targets, &nearness(&targets, &[]));
    let last = TargetId(outcome(3, false));
    assert!(nothing.to(last) > before.to(last));
    assert!(worst.to(last) > nothing.to(last));
    assert!((nothing.to(TargetId(CHECK)) - 1.0).abs() < 1e-12);
}

#[test]
fn a_private_method_is_the_nearer_the_nearer_a_run_came_to_its_call() {
    let program = program(&[(
        "A.java",
        "class A { int m(int n) { if (n == 90) { if (n > 80) return hidden(n); } return 0; }
           private int hidden(int n) { return n > 70 ? 1 : 2; } }",
    )]);
    let class = program.class_named("A").unwrap();
    let targets = Targets::of(&program, &[class]);
    let hidden = &targets.methods[2];
    let run = |distances: &[(u32, f64)]| {
        let distances = distances.iter().map(|&(target, distance)| Distance {
            probe: targets.get(TargetId(target)).probe,
            distance,
        });
        let nearness = Nearness {
            distances: distances.collect(),
            comparisons: Vec::new(),
        };
        let fitness = Fitness::of(&targets, &nearness);
        (
            fitness.to(hidden.entry),
            fitness.to(TargetId(hidden.entry.0 + 1)),
        )
    };
    // `<init>`, `m`, then n != 90, n == 90 and so on: the first jump is left by 80, by 1, and not at all.
    let far = run(&[(1, 0.0), (2, 80.0), (3, 0.0)]);
    let near = run(&[(1, 0.0), (2, 1.0), (3, 0.0)]);
    let nearer = run(&[(1, 0.0), (2, 0.0), (3, 1.0), (4, 5.0), (5, 0.0)]);
    assert!(
        far.0 > near.0 && near.0 > nearer.0,
        "{far:?} {near:?} {nearer:?}"
    );
    assert!(far.1 > near.1 && near.1 > nearer.1);
    let watched = targets.with_ancestors([hidden.entry].into_iter());
    assert_eq!(
        watched.len(),
        4,
        "its entry, that of `m`, and what leads to the call"
    );
}

#[test]
fn targets_are_revealed_as_what_they_depend_on_is_covered() {
    let (_, targets) = game();
    let mut current = Current::new(&targets, true);
    let mut is_open = vec![true; targets.list.len()];
    is_open[INIT as usize] = false;
    let mut goals = |covered: &[u32]| -> Vec<u32> {
        for &target in covered {
            is_open[target as usize] = false;
        }
        let goals = current.goals(&targets, &is_open);
        goals.into_iter().map(|target| target.0).collect()
    };
    let (taken, not_taken) = (|jump| outcome(jump, true), |jump| outcome(jump, false));
    assert_eq!(goals(&[]), [CHECK, not_taken(1), taken(1)]);
    assert_eq!(goals(&[CHECK, not_taken(1)]), [taken(1)]);
    assert_eq!(goals(&[taken(1), not_taken(2)]), [taken(2)]);
    assert_eq!(goals(&[taken(2), taken(3)]), [not_taken(3)]);
}

#[test]
fn without_dynamic_targets_all_are_hunted_at_once() {
    let (_, targets) = game();
    let is_open = vec![true; targets.list.len()];
    let goals = Current::new(&targets, false).goals(&targets, &is_open);
    assert_eq!(goals.len(), targets.list.len());
}

#[test]
fn what_is_watched_leads_from_the_entry_to_the_target() {
    let (_, targets) = game();
    let watched = targets.with_ancestors([TargetId(outcome(3, false))].into_iter());
    let watched: Vec<u32> = watched.iter().map(|target| target.0).collect();
    assert_eq!(
        watched,
        [CHECK, outcome(1, true), outcome(2, true), outcome(3, false)]
    );
}
