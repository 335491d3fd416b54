//! Simpler objects in the place of those that a test makes: what a reader takes in at once.
//!
//! Comes in: a sequence and one of its statements. Goes out: the same sequence with something simpler there, simplest first,
//! without what only the former object needed. Whether the test still shows what it is there for is the caller's question.
//! Does not know: runs, coverage.
//!
//! ```text
//! new ArrayStack(); TreeBag.decorate(…); push(bag)       ways for the bag: "a", new ArrayList<>(), …
//! new ArrayStack(); "a"; push("a")                       the first of them
//! ```

use crate::cut::{keep, weight};
use crate::makers::Makers;
use palus_bytecode::{MethodId, Origin, Program, Type};
use palus_sequence::{
    Content, Observation, Run, Sequence, Statement, Value, Variable, open_methods,
};
use std::collections::BTreeSet;

/// What anybody who reads Java has seen, where a supertype of it is wanted.
const USUAL: [&str; 3] = [
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/HashSet",
];

/// Digits of a number as a person types it, beside zeros at its end.
const MOST_DIGITS: usize = 6;

/// A text as a person types it.
const TEXT: &str = "a";

/// Dates and times of the JDK that are made of a text by `parse`.
const DATES: [&str; 10] = [
    "java/time/Duration",
    "java/time/Instant",
    "java/time/LocalDate",
    "java/time/LocalDateTime",
    "java/time/LocalTime",
    "java/time/OffsetDateTime",
    "java/time/Period",
    "java/time/Year",
    "java/time/YearMonth",
    "java/time/ZonedDateTime",
];

/// A year as a person types it, and between which years they all are.
const YEAR: i32 = 2024;
const YEARS: std::ops::RangeInclusive<i32> = 1900..=2100;

/// Statements before the tail that make an object which others use, or are a value that nobody would type, last first.
pub(crate) fn replaceable(program: &Program, sequence: &Sequence, tail: usize) -> Vec<usize> {
    let statements = sequence.statements();
    let before_tail = statements.len().saturating_sub(tail);
    let makes = |index: &usize| match &statements[*index] {
        Statement::Call { method, .. } => {
            let is_object = matches!(statements[*index].defined_type(program), Type::Object(_));
            is_object && !is_usual(program, *method)
        }
        Statement::Value(value) => !plainer(value).is_empty(),
        _ => false,
    };
    (0..before_tail).rev().filter(makes).collect()
}

/// True for `new ArrayList<>()` and the like.
fn is_usual(program: &Program, method: MethodId) -> bool {
    let method = program.method(method);
    let class = program.class(method.class);
    method.is_constructor()
        && method.method_type.parameters.is_empty()
        && class.origin == Origin::Platform
}

/// The sequences with something simpler than what this statement makes, simplest first.
pub(crate) fn ways(program: &Program, makers: &Makers, run: &Run, index: usize) -> Vec<Sequence> {
    let sequence = &run.sequence;
    let statements = sequence.statements();
    if let Statement::Value(value) = &statements[index] {
        let plainer = plainer(value).into_iter();
        let plainer = plainer.map(|value| Sequence::new(vec![Statement::Value(value)]));
        return plainer
            .map(|value| replaced(sequence, index, &value))
            .collect();
    }
    let Some(wanted) = wanted(program, sequence, Variable(index as u32)) else {
        return Vec::new();
    };
    let empty = USUAL
        .into_iter()
        .filter_map(|name| no_argument_constructor(program, name))
        .map(|method| Statement::Call {
            method,
            receiver: None,
            arguments: Vec::new(),
        });
    let fits = |statement: &Statement| {
        let new = statement.defined_type(program);
        wanted
            .iter()
            .all(|wanted| program.is_assignable(&new, wanted))
    };
    let text = Statement::Value(Value::Text(TEXT.into()));
    let single = std::iter::once(text)
        .chain(empty)
        .filter(|statement| *statement != statements[index] && fits(statement))
        .map(|statement| Sequence::new(vec![statement]));
    let of_runs = makers.fitting(program, &wanted).into_iter().cloned();
    let seen = run.outcome.observations.get(index);
    let same = seen.and_then(|seen| match seen {
        Observation::Object { same_as, .. } => *same_as,
        _ => None,
    });
    let same = same.map(|earlier| the_same(sequence, index, Variable(earlier)));
    let in_usual_year = in_usual_year(program, sequence, index);
    let written = seen.filter(|_| is_to_be_written_out(program, sequence, index));
    let written = written.and_then(|seen| written_out(program, seen));
    let written = written.map(|way| replaced(sequence, index, &way));
    let written: Vec<Sequence> = written
        .into_iter()
        .filter(|simpler| simpler != sequence)
        .filter(|simpler| weight(simpler) <= weight(sequence))
        .collect();
    let others = single.chain(of_runs);
    let simpler = same
        .into_iter()
        .chain(others.map(|way| replaced(sequence, index, &way)))
        .filter(|simpler| weight(simpler) < weight(sequence));
    let written = in_usual_year.into_iter().chain(written);
    written.chain(simpler).collect()
}

/// With a year that people have to do with, where a call of the JDK makes a date of another: `LocalDate.of(7, 7, 8)`. What
/// else has the same number keeps it.
fn in_usual_year(program: &Program, sequence: &Sequence, index: usize) -> Option<Sequence> {
    let statements = sequence.statements();
    let Statement::Call {
        method,
        receiver: None,
        arguments,
    } = &statements[index]
    else {
        return None;
    };
    let called = program.method(*method);
    let is_of_year = &*called.name == "of"
        && DATES.contains(&&*program.class(called.class).name)
        && called.method_type.parameters.first() == Some(&Type::Int)
        && &*program.class(called.class).name != "java/time/LocalTime"
        && &*program.class(called.class).name != "java/time/Period";
    let (year, rest) = arguments.split_first().filter(|_| is_of_year)?;
    let is_odd = matches!(&statements[year.index()], Statement::Value(Value::Int(year)) if !YEARS.contains(year));
    if !is_odd {
        return None;
    }
    let moved = |used: Variable| Variable(used.0 + u32::from(used.index() >= index));
    let mut changed = statements[..index].to_vec();
    changed.push(Statement::Value(Value::Int(YEAR)));
    let year = Variable(index as u32);
    changed.push(Statement::Call {
        method: *method,
        receiver: None,
        arguments: std::iter::once(&year).chain(rest).copied().collect(),
    });
    let behind = statements[index + 1..].iter();
    changed.extend(behind.map(|statement| statement.renamed(moved)));
    Some(keep(&Sequence::new(changed), |_| true))
}

/// The same of the text of a date: `0021-01-19`.
fn with_usual_year(text: &str) -> Option<String> {
    let digits = text.trim_start_matches(['+', '-']);
    let (year, rest) = digits.split_once('-')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|one| one.is_ascii_digit());
    let month = rest.get(..2).filter(|month| is_number(month));
    let is_date = year.len() >= 4 && is_number(year) && month.is_some();
    let is_odd =
        text.len() > digits.len() || year.parse().is_ok_and(|year: i32| !YEARS.contains(&year));
    (is_date && is_odd).then(|| format!("{YEAR}-{rest}"))
}

/// Whether a text says more than the call that gives a date: a number of days since 1970, or what the subject makes of a
/// clock that the test gives it. Without that it may be today's date.
fn is_to_be_written_out(program: &Program, sequence: &Sequence, index: usize) -> bool {
    let Statement::Call { method, .. } = &sequence.statements()[index] else {
        return false;
    };
    let method = program.method(*method);
    if program.class(method.class).origin == Origin::Platform {
        return &*method.name == "ofEpochDay";
    }
    let mut open = vec![Variable(index as u32)];
    let mut seen = BTreeSet::new();
    while let Some(one) = open.pop() {
        if sequence.type_of(program, one).class_name() == Some("java/time/Clock") {
            return true;
        }
        if seen.insert(one) {
            open.extend(sequence.statements()[one.index()].uses());
        }
    }
    false
}

/// A date or a time as its text says it.
fn written_out(program: &Program, seen: &Observation) -> Option<Sequence> {
    let Observation::Object {
        class,
        content: Some(Content::Text(text)),
        ..
    } = seen
    else {
        return None;
    };
    if !DATES.contains(&&**class) {
        return None;
    }
    let parse = format!("(Ljava/lang/CharSequence;)L{class};");
    let method = program.declared_method(program.class_named(class)?, "parse", &parse)?;
    let mut way = Sequence::new(vec![Statement::Value(Value::Text(text.clone()))]);
    let text = way.last();
    way.push(Statement::Call {
        method,
        receiver: None,
        arguments: vec![text],
    });
    Some(way)
}

/// With what another sequence makes in the place of a statement, and without what was made for that alone.
fn replaced(sequence: &Sequence, index: usize, way: &Sequence) -> Sequence {
    let statements = sequence.statements();
    let more = way.len() - 1;
    let moved = |used: Variable| {
        let is_behind = used.index() >= index;
        Variable(used.0 + if is_behind { more as u32 } else { 0 })
    };
    let mut changed = statements[..index].to_vec();
    for statement in way.statements() {
        changed.push(statement.renamed(|used| Variable(used.0 + index as u32)));
    }
    let rest = statements[index + 1..].iter();
    changed.extend(rest.map(|statement| statement.renamed(moved)));
    let mut open = statements[index].uses();
    let mut removed = BTreeSet::new();
    while let Some(variable) = open.pop() {
        let uses = |(at, statement): (usize, &Statement)| {
            !removed.contains(&at) && statement.uses().contains(&variable)
        };
        if !changed.iter().enumerate().any(uses) && removed.insert(variable.index()) {
            open.extend(changed[variable.index()].uses());
        }
    }
    keep(&Sequence::new(changed), |index| !removed.contains(&index))
}

/// With an earlier variable in the place of one that holds the same object.
fn the_same(sequence: &Sequence, index: usize, earlier: Variable) -> Sequence {
    let statements = sequence.statements().iter();
    let renamed = |used: Variable| {
        if used.index() == index { earlier } else { used }
    };
    let changed = Sequence::new(
        statements
            .map(|statement| statement.renamed(renamed))
            .collect(),
    );
    keep(&changed, |at| at != index)
}

/// What a person might have typed in the place of a value that looks like noise: a number of many digits, a text with
/// characters that nobody sees.
fn plainer(value: &Value) -> Vec<Value> {
    match value {
        Value::Int(number) => {
            let plainer = plain_numbers(i64::from(*number)).into_iter();
            plainer
                .filter_map(|number| i32::try_from(number).ok())
                .map(Value::Int)
                .collect()
        }
        Value::Long(number) => plain_numbers(*number)
            .into_iter()
            .map(Value::Long)
            .collect(),
        Value::Double(bits) => {
            let number = f64::from_bits(*bits);
            let is_typed = !number.is_finite()
                || [f64::MAX, f64::MIN_POSITIVE].contains(&number.abs())
                || format!("{number:?}").len() <= MOST_DIGITS;
            let plainer = [1.0, 10.0, 0.5, 1000.0].map(|one: f64| one.copysign(number));
            let plainer = plainer.map(|one| Value::Double(one.to_bits()));
            plainer.into_iter().filter(|_| !is_typed).collect()
        }
        Value::Text(text) if with_usual_year(text).is_some() => {
            let text = with_usual_year(text).into_iter();
            text.map(|text| Value::Text(text.into())).collect()
        }
        Value::Text(text) if text.chars().any(is_noise) => {
            let without: String = text.chars().filter(|one| !is_noise(*one)).collect();
            let other: String = text
                .chars()
                .map(|one| if is_noise(one) { 'x' } else { one })
                .collect();
            [without, other]
                .map(|text| Value::Text(text.into()))
                .to_vec()
        }
        _ => Vec::new(),
    }
}

fn is_noise(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\t' | '\r')
}

/// Powers of ten of the same sign, for a number with more digits than a person types.
fn plain_numbers(number: i64) -> Vec<i64> {
    let digits = number.unsigned_abs().to_string();
    let is_typed = digits.trim_end_matches('0').len() <= MOST_DIGITS
        || [i64::MIN, i64::MAX, i64::from(i32::MIN), i64::from(i32::MAX)].contains(&number);
    if is_typed {
        return Vec::new();
    }
    let powers = [
        1,
        10,
        100,
        1_000,
        1_000_000,
        1_000_000_000,
        1_000_000_000_000,
    ];
    let powers = powers.into_iter().map(|power: i64| power * number.signum());
    powers
        .filter(|power| power.unsigned_abs() < number.unsigned_abs())
        .collect()
}

/// A public constructor without parameters of a class that tests anywhere may name.
/// Of those of the JDK's collections only: another class's may look at the clock, or draw a number, where one with
/// parameters was given them.
fn no_argument_constructor(program: &Program, name: &str) -> Option<MethodId> {
    let class = program.class(program.class_named(name)?);
    let method = program.declared_method(class.id, "<init>", "()V")?;
    let is_open = class.access.is_public()
        && !class.access.is_abstract()
        && program.method(method).access.is_public()
        && class.outer.is_none();
    is_open.then_some(method)
}

/// The types as which a variable is used; none where nobody uses it, or in a way that says too little.
fn wanted(program: &Program, sequence: &Sequence, variable: Variable) -> Option<Vec<Type>> {
    let class_type = |class| Type::Object(program.class(class).name.clone());
    let mut wanted = Vec::new();
    for statement in sequence.statements() {
        if !statement.uses().contains(&variable) {
            continue;
        }
        match statement {
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let called = program.method(*method);
                if *receiver == Some(variable) {
                    wanted.push(class_type(called.class));
                }
                let parameters = called.method_type.parameters.iter().zip(arguments);
                let given = parameters.filter(|(_, argument)| **argument == variable);
                wanted.extend(given.map(|(parameter, _)| parameter.clone()));
            }
            Statement::NewArray { element, .. } => wanted.push(element.clone()),
            Statement::Stub { class, answers } => {
                for (method, answer) in open_methods(program, *class).into_iter().zip(answers) {
                    let returned = &program.method(method).method_type.returns;
                    if *answer != Some(variable) {
                        continue;
                    }
                    // A method may also throw it, or keep its calls in it.
                    if !program.is_assignable(&sequence.type_of(program, variable), returned) {
                        return None;
                    }
                    wanted.push(returned.clone());
                }
            }
            _ => return None,
        }
    }
    (!wanted.is_empty()).then_some(wanted)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Script, object, subject};

    const STACK: (&str, &str) = (
        "demo/Stack.java",
        "package demo; import java.util.*; public class Stack {
          public Stack() { } public Stack(int size) { }
          public void push(Object item) { }
          public void fill(Map<String, String> from) { }
          public static Stack wrap(Stack inner) { return inner; }
          public static Map<String, String> map(Stack of) { return null; }
        }",
    );

    /// Per replaceable statement, last first: the ways, each as its calls and values.
    fn ways_of(write: impl Fn(&mut Script<'_>)) -> Vec<String> {
        ways_beside(|_| {}, write)
    }

    /// The same where there is another run too.
    fn ways_beside(
        other: impl Fn(&mut Script<'_>),
        write: impl Fn(&mut Script<'_>),
    ) -> Vec<String> {
        let subject = subject(&[STACK]);
        let program = &subject.program;
        let mut script = subject.script();
        other(&mut script);
        let makers = Makers::of(program, &[script.run()]);
        let mut script = subject.script();
        write(&mut script);
        let run = script.run();
        let sequence = &run.sequence;
        let short = |statement: &Statement| match statement {
            Statement::Value(Value::Text(text)) => format!("\"{text}\""),
            Statement::Call {
                method, arguments, ..
            } => {
                let method = program.method(*method);
                let class = program.class(method.class).name.rsplit('/').next().unwrap();
                let name = if method.is_constructor() {
                    "new"
                } else {
                    &*method.name
                };
                format!("{class}.{name}/{}", arguments.len())
            }
            other => format!("{other:?}"),
        };
        let text = |sequence: &Sequence| {
            let statements = sequence.statements().iter();
            statements.map(short).collect::<Vec<_>>().join(" ")
        };
        let mut rows = Vec::new();
        for index in replaceable(program, sequence, 1) {
            rows.extend(ways(program, &makers, &run, index).iter().map(text));
            rows.push("-".to_owned());
        }
        rows
    }

    #[test]
    fn what_may_be_any_object_becomes_a_text_first() {
        let rows = ways_of(|script| {
            let stack = script.construct("demo/Stack", "()V", &[]);
            let inner = script.construct("demo/Stack", "()V", &[]);
            let wrap = "demo/Stack.wrap(Ldemo/Stack;)Ldemo/Stack;";
            let item = script.call(wrap, None, &[inner], object("demo/Stack"));
            let push = "demo/Stack.push(Ljava/lang/Object;)V";
            script.call(push, Some(stack), &[item], Observation::Nothing);
        });
        let expected = [
            "Stack.new/0 \"a\" Stack.push/1",
            "Stack.new/0 ArrayList.new/0 Stack.push/1",
            "Stack.new/0 HashMap.new/0 Stack.push/1",
            "Stack.new/0 HashSet.new/0 Stack.push/1",
            "-",
            "-",
            "-",
        ];
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_receiver_stays_and_a_map_becomes_one_of_the_jdks() {
        let rows = ways_of(|script| {
            let size = script.int(8);
            let stack = script.construct("demo/Stack", "(I)V", &[size]);
            let map = "demo/Stack.map(Ldemo/Stack;)Ljava/util/Map;";
            let from = script.call(map, None, &[stack], object("java/util/HashMap"));
            let fill = "demo/Stack.fill(Ljava/util/Map;)V";
            script.call(fill, Some(stack), &[from], Observation::Nothing);
        });
        assert_eq!(
            rows,
            [
                "Value(Int(8)) Stack.new/1 HashMap.new/0 Stack.fill/1",
                "-",
                "-",
            ]
        );
    }

    const WRAP: &str = "demo/Stack.wrap(Ldemo/Stack;)Ldemo/Stack;";

    #[test]
    fn an_object_is_made_as_another_run_makes_one_but_by_no_constructor_that_may_ask() {
        let rows = ways_beside(
            |script| {
                script.construct("demo/Stack", "()V", &[]);
                let size = script.int(8);
                script.construct("demo/Stack", "(I)V", &[size]);
            },
            |script| {
                let size = script.int(3);
                let inner = script.construct("demo/Stack", "(I)V", &[size]);
                let stack = script.call(WRAP, None, &[inner], object("demo/Stack"));
                let again = script.call(WRAP, None, &[stack], object("demo/Stack"));
                let map = "demo/Stack.map(Ldemo/Stack;)Ljava/util/Map;";
                script.call(map, None, &[again], object("java/util/HashMap"));
            },
        );
        assert_eq!(
            rows,
            [
                "Value(Int(8)) Stack.new/1 Stack.map/1",
                "-",
                "Value(Int(8)) Stack.new/1 Stack.wrap/1 Stack.map/1",
                "-",
                "-",
            ]
        );
    }

    #[test]
    fn what_is_an_earlier_object_is_that() {
        let rows = ways_of(|script| {
            let size = script.int(3);
            let inner = script.construct("demo/Stack", "(I)V", &[size]);
            let mut same = object("demo/Stack");
            if let Observation::Object { same_as, .. } = &mut same {
                *same_as = Some(inner.0);
            }
            let stack = script.call(WRAP, None, &[inner], same);
            let map = "demo/Stack.map(Ldemo/Stack;)Ljava/util/Map;";
            script.call(map, None, &[stack], object("java/util/HashMap"));
        });
        assert_eq!(rows, ["Value(Int(3)) Stack.new/1 Stack.map/1", "-", "-"]);
    }

    #[test]
    fn noise_becomes_what_a_person_types() {
        let long = |number: i64| plainer(&Value::Long(number)).first().cloned();
        assert_eq!(long(-4_494_803_531_756_289), Some(Value::Long(-1)));
        assert_eq!(long(2_592_000_000), None);
        assert_eq!(long(i64::MIN), None);
        let int = |number: i32| plainer(&Value::Int(number)).last().cloned();
        assert_eq!(int(385_239_859), Some(Value::Int(1_000_000)));
        assert_eq!(int(123_456), None);
        let double = |number: f64| plainer(&Value::Double(number.to_bits())).len();
        assert_eq!(
            [-3.0e-310, 1.5, f64::MAX, f64::NAN].map(double),
            [4, 0, 0, 0]
        );
        let text = plainer(&Value::Text("Gra\u{1}ce\n".into()));
        assert_eq!(
            text,
            ["Grace\n", "Graxce\n"].map(|one| Value::Text(one.into()))
        );
    }

    #[test]
    fn a_date_is_written_out_wherever_it_comes_from() {
        let date = "package java.time; public class LocalDate {
          public static LocalDate parse(CharSequence text) { return null; }
          public static LocalDate of(int year) { return null; } }";
        let clock = "package java.time; public class Clock { }";
        let plan = "package demo; import java.time.*; public class Plan {
          public Plan(LocalDate from) { }
          public LocalDate due(Clock clock) { return null; } }";
        let files = [
            ("java/time/LocalDate.java", date),
            ("java/time/Clock.java", clock),
            ("demo/Plan.java", plan),
        ];
        let subject = subject(&files);
        let program = &subject.program;
        let mut seen = object("java/time/LocalDate");
        if let Observation::Object { content, .. } = &mut seen {
            *content = Some(Content::Text("1970-01-15".into()));
        }
        let new = "(Ljava/time/LocalDate;)V";
        let parse = "java/time/LocalDate.parse(Ljava/lang/CharSequence;)Ljava/time/LocalDate;";
        let mut script = subject.script();
        let none = script.null("Ljava/time/LocalDate;");
        let other = script.construct("demo/Plan", new, &[none]);
        let due = "demo/Plan.due(Ljava/time/Clock;)Ljava/time/LocalDate;";
        let of = |clock: Variable, mut script: Script<'_>| {
            let day = script.call(due, Some(other), &[clock], seen.clone());
            script.construct("demo/Plan", new, &[day]);
            script.run()
        };
        let mut without = script.clone();
        let given = without.construct("java/lang/Object", "()V", &[]);
        let today = of(given, without);
        let given = script.construct("java/time/Clock", "()V", &[]);
        let run = of(given, script);
        let mut script = subject.script();
        let text = script.text("1970-01-15");
        let day = script.call(parse, None, &[text], seen.clone());
        script.construct("demo/Plan", new, &[day]);
        let written = script.run();
        let ways_of = |run: &Run| {
            let at = replaceable(program, &run.sequence, 1)[0];
            ways(program, &Makers::default(), run, at)
        };
        assert_eq!(ways_of(&run), std::slice::from_ref(&written.sequence));
        assert_eq!(ways_of(&written), []);
        // It may be the date of today.
        assert_eq!(ways_of(&today), []);
    }

    #[test]
    fn a_date_has_a_year_that_people_have_to_do_with() {
        let date = "package java.time; public class LocalDate {
          public static LocalDate of(int year, int month, int day) { return null; } }";
        let plan = "package demo; import java.time.*; public class Plan { public Plan(LocalDate from) { } }";
        let files = [("java/time/LocalDate.java", date), ("demo/Plan.java", plan)];
        let subject = subject(&files);
        let with_year = |year: Option<i32>| {
            let mut script = subject.script();
            let seven = script.int(7);
            let year = year.map_or(seven, |year| script.int(year));
            let of = "java/time/LocalDate.of(III)Ljava/time/LocalDate;";
            let day = script.call(
                of,
                None,
                &[year, seven, seven],
                object("java/time/LocalDate"),
            );
            script.construct("demo/Plan", "(Ljava/time/LocalDate;)V", &[day]);
            script.run()
        };
        let first_way = |run: &Run| {
            let at = replaceable(&subject.program, &run.sequence, 1)[0];
            let ways = ways(&subject.program, &Makers::default(), run, at);
            ways.into_iter().next()
        };
        let usual = with_year(Some(YEAR));
        assert_eq!(first_way(&with_year(None)), Some(usual.sequence.clone()));
        assert_eq!(first_way(&usual), None);
        let text = |text: &str| plainer(&Value::Text(text.into()));
        let expected = [Value::Text("2024-01-19T19:02".into())];
        assert_eq!(text("0021-01-19T19:02"), expected);
        assert_eq!(text("-0001-01-19T19:02"), expected);
        assert_eq!(text("1999-01-19"), []);
        assert_eq!(text("21-04"), []);
    }

    #[test]
    fn what_is_as_simple_as_can_be_stays() {
        let rows = ways_of(|script| {
            let stack = script.construct("demo/Stack", "()V", &[]);
            let list = script.construct("java/util/ArrayList", "()V", &[]);
            let push = "demo/Stack.push(Ljava/lang/Object;)V";
            script.call(push, Some(stack), &[list], Observation::Nothing);
        });
        assert_eq!(rows, ["-"]);
    }
}
