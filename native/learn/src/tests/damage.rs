//! A trace comes from a JVM that may die at any byte, and from a disk: damaged, it is an error or other models.

use super::builder::Sample;
use super::road_map::{JAVA, OBJECTS, PURE, RUN};
use crate::Learner;
use palus_bytecode::MethodId;
use palus_wire::trace::TraceReader;

/// What was read of a file: all, part of it, or nothing.
#[derive(Default)]
struct Seen {
    whole: usize,
    partly: usize,
    refused: usize,
}

impl Seen {
    fn learn(&mut self, sample: &Sample, file: &[u8]) {
        let is_pure = |_: MethodId| false;
        let mut learner = Learner::new(&sample.program, &is_pure);
        let Ok(mut reader) = TraceReader::new(file) else {
            self.refused += 1;
            return;
        };
        let result = learner.read(&mut reader);
        let models = learner.finish();
        let is_whole = result.is_ok() && !reader.is_truncated();
        assert_eq!(models.statistics().truncated_files, u64::from(!is_whole));
        *if is_whole {
            &mut self.whole
        } else {
            &mut self.partly
        } += 1;
    }
}

#[test]
fn a_damaged_trace_is_an_error_or_gives_other_models() {
    let sample = Sample::new(JAVA, PURE);
    let test = format!("@test\n{RUN}m1.addCity(null) #1\n@capped c1\n@passed\n");
    let file = sample.file(OBJECTS, &test);
    let mut seen = Seen::default();
    // Most of a chunk is unused.
    for place in (0..file.len()).filter(|&place| file[place] != 0 || place % 4099 == 0) {
        for byte in [0, 0x7f, 0xff, file[place] ^ 1, file[place].wrapping_add(1)] {
            let mut damaged = file.clone();
            damaged[place] = byte;
            seen.learn(&sample, &damaged);
        }
        seen.learn(&sample, &file[..place]);
        for length in [1, 8] {
            let mut without = file.clone();
            without.drain(place..(place + length).min(file.len()));
            seen.learn(&sample, &without);
        }
    }
    assert!(
        seen.whole > 0 && seen.partly > 0 && seen.refused > 0,
        "{} whole, {} partly, {} refused",
        seen.whole,
        seen.partly,
        seen.refused
    );
}
