//! Input to state: a constant of a sequence that met another value in a comparison becomes that other value.
//!
//! Comes in: a sequence and a [`Comparison`] that its run made. Goes out: sequences that may decide the comparison the
//! other way: the constant is the other operand, one above, one below, holds it as a part, or has its length. Each costs
//! one run, where mutation needs hundreds.
//! Aschermann, Schumilo, Blazytko, Gawlik, Holz, "REDQUEEN: Fuzzing with Input-to-State Correspondence", NDSS 2019.
//! Does not know: which outcome is wanted, targets.
//!
//! ```text
//! v0 = new Door()   v1 = "open sesam"   v2 = v0.say(v1)      the code compares "sesam" with "sesame"
//! v0 = new Door()   v1 = "open sesame"  v2 = v0.say(v1)
//! ```

use palus_sequence::{Comparison, Relation, Sequence, Statement, Value};

/// Sequences made for one comparison, at most.
const MOST: usize = 24;
/// Longer texts and arrays are not made.
const LONGEST: (i64, i64) = (400, 64);
/// Occurrences of a character in a text that are changed, each alone.
const OCCURRENCES: usize = 4;

/// A number of any type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Number {
    /// An integer.
    Whole(i64),
    /// A number that may have a fraction.
    Real(f64),
}

impl Number {
    /// None for what is no number.
    pub fn of(value: &Value) -> Option<Number> {
        Some(match *value {
            Value::Boolean(known) => Number::Whole(i64::from(known)),
            Value::Byte(number) => Number::Whole(i64::from(number)),
            Value::Char(number) => Number::Whole(i64::from(number)),
            Value::Short(number) => Number::Whole(i64::from(number)),
            Value::Int(number) => Number::Whole(i64::from(number)),
            Value::Long(number) => Number::Whole(number),
            Value::Float(bits) => Number::Real(f64::from(f32::from_bits(bits))),
            Value::Double(bits) => Number::Real(f64::from_bits(bits)),
            _ => return None,
        })
    }

    #[expect(clippy::cast_precision_loss, reason = "as a Java conversion loses it")]
    fn real(self) -> f64 {
        match self {
            Number::Whole(number) => number as f64,
            Number::Real(number) => number,
        }
    }

    /// None for what has a fraction.
    pub fn whole(self) -> Option<i64> {
        match self {
            Number::Whole(number) => Some(number),
            Number::Real(number) => {
                (number.fract() == 0.0 && number.abs() < 9e15).then_some(number as i64)
            }
        }
    }

    #[expect(clippy::float_cmp, reason = "a slot's value arrives as it left")]
    fn is(self, other: Number) -> bool {
        match (self, other) {
            (Number::Whole(left), Number::Whole(right)) => left == right,
            _ => self.real() == other.real() || (self.real().is_nan() && other.real().is_nan()),
        }
    }

    /// Itself, one above, one below; of numbers with a fraction also the nearest ones.
    pub fn around(self) -> Vec<Number> {
        match self {
            Number::Whole(number) => [Some(number), number.checked_add(1), number.checked_sub(1)]
                .into_iter()
                .flatten()
                .map(Number::Whole)
                .collect(),
            Number::Real(number) => vec![
                self,
                Number::Real(number + 1.0),
                Number::Real(number - 1.0),
                Number::Real(number.next_up()),
                Number::Real(number.next_down()),
            ],
        }
    }

    /// As a constant of the same type as another; none where it does not fit in.
    pub fn like(self, slot: &Value) -> Option<Value> {
        let whole = self.whole();
        Some(match slot {
            Value::Boolean(_) => match whole? {
                0 => Value::Boolean(false),
                1 => Value::Boolean(true),
                _ => return None,
            },
            Value::Byte(_) => Value::Byte(i8::try_from(whole?).ok()?),
            Value::Char(_) => Value::Char(u16::try_from(whole?).ok()?),
            Value::Short(_) => Value::Short(i16::try_from(whole?).ok()?),
            Value::Int(_) => Value::Int(i32::try_from(whole?).ok()?),
            Value::Long(_) => Value::Long(whole?),
            Value::Float(_) => Value::Float((self.real() as f32).to_bits()),
            Value::Double(_) => Value::Double(self.real().to_bits()),
            _ => return None,
        })
    }
}

/// The sequences to try for a comparison.
pub(crate) fn fed(sequence: &Sequence, comparison: &Comparison) -> Vec<Sequence> {
    let mut found = Vec::new();
    let (left, right) = (&comparison.left, &comparison.right);
    for (seen, wished, is_left) in [(left, right, true), (right, left, false)] {
        for (index, statement) in sequence.statements().iter().enumerate() {
            if found.len() >= MOST {
                return found;
            }
            let changed: Vec<Statement> = match statement {
                Statement::Value(slot) => tried(slot, seen, wished, comparison.relation, is_left)
                    .into_iter()
                    .filter(|value| value != slot)
                    .map(Statement::Value)
                    .collect(),
                Statement::NewArray { element, elements } => {
                    let sizes = resized(elements.len(), seen, wished, LONGEST.1);
                    let sizes = sizes.into_iter().filter(|_| !elements.is_empty());
                    sizes
                        .map(|size| Statement::NewArray {
                            element: element.clone(),
                            elements: elements.iter().copied().cycle().take(size).collect(),
                        })
                        .collect()
                }
                _ => continue,
            };
            for statement in changed {
                let mut statements = sequence.statements().to_vec();
                statements[index] = statement;
                let changed = Sequence::new(statements);
                if !found.contains(&changed) {
                    found.push(changed);
                }
            }
        }
    }
    found
}

/// Other values for a constant of the sequence, the likeliest first.
fn tried(
    slot: &Value,
    seen: &Value,
    wished: &Value,
    relation: Relation,
    is_left: bool,
) -> Vec<Value> {
    if let (Value::Text(slot), Value::Text(seen), Value::Text(wished)) = (slot, seen, wished) {
        let texts = texts(slot, seen, wished, relation, is_left);
        return texts.iter().filter_map(|text| as_value(text)).collect();
    }
    let is_seen = slot == seen || matches!((slot, seen), (Value::Null(_), Value::Null(_)));
    if is_seen && (Number::of(seen).is_none() || Number::of(wished).is_none()) {
        // `null`, enum constants, classes; what does not fit is sorted out later.
        return vec![wished.clone()];
    }
    let (Some(from), Some(to)) = (Number::of(seen), Number::of(wished)) else {
        // A number that became a text on its way.
        let (Value::Text(seen), Value::Text(wished), Some(_)) = (seen, wished, Number::of(slot))
        else {
            return Vec::new();
        };
        let parsed = |text: &str| text.trim().parse().ok().map(Number::Whole);
        return match (parsed(seen), parsed(wished), Number::of(slot)) {
            (Some(from), Some(to), Some(known)) if known.is(from) => {
                to.like(slot).into_iter().collect()
            }
            _ => Vec::new(),
        };
    };
    match slot {
        Value::Text(text) => texts_of_numbers(text, from, to),
        Value::Null(_) => Vec::new(),
        _ => match Number::of(slot) {
            Some(known) if known.is(from) => to
                .around()
                .into_iter()
                .filter_map(|number| number.like(slot))
                .collect(),
            _ => Vec::new(),
        },
    }
}

fn as_value(text: &str) -> Option<Value> {
    (text.len() as i64 <= LONGEST.0).then(|| Value::Text(text.into()))
}

/// Sizes for what has a length that was compared.
fn resized(length: usize, seen: &Value, wished: &Value, longest: i64) -> Vec<usize> {
    let (Some(from), Some(to)) = (Number::of(seen), Number::of(wished)) else {
        return Vec::new();
    };
    if !from.is(Number::Whole(length as i64)) {
        return Vec::new();
    }
    to.around()
        .into_iter()
        .filter_map(Number::whole)
        .filter(|size| (0..=longest).contains(size) && *size != length as i64)
        .map(|size| size as usize)
        .collect()
}

/// A text of which two numbers say something: its length, one of its characters, or the number it stands for.
fn texts_of_numbers(text: &str, from: Number, to: Number) -> Vec<Value> {
    let mut found = Vec::new();
    let units: Vec<u16> = text.encode_utf16().collect();
    let seen = Value::Long(from.whole().unwrap_or(i64::MIN));
    let wished = Value::Long(to.whole().unwrap_or(i64::MIN));
    if text
        .trim()
        .parse()
        .is_ok_and(|known: f64| Number::Real(known).is(from))
    {
        for number in to.around() {
            let written: String = match number {
                Number::Whole(number) => number.to_string(),
                Number::Real(number) => number.to_string(),
            };
            found.push(written);
        }
    }
    if let (Some(from), Some(to)) = (unit(from), unit(to)) {
        let places = units.iter().enumerate().filter(|(_, unit)| **unit == from);
        for (place, _) in places.take(OCCURRENCES) {
            let mut changed = units.clone();
            changed[place] = to;
            found.extend(String::from_utf16(&changed));
        }
    }
    for size in resized(units.len(), &seen, &wished, LONGEST.0) {
        let mut changed = units.clone();
        let last = units.last().copied().unwrap_or(u16::from(b'a'));
        changed.resize(size, last);
        found.extend(String::from_utf16(&changed));
    }
    found.iter().filter_map(|text| as_value(text)).collect()
}

fn unit(number: Number) -> Option<u16> {
    number.whole().and_then(|number| u16::try_from(number).ok())
}

/// A text that is, holds, or is held by one of two texts that were compared.
fn texts(slot: &str, seen: &str, wished: &str, relation: Relation, is_left: bool) -> Vec<String> {
    let mut found = Vec::new();
    let is_same = slot == seen
        || slot.eq_ignore_ascii_case(seen)
        || (!slot.is_empty() && slot.trim() == seen);
    if is_same {
        match relation {
            // What is asked for a part of it may also keep the rest.
            Relation::Prefix if is_left => found.push(format!("{wished}{slot}")),
            Relation::Suffix | Relation::Part if is_left => found.push(format!("{slot}{wished}")),
            Relation::Pattern if is_left => found.extend(example(wished)),
            _ => {}
        }
        found.push(wished.to_owned());
        if matches!(relation, Relation::Equal) {
            // Ordered before and after it.
            found.push(format!("{wished} "));
            let mut shorter = wished.to_owned();
            shorter.pop();
            found.push(shorter);
        }
        return found;
    }
    if !seen.is_empty()
        && let Some(at) = slot.find(seen)
    {
        let (before, after) = (&slot[..at], &slot[at + seen.len()..]);
        found.push(format!("{before}{wished}{after}"));
    } else if !slot.is_empty()
        && let Some(at) = seen.find(slot)
    {
        // The code put something around it.
        let (before, after) = (&seen[..at], &seen[at + slot.len()..]);
        let inner = wished.strip_prefix(before);
        if let Some(inner) = inner.and_then(|rest| rest.strip_suffix(after)) {
            found.push(inner.to_owned());
        }
    }
    found
}

/// A text that a simple regular expression matches: characters, escapes, sets, groups with their first choice, and
/// repetitions done once, or as often as they must.
fn example(pattern: &str) -> Option<String> {
    let characters: Vec<char> = pattern.chars().collect();
    let mut made = String::new();
    let end = example_of(&characters, 0, &mut made, 0)?;
    (end == characters.len() && !made.is_empty()).then_some(made)
}

/// Reads alternatives up to the end or a closing bracket; writes what the first matches.
fn example_of(pattern: &[char], mut at: usize, made: &mut String, depth: u32) -> Option<usize> {
    let mut is_first = true;
    while at < pattern.len() && pattern[at] != ')' {
        if pattern[at] == '|' {
            is_first = false;
            at += 1;
            continue;
        }
        let mut one = String::new();
        at = match pattern[at] {
            '^' | '$' => at + 1,
            '.' => {
                one.push('a');
                at + 1
            }
            '\\' => {
                one.push(match pattern.get(at + 1)? {
                    'd' => '0',
                    'w' | 'D' | 'S' => 'a',
                    's' | 'W' => ' ',
                    't' => '\t',
                    'n' => '\n',
                    other if !other.is_alphanumeric() => *other,
                    _ => return None,
                });
                at + 2
            }
            '[' => {
                let close = at + 1 + pattern[at + 1..].iter().skip(1).position(|&c| c == ']')? + 1;
                match pattern[at + 1] {
                    '^' => one.push('~'),
                    '\\' => one.push(if pattern[at + 2] == 'd' { '0' } else { 'a' }),
                    first => one.push(first),
                }
                close + 1
            }
            '(' if depth < 20 => {
                let mut inner = at + 1;
                if pattern.get(inner) == Some(&'?') {
                    if pattern.get(inner + 1) != Some(&':') {
                        return None;
                    }
                    inner += 2;
                }
                let end = example_of(pattern, inner, &mut one, depth + 1)?;
                (pattern.get(end) == Some(&')')).then_some(end + 1)?
            }
            '(' | '*' | '+' | '?' | '{' => return None,
            plain => {
                one.push(plain);
                at + 1
            }
        };
        let mut times = 1;
        match pattern.get(at) {
            Some('*' | '+' | '?') => at += 1,
            Some('{') => {
                let close = at + pattern[at..].iter().position(|&c| c == '}')?;
                let counts: String = pattern[at + 1..close].iter().collect();
                times = counts.split(',').next()?.trim().parse().ok()?;
                at = close + 1;
            }
            _ => {}
        }
        if is_first && times <= 100 {
            made.push_str(&one.repeat(times));
        }
    }
    Some(at)
}

/// The texts and numbers of a comparison, for the pool of constants.
pub(crate) fn values(comparison: &Comparison) -> impl Iterator<Item = &Value> {
    [&comparison.left, &comparison.right]
        .into_iter()
        .filter(|value| match value {
            Value::Text(text) => !text.is_empty(),
            Value::Boolean(_) => false,
            _ => Number::of(value).is_some(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::Probe;

    fn comparison(relation: Relation, left: Value, right: Value) -> Comparison {
        let probe = Probe { class: 0, index: 1 };
        Comparison {
            probe,
            relation,
            left,
            right,
        }
    }

    fn text(text: &str) -> Value {
        Value::Text(text.into())
    }

    /// The values that a constant becomes.
    fn fed_values(slot: Value, comparison: &Comparison) -> Vec<Value> {
        let sequence = Sequence::new(vec![Statement::Value(slot)]);
        let made = fed(&sequence, comparison);
        let values = made.iter().map(|made| match &made.statements()[0] {
            Statement::Value(value) => value.clone(),
            other => panic!("{other:?}"),
        });
        values.collect()
    }

    #[test]
    fn a_number_becomes_the_other_operand_and_its_neighbours() {
        let seen = comparison(Relation::Order, Value::Int(3), Value::Int(4711));
        let ints = [4711, 4712, 4710].map(Value::Int);
        assert_eq!(fed_values(Value::Int(3), &seen), ints);
        // It was converted on its way.
        assert_eq!(
            fed_values(Value::Long(3), &seen),
            [4711, 4712, 4710].map(Value::Long)
        );
        assert_eq!(fed_values(Value::Byte(3), &seen), []);
        assert_eq!(fed_values(Value::Int(5), &seen), []);
    }

    #[test]
    fn a_part_of_a_text_becomes_what_it_was_compared_with() {
        let seen = comparison(Relation::Equal, text("sesam"), text("sesame"));
        assert_eq!(fed_values(text("open sesam"), &seen), [text("open sesame")]);
        assert!(fed_values(text("sesam"), &seen).contains(&text("sesame")));
        // The code put brackets around it.
        let seen = comparison(Relation::Equal, text("<a>"), text("<b>"));
        assert_eq!(fed_values(text("a"), &seen), [text("b")]);
    }

    #[test]
    fn a_text_gets_the_length_the_character_and_the_beginning_that_are_asked_for() {
        let length = comparison(Relation::Order, Value::Int(2), Value::Int(4));
        assert_eq!(
            fed_values(text("xy"), &length),
            [text("xyyy"), text("xyyyy"), text("xyy")]
        );
        let character = comparison(Relation::Order, Value::Char(120), Value::Int(58));
        assert_eq!(fed_values(text("xy"), &character), [text(":y")]);
        let prefix = comparison(Relation::Prefix, text("xy"), text("//"));
        assert_eq!(fed_values(text("xy"), &prefix)[0], text("//xy"));
        let parsed = comparison(Relation::Order, Value::Int(7), Value::Int(100));
        assert_eq!(fed_values(text("7"), &parsed)[0], text("100"));
    }

    #[test]
    fn an_array_gets_the_length_that_is_asked_for() {
        let mut sequence = Sequence::new(vec![Statement::Value(Value::Int(9))]);
        sequence.push(Statement::NewArray {
            element: palus_bytecode::Type::Int,
            elements: vec![palus_sequence::Variable(0)],
        });
        let seen = comparison(Relation::Order, Value::Int(1), Value::Int(3));
        let sizes: Vec<usize> = fed(&sequence, &seen)
            .iter()
            .map(|made| made.statements()[1].uses().len())
            .collect();
        assert_eq!(sizes, [3, 4, 2]);
    }

    #[test]
    fn null_becomes_a_text_and_a_text_null() {
        let string = palus_bytecode::Type::object("java/lang/String");
        let null = Value::Null(string);
        let seen = comparison(Relation::Equal, null.clone(), text("a"));
        let object = Value::Null(palus_bytecode::Type::object("java/lang/Object"));
        assert_eq!(fed_values(object, &seen), [text("a")]);
        assert_eq!(fed_values(text("a"), &seen), [null]);
    }

    #[test]
    fn simple_patterns_have_examples() {
        let of = |pattern| example(pattern).unwrap_or_default();
        assert_eq!(of(r"\d{3}-[a-z]+"), "000-a");
        assert_eq!(of("(?:ab|c)x?"), "abx");
        assert_eq!(of("^[^x]\\.txt$"), "~.txt");
        assert_eq!(of("(?=x)"), "");
    }
}
