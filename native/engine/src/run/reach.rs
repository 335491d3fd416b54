//! Which lines of the project each test of a class reaches, for the report.
//!
//! Comes in: the tests of a unit, an executor. Goes out: by test, lines of classes, as text.
//! Each runs once more by itself, as nothing is known of what others touched before. What class initialisers do is no test's
//! own: only the first that uses a class would reach it, and whose that is nobody reads out of a test.
//! Does not know: which tests stay, where sources are.

use palus_bytecode::{ClassId, ClassProbes, Place, Program};
use palus_report::Reach;
use palus_sequence::{Executor, Probe};
use palus_suite::TestClass;
use std::collections::{BTreeMap, BTreeSet};

/// The lines of each test, as far as they run; what keeps one from running is another's to say.
pub(crate) fn reach(program: &Program, tests: &TestClass, executor: &mut dyn Executor) -> Reach {
    let mut reach = Reach::new();
    if tests.tests.is_empty() || executor.begin().is_err() {
        return reach;
    }
    let mut known = BTreeMap::new();
    for test in &tests.tests {
        let sequence = std::slice::from_ref(&test.run.sequence);
        let ran = executor.forget().and_then(|()| executor.execute(sequence));
        let Ok(outcomes) = ran else { break };
        let probes = outcomes.iter().flat_map(|outcome| &outcome.coverage.probes);
        reach.insert(test.name.clone(), lines(program, &mut known, probes));
    }
    reach
}

/// Lines by class in source form.
fn lines<'p>(
    program: &Program,
    known: &mut BTreeMap<ClassId, ClassProbes>,
    probes: impl Iterator<Item = &'p Probe>,
) -> BTreeMap<String, String> {
    let mut lines: BTreeMap<ClassId, BTreeSet<u32>> = BTreeMap::new();
    for probe in probes {
        let class = ClassId(probe.class);
        let places = known
            .entry(class)
            .or_insert_with(|| ClassProbes::of(program, class));
        let (method, at) = match places.named(probe.index) {
            Some((method, Place::Entry)) => (method, 0),
            Some((method, Place::Line(at))) => (method, at),
            _ => continue,
        };
        let code = program.method(method).code.as_ref();
        let of_code = code.map_or(&[][..], |code| &code.lines);
        let begin = of_code.iter().filter(|(begins, _)| *begins == at);
        lines
            .entry(class)
            .or_default()
            .extend(begin.map(|(_, line)| u32::from(*line)));
    }
    let named = lines.iter().filter(|(_, lines)| !lines.is_empty());
    let named = named.map(|(&class, lines)| (program.class(class).binary_name(), text(lines)));
    named.collect()
}

/// `3-7,9`
fn text(lines: &BTreeSet<u32>) -> String {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let ranges = ranges.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else {
            format!("{first}-{last}")
        }
    });
    ranges.collect::<Vec<_>>().join(",")
}

/// The lines of such a text.
pub(crate) fn lines_of(text: &str) -> impl Iterator<Item = u32> + '_ {
    let ranges = text.split(',').filter_map(|range| {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        Some(first.parse::<u32>().ok()?..=last.parse::<u32>().ok()?)
    });
    ranges.flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_as_ranges_and_read_back() {
        for lines in [&[][..], &[4], &[3, 4, 5, 9, 11, 12]] {
            let lines: BTreeSet<u32> = lines.iter().copied().collect();
            assert_eq!(lines_of(&text(&lines)).collect::<BTreeSet<_>>(), lines);
        }
        assert_eq!(text(&BTreeSet::from([3, 4, 5, 9])), "3-5,9");
    }
}
