//! What traces show of the subject's methods beside its models.
//!
//! Comes in: the subject's methods, models of other classes, static calls in no model. Goes out: per method what was seen.
//! Does not know: how such a call is made again (`direct.rs`).

use super::edges::Observed;
use crate::maker::Maker;
use palus_bytecode::MethodId;
use std::sync::Arc;

/// Methods of the subject with what was seen of them.
#[derive(Debug, Default)]
pub(crate) struct Direct<'a> {
    methods: Vec<(MethodId, Arc<Observed<'a>>)>,
}

impl<'a> Direct<'a> {
    /// What was seen of the subject's methods: of static ones, and of all where the subject has no model to walk.
    pub fn of(maker: &Maker<'a>, has_model: bool) -> Direct<'a> {
        let (program, models) = (maker.program(), maker.unit().models);
        let mut methods = Vec::new();
        for target in maker.calls().targets() {
            let method = target.implementation;
            let is_static = program.method(method).access.is_static();
            if (has_model && !is_static) || methods.iter().any(|(known, _)| *known == method) {
                continue;
            }
            let seen = Observed::of(models.edges_of(method)).and(models.static_calls(method));
            if seen.len() > 0 {
                methods.push((method, Arc::new(seen)));
            }
        }
        Direct { methods }
    }

    /// True if nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty()
    }

    /// The methods, with what was seen of each.
    pub fn methods(&self) -> &[(MethodId, Arc<Observed<'a>>)] {
        &self.methods
    }

    /// All that was seen.
    pub fn seen(&self) -> impl Iterator<Item = &Observed<'a>> {
        self.methods.iter().map(|(_, seen)| &**seen)
    }
}
