//! Held-back values that are numbers, as Java's constants: `73914682` is an int, a long, a float and a double.
//!
//! Comes in: values. Goes out: whether a number is one of them, but for its sign.
//! Does not know: which of them are secrets.

use std::collections::BTreeSet;

/// Numbers of fewer digits are ports, counts and sizes.
pub(super) const FEWEST_DIGITS: usize = 6;

/// Without their signs; floating ones by their bits.
#[derive(Clone, Default)]
pub(super) struct Numbers {
    integers: BTreeSet<u64>,
    floats: BTreeSet<u32>,
    doubles: BTreeSet<u64>,
}

impl Numbers {
    pub fn of<'t>(values: impl Iterator<Item = &'t String>) -> Numbers {
        let mut numbers = Numbers::default();
        for digits in values.filter_map(|value| digits(value)) {
            if let Ok(number) = digits.parse::<i64>() {
                numbers.integers.insert(number.unsigned_abs());
            }
            if let Ok(number) = digits.parse::<f32>()
                && number.is_finite()
                && number > 0.0
            {
                numbers.floats.insert(number.to_bits());
            }
            if let Ok(number) = digits.parse::<f64>()
                && number.is_finite()
                && number > 0.0
            {
                numbers.doubles.insert(number.to_bits());
            }
        }
        numbers
    }

    pub fn integer(&self, number: i64) -> bool {
        self.integers.contains(&number.unsigned_abs())
    }

    pub fn float(&self, number: f32) -> bool {
        self.floats.contains(&number.abs().to_bits())
    }

    pub fn double(&self, number: f64) -> bool {
        self.doubles.contains(&number.abs().to_bits())
    }

    /// The same for a literal of Java.
    pub fn literal(&self, literal: &str) -> bool {
        let plain = literal.replace('_', "").to_ascii_lowercase();
        if let Some(digits) = plain.strip_prefix("0x") {
            let number = u64::from_str_radix(digits.trim_end_matches('l'), 16);
            return number.is_ok_and(|number| {
                let small = u32::try_from(number).unwrap_or_default();
                self.integer(number.cast_signed()) || self.integer(i64::from(small.cast_signed()))
            });
        }
        if let Some(text) = plain.strip_suffix('f') {
            return text.parse().is_ok_and(|number| self.float(number));
        }
        let text = plain.trim_end_matches(['l', 'd']);
        text.parse().is_ok_and(|number| self.integer(number))
            || text.parse().is_ok_and(|number| self.double(number))
    }
}

/// A number without sign, zeros before it and zeros after its point; none for other values and for numbers of few
/// digits.
fn digits(value: &str) -> Option<String> {
    let value = value.strip_prefix(['-', '+']).unwrap_or(value);
    let (whole, fraction) = value.split_once('.').unwrap_or((value, ""));
    let mut all = whole.bytes().chain(fraction.bytes());
    if !all.all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let whole = whole.trim_start_matches('0');
    let fraction = fraction.trim_end_matches('0');
    let counted = if whole.is_empty() {
        fraction.trim_start_matches('0').len()
    } else {
        whole.len() + fraction.len()
    };
    if counted < FEWEST_DIGITS {
        return None;
    }
    Some(if fraction.is_empty() {
        whole.to_owned()
    } else {
        format!("{whole}.{fraction}")
    })
}

/// A value as text of a double: `7.3914682E7`; none where it is no number.
pub(super) fn as_double(value: &str) -> Option<String> {
    let number: f64 = digits(value)?.parse().ok()?;
    if (1e-3..1e7).contains(&number) {
        return Some(format!("{number:?}"));
    }
    let text = format!("{number:E}");
    Some(if text.contains('.') {
        text
    } else {
        text.replace('E', ".0E")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(value: &str) -> Numbers {
        Numbers::of(std::iter::once(&value.to_owned()))
    }

    #[test]
    fn literals_are_numbers_however_they_are_written() {
        let pin = numbers("73914682");
        for literal in [
            "73914682",
            "73_914_682",
            "73914682L",
            "73914682.0",
            "73914682d",
            "7.3914682E7",
            "7.391468e7f",
            "0x467d93a",
            "0x467D93AL",
        ] {
            assert!(pin.literal(literal), "{literal}");
        }
        for literal in ["7391468", "739146820", "0x73914682", "1", "7.3914682f", "0"] {
            assert!(!pin.literal(literal), "{literal}");
        }
        assert!(numbers("9223372036854775806").integer(-9_223_372_036_854_775_806));
        assert_eq!(as_double("73914682").unwrap(), "7.3914682E7");
        assert_eq!(as_double("00739146.50").unwrap(), "739146.5");
        assert_eq!(as_double("20000000").unwrap(), "2.0E7");
    }
}
