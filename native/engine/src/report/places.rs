//! Where classes and methods stand in the sources, as other tools name such places.
//!
//! Comes in: a class or a method. Goes out: its source file below the folder that has `.git` (where there is none: below
//! the project), `/` between names, and its first line. Does not know: who reads it.

use crate::Settings;
use palus_bytecode::{MethodId, Program};
use palus_report::SourcePlace;
use std::path::{Component, Path, PathBuf};

/// Where a method begins: the first line that has code of it.
pub(crate) fn place_of(
    settings: &Settings,
    program: &Program,
    method: MethodId,
) -> Option<SourcePlace> {
    let method = program.method(method);
    let file = program.class(method.class).source_file.as_ref()?;
    let package = program.package(method.class);
    let relative = if package.is_empty() {
        file.to_string()
    } else {
        format!("{package}/{file}")
    };
    let lines = method.code.iter().flat_map(|code| &code.lines);
    let line = lines.map(|&(_, line)| u32::from(line)).min().unwrap_or(0);
    at(settings, &relative, line)
}

/// Where a class stands that is known by its name in source form alone.
pub(crate) fn place_of_named(settings: &Settings, class: &str) -> Option<SourcePlace> {
    let outermost = class.split('$').next().unwrap_or(class);
    let path = palus_bytecode::internal_name(outermost);
    at(settings, &format!("{path}.java"), 0)
}

/// A line of a file.
pub(crate) fn place_in(settings: &Settings, file: &Path, line: u32) -> SourcePlace {
    SourcePlace {
        file: below(&root(&settings.project_directory), file),
        line,
    }
}

/// The file of that name below one of the source folders.
fn at(settings: &Settings, relative: &str, line: u32) -> Option<SourcePlace> {
    let mut folders = settings.source_directories.iter();
    let file = folders.find_map(|folder| Some(folder.join(relative)).filter(|file| file.is_file()));
    Some(place_in(settings, &file?, line))
}

/// The folder that names of files begin in.
fn root(project: &Path) -> PathBuf {
    let mut folders = project.ancestors();
    let has_git = |folder: &&Path| folder.join(".git").exists();
    folders.find(has_git).unwrap_or(project).to_path_buf()
}

/// `src/main/java/demo/Account.java`; a file elsewhere keeps its whole path.
fn below(root: &Path, file: &Path) -> String {
    let relative = file.strip_prefix(root).unwrap_or(file);
    let names = relative.components().filter_map(|name| match name {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        Component::ParentDir => Some("..".to_owned()),
        _ => None,
    });
    let text = names.collect::<Vec<_>>().join("/");
    if relative.is_absolute() {
        format!("/{text}")
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_where_git_does_else_in_the_project() {
        let folder = tempfile::tempdir().unwrap();
        let module = folder.path().join("shop/core");
        std::fs::create_dir_all(module.join("src/p")).unwrap();
        let file = module.join("src/p/A.java");
        assert_eq!(below(&root(&module), &file), "src/p/A.java");
        std::fs::create_dir(folder.path().join("shop/.git")).unwrap();
        assert_eq!(below(&root(&module), &file), "core/src/p/A.java");
    }

    #[test]
    fn a_file_elsewhere_keeps_its_path() {
        assert_eq!(below(Path::new("/a"), Path::new("/b/C.java")), "/b/C.java");
    }
}
