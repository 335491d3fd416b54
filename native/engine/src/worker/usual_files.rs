//! Files of names that many users' files have, in the folders that stand for the user's to a JVM.
//!
//! Comes in: the private folder of a JVM, laid out. Goes out: files, and the list by which the JVM knows them.
//! Does not know: who looks at them, or what becomes of them.

use super::folder::{CHECKOUT, HOME, PrivateFolder, TEMPORARY};
use crate::Error;
use crate::write::disk::unwritable;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Name of the list: a path below the private folder a line.
const LIST: &str = "planted.txt";
/// When all of them were changed last, in seconds since 1970: long ago, so that any later change shows.
const OLD: u64 = 1_000_000_000;

/// In the folder in which a JVM runs.
const OF_CHECKOUT: &[&str] = &[
    "README.md",
    "pom.xml",
    "build.gradle",
    "settings.gradle",
    ".gitignore",
    ".git/HEAD",
    ".git/config",
    "src/main/java/Main.java",
    "src/main/resources/application.properties",
    "src/test/resources/data.json",
    "build/classes/Main.class",
    "target/classes/Main.class",
    "data/ledger.db",
    "data/archive/old.csv",
    "config/settings.properties",
    "config/app.yml",
    "conf/server.xml",
    "logs/app.log",
    "log/app.log",
    "output/report.html",
    "out/result.txt",
    "tmp/part.tmp",
    "temp/part.tmp",
    "cache/entry.bin",
    "backup/data.zip",
    "db/main.db",
    "lib/tool.jar",
    "docs/index.html",
    "files/file.txt",
    "test/test.txt",
    "store/index.dat",
    "config.properties",
    "settings.xml",
    "config.json",
    "data.txt",
    "input.txt",
    "output.txt",
    "test.txt",
    "file.txt",
    "out.txt",
    "log.txt",
    "app.log",
    "data.db",
    "a",
    "b",
    "x/y",
];
/// In the home folder.
const OF_HOME: &[&str] = &[
    ".bashrc",
    ".profile",
    ".gitconfig",
    ".netrc",
    ".ssh/id_rsa",
    ".ssh/config",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
    ".config/app/settings.json",
    ".cache/app/entry.bin",
    ".local/share/app/data.db",
    ".aws/credentials",
    ".app/config",
    "Documents/letter.txt",
    "Desktop/note.txt",
    "Downloads/file.zip",
    "config.properties",
];
/// In the folder for temporary files, where programs keep what is to last until they run again.
const OF_TEMPORARY: &[&str] = &[
    "app.lock",
    "app.log",
    "app.pid",
    "app/config.properties",
    "cache/entry.bin",
    "data.tmp",
    "data/part.bin",
    "export.csv",
    "output.txt",
    "report.html",
    "report.xml",
    "test.txt",
    "upload/part.tmp",
    "a",
];

/// Plants these files in a folder that is laid out. The JVM has them from the list, and knows that each file holds its
/// name and the end of a line.
///
/// # Errors
/// A configuration error naming the folder.
pub fn plant(folder: &PrivateFolder) -> Result<(), Error> {
    write(folder.path()).map_err(|error| unwritable(folder.path(), &error))
}

fn write(private: &Path) -> io::Result<()> {
    let mut list = String::new();
    let mut folders = BTreeSet::new();
    for (place, names) in [
        (CHECKOUT, OF_CHECKOUT),
        (HOME, OF_HOME),
        (TEMPORARY, OF_TEMPORARY),
    ] {
        for name in names {
            let relative = format!("{place}/{name}");
            let path = private.join(&relative);
            let folder = path.parent().expect("it lies in a folder");
            if folders.insert(folder.to_owned()) {
                fs::create_dir_all(folder)?;
            }
            let content = name.rsplit('/').next().unwrap_or(name);
            fs::write(&path, format!("{content}\n"))?;
            age(&path);
            list += &relative;
            list.push('\n');
        }
    }
    // Those between are made with the ones below them.
    let with_those_above = folders
        .iter()
        .flat_map(|folder| folder.ancestors().take_while(|above| *above != private));
    for folder in with_those_above.collect::<BTreeSet<_>>() {
        age(folder);
    }
    fs::write(private.join(LIST), list)
}

/// Where a system lets nobody set this time, a file is known by the time at which it was written.
fn age(path: &Path) {
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(OLD);
    let _ = File::open(path).and_then(|file| file.set_modified(old));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_is_listed_holds_its_name_and_is_old_with_all_folders() {
        let parent = tempfile::tempdir().unwrap();
        let folder = PrivateFolder::new(parent.path(), "worker-").unwrap();
        folder.lay_out().unwrap();
        plant(&folder).unwrap();
        let list = fs::read_to_string(folder.path().join(LIST)).unwrap();
        assert_eq!(
            list.lines().count(),
            OF_CHECKOUT.len() + OF_HOME.len() + OF_TEMPORARY.len()
        );
        let seconds = |path: &Path| {
            let changed = path.metadata().unwrap().modified().unwrap();
            changed
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap()
                .as_secs()
        };
        for relative in list.lines() {
            let path = folder.path().join(relative);
            let name = path.file_name().unwrap().to_str().unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{name}\n"));
            for made in path.ancestors().take_while(|at| *at != folder.path()) {
                assert_eq!(seconds(made), OLD, "{}", made.display());
            }
        }
    }
}
