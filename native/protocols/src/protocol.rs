//! Protocols: which calls were seen after which, for the objects of some types.
//!
//! Comes in: steps from a call to the next. Goes out: [`Protocol`], and its [`Machine`], which is what is checked and shown.
//! Does not know: executions.
//!
//! A last-call automaton with state merging. The state before merging is which parameters are bound, and the last call.
//! States of the same bound parameters that allow the same calls are one; the target of a step depends on bound
//! parameters and call alone, so that the machine stays deterministic. A stack whose executions were
//!
//! ```text
//! s = new; s.push; s.pop; s.push; s.peek; s.pop; s.removeAllElements; s.push; s.push; s.removeAllElements ...
//! ```
//!
//! has the states "before anything", "after new or removeAllElements: only push", and "after push, pop or peek: anything":
//! an empty stack allows only `push`. That is the figure in Pradel, Gross, "Leveraging Test Generation and Specification
//! Mining for Automated Bug Detection without False Positives", ICSE 2012.

use crate::Label;
use crate::label::{Bound, Parameter};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt;
use std::ops::AddAssign;
use std::sync::Arc;

/// Where an execution comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A generated sequence.
    GeneratedSequence,
    /// A test of the project's own.
    ProjectTest,
}

/// What a protocol was mined from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Support {
    /// Generated sequences that have a subtrace of the protocol's types.
    pub generated_sequences: u64,
    /// Tests of the project's own that have one.
    pub project_tests: u64,
    /// Subtraces in all of these.
    pub subtraces: u64,
}

impl AddAssign for Support {
    fn add_assign(&mut self, other: Support) {
        let add = |to: &mut u64, more: u64| *to = to.saturating_add(more);
        add(&mut self.generated_sequences, other.generated_sequences);
        add(&mut self.project_tests, other.project_tests);
        add(&mut self.subtraces, other.subtraces);
    }
}

/// A state before merging.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RawState {
    pub bound: Bound,
    pub last: Option<Label>,
}

impl RawState {
    /// The state after a call.
    pub fn after(&self, label: &Label) -> Self {
        RawState {
            bound: self.bound.union(label.bound()),
            last: Some(label.clone()),
        }
    }
}

/// The calls that passing executions made on an object of one type, or on two objects of which one made the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protocol {
    pub(crate) types: Vec<Arc<str>>,
    pub(crate) steps: BTreeMap<RawState, BTreeSet<Label>>,
    pub(crate) support: Support,
}

impl Protocol {
    /// Internal names of its parameters' types, in the order of the parameters.
    pub fn types(&self) -> &[Arc<str>] {
        &self.types
    }

    /// What it was mined from.
    pub fn support(&self) -> Support {
        self.support
    }

    /// Adds what another one of the same types knows.
    pub(crate) fn merge(&mut self, other: Protocol) {
        for (state, labels) in other.steps {
            self.steps.entry(state).or_default().extend(labels);
        }
        self.support += other.support;
    }

    /// The state machine.
    pub fn machine(&self) -> Machine {
        Machine::of(self)
    }
}

/// Whether a state's constraints hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// Not all parameters are bound: it only finds out which objects take part.
    Setup,
    /// What it does not allow is a violation.
    Liable,
}

/// A state of a [`Machine`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Whether it binds.
    pub kind: StateKind,
    /// The calls that it allows, in order, with the place of the state after each.
    pub steps: Vec<(Label, usize)>,
    pub(crate) bound: Bound,
}

/// A deterministic finite-state machine; the first state is the initial one, the others are numbered breadth-first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    types: Vec<Arc<str>>,
    states: Vec<State>,
}

impl Machine {
    fn of(protocol: &Protocol) -> Self {
        let none = BTreeSet::new();
        let allowed = |state: &RawState| protocol.steps.get(state).unwrap_or(&none);
        let initial = RawState::default();
        // The initial state merges with none, even if nothing is bound in another.
        let class = |state: &RawState| (*state != initial, state.bound, allowed(state));
        let mut merged = BTreeMap::from([(class(&initial), 0)]);
        let mut places = BTreeMap::from([(initial.clone(), 0)]);
        let mut machine = Machine {
            types: protocol.types.clone(),
            states: Vec::new(),
        };
        let mut open = VecDeque::from([initial.clone()]);
        while let Some(raw) = open.pop_front() {
            let labels = allowed(&raw).iter();
            let steps = labels.map(|label| {
                let target = raw.after(label);
                if let Some(&place) = places.get(&target) {
                    return (label.clone(), place);
                }
                let next = merged.len();
                let place = *merged.entry(class(&target)).or_insert(next);
                places.insert(target.clone(), place);
                if place == next {
                    open.push_back(target);
                }
                (label.clone(), place)
            });
            let state = State {
                steps: steps.collect(),
                kind: if raw.bound == Bound::all(protocol.types.len()) {
                    StateKind::Liable
                } else {
                    StateKind::Setup
                },
                bound: raw.bound,
            };
            machine.states.push(state);
        }
        machine
    }

    /// Internal names of the parameters' types.
    pub fn types(&self) -> &[Arc<str>] {
        &self.types
    }

    /// Its states, the initial one first.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// States in which objects may be whose creation was not seen: for one object those right behind a creation, for
    /// two those in which at most the creator is bound.
    pub(crate) fn states_of_unseen(&self, creator: Parameter) -> Vec<usize> {
        if self.types.len() == 1 {
            let initial = self.states[0].steps.iter();
            let created = initial.filter(|(label, _)| label.creates(creator));
            let states: BTreeSet<usize> = created.map(|(_, state)| *state).collect();
            return states.into_iter().collect();
        }
        let is_before = |state: &State| {
            state.bound == Bound::default() || state.bound == Bound::default().with(creator)
        };
        let all = self.states.iter().enumerate();
        all.filter(|(_, state)| is_before(state))
            .map(|(place, _)| place)
            .collect()
    }
}

impl fmt::Display for Machine {
    /// The parameters, then each state with its kind and a line for each call that it allows:
    ///
    /// ```text
    /// #1 java.util.Stack
    /// 1 setup
    ///   #1 = new() -> 2
    /// 2 liable
    ///   #1.push(Object) -> 3
    /// ```
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (parameter, name) in (0..).map(Parameter).zip(&self.types) {
            writeln!(to, "{parameter} {}", name.replace('/', "."))?;
        }
        for (number, state) in (1..).zip(&self.states) {
            let kind = match state.kind {
                StateKind::Setup => "setup",
                StateKind::Liable => "liable",
            };
            writeln!(to, "{number} {kind}")?;
            for (label, target) in &state.steps {
                writeln!(to, "  {label} -> {}", target + 1)?;
            }
        }
        Ok(())
    }
}

/// Protocols by the types of their parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Protocols {
    pub(crate) by_types: BTreeMap<Vec<Arc<str>>, Protocol>,
}

impl Protocols {
    /// All of them, in the order of their types' names.
    pub fn iter(&self) -> impl Iterator<Item = &Protocol> {
        self.by_types.values()
    }

    /// The protocol of some types, which are internal names in order.
    pub fn get(&self, types: &[&str]) -> Option<&Protocol> {
        let types: Vec<Arc<str>> = types.iter().map(|&name| name.into()).collect();
        self.by_types.get(&types)
    }

    /// Adds those of other executions; the order in which sets are merged changes nothing.
    pub fn merge(&mut self, other: Protocols) {
        for protocol in other.by_types.into_values() {
            self.add(protocol);
        }
    }

    pub(crate) fn add(&mut self, protocol: Protocol) {
        match self.by_types.get_mut(&protocol.types) {
            Some(known) => known.merge(protocol),
            None => drop(self.by_types.insert(protocol.types.clone(), protocol)),
        }
    }
}
