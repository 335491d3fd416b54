//! Protocols of APIs, from calls recorded in real workers to failing tests on disk.

use crate::project_lab::{Lab, borrowed};
use crate::unsafe_pairs::{LIBRARY, PAIRS, Pair, SNEAKY};

/// Where a run leaves what it learned.
fn stored(lab: &Lab) -> std::path::PathBuf {
    lab.settings(&[]).work_directory.join("protocols.json")
}

const SETS: &str = "COLLECTIONS,STREAMS,SQL,LOCKS,MATCHER,SCANNER,OPTIONAL,vendor.**";

/// The project, its sources beside it.
fn lab() -> Lab {
    let mut sources: Vec<(String, String)> = PAIRS.iter().flat_map(Pair::sources).collect();
    sources.push((SNEAKY.0.to_owned(), SNEAKY.1.to_owned()));
    let lab = Lab::with_library(&borrowed(&sources), LIBRARY);
    for (path, text) in &sources {
        let file = lab.at("src").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    lab
}

fn run(lab: &Lab, options: &[(&str, &str)]) -> String {
    let sources = lab.at("src").display().to_string();
    let fixed = [
        ("budget", "2000"),
        ("contracts", "false"),
        ("sourceDirectory", &sources),
    ];
    lab.run(&[&fixed, options].concat())
}

#[test]
fn each_unsafe_use_is_found_no_safe_twin_is_and_the_number_of_workers_changes_nothing() {
    let lab = lab();
    let said = run(&lab, &[("protocols", SETS), ("workers", "1")]);
    let mut expected: Vec<String> = PAIRS.iter().map(Pair::id).collect();
    expected.sort();
    assert_eq!(lab.ids(), expected, "{said}");
    let file = "palus/findings/uses/UnsafePeekFindingsPalusTest.java";
    let text = std::fs::read_to_string(lab.at(file)).unwrap();
    assert!(
        text.contains(
            "P301: UnsafePeek#top uses an API unsafely: Stack.peek throws EmptyStackException."
        ),
        "{text}"
    );
    assert!(text.contains("peek documents this exception"), "{text}");
    assert!(text.contains("top_usesPeekSafely()"), "{text}");
    // Nothing but what it needs.
    assert_eq!(text.matches("unsafePeek.").count(), 1, "{text}");

    let protocols = std::fs::read_to_string(stored(&lab)).unwrap();
    assert!(protocols.contains("java/util/Stack"), "{protocols}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("protocols.json"), "{report}");
    // The protocol, the way to the call and the line that makes it.
    for part in [
        "\"refused\": \"#1.peek()\"",
        "\"uses.UnsafePeek.top:",
        "\"call\": \"#1.push(Object)\"",
        "wherever tests passed",
    ] {
        assert!(report.contains(part), "{part}: {report}");
    }
    let page = std::fs::read_to_string(lab.at("report/index.html")).unwrap();
    assert!(page.contains("Protocol of java.util.Stack"), "{page}");
    assert!(page.contains("<b>uses.UnsafePeek.top:"), "{page}");
    assert!(said.contains("protocols"), "{said}");

    let other = self::lab();
    run(&other, &[("protocols", SETS), ("workers", "2")]);
    assert_eq!(other.ids(), lab.ids());
    let again = std::fs::read_to_string(stored(&other)).unwrap();
    assert_eq!(again, protocols);
    assert_eq!(std::fs::read_to_string(other.at(file)).unwrap(), text);
}

#[test]
fn recording_changes_no_test_and_nothing_is_recorded_by_default() {
    let lab = lab();
    run(&lab, &[]);
    assert!(lab.ids().is_empty());
    assert!(!stored(&lab).exists());
    let without = lab.written("uses");
    assert!(without.len() > PAIRS.len(), "{:?}", without.keys());

    let lab = self::lab();
    run(&lab, &[("protocols", "COLLECTIONS")]);
    let ids = lab.ids();
    assert!(
        ids.iter().any(|id| id.contains("UnsafePeek#top")),
        "{ids:?}"
    );
    assert!(
        !ids.iter().any(|id| id.contains("UnsafeMatcher")),
        "{ids:?}"
    );
    assert_eq!(lab.written("uses"), without);
}

#[test]
fn a_file_of_protocols_that_is_gone_is_seen_where_nothing_else_changed() {
    let lab = lab();
    let options = [("protocols", "COLLECTIONS")];
    run(&lab, &options);
    let (protocols, ids) = (std::fs::read_to_string(stored(&lab)).unwrap(), lab.ids());
    assert!(run(&lab, &options).contains("up to date"));
    std::fs::remove_file(stored(&lab)).unwrap();
    let said = run(&lab, &options);
    assert!(!said.contains("up to date"), "{said}");
    assert_eq!(std::fs::read_to_string(stored(&lab)).unwrap(), protocols);
    assert_eq!(lab.ids(), ids);
}
