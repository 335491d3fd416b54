//! The file of known findings.
//!
//! Comes in: the identities of findings, or the text of the file. Goes out: the other one.
//! The text is sorted and one finding a line, so that a change reads well in a review.
//! Does not know: where the file is, what a finding is.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Version of the file.
const VERSION: u32 = 1;

#[derive(Debug, Deserialize, Serialize)]
struct Baseline {
    version: u32,
    findings: BTreeSet<String>,
}

/// Why a baseline cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// It is no JSON of the known shape.
    #[error("{0}")]
    Malformed(#[from] serde_json::Error),
    /// It is of a later Palus.
    #[error("its version is {0}, and this Palus reads {VERSION}")]
    Version(u32),
}

/// The identities that a baseline holds.
///
/// # Errors
/// When the text is no baseline.
pub fn read_baseline(text: &str) -> Result<BTreeSet<String>, BaselineError> {
    let baseline: Baseline = serde_json::from_str(text)?;
    if baseline.version != VERSION {
        return Err(BaselineError::Version(baseline.version));
    }
    Ok(baseline.findings)
}

/// The text of a baseline that holds these identities.
///
/// # Panics
/// Never: the data has no maps with other keys than strings.
pub fn write_baseline(findings: BTreeSet<String>) -> String {
    let baseline = Baseline {
        version: VERSION,
        findings,
    };
    let text = serde_json::to_string_pretty(&baseline).expect("plain data can be written as JSON");
    format!("{text}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read_again() {
        let known = BTreeSet::from([
            "P101 demo.Account#equals".to_owned(),
            "P106 demo.B#hashCode x".to_owned(),
        ]);
        let text = write_baseline(known.clone());
        assert_eq!(
            text,
            "{\n  \"version\": 1,\n  \"findings\": [\n    \"P101 demo.Account#equals\",\n    \"P106 demo.B#hashCode x\"\n  ]\n}\n"
        );
        assert_eq!(read_baseline(&text).unwrap(), known);
    }

    #[test]
    fn a_baseline_of_another_version_or_shape_is_refused() {
        assert!(read_baseline("[]").is_err());
        let error = read_baseline("{\"version\": 9, \"findings\": []}").unwrap_err();
        assert_eq!(
            error.to_string(),
            "its version is 9, and this Palus reads 1"
        );
    }
}
