//! Changed sequences: statements deleted, changed and inserted, with what uses them repaired.
//!
//! Comes in: a sequence, and the methods worth calling. Goes out: another sequence that is well-formed.
//! Fraser, Arcuri, "Whole Test Suite Generation", TSE 2013, section 3.4: each of the three with probability one third;
//! of the statements each with probability one by their number; a further insertion with half the probability of the
//! one before.
//! Does not know: fitness, outcomes.

use crate::parameters::{INSERT_SUBJECT, LONGEST};
use crate::splice::{fitting, is_receiver, replace, tidied, wanted};
use crate::value::changed;
use palus_bytecode::{MethodId, Type};
use palus_generate::Sources;
use palus_sequence::{Sequence, Statement, Value, Variable};

/// Changes of an array that give it another length, as numbers are changed, in percent; the others change one element.
const OTHER_LENGTH: usize = 30;
/// Arrays that are made longer are at most so long.
const LONGEST_ARRAY: usize = 64;
/// Tries until a mutation has changed something.
const TRIES: usize = 3;
/// Changes of a call that give it another argument; the others change what an argument is made from, in percent.
const OTHER_ARGUMENT: usize = 70;

/// A changed sequence that calls something of the subject; none where every try failed. `goals` are the methods that
/// targets lie in.
pub(crate) fn mutated(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    goals: &[MethodId],
) -> Option<Sequence> {
    for _ in 0..TRIES {
        let mut changed = sequence.clone();
        if sources.rng().below(3) == 0 {
            changed = with_deletions(sources, &changed);
        }
        if sources.rng().below(3) == 0 {
            changed = with_changes(sources, &changed);
        }
        let is_empty = !calls_subject(sources, &changed);
        if is_empty {
            changed = sequence.clone();
        }
        if is_empty || sources.rng().below(3) == 0 {
            changed = with_insertions(sources, &changed, goals);
        }
        if changed != *sequence
            && let Some(tidy) = tidied(sources.program(), &changed, limit(sequence))
            && calls_subject(sources, &tidy)
        {
            return Some(tidy);
        }
    }
    None
}

/// What is longer than usual from the start may stay so.
fn limit(sequence: &Sequence) -> usize {
    LONGEST.max(sequence.len())
}

fn calls_subject(sources: &Sources<'_>, sequence: &Sequence) -> bool {
    let program = sources.program();
    sequence
        .statements()
        .iter()
        .any(|statement| match statement {
            Statement::Call {
                method, receiver, ..
            } => {
                // An object of the subject may be called through what it implements.
                receiver.is_some() || sources.nest().contains(&program.method(*method).class)
            }
            _ => false,
        })
}

fn with_deletions(sources: &mut Sources<'_>, sequence: &Sequence) -> Sequence {
    let mut changed = sequence.clone();
    let count = sequence.len();
    for index in (0..count).rev() {
        if index < changed.len() && sources.rng().below(count) == 0 {
            let head = changed.prefix(index);
            changed = replace(sources, &changed, (index, index + 1), head, None);
        }
    }
    changed
}

fn with_changes(sources: &mut Sources<'_>, sequence: &Sequence) -> Sequence {
    let mut changed = sequence.clone();
    let count = sequence.len();
    for index in (0..count).rev() {
        if index < changed.len()
            && sources.rng().below(count) == 0
            && let Some(next) = with_change(sources, &changed, index)
        {
            changed = next;
        }
    }
    changed
}

/// Changes one statement.
fn with_change(sources: &mut Sources<'_>, sequence: &Sequence, index: usize) -> Option<Sequence> {
    let statement = &sequence.statements()[index];
    match statement {
        Statement::Value(value) => with_other_value(sources, sequence, index, value),
        Statement::NewArray { element, elements } => {
            let mut head = sequence.prefix(index);
            let mut elements = elements.clone();
            if !elements.is_empty() && sources.rng().percent(OTHER_LENGTH) {
                // The length is a slot of its own.
                let length = Value::Int(elements.len() as i32);
                let Some(Value::Int(length)) = changed(sources, &length) else {
                    return None;
                };
                let length = usize::try_from(length).ok()?.min(LONGEST_ARRAY);
                elements = elements.iter().copied().cycle().take(length).collect();
            } else if !elements.is_empty() && sources.rng().percent(50) {
                let at = sources.rng().below(elements.len());
                if sources.rng().percent(50) {
                    elements.remove(at);
                } else {
                    let (longer, made) = sources.with_value(&head, element, true)?;
                    head = longer;
                    elements[at] = made;
                }
            } else {
                let (longer, made) = sources.with_value(&head, element, true)?;
                head = longer;
                let at = sources.rng().below(elements.len() + 1);
                elements.insert(at, made);
            }
            let made = head.push(Statement::NewArray {
                element: element.clone(),
                elements,
            });
            let same = Some((Variable(index as u32), made));
            Some(replace(sources, sequence, (index, index + 1), head, same))
        }
        Statement::Call { receiver, .. } => {
            let uses = statement.uses();
            if uses.is_empty() || sources.rng().percent(100 - OTHER_ARGUMENT) {
                let prefix = sequence.prefix(index);
                let (head, same) = if let Some(receiver) = receiver {
                    // Another call on the same object.
                    let head = sources.with_call_on(&prefix, *receiver)?;
                    let same = same_type(sources, sequence, index, &head);
                    (head, same)
                } else {
                    // Another way to make an object like this.
                    let replaced = Variable(index as u32);
                    let wanted = sequence.type_of(sources.program(), replaced);
                    if wanted == Type::Void {
                        return None;
                    }
                    let (head, made) = sources.with_value(&prefix, &wanted, false)?;
                    (head, Some((replaced, made)))
                };
                return Some(replace(sources, sequence, (index, index + 1), head, same));
            }
            with_other_use(sources, sequence, index)
        }
        Statement::GetField { .. } | Statement::SetField { .. } | Statement::Stub { .. } => {
            with_other_use(sources, sequence, index)
        }
    }
}

/// Where the head's last statement gives what the replaced one gave, it takes its place.
fn same_type(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    index: usize,
    head: &Sequence,
) -> Option<(Variable, Variable)> {
    let program = sources.program();
    let replaced = Variable(index as u32);
    let (old, new) = (
        sequence.type_of(program, replaced),
        head.type_of(program, head.last()),
    );
    (old != Type::Void && new != Type::Void && sources.fits(&new, &old))
        .then(|| (replaced, head.last()))
}

/// A statement that uses another variable at one place: one of the sequence, or a new one.
fn with_other_use(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    index: usize,
) -> Option<Sequence> {
    let program = sources.program();
    let statement = &sequence.statements()[index];
    let uses = statement.uses();
    let position = sources.rng().below(uses.len());
    let wanted = wanted(program, statement).into_iter().nth(position)?;
    let takes_null = !is_receiver(statement, position);
    let head = sequence.prefix(index);
    let known = if sources.rng().percent(50) {
        let not = Some(uses[position]);
        fitting(sources, sequence, index, &wanted, takes_null, not)
    } else {
        None
    };
    let (head, other) = match known {
        Some(known) => (head, known),
        None => sources.with_value(&head, &wanted, takes_null)?,
    };
    Some(with_use(sources, sequence, index, position, head, other))
}

/// The statement uses another variable at a place; `head` is what comes before it and has that variable.
pub(crate) fn with_use(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    index: usize,
    position: usize,
    mut head: Sequence,
    other: Variable,
) -> Sequence {
    let statement = &sequence.statements()[index];
    let mut next = 0;
    let renamed = statement.renamed(|used| {
        next += 1;
        if next - 1 == position { other } else { used }
    });
    let made = head.push(renamed);
    let same = Some((Variable(index as u32), made));
    replace(sources, sequence, (index, index + 1), head, same)
}

/// Another constant; of several uses now and then only one sees it.
fn with_other_value(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    index: usize,
    value: &Value,
) -> Option<Sequence> {
    let variable = Variable(index as u32);
    if let Value::Null(wanted) = value {
        let wanted = wanted.clone();
        let (head, made) = sources.with_value(&sequence.prefix(index), &wanted, false)?;
        return Some(replace(
            sources,
            sequence,
            (index, index + 1),
            head,
            Some((variable, made)),
        ));
    }
    let other = changed(sources, value)?;
    let split = sources.rng().percent(50);
    Some(with_value_at(sources, sequence, variable, other, split))
}

/// The sequence with another constant of the same type. With `split`, of several places that use it only a drawn one.
pub(crate) fn with_value_at(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    variable: Variable,
    other: Value,
    split: bool,
) -> Sequence {
    let index = variable.index();
    let mut statements = sequence.statements().to_vec();
    let mut places = Vec::new();
    for (at, statement) in statements.iter().enumerate().skip(index + 1) {
        let uses = statement.uses();
        let found = uses
            .iter()
            .enumerate()
            .filter(|(_, used)| **used == variable);
        places.extend(found.map(|(position, _)| (at, position)));
    }
    if !split || places.len() < 2 {
        statements[index] = Statement::Value(other);
        return Sequence::new(statements);
    }
    let (at, place) = places[sources.rng().below(places.len())];
    let shift = |used: Variable| Variable(used.0 + u32::from(used.index() > index));
    let mut result: Vec<Statement> = statements[..=index].to_vec();
    result.push(Statement::Value(other));
    for (number, statement) in statements.iter().enumerate().skip(index + 1) {
        let mut position = 0;
        result.push(statement.renamed(|used| {
            position += 1;
            if number == at && position - 1 == place {
                Variable(variable.0 + 1)
            } else {
                shift(used)
            }
        }));
    }
    Sequence::new(result)
}

fn with_insertions(sources: &mut Sources<'_>, sequence: &Sequence, goals: &[MethodId]) -> Sequence {
    let mut changed = sequence.clone();
    let mut chance = 100;
    while changed.len() < limit(sequence) && sources.rng().percent(chance) {
        if let Some(longer) = with_insertion(sources, &changed, goals) {
            changed = longer;
        }
        chance /= 2;
    }
    changed
}

fn with_insertion(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    goals: &[MethodId],
) -> Option<Sequence> {
    let at = sources.rng().below(sequence.len() + 1);
    let head = sequence.prefix(at);
    if sources.rng().percent(INSERT_SUBJECT) || at == 0 {
        let method = *sources.rng().pick(goals)?;
        let head = sources.with_call(&head, method)?;
        return Some(replace(sources, sequence, (at, at), head, None));
    }
    let program = sources.program();
    let objects: Vec<Variable> = head
        .statements()
        .iter()
        .zip(0..)
        .filter(|(statement, _)| {
            let made = statement.defined_type(program);
            made.is_reference() && !matches!(statement, Statement::Value(_))
        })
        .map(|(_, index)| Variable(index))
        .collect();
    let &object = sources.rng().pick(&objects)?;
    let head = sources.with_call_on(&head, object)?;
    Some(replace(sources, sequence, (at, at), head, None))
}
