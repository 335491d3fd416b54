//! What is known of the project before anything is generated: its classes, its traces, what its users wrote for Palus.
//!
//! Comes in: settings. Goes out: a project, and what was learned from its traces.
//! Does not know: what becomes of it.

pub(crate) mod apis;
pub(crate) mod class_path;
pub(crate) mod glob;
pub(crate) mod input;
pub(crate) mod libraries;
pub(crate) mod model_cache;
pub(crate) mod nearest;
pub(crate) mod outside;
pub(crate) mod project;
pub(crate) mod promoted;
pub(crate) mod release;
pub(crate) mod traces;
pub(crate) mod untraced;
pub(crate) mod user_code;
