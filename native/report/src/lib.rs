//! Results to HTML, JSON and SARIF.
//!
//! Comes in: a [`Report`] and [`Explanations`], plain data put together by the engine.
//! Goes out: the text of `index.html`, of one page per class with the pictures of its models, of `codes.html`, and of
//! `report.json`, `palus.sarif`, `explain.json`, `changes.json`, of what a run leaves for the next one, and of the files of [`Differences`].
//! Does not know: files, how a figure was measured.

mod baseline;
mod changes;
mod codes;
mod data;
mod differences;
mod explanation;
mod fault;
mod heat_map;
mod layout;
mod left;
mod page;
mod picture;
mod protocol_picture;
mod sarif;
mod stored;

pub use baseline::{BaselineError, read_baseline, write_baseline};
pub use changes::{WithChanges, changes_json, read_changes, with_changes};
pub use codes::{Code, DROPS, GENERATED, NOTHING_NEW, SKIPS, code};
pub use data::{
    BehaviourChange, ClassReport, DropReport, Figures, FindingReport, LineMark, MethodSkip,
    MutantFigures, MutantReport, ProtocolCall, ProtocolReport, ProtocolState, ProtocolsReport,
    Reach, ReachedCode, ReachingTest, Report, SCHEMA_VERSION, SandboxReport, SourceLine,
    SourcePlace, Stage, Survivor, TESTS_OF_LINE, UnsafeUseReport, WithoutTest, WrittenTest, named,
};
pub use differences::{Difference, Differences, PassesOn, resources_differ};
pub use explanation::{
    CallReport, ClassExplanation, DependenceReport, DroppedTest, EdgeReport, Explanations,
    MethodReport, ModelReport, ObjectsReport,
};
pub use left::{KnownTest, Left, LeftClass, LeftFinding, left_json, read_left};
pub use page::{CLASS_FILES, class_page, class_page_name, codes_page, index_page, json};
pub use picture::drawn_edges;
pub use sarif::sarif;
pub use stored::{EXPLANATION_VERSION, explanations_json, read_explanations};
