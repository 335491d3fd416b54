//! What is said of tests of the last run that fail now, and of differences between revisions.
//!
//! Comes in: changes, differences and their numbers. Goes out: lines and sentences.
//! Does not know: how a change was found.

use super::{count, first_of, line, named_tests};
use palus_report::{BehaviourChange, Difference};
use std::collections::BTreeSet;

/// What the board says while the tests of the last run run.
pub(crate) const COMPARING: &str = "running the tests of the last run";

/// Said where not all was looked at.
pub(crate) const DIFFERENCES_CUT: &str = "not all that changed was looked at, so there may be more differences; raise \
                                          `timeLimit`, of which each revision has half";

/// `no tests of an earlier run in src/palus/java, so nothing was compared`
pub(crate) fn nothing_to_compare(folder: &str) -> String {
    format!("no tests of an earlier run in {folder}, so nothing was compared")
}

/// `112 tests of the last run, all pass`
pub(crate) fn compared(tests: u64, resting: u64, changes: u64) -> String {
    let more = match (tests, resting) {
        (0, all) => {
            let all = count(all, "test", "tests");
            return format!("{all} of the last run, and what they rest on is as when they passed");
        }
        (_, 0) => String::new(),
        (_, more) => format!("; what {more} more rest on is as when they passed"),
    };
    let tests = count(tests, "test", "tests");
    match changes {
        0 => format!("{tests} of the last run, all pass{more}"),
        1 => format!("{tests} of the last run, 1 fails on what the code is now{more}"),
        fail => format!("{tests} of the last run, {fail} fail on what the code is now{more}"),
    }
}

/// Said of listed files that are not there, though their classes are.
pub(crate) fn not_here(files: &[String]) -> String {
    let names = first_of(files);
    let (number, verb) = match files.len() {
        1 => ("1 file", "is"),
        _ => (&*format!("{} files", files.len()), "are"),
    };
    format!(
        "{number} that `.palus-manifest` lists {verb} not here: {names}; what their classes did is compared with \
         nothing. If nobody deleted them, a `.gitignore` may hold them back, whose pattern is also the name of a package \
         (`git check-ignore -v` names it)"
    )
}

/// Said of a file with tests that cannot be run by their names, as far as anybody knows.
pub(crate) fn unread(file: &str, tests: u64) -> String {
    format!(
        "{} in {file} did not run in the sandbox: Palus calls methods `void name()` of the file's outermost class, where \
         that compiles, has no superclass and no interface, and needs no `@BeforeEach`, rule, extension, condition or \
         annotation of another library or your own; write it so, or move it among your own tests",
        count(tests, "test", "tests")
    )
}

/// A test of the last run that fails now. Of one in a file that somebody edited nobody knows whether it ever passed.
pub(crate) fn change(change: &BehaviourChange, is_accepted: bool) -> String {
    let BehaviourChange {
        test,
        file,
        line: number,
        source,
        before,
        now,
        is_broken,
        is_edited,
        is_unlisted,
        ..
    } = change;
    let name = file.rsplit('/').next().unwrap_or(file);
    let called = test.rsplit('#').next().unwrap_or(test);
    let subject = change.subject();
    if *is_edited {
        let says = if *is_broken {
            format!("it does not compile, {now}")
        } else {
            format!("the test says {before}, the code {now}")
        };
        let (word, which) = if *is_unlisted {
            ("unlisted", "a file that `.palus-manifest` does not list")
        } else {
            ("edited", "a file edited since Palus wrote it")
        };
        let text = format!("{subject}: {says}; {called}, {name}:{number}, {which}: {source}");
        return line(word, &text);
    }
    let word = if is_accepted { "accepted" } else { "changed" };
    let text =
        format!("{subject}: before {before}, now {now}; {called}, {name}:{number}: {source}");
    line(word, &text)
}

/// Which code differs since Palus last saw the tests pass; `files` are relative paths of class files and resources, and
/// jars.
pub(crate) fn differing(files: &BTreeSet<String>) -> String {
    const SHOWN: usize = 5;
    let name = |file: &String| match file.strip_suffix(".class") {
        Some(class) => {
            let class = palus_bytecode::binary_name(class);
            class.split('$').next().unwrap_or(&class).to_owned()
        }
        None => file.clone(),
    };
    let names: BTreeSet<String> = files.iter().map(name).collect();
    let text = match names.len() {
        0 => "no class, resource or jar of the code differs since Palus last saw these tests pass"
            .to_owned(),
        all => {
            let shown = names.iter().take(SHOWN).map(String::as_str);
            let shown = shown.collect::<Vec<_>>().join(", ");
            let more = match all.saturating_sub(SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("what differs in the code since Palus last saw these tests pass: {shown}{more}")
        }
    };
    line("", &text)
}

/// `3 classes differ from main, 2 in other modules or libraries, 5 classes use them`
pub(crate) fn changed_classes(since: &str, own: usize, elsewhere: usize, users: usize) -> String {
    let own = count(own as u64, "class differs", "classes differ");
    let elsewhere = match elsewhere {
        0 => String::new(),
        number => format!(" {number} in other modules or libraries,"),
    };
    let users = count(users as u64, "class uses", "classes use");
    let text = format!("{own} from {since},{elsewhere} {users} them");
    line("diff", &text)
}

/// `2 resources differ, which no class is compared for: rates.txt, words.txt`
pub(crate) fn changed_resources(paths: &BTreeSet<String>) -> String {
    let all = paths.iter().map(String::as_str);
    line("diff", &palus_report::resources_differ(all))
}

/// `3 tests of the code as it is do not compile on main: what they call is new`
pub(crate) fn unfit_for_base(since: &str, number: usize) -> String {
    let counted = count(
        number as u64,
        "test of the code as it is does",
        "tests of the code as it is do",
    );
    format!(
        "{counted} not compile on {since}, and say nothing of it: what they call is new, or cannot be found there"
    )
}

/// Said before tests are generated for the code of a revision; none is the code as it lies there.
pub(crate) fn generating_for(revision: Option<&str>) -> String {
    let code = revision.map_or("as it is".to_owned(), |revision| format!("of {revision}"));
    line("diff", &format!("generating tests for the code {code}"))
}

/// `2 behaviour differences since main`
pub(crate) fn differences(since: &str, number: usize) -> String {
    let counted = count(
        number as u64,
        "behaviour difference",
        "behaviour differences",
    );
    let doubt = if number == 0 {
        "; that no test tells them apart is no proof that there is none"
    } else {
        ""
    };
    line("diff", &format!("{counted} since {since}{doubt}"))
}

/// What differs in one method.
pub(crate) fn difference(one: &Difference) -> String {
    let Difference {
        class,
        method,
        before,
        now,
        line: source,
        ..
    } = one;
    let subject = palus_report::named(class, method);
    let text = format!("{subject}: before {before}, now {now}: {source}");
    line("differs", &text)
}

/// Said of differences that are not named one by one.
pub(crate) fn more_differences(more: usize) -> String {
    line("differs", &format!("and {more} more, see the report"))
}

/// Said of changes that are not named one by one.
pub(crate) fn more_changes(more: u64) -> String {
    let text = format!(
        "and {} that the report names",
        count(more, "more test", "more tests")
    );
    line("", &text)
}

/// How many tests of the last run fail, by whose their files are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failing {
    ours: u64,
    edited: u64,
    unlisted: u64,
}

impl Failing {
    pub(crate) fn of(changes: &[BehaviourChange]) -> Failing {
        let mut failing = Failing::default();
        for change in changes {
            let of = match (change.is_unlisted, change.is_edited) {
                (true, _) => &mut failing.unlisted,
                (false, true) => &mut failing.edited,
                (false, false) => &mut failing.ours,
            };
            *of += 1;
        }
        failing
    }
}

/// Said where tests of the last run fail and nobody accepts it; some of them are in files that somebody edited, or that no
/// list names.
///
/// A build that tells errors alone (`mvn -q`) tells the `first` change by it.
pub(crate) fn behaviour_changed(failing: Failing, first: Option<&BehaviourChange>) -> String {
    let Failing {
        ours,
        edited,
        unlisted,
    } = failing;
    let tests = ours + edited + unlisted;
    let fail = if tests == 1 { "fails" } else { "fail" };
    let tests_fail = format!("{} of the last run {fail}", count(tests, "test", "tests"));
    let code = "on what the code is now, and none was replaced";
    if edited == tests {
        return format!("edited tests fail: {tests_fail} {code}; Palus did not write them so");
    }
    let edited = match edited {
        0 => String::new(),
        edited => format!("; {edited} of them in edited files"),
    };
    let unlisted = match unlisted {
        0 => String::new(),
        unlisted => format!("; {unlisted} of them in files that `.palus-manifest` does not list"),
    };
    let first = first.map_or_else(String::new, |change| {
        let (subject, before, now) = (change.subject(), &change.before, &change.now);
        let word = if tests == 1 { "" } else { "first " };
        format!(": {word}{subject}: before {before}, now {now}")
    });
    format!("behaviour changed: {tests_fail} {code}{edited}{unlisted}{first}")
}

/// What to do about it.
pub(crate) fn mend_or_accept(failing: Failing) -> String {
    const ACCEPT: &str = "mend the code; or, where the new behaviour is wanted, accept it by the goal palus:accept \
         (Maven), the task palusAccept (Gradle) or the setting `accept`, and these tests say the new one, or others take their place";
    const MEND: &str = "mend the edited test, or the code; or delete its file, and the next run writes Palus's own tests \
         in its place. Accepting replaces no edited file";
    let mut parts = Vec::new();
    if failing.ours > 0 {
        parts.push(ACCEPT.to_owned());
    }
    if failing.edited > 0 {
        let of_some = failing.ours + failing.unlisted > 0;
        let where_so = if of_some {
            "where a file was edited, "
        } else {
            ""
        };
        parts.push(format!("{where_so}{MEND}"));
    }
    if failing.unlisted > 0 {
        parts.push(format!(
            "where no list names the file, mend the code, the test, or delete it. {LIST_IT}"
        ));
    }
    parts.join("; ")
}

/// What to do about a file with tests that no list names.
const LIST_IT: &str = "Palus takes a file that `.palus-manifest` does not list for somebody else's: commit that list \
                       beside the tests (does a `.gitignore` hold it back?), and keep both sides' lines where two \
                       branches are joined";

/// Said of a file that no list names, with tests that no longer compile or pass, where a build runs them next.
pub(crate) fn left_to_build(file: &str, tests: u64) -> String {
    let verb = if tests == 1 { "does" } else { "do" };
    format!(
        "{} in {file} {verb} not compile or pass in the sandbox; whether that is so without it, the run of written tests \
         says that follows. {LIST_IT}",
        count(tests, "test", "tests")
    )
}

/// Said where a change was accepted that stands in a file of the user's.
pub(crate) const ACCEPTS_NO_EDITS: &str = "tests that fail stand in files that were edited, which Palus never replaces: mend them, or delete these files";

/// Said where the tests of the last run need not run.
pub(crate) const SAME_AS_PASSED: &str =
    "code and tests are as they were when Palus last saw all tests pass, so it runs none again";

/// Said where nobody knows on which code tests passed.
pub(crate) const CHANGED_MEANWHILE: &str = "the code was changed while Palus ran it, by another build or an IDE, so no test \
                                            counts as passed on what it is now; the next run looks at all of them again";

/// Said where nothing is written for that.
pub(crate) const NOTHING_REPLACED: &str = "the code was changed while Palus ran it, by another build or an IDE, so no written test \
                                           was replaced, moved or deleted";

/// Said where nobody ran what a test is now.
pub(crate) const EDITED_MEANWHILE: &str = "a written test was edited while Palus ran, so none counts as passed; the next run \
                                           looks at all of them again";

/// Said where no test of the last run fails that may be replaced.
pub(crate) const NOTHING_TO_ACCEPT: &str =
    "no written test fails that Palus may replace, so nothing was changed";

/// Said of failing tests whose classes are not chosen.
pub(crate) fn not_chosen_to_accept(files: u64) -> String {
    format!(
        "tests that fail in {} stay: `classes` and `excludes` do not choose their classes",
        count(files, "file", "files")
    )
}

/// Said of a file that another version of Palus laid out.
pub(crate) fn not_taken_apart(file: &str) -> String {
    format!(
        "{file} is not laid out as this version of Palus does it, so the tests that fail there stay; delete it, and the \
         next run writes it anew"
    )
}

/// Said of new tests that take no failing test's place after all.
pub(crate) fn not_put_in_place(tests: &[String]) -> String {
    format!(
        "found in place of a test that fails, but does not pass beside the other tests, or in another order, time zone or \
         locale: {}; so the test that fails goes without one in its place",
        named_tests(tests)
    )
}

/// `accepted  demo/RatesPalusTest.java: 2 tests say the new value, 1 test replaced, 1 gone`
pub(crate) fn renewed(file: &str, became: [u64; 3]) -> String {
    line("accepted", &format!("{file}: {}", listed(became)))
}

/// What accepting came to.
pub(crate) fn all_renewed(became: [u64; 3]) -> String {
    let text = format!(
        "{}; all others stay as they were, and the next run looks for new tests of what changed",
        listed(became)
    );
    line("wrote", &text)
}

/// How many tests say the new value, are replaced, are gone.
fn listed([revalued, replaced, gone]: [u64; 3]) -> String {
    let mut parts = Vec::new();
    if revalued > 0 {
        let several = "tests say the new value";
        parts.push(count(revalued, "test says the new value", several));
    }
    if replaced > 0 || parts.is_empty() {
        parts.push(count(replaced, "test replaced", "tests replaced"));
    }
    if gone > 0 {
        parts.push(format!("{gone} gone"));
    }
    parts.join(", ")
}
