//! Casts: what each use of a variable needs so that the compiler takes the member and overload that was run.
//!
//! Comes in: a statement and the declared types of the variables before it. Goes out: casts of its receiver and
//! arguments, or why there are none. Does not know: how type arguments were chosen.

use super::{Refusal, Typer, View, is_inner_construction, is_nameable, type_of};
use crate::generic::{
    Position, as_super, bindings_of, boxed, class, erased, is_raw, is_subtype, object, plain,
    substitute, with_wildcards,
};
use crate::overload;
use palus_bytecode::{ClassId, FieldId, Method, Type, TypeSignature};
use palus_sequence::{
    Statement, Value, Variable, can_be_stubbed, is_recorded, is_thrown, open_methods,
};

impl Typer<'_> {
    /// Receiver cast and argument casts of a statement.
    pub(super) fn casts(
        &self,
        index: usize,
        statement: &Statement,
        declared: &[TypeSignature],
    ) -> Result<(Option<TypeSignature>, Vec<Option<TypeSignature>>), Refusal> {
        match statement {
            Statement::Value(value) => self.nameable_value(value).map(|()| (None, Vec::new())),
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let method = overload::unbridged(self.program, self.program.method(*method));
                let mut receiver_cast = self.owner_cast(method.class, *receiver, declared)?;
                if receiver_cast.is_none() && self.is_hidden(method, *receiver, declared) {
                    receiver_cast = Some(self.any_of(method.class));
                }
                if !self.is_member_accessible(method, *receiver, receiver_cast.as_ref(), declared) {
                    return Err(Refusal::Unwritable);
                }
                let view = self.view(index, method, *receiver, arguments, declared)?;
                let mut casts = Vec::with_capacity(arguments.len());
                let mut wanted_types = Vec::with_capacity(arguments.len());
                for (position, &argument) in arguments.iter().enumerate() {
                    let wanted = self.parameter(method, &view, position);
                    let wanted = match wanted {
                        Some(wanted) => wanted,
                        None if self.is_null(argument)
                            && (self.is_raw || view.bindings.is_some()) =>
                        {
                            plain(&method.method_type.parameters[position])
                        }
                        None => return Err(Refusal::NeedsRaw),
                    };
                    let mut cast = self.conversion(argument, &wanted, declared)?;
                    if cast.is_none()
                        && self.needs_erasure(&view, position, argument, &wanted, declared)
                    {
                        cast = Some(wanted.clone());
                    }
                    casts.push(cast);
                    wanted_types.push(wanted);
                }
                if is_inner_construction(self.program, method) && self.is_null(arguments[0]) {
                    return Err(Refusal::Unwritable);
                }
                self.choose_overload(
                    method,
                    *receiver,
                    arguments,
                    declared,
                    &wanted_types,
                    &mut casts,
                )?;
                Ok((receiver_cast, casts))
            }
            Statement::NewArray { element, elements } => {
                let wanted = plain(element);
                if !is_nameable(self.program, self.package, &wanted) {
                    return Err(Refusal::Unwritable);
                }
                let wanted = if self.is_raw {
                    wanted
                } else {
                    with_wildcards(self.program, &wanted)
                };
                let casts = elements
                    .iter()
                    .map(|&one| self.conversion(one, &wanted, declared));
                Ok((None, casts.collect::<Result<_, _>>()?))
            }
            Statement::GetField { field, receiver } => {
                Ok((self.field_owner(*field, *receiver, declared)?, Vec::new()))
            }
            Statement::SetField {
                field,
                receiver,
                value,
            } => {
                let cast = self.field_owner(*field, *receiver, declared)?;
                let owner = receiver.map(|receiver| type_of(declared, receiver));
                let wanted = self.field_type(*field, owner.as_ref(), Position::Passed)?;
                if self.program.field(*field).access.is_final() {
                    return Err(Refusal::Unwritable);
                }
                Ok((cast, vec![self.conversion(*value, &wanted, declared)?]))
            }
            Statement::Stub { class, answers } => {
                Ok((None, self.answers(index, *class, answers, declared)?))
            }
        }
    }

    /// Casts of what a stub returns; what it throws, or keeps its calls in, needs none.
    fn answers(
        &self,
        index: usize,
        stubbed: ClassId,
        answers: &[Option<Variable>],
        declared: &[TypeSignature],
    ) -> Result<Vec<Option<TypeSignature>>, Refusal> {
        let own = self.constructed(index, stubbed)?;
        let can = can_be_stubbed(self.program, stubbed, self.package)
            && is_nameable(self.program, self.package, &own);
        if !can {
            return Err(Refusal::Unwritable);
        }
        let mut casts = Vec::new();
        for (method, answer) in open_methods(self.program, stubbed).into_iter().zip(answers) {
            let (method, Some(answer)) = (self.program.method(method), answer) else {
                continue;
            };
            let of = self.sequence.type_of(self.program, *answer);
            casts.push(
                if is_thrown(self.program, method, &of) || is_recorded(method, &of) {
                    None
                } else {
                    let wanted = self.open_return(method, &own).ok_or(Refusal::NeedsRaw)?;
                    self.conversion(*answer, &wanted, declared)?
                },
            );
        }
        Ok(casts)
    }

    /// True for an argument that fits its parameter only by erasure, in a test with raw types: one of a bounded type
    /// variable, for which the compiler could infer a type that breaks the bound, or one of a class that fixes other
    /// type arguments. The compiler accepts the erased type itself, unchecked.
    pub(super) fn needs_erasure(
        &self,
        view: &View,
        position: usize,
        argument: Variable,
        wanted: &TypeSignature,
        declared: &[TypeSignature],
    ) -> bool {
        let from = type_of(declared, argument);
        let is_candidate = self.is_raw
            && !self.is_null(argument)
            && *wanted != object()
            && from != *wanted
            && is_nameable(self.program, self.package, wanted);
        let formal = &view.parameters[position];
        is_candidate
            && match (formal, &view.bindings) {
                (TypeSignature::Variable(_), _) => view.is_generic_method,
                (TypeSignature::Class { name, arguments }, Some(bindings))
                    if !arguments.is_empty() =>
                {
                    let has_arguments = matches!(as_super(self.program, &from, name),
                        Some(TypeSignature::Class { arguments, .. }) if !arguments.is_empty());
                    has_arguments
                        && !substitute(formal, bindings, Position::Passed)
                            .is_some_and(|formal| is_subtype(self.program, &from, &formal))
                }
                _ => false,
            }
    }

    pub(super) fn open_return(
        &self,
        method: &Method,
        own: &TypeSignature,
    ) -> Option<TypeSignature> {
        let erased_type = plain(&method.method_type.returns);
        let Some(signature) = method.signature.as_ref().filter(|_| !self.is_raw) else {
            return Some(erased_type);
        };
        let owner = as_super(self.program, own, &self.program.class(method.class).name)?;
        substitute(
            &signature.returns,
            &bindings_of(self.program, &owner)?,
            Position::Passed,
        )
    }

    pub(super) fn parameter(
        &self,
        method: &Method,
        view: &View,
        position: usize,
    ) -> Option<TypeSignature> {
        let erased_type = plain(&method.method_type.parameters[position]);
        if self.is_raw && view.is_generic_method {
            return Some(erased_type);
        }
        let seen = view.bindings.as_ref().and_then(|bindings| {
            substitute(&view.parameters[position], bindings, Position::Passed)
        });
        if self.is_raw {
            return Some(seen.map_or(erased_type, |seen| plain(&erased(&seen))));
        }
        seen
    }

    pub(super) fn nameable_value(&self, value: &Value) -> Result<(), Refusal> {
        let can = match value {
            Value::EnumConstant { class, name } => {
                self.program
                    .is_constant_accessible(*class, name, self.package)
            }
            Value::ClassLiteral(literal) => {
                is_nameable(self.program, self.package, &plain(literal))
            }
            Value::StaticField(field) => return self.field_owner(*field, None, &[]).map(|_| ()),
            _ => true,
        };
        if can {
            Ok(())
        } else {
            Err(Refusal::Unwritable)
        }
    }

    pub(super) fn field_owner(
        &self,
        field: FieldId,
        receiver: Option<Variable>,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let field = self.program.field(field);
        let here = self.program.package(field.class) == self.package;
        let member = field.access.is_public() || (here && !field.access.is_private());
        if !member
            || field.access.is_synthetic()
            || (receiver.is_none() && !self.program.is_class_accessible(field.class, self.package))
        {
            return Err(Refusal::Unwritable);
        }
        self.owner_cast(field.class, receiver, declared)
    }

    /// Cast of a receiver to the class that declares a member, where its own type does not have it.
    pub(super) fn owner_cast(
        &self,
        owner: ClassId,
        receiver: Option<Variable>,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let Some(receiver) = receiver else {
            return Ok(None);
        };
        let own = type_of(declared, receiver);
        let wanted = class(&self.program.class(owner).name, Vec::new());
        if self.is_null(receiver) || matches!(own, TypeSignature::Plain(_)) {
            return Err(Refusal::Unwritable);
        }
        if is_subtype(self.program, &own, &wanted) {
            return Ok(None);
        }
        if !is_nameable(self.program, self.package, &wanted) {
            return Err(Refusal::Unwritable);
        }
        if !overload::may_cast(self.program, &erased(&own), &erased(&wanted)) {
            return Err(self.refusal());
        }
        Ok(Some(self.any_of(owner)))
    }

    /// A class as a type, whatever its type arguments.
    fn any_of(&self, id: ClassId) -> TypeSignature {
        let plain = class(&self.program.class(id).name, Vec::new());
        if self.is_raw {
            plain
        } else {
            with_wildcards(self.program, &plain)
        }
    }

    /// True where the receiver's own type has another declaration of the method, which tests may not call: a protected
    /// one of another package.
    fn is_hidden(
        &self,
        method: &Method,
        receiver: Option<Variable>,
        declared: &[TypeSignature],
    ) -> bool {
        if method.access.is_public() || method.access.is_static() || method.is_constructor() {
            return false;
        }
        let own = receiver.map(|receiver| erased(&type_of(declared, receiver)));
        let own = own.and_then(|own| self.program.class_named(own.class_name()?));
        let nearest = own.and_then(|own| {
            let supertypes = self.program.supertypes(own);
            supertypes.into_iter().find_map(|parent| {
                self.program
                    .declared_method(parent, &method.name, &method.descriptor)
            })
        });
        nearest.is_some_and(|id| !self.program.is_method_accessible(id, self.package))
    }

    pub(super) fn refusal(&self) -> Refusal {
        if self.is_raw {
            Refusal::Unwritable
        } else {
            Refusal::NeedsRaw
        }
    }

    pub(super) fn is_member_accessible(
        &self,
        method: &Method,
        receiver: Option<Variable>,
        cast: Option<&TypeSignature>,
        declared: &[TypeSignature],
    ) -> bool {
        if self.program.is_method_accessible(method.id, self.package) {
            return true;
        }
        // A public member of a class that cannot be named is inherited by one that can; the compiler may have put a
        // bridge there.
        let is_written = !method.access.is_synthetic()
            || self
                .program
                .supertypes(method.class)
                .iter()
                .any(|&ancestor| {
                    let declared =
                        self.program
                            .declared_method(ancestor, &method.name, &method.descriptor);
                    declared.is_some_and(|id| !self.program.method(id).access.is_synthetic())
                });
        let inherited = method.access.is_public() && is_written && cast.is_none();
        inherited
            && receiver.is_some_and(|receiver| {
                is_nameable(
                    self.program,
                    self.package,
                    &plain(&erased(&type_of(declared, receiver))),
                )
            })
    }

    /// The cast that makes a variable fit a wanted type.
    pub(super) fn conversion(
        &self,
        variable: Variable,
        wanted: &TypeSignature,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let program = self.program;
        let from = type_of(declared, variable);
        let refuse = self.refusal();
        match (&from, wanted) {
            _ if self.is_null(variable) => {
                if matches!(wanted, TypeSignature::Plain(_)) {
                    Err(Refusal::Unwritable)
                } else {
                    Ok(None)
                }
            }
            (TypeSignature::Plain(from), TypeSignature::Plain(to)) => {
                if overload::widens(from, to) {
                    Ok(None)
                } else {
                    Err(Refusal::Unwritable)
                }
            }
            (TypeSignature::Plain(_), _) => {
                if is_subtype(program, &boxed(&from), wanted) {
                    Ok(None)
                } else {
                    Err(refuse)
                }
            }
            (_, TypeSignature::Plain(to)) => {
                if erased(&from)
                    .unboxed()
                    .is_some_and(|inner| overload::widens(&inner, to))
                {
                    return Ok(None);
                }
                let wanted = boxed(wanted);
                let can = overload::may_cast(program, &erased(&from), &erased(&wanted));
                if can { Ok(Some(wanted)) } else { Err(refuse) }
            }
            _ if is_subtype(program, &from, wanted) => Ok(None),
            _ => {
                let erased_wanted = plain(&erased(wanted));
                let assignable = program.is_assignable(&erased(&from), &erased(wanted));
                if assignable && self.is_raw && is_raw(program, &from) {
                    return Ok(None);
                }
                let cast = if self.is_raw {
                    erased_wanted
                } else {
                    with_wildcards(program, &erased_wanted)
                };
                if !is_nameable(program, self.package, &cast) {
                    return Err(Refusal::Unwritable);
                }
                if !overload::may_cast(program, &erased(&from), &erased(wanted)) {
                    return Err(refuse);
                }
                if self.is_raw || (!assignable && is_subtype(program, &cast, wanted)) {
                    return Ok(Some(cast));
                }
                Err(Refusal::NeedsRaw)
            }
        }
    }

    /// Adds casts where the compiler would take another overload or none.
    pub(super) fn choose_overload(
        &self,
        method: &Method,
        receiver: Option<Variable>,
        arguments: &[Variable],
        declared: &[TypeSignature],
        wanted: &[TypeSignature],
        casts: &mut [Option<TypeSignature>],
    ) -> Result<(), Refusal> {
        let given: Vec<Option<Type>> = arguments
            .iter()
            .zip(casts.iter())
            .map(|(&argument, cast)| match cast {
                Some(cast) => Some(erased(cast)),
                None if self.is_null(argument) => None,
                None => Some(erased(&type_of(declared, argument))),
            })
            .collect();
        let seen_from = match receiver.map(|receiver| erased(&type_of(declared, receiver))) {
            Some(Type::Object(name)) => self.program.class_named(&name).unwrap_or(method.class),
            _ => method.class,
        };
        let must = overload::casts(self.program, self.package, method, seen_from, &given);
        for (position, must) in must.into_iter().enumerate() {
            if !must {
                continue;
            }
            let cast = wanted[position].clone();
            if given[position].as_ref() == Some(&erased(&cast)) {
                continue; // to what it is: the type that stands for a type variable
            }
            if !is_nameable(self.program, self.package, &cast) {
                return Err(Refusal::Unwritable);
            }
            casts[position] = Some(cast);
        }
        Ok(())
    }
}
