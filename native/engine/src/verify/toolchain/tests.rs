//! Real compilers on real texts.

use super::*;
use std::sync::LazyLock;

static JAVA_HOME: LazyLock<PathBuf> = LazyLock::new(palus_fixture::java_home);

fn sources(texts: &[(&str, &str)]) -> Vec<(PathBuf, String)> {
    texts
        .iter()
        .map(|(name, text)| (PathBuf::from(name), (*text).to_owned()))
        .collect()
}

fn compilation<'a>(
    folder: &'a Path,
    class_path: &'a [PathBuf],
    sources: &'a [(PathBuf, String)],
) -> Compilation<'a> {
    Compilation {
        java_home: &JAVA_HOME,
        language_level: 8,
        arguments: &[],
        class_path,
        sources,
        folder,
        own_files: None,
    }
}

#[test]
fn good_sources_become_classes_even_in_a_folder_with_spaces_and_umlauts() {
    let folder = tempfile::tempdir().unwrap();
    let library = folder.path().join("a folder with ü and \"quotes\"");
    let sources = sources(&[(
        "com/acme/Größe.java",
        "package com.acme; public class Größe {}",
    )]);
    let first = compilation(&library, &[], &sources);
    let result = compile(&first, None, &Cancel::default()).unwrap();
    assert_eq!(result.errors, []);
    assert!(result.classes.join("com/acme/Größe.class").exists());

    // And it is found again through the class path.
    let user = self::sources(&[("User.java", "class User { com.acme.Größe size; }")]);
    let second = folder.path().join("zweiter Ordner");
    let class_path = [result.classes];
    let result = compile(
        &compilation(&second, &class_path, &user),
        None,
        &Cancel::default(),
    );
    assert_eq!(result.unwrap().errors, []);
}

#[test]
fn errors_name_their_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(&[
        ("a/A.java", "package a;\nclass A {\n  Missing field;\n}\n"),
        (
            "a/B.java",
            "package a;\nclass B {\n  int x = \"ü\";\n\n  Lost other;\n}\n",
        ),
        ("a/C.java", "package a;\nclass C {}\n"),
    ]);
    let result = compile(
        &compilation(folder.path(), &[], &sources),
        None,
        &Cancel::default(),
    )
    .unwrap();
    let mut errors: Vec<_> = result
        .errors
        .iter()
        .map(|error| format!("{}:{} {}", error.file.display(), error.line, error.message))
        .collect();
    errors.sort();
    assert_eq!(
        errors,
        [
            "a/A.java:3 cannot find symbol",
            "a/B.java:3 incompatible types: String cannot be converted to int",
            "a/B.java:5 cannot find symbol",
        ]
    );
}

#[test]
fn the_projects_level_holds_and_its_strictness_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let lambda = sources(&[(
        "A.java",
        "class A { Runnable r = () -> {}; java.util.List raw; }",
    )]);
    let mut compilation = compilation(folder.path(), &[], &lambda);
    let strict = [
        "-Werror",
        "-Xlint:all",
        "-processor",
        "no.such.Processor",
        "-Akey=value",
    ]
    .map(str::to_owned);
    compilation.arguments = &strict;
    let result = compile(&compilation, None, &Cancel::default()).unwrap();
    assert_eq!(result.errors, []);

    let newer = sources(&[("A.java", "interface A { private void m() {} }")]);
    let level = ["-source", "8", "-target", "8"].map(str::to_owned);
    compilation.language_level = 17;
    compilation.arguments = &level;
    compilation.sources = &newer;
    let result = compile(&compilation, None, &Cancel::default()).unwrap();
    assert_eq!(result.errors.len(), 1);
    assert!(
        result.errors[0].message.contains("-source 8"),
        "{:?}",
        result.errors
    );
}

#[test]
fn thousands_of_errors_are_all_told() {
    let folder = tempfile::tempdir().unwrap();
    let fields: Vec<String> = (0..3000).map(|i| format!("  Missing f{i};\n")).collect();
    let fields = fields.concat();
    let sources = sources(&[("A.java", &format!("class A {{\n{fields}}}\n"))]);
    let result = compile(
        &compilation(folder.path(), &[], &sources),
        None,
        &Cancel::default(),
    );
    assert_eq!(result.unwrap().errors.len(), 3000);
}

#[test]
fn a_setting_the_compiler_refuses_is_a_configuration_error_with_its_words() {
    let folder = tempfile::tempdir().unwrap();
    let sources = sources(&[("A.java", "class A {}")]);
    let mut compilation = compilation(folder.path(), &[], &sources);
    compilation.language_level = 99;
    let error = compile(&compilation, None, &Cancel::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(error.message.contains("99"), "{}", error.message);

    compilation.java_home = Path::new("/no/such/jdk");
    let error = compile(&compilation, None, &Cancel::default()).unwrap_err();
    assert!(
        error.message.contains("/no/such/jdk/bin/javac"),
        "{}",
        error.message
    );
}

#[test]
fn a_cancelled_run_waits_for_no_compiler() {
    let folder = tempfile::tempdir().unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let error = compile(&compilation(folder.path(), &[], &[]), None, &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

/// A JDK whose compiler or `java` never ends.
#[cfg(unix)]
pub(crate) fn hanging_jdk(folder: &Path, program: &str) {
    jdk(folder, program, "exec sleep 1000");
}

/// A JDK of one program: these lines of a shell.
#[cfg(unix)]
fn jdk(folder: &Path, program: &str, lines: &str) {
    use std::os::unix::fs::PermissionsExt;
    let file = folder.join("bin").join(program);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, format!("#!/bin/sh\n{lines}\n")).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_no_error_of_a_test() {
    let folder = tempfile::tempdir().unwrap();
    // As javac of JDK 17 says it on a full disk.
    let lines = "while [ $# -gt 0 ]; do [ \"$1\" = -Xstdout ] && log=$2; shift; done\n\
        echo 'A.java:1: error: error while writing A: No space left on device' > \"$log\"\n\
        exit 1";
    jdk(folder.path(), "javac", lines);
    let sources = sources(&[("A.java", "class A {}")]);
    let full = Compilation {
        java_home: folder.path(),
        ..compilation(folder.path(), &[], &sources)
    };
    let error = compile(&full, None, &Cancel::default()).unwrap_err();
    assert!(error.message.contains("no space left"), "{}", error.message);
    assert!(error.hint.contains("free some space"), "{}", error.hint);
}

#[cfg(unix)]
#[test]
#[expect(clippy::disallowed_methods, reason = "a deadline is a moment")]
fn a_compiler_that_hangs_is_ended_at_the_deadline_and_when_the_run_is_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    hanging_jdk(folder.path(), "javac");
    let sources = sources(&[("A.java", "class A {}")]);
    let hanging = Compilation {
        java_home: folder.path(),
        ..compilation(folder.path(), &[], &sources)
    };
    let soon = Some(Instant::now() + Duration::from_millis(300));
    let result = compile(&hanging, soon, &Cancel::default()).unwrap();
    assert!(result.is_cut && result.errors.is_empty());
    let cancel = Cancel::default();
    cancel.cancel();
    let error = compile(&hanging, None, &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Cancelled);
}

#[cfg(unix)]
#[test]
fn an_option_that_an_old_compiler_does_not_know_is_named() {
    let folder = tempfile::tempdir().unwrap();
    // As javac of JDK 8 says it, in its log.
    let lines = "while [ $# -gt 0 ]; do [ \"$1\" = -Xstdout ] && log=$2; shift; done\n\
        echo 'javac: invalid flag: --release' > \"$log\"\n\
        echo 'Usage: javac <options> <source files>' >> \"$log\"\n\
        exit 2";
    jdk(folder.path(), "javac", lines);
    let sources = sources(&[("A.java", "class A {}")]);
    let old = Compilation {
        java_home: folder.path(),
        ..compilation(folder.path(), &[], &sources)
    };
    let error = compile(&old, None, &Cancel::default()).unwrap_err();
    assert!(
        error.message.ends_with("javac: invalid flag: --release"),
        "{}",
        error.message
    );
    assert!(error.hint.contains("a newer JDK"), "{}", error.hint);
}

#[cfg(unix)]
#[test]
fn a_jdk_without_a_release_file_says_its_version_itself() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(version(folder.path()), None);
    let lines = "echo 'openjdk version \"1.8.0_402\"' >&2; echo 'OpenJDK 64-Bit' >&2";
    jdk(folder.path(), "java", lines);
    assert_eq!(version(folder.path()).as_deref(), Some("1.8.0_402"));
    assert_eq!(feature("1.8.0_402"), "8");
    assert_eq!(feature("25-ea"), "25");
    assert_eq!(feature("17.0.1"), "17");
    let own = version(&JAVA_HOME).unwrap();
    assert!(feature(&own).parse::<u32>().is_ok(), "{own}");
}

#[test]
fn the_compilers_classes_are_kept_once_and_nothing_depends_on_them() {
    let folder = tempfile::tempdir().unwrap();
    let own = tempfile::tempdir().unwrap();
    let sources = sources(&[("A.java", "class A {}"), ("B.java", "class B extends A {}")]);
    let with_own = Compilation {
        own_files: Some(own.path()),
        ..compilation(folder.path(), &[], &sources)
    };
    let compiles = || {
        let result = compile(&with_own, None, &Cancel::default()).unwrap();
        assert_eq!(result.errors, []);
        assert!(result.classes.join("B.class").exists());
        let files = fs::read_dir(own.path()).unwrap();
        files.map(|file| file.unwrap().path()).collect::<Vec<_>>()
    };
    let files = compiles();
    assert!(
        matches!(&files[..], [file] if file.extension().unwrap() == "jsa"),
        "{files:?}"
    );
    let of = |path: &Path| fs::metadata(path).unwrap();
    let (length, time) = (of(&files[0]).len(), of(&files[0]).modified().unwrap());
    assert!(length > 1 << 20);
    // It is mapped, and not written again.
    assert_eq!(compiles(), files);
    assert_eq!(of(&files[0]).modified().unwrap(), time);

    // A damaged one goes, whatever the JVM makes of it, and the next compilation leaves another.
    let bytes = fs::read(&files[0]).unwrap();
    let zeros = [
        &bytes[..bytes.len() / 3],
        &vec![0; bytes.len() - bytes.len() / 3],
    ]
    .concat();
    for damaged in [&bytes[..bytes.len() / 3], b"no archive at all", b"", &zeros] {
        let _ = fs::remove_file(&files[0]);
        fs::write(&files[0], damaged).unwrap();
        let other = compiles();
        assert!(matches!(&other[..], [_]), "{other:?}");
        assert!(of(&other[0]).len() > 1 << 20);
        assert_eq!(compiles(), other);
        let _ = fs::remove_file(&other[0]);
    }
    // One that was written so: the compiler is run again without it where it ends the JVM.
    for damaged in [&zeros[..], b"no archive at all"] {
        let name = files[0].file_name().unwrap().to_string_lossy();
        let (start, _) = name.rsplit_once('-').unwrap();
        let content = crate::write::manifest::hash(damaged);
        let path = own.path().join(format!("{start}-{}.jsa", &content[..16]));
        fs::write(&path, damaged).unwrap();
        compiles();
        assert!(fs::read_dir(own.path()).unwrap().count() <= 1);
        let _ = fs::remove_file(&path);
    }
    // Where there is no such folder, it compiles as ever.
    let gone = Compilation {
        own_files: Some(Path::new("/no/such/folder")),
        ..with_own
    };
    let result = compile(&gone, None, &Cancel::default()).unwrap();
    assert_eq!(result.errors, []);
}

#[test]
fn what_a_class_path_names_as_a_service_of_the_compiler_is_not_run() {
    let folder = tempfile::tempdir().unwrap();
    let ran = folder.path().join("ran");
    let text = format!(
        "package demo; import com.sun.source.util.*; import javax.annotation.processing.*; \
         public class Service extends AbstractProcessor implements Plugin {{ \
         public Service() throws Exception {{ new java.io.File(\"{}\").createNewFile(); }} \
         public String getName() {{ return \"demo\"; }} public boolean autoStart() {{ return true; }} \
         public void init(JavacTask task, String... arguments) {{ }} \
         public boolean process(java.util.Set<? extends javax.lang.model.element.TypeElement> all, RoundEnvironment round) {{ return false; }} }}",
        ran.display()
    );
    let program = palus_fixture::compile(&[("demo/Service.java", &text)]);
    let services = program.dir.join("META-INF/services");
    fs::create_dir_all(&services).unwrap();
    for service in [
        "com.sun.source.util.Plugin",
        "javax.annotation.processing.Processor",
    ] {
        fs::write(services.join(service), "demo.Service").unwrap();
    }
    let class_path = [program.dir.clone()];
    let user = sources(&[("User.java", "class User { demo.Service one; }")]);
    for level in ["--release=8", "-Xplugin:demo", "-processorpath"] {
        let arguments = [level, "."].map(str::to_owned);
        let arguments = &arguments[..=usize::from(level == "-processorpath")];
        let work = folder.path().join("work");
        let compilation = Compilation {
            arguments,
            ..compilation(&work, &class_path, &user)
        };
        let compiled = compile(&compilation, None, &Cancel::default()).unwrap();
        assert_eq!(compiled.errors, []);
        assert!(!ran.exists(), "{level}");
    }
}
