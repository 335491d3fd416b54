//! A call sequence model as an SVG that takes its colours from the page.
//!
//! Comes in: a [`ModelReport`]. Goes out: SVG text and what it leaves out.
//! Does not know: how the model was learned; how a graph is laid out (`layout`).
//!
//! Lines: solid ink for a call seen in the trace; dashed green, with a tick, where a written test follows it; thin and
//! dotted for calls seen inside another; violet for objects of known states that were used in a call.

use crate::explanation::{EdgeReport, ModelReport, simple_name};
use crate::layout::{Edge, Layout, Size, layout, length};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt::Write as _;

/// More nodes than this are not drawn; the most used ones are.
const MAXIMUM_NODES: usize = 150;
/// More calls than this are not drawn.
const MAXIMUM_EDGES: usize = 300;
/// More states of other classes than this are drawn as one box per class.
const MAXIMUM_STATES: usize = 24;
/// More lines between nodes of the same model than this are drawn as one box too: they would cross the whole picture.
const MAXIMUM_ARCS: usize = 8;
/// Longer method names are cut.
const LONGEST_LABEL: usize = 30;
/// Width of a character of a label, and of the space around it.
pub(crate) const CHARACTER: f64 = 6.7;
/// Room around everything.
pub(crate) const MARGIN: f64 = 14.0;
/// Height of a box.
pub(crate) const NODE: f64 = 24.0;
/// How much of a line its head takes.
const HEAD: f64 = 6.0;

/// A drawn model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Picture {
    /// `<svg ...>`
    pub svg: String,
    /// Its width in pixels.
    pub width: i64,
    /// Its height in pixels.
    pub height: i64,
    /// What is not shown and why; empty if all is.
    pub note: String,
}

/// What is chosen of a model to be drawn.
struct Choice<'a> {
    /// Model nodes, the root first.
    nodes: Vec<u32>,
    edges: Vec<&'a EdgeReport>,
    /// Boxes of other classes' states: their text.
    states: Vec<String>,
    /// From box to place in `nodes`, with what it says.
    links: BTreeMap<(usize, usize), BTreeSet<String>>,
    /// Between places in `nodes`, with what it says.
    arcs: BTreeMap<(usize, usize), BTreeSet<String>>,
    note: String,
}

/// Draws a model.
pub fn picture(model: &ModelReport) -> Picture {
    let choice = choose(model);
    let mut sizes: Vec<Size> = choice
        .nodes
        .iter()
        .map(|node| Size {
            width: NODE.max(length(node.to_string().len()) * 6.3 + 10.0),
            height: NODE,
        })
        .collect();
    sizes.extend(choice.states.iter().map(|text| Size {
        width: length(text.chars().count()) * CHARACTER + 14.0,
        height: 20.0,
    }));
    let place: BTreeMap<u32, usize> = choice.nodes.iter().copied().zip(0..).collect();
    let calls = choice.edges.iter().map(|edge| Edge {
        source: place[&edge.source],
        target: place[&edge.target],
        label: label_width(edge),
        weight: (length(edge.count.try_into().unwrap_or(usize::MAX)) + 1.0).ln()
            + if edge.is_nested { 0.0 } else { 20.0 },
    });
    let links = choice.links.keys().map(|&(state, node)| Edge {
        source: choice.nodes.len() + state,
        target: node,
        label: 0.0,
        weight: 0.1,
    });
    let edges: Vec<Edge> = calls.chain(links).collect();
    let layout = layout(&sizes, &edges);
    draw(model, &choice, &sizes, &layout)
}

/// `addRoad ×12`, without the count.
fn label(edge: &EdgeReport) -> String {
    let mut text: String = edge.label.chars().take(LONGEST_LABEL).collect();
    if edge.label.chars().count() > LONGEST_LABEL {
        text.push('…');
    }
    if edge.is_covered {
        text.insert_str(0, "✓ ");
    }
    text
}

fn label_width(edge: &EdgeReport) -> f64 {
    let characters = label(edge).chars().count() + edge.count.to_string().len() + 2;
    length(characters) * CHARACTER + 8.0
}

/// The places of the calls that a picture shows: (source, target, count) in; those between the nodes that the most
/// calls lead to out, all of them reached from the root.
pub fn drawn_edges(edges: &[(u32, u32, u64)]) -> BTreeSet<usize> {
    let kept = most_used(edges);
    let mut drawn: Vec<usize> = (0..edges.len())
        .filter(|&place| kept.contains(&edges[place].0) && kept.contains(&edges[place].1))
        .collect();
    drawn.sort_by_key(|&place| std::cmp::Reverse(edges[place].2));
    drawn.truncate(MAXIMUM_EDGES);
    drawn.into_iter().collect()
}

fn choose(model: &ModelReport) -> Choice<'_> {
    let short: Vec<(u32, u32, u64)> = model
        .edges
        .iter()
        .map(|edge| (edge.source, edge.target, edge.count))
        .collect();
    let drawn = drawn_edges(&short);
    let edges: Vec<&EdgeReport> = drawn.iter().map(|&place| &model.edges[place]).collect();
    let mut kept = BTreeSet::from([0]);
    kept.extend(edges.iter().flat_map(|edge| [edge.source, edge.target]));
    let nodes: Vec<u32> = kept.into_iter().collect();
    let place: BTreeMap<u32, usize> = nodes.iter().copied().zip(0..).collect();
    let mut remarks = Vec::new();
    if nodes.len() < model.nodes as usize {
        remarks.push(format!(
            "the {} most used of {} nodes are shown",
            nodes.len(),
            model.nodes
        ));
    }
    if (edges.len() as u64) < model.calls {
        remarks.push(format!(
            "{} of {} calls are shown",
            edges.len(),
            model.calls
        ));
    }
    let mut choice = Choice {
        nodes,
        edges,
        states: Vec::new(),
        links: BTreeMap::new(),
        arcs: BTreeMap::new(),
        note: String::new(),
    };
    states(model, &place, &mut choice);
    choice.note = remarks.join("; ");
    choice
}

fn most_used(edges: &[(u32, u32, u64)]) -> BTreeSet<u32> {
    let mut outgoing: BTreeMap<u32, Vec<(u64, u32)>> = BTreeMap::new();
    for &(source, target, count) in edges {
        outgoing.entry(source).or_default().push((count, target));
    }
    let mut kept = BTreeSet::new();
    let mut next = BinaryHeap::from([(u64::MAX, std::cmp::Reverse(0_u32))]);
    while let Some((_, std::cmp::Reverse(node))) = next.pop() {
        if kept.len() == MAXIMUM_NODES {
            break;
        }
        if kept.insert(node) {
            let edges = outgoing.get(&node).into_iter().flatten();
            next.extend(edges.map(|&(count, target)| (count, std::cmp::Reverse(target))));
        }
    }
    kept
}

fn states(model: &ModelReport, place: &BTreeMap<u32, usize>, choice: &mut Choice<'_>) {
    let shown: Vec<_> = model
        .dependences
        .iter()
        .filter_map(|dependence| {
            let edge = model.edges.get(dependence.edge as usize)?;
            Some((dependence, edge, *place.get(&edge.source)?))
        })
        .collect();
    let own: BTreeSet<(u32, usize)> = shown
        .iter()
        .filter(|(dependence, ..)| dependence.class == model.class)
        .map(|(dependence, _, to)| (dependence.node, *to))
        .collect();
    let has_arcs = own.len() <= MAXIMUM_ARCS;
    let foreign = |class: &str| class != model.class || !has_arcs;
    let distinct: BTreeSet<(&str, u32)> = shown
        .iter()
        .filter(|(dependence, ..)| foreign(&dependence.class))
        .map(|(dependence, ..)| (dependence.class.as_str(), dependence.node))
        .collect();
    let mut per_class: BTreeMap<&str, usize> = BTreeMap::new();
    for (class, _) in &distinct {
        *per_class.entry(class).or_default() += 1;
    }
    let together = distinct.len() > MAXIMUM_STATES;
    let mut boxes: BTreeMap<String, usize> = BTreeMap::new();
    for (dependence, edge, to) in shown {
        let says = format!(
            "{} in state {} was {} of {}",
            simple_name(&dependence.class),
            dependence.node,
            dependence.position,
            edge.label
        );
        if foreign(&dependence.class) {
            let name = simple_name(&dependence.class);
            let states = per_class[dependence.class.as_str()];
            let is_own = dependence.class == model.class;
            let text = if (together || is_own) && states > 1 {
                format!("{name}: {states} states")
            } else {
                format!("{name} {}", dependence.node)
            };
            let next = boxes.len();
            let number = *boxes.entry(text.clone()).or_insert(next);
            if number == choice.states.len() {
                choice.states.push(text);
            }
            choice.links.entry((number, to)).or_default().insert(says);
        } else if let Some(&from) = place.get(&dependence.node) {
            choice.arcs.entry((from, to)).or_default().insert(says);
        }
    }
}

/// The kinds of calls, from the one drawn first, which others may cover, to the one drawn last.
const KINDS: [(&str, bool, bool); 4] = [
    ("nested", false, true),
    ("nested covered", true, true),
    ("traced", false, false),
    ("covered", true, false),
];

fn draw(model: &ModelReport, choice: &Choice<'_>, sizes: &[Size], layout: &Layout) -> Picture {
    // Arcs bow above the topmost row.
    let loops = if choice.arcs.is_empty() { 0.0 } else { 26.0 };
    let (width, height) = (
        layout.width + 2.0 * MARGIN,
        layout.height + 2.0 * MARGIN + loops,
    );
    let mut svg = format!(
        "<svg class=\"model\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"Call sequence model of {}\"><g transform=\"translate({MARGIN} {})\">",
        escape(&model.class),
        MARGIN + loops
    );
    let mut lines = String::new();
    let link_routes = &layout.routes[choice.edges.len()..];
    for (route, says) in link_routes.iter().zip(choice.links.values()) {
        line(&mut lines, &route.points, &tooltip(says));
    }
    group(&mut svg, "state", &lines);
    let mut all_labels = String::new();
    for (class, is_covered, is_nested) in KINDS {
        let (mut lines, mut labels) = (String::new(), String::new());
        for (edge, route) in choice.edges.iter().zip(&layout.routes) {
            let is_of_kind = (edge.is_covered, edge.is_nested) == (is_covered, is_nested);
            if is_of_kind && route.points.len() >= 2 {
                line(&mut lines, &route.points, "");
                call_label(&mut labels, edge, route.label);
            }
        }
        group(&mut svg, class, &lines);
        if !labels.is_empty() {
            let _ = write!(all_labels, "<g class=\"call {class}\">{labels}</g>");
        }
    }
    let mut arcs = String::new();
    for (&(from, to), says) in &choice.arcs {
        arc(
            &mut arcs,
            layout.nodes[from],
            layout.nodes[to],
            &tooltip(says),
        );
    }
    group(&mut svg, "state", &arcs);
    svg.push_str(&all_labels);
    let (mut nodes, mut others) = (String::new(), String::new());
    for (place, &center) in layout.nodes.iter().enumerate() {
        match choice.nodes.get(place) {
            Some(0) => {
                svg.push_str("<g class=\"root\"><title>before the object exists</title>");
                boxed(&mut svg, "0", center, sizes[place], 11);
                svg.push_str("</g>");
            }
            Some(node) => boxed(&mut nodes, &node.to_string(), center, sizes[place], 11),
            None => {
                let text = &choice.states[place - choice.nodes.len()];
                boxed(&mut others, &escape(text), center, sizes[place], 4);
            }
        }
    }
    for (class, boxes) in [("node", nodes), ("other", others)] {
        if !boxes.is_empty() {
            let _ = write!(svg, "<g class=\"{class}\">{boxes}</g>");
        }
    }
    svg.push_str("</g></svg>");
    Picture {
        svg,
        width: width as i64,
        height: height as i64,
        note: choice.note.clone(),
    }
}

/// Lines of one kind; the head is the page's, and each line inherits it.
pub(crate) fn group(svg: &mut String, class: &str, lines: &str) {
    if !lines.is_empty() {
        let head = class.rsplit(' ').next().unwrap_or(class);
        let _ = write!(
            svg,
            "<g class=\"line {class}\" marker-end=\"url(#{head})\">{lines}</g>"
        );
    }
}

/// What a call is and how often it was seen. It alone has the details: the page's script gives them to its line.
fn call_label(svg: &mut String, edge: &EdgeReport, (x, y): (f64, f64)) {
    let _ = write!(
        svg,
        "<text x=\"{:.0}\" y=\"{:.0}\"><title>{}</title>{}<tspan> ×{}</tspan></text>",
        x + 4.0,
        y - 4.0,
        escape(&edge_title(edge)),
        escape(&label(edge)),
        edge.count
    );
}

/// A state's box with its text.
pub(crate) fn boxed(svg: &mut String, text: &str, (x, y): (f64, f64), size: Size, corner: u32) {
    let _ = write!(
        svg,
        "<rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"{corner}\"/><text x=\"{x:.0}\" y=\"{:.0}\">{text}</text>",
        x - size.width / 2.0 + 1.0,
        y - size.height / 2.0 + 1.0,
        size.width - 2.0,
        size.height - 2.0,
        y + 4.0
    );
}

/// A line through the points, level at each; it ends where its head begins.
pub(crate) fn line(svg: &mut String, points: &[(f64, f64)], title: &str) {
    let (end, before) = (points[points.len() - 1], points[points.len() - 2]);
    let right = if end.0 >= before.0 { 1.0 } else { -1.0 };
    let mut path = format!("M{:.0} {:.0}", points[0].0, points[0].1);
    // Where the last level part begins: the next one makes it longer.
    let mut level = None;
    for (index, pair) in points.windows(2).enumerate() {
        let ((x1, y1), (mut x2, y2)) = (pair[0], pair[1]);
        if index + 2 == points.len() {
            x2 -= HEAD * right;
        }
        if (y1 - y2).abs() < 0.5 {
            path.truncate(*level.get_or_insert(path.len()));
            let _ = write!(path, "H{x2:.0}");
        } else {
            level = None;
            let middle = f64::midpoint(x1, x2);
            let _ = write!(
                path,
                "C{middle:.0} {y1:.0} {middle:.0} {y2:.0} {x2:.0} {y2:.0}"
            );
        }
    }
    drawn_path(svg, &path, title);
}

fn drawn_path(svg: &mut String, path: &str, title: &str) {
    if title.is_empty() {
        let _ = write!(svg, "<path d=\"{path}\"/>");
    } else {
        let _ = write!(
            svg,
            "<path d=\"{path}\"><title>{}</title></path>",
            escape(title)
        );
    }
}

/// A bow above from one node to another or to itself.
fn arc(svg: &mut String, from: (f64, f64), to: (f64, f64), title: &str) {
    let r = NODE / 2.0;
    let (start, end, lift) = if from == to {
        ((from.0 - 5.0, from.1 - r), (to.0 + 5.0, to.1 - r), 24.0)
    } else {
        let far = (from.0 - to.0).abs() + (from.1 - to.1).abs();
        (
            (from.0, from.1 - r),
            (to.0, to.1 - r - 2.0),
            (20.0 + far * 0.06).min(48.0),
        )
    };
    let side = if from == to { 9.0 } else { 0.0 };
    let path = format!(
        "M{:.0} {:.0}C{:.0} {:.0} {:.0} {:.0} {:.0} {:.0}",
        start.0,
        start.1,
        start.0 - side,
        start.1 - lift,
        end.0 + side,
        end.1 - lift,
        end.0,
        end.1 - HEAD
    );
    drawn_path(svg, &path, title);
}

/// What the label and the kind of line do not say.
fn edge_title(edge: &EdgeReport) -> String {
    let mut title = format!("{}.{}", simple_name(&edge.owner), edge.method);
    if edge.roles != "the receiver" {
        let _ = write!(title, "\nthe object is {}", edge.roles);
    }
    for example in &edge.examples {
        title.push_str("\nwith ");
        title.push_str(example);
    }
    title
}

fn tooltip(says: &BTreeSet<String>) -> String {
    const SHOWN: usize = 4;
    let mut lines: Vec<String> = says.iter().take(SHOWN).cloned().collect();
    if says.len() > SHOWN {
        lines.push(format!("and {} more", says.len() - SHOWN));
    }
    lines.join("\n")
}

/// Text for an SVG or HTML page; control characters have no place in either.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push('\n'),
            c if c.is_control() => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explanation::DependenceReport;

    fn edge(source: u32, target: u32, label: &str) -> EdgeReport {
        EdgeReport {
            source,
            target,
            owner: "p.RoadMap".into(),
            method: format!("{label}()"),
            label: label.into(),
            roles: "receiver".into(),
            count: 3,
            ..EdgeReport::default()
        }
    }

    fn road_map() -> ModelReport {
        let mut made = edge(0, 1, "genMap");
        made.is_covered = true;
        let mut inner = edge(0, 2, "new RoadMap");
        inner.is_nested = true;
        let mut init = edge(2, 1, "init");
        init.is_nested = true;
        ModelReport {
            class: "p.RoadMap".into(),
            nodes: 4,
            objects: 1,
            calls: 4,
            covered: 1,
            edges: vec![made, inner, init, edge(1, 3, "addCity<T>")],
            dependences: vec![DependenceReport {
                class: "p.City".into(),
                node: 5,
                edge: 3,
                position: "argument 1".into(),
            }],
        }
    }

    #[test]
    fn calls_counts_and_dependences_are_in_the_picture() {
        let svg = picture(&road_map()).svg;
        assert_eq!(boxes(&svg, "node"), 3);
        assert!(svg.contains("✓ genMap<tspan> ×3"));
        assert!(svg.contains("class=\"line covered\" marker-end=\"url(#covered)\""));
        let nested = svg.split("class=\"line nested\"").nth(1).unwrap();
        let nested = nested.split("</g>").next().unwrap();
        assert_eq!(nested.matches("<path").count(), 2);
        assert!(svg.contains(">City 5</text>"));
        assert!(svg.contains("City in state 5 was argument 1 of addCity&lt;T&gt;"));
        assert!(!svg.contains("<T>"));
    }

    #[test]
    fn the_same_model_gives_the_same_bytes() {
        assert_eq!(picture(&road_map()), picture(&road_map()));
        assert_eq!(picture(&road_map()).note, "");
    }

    #[test]
    fn of_a_huge_model_the_most_used_part_is_drawn_and_said_so() {
        let mut model = ModelReport {
            class: "p.Big".into(),
            nodes: 1001,
            calls: 1000,
            ..ModelReport::default()
        };
        for node in 1..=1000_u32 {
            let mut one = edge(0, node, "add");
            one.count = u64::from(node);
            model.edges.push(one);
        }
        let drawn = picture(&model);
        assert_eq!(boxes(&drawn.svg, "node"), MAXIMUM_NODES - 1);
        assert!(drawn.svg.contains(">1000</text>"), "the most used is there");
        assert!(!drawn.svg.contains(">1</text>"));
        assert_eq!(
            drawn.note,
            "the 150 most used of 1001 nodes are shown; 149 of 1000 calls are shown"
        );
    }

    #[test]
    fn many_states_of_another_class_become_one_box() {
        let mut model = road_map();
        for node in 0..60 {
            model.dependences.push(DependenceReport {
                class: "p.City".into(),
                node,
                edge: 3,
                position: "argument 1".into(),
            });
        }
        let svg = picture(&model).svg;
        assert!(svg.contains(">City: 60 states</text>"), "{svg}");
        assert_eq!(boxes(&svg, "other"), 1);
    }

    #[test]
    fn few_states_of_its_own_are_bows_and_many_are_one_box() {
        let own = |model: &mut ModelReport, node| {
            model.dependences.push(DependenceReport {
                class: "p.RoadMap".into(),
                node,
                edge: 3,
                position: "argument 1".into(),
            });
        };
        let mut model = road_map();
        own(&mut model, 2);
        let svg = picture(&model).svg;
        assert_eq!(boxes(&svg, "other"), 1, "the city's: {svg}");
        assert!(svg.contains("RoadMap in state 2 was argument 1"));
        for node in 3..20 {
            own(&mut model, node);
        }
        let svg = picture(&model).svg;
        assert_eq!(boxes(&svg, "other"), 2);
        assert!(svg.contains(">RoadMap: 18 states</text>"), "{svg}");
    }

    #[test]
    fn level_parts_of_a_line_are_one() {
        let mut svg = String::new();
        line(
            &mut svg,
            &[(0.0, 5.0), (9.0, 5.0), (20.0, 5.0), (30.0, 9.0)],
            "",
        );
        assert_eq!(svg, "<path d=\"M0 5H20C22 5 22 9 24 9\"/>");
    }

    /// Boxes of one kind.
    fn boxes(svg: &str, class: &str) -> usize {
        let group = svg.split(&format!("<g class=\"{class}\">")).nth(1);
        let group = group.and_then(|rest| rest.split("</g>").next());
        group.map_or(0, |group| group.matches("<rect").count())
    }
}
