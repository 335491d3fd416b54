//! Values for wanted types: reused, taken from the pool, or made afresh.
//!
//! Comes in: a draft and the kind of a parameter, type arguments included.
//! Goes out: statements added to the draft, and the variable that holds the value.
//! Before the pool, a variable already in the sequence is taken with probability one half, so that arguments can be the
//! same object. `null` is the last resort, and now and then on purpose.
//! Does not know: which method is tested, outcomes.

use super::{Maker, Nullable};
use crate::cost;
use crate::draft::Draft;
use crate::kinds::{Kind, plain};
use crate::platform::{PROPERTIES, SORTED};
use crate::pool::Thrift;
use crate::producers::Producer;
use palus_bytecode::{Bound, ClassId, MethodId, Origin, Type, TypeArgument, TypeSignature};
use palus_learn::ArgumentRecord;
use palus_sequence::{Statement, Value, Variable};
use std::sync::Arc;

/// Arguments of arguments of arguments: deeper ones are simple.
const DEEPEST: u32 = 4;

/// Share of arguments that the same object has met before, as a map that is asked for a key it holds; in percent.
const SAME_AGAIN: usize = 25;
/// Share of new objects of the program that are not handed on as they are made, in percent.
const CHANGED_FIRST: usize = 40;

/// Share of calls with what the trace or the user offers for them, in percent; where the mode is plain, what was
/// recorded is in the pool of constants alone.
const AS_RECORDED: usize = 30;

/// Share of arrays of bytes that are encoded text, in percent.
const TEXT_AS_BYTES: usize = 30;

/// Share of containers whose elements nothing says that hold what the code casts to, in percent.
const CAST: usize = 35;

/// Share of files and paths that lie in a temporary folder, in percent: only there may a test touch them.
const OF_FOLDER: usize = 80;

/// Arrays of more dimensions are not made: nobody means them, and each costs all below it.
const MOST_DIMENSIONS: usize = 8;

/// Of an array; 0 of what is none.
fn dimensions(of: &Type) -> usize {
    let mut dimensions = 0;
    let mut of = of;
    while let Type::Array(element) = of {
        dimensions += 1;
        of = element;
    }
    dimensions
}

impl Maker<'_> {
    /// Adds a call with arguments made for it.
    pub fn call(
        &mut self,
        draft: &mut Draft,
        method: MethodId,
        receiver: Option<Variable>,
        wanted: Option<Kind>,
        depth: u32,
    ) -> Option<Variable> {
        let receiver_kind = receiver.map(|receiver| draft.of(receiver));
        let resolved = self.resolve(method, receiver_kind.map(|known| known.declared), wanted);
        let declared = self.program.method(method);
        let is_inner = &*declared.name == "<init>" && self.is_inner(declared.class);
        let compares = matches!(&*declared.name, "equals" | "compareTo" | "compare");
        let is_as_recorded = depth == 0 && self.rng.percent(AS_RECORDED);
        let observation = if is_as_recorded && !self.unit.mode.is_plain() {
            self.recorded
                .get(&method)
                .and_then(|known| self.rng.pick(known).copied())
        } else {
            None
        };
        let mut arguments = Vec::with_capacity(resolved.parameters.len());
        for (position, &kind) in resolved.parameters.iter().enumerate() {
            let count = self.recorded.get(&method).map_or(0, Vec::len);
            if (count == 0 || is_as_recorded)
                && let Some(value) = self.user_value(method, kind, count)
            {
                arguments.push(self.write(draft, value)?);
                continue;
            }
            if let Some(ArgumentRecord::Constant(value)) =
                observation.and_then(|seen| seen.arguments.get(position))
                && !matches!(value, Value::Null(_))
                && self.constant_fits(value, kind)
            {
                arguments.push(self.write(draft, value.clone())?);
                continue;
            }
            if let Some(receiver) = receiver
                && depth == 0
                && self.rng.percent(SAME_AGAIN)
                && let Some(before) = draft.argument_before(&mut self.rng, receiver)
                && self.kinds.fits(draft.of(before).declared, kind)
            {
                arguments.push(before);
                continue;
            }
            if kind == Kind::STRING
                && let Some(text) = self.text_for(method)
            {
                arguments.push(draft.value(&mut self.kinds, kind, text)?);
                continue;
            }
            let like_receiver = receiver_kind
                .filter(|_| compares && kind == Kind::OBJECT)
                .map(|known| known.actual)
                .filter(|_| self.rng.percent(60));
            let nullable = if is_inner && position == 0 {
                Nullable::No
            } else {
                Nullable::Yes
            };
            arguments.push(self.argument(draft, like_receiver.unwrap_or(kind), depth, nullable)?);
        }
        let statement = Statement::Call {
            method,
            receiver,
            arguments,
        };
        draft.push(statement, resolved.returns)
    }

    fn is_inner(&self, class: ClassId) -> bool {
        let class = self.program.class(class);
        class.outer.is_some() && !class.access.is_static() && !class.access.is_interface()
    }

    /// Adds a constant whose kind its value tells.
    pub fn write(&mut self, draft: &mut Draft, value: Value) -> Option<Variable> {
        let kind = match &value {
            Value::EnumConstant { class, .. } => self.kinds.of_class(*class),
            Value::StaticField(field) => {
                let field = self.program.field(*field);
                let signature = field
                    .signature
                    .clone()
                    .unwrap_or_else(|| plain(&field.field_type));
                self.kinds.of(&signature)
            }
            _ => Kind::OBJECT,
        };
        draft.value(&mut self.kinds, kind, value)
    }

    /// A value of a kind. None when the sequence is full, or nothing but `null` is left where it will not do.
    pub fn argument(
        &mut self,
        draft: &mut Draft,
        wanted: Kind,
        depth: u32,
        nullable: Nullable,
    ) -> Option<Variable> {
        let erased = self.kinds.erased(wanted).clone();
        let is_box = erased.unboxed();
        if wanted != Kind::STRING && !erased.is_primitive() && is_box.is_none() {
            return self.object(draft, wanted, depth, nullable);
        }
        if nullable == Nullable::Yes && !erased.is_primitive() && self.rng.percent(3) {
            return draft.null(&mut self.kinds, wanted);
        }
        if self.rng.percent(35)
            && let Some(known) = self.reuse(draft, wanted)
        {
            return Some(known);
        }
        let value = self
            .constants
            .draw(&mut self.rng, &is_box.unwrap_or(erased))?;
        draft.value(&mut self.kinds, wanted, value)
    }

    fn object(
        &mut self,
        draft: &mut Draft,
        wanted: Kind,
        depth: u32,
        nullable: Nullable,
    ) -> Option<Variable> {
        if nullable == Nullable::Yes && self.rng.percent(3) {
            return draft.null(&mut self.kinds, wanted);
        }
        if self.rng.percent(50)
            && let Some(known) = self.reuse(draft, wanted)
        {
            return Some(known);
        }
        if wanted == Kind::OBJECT {
            return self.anything(draft, depth, nullable);
        }
        let from_pool = if depth == 0 { 50 } else { 70 };
        if self.rng.percent(from_pool)
            && let Some(known) = self.pooled_if_worth(draft, wanted)
        {
            return Some(known);
        }
        if let Some(made) = self.fresh(draft, wanted, depth) {
            self.change(draft, made, depth);
            return Some(made);
        }
        self.pooled(draft, wanted)
            .or_else(|| self.reuse(draft, wanted))
            .or_else(|| match nullable {
                Nullable::Yes => draft.null(&mut self.kinds, wanted),
                Nullable::No => None,
            })
    }

    /// Brings a new object of the program into another state.
    fn change(&mut self, draft: &mut Draft, made: Variable, depth: u32) {
        let kind = draft.of(made).actual;
        let is_ours = self.kinds.class(kind).is_some_and(|class| {
            self.program.class(class).origin == Origin::Subject && kind != Kind::VOID
        });
        if depth > 1
            || !is_ours
            || self.kinds.is_immutable(kind)
            || !self.rng.percent(CHANGED_FIRST)
        {
            return;
        }
        draft.fresh.push(made);
        for _ in 0..=self.rng.below(2) {
            self.call_something(draft, made, 2);
        }
    }

    /// A variable of the sequence that fits, each as likely as any other.
    pub fn reuse(&mut self, draft: &Draft, wanted: Kind) -> Option<Variable> {
        let is_primitive = self.kinds.erased(wanted).is_primitive();
        let mut chosen = None;
        let mut count = 0;
        for (index, known) in draft.known().iter().enumerate() {
            // A primitive is taken from what is one by its static type: there is no cast from `Object` to `int`.
            let fits = known.actual != Kind::VOID
                && (self.kinds.fits_well(known.declared, wanted)
                    || (!is_primitive && self.kinds.fits(known.actual, wanted)));
            if fits {
                count += 1;
                if self.rng.below(count) == 0 {
                    chosen = Some(Variable(index as u32));
                }
            }
        }
        chosen
    }

    /// An object from the pool.
    pub fn pooled(&mut self, draft: &mut Draft, wanted: Kind) -> Option<Variable> {
        let found = self
            .pool
            .draw(&mut self.kinds, &mut self.rng, wanted, self.thrift)?;
        draft.append(&found.snippet)
    }

    /// An object from the pool. Under thrift, the dearer the one that is drawn the more often none, for a new one may be
    /// cheap.
    pub fn pooled_if_worth(&mut self, draft: &mut Draft, wanted: Kind) -> Option<Variable> {
        let found = self
            .pool
            .draw(&mut self.kinds, &mut self.rng, wanted, self.thrift)?;
        if self.thrift == Thrift::OfAll && !cost::is_worth(&mut self.rng, found.cost) {
            return None;
        }
        draft.append(&found.snippet)
    }

    /// Something for a parameter of type `Object`.
    fn anything(&mut self, draft: &mut Draft, depth: u32, nullable: Nullable) -> Option<Variable> {
        let wanted = match self.rng.below(100) {
            0..=34 => Kind::STRING,
            35..=59 => Kind::INT,
            60..=73 => {
                let types = self.constants.classes();
                let chosen = types[self.rng.below(types.len())].clone();
                self.kinds.of_type(&chosen)
            }
            74..=84 => self
                .rng
                .pick(&self.own_kinds)
                .copied()
                .unwrap_or(Kind::STRING),
            85..=92 => {
                if let Some(known) = self.pooled(draft, Kind::OBJECT) {
                    return Some(known);
                }
                Kind::STRING
            }
            93..=96 => self.kinds.of_type(&Type::object("java/util/List")),
            97 => self
                .kinds
                .of_type(&Type::Array(Box::new(Type::object("java/lang/String")))),
            98 if nullable == Nullable::Yes => return draft.null(&mut self.kinds, Kind::OBJECT),
            _ => {
                if let Some(made) = self.fresh(draft, Kind::OBJECT, DEEPEST) {
                    return Some(made);
                }
                Kind::STRING
            }
        };
        if wanted == Kind::OBJECT || depth >= DEEPEST {
            return self.argument(draft, Kind::STRING, depth + 1, Nullable::No);
        }
        let made = self.argument(draft, wanted, depth + 1, Nullable::No);
        made.or_else(|| self.argument(draft, Kind::STRING, depth + 1, Nullable::No))
    }

    /// A new object; the draft is unchanged where none can be made.
    pub fn fresh(&mut self, draft: &mut Draft, wanted: Kind, depth: u32) -> Option<Variable> {
        let mark = draft.len();
        let made = self.try_fresh(draft, wanted, depth);
        if made.is_none() {
            draft.truncate(mark);
        }
        made
    }

    fn try_fresh(&mut self, draft: &mut Draft, wanted: Kind, depth: u32) -> Option<Variable> {
        if depth > DEEPEST {
            return None;
        }
        let base = self.kinds.base(wanted);
        if base == Kind::CLASS {
            let value = self.constants.draw_class(&mut self.rng);
            return draft.value(&mut self.kinds, wanted, value);
        }
        if dimensions(self.kinds.erased(wanted)) > MOST_DIMENSIONS {
            return None;
        }
        if let TypeSignature::Array(element) = self.kinds.signature(wanted).clone() {
            if *element == TypeSignature::Plain(Type::Byte)
                && !self.unit.mode.is_plain()
                && self.rng.percent(TEXT_AS_BYTES)
                && let Some(maker @ Producer::Through(_)) = self.choose_producer(base, depth)
            {
                return self.produce(draft, &maker, wanted, depth);
            }
            let element = self.kinds.of(&element);
            return self.array(draft, element, depth);
        }
        if base != Kind::OBJECT && self.rng.percent(60) {
            for constant in [Kind::STRING, Kind::INT] {
                if self.kinds.fits(constant, base)
                    && (constant == Kind::INT || self.rng.percent(65))
                {
                    return self.argument(draft, constant, depth, Nullable::No);
                }
            }
        }
        if let Some(folder) = self.finder.folder()
            && self.is_of_folder(&folder, base)
        {
            return if self.rng.percent(OF_FOLDER) {
                self.of_folder(draft, &folder, base)
            } else {
                self.of_name(draft, &folder, base)
            };
        }
        for _ in 0..4 {
            let producer = self.choose_producer(base, depth)?;
            let mark = draft.len();
            if let Some(made) = self.produce(draft, &producer, wanted, depth) {
                return Some(made);
            }
            draft.truncate(mark);
        }
        None
    }

    fn choose_producer(&mut self, wanted: Kind, depth: u32) -> Option<Producer> {
        let producers = self.finder.producers(&mut self.kinds, wanted);
        let is_platform = self
            .kinds
            .class(wanted)
            .is_some_and(|class| self.program.class(class).origin == Origin::Platform);
        for _ in 0..6 {
            let list = if producers.members.is_empty() {
                &producers.simple
            } else if producers.simple.is_empty() {
                &producers.members
            } else if self.rng.percent(if is_platform { 60 } else { 30 }) {
                &producers.simple
            } else {
                &producers.members
            };
            let chosen = self.rng.pick(list)?;
            if let Producer::Call(method) | Producer::Through(method) = chosen {
                let (tried, completed) = self.calls.of(*method);
                if tried >= 10 && completed * 20 < tried && self.rng.percent(90) {
                    continue;
                }
                if self.is_barred(*method) {
                    continue;
                }
                let parameters = &self.program.method(*method).method_type.parameters;
                let needs_objects = matches!(chosen, Producer::Through(_))
                    || parameters
                        .iter()
                        .any(|parameter| parameter.is_reference() && parameter.unboxed().is_none());
                if depth + 1 >= DEEPEST && needs_objects {
                    continue;
                }
            }
            return Some(chosen.clone());
        }
        None
    }

    fn produce(
        &mut self,
        draft: &mut Draft,
        producer: &Producer,
        wanted: Kind,
        depth: u32,
    ) -> Option<Variable> {
        match producer {
            Producer::Constant(value) => self.write(draft, value.clone()),
            Producer::Call(method) => self.call(draft, *method, None, Some(wanted), depth + 1),
            Producer::Through(method) => {
                let owner = self.kinds.of_class(self.program.method(*method).class);
                let receiver = self.argument(draft, owner, depth + 1, Nullable::No)?;
                self.call(draft, *method, Some(receiver), Some(wanted), depth + 1)
            }
            Producer::Collection(class) => self.filled(draft, *class, wanted, depth, false),
            Producer::Map(class) => self.filled(draft, *class, wanted, depth, true),
            Producer::Stub(class) => self.stub(draft, *class, wanted, depth),
        }
    }

    /// How many elements: mostly few, now and then enough to make containers grow.
    fn size(&mut self, depth: u32) -> usize {
        match self.rng.below(20) {
            0..=3 => 0,
            4..=9 => 1,
            10..=14 => 2,
            15..=17 => 3,
            18 => 4,
            _ if depth <= 1 => 5 + self.rng.below(12),
            _ => 1,
        }
    }

    fn array(&mut self, draft: &mut Draft, element: Kind, depth: u32) -> Option<Variable> {
        let size = if depth >= DEEPEST {
            0
        } else {
            self.size(depth)
        };
        let mut elements = Vec::with_capacity(size);
        for _ in 0..size {
            elements.push(self.argument(draft, element, depth + 1, Nullable::Yes)?);
        }
        let of = self.kinds.erased(element).clone();
        let kind = TypeSignature::Array(Box::new(self.kinds.signature(element).clone()));
        let kind = self.kinds.of(&kind);
        draft.push(
            Statement::NewArray {
                element: of,
                elements,
            },
            kind,
        )
    }

    /// A collection or map of the JDK with some elements.
    fn filled(
        &mut self,
        draft: &mut Draft,
        class: ClassId,
        wanted: Kind,
        depth: u32,
        is_map: bool,
    ) -> Option<Variable> {
        let name = &self.program.class(class).name;
        let arity = if is_map { 2 } else { 1 };
        let given = self.kinds.arguments(wanted);
        let given: Arc<[Kind]> = if given.len() == arity {
            given
        } else if &**name == PROPERTIES {
            Arc::new([Kind::STRING, Kind::STRING])
        } else {
            Arc::new([])
        };
        let constructor = self.program.declared_method(class, "<init>", "()V")?;
        let (adder, descriptor) = if is_map {
            (
                "put",
                "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
            )
        } else {
            ("add", "(Ljava/lang/Object;)Z")
        };
        let adder = self.program.find_method(class, adder, descriptor)?;
        let arguments = given.iter().map(|&kind| TypeArgument {
            bound: Bound::Exact,
            signature: Some(self.kinds.signature(kind).clone()),
        });
        let is_generic = &**name != PROPERTIES;
        let arguments = arguments.filter(|_| is_generic);
        let kind = TypeSignature::Class {
            name: Arc::clone(name),
            arguments: arguments.collect(),
        };
        let kind = self.kinds.of(&kind);
        let statement = Statement::Call {
            method: constructor,
            receiver: None,
            arguments: Vec::new(),
        };
        let made = draft.push(statement, kind)?;
        let mut elements: Vec<Kind> = (0..arity)
            .map(|position| given.get(position).copied().unwrap_or(Kind::OBJECT))
            .collect();
        let is_sorted = SORTED.contains(&&**name);
        if elements[0] == Kind::OBJECT && (is_sorted || self.rng.percent(60)) {
            elements[0] = self.common_element(is_sorted);
        }
        let size = if depth >= DEEPEST {
            0
        } else {
            self.size(depth)
        };
        let result = self
            .kinds
            .of_type(&self.program.method(adder).method_type.returns);
        for _ in 0..size {
            let mut arguments = Vec::with_capacity(arity);
            for &element in &elements {
                let nullable = if is_sorted {
                    Nullable::No
                } else {
                    Nullable::Yes
                };
                arguments.push(self.argument(draft, element, depth + 2, nullable)?);
            }
            // A container that holds itself makes its own hashCode endless.
            if arguments.contains(&made) {
                continue;
            }
            draft.push(
                Statement::Call {
                    method: adder,
                    receiver: Some(made),
                    arguments,
                },
                result,
            )?;
        }
        Some(made)
    }

    /// What all elements of a container are that does not say it: now and then what the subject's code casts to, for
    /// that is what it does with elements of such containers.
    fn common_element(&mut self, is_sorted: bool) -> Kind {
        let cast = self.constants.classes();
        if !self.unit.mode.is_plain() && !is_sorted && !cast.is_empty() && self.rng.percent(CAST) {
            let chosen = self.rng.pick(cast).expect("there is one").clone();
            return self.kinds.of_type(&chosen);
        }
        if self.rng.percent(65) {
            Kind::STRING
        } else {
            Kind::INT
        }
    }
}
