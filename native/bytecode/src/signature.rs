//! Generic signatures: the text of `Signature` attributes to the [`TypeSignature`] family.
//!
//! Comes in: signature strings (JVM specification, section 4.7.9.1), such as
//! `<T:Ljava/lang/Object;>Ljava/util/AbstractList<TT;>;`.
//! Goes out: [`ClassSignature`], [`MethodSignature`], [`TypeSignature`]; none for text that breaks the grammar, which
//! the loader treats as absent, as the JVM does.
//! Does not know: which classes exist; whether a signature agrees with its descriptor.

use crate::{
    Bound, ClassSignature, MethodSignature, Type, TypeArgument, TypeParameter, TypeSignature,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Deeper nesting than any compiler writes; keeps the recursion of the reader bounded.
const MAXIMUM_DEPTH: u32 = 64;

impl ClassSignature {
    /// Parses the signature of a class.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        let parameters = reader.type_parameters()?;
        let mut supertypes = vec![reader.reference()?];
        while !reader.rest.is_empty() {
            supertypes.push(reader.reference()?);
        }
        Some(ClassSignature {
            parameters,
            supertypes,
        })
    }
}

impl MethodSignature {
    /// Parses the signature of a method; its `throws` part is dropped.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        let type_parameters = reader.type_parameters()?;
        reader.expect('(')?;
        let mut parameters = Vec::new();
        while !reader.accept(')') {
            parameters.push(reader.any()?);
        }
        let returns = reader.any()?;
        (reader.rest.is_empty() || reader.rest.starts_with('^')).then_some(MethodSignature {
            type_parameters,
            parameters,
            returns,
        })
    }
}

impl TypeSignature {
    /// Parses the signature of a field.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader {
            rest: text,
            depth: 0,
        };
        let signature = reader.reference()?;
        reader.rest.is_empty().then_some(signature)
    }

    /// Adds all class names inside to a set.
    pub(crate) fn collect(&self, into: &mut BTreeSet<Arc<str>>) {
        match self {
            TypeSignature::Plain(_) | TypeSignature::Variable(_) => {}
            TypeSignature::Array(element) => element.collect(into),
            TypeSignature::Class { name, arguments } => {
                into.insert(Arc::clone(name));
                for argument in arguments {
                    if let Some(signature) = &argument.signature {
                        signature.collect(into);
                    }
                }
            }
        }
    }
}

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    fn accept(&mut self, wanted: char) -> bool {
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Option<()> {
        self.accept(wanted).then_some(())
    }

    /// Text up to one of the given characters, which is not consumed.
    fn until(&mut self, ends: &[char]) -> Option<&str> {
        let end = self.rest.find(ends)?;
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!text.is_empty()).then_some(text)
    }

    fn type_parameters(&mut self) -> Option<Vec<TypeParameter>> {
        let mut parameters = Vec::new();
        if self.accept('<') {
            while !self.accept('>') {
                let name = self.until(&[':'])?.into();
                let mut bounds = Vec::new();
                while self.accept(':') {
                    // The class bound may be empty: `<T::Ljava/lang/Comparable;>`.
                    if !self.rest.starts_with([':', '>']) && self.rest.starts_with(['L', 'T', '['])
                    {
                        bounds.push(self.reference()?);
                    }
                }
                parameters.push(TypeParameter { name, bounds });
            }
        }
        Some(parameters)
    }

    fn any(&mut self) -> Option<TypeSignature> {
        if self.rest.starts_with(['L', 'T', '[']) {
            return self.reference();
        }
        let first = self.rest.get(..1)?;
        let plain = Type::parse(first)?;
        self.rest = &self.rest[1..];
        Some(TypeSignature::Plain(plain))
    }

    fn reference(&mut self) -> Option<TypeSignature> {
        self.depth += 1;
        if self.depth > MAXIMUM_DEPTH {
            return None;
        }
        let signature = if self.accept('[') {
            TypeSignature::Array(Box::new(self.any()?))
        } else if self.accept('T') {
            let name = self.until(&[';'])?.into();
            self.expect(';')?;
            TypeSignature::Variable(name)
        } else {
            self.expect('L')?;
            self.class()?
        };
        self.depth -= 1;
        Some(signature)
    }

    fn class(&mut self) -> Option<TypeSignature> {
        let mut name = self.until(&['<', ';', '.'])?.to_string();
        let mut arguments = self.arguments()?;
        while self.accept('.') {
            name.push('$');
            name.push_str(self.until(&['<', ';', '.'])?);
            arguments = self.arguments()?;
        }
        self.expect(';')?;
        Some(TypeSignature::Class {
            name: name.into(),
            arguments,
        })
    }

    fn arguments(&mut self) -> Option<Vec<TypeArgument>> {
        let mut arguments = Vec::new();
        if self.accept('<') {
            while !self.accept('>') {
                arguments.push(if self.accept('*') {
                    TypeArgument {
                        bound: Bound::Any,
                        signature: None,
                    }
                } else {
                    let bound = if self.accept('+') {
                        Bound::Extends
                    } else if self.accept('-') {
                        Bound::Super
                    } else {
                        Bound::Exact
                    };
                    TypeArgument {
                        bound,
                        signature: Some(self.reference()?),
                    }
                });
            }
        }
        Some(arguments)
    }
}
