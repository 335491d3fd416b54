//! One work unit: all that is done for one subject class before its tests are compiled.
//!
//! Comes in: facts, models, one class, an executor. Goes out: a [`UnitResult`], or in a study a unit that could go on but
//! has used its time up, for who has some to lend.
//! Units hold no reference to one another's results, so they run in any order on any number of workers, and an edit of one
//! class changes nothing for those that have nothing to do with it.

use crate::run::known::KnownTests;
use crate::run::protocols::{self, Learned};
use crate::run::reach::reach;
use crate::run::untested::{add_all, add_lost};
use crate::subject::apis::Apis;
use crate::subject::project::Project;
use crate::worker::{WorkerExecutor, WorkerPool};
use crate::{Error, Settings, Verification};
use palus_analyze::Facts;
use palus_bytecode::{ClassId, MethodId, Program};
use palus_generate::{Mode, Replayed, SkipCode, Sources, Templates, Unit};
use palus_learn::Models;
use palus_report::Reach;
use palus_search::{Algorithm, Hunted, Near, neighbours};
use palus_sequence::{Executor, ExecutorError, Run, Sequence};
use palus_suite::{Finding, Lost, Means, TestClass, TheoryUnit, Vary};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a unit gave.
#[derive(Debug)]
pub(crate) struct UnitResult {
    pub(crate) subject: ClassId,
    /// Candidates; none when nothing could be run.
    pub(crate) tests: Option<TestClass>,
    pub(crate) steps: u64,
    /// Broken contracts and theories.
    pub(crate) findings: Vec<Finding>,
    /// What it learned of APIs.
    pub(crate) learned: Learned,
    /// How the histories of the trace came back.
    pub(crate) replayed: Replayed,
    /// What the search did.
    pub(crate) hunted: Hunted,
    pub(crate) skipped: Vec<(MethodId, SkipCode)>,
    /// Of some of them what the first run met.
    pub(crate) causes: BTreeMap<MethodId, Arc<str>>,
    pub(crate) seconds: Seconds,
    /// True when the clock, not the budget, ended it.
    pub(crate) cut: bool,
    /// Why nothing more could be run for this class.
    pub(crate) broken: Option<String>,
    /// True when that is a defect of Palus.
    pub(crate) is_defect: bool,
    /// What its tests reach.
    pub(crate) reach: Reach,
}

impl UnitResult {
    /// Of a unit that has done nothing yet.
    pub(crate) fn new(subject: ClassId) -> UnitResult {
        UnitResult {
            subject,
            tests: None,
            steps: 0,
            findings: Vec::new(),
            learned: Learned::default(),
            replayed: Replayed::default(),
            hunted: Hunted::default(),
            skipped: Vec::new(),
            causes: BTreeMap::new(),
            seconds: Seconds::default(),
            cut: false,
            broken: None,
            is_defect: false,
            reach: Reach::new(),
        }
    }

    /// Forgets what each test covers: nobody asks any more, and of many thousands of tests it takes more memory than all else.
    pub(crate) fn forget_coverage(&mut self) {
        for test in self.tests.iter_mut().flat_map(|class| &mut class.tests) {
            test.run.outcome.coverage.probes = Vec::new();
        }
    }

    /// Where the unit ended before its tests were made, all methods get the reason.
    fn explain_unfinished(&mut self, program: &Program) {
        let has_none = |tests: &TestClass| tests.tests.is_empty() && self.cut;
        if self.tests.as_ref().is_none_or(has_none) {
            let code = match self.broken {
                Some(_) => SkipCode::GivenUp,
                None => SkipCode::OutOfBudget,
            };
            add_all(program, self.subject, code, &mut self.skipped);
        }
    }
}

/// What a unit's time went to, in seconds.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seconds {
    /// Fresh classes in the worker, and all else before the first batch; told apart from finding only where the clock alone bounds units.
    pub(crate) beginning: f64,
    /// Finding sequences.
    pub(crate) finding: f64,
    /// Making tests of them.
    pub(crate) making: f64,
}

/// The clock's limits for one unit; they matter only where the run's time limit is too short for its budget.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// Where the clock alone bounds units: how long new sequences are looked for from the first batch on.
    pub(crate) find_for: Option<Duration>,
    /// After this nothing new is looked for.
    pub(crate) find_until: Instant,
    /// After this nothing is run any more,
    pub(crate) end: Instant,
    /// but to see whether tests that are made may do harm elsewhere, which may take until then.
    pub(crate) latest: Instant,
    /// Whether what is open when its time is over may be gone on with in time that others leave.
    pub(crate) may_go_on: bool,
}

/// What all units of a run have in common.
#[derive(Clone, Copy)]
pub(crate) struct Context<'a> {
    pub(crate) project: &'a Project,
    pub(crate) facts: &'a Facts,
    pub(crate) models: &'a Models,
    pub(crate) settings: &'a Settings,
    pub(crate) pool: &'a WorkerPool,
    /// The APIs whose protocols are learned.
    pub(crate) apis: Option<&'a Apis>,
    /// Tests of the last run.
    pub(crate) known: &'a KnownTests,
    /// Workers for another version of the code, whose differences are to be shown.
    pub(crate) other: Option<&'a WorkerPool>,
}

/// How a unit ended.
pub(crate) enum Ended<'a> {
    /// With all that there will be.
    Done(Box<UnitResult>),
    /// With its time over, or in a study all steps used up, while branches were open; no test is made yet.
    Hungry(Box<Hungry<'a>>),
}

/// A unit that could go on.
pub(crate) struct Hungry<'a> {
    result: UnitResult,
    sources: Sources<'a>,
}

/// Generates, asserts and names for one class. `time` is asked once a worker is ready.
///
/// # Errors
/// Only when the run as a whole cannot go on: no worker starts, or it is cancelled.
pub(crate) fn run<'a>(
    context: Context<'a>,
    subject: ClassId,
    time: &dyn Fn() -> Time,
) -> Result<Ended<'a>, Error> {
    let (project, settings) = (context.project, context.settings);
    let share = settings.search.map_or(100, |_| EXPLORING);
    let steps = (settings.budget.saturating_mul(u64::from(share)) / 100).max(1);
    let few = settings.exploring_steps.filter(|_| share < 100);
    let unit = Unit {
        program: &project.program,
        facts: context.facts,
        models: context.models,
        subject,
        seed: settings.seed,
        steps: few.map_or(steps, |few| few.min(steps)),
        mode: settings.mode,
        dependent_position: settings.dependent_position,
        user_values: &project.user_code.values,
        // The search has better use for what exploring leaves.
        gives_up: settings.patience || settings.search.is_some(),
        keeps_failures: context.apis.is_some(),
    };
    let mut result = UnitResult::new(subject);
    let mut hungry = None;
    let initialised = project.program.nest(subject);
    let ended = context.pool.with_executor(&initialised, |executor| {
        // The start of a worker is over, and nobody's time.
        let (started, time) = (now(), time());
        if time.find_for.is_none() && started >= time.find_until {
            // What is left of the time is for verifying what others found.
            result.cut = true;
            return Ok(());
        }
        let latest = time.find_until.saturating_duration_since(started);
        let finding = time.find_for.unwrap_or(latest);
        let exploring = finding * share / 100;
        match time.find_for {
            Some(_) => executor.set_share(exploring, time.find_until),
            None => executor.set_deadline(started + exploring),
        }
        let mut sources = palus_generate::explore(unit, executor)?;
        let begun = executor.begun_at().unwrap_or(started);
        result.seconds.beginning = begun.duration_since(started).as_secs_f64();
        result.cut = time.find_for.is_some() || now() >= started + exploring;
        let (mut is_used_up, mut is_cut) = (false, false);
        if let Some(algorithm) = settings.search {
            let deadline = time.find_until.min(begun + finding);
            executor.set_deadline(deadline);
            // What exploring left is the search's.
            let left = settings.budget.saturating_sub(sources.steps());
            result.hunted = search(context, &mut sources, executor, algorithm, left)?;
            let hunted = &result.hunted;
            let is_open = hunted.covered < hunted.open;
            is_used_up = is_open && hunted.steps >= left;
            // A hunt is cut, too, where workers kept dying.
            is_cut = is_open && hunted.is_cut && now() >= deadline;
        }
        let found = now();
        result.seconds.finding = found.duration_since(begun).as_secs_f64();
        result.cut |= found >= time.find_until;
        let wants_steps =
            is_used_up && !result.cut && !result.hunted.is_cut && settings.mode == Mode::Full;
        // In a study the time of all is over at `find_until`, else that of this unit.
        let is_all = time.find_for.is_some() && found >= time.find_until;
        let wants_time = is_cut && time.may_go_on && !is_all;
        if wants_time || wants_steps && time.find_for.is_some() {
            hungry = Some(sources);
            return Ok(());
        }
        if let Some(algorithm) = settings.search.filter(|_| wants_steps) {
            search_more(
                context,
                &mut sources,
                executor,
                algorithm,
                &mut result,
                time,
            )?;
        }
        make_until(time, context, sources, executor, &mut result)
    })?;
    take_end(ended, &mut result)?;
    if let Some(sources) = hungry {
        return Ok(Ended::Hungry(Box::new(Hungry { result, sources })));
    }
    result.explain_unfinished(&project.program);
    Ok(Ended::Done(Box::new(result)))
}

impl Hungry<'_> {
    /// The class it is for.
    pub(crate) fn subject(&self) -> ClassId {
        self.result.subject
    }

    /// Targets that are still open.
    pub(crate) fn open(&self) -> u32 {
        let hunted = &self.result.hunted;
        let open = hunted.open.saturating_sub(hunted.covered);
        u32::try_from(open).unwrap_or(u32::MAX)
    }

    /// What its time went to so far.
    pub(crate) fn seconds(&self) -> Seconds {
        self.result.seconds
    }

    /// Goes on with time that others left, and makes tests of all that was found.
    ///
    /// # Errors
    /// Only when the run as a whole cannot go on: no worker starts, or it is cancelled.
    pub(crate) fn go_on(self, context: Context<'_>, time: Time) -> Result<UnitResult, Error> {
        let Hungry {
            mut result,
            mut sources,
        } = self;
        let initialised = context.project.program.nest(result.subject);
        let ended = context.pool.with_executor(&initialised, |executor| {
            let mut started = now();
            // Where no time is left, fresh classes would take what nobody has; who makes tests asks for them anyway.
            let is_over = time.find_for.is_none() && started >= time.find_until;
            let has_time = time.find_for != Some(Duration::ZERO) && !is_over;
            if has_time {
                executor.begin()?;
            }
            if time.find_for.is_some() {
                let begun = now();
                result.seconds.beginning += begun.duration_since(started).as_secs_f64();
                started = begun;
            }
            if let Some(algorithm) = context.settings.search
                && has_time
            {
                let latest = time.find_for.map(|find_for| started + find_for);
                executor.set_deadline(time.find_until.min(latest.unwrap_or(time.find_until)));
                let most = context.settings.budget;
                let more = search(context, &mut sources, executor, algorithm, most)?;
                result.hunted.add(more);
            }
            let found = now();
            result.seconds.finding += found.duration_since(started).as_secs_f64();
            result.cut |= found >= time.find_until;
            make_until(time, context, sources, executor, &mut result)
        })?;
        take_end(ended, &mut result)?;
        result.explain_unfinished(&context.project.program);
        Ok(result)
    }
}

/// Hunts for as many steps again as a class has, where those are used up while open branches still come nearer.
fn search_more(
    context: Context<'_>,
    sources: &mut Sources<'_>,
    executor: &mut dyn Executor,
    algorithm: Algorithm,
    result: &mut UnitResult,
    time: Time,
) -> Result<(), ExecutorError> {
    let started = now();
    let most = context.settings.budget;
    let more = search(context, sources, executor, algorithm, most)?;
    result.hunted.add(more);
    let found = now();
    result.seconds.finding += found.duration_since(started).as_secs_f64();
    result.cut |= found >= time.find_until;
    Ok(())
}

/// Hunts open branches for so many steps.
fn search(
    context: Context<'_>,
    sources: &mut Sources<'_>,
    executor: &mut dyn Executor,
    algorithm: Algorithm,
    steps: u64,
) -> Result<Hunted, ExecutorError> {
    let settings = context.settings;
    let subject = sources.subject();
    let mut templates = Templates::new(&context.project.program, subject);
    let mut template = |sources: &mut Sources<'_>, branch, near: Option<Near<'_>>| {
        let made = match near {
            Some(near) => templates.synthesize_on(sources, branch, near.sequence, near.reached)?,
            None => templates.synthesize(sources, branch)?,
        };
        Ok(made.sequence)
    };
    let template: &mut palus_search::Template<'_> = &mut template;
    let means = palus_search::Means {
        template: settings.templates.then_some(template),
        feeds_operands: settings.operand_feedback,
        gives_up: settings.patience,
        explores: settings.mode == Mode::Full,
    };
    palus_search::hunt(sources, executor, algorithm, steps, means)
}

/// Makes tests of what was found, as good as there is time for.
fn make_until(
    time: Time,
    context: Context<'_>,
    sources: Sources<'_>,
    executor: &mut WorkerExecutor<'_>,
    result: &mut UnitResult,
) -> Result<(), ExecutorError> {
    let started = now();
    executor.set_deadline(time.end);
    let _ = executor.take_is_cut();
    let made = make(time, context, sources, executor, result);
    result.cut |= executor.take_is_cut();
    if let Some(tests) = result.tests.as_ref().filter(|_| made.is_ok())
        && context.settings.verification == Verification::Twice
    {
        result.reach = reach(&context.project.program, tests, executor);
        // The tests are what they are without it.
        let _ = executor.take_is_cut();
    }
    result.seconds.making = now().duration_since(started).as_secs_f64();
    made
}

/// Makes tests of what was found, and asks what rules it breaks.
fn make(
    time: Time,
    context: Context<'_>,
    sources: Sources<'_>,
    executor: &mut WorkerExecutor<'_>,
    result: &mut UnitResult,
) -> Result<(), ExecutorError> {
    let (project, facts) = (context.project, context.facts);
    let generated = sources.finish();
    result.steps = generated.steps;
    result.replayed = generated.replayed;
    result.skipped = generated.skipped;
    result.causes = generated.causes;
    let nest = project.program.nest(result.subject);
    let most = (context.settings.budget / GOALS_SHARE).clamp(FEWEST_NEIGHBOURS, MOST_NEIGHBOURS);
    let mut varied = 0;
    let mut vary =
        |near: &[Sequence], executor: &mut dyn Executor| -> Result<Vec<Sequence>, ExecutorError> {
            let made = neighbours(&project.program, &nest, near, executor, most as usize)?;
            varied += (near.len() + made.len()) as u64;
            Ok(made)
        };
    let of = (result.subject, &*generated.kept, &*generated.replays);
    let built = match context.other {
        None => build(context, of, executor, &mut vary, None),
        Some(pool) => pool
            .with_executor(&nest, |other| {
                build(context, of, executor, &mut vary, Some(other))
            })
            .unwrap_or_else(|error| Err(ExecutorError::Broken(error.to_string()))),
    };
    let (tests, lost) = built?;
    result.steps += varied;
    add_lost(&project.program, &tests, lost, &mut result.skipped);
    let tests = result.tests.insert(tests);
    let written = tests.tests.iter_mut().collect();
    // No test is written at which nobody looked.
    executor.set_deadline(time.latest);
    let steps = palus_suite::look_elsewhere(&project.program, facts.outside(), written, executor)?;
    result.steps += steps;
    executor.set_deadline(time.end);
    if steps > 0 {
        executor.begin()?;
    }
    ask(context, &generated.kept, executor, result)?;
    let apis = context
        .apis
        .filter(|apis| apis.may_be_called(&generated.kept));
    if let Some(apis) = apis {
        let ran = (&*generated.kept, generated.failing);
        let of = (&*project.program, facts);
        match protocols::learn(of, apis, result.subject, ran, executor) {
            // Its tests are made, and are as good as they would be without.
            Err(ExecutorError::Broken(cause)) => log::debug!("nothing is learned of APIs: {cause}"),
            Err(ExecutorError::OutOfTime) => log::debug!("no time is left to learn of APIs"),
            learned => {
                let (learned, steps) = learned?;
                result.learned = learned;
                result.steps += steps;
            }
        }
    }
    Ok(())
}

/// Tests of a class from what was kept of it.
fn build(
    context: Context<'_>,
    (subject, kept, replays): (ClassId, &[Run], &[Run]),
    executor: &mut dyn Executor,
    vary: &mut Vary<'_>,
    other: Option<&mut dyn Executor>,
) -> Result<(TestClass, Vec<Lost>), ExecutorError> {
    let project = context.project;
    let (program, style) = (&project.program, &project.style);
    let known = |text: &str| context.known.name(subject, text);
    let known = Some(&known as &palus_suite::Known<'_>);
    let means = Means {
        replays,
        known,
        earlier: context.known.tests(subject),
        vary,
        other,
    };
    palus_suite::build(
        program,
        context.facts,
        subject,
        kept,
        executor,
        style,
        means,
    )
}

/// What became of the unit's last sequences.
fn take_end(ended: Result<(), ExecutorError>, result: &mut UnitResult) -> Result<(), Error> {
    match ended {
        Ok(()) => {}
        Err(ExecutorError::OutOfTime) => result.cut = true,
        Err(ExecutorError::Cancelled) => return Err(cancelled()),
        Err(ExecutorError::Broken(cause)) => result.broken = Some(cause),
    }
    Ok(())
}

/// Share of a unit's steps and time, in percent, after which open branches are searched for.
const EXPLORING: u32 = 60;

/// Part of a unit's steps that may go to contracts, and the same to theories.
const ORACLE_SHARE: u64 = 10;

/// Part of a unit's steps that may go to neighbours of tests in one round, for faults that no test notices; and how many
/// there are at least and at most.
const GOALS_SHARE: u64 = 10;
const FEWEST_NEIGHBOURS: u64 = 500;
const MOST_NEIGHBOURS: u64 = 3_000;

/// Fewest and most questions that contracts ask of one unit.
const QUESTIONS: (usize, usize) = (1_000, 5_000);

/// Asks what rules the kept runs' objects break, and what their tests may do elsewhere.
fn ask(
    context: Context<'_>,
    kept: &[Run],
    executor: &mut dyn Executor,
    result: &mut UnitResult,
) -> Result<(), ExecutorError> {
    find(context, kept, executor, result)?;
    let tests = result.findings.iter_mut().map(|finding| &mut finding.test);
    let (program, outside) = (&context.project.program, context.facts.outside());
    result.steps += palus_suite::look_elsewhere(program, outside, tests.collect(), executor)?;
    Ok(())
}

/// What rules the kept runs' objects break; takes its steps into the unit's.
fn find(
    context: Context<'_>,
    kept: &[Run],
    executor: &mut dyn Executor,
    result: &mut UnitResult,
) -> Result<(), ExecutorError> {
    let Context {
        project,
        facts,
        models,
        settings,
        ..
    } = context;
    let program = &*project.program;
    let subject = result.subject;
    let share = usize::try_from(settings.budget / ORACLE_SHARE).unwrap_or(usize::MAX);
    let limit = share.clamp(QUESTIONS.0, QUESTIONS.1);
    if settings.contracts {
        let (findings, steps) =
            palus_suite::broken_contracts(program, facts, subject, kept, executor, limit)?;
        result.findings.extend(findings);
        result.steps += steps;
    }
    let theories = &project.user_code.theories;
    if !theories.is_empty() {
        let unit = TheoryUnit {
            program,
            facts,
            models,
            subject,
            kept,
            theories,
            is_first: project.first == Some(subject),
        };
        let (findings, steps) = palus_suite::broken_theories(unit, executor, share)?;
        result.findings.extend(findings);
        result.steps += steps;
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the engine is where time is read"
)]
fn now() -> Instant {
    Instant::now()
}

/// The error of a run that was asked to stop.
pub(crate) fn cancelled() -> Error {
    Error::new(
        crate::ErrorKind::Cancelled,
        "cancelled",
        "tests verified so far are kept",
    )
}
