//! Stubs that keep what they are called with, so that a test can say what the code under test asked of them.
//!
//! Comes in: runs with stubs, an executor. Goes out: the same runs, where each method of a stub that returns nothing and is
//! called has a list of its calls; what those hold is asked like anything else. At last, lists that no assertion asks about go.
//! Source: a test spy, Meszaros, "xUnit Test Patterns", 2007.
//! Does not know: which assertions are chosen, Java text.
//!
//! ```text
//! v0 = stub Mailer                      v0 = new ArrayList()
//! v1 = new Shop(v0)             becomes v1 = stub Mailer, send adds to v0
//! v1.close("x")                         v2 = new Shop(v1)
//!                                       v2.close("x")              and v0.get(0) is asked
//! ```

use crate::draft::Draft;
use crate::minimize::run_all;
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{
    CALLS, End, Executor, ExecutorError, Observation, Run, Sequence, Statement, Value, Variable,
    open_methods, recorded,
};

/// Lists in one run; more say nothing that a reader would follow.
const MOST_LISTS: usize = 4;

/// Has stubs keep their calls where there are any.
pub(crate) fn record(
    program: &Program,
    mut runs: Vec<&mut Run>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let Some(lists) = Lists::of(program) else {
        return Ok(());
    };
    let completed = runs.iter().enumerate();
    let completed = completed.filter(|(_, run)| run.outcome.end == End::Completed);
    let all: Vec<(usize, Added)> = completed
        .filter_map(|(at, run)| Some((at, lists.added(&run.sequence, &|_| true)?)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let asked: Vec<Sequence> = all.iter().map(|(_, one)| lists.asked(one)).collect();
    executor.begin()?;
    let outcomes = run_all(executor, &asked)?;
    let mut filled: Vec<(usize, Sequence)> = Vec::new();
    for ((at, added), outcome) in all.into_iter().zip(outcomes) {
        if outcome.end != End::Completed {
            continue;
        }
        let is_filled: Vec<bool> = outcome.observations[added.sequence.len()..]
            .iter()
            .map(|size| {
                !matches!(
                    size,
                    Observation::Value {
                        value: Value::Int(0),
                        ..
                    }
                )
            })
            .collect();
        let kept = lists.added(&runs[at].sequence, &|place| {
            is_filled.get(place).copied().unwrap_or(false)
        });
        filled.extend(kept.map(|kept| (at, kept.sequence)));
    }
    let sequences: Vec<Sequence> = filled.iter().map(|(_, one)| one.clone()).collect();
    let outcomes = run_all(executor, &sequences)?;
    for ((at, sequence), mut outcome) in filled.into_iter().zip(outcomes) {
        if outcome.end == End::Completed {
            let run = &mut *runs[at];
            // It covers what it covered; only what is new is told by a run of what ran before.
            outcome.coverage = run.outcome.coverage.clone();
            run.sequence = sequence;
            run.outcome = outcome;
        }
    }
    Ok(())
}

/// The statements of a draft without lists that nothing which is asserted asks about, and what is left out of them.
pub(crate) fn forget_unasked(
    program: &Program,
    draft: &Draft,
    picked: &[(u32, usize)],
) -> (Sequence, Vec<Variable>) {
    let statements = draft.sequence.statements();
    let lists = recorded(program, &draft.sequence);
    let unasked: Vec<Variable> = lists
        .into_iter()
        .map(|(_, list)| list)
        .filter(|&list| {
            let length = draft.length;
            let mut observers = picked.iter().filter(|&&(_, index)| index >= length);
            !observers.any(|&(_, index)| depends(statements, length, index, list))
        })
        .collect();
    let mut all = Sequence::default();
    for statement in statements {
        let mut statement = statement.clone();
        if let Statement::Stub { answers, .. } = &mut statement {
            for answer in answers.iter_mut() {
                *answer = answer.filter(|list| !unasked.contains(list));
            }
        }
        all.push(statement);
    }
    (all, unasked)
}

/// True if an observer asks a list, or what an earlier observer got of it.
fn depends(statements: &[Statement], length: usize, index: usize, list: Variable) -> bool {
    let mut uses = statements[index].uses().into_iter();
    uses.any(|used| {
        used == list || used.index() >= length && depends(statements, length, used.index(), list)
    })
}

/// A sequence with lists of calls.
struct Added {
    sequence: Sequence,
    /// Those that it did not have before.
    lists: Vec<Variable>,
}

/// What makes lists of calls and asks them.
struct Lists<'a> {
    program: &'a Program,
    new: MethodId,
    size: MethodId,
}

impl<'a> Lists<'a> {
    /// None where the program has no such list.
    fn of(program: &'a Program) -> Option<Lists<'a>> {
        let class = program.class_named(CALLS)?;
        Some(Lists {
            program,
            new: program.declared_method(class, "<init>", "()V")?,
            size: program.find_method(class, "size", "()I")?,
        })
    }

    /// The sequence with a list for each method of a stub that returns nothing and does nothing yet, as far as it is wanted by its
    /// number among these; none where there is no such method.
    fn added(&self, sequence: &Sequence, is_wanted: &dyn Fn(usize) -> bool) -> Option<Added> {
        let mut places: Vec<Variable> = Vec::with_capacity(sequence.len());
        let mut added = Sequence::default();
        let mut lists = Vec::new();
        let mut number = 0;
        for statement in sequence.statements() {
            let mut statement = statement.renamed(|used| places[used.index()]);
            if let Statement::Stub { class, answers } = &mut statement {
                for (method, answer) in open_methods(self.program, *class).into_iter().zip(answers)
                {
                    let returns = &self.program.method(method).method_type.returns;
                    if *returns != Type::Void || answer.is_some() {
                        continue;
                    }
                    if number < MOST_LISTS && is_wanted(number) {
                        let list = added.push(Statement::Call {
                            method: self.new,
                            receiver: None,
                            arguments: Vec::new(),
                        });
                        *answer = Some(list);
                        lists.push(list);
                    }
                    number += 1;
                }
            }
            places.push(added.push(statement));
        }
        (!lists.is_empty()).then_some(Added {
            sequence: added,
            lists,
        })
    }

    /// And how long each of these lists is at last.
    fn asked(&self, added: &Added) -> Sequence {
        let mut asked = added.sequence.clone();
        for &list in &added.lists {
            asked.push(Statement::Call {
                method: self.size,
                receiver: Some(list),
                arguments: Vec::new(),
            });
        }
        asked
    }
}
