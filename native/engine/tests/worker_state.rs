//! What a sequence leaves behind is gone when the next one runs: values of thread-locals, files, static state.

use crate::worker_lab::Lab;
use palus_sequence::{End, Executor, Observation, Value};

/// A context that belongs to the thread, and a thread-local of a kind of its own.
const CONTEXT: (&str, &str) = (
    "demo/Context.java",
    r"
package demo;
public class Context {
  private static final ThreadLocal<int[]> ENTERED = ThreadLocal.withInitial(() -> new int[1]);
  private static final InheritableThreadLocal<String> NAME = new InheritableThreadLocal<String>() {
    @Override public void remove() {
      throw new IllegalStateException();
    }
  };
  public int enter() {
    return ++ENTERED.get()[0];
  }
  public int enterAndLeave() {
    int entered = enter();
    ENTERED.remove();
    return entered;
  }
  public int enterFirst() {
    if (enter() > 1) {
      throw new IllegalStateException();
    }
    return 1;
  }
  public String rename() {
    String before = NAME.get();
    NAME.set(before + 1);
    return NAME.get();
  }
}
",
);

/// A note in a temporary file, beside one that the class initialiser made.
const NOTES: (&str, &str) = (
    "demo/Notes.java",
    r#"
package demo;
import java.io.File;
public class Notes {
  static final File FIRST;
  static {
    try {
      FIRST = File.createTempFile("first", null);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }
  public int write() throws java.io.IOException {
    File.createTempFile("note", null);
    File folder = java.nio.file.Files.createTempDirectory("folder").toFile();
    new java.io.FileWriter(new File(folder, "note")).close();
    return count();
  }
  public int remove() {
    FIRST.delete();
    return count();
  }
  public boolean removeAll() {
    remove();
    return FIRST.getParentFile().delete();
  }
  public int count() {
    // Beside what stands for files of the user's.
    return FIRST.getParentFile().list((in, name) -> name.matches("(first|note|folder).+")).length;
  }
}
"#,
);

/// Tells its static state by what its methods give, and changes it.
const STATEFUL: (&str, &str) = (
    "demo/Stateful.java",
    r#"
package demo;
import java.util.*;
public class Stateful {
  static final Map<String, List<Integer>> ALL = new HashMap<>();
  static int[] counts;
  public int registers() {
    ALL.computeIfAbsent("a", name -> new ArrayList<>()).add(1);
    return ALL.get("a").size();
  }
  public int counts() {
    if (counts == null) { counts = new int[] {5}; }
    return counts[0]++ + ALL.size();
  }
}
"#,
);

/// A settings holder that takes one value for good, next to one that takes any number.
const SETTINGS: (&str, &str) = (
    "demo/Settings.java",
    r"
package demo;
public class Settings {
  private static String global;
  private static int changes;
  public void fix() {
    if (global != null) {
      throw new IllegalStateException();
    }
    global = String.valueOf(1);
  }
  public int change() {
    return ++changes;
  }
  public void refuse() {
    if (changes++ > 0) {
      throw new IllegalStateException();
    }
    throw new UnsupportedOperationException();
  }
}
",
);

/// Counts what was finalized.
const FINALIZED: (&str, &str) = (
    "demo/Finalized.java",
    r"
package demo;
public class Finalized {
  static volatile int count;
  @Override public void finalize() {
    count++;
  }
  public int collect() {
    for (int i = 0; i < 100; i++) {
      new Finalized();
    }
    System.gc();
    System.runFinalization();
    return count;
  }
  public int call() {
    finalize();
    return count;
  }
}
",
);

/// Holds objects weakly, in each of three ways, and asks after a collection whether they are there.
const WEAK: (&str, &str) = (
    "demo/Weak.java",
    r"
package demo;
import java.lang.ref.*;
import java.util.*;
public class Weak {
  static class Entry extends WeakReference<Object> {
    Entry(Object held, ReferenceQueue<Object> queue) { super(held, queue); }
  }
  static WeakReference<Object> last;
  static final WeakReference<Object> FIRST = new WeakReference<>(new Object());
  public boolean holds() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    Entry entry = new Entry(new Object(), queue);
    WeakHashMap<Object, String> map = new WeakHashMap<>();
    map.put(new Object(), null);
    PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
    last = new WeakReference<>(new Object());
    System.gc();
    return entry.get() != null && map.size() == 1 && !phantom.isEnqueued() && last.get() != null;
  }
  public boolean holdsFirst() {
    System.gc();
    return FIRST.get() != null;
  }
}
",
);

#[test]
fn what_a_sequence_holds_weakly_stays_while_it_runs() {
    let lab = Lab::new(&[WEAK], &[]);
    let names = ["holds", "holds", "holdsFirst"];
    for outcome in lab.run(&names.map(|name| lab.simple("demo/Weak", name))) {
        let holds = Observation::Value {
            value: Value::Boolean(true),
            boxed: false,
        };
        assert_eq!(outcome.observations[1], holds, "{outcome:?}");
    }
}

#[test]
fn no_sequence_finds_what_another_left_in_a_thread_local() {
    let lab = Lab::new(&[CONTEXT], &[]);
    let names = ["enter", "enter", "enterAndLeave", "rename", "enter"];
    let outcomes = lab.run(&names.map(|name| lab.simple("demo/Context", name)));
    let left: Vec<bool> = outcomes
        .iter()
        .map(|outcome| outcome.leaves_thread_locals)
        .collect();
    assert_eq!(left, [true, true, false, true, true]);
    for place in [0, 1, 2, 4] {
        let first = Observation::Value {
            value: Value::Int(1),
            boxed: false,
        };
        assert_eq!(outcomes[place].observations[1], first, "{}", names[place]);
    }
    assert_eq!(outcomes[3].end, End::Completed);
    let first = lab.run(&[lab.simple("demo/Context", "enterFirst")]);
    assert!(
        first[0].is_writable(),
        "it has a thread of its own each time"
    );
}

#[test]
fn no_sequence_finds_a_file_that_another_made() {
    let lab = Lab::new(&[NOTES], &[]);
    let notes = lab.class("demo/Notes");
    let pool = lab.pool().unwrap();
    let names = ["write", "write", "count", "remove", "removeAll", "count"];
    let outcomes = pool
        .with_executor(&[notes], |executor| {
            executor.begin().unwrap();
            let batch = names.map(|name| lab.simple("demo/Notes", name));
            executor.execute(&batch).unwrap()
        })
        .unwrap();
    let denied = End::Denied("File.delete on a file that it did not make".into());
    assert_eq!(
        outcomes[4].end, denied,
        "the folder for temporary files stays"
    );
    for (place, count) in [(0, 3), (1, 3), (2, 1), (3, 0), (5, 1)] {
        let seen = Observation::Value {
            value: Value::Int(count),
            boxed: false,
        };
        assert_eq!(outcomes[place].observations[1], seen, "{}", names[place]);
    }
}

#[test]
fn a_sequence_does_the_same_first_and_after_others() {
    let lab = Lab::new(&[STATEFUL], &[]);
    let pool = lab.pool().unwrap();
    let alone = [
        lab.simple("demo/Stateful", "registers"),
        lab.simple("demo/Stateful", "counts"),
    ];
    pool.with_executor(&[], |executor| {
        let mut first = Vec::new();
        for sequence in &alone {
            executor.begin().unwrap();
            let outcomes = executor
                .execute(&[sequence.clone(), sequence.clone()])
                .unwrap();
            assert_eq!(outcomes[0].observations, outcomes[1].observations);
            first.push(outcomes[0].observations.clone());
        }
        executor.begin().unwrap();
        let mut batch = alone.to_vec();
        batch.extend(alone.iter().rev().cloned());
        let outcomes = executor.execute(&batch).unwrap();
        for (place, outcome) in [0, 1, 1, 0].iter().zip(outcomes) {
            assert_eq!(outcome.observations, first[*place]);
        }
    })
    .unwrap();
}

#[test]
fn a_finalizer_runs_only_where_a_sequence_calls_it() {
    let lab = Lab::new(&[FINALIZED], &[]);
    let outcomes = lab.run(&["collect", "call"].map(|name| lab.simple("demo/Finalized", name)));
    let count = |count| Observation::Value {
        value: Value::Int(count),
        boxed: false,
    };
    let seen = outcomes.iter().map(|outcome| &outcome.observations[1]);
    assert!(seen.eq(&[count(0), count(1)]), "{outcomes:?}");
}

#[test]
fn what_ends_otherwise_the_second_time_covers_nothing_until_nobody_else_does() {
    let lab = Lab::new(&[SETTINGS], &[]);
    let names = [
        "change", "fix", "refuse", "fix", "fix", "fix", "fix", "refuse",
    ];
    let outcomes = lab.run(&names.map(|name| lab.simple("demo/Settings", name)));
    let gains: Vec<(bool, bool)> = outcomes
        .iter()
        .map(|outcome| (outcome.is_writable(), outcome.covers_something_new()))
        .collect();
    let waits = (false, true);
    assert_eq!(
        gains,
        [
            (true, true), // a counter that counts on ends as before
            waits,
            waits,
            waits,
            waits,
            (true, true), // the fourth time in vain
            (true, false),
            waits
        ]
    );
    assert_eq!(outcomes[1].end, End::Completed);
    let again = "java/lang/UnsupportedOperationException";
    assert!(
        matches!(&outcomes[2].end, End::Threw(thrown) if &*thrown.class == again),
        "what is told is the first time"
    );
}
