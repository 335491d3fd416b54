//! Two parents, two offspring: single-point crossover at the same relative place.
//!
//! Comes in: two sequences. Goes out: the head of each with the tail of the other.
//! Fraser, Arcuri, "Whole Test Suite Generation", TSE 2013, section 3.3.
//! Does not know: fitness, how the tail finds what it uses (`splice.rs`).

use crate::splice::Graft;
use palus_generate::Sources;
use palus_sequence::Sequence;

/// Where a list of some length is cut, for a share of it from 0 to 1.
pub(crate) fn cut(length: usize, share: f64) -> usize {
    ((length - 1) as f64 * share).floor() as usize + 1
}

/// The two offspring; none where a parent is too short to be cut.
pub(crate) fn cross(
    sources: &mut Sources<'_>,
    left: &Sequence,
    right: &Sequence,
) -> Option<(Sequence, Sequence)> {
    if left.len() < 2 || right.len() < 2 {
        return None;
    }
    let share = sources.rng().even();
    let (at, other) = (cut(left.len(), share), cut(right.len(), share));
    let first = Graft::new(sources, left.prefix(at), right, other).finish(other);
    let second = Graft::new(sources, right.prefix(other), left, at).finish(at);
    Some((first, second))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parents_are_cut_at_the_same_share_of_their_length() {
        assert_eq!([cut(2, 0.0), cut(2, 0.99)], [1, 1]);
        assert_eq!([cut(11, 0.0), cut(11, 0.5), cut(11, 0.99)], [1, 6, 10]);
    }
}
