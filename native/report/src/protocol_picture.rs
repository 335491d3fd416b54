//! A protocol and the way of a failing sequence through it, as an SVG that takes its colours from the page.
//!
//! Comes in: an [`UnsafeUseReport`]. Goes out: SVG text.
//! Does not know: how protocols are mined; how a graph is laid out (`layout`).
//!
//! Boxes are states, with the calls in them that leave the state as it is; lines are the other calls. What the sequence
//! did is green, the call that its last state does not allow is red and leads to a cross.

use crate::data::{ProtocolState, UnsafeUseReport};
use crate::layout::{Edge, Route, Size, layout, length};
use crate::picture::{CHARACTER, MARGIN, NODE, Picture, boxed, escape, group, line};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// More states than this are not drawn.
const MOST_STATES: usize = 60;
/// Longer lists of names are cut.
const LONGEST: usize = 44;

/// A line and what it stands for.
struct Step {
    from: usize,
    to: usize,
    calls: Vec<String>,
    kind: &'static str,
}

/// Draws a protocol; empty where it has too many states to be read.
pub(crate) fn protocol_picture(shown: &UnsafeUseReport) -> Picture {
    let states = &shown.protocol.states;
    let Some(&at) = shown.path.last() else {
        return Picture::default();
    };
    if states.len() > MOST_STATES || at as usize >= states.len() {
        return Picture::default();
    }
    let cross = states.len();
    let taken: BTreeSet<(u32, u32)> = shown.path.windows(2).map(|two| (two[0], two[1])).collect();
    let mut steps = Vec::new();
    let mut texts = Vec::new();
    for (place, state) in (0u32..).zip(states) {
        let mut stays = Vec::new();
        for (to, calls) in by_target(state) {
            if to == place {
                stays = calls;
                continue;
            }
            let is_taken = taken.contains(&(place, to));
            steps.push(Step {
                from: place as usize,
                to: to as usize,
                calls,
                kind: if is_taken { "covered" } else { "traced" },
            });
        }
        texts.push(match &*stays {
            [] => (place + 1).to_string(),
            calls => format!("{} ↻ {}", place + 1, names(calls)),
        });
    }
    texts.push("✗".to_owned());
    steps.push(Step {
        from: at as usize,
        to: cross,
        calls: vec![shown.refused.clone()],
        kind: "refused",
    });
    draw(shown, &texts, &steps)
}

fn draw(shown: &UnsafeUseReport, texts: &[String], steps: &[Step]) -> Picture {
    let size = |text: &String| Size {
        width: NODE.max(length(text.chars().count()) * 6.3 + 14.0),
        height: NODE,
    };
    let sizes: Vec<Size> = texts.iter().map(size).collect();
    let edges: Vec<Edge> = steps.iter().map(edge).collect();
    let drawn = layout(&sizes, &edges);
    let (width, height) = (drawn.width + 2.0 * MARGIN, drawn.height + 2.0 * MARGIN);
    let types = shown.protocol.types.join(" and ");
    let mut svg = format!(
        "<svg class=\"model\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"Protocol of {}\"><g transform=\"translate({MARGIN} {MARGIN})\">",
        escape(&types)
    );
    let mut labels = String::new();
    for kind in ["traced", "covered", "refused"] {
        let mut lines = String::new();
        let of_kind = steps.iter().zip(&drawn.routes);
        for (step, Route { points, label }) in of_kind.filter(|(step, _)| step.kind == kind) {
            line(&mut lines, points, "");
            let _ = write!(
                labels,
                "<g class=\"call {kind}\"><text x=\"{:.0}\" y=\"{:.0}\"><title>{}</title>{}</text></g>",
                label.0 + 4.0,
                label.1 - 4.0,
                escape(&step.calls.join("\n")),
                escape(&names(&step.calls))
            );
        }
        group(&mut svg, kind, &lines);
    }
    svg.push_str(&labels);
    let is_on_path = |place: usize| shown.path.iter().any(|&state| state as usize == place);
    for (place, (text, &center)) in texts.iter().zip(&drawn.nodes).enumerate() {
        let class = match place {
            _ if place + 1 == texts.len() => "node refused",
            _ if is_on_path(place) => "node covered",
            _ => "node",
        };
        let _ = write!(svg, "<g class=\"{class}\">");
        boxed(&mut svg, &escape(text), center, sizes[place], 11);
        svg.push_str("</g>");
    }
    svg.push_str("</g></svg>");
    Picture {
        svg,
        width: width as i64,
        height: height as i64,
        note: String::new(),
    }
}

fn edge(step: &Step) -> Edge {
    Edge {
        source: step.from,
        target: step.to,
        label: length(names(&step.calls).chars().count()) * CHARACTER + 8.0,
        weight: if step.kind == "traced" { 1.0 } else { 20.0 },
    }
}

fn by_target(state: &ProtocolState) -> BTreeMap<u32, Vec<String>> {
    let mut calls: BTreeMap<u32, Vec<String>> = BTreeMap::new();
    for call in &state.calls {
        calls.entry(call.to).or_default().push(call.call.clone());
    }
    calls
}

/// `peek, pop` for `#1.peek()` and `#1.pop()`
fn names(calls: &[String]) -> String {
    let mut names: Vec<&str> = calls.iter().map(|call| name(call)).collect();
    names.dedup();
    let text = names.join(", ");
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).chain(['…']).collect()
}

/// `iterator` of `#2 = #1.iterator()`
fn name(call: &str) -> &str {
    let made = call.rsplit(" = ").next().unwrap_or(call);
    let before = made.split('(').next().unwrap_or(made);
    before.rsplit('.').next().unwrap_or(before)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{ProtocolCall, ProtocolReport};

    fn stack() -> UnsafeUseReport {
        let call = |call: &str, to| ProtocolCall {
            call: call.to_owned(),
            to,
        };
        let state = |is_liable, calls| ProtocolState { is_liable, calls };
        UnsafeUseReport {
            protocol: ProtocolReport {
                types: vec!["java.util.Stack".to_owned()],
                sequences: 3,
                states: vec![
                    state(false, vec![call("#1 = new()", 1)]),
                    state(true, vec![call("#1.push(Object)", 2)]),
                    state(
                        true,
                        vec![call("#1.peek()", 2), call("#1.removeAllElements()", 1)],
                    ),
                ],
            },
            path: vec![0, 1],
            refused: "#1.peek()".to_owned(),
            ..UnsafeUseReport::default()
        }
    }

    #[test]
    fn the_way_is_green_and_the_refused_call_is_red() {
        let svg = protocol_picture(&stack()).svg;
        let lines = |kind: &str| {
            let group = svg.split(&format!("<g class=\"line {kind}\"")).nth(1);
            let group = group.and_then(|rest| rest.split("</g>").next());
            group.map_or(0, |group| group.matches("<path").count())
        };
        assert_eq!(
            (lines("traced"), lines("covered"), lines("refused")),
            (2, 1, 1),
            "{svg}"
        );
        assert!(svg.contains("<title>#1.peek()</title>peek</text>"), "{svg}");
        assert!(svg.contains(">3 ↻ peek</text>"), "{svg}");
        assert_eq!(svg.matches("class=\"node covered\"").count(), 2, "{svg}");
        assert!(svg.contains("Protocol of java.util.Stack"), "{svg}");
    }

    #[test]
    fn nothing_is_drawn_of_what_nobody_could_read() {
        let mut shown = stack();
        shown.path = vec![9];
        assert_eq!(protocol_picture(&shown), Picture::default());
        shown = stack();
        let state = shown.protocol.states[1].clone();
        shown.protocol.states.resize(MOST_STATES + 1, state);
        assert_eq!(protocol_picture(&shown), Picture::default());
    }
}
