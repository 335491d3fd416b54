//! What was given: (name, value) pairs, and the errors of wrong ones.
//!
//! Comes in: the pairs of a plugin, and what is known of all settings. Goes out: values, or an error that names the
//! setting, what was given, what is allowed and what is nearest to it.
//! Does not know: what a setting is for.

use super::table::{Form, Setting};
use super::values::Values;
use crate::Error;
use std::collections::BTreeMap;
use strsim::osa_distance;

/// The pairs, with every name known and given no more often than it may be.
pub(super) struct Given<'a>(BTreeMap<&'a str, Vec<&'a str>>);

impl<'a> Given<'a> {
    pub(super) fn new(pairs: &'a [(String, String)], table: &[Setting]) -> Result<Self, Error> {
        let mut given: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (name, value) in pairs {
            let Some(setting) = table.iter().find(|setting| setting.name == name) else {
                return Err(unknown(name, table));
            };
            let values = given.entry(name).or_default();
            values.push(value);
            if setting.form != Form::list && values.len() > 1 {
                return Err(Error::configuration(
                    format!("the setting `{name}` is given more than once"),
                    "give it once",
                ));
            }
        }
        Ok(Given(given))
    }

    /// Its value, or that of its default.
    pub(super) fn one<T>(
        &self,
        name: &str,
        values: &impl Values<T>,
        default: &str,
    ) -> Result<T, Error> {
        Ok(match self.optional(name, values)? {
            Some(value) => value,
            None => parsed(name, values, default)?,
        })
    }

    /// Its value, if it has one.
    pub(super) fn optional<T>(
        &self,
        name: &str,
        values: &impl Values<T>,
    ) -> Result<Option<T>, Error> {
        let text = self.texts(name).first();
        text.map(|text| parsed(name, values, text)).transpose()
    }

    /// Its value, which it must have.
    pub(super) fn required<T>(&self, name: &str, values: &impl Values<T>) -> Result<T, Error> {
        self.optional(name, values)?.ok_or_else(|| {
            Error::configuration(
                format!("the setting `{name}` is missing"),
                format!("give it {}", values.allowed()),
            )
        })
    }

    /// Its values in order, or its default alone. An empty text alone is an empty list, which is no value of what has a
    /// default.
    pub(super) fn list<T>(
        &self,
        name: &str,
        values: &impl Values<T>,
        default: Option<&str>,
    ) -> Result<Vec<T>, Error> {
        let texts = match (self.texts(name), &default) {
            ([], Some(default)) => std::slice::from_ref(default),
            ([""], None) => &[],
            (texts, _) => texts,
        };
        texts
            .iter()
            .map(|text| parsed(name, values, text))
            .collect()
    }

    /// What was given by that name, in order.
    pub(super) fn texts(&self, name: &str) -> &[&'a str] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

fn parsed<T>(name: &str, values: &impl Values<T>, text: &str) -> Result<T, Error> {
    values.value(text).ok_or_else(|| {
        let allowed = values.allowed();
        if text.trim().is_empty() {
            return Error::configuration(
                format!("the setting `{name}` is empty"),
                format!("leave it out for its default, or give it one that is allowed: {allowed}"),
            );
        }
        let hint = match nearest(text.trim(), values.names()) {
            Some(nearest) => format!("allowed: {allowed}; did you mean `{nearest}`?"),
            None => format!("allowed: {allowed}"),
        };
        Error::configuration(format!("the setting `{name}` has the value `{text}`"), hint)
    })
}

fn unknown(name: &str, table: &[Setting]) -> Error {
    let names: Vec<&str> = table.iter().map(|setting| setting.name).collect();
    let hint = match nearest(name, names.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!("known settings: {}", names.join(", ")),
    };
    Error::configuration(format!("there is no setting `{name}`"), hint)
}

/// The name that has least to change, no more than half of it, until it is the given one in any case.
fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let given = given.to_lowercase();
    let distances = names
        .into_iter()
        .map(|name| (osa_distance(&name.to_lowercase(), &given), name));
    let near = distances.filter(|(distance, name)| distance * 2 <= name.len());
    near.min_by_key(|&(distance, _)| distance)
        .map(|(_, name)| name)
}
