//! Which methods depend on which others, as a table whose cells are the darker the more.
//!
//! Comes in: methods with their weighted dependences. Goes out: rows, columns and cells for the page.
//! Does not know: how a weight is computed.

use crate::explanation::{MethodReport, simple_name};
use std::collections::{BTreeMap, BTreeSet};

/// Rows and columns at most.
const MAXIMUM: usize = 30;

/// Longer headings are cut; their long form is shown by pointing.
const LONGEST: usize = 28;

/// A table of weights.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatMap {
    /// The methods depended on.
    pub columns: Vec<Heading>,
    /// The methods that depend.
    pub rows: Vec<(Heading, Vec<HeatCell>)>,
    /// What is not shown; empty if all is.
    pub note: String,
}

/// A method as a row or a column names it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heading {
    /// Short form.
    pub text: String,
    /// Long form.
    pub title: String,
}

/// A weight.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HeatCell {
    /// Between 0 and 1.
    pub weight: f64,
    /// `.33`; a dot for very little, empty for nothing.
    pub text: String,
    /// How dark it is, between 0 and 1; the square root, so that small weights can be told apart.
    pub shade: String,
}

/// The table of a class: the strongest pairs decide which rows and columns are shown.
pub fn heat_map(class: &str, methods: &[(String, MethodReport)]) -> HeatMap {
    let mut pairs: Vec<(f64, usize, &str)> = Vec::new();
    for (row, (_, method)) in methods.iter().enumerate() {
        pairs.extend(
            method
                .dependences
                .iter()
                .map(|(on, weight)| (*weight, row, on.as_str())),
        );
    }
    pairs.sort_by(|left, right| {
        right
            .0
            .total_cmp(&left.0)
            .then_with(|| (left.1, left.2).cmp(&(right.1, right.2)))
    });
    let (mut rows, mut columns) = (BTreeSet::new(), BTreeSet::new());
    let (mut all_rows, mut all_columns) = (BTreeSet::new(), BTreeSet::new());
    for &(_, row, column) in &pairs {
        all_rows.insert(row);
        all_columns.insert(column);
        let fits_row = rows.contains(&row) || rows.len() < MAXIMUM;
        let fits_column = columns.contains(column) || columns.len() < MAXIMUM;
        if fits_row && fits_column {
            rows.insert(row);
            columns.insert(column);
        }
    }
    let mut note = String::new();
    if rows.len() < all_rows.len() || columns.len() < all_columns.len() {
        note = format!(
            "the strongest {} of {} rows and {} of {} columns are shown",
            rows.len(),
            all_rows.len(),
            columns.len(),
            all_columns.len()
        );
    }
    HeatMap {
        rows: rows
            .iter()
            .map(|&row| {
                let (owner, method) = &methods[row];
                let weights: BTreeMap<&str, f64> = method
                    .dependences
                    .iter()
                    .map(|(on, weight)| (on.as_str(), *weight))
                    .collect();
                let cells = columns
                    .iter()
                    .map(|column| cell(weights.get(column).copied().unwrap_or(0.0)))
                    .collect();
                (heading(class, &format!("{owner}#{}", method.method)), cells)
            })
            .collect(),
        columns: columns
            .into_iter()
            .map(|column| heading(class, column))
            .collect(),
        note,
    }
}

fn cell(weight: f64) -> HeatCell {
    let text = if weight >= 0.995 {
        "1".to_owned()
    } else if weight >= 0.005 {
        format!("{weight:.2}").trim_start_matches('0').to_owned()
    } else if weight > 0.0 {
        "·".to_owned()
    } else {
        String::new()
    };
    HeatCell {
        weight,
        text,
        shade: format!("{:.2}", weight.sqrt()),
    }
}

/// `add(int)` for the class itself, `City.add(int)` for others.
fn heading(class: &str, method: &str) -> Heading {
    let (owner, name) = method.split_once('#').unwrap_or(("", method));
    let parameters = name.find('(').map_or("", |place| &name[place..]);
    let short = match parameters {
        "()" | "" => name.to_owned(),
        long if long.chars().count() > 18 => {
            format!("{}(…)", &name[..name.len() - long.len()])
        }
        _ => name.to_owned(),
    };
    let text = if owner == class {
        short
    } else {
        format!("{}.{short}", simple_name(owner))
    };
    Heading {
        text: if text.chars().count() > LONGEST {
            let cut: String = text.chars().take(LONGEST - 1).collect();
            format!("{cut}…")
        } else {
            text
        },
        title: format!("{owner}.{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn method(name: &str, dependences: &[(&str, f64)]) -> (String, MethodReport) {
        let report = MethodReport {
            method: name.into(),
            dependences: dependences
                .iter()
                .map(|&(on, weight)| (on.to_owned(), weight))
                .collect(),
            ..MethodReport::default()
        };
        ("p.Gate".to_owned(), report)
    }

    #[test]
    fn rows_depend_on_columns() {
        let methods = [
            method("open()", &[]),
            method(
                "enter(int)",
                &[("p.Gate#reset()", 0.75), ("p.Lock#turn()", 0.25)],
            ),
        ];
        let map = heat_map("p.Gate", &methods);
        let columns: Vec<&str> = map
            .columns
            .iter()
            .map(|column| column.text.as_str())
            .collect();
        assert_eq!(columns, ["reset()", "Lock.turn()"]);
        assert_eq!(
            map.rows.len(),
            1,
            "a method that depends on nothing has no row"
        );
        assert_eq!(map.rows[0].0.title, "p.Gate.enter(int)");
        let texts: Vec<&str> = map.rows[0]
            .1
            .iter()
            .map(|cell| cell.text.as_str())
            .collect();
        assert_eq!(texts, [".75", ".25"]);
        assert_eq!(map.note, "");
    }

    #[test]
    fn a_cell_tells_very_little_from_nothing() {
        let texts = [0.0, 0.001, 0.007, 0.5, 0.999].map(|weight| cell(weight).text);
        assert_eq!(texts, ["", "·", ".01", ".50", "1"]);
    }

    #[test]
    fn a_long_heading_is_cut_and_its_title_is_whole() {
        let heading = heading("p.Gate", "p.TransformerUtilities#cloneTransformer()");
        assert_eq!(heading.text, "TransformerUtilities.cloneT…");
        assert_eq!(heading.title, "p.TransformerUtilities.cloneTransformer()");
    }

    #[test]
    fn of_a_big_class_the_strongest_thirty_are_shown() {
        let methods: Vec<_> = (0..100)
            .map(|number| {
                let on = format!("p.Gate#set{number}()");
                method(
                    &format!("get{number}()"),
                    &[(&on, f64::from(number + 1) / 100.0)],
                )
            })
            .collect();
        let map = heat_map("p.Gate", &methods);
        assert_eq!((map.rows.len(), map.columns.len()), (30, 30));
        assert!(map.rows.iter().any(|(row, _)| row.text == "get99()"));
        assert_eq!(
            map.note,
            "the strongest 30 of 100 rows and 30 of 100 columns are shown"
        );
    }
}
