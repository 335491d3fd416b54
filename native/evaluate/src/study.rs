//! What a study is: its name and its defaults.
//!
//! Comes in: a name and the studies that there are. Goes out: the [`Study`] of that name.
//! Does not know: which there are, what one does; `main.rs` lists both.

use crate::mode::Mode;

/// One study.
#[derive(Debug)]
pub struct Study {
    pub name: &'static str,
    /// All its modes, in the order of its tables.
    pub modes: &'static [Mode],
    pub long: Form,
    pub short: Form,
    /// Whether as many rows as there are cores run at a time, where nothing is said.
    pub fills_the_machine: bool,
    /// The ending of the class lists it uses.
    pub list: &'static str,
}

/// A set of defaults.
#[derive(Debug)]
pub struct Form {
    pub budget_seconds: u64,
    pub seeds: u64,
    /// Names; none are all.
    pub modes: &'static [&'static str],
}

/// The study of that name.
pub fn named(name: &str, among: &[&'static Study]) -> Result<&'static Study, String> {
    let found = among.iter().find(|study| study.name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = among.iter().map(|study| study.name).collect();
        format!("there is no study `{name}`; known: {}", known.join(", "))
    })
}
