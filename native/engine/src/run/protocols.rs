//! Protocols of APIs in a run: what units learn of them, and which failures are unsafe uses.
//!
//! Comes in: of each unit the runs that it kept and those that fail in a library, an executor that records calls.
//! Goes out: per unit what it [`Learned`]; of all units together the protocols, as a file in the work folder to which
//! each run adds, and findings.
//! A unit runs its sequences once more, recorded, and shortens those that may show an unsafe use. Whether they do is
//! known when all units are over: protocols are of the whole program.
//! Does not know: how protocols are mined and checked (`palus-protocols`), how a finding's test is verified.

use crate::subject::apis::Apis;
use palus_analyze::Facts;
use palus_bytecode::{Access, ClassId, Origin, Program, binary_name};
use palus_protocols::{
    Call, Checker, Conditions, Documentation, Doubt, End as Ended, ExceptionFacts, Execution,
    Failure, Frame, Label, Miner, ObjectId, Protocol, Protocols, Source, State, StateKind, TestRef,
    Vocabulary, Warning, Warnings,
};
use palus_report::{FindingReport, ProtocolCall, ProtocolReport, ProtocolState, UnsafeUseReport};
use palus_sequence::{
    ApiFrame, End, Executor, ExecutorError, Outcome, Probe, Recording, Run, Sequence, Statement,
};
use palus_suite::{Finding, UnsafeUse, shorten_failing, unsafe_use};
use std::collections::{BTreeMap, BTreeSet};

/// Sequences at once.
const BATCH: usize = 100;
/// Places of one unit that are followed up.
const MOST_PLACES: usize = 40;
/// Runs of each that are shortened.
const TRIED_PER_PLACE: usize = 2;

/// What a unit learned.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    protocols: Protocols,
    /// Runs that may show an unsafe use.
    suspects: Vec<Suspect>,
}

impl Learned {
    /// Classes of the objects in runs that may show an unsafe use, by internal name.
    pub(crate) fn suspects(&self) -> BTreeSet<String> {
        let objects = self.suspects.iter().flat_map(|one| &one.recording.objects);
        objects.map(ToString::to_string).collect()
    }
}

/// Internal names of the types whose protocols differ.
pub(crate) fn changed(before: &Protocols, now: &Protocols) -> BTreeSet<String> {
    let differs = |one: &&Protocol| {
        let types: Vec<&str> = one.types().iter().map(|name| &**name).collect();
        let known = before.get(&types).map(Protocol::machine);
        known.is_none_or(|known| known != one.machine())
    };
    let types = now.iter().filter(differs).flat_map(Protocol::types);
    types.map(ToString::to_string).collect()
}

/// A run that ends with an exception which the API declares and the program does not.
#[derive(Debug)]
struct Suspect {
    /// As it will be told if its call is one that the protocols do not allow.
    finding: Finding,
    recording: Recording,
}

/// Records what a unit found; gives how many sequences it took.
///
/// # Errors
/// [`ExecutorError`] when nothing can be run any more.
pub(crate) fn learn(
    (program, facts): (&Program, &Facts),
    apis: &Apis,
    subject: ClassId,
    (kept, failing): (&[Run], Vec<Sequence>),
    executor: &mut dyn Executor,
) -> Result<(Learned, u64), ExecutorError> {
    let mut recorder = Recorder(executor);
    let mut sequences: Vec<Sequence> = kept.iter().map(|run| run.sequence.clone()).collect();
    let known: BTreeSet<Sequence> = sequences.iter().cloned().collect();
    sequences.extend(failing.into_iter().filter(|one| !known.contains(one)));
    let mut steps = sequences.len() as u64;
    let ran = recorder.run(sequences)?;

    let mut vocabulary = Vocabulary::default();
    let mut miner = Miner::default();
    let mut by_place: BTreeMap<u32, Vec<Run>> = BTreeMap::new();
    let judge = Judge { program, apis };
    for run in ran {
        if run.outcome.end == End::Completed {
            if let Some(recording) = &run.outcome.recording
                && let Some(execution) = execution(&mut vocabulary, apis, recording)
            {
                miner.learn(&vocabulary, &execution, Source::GeneratedSequence);
            }
        } else if let Some(site) = judge.place(&run) {
            by_place.entry(site).or_default().push(run);
        }
    }
    let protocols = miner.finish(&vocabulary);
    let mut sites = Vec::new();
    let mut runs = Vec::new();
    for (site, mut of_place) in by_place.into_iter().take(MOST_PLACES) {
        let order = |run: &Run| (run.sequence.len(), run.sequence.clone());
        of_place.sort_by_cached_key(order);
        of_place.truncate(TRIED_PER_PLACE);
        sites.extend(of_place.iter().map(|_| site));
        runs.extend(of_place);
    }
    let mut suspects = Vec::new();
    if !runs.is_empty() {
        // What is cut away may be what the protocol does not allow: the whole run stays as a second witness.
        let whole: Vec<Sequence> = runs.iter().map(|run| run.sequence.clone()).collect();
        let is_same = |index: usize, run: &Run| judge.place(run) == Some(sites[index]);
        shorten_failing(program, facts, &mut runs, &mut recorder, &is_same)?;
        let short = runs.into_iter().map(|run| run.sequence);
        let all: BTreeSet<Sequence> = short.chain(whole).collect();
        steps += 11 * all.len() as u64;
        let runs = recorder.run(all.into_iter().collect())?;
        suspects.extend(runs.iter().filter_map(|run| judge.suspect(subject, run)));
    }
    let tests = suspects.iter_mut().map(|one| &mut one.finding.test);
    steps += palus_suite::look_elsewhere(program, facts.outside(), tests.collect(), recorder.0)?;
    let learned = Learned {
        protocols,
        suspects,
    };
    Ok((learned, steps))
}

/// An executor whose every start is a recorded one.
struct Recorder<'e>(&'e mut dyn Executor);

impl Recorder<'_> {
    /// Runs sequences after a fresh start.
    fn run(&mut self, sequences: Vec<Sequence>) -> Result<Vec<Run>, ExecutorError> {
        self.begin()?;
        let mut outcomes = Vec::with_capacity(sequences.len());
        for batch in sequences.chunks(BATCH) {
            outcomes.extend(self.execute(batch)?);
        }
        let runs = sequences.into_iter().zip(outcomes);
        Ok(runs
            .map(|(sequence, outcome)| Run { sequence, outcome })
            .collect())
    }
}

impl Executor for Recorder<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.0.begin_recorded()
    }

    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.0.forget()
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        self.0.execute(batch)
    }

    fn watch(&mut self, _: &[Probe]) -> Result<(), ExecutorError> {
        Ok(())
    }
}

/// Who tells whether a failing run may show an unsafe use, whatever the protocols are.
struct Judge<'a> {
    program: &'a Program,
    apis: &'a Apis,
}

impl Judge<'_> {
    /// The number of the site of the call that ended a run, where the conditions for a warning hold but for the protocol.
    fn place(&self, run: &Run) -> Option<u32> {
        let End::Threw(thrown) = &run.outcome.end else {
            return None;
        };
        let recording = run.outcome.recording.as_deref()?;
        let is_last = thrown.statement as usize + 1 == run.sequence.len();
        if !is_last || !is_anybodys(self.program, &run.sequence) {
            return None;
        }
        let mut vocabulary = Vocabulary::default();
        let execution = execution(&mut vocabulary, self.apis, recording)?;
        let Ended::Threw(failure) = &execution.end else {
            return None;
        };
        let documentation = documentation(self.program, self.apis);
        let facts = ExceptionFacts::new(self.program, &documentation);
        let holds = |call: &Call| {
            Conditions::of(&facts, &vocabulary, failure, call).hold()
                && Doubt::of(&facts, &vocabulary, &execution, call).is_none()
        };
        let index = execution.calls.iter().rposition(holds)?;
        Some(recording.calls[index].site)
    }

    fn suspect(&self, subject: ClassId, run: &Run) -> Option<Suspect> {
        let program = self.program;
        let site = &self.apis.sites[self.place(run)? as usize];
        let class = program.class_named(&site.class)?;
        let method = &site.method;
        let shown = UnsafeUse {
            run,
            around: program.declared_method(class, &method.name, &method.descriptor)?,
            owner: &site.owner,
            called: &site.called.name,
        };
        Some(Suspect {
            finding: unsafe_use(program, subject, shown)?,
            recording: run.outcome.recording.as_deref()?.clone(),
        })
    }
}

fn documentation<'a>(program: &Program, apis: &'a Apis) -> [&'a Documentation; 2] {
    [apis.documentation(program), Documentation::of_jdk()]
}

/// True if any client of the classes could do what a sequence does, and would be right to: all that it uses is public,
/// and of what the program hands out it calls nothing, since that may be the program's own.
fn is_anybodys(program: &Program, sequence: &Sequence) -> bool {
    let is_public =
        |class: ClassId, access: Access| access.is_public() && is_public(program, class);
    let mut handed_out = vec![false; sequence.len()];
    for (place, statement) in sequence.statements().iter().enumerate() {
        match statement {
            Statement::Call {
                method, receiver, ..
            } => {
                let method = program.method(*method);
                let is_own = program.class(method.class).origin == Origin::Subject;
                let of_handed_out = receiver.is_some_and(|receiver| handed_out[receiver.index()]);
                if !is_public(method.class, method.access) || of_handed_out && !is_own {
                    return false;
                }
                handed_out[place] = is_own && !method.is_constructor();
            }
            Statement::GetField { field, .. } => {
                let field = program.field(*field);
                if !is_public(field.class, field.access) {
                    return false;
                }
                handed_out[place] = true;
            }
            Statement::SetField { .. } => return false,
            _ => {}
        }
    }
    true
}

/// True of a class that all packages see, with those around it.
fn is_public(program: &Program, class: ClassId) -> bool {
    let mut next = Some(class);
    while let Some(class) = next.map(|id| program.class(id)) {
        if !class.access.is_public() {
            return false;
        }
        next = class
            .outer
            .as_deref()
            .and_then(|outer| program.class_named(outer));
    }
    true
}

/// A recording in the words of the miner; none where it names what is not there.
fn execution(vocabulary: &mut Vocabulary, apis: &Apis, recording: &Recording) -> Option<Execution> {
    let objects = recording.objects.iter();
    let objects = objects.map(|name| vocabulary.name_id(name)).collect();
    let mut calls = Vec::with_capacity(recording.calls.len());
    for call in &recording.calls {
        let arguments = call.arguments.iter();
        calls.push(Call {
            site: vocabulary.site_id(apis.sites.get(call.site as usize)?),
            receiver: call.receiver.map(ObjectId),
            arguments: arguments
                .map(|&(position, object)| (position, ObjectId(object)))
                .collect(),
            result: call.result.map(ObjectId),
            thrown: call.thrown.as_ref().map(|name| vocabulary.name_id(name)),
        });
    }
    let end = recording.failure.as_ref().map_or(Ended::Passed, |failure| {
        let frame = |frame: &ApiFrame| Frame {
            class: frame.class.clone(),
            method: frame.method.clone(),
            line: frame.line,
            bytecode_index: None,
        };
        Ended::Threw(Failure {
            lineage: failure.lineage.clone(),
            stack: failure.stack.iter().map(frame).collect(),
        })
    });
    Some(Execution {
        objects,
        calls,
        end,
    })
}

/// Unsafe uses of APIs, with what the report shows of them.
pub(crate) type UnsafeUses = Vec<(Finding, UnsafeUseReport)>;

/// Puts what the report shows of unsafe uses into the rows of their findings.
pub(crate) fn show_uses(rows: &mut [FindingReport], uses: &UnsafeUses) {
    for row in rows {
        let of_row = uses.iter();
        let of_row = of_row.filter(|(finding, _)| finding.identity() == row.id);
        let shortest = of_row.min_by_key(|(finding, _)| finding.test.run.sequence.len());
        if let Some((_, shown)) = shortest {
            row.unsafe_use = Some(shown.clone());
        }
    }
}

/// Adds what units learned to what is known, and gives the unsafe uses that they show.
pub(crate) fn judge(
    program: &Program,
    apis: &Apis,
    protocols: &mut Protocols,
    of_units: impl Iterator<Item = Learned>,
) -> UnsafeUses {
    let mut suspects = Vec::new();
    for learned in of_units {
        protocols.merge(learned.protocols);
        suspects.extend(learned.suspects);
    }
    let mut vocabulary = Vocabulary::default();
    let checker = Checker::new(protocols, &mut vocabulary);
    let documentation = documentation(program, apis);
    let facts = ExceptionFacts::new(program, &documentation);
    let mut warnings = Warnings::default();
    for (suspect, number) in suspects.iter().zip(0..) {
        if let Some(execution) = execution(&mut vocabulary, apis, &suspect.recording) {
            let length = suspect.finding.test.run.sequence.len() as u32;
            let test = TestRef { length, number };
            warnings.check(&checker, &facts, &vocabulary, &execution, test);
        }
    }
    let found = warnings.iter().map(|warning| {
        let suspect = &suspects[warning.test.number as usize];
        let mut finding = suspect.finding.clone();
        let shown = shown(program, protocols, warning, &suspect.recording);
        finding.explain(shown.why.clone());
        (finding, shown)
    });
    found.collect()
}

/// What a report tells of a warning.
fn shown(
    program: &Program,
    protocols: &Protocols,
    warning: &Warning,
    recording: &Recording,
) -> UnsafeUseReport {
    let is_programs = |frame: &ApiFrame| {
        let class = program.class_named(&frame.class);
        class.is_some_and(|class| program.class(class).origin == Origin::Subject)
    };
    let stack = recording.failure.as_ref().map_or(&[][..], |one| &one.stack);
    // Behind the last line of the program is who ran the test.
    let end = stack
        .iter()
        .rposition(is_programs)
        .map_or(0, |last| last + 1);
    let text = |frame: &ApiFrame| {
        let line = frame.line.map_or(String::new(), |line| format!(":{line}"));
        format!("{}.{}{line}", binary_name(&frame.class), frame.method)
    };
    let place = |state: &usize| *state as u32;
    let types: Vec<&str> = warning.machine.types().iter().map(|name| &**name).collect();
    let support = protocols.get(&types).map(Protocol::support);
    UnsafeUseReport {
        why: reason(warning),
        stack: stack[..end].iter().map(text).collect(),
        line: stack.iter().position(is_programs).unwrap_or_default() as u32,
        protocol: ProtocolReport {
            sequences: support.unwrap_or_default().generated_sequences,
            types: types.into_iter().map(binary_name).collect(),
            states: warning.machine.states().iter().map(state).collect(),
        },
        path: warning.violation.trail.iter().map(place).collect(),
        refused: warning.violation.refused.to_string(),
    }
}

fn state(state: &State) -> ProtocolState {
    let calls = state.steps.iter().map(|(label, to)| ProtocolCall {
        call: label.to_string(),
        to: *to as u32,
    });
    ProtocolState {
        is_liable: state.kind == StateKind::Liable,
        calls: calls.collect(),
    }
}

/// Why it is certain, in one sentence.
fn reason(warning: &Warning) -> String {
    let called = match &*warning.site.called.name {
        "<init>" => "the constructor",
        name => name,
    };
    let name = |label: &Label| label.method.name.to_string();
    let mut allowed: Vec<String> = warning.expected.iter().map(name).collect();
    allowed.dedup();
    let allowed = match allowed.split_last() {
        None => "nothing was called".to_owned(),
        Some((only, [])) => format!("only {only} was called"),
        Some((last, others)) => format!("only {} or {last} was called", others.join(", ")),
    };
    format!(
        "{called} documents this exception, the code neither prevents nor documents it, and wherever tests passed, {allowed} at \
         this point."
    )
}
