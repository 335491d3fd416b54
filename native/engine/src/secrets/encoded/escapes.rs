//! A value as JSON, HTML and XML escape it, and without such escapes where it has them.
//!
//! Comes in: a value. Goes out: its other forms.
//! The agent has the same forms (`io.palus.agent.SecretEscapes`).
//! Does not know: what is a secret.

use super::super::likeness::{SHORTEST, is_common};
use std::fmt::Write;

const SPECIAL: [char; 5] = ['&', '<', '>', '"', '\''];
const ENTITIES: [[&str; 5]; 4] = [
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"],
    ["&#38;", "&#60;", "&#62;", "&#34;", "&#39;"],
    ["&#x26;", "&#x3c;", "&#x3e;", "&#x22;", "&#x27;"],
];
/// As XML needs it in texts, and in attributes: other letters stay.
const FEWEST: [usize; 3] = [3, 4, 5];
/// What writers of JSON escape by number: what HTML knows, the same and more, all but letters and digits, each.
const BY_NUMBER: [fn(char) -> bool; 5] = [
    |_| false,
    |c| matches!(c, '<' | '>' | '&'),
    |c| matches!(c, '<' | '>' | '&' | '=' | '\''),
    |c| !c.is_ascii_alphanumeric(),
    |_| true,
];

pub(super) fn escaped(value: &str) -> Vec<String> {
    let mut forms = Vec::new();
    for names in ENTITIES {
        for count in FEWEST {
            forms.push(each(value, |c| {
                let at = SPECIAL[..count].iter().position(|special| *special == c);
                at.map_or_else(|| c.to_string(), |at| names[at].to_owned())
            }));
        }
    }
    for by_number in BY_NUMBER {
        for is_ascii in [false, true] {
            let form = |capitals: bool| {
                each(value, |c| {
                    if by_number(c) || is_ascii && !c.is_ascii() {
                        number(c, capitals)
                    } else if matches!(c, '"' | '\\') {
                        format!("\\{c}")
                    } else {
                        c.to_string()
                    }
                })
            };
            forms.extend([form(false), form(true)]);
        }
    }
    forms.sort();
    forms.dedup();
    forms
}

fn each(value: &str, form: impl Fn(char) -> String) -> String {
    value.chars().map(form).collect()
}

fn number(c: char, capitals: bool) -> String {
    let mut text = String::new();
    for unit in c.encode_utf16(&mut [0; 2]) {
        let _ = if capitals {
            write!(text, "\\u{unit:04X}")
        } else {
            write!(text, "\\u{unit:04x}")
        };
    }
    text
}

/// What a value stands for that is percent-encoded, or escaped for JSON or XML.
pub(super) fn decoded(value: &str) -> Vec<String> {
    let all = [percent(value), json(value), xml(value)];
    let is_other =
        |text: &String| text != value && text.chars().count() >= SHORTEST && !is_common(text);
    all.into_iter().flatten().filter(is_other).collect()
}

fn percent(value: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = value.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| {
            let is_hex = digits.iter().all(u8::is_ascii_hexdigit);
            u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16)
                .ok()
                .filter(|_| is_hex)
        });
        let code = digits.filter(|_| first == b'%');
        bytes.push(code.unwrap_or(first));
        rest = if code.is_some() { &after[2..] } else { after };
    }
    String::from_utf8(bytes).ok()
}

/// None where a backslash begins no escape of JSON.
fn json(value: &str) -> Option<String> {
    let mut units: Vec<u16> = Vec::new();
    let mut rest = value.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            units.extend(c.encode_utf16(&mut [0; 2]).iter());
            continue;
        }
        units.push(match rest.next()? {
            same @ ('"' | '\\' | '/') => same as u16,
            'n' => 10,
            't' => 9,
            'r' => 13,
            'b' => 8,
            'f' => 12,
            'u' => {
                let digits = rest.as_str().get(..4)?;
                rest.nth(3);
                let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
                u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)?
            }
            _ => return None,
        });
    }
    String::from_utf16(&units).ok()
}

fn xml(value: &str) -> Option<String> {
    let undone = |text: String, names: [&str; 5]| {
        let pairs = names.iter().zip(SPECIAL).skip(1);
        pairs.fold(text, |text, (name, c)| text.replace(name, &c.to_string()))
    };
    let text = ENTITIES.into_iter().fold(value.to_owned(), undone);
    // Last, since what it begins is no entity.
    let amp = |text: String, names: [&str; 5]| text.replace(names[0], "&");
    let text = ENTITIES.into_iter().skip(1).fold(text, amp);
    Some(text).filter(|_| value.contains('&'))
}
