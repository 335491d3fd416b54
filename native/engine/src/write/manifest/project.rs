//! Whose folder it is: two modules that share one would take each other's tests for those of classes that are gone.
//!
//! Comes in: a manifest, its folder, and a project's. Goes out: the manifest's first line, `project ./../..`, the way from
//! the folder to the project, which stays true where both move; and the other project that the folder belongs to.
//! Does not know: what a run does then.

use std::path::{Component, Path, PathBuf};

/// The dot keeps it from being taken for a file's line, whose paths have none.
const START: &str = "project ./";

/// The line of a project.
pub(super) fn line(folder: &Path, project: &Path) -> String {
    let way = way(&real(folder), &real(project));
    format!("{START}{}", way.display())
}

/// The project that a manifest names, where that is another and is still there.
pub(super) fn other(manifest: &[u8], folder: &Path, project: &Path) -> Option<PathBuf> {
    let text = String::from_utf8_lossy(manifest);
    let way = text.lines().find_map(|line| line.strip_prefix(START))?;
    let named = real(folder).join(way).canonicalize().ok()?;
    (named != real(project)).then_some(named)
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
        let line = line(&tests, &module);
        assert_eq!(line, "project ./../..");
        assert_eq!(other(line.as_bytes(), &tests, &module), None);
        std::fs::rename(root.path().join("first"), root.path().join("second")).unwrap();
        let (tests, module) = (
            root.path().join("second/module/build/tests"),
            root.path().join("second/module"),
        );
        assert_eq!(other(line.as_bytes(), &tests, &module), None);
    }

    #[test]
    fn another_project_is_named_while_it_is_there() {
        let root = tempfile::tempdir().unwrap();
        let at = |name: &str| root.path().join(name);
        for name in ["tests", "ledger", "bank"] {
            std::fs::create_dir(at(name)).unwrap();
        }
        let line = line(&at("tests"), &at("ledger"));
        assert_eq!(line, "project ./../ledger");
        let found = other(line.as_bytes(), &at("tests"), &at("bank"));
        assert_eq!(found, at("ledger").canonicalize().ok());
        std::fs::remove_dir(at("ledger")).unwrap();
        assert_eq!(other(line.as_bytes(), &at("tests"), &at("bank")), None);
    }
}
