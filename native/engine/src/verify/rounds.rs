//! From candidates to files: print, compile, run twice, drop what is refused or unstable, write.
//!
//! Comes in: test classes of some units, and files of earlier runs that run beside them. Goes out: files in the output
//! folder, why candidates were dropped, and what of the earlier files no longer passes.
//! Repeats until nothing more is dropped, so that what is written has passed exactly as it stands; where the run's time
//! is over before that, what passed twice beside the dropped ones is written.
//! Does not know: how a test was found.

use crate::Error;
use crate::report::codes::meaning;
use crate::verify::dropped::{Dropped, Drops, called};
use crate::verify::prepared::Prepared;
use crate::verify::toolchain::{Compilation, compile};
use crate::verify::verdict::Company;
use crate::verify::verifier::{Bad, Verifier, binary_name, relative_path};
use crate::verify::{CoverageAgent, DropReason, Repeat, TestId, Verdict, Verification, verify};
use crate::write::earlier::Earlier;
use palus_analyze::has_static_state;
use palus_bytecode::{ClassId, Program};
use palus_suite::{Source, Test, TestClass};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// More rounds than this drop what is left of a class.
const ROUNDS: usize = 6;

/// Orders in which all tests run together at first, beside the written one and one by name: with them ten.
const ORDERS: u32 = 8;
/// And when some of them are dropped.
const ORDERS_AGAIN: u32 = 2;
/// Where nothing can be left for others and none has run in a group before, where each runs twice more.
const ORDERS_INSTEAD: u32 = 2;

/// Test classes that have been verified together.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    /// With at least one test each.
    pub(crate) classes: Vec<(TestClass, Source)>,
    pub(crate) drops: Drops,
    /// What was seen for some of them, for the log.
    pub(crate) examples: Vec<String>,
    /// Test classes that no file can be made for.
    pub(crate) refused: Vec<String>,
    /// Some of them, for the report.
    pub(crate) dropped: Vec<Dropped>,
    /// JaCoCo data of the last run.
    pub(crate) coverage_files: Vec<PathBuf>,
    /// True if the run's time was over before all had run.
    pub(crate) is_cut: bool,
    /// True if all is to run together once more, for some have not run as often as they are to.
    pub(crate) is_partial: bool,
    /// What no longer passes of files of earlier runs, by their path.
    pub(crate) stale: BTreeMap<String, Stale>,
    /// Classes whose tests Palus failed on, and the cause.
    pub(crate) defects: Vec<(ClassId, String)>,
}

/// What no longer passes of a file of an earlier run.
#[derive(Debug, Default)]
pub(crate) struct Stale {
    /// The file itself where it does not compile, or tests of it: `demo.APalusTest#adds`.
    pub(crate) tests: BTreeSet<String>,
    /// Those of them that were denied something, and what it was.
    pub(crate) denied: BTreeMap<String, String>,
}

impl Verifier<'_> {
    /// Compiles and runs until nothing more is dropped, in one JVM where all tests run. Files of earlier runs are compiled
    /// and run as well, and lose nothing: what fails of them is told.
    ///
    /// # Errors
    /// When `java` or `javac` will not start, or the run is cancelled.
    pub(crate) fn verify(
        &self,
        mut classes: Vec<TestClass>,
        earlier: &[Earlier],
        folder: &Path,
        company: Company,
        with_coverage: bool,
    ) -> Result<Verified, Error> {
        let mut verified = Verified::default();
        let mut earlier: Vec<&Earlier> = earlier.iter().collect();
        let mut has_run = false;
        let is_once = self.settings.verification == crate::Verification::Once;
        for round in 0..ROUNDS {
            let has_passed = has_run;
            classes.retain(|class| !class.tests.is_empty());
            if classes.is_empty() && earlier.is_empty() {
                return Ok(verified);
            }
            let prepared = self.prepare_all(&mut classes, &mut verified);
            if classes.is_empty() && earlier.is_empty() {
                return Ok(verified);
            }
            // What failed beside others that are dropped by now may pass.
            let is_left = |path: &String| earlier.iter().any(|file| file.path == *path);
            verified.stale.retain(|path, _| !is_left(path));
            let refused = prepared.iter().zip(&classes);
            let refused = refused.filter(|(one, _)| one.is_refused());
            let refused = refused.map(|(_, class)| binary_name(class));
            verified.refused.extend(refused);
            let held: Vec<Bad> = (0..)
                .zip(&prepared)
                .flat_map(|(class, one)| one.held.iter().map(move |bad| bad.of(class)))
                .collect();
            if !held.is_empty() {
                // Before anything is written or compiled.
                drop_tests(
                    &self.project.program,
                    &mut classes,
                    &held,
                    false,
                    &mut verified,
                );
                continue;
            }
            let (sources, repeats): (Vec<_>, Vec<_>) = prepared
                .into_iter()
                .map(|one| (one.source, one.repeats))
                .unzip();
            let mut bad = match self.compile(&classes, &sources, &earlier, folder)? {
                Ok(compiled) => {
                    let is_again = std::mem::replace(&mut has_run, true);
                    self.run(
                        is_again,
                        (&classes, &repeats, &earlier),
                        &compiled,
                        company,
                        with_coverage,
                        &mut verified,
                    )?
                }
                Err(refused) => refused,
            };
            let is_cut = bad.iter().any(|one| one.reason == DropReason::NotVerified);
            verified.is_cut |= is_cut;
            let refused = take_earlier(classes.len(), &earlier, &mut bad, &mut verified);
            if is_cut || (is_once && has_run) {
                if has_passed {
                    // In the round before, beside those that were dropped then.
                    bad.retain(|one| one.reason != DropReason::NotVerified);
                }
                return Ok(self.finish(classes, &bad, verified));
            }
            earlier.retain(|file| !refused.contains(&file.path));
            if !refused.is_empty() && bad.is_empty() {
                // The compiler said nothing of the others yet.
                continue;
            }
            if bad.is_empty() {
                verified.is_partial |= repeats.iter().any(|class| have_both(class));
                verified.classes = classes.into_iter().zip(sources).collect();
                return Ok(verified);
            }
            let last = round + 1 == ROUNDS;
            drop_tests(
                &self.project.program,
                &mut classes,
                &bad,
                last,
                &mut verified,
            );
        }
        let earlier: Vec<Earlier> = earlier.into_iter().cloned().collect();
        self.verify(classes, &earlier, folder, company, with_coverage)
            .map(|rest| verified.with(rest))
    }

    /// Drops what is bad, without another round.
    fn finish(&self, mut classes: Vec<TestClass>, bad: &[Bad], mut verified: Verified) -> Verified {
        let program = &self.project.program;
        drop_tests(program, &mut classes, bad, false, &mut verified);
        classes.retain(|class| !class.tests.is_empty());
        let prepared = self.prepare_all(&mut classes, &mut verified);
        let sources = prepared.into_iter().map(|one| one.source);
        verified.classes = classes.into_iter().zip(sources).collect();
        verified
    }

    /// What verifying needs of each class. Where Palus fails on one, it is taken out and noted.
    fn prepare_all(&self, classes: &mut Vec<TestClass>, verified: &mut Verified) -> Vec<Prepared> {
        let mut prepared = Vec::new();
        classes.retain(|class| match self.prepare(class) {
            Ok(one) => {
                prepared.push(one);
                true
            }
            Err(cause) => {
                let reason = DropReason::Defect;
                let tests = class.tests.len() as u64;
                verified.drops.add(class.subject, reason, tests);
                verified.defects.push((class.subject, cause));
                false
            }
        });
        prepared
    }

    /// The folder of compiled classes, or the tests (class index, test index) the compiler refused; files of earlier runs
    /// count on after the classes.
    pub(crate) fn compile(
        &self,
        classes: &[TestClass],
        sources: &[Source],
        earlier: &[&Earlier],
        folder: &Path,
    ) -> Result<Result<PathBuf, Vec<Bad>>, Error> {
        let texts: Vec<(PathBuf, String)> = classes
            .iter()
            .zip(sources)
            .map(|(class, source)| (PathBuf::from(relative_path(class)), source.text.clone()))
            .collect();
        // Classes without tests stay in the list of findings to keep its numbers.
        let of_earlier = earlier
            .iter()
            .map(|file| (PathBuf::from(&file.path), file.text.clone()));
        let to_compile: Vec<_> = texts
            .iter()
            .zip(classes)
            .filter(|(_, class)| !class.tests.is_empty())
            .map(|(text, _)| text.clone())
            .chain(of_earlier)
            .collect();
        let result = compile(
            &Compilation {
                java_home: &self.settings.java_home,
                language_level: self.settings.language_level,
                arguments: &self.settings.compiler_arguments,
                class_path: &self.settings.class_path,
                sources: &to_compile,
                folder,
                own_files: self.worker_settings.own_files(),
            },
            self.worker_settings.deadline,
            self.cancel,
        )?;
        if result.is_cut {
            let of_new = classes.iter().map(|class| class.tests.len());
            let of_earlier = earlier.iter().map(|file| file.tests.len());
            let all = of_new
                .chain(of_earlier)
                .zip(0..)
                .flat_map(|(tests, class)| {
                    (0..tests).map(move |test| Bad {
                        class,
                        test,
                        reason: DropReason::NotVerified,
                        text: "the compiler had not ended when the time limit came".to_owned(),
                    })
                });
            return Ok(Err(all.collect()));
        }
        if result.errors.is_empty() {
            return Ok(Ok(result.classes));
        }
        let mut bad = BTreeMap::new();
        for error in &result.errors {
            let mut files = texts.iter().map(|(path, _)| path.as_path());
            if let Some(class) = earlier
                .iter()
                .position(|file| error.file.ends_with(&file.path))
            {
                bad.entry((classes.len() + class, 0))
                    .or_insert_with(|| error.message.clone());
                continue;
            }
            let Some(class) = files.position(|path| error.file.ends_with(path)) else {
                return Err(Error::configuration(
                    format!(
                        "javac fails before it reads the written tests: {}",
                        error.message
                    ),
                    "check the compiler settings of the project's tests",
                ));
            };
            let inside = sources[class]
                .lines
                .iter()
                .position(|&(first, last)| (first..=last).contains(&error.line));
            let refused = match inside {
                Some(test) => test..test + 1,
                None => 0..classes[class].tests.len(),
            };
            for test in refused {
                bad.entry((class, test))
                    .or_insert_with(|| error.message.clone());
            }
        }
        Ok(Err(bad
            .into_iter()
            .map(|((class, test), text)| Bad {
                class,
                test,
                reason: DropReason::DoesNotCompile,
                text,
            })
            .collect()))
    }

    /// What running compiled tests in fresh JVMs says about each, in order.
    pub(crate) fn verdicts(
        &self,
        classes: &[TestClass],
        compiled: &Path,
    ) -> Result<Vec<Verdict>, Error> {
        let tests: Vec<TestId> = classes
            .iter()
            .flat_map(|class| class.tests.iter().map(|test| test_id(class, test)))
            .collect();
        let outcome = verify(&Verification {
            settings: self.worker_settings,
            test_classes: compiled,
            tests: &tests,
            coverage_agent: None,
            workers: 1,
            orders: 0,
            once: false,
            blames: false,
            is_last: true,
        })?;
        Ok(outcome.verdicts)
    }

    fn coverage_agent(&self) -> Option<CoverageAgent<'_>> {
        let jar = self.settings.coverage_agent.as_deref()?;
        Some(CoverageAgent {
            jar,
            includes: &self.settings.coverage_includes,
        })
    }

    /// In how many further orders tests run.
    fn orders(&self, company: Company, is_again: bool) -> u32 {
        let has_state = has_static_state(&self.project.program);
        match (company, is_again) {
            (Company::All | Company::AllAtOnce, false) if has_state => ORDERS,
            // What was dropped may have put right what others leave.
            (Company::All | Company::AllAtOnce, true) if has_state => ORDERS_AGAIN,
            (Company::AllAtOnce, false) => ORDERS_INSTEAD,
            _ => 0,
        }
    }

    fn run(
        &self,
        is_again: bool,
        (classes, repeats, earlier): (&[TestClass], &[Vec<Repeat>], &[&Earlier]),
        compiled: &Path,
        company: Company,
        with_coverage: bool,
        verified: &mut Verified,
    ) -> Result<Vec<Bad>, Error> {
        let mut places = Vec::new();
        let mut tests = Vec::new();
        for (index, (class, repeats)) in classes.iter().zip(repeats).enumerate() {
            for (number, (test, repeat)) in class.tests.iter().zip(repeats).enumerate() {
                places.push((index, number));
                tests.push(TestId {
                    repeat: repeat.in_round(company, is_again),
                    ..test_id(class, test)
                });
            }
        }
        for (file, index) in earlier.iter().zip(classes.len()..) {
            for (test, number) in file.tests.iter().zip(0..) {
                places.push((index, number));
                tests.push(TestId {
                    class: file.binary_name(),
                    method: test.name.clone(),
                    // What is new to the output folder has not run so yet.
                    repeat: if !file.is_kept(test) && !is_again {
                        Repeat::Often
                    } else {
                        Repeat::Never
                    },
                    is_kept: file.is_kept(test),
                });
            }
        }
        let outcome = verify(&Verification {
            settings: self.worker_settings,
            test_classes: compiled,
            tests: &tests,
            coverage_agent: with_coverage.then(|| self.coverage_agent()).flatten(),
            workers: match company {
                Company::Group => self.settings.workers,
                Company::All | Company::AllAtOnce => 1,
            },
            orders: self.orders(company, is_again),
            once: self.settings.verification == crate::Verification::Once,
            blames: true,
            is_last: company == Company::All,
        })?;
        verified.coverage_files = outcome.coverage_files;
        verified.is_partial |= outcome.is_cut;
        Ok(outcome
            .verdicts
            .into_iter()
            .zip(places)
            .filter_map(|(verdict, (class, test))| match verdict {
                Verdict::Stable => None,
                Verdict::Failed { reason, text } => Some(Bad {
                    class,
                    test,
                    reason,
                    text,
                }),
            })
            .collect())
    }
}

/// Whether tests of a class rest on what is held weakly and on hash codes.
fn have_both(repeats: &[Repeat]) -> bool {
    repeats.contains(&Repeat::WhileCollectedThenOften)
}

fn test_id(class: &TestClass, test: &Test) -> TestId {
    TestId {
        class: binary_name(class),
        method: test.name.clone(),
        repeat: Repeat::Never,
        is_kept: false,
    }
}

/// Takes what is about files of earlier runs out of what is to be dropped, and notes it; gives the paths of those that do
/// not compile, which cannot run beside the others.
fn take_earlier(
    classes: usize,
    earlier: &[&Earlier],
    bad: &mut Vec<Bad>,
    verified: &mut Verified,
) -> BTreeSet<String> {
    let mut refused = BTreeSet::new();
    bad.retain(|one| {
        let Some(number) = one.class.checked_sub(classes) else {
            return true;
        };
        let file = earlier[number];
        let stale = match one.reason {
            DropReason::NotVerified => return false,
            DropReason::DoesNotCompile => {
                refused.insert(file.path.clone());
                file.binary_name()
            }
            _ => format!("{}#{}", file.binary_name(), file.tests[one.test].name),
        };
        let of_file = verified.stale.entry(file.path.clone()).or_default();
        if one.reason == DropReason::Denied {
            of_file.denied.insert(stale.clone(), one.text.clone());
        }
        of_file.tests.insert(stale);
        false
    });
    refused
}

/// Longer texts of a compiler or a failure are cut in the report.
const LONGEST_CAUSE: usize = 200;

fn drop_tests(
    program: &Program,
    classes: &mut [TestClass],
    bad: &[Bad],
    whole_class: bool,
    verified: &mut Verified,
) {
    let mut doomed: BTreeSet<(usize, usize)> = BTreeSet::new();
    for one in bad {
        let class = &classes[one.class];
        if verified.dropped.len() < 5000 {
            let test = &class.tests[one.test];
            verified.dropped.push(Dropped {
                calls: called(program, &test.run),
                test: palus_report::DroppedTest {
                    test: format!("{}#{}", class.name, test.name),
                    code: one.reason.code().to_owned(),
                    text: one.text.chars().take(LONGEST_CAUSE).collect(),
                },
            });
        }
        if verified.examples.len() < 200 {
            verified.examples.push(format!(
                "{}#{} dropped: {}: {}",
                class.name,
                class.tests[one.test].name,
                one.reason.code(),
                one.text
            ));
        }
        let tests = if whole_class {
            0..class.tests.len()
        } else {
            one.test..one.test + 1
        };
        for test in tests {
            if doomed.insert((one.class, test)) {
                verified.drops.add(class.subject, one.reason, 1);
            }
        }
    }
    for (index, class) in classes.iter_mut().enumerate() {
        let mut number = 0;
        class.tests.retain(|_| {
            number += 1;
            !doomed.contains(&(index, number - 1))
        });
    }
}

impl Verified {
    /// What further rounds gave, with what was noted before.
    fn with(self, mut rest: Verified) -> Verified {
        rest.drops.extend(self.drops);
        rest.is_cut |= self.is_cut;
        rest.is_partial |= self.is_partial;
        for (path, tests) in self.stale {
            let of_file = rest.stale.entry(path).or_default();
            of_file.tests.extend(tests.tests);
            of_file.denied.extend(tests.denied);
        }
        rest.examples.splice(0..0, self.examples);
        rest.dropped.splice(0..0, self.dropped);
        rest.refused.splice(0..0, self.refused);
        rest.defects.splice(0..0, self.defects);
        rest
    }

    /// Drops all tests of a class without a look at them.
    pub(crate) fn drop_all(&mut self, program: &Program, class: TestClass, reason: DropReason) {
        let bad = (0..class.tests.len()).map(|test| Bad {
            class: 0,
            test,
            reason,
            text: meaning(reason.code()).to_owned(),
        });
        let bad: Vec<Bad> = bad.collect();
        drop_tests(program, &mut [class], &bad, false, self);
    }
}
