//! The road map of Kiezun et al., from trace to models.

use super::builder::Sample;
use expect_test::{Expect, expect};

pub(super) const JAVA: &str = "import java.util.*; class City { private RoadMap map; private String name; \
    public City(String name) { this.name = name; } public void setMap(RoadMap m) { map = m; } \
    public void addRoad(City c) { map.addRoad(this, c); } \
    public int numNeighbors() { return map.numNeighbors(this); } } \
    class RoadMap { private Hashtable<City, Set<City>> cities; \
    public static RoadMap genMap() { RoadMap m = new RoadMap(); m.init(); return m; } \
    public void init() { cities = new Hashtable<City, Set<City>>(); } \
    public void addCity(City c) { cities.put(c, new HashSet<City>()); } \
    public void addRoad(City a, City b) { addConnection(a, b); addConnection(b, a); } \
    private void addConnection(City s, City t) { cities.get(s).add(t); } \
    public int numNeighbors(City c) { return cities.get(c).size(); } }";
pub(super) const PURE: &[&str] = &[
    "City.numNeighbors",
    "RoadMap.numNeighbors",
    "City.<init>",
    "RoadMap.<init>",
];
pub(super) const OBJECTS: &[(&str, &str)] = &[
    ("m1", "RoadMap"),
    ("c1", "City"),
    ("c2", "City"),
    ("m2", "RoadMap"),
];
pub(super) const RUN: &str = "
m1 = RoadMap.genMap()
  m1 = new RoadMap()
  m1.init()
c1 = new City(\"Portland\")
c1.setMap(m1)
c2 = new City(\"Seattle\")
c2.setMap(m1)
m1.addCity(c1)
m1.addCity(c2)
c1.addRoad(c2)
  m1.addRoad(c1, c2)
    m1.addConnection(c1, c2)
    m1.addConnection(c2, c1)
c1.numNeighbors()
  m1.numNeighbors(c1)
";
const SHORT: &str = "
m2 = new RoadMap()
m2.init()
c1.setMap(m2)
";

fn sample() -> Sample {
    Sample::new(JAVA, PURE)
}

fn check(traces: &[&str], class: &str, expected: &Expect) {
    let sample = sample();
    expected.assert_eq(&sample.model(&sample.learn(OBJECTS, traces), class));
}

/// The history of one object: a line per call, nested calls deeper.
fn history(java: &str, pure: &[&'static str], object: &str) -> String {
    let sample = Sample::new(java, pure);
    sample.history(OBJECTS, RUN, object)
}

#[test]
fn selecting_and_abstracting_leaves_the_calls_with_the_object() {
    let all_kept = JAVA.replace("private void addConnection", "public void addConnection");
    expect![[r#"
        City.<init>("Portland")
        City.setMap(self, _)
        RoadMap.addCity(_, self)
        City.addRoad(self, _)
          RoadMap.addRoad(_, self, _)
            RoadMap.addConnection(_, self, _)
            RoadMap.addConnection(_, _, self)
        City.numNeighbors(self)
          RoadMap.numNeighbors(_, self)
    "#]]
    .assert_eq(&history(&all_kept, &[], "c1"));
}

#[test]
fn private_and_pure_calls_are_filtered() {
    expect![[r#"
        City.<init>("Portland")
        City.setMap(self, _)
        RoadMap.addCity(_, self)
        City.addRoad(self, _)
          RoadMap.addRoad(_, self, _)
    "#]]
    .assert_eq(&history(JAVA, PURE, "c1"));
    expect![[r#"
        City.<init>("Seattle")
        City.setMap(self, _)
        RoadMap.addCity(_, self)
        City.addRoad(_, self)
          RoadMap.addRoad(_, _, self)
    "#]]
    .assert_eq(&history(JAVA, PURE, "c2"));
}

#[test]
fn the_cities_share_a_path_up_to_the_road() {
    check(
        &[RUN],
        "City",
        &expect![[r#"
            6 nodes, 7 edges
            n0 -> n1 City.<init> [result] {"Portland"} x1 {"Seattle"} x1
            n1 -> n2 City.setMap [this] {self, _} x2
            n2 -> n3 RoadMap.addCity [argument 0] {_, self} x2
            n3 -> n4 City.addRoad [this] {self, _} x1
            n3 -> n4 RoadMap.addRoad [argument 0] (alternative) {_, self, _} x1
            n3 -> n5 City.addRoad [argument 0] {_, self} x1
            n3 -> n5 RoadMap.addRoad [argument 1] (alternative) {_, _, self} x1
        "#]],
    );
}

#[test]
fn the_map_may_be_made_by_its_factory_or_step_by_step() {
    check(
        &[RUN],
        "RoadMap",
        &expect![[r"
            8 nodes, 8 edges
            n0 -> n1 RoadMap.genMap [result] {} x1
            n0 -> n2 RoadMap.<init> [result] (alternative) {} x1
            n2 -> n1 RoadMap.init [this] (alternative) {self} x1
            n1 -> n3 City.setMap [argument 0] {_, self} x1
            n3 -> n4 City.setMap [argument 0] {_, self} x1
            n4 -> n5 RoadMap.addCity [this] {self, _} x1
            n5 -> n6 RoadMap.addCity [this] {self, _} x1
            n6 -> n7 RoadMap.addRoad [this] {self, _, _} x1
        "]],
    );
}

#[test]
fn a_second_object_reuses_what_is_there() {
    check(
        &[RUN, SHORT],
        "RoadMap",
        &expect![[r"
            8 nodes, 8 edges
            n0 -> n1 RoadMap.genMap [result] {} x1
            n0 -> n2 RoadMap.<init> [result] (alternative) {} x2
            n2 -> n1 RoadMap.init [this] (alternative) {self} x2
            n1 -> n3 City.setMap [argument 0] {_, self} x2
            n3 -> n4 City.setMap [argument 0] {_, self} x1
            n4 -> n5 RoadMap.addCity [this] {self, _} x1
            n5 -> n6 RoadMap.addCity [this] {self, _} x1
            n6 -> n7 RoadMap.addRoad [this] {self, _, _} x1
        "]],
    );
}

#[test]
fn in_the_opposite_order_init_leads_to_two_nodes() {
    let factory = "m1 = RoadMap.genMap()\n  m1 = new RoadMap()\n  m1.init()\nc1.setMap(m1)\n";
    check(
        &[SHORT, factory],
        "RoadMap",
        &expect![[r"
            6 nodes, 6 edges
            n0 -> n1 RoadMap.<init> [result] {} x2
            n1 -> n2 RoadMap.init [this] {self} x1
            n2 -> n3 City.setMap [argument 0] {_, self} x1
            n0 -> n4 RoadMap.genMap [result] {} x1
            n1 -> n4 RoadMap.init [this] (alternative) {self} x1
            n4 -> n5 City.setMap [argument 0] {_, self} x1
        "]],
    );
}

const SMALL: &str = "class Q { void f() {} void g(Object o) {} static Q same(Q q) { return q; } } \
    class L { void add(int x) {} }";

fn check_small(trace: &str, class: &str, expected: &Expect) {
    let sample = Sample::new(SMALL, &[]);
    let objects = [("q", "Q"), ("r", "Q"), ("l", "L")];
    expected.assert_eq(&sample.model(&sample.learn(&objects, &[trace]), class));
}

#[test]
fn a_call_nested_in_itself_adds_nothing() {
    check_small(
        "q = new Q()\nq.f()\n  q.f()",
        "Q",
        &expect![[r"
            3 nodes, 2 edges
            n0 -> n1 Q.<init> [result] {} x1
            n1 -> n2 Q.f [this] {self} x2
        "]],
    );
}

#[test]
fn two_calls_nested_in_their_like_are_a_path_beside_it() {
    check_small(
        "q = new Q()\nq.f()\n  q.f()\n  q.f()",
        "Q",
        &expect![[r"
            4 nodes, 4 edges
            n0 -> n1 Q.<init> [result] {} x1
            n1 -> n2 Q.f [this] {self} x1
            n1 -> n3 Q.f [this] (alternative) {self} x1
            n3 -> n2 Q.f [this] (alternative) {self} x1
        "]],
    );
}

#[test]
fn repeated_calls_are_a_chain() {
    check_small(
        "l = new L()\nl.add(1)\nl.add(2)\nl.add(2)\nl.add(3)\nl.add(null)",
        "L",
        &expect![[r"
            7 nodes, 6 edges
            n0 -> n1 L.<init> [result] {} x1
            n1 -> n2 L.add [this] {self, Int(1)} x1
            n2 -> n3 L.add [this] {self, Int(2)} x1
            n3 -> n4 L.add [this] {self, Int(2)} x1
            n4 -> n5 L.add [this] {self, Int(3)} x1
            n5 -> n6 L.add [this] {self, null} x1
        "]],
    );
}

#[test]
fn an_object_in_two_roles_has_one_edge_with_both() {
    check_small(
        "q = new Q()\nq.g(q)\nq = Q.same(q)",
        "Q",
        &expect![[r"
            4 nodes, 3 edges
            n0 -> n1 Q.<init> [result] {} x1
            n1 -> n2 Q.g [this argument 0] {self, self} x1
            n2 -> n3 Q.same [argument 0] {self} x1
        "]],
    );
}

#[test]
fn deep_recursion_is_cut_after_the_second_level() {
    let depth = 1000;
    let mut trace = "q = new Q()\n".to_string();
    for level in 0..depth {
        trace.push_str(&"  ".repeat(level));
        trace.push_str("q.g(r)\n");
    }
    check_small(
        &trace,
        "Q",
        &expect![[r"
            3 nodes, 2 edges
            n0 -> n1 Q.<init> [result] {} x1
            n1 -> n2 Q.g [this] {self, _} x2
        "]],
    );
}

#[test]
fn recursion_of_two_methods_a_hundred_thousand_deep_is_survived() {
    use palus_wire::trace::{TraceEvent, TraceValue, TraceWriter};
    let sample = Sample::new(SMALL, &[]);
    let methods = sample.methods();
    let index = |name: &str| {
        methods
            .iter()
            .position(|method| &*method.name == name && &*method.class == "Q")
            .unwrap() as u32
    };
    let (create, f, g) = (index("<init>"), index("f"), index("g"));
    let q = || TraceValue::Object {
        id: 1,
        class: "Q".into(),
        profile: None,
    };
    let mut writer = TraceWriter::new(1, 1 << 16, methods);
    writer.event(&TraceEvent::Enter {
        thread: 0,
        method: create,
        receiver: None,
        arguments: vec![],
    });
    writer.event(&TraceEvent::Exit {
        thread: 0,
        result: Some(q()),
    });
    for level in 0..100_000 {
        let (method, arguments) = if level % 2 == 0 {
            (f, vec![])
        } else {
            (g, vec![TraceValue::Null])
        };
        writer.event(&TraceEvent::Enter {
            thread: 0,
            method,
            receiver: Some(q()),
            arguments,
        });
    }
    for _ in 0..100_000 {
        writer.event(&TraceEvent::Exit {
            thread: 0,
            result: None,
        });
    }
    let models = sample.learn_files(&[writer.finish()]);
    let model = models
        .get(sample.program.class_named("Q").unwrap())
        .unwrap();
    assert_eq!(model.outgoing(crate::NodeId::ROOT).len(), 1);
    assert!(model.edges().len() < 60, "{}", model.edges().len());
}
