//! Written tests in further orders: what the two that there are always do not show.

use palus_engine::verify::{Repeat, TestId, Verdict, Verification, verify};

const TESTS: (&str, &str) = (
    "demo/OrderTest.java",
    "package demo; public class OrderTest {
      static int state;
      public void reads() { if (state != 0) throw new AssertionError(); }
      public void changes() { state = 1; }
    }",
);

/// Whether each is stable, after so many further orders.
fn stable(orders: u32) -> [bool; 2] {
    let compiled = palus_fixture::compile(&[TESTS]);
    let folder = tempfile::tempdir().unwrap();
    let settings = crate::worker_lab::settings(Vec::new(), folder.path().join("workers"));
    let tests = ["reads", "changes"].map(|method| TestId {
        class: "demo.OrderTest".into(),
        method: method.into(),
        repeat: Repeat::Never,
        is_kept: false,
    });
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &compiled.dir,
        tests: &tests,
        coverage_agent: None,
        workers: 1,
        orders,
        once: false,
        blames: true,
    });
    let verdicts = verified.unwrap().verdicts;
    [0, 1].map(|index| verdicts[index] == Verdict::Stable)
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
