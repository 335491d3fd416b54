//! Changed constants: numbers by a delta, characters of texts one by one, other constants of an enum.
//!
//! Comes in: a constant. Goes out: another one of the same type.
//! Fraser, Arcuri, "Whole Test Suite Generation", TSE 2013, section 3.4. The normal distribution is that of twelve even
//! draws, which is the same on every machine.
//! Does not know: where the constant stands.

use crate::parameters::{DEVIATION, NEW_NUMBER};
use palus_bytecode::{ClassId, Program, Type};
use palus_generate::{Rng, Sources};
use palus_sequence::Value;
use std::sync::Arc;

/// Longer texts are not made.
const LONGEST_TEXT: usize = 400;
/// Draws until a constant has changed.
const TRIES: usize = 8;

/// A draw from the normal distribution with mean 0 and deviation 1.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).map(|_| rng.even()).sum::<f64>() - 6.0
}

fn delta(rng: &mut Rng) -> i64 {
    (normal(rng) * DEVIATION).floor() as i64
}

/// Another constant of the same type; none where there is no other, as for `null`.
pub(crate) fn changed(sources: &mut Sources<'_>, value: &Value) -> Option<Value> {
    for _ in 0..TRIES {
        let other = change(sources, value)?;
        if other != *value {
            return Some(other);
        }
    }
    None
}

/// A number that is a power of two more or less; none for what is no whole number, or where it would run over.
pub(crate) fn leapt(rng: &mut Rng, value: &Value) -> Option<Value> {
    let bits = match value {
        Value::Byte(_) => 7,
        Value::Short(_) | Value::Char(_) => 15,
        Value::Int(_) => 31,
        Value::Long(_) => 63,
        _ => return None,
    };
    let step = 1_i64 << rng.below(bits);
    let step = if rng.percent(50) { step } else { -step };
    Some(match *value {
        Value::Byte(number) => Value::Byte(number.checked_add(i8::try_from(step).ok()?)?),
        Value::Short(number) => Value::Short(number.checked_add(i16::try_from(step).ok()?)?),
        Value::Char(number) => Value::Char(without_surrogates(
            number.checked_add_signed(i16::try_from(step).ok()?)?,
        )),
        Value::Int(number) => Value::Int(number.checked_add(i32::try_from(step).ok()?)?),
        Value::Long(number) => Value::Long(number.checked_add(step)?),
        _ => return None,
    })
}

fn change(sources: &mut Sources<'_>, value: &Value) -> Option<Value> {
    let program = sources.program();
    match value {
        Value::Null(_) | Value::StaticField(_) | Value::ClassLiteral(_) => return None,
        Value::Boolean(known) => return Some(Value::Boolean(!known)),
        Value::EnumConstant { class, .. } => return other_constant(program, sources.rng(), *class),
        Value::Text(text) if !sources.rng().percent(NEW_NUMBER) => {
            return Some(Value::Text(changed_text(sources, text)));
        }
        _ => {}
    }
    if sources.rng().percent(NEW_NUMBER) || matches!(value, Value::Text(_)) {
        return sources.constant(&value.plain_type()?);
    }
    let rng = sources.rng();
    Some(match *value {
        Value::Byte(number) => Value::Byte(number.wrapping_add(delta(rng) as i8)),
        Value::Char(number) => Value::Char(without_surrogates(
            number.wrapping_add_signed(delta(rng) as i16),
        )),
        Value::Short(number) => Value::Short(number.wrapping_add(delta(rng) as i16)),
        Value::Int(number) => Value::Int(number.wrapping_add(delta(rng) as i32)),
        Value::Long(number) => Value::Long(number.wrapping_add(delta(rng))),
        Value::Float(bits) => {
            Value::Float((changed_number(rng, f64::from(f32::from_bits(bits))) as f32).to_bits())
        }
        Value::Double(bits) => Value::Double(changed_number(rng, f64::from_bits(bits)).to_bits()),
        _ => return None,
    })
}

/// A delta, a small delta, or fewer digits.
fn changed_number(rng: &mut Rng, number: f64) -> f64 {
    match rng.below(3) {
        0 => number + normal(rng) * DEVIATION,
        1 => number + normal(rng),
        _ => {
            let scale = [1.0, 10.0, 100.0, 1000.0][rng.below(4)];
            let rounded = (number * scale).round() / scale;
            if (rounded - number).abs() <= 0.0 {
                number + delta(rng) as f64
            } else {
                rounded
            }
        }
    }
}

fn without_surrogates(unit: u16) -> u16 {
    if (0xD800..0xE000).contains(&unit) {
        unit - 0xD800
    } else {
        unit
    }
}

fn other_constant(program: &Program, rng: &mut Rng, class: ClassId) -> Option<Value> {
    let fields = &program.class(class).fields;
    let constants: Vec<_> = fields
        .iter()
        .map(|&field| program.field(field))
        .filter(|field| field.access.is_enum())
        .collect();
    rng.pick(&constants).map(|field| Value::EnumConstant {
        class,
        name: Arc::clone(&field.name),
    })
}

/// Deletes, changes and inserts characters, each of the three with probability one third, at least one of them.
fn changed_text(sources: &mut Sources<'_>, text: &str) -> Arc<str> {
    let mut characters: Vec<char> = text.chars().collect();
    let kinds = 1 + sources.rng().below(7);
    if kinds & 1 != 0 && !characters.is_empty() {
        let count = characters.len();
        let rng = sources.rng();
        characters.retain(|_| rng.below(count) > 0);
    }
    if kinds & 2 != 0 {
        let count = characters.len();
        for character in &mut characters {
            if sources.rng().below(count) == 0 {
                *character = drawn_character(sources, Some(*character));
            }
        }
    }
    if kinds & 4 != 0 {
        let mut chance = 100;
        while characters.len() < LONGEST_TEXT && sources.rng().percent(chance) {
            let at = sources.rng().below(characters.len() + 1);
            let drawn = drawn_character(sources, None);
            characters.insert(at, drawn);
            chance /= 2;
        }
    }
    characters.into_iter().collect::<String>().into()
}

/// A neighbour of a character, one that occurs in the code, or a visible one.
fn drawn_character(sources: &mut Sources<'_>, near: Option<char>) -> char {
    let drawn = match (sources.rng().below(3), near) {
        (0, Some(near)) => {
            let by = delta(sources.rng()) as i32 / 4;
            char::from_u32((near as u32).wrapping_add_signed(by))
        }
        (0 | 1, _) => match sources.constant(&Type::Char) {
            Some(Value::Char(unit)) => char::from_u32(u32::from(unit)),
            _ => None,
        },
        _ => None,
    };
    drawn.unwrap_or_else(|| char::from(b' ' + sources.rng().below(95) as u8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_are_normal() {
        let mut rng = Rng::of(1, "");
        let draws: Vec<f64> = (0..4000).map(|_| normal(&mut rng)).collect();
        let mean = draws.iter().sum::<f64>() / 4000.0;
        let variance = draws.iter().map(|draw| draw * draw).sum::<f64>() / 4000.0;
        assert!(mean.abs() < 0.05, "{mean}");
        assert!((variance - 1.0).abs() < 0.1, "{variance}");
    }
}
