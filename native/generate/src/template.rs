//! Templates: sequences that build what a branch depends on, with slots for the constants that matter.
//!
//! Comes in: the construction graph of a branch, and a generator with its producers, pool, constants and random numbers.
//! Goes out: a [`Template`]: a sequence whose last statement calls the method of the branch. The graph is walked breadth
//! first from the inputs; fields are set by setters, constructors or factories drawn by their score, or got where nothing
//! sets them; what fills an object comes before the object is handed over.
//! Lin, Ong, Sun, Fraser, Dong, "Graph-based seed object synthesis for search-based unit testing", ESEC/FSE 2021,
//! section 4.3.
//! Arrays are one statement, which holds all elements from the start; of an element whose index is a slot, half of the
//! time the slot begins where the element lies. So a length has no slot of its own: of an array whose elements the branch
//! does not depend on, so that it must be the length, this is drawn as any slot is, and the search changes it as one.
//! Does not know: outcomes, how slots are varied.
//!
//! ```text
//! v0 = new Student()  v1 = new Supervisor()  v2 = new CV()  v3 = 0 (a slot)
//! v2.setAwardNum(v3)  v1.setCv(v2)  v0.setSupervisor(v1)  v7 = new Example()  v7.example(v0)
//! ```
//!
//! Use: `let mut templates = Templates::new(program, subject);`, then per branch
//! `templates.synthesize(&mut sources, branch) -> Result<Template, Refusal>`; `templates.graph(branch)` tells if there is anything
//! to build.

mod base;
mod known;
mod plan;
mod state;
mod supply;
#[cfg(test)]
mod tests;
mod traced;

use crate::guided::Guided;
use crate::maker::Maker;
use crate::sources::Sources;
use crate::target::may_run;
use known::KnownConstants;
use palus_analyze::{ConstructionGraph, ConstructionGraphs, NodeId, NodeKind, Role, Setters};
use palus_bytecode::{ClassId, FieldId, MethodId, Program, TargetBranch};
use palus_sequence::{Sequence, Statement, Variable, check};
use plan::Plan;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Longer templates are not made.
const MOST_STATEMENTS: usize = 200;
/// Longer ones are not added to; one node may need several statements.
const ROOM: usize = 160;
/// Arrays are not made longer than this for the sake of a constant index.
const LONGEST_ARRAY: usize = 64;
/// Arrays whose length is drawn as a constant is, where the branch depends on no element, in percent.
const DRAWN_LENGTH: usize = 50;
/// Elements that lie anywhere and not where the slot of their index begins, in percent: 1 - `p_share` of the paper's text.
const APART: usize = 50;
/// Fields of objects in a traced state that stay as they are, in percent.
const AS_TRACED: usize = 60;
/// Static fields that stay as they are, in percent: all tests share them, and who sets one may break the others.
const STATIC_AS_IT_IS: usize = 70;
/// A node whose parents are not there yet waits this often.
const WAITS: u32 = 5;

/// A sequence that builds what a branch depends on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The last statement calls the method of the branch.
    pub sequence: Sequence,
    /// The variables whose constants matter, ascending; each is a [`Statement::Value`].
    pub slots: Vec<Variable>,
}

/// Why there is no template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// No state of an object decides the branch.
    NothingToBuild,
    /// The construction graph is too large.
    TooLarge,
    /// Tests cannot call the method, nor another that leads to it, or no longer call it.
    NotCallable,
    /// An input could not be made.
    NoInput,
    /// What was put together is too long or makes no sense.
    Unusable,
}

/// Makes templates for the branches of one unit; graphs and setters are found once, on demand.
#[derive(Debug)]
pub struct Templates<'a> {
    program: &'a Program,
    package: &'a str,
    graphs: ConstructionGraphs<'a>,
    setters: Setters<'a>,
    known: KnownConstants,
}

impl<'a> Templates<'a> {
    /// For tests in the package of a subject.
    pub fn new(program: &'a Program, subject: ClassId) -> Self {
        let package = program.package(subject);
        Templates {
            program,
            package,
            graphs: ConstructionGraphs::new(program),
            setters: Setters::new(program, package),
            known: KnownConstants::default(),
        }
    }

    /// The construction graph of a branch; one in a method that tests cannot call is reached through another.
    pub fn graph(&mut self, branch: TargetBranch) -> Arc<ConstructionGraph> {
        let (program, package) = (self.program, self.package);
        let is_callable = |method| program.is_method_accessible(method, package);
        self.graphs.reached(branch, &is_callable)
    }

    /// A template for a branch that begins with a run of which its call of the method came near: the objects are those of
    /// the run, and only their state is brought about. Of a run that reached the jump, only what the jump itself reads is
    /// touched: a cheap form of pruning paths by a taint run, which sees what control dependence the run has met and
    /// not which bytes flow.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn synthesize_on(
        &mut self,
        sources: &mut Sources<'_>,
        branch: TargetBranch,
        base: &Sequence,
        reached: bool,
    ) -> Result<Template, Refusal> {
        let (program, package) = (self.program, self.package);
        let is_callable = |method| program.is_method_accessible(method, package);
        let is_called = |method| {
            let called = base.statements().iter();
            let mut called = called.filter_map(|statement| match statement {
                Statement::Call { method, .. } => Some(*method),
                _ => None,
            });
            called.any(|called| may_run(program, called, method))
        };
        let graph = self
            .graphs
            .from_run(branch, &is_callable, &is_called, reached);
        self.on(sources, branch, &graph, Some(base))
    }

    /// A template for a branch; each call draws anew.
    ///
    /// # Errors
    /// The reason why there is none.
    pub fn synthesize(
        &mut self,
        sources: &mut Sources<'_>,
        branch: TargetBranch,
    ) -> Result<Template, Refusal> {
        let graph = self.graph(branch);
        self.on(sources, branch, &graph, None)
    }

    fn on(
        &mut self,
        sources: &mut Sources<'_>,
        branch: TargetBranch,
        graph: &ConstructionGraph,
        base: Option<&Sequence>,
    ) -> Result<Template, Refusal> {
        self.known.read(sources.kept());
        let means = Means {
            setters: &mut self.setters,
            known: &mut self.known,
            branch: branch.method,
        };
        synthesize(sources, means, graph, base)
    }
}

/// What templates of one unit have in common, and the method of the branch.
struct Means<'a, 'g> {
    setters: &'a mut Setters<'g>,
    known: &'a mut KnownConstants,
    branch: MethodId,
}

/// What stands for a node.
#[derive(Clone, Debug, Default)]
struct Made {
    /// The step that defines its variable; none if no variable holds it.
    variable: Option<usize>,
    /// Steps that bring it about.
    done: Vec<usize>,
}

/// Makes a template from a graph; none where the method cannot be called, or the graph is empty.
fn synthesize(
    sources: &mut Sources<'_>,
    Means {
        setters,
        known,
        branch,
    }: Means<'_, '_>,
    graph: &ConstructionGraph,
    base: Option<&Sequence>,
) -> Result<Template, Refusal> {
    if graph.is_empty() {
        return Err(if graph.is_too_large() {
            Refusal::TooLarge
        } else {
            Refusal::NothingToBuild
        });
    }
    let (maker, guided) = sources.parts();
    let program: &Program = maker.program();
    if !program.is_method_accessible(graph.method(), maker.package())
        || maker.is_barred(graph.method())
    {
        return Err(Refusal::NotCallable);
    }
    let mut synthesis = Synthesis {
        program,
        maker,
        guided,
        setters,
        known,
        branch,
        graph,
        plan: Plan::default(),
        made: BTreeMap::new(),
        arrays: BTreeMap::new(),
        claimed: BTreeSet::new(),
        contents: BTreeMap::new(),
        views: BTreeMap::new(),
        standing: BTreeSet::new(),
        based: 0,
    };
    let call = match base {
        Some(base) => synthesis.base(base),
        None => synthesis.target_call(),
    };
    let call = call.ok_or(Refusal::NoInput)?;
    synthesis.walk();
    synthesis.fill_arrays();
    synthesis.plan.add(call);
    let (sequence, slots) = synthesis.plan.finish();
    // What was taken for a type that does not fit after all is no use.
    let is_good = sequence.len() <= MOST_STATEMENTS && check(program, &sequence).is_ok();
    if is_good {
        Ok(Template { sequence, slots })
    } else {
        Err(Refusal::Unusable)
    }
}

/// A template in the making.
struct Synthesis<'a, 'g, 'u> {
    program: &'u Program,
    maker: &'a mut Maker<'u>,
    /// The models, and what was led to their nodes; none without a trace.
    guided: Option<&'a Guided<'u>>,
    setters: &'a mut Setters<'g>,
    known: &'a mut KnownConstants,
    /// The method of the branch.
    branch: MethodId,
    graph: &'a ConstructionGraph,
    plan: Plan,
    made: BTreeMap<NodeId, Made>,
    /// The arrays that the template makes.
    arrays: BTreeMap<usize, Array>,
    /// Objects whose creation sets a field: they stay as they were made.
    claimed: BTreeSet<usize>,
    /// What was put into the collection that a node stands for.
    contents: BTreeMap<NodeId, usize>,
    /// The collection that a node, such as an iterator, gives a view of.
    views: BTreeMap<NodeId, usize>,
    /// Objects in a traced state.
    standing: BTreeSet<usize>,
    /// Steps before this one are of the run that the template begins with.
    based: usize,
}

/// An array in the making.
#[derive(Clone, Debug, Default)]
struct Array {
    length: usize,
    elements: Vec<Element>,
}

/// An element that the branch depends on.
#[derive(Clone, Copy, Debug)]
struct Element {
    value: usize,
    /// Where it has to lie.
    index: Option<usize>,
    /// The slot that says where it is read.
    slot: Option<usize>,
}

impl Synthesis<'_, '_, '_> {
    /// The call of the method; makes its receiver and arguments, and the static inputs.
    fn target_call(&mut self) -> Option<Statement> {
        let graph_method = self.graph.method();
        let method = self.program.method(graph_method);
        let inputs: Vec<(NodeId, NodeKind)> = self
            .graph
            .inputs()
            .map(|id| (id, self.graph.node(id).kind))
            .collect();
        let of = |kind| {
            let found = inputs.iter().find(|(_, known)| *known == kind);
            found.map(|(id, _)| *id)
        };
        let mut receiver = None;
        if &*method.name != "<init>" && !method.access.is_static() {
            let class = self.class_type(method.class);
            let made = match of(NodeKind::This) {
                Some(input) => {
                    let made = self.input(&class, input)?;
                    self.put(input, made);
                    made
                }
                None => self.object(&class, 0)?,
            };
            receiver = Some(Variable(made as u32));
        }
        let mut arguments = Vec::new();
        for (position, declared) in method.method_type.parameters.iter().enumerate() {
            let input = of(NodeKind::Parameter(position as u32));
            let made = match input {
                Some(input) => {
                    let wanted = self.narrowed(declared, &self.graph.node(input).value_type);
                    let made = self.input(&wanted, input)?;
                    self.put(input, made);
                    made
                }
                None => self.parameter(graph_method, position as u32, declared, 0)?,
            };
            arguments.push(Variable(made as u32));
        }
        self.static_inputs();
        Some(Statement::Call {
            method: self.graph.method(),
            receiver,
            arguments,
        })
    }

    fn static_inputs(&mut self) {
        for id in self.graph.inputs() {
            if let NodeKind::Static(field) = self.graph.node(id).kind
                && let Some(made) = self.static_field(field, id)
            {
                self.made.insert(id, made);
            }
        }
    }

    fn put(&mut self, node: NodeId, variable: usize) {
        self.made.insert(
            node,
            Made {
                variable: Some(variable),
                done: Vec::new(),
            },
        );
    }

    /// Makes the nodes below the inputs, nearest first.
    fn walk(&mut self) {
        let mut queue: VecDeque<(NodeId, u32)> = VecDeque::new();
        for input in self.graph.inputs() {
            let children = &self.graph.node(input).children;
            queue.extend(children.iter().map(|&child| (child, 0)));
        }
        while let Some((id, waited)) = queue.pop_front() {
            if self.made.contains_key(&id) {
                continue;
            }
            if self.plan.len() >= ROOM {
                return;
            }
            let parents = &self.graph.node(id).parents;
            let is_ready = parents
                .iter()
                .all(|(parent, _)| self.made.contains_key(parent));
            if !is_ready && waited < WAITS {
                queue.push_back((id, waited + 1));
                continue;
            }
            // After that the node is made of what there is; without its object there is nothing to make.
            if let Some(made) = self.make(id) {
                self.made.insert(id, made);
                let children = &self.graph.node(id).children;
                queue.extend(children.iter().map(|&child| (child, 0)));
            }
        }
    }

    fn make(&mut self, id: NodeId) -> Option<Made> {
        match self.graph.node(id).kind {
            NodeKind::Field(field) => self.field(id, field),
            NodeKind::Element => self.element(id),
            NodeKind::Call(method) => self.call(id, method),
            NodeKind::Other => Some(Made::default()),
            NodeKind::This | NodeKind::Parameter(_) | NodeKind::Static(_) => None,
        }
    }

    /// The first parent in a role that a variable holds.
    fn parent(&self, id: NodeId, role: Role) -> Option<usize> {
        let parents = self.graph.node(id).parents.iter();
        let mut parents = parents.filter(|(_, known)| *known == role);
        parents.find_map(|(parent, _)| self.made.get(parent)?.variable)
    }

    /// A field of a parent: set, or got where nothing sets it.
    fn field(&mut self, id: NodeId, field: FieldId) -> Option<Made> {
        let object = self.parent(id, Role::Object)?;
        // What an iterator gives is known by its collection, of which the field is none.
        if !self.is_a(object, self.program.field(field).class) {
            return None;
        }
        let node = self.graph.node(id);
        let (wanted, is_leaf) = (node.value_type.clone(), node.children.is_empty());
        if self.standing.contains(&object) && self.maker.rng().percent(AS_TRACED) {
            if is_leaf {
                return Some(Made::default());
            }
            if let Some(made) = self.get(object, field) {
                return Some(made);
            }
        }
        if let Some(made) = self.set(object, field, &wanted, is_leaf) {
            return Some(made);
        }
        let filled = self.fill(id, object, field);
        if is_leaf || filled.is_some() {
            return filled;
        }
        self.get(object, field)
    }

    /// An element of an array that the template makes.
    fn element(&mut self, id: NodeId) -> Option<Made> {
        let array = self.parent(id, Role::Array)?;
        let Statement::NewArray { element, elements } = self.plan.statement(array).clone() else {
            return None;
        };
        let node = self.graph.node(id);
        if !self.arrays.contains_key(&array) {
            // Of a run that came near: the element is the one that it has.
            let at = node
                .constant_index
                .and_then(|index| usize::try_from(index).ok());
            let held = elements.get(at.unwrap_or_default()).or(elements.first())?;
            return Some(Made {
                variable: Some(held.index()),
                done: Vec::new(),
            });
        }
        let wanted = self.narrowed(&element, &node.value_type);
        let value = self.value(&wanted, 1)?;
        let more = elements.into_iter().chain([Variable(value as u32)]);
        let statement = Statement::NewArray {
            element,
            elements: more.collect(),
        };
        if !self.plan.replace(array, statement) {
            return None;
        }
        let index = node.constant_index.and_then(|index| index.try_into().ok());
        let slot = self.parent(id, Role::Index);
        let slot = slot.filter(|&slot| self.plan.is_slot(slot));
        let known = self.arrays.get_mut(&array)?;
        known.elements.push(Element { value, index, slot });
        let handed_over = self.plan.handed_over(array);
        if let Some(step) = handed_over {
            self.plan.hand_over(value, step);
        }
        Some(Made {
            variable: Some(value),
            done: handed_over.into_iter().collect(),
        })
    }

    /// Spreads the elements of all arrays over their indexes; index slots begin where their element lies.
    fn fill_arrays(&mut self) {
        // An element may be an array without elements.
        while let Some((step, array)) = self.arrays.pop_first() {
            let Statement::NewArray { element, .. } = self.plan.statement(step).clone() else {
                continue;
            };
            let mut values = array.elements;
            let mut length = array.length;
            if values.is_empty() && self.maker.rng().percent(DRAWN_LENGTH) {
                // What the branch depends on is no element.
                length = self.length();
                if length == 0 {
                    continue;
                }
            }
            if values.is_empty() {
                let value = self.value_or_null(&element, 2);
                values.extend(value.map(|value| Element {
                    value,
                    index: None,
                    slot: None,
                }));
            }
            if values.is_empty() {
                continue;
            }
            let fixed = values.iter().filter_map(|value| value.index).max();
            let longest = fixed.map_or(0, |index| index.min(LONGEST_ARRAY - 1) + 1);
            let length = length.max(values.len()).max(longest);
            let mut places: Vec<Option<usize>> = vec![None; length];
            for value in &values {
                if let Some(index) = value.index.filter(|&index| index < length) {
                    places[index] = Some(value.value);
                }
            }
            for value in values.iter().filter(|value| value.index.is_none()) {
                let Some(free) = places.iter().position(Option::is_none) else {
                    break;
                };
                let is_apart = value.slot.is_some() && self.maker.rng().percent(APART);
                if is_apart {
                    let drawn = self.maker.rng().below(length);
                    let place = if places[drawn].is_none() { drawn } else { free };
                    places[place] = Some(value.value);
                    continue;
                }
                places[free] = Some(value.value);
                if let Some(slot) = value.slot {
                    self.plan.begin(slot, free as u16);
                }
            }
            let places = places.iter().enumerate();
            let elements = places.map(|(at, place)| {
                let value = place.unwrap_or(values[at % values.len()].value);
                Variable(value as u32)
            });
            let elements = elements.collect();
            self.plan
                .replace(step, Statement::NewArray { element, elements });
        }
    }
}
