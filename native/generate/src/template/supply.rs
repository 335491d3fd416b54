//! Values for a template: slots, arrays, and objects of the generator's producers.
//!
//! Comes in: wanted types. Goes out: steps that define them. Constants are never shared, so that each slot varies alone.
//! Does not know: fields, the graph.

use super::{Array, LONGEST_ARRAY, Synthesis};
use crate::draft::Draft;
use crate::kinds::Kind;
use crate::mode::Mode;
use crate::producers::Producer;
use palus_bytecode::{ClassId, MethodId, Type};
use palus_sequence::{Statement, Value, Variable};
use std::sync::Arc;

/// Arguments of arguments of arguments: deeper ones are constants or come from the pool.
const DEEPEST: u32 = 3;
/// Constructors tried for one object.
const TRIES: usize = 3;
/// Share of objects that are taken from sequences that ran well, in percent: of those with constructors that tests can
/// call, and of others.
const POOLED: usize = 40;
const POOLED_OTHER: usize = 80;
/// Most such sequences that are drawn at once, of which the shortest is taken.
const DRAWN: usize = 4;
/// Weight of a constructor that was never called, and, above 1, of one that always completed.
const UNTRIED: usize = 8;
const MOST_SURE: usize = 24;
/// Slots that begin with what is known of their parameter or of the branch's code, each, in percent.
const KNOWN: usize = 30;
/// Arrays are at most so long, as EvoSuite's (Fraser, Arcuri, "EvoSuite", ESEC/FSE 2011).
const LONGEST: usize = 10;

impl Synthesis<'_, '_, '_> {
    /// The type of objects of a class.
    pub fn class_type(&self, class: ClassId) -> Type {
        Type::Object(Arc::clone(&self.program.class(class).name))
    }

    /// The narrower type, where tests can name it.
    pub fn narrowed(&self, declared: &Type, wanted: &Type) -> Type {
        let package = self.maker.package();
        let is_named = wanted.class_name().is_none_or(|name| {
            let class = self.program.class_named(name);
            class.is_some_and(|class| self.program.is_class_accessible(class, package))
        });
        if wanted.is_reference() && is_named && self.program.is_assignable(wanted, declared) {
            wanted.clone()
        } else {
            declared.clone()
        }
    }

    /// A value that is not `null`.
    pub fn value(&mut self, wanted: &Type, depth: u32) -> Option<usize> {
        if let Some(value) = self.constant(wanted) {
            return Some(self.plan.slot(value));
        }
        match wanted {
            Type::Array(element) => {
                let length = 1 + self.maker.rng().below(LONGEST);
                let statement = Statement::NewArray {
                    element: (**element).clone(),
                    elements: Vec::new(),
                };
                let step = self.plan.add(statement);
                let elements = Vec::new();
                self.arrays.insert(step, Array { length, elements });
                Some(step)
            }
            Type::Object(_) => self.object(wanted, depth),
            _ => None,
        }
    }

    /// A value, as a last resort `null`.
    pub fn value_or_null(&mut self, wanted: &Type, depth: u32) -> Option<usize> {
        self.value(wanted, depth).or_else(|| {
            let null = Statement::Value(Value::Null(wanted.clone()));
            wanted.is_reference().then(|| self.plan.add(null))
        })
    }

    /// A length, as slots begin; at most as long as arrays are made for the sake of an index.
    pub fn length(&mut self) -> usize {
        let drawn = match self.constant(&Type::Int) {
            Some(Value::Int(drawn)) => usize::try_from(drawn).unwrap_or_default(),
            _ => 0,
        };
        drawn.min(LONGEST_ARRAY)
    }

    /// A value for a parameter: now and then a constant with which the call completed before.
    pub fn parameter(
        &mut self,
        method: MethodId,
        position: u32,
        wanted: &Type,
        depth: u32,
    ) -> Option<usize> {
        if self.takes_known()
            && let Some(value) = self.known.given(self.maker.rng(), method, position)
        {
            return Some(self.plan.slot(value));
        }
        self.value_or_null(wanted, depth)
    }

    /// True now and then, in modes that take constants from code.
    fn takes_known(&mut self) -> bool {
        let mode = self.maker.unit().mode;
        mode != Mode::Blind && !mode.is_plain() && self.maker.rng().percent(KNOWN)
    }

    /// A constant of a primitive type, a box, `String` or an enum.
    fn constant(&mut self, wanted: &Type) -> Option<Value> {
        if let Type::Object(name) = wanted
            && let Some(class) = self.program.class_named(name)
            && self.program.class(class).access.is_enum()
        {
            if !self
                .program
                .is_class_accessible(class, self.maker.package())
            {
                return None;
            }
            let fields = self.program.class(class).fields.iter();
            let fields = fields.map(|&field| self.program.field(field));
            let names: Vec<_> = fields.filter(|field| field.access.is_enum()).collect();
            let name = Arc::clone(&self.maker.rng().pick(&names)?.name);
            return Some(Value::EnumConstant { class, name });
        }
        let plain = wanted.unboxed().unwrap_or_else(|| wanted.clone());
        if self.takes_known() {
            let rng = self.maker.rng();
            let (program, graph) = (self.program, self.graph);
            let known = self.known.on_path(rng, program, graph, self.branch, &plain);
            if known.is_some() {
                return known;
            }
        }
        self.maker.constant(&plain)
    }

    /// An object: of its own constructors, else of other producers, else of the pool.
    pub fn object(&mut self, wanted: &Type, depth: u32) -> Option<usize> {
        let maker = &mut *self.maker;
        let kind = maker.kinds().of_type(wanted);
        let producers = maker.producers(kind);
        let class = maker.kinds().class(kind);
        let calls = producers.members.iter().filter_map(|producer| {
            let Producer::Call(method) = producer else {
                return None;
            };
            let types = &self.program.method(*method).method_type.parameters;
            let needs = |known: &Type| known.is_reference() && known.unboxed().is_none();
            let is_deep = depth >= DEEPEST && types.iter().any(needs);
            (!is_deep && *method != self.graph.method() && !maker.is_barred(*method))
                .then_some(*method)
        });
        let calls: Vec<MethodId> = calls.collect();
        let is_own = |method: &MethodId| {
            let method = self.program.method(*method);
            Some(method.class) == class && &*method.name == "<init>"
        };
        let own: Vec<MethodId> = calls.iter().copied().filter(is_own).collect();
        let is_own = !own.is_empty();
        let calls = if is_own { own } else { calls };
        // What ran well is a surer start than what was never run.
        let surer = if is_own { POOLED } else { POOLED_OTHER };
        if self.maker.rng().percent(surer)
            && let Some(step) = self.pooled(kind)
        {
            return Some(step);
        }
        for _ in 0..TRIES {
            let Some(method) = self.surest(&calls) else {
                break;
            };
            let mark = self.plan.len();
            if let Some(arguments) = self.arguments(method, depth + 1) {
                return Some(self.plan.add(Statement::Call {
                    method,
                    receiver: None,
                    arguments,
                }));
            }
            self.plan.truncate(mark);
            self.arrays.retain(|&array, _| array < mark);
        }
        let mut draft = Draft::default();
        let made = self.maker.fresh(&mut draft, kind, 1);
        let made = made.or_else(|| self.maker.pooled(&mut draft, kind))?;
        Some(self.import(draft, made))
    }

    /// An object of a sequence that ran well: the shortest of one or a few, for most of a long one has nothing to do with
    /// the branch.
    fn pooled(&mut self, kind: Kind) -> Option<usize> {
        let mut shortest: Option<(Draft, Variable)> = None;
        for _ in 0..=self.maker.rng().below(DRAWN) {
            let mut draft = Draft::default();
            let made = self.maker.pooled(&mut draft, kind)?;
            let is_shorter = shortest
                .as_ref()
                .is_none_or(|(known, _)| draft.len() < known.len());
            if is_shorter && draft.of(made).actual != Kind::VOID {
                shortest = Some((draft, made));
            }
        }
        shortest.map(|(draft, made)| self.import(draft, made))
    }

    /// A drawn method: those whose calls completed before are likelier than those that threw.
    fn surest(&mut self, calls: &[MethodId]) -> Option<MethodId> {
        let weight = |method: &MethodId| -> usize {
            let (called, completed) = self.maker.calls().of(*method);
            match called {
                0 => UNTRIED,
                _ => 1 + (MOST_SURE * completed as usize) / called as usize,
            }
        };
        let weights: Vec<usize> = calls.iter().map(weight).collect();
        let mut left = self.maker.rng().below(weights.iter().sum());
        let found = weights.iter().position(|&weight| {
            let is_it = left < weight;
            left = left.saturating_sub(weight);
            is_it
        });
        found.map(|found| calls[found])
    }

    /// New values for all parameters.
    pub fn arguments(&mut self, method: MethodId, depth: u32) -> Option<Vec<Variable>> {
        let types = &self.program.method(method).method_type.parameters;
        let values = (0..).zip(types).map(|(position, wanted)| {
            let value = self.parameter(method, position, wanted, depth)?;
            Some(Variable(value as u32))
        });
        values.collect()
    }

    /// Adds what the generator made, in its order.
    pub fn import(&mut self, draft: Draft, made: Variable) -> usize {
        let shift = self.plan.len() as u32;
        let mut before: Option<usize> = None;
        for statement in draft.finish().sequence.statements() {
            let is_constant = matches!(statement, Statement::Value(_));
            let step = self
                .plan
                .add(statement.renamed(|used| Variable(used.0 + shift)));
            if !is_constant {
                if let Some(before) = before {
                    self.plan.order(before, step);
                }
                before = Some(step);
            }
        }
        made.index() + shift as usize
    }
}
