//! Which fields a method reads and writes.
//!
//! Comes in: the program. Goes out: for every method of a subject class, [`FieldAccess`]: counts of reads and writes per
//! field, with those of private callees and constructors merged in, each callee once.
//! Does not know: objects (two instances of a class share their fields here), platform fields, what a collection in a
//! field holds.
//!
//! Any other callee is a boundary and not merged. That a callee is private is told by the method it resolves to, not by
//! the instruction: since class-file version 55 compilers call private methods like any other.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.2.1.

use palus_bytecode::{
    FieldId, FieldName, Method, MethodId, MethodName, Operation, Origin, Program,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

/// How often a method, with what is merged into it, reads and writes each field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldAccess {
    /// Reads per field.
    pub reads: BTreeMap<FieldId, u32>,
    /// Writes per field.
    pub writes: BTreeMap<FieldId, u32>,
}

impl FieldAccess {
    /// Reads and writes of one field together.
    pub fn count(&self, field: FieldId) -> u32 {
        let read = self.reads.get(&field).copied().unwrap_or_default();
        read + self.writes.get(&field).copied().unwrap_or_default()
    }

    /// All fields that are read or written, in order.
    pub fn fields(&self) -> BTreeSet<FieldId> {
        self.reads
            .keys()
            .chain(self.writes.keys())
            .copied()
            .collect()
    }

    fn merge(&mut self, other: &FieldAccess) {
        for (into, from) in [
            (&mut self.reads, &other.reads),
            (&mut self.writes, &other.writes),
        ] {
            for (&field, count) in from {
                *into.entry(field).or_default() += count;
            }
        }
    }
}

/// What one body does by itself.
#[derive(Default)]
struct Direct {
    access: FieldAccess,
    merged_callees: BTreeSet<MethodId>,
}

/// The accesses of every method, by its id; empty outside subject classes.
pub(crate) fn of(program: &Program) -> Vec<FieldAccess> {
    let direct: Vec<Direct> = program
        .methods()
        .par_iter()
        .map(|method| direct(program, method))
        .collect();
    program
        .methods()
        .par_iter()
        .map(|method| {
            let mut merged = FieldAccess::default();
            let mut visited = BTreeSet::from([method.id]);
            let mut open = vec![method.id];
            while let Some(next) = open.pop() {
                let body = &direct[next.index()];
                merged.merge(&body.access);
                open.extend(
                    body.merged_callees
                        .iter()
                        .filter(|&&callee| visited.insert(callee)),
                );
            }
            merged
        })
        .collect()
}

fn direct(program: &Program, method: &Method) -> Direct {
    let mut found = Direct::default();
    let Some(code) = &method.code else {
        return found;
    };
    if program.class(method.class).origin != Origin::Subject {
        return found;
    }
    for instruction in &code.instructions {
        match &instruction.operation {
            Operation::GetField { field, .. } => {
                if let Some(field) = subject_field(program, field) {
                    *found.access.reads.entry(field).or_default() += 1;
                }
            }
            Operation::PutField { field, .. } => {
                if let Some(field) = subject_field(program, field) {
                    *found.access.writes.entry(field).or_default() += 1;
                }
            }
            Operation::Invoke { method, .. } => {
                found.merged_callees.extend(merged_callee(program, method));
            }
            Operation::InvokeDynamic(call) => {
                if let Some(body) = &call.implementation {
                    found.merged_callees.extend(merged_callee(program, body));
                }
            }
            _ => {}
        }
    }
    found
}

fn subject_field(program: &Program, named: &FieldName) -> Option<FieldId> {
    let field = program.resolve_field(named)?;
    let declaring = program.class(program.field(field).class);
    (declaring.origin == Origin::Subject).then_some(field)
}

fn merged_callee(program: &Program, named: &MethodName) -> Option<MethodId> {
    let callee = program.resolve_method(named)?;
    let resolved = program.method(callee);
    let is_merged = resolved.access.is_private() || resolved.is_constructor();
    let of_subject = program.class(resolved.class).origin == Origin::Subject;
    (is_merged && of_subject).then_some(callee)
}
