//! What the kernel holds around a JVM, as the launcher says it.
//!
//! Comes in: what a process wrote to standard error. Goes out: [`Guards`], and words for what they hold and what not.
//! Does not know: how the launcher closes anything.

use crate::Error;

/// How much of landlock the kernel has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Landlock {
    /// Nothing of it.
    #[default]
    None,
    /// An older version: files cannot be opened for writing, made, or deleted outside, but may be truncated, and some
    /// special files used.
    Partial,
    /// All that is asked for.
    Full,
}

/// What holds around the workers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guards {
    /// Files outside the private folder are out of reach by the kernel's word.
    pub landlock: Landlock,
    /// Sockets, other processes and mounts are out of reach by the kernel's word.
    pub seccomp: bool,
    /// What the kernel denies to the code under test is known, so that it is no fact of a test.
    pub denials: bool,
}

impl Guards {
    /// Reads the launcher's line from what a process wrote to standard error.
    pub fn read(complaints: &str) -> Option<Guards> {
        let mut lines = complaints.lines();
        let line = lines.find_map(|line| line.strip_prefix("palus-launcher landlock="))?;
        let words: Vec<&str> = line.split(' ').collect();
        Some(Guards {
            landlock: match *words.first()? {
                "full" => Landlock::Full,
                "partial" => Landlock::Partial,
                _ => Landlock::None,
            },
            seccomp: words.contains(&"seccomp=on"),
            denials: words.contains(&"denials=on"),
        })
    }

    /// The level in one word for programs: `FULL`, `PARTIAL` or `NONE`.
    pub fn level(self) -> &'static str {
        match (self.landlock, self.seccomp, self.denials) {
            (Landlock::Full, true, true) => "FULL",
            (Landlock::None, false, _) => "NONE",
            _ => "PARTIAL",
        }
    }

    /// The level in words for people: what the kernel holds, and by what.
    pub fn text(self) -> String {
        let files = match self.landlock {
            Landlock::Full => Some("files (landlock)"),
            Landlock::Partial => Some("files (landlock, an older version)"),
            Landlock::None => None,
        };
        let others = self.seccomp.then_some("network and processes (seccomp)");
        let held: Vec<&str> = files.into_iter().chain(others).collect();
        if held.is_empty() {
            return "the kernel guards nothing; the workers' own checks only".to_owned();
        }
        let unknown = if self.denials {
            ""
        } else {
            "; what it denies is not known"
        };
        format!("the kernel guards {}{unknown}", held.join(", "))
    }

    /// What is therefore not held, in words: `landlock cannot be used on this system, so ...`; none where all is.
    pub fn not_held(self) -> Option<String> {
        let landlock = ("landlock", "files outside the work folder");
        let seccomp = ("seccomp", "the network and other processes");
        let missing = [
            (self.landlock == Landlock::None).then_some(landlock),
            (!self.seccomp).then_some(seccomp),
        ];
        let (names, what): (Vec<&str>, Vec<&str>) = missing.into_iter().flatten().unzip();
        if !names.is_empty() {
            return Some(format!(
                "{} cannot be used on this system, so the kernel does not protect {} from it",
                names.join(" and "),
                what.join(", ")
            ));
        }
        (!self.denials).then(|| {
            "this system lets no process look into another, so what the kernel denies is not known: a delete that fails \
             inside the walls may become a fact of a test"
                .to_owned()
        })
    }

    /// Refuses where something is not held.
    ///
    /// # Errors
    /// A configuration error that names what is missing, and the setting.
    pub fn require(self) -> Result<(), Error> {
        match self.not_held() {
            None => Ok(()),
            Some(text) => Err(Error::configuration(
                format!("the code under test will not be run: {text}"),
                "run on Linux 5.13 or newer with landlock on, in a container whose profile allows landlock, seccomp and \
                 process_vm_readv; or set `sandbox = BEST_EFFORT` if nothing can be lost here: it goes on with the \
                 workers' own checks only",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_launchers_line_is_found_among_others() {
        let text = "Picked up x\npalus-launcher landlock=partial seccomp=on\nmore";
        let guards = Guards::read(text).unwrap();
        assert_eq!((guards.landlock, guards.seccomp), (Landlock::Partial, true));
        let guards = Guards::read("palus-launcher landlock=off seccomp=on").unwrap();
        assert_eq!((guards.landlock, guards.seccomp), (Landlock::None, true));
        assert!(!guards.denials);
        let line = "palus-launcher landlock=full seccomp=on denials=on";
        assert!(Guards::read(line).unwrap().denials);
        assert_eq!(Guards::read("palus-launcher cannot run x"), None);
    }

    #[test]
    fn what_is_missing_is_named_with_what_it_would_hold() {
        let full = Guards {
            landlock: Landlock::Full,
            seccomp: true,
            denials: true,
        };
        assert_eq!((full.level(), full.require()), ("FULL", Ok(())));
        assert_eq!(
            full.text(),
            "the kernel guards files (landlock), network and processes (seccomp)"
        );
        let unknown = Guards {
            denials: false,
            ..full
        };
        assert_eq!(
            unknown.text(),
            "the kernel guards files (landlock), network and processes (seccomp); what it denies is not known"
        );
        let error = unknown.require().unwrap_err();
        assert_eq!(unknown.level(), "PARTIAL");
        assert!(error.message.contains("denies is not known"), "{error}");
        assert!(error.hint.contains("process_vm_readv"));
        let older = Guards {
            landlock: Landlock::Partial,
            ..full
        };
        assert_eq!((older.level(), older.require()), ("PARTIAL", Ok(())));
        let files_open = Guards {
            landlock: Landlock::None,
            ..full
        };
        let error = files_open.require().unwrap_err();
        assert_eq!(files_open.level(), "PARTIAL");
        assert!(error.message.contains("landlock cannot be used"), "{error}");
        assert!(!error.message.contains("seccomp"), "{error}");
        assert!(error.hint.contains("sandbox = BEST_EFFORT"));
        let none = Guards::default();
        let error = none.require().unwrap_err();
        assert_eq!(none.level(), "NONE");
        assert!(error.message.contains("landlock and seccomp"), "{error}");
    }
}
