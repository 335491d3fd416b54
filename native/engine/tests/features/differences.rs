//! Two revisions of a project, compared through real workers and a real compiler.

use crate::project_lab::Lab;
use palus_fixture::{Compiled, Options, compile_with};
use serde_json::Value;
use std::path::{Path, PathBuf};

const SAME: (&str, &str) = (
    "demo/Same.java",
    "package demo; public class Same { public int twice(int a) { return a * 2; } }",
);
/// Does not change itself.
const TILL: (&str, &str) = (
    "demo/Till.java",
    "package demo; public class Till {
        public String price(int sum) { return sum > 100 ? \"free\" : \"fee \" + Rates.fee(); }
    }",
);
const BEFORE: &str = "package demo; public class Rates {
    public static int fee() { return 5; }
    public int gone() { return 1; }
    public String name() { return \"rates\"; }
}";
const NOW: &str = "package demo; public class Rates {
    public static int fee() { return 6; }
    public int added() { return 2; }
    public String name() { return \"rates\"; }
}";
const OPTIONS: &[(&str, &str)] = &[
    ("budget", "300"),
    ("since", "main"),
    ("projectName", "shop"),
];

/// Compiled as the project is, so that only what differs in the sources differs.
fn base(sources: &[(&str, &str)]) -> Compiled {
    let options = Options {
        release: Some(8),
        ..Options::default()
    };
    compile_with(sources, &options)
}

fn read(lab: &Lab, name: &str) -> String {
    std::fs::read_to_string(lab.at("report/differences").join(name)).unwrap()
}

#[test]
fn what_differs_is_told_with_both_values_and_a_test_and_what_does_not_is_not() {
    let lab = Lab::new(&[("demo/Rates.java", NOW), TILL, SAME], &[]);
    let base = base(&[("demo/Rates.java", BEFORE), TILL, SAME]);
    let said = lab.differences(&base, OPTIONS).unwrap();
    assert!(
        said.contains("1 class differs from main, 1 class uses them"),
        "{said}"
    );
    let json: Value = serde_json::from_str(&read(&lab, "differences.json")).unwrap();
    let all = json["differences"].as_array().unwrap();
    let of = |class: &str, method: &str| -> Vec<&Value> {
        let is_it = |one: &&Value| one["class"] == class && one["method"] == method;
        all.iter().filter(is_it).collect()
    };
    let fee = of("demo.Rates", "fee");
    assert_eq!(fee.len(), 1, "{all:#?}");
    assert_eq!(
        (&fee[0]["before"], &fee[0]["now"]),
        (&"5".into(), &"6".into())
    );
    assert!(fee[0]["test"].as_str().unwrap().contains("Rates.fee()"));
    let price = of("demo.Till", "price");
    assert_eq!(price.len(), 1, "a user of what changed: {all:#?}");
    assert_eq!(
        (&price[0]["before"], &price[0]["now"]),
        (&"fee 5".into(), &"fee 6".into())
    );
    let gone = of("demo.Rates", "gone");
    assert_eq!(gone.len(), 1, "{all:#?}");
    assert_eq!(gone[0]["before"], "it compiled");
    assert_eq!(gone[0]["now"], "Rates has no method gone()", "{all:#?}");
    assert_eq!(all.len(), 3, "each once: {all:#?}");
    for method in ["added", "name", "twice"] {
        assert!(all.iter().all(|one| one["method"] != method), "{all:#?}");
    }
    assert!(said.contains("demo.Rates#fee: before 5, now 6: "), "{said}");
    let text = read(&lab, "differences.md");
    let row = "| <code>Rates#fee</code> | <code>5</code> | <code>6</code> |";
    assert!(text.contains(row), "{text}");
    let sarif: Value = serde_json::from_str(&read(&lab, "differences.sarif")).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), all.len());
    assert!(!lab.at("tests").exists(), "the project's own tests stay");
    // Once more, with what this run left behind.
    let first = read(&lab, "differences.json");
    lab.differences(&base, OPTIONS).unwrap();
    assert_eq!(read(&lab, "differences.json"), first);
}

/// Both classes of the module, and the module that it uses as a folder of its own with a resource.
fn two_modules(folder: &Path) -> (Compiled, PathBuf) {
    let rates = base(&[("demo/Rates.java", BEFORE)]);
    let module = folder.join("ledger");
    std::fs::create_dir_all(module.join("demo")).unwrap();
    std::fs::write(module.join("demo/Rates.class"), rates.bytes("demo/Rates")).unwrap();
    std::fs::write(module.join("library.properties"), "fee=5").unwrap();
    let options = Options {
        release: Some(8),
        class_path: vec![module.clone()],
        ..Options::default()
    };
    (compile_with(&[TILL, SAME], &options), module)
}

fn assert_till_differs(lab: &Lab) -> Value {
    let json: Value = serde_json::from_str(&read(lab, "differences.json")).unwrap();
    let all = json["differences"].as_array().unwrap();
    let of = |name: &str| -> Vec<&Value> { all.iter().map(|one| &one[name]).collect() };
    assert_eq!(of("class"), ["demo.Till"], "{all:#?}");
    assert_eq!(of("before"), ["fee 5"]);
    assert_eq!(of("now"), ["fee 6"]);
    assert_eq!(json["changed"], serde_json::json!([]));
    assert_eq!(json["changed_elsewhere"], serde_json::json!(["demo.Rates"]));
    assert_eq!(json["users"], serde_json::json!(["demo.Till"]));
    json
}

#[test]
fn a_class_that_uses_what_changed_in_another_module_is_compared() {
    let rates = [("demo/Rates.java", NOW)];
    let mut lab = Lab::with_library(&[TILL, SAME], &rates);
    let folder = tempfile::tempdir().unwrap();
    let (base, ledger) = two_modules(folder.path());
    let modules = std::slice::from_ref(&ledger);
    let said = lab.differences_beside(&base, modules, OPTIONS).unwrap();
    let counted = "0 classes differ from main, 1 in other modules or libraries, 1 class uses them";
    assert!(said.contains(counted), "{said}");
    assert_till_differs(&lab);
    // The build made a jar of the module, and the classes of what it was stand in its place.
    lab.pack_library(&rates, "fee=6");
    let said = lab.differences_beside(&base, modules, OPTIONS).unwrap();
    assert!(said.contains(counted), "{said}");
    let resources = "1 resource differs, which no class is compared for: library.properties";
    assert!(said.contains(resources), "{said}");
    let json = assert_till_differs(&lab);
    assert_eq!(json["resources"][0], "library.properties");
    assert!(read(&lab, "differences.md").contains(resources));
}

#[test]
fn a_module_that_is_what_it_was_or_that_the_base_lacks_has_no_users_to_compare() {
    let mut lab = Lab::with_library(&[TILL, SAME], &[("demo/Rates.java", BEFORE)]);
    let folder = tempfile::tempdir().unwrap();
    let (base, ledger) = two_modules(folder.path());
    let none = "0 classes differ from main, 0 classes use them";
    lab.pack_library(&[("demo/Rates.java", BEFORE)], "fee=5");
    for modules in [&[][..], &[ledger][..]] {
        let said = lab.differences_beside(&base, modules, OPTIONS).unwrap();
        assert!(said.contains(none), "{said}");
        assert!(!said.contains("resource"), "{said}");
    }
}

#[test]
fn a_class_of_the_projects_own_tests_that_is_found_by_its_name_is_no_difference() {
    let finder = |fee: u32| {
        format!(
            "package demo; public class Finder {{
              public static int fee() {{ return {fee}; }}
              public static boolean isThere() {{
                try {{ Class.forName(\"demo.FinderTest\"); return true; }}
                catch (ClassNotFoundException e) {{ return false; }}
              }}
            }}"
        )
    };
    let own = (
        "demo/FinderTest.java",
        "package demo; public class FinderTest { }",
    );
    let (before, now) = (finder(5), finder(6));
    let lab = Lab::new(&[("demo/Finder.java", &now)], &[own]);
    lab.differences(&base(&[("demo/Finder.java", &before)]), OPTIONS)
        .unwrap();
    let json: Value = serde_json::from_str(&read(&lab, "differences.json")).unwrap();
    let all = json["differences"].as_array().unwrap();
    let methods: Vec<&Value> = all.iter().map(|one| &one["method"]).collect();
    assert_eq!(methods, ["fee"], "{all:#?}");
}

#[test]
fn what_the_time_limit_cut_short_is_told_with_the_differences() {
    let lab = Lab::new(&[("demo/Rates.java", NOW), TILL, SAME], &[]);
    let base = base(&[("demo/Rates.java", BEFORE), TILL, SAME]);
    let short = [("budget", "10000"), ("since", "main"), ("timeLimit", "1")];
    let said = lab.differences(&base, &short).unwrap();
    let cut = "not all that changed was looked at";
    assert!(said.contains(cut), "{said}");
    let json: Value = serde_json::from_str(&read(&lab, "differences.json")).unwrap();
    assert_eq!(json["is_cut"], true);
    let said = lab.differences(&base, OPTIONS).unwrap();
    assert!(!said.contains(cut), "{said}");
}

#[test]
fn where_nothing_changed_nothing_is_run_and_what_is_compared_or_missing_is_said() {
    let lab = Lab::new(&[SAME], &[]);
    let state = "compared with main as it was at 1a2b3c4d, where this branch left it";
    let options = [OPTIONS, &[("comparedWith", state)]].concat();
    let said = lab.differences(&base(&[SAME]), &options).unwrap();
    assert!(said.contains(&format!("diff      {state}\n")), "{said}");
    assert!(said.contains("0 classes differ from main"), "{said}");
    assert!(said.contains("0 behaviour differences"), "{said}");
    assert!(!said.contains("generate"), "{said}");
    let mut empty = base(&[SAME]);
    empty.dir = lab.at("missing");
    let error = lab.differences(&empty, OPTIONS).unwrap_err();
    assert!(
        error.message.contains("main has no compiled classes"),
        "{error}"
    );
}

/// What a visitor may do; each method differs at one value alone.
fn visitor(is_old: &str, is_it: &str, limit: u32, extra: &str) -> String {
    format!(
        "package demo; public class Visitor {{
            private final String name; private final int days; private int visits; private int last;
            public Visitor(String name, int days) {{ this.name = name; this.days = days; }}
            public boolean isLate(int from, int today) {{ return {is_old}; }}
            public boolean isCalled(String wanted) {{ return name != null && {is_it}; }}
            public void visit(int day) {{ if (visits < {limit}) {{ visits++; last = day{extra}; }} }}
            public int getVisits() {{ return visits; }}
            public int getLast() {{ return last; }}
        }}"
    )
}

#[test]
fn a_difference_at_one_value_alone_is_searched_for() {
    let before = visitor(
        "today > from + days",
        "name.equalsIgnoreCase(wanted)",
        3,
        "",
    );
    let now = visitor(
        "today >= from + days",
        "name.equals(wanted)",
        4,
        " + visits / 4",
    );
    let lab = Lab::new(&[("demo/Visitor.java", &now)], &[]);
    let base = base(&[("demo/Visitor.java", &before)]);
    lab.differences(&base, &[("budget", "2000"), ("since", "main")])
        .unwrap();
    let json: Value = serde_json::from_str(&read(&lab, "differences.json")).unwrap();
    let all = json["differences"].as_array().unwrap();
    let methods: Vec<&str> = all
        .iter()
        .filter_map(|one| one["method"].as_str())
        .collect();
    for method in ["isLate", "isCalled", "getVisits"] {
        assert!(methods.contains(&method), "no {method}: {json}");
    }
}
