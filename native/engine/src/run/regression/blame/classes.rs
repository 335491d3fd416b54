//! The classes under test, as far as lines of tests ask for them.
//!
//! Comes in: the class folders. Goes out: whether a class has a method, inherited ones too, what that returns and where it
//! stands. A class is read when it is first asked for.
//! Does not know: classes of libraries.

use super::Blamed;
use crate::Settings;
use crate::report::places::place_of;
use crate::subject::input::class_file;
use palus_bytecode::{Method, Origin, Program, ProgramBuilder, Type, binary_name, internal_name};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(crate) struct Classes<'s> {
    settings: &'s Settings,
    /// Class files, by their paths, of which it is known that they are others than when all tests passed.
    differing: BTreeSet<String>,
    /// Programs of one class each, by internal name; none where no folder has it.
    read: RefCell<BTreeMap<String, Option<Rc<Program>>>>,
}

impl<'s> Classes<'s> {
    pub(crate) fn new(settings: &'s Settings) -> Self {
        Classes {
            settings,
            differing: BTreeSet::new(),
            read: RefCell::default(),
        }
    }

    /// With what is known to be other than when all tests passed.
    pub(crate) fn with_differing(self, files: Option<BTreeSet<String>>) -> Self {
        Classes {
            differing: files.unwrap_or_default(),
            ..self
        }
    }

    /// Whether a class is known to be another than when all tests passed.
    pub(super) fn differs(&self, one: &Blamed) -> bool {
        let file = format!("{}.class", internal_name(&one.class));
        self.differing.contains(&file)
    }

    pub(crate) fn has(&self, class: &str) -> bool {
        self.read(class).is_some()
    }

    /// The method of a class with this name, or its constructor.
    pub(crate) fn named(&self, class: &str, name: &str) -> Option<Blamed> {
        let method = self.method(class, name, &[]);
        let constructor = || {
            self.constructor(class, &[])
                .filter(|made| made.method == name)
        };
        method.or_else(constructor)
    }

    /// The internal name of `demo.Rates.Entry`, of which any part may be the outermost class.
    pub(super) fn nested(&self, name: &str) -> Option<String> {
        let mut class = internal_name(name);
        loop {
            if self.has(&class) {
                return Some(class);
            }
            let last = class.rfind('/')?;
            class.replace_range(last..=last, "$");
        }
    }

    pub(super) fn constructor(&self, class: &str, arguments: &[&str]) -> Option<Blamed> {
        let program = self.read(class)?;
        let methods = program.methods().iter().filter(|one| one.is_constructor());
        let methods: Vec<&Method> = methods.collect();
        let fits = methods.iter().find(|one| takes(one, arguments));
        let made = fits.or(methods.first())?;
        Some(Blamed {
            class: binary_name(class),
            method: simple(class).to_owned(),
            is_constructor: true,
            place: place_of(self.settings, &program, made.id),
        })
    }

    pub(super) fn method(&self, class: &str, name: &str, arguments: &[&str]) -> Option<Blamed> {
        let (program, method) = self.called(class, name, arguments)?;
        Some(Blamed {
            class: binary_name(class),
            method: name.to_owned(),
            is_constructor: false,
            place: place_of(self.settings, &program, method.id),
        })
    }

    /// Which parameter of a method has this name, or stands at the place that `<parameter1>` names.
    pub(super) fn parameter(
        &self,
        class: &str,
        name: &str,
        arguments: &[&str],
        parameter: &str,
    ) -> Option<usize> {
        let of_name = |method: &Method| &*method.name == name && !method.access.is_bridge();
        let (_, method) = self.found(class, |one| of_name(one) && takes(one, arguments))?;
        let place = parameter.strip_prefix("<parameter");
        let place = place.and_then(|place| place.strip_suffix('>')?.parse::<usize>().ok());
        if let Some(place) = place {
            return place.checked_sub(1);
        }
        let mut names = method.parameter_names.iter();
        names.position(|one| **one == *parameter)
    }

    /// The class of what a method returns.
    pub(super) fn returned(&self, class: &str, name: &str, arguments: &[&str]) -> Option<String> {
        let (_, method) = self.called(class, name, arguments)?;
        object(&method.method_type.returns)
    }

    /// The class of a field.
    pub(super) fn field(&self, class: &str, name: &str) -> Option<String> {
        let program = self.read(class)?;
        let fields = program.class(program.class_named(class)?).fields.iter();
        let mut fields = fields.map(|&field| program.field(field));
        object(&fields.find(|field| &*field.name == name)?.field_type)
    }

    fn called(&self, class: &str, name: &str, arguments: &[&str]) -> Option<(Rc<Program>, Method)> {
        let of_name = |method: &Method| &*method.name == name && !method.access.is_bridge();
        let fits = self.found(class, |method| of_name(method) && takes(method, arguments));
        fits.or_else(|| self.found(class, of_name))
    }

    /// A method of the class or of what it inherits from.
    fn found(&self, class: &str, fits: impl Fn(&Method) -> bool) -> Option<(Rc<Program>, Method)> {
        let mut left = vec![class.to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(name) = left.pop() {
            let Some(program) = self.read(&name).filter(|_| seen.insert(name.clone())) else {
                continue;
            };
            if let Some(method) = program.methods().iter().find(|method| fits(method)) {
                let method = method.clone();
                return Some((program, method));
            }
            let class = program.class(program.class_named(&name)?);
            left.extend(class.interface_names.iter().map(ToString::to_string));
            left.extend(class.super_name.iter().map(ToString::to_string));
        }
        None
    }

    fn read(&self, class: &str) -> Option<Rc<Program>> {
        if let Some(known) = self.read.borrow().get(class) {
            return known.clone();
        }
        let mut folders = self.settings.classes_directories.iter();
        let bytes =
            folders.find_map(|folder| class_file(&folder.join(format!("{class}.class"))).ok());
        let program = bytes.and_then(|bytes| {
            let mut builder = ProgramBuilder::new();
            builder.add(Origin::Subject, &bytes).ok()?;
            let program = builder.finish();
            // Some file systems find a file of which the name has other capital letters.
            program
                .class_named(class)
                .is_some()
                .then(|| Rc::new(program))
        });
        self.read
            .borrow_mut()
            .insert(class.to_owned(), program.clone());
        program
    }
}

fn takes(method: &Method, arguments: &[&str]) -> bool {
    method.method_type.parameters.len() == arguments.len()
}

fn object(of: &Type) -> Option<String> {
    match of {
        Type::Object(name) => Some(name.to_string()),
        _ => None,
    }
}

/// `Entry` of `demo/Rates$Entry`
fn simple(class: &str) -> &str {
    class.rsplit(['/', '$']).next().unwrap_or(class)
}
