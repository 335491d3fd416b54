//! The launcher's command line.
//!
//! Comes in: raw arguments. Goes out: [`Arguments`], or one sentence about what is wrong.
//! Does not know: what the paths are for.

use std::ffi::OsString;
use std::path::PathBuf;

/// What the launcher is asked to do.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an option of the command line"
)]
pub struct Arguments {
    /// May be read.
    pub read: Vec<PathBuf>,
    /// May be read and run.
    pub execute: Vec<PathBuf>,
    /// May be read, changed, filled and emptied.
    pub write: Vec<PathBuf>,
    /// Stand for folders of the user's: each use of a file in them is noted.
    pub user: Vec<PathBuf>,
    /// The same, but for files that the program makes there under names that nothing has yet.
    pub temporary: Vec<PathBuf>,
    /// Bytes one file may grow to.
    pub file_limit: Option<u64>,
    /// Bytes of memory of its own: heap, stacks, and what native code asks for.
    pub data_limit: Option<u64>,
    /// Files that may be open at once.
    pub open_files: Option<u64>,
    /// The process whose end ends the program.
    pub parent: Option<i32>,
    /// Files in memory alone may be made, of which no limit of memory knows.
    pub memory_files: bool,
    /// Leaves landlock out.
    pub no_landlock: bool,
    /// Runs nothing where landlock or seccomp is missing.
    pub require: bool,
    /// New files have other rights than usual, and root passes over no rights.
    pub other_rights: bool,
    /// Moves standard input and output to descriptors 3 and 4, and puts null devices in their place.
    pub wire: bool,
    /// What to run.
    pub program: PathBuf,
    /// Its arguments.
    pub rest: Vec<OsString>,
}

/// Reads the command line, program name left out.
pub fn parse(mut raw: impl Iterator<Item = OsString>) -> Result<Arguments, String> {
    let mut arguments = Arguments::default();
    let mut option = String::new();
    while let Some(next) = raw.next() {
        match next.to_str() {
            Some("--") => {
                arguments.program = raw.next().ok_or("has no program to run")?.into();
                arguments.rest = raw.collect();
                return Ok(arguments);
            }
            Some("--memory-files") => arguments.memory_files = true,
            Some("--no-landlock") => arguments.no_landlock = true,
            Some("--require") => arguments.require = true,
            Some("--other-rights") => arguments.other_rights = true,
            Some("--wire") => arguments.wire = true,
            Some(name) if name.starts_with("--") => name.clone_into(&mut option),
            text => match option.as_str() {
                "--read" => arguments.read.push(next.into()),
                "--execute" => arguments.execute.push(next.into()),
                "--write" => arguments.write.push(next.into()),
                "--user" => arguments.user.push(next.into()),
                "--temporary" => arguments.temporary.push(next.into()),
                "--file-limit" => arguments.file_limit = Some(number(&option, text)?),
                "--data-limit" => arguments.data_limit = Some(number(&option, text)?),
                "--open-files" => arguments.open_files = Some(number(&option, text)?),
                "--parent" => arguments.parent = Some(number(&option, text)?),
                _ => return Err(format!("does not know the option `{option}`")),
            },
        }
    }
    Err("needs `-- PROGRAM`".into())
}

fn number<T: std::str::FromStr>(option: &str, text: Option<&str>) -> Result<T, String> {
    text.and_then(|text| text.parse().ok())
        .ok_or_else(|| format!("needs a number after `{option}`"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<Arguments, String> {
        parse(text.split(' ').map(OsString::from))
    }

    #[test]
    fn options_take_values_until_the_next_option() {
        let arguments = parse_text(
            "--read /a /b --no-landlock --require --wire --other-rights --memory-files --write /c --user /d /e --temporary /f --file-limit 7 --data-limit 8 --open-files 6 --parent 9 -- /java -v --read",
        );
        let arguments = arguments.unwrap();
        assert_eq!(arguments.read, [PathBuf::from("/a"), PathBuf::from("/b")]);
        assert_eq!(arguments.write, [PathBuf::from("/c")]);
        assert_eq!(arguments.user, [PathBuf::from("/d"), PathBuf::from("/e")]);
        assert_eq!(arguments.temporary, [PathBuf::from("/f")]);
        assert_eq!((arguments.file_limit, arguments.parent), (Some(7), Some(9)));
        assert_eq!(arguments.data_limit, Some(8));
        assert_eq!(arguments.open_files, Some(6));
        assert!(arguments.no_landlock && arguments.require && arguments.wire);
        assert!(arguments.other_rights && arguments.memory_files);
        assert_eq!(arguments.program, PathBuf::from("/java"));
        assert_eq!(arguments.rest, ["-v", "--read"]);
    }

    #[test]
    fn a_wrong_command_line_is_named() {
        assert_eq!(
            parse_text("--file-limit x -- /java").unwrap_err(),
            "needs a number after `--file-limit`"
        );
        assert_eq!(
            parse_text("--what x -- /java").unwrap_err(),
            "does not know the option `--what`"
        );
        assert_eq!(parse_text("--read /a").unwrap_err(), "needs `-- PROGRAM`");
        assert_eq!(parse_text("--").unwrap_err(), "has no program to run");
    }
}
