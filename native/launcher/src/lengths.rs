//! System calls that say how far into a file they reach, and so whether that is beyond the limit of a file's length.
//!
//! Comes in: the number of a call and its arguments, or the limit. Goes out: where the call ends in the file, and in
//! which cases a filter lets it go on without asking anybody: nearly all.
//! Does not know: plain writes, which begin where the last one ended; their error is known by its text alone.

use libc::c_long;
use seccompiler::SeccompCmpOp::{Ge, Le, Lt};
use seccompiler::{SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};

/// How the arguments after the descriptor say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The second one is the new length.
    Length,
    /// The third and the fourth are the start and the length of a range.
    Range,
    /// The third is a number of bytes, the fourth where they go.
    Bytes,
    /// The fourth is where what a list in memory holds goes.
    List,
    /// The second is where the next byte goes.
    Next,
}

const CALLS: &[(c_long, &str, Reach)] = &[
    (libc::SYS_ftruncate, "ftruncate", Reach::Length),
    (libc::SYS_fallocate, "fallocate", Reach::Range),
    (libc::SYS_pwrite64, "pwrite64", Reach::Bytes),
    (libc::SYS_pwritev, "pwritev", Reach::List),
    (libc::SYS_pwritev2, "pwritev2", Reach::List),
    (libc::SYS_lseek, "lseek", Reach::Next),
];

/// The call's name, and the length that a file has after it at least; none where it is no such call, or one that fails
/// whatever the limit is.
pub fn reach(number: i32, arguments: &[u64; 6]) -> Option<(&'static str, u64)> {
    let (_, name, reach) = CALLS.iter().find(|call| call.0 == c_long::from(number))?;
    let at = |argument: usize| u64::try_from(arguments[argument].cast_signed()).ok();
    let length = match reach {
        Reach::Length => at(1)?,
        Reach::Range => at(2)?.saturating_add(at(3)?),
        Reach::Bytes => at(3)?.saturating_add(at(2)?),
        Reach::List => at(3)?.saturating_add(1),
        Reach::Next => at(1)?.saturating_add(1),
    };
    Some((name, length))
}

/// Whether nothing can be written to the open file, or it is none.
pub fn only_reads(process: u32, descriptor: u64) -> bool {
    let described = format!("/proc/{process}/fdinfo/{}", descriptor as u32);
    let described = std::fs::read_to_string(described).unwrap_or_default();
    let mut lines = described.lines();
    let flags = lines.find_map(|line| line.strip_prefix("flags:"));
    let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
    flags.is_none_or(|flags| flags & libc::O_ACCMODE == libc::O_RDONLY)
}

/// Where these calls go on without being looked at, by their numbers.
pub fn rules(limit: u64) -> Result<Vec<(c_long, Vec<SeccompRule>)>, String> {
    let below = |reach: Reach| match reach {
        Reach::Length => vec![rule(&[(1, Le, limit)])],
        // A filter cannot add; two halves are no more than the limit.
        Reach::Range | Reach::Bytes => vec![rule(&[(2, Le, limit / 2), (3, Le, limit / 2)])],
        Reach::List => vec![rule(&[(3, Lt, limit)])],
        // Back from here or from the end as well.
        Reach::Next => vec![
            rule(&[(1, Lt, limit)]),
            rule(&[(1, Ge, i64::MIN.cast_unsigned())]),
        ],
    };
    let rules = CALLS.iter().map(|call| {
        let below: Result<_, String> = below(call.2).into_iter().collect();
        Ok((call.0, below?))
    });
    rules.collect()
}

/// Matches where all these arguments compare so with these values.
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, String> {
    let conditions = conditions.iter().map(|(argument, compare, value)| {
        SeccompCondition::new(*argument, SeccompCmpArgLen::Qword, compare.clone(), *value)
    });
    let conditions: Result<_, _> = conditions.collect();
    conditions
        .and_then(SeccompRule::new)
        .map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_says_how_long_a_file_it_needs() {
        let below = u64::MAX; // -1
        for (call, arguments, expected) in [
            (
                libc::SYS_ftruncate,
                [0, 100, 7, 7, 0, 0],
                Some(("ftruncate", 100)),
            ),
            (libc::SYS_ftruncate, [0, below, 0, 0, 0, 0], None),
            (
                libc::SYS_fallocate,
                [0, 1, 60, 50, 0, 0],
                Some(("fallocate", 110)),
            ),
            (
                libc::SYS_pwrite64,
                [0, 1, 10, 95, 0, 0],
                Some(("pwrite64", 105)),
            ),
            (
                libc::SYS_pwritev,
                [0, 1, 1, 100, 0, 0],
                Some(("pwritev", 101)),
            ),
            (libc::SYS_pwritev2, [0, 1, 1, below, below, 0], None),
            (libc::SYS_lseek, [0, 100, 0, 0, 0, 0], Some(("lseek", 101))),
            (libc::SYS_lseek, [0, below, 2, 0, 0, 0], None),
            (libc::SYS_write, [0, 1, 1000, 0, 0, 0], None),
        ] {
            assert_eq!(reach(call as i32, &arguments), expected, "{call}");
        }
    }

    #[test]
    fn what_was_opened_for_reading_only_reads() {
        use std::os::fd::AsRawFd;
        let write = std::fs::File::options()
            .write(true)
            .open("/dev/null")
            .unwrap();
        let read = std::fs::File::open("/dev/null").unwrap();
        let own = std::process::id();
        assert!(only_reads(own, read.as_raw_fd().cast_unsigned().into()));
        assert!(!only_reads(own, write.as_raw_fd().cast_unsigned().into()));
        assert!(only_reads(own, 1_000_000));
    }
}
