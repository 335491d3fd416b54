//! Each test stands in the file of the class that it is about, and what is written for a class is no matter of the others.

use crate::project_lab::Lab;
use std::collections::BTreeMap;

const FROM_NOTHING: [(&str, &str); 2] = [("budget", "400"), ("incremental", "false")];

/// The only one that can make what `Scale` weighs.
const CRATE: (&str, &str) = (
    "demo/Crate.java",
    "package demo; public class Crate {
      private static class Secret extends Load { Secret(int weight) { super(weight); } }
      public int weighed(int weight) { return Scale.of(new Secret(weight)); }
    }",
);
const LOAD: (&str, &str) = (
    "demo/Load.java",
    "package demo; public class Load {
      final int weight;
      public Load(int weight) { this.weight = weight; }
      public int doubled() { return weight > 10 ? 20 : weight * 2; }
    }",
);
const SCALE: (&str, &str) = (
    "demo/Scale.java",
    "package demo; public class Scale {
      public static int of(Load load) {
        if (load.getClass() == Load.class) return 0;
        return load.weight > 9 ? 3 : load.weight > 0 ? 2 : 1;
      }
    }",
);
/// It comes nearer to more branches than it has steps for.
const LOCK: (&str, &str) = (
    "demo/Lock.java",
    "package demo; public class Lock {
      public int open(int a, int b, long c, int d) {
        if (a * 31 + b == 77123) { if (c - a == 918273645L) { if (d * 7 == b + 700001) return 3; return 2; } return 1; }
        return b * 13 == a + 5000011 ? 4 : 0;
      }
    }",
);
const SHOP: &str = "package demo; public class Shop {
  public int price(int count) { return count * 3; }
}";

fn sources(shop: &str) -> [(&str, &str); 5] {
    [CRATE, LOAD, SCALE, LOCK, ("demo/Shop.java", shop)]
}

fn steps(lab: &Lab, class: &str) -> u64 {
    let text = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let classes = report["classes"].as_array().unwrap();
    let class = classes.iter().find(|one| one["name"] == class).unwrap();
    class["steps"].as_u64().unwrap()
}

/// Names of tests by what they do.
fn names(file: &str) -> BTreeMap<String, String> {
    let tests = file.split("  @Test\n").skip(1);
    let test = |text: &str| {
        let (head, rest) = text
            .split_once("() {\n")
            .or_else(|| text.split_once("() throws "))?;
        let (body, _) = rest.split_once("\n  }\n")?;
        let name = head.rsplit(' ').next()?;
        Some((body.to_owned(), name.to_owned()))
    };
    tests.map(|text| test(text).unwrap()).collect()
}

#[test]
fn a_method_more_changes_the_file_of_its_class_alone_where_nothing_is_known_of_the_last_run() {
    let mut lab = Lab::new(&sources(SHOP), &[]);
    lab.run(&FROM_NOTHING);
    let before = lab.written("demo");
    assert_eq!(before.len(), 5, "{before:?}");
    let lock = steps(&lab, "demo.Lock");
    assert!(lock > 600, "it went on: {lock}");
    // It covers what tests of the crate are there for, and leaves fewer of its own steps.
    let more = "public int price(int count) { return count * 3; }
      public int ship(int a, int b) {
        if (a * 17 + b == 99991) return 1;
        if (a - b * 3 == 1234577) return 2;
        return new Crate().weighed(a) + new Crate().weighed(-5) + new Crate().weighed(5) + new Crate().weighed(50);
      }";
    let more = SHOP.replace("public int price(int count) { return count * 3; }", more);
    lab.edit(&sources(&more));
    let said = lab.run(&FROM_NOTHING);
    let after = lab.written("demo");
    let files = after
        .iter()
        .filter(|(name, text)| before.get(*name) != Some(text));
    let files: Vec<&str> = files.map(|(name, _)| name.as_str()).collect();
    assert_eq!(files, ["ShopPalusTest.java"], "{said}");
    assert_eq!(steps(&lab, "demo.Lock"), lock);
}

#[test]
fn a_test_stands_in_the_file_of_the_class_that_it_is_about() {
    let lab = Lab::new(&sources(SHOP), &[]);
    let chosen = ["demo.Scale", "demo.Crate"].map(|class| ("classes", class));
    let said = lab.run(&[&chosen[..], &FROM_NOTHING].concat());
    let files = lab.written("demo");
    let texts: Vec<String> = files
        .values()
        .flat_map(|text| names(text).into_values())
        .collect();
    assert!(!texts.is_empty(), "{said}");
    for (file, text) in &files {
        let methods: &[&str] = match file.as_str() {
            "CratePalusTest.java" => &["newCrate", "weighed"],
            _ => &["newScale", "of"],
        };
        for name in names(text).values() {
            let method = name.split('_').next().unwrap();
            assert!(methods.contains(&method), "{name} in {file}: {text}");
        }
    }
    // What only a crate comes to is covered there.
    let crates = &files["CratePalusTest.java"];
    assert!(
        crates.contains("assertEquals(2,") && crates.contains("assertEquals(3,"),
        "{crates}"
    );
}

#[test]
fn a_test_that_stays_keeps_its_name_where_a_method_is_added_before_its_own() {
    let rates = |more: &str| {
        format!(
            "package demo; public class Rates {{ {more}
               public static int fee(int amount) {{ return amount > 100 ? 9 : 5; }}
             }}"
        )
    };
    let (before, after) = (
        rates(""),
        rates("public static int fee(long amount) { return amount > 100 ? 9 : 5; }"),
    );
    let mut lab = Lab::new(&[("demo/Rates.java", &before)], &[]);
    lab.run(&[("budget", "400")]);
    let old = names(&lab.written("demo")["RatesPalusTest.java"]);
    lab.edit(&[("demo/Rates.java", &after)]);
    lab.run(&[("budget", "400")]);
    let kept = names(&lab.written("demo")["RatesPalusTest.java"]);
    lab.run(&FROM_NOTHING);
    let anew = names(&lab.written("demo")["RatesPalusTest.java"]);
    let staying: Vec<&String> = old.keys().filter(|body| kept.contains_key(*body)).collect();
    assert!(!staying.is_empty(), "{old:?} {kept:?}");
    for body in &staying {
        assert_eq!(old[*body], kept[*body], "{body}");
    }
    // Or else the example shows nothing.
    let is_renamed = |body: &&&String| anew.get(**body).is_some_and(|name| *name != old[**body]);
    assert!(
        staying.iter().any(|body| is_renamed(&body)),
        "{old:?} {anew:?}"
    );
}
