//! What each body of a program calls, as far as reaching out of the JVM and asking are concerned.
//!
//! Comes in: a program, and the calls that workers guard (`guarded_calls.txt`, which a test of the worker holds to the
//! worker's own table). Goes out: [`Calls`]: per method the instructions that call something, what that may come to by the
//! class hierarchy, and who leads to whom.
//! Does not know: which jumps decide, and what is made of an answer.

use crate::bounded::reaches_nothing;
use crate::call_graph::CallGraph;
use crate::called_back::called_back;
use crate::guarded::{Guarded, lists};
use crate::harmless::is_beyond_what_is_known;
use crate::horizon::Horizon;
use crate::lambdas::Lambdas;
use crate::logging::LogCall;
use palus_bytecode::{
    ClassId, Code, InvokeKind, Method, MethodId, MethodName, Operation, Origin, Program,
};
use std::collections::BTreeSet;

/// The calls of the program's bodies.
pub(crate) struct Calls {
    /// Per method: instructions that call something, in order.
    pub(crate) sites: Vec<Vec<Site>>,
    /// Per method: true if it asks by itself.
    pub(crate) asking: Vec<bool>,
    /// How many of the first classes are near: far bodies may reach out, and nobody asks what they ask.
    pub(crate) near: usize,
}

/// An instruction that calls something.
pub(crate) struct Site {
    pub(crate) instruction: u32,
    /// True if that is a guarded call that reaches out.
    pub(crate) is_guarded: bool,
    /// True if that is a call that asks.
    pub(crate) is_asking: bool,
    pub(crate) comes_to: ComesTo,
    /// Bodies of the program it may come to.
    pub(crate) targets: Vec<MethodId>,
}

/// Which of its targets a call comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ComesTo {
    All,
    /// That which an object brings along.
    One,
    /// Lambdas that may be there.
    Lambdas,
}

impl Site {
    /// True if it comes to all of the targets.
    pub(crate) fn is_sure(&self) -> bool {
        self.comes_to == ComesTo::All
    }

    /// True if it may reach out, by itself or through methods that do.
    pub(crate) fn reaches(&self, reaching: &[bool]) -> bool {
        self.is_guarded || self.targets.iter().any(|target| reaching[target.index()])
    }
}

impl Calls {
    /// Behind the first `near` classes stand those of libraries that only bodies name.
    pub(crate) fn of(program: &Program, near: usize) -> Calls {
        let guarded = Guarded::read();
        let horizon = Horizon::of(program, near);
        let lambdas = Lambdas::of(program);
        let mut graph = CallGraph::new(program);
        let mut calls = Calls {
            sites: program.methods().iter().map(|_| Vec::new()).collect(),
            asking: vec![false; program.methods().len()],
            near,
        };
        let mut open: Vec<&Method> = program.methods().iter().collect();
        open.retain(|method| horizon.is_near(method.class));
        // Of far bodies only those that near ones come to.
        let mut seen: Vec<bool> = program.methods().iter().map(|_| false).collect();
        while let Some(method) = open.pop() {
            let origin = program.class(method.class).origin;
            let code = method.code.as_ref().filter(|_| origin != Origin::Platform);
            let Some(code) = code else { continue };
            let mut sites = sites(&horizon, guarded, &mut graph, (method, code));
            if origin == Origin::Subject {
                sites.extend(lambda_sites(program, guarded, &lambdas, code));
            }
            for &target in sites.iter().flat_map(|site| &site.targets) {
                let method = program.method(target);
                let is_far = !horizon.is_near(method.class);
                if is_far && !std::mem::replace(&mut seen[target.index()], true) {
                    open.push(method);
                }
            }
            calls.asking[method.id.index()] = sites.iter().any(|site| site.is_asking);
            calls.sites[method.id.index()] = sites;
        }
        calls.add_called_back(program);
        calls
    }

    /// Where the subject has a `toString`, `hashCode` or `equals` that reaches out, whatever it calls of the JDK may call
    /// that, if it is called on or with what may be such an object or hold one.
    fn add_called_back(&mut self, program: &Program) {
        let is_subject = |method: &Method| program.class(method.class).origin == Origin::Subject;
        let reaching = self.surely_leading_to(program, self.guarded());
        let methods = program.methods().iter();
        let reaching = methods.filter(|method| {
            let is_objects = (&*method.name, &*method.descriptor);
            OF_ALL.contains(&is_objects)
                && !method.access.is_static()
                && is_subject(method)
                && reaching[method.id.index()]
        });
        let targets: Vec<MethodId> = reaching.map(|method| method.id).collect();
        if targets.is_empty() {
            return;
        }
        let holding = Holding::of(program, &targets);
        let may_call = |operation: &Operation| {
            let is_jdks = match operation {
                Operation::Invoke { method, .. } => {
                    let class = program.class_named(&method.owner);
                    let is_jdks =
                        class.is_none_or(|class| program.class(class).origin != Origin::Subject);
                    is_jdks && !calls_nothing_back(method)
                }
                Operation::InvokeDynamic(_) => true, // such as `"" + object`
                _ => false,
            };
            is_jdks && holding.is_given(operation)
        };
        for method in program.methods().iter().filter(|method| is_subject(method)) {
            let code = method
                .code
                .iter()
                .flat_map(|code| (0..).zip(&code.instructions));
            let calls = code.filter(|(_, one)| may_call(&one.operation));
            self.sites[method.id.index()].extend(calls.map(|(instruction, _)| Site {
                instruction,
                is_guarded: false,
                is_asking: false,
                comes_to: ComesTo::One,
                targets: targets.clone(),
            }));
        }
    }

    /// True for a method of a near class.
    pub(crate) fn is_near(&self, method: &Method) -> bool {
        method.class.index() < self.near
    }

    /// Per method: true if it has a guarded call.
    pub(crate) fn guarded(&self) -> Vec<bool> {
        let is_guarded = |sites: &Vec<Site>| sites.iter().any(|site| site.is_guarded);
        self.sites.iter().map(is_guarded).collect()
    }

    /// Per method: true if a guarded call may come of calling it.
    pub(crate) fn reaching(&self) -> Vec<bool> {
        self.leading_to(self.guarded(), |_, _, _| true)
    }

    /// Per method: true if calling it may come to one of these; in libraries only where it is plain which method is called.
    pub(crate) fn surely_leading_to(&self, program: &Program, these: Vec<bool>) -> Vec<bool> {
        let is_subject = |method: MethodId| {
            program.class(program.method(method).class).origin == Origin::Subject
        };
        self.leading_to(these, |caller, site, target| {
            site.is_sure() || is_subject(caller) && is_subject(target)
        })
    }

    /// Per method: true if calling it may come to one of these, by calls that count.
    pub(crate) fn leading_to(
        &self,
        mut these: Vec<bool>,
        counts: impl Fn(MethodId, &Site, MethodId) -> bool,
    ) -> Vec<bool> {
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); self.sites.len()];
        for (method, sites) in (0..).zip(&self.sites) {
            for site in sites {
                for &target in &site.targets {
                    if counts(MethodId(method), site, target) {
                        callers[target.index()].push(method);
                    }
                }
            }
        }
        let mut open: Vec<usize> = (0..these.len()).filter(|&method| these[method]).collect();
        while let Some(method) = open.pop() {
            for &caller in &callers[method] {
                if !std::mem::replace(&mut these[caller as usize], true) {
                    open.push(caller as usize);
                }
            }
        }
        these
    }
}

/// What any object may have of its own, and the JDK calls on what it is given.
const OF_ALL: [(&str, &str); 3] = [
    ("toString", "()Ljava/lang/String;"),
    ("hashCode", "()I"),
    ("equals", "(Ljava/lang/Object;)Z"),
];

/// True for what calls none of them, though nothing but its name says so: what else the class of all objects has, as the
/// constructor that most constructors call, and copies of arrays.
fn calls_nothing_back(method: &MethodName) -> bool {
    match &*method.owner {
        "java/lang/Object" => !OF_ALL.iter().any(|(name, _)| *name == &*method.name),
        "java/lang/System" => matches!(&*method.name, "arraycopy" | "identityHashCode"),
        _ => false,
    }
}

/// What may be an object of one of some classes, or hold one.
struct Holding<'a> {
    /// The classes, and all above them.
    above: BTreeSet<&'a str>,
}

impl<'a> Holding<'a> {
    fn of(program: &'a Program, methods: &[MethodId]) -> Holding<'a> {
        let classes = methods.iter().map(|&method| program.method(method).class);
        let above = classes.flat_map(|class| program.supertypes(class));
        let names = above.map(|class| &*program.class(class).name);
        Holding {
            above: names.collect(),
        }
    }

    /// True if a call of the JDK is made on or with one.
    fn is_given(&self, operation: &Operation) -> bool {
        match operation {
            Operation::Invoke { kind, method } => {
                let is_on = *kind != InvokeKind::Static && self.has(&method.owner);
                is_on || self.is_taken(&method.descriptor)
            }
            Operation::InvokeDynamic(site) => self.is_taken(&site.descriptor),
            _ => false,
        }
    }

    fn is_taken(&self, descriptor: &str) -> bool {
        let parameters = descriptor.split(')').next().unwrap_or_default();
        let parts = parameters
            .split(';')
            .filter_map(|part| part.split_once('L'));
        parts.map(|(_, name)| name).any(|name| self.has(name))
    }

    fn has(&self, class: &str) -> bool {
        may_ask_what_it_holds(class) || self.above.contains(class)
    }
}

/// Of the package of texts, numbers and classes few hold what a program makes; of any other one each may.
pub(crate) fn may_hold(class: &str) -> bool {
    const HOLDING: [&str; 4] = [
        "java/lang/ref/",
        "java/lang/invoke/",
        "java/lang/Iterable",
        "java/lang/ThreadLocal",
    ];
    !class.starts_with("java/lang/") || HOLDING.iter().any(|start| class.starts_with(start))
}

/// Whether what an object of the JDK holds may be asked for its text or compared with others: dates, numbers, bytes,
/// addresses, and streams, which may hold streams of the program's, ask nobody.
fn may_ask_what_it_holds(class: &str) -> bool {
    const ASKING: [&str; 4] = [
        "java/io/Object",
        "java/io/Serial",
        "java/text/Attribute",
        "java/text/ChoiceFormat",
    ];
    const PLAIN: [&str; 21] = [
        "java/io/",
        "java/math/",
        "java/net/UR",
        "java/nio/",
        "java/sql/Date",
        "java/sql/Time",
        "java/text/",
        "java/time/",
        "java/util/BitSet",
        "java/util/Calendar",
        "java/util/Currency",
        "java/util/Date",
        "java/util/GregorianCalendar",
        "java/util/Locale",
        "java/util/Random",
        "java/util/SimpleTimeZone",
        "java/util/StringTokenizer",
        "java/util/TimeZone",
        "java/util/UUID",
        "java/util/regex/",
        "java/util/zip/",
    ];
    let begins = |starts: &[&str]| starts.iter().any(|start| class.starts_with(start));
    may_hold(class) && (!begins(&PLAIN) || begins(&ASKING))
}

/// What a body calls.
fn sites<'a>(
    horizon: &Horizon<'a>,
    guarded: &Guarded,
    graph: &mut CallGraph<'a>,
    (caller, code): (&Method, &'a Code),
) -> Vec<Site> {
    let program = horizon.program;
    let own = Own(caller.class);
    let mut sites = Vec::new();
    let mut before = None;
    for (instruction, operation) in (0..).zip(code.instructions.iter().map(|one| &one.operation)) {
        let given = before.replace(operation);
        let mut targets = Vec::new();
        let (mut is_guarded, mut is_asking, mut is_sure) = (false, false, true);
        match operation {
            Operation::Invoke { kind, method } => {
                is_guarded = lists(program, &guarded.reaching, method)
                    && !reaches_nothing(program, caller, code, instruction)
                    || is_beyond_what_is_known(program, method)
                    || ends_a_standard_stream(given, method);
                is_asking = !names_separator(given) && lists(program, &guarded.asking, method);
                let log = guarded.logging.call(method);
                is_guarded |= log == Some(LogCall::Other);
                is_asking |= log == Some(LogCall::Asks);
                // What only the class of all objects declares may come to anything.
                if &*method.owner != "java/lang/Object" {
                    let reached =
                        graph.targets(*kind, &method.owner, &method.name, &method.descriptor);
                    (targets, is_sure) = horizon.counted(caller.class, &method.owner, &reached);
                }
                if *kind == InvokeKind::Static {
                    targets.extend(own.initializer(program, &method.owner));
                }
            }
            // Whoever makes it may have it called.
            Operation::InvokeDynamic(site) => {
                if let Some(method) = &site.implementation {
                    let log = guarded.logging.call(method);
                    is_guarded = lists(program, &guarded.reaching, method)
                        || is_beyond_what_is_known(program, method)
                        || log == Some(LogCall::Other);
                    is_asking =
                        lists(program, &guarded.asking, method) || log == Some(LogCall::Asks);
                    targets.extend(program.resolve_method(method));
                }
                (is_guarded, is_asking) = (is_guarded | site.is_opaque, is_asking | site.is_opaque);
            }
            Operation::OtherConstant { runs: true } => (is_guarded, is_asking) = (true, true),
            // Whoever makes one may have the JDK call it.
            Operation::New(class) => {
                targets.extend(own.initializer(program, class));
                targets.extend(called_back(program, class));
            }
            Operation::GetField {
                field,
                is_static: true,
            }
            | Operation::PutField {
                field,
                is_static: true,
            } => {
                // What reads the user's keyboard waits for it.
                is_guarded = (&*field.owner, &*field.name) == ("java/lang/System", "in");
                targets.extend(own.initializer(program, &field.owner));
            }
            _ => continue,
        }
        if used(operation).is_some_and(|class| program.is_unread(class)) {
            (is_guarded, is_asking) = (true, true);
        }
        if is_of_logging(operation, guarded) {
            let is_subject = |target: &MethodId| {
                let class = program.method(*target).class;
                program.class(class).origin == Origin::Subject
            };
            targets.retain(is_subject); // such as a logger of its own
        }
        is_asking &= horizon.is_near(caller.class);
        if is_guarded || is_asking || !targets.is_empty() {
            sites.push(Site {
                instruction,
                is_guarded,
                is_asking,
                comes_to: if is_sure { ComesTo::All } else { ComesTo::One },
                targets,
            });
        }
    }
    sites
}

/// True if what an instruction uses is of a library that writes logs, whose bodies do not count.
fn is_of_logging(operation: &Operation, guarded: &Guarded) -> bool {
    let owner: &str = match operation {
        Operation::Invoke { method, .. } => &method.owner,
        Operation::New(class) => class,
        Operation::GetField { field, .. } | Operation::PutField { field, .. } => &field.owner,
        _ => return false,
    };
    guarded.logging.has(owner)
}

/// Where a body of the subject may run a lambda, or hand it to who runs it.
fn lambda_sites(
    program: &Program,
    guarded: &Guarded,
    lambdas: &Lambdas<'_>,
    code: &Code,
) -> Vec<Site> {
    let mut sites = Vec::new();
    for (instruction, operation) in (0..).zip(code.instructions.iter().map(|one| &one.operation)) {
        let bodies = match operation {
            Operation::Invoke { kind, method } => lambdas.called(*kind, method).to_vec(),
            Operation::GetField { field, is_static } => {
                lambdas.held(program, field, *is_static).collect()
            }
            _ => continue,
        };
        if bodies.is_empty() {
            continue;
        }
        let targets = bodies.iter();
        sites.push(Site {
            instruction,
            is_guarded: bodies.iter().any(|body| {
                lists(program, &guarded.reaching, body)
                    || is_beyond_what_is_known(program, body)
                    || guarded.logging.call(body) == Some(LogCall::Other)
            }),
            is_asking: false,
            comes_to: ComesTo::Lambdas,
            targets: targets
                .filter_map(|body| program.resolve_method(body))
                .collect(),
        });
    }
    sites
}

/// The class whose code an instruction may run.
fn used(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::Invoke { method, .. } => Some(&method.owner),
        Operation::InvokeDynamic(site) => Some(&site.implementation.as_ref()?.owner),
        Operation::New(class) => Some(class),
        Operation::GetField { field, .. } | Operation::PutField { field, .. } => Some(&field.owner),
        _ => None,
    }
}

/// True if a call closes a stream that all code of the JVM writes to.
fn ends_a_standard_stream(given: Option<&Operation>, method: &MethodName) -> bool {
    let is_standard = matches!(given, Some(Operation::GetField { field, is_static: true })
        if &*field.owner == "java/lang/System");
    is_standard && &*method.name == "close"
}

/// True if the name of a property is that of a separator, by which nobody decides to do harm.
fn names_separator(given: Option<&Operation>) -> bool {
    const SEPARATORS: [&str; 3] = ["file.separator", "line.separator", "path.separator"];
    matches!(given, Some(Operation::Text(name)) if SEPARATORS.contains(&&**name))
}

/// The class whose code it is.
#[derive(Clone, Copy)]
struct Own(ClassId);

impl Own {
    /// The initialiser of a class, unless it has run when this code runs.
    fn initializer(self, program: &Program, class: &str) -> Option<MethodId> {
        let class = program.class_named(class)?;
        if program.is_subclass(self.0, class) {
            return None;
        }
        initializer(program, class)
    }
}

/// The initialiser of a class.
pub(crate) fn initializer(program: &Program, class: ClassId) -> Option<MethodId> {
    let class = program.class(class);
    let mut methods = class.methods.iter();
    methods
        .find(|&&method| program.method(method).is_initializer())
        .copied()
}
