//! What is hunted: outcomes of jumps and entries of methods, and what they depend on.
//!
//! Comes in: the bodies of the subject's classes. Goes out: [`Targets`], numbered in class-file order, each with the
//! outcomes that it is directly control dependent on.
//! Does not know: which are covered, sequences.

use palus_analyze::ControlDependence;
use palus_bytecode::{ClassId, ClassProbes, Code, MethodId, Operation, Program, TargetBranch};
use palus_sequence::Probe;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// Number of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct TargetId(pub u32);

impl TargetId {
    /// Position in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One target.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub probe: Probe,
    /// Position of its method in [`Targets::methods`].
    pub method: u32,
    /// The jump and its outcome; none for the entry of the method.
    pub branch: Option<(u32, TargetBranch)>,
}

/// A jump.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    /// Its outcomes.
    pub outcomes: Range<u32>,
    /// Outcomes that it is directly control dependent on, those of itself left out.
    pub parents: Vec<TargetId>,
    /// True if some way to it is decided by no jump.
    pub is_root: bool,
}

/// A method with code.
#[derive(Clone, Debug)]
pub(crate) struct MethodTargets {
    pub method: MethodId,
    pub entry: TargetId,
    /// Positions in [`Targets::jumps`].
    pub jumps: Range<u32>,
    /// Of the graph of its blocks.
    pub diameter: u32,
    /// Of a method that tests cannot call: what decides whether others of these classes call it.
    pub callers: Vec<TargetId>,
}

/// All targets of a unit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Targets {
    pub list: Vec<Target>,
    pub jumps: Vec<Jump>,
    pub methods: Vec<MethodTargets>,
    /// Per target: those of jumps that directly depend on it.
    pub children: Vec<Vec<TargetId>>,
    by_probe: Vec<(Probe, TargetId)>,
}

impl Targets {
    /// The targets of some classes.
    pub fn of(program: &Program, classes: &[ClassId]) -> Targets {
        let mut targets = Targets::default();
        let mut bodies = Vec::new();
        for &class in classes {
            let probes = ClassProbes::of(program, class);
            for &(start, method) in probes.methods() {
                let Some(code) = &program.method(method).code else {
                    continue;
                };
                if program.is_generated(method) {
                    continue;
                }
                let dependence = ControlDependence::of(code);
                targets.add(class, &probes, start, method, &dependence);
                bodies.push((code, dependence));
            }
        }
        targets.find_callers(program, &bodies);
        targets.children = vec![Vec::new(); targets.list.len()];
        for jump in &targets.jumps {
            for parent in &jump.parents {
                let children = &mut targets.children[parent.index()];
                children.extend(jump.outcomes.clone().map(TargetId));
            }
        }
        targets.by_probe = targets
            .list
            .iter()
            .zip(0..)
            .map(|(target, number)| (target.probe, TargetId(number)))
            .collect();
        targets.by_probe.sort_unstable();
        targets
    }

    fn add(
        &mut self,
        class: ClassId,
        probes: &ClassProbes,
        start: u32,
        method: MethodId,
        dependence: &ControlDependence,
    ) {
        let number = self.methods.len() as u32;
        let probe = |index| Probe {
            class: class.0,
            index,
        };
        let entry = TargetId(self.list.len() as u32);
        self.list.push(Target {
            probe: probe(start),
            method: number,
            branch: None,
        });
        let first = self.jumps.len() as u32;
        for jump in dependence.flow().jumps() {
            let from = self.list.len() as u32;
            let mut next = start;
            for outcome in 0..jump.outcomes {
                let branch = TargetBranch {
                    method,
                    jump: jump.ordinal,
                    outcome,
                };
                next = if outcome == 0 {
                    probes.outcome(branch).expect("each outcome has its probe")
                } else {
                    next + 1
                };
                self.list.push(Target {
                    probe: probe(next),
                    method: number,
                    branch: Some((first + jump.ordinal, branch)),
                });
            }
            self.jumps.push(Jump {
                outcomes: from..self.list.len() as u32,
                parents: Vec::new(),
                is_root: dependence.is_root(jump.ordinal),
            });
        }
        for jump in dependence.flow().jumps() {
            let parents = dependence.controllers(jump.ordinal);
            let parents = parents.iter().filter(|(on, _)| *on != jump.ordinal);
            let parents = parents.map(|(on, outcome)| {
                let outcomes = &self.jumps[(first + on) as usize].outcomes;
                TargetId(outcomes.start + outcome)
            });
            self.jumps[(first + jump.ordinal) as usize].parents = parents.collect();
        }
        self.methods.push(MethodTargets {
            method,
            entry,
            jumps: first..self.jumps.len() as u32,
            diameter: dependence.flow().diameter(),
            callers: Vec::new(),
        });
    }

    /// `bodies` are in the order of the methods.
    fn find_callers(&mut self, program: &Program, bodies: &[(&Arc<Code>, ControlDependence)]) {
        let hidden = self.methods.iter().zip(0..).filter(|(method, _)| {
            let access = program.method(method.method).access;
            access.is_private() || access.is_synthetic()
        });
        let hidden: BTreeMap<MethodId, usize> = hidden
            .map(|(method, number)| (method.method, number))
            .collect();
        for (caller, (code, dependence)) in bodies.iter().enumerate() {
            let (entry, first) = (self.methods[caller].entry, self.methods[caller].jumps.start);
            for (at, instruction) in code.instructions.iter().enumerate() {
                let named = match &instruction.operation {
                    Operation::Invoke { method, .. } => &**method,
                    Operation::InvokeDynamic(call) => match &call.implementation {
                        Some(body) => body,
                        None => continue,
                    },
                    _ => continue,
                };
                let called = program
                    .resolve_method(named)
                    .and_then(|method| hidden.get(&method));
                let Some(&called) = called.filter(|called| **called != caller) else {
                    continue;
                };
                let controllers = dependence.controllers_of(at as u32);
                let outcomes = controllers.iter().map(|(jump, outcome)| {
                    let outcomes = &self.jumps[(first + jump) as usize].outcomes;
                    TargetId(outcomes.start + outcome)
                });
                let mut found: Vec<TargetId> = outcomes.collect();
                if found.is_empty() {
                    found.push(entry);
                }
                let callers = &mut self.methods[called].callers;
                callers.extend(found);
                callers.sort_unstable();
                callers.dedup();
            }
        }
    }

    /// All targets.
    pub fn all(&self) -> impl Iterator<Item = TargetId> + Clone + use<> {
        (0..self.list.len() as u32).map(TargetId)
    }

    /// One target.
    pub fn get(&self, target: TargetId) -> &Target {
        &self.list[target.index()]
    }

    /// The target of a probe; none for lines, returns and other classes.
    pub fn at(&self, probe: Probe) -> Option<TargetId> {
        let found = self.by_probe.binary_search_by_key(&probe, |known| known.0);
        found.ok().map(|at| self.by_probe[at].1)
    }

    /// The jump of a target; none for entries.
    pub fn jump(&self, target: TargetId) -> Option<&Jump> {
        let (jump, _) = self.get(target).branch.as_ref()?;
        Some(&self.jumps[*jump as usize])
    }

    /// True if no other target decides whether it is reached.
    pub fn is_root(&self, target: TargetId) -> bool {
        self.jump(target)
            .is_none_or(|jump| jump.is_root || jump.parents.is_empty())
    }

    /// The method a target belongs to.
    pub fn method(&self, target: TargetId) -> &MethodTargets {
        &self.methods[self.get(target).method as usize]
    }

    /// These targets, all that decides whether they are reached, and the entries of their methods; ascending.
    pub fn with_ancestors(&self, wanted: impl Iterator<Item = TargetId>) -> Vec<TargetId> {
        let mut seen = vec![false; self.list.len()];
        let mut open: Vec<TargetId> = wanted.collect();
        // What leads to a method matters as long as nothing entered it.
        let callers: Vec<TargetId> = open
            .iter()
            .filter(|target| self.get(**target).branch.is_none())
            .flat_map(|target| self.method(*target).callers.iter().copied())
            .collect();
        open.extend(callers);
        while let Some(target) = open.pop() {
            if std::mem::replace(&mut seen[target.index()], true) {
                continue;
            }
            open.push(self.method(target).entry);
            if let Some(jump) = self.jump(target) {
                open.extend(&jump.parents);
            }
        }
        self.all().filter(|target| seen[target.index()]).collect()
    }
}
