//! A slice to the nodes of a construction graph.
//!
//! Comes in: a [`Slice`]. Goes out: [`Node`]s. In this order: loads, stores and casts are contracted; plain getters
//! become the field they give; fields of one object and elements at one index of one array become one node; what lies on
//! no way from an input to a field or element goes; edges that close a circle go; ids are given.
//! Beyond the paper, calls that ask a collection of the JDK what is in it count as reads of state, as if it were a field.
//! Does not know: how the slice was found.

use super::node::{Node, NodeId, NodeKind};
use crate::platform;
use crate::slice::{Bodies, Maker, Role, Slice};
use palus_bytecode::{ClassId, FieldId, MethodId, Operation, Origin, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// A node under reduction.
struct Raw {
    kind: NodeKind,
    value_type: Type,
    parents: BTreeSet<(usize, Role)>,
    accessed_via: Option<MethodId>,
    constant_index: Option<i32>,
    /// Depth, call string and instruction: the order of ids.
    order: (u32, Vec<u32>, u32),
    /// What it was merged into.
    merged: Option<usize>,
}

/// Reduces the slice of a branch of `method`.
pub(super) fn nodes(bodies: &Bodies<'_>, method: MethodId, slice: &Slice) -> Vec<Node> {
    let mut reducer = Reducer {
        program: bodies.program,
        method,
        slice,
        raw: Vec::new(),
        inputs: BTreeMap::new(),
        of_slice: vec![None; slice.nodes.len()],
    };
    reducer.contract(bodies);
    // Calls hand types on to what they return before they go.
    reducer.narrow_types();
    reducer.collapse_getters();
    reducer.merge_equal();
    reducer.distil();
    reducer.cut_circles();
    reducer.distil();
    reducer.narrow_types();
    reducer.finish()
}

struct Reducer<'a, 'b> {
    program: &'a Program,
    method: MethodId,
    slice: &'b Slice,
    raw: Vec<Raw>,
    inputs: BTreeMap<NodeKind, usize>,
    /// Per node of the slice: its own node, for all but contracted ones and constants.
    of_slice: Vec<Option<usize>>,
}

impl<'a> Reducer<'a, '_> {
    fn operation(&self, node: usize) -> &'a Operation {
        let node = &self.slice.nodes[node];
        let method = self.slice.contexts[node.context as usize].method;
        let code = self.program.method(method).code.as_ref();
        let code = code.expect("only bodies are sliced");
        &code.instructions[node.instruction as usize].operation
    }

    /// Rule 1: one node per instruction that makes something of its operands; static fields are inputs.
    fn contract(&mut self, bodies: &Bodies<'_>) {
        for index in 0..self.slice.nodes.len() {
            let operation = self.operation(index);
            let (kind, value_type) = match operation {
                Operation::GetField {
                    field: named,
                    is_static,
                } => {
                    let field_type = &named.field_type;
                    match self.program.resolve_field(named) {
                        Some(field) if *is_static => {
                            if self.is_changeable(field) {
                                let input = self.input(NodeKind::Static(field), field_type.clone());
                                self.of_slice[index] = Some(input);
                            }
                            continue;
                        }
                        Some(field) => (NodeKind::Field(field), field_type.clone()),
                        None => (NodeKind::Other, field_type.clone()),
                    }
                }
                Operation::ArrayLoad { .. } => (NodeKind::Element, Type::Void),
                Operation::Invoke { .. } => match bodies.named(operation) {
                    Some(method) => {
                        let returns = &self.program.method(method).method_type.returns;
                        (NodeKind::Call(method), returns.clone())
                    }
                    None => (NodeKind::Other, Type::Void),
                },
                Operation::Load { .. } | Operation::Store { .. } | Operation::Cast(_) => continue,
                _ => (NodeKind::Other, Type::Void),
            };
            self.of_slice[index] = Some(self.raw.len());
            let order = self.order(index);
            self.raw.push(Raw {
                kind,
                value_type,
                parents: BTreeSet::new(),
                accessed_via: None,
                constant_index: None,
                order,
                merged: None,
            });
        }
        for index in 0..self.slice.nodes.len() {
            let Some(raw) = self.of_slice[index] else {
                continue;
            };
            if matches!(self.raw[raw].kind, NodeKind::Static(_)) {
                continue;
            }
            for &(from, role) in &self.slice.nodes[index].sources {
                let mut cast = None;
                let mut found = BTreeSet::new();
                self.resolve(from, &mut cast, &mut found, &mut BTreeSet::new());
                if role == Role::Index
                    && let Maker::Node(source) = from
                    && let Operation::Int(constant) = self.operation(source)
                {
                    self.raw[raw].constant_index = Some(*constant);
                }
                if let Operation::InstanceOf(asked) = self.operation(index) {
                    cast.get_or_insert_with(|| asked.clone());
                }
                for parent in found {
                    self.raw[raw].parents.insert((parent, role));
                    if let Some(cast) = &cast {
                        self.narrow(parent, cast);
                    }
                }
            }
        }
    }

    /// The nodes behind loads, stores and casts, and the last cast on the way.
    fn resolve(
        &mut self,
        from: Maker,
        cast: &mut Option<Type>,
        found: &mut BTreeSet<usize>,
        seen: &mut BTreeSet<usize>,
    ) {
        let mut open = vec![from];
        while let Some(from) = open.pop() {
            match from {
                Maker::Parameter(number) => found.extend(self.parameter(number)),
                Maker::Node(node) => {
                    if let Some(raw) = self.of_slice[node] {
                        found.insert(raw);
                    } else if seen.insert(node) {
                        if let Operation::Cast(to) = self.operation(node) {
                            cast.get_or_insert_with(|| to.clone());
                        }
                        open.extend(self.slice.nodes[node].sources.iter().map(|(from, _)| *from));
                    }
                }
            }
        }
    }

    /// The input of a parameter of the method, the receiver first; none for an object that is still being made.
    fn parameter(&mut self, number: u32) -> Option<usize> {
        let method = self.program.method(self.method);
        if method.access.is_static() {
            let parameter = method.method_type.parameters.get(number as usize)?;
            return Some(self.input(NodeKind::Parameter(number), parameter.clone()));
        }
        let Some(declared) = number.checked_sub(1) else {
            if method.is_constructor() {
                return None;
            }
            let class = &self.program.class(method.class).name;
            return Some(self.input(NodeKind::This, Type::Object(class.clone())));
        };
        let parameter = method.method_type.parameters.get(declared as usize)?;
        Some(self.input(NodeKind::Parameter(declared), parameter.clone()))
    }

    fn input(&mut self, kind: NodeKind, value_type: Type) -> usize {
        let next = self.raw.len();
        let input = *self.inputs.entry(kind).or_insert(next);
        if input == next {
            self.raw.push(Raw {
                kind,
                value_type,
                parents: BTreeSet::new(),
                accessed_via: None,
                constant_index: None,
                order: (0, Vec::new(), 0),
                merged: None,
            });
        }
        input
    }

    /// False for constants: nothing a test does changes what the code reads there.
    fn is_changeable(&self, field: FieldId) -> bool {
        let field = self.program.field(field);
        if field.access.is_synthetic() || field.access.is_enum() || field.constant.is_some() {
            return false;
        }
        if !field.access.is_final() {
            return true;
        }
        let Type::Object(name) = &field.field_type else {
            return false;
        };
        let class = self.program.class_named(name);
        let is_enum = class.is_some_and(|class| self.program.class(class).access.is_enum());
        &**name != "java/lang/String" && field.field_type.unboxed().is_none() && !is_enum
    }

    fn order(&self, node: usize) -> (u32, Vec<u32>, u32) {
        let node = &self.slice.nodes[node];
        let mut calls = Vec::new();
        let mut around = Some(node.context);
        while let Some(context) = around {
            let known = &self.slice.contexts[context as usize];
            calls.extend(known.call.map(|(_, instruction)| instruction));
            around = known.call.map(|(outer, _)| outer);
        }
        calls.reverse();
        (calls.len() as u32, calls, node.instruction)
    }

    /// Rule 2: a call whose callee only reads a field of the receiver is that field.
    fn collapse_getters(&mut self) {
        let mut users = self.children();
        for node in 0..self.raw.len() {
            if !matches!(self.raw[node].kind, NodeKind::Call(_)) {
                continue;
            }
            let mut returned = self.raw[node].parents.iter();
            let mut returned = returned
                .by_ref()
                .filter(|(_, role)| *role == Role::Returned);
            let (Some(&(field, _)), None) = (returned.next(), returned.next()) else {
                continue;
            };
            if !matches!(self.raw[field].kind, NodeKind::Field(_)) {
                continue;
            }
            // The callee's own instruction, one call deeper.
            let (_, calls, _) = &self.raw[field].order;
            let Some((&call, outer)) = calls.split_last() else {
                continue;
            };
            let (_, around, instruction) = &self.raw[node].order;
            if (outer, call) != (around.as_slice(), *instruction) {
                continue;
            }
            if let NodeKind::Call(method) = self.raw[node].kind
                && self.gives_a_field(node)
            {
                self.raw[field].accessed_via = Some(method);
                self.merge(node, field, &mut users);
            }
        }
    }

    /// True if the body that a call runs is a plain getter.
    fn gives_a_field(&self, call: usize) -> bool {
        let (_, around, instruction) = &self.raw[call].order;
        let callee = self.slice.contexts.iter().position(|context| {
            context
                .call
                .is_some_and(|(outer, at)| at == *instruction && self.calls_of(outer) == *around)
        });
        let Some(callee) = callee else { return false };
        let method = self.slice.contexts[callee].method;
        let Some(code) = &self.program.method(method).code else {
            return false;
        };
        let operations = code
            .instructions
            .iter()
            .map(|instruction| &instruction.operation);
        let rest: Vec<&Operation> = operations
            .filter(|operation| !matches!(operation, Operation::Cast(_)))
            .collect();
        matches!(
            rest[..],
            [
                Operation::Load { slot: 0 },
                Operation::GetField {
                    is_static: false,
                    ..
                },
                Operation::Return { value: true }
            ]
        )
    }

    fn calls_of(&self, context: u32) -> Vec<u32> {
        let mut calls = Vec::new();
        let mut around = Some(context);
        while let Some(context) = around {
            let known = &self.slice.contexts[context as usize];
            calls.extend(known.call.map(|(_, instruction)| instruction));
            around = known.call.map(|(outer, _)| outer);
        }
        calls.reverse();
        calls
    }

    /// Puts one node into another. Its parents go with it, but for those of a call, which the field has itself.
    /// `users`: per node, at least all nodes that it is a parent of.
    fn merge(&mut self, from: usize, into: usize, users: &mut [Vec<usize>]) {
        let value_type = self.raw[from].value_type.clone();
        let parents = std::mem::take(&mut self.raw[from].parents);
        if !matches!(self.raw[from].kind, NodeKind::Call(_)) {
            for (parent, role) in parents {
                if self.raw[into].parents.insert((parent, role)) {
                    users[parent].push(into);
                }
            }
        }
        self.raw[from].merged = Some(into);
        if value_type != Type::Void {
            self.narrow(into, &value_type);
        }
        if self.raw[into].accessed_via.is_none() {
            self.raw[into].accessed_via = self.raw[from].accessed_via;
        }
        for user in std::mem::take(&mut users[from]) {
            let parents = &mut self.raw[user].parents;
            // The first of all roles is `Object`.
            let roles = parents.range((from, Role::Object)..(from + 1, Role::Object));
            let roles: Vec<Role> = roles.map(|(_, role)| *role).collect();
            for role in roles {
                parents.remove(&(from, role));
                parents.insert((into, role));
            }
            users[into].push(user);
        }
    }

    /// Rule 3: what is reached by the same way is the same.
    fn merge_equal(&mut self) {
        let mut users = self.children();
        loop {
            let mut known: BTreeMap<_, usize> = BTreeMap::new();
            let mut pairs = Vec::new();
            let mut open: Vec<usize> = (0..self.raw.len())
                .filter(|&node| self.raw[node].merged.is_none())
                .collect();
            open.sort_by(|&left, &right| self.raw[left].order.cmp(&self.raw[right].order));
            for node in open {
                let raw = &self.raw[node];
                if !matches!(raw.kind, NodeKind::Field(_) | NodeKind::Element) {
                    continue;
                }
                let key = (raw.kind, raw.constant_index, raw.parents.clone());
                if let Some(&first) = known.get(&key) {
                    pairs.push((node, first));
                } else {
                    known.insert(key, node);
                }
            }
            if pairs.is_empty() {
                return;
            }
            for (node, first) in pairs {
                self.merge(node, first, &mut users);
            }
        }
    }

    /// Rule 4: only what lies on a way from an input to the read of a field or element stays.
    fn distil(&mut self) {
        loop {
            let children = self.children();
            let mut from_input = vec![false; self.raw.len()];
            let mut open: Vec<usize> = self.inputs.values().copied().collect();
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut from_input[node], true) {
                    open.extend(&children[node]);
                }
            }
            let mut to_state = vec![false; self.raw.len()];
            let is_state = |node: &usize| {
                matches!(
                    self.raw[*node].kind,
                    NodeKind::Field(_) | NodeKind::Element | NodeKind::Static(_)
                ) || self.asks_a_collection(*node)
            };
            let is_state = |node: &usize| {
                is_state(node) && from_input[*node] && self.raw[*node].merged.is_none()
            };
            let mut open: Vec<usize> = (0..self.raw.len()).filter(is_state).collect();
            while let Some(node) = open.pop() {
                if !std::mem::replace(&mut to_state[node], true) {
                    open.extend(self.raw[node].parents.iter().map(|(parent, _)| *parent));
                }
            }
            let goes = |node: usize| {
                let raw = &self.raw[node];
                let has = |role| raw.parents.iter().any(|(_, known)| *known == role);
                let is_broken = match raw.kind {
                    NodeKind::Element => !has(Role::Array),
                    NodeKind::Field(_) => !has(Role::Object),
                    _ => false,
                };
                raw.merged.is_none() && (is_broken || !from_input[node] || !to_state[node])
            };
            let goes: Vec<bool> = (0..self.raw.len()).map(goes).collect();
            self.inputs.retain(|_, input| !goes[*input]);
            for (node, raw) in self.raw.iter_mut().enumerate() {
                if goes[node] {
                    raw.merged = Some(node);
                    raw.parents.clear();
                } else if raw.parents.iter().any(|(parent, _)| goes[*parent]) {
                    raw.parents.retain(|(parent, _)| !goes[*parent]);
                }
            }
            if !goes.contains(&true) {
                return;
            }
        }
    }

    /// True for calls whose result is what a collection of the JDK holds: that is state as a field is.
    fn asks_a_collection(&self, node: usize) -> bool {
        let NodeKind::Call(method) = self.raw[node].kind else {
            return false;
        };
        let method = self.program.method(method);
        let class = self.program.class(method.class);
        class.origin == Origin::Platform
            && class.name.starts_with("java/util/")
            && !method.access.is_static()
            && platform::says_content(&method.name)
    }

    fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.raw.len()];
        for (node, raw) in self.raw.iter().enumerate() {
            for (parent, _) in &raw.parents {
                if children[*parent].last() != Some(&node) {
                    children[*parent].push(node);
                }
            }
        }
        children
    }

    /// Rule 5: edges that lead back to where the search from the inputs came from are cut.
    fn cut_circles(&mut self) {
        let mut children = self.children();
        for list in &mut children {
            list.sort_by(|&left, &right| self.raw[left].order.cmp(&self.raw[right].order));
        }
        let mut inputs: Vec<(NodeKind, usize)> = self
            .inputs
            .iter()
            .map(|(kind, input)| (*kind, *input))
            .collect();
        inputs.sort_unstable();
        // 0 not met, 1 on the way, 2 done.
        let mut met = vec![0_u8; self.raw.len()];
        for (_, input) in inputs {
            if met[input] != 0 {
                continue;
            }
            met[input] = 1;
            let mut way = vec![(input, 0)];
            while let Some((node, next)) = way.last_mut() {
                let node = *node;
                let Some(&child) = children[node].get(*next) else {
                    met[node] = 2;
                    way.pop();
                    continue;
                };
                *next += 1;
                match met[child] {
                    0 => {
                        met[child] = 1;
                        way.push((child, 0));
                    }
                    1 => self.raw[child]
                        .parents
                        .retain(|(parent, _)| *parent != node),
                    _ => {}
                }
            }
        }
    }

    /// Takes a narrower type for a node, if this is one.
    fn narrow(&mut self, node: usize, to: &Type) {
        let known = &self.raw[node].value_type;
        if *known == Type::Void
            || (known != to && known.is_reference() && self.program.is_assignable(to, known))
        {
            self.raw[node].value_type = to.clone();
        }
    }

    /// Types by what the code does with the values.
    fn narrow_types(&mut self) {
        let class_type =
            |program: &Program, class: ClassId| Type::Object(program.class(class).name.clone());
        let mut order: Vec<usize> = (0..self.raw.len()).collect();
        order.sort_by(|&left, &right| self.raw[left].order.cmp(&self.raw[right].order));
        for _ in 0..2 {
            for &node in &order {
                let parents: Vec<_> = self.raw[node].parents.iter().copied().collect();
                for (parent, role) in parents {
                    match (self.raw[node].kind, role) {
                        (NodeKind::Field(field), Role::Object) => {
                            let class = self.program.field(field).class;
                            self.narrow(parent, &class_type(self.program, class));
                        }
                        (NodeKind::Call(method), Role::Object) => {
                            let class = self.program.method(method).class;
                            self.narrow(parent, &class_type(self.program, class));
                        }
                        (NodeKind::Call(_), Role::Returned) => {
                            let wanted = self.raw[node].value_type.clone();
                            if wanted.is_reference() {
                                self.narrow(parent, &wanted);
                            }
                        }
                        (NodeKind::Element, Role::Array) => {
                            if let Type::Array(element) = self.raw[parent].value_type.clone() {
                                self.narrow(node, &element);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// Rule 6: ids, inputs first.
    fn finish(self) -> Vec<Node> {
        let mut left: Vec<usize> = (0..self.raw.len())
            .filter(|&node| self.raw[node].merged.is_none())
            .collect();
        let key = |node: &usize| {
            let raw = &self.raw[*node];
            let input = match raw.kind {
                NodeKind::This | NodeKind::Parameter(_) | NodeKind::Static(_) => Some(raw.kind),
                _ => None,
            };
            (input.is_none(), input, raw.order.clone())
        };
        left.sort_by_key(key);
        let mut place = vec![None; self.raw.len()];
        for (id, &node) in left.iter().enumerate() {
            place[node] = Some(NodeId(id as u32));
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(left.len());
        for &node in &left {
            let raw = &self.raw[node];
            let parents = raw.parents.iter();
            let mut parents: Vec<(NodeId, Role)> = parents
                .filter_map(|(parent, role)| Some((place[*parent]?, *role)))
                .collect();
            parents.sort_unstable();
            nodes.push(Node {
                kind: raw.kind,
                value_type: raw.value_type.clone(),
                parents,
                children: Vec::new(),
                accessed_via: raw.accessed_via,
                constant_index: raw.constant_index,
            });
        }
        for id in 0..nodes.len() {
            for (parent, _) in nodes[id].parents.clone() {
                let children = &mut nodes[parent.index()].children;
                if children.last() != Some(&NodeId(id as u32)) {
                    children.push(NodeId(id as u32));
                }
            }
        }
        nodes
    }
}
