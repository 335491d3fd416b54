//! Tests of the manifest, with real kills and a real full disk.

use super::*;
use std::io::BufRead;
use std::process::{Child, Command, ExitStatus, Stdio};

fn write(manifest: &mut Manifest, path: &str, text: &str) -> Written {
    manifest.write_all(&[(path.to_owned(), text)]).unwrap()[0]
}

fn open(folder: &Path) -> Manifest {
    Manifest::open(folder, folder).unwrap()
}

#[test]
fn a_file_of_the_last_run_can_be_written_more_than_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "A.java", "old");
    first.finish(&|_| false).unwrap();
    let mut second = open(folder.path());
    assert_eq!(write(&mut second, "A.java", "newer"), Written::Yes);
    assert_eq!(write(&mut second, "A.java", "newest"), Written::Yes);
    second.finish(&|_| false).unwrap();
    let text = std::fs::read_to_string(folder.path().join("A.java")).unwrap();
    assert_eq!(text, "newest");
}

#[test]
fn an_edit_that_is_saved_while_others_are_written_stays() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "A.java", "old");
    first.finish(&|_| false).unwrap();
    let mut second = open(folder.path());
    let files = [("A.java".to_owned(), "new"), ("B.java".to_owned(), "new")];
    let announced = second.announce(&files).unwrap();
    for name in ["A.java", "B.java"] {
        std::fs::write(folder.path().join(name), "edited").unwrap();
    }
    let fates = second.put(&files, announced).unwrap();
    assert_eq!(fates, [Written::NotOurs, Written::NotOurs]);
    second.finish(&|_| false).unwrap();
    for name in ["A.java", "B.java"] {
        let text = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(text, "edited");
    }
    assert_eq!(listed(folder.path()), ["A.java"]);
}

#[cfg(unix)]
#[test]
fn a_file_that_stands_behind_a_link_for_a_while_stays_ours() {
    let folder = tempfile::tempdir().unwrap();
    let away = tempfile::tempdir().unwrap();
    let (here, there) = (folder.path().join("a"), away.path().join("a"));
    let mut first = open(folder.path());
    write(&mut first, "a/T.java", "text");
    first.finish(&|_| false).unwrap();
    std::fs::rename(&here, &there).unwrap();
    std::os::unix::fs::symlink(&there, &here).unwrap();
    let half = there.join(".palus-0123456789ab.tmp");
    std::fs::write(&half, "half").unwrap();
    open(folder.path()).finish(&|_| false).unwrap();
    assert!(half.exists(), "what lies elsewhere is removed");
    std::fs::remove_file(&here).unwrap();
    std::fs::rename(&there, &here).unwrap();
    let text = open(folder.path()).earlier("a/T.java");
    assert_eq!(text.as_deref(), Some("text"));
}

#[test]
fn only_unchanged_files_of_ours_are_replaced_or_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let mut first = open(folder.path());
    assert_eq!(write(&mut first, "a/A.java", "one"), Written::Yes);
    assert_eq!(write(&mut first, "a/B.java", "one"), Written::Yes);
    assert_eq!(write(&mut first, "b/C.java", "one"), Written::Yes);
    first.finish(&|_| false).unwrap();
    std::fs::write(at("a/B.java"), "edited").unwrap();
    std::fs::write(at("a/Mine.java"), "mine").unwrap();

    let mut second = open(folder.path());
    let edits = [("a/B.java", hash(b"edited"))];
    assert_eq!(second.edits(), edits);
    assert_eq!(write(&mut second, "a/A.java", "two"), Written::Yes);
    assert_eq!(write(&mut second, "a/B.java", "two"), Written::NotOurs);
    assert_eq!(write(&mut second, "a/Mine.java", "two"), Written::NotOurs);
    second.finish(&|_| false).unwrap();
    assert_eq!(std::fs::read_to_string(at("a/A.java")).unwrap(), "two");
    assert_eq!(std::fs::read_to_string(at("a/B.java")).unwrap(), "edited");
    assert_eq!(std::fs::read_to_string(at("a/Mine.java")).unwrap(), "mine");
    assert!(
        !at("b").exists(),
        "a stale file of ours goes, and its empty folder with it"
    );

    let third = open(folder.path());
    assert!(third.is_intact());
    assert_eq!(third.len(), 1);
    assert_eq!(third.edits(), edits, "an edited file stays known");

    std::fs::write(at("a/B.java"), "one").unwrap();
    let mut fourth = open(folder.path());
    assert!(fourth.edits().is_empty());
    assert_eq!(
        write(&mut fourth, "a/B.java", "three"),
        Written::Yes,
        "where the edit is undone it is ours again"
    );
}

#[test]
fn a_manifest_that_names_files_elsewhere_deletes_none() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("out");
    std::fs::create_dir(&output).unwrap();
    let outside = folder.path().join("outside");
    std::fs::write(&outside, "mine").unwrap();
    let hash = hash(b"mine");
    let lines = format!("{hash} {}\n{hash} ../outside\n", outside.display());
    std::fs::write(output.join(NAME), lines).unwrap();
    open(&output).finish(&|_| false).unwrap();
    assert!(outside.exists());
}

#[test]
fn an_interrupted_run_still_knows_its_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "A.java", "one");
    drop(first);
    let mut second = open(folder.path());
    assert_eq!(write(&mut second, "A.java", "two"), Written::Yes);
}

#[test]
fn an_unwritable_folder_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = Manifest::open(&file.join("below"), folder.path()).unwrap_err();
    assert!(error.message.contains("file/below"), "{}", error.message);
}

#[test]
fn what_stays_is_ours_in_the_next_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "A.java", "one");
    write(&mut first, "B.java", "one");
    first.finish(&|_| false).unwrap();
    let second = open(folder.path());
    let kept = second.finish(&|path| path == "B.java").unwrap();
    assert_eq!(kept, ["B.java"]);
    assert!(!folder.path().join("A.java").exists());
    let mut third = open(folder.path());
    assert_eq!(write(&mut third, "B.java", "two"), Written::Yes);
    third.delete("B.java").unwrap();
    assert!(!folder.path().join("B.java").exists());
}

#[test]
fn what_cannot_be_deleted_stays_ours_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    for name in ["A.java", "B.java", "C.java"] {
        write(&mut first, name, "one");
    }
    first.finish(&|_| false).unwrap();
    let mut second = open(folder.path());
    second.remove = |path| {
        if path.ends_with("B.java") {
            return Err(ErrorKind::PermissionDenied.into());
        }
        std::fs::remove_file(path)
    };
    let error = second.finish(&|_| false).unwrap_err();
    assert!(error.message.contains("cannot delete"), "{error:?}");
    assert!(error.message.contains("B.java"), "{error:?}");
    let left = |name: &str| folder.path().join(name).exists();
    assert!(!left("A.java") && left("B.java") && !left("C.java"));
    let mut third = open(folder.path());
    third.delete("B.java").unwrap();
    assert!(!left("B.java"));
}

#[test]
fn a_file_that_is_the_same_again_is_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "A.java", "one");
    first.finish(&|_| false).unwrap();
    let written = || {
        let data = std::fs::metadata(folder.path().join("A.java")).unwrap();
        data.modified().unwrap()
    };
    let before = written();
    let mut second = open(folder.path());
    assert_eq!(write(&mut second, "A.java", "one"), Written::Yes);
    second.finish(&|_| false).unwrap();
    assert_eq!(written(), before);
}

#[cfg(unix)]
#[test]
fn both_hashes_of_a_file_are_listed_before_it_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, status) = said(child(&[], folder.path(), &[]));
    assert!(status.success(), "{status} {lines:?}");
    let manifest = || std::fs::read_to_string(folder.path().join(NAME)).unwrap();
    let of_first = |text: &str| text.lines().filter(|line| line.ends_with(PATHS[0])).count();
    assert_eq!(of_first(&manifest()), 1);
    // The manifest fits, and the first file does not: the system kills who writes it.
    let limits = [("PALUS_TEST_LARGEST", 1000), ("PALUS_TEST_SIZE", 2000)];
    let (lines, status) = said(child(&[], folder.path(), &limits));
    assert!(killed(status), "{status} {lines:?}");
    assert_eq!(of_first(&manifest()), 2, "{}", manifest());
}

#[test]
fn a_file_that_has_either_of_two_listed_hashes_is_ours() {
    let folder = tempfile::tempdir().unwrap();
    let mut first = open(folder.path());
    write(&mut first, "a/A.java", "old");
    first.finish(&|_| false).unwrap();
    let listed = |old: &str| {
        let lines = [old, "new"].map(|text| format!("{} a/A.java\n", hash(text.as_bytes())));
        let mut lines = lines.to_vec();
        lines.sort();
        std::fs::write(folder.path().join(NAME), lines.concat()).unwrap();
    };
    for (old, now) in [("old", "old"), ("old", "new")] {
        listed(old);
        std::fs::write(folder.path().join("a/A.java"), now).unwrap();
        let mut second = open(folder.path());
        assert!(second.is_intact());
        assert_eq!(write(&mut second, "a/A.java", "newest"), Written::Yes);
        drop(second);
    }
    listed("old");
    std::fs::write(folder.path().join("a/A.java"), "mine").unwrap();
    let mut second = open(folder.path());
    assert_eq!(write(&mut second, "a/A.java", "newest"), Written::NotOurs);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_the_output_folder_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join("out").join(name);
    let outside = folder.path().join("outside");
    std::fs::create_dir_all(outside.join("deep")).unwrap();
    let mut first = open(&at(""));
    for path in ["A.java", "B.java", "a/C.java"] {
        write(&mut first, path, "one");
    }
    first.finish(&|_| false).unwrap();
    std::fs::rename(at("A.java"), outside.join("A.java")).unwrap();
    std::fs::rename(at("a"), outside.join("a")).unwrap();
    std::fs::remove_file(at("B.java")).unwrap();
    std::os::unix::fs::symlink(outside.join("A.java"), at("A.java")).unwrap();
    std::os::unix::fs::symlink(outside.join("a"), at("a")).unwrap();
    std::os::unix::fs::symlink(outside.join("deep"), at("deep")).unwrap();
    pipe(&at("B.java"));
    // What the probe of an earlier version was called.
    std::os::unix::fs::symlink(outside.join("A.java"), at(".palus-probe")).unwrap();

    let mut second = open(&at(""));
    for path in ["A.java", "B.java", "a/C.java", "deep/D.java"] {
        assert_eq!(write(&mut second, path, "two"), Written::NotOurs, "{path}");
    }
    second.finish(&|_| false).unwrap();
    for path in ["A.java", "a/C.java"] {
        let text = std::fs::read_to_string(outside.join(path)).unwrap();
        assert_eq!(text, "one", "{path}");
    }
    assert!(!outside.join("deep/D.java").exists());
    assert!(at("A.java").is_symlink() && at("B.java").exists() && at(".palus-probe").is_symlink());
}

#[cfg(unix)]
#[test]
fn a_manifest_that_is_no_regular_file_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = folder.path().join("elsewhere");
    std::fs::write(&elsewhere, "mine").unwrap();
    let output = folder.path().join("out");
    std::fs::create_dir(&output).unwrap();
    let manifest = output.join(NAME);
    let refused = || {
        let error = Manifest::open(&output, &output).unwrap_err();
        assert!(error.message.contains(NAME), "{}", error.message);
        assert!(error.hint.contains("delete it"), "{}", error.hint);
        assert!(std::fs::symlink_metadata(&manifest).is_ok());
    };
    std::os::unix::fs::symlink(&elsewhere, &manifest).unwrap();
    refused();
    assert_eq!(std::fs::read_to_string(&elsewhere).unwrap(), "mine");
    std::fs::remove_file(&manifest).unwrap();
    pipe(&manifest);
    refused();
    std::fs::remove_file(&manifest).unwrap();
    std::fs::create_dir(&manifest).unwrap();
    refused();
}

/// The files that children write, again and again.
const PATHS: [&str; 3] = ["a/A.java", "a/B.java", "C.java"];

/// A line of its own for the test that started this one.
fn tell(line: &str) {
    use std::io::Write;
    writeln!(std::io::stdout(), "\n{line}").unwrap();
}

/// Runs as a process of its own too: see `child`.
#[test]
fn writer() {
    let own = tempfile::tempdir().unwrap();
    let folder = std::env::var_os("PALUS_TEST_FOLDER").unwrap_or(own.path().into());
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    if let Some(largest) = number("PALUS_TEST_LARGEST") {
        let limit = rustix::process::Rlimit {
            current: Some(largest),
            maximum: Some(largest),
        };
        rustix::process::setrlimit(rustix::process::Resource::Fsize, limit).unwrap();
    }
    let size = number("PALUS_TEST_SIZE").unwrap_or(100) as usize;
    for run in 0..number("PALUS_TEST_RUNS").unwrap_or(1) {
        let mut manifest = open(Path::new(&folder));
        for path in PATHS {
            let text = format!("{run} {path} ").repeat(size / 10);
            match manifest.write_all(&[(path.to_owned(), &text)]) {
                Ok(fates) => tell(&format!("{:?}", fates[0])),
                Err(error) => {
                    tell(&format!("Error: {}", error.message));
                    // What is there is ours still, and smaller ones fit.
                    let mut manifest = open(Path::new(&folder));
                    for path in PATHS {
                        tell(&format!("{:?}", write(&mut manifest, path, "small")));
                    }
                    return;
                }
            }
        }
        manifest.finish(&|_| false).unwrap();
    }
    for path in PATHS {
        assert!(Path::new(&folder).join(path).is_file(), "{path}");
    }
}

/// A process that writes `PATHS` below a folder; none where it did not start.
#[expect(clippy::disallowed_methods, reason = "it is to be killed")]
fn child(program: &[&str], folder: &Path, environment: &[(&str, u64)]) -> Child {
    let this = std::env::current_exe().unwrap();
    let words = program.iter().map(std::ffi::OsStr::new);
    let mut words = words.chain([this.as_os_str()]);
    let mut command = Command::new(words.next().unwrap());
    command.args(words).env("PALUS_TEST_FOLDER", folder);
    command.args(["--exact", "write::manifest::tests::writer"]);
    command.args(["--nocapture", "--test-threads=1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    command.envs(
        environment
            .iter()
            .map(|(name, value)| (name, value.to_string())),
    );
    command.spawn().unwrap()
}

/// The lines that say what became of a file, and how the child ended.
fn said(mut child: Child) -> (Vec<String>, ExitStatus) {
    let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    let lines = lines.map_while(Result::ok).filter(|line| is_fate(line));
    (lines.collect(), child.wait().unwrap())
}

fn is_fate(line: &str) -> bool {
    ["Yes", "NotOurs", "Error"]
        .iter()
        .any(|fate| line.starts_with(fate))
}

/// After whatever happened every file there is ours, and nothing is left half written.
fn all_is_ours(folder: &Path) {
    let mut manifest = open(folder);
    for path in PATHS {
        assert_eq!(write(&mut manifest, path, "after"), Written::Yes, "{path}");
    }
    manifest.finish(&|_| false).unwrap();
    for folder in [folder.to_owned(), folder.join("a")] {
        for entry in std::fs::read_dir(folder).unwrap() {
            let name = entry.unwrap().file_name().to_string_lossy().into_owned();
            assert!(!name.contains(".tmp"), "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_kill_while_the_manifest_is_written_disowns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // The files fit, and the manifest of three does not: the system kills whoever writes more.
    let (lines, status) = said(child(&[], folder.path(), &[("PALUS_TEST_LARGEST", 190)]));
    assert!(killed(status), "{status} {lines:?}");
    assert_eq!(lines, ["Yes", "Yes"]);
    all_is_ours(folder.path());
}

#[cfg(unix)]
#[test]
fn a_kill_while_a_file_is_written_disowns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (lines, status) = said(child(&[], folder.path(), &[]));
    assert!(status.success(), "{status} {lines:?}");
    let limits = [("PALUS_TEST_LARGEST", 1000), ("PALUS_TEST_SIZE", 2000)];
    let (lines, status) = said(child(&[], folder.path(), &limits));
    assert!(killed(status), "{status} {lines:?}");
    assert!(lines.is_empty(), "{lines:?}");
    all_is_ours(folder.path());
}

#[cfg(unix)]
#[test]
fn a_kill_at_any_moment_disowns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for round in 1..=12 {
        let mut child = child(&[], folder.path(), &[("PALUS_TEST_RUNS", 1_000_000)]);
        let lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
        let fates: Vec<String> = lines
            .map_while(Result::ok)
            .filter(|line| is_fate(line))
            .take(round)
            .collect();
        child.kill().unwrap();
        assert!(killed(child.wait().unwrap()));
        assert!(fates.iter().all(|fate| fate == "Yes"), "{fates:?}");
        all_is_ours(folder.path());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_named_and_disowns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // In a namespace of its own: nobody else sees the disk. What is on it goes with it, so the same process looks.
    let script = r#"mount -t tmpfs -o size=24k palus "$PALUS_TEST_FOLDER" && exec "$0" "$@""#;
    let program = ["unshare", "-rm", "sh", "-c", script];
    let runs = [("PALUS_TEST_RUNS", 3), ("PALUS_TEST_SIZE", 9_000)];
    let (lines, _) = said(child(&program, folder.path(), &runs));
    let lines = if lines.is_empty() {
        // Not allowed here; then the system refuses to write more than so much into one file, and says so.
        let script = r#"trap "" XFSZ; exec "$0" "$@""#;
        let limits = [("PALUS_TEST_LARGEST", 1000), ("PALUS_TEST_SIZE", 9_000)];
        said(child(&["sh", "-c", script], folder.path(), &limits)).0
    } else {
        assert!(
            lines.concat().contains("no space left on its disk"),
            "{lines:?}"
        );
        lines
    };
    // What is always full.
    let error = std::fs::write("/dev/full", "text").unwrap_err();
    let named = unwritable(folder.path(), &error);
    assert!(
        named.message.contains("no space left on its disk"),
        "{named}"
    );
    let (before, after) = lines.split_at(lines.len() - PATHS.len());
    let (error, before) = before.split_last().unwrap();
    assert!(error.starts_with("Error: cannot write "), "{lines:?}");
    assert!(
        before.iter().chain(after).all(|fate| fate == "Yes"),
        "{lines:?}"
    );
}

fn killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal().is_some()
}

#[cfg(unix)]
fn pipe(path: &Path) {
    rustix::fs::mkfifoat(rustix::fs::CWD, path, rustix::fs::Mode::RWXU).unwrap();
}
