//! The code of each reason why a method has no test, and what a code means in a few words.
//!
//! Comes in: reasons of generation and verification. Goes out: codes and texts for console, report and `explain`.
//! Does not know: how a reason comes about and what helps; `palus_report::codes` explains each code once.

use crate::worker::usage::{MOST_FILES_MIB, MOST_THREADS, RESIDENT_BEYOND_HEAP_MIB};
use palus_generate::SkipCode;
use palus_sequence::Crash;
use std::borrow::Cow;

/// The code of a reason, as the manual lists it.
pub(crate) fn skip_code(code: SkipCode) -> &'static str {
    match code {
        SkipCode::NotAccessible => "S02",
        SkipCode::NoInstance => "S04",
        SkipCode::Endless => "S05",
        SkipCode::EndsJvm(_) | SkipCode::TooMuchMemory => "S06",
        SkipCode::Denied => "S07",
        SkipCode::NotLoadable => "S08",
        SkipCode::OutOfBudget => "S09",
        SkipCode::Defect => "S10",
        SkipCode::Unsteady => "S11",
        SkipCode::Unnameable => "S12",
        SkipCode::TooManyTests => "S13",
        SkipCode::GivenUp => "S14",
        SkipCode::SaysNothing => "S17",
    }
}

/// What the code means; of S06, which limit was hit, and what helps.
pub(crate) fn skip_text(code: SkipCode) -> Cow<'static, str> {
    let text = match code {
        SkipCode::EndsJvm(Crash::Ended) => {
            "every try ended the JVM, by a crash in native code or a halt"
        }
        SkipCode::EndsJvm(Crash::Killed) => {
            "every try ended as the system killed the JVM, as it does where the machine's memory is full; lower `workers`"
        }
        SkipCode::EndsJvm(Crash::HeapFull) => {
            "every try filled the heap; if it needs that much, raise `workerMemory`"
        }
        SkipCode::TooMuchMemory => {
            "every try allocated more than a sixteenth of `workerMemory`; if it needs that much, raise it"
        }
        SkipCode::EndsJvm(Crash::Threads) => {
            return Cow::Owned(format!(
                "every try made the JVM have more than {MOST_THREADS} threads; let it start fewer"
            ));
        }
        SkipCode::EndsJvm(Crash::BesideHeap) => {
            return Cow::Owned(format!(
                "every try used {RESIDENT_BEYOND_HEAP_MIB} MiB beside the heap, for which `workerMemory` does not help; \
                 let it take less in native code, mapped files and buffers"
            ));
        }
        SkipCode::EndsJvm(Crash::Disk) => {
            return Cow::Owned(format!(
                "every try wrote files of more than {MOST_FILES_MIB} MiB together; let it write less"
            ));
        }
        _ => meaning(skip_code(code)),
    };
    Cow::Borrowed(text)
}

/// What a code means, in a few words.
pub(crate) fn meaning(code: &str) -> &str {
    palus_report::code(code).map_or(code, |known| known.meaning)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::project::MOST_TESTS;
    use crate::verify::DropReason;
    use std::collections::BTreeSet;

    #[test]
    fn s06_says_which_limit_was_hit_and_to_raise_the_memory_only_where_that_helps() {
        let rows = [
            (SkipCode::EndsJvm(Crash::Ended), "a crash", false),
            (SkipCode::EndsJvm(Crash::Killed), "the system killed", false),
            (SkipCode::EndsJvm(Crash::HeapFull), "filled the heap", true),
            (SkipCode::TooMuchMemory, "a sixteenth", true),
            (SkipCode::EndsJvm(Crash::Threads), "500 threads", false),
            (
                SkipCode::EndsJvm(Crash::BesideHeap),
                "512 MiB beside",
                false,
            ),
            (SkipCode::EndsJvm(Crash::Disk), "512 MiB together", false),
        ];
        for (code, cause, helps) in rows {
            assert_eq!(skip_code(code), "S06");
            let text = skip_text(code);
            assert!(text.contains(cause), "{text}");
            assert_eq!(text.contains("raise"), helps, "{text}");
        }
    }

    #[test]
    fn every_code_has_a_page_that_says_what_it_means() {
        let skips = [
            SkipCode::NotAccessible,
            SkipCode::NoInstance,
            SkipCode::Endless,
            SkipCode::EndsJvm(Crash::Ended),
            SkipCode::TooMuchMemory,
            SkipCode::Denied,
            SkipCode::NotLoadable,
            SkipCode::OutOfBudget,
            SkipCode::Defect,
            SkipCode::Unsteady,
            SkipCode::Unnameable,
            SkipCode::TooManyTests,
            SkipCode::GivenUp,
            SkipCode::SaysNothing,
        ];
        let drops = [
            DropReason::DoesNotCompile,
            DropReason::FailsWhenRunAgain,
            DropReason::FailsElsewhere,
            DropReason::Denied,
            DropReason::BreaksOthers,
            DropReason::TimesOut,
            DropReason::KillsTheJvm,
            DropReason::NotVerified,
            DropReason::HarmsElsewhere,
            DropReason::HoldsSecret,
            DropReason::NameRefused,
            DropReason::NotOurs,
            DropReason::Promoted,
            DropReason::Defect,
        ];
        let skips = skips.into_iter().map(skip_code);
        let drops = drops.into_iter().map(DropReason::code);
        let others = [palus_report::NOTHING_NEW, palus_report::GENERATED];
        let named: BTreeSet<&str> = skips.chain(drops).chain(others).collect();
        let pages = palus_report::SKIPS.iter().chain(palus_report::DROPS);
        let explained: BTreeSet<&str> = pages.map(|page| page.code).collect();
        assert_eq!(named, explained);
        assert_eq!(skip_text(SkipCode::OutOfBudget), meaning("S09"));
        assert_ne!(meaning("S09"), "S09");
        let most = format!("No more than {MOST_TESTS} tests");
        assert!(palus_report::code("S13").unwrap().why.starts_with(&most));
    }
}
