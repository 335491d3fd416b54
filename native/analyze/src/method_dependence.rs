//! Which methods depend on which others through the fields they share, and how much.
//!
//! Comes in: field accesses (`access.rs`). Goes out: [`Relevance`]: for a method, the methods whose call may change what
//! it does, with weights to draw by.
//! Does not know: traces, random numbers (the caller brings one).
//!
//! A method is a document and a field it touches is a word. A method that reads a field depends on every other method
//! that reads or writes it, with the weight of the shared fields' tf-idf in the depending method:
//!
//! ```java
//! class Gate {                                     // count: 5 of 8 documents, open: 5 of 8
//!   void enter(int n) { if (!open) return; ... }   // depends on open, reset, getCount, busy
//! }
//! ```
//!
//! Where all weights are zero because every document touches the field, the draw is uniform.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.2.

use crate::access::FieldAccess;
use palus_bytecode::{FieldId, Method, MethodId, Origin, Program};
use std::collections::BTreeMap;

/// The methods one method depends on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Relevance {
    /// Candidates in id order, each with its own weight and all weights before it.
    cumulative: Vec<(MethodId, f64)>,
    /// True if all weights are zero, so that each candidate has 1 above.
    is_uniform: bool,
}

impl Relevance {
    /// True if all weights were zero and every candidate is as likely as any other.
    pub fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// True if no other method touches what the method reads.
    pub fn is_empty(&self) -> bool {
        self.cumulative.is_empty()
    }

    /// Candidates in id order with their probabilities.
    pub fn probabilities(&self) -> Vec<(MethodId, f64)> {
        let total = self.cumulative.last().map_or(0.0, |(_, all)| *all);
        let mut before = 0.0;
        let mut found = Vec::with_capacity(self.cumulative.len());
        for &(method, all) in &self.cumulative {
            found.push((method, (all - before) / total));
            before = all;
        }
        found
    }

    /// Candidates in id order with their weights: the tf-idf, in the method, of the fields shared. All are 0 where every
    /// document touches those fields; then all are equally likely.
    pub fn weights(&self) -> Vec<(MethodId, f64)> {
        let mut before = 0.0;
        let mut found = Vec::with_capacity(self.cumulative.len());
        for &(method, all) in &self.cumulative {
            found.push((method, if self.is_uniform { 0.0 } else { all - before }));
            before = all;
        }
        found
    }

    /// The candidate that a number drawn evenly from 0 (included) to 1 (excluded) stands for.
    pub fn draw(&self, even: f64) -> Option<MethodId> {
        let &(last, total) = self.cumulative.last()?;
        let wanted = even * total;
        let place = self.cumulative.partition_point(|(_, all)| *all <= wanted);
        Some(
            self.cumulative
                .get(place)
                .map_or(last, |(method, _)| *method),
        )
    }
}

/// The documents and words of the subject classes.
#[derive(Debug, Default)]
pub(crate) struct MethodDependence {
    documents: usize,
    /// Per field, the documents that touch it, in id order.
    touching: BTreeMap<FieldId, Vec<MethodId>>,
    /// Per field, the callable methods that touch it, in id order.
    candidates: BTreeMap<FieldId, Vec<MethodId>>,
}

impl MethodDependence {
    pub fn of(program: &Program, accesses: &[FieldAccess]) -> Self {
        let mut found = MethodDependence::default();
        for method in program
            .methods()
            .iter()
            .filter(|method| is_document(program, method))
        {
            found.documents += 1;
            let is_constructor = method.is_constructor();
            let package = program.package(method.class);
            let is_candidate = !is_constructor && program.is_method_accessible(method.id, package);
            for field in accesses[method.id.index()].fields() {
                found.touching.entry(field).or_default().push(method.id);
                if is_candidate {
                    found.candidates.entry(field).or_default().push(method.id);
                }
            }
        }
        found
    }

    /// The methods that `method` depends on.
    pub fn relevance(&self, accesses: &[FieldAccess], method: MethodId) -> Relevance {
        let own = &accesses[method.index()];
        let mut weights: BTreeMap<MethodId, f64> = BTreeMap::new();
        for (field, importance) in self.importance(own) {
            if !own.reads.contains_key(&field) {
                continue;
            }
            for &candidate in self.candidates.get(&field).into_iter().flatten() {
                if candidate != method {
                    *weights.entry(candidate).or_default() += importance;
                }
            }
        }
        let is_uniform = weights.values().all(|weight| *weight <= 0.0);
        let mut total = 0.0;
        let mut cumulative = Vec::with_capacity(weights.len());
        for (candidate, weight) in weights {
            total += if is_uniform { 1.0 } else { weight };
            if is_uniform || weight > 0.0 {
                cumulative.push((candidate, total));
            }
        }
        Relevance {
            is_uniform: is_uniform && !cumulative.is_empty(),
            cumulative,
        }
    }

    /// The tf-idf of each field in a method that touches it, in order of fields.
    pub fn importance(&self, own: &FieldAccess) -> Vec<(FieldId, f64)> {
        let fields = own.fields();
        let all: u32 = fields.iter().map(|&field| own.count(field)).sum();
        let importance = |field| {
            let touching = self.touching.get(&field).map_or(0, Vec::len);
            // A method of another kind than a document touches a field that no document does.
            let idf = if touching == 0 {
                0.0
            } else {
                (count(self.documents) / count(touching)).ln()
            };
            let tf = f64::from(own.count(field)) / f64::from(all);
            (field, tf * idf)
        };
        fields.into_iter().map(importance).collect()
    }
}

fn is_document(program: &Program, method: &Method) -> bool {
    let access = method.access;
    program.class(method.class).origin == Origin::Subject
        && !(access.is_private() || access.is_abstract() || access.is_synthetic())
        && !method.is_initializer()
}

fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).expect("ids of methods are 32 bits wide"))
}

#[cfg(test)]
mod tests;
