//! Ten-call sequences per second through a real worker, coverage on, with and without distances.
//!
//! Sequences of ten calls on a `java.util.ArrayList`, and of ten calls on a list of the subject's own whose every probe
//! is counted, in batches of 100, with different constants in each; the clock counts sequences, from translation to
//! outcome. Watched: all probes of the subject, so that each jump measures how far its other outcome was.

#[path = "../tests/worker_lab/mod.rs"]
mod worker_lab;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use palus_sequence::{Executor, Probe, Sequence};
use worker_lab::Lab;

const BATCH: u32 = 100;
const JDK: &str = "java/util/ArrayList";
const OWN: &str = "demo/Numbers";
/// More than the subject has: those beyond its last one are never touched.
const PROBES: u32 = 100;

const NUMBERS: &str = r"
package demo;
public class Numbers {
  private Object[] items = new Object[4];
  private int size;
  public boolean add(Object item) {
    grow();
    items[size++] = item;
    return true;
  }
  public void add(int index, Object item) {
    if (index < 0 || index > size) {
      throw new IndexOutOfBoundsException();
    }
    grow();
    for (int i = size; i > index; i--) {
      items[i] = items[i - 1];
    }
    items[index] = item;
    size++;
  }
  private void grow() {
    if (size == items.length) {
      items = java.util.Arrays.copyOf(items, size * 2);
    }
  }
  public int size() { return size; }
  public boolean isEmpty() { return size == 0; }
  public Object get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException();
    }
    return items[index];
  }
  public boolean contains(Object item) {
    for (int i = 0; i < size; i++) {
      if (item == null ? items[i] == null : item.equals(items[i])) {
        return true;
      }
    }
    return false;
  }
}
";

/// Ten calls: the constructor, five additions, one of them out of bounds for every tenth sequence, and four questions.
fn sequence(lab: &Lab, list_class: &str, seed: u32) -> Sequence {
    let mut body = lab.body();
    let list = body.new_object(list_class, "()V", &[]);
    for offset in 0..4 {
        let value = body.int((seed.wrapping_mul(31) % 1000).cast_signed() + offset);
        body.call(list_class, "add", Some(list), &[value]);
    }
    let index = body.int(if seed.is_multiple_of(10) { 9 } else { 0 });
    let value = body.int(seed.cast_signed());
    body.call(list_class, "add", Some(list), &[index, value]);
    body.call(list_class, "size", Some(list), &[]);
    body.call(list_class, "get", Some(list), &[index]);
    body.call(list_class, "contains", Some(list), &[value]);
    body.call(list_class, "isEmpty", Some(list), &[]);
    body.sequence
}

fn ten_calls(criterion: &mut Criterion) {
    let lab = Lab::new(&[("demo/Numbers.java", NUMBERS)], &[JDK, "java/util/List"]);
    let class = lab.class(OWN).0;
    let everything: Vec<Probe> = (0..PROBES).map(|index| Probe { class, index }).collect();
    let pool = lab.pool().expect("a worker starts");
    let mut group = criterion.benchmark_group("worker");
    group.throughput(Throughput::Elements(BATCH.into()));
    let rows = [
        ("ten_call_sequences", JDK, &[][..]),
        ("ten_call_sequences_watched", JDK, &everything),
        ("ten_own_call_sequences", OWN, &[]),
        ("ten_own_call_sequences_watched", OWN, &everything),
    ];
    for (name, list_class, watched) in rows {
        pool.with_executor(&[], |executor| {
            executor.begin().expect("a worker begins");
            executor.watch(watched).expect("a worker watches");
            let mut seed = 0;
            group.bench_function(name, |bencher| {
                bencher.iter_batched(
                    || {
                        seed += BATCH;
                        (seed..seed + BATCH)
                            .map(|seed| sequence(&lab, list_class, seed))
                            .collect::<Vec<_>>()
                    },
                    |batch| executor.execute(&batch).expect("a worker runs"),
                    BatchSize::SmallInput,
                );
            });
        })
        .expect("a worker starts");
    }
    group.finish();
}

criterion_group!(benches, ten_calls);
criterion_main!(benches);
