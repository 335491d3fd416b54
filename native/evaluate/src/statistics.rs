//! Whether two modes differ, and how much: Wilcoxon's two tests and the measure of Vargha and Delaney.
//!
//! Comes in: figures of two modes. Goes out: two-sided probabilities under "no difference", and A12.
//! Rank sum: of independent samples, such as the seeds of two modes on one subject. Signed rank: of pairs, such as two
//! modes on the same subject with the same seed; it compares within pairs, so subjects may lie far apart.
//! Both are exact: all ways to deal out the ranks that occur are counted, ties with their mean rank, so that few seeds
//! and many equal figures need no approximation. Pairs without a difference are left out, as Wilcoxon does.
//! Wilcoxon, "Individual comparisons by ranking methods", 1945; Vargha, Delaney, "A critique and improvement of the CL
//! common language effect size statistics", 2000; use as in Arcuri, Briand, "A practical guide for using statistical
//! tests to assess randomized algorithms in software engineering", ICSE 2011.
//!
//! ```text
//! rank sum of [1, 2, 3] and [4, 5, 6]: the first has ranks 1+2+3 = 6, the least of 20 ways, so p = 2/20 = 0.1
//! signed rank of [1, 2, 3, -4, 5]: the positive ranks make 11; 7 of 32 ways make 11 or more, so p = 14/32 = 0.4375
//! ```

/// A small difference that is none: figures are quotients of counts.
const EQUAL: f64 = 1e-9;

/// How likely a random figure of `more` is above one of `less`, where equal ones count half; none without figures.
pub fn a12(more: &[f64], less: &[f64]) -> Option<f64> {
    if more.is_empty() || less.is_empty() {
        return None;
    }
    let wins: f64 = more
        .iter()
        .flat_map(|a| less.iter().map(move |b| a - b))
        .map(|difference| {
            if difference.abs() < EQUAL {
                0.5
            } else {
                f64::from(difference > 0.0)
            }
        })
        .sum();
    Some(wins / (more.len() * less.len()) as f64)
}

/// Wilcoxon's rank sum test, also Mann and Whitney's; none without figures.
pub fn rank_sum(a: &[f64], b: &[f64]) -> Option<f64> {
    if a.is_empty() || b.is_empty() {
        return None;
    }
    let all: Vec<f64> = a.iter().chain(b).copied().collect();
    let ranks = doubled_ranks(&all);
    let observed: usize = ranks[..a.len()].iter().sum();
    let total: usize = ranks.iter().sum();
    // ways[k][s]: ways to choose k figures whose ranks make s.
    let mut ways = vec![vec![0.0_f64; total + 1]; a.len() + 1];
    ways[0][0] = 1.0;
    for &rank in &ranks {
        for chosen in (1..=a.len()).rev() {
            for sum in rank..=total {
                ways[chosen][sum] += ways[chosen - 1][sum - rank];
            }
        }
    }
    Some(two_sided(&ways[a.len()], observed))
}

/// Wilcoxon's signed rank test of differences; none where there is no difference at all.
pub fn signed_rank(differences: &[f64]) -> Option<f64> {
    let differences = differences.iter().copied();
    let differences: Vec<f64> = differences.filter(|it| it.abs() >= EQUAL).collect();
    if differences.is_empty() {
        return None;
    }
    let sizes: Vec<f64> = differences.iter().map(|it| it.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let positive = ranks.iter().zip(&differences);
    let observed = positive.filter(|(_, it)| **it > 0.0).map(|(rank, _)| rank);
    let observed: usize = observed.sum();
    let total: usize = ranks.iter().sum();
    let mut ways = vec![0.0_f64; total + 1];
    ways[0] = 1.0;
    for &rank in &ranks {
        for sum in (rank..=total).rev() {
            ways[sum] += ways[sum - rank];
        }
    }
    Some(two_sided(&ways, observed))
}

/// Twice the smaller tail of the distribution, at most 1.
fn two_sided(ways: &[f64], observed: usize) -> f64 {
    let all: f64 = ways.iter().sum();
    let low: f64 = ways[..=observed].iter().sum();
    let high: f64 = ways[observed..].iter().sum();
    (2.0 * low.min(high) / all).min(1.0)
}

/// Twice the rank of each figure, from 1; equal ones share the mean of theirs, which doubled is whole.
fn doubled_ranks(figures: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..figures.len()).collect();
    order.sort_by(|&a, &b| figures[a].total_cmp(&figures[b]));
    let mut ranks = vec![0; figures.len()];
    let mut from = 0;
    while from < order.len() {
        let first = figures[order[from]];
        let ties = order[from..].iter();
        let ties = ties.take_while(|&&at| (figures[at] - first).abs() < EQUAL);
        let end = from + ties.count();
        for &at in &order[from..end] {
            ranks[at] = from + 1 + end;
        }
        from = end;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(found: Option<f64>, expected: f64) {
        let found = found.unwrap();
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn the_rank_sum_counts_every_way_to_deal_out_the_ranks() {
        is(rank_sum(&[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]), 0.1);
        is(rank_sum(&[4.0, 5.0, 6.0], &[1.0, 2.0, 3.0]), 0.1);
        assert_eq!(rank_sum(&[], &[1.0]), None);
    }

    #[test]
    fn the_signed_rank_counts_every_way_to_deal_out_the_signs() {
        is(signed_rank(&[1.0, 2.0, 3.0, -4.0, 5.0]), 0.4375);
        assert_eq!(signed_rank(&[0.0, 0.0]), None);
    }

    // Hollander, Wolfe, "Nonparametric Statistical Methods", 1973: permeability of membranes, page 69, and a scale of
    // depression in tenths, page 29.
    #[test]
    fn both_give_the_figures_of_the_textbook() {
        let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
        let early = [1.15, 0.88, 0.90, 0.74, 1.21];
        is(rank_sum(&term, &early), 0.254_412_254_412_254_4);
        let first = [18.3, 5.0, 16.2, 24.8, 16.8, 18.8, 15.5, 30.6, 13.0];
        let second = [8.78, 6.47, 5.98, 20.5, 10.6, 12.9, 10.6, 31.4, 12.9];
        let differences: Vec<f64> = first.iter().zip(&second).map(|(a, b)| a - b).collect();
        is(signed_rank(&differences), 0.039_062_5);
    }

    #[test]
    fn ties_share_their_ranks_and_pairs_without_difference_are_left_out() {
        let (a, b) = ([10.0, 10.0, 12.0, 15.0, 15.0], [10.0, 11.0, 12.0, 9.0, 8.0]);
        is(rank_sum(&a, &b), 52.0 / 252.0);
        is(signed_rank(&[1.0, 1.0, -1.0, 2.0, 2.0, 0.0, 3.0]), 0.125);
        is(rank_sum(&[7.0; 10], &[7.0; 10]), 1.0);
    }

    #[test]
    fn many_pairs_are_counted_exactly_too() {
        let all_better: Vec<f64> = (1..=60).map(f64::from).collect();
        is(signed_rank(&all_better), 2.0 / 2.0_f64.powi(60));
    }

    #[test]
    fn the_effect_size_is_the_chance_to_be_above() {
        is(a12(&[3.0, 4.0], &[1.0, 2.0]), 1.0);
        is(a12(&[1.0, 2.0], &[2.0, 3.0]), 0.125);
        is(a12(&[5.0], &[5.0]), 0.5);
        assert_eq!(a12(&[], &[5.0]), None);
    }
}
