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

/// Of two objects drawn, one that costs so many times less is taken for it.
const MUCH_CHEAPER: u64 = 4;

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
#[derive(Debug)]
pub(crate) struct Pool {
    prefers_cheap: bool,
    groups: Vec<Group>,
    by_kind: BTreeMap<Kind, usize>,
    /// Per wanted kind: the groups that fit.
    matching: BTreeMap<Kind, Vec<usize>>,
}

impl Pool {
    /// An empty pool; one that prefers the cheap draws twice where others draw once.
    pub fn new(prefers_cheap: bool) -> Self {
        Pool {
            prefers_cheap,
            groups: Vec::new(),
            by_kind: BTreeMap::new(),
            matching: BTreeMap::new(),
        }
    }

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
    ) -> Option<Arc<Snippet>> {
        let base = kinds.base(wanted);
        if !self.matching.contains_key(&base) {
            let groups = 0..self.groups.len();
            let fitting = groups
                .filter(|&group| kinds.fits(self.groups[group].kind, base))
                .collect();
            self.matching.insert(base, fitting);
        }
        let groups = &self.matching[&base];
        let entries = &self.groups[*rng.pick(groups)?].entries;
        let mut drawn = rng.pick(entries)?;
        if self.prefers_cheap {
            let other = rng.pick(entries)?;
            if cost::of(other.cost) * MUCH_CHEAPER < cost::of(drawn.cost) {
                drawn = other;
            }
        }
        let snippet = &drawn.snippet;
        if base == wanted || kinds.fits_well(snippet.known[snippet.result.index()].declared, wanted)
        {
            return Some(Arc::clone(snippet));
        }
        let others = entries.iter().map(|entry| &entry.snippet);
        let mut others = others
            .filter(|other| kinds.fits_well(other.known[other.result.index()].declared, wanted));
        others.next().map(Arc::clone)
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
