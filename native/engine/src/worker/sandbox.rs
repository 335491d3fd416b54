//! How a JVM that runs subject code is started: its flags, its environment, and the walls around it.
//!
//! Comes in: [`WorkerSettings`], and what one JVM is for ([`Jvm`]). Goes out: a [`Launch`], through the launcher where
//! there is one. A JVM may read the JDK, the class path and a few system files, and write its own folder only.
//! Does not know: what the JVM is asked afterwards.

use crate::Error;
use crate::worker::process::Launch;
use crate::worker::{FILE_LIMIT, WorkerSettings};
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

/// Variables by which a JVM takes options behind our back.
const OPTION_VARIABLES: &[&str] = &["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"];

/// What holds around the workers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Files outside the private folder are out of reach by the kernel's word.
    pub landlock: bool,
    /// Sockets, other processes and mounts are out of reach by the kernel's word.
    pub seccomp: bool,
}

impl Guards {
    /// Reads the launcher's line from what a process wrote to standard error.
    pub fn read(complaints: &str) -> Option<Guards> {
        let mut lines = complaints.lines();
        let line = lines.find_map(|line| line.strip_prefix("palus-launcher landlock="))?;
        let (landlock, rest) = line.split_once(' ')?;
        Some(Guards {
            landlock: matches!(landlock, "full" | "partial"),
            seccomp: rest == "seccomp=on",
        })
    }
}

/// The kind of environment a JVM gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// The same everywhere: no variable of the build, fixed zone and locale.
    Fixed,
    /// The build's own variables.
    Inherited,
}

/// One JVM to start.
#[derive(Clone, Debug)]
pub struct Jvm<'a> {
    /// The only folder it may write to.
    pub folder: &'a Path,
    /// The folder below it that it runs in and keeps temporary files in; what else lies in `folder` is ours.
    pub work_folder: &'a Path,
    /// Its class path.
    pub class_path: Vec<PathBuf>,
    /// More paths it may read.
    pub readable: Vec<PathBuf>,
    /// Its environment.
    pub surroundings: Surroundings,
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
    readable: Vec<PathBuf>,
    executable: Vec<PathBuf>,
    /// Flags that send what the JVM itself says to standard error: standard output is the worker's wire.
    quiet: Vec<OsString>,
}

impl Sandbox {
    /// Looks at the JDK and the system once.
    ///
    /// # Errors
    /// A configuration error where there is no `java`.
    pub fn new(settings: &WorkerSettings) -> Result<Sandbox, Error> {
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
            readable: readable.into_iter().collect(),
            executable,
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
            arguments.extend(["--".into(), self.java.clone().into()]);
        }
        arguments.extend(self.quiet.iter().cloned());
        arguments.extend([
            "-XX:-UsePerfData".into(),
            with_path("-XX:ErrorFile=", &jvm.folder.join("jvm-error.log")),
            with_path("-Djava.io.tmpdir=", jvm.work_folder),
            "-Djava.awt.headless=true".into(),
        ]);
        arguments.extend(jvm.flags);
        arguments.extend(["-cp".into(), class_path, jvm.main_class.into()]);
        arguments.extend(jvm.arguments);
        let mut launch = Launch {
            program: self.launcher.clone().unwrap_or_else(|| self.java.clone()),
            arguments,
            folder: jvm.work_folder.to_owned(),
            inherit_environment: jvm.surroundings == Surroundings::Inherited,
            unset: OPTION_VARIABLES.iter().map(OsString::from).collect(),
            environment: Vec::new(),
            makes_own_group: self.launcher.is_some(),
        };
        match jvm.surroundings {
            Surroundings::Fixed => launch.environment = fixed_environment(jvm.work_folder),
            // File names beyond ASCII are lost to a JVM whose locale has no UTF-8.
            Surroundings::Inherited if utf8_locale().is_none() => {
                launch.environment.push(("LC_ALL".into(), "C.UTF-8".into()));
            }
            Surroundings::Inherited => {}
        }
        Ok(launch)
    }

    /// The launcher's own arguments.
    fn wall(&self, jvm: &Jvm<'_>, arguments: &mut Vec<OsString>) {
        arguments.push("--read".into());
        let more = jvm.readable.iter().chain(&jvm.class_path);
        arguments.extend(self.readable.iter().chain(more).map(Into::into));
        arguments.push("--execute".into());
        arguments.extend(self.executable.iter().map(Into::into));
        arguments.extend(["--write".into(), "/dev/null".into(), jvm.folder.into()]);
        arguments.extend(["--file-limit".into(), FILE_LIMIT.to_string().into()]);
        arguments.extend(["--parent".into(), std::process::id().to_string().into()]);
        if !self.landlock {
            arguments.push("--no-landlock".into());
        }
    }
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

/// Variables that are the same on every machine.
pub fn fixed_environment(folder: &Path) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = vec![
        ("HOME".into(), folder.into()),
        ("TMPDIR".into(), folder.into()),
        ("PATH".into(), "/usr/bin:/bin".into()),
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
fn interpreter(program: &[u8]) -> Option<PathBuf> {
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
    fn the_launchers_line_is_found_among_others() {
        let text = "Picked up x\npalus-launcher landlock=partial seccomp=on\nmore";
        let guards = Guards::read(text).unwrap();
        assert!(guards.landlock && guards.seccomp);
        let guards = Guards::read("palus-launcher landlock=off seccomp=on").unwrap();
        assert!(!guards.landlock && guards.seccomp);
        assert_eq!(Guards::read("palus-launcher cannot run x"), None);
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
