//! Which outcomes of which jumps decide whether an instruction runs.
//!
//! Comes in: a [`ControlFlow`]. Goes out: [`ControlDependence`]: per block the outcomes it is directly control dependent
//! on (Ferrante, Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS 1987,
//! section 3.1), and whether it is dependent on the method's entry alone.
//! What depends on an instruction that throws or not depends here on what that instruction itself depends on.
//! Does not know: data dependence, callees.
//!
//! ```text
//! Player a = first();  if (a == null) return false;       // jump 0: depends on the entry
//! Player b = second(); if (b == null) return false;       // jump 1: depends on jump 0, taken (ifnonnull)
//! return a.action == 1;                                    // jump 2: depends on jump 1, taken
//! ```

use crate::control_flow::{ControlFlow, EdgeKind};
use palus_bytecode::Code;
use std::collections::BTreeSet;

/// What blocks depend on.
#[derive(Clone, Debug)]
pub struct ControlDependence {
    flow: ControlFlow,
    /// Per block: (jump, outcome).
    controllers: Vec<BTreeSet<(u32, u32)>>,
    /// Per block.
    is_root: Vec<bool>,
}

impl ControlDependence {
    /// Of a body.
    pub fn of(code: &Code) -> ControlDependence {
        ControlDependence::from(ControlFlow::of(code))
    }

    /// The control flow it was made from.
    pub fn flow(&self) -> &ControlFlow {
        &self.flow
    }

    /// The outcomes that a jump directly depends on, as (ordinal of the jump, number of the outcome), ascending. The
    /// jump at the head of a loop depends on itself.
    pub fn controllers(&self, jump: u32) -> Vec<(u32, u32)> {
        let at = self.flow.jumps()[jump as usize].instruction;
        self.controllers_of(at).iter().copied().collect()
    }

    /// True if a jump is reached whenever the method is entered and nothing throws, or on a way that no jump decides.
    pub fn is_root(&self, jump: u32) -> bool {
        let at = self.flow.jumps()[jump as usize].instruction;
        self.is_root[self.flow.block(at) as usize]
    }

    /// The outcomes that an instruction directly depends on.
    pub fn controllers_of(&self, instruction: u32) -> &BTreeSet<(u32, u32)> {
        &self.controllers[self.flow.block(instruction) as usize]
    }

    /// The jumps that decide, step by step, whether a jump is reached, itself left out unless it is in a loop.
    pub fn all_controllers(&self, jump: u32) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut open = vec![jump];
        while let Some(next) = open.pop() {
            for (jump, _) in self.controllers(next) {
                if found.insert(jump) {
                    open.push(jump);
                }
            }
        }
        found
    }
}

impl From<ControlFlow> for ControlDependence {
    fn from(flow: ControlFlow) -> Self {
        let blocks = flow.exit() as usize;
        let mut controllers = vec![BTreeSet::new(); blocks];
        let mut is_root = vec![false; blocks];
        // Blocks that depend on what is no jump, by that block.
        let mut behind: Vec<Vec<u32>> = vec![Vec::new(); blocks];
        for block in 0..flow.exit() {
            let end = flow.post_dominator(block);
            for edge in flow.edges(block) {
                let mut dependent = edge.to;
                while dependent != end && dependent != flow.exit() {
                    if let EdgeKind::Outcome { jump, outcome } = edge.kind {
                        controllers[dependent as usize].insert((jump, outcome));
                    } else if dependent != block {
                        behind[block as usize].push(dependent);
                    }
                    dependent = flow.post_dominator(dependent);
                }
            }
        }
        let mut block = 0;
        while blocks > 0 && block != flow.exit() {
            is_root[block as usize] = true;
            block = flow.post_dominator(block);
        }
        let mut open: Vec<u32> = (0..flow.exit()).collect();
        while let Some(block) = open.pop() {
            for &dependent in &behind[block as usize] {
                let (from, to) = (block as usize, dependent as usize);
                let more: Vec<_> = controllers[from]
                    .difference(&controllers[to])
                    .copied()
                    .collect();
                let becomes_root = is_root[from] && !is_root[to];
                if becomes_root || !more.is_empty() {
                    controllers[to].extend(more);
                    is_root[to] |= becomes_root;
                    open.push(dependent);
                }
            }
        }
        ControlDependence {
            flow,
            controllers,
            is_root,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{method, program};

    /// Per jump: the outcomes it depends on; `entry` for roots.
    fn controllers(body: &str) -> Vec<String> {
        let program = program(&[("A.java", &format!("class A {{ {body} }}"))]);
        let code = &program.method(method(&program, "A.m")).code;
        let dependence = ControlDependence::of(code.as_ref().unwrap());
        let jumps = 0..dependence.flow().jumps().len() as u32;
        jumps
            .map(|jump| {
                let names = dependence.controllers(jump);
                let names = names
                    .iter()
                    .map(|(jump, outcome)| format!("{jump}:{outcome}"));
                let root = dependence.is_root(jump).then(|| "entry".to_owned());
                root.into_iter().chain(names).collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    #[test]
    fn each_check_depends_on_the_one_before_it() {
        let found = controllers(
            "Object first, second; int action; boolean m() { Object a = first; if (a == null) return false; \
             Object b = second; if (b == null) return false; return action == 1; }",
        );
        assert_eq!(found, ["entry", "0:1", "1:1"]);
    }

    #[test]
    fn what_follows_an_if_does_not_depend_on_it() {
        let found = controllers(
            "static int m(int a, int b) { int n = 0; if (a > 0) n++; if (b > 0) n++; return n; }",
        );
        assert_eq!(found, ["entry", "entry"]);
    }

    #[test]
    fn a_loop_depends_on_itself_and_its_body_on_going_on() {
        let found = controllers(
            "static int m(int n) { int s = 0; while (n > 0) { if (n == 7) s++; n--; } return s; }",
        );
        assert_eq!(found, ["entry 0:0", "0:0"]);
    }

    #[test]
    fn both_operands_of_an_or_lead_to_what_follows() {
        let found = controllers(
            "static int m(int a, int b, int c) { if (a > 0 || b > 0) { if (c > 0) return 1; } return 0; }",
        );
        assert_eq!(found, ["entry", "0:0", "0:1 1:0"]);
    }

    #[test]
    fn a_case_depends_on_its_key_and_on_falling_through() {
        let found = controllers(
            "static int m(int k, int n) { switch (k) { case 1: n++; case 5: if (n > 3) return 1; break; \
             default: if (n > 4) return 2; } return 0; }",
        );
        assert_eq!(found, ["entry", "0:0 0:1", "0:2"]);
    }

    #[test]
    fn a_handler_depends_on_what_leads_to_the_call_that_throws() {
        let found = controllers(
            "static int m(int a, String s) { if (a > 0) { try { s.length(); } catch (RuntimeException e) { \
             if (a > 5) return 1; } if (a > 7) return 2; } return 0; }",
        );
        // Behind the `try`: it went well, or the handler did not return.
        assert_eq!(found, ["entry", "0:0", "0:0 1:1"]);
    }

    #[test]
    fn an_endless_loop_is_entered_like_any_code() {
        let found =
            controllers("static void m(int n) { while (true) { if (n > 3) n--; else n++; } }");
        assert_eq!(found, ["entry 0:0"]);
    }
}
