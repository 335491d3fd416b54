//! Brings objects of a template into the state that its nodes stand for: fields set, filled or got, calls made.
//!
//! Comes in: an object's step and a field, or a node that stands for a call. Goes out: the step of the value, and those
//! that bring it about.
//! Does not know: in which order nodes come.

use super::{Made, STATIC_AS_IT_IS, Synthesis};
use palus_analyze::{Effect, NodeId, NodeKind, Role, Setter, SetterKind};
use palus_bytecode::{ClassId, Field, FieldId, MethodId, Operation, Origin, Type};
use palus_sequence::{Statement, Value, Variable};

/// Methods of the JDK's collections that give another view of what is in them.
const VIEWS: &[&str] = &[
    "iterator",
    "listIterator",
    "descendingIterator",
    "values",
    "keySet",
    "entrySet",
    "elements",
    "stream",
];
/// Methods of the JDK's collections and iterators that give what was put in.
const GIVING: &[&str] = &[
    "get",
    "getFirst",
    "getLast",
    "next",
    "nextElement",
    "previous",
    "peek",
    "peekFirst",
    "peekLast",
    "poll",
    "pollFirst",
    "pollLast",
    "pop",
    "remove",
    "removeFirst",
    "element",
    "elementAt",
    "firstElement",
    "lastElement",
    "first",
    "last",
    "take",
    "getOrDefault",
];

/// Methods of the same that say whether, or how much, is in them.
const ASKING: &[&str] = &[
    "contains",
    "containsKey",
    "containsValue",
    "hasMoreElements",
    "hasNext",
    "hasPrevious",
    "indexOf",
    "isEmpty",
    "size",
];

impl Synthesis<'_, '_, '_> {
    /// Sets a field: as the object is made, directly, by a method, or by making the object another way.
    pub fn set(
        &mut self,
        object: usize,
        field: FieldId,
        wanted: &Type,
        is_leaf: bool,
    ) -> Option<Made> {
        let class = self.class_of(object, field);
        let setters = self.setters.setters(class, field);
        // What a run did after it made an object may have set the field again.
        let is_as_made = object >= self.based || self.maker.rng().percent(30);
        if is_as_made && let Some(made) = self.set_already(object, &setters, wanted, is_leaf) {
            return Some(made);
        }
        let declared = self.program.field(field);
        let is_open =
            self.is_open(declared) && !declared.access.is_final() && !self.may_be_shared(object);
        if is_open && declared.access.is_public() {
            return self.assign(Some(object), field, wanted);
        }
        let usable: Vec<(&Setter, u32)> = setters
            .iter()
            .filter(|setter| setter.effect == Effect::Stores && self.may_call(setter.method))
            .filter_map(|setter| Some((setter, self.relevant(setter, wanted, is_leaf)?)))
            .collect();
        let of = |kinds: &[SetterKind]| -> Vec<(Setter, u32)> {
            let usable = usable
                .iter()
                .filter(|(setter, _)| kinds.contains(&setter.kind));
            usable
                .map(|(setter, at)| ((*setter).clone(), *at))
                .collect()
        };
        if let Some((setter, at)) = self.draw(&of(&[SetterKind::Method])) {
            return self.call_setter(Some(object), setter.method, at, wanted);
        }
        if is_open {
            return self.assign(Some(object), field, wanted);
        }
        let makers = of(&[SetterKind::Constructor, SetterKind::Factory]);
        let (maker, at) = self.draw(&makers)?;
        self.make_anew(object, &maker, at, wanted)
    }

    /// True for what others may hold as well, in a static field or a cache: what a test writes into it directly, its own
    /// checks left aside, all other tests see.
    fn may_be_shared(&self, object: usize) -> bool {
        match self.plan.statement(object) {
            Statement::Call { method, .. } => &*self.program.method(*method).name != "<init>",
            Statement::GetField { receiver, .. } => receiver.is_none(),
            Statement::Value(Value::StaticField(_)) => true,
            _ => false,
        }
    }

    /// The argument by which an object's creation sets the field.
    fn set_already(
        &mut self,
        object: usize,
        setters: &[Setter],
        wanted: &Type,
        is_leaf: bool,
    ) -> Option<Made> {
        let Statement::Call {
            method,
            receiver: None,
            arguments,
        } = self.plan.statement(object)
        else {
            return None;
        };
        let setter = setters
            .iter()
            .find(|setter| setter.method == *method && setter.effect == Effect::Stores)?;
        let at = self.relevant(setter, wanted, is_leaf)?;
        let value = arguments[at as usize].index();
        let given = self.type_of(value);
        let is_null = matches!(self.plan.statement(value), Statement::Value(Value::Null(_)));
        if is_null || !(is_leaf || self.program.is_assignable(&given, wanted)) {
            return None;
        }
        self.claimed.insert(object);
        self.plan.hand_over(value, object);
        Some(Made {
            variable: Some(value),
            done: Vec::new(),
        })
    }

    /// The parameter by which a setter sets a field to a wanted value.
    fn relevant(&self, setter: &Setter, wanted: &Type, is_leaf: bool) -> Option<u32> {
        if setter.stored.is_some() {
            return setter.stored;
        }
        let types = &self.program.method(setter.method).method_type.parameters;
        let fits = |at: &u32| self.program.is_assignable(wanted, &types[*at as usize]);
        let fitting = setter.parameters.iter().copied().find(fits);
        fitting.or_else(|| setter.parameters.first().copied().filter(|_| is_leaf))
    }

    /// One of the setters, by their scores; if all are 0, each as likely as any other.
    fn draw(&mut self, setters: &[(Setter, u32)]) -> Option<(Setter, u32)> {
        let all: f64 = setters.iter().map(|(setter, _)| setter.score).sum();
        if all <= 0.0 {
            return self.maker.rng().pick(setters).cloned();
        }
        let mut left = self.maker.rng().even() * all;
        for known in setters {
            if left < known.0.score {
                return Some(known.clone());
            }
            left -= known.0.score;
        }
        setters.last().cloned()
    }

    fn may_call(&self, method: MethodId) -> bool {
        method != self.graph.method() && !self.maker.is_barred(method)
    }

    fn assign(&mut self, object: Option<usize>, field: FieldId, wanted: &Type) -> Option<Made> {
        let declared = &self.program.field(field).field_type;
        let value = self.value(&self.narrowed(declared, wanted), 1)?;
        let step = self.plan.add(Statement::SetField {
            field,
            receiver: object.map(|object| Variable(object as u32)),
            value: Variable(value as u32),
        });
        Some(self.handed(object, value, step))
    }

    /// Calls a method that sets the field, the value at one position.
    fn call_setter(
        &mut self,
        object: Option<usize>,
        method: MethodId,
        at: u32,
        wanted: &Type,
    ) -> Option<Made> {
        let (value, arguments) = self.arguments_with(method, at, wanted)?;
        let step = self.plan.add(Statement::Call {
            method,
            receiver: object.map(|object| Variable(object as u32)),
            arguments,
        });
        Some(self.handed(object, value, step))
    }

    fn handed(&mut self, object: Option<usize>, value: usize, step: usize) -> Made {
        match object {
            Some(object) => {
                if let Some(later) = self.plan.handed_over(object) {
                    self.plan.order(step, later);
                }
            }
            None => self.plan.keep(step),
        }
        if !self.plan.is_slot(value) {
            self.plan.hand_over(value, step);
        }
        Made {
            variable: Some(value),
            done: vec![step],
        }
    }

    fn arguments_with(
        &mut self,
        method: MethodId,
        at: u32,
        wanted: &Type,
    ) -> Option<(usize, Vec<Variable>)> {
        let types = &self.program.method(method).method_type.parameters;
        let mut value = None;
        let mut arguments = Vec::with_capacity(types.len());
        for (position, declared) in types.iter().enumerate() {
            let made = if position == at as usize {
                let wanted = self.narrowed(declared, wanted);
                let made = if wanted.is_reference() && wanted.unboxed().is_none() {
                    self.value(&wanted, 1)?
                } else {
                    self.parameter(method, at, &wanted, 1)?
                };
                value = Some(made);
                made
            } else {
                self.parameter(method, position as u32, declared, 1)?
            };
            arguments.push(Variable(made as u32));
        }
        Some((value?, arguments))
    }

    /// Makes an object by another constructor or factory, which sets the field.
    fn make_anew(&mut self, object: usize, maker: &Setter, at: u32, wanted: &Type) -> Option<Made> {
        let is_made = matches!(
            self.plan.statement(object),
            Statement::Call { receiver: None, .. } | Statement::Stub { .. }
        );
        if !is_made || self.claimed.contains(&object) {
            return None;
        }
        let (value, arguments) = self.arguments_with(maker.method, at, wanted)?;
        let statement = Statement::Call {
            method: maker.method,
            receiver: None,
            arguments,
        };
        let is_same = self
            .program
            .is_assignable(&statement.defined_type(self.program), &self.type_of(object));
        if !is_same || !self.plan.replace(object, statement) {
            return None;
        }
        self.claimed.insert(object);
        if !self.plan.is_slot(value) {
            self.plan.hand_over(value, object);
        }
        Some(Made {
            variable: Some(value),
            done: Vec::new(),
        })
    }

    /// Calls a method that puts something into what the field holds.
    pub fn fill(&mut self, id: NodeId, object: usize, field: FieldId) -> Option<Made> {
        let class = self.class_of(object, field);
        let setters = self.setters.setters(class, field);
        let fillers: Vec<(Setter, u32)> = setters
            .iter()
            .filter(|setter| {
                setter.kind == SetterKind::Method
                    && setter.effect == Effect::Fills
                    && self.may_call(setter.method)
            })
            .filter_map(|setter| {
                let last = setter.stored.or(setter.parameters.last().copied());
                Some((setter.clone(), last?))
            })
            .collect();
        let (filler, at) = self.draw(&fillers)?;
        let wanted = self.content_type(id);
        let made = self.call_setter(Some(object), filler.method, at, &wanted)?;
        self.contents.insert(id, made.variable?);
        Some(Made {
            variable: None,
            done: made.done,
        })
    }

    /// What the code takes what is in a collection for.
    fn content_type(&self, id: NodeId) -> Type {
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            for &child in &self.graph.node(next).children {
                let node = self.graph.node(child);
                if let NodeKind::Call(method) = node.kind {
                    let name = &*self.program.method(method).name;
                    if GIVING.contains(&name) {
                        return node.value_type.clone();
                    }
                    if VIEWS.contains(&name) {
                        open.push(child);
                    }
                }
            }
        }
        Type::Void
    }

    /// Gets a field.
    pub fn get(&mut self, object: usize, field: FieldId) -> Option<Made> {
        let class = self.class_of(object, field);
        let getters = self.setters.getters(class, field);
        let best = getters
            .iter()
            .filter(|getter| self.may_call(getter.method))
            .max_by(|left, right| left.score.total_cmp(&right.score));
        let receiver = Some(Variable(object as u32));
        let statement = match best {
            Some(getter) => Statement::Call {
                method: getter.method,
                receiver,
                arguments: Vec::new(),
            },
            None if self.is_open(self.program.field(field)) => {
                Statement::GetField { field, receiver }
            }
            None => return None,
        };
        Some(Made {
            variable: Some(self.plan.add(statement)),
            done: Vec::new(),
        })
    }

    /// A static field that is an input.
    pub fn static_field(&mut self, field: FieldId, id: NodeId) -> Option<Made> {
        let declared = self.program.field(field);
        let wanted = self.graph.node(id).value_type.clone();
        let got = |variable| Made {
            variable: Some(variable),
            done: Vec::new(),
        };
        let is_open = self.is_open(declared);
        if is_open && declared.access.is_final() {
            let value = Statement::Value(Value::StaticField(field));
            return Some(got(self.plan.add(value)));
        }
        let is_leaf = self.graph.node(id).children.is_empty();
        let stays =
            (is_leaf || self.is_initialised(field)) && self.maker.rng().percent(STATIC_AS_IT_IS);
        if stays && is_leaf {
            return Some(Made::default());
        }
        if is_open && !stays {
            return self.assign(None, field, &wanted);
        }
        if is_open {
            let receiver = None;
            return Some(got(self.plan.add(Statement::GetField { field, receiver })));
        }
        let setters = self.setters.setters(declared.class, field);
        let usable = setters.iter().filter(|setter| {
            setter.kind == SetterKind::Method
                && setter.effect == Effect::Stores
                && self.may_call(setter.method)
        });
        let usable: Vec<(Setter, u32)> = usable
            .filter_map(|setter| Some((setter.clone(), self.relevant(setter, &wanted, is_leaf)?)))
            .collect();
        if let Some((setter, at)) = self.draw(&usable)
            && !stays
        {
            return self.call_setter(None, setter.method, at, &wanted);
        }
        let getters = self.setters.getters(declared.class, field);
        let getter = getters.iter().find(|getter| self.may_call(getter.method))?;
        Some(got(self.plan.add(Statement::Call {
            method: getter.method,
            receiver: None,
            arguments: Vec::new(),
        })))
    }

    /// True for a static field that holds something as soon as its class is initialised.
    fn is_initialised(&self, field: FieldId) -> bool {
        let declared = self.program.field(field);
        let methods = self.program.class(declared.class).methods.iter();
        let mut code = methods
            .map(|&method| self.program.method(method))
            .filter(|method| &*method.name == "<clinit>")
            .filter_map(|method| method.code.as_ref());
        code.any(|code| {
            code.instructions.iter().any(|instruction| {
                matches!(&instruction.operation, Operation::PutField { field: named, is_static: true }
                    if self.program.resolve_field(named) == Some(field))
            })
        })
    }

    /// The result of a call; what was put into a collection where the call takes it out again.
    pub fn call(&mut self, id: NodeId, method: MethodId) -> Option<Made> {
        let declared = self.program.method(method);
        let is_instance = !declared.access.is_static();
        if is_instance
            && self.program.class(declared.class).origin == Origin::Platform
            && let Some(made) = self.content(id, &declared.name)
        {
            return Some(made);
        }
        self.look_through(id);
        let package = self.maker.package();
        // The body of a lambda runs without an object that tests could call; what changes something spoils what is built.
        let receiver = self.parent(id, Role::Object);
        let is_out_of_reach =
            is_instance && receiver.is_none_or(|object| !self.is_a(object, declared.class));
        let is_pure = self.maker.facts().is_pure(method);
        // A call is made for what is built upon its result, and not for the jump that looks at that.
        let mut children = self.graph.node(id).children.iter();
        let is_built_upon = children.any(|&child| {
            let kind = self.graph.node(child).kind;
            matches!(kind, NodeKind::Field(_) | NodeKind::Element)
        });
        if !is_pure
            || !is_built_upon
            || !self.program.is_method_accessible(method, package)
            || !self.may_call(method)
            || is_out_of_reach
        {
            return Some(Made {
                variable: self.parent(id, Role::Returned),
                done: self.done(id),
            });
        }
        let receiver = receiver.filter(|_| is_instance);
        let receiver = receiver.map(|object| Variable(object as u32));
        let mut arguments = Vec::new();
        for (position, wanted) in declared.method_type.parameters.iter().enumerate() {
            let known = self.parent(id, Role::Argument(position as u32));
            let known = known.filter(|&known| {
                let given = self.type_of(known);
                let boxed = given.box_name().map(Type::object);
                self.program.is_assignable(&given, wanted)
                    || boxed.is_some_and(|boxed| self.program.is_assignable(&boxed, wanted))
            });
            let argument = match known {
                Some(known) => known,
                None => self.value_or_null(wanted, 1)?,
            };
            arguments.push(Variable(argument as u32));
        }
        let step = self.plan.add(Statement::Call {
            method,
            receiver,
            arguments,
        });
        for before in self.done(id) {
            self.plan.order(before, step);
        }
        let is_void = declared.method_type.returns == Type::Void;
        Some(Made {
            variable: (!is_void).then_some(step),
            done: vec![step],
        })
    }

    /// What a call returns is of the collection that its callee's result is of.
    fn look_through(&mut self, id: NodeId) {
        let parents = self.graph.node(id).parents.iter();
        let mut returned = parents.filter(|(_, role)| *role == Role::Returned);
        if let Some((inner, _)) = returned.next() {
            let held = self.contents.get(inner).copied();
            self.contents.extend(held.map(|held| (id, held)));
            let viewed = self.views.get(inner).copied();
            self.views.extend(viewed.map(|viewed| (id, viewed)));
        }
    }

    /// What brings the parents of a node about.
    fn done(&self, id: NodeId) -> Vec<usize> {
        let parents = self.graph.node(id).parents.iter();
        let made = parents.filter_map(|(parent, _)| self.made.get(parent));
        made.flat_map(|made| made.done.iter().copied()).collect()
    }

    /// What a collection of the JDK holds: what was put in, else something new that is put in.
    fn content(&mut self, id: NodeId, name: &str) -> Option<Made> {
        let parents = &self.graph.node(id).parents;
        let (around, _) = parents.iter().find(|(_, role)| *role == Role::Object)?;
        let held = self.contents.get(around).copied();
        let done = self.done(id);
        let viewed = self.views.get(around).copied();
        let collection = viewed.or_else(|| self.parent(id, Role::Object));
        let collection = collection.filter(|&object| self.adder(object).is_some());
        if VIEWS.contains(&name) {
            self.contents.extend(held.map(|held| (id, held)));
            self.views
                .extend(collection.map(|collection| (id, collection)));
            return (held.is_some() || collection.is_some()).then_some(Made {
                variable: collection,
                done,
            });
        }
        if !GIVING.contains(&name) && !ASKING.contains(&name) {
            return None;
        }
        if held.is_some() {
            return Some(Made {
                variable: held,
                done,
            });
        }
        let object = collection?;
        let adder = self.adder(object)?;
        let mut wanted = self.graph.node(id).value_type.clone();
        if !GIVING.contains(&name) || !wanted.is_reference() {
            wanted = Type::object("java/lang/Object");
        }
        let value = self.value(&wanted, 1)?;
        let mut arguments = vec![Variable(value as u32)];
        if self.program.method(adder).method_type.parameters.len() == 2 {
            let key = match self.parent(id, Role::Argument(0)) {
                Some(key) => key,
                None => self.value(&Type::object("java/lang/String"), 1)?,
            };
            arguments.insert(0, Variable(key as u32));
        }
        let step = self.plan.add(Statement::Call {
            method: adder,
            receiver: Some(Variable(object as u32)),
            arguments,
        });
        Some(self.handed(Some(object), value, step))
    }

    /// The method that puts something into an object of the JDK.
    fn adder(&self, object: usize) -> Option<MethodId> {
        let class = self.type_of(object);
        let class = self.program.class_named(class.class_name()?)?;
        let add = self
            .program
            .find_method(class, "add", "(Ljava/lang/Object;)Z");
        add.or_else(|| {
            let put = "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;";
            self.program.find_method(class, "put", put)
        })
    }

    /// True if an object is of a class as far as its static type tells.
    pub fn is_a(&self, object: usize, class: ClassId) -> bool {
        let wanted = self.class_type(class);
        self.program.is_assignable(&self.type_of(object), &wanted)
    }

    fn type_of(&self, step: usize) -> Type {
        self.plan.statement(step).defined_type(self.program)
    }

    /// The class an object has as far as the template knows, at least the one that declares the field.
    fn class_of(&self, object: usize, field: FieldId) -> ClassId {
        let declaring = self.program.field(field).class;
        let class = match self.type_of(object) {
            Type::Object(name) => self.program.class_named(&name),
            _ => None,
        };
        class
            .filter(|&class| self.program.is_subclass(class, declaring))
            .unwrap_or(declaring)
    }

    /// True if tests may name the field.
    fn is_open(&self, field: &Field) -> bool {
        let package = self.maker.package();
        let here = self.program.package(field.class) == package;
        (field.access.is_public() || (here && !field.access.is_private()))
            && !field.access.is_synthetic()
            && self.program.is_class_accessible(field.class, package)
    }
}
