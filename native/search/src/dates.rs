//! Input to state for dates: a date that a sequence makes of year, month and day becomes the date that it was compared
//! with, and the days beside that.
//!
//! Comes in: a sequence and a [`Comparison`] that its run made, of days since 1970 or of seconds since then. Goes out:
//! sequences that may decide the comparison the other way, as [`fed`](crate::operands::fed) does it for numbers.
//! Does not know: which outcome is wanted.
//!
//! ```text
//! LocalDate.of(2024, 1, 30)      the code asks whether it comes before 2 February: 19752, 19755
//! LocalDate.of(2024, 2, 2)       and the 3rd, and the 1st
//! ```

use palus_bytecode::Program;
use palus_sequence::{Comparison, Sequence, Statement, Value, Variable};
use time::Date;

/// Julian day of 1 January 1970.
const FIRST_DAY: i64 = 2_440_588;
const SECONDS_OF_DAY: i64 = 86_400;

/// The sequences to try for a comparison.
pub(crate) fn dated(
    program: &Program,
    sequence: &Sequence,
    comparison: &Comparison,
) -> Vec<Sequence> {
    let (Value::Long(left), Value::Long(right)) = (&comparison.left, &comparison.right) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for index in 0..sequence.len() {
        let Some((day, unit)) = day_of(program, sequence, index) else {
            continue;
        };
        for (seen, wished) in [(left, right), (right, left)] {
            if seen.div_euclid(unit) != day {
                continue;
            }
            let wished = wished.div_euclid(unit);
            for other in [Some(wished), wished.checked_add(1), wished.checked_sub(1)] {
                let other = other.filter(|other| *other != day);
                found.extend(other.and_then(|other| on_day(sequence, index, other)));
            }
        }
    }
    found
}

/// The day since 1970 that a statement makes of constants, and how many of what is compared a day has.
fn day_of(program: &Program, sequence: &Sequence, index: usize) -> Option<(i64, i64)> {
    let Statement::Call {
        method,
        receiver: None,
        arguments,
    } = &sequence.statements()[index]
    else {
        return None;
    };
    let method = program.method(*method);
    let unit = match &*program.class(method.class).name {
        "java/time/LocalDate" => 1,
        "java/time/LocalDateTime" => SECONDS_OF_DAY,
        _ => return None,
    };
    if &*method.name != "of" || arguments.len() < 3 {
        return None;
    }
    let number = |place: usize| {
        let made = sequence.statements().get(arguments.get(place)?.index())?;
        match made {
            Statement::Value(Value::Int(number)) => Some(*number),
            _ => None,
        }
    };
    let month = u8::try_from(number(1)?).ok()?;
    let month = time::Month::try_from(month).ok()?;
    let day = u8::try_from(number(2)?).ok()?;
    let date = Date::from_calendar_date(number(0)?, month, day).ok()?;
    Some((i64::from(date.to_julian_day()) - FIRST_DAY, unit))
}

/// With constants of its own for year, month and day.
fn on_day(sequence: &Sequence, index: usize, day: i64) -> Option<Sequence> {
    let day = i32::try_from(day.checked_add(FIRST_DAY)?).ok()?;
    let date = Date::from_julian_day(day).ok()?;
    let parts = [
        date.year(),
        i32::from(u8::from(date.month())),
        i32::from(date.day()),
    ];
    let shift = parts.len() as u32;
    let behind = |used: Variable| {
        let is_behind = used.index() >= index;
        Variable(used.0 + if is_behind { shift } else { 0 })
    };
    let (before, rest) = sequence.statements().split_at(index);
    let (call, rest) = rest.split_first()?;
    let mut place = 0;
    let call = call.renamed(|used| {
        place += 1;
        if place <= shift {
            Variable(index as u32 + place - 1)
        } else {
            used
        }
    });
    let mut statements = before.to_vec();
    statements.extend(parts.map(|part| Statement::Value(Value::Int(part))));
    statements.push(call);
    statements.extend(rest.iter().map(|statement| statement.renamed(behind)));
    Some(Sequence::new(statements))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, ProgramBuilder};
    use palus_sequence::{Probe, Relation, check};

    fn program() -> Program {
        let date = "package java.time; public class LocalDate {
            public static LocalDate of(int year, int month, int day) { return null; } }";
        let time = "package java.time; public class LocalDateTime {
            public static LocalDateTime of(int year, int month, int day, int hour, int minute) { return null; } }";
        let files = [
            ("java/time/LocalDate.java", date),
            ("java/time/LocalDateTime.java", time),
        ];
        let mut builder = ProgramBuilder::new();
        // Before there were modules.
        let options = palus_fixture::Options {
            release: Some(8),
            ..palus_fixture::Options::default()
        };
        for (_, bytes) in &palus_fixture::compile_with(&files, &options).classes {
            builder.add(Origin::Platform, bytes).unwrap();
        }
        let object = palus_fixture::platform_class("java/lang/Object").unwrap();
        builder.add(Origin::Platform, &object).unwrap();
        builder.finish()
    }

    fn of(program: &Program, class: &str, arguments: &[u32]) -> Statement {
        let class = program.class_named(class).unwrap();
        let mut methods = program.class(class).methods.iter().copied();
        let wanted = |method: &palus_bytecode::MethodId| {
            let method = program.method(*method);
            let parameters = &method.method_type.parameters;
            let is_of_ints = parameters
                .iter()
                .all(|one| *one == palus_bytecode::Type::Int);
            &*method.name == "of" && parameters.len() == arguments.len() && is_of_ints
        };
        Statement::Call {
            method: methods.find(wanted).unwrap(),
            receiver: None,
            arguments: arguments.iter().copied().map(Variable).collect(),
        }
    }

    fn int(number: i32) -> Statement {
        Statement::Value(Value::Int(number))
    }

    fn seen(left: i64, right: i64) -> Comparison {
        Comparison {
            probe: Probe { class: 0, index: 1 },
            relation: Relation::Order,
            left: Value::Long(left),
            right: Value::Long(right),
        }
    }

    fn ints(sequence: &Sequence) -> Vec<i32> {
        let Some(Statement::Call { arguments, .. }) = sequence.statements().last() else {
            panic!("{sequence:?}");
        };
        let number = |used: &Variable| match &sequence.statements()[used.index()] {
            Statement::Value(Value::Int(number)) => *number,
            other => panic!("{other:?}"),
        };
        arguments.iter().map(number).collect()
    }

    #[test]
    fn a_date_becomes_the_one_that_it_was_compared_with_and_the_days_beside_it() {
        let program = program();
        // Month and day are one constant.
        let made = of(&program, "java/time/LocalDate", &[0, 1, 1]);
        let sequence = Sequence::new(vec![int(2024), int(2), made]);
        let found = dated(&program, &sequence, &seen(19_755, 19_782));
        assert_eq!(
            found.iter().map(ints).collect::<Vec<_>>(),
            [[2024, 2, 29], [2024, 3, 1], [2024, 2, 28]]
        );
        for one in &found {
            assert_eq!(check(&program, one), Ok(()));
        }
        // Neither side is this date.
        assert_eq!(dated(&program, &sequence, &seen(3, 4)), []);
    }

    #[test]
    fn a_time_keeps_its_hour() {
        let program = program();
        let made = of(&program, "java/time/LocalDateTime", &[0, 1, 2, 3, 3]);
        let sequence = Sequence::new(vec![int(1970), int(1), int(2), int(7), made]);
        let noon = SECONDS_OF_DAY + 7 * 3_600 + 7 * 60;
        let found = dated(&program, &sequence, &seen(5 * SECONDS_OF_DAY, noon));
        assert_eq!(ints(&found[0]), [1970, 1, 6, 7, 7]);
    }

    #[test]
    fn what_is_no_date_changes_nothing() {
        let program = program();
        let made = of(&program, "java/time/LocalDate", &[0, 1, 1]);
        let sequence = Sequence::new(vec![int(2024), int(31), made]);
        assert_eq!(dated(&program, &sequence, &seen(19_755, 19_782)), []);
        let sequence = Sequence::new(vec![int(1), int(2)]);
        assert_eq!(dated(&program, &sequence, &seen(i64::MAX, i64::MIN)), []);
    }
}
