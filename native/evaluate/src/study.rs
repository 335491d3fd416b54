//! What a study is: its name, its defaults, and what it does.
//!
//! Comes in: a name. Goes out: the [`Study`] of that name.

use crate::mode::Mode;
use crate::options::Options;
use crate::{ablation, growth, peers, templates};

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
    pub run: fn(&Options) -> Result<(), String>,
}

/// A set of defaults.
#[derive(Debug)]
pub struct Form {
    pub budget_seconds: u64,
    pub seeds: u64,
    /// Names; none are all.
    pub modes: &'static [&'static str],
}

const STUDIES: &[&Study] = &[
    &ablation::STUDY,
    &templates::STUDY,
    &peers::STUDY,
    &growth::STUDY,
];

/// The study of that name.
pub fn named(name: &str) -> Result<&'static Study, String> {
    let found = STUDIES.iter().find(|study| study.name == name);
    found.copied().ok_or_else(|| {
        let known: Vec<&str> = STUDIES.iter().map(|study| study.name).collect();
        format!("there is no study `{name}`; known: {}", known.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mode;

    #[test]
    fn an_unknown_study_is_refused_with_the_known_ones() {
        assert!(named("ablation").is_ok());
        let error = named("abblation").unwrap_err();
        assert!(error.starts_with("there is no study `abblation`; known: ablation, templates"));
    }

    #[test]
    fn the_modes_of_a_short_form_are_the_studys_own() {
        for study in STUDIES {
            for form in [&study.long, &study.short] {
                let names = form.modes.iter().copied();
                assert!(mode::read(names, study.modes).is_ok(), "{}", study.name);
            }
        }
    }
}
