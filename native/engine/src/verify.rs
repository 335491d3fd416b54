//! Running written tests twice in fresh JVMs, to keep only those that are stable.
//!
//! Comes in: compiled test classes and the list of tests. Goes out: a verdict per test.
//! The first run is as the project's own would be: its JVM arguments, the order in which the tests are written, and
//! the names of its environment, with placeholders for the values: no JVM of ours gets a secret.
//! The second is anything but: an empty environment, other placeholders, another order, a zone with odd offsets and a locale
//! with odd letters; tests whose objects hold others weakly then run with a garbage collection after each call and many
//! times while garbage is collected, and those that may rest on identity hash codes run many times with other ones.
//! Static state that one test leaves and others fail with costs those that left it where they are fewer, or where one of
//! the others is kept.
//! Both are sandboxed, but nothing else is fixed as it was while searching.
//! Does not know: how a test was found, what it asserts.

pub(crate) mod coverage;
pub(crate) mod dropped;
mod listen;
mod polluters;
mod prepared;
pub(crate) mod report;
pub(crate) mod rerun;
pub(crate) mod rounds;
pub(crate) mod run;
pub mod toolchain;
pub(crate) mod verdict;
pub(crate) mod verifier;

pub use verdict::{CoverageAgent, DropReason, Repeat, TestId, Verdict, Verification, Verified};

use crate::Error;
use crate::worker::process::Spawner;
use crate::worker::sandbox::Sandbox;
use run::Runner;
use verdict::Pass;

/// Fewer tests are not worth another JVM.
const WORTH_A_JVM: usize = 100;

/// Runs of the tests that are left, where each finds some that fail.
const MOST_REPEATS: usize = 6;

/// Runs the tests twice: as written with the project's surroundings, then shuffled in another zone and locale.
///
/// # Errors
/// When `java` will not start or the run is cancelled. Tests not reached before the deadline are `NotVerified`.
pub fn verify(verification: &Verification<'_>) -> Result<Verified, Error> {
    let settings = verification.settings;
    let sandbox = Sandbox::new(settings)?;
    let spawner = Spawner::new();
    let shares = shares(verification.tests, verification.workers);
    let results: Vec<Result<Verified, Error>> = std::thread::scope(|scope| {
        let (sandbox, spawner) = (&sandbox, &spawner);
        let shares = shares.into_iter().enumerate();
        let threads: Vec<_> = shares
            .map(|(number, share)| {
                scope.spawn(move || verify_share(verification, sandbox, spawner, number, share))
            })
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread
                .join()
                .unwrap_or_else(|_| Err(Error::internal("a thread that verifies tests failed")))
        };
        threads.into_iter().map(join).collect()
    });
    let mut whole = Verified::default();
    for result in results {
        let share = result?;
        whole.verdicts.extend(share.verdicts);
        whole.coverage_files.extend(share.coverage_files);
        whole.is_cut |= share.is_cut;
    }
    Ok(whole)
}

/// Splits at borders of classes into at most `workers` parts of about the same size.
fn shares(tests: &[TestId], workers: usize) -> Vec<&[TestId]> {
    let parts = workers.min(tests.len() / WORTH_A_JVM).max(1);
    let size = tests.len().div_ceil(parts);
    let mut shares = Vec::new();
    let mut from = 0;
    for at in 1..=tests.len() {
        let border = at == tests.len() || tests[at].class != tests[at - 1].class;
        if border && (at - from >= size || at == tests.len()) {
            shares.push(&tests[from..at]);
            from = at;
        }
    }
    shares
}

fn verify_share(
    verification: &Verification<'_>,
    sandbox: &Sandbox,
    spawner: &Spawner,
    number: usize,
    tests: &[TestId],
) -> Result<Verified, Error> {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; tests.len()];
    let mut coverage_files = Vec::new();
    let passes: &[Pass] = if verification.once {
        &[Pass::AsWritten; MOST_REPEATS]
    } else {
        &[Pass::AsWritten, Pass::Elsewhere]
    };
    let mut before = usize::MAX;
    let mut searches = polluters::SEARCHES;
    let mut is_cut = false;
    for &pass in passes {
        let mut order: Vec<usize> = (0..tests.len())
            .filter(|index| verdicts[*index].is_none())
            .collect();
        if verification.once {
            if order.len() == before {
                break;
            }
            before = order.len();
            coverage_files.clear();
        }
        if pass == Pass::Elsewhere {
            shuffle(&mut order, tests);
        }
        let coverage_agent = verification
            .coverage_agent
            .filter(|_| pass == Pass::AsWritten);
        let mut runner = Runner {
            verification,
            sandbox,
            spawner,
            pass,
            runs_once: false,
            coverage_agent,
            coverage_name: format!("coverage-{number}"),
            coverage_files: &mut coverage_files,
            tells_lines: false,
            is_cut: false,
        };
        runner.run(tests, order.clone(), &mut verdicts)?;
        is_cut |= runner.is_cut;
        if verification.blames {
            runner.coverage_agent = None;
            runner.runs_once = true;
            polluters::blame(&mut runner, tests, &order, &mut verdicts, &mut searches)?;
        }
    }
    let verdicts = verdicts.into_iter();
    Ok(Verified {
        verdicts: verdicts
            .map(|verdict| verdict.unwrap_or(Verdict::Stable))
            .collect(),
        coverage_files,
        is_cut,
    })
}

/// Another order that is the same each time: classes by a hash of their name, and the tests of each in the order in which
/// JUnit runs them where nobody says another one, by the hash that Java has of their names.
fn shuffle(order: &mut [usize], tests: &[TestId]) {
    let hash = |text: &str| {
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        })
    };
    order.sort_by_key(|index| {
        let TestId { class, method, .. } = &tests[*index];
        (
            hash(class),
            class.clone(),
            java_hash(method),
            method.clone(),
        )
    });
}

/// `String.hashCode`
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0, |hash: i32, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tests(names: &[&str]) -> Vec<TestId> {
        let split = |name: &&str| {
            let (class, method) = name.split_once('#').unwrap();
            TestId {
                class: class.to_owned(),
                method: method.to_owned(),
                repeat: Repeat::Never,
                is_kept: false,
            }
        };
        names.iter().map(split).collect()
    }

    #[test]
    fn the_second_order_is_junits() {
        let tests = tests(&["A#bid", "A#ask", "A#dig", "A#cut", "A#end_onA"]);
        let mut order: Vec<usize> = (0..tests.len()).collect();
        shuffle(&mut order, &tests);
        let names: Vec<&str> = order.iter().map(|&at| &*tests[at].method).collect();
        // As MethodSorters.DEFAULT of JUnit 4 has them.
        assert_eq!(names, ["end_onA", "ask", "bid", "cut", "dig"]);
        assert_eq!(
            (java_hash("ask"), java_hash("end_onA")),
            (96889, -1_606_909_730)
        );
    }

    #[test]
    fn a_class_is_never_split_and_every_test_is_in_one_share() {
        let mut names = Vec::new();
        for class in 0..10 {
            for method in 0..=(class * 20) {
                names.push(format!("C{class}#m{method}"));
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let tests = tests(&names);
        for workers in [1, 2, 3, 50] {
            let shares = shares(&tests, workers);
            assert!(shares.len() <= workers);
            assert_eq!(shares.concat(), tests);
            let borders = shares.windows(2);
            assert!(
                borders
                    .clone()
                    .all(|pair| pair[0].last().unwrap().class != pair[1][0].class)
            );
        }
        assert_eq!(shares(&tests[..20], 8).len(), 1);
        assert!(shares(&[], 8).is_empty());
    }

    #[test]
    fn the_other_order_is_another_one_and_keeps_classes_together() {
        let tests = tests(&["A#b", "A#a", "A#c", "A#d", "B#a", "B#d", "B#c", "B#b"]);
        let mut order: Vec<usize> = (0..tests.len()).collect();
        shuffle(&mut order, &tests);
        assert_ne!(order, [0, 1, 2, 3, 4, 5, 6, 7]);
        let mut again: Vec<usize> = (0..tests.len()).rev().collect();
        shuffle(&mut again, &tests);
        assert_eq!(order, again);
        let mut classes: Vec<&str> = order.iter().map(|at| tests[*at].class.as_str()).collect();
        classes.dedup();
        assert_eq!(classes.len(), 2);
    }
}
