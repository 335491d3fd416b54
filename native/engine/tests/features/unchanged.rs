//! What a second run does again: nothing where nothing changed; otherwise what changed, and what uses that.

use crate::project_lab::{Lab, copy};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

const RATES: &str = "package demo; public class Rates {
  public static int fee(int amount) { return amount > 100 ? amount / 10 : 5; }
  public static int limit() { return 1000; }
}";
const TILL: &str = "package demo; public class Till {
  private int sum;
  public int pay(int amount) { sum += amount - Rates.fee(amount); return sum; }
}";
const NAMES: &str = "package demo; public class Names {
  public String initial(String name) { return name.isEmpty() ? \"?\" : name.substring(0, 1); }
}";
/// It breaks a rule: `equals` is not reflexive.
const ODD: &str = "package demo; public class Odd {
  public boolean equals(Object other) { return false; }
  public int hashCode() { return 1; }
}";

const BUDGET: (&str, &str) = ("budget", "300");
const ACCEPT: [(&str, &str); 2] = [BUDGET, ("accept", "true")];

fn sources(rates: &str) -> [(&str, &str); 4] {
    [
        ("demo/Rates.java", rates),
        ("demo/Till.java", TILL),
        ("demo/Names.java", NAMES),
        ("demo/Odd.java", ODD),
    ]
}

/// The four classes after a run.
fn lab() -> Lab {
    Lab::after_run(&sources(RATES), &[BUDGET])
}

/// Steps by class, and names of methods without a test, from `report.json`.
fn told(lab: &Lab) -> String {
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let classes = report["classes"].as_array().unwrap().iter();
    let row = |class: &serde_json::Value| {
        let tests = class["tests"].as_array().unwrap().len();
        format!(
            "{} {} {tests} {}",
            class["name"], class["steps"], class["skipped"]
        )
    };
    classes.map(row).collect::<Vec<_>>().join("\n")
}

fn differing<'a>(
    before: &BTreeMap<String, String>,
    after: &'a BTreeMap<String, String>,
) -> Vec<&'a str> {
    let files = after
        .iter()
        .filter(|(name, text)| before.get(*name) != Some(text));
    files.map(|(name, _)| name.as_str()).collect()
}

#[test]
fn a_method_more_changes_the_tests_of_its_class_alone() {
    let mut lab = lab();
    let first = lab.said_first();
    assert!(!first.contains("as the last run left them"), "{first}");
    let (before, ids) = (lab.written("demo"), lab.findings());
    assert!(!ids.is_empty(), "{first}");

    let more = RATES.replace(
        "public static int limit",
        "public static int cap(int a) { return a > 9 ? 9 : a; } public static int limit",
    );
    lab.edit(&sources(&more));
    let said = lab.run(&[BUDGET]);
    assert!(
        said.contains("3 of 4 classes are as the last run left them, and keep their tests"),
        "{said}"
    );
    assert!(!said.contains("did not choose"), "{said}");
    let after = lab.written("demo");
    assert_eq!(differing(&before, &after), ["RatesPalusTest.java"]);
    assert!(after["RatesPalusTest.java"].contains("cap("), "{said}");
    // What is not done again is told again.
    assert_eq!(lab.findings(), ids);
    let rows = told(&lab);
    let steps = |class: &str| {
        let row = rows.lines().find(|row| row.contains(class)).unwrap();
        row.split(' ').nth(1).unwrap().parse::<u64>().unwrap()
    };
    assert!(
        ["Rates", "Till", "Names", "Odd"]
            .iter()
            .all(|name| steps(name) > 0),
        "{rows}"
    );
    let explained = std::fs::read_to_string(lab.at("report/explain.json")).unwrap();
    assert!(explained.contains("demo.Names") && explained.contains("demo.Rates"));
}

#[test]
fn what_uses_a_changed_method_is_worked_on_again() {
    let mut lab = lab();
    let before = lab.written("demo");
    lab.edit(&sources(&RATES.replace(": 5", ": 6")));
    let (said, ended) = lab.told(&[BUDGET]);
    assert!(ended.is_err(), "{said}");
    assert_eq!(lab.written("demo"), before);
    let said = lab.run(&ACCEPT);
    assert!(
        said.contains("2 of 4 classes are as the last run left them"),
        "{said}"
    );
    let after = lab.written("demo");
    assert_eq!(
        differing(&before, &after),
        ["RatesPalusTest.java", "TillPalusTest.java"]
    );
    // Taken back, all is as it was.
    lab.edit(&sources(RATES));
    lab.run(&ACCEPT);
    assert_eq!(lab.written("demo"), before);
}

#[test]
fn a_deleted_file_another_setting_or_a_wish_is_enough_to_work_again() {
    let lab = lab();
    let before = lab.written("demo");
    std::fs::remove_file(lab.at("tests/demo/TillPalusTest.java")).unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    let after = lab.written("demo");
    assert!(after["TillPalusTest.java"].contains(".pay("), "{said}");
    let others = differing(&before, &after);
    assert!(others.iter().all(|&name| name == "TillPalusTest.java"));
    // A run that chooses others takes nothing of that back.
    let said = lab.run(&[BUDGET, ("classes", "demo.Names")]);
    assert!(
        said.contains("1 of 1 class is as the last run left it"),
        "{said}"
    );
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("4 of 4 classes are as"), "{said}");
    for other in [
        &[BUDGET, ("seed", "7")][..],
        &[BUDGET, ("incremental", "false")],
    ] {
        let said = lab.run(other);
        assert!(!said.contains("as the last run left them"), "{said}");
    }
    assert_eq!(lab.written("demo"), before);
}

#[test]
fn what_a_run_left_holds_where_project_and_folders_are_moved() {
    let mut lab = lab();
    let before = lab.written("demo");
    let moved = tempfile::tempdir().unwrap();
    copy(lab.folder.path(), moved.path());
    lab.folder = moved;
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("up to date"), "{said}");
    lab.edit(&sources(&RATES.replace("1000", "1001")));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert_eq!(
        differing(&before, &lab.written("demo")),
        ["RatesPalusTest.java"]
    );
}

#[test]
fn an_agent_and_the_projects_folder_are_the_same_wherever_they_lie() {
    let agent = "package tool; public class Agent {
      public static void premain(String options) {}
    }";
    let mut lab = Lab::new(&sources(RATES), &[]);
    let home = tempfile::tempdir().unwrap();
    let jar = |machine: &str, agent: &str| {
        let jar = home.path().join(machine).join("tool-1.0.jar");
        std::fs::create_dir_all(jar.parent().unwrap()).unwrap();
        pack_agent(&jar, agent);
        format!("-javaagent:{}=fast", jar.display())
    };
    let run = |lab: &Lab, agent: &str, more: &[(&str, &str)]| {
        let project = format!("-Dproject.home={}", lab.folder.path().display());
        let arguments = [("jvmArgument", agent), ("jvmArgument", &*project)];
        lab.run(&[&[BUDGET][..], &arguments, more].concat())
    };
    let alice = jar("alice", agent);
    run(&lab, &alice, &[]);
    let moved = tempfile::tempdir().unwrap();
    copy(lab.folder.path(), moved.path());
    lab.folder = moved;
    let said = run(&lab, &jar("bob", agent), &[]);
    assert!(said.contains("up to date"), "{said}");
    lab.edit(&sources(&RATES.replace("1000", "1001")));
    let said = run(&lab, &jar("carol", agent), &[ACCEPT[1]]);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    let other = agent.replace("{}", "{ int other; }");
    let said = run(&lab, &jar("carol", &other), &[ACCEPT[1]]);
    assert!(!said.contains("as the last run left them"), "{said}");
}

/// An agent of Java that is this class.
fn pack_agent(path: &Path, agent: &str) {
    let mut jar = zip::ZipWriter::new(std::fs::File::create(path).unwrap());
    let stored = zip::write::SimpleFileOptions::default();
    jar.start_file("META-INF/MANIFEST.MF", stored).unwrap();
    let manifest = "Manifest-Version: 1.0\nPremain-Class: tool.Agent\n";
    jar.write_all(manifest.as_bytes()).unwrap();
    for (name, bytes) in &palus_fixture::compile(&[("tool/Agent.java", agent)]).classes {
        jar.start_file(format!("{name}.class"), stored).unwrap();
        jar.write_all(bytes).unwrap();
    }
    jar.finish().unwrap();
}

#[test]
fn a_property_of_the_command_line_counts_for_those_that_read_it_alone() {
    let zone = "package demo; public class Zone {
      public String name() { return System.getProperty(\"demo.zone\", \"none\").isEmpty() ? \"a\" : \"b\"; }
    }";
    let user = "package demo; public class Traveller {
      public boolean isHome() { return new Zone().name().length() > 3; }
    }";
    let level = "package lib; public class Level {
      public static boolean isHigh() { return Integer.getInteger(\"lib.level\", 3) > 2; }
    }";
    let project = [
        ("demo/Zone.java", zone),
        ("demo/Traveller.java", user),
        ("demo/Names.java", NAMES),
        ("demo/Rates.java", RATES),
    ];
    let mut lab = Lab::with_library(&project, &[("lib/Level.java", level)]);
    lab.pack_library(&[("lib/Level.java", level)], "a=1");
    let run = |zone: &str, revision: &str, level: &str| {
        let of = |name: &str, value: &str| format!("-D{name}={value}");
        let all = [
            of("demo.zone", zone),
            of("revision", revision),
            of("lib.level", level),
        ];
        let all = all.each_ref().map(|one| ("commandLineProperty", &**one));
        lab.run(&[&ACCEPT[..], &all].concat())
    };
    run("utc", "1.4.1", "5");
    let written = lab.written("demo");
    let said = run("utc", "1.4.2", "5");
    assert!(said.contains("up to date"), "{said}");
    let said = run("cet", "1.4.3", "5");
    assert!(said.contains("2 of 4 classes are as"), "{said}");
    assert_eq!(lab.written("demo"), written);
    // Nobody knows who of a library's users comes to what it reads.
    let said = run("cet", "1.4.3", "6");
    assert!(!said.contains("as the last run left them"), "{said}");
    assert!(!said.contains("up to date"), "{said}");
    // One more is another thing to all that ask which there are.
    let more = [("commandLineProperty", "-Drevision=1.4.3")];
    let said = lab.run(&[&ACCEPT[..], &more].concat());
    assert!(!said.contains("up to date"), "{said}");
}

#[test]
fn what_cannot_be_read_of_the_last_run_is_done_again() {
    let lab = lab();
    let before = lab.written("demo");
    std::fs::remove_file(lab.at("palus").join("work/state")).unwrap();
    std::fs::write(
        lab.at("palus").join("work/classes.json"),
        "{\"version\":1}\nno",
    )
    .unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(!said.contains("as the last run left them"), "{said}");
    assert_eq!(lab.written("demo"), before);
}

/// It breaks a rule for all that extend it.
const BASE: (&str, &str) = (
    "demo/Base.java",
    "package demo; public class Base {
      public boolean equals(Object other) { return false; }
      public int hashCode() { return 1; }
    }",
);
const APPLE: &str =
    "package demo; public class Apple extends Base { public int weight() { return 2; } }";
const PEAR: &str =
    "package demo; public class Pear extends Base { public int weight() { return 3; } }";

/// Names of the files with findings.
fn files_of_findings(lab: &Lab) -> Vec<String> {
    let entries = std::fs::read_dir(lab.at("palus/findings/demo")).into_iter();
    let names = entries.flatten().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_finding_stays_in_one_file_as_long_as_there_is_a_class_that_shows_it() {
    let fruit = |apple, pear| [BASE, ("demo/Apple.java", apple), ("demo/Pear.java", pear)];
    let mut lab = Lab::new(&fruit(APPLE, PEAR), &[]);
    let said = lab.run(&[BUDGET]);
    let ids = lab.findings();
    assert_eq!(ids.len(), 1, "{said}");
    assert_eq!(files_of_findings(&lab), ["AppleFindingsPalusTest.java"]);
    // Found again by a class that was edited, it stays where it stands.
    let heavy = PEAR.replace("public int", "public int size() { return 4; } public int");
    lab.edit(&fruit(APPLE, &heavy));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("2 of 3 classes are as"), "{said}");
    assert_eq!(lab.findings(), ids);
    assert_eq!(files_of_findings(&lab), ["AppleFindingsPalusTest.java"]);
    // The class with the file breaks the rule no more; the others do.
    let sound = "public boolean equals(Object other) { return other == this; } public int weight";
    let sound = APPLE.replace("public int weight", sound);
    lab.edit(&fruit(&sound, &heavy));
    let said = lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids, "{said}");
    let files = files_of_findings(&lab);
    assert!(
        files.len() == 1 && files[0] != "AppleFindingsPalusTest.java",
        "{files:?}"
    );
    // It goes with the last class that shows it.
    let alone = sound.replace("extends Base", "");
    lab.edit(&[("demo/Apple.java", &alone)]);
    lab.run(&ACCEPT);
    assert!(lab.findings().is_empty());
    assert!(files_of_findings(&lab).is_empty());
}

#[test]
fn a_file_of_findings_that_is_deleted_or_edited_has_its_class_worked_on_again() {
    let lab = lab();
    let ids = lab.findings();
    let file = lab.at("palus/findings/demo/OddFindingsPalusTest.java");
    let text = std::fs::read_to_string(&file).unwrap();
    let mine = text.clone() + "// mine\n";
    for edited in [None, Some(&mine)] {
        match edited {
            None => std::fs::remove_file(&file).unwrap(),
            Some(mine) => std::fs::write(&file, mine).unwrap(),
        }
        std::fs::remove_file(lab.work().join("state")).unwrap();
        let said = lab.run(&[BUDGET]);
        assert!(said.contains("3 of 4 classes are as"), "{said}");
        assert_eq!(
            said.contains("OddFindingsPalusTest.java was"),
            edited.is_some(),
            "{said}"
        );
        let now = std::fs::read_to_string(&file).unwrap();
        assert_eq!(&now, edited.unwrap_or(&text));
        assert_eq!(lab.findings(), ids);
    }
}

#[test]
fn what_a_run_owes_beside_tests_is_looked_at_before_all_is_said_to_be_up_to_date() {
    let lab = lab();
    assert!(lab.run(&[BUDGET]).contains("up to date"));
    let ids = lab.findings();
    let finding = lab.at("palus/findings/demo/OddFindingsPalusTest.java");
    let page = lab.at("report/classes/demo.Till.html");
    let text = std::fs::read_to_string(&finding).unwrap();
    for file in [&finding, &page, &lab.at("report/report.json")] {
        std::fs::remove_file(file).unwrap();
        let said = lab.run(&[BUDGET]);
        assert!(!said.contains("up to date"), "{}: {said}", file.display());
        assert!(file.is_file(), "{}: {said}", file.display());
        assert_eq!(lab.findings(), ids);
        assert!(lab.run(&[BUDGET]).contains("up to date"));
    }
    assert_eq!(std::fs::read_to_string(&finding).unwrap(), text);
    // An edited one is looked at once, and left alone.
    let mine = text + "// mine\n";
    std::fs::write(&finding, &mine).unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("OddFindingsPalusTest.java was"), "{said}");
    assert!(lab.run(&[BUDGET]).contains("up to date"));
    assert_eq!(std::fs::read_to_string(&finding).unwrap(), mine);
}

/// One that an object breaks, and one about no object, which the first class tries.
const THEORIES: &str = "package demo;
import static org.junit.Assert.assertTrue;
import org.junit.experimental.theories.Theory;
public class RatesTheories {
  @Theory public void paysNothing(Till till) { assertTrue(till.pay(7) == 0); }
  @Theory public void isSmall(int number) { assertTrue(number < 1); }
}";

#[test]
fn a_broken_theory_is_told_while_there_is_a_class_that_breaks_it() {
    let mut lab = Lab::new(&sources(RATES), &[("demo/RatesTheories.java", THEORIES)]);
    let said = lab.run(&[BUDGET]);
    let ids = lab.findings();
    let broken = ids.iter().filter(|(id, _)| id.starts_with("P201"));
    // Of an object that is null, too.
    assert_eq!(broken.count(), 3, "{ids:?} {said}");
    let file = lab.at("palus/findings/demo/RatesTheoriesFindingsPalusTest.java");
    let text = std::fs::read_to_string(&file).unwrap();
    // A class that breaks none of them is edited.
    let higher = RATES.replace("1000", "1001");
    lab.edit(&sources(&higher));
    lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    // The first class is gone: the theory about no object is the next one's matter.
    let fewer = sources(&higher).into_iter();
    let fewer: Vec<_> = fewer
        .filter(|(name, _)| *name != "demo/Names.java")
        .collect();
    lab.edit(&fewer);
    let said = lab.run(&ACCEPT);
    assert_eq!(lab.findings(), ids, "{said}");
}

/// What a report and the console count over all classes.
fn counted(lab: &Lab, said: &str) -> String {
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let names = ["drops", "suppressed_findings", "without_test"];
    let counts = names.map(|name| format!("{name} {}", report[name]));
    let skipped = said.lines().filter(|line| line.starts_with("skipped"));
    skipped
        .chain(counts.iter().map(String::as_str))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn what_is_counted_is_counted_of_all_classes() {
    let project = |rates| {
        [
            ("demo/Rates.java", rates),
            (
                "demo/Odd.java",
                "package demo; @io.palus.annotations.PalusIgnore(\"P101\") public class Odd {
                  public boolean equals(Object other) { return false; }
                  public int hashCode() { return 1; }
                }",
            ),
            (
                "demo/Zone.java",
                "package demo; public class Zone {
                  public long name() { return Runtime.getRuntime().maxMemory(); }
                  private Zone(Hidden hidden) {}
                  public Zone() {}
                }",
            ),
            (
                "demo/Hidden.java",
                "package demo; public class Hidden {
                  private Hidden() {}
                  public int get() { return 3; }
                }",
            ),
        ]
    };
    let mut lab = Lab::new(&project(RATES), &[]);
    let said = lab.run(&[BUDGET]);
    let before = counted(&lab, &said);
    let parts = ["skipped", "fails-when-run-again", "suppressed_findings 1"];
    for part in parts {
        assert!(before.contains(part), "{part}: {before} {said}");
    }
    lab.edit(&project(&RATES.replace("1000", "1001")));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert_eq!(counted(&lab, &said), before);
}

fn library(rate: &str) -> [(&str, &str); 2] {
    [
        (
            "lib/Near.java",
            "package lib; public class Near { public static int fee(int amount) { return Far.fee(amount); } }",
        ),
        ("lib/Far.java", rate),
    ]
}

#[test]
fn other_modules_and_libraries_count_at_any_distance() {
    let far = "package lib; public class Far { public static int fee(int amount) { return amount + 1; } }";
    let farther = far.replace("+ 1", "+ 2");
    let shop = "package demo; public class Shop { public int pay(int amount) { return lib.Near.fee(amount); } }";
    let project = [("demo/Shop.java", shop), ("demo/Names.java", NAMES)];
    let mut lab = Lab::with_library(&project, &library(far));
    lab.run(&[BUDGET]);
    let one = "1 of 2 classes is as the last run left it";
    lab.edit_library(&library(&farther));
    let said = lab.run(&ACCEPT);
    assert!(said.contains(one), "{said}");
    // The same in a jar, of which all that is no class counts as well.
    lab.pack_library(&library(&farther), "a=1");
    lab.run(&[BUDGET]);
    for (far, resource) in [(far, "a=1"), (far, "a=2")] {
        lab.pack_library(&library(far), resource);
        let said = lab.run(&ACCEPT);
        assert!(said.contains(one), "{said}");
    }
}

#[test]
fn another_resource_on_the_class_path_or_another_jdk_is_enough_to_work_again() {
    let lab = Lab::new(&sources(RATES)[..2], &[]);
    let resources = lab.at("resources");
    std::fs::create_dir_all(&resources).unwrap();
    let put = |text: &str| std::fs::write(resources.join("rates.properties"), text).unwrap();
    let resources = resources.display().to_string();
    let jdk = lab.at("jdk");
    std::fs::create_dir_all(&jdk).unwrap();
    let own = palus_fixture::java_home();
    for entry in std::fs::read_dir(&own).unwrap() {
        let entry = entry.unwrap();
        if entry.file_name() != "release" {
            std::os::unix::fs::symlink(entry.path(), jdk.join(entry.file_name())).unwrap();
        }
    }
    let release = std::fs::read_to_string(own.join("release")).unwrap_or_default();
    let put_release = |text: &str| std::fs::write(jdk.join("release"), text).unwrap();
    let jdk = jdk.display().to_string();
    let options = [BUDGET, ("classPath", &resources), ("javaHome", &jdk)];
    put("fee=5");
    put_release(&release);
    lab.run(&options);
    assert!(lab.run(&options).contains("up to date"));
    put("fee=6");
    let said = lab.run(&options);
    assert!(said.contains("2 classes,"), "{said}");
    put_release(&format!("{release}\nSOURCE=\"another\"\n"));
    let said = lab.run(&options);
    assert!(said.contains("2 classes,"), "{said}");
}

#[test]
fn what_was_promoted_not_chosen_or_cut_is_worked_on_by_the_next_run() {
    let mut lab = lab();
    lab.promote(&[("classes", "demo.Till")]).unwrap();
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    // Edited while others are chosen.
    let more = |name: &str| {
        let method = format!(
            "public static int {name}(int a) {{ return a > 9 ? 9 : a; }} public static int limit"
        );
        RATES.replace("public static int limit", &method)
    };
    lab.edit(&sources(&more("cap")));
    let said = lab.run(&[BUDGET, ("classes", "demo.Names")]);
    assert!(said.contains("1 of 1 class is as"), "{said}");
    let said = lab.run(&[BUDGET]);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert!(
        lab.written("demo")["RatesPalusTest.java"].contains("cap("),
        "{said}"
    );
    // Cut, it is gone on with.
    lab.edit(&sources(&more("roof")));
    let short = [ACCEPT[0], ACCEPT[1], ("timeLimit", "1")];
    let said = lab.run(&short);
    assert!(
        said.contains("the time limit cut demo.Rates short"),
        "{said}"
    );
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert!(
        lab.written("demo")["RatesPalusTest.java"].contains("roof("),
        "{said}"
    );
}

#[test]
fn another_trace_is_a_reason_for_the_classes_that_it_shows() {
    let test = "package demo; public class NamesTest {
      static String name;
      @org.junit.Test public void initial() { new Names().initial(name); }
      public static void main(String[] arguments) { name = arguments[0]; new NamesTest().initial(); }
    }";
    let lab = Lab::new(&sources(RATES), &[("demo/NamesTest.java", test)]);
    let trace = lab.at("trace").display().to_string();
    let options = [BUDGET, ("traceDirectory", &trace)];
    lab.trace("demo.NamesTest", "Ada");
    let said = lab.run(&options);
    assert!(said.contains("trace "), "{said}");
    for (name, same) in [("Ada", 4), ("Grace", 3)] {
        lab.trace("demo.NamesTest", name);
        std::fs::remove_file(lab.work().join("state")).unwrap();
        let said = lab.run(&options);
        assert!(
            said.contains(&format!("{same} of 4 classes are as")),
            "{name}: {said}"
        );
    }
}

#[test]
fn nothing_that_classes_taught_of_apis_is_lost_and_their_uses_are_judged_anew() {
    let rack = "package demo; public class Rack {
      private final java.util.Stack<String> all = new java.util.Stack<>();
      public void put(String one) { all.push(one); }
      public String top() { return all.peek(); }
    }";
    let shelf = |body: &str| {
        format!("package demo; public class Shelf {{ public int size() {{ {body} return 2; }} }}")
    };
    let empty = shelf("");
    let project = |shelf| [("demo/Rack.java", rack), ("demo/Shelf.java", shelf)];
    let mut lab = Lab::new(&project(&empty), &[]);
    // What is documented is read from sources.
    let source = lab.at("src/demo/Rack.java");
    std::fs::create_dir_all(source.parent().unwrap()).unwrap();
    std::fs::write(&source, rack).unwrap();
    let folder = lab.at("src").display().to_string();
    let learning = [
        ("budget", "1000"),
        ACCEPT[1],
        ("contracts", "false"),
        ("protocols", "COLLECTIONS"),
        ("sourceDirectory", &folder),
    ];
    let said = lab.run(&learning);
    let file = lab.work().join("protocols.json");
    assert!(file.is_file(), "{said}");
    let ids = lab.findings();
    assert!(
        ids.iter()
            .any(|(id, _)| id.starts_with("P301 demo.Rack#top")),
        "{ids:?} {said}"
    );
    // The file is gone: all that it held is found again.
    std::fs::remove_file(&file).unwrap();
    let one = shelf("int one = 1;");
    lab.edit(&project(&one));
    let said = lab.run(&learning);
    assert!(said.contains("2 classes,"), "{said}");
    assert!(file.is_file(), "{said}");
    assert_eq!(lab.findings(), ids);
    // Another class shows more of the same API: the next run judges the first one by that.
    let more = shelf(
        "java.util.Stack<String> all = new java.util.Stack<>(); all.push(\"a\"); all.clear(); all.empty();",
    );
    lab.edit(&project(&more));
    let said = lab.run(&learning);
    assert!(said.contains("1 of 2 classes is as"), "{said}");
    assert_eq!(lab.findings(), ids);
    let said = lab.run(&learning);
    assert!(said.contains("1 of 2 classes is as"), "{said}");
    assert_eq!(lab.findings(), ids);
    assert!(lab.run(&learning).contains("up to date"));
}

#[test]
fn a_kept_test_that_fails_in_other_surroundings_alone_is_told_and_written_anew_by_the_next_run() {
    let mut lab = lab();
    let before = lab.written("demo");
    let good = &before["NamesPalusTest.java"];
    let bad = good.replacen(
        "() {\n",
        "() {\n    org.junit.Assert.assertFalse(java.util.Locale.getDefault().getLanguage().equals(\"tr\"));\n",
        1,
    );
    assert_ne!(good, &bad);
    let listed = |lab: &Lab| {
        let text = std::fs::read_to_string(lab.at("tests/.palus-manifest")).unwrap();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        let (hash, _) = lines
            .find(|(_, path)| path.ends_with("NamesPalusTest.java"))
            .unwrap();
        hash.to_owned()
    };
    let written = listed(&lab);
    lab.forge("demo/NamesPalusTest.java", &bad);
    let notes = lab.work().join("classes.json");
    let text = std::fs::read_to_string(&notes).unwrap();
    std::fs::write(&notes, text.replace(&written, &listed(&lab))).unwrap();
    lab.edit(&sources(&RATES.replace("1000", "1001")));
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert!(
        said.contains("or in another order, time zone or locale: demo.NamesPalusTest#"),
        "{said}"
    );
    assert_eq!(lab.written("demo")["NamesPalusTest.java"], bad);
    let said = lab.run(&ACCEPT);
    assert!(said.contains("3 of 4 classes are as"), "{said}");
    assert!(lab.has_lines_of("NamesPalusTest.java", good));
}
