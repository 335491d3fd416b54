//! Lines about what a search left open, for who works on Palus.
//!
//! Comes in: the account of a branch. Goes out: one line: where it is, how near runs came, what became of its templates.
//! Does not know: how it came about.

use palus_bytecode::{MethodId, Program};
use palus_search::Left;
use std::fmt::Write as _;

/// `demo.Rules.hits 25 jump 3 outcome 1: near 1.5; templates: ...`
pub(crate) fn line(program: &Program, left: &Left) -> String {
    let branch = left.branch;
    let method = program.method(branch.method);
    let at = method.code.as_ref().and_then(|code| {
        let jump = code.jumps().get(branch.jump as usize)?.instruction;
        let lines = code.lines.iter().filter(|(line, _)| *line <= jump);
        lines.map(|(_, line)| *line).next_back()
    });
    let mut text = format!(
        "  open {} {} jump {} outcome {}: near {:.3}; templates:",
        name(program, branch.method),
        at.unwrap_or_default(),
        branch.jump,
        branch.outcome,
        left.best
    );
    let statistics = &left.templates;
    let refused = statistics.refused.iter();
    let parts: Vec<String> = refused
        .map(|(reason, count)| format!(" {count} {reason:?}"))
        .collect();
    text.push_str(&parts.join(","));
    if statistics.known > 0 {
        let _ = write!(text, " {} known", statistics.known);
    }
    if let Some(best) = statistics.best {
        let _ = write!(
            text,
            " {} run, {} nearer, best {best:.3}",
            statistics.run, statistics.nearer
        );
    }
    for (method, count) in &statistics.threw {
        let name = method.map_or_else(|| "?".to_owned(), |method| name(program, method));
        let _ = write!(text, ", {count} threw in {name}");
    }
    text
}

fn name(program: &Program, method: MethodId) -> String {
    let method = program.method(method);
    let class = program.class(method.class).binary_name();
    format!("{class}.{}", method.name)
}
