//! The worked examples, and what must hold of every graph.

use super::*;
use crate::fixture::{method, program};
use palus_bytecode::{ClassProbes, Origin, Type};
use palus_fixture::samples::{ARRAY, RULES, STUDENT};
use std::collections::BTreeSet;

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
        "Subject.checkRules",
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
    let (_, graph) = graph(RULES, "Subject.checkRules", 2, 0);
    assert!(graph.is_empty() && !graph.is_too_large());
}

#[test]
fn a_chain_of_getters_is_a_chain_of_fields() {
    check(
        STUDENT,
        "Subject.example",
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
        ARRAY,
        "Subject.targetM",
        0,
        "0:this 1:p0 2:Subject.array 3:[]\n0:this->2:Subject.array Object\n1:p0->3:[] Index\n\
         2:Subject.array->3:[] Array",
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
fn what_a_collection_holds_is_state_and_an_instance_test_says_what_it_must_be() {
    let java = "import java.util.*; class A { private final Map<String, Object> map = new HashMap<>(); \
         Object held(String key) { return map.get(key); } \
         boolean m(String key) { if (held(key) instanceof Integer) return true; return false; } }";
    let (program, graph) = graph(java, "A.m", 0, CALL_DEPTH);
    assert_eq!(
        text(&program, &graph),
        "0:this 1:p0 2:A.map 3:get()\n0:this->2:A.map Object\n1:p0->3:get() Argument(0)\n2:A.map->3:get() Object"
    );
    assert_eq!(
        graph.nodes()[3].value_type,
        Type::object("java/lang/Integer")
    );
    holds(&program, &graph);
}

#[test]
fn a_lambda_of_the_code_itself_is_looked_into() {
    let java = "import java.util.function.*; class Coin { int worth; boolean is(IntPredicate p) { return p.test(worth); } } \
         class A { int limit; boolean m(Coin c) { IntPredicate above = worth -> worth > limit; \
         if (c.is(above)) return true; return false; } }";
    let (program, graph) = graph(java, "A.m", 0, CALL_DEPTH);
    let found = text(&program, &graph);
    assert!(
        found.contains(":A.limit") && found.contains(":Coin.worth"),
        "{found}"
    );
    holds(&program, &graph);
}

#[test]
fn who_has_reached_the_jump_needs_its_own_operands_alone() {
    let java = "class Door { boolean open; int width; } class A { boolean m(Door d, Door e) { \
         if (d.open) { if (e.width > 7) return true; } return false; } }";
    let program = program(&[("All.java", java)]);
    let branch = TargetBranch {
        method: method(&program, "A.m"),
        jump: 1,
        outcome: 0,
    };
    let mut graphs = ConstructionGraphs::new(&program);
    assert_eq!(graphs.of(branch).nodes().len(), 4);
    let near = graphs.from_run(branch, &|_| true, &|_| true, true);
    assert_eq!(
        text(&program, &near),
        "0:p1 1:Door.width\n0:p1->1:Door.width Object"
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
         int other(Cell c) { return inner(c); } \
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
    let other = method(&program, "A.other");
    let from_other = ConstructionGraphs::new(&program).from_run(
        branch,
        &is_callable,
        &|called| called == other,
        false,
    );
    assert_eq!(from_other.method(), other);
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
