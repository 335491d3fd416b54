//! The paper's tinySQL example step by step with scripted draws, replay, the modes, and the user's values.

mod leading;

use crate::draft::Candidate;
use crate::generator::Generator;
use crate::guided::{Guided, add_where_called};
use crate::tests::{FakeExecutor, method, models, models_of_tests, object, program};
use crate::{DependentPosition, Generated, Mode, Replayed, Unit, UserValues, generate};
use palus_analyze::Facts;
use palus_bytecode::{MethodId, Program};
use palus_learn::{Models, NodeId};
use palus_sequence::{End, Sequence, Statement, Value, check};
use palus_wire::trace::TraceValue;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The code of the paper's first figure, as far as it matters here.
const TINY: &[(&str, &str)] = &[(
    "t/Statement.java",
    r#"package t;
public class Statement {
  private Object connection;
  public Statement(SqlConnection connection) { this.connection = connection; }
  public void executeQuery(String sql) { if (connection == null) throw new IllegalStateException(); System.out.println(sql); }
  public void close() { connection = null; }
}
interface Connection {}
class Driver { Driver() {}
  Connection connect(String url, java.util.Properties p) {
    return url.startsWith("jdbc") ? new SqlConnection(p.getProperty("user"), url, this) : null; } }
class SqlConnection implements Connection {
  private String url, user; private Driver driver;
  SqlConnection() {}
  SqlConnection(String user, String url, Driver driver) { this.url = url; this.user = user; this.driver = driver; }
  Statement createStatement() { return new Statement(this); }
  void close() {} }
"#,
)];
const URL: &str = "jdbc:tinysql:db";
const SQL: &str = "select * from table_name";

/// The sample run of the paper's second figure.
fn tiny_models(program: &Program) -> Models {
    let named = |class: &str, name: &str| method(program, class, name);
    let (driver, connection) = (object(1, "t/Driver"), object(3, "t/SqlConnection"));
    let (properties, statement) = (object(2, "java/util/Properties"), object(4, "t/Statement"));
    let text = |text: &str| TraceValue::Text(text.into());
    let calls = vec![
        (
            named("t/Driver", "<init>"),
            None,
            vec![],
            Some(driver.clone()),
        ),
        (
            named("t/Driver", "connect"),
            Some(driver),
            vec![text(URL), properties],
            Some(connection.clone()),
        ),
        (
            named("t/Statement", "<init>"),
            None,
            vec![connection.clone()],
            Some(statement.clone()),
        ),
        (
            named("t/Statement", "executeQuery"),
            Some(statement.clone()),
            vec![text(SQL)],
            None,
        ),
        (named("t/Statement", "close"), Some(statement), vec![], None),
        (
            named("t/SqlConnection", "close"),
            Some(connection),
            vec![],
            None,
        ),
    ];
    models(program, calls)
}

/// A sequence as text, constants in their places.
fn text(program: &Program, sequence: &Sequence) -> String {
    let mut text = String::new();
    let mut names: Vec<String> = Vec::new();
    let mut objects = 0;
    for statement in sequence.statements() {
        let mut name = String::new();
        match statement {
            Statement::Value(Value::Text(constant)) => name = format!("\"{constant}\""),
            Statement::Value(Value::Null(_)) => name = "null".into(),
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let called = program.method(*method);
                let arguments: Vec<&str> = arguments
                    .iter()
                    .map(|argument| names[argument.index()].as_str())
                    .collect();
                let arguments = arguments.join(", ");
                let class = program.class(called.class).name.rsplit('/').next().unwrap();
                let call = match receiver {
                    Some(on) => format!("{}.{}({arguments})", names[on.index()], called.name),
                    None => format!("new {class}({arguments})"),
                };
                if statement.defined_type(program) == palus_bytecode::Type::Void {
                    let _ = write!(text, "{call}; ");
                } else {
                    name = format!("v{objects}");
                    objects += 1;
                    let _ = write!(text, "{name} = {call}; ");
                }
            }
            other => {
                let _ = write!(text, "{other:?}; ");
            }
        }
        names.push(name);
    }
    text.trim_end().to_owned()
}

/// Generation of one unit, one candidate at a time.
struct Steps<'a> {
    generator: Generator<'a>,
    guided: Guided<'a>,
    executor: FakeExecutor<'a>,
}

impl<'a> Steps<'a> {
    fn new(
        program: &'a Program,
        facts: &'a Facts,
        models: &'a Models,
        user_values: &'a UserValues,
        mode: Mode,
        dependent_position: DependentPosition,
    ) -> Self {
        let unit = Unit {
            program,
            facts,
            models,
            subject: program.class_named("t/Statement").unwrap(),
            seed: 0,
            steps: 100,
            mode,
            dependent_position,
            user_values,
            gives_up: true,
            keeps_failures: false,
        };
        let generator = Generator::new(unit);
        let guided = Guided::new(generator.maker()).unwrap();
        let mut executor = FakeExecutor::new(program);
        let connect = method(program, "t/Driver", "connect");
        executor.classes = vec![(connect, "t/SqlConnection".into())];
        Steps {
            generator,
            guided,
            executor,
        }
    }

    /// The number of a class's model.
    fn model(&self, class: &str) -> usize {
        let class = self.generator.maker().program().class_named(class).unwrap();
        let mut models = self.guided.models.iter();
        models.position(|model| model.class() == class).unwrap()
    }

    /// Makes the candidate that follows from these draws, runs and files it.
    fn step(&mut self, draws: &[usize]) -> String {
        self.generator.maker_mut().rng().script(draws);
        let candidate = self.guided.candidate(self.generator.maker_mut()).unwrap();
        self.run(candidate)
    }

    fn run(&mut self, mut candidate: Candidate) -> String {
        let program = self.generator.maker().program();
        assert_eq!(check(program, &candidate.sequence), Ok(()));
        let outcome = self.executor.run(&candidate.sequence);
        self.generator.file(&mut candidate, &outcome);
        self.guided
            .file(self.generator.maker_mut(), &candidate, &outcome);
        text(program, &candidate.sequence)
    }

    /// Sequences filed under a node: for look-up, and to go on from.
    fn filed(&self, class: &str, node: u32) -> (usize, usize) {
        let model = self.model(class);
        let state = (self.guided.models[model].class(), NodeId(node));
        let known = self.guided.by_state.get(&state).map_or(0, Vec::len);
        let waiting = self.guided.reaching.at((model, node as usize));
        (known, waiting.len())
    }
}

const START: usize = 99;
const EXTEND: usize = 0;
/// Three quarters of the way through the candidates of `executeQuery`: `Statement.close`.
const CLOSE: usize = 3 << 28;
/// Goes on from the statement, three times drawn, with its query.
const QUERY_THEN_CLOSE: [usize; 11] = [EXTEND, 0, 0, 0, 0, 0, 0, 0, 0, 0, CLOSE];

/// The first three steps: a driver, a connection, a statement.
fn three_steps(steps: &mut Steps<'_>) -> [String; 3] {
    let (driver, connection) = (steps.model("t/Driver"), steps.model("t/SqlConnection"));
    if steps.guided.mode == Mode::Literal {
        [driver, connection, 0].map(|model| steps.step(&[START, model]))
    } else {
        let own = steps.guided.own;
        [
            steps.step(&[START, 0, driver - own]),
            steps.step(&[START, 0, connection - own]),
            steps.step(&[START, 99, 0]),
        ]
    }
}

#[test]
fn the_five_steps_of_the_example_come_out() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let values = UserValues::default();
    let after = DependentPosition::After;
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Full, after);
    let s1 = "v0 = new Driver();";
    let s2 = format!("{s1} v1 = new Properties(); v2 = v0.connect(\"{URL}\", v1);");
    let s3 = format!("{s2} v3 = new Statement(v2);");
    let s4 = format!("{s3} v3.executeQuery(\"{SQL}\"); v3.close();");
    let s5 = format!("{s4} v3.close();");
    assert_eq!(three_steps(&mut steps), [s1, &s2, &s3]);
    assert_eq!(steps.filed("t/Driver", 1), (1, 1));
    assert_eq!(steps.filed("t/SqlConnection", 1), (1, 1));
    assert_eq!(steps.filed("t/Statement", 1), (1, 1));
    assert_eq!(steps.step(&QUERY_THEN_CLOSE), s4);
    assert_eq!(steps.filed("t/Statement", 1), (1, 0));
    assert_eq!(steps.filed("t/Statement", 2), (1, 1));
    assert_eq!(steps.step(&[EXTEND, 0]), s5);
    assert_eq!(steps.filed("t/Statement", 2), (1, 0));
    assert_eq!(steps.filed("t/Statement", 3), (1, 0));
}

#[test]
fn a_dependent_call_may_come_first() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let values = UserValues::default();
    let before = DependentPosition::Before;
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Full, before);
    let [.., s3] = three_steps(&mut steps);
    let s4 = steps.step(&QUERY_THEN_CLOSE);
    assert_eq!(s4, format!("{s3} v3.close(); v3.executeQuery(\"{SQL}\");"));
}

#[test]
fn the_literal_mode_passes_null_and_finds_by_type() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let values = UserValues::default();
    let before = DependentPosition::Before;
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Literal, before);
    let [s1, s2, s3] = three_steps(&mut steps);
    assert_eq!(s1, "v0 = new Driver();");
    assert_eq!(s2, format!("{s1} v1 = v0.connect(\"{URL}\", null);"));
    assert_eq!(s3, format!("{s2} v2 = new Statement(v1);"));
    // Node C1 comes first; the dependent call has a statement of its own, found by type.
    let s4 = steps.step(&[EXTEND, 0, 0, 0, 0, CLOSE]);
    let copy =
        format!("v3 = new Driver(); v4 = v3.connect(\"{URL}\", null); v5 = new Statement(v4);");
    assert_eq!(
        s4,
        format!("{s3} v2.executeQuery(\"{SQL}\"); {copy} v5.close();")
    );
    assert_eq!(steps.filed("t/Statement", 1), (1, 0));
    assert_eq!(steps.filed("t/Statement", 2), (1, 1));
}

#[test]
fn a_sequence_whose_model_call_threw_is_filed_in_literal_mode_alone() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let values = UserValues::default();
    let query = method(&program, "t/Statement", "executeQuery");
    let close = method(&program, "t/Statement", "close");
    let thrown = End::Threw(palus_sequence::Thrown {
        statement: 0,
        class: "java/lang/IllegalStateException".into(),
        message: None,
        top_frame: None,
        fields: Vec::new(),
    });
    let after = DependentPosition::After;
    for (mode, thrower, expected) in [
        (Mode::Full, query, 0),
        // What threw was the dependent call: the way up to the query is good.
        (Mode::Full, close, 1),
        (Mode::Literal, query, 1),
    ] {
        let mut steps = Steps::new(&program, &facts, &models, &values, mode, after);
        three_steps(&mut steps);
        steps.executor.ends = vec![(thrower, thrown.clone())];
        if mode == Mode::Full {
            steps.step(&QUERY_THEN_CLOSE);
        } else {
            steps.step(&[EXTEND, 0, 0, 0, 0, CLOSE]);
        }
        assert_eq!(steps.filed("t/Statement", 2).1, expected, "{mode:?}");
        if thrower == close {
            let way = &steps.guided.reaching.at((0, 2))[0];
            let calls = way.statements.iter();
            assert!(!calls.into_iter().any(
                |statement| matches!(statement, Statement::Call { method, .. } if *method == close)
            ));
        }
    }
}

#[test]
fn equal_weights_of_zero_are_drawn_evenly_but_in_literal_mode() {
    let alone = &[(
        "t/Statement.java",
        "package t; public class Statement { private Object connection; \
         public Statement(Object c) { connection = c; } \
         public void executeQuery(String sql) { if (connection == null) throw new Error(); System.out.println(sql); } \
         public void close() { connection = null; } }",
    )];
    let program = program(alone);
    let named = |name: &str| method(&program, "t/Statement", name);
    let statement = object(1, "t/Statement");
    let text = TraceValue::Text(SQL.into());
    let traced = models(
        &program,
        vec![
            (
                named("<init>"),
                None,
                vec![TraceValue::Text("c".into())],
                Some(statement.clone()),
            ),
            (named("executeQuery"), Some(statement), vec![text], None),
        ],
    );
    let (facts, values) = (Facts::of(&program), UserValues::default());
    for (mode, expected) in [(Mode::Full, true), (Mode::Literal, false)] {
        let after = DependentPosition::After;
        let unit = Unit {
            program: &program,
            facts: &facts,
            models: &traced,
            subject: program.class_named("t/Statement").unwrap(),
            seed: 0,
            steps: 100,
            mode,
            dependent_position: after,
            user_values: &values,
            gives_up: true,
            keeps_failures: false,
        };
        let mut generator = Generator::new(unit);
        let mut guided = Guided::new(generator.maker()).unwrap();
        let mut draft = crate::draft::Draft::default();
        let query = named("executeQuery");
        generator.maker_mut().rng().script(&[]);
        let own = generator.maker().unit().subject;
        let maker = generator.maker_mut();
        let own = maker.kinds().of_class(own);
        let new = maker.fresh(&mut draft, own, 0).unwrap();
        let called = guided.call_dependent(generator.maker_mut(), &mut draft, query, Some(new));
        assert_eq!(called.is_some(), expected, "{mode:?}");
    }
}

fn run(
    program: &Program,
    models: &Models,
    values: &UserValues,
    mode: Mode,
    steps: u64,
) -> (Generated, Vec<Sequence>) {
    let facts = Facts::of(program);
    let unit = Unit {
        program,
        facts: &facts,
        models,
        subject: program.class_named("t/Statement").unwrap(),
        seed: 3,
        steps,
        mode,
        dependent_position: DependentPosition::Random,
        user_values: values,
        gives_up: true,
        keeps_failures: false,
    };
    let mut executor = FakeExecutor::new(program);
    let connect = method(program, "t/Driver", "connect");
    executor.classes = vec![(connect, "t/SqlConnection".into())];
    let generated = generate(unit, &mut executor).unwrap();
    (generated, executor.executed)
}

#[test]
fn the_histories_of_the_trace_are_the_first_sequences() {
    let program = program(TINY);
    let models = tiny_models(&program);
    let (generated, executed) = run(&program, &models, &UserValues::default(), Mode::Full, 300);
    let expected = Replayed {
        exactly: 0,
        with_look_ups: 3,
        failed: 0,
    };
    assert_eq!(generated.replayed, expected);
    // The statement's own history on the connection and the driver of theirs.
    let query = format!(".executeQuery(\"{SQL}\"); ");
    let first = executed.iter().position(|sequence| {
        let text = text(&program, sequence);
        let (before, after) = text.split_once(&query).unwrap_or_default();
        let (_, made) = before.rsplit_once("; ").unwrap_or_default();
        before.contains(&format!("{made} = new Statement(")) && after == format!("{made}.close();")
    });
    assert!(first.is_some_and(|first| first < 5), "{first:?}");
    assert_eq!(text(&program, &executed[0]).matches("connect").count(), 1);
}

const TOWN: &[(&str, &str)] = &[(
    "t/Town.java",
    r"package t;
public class Town {
  public static int open(City[] cities) { return cities.length; }
}
class City { City(String name) {} void join(Map map) {} }
class Map { Map() {} void add(City city) {} }
",
)];

#[test]
fn a_test_comes_back_with_the_very_objects_it_used() {
    let program = program(TOWN);
    let named = |class: &str, name: &str| method(&program, class, name);
    let (oslo, moss, map) = (object(1, "t/City"), object(2, "t/City"), object(3, "t/Map"));
    let new_city = |name: &str, city: &TraceValue| {
        let made = Some(city.clone());
        let name = TraceValue::Text(name.into());
        (named("t/City", "<init>"), None, vec![name], made)
    };
    let array = TraceValue::Array {
        id: 9,
        class: "[Lt/City;".into(),
        length: 2,
        profile: 0,
        elements: vec![moss.clone(), oslo.clone()],
    };
    let whole = vec![
        new_city("Oslo", &oslo),
        new_city("Moss", &moss),
        (named("t/Map", "<init>"), None, vec![], Some(map.clone())),
        (named("t/City", "join"), Some(moss), vec![map.clone()], None),
        (named("t/Map", "add"), Some(map), vec![oslo], None),
        (named("t/Town", "open"), None, vec![array], None),
    ];
    // In the first test the subject does not run.
    let tests = vec![vec![new_city("Hamar", &object(7, "t/City"))], whole];
    let models = models_of_tests(&program, tests);
    let (facts, values) = (Facts::of(&program), UserValues::default());
    let unit = |mode| Unit {
        program: &program,
        facts: &facts,
        models: &models,
        subject: program.class_named("t/Town").unwrap(),
        seed: 1,
        steps: 50,
        mode,
        dependent_position: DependentPosition::After,
        user_values: &values,
        gives_up: true,
        keeps_failures: false,
    };
    let expected = "v0 = new City(\"Oslo\"); v1 = new City(\"Moss\"); v2 = new Map(); v1.join(v2); v2.add(v0); \
                    NewArray { element: Object(\"t/City\"), elements: [Variable(3), Variable(1)] }; ";
    let first = |mode| {
        let mut executor = FakeExecutor::new(&program);
        let generated = generate(unit(mode), &mut executor).unwrap();
        let executed = text(&program, &executor.executed[0]);
        (executed, generated.replayed.exactly)
    };
    // The town has no model, since it has no objects.
    let (executed, exactly) = first(Mode::Full);
    assert!(executed.starts_with(expected), "{executed}");
    assert_eq!(exactly, 1);
    assert_eq!(first(Mode::Constraints).1, 0);
}

#[test]
fn an_object_is_led_to_a_state_that_no_sequence_reached_yet() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let values = UserValues::default();
    let after = DependentPosition::After;
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Full, after);
    let made = steps.step(&[START, 99, 0]);
    let connect = format!("v1 = new Properties(); v2 = v0.connect(\"{URL}\", v1);");
    let expected = format!("v0 = new Driver(); {connect} v3 = new Statement(v2);");
    assert_eq!(made, expected);
    // What was made on the way is there for others.
    assert_eq!(steps.filed("t/Driver", 1), (1, 1));
    assert_eq!(steps.filed("t/SqlConnection", 1), (1, 1));
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Literal, after);
    steps.step(&[START, 0]);
    assert_eq!(steps.filed("t/SqlConnection", 1), (0, 0));
}

#[test]
fn a_method_that_no_model_calls_has_the_models_of_what_it_made_or_took_elsewhere() {
    let program = program(TINY);
    let models = tiny_models(&program);
    let class = |name: &str| program.class_named(name).unwrap();
    let known = |name: &str| models.get(class(name)).unwrap();
    let added = |first: &str, subject: &str| {
        let mut some = vec![known(first)];
        let is_own = |method| program.method(method).class == class(subject);
        add_where_called(&mut some, models.iter(), is_own);
        let names = some[1..]
            .iter()
            .map(|model| &*program.class(model.class()).name);
        names.collect::<Vec<_>>()
    };
    // A connection is what `Driver.connect` made.
    assert_eq!(added("t/Statement", "t/Driver")[0], "t/Driver");
    assert_eq!(added("t/SqlConnection", "t/Driver"), ["t/Driver"]);
    assert!(added("t/Driver", "t/Driver").is_empty());
    let constructed = |method| &*program.method(method).name == "connect";
    let mut some = vec![known("t/Statement")];
    let others = models
        .iter()
        .filter(|model| model.class() != class("t/Driver"));
    add_where_called(&mut some, others, constructed);
    assert_eq!(some[1].class(), class("t/SqlConnection"));
}

#[test]
fn a_phase_has_its_share_of_the_time_where_no_step_ends_it() {
    let program = program(&[(
        "t/Sum.java",
        "package t; public class Sum { int sum; public void add(int a, int b) { sum += a * b; } }",
    )]);
    let (facts, models) = (Facts::of(&program), Models::default());
    let unit = Unit {
        program: &program,
        facts: &facts,
        models: &models,
        subject: program.class_named("t/Sum").unwrap(),
        seed: 3,
        steps: 1_000_000_000,
        mode: Mode::Full,
        dependent_position: DependentPosition::After,
        user_values: &UserValues::default(),
        gives_up: true,
        keeps_failures: false,
    };
    let mut generator = Generator::new(unit);
    let mut executor = FakeExecutor::new(&program);
    (executor.limit, executor.is_timed) = (100, true);
    let mut phase = |generator: &mut Generator<'_>| {
        generator
            .run(&mut executor, Generator::random_candidate, |_, _, _| {})
            .unwrap();
        executor.executed.len()
    };
    // The batch that was begun in time, of ten at most, is run to its end.
    generator.ledger_mut().budget_mut().begin(40);
    assert!((40..50).contains(&phase(&mut generator)));
    generator.ledger_mut().budget_mut().begin_last();
    assert!((100..110).contains(&phase(&mut generator)));
}

#[test]
fn mode_random_takes_nothing_from_the_code_and_unguided_does() {
    let program = program(&[(
        "t/Lock.java",
        "package t; public class Lock { public void open(int code) { if (code == 4711) throw new Error(); } }",
    )]);
    let (facts, models) = (Facts::of(&program), Models::default());
    let knows = |mode| {
        let unit = Unit {
            program: &program,
            facts: &facts,
            models: &models,
            subject: program.class_named("t/Lock").unwrap(),
            seed: 1,
            steps: 300,
            mode,
            dependent_position: DependentPosition::After,
            user_values: &UserValues::default(),
            gives_up: true,
            keeps_failures: false,
        };
        let mut executor = FakeExecutor::new(&program);
        generate(unit, &mut executor).unwrap();
        let code = Statement::Value(Value::Int(4711));
        let mut executed = executor.executed.iter();
        executed.any(|sequence| sequence.statements().contains(&code))
    };
    assert!(!knows(Mode::Random) && !knows(Mode::Constraints));
    assert!(knows(Mode::Unguided) && knows(Mode::Full));
}

#[test]
fn every_mode_makes_well_formed_sequences_of_its_own() {
    let program = program(TINY);
    let traced = tiny_models(&program);
    let modes = [
        Mode::Random,
        Mode::Unguided,
        Mode::Static,
        Mode::Palulu,
        Mode::Model,
        Mode::Constraints,
        Mode::Palus,
        Mode::Full,
        Mode::Literal,
    ];
    let mut all: BTreeSet<Vec<Sequence>> = BTreeSet::new();
    for mode in modes {
        let (generated, executed) = run(&program, &traced, &UserValues::default(), mode, 400);
        for sequence in &executed {
            assert_eq!(check(&program, sequence), Ok(()), "{mode:?}");
        }
        assert_eq!(
            generated.replayed == Replayed::default(),
            mode != Mode::Full,
            "{mode:?}"
        );
        all.insert(executed);
    }
    assert_eq!(all.len(), modes.len());
}

#[test]
fn the_related_method_of_mode_static_shares_a_field() {
    let program = program(TINY);
    let models = Models::default();
    let (_, executed) = run(&program, &models, &UserValues::default(), Mode::Static, 400);
    let named = |name| method(&program, "t/Statement", name);
    let (query, close) = (named("executeQuery"), named("close"));
    let calls = |sequence: &Sequence| -> Vec<MethodId> {
        let calls = sequence.statements().iter();
        calls
            .filter_map(|statement| match statement {
                Statement::Call { method, .. } => Some(*method),
                _ => None,
            })
            .collect()
    };
    let closed_first = executed
        .iter()
        .filter(|sequence| calls(sequence).windows(2).any(|two| two == [close, query]));
    assert!(closed_first.count() >= 10);
}

#[test]
fn values_of_the_user_stand_beside_recorded_ones() {
    let mut files = TINY.to_vec();
    files.push((
        "t/Mine.java",
        "package t; public class Mine { public static String queryMore = \"more\"; }",
    ));
    let program = program(&files);
    let models = tiny_models(&program);
    let mine = program.class_named("t/Mine").unwrap();
    let more = Value::StaticField(program.find_field(mine, "queryMore").unwrap());
    let query = method(&program, "t/Statement", "executeQuery");
    let mut values = UserValues::default();
    values.offer(query, more.clone());
    values.offer(query, more.clone());
    assert_eq!(values.of(query), std::slice::from_ref(&more));
    let passed = |executed: &[Sequence], wanted: &Value| {
        let with = executed.iter().filter(|sequence| {
            let statements = sequence.statements();
            statements.iter().any(|statement| {
                matches!(statement, Statement::Call { method, arguments, .. }
                    if *method == query && statements[arguments[0].index()] == Statement::Value(wanted.clone()))
            })
        });
        with.count()
    };
    let recorded = Value::Text(SQL.into());
    let (_, guided) = run(&program, &models, &values, Mode::Constraints, 200);
    assert!(passed(&guided, &more) >= 5 && passed(&guided, &recorded) >= 5);
    // No model covers the method: half of the time.
    let (_, random) = run(&program, &Models::default(), &values, Mode::Random, 200);
    assert!(passed(&random, &more) >= 20);
}
