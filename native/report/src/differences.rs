//! Behaviour that differs between two revisions: as data, as text for a pull request, and as SARIF.
//!
//! Comes in: [`Differences`]. Goes out: the texts of `differences.json`, `differences.md` and `differences.sarif`.
//! Does not know: how a difference was found.

use crate::data::{SourcePlace, named};
use crate::sarif;
use serde::Serialize;
use std::fmt::Write as _;

/// Version of `differences.json`; raised when a field changes its meaning or goes.
const SCHEMA_VERSION: u32 = 1;

/// Rule of the results.
const RULE: &str = "BEHAVIOUR_DIFFERENCE";

/// Tests that the text for a pull request shows whole; the file with all is named there.
const SHOWN: usize = 30;

/// On which side a test passes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PassesOn {
    /// The revision that is compared with.
    #[default]
    Base,
    /// The code as it is.
    Now,
}

/// What one test shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// Class that the test is for, in source form.
    pub class: String,
    /// Method that it is about, without parameters; a constructor has the name of its class.
    pub method: String,
    /// What is so in the base revision.
    pub before: String,
    /// What is so now.
    pub now: String,
    /// The line that tells the two apart.
    pub line: String,
    /// Side on which the test passes; on the other it fails.
    pub passes_on: PassesOn,
    /// The test's text.
    pub test: String,
    /// Where the class is.
    pub place: SourcePlace,
}

/// All that differs between two revisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// Name of the project or module.
    pub project: String,
    /// The base revision, as the user named it.
    pub since: String,
    /// Which state of it that is, in a sentence, where its name does not say it; else empty.
    pub compared_with: String,
    /// Classes that differ, in source form.
    pub changed: Vec<String>,
    /// Classes of other modules and of libraries that differ and are used.
    pub changed_elsewhere: Vec<String>,
    /// Classes that use one of these.
    pub users: Vec<String>,
    /// Files on the class path that differ and are no class files, by their paths there.
    pub resources: Vec<String>,
    /// What the kernel held around the code that ran, as in `report.json`; empty where none ran.
    pub sandbox: &'static str,
    /// Whether not all was looked at, for want of time or since a class could not be worked on.
    pub is_cut: bool,
    /// By class and method.
    pub differences: Vec<Difference>,
}

impl Differences {
    /// The text of `differences.json`.
    ///
    /// # Panics
    /// Never: the data has no maps with other keys than strings.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct File<'a> {
            schema_version: u32,
            #[serde(flatten)]
            differences: &'a Differences,
        }
        let file = File {
            schema_version: SCHEMA_VERSION,
            differences: self,
        };
        serde_json::to_string_pretty(&file).expect("plain data can be written as JSON")
    }

    /// The text of `differences.md`, to be posted where a change is reviewed.
    pub fn markdown(&self) -> String {
        let mut text = format!("## Behaviour of {} since {}\n\n", self.project, self.since);
        if !self.compared_with.is_empty() {
            let _ = writeln!(text, "{}.\n", html(&capital(&self.compared_with)));
        }
        let classes = count(self.changed.len(), "class differs", "classes differ");
        let users = count(self.users.len(), "class uses", "classes use");
        let elsewhere = match self.changed_elsewhere.len() {
            0 => String::new(),
            number => format!(" {number} in other modules or libraries,"),
        };
        let _ = writeln!(text, "{classes},{elsewhere} {users} them.\n");
        if !self.resources.is_empty() {
            let told = resources_differ(self.resources.iter().map(String::as_str));
            let _ = writeln!(text, "{}.\n", html(&told));
        }
        if self.is_cut {
            text.push_str(
                "Not all that changed was looked at, so there may be more differences; raise `timeLimit`.\n\n",
            );
        }
        if self.differences.is_empty() {
            text.push_str(
                "No test tells the two revisions apart, which is no proof that they do the same.\n",
            );
            return text;
        }
        text.push_str("| method | before | now |\n|---|---|---|\n");
        for one in &self.differences {
            let class = one.class.rsplit('.').next().unwrap_or(&one.class);
            let name = cell(&named(class, &one.method));
            let _ = writeln!(
                text,
                "| {name} | {} | {} |",
                cell(&one.before),
                cell(&one.now)
            );
        }
        for one in self.differences.iter().take(SHOWN) {
            let _ = write!(
                text,
                "\n<details><summary><code>{}#{}</code></summary>\n\n{}\n\n{}\n</details>\n",
                html(&one.class),
                html(&one.method),
                match one.passes_on {
                    PassesOn::Base => "Passed before, fails now:",
                    PassesOn::Now => "Passes now, failed before:",
                },
                block(&one.test)
            );
        }
        let more = self.differences.len().saturating_sub(SHOWN);
        if more > 0 {
            let tests = count(more, "more test is", "more tests are");
            let _ = writeln!(text, "\n{tests} in `differences.json`.");
        }
        text
    }

    /// The text of `differences.sarif`.
    pub fn sarif(&self) -> String {
        let results = self.differences.iter().map(|one| {
            let text = format!(
                "{}#{}: before {}, now {}: {}",
                one.class, one.method, one.before, one.now, one.line
            );
            let id = format!(
                "{RULE} {}#{} {} {}",
                one.class, one.method, one.before, one.now
            );
            sarif::change(RULE, &text, &one.place, &id)
        });
        let rule = "A test passes in one revision and fails in the other".to_owned();
        sarif::log(
            env!("CARGO_PKG_VERSION"),
            [(RULE, rule)].into_iter().collect(),
            results.collect(),
        )
    }
}

/// `2 resources differ, which no class is compared for: rates.txt, words.txt`
pub fn resources_differ<'a>(paths: impl IntoIterator<Item = &'a str>) -> String {
    const SHOWN: usize = 3;
    let paths: Vec<&str> = paths.into_iter().collect();
    let all = paths.len();
    let counted = count(all, "resource differs", "resources differ");
    let shown = paths[..all.min(SHOWN)].join(", ");
    let more = match all.saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{counted}, which no class is compared for: {shown}{more}")
}

/// The same sentence, as it begins.
fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + rest.as_str()
}

/// `1 class differs`, `2 classes differ`
fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A text as code in a cell of a table: what Markdown would read otherwise is written as HTML.
fn cell(text: &str) -> String {
    let line = text.replace(['\n', '\r'], " ");
    format!("<code>{}</code>", html(&line).replace('|', "&#124;"))
}

fn html(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('`', "&#96;")
}

/// A block of Java, between more backticks than stand in it.
fn block(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}java\n{text}\n{fence}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sarif::tests::assert_keeps_to_the_schema;

    fn differences() -> Differences {
        Differences {
            project: "shop".to_owned(),
            since: "main".to_owned(),
            changed: vec!["demo.Rates".to_owned()],
            sandbox: "FULL",
            differences: vec![Difference {
                class: "demo.Rates".to_owned(),
                method: "fee".to_owned(),
                before: "a|b".to_owned(),
                now: "<6>".to_owned(),
                test: "@Test void fee() { f(\"```\"); }".to_owned(),
                ..Difference::default()
            }],
            ..Differences::default()
        }
    }

    #[test]
    fn the_text_for_a_review_has_a_row_and_a_test_for_each() {
        expect_test::expect![[r#"
            ## Behaviour of shop since main

            1 class differs, 0 classes use them.

            | method | before | now |
            |---|---|---|
            | <code>Rates#fee</code> | <code>a&#124;b</code> | <code>&lt;6&gt;</code> |

            <details><summary><code>demo.Rates#fee</code></summary>

            Passed before, fails now:

            ````java
            @Test void fee() { f("```"); }
            ````
            </details>
        "#]]
        .assert_eq(&differences().markdown());
    }

    #[test]
    fn classes_elsewhere_and_resources_that_differ_are_told() {
        let more = Differences {
            changed_elsewhere: vec!["lib.Ledger".to_owned()],
            resources: ["a.txt", "b<c>.txt", "d.txt", "e.txt"]
                .map(str::to_owned)
                .into(),
            differences: Vec::new(),
            ..differences()
        };
        expect_test::expect![[r"
            ## Behaviour of shop since main

            1 class differs, 1 in other modules or libraries, 0 classes use them.

            4 resources differ, which no class is compared for: a.txt, b&lt;c&gt;.txt, d.txt and 1 more.

            No test tells the two revisions apart, which is no proof that they do the same.
        "]]
        .assert_eq(&more.markdown());
        let json: serde_json::Value = serde_json::from_str(&more.json()).unwrap();
        assert_eq!(json["changed_elsewhere"][0], "lib.Ledger");
        assert_eq!(json["resources"][1], "b<c>.txt");
    }

    #[test]
    fn the_text_says_which_state_of_a_branch_is_compared_with() {
        let earlier = Differences {
            compared_with: "compared with main as it was at 1a2b3c4d, where <it> ended".to_owned(),
            ..differences()
        };
        let text = earlier.markdown();
        let said = "## Behaviour of shop since main\n\n\
                    Compared with main as it was at 1a2b3c4d, where &lt;it&gt; ended.\n\n1 class";
        assert!(text.starts_with(said), "{text}");
        let json: serde_json::Value = serde_json::from_str(&earlier.json()).unwrap();
        assert_eq!(json["compared_with"], earlier.compared_with);
    }

    #[test]
    fn where_nothing_differs_the_text_says_so() {
        let none = Differences {
            differences: Vec::new(),
            ..differences()
        };
        let text = none.markdown();
        assert!(
            text.ends_with(
                "No test tells the two revisions apart, which is no proof that they do the same.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn where_not_all_was_looked_at_each_form_says_so() {
        let cut = Differences {
            is_cut: true,
            ..differences()
        };
        let said = "Not all that changed was looked at, so there may be more differences";
        assert!(cut.markdown().contains(said));
        assert!(!differences().markdown().contains(said));
        let json: serde_json::Value = serde_json::from_str(&cut.json()).unwrap();
        assert_eq!(json["is_cut"], true);
    }

    #[test]
    fn the_sarif_keeps_to_the_schema_with_and_without_results_and_places() {
        let none = Differences::default();
        let mut placed = differences();
        placed.differences[0].place = SourcePlace {
            file: "src/main/java/demo/Kontö Rates.java".to_owned(),
            line: 0,
        };
        for one in [none, differences(), placed] {
            assert_keeps_to_the_schema(&one.sarif());
        }
    }

    #[test]
    fn the_json_has_a_version_and_the_sarif_a_result_for_each() {
        let json: serde_json::Value = serde_json::from_str(&differences().json()).unwrap();
        assert_eq!(json["schema_version"], 1);
        assert_eq!(json["sandbox"], "FULL");
        assert_eq!(json["differences"][0]["passes_on"], "base");
        let sarif: serde_json::Value = serde_json::from_str(&differences().sarif()).unwrap();
        let result = &sarif["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], RULE);
        assert_eq!(result["level"], "warning");
    }
}
