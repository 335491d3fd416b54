//! What rests on the garbage collector is no fact of a test.

use crate::worker_lab::verified;
use palus_engine::verify::{Repeat, TestId, Verdict};

const HELD: (&str, &str) = (
    "demo/HeldTest.java",
    r"
package demo;
import java.lang.ref.*;
import java.util.*;
public class HeldTest {
  static class Box { Object held = new Object(); }
  public void stable() {
    Box box = new Box();
    WeakReference<Box> weak = new WeakReference<>(box);
    check(true);
    check(weak.get() == box && box.held != null);
  }
  public void stable_in_a_loop() {
    Box box = new Box();
    WeakReference<Box> weak = new WeakReference<>(box);
    for (int i = 0; i < 3; i++) { check(weak.get() != null); box.held = null; }
  }
  public void stable_by_type() {
    Object box = new Box();
    if (hashCode() == 1) { box = new Object(); } else { check(box instanceof Box); }
    check(box.getClass() == Box.class);
    int number = 3;
    check(number == 3);
    String text = String.valueOf(number);
    check(text.equals(String.valueOf(3)));
  }
  public void stable_beside_wide_numbers() {
    { int free = 1; Object old = new Box(); count = old == null ? free : 2; }
    long wide = 5L << 40;
    check(hashCode() != 0);
    check(wide == 5L << 40);
  }
  public void later() {
    WeakReference<Object> weak = new WeakReference<>(new Object());
    for (int i = 0; i < 100000; i++) { count ^= i; }
    check(weak.get() != null);
  }
  public void at_once() {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> weak = new WeakReference<>(new Object(), queue);
    check(queue.poll() == null);
    check(weak.get() != null);
  }
  public void what_is_old() {
    Box box = new Box();
    WeakReference<Object> weak = new WeakReference<>(box.held);
    check(weak.get() == box.held); // it is no longer young then
    box.held = null;
    check(box != null);
    check(weak.get() != null);
  }
  public void what_is_large() {
    WeakReference<Object> weak = new WeakReference<>(new byte[2 << 20]);
    check(weak.get() != null);
  }
  public void what_a_variable_holds_that_is_read_no_more() {
    Box box = new Box();
    WeakHashMap<Box, String> map = new WeakHashMap<>();
    map.put(box, null);
    check(map.size() == 1);
  }
  static int count;
  static void check(boolean fact) { if (!fact) throw new AssertionError(); }
}
",
);

#[test]
fn what_rests_on_the_garbage_collector_is_dropped() {
    let compiled = palus_fixture::compile(&[HELD]);
    let names = "stable stable_in_a_loop stable_by_type stable_beside_wide_numbers later at_once what_is_old what_is_large \
                 what_a_variable_holds_that_is_read_no_more";
    let names: Vec<&str> = names.split(' ').collect();
    let tests = names.iter().map(|&name| TestId {
        class: "demo.HeldTest".into(),
        method: name.into(),
        repeat: Repeat::WhileCollected,
        is_kept: false,
    });
    let verdicts = verified(&compiled.dir, &tests.collect::<Vec<_>>(), 0);
    for (name, verdict) in names.iter().zip(&verdicts) {
        let is_kept = *verdict == Verdict::Stable;
        assert_eq!(is_kept, name.starts_with("stable"), "{name}: {verdicts:?}");
    }
}
