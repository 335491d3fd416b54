//! What stays of earlier runs, through real workers and a real compiler.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;
use std::collections::BTreeMap;

const ADDER: (&str, &str) = (
    "demo/Adder.java",
    "package demo; public class Adder { public int add(int a) { return a + 1; } }",
);
const OTHER: (&str, &str) = (
    "demo/Other.java",
    "package demo; public class Other { public int twice(int a) { return a * 2; } }",
);

/// The written tests by name.
fn on_disk(lab: &Lab) -> BTreeMap<String, String> {
    lab.written("demo")
}

/// `3 tests`, in files with this in their names.
fn number_of_tests(files: &BTreeMap<String, String>, name: &str) -> String {
    let texts = files.iter().filter(|(file, _)| file.contains(name));
    let number: usize = texts.map(|(_, text)| text.matches("@Test").count()).sum();
    format!("{number} test{}", if number == 1 { "" } else { "s" })
}

#[test]
fn narrowing_classes_or_choosing_none_keeps_the_files_of_the_others() {
    let lab = Lab::after_run(&[ADDER, OTHER], &[("budget", "200")]);
    let before = on_disk(&lab);
    assert_eq!(before.len(), 2);
    // As a killed build leaves it.
    let left = lab.work().join("workers").join("worker-a1B2c3");
    std::fs::create_dir_all(left.join("work")).unwrap();
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Adder")]);
    assert!(!left.exists(), "{said}");
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(said.contains("demo/OtherPalusTest.java"), "{said}");
    assert!(said.contains("since this run did not choose"), "{said}");
    assert!(!said.contains("timeLimit"), "{said}");
    let all = number_of_tests(&before, "");
    let wrote = format!("no new test; of earlier runs {all} in 2 files under tests");
    assert!(said.contains(&wrote), "{wrote}: {said}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"files\": 2,"), "{report}");
    assert!(report.contains("\"earlier_files\": 2,"), "{report}");
    let page = lab.at("report/index.html");
    let link = format!("report    file://{}\n", page.display());
    assert!(said.contains(&link) && page.is_file(), "{link}: {said}");
    lab.run(&[("budget", "200"), ("classes", "demo.Missing")]);
    // And again, for nothing is up to date that was never done.
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Missing")]);
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(said.contains("no class with code matches"), "{said}");
    // They are still ours: a whole run replaces them.
    let said = lab.run(&[("budget", "200")]);
    assert_eq!(on_disk(&lab), before, "{said}");
    assert!(!said.contains("left alone"), "{said}");
}

#[test]
fn a_pattern_that_chooses_nothing_leaves_the_report_and_names_the_nearest_classes() {
    let budget = ("budget", "200");
    let lab = Lab::after_run(&[ADDER, OTHER], &[budget]);
    let files = || {
        let names = ["index.html", "report.json", "palus.sarif", "explain.json"];
        names.map(|name| std::fs::read_to_string(lab.at("report").join(name)).unwrap())
    };
    let (report, before) = (files(), on_disk(&lab));
    let said = lab.run(&[budget, ("classes", "demo.Ader"), ("classes", "shop.Other")]);
    assert_eq!(files(), report);
    assert_eq!(on_disk(&lab), before);
    let near = "nearest to `demo.Ader`, `shop.Other`: demo.Other, demo.Adder";
    assert!(said.contains(near), "{said}");
    // Nothing was done, so nothing is to do.
    let said = lab.run(&[budget]);
    assert!(said.contains("up to date"), "{said}");
    // One of several is named, and the others are worked on.
    let said = lab.run(&[budget, ("classes", "demo.Adder"), ("classes", "demo.Othr")]);
    let near = "no class with code matches `demo.Othr` of `classes`; nearest: demo.Other";
    assert!(said.contains(near), "{said}");
}

#[test]
fn a_file_that_the_user_edited_is_named_once_and_is_none_of_the_written_ones() {
    let lab = Lab::after_run(&[ADDER, OTHER], &[("budget", "200")]);
    let path = lab.at("tests/demo/AdderPalusTest.java");
    let edited = std::fs::read_to_string(&path).unwrap() + "// mine\n";
    std::fs::write(&path, &edited).unwrap();
    let said = lab.run(&[("budget", "200")]);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
    let warning = "demo/AdderPalusTest.java was changed or made by somebody else and is left alone";
    assert_eq!(said.matches(warning).count(), 1, "{said}");
    let wrote = format!(
        "no new test; of earlier runs {} in 1 file",
        number_of_tests(&on_disk(&lab), "Other")
    );
    assert!(said.contains(&wrote), "{wrote}: {said}");
    assert!(said.contains("file-is-not-ours"), "{said}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("\"files\": 1,"), "{report}");
}

#[test]
fn two_runs_at_once_write_one_after_the_other_and_the_files_stay_ours() {
    let lab = Lab::new(&[ADDER, OTHER], &[]);
    let said = std::thread::scope(|scope| {
        let runs = ["3", "4"].map(|seed| {
            let lab = &lab;
            scope.spawn(move || lab.run(&[("budget", "200"), ("seed", seed)]))
        });
        runs.map(|run| run.join().unwrap())
    });
    let waited = said.iter().filter(|said| said.contains("waiting until"));
    assert_eq!(waited.count(), 1, "{said:?}");
    assert_eq!(on_disk(&lab).len(), 2);
    let last = lab.run(&[("budget", "200"), ("seed", "5")]);
    assert!(!last.contains("left alone"), "{last}");
    assert_eq!(on_disk(&lab).len(), 2, "{last}");
}

#[test]
fn tests_of_earlier_runs_run_beside_the_new_ones_and_what_fails_is_named_and_stays() {
    let lab = Lab::after_run(&[ADDER, OTHER], &[("budget", "200")]);
    let good = on_disk(&lab)["OtherPalusTest.java"].clone();
    let failing = good.replacen(
        "() throws Throwable {\n",
        "() throws Throwable {\n    assertEquals(1, 2);\n",
        1,
    );
    let failing = failing.replacen(
        "() {\n",
        "() {\n    org.junit.Assert.assertEquals(1, 2);\n",
        1,
    );
    assert_ne!(good, failing);
    for (text, named) in [
        (failing, "demo.OtherPalusTest#"),
        (
            good.replacen("new Other()", "new Another()", 1),
            "now: demo.OtherPalusTest;",
        ),
    ] {
        lab.forge("demo/OtherPalusTest.java", &text);
        let narrow = [
            ("budget", "200"),
            ("classes", "demo.Adder"),
            ("accept", "true"),
        ];
        let refused = lab.try_run(&narrow[..2]).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::BehaviourChange);
        assert_eq!(on_disk(&lab)["OtherPalusTest.java"], text);
        let said = lab.run(&narrow);
        assert!(
            said.contains("kept from earlier runs, but does not"),
            "{said}"
        );
        assert!(said.contains(named), "{said}");
        let after = on_disk(&lab);
        assert_eq!(after["OtherPalusTest.java"], text);
        assert!(after.contains_key("AdderPalusTest.java"), "{said}");
        assert!(!lab.run(&narrow).contains("up to date"), "it is said again");
        // A whole run renews it.
        lab.run(&[("budget", "200"), ("accept", "true")]);
        assert_eq!(on_disk(&lab)["OtherPalusTest.java"], good);
    }
}

#[test]
fn what_a_kept_test_is_denied_beside_others_is_said_to_be_that() {
    let lab = Lab::after_run(&[ADDER, OTHER], &[("budget", "200")]);
    let good = on_disk(&lab)["OtherPalusTest.java"].clone();
    let deleting = "() {\n    new java.io.File(\"ledger\").delete();\n";
    let harmful = good.replacen("() {\n", deleting, 1);
    assert_ne!(good, harmful);
    lab.forge("demo/OtherPalusTest.java", &harmful);
    let said = lab.run(&[
        ("budget", "200"),
        ("classes", "demo.Adder"),
        ("accept", "true"),
    ]);
    let denied = "kept from earlier runs, but denied what no test may do when all ran together: demo.OtherPalusTest#";
    assert!(said.contains(denied), "{said}");
    assert!(said.contains("File.delete"), "{said}");
    assert!(!said.contains("does not compile or pass now"), "{said}");
}

/// A class whose tests fail once a test of another one has changed what both share.
fn sharing() -> Lab {
    Lab::new(
        &[
            (
                "demo/Reader.java",
                "package demo; public class Reader { public int read() { return Shared.isOn() ? 1 : 0; } }",
            ),
            (
                "demo/Shared.java",
                "package demo; final class Shared {
                    private static boolean isOn;
                    private Shared() {}
                    static boolean isOn() { return isOn; }
                    static void turnOn(Writer by) { isOn |= by != null; }
                }",
            ),
            (
                "demo/Writer.java",
                "package demo; public class Writer {
                    public int plain(int a) { return a > 3 ? 1 : 2; }
                    public boolean turnOn() { Shared.turnOn(this); return true; }
                }",
            ),
        ],
        &[],
    )
}

#[test]
fn a_new_test_that_breaks_one_of_an_earlier_run_is_dropped_and_that_one_passes() {
    let lab = sharing();
    lab.run(&[("budget", "200"), ("classes", "demo.Reader")]);
    let kept = on_disk(&lab)["ReaderPalusTest.java"].clone();
    assert!(kept.contains("assertEquals(0, "), "{kept}");
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Writer")]);
    assert!(!said.contains("kept from earlier runs"), "{said}");
    assert!(said.contains("breaks-other-tests"), "{said}");
    let after = on_disk(&lab);
    assert_eq!(after["ReaderPalusTest.java"], kept);
    let written = &after["WriterPalusTest.java"];
    assert!(written.contains(".plain("), "{written}");
    assert!(!written.contains("turnOn"), "{written}");
}

#[test]
fn tests_that_the_user_edited_run_beside_the_new_ones_as_his_own() {
    let lab = sharing();
    lab.run(&[("budget", "200"), ("classes", "demo.Reader")]);
    let path = lab.at("tests/demo/ReaderPalusTest.java");
    let edited = std::fs::read_to_string(&path).unwrap() + "// mine\n";
    assert!(edited.contains("assertEquals(0, "), "{edited}");
    std::fs::write(&path, &edited).unwrap();
    let said = lab.run(&[("budget", "200"), ("classes", "demo.Writer")]);
    assert!(said.contains("breaks-other-tests"), "{said}");
    let after = on_disk(&lab);
    assert_eq!(after["ReaderPalusTest.java"], edited);
    assert!(!after["WriterPalusTest.java"].contains("turnOn"), "{said}");
    // It is none of those that Palus wrote.
    let new = number_of_tests(&after, "Writer");
    assert!(
        said.contains(&format!("{new} in 1 file under tests\n")),
        "{said}"
    );

    // One that does not compile is told as such once, and is not in the way.
    let broken = edited.replace("new Reader()", "new Nobody()");
    assert_ne!(broken, edited);
    std::fs::write(&path, &broken).unwrap();
    let said = lab.run(&[("budget", "200"), ("accept", "true")]);
    assert!(!said.contains("kept from earlier runs"), "{said}");
    assert!(said.contains("1 file under tests"), "{said}");
}

#[test]
fn a_class_whose_tests_all_fail_beside_those_of_others_has_no_file() {
    let counts = |class: &str| {
        format!(
            "package demo; public class {class} {{
              private {class}() {{}}
              public static int next() {{ return Counter.next(); }}
            }}"
        )
    };
    let (first, second) = (counts("First"), counts("Second"));
    let counter = "package demo; final class Counter {
          private static int next;
          private Counter() {}
          static int next() { return next++; }
        }";
    // So many that the two counters are verified in groups of their own, and together only at the end.
    let between = (10..42).map(|number| {
        let text = format!(
            "package demo; public class Plain{number} {{ public int two() {{ return 2; }} }}"
        );
        (format!("demo/Plain{number}.java"), text)
    });
    let named = [
        ("Counter", counter),
        ("First", &*first),
        ("Second", &*second),
    ];
    let named = named.map(|(name, text)| (format!("demo/{name}.java"), text.to_owned()));
    let sources: Vec<(String, String)> = between.chain(named).collect();
    let lab = Lab::new(&crate::project_lab::borrowed(&sources), &[]);
    let said = lab.run(&[("budget", "50"), ("excludes", "demo.Counter")]);
    assert!(said.contains("fails-"), "{said}");
    let files = on_disk(&lab);
    assert!(files.contains_key("Plain10PalusTest.java"), "{files:?}");
    let counting = ["FirstPalusTest.java", "SecondPalusTest.java"];
    let left: Vec<_> = counting
        .iter()
        .filter(|file| files.contains_key(**file))
        .collect();
    assert!(left.len() < 2, "one of them counts from 0: {files:?}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    for file in files.keys() {
        let class = file.strip_suffix("PalusTest.java").unwrap();
        assert!(
            report.contains(&format!("\"name\": \"demo.{class}\"")),
            "{report}"
        );
    }
    let listed = std::fs::read_to_string(lab.at("tests/.palus-manifest")).unwrap();
    let paths = listed
        .lines()
        .filter(|line| line.ends_with("PalusTest.java"));
    assert_eq!(paths.count(), files.len(), "{listed}");
}

#[test]
fn modules_that_share_a_folder_do_not_delete_each_others_files() {
    // Never equal to itself, so that it has findings, too.
    let module = |name: &str| {
        let text = format!(
            "package demo; public class {name} {{ \
               public boolean equals(Object o) {{ return false; }} public int one() {{ return 1; }} }}"
        );
        Lab::new(&[(&format!("demo/{name}.java"), &text)], &[])
    };
    let (ledger, bank) = (module("Ledger"), module("Bank"));
    for setting in ["outputDirectory", "findingsDirectory"] {
        let shared = ledger.at(setting);
        let name = shared.display().to_string();
        let options = [("budget", "300"), (setting, name.as_str())];
        ledger.run(&options);
        let files = || {
            let files = std::fs::read_dir(shared.join("demo")).unwrap();
            files
                .map(|file| file.unwrap().file_name())
                .collect::<Vec<_>>()
        };
        let before = files();
        assert_eq!(before.len(), 1);
        let error = bank.try_run(&options).unwrap_err();
        assert!(error.message.contains(setting), "{}", error.message);
        assert!(error.hint.contains("a folder of its own"), "{}", error.hint);
        assert_eq!(files(), before);
        ledger.run(&[options[0], options[1], ("seed", "2")]);
    }
}

/// Settings with which a class uses all of the time that it gets.
const ENDLESS: [(&str, &str); 3] = [
    ("budget", "1000000000"),
    ("patience", "false"),
    ("workers", "2"),
];

/// Classes with enough to do that no one finds the end of it.
fn classes(number: usize) -> Vec<(String, String)> {
    let class = |number: usize| {
        let text = format!(
            "package demo; public class C{number} {{
                public String name(int n) {{
                    if (n == 7) return \"seven\"; if (n > 90) return \"many\"; return \"\" + n;
                }}
                public int sum(int a, int b) {{ return a > b ? a + b : a * b + {number}; }}
                public boolean rare(String text) {{ return text.hashCode() == 123456789 + {number}; }}
            }}"
        );
        (format!("demo/C{number}.java"), text)
    };
    (10..10 + number).map(class).collect()
}

#[test]
fn a_short_time_limit_leaves_time_to_verify_and_costs_no_earlier_test() {
    let sources = classes(10);
    let lab = Lab::new(&crate::project_lab::borrowed(&sources), &[]);
    let with = |limit: &'static str| [&ENDLESS[..], &[("timeLimit", limit)]].concat();
    let said = lab.run(&with("20"));
    let first = on_disk(&lab);
    assert!(first.len() >= 4, "{said}");
    assert!(said.contains("the time limit cut demo.C1"), "{said}");
    let wrote = format!("in {} files under tests", first.len());
    assert!(said.contains(&wrote), "{wrote}: {said}");

    // Whole files first, then hardly any time: all of them stay.
    lab.run(&[("budget", "300"), ("timeLimit", "600")]);
    let whole = on_disk(&lab);
    assert_eq!(whole.len(), 10);
    for limit in ["1", "6"] {
        let said = lab.run(&with(limit));
        assert!(!said.contains("up to date"), "{said}");
        assert!(said.contains("the time limit cut"), "{said}");
        let after = on_disk(&lab);
        assert_eq!(after.len(), 10, "{said}");
        let named = |file: &str| {
            file.rsplit('/')
                .next()
                .unwrap()
                .replace("PalusTest.java", "")
        };
        let is_cut = |file: &String| {
            let mut lines = said
                .lines()
                .filter(|line| line.contains("the time limit cut"));
            lines.any(|line| line.contains(&format!("demo.{}", named(file))))
        };
        let mut cut = whole.iter().filter(|(file, _)| is_cut(file)).peekable();
        assert!(cut.peek().is_some(), "{said}");
        for (file, text) in cut {
            assert_eq!(text, &after[file], "{said}");
        }
        assert!(said.contains("in 10 files"), "{said}");
    }
}

/// `4x S04`, in the line of the console and in `report.json`.
fn without_test(lab: &Lab, said: &str) -> (Vec<String>, Vec<String>) {
    let line = said.lines().find_map(|line| line.strip_prefix("skipped "));
    let parts = line.unwrap_or_default().split(['/', ':', ',', ' ']);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let is_number = |text: &str| {
        text.strip_suffix('x')
            .is_some_and(|x| x.parse::<u64>().is_ok())
    };
    let pairs = parts.windows(2).filter(|pair| is_number(pair[0]));
    let console = pairs.map(|pair| pair.join(" ")).collect();
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let rows = report["without_test"].as_array().unwrap().iter();
    let row =
        |row: &serde_json::Value| format!("{}x {}", row["count"], row["code"].as_str().unwrap());
    (console, rows.map(row).collect())
}

#[test]
fn a_cut_run_says_that_methods_have_no_test_only_where_none_is_on_disk() {
    let mut sources = classes(3);
    // What no object can be made of, what no test can name, and what leaves the sandbox.
    let hidden = "package demo; public class Hidden {
        private Hidden() {}
        public int get() { return own(3); }
        private int own(int n) { return n; }
    }";
    sources.push(("demo/Hidden.java".to_owned(), hidden.to_owned()));
    let open = "package demo; public class Open {
        public int get() { return 4; }
        public int leave() { System.exit(1); return 1; }
        private int never() { return 5; }
    }";
    sources.push(("demo/Open.java".to_owned(), open.to_owned()));
    let lab = Lab::new(&crate::project_lab::borrowed(&sources), &[]);
    let said = lab.run(&[("budget", "300")]);
    let (console, report) = without_test(&lab, &said);
    assert_eq!(console, report, "{said}");
    // The private ones are not among them: a test cannot name them.
    assert!(!report.is_empty() && !said.contains("S02"), "{said}");
    let skipped = |name: &str| -> String {
        let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        let classes = report["classes"].as_array().unwrap();
        let class = classes.iter().find(|class| class["name"] == name).unwrap();
        class["skipped"].to_string()
    };
    let before = ["demo.C10", "demo.Open"].map(skipped);
    assert!(before[1].contains("leave()"), "{}", before[1]);

    let short = [
        &ENDLESS[..],
        &[("timeLimit", "1"), ("incremental", "false")],
    ]
    .concat();
    for _ in 0..2 {
        let said = lab.run(&short);
        assert!(said.contains("the time limit cut demo.C10"), "{said}");
        let (console, after) = without_test(&lab, &said);
        assert_eq!(console, after, "{said}");
        // Of the class that has no file, this run knows only that it had no time for it.
        let rest = |rows: &[String]| -> Vec<String> {
            let rows = rows.iter().filter(|row| !row.ends_with("S09"));
            rows.cloned().collect()
        };
        assert_eq!(["demo.C10", "demo.Open"].map(skipped), before, "{said}");
        assert!(
            rest(&after).iter().all(|row| report.contains(row)),
            "{said}"
        );
        // Where the machine was fast enough to begin with it, it knows as much as the first run.
        let no_time = after.iter().find(|row| row.ends_with("S09"));
        let no_time = no_time.map(String::as_str);
        assert!(matches!(no_time, None | Some("1x S09")), "{said}");
    }
}

#[test]
fn tests_that_passed_and_are_not_written_again_are_counted_and_named_in_the_log() {
    let rates = |more: &str| {
        format!("package demo; public class Rates {{ public int fee() {{ return 5; }} {more} }}")
    };
    let mut lab = Lab::new(&[("demo/Rates.java", &rates(""))], &[]);
    let budget = [("budget", "200")];
    lab.run(&budget);
    let written = &lab.written("demo")["RatesPalusTest.java"];
    let end = written.rfind('}').unwrap();
    let old = "\n  @Test\n  public void old_isTen() {\n    Rates rates = new Rates();\n    \
               assertEquals(10, rates.fee() + rates.fee());\n  }\n}\n";
    let both = format!("{}{old}", &written[..end]);
    lab.forge("demo/RatesPalusTest.java", &both);
    lab.edit(&[(
        "demo/Rates.java",
        &rates("public int more(int a) { return a + 1; }"),
    )]);
    let said = lab.run(&budget);
    let one = "tests     1 test of 1 class that passed is not written again";
    assert!(said.contains(one), "{said}");
    assert!(
        said.contains("not written again, of demo.Rates: old_isTen"),
        "{said}"
    );
    let now = &lab.written("demo")["RatesPalusTest.java"];
    assert!(now.contains("more(") && !now.contains("old_isTen"), "{now}");
    // Those that a change made fail are told as that.
    let six = rates("public int more(int a) { return a + 1; }").replace("return 5", "return 6");
    lab.edit(&[("demo/Rates.java", &six)]);
    let said = lab.run(&[budget[0], ("accept", "true")]);
    assert!(said.contains("accepted  demo.Rates#fee"), "{said}");
    assert!(!said.contains("not written again"), "{said}");
}
