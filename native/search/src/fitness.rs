//! How near a run came to each target: approach level and normalised branch distance.
//!
//! Comes in: the [`Nearness`] of an outcome, whose distances are the smallest of the whole sequence, and the targets'
//! control dependence. Goes out: [`Fitness`]: per target 0 where it was covered, else above 0, smaller being nearer.
//! McMinn, "Search-based software test data generation: a survey", STVR 2004, section 3; Arcuri, "It does matter how you
//! normalise the branch distance in search based software testing", ICST 2010.
//! Does not know: sequences, which targets are still open.
//!
//! ```text
//! if (actor == null) return false;   J1   a run that ends here has for J3: approach 2, distance 1 at J1: 2.5
//! if (target == null) return false;  J2   a run that ends here: approach 1, distance 1 at J2: 1.5
//! return action == 1;                J3   a run with action 5: approach 0, distance 4: 0.8
//! ```

use crate::target::{TargetId, Targets};
use palus_sequence::Nearness;
use std::collections::BTreeSet;

/// How near a run came, per target.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fitness {
    values: Vec<f64>,
    /// Smallest distances of the jumps that were executed, and 0 for entries, ascending by target.
    distances: Vec<(TargetId, f64)>,
}

/// `n / (n + 1)`; distances beyond all numbers are as far as can be.
pub(crate) fn normalised(distance: f64) -> f64 {
    if distance.is_finite() {
        distance / (distance + 1.0)
    } else {
        1.0
    }
}

impl Fitness {
    /// Of a run whose outcome may not be shown: it came near nothing.
    pub fn worst(targets: &Targets) -> Fitness {
        let worst = |target| match targets.get(target).branch {
            None => 20.0,
            Some(_) => f64::from(targets.method(target).diameter) + 2.0,
        };
        Fitness {
            values: targets.all().map(worst).collect(),
            distances: Vec::new(),
        }
    }

    /// Of a run.
    pub fn of(targets: &Targets, nearness: &Nearness) -> Fitness {
        let found = nearness.distances.iter().filter_map(|near| {
            let target = targets.at(near.probe)?;
            Some((target, near.distance.max(0.0)))
        });
        let mut distances: Vec<(TargetId, f64)> = found.collect();
        distances.sort_unstable_by_key(|(target, _)| *target);
        let mut values: Vec<f64> = Vec::with_capacity(targets.list.len());
        let mut next = 0;
        let mut levels = Vec::new();
        for method in &targets.methods {
            let end = method_end(targets, method.jumps.clone(), method.entry);
            let from = next;
            while next < distances.len() && distances[next].0.0 < end {
                next += 1;
            }
            let own = &distances[from..next];
            if own.is_empty() {
                values.push(1.0);
                values.resize(end as usize, f64::from(method.diameter) + 1.0);
                continue;
            }
            values.push(0.0);
            let first = method.jumps.start;
            approach(targets, method.jumps.clone(), own, &mut levels);
            for (jump, &(level, distance)) in method.jumps.clone().zip(&levels) {
                for outcome in targets.jumps[jump as usize].outcomes.clone() {
                    let seen = own.binary_search_by_key(&TargetId(outcome), |known| known.0);
                    values.push(match seen {
                        Ok(seen) => normalised(own[seen].1),
                        Err(_) => f64::from(level) + normalised(distance),
                    });
                }
            }
            debug_assert_eq!(values.len() as u32, end, "jumps from {first}");
        }
        let mut fitness = Fitness { values, distances };
        // Twice, since what calls a method may itself be called by others only.
        fitness.follow_callers(targets);
        fitness.follow_callers(targets);
        fitness
    }

    /// A method that tests cannot call is the nearer, the nearer a run came to a call of it.
    fn follow_callers(&mut self, targets: &Targets) {
        for method in &targets.methods {
            let entry = method.entry.index();
            if method.callers.is_empty() || self.values[entry] < 1.0 {
                continue;
            }
            let callers = method.callers.iter();
            let near = callers
                .map(|caller| normalised(self.values[caller.index()]))
                .fold(1.0, f64::min);
            let end = method_end(targets, method.jumps.clone(), method.entry) as usize;
            self.values[entry] = 1.0 + near;
            self.values[entry + 1..end].fill(f64::from(method.diameter) + 1.0 + near);
        }
    }

    /// Of one target.
    pub fn to(&self, target: TargetId) -> f64 {
        self.values[target.index()]
    }

    /// The outcome that a run did not take where it left the way to a target: of the nearest jumps above it that were
    /// executed the one that came nearest. None if the target's own jump was executed, or the way was left by an exception.
    pub fn left_at(&self, targets: &Targets, target: TargetId) -> Option<TargetId> {
        let of = |target: TargetId| {
            let seen = self
                .distances
                .binary_search_by_key(&target, |known| known.0);
            seen.ok().map(|seen| self.distances[seen].1)
        };
        let (jump, _) = targets.get(target).branch?;
        let mut seen = BTreeSet::from([jump]);
        let mut level = vec![jump];
        if of(target).is_some() {
            return None;
        }
        while !level.is_empty() {
            let parents = level
                .iter()
                .flat_map(|&jump| &targets.jumps[jump as usize].parents);
            let parents: Vec<TargetId> = parents.copied().collect();
            let executed = parents
                .iter()
                .filter_map(|&parent| Some((parent, of(parent)?)));
            if let Some((parent, distance)) =
                executed.min_by(|left, right| left.1.total_cmp(&right.1))
            {
                return (distance > 0.0).then_some(parent);
            }
            let above = parents
                .iter()
                .filter_map(|&parent| targets.get(parent).branch);
            level = above
                .map(|(jump, _)| jump)
                .filter(|&jump| seen.insert(jump))
                .collect();
        }
        None
    }

    /// Smallest distances of the jumps that were executed, and 0 for entries.
    pub fn distances(&self) -> &[(TargetId, f64)] {
        &self.distances
    }
}

/// The first target behind those of a method.
fn method_end(targets: &Targets, jumps: std::ops::Range<u32>, entry: TargetId) -> u32 {
    jumps.last().map_or(entry.0 + 1, |last| {
        targets.jumps[last as usize].outcomes.end
    })
}

/// Fills in, per jump of a method that was entered: how many decisions away from it the run was left, and how far from
/// the outcome that leads there. What loops back to itself is no way.
fn approach(
    targets: &Targets,
    jumps: std::ops::Range<u32>,
    distances: &[(TargetId, f64)],
    levels: &mut Vec<(u32, f64)>,
) {
    const OPEN: u32 = u32::MAX;
    levels.clear();
    levels.resize(jumps.len(), (OPEN, 0.0));
    let first = jumps.start;
    let of = |target: TargetId| {
        let seen = distances.binary_search_by_key(&target, |known| known.0);
        seen.ok().map(|seen| distances[seen].1)
    };
    let mut left = 0;
    for jump in jumps.clone() {
        let mut outcomes = targets.jumps[jump as usize].outcomes.clone();
        if outcomes.any(|outcome| of(TargetId(outcome)).is_some()) {
            // Its own outcomes have distances; one that has none was not watched and is as far as any.
            levels[(jump - first) as usize] = (0, 1.0);
        } else {
            left += 1;
        }
    }
    let mut level = 0;
    while left > 0 {
        level += 1;
        let mut reached: Vec<(u32, f64)> = Vec::new();
        for jump in jumps.clone() {
            if levels[(jump - first) as usize].0 != OPEN {
                continue;
            }
            let data = &targets.jumps[jump as usize];
            let mut best: Option<f64> = None;
            if level == 1 && (data.is_root || data.parents.is_empty()) {
                best = Some(0.0);
            }
            for &parent in &data.parents {
                let (on, _) = targets.get(parent).branch.expect("parents are outcomes");
                let (known, behind) = levels[(on - first) as usize];
                if known != level - 1 {
                    continue;
                }
                let distance = if known == 0 {
                    of(parent).unwrap_or(1.0)
                } else {
                    behind
                };
                best = Some(best.map_or(distance, |best| best.min(distance)));
            }
            if let Some(distance) = best {
                reached.push((jump, distance));
            }
        }
        if reached.is_empty() {
            // Only what cannot be reached at all is left.
            for known in levels.iter_mut().filter(|(known, _)| *known == OPEN) {
                *known = (level, 1.0);
            }
            return;
        }
        left -= reached.len();
        for (jump, distance) in reached {
            levels[(jump - first) as usize] = (level, distance);
        }
    }
}
