//! Ten-call sequences per second through a real worker, coverage on.
//!
//! Sequences of ten calls on a `java.util.ArrayList`, in batches of 100, with different constants in each; the clock
//! counts sequences, from translation to outcome.

#[path = "../tests/worker_lab/mod.rs"]
mod worker_lab;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use palus_sequence::{Executor, Sequence};
use worker_lab::Lab;

const BATCH: u32 = 100;
const LIST: &str = "java/util/ArrayList";

/// Ten calls: the constructor, five additions, one of them out of bounds for every tenth sequence, and four questions.
fn sequence(lab: &Lab, seed: u32) -> Sequence {
    let mut body = lab.body();
    let list = body.new_object(LIST, "()V", &[]);
    for offset in 0..4 {
        let value = body.int((seed.wrapping_mul(31) % 1000).cast_signed() + offset);
        body.call(LIST, "add", Some(list), &[value]);
    }
    let index = body.int(if seed.is_multiple_of(10) { 9 } else { 0 });
    let value = body.int(seed.cast_signed());
    body.call(LIST, "add", Some(list), &[index, value]);
    body.call(LIST, "size", Some(list), &[]);
    body.call(LIST, "get", Some(list), &[index]);
    body.call(LIST, "contains", Some(list), &[value]);
    body.call(LIST, "isEmpty", Some(list), &[]);
    body.sequence
}

fn ten_calls(criterion: &mut Criterion) {
    let subject = "package demo; public class Nothing { public int one() { return 1; } }";
    let lab = Lab::new(&[("demo/Nothing.java", subject)], &[LIST, "java/util/List"]);
    let pool = lab.pool().expect("a worker starts");
    let mut group = criterion.benchmark_group("worker");
    group.throughput(Throughput::Elements(BATCH.into()));
    pool.with_executor(&[], |executor| {
        executor.begin().expect("a worker begins");
        let mut seed = 0;
        group.bench_function("ten_call_sequences", |bencher| {
            bencher.iter_batched(
                || {
                    seed += BATCH;
                    (seed..seed + BATCH)
                        .map(|seed| sequence(&lab, seed))
                        .collect::<Vec<_>>()
                },
                |batch| executor.execute(&batch).expect("a worker runs"),
                BatchSize::SmallInput,
            );
        });
    })
    .expect("a worker starts");
    group.finish();
}

criterion_group!(benches, ten_calls);
criterion_main!(benches);
