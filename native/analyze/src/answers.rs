//! Who asks for what differs between machines and runs, and who answers by it.
//!
//! Comes in: a program and what its bodies call. Goes out: static fields that were filled by asking; methods that ask, or
//! read such a field; methods whose result depends on an answer.
//! Does not know: who reaches out.

use crate::asked_fields::{self, reads};
use crate::call_sites::Calls;
use palus_bytecode::{FieldId, Method, MethodId, Origin, Program, Type};
use std::collections::BTreeSet;

impl Calls {
    /// Static fields that are filled by asking, also by reading others; and per method, whether it asks or answers by one.
    pub(crate) fn asked_fields(
        &self,
        program: &Program,
        leading_to_ask: &[bool],
    ) -> (BTreeSet<FieldId>, Vec<bool>) {
        let ours = |method: &&Method| {
            self.is_near(method) && program.class(method.class).origin != Origin::Platform
        };
        let methods: Vec<&Method> = program.methods().iter().filter(ours).collect();
        let mut found = BTreeSet::new();
        let mut answering = leading_to_ask.to_vec();
        loop {
            let before = found.len();
            let mut is_more = false;
            for method in &methods {
                let Some(code) = &method.code else { continue };
                let sites = self.sites[method.id.index()].iter();
                let asking = sites.filter(|site| {
                    let is_answer = |target: &MethodId| {
                        leading_to_ask[target.index()]
                            || site.is_sure() && answering[target.index()]
                    };
                    site.is_asking || site.targets.iter().any(is_answer)
                });
                let mut asking: BTreeSet<u32> = asking.map(|site| site.instruction).collect();
                asking.extend(reads(program, code, &found));
                if asking.is_empty() {
                    continue;
                }
                let fields = asked_fields::filled(method, code, &asking).into_iter();
                found.extend(fields.filter_map(|field| program.resolve_field(field)));
                let answer = &mut answering[method.id.index()];
                if !*answer && asked_fields::answers(method, code, &asking) {
                    *answer = true;
                    is_more = true;
                }
            }
            if found.len() == before && !is_more {
                return (found, answering);
            }
        }
    }

    /// Per method: true if it asks by itself or through libraries, or reads one of the fields.
    pub(crate) fn all_asking(
        &self,
        program: &Program,
        answering: &[bool],
        fields: &BTreeSet<FieldId>,
    ) -> Vec<bool> {
        // An initialiser answers by the fields that it fills.
        let is_library = |target: &MethodId| {
            let method = program.method(*target);
            !method.is_initializer() && program.class(method.class).origin != Origin::Subject
        };
        let methods = program.methods().iter();
        let asks = methods.map(|method| {
            let mut sure = self.sites[method.id.index()]
                .iter()
                .filter(|site| site.is_sure());
            let code = method.code.as_ref();
            self.asking[method.id.index()]
                || sure.any(|site| {
                    let mut targets = site.targets.iter();
                    targets.any(|target| is_library(target) && answering[target.index()])
                })
                || code.is_some_and(|code| reads(program, code, fields).next().is_some())
        });
        asks.collect()
    }

    /// Per method: true if what it returns depends on what it asked, or on an answer or a field of that kind.
    pub(crate) fn returning(&self, program: &Program, fields: &BTreeSet<FieldId>) -> Vec<bool> {
        let mut returning = vec![false; self.sites.len()];
        loop {
            let mut is_more = false;
            for method in program.methods() {
                let Some(code) = &method.code else { continue };
                if returning[method.id.index()] || !self.is_near(method) {
                    continue;
                }
                let asking = self.answers(program, method, &returning);
                let asking: BTreeSet<u32> = asking.chain(reads(program, code, fields)).collect();
                if !asking.is_empty() && asked_fields::answers(method, code, &asking) {
                    returning[method.id.index()] = true;
                    is_more = true;
                }
            }
            if !is_more {
                return returning;
            }
        }
    }

    /// Instructions of a body that ask, or are given an answer. A library's object is none: a logger says what it was
    /// told to, whatever it has read.
    pub(crate) fn answers(
        &self,
        program: &Program,
        method: &Method,
        returning: &[bool],
    ) -> impl Iterator<Item = u32> {
        let is_answer = |target: &MethodId| {
            let called = program.method(*target);
            let is_subject = program.class(called.class).origin == Origin::Subject;
            returning[target.index()] && (is_subject || returns_value(program, called))
        };
        let sites = self.sites[method.id.index()].iter();
        sites
            .filter(move |site| {
                site.is_asking || site.is_sure() && site.targets.iter().any(is_answer)
            })
            .map(|site| site.instruction)
    }
}

/// True if a method returns what the program can compare: a number, a text, or another object of the JDK's.
fn returns_value(program: &Program, method: &Method) -> bool {
    let mut returned = &method.method_type.returns;
    while let Type::Array(element) = returned {
        returned = element;
    }
    let Type::Object(name) = returned else {
        return true;
    };
    let class = program.class_named(name);
    class.is_none_or(|class| program.class(class).origin == Origin::Platform)
}
