//! Which values a setting may have, and how their text is read.
//!
//! Comes in: a text. Goes out: a value, or nothing where the text is none that is allowed; what is allowed, in words.
//! Does not know: which setting it is of.

use std::path::PathBuf;

/// What is allowed, for people.
pub(super) trait Allowed {
    /// In words.
    fn allowed(&self) -> String;

    /// Each value by its name, where there are few.
    fn names(&self) -> Vec<&'static str> {
        Vec::new()
    }
}

/// How a text is read.
pub(super) trait Values<T>: Allowed {
    /// None where it is not allowed.
    fn value(&self, text: &str) -> Option<T>;
}

/// A whole number within bounds.
pub(super) struct Whole(u64, u64);

/// A whole number from `low` to `high`.
pub(super) fn whole(low: u64, high: u64) -> Whole {
    Whole(low, high)
}

impl Allowed for Whole {
    fn allowed(&self) -> String {
        match *self {
            Whole(low, u64::MAX) => format!("a whole number from {low}"),
            Whole(low, high) => format!("a whole number from {low} to {high}"),
        }
    }
}

impl<T: TryFrom<u64>> Values<T> for Whole {
    fn value(&self, text: &str) -> Option<T> {
        let number: u64 = text.trim().parse().ok()?;
        let is_within = (self.0..=self.1).contains(&number);
        T::try_from(number).ok().filter(|_| is_within)
    }
}

/// A number with or without a fraction.
pub(super) struct Decimal;

impl Allowed for Decimal {
    fn allowed(&self) -> String {
        "a number".to_owned()
    }
}

impl Values<f64> for Decimal {
    fn value(&self, text: &str) -> Option<f64> {
        text.trim().parse().ok()
    }
}

/// One of a few names, in any case.
pub(super) struct Choice<T: 'static>(pub &'static [(&'static str, T)]);

/// Yes or no.
pub(super) const FLAG: Choice<bool> = Choice(&[("true", true), ("false", false)]);

impl<T> Allowed for Choice<T> {
    fn allowed(&self) -> String {
        let names = self.names();
        match names.split_last() {
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|&(name, _)| name).collect()
    }
}

impl<T: Copy> Values<T> for Choice<T> {
    fn value(&self, text: &str) -> Option<T> {
        let known = |(name, _): &&(&str, T)| name.eq_ignore_ascii_case(text.trim());
        self.0.iter().find(known).map(|&(_, value)| value)
    }
}

/// A pattern over class names.
pub(super) struct Glob;

impl Allowed for Glob {
    fn allowed(&self) -> String {
        "patterns over class names such as `com.acme.**` or `**.Account*`".to_owned()
    }
}

impl Values<String> for Glob {
    fn value(&self, text: &str) -> Option<String> {
        let text = text.trim();
        let fits = |c: char| c.is_alphanumeric() || ".*?$_-".contains(c);
        (!text.is_empty() && text.chars().all(fits)).then(|| text.to_owned())
    }
}

/// Some of a few names, in any case, and patterns over class names with a dot or a star, with commas between them; or
/// `OFF` for none.
pub(super) struct NamesOrGlobs(pub &'static [&'static str]);

const OFF: &str = "OFF";

impl Allowed for NamesOrGlobs {
    fn allowed(&self) -> String {
        let names = self.0.join(", ");
        let glob = Glob.allowed();
        format!("{OFF} or {names}, and {glob}, with commas between them")
    }

    fn names(&self) -> Vec<&'static str> {
        self.0.iter().copied().chain([OFF]).collect()
    }
}

impl Values<Vec<String>> for NamesOrGlobs {
    fn value(&self, text: &str) -> Option<Vec<String>> {
        if text.trim().eq_ignore_ascii_case(OFF) {
            return Some(Vec::new());
        }
        let one = |text: &str| {
            let known = |name: &&&str| name.eq_ignore_ascii_case(text);
            match self.0.iter().find(known) {
                Some(&name) => Some(name.to_owned()),
                None => Glob
                    .value(text)
                    .filter(|glob: &String| glob.contains(['.', '*'])),
            }
        };
        text.split(',').map(|text| one(text.trim())).collect()
    }
}

/// Any path.
pub(super) struct AnyPath;

impl Allowed for AnyPath {
    fn allowed(&self) -> String {
        "a path".to_owned()
    }
}

impl Values<PathBuf> for AnyPath {
    fn value(&self, text: &str) -> Option<PathBuf> {
        Some(PathBuf::from(text))
    }
}

/// Any text.
pub(super) struct Text;

impl Allowed for Text {
    fn allowed(&self) -> String {
        "any text".to_owned()
    }
}

impl Values<String> for Text {
    fn value(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }
}
