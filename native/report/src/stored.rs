//! `explain.json`: what `explain` can be asked, with long lists cut and each name written once.
//!
//! Comes in: [`Explanations`]. Goes out: JSON, and the same back. Methods, tests and classes are places in `names`:
//!
//! ```text
//! {"schema_version":3, "names":["RoadMapPalusTest#init_completes","city.RoadMap"],
//!  "classes":[{"name":"city.RoadMap","methods":[{"method":"init()","tests":[0],"calls":[{"model":1,"target":2,...
//! ```
//!
//! Fields that are empty, 0 or false are left out. Does not know: what a fact means.

use crate::explanation::{
    CallReport, ClassExplanation, DroppedTest, Explanations, MethodReport, ObjectsReport,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Version of `explain.json`; a file of another version is not read.
pub const EXPLANATION_VERSION: u32 = 3;

/// Tests, dependences and calls written per method.
const LISTED: usize = 12;

#[derive(Serialize, Deserialize)]
struct StoredFile {
    schema_version: u32,
    palus_version: String,
    command_line: String,
    names: Vec<String>,
    classes: Vec<StoredClass>,
}

#[derive(Serialize, Deserialize)]
struct StoredClass {
    name: String,
    methods: Vec<StoredMethod>,
    #[serde(default, skip_serializing_if = "is_default")]
    objects: ObjectsReport,
}

#[derive(Serialize, Deserialize)]
struct StoredMethod {
    method: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tests: Vec<usize>,
    #[serde(default, skip_serializing_if = "is_default")]
    more_tests: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skip: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    cause: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    drops: Vec<DroppedTest>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    dependences: Vec<(usize, f64)>,
    #[serde(default, skip_serializing_if = "is_default")]
    more_dependences: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<StoredCall>,
    #[serde(default, skip_serializing_if = "is_default")]
    more_calls: usize,
}

#[derive(Serialize, Deserialize)]
struct StoredCall {
    model: usize,
    #[serde(default, skip_serializing_if = "is_default")]
    source: u32,
    target: u32,
    roles: usize,
    count: u64,
    #[serde(default, skip_serializing_if = "is_default")]
    is_nested: bool,
    #[serde(default, skip_serializing_if = "is_default")]
    is_covered: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    examples: Vec<String>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Names in the order of their first use.
#[derive(Default)]
struct Names<'a> {
    places: BTreeMap<&'a str, usize>,
    all: Vec<String>,
}

impl<'a> Names<'a> {
    fn place(&mut self, name: &'a str) -> usize {
        let next = self.all.len();
        let place = *self.places.entry(name).or_insert(next);
        if place == next {
            self.all.push(name.to_owned());
        }
        place
    }
}

/// The text of `explain.json`.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn explanations_json(explanations: &Explanations) -> String {
    let mut names = Names::default();
    let classes = explanations
        .classes
        .iter()
        .map(|class| StoredClass {
            name: class.name.clone(),
            methods: class
                .methods
                .iter()
                .map(|method| write_method(&mut names, method))
                .collect(),
            objects: class.objects,
        })
        .collect();
    let file = StoredFile {
        schema_version: EXPLANATION_VERSION,
        palus_version: explanations.palus_version.clone(),
        command_line: explanations.command_line.clone(),
        names: names.all,
        classes,
    };
    serde_json::to_string(&file).expect("plain data can be written as JSON")
}

fn write_method<'a>(names: &mut Names<'a>, method: &'a MethodReport) -> StoredMethod {
    let beyond = |all: usize| all.saturating_sub(LISTED);
    let tests = method.tests.iter().take(LISTED);
    let dependences = method.dependences.iter().take(LISTED);
    StoredMethod {
        method: method.method.clone(),
        tests: tests.map(|test| names.place(test)).collect(),
        more_tests: method.more_tests + beyond(method.tests.len()),
        skip: method.skip.clone(),
        cause: method.cause.clone(),
        missing: method.missing.clone(),
        drops: method.drops.clone(),
        dependences: dependences
            .map(|(on, weight)| (names.place(on), *weight))
            .collect(),
        more_dependences: method.more_dependences + beyond(method.dependences.len()),
        calls: method
            .calls
            .iter()
            .take(LISTED)
            .map(|call| StoredCall {
                model: names.place(&call.model),
                source: call.source,
                target: call.target,
                roles: names.place(&call.roles),
                count: call.count,
                is_nested: call.is_nested,
                is_covered: call.is_covered,
                examples: call.examples.clone(),
            })
            .collect(),
        more_calls: method.more_calls + beyond(method.calls.len()),
    }
}

/// Reads `explain.json`.
///
/// # Errors
/// What is wrong with it, for people.
pub fn read_explanations(json: &str) -> Result<Explanations, String> {
    #[derive(Deserialize)]
    struct Version {
        schema_version: u32,
    }
    let Version { schema_version } =
        serde_json::from_str(json).map_err(|error| error.to_string())?;
    if schema_version != EXPLANATION_VERSION {
        return Err(format!(
            "it has version {schema_version}, and this Palus reads version {EXPLANATION_VERSION}"
        ));
    }
    let file: StoredFile = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let names = &file.names;
    let mut classes = Vec::with_capacity(file.classes.len());
    for class in file.classes {
        let methods: Option<Vec<MethodReport>> = class
            .methods
            .into_iter()
            .map(|method| read_method(names, method))
            .collect();
        classes.push(ClassExplanation {
            name: class.name,
            methods: methods.ok_or("it names a place that `names` does not have")?,
            objects: class.objects,
        });
    }
    Ok(Explanations {
        palus_version: file.palus_version,
        command_line: file.command_line,
        classes,
        models: Vec::new(),
    })
}

/// None where a place is not in the names.
fn read_method(names: &[String], method: StoredMethod) -> Option<MethodReport> {
    let name = |place: usize| names.get(place).cloned();
    Some(MethodReport {
        method: method.method,
        tests: method.tests.into_iter().map(name).collect::<Option<_>>()?,
        more_tests: method.more_tests,
        skip: method.skip,
        cause: method.cause,
        missing: method.missing,
        drops: method.drops,
        dependences: method
            .dependences
            .into_iter()
            .map(|(on, weight)| Some((name(on)?, weight)))
            .collect::<Option<_>>()?,
        more_dependences: method.more_dependences,
        calls: method
            .calls
            .into_iter()
            .map(|call| {
                Some(CallReport {
                    model: name(call.model)?,
                    source: call.source,
                    target: call.target,
                    roles: name(call.roles)?,
                    count: call.count,
                    is_nested: call.is_nested,
                    is_covered: call.is_covered,
                    examples: call.examples,
                })
            })
            .collect::<Option<_>>()?,
        more_calls: method.more_calls,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explanations(method: MethodReport) -> Explanations {
        Explanations {
            palus_version: "1".into(),
            command_line: "mvn palus:generate".into(),
            classes: vec![ClassExplanation {
                name: "city.RoadMap".into(),
                methods: vec![method],
                objects: ObjectsReport {
                    merged: 3,
                    capped: 1,
                    ..ObjectsReport::default()
                },
            }],
            models: Vec::new(),
        }
    }

    fn init(lists: usize) -> MethodReport {
        let call = CallReport {
            model: "city.RoadMap".into(),
            source: 1,
            target: 2,
            roles: "the receiver".into(),
            count: 7,
            is_covered: true,
            examples: vec!["(City in state 1)".into()],
            ..CallReport::default()
        };
        MethodReport {
            method: "init()".into(),
            tests: vec!["RoadMapPalusTest#init_completes".into(); lists],
            skip: Some("S04".into()),
            cause: "File.delete".into(),
            missing: vec!["Connection".into()],
            drops: vec![DroppedTest::default()],
            dependences: vec![("city.RoadMap#addCity(City)".into(), 0.3333); lists],
            more_dependences: 2,
            calls: vec![call; lists],
            ..MethodReport::default()
        }
    }

    #[test]
    fn explanations_are_read_back_and_other_versions_are_refused() {
        let before = explanations(init(LISTED));
        let text = explanations_json(&before);
        assert_eq!(read_explanations(&text), Ok(before));
        let older = text.replacen("\"schema_version\":3", "\"schema_version\":1", 1);
        assert_eq!(
            read_explanations(&older),
            Err("it has version 1, and this Palus reads version 3".to_owned())
        );
    }

    #[test]
    fn long_lists_are_cut_and_the_rest_is_counted() {
        let text = explanations_json(&explanations(init(100)));
        let read = read_explanations(&text).unwrap();
        let method = &read.classes[0].methods[0];
        let counts = [
            (method.tests.len(), method.more_tests),
            (method.dependences.len(), method.more_dependences),
            (method.calls.len(), method.more_calls),
        ];
        assert_eq!(counts, [(12, 88), (12, 90), (12, 88)]);
    }

    #[test]
    fn a_name_is_written_once_and_nothing_for_what_is_not_there() {
        let text = explanations_json(&explanations(init(3)));
        assert_eq!(text.matches("init_completes").count(), 1);
        assert_eq!(text.matches("addCity(City)").count(), 1);
        assert!(!text.contains("is_nested"), "{text}");
        assert!(!text.contains("more_tests"), "{text}");
    }

    #[test]
    fn a_place_without_a_name_is_an_error() {
        let text = explanations_json(&explanations(init(1))).replacen(
            "\"tests\":[0]",
            "\"tests\":[99]",
            1,
        );
        assert_eq!(
            read_explanations(&text),
            Err("it names a place that `names` does not have".to_owned())
        );
    }
}
