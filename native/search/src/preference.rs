//! Who outlives a generation: preference sorting and crowding.
//!
//! Comes in: a [`Field`]: per individual its fitness for each open goal (smaller is nearer) and its length. Goes out:
//! fronts of individuals, and how apart each stands within its front.
//! Panichella, Kifetew, Tonella, "Reformulating Branch Coverage as a Many-Objective Optimization Problem", ICST 2015,
//! section 3; fronts behind the first: Deb, Pratap, Agarwal, Meyarivan, "A fast and elitist multiobjective genetic
//! algorithm: NSGA-II", 2002, section 3; crowding: epsilon-dominance assignment, Koeppen, Yoshida, EMO 2007.
//! Does not know: sequences, what a goal is.
//!
//! ```text
//! fitness for (g1, g2), length:  A (0.5, 2) 5   B (0.5, 3) 3   C (1, 0.2) 9   D (1, 1) 4   E (1, 2.5) 2
//! best for g1: A and B, B is shorter; best for g2: C     front 0 = B, C
//! of the rest A dominates E                              front 1 = A, D
//! ```

/// Individuals and goals as numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Field {
    /// Row after row, one per individual.
    values: Vec<f64>,
    lengths: Vec<usize>,
    goals: usize,
}

impl Field {
    /// No individuals yet.
    pub fn new(goals: usize) -> Field {
        Field {
            values: Vec::new(),
            lengths: Vec::new(),
            goals,
        }
    }

    /// Adds an individual: its fitness for each goal, in their order.
    pub fn add(&mut self, fitness: impl Iterator<Item = f64>, length: usize) {
        self.values.extend(fitness);
        self.lengths.push(length);
        debug_assert_eq!(self.values.len(), self.lengths.len() * self.goals);
    }

    /// Number of individuals.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    fn row(&self, individual: usize) -> &[f64] {
        &self.values[individual * self.goals..(individual + 1) * self.goals]
    }

    /// Per goal: the individual that comes nearest, of several the shortest, of these one that `coin` chooses.
    pub fn nearest(&self, coin: &mut dyn FnMut() -> bool) -> Vec<usize> {
        let mut nearest = Vec::with_capacity(self.goals);
        if self.len() == 0 {
            return nearest;
        }
        for goal in 0..self.goals {
            let mut best = 0;
            for other in 1..self.len() {
                let (known, new) = (self.row(best)[goal], self.row(other)[goal]);
                let is_better = match new.total_cmp(&known) {
                    std::cmp::Ordering::Equal => match self.lengths[other].cmp(&self.lengths[best])
                    {
                        std::cmp::Ordering::Equal => coin(),
                        shorter => shorter.is_lt(),
                    },
                    nearer => nearer.is_lt(),
                };
                if is_better {
                    best = other;
                }
            }
            nearest.push(best);
        }
        nearest
    }

    /// Fronts, best first, in ascending order each, until at least `wanted` individuals are in one or none is left.
    pub fn fronts(&self, wanted: usize, coin: &mut dyn FnMut() -> bool) -> Vec<Vec<usize>> {
        let mut first = self.nearest(coin);
        first.sort_unstable();
        first.dedup();
        let mut is_ranked = vec![false; self.len()];
        for &individual in &first {
            is_ranked[individual] = true;
        }
        let mut ranked = first.len();
        let rest: Vec<usize> = (0..self.len())
            .filter(|&individual| !is_ranked[individual])
            .collect();
        let mut fronts = vec![first];
        if rest.is_empty() {
            return fronts;
        }
        if ranked >= wanted {
            fronts.push(rest);
            return fronts;
        }
        // Deb and others: who is dominated by whom, then front by front.
        let mut dominated: Vec<Vec<u32>> = vec![Vec::new(); rest.len()];
        let mut dominators = vec![0u32; rest.len()];
        for (at, &left) in rest.iter().enumerate() {
            for (other, &right) in rest.iter().enumerate().skip(at + 1) {
                match self.compare(left, right) {
                    Some(true) => {
                        dominated[at].push(other as u32);
                        dominators[other] += 1;
                    }
                    Some(false) => {
                        dominated[other].push(at as u32);
                        dominators[at] += 1;
                    }
                    None => {}
                }
            }
        }
        let mut front: Vec<usize> = (0..rest.len()).filter(|&at| dominators[at] == 0).collect();
        while !front.is_empty() && ranked < wanted {
            ranked += front.len();
            let mut next = Vec::new();
            for &at in &front {
                for &other in &dominated[at] {
                    dominators[other as usize] -= 1;
                    if dominators[other as usize] == 0 {
                        next.push(other as usize);
                    }
                }
            }
            next.sort_unstable();
            fronts.push(front.iter().map(|&at| rest[at]).collect());
            front = next;
        }
        fronts
    }

    /// Some(true) if the left one dominates, Some(false) if the right one does.
    fn compare(&self, left: usize, right: usize) -> Option<bool> {
        let (mut is_nearer, mut is_farther) = (false, false);
        for (left, right) in self.row(left).iter().zip(self.row(right)) {
            is_nearer |= left < right;
            is_farther |= left > right;
            if is_nearer && is_farther {
                return None;
            }
        }
        (is_nearer != is_farther).then_some(is_nearer)
    }

    /// How apart each of a front stands, in the front's order; larger is better.
    pub fn crowding(&self, front: &[usize]) -> Vec<f64> {
        let mut apart = vec![0.0_f64; front.len()];
        for goal in 0..self.goals {
            let of = |individual: &usize| self.row(*individual)[goal];
            let least = front.iter().map(of).fold(f64::INFINITY, f64::min);
            let most = front.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
            if most <= least {
                continue;
            }
            let at_least = front.iter().filter(|one| of(one) <= least).count();
            let distance = (front.len() - at_least) as f64 / front.len() as f64;
            for (apart, individual) in apart.iter_mut().zip(front) {
                if of(individual) <= least {
                    *apart = apart.max(distance);
                }
            }
        }
        apart
    }

    /// The individuals that outlive the generation, each with its rank and how apart it stands: whole fronts while they
    /// fit into `size` (the first one always), then the most apart of the next.
    pub fn survivors(&self, size: usize, coin: &mut dyn FnMut() -> bool) -> Vec<Survivor> {
        let mut survivors = Vec::with_capacity(size);
        for (rank, front) in self.fronts(size, coin).iter().enumerate() {
            let apart = self.crowding(front);
            let mut ranked: Vec<Survivor> = front
                .iter()
                .zip(apart)
                .map(|(&individual, apart)| Survivor {
                    individual,
                    rank,
                    apart,
                })
                .collect();
            if rank > 0 && survivors.len() + front.len() > size {
                ranked.sort_by(|left, right| right.apart.total_cmp(&left.apart));
                ranked.truncate(size.saturating_sub(survivors.len()));
            }
            survivors.extend(ranked);
            if survivors.len() >= size {
                break;
            }
        }
        survivors
    }
}

/// One that outlives a generation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Survivor {
    /// Its number in the field.
    pub individual: usize,
    /// Its front.
    pub rank: usize,
    /// How apart it stands within its front.
    pub apart: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn field() -> Field {
        let mut field = Field::new(2);
        for (first, second, length) in [
            (0.5, 2.0, 5),
            (0.5, 3.0, 3),
            (1.0, 0.2, 9),
            (1.0, 1.0, 4),
            (1.0, 2.5, 2),
        ] {
            field.add([first, second].into_iter(), length);
        }
        field
    }

    const A: usize = 0;
    const B: usize = 1;
    const C: usize = 2;
    const D: usize = 3;

    #[test]
    fn the_nearest_of_each_goal_come_first_and_then_those_that_nobody_dominates() {
        let mut coin = || panic!("nothing is tied in full");
        assert_eq!(field().fronts(3, &mut coin), [vec![B, C], vec![A, D]]);
    }

    #[test]
    fn the_least_of_a_goal_stand_apart_by_the_share_of_the_others() {
        assert_eq!(field().crowding(&[A, D]), [0.5, 0.5]);
        let survivors = field().survivors(3, &mut || false);
        let numbers: Vec<usize> = survivors.iter().map(|one| one.individual).collect();
        assert_eq!(numbers, [B, C, A]);
    }

    #[test]
    fn a_first_front_that_is_large_enough_leaves_the_rest_in_one() {
        assert_eq!(
            field().fronts(2, &mut || false),
            [vec![B, C], vec![A, D, 4]]
        );
    }

    #[test]
    fn full_ties_are_left_to_a_coin() {
        let mut field = Field::new(1);
        field.add([1.0].into_iter(), 1);
        field.add([1.0].into_iter(), 1);
        assert_eq!(field.nearest(&mut || false), [0]);
        assert_eq!(field.nearest(&mut || true), [1]);
    }

    proptest! {
        #[test]
        fn no_one_in_a_front_is_dominated_by_one_behind_it(
            rows in prop::collection::vec((prop::collection::vec(0u8..4, 3), 1usize..5), 1..30),
        ) {
            let mut field = Field::new(3);
            for (row, length) in &rows {
                field.add(row.iter().map(|&value| f64::from(value)), *length);
            }
            let fronts = field.fronts(rows.len(), &mut || false);
            prop_assert_eq!(fronts.iter().map(Vec::len).sum::<usize>(), rows.len());
            for (rank, front) in fronts.iter().enumerate().skip(1) {
                for &one in front {
                    for &other in fronts[rank..].iter().flatten() {
                        prop_assert_ne!(field.compare(other, one), Some(true));
                    }
                }
            }
        }
    }
}
