//! Calls of the kernel that no Java code makes but native code could, tried behind the launcher by this very program.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "these tests are about processes")]
#![expect(unsafe_code, reason = "system calls by their number")]

use std::io::{Error, Write};
use std::process::Command;

/// Says that this process is the one that tries.
const TRIES: &str = "PALUS_LAUNCHER_TRIES";

/// What was tried, and how the kernel answered: an error number, or 0.
fn attempts() -> Vec<(&'static str, i32)> {
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
    let calls: Vec<(&str, i64, [i64; 6])> = vec![
        ("shmget", libc::SYS_shmget, [0, 4096, 0o600, 0, 0, 0]),
        ("semget", libc::SYS_semget, [0, 1, 0o600, 0, 0, 0]),
        ("msgget", libc::SYS_msgget, [0, 0o600, 0, 0, 0, 0]),
        (
            "fchownat",
            libc::SYS_fchownat,
            [-100, path_address, 0, 0, 0, 0],
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
        ("setuid", libc::SYS_setuid, [0, 0, 0, 0, 0, 0]),
        (
            "io_uring_setup",
            libc::SYS_io_uring_setup,
            [1, 0, 0, 0, 0, 0],
        ),
        ("ptrace", libc::SYS_ptrace, [0, 0, 0, 0, 0, 0]),
        ("bpf", libc::SYS_bpf, [0, 0, 0, 0, 0, 0]),
        ("keyctl", libc::SYS_keyctl, [0, 0, 0, 0, 0, 0]),
    ];
    let mut answers = Vec::new();
    for (what, number, a) in calls {
        // SAFETY: the addresses are of values that live to the end of this function; a new process ends at once.
        let answer = unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]) };
        if answer == 0 && number == libc::SYS_clone {
            // SAFETY: takes no pointer.
            unsafe { libc::_exit(0) };
        }
        let error = Error::last_os_error().raw_os_error().unwrap_or_default();
        answers.push((what, if answer < 0 { error } else { 0 }));
    }
    std::fs::remove_file(&path).unwrap();
    answers
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
    let output = Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--no-landlock", "--"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "--nocapture"])
        .arg("calls_by_which_native_code_reaches_others_are_refused")
        .env(TRIES, "")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // A line of the test harness may stand before the first.
    let answers: Vec<(&str, &str)> = text
        .lines()
        .filter_map(|line| line.split_once("answer ")?.1.split_once('='))
        .collect();
    assert_eq!(answers.len(), 21, "{text}");
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
