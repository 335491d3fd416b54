//! Whole units over compiled Java and an executor that makes its outcomes up.

use crate::{
    DependentPosition, Generated, Mode, SkipCode, USEFUL_PLATFORM_CLASSES, Unit, UserValues,
    generate,
};
use palus_analyze::Facts;
use palus_bytecode::{MethodId, Origin, Program, ProgramBuilder, Type};
use palus_learn::{Learner, Models};
use palus_sequence::{
    Crash, End, Executor, ExecutorError, Observation, Outcome, Probe, Run, Sequence, Statement,
    Thrown, Value, check,
};
use palus_wire::trace::{TraceEvent, TraceMethod, TraceReader, TraceValue, TraceWriter};
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::{Arc, OnceLock};

/// Runs nothing: calls return values of their static type, and the first call of a method covers one probe.
pub(crate) struct FakeExecutor<'a> {
    pub program: &'a Program,
    pub executed: Vec<Sequence>,
    covered: BTreeSet<MethodId>,
    /// Methods that end otherwise than by returning.
    pub ends: Vec<(MethodId, End)>,
    /// Methods whose result is of another class than their type says.
    pub classes: Vec<(MethodId, Arc<str>)>,
    /// Steps after which the time is up.
    pub limit: usize,
    /// True where the time alone bounds what is run, and each sequence takes as long as any other.
    pub is_timed: bool,
}

impl<'a> FakeExecutor<'a> {
    pub fn new(program: &'a Program) -> Self {
        FakeExecutor {
            program,
            executed: Vec::new(),
            covered: BTreeSet::new(),
            ends: Vec::new(),
            classes: Vec::new(),
            limit: usize::MAX,
            is_timed: false,
        }
    }

    fn observe(&self, sequence: &Sequence, index: usize) -> Observation {
        let statement = &sequence.statements()[index];
        match statement.defined_type(self.program) {
            Type::Void => Observation::Nothing,
            Type::Object(name) if &*name == "java/lang/String" => Observation::Value {
                value: Value::Text("made".into()),
                boxed: true,
            },
            Type::Object(class) => {
                let runtime = self.classes.iter().find(|(known, _)| {
                    matches!(statement, Statement::Call { method, .. } if method == known)
                });
                let class = runtime.map_or(class, |(_, class)| Arc::clone(class));
                if matches!(statement, Statement::Value(Value::Null(_))) {
                    return Observation::Null;
                }
                Observation::Object {
                    class,
                    profile: None,
                    same_as: None,
                    content: None,
                }
            }
            array @ Type::Array(_) => Observation::Object {
                class: array.to_string().into(),
                profile: None,
                same_as: None,
                content: None,
            },
            _ => Observation::Value {
                value: Value::Int(7),
                boxed: false,
            },
        }
    }

    pub fn run(&mut self, sequence: &Sequence) -> Outcome {
        let mut outcome = Outcome::new(End::Completed, Vec::new());
        for (index, statement) in sequence.statements().iter().enumerate() {
            if let Statement::Call { method, .. } = statement {
                if let Some((_, end)) = self.ends.iter().find(|(known, _)| known == method) {
                    outcome.end = match end {
                        End::Threw(thrown) => End::Threw(Thrown {
                            statement: index as u32,
                            ..thrown.clone()
                        }),
                        other => other.clone(),
                    };
                    break;
                }
                let class = self.program.method(*method).class;
                if self.program.class(class).origin == Origin::Subject
                    && !self.covered.contains(method)
                {
                    outcome.coverage.probes.push(Probe {
                        class: class.0,
                        index: method.0,
                    });
                }
            }
            outcome.observations.push(self.observe(sequence, index));
        }
        let probes = &mut outcome.coverage.probes;
        probes.sort();
        probes.dedup();
        if outcome.is_writable() {
            self.covered.extend(
                outcome
                    .coverage
                    .probes
                    .iter()
                    .map(|probe| MethodId(probe.index)),
            );
        }
        outcome
    }
}

impl Executor for FakeExecutor<'_> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.covered.clear();
        Ok(())
    }

    fn watch(&mut self, _probes: &[Probe]) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        if self.executed.len() >= self.limit {
            return Err(ExecutorError::OutOfTime);
        }
        let outcomes = batch.iter().map(|sequence| self.run(sequence)).collect();
        self.executed.extend_from_slice(batch);
        Ok(outcomes)
    }

    fn is_over(&self, percent: u64) -> bool {
        self.is_timed && self.executed.len() as u64 * 100 >= self.limit as u64 * percent
    }

    fn batch_limit(&self) -> usize {
        if self.is_timed { 10 } else { usize::MAX }
    }
}

/// Compiles, and adds the useful classes of the JDK with all their supertypes.
pub(crate) fn program(files: &[(&str, &str)]) -> Program {
    let compiled = palus_fixture::compile(files);
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compiled.classes {
        builder.add(Origin::Subject, bytes).unwrap();
    }
    let mut absent: BTreeSet<Arc<str>> = BTreeSet::new();
    let mut wanted: Vec<Arc<str>> = USEFUL_PLATFORM_CLASSES
        .iter()
        .map(|&name| name.into())
        .collect();
    for _ in 0..3 {
        wanted.extend(builder.missing());
        for name in wanted.drain(..) {
            if absent.insert(Arc::clone(&name))
                && let Some(bytes) = palus_fixture::platform_class(&name)
            {
                builder.add(Origin::Platform, &bytes).unwrap();
            }
        }
    }
    builder.finish()
}

pub(crate) fn method(program: &Program, class: &str, name: &str) -> MethodId {
    let class = program.class_named(class).unwrap();
    let mut methods = program.class(class).methods.iter().copied();
    methods
        .find(|&id| &*program.method(id).name == name)
        .unwrap()
}

fn generated(
    program: &Program,
    executor: &mut FakeExecutor<'_>,
    subject: &str,
    seed: u64,
    steps: u64,
) -> Generated {
    let unit = Unit {
        program,
        facts: &Facts::of(program),
        models: &Models::default(),
        subject: program.class_named(subject).unwrap(),
        seed,
        steps,
        mode: Mode::Full,
        dependent_position: DependentPosition::After,
        user_values: &UserValues::default(),
        gives_up: true,
        keeps_failures: false,
    };
    generate(unit, executor).unwrap()
}

fn called(kept: &[Run]) -> BTreeSet<MethodId> {
    let statements = kept.iter().flat_map(|run| run.sequence.statements());
    let methods = statements.filter_map(|statement| match statement {
        Statement::Call { method, .. } => Some(*method),
        _ => None,
    });
    methods.collect()
}

const SHAPES: &[(&str, &str)] = &[(
    "demo/Shapes.java",
    r#"package demo;
import java.io.*;
import java.util.*;
import java.util.function.*;
public class Shapes<T extends Comparable<T>> {
  public enum Color { RED, GREEN { public int depth() { return 2; } }; public int depth() { return 1; } }
  public interface Visitor { void visit(Shapes<?> shapes, int depth); }
  public static abstract class Base { protected abstract int area(); public int twice() { return 2 * area(); } }
  static class Square extends Base { private final int side; Square(int side) { this.side = side; }
    protected int area() { return side * side; } }
  private static class Walker implements Iterator<String> {
    public boolean hasNext() { return true; } public String next() { return "n"; } }
  public class Inner { public int get() { return items.size(); } }
  public static class Deep { private Deep() {} public static Deep of(Map<String, List<Integer>> map, char[][] grid)
    { return new Deep(); } }
  private final List<T> items = new ArrayList<>();
  public Shapes() {}
  Shapes(Collection<? extends T> from) { items.addAll(from); }
  public Iterator<String> walk() { return new Walker(); }
  public boolean add(T item) { return items.add(item); }
  public void paint(Color color, Integer depth, long... more) {}
  public void accept(Visitor visitor, Function<T, String> function, Supplier<Integer> supplier, Comparator<T> order) {}
  public void io(InputStream in, Reader reader, Writer writer, Appendable to, Exception cause, Date date) {}
  public Base base(Base other, Base[] others) { return other; }
  public void nested(Inner inner, Deep deep, Class<?> type, Object any, Iterator<T> iterator) {}
  public static int count(Set<String> set, SortedMap<String, Integer> map, Map.Entry<T2, T2> e) { return 0; }
  static class T2 {}
  @Override public boolean equals(Object other) { return other instanceof Shapes; }
  @Override public int hashCode() { return 1; }
  protected void finalize() {}
  private void hidden() {}
  public static void main(String[] arguments) {}
}
"#,
)];

fn shown(program: &Program, generated: &Generated) -> String {
    generated
        .skipped
        .iter()
        .fold(String::new(), |mut text, (id, code)| {
            let method = program.method(*id);
            writeln!(
                text,
                "{code:?} {}.{}{}",
                program.class(method.class).name,
                method.name,
                method.descriptor
            )
            .unwrap();
            text
        })
}

#[test]
fn every_kind_of_parameter_gets_an_argument() {
    let program = program(SHAPES);
    let mut executor = FakeExecutor::new(&program);
    let generated = generated(&program, &mut executor, "demo/Shapes", 0, 3_000);
    // The fake never returns a `Walker`, so its methods stay without a receiver.
    assert_eq!(
        shown(&program, &generated),
        "NoInstance demo/Shapes$Color$1.depth()I\n\
         NoInstance demo/Shapes$Walker.hasNext()Z\n\
         NoInstance demo/Shapes$Walker.next()Ljava/lang/String;\n"
    );
    let called = called(&generated.kept);
    for (class, name) in [
        ("demo/Shapes$Base", "twice"),
        ("demo/Shapes$Inner", "get"),
        ("demo/Shapes$Deep", "of"),
    ] {
        assert!(
            called.contains(&method(&program, class, name)),
            "{class}.{name}"
        );
    }
    for never in ["finalize", "hidden"] {
        assert!(
            !called.contains(&method(&program, "demo/Shapes", never)),
            "{never}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_sequence_passes_the_check(seed: u64) {
        static PROGRAM: OnceLock<Program> = OnceLock::new();
        let program = PROGRAM.get_or_init(|| program(SHAPES));
        let mut executor = FakeExecutor::new(program);
        let generated = generated(program, &mut executor, "demo/Shapes", seed, 500);
        let kept = generated.kept.iter().map(|run| &run.sequence);
        for sequence in executor.executed.iter().chain(kept) {
            prop_assert_eq!(check(program, sequence), Ok(()), "{:?}", sequence);
            prop_assert!(sequence.len() <= 100);
        }
    }
}

#[test]
fn the_same_seed_makes_the_same_sequences() {
    let program = program(SHAPES);
    let run = |seed| {
        let mut executor = FakeExecutor::new(&program);
        let generated = generated(&program, &mut executor, "demo/Shapes", seed, 1_500);
        (generated, executor.executed)
    };
    assert_eq!(run(7), run(7));
    assert_ne!(run(7).1, run(8).1);
}

#[test]
fn no_sequence_runs_twice() {
    let program = program(SHAPES);
    let mut executor = FakeExecutor::new(&program);
    let _ = generated(&program, &mut executor, "demo/Shapes", 3, 1_000);
    let distinct: BTreeSet<&Sequence> = executor.executed.iter().collect();
    assert_eq!(distinct.len(), executor.executed.len());
}

const BAD: &[(&str, &str)] = &[(
    "demo/Bad.java",
    "package demo; public class Bad { public void hang() {} public void exit() {} public void die() {} \
     public void fail() {} public int fine(int x) { return x; } }",
)];

#[test]
fn methods_that_never_run_get_the_reason() {
    let program = program(BAD);
    let mut executor = FakeExecutor::new(&program);
    let named = |name| method(&program, "demo/Bad", name);
    executor.ends = vec![
        (named("hang"), End::OutOfFuel),
        (named("exit"), End::Denied("exit".into())),
        (named("die"), End::Crashed(Crash::HeapFull)),
        (
            named("fail"),
            End::Threw(Thrown {
                statement: 0,
                class: "E".into(),
                message: None,
                top_frame: None,
                fields: Vec::new(),
            }),
        ),
    ];
    let generated = generated(&program, &mut executor, "demo/Bad", 0, 2_000);
    let expected = [
        (named("hang"), SkipCode::Endless),
        (named("exit"), SkipCode::Denied),
        (named("die"), SkipCode::EndsJvm(Crash::HeapFull)),
    ];
    assert_eq!(generated.skipped, expected);
    let deaths = executor
        .executed
        .iter()
        .filter(|sequence| called_in(sequence).contains(&named("die")))
        .count();
    assert!(
        deaths <= 100,
        "barred after the first batch, but called {deaths} times"
    );
    let kept = called(&generated.kept);
    assert!(kept.contains(&named("fine")) && !kept.contains(&named("die")));
}

fn called_in(sequence: &Sequence) -> BTreeSet<MethodId> {
    called(&[Run {
        sequence: sequence.clone(),
        outcome: Outcome::new(End::Completed, Vec::new()),
    }])
}

const THREADS: &[(&str, &str)] = &[
    (
        "demo/Uses.java",
        "package demo; public class Uses { public int of(Engine engine) { return 1; } }",
    ),
    (
        "demo/Engine.java",
        "package demo; public class Engine { public Engine() {} \
         public static Engine started() { return new Engine(); } }",
    ),
];

#[test]
fn an_array_of_many_dimensions_is_handed_over_as_null_alone() {
    let deep = "[]".repeat(200);
    let parameters = (0..20).map(|number| format!("int{deep} p{number}"));
    let parameters = parameters.collect::<Vec<_>>().join(", ");
    let source = format!(
        "package demo; public class Dims {{ public static int deep({parameters}) {{ return 1; }} \
         public static int flat(int[][] p) {{ return 2; }} }}"
    );
    let program = program(&[("demo/Dims.java", source.as_str())]);
    let mut executor = FakeExecutor::new(&program);
    generated(&program, &mut executor, "demo/Dims", 0, 300);
    let mut arrays = BTreeSet::new();
    for sequence in &executor.executed {
        for statement in sequence.statements() {
            if let Statement::NewArray { element, .. } = statement {
                arrays.insert(element.to_string());
            }
        }
    }
    assert!(arrays.iter().any(|element| element == "[I"), "{arrays:?}");
    assert!(
        arrays.iter().all(|element| element.len() < 10),
        "{arrays:?}"
    );
}

#[test]
fn what_nearly_always_leaves_a_thread_makes_no_more_arguments() {
    let program = program(THREADS);
    let mut executor = FakeExecutor::new(&program);
    let started = method(&program, "demo/Engine", "started");
    executor.ends = vec![(started, End::StartedThread)];
    let generated = generated(&program, &mut executor, "demo/Uses", 0, 2_000);
    let calls = executor
        .executed
        .iter()
        .filter(|sequence| called_in(sequence).contains(&started))
        .count();
    assert!(
        (16..=200).contains(&calls),
        "barred after the first batches, but called {calls} times"
    );
    let of = method(&program, "demo/Uses", "of");
    assert!(called(&generated.kept).contains(&of));
}

#[test]
fn what_was_found_before_the_time_ran_out_is_kept() {
    let program = program(SHAPES);
    let mut executor = FakeExecutor::new(&program);
    executor.limit = 300;
    let generated = generated(&program, &mut executor, "demo/Shapes", 0, 100_000);
    assert_eq!(generated.steps, 300);
    assert!(!generated.kept.is_empty());
}

#[test]
fn a_unit_ends_where_nothing_new_is_covered() {
    let program = program(SHAPES);
    let mut executor = FakeExecutor::new(&program);
    let generated = generated(&program, &mut executor, "demo/Shapes", 0, 100_000);
    assert!(generated.steps < 10_000, "{}", generated.steps);
}

const ROAD_MAP: &[(&str, &str)] = &[(
    "demo/RoadMap.java",
    "package demo; import java.util.*; public class RoadMap { private Map<City, Set<City>> cities; \
     public void init() { cities = new HashMap<>(); } \
     public void addCity(City c) { cities.put(c, new HashSet<>()); } \
     public int numNeighbors(City c) { return cities.get(c).size(); } } \
     class City { City(String name) {} }",
)];

/// A traced call: method, receiver, arguments, result.
pub(crate) type Traced = (
    MethodId,
    Option<TraceValue>,
    Vec<TraceValue>,
    Option<TraceValue>,
);

pub(crate) fn object(id: u64, class: &str) -> TraceValue {
    TraceValue::Object {
        id,
        class: class.into(),
        profile: None,
    }
}

/// The models of a trace of these calls.
pub(crate) fn models(program: &Program, calls: Vec<Traced>) -> Models {
    learned(program, vec![calls], false)
}

/// The models of a trace of tests that make these calls.
pub(crate) fn models_of_tests(program: &Program, tests: Vec<Vec<Traced>>) -> Models {
    learned(program, tests, true)
}

fn learned(program: &Program, parts: Vec<Vec<Traced>>, are_tests: bool) -> Models {
    let methods: BTreeSet<MethodId> = parts.iter().flatten().map(|call| call.0).collect();
    let methods: Vec<MethodId> = methods.into_iter().collect();
    let table = methods
        .iter()
        .map(|&id| program.method(id))
        .map(|method| TraceMethod {
            class: Arc::clone(&program.class(method.class).name),
            name: Arc::clone(&method.name),
            descriptor: Arc::clone(&method.descriptor),
            access: method.access.0,
        });
    let mut writer = TraceWriter::new(1, 1 << 16, table.collect());
    let thread = 0;
    for calls in parts {
        if are_tests {
            let (class, method) = ("ATest".into(), "test".into());
            writer.event(&TraceEvent::TestStart {
                thread,
                class,
                method,
            });
        }
        for (method, receiver, arguments, result) in calls {
            let place = methods.iter().position(|&known| known == method).unwrap();
            writer.event(&TraceEvent::Enter {
                thread,
                method: place as u32,
                receiver,
                arguments,
            });
            writer.event(&TraceEvent::Exit { thread, result });
        }
        if are_tests {
            let failed = false;
            writer.event(&TraceEvent::TestEnd { thread, failed });
        }
    }
    let bytes = writer.finish();
    let mut learner = Learner::new(program, &|_| false);
    learner
        .read(&mut TraceReader::new(&bytes).unwrap())
        .unwrap();
    learner.finish()
}

/// `m = new RoadMap(); m.init(); c = new City("Portland"); m.addCity(c); m.numNeighbors(c);`
fn road_map_models(program: &Program) -> Models {
    let named = |class: &str, name: &str| method(program, class, name);
    let (map, city) = (object(1, "demo/RoadMap"), object(2, "demo/City"));
    let portland = TraceValue::Text("Portland".into());
    let calls = vec![
        (
            named("demo/RoadMap", "<init>"),
            None,
            vec![],
            Some(map.clone()),
        ),
        (
            named("demo/RoadMap", "init"),
            Some(map.clone()),
            vec![],
            None,
        ),
        (
            named("demo/City", "<init>"),
            None,
            vec![portland],
            Some(city.clone()),
        ),
        (
            named("demo/RoadMap", "addCity"),
            Some(map.clone()),
            vec![city.clone()],
            None,
        ),
        (
            named("demo/RoadMap", "numNeighbors"),
            Some(map),
            vec![city],
            Some(TraceValue::Int(0)),
        ),
    ];
    models(program, calls)
}

#[test]
fn the_recorded_order_and_objects_come_back() {
    let program = program(ROAD_MAP);
    let models = road_map_models(&program);
    assert_eq!(models.len(), 2);
    let facts = Facts::of(&program);
    let subject = program.class_named("demo/RoadMap").unwrap();
    let unit = Unit {
        program: &program,
        facts: &facts,
        models: &models,
        subject,
        seed: 1,
        steps: 500,
        mode: Mode::Full,
        dependent_position: DependentPosition::After,
        user_values: &UserValues::default(),
        gives_up: true,
        keeps_failures: false,
    };
    let mut executor = FakeExecutor::new(&program);
    generate(unit, &mut executor).unwrap();
    let [init, add, count] =
        ["init", "addCity", "numNeighbors"].map(|name| method(&program, "demo/RoadMap", name));
    let legal = executor.executed.iter().filter(|sequence| {
        let calls = sequence
            .statements()
            .iter()
            .filter_map(|statement| match statement {
                Statement::Call {
                    method,
                    receiver: Some(receiver),
                    arguments,
                } => Some((*method, *receiver, arguments)),
                _ => None,
            });
        let calls: Vec<_> = calls.collect();
        calls.windows(3).any(|three| {
            let same_map = three.iter().all(|(_, receiver, _)| *receiver == three[0].1);
            let methods = [three[0].0, three[1].0, three[2].0];
            same_map && methods == [init, add, count] && three[1].2 == three[2].2
        })
    });
    let portland = executor.executed.iter().flat_map(Sequence::statements);
    let portland = portland
        .filter(|statement| **statement == Statement::Value(Value::Text("Portland".into())));
    assert!(legal.count() >= 5);
    assert!(portland.count() >= 50);
}
