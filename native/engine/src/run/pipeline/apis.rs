//! What a run learned of APIs, beside what earlier runs did.
//!
//! Comes in: finished units. Goes out: the file of protocols, and unsafe uses. Where protocols changed, classes that were
//! set aside and may use these unsafely are worked on again by the next run: only this one's are judged now.
//! Does not know: how protocols are mined and checked (see `run/protocols.rs`).

use super::Pipeline;
use crate::run::protocols::{UnsafeUses, changed, judge};
use crate::run::state::protocols_file;
use crate::run::unit::UnitResult;
use crate::subject::apis::Apis;
use crate::subject::project::Project;
use crate::write::disk::{replace, unwritable};
use crate::{Error, message};
use palus_protocols::Protocols;

impl Pipeline<'_> {
    /// Adds what was learned of APIs to what earlier runs did; gives the unsafe uses.
    pub(super) fn protocols(
        &mut self,
        project: &Project,
        apis: &Apis,
        units: &mut [UnitResult],
    ) -> Result<UnsafeUses, Error> {
        for name in &apis.unknown {
            self.warn(&message::no_api(name));
        }
        let file = protocols_file(self.settings);
        let known = std::fs::read_to_string(&file).ok();
        let known = known.map(|text| Protocols::from_json(&text));
        let mut protocols = match known.transpose() {
            Ok(known) => known.unwrap_or_default(),
            Err(error) => {
                self.warn(&message::protocols_anew(&file, &error.to_string()));
                Protocols::default()
            }
        };
        for unit in &*units {
            let suspects = unit.learned.suspects();
            self.aside.suspects.insert(unit.subject, suspects);
        }
        let before = protocols.clone();
        let learned = units
            .iter_mut()
            .map(|unit| std::mem::take(&mut unit.learned));
        let unsafe_uses = judge(&project.program, apis, &mut protocols, learned);
        let changed = changed(&before, &protocols);
        let aside = self.aside.classes_left(&project.program).into_iter();
        let rejudged = aside.filter(|left| !left.suspects.is_disjoint(&changed));
        let rejudged: Vec<String> = rejudged.map(|left| left.name).collect();
        self.reproducible &= rejudged.is_empty();
        self.aside.again.extend(rejudged);
        if protocols.iter().next().is_none() {
            return Ok(unsafe_uses);
        }
        replace(&file, &protocols.to_json()).map_err(|error| unwritable(&file, &error))?;
        let sequences = protocols
            .iter()
            .map(|one| one.support().generated_sequences);
        let learned = palus_report::ProtocolsReport {
            file: message::shown_in(&self.settings.project_directory, &file),
            protocols: protocols.iter().count() as u64,
            sequences: sequences.max().unwrap_or_default(),
        };
        self.info(&message::line("protocols", &message::protocols(&learned)));
        self.report.protocols = Some(learned);
        Ok(unsafe_uses)
    }
}
