//! What is noted of the calls that the kernel denies, tried behind the launcher by this very program.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "these tests are about processes")]
#![expect(unsafe_code, reason = "system calls by their number")]

use std::ffi::CString;
use std::io::{Error, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

/// The folders inside and outside, for the process that tries.
const INSIDE: &str = "PALUS_LAUNCHER_INSIDE";
const OUTSIDE: &str = "PALUS_LAUNCHER_OUTSIDE";

/// Further into a file than it may be long.
const FAR: i64 = 2 << 20;

/// One call: what is shown of it, its number and arguments.
type Call = (&'static str, libc::c_long, [i64; 5]);

fn call(number: libc::c_long, a: [i64; 5]) -> i32 {
    // SAFETY: the addresses are of values that the caller keeps; a new process ends at once.
    let answer = unsafe { libc::syscall(number, a[0], a[1], a[2], a[3], a[4]) };
    if answer == 0 && number == libc::SYS_clone {
        // SAFETY: takes no pointer.
        unsafe { libc::_exit(0) };
    }
    let error = Error::last_os_error().raw_os_error().unwrap_or_default();
    if answer < 0 { error } else { 0 }
}

/// How many notes there were so far, and the thread and the text of each since so many.
///
/// There is room for 127; where the loader looks for libraries in many folders, it fills some of them before the
/// program begins.
fn notes(since: usize) -> (usize, Vec<(u32, String)>) {
    let bytes = std::fs::read("/proc/self/fd/5").unwrap();
    let count = u64::from_ne_bytes(bytes[..8].try_into().unwrap()) as usize;
    let number = |at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    let note = |index: usize| {
        let at = 64 + 512 * (index % 127);
        let text = &bytes[at + 8..at + 8 + number(at + 4) as usize];
        (number(at), String::from_utf8(text.to_vec()).unwrap())
    };
    (count, (since..count).map(note).collect())
}

/// How many calls that may change files went on so far.
fn changes() -> u64 {
    let bytes = std::fs::read("/proc/self/fd/5").unwrap();
    u64::from_ne_bytes(bytes[8..16].try_into().unwrap())
}

/// The address of a text that lies where the kernel alone can read it for the program.
fn only_to_write(text: &std::ffi::CStr) -> i64 {
    let bytes = text.to_bytes_with_nul();
    assert!(bytes.len() <= 4096);
    // SAFETY: a new mapping, which replaces none; the text fits into it.
    unsafe {
        let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let page = libc::mmap(std::ptr::null_mut(), 4096, libc::PROT_WRITE, kind, -1, 0);
        assert_ne!(page, libc::MAP_FAILED);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), page.cast(), bytes.len());
        page as i64
    }
}

/// Tries all and prints for each the error, what was noted, and whether it counts as a change.
#[expect(clippy::too_many_lines, reason = "a list of cases")]
fn attempt() {
    let inside = std::env::var(INSIDE).unwrap();
    let outside = std::env::var(OUTSIDE).unwrap();
    let text = |folder: &str, name: &str| CString::new(format!("{folder}/{name}")).unwrap();
    let precious = text(&outside, "precious");
    let missing = text(&outside, "missing");
    let lost = text(&outside, "no/such/folder");
    let own = text(&inside, "own");
    let link = text(&inside, "link");
    let dangling = text(&inside, "dangling");
    let leading = text(&inside, "leading");
    let up = text(&inside, "../up");
    let temporary = text(&inside, "temporary/t123456789012345");
    let moved = text(&inside, "temporary/t123456789012345.moved");
    std::fs::write(own.to_str().unwrap(), "text").unwrap();
    let file = std::fs::File::open(own.to_str().unwrap()).unwrap();
    let writable = std::fs::File::options()
        .write(true)
        .open(own.to_str().unwrap())
        .unwrap();
    let (long, short) = (i64::from(writable.as_raw_fd()), i64::from(file.as_raw_fd()));
    let read_only = std::fs::File::open("/etc/ld.so.cache").unwrap();
    let pipe = std::io::pipe().unwrap();
    let to_pipe = CString::new(format!("/proc/self/fd/{}", pipe.1.as_raw_fd())).unwrap();
    let null = c"/dev/null";
    let random = c"/dev/urandom";
    let at = |text: &std::ffi::CStr| text.as_ptr() as i64;
    let here = i64::from(libc::AT_FDCWD);
    let flags = |flags: libc::c_int| i64::from(flags);
    let child = i64::from(libc::SIGCHLD);
    // SAFETY: take nothing, cannot fail.
    let (user, group) = unsafe { (i64::from(libc::geteuid()), i64::from(libc::getegid())) };
    let parent = i64::from(std::os::unix::process::parent_id());
    let make = flags(libc::O_WRONLY | libc::O_CREAT);
    let new = make | flags(libc::O_EXCL);
    let calls: Vec<Call> = vec![
        // Files outside.
        ("delete", libc::SYS_unlinkat, [here, at(&precious), 0, 0, 0]),
        (
            "delete nothing",
            libc::SYS_unlinkat,
            [here, at(&missing), 0, 0, 0],
        ),
        (
            "delete by a link",
            libc::SYS_unlinkat,
            [here, at(&link), 0, 0, 0],
        ),
        (
            "write",
            libc::SYS_openat,
            [here, at(&precious), flags(libc::O_WRONLY), 0, 0],
        ),
        (
            "make",
            libc::SYS_openat,
            [here, at(&missing), make, 0o600, 0],
        ),
        (
            "make by a link",
            libc::SYS_openat,
            [here, at(&dangling), make, 0o600, 0],
        ),
        (
            "make above",
            libc::SYS_openat,
            [here, at(&up), make, 0o600, 0],
        ),
        (
            "make a folder",
            libc::SYS_mkdirat,
            [here, at(&lost), 0o700, 0, 0],
        ),
        (
            "move in",
            libc::SYS_renameat2,
            [here, at(&precious), here, at(&own), 0],
        ),
        (
            "move out",
            libc::SYS_renameat2,
            [here, at(&own), here, at(&missing), 0],
        ),
        (
            "second name",
            libc::SYS_linkat,
            [here, at(&precious), here, at(&own), 0],
        ),
        (
            "link",
            libc::SYS_symlinkat,
            [at(null), here, at(&missing), 0, 0],
        ),
        (
            "link out",
            libc::SYS_symlinkat,
            [at(&missing), here, at(&leading), 0, 0],
        ),
        (
            "link up",
            libc::SYS_symlinkat,
            [at(c"own/../../out"), here, at(&leading), 0, 0],
        ),
        ("cut", libc::SYS_truncate, [at(&precious), 0, 0, 0, 0]),
        (
            "rights",
            libc::SYS_fchmodat,
            [here, at(&precious), 0o600, 0, 0],
        ),
        (
            "rights by a name only to write",
            libc::SYS_fchmodat,
            [here, only_to_write(&precious), 0o777, 0, 0],
        ),
        (
            "rights of an open file",
            libc::SYS_fchmod,
            [read_only.as_raw_fd().into(), 0o600, 0, 0, 0],
        ),
        ("times", libc::SYS_utimensat, [here, at(&precious), 0, 0, 0]),
        (
            "times of an open file",
            libc::SYS_utimensat,
            [read_only.as_raw_fd().into(), 0, 0, 0, 0],
        ),
        (
            "read",
            libc::SYS_openat,
            [here, at(&precious), flags(libc::O_RDONLY), 0, 0],
        ),
        (
            "list",
            libc::SYS_openat,
            [here, at(c"/"), flags(libc::O_RDONLY), 0, 0],
        ),
        // What the filter refuses.
        ("socket", libc::SYS_socket, [2, 1, 0, 0, 0]),
        ("process", libc::SYS_clone, [child, 0, 0, 0, 0]),
        ("program", libc::SYS_execve, [at(c"/bin/true"), 0, 0, 0, 0]),
        ("signal", libc::SYS_kill, [parent, 0, 0, 0, 0]),
        (
            "owner",
            libc::SYS_fchownat,
            [here, at(&own), user + 1, -1, 0],
        ),
        (
            "group",
            libc::SYS_fchown,
            [file.as_raw_fd().into(), -1, group + 1, 0, 0],
        ),
        (
            "owner outside",
            libc::SYS_fchownat,
            [here, at(&precious), user, group, 0],
        ),
        (
            "own owner",
            libc::SYS_fchownat,
            [here, at(&own), user, -1, 0],
        ),
        (
            "own group",
            libc::SYS_fchown,
            [file.as_raw_fd().into(), user, group, 0, 0],
        ),
        // What goes on.
        (
            "read nothing",
            libc::SYS_openat,
            [here, at(&missing), flags(libc::O_RDONLY), 0, 0],
        ),
        (
            "look",
            libc::SYS_openat,
            [here, at(&precious), flags(libc::O_PATH), 0, 0],
        ),
        ("no name", libc::SYS_unlinkat, [here, 1, 0, 0, 0]),
        (
            "own rights",
            libc::SYS_fchmod,
            [file.as_raw_fd().into(), 0o600, 0, 0, 0],
        ),
        (
            "own times",
            libc::SYS_utimensat,
            [file.as_raw_fd().into(), 0, 0, 0, 0],
        ),
        (
            "pipe",
            libc::SYS_openat,
            [here, at(&to_pipe), flags(libc::O_WRONLY), 0, 0],
        ),
        (
            "null",
            libc::SYS_openat,
            [here, at(null), flags(libc::O_WRONLY), 0, 0],
        ),
        (
            "random",
            libc::SYS_openat,
            [here, at(random), flags(libc::O_RDONLY), 0, 0],
        ),
        (
            "seed",
            libc::SYS_openat,
            [here, at(random), flags(libc::O_WRONLY), 0, 0],
        ),
        (
            "link own",
            libc::SYS_symlinkat,
            [at(&own), here, at(&leading), 0, 0],
        ),
        ("delete own", libc::SYS_unlinkat, [here, at(&own), 0, 0, 0]),
        // A temporary file of the program's own.
        (
            "make temporary",
            libc::SYS_openat,
            [here, at(&temporary), new, 0o600, 0],
        ),
        (
            "write temporary",
            libc::SYS_openat,
            [here, at(&temporary), make, 0o600, 0],
        ),
        (
            "move temporary",
            libc::SYS_renameat2,
            [here, at(&temporary), here, at(&moved), 0],
        ),
        (
            "delete temporary",
            libc::SYS_unlinkat,
            [here, at(&moved), 0, 0, 0],
        ),
        // Beyond the limit of a file's length, and not.
        ("lengthen", libc::SYS_ftruncate, [long, FAR, 0, 0, 0]),
        ("lengthen a bit", libc::SYS_ftruncate, [long, 100, 0, 0, 0]),
        ("room", libc::SYS_fallocate, [long, 0, FAR / 2, FAR / 2, 0]),
        ("room inside", libc::SYS_fallocate, [long, 0, 0, 600_000, 0]),
        ("write far", libc::SYS_pwrite64, [long, at(null), 1, FAR, 0]),
        ("write near", libc::SYS_pwrite64, [long, at(null), 1, 9, 0]),
        ("go far", libc::SYS_lseek, [long, FAR, 0, 0, 0]),
        ("go back", libc::SYS_lseek, [long, -1, 1, 0, 0]),
        ("go far to read", libc::SYS_lseek, [short, FAR, 0, 0, 0]),
    ];
    // What crosses the limit gets a signal, which a JVM does not heed.
    // SAFETY: no handler is set.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
    // SAFETY: takes nothing.
    let thread = unsafe { libc::syscall(libc::SYS_gettid) };
    let mut out = std::io::stdout();
    let (mut seen, _) = notes(usize::MAX);
    for (what, number, arguments) in calls {
        let before = changes();
        let error = call(number, arguments);
        let counted = changes() - before;
        let (count, new) = notes(seen);
        seen = count;
        assert!(
            new.iter().all(|note| i64::from(note.0) == thread),
            "{new:?}"
        );
        let mut new: Vec<String> = new.into_iter().map(|note| note.1).collect();
        new.extend((counted > 0).then(|| format!("counted {counted}")));
        writeln!(out, "answer {what}={error}|{}", new.join("|")).unwrap();
    }
}

/// Runs the test of this name behind the launcher.
fn sandboxed(test: &str, inside: &Path, outside: &Path) -> Output {
    let program = std::env::current_exe().unwrap();
    Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--read", "/proc/self", "/dev/urandom", "/etc/ld.so.cache"])
        .arg("--execute")
        .args(["/lib", "/lib64", "/usr/lib", "/usr/lib64"])
        .arg(program.parent().unwrap())
        .args(["--write", "/dev/null"])
        .arg(inside)
        .arg("--temporary")
        .arg(inside.join("temporary"))
        .args(["--file-limit", "1048576"])
        .arg("--")
        .arg(&program)
        .args(["--exact", "--nocapture", test])
        .env(INSIDE, inside)
        .env(OUTSIDE, outside)
        .current_dir(inside)
        .output()
        .unwrap()
}

/// Where the attempts of this name may fail, and where they may not.
fn attempts_of(test: &str) -> Option<(TempDir, Output)> {
    if std::env::var_os(INSIDE).is_some() {
        attempt();
        return None;
    }
    // The temporary folder is for the test; both are below a folder that may be used by nobody.
    let root = tempfile::tempdir().unwrap();
    let real = root.path().canonicalize().unwrap();
    let (inside, outside) = (real.join("in"), real.join("out"));
    std::fs::create_dir_all(inside.join("temporary")).unwrap();
    std::fs::create_dir(&outside).unwrap();
    std::fs::write(outside.join("precious"), "text").unwrap();
    symlink("../out", inside.join("folder")).unwrap();
    symlink("folder/precious", inside.join("link")).unwrap();
    symlink(outside.join("missing"), inside.join("dangling")).unwrap();
    let output = sandboxed(test, &inside, &outside);
    Some((root, output))
}

#[test]
fn what_the_kernel_denies_is_noted_and_nothing_else() {
    let Some((root, output)) = attempts_of("what_the_kernel_denies_is_noted_and_nothing_else")
    else {
        return;
    };
    let text = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(complaints.contains("denials=on"), "{complaints}");
    let real = root.path().canonicalize().unwrap();
    let outside = |call: &str, name: &str| {
        let path = real.join("out").join(name);
        format!("{}|{call} of {}", libc::EACCES, path.display())
    };
    let look_at = |name: &str| format!("a look at {}", real.join("out").join(name).display());
    let refused = |call: &str| format!("{}|{call}", libc::EPERM);
    let beyond = |error: i32, call: &str| {
        format!("{error}|{call} beyond the 1048576 bytes that a file may have")
    };
    let inside = |name: &str| real.join("in").join(name).display().to_string();
    let cache = "/etc/ld.so.cache";
    let expected: Vec<(&str, String)> = vec![
        ("delete", outside("unlinkat", "precious")),
        ("delete nothing", outside("unlinkat", "missing")),
        // The link itself lies inside.
        ("delete by a link", "0|counted 1".into()),
        ("write", outside("openat", "precious")),
        ("make", outside("openat", "missing")),
        (
            "make by a link",
            format!("13|openat of {}", inside("dangling")),
        ),
        ("make above", format!("13|openat of {}", inside("../up"))),
        ("make a folder", outside("mkdirat", "no/such/folder")),
        ("move in", outside("renameat2", "precious")),
        ("move out", outside("renameat2", "missing")),
        ("second name", outside("linkat", "precious")),
        ("link", outside("symlinkat", "missing")),
        (
            "link out",
            outside("symlinkat", "missing").replace(" of ", " to "),
        ),
        ("link up", "13|symlinkat to own/../../out".into()),
        ("cut", outside("truncate", "precious")),
        ("rights", outside("fchmodat", "precious")),
        (
            "rights by a name only to write",
            "13|fchmodat of what cannot be seen".into(),
        ),
        ("rights of an open file", format!("13|fchmod of {cache}")),
        ("times", outside("utimensat", "precious")),
        ("times of an open file", format!("13|utimensat of {cache}")),
        ("read", outside("openat", "precious")),
        ("list", "13|openat of /".into()),
        ("socket", refused("socket")),
        ("process", refused("clone")),
        ("program", refused("execve")),
        ("signal", refused("kill")),
        ("owner", refused("fchownat")),
        ("group", refused("fchown")),
        ("owner outside", refused("fchownat")),
        ("own owner", "0|".into()),
        ("own group", "0|".into()),
        // It goes on, and another machine may answer otherwise.
        (
            "read nothing",
            format!("{}|{}", libc::ENOENT, look_at("missing")),
        ),
        ("look", "0|".into()),
        ("no name", "13|unlinkat of what cannot be seen".into()),
        ("own rights", "0|counted 1".into()),
        ("own times", "0|counted 1".into()),
        ("pipe", "0|counted 1".into()),
        ("null", "0|counted 1".into()),
        ("random", "0|".into()),
        ("seed", format!("{}|counted 1", libc::EACCES)),
        ("link own", "0|counted 1".into()),
        ("delete own", "0|counted 1".into()),
        ("make temporary", "0|counted 1".into()),
        ("write temporary", "0|".into()),
        ("move temporary", "0|counted 1".into()),
        ("delete temporary", "0|".into()),
        ("lengthen", beyond(libc::EFBIG, "ftruncate")),
        ("lengthen a bit", "0|".into()),
        ("room", beyond(libc::EFBIG, "fallocate")),
        ("room inside", "0|".into()),
        ("write far", beyond(libc::EFBIG, "pwrite64")),
        ("write near", "0|".into()),
        ("go far", beyond(0, "lseek")),
        ("go back", "0|".into()),
        ("go far to read", "0|".into()),
    ];
    // A line of the test harness may stand before the first.
    let answers: Vec<(&str, String)> = text
        .lines()
        .filter_map(|line| line.split_once("answer ")?.1.split_once('='))
        .map(|(what, answer)| (what, answer.to_owned()))
        .collect();
    assert_eq!(answers, expected, "{text}{complaints}");
    let precious = std::fs::read_to_string(real.join("out/precious")).unwrap();
    assert_eq!(precious, "text");
}

#[test]
fn the_helper_ends_with_the_program_and_holds_none_of_its_pipes() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--wire", "--execute", "/", "--write", "/dev/null", "--"])
        .args(["/bin/sh", "-c", "exec sleep 60"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = [0; 50];
    let stderr = child.stderr.as_mut().unwrap();
    std::io::Read::read_exact(stderr, &mut line).unwrap();
    assert!(
        line.ends_with(b"denials=on"),
        "{}",
        String::from_utf8_lossy(&line)
    );
    child.kill().unwrap();
    child.wait().unwrap();
    // Ends where nobody else has it open.
    let mut rest = Vec::new();
    std::io::Read::read_to_end(&mut child.stdout.take().unwrap(), &mut rest).unwrap();
    std::io::Read::read_to_end(&mut child.stderr.take().unwrap(), &mut rest).unwrap();
    // The helper is a child of this process, in the group of the program.
    let group = -(child.id().cast_signed());
    // SAFETY: the null pointer stands for no interest in how it ended.
    let helper = unsafe { libc::waitpid(group, std::ptr::null_mut(), 0) };
    assert!(helper > 0, "{}", Error::last_os_error());
}
