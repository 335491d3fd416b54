//! A panic while one class or finding is worked on: a defect of Palus, and no reason to leave the other classes without
//! tests.
//!
//! Comes in: work that may panic. Goes out: what it gave, or the panic's message.
//! A worker that was in use ends where its owner unwinds, so nobody else gets it in the middle of something.
//! Does not know: what the work is.

use crate::run::unit::UnitResult;
use crate::run::untested::add_all;
use crate::{Error, Level, Listener, message};
use palus_bytecode::{ClassId, Program};
use palus_generate::SkipCode;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What the work gave; where it panics, a unit that says so.
///
/// # Errors
/// Those of the work.
pub(crate) fn caught<T>(
    program: &Program,
    subject: ClassId,
    work: impl FnOnce() -> Result<T, Error>,
    broken: impl FnOnce(UnitResult) -> T,
) -> Result<T, Error> {
    // What the work changes is its own: facts and models are read only, and the pool's locks do not mind a panic.
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let mut unit = UnitResult::new(subject);
        give_up(program, &mut unit, cause(&*panic));
        Ok(broken(unit))
    })
}

/// What a stage made of one class or finding, of which it says at debug level that it begins.
///
/// # Errors
/// Where it panics: the cause, for [`give_up`].
pub(crate) fn bounded<T>(
    listener: &dyn Listener,
    name: &str,
    stage: &str,
    work: impl FnOnce() -> T,
) -> Result<T, String> {
    // Nothing of what a stage changes is used where it panics.
    catch_unwind(AssertUnwindSafe(|| {
        listener.line(Level::Debug, &message::at_stage(name, stage));
        work()
    }))
    .map_err(|panic| cause(&*panic))
}

/// No method of the class has a test, for that cause.
pub(crate) fn give_up(program: &Program, unit: &mut UnitResult, cause: String) {
    unit.broken = Some(cause);
    unit.is_defect = true;
    unit.skipped.clear();
    add_all(program, unit.subject, SkipCode::Defect, &mut unit.skipped);
}

fn cause(panic: &(dyn Any + Send)) -> String {
    format!("a defect of Palus ({}); please report it", said_by(panic))
}

/// What a panic says.
fn said_by(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}
