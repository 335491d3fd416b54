//! What the report and `explain` say.
//!
//! Comes in: results of all stages. Goes out: pages, `report.json`, `explain.json`, and what that says of one method.
//! Does not know: how a page looks (see the crate `report`).

pub(crate) mod changes;
pub(crate) mod codes;
pub(crate) mod differences;
pub(crate) mod explain;
pub(crate) mod explanations;
pub(crate) mod files;
mod kept;
mod names;
pub(crate) mod places;
mod reached;
pub(crate) mod results;

pub use explain::{ExplainSettings, explain};
