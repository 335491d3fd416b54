//! Whose folder it is: two modules that share one would take each other's tests for those of classes that are gone.
//!
//! Comes in: a manifest, its folder, and a project's. Goes out: the manifest's first lines, `project ./../..`, the way from
//! the folder to the project, and `folder ./build/tests`, the way back; and the other project that the folder belongs to.
//! Both ways stay true where folder and project move together; where only one was moved or copied they no longer meet, and
//! the folder is whose run comes next.
//! Does not know: what a run does then.

use std::path::{Component, Path, PathBuf};

/// The dots keep these from being taken for lines of files, whose paths have none.
const PROJECT: &str = "project ./";
const FOLDER: &str = "folder ./";

/// The lines of a project.
pub(super) fn lines(folder: &Path, project: &Path) -> String {
    let (folder, project) = (real(folder), real(project));
    let there = way(&folder, &project);
    let back = way(&project, &folder);
    format!("{PROJECT}{}\n{FOLDER}{}\n", there.display(), back.display())
}

/// The project that a manifest names, where that is another and is still there.
pub(crate) fn other(manifest: &[u8], folder: &Path, project: &Path) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(manifest);
    let line = |start: &str| text.lines().find_map(|line| line.strip_prefix(start));
    let folder = real(folder);
    let named = folder.join(line(PROJECT)?).canonicalize().ok()?;
    let meets = named.join(line(FOLDER)?).canonicalize().ok()? == folder;
    (meets && named != real(project)).then_some(named)
}

fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// From one folder to another.
fn way(from: &Path, to: &Path) -> PathBuf {
    let shared = from
        .components()
        .zip(to.components())
        .take_while(|(from, to)| from == to)
        .count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_a_project_holds_where_both_move() {
        let root = tempfile::tempdir().unwrap();
        let tests = root.path().join("first/module/build/tests");
        std::fs::create_dir_all(&tests).unwrap();
        let module = root.path().join("first/module");
        let text = lines(&tests, &module);
        assert_eq!(text, "project ./../..\nfolder ./build/tests\n");
        assert_eq!(other(text.as_bytes(), &tests, &module), None);
        std::fs::rename(root.path().join("first"), root.path().join("second")).unwrap();
        let (tests, module) = (
            root.path().join("second/module/build/tests"),
            root.path().join("second/module"),
        );
        assert_eq!(other(text.as_bytes(), &tests, &module), None);
    }

    #[test]
    fn a_folder_that_was_moved_or_copied_belongs_to_nobody_else() {
        let root = tempfile::tempdir().unwrap();
        let module = root.path().join("all/module");
        let [deep, flat] = ["build/generated/tests", "src/tests"].map(|name| module.join(name));
        for folder in [&deep, &flat] {
            std::fs::create_dir_all(folder).unwrap();
        }
        let text = lines(&deep, &module);
        // From here its way leads to `all`, which is there.
        assert_eq!(other(text.as_bytes(), &flat, &module), None);
    }

    #[test]
    fn another_project_is_named_while_it_is_there() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for name in ["tests", "ledger", "bank"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        let text = lines(&at("tests"), &at("ledger"));
        assert_eq!(text, "project ./../ledger\nfolder ./../tests\n");
        let found = other(text.as_bytes(), &at("tests"), &at("bank"));
        assert_eq!(found, at("ledger").canonicalize().ok());
        std::fs::remove_dir(at("ledger")).unwrap();
        assert_eq!(other(text.as_bytes(), &at("tests"), &at("bank")), None);
    }
}
