//! What Java source holds: texts (literals, joined ones, and those written letter by letter: as characters, texts, numbers) and
//! numbers.
//!
//! Comes in: source as Palus writes it. Goes out: its texts and numbers.
//! Does not know: what they are for.

use palus_wire::trace::whole_code;
use std::iter::Peekable;
use std::str::Chars;

/// Stand before numbers that are letters.
const CASTS: [&str; 3] = ["byte", "char", "short"];

pub(super) struct Literals {
    /// Unescaped.
    pub texts: Vec<String>,
    /// As they are written, without signs.
    pub numbers: Vec<String>,
}

pub(super) fn literals(source: &str) -> Literals {
    let mut texts = Texts::default();
    let mut numbers = Vec::new();
    let mut rest = source.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '"' => {
                let text = literal(&mut rest, '"');
                texts.literal(&text);
                if text.chars().count() == 1 {
                    texts.unit(&text);
                }
            }
            '\'' => {
                let text = literal(&mut rest, '\'');
                texts.unit(&text);
            }
            '0'..='9' => {
                let number = number(c, &mut rest);
                match letter(&number) {
                    Some(unit) => texts.unit(&unit),
                    None => texts.end(),
                }
                numbers.push(number);
            }
            '+' => texts.joined = true,
            ',' | '(' | ')' | ' ' | '\n' | '\r' | '\t' => {
                if c == ',' {
                    texts.joined = false;
                }
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut word = String::from(c);
                while let Some(&c) = rest.peek() {
                    if !c.is_alphanumeric() && c != '_' {
                        break;
                    }
                    word.push(c);
                    rest.next();
                }
                if !CASTS.contains(&word.as_str()) {
                    texts.end();
                }
            }
            _ => texts.end(),
        }
    }
    texts.end();
    Literals {
        texts: texts.done,
        numbers,
    }
}

/// The letter that a number stands for, whatever its type: `112`, `112L`, `112.0f`; an empty text for a whole number
/// that stands for none; none for others.
fn letter(literal: &str) -> Option<String> {
    let plain = literal.trim_end_matches(['l', 'L', 'f', 'F', 'd', 'D']);
    let number: f64 = plain.parse().ok()?;
    if number.fract() != 0.0 {
        return None;
    }
    let letter = whole_code(number).and_then(char::from_u32);
    Some(letter.map_or_else(String::new, String::from))
}

/// A literal that begins with this digit.
fn number(first: char, rest: &mut Peekable<Chars<'_>>) -> String {
    let mut number = String::from(first);
    while let Some(&c) = rest.peek() {
        let is_hexadecimal = number.starts_with("0x") || number.starts_with("0X");
        let is_sign = matches!(c, '+' | '-') && number.ends_with(['e', 'E']) && !is_hexadecimal;
        if !c.is_ascii_alphanumeric() && c != '.' && c != '_' && !is_sign {
            break;
        }
        number.push(c);
        rest.next();
    }
    number
}

#[derive(Default)]
struct Texts {
    done: Vec<String>,
    /// String literals with `+` between them.
    literals: Option<String>,
    /// Characters, texts of one and numbers with commas between them.
    units: String,
    joined: bool,
}

impl Texts {
    fn literal(&mut self, text: &str) {
        match &mut self.literals {
            Some(before) if self.joined => before.push_str(text),
            _ => {
                self.done.extend(self.literals.take());
                self.literals = Some(text.to_owned());
            }
        }
        self.joined = false;
    }

    fn unit(&mut self, text: &str) {
        self.units.push_str(text);
    }

    fn end(&mut self) {
        self.joined = false;
        self.done.extend(self.literals.take());
        if !self.units.is_empty() {
            self.done.push(std::mem::take(&mut self.units));
        }
    }
}

/// What stands up to the closing quote.
fn literal(rest: &mut Peekable<Chars<'_>>, quote: char) -> String {
    let mut units: Vec<u16> = Vec::new();
    while let Some(c) = rest.next() {
        if c == quote {
            break;
        }
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        units.push(match rest.next() {
            Some('n') => 10,
            Some('t') => 9,
            Some('b') => 8,
            Some('r') => 13,
            Some('f') => 12,
            Some('u') => {
                let mut unit = 0_u16;
                for _ in 0..4 {
                    let digit = rest.next().and_then(|c| c.to_digit(16)).unwrap_or_default();
                    unit = unit << 4 | digit as u16;
                }
                unit
            }
            Some(digit @ '0'..='7') => {
                let mut unit = digit as u16 - 48;
                while let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) {
                    unit = unit.wrapping_mul(8).wrapping_add(digit as u16);
                    rest.next();
                }
                unit
            }
            Some(other) => other as u16,
            None => break,
        });
    }
    String::from_utf16_lossy(&units)
}
