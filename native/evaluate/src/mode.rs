//! A mode: one way of making tests that a study compares with others.
//!
//! Comes in: a name and the modes that a study has. Goes out: the [`Mode`]s that were asked for.
//! Does not know: what a setting does.

/// One mode.
#[derive(Debug, PartialEq, Eq)]
pub struct Mode {
    /// The name in rows and tables.
    pub name: &'static str,
    /// What the engine is told beyond what all modes of the study have in common.
    pub settings: &'static [(&'static str, &'static str)],
    /// The colour of its bars.
    pub colour: &'static str,
}

/// The modes of these names, in the order they are named.
pub fn read<'a>(
    names: impl IntoIterator<Item = &'a str>,
    among: &'static [Mode],
) -> Result<Vec<&'static Mode>, String> {
    let read = |name: &str| {
        let found = among.iter().find(|mode| mode.name == name);
        found.ok_or_else(|| {
            let known: Vec<&str> = among.iter().map(|mode| mode.name).collect();
            format!("there is no mode `{name}`; known: {}", known.join(", "))
        })
    };
    names.into_iter().map(read).collect()
}
