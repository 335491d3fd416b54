//! Coverage of the classes under study by the written tests alone, as JaCoCo counts it.
//!
//! Comes in: execution data and the folder of the measured classes. Goes out: [`Counts`].
//! The analyzer is `io.palus.host.CoverageMain`, in a JVM of its own; its last line is the total, each line of source
//! counted once.
//! Does not know: who ran the tests.

use crate::options::Tools;
use crate::rows::Counts;
use std::path::{Path, PathBuf};

/// Runs the analyzer.
#[expect(clippy::disallowed_methods, reason = "this program starts processes")]
pub fn measure(tools: &Tools, executed: &[PathBuf], classes: &Path) -> Result<Counts, String> {
    let java = tools.java_home.join("bin/java");
    let mut command = std::process::Command::new(&java);
    command
        .args([
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
        ])
        .arg(&tools.coverage_class_path)
        .arg("io.palus.host.CoverageMain");
    for file in executed {
        command.arg("--exec").arg(file);
    }
    command.arg("--classes").arg(classes);
    let output = command
        .output()
        .map_err(|error| format!("{}: {error}", java.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    total(&text).ok_or_else(|| {
        let complaint = String::from_utf8_lossy(&output.stderr);
        format!("JaCoCo's analyzer gives no total: {}", complaint.trim())
    })
}

fn total(text: &str) -> Option<Counts> {
    let fields: Vec<&str> = text.lines().last()?.split('\t').collect();
    let ["T", line_covered, line_total, branch_covered, branch_total] = fields[..] else {
        return None;
    };
    Some(Counts {
        line_covered: line_covered.parse().ok()?,
        line_total: line_total.parse().ok()?,
        branch_covered: branch_covered.parse().ok()?,
        branch_total: branch_total.parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_the_analyzers_last_line() {
        let counts = total("C\ta/B\t3\t4\t1\t2\nT\t3\t9\t1\t2\n").unwrap();
        assert_eq!((counts.line_covered, counts.line_total), (3, 9));
        assert_eq!((counts.branch_covered, counts.branch_total), (1, 2));
        assert_eq!(total("C\ta/B\t3\t4\t1\t2\n"), None);
    }
}
