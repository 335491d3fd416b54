//! From trace files to models, one file after the other.
//!
//! Comes in: trace readers, in a fixed order of files. Goes out: [`Models`].
//! Does not know: where the files lie; what a method does beyond its purity.
//!
//! A file is decoded on one thread while another records what was decoded, and its classes are merged side by side.
//! A file's histories live until the file is merged, then only the models stay, so memory follows the largest file and
//! not the whole trace. Objects are merged in the order of their ids, files in the order they are given.

use crate::calls::Calls;
use crate::carving::Carver;
use crate::decoder::{Batch, Decoder};
use crate::history::{Histories, ObjectHistory, ObjectIndex};
use crate::merge::ModelBuilder;
use crate::recorder::Recorder;
use crate::static_calls::StaticCalls;
use crate::table::Table;
use crate::values::Values;
use crate::{Models, NodeId, Statistics, state_dependence};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_wire::WireError;
use palus_wire::trace::TraceReader;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Learns models from trace files.
pub struct Learner<'a> {
    program: &'a Program,
    is_pure: &'a (dyn Fn(MethodId) -> bool + Sync),
    values: Values,
    calls: Calls,
    statistics: Statistics,
    objects_of_class: Table<ClassId, u32>,
    carver: Carver,
    static_calls: StaticCalls,
    models: BTreeMap<ClassId, ModelBuilder>,
}

impl<'a> Learner<'a> {
    /// A learner without any model; `is_pure` tells whether a method changes nothing that existed before its call.
    pub fn new(program: &'a Program, is_pure: &'a (dyn Fn(MethodId) -> bool + Sync)) -> Self {
        Learner {
            program,
            is_pure,
            values: Values::default(),
            calls: Calls::default(),
            statistics: Statistics::default(),
            objects_of_class: Table::default(),
            carver: Carver::default(),
            static_calls: StaticCalls::default(),
            models: BTreeMap::new(),
        }
    }

    /// Reads one file to its end and merges its histories. What was read before an error is merged, too.
    ///
    /// # Errors
    /// [`WireError`] where the file breaks its format.
    pub fn read(&mut self, reader: &mut TraceReader<'_>) -> Result<(), WireError> {
        let mut decoder = Decoder::new(self.program, self.is_pure, &mut self.values, reader);
        let mut recorder = Recorder::new(
            self.program,
            &mut self.calls,
            &mut self.statistics,
            &mut self.objects_of_class,
            &mut self.carver,
            &mut self.static_calls,
        );
        let result = record(&mut decoder, &mut recorder);
        let mut histories = recorder.finish();
        self.statistics.files += 1;
        self.statistics.truncated_files += u64::from(result.is_err() || reader.is_truncated());
        let (mut merged, paths) = self.merge(&mut histories);
        merged.par_iter_mut().with_max_len(1).for_each(|class| {
            state_dependence::note(&mut class.builder, &class.indices, &histories, &paths);
        });
        let builders = merged.into_iter().map(|class| (class.class, class.builder));
        self.models.extend(builders);
        // Giving back so many small pieces of memory takes a while, for which nothing has to wait.
        rayon::spawn(move || drop(histories));
        result
    }

    /// Merges a file's histories, the classes side by side; also returns each object's node after each of its calls.
    fn merge(&mut self, histories: &mut Histories) -> (Vec<Merged>, Vec<Vec<NodeId>>) {
        let mut of_class: BTreeMap<ClassId, Vec<ObjectIndex>> = BTreeMap::new();
        for &index in &histories.order {
            let class = histories.objects[index as usize].class;
            of_class.entry(class).or_default().push(index);
        }
        let (program, values, calls) = (self.program, &self.values, &self.calls);
        let mut classes = Vec::with_capacity(of_class.len());
        for (class, indices) in of_class {
            let taken = indices.iter().map(|&index| {
                let place = &mut histories.objects[index as usize];
                std::mem::replace(place, ObjectHistory::new(0, class, 0, None))
            });
            let taken: Vec<ObjectHistory> = taken.collect();
            let known = self.models.remove(&class);
            let builder = known.unwrap_or_else(|| ModelBuilder::new(class));
            let merged = Merged {
                class,
                builder,
                indices,
            };
            classes.push((merged, taken));
        }
        let paths_of_classes: Vec<Vec<Vec<NodeId>>> = classes
            .par_iter_mut()
            .with_max_len(1)
            .map(|(merged, taken)| {
                let taken = taken.iter_mut();
                taken
                    .map(|history| merged.builder.insert(program, values, calls, history))
                    .collect()
            })
            .collect();
        let mut paths = vec![Vec::new(); histories.objects.len()];
        let mut all = Vec::with_capacity(classes.len());
        for ((merged, taken), found) in classes.into_iter().zip(paths_of_classes) {
            for ((&index, history), path) in merged.indices.iter().zip(taken).zip(found) {
                histories.objects[index as usize] = history;
                paths[index as usize] = path;
            }
            all.push(merged);
        }
        (all, paths)
    }

    /// Ends learning.
    pub fn finish(self) -> Models {
        let by_class: BTreeMap<_, _> = self
            .models
            .into_iter()
            .map(|(class, builder)| (class, builder.model))
            .collect();
        let dependences = state_dependence::all(&by_class);
        Models {
            by_class,
            dependences,
            static_calls: self.static_calls.finish(&self.calls, &self.values),
            statistics: self.statistics,
            carved: self.carver.finish(&self.values),
            by_method: crate::ByMethod::default(),
        }
    }
}

/// A class of which a file has histories.
struct Merged {
    class: ClassId,
    builder: ModelBuilder,
    /// Its objects, in the order in which they were merged.
    indices: Vec<ObjectIndex>,
}

/// Decodes a file and records it, one batch while the next is decoded.
///
/// # Errors
/// [`WireError`] where the file breaks its format; what stands before that is recorded.
pub(crate) fn record(
    decoder: &mut Decoder<'_, '_, '_>,
    recorder: &mut Recorder<'_>,
) -> Result<(), WireError> {
    let (mut ready, mut next) = (Batch::default(), Batch::default());
    let mut result = decoder.fill(&mut ready);
    while !ready.steps.is_empty() {
        if result.is_err() {
            recorder.take(&ready);
            break;
        }
        (result, ()) = rayon::join(|| decoder.fill(&mut next), || recorder.take(&ready));
        std::mem::swap(&mut ready, &mut next);
    }
    result
}
