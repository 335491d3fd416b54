//! What is said of written tests that become the project's own, and of those that do not.
//!
//! Comes in: names and numbers. Goes out: lines and sentences.
//! Does not know: which tests are fit for it.

use super::{count, line};
use std::path::Path;

/// `2 tests of demo.Rates are in demo/RatesGeneratedTest.java`
pub(crate) fn promoted(tests: u64, class: &str, file: &str) -> String {
    let are = if tests == 1 { "is" } else { "are" };
    let tests = count(tests, "test", "tests");
    line("promoted", &format!("{tests} of {class} {are} in {file}"))
}

/// What promoting came to.
pub(crate) fn all_promoted(tests: u64, folder: &Path) -> String {
    let text = format!(
        "{} in {}: your own tests from now on, to edit as you like; none of them is written again",
        count(tests, "test", "tests"),
        folder.display()
    );
    line("promoted", &text)
}

/// Said of tests that `covers` and `bestPerClass` do not choose.
pub(crate) fn not_asked_for(tests: u64) -> String {
    let stay = if tests == 1 { "stays" } else { "stay" };
    let tests = count(tests, "other test", "other tests");
    line(
        "promoted",
        &format!("{tests} of these classes {stay} where Palus wrote them"),
    )
}

/// Said of a project that is a module of the Java Platform Module System.
pub(crate) const PROMOTED_IN_MODULE: &str = "written tests ran on the class path, where `module-info` says nothing: what \
     they say of services (`provides`), of resources and of access may be otherwise on the module path, on which your \
     own tests run, and code that looks for such things may do there what nobody saw it do. Read them, then run them in a \
     copy of the project";

/// Said of tests that are left where they are.
pub(crate) fn not_promoted(tests: u64) -> String {
    let (stay, them) = if tests == 1 {
        ("stays", "it")
    } else {
        ("stay", "them")
    };
    format!(
        "{} {stay} where Palus wrote {them}, since your own tests would fail or not compile with {them}: \
         {MEND_BEFORE_PROMOTING}",
        count(tests, "test", "tests")
    )
}

/// Said where all are.
pub(crate) fn none_promoted(tests: u64) -> String {
    let fail = if tests == 1 { "fails" } else { "fail" };
    format!(
        "no test was promoted: {} {fail} or cannot be compiled on what the code is now",
        count(tests, "test", "tests")
    )
}

/// What to do about it.
pub(crate) const MEND_BEFORE_PROMOTING: &str = "mend the code; or accept what changed (palus:accept, palusAccept), and \
                                                promote again";

/// Said of a file that is not taken apart; `why` is a sentence without an end.
pub(crate) fn stays(file: &str, tests: u64, why: &str) -> String {
    format!(
        "{file} stays where it is, with {}: {why}",
        count(tests, "test", "tests")
    )
}

/// Said of a file that does not compile as it would be among the user's tests.
pub(crate) fn stays_uncompiled(file: &str, tests: u64, at: u32, error: &str) -> String {
    stays(
        file,
        tests,
        &format!("it does not compile, line {at}: {error}"),
    )
}
