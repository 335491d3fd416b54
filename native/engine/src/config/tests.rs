//! Settings as the plugins pass them: defaults, limits, and the errors of wrong values.

use super::*;
use expect_test::expect_file;

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

fn digest(extra: &[(&str, &str)]) -> String {
    let written = tempfile::tempdir().unwrap();
    let output = Settings {
        output_directory: written.path().to_path_buf(),
        ..read(extra).unwrap()
    };
    let manifest = crate::write::manifest::Manifest::of_tests(&output).unwrap();
    crate::run::state::inputs(&read(extra).unwrap(), &manifest).digest
}

/// A value that is allowed and not the default.
fn other(setting: &Setting) -> String {
    let allowed = setting.allowed.as_str();
    let is_other = |value: &String| Some(value.as_str()) != setting.default;
    if allowed.starts_with("patterns") {
        "a.*".to_owned()
    } else if let Some(bounds) = allowed.strip_prefix("a whole number from ") {
        let low: u64 = bounds.split(' ').next().unwrap().parse().unwrap();
        let mut near = [low, low + 1].into_iter().map(|number| number.to_string());
        near.find(is_other).unwrap()
    } else if allowed == "a number" {
        "7".to_owned()
    } else if allowed.contains(" or ") {
        let names = allowed.split(" or ").flat_map(|names| names.split(", "));
        names.map(str::to_owned).find(is_other).unwrap()
    } else {
        "/other".to_owned()
    }
}

#[test]
fn what_decides_the_tests_decides_whether_a_run_is_up_to_date() {
    let plain = digest(&[]);
    for setting in Settings::table() {
        let is_given = NEEDED.iter().any(|&(name, _)| name == setting.name);
        if !is_given && setting.effect != Effect::Content {
            let changes = digest(&[(setting.name, &other(&setting))]) != plain;
            let decides = setting.effect == Effect::Decides;
            assert_eq!(changes, decides, "{}", setting.name);
        }
    }
}

#[test]
fn a_value_in_other_words_changes_nothing() {
    let plain = digest(&[]);
    let same = [
        ("mode", "full"),
        ("budget", " 0100000"),
        ("contracts", "True"),
    ];
    assert_eq!(digest(&same), plain);
}

#[test]
fn a_setting_that_a_code_tells_to_raise_makes_a_run_no_longer_up_to_date() {
    let table = Settings::table();
    for code in palus_report::SKIPS.iter().chain(palus_report::DROPS) {
        let quoted = code.cure.split('`').skip(1).step_by(2);
        for setting in quoted.filter_map(|word| table.iter().find(|known| known.name == word)) {
            assert_ne!(setting.effect, Effect::Nothing, "{}", code.code);
        }
    }
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
    let error = read(&[("mode", "fulll")]).unwrap_err();
    assert_eq!(
        error.hint,
        "allowed: FULL, RANDOM, UNGUIDED, STATIC, PALULU, MODEL, CONSTRAINTS, PALUS, LITERAL or BLIND; did you mean `FULL`?"
    );
    let error = read(&[("search", "ON")]).unwrap_err();
    assert_eq!(error.hint, "allowed: DYNAMOSA, MOSA, MONOTONIC_GA or OFF");
    let error = read(&[("kTail", "11")]).unwrap_err();
    assert_eq!(error.hint, "allowed: a whole number from 0 to 10");
    let spaced = read(&[("classes", "a.B"), ("classes", " a.C ")]).unwrap();
    assert_eq!(spaced.classes, ["a.B", "a.C"]);
    let error = read(&[("classes", "com/acme")]).unwrap_err();
    assert_eq!(
        error.message,
        "the setting `classes` has the value `com/acme`"
    );
}

#[test]
fn an_empty_value_is_an_error_that_says_how_to_have_the_default() {
    for name in ["classes", "budget", "mode", "contracts"] {
        let error = read(&[(name, "")]).unwrap_err();
        assert_eq!(error.message, format!("the setting `{name}` is empty"));
        assert!(error.hint.starts_with("leave it out for its default, or "));
    }
    assert!(read(&[("classes", "a.*"), ("classes", "")]).is_err());
    assert!(read(&[("excludes", "")]).unwrap().excludes.is_empty());
}

#[test]
fn names_of_values_are_known_in_any_case() {
    let settings = read(&[("mode", "random"), ("search", "Monotonic_GA")]).unwrap();
    assert_eq!(settings.mode, Mode::Random);
    assert_eq!(settings.search, Some(Algorithm::MonotonicGa));
    assert!(!read(&[("contracts", "FALSE")]).unwrap().contracts);
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
    assert_eq!(
        read(&[("budgett", "1")]).unwrap_err().hint,
        "did you mean `budget`?"
    );
    let error = read(&[("colour", "red")]).unwrap_err();
    assert!(
        error
            .hint
            .starts_with("known settings: classes, excludes, budget, ")
    );
    let error = read(&[("seed", "1"), ("seed", "2")]).unwrap_err();
    assert_eq!(error.message, "the setting `seed` is given more than once");
}

/// What stands in the manual's table for a default.
fn shown(default: Option<&str>) -> String {
    match default {
        None => "none".to_owned(),
        // Words and numbers are plain; everything else is to be typed as it is.
        Some(text)
            if text
                .chars()
                .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == ' ') =>
        {
            text.to_owned()
        }
        Some(text) => format!("`{text}`"),
    }
}

#[test]
fn an_argument_of_the_test_jvm_that_holds_a_secret_of_the_build_is_held_back() {
    let pairs = [
        ("jvmArgument", "-Dupstream=hunter22"),
        ("jvmArgument", "-Dmode=test"),
        ("buildProperty", "deploy.token=hunter22"),
    ];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let settings = Settings::partial(&pairs).unwrap();
    assert_eq!(
        settings.jvm_arguments,
        ["-Dupstream=palus-held-back", "-Dmode=test"]
    );
}

/// Fails where the manual says something else; with `UPDATE_EXPECT=1` it is written anew.
#[test]
fn the_manual_lists_what_a_user_may_set() {
    let manual = include_str!("../../../../docs/manual.md");
    let head = "| name | default | what it is |\n|---|---|---|\n";
    let (before, rest) = manual.split_once(head).expect("the table of settings");
    let of_plugins = rest
        .find("| `skip` |")
        .expect("what the engine knows nothing of");
    let mut text = format!("{before}{head}");
    for setting in Settings::table() {
        if setting.who == Who::User {
            let (name, default) = (setting.name, shown(setting.default));
            let _ = writeln!(text, "| `{name}` | {default} | {} |", setting.text);
        }
    }
    text += &rest[of_plugins..];
    expect_file!["../../../../docs/manual.md"].assert_eq(&text);
}

/// As above.
#[test]
fn the_plugins_know_what_a_user_may_set() {
    let mut text = String::from(
        "# What a user may set, as native/engine/src/config.rs declares it; a test of palus-engine writes this file.\n",
    );
    for setting in Settings::table() {
        if setting.who == Who::User {
            let decides = setting.effect != Effect::Nothing;
            text += setting.name;
            text += if decides { " decides\n" } else { "\n" };
        }
    }
    expect_file!["../../../../java/host/src/main/resources/io/palus/host/settings.txt"]
        .assert_eq(&text);
}
