//! Results to HTML and JSON.
//!
//! Comes in: a [`Report`], plain data put together by the engine.
//! Goes out: the text of `index.html`, of one page per class, and of `report.json`.
//! Does not know: files, how a figure was measured.

mod baseline;
mod data;
mod page;

pub use baseline::{BaselineError, read_baseline, write_baseline};
pub use data::{
    ClassReport, DropReport, Figures, FindingReport, LineMark, MethodSkip, Report, SCHEMA_VERSION,
    SourceLine, Stage, WrittenTest,
};
pub use page::{class_page, class_page_name, index_page, json};
