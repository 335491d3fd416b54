//! Short ways to make objects of the subject's classes, as runs made them.
//!
//! Comes in: runs. Goes out: by class, sequences of a few statements that end with an object of it, shortest first.
//! Taken are constructors and static methods whose arguments are made in the same way, or constants. One without arguments is
//! not, where its class has another with some: it may look at the clock, or draw a number.
//! Does not know: what the objects are for.
//!
//! ```text
//! rates = …; service = new Service(rates); price = service.quote("a"); price.text()
//! ten = Money.of("10"); ten.plus(ten)
//!                                        Money: Money.of("10")
//! ```

use crate::cut::{keep, weight};
use palus_bytecode::{ClassId, MethodId, Origin, Program, Type};
use palus_sequence::{Observation, Run, Sequence, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Statements of a way.
const MOST_STATEMENTS: usize = 5;
/// Ways for a class.
const MOST_WAYS: usize = 2;

/// The ways of some runs.
#[derive(Debug, Default)]
pub(crate) struct Makers(BTreeMap<ClassId, Vec<Sequence>>);

impl Makers {
    /// Those of runs.
    pub(crate) fn of(program: &Program, runs: &[Run]) -> Makers {
        let mut all: BTreeMap<ClassId, Vec<Sequence>> = BTreeMap::new();
        for run in runs {
            for index in 0..run.sequence.len() {
                if let Some((class, way)) = way(program, run, index) {
                    let ways = all.entry(class).or_default();
                    if !ways.contains(&way) {
                        ways.push(way);
                    }
                }
            }
        }
        for ways in all.values_mut() {
            ways.sort_by_key(weight); // of equal ones the first that was met
            ways.truncate(MOST_WAYS);
        }
        Makers(all)
    }

    /// Ways to objects that fit all of these types.
    pub(crate) fn fitting(&self, program: &Program, wanted: &[Type]) -> Vec<&Sequence> {
        let fits = |class: &ClassId| {
            let made = Type::Object(program.class(*class).name.clone());
            wanted
                .iter()
                .all(|wanted| program.is_assignable(&made, wanted))
        };
        let fitting = self.0.iter().filter(|(class, _)| fits(class));
        let mut ways: Vec<&Sequence> = fitting.flat_map(|(_, ways)| ways).collect();
        ways.sort_by_key(|way| weight(way));
        ways.truncate(MOST_WAYS);
        ways
    }
}

/// What a statement of a run makes, and the statements that this takes.
fn way(program: &Program, run: &Run, index: usize) -> Option<(ClassId, Sequence)> {
    let statements = run.sequence.statements();
    let Some(Observation::Object { class, .. }) = run.outcome.observations.get(index) else {
        return None;
    };
    let class = program.class_named(class)?;
    if program.class(class).origin != Origin::Subject {
        return None;
    }
    let mut needed = BTreeSet::new();
    let mut open = vec![index];
    while let Some(one) = open.pop() {
        let is_plain = match &statements[one] {
            Statement::Value(_) | Statement::NewArray { .. } => true,
            Statement::Call {
                method,
                receiver: None,
                ..
            } => makes(program, *method),
            _ => false,
        };
        if !is_plain {
            return None;
        }
        if needed.insert(one) {
            open.extend(statements[one].uses().iter().map(|used| used.index()));
        }
        if needed.len() > MOST_STATEMENTS {
            return None;
        }
    }
    // As its own class, whatever the type that the statement has it as.
    let made = statements[index].defined_type(program);
    let is_own = made.class_name() == Some(&*program.class(class).name);
    let way = keep(&run.sequence.prefix(index + 1), |at| needed.contains(&at));
    is_own.then_some((class, way))
}

/// True for what only makes an object of what it is given.
fn makes(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let class = program.class(method.class);
    if !method.method_type.parameters.is_empty() {
        return method.is_constructor() || method.access.is_static();
    }
    let mut others = class.methods.iter().map(|&other| program.method(other));
    method.is_constructor()
        && class.origin == Origin::Subject
        && !others.any(|other| {
            other.is_constructor()
                && !other.access.is_private()
                && !other.method_type.parameters.is_empty()
        })
}
