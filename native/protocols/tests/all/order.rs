//! What holds for all executions: the miner does what the definition says, in whatever order, and its protocols allow
//! all that it learned from.

use palus_protocols::{
    Call, CallSite, Checker, End, Execution, Miner, ObjectId, Protocols, Signature, Source,
    Vocabulary,
};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const TYPES: [&str; 3] = ["A", "B", "C"];
/// The first is a constructor.
const METHODS: [&str; 4] = ["<init>", "m", "n", "o"];

/// A call by small numbers: method, receiver, argument, result.
type Told = (usize, Option<u32>, Option<u32>, Option<u32>);

fn told() -> impl Strategy<Value = (Vec<usize>, Vec<Told>)> {
    let objects = prop::collection::vec(0..TYPES.len(), 6);
    let object = || prop::option::weighted(0.6, 0..6u32);
    let call = (0..METHODS.len(), object(), object(), object());
    (objects, prop::collection::vec(call, 0..25))
}

fn build(vocabulary: &mut Vocabulary, (objects, calls): &(Vec<usize>, Vec<Told>)) -> Execution {
    let mut execution = Execution {
        objects: objects
            .iter()
            .map(|&kind| vocabulary.name_id(TYPES[kind]))
            .collect(),
        calls: Vec::new(),
        end: End::Passed,
    };
    for &(method, receiver, argument, result) in calls {
        let site = CallSite {
            class: "P".into(),
            method: Signature::new("m", "()V"),
            line: Some(1),
            bytecode_index: None,
            owner: "A".into(),
            called: Signature::new(METHODS[method], "(Ljava/lang/Object;)V"),
        };
        let receiver = receiver.filter(|_| method > 0);
        execution.calls.push(Call {
            site: vocabulary.site_id(&site),
            receiver: receiver.map(ObjectId),
            arguments: argument
                .map(|object| (0, ObjectId(object)))
                .into_iter()
                .collect(),
            result: result.map(ObjectId),
            thrown: None,
        });
    }
    execution
}

fn mine<'a>(
    vocabulary: &Vocabulary,
    executions: impl IntoIterator<Item = &'a Execution>,
) -> Protocols {
    let mut miner = Miner::default();
    for execution in executions {
        miner.learn(vocabulary, execution, Source::ProjectTest);
    }
    miner.finish(vocabulary)
}

/// Types, then steps: parameters bound, the last label, the next label.
type Steps = BTreeMap<Vec<String>, BTreeSet<(BTreeSet<usize>, Option<String>, String)>>;

/// The definition, word by word: every subtrace is made and walked through on its own.
fn by_definition(vocabulary: &Vocabulary, executions: &[Execution]) -> Steps {
    let mut steps = Steps::new();
    for execution in executions {
        let calls = &execution.calls;
        let takes_part = |call: &Call, object| {
            call.receiver == Some(object)
                || call.arguments.iter().any(|argument| argument.1 == object)
        };
        let creation = |object: ObjectId| {
            let first = calls
                .iter()
                .position(|call| takes_part(call, object) || call.result == Some(object))?;
            (!takes_part(&calls[first], object)).then_some(first)
        };
        let all = || (0..execution.objects.len() as u32).map(ObjectId);
        let is_called = |object: &ObjectId| calls.iter().any(|call| call.receiver == Some(*object));
        let mut groups: Vec<Vec<ObjectId>> = all().filter(is_called).map(|one| vec![one]).collect();
        for creator in all().filter(is_called) {
            for created in all()
                .filter(is_called)
                .filter(|created| *created != creator)
            {
                let is_made = creation(created).is_some_and(|at| {
                    let call = &calls[at];
                    let is_constructor = vocabulary.site(call.site).called.is_constructor();
                    let is_argument = call.arguments.iter().any(|argument| argument.1 == creator);
                    call.receiver == Some(creator) || is_constructor && is_argument
                });
                if is_made {
                    groups.push(vec![creator, created]);
                }
            }
        }
        for mut group in groups {
            let name = |object: &ObjectId| vocabulary.name(execution.objects[object.index()]);
            group.sort_by_key(name);
            let types = group
                .iter()
                .map(|object| name(object).to_string())
                .collect();
            let known = steps.entry(types).or_default();
            let number = |object| {
                group
                    .iter()
                    .position(|other| *other == object)
                    .map(|at| at + 1)
            };
            let mut bound = BTreeSet::new();
            let mut last = None;
            for (at, call) in calls.iter().enumerate() {
                let is_part = group
                    .iter()
                    .any(|&object| call.receiver == Some(object) || creation(object) == Some(at));
                if !is_part {
                    continue;
                }
                let receiver = call.receiver.and_then(number);
                let arguments = call.arguments.iter();
                let arguments: Vec<_> = arguments
                    .filter_map(|argument| Some((argument.0, number(argument.1)?)))
                    .collect();
                let result = call.result.and_then(number);
                let method = &vocabulary.site(call.site).called.name;
                let label = format!("{method} {receiver:?} {arguments:?} {result:?}");
                known.insert((bound.clone(), last, label.clone()));
                bound.extend(receiver.into_iter().chain(result));
                bound.extend(arguments.iter().map(|argument| argument.1));
                last = Some(label);
            }
        }
    }
    steps
}

/// The same out of the stored form.
fn stored(protocols: &Protocols) -> Steps {
    let file: Value = serde_json::from_str(&protocols.to_json()).unwrap();
    let elements = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let number = |value: &Value| value.as_u64().map(|number| number as usize);
    let mut steps = Steps::new();
    for protocol in elements(&file["protocols"]) {
        let types = elements(&protocol["types"])
            .iter()
            .map(|name| name.as_str().unwrap().to_owned())
            .collect();
        let label = |label: &Value| {
            let arguments = elements(&label["arguments"]);
            let arguments = arguments
                .iter()
                .map(|pair| (number(&pair[0]).unwrap(), number(&pair[1]).unwrap()));
            let arguments: Vec<_> = arguments.collect();
            let (receiver, result) = (number(&label["receiver"]), number(&label["result"]));
            let method = label["method"].as_str().unwrap();
            format!("{method} {receiver:?} {arguments:?} {result:?}")
        };
        let labels: Vec<String> = elements(&protocol["labels"]).iter().map(label).collect();
        let mut known = BTreeSet::new();
        for state in elements(&protocol["states"]) {
            let bound: BTreeSet<usize> = elements(&state["bound"])
                .iter()
                .filter_map(number)
                .collect();
            let last = number(&state["last"]).map(|place| labels[place].clone());
            for next in elements(&state["next"]) {
                known.insert((
                    bound.clone(),
                    last.clone(),
                    labels[number(&next).unwrap()].clone(),
                ));
            }
        }
        steps.insert(types, known);
    }
    steps
}

proptest! {
    #[test]
    fn mining_does_what_the_definition_says(all in prop::collection::vec(told(), 1..4)) {
        let mut vocabulary = Vocabulary::default();
        let executions: Vec<_> = all.iter().map(|one| build(&mut vocabulary, one)).collect();
        let protocols = mine(&vocabulary, &executions);
        prop_assert_eq!(stored(&protocols), by_definition(&vocabulary, &executions));
    }

    #[test]
    fn the_order_of_executions_and_runs_changes_nothing(
        all in prop::collection::vec(told(), 0..6),
        order in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        first in 0..6usize,
    ) {
        let mut vocabulary = Vocabulary::default();
        let executions: Vec<_> = all.iter().map(|one| build(&mut vocabulary, one)).collect();
        let text = mine(&vocabulary, &executions).to_json();
        let mut other = Vocabulary::default();
        let order: Vec<usize> = order.into_iter().filter(|&place| place < all.len()).collect();
        let shuffled: Vec<_> = order.iter().map(|&place| build(&mut other, &all[place])).collect();
        prop_assert_eq!(mine(&other, &shuffled).to_json(), &*text);
        let (left, right) = shuffled.split_at(first.min(all.len()));
        let mut merged = mine(&other, right);
        merged.merge(mine(&other, left));
        prop_assert_eq!(merged.to_json(), text);
    }

    #[test]
    fn what_was_learned_is_allowed(all in prop::collection::vec(told(), 1..5)) {
        let mut vocabulary = Vocabulary::default();
        let executions: Vec<_> = all.iter().map(|one| build(&mut vocabulary, one)).collect();
        let protocols = Protocols::from_json(&mine(&vocabulary, &executions).to_json()).unwrap();
        let checker = Checker::new(&protocols, &mut vocabulary);
        for execution in &executions {
            prop_assert_eq!(checker.violations(&vocabulary, execution, &|_| true), []);
        }
    }

    #[test]
    fn a_machine_is_deterministic_and_its_first_state_is_entered_by_none(all in told()) {
        let mut vocabulary = Vocabulary::default();
        let execution = build(&mut vocabulary, &all);
        for protocol in mine(&vocabulary, [&execution]).iter() {
            let machine = protocol.machine();
            for state in machine.states() {
                prop_assert!(state.steps.is_sorted_by(|left, right| left.0 < right.0));
                prop_assert!(state.steps.iter().all(|(_, target)| (1..machine.states().len()).contains(target)));
            }
        }
    }
}

#[test]
fn objects_that_one_made_step_together_as_each_would_alone() {
    // A list with many iterators: a subtrace for each would be quadratic.
    let calls: Vec<Told> = [
        (0, None, None, Some(0)),
        (1, Some(0), None, Some(1)),
        (1, Some(0), None, Some(2)),
        (2, Some(0), None, None),
        (3, Some(1), None, None),
        (2, Some(0), None, None),
        (1, Some(0), Some(2), Some(3)),
        (3, Some(2), Some(0), Some(1)),
        (1, Some(0), Some(3), Some(3)),
        (3, Some(3), None, None),
        (2, Some(0), None, None),
    ]
    .to_vec();
    let mut vocabulary = Vocabulary::default();
    let execution = build(&mut vocabulary, &(vec![0, 1, 1, 1, 0, 0], calls));
    let protocols = mine(&vocabulary, [&execution]);
    let subtraces = protocols
        .iter()
        .map(|protocol| protocol.support().subtraces);
    assert_eq!(subtraces.collect::<Vec<_>>(), [1, 3, 3]);
    assert_eq!(
        stored(&protocols),
        by_definition(&vocabulary, std::slice::from_ref(&execution))
    );
}

#[test]
fn what_is_kept_grows_with_the_methods_and_not_with_the_executions() {
    let calls: Vec<Told> = vec![
        (0, None, None, Some(0)),
        (1, Some(0), None, None),
        (2, Some(0), None, None),
    ];
    let mut vocabulary = Vocabulary::default();
    let execution = build(&mut vocabulary, &(vec![0; 6], calls));
    let [once, often] = [1, 1_000].map(|count| mine(&vocabulary, vec![&execution; count]));
    let often = often.to_json();
    assert_eq!(often.replace(": 1000", ": 1"), once.to_json());
    assert_eq!(
        often.matches(": 1000").count(),
        2,
        "tests and subtraces are counted"
    );
}
