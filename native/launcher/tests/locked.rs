//! What a JVM behind the launcher can and cannot do, tried with a real JVM, with and without landlock.
#![cfg(target_os = "linux")]
#![expect(clippy::disallowed_methods, reason = "these tests are about processes")]

use std::fs::Permissions;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use tempfile::TempDir;

/// The JDK that runs these tests.
static JAVA_HOME: LazyLock<PathBuf> = LazyLock::new(|| {
    let home = std::env::var_os("JAVA_HOME").map(PathBuf::from);
    home.or_else(|| {
        let java = Command::new("sh")
            .args(["-c", "readlink -f \"$(command -v javac)\""])
            .output()
            .ok()?;
        let java = PathBuf::from(String::from_utf8(java.stdout).ok()?.trim());
        Some(java.parent()?.parent()?.to_owned())
    })
    .and_then(|home| home.canonicalize().ok())
    .filter(|home| home.join("bin/javac").exists())
    .expect("a JDK, by JAVA_HOME or as `javac` on the PATH")
});

/// Folder of the compiled probe.
static PROBE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().unwrap();
    let status = Command::new(JAVA_HOME.join("bin/javac"))
        .arg("-d")
        .arg(folder.path())
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/Probe.java"))
        .status()
        .unwrap();
    assert!(status.success(), "the probe does not compile");
    folder
});

/// A JVM's private folder, and what stands outside of it.
struct Room {
    outside: TempDir,
    inside: TempDir,
}

impl Room {
    fn new() -> Room {
        let room = Room {
            outside: TempDir::new().unwrap(),
            inside: TempDir::new().unwrap(),
        };
        std::fs::write(room.outside.path().join("precious"), "text").unwrap();
        room
    }

    fn precious(&self) -> String {
        self.outside.path().join("precious").display().to_string()
    }

    fn command(&self, landlock: bool, probe: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palus-launcher"));
        command
            .args([
                "--read",
                "/proc/self",
                "/sys/fs/cgroup",
                "/etc",
                "/usr",
                "/lib",
                "/lib64",
            ])
            .args(["/dev/random", "/dev/urandom"])
            .arg(PROBE.path())
            .arg("--execute")
            .arg(&*JAVA_HOME)
            .args(["/lib64", "/lib", "/usr/lib/x86_64-linux-gnu", "/usr/lib64"])
            .arg("--write")
            .arg(self.inside.path())
            .args(["/dev/null", "--file-limit", "1048576", "--parent"])
            .arg(std::process::id().to_string());
        if !landlock {
            command.arg("--no-landlock");
        }
        command
            .arg("--")
            .arg(JAVA_HOME.join("bin/java"))
            .arg("-XX:-UsePerfData")
            .arg(format!("-Djava.io.tmpdir={}", self.inside.path().display()))
            .arg("-cp")
            .arg(PROBE.path())
            .arg("Probe")
            .args(probe)
            .current_dir(self.inside.path())
            .stdin(Stdio::null());
        command
    }

    /// What the probe printed, behind the launcher.
    fn attempt(&self, landlock: bool, probe: &[&str]) -> String {
        said(&self.command(landlock, probe).output().unwrap())
    }
}

fn said(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    assert!(
        !text.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    text
}

#[track_caller]
fn denied(answer: &str) {
    assert!(
        answer.contains("Exception") || answer == "denied",
        "{answer}"
    );
}

#[test]
fn this_kernel_has_both_guards() {
    // The other tests would prove nothing where it has not.
    let output = Room::new().command(true, &["work", "."]).output().unwrap();
    let first = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        first.lines().next(),
        Some("palus-launcher landlock=full seccomp=on denials=on")
    );
}

#[test]
fn ordinary_work_goes_on_behind_both_guards() {
    for landlock in [true, false] {
        let room = Room::new();
        let inside = room.inside.path().display().to_string();
        assert_eq!(room.attempt(landlock, &["work", &inside]), "done");
    }
}

#[test]
fn files_outside_cannot_be_deleted_or_written_or_listed_or_read() {
    let room = Room::new();
    denied(&room.attempt(true, &["delete", &room.precious()]));
    denied(&room.attempt(true, &["write", &room.precious()]));
    denied(&room.attempt(true, &["read", &room.precious()]));
    denied(&room.attempt(true, &["list", &room.outside.path().display().to_string()]));
    assert_eq!(std::fs::read_to_string(room.precious()).unwrap(), "text");
    // Without landlock they can: it is landlock that holds, and the worker's own guards must do without it.
    assert_eq!(room.attempt(false, &["delete", &room.precious()]), "done");
    assert!(!Path::new(&room.precious()).exists());
}

#[test]
fn nothing_can_be_connected_or_listened_to() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port().to_string();
    for landlock in [true, false] {
        let room = Room::new();
        denied(&room.attempt(landlock, &["connect", &port]));
        denied(&room.attempt(landlock, &["listen"]));
    }
}

#[test]
fn no_program_can_be_started_not_even_java() {
    let java = JAVA_HOME.join("bin/java").display().to_string();
    for landlock in [true, false] {
        let room = Room::new();
        denied(&room.attempt(landlock, &["exec", "/bin/true"]));
        denied(&room.attempt(landlock, &["exec", &java]));
    }
}

#[test]
fn neither_the_parent_nor_a_stranger_can_be_killed() {
    let mut stranger = Command::new("sleep").arg("60").spawn().unwrap();
    for landlock in [true, false] {
        let room = Room::new();
        // Where landlock is on, the stranger may not even be seen.
        denied(&room.attempt(landlock, &["signal", &stranger.id().to_string()]));
        denied(&room.attempt(landlock, &["signal-parent"]));
    }
    assert_eq!(stranger.try_wait().unwrap(), None);
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

/// What the probe printed with a heap of 64 MiB and 512 MiB in all.
fn with_little_memory(probe: &[&str]) -> String {
    let room = Room::new();
    let command = room.command(true, probe);
    let output = Command::new(command.get_program())
        .args(["--data-limit", "536870912"])
        .args(command.get_args())
        .env("JAVA_TOOL_OPTIONS", "-Xmx64m -Xss1m -XX:+UseSerialGC")
        .current_dir(room.inside.path())
        .output()
        .unwrap();
    // Where the JVM itself gets no memory it ends without a word.
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn memory_beside_the_heap_has_a_limit() {
    assert_eq!(with_little_memory(&["off-heap", "2"]), "done");
    assert_ne!(with_little_memory(&["off-heap", "16"]), "done");
}

#[test]
fn threads_have_a_limit_by_the_memory_of_their_stacks() {
    assert_eq!(with_little_memory(&["threads", "50"]), "done");
    assert_ne!(with_little_memory(&["threads", "3000"]), "done");
}

#[test]
fn a_file_cannot_grow_beyond_the_limit() {
    let room = Room::new();
    let file = room.inside.path().join("huge");
    denied(&room.attempt(true, &["huge", &file.display().to_string()]));
    assert_eq!(file.metadata().unwrap().len(), 1 << 20);
}

#[test]
fn no_more_files_are_open_at_once_than_the_limit_says() {
    let open = |count: &str| {
        let room = Room::new();
        let command = room.command(true, &["open", count]);
        let mut limited = Command::new(command.get_program());
        limited
            .args(["--open-files", "200"])
            .args(command.get_args());
        said(&limited.current_dir(room.inside.path()).output().unwrap())
    };
    assert_eq!(open("100"), "done");
    denied(&open("200"));
}

/// Runs the command on a kernel that does not know these calls.
fn on_a_kernel_without(calls: &[libc::c_long], command: &mut Command) -> Output {
    let rules = calls.iter().map(|&call| (call, Vec::new())).collect();
    let filter: seccompiler::BpfProgram = seccompiler::SeccompFilter::new(
        rules,
        seccompiler::SeccompAction::Allow,
        seccompiler::SeccompAction::Errno(libc::ENOSYS.cast_unsigned()),
        std::env::consts::ARCH.try_into().unwrap(),
    )
    .and_then(TryInto::try_into)
    .unwrap();
    // A filter holds for the thread that sets it and for what it starts.
    std::thread::scope(|scope| {
        let run = || {
            seccompiler::apply_filter(&filter).unwrap();
            command.output().unwrap()
        };
        scope.spawn(run).join().unwrap()
    })
}

const LANDLOCK: [libc::c_long; 3] = [
    libc::SYS_landlock_create_ruleset,
    libc::SYS_landlock_add_rule,
    libc::SYS_landlock_restrict_self,
];

#[test]
fn a_kernel_that_lacks_a_guard_is_told_and_refused_where_both_are_required() {
    for (calls, level) in [
        (&LANDLOCK[..], "landlock=none seccomp=on denials=off"),
        (
            &[libc::SYS_seccomp],
            "landlock=full seccomp=off denials=off",
        ),
    ] {
        let room = Room::new();
        let inside = room.inside.path().display().to_string();
        // The parent that the launcher follows is the thread that starts it, and it stays for as long.
        let mut command = room.command(true, &["work", &inside]);
        let output = on_a_kernel_without(calls, &mut command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(
            stderr.contains(&format!("palus-launcher {level}")),
            "{stderr}"
        );
        assert_eq!(said(&output), "done", "without --require it goes on");

        let mut required = Command::new(command.get_program());
        required.arg("--require").args(command.get_args());
        let output = on_a_kernel_without(calls, &mut required);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains("refuses to run anything"), "{stderr}");
        assert_eq!(output.status.code(), Some(127));
        assert!(output.stdout.is_empty(), "nothing ran");
    }
}

#[test]
fn where_one_process_may_not_look_into_another_denials_are_unknown_and_all_else_holds() {
    for calls in [libc::SYS_process_vm_readv, libc::SYS_memfd_create] {
        let room = Room::new();
        let inside = room.inside.path().display().to_string();
        let mut command = room.command(true, &["work", &inside]);
        let output = on_a_kernel_without(&[calls], &mut command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        let level = "palus-launcher landlock=full seccomp=on denials=off";
        assert!(stderr.contains(level), "{stderr}");
        assert_eq!(said(&output), "done");
        let mut required = Command::new(command.get_program());
        required.arg("--require").args(command.get_args());
        let output = on_a_kernel_without(&[calls], &mut required);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(stderr.contains(level), "{stderr}");
        assert!(stderr.contains("refuses to run anything"), "{stderr}");
        assert!(output.stdout.is_empty(), "nothing ran");
        // Rights and times, of which landlock knows nothing, too.
        for attempt in ["delete", "write", "cut", "read-only", "age"] {
            let mut command = room.command(true, &[attempt, &room.precious()]);
            denied(&said(&on_a_kernel_without(&[calls], &mut command)));
        }
        let mut command = room.command(true, &["listen"]);
        denied(&said(&on_a_kernel_without(&[calls], &mut command)));
    }
}

#[test]
fn rights_stay_where_the_program_may_be_run_and_not_looked_into() {
    const NOBODY: u32 = 65534;
    let room = Room::new();
    let folder = room.inside.path();
    let (program, file) = (folder.join("chmod"), folder.join("file"));
    let launcher = folder.join("launcher"); // others may not reach where it is built
    std::fs::copy("/bin/chmod", &program).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_palus-launcher"), &launcher).unwrap();
    std::fs::write(&file, "text").unwrap();
    let mode = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode));
    mode(folder, 0o755).unwrap();
    mode(&file, 0o644).unwrap();
    mode(&program, 0o111).unwrap();
    let mut command = Command::new(&launcher);
    command
        .args(["--read", "/", "--execute", "/", "--"])
        .arg(&program)
        .arg("600")
        .arg(&file);
    // The administrator may look into everything.
    if std::fs::metadata(&file).unwrap().uid() == 0 {
        std::os::unix::fs::chown(&file, Some(NOBODY), None).unwrap();
        command.uid(NOBODY);
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("seccomp=on denials=off"), "{stderr}");
    assert!(stderr.contains("changing permissions"), "{stderr}");
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o644);
}

#[test]
fn inherited_descriptors_are_closed() {
    let room = Room::new();
    // The shell opens descriptor 7 on the precious file, and the launcher inherits it.
    let command = room.command(false, &["descriptors", "7"]);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "exec 7<\"$0\"; exec \"$@\""])
        .arg(room.precious())
        .arg(command.get_program())
        .args(command.get_args())
        .current_dir(room.inside.path());
    assert_eq!(said(&shell.output().unwrap()), "closed");
}

#[test]
fn the_program_ends_with_the_thread_that_started_it() {
    let room = Room::new();
    let mut child = std::thread::scope(|scope| {
        let start = scope.spawn(|| {
            let mut command = room.command(true, &["sleep"]);
            command.stdout(Stdio::null()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // Its first line tells that it follows this thread already.
            let mut first = [0; 14];
            let stderr = child.stderr.as_mut().unwrap();
            std::io::Read::read_exact(stderr, &mut first).unwrap();
            assert_eq!(&first, b"palus-launcher");
            child
        });
        start.join().unwrap()
    });
    assert_eq!(child.wait().unwrap().signal(), Some(9));
}

#[test]
fn a_program_that_will_not_start_is_named() {
    let output = Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--no-landlock", "--", "/no/such/java", "-version"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(127));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("cannot run /no/such/java: No such file"),
        "{text}"
    );
}

#[test]
fn a_launcher_whose_parent_is_gone_runs_nothing() {
    let output = Command::new(env!("CARGO_BIN_EXE_palus-launcher"))
        .args(["--parent", "1", "--", "/bin/echo", "ran"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(127));
    assert!(output.stdout.is_empty());
}
