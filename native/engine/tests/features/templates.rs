//! The running example of object construction graphs against real workers: the sample `gangup`, its deep branch, and what
//! finds it.

use crate::worker_lab::Lab;
use palus_analyze::Facts;
use palus_bytecode::Operation;
use palus_generate::{DependentPosition, Mode, Sources, Templates, Unit, UserValues, explore};
use palus_learn::Models;
use palus_search::{Algorithm, Hunted, Means, Near, Origin, hunt};
use palus_sequence::{ExecutorError, Run};

const GANGUP: &[(&str, &str)] = &[
    (
        "gangup/Chest.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Chest.java"),
    ),
    (
        "gangup/Den.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Den.java"),
    ),
    (
        "gangup/Gang.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Gang.java"),
    ),
    (
        "gangup/Move.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Move.java"),
    ),
    (
        "gangup/Player.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Player.java"),
    ),
    (
        "gangup/Rules.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Rules.java"),
    ),
    (
        "gangup/Table.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Table.java"),
    ),
    (
        "gangup/Vault.java",
        include_str!("../../../../integration-tests/subjects/gangup/main/gangup/Vault.java"),
    ),
];

/// Some times what is needed with templates, and a twentieth of what evolution alone took where it got there.
const STEPS: u64 = 60_000;

/// How the deep branch is looked for, all without a trace.
#[derive(Clone, Copy, PartialEq, Eq)]
enum With {
    /// Everything.
    All,
    /// Templates, but no operands, and no constants but those of the papers.
    TemplatesAlone,
    /// Nothing but evolution: the baseline of the paper.
    Nothing,
}

struct Found {
    hunted: Hunted,
    kept: Vec<Run>,
    /// Outcomes of the jumps of `Rules.hits` that are still open.
    open: Vec<(u32, u32)>,
    /// Jumps of `Rules.hits`.
    jumps: u32,
}

fn found(with: With, algorithm: Algorithm, seed: u64, steps: u64) -> Found {
    let mut lab = Lab::new(GANGUP, &[]);
    // Time enough on any machine.
    lab.settings.time_limit_millis = 60_000;
    let facts = Facts::of(&lab.program);
    let (models, values) = (Models::default(), UserValues::default());
    let subject = lab.class("gangup/Rules");
    let unit = Unit {
        program: &lab.program,
        facts: &facts,
        models: &models,
        subject,
        seed,
        steps: 1_000,
        mode: match with {
            With::All => Mode::Full,
            With::TemplatesAlone => Mode::Random,
            With::Nothing => Mode::Blind,
        },
        dependent_position: DependentPosition::After,
        user_values: &values,
        gives_up: true,
        keeps_failures: false,
    };
    let pool = lab.pool().unwrap();
    let mut templates = Templates::new(&lab.program, subject);
    let mut template = |sources: &mut Sources<'_>, branch, near: Option<Near<'_>>| {
        let made = match near {
            Some(near) => templates.synthesize_on(sources, branch, near.sequence, near.reached)?,
            None => templates.synthesize(sources, branch)?,
        };
        Ok(made.sequence)
    };
    let template: &mut palus_search::Template<'_> = &mut template;
    let done = pool.with_executor(&[subject], |executor| {
        let mut sources = explore(unit, executor)?;
        let means = Means {
            template: (with != With::Nothing).then_some(template),
            feeds_operands: with == With::All,
            gives_up: false,
            explores: false,
        };
        let hunted = hunt(&mut sources, executor, algorithm, steps, means)?;
        Ok::<_, ExecutorError>((hunted, sources.finish().kept))
    });
    let (hunted, kept) = done.unwrap().unwrap();
    let program = &lab.program;
    let methods = program.class(subject).methods.iter();
    let mut methods = methods.map(|&method| program.method(method));
    let hits = methods.find(|method| &*method.name == "hits").unwrap();
    let code = hits.code.as_ref().unwrap();
    let jumps = code.instructions.iter();
    let jumps = jumps.filter(|instruction| {
        let operation = &instruction.operation;
        operation.is_conditional_jump() || matches!(operation, Operation::Switch { .. })
    });
    let left = hunted.left.iter();
    let left = left.filter(|left| left.branch.method == hits.id);
    Found {
        open: left
            .map(|left| (left.branch.jump, left.branch.outcome))
            .collect(),
        jumps: jumps.count() as u32,
        hunted,
        kept,
    }
}

#[test]
fn the_deep_branch_of_the_running_example_is_covered() {
    for seed in 0..3 {
        let found = found(With::All, Algorithm::Dynamosa, seed, STEPS);
        assert_eq!(found.open, [], "seed {seed}: {:?}", found.hunted);
        assert_eq!(found.hunted.covered, found.hunted.open, "seed {seed}");
    }
}

#[test]
fn templates_alone_reach_what_evolution_alone_does_not() {
    for seed in 0..2 {
        let with = found(With::TemplatesAlone, Algorithm::Dynamosa, seed, STEPS);
        assert_eq!(with.open, [], "seed {seed}: {:?}", with.hunted);
        assert!(with.hunted.by_origin[Origin::Template as usize].0 > 0);
        let without = found(With::Nothing, Algorithm::Dynamosa, seed, STEPS);
        let deep = without.jumps - 1;
        assert!(without.open.contains(&(deep, 0)), "seed {seed}");
        assert!(without.open.contains(&(deep, 1)), "seed {seed}");
        assert_eq!(without.hunted.by_origin[Origin::Template as usize], (0, 0));
        assert_eq!(without.hunted.by_origin[Origin::Operand as usize], (0, 0));
    }
}

#[test]
fn templates_are_the_same_in_another_worker() {
    for algorithm in [Algorithm::Dynamosa, Algorithm::Mosa, Algorithm::MonotonicGa] {
        let runs = [(); 2].map(|()| found(With::All, algorithm, 4, 600));
        assert_eq!(runs[0].hunted, runs[1].hunted);
        assert!(runs[0].kept == runs[1].kept);
    }
}
