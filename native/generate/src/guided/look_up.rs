//! Arguments as models say: constants as recorded, objects by state, then profile, then type, then `null`.
//!
//! Comes in: what was seen at a position, the kind wanted there. Goes out: statements added to the draft and the
//! variable that holds the value.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, figure 8. At each level a
//! variable of the sequence itself comes first with probability one half, so that several calls work on one object.
//! Beyond the figure: at the level of types an object of the recorded class comes before any other, and one is made
//! where there is none. The modes `Palulu` and `Literal` do neither; but where the pool has no object of a type,
//! `Palulu` has one made, and `Literal` takes `null`.
//! Does not know: edges, the executor.

use super::Guided;
use crate::draft::{Draft, Profiled, Snippet};
use crate::kinds::Kind;
use crate::maker::{Maker, Nullable};
use crate::mode::Mode;
use palus_bytecode::{ClassId, Type};
use palus_learn::{ArgumentRecord, Constraint, NodeId};
use palus_sequence::{Statement, Value, Variable};
use std::sync::Arc;

/// States of one constraint that are looked through.
const MAXIMUM_STATES: usize = 20;
/// Longer arrays are not written down.
const LONGEST_ARRAY: usize = 30;

impl<'a> Guided<'a> {
    /// The value for a position where something was seen.
    pub fn recorded(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        record: &ArgumentRecord,
        kind: Kind,
        nullable: Nullable,
    ) -> Option<Variable> {
        match record {
            ArgumentRecord::Constant(value) if maker.constant_fits(value, kind) => {
                maker.write(draft, value.clone())
            }
            ArgumentRecord::ConstantArray { class, elements } if self.mode.has_constraints() => {
                let array = Type::parse(class).filter(|_| elements.len() <= LONGEST_ARRAY);
                if let Some(Type::Array(element)) = array {
                    let array = maker.kinds().of_type(&Type::Array(element.clone()));
                    if maker.kinds().fits(array, kind) {
                        return constant_array(maker, draft, *element, elements, array);
                    }
                }
                self.open(maker, draft, kind, nullable)
            }
            ArgumentRecord::Constrained(constraint) if self.mode.has_constraints() => {
                self.look_up(maker, draft, constraint, kind, nullable)
            }
            _ => self.open(maker, draft, kind, nullable),
        }
    }

    /// A value of a type of which nothing else is known.
    pub fn open(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        wanted: Kind,
        nullable: Nullable,
    ) -> Option<Variable> {
        self.looked_up += 1;
        if !self.mode.is_bare() {
            return maker.argument(draft, wanted, 0, nullable);
        }
        let erased = maker.kinds().erased(wanted).clone();
        let plain = erased.unboxed().unwrap_or(erased);
        if let Some(value) = maker.constant(&plain) {
            return draft.value(maker.kinds(), wanted, value);
        }
        if let Some(found) = maker.pooled(draft, wanted) {
            return Some(found);
        }
        // The random phase of all classes would have put one into the paper's shared pool.
        if self.mode == Mode::Palulu
            && let Some(made) = maker.fresh(draft, wanted, 0)
        {
            return Some(made);
        }
        match nullable {
            Nullable::Yes => draft.null(maker.kinds(), wanted),
            Nullable::No => None,
        }
    }

    fn look_up(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
        nullable: Nullable,
    ) -> Option<Variable> {
        if constraint.is_null && nullable == Nullable::Yes {
            return draft.null(maker.kinds(), wanted);
        }
        if maker.kinds().erased(wanted).is_primitive() {
            return self.open(maker, draft, wanted, nullable);
        }
        self.looked_up += 1;
        if let Some(found) = self.by_state(maker, draft, constraint, wanted) {
            return Some(found);
        }
        if let Some(found) = self.provided(maker, draft, constraint, wanted) {
            return Some(found);
        }
        let class = constraint
            .class
            .as_ref()
            .and_then(|class| maker.kinds().of_runtime(class));
        let class = class.filter(|&class| maker.kinds().fits(class, wanted));
        if let Some(found) = self.by_profile(maker, draft, constraint, class, wanted) {
            return Some(found);
        }
        if let Some(class) =
            class.filter(|&class| class != Kind::OBJECT && self.mode != Mode::Literal)
        {
            if maker.rng().percent(self.reuse)
                && let Some(found) = maker.reuse(draft, class)
                && maker.may_stand(draft, found, wanted)
            {
                return Some(found);
            }
            if let Some(found) = maker.pooled(draft, class) {
                return Some(found);
            }
            if let Some(made) = maker.fresh(draft, class, 0)
                && maker.may_stand(draft, made, wanted)
            {
                return Some(made);
            }
        }
        self.open(maker, draft, wanted, nullable)
    }

    fn by_state(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        wanted: Kind,
    ) -> Option<Variable> {
        let states = &constraint.dep_states;
        if states.is_empty() {
            return None;
        }
        if maker.rng().percent(self.reuse) {
            let placed = draft.states.iter();
            let here = placed.filter(|known| states.contains(&(known.class, known.node)));
            let here: Vec<Variable> = here.map(|known| known.variable).collect();
            if let Some(&found) = maker.rng().pick(&here)
                && maker.may_stand(draft, found, wanted)
            {
                return Some(found);
            }
        }
        let first = maker.rng().below(states.len());
        let mut shortest: Option<&Arc<Snippet>> = None;
        let mut tries = self.tries();
        for offset in 0..states.len().min(MAXIMUM_STATES) {
            let state = states[(first + offset) % states.len()];
            let Some(snippet) = self
                .known_at(state)
                .and_then(|known| maker.rng().pick(known))
            else {
                continue;
            };
            let known = snippet.known[snippet.result.index()];
            if !maker.kinds().fits(known.actual, wanted) {
                continue;
            }
            if shortest.is_none_or(|known| snippet.statements.len() < known.statements.len()) {
                shortest = Some(snippet);
            }
            tries -= 1;
            if tries == 0 {
                break;
            }
        }
        draft.append(shortest?)
    }

    /// Sequences that led an object to a node.
    fn known_at(&self, state: (ClassId, NodeId)) -> Option<&[Arc<Snippet>]> {
        if self.mode != Mode::Literal {
            return self.by_state.get(&state).map(Vec::as_slice);
        }
        let mut models = self.models.iter();
        let model = models.position(|model| model.class() == state.0)?;
        Some(self.reaching.at((model, state.1.index())))
    }

    fn by_profile(
        &mut self,
        maker: &mut Maker<'a>,
        draft: &mut Draft,
        constraint: &Constraint,
        class: Option<Kind>,
        wanted: Kind,
    ) -> Option<Variable> {
        let (class, profile) = (class?, constraint.profile.as_ref()?);
        let base = maker.kinds().base(class);
        let same = |known: &&Profiled| known.class == base && known.profile == *profile;
        if draft.profiles.iter().any(|known| same(&known)) && maker.rng().percent(self.reuse) {
            let here: Vec<Variable> = draft
                .profiles
                .iter()
                .filter(same)
                .map(|known| known.variable)
                .collect();
            if let Some(&found) = maker.rng().pick(&here)
                && maker.may_stand(draft, found, wanted)
            {
                return Some(found);
            }
        }
        let found = maker.pooled_like(draft, class, profile)?;
        draft.profiles.push(Profiled {
            variable: found,
            class: base,
            profile: profile.clone(),
        });
        Some(found)
    }
}

fn constant_array(
    maker: &mut Maker<'_>,
    draft: &mut Draft,
    element: Type,
    values: &[Option<Value>],
    array: Kind,
) -> Option<Variable> {
    let of = maker.kinds().of_type(&element);
    let mut elements = Vec::with_capacity(values.len());
    for value in values {
        elements.push(match value {
            Some(value) if maker.constant_fits(value, of) => maker.write(draft, value.clone())?,
            None if element.is_reference() => draft.null(maker.kinds(), of)?,
            _ => maker.argument(draft, of, 1, Nullable::Yes)?,
        });
    }
    draft.push(Statement::NewArray { element, elements }, array)
}
