//! The plot of a study that compares modes: an SVG of bars, one panel per subject and one for the mean over subjects.
//!
//! Comes in: rows by subject. Goes out: SVG text that needs no style sheet and no script. Left line coverage, right branch
//! coverage; a bar is the mean over seeds, its whisker one standard deviation to either side, the number the mean.
//! Does not know: files, how rows were measured.
//!
//! Written here, since `plotters` draws one chart with its axes, and of this picture that is the least part: panels,
//! bars with whiskers and numbers beside them would be placed by hand there, too.

use crate::figures::{Kind, Spread};
use crate::mode::Mode;
use crate::table::Page;
use std::fmt::Write as _;

const WIDTH: f64 = 1040.0;
const MARGIN: f64 = 20.0;
/// Room for the modes' names.
const NAMES: f64 = 110.0;
/// Width of 100 %.
const CHART: f64 = 380.0;
/// From the left end of the left charts to that of the right ones.
const APART: f64 = 480.0;
const TOP: f64 = 92.0;
const TITLE: f64 = 26.0;
const BAR: f64 = 18.0;
const GAP: f64 = 22.0;
/// The whole picture.
pub fn plot(page: Page<'_>) -> String {
    let measured = page.measured;
    let modes = page.modes();
    let names: Vec<&str> = modes.iter().map(|mode| mode.name).collect();
    let panel = TITLE + BAR * modes.len() as f64 + GAP;
    let height = TOP + panel * (measured.len() + 1) as f64 + MARGIN;
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#ffffff\"/>"
    );
    let title = page.asked.title;
    text(&mut svg, (MARGIN, 30.0), "font-size=\"18\"", title);
    let explained = "bar and number: mean over seeds; whisker: one standard deviation";
    text(&mut svg, (MARGIN, 50.0), "fill=\"#555555\"", explained);
    for (place, kind) in [Kind::Line, Kind::Branch].into_iter().enumerate() {
        let left = MARGIN + NAMES + APART * place as f64;
        text(&mut svg, (left, 78.0), "font-weight=\"bold\"", kind.title());
    }
    let mut top = TOP;
    for subject in measured {
        let title = format!("{}, {}", subject.subject, subject.bound);
        let spread = |mode: &str, kind| subject.spread(mode, kind);
        draw_panel(&mut svg, top, &title, &modes, &spread);
        top += panel;
    }
    let mean = |mode: &str, kind| {
        let mean = page.mean_over_subjects(mode, &names, kind)?;
        // The spread between subjects is no spread of the measurement.
        let deviation = None;
        Some(Spread { deviation, ..mean })
    };
    let first = names.first().and_then(|mode| mean(mode, Kind::Line));
    let title = format!(
        "mean of {} of {} subjects",
        first.map_or(0, |mean| mean.n),
        measured.len()
    );
    draw_panel(&mut svg, top, &title, &modes, &mean);
    svg.push_str("</svg>\n");
    svg
}

fn draw_panel(
    svg: &mut String,
    top: f64,
    title: &str,
    modes: &[&Mode],
    spread: &dyn Fn(&str, Kind) -> Option<Spread>,
) {
    text(svg, (MARGIN, top + 14.0), "font-weight=\"bold\"", title);
    let bottom = top + TITLE + BAR * modes.len() as f64;
    for (place, kind) in [Kind::Line, Kind::Branch].into_iter().enumerate() {
        let left = MARGIN + NAMES + APART * place as f64;
        for percent in [0, 20, 40, 60, 80, 100] {
            let x = left + CHART * f64::from(percent) / 100.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#dddddd\"/>",
                top + TITLE - 4.0
            );
            let look = "font-size=\"10\" fill=\"#777777\" text-anchor=\"middle\"";
            text(svg, (x, bottom + 12.0), look, &percent.to_string());
        }
        for (number, mode) in modes.iter().enumerate() {
            let y = top + TITLE + BAR * number as f64;
            if place == 0 {
                let at = (left - 6.0, y + 12.0);
                text(svg, at, "text-anchor=\"end\"", mode.name);
            }
            match spread(mode.name, kind) {
                Some(spread) => draw_bar(svg, (left, y), mode.colour, spread),
                None => text(svg, (left + 6.0, y + 12.0), "fill=\"#999999\"", "no row"),
            }
        }
    }
}

fn draw_bar(svg: &mut String, (left, y): (f64, f64), colour: &str, spread: Spread) {
    let at = |percent: f64| left + CHART * percent.clamp(0.0, 100.0) / 100.0;
    let _ = writeln!(
        svg,
        "<rect x=\"{left:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{colour}\"/>",
        y + 2.0,
        at(spread.mean) - left,
        BAR - 4.0
    );
    let deviation = spread.deviation.unwrap_or(0.0);
    let (low, high) = (at(spread.mean - deviation), at(spread.mean + deviation));
    if deviation > 0.0 {
        let middle = y + BAR / 2.0;
        let _ = writeln!(
            svg,
            "<path d=\"M{low:.1} {middle:.1}H{high:.1}M{low:.1} {:.1}v8M{high:.1} {:.1}v8\" stroke=\"#222222\" fill=\"none\"/>",
            middle - 4.0,
            middle - 4.0
        );
    }
    let number = format!("{:.1}", spread.mean);
    text(svg, (high + 5.0, y + 13.0), "font-size=\"11\"", &number);
}

/// Words at a place.
pub fn text(svg: &mut String, (x, y): (f64, f64), look: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" {look}>{words}</text>");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tests::{example, page};

    #[test]
    fn a_bar_is_as_long_as_its_mean_and_a_whisker_as_its_deviation() {
        let svg = plot(page(&example()));
        // 62 % of 380, and 2.83 points to either side of it.
        assert!(
            svg.contains("width=\"235.6\" height=\"14.0\" fill=\"#2a8a4a\""),
            "{svg}"
        );
        let (low, high) = (130.0 + 3.8 * 59.1716, 130.0 + 3.8 * 64.8284);
        assert!(svg.contains(&format!("M{low:.1} ")) && svg.contains(&format!("H{high:.1}")));
        assert!(svg.contains(">62.0</text>"));
    }

    #[test]
    fn every_subject_has_a_panel_and_what_is_missing_is_said() {
        let svg = plot(page(&example()));
        for title in ["bcel, 30 s", "jsap, 30 s", "mean of 1 of 2 subjects"] {
            assert!(svg.contains(&format!(">{title}</text>")), "{title}");
        }
        // Palulu on JSAP, lines and branches.
        assert_eq!(svg.matches(">no row</text>").count(), 2);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    }
}
