//! Class bytes to the tables of a [`Program`].
//!
//! Comes in: the bytes of one class file at a time and its [`Origin`].
//! Goes out: a [`Program`] once all are in; a [`LoadError`] for a class that cannot be read, which the caller counts
//! and leaves out.
//! Does not know: where the bytes come from; the parser crate is named here, in `decode.rs` and nowhere else.

use crate::identifier::is_identifier;
use crate::names::{Names, collect_class};
use crate::{
    Access, Class, ClassId, ClassSignature, Field, FieldId, Mark, Method, MethodId,
    MethodSignature, MethodType, Origin, Program, Type, TypeSignature, decode, guard,
};
use cafebabe::attributes::{
    AnnotationElement, AnnotationElementValue, AttributeData, AttributeInfo, BootstrapMethodEntry,
    CodeData,
};
use cafebabe::descriptors::{FieldType, ReturnDescriptor};
use cafebabe::{ClassAccessFlags, ClassFile, MethodInfo, ParseOptions};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::panic::catch_unwind;
use std::sync::Arc;

/// Stands among the annotations beside `java/lang/Deprecated` where that says `forRemoval = true`.
pub const FOR_REMOVAL: &str = "java/lang/Deprecated.forRemoval";

/// `ACC_SYNTHETIC`
const SYNTHETIC: u16 = 0x1000;
/// `ACC_BRIDGE` of a method.
const BRIDGE: u16 = 0x0040;

/// Why a class file was left out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// The bytes are no class file, are cut short, or break the format.
    #[error("not a readable class file: {0}")]
    Malformed(String),
    /// The class was already loaded under the same name; the first one stays.
    #[error("class {0} is there already")]
    Duplicate(Arc<str>),
    /// A module or package descriptor, which holds no code.
    #[error("{0} holds no class")]
    Descriptor(Arc<str>),
    /// It lies where no JVM looks for a class of its name.
    #[error("its class is {0}, which no JVM looks for there")]
    Misplaced(Arc<str>),
}

/// Collects classes and makes the [`Program`].
#[derive(Debug, Default)]
pub struct ProgramBuilder {
    pub(crate) program: Program,
    names: Names,
    /// Room for decoding, kept from body to body.
    indices: Vec<u32>,
    /// Room for a descriptor's text.
    descriptor: String,
}

impl ProgramBuilder {
    /// An empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one class; bodies are decoded for every origin but [`Origin::Platform`].
    ///
    /// # Errors
    /// [`LoadError`] when the class was not added.
    pub fn add(&mut self, origin: Origin, bytes: &[u8]) -> Result<ClassId, LoadError> {
        self.add_named(origin, None, bytes)
    }

    /// Adds the class that lies where a JVM looks for one of this internal name. Another one would stand in the place of
    /// that which the JVM runs.
    ///
    /// # Errors
    /// [`LoadError`] when the class was not added. Of one that cannot be read it is known that it is there.
    pub fn add_as(
        &mut self,
        origin: Origin,
        name: &str,
        bytes: &[u8],
    ) -> Result<ClassId, LoadError> {
        let added = self.add_named(origin, Some(name), bytes);
        if matches!(added, Err(LoadError::Malformed(_))) {
            self.note_unread(name);
        }
        added
    }

    /// Notes a class that a JVM may run and that was not read: it may do anything.
    pub fn note_unread(&mut self, name: &str) {
        self.program.unread.insert(name.into());
    }

    fn add_named(
        &mut self,
        origin: Origin,
        expected: Option<&str>,
        bytes: &[u8],
    ) -> Result<ClassId, LoadError> {
        let parsed = parse(origin, bytes)?;
        self.names.begin_class();
        let name = self.names.text(&parsed.this_class);
        if expected.is_some_and(|expected| *expected != *name) {
            return Err(LoadError::Misplaced(name));
        }
        let is_module = parsed.access_flags.contains(ClassAccessFlags::MODULE);
        if is_module || &*name == "package-info" || name.ends_with("/package-info") {
            return Err(LoadError::Descriptor(name));
        }
        if self.program.class_named(&name).is_some() {
            return Err(LoadError::Duplicate(name));
        }
        let id = ClassId(self.program.classes.len() as u32);
        let mut class = self.class(id, Arc::clone(&name), origin, &parsed);
        let fields = self.fields(id, &parsed);
        let methods = self.methods(id, origin, &parsed)?;
        class.fields = fields.iter().map(|field| field.id).collect();
        class.methods = methods.iter().map(|method| method.id).collect();
        self.program.fields.extend(fields);
        self.program.methods.extend(methods);
        self.program.classes.push(class);
        self.program.by_name.insert(name, id);
        Ok(id)
    }

    /// Internal names of supertypes, outer classes, permitted subclasses and types in member signatures that are not
    /// loaded, in order. Of platform classes only the members that other packages can reach count, so that closing
    /// over the answer does not bring in the insides of the JDK.
    pub fn missing(&self) -> BTreeSet<Arc<str>> {
        let mut named = BTreeSet::new();
        for class in &self.program.classes {
            let parents = class.super_name.iter().chain(&class.interface_names);
            let parents_and_outer = parents.chain(&class.outer);
            named.extend(parents_and_outer.chain(&class.permitted).map(Arc::clone));
            if let Some(signature) = &class.signature {
                signature
                    .supertypes
                    .iter()
                    .for_each(|part| part.collect(&mut named));
                collect_bounds(&signature.parameters, &mut named);
            }
        }
        let reachable = |class: ClassId, access: Access| {
            self.program.class(class).origin != Origin::Platform
                || access.is_public()
                || access.is_protected()
        };
        for field in &self.program.fields {
            if reachable(field.class, field.access) {
                collect_class(&field.field_type, &mut named);
                if let Some(signature) = &field.signature {
                    signature.collect(&mut named);
                }
            }
        }
        for method in &self.program.methods {
            if reachable(method.class, method.access) {
                let method_type = &method.method_type;
                for part in method_type.parameters.iter().chain([&method_type.returns]) {
                    collect_class(part, &mut named);
                }
                named.extend(method.exceptions.iter().map(Arc::clone));
                if let Some(signature) = &method.signature {
                    collect_bounds(&signature.type_parameters, &mut named);
                    signature
                        .parameters
                        .iter()
                        .for_each(|part| part.collect(&mut named));
                    signature.returns.collect(&mut named);
                }
            }
        }
        named.retain(|name| self.program.class_named(name).is_none());
        named
    }

    /// Ends loading and links the hierarchy.
    pub fn finish(mut self) -> Program {
        self.program.link();
        self.program
    }

    fn class(&mut self, id: ClassId, name: Arc<str>, origin: Origin, parsed: &ClassFile) -> Class {
        let mut class = Class {
            id,
            name,
            origin,
            access: Access(parsed.access_flags.bits()),
            major_version: parsed.major_version,
            super_name: parsed
                .super_class
                .as_ref()
                .map(|name| self.names.text(name)),
            interface_names: self
                .names
                .texts(parsed.interfaces.iter().map(|name| &**name)),
            signature: None,
            fields: Vec::new(),
            methods: Vec::new(),
            outer: None,
            inner_name: None,
            is_local: false,
            is_record: false,
            permitted: Vec::new(),
            source_file: None,
            annotations: self.annotations(&parsed.attributes),
            marks: self.marks(&parsed.attributes),
        };
        for attribute in &parsed.attributes {
            match &attribute.data {
                AttributeData::Signature(text) => class.signature = ClassSignature::parse(text),
                AttributeData::SourceFile(name) => class.source_file = Some(self.names.text(name)),
                AttributeData::Record(_) => class.is_record = true,
                // Before Java 5 attributes said what flags and annotations say now.
                AttributeData::Synthetic => class.access.0 |= SYNTHETIC,
                AttributeData::Deprecated => {
                    let deprecated = self.names.text("java/lang/Deprecated");
                    if !class.annotations.contains(&deprecated) {
                        class.annotations.push(deprecated);
                    }
                }
                AttributeData::PermittedSubclasses(names) => {
                    class.permitted = self.names.texts(names.iter().map(|name| &**name));
                }
                AttributeData::EnclosingMethod { .. } => class.is_local = true,
                AttributeData::InnerClasses(entries) => {
                    let own = entries
                        .iter()
                        .find(|entry| *entry.inner_class_info == *class.name);
                    if let Some(own) = own {
                        // The class's own flags know only public and package access.
                        let visibility = 0x0007;
                        class.access =
                            Access((class.access.0 & !visibility) | own.access_flags.bits());
                        match (&own.outer_class_info, &own.inner_name) {
                            (Some(outer), Some(inner)) => {
                                class.outer = Some(self.names.text(outer));
                                class.inner_name = Some(self.names.text(inner));
                            }
                            _ => class.is_local = true,
                        }
                    }
                }
                _ => {}
            }
        }
        let named = class.name.split('/').chain(class.inner_name.as_deref());
        class.access = named.fold(class.access, nameable);
        class
    }

    fn fields(&mut self, class: ClassId, parsed: &ClassFile<'_>) -> Vec<Field> {
        let first = self.program.fields.len();
        let mut fields = Vec::with_capacity(parsed.fields.len());
        for (position, info) in parsed.fields.iter().enumerate() {
            let mut field = Field {
                id: FieldId((first + position) as u32),
                class,
                name: self.names.text(&info.name),
                field_type: decode::field_type(&info.descriptor, &mut self.names),
                access: nameable(Access(info.access_flags.bits()), &info.name),
                signature: None,
                constant: None,
                marks: self.marks(&info.attributes),
            };
            for attribute in &info.attributes {
                match &attribute.data {
                    AttributeData::Signature(text) => field.signature = TypeSignature::parse(text),
                    AttributeData::ConstantValue(literal) => {
                        field.constant = Some(decode::constant(literal, &mut self.names));
                    }
                    _ => {}
                }
            }
            fields.push(field);
        }
        fields
    }

    fn methods(
        &mut self,
        class: ClassId,
        origin: Origin,
        parsed: &ClassFile<'_>,
    ) -> Result<Vec<Method>, LoadError> {
        let bootstraps = parsed
            .attributes
            .iter()
            .find_map(|attribute| match &attribute.data {
                AttributeData::BootstrapMethods(entries) => Some(entries.as_slice()),
                _ => None,
            });
        let first = self.program.methods.len();
        let mut methods = Vec::with_capacity(parsed.methods.len());
        for (position, info) in parsed.methods.iter().enumerate() {
            let id = MethodId((first + position) as u32);
            let bootstraps = bootstraps.filter(|_| origin != Origin::Platform);
            methods.push(self.method(id, class, info, bootstraps.unwrap_or_default(), origin)?);
        }
        Ok(methods)
    }

    fn method(
        &mut self,
        id: MethodId,
        class: ClassId,
        info: &MethodInfo<'_>,
        bootstraps: &[BootstrapMethodEntry<'_>],
        origin: Origin,
    ) -> Result<Method, LoadError> {
        let method_type = MethodType {
            parameters: info
                .descriptor
                .parameters
                .iter()
                .map(|parameter| decode::field_type(parameter, &mut self.names))
                .collect(),
            returns: match &info.descriptor.return_type {
                ReturnDescriptor::Return(returns) => decode::field_type(returns, &mut self.names),
                ReturnDescriptor::Void => Type::Void,
            },
        };
        let mut method = Method {
            id,
            class,
            name: self.names.text(&info.name),
            descriptor: self.descriptor(&method_type),
            method_type,
            access: match &*info.name {
                "<init>" | "<clinit>" => Access(info.access_flags.bits()),
                name => nameable(Access(info.access_flags.bits()), name),
            },
            signature: None,
            exceptions: Vec::new(),
            parameter_names: Vec::new(),
            is_deprecated: false,
            annotations: self.annotations(&info.attributes),
            marks: self.marks(&info.attributes),
            code: None,
        };
        method.is_deprecated = method
            .annotations
            .iter()
            .any(|name| &**name == "java/lang/Deprecated");
        let mut body = None;
        for attribute in &info.attributes {
            match &attribute.data {
                AttributeData::Signature(text) => method.signature = MethodSignature::parse(text),
                AttributeData::Exceptions(names) => {
                    method.exceptions = self.names.texts(names.iter().map(|name| &**name));
                }
                AttributeData::Deprecated => method.is_deprecated = true,
                AttributeData::Synthetic => method.access.0 |= SYNTHETIC,
                AttributeData::MethodParameters(entries) => {
                    let named = entries.iter().filter_map(|entry| entry.name.as_deref());
                    method.parameter_names = self.names.texts(named);
                }
                AttributeData::Code(data) => body = Some(data),
                _ => {}
            }
        }
        if method.parameter_names.len() != method.method_type.parameters.len() {
            method.parameter_names.clear();
        }
        if let Some(data) = body {
            self.body(&mut method, data, bootstraps, origin)?;
        }
        Ok(method)
    }

    fn descriptor(&mut self, method_type: &MethodType) -> Arc<str> {
        self.descriptor.clear();
        write!(self.descriptor, "{method_type}").expect("a String takes any text");
        self.names.text(&self.descriptor)
    }

    fn body(
        &mut self,
        method: &mut Method,
        data: &CodeData<'_>,
        bootstraps: &[BootstrapMethodEntry<'_>],
        origin: Origin,
    ) -> Result<(), LoadError> {
        if method.parameter_names.is_empty() {
            let parameters = &method.method_type.parameters;
            let is_static = method.access.is_static();
            method.parameter_names =
                decode::parameter_names(data, parameters, is_static, &mut self.names);
        }
        if origin != Origin::Platform {
            let code = decode::code(data, bootstraps, &mut self.names, &mut self.indices);
            let code = code.ok_or_else(|| {
                LoadError::Malformed(format!("code of {}{}", method.name, method.descriptor))
            })?;
            method.code = Some(Arc::new(code));
        }
        Ok(())
    }

    /// Annotations of the package that Palus offers.
    fn marks(&mut self, attributes: &[AttributeInfo<'_>]) -> Vec<Mark> {
        let mut found = Vec::new();
        for attribute in attributes {
            let (AttributeData::RuntimeVisibleAnnotations(annotations)
            | AttributeData::RuntimeInvisibleAnnotations(annotations)) = &attribute.data
            else {
                continue;
            };
            for annotation in annotations {
                let FieldType::Object(name) = &annotation.type_descriptor.field_type else {
                    continue;
                };
                let Some(simple) = name.strip_prefix("io/palus/annotations/") else {
                    continue;
                };
                let mut texts = Vec::new();
                for element in &annotation.elements {
                    let name = self.names.text(&element.name);
                    collect_texts(&element.value, &mut |text| {
                        texts.push((name.clone(), Arc::from(text)));
                    });
                }
                found.push(Mark {
                    name: self.names.text(simple),
                    texts,
                });
            }
        }
        found
    }

    fn annotations(&mut self, attributes: &[AttributeInfo<'_>]) -> Vec<Arc<str>> {
        let mut found = Vec::new();
        for attribute in attributes {
            let (AttributeData::RuntimeVisibleAnnotations(annotations)
            | AttributeData::RuntimeInvisibleAnnotations(annotations)) = &attribute.data
            else {
                continue;
            };
            for annotation in annotations {
                if let FieldType::Object(name) = &annotation.type_descriptor.field_type {
                    found.push(self.names.text(name));
                    if &**name == "java/lang/Deprecated" && is_for_removal(&annotation.elements) {
                        found.push(self.names.text(FOR_REMOVAL));
                    }
                }
            }
        }
        found
    }
}

fn is_for_removal(elements: &[AnnotationElement<'_>]) -> bool {
    elements.iter().any(|element| {
        let is_true =
            matches!(element.value, AnnotationElementValue::BooleanConstant(value) if value != 0);
        element.name == "forRemoval" && is_true
    })
}

fn parse(origin: Origin, bytes: &[u8]) -> Result<ClassFile<'_>, LoadError> {
    let mut options = ParseOptions::default();
    options.parse_bytecode(origin != Origin::Platform);
    guard::check(bytes).map_err(|reason| LoadError::Malformed(reason.into()))?;
    // The parser states its own invariants by panics, which hostile bytes can reach.
    catch_unwind(|| cafebabe::parse_class_with_options(bytes, &options))
        .map_err(|_| LoadError::Malformed("the parser gave up".into()))?
        .map_err(|error| LoadError::Malformed(error.to_string()))
}

fn collect_texts(value: &AnnotationElementValue<'_>, take: &mut dyn FnMut(&str)) {
    match value {
        AnnotationElementValue::StringConstant(text) => take(text),
        AnnotationElementValue::ArrayValue(values) => {
            for value in values {
                collect_texts(value, take);
            }
        }
        _ => {}
    }
}

fn collect_bounds(parameters: &[crate::TypeParameter], into: &mut BTreeSet<Arc<str>>) {
    for parameter in parameters {
        parameter
            .bounds
            .iter()
            .for_each(|bound| bound.collect(into));
    }
}

/// The flags; what source text has no name for counts as made by the compiler, which no test names either.
fn nameable(access: Access, name: &str) -> Access {
    if is_identifier(name) {
        access
    } else {
        Access((access.0 | SYNTHETIC) & !BRIDGE)
    }
}
