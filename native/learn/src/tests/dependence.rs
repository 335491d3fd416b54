//! The tinySQL example of Zhang et al.: models and the two state dependences.

use super::builder::Sample;
use crate::{ArgumentRecord, Models, NodeId, Position};
use expect_test::expect;
use palus_wire::trace::{TraceEvent, TraceReader, TraceValue, TraceWriter};

/// A small SQL engine after the paper's first figure.
const JAVA: &str = "import java.util.*; class Driver { public Driver() {} \
      public boolean acceptsURL(String url) { return url.startsWith(\"jdbc:tinysql\"); } \
      public Connection connect(String url, Properties info) { if (!acceptsURL(url)) return null; \
        return getConnection(info.getProperty(\"user\"), url, this); } \
      private Connection getConnection(String user, String url, Driver d) { return new Connection(user, url, d); } } \
    class Connection { String url, user; Object tsql; Driver driver; \
      public Connection(String user, String url, Driver driver) { this.url = url; this.user = user; \
        this.driver = driver; if (url == null) throw new IllegalArgumentException(); tsql = get_tinySQL(); } \
      public Connection() {} \
      public Object get_tinySQL() { return new Object(); } \
      public Statement createStatement() { return new Statement(this); } \
      public void close() { driver = null; } } \
    class Statement { Connection connection; public Statement(Connection c) { connection = c; } \
      public void executeQuery(String sql) { if (connection == null) throw new IllegalStateException(); \
        sql.length(); } public void close() { connection = null; } }";
const PURE: &[&str] = &[
    "Driver.<init>",
    "Driver.acceptsURL",
    "Connection.<init>",
    "Connection.get_tinySQL",
    "Statement.<init>",
];
const OBJECTS: &[(&str, &str)] = &[
    ("driver", "Driver"),
    ("conn", "Connection"),
    ("stmt", "Statement"),
    ("properties", "java/util/Properties"),
];
/// The sample run with nested calls left out, as in the paper.
const RUN: &str = "
driver = new Driver()
conn = driver.connect(\"jdbc:tinysql:db\", properties)
stmt = new Statement(conn)
stmt.executeQuery(\"select * from table_name\")
stmt.close()
conn.close()
";
/// The sample run as an agent sees it.
const NESTED: &str = "
driver = new Driver()
conn = driver.connect(\"jdbc:tinysql:db\", properties)
  driver.acceptsURL(\"jdbc:tinysql:db\")
  conn = driver.getConnection(null, \"jdbc:tinysql:db\", driver)
    conn = new Connection(null, \"jdbc:tinysql:db\", driver)
      conn.get_tinySQL()
stmt = new Statement(conn)
stmt.executeQuery(\"select * from table_name\")
stmt.close()
conn.close()
";

/// State dependences as `Driver 1 -> Connection 0 Receiver`.
fn dependences(sample: &Sample, models: &Models) -> Vec<String> {
    let node = |(class, NodeId(node))| format!("{} {node}", sample.program.class(class).name);
    let text = |found: &crate::StateDependence| {
        format!(
            "{} -> {} {:?}",
            node(found.from),
            node(found.to),
            found.position
        )
    };
    models.state_dependences().iter().map(text).collect()
}

#[test]
fn each_class_gets_the_chain_of_the_paper() {
    let sample = Sample::new(JAVA, PURE);
    let models = sample.learn(OBJECTS, &[RUN]);
    expect![[r#"
        3 nodes, 2 edges
        n0 -> n1 Driver.<init> [result] {} x1
        n1 -> n2 Driver.connect [this] {self, "jdbc:tinysql:db", _} x1
    "#]]
    .assert_eq(&sample.model(&models, "Driver"));
    expect![[r#"
        3 nodes, 2 edges
        n0 -> n1 Driver.connect [result] {_, "jdbc:tinysql:db", _} x1
        n1 -> n2 Connection.close [this] {self} x1
    "#]]
    .assert_eq(&sample.model(&models, "Connection"));
    expect![[r#"
        4 nodes, 3 edges
        n0 -> n1 Statement.<init> [result] {_} x1
        n1 -> n2 Statement.executeQuery [this] {self, "select * from table_name"} x1
        n2 -> n3 Statement.close [this] {self} x1
    "#]]
    .assert_eq(&sample.model(&models, "Statement"));
}

#[test]
fn there_are_exactly_two_state_dependences() {
    let sample = Sample::new(JAVA, PURE);
    let models = sample.learn(OBJECTS, &[RUN]);
    assert_eq!(
        dependences(&sample, &models),
        [
            "Connection 1 -> Statement 0 Argument(0)",
            "Driver 1 -> Connection 0 Receiver"
        ]
    );
    // The observation itself carries the state, which is what argument look-up asks for.
    let statement = models
        .get(sample.program.class_named("Statement").unwrap())
        .unwrap();
    let record = statement.edges()[0].observations[0].at(Position::Argument(0));
    let Some(ArgumentRecord::Constrained(constraint)) = record else {
        panic!("{record:?}")
    };
    let connection = sample.program.class_named("Connection").unwrap();
    assert_eq!(constraint.dep_states, [(connection, NodeId(1))]);
    assert_eq!(constraint.class.as_deref(), Some("Connection"));
}

#[test]
fn the_run_with_its_nested_calls_has_the_same_nodes() {
    let sample = Sample::new(JAVA, PURE);
    let models = sample.learn(OBJECTS, &[NESTED]);
    let plain = sample.learn(OBJECTS, &[RUN]);
    for class in ["Driver", "Statement"] {
        assert_eq!(sample.model(&models, class), sample.model(&plain, class));
    }
    expect![[r#"
        3 nodes, 3 edges
        n0 -> n1 Driver.connect [result] {_, "jdbc:tinysql:db", _} x1
        n0 -> n1 Connection.<init> [result] (alternative) {null, "jdbc:tinysql:db", _} x1
        n1 -> n2 Connection.close [this] {self} x1
    "#]]
    .assert_eq(&sample.model(&models, "Connection"));
}

#[test]
fn a_nested_constructor_connects_the_same_nodes_once_more() {
    let sample = Sample::new(JAVA, PURE);
    let models = sample.learn(OBJECTS, &[NESTED]);
    assert_eq!(
        dependences(&sample, &models),
        [
            "Connection 1 -> Statement 0 Argument(0)",
            "Driver 1 -> Connection 0 Receiver",
            "Driver 1 -> Connection 0 Argument(2)",
        ]
    );
}

#[test]
fn an_argument_has_the_state_from_before_the_call_around_it() {
    let sample = Sample::new(JAVA, PURE);
    let trace = "driver = new Driver()\nconn = new Connection(\"u\", \"url\", driver)\nconn.close()\n  \
                 stmt = new Statement(conn)\n";
    let models = sample.learn(OBJECTS, &[trace]);
    assert!(
        dependences(&sample, &models)
            .contains(&"Connection 1 -> Statement 0 Argument(0)".to_string())
    );
}

#[test]
fn an_object_under_construction_has_no_state() {
    let sample = Sample::new(JAVA, PURE);
    let trace = "conn = new Connection(\"u\", \"url\", null)\n  stmt = new Statement(conn)\n";
    let models = sample.learn(OBJECTS, &[trace]);
    assert_eq!(dependences(&sample, &models), Vec::<String>::new());
}

#[test]
fn equal_calls_unite_their_states_and_profiles_keep_them_apart() {
    let sample = Sample::new(JAVA, PURE);
    let methods = sample.methods();
    let index = |name: &str| {
        let found = sample
            .program
            .methods()
            .iter()
            .find(|m| sample.method_name(m.id) == name);
        found.unwrap().id.0
    };
    let object = |id: u64, class: &str, profile: Option<&[u16]>| TraceValue::Object {
        id,
        class: class.into(),
        profile: profile.map(<[u16]>::to_vec),
    };
    let mut writer = TraceWriter::new(1, 1 << 16, methods);
    let mut call = |name: &str, receiver, arguments, result| {
        let method = index(name);
        writer.event(&TraceEvent::Enter {
            thread: 0,
            method,
            receiver,
            arguments,
        });
        writer.event(&TraceEvent::Exit { thread: 0, result });
    };
    let full: &[u16] = &[1, 1];
    let empty: &[u16] = &[1, 0];
    call(
        "Connection.<init>",
        None,
        vec![TraceValue::Null, TraceValue::Null, TraceValue::Null],
        Some(object(1, "Connection", None)),
    );
    for (id, profile) in [(10, full), (11, full), (12, empty)] {
        let argument = object(1, "Connection", Some(profile));
        call(
            "Statement.<init>",
            None,
            vec![argument],
            Some(object(id, "Statement", None)),
        );
        if id == 10 {
            call(
                "Connection.close",
                Some(object(1, "Connection", Some(full))),
                vec![],
                None,
            );
        }
    }
    let file = writer.finish();
    assert!(TraceReader::new(&file).is_ok());
    let models = sample.learn_files(&[file]);
    let statement = models
        .get(sample.program.class_named("Statement").unwrap())
        .unwrap();
    let seen = statement.edges()[0].observations.iter().map(|observation| {
        let Some(ArgumentRecord::Constrained(constraint)) = observation.at(Position::Argument(0))
        else {
            panic!()
        };
        let codes: Vec<_> = constraint
            .profile
            .iter()
            .flat_map(|profile| profile.0.iter())
            .collect();
        let nodes: Vec<_> = constraint
            .dep_states
            .iter()
            .map(|(_, node)| node.0)
            .collect();
        (
            codes.iter().map(|code| code.0).collect::<Vec<_>>(),
            nodes,
            observation.count,
        )
    });
    let seen: Vec<_> = seen.collect();
    assert_eq!(
        seen,
        [(vec![1, 1], vec![1, 2], 2), (vec![1, 0], vec![2], 1)]
    );
}
