//! Locking in on Linux, in the order in which it must happen, and then the exec.
//!
//! Comes in: [`Arguments`]. Goes out: the program, with landlock and seccomp around it as far as the kernel has them.
//! Landlock does not check files that are open already, so inherited descriptors go first; the seccomp filter comes
//! last, as it denies what the steps before it need.

use crate::arguments::Arguments;
use crate::streams::{REFUSES, move_wire, say};
use crate::watch::Watch;
use crate::{calls, filter, rights};
use landlock::{
    ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus, Scope, path_beneath_rules,
};
use std::ffi::{CString, OsStr, OsString};
use std::ops::Range;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// Rights are asked for up to this version; an older kernel gives what it has.
const LANDLOCK: ABI = ABI::V6;

/// Between these the path of the program is put, somewhere: who knew where could put another there after the exec.
const PATH_ADDRESSES: Range<usize> = 0x1000_0000_0000..0x6f00_0000_0000;

/// Returns only with what went wrong.
pub fn lock_and_run(arguments: &Arguments) -> String {
    close_inherited();
    if arguments.wire
        && let Err(error) = move_wire()
    {
        return format!("cannot move the standard streams: {error}");
    }
    if let Some(message) = follow_parent(arguments.parent) {
        return message;
    }
    // SAFETY: takes no pointer; fails only where this is a group leader already, which is as good.
    unsafe { libc::setsid() };
    set_limits(arguments);
    if arguments.other_rights {
        rights::change(arguments);
    }
    // Without landlock it would have to hold files by itself, and a name may change after it has looked at it.
    // Whoever may not read a program's file may not look into the program either.
    let is_readable = std::fs::File::open(&arguments.program).is_ok();
    let watch = if arguments.no_landlock || !is_readable {
        None
    } else {
        match Watch::start(arguments) {
            Ok(watch) => Some(watch),
            Err(error) if is_lacking(&error) => None,
            // All JVMs of a run are to be held alike: it was started on the word of one that is watched.
            Err(error) => return format!("cannot start its helper: {error}"),
        }
    };
    offer_to_the_memory_killer();
    let program = match Program::new(arguments) {
        Ok(program) => program,
        Err(message) => return message,
    };
    if let Err(error) = no_new_privileges() {
        return format!("cannot give up privileges: {error}");
    }
    let landlock = if arguments.no_landlock {
        "off"
    } else {
        match confine_files(arguments) {
            Ok(RulesetStatus::FullyEnforced) => "full",
            Ok(RulesetStatus::PartiallyEnforced) => "partial",
            Ok(RulesetStatus::NotEnforced) | Err(_) => "none",
        }
    };
    let holds_files = matches!(landlock, "full" | "partial");
    let filtered = apply_filters(&program, watch, holds_files, arguments);
    let seccomp = if filtered.is_ok() { "on" } else { "off" };
    let denials = match filtered {
        Ok(Denials::Known) => "on",
        Ok(Denials::Unknown) | Err(_) => "off",
        Ok(Denials::Unanswered(error)) => return format!("is left alone by its helper: {error}"),
    };
    say(&format!(
        "landlock={landlock} seccomp={seccomp} denials={denials}"
    ));
    if arguments.require && !(holds_files && seccomp == "on" && denials == "on") {
        return REFUSES.to_owned();
    }
    let error = program.exec();
    format!("cannot run {}: {error}", arguments.program.display())
}

/// What is known of what the kernel denies.
enum Denials {
    Known,
    Unknown,
    /// The kernel asks and nobody answers: whatever is denied would wait for ever.
    Unanswered(std::io::Error),
}

/// Puts the filters in force; with them go the calls to be watched, if files are held by landlock.
fn apply_filters(
    program: &Program,
    watch: Option<Watch>,
    holds_files: bool,
    arguments: &Arguments,
) -> Result<Denials, String> {
    let path = program.path as u64;
    let watch = match watch {
        Some(watch) if !holds_files => {
            watch.dismiss();
            None
        }
        watch => watch,
    };
    if let Some(watch) = watch {
        let watched: Vec<libc::c_long> = calls::watched().collect();
        let filter = filter::compile(path, &watched, arguments.file_limit, arguments.memory_files)?;
        match watch.install(filter) {
            Ok(Ok(())) => return Ok(Denials::Known),
            Ok(Err(error)) => return Ok(Denials::Unanswered(error)),
            Err(_) => {} // as where there is no such thing
        }
    }
    filter::compile(path, &[], None, arguments.memory_files).and_then(|filter| apply(&filter))?;
    Ok(Denials::Unknown)
}

fn apply(filter: &seccompiler::BpfProgram) -> Result<(), String> {
    seccompiler::apply_filter(filter).map_err(|error| error.to_string())
}

/// True where the kernel has no such thing, or this user may not have it; any other trouble may be gone next time.
fn is_lacking(error: &std::io::Error) -> bool {
    let errors = [libc::ENOSYS, libc::EPERM, libc::EACCES, libc::EINVAL];
    error
        .raw_os_error()
        .is_some_and(|error| errors.contains(&error))
}

/// Where memory runs out, the kernel ends this process before any other of the user.
fn offer_to_the_memory_killer() {
    // A system that does not let us leaves all processes alike.
    let _ = std::fs::write("/proc/self/oom_score_adj", "900");
}

/// Descriptors beyond the standard streams may be anything the build's JVM has open.
fn close_inherited() {
    // SAFETY: closes descriptors of this process, none of which is in use here.
    let closed = unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, 0) };
    if closed == 0 {
        return;
    }
    // Before Linux 5.9. The list is read before anything is closed; its own descriptor is among them, closed already.
    let listed = std::fs::read_dir("/proc/self/fd").into_iter().flatten();
    let open: Vec<i32> = listed
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect();
    for descriptor in open.into_iter().filter(|descriptor| *descriptor > 2) {
        // SAFETY: as above; an error means that it is closed.
        unsafe { libc::close(descriptor) };
    }
}

/// Asks the kernel to kill this process when the thread that started it ends.
fn follow_parent(parent: Option<i32>) -> Option<String> {
    // SAFETY: the second argument is a signal number, the rest is ignored.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0) };
    // SAFETY: takes nothing, cannot fail.
    let actual = unsafe { libc::getppid() };
    // It may have ended before the kernel was asked.
    parent
        .is_some_and(|expected| expected != actual)
        .then(|| "was started by a process that is gone".to_owned())
}

/// No core dumps, no real time, no huge files, no more open files and memory of its own than said. Not: processes per user, CPU seconds, and the
/// address space, of which a JVM reserves much more than it uses.
fn set_limits(arguments: &Arguments) {
    let limits = [
        (libc::RLIMIT_CORE, Some(0)),
        (libc::RLIMIT_RTPRIO, Some(0)),
        (libc::RLIMIT_FSIZE, arguments.file_limit),
        (libc::RLIMIT_DATA, arguments.data_limit),
        (libc::RLIMIT_NOFILE, arguments.open_files),
    ];
    for (resource, bound) in limits {
        let Some(bound) = bound else { continue };
        let limit = libc::rlimit {
            rlim_cur: bound,
            rlim_max: bound,
        };
        // SAFETY: `limit` lives through the call. An error leaves a lower limit that was there before.
        unsafe { libc::setrlimit(resource, &raw const limit) };
    }
}

fn no_new_privileges() -> std::io::Result<()> {
    // SAFETY: takes no pointer.
    match unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) } {
        0 => Ok(()),
        _ => Err(std::io::Error::last_os_error()),
    }
}

/// Landlock as far as this kernel has it. Paths that do not exist are left out.
fn confine_files(arguments: &Arguments) -> Result<RulesetStatus, RulesetError> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    let everything = AccessFs::from_all(LANDLOCK);
    let status = Ruleset::default()
        .handle_access(everything)?
        .handle_access(AccessNet::from_all(LANDLOCK))?
        .scope(Scope::from_all(LANDLOCK))?
        .create()?
        .add_rules(path_beneath_rules(&arguments.read, read))?
        .add_rules(path_beneath_rules(
            &arguments.execute,
            read | AccessFs::Execute,
        ))?
        .add_rules(path_beneath_rules(
            &arguments.write,
            everything & !AccessFs::Execute,
        ))?
        .restrict_self()?;
    Ok(status.ruleset)
}

/// The program's path at an address of its own, its arguments and environment, ready for the exec.
struct Program {
    path: *const libc::c_char,
    arguments: Vec<CString>,
    environment: Vec<CString>,
}

impl Program {
    fn new(arguments: &Arguments) -> Result<Program, String> {
        let path = c_string(arguments.program.as_os_str())?;
        let all = std::iter::once(Ok(path.clone()))
            .chain(arguments.rest.iter().map(|argument| c_string(argument)));
        let environment = std::env::vars_os().map(|(name, value)| {
            let mut pair = name.into_vec();
            pair.push(b'=');
            pair.extend(value.into_vec());
            c_string(&OsString::from_vec(pair))
        });
        Ok(Program {
            arguments: all.collect::<Result<_, _>>()?,
            environment: environment.collect::<Result<_, _>>()?,
            path: place(&path)?,
        })
    }

    /// Returns only with an error.
    fn exec(&self) -> std::io::Error {
        let pointers = |texts: &[CString]| -> Vec<*const libc::c_char> {
            let texts = texts.iter().map(|text| text.as_ptr());
            texts.chain([std::ptr::null()]).collect()
        };
        let (arguments, environment) = (pointers(&self.arguments), pointers(&self.environment));
        // SAFETY: three valid pointers, the latter two to arrays that end in null; all live through the call.
        unsafe { libc::execve(self.path, arguments.as_ptr(), environment.as_ptr()) };
        std::io::Error::last_os_error()
    }
}

fn c_string(text: &OsStr) -> Result<CString, String> {
    CString::new(text.as_bytes())
        .map_err(|_| format!("cannot pass {} on: it holds a zero byte", text.display()))
}

/// Copies the path to a page of its own, never to be freed.
fn place(path: &CString) -> Result<*const libc::c_char, String> {
    let bytes = path.as_bytes_with_nul();
    // SAFETY: a new private mapping; the address is a wish, so nothing that is mapped is replaced.
    let page = unsafe {
        libc::mmap(
            somewhere(PATH_ADDRESSES)? as *mut libc::c_void,
            bytes.len(),
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
            -1,
            0,
        )
    };
    if page == libc::MAP_FAILED {
        return Err(format!(
            "has no memory: {}",
            std::io::Error::last_os_error()
        ));
    }
    // SAFETY: the mapping is at least as long as the bytes, writable and ours alone.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), page.cast(), bytes.len()) };
    Ok(page.cast_const().cast())
}

/// A page that nobody can guess.
fn somewhere(range: Range<usize>) -> Result<usize, String> {
    const PAGE: usize = 4096;
    let mut bytes = [0_u8; size_of::<usize>()];
    // SAFETY: the buffer is as long as said.
    let got = unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) };
    if got != bytes.len().cast_signed() {
        let error = std::io::Error::last_os_error();
        return Err(format!("has no random numbers: {error}"));
    }
    let pages = range.len() / PAGE;
    Ok(range.start + usize::from_ne_bytes(bytes) % pages * PAGE)
}
