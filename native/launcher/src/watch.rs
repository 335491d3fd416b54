//! A second process that answers for the kernel, so that what it denies to the program is known.
//!
//! Comes in: [`Arguments`] and a filter. Goes out: the filter in force, with a [`Supervisor`] at its listener.
//! The second process is made before anything is closed to this one, shares its descriptors until it has the listener,
//! and then keeps nothing else open, so that nobody waits for a pipe that it holds.

use crate::arguments::Arguments;
use crate::notes::{Notes, checked};
use crate::supervisor::{self, Rules, Supervisor};
use crate::user_files::UserFiles;
use seccompiler::BpfProgram;
use std::ffi::CStr;
use std::io::{Error, ErrorKind};

/// Milliseconds that either process waits for the other on a machine that is very busy.
const PATIENCE: libc::c_int = 10_000;

/// Read from the memory of this process, to see whether that works.
const SAMPLE: &CStr = c"palus";

/// What the program reads and writes: it opens each once, by the name of its descriptor.
const OWN_PIPES: u32 = 2;

const READY: i32 = 1;
/// In place of a listener: there will be none.
const NONE: i32 = -1;

/// A second process that waits for its listener.
pub struct Watch {
    to_child: libc::c_int,
    from_child: libc::c_int,
}

impl Watch {
    /// Starts it.
    ///
    /// # Errors
    /// Where the system does not let one process look into the other; there is no second process then.
    pub fn start(arguments: &Arguments) -> Result<Watch, Error> {
        let supervisor = Supervisor {
            process: std::process::id(),
            file_limit: arguments.file_limit,
            rules: Rules::new(arguments),
            users: UserFiles::new(arguments),
            notes: Notes::make()?,
            pipes: OWN_PIPES,
        };
        let (from_parent, to_child) = pipe()?;
        let (from_child, to_parent) = pipe()?;
        let none: libc::c_long = 0;
        // The parent of this process reaps it together with this one; the program would not.
        let flags = libc::c_long::from(libc::CLONE_FILES | libc::CLONE_PARENT | libc::SIGCHLD);
        // SAFETY: without a stack of its own the child goes on here on a copy of this one, as after a fork; there is
        // one thread only.
        let child = unsafe { libc::syscall(libc::SYS_clone, flags, none, none, none, none) };
        if child == 0 {
            run(supervisor, from_parent, to_parent);
        }
        let child = checked(child as libc::c_int)?;
        let watch = Watch {
            to_child,
            from_child,
        };
        // Where only ancestors may look into a process; elsewhere it is an error that changes nothing.
        // SAFETY: takes no pointer.
        unsafe { libc::prctl(libc::PR_SET_PTRACER, child, 0, 0, 0) };
        match watch.ask(READY) {
            Ok(()) => Ok(watch),
            Err(error) => {
                watch.dismiss();
                Err(error)
            }
        }
    }

    fn ask(&self, message: i32) -> Result<(), Error> {
        tell(self.to_child, message)?;
        match hear(self.from_child, PATIENCE)? {
            READY => Ok(()),
            error => Err(Error::from_raw_os_error(error)),
        }
    }

    /// Puts the filter in force. What it answers with an error of permission is asked of the second process.
    ///
    /// # Errors
    /// In the first place where the kernel has no such filters: none is in force. In the second where the filter is in
    /// force and nobody answers for it.
    pub fn install(self, mut filter: BpfProgram) -> Result<Result<(), Error>, Error> {
        const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
        for step in &mut filter {
            if step.code == RETURN && step.k == libc::SECCOMP_RET_ERRNO | libc::EPERM as u32 {
                step.k = libc::SECCOMP_RET_USER_NOTIF;
            }
        }
        let program = libc::sock_fprog {
            len: filter.len() as u16,
            filter: filter.as_mut_ptr().cast(),
        };
        // SAFETY: the program and its steps, which both crates lay out as the kernel does, live through the call.
        let listener = unsafe {
            libc::syscall(
                libc::SYS_seccomp,
                libc::SECCOMP_SET_MODE_FILTER,
                libc::SECCOMP_FILTER_FLAG_NEW_LISTENER,
                &raw const program,
            )
        };
        match checked(listener as libc::c_int) {
            Ok(listener) => Ok(self.ask(listener)),
            Err(error) => {
                self.dismiss();
                Err(error)
            }
        }
    }

    /// Ends it: nothing will be asked of it.
    pub fn dismiss(self) {
        // One that is gone already needs no word.
        let _ = tell(self.to_child, NONE);
        // SAFETY: a descriptor of this process, which nobody is told of.
        unsafe { libc::close(crate::notes::DESCRIPTOR) };
    }
}

/// What the second process does.
fn run(mut supervisor: Supervisor, input: libc::c_int, output: libc::c_int) -> ! {
    if let Ok(listener) = prepare(&supervisor, input, output) {
        supervisor.serve(listener);
    }
    // SAFETY: takes no pointer; what the other process registered for its end is not run.
    unsafe { libc::_exit(0) };
}

/// Everything before the first call; gives the listener.
fn prepare(
    supervisor: &Supervisor,
    input: libc::c_int,
    output: libc::c_int,
) -> Result<libc::c_int, Error> {
    hear(input, PATIENCE)?;
    let sample = supervisor::read_text(supervisor.process, SAMPLE.as_ptr() as u64);
    let answer = match &sample {
        Ok(text) if text.as_encoded_bytes() == SAMPLE.to_bytes() => READY,
        Ok(_) => libc::EIO,
        Err(error) => error.raw_os_error().unwrap_or(libc::EIO),
    };
    tell(output, answer)?;
    let listener = hear(input, PATIENCE)?;
    if listener == NONE {
        return Err(ErrorKind::Unsupported.into());
    }
    keep_only(listener, output)?;
    // SAFETY: texts that end in a zero and live through the calls. The folder is to be free to be removed.
    unsafe {
        libc::chdir(c"/".as_ptr());
        libc::prctl(libc::PR_SET_NAME, c"palus-denials".as_ptr(), 0, 0, 0);
    }
    tell(output, READY)?;
    // SAFETY: a descriptor of this process.
    unsafe { libc::close(output) };
    Ok(listener)
}

/// Closes all but these two, in this process only.
fn keep_only(one: libc::c_int, other: libc::c_int) -> Result<(), Error> {
    // SAFETY: takes no pointer: the table of descriptors is this process's own from here on.
    checked(unsafe { libc::unshare(libc::CLONE_FILES) })?;
    let (low, high) = (one.min(other), one.max(other));
    for (from, to) in [
        (0, low - 1),
        (low + 1, high - 1),
        (high + 1, libc::c_int::MAX),
    ] {
        if from <= to {
            // SAFETY: closes descriptors that nothing here uses.
            checked(unsafe { libc::syscall(libc::SYS_close_range, from, to, 0) } as libc::c_int)?;
        }
    }
    Ok(())
}

fn pipe() -> Result<(libc::c_int, libc::c_int), Error> {
    let mut ends = [0; 2];
    // SAFETY: the pointer is to room for two.
    checked(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    Ok((ends[0], ends[1]))
}

fn tell(descriptor: libc::c_int, message: i32) -> Result<(), Error> {
    let bytes = message.to_ne_bytes();
    // SAFETY: the bytes live through the call. So few are written at once.
    match unsafe { libc::write(descriptor, bytes.as_ptr().cast(), bytes.len()) } {
        4 => Ok(()),
        _ => Err(Error::last_os_error()),
    }
}

fn hear(descriptor: libc::c_int, patience: libc::c_int) -> Result<i32, Error> {
    let mut poll = libc::pollfd {
        fd: descriptor,
        events: libc::POLLIN,
        revents: 0,
    };
    let mut bytes = [0; 4];
    // SAFETY: one struct, as said; then room for as many bytes as said.
    let read = unsafe {
        match checked(libc::poll(&raw mut poll, 1, patience))? {
            0 => return Err(ErrorKind::TimedOut.into()),
            _ => libc::read(descriptor, bytes.as_mut_ptr().cast(), bytes.len()),
        }
    };
    if read == 4 {
        Ok(i32::from_ne_bytes(bytes))
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}
