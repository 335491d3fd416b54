//! Rows of measurements, kept in one CSV file per subject.
//!
//! Comes in: rows as they are measured, of any kind of [`Record`]. Goes out: the file with its header, and which rows are
//! there.
//! What bounds them stands beside it in `<subject>.budget`. Rows of another bound are put aside as
//! `<subject>-<bound>.csv`, such as `jsap-60s.csv` or `jsap-4000steps.csv`, and taken back when that budget is asked for again.
//! Does not know: what is done with rows.
//!
//! Written here, since fields are numbers and names of files and modes, none with a comma or a quote: the crate `csv`
//! would replace one `split` and one `format!`, and none of what files are put aside and taken back for.

use crate::bound::Bound;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What one line of a file holds.
pub trait Record: Sized {
    /// The columns.
    const HEADER: &'static str;

    /// The line.
    fn text(&self) -> String;

    /// None where the line is no such record.
    fn read(line: &str) -> Option<Self>;
}

/// Covered and all, of lines and of branches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub line_covered: u32,
    pub line_total: u32,
    pub branch_covered: u32,
    pub branch_total: u32,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    pub subject: String,
    pub mode: String,
    pub seed: u64,
    pub counts: Counts,
    pub tests: u64,
    /// Seconds that generation took.
    pub wall_seconds: f64,
}

impl Record for Row {
    const HEADER: &'static str =
        "subject,mode,seed,line_covered,line_total,branch_covered,branch_total,tests,wall_s";

    fn text(&self) -> String {
        let Counts {
            line_covered,
            line_total,
            branch_covered,
            branch_total,
        } = self.counts;
        format!(
            "{},{},{},{line_covered},{line_total},{branch_covered},{branch_total},{},{:.1}",
            self.subject, self.mode, self.seed, self.tests, self.wall_seconds
        )
    }

    fn read(line: &str) -> Option<Row> {
        let fields: Vec<&str> = line.split(',').collect();
        let [subject, mode, seed, a, b, c, d, tests, wall] = fields[..] else {
            return None;
        };
        Some(Row {
            subject: subject.to_owned(),
            mode: mode.to_owned(),
            seed: seed.parse().ok()?,
            counts: Counts {
                line_covered: a.parse().ok()?,
                line_total: b.parse().ok()?,
                branch_covered: c.parse().ok()?,
                branch_total: d.parse().ok()?,
            },
            tests: tests.parse().ok()?,
            wall_seconds: wall.parse().ok()?,
        })
    }
}

/// Rows of a file that belong to others; of those with one key the last, for a row that is measured again after its file was
/// deleted counts once.
pub fn latest<R: Record>(file: &Path, key: impl Fn(&R) -> (String, u64)) -> Result<Vec<R>, String> {
    let mut rows: Vec<R> = read(file)?;
    let keys: Vec<(String, u64)> = rows.iter().map(key).collect();
    let mut at = 0;
    rows.retain(|_| {
        at += 1;
        !keys[at..].contains(&keys[at - 1])
    });
    Ok(rows)
}

/// The rows of one subject and bound.
#[derive(Debug)]
pub struct Rows<R = Row> {
    file: PathBuf,
    pub rows: Vec<R>,
}

impl<R: Record> Rows<R> {
    /// Opens the file of a subject for a bound.
    pub fn open(folder: &Path, subject: &str, bound: Bound) -> Result<Self, String> {
        let file = folder.join(format!("{subject}.csv"));
        let aside = |bound: Bound| folder.join(format!("{subject}-{}.csv", bound.tag()));
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
        let before = bound_of(folder, subject);
        if before != Some(bound) {
            if let Some(before) = before
                && file.exists()
            {
                fs::rename(&file, aside(before)).map_err(|error| failed(&file, &error))?;
            }
            if aside(bound).exists() {
                fs::rename(aside(bound), &file).map_err(|error| failed(&file, &error))?;
            }
            let budget_file = folder.join(format!("{subject}.budget"));
            fs::write(&budget_file, format!("{}\n", bound.tag()))
                .map_err(|error| failed(&budget_file, &error))?;
        }
        let rows = read(&file)?;
        Ok(Rows { file, rows })
    }

    /// Keeps a row.
    pub fn add(&mut self, row: R) -> Result<(), String> {
        let mut text = String::new();
        if self.rows.is_empty() {
            text.push_str(R::HEADER);
            text.push('\n');
        }
        text.push_str(&row.text());
        text.push('\n');
        let is_new = self.rows.is_empty();
        let opened = fs::OpenOptions::new()
            .create(true)
            .write(true)
            .append(!is_new)
            .truncate(is_new)
            .open(&self.file);
        opened
            .and_then(|mut file| file.write_all(text.as_bytes()))
            .map_err(|error| failed(&self.file, &error))?;
        self.rows.push(row);
        Ok(())
    }
}

impl Rows {
    /// True if the row is measured.
    pub fn has(&self, mode: &str, seed: u64) -> bool {
        self.rows
            .iter()
            .any(|row| row.mode == mode && row.seed == seed)
    }
}

/// What bounds a subject's rows, if there are any.
pub fn bound_of(folder: &Path, subject: &str) -> Option<Bound> {
    let text = fs::read_to_string(folder.join(format!("{subject}.budget"))).ok()?;
    Bound::read(text.trim())
}

/// All rows of a file; none where there is no file.
pub fn read<R: Record>(file: &Path) -> Result<Vec<R>, String> {
    let Ok(text) = fs::read_to_string(file) else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if number == 0 && line == R::HEADER {
            continue;
        }
        match R::read(line) {
            Some(row) => rows.push(row),
            None => return Err(format!("{}:{}: no row: {line}", file.display(), number + 1)),
        }
    }
    Ok(rows)
}

fn failed(path: &Path, error: &std::io::Error) -> String {
    format!("{}: {error}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(mode: &str, seed: u64) -> Row {
        Row {
            subject: "jsap".to_owned(),
            mode: mode.to_owned(),
            seed,
            counts: Counts {
                line_covered: 7,
                line_total: 10,
                branch_covered: 1,
                branch_total: 4,
            },
            tests: 3,
            wall_seconds: 30.04,
        }
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("palus-rows-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        folder
    }

    #[test]
    fn a_row_that_is_there_is_found_again_as_it_was() {
        let folder = folder("again");
        let mut rows = Rows::open(&folder, "jsap", Bound::Seconds(30)).unwrap();
        rows.add(row("full", 1)).unwrap();
        rows.add(row("random", 2)).unwrap();
        let text = fs::read_to_string(folder.join("jsap.csv")).unwrap();
        assert_eq!(
            text,
            "subject,mode,seed,line_covered,line_total,branch_covered,branch_total,tests,wall_s\n\
             jsap,full,1,7,10,1,4,3,30.0\njsap,random,2,7,10,1,4,3,30.0\n"
        );
        let again = Rows::open(&folder, "jsap", Bound::Seconds(30)).unwrap();
        assert!(again.has("full", 1) && again.has("random", 2) && !again.has("full", 2));
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn rows_of_another_bound_are_put_aside_and_taken_back() {
        let folder = folder("budget");
        Rows::open(&folder, "jsap", Bound::Seconds(30))
            .unwrap()
            .add(row("full", 1))
            .unwrap();
        let mut other = Rows::open(&folder, "jsap", Bound::Seconds(60)).unwrap();
        assert!(other.rows.is_empty());
        other.add(row("full", 9)).unwrap();
        let back = Rows::open(&folder, "jsap", Bound::Seconds(30)).unwrap();
        assert!(back.has("full", 1) && !back.has("full", 9));
        assert!(folder.join("jsap-60s.csv").is_file());
        let steps = Rows::<Row>::open(&folder, "jsap", Bound::Steps(30)).unwrap();
        assert!(steps.rows.is_empty(), "rows of 30 s are none of 30 steps");
        assert!(folder.join("jsap-30s.csv").is_file());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_damaged_file_is_named_with_the_line() {
        let folder = folder("damaged");
        fs::create_dir_all(&folder).unwrap();
        let file = folder.join("jsap.csv");
        fs::write(&file, format!("{}\njsap,full,1,7\n", Row::HEADER)).unwrap();
        assert!(
            read::<Row>(&file)
                .unwrap_err()
                .ends_with("jsap.csv:2: no row: jsap,full,1,7")
        );
        fs::remove_dir_all(folder).unwrap();
    }
}
