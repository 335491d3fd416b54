//! How models lead: all edges of a model are followed.

use super::*;
use crate::phases::Phases;

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
            keeps_failures: false,
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
