//! Protocols of APIs, from calls recorded in real workers to failing tests on disk.

mod project_lab;

use project_lab::Lab;

/// A class that can be made to throw what an API throws, and its safe twin.
const PAIRS: &[(&str, &str)] = &[
    (
        "public class UnsafeStack {
          private final Stack<String> texts = new Stack<>();
          public void add() { texts.push(\"a\"); }
          public String top() { return texts.peek(); }
        }",
        "public class SafeStack {
          private final Stack<String> texts = new Stack<>();
          public void add() { texts.push(\"a\"); }
          public String top() { return texts.isEmpty() ? null : texts.peek(); }
        }",
    ),
    (
        "public class UnsafeIterator {
          private final List<String> texts = new ArrayList<>();
          private Iterator<String> next;
          public void begin() { texts.add(\"a\"); next = texts.iterator(); }
          public String following() { return next == null ? null : next.next(); }
        }",
        "public class SafeIterator {
          private final List<String> texts = new ArrayList<>();
          private Iterator<String> next;
          public void begin() { texts.add(\"a\"); next = texts.iterator(); }
          public String following() { return next != null && next.hasNext() ? next.next() : null; }
        }",
    ),
    (
        "public class UnsafeRemove {
          private final List<String> texts = new ArrayList<>();
          private Iterator<String> next;
          public void begin() { texts.add(\"a\"); next = texts.iterator(); }
          public String following() { return next != null && next.hasNext() ? next.next() : null; }
          public void drop() { if (next != null) next.remove(); }
        }",
        "public class SafeRemove {
          private final List<String> texts = new ArrayList<>();
          private Iterator<String> next;
          private boolean isRead;
          public void begin() { texts.add(\"a\"); next = texts.iterator(); isRead = false; }
          public void drop() {
            if (next != null && next.hasNext()) { next.next(); isRead = true; }
            if (isRead) { next.remove(); isRead = false; }
          }
        }",
    ),
    (
        "public class UnsafeList {
          private final List<String> texts = new ArrayList<>();
          public void add() { texts.add(\"a\"); }
          public String last() { return texts.get(texts.size() - 1); }
        }",
        "public class SafeList {
          private final List<String> texts = new ArrayList<>();
          public void add() { texts.add(\"a\"); }
          /** @throws IndexOutOfBoundsException where nothing was added */
          public String last() { return texts.get(texts.size() - 1); }
        }",
    ),
    (
        "public class UnsafeVector {
          private final Vector<String> texts = new Vector<>();
          public void add() { texts.add(\"a\"); }
          public String first() { return texts.firstElement(); }
        }",
        "public class SafeVector {
          private final Vector<String> texts = new Vector<>();
          public void add() { texts.add(\"a\"); }
          public String first() { return texts.isEmpty() ? null : texts.firstElement(); }
        }",
    ),
    (
        "public class UnsafeEnumeration {
          private final Vector<String> texts = new Vector<>();
          private Enumeration<String> next;
          public void begin() { texts.add(\"a\"); next = texts.elements(); }
          public String following() { return next == null ? null : next.nextElement(); }
        }",
        "public class SafeEnumeration {
          private final Vector<String> texts = new Vector<>();
          private Enumeration<String> next;
          public void begin() { texts.add(\"a\"); next = texts.elements(); }
          public String following() throws NoSuchElementException {
            return next == null ? null : next.nextElement();
          }
        }",
    ),
];

/// Where a run leaves what it learned.
fn stored(lab: &Lab) -> std::path::PathBuf {
    lab.settings(&[]).work_directory.join("protocols.json")
}

/// The project, its sources beside it.
fn lab() -> Lab {
    let mut sources = Vec::new();
    for text in PAIRS
        .iter()
        .flat_map(|&(unsafe_use, twin)| [unsafe_use, twin])
    {
        let name = text.split_whitespace().nth(2).unwrap();
        let text = format!("package uses;\nimport java.util.*;\n{text}");
        sources.push((format!("uses/{name}.java"), text));
    }
    let borrowed: Vec<(&str, &str)> = sources
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    let lab = Lab::new(&borrowed, &[]);
    for (path, text) in &sources {
        let file = lab.at("src").join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    lab
}

fn run(lab: &Lab, workers: &str) -> String {
    let sources = lab.at("src").display().to_string();
    lab.run(&[
        ("budget", "2000"),
        ("contracts", "false"),
        ("protocols", "COLLECTIONS"),
        ("sourceDirectory", &sources),
        ("workers", workers),
    ])
}

#[test]
fn each_unsafe_use_is_found_no_safe_twin_is_and_the_number_of_workers_changes_nothing() {
    let lab = lab();
    let said = run(&lab, "1");
    assert_eq!(
        lab.ids(),
        [
            "P301 uses.UnsafeEnumeration#following java.util.NoSuchElementException java.util.Enumeration.nextElement",
            "P301 uses.UnsafeIterator#following java.util.NoSuchElementException java.util.Iterator.next",
            "P301 uses.UnsafeList#last java.lang.IndexOutOfBoundsException java.util.List.get",
            "P301 uses.UnsafeRemove#drop java.lang.IllegalStateException java.util.Iterator.remove",
            "P301 uses.UnsafeStack#top java.util.EmptyStackException java.util.Stack.peek",
            "P301 uses.UnsafeVector#first java.util.NoSuchElementException java.util.Vector.firstElement",
        ],
        "{said}"
    );
    let file = "palus/findings/uses/UnsafeStackFindingsPalusTest.java";
    let text = std::fs::read_to_string(lab.at(file)).unwrap();
    assert!(
        text.contains(
            "P301: UnsafeStack#top uses an API unsafely: Stack.peek throws EmptyStackException."
        ),
        "{text}"
    );
    assert!(text.contains("peek documents this exception"), "{text}");
    assert!(text.contains("top_usesPeekSafely()"), "{text}");
    // Nothing but what it needs.
    assert_eq!(text.matches("unsafeStack.").count(), 1, "{text}");

    let protocols = std::fs::read_to_string(stored(&lab)).unwrap();
    assert!(protocols.contains("java/util/Stack"), "{protocols}");
    let report = std::fs::read_to_string(lab.at("report/report.json")).unwrap();
    assert!(report.contains("protocols.json"), "{report}");
    assert!(said.contains("protocols"), "{said}");

    let other = self::lab();
    run(&other, "2");
    assert_eq!(other.ids(), lab.ids());
    let again = std::fs::read_to_string(stored(&other)).unwrap();
    assert_eq!(again, protocols);
    assert_eq!(std::fs::read_to_string(other.at(file)).unwrap(), text);
}

#[test]
fn nothing_is_recorded_where_no_api_is_named() {
    let lab = lab();
    lab.run(&[("budget", "300"), ("contracts", "false")]);
    assert!(lab.ids().is_empty());
    assert!(!stored(&lab).exists());
}
