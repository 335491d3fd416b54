//! Which classes a pattern may have meant that chooses none.
//!
//! Comes in: patterns over class names, and the names of all classes that could get tests. Goes out: the nearest of these.
//! Does not know: how patterns choose (see `glob.rs`).

use strsim::osa_distance;

/// Names that are shown.
const SHOWN: usize = 3;

/// The classes whose own name, or for a pattern over a package whose package, has least to change to be what a pattern says,
/// no more than half of it; the nearest first.
pub(crate) fn nearest(patterns: &[String], names: &[String]) -> Vec<String> {
    let patterns: Vec<Pattern> = patterns.iter().map(|text| Pattern::new(text)).collect();
    let mut near: Vec<((usize, usize), &String)> = names
        .iter()
        .filter_map(|name| {
            let distances = patterns.iter().filter_map(|pattern| pattern.distance(name));
            Some((distances.min()?, name))
        })
        .collect();
    near.sort();
    let near = near.into_iter().take(SHOWN);
    near.map(|(_, name)| name.clone()).collect()
}

/// A pattern in lower case, without what stands for anything.
struct Pattern {
    package: String,
    /// None where it means all classes of the package.
    own: Option<String>,
}

impl Pattern {
    fn new(text: &str) -> Pattern {
        let (package, own) = text.rsplit_once('.').unwrap_or(("", text));
        let plain = |text: &str| {
            let text = text.to_lowercase().replace(['*', '?'], "");
            text.trim_matches('.').to_owned()
        };
        Pattern {
            package: plain(package),
            own: Some(plain(own)).filter(|own| !own.is_empty()),
        }
    }

    /// How much is to change of what counts most, and of the rest; none where the former is too far.
    fn distance(&self, name: &str) -> Option<(usize, usize)> {
        let name = name.to_lowercase();
        let (package, own) = name.rsplit_once('.').unwrap_or(("", &name));
        let of_package = osa_distance(package, &self.package);
        let (first, length, rest) = match &self.own {
            Some(given) => (osa_distance(own, given), own.len(), of_package),
            None => (of_package, package.len(), 0),
        };
        (first * 2 <= length && length > 0).then_some((first, rest))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(pattern: &str) -> Vec<String> {
        let names = ["shop.Rates", "shop.Till", "shop.order.Basket", "Main"];
        nearest(&[pattern.to_owned()], &names.map(str::to_owned))
    }

    #[test]
    fn a_name_is_near_as_a_whole_by_its_last_part_or_by_its_package() {
        assert_eq!(of("shop.Rate"), ["shop.Rates"]);
        assert_eq!(of("store.checkout.Rates"), ["shop.Rates"]);
        assert_eq!(of("*Baskt*"), ["shop.order.Basket"]);
        assert_eq!(of("shop.ordr.**"), ["shop.order.Basket"]);
        assert_eq!(of("shp.**"), ["shop.Rates", "shop.Till"]);
        assert_eq!(of("SHOP.TILL"), ["shop.Till"]);
        assert_eq!(of("main"), ["Main"]);
    }

    #[test]
    fn what_is_like_none_has_none_near() {
        assert!(of("com.acme.Invoice").is_empty());
        assert!(of("**").is_empty());
        assert!(nearest(&[], &["shop.Till".to_owned()]).is_empty());
    }
}
