//! Everything verifying needs, and what it drops.
//!
//! Comes in: project, facts, settings. Goes out: the types that preparing and verifying test classes share, and the names
//! of a test class and its file.
//! Does not know: how tests are verified.

use crate::subject::project::Project;
use crate::verify::DropReason;
use crate::worker::WorkerSettings;
use crate::{Cancel, Listener, Settings};
use palus_analyze::Facts;
use palus_bytecode::internal_name;
use palus_suite::TestClass;

/// Everything verifying needs.
pub(crate) struct Verifier<'a> {
    pub(crate) project: &'a Project,
    pub(crate) facts: &'a Facts,
    pub(crate) settings: &'a Settings,
    pub(crate) worker_settings: &'a WorkerSettings,
    pub(crate) cancel: &'a Cancel,
    pub(crate) listener: &'a dyn Listener,
}

/// A test to drop.
pub(crate) struct Bad {
    pub(crate) class: usize,
    pub(crate) test: usize,
    pub(crate) reason: DropReason,
    pub(crate) text: String,
}

/// `com/acme/AccountPalusTest.java`
pub(crate) fn relative_path(class: &TestClass) -> String {
    format!("{}.java", internal_name(&binary_name(class)))
}

/// `com.acme.AccountPalusTest`
pub(crate) fn binary_name(class: &TestClass) -> String {
    if class.package.is_empty() {
        class.name.clone()
    } else {
        format!("{}.{}", class.package, class.name)
    }
}
