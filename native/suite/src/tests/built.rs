//! What is chosen, shortened, observed, asserted and named; sequences are run by an interpreter of one small class.

use super::javac::compile_and_run;
use super::printed::style;
use crate::assemble::assemble;
use crate::scope::Bytecode;
use crate::testing::{FakeExecutor, Limited, Script, Subject, int, object, subject, thrown};
use crate::{Known, Loss, Means, ReadTest, Style, TestClass, TestFramework, print};
use expect_test::{Expect, expect};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{
    Coverage, Crash, End, Executor, Observation, Outcome, Probe, Run, Sequence, Statement, Value,
    check,
};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const COUNTER: &[(&str, &str)] = &[
    (
        "demo/Lamp.java",
        "package demo; public class Lamp { public void light() {} }",
    ),
    (
        "demo/Counter.java",
        r#"package demo;
    public class Counter {
      private int size;
      public void add(int amount) {
        if (amount < 0) { throw new IllegalArgumentException("negative"); }
        size += amount;
      }
      public int size() { return size; }
      public boolean isFull() { return size > 2; }
      public boolean clear() { boolean was = size > 0; size = 0; return was; }
      public String describe() { return super.toString(); }
      public int now() { return (int) System.nanoTime(); }
      public int share() { return 100 / size; }
      public void log(String text) { text.length(); }
    }"#,
    ),
];

/// Runs sequences of counters as a worker would, with one probe per outcome of each method.
struct Counters<'a> {
    program: &'a Program,
    counter: ClassId,
    touched: BTreeSet<Probe>,
    begins: i32,
    hashes: i32,
    is_lamp_initialised: bool,
    lit: i32,
}

impl Counters<'_> {
    fn is_light_seen(&mut self) -> bool {
        self.lit += 1;
        self.lit > 3
    }

    fn run(&mut self, sequence: &Sequence) -> Outcome {
        check(self.program, sequence).expect("only well-formed sequences are run");
        let mut sizes: BTreeMap<usize, i32> = BTreeMap::new();
        let mut observations = Vec::new();
        let mut probes = BTreeSet::new();
        let mut end = End::Completed;
        for (index, statement) in sequence.statements().iter().enumerate() {
            let Statement::Call {
                method,
                receiver,
                arguments,
            } = statement
            else {
                let Statement::Value(value) = statement else {
                    panic!("not used here")
                };
                observations.push(observed(value));
                continue;
            };
            let called = self.program.method(*method);
            let name = &*called.name;
            let size = receiver.map_or(0, |receiver| sizes[&receiver.index()]);
            let argument = arguments
                .first()
                .map(|argument| &sequence.statements()[argument.index()]);
            let mut touch = |branch: u32| {
                probes.insert(Probe {
                    class: called.class.0,
                    index: method.0 * 10 + branch,
                })
            };
            touch(0);
            let flag = |value| Observation::Value {
                value: Value::Boolean(value),
                boxed: false,
            };
            let seen = match (name, argument) {
                ("<init>", _) => {
                    sizes.insert(index, 0);
                    let is_lamp = called.class != self.counter;
                    if is_lamp && !std::mem::replace(&mut self.is_lamp_initialised, true) {
                        touch(9);
                    }
                    object(&self.program.class(called.class).name)
                }
                ("add", Some(Statement::Value(Value::Int(amount)))) if *amount < 0 => {
                    touch(1);
                    end = thrown(index as u32, "java/lang/IllegalArgumentException");
                    break;
                }
                ("add", Some(Statement::Value(Value::Int(amount)))) => {
                    sizes.insert(receiver.expect("an instance method").index(), size + amount);
                    Observation::Nothing
                }
                ("size", _) => int(size),
                ("isFull", _) => {
                    touch(if size > 2 { 2 } else { 3 });
                    flag(size > 2)
                }
                ("clear", _) => {
                    sizes.insert(receiver.expect("an instance method").index(), 0);
                    flag(size > 0)
                }
                ("describe", _) => {
                    self.hashes += 1;
                    let text = format!("demo.Counter@{:x}", 0x1f_2e30 + self.hashes);
                    Observation::Value {
                        value: Value::Text(text.into()),
                        boxed: true,
                    }
                }
                ("now", _) => int(self.begins),
                ("share", _) if size == 0 => {
                    end = thrown(index as u32, "java/lang/ArithmeticException");
                    break;
                }
                ("share", _) => int(100 / size),
                ("log", Some(Statement::Value(Value::Null(_)))) => {
                    touch(1);
                    end = thrown(index as u32, "java/lang/NullPointerException");
                    break;
                }
                ("light", _) if self.is_light_seen() && touch(1) => Observation::Nothing,
                _ => Observation::Nothing,
            };
            observations.push(seen);
        }
        let is_new = probes.iter().any(|probe| !self.touched.contains(probe));
        self.touched.extend(&probes);
        let probes = if is_new {
            probes.into_iter().collect()
        } else {
            Vec::new()
        };
        Outcome {
            coverage: Coverage { probes },
            ..Outcome::new(end, observations)
        }
    }
}

fn observed(value: &Value) -> Observation {
    match value {
        Value::Null(_) => Observation::Null,
        _ => Observation::Value {
            value: value.clone(),
            boxed: false,
        },
    }
}

/// Runs the scripts as generation would, keeps what is new, and builds the class of a counter.
pub(super) fn build(
    subject: &Subject,
    style: &Style,
    scripts: &[Script<'_>],
) -> (TestClass, usize) {
    build_of(subject, "demo/Counter", style, scripts, None)
}

/// That of any class, with what is known of the last run.
fn build_of(
    subject: &Subject,
    class: &str,
    style: &Style,
    scripts: &[Script<'_>],
    known: Option<&Known<'_>>,
) -> (TestClass, usize) {
    build_within(usize::MAX, (subject, class), style, scripts, (known, &[]))
}

/// The same where no more than so many sequences can be run.
pub(super) fn build_within(
    most: usize,
    (subject, class): (&Subject, &str),
    style: &Style,
    scripts: &[Script<'_>],
    (known, earlier): (Option<&Known<'_>>, &[ReadTest]),
) -> (TestClass, usize) {
    let program = &subject.program;
    let mut counters = Counters {
        program,
        counter: subject.class("demo/Counter"),
        touched: BTreeSet::new(),
        begins: 0,
        hashes: 0,
        is_lamp_initialised: false,
        lit: 0,
    };
    let kept: Vec<Run> = scripts
        .iter()
        .map(|script| {
            let sequence = script.run().sequence;
            let outcome = counters.run(&sequence);
            Run { sequence, outcome }
        })
        .filter(|run| run.outcome.covers_something_new())
        .collect();
    let pure = ["size", "isFull", "describe", "now", "share"];
    let is_pure = |method: MethodId| pure.contains(&&*program.method(method).name);
    let mut before = (0, 0);
    let executor = FakeExecutor {
        answer: |starts: (usize, usize), sequence: &Sequence| {
            if before != starts {
                if before.0 != starts.0 {
                    counters.begins += 1;
                    counters.is_lamp_initialised = false;
                    counters.lit = 0;
                }
                before = starts;
                counters.touched.clear();
            }
            counters.run(sequence)
        },
        begins: 0,
        forgets: 0,
    };
    let mut executor = Limited::to(most, executor);
    let (class, _) = assemble(
        Bytecode {
            program,
            is_pure: &is_pure,
            makers: &BTreeMap::new(),
        },
        subject.class(class),
        &kept,
        &mut executor,
        style,
        Means {
            replays: &[],
            known,
            earlier,
            vary: &mut |_, _| Ok(Vec::new()),
            other: None,
        },
    )
    .expect("the executor never fails");
    let begins = executor.executor.begins;
    (class, begins)
}

pub(super) fn counter(script: &mut Script<'_>, amounts: &[i32]) -> palus_sequence::Variable {
    let counter = script.construct("demo/Counter", "()V", &[]);
    for &amount in amounts {
        let amount = script.int(amount);
        script.void("demo/Counter.add(I)V", counter, &[amount]);
    }
    counter
}

pub(super) fn asked(script: &mut Script<'_>, counter: palus_sequence::Variable, member: &str) {
    script.call(
        &format!("demo/Counter.{member}"),
        Some(counter),
        &[],
        int(0),
    );
}

fn check_built(scripts: &dyn Fn(&Subject) -> Vec<Script<'_>>, expected: &Expect) {
    let subject = subject(COUNTER);
    let style = style(TestFramework::Jupiter, 11);
    let scripts = scripts(&subject);
    let (class, _) = build(&subject, &style, &scripts);
    for test in &class.tests {
        check(&subject.program, &test.run.sequence).expect("every kept sequence passes the judge");
    }
    let text = print(&subject.program, &class, &style).text;
    let body = text
        .split_once("class CounterPalusTest {\n")
        .expect("a class")
        .1;
    let body = body.strip_suffix("}\n").expect("the end of the class");
    let outdented: Vec<&str> = body
        .split('\n')
        .map(|line| line.strip_prefix("  ").unwrap_or(line))
        .collect();
    expected.assert_eq(&outdented.join("\n"));
    let printed = compile_and_run(&subject, "demo/CounterPalusTest", &text, &style, 11);
    assert_eq!(printed, format!("{} passed\n", class.tests.len()));
}

#[test]
fn a_run_is_cut_down_to_what_its_coverage_needs() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            let other = counter(&mut script, &[1]);
            asked(&mut script, other, "size()I");
            let full = counter(&mut script, &[1, 2, 7]);
            asked(&mut script, full, "describe()Ljava/lang/String;");
            asked(&mut script, full, "isFull()Z");
            vec![script]
        },
        &expect![[r#"
            @Test
            void size_onNewCounter_isZero() {
              Counter counter = new Counter();

              assertEquals(0, counter.size());
              assertFalse(counter.isFull());
            }

            @Test
            void isFull_afterAdd_returnsTrue() {
              Counter counter = new Counter();
              counter.add(1);
              counter.add(2);

              assertTrue(counter.isFull());
              assertEquals(3, counter.size());
              assertEquals(33, counter.share());
            }

            @Test
            void describe_onNewCounter_returnsString() {
              Counter counter = new Counter();

              assertNotNull(counter.describe());
              assertEquals(0, counter.size());
              assertFalse(counter.isFull());
            }
        "#]],
    );
}

#[test]
fn what_several_calls_are_the_reason_for_becomes_several_tests() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            let full = counter(&mut script, &[4]);
            asked(&mut script, full, "clear()Z");
            asked(&mut script, full, "isFull()Z");
            vec![script]
        },
        &expect![[r#"
            @Test
            void add_onNewCounter_sizeIsFour() {
              Counter counter = new Counter();

              counter.add(4);

              assertEquals(4, counter.size());
              assertTrue(counter.isFull());
              assertEquals(25, counter.share());
            }

            @Test
            void isFull_onNewCounter_returnsFalse() {
              Counter counter = new Counter();

              assertFalse(counter.isFull());
              assertEquals(0, counter.size());
            }

            @Test
            void clear_onNewCounter_returnsFalse() {
              Counter counter = new Counter();

              assertFalse(counter.clear());
              assertEquals(0, counter.size());
              assertFalse(counter.isFull());
            }
        "#]],
    );
}

#[test]
fn a_long_run_is_cut_down_to_the_last_statement_in_a_few_fresh_starts() {
    let subject = subject(COUNTER);
    let mut script = subject.script();
    let other = counter(&mut script, &[]);
    asked(&mut script, other, "size()I");
    // Three of the four ones are enough.
    let amounts: Vec<i32> = (0..61).map(|at| i32::from(at % 20 == 0)).collect();
    let full = counter(&mut script, &amounts);
    asked(&mut script, full, "isFull()Z");
    let style = style(TestFramework::Jupiter, 11);
    let (class, begins) = build(&subject, &style, &[script]);
    let text = print(&subject.program, &class, &style).text;
    assert_eq!(text.matches(".add(").count(), 3, "{text}");
    assert!(begins <= 22, "{begins}");
}

#[test]
fn no_test_is_written_only_for_being_the_first_to_use_a_class() {
    check_built(
        &|subject| {
            let mut first = subject.script();
            first.construct("demo/Lamp", "()V", &[]);
            counter(&mut first, &[1, 2, 3]);
            let mut second = subject.script();
            let lamp = second.construct("demo/Lamp", "()V", &[]);
            second.void("demo/Lamp.light()V", lamp, &[]);
            let mut third = subject.script();
            let other = counter(&mut third, &[4]);
            asked(&mut third, other, "isFull()Z");
            vec![first, second, third]
        },
        &expect![[r#"
            @Test
            void isFull_afterAdd_returnsTrue() {
              Counter counter = new Counter();
              counter.add(4);

              assertTrue(counter.isFull());
              assertEquals(4, counter.size());
              assertEquals(25, counter.share());
            }
        "#]],
    );
}

#[test]
fn what_is_shorter_only_by_what_others_left_behind_is_taken_back() {
    let subject = subject(COUNTER);
    let mut first = subject.script();
    first.construct("demo/Lamp", "()V", &[]);
    let mut script = subject.script();
    let lamp = script.construct("demo/Lamp", "()V", &[]);
    for _ in 0..10 {
        script.void("demo/Lamp.light()V", lamp, &[]);
    }
    let style = style(TestFramework::Jupiter, 11);
    let (class, _) = build_of(&subject, "demo/Lamp", &style, &[first, script], None);
    let text = print(&subject.program, &class, &style).text;
    assert_eq!(text.matches(".light(").count(), 4, "{text}");
}

#[test]
fn what_covers_other_classes_alone_is_no_part_of_a_test_of_this_one() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            let lamp = script.construct("demo/Lamp", "()V", &[]);
            script.void("demo/Lamp.light()V", lamp, &[]);
            counter(&mut script, &[4]);
            let mut lit = subject.script();
            let lamp = lit.construct("demo/Lamp", "()V", &[]);
            lit.void("demo/Lamp.light()V", lamp, &[]);
            vec![script, lit]
        },
        &expect![[r#"
            @Test
            void add_onNewCounter_sizeIsFour() {
              Counter counter = new Counter();

              counter.add(4);

              assertEquals(4, counter.size());
              assertTrue(counter.isFull());
              assertEquals(25, counter.share());
            }
        "#]],
    );
}

#[test]
fn observers_show_what_a_void_call_did_and_unstable_answers_are_left_out() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            counter(&mut script, &[4]);
            vec![script]
        },
        &expect![[r#"
            @Test
            void add_onNewCounter_sizeIsFour() {
              Counter counter = new Counter();

              counter.add(4);

              assertEquals(4, counter.size());
              assertTrue(counter.isFull());
              assertEquals(25, counter.share());
            }
        "#]],
    );
}

#[test]
fn a_test_that_says_what_one_of_the_last_run_said_has_its_name_and_no_other_gets_that() {
    let subject = subject(COUNTER);
    let style = style(TestFramework::Jupiter, 11);
    let mut scripts = Vec::new();
    for amount in [4, -1] {
        let mut script = subject.script();
        let other = counter(&mut script, &[amount]);
        asked(&mut script, other, "isFull()Z");
        scripts.push(script);
    }
    let names = |known: Option<&Known<'_>>| -> Vec<String> {
        let (class, _) = build_of(&subject, "demo/Counter", &style, &scripts, known);
        class.tests.into_iter().map(|test| test.name).collect()
    };
    let fresh = names(None);
    assert!(fresh.len() > 1, "{fresh:?}");
    assert_eq!(names(Some(&|_| None)), fresh);
    // The second had the name that the first would get now.
    let texts = std::cell::RefCell::new(Vec::new());
    names(Some(&|text: &str| {
        texts.borrow_mut().push(text.to_owned());
        None
    }));
    let second = texts.borrow()[1].clone();
    assert!(
        second.starts_with("  @Test\n  void ") && second.ends_with("\n  }"),
        "{second}"
    );
    let kept = names(Some(&|text: &str| {
        (text == second).then(|| fresh[0].clone())
    }));
    assert_eq!(kept[1], fresh[0]);
    assert!(kept[0] != fresh[0] && kept[2..] == fresh[2..], "{kept:?}");
}

#[test]
fn an_observer_that_throws_is_no_observer() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            let counter = counter(&mut script, &[]);
            asked(&mut script, counter, "clear()Z");
            vec![script]
        },
        &expect![[r#"
            @Test
            void clear_onNewCounter_returnsFalse() {
              Counter counter = new Counter();

              assertFalse(counter.clear());
              assertEquals(0, counter.size());
              assertFalse(counter.isFull());
            }
        "#]],
    );
}

#[test]
fn what_others_cover_is_not_written_and_blame_of_our_own_null_only_where_nothing_else_covers() {
    check_built(
        &|subject| {
            let mut scripts = Vec::new();
            for amounts in [&[1][..], &[1, 1], &[-1], &[2, -3]] {
                let mut script = subject.script();
                counter(&mut script, amounts);
                scripts.push(script);
            }
            let mut script = subject.script();
            let receiver = counter(&mut script, &[]);
            let null = script.null("Ljava/lang/String;");
            script.void("demo/Counter.log(Ljava/lang/String;)V", receiver, &[null]);
            scripts.push(script);
            scripts
        },
        &expect![[r#"
            @Test
            void add_onNewCounter_sizeIsOne() {
              Counter counter = new Counter();

              counter.add(1);

              assertEquals(1, counter.size());
              assertFalse(counter.isFull());
              assertEquals(100, counter.share());
            }

            @Test
            void add_withNegative_throwsIllegalArgument() {
              Counter counter = new Counter();

              assertThrows(IllegalArgumentException.class, () -> counter.add(-1));
            }

            @Test
            void log_withNull_throwsNullPointer() {
              Counter counter = new Counter();

              assertThrows(NullPointerException.class, () -> counter.log(null));
            }
        "#]],
    );
}

#[test]
fn a_test_without_anything_to_observe_says_that_it_completes() {
    check_built(
        &|subject| {
            let mut script = subject.script();
            let receiver = counter(&mut script, &[]);
            let text = script.text("hello world");
            script.void("demo/Counter.log(Ljava/lang/String;)V", receiver, &[text]);
            vec![script]
        },
        &expect![[r#"
            @Test
            void log_onNewCounter_completes() {
              Counter counter = new Counter();

              counter.log("hello world");

              assertEquals(0, counter.size());
              assertFalse(counter.isFull());
            }
        "#]],
    );
}

#[test]
fn sequences_that_hung_died_or_were_denied_are_never_written() {
    let subject = subject(COUNTER);
    let style = style(TestFramework::Jupiter, 11);
    let mut script = subject.script();
    counter(&mut script, &[1]);
    let ends = [
        End::OutOfFuel,
        End::TooDeep,
        End::TimedOut,
        End::Crashed(Crash::Ended),
        End::OutOfMemory,
        End::Denied("exit".into()),
        End::StartedThread,
        End::Unusable("no access".into()),
        thrown(2, "java/lang/StackOverflowError"),
        thrown(2, "java/lang/OutOfMemoryError"),
    ];
    let runs: Vec<Run> = ends
        .into_iter()
        .enumerate()
        .map(|(index, end)| {
            let mut run = script.run();
            run.outcome.end = end;
            run.outcome.coverage.probes = vec![Probe {
                class: 0,
                index: index as u32,
            }];
            run
        })
        .collect();
    let mut executor = FakeExecutor {
        answer: |_, _: &Sequence| panic!("nothing is left to run"),
        begins: 0,
        forgets: 0,
    };
    let executor: &mut dyn Executor = &mut executor;
    let (class, lost) = assemble(
        Bytecode {
            program: &subject.program,
            is_pure: &|_| false,
            makers: &BTreeMap::new(),
        },
        subject.class("demo/Counter"),
        &runs,
        executor,
        &style,
        Means {
            replays: &[],
            known: None,
            earlier: &[],
            vary: &mut |_, _| Ok(Vec::new()),
            other: None,
        },
    )
    .expect("the executor never fails");
    assert_eq!(class.tests, []);
    let named: Vec<(Loss, &[Probe])> = lost.iter().map(|one| (one.why, &*one.probes)).collect();
    let expected = runs
        .iter()
        .map(|run| (Loss::Unnameable, &*run.outcome.coverage.probes));
    assert_eq!(named, expected.collect::<Vec<_>>());
}
