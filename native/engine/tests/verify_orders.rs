//! Written tests in further orders: what the two that there are always do not show.

use palus_engine::verify::{Repeat, TestId, Verdict, Verification, Verified, verify};
use std::time::{Duration, Instant};

const TESTS: (&str, &str) = (
    "demo/OrderTest.java",
    "package demo; public class OrderTest {
      static int state;
      public void reads() { if (state != 0) throw new AssertionError(); }
      public void changes() { state = 1; }
      public void waits() throws Exception { Thread.sleep(100); }
    }",
);

/// What so many further orders say, with this time at most.
#[expect(clippy::disallowed_methods, reason = "the time is to end")]
fn verified(methods: &[&str], orders: u32, time: Option<Duration>, is_last: bool) -> Verified {
    let compiled = palus_fixture::compile(&[TESTS]);
    let folder = tempfile::tempdir().unwrap();
    let mut settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    let tests = methods.iter().map(|&method| TestId {
        class: "demo.OrderTest".into(),
        method: method.into(),
        repeat: Repeat::Never,
        is_kept: false,
    });
    let tests: Vec<TestId> = tests.collect();
    settings.deadline = time.map(|time| Instant::now() + time);
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &compiled.dir,
        tests: &tests,
        coverage_agent: None,
        workers: 1,
        orders,
        once: false,
        blames: true,
        is_last,
    });
    verified.unwrap()
}

/// Whether each is stable, after so many further orders.
fn stable(orders: u32) -> [bool; 2] {
    let verdicts = verified(&["reads", "changes"], orders, None, true).verdicts;
    [0, 1].map(|index| verdicts[index] == Verdict::Stable)
}

#[test]
fn what_has_passed_twice_and_had_no_time_for_all_orders_has_passed_where_all_runs_once_more() {
    let ended = |is_last| {
        // Time enough for two JVMs, and for a tenth of the orders.
        let time = Duration::from_secs(10);
        let verified = verified(&["waits"], 1_000, Some(time), is_last);
        assert!(verified.is_cut);
        verified.verdicts[0] == Verdict::Stable
    };
    assert!(ended(false));
    assert!(!ended(true));
}

#[test]
fn a_test_that_fails_in_some_order_alone_is_dropped() {
    let always = stable(0);
    assert_eq!(
        always,
        [true, true],
        "in the two orders that there are always"
    );
    assert_eq!(stable(8), [false, true]);
}
