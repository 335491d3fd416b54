//! Which probe lies in which method, and what is left to cover.
//!
//! Comes in: the probes of the subject's classes, and those that runs touched.
//! Goes out: per method whether it was entered, and per target how much of what it calls is not covered yet.
//! Does not know: sequences, the executor.

use crate::target::Target;
use palus_bytecode::{Class, ClassId, ClassProbes, MethodId, MethodName, Operation, Program};
use palus_sequence::Probe;
use std::collections::{BTreeMap, BTreeSet};

/// Calls are followed no deeper than this.
const DEEPEST: usize = 6;

/// What is covered of the classes a unit is after.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Per class: first probe of each method, ascending.
    starts: BTreeMap<u32, Vec<(u32, MethodId)>>,
    /// Per method: probes not touched yet, and whether it was entered.
    left: BTreeMap<MethodId, (u32, bool)>,
    /// Per target: probes not touched yet in all methods that its call may run.
    of_target: Vec<u32>,
    /// Per method: the targets whose call may run it.
    targets: BTreeMap<MethodId, Vec<u32>>,
}

impl Progress {
    /// Nothing is covered.
    pub fn new(program: &Program, is_own: &[bool], targets: &[Target]) -> Progress {
        let mut progress = Progress::default();
        let own = program
            .classes()
            .iter()
            .filter(|class| is_own[class.id.index()]);
        for class in own {
            let probes = ClassProbes::of(program, class.id);
            for &(_, method) in probes.methods() {
                let count = probes.of_method(method).len() as u32;
                progress.left.insert(method, (count, false));
            }
            let starts = probes.methods().to_vec();
            progress.starts.insert(class.id.0, starts);
        }
        for (number, target) in targets.iter().enumerate() {
            let mut all = 0;
            for method in reach(program, is_own, target) {
                if let Some((left, _)) = progress.left.get(&method) {
                    all += left;
                    let targets = progress.targets.entry(method).or_default();
                    targets.push(number as u32);
                }
            }
            progress.of_target.push(all);
        }
        progress
    }

    /// A probe was touched for the first time.
    pub fn touch(&mut self, probe: Probe) {
        let Some(starts) = self.starts.get(&probe.class) else {
            return;
        };
        let Some(place) = starts
            .partition_point(|(start, _)| *start <= probe.index)
            .checked_sub(1)
        else {
            return;
        };
        let (start, method) = starts[place];
        if let Some((left, is_entered)) = self.left.get_mut(&method) {
            *is_entered |= start == probe.index;
            if *left > 0 {
                *left -= 1;
                for &target in self.targets.get(&method).into_iter().flatten() {
                    self.of_target[target as usize] -= 1;
                }
            }
        }
    }

    /// True if some run entered the method, whoever called it.
    pub fn is_entered(&self, method: MethodId) -> bool {
        self.left
            .get(&method)
            .is_some_and(|(_, is_entered)| *is_entered)
    }

    /// True if nothing is left to cover in these classes.
    pub fn is_complete(&self, program: &Program, classes: &[ClassId]) -> bool {
        let mut methods = classes
            .iter()
            .flat_map(|&class| &program.class(class).methods);
        methods.all(|method| self.left.get(method).is_none_or(|(left, _)| *left == 0))
    }

    /// The targets whose call may run a method.
    pub fn targets(&self, method: MethodId) -> &[u32] {
        self.targets.get(&method).map_or(&[], Vec::as_slice)
    }

    /// Probes that calls of a target may still cover.
    pub fn left(&self, target: usize) -> u32 {
        self.of_target[target]
    }
}

/// The methods of the classes a unit is after that a target's call may run.
fn reach(program: &Program, is_own: &[bool], target: &Target) -> Vec<MethodId> {
    let mut found = BTreeSet::from([target.implementation]);
    let mut ring = vec![target.implementation];
    for _ in 0..DEEPEST {
        let mut next = Vec::new();
        for method in ring {
            let from: &Class = program.class(program.method(method).class);
            let Some(code) = &program.method(method).code else {
                continue;
            };
            for instruction in &code.instructions {
                let Operation::Invoke { method, .. } = &instruction.operation else {
                    continue;
                };
                let Some(called) = own_method(program, is_own, from.id, method) else {
                    continue;
                };
                if found.insert(called) {
                    next.push(called);
                }
            }
        }
        ring = next;
    }
    found.into_iter().collect()
}

fn own_method(
    program: &Program,
    is_own: &[bool],
    from: ClassId,
    named: &MethodName,
) -> Option<MethodId> {
    let owner = program
        .class_named(&named.owner)
        .filter(|owner| is_own[owner.index()])?;
    // A call on a superclass most likely runs what the caller's own class has.
    let nearest = if program.is_subclass(from, owner) {
        from
    } else {
        owner
    };
    let nearest = if &*named.name == "<init>" {
        owner
    } else {
        nearest
    };
    program
        .find_method(nearest, &named.name, &named.descriptor)
        .filter(|&found| is_own[program.method(found).class.index()])
}
