//! The ablation: what each part of generation adds, mode by mode, over subjects and seeds.
//!
//! Comes in: subjects, modes, seeds, a budget. Goes out: rows, a table and a plot (see `comparison.rs`).
//! The modes are the feature matrix of Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation",
//! ISSTA 2011, and the full one with models of fewer states.
//! Does not know: what a mode does.

use crate::comparison::Comparison;
use crate::mode::Mode;
use crate::runner;
use crate::study::{Form, Study};
use crate::table::Asked;

pub static STUDY: Study = Study {
    name: "ablation",
    modes: MODES,
    long: Form {
        budget_seconds: 60,
        seeds: 5,
        modes: &[],
    },
    short: Form {
        budget_seconds: 30,
        seeds: 3,
        modes: &["random", "palulu", "constraints", "full"],
    },
    fills_the_machine: true,
    list: "peers",
};

pub static ABLATION: Comparison = Comparison {
    asked: Asked {
        study: &STUDY,
        title: "Ablation",
        said: "Generation has the time of its subject with one worker.",
        differences: &[
            ("full", "palus"),
            ("palus", "constraints"),
            ("constraints", "palulu"),
            ("palulu", "random"),
            ("palus", "random"),
            ("full", "random"),
            ("full", "unguided"),
        ],
        pairings: &[],
    },
    // The matrix knows no search.
    appendix: |_, _| Ok(String::new()),
    measure: |task| runner::run(task, &[("search", "OFF")]),
};

/// In the order of the matrix, from grey over blue to green; variants of the full mode are pale.
const MODES: &[Mode] = &[
    mode("random", &[("mode", "RANDOM")], "#9a9a9a"),
    mode("static", &[("mode", "STATIC")], "#b08f5f"),
    mode("palulu", &[("mode", "PALULU")], "#d9a441"),
    mode("model", &[("mode", "MODEL")], "#7fb0d8"),
    mode("constraints", &[("mode", "CONSTRAINTS")], "#3f7fbf"),
    mode("palus", &[("mode", "PALUS")], "#2f6f8f"),
    mode("unguided", &[("mode", "UNGUIDED")], "#6f6f6f"),
    mode("full", &[("mode", "FULL")], "#2a8a4a"),
    mode("literal", &[("mode", "LITERAL")], "#a05a8c"),
    mode("ktail1", &[("mode", "FULL"), ("kTail", "1")], PALE),
    mode("ktail2", &[("mode", "FULL"), ("kTail", "2")], PALE),
    mode("ktail3", &[("mode", "FULL"), ("kTail", "3")], PALE),
    mode("ktail4", &[("mode", "FULL"), ("kTail", "4")], PALE),
    mode("ktail5", &[("mode", "FULL"), ("kTail", "5")], PALE),
];

const PALE: &str = "#9fcfae";

const fn mode(
    name: &'static str,
    settings: &'static [(&'static str, &'static str)],
    colour: &'static str,
) -> Mode {
    Mode {
        name,
        settings,
        colour,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_modes_are_those_of_the_matrix_and_the_merged_models() {
        let names: Vec<&str> = MODES.iter().map(|mode| mode.name).collect();
        assert_eq!(
            names.join(","),
            "random,static,palulu,model,constraints,palus,unguided,full,literal,ktail1,ktail2,ktail3,ktail4,ktail5"
        );
        assert_eq!(MODES[11].settings, [("mode", "FULL"), ("kTail", "3")]);
    }
}
