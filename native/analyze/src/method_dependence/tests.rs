//! The weight tables of the paper's examples, number for number.

use super::*;
use crate::fixture::{method, program};
use crate::{Facts, access};

const STATEMENT: &str = "class Statement { private Object connection; Statement(Object c) { connection = c; } \
    String executeQuery(String sql) { if (connection == null) throw new IllegalStateException(); return sql; } \
    void close() { connection = null; } }";
/// The driver, connection and statement of the paper's first figure.
const TINY: &str = "abstract class Driver { Driver() {} \
    Connection connect(String url, java.util.Properties p) { if (!url.startsWith(\"jdbc\")) return null; \
      return getConnection(p.getProperty(\"user\"), url, this); } \
      abstract Connection getConnection(String user, String url, Driver driver); } \
    class Connection { String url, user, tsql; Driver driver; Connection() {} \
      Connection(String user, String url, Driver driver) { this.url = url; this.user = user; \
        this.driver = driver; tsql = \"t\"; } \
      Statement createStatement() { return new Statement(this); } } ";
const GATE: &str = "public class Gate { int count; boolean open; String tag; private static int made; \
    public Gate(String tag) { this.tag = tag; clear(); made++; } \
    private void clear() { count = 0; open = false; } public void open() { open = true; } \
    public void reset() { clear(); } public void enter(int n) { if (!open) return; down(n); } \
    private void down(int n) { if (n > 0) { count = count + 1; down(n - 1); } } \
    public int getCount() { return count; } public boolean busy() { return open && count > 0; } \
    public String label() { return tag + \":\" + getCount(); } public static int made() { return made; } }";
const MAP: &str = "import java.util.*; class City { private RoadMap map; private String name; \
    public City(String name) { this.name = name; } public void setMap(RoadMap m) { this.map = m; } \
    public void addRoad(City c) { map.addRoad(this, c); } \
    public int numNeighbors() { return map.numNeighbors(this); } } \
    class RoadMap { private Hashtable<City, Set<City>> cities; \
    public static RoadMap genMap() { RoadMap m = new RoadMap(); m.init(); return m; } \
    public void init() { cities = new Hashtable<City, Set<City>>(); } \
    public void addCity(City c) { cities.put(c, new HashSet<City>()); } \
    public void addRoad(City a, City b) { addConnection(a, b); addConnection(b, a); } \
    private void addConnection(City s, City t) { cities.get(s).add(t); } \
    public int numNeighbors(City c) { return cities.get(c).size(); } }";

/// The weights of a method's dependents, largest first, as `name weight`.
fn weights(java: &str, of: &str) -> String {
    let program = program(&[("All.java", &java.replace("public class", "class"))]);
    let facts = Facts::of(&program);
    let mut found = facts.relevance(method(&program, of)).weights();
    found.sort_by_key(|(_, number)| -(number * 1e6).round() as i64);
    named(&program, &found)
}

fn named(program: &Program, found: &[(MethodId, f64)]) -> String {
    let text = |(id, number): &(MethodId, f64)| {
        let method = program.method(*id);
        let class = &program.class(method.class).name;
        format!("{class}.{} {number:.4}", method.name)
    };
    found.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The tf-idf of the fields of one of a class's methods called `of`, the one with the given number of parameters.
fn importance(java: &str, of: &str, parameters: usize) -> String {
    let program = program(&[("All.java", &java.replace("public class", "class"))]);
    let facts = Facts::of(&program);
    let (class, name) = of.rsplit_once('.').unwrap();
    let class = program.class(program.class_named(class).unwrap());
    let is_it = |id: &&MethodId| {
        let method = program.method(**id);
        &*method.name == name && method.method_type.parameters.len() == parameters
    };
    let found = facts.importance(*class.methods.iter().find(is_it).unwrap());
    let text =
        |(field, number): &(FieldId, f64)| format!("{} {number:.4}", program.field(*field).name);
    found.iter().map(text).collect::<Vec<_>>().join(", ")
}

/// The dependents of a method, most likely first, as `name probability`.
fn dependents(java: &str, of: &str) -> String {
    let program = program(&[("All.java", &java.replace("public class", "class"))]);
    let facts = Facts::of(&program);
    let mut found = facts.relevance(method(&program, of)).probabilities();
    found.sort_by_key(|(_, number)| -(number * 1e6).round() as i64);
    named(&program, &found)
}

const SOLVER: &str = "class DimacsSolver { private boolean firstConstr = true; private int made; \
    public void addClause(Object literals) { if (firstConstr) { made = 1; } else { made = 2; } } \
    public void reset() { firstConstr = true; } public int size() { return made; } }";

#[test]
fn adding_a_clause_depends_on_resetting_the_solver() {
    assert_eq!(
        dependents(SOLVER, "DimacsSolver.addClause"),
        "DimacsSolver.reset 1.0000"
    );
    assert_eq!(dependents(SOLVER, "DimacsSolver.reset"), "");
}

#[test]
fn executing_a_query_depends_on_closing_the_statement() {
    let java = format!("{TINY}{STATEMENT}");
    assert_eq!(
        dependents(&java, "Statement.executeQuery"),
        "Connection.createStatement 0.5000, Statement.close 0.5000"
    );
    assert_eq!(dependents(&java, "Statement.close"), "");
    assert_eq!(dependents(&java, "Driver.connect"), "");
}

#[test]
fn the_weights_of_the_papers_first_figure() {
    let java = format!("{TINY}{STATEMENT}");
    assert_eq!(
        weights(&java, "Statement.executeQuery"),
        "Connection.createStatement 0.6931, Statement.close 0.6931"
    );
    assert_eq!(
        importance(&java, "Connection.createStatement", 0),
        "connection 0.6931"
    );
    assert_eq!(importance(&java, "Connection.<init>", 0), "");
    // A quarter of 2.0794 each.
    assert_eq!(
        importance(&java, "Connection.<init>", 3),
        "url 0.5199, user 0.5199, tsql 0.5199, driver 0.5199"
    );
}

#[test]
fn a_field_that_every_method_touches_is_drawn_evenly() {
    assert_eq!(
        weights(STATEMENT, "Statement.executeQuery"),
        "Statement.close 0.0000"
    );
    assert_eq!(
        importance(STATEMENT, "Statement.executeQuery", 1),
        "connection 0.0000"
    );
    assert_eq!(
        dependents(STATEMENT, "Statement.executeQuery"),
        "Statement.close 1.0000"
    );
}

#[test]
fn the_road_map_is_shared_through_private_callees_only() {
    let third = "RoadMap.init 0.3333, RoadMap.addRoad 0.3333, RoadMap.numNeighbors 0.3333";
    assert_eq!(dependents(MAP, "RoadMap.addCity"), third);
    let half = "City.setMap 0.5000, City.numNeighbors 0.5000";
    assert_eq!(dependents(MAP, "City.addRoad"), half);
    for none in [
        "RoadMap.init",
        "City.setMap",
        "City.<init>",
        "RoadMap.<init>",
    ] {
        assert_eq!(dependents(MAP, none), "", "{none}");
    }
}

#[test]
fn the_weights_of_the_road_map() {
    let third = "RoadMap.init 0.9163, RoadMap.addRoad 0.9163, RoadMap.numNeighbors 0.9163";
    assert_eq!(weights(MAP, "RoadMap.addCity"), third);
    let half = "City.setMap 1.2040, City.numNeighbors 1.2040";
    assert_eq!(weights(MAP, "City.addRoad"), half);
    assert_eq!(importance(MAP, "RoadMap.addRoad", 2), "cities 0.9163");
    assert_eq!(importance(MAP, "City.addRoad", 1), "map 1.2040");
    assert_eq!(importance(MAP, "City.<init>", 1), "name 2.3026");
}

#[test]
fn the_weights_of_the_gate() {
    for (of, parameters, fields, candidates) in [
        (
            "enter",
            1,
            "count 0.3133, open 0.1567",
            "Gate.reset 0.4700, Gate.busy 0.4700, Gate.getCount 0.3133, Gate.open 0.1567",
        ),
        (
            "getCount",
            0,
            "count 0.4700",
            "Gate.reset 0.4700, Gate.enter 0.4700, Gate.busy 0.4700",
        ),
        (
            "busy",
            0,
            "count 0.2350, open 0.2350",
            "Gate.reset 0.4700, Gate.enter 0.4700, Gate.open 0.2350, Gate.getCount 0.2350",
        ),
        (
            "<init>",
            1,
            "count 0.0940, open 0.0940, tag 0.2773, made 0.5545",
            "Gate.made 0.5545",
        ),
        ("open", 0, "open 0.4700", ""),
        ("reset", 0, "count 0.2350, open 0.2350", ""),
        ("label", 0, "tag 1.3863", ""),
        ("made", 0, "made 1.3863", ""),
    ] {
        let of = format!("Gate.{of}");
        assert_eq!(importance(GATE, &of, parameters), fields, "{of}");
        assert_eq!(weights(GATE, &of), candidates, "{of}");
    }
}

#[test]
fn weights_follow_how_often_a_field_is_touched() {
    for (of, expected) in [
        (
            "enter",
            "Gate.reset 0.3333, Gate.busy 0.3333, Gate.getCount 0.2222, Gate.open 0.1111",
        ),
        (
            "getCount",
            "Gate.reset 0.3333, Gate.enter 0.3333, Gate.busy 0.3333",
        ),
        (
            "busy",
            "Gate.reset 0.3333, Gate.enter 0.3333, Gate.open 0.1667, Gate.getCount 0.1667",
        ),
        ("<init>", "Gate.made 1.0000"),
        ("open", ""),
        ("reset", ""),
        ("label", ""),
        ("made", ""),
    ] {
        assert_eq!(dependents(GATE, &format!("Gate.{of}")), expected, "{of}");
    }
}

#[test]
fn accesses_are_counted_with_private_callees_once() {
    let program = program(&[("Gate.java", GATE)]);
    let accesses = access::of(&program);
    let counts = |name: &str| {
        let access = &accesses[method(&program, &format!("Gate.{name}")).index()];
        let name = |field| program.field(field).name.to_string();
        access
            .fields()
            .into_iter()
            .map(|field| (name(field), access.count(field)))
            .collect::<Vec<_>>()
    };
    let expected = |list: &[(&str, u32)]| {
        list.iter()
            .map(|(name, count)| ((*name).to_string(), *count))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        counts("<init>"),
        expected(&[("count", 1), ("open", 1), ("tag", 1), ("made", 2)])
    );
    assert_eq!(counts("enter"), expected(&[("count", 2), ("open", 1)]));
    assert_eq!(counts("open"), expected(&[("open", 1)]));
    assert_eq!(counts("reset"), expected(&[("count", 1), ("open", 1)]));
    assert_eq!(counts("getCount"), expected(&[("count", 1)]));
    assert_eq!(counts("busy"), expected(&[("count", 1), ("open", 1)]));
    assert_eq!(counts("label"), expected(&[("tag", 1)]));
    assert_eq!(counts("made"), expected(&[("made", 1)]));
}

#[test]
fn an_even_number_draws_by_weight() {
    let program = program(&[("Gate.java", GATE)]);
    let facts = Facts::of(&program);
    let relevance = facts.relevance(method(&program, "Gate.enter"));
    let names = [0.0, 0.1, 0.2, 0.5, 0.7, 0.9999].map(|even| {
        program
            .method(relevance.draw(even).unwrap())
            .name
            .to_string()
    });
    assert_eq!(names, ["open", "open", "reset", "getCount", "busy", "busy"]);
    assert_eq!(
        facts.relevance(method(&program, "Gate.open")).draw(0.5),
        None
    );
}
