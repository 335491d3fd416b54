//! What settings say wherever the project and its agents lie.
//!
//! Comes in: arguments of the project's test JVM, texts with paths. Goes out: agents by the names of their files and what
//! these hold, and texts that do not say where the project's folder is.
//! Does not know: which settings there are.

use crate::subject::input::Input;
use crate::write::manifest::hash_of;
use std::path::{Path, PathBuf};

const AGENT: &str = "-javaagent:";
/// Stands for the project's folder.
const PROJECT: &str = "<project>";

/// Agents of Java among arguments; paths are relative to this folder.
pub(super) fn agents<'a>(
    arguments: &'a [String],
    project: &'a Path,
) -> impl Iterator<Item = PathBuf> + 'a {
    let agents = arguments.iter().filter_map(|text| split(text));
    agents.map(|(path, _)| project.join(path))
}

/// An argument with the name and the content of an agent in the place of its path: each machine has it somewhere else.
pub(super) fn by_content(argument: &str, project: &Path) -> String {
    let Some((path, options)) = split(argument) else {
        return argument.to_owned();
    };
    let path = project.join(path);
    let name = path.file_name().unwrap_or_default().display();
    match Input::open(&path).and_then(hash_of) {
        Ok(hash) => format!("{AGENT}{name} {hash}{options}"),
        Err(_) => argument.to_owned(),
    }
}

/// The path of an agent, and its options with the sign before them.
fn split(argument: &str) -> Option<(&str, &str)> {
    let agent = argument.strip_prefix(AGENT)?;
    Some(agent.split_at(agent.find('=').unwrap_or(agent.len())))
}

/// The text, in which paths are as `{:?}` has them, with a word in the place of a folder: of whole paths, and of beginnings
/// of paths that end where a name does.
pub(super) fn without_folder(text: &str, folder: &Path) -> String {
    let folder = format!("{:?}", folder.to_string_lossy());
    let folder = folder.trim_matches('"').trim_end_matches(['/', '\\']);
    if folder.is_empty() {
        return text.to_owned();
    }
    let is_part = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.' | '$');
    let mut without = String::with_capacity(text.len());
    let mut end = 0;
    for (at, _) in text.match_indices(folder) {
        let before = text[..at].chars().next_back();
        let after = text[at + folder.len()..].chars().next();
        if !before.is_some_and(is_part) && !after.is_some_and(is_part) {
            without.push_str(&text[end..at]);
            without.push_str(PROJECT);
            end = at + folder.len();
        }
    }
    without.push_str(&text[end..]);
    without
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_cut_as_a_whole_path_and_as_the_beginning_of_one() {
        for (text, without) in [
            ("\"-Dhome=/a/b\"", "\"-Dhome=<project>\""),
            ("\"/a/b/c\"", "\"<project>/c\""),
            (
                "-Durl=file:///a/b/:/a/b",
                "-Durl=file://<project>/:<project>",
            ),
            (
                "/a/bc /a/b.old /x/a/b-2 x/a/b",
                "/a/bc /a/b.old /x/a/b-2 x/a/b",
            ),
        ] {
            assert_eq!(without_folder(text, Path::new("/a/b")), without);
            assert_eq!(without_folder(text, Path::new("/a/b/")), without);
        }
        assert_eq!(without_folder("/a", Path::new("/")), "/a");
    }

    #[test]
    fn an_agent_is_known_by_its_name_and_content() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            format!("{AGENT}{}=a=b", path.display())
        };
        let key = |argument: &str| by_content(argument, folder.path());
        let one = at("alice/agent.jar", "1");
        assert!(key(&one).ends_with("=a=b") && !key(&one).contains("alice"));
        assert_eq!(key(&one), key(&at("bob/agent.jar", "1")));
        assert_eq!(key(&one), key("-javaagent:bob/agent.jar=a=b"));
        assert_ne!(key(&one), key(&at("carol/agent.jar", "2")));
        assert_ne!(key(&one), key(&at("carol/other.jar", "1")));
        assert_ne!(key(&one), key(&one.replace("=a", "=c")));
        for same in ["-javaagent:gone.jar", "-Dagent=-javaagent:alice/agent.jar"] {
            assert_eq!(key(same), same);
        }
    }
}
