//! Folders that a run must not take for its own: a slip in a setting would mix its files with the user's.
//!
//! Comes in: the settings. Goes out: an error that names the setting and the folder it collides with.
//! Folders that do not exist yet count as well, and links on the way to them are followed. Links in the folders of work and
//! report are refused: what they lead to would be removed or written over.
//! Does not know: what else is in them.

use crate::report::files::{EXPLANATIONS, PAGES, SARIF};
use crate::write::findings::known;
use crate::write::manifest::refuse_others;
use crate::{Error, Settings};
use palus_report::CLASS_FILES;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Bytes at the beginning of a page of the report in which it says whose it is.
const PAGE_START: u64 = 4096;
/// Bytes of data that are looked through for that: where it is said depends on the order of the fields.
const DATA_MOST: u64 = 64 << 20;
/// How it says so: in the title of a page, in the link from one to the first, in the data.
const OWN_WORDS: [&str; 3] = [">Palus: ", "\"palus_version\"", "\"name\": \"Palus\""];

impl Settings {
    /// Checks what a user set before anything is compiled, traced or run; what the plugin adds later may be missing.
    /// Folders are compared as far as they are given: a plugin that gives `projectDirectory` gives all of them.
    ///
    /// # Errors
    /// As [`Settings::from_pairs`].
    pub fn check(pairs: &[(String, String)]) -> Result<(), Error> {
        let settings = Settings::partial(pairs)?;
        let is_given = |name: &str| pairs.iter().any(|(given, _)| given == name);
        if is_given("projectDirectory") {
            check(&settings)?;
            known(&settings)?;
        } else if is_given("outputDirectory") && is_given("findingsDirectory") {
            apart(&settings)?;
        }
        Ok(())
    }
}

/// Refuses folders of Palus that are, hold or lie in folders that are not its own.
///
/// # Errors
/// A configuration error for the first such folder.
pub(crate) fn check(settings: &Settings) -> Result<(), Error> {
    apart(settings)?;
    let output = ("outputDirectory", &settings.output_directory);
    let findings = ("findingsDirectory", &settings.findings_directory);
    let report = ("reportDirectory", &settings.report_directory);
    let work = ("workDirectory", &settings.work_directory);
    let project = real(&settings.project_directory);
    for (name, folder) in [output, findings, report, work] {
        let own = real(folder);
        if project.starts_with(&own) {
            return Err(refused(name, folder, "is or holds the project's folder"));
        }
        for source in &settings.source_directories {
            let source = real(source);
            // Sources may lie in the project's folder itself, and so all else in them.
            let is_inside = own.starts_with(&source) && !project.starts_with(&source);
            if is_inside || source.starts_with(&own) {
                let what = format!(
                    "is, holds or lies in the folder of your sources {}",
                    source.display()
                );
                return Err(refused(name, folder, &what));
            }
        }
        let compiled = &settings.test_classes_directories;
        for classes in settings.classes_directories.iter().chain(compiled) {
            if real(classes).starts_with(&own) {
                let what = format!(
                    "is or holds the folder of your compiled classes {}",
                    classes.display()
                );
                return Err(refused(name, folder, &what));
            }
        }
    }
    for (name, folder) in [output, findings] {
        refuse_others(name, folder, settings)?;
    }
    for (of, own) in [output, findings, report, work] {
        let folder = &settings.promote_directory;
        if real(folder).starts_with(real(own)) {
            return Err(Error::configuration(
                format!(
                    "the folder of `promoteDirectory` ({}) is or lies in that of `{of}`",
                    folder.display()
                ),
                "choose a folder of your own test sources, or leave the setting out; nothing was changed",
            ));
        }
    }
    // The pages of the last report are removed as a whole, and files of the work folder without a look at them.
    for (name, folder) in [output, findings] {
        for (of, other) in [report, work] {
            if real(other).starts_with(real(folder)) {
                return Err(refused(
                    name,
                    folder,
                    &format!("is or holds that of `{of}`"),
                ));
            }
        }
        if real(folder).starts_with(real(report.1)) {
            return Err(refused(
                name,
                folder,
                "is or lies in that of `reportDirectory`",
            ));
        }
    }
    without_links(settings, "workDirectory", &settings.work_directory, 2)?;
    without_links(settings, "reportDirectory", report.1, 2)?;
    match page_of_others(report.1) {
        None => Ok(()),
        Some(page) => Err(refused(
            "reportDirectory",
            report.1,
            &format!(
                "has what Palus did not write where its pages go: {}",
                page.display()
            ),
        )),
    }
}

/// What a report would replace or delete, and no report of an earlier run wrote. Styles and lists do not say whose they
/// are: where a page of Palus is beside them, they are of Palus.
fn page_of_others(folder: &Path) -> Option<PathBuf> {
    let there = |names: &[&str]| -> Vec<PathBuf> {
        let paths = names.iter().map(|name| folder.join(name));
        paths.filter(|path| path.exists()).collect()
    };
    let in_folder = std::fs::read_dir(folder.join(PAGES));
    let in_folder = in_folder.into_iter().flatten().flatten();
    let mut pages = there(&["index.html", "codes.html", "report.json"]);
    pages.extend(in_folder.map(|entry| entry.path()));
    let is_own = pages.iter().any(|page| names_palus(page));
    let others = pages.into_iter().find(|page| !names_palus(page));
    let styles = CLASS_FILES.iter().map(|&(name, _)| name);
    let beside: Vec<&str> = styles.chain([EXPLANATIONS, SARIF]).collect();
    let beside = there(&beside);
    let strange = |file: &PathBuf| !is_own && !is_as_written(file);
    others.or_else(|| beside.into_iter().find(strange))
}

/// True for a style as Palus writes it, and for data that says that it is of Palus.
fn is_as_written(file: &Path) -> bool {
    let style = CLASS_FILES
        .iter()
        .find(|(name, _)| file.ends_with(name))
        .map(|&(_, text)| text);
    match style {
        Some(text) => file.is_file() && std::fs::read(file).is_ok_and(|now| now == text.as_bytes()),
        None => names_palus(file),
    }
}

/// True for a file that says that Palus wrote it, a page at its beginning, and for an empty one.
fn names_palus(page: &Path) -> bool {
    let is_page = page.extension().is_some_and(|kind| kind == "html");
    let most = if is_page { PAGE_START } else { DATA_MOST };
    if !page.is_file() {
        return false; // to open a pipe would be to wait for its other end
    }
    let mut start = Vec::new();
    let file = std::fs::File::open(page);
    let read = file.and_then(|file| file.take(most).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    read.is_ok() && (text.is_empty() || OWN_WORDS.iter().any(|words| text.contains(words)))
}

/// Refuses links among what is in a folder of Palus, and in the folders there. Those of tests and findings, which may be
/// in it, have a list of what is theirs.
fn without_links(
    settings: &Settings,
    name: &str,
    folder: &Path,
    depth: usize,
) -> Result<(), Error> {
    // What cannot be read is said where it is needed.
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(());
    };
    for path in entries.flatten().map(|entry| entry.path()) {
        let is_listed = path == settings.findings_directory || path == settings.output_directory;
        if path.is_symlink() {
            return Err(Error::configuration(
                format!(
                    "there is a link in the folder of `{name}`: {}",
                    path.display()
                ),
                "remove the link: what it leads to would be written over; nothing was changed",
            ));
        }
        if depth > 1 && !is_listed && path.is_dir() {
            without_links(settings, name, &path, depth - 1)?;
        }
    }
    Ok(())
}

/// Refuses findings among the tests, where they would be run, and tests among the findings.
///
/// # Errors
/// A configuration error that names both settings.
pub(crate) fn apart(settings: &Settings) -> Result<(), Error> {
    let tests = real(&settings.output_directory);
    let folder = &settings.findings_directory;
    let findings = real(folder);
    if findings.starts_with(&tests) || tests.starts_with(&findings) {
        let what = format!(
            "and that of `outputDirectory` ({}) are one, or one is in the other",
            settings.output_directory.display()
        );
        return Err(refused("findingsDirectory", folder, &what));
    }
    Ok(())
}

fn refused(setting: &str, folder: &Path, what: &str) -> Error {
    Error::configuration(
        format!("the folder of `{setting}` ({}) {what}", folder.display()),
        "choose a folder that is for Palus alone, or leave the setting out; nothing was changed",
    )
}

/// The absolute path without links, as far as it exists.
fn real(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut real = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                real.pop();
            }
            Component::CurDir => {}
            part => real.push(part),
        }
        if let Ok(found) = real.canonicalize() {
            real = found;
        }
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of these settings, the last of a name given, in a project with the usual folders.
    fn said(folder: &Path, changed: &[(&str, &str)]) -> Option<String> {
        let usual = [
            ("projectDirectory", "."),
            ("classesDirectory", "target/classes"),
            ("testClassesDirectory", "target/test-classes"),
            ("sourceDirectory", "src/main/java"),
            ("workDirectory", "target/palus"),
            ("findingsDirectory", "target/palus/findings"),
            ("reportDirectory", "target/reports/palus"),
            ("outputDirectory", "target/generated-test-sources/palus"),
            ("promoteDirectory", "src/test/java"),
            ("javaHome", "jdk"),
            ("workerJar", "worker.jar"),
        ];
        let pairs = usual.map(|(name, value)| {
            let other = changed.iter().find(|(changed, _)| *changed == name);
            let value = other.map_or(value, |(_, value)| value);
            (name.to_owned(), folder.join(value).display().to_string())
        });
        let settings = Settings::from_pairs(&pairs).unwrap();
        check(&settings).err().map(|error| error.message)
    }

    #[test]
    fn folders_that_are_not_for_palus_alone_are_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        std::fs::create_dir_all(at.join("src/main/java")).unwrap();
        std::fs::create_dir_all(at.join("target/classes")).unwrap();
        assert_eq!(said(at, &[]), None);
        for setting in [
            "outputDirectory",
            "findingsDirectory",
            "reportDirectory",
            "workDirectory",
        ] {
            for wrong in [
                ".",
                "..",
                "src",
                "src/main/java",
                "src/main/java/demo",
                "src/main/../main/java",
                "target",
                "target/classes",
                "target/test-classes",
            ] {
                let said = said(at, &[(setting, wrong)]).unwrap_or_default();
                let named = said.contains(&format!("`{setting}`"));
                assert!(
                    named || said.contains("`outputDirectory`"),
                    "{setting} {wrong}: {said}"
                );
            }
        }
    }

    #[test]
    fn findings_tests_reports_and_work_files_do_not_mix() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        let tests = "target/generated-test-sources/palus";
        for (setting, wrong) in [
            ("findingsDirectory", tests),
            ("findingsDirectory", "target/generated-test-sources/palus/a"),
            ("findingsDirectory", "target/generated-test-sources"),
            ("findingsDirectory", "target/palus"),
            ("outputDirectory", "target/palus"),
            ("outputDirectory", "target/palus/findings"),
            ("outputDirectory", "target/reports/palus/classes"),
            ("reportDirectory", tests),
            ("reportDirectory", "target/generated-test-sources"),
            ("promoteDirectory", tests),
            ("promoteDirectory", "target/palus/own"),
        ] {
            assert!(said(at, &[(setting, wrong)]).is_some(), "{setting} {wrong}");
        }
        let said = said(at, &[("findingsDirectory", tests)]).unwrap();
        assert!(said.contains("`findingsDirectory`") && said.contains("`outputDirectory`"));
    }

    #[test]
    fn sources_in_the_projects_folder_itself_leave_the_usual_folders_alone() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(said(folder.path(), &[("sourceDirectory", ".")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_the_sources_is_no_other_folder() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("src/main/java")).unwrap();
        std::os::unix::fs::symlink("src/main", folder.path().join("link")).unwrap();
        assert!(said(folder.path(), &[("outputDirectory", "link/java/new")]).is_some());
    }

    #[test]
    fn a_report_goes_where_no_page_of_others_would_be_lost() {
        for (page, text) in [
            ("docs/index.html", "<title>How we use Palus</title>"),
            ("docs/classes/precious.html", "<p>mine</p>"),
            ("docs/classes/notes/a.txt", "mine"),
            ("docs/report.json", "{}"),
            ("docs/style.css", "a { color: red }"),
            ("docs/palus.sarif", "{}"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let page = folder.path().join(page);
            let docs = folder.path().join("docs");
            std::fs::create_dir(&docs).unwrap();
            std::fs::write(docs.join("README.md"), "mine").unwrap();
            let setting = [("reportDirectory", "docs")];
            assert_eq!(said(folder.path(), &setting), None);
            std::fs::create_dir_all(page.parent().unwrap()).unwrap();
            std::fs::write(&page, text).unwrap();
            let refused = said(folder.path(), &setting).unwrap();
            assert!(refused.contains("`reportDirectory`"), "{refused}");
        }
    }

    #[test]
    fn a_report_goes_where_one_of_palus_is_whatever_the_order_of_its_fields() {
        let folder = tempfile::tempdir().unwrap();
        let docs = folder.path().join("docs");
        std::fs::create_dir(&docs).unwrap();
        let long = "x".repeat(1 << 16);
        let report = format!("{{\"classes\":\"{long}\",\"palus_version\":\"0.1.0\"}}");
        std::fs::write(docs.join("report.json"), report).unwrap();
        std::fs::write(docs.join("style.css"), "a { color: red }").unwrap();
        assert_eq!(said(folder.path(), &[("reportDirectory", "docs")]), None);

        // Somebody deleted the pages alone.
        std::fs::remove_file(docs.join("report.json")).unwrap();
        assert!(said(folder.path(), &[("reportDirectory", "docs")]).is_some());
        for (name, text) in CLASS_FILES {
            std::fs::write(docs.join(name), text).unwrap();
        }
        let data = "{\"palus_version\":\"0.1.0\",\"classes\":[]}";
        std::fs::write(docs.join(EXPLANATIONS), data).unwrap();
        assert_eq!(said(folder.path(), &[("reportDirectory", "docs")]), None);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_a_folder_that_is_emptied_or_written_is_refused() {
        for place in [
            "target/palus/verify",
            "target/palus/verify/sources",
            "target/palus/agent.properties",
            "target/reports/palus/index.html",
            "target/reports/palus/classes/A.html",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let link = folder.path().join(place);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            assert_eq!(said(folder.path(), &[]), None);
            std::os::unix::fs::symlink(folder.path().join("mine"), &link).unwrap();
            let said = said(folder.path(), &[]).unwrap();
            assert!(said.contains(&link.display().to_string()), "{said}");
        }
    }
}
