//! What a JVM says about its tests, and what that means for each.
//!
//! Comes in: its lines. Goes out: verdicts of the tests that failed, and those of which nothing is known yet.
//! Does not know: how a JVM is started, or why it ended.

use super::verdict::{Pass, failed};
use super::{DropReason, Verdict};
use crate::Secrets;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// So much is told of what was seen of a test.
const LONGEST_TEXT: usize = 500;

/// A line without secrets: of what was seen of a test, before it is cut or taken apart, and as it was before it was put on one
/// line, for of a half, or of what is escaped, nobody knows what it is.
pub(super) fn without_secrets(line: &str, secrets: &Secrets) -> String {
    let mut words = line.splitn(3, ' ');
    match (words.next(), words.next(), words.next()) {
        (Some(word @ ("fail" | "deny")), Some(number), Some(text)) => {
            let text = unescaped(text);
            format!("{word} {number} {}", escaped(&secrets.redact(&text)))
        }
        _ => line.to_owned(),
    }
}

/// As a JVM puts it on one line.
fn escaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' => all.push_str("\\\\"),
            '\n' => all.push_str("\\n"),
            _ if letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}') => {
                write!(all, "\\u{:04x}", u32::from(letter)).expect("a String takes all text");
            }
            _ => all.push(letter),
        }
    }
    all
}

/// A text with the letters that stand escaped in what a JVM says of its tests.
pub(crate) fn unescaped(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let next = if letter == '\\' { letters.next() } else { None };
        match next {
            None => all.push(letter),
            Some('n') => all.push('\n'),
            Some('u') => {
                let digits: String = letters.by_ref().take(4).collect();
                let unit = u32::from_str_radix(&digits, 16).ok();
                all.extend(unit.and_then(char::from_u32));
            }
            Some(other) => all.push(other),
        }
    }
    all
}

/// What a JVM says about its tests, by position in the list it was given.
#[derive(Debug, Default)]
pub struct Report {
    pub(super) running: Option<usize>,
    /// Those that passed.
    pub passed: Vec<usize>,
    /// Those that failed, with what was seen.
    pub failed: BTreeMap<usize, String>,
    /// Lines of the tests' own source in which they failed.
    pub lines: BTreeMap<usize, u32>,
    /// Those of them that were denied something, or left something behind.
    denied: BTreeSet<usize>,
    /// Those after which the first one failed, in a search.
    pub breaking: Vec<usize>,
    pub(super) slow: Option<usize>,
    /// What the JVM used too much of, so that it was ended.
    pub(super) greedy: Option<String>,
    /// True if the run's time was over before the JVM had ended.
    pub(super) is_cut: bool,
    /// True once all was run as often, and in as many orders, as it was to be.
    is_whole: bool,
}

impl Report {
    /// Of a JVM that was not started, since time was over.
    pub(super) fn of_none() -> Report {
        Report {
            is_cut: true,
            ..Report::default()
        }
    }

    /// Reads `start 3`, `pass 3`, `at 3 line`, `fail 3 text`, `deny 3 text`, `slow 3`, `breaks 3` or `done`; other lines are
    /// nobody's.
    pub(crate) fn read(&mut self, line: &str) {
        if line == "done" {
            self.is_whole = true;
            return;
        }
        let mut words = line.splitn(3, ' ');
        let word = words.next().unwrap_or_default();
        let Some(number) = words.next().and_then(|number| number.parse().ok()) else {
            return;
        };
        match word {
            "start" => self.running = Some(number),
            "pass" => {
                self.passed.push(number);
                self.running = None;
            }
            "fail" | "deny" => {
                if word == "deny" {
                    self.denied.insert(number);
                }
                let text = words.next().unwrap_or_default();
                let text = text.chars().take(LONGEST_TEXT).collect();
                self.failed.insert(number, text);
                self.running = None;
            }
            "at" => {
                let line = words.next().and_then(|line| line.parse().ok());
                self.lines.extend(line.map(|line| (number, line)));
            }
            "slow" => {
                self.slow = Some(number);
                self.running = None;
            }
            "breaks" => self.breaking.push(number),
            _ => {}
        }
    }

    /// Why the test at this position failed.
    pub(super) fn reason(&self, at: usize, pass: Pass) -> DropReason {
        match pass {
            _ if self.denied.contains(&at) => DropReason::Denied,
            Pass::AsWritten => DropReason::FailsWhenRunAgain,
            Pass::Elsewhere => DropReason::FailsElsewhere,
        }
    }

    /// Writes verdicts of the tests that failed; gives those of which nothing is known yet. Where time was over these have
    /// failed as well, and so have those that were `due` to run again; others that passed before have passed.
    pub(super) fn settle(
        self,
        pass: Pass,
        order: &[usize],
        due: &dyn Fn(usize) -> bool,
        verdicts: &mut [Option<Verdict>],
    ) -> Vec<usize> {
        let mut done = vec![false; order.len()];
        // Whatever ended the JVM ended the further runs of all that were in it.
        let is_short = !self.is_whole;
        for at in self.passed.iter().filter(|at| **at < order.len()) {
            done[*at] = !(is_short && due(order[*at]));
        }
        let reasons: Vec<DropReason> = self
            .failed
            .keys()
            .map(|at| self.reason(*at, pass))
            .collect();
        let greedy = self.greedy.unwrap_or_default();
        let failures = self.failed.into_iter().zip(reasons);
        let failures = failures.map(|((at, text), reason)| (at, reason, text));
        let slow = self
            .slow
            .map(|at| (at, DropReason::TimesOut, String::new()));
        let killer = self.running.map(|at| (at, DropReason::KillsTheJvm, greedy));
        for (at, reason, text) in failures.chain(slow).chain(killer) {
            if at < order.len() {
                done[at] = true;
                verdicts[order[at]] = Some(failed(reason, text));
            }
        }
        let all = order.iter().zip(done);
        let left = all.filter_map(|(index, done)| (!done).then_some(*index));
        let left: Vec<usize> = left.collect();
        if !self.is_cut {
            return left;
        }
        for index in left {
            let text = "the time limit of the run was reached".to_owned();
            verdicts[index] = Some(failed(DropReason::NotVerified, text));
        }
        Vec::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_were_escaped_are_what_they_were() {
        let line = "a\\nb\\\\n \\u0007\\u2028.";
        assert_eq!(unescaped(line), "a\nb\\n \u{7}\u{2028}.");
        assert_eq!(escaped(&unescaped(line)), line);
    }

    #[test]
    fn a_secret_is_known_however_it_is_put_on_a_line() {
        for (secret, line) in [
            (
                "qz81first77\nzk92second5",
                "fail 3 now <qz81first77\\nzk92second5>",
            ),
            ("p4ss\"w\\0rd7x", "deny 3 now <p4ss\"w\\\\0rd7x>"),
        ] {
            let secrets = Secrets::of([("APP_SECRET".to_owned(), secret.to_owned())], []);
            let clean = without_secrets(line, &secrets);
            assert_eq!(clean.split_once(" 3 ").unwrap().1, "now <***>", "{line}");
        }
        let secrets = Secrets::default();
        assert_eq!(without_secrets("pass 3", &secrets), "pass 3");
    }

    #[test]
    fn a_report_knows_which_test_the_jvm_died_in() {
        let mut report = Report::default();
        for line in [
            "start 0",
            "pass 0",
            "noise",
            "start 1",
            "fail 1 expected <1> but was <2>",
            "start 2",
        ] {
            report.read(line);
        }
        assert_eq!(report.passed, [0]);
        assert_eq!(report.failed[&1], "expected <1> but was <2>");
        assert!(report.denied.is_empty());
        assert_eq!(report.running, Some(2));
        report.read("at 1 17");
        report.read("at 2 none");
        assert_eq!(report.lines, [(1, 17)].into());
        report.read("slow 2");
        report.read("breaks 1");
        assert_eq!(report.breaking, [1]);
        assert_eq!((report.running, report.slow), (None, Some(2)));
    }

    #[test]
    fn what_passed_before_the_time_was_over_has_passed() {
        let mut report = Report::default();
        for line in [
            "pass 0",
            "fail 1 expected",
            "deny 3 it is denied exit",
            "start 2",
        ] {
            report.read(line);
        }
        (report.running, report.is_cut) = (None, true);
        let mut verdicts = vec![None; 5];
        let never = |_| false;
        let left = report.settle(Pass::Elsewhere, &[3, 1, 0, 4], &never, &mut verdicts);
        assert_eq!(left, [0; 0]);
        let reasons = verdicts.iter().map(|verdict| match verdict {
            Some(Verdict::Failed { reason, .. }) => Some(*reason),
            _ => None,
        });
        let reasons: Vec<_> = reasons.collect();
        let expected = [
            Some(DropReason::NotVerified),
            Some(DropReason::FailsElsewhere),
            None,
            None,
            Some(DropReason::Denied),
        ];
        assert_eq!(reasons, expected);
    }

    #[test]
    fn what_was_to_run_again_does_so_in_another_jvm_where_a_test_ended_the_first() {
        for end in ["start 2", "slow 2"] {
            let mut report = Report::default();
            for line in ["pass 0", "pass 1", end] {
                report.read(line);
            }
            let mut verdicts = vec![None; 4];
            let is_due = |index| index == 1;
            let left = report.settle(Pass::Elsewhere, &[0, 1, 2, 3], &is_due, &mut verdicts);
            assert_eq!(left, [1, 3], "{end}");
            assert!(verdicts[2].is_some(), "{end}");
        }
    }

    #[test]
    fn what_was_to_run_again_does_so_where_a_jvm_ended_between_two_tests() {
        let mut report = Report::default();
        report.read("pass 0");
        report.read("pass 1");
        let mut verdicts = vec![None; 3];
        let is_due = |index| index == 1;
        let left = report.settle(Pass::Elsewhere, &[0, 1, 2], &is_due, &mut verdicts);
        assert_eq!((left, verdicts), (vec![1, 2], vec![None; 3]));
    }

    #[test]
    fn what_was_to_run_again_has_not_passed_where_time_was_over_before() {
        let missing = |ends: &[&str]| -> Vec<usize> {
            let mut report = Report::default();
            for line in ["pass 0", "pass 1"].iter().chain(ends) {
                report.read(line);
            }
            report.is_cut = true;
            let mut verdicts = vec![None; 2];
            let is_due = |index| index == 1;
            report.settle(Pass::Elsewhere, &[0, 1], &is_due, &mut verdicts);
            (0..2).filter(|at| verdicts[*at].is_some()).collect()
        };
        assert_eq!(missing(&[]), [1]);
        assert_eq!(missing(&["pass 1", "start 1"]), [1]);
        assert_eq!(missing(&["pass 1", "done"]), [0; 0]);
    }
}
