//! What may run when a class is first used.
//!
//! Comes in: a program, what its bodies call, an initialiser. Goes out: [`FirstUse`]: the bodies that may run then, and those
//! among them that may come to a call that reaches out.
//! A call comes to the bodies that the class hierarchy names, as far as an object may be there that brings them along: one
//! that is made on the way, or one that comes from elsewhere by a static field that others may write, by an array in one, by a
//! cast, or by a field of such an object. Where objects may be made by name, all count. This is rapid type analysis (Bacon,
//! Sweeney, "Fast Static Analysis of C++ Virtual Function Calls", OOPSLA 1996).
//! What the JDK may call of an object, and a lambda, counts once something of the JDK is called that may be given it, or code
//! that runs calls it: many initialisers make a comparator for later.
//! An initialiser is given nothing, so that this leaves out nearly all: in a large program `map.put(key, value)` may come
//! to anything by the class hierarchy alone.
//! Does not know: what is decided by an answer.

use crate::call_sites::{Calls, ComesTo, initializer, may_hold};
use palus_bytecode::{
    ClassId, DynamicCall, FieldName, InvokeKind, MethodId, MethodName, Operation, Origin, Program,
    Type,
};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Where the JDK makes objects of classes that nobody names in the code, or calls what nobody does.
const BY_NAME: [(&str, &str); 8] = [
    ("java/lang/Class", "newInstance"),
    ("java/lang/reflect/Constructor", "newInstance"),
    ("java/lang/reflect/Method", "invoke"),
    ("java/lang/reflect/Proxy", "newProxyInstance"),
    ("java/lang/invoke/MethodHandle", ""),
    ("java/util/ServiceLoader", ""),
    ("java/io/ObjectInputStream", "readObject"),
    ("java/sql/DriverManager", ""),
];

/// What may run when an initialiser does.
pub(crate) struct FirstUse {
    /// Bodies, with those that each may come to.
    bodies: BTreeMap<MethodId, BTreeSet<MethodId>>,
    /// Per method: true if it may run and come to a call that reaches out.
    pub(crate) reaching: Vec<bool>,
}

impl FirstUse {
    /// Where `later`, with what may run later since an object was made for it.
    pub(crate) fn of(
        program: &Program,
        calls: &Calls,
        initializer: MethodId,
        later: bool,
    ) -> FirstUse {
        let mut walk = Walk {
            later,
            program,
            calls,
            bodies: BTreeMap::new(),
            open: vec![initializer],
            made: BTreeSet::new(),
            foreign: BTreeSet::new(),
            above_foreign: BTreeSet::new(),
            shared: BTreeSet::new(),
            fields: Vec::new(),
            takes_all: false,
            waiting: Vec::new(),
            waiting_lambdas: Vec::new(),
            lambdas: BTreeSet::new(),
            held: Vec::new(),
            given: BTreeSet::new(),
        };
        walk.all();
        let bodies = walk.bodies.keys().copied();
        let mut open: Vec<MethodId> = bodies.filter(|body| walk.reaches_itself(*body)).collect();
        let bodies = walk.bodies;
        let mut reaching = vec![false; program.methods().len()];
        let mut callers: BTreeMap<MethodId, Vec<MethodId>> = BTreeMap::new();
        for (&caller, targets) in &bodies {
            for &target in targets {
                callers.entry(target).or_default().push(caller);
            }
        }
        while let Some(method) = open.pop() {
            if !std::mem::replace(&mut reaching[method.index()], true) {
                open.extend(callers.get(&method).into_iter().flatten());
            }
        }
        FirstUse { bodies, reaching }
    }

    /// The bodies that may run.
    pub(crate) fn bodies(&self) -> impl Iterator<Item = MethodId> {
        self.bodies.keys().copied()
    }
}

struct Walk<'a> {
    /// Whether what is made for others to call counts as called.
    later: bool,
    program: &'a Program,
    calls: &'a Calls,
    bodies: BTreeMap<MethodId, BTreeSet<MethodId>>,
    open: Vec<MethodId>,
    /// Classes of which there may be objects, and those above them.
    made: BTreeSet<ClassId>,
    /// Classes whose objects may come from elsewhere.
    foreign: BTreeSet<ClassId>,
    /// Those above them.
    above_foreign: BTreeSet<ClassId>,
    /// Classes of which a static field holds an object that others may write into, and those above them.
    shared: BTreeSet<ClassId>,
    /// Fields of objects none of which may come from elsewhere.
    fields: Vec<FieldName>,
    /// Whether all classes count as made.
    takes_all: bool,
    /// Calls that an object would have to bring along that may not be there: caller and body.
    waiting: Vec<(MethodId, MethodId)>,
    /// Calls of lambdas that may not be there.
    waiting_lambdas: Vec<(MethodId, MethodId, Option<ClassId>)>,
    /// Lambdas that are made.
    lambdas: BTreeSet<MethodId>,
    /// What is made for others to call: who makes it, its class, the body.
    held: Vec<(MethodId, ClassId, MethodId)>,
    /// Names of classes of which something of the JDK is given an object, or is called on one.
    given: BTreeSet<Arc<str>>,
}

impl Walk<'_> {
    fn all(&mut self) {
        loop {
            while let Some(body) = self.open.pop() {
                if let Entry::Vacant(new) = self.bodies.entry(body) {
                    new.insert(BTreeSet::new());
                    self.body(body);
                }
            }
            for field in std::mem::take(&mut self.fields) {
                self.field(&field, false);
            }
            let waiting = std::mem::take(&mut self.waiting);
            for (caller, target) in waiting {
                self.take(caller, target, true);
            }
            for (caller, target, by) in std::mem::take(&mut self.waiting_lambdas) {
                self.take_lambda(caller, target, by);
            }
            for (maker, class, target) in std::mem::take(&mut self.held) {
                if self.takes_all || self.may_be_given(class) {
                    self.take(maker, target, false);
                } else {
                    self.held.push((maker, class, target));
                }
            }
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Takes a body that may run, once.
    fn body(&mut self, body: MethodId) {
        let Some(code) = &self.program.method(body).code else {
            return;
        };
        for instruction in &code.instructions {
            match &instruction.operation {
                Operation::New(class) => self.make(class),
                Operation::InvokeDynamic(call) => self.make_lambda(call),
                Operation::Cast(cast) => self.take_foreign(element(cast)),
                Operation::GetField { field, is_static } => self.field(field, *is_static),
                Operation::Invoke { kind, method } => {
                    self.takes_all |= makes_by_name(method);
                    self.give(*kind, method);
                }
                _ => {}
            }
        }
        // What is said of its class, and of those above, was said before it runs.
        self.open_initializers(self.program.method(body).class);
        let calls = self.calls;
        for site in &calls.sites[body.index()] {
            let operation = &code.instructions[site.instruction as usize].operation;
            for &target in &site.targets {
                match (site.comes_to, operation) {
                    (ComesTo::Lambdas, _) => {
                        self.take_lambda(body, target, brought_by(self.program, operation));
                    }
                    (ComesTo::All, Operation::InvokeDynamic(call)) => {
                        self.lambdas.insert(target);
                        self.hold(body, returned(&call.descriptor), target);
                    }
                    (ComesTo::All, Operation::New(class))
                        if !self.program.method(target).is_initializer() =>
                    {
                        self.hold(body, Some(&**class), target);
                    }
                    _ => self.take(body, target, !site.is_sure()),
                }
            }
        }
    }

    /// There may be objects of this class.
    fn make(&mut self, class: &str) {
        if let Some(class) = self.program.class_named(class) {
            self.made.extend(self.program.supertypes(class));
        }
    }

    /// There may be such a lambda, and what it makes.
    fn make_lambda(&mut self, call: &DynamicCall) {
        if let Some(method) = call
            .implementation
            .as_ref()
            .filter(|it| &*it.name == "<init>")
        {
            self.make(&method.owner);
        }
        if let Some(class) = returned(&call.descriptor) {
            self.make(class);
        }
    }

    /// Initialisers of a class and of those above it may have run; nobody here calls them.
    fn open_initializers(&mut self, class: ClassId) {
        for class in self.program.supertypes(class) {
            let initializer = initializer(self.program, class);
            let new = initializer.filter(|it| !self.bodies.contains_key(it));
            self.open.extend(new);
        }
    }

    /// What others may call of an object of this class. What a library makes it may call itself.
    fn hold(&mut self, maker: MethodId, class: Option<&str>, target: MethodId) {
        let is_subject = self.origin(maker) == Origin::Subject;
        match class.and_then(|class| self.program.class_named(class)) {
            Some(class) if is_subject && !self.later => self.held.push((maker, class, target)),
            _ => self.take(maker, target, false),
        }
    }

    fn origin(&self, method: MethodId) -> Origin {
        self.program.class(self.program.method(method).class).origin
    }

    /// A call of what may be this lambda, by this interface.
    fn take_lambda(&mut self, caller: MethodId, target: MethodId, by: Option<ClassId>) {
        let is_foreign = by.is_none_or(|by| self.foreign.contains(&by));
        if self.takes_all || is_foreign || self.lambdas.contains(&target) {
            self.take(caller, target, false);
        } else {
            self.waiting_lambdas.push((caller, target, by));
        }
    }

    /// True for a body that itself calls what reaches out. A lambda that does counts where it is made, and where it may come
    /// from elsewhere.
    fn reaches_itself(&self, body: MethodId) -> bool {
        let Some(code) = &self.program.method(body).code else {
            return false;
        };
        let mut sites = self.calls.sites[body.index()].iter();
        sites.any(|site| {
            let by = || {
                let operation = &code.instructions[site.instruction as usize].operation;
                brought_by(self.program, operation)
            };
            site.is_guarded
                && (site.comes_to != ComesTo::Lambdas
                    || self.takes_all
                    || by().is_none_or(|by| self.foreign.contains(&by)))
        })
    }

    /// Whether something of the JDK may be given an object of this class, or what holds one.
    fn may_be_given(&self, class: ClassId) -> bool {
        let above = self.program.supertypes(class);
        let mut given = self.given.iter();
        given.any(|name| {
            may_hold(name)
                || above
                    .iter()
                    .any(|above| self.program.class(*above).name == *name)
        })
    }

    /// Notes what something of the JDK or of a library is given.
    fn give(&mut self, kind: InvokeKind, method: &MethodName) {
        let class = self.program.class_named(&method.owner);
        let is_others = |class| self.program.class(class).origin != Origin::Subject;
        let called = self.program.resolve_method(method);
        let called = called.map_or(class, |called| Some(self.program.method(called).class));
        if !called.is_none_or(is_others) || &*method.owner == "java/lang/Object" {
            return;
        }
        if kind != InvokeKind::Static {
            self.given.insert(method.owner.clone());
        }
        let parameters = method.descriptor.split(')').next().unwrap_or_default();
        let parts = parameters
            .split(';')
            .filter_map(|part| part.split_once('L'));
        self.given.extend(parts.map(|(_, name)| Arc::from(name)));
    }

    /// A call; `is_brought` where only an object can bring the body along.
    fn take(&mut self, caller: MethodId, target: MethodId, is_brought: bool) {
        let method = self.program.method(target);
        let is_brought = is_brought && !method.access.is_static() && !method.is_constructor();
        if is_brought && !self.takes_all && !self.made.contains(&method.class) {
            self.waiting.push((caller, target));
            return;
        }
        let targets = self.bodies.get_mut(&caller).expect("the caller was taken");
        targets.insert(target);
        if !self.bodies.contains_key(&target) {
            self.open.push(target);
        }
    }

    /// What is read may be of any class of its type, where others may have put it there.
    fn field(&mut self, named: &FieldName, is_static: bool) {
        let Some(id) = self.program.resolve_field(named) else {
            return;
        };
        let field = self.program.field(id);
        if is_static {
            self.open_initializers(field.class);
        }
        let is_array = matches!(field.field_type, Type::Array(_));
        let class = element(&field.field_type);
        let is_final = field.access.is_final();
        let is_others = if is_static {
            is_array || !is_final
        } else {
            let is_shared = !is_final && self.shared.contains(&field.class);
            is_shared || self.above_foreign.contains(&field.class)
        };
        if is_others {
            self.take_foreign(class);
        } else if is_static {
            self.share(class);
        } else {
            self.fields.push(named.clone());
        }
    }

    /// A static field holds an object of this class or of one below it.
    fn share(&mut self, class: &str) {
        let mut open: Vec<ClassId> = self.program.class_named(class).into_iter().collect();
        while let Some(class) = open.pop() {
            if self.shared.insert(class) {
                self.shared.extend(self.program.supertypes(class));
                open.extend(self.program.subclasses(class));
            }
        }
    }

    /// Objects of a class and of all below it may be there.
    fn take_foreign(&mut self, class: &str) {
        let Some(class) = self.program.class_named(class) else {
            return;
        };
        if &*self.program.class(class).name == "java/lang/Object" {
            return;
        }
        let mut open = vec![class];
        while let Some(class) = open.pop() {
            if self.foreign.insert(class) {
                let above = self.program.supertypes(class);
                self.made.extend(above.iter().copied());
                self.above_foreign.extend(above);
                open.extend(self.program.subclasses(class));
            }
        }
    }
}

/// The name of a class, or of that of an array's elements; of a number that of none.
fn element(of: &Type) -> &str {
    match of {
        Type::Object(class) => class,
        Type::Array(of) => element(of),
        _ => "",
    }
}

/// The interface by which a lambda is called, or read from a field.
fn brought_by(program: &Program, operation: &Operation) -> Option<ClassId> {
    match operation {
        Operation::Invoke { method, .. } => program.class_named(&method.owner),
        Operation::GetField { field, .. } => {
            let field = program.resolve_field(field)?;
            program.class_named(element(&program.field(field).field_type))
        }
        _ => None,
    }
}

/// The class of what is given back by a method of this descriptor.
fn returned(descriptor: &str) -> Option<&str> {
    let (_, returned) = descriptor.split_once(')')?;
    returned.strip_prefix('L')?.strip_suffix(';')
}

/// True for a call by which the JDK makes objects of any class, or calls any method.
fn makes_by_name(method: &MethodName) -> bool {
    let mut all = BY_NAME.iter();
    all.any(|(owner, name)| *owner == &*method.owner && (name.is_empty() || *name == &*method.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;

    /// Names of classes of `A` whose first use may come to a call that reaches out.
    fn reaching_out(body: &str) -> String {
        reaching(body, false)
    }

    fn reaching(body: &str, later: bool) -> String {
        let program = program(&[("A.java", &format!("import java.io.*; class A {{ {body} }}"))]);
        let calls = Calls::of(&program, program.classes().len());
        let initializers = program.methods().iter();
        let initializers = initializers.filter(|method| method.is_initializer());
        let reaching = initializers.filter(|method| {
            FirstUse::of(&program, &calls, method.id, later).reaching[method.id.index()]
        });
        let names = reaching.map(|method| program.class(method.class).name.replace("A$", ""));
        names.collect::<Vec<_>>().join(" ")
    }

    const JOBS: &str = "interface Job { void go(); } static class Wipes implements Job { \
        public void go() { new File(\"x\").delete(); } } static class Calm implements Job { public void go() { } } \
        static void run(Job job) { job.go(); } ";

    #[test]
    fn a_body_counts_where_an_object_is_made_that_brings_it_along() {
        let body = "static class Makes { static { run(new Wipes()); } } \
            static class MakesCalm { static { run(new Calm()); } } \
            static class Below extends Wipes { } static class MakesBelow { static { run(new Below()); } }";
        assert_eq!(reaching_out(&format!("{JOBS} {body}")), "Makes MakesBelow");
    }

    #[test]
    fn so_it_does_where_one_may_come_from_elsewhere() {
        let body = "static Job open; static final Job SHUT = new Calm(); static final Object[] ALL = new Object[1]; \
            static class Box { Job held; } static Box box; \
            static class Read { static { open.go(); } } \
            static class Fixed { static { SHUT.go(); } } \
            static class Cast { static { ((Job) ALL[0]).go(); } } \
            static class Held { static { box.held.go(); } } static final Box FIXED = new Box(); \
            static class HeldFixed { static { FIXED.held.go(); } } \
            static class Above { static final Job JOB = new Wipes(); } static class Below extends Above { static { JOB.go(); } } \
            static java.util.function.Supplier<Job> hook; static class Hooked { static { hook.get().go(); } } \
            static void install() { hook = () -> { new File(\"x\").delete(); return null; }; } \
            static final Job[] ROW = new Job[1]; static class Row { static { ROW[0].go(); } } \
            static class OwnBox { static { Box own = new Box(); own.held = new Calm(); own.held.go(); } }";
        assert_eq!(
            reaching_out(&format!("{JOBS} {body}")),
            "Below Cast Held HeldFixed Hooked Read Row"
        );
    }

    #[test]
    fn where_objects_are_made_by_name_all_may_be_there() {
        let body = "static class Named { static { try { Object made = Class.forName(\"A$Wipes\").newInstance(); } \
            catch (ReflectiveOperationException e) { } run(new Calm()); } }";
        assert_eq!(reaching_out(&format!("{JOBS} {body}")), "Named");
    }

    #[test]
    fn a_text_of_an_object_that_is_made_counts() {
        let body = "static class Evil { public String toString() { new File(\"x\").delete(); return \"\"; } } \
            static class Says { static String text; static { text = 1 + \"\" + new Evil(); } } \
            static class SaysNumber { static String text; static { text = new int[1].length + \"\"; } }";
        assert_eq!(reaching_out(body), "Says");
    }

    #[test]
    fn what_the_jdk_may_call_counts_once_it_may_be_given_it() {
        let wipes = "static class Wipes implements java.util.Comparator<File> { \
            public int compare(File a, File b) { a.delete(); return 0; } } \
            static class Keeps { static final Wipes BY = new Wipes(); static final String OS = System.getProperty(\"os.name\"); } \
            static class Sorts { static { java.util.Arrays.sort(new File[2], new Wipes()); } } \
            static class Given { static { java.util.Objects.requireNonNull(new Wipes()); } }";
        assert_eq!(reaching_out(wipes), "Given Sorts");
        assert_eq!(reaching(wipes, true), "Given Keeps Sorts");
    }

    #[test]
    fn a_lambda_counts_where_it_is_made() {
        let body = "static class Makes { static { run(() -> new File(\"x\").delete()); } } \
            static class MakesCalm { static { run(() -> { }); } } \
            static class Holds { static final Job WIPE = () -> new File(\"x\").delete(); } \
            static class Far { static { Holds.WIPE.go(); } }";
        let body = format!("{JOBS} {body}");
        assert_eq!(reaching_out(&body), "Far Makes");
        assert_eq!(reaching(&body, true), "Far Holds Makes");
    }
}
