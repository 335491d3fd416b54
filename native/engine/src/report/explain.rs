//! `explain`: what the last run knows about one method, as lines for the console.
//!
//! Comes in: the method as the user names it, and `explain.json` in the report folder.
//! Goes out: lines to the listener, or an error that names the nearest class or method.
//! Does not know: how a fact was found (see `explanations.rs`); it runs nothing.
//!
//! ```text
//! city.RoadMap#addCity(City)
//!   tests       2: RoadMapPalusTest#addCity_completes, RoadMapPalusTest#addCity_null_throws
//!   depends on  0.75 city.RoadMap#init(), 0.25 city.RoadMap#addRoad(City, City)
//!   model       city.RoadMap: state 2 -> 3 as the receiver, 12 calls, followed by a written test
//!               with (City in state 1)
//! ```

use crate::listener::{Level, Listener};
use crate::report::changes::of_last_run;
use crate::report::files::EXPLANATIONS;
use crate::{Error, ErrorKind, message};
use palus_report::{
    BehaviourChange, CallReport, ClassExplanation, Explanations, MethodReport, ObjectsReport,
    read_explanations,
};
use std::collections::BTreeSet;
use std::path::PathBuf;
use strsim::osa_distance;

/// Names offered where one is not known.
const NEAREST: usize = 5;

/// What to explain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainSettings {
    /// `method`: `pkg.Class#name`, the package and the parameters optional.
    pub method: String,
    /// `reportDirectory`: that of the run.
    pub report_directory: PathBuf,
    /// `commandLine`: what makes such a run, for the error when there was none.
    pub command_line: String,
}

impl ExplainSettings {
    /// Reads and checks settings.
    ///
    /// # Errors
    /// A configuration error naming the setting and what is allowed.
    pub fn from_pairs(pairs: &[(String, String)]) -> Result<ExplainSettings, Error> {
        let single = |wanted: &str| {
            pairs
                .iter()
                .find(|(name, _)| name == wanted)
                .map(|(_, value)| value.trim())
                .filter(|value| !value.is_empty())
        };
        let method = single("method").ok_or_else(|| {
            Error::configuration(
                "the setting `method` is missing",
                "say which method, such as `com.acme.Account#deposit`",
            )
        })?;
        let report = single("reportDirectory").ok_or_else(|| {
            Error::configuration("the setting `reportDirectory` is missing", "give it a path")
        })?;
        Ok(ExplainSettings {
            method: method.to_owned(),
            report_directory: PathBuf::from(report),
            command_line: single("commandLine").unwrap_or_default().to_owned(),
        })
    }
}

/// Tells all about one method.
///
/// # Errors
/// A configuration error when there was no run, or no such class or method; a format error when the run was of another
/// version.
pub fn explain(settings: &ExplainSettings, listener: &dyn Listener) -> Result<(), Error> {
    let path = settings.report_directory.join(EXPLANATIONS);
    let again = if settings.command_line.is_empty() {
        "generate tests first".to_owned()
    } else {
        format!("run `{}` first", settings.command_line)
    };
    let text = std::fs::read_to_string(&path).map_err(|_| {
        Error::configuration(
            format!("there was no run yet: {} is missing", path.display()),
            again.clone(),
        )
    })?;
    let explanations = read_explanations(&text).map_err(|cause| {
        Error::new(
            ErrorKind::Format,
            format!("{} cannot be read: {cause}", path.display()),
            again,
        )
    })?;
    let changes = of_last_run(&settings.report_directory);
    for line in lines(&explanations, &changes, &settings.method)? {
        listener.line(Level::Info, &line);
    }
    Ok(())
}

/// The lines for all overloads that the name fits.
pub(crate) fn lines(
    explanations: &Explanations,
    changes: &[BehaviourChange],
    wanted: &str,
) -> Result<Vec<String>, Error> {
    let (class, method) = wanted
        .split_once('#')
        .filter(|(class, method)| !class.is_empty() && !method.is_empty())
        .ok_or_else(|| {
            Error::configuration(
                format!("`{wanted}` names no method"),
                "write the class, `#` and the method, such as `com.acme.Account#deposit`; `#new` is its constructor",
            )
        })?;
    let class = find_class(explanations, class)?;
    let found: Vec<&MethodReport> = class
        .methods
        .iter()
        .filter(|known| is_meant(class, known, method))
        .collect();
    if found.is_empty() {
        let names: BTreeSet<&str> = class
            .methods
            .iter()
            .map(|known| simple_method(&known.method))
            .collect();
        return Err(Error::configuration(
            format!("{} has no method `{method}`", class.name),
            format!("nearest names: {}", nearest(method, names)),
        ));
    }
    let mut lines = Vec::new();
    for method in found {
        describe(class, method, &mut lines);
        describe_changes(class, method, changes, &mut lines);
    }
    Ok(lines)
}

fn find_class<'a>(
    explanations: &'a Explanations,
    wanted: &str,
) -> Result<&'a ClassExplanation, Error> {
    let wanted = palus_bytecode::binary_name(wanted);
    let dotted = |name: &str| name.replace('$', ".");
    let exact = explanations
        .classes
        .iter()
        .find(|class| class.name == wanted || dotted(&class.name) == wanted);
    if let Some(class) = exact {
        return Ok(class);
    }
    let ending = format!(".{}", dotted(&wanted));
    let by_end: Vec<&ClassExplanation> = explanations
        .classes
        .iter()
        .filter(|class| dotted(&class.name).ends_with(&ending))
        .collect();
    if let [class] = by_end.as_slice() {
        return Ok(class);
    }
    let names = || explanations.classes.iter().map(|class| class.name.as_str());
    let (problem, hint) = if by_end.is_empty() {
        let hint = format!(
            "nearest names: {}; a class that `classes` does not choose, or that has no code of its own, as most interfaces, \
             is not known",
            nearest(&wanted, names())
        );
        (format!("the last run looked at no class `{wanted}`"), hint)
    } else {
        let all: Vec<&str> = by_end.iter().map(|class| class.name.as_str()).collect();
        (
            format!("`{wanted}` may be one of several classes"),
            format!("say which: {}", all.join(", ")),
        )
    };
    Err(Error::configuration(problem, hint))
}

/// `deposit`, `deposit(int)`; a constructor is `new`, `<init>` or the name of its class.
fn is_meant(class: &ClassExplanation, known: &MethodReport, wanted: &str) -> bool {
    let tight = |text: &str| text.replace(' ', "");
    let is_constructor = class.name.rsplit(['.', '$']).next() == Some(simple_method(&known.method));
    let (name, parameters) = match wanted.find('(') {
        Some(place) => wanted.split_at(place),
        None => (wanted, ""),
    };
    let same_name = simple_method(&known.method) == name
        || (is_constructor && matches!(name, "new" | "<init>"));
    same_name && (parameters.is_empty() || tight(&known.method).ends_with(&tight(parameters)))
}

fn simple_method(method: &str) -> &str {
    method.split('(').next().unwrap_or(method)
}

fn describe(class: &ClassExplanation, method: &MethodReport, lines: &mut Vec<String>) {
    lines.push(format!("{}#{}", class.name, method.method));
    let mut row = |name: &str, text: &str| lines.push(message::explained(name, text));
    let dropped = dropped_codes(class, method);
    let needs_none = method.tests.is_empty() && dropped.is_empty();
    let skip = method.skip.as_deref();
    if let Some(code) = skip.or(needs_none.then_some(palus_report::NOTHING_NEW)) {
        let known = palus_report::code(code);
        let (meaning, cure) = known.map_or(("", ""), |known| (known.meaning, known.cure));
        row("no test", &format!("{code}: {meaning}"));
        if !method.cause.is_empty() {
            row("", &format!("the first try: {}", method.cause));
        }
        if !method.missing.is_empty() {
            let missing = method.missing.join(", ");
            row("", &format!("no written test has an object of {missing}"));
        }
        row("", cure);
    } else if method.tests.is_empty() {
        for code in dropped {
            let known = palus_report::code(code);
            let (meaning, cure) = known.map_or(("", ""), |known| (known.meaning, known.cure));
            row("no test", &format!("each was dropped: {code}: {meaning}"));
            row("", cure);
        }
    } else {
        let count = method.tests.len() + method.more_tests;
        let more = match method.more_tests {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        row(
            "tests",
            &format!("{count}: {}{more}", method.tests.join(", ")),
        );
    }
    for drop in &method.drops {
        row(
            "dropped",
            &format!(
                "{} ({}): {}",
                drop.test,
                drop.code,
                drop.text.replace('\n', " ")
            ),
        );
    }
    if method.dependences.is_empty() {
        row(
            "depends on",
            "no other method: it reads no field that others touch",
        );
    }
    for (place, (on, weight)) in method.dependences.iter().enumerate() {
        let name = if place == 0 { "depends on" } else { "" };
        row(name, &format!("{weight:.4} {on}"));
    }
    if method.more_dependences > 0 {
        row("", &format!("and {} weaker ones", method.more_dependences));
    }
    if method.calls.is_empty() {
        row(
            "model",
            "no model has a call of it (those that change nothing are left out)",
        );
    }
    for call in &method.calls {
        row("model", &call_text(call));
        for example in &call.examples {
            row("", &format!("with {example}"));
        }
    }
    if method.more_calls > 0 {
        row("", &format!("and {} less frequent ones", method.more_calls));
    }
    if let Some(text) = objects_text(&class.objects) {
        row("objects", &text);
    }
}

/// What tests of the last run say that changed; that of a nested class may be said of the outermost one, in whose file its
/// tests stand.
fn describe_changes(
    class: &ClassExplanation,
    method: &MethodReport,
    changes: &[BehaviourChange],
    lines: &mut Vec<String>,
) {
    let name = simple_method(&method.method);
    let outermost = class.name.split('$').next();
    for change in changes {
        let is_of = [Some(class.name.as_str()), outermost].contains(&Some(&change.class));
        if is_of && change.method == name {
            let text = format!("before {}, now {}", change.before, change.now);
            lines.push(message::explained("changed", &text));
            let place = format!("{}, line {}: {}", change.test, change.line, change.source);
            lines.push(message::explained("", &place));
        }
    }
}

/// Why the class has no model, or a small one; none where all its traced objects are in it.
fn objects_text(objects: &ObjectsReport) -> Option<String> {
    let reasons = [
        (objects.unseen_creation, "not seen being made"),
        (objects.capped, "with too many calls to be recorded"),
        (objects.failed_test, "used by tests that failed"),
        (objects.too_many, "beyond the first ones, which are enough"),
    ];
    let left_out = reasons.iter().filter(|(count, _)| *count > 0);
    let left_out = left_out.map(|(count, why)| format!("{count} {why}"));
    let left_out: Vec<String> = left_out.collect();
    match (objects.merged, left_out.is_empty()) {
        (0, true) => Some("no traced test made one of the class, so it has no model".to_owned()),
        (0, false) => Some(format!(
            "none in a model; left out: {}",
            left_out.join(", ")
        )),
        (_, true) => None,
        (merged, false) => Some(format!(
            "{merged} in the model of the class; left out: {}",
            left_out.join(", ")
        )),
    }
}

/// Why verifying left a method without a test: by the drops of its own candidates, or those of its class where that has
/// no test at all.
fn dropped_codes<'a>(class: &'a ClassExplanation, method: &'a MethodReport) -> BTreeSet<&'a str> {
    let own = std::slice::from_ref(method);
    let has_tests = class.methods.iter().any(|known| !known.tests.is_empty());
    let about = if method.drops.is_empty() && !has_tests {
        &class.methods
    } else {
        own
    };
    let drops = about.iter().flat_map(|known| &known.drops);
    drops.map(|drop| drop.code.as_str()).collect()
}

fn call_text(call: &CallReport) -> String {
    format!(
        "{}: state {} -> {} as {}, {}{}, {}",
        call.model,
        call.source,
        call.target,
        call.roles,
        message::count(call.count, "call", "calls"),
        if call.is_nested { " inside others" } else { "" },
        if call.is_covered {
            "followed by a written test"
        } else {
            "not followed by a written test"
        }
    )
}

/// The names that differ least, nearest first.
fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let wanted = wanted.to_lowercase();
    let last = |name: &str| {
        name.rsplit(['.', '$'])
            .next()
            .unwrap_or(name)
            .to_lowercase()
    };
    let mut known: Vec<(usize, &str)> = names
        .into_iter()
        .map(|name| {
            let whole = osa_distance(&wanted, &name.to_lowercase());
            let end = osa_distance(&last(&wanted), &last(name));
            (whole.min(end), name)
        })
        .collect();
    known.sort_unstable();
    let names: Vec<&str> = known.iter().take(NEAREST).map(|(_, name)| *name).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_report::{DroppedTest, explanations_json};
    use std::sync::Mutex;

    struct Heard(Mutex<Vec<String>>);

    impl Listener for Heard {
        fn line(&self, _: Level, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }

        fn progress(&self, _: crate::Progress<'_>) {}
    }

    fn method(text: &str) -> MethodReport {
        MethodReport {
            method: text.into(),
            ..MethodReport::default()
        }
    }

    fn explanations() -> Explanations {
        let call = CallReport {
            model: "city.RoadMap".into(),
            source: 2,
            target: 3,
            roles: "the receiver".into(),
            count: 12,
            is_covered: true,
            examples: vec!["(City in state 1)".into()],
            ..CallReport::default()
        };
        let road_map = ClassExplanation {
            name: "city.RoadMap".into(),
            methods: vec![
                method("RoadMap()"),
                MethodReport {
                    tests: vec!["RoadMapPalusTest#addCity_completes".into()],
                    drops: vec![DroppedTest {
                        test: "RoadMapPalusTest#addCity_slow".into(),
                        code: "times-out".into(),
                        text: "it takes too long".into(),
                    }],
                    dependences: vec![("city.RoadMap#init()".into(), 0.75)],
                    more_dependences: 1,
                    calls: vec![call],
                    ..method("addCity(City)")
                },
                MethodReport {
                    skip: Some("S04".into()),
                    cause: "File.delete on a file that it did not make".into(),
                    missing: vec!["Connection".into()],
                    ..method("load(Connection)")
                },
            ],
            objects: ObjectsReport {
                merged: 1,
                ..ObjectsReport::default()
            },
        };
        let entry = ClassExplanation {
            name: "city.RoadMap$Entry".into(),
            methods: vec![method("get()"), method("get(int)")],
            objects: ObjectsReport::default(),
        };
        Explanations {
            classes: vec![road_map, entry],
            ..Explanations::default()
        }
    }

    fn said(method: &str) -> Vec<String> {
        lines(&explanations(), &[], method).unwrap()
    }

    fn refused(method: &str) -> Error {
        lines(&explanations(), &[], method).unwrap_err()
    }

    #[test]
    fn a_method_is_explained_with_tests_dependences_model_and_drops() {
        let expected = [
            "city.RoadMap#addCity(City)",
            "  tests       1: RoadMapPalusTest#addCity_completes",
            "  dropped     RoadMapPalusTest#addCity_slow (times-out): it takes too long",
            "  depends on  0.7500 city.RoadMap#init()",
            "              and 1 weaker ones",
            "  model       city.RoadMap: state 2 -> 3 as the receiver, 12 calls, followed by a written test",
            "              with (City in state 1)",
        ];
        assert_eq!(said("city.RoadMap#addCity"), expected);
        assert_eq!(said("RoadMap#addCity(City)"), expected);
    }

    #[test]
    fn what_changed_is_told_of_its_method_alone() {
        let change = BehaviourChange {
            class: "city.RoadMap".to_owned(),
            method: "addCity".to_owned(),
            test: "city.RoadMapPalusTest#addCity_isOne".to_owned(),
            line: 9,
            source: "assertEquals(1, roadMap.size());".to_owned(),
            before: "1".to_owned(),
            now: "2".to_owned(),
            ..BehaviourChange::default()
        };
        let other = BehaviourChange {
            method: "init".to_owned(),
            ..change.clone()
        };
        let told = lines(&explanations(), &[change, other], "RoadMap#addCity").unwrap();
        let expected = [
            "  changed     before 1, now 2",
            "              city.RoadMapPalusTest#addCity_isOne, line 9: assertEquals(1, roadMap.size());",
        ];
        assert_eq!(told[7..], expected);
    }

    #[test]
    fn why_a_class_has_no_model_or_a_small_one_is_told() {
        let told = |objects| {
            let mut known = explanations();
            known.classes[0].objects = objects;
            let lines = lines(&known, &[], "RoadMap#addCity").unwrap();
            lines[7..].to_vec()
        };
        let all = ObjectsReport {
            merged: 20,
            unseen_creation: 3,
            capped: 1,
            failed_test: 2,
            too_many: 5,
        };
        assert_eq!(
            told(all),
            [
                "  objects     20 in the model of the class; left out: 3 not seen being made, \
                 1 with too many calls to be recorded, 2 used by tests that failed, \
                 5 beyond the first ones, which are enough"
            ]
        );
        let unseen = ObjectsReport {
            unseen_creation: 3,
            ..ObjectsReport::default()
        };
        assert_eq!(
            told(unseen),
            ["  objects     none in a model; left out: 3 not seen being made"]
        );
        let none = "  objects     no traced test made one of the class, so it has no model";
        assert_eq!(told(ObjectsReport::default()), [none]);
    }

    #[test]
    fn a_skipped_method_gets_its_reason_the_missing_type_and_the_cure() {
        let lines = said("RoadMap#load");
        assert_eq!(
            lines[1],
            "  no test     S04: no instance of its class or of a parameter could be made"
        );
        assert_eq!(
            lines[2..4],
            [
                "              the first try: File.delete on a file that it did not make",
                "              no written test has an object of Connection"
            ]
        );
        assert!(lines[4].contains("Write one test"), "{}", lines[4]);
    }

    #[test]
    fn where_verifying_dropped_all_tests_its_codes_are_named() {
        let mut known = explanations();
        known.classes[0].methods[1].tests.clear();
        for name in ["RoadMap#addCity", "RoadMap#new"] {
            let lines = lines(&known, &[], name).unwrap();
            assert_eq!(
                lines[1],
                "  no test     each was dropped: times-out: it takes too long"
            );
            assert!(lines[2].contains("Check the loops"), "{}", lines[2]);
        }
    }

    #[test]
    fn overloads_nested_classes_and_constructors_are_found() {
        let both = said("city.RoadMap.Entry#get");
        let names: Vec<&String> = both.iter().filter(|line| !line.starts_with(' ')).collect();
        assert_eq!(
            names,
            ["city.RoadMap$Entry#get()", "city.RoadMap$Entry#get(int)"]
        );
        assert_eq!(said("Entry#get( int )")[0], "city.RoadMap$Entry#get(int)");
        for constructor in ["RoadMap#new", "RoadMap#<init>", "RoadMap#RoadMap"] {
            assert_eq!(said(constructor)[0], "city.RoadMap#RoadMap()");
        }
    }

    #[test]
    fn an_unknown_name_gets_the_nearest_ones() {
        let error = refused("city.RoadMep#init");
        assert_eq!(error.kind, ErrorKind::Configuration);
        assert_eq!(
            error.message,
            "the last run looked at no class `city.RoadMep`"
        );
        assert!(
            error.hint.starts_with("nearest names: city.RoadMap,"),
            "{}",
            error.hint
        );
        let error = refused("RoadMap#addCty");
        assert_eq!(error.message, "city.RoadMap has no method `addCty`");
        assert!(
            error.hint.starts_with("nearest names: addCity,"),
            "{}",
            error.hint
        );
        assert_eq!(refused("addCity").message, "`addCity` names no method");
    }

    #[test]
    fn swapped_letters_are_one_mistake() {
        let hint = refused("RoadMap#laod").hint;
        assert!(hint.starts_with("nearest names: load,"), "{hint}");
    }

    #[test]
    fn what_the_file_leaves_out_is_counted() {
        let mut known = explanations();
        let add = &mut known.classes[0].methods[1];
        (add.more_tests, add.more_calls) = (30, 7);
        let lines = lines(&known, &[], "RoadMap#addCity").unwrap();
        assert_eq!(
            lines[1],
            "  tests       31: RoadMapPalusTest#addCity_completes and 30 more"
        );
        assert_eq!(lines[7], "              and 7 less frequent ones");
    }

    #[test]
    fn without_a_run_the_command_for_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let settings = ExplainSettings::from_pairs(&[
            ("method".to_owned(), "RoadMap#init".to_owned()),
            (
                "reportDirectory".to_owned(),
                folder.path().display().to_string(),
            ),
            ("commandLine".to_owned(), "mvn palus:generate".to_owned()),
        ])
        .unwrap();
        let heard = Heard(Mutex::default());
        let error = explain(&settings, &heard).unwrap_err();
        assert!(error.message.starts_with("there was no run yet"), "{error}");
        assert_eq!(error.hint, "run `mvn palus:generate` first");

        let file = folder.path().join("explain.json");
        std::fs::write(&file, "{\"schema_version\":99}").unwrap();
        let error = explain(&settings, &heard).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Format);
        assert!(error.message.contains("it has version 99"), "{error}");

        std::fs::write(&file, explanations_json(&explanations())).unwrap();
        let settings = ExplainSettings {
            method: "RoadMap#addCity".to_owned(),
            ..settings
        };
        explain(&settings, &heard).unwrap();
        assert_eq!(heard.0.lock().unwrap().len(), 7);
    }

    #[test]
    fn a_missing_method_setting_says_what_to_give() {
        let error = ExplainSettings::from_pairs(&[]).unwrap_err();
        assert_eq!(error.message, "the setting `method` is missing");
    }
}
