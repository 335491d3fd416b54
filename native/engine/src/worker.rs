//! Worker JVMs: the only place where subject code runs.
//!
//! Comes in: [`WorkerSettings`], a program, sequences. Goes out: outcomes, through the `Executor` trait; class files of
//! the platform. Every process is a child of one thread that lives as long as the pool (see [`process::Spawner`]),
//! sandboxed by the launcher where there is one (see [`sandbox`]), and killed with its group at the latest when the
//! pool is dropped.
//! Does not know: why a sequence is run.

pub mod agents;
mod clock;
mod folder;
pub mod guards;
mod jvm;
pub mod platform;
mod pool;
pub mod process;
pub mod sandbox;
mod settings;
mod supervisor;
pub(crate) mod translate;
pub(crate) mod usage;
pub(crate) mod usual_files;

pub(crate) use clock::now;
pub(crate) use folder::{PrivateFolder, VERIFY, create_private, is_own_file, make_private};
pub(crate) use jvm::{START, cannot_start, cause, refusal, silent};
pub use pool::WorkerPool;
pub(crate) use settings::sweep;
pub use settings::{
    FUEL, Limits, MAX_DEATHS, MAX_DEPTH, OPEN_FILES, PART_OF_DIRECT_MEMORY, STACK_MIB,
    TIME_LIMIT_IN_STUDIES_MILLIS, TIME_LIMIT_MILLIS, WorkerSettings,
};
pub use supervisor::WorkerExecutor;
