//! A sequence under construction, and finished pieces of sequences that make one value.
//!
//! Comes in: statements. Goes out: variables with what is known of their values; [`Snippet`]s cut out of sequences
//! that ran.
//! Does not know: where statements come from, the pool, random numbers.
//!
//! ```text
//! v0 = new ArrayList()   v1 = "a"   v2 = v0.add(v1)   v3 = 7   v4 = v0.iterator()
//! slice for v4:  v0 = new ArrayList()   v1 = "a"   v2 = v0.add(v1)   v3 = v0.iterator()
//! ```

use crate::kinds::{Kind, Kinds};
use crate::rng::Rng;
use palus_bytecode::{ClassId, MethodId, Program, Type};
use palus_learn::NodeId;
use palus_sequence::{ObjectProfile, Sequence, Statement, Value, Variable};
use std::sync::Arc;

/// Longer sequences are not made.
pub(crate) const MAXIMUM_LENGTH: usize = 100;

/// What is known of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// Its static type, type arguments included where known.
    pub declared: Kind,
    /// The class it had when it ran, else the static one; `VOID` where it cannot be used (void, null).
    pub actual: Kind,
}

/// A piece of a sequence that makes a value: its statements use nothing from outside.
#[derive(Clone, Debug)]
pub(crate) struct Snippet {
    /// The statements.
    pub statements: Vec<Statement>,
    /// One per statement.
    pub known: Vec<Known>,
    /// The value.
    pub result: Variable,
    /// Its objects at nodes of models.
    pub states: Vec<Placed>,
}

/// An object at a node of its model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// The object.
    pub variable: Variable,
    /// The class whose model it is.
    pub class: ClassId,
    /// The node.
    pub node: NodeId,
}

/// An object whose profile is known, as long as nothing was called on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Profiled {
    /// The object.
    pub variable: Variable,
    /// Its class.
    pub class: Kind,
    /// Its profile.
    pub profile: ObjectProfile,
}

/// A sequence under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Draft {
    statements: Vec<Statement>,
    known: Vec<Known>,
    /// Calls made to test something: statement and number of the target.
    pub calls: Vec<(u32, usize)>,
    /// Objects worth keeping for later sequences.
    pub fresh: Vec<Variable>,
    /// Objects at nodes of models.
    pub states: Vec<Placed>,
    /// Objects with known profiles.
    pub profiles: Vec<Profiled>,
}

impl Draft {
    /// A finished sequence, to be gone on with; of its values no more is known than their static types.
    pub fn from_sequence(program: &Program, kinds: &mut Kinds<'_>, sequence: &Sequence) -> Draft {
        let known = sequence.statements().iter().map(|statement| {
            let declared = kinds.of_type(&statement.defined_type(program));
            let is_null = matches!(statement, Statement::Value(Value::Null(_)));
            Known {
                declared,
                actual: if is_null { Kind::VOID } else { declared },
            }
        });
        Draft {
            known: known.collect(),
            statements: sequence.statements().to_vec(),
            ..Draft::default()
        }
    }

    /// Number of statements.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// True if nothing more should be added.
    pub fn is_full(&self) -> bool {
        self.statements.len() >= MAXIMUM_LENGTH
    }

    /// Drops what was added since the sequence had this length.
    pub fn truncate(&mut self, length: usize) {
        self.statements.truncate(length);
        self.known.truncate(length);
        self.calls
            .retain(|(statement, _)| (*statement as usize) < length);
        self.fresh.retain(|variable| variable.index() < length);
        self.states.retain(|known| known.variable.index() < length);
        self.profiles
            .retain(|known| known.variable.index() < length);
    }

    /// A drawn argument of earlier calls on an object.
    pub fn argument_before(&self, rng: &mut Rng, receiver: Variable) -> Option<Variable> {
        let mut count = 0;
        let mut chosen = None;
        for statement in &self.statements {
            let Statement::Call {
                receiver: Some(on),
                arguments,
                ..
            } = statement
            else {
                continue;
            };
            for &argument in arguments.iter().filter(|_| *on == receiver) {
                count += 1;
                if rng.below(count) == 0 {
                    chosen = Some(argument);
                }
            }
        }
        chosen
    }

    /// What the first call of a method gave.
    pub fn call_of(&self, method: MethodId) -> Option<Variable> {
        let calls = |statement: &Statement| matches!(statement, Statement::Call { method: called, .. } if *called == method);
        let first = self.statements.iter().position(calls)?;
        Some(Variable(first as u32))
    }

    /// What is known of all variables.
    pub fn known(&self) -> &[Known] {
        &self.known
    }

    /// What is known of a variable.
    pub fn of(&self, variable: Variable) -> Known {
        self.known[variable.index()]
    }

    /// Says of what class a variable's value will be.
    pub fn hold(&mut self, variable: Variable, actual: Kind) {
        self.known[variable.index()].actual = actual;
    }

    /// What the last statement uses.
    pub fn last_uses(&self) -> Vec<Variable> {
        self.statements
            .last()
            .map_or_else(Vec::new, Statement::uses)
    }

    /// Adds a statement; none when the sequence is full.
    pub fn push(&mut self, statement: Statement, kind: Kind) -> Option<Variable> {
        if self.is_full() {
            return None;
        }
        if !self.profiles.is_empty() {
            let uses = statement.uses();
            self.profiles
                .retain(|known| !uses.contains(&known.variable));
        }
        self.statements.push(statement);
        self.known.push(Known {
            declared: kind,
            actual: kind,
        });
        Some(Variable(self.statements.len() as u32 - 1))
    }

    /// A constant; the same one is not written twice.
    pub fn value(&mut self, kinds: &mut Kinds<'_>, kind: Kind, value: Value) -> Option<Variable> {
        let same = self
            .statements
            .iter()
            .position(|known| matches!(known, Statement::Value(known) if *known == value));
        if let Some(same) = same {
            return Some(Variable(same as u32));
        }
        let is_null = matches!(value, Value::Null(_));
        let plain = value.plain_type();
        let kind = plain.map_or(kind, |plain| kinds.of_type(&plain));
        let variable = self.push(Statement::Value(value), kind)?;
        if is_null {
            self.known[variable.index()].actual = Kind::VOID;
        }
        Some(variable)
    }

    /// `null` of a type.
    pub fn null(&mut self, kinds: &mut Kinds<'_>, kind: Kind) -> Option<Variable> {
        let null: Type = kinds.erased(kind).clone();
        self.value(kinds, kind, Value::Null(null))
    }

    /// Adds a piece and returns its value; none when it does not fit in.
    pub fn append(&mut self, snippet: &Snippet) -> Option<Variable> {
        if self.statements.len() + snippet.statements.len() > MAXIMUM_LENGTH {
            return None;
        }
        let shift = self.statements.len() as u32;
        if shift == 0 {
            self.statements.extend(snippet.statements.iter().cloned());
        } else {
            let renamed = snippet
                .statements
                .iter()
                .map(|statement| statement.renamed(|used| Variable(used.0 + shift)));
            self.statements.extend(renamed);
        }
        self.known.extend_from_slice(&snippet.known);
        self.states
            .extend(snippet.states.iter().map(|known| Placed {
                variable: Variable(known.variable.0 + shift),
                ..*known
            }));
        Some(Variable(snippet.result.0 + shift))
    }

    /// Ends construction.
    pub fn finish(self) -> Candidate {
        Candidate {
            sequence: Sequence::new(self.statements),
            known: self.known,
            calls: self.calls,
            fresh: self.fresh,
            states: self.states,
            reaches: Vec::new(),
            replay: None,
            goes_on_from: None,
            is_needed: false,
        }
    }
}

/// A sequence ready to run, with what its outcome is needed for.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    /// The sequence.
    pub sequence: Sequence,
    /// One per statement.
    pub known: Vec<Known>,
    /// Statement and number of the target.
    pub calls: Vec<(u32, usize)>,
    /// Objects worth keeping for later sequences.
    pub fresh: Vec<Variable>,
    /// Objects at nodes of models, at its end.
    pub states: Vec<Placed>,
    /// Nodes of models and what the sequence leads there, if its first statements complete.
    pub reaches: Vec<Reach>,
    /// The kind of replay it is, if any.
    pub replay: Option<Replaying>,
    /// The node it goes on from, as numbers of the model and of the node in it, and the way there.
    pub goes_on_from: Option<((usize, usize), Arc<Snippet>)>,
    /// True if its outcome is needed even where the same sequence ran before.
    pub is_needed: bool,
}

/// How a candidate replays a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaying {
    /// With nothing but constants and its own objects.
    Exactly,
    /// With objects that were looked up.
    WithLookUps,
    /// Up to a call that cannot be written, or as long as a sequence may be.
    Partly,
    /// As before, with other draws; not counted again.
    Again,
}

/// An object at a node of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// Number of the model.
    pub model: usize,
    /// Number of its node.
    pub node: usize,
    /// The object.
    pub subject: Variable,
    /// Statements up to and with the call that leads there.
    pub length: usize,
    /// Objects at nodes of models at that point.
    pub states: Vec<Placed>,
    /// Statements that belong to the way there where all of them ran: those up to the dependent call.
    pub whole: usize,
    /// True for an object that was led there for another's sake (`provide.rs`).
    pub is_provided: bool,
}

impl Reach {
    /// What the sequence leads to a node as it stands.
    pub fn now(draft: &Draft, model: usize, node: NodeId, subject: Variable) -> Reach {
        Reach {
            model,
            node: node.index(),
            subject,
            length: draft.len(),
            whole: draft.len(),
            states: draft.states.clone(),
            is_provided: false,
        }
    }
}

/// Cuts out what makes a value and what changes it afterwards. `is_pure` tells the calls that change nothing.
pub(crate) fn slice(
    statements: &[Statement],
    known: &[Known],
    states: &[Placed],
    result: Variable,
    kinds: &Kinds<'_>,
    is_pure: impl Fn(MethodId) -> bool,
) -> Snippet {
    let mut needed = vec![false; statements.len()];
    needed[result.index()] = true;
    let is_changeable = |variable: &Variable| !kinds.is_immutable(known[variable.index()].declared);
    // A statement may change what only an earlier look shows to be needed; few rounds are enough in practice.
    for _ in 0..3 {
        let mut has_changed = false;
        for (index, statement) in statements.iter().enumerate().rev() {
            if !needed[index] {
                let may_change = match statement {
                    Statement::Call { method, .. } => !is_pure(*method),
                    Statement::SetField { .. } => true,
                    _ => false,
                };
                let touches = may_change
                    && statement
                        .uses()
                        .iter()
                        .any(|used| needed[used.index()] && is_changeable(used));
                if !touches {
                    continue;
                }
                needed[index] = true;
                has_changed = true;
            }
            for used in statement.uses() {
                if !needed[used.index()] {
                    needed[used.index()] = true;
                    has_changed = true;
                }
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut places = vec![Variable(0); statements.len()];
    let mut snippet = Snippet {
        statements: Vec::new(),
        known: Vec::new(),
        result,
        states: Vec::new(),
    };
    for (index, statement) in statements
        .iter()
        .enumerate()
        .filter(|(index, _)| needed[*index])
    {
        places[index] = Variable(snippet.statements.len() as u32);
        snippet
            .statements
            .push(statement.renamed(|used| places[used.index()]));
        snippet.known.push(known[index]);
    }
    snippet.result = places[result.index()];
    let kept = states
        .iter()
        .filter(|known| needed.get(known.variable.index()).copied().unwrap_or(false));
    snippet.states.extend(kept.map(|known| Placed {
        variable: places[known.variable.index()],
        ..*known
    }));
    snippet
}
