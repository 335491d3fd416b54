//! The plot of the study of growth: time and the engine's peak memory by number of classes.
//!
//! Comes in: rows. Goes out: SVG text. Both axes are logarithmic, so that cost in proportion to the classes is a line as
//! steep as the dashed one.
//! Does not know: files.

use super::grown::Grown;
use crate::plot::text;
use std::fmt::Write as _;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 420.0;
/// Side of a chart.
const SIDE: f64 = 300.0;
const TOP: f64 = 80.0;
const LEFTS: [f64; 2] = [80.0, 580.0];

/// The whole picture.
pub fn plot(rows: &[Grown]) -> String {
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>"
    );
    text(&mut svg, (20.0, 30.0), "font-size=\"18\"", "Growth");
    let seconds: Vec<(f64, f64)> = rows
        .iter()
        .map(|row| (row.classes as f64, row.wall_seconds))
        .collect();
    let memory: Vec<(f64, f64)> = rows
        .iter()
        .map(|row| (row.classes as f64, row.peak_mib))
        .collect();
    chart(
        &mut svg,
        LEFTS[0],
        "Seconds of the whole run, by classes",
        &seconds,
    );
    chart(
        &mut svg,
        LEFTS[1],
        "Engine's peak memory in MiB, by classes",
        &memory,
    );
    svg.push_str("</svg>\n");
    svg
}

fn chart(svg: &mut String, left: f64, title: &str, points: &[(f64, f64)]) {
    text(svg, (left, TOP - 20.0), "font-weight=\"bold\"", title);
    let points: Vec<(f64, f64)> = points
        .iter()
        .filter(|(x, y)| *x > 0.0 && *y > 0.0)
        .map(|(x, y)| (x.log10(), y.log10()))
        .collect();
    let Some(&first) = points.first() else {
        return;
    };
    // Whole powers of ten around all points, as many to either side as the longer side needs.
    let range = |of: &dyn Fn(&(f64, f64)) -> f64| {
        let low = points.iter().map(of).fold(f64::INFINITY, f64::min).floor();
        let high = points
            .iter()
            .map(of)
            .fold(f64::NEG_INFINITY, f64::max)
            .ceil();
        (low, high.max(low + 1.0))
    };
    let (x_low, x_high) = range(&|point| point.0);
    let (y_low, y_high) = range(&|point| point.1);
    let powers = (x_high - x_low).max(y_high - y_low);
    let place = |(x, y): (f64, f64)| {
        (
            left + SIDE * (x - x_low) / powers,
            TOP + SIDE - SIDE * (y - y_low) / powers,
        )
    };
    let mut step = 0.0;
    while step <= powers {
        let (x, y) = place((x_low + step, y_low + step));
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}v{SIDE}M{left} {y:.1}h{SIDE}\" stroke=\"#dddddd\" fill=\"none\"/>"
        );
        let look = "font-size=\"10\" fill=\"#777777\" text-anchor=\"middle\"";
        text(svg, (x, TOP + SIDE + 16.0), look, &power(x_low + step));
        let look = "font-size=\"10\" fill=\"#777777\" text-anchor=\"end\"";
        text(svg, (left - 6.0, y + 4.0), look, &power(y_low + step));
        step += 1.0;
    }
    let length = (x_low + powers - first.0)
        .min(y_low + powers - first.1)
        .max(0.0);
    let (from, to) = (place(first), place((first.0 + length, first.1 + length)));
    let _ = writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}L{:.1} {:.1}\" stroke=\"#999999\" stroke-dasharray=\"4 4\" fill=\"none\"/>",
        from.0, from.1, to.0, to.1
    );
    let placed: Vec<String> = points
        .iter()
        .map(|&point| {
            let (x, y) = place(point);
            format!("{x:.1},{y:.1}")
        })
        .collect();
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" stroke=\"#2a8a4a\" stroke-width=\"2\" fill=\"none\"/>",
        placed.join(" ")
    );
    for &point in &points {
        let (x, y) = place(point);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#2a8a4a\"/>"
        );
        let number = format!("{:.0}", 10_f64.powf(point.1));
        text(svg, (x + 8.0, y + 14.0), "font-size=\"11\"", &number);
    }
}

fn power(exponent: f64) -> String {
    let number = 10_f64.powf(exponent);
    if number < 1.0 {
        format!("{number}")
    } else {
        format!("{number:.0}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growth::tests::grown;

    #[test]
    fn cost_in_proportion_lies_on_the_dashed_line() {
        let svg = plot(&[
            grown(10, 10.0, 100.0),
            grown(100, 100.0, 100.0),
            grown(1000, 1000.0, 100.0),
        ]);
        // Two powers of ten, 300 wide and high.
        assert!(
            svg.contains("<path d=\"M80.0 380.0L380.0 80.0\" stroke=\"#999999\""),
            "{svg}"
        );
        assert!(
            svg.contains("<polyline points=\"80.0,380.0 230.0,230.0 380.0,80.0\""),
            "{svg}"
        );
        // Memory stays what it was.
        assert!(
            svg.contains("<polyline points=\"580.0,380.0 730.0,380.0 880.0,380.0\""),
            "{svg}"
        );
    }

    #[test]
    fn no_rows_make_an_empty_picture() {
        assert!(plot(&[]).ends_with("</svg>\n"));
    }
}
