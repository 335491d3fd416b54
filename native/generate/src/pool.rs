//! Objects that sequences made, for later sequences.
//!
//! Comes in: snippets whose result is usable, with the class it had and its profile.
//! Goes out: a snippet for a wanted kind, each class as likely as any other, dear ones less likely than cheap ones.
//! Bounded: a full group loses a drawn entry; several entries with one profile keep the shortest.
//! Does not know: how snippets were found, models (see `guided.rs` for look-up by state).

use crate::cost;
use crate::draft::Snippet;
use crate::kinds::{Kind, Kinds};
use crate::rng::Rng;
use palus_sequence::ObjectProfile;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Entries kept per class.
const GROUP_SIZE: usize = 64;
/// Entries kept per class and profile, where profiles are known.
const PROFILE_SIZE: usize = 6;

/// Of two objects of one class, one that costs so many times less is taken for the other.
const MUCH_CHEAPER: u64 = 4;

/// How much it matters what objects cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Thrift {
    /// Not at all.
    None,
    /// Of the objects of one class, cheap ones are likelier.
    #[default]
    OfOneClass,
    /// Cheap ones are likelier whatever their class, and where a dear one is drawn, a new object is likelier.
    OfAll,
}

/// An object that a sequence made.
#[derive(Debug)]
pub(crate) struct Object {
    pub snippet: Arc<Snippet>,
    /// What it looked like, where that is known.
    pub profile: Option<ObjectProfile>,
    /// What the run cost that made it.
    pub cost: u32,
}

#[derive(Debug)]
struct Group {
    kind: Kind,
    entries: Vec<Object>,
}

/// All objects of one unit.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    groups: Vec<Group>,
    by_kind: BTreeMap<Kind, usize>,
    /// Per wanted kind: the groups that fit.
    matching: BTreeMap<Kind, Vec<usize>>,
}

impl Pool {
    /// Adds an object of class `kind`. With `is_new` it replaces another where there is no room.
    pub fn insert(&mut self, kinds: &mut Kinds<'_>, rng: &mut Rng, kind: Kind, entry: Object) {
        let kind = kinds.base(kind);
        let group = self.group(kinds, kind);
        let group = &mut self.groups[group];
        if entry.profile.is_some() {
            let same = group
                .entries
                .iter()
                .enumerate()
                .filter(|(_, known)| known.profile == entry.profile);
            let same: Vec<usize> = same.map(|(index, _)| index).collect();
            if same.len() >= PROFILE_SIZE {
                let longest = same
                    .iter()
                    .max_by_key(|&&index| group.entries[index].snippet.statements.len());
                let longest = *longest.expect("at least one has this profile");
                let is_shorter = entry.snippet.statements.len()
                    < group.entries[longest].snippet.statements.len();
                let replaced = if is_shorter {
                    longest
                } else {
                    same[rng.below(same.len())]
                };
                group.entries[replaced] = entry;
                return;
            }
        }
        if group.entries.len() < GROUP_SIZE {
            group.entries.push(entry);
        } else {
            let replaced = rng.below(GROUP_SIZE);
            group.entries[replaced] = entry;
        }
    }

    /// Number of objects of exactly this class.
    pub fn count(&self, kinds: &Kinds<'_>, kind: Kind) -> usize {
        self.by_kind
            .get(&kinds.base(kind))
            .map_or(0, |&group| self.groups[group].entries.len())
    }

    /// An object that fits; none if there is none.
    pub fn draw(
        &mut self,
        kinds: &mut Kinds<'_>,
        rng: &mut Rng,
        wanted: Kind,
        thrift: Thrift,
    ) -> Option<&Object> {
        let base = kinds.base(wanted);
        if !self.matching.contains_key(&base) {
            let groups = 0..self.groups.len();
            let fitting = groups
                .filter(|&group| kinds.fits(self.groups[group].kind, base))
                .collect();
            self.matching.insert(base, fitting);
        }
        let (group, entry) = self.draw_entry(rng, &self.matching[&base], thrift)?;
        let entries = &self.groups[group].entries;
        let snippet = &entries[entry].snippet;
        if base == wanted || kinds.fits_well(snippet.known[snippet.result.index()].declared, wanted)
        {
            return Some(&entries[entry]);
        }
        entries.iter().find(|other| {
            let other = &other.snippet;
            kinds.fits_well(other.known[other.result.index()].declared, wanted)
        })
    }

    /// A group among these, and an entry of it.
    fn draw_entry(
        &self,
        rng: &mut Rng,
        groups: &[usize],
        thrift: Thrift,
    ) -> Option<(usize, usize)> {
        let of = |(group, entry): (usize, usize)| &self.groups[group].entries[entry];
        let draw = |rng: &mut Rng| {
            let group = *rng.pick(groups)?;
            let entries = self.groups[group].entries.len();
            (entries > 0).then(|| (group, rng.below(entries)))
        };
        let drawn = draw(rng)?;
        match thrift {
            Thrift::None => Some(drawn),
            Thrift::OfOneClass => {
                let other = (drawn.0, rng.below(self.groups[drawn.0].entries.len()));
                let is_cheaper = cost::of(of(other).cost) * MUCH_CHEAPER < cost::of(of(drawn).cost);
                Some(if is_cheaper { other } else { drawn })
            }
            Thrift::OfAll => {
                let drawn = [drawn, draw(rng)?, draw(rng)?];
                Some(drawn[cost::draw(rng, &drawn.map(|drawn| of(drawn).cost))])
            }
        }
    }

    /// An object of exactly this class with this profile.
    pub fn with_profile(
        &self,
        kinds: &Kinds<'_>,
        rng: &mut Rng,
        kind: Kind,
        profile: &ObjectProfile,
    ) -> Option<Arc<Snippet>> {
        let group = *self.by_kind.get(&kinds.base(kind))?;
        let entries = self.groups[group].entries.iter();
        let same: Vec<&Object> = entries
            .filter(|entry| entry.profile.as_ref() == Some(profile))
            .collect();
        rng.pick(&same).map(|entry| Arc::clone(&entry.snippet))
    }

    /// True if an object fits.
    pub fn has(&mut self, kinds: &mut Kinds<'_>, wanted: Kind) -> bool {
        let base = kinds.base(wanted);
        if let Some(known) = self.matching.get(&base) {
            return !known.is_empty();
        }
        self.groups.iter().any(|group| kinds.fits(group.kind, base))
    }

    fn group(&mut self, kinds: &mut Kinds<'_>, kind: Kind) -> usize {
        if let Some(&known) = self.by_kind.get(&kind) {
            return known;
        }
        let group = self.groups.len();
        self.groups.push(Group {
            kind,
            entries: Vec::new(),
        });
        self.by_kind.insert(kind, group);
        for (&wanted, groups) in &mut self.matching {
            if kinds.fits(kind, wanted) {
                groups.push(group);
            }
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::Known;
    use crate::tests::program;
    use palus_sequence::Variable;

    /// How often the objects of a dear class are drawn, of 2,000 draws among those of two classes.
    fn dear_ones(thrift: Thrift) -> usize {
        let program = program(&[(
            "I.java",
            "interface I {} class Cheap implements I {} class Dear implements I {}",
        )]);
        let mut kinds = Kinds::new(&program);
        let mut rng = Rng::of(1, "");
        let mut pool = Pool::default();
        for (name, cost) in [("Cheap", 0), ("Dear", 50_000)] {
            let kind = kinds.of_class(program.class_named(name).unwrap());
            let known = Known {
                declared: kind,
                actual: kind,
            };
            let snippet = Arc::new(Snippet {
                statements: Vec::new(),
                known: vec![known],
                result: Variable(0),
                states: Vec::new(),
            });
            let object = Object {
                snippet,
                profile: None,
                cost,
            };
            pool.insert(&mut kinds, &mut rng, kind, object);
        }
        let wanted = kinds.of_class(program.class_named("I").unwrap());
        let mut is_dear = || {
            let drawn = pool.draw(&mut kinds, &mut rng, wanted, thrift);
            drawn.is_some_and(|object| object.cost > 0)
        };
        (0..2_000).filter(|_| is_dear()).count()
    }

    #[test]
    fn under_thrift_a_dear_class_is_drawn_seldom_else_as_any_other() {
        for even in [Thrift::None, Thrift::OfOneClass] {
            assert!((900..1_100).contains(&dear_ones(even)), "{even:?}");
        }
        // An eighth of the draws leaves no other, and hardly any of the rest chooses it.
        let few = dear_ones(Thrift::OfAll);
        assert!((200..340).contains(&few), "{few}");
    }
}
