//! A tiny program that locks itself in and becomes a worker JVM.
//!
//! ```text
//! palus-launcher --read PATH... --execute PATH... --write PATH... [--user PATH...] [--temporary PATH] --file-limit BYTES [--data-limit BYTES] [--parent PID]
//!                [--no-landlock] [--require] [--other-rights] [--memory-files] [--wire] -- PROGRAM ARGUMENT...
//! ```
//!
//! Comes in: the paths the program may use. Goes out: one line on standard error that says which guards hold
//! (`palus-launcher landlock=full seccomp=on denials=on`), and then the program itself, in this very process.
//! It exists so that nothing runs between fork and exec in the build's JVM, which has many threads.
//! Does not know: Java. Elsewhere than on Linux it only runs the program, and says so.
#![cfg_attr(
    unix,
    expect(
        unsafe_code,
        reason = "system calls that have no safe form; each with a SAFETY note"
    )
)]

mod arguments;
#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod filter;
#[cfg(target_os = "linux")]
mod lengths;
#[cfg(target_os = "linux")]
mod lock;
#[cfg(target_os = "linux")]
mod notes;
#[cfg(target_os = "linux")]
mod paths;
#[cfg(target_os = "linux")]
mod rights;
mod streams;
#[cfg(target_os = "linux")]
mod supervisor;
#[cfg(target_os = "linux")]
mod user_files;
#[cfg(target_os = "linux")]
mod watch;

use arguments::Arguments;
#[cfg(not(target_os = "linux"))]
use streams::REFUSES;
#[cfg(all(unix, not(target_os = "linux")))]
use streams::move_wire;
use streams::say;

/// Exit code where the program could not be run, as shells have it.
const CANNOT_RUN: i32 = 127;

fn main() {
    let message = match arguments::parse(std::env::args_os().skip(1)) {
        Ok(arguments) => become_program(&arguments),
        Err(message) => message,
    };
    say(&message);
    std::process::exit(CANNOT_RUN);
}

/// Never returns but with what went wrong.
fn become_program(arguments: &Arguments) -> String {
    #[cfg(target_os = "linux")]
    return lock::lock_and_run(arguments);
    #[cfg(not(target_os = "linux"))]
    return run_only(arguments);
}

#[cfg(all(unix, not(target_os = "linux")))]
fn run_only(arguments: &Arguments) -> String {
    use std::os::unix::process::CommandExt;
    // SAFETY: setsid takes no pointer and only fails.
    unsafe { libc::setsid() };
    say("landlock=none seccomp=off denials=off");
    if arguments.require {
        return REFUSES.to_owned();
    }
    if arguments.wire
        && let Err(error) = move_wire()
    {
        return format!("cannot move the standard streams: {error}");
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "becoming the program is what the launcher is for"
    )]
    let error = std::process::Command::new(&arguments.program)
        .args(&arguments.rest)
        .exec();
    format!("cannot run {}: {error}", arguments.program.display())
}

#[cfg(not(unix))]
fn run_only(arguments: &Arguments) -> String {
    say("landlock=none seccomp=off denials=off");
    if arguments.require {
        return REFUSES.to_owned();
    }
    #[expect(
        clippy::disallowed_methods,
        reason = "becoming the program is what the launcher is for"
    )]
    let status = std::process::Command::new(&arguments.program)
        .args(&arguments.rest)
        .status();
    match status {
        Ok(status) => std::process::exit(status.code().unwrap_or(CANNOT_RUN)),
        Err(error) => format!("cannot run {}: {error}", arguments.program.display()),
    }
}
