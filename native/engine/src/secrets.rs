//! Values that no written file, no line and no other process may hold: those of the build's environment, and those of
//! properties of the project's test JVM whose names or values are like a secret's.
//!
//! Comes in: the environment of this process, arguments of the test JVM, texts and numbers. Goes out: which of
//! them are held back, texts without secrets, arguments with placeholders.
//! The agent has the same rules (`io.palus.agent.Secrets`); both are held to `tests/secrets.txt`.
//! Does not know: where a text comes from.

pub(crate) mod argument_files;
mod encoded;
mod likeness;
mod numbers;
mod source;
mod uuid;

use argument_files::expanded;
use likeness::{
    SHORTEST, SHORTEST_PART, embedded, is_common, is_secret_like, is_secret_name, pieces,
    token_form,
};
use numbers::Numbers;
use palus_wire::trace::PlainValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::path::Path;

/// Stands for a value that is held back, in arguments and in the environment of the JVMs that we start.
/// Who asks for such a value in verification is seen by it (`HeldBack.java`).
pub(crate) const PLACEHOLDER: &str = "palus-held-back";
/// Of a variable that many builds set, whether this one does or not.
pub(crate) const SET_ELSEWHERE: &str = "palus-held-back-elsewhere";
/// The same in the second run of verification: a test that depends on the value fails in one of both. Nothing that code
/// likes to ask of a value is as it is there: its length, its letters, whether it is a number.
pub(crate) const OTHER_PLACEHOLDER: &str = "7";
/// Stands for a secret in lines and reports.
const REDACTED: &str = "***";
/// Other values of the environment are looked for inside texts from this length on; shorter ones are compared.
const SHORTEST_INSIDE: usize = 8;

/// What is held back in one run.
#[derive(Clone, Default)]
pub struct Secrets {
    /// Texts that hold one of these are held back; the secrets first.
    inside: Vec<String>,
    /// How many of them are secrets; the others are ordinary values of the environment.
    secret: usize,
    /// Texts that are one of these are held back.
    whole: BTreeSet<String>,
    /// Texts that have half of one of these are held back, with a digit in it.
    parts: Vec<String>,
    /// Numbers that are one of all these.
    numbers: Numbers,
    /// The first bytes of `inside`.
    starts: Starts,
    /// Which of `inside` begin so.
    by_start: BTreeMap<[u8; 3], Vec<usize>>,
}

/// Which beginnings of three bytes there are, by a hash of twelve bits.
#[derive(Clone)]
struct Starts([u64; 64]);

impl Default for Starts {
    fn default() -> Self {
        Starts([0; 64])
    }
}

impl Starts {
    fn place(bytes: &[u8]) -> (usize, u64) {
        let code = bytes[..3]
            .iter()
            .fold(0_usize, |code, &byte| code * 31 + usize::from(byte));
        (code >> 6 & 63, 1 << (code & 63))
    }

    fn add(&mut self, text: &str) {
        let (word, bit) = Starts::place(text.as_bytes());
        self.0[word] |= bit;
    }

    fn may_start(&self, bytes: &[u8]) -> bool {
        let (word, bit) = Starts::place(bytes);
        self.0[word] & bit != 0
    }
}

/// Says how many there are, never which.
impl fmt::Debug for Secrets {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Secrets({})", self.inside.len() + self.whole.len())
    }
}

impl Secrets {
    /// The values of these environment variables and properties.
    pub fn of<V, P>(variables: V, properties: P) -> Secrets
    where
        V: IntoIterator<Item = (String, String)>,
        P: IntoIterator<Item = (String, String)>,
    {
        let mut sets = Sets::default();
        for (name, value) in variables {
            sets.variable(&name, &value);
        }
        for (name, value) in properties {
            sets.property(&name, &value);
        }
        // Nor do tests show what stands for a secret.
        sets.other(PLACEHOLDER);
        sets.finish()
    }

    /// What is held back in the run with these settings, which need not be right.
    pub fn of_pairs(pairs: &[(String, String)]) -> Secrets {
        let list = |wanted: &str| -> Vec<String> {
            let named = pairs.iter().filter(|(name, _)| name == wanted);
            named.map(|(_, value)| value.clone()).collect()
        };
        let folder = list("projectDirectory").pop().unwrap_or_default();
        let arguments = expanded(&list("jvmArgument"), Path::new(&folder));
        Secrets::of_build(&arguments, &list("buildProperty"))
    }

    /// The values of this process's environment, of the properties among these arguments of a JVM, and of the build's.
    pub(crate) fn of_build(arguments: &[String], properties: &[String]) -> Secrets {
        let variables = std::env::vars_os().map(|(name, value)| {
            let text = |text: std::ffi::OsString| text.to_string_lossy().into_owned();
            (text(name), text(value))
        });
        let of_tests = arguments.iter().filter_map(|argument| property(argument));
        let of_build = properties.iter().filter_map(|pair| pair.split_once('='));
        let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
        Secrets::of(variables, of_tests.chain(of_build).map(owned))
    }

    /// True for a text that must not be recorded, written or tried.
    pub(crate) fn holds(&self, text: &str) -> bool {
        text.len() >= SHORTEST
            && (self.whole.contains(text)
                || self.next(text, 0, self.inside.len()).is_some()
                || self.is_folded_in(text)
                || token_form(text).is_some()
                || self.has_part(text))
    }

    /// The same for a number, too.
    pub(crate) fn holds_plain(&self, value: PlainValue<'_>) -> bool {
        match value {
            PlainValue::Text(text) => self.holds(text),
            PlainValue::Integer(number) => self.numbers.integer(number),
            PlainValue::Float(bits) => self.numbers.float(f32::from_bits(bits)),
            PlainValue::Double(bits) => self.numbers.double(f64::from_bits(bits)),
        }
    }

    /// True for Java source with a literal that is held back, in one piece or character by character.
    pub(crate) fn are_in_source(&self, source: &str) -> bool {
        let literals = source::literals(source);
        self.next(source, 0, self.secret).is_some()
            || literals.texts.iter().any(|text| self.holds(text))
            || literals
                .numbers
                .iter()
                .any(|number| self.numbers.literal(number))
    }

    /// A text for people, without secrets. Other values of the environment stay: they are folders and names that such
    /// texts are about.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let clean = self.redact_lines(text);
        let Some((line, places)) = encoded::unfolded(&clean) else {
            return clean;
        };
        let mut whole = String::new();
        let (mut from, mut end) = (0, 0);
        while let Some(found) = self.next(&line, from, self.secret) {
            whole.push_str(&clean[end..places[found.start]]);
            whole.push_str(REDACTED);
            from = found.end;
            end = places[found.end - 1] + 1;
        }
        if end == 0 {
            return clean;
        }
        whole.push_str(&clean[end..]);
        Cow::Owned(whole)
    }

    /// The same as far as secrets stand in one line.
    fn redact_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut clean = String::new();
        let mut end = 0;
        while let Some(found) = self.next_secret(text, end) {
            clean.push_str(&text[end..found.start]);
            clean.push_str(REDACTED);
            end = found.end;
        }
        if end == 0 {
            return Cow::Borrowed(text);
        }
        clean.push_str(&text[end..]);
        Cow::Owned(clean)
    }

    fn next_secret(&self, text: &str, from: usize) -> Option<Range<usize>> {
        let value = self.next(text, from, self.secret);
        let token = token_form(&text[from..]).map(|at| at.start + from..at.end + from);
        match (value, token) {
            (Some(value), Some(token)) if token.start < value.start => Some(token),
            (None, token) => token,
            (value, _) => value,
        }
    }

    /// Where the first of the first `count` values begins and the longest one there ends.
    fn next(&self, text: &str, from: usize, count: usize) -> Option<Range<usize>> {
        let bytes = text.as_bytes();
        for start in from..bytes.len().saturating_sub(2) {
            let rest = &bytes[start..];
            if self.starts.may_start(rest) {
                let found = self.by_start.get(&rest[..3]).into_iter().flatten();
                let found = found.filter(|&&number| number < count);
                let found = found.map(|&number| self.inside[number].as_bytes());
                let found = found.filter(|value| rest.starts_with(value));
                if let Some(length) = found.map(<[u8]>::len).max() {
                    return Some(start..start + length);
                }
            }
        }
        None
    }

    /// Lines end anywhere in Base64 of mails and keys.
    fn is_folded_in(&self, text: &str) -> bool {
        encoded::unfolded(text)
            .is_some_and(|(line, _)| self.next(&line, 0, self.inside.len()).is_some())
    }

    fn has_part(&self, text: &str) -> bool {
        let text = text.as_bytes();
        let mut secrets = self.parts.iter();
        secrets.any(|secret| has_half(text, secret.as_bytes()))
    }
}

/// True if half of a secret, in one piece, is a text, or stands in it and has a digit: words stand in many texts.
fn has_half(text: &[u8], secret: &[u8]) -> bool {
    let least = SHORTEST_PART.max(secret.len().div_ceil(2));
    let is_long = |at: usize, of: usize| {
        let same = |pair: &(&u8, &u8)| pair.0 == pair.1;
        let after = text[at..].iter().zip(&secret[of..]).take_while(same);
        let before = text[..at].iter().rev().zip(secret[..of].iter().rev());
        let (before, after) = (before.take_while(same).count(), after.count());
        let piece = &text[at - before..at + after];
        let is_known = piece.len() == text.len() || piece.iter().any(u8::is_ascii_digit);
        piece.len() >= least && is_known
    };
    // Each piece of this length has one of these places.
    (least - 1..text.len()).step_by(least).any(|at| {
        let places = secret.iter().enumerate();
        let mut same = places.filter(|(_, byte)| **byte == text[at]);
        same.any(|(of, _)| is_long(at, of))
    })
}

/// Values while they are collected.
#[derive(Default)]
struct Sets {
    secrets: BTreeSet<String>,
    others: BTreeSet<String>,
    whole: BTreeSet<String>,
}

impl Sets {
    fn variable(&mut self, name: &str, value: &str) {
        self.property(name, value);
        if !is_secret_like(name, value) {
            self.other(value);
        }
    }

    fn property(&mut self, name: &str, value: &str) {
        if is_secret_like(name, value) {
            self.secret(value, is_secret_name(name) || !value.trim().contains(' '));
        }
        for part in embedded(value) {
            self.secret(part, true);
        }
    }

    /// Where a value is more than the secret, such as options, its pieces are not.
    fn secret(&mut self, value: &str, alone: bool) {
        let value = value.trim();
        if value.chars().count() < SHORTEST || is_common(value) {
            return;
        }
        self.secrets.insert(value.to_owned());
        let others = uuid::forms(value).into_iter();
        self.secrets.extend(others.filter(|form| !is_common(form)));
        if let Some(text) = numbers::as_double(value)
            && text.len() < SHORTEST_INSIDE
        {
            self.whole.insert(text);
        }
        if alone {
            for piece in pieces(value) {
                self.other(piece);
            }
        }
    }

    fn other(&mut self, value: &str) {
        let value = value.trim();
        let length = value.chars().count();
        if length < SHORTEST || is_common(value) {
            return;
        }
        let mut texts = uuid::forms(value);
        texts.retain(|form| !is_common(form));
        texts.push(value.to_owned());
        let numbers = texts.iter().filter_map(|text| numbers::as_double(text));
        for text in numbers.collect::<Vec<_>>().into_iter().chain(texts) {
            if text.chars().count() < SHORTEST_INSIDE {
                self.whole.insert(text);
            } else {
                self.others.insert(text);
            }
        }
    }

    fn finish(self) -> Secrets {
        let mut inside: BTreeSet<String> = self.secrets.clone();
        for secret in &self.secrets {
            inside.extend(encoded::forms(secret));
            let double = numbers::as_double(secret);
            inside.extend(double.filter(|text| text.len() >= SHORTEST_INSIDE));
        }
        let secret = inside.len();
        let mut others = self.others.clone();
        others.extend(self.others.iter().flat_map(|value| encoded::codes(value)));
        let others = others.difference(&inside).cloned();
        let inside: Vec<String> = inside.iter().cloned().chain(others).collect();
        let mut starts = Starts::default();
        let mut by_start: BTreeMap<[u8; 3], Vec<usize>> = BTreeMap::new();
        for (number, value) in inside.iter().enumerate() {
            starts.add(value);
            let bytes = value.as_bytes();
            let start = [bytes[0], bytes[1], bytes[2]];
            by_start.entry(start).or_default().push(number);
        }
        let all = self.secrets.iter().chain(&self.others).chain(&self.whole);
        Secrets {
            numbers: Numbers::of(all),
            starts,
            by_start,
            inside,
            secret,
            whole: self.whole,
            parts: self.secrets.into_iter().collect(),
        }
    }
}

/// The arguments of a JVM with a placeholder for the value of each property that is like a secret, or holds one, and without
/// agents whose options hold one: they would stand on a command line.
pub(crate) fn without_secrets(arguments: &[String], secrets: &Secrets) -> Vec<String> {
    let holds_one =
        |value: &str| !embedded(value).is_empty() || matches!(secrets.redact(value), Cow::Owned(_));
    let may_stand =
        |argument: &&String| !argument.starts_with("-javaagent:") || !holds_one(argument);
    let clean = |argument: &String| match property(argument) {
        Some((name, value))
            if (is_secret_like(name, value) && value.len() >= SHORTEST && !is_common(value))
                || holds_one(value) =>
        {
            format!("-D{name}={PLACEHOLDER}")
        }
        _ => argument.clone(),
    };
    arguments.iter().filter(may_stand).map(clean).collect()
}

/// The same arguments with the placeholder of the second run.
pub(crate) fn elsewhere(argument: &str) -> String {
    match property(argument) {
        Some((name, PLACEHOLDER)) => format!("-D{name}={OTHER_PLACEHOLDER}"),
        _ => argument.to_owned(),
    }
}

fn property(argument: &str) -> Option<(&str, &str)> {
    argument.strip_prefix("-D")?.split_once('=')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(variables: &[(&str, &str)], properties: &[(&str, &str)]) -> Secrets {
        let owned = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            let pairs = pairs.iter();
            pairs
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect()
        };
        Secrets::of(owned(variables), owned(properties))
    }

    /// What the agent's own test reads, too.
    #[test]
    fn the_rules_are_those_of_the_agent() {
        let mut rows = 0;
        for line in include_str!("../tests/secrets.txt").lines() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let columns: Vec<&str> = line.split('\t').collect();
            let [kind, name, value, text, expected] = columns[..] else {
                panic!("{line}");
            };
            let given = match kind {
                "variable" => secrets(&[(name, value)], &[]),
                "property" => secrets(&[], &[(name, value)]),
                _ => secrets(&[], &[]),
            };
            let held =
                match text.split_once(' ') {
                    Some(("long", number)) => {
                        given.holds_plain(PlainValue::Integer(number.parse().unwrap()))
                    }
                    Some(("float", number)) => given
                        .holds_plain(PlainValue::Float(number.parse::<f32>().unwrap().to_bits())),
                    Some(("double", number)) => given
                        .holds_plain(PlainValue::Double(number.parse::<f64>().unwrap().to_bits())),
                    _ => given.holds(text),
                };
            assert_eq!(held, expected == "held", "{line}");
            rows += 1;
        }
        assert!(rows > 70);
    }

    #[test]
    fn lines_lose_secrets_and_keep_folders() {
        let given = secrets(
            &[
                ("API_TOKEN", "t0p \"secret\""),
                ("PWD", "/home/ann/project"),
            ],
            &[("db.password", "hunter22")],
        );
        assert_eq!(
            given.redact("hunter22 in /home/ann/project: hunter22!"),
            "*** in /home/ann/project: ***!"
        );
        assert_eq!(given.redact("{\"t0p \\\"secret\\\"\"}"), "{\"***\"}");
        assert_eq!(given.redact("<i>t0p &quot;secret&quot;</i>"), "<i>***</i>");
        assert_eq!(given.redact("key AKIAIOSFODNN7EXAMPLE."), "key ***.");
        let number = secrets(&[], &[("db.key", "73914682")]);
        assert_eq!(number.redact("73914682, 7.3914682E7"), "***, ***");
        // Base64 of "me:hunter22", folded.
        assert_eq!(
            given.redact("at bWU6aHVud\r\n GVyMjI= is"),
            "at bWU6***I= is"
        );
        assert!(given.holds("bWU6aHVud\nGVyMjI="));
        assert!(matches!(given.redact("nothing"), Cow::Borrowed("nothing")));
    }

    #[test]
    fn a_literal_is_found_in_source_however_it_is_written() {
        let given = secrets(&[("API_TOKEN", "caf\u{e9}-1234")], &[("a.key", "abcdefgh")]);
        for source in [
            "assertEquals(\"x caf\\u00e9-1234\", a.b());",
            "a.login(new char[] { 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h' });",
            "a.login(new byte[] { (byte) 97, (byte) 98, (byte) 99, (byte) 100, (byte) 101, (byte) 102, (byte) 103, \
             (byte) 104 });",
            "a.login(new short[] { (short) 97, (short) 98, (short) 99, (short) 100, (short) 101, (short) 102, \
             (short) 103, (short) 104 });",
            "a.login(Arrays.asList(97L, 98L, 99L, 100L, 101L, 102L, 103L, 104L));",
            "a.login(new float[] { 97.0f, 98.0f, 99.0f, 100.0f, 101.0f, 102.0f, 103.0f, 104.0f });",
            "a.login(new Double[] { 97.0, 98.0, 99.0, 100.0, 101.0, 102.0, 103.0, 104.0 });",
            "a.login(1.5, new Object[] { 97, 98L, 'c', 100.0, 101.0f, (short) 102, (byte) 103, 104 }, 0.5);",
            "a.login(\"abcd\" + \"efgh\");",
            "a.login(new String[] { \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\", \"h\" });",
            "// abcdefgh",
        ] {
            assert!(given.are_in_source(source), "{source}");
        }
        assert!(!given.are_in_source("a.login(\"abcd\", \"efgh\", 'a', 98);"));
        let half = "a.login(new double[] { 97.0, 98.0, 99.0, 100.5, 101.0, 102.0, 103.0, 104.0 });";
        assert!(!given.are_in_source(half));
        let pin = secrets(&[("PIN", "73914682")], &[]);
        for source in [
            "v.setPin(-73914682);",
            "v.setLong(73914682L);",
            "assertEquals(73914682.0, v.d(), 0.1);",
            "v.setF(7.391468E7f);",
            "v.setB(new Object[] { (byte) 5, 73914682 });",
        ] {
            assert!(pin.are_in_source(source), "{source}");
        }
        assert!(!pin.are_in_source("v73914682.setPin(7391, 4682, 7391468.2f);"));
    }

    #[test]
    fn arguments_keep_names_and_lose_secrets() {
        let arguments = [
            "-Ddb.password=hunter22",
            "-Dmode=test",
            "-Durl=jdbc:x://u:pw1234@h/d",
            "-Dsession",
            "-Dtoken.length=8",
            "-Dauth.mode=test",
            "-Xmx1g",
        ];
        let clean = without_secrets(&arguments.map(str::to_owned), &secrets(&[], &[]));
        assert_eq!(
            clean,
            [
                "-Ddb.password=palus-held-back",
                "-Dmode=test",
                "-Durl=palus-held-back",
                "-Dsession",
                "-Dtoken.length=8",
                "-Dauth.mode=test",
                "-Xmx1g"
            ]
        );
        assert_eq!(elsewhere(&clean[0]), "-Ddb.password=7");
        assert_eq!(elsewhere(&clean[1]), "-Dmode=test");
    }

    #[test]
    fn a_property_that_has_a_secret_of_another_name_in_its_value_loses_it() {
        let given = secrets(
            &[("DEPLOY_TOKEN", "hunter22"), ("HOME", "/home/anna-maria")],
            &[("db.password", "pa/ss word")],
        );
        let arguments = [
            "-Dupstream=hunter22",
            "-Doptions=--as ann:hunter22@host",
            "-Dencoded=aHVudGVyMjI=",
            "-Dsource=pa/ss word",
            "-Ddata=/home/anna-maria/data",
            "-javaagent:/opt/a.jar=licence:hunter22",
        ];
        let held_back = |name: &str| format!("-D{name}=palus-held-back");
        assert_eq!(
            without_secrets(&arguments.map(str::to_owned), &given),
            [
                held_back("upstream"),
                held_back("options"),
                held_back("encoded"),
                held_back("source"),
                arguments[4].to_owned(),
            ]
        );
    }

    #[test]
    fn nobody_prints_secrets_by_accident() {
        let given = secrets(&[], &[("db.password", "hunter22")]);
        assert!(!format!("{given:?}").contains("hunter"));
    }
}
