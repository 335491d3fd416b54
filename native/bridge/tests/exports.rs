//! The JNI surface seen from both ends: what `javac -h` says Java calls is what this library exports.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Names of the functions that a C header declares for JNI.
fn functions(header: &str) -> BTreeSet<String> {
    header
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.starts_with("Java_"))
        .map(str::to_owned)
        .collect()
}

fn javac() -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => Path::new(&home).join("bin").join("javac"),
        None => PathBuf::from("javac"),
    }
}

#[test]
fn the_exported_functions_are_the_native_methods_of_the_host() {
    let java = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../java/host/src/main/java");
    let work = tempfile::tempdir().expect("a temporary folder");
    #[expect(
        clippy::disallowed_methods,
        reason = "the other end of the border is asked of javac itself"
    )]
    let output = std::process::Command::new(javac())
        .args(["-proc:none", "-implicit:none", "-encoding", "UTF-8", "-h"])
        .arg(work.path())
        .arg("-d")
        .arg(work.path().join("classes"))
        .arg("-sourcepath")
        .arg(work.path())
        .args(
            [
                "Palus",
                "Console",
                "GenerationReport",
                "PalusException",
                "SecretNames",
                "SettingNames",
                "Settings",
            ]
            .map(|name| java.join("io/palus/host").join(name).with_extension("java")),
        )
        .arg(stand_in(work.path()))
        .output()
        .expect("a JDK is needed: javac on the PATH or below JAVA_HOME");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let theirs = std::fs::read_to_string(work.path().join("io_palus_host_Palus.h"))
        .expect("javac wrote the header");
    let ours = std::fs::read_to_string(concat!(env!("OUT_DIR"), "/palus_bridge.h"))
        .expect("build.rs wrote the header");
    assert_eq!(functions(&ours), functions(&theirs));
    assert!(!functions(&ours).is_empty());
}

/// The loader needs nothing for a header, so that JaCoCo and the cache stay out of this compilation.
fn stand_in(work: &Path) -> PathBuf {
    let file = work.join("NativeLibrary.java");
    std::fs::write(
        &file,
        "package io.palus.host; final class NativeLibrary { static void load() {} \
         static java.util.Optional<String> missing() { return null; } }",
    )
    .expect("written");
    file
}
