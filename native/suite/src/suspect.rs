//! Which objects are asked which questions.
//!
//! Comes in: kept runs of one unit. Goes out: [`Suspect`]s: each run that completed, with the calls of one check at
//! its end.
//! Asked are objects of the subject and of what is nested in it, in pairs with all objects of the project's classes,
//! at most 50 pairs a run; a rule is asked a bounded number of times per method and class.
//! Does not know: what the answers are, save where a rule has to look first.

use crate::check::{Check, Contract, Questions, Site};
use crate::contract::ALL;
use crate::minimize::run_all;
use crate::violation::Suspect;
use palus_bytecode::{ClassId, MethodId, Origin, Program};
use palus_sequence::{
    End, Executor, ExecutorError, Observation, Run, Sequence, Statement, Variable, check,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Pairs of objects asked per run.
const MOST_PAIRS: usize = 50;
/// Times a rule is asked about one method on objects of one class.
const MOST_PER_METHOD: usize = 60;
/// Objects asked per run, latest first.
const MOST_OBJECTS: usize = 8;

/// The questions of all contracts about the objects of kept runs, at most `limit` of them.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub(crate) fn suspects(
    program: &Program,
    subject: ClassId,
    kept: &[Run],
    executor: &mut dyn Executor,
    limit: usize,
) -> Result<Vec<Suspect>, ExecutorError> {
    let package: Arc<str> = program.package(subject).into();
    let runs: Vec<Run> = kept.iter().filter_map(completed).collect();
    let mut asking = Asking {
        program,
        package,
        asked: BTreeMap::new(),
        seen: BTreeSet::new(),
        found: Vec::new(),
        limit,
    };
    // Short runs show the same with less.
    let mut order: Vec<&Run> = runs.iter().collect();
    order.sort_by_key(|run| run.sequence.len());
    let mut looks: Vec<(&Contract, &Run, Variable, ClassId, Check)> = Vec::new();
    for run in &order {
        let objects = objects(program, run);
        let own = |class: ClassId| program.is_in_nest(subject, class);
        let asked: Vec<(Variable, ClassId)> = objects
            .iter()
            .rev()
            .copied()
            .filter(|&(_, class)| own(class))
            .take(MOST_OBJECTS)
            .collect();
        let mut pairs = 0;
        for &(object, class) in &asked {
            let site = Site {
                program,
                package: &asking.package.clone(),
                run,
                object,
                class,
            };
            for contract in ALL {
                for questions in contract.questions {
                    match questions {
                        Questions::Of(question) => {
                            if let Some(check) = question(&site) {
                                asking.ask(contract, &site, check);
                            }
                        }
                        Questions::AfterLook(look, _) => {
                            if let Some(check) = look(&site)
                                && asking.may_ask("look", check.blamed, class)
                            {
                                looks.push((contract, run, object, class, check));
                            }
                        }
                        Questions::OfPair(_) => {}
                    }
                }
            }
            for &(other, other_class) in objects.iter().filter(|&&(other, _)| other != object) {
                pairs += 1;
                if pairs > MOST_PAIRS {
                    break;
                }
                for contract in ALL {
                    for questions in contract.questions {
                        if let Questions::OfPair(question) = questions
                            && let Some(check) = question(&site, other, other_class)
                        {
                            asking.ask(contract, &site, check);
                        }
                    }
                }
            }
        }
    }
    asking.look(&looks, executor)?;
    Ok(asking.found)
}

/// The run up to where it threw, if objects are left.
pub(crate) fn completed(run: &Run) -> Option<Run> {
    let length = match &run.outcome.end {
        End::Completed => run.sequence.len(),
        End::Threw(thrown) => thrown.statement as usize,
        _ => return None,
    };
    let mut outcome = run.outcome.clone();
    outcome.end = End::Completed;
    outcome.observations.truncate(length);
    outcome.coverage.probes.clear();
    (length > 0 && outcome.observations.len() == length).then(|| Run {
        sequence: run.sequence.prefix(length),
        outcome,
    })
}

/// Objects of the project's own classes that a run made, each once.
fn objects(program: &Program, run: &Run) -> Vec<(Variable, ClassId)> {
    run.outcome
        .observations
        .iter()
        .enumerate()
        .filter_map(|(index, observation)| match observation {
            Observation::Object {
                class,
                same_as: None,
                ..
            } => {
                let id = program.class_named(class)?;
                (program.class(id).origin == Origin::Subject)
                    .then_some((Variable(index as u32), id))
            }
            _ => None,
        })
        .collect()
}

struct Asking<'a> {
    program: &'a Program,
    package: Arc<str>,
    asked: BTreeMap<(&'static str, MethodId, ClassId), usize>,
    seen: BTreeSet<(&'static str, Sequence)>,
    found: Vec<Suspect>,
    limit: usize,
}

impl Asking<'_> {
    fn may_ask(&mut self, code: &'static str, method: MethodId, class: ClassId) -> bool {
        let asked = self.asked.entry((code, method, class)).or_default();
        *asked += 1;
        *asked <= MOST_PER_METHOD && self.found.len() < self.limit
    }

    fn ask(&mut self, contract: &Contract, site: &Site<'_>, question: Check) {
        if !self.may_ask(contract.code, question.blamed, site.class) {
            return;
        }
        let sequence = with(site.run, &question.tail);
        if check(self.program, &sequence).is_err()
            || !self.seen.insert((contract.code, sequence.clone()))
        {
            return;
        }
        let declared = self.program.method(question.blamed).class;
        let is_ours = self.program.class(declared).origin == Origin::Subject;
        self.found.push(Suspect {
            owner: if is_ours { declared } else { site.class },
            sequence,
            check: question,
            code: contract.code,
            name: contract.name,
            broken: contract.broken,
            package: self.package.clone(),
        });
    }

    /// Runs the looks, and asks what they lead to.
    fn look(
        &mut self,
        looks: &[(&Contract, &Run, Variable, ClassId, Check)],
        executor: &mut dyn Executor,
    ) -> Result<(), ExecutorError> {
        if looks.is_empty() {
            return Ok(());
        }
        let sequences: Vec<Sequence> = looks
            .iter()
            .map(|(_, run, _, _, check)| with(run, &check.tail))
            .collect();
        executor.begin()?;
        let outcomes = run_all(executor, &sequences)?;
        let package = self.package.clone();
        for ((contract, run, object, class, _), outcome) in looks.iter().zip(outcomes) {
            let base = run.sequence.len();
            if !outcome.is_writable() || outcome.observations.len() < base {
                continue;
            }
            let site = Site {
                program: self.program,
                package: &package,
                run,
                object: *object,
                class: *class,
            };
            for questions in contract.questions {
                if let Questions::AfterLook(_, read) = questions
                    && let Some(check) = read(&site, &outcome.observations[base..])
                {
                    self.ask(contract, &site, check);
                }
            }
        }
        Ok(())
    }
}

fn with(run: &Run, tail: &[Statement]) -> Sequence {
    let mut statements = run.sequence.statements().to_vec();
    statements.extend(tail.iter().cloned());
    Sequence::new(statements)
}
