//! Object profiles as the trace brings them.
//!
//! Comes in: the codes that the agent computed from an object's fields when a call began.
//! Goes out: shared [`ObjectProfile`]s, one allocation per distinct profile.
//! Does not know: fields or classes; two profiles mean something only for the same runtime class.
//!
//! A connection with url, user, tsql and driver set has the profile {non-null, non-null, non-null, non-null}; one from
//! the empty constructor has {null, null, null, null}, so that a search by the first never finds the second (Zhang,
//! Saff, Bu, Ernst, ISSTA 2011, section 3.1.3).

use crate::table::Table;
use palus_sequence::{AbstractValue, ObjectProfile};
use palus_wire::trace::RawProfile;

/// Number of a distinct profile; 0 stands for none.
pub(crate) type ProfileId = u32;

/// All distinct profiles.
#[derive(Debug, Default)]
pub(crate) struct Profiles {
    known: Table<Box<[u16]>, ProfileId>,
    /// Known ones by the bytes that they have in files, so that the common case decodes nothing.
    encoded: Table<Box<[u8]>, ProfileId>,
    all: Vec<ObjectProfile>,
}

impl Profiles {
    /// The number of the profile with these codes.
    pub fn id(&mut self, codes: Option<&[u16]>) -> ProfileId {
        let Some(codes) = codes else { return 0 };
        if let Some(&id) = self.known.get(codes) {
            return id;
        }
        self.all.push(ObjectProfile(
            codes.iter().map(|&code| AbstractValue(code)).collect(),
        ));
        let id = self.all.len() as ProfileId;
        self.known.insert(codes.into(), id);
        id
    }

    /// The number of a profile as it stands in a file.
    pub fn raw_id(&mut self, profile: Option<RawProfile<'_>>) -> ProfileId {
        let Some(profile) = profile else { return 0 };
        if let Some(&id) = self.encoded.get(profile.bytes()) {
            return id;
        }
        let id = self.id(Some(&profile.codes()));
        self.encoded.insert(profile.bytes().into(), id);
        id
    }

    /// The profile with this number.
    pub fn get(&self, id: ProfileId) -> Option<ObjectProfile> {
        let index = (id as usize).checked_sub(1)?;
        Some(self.all[index].clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_sequence::AbstractValue as A;

    #[test]
    fn a_complete_and_an_empty_connection_differ() {
        let mut profiles = Profiles::default();
        let complete = profiles.id(Some(&[1, 1, 1, 1]));
        let empty = profiles.id(Some(&[0, 0, 0, 0]));
        assert_ne!(profiles.get(complete), profiles.get(empty));
        assert_eq!(profiles.id(Some(&[1, 1, 1, 1])), complete);
        assert_eq!(
            profiles.get(complete).unwrap().0.as_ref(),
            [AbstractValue::NON_NULL; 4]
        );
        assert_eq!(
            profiles.get(empty).unwrap().0.as_ref(),
            [AbstractValue::NULL; 4]
        );
    }

    #[test]
    fn numbers_arrays_and_enums_keep_their_own_values() {
        let mut profiles = Profiles::default();
        let id = profiles.id(Some(&[2, 3, 4, 6, 7, 8, 10, 16]));
        assert_eq!(
            profiles.get(id).unwrap().0.as_ref(),
            [
                A::NEGATIVE,
                A::ZERO,
                A::POSITIVE,
                A::EMPTY,
                A::CONTAINS_NULL,
                A::OTHER,
                A::TRUE,
                A::enum_constant(0)
            ]
        );
        assert_eq!(profiles.get(profiles.known.len() as u32 - 1), None);
    }

    #[test]
    fn an_object_whose_fields_were_not_read_has_none() {
        let mut profiles = Profiles::default();
        let id = profiles.id(None);
        assert_eq!(profiles.get(id), None);
    }
}
