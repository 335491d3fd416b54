//! The worked examples, and what must hold of every graph.

use super::*;
use crate::fixture::{method, program};
use palus_bytecode::{ClassProbes, Origin};
use std::collections::BTreeSet;

pub const RULES: &str = "class Action { private int actor, target; \
    Action(int actor, int target) { this.actor = actor; this.target = target; } \
    void setActor(int a) { actor = a; } void setTarget(int t) { target = t; } \
    int getActor() { return actor; } int getTarget() { return target; } } \
    class Player { private int id, action; Player(int id) { this.id = id; } int getId() { return id; } \
    int getAction() { return action; } void setAction(int a) { action = a; } } \
    class GameState { private Player[] players; private int gamestate; GameState() {} \
    void setPlayers(Player[] p) { players = p; } void setGameState(int s) { gamestate = s; } \
    Player player(int id) { if (id < 0 || id > 127) return null; return this.players[id]; } } \
    class BasicRules { boolean checkRules(Action action, GameState state) { \
    Player actor = state.player(action.getActor()); Player target = state.player(action.getTarget()); \
    if (actor == null) return false; if (target == null) return false; \
    if (actor.getAction() == 1) return true; return false; } }";
const STUDENT: &str = "class CV { private int awardNum; int getAwardNum() { return awardNum; } \
    void setAwardNum(int n) { awardNum = n; } } \
    class Supervisor { private CV cv; CV getCv() { return cv; } void setCv(CV c) { cv = c; } } \
    class Student { private Supervisor supervisor; Supervisor getSupervisor() { return supervisor; } \
    void setSupervisor(Supervisor s) { supervisor = s; } } \
    class Example { int example(Student s) { if (s.getSupervisor().getCv().getAwardNum() > 2) return 1; return 0; } }";

/// A graph as text: nodes in id order, then edges as `parent->child(role)`.
fn text(program: &Program, graph: &ConstructionGraph) -> String {
    let name = |id: NodeId| {
        let node = graph.node(id);
        let kind = match node.kind {
            NodeKind::This => "this".to_owned(),
            NodeKind::Parameter(number) => format!("p{number}"),
            NodeKind::Static(field) | NodeKind::Field(field) => {
                let field = program.field(field);
                format!("{}.{}", program.class(field.class).name, field.name)
            }
            NodeKind::Element => "[]".to_owned(),
            NodeKind::Call(method) => format!("{}()", program.method(method).name),
            NodeKind::Other => "other".to_owned(),
        };
        format!("{}:{kind}", id.0)
    };
    let ids = || (0..graph.nodes().len() as u32).map(NodeId);
    let mut lines: Vec<String> = vec![ids().map(name).collect::<Vec<_>>().join(" ")];
    for child in ids() {
        for (parent, role) in &graph.node(child).parents {
            lines.push(format!("{}->{} {role:?}", name(*parent), name(child)));
        }
    }
    lines.join("\n")
}

fn graph(java: &str, of: &str, jump: u32, depth: u32) -> (Program, Arc<ConstructionGraph>) {
    let program = program(&[("All.java", java)]);
    let branch = TargetBranch {
        method: method(&program, of),
        jump,
        outcome: 0,
    };
    let graph = ConstructionGraphs::with_call_depth(&program, depth).of(branch);
    (program, graph)
}

fn check(java: &str, of: &str, jump: u32, expected: &str) {
    let (program, graph) = graph(java, of, jump, CALL_DEPTH);
    assert_eq!(text(&program, &graph), expected);
    holds(&program, &graph);
}

/// Acyclic, and every node lies between an input and the read of a field or element.
fn holds(program: &Program, graph: &ConstructionGraph) {
    let mut before: BTreeSet<NodeId> = BTreeSet::new();
    loop {
        let ids = (0..graph.nodes().len() as u32).map(NodeId);
        let mut ready = ids.filter(|id| {
            let parents = &graph.node(*id).parents;
            !before.contains(id) && parents.iter().all(|(parent, _)| before.contains(parent))
        });
        let Some(next) = ready.next() else { break };
        before.insert(next);
    }
    assert_eq!(
        before.len(),
        graph.nodes().len(),
        "a circle: {}",
        text(program, graph)
    );
    for node in graph.nodes() {
        let is_input = matches!(
            node.kind,
            NodeKind::This | NodeKind::Parameter(_) | NodeKind::Static(_)
        );
        assert_eq!(is_input, node.parents.is_empty(), "{node:?}");
        let is_state = matches!(
            node.kind,
            NodeKind::Field(_) | NodeKind::Element | NodeKind::Static(_)
        );
        let asks = matches!(
            node.kind,
            NodeKind::Call(method) if program.class(program.method(method).class).origin == Origin::Platform
        );
        assert!(is_state || asks || !node.children.is_empty(), "{node:?}");
        for child in &node.children {
            let parents = &graph.node(*child).parents;
            assert!(
                parents
                    .iter()
                    .any(|(parent, _)| graph.node(*parent) == node)
            );
        }
    }
}

#[test]
fn the_rules_of_the_paper_have_eleven_edges() {
    check(
        RULES,
        "BasicRules.checkRules",
        2,
        "0:p0 1:p1 2:player() 3:Action.actor 4:GameState.players 5:[] 6:Action.target 7:[] 8:Player.action\n\
         1:p1->2:player() Object\n\
         3:Action.actor->2:player() Argument(0)\n\
         5:[]->2:player() Returned\n\
         0:p0->3:Action.actor Object\n\
         1:p1->4:GameState.players Object\n\
         3:Action.actor->5:[] Index\n\
         4:GameState.players->5:[] Array\n\
         0:p0->6:Action.target Object\n\
         4:GameState.players->7:[] Array\n\
         6:Action.target->7:[] Index\n\
         2:player()->8:Player.action Object",
    );
}

#[test]
fn without_going_into_calls_there_is_nothing_to_build() {
    let (_, graph) = graph(RULES, "BasicRules.checkRules", 2, 0);
    assert!(graph.is_empty() && !graph.is_too_large());
}

#[test]
fn a_chain_of_getters_is_a_chain_of_fields() {
    check(
        STUDENT,
        "Example.example",
        0,
        "0:p0 1:Student.supervisor 2:Supervisor.cv 3:CV.awardNum\n\
         0:p0->1:Student.supervisor Object\n\
         1:Student.supervisor->2:Supervisor.cv Object\n\
         2:Supervisor.cv->3:CV.awardNum Object",
    );
}

#[test]
fn an_element_is_built_from_its_array_and_its_index() {
    check(
        "class A { private int[] array = new int[10]; void setArray(int[] a) { array = a; } \
         boolean targetM(int index) { if (array[index] < 2000) return true; return false; } }",
        "A.targetM",
        0,
        "0:this 1:p0 2:A.array 3:[]\n0:this->2:A.array Object\n1:p0->3:[] Index\n2:A.array->3:[] Array",
    );
}

#[test]
fn primitives_alone_need_no_graph() {
    let text = "class A { static int m(int a, int b) { if (a + b > 3) return 1; return 0; } }";
    assert!(graph(text, "A.m", 0, CALL_DEPTH).1.is_empty());
}

#[test]
fn a_list_that_is_walked_through_has_no_circle() {
    check(
        "class Node { Node next; int value; } class A { boolean m(Node n) { \
         while (n != null) { if (n.value == 7) return true; n = n.next; } return false; } }",
        "A.m",
        1,
        "0:p0 1:Node.value 2:Node.next\n0:p0->1:Node.value Object\n2:Node.next->1:Node.value Object\n\
         0:p0->2:Node.next Object",
    );
}

#[test]
fn static_state_is_an_input_and_constants_are_not() {
    check(
        "class Settings { int level; } class A { static Settings settings; static final int[] TABLE = { 1, 2 }; \
         static boolean m(int i) { if (settings.level > TABLE[i]) return true; return false; } }",
        "A.m",
        0,
        "0:A.settings 1:Settings.level\n0:A.settings->1:Settings.level Object",
    );
}

#[test]
fn a_predicate_is_looked_into() {
    check(
        "class Door { private boolean open; private int width; boolean fits(int w) { return open && width > w; } } \
         class A { boolean m(Door d) { if (d.fits(7)) return true; return false; } }",
        "A.m",
        0,
        "0:p0 1:Door.open 2:Door.width\n0:p0->1:Door.open Object\n0:p0->2:Door.width Object",
    );
}

#[test]
fn a_cast_says_what_an_object_must_be() {
    let java = "class Box { Object value; } class Coin { int worth; } class A { boolean m(Box b) { \
         Coin c = (Coin) b.value; if (c.worth > 3) return true; return false; } }";
    let (_, graph) = graph(java, "A.m", 0, CALL_DEPTH);
    assert_eq!(graph.nodes().len(), 3);
    assert_eq!(graph.nodes()[1].value_type, Type::object("Coin"));
}

#[test]
fn a_private_method_is_reached_through_what_calls_it() {
    let java = "class Cell { int load; } class A { private int limit; int m(Cell c) { if (limit > 3) return inner(c); return 0; } \
         private int inner(Cell c) { if (c.load > limit) return 1; return 0; } }";
    let program = program(&[("All.java", java)]);
    let inner = method(&program, "A.inner");
    let branch = TargetBranch {
        method: inner,
        jump: 0,
        outcome: 0,
    };
    let is_callable = |method: MethodId| method != inner;
    let graph = ConstructionGraphs::new(&program).reached(branch, &is_callable);
    assert_eq!(graph.method(), method(&program, "A.m"));
    assert_eq!(
        text(&program, &graph),
        "0:this 1:p0 2:A.limit 3:Cell.load\n0:this->2:A.limit Object\n1:p0->3:Cell.load Object"
    );
    let never = ConstructionGraphs::new(&program).reached(branch, &|_| false);
    assert!(never.is_empty());
}

#[test]
fn every_graph_of_all_branches_keeps_to_the_rules() {
    for java in [RULES, STUDENT] {
        let program = program(&[("All.java", java)]);
        let mut graphs = ConstructionGraphs::new(&program);
        for class in program.classes() {
            let probes = ClassProbes::of(&program, class.id);
            for branch in (0..probes.count()).filter_map(|probe| probes.branch(probe)) {
                let graph = graphs.of(branch);
                holds(&program, &graph);
                assert!(Arc::ptr_eq(&graph, &graphs.of(branch)));
                assert_eq!(*graph, ConstructionGraph::of(&program, branch));
            }
        }
    }
}
