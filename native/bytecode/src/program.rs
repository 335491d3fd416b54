//! The program as one immutable table of classes, methods and fields.
//!
//! Comes in: what `load.rs` read from class files.
//! Goes out: look-ups by id and name, the class hierarchy, member resolution, access rules.
//! Does not know: method bodies beyond holding them; traces; Java source text.

use crate::binary_name::binary_name;
use crate::instruction::CONSTRUCTOR;
use crate::{
    ClassSignature, Code, FieldName, MethodName, MethodSignature, MethodType, Type, TypeSignature,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the method that initialises a class (JVMS 2.9.2).
const INITIALIZER: &str = "<clinit>";

/// A class has fewer supertypes, itself counted; the nearest are known of one that has more, which ends a JVM's stack.
const MOST_SUPERTYPES: usize = 1_000;

/// Far deeper than any source text nests its classes.
const DEEPEST_NESTING: usize = 100;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the program's table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A class of the [`Program`].
    ClassId
);
id!(
    /// A method or constructor of the [`Program`].
    MethodId
);
id!(
    /// A field of the [`Program`].
    FieldId
);

/// Where a class came from, which decides what may be done with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The project's own main classes: traced, instrumented, tested.
    Subject,
    /// The project's test classes.
    Test,
    /// A jar or folder of the class path.
    Library,
    /// The JDK; only declarations are kept, no code.
    Platform,
}

/// Access flags as the class file has them (JVM specification, tables 4.1-B, 4.5-A and 4.6-A).
///
/// For a nested class the flags of its `InnerClasses` entry are merged in, so that `private` and `static` are true
/// where the source says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access(pub u16);

impl Access {
    /// `public`
    pub fn is_public(self) -> bool {
        self.0 & 0x0001 != 0
    }
    /// `private`
    pub fn is_private(self) -> bool {
        self.0 & 0x0002 != 0
    }
    /// `protected`
    pub fn is_protected(self) -> bool {
        self.0 & 0x0004 != 0
    }
    /// `static`
    pub fn is_static(self) -> bool {
        self.0 & 0x0008 != 0
    }
    /// `final`
    pub fn is_final(self) -> bool {
        self.0 & 0x0010 != 0
    }
    /// Bridge methods (same bit as `volatile` on fields).
    pub fn is_bridge(self) -> bool {
        self.0 & 0x0040 != 0
    }
    /// Methods with variable arity (same bit as `transient` on fields).
    pub fn is_varargs(self) -> bool {
        self.0 & 0x0080 != 0
    }
    /// `native`
    pub fn is_native(self) -> bool {
        self.0 & 0x0100 != 0
    }
    /// Interfaces and annotation types.
    pub fn is_interface(self) -> bool {
        self.0 & 0x0200 != 0
    }
    /// `abstract`
    pub fn is_abstract(self) -> bool {
        self.0 & 0x0400 != 0
    }
    /// Made by the compiler, or of a name that source text cannot have.
    pub fn is_synthetic(self) -> bool {
        self.0 & 0x1000 != 0
    }
    /// Annotation types.
    pub fn is_annotation(self) -> bool {
        self.0 & 0x2000 != 0
    }
    /// Enum types and constants.
    pub fn is_enum(self) -> bool {
        self.0 & 0x4000 != 0
    }
}

/// A class, interface, enum, record or annotation type.
#[derive(Clone, Debug)]
pub struct Class {
    /// Its id.
    pub id: ClassId,
    /// Internal name, such as `java/util/Map$Entry`.
    pub name: Arc<str>,
    /// Where it came from.
    pub origin: Origin,
    /// Flags, nested-class flags merged in.
    pub access: Access,
    /// Major version of the class file.
    pub major_version: u16,
    /// Internal name of the superclass; none for `java/lang/Object`.
    pub super_name: Option<Arc<str>>,
    /// Internal names of the direct interfaces.
    pub interface_names: Vec<Arc<str>>,
    /// Generic signature, if the class or a supertype is generic.
    pub signature: Option<ClassSignature>,
    /// Fields in declaration order.
    pub fields: Vec<FieldId>,
    /// Methods in class-file order; `<clinit>` included.
    pub methods: Vec<MethodId>,
    /// Internal name of the directly enclosing class of a member class.
    pub outer: Option<Arc<str>>,
    /// Simple source name of a member class (`Entry`); none when top level, local or anonymous.
    pub inner_name: Option<Arc<str>>,
    /// True for local and anonymous classes, which source text cannot name.
    pub is_local: bool,
    /// True for records.
    pub is_record: bool,
    /// Internal names in `PermittedSubclasses`; empty when not sealed.
    pub permitted: Vec<Arc<str>>,
    /// `SourceFile` attribute.
    pub source_file: Option<Arc<str>>,
    /// Internal names of annotation types present on the class (visible or not).
    pub annotations: Vec<Arc<str>>,
    /// Annotations of Palus's own, with their texts.
    pub marks: Vec<Mark>,
}

/// An annotation of the package `io.palus.annotations`, which users put on their code for Palus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Simple name of the annotation type.
    pub name: Arc<str>,
    /// Texts by element name, elements of an array one by one.
    pub texts: Vec<(Arc<str>, Arc<str>)>,
}

impl Mark {
    /// The texts of one element.
    pub fn texts<'a>(&'a self, element: &'a str) -> impl Iterator<Item = &'a str> + 'a {
        self.texts
            .iter()
            .filter(move |(name, _)| &**name == element)
            .map(|(_, text)| &**text)
    }
}

impl Class {
    /// Its whole name as the platform says it: `java.util.Map$Entry`.
    pub fn binary_name(&self) -> String {
        binary_name(&self.name)
    }
}

/// A method, constructor (`<init>`) or class initialiser (`<clinit>`).
#[derive(Clone, Debug)]
pub struct Method {
    /// Its id.
    pub id: MethodId,
    /// Declaring class.
    pub class: ClassId,
    /// Name; `<init>` for constructors.
    pub name: Arc<str>,
    /// Descriptor text.
    pub descriptor: Arc<str>,
    /// Descriptor, parsed.
    pub method_type: MethodType,
    /// Flags.
    pub access: Access,
    /// Generic signature.
    pub signature: Option<MethodSignature>,
    /// Internal names of declared exceptions.
    pub exceptions: Vec<Arc<str>>,
    /// Parameter names from `MethodParameters` or the local variable table; empty where unknown.
    pub parameter_names: Vec<Arc<str>>,
    /// Marked `@Deprecated`.
    pub is_deprecated: bool,
    /// Internal names of annotation types present.
    pub annotations: Vec<Arc<str>>,
    /// Annotations of Palus's own, with their texts.
    pub marks: Vec<Mark>,
    /// Body; none for abstract, native and platform methods.
    pub code: Option<Arc<Code>>,
}

impl Method {
    /// True for constructors.
    pub fn is_constructor(&self) -> bool {
        &*self.name == CONSTRUCTOR
    }

    /// True for the method that initialises the class.
    pub fn is_initializer(&self) -> bool {
        &*self.name == INITIALIZER
    }
}

/// A field.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its id.
    pub id: FieldId,
    /// Declaring class.
    pub class: ClassId,
    /// Name.
    pub name: Arc<str>,
    /// Erased type.
    pub field_type: Type,
    /// Flags.
    pub access: Access,
    /// Generic signature, if the type is generic.
    pub signature: Option<TypeSignature>,
    /// Value of `ConstantValue` as the operation that would push it; none if absent. Types narrower than `int` are
    /// held as `int`.
    pub constant: Option<crate::Operation>,
    /// Annotations of Palus's own, with their texts.
    pub marks: Vec<Mark>,
}

/// Classes by internal name. Bodies name classes in every other instruction, so this is a hash table with a fixed
/// function; nobody iterates it.
#[expect(
    clippy::disallowed_types,
    reason = "fixed hash function, never iterated: the same input gives the same output"
)]
pub(crate) type ByName = std::collections::HashMap<Arc<str>, ClassId, rustc_hash::FxBuildHasher>;

/// All classes known to one run, with what they declare.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub(crate) classes: Vec<Class>,
    pub(crate) methods: Vec<Method>,
    pub(crate) fields: Vec<Field>,
    pub(crate) by_name: ByName,
    /// Direct subclasses and implementors, by id order.
    pub(crate) subclasses: Vec<Vec<ClassId>>,
    /// Per class: itself, then its supertypes, nearest first.
    pub(crate) supertypes: Vec<Box<[ClassId]>>,
    /// The same in id order, for membership.
    pub(crate) ancestors: Vec<Box<[ClassId]>>,
    /// Per class: its methods in order of name and descriptor.
    pub(crate) sorted_methods: Vec<Box<[MethodId]>>,
    /// Internal names of classes that a JVM may run and that were not read.
    pub(crate) unread: BTreeSet<Arc<str>>,
}

impl Program {
    /// All classes in id order (order of loading).
    pub fn classes(&self) -> &[Class] {
        &self.classes
    }

    /// The class with this id.
    pub fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.index()]
    }

    /// The method with this id.
    pub fn method(&self, id: MethodId) -> &Method {
        &self.methods[id.index()]
    }

    /// The field with this id.
    pub fn field(&self, id: FieldId) -> &Field {
        &self.fields[id.index()]
    }

    /// All methods in id order.
    pub fn methods(&self) -> &[Method] {
        &self.methods
    }

    /// True for a class that was not read though it is there, and for one that inherits from such a class: nobody knows
    /// what it does.
    pub fn is_unread(&self, internal_name: &str) -> bool {
        if self.unread.is_empty() {
            return false;
        }
        let inherits = |class: ClassId| {
            let above = self.supertypes[class.index()].iter();
            let mut parents = above.flat_map(|&class| {
                let class = self.class(class);
                class.super_name.iter().chain(&class.interface_names)
            });
            parents.any(|name| self.unread.contains(name))
        };
        self.unread.contains(internal_name) || self.class_named(internal_name).is_some_and(inherits)
    }

    /// The class with this internal name.
    pub fn class_named(&self, internal_name: &str) -> Option<ClassId> {
        self.by_name.get(internal_name).copied()
    }

    /// A class and what is nested in it, at any depth: the class first, then the nested ones in the order of their
    /// names. Classes are nested by name, as compilers name them; only classes of the project count.
    pub fn nest(&self, class: ClassId) -> Vec<ClassId> {
        let mut nested: Vec<&Class> = self
            .classes
            .iter()
            .filter(|other| other.origin == Origin::Subject && other.id != class)
            .filter(|other| self.is_in_nest(class, other.id))
            .collect();
        nested.sort_by(|left, right| left.name.cmp(&right.name));
        std::iter::once(class)
            .chain(nested.into_iter().map(|class| class.id))
            .collect()
    }

    /// True if a class is this one or nested in it, by name.
    pub fn is_in_nest(&self, outer: ClassId, class: ClassId) -> bool {
        let rest = self
            .class(class)
            .name
            .strip_prefix(&*self.class(outer).name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
    }

    /// Direct subclasses and implementors.
    pub fn subclasses(&self, id: ClassId) -> &[ClassId] {
        &self.subclasses[id.index()]
    }

    /// The class itself, its superclasses and all their interfaces, nearest first; unknown classes are left out.
    pub fn supertypes(&self, id: ClassId) -> Vec<ClassId> {
        self.supertypes[id.index()].to_vec()
    }

    /// True if a class is, extends or implements another.
    pub fn is_subclass(&self, id: ClassId, ancestor: ClassId) -> bool {
        id == ancestor
            || self.ancestors[id.index()].binary_search(&ancestor).is_ok()
            || &*self.class(ancestor).name == "java/lang/Object"
    }

    /// True if a value of type `from` may be passed where `to` is wanted without a cast or boxing; unknown classes
    /// are assignable to themselves and to `Object` only.
    pub fn is_assignable(&self, from: &Type, to: &Type) -> bool {
        if from == to {
            return true;
        }
        match (from, to) {
            (Type::Object(_) | Type::Array(_), Type::Object(name))
                if &**name == "java/lang/Object" =>
            {
                true
            }
            (Type::Array(_), Type::Object(name)) => {
                matches!(&**name, "java/lang/Cloneable" | "java/io/Serializable")
            }
            (Type::Array(from), Type::Array(to)) => {
                from.is_reference() && to.is_reference() && self.is_assignable(from, to)
            }
            (Type::Object(from), Type::Object(to)) => {
                match (self.class_named(from), self.class_named(to)) {
                    (Some(from), Some(to)) => self.is_subclass(from, to),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The method a class itself declares.
    pub fn declared_method(
        &self,
        class: ClassId,
        name: &str,
        descriptor: &str,
    ) -> Option<MethodId> {
        let sorted = &self.sorted_methods[class.index()];
        sorted
            .binary_search_by(|&id| {
                let method = self.method(id);
                (&*method.name, &*method.descriptor).cmp(&(name, descriptor))
            })
            .ok()
            .map(|position| sorted[position])
    }

    /// Resolves a method reference: declared in the class or its nearest superclass, else in an interface, where one
    /// with a body comes first.
    pub fn find_method(&self, class: ClassId, name: &str, descriptor: &str) -> Option<MethodId> {
        let own = self.declared_method(class, name, descriptor);
        if own.is_some() || name == CONSTRUCTOR || name == INITIALIZER {
            return own;
        }
        let mut in_interface: Option<MethodId> = None;
        for &parent in &self.supertypes[class.index()] {
            let Some(found) = self.declared_method(parent, name, descriptor) else {
                continue;
            };
            if !self.class(parent).access.is_interface() {
                return Some(found);
            }
            let is_better = |known| {
                let known = self.method(known);
                known.access.is_abstract() && !self.method(found).access.is_abstract()
            };
            if in_interface.is_none_or(is_better) {
                in_interface = Some(found);
            }
        }
        in_interface
    }

    /// The method that a reference in the constant pool means; none where its class is not loaded.
    pub fn resolve_method(&self, named: &MethodName) -> Option<MethodId> {
        self.find_method(
            self.class_named(&named.owner)?,
            &named.name,
            &named.descriptor,
        )
    }

    /// The field that a reference in the constant pool means; none where its class is not loaded.
    pub fn resolve_field(&self, named: &FieldName) -> Option<FieldId> {
        self.find_field(self.class_named(&named.owner)?, &named.name)
    }

    /// Resolves a field reference by name, up the hierarchy.
    pub fn find_field(&self, class: ClassId, name: &str) -> Option<FieldId> {
        self.supertypes[class.index()].iter().find_map(|&class| {
            self.class(class)
                .fields
                .iter()
                .copied()
                .find(|&id| &*self.field(id).name == name)
        })
    }

    /// Fills the tables that answer questions about the hierarchy.
    pub(crate) fn link(&mut self) {
        self.cut_circles_of_outer_classes();
        let mut subclasses = vec![Vec::new(); self.classes.len()];
        self.supertypes = Vec::with_capacity(self.classes.len());
        self.ancestors = Vec::with_capacity(self.classes.len());
        self.sorted_methods = Vec::with_capacity(self.classes.len());
        for class in &self.classes {
            for parent in self.parents(class) {
                let known: &mut Vec<ClassId> = &mut subclasses[parent.index()];
                if known.last() != Some(&class.id) {
                    known.push(class.id);
                }
            }
            let mut found = vec![class.id];
            let mut known = BTreeSet::from([class.id]);
            let mut next = 0;
            while next < found.len() {
                for parent in self.parents(self.class(found[next])) {
                    if found.len() < MOST_SUPERTYPES && known.insert(parent) {
                        found.push(parent);
                    }
                }
                next += 1;
            }
            self.supertypes.push(found.clone().into());
            found.sort_unstable();
            self.ancestors.push(found.into());
            let mut methods = class.methods.clone();
            methods.sort_by(|&left, &right| {
                let (left, right) = (self.method(left), self.method(right));
                (&left.name, &left.descriptor).cmp(&(&right.name, &right.descriptor))
            });
            self.sorted_methods.push(methods.into());
        }
        self.subclasses = subclasses;
    }

    /// Class files may claim to lie inside each other; source text cannot name such a class.
    fn cut_circles_of_outer_classes(&mut self) {
        for index in 0..self.classes.len() {
            let mut steps = 0;
            let mut around = self.classes[index].outer.clone();
            while let Some(outer) = around {
                steps += 1;
                if steps > DEEPEST_NESTING {
                    self.classes[index].outer = None;
                    self.classes[index].is_local = true;
                    break;
                }
                around = self
                    .class_named(&outer)
                    .and_then(|id| self.class(id).outer.clone());
            }
        }
    }

    fn parents<'a>(&'a self, class: &'a Class) -> impl Iterator<Item = ClassId> + 'a {
        let names = class.super_name.iter().chain(&class.interface_names);
        names.filter_map(|name| self.class_named(name))
    }

    /// Package of a class as an internal name (`java/util`), empty for the unnamed package.
    pub fn package(&self, id: ClassId) -> &str {
        let name = &self.class(id).name;
        name.rfind('/').map_or("", |end| &name[..end])
    }

    /// The name by which source text refers to a class: `java.util.Map.Entry`; none for local and anonymous classes.
    pub fn source_name(&self, id: ClassId) -> Option<String> {
        let class = self.class(id);
        if class.is_local {
            return None;
        }
        match (&class.outer, &class.inner_name) {
            (Some(outer), Some(inner)) => {
                let outer = self.class_named(outer)?;
                Some(format!("{}.{inner}", self.source_name(outer)?))
            }
            _ => Some(class.binary_name()),
        }
    }

    /// True if source text in `package` (internal form) may name the class: it and all classes around it are
    /// public, or of that package and not private.
    pub fn is_class_accessible(&self, id: ClassId, package: &str) -> bool {
        let class = self.class(id);
        if class.is_local || class.access.is_synthetic() {
            return false;
        }
        let here = self.package(id) == package;
        let accessible = class.access.is_public() || (here && !class.access.is_private());
        accessible
            && class.outer.as_deref().is_none_or(|outer| {
                self.class_named(outer)
                    .is_some_and(|outer| self.is_class_accessible(outer, package))
            })
    }

    /// The method of a class that a bridge leads to, else the method itself: `compareTo(Object)` leads to
    /// `compareTo(Money)`.
    pub fn behind_bridge(&self, class: ClassId, method: MethodId) -> MethodId {
        let bridge = self.method(method);
        if !bridge.access.is_bridge() {
            return method;
        }
        let own = self.class(class).methods.iter().copied();
        let mut real = own.filter(|&other| {
            let other = self.method(other);
            !other.access.is_bridge()
                && other.name == bridge.name
                && other.method_type.parameters.len() == bridge.method_type.parameters.len()
        });
        real.next().unwrap_or(method)
    }

    /// True if source text in `package` may name this constant of the enum. What an object says its name is may be
    /// anything.
    pub fn is_constant_accessible(&self, id: ClassId, name: &str, package: &str) -> bool {
        let mut fields = self.class(id).fields.iter().map(|&field| self.field(field));
        self.is_class_accessible(id, package)
            && fields.any(|field| {
                &*field.name == name && field.access.is_enum() && !field.access.is_synthetic()
            })
    }

    /// True if source text in `package` may call the method: its class is accessible and so is the member.
    /// Protected members count as accessible only within their own package.
    pub fn is_method_accessible(&self, id: MethodId, package: &str) -> bool {
        let method = self.method(id);
        let here = self.package(method.class) == package;
        !method.access.is_synthetic()
            && !method.is_initializer()
            && (method.access.is_public() || (here && !method.access.is_private()))
            && self.is_class_accessible(method.class, package)
    }
}
