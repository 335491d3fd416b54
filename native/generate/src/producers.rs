//! What can make a value of a type: constructors, factories, constants, and as a last resort methods of other objects.
//!
//! Comes in: the program, and the package that tests will lie in. Goes out: [`Producers`] per erased type, found once
//! and then remembered.
//! Does not know: arguments, the pool, random numbers.

use crate::kinds::{Kind, Kinds};
use crate::platform::{
    CHARSET, COLLECTIONS, MAKERS, MAPS, PROPERTIES, TEMPORARY_FOLDER, TEXTS, Texts,
};
use palus_bytecode::{ClassId, FieldId, MethodId, Origin, Program};
use palus_sequence::{Value, can_be_stubbed, is_functional};
use std::collections::BTreeMap;
use std::sync::Arc;

/// More subclasses than this are not looked at.
const MAXIMUM_CLASSES: usize = 300;
/// Below this number of other ways, methods of other objects count as producers.
const FEW: usize = 3;
/// Methods of other objects kept per type.
const MAXIMUM_THROUGH: usize = 40;

/// Superclasses whose objects are never made: they run something, or reach outside.
const NEVER_MADE: &[&str] = &[
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ClassLoader",
    "java/lang/Process",
    "java/util/Timer",
    "java/net/Socket",
    "java/net/ServerSocket",
    "java/net/URLConnection",
    "java/lang/SecurityManager",
];

/// One way to make a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Producer {
    /// A constructor or static method.
    Call(MethodId),
    /// An enum constant or static field.
    Constant(Value),
    /// A collection of the JDK, filled.
    Collection(ClassId),
    /// A map of the JDK, filled.
    Map(ClassId),
    /// A functional interface, or a type that nothing else makes an object of.
    Stub(ClassId),
    /// An instance method of something else.
    Through(MethodId),
}

/// All ways to make a value of one type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Producers {
    /// Without objects of the program.
    pub simple: Vec<Producer>,
    /// Members of the program and its libraries.
    pub members: Vec<Producer>,
}

/// What makes a temporary folder and files in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Folder {
    /// `Files.createTempDirectory`
    pub create: MethodId,
    /// `Path.resolve`
    pub resolve: MethodId,
    /// `Path.toFile`
    pub to_file: MethodId,
    /// `String.getBytes`
    pub encode: MethodId,
    /// `Files.write`
    pub write: MethodId,
    /// `new File`, by name
    pub file: MethodId,
    /// `File.toPath`
    pub to_path: MethodId,
    /// `StandardCharsets.UTF_8`
    pub charset: FieldId,
}

/// Finds producers.
#[derive(Debug)]
pub(crate) struct Finder<'a> {
    program: &'a Program,
    package: String,
    known: BTreeMap<Kind, Arc<Producers>>,
    /// Static methods of the program and static fields, by what they give.
    static_members: Vec<(Kind, Producer)>,
    /// Instance methods by what they return, outside the JDK.
    through: Vec<(Kind, MethodId)>,
    makers: Vec<(Kind, Producer)>,
    /// Texts that methods of the JDK can make something of.
    texts: BTreeMap<MethodId, Texts>,
    /// How temporary folders are made, where the program holds all that it takes.
    folder: Option<Folder>,
    never_made: Vec<ClassId>,
}

impl<'a> Finder<'a> {
    /// Looks through the members of the program once.
    pub fn new(program: &'a Program, kinds: &mut Kinds<'_>, package: &str) -> Self {
        let mut finder = Finder {
            program,
            package: package.to_owned(),
            known: BTreeMap::new(),
            static_members: Vec::new(),
            through: Vec::new(),
            makers: Vec::new(),
            texts: texts(program),
            folder: temporary_folder(program),
            never_made: NEVER_MADE
                .iter()
                .filter_map(|name| program.class_named(name))
                .collect(),
        };
        finder.read_members(kinds);
        for &(class, name, descriptor) in MAKERS {
            let Some(class) = program.class_named(class) else {
                continue;
            };
            if descriptor.starts_with('(') {
                if let Some(method) = program.declared_method(class, name, descriptor) {
                    let declared = program.method(method);
                    let kind = if name == "<init>" {
                        kinds.of_class(class)
                    } else {
                        kinds.of_type(&declared.method_type.returns)
                    };
                    let is_through = name != "<init>" && !declared.access.is_static();
                    finder.makers.push((
                        kind,
                        if is_through {
                            Producer::Through(method)
                        } else {
                            Producer::Call(method)
                        },
                    ));
                }
            } else if let Some(field) = program.find_field(class, name) {
                let kind = kinds.of_type(&program.field(field).field_type);
                finder
                    .makers
                    .push((kind, Producer::Constant(Value::StaticField(field))));
            }
        }
        finder
    }

    fn read_members(&mut self, kinds: &mut Kinds<'_>) {
        let program = self.program;
        for class in program.classes() {
            if class.origin != Origin::Subject
                || !program.is_class_accessible(class.id, &self.package)
            {
                continue;
            }
            for &id in &class.methods {
                let method = program.method(id);
                let is_made =
                    method.method_type.returns.is_reference() && &*method.name != "<init>";
                if !is_made
                    || method.access.is_bridge()
                    || !program.is_method_accessible(id, &self.package)
                {
                    continue;
                }
                let kind = kinds.of_type(&method.method_type.returns);
                if kind == Kind::OBJECT || kind == Kind::STRING {
                    continue;
                }
                if method.access.is_static() {
                    self.static_members.push((kind, Producer::Call(id)));
                } else {
                    self.through.push((kind, id));
                }
            }
            for &id in &class.fields {
                let field = program.field(id);
                let here = program.package(class.id) == self.package;
                let is_accessible =
                    field.access.is_public() || (here && !field.access.is_private());
                let is_constant =
                    field.access.is_static() && field.access.is_final() && !field.access.is_enum();
                if is_accessible
                    && is_constant
                    && !field.access.is_synthetic()
                    && field.field_type.is_reference()
                {
                    let kind = kinds.of_type(&field.field_type);
                    if kind != Kind::STRING {
                        self.static_members
                            .push((kind, Producer::Constant(Value::StaticField(id))));
                    }
                }
            }
        }
    }

    /// What can make a value of an erased reference type.
    pub fn producers(&mut self, kinds: &mut Kinds<'_>, wanted: Kind) -> Arc<Producers> {
        let base = kinds.base(wanted);
        if let Some(known) = self.known.get(&base) {
            return Arc::clone(known);
        }
        let found = Arc::new(self.find(kinds, base));
        self.known.insert(base, Arc::clone(&found));
        found
    }

    /// Texts that mean something to a method.
    pub fn texts(&self, method: MethodId) -> Option<Texts> {
        self.texts.get(&method).copied()
    }

    /// How a temporary folder is made, and files in it.
    pub fn folder(&self) -> Option<Folder> {
        self.folder
    }

    fn find(&self, kinds: &mut Kinds<'_>, wanted: Kind) -> Producers {
        let program = self.program;
        let mut found = Producers::default();
        if let Some(class) = kinds.class(wanted) {
            if wanted != Kind::OBJECT {
                for class in self.subclasses(class) {
                    self.members_of(class, &mut found);
                }
            }
            if is_functional(program, class) && can_be_stubbed(program, class, &self.package) {
                found.simple.push(Producer::Stub(class));
            }
        }
        for (names, is_map) in [(COLLECTIONS, false), (MAPS, true)] {
            for class in names.iter().filter_map(|name| program.class_named(name)) {
                let kind = kinds.of_class(class);
                if kinds.fits(kind, wanted) {
                    found.simple.push(if is_map {
                        Producer::Map(class)
                    } else {
                        Producer::Collection(class)
                    });
                }
            }
        }
        if let Some(class) = program.class_named(PROPERTIES)
            && kinds.of_class(class) == wanted
        {
            found.simple.push(Producer::Map(class));
        }
        for (kind, maker) in &self.makers {
            if kinds.fits(*kind, wanted) && (wanted != Kind::OBJECT || *kind == Kind::OBJECT) {
                found.simple.push(maker.clone());
            }
        }
        if wanted != Kind::OBJECT {
            for (kind, member) in &self.static_members {
                if kinds.fits(*kind, wanted) {
                    found.members.push(member.clone());
                }
            }
            if found.simple.len() + found.members.len() < FEW {
                let fitting = self
                    .through
                    .iter()
                    .filter(|(kind, _)| kinds.fits(*kind, wanted));
                found.members.extend(
                    fitting
                        .take(MAXIMUM_THROUGH)
                        .map(|&(_, method)| Producer::Through(method)),
                );
            }
        }
        if let Some(class) = kinds.class(wanted)
            && found.simple.is_empty()
            && found.members.is_empty()
        {
            let all = self.subclasses(class).into_iter();
            let open = all.filter(|&class| can_be_stubbed(program, class, &self.package));
            found.simple.extend(open.map(Producer::Stub));
        }
        found
    }

    /// The class and what extends or implements it.
    fn subclasses(&self, class: ClassId) -> Vec<ClassId> {
        let mut found = vec![class];
        let mut next = 0;
        while next < found.len() && found.len() < MAXIMUM_CLASSES {
            for &sub in self.program.subclasses(found[next]) {
                if !found.contains(&sub) {
                    found.push(sub);
                }
            }
            next += 1;
        }
        found
    }

    /// Constructors and enum constants of one class.
    fn members_of(&self, id: ClassId, found: &mut Producers) {
        let program = self.program;
        let class = program.class(id);
        if class.origin == Origin::Test || !program.is_class_accessible(id, &self.package) {
            return;
        }
        if class.access.is_enum() {
            for &field in &class.fields {
                let field = program.field(field);
                if field.access.is_enum() {
                    let value = Value::EnumConstant {
                        class: id,
                        name: Arc::clone(&field.name),
                    };
                    found.simple.push(Producer::Constant(value));
                }
            }
            return;
        }
        // Of the JDK only what is listed is made.
        let is_closed = class.origin == Origin::Platform
            || class.access.is_abstract()
            || class.access.is_interface();
        if is_closed
            || self
                .never_made
                .iter()
                .any(|&never| program.is_subclass(id, never))
        {
            return;
        }
        for &method in &class.methods {
            if &*program.method(method).name == "<init>"
                && program.is_method_accessible(method, &self.package)
            {
                found.members.push(Producer::Call(method));
            }
        }
    }
}

fn texts(program: &Program) -> BTreeMap<MethodId, Texts> {
    let mut found = BTreeMap::new();
    for &(class, name, texts) in TEXTS {
        let methods = program.class_named(class).into_iter();
        let methods = methods.flat_map(|class| &program.class(class).methods);
        let named = methods.filter(|&&method| &*program.method(method).name == name);
        found.extend(named.map(|&method| (method, texts)));
    }
    found
}

fn temporary_folder(program: &Program) -> Option<Folder> {
    let mut found = TEMPORARY_FOLDER
        .iter()
        .filter_map(|&(class, name, descriptor)| {
            program.declared_method(program.class_named(class)?, name, descriptor)
        });
    let (charset, name) = CHARSET;
    Some(Folder {
        create: found.next()?,
        resolve: found.next()?,
        to_file: found.next()?,
        encode: found.next()?,
        write: found.next()?,
        file: found.next()?,
        to_path: found.next()?,
        charset: program.find_field(program.class_named(charset)?, name)?,
    })
}
