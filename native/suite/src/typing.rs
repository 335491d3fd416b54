//! Static types of a sequence's variables in source text, and the casts its uses need.
//!
//! Comes in: a sequence and the package of its test. Goes out: a [`Typing`], or why there is none.
//! First the variables get exact type arguments inferred from their uses (`List<String> list = new ArrayList<>()`);
//! where that does not compile without unchecked conversions, the whole test uses raw types under a
//! `@SuppressWarnings`. Does not know: names, text, assertions.

mod casts;
mod plan;

use crate::generic::{
    Bindings, Hints, Position, as_super, bindings_of, boxed, class, erased, exact, has_no_variable,
    object, parameters, plain, substitute, with_wildcards,
};
use palus_bytecode::{ClassId, FieldId, Method, Program, TypeSignature};
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
pub(crate) fn type_sequence(
    program: &Program,
    package: &str,
    sequence: &Sequence,
) -> Option<Typing> {
    let typer = |is_raw| Typer {
        program,
        package,
        sequence,
        is_raw,
        plans: BTreeMap::new(),
    };
    let mut by_use = typer(false);
    by_use.plans = by_use.plan(true);
    match by_use.run() {
        Ok(typing) => return Some(typing),
        Err(Refusal::Unwritable) => return None,
        Err(Refusal::NeedsRaw) => {}
    }
    let mut objects = typer(false);
    objects.plans = objects.plan(false);
    objects.run().or_else(|_| typer(true).run()).ok()
}

/// True if text in the package can name all classes of a type.
pub(crate) fn is_nameable(program: &Program, package: &str, signature: &TypeSignature) -> bool {
    match signature {
        TypeSignature::Plain(_) => true,
        TypeSignature::Variable(_) => false,
        TypeSignature::Array(element) => is_nameable(program, package, element),
        TypeSignature::Class { name, arguments } => {
            let known = program.class_named(name).is_some_and(|id| {
                program.is_class_accessible(id, package) && program.source_name(id).is_some()
            });
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
    let is_inner =
        class.outer.is_some() && !class.access.is_static() && !class.access.is_interface();
    is_inner && method.is_constructor() && !method.method_type.parameters.is_empty()
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
        let signature = if self.is_raw {
            signature.clone()
        } else {
            with_wildcards(self.program, signature)
        };
        if is_nameable(self.program, self.package, &signature) {
            return Ok(signature);
        }
        let TypeSignature::Class { name, arguments } = &signature else {
            return Err(Refusal::Unwritable);
        };
        let id = self.program.class_named(name).ok_or(Refusal::Unwritable)?;
        if self.program.is_class_accessible(id, self.package) {
            return Err(if arguments.is_empty() {
                Refusal::Unwritable
            } else {
                Refusal::NeedsRaw
            });
        }
        for ancestor in self.program.supertypes(id) {
            let ancestor = &self.program.class(ancestor).name;
            let Some(seen) = as_super(self.program, &signature, ancestor) else {
                continue;
            };
            let seen = if self.is_raw {
                plain(&erased(&seen))
            } else {
                with_wildcards(self.program, &seen)
            };
            if **ancestor != *"java/lang/Object" && is_nameable(self.program, self.package, &seen) {
                return Ok(seen);
            }
        }
        Ok(object())
    }

    fn is_null(&self, variable: Variable) -> bool {
        matches!(
            self.sequence.statements()[variable.index()],
            Statement::Value(Value::Null(_))
        )
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
                // As of constants: it has its type argument among raw types, too.
                class("java/lang/Class", vec![exact(boxed(&plain(literal)))])
            }
            Statement::Value(Value::StaticField(field)) => {
                let seen = self.field_type(*field, None, Position::Read)?;
                // It stands where it is used, so it has its type arguments even among raw types.
                let own = self.program.field(*field).signature.as_ref();
                let own = own.filter(|own| {
                    has_no_variable(own) && is_nameable(self.program, self.package, own)
                });
                own.cloned().unwrap_or(seen)
            }
            Statement::GetField { field, receiver } => {
                let owner = receiver.map(|receiver| type_of(declared, receiver));
                self.field_type(*field, owner.as_ref(), Position::Read)?
            }
            Statement::Call {
                method,
                receiver,
                arguments,
            } => {
                let method = self.program.method(*method);
                if method.is_constructor() {
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
                if self.is_raw {
                    plain(&erased(&seen))
                } else {
                    seen
                }
            }
            Statement::Stub { class, .. } => return self.constructed(index, *class),
            other => plain(&other.defined_type(self.program)),
        })
    }

    fn witness(
        &self,
        index: usize,
        statement: &Statement,
        declared: &[TypeSignature],
    ) -> Result<Vec<TypeSignature>, Refusal> {
        let Statement::Call {
            method,
            receiver,
            arguments,
        } = statement
        else {
            return Ok(Vec::new());
        };
        let method = self.program.method(*method);
        let is_generic = method
            .signature
            .as_ref()
            .is_some_and(|signature| !signature.type_parameters.is_empty());
        if !is_generic || method.is_constructor() {
            return Ok(Vec::new());
        }
        let witness = self
            .view(index, method, *receiver, arguments, declared)?
            .witness;
        let nameable = witness
            .iter()
            .all(|one| is_nameable(self.program, self.package, one));
        if nameable {
            Ok(witness)
        } else {
            Err(Refusal::NeedsRaw)
        }
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
        let Some(signature) = field.signature.as_ref().filter(|_| !self.is_raw) else {
            return Ok(erased_type);
        };
        let owner_name = &self.program.class(field.class).name;
        let bindings = owner
            .and_then(|owner| as_super(self.program, owner, owner_name))
            .map_or_else(
                || Some(Bindings::new()),
                |owner| bindings_of(self.program, &owner),
            );
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
        let plain_parameters = || {
            method
                .method_type
                .parameters
                .iter()
                .map(plain)
                .collect::<Vec<_>>()
        };
        let Some(signature) = &method.signature else {
            return Ok(View {
                bindings: Some(Bindings::new()),
                parameters: plain_parameters(),
                returns: plain(&method.method_type.returns),
                is_generic_method: false,
                witness: Vec::new(),
            });
        };
        let owner = if method.is_constructor() {
            Some(self.constructed(index, method.class)?)
        } else {
            let owner_name = &self.program.class(method.class).name;
            receiver.map(|receiver| {
                let own = type_of(declared, receiver);
                as_super(self.program, &own, owner_name).unwrap_or_else(|| {
                    let cast = class(owner_name, Vec::new());
                    if self.is_raw {
                        cast
                    } else {
                        with_wildcards(self.program, &cast)
                    }
                })
            })
        };
        let formals = if signature.parameters.len() == method.method_type.parameters.len() {
            signature.parameters.clone()
        } else {
            plain_parameters()
        };
        let mut bindings = owner.map_or_else(
            || Some(Bindings::new()),
            |owner| bindings_of(self.program, &owner),
        );
        let is_generic_method = !signature.type_parameters.is_empty();
        let mut witness = Vec::new();
        if is_generic_method && !self.is_raw {
            let mut hints = Hints::default();
            for (formal, &argument) in formals.iter().zip(arguments) {
                if !self.is_null(argument) {
                    hints.passed(self.program, formal, &type_of(declared, argument));
                }
            }
            let own = hints
                .solve(self.program, &signature.type_parameters)
                .ok_or(Refusal::NeedsRaw)?;
            if hints.disagree() {
                let chosen = signature
                    .type_parameters
                    .iter()
                    .filter_map(|one| own[&one.name].signature.clone());
                witness.extend(chosen);
            }
            if let Some(bindings) = &mut bindings {
                bindings.extend(own);
            }
        }
        Ok(View {
            bindings,
            parameters: formals,
            returns: signature.returns.clone(),
            is_generic_method,
            witness,
        })
    }
}

/// Declared type of a variable.
fn type_of(declared: &[TypeSignature], variable: Variable) -> TypeSignature {
    declared
        .get(variable.index())
        .cloned()
        .unwrap_or_else(object)
}
