//! Kept runs to a finished test class.
//!
//! Comes in: kept runs of one subject class and an executor. Goes out: a [`TestClass`] of short, named, asserted tests,
//! and what was lost on the way.
//! Tests of the last run come before all others and stay as they are (`earlier.rs`).
//! Steps: leave out what cannot be written, say the rest in plain words (`plain.rs`), choose (`minimize.rs`), split
//! (`split.rs`), call directly what only other classes' tests come to (`direct.rs`), leave out what other classes' tests
//! are about (`about.rs`), shorten, have stubs keep what they are called with (`recorded.rs`), append observers
//! (`observer.rs`), run everything twice from a fresh start, forwards and backwards, and keep what was equal both times; find
//! what each kills (`mutants.rs`), add what kills more (`survivors.rs`), and what another version answers otherwise
//! (`differing.rs`), drop what others make superfluous (`reduce.rs`), cut each down to what it stays for (`trim.rs`), choose
//! assertions (`pick.rs`).
//! Does not know: Java text.

use crate::about::Home;
use crate::assertion::Assertion;
use crate::differing::differ;
use crate::direct::call_directly;
use crate::draft::{Draft, only};
use crate::drafting::{Builder, Losses};
use crate::earlier;
use crate::folder::Files;
use crate::junit::unit;
use crate::minimize::{Chosen, choose, settle, shorten};
use crate::naming::Names;
use crate::observer::Observers;
use crate::pick::{assert_what_no_other_does, killed_by_set_up, noticed, pick, ranks};
use crate::plain::in_plain_words;
use crate::read_back::ReadTest;
use crate::recorded::{forget_unasked, record};
use crate::reduce::{cover_the_same, reduce, share_out};
use crate::scope::Bytecode;
use crate::split::split;
use crate::survivors::hunt;
use crate::trim::trim;
use crate::typing::type_sequence;
use crate::within::within;
use crate::written::{
    DIFFERENCES, Faults, Harm, Known, Loss, Lost, Means, Style, Test, TestClass, Vary,
};
use palus_bytecode::{ClassId, Program, binary_name};
use palus_sequence::{End, Executor, ExecutorError, Observation, Probe, Run, Statement, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// What steps may take, in percent of the time that is left, before a run with too little of it does less.
const SETTLING: u32 = 25;
const READING: u32 = 25;
const SPLITTING: u32 = 25;
const DIRECT: u32 = 20;
const SHORTENING: u32 = 40;
const RECORDING: u32 = 25;
const OBSERVING: u32 = 60;
const KILLING: u32 = 60;
const HUNTING: u32 = 70;
const TRIMMING: u32 = 50;
/// Where a step cannot be taken with all, this part of them is the first that it is taken with,
const SOME: usize = 8;
/// in so many percent of the time that is left then,
const SOME_PERCENT: u32 = 35;
/// and so often at most it is tried: each time classes are loaded anew.
const ATTEMPTS: u32 = 3;

/// Builds the tests of a subject class.
pub(crate) fn assemble(
    bytecode: Bytecode<'_>,
    subject: ClassId,
    kept: &[Run],
    executor: &mut dyn Executor,
    style: &Style,
    means: Means<'_, '_, '_>,
) -> Result<(TestClass, Vec<Lost>), ExecutorError> {
    executor.forgive();
    let Bytecode {
        program,
        is_pure,
        makers,
    } = bytecode;
    let package = program.package(subject).to_owned();
    let builder = Builder {
        program,
        is_pure,
        package: &package,
        makers,
        home: Home::of(program, subject),
        observers: Observers {
            program,
            is_pure,
            package: &package,
            makers,
        },
        files: Files::of(program, style.language_level),
    };
    let mut losses = Losses::default();
    let runs = builder.writable_runs(kept, &mut losses);
    let mut chosen = choose(&runs, &builder.home.generated, &|run| {
        builder.home.is_about(run)
    });
    let most = style.max_tests_per_class.saturating_mul(2);
    for one in chosen.drain(most.min(chosen.len())..) {
        losses.note(Loss::TooMany, &one.run.outcome);
    }
    let home = &builder.home;
    if style.is_polished {
        shape(&builder, &mut chosen, executor)?;
    }
    let owned = chosen.iter().flat_map(|one| &one.owned);
    let mut wanted: BTreeSet<Probe> = owned.copied().collect();
    let mut drafts = Vec::new();
    if style.is_polished {
        drafts = written(&builder, means.earlier, executor)?;
        wanted.extend(earlier::touched(&builder, &drafts));
    }
    drafts.extend(drafted(&builder, chosen, style, &mut losses));
    if style.is_polished {
        most_valuable(&mut drafts, OBSERVING, executor, |drafts, executor| {
            builder.observe(drafts, executor, &mut losses)
        })?;
        earlier::settle(&mut drafts);
    }
    let mut faults = Faults::default();
    if style.is_polished && style.has_mutants {
        let replays = builder.writable_runs(means.replays, &mut Losses::default());
        let shown: Vec<Run> = runs.iter().cloned().chain(replays).collect();
        faults = notice(&builder, subject, &shown, &mut drafts, means.vary, executor)?;
    }
    if let Some(other) = means.other.filter(|_| style.is_polished) {
        let differed = differ(&builder, &mut drafts, means.vary, executor, other);
        if_it_runs(differed, executor)?;
    }
    if style.is_polished {
        if !faults.is_cut {
            drop_mute(program, &mut drafts, &mut losses);
        }
        reduce(program, home, &wanted, &mut drafts, executor)?;
        if style.has_mutants {
            trim_to_needs(&builder, subject, &wanted, &mut drafts, executor)?;
        }
    }
    // Where there are too many, none goes that was written.
    drafts.sort_by_key(|draft| draft.written.is_none());
    for draft in drafts.drain(style.max_tests_per_class.min(drafts.len())..) {
        losses.note_draft(Loss::TooMany, &draft);
    }
    drafts.sort_by_key(order);
    earlier::in_their_order(&mut drafts);
    assert_what_no_other_does(program, &mut drafts);
    let mut class = TestClass {
        subject,
        package: binary_name(&package),
        name: class_name(program, subject),
        tests: Vec::new(),
        faults,
    };
    builder.drop_twins(&mut drafts, &class, style);
    let mut names = Names::default();
    drafts.retain(|draft| {
        let test = builder.finish(draft, Name::New(&mut names));
        if test.is_none() {
            losses.note_draft(Loss::Unnameable, draft);
        }
        let is_finished = test.is_some();
        class.tests.extend(test);
        is_finished
    });
    if let Some(known) = means.known {
        builder.keep_names(&drafts, &mut class, style, known);
    }
    Ok((class, losses.0))
}

/// Drafts of earlier tests: what was read by the end of its time is as good as without an end.
fn written(
    builder: &Builder<'_>,
    tests: &[ReadTest],
    executor: &mut dyn Executor,
) -> Result<Vec<Draft>, ExecutorError> {
    let mut written = Vec::new();
    let read = within(executor, READING, |executor| {
        earlier::drafts(builder, tests, &mut written, executor)
    });
    if_it_runs(read, executor)?;
    Ok(written)
}

/// A draft of each run, none of the same twice.
fn drafted(
    builder: &Builder<'_>,
    chosen: Vec<Chosen>,
    style: &Style,
    losses: &mut Losses,
) -> Vec<Draft> {
    let mut drafts = Vec::new();
    let mut seen = BTreeSet::new();
    for one in chosen {
        if !seen.insert(one.run.sequence.clone()) {
            continue;
        }
        if builder.writable(&one.run).is_none() {
            losses.note(Loss::Unnameable, &one.run.outcome);
            continue;
        }
        drafts.push(if style.is_polished {
            builder.draft(&one.run)
        } else {
            Draft::bare(&one.run)
        });
    }
    drafts
}

/// Leaves out drafts that say nothing of what their call does, unless one notices a fault that no other does.
fn drop_mute(program: &Program, drafts: &mut Vec<Draft>, losses: &mut Losses) {
    let beside: Vec<Option<BTreeSet<u32>>> = drafts
        .iter()
        .map(|draft| killed_by_set_up(program, draft))
        .collect();
    let telling = drafts.iter().zip(&beside);
    let telling = telling.filter(|(_, beside)| beside.is_none());
    let mut killed: BTreeSet<u32> = telling
        .flat_map(|(draft, _)| noticed(program, draft))
        .collect();
    let mut beside = beside.into_iter();
    drafts.retain(|draft| match beside.next().flatten() {
        None => true,
        Some(own) if !own.is_subset(&killed) => {
            killed.extend(own);
            true
        }
        Some(_) => {
            losses.note_draft(Loss::SaysNothing, draft);
            false
        }
    });
}

/// Finds which faults of the class each draft notices, and adds drafts for those that none does. The tests are good without.
fn notice(
    builder: &Builder<'_>,
    subject: ClassId,
    shown: &[Run],
    drafts: &mut Vec<Draft>,
    vary: &mut Vary<'_>,
    executor: &mut dyn Executor,
) -> Result<Faults, ExecutorError> {
    let nest = builder.program.nest(subject);
    let found = within(executor, KILLING, |executor| {
        builder.find_kills(&nest, None, drafts, executor)
    });
    let faults: Faults = if_it_runs(found, executor)?.unwrap_or_default();
    let hunted = within(executor, HUNTING, |executor| {
        hunt(builder, &nest, &faults, shown, drafts, vary, executor)
    });
    if_it_runs(hunted, executor)?;
    Ok(faults)
}

/// Shortens each draft down to what no other is there for. Those that cover something stay as they were where not all of it
/// is covered then.
fn trim_to_needs(
    builder: &Builder<'_>,
    subject: ClassId,
    wanted: &BTreeSet<Probe>,
    drafts: &mut Vec<Draft>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let (program, home) = (builder.program, &builder.home);
    let before = drafts.clone();
    share_out(program, home, wanted, drafts);
    let nest = program.nest(subject);
    let trimmed = within(executor, TRIMMING, |executor| {
        trim(builder, &nest, drafts, executor)?;
        cover_the_same(home, wanted, &before, drafts, executor)
    });
    match if_it_runs(trimmed, executor)? {
        Some(true) => {}
        Some(false) => {
            // Those that are there for faults alone cover nothing that is wanted.
            let pairs = drafts.iter_mut().zip(before);
            for (draft, before) in pairs.filter(|(_, before)| !before.touched.is_empty()) {
                *draft = before;
            }
        }
        None => {
            *drafts = before;
            return Ok(());
        }
    }
    // One may be like another now, or do what another was there for.
    reduce(program, home, wanted, drafts, executor)
}

/// Each chosen run with what it is there for, and no more.
fn shape(
    builder: &Builder<'_>,
    chosen: &mut Vec<Chosen>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let (program, is_pure, home) = (builder.program, builder.is_pure, &builder.home);
    most_valuable(chosen, SETTLING, executor, |chosen, executor| {
        settle(program, is_pure, &home.all, chosen, executor)
    })?;
    let whole = chosen.clone();
    if within(executor, SPLITTING, |executor| split(chosen, executor))?.is_none() {
        *chosen = whole;
    }
    let whole = chosen.clone();
    let called = within(executor, DIRECT, |executor| {
        call_directly(builder, chosen, executor)
    })?;
    if called.is_none() {
        *chosen = whole;
    }
    chosen.retain(|one| home.has_place_for(&one.run, &one.owned));
    within(executor, SHORTENING, |executor| {
        shorten(program, is_pure, chosen, executor)
    })?;
    let runs = chosen.iter_mut().map(|one| &mut one.run);
    within(executor, RECORDING, |executor| {
        record(program, runs.collect(), executor)
    })?;
    Ok(())
}

/// Takes a step with all, the most valuable first. Where its part of the time does not suffice for that, it takes it with
/// some of them, and with more as long as there is time, and the others go: a run that its time limit cuts has some good
/// tests rather than none.
fn most_valuable<T: Clone>(
    all: &mut Vec<T>,
    percent: u32,
    executor: &mut dyn Executor,
    mut step: impl FnMut(&mut Vec<T>, &mut dyn Executor) -> Result<(), ExecutorError>,
) -> Result<(), ExecutorError> {
    let mut step = |some: &[T], percent, executor: &mut dyn Executor| {
        let mut taken = some.to_vec();
        let done = within(executor, percent, |executor| step(&mut taken, executor))?;
        Ok(done.map(|()| taken))
    };
    if let Some(taken) = step(all, percent, executor)? {
        *all = taken;
        return Ok(());
    }
    let mut open = std::mem::take(all);
    let mut size = (open.len() / SOME).max(1);
    for _ in 0..ATTEMPTS {
        size = size.min(open.len());
        if open.is_empty() {
            break;
        }
        match step(&open[..size], SOME_PERCENT, executor)? {
            Some(taken) => {
                all.extend(taken);
                open.drain(..size);
                size *= 2;
            }
            // What is done stays; less is tried where nothing is.
            None if all.is_empty() => size = size.div_ceil(SOME),
            None => break,
        }
    }
    Ok(())
}

/// `RoadMapPalusTest`; nested classes are tested with the class around them.
pub(crate) fn class_name(program: &Program, subject: ClassId) -> String {
    let mut class = program.class(subject);
    while let Some(outer) = class
        .outer
        .as_deref()
        .and_then(|outer| program.class_named(outer))
    {
        class = program.class(outer);
    }
    let simple = class.name.rsplit('/').next().unwrap_or(&class.name);
    format!("{simple}PalusTest")
}

/// What was found, or nothing where it could not be run: whatever still has to run begins anew, and sees what is wrong.
fn if_it_runs<T: Default>(
    found: Result<T, ExecutorError>,
    executor: &mut dyn Executor,
) -> Result<T, ExecutorError> {
    match found {
        Err(ExecutorError::Cancelled) => Err(ExecutorError::Cancelled),
        Err(_) => {
            let _ = executor.begin();
            Ok(T::default())
        }
        found => found,
    }
}

/// Where the name of a test comes from.
enum Name<'a> {
    New(&'a mut Names),
    Kept(&'a str),
}

impl Builder<'_> {
    /// What can be written of runs, in plain words.
    fn writable_runs(&self, kept: &[Run], losses: &mut Losses) -> Vec<Run> {
        let mut runs = Vec::new();
        for run in kept {
            match self.writable(run) {
                Some(writable) => runs.push(in_plain_words(self.program, self.package, writable)),
                None => losses.note(Loss::Unnameable, &run.outcome),
            }
        }
        runs
    }

    /// Of drafts that say the same, or are written the same, that stays which is about more of it: `stack.isEmpty()` is what
    /// a test is about, rather than what another asks of a new stack.
    fn drop_twins(&self, drafts: &mut Vec<Draft>, class: &TestClass, style: &Style) {
        let tests = |drafts: &[Draft]| -> Vec<Option<Test>> {
            let finished = drafts
                .iter()
                .map(|draft| self.finish(draft, Name::Kept("")));
            finished.collect()
        };
        let said = tests(drafts).into_iter().map(|test| {
            let test = test?;
            Some((test.run.sequence, format!("{:?}", test.assertions)))
        });
        keep_longest(said.collect(), drafts);
        // One constant in two variables is another sequence, and the same text.
        let mut written: Vec<Option<String>> = Vec::new();
        let mut class = class.clone();
        for test in tests(drafts) {
            written.push(test.as_ref().map(|_| String::new()));
            class.tests.extend(test);
        }
        let source = unit(self.program, &class, style);
        let lines: Vec<&str> = source.text.lines().collect();
        let mut ranges = source.lines.iter();
        for text in &mut written {
            let Some(place) = text.as_ref().and_then(|_| ranges.next()) else {
                continue;
            };
            *text = text_of(&lines, *place);
        }
        keep_longest(written, drafts);
    }

    /// Gives tests that say what one of the last run said its name, and all others names that none of them has.
    fn keep_names(
        &self,
        drafts: &[Draft],
        class: &mut TestClass,
        style: &Style,
        known: &Known<'_>,
    ) {
        let source = unit(self.program, class, style);
        let lines: Vec<&str> = source.text.lines().collect();
        let mut taken = BTreeSet::new();
        let kept = source.lines.iter().map(|&(first, last)| {
            let lines = lines.get((first as usize).checked_sub(1)?..last as usize)?;
            known(&lines.join("\n")).filter(|name| taken.insert(name.clone()))
        });
        let kept: Vec<Option<String>> = kept.collect();
        if taken.is_empty() {
            return;
        }
        let mut names = Names::taken(taken);
        let tests = drafts.iter().zip(&kept);
        let tests = tests.filter_map(|(draft, kept)| match kept {
            Some(kept) => self.finish(draft, Name::Kept(kept)),
            None => self.finish(draft, Name::New(&mut names)),
        });
        class.tests = tests.collect();
    }

    fn finish(&self, draft: &Draft, name: Name<'_>) -> Option<Test> {
        let mut outcome = draft.outcome.clone()?;
        let picked = pick(self.program, draft);
        // Observers nobody asserts go; they changed nothing.
        let (statements, unasked) = forget_unasked(self.program, draft, &picked);
        let mut kept: BTreeSet<usize> = (0..draft.length).collect();
        kept.retain(|&index| !unasked.contains(&Variable(index as u32)));
        let length = kept.len();
        let mut open: Vec<usize> = picked.iter().map(|&(_, index)| index).collect();
        while let Some(index) = open.pop() {
            if kept.insert(index) {
                let uses = statements.statements()[index].uses();
                open.extend(uses.iter().map(|used| used.index()));
            }
        }
        let kept: Vec<usize> = kept.into_iter().collect();
        let (sequence, kept) = only(&statements, &kept);
        let place = |earlier: Variable| {
            let place = kept.binary_search(&earlier.index()).ok()?;
            Some(Variable(place as u32))
        };
        if let End::Threw(thrown) = &mut outcome.end {
            thrown.statement = place(Variable(thrown.statement))?.0;
        }
        outcome.observations = kept
            .iter()
            .filter_map(|&index| outcome.observations.get(index).cloned())
            .map(|seen| moved(seen, place))
            .collect();
        let mut ranked: Vec<(usize, Assertion)> = picked
            .iter()
            .enumerate()
            .filter_map(|(rank, &(_, index))| {
                let statement = kept.binary_search(&index).ok()? as u32;
                Some((
                    rank,
                    Assertion {
                        statement,
                        expected: draft.expected[index].clone()?.moved(place)?,
                    },
                ))
            })
            .collect();
        // What the last statement left as it was does not tell what it did.
        let telling: Vec<Assertion> = ranked
            .iter()
            .zip(&picked)
            .filter(|(_, (rank, _))| *rank <= ranks::NEW)
            .map(|((_, assertion), _)| assertion.clone())
            .collect();
        ranked.sort_by_key(|(rank, assertion)| (assertion.statement, *rank));
        let assertions = ranked.into_iter().map(|(_, assertion)| assertion).collect();
        type_sequence(self.program, self.package, &sequence)?;
        let run = Run { sequence, outcome };
        let name = match name {
            Name::New(names) => names.claim(self.program, self.is_pure, &run, length - 1, &telling),
            Name::Kept(name) => name.to_owned(),
        };
        Some(Test {
            name,
            run,
            assertions,
            remark: None,
            harm: Harm::NotAsked,
            told: draft.told.clone(),
            length,
            kills: draft.kills.as_ref().map_or_else(Vec::new, |kills| {
                let asserted = picked.iter().map(|&(_, index)| index);
                let killed = kills.of(asserted).into_iter();
                killed.filter(|&mutant| mutant < DIFFERENCES).collect()
            }),
        })
    }
}

/// Of drafts with the same key, keeps the first of those that are about as much as any.
fn keep_longest<K: Ord + Clone>(keys: Vec<Option<K>>, drafts: &mut Vec<Draft>) {
    let mut longest: BTreeMap<K, usize> = BTreeMap::new();
    for (key, draft) in keys.iter().zip(&*drafts) {
        if let Some(key) = key {
            let length = longest.entry(key.clone()).or_default();
            *length = draft.length.max(*length);
        }
    }
    let mut keys = keys.into_iter();
    drafts.retain(|draft| match keys.next().flatten() {
        Some(key) => longest.get(&key) == Some(&draft.length) && longest.remove(&key).is_some(),
        None => true,
    });
}

/// The text between two lines, the first of which is 1, without empty ones, which only set parts of a test apart.
fn text_of(lines: &[&str], (first, last): (u32, u32)) -> Option<String> {
    let lines = lines.get((first as usize).checked_sub(1)?..last as usize)?;
    let lines: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|line| !line.is_empty())
        .collect();
    Some(lines.join("\n"))
}

/// What was seen, where variables have other places now.
fn moved(seen: Observation, place: impl Fn(Variable) -> Option<Variable>) -> Observation {
    match seen {
        Observation::Object {
            class,
            profile,
            same_as,
            content,
        } => Observation::Object {
            class,
            profile,
            same_as: same_as.and_then(|earlier| Some(place(Variable(earlier))?.0)),
            content,
        },
        other => other,
    }
}

/// Tests of one method stand together, in the order of the class file, ordinary ends before exceptions.
fn order(draft: &Draft) -> (u32, bool, usize) {
    let method = match &draft.sequence.statements()[draft.length - 1] {
        Statement::Call { method, .. } => method.0,
        _ => u32::MAX,
    };
    (method, matches!(draft.end, End::Threw(_)), draft.length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{gates, subject};
    use crate::tests::printed::style;
    use crate::written::TestFramework;
    use palus_sequence::Value;

    #[test]
    fn what_is_written_the_same_is_written_once() {
        let coin = "package demo; public class Coin {
          public static final Coin ONE = new Coin();
          public static final Coin TWO = new Coin();
          public int compareTo(Coin other) { return 0; } }";
        let subject = subject(&[gates::GATE, ("demo/Coin.java", coin)]);
        let (program, class) = (&subject.program, subject.class("demo/Coin"));
        let builder = gates::builder(&subject);
        let fields = &program.class(class).fields;
        let named = |name: &str| {
            *fields
                .iter()
                .find(|&&field| &*program.field(field).name == name)
                .unwrap()
        };
        let compared = |receivers: &[&str], other| {
            let mut script = subject.script();
            let read = receivers
                .iter()
                .map(|name| script.value(Value::StaticField(named(name))));
            let read: Vec<Variable> = read.collect();
            let method = "demo/Coin.compareTo(Ldemo/Coin;)I";
            script.call(
                method,
                Some(read[0]),
                &[read[other]],
                crate::testing::int(0),
            );
            Draft::bare(&script.run())
        };
        let mut drafts = vec![
            compared(&["ONE"], 0),
            compared(&["ONE", "ONE"], 1),
            compared(&["ONE", "TWO"], 1),
        ];
        let other = drafts[2].clone();
        let empty = TestClass {
            subject: class,
            package: "demo".to_owned(),
            name: "CoinPalusTest".to_owned(),
            tests: Vec::new(),
            faults: Faults::default(),
        };
        builder.drop_twins(&mut drafts, &empty, &style(TestFramework::Jupiter, 11));
        let left: Vec<_> = drafts.iter().map(|draft| &draft.sequence).collect();
        assert_eq!(left.len(), 2);
        assert!(left.contains(&&other.sequence));
    }
}
