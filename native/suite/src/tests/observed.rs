//! Regression oracles: which observers are asked, on the example of Kiezun et al., "Generating Legal Test Inputs for
//! Object-Oriented Programs", M-TOOS 2006.

use super::printed::ROAD_MAP;
use crate::observer::{Argument, Observers};
use crate::testing::subject;

/// `new RoadMap(); init(); new City("Portland"); setMap(m1); addCity(c1)`, and what is asked of both objects.
#[test]
fn observers_are_asked_on_both_objects_with_arguments_of_the_same_sequence() {
    let subject = subject(ROAD_MAP);
    let mut script = subject.script();
    let map = script.construct("demo/RoadMap", "()V", &[]);
    script.void("demo/RoadMap.init()V", map, &[]);
    let name = script.text("Portland");
    let city = script.construct("demo/City", "(Ljava/lang/String;)V", &[name]);
    script.void("demo/City.setMap(Ldemo/RoadMap;)V", city, &[map]);
    script.void("demo/RoadMap.addCity(Ldemo/City;)V", map, &[city]);

    let facts = palus_analyze::Facts::of(&subject.program);
    let is_pure = |method| facts.is_pure(method);
    let observers = Observers {
        program: &subject.program,
        is_pure: &is_pure,
        package: "demo",
        makers: facts.value_makers(),
    };
    let asked: Vec<String> = observers
        .first(&script.run())
        .iter()
        .map(|question| {
            let name = &subject.program.method(question.method).name;
            let arguments = match question.argument {
                Argument::None => Vec::new(),
                Argument::Variable(argument) => vec![argument.0],
                Argument::At(_) => panic!("no list is asked"),
            };
            format!("v{}.{name}{arguments:?}", question.asked.0)
        })
        .collect();
    assert!(
        asked.contains(&"v0.numNeighbors[3]".to_owned()),
        "{asked:?}"
    );
    assert!(asked.contains(&"v3.numNeighbors[]".to_owned()), "{asked:?}");
    let is_left_out = |name: &str| !asked.iter().any(|call| call.contains(name));
    assert!(
        is_left_out("hashCode") && is_left_out("toString"),
        "{asked:?}"
    );
}
