//! What calls need and run, found once each.
//!
//! Comes in: a method, and the kind of the object it is called on. Goes out: the kinds of its parameters and result, the
//! body that runs; for a kind, the methods to call on it.
//! Does not know: arguments, outcomes.

use crate::generics::{Resolved, is_drawn, is_generic, resolve};
use crate::kinds::{Kind, Kinds};
use crate::rng::Rng;
use crate::target::instance_methods;
use palus_bytecode::{ClassId, MethodId, Program};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What was found so far.
#[derive(Debug)]
pub(crate) struct Signatures {
    /// Per method without type variables.
    resolved: Vec<Option<Arc<Resolved>>>,
    /// Kinds of calls in which type variables stand, by what binds these.
    resolved_for: BTreeMap<(MethodId, Option<Kind>, Option<Kind>), Arc<Resolved>>,
    instance: BTreeMap<Kind, Arc<[MethodId]>>,
    bodies: BTreeMap<(Kind, MethodId), Option<MethodId>>,
}

impl Signatures {
    /// Nothing was looked for.
    pub fn new(program: &Program) -> Signatures {
        Signatures {
            resolved: vec![None; program.methods().len()],
            resolved_for: BTreeMap::new(),
            instance: BTreeMap::new(),
            bodies: BTreeMap::new(),
        }
    }

    /// Kinds of a call's parameters and result; type variables that nothing binds are drawn, each time anew.
    pub fn resolve(
        &mut self,
        program: &Program,
        kinds: &mut Kinds<'_>,
        rng: &mut Rng,
        method: MethodId,
        receiver: Option<Kind>,
        wanted: Option<Kind>,
    ) -> Arc<Resolved> {
        if let Some(known) = &self.resolved[method.index()] {
            return Arc::clone(known);
        }
        let declared = program.method(method);
        let is_generic = is_generic(program, declared);
        if is_generic && let Some(known) = self.resolved_for.get(&(method, receiver, wanted)) {
            return Arc::clone(known);
        }
        let found = Arc::new(resolve(program, kinds, rng, declared, receiver, wanted));
        if !is_generic {
            self.resolved[method.index()] = Some(Arc::clone(&found));
        } else if !is_drawn(declared) {
            let key = (method, receiver, wanted);
            self.resolved_for.insert(key, Arc::clone(&found));
        }
        found
    }

    /// Methods to call on an object of a class.
    pub fn instance_methods(
        &mut self,
        program: &Program,
        kinds: &Kinds<'_>,
        package: &str,
        kind: Kind,
    ) -> Arc<[MethodId]> {
        let kind = kinds.base(kind);
        if let Some(known) = self.instance.get(&kind) {
            return Arc::clone(known);
        }
        let class: Option<ClassId> = kinds.class(kind);
        let found: Arc<[MethodId]> = class
            .map_or_else(Vec::new, |class| instance_methods(program, class, package))
            .into();
        self.instance.insert(kind, Arc::clone(&found));
        found
    }

    /// The body that runs when a method is called on an object of a class.
    pub fn body(
        &mut self,
        program: &Program,
        kinds: &Kinds<'_>,
        kind: Kind,
        method: MethodId,
    ) -> Option<MethodId> {
        let kind = kinds.base(kind);
        *self.bodies.entry((kind, method)).or_insert_with(|| {
            let declared = program.method(method);
            program.find_method(kinds.class(kind)?, &declared.name, &declared.descriptor)
        })
    }
}
