//! Tests that are not about the class they are written for.
//!
//! Comes in: the test classes of a batch. Goes out: the same without tests that are there only for what tests of other
//! classes cover as well: a reader would not look for them there.
//! Batches are the same for any number of workers, so what goes does not depend on it.
//! Does not know: how tests were made.

use palus_sequence::Probe;
use palus_suite::{Test, TestClass};
use std::collections::BTreeSet;

/// What tests about their own class, and foreign ones that stayed, have covered so far.
#[derive(Debug, Default)]
pub(crate) struct Foreign {
    covered: BTreeSet<Probe>,
}

impl Foreign {
    /// Notes what the tests about a class cover; of all classes of a batch, before [`Foreign::leave_out`] of any.
    pub fn note(&mut self, class: &TestClass) {
        for test in class.tests.iter().filter(|test| test.elsewhere.is_empty()) {
            self.covered.extend(&test.run.outcome.coverage.probes);
        }
    }

    /// Takes out what is covered without it. What each test covers is forgotten with that: nobody asks any more, and of
    /// many thousands of tests it takes more memory than all else.
    pub fn leave_out(&mut self, class: &mut TestClass) {
        class.tests.retain(|test| self.stays(test));
        for test in &mut class.tests {
            test.run.outcome.coverage.probes = Vec::new();
            test.elsewhere = Vec::new();
        }
    }

    fn stays(&mut self, test: &Test) -> bool {
        let mut gained = false;
        for &probe in &test.elsewhere {
            gained |= self.covered.insert(probe);
        }
        gained || test.elsewhere.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::ClassId;
    use palus_sequence::{Coverage, End, Outcome, Run, Sequence};

    fn probes(all: &[(u32, u32)]) -> Vec<Probe> {
        let probes = all.iter();
        probes
            .map(|&(class, index)| Probe { class, index })
            .collect()
    }

    /// Name, what it touches, and whether it is there for that alone.
    type Row<'a> = (&'a str, &'a [(u32, u32)], bool);

    fn class(id: u32, tests: &[Row<'_>]) -> TestClass {
        let tests = tests.iter().map(|&(name, touched, is_foreign)| Test {
            name: name.to_owned(),
            run: Run {
                sequence: Sequence::default(),
                outcome: Outcome {
                    coverage: Coverage {
                        probes: probes(touched),
                    },
                    ..Outcome::new(End::Completed, Vec::new())
                },
            },
            assertions: Vec::new(),
            remark: None,
            elsewhere: if is_foreign {
                probes(touched)
            } else {
                Vec::new()
            },
            harm: palus_suite::Harm::None,
            told: Vec::new(),
            length: usize::MAX,
            kills: Vec::new(),
        });
        TestClass {
            subject: ClassId(id),
            package: String::new(),
            name: format!("C{id}PalusTest"),
            tests: tests.collect(),
            faults: palus_suite::Faults::default(),
        }
    }

    fn left(foreign: &mut Foreign, mut batch: Vec<TestClass>) -> Vec<String> {
        for class in &batch {
            foreign.note(class);
        }
        for class in &mut batch {
            foreign.leave_out(class);
        }
        let tests = batch.iter().flat_map(|class| &class.tests);
        let name = |test: &Test| {
            let kept = test.run.outcome.coverage.probes.len() + test.elsewhere.len();
            assert_eq!(kept, 0, "memory");
            test.name.clone()
        };
        tests.map(name).collect()
    }

    #[test]
    fn a_foreign_test_stays_for_what_nobody_else_covers() {
        let mut foreign = Foreign::default();
        let first = class(
            1,
            &[
                ("own", &[(1, 0)], false),
                ("covered_at_home", &[(2, 0)], true),
                ("alone", &[(2, 0), (3, 7)], true),
                ("again", &[(3, 7)], true),
            ],
        );
        let second = class(2, &[("home", &[(2, 0)], false)]);
        assert_eq!(
            left(&mut foreign, vec![first, second]),
            ["own", "alone", "home"]
        );
        let later = class(4, &[("late", &[(1, 0), (3, 7)], true)]);
        assert!(
            left(&mut foreign, vec![later]).is_empty(),
            "of earlier batches, too"
        );
    }
}
