//! Static types of a sequence's variables in source text, and the casts its uses need.
//!
//! Comes in: a sequence and the package of its test. Goes out: a [`Typing`], or why there is none.
//! First the variables get exact type arguments inferred from their uses (`List<String> list = new ArrayList<>()`);
//! where that does not compile without unchecked conversions, the whole test uses raw types under a
//! `@SuppressWarnings`. Does not know: names, text, assertions.

use crate::generic::{
    Bindings, Hints, Position, as_super, bindings_of, boxed, class, erased, exact, is_raw, is_subtype, object,
    parameters, plain, substitute, with_wildcards,
};
use crate::overload;
use palus_bytecode::{ClassId, FieldId, Method, Program, Type, TypeSignature};
use palus_sequence::{Sequence, Statement, Value, Variable};
use std::collections::BTreeMap;

/// Static types and casts of one sequence.
#[derive(Clone, Debug)]
pub(crate) struct Typing {
    /// Type with which each variable is declared; `void` where it holds nothing.
    pub declared: Vec<TypeSignature>,
    /// Cast of each statement's receiver.
    pub receivers: Vec<Option<TypeSignature>>,
    /// Casts of each statement's arguments, elements, assigned value or lambda result.
    pub arguments: Vec<Vec<Option<TypeSignature>>>,
    /// Type arguments of each call of a generic method which compilers before Java 8 cannot infer; else empty.
    pub witnesses: Vec<Vec<TypeSignature>>,
    /// True if raw types or unchecked conversions may occur.
    pub is_raw: bool,
}

/// Why a sequence cannot be typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Only with raw types.
    NeedsRaw,
    /// Not in source text of this package.
    Unwritable,
}

/// How a sequence looks in source text of a package; none when it cannot be written there.
pub(crate) fn type_sequence(program: &Program, package: &str, sequence: &Sequence) -> Option<Typing> {
    let typer = |is_raw| Typer { program, package, sequence, is_raw, plans: BTreeMap::new() };
    let mut typed = typer(false);
    typed.plans = typed.plan(true);
    match typed.run() {
        Ok(typing) => return Some(typing),
        Err(Refusal::Unwritable) => return None,
        Err(Refusal::NeedsRaw) => {}
    }
    let mut typed = typer(false);
    typed.plans = typed.plan(false);
    typed.run().or_else(|_| typer(true).run()).ok()
}

/// The only abstract method of a functional interface.
pub(crate) fn functional_method(program: &Program, interface: ClassId) -> Option<&Method> {
    let mut found: Option<&Method> = None;
    for ancestor in program.supertypes(interface) {
        for &id in &program.class(ancestor).methods {
            let method = program.method(id);
            let is_open = method.access.is_abstract() && program.class(ancestor).access.is_interface();
            let from_object = matches!(
                (&*method.name, &*method.descriptor),
                ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
            );
            if !is_open || from_object {
                continue;
            }
            match found {
                None => found = Some(method),
                Some(first) if first.name == method.name => {}
                Some(_) => return None,
            }
        }
    }
    found
}

/// True if text in the package can name all classes of a type.
pub(crate) fn is_nameable(program: &Program, package: &str, signature: &TypeSignature) -> bool {
    match signature {
        TypeSignature::Plain(_) => true,
        TypeSignature::Variable(_) => false,
        TypeSignature::Array(element) => is_nameable(program, package, element),
        TypeSignature::Class { name, arguments } => {
            let known = program
                .class_named(name)
                .is_some_and(|id| program.is_class_accessible(id, package) && program.source_name(id).is_some());
            known
                && arguments
                    .iter()
                    .filter_map(|argument| argument.signature.as_ref())
                    .all(|inner| is_nameable(program, package, inner))
        }
    }
}

/// True for the constructor of an inner class, whose first argument is the object around.
pub(crate) fn is_inner_construction(program: &Program, method: &Method) -> bool {
    let class = program.class(method.class);
    let is_inner = class.outer.is_some() && !class.access.is_static() && !class.access.is_interface();
    is_inner && &*method.name == "<init>" && !method.method_type.parameters.is_empty()
}

struct Typer<'a> {
    program: &'a Program,
    package: &'a str,
    sequence: &'a Sequence,
    is_raw: bool,
    /// Types with which generic classes are instantiated, by statement.
    plans: BTreeMap<usize, TypeSignature>,
}

/// A method's signature as one call sees it.
struct View {
    bindings: Option<Bindings>,
    parameters: Vec<TypeSignature>,
    returns: TypeSignature,
    is_generic_method: bool,
    witness: Vec<TypeSignature>,
}

impl Typer<'_> {
    fn run(&self) -> Result<Typing, Refusal> {
        let count = self.sequence.len();
        let mut typing = Typing {
            declared: Vec::with_capacity(count),
            receivers: Vec::with_capacity(count),
            arguments: Vec::with_capacity(count),
            witnesses: Vec::with_capacity(count),
            is_raw: false,
        };
        for (index, statement) in self.sequence.statements().iter().enumerate() {
            let result = self.result(index, statement, &typing.declared)?;
            let (receiver, arguments) = self.casts(index, statement, &typing.declared)?;
            let witness = self.witness(index, statement, &typing.declared)?;
            typing.witnesses.push(witness);
            typing.declared.push(self.declarable(&result)?);
            typing.receivers.push(receiver);
            typing.arguments.push(arguments);
        }
        typing.is_raw = self.is_raw;
        Ok(typing)
    }

    /// The nearest supertype that the package can name.
    fn declarable(&self, signature: &TypeSignature) -> Result<TypeSignature, Refusal> {
        let signature =
            if self.is_raw { signature.clone() } else { with_wildcards(self.program, signature) };
        if is_nameable(self.program, self.package, &signature) {
            return Ok(signature);
        }
        let TypeSignature::Class { name, arguments } = &signature else { return Err(Refusal::Unwritable) };
        let id = self.program.class_named(name).ok_or(Refusal::Unwritable)?;
        if self.program.is_class_accessible(id, self.package) {
            return Err(if arguments.is_empty() { Refusal::Unwritable } else { Refusal::NeedsRaw });
        }
        for ancestor in self.program.supertypes(id) {
            let ancestor = &self.program.class(ancestor).name;
            let Some(seen) = as_super(self.program, &signature, ancestor) else { continue };
            let seen = if self.is_raw { plain(&erased(&seen)) } else { with_wildcards(self.program, &seen) };
            if **ancestor != *"java/lang/Object" && is_nameable(self.program, self.package, &seen) {
                return Ok(seen);
            }
        }
        Ok(object())
    }

    fn type_of(&self, declared: &[TypeSignature], variable: Variable) -> TypeSignature {
        declared.get(variable.index()).cloned().unwrap_or_else(object)
    }

    fn is_null(&self, variable: Variable) -> bool {
        matches!(self.sequence.statements()[variable.index()], Statement::Value(Value::Null(_)))
    }

    /// Type of the expression a statement stands for.
    fn result(
        &self,
        index: usize,
        statement: &Statement,
        declared: &[TypeSignature],
    ) -> Result<TypeSignature, Refusal> {
        Ok(match statement {
            Statement::Value(Value::ClassLiteral(literal)) => {
                let literal = boxed(&plain(literal));
                if self.is_raw { plain(&Type::object("java/lang/Class")) } else { class("java/lang/Class", vec![exact(literal)]) }
            }
            Statement::Value(Value::StaticField(field)) => self.field_type(*field, None, Position::Read)?,
            Statement::GetField { field, receiver } => {
                let owner = receiver.map(|receiver| self.type_of(declared, receiver));
                self.field_type(*field, owner.as_ref(), Position::Read)?
            }
            Statement::Call { method, receiver, arguments } => {
                let method = self.program.method(*method);
                if &*method.name == "<init>" {
                    return self.constructed(index, method.class);
                }
                let view = self.view(index, method, *receiver, arguments, declared)?;
                let erased_type = plain(&method.method_type.returns);
                if self.is_raw && view.is_generic_method {
                    return Ok(erased_type);
                }
                let seen = view
                    .bindings
                    .and_then(|bindings| substitute(&view.returns, &bindings, Position::Read))
                    .unwrap_or_else(|| erased_type.clone());
                if self.is_raw { plain(&erased(&seen)) } else { seen }
            }
            Statement::Lambda { interface, .. } => return self.constructed(index, *interface),
            other => plain(&other.defined_type(self.program)),
        })
    }

    fn witness(
        &self,
        index: usize,
        statement: &Statement,
        declared: &[TypeSignature],
    ) -> Result<Vec<TypeSignature>, Refusal> {
        let Statement::Call { method, receiver, arguments } = statement else { return Ok(Vec::new()) };
        let method = self.program.method(*method);
        let is_generic = method.signature.as_ref().is_some_and(|signature| !signature.type_parameters.is_empty());
        if !is_generic || &*method.name == "<init>" {
            return Ok(Vec::new());
        }
        let witness = self.view(index, method, *receiver, arguments, declared)?.witness;
        let nameable = witness.iter().all(|one| is_nameable(self.program, self.package, one));
        if nameable { Ok(witness) } else { Err(Refusal::NeedsRaw) }
    }

    fn constructed(&self, index: usize, id: ClassId) -> Result<TypeSignature, Refusal> {
        let name = &self.program.class(id).name;
        if self.is_raw || parameters(self.program, name).is_empty() {
            return Ok(class(name, Vec::new()));
        }
        self.plans.get(&index).cloned().ok_or(Refusal::NeedsRaw)
    }

    fn field_type(
        &self,
        field: FieldId,
        owner: Option<&TypeSignature>,
        position: Position,
    ) -> Result<TypeSignature, Refusal> {
        let field = self.program.field(field);
        let erased_type = plain(&field.field_type);
        let Some(signature) = field.signature.as_ref().filter(|_| !self.is_raw) else { return Ok(erased_type) };
        let owner_name = &self.program.class(field.class).name;
        let bindings = owner
            .and_then(|owner| as_super(self.program, owner, owner_name))
            .map_or_else(|| Some(Bindings::new()), |owner| bindings_of(self.program, &owner));
        match bindings.and_then(|bindings| substitute(signature, &bindings, position)) {
            Some(seen) => Ok(seen),
            None if position == Position::Read => Ok(erased_type),
            None => Err(Refusal::NeedsRaw),
        }
    }

    fn view(
        &self,
        index: usize,
        method: &Method,
        receiver: Option<Variable>,
        arguments: &[Variable],
        declared: &[TypeSignature],
    ) -> Result<View, Refusal> {
        let plain_parameters = || method.method_type.parameters.iter().map(plain).collect::<Vec<_>>();
        let Some(signature) = &method.signature else {
            return Ok(View {
                bindings: Some(Bindings::new()),
                parameters: plain_parameters(),
                returns: plain(&method.method_type.returns),
                is_generic_method: false,
                witness: Vec::new(),
            });
        };
        let owner = if &*method.name == "<init>" {
            Some(self.constructed(index, method.class)?)
        } else {
            let owner_name = &self.program.class(method.class).name;
            receiver.map(|receiver| {
                let own = self.type_of(declared, receiver);
                as_super(self.program, &own, owner_name).unwrap_or_else(|| {
                    let cast = class(owner_name, Vec::new());
                    if self.is_raw { cast } else { with_wildcards(self.program, &cast) }
                })
            })
        };
        let formals = if signature.parameters.len() == method.method_type.parameters.len() {
            signature.parameters.clone()
        } else {
            plain_parameters()
        };
        let mut bindings = owner.map_or_else(|| Some(Bindings::new()), |owner| bindings_of(self.program, &owner));
        let is_generic_method = !signature.type_parameters.is_empty();
        let mut witness = Vec::new();
        if is_generic_method && !self.is_raw {
            let mut hints = Hints::default();
            for (formal, &argument) in formals.iter().zip(arguments) {
                if !self.is_null(argument) {
                    hints.passed(self.program, formal, &self.type_of(declared, argument));
                }
            }
            let own = hints.solve(self.program, &signature.type_parameters).ok_or(Refusal::NeedsRaw)?;
            if hints.disagree() {
                let chosen = signature.type_parameters.iter().filter_map(|one| own[&one.name].signature.clone());
                witness.extend(chosen);
            }
            if let Some(bindings) = &mut bindings {
                bindings.extend(own);
            }
        }
        Ok(View { bindings, parameters: formals, returns: signature.returns.clone(), is_generic_method, witness })
    }

    /// Receiver cast and argument casts of a statement.
    #[expect(clippy::type_complexity, reason = "the pair is taken apart by its one caller")]
    fn casts(
        &self,
        index: usize,
        statement: &Statement,
        declared: &[TypeSignature],
    ) -> Result<(Option<TypeSignature>, Vec<Option<TypeSignature>>), Refusal> {
        match statement {
            Statement::Value(value) => self.nameable_value(value).map(|()| (None, Vec::new())),
            Statement::Call { method, receiver, arguments } => {
                let method = self.program.method(*method);
                let receiver_cast = self.owner_cast(method.class, *receiver, declared)?;
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
                        None if self.is_null(argument) => plain(&method.method_type.parameters[position]),
                        None => return Err(Refusal::NeedsRaw),
                    };
                    let mut cast = self.conversion(argument, &wanted, declared)?;
                    if cast.is_none() && self.needs_erasure(&view, position, argument, &wanted, declared) {
                        cast = Some(wanted.clone());
                    }
                    casts.push(cast);
                    wanted_types.push(wanted);
                }
                if is_inner_construction(self.program, method) && self.is_null(arguments[0]) {
                    return Err(Refusal::Unwritable);
                }
                self.choose_overload(method, *receiver, arguments, declared, &wanted_types, &mut casts)?;
                Ok((receiver_cast, casts))
            }
            Statement::NewArray { element, elements } => {
                let wanted = plain(element);
                if !is_nameable(self.program, self.package, &wanted) {
                    return Err(Refusal::Unwritable);
                }
                let wanted = if self.is_raw { wanted } else { with_wildcards(self.program, &wanted) };
                let casts = elements.iter().map(|&one| self.conversion(one, &wanted, declared));
                Ok((None, casts.collect::<Result<_, _>>()?))
            }
            Statement::GetField { field, receiver } => Ok((self.field_owner(*field, *receiver, declared)?, Vec::new())),
            Statement::SetField { field, receiver, value } => {
                let cast = self.field_owner(*field, *receiver, declared)?;
                let owner = receiver.map(|receiver| self.type_of(declared, receiver));
                let wanted = self.field_type(*field, owner.as_ref(), Position::Passed)?;
                if self.program.field(*field).access.is_final() {
                    return Err(Refusal::Unwritable);
                }
                Ok((cast, vec![self.conversion(*value, &wanted, declared)?]))
            }
            Statement::Lambda { interface, returns } => {
                let method = functional_method(self.program, *interface).ok_or(Refusal::Unwritable)?;
                let own = self.constructed(index, *interface)?;
                if !is_nameable(self.program, self.package, &own) {
                    return Err(Refusal::Unwritable);
                }
                let Some(returns) = returns else { return Ok((None, Vec::new())) };
                let wanted = self.functional_return(method, &own).ok_or(Refusal::NeedsRaw)?;
                Ok((None, vec![self.conversion(*returns, &wanted, declared)?]))
            }
        }
    }

    /// True for an argument that fits its parameter only by erasure, in a test with raw types: one of a bounded type
    /// variable, for which the compiler could infer a type that breaks the bound, or one of a class that fixes other
    /// type arguments. The compiler accepts the erased type itself, unchecked.
    fn needs_erasure(
        &self,
        view: &View,
        position: usize,
        argument: Variable,
        wanted: &TypeSignature,
        declared: &[TypeSignature],
    ) -> bool {
        let from = self.type_of(declared, argument);
        let is_candidate = self.is_raw
            && !self.is_null(argument)
            && *wanted != object()
            && from != *wanted
            && is_nameable(self.program, self.package, wanted);
        let formal = &view.parameters[position];
        is_candidate
            && match (formal, &view.bindings) {
                (TypeSignature::Variable(_), _) => view.is_generic_method,
                (TypeSignature::Class { name, arguments }, Some(bindings)) if !arguments.is_empty() => {
                    let has_arguments = matches!(as_super(self.program, &from, name),
                        Some(TypeSignature::Class { arguments, .. }) if !arguments.is_empty());
                    has_arguments
                        && !substitute(formal, bindings, Position::Passed)
                            .is_some_and(|formal| is_subtype(self.program, &from, &formal))
                }
                _ => false,
            }
    }

    fn functional_return(&self, method: &Method, own: &TypeSignature) -> Option<TypeSignature> {
        let erased_type = plain(&method.method_type.returns);
        let Some(signature) = method.signature.as_ref().filter(|_| !self.is_raw) else { return Some(erased_type) };
        let owner = as_super(self.program, own, &self.program.class(method.class).name)?;
        substitute(&signature.returns, &bindings_of(self.program, &owner)?, Position::Passed)
    }

    fn parameter(&self, method: &Method, view: &View, position: usize) -> Option<TypeSignature> {
        let erased_type = plain(&method.method_type.parameters[position]);
        if self.is_raw && view.is_generic_method {
            return Some(erased_type);
        }
        let seen = view
            .bindings
            .as_ref()
            .and_then(|bindings| substitute(&view.parameters[position], bindings, Position::Passed));
        if self.is_raw {
            return Some(seen.map_or(erased_type, |seen| plain(&erased(&seen))));
        }
        seen
    }

    fn nameable_value(&self, value: &Value) -> Result<(), Refusal> {
        let can = match value {
            Value::EnumConstant { class: id, .. } => self.program.is_class_accessible(*id, self.package),
            Value::ClassLiteral(literal) => is_nameable(self.program, self.package, &plain(literal)),
            Value::StaticField(field) => return self.field_owner(*field, None, &[]).map(|_| ()),
            _ => true,
        };
        if can { Ok(()) } else { Err(Refusal::Unwritable) }
    }

    fn field_owner(
        &self,
        field: FieldId,
        receiver: Option<Variable>,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let field = self.program.field(field);
        let here = self.program.package(field.class) == self.package;
        let member = field.access.is_public() || (here && !field.access.is_private());
        if !member || (receiver.is_none() && !self.program.is_class_accessible(field.class, self.package)) {
            return Err(Refusal::Unwritable);
        }
        self.owner_cast(field.class, receiver, declared)
    }

    /// Cast of a receiver to the class that declares a member, where its own type does not have it.
    fn owner_cast(
        &self,
        owner: ClassId,
        receiver: Option<Variable>,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let Some(receiver) = receiver else { return Ok(None) };
        let own = self.type_of(declared, receiver);
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
        Ok(Some(if self.is_raw { wanted } else { with_wildcards(self.program, &wanted) }))
    }

    fn refusal(&self) -> Refusal {
        if self.is_raw { Refusal::Unwritable } else { Refusal::NeedsRaw }
    }

    fn is_member_accessible(
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
            || self.program.supertypes(method.class).iter().any(|&ancestor| {
                let declared = self.program.declared_method(ancestor, &method.name, &method.descriptor);
                declared.is_some_and(|id| !self.program.method(id).access.is_synthetic())
            });
        let inherited = method.access.is_public() && is_written && cast.is_none();
        inherited
            && receiver.is_some_and(|receiver| {
                is_nameable(self.program, self.package, &plain(&erased(&self.type_of(declared, receiver))))
            })
    }

    /// The cast that makes a variable fit a wanted type.
    fn conversion(
        &self,
        variable: Variable,
        wanted: &TypeSignature,
        declared: &[TypeSignature],
    ) -> Result<Option<TypeSignature>, Refusal> {
        let program = self.program;
        let from = self.type_of(declared, variable);
        let refuse = self.refusal();
        match (&from, wanted) {
            _ if self.is_null(variable) => {
                if matches!(wanted, TypeSignature::Plain(_)) { Err(Refusal::Unwritable) } else { Ok(None) }
            }
            (TypeSignature::Plain(from), TypeSignature::Plain(to)) => {
                if overload::widens(from, to) { Ok(None) } else { Err(Refusal::Unwritable) }
            }
            (TypeSignature::Plain(_), _) => {
                if is_subtype(program, &boxed(&from), wanted) { Ok(None) } else { Err(refuse) }
            }
            (_, TypeSignature::Plain(to)) => {
                if erased(&from).unboxed().is_some_and(|inner| overload::widens(&inner, to)) {
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
                let cast = if self.is_raw { erased_wanted } else { with_wildcards(program, &erased_wanted) };
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
    fn choose_overload(
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
                None => Some(erased(&self.type_of(declared, argument))),
            })
            .collect();
        let seen_from = match receiver.map(|receiver| erased(&self.type_of(declared, receiver))) {
            Some(Type::Object(name)) => self.program.class_named(&name).unwrap_or(method.class),
            _ => method.class,
        };
        let must = overload::casts(self.program, self.package, method, seen_from, &given);
        for (position, must) in must.into_iter().enumerate() {
            if !must {
                continue;
            }
            let erased_type = plain(&method.method_type.parameters[position]);
            // A raw null needs no exact type: what is passed there accepts the erased one too.
            let cast = if self.is_raw { erased_type } else { wanted[position].clone() };
            if !is_nameable(self.program, self.package, &cast) {
                return Err(Refusal::Unwritable);
            }
            casts[position] = Some(cast);
        }
        Ok(())
    }

    /// Type arguments for each instantiated generic class, from how the sequence uses it.
    fn plan(&self, by_use: bool) -> BTreeMap<usize, TypeSignature> {
        let statements = self.sequence.statements();
        let generic: Vec<(usize, &str)> = statements
            .iter()
            .enumerate()
            .filter_map(|(index, statement)| {
                let id = match statement {
                    Statement::Call { method, .. } if &*self.program.method(*method).name == "<init>" => {
                        self.program.method(*method).class
                    }
                    Statement::Lambda { interface, .. } => *interface,
                    _ => return None,
                };
                let name = &*self.program.class(id).name;
                (!parameters(self.program, name).is_empty()).then_some((index, name))
            })
            .collect();
        let open = |name: &str| {
            let variables = parameters(self.program, name);
            let arguments = variables.iter().map(|one| exact(TypeSignature::Variable(one.name.clone())));
            class(name, arguments.collect())
        };
        let mut plans = BTreeMap::new();
        if by_use && !generic.is_empty() {
            let wild = |&(index, name): &(usize, &str)| {
                (index, with_wildcards(self.program, &class(name, Vec::new())))
            };
            let first = Typer { plans: generic.iter().map(wild).collect(), ..*self };
            let types = first.rough_types();
            for &(index, name) in &generic {
                let hints = self.hints(index, &open(name), &types);
                if let Some(solved) = hints.solve(self.program, parameters(self.program, name)) {
                    let solved = substitute(&open(name), &solved, Position::Read);
                    plans.extend(solved.map(|solved| (index, solved)));
                }
            }
            return plans;
        }
        for (index, name) in generic {
            let solved = Hints::default().solve(self.program, parameters(self.program, name));
            let solved = solved.and_then(|solved| substitute(&open(name), &solved, Position::Read));
            plans.extend(solved.map(|solved| (index, solved)));
        }
        plans
    }

    /// Types as far as they are known; erased where not.
    fn rough_types(&self) -> Vec<TypeSignature> {
        let mut types = Vec::new();
        for (index, statement) in self.sequence.statements().iter().enumerate() {
            let rough = self.result(index, statement, &types);
            types.push(rough.unwrap_or_else(|_| {
                with_wildcards(self.program, &plain(&statement.defined_type(self.program)))
            }));
        }
        types
    }

    fn hints(&self, index: usize, own: &TypeSignature, types: &[TypeSignature]) -> Hints {
        let mut hints = Hints::default();
        let me = Variable(index as u32);
        for (position, statement) in self.sequence.statements().iter().enumerate() {
            match statement {
                Statement::Call { method, receiver, arguments } => {
                    let method = self.program.method(*method);
                    let Some(signature) = &method.signature else { continue };
                    if signature.parameters.len() != arguments.len() {
                        continue;
                    }
                    let owner_name = &self.program.class(method.class).name;
                    let owner = if position == index {
                        Some(own.clone())
                    } else {
                        let seen = receiver.map(|receiver| if receiver == me { own.clone() } else { self.type_of(types, receiver) });
                        seen.and_then(|seen| as_super(self.program, &seen, owner_name))
                    };
                    let bindings = owner.map_or_else(|| Some(Bindings::new()), |owner| bindings_of(self.program, &owner));
                    let Some(bindings) = bindings else { continue };
                    for (formal, &argument) in signature.parameters.iter().zip(arguments) {
                        let Some(formal) = substitute(formal, &bindings, Position::Passed) else { continue };
                        if argument == me {
                            if crate::generic::has_no_variable(&formal) {
                                hints.wanted(self.program, own, &formal);
                            }
                        } else if (position == index || *receiver == Some(me)) && !self.is_null(argument) {
                            hints.passed(self.program, &formal, &self.type_of(types, argument));
                        }
                    }
                }
                Statement::Lambda { interface, returns: Some(returns) } if position == index => {
                    let formal = functional_method(self.program, *interface)
                        .and_then(|method| self.functional_return(method, own));
                    if let Some(formal) = formal.filter(|_| !self.is_null(*returns)) {
                        hints.passed(self.program, &formal, &self.type_of(types, *returns));
                    }
                }
                _ => {}
            }
        }
        hints
    }
}
