//! The study of growth: what 10, 100 and 1,000 classes of one library cost.
//!
//! Comes in: a library with many classes, sizes, a budget of steps per class. Goes out: `growth/<subject>.csv`, a table
//! and a plot of time and of the engine's own peak memory.
//! A row is a whole ordinary run, with all workers, both verifications and the report. The engine runs in a process of
//! its own, whose peak of resident memory the system counts; workers and test JVMs are other processes and count nothing.
//! The classes of a size are spread evenly over the names of all, so that every size has the same mix.
//! Does not know: what the engine does.

mod chart;
mod grown;

use crate::bound::Bound;
use crate::comparison::{say, write};
use crate::options::Options;
use crate::rows::{Rows, read};
use crate::runner::{Log, project};
use crate::study::{Form, Study};
use crate::subject::{Subject, chosen, files, names, prepare};
use cafebabe::{ClassAccessFlags, parse_class};
use grown::Grown;
use palus_engine::{Cancel, Settings};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

pub static STUDY: Study = Study {
    name: "growth",
    modes: &[],
    long: Form {
        budget_seconds: 1,
        seeds: 1,
        modes: &[],
    },
    short: Form {
        budget_seconds: 1,
        seeds: 1,
        modes: &[],
    },
    fills_the_machine: false,
    list: "growth",
};

/// First argument of the process that is measured; the second is a file of settings.
pub const CHILD: &str = "engine";

/// Steps of each class where nothing is said.
const STEPS: u64 = 1000;

/// A run's time limit, which must not cut it, in seconds.
const LIMIT: &str = "1000000";

/// Steps of each class.
fn steps(options: &Options) -> u64 {
    options.steps.unwrap_or(STEPS)
}

/// Runs the study.
pub fn run(options: &Options) -> Result<(), String> {
    let folder = options.folder();
    for name in chosen(options)? {
        let subject = prepare(options, &name, &say)?;
        let mut rows: Rows<Grown> = Rows::open(&folder, &name, Bound::Steps(steps(options)))?;
        let classes = concrete(&subject)?;
        for seed in 1..=options.seeds {
            for &size in &options.sizes {
                if rows
                    .rows
                    .iter()
                    .any(|row| row.size == size && row.seed == seed)
                {
                    continue;
                }
                if classes.len() < size as usize {
                    return Err(format!("{name} has {} classes, not {size}", classes.len()));
                }
                let row = measure(options, &folder, &subject, &spread(&classes, size), seed)?;
                say(&format!("{name} {size}: {}", told(&row)));
                rows.add(row)?;
            }
        }
    }
    let mut all = Vec::new();
    for name in names(&options.subjects_folder, &options.list)? {
        all.extend(read::<Grown>(&folder.join(format!("{name}.csv")))?);
    }
    all.sort_by(|a, b| (&a.subject, a.size, a.seed).cmp(&(&b.subject, b.size, b.seed)));
    write(&folder, "growth.md", &table(&all))?;
    write(&folder, "growth.svg", &chart::plot(&all))
}

fn told(row: &Grown) -> String {
    format!(
        "{} classes, {:.1} s, of these generation {:.1} s, the engine's peak {:.1} MiB, {} tests",
        row.classes, row.wall_seconds, row.generation_seconds, row.peak_mib, row.tests
    )
}

/// Names of the outermost classes that are no interfaces, sorted.
fn concrete(subject: &Subject) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for path in files(&subject.classes())? {
        let relative = path.strip_prefix(subject.classes()).unwrap_or(&path);
        let name = relative
            .with_extension("")
            .to_string_lossy()
            .replace('/', ".");
        if path
            .extension()
            .is_some_and(|extension| extension == "class")
            && !name.contains('$')
            && subject.globs.choose(&name)
        {
            let bytes = fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let class =
                parse_class(&bytes).map_err(|error| format!("{}: {error:?}", path.display()))?;
            if !class.access_flags.contains(ClassAccessFlags::INTERFACE) {
                names.push(name);
            }
        }
    }
    names.sort();
    Ok(names)
}

/// So many of all, evenly.
fn spread(classes: &[String], size: u64) -> Vec<String> {
    let size = size as usize;
    (0..size)
        .map(|number| classes[number * classes.len() / size].clone())
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "this program starts processes")]
fn measure(
    options: &Options,
    folder: &Path,
    subject: &Subject,
    classes: &[String],
    seed: u64,
) -> Result<Grown, String> {
    let name = format!("{}-{}-{seed}", subject.name, classes.len());
    let work = folder.join("work").join(&name);
    let _ = fs::remove_dir_all(&work);
    fs::create_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut pairs = project(options, subject, &work);
    for class in classes {
        pairs.push(("classes".to_owned(), class.clone()));
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    for (name, value) in [
        ("budget", steps(options).to_string()),
        ("seed", seed.to_string()),
        ("workers", workers.to_string()),
        ("timeLimit", LIMIT.to_owned()),
    ] {
        pairs.push((name.to_owned(), value));
    }
    let settings = work.join("settings");
    let mut text = String::new();
    for (name, value) in &pairs {
        let _ = writeln!(text, "{name}={value}");
    }
    fs::write(&settings, text).map_err(|error| format!("{}: {error}", settings.display()))?;
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(&this)
        .arg(CHILD)
        .arg(&settings)
        .output()
        .map_err(|error| format!("{}: {error}", this.display()))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let logs = folder.join("logs");
    let log = logs.join(format!("{name}.log"));
    fs::create_dir_all(&logs)
        .and_then(|()| fs::write(&log, said.as_bytes()))
        .map_err(|error| format!("{}: {error}", log.display()))?;
    let last: Vec<&str> = said.lines().last().unwrap_or_default().split(' ').collect();
    let ["measured", found, generation, wall, peak, tests] = last[..] else {
        let complaint = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{name}: {}", complaint.trim()));
    };
    let number = |text: &str| text.parse::<f64>().unwrap_or_default();
    let whole = |text: &str| text.parse::<u64>().unwrap_or_default();
    fs::remove_dir_all(&work).map_err(|error| format!("{}: {error}", work.display()))?;
    Ok(Grown {
        subject: subject.name.clone(),
        size: classes.len() as u64,
        classes: whole(found),
        seed,
        steps: steps(options),
        generation_seconds: number(generation) / 1000.0,
        wall_seconds: number(wall) / 1000.0,
        peak_mib: number(peak) / 1024.0,
        tests: whole(tests),
    })
}

/// The process that is measured: one run, what it said, and a last line of figures.
#[expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is a command line program"
)]
#[expect(clippy::disallowed_methods, reason = "this program measures")]
pub fn child(file: &str) -> ExitCode {
    let started = std::time::Instant::now();
    let log = Log::default();
    let done = fs::read_to_string(file)
        .map_err(|error| format!("{file}: {error}"))
        .and_then(|text| {
            let pairs = text.lines().filter_map(|line| line.split_once('='));
            let pairs: Vec<(String, String)> = pairs
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect();
            Settings::from_pairs(&pairs)
                .and_then(|settings| palus_engine::generate(&settings, &log, &Cancel::default()))
                .map_err(|error| format!("{error}; {}", error.hint))
        });
    let wall = started.elapsed().as_millis();
    print!("{}", log.0.into_inner().unwrap_or_default());
    match (done, peak_kib()) {
        (Ok(summary), Some(peak)) => {
            println!(
                "measured {} {} {wall} {peak} {}",
                summary.classes, summary.generation_millis, summary.tests
            );
            ExitCode::SUCCESS
        }
        (Ok(_), None) => {
            eprintln!("this system does not tell how much memory a process had at most");
            ExitCode::FAILURE
        }
        (Err(error), _) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// The most memory that this process had at a time, as Linux counts it.
fn peak_kib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

fn table(rows: &[Grown]) -> String {
    let mut text = String::from(
        "# Growth\n\n\
         A row is a whole run: learning, generation, both verifications, the report.\n\
         Memory is the peak of the engine's own process.\n\n\
         | subject | classes | steps per class | seconds | per class | of these generation | engine's peak in MiB | tests |\n\
         |---|---:|---:|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {:.1} | {:.3} | {:.1} | {:.1} | {} |",
            row.subject,
            row.classes,
            row.steps,
            row.wall_seconds,
            row.wall_seconds / row.classes.max(1) as f64,
            row.generation_seconds,
            row.peak_mib,
            row.tests
        );
    }
    text.push('\n');
    for pair in rows.windows(2) {
        let [less, more] = pair else { continue };
        if less.subject == more.subject && less.seed == more.seed && less.classes > 0 {
            let _ = writeln!(
                text,
                "{}: {:.1} times the classes take {:.1} times the time and {:.1} times the memory.",
                more.subject,
                more.classes as f64 / less.classes as f64,
                more.wall_seconds / less.wall_seconds,
                more.peak_mib / less.peak_mib
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Record as _;

    pub fn grown(size: u64, wall_seconds: f64, peak_mib: f64) -> Grown {
        Grown {
            subject: "bc".to_owned(),
            size,
            classes: size,
            seed: 1,
            steps: 1000,
            generation_seconds: wall_seconds / 2.0,
            wall_seconds,
            peak_mib,
            tests: 3 * size,
        }
    }

    #[test]
    fn a_line_is_read_as_it_was_written() {
        let row = grown(10, 12.5, 200.0);
        assert_eq!(row.text(), "bc,10,10,1,1000,6.2,12.5,200.0,30");
        assert_eq!(Grown::read(&row.text()).unwrap().size, 10);
    }

    #[test]
    fn the_table_says_how_cost_grows_from_size_to_size() {
        let text = table(&[grown(10, 12.5, 200.0), grown(100, 100.0, 300.0)]);
        assert!(
            text.contains("| bc | 100 | 1000 | 100.0 | 1.000 | 50.0 | 300.0 | 300 |"),
            "{text}"
        );
        assert!(
            text.ends_with(
                "bc: 10.0 times the classes take 8.0 times the time and 1.5 times the memory.\n"
            ),
            "{text}"
        );
    }

    #[test]
    fn a_size_is_spread_over_all_classes() {
        let all: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        assert_eq!(spread(&all, 3), ["0", "3", "6"]);
        assert_eq!(spread(&all, 10), all);
    }

    #[test]
    fn the_peak_of_this_process_is_known() {
        assert!(peak_kib().unwrap() > 100);
    }
}
