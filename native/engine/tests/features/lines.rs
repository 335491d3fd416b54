//! Which tests the report names of a line of source, through real workers.

use crate::project_lab::Lab;
use std::collections::{BTreeMap, BTreeSet};

const SIGN: &str = "package demo;
public class Sign {
  public static int of(int number) {
    if (number > 0) {
      return 71;
    }
    return 72;
  }
  public static int twice(int number) {
    return number * 2;
  }
}
";
const BUDGET: (&str, &str) = ("budget", "300");

fn user(more: &str) -> String {
    format!(
        "package demo;
public class User {{
  public int sum(int number) {{ return Sign.twice(number) + 1; }}
  {more}
}}
"
    )
}

/// A lab with its sources beside it, and the option that names them.
fn put(lab: &Lab, user: &str) -> String {
    let folder = lab.at("src");
    std::fs::create_dir_all(folder.join("demo")).unwrap();
    std::fs::write(folder.join("demo/Sign.java"), SIGN).unwrap();
    std::fs::write(folder.join("demo/User.java"), user).unwrap();
    folder.display().to_string()
}

/// Tests by line, as the page of a class names them.
fn lines(lab: &Lab, class: &str) -> BTreeMap<usize, BTreeSet<String>> {
    let page = lab.at(&format!("report/classes/{class}.html"));
    let page = std::fs::read_to_string(page).unwrap();
    let (_, source) = page.split_once("<div class=\"source\">").unwrap();
    let (source, _) = source.split_once("</div>").unwrap();
    let rows = source.replace("<details", "\u{1}<details");
    let rows = rows.replace("<span", "\u{1}<span");
    let rows = rows.split('\u{1}').skip(1);
    let named = |row: &str| {
        let links = row.split("href=\"").skip(1);
        let targets = links.map(|link| link.split('"').next().unwrap().to_owned());
        targets.collect::<BTreeSet<String>>()
    };
    let named = (1..).zip(rows).map(|(line, row)| (line, named(row)));
    named.filter(|(_, tests)| !tests.is_empty()).collect()
}

/// Names of the tests of a text, each with a sign before it, whose own text has a part.
fn tests_with(text: &str, part: &str) -> BTreeSet<String> {
    let tests = text
        .split("@Test")
        .skip(1)
        .filter(|test| test.contains(part));
    let named = tests.map(|test| {
        let (_, name) = test.split_once("void ").unwrap();
        format!("#{}", name.split('(').next().unwrap())
    });
    named.collect()
}

#[test]
fn a_line_names_the_tests_that_reach_it_in_this_run_and_the_next() {
    let mut lab = Lab::new(
        &[("demo/Sign.java", SIGN), ("demo/User.java", &user(""))],
        &[],
    );
    let folder = put(&lab, &user(""));
    let options = [BUDGET, ("sourceDirectory", &*folder)];
    let said = lab.run(&options);
    let written = lab.written("demo");
    let [sign, users] = ["SignPalusTest.java", "UserPalusTest.java"].map(|name| &written[name]);
    let (one, other) = (tests_with(sign, "71"), tests_with(sign, "72"));
    assert!(!one.is_empty() && !other.is_empty(), "{sign}");
    let check = |lab: &Lab, said: &str| {
        let users = &lab.written("demo")["UserPalusTest.java"];
        let of_users = tests_with(users, ".sum(").into_iter();
        let of_users: BTreeSet<String> = of_users
            .map(|name| format!("demo.User.html{name}"))
            .collect();
        assert!(!of_users.is_empty(), "{users}");
        let found = lines(lab, "demo.Sign");
        assert_eq!(found[&5], one, "{said}");
        assert_eq!(found[&7], other, "{said}");
        assert_eq!(found[&4], &one | &other, "{said}");
        let twice = tests_with(sign, ".twice(");
        assert_eq!(found[&10], &twice | &of_users, "{said}");
        assert!(
            !found.contains_key(&6) && !found.contains_key(&1),
            "{found:?}"
        );
    };
    check(&lab, &said);
    assert_eq!(lines(&lab, "demo.User")[&3], tests_with(users, ".sum("));
    // A class that is not worked on again has its tests named as before.
    let more = user("public int none() { return 5; }");
    lab.edit(&[("demo/Sign.java", SIGN), ("demo/User.java", &more)]);
    put(&lab, &more);
    let said = lab.run(&[&options[..], &[("accept", "true")]].concat());
    assert!(
        said.contains("1 of 2 classes is as the last run left it"),
        "{said}"
    );
    let users = &lab.written("demo")["UserPalusTest.java"];
    assert!(!tests_with(users, ".none(").is_empty(), "{users}");
    check(&lab, &said);
    let found = lines(&lab, "demo.User");
    assert_eq!(found[&4], tests_with(users, ".none("));
}
