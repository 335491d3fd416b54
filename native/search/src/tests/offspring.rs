//! Offspring of random parents are well-formed.

use super::door::{Doorman, Fixture};
use crate::crossover::cross;
use crate::mutation::mutated;
use crate::parameters::LONGEST;
use crate::splice::tidied;
use palus_sequence::{Sequence, check};
use std::collections::BTreeSet;

#[test]
fn offspring_of_random_parents_pass_the_check_and_differ_from_them() {
    let fixture = Fixture::new();
    let program = &fixture.program;
    for seed in 0..4 {
        let mut doorman = Doorman::new(program);
        let mut sources = fixture.sources(&mut doorman, seed, 200);
        let parents: Vec<Sequence> = (0..80).filter_map(|_| sources.fresh()).collect();
        let goals: Vec<_> = program.class(doorman.class).methods.clone();
        let (mut crossed, mut changed) = (0, BTreeSet::new());
        for couple in parents.windows(2) {
            if let Some((left, right)) = cross(&mut sources, &couple[0], &couple[1]) {
                for offspring in [left, right] {
                    assert_eq!(
                        check(program, &offspring),
                        Ok(()),
                        "{couple:?}: {offspring:?}"
                    );
                    crossed += usize::from(tidied(program, &offspring, LONGEST).is_some());
                }
            }
            if let Some(offspring) = mutated(&mut sources, &couple[0], &goals) {
                assert_eq!(
                    check(program, &offspring),
                    Ok(()),
                    "{couple:?}: {offspring:?}"
                );
                assert_ne!(offspring, couple[0]);
                changed.insert(offspring);
            }
        }
        assert!(crossed > 20, "{crossed}");
        assert!(changed.len() > 50, "{}", changed.len());
    }
}
