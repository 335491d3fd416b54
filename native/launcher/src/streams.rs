//! The launcher's standard streams: where the wire goes, and the one line that the engine reads.
//!
//! Comes in: a message. Goes out: descriptors moved, the line written.
//! Does not know: what the program does.

use std::io::Write;

/// What is said where the program is not run, as what must be closed is open.
pub(crate) const REFUSES: &str = "refuses to run anything, for landlock or seccomp is missing";

/// Standard input and output go to descriptors 3 and 4, where only who knows of them finds them; whatever the program
/// writes to its own standard output then goes to the null device.
#[cfg(unix)]
pub(crate) fn move_wire() -> std::io::Result<()> {
    let checked = |result: libc::c_int| match result {
        -1 => Err(std::io::Error::last_os_error()),
        descriptor => Ok(descriptor),
    };
    for (from, to, mode) in [(0, 3, libc::O_RDONLY), (1, 4, libc::O_WRONLY)] {
        // SAFETY: descriptors of this process; 3 and 4 are in use by nobody.
        checked(unsafe { libc::dup2(from, to) })?;
        // SAFETY: the path ends in a zero and lives through the call.
        let null = checked(unsafe { libc::open(c"/dev/null".as_ptr(), mode) })?;
        // SAFETY: as above; the standard stream is replaced.
        checked(unsafe { libc::dup2(null, from) })?;
        // SAFETY: opened above, and used by nobody else.
        unsafe { libc::close(null) };
    }
    Ok(())
}

/// One line on standard error, which the engine reads.
pub(crate) fn say(message: &str) {
    // Nobody is left to tell where standard error is closed.
    let _ = writeln!(std::io::stderr(), "palus-launcher {message}");
}
