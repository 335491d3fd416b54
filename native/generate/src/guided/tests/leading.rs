//! How models lead: all edges of a model are followed, walks, calls beside models, look-up by profile.

use super::*;
use crate::draft::Draft;
use crate::maker::Nullable;
use crate::phases::Phases;
use palus_learn::{ArgumentRecord, Constraint};
use palus_sequence::{AbstractValue, ObjectProfile};

#[test]
fn all_edges_of_a_model_with_one_constructor_without_arguments_are_followed_in_every_mode() {
    let program = program(&[(
        "t/Foo.java",
        "package t; public class Foo { int i; String s; public Foo() {} public void a() { i++; } \
         public void b(int j) { i = j; } public void c(String t) { s = t; } }",
    )]);
    let named = |name: &str| method(&program, "t/Foo", name);
    let number = || vec![TraceValue::Int(7)];
    let text = || vec![TraceValue::Text("seven".into())];
    let calls = [("a", vec![]), ("b", number()), ("c", text())].into_iter();
    let histories = calls.zip(1..).flat_map(|((name, arguments), id)| {
        let foo = object(id, "t/Foo");
        let made = (named("<init>"), None, vec![], Some(foo.clone()));
        [made, (named(name), Some(foo), arguments, None)]
    });
    let models = models(&program, histories.collect());
    let foo = program.class_named("t/Foo").unwrap();
    assert_eq!(models.get(foo).unwrap().node_count(), 5);
    let (facts, values) = (Facts::of(&program), UserValues::default());
    for mode in [
        Mode::Palulu,
        Mode::Model,
        Mode::Constraints,
        Mode::Palus,
        Mode::Full,
        Mode::Literal,
    ] {
        let unit = Unit {
            program: &program,
            facts: &facts,
            models: &models,
            subject: foo,
            seed: 1,
            steps: 400,
            mode,
            dependent_position: DependentPosition::After,
            user_values: &values,
            gives_up: false,
        };
        let mut generator = Generator::new(unit);
        let mut phases = Phases::of(&generator);
        let mut executor = FakeExecutor::new(&program);
        phases.run(&mut generator, &mut executor).unwrap();
        let reached = phases.guided().unwrap().by_state.keys();
        let reached: Vec<u32> = reached.map(|(_, node)| node.0).collect();
        assert_eq!(reached, [1, 2, 3, 4], "{mode:?}");
    }
}

#[test]
fn a_walk_adds_several_edges_and_each_beginning_of_it_is_filed() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let (values, after) = (UserValues::default(), DependentPosition::After);
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Full, after);
    let mut longest = 0;
    for _ in 0..40 {
        let (maker, ledger) = steps.generator.halves();
        let Some(candidate) = steps.guided.candidate(maker, ledger) else {
            continue;
        };
        let own = candidate.reaches.iter().filter(|reach| reach.model == 0);
        let nodes: Vec<usize> = own.map(|reach| reach.node).collect();
        assert!(
            nodes.windows(2).all(|two| two[1] == two[0] + 1),
            "{nodes:?}"
        );
        longest = longest.max(nodes.len());
        steps.run(candidate);
    }
    assert_eq!(longest, 3, "from its making over the query to its end");
    assert!((1..=3).all(|node| steps.filed("t/Statement", node).0 > 0));
}

#[test]
fn a_class_of_static_methods_is_led_by_what_traces_show_of_them() {
    let program = program(&[(
        "t/Runtime.java",
        "package t; public class Runtime { private Runtime() {} \
         public static int parse(String text, int radix) { return radix; } \
         public static Object get(Scope scope, String name) { return name; } } \
         class Scope { Scope() {} void put(String name) {} }",
    )]);
    let named = |class: &str, name: &str| method(&program, class, name);
    let scope = object(1, "t/Scope");
    let written = |text: &str| TraceValue::Text(text.into());
    let made = (
        named("t/Scope", "<init>"),
        None,
        vec![],
        Some(scope.clone()),
    );
    let put = named("t/Scope", "put");
    let traced = vec![
        made,
        (put, Some(scope.clone()), vec![written("answer")], None),
        (
            named("t/Runtime", "get"),
            None,
            vec![scope, written("answer")],
            None,
        ),
        (
            named("t/Runtime", "parse"),
            None,
            vec![written("zz"), TraceValue::Int(36)],
            None,
        ),
    ];
    let models = models(&program, traced);
    let (facts, values) = (Facts::of(&program), UserValues::default());
    for mode in [Mode::Constraints, Mode::Palus, Mode::Full] {
        let unit = Unit {
            program: &program,
            facts: &facts,
            models: &models,
            subject: program.class_named("t/Runtime").unwrap(),
            seed: 1,
            steps: 300,
            mode,
            dependent_position: DependentPosition::After,
            user_values: &values,
            gives_up: false,
        };
        let generator = Generator::new(unit);
        assert!(Guided::new(generator.maker()).unwrap().leads(), "{mode:?}");
        let mut executor = FakeExecutor::new(&program);
        generate(unit, &mut executor).unwrap();
        let texts = executor
            .executed
            .iter()
            .map(|sequence| text(&program, sequence));
        let texts: Vec<String> = texts.collect();
        // The scope is in the state in which it was seen there, and both values of a call belong together.
        let got = "v0 = new Scope(); v0.put(\"answer\"); v1 = Runtime.get(v0, \"answer\");";
        for start in [got, "Value(Int(36)); v0 = Runtime.parse(\"zz\", );"] {
            let is_there = texts.iter().any(|text| text.starts_with(start));
            assert!(is_there, "{mode:?} {start}");
        }
    }
}

#[test]
fn look_up_by_profile_gives_an_object_of_an_equal_profile_and_never_another() {
    let program = program(TINY);
    let (facts, models) = (Facts::of(&program), tiny_models(&program));
    let (values, after) = (UserValues::default(), DependentPosition::After);
    let mut steps = Steps::new(&program, &facts, &models, &values, Mode::Palus, after);
    let class = program.class_named("t/SqlConnection").unwrap();
    let profile = |value| ObjectProfile(vec![value; 3].into());
    let mut constructors = program.class(class).methods.iter().copied();
    let empty = constructors.find(|&id| &*program.method(id).descriptor == "()V");
    let connect = method(&program, "t/Driver", "connect");
    steps.executor.profiles = vec![
        (empty.unwrap(), profile(AbstractValue::NULL)),
        (connect, profile(AbstractValue::NON_NULL)),
    ];
    // One connection by the empty constructor, and one by the driver.
    for _ in 0..2 {
        let maker = steps.generator.maker_mut();
        let mut draft = Draft::default();
        let kind = maker.kinds().of_class(class);
        let made = maker
            .call(&mut draft, empty.unwrap(), None, Some(kind), 0)
            .unwrap();
        draft.fresh.push(made);
        steps.run(draft.finish());
    }
    three_steps(&mut steps);
    let constraint = |value| Constraint {
        class: Some("t/SqlConnection".into()),
        profile: Some(profile(value)),
        ..Constraint::default()
    };
    for (value, expected) in [
        (AbstractValue::NON_NULL, "v2 = v0.connect("),
        (AbstractValue::NULL, "v0 = new SqlConnection();"),
    ] {
        let record = ArgumentRecord::Constrained(constraint(value));
        for _ in 0..20 {
            let maker = steps.generator.maker_mut();
            let wanted = maker.kinds().of_class(class);
            let mut draft = Draft::default();
            let found = steps
                .guided
                .recorded(maker, &mut draft, &record, wanted, Nullable::No);
            assert!(found.is_some());
            let made = text(&program, &draft.finish().sequence);
            assert!(made.contains(expected), "{made}");
        }
    }
}
