//! Direct calls of what tests of other classes come to: what a class does is shown by calls of it.
//!
//! Comes in: chosen runs with the probes that each owns, an executor. Goes out: for each method of the subject that is
//! reached by a run about another class alone, a run that ends with a call of that method, where one can be made and touches
//! the same; it owns that then.
//! Does not know: what becomes of runs that own nothing any more.
//!
//! ```text
//! run                                                 owns                 becomes
//! period = …; service.quote(period)                   Period.days: 1 2     period = …; period.days()     owns 1 2
//! ```

use crate::drafting::Builder;
use crate::makers::Makers;
use crate::minimize::{Chosen, run_all, tier};
use palus_bytecode::{ClassId, ClassProbes, MethodId, Program, Type};
use palus_sequence::{
    Executor, ExecutorError, Probe, Run, Sequence, Statement, Value, Variable, check,
};
use std::collections::{BTreeMap, BTreeSet};

/// Adds runs that call directly what only runs about other classes come to, and gives them what they touch of that.
pub(crate) fn call_directly(
    builder: &Builder<'_>,
    chosen: &mut Vec<Chosen>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let home = &builder.home;
    let is_other = |one: &Chosen| {
        !home.is_about(&one.run) && one.owned.iter().any(|&probe| home.is_own(probe))
    };
    let others: Vec<usize> = (0..chosen.len())
        .filter(|&index| is_other(&chosen[index]))
        .collect();
    let sequences = direct_calls(builder, chosen, &others);
    if sequences.is_empty() {
        return Ok(());
    }
    executor.begin()?;
    let outcomes = run_all(executor, &sequences)?;
    for (sequence, outcome) in sequences.into_iter().zip(outcomes) {
        let length = sequence.len();
        let run = builder.writable(&Run { sequence, outcome });
        let Some(run) = run.filter(|run| run.sequence.len() == length) else {
            continue;
        };
        let is_writable = run.outcome.is_writable();
        let direct_tier = tier(&run.outcome.end, &run.sequence);
        let mut owned = Vec::new();
        for &index in others.iter().filter(|_| is_writable) {
            let other = &mut chosen[index];
            // An exception covers less than what ends by itself.
            if direct_tier > tier(&other.run.outcome.end, &other.run.sequence) {
                continue;
            }
            let touched = &run.outcome.coverage.probes;
            let is_taken =
                |probe: &Probe| home.is_own(*probe) && touched.binary_search(probe).is_ok();
            let (taken, left) = other.owned.iter().partition(|probe| is_taken(probe));
            other.owned = left;
            owned.extend::<Vec<Probe>>(taken);
        }
        if !owned.is_empty() {
            owned.sort_unstable();
            chosen.push(Chosen { run, owned });
        }
    }
    Ok(())
}

/// Calls of the methods of the subject that these runs are there for, with what they had made before their last call, or
/// by it; none twice.
fn direct_calls(builder: &Builder<'_>, chosen: &[Chosen], others: &[usize]) -> Vec<Sequence> {
    let (program, home) = (builder.program, &builder.home);
    if others.is_empty() {
        return Vec::new();
    }
    let runs: Vec<Run> = chosen.iter().map(|one| one.run.clone()).collect();
    let makers = Makers::of(program, &runs);
    let mut probes: BTreeMap<u32, ClassProbes> = BTreeMap::new();
    let (mut seen, mut calls) = (BTreeSet::new(), Vec::new());
    for &index in others {
        let one = &chosen[index];
        let own = one.owned.iter().filter(|probe| home.is_own(**probe));
        let methods = own.filter_map(|probe| {
            let of_class = probes
                .entry(probe.class)
                .or_insert_with(|| ClassProbes::of(program, ClassId(probe.class)));
            Some(of_class.named(probe.index)?.0)
        });
        let methods: BTreeSet<MethodId> = methods.collect();
        let whole = &one.run.sequence;
        let before = whole.prefix(whole.len() - 1);
        for method in methods {
            if !is_callable(program, method, builder.package) {
                continue;
            }
            let made = [&before, whole].map(|base| called(program, &makers, base, method));
            calls.extend(
                made.into_iter()
                    .flatten()
                    .filter(|one| seen.insert(one.clone())),
            );
        }
    }
    calls
}

fn is_callable(program: &Program, method: MethodId, package: &str) -> bool {
    let of = program.method(method);
    let is_made = !of.is_constructor() || !program.class(of.class).access.is_abstract();
    is_made && program.is_method_accessible(method, package)
}

/// The sequence and a call of a method, on and with what it made last of each type; for the rest what others made in a short
/// way, and plain constants.
pub(crate) fn called(
    program: &Program,
    makers: &Makers,
    base: &Sequence,
    method: MethodId,
) -> Option<Sequence> {
    let called = program.method(method);
    let mut made = base.clone();
    let receiver = if called.access.is_static() || called.is_constructor() {
        None
    } else {
        let wanted = Type::Object(program.class(called.class).name.clone());
        Some(last(program, base, &wanted)?)
    };
    let mut arguments = Vec::new();
    for wanted in &called.method_type.parameters {
        let argument = match last(program, base, wanted) {
            Some(known) => known,
            None => {
                if let Some(value) = plain(wanted) {
                    made.push(Statement::Value(value))
                } else {
                    let fitting = makers.fitting(program, std::slice::from_ref(wanted));
                    made.append(fitting.first()?);
                    made.last()
                }
            }
        };
        arguments.push(argument);
    }
    let made = made.extended(Statement::Call {
        method,
        receiver,
        arguments,
    });
    check(program, &made).is_ok().then_some(made)
}

/// The last variable of a type that is not `null` by itself.
fn last(program: &Program, base: &Sequence, wanted: &Type) -> Option<Variable> {
    let fits = |one: &Variable| {
        let statement = &base.statements()[one.index()];
        let is_null = matches!(statement, Statement::Value(Value::Null(_)));
        let of = base.type_of(program, *one);
        of != Type::Void && !is_null && program.is_assignable(&of, wanted)
    };
    (0..base.len() as u32).rev().map(Variable).find(fits)
}

/// A constant as a person would write one.
fn plain(wanted: &Type) -> Option<Value> {
    Some(match wanted {
        Type::Boolean => Value::Boolean(true),
        Type::Byte => Value::Byte(1),
        Type::Short => Value::Short(1),
        Type::Char => Value::Char(u16::from(b'a')),
        Type::Int => Value::Int(1),
        Type::Long => Value::Long(1),
        Type::Float => Value::Float(1.0f32.to_bits()),
        Type::Double => Value::Double(1.0f64.to_bits()),
        wanted if *wanted == Type::object("java/lang/String") => Value::Text("a".into()),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::about::Home;
    use crate::observer::Observers;
    use crate::testing::{FakeExecutor, int, subject};
    use palus_sequence::{End, Observation, Outcome};

    const SERVICE: (&str, &str) = (
        "demo/Service.java",
        "package demo; public class Service {
          public int quote(Period period, Guest guest) { return period.days() * period.rate(guest); } }
        class Period { Period(int days) { } int days() { return 7; } int rate(Guest guest) { return 2; } }
        class Guest { Guest(String name) { } }",
    );

    #[test]
    fn what_only_a_test_of_another_class_comes_to_is_called_directly() {
        let subject = subject(&[SERVICE]);
        let program = &subject.program;
        let class = subject.class("demo/Period");
        let builder = Builder {
            program,
            is_pure: &|_| false,
            package: "demo",
            makers: &BTreeMap::new(),
            home: Home::of(program, class),
            observers: Observers {
                program,
                is_pure: &|_| false,
                package: "demo",
                makers: &BTreeMap::new(),
            },
            files: None,
        };
        let mut script = subject.script();
        let service = script.construct("demo/Service", "()V", &[]);
        let days = script.int(7);
        let period = script.construct("demo/Period", "(I)V", &[days]);
        let name = script.text("Ann");
        let guest = script.construct("demo/Guest", "(Ljava/lang/String;)V", &[name]);
        let quote = "demo/Service.quote(Ldemo/Period;Ldemo/Guest;)I";
        script.call(quote, Some(service), &[period, guest], int(14));
        let probes = ClassProbes::of(program, class);
        let probe = |name: &str, descriptor: &str| {
            let method = program.declared_method(class, name, descriptor).unwrap();
            Probe {
                class: class.0,
                index: probes.entry(method).unwrap(),
            }
        };
        let days = probe("days", "()I");
        let rate = probe("rate", "(Ldemo/Guest;)I");
        let elsewhere = Probe {
            class: subject.class("demo/Service").0,
            index: 0,
        };
        let mut owned = vec![days, rate, elsewhere];
        owned.sort_unstable();
        let run = script.run();
        let mut chosen = vec![Chosen {
            run: run.clone(),
            owned,
        }];
        // `rate` hangs by itself.
        let mut executor = FakeExecutor {
            answer: |_, sequence: &Sequence| {
                let Some(Statement::Call { method, .. }) = sequence.statements().last() else {
                    panic!("{sequence:?}");
                };
                let is_days = *program.method(*method).name == *"days";
                let end = if is_days {
                    End::Completed
                } else {
                    End::TimedOut
                };
                let seen = sequence.statements().iter().map(|_| Observation::Nothing);
                let mut outcome = Outcome::new(end, seen.collect());
                outcome.coverage.probes = vec![days];
                outcome
            },
            begins: 0,
            forgets: 0,
        };
        call_directly(&builder, &mut chosen, &mut executor).unwrap();
        assert_eq!(chosen[0].run, run);
        assert!(!chosen[0].owned.contains(&days) && chosen[0].owned.contains(&rate));
        assert_eq!(chosen.len(), 2);
        assert_eq!(chosen[1].owned, [days]);
        let before = run.sequence.prefix(run.sequence.len() - 1);
        let expected = called(
            program,
            &Makers::default(),
            &before,
            probes.named(days.index).unwrap().0,
        );
        assert_eq!(Some(&chosen[1].run.sequence), expected.as_ref());
    }

    #[test]
    fn a_method_is_called_on_and_with_what_was_made_last_or_a_plain_constant() {
        let code = "package demo; public class Order {
          public Order(String name) { limit(3); }
          public Order limit(int most) { return this; }
          public Order add(Order other, String name, double price) { return this; }
          public Order in(java.util.Locale locale) { return this; }
        }";
        let subject = subject(&[("demo/Order.java", code)]);
        let program = &subject.program;
        let mut script = subject.script();
        let name = script.text("x");
        script.construct("demo/Order", "(Ljava/lang/String;)V", &[name]);
        let base = script.run().sequence;
        let class = subject.class("demo/Order");
        let with = |name: &str, descriptor: &str| {
            let method = program.declared_method(class, name, descriptor).unwrap();
            let made = called(program, &Makers::default(), &base, method)?;
            Some(made.statements()[base.len()..].to_vec())
        };
        let call = |name: &str, descriptor: &str, arguments: &[u32]| Statement::Call {
            method: program.declared_method(class, name, descriptor).unwrap(),
            receiver: Some(Variable(1)),
            arguments: arguments.iter().copied().map(Variable).collect(),
        };
        let limit = "(I)Ldemo/Order;";
        assert_eq!(
            with("limit", limit),
            Some(vec![
                Statement::Value(Value::Int(1)),
                call("limit", limit, &[2])
            ])
        );
        let add = "(Ldemo/Order;Ljava/lang/String;D)Ldemo/Order;";
        let price = Value::Double(1.0f64.to_bits());
        assert_eq!(
            with("add", add),
            Some(vec![Statement::Value(price), call("add", add, &[1, 0, 2])])
        );
        assert_eq!(with("in", "(Ljava/util/Locale;)Ldemo/Order;"), None);
    }
}
