//! Generic types of Java source text: substitution, supertypes, subtyping, and a small inference.
//!
//! Comes in: [`TypeSignature`]s of the program. Goes out: the same, without type variables.
//! The rules are stricter than the language's: what passes here compiles without an unchecked conversion; what does
//! not may still be legal, and its test is then written with raw types.
//! Does not know: statements, imports, text.

use palus_bytecode::{
    Bound, ClassesPassed, PartsLeft, Program, QuestionsLeft, Type, TypeArgument, TypeParameter,
    TypeSignature,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What type variables stand for.
pub(crate) type Bindings = BTreeMap<Arc<str>, TypeArgument>;

/// A value that is read may be used as its upper bound; one that is passed must fit the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// The type of a result.
    Read,
    /// The type of a parameter.
    Passed,
}

/// A signature without type arguments.
pub(crate) fn plain(erased: &Type) -> TypeSignature {
    match erased {
        Type::Object(name) => class(name, Vec::new()),
        Type::Array(element) => TypeSignature::Array(Box::new(plain(element))),
        primitive => TypeSignature::Plain(primitive.clone()),
    }
}

/// A class with type arguments.
pub(crate) fn class(name: &str, arguments: Vec<TypeArgument>) -> TypeSignature {
    TypeSignature::Class {
        name: name.into(),
        arguments,
    }
}

/// `java.lang.Object`
pub(crate) fn object() -> TypeSignature {
    class("java/lang/Object", Vec::new())
}

/// A type argument without a wildcard.
pub(crate) fn exact(signature: TypeSignature) -> TypeArgument {
    TypeArgument {
        bound: Bound::Exact,
        signature: Some(signature),
    }
}

/// `?`
pub(crate) fn any() -> TypeArgument {
    TypeArgument {
        bound: Bound::Any,
        signature: None,
    }
}

/// The erased type of a signature without type variables; a stray variable counts as `Object`.
pub(crate) fn erased(signature: &TypeSignature) -> Type {
    match signature {
        TypeSignature::Plain(primitive) => primitive.clone(),
        TypeSignature::Class { name, .. } => Type::Object(Arc::clone(name)),
        TypeSignature::Variable(_) => Type::object("java/lang/Object"),
        TypeSignature::Array(element) => Type::Array(Box::new(erased(element))),
    }
}

/// Type parameters a class declares.
pub(crate) fn parameters<'a>(program: &'a Program, name: &str) -> &'a [TypeParameter] {
    program
        .class_named(name)
        .and_then(|id| program.class(id).signature.as_ref())
        .map_or(&[], |signature| &signature.parameters)
}

/// True for a generic class without its arguments, also as the element of an array.
pub(crate) fn is_raw(program: &Program, signature: &TypeSignature) -> bool {
    match signature {
        TypeSignature::Class { name, arguments } => {
            if arguments.is_empty() {
                return !parameters(program, name).is_empty();
            }
            arguments
                .iter()
                .filter_map(|argument| argument.signature.as_ref())
                .any(|inner| is_raw(program, inner))
        }
        TypeSignature::Array(element) => is_raw(program, element),
        _ => false,
    }
}

/// The same type with `?` for each missing argument.
pub(crate) fn with_wildcards(program: &Program, signature: &TypeSignature) -> TypeSignature {
    match signature {
        TypeSignature::Class { name, arguments } if arguments.is_empty() => class(
            name,
            parameters(program, name).iter().map(|_| any()).collect(),
        ),
        TypeSignature::Class { name, arguments } => {
            let fill = |argument: &TypeArgument| TypeArgument {
                bound: argument.bound,
                signature: argument
                    .signature
                    .as_ref()
                    .map(|inner| with_wildcards(program, inner)),
            };
            class(name, arguments.iter().map(fill).collect())
        }
        TypeSignature::Array(element) => {
            TypeSignature::Array(Box::new(with_wildcards(program, element)))
        }
        other => other.clone(),
    }
}

/// The box of a primitive, anything else unchanged.
pub(crate) fn boxed(signature: &TypeSignature) -> TypeSignature {
    match signature {
        TypeSignature::Plain(primitive) => primitive
            .box_name()
            .map_or_else(|| signature.clone(), |name| class(name, Vec::new())),
        other => other.clone(),
    }
}

/// Replaces type variables; none when a variable is unknown, its wildcard leaves nothing that could be passed, or the
/// type becomes too long.
pub(crate) fn substitute(
    signature: &TypeSignature,
    bindings: &Bindings,
    position: Position,
) -> Option<TypeSignature> {
    let substitution = &mut Substitution {
        bindings,
        position,
        left: PartsLeft::default(),
    };
    substitution.of(signature)
}

struct Substitution<'a> {
    bindings: &'a Bindings,
    position: Position,
    left: PartsLeft,
}

impl Substitution<'_> {
    fn of(&mut self, signature: &TypeSignature) -> Option<TypeSignature> {
        if !matches!(signature, TypeSignature::Variable(_)) {
            self.left.take()?;
        }
        Some(match signature {
            TypeSignature::Plain(_) => signature.clone(),
            TypeSignature::Array(element) => TypeSignature::Array(Box::new(self.of(element)?)),
            TypeSignature::Variable(name) => {
                let argument = self.bindings.get(name)?;
                match (argument.bound, self.position) {
                    (Bound::Exact, _)
                    | (Bound::Extends, Position::Read)
                    | (Bound::Super, Position::Passed) => {
                        self.left.take_copy(argument.signature.as_ref()?)?
                    }
                    (Bound::Any | Bound::Super, Position::Read) => object(),
                    (Bound::Any | Bound::Extends, Position::Passed) => return None,
                }
            }
            TypeSignature::Class { name, arguments } => {
                let mut replaced = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    replaced.push(self.of_argument(argument)?);
                }
                TypeSignature::Class {
                    name: Arc::clone(name),
                    arguments: replaced,
                }
            }
        })
    }

    fn of_argument(&mut self, argument: &TypeArgument) -> Option<TypeArgument> {
        let Some(inner) = &argument.signature else {
            self.left.take()?;
            return Some(argument.clone());
        };
        if let TypeSignature::Variable(name) = inner {
            return self.of_variable(argument.bound, name);
        }
        let replaced = self.of(inner)?;
        // `Set<Entry<K, V>>` of a `Map<?, ?>` holds entries of unknown types, which are all alike: what is read from it
        // is a `Set<? extends Entry<?, ?>>` and no `Set<Entry<?, ?>>` (JLS 5.1.10).
        if holds_unknown(inner, self.bindings) {
            return Some(match argument.bound {
                Bound::Super => any(),
                _ => TypeArgument {
                    bound: Bound::Extends,
                    signature: Some(replaced),
                },
            });
        }
        Some(TypeArgument {
            bound: argument.bound,
            signature: Some(replaced),
        })
    }

    fn of_variable(&mut self, own: Bound, name: &str) -> Option<TypeArgument> {
        let bound = self.bindings.get(name)?;
        let copy = if let Some(signature) = &bound.signature {
            Some(self.left.take_copy(signature)?)
        } else {
            self.left.take()?;
            None
        };
        let of = |bound| TypeArgument {
            bound,
            signature: copy,
        };
        match (own, bound.bound) {
            (_, Bound::Exact) => Some(of(own)),
            (Bound::Exact, _) | (Bound::Extends, Bound::Extends)
                if self.position == Position::Read =>
            {
                Some(of(bound.bound))
            }
            (_, _) if self.position == Position::Read => Some(any()),
            _ => None,
        }
    }
}

/// True if a type argument in a type, at any depth, is a variable that stands for a wildcard.
fn holds_unknown(signature: &TypeSignature, bindings: &Bindings) -> bool {
    match signature {
        TypeSignature::Class { arguments, .. } => {
            let mut inner = arguments
                .iter()
                .filter_map(|argument| argument.signature.as_ref());
            inner.any(|inner| match inner {
                TypeSignature::Variable(name) => bindings
                    .get(name)
                    .is_some_and(|bound| bound.bound != Bound::Exact),
                other => holds_unknown(other, bindings),
            })
        }
        TypeSignature::Array(element) => holds_unknown(element, bindings),
        TypeSignature::Plain(_) | TypeSignature::Variable(_) => false,
    }
}

/// Bindings of a class's own parameters for one of its types; none when raw.
pub(crate) fn bindings_of(program: &Program, signature: &TypeSignature) -> Option<Bindings> {
    let TypeSignature::Class { name, arguments } = signature else {
        return Some(Bindings::new());
    };
    let declared = parameters(program, name);
    if declared.len() != arguments.len() {
        return None;
    }
    Some(
        declared
            .iter()
            .zip(arguments)
            .map(|(one, argument)| (Arc::clone(&one.name), argument.clone()))
            .collect(),
    )
}

/// The type as which a type's values are seen through a supertype; raw when the way there is, or the type becomes too
/// long.
pub(crate) fn as_super(
    program: &Program,
    from: &TypeSignature,
    wanted: &str,
) -> Option<TypeSignature> {
    as_super_by(program, from, wanted, &mut ClassesPassed::default())
}

fn as_super_by(
    program: &Program,
    from: &TypeSignature,
    wanted: &str,
    passed: &mut ClassesPassed,
) -> Option<TypeSignature> {
    let TypeSignature::Class { name, .. } = from else {
        return None;
    };
    if &**name == wanted {
        return Some(from.clone());
    }
    let id = program.class_named(name)?;
    let ancestor = program.class_named(wanted)?;
    if !program.is_subclass(id, ancestor) || !passed.pass(id) {
        return None;
    }
    let declared = program.class(id);
    let bindings = bindings_of(program, from);
    if let (Some(signature), Some(bindings)) = (&declared.signature, &bindings) {
        for parent in &signature.supertypes {
            let parent = substitute(parent, bindings, Position::Read)
                .unwrap_or_else(|| plain(&erased(parent)));
            if let Some(found) = as_super_by(program, &parent, wanted, passed) {
                return Some(found);
            }
        }
    } else {
        for parent in declared.super_name.iter().chain(&declared.interface_names) {
            let parent = class(parent, Vec::new());
            if let Some(found) = as_super_by(program, &parent, wanted, passed) {
                return Some(found);
            }
        }
    }
    // An interface has Object's methods too.
    (wanted == "java/lang/Object").then(object)
}

/// True if a value of one reference type may be assigned to another without any warning; false also where the answer
/// takes too many questions.
pub(crate) fn is_subtype(program: &Program, from: &TypeSignature, to: &TypeSignature) -> bool {
    let comparison = &mut Comparison {
        program,
        left: QuestionsLeft::default(),
    };
    comparison.is_subtype(from, to)
}

struct Comparison<'a> {
    program: &'a Program,
    left: QuestionsLeft,
}

impl Comparison<'_> {
    fn is_subtype(&mut self, from: &TypeSignature, to: &TypeSignature) -> bool {
        if !self.left.ask() {
            return false;
        }
        match (from, to) {
            (TypeSignature::Plain(from), TypeSignature::Plain(to)) => from == to,
            (TypeSignature::Plain(_), _) | (_, TypeSignature::Plain(_)) => false,
            (_, TypeSignature::Class { name, .. }) if &**name == "java/lang/Object" => true,
            (TypeSignature::Array(_), TypeSignature::Class { name, .. }) => {
                matches!(&**name, "java/lang/Cloneable" | "java/io/Serializable")
            }
            (TypeSignature::Array(from), TypeSignature::Array(to)) => self.is_subtype(from, to),
            (
                TypeSignature::Class { .. },
                TypeSignature::Class {
                    name,
                    arguments: wanted,
                },
            ) => {
                let Some(TypeSignature::Class {
                    arguments: given, ..
                }) = as_super(self.program, from, name)
                else {
                    return false;
                };
                if wanted.is_empty() || wanted.iter().all(|argument| argument.bound == Bound::Any) {
                    return true;
                }
                given.len() == wanted.len()
                    && given
                        .iter()
                        .zip(wanted)
                        .all(|(given, wanted)| self.contains(given, wanted))
            }
            _ => from == to,
        }
    }

    fn contains(&mut self, given: &TypeArgument, wanted: &TypeArgument) -> bool {
        match (wanted.bound, &given.signature, &wanted.signature) {
            (Bound::Any, _, _) => true,
            (Bound::Exact, Some(given_type), Some(wanted_type)) => {
                given.bound == Bound::Exact && given_type == wanted_type
            }
            (Bound::Extends, Some(given_type), Some(wanted_type)) => {
                given.bound != Bound::Super && self.is_subtype(given_type, wanted_type)
                    || *wanted_type == object()
            }
            (Bound::Extends, None, Some(wanted_type)) => *wanted_type == object(),
            (Bound::Super, Some(given_type), Some(wanted_type)) => {
                given.bound != Bound::Extends && self.is_subtype(wanted_type, given_type)
            }
            _ => false,
        }
    }
}

/// What a use says about a type variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hint {
    /// It must be this type.
    Same,
    /// It must be a supertype of this type.
    AtLeast,
    /// It should be this type or a subtype.
    AtMost,
}

/// Hints about type variables, in the order met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints(pub Vec<(Arc<str>, Hint, TypeSignature)>);

impl Hints {
    /// Learns from passing a value of type `actual` where `formal` is wanted.
    pub(crate) fn passed(
        &mut self,
        program: &Program,
        formal: &TypeSignature,
        actual: &TypeSignature,
    ) {
        match (formal, actual) {
            (TypeSignature::Variable(name), _) => {
                self.0
                    .push((Arc::clone(name), Hint::AtLeast, boxed(actual)));
            }
            (TypeSignature::Array(formal), TypeSignature::Array(actual))
                if !matches!(**actual, TypeSignature::Plain(_)) =>
            {
                self.passed(program, formal, actual);
            }
            (
                TypeSignature::Class {
                    name,
                    arguments: formals,
                },
                TypeSignature::Class { .. },
            ) => {
                if let Some(TypeSignature::Class {
                    arguments: actuals, ..
                }) = as_super(program, actual, name)
                {
                    for (formal, actual) in formals.iter().zip(&actuals) {
                        self.argument(program, formal, actual);
                    }
                }
            }
            _ => {}
        }
    }

    fn argument(&mut self, program: &Program, formal: &TypeArgument, actual: &TypeArgument) {
        let (Some(formal_type), Some(actual_type)) = (&formal.signature, &actual.signature) else {
            return;
        };
        match formal_type {
            TypeSignature::Variable(name) => {
                let hint = match formal.bound {
                    Bound::Extends => Hint::AtLeast,
                    Bound::Super => Hint::AtMost,
                    Bound::Exact | Bound::Any => Hint::Same,
                };
                self.0.push((Arc::clone(name), hint, actual_type.clone()));
            }
            _ => self.passed(program, formal_type, actual_type),
        }
    }

    /// Learns from the need for type `wanted` by a value of type `own`, which has the variables.
    pub(crate) fn wanted(
        &mut self,
        program: &Program,
        own: &TypeSignature,
        wanted: &TypeSignature,
    ) {
        let TypeSignature::Class {
            name,
            arguments: wanted,
        } = wanted
        else {
            return;
        };
        let Some(TypeSignature::Class { arguments: own, .. }) = as_super(program, own, name) else {
            return;
        };
        for (own, wanted) in own.iter().zip(wanted) {
            if let (Some(TypeSignature::Variable(name)), Some(wanted_type)) =
                (&own.signature, &wanted.signature)
            {
                let hint = match wanted.bound {
                    Bound::Exact | Bound::Any => Hint::Same,
                    Bound::Extends => Hint::AtMost,
                    Bound::Super => Hint::AtLeast,
                };
                self.0.push((Arc::clone(name), hint, wanted_type.clone()));
            }
        }
    }

    /// True where compilers before Java 8 infer something else: several types were passed for one variable, or types
    /// with wildcards, which they capture.
    pub(crate) fn disagree(&self) -> bool {
        if self
            .0
            .iter()
            .any(|(_, _, signature)| has_wildcard(signature))
        {
            return true;
        }
        let lower = || self.0.iter().filter(|(_, hint, _)| *hint == Hint::AtLeast);
        lower().any(|(name, _, one)| {
            lower().any(|(other, _, another)| name == other && one != another)
        })
    }

    /// Decides on one type per variable; none when a bound is not met.
    pub(crate) fn solve(&self, program: &Program, variables: &[TypeParameter]) -> Option<Bindings> {
        let mut bindings = Bindings::new();
        for variable in variables {
            let chosen = self.choose(program, variable)?;
            bindings.insert(Arc::clone(&variable.name), exact(chosen));
        }
        let bounds_hold = variables.iter().all(|variable| {
            let Some(chosen) = bindings[&variable.name].signature.as_ref() else {
                return false;
            };
            variable.bounds.iter().all(|bound| {
                substitute(bound, &bindings, Position::Read)
                    .is_some_and(|bound| is_subtype(program, chosen, &bound))
            })
        });
        bounds_hold.then_some(bindings)
    }

    fn choose(&self, program: &Program, variable: &TypeParameter) -> Option<TypeSignature> {
        let of = |wanted: Hint| {
            self.0
                .iter()
                .filter(move |(name, hint, _)| *name == variable.name && *hint == wanted)
                .map(|(_, _, signature)| signature)
        };
        if let Some(same) = of(Hint::Same).next() {
            return Some(same.clone());
        }
        if let Some(widest) = of(Hint::AtLeast)
            .find(|wide| of(Hint::AtLeast).all(|other| is_subtype(program, other, wide)))
        {
            return Some(widest.clone());
        }
        if of(Hint::AtLeast).next().is_none()
            && let Some(most) = of(Hint::AtMost).next()
        {
            return Some(most.clone());
        }
        match variable.bounds.as_slice() {
            [] => Some(object()),
            [bound, ..] => has_no_variable(bound).then(|| bound.clone()),
        }
    }
}

fn has_wildcard(signature: &TypeSignature) -> bool {
    match signature {
        TypeSignature::Plain(_) | TypeSignature::Variable(_) => false,
        TypeSignature::Array(element) => has_wildcard(element),
        TypeSignature::Class { arguments, .. } => arguments.iter().any(|argument| {
            argument.bound != Bound::Exact || argument.signature.as_ref().is_some_and(has_wildcard)
        }),
    }
}

/// True without type variables anywhere.
pub(crate) fn has_no_variable(signature: &TypeSignature) -> bool {
    match signature {
        TypeSignature::Plain(_) => true,
        TypeSignature::Variable(_) => false,
        TypeSignature::Array(element) => has_no_variable(element),
        TypeSignature::Class { arguments, .. } => arguments
            .iter()
            .filter_map(|argument| argument.signature.as_ref())
            .all(has_no_variable),
    }
}
