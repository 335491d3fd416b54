//! A file of tests in which some are replaced, and all others stay byte for byte.
//!
//! Comes in: a file as Palus wrote it, the tests of it that fail, and the file that a new run would write. Goes out: the text
//! with each failing test replaced by the new one that is most like it, about the same method, in its place; without it
//! where none is like it. Imports are those that the tests need.
//! Does not know: why a test fails, whether the text compiles.

use crate::write::earlier::{Earlier, body};
use crate::write::layout::{Block, Layout};
use std::collections::BTreeSet;
use strsim::sorensen_dice;

/// How much two tests must have in common (Sørensen and Dice, of pairs of letters) for one to stand in for the other.
const LIKE: f64 = 0.5;

/// The file as it is to be.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Renewed {
    /// Empty where no test is left.
    pub(crate) text: String,
    /// Tests that say what is so now, and else are what they were.
    pub(crate) revalued: u64,
    /// Tests that were replaced by others.
    pub(crate) replaced: u64,
    /// Tests that are gone, for no new one is like them.
    pub(crate) gone: u64,
}

impl Renewed {
    /// How many tests say what is so now, are replaced, are gone.
    pub(crate) fn became(&self) -> [u64; 3] {
        [self.revalued, self.replaced, self.gone]
    }
}

/// Replaces the failing tests of a file; none where it is not laid out as Palus lays files out.
pub(crate) fn renewed(
    file: &Earlier,
    failing: &BTreeSet<String>,
    new: Option<&Earlier>,
) -> Option<Renewed> {
    let mut layout = Layout::of(file)?;
    let new = new.and_then(Layout::of).unwrap_or_default();
    let is_failing = |test: &Block| failing.contains(&test.name);
    let kept = layout.tests.iter().filter(|test| !is_failing(test));
    let mut names: BTreeSet<String> = kept.clone().map(|test| test.name.clone()).collect();
    let bodies: BTreeSet<String> = kept.clone().map(|test| body(&test.text)).collect();
    let mut staying: Vec<String> = kept.map(|test| test.text.clone()).collect();
    let mut free: Vec<&Block> = new.tests.iter().collect();
    free.retain(|test| !bodies.contains(&body(&test.text)));
    let mut result = Renewed::default();
    let mut tests = Vec::new();
    for test in std::mem::take(&mut layout.tests) {
        if !is_failing(&test) {
            tests.push(test);
            continue;
        }
        let fits = |one: &Block| layout.may_hold(&staying, one, &new);
        let Some(at) = most_like(&test, &free, &fits) else {
            result.gone += 1;
            continue;
        };
        let block = free.remove(at).named_apart(&mut names);
        layout.import(&block, &new);
        staying.push(block.text.clone());
        tests.push(block);
        result.replaced += 1;
    }
    layout.tests = tests;
    if !layout.tests.is_empty() {
        layout.drop_unused();
        result.text = layout.text();
    }
    Some(result)
}

/// The place of the new test that is most like a failing one.
fn most_like(test: &Block, free: &[&Block], fits: &dyn Fn(&Block) -> bool) -> Option<usize> {
    let like = |one: &Block| {
        let is_same = one.name == test.name;
        f64::from(u8::from(is_same)) + sorensen_dice(&body(&one.text), &body(&test.text))
    };
    let candidates = free.iter().enumerate();
    let candidates = candidates.filter(|(_, one)| one.method() == test.method() && fits(one));
    let rated = candidates.map(|(at, one)| (like(one), at));
    // The first of those that are alike.
    let best = rated.fold(None, |best: Option<(f64, usize)>, (like, at)| match best {
        Some((most, _)) if most >= like => best,
        _ => Some((like, at)),
    });
    best.filter(|(like, _)| *like >= LIKE).map(|(_, at)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(imports: &[&str], tests: &[(&str, &str)]) -> Earlier {
        let imports = imports
            .iter()
            .fold(String::new(), |all, name| format!("{all}import {name};\n"));
        let of = |(name, code): &(&str, &str)| {
            format!(
                "  /**\n   * About {name}.\n   */\n  @Test\n  void {name}() {{\n    {code}\n  }}"
            )
        };
        let tests: Vec<String> = tests.iter().map(of).collect();
        let text = format!(
            "// Generated.\npackage demo;\n\nimport static a.Assert.assertEquals;\n\n{imports}\nclass RatesPalusTest {{\n{}\n}}\n",
            tests.join("\n\n")
        );
        Earlier::new("demo/RatesPalusTest.java", text)
    }

    fn failing(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|&name| name.to_owned()).collect()
    }

    const FEE: (&str, &str) = ("fee_isFive", "assertEquals(5, new Rates().fee());");
    const FEE_NOW: (&str, &str) = ("fee_isSix", "assertEquals(6, new Rates().fee());");
    const LIMIT: (&str, &str) = (
        "limit_ofOne_isTwo",
        "assertEquals(2, new Rates().limit(1));",
    );
    const NAMES: (&str, &str) = (
        "names_areNone",
        "assertEquals(List.of(), new Rates().names());",
    );

    #[test]
    fn a_failing_test_gives_its_place_to_the_one_most_like_it_and_all_else_stays() {
        let imports = ["java.util.List", "org.Test"];
        let old = file(&imports, &[FEE, LIMIT, NAMES]);
        let other = (
            "fee_ofAll_isNine",
            "for (;;) { new Rates().feeOfAllThatThereIs(9); }",
        );
        // In another order, with a test more of the class and one more of the method.
        let new = file(
            &imports,
            &[NAMES, other, ("more", "assertEquals(1, 1);"), FEE_NOW],
        );
        let now = renewed(&old, &failing(&["fee_isFive"]), Some(&new)).unwrap();
        assert_eq!((now.replaced, now.gone), (1, 0));
        assert_eq!(now.text, file(&imports, &[FEE_NOW, LIMIT, NAMES]).text);
        let none = renewed(&old, &failing(&[]), Some(&new)).unwrap();
        assert_eq!(none.text, old.text);
    }

    #[test]
    fn what_no_new_test_is_like_goes_with_the_imports_that_it_alone_needs() {
        let old = file(&["java.util.List", "org.Test"], &[FEE, NAMES]);
        let now = renewed(&old, &failing(&["names_areNone"]), None).unwrap();
        assert_eq!((now.replaced, now.gone), (0, 1));
        assert_eq!(now.text, file(&["org.Test"], &[FEE]).text);
        let all = failing(&["names_areNone", "fee_isFive"]);
        let now = renewed(&old, &all, None).unwrap();
        assert_eq!((now.text.as_str(), now.gone), ("", 2));
    }

    #[test]
    fn a_new_test_has_another_name_where_a_test_that_stays_has_its_own() {
        let old = file(
            &["org.Test"],
            &[FEE, ("fee_isSix", "assertEquals(6, new Rates(2).fee());")],
        );
        let new = file(&["org.Test"], &[FEE_NOW]);
        let now = renewed(&old, &failing(&["fee_isFive"]), Some(&new)).unwrap();
        assert!(
            now.text
                .contains("void fee_isSix_2() {\n    assertEquals(6, new Rates().fee());"),
            "{}",
            now.text
        );
        assert!(
            now.text
                .contains("void fee_isSix() {\n    assertEquals(6, new Rates(2).fee());"),
            "{}",
            now.text
        );
    }

    #[test]
    fn no_test_comes_to_mean_another_class_by_an_import() {
        let date = ("day_isOne", "assertEquals(new Date(1), new Rates().day());");
        let later = ("day_isTwo", "assertEquals(new Date(2), new Rates().day());");
        let stays = (
            "year_isOne",
            "assertEquals(1, new Rates().year(new Date(1)));",
        );
        let new = file(&["java.sql.Date", "org.Test"], &[later]);
        // By another import, and as a class of the package.
        for imports in [&["java.util.Date", "org.Test"][..], &["org.Test"]] {
            let old = file(imports, &[date, stays]);
            let now = renewed(&old, &failing(&["day_isOne"]), Some(&new)).unwrap();
            assert_eq!((now.replaced, now.gone), (0, 1), "{}", now.text);
        }
        let old = file(&["org.Test"], &[date, FEE]);
        let now = renewed(&old, &failing(&["day_isOne"]), Some(&new)).unwrap();
        assert_eq!(
            now.text,
            file(&["java.sql.Date", "org.Test"], &[later, FEE]).text
        );
    }

    #[test]
    fn a_test_brings_the_field_that_it_needs_and_takes_it_with_it() {
        let filed = ("fee_isSix", "assertEquals(6, new Rates(folder).fee());");
        let with_field = |imports: &[&str], tests: &[(&str, &str)]| {
            let text = file(imports, tests).text;
            let class = "class RatesPalusTest {\n";
            let field = format!("{class}  @TempDir Path folder;\n\n");
            Earlier::new("demo/RatesPalusTest.java", text.replace(class, &field))
        };
        let imports = ["java.nio.file.Path", "org.TempDir", "org.Test"];
        let new = with_field(&imports, &[filed]);
        let old = file(&["org.Test"], &[FEE, LIMIT]);
        let now = renewed(&old, &failing(&["fee_isFive"]), Some(&new)).unwrap();
        assert_eq!(now.text, with_field(&imports, &[filed, LIMIT]).text);
        let old = Earlier::new(&old.path, now.text);
        let now = renewed(&old, &failing(&["fee_isSix"]), None).unwrap();
        assert_eq!(now.text, file(&["org.Test"], &[LIMIT]).text);
        // Another class of the name of the field's.
        let stays = (
            "path_isOne",
            "assertEquals(1, new Rates().path(new Path(1)));",
        );
        let old = file(&["org.Test"], &[FEE, stays]);
        let now = renewed(&old, &failing(&["fee_isFive"]), Some(&new)).unwrap();
        assert_eq!((now.replaced, now.gone), (0, 1), "{}", now.text);
    }

    #[test]
    fn what_is_laid_out_by_another_hand_is_left_alone() {
        let old = file(&["org.Test"], &[FEE]);
        let other = Earlier::new(&old.path, old.text.replace("  @Test", "\t@Test"));
        assert!(renewed(&other, &failing(&["fee_isFive"]), None).is_some());
        let other = Earlier::new(&old.path, old.text.replace("}\n}", "}\n\n  int own;\n}"));
        assert_eq!(renewed(&other, &failing(&["fee_isFive"]), None), None);
    }
}
