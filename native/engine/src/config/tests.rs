//! Settings as the plugins pass them: defaults, limits, and the errors of wrong values.

use super::*;

const NEEDED: &[(&str, &str)] = &[
    ("outputDirectory", "/p/out"),
    ("projectDirectory", "/p"),
    ("workDirectory", "/p/work"),
    ("reportDirectory", "/p/report"),
    ("classesDirectory", "/p/classes"),
    ("javaHome", "/jdk"),
    ("workerJar", "/w.jar"),
];

fn read(extra: &[(&str, &str)]) -> Result<Settings, Error> {
    let pairs: Vec<_> = NEEDED
        .iter()
        .chain(extra)
        .map(|&(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Settings::from_pairs(&pairs)
}

#[test]
fn what_decides_the_tests_decides_whether_a_run_is_up_to_date() {
    let digest = |extra: &[(&str, &str)]| crate::run::state::digest(&read(extra).unwrap()).unwrap();
    let plain = digest(&[]);
    let deciding = [
        ("classes", "a.*"),
        ("excludes", "b.*"),
        ("budget", "11"),
        ("seed", "7"),
        ("framework", "JUNIT4"),
        ("mode", "RANDOM"),
        ("kTail", "2"),
        ("dependentPosition", "BEFORE"),
        ("search", "OFF"),
        ("templates", "false"),
        ("operandFeedback", "false"),
        ("patience", "false"),
        ("contracts", "false"),
        ("theories", "false"),
        ("findingsDirectory", "/f"),
    ];
    for (name, value) in deciding {
        assert_ne!(digest(&[(name, value)]), plain, "{name}");
    }
    assert_eq!(digest(&[("workers", "1")]), plain);
}

#[test]
fn nothing_a_user_may_set_is_required() {
    let settings = read(&[]).unwrap();
    assert_eq!(settings.budget, 100_000);
    assert_eq!(settings.time_limit_seconds, 600);
    assert_eq!(settings.seed, 0);
    assert_eq!(settings.classes, ["**"]);
    assert_eq!(settings.framework, Framework::Auto);
    assert_eq!(settings.mode, Mode::Full);
    assert_eq!(settings.k_tail, 0);
    assert_eq!(settings.dependent_position, DependentPosition::After);
    assert_eq!(settings.search, Some(Algorithm::Dynamosa));
    assert!(settings.workers >= 1);
    assert!(settings.contracts && settings.theories && !settings.update_baseline);
    assert_eq!(settings.findings_directory, PathBuf::from("/p/findings"));
    assert_eq!(settings.baseline, PathBuf::from("/p/palus-baseline.json"));
}

#[test]
fn a_wrong_value_names_the_setting_the_value_and_what_is_allowed() {
    let error = read(&[("budget", "many")]).unwrap_err();
    assert_eq!(error.kind, crate::ErrorKind::Configuration);
    assert_eq!(error.message, "the setting `budget` has the value `many`");
    assert_eq!(error.hint, "allowed: a whole number from 1 to 1000000000");
    let error = read(&[("framework", "TESTNG")]).unwrap_err();
    assert_eq!(error.hint, "allowed: AUTO, JUNIT4, JUNIT5 or JUNIT6");
    let error = read(&[("contracts", "yes")]).unwrap_err();
    assert_eq!(error.hint, "allowed: true or false");
    let error = read(&[("mode", "full")]).unwrap_err();
    assert_eq!(
        error.hint,
        "allowed: FULL, RANDOM, UNGUIDED, STATIC, PALULU, MODEL, CONSTRAINTS, LITERAL or BLIND"
    );
    let error = read(&[("search", "ON")]).unwrap_err();
    assert_eq!(error.hint, "allowed: DYNAMOSA, MOSA, MONOTONIC_GA or OFF");
    let error = read(&[("kTail", "11")]).unwrap_err();
    assert_eq!(error.hint, "allowed: a whole number from 0 to 10");
    let error = read(&[("classes", "com/acme")]).unwrap_err();
    assert_eq!(
        error.message,
        "the setting `classes` has the value `com/acme`"
    );
}

#[test]
fn a_wrong_value_is_found_before_the_build_knows_its_folders() {
    let check = |name: &str, value: &str| {
        Settings::check(&[(name.to_owned(), value.to_owned())]).map_err(|error| error.message)
    };
    assert_eq!(Settings::check(&[]), Ok(()));
    assert_eq!(check("outputDirectory", "/p/out"), Ok(()));
    assert_eq!(
        check("seed", "x").unwrap_err(),
        "the setting `seed` has the value `x`"
    );
    assert_eq!(
        check("mode", "SLOW").unwrap_err(),
        "the setting `mode` has the value `SLOW`"
    );
}

#[test]
fn folders_that_a_plugin_knows_already_are_checked_with_the_values() {
    let folder = tempfile::tempdir().unwrap();
    let check = |output: &str| {
        let pairs = [
            ("projectDirectory", "."),
            ("workDirectory", "target/palus"),
            ("reportDirectory", "target/reports/palus"),
            ("findingsDirectory", "target/palus/findings"),
            ("classesDirectory", "target/classes"),
            ("outputDirectory", output),
        ];
        let at = |(name, path): (&str, &str)| {
            let path = folder.path().join(path);
            (name.to_owned(), path.display().to_string())
        };
        Settings::check(&pairs.map(at)).map_err(|error| error.message)
    };
    assert_eq!(check("target/generated-test-sources/palus"), Ok(()));
    for wrong in ["target/palus", "target/reports/palus", "target", "."] {
        assert!(
            check(wrong).unwrap_err().contains("`outputDirectory`"),
            "{wrong}"
        );
    }
}

#[test]
fn modes_for_comparisons_are_searched_only_where_it_is_said() {
    let search = |pairs: &[(&str, &str)]| read(pairs).unwrap().search;
    assert_eq!(search(&[("mode", "RANDOM")]), None);
    assert_eq!(
        search(&[("mode", "RANDOM"), ("search", "MOSA")]),
        Some(Algorithm::Mosa)
    );
    assert_eq!(search(&[("search", "OFF")]), None);
}

#[test]
fn an_unknown_or_repeated_setting_is_refused() {
    assert_eq!(
        read(&[("budgett", "1")]).unwrap_err().message,
        "there is no setting `budgett`"
    );
    let error = read(&[("seed", "1"), ("seed", "2")]).unwrap_err();
    assert_eq!(error.message, "the setting `seed` is given more than once");
}
