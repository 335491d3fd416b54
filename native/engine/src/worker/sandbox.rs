//! How a JVM that runs subject code is started: its flags, its environment, and the walls around it.
//!
//! Comes in: [`WorkerSettings`], and what one JVM is for ([`Jvm`]). Goes out: a [`Launch`], through the launcher where
//! there is one. A JVM may read the JDK, the class path and a few system files, and write its own folder only.
//! Does not know: what the JVM is asked afterwards.

use crate::Error;
use crate::secrets::{PLACEHOLDER, SET_ELSEWHERE};
use crate::worker::folder::{CHECKOUT, HOME, TEMPORARY};
use crate::worker::guards::Guards;
use crate::worker::process::Launch;
use crate::worker::{Limits, OPEN_FILES, WorkerSettings};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};

/// Files and folders of the system that a JVM reads, where they exist: limits of its control group, processors and
/// memory, random numbers, the dynamic linker's, time zones, names of users, fonts.
const SYSTEM: &[&str] = &[
    "/proc/self",
    "/proc/meminfo",
    "/proc/cpuinfo",
    "/proc/stat",
    "/proc/version",
    "/proc/cgroups",
    "/proc/sys/vm",
    "/sys/fs/cgroup",
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/kernel/mm",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
    "/lib",
    "/lib64",
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/nix/store",
    "/gnu/store",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/timezone",
    "/etc/passwd",
    "/etc/nsswitch.conf",
    "/usr/share/zoneinfo",
    "/usr/share/locale",
    "/etc/fonts",
    "/usr/share/fonts",
    "/usr/share/fontconfig",
    "/var/cache/fontconfig",
];

/// Beginnings of names of variables that a JVM, its libraries or the dynamic linker read: a placeholder would change
/// what they do, and options would come in behind our back.
const READ_BY_PROGRAMS: &[&str] = &[
    "LD_",
    "DYLD_",
    "MALLOC_",
    "GLIBC_",
    "LIB",
    "JAVA",
    "_JAVA",
    "JDK",
    "JRE",
    "CLASSPATH",
    "PATH",
    "TMP",
    "TEMP",
    "HOME",
    "TZ",
    "LANG",
    "LC_",
    "LOC",
    "NLS",
    "GCONV",
    "DISPLAY",
    "WAYLAND_",
    "XDG_",
    "PALUS_",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "=",
];

/// Variables that may be set where a test runs and are not where it is made: there is each in the first run of
/// verification, and none in the second.
const MAYBE_ELSEWHERE: [&str; 9] = [
    "USER",
    "LOGNAME",
    "SHELL",
    "PWD",
    "HOSTNAME",
    "MAVEN_HOME",
    "GRADLE_HOME",
    "CI",
    "GITHUB_ACTIONS",
];
/// The same of those that programs read, with values that change nothing.
const READ_AND_HARMLESS: [(&str, &str); 2] = [
    ("PATH", "/usr/bin:/bin"),
    ("JAVA_HOME", "/usr/lib/jvm/default"),
];

/// The kind of environment a JVM gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// The same everywhere: no variable of the build, fixed zone and locale.
    Fixed,
    /// The same, and the names of the build's own variables, with a placeholder for each value but zone and locale:
    /// whether a variable is set may decide what a test sees.
    Named,
}

/// One JVM to start.
#[derive(Clone, Debug)]
pub struct Jvm<'a> {
    /// The only folder it may write to, laid out by [`lay_out`](crate::worker::PrivateFolder::lay_out).
    pub folder: &'a Path,
    /// Its class path.
    pub class_path: Vec<PathBuf>,
    /// More paths it may read.
    pub readable: Vec<PathBuf>,
    /// Its environment.
    pub surroundings: Surroundings,
    /// What the kernel lets it have.
    pub limits: Limits,
    /// Flags before the main class.
    pub flags: Vec<OsString>,
    /// Binary name of the main class.
    pub main_class: &'a str,
    /// Arguments of the main class.
    pub arguments: Vec<OsString>,
}

/// What all JVMs of a run share.
#[derive(Clone, Debug)]
pub struct Sandbox {
    java: PathBuf,
    launcher: Option<PathBuf>,
    landlock: bool,
    required: bool,
    /// Heap of a JVM, in MiB.
    memory_mib: u64,
    /// Files that a JVM may have open at most.
    open_files: u64,
    readable: Vec<PathBuf>,
    executable: Vec<PathBuf>,
    /// Names of variables that the build sets for its tests.
    test_variables: Vec<OsString>,
    /// Flags that send what the JVM itself says to standard error: standard output is the worker's wire.
    quiet: Vec<OsString>,
}

impl Sandbox {
    /// Looks at the JDK and the system once.
    ///
    /// # Errors
    /// A configuration error where there is no `java`, or nothing to close the sandbox with though it is required.
    pub fn new(settings: &WorkerSettings) -> Result<Sandbox, Error> {
        if settings.required && settings.launcher.is_none() {
            Guards::default().require()?;
        }
        let java = java_program(&settings.java_home, "java")?;
        // The real folder: `bin/java` of a distribution is often a link into another place.
        let home = java.parent().and_then(Path::parent).unwrap_or(&java);
        let mut readable: BTreeSet<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        outward_links(home, home, 5, &mut readable);
        readable.extend(settings.class_path.iter().cloned());
        readable.insert(settings.worker_jar.clone());
        let mut executable = vec![home.to_owned()];
        executable.extend(fs::read(&java).ok().and_then(|bytes| interpreter(&bytes)));
        let mut quiet: Vec<OsString> = vec!["-XX:+DisplayVMOutputToStderr".into()];
        // From Java 9 on, which has this file, warnings go another way.
        if home.join("lib/modules").exists() {
            quiet.extend(["-Xlog:disable".into(), "-Xlog:all=warning:stderr".into()]);
        }
        Ok(Sandbox {
            launcher: settings.launcher.clone(),
            landlock: settings.landlock,
            required: settings.required,
            memory_mib: settings.memory_mib,
            open_files: most_open_files().min(OPEN_FILES),
            readable: readable.into_iter().collect(),
            executable,
            test_variables: settings.test_variables.iter().map(Into::into).collect(),
            quiet,
            java,
        })
    }

    /// The JVM program.
    pub fn java(&self) -> &Path {
        &self.java
    }

    /// How to start this JVM.
    ///
    /// # Errors
    /// A configuration error where a path of the class path holds the path separator.
    pub fn launch(&self, jvm: Jvm<'_>) -> Result<Launch, Error> {
        let class_path = join_class_path(&jvm.class_path)?;
        let mut arguments = Vec::new();
        if self.launcher.is_some() {
            self.wall(&jvm, &mut arguments);
            if cfg!(unix) {
                arguments.push("--wire".into());
            }
            arguments.extend(["--".into(), self.java.clone().into()]);
        }
        arguments.extend(self.quiet.iter().cloned());
        arguments.extend([
            "-XX:-UsePerfData".into(),
            with_path("-XX:ErrorFile=", &jvm.folder.join("jvm-error.log")),
            with_path("-Djava.io.tmpdir=", &jvm.folder.join(TEMPORARY)),
            with_path("-Duser.home=", &jvm.folder.join(HOME)),
            "-Djava.awt.headless=true".into(),
        ]);
        arguments.extend(jvm.flags);
        arguments.extend(["-cp".into(), class_path, jvm.main_class.into()]);
        if self.launcher.is_some() && cfg!(unix) {
            // Where the launcher puts the standard streams.
            arguments.extend(["--wire".into(), "3,4".into()]);
        }
        arguments.extend(jvm.arguments);
        Ok(Launch {
            program: self.launcher.clone().unwrap_or_else(|| self.java.clone()),
            arguments,
            folder: jvm.folder.join(CHECKOUT),
            environment: match jvm.surroundings {
                Surroundings::Fixed => {
                    fixed_environment(&jvm.folder.join(HOME), &jvm.folder.join(TEMPORARY))
                }
                Surroundings::Named => {
                    let tests = self.test_variables.iter().cloned();
                    let tests = tests.map(|name| (name, PLACEHOLDER.into()));
                    named_environment(jvm.folder, std::env::vars_os().chain(tests))
                }
            },
            makes_own_group: self.launcher.is_some(),
        })
    }

    /// The launcher's own arguments.
    fn wall(&self, jvm: &Jvm<'_>, arguments: &mut Vec<OsString>) {
        arguments.push("--read".into());
        let more = jvm.readable.iter().chain(&jvm.class_path);
        arguments.extend(self.readable.iter().chain(more).map(Into::into));
        arguments.push("--execute".into());
        arguments.extend(self.executable.iter().map(Into::into));
        arguments.extend(["--write".into(), "/dev/null".into(), jvm.folder.into()]);
        arguments.push("--user".into());
        arguments.extend([CHECKOUT, HOME].map(|name| jvm.folder.join(name).into()));
        // What is beside these stands for what is beside the user's: `../x` is no file of the program's.
        arguments.push(jvm.folder.into());
        arguments.extend(["--temporary".into(), jvm.folder.join(TEMPORARY).into()]);
        // This collector keeps the heap in a file, one in memory only.
        let is_in_file = jvm.flags.iter().any(|flag| flag == "-XX:+UseZGC");
        if is_in_file {
            arguments.push("--memory-files".into());
        }
        let heap = u64::from(is_in_file) * (self.memory_mib << 20);
        let limits = jvm.limits;
        let file_limit = limits
            .file
            .max(heap.saturating_mul(limits.file / Limits::USUAL.file));
        arguments.extend(["--file-limit".into(), file_limit.to_string().into()]);
        let bytes = (self.memory_mib + limits.beyond_heap_mib) << 20;
        arguments.extend(["--data-limit".into(), bytes.to_string().into()]);
        let open_files = self.open_files.saturating_mul(limits.open_files_percent) / 100;
        arguments.extend(["--open-files".into(), open_files.to_string().into()]);
        arguments.extend(["--parent".into(), std::process::id().to_string().into()]);
        if limits.other_rights {
            arguments.push("--other-rights".into());
        }
        if !self.landlock {
            arguments.push("--no-landlock".into());
        }
        if self.required {
            arguments.push("--require".into());
        }
    }
}

/// Files that the system lets a process of ours have open.
#[cfg(unix)]
fn most_open_files() -> u64 {
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    limit.maximum.unwrap_or(u64::MAX)
}

#[cfg(not(unix))]
fn most_open_files() -> u64 {
    u64::MAX
}

/// A program of the JDK.
///
/// # Errors
/// A configuration error naming the path.
pub fn java_program(java_home: &Path, name: &str) -> Result<PathBuf, Error> {
    let path = java_home
        .join("bin")
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    path.canonicalize().map_err(|error| {
        Error::configuration(
            format!("there is no `{name}` at {}: {error}", path.display()),
            "point the project's toolchain (or JAVA_HOME) to a JDK",
        )
    })
}

/// The class path as one argument.
///
/// # Errors
/// A configuration error where a path holds the path separator.
pub fn join_class_path(paths: &[PathBuf]) -> Result<OsString, Error> {
    std::env::join_paths(paths).map_err(|error| {
        Error::configuration(
            format!("the class path cannot be passed to java: {error}"),
            "rename the folder so that its name has no path separator",
        )
    })
}

/// Variables that are the same on every machine but for these folders.
pub fn fixed_environment(home: &Path, temporary: &Path) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), home.into()),
        ("TMPDIR".into(), temporary.into()),
        ("TZ".into(), "UTC".into()),
        // Only what characters are; messages and formats stay those of the C locale.
        (
            "LC_CTYPE".into(),
            utf8_locale().unwrap_or_else(|| "C.UTF-8".into()),
        ),
    ];
    // Windows starts no program without it.
    variables.extend(std::env::var_os("SystemRoot").map(|root| ("SystemRoot".into(), root)));
    variables
}

/// The same with the build's zone and locale, and a placeholder for each other variable that no program but a test
/// reads: whether it is set may decide what a test sees, and its value is nobody's business.
fn named_environment(
    folder: &Path,
    build: impl Iterator<Item = (OsString, OsString)>,
) -> Vec<(OsString, OsString)> {
    let mut variables = fixed_environment(&folder.join(HOME), &folder.join(TEMPORARY));
    variables.retain(|(name, _)| name != "TZ" && name != "LC_CTYPE");
    for (name, value) in build {
        let Some(text) = name.to_str() else { continue };
        let upper = text.to_ascii_uppercase();
        if text == "TZ" || text == "LANG" || text.starts_with("LC_") {
            variables.push((name, value));
        } else if MAYBE_ELSEWHERE.contains(&text) {
            // Below: alike whether the build sets it or not.
        } else if !READ_BY_PROGRAMS
            .iter()
            .any(|start| upper.starts_with(start))
        {
            variables.push((name, PLACEHOLDER.into()));
        }
    }
    let elsewhere = MAYBE_ELSEWHERE.iter();
    variables.extend(elsewhere.map(|name| (name.into(), SET_ELSEWHERE.into())));
    let harmless = READ_AND_HARMLESS.iter();
    variables.extend(harmless.map(|(name, value)| (name.into(), value.into())));
    if utf8_locale().is_none() {
        // File names beyond ASCII are lost to a JVM whose locale has no UTF-8.
        variables.retain(|(name, _)| name != "LC_ALL");
        variables.push(("LC_ALL".into(), "C.UTF-8".into()));
    }
    variables
}

/// The build's own locale for characters, if it is one of UTF-8: it exists, which `C.UTF-8` does not everywhere.
fn utf8_locale() -> Option<OsString> {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let set = names
        .iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty())?;
    let lower = set.to_str()?.to_ascii_lowercase();
    (lower.contains("utf-8") || lower.contains("utf8")).then_some(set)
}

/// The project's JVM arguments that may be passed to a worker: modules and system properties, but nothing that loads
/// agents, sets memory, writes files, or fixes what is ours to fix.
pub fn passable(arguments: &[String]) -> Vec<OsString> {
    const MODULES: &[&str] = &[
        "--add-opens",
        "--add-exports",
        "--add-reads",
        "--add-modules",
    ];
    const OURS: &[&str] = &[
        "java.io.tmpdir",
        "java.security.manager",
        "java.system.class.loader",
        "java.class.path",
        "java.home",
        "user.dir",
        "user.home",
        "user.name",
        "user.timezone",
        "user.language",
        "user.country",
        "user.region",
        "file.encoding",
        "java.awt.headless",
    ];
    const ASSERTIONS: &[&str] = &["-ea", "-da", "-enableassertions", "-disableassertions"];
    let mut passed: Vec<OsString> = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let property = argument
            .strip_prefix("-D")
            .map(|pair| pair.split('=').next().unwrap_or(pair));
        if MODULES.contains(&argument.as_str()) {
            // The two-word form.
            if let Some(value) = arguments.next() {
                passed.push(format!("{argument}={value}").into());
            }
        } else if MODULES.iter().any(|name| {
            argument
                .strip_prefix(name)
                .is_some_and(|rest| rest.starts_with('='))
        }) || argument == "--enable-preview"
            || argument.starts_with("--illegal-access=")
            || argument.starts_with("--enable-native-access=")
            || ASSERTIONS.contains(&argument.split(':').next().unwrap_or(argument))
            || property.is_some_and(|name| !OURS.contains(&name))
        {
            passed.push(argument.into());
        }
    }
    passed
}

fn with_path(flag: &str, path: &Path) -> OsString {
    let mut argument = OsString::from(flag);
    argument.push(path);
    argument
}

/// Real paths of links that lead out of a JDK: distributions keep its settings below `/etc`.
fn outward_links(home: &Path, folder: &Path, depth: u32, into: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let large = ["jmods", "legal", "man", "demo", "sample", "include"];
        let Ok(kind) = entry.file_type() else {
            continue;
        };
        if kind.is_symlink() {
            if let Ok(real) = entry.path().canonicalize()
                && !real.starts_with(home)
            {
                into.insert(real);
            }
        } else if kind.is_dir() && depth > 0 && !large.iter().any(|large| name == OsStr::new(large))
        {
            outward_links(home, &entry.path(), depth - 1, into);
        }
    }
}

/// The dynamic linker that a 64-bit ELF program names, which the kernel must be allowed to run beside it.
pub(crate) fn interpreter(program: &[u8]) -> Option<PathBuf> {
    const PT_INTERP: u64 = 3;
    let number = |at: usize, width: usize| -> Option<u64> {
        let bytes = program.get(at..at.checked_add(width)?)?;
        Some(
            bytes
                .iter()
                .rev()
                .fold(0, |value, byte| value << 8 | u64::from(*byte)),
        )
    };
    let little_64 = program.starts_with(b"\x7fELF\x02\x01");
    if !little_64 {
        return None;
    }
    let (table, size, count) = (number(32, 8)?, number(54, 2)?, number(56, 2)?);
    for index in 0..count {
        let header = usize::try_from(table.checked_add(index.checked_mul(size)?)?).ok()?;
        if number(header, 4)? == PT_INTERP {
            let start = usize::try_from(number(header.checked_add(8)?, 8)?).ok()?;
            let text = program.get(start..)?;
            let end = text.iter().position(|byte| *byte == 0)?;
            return Some(PathBuf::from(str::from_utf8(&text[..end]).ok()?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verification_knows_the_names_of_variables_and_no_value_but_zone_and_locale() {
        let build = [
            ("API_TOKEN", "t0psecret"),
            ("CUSTOMER", "Miller"),
            ("PATH", "/home/ann/bin"),
            ("HOME", "/home/ann"),
            ("JAVA_HOME", "/opt/jdk"),
            ("CI", "true"),
            ("JAVA_TOOL_OPTIONS", "-Dx=y"),
            ("LD_PRELOAD", "x.so"),
            ("TZ", "Asia/Tokyo"),
            ("LANG", "fr_FR.UTF-8"),
        ];
        let build = build
            .iter()
            .map(|(name, value)| (name.into(), value.into()));
        let variables = named_environment(Path::new("/own"), build);
        let value = |name: &str| {
            let mut all = variables.iter().filter(|(known, _)| known == name);
            let found = all.next().map(|(_, value)| value.to_str().unwrap());
            assert!(all.next().is_none(), "{name}");
            found
        };
        assert_eq!(value("API_TOKEN"), Some(PLACEHOLDER));
        assert_eq!(value("CUSTOMER"), Some(PLACEHOLDER));
        assert_eq!(value("PATH"), Some("/usr/bin:/bin"));
        assert_eq!(value("JAVA_HOME"), Some("/usr/lib/jvm/default"));
        assert_eq!(value("CI"), Some(SET_ELSEWHERE));
        assert_eq!(value("HOME"), Some("/own/home"));
        assert_eq!(value("JAVA_TOOL_OPTIONS"), None);
        assert_eq!(value("LD_PRELOAD"), None);
        assert_eq!(value("TZ"), Some("Asia/Tokyo"));
        assert_eq!(value("LANG"), Some("fr_FR.UTF-8"));
    }

    #[test]
    fn only_harmless_arguments_of_the_project_are_passed_on() {
        let arguments = [
            "-javaagent:jacoco.jar=destfile=x",
            "-Xmx4g",
            "--add-opens",
            "java.base/java.lang=ALL-UNNAMED",
            "--add-exports=a/b=c",
            "-Dmode=test",
            "-Duser.timezone=UTC",
            "-Dflag",
            "-XX:+HeapDumpOnOutOfMemoryError",
            "--enable-preview",
            "-agentlib:jdwp=transport=dt_socket",
        ]
        .map(str::to_owned);
        assert_eq!(
            passable(&arguments),
            [
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-exports=a/b=c",
                "-Dmode=test",
                "-Dflag",
                "--enable-preview"
            ]
        );
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_dynamic_linker_of_this_very_program_is_found() {
        let own = fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(interpreter(&own).unwrap().exists());
        assert_eq!(interpreter(b"\x7fELF\x02\x01"), None);
        assert_eq!(interpreter(b"#!/bin/sh"), None);
    }
}
