//! One executor over replaceable workers.
//!
//! Comes in: batches of sequences. Goes out: one outcome per sequence, whatever happens to the worker: when it dies or
//! hangs, the outcome of the sequence it was at says so, a fresh worker runs the batch again up to that sequence and goes
//! on after it. No random number is drawn here, so a death changes nothing but that outcome.
//! Does not know: how a worker is started (the pool does), why a sequence is run.
//!
//! Worked example: batch `a b c d`, the worker exits in `c`. The file it keeps says "batch 1, index 2". A fresh worker
//! runs `a b`, then `d`; the outcomes are those of `a` and `b`, `Crashed`, and that of `d`.

use crate::Error;
use crate::worker::clock::{Clock, now};
use crate::worker::jvm::{Death, Progress, Told, WorkerJvm, cause};
use crate::worker::process::is_past;
use crate::worker::translate::{mutant, outcome, without_answer};
use crate::worker::usage::Excess;
use crate::worker::{MAX_DEATHS, WorkerPool};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{
    Crash, End, Executor, ExecutorError, Mutant, Outcome, Probe, Sequence, Statement,
};
use palus_wire::request::Request;
use palus_wire::response::{ExitCode, Response};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often a working worker is looked after.
const SLICE: Duration = Duration::from_millis(100);
/// What a worker gets on top of its own time limit, which it keeps itself.
const GRACE: Duration = Duration::from_secs(2);
/// How often a busy machine may let the time limit pass by the wall clock; the worker's own figure.
const MOST: u32 = 5;
/// How long initialising the classes of a unit may take.
const BEGIN: Duration = Duration::from_secs(30);
/// The batch number in a worker's progress while it initialises classes; the index is the class then.
const BEGINNING: u32 = u32::MAX;
/// Blame of one method after which it is not called any more: three lost workers, or thirty times too much memory.
const BAR: u32 = 30;
/// Blame for a worker that is lost.
const LOST: u32 = 10;
/// Blame for too much memory where the worker lives on.
const TOO_MUCH_MEMORY: u32 = 1;
/// Workers that had to be replaced, though alive, for each one that may die.
const SPOILT_PER_DEATH: u32 = 5;

/// How often another way to a probe is waited for, where what touches it does not end so again; the worker counts, too.
const MOST_UNREPEATED: u32 = 3;

/// No mutant, and all the fuel there is.
const ALL_OFF: (Option<u32>, u32) = (None, u32::MAX >> 1);

/// Runs sequences in a worker JVM and replaces the worker when it dies.
pub struct WorkerExecutor<'p> {
    pool: &'p WorkerPool,
    clock: Clock,
    /// None after a death, until the next is needed.
    worker: Option<WorkerJvm>,
    /// Binary names.
    initialise: Vec<Arc<str>>,
    /// True once `begin` was called: a fresh worker then starts in the same way.
    begun: bool,
    /// The environment it began in.
    environment: u32,
    /// What classes tell of.
    told: Told,
    /// The classes that hold mutants.
    mutated: Vec<ClassId>,
    /// Their mutants, as the worker that began last tells them.
    mutants: Vec<Mutant>,
    /// The mutant that is on, and what a sequence may cost.
    turned_on: (Option<u32>, u32),
    /// What the worker was told of that.
    told_on: (Option<u32>, u32),
    /// What to watch, ascending, each once.
    watched: Vec<Probe>,
    /// True if the worker watches just that.
    is_told: bool,
    /// True if the worker is to forget what was touched.
    forgets: bool,
    /// Probes touched since `begin` or `forget`, in whichever worker.
    seen: BTreeSet<Probe>,
    /// How often a probe was touched only by what does not end so again.
    unrepeated: BTreeMap<Probe, u32>,
    deaths: u32,
    /// Workers that were replaced because a sequence left them unusable.
    spoilt: u32,
    /// Methods that sequences called last before they ended a worker, each with its blame.
    blamed: BTreeMap<MethodId, u32>,
}

/// What a part of a batch gave.
enum Answer {
    /// An outcome for each sequence.
    All(Vec<Outcome>),
    /// Outcomes up to a sequence that left the worker unusable.
    Spoilt(Vec<Outcome>),
    /// Outcomes up to a sequence that has none and ended the worker.
    Dying(Vec<Outcome>),
}

/// Why a part of a batch has no outcomes.
enum Failure {
    /// The worker is gone; the index of the sequence or class at which it was, if it could be told.
    Death(Death, Option<usize>),
    /// Nothing can be run any more.
    End(ExecutorError),
}

impl WorkerPool {
    /// Lends an executor over a worker of its own to `work`; call it from as many threads as there shall be workers.
    /// The classes in `initialise` are initialised in that order at each [`begin`](palus_sequence::Executor::begin).
    ///
    /// # Errors
    /// When no worker can be started.
    pub fn with_executor<R>(
        &self,
        initialise: &[ClassId],
        work: impl FnOnce(&mut WorkerExecutor<'_>) -> R,
    ) -> Result<R, Error> {
        let worker = self.take()?;
        let names = initialise.iter().map(|id| self.program.class(*id));
        let names = names.map(|class| class.binary_name().into());
        let mut executor = WorkerExecutor::new(self, worker, names.collect());
        let result = work(&mut executor);
        self.give_back(executor.into_worker());
        Ok(result)
    }
}

impl<'p> WorkerExecutor<'p> {
    fn new(pool: &'p WorkerPool, worker: WorkerJvm, initialise: Vec<Arc<str>>) -> Self {
        WorkerExecutor {
            pool,
            clock: Clock::new(pool.settings.deadline),
            worker: Some(worker),
            initialise,
            begun: false,
            environment: 0,
            told: Told::Touched,
            mutated: Vec::new(),
            mutants: Vec::new(),
            turned_on: ALL_OFF,
            told_on: ALL_OFF,
            watched: Vec::new(),
            is_told: false,
            forgets: false,
            seen: BTreeSet::new(),
            unrepeated: BTreeMap::new(),
            deaths: 0,
            spoilt: 0,
            blamed: BTreeMap::new(),
        }
    }

    /// Moves the moment after which nothing more is run.
    pub fn set_deadline(&mut self, deadline: Instant) {
        self.clock.set_deadline(deadline);
    }

    /// The clock alone bounds what is run: so long from the first batch on, which is always run, and not beyond `latest`.
    pub fn set_share(&mut self, share: Duration, latest: Instant) {
        self.clock.set_share(share, latest);
    }

    /// When its first batch was run, where the unit has a share of time.
    pub fn begun_at(&self) -> Option<Instant> {
        self.clock.begun_at()
    }

    /// Whether something that was asked for was not run since its time was over; asked once.
    pub fn take_is_cut(&mut self) -> bool {
        self.clock.take_is_cut()
    }

    /// Workers that died so far.
    pub fn deaths(&self) -> u32 {
        self.deaths
    }

    /// Hands the worker back, if it is alive.
    pub(super) fn into_worker(self) -> Option<WorkerJvm> {
        self.worker
    }

    /// The process that runs the next sequence.
    #[doc(hidden)]
    pub fn process_id(&self) -> Option<u32> {
        self.worker.as_ref().map(WorkerJvm::id)
    }

    fn check_time(&mut self) -> Result<(), ExecutorError> {
        let settings = &self.pool.settings;
        if settings.cancel.is_cancelled() {
            Err(ExecutorError::Cancelled)
        } else if self.clock.is_past() {
            Err(ExecutorError::OutOfTime)
        } else {
            Ok(())
        }
    }

    /// The worker, ready and begun: the one there is, or a fresh one.
    fn worker(&mut self) -> Result<&mut WorkerJvm, ExecutorError> {
        while self.worker.is_none() {
            let fresh = self.pool.replacement();
            let mut fresh = fresh.map_err(|error| ExecutorError::Broken(error.message))?;
            if self.begun {
                match self.begin_in(&mut fresh) {
                    Ok(()) => {}
                    Err(Failure::End(error)) => return Err(error),
                    Err(Failure::Death(death, class)) => {
                        self.leave_out(class);
                        self.count_death(&death, &mut fresh)?;
                        continue;
                    }
                }
            }
            self.worker = Some(fresh);
            self.is_told = self.watched.is_empty();
            self.told_on = ALL_OFF;
        }
        Ok(self
            .worker
            .as_mut()
            .expect("the loop ends with a worker only"))
    }

    /// A class whose initialisation ends workers is left to its first use; all of them where it is not known which.
    fn leave_out(&mut self, class: Option<usize>) {
        match class.filter(|class| *class < self.initialise.len()) {
            Some(class) => drop(self.initialise.remove(class)),
            None => self.initialise.clear(),
        }
    }

    /// Notes that a worker is gone.
    fn count_death(&mut self, death: &Death, worker: &mut WorkerJvm) -> Result<(), ExecutorError> {
        self.deaths += 1;
        let complaints = worker.complaints();
        log::debug!("worker {} is gone ({death:?}): {complaints}", worker.id());
        if self.deaths + self.spoilt / SPOILT_PER_DEATH < MAX_DEATHS {
            return Ok(());
        }
        let last = match death {
            Death::Hung => "it gave no sign any more".to_owned(),
            Death::Exited(Some(ExitCode::TimeUsedUp)) => "a call took too long".to_owned(),
            Death::Exited(Some(ExitCode::OutOfMemory)) => "its memory was full".to_owned(),
            Death::Exited(_) => cause(&complaints),
            Death::Killed => "the system killed it".to_owned(),
            Death::Confused(what) | Death::Greedy(Excess { text: what, .. }) => what.clone(),
        };
        Err(ExecutorError::Broken(format!(
            "{} workers were lost, the last one because {last}",
            self.deaths + self.spoilt
        )))
    }

    /// Runs a part of a batch.
    fn run(&mut self, part: &[Sequence]) -> Result<Answer, Failure> {
        let pool = self.pool;
        let limit = Duration::from_millis(pool.settings.time_limit_millis.into());
        let patience = limit * MOST + GRACE;
        // What a batch found before the deadline counts, so it may end; batches are short.
        let deadline = self.clock.latest().map(|deadline| deadline + GRACE);
        self.worker().map_err(Failure::End)?;
        let is_told = std::mem::replace(&mut self.is_told, true);
        let told_on = std::mem::replace(&mut self.told_on, self.turned_on);
        let worker = self.worker.as_mut().expect("there is one now");
        let sequences = part
            .iter()
            .map(|sequence| worker.vocabulary.sequence(&pool.program, sequence))
            .collect();
        let mut requests = Vec::with_capacity(5);
        if std::mem::take(&mut self.forgets) {
            requests.push(Request::Forget);
        }
        if !is_told {
            let watched = self.watched.iter();
            let watched = watched.map(|probe| (probe.class, probe.index)).collect();
            requests.push(Request::Watch(watched));
        }
        if told_on != self.turned_on {
            let (mutant, fuel) = self.turned_on;
            let mutant = mutant.map_or(0, |mutant| mutant + 1);
            requests.push(Request::TurnOn { mutant, fuel });
        }
        let methods = std::mem::take(&mut worker.vocabulary.new_methods);
        let fields = std::mem::take(&mut worker.vocabulary.new_fields);
        if !methods.is_empty() {
            requests.push(Request::DefineMethods(methods));
        }
        if !fields.is_empty() {
            requests.push(Request::DefineFields(fields));
        }
        requests.push(Request::Execute(sequences));
        let mut idle = Duration::ZERO;
        let mut place = None;
        let response = worker.send(&requests).and_then(|()| {
            worker.response(SLICE, |worker| {
                let now = worker.progress();
                idle = if now == place { idle + SLICE } else { SLICE };
                place = now;
                idle < patience && !pool.settings.cancel.is_cancelled() && !is_past(deadline)
            })
        });
        // Read only where not all is well: a file that is opened costs as much as a few sequences.
        let index = |worker: &WorkerJvm| {
            worker
                .progress()
                .filter(|Progress { batch, .. }| *batch == worker.batches())
                .map(|Progress { index, .. }| index as usize)
                .filter(|index| *index < part.len())
        };
        let death = match response {
            Ok(Response::Outcomes(outcomes)) if outcomes.len() <= part.len() => {
                let outcomes = outcomes.into_iter();
                let outcomes: Vec<Outcome> = outcomes
                    .map(|wire| outcome(&pool.program, &pool.settings.secrets, &self.watched, wire))
                    .collect();
                return Ok(if outcomes.len() == part.len() {
                    Answer::All(outcomes)
                } else if index(worker) == Some(outcomes.len()) || outcomes.is_empty() {
                    Answer::Dying(outcomes)
                } else {
                    Answer::Spoilt(outcomes)
                });
            }
            Ok(Response::Failure(text)) => Death::Confused(text.to_string()),
            Ok(_) => Death::Confused("the worker answers something else".into()),
            Err(death) => death,
        };
        let index = index(worker);
        if let Err(end) = self.check_time() {
            // It still owes an answer, which must not be taken for that to another batch.
            self.worker = None;
            return Err(Failure::End(end));
        }
        Err(Failure::Death(death, index))
    }

    /// Appends outcomes, without coverage that is new to this worker only. What a sequence touched that no test may
    /// show stays to be found by another; what only sequences touch that do not end so again is theirs at last.
    fn keep(&mut self, some: Vec<Outcome>, outcomes: &mut Vec<Outcome>) {
        for mut outcome in some {
            let probes = outcome.coverage.probes.iter();
            let new: Vec<Probe> = probes
                .filter(|probe| !self.seen.contains(probe))
                .copied()
                .collect();
            if new.is_empty() {
                outcome.coverage.probes.clear();
                outcome.repeats = true;
            } else if !outcome.repeats {
                for probe in &new {
                    let times = self.unrepeated.entry(*probe).or_default();
                    *times += 1;
                    outcome.repeats |= *times > MOST_UNREPEATED;
                }
            }
            if outcome.is_writable() {
                self.seen.extend(new);
            }
            outcomes.push(outcome);
        }
    }

    /// The outcome of a sequence that is not run because it calls what killed workers before.
    fn barred(&self, sequence: &Sequence) -> Option<Outcome> {
        if self.blamed.is_empty() {
            return None;
        }
        let method =
            called(sequence).find(|method| self.blamed.get(method).is_some_and(|n| *n >= BAR))?;
        let cause = format!(
            "{} ended workers, or took too much memory, again and again",
            name(&self.pool.program, method)
        );
        Some(without_answer(End::Unusable(cause.into())))
    }

    /// The last call of a sequence is to blame: what comes before it ran well in the sequence it was made from.
    fn blame(&mut self, sequence: &Sequence, blame: u32) {
        if self.turned_on.0.is_some() {
            return; // whatever happens is the mutant's fault
        }
        if let Some(method) = called(sequence).last() {
            *self.blamed.entry(method).or_default() += blame;
        }
    }

    /// Blames the sequence that ended a worker, and says how.
    fn accuse(&mut self, death: &Death, sequence: &Sequence) -> Outcome {
        self.blame(sequence, LOST);
        without_answer(match death {
            Death::Hung | Death::Exited(Some(ExitCode::TimeUsedUp)) => End::TimedOut,
            Death::Exited(Some(ExitCode::OutOfMemory)) => End::Crashed(Crash::HeapFull),
            Death::Exited(_) | Death::Confused(_) => End::Crashed(Crash::Ended),
            Death::Killed => End::Crashed(Crash::Killed),
            Death::Greedy(excess) => End::Crashed(excess.of),
        })
    }
}

impl Executor for WorkerExecutor<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.begin_elsewhere(0)
    }

    fn begin_elsewhere(&mut self, environment: u32) -> Result<(), ExecutorError> {
        self.mutated.clear();
        self.told = Told::Touched;
        self.begin_anew(environment)
    }

    fn begin_mutated(&mut self, classes: &[ClassId]) -> Result<Vec<Mutant>, ExecutorError> {
        self.mutated = classes.to_vec();
        self.told = Told::Touched;
        self.begin_anew(0)?;
        Ok(self.mutants.clone())
    }

    fn begin_recorded(&mut self) -> Result<(), ExecutorError> {
        self.mutated.clear();
        self.told = Told::CallsToo;
        self.begin_anew(0)
    }

    fn turn_on(&mut self, mutant: Option<u32>, most_cost: u32) -> Result<(), ExecutorError> {
        self.turned_on = (mutant, most_cost.min(ALL_OFF.1)); // with the next batch
        Ok(())
    }

    fn forgive(&mut self) {
        self.blamed.clear();
    }

    fn take_part_of_time(&mut self, percent: Option<u32>) {
        self.clock.take_part(percent);
    }

    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.seen.clear();
        self.unrepeated.clear();
        self.forgets = true; // with the next batch
        Ok(())
    }

    fn watch(&mut self, probes: &[Probe]) -> Result<(), ExecutorError> {
        let mut probes = probes.to_vec();
        probes.sort_unstable();
        probes.dedup();
        if probes != self.watched {
            self.watched = probes;
            self.is_told = false; // with the next batch
        }
        Ok(())
    }

    fn is_over(&self, percent: u64) -> bool {
        self.clock.is_over(percent)
    }

    fn batch_limit(&self) -> usize {
        self.clock.batch_limit()
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        let started = now();
        let outcomes = self.execute_all(batch)?;
        self.clock.ran(started, batch.len());
        Ok(outcomes)
    }
}

impl WorkerExecutor<'_> {
    /// Fresh classes, in this worker or, where it is gone or dies, in another.
    fn begin_anew(&mut self, environment: u32) -> Result<(), ExecutorError> {
        self.environment = environment;
        self.check_time()?;
        self.forget()?;
        self.forgets = false;
        self.begun = true;
        self.watched.clear();
        self.is_told = true;
        (self.turned_on, self.told_on) = (ALL_OFF, ALL_OFF);
        // A fresh worker begins by itself.
        let Some(mut worker) = self.worker.take() else {
            return self.worker().map(|_| ());
        };
        match self.begin_in(&mut worker) {
            Ok(()) => self.worker = Some(worker),
            Err(Failure::End(error)) => return Err(error),
            Err(Failure::Death(death, class)) => {
                self.leave_out(class);
                self.count_death(&death, &mut worker)?;
                drop(worker);
                self.worker()?;
            }
        }
        Ok(())
    }

    /// Fresh subject classes in this worker.
    fn begin_in(&mut self, worker: &mut WorkerJvm) -> Result<(), Failure> {
        let mut requests = Vec::new();
        let is_mutated = !self.mutated.is_empty();
        if is_mutated || worker.holds_mutants {
            let classes = self.mutated.iter();
            let classes = classes.map(|class| self.pool.program.class(*class).name.clone());
            requests.push(Request::Mutate(classes.collect()));
        }
        let records = self.told == Told::CallsToo;
        if records && worker.records.is_none() {
            requests.push(Request::DefineSites(self.pool.sites.clone()));
        }
        if records != worker.records.unwrap_or(false) {
            requests.push(Request::Record(records));
            worker.records = Some(records);
        }
        requests.push(Request::Begin {
            initialise: self.initialise.clone(),
            environment: self.environment,
        });
        worker.holds_mutants = is_mutated;
        let cancel = &self.pool.settings.cancel;
        let mut sent = worker.send(&requests);
        let death = loop {
            let mut waited = Duration::ZERO;
            let response = std::mem::replace(&mut sent, Ok(())).and_then(|()| {
                worker.response(SLICE, |_| {
                    waited += SLICE;
                    waited < BEGIN && !cancel.is_cancelled()
                })
            });
            match response {
                Ok(Response::Mutants(mutants)) => {
                    let mutants = mutants.into_iter();
                    let mutants = mutants.map(|wire| mutant(&self.mutated, wire));
                    self.mutants = mutants.collect::<Option<_>>().unwrap_or_default();
                }
                Ok(Response::Begun { failed }) => {
                    for (class, cause) in failed {
                        log::debug!("{class} cannot be initialised: {cause}");
                    }
                    return Ok(());
                }
                Ok(Response::Failure(text)) => {
                    return Err(Failure::End(ExecutorError::Broken(text.to_string())));
                }
                Ok(_) => break Death::Confused("the worker answers something else".into()),
                Err(death) => break death,
            }
        };
        if cancel.is_cancelled() {
            return Err(Failure::End(ExecutorError::Cancelled));
        }
        // With too much memory it may have been any class, or all of them together.
        let is_known = !matches!(death, Death::Greedy(_) | Death::Confused(_));
        let place = worker.progress().filter(|_| is_known);
        let class = place.filter(|Progress { batch, .. }| *batch == BEGINNING);
        let class = class.map(|Progress { index, .. }| index as usize);
        Err(Failure::Death(death, class))
    }

    /// Runs a batch, whatever happens to the worker.
    fn execute_all(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(batch.len());
        // Outcomes that are known without running, by index.
        let mut known: BTreeMap<usize, Outcome> = BTreeMap::new();
        let mut one_by_one = false;
        while outcomes.len() < batch.len() {
            self.check_time()?;
            let from = outcomes.len();
            if let Some(outcome) = known.remove(&from) {
                outcomes.push(outcome);
                continue;
            }
            if let Some(outcome) = self.barred(&batch[from]) {
                outcomes.push(outcome);
                continue;
            }
            let end = if one_by_one { from + 1 } else { batch.len() };
            let end = (from + 1..end)
                .find(|at| known.contains_key(at) || self.barred(&batch[*at]).is_some())
                .unwrap_or(end);
            let part = &batch[from..end];
            match self.run(part) {
                Ok(Answer::All(some)) => {
                    for (sequence, outcome) in part.iter().zip(&some) {
                        if outcome.end == End::OutOfMemory {
                            self.blame(sequence, TOO_MUCH_MEMORY);
                        }
                    }
                    self.keep(some, &mut outcomes);
                }
                Ok(Answer::Spoilt(some)) => {
                    self.keep(some, &mut outcomes);
                    self.blame(&batch[outcomes.len() - 1], LOST);
                    self.worker = None;
                    self.spoilt += 1;
                }
                Ok(Answer::Dying(some)) => {
                    self.keep(some, &mut outcomes);
                    let death = Death::Exited(Some(ExitCode::OutOfMemory));
                    outcomes.push(self.accuse(&death, &batch[outcomes.len()]));
                    self.replace(&death)?;
                }
                Err(Failure::End(error)) => return Err(error),
                // What others before it left counts, too: who is to blame is found with a fresh worker for each.
                Err(Failure::Death(Death::Greedy(excess), _)) if !self.ran_alone(part) => {
                    log::debug!("a worker is replaced: {}", excess.text);
                    one_by_one = true;
                    self.worker = None;
                    self.spoilt += 1;
                }
                Err(Failure::Death(death, index)) => {
                    let index = index.or((part.len() == 1).then_some(0));
                    match index {
                        Some(index) => {
                            let outcome = self.accuse(&death, &part[index]);
                            known.insert(from + index, outcome);
                        }
                        None => one_by_one = true,
                    }
                    self.replace(&death)?;
                }
            }
        }
        Ok(outcomes)
    }

    /// Whether this is all that the worker ever ran.
    fn ran_alone(&self, part: &[Sequence]) -> bool {
        let worker = self.worker.as_ref();
        part.len() == 1 && worker.is_some_and(|worker| worker.batches() == 1)
    }

    /// Ends the worker, so that the next part runs in a fresh one.
    fn replace(&mut self, death: &Death) -> Result<(), ExecutorError> {
        match self.worker.take() {
            // A mutant may end many.
            Some(worker) if self.turned_on.0.is_some() => {
                log::debug!("worker {} is gone with a mutant ({death:?})", worker.id());
                Ok(())
            }
            Some(mut worker) => self.count_death(death, &mut worker),
            None => Ok(()),
        }
    }
}

/// The methods a sequence calls, in order.
fn called(sequence: &Sequence) -> impl Iterator<Item = MethodId> + '_ {
    let statements = sequence.statements().iter();
    statements.filter_map(|statement| match statement {
        Statement::Call { method, .. } => Some(*method),
        _ => None,
    })
}

fn name(program: &Program, method: MethodId) -> String {
    let method = program.method(method);
    format!("{}.{}", program.class(method.class).name, method.name)
}
