//! The short run that each check has, and that the fuzzer itself can find something.

use palus_fuzz::{Target, run, takes, targets};

#[test]
fn no_reader_panics_on_damaged_input() {
    for target in targets() {
        let executions = 1_500 * target.share;
        let figures = run(&target, executions, 1);
        let figures = figures.unwrap_or_else(|failure| panic!("{}: {failure}", target.name));
        assert_eq!(figures.executions, executions, "{}", target.name);
        assert!(figures.accepted < executions, "{}", target.name);
        assert!(figures.accepted > 0, "{}", target.name);
    }
}

#[test]
fn shares_are_hundredths_of_the_whole() {
    let shares: u64 = targets().iter().map(|target| target.share).sum();
    assert_eq!(shares, 100);
}

#[test]
fn good_inputs_are_taken() {
    for target in targets() {
        let good = target.seeds.iter();
        let taken = good.filter(|seed| takes(&target, seed) == Ok(true)).count();
        // A cache without models and texts with secrets are among the seeds of two.
        let expected = match target.name {
            "caches of models" => 1,
            "texts with secrets" => 0,
            _ => target.seeds.len(),
        };
        assert_eq!(taken, expected, "{}", target.name);
    }
}

fn defective(read: fn(&[u8]) -> bool) -> Target {
    Target {
        name: "a reader with a defect",
        seeds: vec![vec![1, 2, 3, 4]],
        read,
        share: 100,
        // More than what runs the tests allocates beside them.
        memory: 20_000,
        memory_per_byte: 1,
    }
}

#[test]
fn a_reader_that_panics_is_found() {
    let failure = run(&defective(|bytes| bytes[3] > 0), 1_000, 1).unwrap_err();
    assert_eq!(failure.what, "it panics");
}

#[test]
fn a_reader_that_trusts_a_length_is_found() {
    let trusting = defective(|bytes| {
        let claimed = bytes.first().map_or(0, |length| usize::from(*length));
        Vec::<u8>::with_capacity(claimed * 160).capacity() > 0
    });
    let failure = run(&trusting, 1_000, 1).unwrap_err();
    assert!(failure.what.contains("bytes of memory"), "{failure}");
    assert!(failure.input[0] >= 125, "{failure}");
}
