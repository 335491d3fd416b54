//! What is like a secret: names, known forms of tokens, texts without any order.
//!
//! Comes in: names and values. Goes out: whether they are, and where.
//! Does not know: where they come from.

mod embedded;

pub(super) use embedded::embedded;
use std::ops::Range;

/// Shorter values mean nothing, in characters.
pub(super) const SHORTEST: usize = 4;
/// A part of a secret is one where it has so many characters and half of the secret's.
pub(super) const SHORTEST_PART: usize = 6;

/// Parts of names, in lower case and without separators.
const NAMES: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pswd",
    "pwd",
    "secret",
    "token",
    "key",
    "credential",
    "auth",
    "session",
    "cookie",
    "dsn",
    "connectionstring",
];

/// Variables in which shells keep the folder they are in, and the one before.
const OF_SHELLS: &[&str] = &["PWD", "OLDPWD"];

/// Words of names, in lower case: parts of many others too.
const WORDS: &[&str] = &["pass", "pw", "psw", "pat", "jwt", "otp", "bearer", "salt"];

/// Values that tell nobody anything, wherever they stand.
const COMMON: &[&str] = &[
    "true",
    "false",
    "none",
    "null",
    "auto",
    "enabled",
    "disabled",
    "default",
    "unset",
    "basic",
    "test",
    "root",
    "user",
    "admin",
    "localhost",
    "linux",
    "xterm",
    "dumb",
    "production",
    "development",
    "staging",
    "local",
    "build",
    "runner",
    "jenkins",
    "wayland",
    "c.utf-8",
    "c.utf8",
    "en_us.utf-8",
    "posix",
    "info",
    "debug",
    "warn",
    "error",
    "trace",
    "always",
    "never",
    "java",
    "maven",
    "gradle",
    "main",
    "master",
    "vim",
    "nano",
    "less",
    "bash",
    "/bin/sh",
    "/bin/bash",
    "/root",
    "/tmp",
    "/home",
    "/usr",
    "127.0.0.1",
    "0.0.0.0",
    "utf-8",
    "0000",
    "1000",
    "100000",
    "1000000",
    "2147483647",
    "9223372036854775807",
];

/// A form of token: its beginning, which characters follow, at least how many, and what else must be.
struct Form {
    start: &'static str,
    follows: fn(u8) -> bool,
    least: usize,
    /// A character that must come after those.
    then: Option<u8>,
}

const fn form(start: &'static str, least: usize) -> Form {
    Form {
        start,
        follows: is_token,
        least,
        then: None,
    }
}

const FORMS: &[Form] = &[
    Form {
        start: "AKIA",
        follows: is_upper_or_digit,
        least: 16,
        then: None,
    },
    Form {
        start: "ASIA",
        follows: is_upper_or_digit,
        least: 16,
        then: None,
    },
    form("ghp_", 16),
    form("gho_", 16),
    form("ghu_", 16),
    form("ghs_", 16),
    form("ghr_", 16),
    form("github_pat_", 16),
    form("glpat-", 10),
    form("xoxa-", 10),
    form("xoxb-", 10),
    form("xoxp-", 10),
    form("xoxr-", 10),
    form("xoxs-", 10),
    form("sk-", 16),
    form("sk_live_", 10),
    form("sk_test_", 10),
    form("AIza", 30),
    // A JSON web token: two parts in Base64 with a dot between.
    Form {
        start: "eyJ",
        follows: is_token,
        least: 8,
        then: Some(b'.'),
    },
];

const ARMOUR: &str = "-----BEGIN";

fn is_token(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn is_upper_or_digit(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit()
}

/// Where a known form of token stands in a text.
pub(super) fn token_form(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    for start in 0..bytes.len() {
        // All of them begin with one of these.
        if !matches!(bytes[start], b'A' | b'g' | b'x' | b's' | b'e' | b'-')
            || (start > 0 && bytes[start - 1].is_ascii_alphanumeric())
        {
            continue;
        }
        let rest = &bytes[start..];
        if rest.starts_with(ARMOUR.as_bytes()) {
            let end = text[start..].find(['\n', '"', '<']);
            return Some(start..end.map_or(bytes.len(), |end| start + end));
        }
        for form in FORMS {
            if let Some(length) = form.length(rest) {
                return Some(start..start + length);
            }
        }
    }
    None
}

impl Form {
    fn length(&self, bytes: &[u8]) -> Option<usize> {
        let tail = bytes.strip_prefix(self.start.as_bytes())?;
        let count = |bytes: &[u8]| {
            bytes
                .iter()
                .take_while(|&&byte| (self.follows)(byte))
                .count()
        };
        let mut length = count(tail);
        // Words joined by hyphens are no token.
        if length < self.least
            || !tail[..length].iter().any(u8::is_ascii_digit) && self.then.is_none()
        {
            return None;
        }
        if let Some(then) = self.then {
            if tail.get(length) != Some(&then) {
                return None;
            }
            while tail.get(length) == Some(&then) {
                length += 1 + count(&tail[length + 1..]);
            }
        }
        Some(self.start.len() + length)
    }
}

/// True if a name or its value is like a secret's.
pub(super) fn is_secret_like(name: &str, value: &str) -> bool {
    is_secret_name(name) || token_form(value).is_some() || is_without_order(value)
}

pub(super) fn is_secret_name(name: &str) -> bool {
    let plain: String = name
        .chars()
        .filter(|c| !matches!(c, '-' | '_' | '.'))
        .map(|c| c.to_ascii_lowercase())
        .collect();
    !OF_SHELLS.contains(&name)
        && (NAMES.iter().any(|part| plain.contains(part))
            || words(name).any(|word| is_secret_word(&word)))
}

fn is_secret_word(word: &str) -> bool {
    WORDS.contains(&word.to_ascii_lowercase().as_str())
}

/// `db.adminPass` has `db`, `admin` and `Pass`.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && !before.is_ascii_uppercase();
        if begins || !letter.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| letter.is_ascii_alphanumeric()) {
            word.push(letter);
        }
        before = letter;
    }
    words.into_iter()
}

/// True for values that are too common to be anybody's secret, and for short numbers.
pub(super) fn is_common(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    COMMON.contains(&lower.as_str())
        || (value.len() < 6 && value.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A run of so many letters and digits may be a key.
const LONG: usize = 20;
/// Bits a character from which on such a run has no order.
const ENTROPY: f64 = 4.0;

/// True if there is a long run of capitals, small letters and digits with no order. Paths and sentences have none: they
/// are cut at slashes, dots and blanks.
fn is_without_order(value: &str) -> bool {
    value
        .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '_' | '-' | '+' | '='))
        .any(|run| {
            let bytes = run.as_bytes();
            bytes.len() >= LONG
                && bytes.iter().any(u8::is_ascii_uppercase)
                && bytes.iter().any(u8::is_ascii_lowercase)
                && bytes.iter().any(u8::is_ascii_digit)
                && entropy(bytes) >= ENTROPY
        })
}

fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 128];
    for byte in bytes {
        counts[usize::from(*byte & 127)] += 1;
    }
    let all = f64::from(counts.iter().sum::<u32>());
    let share = |count: &u32| f64::from(*count) / all;
    let counts = counts.iter().filter(|count| **count > 0);
    counts
        .map(|count| -share(count) * share(count).log2())
        .sum()
}

/// The pieces between the separators of a secret that are no words: they hold a digit, or a capital after a small
/// letter. Of paths and addresses there are none, as their pieces are names.
pub(super) fn pieces(secret: &str) -> impl Iterator<Item = &str> {
    let is_place = secret.starts_with('/') || secret.contains("://") || secret.contains(":\\");
    let all = secret.split(|c: char| !c.is_ascii_alphanumeric());
    all.filter(move |piece| {
        !is_place && piece.len() >= SHORTEST_PART && !is_common(piece) && !is_word(piece)
    })
}

fn is_word(piece: &str) -> bool {
    let small = piece.find(|c: char| c.is_ascii_lowercase());
    let capital = piece.rfind(|c: char| c.is_ascii_uppercase());
    let is_mixed = small.is_some() && small < capital;
    !is_mixed && !piece.contains(|c: char| c.is_ascii_digit())
}
