//! The tests of the last run against code that has changed, through real workers and a real compiler.

use crate::project_lab::Lab;
use palus_engine::ErrorKind;

const OTHER: (&str, &str) = (
    "demo/Other.java",
    "package demo; public class Other { public int twice(int a) { return a * 2; } }",
);
const BUDGET: [(&str, &str); 1] = [("budget", "200")];
const ACCEPTED: [(&str, &str); 2] = [("budget", "200"), ("accept", "true")];

/// A class whose method `fee` is this.
fn rates(fee: &str) -> String {
    format!(
        "package demo; public class Rates {{
            {fee}
            public boolean isHigh(int rate) {{ return rate > 40; }}
        }}"
    )
}

/// What is said of a test of that in a file that somebody edited, where the fee is 6 now.
const EDITED_FIVE: &str = "edited    demo.Rates#fee: the test says 5, the code 6; fee_";

const FIVE: &str = "public int fee() { return 5; }";

fn edit(lab: &mut Lab, fee: &str) {
    lab.edit(&[("demo/Rates.java", &rates(fee)), OTHER]);
}

fn lab() -> Lab {
    let lab = Lab::after_run(&[("demo/Rates.java", &rates(FIVE)), OTHER], &BUDGET);
    assert_eq!(lab.written("demo").len(), 2);
    lab
}

fn report(lab: &Lab) -> serde_json::Value {
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_changed_constant_fails_the_run_until_it_is_accepted_and_no_file_changes_before() {
    let mut lab = lab();
    let before = lab.written("demo");
    edit(&mut lab, "public int fee() { return 6; }");
    for _ in 0..2 {
        let (said, ended) = lab.told(&BUDGET);
        let error = ended.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BehaviourChange, "{error}");
        assert!(
            error.message.contains("1 test of the last run fails"),
            "{error}"
        );
        assert!(error.hint.contains("palus:accept"), "{}", error.hint);
        let change = "demo.Rates#fee: before 5, now 6; fee_";
        assert!(said.contains(change), "{said}");
        assert!(said.contains("assertEquals(5, "), "{said}");
        assert_eq!(lab.written("demo"), before);
    }
    let red = report(&lab);
    let change = &red["behaviour_changes"][0];
    assert_eq!(change["before"], "5");
    assert_eq!(change["now"], "6");
    let file = &before["RatesPalusTest.java"];
    let line = change["line"].as_u64().unwrap() as usize;
    let source = file.lines().nth(line - 1).unwrap().trim();
    assert_eq!(change["source"], source);
    assert!(red["tests"].as_u64().unwrap() > 1, "the rest stays");
    let page = std::fs::read_to_string(lab.at("report/index.html")).unwrap();
    assert!(page.contains("Behaviour that changed"), "{page}");

    let said = lab.run(&ACCEPTED);
    assert!(said.contains("accepted  demo.Rates#fee"), "{said}");
    let after = lab.written("demo");
    assert!(after["RatesPalusTest.java"].contains("assertEquals(6, "));
    assert_eq!(after["OtherPalusTest.java"], before["OtherPalusTest.java"]);
    assert_eq!(report(&lab)["behaviour_changes"], serde_json::json!([]));
    assert!(lab.run(&BUDGET).contains("up to date"));
}

#[test]
fn where_the_change_is_taken_back_all_is_as_it_was() {
    let mut lab = lab();
    let before = lab.written("demo");
    edit(&mut lab, "public int fee() { return 6; }");
    lab.try_run(&BUDGET).unwrap_err();
    edit(&mut lab, FIVE);
    let said = lab.run(&BUDGET);
    assert!(said.contains("up to date"), "{said}");
    assert_eq!(lab.written("demo"), before);
    assert_eq!(report(&lab)["behaviour_changes"], serde_json::json!([]));
    let page = std::fs::read_to_string(lab.at("report/index.html")).unwrap();
    assert!(!page.contains("Behaviour that changed"), "{page}");
}

#[test]
fn a_deleted_method_is_named_and_the_other_tests_of_its_file_still_run() {
    let mut lab = lab();
    let before = lab.written("demo");
    edit(&mut lab, "");
    let (said, ended) = lab.told(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains("now Rates has no method fee()"), "{said}");
    let changes = report(&lab)["behaviour_changes"].clone();
    let changes = changes.as_array().unwrap();
    assert!(
        changes
            .iter()
            .all(|one| one["method"] == "fee" && one["is_broken"] == true)
    );
    assert_eq!(lab.written("demo"), before);
    lab.run(&ACCEPTED);
    assert!(!lab.written("demo")["RatesPalusTest.java"].contains("fee"));
}

#[test]
fn the_tests_of_a_renamed_class_stay_until_that_is_accepted() {
    let mut lab = lab();
    let before = lab.written("demo");
    let renamed = rates(FIVE).replace("Rates", "Fees");
    lab.edit(&[("demo/Fees.java", &renamed), OTHER]);
    let (said, ended) = lab.told(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains("now there is no class Rates"), "{said}");
    assert_eq!(lab.written("demo"), before);
    lab.run(&ACCEPTED);
    let files: Vec<_> = lab.written("demo").into_keys().collect();
    assert_eq!(files, ["FeesPalusTest.java", "OtherPalusTest.java"]);
}

#[test]
fn a_test_that_others_make_fail_is_no_change() {
    let reader = "package demo; public class Reader {
        static int on;
        public int read() { return on; }
        public static void turn() { on = 1; }
    }";
    let lab = Lab::new(&[("demo/Reader.java", reader), OTHER], &[]);
    lab.run(&BUDGET);
    let polluter = "package demo;
public class OtherPalusTest {
  @org.junit.Test
  public void twice_isZero() {
    Reader.turn();
  }
}
";
    lab.forge("demo/OtherPalusTest.java", polluter);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
}

#[test]
fn an_edited_test_that_fails_is_a_change_and_is_never_replaced() {
    let mut lab = lab();
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let edited = lab.written("demo")["RatesPalusTest.java"].clone() + "// mine\n";
    std::fs::write(&path, &edited).unwrap();
    edit(&mut lab, "public int fee() { return 6; }");
    let (said, ended) = lab.told(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains(EDITED_FIVE), "{said}");
    let differs = "what differs in the code since Palus last saw these tests pass: demo.Rates\n";
    assert!(said.contains(differs), "{said}");
    let said = lab.run(&ACCEPTED);
    assert!(said.contains("mend them, or delete these files"), "{said}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
}

#[test]
fn a_test_that_the_user_made_fail_is_told_as_edited_and_not_as_changed_behaviour() {
    let lab = lab();
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let written = lab.written("demo")["RatesPalusTest.java"].clone();
    std::fs::write(
        &path,
        written.replace("assertEquals(5, ", "assertEquals(7, "),
    )
    .unwrap();
    for look in [Lab::told, Lab::compared] {
        let (said, ended) = look(&lab, &BUDGET);
        let error = ended.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BehaviourChange);
        let edited = "edited    demo.Rates#fee: the test says 7, the code 5; fee_";
        assert!(said.contains(edited), "{said}");
        assert!(
            said.contains("a file edited since Palus wrote it"),
            "{said}"
        );
        assert!(!said.contains("changed   "), "{said}");
        let same =
            "no class, resource or jar of the code differs since Palus last saw these tests pass";
        assert!(said.contains(same), "{said}");
        assert!(
            error.message.starts_with("edited tests fail: 1 test"),
            "{error}"
        );
        assert!(error.hint.contains("delete its file"), "{}", error.hint);
        assert!(!error.hint.contains("palus:accept"), "{}", error.hint);
    }
    // As the hint says.
    std::fs::remove_file(&path).unwrap();
    lab.run(&BUDGET);
    assert_eq!(lab.written("demo")["RatesPalusTest.java"], written);
}

#[test]
fn what_a_check_has_seen_to_pass_is_said_to_be_so() {
    let lab = lab();
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    // They may have failed since, where the build ran them itself: that is not known here.
    let same = "as they were when Palus last saw all tests pass, so it runs none again";
    assert!(said.contains(same), "{said}");
}

#[test]
fn looking_alone_changes_no_test_and_is_not_done_twice() {
    let mut lab = lab();
    let before = lab.written("demo");
    edit(&mut lab, "public int fee() { return 2 + 3; }");
    // As on a fresh checkout.
    std::fs::remove_dir_all(lab.at("palus")).unwrap();
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
    assert_eq!(lab.written("demo"), before);
    let said = lab.run(&BUDGET);
    assert!(!said.contains("of the last run"), "{said}");
    edit(
        &mut lab,
        "public int fee() { throw new IllegalStateException(\"no fee\"); }",
    );
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    let now = "now throws java.lang.IllegalStateException: no fee";
    assert!(said.contains(now), "{said}");
    let (said, ended) = lab.compared(&[BUDGET[0], ("failOnChange", "false")]);
    ended.unwrap();
    assert!(said.contains(now), "{said}");
    assert!(said.contains("1 test of the last run fails"), "{said}");
    let written = lab.try_run(&[BUDGET[0], ("failOnChange", "false")]);
    assert_eq!(written.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert_eq!(lab.written("demo"), before);
}

/// A class that reads its fee from a file beside the classes, and its rate from a class of another module.
const READING: &str = r#"package demo;
public class Reading {
    public int fee() throws Exception {
        try (java.io.InputStream file = Reading.class.getResourceAsStream("/rates.properties")) {
            return file.read() - '0';
        }
    }
    public int rate() throws Exception {
        return (Integer) Class.forName("sibling.Rate").getMethod("rate").invoke(null);
    }
}"#;

#[test]
fn a_changed_resource_or_module_beside_the_classes_is_looked_at() {
    let lab = Lab::new(&[("demo/Reading.java", READING), OTHER], &[]);
    let (resources, sibling) = (lab.at("resources"), lab.at("sibling"));
    std::fs::create_dir(&resources).unwrap();
    std::fs::create_dir_all(sibling.join("sibling")).unwrap();
    let fee = |fee: &str| std::fs::write(resources.join("rates.properties"), fee).unwrap();
    let rate = |rate: u32| {
        let source = format!(
            "package sibling; public class Rate {{ public static int rate() {{ return {rate}; }} }}"
        );
        let compiled = palus_fixture::compile(&[("sibling/Rate.java", &source)]);
        let class = "sibling/Rate.class";
        std::fs::copy(compiled.dir.join(class), sibling.join(class)).unwrap();
    };
    fee("5");
    rate(7);
    let options = [
        BUDGET[0],
        ("classesDirectory", resources.to_str().unwrap()),
        ("classPath", resources.to_str().unwrap()),
        ("classPath", sibling.to_str().unwrap()),
    ];
    lab.run(&options);
    let text = lab.written("demo")["ReadingPalusTest.java"].clone();
    assert!(text.contains("(5, ") && text.contains("(7, "), "{text}");
    assert!(lab.run(&options).contains("up to date"));

    fee("6");
    let (said, ended) = lab.told(&options);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains("demo.Reading#fee: before 5, now 6"), "{said}");
    fee("5");
    assert!(lab.run(&options).contains("up to date"));

    rate(8);
    let (said, ended) = lab.told(&options);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains(": before 7, now 8; "), "{said}");
    assert!(said.contains("assertEquals(7, reading.rate());"), "{said}");
}

/// A written file, laid out by another hand: tabs, and braces on lines of their own.
fn reformatted(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let rest = line.trim_start_matches(' ');
        let tabs = "\t".repeat((line.len() - rest.len()) / 2);
        match rest.strip_suffix(" {") {
            Some(head) if head.contains("void ") => format!("{tabs}{head}\n{tabs}{{\n"),
            _ => format!("{tabs}{rest}\n"),
        }
    });
    lines.collect()
}

#[test]
fn a_reformatted_file_loses_no_test_and_what_cannot_be_read_is_counted() {
    let mut lab = lab();
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let written = lab.written("demo");
    let tests: usize = written
        .values()
        .map(|text| text.matches("@Test").count())
        .sum();
    std::fs::write(&path, reformatted(&written["RatesPalusTest.java"])).unwrap();
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    let all = format!("{tests} tests of the last run, all pass");
    assert!(said.contains(&all), "{all}: {said}");
    assert!(!said.contains("did not run in the sandbox"), "{said}");

    let nested = "\tstatic class Mine {\n\t\t@Test public void one() { }\n\t}\n}\n";
    let text = reformatted(&written["RatesPalusTest.java"]);
    let text = text.trim_end().strip_suffix('}').unwrap().to_owned() + nested;
    std::fs::write(&path, text).unwrap();
    for _ in 0..2 {
        let (said, ended) = lab.compared(&BUDGET);
        ended.unwrap();
        assert!(said.contains(&all), "{said}");
        let unread = "1 test in demo/RatesPalusTest.java did not run in the sandbox";
        assert!(said.contains(unread), "{said}");
    }
    edit(&mut lab, "public int fee() { return 6; }");
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    assert!(said.contains(EDITED_FIVE), "{said}");
}

#[test]
fn an_edited_test_is_run_by_every_later_run_until_it_is_mended() {
    let mut lab = lab();
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let written = lab.written("demo")["RatesPalusTest.java"].clone();
    let edited = written.clone() + "// mine\n";
    std::fs::write(&path, &edited).unwrap();
    lab.run(&BUDGET);
    let said = lab.run(&BUDGET);
    assert!(
        said.contains("up to date"),
        "an edit that passes is in order: {said}"
    );
    edit(&mut lab, "public int fee() { return 6; }");
    lab.try_run(&BUDGET).unwrap_err();
    lab.run(&ACCEPTED);
    for _ in 0..2 {
        let (said, ended) = lab.told(&BUDGET);
        assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
        assert!(said.contains(EDITED_FIVE), "{said}");
        let (said, ended) = lab.compared(&BUDGET);
        assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
        assert!(said.contains(EDITED_FIVE), "{said}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), edited);
    }

    // Mended by the user, it passes and stays the user's.
    let mended = edited.replace("assertEquals(5, ", "assertEquals(6, ");
    std::fs::write(&path, &mended).unwrap();
    lab.run(&BUDGET);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), mended);
    // As Palus wrote it, it is Palus's again.
    std::fs::write(&path, &written).unwrap();
    lab.run(&ACCEPTED);
    let now = lab.written("demo")["RatesPalusTest.java"].clone();
    assert!(now.contains("assertEquals(6, "), "{now}");
    assert!(!now.contains("// mine"), "{now}");
}

/// Two classes; the first one's `size` is this.
fn pool_and_till(size: u32) -> [(&'static str, String); 2] {
    let pool = format!(
        "package demo;
public class Pool {{
    private int left = 3;
    public int size() {{
        return {size};
    }}
    public void take() {{ left--; }}
}}"
    );
    let till = "package demo; public class Till { public int pay(int a) { return a + 1; } }";
    [
        ("demo/Pool.java", pool),
        ("demo/Till.java", till.to_owned()),
    ]
}

#[test]
fn a_change_is_named_with_the_method_that_the_failing_line_asserts() {
    let first = pool_and_till(3);
    let first: Vec<(&str, &str)> = first
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    let mut lab = Lab::new(&first, &[]);
    lab.run(&BUDGET);
    let test = "package demo;
import static org.junit.Assert.assertEquals;
public class TillPalusTest {
  @org.junit.Test
  public void pay_withPool_isThree() {
    Till till = new Till();
    Pool pool = new Pool();
    int size = pool.size();
    assertEquals(2, till.pay(1));
    assertEquals(3, size);
  }
}
";
    lab.forge("demo/TillPalusTest.java", test);
    let now = pool_and_till(4);
    let now: Vec<(&str, &str)> = now
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect();
    lab.edit(&now);
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    let change = "demo.Pool#size: before 3, now 4; pay_withPool_isThree, TillPalusTest.java:10";
    assert!(said.contains(change), "{said}");
    assert!(!said.contains("demo.Till#"), "{said}");
    let changes = report(&lab)["behaviour_changes"].clone();
    for change in changes.as_array().unwrap() {
        assert_eq!(change["class"], "demo.Pool", "{change}");
    }
}

#[test]
fn a_null_is_told_of_the_method_that_gave_it() {
    let pool = |next: &str| {
        format!(
            "package demo;
public class Pool {{
    public Pool next() {{
        return {next};
    }}
    public boolean holds(Pool other) {{ return other.hashCode() == 3; }}
    @Override
    public int hashCode() {{ return 3; }}
}}"
        )
    };
    let mut lab = Lab::new(&[("demo/Pool.java", &pool("this"))], &[]);
    lab.run(&BUDGET);
    let test = "package demo;
import static org.junit.Assert.assertTrue;
public class PoolPalusTest {
  @org.junit.Test
  public void holds_withNext_isTrue() {
    Pool pool = new Pool();
    Pool next = pool.next();
    assertTrue(pool.holds(next));
  }
}
";
    lab.forge("demo/PoolPalusTest.java", test);
    lab.edit(&[("demo/Pool.java", &pool("null"))]);
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    let change = "demo.Pool#next: before throws nothing, now throws java.lang.NullPointerException";
    assert!(said.contains(change), "{said}");
    assert!(!said.contains("demo.Pool#holds"), "{said}");
}

fn lent<'a>(sources: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
    sources
        .iter()
        .map(|(path, text)| (*path, text.as_str()))
        .collect()
}

#[test]
fn tests_run_again_where_something_changed_that_they_may_run_into_and_only_there() {
    let shape = (
        "demo/Shape.java",
        "package demo; public interface Shape { int area(); }",
    );
    let disk = |area: u32| {
        format!(
            "package demo; public class Disk implements Shape {{ public int area() {{ return {area}; }} }}"
        )
    };
    // The one calls `Disk` by way of the interface, the other by its name in a text.
    let shop = "package demo; public class Shop {
        private final Shape shape = new Disk();
        public int area() { return shape.area(); }
    }";
    let named = "package demo; public class Named {
        public int area() throws Exception {
            String name = getClass().getName().replace(\"Named\", \"Disk\");
            return ((Shape) Class.forName(name).getDeclaredConstructor().newInstance()).area();
        }
    }";
    let sources = |area: u32| {
        let all = [
            shape,
            ("demo/Shop.java", shop),
            ("demo/Named.java", named),
            OTHER,
        ];
        let all = all.map(|(path, text)| (path, text.to_owned()));
        [&all[..], &[("demo/Disk.java", disk(area))]].concat()
    };
    let mut lab = Lab::new(&lent(&sources(5)), &[]);
    lab.run(&BUDGET);
    let written = lab.written("demo");
    let count = |file: &str| written[file].matches("@Test").count();
    let all: usize = written.keys().map(|file| count(file)).sum();
    lab.edit(&lent(&sources(6)));
    let (said, ended) = lab.told(&BUDGET);
    assert_eq!(ended.unwrap_err().kind, ErrorKind::BehaviourChange);
    for file in [
        "ShopPalusTest.java",
        "NamedPalusTest.java",
        "DiskPalusTest.java",
    ] {
        let place = format!("{file}:");
        assert!(
            said.contains(&place) && said.contains("before 5, now 6; area_"),
            "{file}: {said}"
        );
    }
    let other = count("OtherPalusTest.java");
    let ran = format!("{} tests of the last run, ", all - other);
    let rest = format!("; what {other} more rest on is as when they passed");
    assert!(
        said.contains(&ran) && said.contains(&rest),
        "{ran}{rest}: {said}"
    );
    // Also where somebody looked in between, who knows nothing of what tests rest on.
    lab.edit(&lent(&sources(5)));
    lab.compared(&[BUDGET[0], ("seed", "1")]).1.unwrap();
    lab.edit(&lent(&sources(6)));
    let said = lab.told(&BUDGET).0;
    assert!(said.contains(&rest), "{said}");
}

#[test]
fn a_file_that_goes_though_its_class_is_there_is_named() {
    let mut lab = lab();
    edit(
        &mut lab,
        "{ new java.io.File(\"ledger\").delete(); } public int fee() { return 5; }",
    );
    let said = lab.run(&ACCEPTED);
    let files: Vec<_> = lab.written("demo").into_keys().collect();
    assert_eq!(files, ["OtherPalusTest.java"]);
    assert!(
        said.contains("demo/RatesPalusTest.java goes, with "),
        "{said}"
    );
    // Who deletes a class knows what becomes of its tests.
    lab.edit(&[("demo/Rates.java", &rates(FIVE))]);
    let said = lab.run(&ACCEPTED);
    assert!(lab.written("demo").contains_key("RatesPalusTest.java"));
    assert!(!said.contains(" goes, with "), "{said}");
}

/// What a look says of an edit of `fee`.
fn looked(lab: &mut Lab, fee: &str) -> String {
    edit(lab, fee);
    let (said, ended) = lab.compared(&BUDGET);
    assert_eq!(
        ended.unwrap_err().kind,
        ErrorKind::BehaviourChange,
        "{said}"
    );
    said
}

#[test]
fn what_is_denied_once_fails_a_look_though_it_is_not_denied_again() {
    let mut lab = lab();
    // The first call of a JVM leaves the file alone, and so does the first after classes are loaded anew.
    let second = "static int calls; public int fee() {
        if (++calls > 1) { new java.io.File(\"ledger\").delete(); }
        return 5;
    }";
    let path = lab.at("tests/demo/RatesPalusTest.java");
    let written = lab.written("demo")["RatesPalusTest.java"].clone();
    let fee = written
        .lines()
        .position(|line| line.contains("fee_"))
        .unwrap();
    let again = written
        .lines()
        .skip(fee - 1)
        .take_while(|line| *line != "  }");
    let again: Vec<_> = again.map(|line| line.replace("fee_", "fee2_")).collect();
    let end = written.rfind('}').unwrap();
    let both = format!("{}\n{}\n  }}\n}}\n", &written[..end], again.join("\n"));
    std::fs::write(&path, both).unwrap();
    let said = looked(&mut lab, second);
    assert!(said.contains("it is denied File.delete"), "{said}");
}

#[test]
fn what_is_denied_on_another_machine_alone_fails_a_look_and_what_fails_there_does_not() {
    let mut lab = lab();
    let there = "java.util.TimeZone.getDefault().getID().equals(\"Pacific/Chatham\")";
    let said = looked(
        &mut lab,
        &format!(
            "public int fee() {{ if ({there}) {{ new java.io.File(\"ledger\").delete(); }} return 5; }}"
        ),
    );
    assert!(
        said.contains("File.delete") && said.contains("on another machine"),
        "{said}"
    );
    edit(
        &mut lab,
        &format!("public int fee() {{ return {there} ? 6 : 5; }}"),
    );
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    assert!(said.contains("of the last run, all pass"), "{said}");
}

#[test]
fn tests_that_no_list_names_are_looked_at_for_what_is_denied() {
    let mut lab = lab();
    std::fs::remove_file(lab.at("tests/.palus-manifest")).unwrap();
    let harm = "new java.io.File(\"ledger\").delete();";
    let said = looked(
        &mut lab,
        &format!("public int fee() {{ {harm} return 5; }}"),
    );
    assert!(
        said.contains("unlisted  demo.Rates") && said.contains("File.delete"),
        "{said}"
    );
    assert!(said.contains("sandbox"), "{said}");
    // A file beside them that is no test, and that they may need.
    std::fs::write(
        lab.at("tests/demo/Fees.java"),
        "package demo; class Fees { int 1; }",
    )
    .unwrap();
    let said = looked(
        &mut lab,
        &format!("public int fee() {{ {harm} return 6; }}"),
    );
    assert!(said.contains("File.delete"), "{said}");
    // Whether these pass, the build says that runs them next.
    edit(&mut lab, "public int fee() { return 7; }");
    let (said, ended) = lab.compared(&[BUDGET[0], ("testsRunNext", "true")]);
    ended.unwrap();
    assert!(!said.contains("the code 7"), "{said}");
    let there = "java.util.TimeZone.getDefault().getID().equals(\"Pacific/Chatham\")";
    let both = format!("public int fee() {{ if ({there}) {{ {harm} }} return 8; }}");
    let said = looked(&mut lab, &both);
    assert!(said.contains("File.delete"), "{said}");
}

#[test]
fn where_no_run_wrote_tests_a_look_at_them_says_so() {
    let lab = Lab::new(&[OTHER], &[]);
    let (said, ended) = lab.compared(&BUDGET);
    ended.unwrap();
    let nothing = "no tests of an earlier run in tests, so nothing was compared";
    assert!(said.contains(nothing), "{said}");
}
