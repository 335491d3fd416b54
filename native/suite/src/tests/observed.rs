//! Regression oracles: which observers are asked, on the example of Kiezun et al., "Generating Legal Test Inputs for
//! Object-Oriented Programs", M-TOOS 2006.

use super::printed::ROAD_MAP;
use crate::observer::candidates;
use crate::testing::subject;
use palus_sequence::Statement;

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
    let run = script.run();
    let asked: Vec<String> = candidates(&subject.program, &is_pure, "demo", &run)
        .iter()
        .map(|statement| match statement {
            Statement::Call {
                method,
                receiver: Some(receiver),
                arguments,
            } => {
                let name = &subject.program.method(*method).name;
                let arguments: Vec<u32> = arguments.iter().map(|argument| argument.0).collect();
                format!("v{}.{name}{arguments:?}", receiver.0)
            }
            other => panic!("no observer: {other:?}"),
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
