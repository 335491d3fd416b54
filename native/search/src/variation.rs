//! Neighbours: sequences that differ from others in one place, for faults that only certain values show.
//!
//! Comes in: sequences, and an executor that tells what their runs compared. Goes out: their neighbours, the likeliest to
//! decide something otherwise first. Nothing is drawn: the same sequences give the same neighbours.
//! - A constant becomes what it was compared with, and what stands beside that ([`fed`]; of a date [`dated`]), or is moved by what two numbers
//!   lacked to be equal, as where a sum or a difference of constants was compared.
//! - An argument becomes `null` where the method checks for it, or an equal copy of the object that the call is made on.
//! - A constant changes a little, at all places that use it or at one; a use gets another value that fits.
//! - A call is made twice, or left out.
//!
//! Boundaries: White, Cohen, "A Domain Strategy for Computer Program Testing", TSE 1980 (points on a border and beside it).
//! Does not know: what the neighbours are for.

use crate::dates::dated;
use crate::operands::{Number, fed};
use crate::parameters::BATCH;
use crate::splice::{is_receiver, wanted};
use crate::target::Targets;
use palus_analyze::checks_for_null;
use palus_bytecode::{ClassId, MethodId, Program, Type};
use palus_sequence::{
    Comparison, Executor, ExecutorError, Sequence, Statement, Value, Variable, check,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Longer texts are not changed.
const LONGEST_TEXT: usize = 100;
/// Longer sequences are not made.
const LONGEST: usize = 60;

/// Whether methods check for `null`, or what they call at once.
type Checking = BTreeMap<MethodId, bool>;

/// Neighbours of sequences, at most so many of all together; `nest` are the classes whose comparisons count.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub fn neighbours(
    program: &Program,
    nest: &[ClassId],
    of: &[Sequence],
    executor: &mut dyn Executor,
    limit: usize,
) -> Result<Vec<Sequence>, ExecutorError> {
    let targets = Targets::of(program, nest);
    let branches = targets.list.iter().filter(|one| one.branch.is_some());
    let probes: Vec<_> = branches.map(|one| one.probe).collect();
    executor.begin()?;
    executor.watch(&probes)?;
    let mut open = Vec::with_capacity(of.len());
    let mut checking = Checking::default();
    for batch in of.chunks(BATCH) {
        for (sequence, outcome) in batch.iter().zip(executor.execute(batch)?) {
            let comparisons = &outcome.nearness.comparisons;
            let made = around(program, sequence, comparisons, &mut checking);
            open.push(made.into_iter());
        }
    }
    executor.watch(&[])?;
    // Each has its turn, so that a long one takes nothing from the others.
    let mut seen: BTreeSet<Sequence> = of.iter().cloned().collect();
    let mut found = Vec::new();
    while !open.is_empty() && found.len() < limit {
        open.retain_mut(|made| {
            let is_new = |one: &Sequence| check(program, one).is_ok() && seen.insert(one.clone());
            let one = made.find(is_new);
            let is_open = one.is_some();
            found.extend(one);
            is_open
        });
    }
    found.truncate(limit);
    Ok(found)
}

/// The neighbours of one sequence, whose run compared this.
fn around(
    program: &Program,
    sequence: &Sequence,
    comparisons: &[Comparison],
    checking: &mut Checking,
) -> Vec<Sequence> {
    let mut found = Vec::new();
    for comparison in comparisons {
        found.extend(fed(sequence, comparison));
        found.extend(dated(program, sequence, comparison));
        found.extend(moved(sequence, comparison));
    }
    for (index, statement) in sequence.statements().iter().enumerate() {
        match statement {
            Statement::Value(value) => {
                let others = beside(program, value);
                found.extend(
                    others
                        .iter()
                        .map(|other| with_value(sequence, index, other)),
                );
                for other in others.iter().take(2) {
                    found.extend(with_own_value(sequence, index, other));
                }
            }
            Statement::Call { method, .. } => {
                let checks = checking.entry(*method);
                if *checks.or_insert_with(|| checks_for_null(program, *method)) {
                    found.extend(with_null(program, sequence, index));
                }
                found.extend(with_copy(program, sequence, index));
                if !program.method(*method).is_constructor() {
                    found.push(with(sequence, index + 1, vec![statement.clone()]));
                    found.extend(without(sequence, index));
                }
            }
            _ => {}
        }
        found.extend(with_other_uses(program, sequence, index));
    }
    found.retain(|made| made.len() <= LONGEST);
    found
}

/// Numbers moved by what two numbers lacked to be equal, and by one more and one less.
fn moved(sequence: &Sequence, comparison: &Comparison) -> Vec<Sequence> {
    let of = |value| Number::of(value).and_then(Number::whole);
    let (Some(left), Some(right)) = (of(&comparison.left), of(&comparison.right)) else {
        return Vec::new();
    };
    let Some(apart) = right.checked_sub(left).filter(|apart| *apart != 0) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (index, statement) in sequence.statements().iter().enumerate() {
        let Statement::Value(value) = statement else {
            continue;
        };
        let Some(number) = Number::of(value).and_then(Number::whole) else {
            continue;
        };
        for by in [Some(apart), apart.checked_neg()].into_iter().flatten() {
            let to = number.checked_add(by).map(Number::Whole);
            let values = to.into_iter().flat_map(Number::around);
            let values = values.filter_map(|number| number.like(value));
            found.extend(values.map(|other| with_value(sequence, index, &other)));
        }
    }
    found
}

/// Other constants of the same type, close to one.
fn beside(program: &Program, value: &Value) -> Vec<Value> {
    let mut found = match value {
        Value::Boolean(known) => vec![Value::Boolean(!known)],
        Value::Text(text) => texts(text),
        Value::EnumConstant { class, .. } => {
            let fields = program.class(*class).fields.iter();
            let fields = fields.map(|&field| program.field(field));
            let constants = fields.filter(|field| field.access.is_enum());
            let constants = constants.map(|field| Value::EnumConstant {
                class: *class,
                name: Arc::clone(&field.name),
            });
            constants.collect()
        }
        Value::Null(wanted) if *wanted == Type::object("java/lang/String") => {
            vec![Value::Text("a".into())]
        }
        _ => {
            let around = Number::of(value).into_iter().flat_map(Number::around);
            let numbers = around.take(3).chain([Number::Whole(0)]);
            numbers.filter_map(|number| number.like(value)).collect()
        }
    };
    found.retain(|other| other != value);
    found
}

/// In the other case, with another end, and none.
fn texts(text: &str) -> Vec<Value> {
    if text.len() > LONGEST_TEXT {
        return Vec::new();
    }
    let upper = text.to_uppercase();
    let other_case = if upper == text {
        text.to_lowercase()
    } else {
        upper
    };
    let other_end = match text.char_indices().last() {
        Some((at, last)) => format!("{}{}", &text[..at], if last == 'b' { 'a' } else { 'b' }),
        None => "a".to_owned(),
    };
    let longer = format!("{text}a");
    let all = [other_case, other_end, String::new(), longer, " ".to_owned()];
    all.iter()
        .map(|text| Value::Text(text[..].into()))
        .collect()
}

fn with_value(sequence: &Sequence, index: usize, value: &Value) -> Sequence {
    let mut statements = sequence.statements().to_vec();
    statements[index] = Statement::Value(value.clone());
    Sequence::new(statements)
}

/// Of several places that use a constant, each in turn gets another one.
fn with_own_value(sequence: &Sequence, index: usize, value: &Value) -> Vec<Sequence> {
    let variable = Variable(index as u32);
    let places = places_of(sequence, variable);
    if places.len() < 2 {
        return Vec::new();
    }
    let made = places.into_iter().map(|(at, position)| {
        let own = Variable(at as u32);
        let longer = with(sequence, at, vec![Statement::Value(value.clone())]);
        with_use(&longer, at + 1, position, own)
    });
    made.collect()
}

/// Where a variable is used: statements, and which of their uses.
fn places_of(sequence: &Sequence, variable: Variable) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (at, statement) in sequence.statements().iter().enumerate() {
        let uses = statement.uses().into_iter().enumerate();
        let own = uses.filter(|(_, used)| *used == variable);
        places.extend(own.map(|(position, _)| (at, position)));
    }
    places
}

/// Each use of a statement gets each earlier value that fits, but for what is called.
fn with_other_uses(program: &Program, sequence: &Sequence, index: usize) -> Vec<Sequence> {
    let statement = &sequence.statements()[index];
    let mut found = Vec::new();
    let uses = statement.uses().into_iter().zip(wanted(program, statement));
    for (position, (used, wanted)) in uses.enumerate() {
        if is_receiver(statement, position) {
            continue;
        }
        for other in (0..index as u32).map(Variable).filter(|one| *one != used) {
            let of = sequence.type_of(program, other);
            let is_null = matches!(
                sequence.statements()[other.index()],
                Statement::Value(Value::Null(_))
            );
            if of != Type::Void && !is_null && program.is_assignable(&of, &wanted) {
                found.push(with_use(sequence, index, position, other));
            }
        }
    }
    found
}

/// Each argument in turn becomes `null`.
fn with_null(program: &Program, sequence: &Sequence, index: usize) -> Vec<Sequence> {
    let statement = &sequence.statements()[index];
    let mut found = Vec::new();
    for (position, wanted) in wanted(program, statement).into_iter().enumerate() {
        if is_receiver(statement, position) || wanted.is_primitive() {
            continue;
        }
        let null = Statement::Value(Value::Null(wanted));
        let longer = with(sequence, index, vec![null]);
        found.push(with_use(
            &longer,
            index + 1,
            position,
            Variable(index as u32),
        ));
    }
    found
}

/// Arguments that may be an object like the one that the call is made on become one that was made like it.
fn with_copy(program: &Program, sequence: &Sequence, index: usize) -> Vec<Sequence> {
    let statement = &sequence.statements()[index];
    let Statement::Call {
        receiver: Some(receiver),
        ..
    } = statement
    else {
        return Vec::new();
    };
    let of = sequence.type_of(program, *receiver);
    let fitting = wanted(program, statement).into_iter().enumerate().skip(1);
    let fitting = fitting.filter(|(_, wanted)| program.is_assignable(&of, wanted));
    let (made, copy) = copied(sequence, *receiver, index);
    let with_copy = with(sequence, index, made);
    let at = with_copy.len() - sequence.len() + index;
    let found = fitting.map(|(position, _)| with_use(&with_copy, at, position, copy));
    found.collect()
}

/// Statements to put in before one, that make an object as another was made, with constants of its own, and call on it
/// what was called on that; and the variable that will hold it. Other objects are shared.
fn copied(sequence: &Sequence, object: Variable, before: usize) -> (Vec<Statement>, Variable) {
    let mut made: Vec<Statement> = Vec::new();
    let mut copy = object;
    for (index, statement) in sequence.statements()[..before].iter().enumerate() {
        let is_making = index == object.index();
        let is_called =
            matches!(statement, Statement::Call { receiver: Some(on), .. } if *on == object);
        if !is_making && !is_called {
            continue;
        }
        let mut own = Vec::new();
        for used in statement.uses() {
            let value = &sequence.statements()[used.index()];
            own.push(if used == object {
                copy
            } else if matches!(value, Statement::Value(_)) {
                made.push(value.clone());
                Variable((before + made.len() - 1) as u32)
            } else {
                used
            });
        }
        let mut own = own.into_iter();
        made.push(statement.renamed(|_| own.next().expect("one per use")));
        if is_making {
            copy = Variable((before + made.len() - 1) as u32);
        }
    }
    (made, copy)
}

/// With statements put in before one; they may use what stands before it, and one another by the places they will have.
fn with(sequence: &Sequence, at: usize, extra: Vec<Statement>) -> Sequence {
    let by = extra.len() as u32;
    let shifted = |used: Variable| {
        let is_behind = used.index() >= at;
        Variable(used.0 + if is_behind { by } else { 0 })
    };
    let (before, behind) = sequence.statements().split_at(at);
    let behind = behind.iter().map(|statement| statement.renamed(shifted));
    let before = before.iter().cloned().chain(extra);
    Sequence::new(before.chain(behind).collect())
}

/// Without a statement that nothing uses; none for the last one.
fn without(sequence: &Sequence, index: usize) -> Option<Sequence> {
    let is_used = !places_of(sequence, Variable(index as u32)).is_empty();
    if is_used || index + 1 == sequence.len() {
        return None;
    }
    let shifted = |used: Variable| Variable(used.0 - u32::from(used.index() > index));
    let others = sequence.statements().iter().enumerate();
    let others = others.filter(|(at, _)| *at != index);
    let others = others.map(|(_, statement)| statement.renamed(shifted));
    Some(Sequence::new(others.collect()))
}

/// With another variable at one of the places where a statement uses one.
fn with_use(sequence: &Sequence, index: usize, position: usize, other: Variable) -> Sequence {
    let mut statements = sequence.statements().to_vec();
    let mut next = 0;
    statements[index] = statements[index].renamed(|used| {
        next += 1;
        if next - 1 == position { other } else { used }
    });
    Sequence::new(statements)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, ProgramBuilder};
    use palus_fixture::compile;
    use palus_sequence::{Probe, Relation};

    const RATE: &str = "public class Rate {
        public Rate(int days, String name) { }
        public int fee(int from, int to) { return to - from > 14 ? 1 : 0; }
        public boolean equals(Object other) { return false; }
        public void bill(int days, String to) { java.util.Objects.requireNonNull(to); }
    }";

    fn program() -> Program {
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compile(&[("Rate.java", RATE)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let object = palus_fixture::platform_class("java/lang/Object").unwrap();
        builder.add(Origin::Platform, &object).unwrap();
        builder.finish()
    }

    fn call(program: &Program, name: &str, receiver: Option<u32>, arguments: &[u32]) -> Statement {
        let class = program.class_named("Rate").unwrap();
        let mut methods = program.class(class).methods.iter();
        let method = methods.find(|method| &*program.method(**method).name == name);
        Statement::Call {
            method: *method.unwrap(),
            receiver: receiver.map(Variable),
            arguments: arguments.iter().copied().map(Variable).collect(),
        }
    }

    fn int(number: i32) -> Statement {
        Statement::Value(Value::Int(number))
    }

    #[test]
    fn numbers_whose_difference_was_compared_are_moved_to_the_border_and_beside_it() {
        let program = program();
        let sequence = Sequence::new(vec![
            int(7),
            Statement::Value(Value::Text("a".into())),
            call(&program, "<init>", None, &[0, 1]),
            int(100),
            int(120),
            call(&program, "fee", Some(2), &[3, 4]),
        ]);
        let comparison = Comparison {
            probe: Probe { class: 0, index: 1 },
            relation: Relation::Order,
            left: Value::Int(20),
            right: Value::Int(14),
        };
        let made = moved(&sequence, &comparison);
        let to: Vec<&Statement> = made.iter().map(|one| &one.statements()[4]).collect();
        for number in [113, 114, 115] {
            assert!(to.contains(&&int(number)), "{to:?}");
        }
    }

    #[test]
    fn an_argument_becomes_an_equal_copy_with_constants_of_its_own() {
        let program = program();
        let sequence = Sequence::new(vec![
            int(7),
            Statement::Value(Value::Text("a".into())),
            call(&program, "<init>", None, &[0, 1]),
            Statement::Value(Value::Text("b".into())),
            call(&program, "equals", Some(2), &[3]),
        ]);
        let made = with_copy(&program, &sequence, 4);
        let expected = Sequence::new(vec![
            int(7),
            Statement::Value(Value::Text("a".into())),
            call(&program, "<init>", None, &[0, 1]),
            Statement::Value(Value::Text("b".into())),
            int(7),
            Statement::Value(Value::Text("a".into())),
            call(&program, "<init>", None, &[4, 5]),
            call(&program, "equals", Some(2), &[6]),
        ]);
        assert_eq!(made, [expected]);
    }

    #[test]
    fn an_argument_becomes_null_where_the_method_checks_for_it() {
        let program = program();
        let statements = |to| {
            vec![
                int(7),
                Statement::Value(Value::Text("a".into())),
                call(&program, "<init>", None, &[0, 1]),
                Statement::Value(Value::Null(Type::object("java/lang/String"))),
                call(&program, "bill", Some(2), &[0, to]),
            ]
        };
        let mut without = statements(1);
        without.remove(3);
        let without = Sequence::new(without);
        let made = around(&program, &without, &[], &mut Checking::default());
        let wanted = Sequence::new(statements(3));
        assert!(made.contains(&wanted), "{made:?}");
        let null = |one: &&Statement| matches!(one, Statement::Value(Value::Null(_)));
        let nulls = made
            .iter()
            .map(|one| one.statements().iter().filter(null).count());
        assert_eq!(nulls.sum::<usize>(), 1, "the constructor checks nothing");
    }

    #[test]
    fn neighbours_are_well_formed_and_differ() {
        let program = program();
        let sequence = Sequence::new(vec![
            int(7),
            Statement::Value(Value::Text("a".into())),
            call(&program, "<init>", None, &[0, 1]),
            call(&program, "fee", Some(2), &[0, 0]),
            call(&program, "equals", Some(2), &[2]),
        ]);
        let made = around(&program, &sequence, &[], &mut Checking::default());
        for one in &made {
            assert_eq!(check(&program, one), Ok(()), "{one:?}");
            assert_ne!(*one, sequence);
        }
        // One of the uses of 7 alone, another case, a call left out and one made twice.
        let has = |wanted: &dyn Fn(&Sequence) -> bool| made.iter().any(wanted);
        assert!(has(
            &|one| one.statements().contains(&int(7)) && one.statements().contains(&int(8))
        ));
        assert!(has(&|one| {
            one.statements()[1] == Statement::Value(Value::Text("A".into()))
        }));
        assert!(has(&|one| one.len() == 4));
        assert!(has(
            &|one| one.statements()[3] == one.statements()[4] && one.len() == 6
        ));
    }
}
