//! Lambdas and method references of the subject, and where they may be called.
//!
//! Comes in: a program. Goes out: [`Lambdas`]: which of them a call of an interface's method, a field of an interface's
//! type, or a static field of a class may lead to. Nobody follows the objects: a name, a type or a class is enough.
//! Does not know: what they do.
//!
//! ```text
//! static final List<Consumer<File>> STEPS = List.of(f -> {}, File::delete);
//! void nightly() { STEPS.forEach(step -> step.accept(LEDGER)); }    // `accept` may be File::delete, and STEPS holds it
//! ```

use palus_bytecode::{
    ClassId, DynamicCall, FieldName, InvokeKind, MethodName, Operation, Origin, Program, Type,
};
use std::collections::BTreeMap;

/// Lambdas of a program, by where they may be called.
#[derive(Debug, Default)]
pub(crate) struct Lambdas<'a> {
    called_as: BTreeMap<&'a str, Vec<&'a MethodName>>,
    of_interface: BTreeMap<&'a str, Vec<&'a MethodName>>,
    made_by: BTreeMap<ClassId, Vec<&'a MethodName>>,
}

impl<'a> Lambdas<'a> {
    /// Of all bodies of the subject.
    pub fn of(program: &'a Program) -> Lambdas<'a> {
        let mut found = Lambdas::default();
        for method in program.methods() {
            let is_own = program.class(method.class).origin == Origin::Subject;
            let Some(code) = method.code.as_ref().filter(|_| is_own) else {
                continue;
            };
            for instruction in &code.instructions {
                let Operation::InvokeDynamic(site) = &instruction.operation else {
                    continue;
                };
                let Some(body) = &site.implementation else {
                    continue;
                };
                found.called_as.entry(&site.name).or_default().push(body);
                if let Some(interface) = interface(site) {
                    found.of_interface.entry(interface).or_default().push(body);
                }
                if method.is_initializer() {
                    let made = found.made_by.entry(method.class);
                    made.or_default().push(body);
                }
            }
        }
        found
    }

    /// What a call may run.
    pub fn called(&self, kind: InvokeKind, named: &MethodName) -> &[&'a MethodName] {
        let known = self.called_as.get(&*named.name);
        known
            .filter(|_| kind == InvokeKind::Interface)
            .map_or(&[], Vec::as_slice)
    }

    /// What a field that is read may hold, for whoever gets it to call.
    pub fn held(
        &self,
        program: &Program,
        field: &FieldName,
        is_static: bool,
    ) -> impl Iterator<Item = &'a MethodName> {
        let interface = match &field.field_type {
            Type::Object(name) => Some(&**name),
            _ => None,
        };
        let of_type = interface.and_then(|name| self.of_interface.get(name));
        let may_hold = is_static && may_hold(&field.field_type);
        let owner = program.class_named(&field.owner).filter(|_| may_hold);
        let of_class = owner.and_then(|owner| self.made_by.get(&owner));
        let either = of_type.into_iter().chain(of_class);
        either.flatten().copied()
    }
}

/// True for a type whose objects may lead to others.
fn may_hold(of: &Type) -> bool {
    of.is_reference() && !matches!(of, Type::Object(name) if &**name == "java/lang/String")
}

/// The interface that a lambda implements.
fn interface(site: &DynamicCall) -> Option<&str> {
    let (_, result) = site.descriptor.rsplit_once(")L")?;
    result.strip_suffix(';')
}
