//! Shapes of real programs: several class loaders and threads, arrays, builders, factories, platform objects.

use super::builder::Sample;
use crate::{ArgumentRecord, CallSequenceModel, Models, NodeId, Position, Role};
use expect_test::expect;
use palus_sequence::Value;
use palus_wire::trace::{TraceEvent, TraceValue, TraceWriter};

const JAVA: &str = "import java.util.*; class Car { Car(int doors) {} void drive() {} void load(Object o) {} \
      void seats(int[] rows, Object[] things) {} void meet(Car other) {} } \
    class Builder { Builder() {} Builder doors(int n) { return this; } Car build() { return new Car(1); } } \
    class Garage { static Car make() { return new Car(2); } static Car known() { return null; } \
      static List<Car> all() { return null; } }";
const OBJECTS: &[(&str, &str)] = &[
    ("car", "Car"),
    ("other", "Car"),
    ("builder", "Builder"),
    ("list", "java/util/ArrayList"),
];

fn sample() -> Sample {
    Sample::new(JAVA, &[])
}

fn learn(trace: &str) -> (Sample, Models) {
    let sample = sample();
    let models = sample.learn(OBJECTS, &[trace]);
    (sample, models)
}

/// What stood at a position of the only observation of the edge of a method.
fn argument(sample: &Sample, models: &Models, method: &str, index: u16) -> ArgumentRecord {
    let edges = models.iter().flat_map(CallSequenceModel::edges);
    let mut edges = edges.filter(|edge| sample.method_name(edge.method) == method);
    let edge = edges.next().unwrap();
    assert_eq!(edge.observations.len(), 1);
    edge.observations[0]
        .at(Position::Argument(index))
        .unwrap()
        .clone()
}

#[test]
fn a_builder_is_a_chain_and_what_it_builds_depends_on_its_last_state() {
    let trace = "builder = new Builder()\nbuilder = builder.doors(3)\nbuilder = builder.doors(5)\n\
                 car = builder.build()\n  car = new Car(1)\ncar.drive()";
    let (sample, models) = learn(trace);
    expect![[r"
        5 nodes, 4 edges
        n0 -> n1 Builder.<init> [result] {} x1
        n1 -> n2 Builder.doors [this] {self, Int(3)} x1
        n2 -> n3 Builder.doors [this] {self, Int(5)} x1
        n3 -> n4 Builder.build [this] {self} x1
    "]]
    .assert_eq(&sample.model(&models, "Builder"));
    expect![[r"
        3 nodes, 3 edges
        n0 -> n1 Builder.build [result] {_} x1
        n0 -> n1 Car.<init> [result] (alternative) {Int(1)} x1
        n1 -> n2 Car.drive [this] {self} x1
    "]]
    .assert_eq(&sample.model(&models, "Car"));
    let builder = sample.program.class_named("Builder").unwrap();
    let [dependence] = models.state_dependences() else {
        panic!()
    };
    assert_eq!(dependence.from, (builder, NodeId(3)));
    assert_eq!(dependence.position, Position::Receiver);
}

#[test]
fn a_static_factory_creates_once_and_then_only_hands_out() {
    let trace = "car = Garage.make()\n  car = new Car(2)\ncar = Garage.known()\ncar.drive()";
    let (sample, models) = learn(trace);
    expect![[r"
        3 nodes, 3 edges
        n0 -> n1 Garage.make [result] {} x1
        n0 -> n1 Car.<init> [result] (alternative) {Int(2)} x1
        n1 -> n2 Car.drive [this] {self} x1
    "]]
    .assert_eq(&sample.model(&models, "Car"));
    let garage = sample.program.class_named("Garage").unwrap();
    assert!(!models.has(garage), "a class without objects has no model");
}

#[test]
fn a_factory_of_objects_that_nobody_saw_made_is_their_creation() {
    let (sample, models) = learn("car = Garage.known()\ncar.drive()");
    expect![[r"
        3 nodes, 2 edges
        n0 -> n1 Garage.known [result] {} x1
        n1 -> n2 Car.drive [this] {self} x1
    "]]
    .assert_eq(&sample.model(&models, "Car"));
}

#[test]
fn platform_objects_have_no_model_and_no_state_but_a_class() {
    let (sample, models) = learn("car = new Car(1)\nlist = Garage.all()\ncar.load(list)");
    assert_eq!(models.len(), 1);
    assert_eq!(models.state_dependences(), []);
    let ArgumentRecord::Constrained(list) = argument(&sample, &models, "Car.load", 0) else {
        panic!()
    };
    assert_eq!(list.class.as_deref(), Some("java/util/ArrayList"));
    assert!(list.dep_states.is_empty() && !list.is_null);
}

#[test]
fn arrays_of_constants_are_kept_whole_and_others_by_class_and_profile() {
    let (sample, models) =
        learn("car = new Car(1)\ncar.seats([I{2 3}, [Ljava/lang/Object;{null \"a\" 7})");
    let ArgumentRecord::ConstantArray { class, elements } =
        argument(&sample, &models, "Car.seats", 0)
    else {
        panic!()
    };
    assert_eq!(&*class, "[I");
    assert_eq!(elements, [Some(Value::Int(2)), Some(Value::Int(3))]);
    let ArgumentRecord::ConstantArray { elements, .. } = argument(&sample, &models, "Car.seats", 1)
    else {
        panic!()
    };
    assert_eq!(
        elements,
        [None, Some(Value::Text("a".into())), Some(Value::Int(7))]
    );
    let (sample, models) =
        learn("car = new Car(1)\nother = new Car(1)\ncar.seats([I{2 ..}, [LCar;{other null})");
    for (index, class) in [(0, "[I"), (1, "[LCar;")] {
        let record = argument(&sample, &models, "Car.seats", index);
        let ArgumentRecord::Constrained(array) = record else {
            panic!("{record:?}")
        };
        assert_eq!(array.class.as_deref(), Some(class));
        assert_eq!(array.profile.unwrap().0.len(), 1);
        assert!(array.dep_states.is_empty());
    }
    // Being an element is no role in the call.
    let car = models
        .get(sample.program.class_named("Car").unwrap())
        .unwrap();
    let roles = car.edges().iter().flat_map(|edge| edge.roles.clone());
    assert!(
        roles
            .into_iter()
            .all(|role| !matches!(role, Role::Argument(_)))
    );
}

#[test]
fn calls_of_threads_that_run_at_the_same_time_are_nested_in_their_own() {
    // Both cars load while the other does; each nested call belongs to the thread it ran in.
    let trace = "car = new Car(1)\nother = new Car(1) #1\n";
    let (sample, models) = learn(&format!(
        "{trace}car.load(null)\n  car.drive()\nother.load(null) #1\n  other.drive() #1\n"
    ));
    expect![[r"
        3 nodes, 3 edges
        n0 -> n1 Car.<init> [result] {Int(1)} x2
        n1 -> n2 Car.load [this] {self, null} x2
        n1 -> n2 Car.drive [this] (alternative) {self} x2
    "]]
    .assert_eq(&sample.model(&models, "Car"));
}

#[test]
fn an_object_handed_to_another_thread_keeps_one_history_in_order() {
    let trace = "car = new Car(1)\ncar.load(null)\n@after 1 0\ncar.drive() #1\n@after 0 1\n\
                 other = new Car(2)\nother.meet(car)";
    let (sample, models) = learn(trace);
    expect![[r"
        6 nodes, 5 edges
        n0 -> n1 Car.<init> [result] {Int(1)} x1 {Int(2)} x1
        n1 -> n2 Car.load [this] {self, null} x1
        n2 -> n3 Car.drive [this] {self} x1
        n3 -> n4 Car.meet [argument 0] {_, self} x1
        n1 -> n5 Car.meet [this] {self, _} x1
    "]]
    .assert_eq(&sample.model(&models, "Car"));
    let class = sample.program.class_named("Car").unwrap();
    let from: Vec<_> = models
        .state_dependences()
        .iter()
        .map(|found| found.from)
        .collect();
    assert_eq!(from, [(class, NodeId(1)), (class, NodeId(3))]);
}

#[test]
fn a_class_that_two_loaders_define_has_one_model() {
    // Each loader's class comes with methods of its own, under the same names; objects have ids of their own.
    let sample = sample();
    let mut methods = sample.methods();
    let count = methods.len() as u32;
    methods.extend(methods.clone());
    let index = |name: &str| {
        let found = sample
            .program
            .methods()
            .iter()
            .find(|m| sample.method_name(m.id) == name);
        found.unwrap().id.0
    };
    let mut writer = TraceWriter::new(1, 1 << 16, methods);
    for (loader, id) in [(0, 1), (1, 2)] {
        let object = || TraceValue::Object {
            id,
            class: "Car".into(),
            profile: None,
        };
        let calls = [
            (
                "Car.<init>",
                None,
                vec![TraceValue::Int(id as i32)],
                Some(object()),
            ),
            ("Car.drive", Some(object()), vec![], None),
        ];
        for (name, receiver, arguments, result) in calls {
            writer.event(&TraceEvent::Enter {
                thread: 0,
                method: index(name) + loader * count,
                receiver,
                arguments,
            });
            writer.event(&TraceEvent::Exit { thread: 0, result });
        }
    }
    let models = sample.learn_files(&[writer.finish()]);
    expect![[r"
        3 nodes, 2 edges
        n0 -> n1 Car.<init> [result] {Int(1)} x1 {Int(2)} x1
        n1 -> n2 Car.drive [this] {self} x2
    "]]
    .assert_eq(&sample.model(&models, "Car"));
}

#[test]
fn a_recorded_constant_object_is_a_value_and_a_null_is_no_object() {
    let (sample, models) =
        learn("car = new Car(1)\ncar.load(\"text\")\nother = new Car(1)\nother.meet(null)");
    assert_eq!(
        argument(&sample, &models, "Car.load", 0),
        ArgumentRecord::Constant(Value::Text("text".into()))
    );
    let ArgumentRecord::Constrained(null) = argument(&sample, &models, "Car.meet", 0) else {
        panic!()
    };
    assert!(null.is_null && null.profile.is_none() && null.class.is_none());
}
