//! The modes that are compared: the feature matrix of Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated
//! Test Generation", ISSTA 2011, and the full one with models of fewer states.
//!
//! Comes in: a mode's name. Goes out: the engine's settings for it.
//! Does not know: what a setting does.

/// One mode.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mode {
    /// Position in the order of tables.
    place: usize,
}

/// Name in tables, the engine's `mode`, the engine's `kTail`.
const MODES: &[(&str, &str, &str)] = &[
    ("random", "RANDOM", "0"),
    ("static", "STATIC", "0"),
    ("palulu", "PALULU", "0"),
    ("model", "MODEL", "0"),
    ("constraints", "CONSTRAINTS", "0"),
    ("unguided", "UNGUIDED", "0"),
    ("full", "FULL", "0"),
    ("literal", "LITERAL", "0"),
    ("ktail1", "FULL", "1"),
    ("ktail2", "FULL", "2"),
    ("ktail3", "FULL", "3"),
    ("ktail4", "FULL", "4"),
    ("ktail5", "FULL", "5"),
];

impl Mode {
    /// All names, between commas.
    pub const ALL_NAMES: &str = "random,static,palulu,model,constraints,unguided,full,literal,ktail1,ktail2,ktail3,ktail4,ktail5";

    /// The mode of that name.
    pub fn read(name: &str) -> Result<Mode, String> {
        let place = MODES.iter().position(|(known, ..)| *known == name);
        place.map(|place| Mode { place }).ok_or_else(|| {
            let known: Vec<&str> = MODES.iter().map(|(known, ..)| *known).collect();
            format!("there is no mode `{name}`; known: {}", known.join(", "))
        })
    }

    /// The name in tables.
    pub fn name(&self) -> &'static str {
        MODES[self.place].0
    }

    /// What the engine is told.
    pub fn settings(&self) -> [(&'static str, &'static str); 2] {
        let (_, mode, k_tail) = MODES[self.place];
        [("mode", mode), ("kTail", k_tail)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_listed_once() {
        let names: Vec<&str> = MODES.iter().map(|(name, ..)| *name).collect();
        assert_eq!(names.join(","), Mode::ALL_NAMES);
        assert_eq!(
            Mode::read("ktail3").unwrap().settings(),
            [("mode", "FULL"), ("kTail", "3")]
        );
    }
}
