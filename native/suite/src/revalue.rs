//! A written assertion with the value that is so now.
//!
//! Comes in: the line of a written test that fails, the name of the test, and what was seen in place of what is asserted.
//! Goes out: the line with that value, and the name where it tells the value; none where a value as text does not tell how
//! it is written in Java.
//! Does not know: files, whether the new line compiles or passes. Both are for the caller to see: a text may be that of
//! another value.

use crate::literal;
use crate::naming::{text_word, value_word};
use crate::stable::is_stable_text;
use crate::variables::is_identifier;
use palus_sequence::Value;

/// The assertion that compares with a value.
const COMPARES: &str = "assertEquals";
/// What a comparison by a method of its own begins with: its result is no value of the code.
const INDIRECT: [&str; 2] = ["Double.compare(", "Float.compare("];

/// What is so now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Now<'t> {
    /// A value that has this text.
    Value(&'t str),
    /// The binary name of what is thrown in place of another exception, `java.lang.IllegalStateException`.
    Throws(&'t str),
}

/// A line of a test that says what is so now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revalued {
    /// The line, with the blanks before it.
    pub line: String,
    /// The name of the test.
    pub name: String,
    /// The assertion method that it calls.
    pub assertion: &'static str,
    /// The class that it names for the first time, by its binary name.
    pub class: Option<String>,
}

/// Has a line of the test `name` say what is so now; `is_first` where no assertion of the test stands before it. The name tells
/// of the first one what the call gave, and of any what it asks.
pub fn revalued(line: &str, name: &str, now: &Now<'_>, is_first: bool) -> Option<Revalued> {
    let code = line.trim_start();
    let indent = &line[..line.len() - code.len()];
    let now = match now {
        Now::Throws(class) => return thrown(line, name, class),
        Now::Value(text) => *text,
    };
    let (call, arguments) = code.split_once('(')?;
    let (assertion, arguments, before, after) = match (call, now) {
        ("assertTrue", "false") => ("assertFalse", arguments.to_owned(), TRUE, FALSE),
        ("assertFalse", "true") => ("assertTrue", arguments.to_owned(), FALSE, TRUE),
        ("assertNotNull", "null") => (
            "assertNull",
            arguments.to_owned(),
            Told::Something,
            Told::Null,
        ),
        ("assertNull", text) if text != "null" && is_stable_text(text) => {
            let (text, value) = text_literal(text);
            (COMPARES, format!("{text}, {arguments}"), Told::Null, value)
        }
        (COMPARES, text) => {
            let (kind, length) = Kind::read(arguments)?;
            let rest = &arguments[length..];
            let actual = rest.strip_prefix(", ")?;
            if INDIRECT.iter().any(|call| actual.starts_with(call)) {
                return None;
            }
            let before = kind.told();
            match kind.write(text) {
                Some((literal, after)) => (COMPARES, format!("{literal}{rest}"), before, after),
                None if text == "null" => ("assertNull", actual.to_owned(), before, Told::Null),
                None => return None,
            }
        }
        _ => return None,
    };
    Some(Revalued {
        line: format!("{indent}{assertion}({arguments}"),
        name: renamed((name, is_first), code, &before, &after),
        assertion,
        class: None,
    })
}

/// The line awaits another exception.
fn thrown(line: &str, name: &str, class: &str) -> Option<Revalued> {
    const CALL: &str = "assertThrows(";
    let (front, rest) = line.split_once(CALL)?;
    let (before, rest) = rest.split_once(".class, ")?;
    let simple = class.rsplit('.').next().unwrap_or(class);
    // A nested class, or one without a name that can be written; and what no test shows, the end of stack or memory.
    if !is_identifier(simple) || simple.contains('$') || simple.ends_with("Error") {
        return None;
    }
    let indent = &front[..front.len() - front.trim_start().len()];
    let declared = front.trim_start();
    let declared = match declared.strip_prefix(before) {
        Some(variable) => format!("{simple}{variable}"),
        None if declared.is_empty() => String::new(),
        None => return None,
    };
    let (before, after) = (
        Told::Thrown(before.rsplit('.').next().unwrap_or(before).to_owned()),
        Told::Thrown(simple.to_owned()),
    );
    Some(Revalued {
        line: format!("{indent}{declared}{CALL}{simple}.class, {rest}"),
        name: renamed((name, true), line, &before, &after),
        assertion: "assertThrows",
        class: Some(class.to_owned()),
    })
}

/// What a name may tell.
#[derive(Clone, Debug, PartialEq)]
enum Told {
    Null,
    /// Not null.
    Something,
    Value(Value),
    Constant(String),
    /// The simple name of an exception.
    Thrown(String),
    /// A value without a word.
    Other,
}

const TRUE: Told = Told::Value(Value::Boolean(true));
const FALSE: Told = Told::Value(Value::Boolean(false));

impl Told {
    /// How a name ends that tells it: as a result, and after the name of an observer.
    fn endings(&self) -> [String; 2] {
        let of = |result: &str, word: Option<String>, other: &str| {
            let effect = word.as_deref().unwrap_or(other);
            let effect = format!("Is{effect}");
            match word {
                Some(word) => [format!("{result}{word}"), effect],
                None => [format!("returns{other}"), effect],
            }
        };
        match self {
            Told::Null => of("returns", Some("Null".into()), ""),
            Told::Something => [String::new(), "IsSet".into()],
            Told::Value(Value::Text(text)) => of("returns", text_word(text), "Text"),
            Told::Value(value @ Value::Boolean(_)) => of("returns", value_word(value), "Value"),
            Told::Value(value) => of("is", value_word(value), "Value"),
            Told::Constant(name) => {
                let parts = name.split('_').map(|part| {
                    let mut part = part.to_lowercase();
                    part.get_mut(..1).map(str::make_ascii_uppercase);
                    part
                });
                of("returns", Some(parts.collect()), "Value")
            }
            Told::Thrown(class) => {
                let short = class.strip_suffix("Exception");
                let short = short.filter(|short| !short.is_empty()).unwrap_or(class);
                [format!("throws{short}"), String::new()]
            }
            Told::Other => of("is", None, "Value"),
        }
    }
}

/// The name with what it tells of the value; as it is where it tells nothing of it.
fn renamed((name, is_first): (&str, bool), line: &str, before: &Told, after: &Told) -> String {
    // `_2` of a name that was taken.
    let base = match name.rsplit_once('_') {
        Some((base, number)) if number.bytes().all(|one| one.is_ascii_digit()) => base,
        _ => name,
    };
    let (front, then) = base.rsplit_once('_').unwrap_or(("", base));
    let ([result, effect], [result_now, effect_now]) = (before.endings(), after.endings());
    let is_result = then == result || *before == Told::Something && then.starts_with("returns");
    // A test may ask several things, and its name tells one.
    let line = line.to_lowercase();
    let asks = |what: &str| !what.is_empty() && line.contains(&what.to_lowercase());
    let observer = then.strip_suffix(&effect).filter(|_| !effect.is_empty());
    let observer = observer.filter(|observer| asks(observer));
    let other = match (before, after) {
        _ if front.is_empty() => None,
        _ if is_result => is_first.then_some(result_now),
        (&FALSE, &TRUE) if then.starts_with("has") => observer.map(str::to_owned),
        (&TRUE | &FALSE, &TRUE | &FALSE) if observer.is_none() => {
            let is_of_file = then.starts_with("makes") || then.starts_with("deletes");
            let is_told = if is_of_file {
                is_first
            } else {
                asks(&then.replacen("isNot", "is", 1))
            };
            opposite(then, before == &TRUE).filter(|_| is_told)
        }
        _ => observer.map(|observer| format!("{observer}{effect_now}")),
    };
    other.map_or_else(|| name.to_owned(), |then| format!("{front}_{then}"))
}

/// `isNotFull` of `isFull`, which was true, and the like.
fn opposite(then: &str, was_true: bool) -> Option<String> {
    let front = |from: &str, to: &str| Some(format!("{to}{}", then.strip_prefix(from)?));
    if was_true {
        let of_has = || then.starts_with("has").then(|| format!("{then}IsFalse"));
        front("makes", "deletes")
            .or_else(|| front("is", "isNot"))
            .or_else(of_has)
    } else {
        front("deletes", "makes").or_else(|| front("isNot", "is"))
    }
}

/// A way to write a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Byte,
    Short,
    Int,
    Long,
    Float,
    Double,
    Char,
    Text,
    Boolean,
    /// A constant of an enum; the bytes before its name.
    Constant(usize),
}

/// A way to write a value, and whether it stands in `Integer.valueOf(…)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind<'t> {
    form: Form,
    /// `Integer`
    boxed: Option<&'t str>,
    text: &'t str,
}

impl<'t> Kind<'t> {
    /// Of the literal at the beginning of a text, and how many bytes it has.
    fn read(text: &'t str) -> Option<(Kind<'t>, usize)> {
        const VALUE_OF: &str = ".valueOf(";
        let names = [
            "Integer",
            "Long",
            "Short",
            "Byte",
            "Double",
            "Float",
            "Character",
            "Boolean",
        ];
        let boxed = names.into_iter().find(|boxed| {
            text.strip_prefix(boxed)
                .is_some_and(|rest| rest.starts_with(VALUE_OF))
        });
        let front = boxed.map_or(0, |boxed| boxed.len() + VALUE_OF.len());
        let (form, length) = form(&text[front..])?;
        let end = front + length;
        let end = match boxed {
            Some(_) if text[end..].starts_with(')') => end + 1,
            Some(_) => return None,
            None => end,
        };
        let kind = Kind {
            form,
            boxed,
            text: &text[front..front + length],
        };
        Some((kind, end))
    }

    /// What is written there.
    fn told(&self) -> Told {
        let number = || {
            let text = self.text.trim_start_matches("(byte) ");
            plain(text.trim_start_matches("(short) "))
        };
        let value = match self.form {
            Form::Byte | Form::Short | Form::Int => number().parse().ok().map(Value::Int),
            Form::Long => number().trim_end_matches('L').parse().ok().map(Value::Long),
            Form::Float => float(number().trim_end_matches('f')).map(Value::Float),
            Form::Double => double(number()).map(Value::Double),
            Form::Char => unescaped(self.text).and_then(|text| {
                let mut units = text.encode_utf16();
                units.next().map(Value::Char)
            }),
            Form::Text => unescaped(self.text).map(|text| Value::Text(text.into())),
            Form::Boolean => self.text.parse().ok().map(Value::Boolean),
            Form::Constant(front) => return Told::Constant(self.text[front..].to_owned()),
        };
        value.map_or(Told::Other, Told::Value)
    }

    /// A value by its text, written in this way.
    fn write(&self, now: &str) -> Option<(String, Told)> {
        let (literal, value) = match self.form {
            Form::Byte => now
                .parse()
                .ok()
                .map(|one| (literal::byte(one), Value::Byte(one))),
            Form::Short => now
                .parse()
                .ok()
                .map(|one| (literal::short(one), Value::Short(one))),
            Form::Int => now
                .parse()
                .ok()
                .map(|one| (literal::int(one), Value::Int(one))),
            Form::Long => now
                .parse()
                .ok()
                .map(|one| (literal::long(one), Value::Long(one))),
            Form::Float => float(now).map(|bits| (literal::float(bits), Value::Float(bits))),
            Form::Double => double(now).map(|bits| (literal::double(bits), Value::Double(bits))),
            Form::Char => {
                let mut units = now.encode_utf16();
                let unit = units.next().filter(|_| units.next().is_none());
                unit.map(|unit| (literal::char(unit), Value::Char(unit)))
            }
            // A text and no object have the same text: no object it is more often.
            Form::Text if now == "null" || !is_stable_text(now) => None,
            Form::Text => Some((literal::text(now), Value::Text(now.into()))),
            Form::Boolean => now
                .parse()
                .ok()
                .map(|one: bool| (one.to_string(), Value::Boolean(one))),
            Form::Constant(front) => {
                let is_name = is_constant(now);
                let literal = format!("{}{now}", &self.text[..front]);
                return is_name.then(|| (literal, Told::Constant(now.to_owned())));
            }
        }?;
        let literal = match self.boxed {
            Some(boxed) => format!("{boxed}.valueOf({literal})"),
            None => literal,
        };
        Some((literal, Told::Value(value)))
    }
}

/// How the literal at the beginning of a text is written, and how many bytes it has.
fn form(text: &str) -> Option<(Form, usize)> {
    match text.chars().next()? {
        '"' => return Some((Form::Text, quoted(text)?)),
        '\'' => return Some((Form::Char, quoted(text)?)),
        _ => {}
    }
    let cast = [("(byte) ", Form::Byte), ("(short) ", Form::Short)];
    for (front, form) in cast {
        if let Some(number) = text.strip_prefix(front) {
            return Some((form, front.len() + number.find([',', ')'])?));
        }
    }
    let length = text.find([',', ')', '(', ' '])?;
    let word = &text[..length];
    let form = match word {
        "true" | "false" => Form::Boolean,
        "Integer.MIN_VALUE" | "Integer.MAX_VALUE" => Form::Int,
        "Long.MIN_VALUE" | "Long.MAX_VALUE" => Form::Long,
        "Float.NaN" | "Float.POSITIVE_INFINITY" | "Float.NEGATIVE_INFINITY" => Form::Float,
        "Double.NaN" | "Double.POSITIVE_INFINITY" | "Double.NEGATIVE_INFINITY" => Form::Double,
        _ if word.parse::<i32>().is_ok() => Form::Int,
        _ if word
            .strip_suffix('L')
            .is_some_and(|one| one.parse::<i64>().is_ok()) =>
        {
            Form::Long
        }
        _ if word
            .strip_suffix('f')
            .is_some_and(|one| float(one).is_some()) =>
        {
            Form::Float
        }
        _ if word.starts_with(['-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) => {
            double(word).map(|_| Form::Double)?
        }
        _ => {
            let (owner, name) = word.rsplit_once('.')?;
            let is_owner = owner.split('.').all(is_identifier);
            (is_owner && is_constant(name)).then_some(Form::Constant(owner.len() + 1))?
        }
    };
    Some((form, length))
}

/// The bytes of a literal in quotes.
fn quoted(text: &str) -> Option<usize> {
    let mut letters = text.char_indices();
    let (_, quote) = letters.next()?;
    while let Some((at, letter)) = letters.next() {
        if letter == '\\' {
            letters.next();
        } else if letter == quote {
            return Some(at + 1);
        }
    }
    None
}

/// What a literal in quotes stands for.
fn unescaped(literal: &str) -> Option<String> {
    let inside = literal.get(1..literal.len().checked_sub(1)?)?;
    let mut units = Vec::new();
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        let unit = match letter {
            '\\' => match letters.next()? {
                'n' => 10,
                'r' => 13,
                't' => 9,
                'b' => 8,
                'f' => 12,
                '0' => 0,
                'u' => {
                    let digits: String = letters.by_ref().take(4).collect();
                    u16::from_str_radix(&digits, 16).ok()?
                }
                other => u16::try_from(u32::from(other)).ok()?,
            },
            other => {
                units.extend(other.encode_utf16(&mut [0; 2]).iter());
                continue;
            }
        };
        units.push(unit);
    }
    String::from_utf16(&units).ok()
}

fn text_literal(text: &str) -> (String, Told) {
    (literal::text(text), Told::Value(Value::Text(text.into())))
}

/// `BIG`, `NOT_SET`
fn is_constant(name: &str) -> bool {
    is_identifier(name) && !name.contains(char::is_lowercase)
}

/// The number of which there is a constant in Java.
fn plain(text: &str) -> &str {
    match text {
        "Integer.MIN_VALUE" => "-2147483648",
        "Integer.MAX_VALUE" => "2147483647",
        "Long.MIN_VALUE" => "-9223372036854775808",
        "Long.MAX_VALUE" => "9223372036854775807",
        "Float.NaN" | "Double.NaN" => "NaN",
        "Float.POSITIVE_INFINITY" | "Double.POSITIVE_INFINITY" => "inf",
        "Float.NEGATIVE_INFINITY" | "Double.NEGATIVE_INFINITY" => "-inf",
        other => other,
    }
}

/// The bits of a float as Java writes it.
fn float(text: &str) -> Option<u32> {
    text.parse::<f32>().ok().map(f32::to_bits)
}

/// The bits of a double as Java writes it.
fn double(text: &str) -> Option<u64> {
    text.parse::<f64>().ok().map(f64::to_bits)
}

#[cfg(test)]
mod tests;
