//! Places of code, by which tests are chosen that reach them.
//!
//! Comes in: `shop.Rates`, `shop.Rates#fee`, `shop.Rates:12`, `shop.Rates:12-20`, with commas between them. Goes out:
//! whether a test that reaches some code reaches one of these.
//! Does not know: which code a test reaches (see `run/reach.rs`).

use super::values::{Allowed, Glob, Values};
use crate::subject::glob::matches;
use palus_report::ReachedCode;
use std::collections::BTreeMap;

/// What a test is to reach: any of these places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covers(Vec<Place>);

/// Classes by a pattern, as a whole or in part.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Place {
    classes: String,
    part: Part,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    All,
    /// Methods of this name; constructors have that of their class.
    Method(String),
    /// Lines of source, from the first to the last.
    Lines(u32, u32),
}

/// All code.
const ALL: &str = "**";

impl Covers {
    /// True if no test reaches anything else.
    pub(crate) fn is_all(&self) -> bool {
        let is_all = |place: &Place| place.classes == ALL && place.part == Part::All;
        self.0.iter().any(is_all)
    }

    /// Whether one of the places is in what a test reaches, by class in source form.
    pub(crate) fn is_reached(&self, code: &BTreeMap<String, ReachedCode>) -> bool {
        let reaches = |place: &Place| {
            let mut of_place = code
                .iter()
                .filter(|(class, _)| matches(&place.classes, class));
            of_place.any(|(_, code)| match &place.part {
                Part::All => true,
                Part::Method(name) => code.methods.contains(name),
                Part::Lines(first, last) => {
                    code.lines().any(|line| (*first..=*last).contains(&line))
                }
            })
        };
        self.0.iter().any(reaches)
    }
}

impl std::fmt::Display for Covers {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, place) in self.0.iter().enumerate() {
            if at > 0 {
                formatter.write_str(", ")?;
            }
            formatter.write_str(&place.classes)?;
            match &place.part {
                Part::All => {}
                Part::Method(name) => write!(formatter, "#{name}")?,
                Part::Lines(first, last) if first == last => write!(formatter, ":{first}")?,
                Part::Lines(first, last) => write!(formatter, ":{first}-{last}")?,
            }
        }
        Ok(())
    }
}

/// How they are read.
pub(super) struct Places;

impl Allowed for Places {
    fn allowed(&self) -> String {
        "classes, methods or lines such as `shop.Rates`, `shop.Rates#fee` or `shop.Rates:12-20`, \
         with commas between them"
            .to_owned()
    }
}

impl Values<Covers> for Places {
    fn value(&self, text: &str) -> Option<Covers> {
        let places: Option<Vec<Place>> = text.split(',').map(place).collect();
        places.map(Covers)
    }
}

fn place(text: &str) -> Option<Place> {
    let text = text.trim();
    let (classes, part) = if let Some((classes, name)) = text.split_once('#') {
        (classes, Part::Method(method(name)?))
    } else if let Some((classes, lines)) = text.split_once(':') {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        if first == 0 || last < first {
            return None;
        }
        (classes, Part::Lines(first, last))
    } else {
        (text, Part::All)
    };
    let classes = Glob.value(classes)?;
    Some(Place { classes, part })
}

/// A name; parameters behind it would choose nothing, so they are not taken.
fn method(name: &str) -> Option<String> {
    let name = name.trim();
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    (!name.is_empty() && name.chars().all(is_name)).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(class: &str, lines: &str, methods: &[&str]) -> BTreeMap<String, ReachedCode> {
        let code = ReachedCode {
            lines: lines.to_owned(),
            methods: methods.iter().map(|&name| name.to_owned()).collect(),
        };
        BTreeMap::from([(class.to_owned(), code)])
    }

    #[test]
    fn a_test_reaches_a_place_by_class_method_or_line() {
        let reached = code("shop.Rates", "3-7,12", &["Rates", "fee"]);
        let is = |text: &str| Places.value(text).unwrap().is_reached(&reached);
        for place in [
            "**",
            "shop.Rates",
            "shop.*",
            "shop.Rates#fee",
            "shop.Rates#Rates",
            "shop.Rates:5",
            "shop.Rates:8-12",
            "shop.Other, shop.Rates:12",
        ] {
            assert!(is(place), "{place}");
        }
        for place in [
            "shop.Other",
            "shop.Rates#limit",
            "shop.Rates:8-11",
            "shop.Rates:13",
            "shop.Other#fee",
        ] {
            assert!(!is(place), "{place}");
        }
    }

    /// A nested class stands in the file of the outermost one.
    #[test]
    fn lines_and_methods_of_nested_classes_count_as_those_of_their_file() {
        let reached = code("shop.Rates$Row", "30", &["sum"]);
        let is = |text: &str| Places.value(text).unwrap().is_reached(&reached);
        assert!(is("shop.Rates:30") && is("shop.Rates#sum") && is("shop.Rates$Row"));
        assert!(!is("shop.Rates:31") && !is("shop.Rates$Other"));
    }

    #[test]
    fn what_names_no_place_is_refused_and_what_does_is_said_as_it_was_given() {
        for text in [
            "",
            "shop.Rates#",
            "#fee",
            "shop.Rates#fee(int)",
            "shop.Rates:",
            "shop.Rates:0",
            "shop.Rates:9-3",
            "shop.Rates:x",
            "shop.Rates,,",
            "shop/Rates",
        ] {
            assert_eq!(Places.value(text), None, "{text}");
        }
        let text = "shop.Rates#fee, shop.Rates:3, **:4-5";
        assert_eq!(Places.value(text).unwrap().to_string(), text);
        assert!(Places.value("shop.A, **").unwrap().is_all());
        assert!(!Places.value("**:3").unwrap().is_all());
    }
}
