//! No module of a crate may need, by whatever detour, a module that needs it.
//!
//! Comes in: the sources of all crates. Goes out: a test that fails and names the cycle.
//! A file is a module. It needs the files that define what its paths name: those of `use` lines, and those that are
//! written out in the code. What a file exports for another (`pub use`) is looked up where it is defined, and makes no
//! arrow by itself: so a crate's root may list what the crate offers. Tests do not count.
//! Does not know: types, methods: two files with `impl` blocks of one type need what they name, and not each other.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

#[test]
fn no_module_needs_one_that_needs_it() {
    let mut wrong = Vec::new();
    for folder in super::read_dir(&super::root().join("native")) {
        if !folder.join("src").is_dir() {
            continue;
        }
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let graph = Graph::of(&folder.join("src"));
        let cyclic: BTreeSet<&str> = graph.cycles().into_iter().flatten().collect();
        for module in cyclic {
            wrong.push(format!(
                "{name}: {}",
                graph.way(module, module).join(" -> ")
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "modules that need each other:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn a_cycle_is_seen_through_groups_exports_and_paths_in_the_code() {
    let files = [
        ("", "mod a;\nmod b;\npub use a::Apple;\n"),
        ("a", "use crate::b::{self, Bee};\npub struct Apple;\n"),
        ("b", "mod c;\npub struct Bee;\n"),
        ("b::c", "fn eat(apple: crate::Apple) {}\n// crate::b::Bee\n"),
    ];
    let graph = Graph::from(&files);
    assert_eq!(graph.arrows(), ["a -> b", "b::c -> a"]);
    assert!(graph.cycles().is_empty());
    let back = ("b", "mod c;\nuse c::Cat;\npub struct Bee;\n");
    let graph = Graph::from(&[files[0], files[1], back, files[3]]);
    assert_eq!(graph.cycles(), [["a", "b", "b::c"]]);
    assert_eq!(graph.way("a", "a"), ["a", "b", "b::c", "a"]);
}

#[test]
fn tests_may_need_whom_they_test() {
    let files = [
        ("", "mod a;\n#[cfg(test)]\nmod tests;\n"),
        (
            "a",
            "#[cfg(test)]\nmod tests {\n    use crate::tests::Fake;\n}\n",
        ),
        ("tests", "use crate::a::Apple;\npub struct Fake;\n"),
    ];
    assert!(Graph::from(&files).arrows().is_empty());
}

/// Which module needs which.
struct Graph(BTreeMap<String, BTreeSet<String>>);

/// A module as its file says it.
struct Module {
    /// What it writes, each as segments.
    paths: Vec<Vec<String>>,
    /// What it exports under which name, from where.
    exports: Vec<(String, Vec<String>)>,
}

impl Graph {
    fn of(folder: &Path) -> Graph {
        let files: Vec<(String, String)> = super::sources(&folder.to_string_lossy(), "rs")
            .iter()
            .map(|path| {
                let inside = path.strip_prefix(folder).unwrap().with_extension("");
                let names = inside
                    .iter()
                    .map(|name| name.to_string_lossy().into_owned());
                let mut names: Vec<String> = names.collect();
                if matches!(
                    names.last().map(String::as_str),
                    Some("mod" | "lib" | "main")
                ) {
                    names.pop();
                }
                (names.join("::"), super::text(path))
            })
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(name, text)| (&**name, &**text))
            .collect();
        Graph::from(&files)
    }

    fn from(files: &[(&str, &str)]) -> Graph {
        let product: Vec<(&str, Product)> = files
            .iter()
            .map(|&(name, text)| (name, Product::of(text)))
            .collect();
        let tests: BTreeSet<String> = product
            .iter()
            .flat_map(|(name, product)| product.tests.iter().map(|test| join(name, test)))
            .collect();
        let is_test = |name: &str| {
            tests.iter().any(|test| {
                name.strip_prefix(&**test)
                    .is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            })
        };
        let names: BTreeSet<&str> = product
            .iter()
            .map(|(name, _)| *name)
            .filter(|name| !is_test(name))
            .collect();
        let mut modules: BTreeMap<&str, Module> = BTreeMap::new();
        for (name, product) in product.iter().filter(|(name, _)| names.contains(name)) {
            let module = modules.entry(name).or_insert(Module {
                paths: Vec::new(),
                exports: Vec::new(),
            });
            product.read(module);
        }
        let mut graph = BTreeMap::new();
        for (name, module) in &modules {
            let found = module
                .paths
                .iter()
                .filter_map(|path| defining(&modules, name, path, 0));
            let needed: BTreeSet<String> = found.filter(|found| found != name).collect();
            graph.insert((*name).to_owned(), needed);
        }
        Graph(graph)
    }

    /// All arrows, as text.
    fn arrows(&self) -> Vec<String> {
        let arrows = self
            .0
            .iter()
            .flat_map(|(from, needed)| needed.iter().map(move |to| format!("{from} -> {to}")));
        arrows.collect()
    }

    /// Sets of modules that need each other.
    fn cycles(&self) -> Vec<Vec<&str>> {
        let mut cycles: Vec<Vec<&str>> = Vec::new();
        for module in self.0.keys() {
            if cycles.iter().flatten().any(|known| known == module)
                || self.way(module, module).is_empty()
            {
                continue;
            }
            let others = self.0.keys().filter(|other| {
                !self.way(module, other).is_empty() && !self.way(other, module).is_empty()
            });
            cycles.push(others.map(String::as_str).collect());
        }
        cycles
    }

    /// The shortest way of at least one arrow, both ends included; empty where there is none.
    fn way(&self, from: &str, to: &str) -> Vec<String> {
        let mut before: BTreeMap<&str, &str> = BTreeMap::new();
        let mut queue = VecDeque::from([from]);
        while let Some(module) = queue.pop_front() {
            for next in self.0.get(module).into_iter().flatten() {
                if before.contains_key(&**next) {
                    continue;
                }
                before.insert(next, module);
                if next == to {
                    let mut way = vec![to];
                    loop {
                        let last = before[way[way.len() - 1]];
                        way.push(last);
                        if last == from {
                            break;
                        }
                    }
                    let named = way.iter().rev().map(|module| {
                        if module.is_empty() {
                            "the root"
                        } else {
                            module
                        }
                    });
                    return named.map(str::to_owned).collect();
                }
                queue.push_back(next);
            }
        }
        Vec::new()
    }
}

/// The files of a crate that are there for more than tests, each without comments and tests.
pub(super) fn product(folder: &Path) -> Vec<(PathBuf, String)> {
    let read = super::sources(&folder.to_string_lossy(), "rs")
        .into_iter()
        .map(|path| {
            let product = Product::of(&super::text(&path));
            (path, product)
        });
    let read: Vec<(PathBuf, Product)> = read.collect();
    let tests: BTreeSet<PathBuf> = read
        .iter()
        .flat_map(|(path, product)| {
            let beside = match path.file_stem().and_then(|name| name.to_str()) {
                Some("lib" | "main" | "mod") => path.parent().unwrap().to_path_buf(),
                _ => path.with_extension(""),
            };
            product.tests.iter().map(move |test| beside.join(test))
        })
        .collect();
    let is_test = |path: &Path| {
        let module = path.with_extension("");
        module.ancestors().any(|folder| tests.contains(folder))
    };
    read.into_iter()
        .filter(|(path, _)| !is_test(path))
        .map(|(path, product)| (path, product.text))
        .collect()
}

fn join(module: &str, name: &str) -> String {
    if module.is_empty() {
        name.to_owned()
    } else {
        format!("{module}::{name}")
    }
}

/// The module that defines what a path of another leads to; none outside of the crate.
fn defining(
    modules: &BTreeMap<&str, Module>,
    at: &str,
    path: &[String],
    depth: u32,
) -> Option<String> {
    let parent = |module: &str| {
        module
            .rsplit_once("::")
            .map_or("", |(parent, _)| parent)
            .to_owned()
    };
    let mut rest = path.iter().map(String::as_str).peekable();
    let mut module = match rest.peek().copied()? {
        "crate" => {
            rest.next();
            String::new()
        }
        "self" => {
            rest.next();
            at.to_owned()
        }
        "super" => {
            let mut module = at.to_owned();
            while rest.next_if_eq(&"super").is_some() {
                module = parent(&module);
            }
            module
        }
        first if modules.contains_key(&*join(at, first)) => at.to_owned(),
        _ => return None,
    };
    while let Some(child) = rest
        .peek()
        .map(|name| join(&module, name))
        .filter(|child| modules.contains_key(&**child))
    {
        module = child;
        rest.next();
    }
    let exports = &modules[&*module].exports;
    let exported = rest
        .peek()
        .and_then(|&name| exports.iter().find(|(known, _)| known == name));
    match exported {
        Some((_, from)) if depth < 8 => {
            let from = from.iter().cloned().chain(rest.skip(1).map(str::to_owned));
            defining(modules, &module, &from.collect::<Vec<_>>(), depth + 1)
        }
        _ => Some(module),
    }
}

/// The text of a file without comments and tests.
struct Product {
    text: String,
    /// Names of its modules that are there for tests.
    tests: Vec<String>,
}

impl Product {
    fn of(text: &str) -> Product {
        let mut product = Product {
            text: String::new(),
            tests: Vec::new(),
        };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if line.trim() != "#[cfg(test)]" {
                product
                    .text
                    .push_str(line.split("//").next().unwrap_or(line));
                product.text.push('\n');
                continue;
            }
            // The item that follows ends with a semicolon, or with a bracket where it begins.
            let indent = &line[..line.len() - line.trim_start().len()];
            for line in lines.by_ref() {
                let item = line.trim();
                if let Some(name) = item
                    .strip_suffix(';')
                    .and_then(|item| item.rsplit_once("mod "))
                {
                    product.tests.push(name.1.to_owned());
                }
                let has_ended =
                    item.ends_with(';') && line.len() - line.trim_start().len() == indent.len();
                if has_ended || line == format!("{indent}}}") {
                    break;
                }
            }
        }
        product
    }

    fn read(&self, into: &mut Module) {
        let mut code = String::new();
        let mut statement: Option<String> = None;
        for line in self.text.lines() {
            let item = line.trim();
            let is_use = ["use ", "pub use ", "pub(crate) use ", "pub(super) use "];
            if statement.is_none() && is_use.iter().any(|start| item.starts_with(start)) {
                statement = Some(String::new());
            }
            match &mut statement {
                Some(statement) => statement.push_str(item),
                None => code.push_str(line),
            }
            code.push('\n');
            if let Some(whole) = statement.take_if(|statement| statement.ends_with(';')) {
                let (visible, tree) = whole.trim_end_matches(';').split_once("use ").unwrap();
                for (path, name) in expanded(tree) {
                    if visible.is_empty() {
                        into.paths.push(path);
                    } else {
                        into.exports.push((name, path));
                    }
                }
            }
        }
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for word in code
            .split(|c| !is_part(c))
            .filter(|word| word.contains("::"))
        {
            let path = word.split("::").filter(|name| !name.is_empty());
            into.paths.push(path.map(str::to_owned).collect());
        }
    }
}

/// The paths of a tree, each with the name it goes by.
fn expanded(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    let Some((before, inside)) = tree.strip_suffix('}').and_then(|tree| tree.split_once('{'))
    else {
        let (path, name) = tree.split_once(" as ").unwrap_or((tree, ""));
        let mut path: Vec<String> = path.split("::").map(str::to_owned).collect();
        if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        let name = if name.is_empty() {
            path.last().cloned().unwrap_or_default()
        } else {
            name.to_owned()
        };
        return vec![(path, name)];
    };
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in inside.chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        if c == ',' && depth == 0 {
            parts.push(String::new());
        } else {
            parts.last_mut().unwrap().push(c);
        }
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expanded(&format!("{before}{}", part.trim())))
        .collect()
}
