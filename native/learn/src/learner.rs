//! From trace files to models, one file after the other.
//!
//! Comes in: trace readers, in a fixed order of files. Goes out: [`Models`].
//! Does not know: where the files lie; what a method does beyond its purity.
//!
//! A file's histories live until the file is merged, then only the models stay, so memory follows the largest file and
//! not the whole trace. Objects are merged in the order of their ids, files in the order they are given.

use crate::merge::ModelBuilder;
use crate::recorder::{Recorder, Skim};
use crate::table::Table;
use crate::values::Values;
use crate::{Models, NodeId, Statistics, state_dependence};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_wire::WireError;
use palus_wire::trace::TraceReader;
use std::collections::BTreeMap;

/// Learns models from trace files.
pub struct Learner<'a> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    values: Values,
    statistics: Statistics,
    objects_of_class: Table<ClassId, u32>,
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
        let mut paths: Vec<Vec<NodeId>> = vec![Vec::new(); histories.objects.len()];
        for &index in &histories.order {
            let history = &mut histories.objects[index as usize];
            let class = history.class;
            let builder = self
                .models
                .entry(class)
                .or_insert_with(|| ModelBuilder::new(class));
            paths[index as usize] = builder.insert(self.program, &self.values, history);
        }
        state_dependence::note(&mut self.models, &histories, &paths);
        result
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
            by_method: crate::EdgesByMethod::default(),
        }
    }
}
