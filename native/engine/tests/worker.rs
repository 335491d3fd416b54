//! Sequences through real worker JVMs, and what happens when those die.

use crate::worker_lab::{Lab, ends};
use palus_engine::ErrorKind;
use palus_sequence::{End, Executor, ExecutorError, Observation, Sequence, Value};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

const LIST: &str = "java/util/ArrayList";

const STACK: (&str, &str) = (
    "demo/Stack.java",
    r"
package demo;
public class Stack {
  private final int[] items = new int[2];
  private int size;
  public void push(int item) {
    items[size++] = item;
  }
  public int size() {
    return size;
  }
  public Stack self() {
    return this;
  }
}
",
);

/// Calls that end a worker, each in its own way, beside calls that do not.
const DEADLY: (&str, &str) = (
    "demo/Deadly.java",
    r#"
package demo;
public class Deadly {
  private static int calls;
  public int harmless() {
    return 1;
  }
  public int calls() {
    return ++calls;
  }
  /** No fuel is burnt in here: the loop is the JDK's. */
  public void spin() {
    java.util.stream.Stream.generate(Object::new).count();
  }
  public void loop() {
    while (true) {}
  }
  public int fill() {
    java.util.List<byte[]> all = new java.util.ArrayList<>();
    for (int i = 0; i < 100000; i++) {
      all.add(new byte[1 << 20]);
    }
    return all.size();
  }
  public int recurse() {
    return recurse() + 1;
  }
  public void exit() {
    System.exit(0);
  }
  /** A fault in native code, which no guard sees. */
  private static void crash() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      java.lang.reflect.Field field = type.getDeclaredField("theUnsafe");
      field.setAccessible(true);
      type.getMethod("getInt", long.class).invoke(field.get(null), 0L);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }
  public void crash1() { crash(); }
  public void crash2() { crash(); }
  public void crash3() { crash(); }
  public void crash4() { crash(); }
  public void crash5() { crash(); }
  public void crash6() { crash(); }
  public void crash7() { crash(); }
}
"#,
);

fn pushes(lab: &Lab, count: i32) -> Sequence {
    let mut body = lab.body();
    let stack = body.new_object("demo/Stack", "()V", &[]);
    for item in 0..count {
        let item = body.int(item);
        body.call("demo/Stack", "push", Some(stack), &[item]);
    }
    body.call("demo/Stack", "size", Some(stack), &[]);
    body.sequence
}

/// True as long as a process runs or waits to be reaped.
fn exists(process: u32) -> bool {
    Path::new("/proc").join(process.to_string()).exists()
}

#[test]
fn a_run_costs_its_method_entries_and_backward_jumps() {
    let lab = Lab::new(&[STACK, DEADLY], &[]);
    let outcomes = lab.run(&[
        pushes(&lab, 2),
        pushes(&lab, 0),
        lab.simple("demo/Deadly", "loop"),
    ]);
    let costs: Vec<u32> = outcomes.iter().map(|outcome| outcome.cost).collect();
    assert_eq!(costs, [4, 2, lab.settings.fuel]);
}

#[test]
fn outcomes_come_back_in_order_with_what_each_statement_gave() {
    let lab = Lab::new(&[STACK], &[]);
    let outcomes = lab.run(&[pushes(&lab, 2), pushes(&lab, 3)]);
    assert_eq!(outcomes[0].end, End::Completed);
    let observations = &outcomes[0].observations;
    assert!(
        matches!(&observations[0], Observation::Object { class, .. } if &**class == "demo/Stack")
    );
    assert_eq!(observations[2], Observation::Nothing);
    let two = Observation::Value {
        value: Value::Int(2),
        boxed: false,
    };
    assert_eq!(observations.last(), Some(&two));
    let End::Threw(thrown) = &outcomes[1].end else {
        panic!("{:?}", outcomes[1].end);
    };
    assert_eq!(&*thrown.class, "java/lang/ArrayIndexOutOfBoundsException");
    assert_eq!(thrown.statement, 6);
    let frame = thrown.top_frame.as_ref().unwrap();
    assert_eq!((&*frame.0, &*frame.1), ("demo/Stack", "push"));
    assert_eq!(outcomes[1].observations.len(), 6);
}

#[test]
fn the_same_object_is_told_by_the_statement_that_first_held_it() {
    let lab = Lab::new(&[STACK], &[]);
    let mut body = lab.body();
    let stack = body.new_object("demo/Stack", "()V", &[]);
    body.call("demo/Stack", "self", Some(stack), &[]);
    let outcomes = lab.run(&[body.sequence]);
    let Observation::Object { same_as, .. } = &outcomes[0].observations[1] else {
        panic!("{:?}", outcomes[0].observations);
    };
    assert_eq!(*same_as, Some(0));
}

#[test]
fn coverage_is_given_once_and_again_after_begin() {
    let lab = Lab::new(&[STACK], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[lab.class("demo/Stack")], |executor| {
        for _ in 0..2 {
            executor.begin().unwrap();
            let outcomes = executor
                .execute(&[pushes(&lab, 1), pushes(&lab, 1), pushes(&lab, 2)])
                .unwrap();
            assert!(outcomes[0].covers_something_new());
            assert!(!outcomes[1].covers_something_new());
            assert!(!outcomes[2].covers_something_new());
        }
    })
    .unwrap();
}

#[test]
fn coverage_is_given_again_in_the_same_classes_once_it_is_forgotten() {
    let lab = Lab::new(&[STACK], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[lab.class("demo/Stack")], |executor| {
        executor.begin().unwrap();
        let first = executor.execute(&[pushes(&lab, 1)]).unwrap();
        executor.forget().unwrap();
        let again = executor
            .execute(&[pushes(&lab, 1), pushes(&lab, 1)])
            .unwrap();
        assert_eq!(again[0], first[0]);
        assert!(!again[1].covers_something_new());
    })
    .unwrap();
}

#[test]
fn loops_recursion_and_exit_end_a_sequence_and_not_its_worker() {
    let lab = Lab::new(&[DEADLY], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let batch = ["harmless", "loop", "recurse", "exit", "harmless"]
            .map(|method| lab.simple("demo/Deadly", method));
        let outcomes = executor.execute(&batch).unwrap();
        assert_eq!(
            ends(&outcomes),
            ["Completed", "OutOfFuel", "TooDeep", "Denied", "Completed"]
        );
        assert_eq!(executor.deaths(), 0);
    })
    .unwrap();
}

#[test]
fn a_hung_worker_is_replaced_and_keeps_its_sequences() {
    let lab = Lab::new(&[DEADLY, STACK], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let before = executor.execute(&[pushes(&lab, 1)]).unwrap();
        assert!(before[0].covers_something_new());
        let batch = [
            lab.simple("demo/Deadly", "harmless"),
            lab.simple("demo/Deadly", "spin"),
            lab.simple("demo/Deadly", "harmless"),
            pushes(&lab, 1),
        ];
        let outcomes = executor.execute(&batch).unwrap();
        assert_eq!(
            ends(&outcomes),
            ["Completed", "TimedOut", "Completed", "Completed"]
        );
        // What was covered before the death is not new after it.
        assert!(outcomes[0].covers_something_new());
        assert!(!outcomes[3].covers_something_new());
        assert_eq!(executor.deaths(), 1);
    })
    .unwrap();
}

#[test]
fn a_crashed_worker_is_replaced_and_the_sequence_that_ended_it_recorded() {
    let lab = Lab::new(&[DEADLY], &[]);
    let batch: Vec<Sequence> = ["harmless", "crash1", "harmless", "crash2", "harmless"]
        .map(|method| lab.simple("demo/Deadly", method))
        .to_vec();
    let outcomes = lab.run(&batch);
    assert_eq!(
        ends(&outcomes),
        ["Completed", "Crashed", "Completed", "Crashed", "Completed"]
    );
}

#[test]
fn a_sequence_that_fills_the_heap_costs_nothing_but_itself() {
    let mut lab = Lab::new(&[DEADLY], &[]);
    lab.settings.memory_mib = 64;
    let batch = ["harmless", "fill", "harmless"].map(|method| lab.simple("demo/Deadly", method));
    let ends = ends(&lab.run(&batch));
    assert_eq!([&*ends[0], &*ends[2]], ["Completed", "Completed"]);
    assert_ne!(ends[1], "Completed");
}

/// Uses memory that is not the heap's, and threads that no guard sees begin.
const GREEDY: (&str, &str) = (
    "demo/Greedy.java",
    r#"
package demo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.zip.Deflater;
public class Greedy {
  private static final byte[] INPUT = new byte[1 << 17];
  private static final byte[] OUTPUT = new byte[1 << 10];
  private static final List<Deflater> KEPT = new ArrayList<>();
  public int harmless() {
    return 1;
  }
  /** Each of them takes a quarter of a megabyte from the system. */
  private static List<Deflater> deflaters(int count) {
    List<Deflater> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Deflater deflater = new Deflater();
      deflater.setInput(INPUT);
      deflater.deflate(OUTPUT);
      all.add(deflater);
    }
    return all;
  }
  public void hoard() {
    for (Deflater deflater : deflaters(3000)) {
      deflater.end();
    }
  }
  public void keep() {
    KEPT.addAll(deflaters(700));
  }
  public int buffer() {
    return java.nio.ByteBuffer.allocateDirect(32 << 20).capacity();
  }
  public int threads() {
    return Crowd.size();
  }
}
class Crowd {
  static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(600, 600, 1, TimeUnit.HOURS, new LinkedBlockingQueue<>(), Crowd::small);
  static {
    POOL.prestartAllCoreThreads();
  }
  private static Thread small(Runnable work) {
    Thread thread = new Thread(null, work, "small", 1 << 16);
    thread.setDaemon(true);
    return thread;
  }
  static int size() {
    return POOL.getPoolSize();
  }
}
"#,
);

#[test]
fn memory_beside_the_heap_is_watched_and_who_takes_too_much_is_dropped_alone() {
    let mut lab = Lab::new(&[GREEDY], &[]);
    lab.settings.memory_mib = 64;
    let names = [
        "harmless", "hoard", "keep", "keep", "keep", "keep", "harmless",
    ];
    let batch = names.map(|method| lab.simple("demo/Greedy", method));
    lab.settings.time_limit_millis = 20_000;
    // What only several together take too much of costs none of them.
    let expected = [
        "Completed",
        "Crashed(BesideHeap)",
        "Completed",
        "Completed",
        "Completed",
        "Completed",
        "Completed",
    ];
    assert_eq!(ends(&lab.run(&batch)), expected);
    assert_eq!(ends(&lab.run(&batch[1..2])), ["Crashed(BesideHeap)"]);
}

#[test]
fn buffers_outside_of_the_heap_have_a_limit() {
    let mut lab = Lab::new(&[GREEDY], &[]);
    lab.settings.memory_mib = 64;
    let batch = ["buffer", "harmless"].map(|method| lab.simple("demo/Greedy", method));
    assert_eq!(ends(&lab.run(&batch)), ["OutOfMemory", "Completed"]);
}

#[test]
fn threads_are_counted_and_too_many_end_the_worker() {
    let lab = Lab::new(&[GREEDY], &[]);
    let pool = lab.pool().unwrap();
    let crowd = [lab.class("demo/Crowd")];
    pool.with_executor(&crowd, |executor| {
        // The class initialiser is at fault, and is left to its first use.
        executor.begin().unwrap();
        assert_eq!(executor.deaths(), 1);
        let batch = ["harmless", "threads"].map(|method| lab.simple("demo/Greedy", method));
        assert_eq!(ends(&executor.execute(&batch).unwrap())[0], "Completed");
    })
    .unwrap();
    let threads = lab.simple("demo/Greedy", "threads");
    assert_eq!(ends(&lab.run(&[threads])), ["Crashed(Threads)"]);
}

#[test]
fn a_class_whose_initialiser_hangs_does_not_keep_the_others_from_beginning() {
    let hanging = (
        "demo/Hanging.java",
        "package demo; public class Hanging {
           static final long NEVER = java.util.stream.Stream.generate(Object::new).count();
         }",
    );
    let lab = Lab::new(&[hanging, STACK], &[]);
    let pool = lab.pool().unwrap();
    let classes = ["demo/Stack", "demo/Hanging"].map(|name| lab.class(name));
    pool.with_executor(&classes, |executor| {
        executor.begin().unwrap();
        assert_eq!(executor.deaths(), 1);
        executor.begin().unwrap();
        let outcomes = executor.execute(&[pushes(&lab, 1)]).unwrap();
        assert_eq!(ends(&outcomes), ["Completed"]);
        assert_eq!(executor.deaths(), 1);
    })
    .unwrap();
}

#[test]
fn what_killed_three_workers_is_not_called_again() {
    let lab = Lab::new(&[DEADLY], &[]);
    let batch: Vec<Sequence> = [
        "crash1", "crash1", "harmless", "crash1", "crash1", "harmless",
    ]
    .map(|method| lab.simple("demo/Deadly", method))
    .to_vec();
    let ends = ends(&lab.run(&batch)).join(" ");
    let expected = "Crashed Crashed Completed Crashed Unusable Completed";
    assert_eq!(ends, expected);
}

#[test]
fn what_is_forgiven_is_called_again() {
    let lab = Lab::new(&[DEADLY], &[]);
    let twice = lab.pool().unwrap().with_executor(&[], |executor| {
        executor.begin().unwrap();
        for _ in 0..2 {
            let batch = vec![lab.simple("demo/Deadly", "crash1"); 4];
            let outcomes = executor.execute(&batch).unwrap();
            assert_eq!(ends(&outcomes)[2..], ["Crashed", "Unusable"]);
            executor.forgive();
        }
    });
    twice.unwrap();
}

#[test]
fn after_twenty_deaths_the_executor_gives_up_with_the_jvms_words() {
    let lab = Lab::new(&[DEADLY], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let batch: Vec<Sequence> = (1..=7)
            .flat_map(|number| vec![lab.simple("demo/Deadly", &format!("crash{number}")); 3])
            .collect();
        let error = executor.execute(&batch).unwrap_err();
        let ExecutorError::Broken(text) = error else {
            panic!("{error:?}");
        };
        assert!(
            text.starts_with("20 workers were lost, the last one because "),
            "{text}"
        );
    })
    .unwrap();
    // The pool goes on.
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let outcomes = executor
            .execute(&[lab.simple("demo/Deadly", "harmless")])
            .unwrap();
        assert_eq!(ends(&outcomes), ["Completed"]);
    })
    .unwrap();
}

#[test]
fn a_worker_killed_from_outside_costs_no_sequence() {
    let lab = Lab::new(&[STACK], &[]);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let process = executor.process_id().unwrap();
        #[expect(clippy::disallowed_methods, reason = "this test kills a worker")]
        let killed = Command::new("kill")
            .args(["-9", &process.to_string()])
            .status();
        assert!(killed.unwrap().success());
        let outcomes = executor
            .execute(&[pushes(&lab, 1), pushes(&lab, 2)])
            .unwrap();
        assert_eq!(ends(&outcomes), ["Completed", "Completed"]);
        assert!(outcomes[0].covers_something_new());
        assert_eq!(executor.deaths(), 1);
    })
    .unwrap();
}

#[test]
fn a_method_of_a_hidden_class_is_called_on_the_open_heir() {
    let hidden = (
        "other/Hidden.java",
        "package other; class Hidden { public int answer() { return 42; } }",
    );
    let open = (
        "other/Open.java",
        "package other; public class Open extends Hidden {}",
    );
    let user = ("demo/User.java", "package demo; public class User {}");
    let lab = Lab::new(&[hidden, open, user], &[]);
    let mut body = lab.body();
    let object = body.new_object("other/Open", "()V", &[]);
    body.call("other/Open", "answer", Some(object), &[]);
    let outcomes = lab.run(&[body.sequence]);
    assert_eq!(ends(&outcomes), ["Completed"], "{:?}", outcomes[0].end);
}

#[test]
fn jdk_classes_are_called_as_well() {
    let lab = Lab::new(&[STACK], &[LIST]);
    let mut body = lab.body();
    let list = body.new_object(LIST, "()V", &[]);
    let item = body.value(Value::Text("item".into()));
    body.call(LIST, "add", Some(list), &[item]);
    let nine = body.int(9);
    body.call(LIST, "get", Some(list), &[nine]);
    let outcomes = lab.run(&[body.sequence]);
    assert_eq!(
        ends(&outcomes),
        ["Threw java/lang/IndexOutOfBoundsException at 4"]
    );
}

#[test]
fn two_threads_have_two_workers() {
    let lab = Lab::new(&[STACK], &[]);
    let pool = lab.pool().unwrap();
    let meet = std::sync::Barrier::new(2);
    let work = || {
        pool.with_executor(&[], |executor| {
            executor.begin().unwrap();
            meet.wait();
            for _ in 0..50 {
                let outcomes = executor.execute(&vec![pushes(&lab, 2); 100]).unwrap();
                assert!(outcomes.iter().all(|outcome| outcome.end == End::Completed));
            }
            executor.process_id().unwrap()
        })
        .unwrap()
    };
    let (first, second) = std::thread::scope(|scope| {
        let (first, second) = (scope.spawn(work), scope.spawn(work));
        (first.join().unwrap(), second.join().unwrap())
    });
    assert_ne!(first, second);
}

#[test]
fn a_pool_leaves_no_process_and_no_file_behind() {
    let lab = Lab::new(&[DEADLY], &[]);
    let pool = lab.pool().unwrap();
    let processes = pool
        .with_executor(&[], |executor| {
            executor.begin().unwrap();
            let first = executor.process_id().unwrap();
            executor
                .execute(&[lab.simple("demo/Deadly", "crash1")])
                .unwrap();
            executor.begin().unwrap();
            [first, executor.process_id().unwrap()]
        })
        .unwrap();
    assert!(exists(processes[1]));
    drop(pool);
    assert!(!processes.iter().any(|process| exists(*process)));
    let left = std::fs::read_dir(&lab.settings.work_directory).unwrap();
    assert_eq!(left.count(), 0);
}

#[test]
fn a_cancelled_run_ends_even_while_a_worker_hangs() {
    let mut lab = Lab::new(&[DEADLY], &[]);
    lab.settings.time_limit_millis = 60_000;
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        executor.begin().unwrap();
        let cancel = lab.settings.cancel.clone();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                std::thread::sleep(Duration::from_millis(300));
                cancel.cancel();
            });
            let error = executor.execute(&[lab.simple("demo/Deadly", "spin")]);
            assert_eq!(error.unwrap_err(), ExecutorError::Cancelled);
        });
        assert_eq!(executor.begin().unwrap_err(), ExecutorError::Cancelled);
    })
    .unwrap();
}

#[test]
fn a_run_out_of_time_says_so() {
    let mut lab = Lab::new(&[STACK], &[]);
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine's callers give it moments"
    )]
    let now = Instant::now();
    lab.settings.deadline = Some(now + Duration::from_secs(30));
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| executor.begin().unwrap())
        .unwrap();
    drop(pool);
    lab.settings.deadline = Some(now);
    let pool = lab.pool().unwrap();
    pool.with_executor(&[], |executor| {
        assert_eq!(executor.begin().unwrap_err(), ExecutorError::OutOfTime);
    })
    .unwrap();
}

#[test]
fn a_worker_that_still_owes_an_answer_is_never_asked_again() {
    let mut lab = Lab::new(&[DEADLY], &[]);
    lab.settings.time_limit_millis = 60_000;
    let pool = lab.pool().unwrap();
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine's callers give it moments"
    )]
    let after = |seconds| Instant::now() + Duration::from_secs(seconds);
    let id = pool
        .with_executor(&[], |executor| {
            executor.begin().unwrap();
            let id = executor.process_id();
            executor.set_deadline(after(1));
            let late = executor.execute(&[lab.simple("demo/Deadly", "spin")]);
            assert_eq!(late.unwrap_err(), ExecutorError::OutOfTime);
            id
        })
        .unwrap();
    pool.with_executor(&[], |executor| {
        executor.set_deadline(after(60));
        executor.begin().unwrap();
        assert_ne!(executor.process_id(), id);
        let batch = ["harmless", "calls"].map(|name| lab.simple("demo/Deadly", name));
        let outcomes = executor.execute(&batch).unwrap();
        assert_eq!(ends(&outcomes), ["Completed", "Completed"]);
        assert_eq!(executor.deaths(), 0);
    })
    .unwrap();
}

#[test]
fn a_share_of_the_clock_counts_from_the_first_batch_on_and_spares_the_worker() {
    let lab = Lab::new(&[STACK, DEADLY], &[]);
    let pool = lab.pool().unwrap();
    #[expect(
        clippy::disallowed_methods,
        reason = "the engine's callers give it moments"
    )]
    let after = |seconds| Instant::now() + Duration::from_secs(seconds);
    let batch = [lab.simple("demo/Deadly", "harmless")];
    pool.with_executor(&[], |executor| {
        assert!(!executor.is_over(0) && executor.batch_limit() > 1_000_000);
        executor.set_share(Duration::from_mins(10), after(900));
        executor.begin().unwrap();
        assert!(!executor.is_over(0) && executor.batch_limit() < 100);
        assert_eq!(ends(&executor.execute(&batch).unwrap()), ["Completed"]);
        assert!(executor.is_over(0) && !executor.is_over(50));
        assert!(executor.batch_limit() > 10, "as fast as the first");

        // However short the share, one batch is run.
        executor.set_share(Duration::ZERO, after(900));
        executor.begin().unwrap();
        let id = executor.process_id();
        assert_eq!(ends(&executor.execute(&batch).unwrap()), ["Completed"]);
        assert!(executor.is_over(100));
        let late = executor.execute(&batch);
        assert_eq!(late.unwrap_err(), ExecutorError::OutOfTime);
        assert_eq!(executor.process_id(), id);

        executor.set_deadline(after(60));
        assert!(!executor.is_over(0));
        assert_eq!(ends(&executor.execute(&batch).unwrap()), ["Completed"]);
    })
    .unwrap();
}

#[test]
fn a_java_that_will_not_start_is_named_with_its_words() {
    let mut lab = Lab::new(&[STACK], &[]);
    lab.settings.jvm_arguments = vec!["--add-modules=no.such.module".to_owned()];
    let error = lab.pool().err().unwrap();
    assert_eq!(error.kind, ErrorKind::Configuration);
    assert!(
        error
            .message
            .contains("bin/java does not start as a worker: ")
            && error.message.contains("no.such.module"),
        "{}",
        error.message
    );

    lab.settings.launcher = Some("/no/such/launcher".into());
    let error = lab.pool().err().unwrap();
    assert!(
        error
            .message
            .starts_with("/no/such/launcher does not start: "),
        "{}",
        error.message
    );

    lab.settings.java_home = "/no/such/jdk".into();
    let error = lab.pool().err().unwrap();
    assert!(
        error
            .message
            .starts_with("there is no `java` at /no/such/jdk/bin/java"),
        "{}",
        error.message
    );
    assert!(error.hint.contains("JAVA_HOME"));
}
