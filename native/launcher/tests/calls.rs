//! Calls of the kernel that no Java code makes but native code could, tried behind the launcher by this very program.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "these tests are about processes")]
#![expect(unsafe_code, reason = "system calls by their number")]

use std::io::{Error, Write};
use std::process::Command;

/// Says that this process is the one that tries.
const TRIES: &str = "PALUS_LAUNCHER_TRIES";

/// What is tried, the number of the call, and its arguments.
type Call = (&'static str, libc::c_long, [i64; 6]);

/// What was tried, and how the kernel answered: an error number, or 0.
type Answer = (&'static str, i32);

fn own_user() -> i64 {
    // SAFETY: takes no pointer.
    unsafe { libc::getuid() }.into()
}

fn attempts() -> Vec<Answer> {
    let parent = i64::from(std::os::unix::process::parent_id());
    let path = std::env::temp_dir().join(format!("palus-calls-{}", std::process::id()));
    std::fs::write(&path, "text").unwrap();
    let mut text = path.clone().into_os_string().into_encoded_bytes();
    text.push(0);
    let path_address = text.as_ptr() as i64;
    let name = c"user.palus".as_ptr() as i64;
    let mask = [u64::MAX; 16];
    let mask = mask.as_ptr() as i64;
    let mut pair = [0_i32; 2];
    let pair_address = pair.as_mut_ptr() as i64;
    let unix = i64::from(libc::AF_UNIX);
    let child = i64::from(libc::SIGCHLD);
    let calls: Vec<Call> = vec![
        ("shmget", libc::SYS_shmget, [0, 4096, 0o600, 0, 0, 0]),
        ("semget", libc::SYS_semget, [0, 1, 0o600, 0, 0, 0]),
        ("msgget", libc::SYS_msgget, [0, 0o600, 0, 0, 0, 0]),
        (
            "fchownat",
            libc::SYS_fchownat,
            [-100, path_address, -1, -1, 0, 0],
        ),
        (
            "setxattr",
            libc::SYS_setxattr,
            [path_address, name, name, 1, 0, 0],
        ),
        (
            "mknodat",
            libc::SYS_mknodat,
            [-100, path_address, 0o10_600, 0, 0, 0],
        ),
        (
            "sched_setaffinity",
            libc::SYS_sched_setaffinity,
            [parent, 128, mask, 0, 0, 0],
        ),
        (
            "setpriority",
            libc::SYS_setpriority,
            [0, parent, 0, 0, 0, 0],
        ),
        (
            "setpriority of its group",
            libc::SYS_setpriority,
            [1, 0, 0, 0, 0, 0],
        ),
        (
            "setpriority of its user",
            libc::SYS_setpriority,
            [2, 0, 0, 0, 0, 0],
        ),
        (
            "unshare",
            libc::SYS_unshare,
            [i64::from(libc::CLONE_NEWUSER), 0, 0, 0, 0, 0],
        ),
        ("a process", libc::SYS_clone, [child, 0, 0, 0, 0, 0]),
        (
            "a user name space",
            libc::SYS_clone,
            [child | i64::from(libc::CLONE_NEWUSER), 0, 0, 0, 0, 0],
        ),
        ("clone3", libc::SYS_clone3, [0, 0, 0, 0, 0, 0]),
        (
            "datagrams",
            libc::SYS_socketpair,
            [unix, i64::from(libc::SOCK_DGRAM), 0, pair_address, 0, 0],
        ),
        (
            "streams",
            libc::SYS_socketpair,
            [unix, i64::from(libc::SOCK_STREAM), 0, pair_address, 0, 0],
        ),
        ("sendto", libc::SYS_sendto, [1, name, 1, 0, name, 10]),
        ("setuid", libc::SYS_setuid, [own_user(), 0, 0, 0, 0, 0]),
        (
            "io_uring_setup",
            libc::SYS_io_uring_setup,
            [1, 0, 0, 0, 0, 0],
        ),
        ("ptrace", libc::SYS_ptrace, [0, 0, 0, 0, 0, 0]),
        ("bpf", libc::SYS_bpf, [-1, 0, 0, 0, 0, 0]),
        ("keyctl", libc::SYS_keyctl, [0, 0, 0, 0, 0, 0]),
    ];
    let answers = make(&calls);
    std::fs::remove_file(&path).unwrap();
    answers
}

/// Makes the calls in order. Their addresses are of values that live as long as the test.
fn make(calls: &[Call]) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (what, number, a) in calls {
        // SAFETY: the addresses are of values that live to the end of the caller; a new process ends at once.
        let answer = unsafe { libc::syscall(*number, a[0], a[1], a[2], a[3], a[4], a[5]) };
        if answer == 0 && *number == libc::SYS_clone {
            // SAFETY: takes no pointer.
            unsafe { libc::_exit(0) };
        }
        let error = Error::last_os_error().raw_os_error().unwrap_or_default();
        answers.push((*what, if answer < 0 { error } else { 0 }));
    }
    answers
}

/// A call with its first arguments; the others are 0.
fn call(what: &'static str, number: libc::c_long, arguments: &[i64]) -> Call {
    let mut all = [0; 6];
    all[..arguments.len()].copy_from_slice(arguments);
    (what, number, all)
}

fn int(value: libc::c_int) -> i64 {
    value.into()
}

/// What arguments lead to.
struct Things {
    /// Address of the name of a program.
    program: i64,
    parent: i64,
    own: i64,
    /// The end of a pipe that is read.
    reader: i64,
    /// Address of a file name that there is not.
    name: i64,
    /// Address of a high limit.
    limit: i64,
    /// Address of room for answers.
    room: i64,
}

const DATA: i64 = libc::RLIMIT_DATA as i64;

/// The arguments decide.
fn refused_by_arguments(things: &Things) -> Vec<Call> {
    let Things {
        parent,
        own,
        reader,
        name,
        limit,
        room,
        ..
    } = *things;
    let [set_async, type_in] = [libc::FIOASYNC, libc::TIOCSTI].map(u64::cast_signed);
    vec![
        // Signals to whoever is named the owner of a pipe; 10 sets which, here one that does no harm.
        call(
            "owner",
            libc::SYS_fcntl,
            &[reader, int(libc::F_SETOWN), parent],
        ),
        call(
            "its signal",
            libc::SYS_fcntl,
            &[reader, 10, int(libc::SIGCHLD)],
        ),
        call(
            "a larger pipe",
            libc::SYS_fcntl,
            &[reader, int(libc::F_SETPIPE_SZ), 1 << 20],
        ),
        call("async", libc::SYS_ioctl, &[reader, set_async, room]),
        call("typing", libc::SYS_ioctl, &[0, type_in, name]),
        // To outlive the engine, and to raise the limits that the launcher set.
        call("outlive", libc::SYS_prctl, &[int(libc::PR_SET_PDEATHSIG)]),
        call("limit", libc::SYS_setrlimit, &[DATA, limit]),
        call("limit of 0", libc::SYS_prlimit64, &[0, DATA, limit]),
        call("limit of its id", libc::SYS_prlimit64, &[own, DATA, limit]),
        call(
            "limits of others",
            libc::SYS_prlimit64,
            &[parent, DATA, 0, room],
        ),
        // To others nothing is sent, not even what asks whether they are there.
        call("kill", libc::SYS_kill, &[parent]),
        call("tgkill", libc::SYS_tgkill, &[parent, parent]),
        call("kill all", libc::SYS_kill, &[-1]),
        // A thread that goes to a folder alone: names would be asked for in that of the others.
        call(
            "a folder of its own",
            libc::SYS_clone,
            &[int(libc::CLONE_THREAD
                | libc::CLONE_VM
                | libc::CLONE_SIGHAND
                | libc::CLONE_FILES)],
        ),
        call("a high priority", libc::SYS_setpriority, &[0, 0, -1]),
    ]
}

/// On no list.
fn refused(things: &Things) -> Vec<Call> {
    let Things {
        program,
        name,
        room,
        ..
    } = *things;
    let (inet, stream) = (int(libc::AF_INET), int(libc::SOCK_STREAM));
    vec![
        call("socket", libc::SYS_socket, &[inet, stream]),
        call("sendmsg", libc::SYS_sendmsg, &[1, room]),
        call("execve", libc::SYS_execve, &[program]),
        call("execveat", libc::SYS_execveat, &[-100, name]),
        call("seccomp", libc::SYS_seccomp, &[99]),
        call("personality", libc::SYS_personality, &[]),
        call("mlockall", libc::SYS_mlockall, &[]),
        // In real time, without end, and what all programs of a user have few of.
        call(
            "sched_setscheduler",
            libc::SYS_sched_setscheduler,
            &[0, 1, name],
        ),
        call("sched_setattr", libc::SYS_sched_setattr, &[0, room]),
        call("timer_create", libc::SYS_timer_create, &[0, 0, room]),
        call("inotify_init1", libc::SYS_inotify_init1, &[]),
        call("process_mrelease", libc::SYS_process_mrelease, &[-1]),
        call(
            "get_robust_list",
            libc::SYS_get_robust_list,
            &[1, room, room],
        ),
        call("getxattr", libc::SYS_getxattr, &[name, name]),
        call("sync", libc::SYS_sync, &[]),
        // Their pages count as nobody's where they are mapped nowhere.
        call("a file in memory", libc::SYS_memfd_create, &[name]),
    ]
}

/// What only younger kernels have, and the other set of numbers that some x86 kernels have: `socket` and `execve`.
fn unknown() -> Vec<Call> {
    let mut calls = vec![
        call("clone3", libc::SYS_clone3, &[]),
        call("setxattrat", 463, &[-1]),
        call("a call to come", 900, &[]),
    ];
    if cfg!(target_arch = "x86_64") {
        let (unix, stream) = (int(libc::AF_UNIX), int(libc::SOCK_STREAM));
        calls.push(call("other socket", 0x4000_0029, &[unix, stream]));
        calls.push(call("other execve", 0x4000_0208, &[]));
    }
    calls
}

/// Arguments as a JVM has them.
fn allowed(things: &Things) -> Vec<Call> {
    let Things {
        own,
        reader,
        name,
        room,
        ..
    } = *things;
    let (unix, stream) = (
        int(libc::AF_UNIX),
        int(libc::SOCK_STREAM | libc::SOCK_CLOEXEC),
    );
    // SAFETY: takes no pointer.
    let thread = int(unsafe { libc::gettid() });
    let how_many = libc::FIONREAD.cast_signed();
    vec![
        call("flags", libc::SYS_fcntl, &[reader, int(libc::F_GETFL)]),
        call("bytes", libc::SYS_ioctl, &[reader, how_many, room]),
        call("name", libc::SYS_prctl, &[int(libc::PR_SET_NAME), name]),
        call("own limits", libc::SYS_prlimit64, &[0, DATA, 0, room]),
        call("limits by id", libc::SYS_prlimit64, &[own, DATA, 0, room]),
        call("kill itself", libc::SYS_kill, &[own]),
        call("give way", libc::SYS_setpriority, &[0, 0, 0]),
        call("kill its thread", libc::SYS_tgkill, &[own, thread]),
        call(
            "own processors",
            libc::SYS_sched_setaffinity,
            &[0, 512, room],
        ),
        call("pairs", libc::SYS_socketpair, &[unix, stream, 0, room]),
    ]
}

fn more_attempts() -> Vec<(Answer, i32)> {
    let mut pipe = [0_i32; 2];
    // SAFETY: two numbers are written into the array.
    assert_eq!(unsafe { libc::pipe(pipe.as_mut_ptr()) }, 0);
    let limit = libc::rlimit {
        rlim_cur: 1 << 40,
        rlim_max: 1 << 40,
    };
    let mut room = [u64::MAX; 64];
    // Where the path of the program was once put, each time.
    let known = 0x2f00_0000_0000_usize as *mut libc::c_void;
    // SAFETY: a new mapping, which replaces none.
    let page = unsafe {
        let (access, kind) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED_NOREPLACE,
        );
        libc::mmap(known, 4096, access, kind, -1, 0)
    };
    assert_eq!(page, known);
    // SAFETY: the page is writable, and longer.
    unsafe { std::ptr::copy_nonoverlapping(c"/bin/false".as_ptr(), page.cast(), 11) };
    let things = Things {
        program: page as i64,
        parent: std::os::unix::process::parent_id().into(),
        own: std::process::id().into(),
        reader: int(pipe[0]),
        name: c"/no/such/file".as_ptr() as i64,
        limit: (&raw const limit) as i64,
        room: room.as_mut_ptr() as i64,
    };
    let expected = [
        (refused_by_arguments(&things), libc::EPERM),
        (refused(&things), libc::EPERM),
        (unknown(), libc::ENOSYS),
        (allowed(&things), 0),
    ];
    let tried = expected.iter().flat_map(|(calls, expected)| {
        let answers = make(calls).into_iter();
        answers.map(|answer| (answer, *expected))
    });
    tried.collect()
}

/// Runs this test of this very program behind the launcher, and gives what it wrote.
fn behind_the_launcher(name: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--no-landlock", "--"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture", name])
        .env(TRIES, "")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{error}");
    text
}

#[test]
fn only_what_is_listed_is_allowed_and_what_is_young_looks_unknown() {
    if std::env::var_os(TRIES).is_some() {
        for ((what, answer), expected) in more_attempts() {
            assert_eq!(answer, expected, "{what}");
        }
        return;
    }
    let text =
        behind_the_launcher("only_what_is_listed_is_allowed_and_what_is_young_looks_unknown");
    assert!(text.contains("1 passed"), "{text}");
}

#[test]
fn calls_by_which_native_code_reaches_others_are_refused() {
    if std::env::var_os(TRIES).is_some() {
        let mut out = std::io::stdout();
        for (what, answer) in attempts() {
            writeln!(out, "answer {what}={answer}").unwrap();
        }
        let score = std::fs::read_to_string("/proc/self/oom_score_adj").unwrap();
        writeln!(out, "answer score={}", score.trim()).unwrap();
        return;
    }
    let own = std::env::current_exe().unwrap().into_os_string();
    let mut path = own.into_encoded_bytes();
    path.push(0);
    let path = path.as_ptr() as i64;
    let free = make(&[
        call("fchownat", libc::SYS_fchownat, &[-100, path, -1, -1]),
        call("setuid", libc::SYS_setuid, &[own_user()]),
    ]);
    assert_eq!(free, [("fchownat", 0), ("setuid", 0)], "with no filter");
    let text = behind_the_launcher("calls_by_which_native_code_reaches_others_are_refused");
    // A line of the test harness may stand before the first.
    let answers: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once("answer ")?.1.split_once('='))
        .collect();
    assert_eq!(answers.len(), 23, "{text}");
    for (what, answer) in answers {
        let expected = match what {
            "clone3" => libc::ENOSYS.to_string(),
            "streams" => "0".to_owned(),
            "score" => "900".to_owned(),
            _ => libc::EPERM.to_string(),
        };
        assert_eq!(answer, expected, "{what}");
    }
}
