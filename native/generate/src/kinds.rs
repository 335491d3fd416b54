//! Types as small numbers, with what fits where.
//!
//! Comes in: closed generic signatures (no type variables) and erased types of the program.
//! Goes out: [`Kind`]s, equal for equal types, and fast answers to "may this value stand there?".
//! Does not know: variables, values, sequences.

use palus_bytecode::{Bound, ClassId, Program, Type, TypeArgument, TypeSignature};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A closed type, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Kind(u32);

impl Kind {
    /// `void`; also stands for "cannot be used as a value".
    pub const VOID: Kind = Kind(0);
    /// `java.lang.Object`
    pub const OBJECT: Kind = Kind(1);
    /// `java.lang.String`
    pub const STRING: Kind = Kind(2);
    /// `java.lang.Class`
    pub const CLASS: Kind = Kind(3);
    /// `int`
    pub const INT: Kind = Kind(4);
    /// `java.lang.Integer`
    pub const INTEGER: Kind = Kind(5);

    /// Position in tables.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug)]
struct Data {
    erased: Type,
    base: Kind,
    class: Option<ClassId>,
    arguments: Arc<[Kind]>,
    signature: TypeSignature,
}

/// All kinds met so far.
#[derive(Debug)]
pub(crate) struct Kinds<'a> {
    program: &'a Program,
    list: Vec<Data>,
    index: BTreeMap<TypeSignature, Kind>,
    by_class: Vec<Option<Kind>>,
    /// Per base kind and wanted base kind: 0 unknown, 1 yes, 2 no.
    fits: Vec<Vec<u8>>,
}

impl<'a> Kinds<'a> {
    /// The kinds that have names.
    pub fn new(program: &'a Program) -> Self {
        let mut kinds = Kinds {
            program,
            list: Vec::new(),
            index: BTreeMap::new(),
            by_class: vec![None; program.classes().len()],
            fits: Vec::new(),
        };
        for (expected, known) in [
            (Kind::VOID, Type::Void),
            (Kind::OBJECT, Type::object("java/lang/Object")),
            (Kind::STRING, Type::object("java/lang/String")),
            (Kind::CLASS, Type::object("java/lang/Class")),
            (Kind::INT, Type::Int),
            (Kind::INTEGER, Type::object("java/lang/Integer")),
        ] {
            let kind = kinds.of_type(&known);
            debug_assert_eq!(kind, expected);
        }
        kinds
    }

    /// The kind of a closed signature; wildcards count as their bound, stray variables as `Object`.
    pub fn of(&mut self, signature: &TypeSignature) -> Kind {
        let (closed, erased, arguments) = match signature {
            TypeSignature::Plain(plain) => (signature.clone(), plain.clone(), Vec::new()),
            TypeSignature::Variable(_) => return Kind::OBJECT,
            TypeSignature::Array(element) => {
                let element = self.of(element);
                let closed = TypeSignature::Array(Box::new(self.signature(element).clone()));
                (
                    closed,
                    Type::Array(Box::new(self.erased(element).clone())),
                    Vec::new(),
                )
            }
            TypeSignature::Class { name, arguments } => {
                let kinds: Vec<Kind> = arguments
                    .iter()
                    .map(|argument| self.of_argument(argument))
                    .collect();
                let arguments = kinds.iter().map(|&kind| TypeArgument {
                    bound: Bound::Exact,
                    signature: Some(self.signature(kind).clone()),
                });
                let closed = TypeSignature::Class {
                    name: Arc::clone(name),
                    arguments: arguments.collect(),
                };
                (closed, Type::Object(Arc::clone(name)), kinds)
            }
        };
        if let Some(&known) = self.index.get(&closed) {
            return known;
        }
        let base = match &closed {
            TypeSignature::Class { name, arguments } if !arguments.is_empty() => {
                Some(self.of(&TypeSignature::Class {
                    name: Arc::clone(name),
                    arguments: Vec::new(),
                }))
            }
            TypeSignature::Array(_) => {
                let plain = plain(&erased);
                (plain != closed).then(|| self.of(&plain))
            }
            _ => None,
        };
        let kind = Kind(self.list.len() as u32);
        let class = match &erased {
            Type::Object(name) => self.program.class_named(name),
            _ => None,
        };
        self.index.insert(closed.clone(), kind);
        let base = base.unwrap_or(kind);
        self.list.push(Data {
            erased,
            base,
            class,
            arguments: arguments.into(),
            signature: closed,
        });
        kind
    }

    fn of_argument(&mut self, argument: &TypeArgument) -> Kind {
        argument
            .signature
            .as_ref()
            .map_or(Kind::OBJECT, |signature| self.of(signature))
    }

    /// The kind of an erased type.
    pub fn of_type(&mut self, erased: &Type) -> Kind {
        if let Type::Object(name) = erased
            && let Some(class) = self.program.class_named(name)
        {
            return self.of_class(class);
        }
        self.of(&plain(erased))
    }

    /// The kind of a class without type arguments.
    pub fn of_class(&mut self, class: ClassId) -> Kind {
        if let Some(known) = self.by_class[class.index()] {
            return known;
        }
        let name = Arc::clone(&self.program.class(class).name);
        let kind = self.of(&TypeSignature::Class {
            name,
            arguments: Vec::new(),
        });
        self.by_class[class.index()] = Some(kind);
        kind
    }

    /// The kind of a class seen at run time (internal name or array descriptor); none for classes the program lacks.
    pub fn of_runtime(&mut self, name: &str) -> Option<Kind> {
        if name.starts_with('[') {
            let array = Type::parse(name)?;
            let known = array
                .class_name()
                .is_none_or(|name| self.program.class_named(name).is_some());
            return known.then(|| self.of_type(&array));
        }
        let class = self.program.class_named(name)?;
        Some(self.of_class(class))
    }

    /// The erased type.
    pub fn erased(&self, kind: Kind) -> &Type {
        &self.list[kind.index()].erased
    }

    /// The closed signature.
    pub fn signature(&self, kind: Kind) -> &TypeSignature {
        &self.list[kind.index()].signature
    }

    /// The same type without arguments.
    pub fn base(&self, kind: Kind) -> Kind {
        self.list[kind.index()].base
    }

    /// The class of an object type, if the program has it.
    pub fn class(&self, kind: Kind) -> Option<ClassId> {
        self.list[kind.index()].class
    }

    /// Type arguments, empty when raw.
    pub fn arguments(&self, kind: Kind) -> Arc<[Kind]> {
        Arc::clone(&self.list[kind.index()].arguments)
    }

    /// True if a value of kind `from` may stand where `to` is wanted, boxing included; type arguments are not compared.
    pub fn fits(&mut self, from: Kind, to: Kind) -> bool {
        let (from, to) = (self.base(from), self.base(to));
        if from == to {
            return from != Kind::VOID;
        }
        if from == Kind::VOID || to == Kind::VOID {
            return false;
        }
        if self.fits.len() <= from.index() {
            self.fits.resize(from.index() + 1, Vec::new());
        }
        let row = &mut self.fits[from.index()];
        if row.len() <= to.index() {
            row.resize(to.index() + 1, 0);
        }
        match row[to.index()] {
            0 => {
                let fits = self.fits_slowly(from, to);
                self.fits[from.index()][to.index()] = if fits { 1 } else { 2 };
                fits
            }
            known => known == 1,
        }
    }

    fn fits_slowly(&self, from: Kind, to: Kind) -> bool {
        let (from, to) = (self.erased(from), self.erased(to));
        if let Some(name) = from.box_name() {
            return to.is_reference() && self.program.is_assignable(&Type::object(name), to);
        }
        if to.is_primitive() {
            return from.unboxed().as_ref() == Some(to);
        }
        self.program.is_assignable(from, to)
    }

    /// Like [`Kinds::fits`], and type arguments do not contradict each other.
    pub fn fits_well(&mut self, from: Kind, to: Kind) -> bool {
        if !self.fits(from, to) {
            return false;
        }
        let (given, wanted) = (self.arguments(from), self.arguments(to));
        given.len() != wanted.len()
            || given.iter().zip(wanted.iter()).all(|(&given, &wanted)| {
                given == wanted || wanted == Kind::OBJECT || given == Kind::OBJECT
            })
    }

    /// True for primitives, boxes, strings, classes and enums, which no call can change.
    pub fn is_immutable(&self, kind: Kind) -> bool {
        let erased = self.erased(kind);
        erased.is_primitive()
            || kind == Kind::STRING
            || self.base(kind) == Kind::CLASS
            || erased.unboxed().is_some()
            || self
                .class(kind)
                .is_some_and(|class| self.program.class(class).access.is_enum())
    }
}

/// A type as a signature without arguments.
pub(crate) fn plain(erased: &Type) -> TypeSignature {
    match erased {
        Type::Object(name) => TypeSignature::Class {
            name: Arc::clone(name),
            arguments: Vec::new(),
        },
        Type::Array(element) => TypeSignature::Array(Box::new(plain(element))),
        primitive => TypeSignature::Plain(primitive.clone()),
    }
}
