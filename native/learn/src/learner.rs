//! From trace files to models, one file after the other.
//!
//! Comes in: trace readers, in a fixed order of files. Goes out: [`Models`].
//! Does not know: where the files lie; what a method does beyond its purity.
//!
//! A file's histories live until the file is merged, then only the models stay, so memory follows the largest file and
//! not the whole trace. Objects are merged in the order of their ids, files in the order they are given.

use crate::carving::Carver;
use crate::history::{Histories, ObjectHistory, ObjectIndex};
use crate::merge::ModelBuilder;
use crate::recorder::{Recorder, Skim};
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
    is_pure: &'a dyn Fn(MethodId) -> bool,
    values: Values,
    statistics: Statistics,
    objects_of_class: Table<ClassId, u32>,
    carver: Carver,
    models: BTreeMap<ClassId, ModelBuilder>,
}

impl<'a> Learner<'a> {
    /// A learner without any model; `is_pure` tells whether a method changes nothing that existed before its call.
    pub fn new(program: &'a Program, is_pure: &'a dyn Fn(MethodId) -> bool) -> Self {
        Learner {
            program,
            is_pure,
            values: Values::default(),
            statistics: Statistics::default(),
            objects_of_class: Table::default(),
            carver: Carver::default(),
            models: BTreeMap::new(),
        }
    }

    /// Reads one file to its end and merges its histories. What was read before an error is merged, too.
    ///
    /// # Errors
    /// [`WireError`] where the file breaks its format.
    pub fn read(&mut self, reader: &mut TraceReader<'_>) -> Result<(), WireError> {
        let mut recorder = Recorder::new(
            self.program,
            self.is_pure,
            &mut self.values,
            &mut self.statistics,
            &mut self.objects_of_class,
            &mut self.carver,
        );
        let result = loop {
            let raw = match reader.next_raw() {
                Ok(Some(raw)) => raw,
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            };
            let event = match recorder.skim(reader.methods(), &raw) {
                Skim::Taken => continue,
                Skim::Decode => reader
                    .decode(&raw)
                    .map(|event| recorder.event(reader.methods(), &event)),
                Skim::Recall(enter) => reader.decode(&enter).map(|event| recorder.recall(&event)),
            };
            if let Err(error) = event {
                break Err(error);
            }
        };
        let mut histories = recorder.finish();
        self.statistics.files += 1;
        self.statistics.truncated_files += u64::from(result.is_err() || reader.is_truncated());
        let paths = self.merge(&mut histories);
        state_dependence::note(&mut self.models, &histories, &paths);
        result
    }

    /// Merges a file's histories, the classes side by side, and returns each object's node after each of its calls.
    fn merge(&mut self, histories: &mut Histories) -> Vec<Vec<NodeId>> {
        let mut of_class: BTreeMap<ClassId, Vec<ObjectIndex>> = BTreeMap::new();
        for &index in &histories.order {
            let class = histories.objects[index as usize].class;
            of_class.entry(class).or_default().push(index);
        }
        let (program, values) = (self.program, &self.values);
        let mut classes = Vec::with_capacity(of_class.len());
        for (class, indices) in of_class {
            let taken = indices.iter().map(|&index| {
                let place = &mut histories.objects[index as usize];
                std::mem::replace(place, ObjectHistory::new(0, class, 0, None))
            });
            let taken: Vec<ObjectHistory> = taken.collect();
            let known = self.models.remove(&class);
            let builder = known.unwrap_or_else(|| ModelBuilder::new(class));
            classes.push((class, builder, indices, taken));
        }
        let paths_of_classes: Vec<Vec<Vec<NodeId>>> = classes
            .par_iter_mut()
            .with_max_len(1)
            .map(|(_, builder, _, taken)| {
                let merged = taken.iter_mut();
                merged
                    .map(|history| builder.insert(program, values, history))
                    .collect()
            })
            .collect();
        let mut paths = vec![Vec::new(); histories.objects.len()];
        for ((class, builder, indices, taken), merged) in classes.into_iter().zip(paths_of_classes)
        {
            for ((index, history), path) in indices.into_iter().zip(taken).zip(merged) {
                histories.objects[index as usize] = history;
                paths[index as usize] = path;
            }
            self.models.insert(class, builder);
        }
        paths
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
            statistics: self.statistics,
            carved: self.carver.finish(&self.values),
            by_method: crate::ByMethod::default(),
        }
    }
}
