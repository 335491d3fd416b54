//! The house rules that a compiler does not hold: arrows between crates as `ARCHITECTURE.md` draws them, what crates know
//! of the world outside, headers, file lengths, links in the docs.

#[path = "tidy/modules.rs"]
mod modules;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Crates of ours that know files, processes, the network or the clock: the engine, and those that no plugin loads.
const OUTWARD: [&str; 5] = ["engine", "evaluate", "fixture", "fuzz", "launcher"];

#[test]
fn crates_depend_along_the_arrows_of_the_page_and_no_others() {
    let page = text(&root().join("ARCHITECTURE.md"));
    let mut drawn: BTreeSet<(String, String)> = arrows(&page);
    let crates = crates();
    // What lies on the Java side, or is a JVM, has no manifest.
    drawn.retain(|(from, _)| !["plugins", "host"].contains(&&**from));
    let mut found = BTreeSet::new();
    for name in &crates {
        let manifest = text(&root().join("native").join(name).join("Cargo.toml"));
        let ours = dependencies(&manifest)
            .into_iter()
            .filter_map(|dependency| dependency.strip_prefix("palus-"));
        found.extend(ours.map(|dependency| (name.clone(), dependency.to_owned())));
    }
    let undrawn: Vec<_> = found.difference(&drawn).collect();
    assert!(
        undrawn.is_empty(),
        "manifests have arrows that ARCHITECTURE.md does not draw: {undrawn:?}; draw them, or do without"
    );
    let unused: Vec<_> = drawn.difference(&found).collect();
    assert!(
        unused.is_empty(),
        "ARCHITECTURE.md draws arrows that no manifest has: {unused:?}"
    );
}

#[test]
fn every_crate_has_its_row_on_the_page() {
    let page = text(&root().join("ARCHITECTURE.md"));
    let rows: BTreeSet<String> = page
        .lines()
        .filter_map(|line| line.strip_prefix("| `native/"))
        .filter_map(|row| row.split_once("` |"))
        .map(|(name, _)| name.to_owned())
        .collect();
    assert_eq!(rows, crates());
}

#[test]
fn arrows_are_read_from_groups_chains_and_several_in_a_line() {
    let page = "no -> arrow\n\nArrows:\n\n```\nplugins -> host ~JNI~> a -> b\nb, c -> d, e      d -> e\n```\nd -> f\n";
    let drawn = arrows(page);
    let drawn: Vec<String> = drawn
        .iter()
        .map(|(from, to)| format!("{from} {to}"))
        .collect();
    assert_eq!(
        drawn,
        ["a b", "b d", "b e", "c d", "c e", "d e", "plugins host"]
    );
}

#[test]
fn files_processes_the_network_and_the_clock_are_known_where_the_page_says() {
    let outward = [
        "std::fs",
        "std::process",
        "std::net",
        "Instant::now",
        "SystemTime",
    ];
    let mut wrong = Vec::new();
    for name in crates().iter().filter(|name| !OUTWARD.contains(&&***name)) {
        for (path, code) in modules::product(&root().join("native").join(name).join("src")) {
            let known = outward.into_iter().filter(|word| code.contains(word));
            wrong.extend(known.map(|word| format!("{}: {word}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn class_files_are_parsed_where_the_page_says() {
    let mut found: Vec<String> = sources("native", "rs")
        .into_iter()
        .filter(|path| text(path).contains("use cafebabe::"))
        .map(|path| path.strip_prefix(root()).unwrap().display().to_string())
        .filter(|path| path != "native/engine/tests/tidy.rs")
        .filter(|path| !path.starts_with("native/bytecode/src/"))
        .collect();
    found.sort();
    assert_eq!(
        found,
        [
            "native/engine/src/subject/release.rs",
            "native/evaluate/src/growth.rs"
        ]
    );
}

#[test]
fn unsafe_code_stands_in_the_bridge_and_the_launcher_alone() {
    // The compiler denies it where no attribute names the lint.
    let mut found: Vec<PathBuf> = sources("native", "rs")
        .into_iter()
        .filter(|path| !path.ends_with("engine/tests/tidy.rs"))
        .filter(|path| text(path).contains("unsafe_code"))
        .collect();
    found.sort();
    let expected = [
        "bridge/src/lib.rs",
        "launcher/src/main.rs",
        // Make the calls that the launcher has to refuse.
        "launcher/tests/calls.rs",
        "launcher/tests/denials.rs",
    ];
    assert_eq!(found, expected.map(|path| root().join("native").join(path)));
    let manifest = text(&root().join("Cargo.toml"));
    assert!(manifest.contains("unsafe_code = \"deny\"") && !manifest.contains("memmap"));
}

#[test]
fn every_rust_file_says_what_it_is() {
    let headless: Vec<PathBuf> = sources("native", "rs")
        .into_iter()
        .filter(|path| !text(path).starts_with("//!"))
        .collect();
    assert!(
        headless.is_empty(),
        "a `//!` header is missing in {headless:#?}"
    );
}

#[test]
fn every_file_of_tests_of_the_engine_is_run() {
    let folder = root().join("native/engine/tests");
    let programs = text(&root().join("native/engine/Cargo.toml"));
    let modules = text(&folder.join("main.rs"));
    let forgotten: Vec<PathBuf> = read_dir(&folder)
        .into_iter()
        .filter(|path| path.extension().is_some_and(|found| found == "rs"))
        .filter(|path| {
            let name = path.file_stem().unwrap().to_str().unwrap();
            !programs.contains(&format!("path = \"tests/{name}.rs\""))
                && !modules.lines().any(|line| line == format!("mod {name};"))
        })
        .collect();
    assert!(
        forgotten.is_empty(),
        "`mod` is missing in main.rs for {forgotten:#?}"
    );
}

#[test]
fn every_java_package_says_where_it_runs() {
    let silent: BTreeSet<PathBuf> = ["java", "gradle-plugin", "maven-plugin"]
        .iter()
        .flat_map(|folder| sources(folder, "java"))
        .filter(|path| path.to_string_lossy().contains("src/main/java"))
        .filter_map(|path| path.parent().map(Path::to_path_buf))
        .filter(|package| !package.join("package-info.java").is_file())
        .collect();
    assert!(
        silent.is_empty(),
        "package-info.java is missing in {silent:#?}"
    );
}

#[test]
fn files_stay_short_enough_to_read() {
    let mut long = Vec::new();
    for (folder, extension, limit) in [
        ("native", "rs", 700),
        ("java", "java", 350),
        ("gradle-plugin", "java", 350),
        ("maven-plugin", "java", 350),
    ] {
        for path in sources(folder, extension) {
            let lines = text(&path).lines().count();
            if lines > limit {
                long.push((lines, path));
            }
        }
    }
    assert!(long.is_empty(), "to be split: {long:#?}");
}

#[test]
fn links_and_paths_in_the_docs_lead_somewhere() {
    let mut dead = Vec::new();
    let docs = read_dir(&root())
        .into_iter()
        .chain(read_dir(&root().join("docs")));
    for page in docs.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = text(&page);
        let folder = page.parent().unwrap();
        for target in links(&text) {
            if target.contains("://") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() {
                page.clone()
            } else {
                folder.join(file)
            };
            let has_anchor = || {
                anchors(&self::text(&file))
                    .iter()
                    .any(|known| known == anchor)
            };
            if !file.exists() || !(anchor.is_empty() || has_anchor()) {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
        for path in quoted_paths(&text) {
            if !root().join(&path).exists() {
                dead.push(format!("{}: {path}", page.display()));
            }
        }
    }
    assert!(dead.is_empty(), "{dead:#?}");
}

/// The crates, by the names of their folders.
fn crates() -> BTreeSet<String> {
    read_dir(&root().join("native"))
        .into_iter()
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect()
}

/// Who may name whom, as the block below the line "Arrows" draws it.
///
/// `a, b -> c, d` are four arrows, `a -> b -> c` two; two blanks and more part arrows of one line; `~JNI~>` is none.
fn arrows(page: &str) -> BTreeSet<(String, String)> {
    let block = page
        .lines()
        .skip_while(|line| !line.starts_with("Arrows"))
        .skip_while(|line| *line != "```")
        .skip(1)
        .take_while(|line| *line != "```");
    let mut arrows = BTreeSet::new();
    for drawing in block
        .flat_map(|line| line.split("  "))
        .filter(|drawing| !drawing.trim().is_empty())
    {
        let words: Vec<&str> = drawing.split_whitespace().collect();
        let chains = words.split(|word| word.starts_with(['~', '<']));
        for chain in chains {
            let ends: Vec<Vec<&str>> = chain
                .split(|word| *word == "->")
                .map(|names| {
                    names
                        .iter()
                        .map(|name| name.trim_end_matches(','))
                        .collect()
                })
                .collect();
            for pair in ends.windows(2) {
                for from in &pair[0] {
                    let to = pair[1].iter();
                    arrows.extend(to.map(|to| ((*from).to_owned(), (*to).to_owned())));
                }
            }
        }
    }
    arrows
}

/// Names of the `[dependencies]` table.
fn dependencies(manifest: &str) -> Vec<&str> {
    manifest
        .lines()
        .skip_while(|line| *line != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Targets of `[text](target)`.
fn links(text: &str) -> Vec<&str> {
    text.split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .collect()
}

/// What the headings of a page are called in links.
fn anchors(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| line.starts_with('#'))
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|heading| {
            let kept = heading
                .chars()
                .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c));
            kept.collect::<String>().replace(' ', "-")
        })
        .collect()
}

/// Source paths in backticks: those that start with a folder of the checkout and name a file.
fn quoted_paths(text: &str) -> Vec<String> {
    let tops = [
        "native/",
        "java/",
        "docs/",
        "gradle/",
        "gradle-plugin/",
        "maven-plugin/",
        "integration-tests/",
    ];
    text.split('`')
        .skip(1)
        .step_by(2)
        // `file::test` names a test of the file.
        .map(|quoted| quoted.split("::").next().unwrap_or(quoted))
        .filter(|quoted| tops.iter().any(|top| quoted.starts_with(top)))
        .filter(|quoted| {
            quoted
                .rsplit('/')
                .next()
                .is_some_and(|name| name.contains('.'))
        })
        .filter(|quoted| !quoted.contains(['*', '<', ' ', '{']) && !quoted.contains("/build/"))
        .map(str::to_owned)
        .collect()
}

/// Files of one kind below a folder, build output left out.
fn sources(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for path in read_dir(&folder) {
            if path.is_dir() {
                if !matches!(
                    path.file_name().and_then(|name| name.to_str()),
                    Some("target" | "build" | ".gradle")
                ) {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found
}

fn read_dir(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}
