//! Jumps and probes: the one place that counts them.
//!
//! Comes in: bodies. Goes out: the jumps of a method in code order with their outcomes, and for a class which probe
//! stands for what, numbered as the wire's `FORMAT.md` numbers them (the workers count by themselves).
//! Does not know: what was covered.
//!
//! ```text
//! int sign(int n) {          probe 0: entry
//!   if (n > 0)               probe 1: jump 0 (ifle) not taken, probe 2: taken
//!     return 1;              probe 3: line, probe 4: return
//!   return 0;                probe 5: line, probe 6: return
//! }
//! ```

use crate::{ClassId, Code, Method, MethodId, Operation, Program};

/// A conditional jump or a switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Jump {
    /// Number among the method's jumps, in code order.
    pub ordinal: u32,
    /// Index of its instruction.
    pub instruction: u32,
    /// Number of outcomes: of a conditional jump 0 is *not taken* and 1 *taken*; of a switch one per case in key order,
    /// then the default.
    pub outcomes: u32,
}

/// One outcome of one jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TargetBranch {
    /// The method.
    pub method: MethodId,
    /// [`Jump::ordinal`].
    pub jump: u32,
    /// Number of the outcome, as [`Jump::outcomes`] counts them.
    pub outcome: u32,
}

/// What a probe stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The method was entered.
    Entry,
    /// A line starts at this instruction.
    Line(u32),
    /// An outcome of a jump.
    Outcome {
        /// [`Jump::ordinal`].
        jump: u32,
        /// Number of the outcome.
        outcome: u32,
    },
    /// The return instruction at this index.
    Return(u32),
}

/// The probes of one class.
#[derive(Clone, Debug, Default)]
pub struct ClassProbes {
    /// First probe of each method that has any, ascending.
    starts: Vec<(u32, MethodId)>,
    places: Vec<Place>,
}

impl Code {
    /// Conditional jumps and switches in code order.
    pub fn jumps(&self) -> Vec<Jump> {
        let mut jumps = Vec::new();
        for (index, instruction) in self.instructions.iter().enumerate() {
            let outcomes = outcomes(&instruction.operation);
            if outcomes > 0 {
                jumps.push(Jump {
                    ordinal: jumps.len() as u32,
                    instruction: index as u32,
                    outcomes,
                });
            }
        }
        jumps
    }
}

/// Number of outcomes; 0 of what is no jump.
fn outcomes(operation: &Operation) -> u32 {
    match operation {
        Operation::Switch { cases, .. } => cases.len() as u32 + 1,
        other if other.is_conditional_jump() => 2,
        _ => 0,
    }
}

impl ClassProbes {
    /// Counts the probes of a class.
    pub fn of(program: &Program, class: ClassId) -> ClassProbes {
        let mut probes = ClassProbes::default();
        for &method in &program.class(class).methods {
            let start = probes.places.len() as u32;
            add(program.method(method), &mut probes.places);
            if probes.places.len() as u32 > start {
                probes.starts.push((start, method));
            }
        }
        probes
    }

    /// Number of probes.
    pub fn count(&self) -> u32 {
        self.places.len() as u32
    }

    /// Methods with probes in class-file order, each with its first probe, which is its entry.
    pub fn methods(&self) -> &[(u32, MethodId)] {
        &self.starts
    }

    /// The probes of a method; empty where it has none.
    pub fn of_method(&self, method: MethodId) -> std::ops::Range<u32> {
        let Some(at) = self.starts.iter().position(|(_, known)| *known == method) else {
            return 0..0;
        };
        let end = self.starts.get(at + 1);
        self.starts[at].0..end.map_or(self.count(), |(start, _)| *start)
    }

    /// The probe of a method's entry.
    pub fn entry(&self, method: MethodId) -> Option<u32> {
        let probes = self.of_method(method);
        (!probes.is_empty()).then_some(probes.start)
    }

    /// The probe of one outcome of a jump.
    pub fn outcome(&self, branch: TargetBranch) -> Option<u32> {
        let wanted = Place::Outcome {
            jump: branch.jump,
            outcome: branch.outcome,
        };
        self.of_method(branch.method)
            .find(|&probe| self.places[probe as usize] == wanted)
    }

    /// The method a probe lies in and what it stands for.
    pub fn named(&self, probe: u32) -> Option<(MethodId, Place)> {
        let place = *self.places.get(probe as usize)?;
        let method = self.starts.partition_point(|(start, _)| *start <= probe) - 1;
        Some((self.starts[method].1, place))
    }

    /// The branch a probe stands for; none for entries, lines and returns.
    pub fn branch(&self, probe: u32) -> Option<TargetBranch> {
        match self.named(probe)? {
            (method, Place::Outcome { jump, outcome }) => Some(TargetBranch {
                method,
                jump,
                outcome,
            }),
            _ => None,
        }
    }
}

/// Adds the places of one method.
fn add(method: &Method, places: &mut Vec<Place>) {
    let Some(code) = &method.code else { return };
    if method.name.starts_with("$jacoco") {
        return;
    }
    places.push(Place::Entry);
    let mut lines = code.lines.iter().map(|(at, _)| *at).filter(|&at| at > 0);
    let mut next_line = lines.next();
    let mut jump = 0;
    for (index, instruction) in code.instructions.iter().enumerate() {
        let index = index as u32;
        if next_line == Some(index) {
            places.push(Place::Line(index));
            while next_line == Some(index) {
                next_line = lines.next();
            }
        }
        let outcomes = outcomes(&instruction.operation);
        places.extend((0..outcomes).map(|outcome| Place::Outcome { jump, outcome }));
        jump += u32::from(outcomes > 0);
        if matches!(instruction.operation, Operation::Return { .. }) {
            places.push(Place::Return(index));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Origin, ProgramBuilder};
    use palus_fixture::compile;

    fn program(text: &str) -> Program {
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compile(&[("A.java", text)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn probes_are_counted_entry_lines_outcomes_returns() {
        let program = program(
            "class A {\n static int sign(int n) {\n  if (n > 0)\n   return 1;\n  return 0;\n }\n \
             static int pick(int n) { switch (n) { case 7: return 1; case 3: return 2; default: return 3; } } }",
        );
        let class = program.class_named("A").unwrap();
        let probes = ClassProbes::of(&program, class);
        let sign = program.declared_method(class, "sign", "(I)I").unwrap();
        let pick = program.declared_method(class, "pick", "(I)I").unwrap();
        let outcome = |jump, outcome| Place::Outcome { jump, outcome };
        let places = |method| -> Vec<Place> {
            let range = probes.of_method(method);
            range.map(|probe| probes.named(probe).unwrap().1).collect()
        };
        assert_eq!(
            places(sign),
            [
                Place::Entry,
                outcome(0, 0),
                outcome(0, 1),
                Place::Line(2),
                Place::Return(3),
                Place::Line(4),
                Place::Return(5)
            ]
        );
        let jumps = program.method(pick).code.as_ref().unwrap().jumps();
        assert_eq!(jumps.len(), 1);
        assert_eq!(jumps[0].outcomes, 3);
        for outcome in 0..3 {
            let branch = TargetBranch {
                method: pick,
                jump: 0,
                outcome,
            };
            let probe = probes.outcome(branch).unwrap();
            assert_eq!(probes.branch(probe), Some(branch));
            assert_eq!(probe, probes.entry(pick).unwrap() + 1 + outcome);
        }
        assert_eq!(probes.named(probes.count()), None);
        assert_eq!(probes.branch(probes.entry(pick).unwrap()), None);
    }
}
