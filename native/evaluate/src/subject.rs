//! Subjects: which there are, and what is made of them once: compiled classes, class path, a trace.
//!
//! Comes in: the folder with `NAME.sh`, class lists such as `NAME.classes`, and `NAME/`, and a cache outside of the checkout.
//! Goes out: [`Subject`]s. The script `trace-subject.sh` does the work. What it made is kept in a folder whose name says
//! out of which scripts, sample run, worker jar and JDK: studies of different builds do not share one.
//! It is made under another name and renamed when it is whole, so that of two studies that make the same one at once each
//! has a whole one, and an interrupted one leaves none.
//! A class list holds globs over class names, one a line; `!` before one leaves classes out, `#` begins a comment.
//! Does not know: what is measured.

use crate::options::Options;
use std::fs;
use std::path::{Path, PathBuf};

/// One library, ready to be tested.
#[derive(Clone, Debug)]
pub struct Subject {
    pub name: String,
    /// Where it was made.
    pub project: PathBuf,
    /// The class path of its tests, without its own classes.
    pub class_path: Vec<PathBuf>,
    /// What its own classes need, without these.
    pub class_path_at_run_time: Vec<PathBuf>,
    pub globs: Globs,
    /// What the traced run of its tests took.
    pub trace_seconds: f64,
    /// Folder that holds the compiled classes which the globs choose, and nothing else.
    pub measured: PathBuf,
}

impl Subject {
    pub fn classes(&self) -> PathBuf {
        self.project.join("target/classes")
    }

    pub fn test_classes(&self) -> PathBuf {
        self.project.join("target/test-classes")
    }

    pub fn traces(&self) -> PathBuf {
        self.project.join("traces")
    }

    /// Its classes and what they need, as a class path. Libraries of its tests are no part of it: EvoSuite reads all that
    /// it is given, and with those of BCEL's tests it loses every test at its end.
    pub fn class_path_text(&self) -> String {
        let others = self.class_path_at_run_time.iter().cloned();
        let all = std::iter::once(self.classes()).chain(others);
        all.map(|path| path.display().to_string())
            .collect::<Vec<_>>()
            .join(":")
    }
}

/// Which classes get tests and are measured.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Globs {
    pub chosen: Vec<String>,
    pub left_out: Vec<String>,
}

impl Globs {
    fn read(text: &str) -> Globs {
        let mut globs = Globs::default();
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line.strip_prefix('!') {
                Some(glob) => globs.left_out.push(glob.to_owned()),
                None => globs.chosen.push(line.to_owned()),
            }
        }
        globs
    }

    /// By class name in source form, nested ones with `$`.
    pub fn choose(&self, class: &str) -> bool {
        let any = |globs: &[String]| globs.iter().any(|glob| palus_engine::matches(glob, class));
        any(&self.chosen) && !any(&self.left_out)
    }
}

/// Names of all subjects that have a class list of this ending.
pub fn names(folder: &Path, list: &str) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| at(folder, &error))?;
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(list)?.strip_suffix('.')?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// The subjects that were asked for, by name.
pub fn chosen(options: &Options) -> Result<Vec<String>, String> {
    let known = names(&options.subjects_folder, &options.list)?;
    let Some(asked) = &options.subjects else {
        return Ok(known);
    };
    match asked.iter().find(|name| !known.contains(name)) {
        Some(name) => Err(format!(
            "there is no subject `{name}`; known: all, {}",
            known.join(", ")
        )),
        None => Ok(asked.clone()),
    }
}

/// Makes a subject, or takes what was made before.
pub fn prepare(options: &Options, name: &str, say: &dyn Fn(&str)) -> Result<Subject, String> {
    let projects = options.cache.join("projects");
    let project = projects.join(format!("{name}-{:016x}", digest(options, name)?));
    let is_made = made_once(&project, |making| {
        say(&format!(
            "{name}: making it and tracing its tests in {}",
            making.display()
        ));
        trace(options, name, making)
    })?;
    if !is_made {
        say(&format!("{name}: as made before in {}", project.display()));
    }
    let list = options
        .subjects_folder
        .join(format!("{name}.{}", options.list));
    let globs = Globs::read(&fs::read_to_string(&list).map_err(|error| at(&list, &error))?);
    let class_path = |file: &str| {
        let file = project.join(file);
        let text = fs::read_to_string(&file).map_err(|error| at(&file, &error))?;
        let entries = std::env::split_paths(text.trim());
        let entries = entries.filter(|entry| !entry.as_os_str().is_empty());
        Ok::<_, String>(entries.collect())
    };
    let trace_seconds = fs::read_to_string(project.join("trace-seconds.txt"));
    let trace_seconds = trace_seconds.ok().and_then(|text| text.trim().parse().ok());
    let subject = Subject {
        name: name.to_owned(),
        class_path: class_path("class-path.txt")?,
        class_path_at_run_time: class_path("class-path-runtime.txt")?,
        globs,
        trace_seconds: trace_seconds.unwrap_or_default(),
        measured: options
            .output
            .join("measured")
            .join(&options.list)
            .join(name),
        project,
    };
    let _ = fs::remove_dir_all(&subject.measured);
    let count = copy_measured(&subject)?;
    if count == 0 {
        return Err(format!("{}: no class of {name} matches", list.display()));
    }
    Ok(subject)
}

/// Makes a folder where it is not there yet, under a name of this process alone until it is whole; false where it was
/// there. What could not be made stays under that name, to be looked at, until it is tried again.
fn made_once(
    folder: &Path,
    make: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<bool, String> {
    if folder.is_dir() {
        return Ok(false);
    }
    let mut making = folder.as_os_str().to_owned();
    making.push(format!(".{}", std::process::id()));
    let making = PathBuf::from(making);
    let _ = fs::remove_dir_all(&making);
    fs::create_dir_all(&making).map_err(|error| at(&making, &error))?;
    make(&making)?;
    match fs::rename(&making, folder) {
        // Another process was faster, and its folder is in use.
        Err(_) if folder.is_dir() => {
            fs::remove_dir_all(&making).map_err(|error| at(&making, &error))?;
            Ok(true)
        }
        renamed => renamed.map_err(|error| at(folder, &error)).map(|()| true),
    }
}

#[expect(clippy::disallowed_methods, reason = "this program starts processes")]
fn trace(options: &Options, name: &str, project: &Path) -> Result<(), String> {
    let script = options.subjects_folder.join("trace-subject.sh");
    let ended = std::process::Command::new(&script)
        .arg(name)
        .arg(project)
        .arg(&options.tools.worker_jar)
        .env("JAVA_HOME", &options.tools.java_home)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .status()
        .map_err(|error| at(&script, &error))?;
    if ended.success() {
        Ok(())
    } else {
        Err(format!("{} could not make {name}", script.display()))
    }
}

/// Copies the classes that the globs choose; says how many.
fn copy_measured(subject: &Subject) -> Result<usize, String> {
    let classes = subject.classes();
    let mut count = 0;
    for file in files(&classes)? {
        let relative = file.strip_prefix(&classes).unwrap_or(&file);
        let name = relative
            .with_extension("")
            .to_string_lossy()
            .replace('/', ".");
        if file
            .extension()
            .is_some_and(|extension| extension == "class")
            && subject.globs.choose(&name)
        {
            let copy = subject.measured.join(relative);
            let folder = copy.parent().unwrap_or(&copy);
            fs::create_dir_all(folder).map_err(|error| at(folder, &error))?;
            fs::copy(&file, &copy).map_err(|error| at(&copy, &error))?;
            count += 1;
        }
    }
    Ok(count)
}

/// What decides how a subject is made, as a number.
fn digest(options: &Options, name: &str) -> Result<u64, String> {
    let folder = &options.subjects_folder;
    let mut inputs = vec![
        folder.join("get-subject.sh"),
        folder.join("trace-subject.sh"),
        folder.join(format!("{name}.sh")),
        options.tools.worker_jar.clone(),
    ];
    let own = folder.join(name);
    if own.is_dir() {
        inputs.extend(files(&own)?);
    }
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |bytes: &[u8]| {
        for byte in bytes.iter().copied().chain([0xff]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(options.tools.java_home.to_string_lossy().as_bytes());
    for input in inputs {
        add(&fs::read(&input).map_err(|error| at(&input, &error))?);
    }
    Ok(hash)
}

/// All files below a folder, by path.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|error| at(&folder, &error))?;
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

fn at(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_list_chooses_packages_and_leaves_classes_out() {
        let globs = Globs::read("# main packages\na.b.*\n\na.c.**\n!a.b.Server*\n");
        assert!(globs.choose("a.b.Query") && globs.choose("a.b.Query$Part"));
        assert!(globs.choose("a.c.d.Deep"));
        assert!(!globs.choose("a.b.ServerSocket") && !globs.choose("a.b.d.Deep"));
    }

    #[test]
    fn a_folder_that_two_make_at_once_is_whole_for_both_and_a_failed_one_is_made_again() {
        let all = std::env::temp_dir().join(format!("palus-subject-{}", std::process::id()));
        let _ = fs::remove_dir_all(&all);
        let folder = all.join("jsap-1");
        let failed = made_once(&folder, |making| {
            fs::write(making.join("half"), "").unwrap();
            Err("no build".to_owned())
        });
        assert_eq!(failed, Err("no build".to_owned()));
        assert!(!folder.exists());
        let made = made_once(&folder, |making| {
            assert!(!folder.exists() && !making.join("half").exists());
            fs::write(making.join("trace"), "mine").unwrap();
            // Another process ends first.
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("trace"), "theirs").unwrap();
            Ok(())
        });
        assert_eq!(made, Ok(true));
        let kept = fs::read_to_string(folder.join("trace")).unwrap();
        assert_eq!(kept, "theirs", "who reads it goes on reading it");
        let again = made_once(&folder, |_| Err("made twice".to_owned()));
        assert_eq!(again, Ok(false));
        assert_eq!(fs::read_dir(&all).unwrap().count(), 1, "nothing beside it");
        fs::remove_dir_all(all).unwrap();
    }

    #[test]
    fn every_subject_of_the_checkout_has_a_script_and_a_list_that_chooses_something() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integration-tests/subjects");
        for (list, least) in [("classes", 7), ("peers", 6), ("growth", 1)] {
            let names = names(&folder, list).unwrap();
            assert!(names.len() >= least, "{names:?}");
            for name in names {
                assert!(folder.join(format!("{name}.sh")).is_file(), "{name}");
                let text = fs::read_to_string(folder.join(format!("{name}.{list}"))).unwrap();
                assert!(!Globs::read(&text).chosen.is_empty(), "{name}");
            }
        }
    }
}
