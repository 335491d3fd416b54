//! The study of templates: each algorithm of the search with object construction graphs and without.
//!
//! Comes in: subjects, modes, seeds, a budget. Goes out: rows, a table with significance and effect size, a plot (see
//! `comparison.rs`). The question is that of Lin, Ong, Sun, Fraser, Dong, "Graph-based seed object synthesis for
//! search-based unit testing", ESEC/FSE 2021, in surroundings like theirs: a few random sequences come first, as many with
//! templates as without, and nothing is known from traces or from operands of comparisons. A last pair asks it with all
//! else that Palus does beside it.
//! Does not know: what a template is.

use crate::comparison::Comparison;
use crate::mode::Mode;
use crate::runner;
use crate::study::{Form, Study};
use crate::table::{Asked, Pairing};

pub static STUDY: Study = Study {
    name: "templates",
    modes: MODES,
    long: Form {
        budget_seconds: 60,
        seeds: 10,
        modes: &[],
    },
    short: Form {
        budget_seconds: 30,
        seeds: 3,
        modes: &[
            "dynamosa",
            "dynamosa-plain",
            "mosa",
            "mosa-plain",
            "monotonic",
            "monotonic-plain",
        ],
    },
    fills_the_machine: true,
    list: "peers",
};

pub static TEMPLATES: Comparison = Comparison {
    asked: Asked {
        study: &STUDY,
        title: "Templates",
        said: "Generation has the time of its subject with one worker. A mode `-plain` is its algorithm without templates.",
        differences: &[DYNAMOSA, MOSA, MONOTONIC, PALUS],
        pairings: &[
            Pairing {
                title: "DynaMOSA with templates against without",
                pairs: &[DYNAMOSA],
            },
            Pairing {
                title: "MOSA with templates against without",
                pairs: &[MOSA],
            },
            Pairing {
                title: "MonotonicGA with templates against without",
                pairs: &[MONOTONIC],
            },
            Pairing {
                title: "All three with templates against without",
                pairs: &[DYNAMOSA, MOSA, MONOTONIC],
            },
            Pairing {
                title: "All of Palus with templates against without",
                pairs: &[PALUS],
            },
        ],
    },
    appendix: |_, _| Ok(String::new()),
    measure: |task| runner::run(task, &[]),
};

const DYNAMOSA: (&str, &str) = ("dynamosa", "dynamosa-plain");
const MOSA: (&str, &str) = ("mosa", "mosa-plain");
const MONOTONIC: (&str, &str) = ("monotonic", "monotonic-plain");
const PALUS: (&str, &str) = ("palus", "palus-plain");

/// Random sequences per class before the search. Where the clock ends them, what is left to the search is a matter of luck,
/// and of more luck than of templates.
const BEFORE: &str = "1000";

/// What is plain is pale.
const MODES: &[Mode] = &[
    Mode {
        name: "dynamosa",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "DYNAMOSA"),
            ("templates", "true"),
        ],
        colour: "#2a8a4a",
    },
    Mode {
        name: "dynamosa-plain",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "DYNAMOSA"),
            ("templates", "false"),
        ],
        colour: "#9fcfae",
    },
    Mode {
        name: "mosa",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "MOSA"),
            ("templates", "true"),
        ],
        colour: "#3f7fbf",
    },
    Mode {
        name: "mosa-plain",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "MOSA"),
            ("templates", "false"),
        ],
        colour: "#a9c8e6",
    },
    Mode {
        name: "monotonic",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "MONOTONIC_GA"),
            ("templates", "true"),
        ],
        colour: "#b5762a",
    },
    Mode {
        name: "monotonic-plain",
        settings: &[
            ("mode", "RANDOM"),
            ("exploringSteps", BEFORE),
            ("operandFeedback", "false"),
            ("search", "MONOTONIC_GA"),
            ("templates", "false"),
        ],
        colour: "#e3c199",
    },
    Mode {
        name: "palus",
        settings: &[
            ("mode", "FULL"),
            ("search", "DYNAMOSA"),
            ("templates", "true"),
        ],
        colour: "#a05a8c",
    },
    Mode {
        name: "palus-plain",
        settings: &[
            ("mode", "FULL"),
            ("search", "DYNAMOSA"),
            ("templates", "false"),
        ],
        colour: "#d9b3cd",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_mode_differs_from_its_own_in_templates_alone() {
        for &(with, without) in TEMPLATES.asked.differences {
            let settings = |name: &str| {
                let mode = MODES.iter().find(|mode| mode.name == name).unwrap();
                mode.settings.to_vec()
            };
            let (mut with, without) = (settings(with), settings(without));
            assert_eq!(with.pop(), Some(("templates", "true")));
            with.push(("templates", "false"));
            assert_eq!(with, without);
        }
    }
}
