//! Damaged bytes against everything that reads bytes from elsewhere: no panic, no hang, no unbounded memory.
//!
//! Comes in: a count of inputs, a seed. Goes out: what was read, or the first input that a reader fails on.
//! Inputs are good ones with bytes changed, cut out, doubled or put in; the same seed gives the same inputs.
//! Does not know: what a good input means.

mod failure;
mod mutator;
mod seeds;
mod targets;
mod watch;

pub use failure::Failure;
pub use mutator::Mutator;
pub use targets::targets;

use peak_alloc::PeakAlloc;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What is counted is the memory of the whole process, so only one input is read at a time.
static ALONE: Mutex<()> = Mutex::new(());

/// A reader and inputs that it takes.
pub struct Target {
    /// What is read.
    pub name: &'static str,
    /// Good inputs.
    pub seeds: Vec<Vec<u8>>,
    /// True if the bytes were taken without a complaint.
    pub read: fn(&[u8]) -> bool,
    /// Its part of all inputs, in hundredths: those that are read fast get more.
    pub share: u64,
    /// Bytes of memory that any input may cost, however small.
    pub memory: usize,
    /// Bytes of memory that each byte of an input may cost beside that.
    pub memory_per_byte: usize,
}

/// What came of the inputs of one target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Inputs read.
    pub executions: u64,
    /// Those that the reader took without a complaint.
    pub accepted: u64,
    /// What the slowest one took; on a busy machine, time that others had is part of it.
    pub slowest: Duration,
    /// Bytes that were allocated at once for the dearest one.
    pub most_memory: usize,
}

/// Runs so many damaged inputs through one reader. An input that it reads for longer than [`watch::LONGEST`] ends the
/// process.
///
/// # Errors
/// The first input that it panics on, or that takes more memory than an input of its length may.
pub fn run(target: &Target, executions: u64, seed: u64) -> Result<Figures, Failure> {
    let _alone = alone();
    let mut mutator = Mutator::new(seed);
    let mut figures = Figures::default();
    for _ in 0..executions {
        let input = mutator.damage(&target.seeds);
        let taken = one(target, &input).map_err(|what| Failure { what, input })?;
        figures.executions += 1;
        figures.accepted += u64::from(taken.is_accepted);
        figures.slowest = figures.slowest.max(taken.time);
        figures.most_memory = figures.most_memory.max(taken.memory);
    }
    Ok(figures)
}

/// True if the reader takes an input.
///
/// # Errors
/// What it does instead of reading or refusing.
pub fn takes(target: &Target, input: &[u8]) -> Result<bool, String> {
    let _alone = alone();
    one(target, input).map(|taken| taken.is_accepted)
}

fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Taken {
    is_accepted: bool,
    time: Duration,
    memory: usize,
}

fn one(target: &Target, input: &[u8]) -> Result<Taken, String> {
    watch::begin(target.name, input);
    MEMORY.reset_peak_usage();
    let before = MEMORY.current_usage();
    let start = watch::now();
    let read = catch_unwind(AssertUnwindSafe(|| (target.read)(input)));
    let time = start.elapsed();
    let memory = MEMORY.peak_usage().saturating_sub(before);
    watch::end();
    let is_accepted = read.map_err(|_| "it panics".to_owned())?;
    let most = target.memory + input.len() * target.memory_per_byte;
    if memory > most {
        return Err(format!(
            "it takes {memory} bytes of memory for {} bytes of input, {most} are allowed",
            input.len()
        ));
    }
    Ok(Taken {
        is_accepted,
        time,
        memory,
    })
}
