//! Outcomes of jumps that decide whether code runs which reaches out of the JVM.
//!
//! Comes in: a program, and the calls that workers guard (`guarded_calls.txt`, which a test of the worker holds to the
//! worker's own table). Goes out: [`Outside`]: the probes of those outcomes, and which of them stand in methods that ask
//! for what differs between machines and runs.
//! An outcome counts if a guarded call, or a call that may come to one by the class hierarchy, is control dependent on it,
//! directly or through other jumps of its method.
//! Does not know: which outcomes were taken; jumps of libraries, which have no probes.
//!
//! ```text
//! void tidy(File f) {
//!   if (LocalDate.now().getDayOfMonth() == 1)   // not taken (jump 0, outcome 0): leads to File.delete, in an asking method
//!     f.delete();
//!   if (f.length() > 9) big++;                  // leads nowhere
//! }
//! ```

use crate::call_graph::CallGraph;
use crate::control_dependence::ControlDependence;
use palus_bytecode::{
    ClassId, ClassProbes, Code, InvokeKind, Method, MethodId, MethodName, Operation, Origin,
    Program, TargetBranch, Type,
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

const GUARDED: &str = include_str!("guarded_calls.txt");

/// Where code decides to reach out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// By class and number within the class.
    outcomes: BTreeMap<(ClassId, u32), bool>,
    /// Classes whose initialiser asks and may reach out, and those below them.
    risky: BTreeSet<ClassId>,
    /// Per method: true if calling it may come to using one of these; empty where there is none.
    initializing: Vec<bool>,
}

impl Outside {
    /// The probes, ascending by class and number within it, each with whether its method, or one that it calls for an
    /// answer, asks for what differs between machines and runs.
    pub fn outcomes(&self) -> impl Iterator<Item = (ClassId, u32, bool)> + '_ {
        let outcomes = self.outcomes.iter();
        outcomes.map(|(&(class, probe), &asks)| (class, probe, asks))
    }

    /// True if calling a method may be what runs a class initialiser that asks for what differs between machines and runs
    /// and may reach out by what it is told: nobody sees which outcomes an initialiser takes.
    pub fn may_initialize_harm(&self, method: MethodId) -> bool {
        self.initializing
            .get(method.index())
            .copied()
            .unwrap_or(false)
    }

    /// The same of reading or writing a static field of a class, or making an object of it.
    pub fn may_harm_at_first_use(&self, class: ClassId) -> bool {
        self.risky.contains(&class)
    }

    /// Of a program.
    pub(crate) fn of(program: &Program) -> Outside {
        let calls = Calls::of(program);
        let reaching = calls.reaching();
        let subjects = program.classes().par_iter();
        let outcomes: BTreeMap<(ClassId, u32), bool> = subjects
            .filter(|class| class.origin == Origin::Subject)
            .flat_map_iter(|class| calls.outcomes(program, class.id, &reaching))
            .collect();
        let risky = calls.risky(program, &reaching);
        Outside {
            outcomes,
            initializing: calls.initializing(program, &risky),
            risky,
        }
    }
}

/// The calls of the program's bodies.
struct Calls {
    /// Per method: instructions that call something, in order.
    sites: Vec<Vec<Site>>,
    /// Per method: true if it asks by itself.
    asking: Vec<bool>,
}

/// An instruction that calls something.
struct Site {
    instruction: u32,
    /// True if that is a guarded call that reaches out.
    is_guarded: bool,
    /// True if it comes to all of the targets, false if to one of many.
    is_sure: bool,
    /// True if it reads a static boolean field, which says less of what it was made from than any other does.
    is_flag: bool,
    /// Bodies of the program it may come to.
    targets: Vec<MethodId>,
}

/// Methods by owner: names, or names with descriptors.
type List = BTreeMap<&'static str, BTreeSet<&'static str>>;

/// Guarded calls.
struct Guarded {
    reaching: List,
    asking: List,
}

impl Guarded {
    fn read() -> Guarded {
        let (mut reaching, mut asking) = (List::new(), List::new());
        for line in GUARDED.lines() {
            let (list, call) = match line.split_once(' ') {
                Some(("reaches", call)) => (&mut reaching, call),
                Some(("asks", call)) => (&mut asking, call),
                _ => unreachable!("the list has two kinds of lines: {line}"),
            };
            let (owner, member) = call.split_once('.').expect("an owner and a member");
            list.entry(owner).or_default().insert(member);
        }
        Guarded { reaching, asking }
    }
}

/// True for a constructor of what writes, but into no file.
fn takes_no_file(named: &MethodName) -> bool {
    const WRITING: [&str; 3] = [
        "java/io/PrintStream",
        "java/io/PrintWriter",
        "java/util/Formatter",
    ];
    WRITING.contains(&&*named.owner)
        && !["(Ljava/lang/String;", "(Ljava/io/File;"]
            .iter()
            .any(|file| named.descriptor.starts_with(file))
}

/// True if a list names the method, of the class that is named or of one above it.
fn lists(program: &Program, list: &List, named: &MethodName) -> bool {
    let is_listed = |owner: &str| {
        list.get(owner).is_some_and(|members| {
            (members.contains(&*named.name) && !takes_no_file(named))
                || members.contains(format!("{}{}", named.name, named.descriptor).as_str())
        })
    };
    let class = program.class_named(&named.owner);
    let class = class.filter(|&class| program.class(class).origin != Origin::Platform);
    is_listed(&named.owner)
        || class.is_some_and(|class| {
            let above = program.supertypes(class).into_iter();
            let mut above = above.map(|class| program.class(class));
            &*named.name != "<init>"
                && above.any(|class| class.origin == Origin::Platform && is_listed(&class.name))
        })
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let guarded = Guarded::read();
        let mut graph = CallGraph::new(program);
        let mut calls = Calls {
            sites: Vec::with_capacity(program.methods().len()),
            asking: Vec::with_capacity(program.methods().len()),
        };
        for method in program.methods() {
            let is_ours = program.class(method.class).origin != Origin::Platform;
            let code = method.code.as_ref().filter(|_| is_ours);
            let mut asks = false;
            let sites = code.map_or_else(Vec::new, |code| {
                let own = Own(method.class);
                sites(program, &guarded, &mut graph, (own, code), &mut asks)
            });
            calls.sites.push(sites);
            calls.asking.push(asks);
        }
        calls
    }

    /// Per method: true if a guarded call may come of calling it.
    fn reaching(&self) -> Vec<bool> {
        let sites = self.sites.iter();
        self.leading_to(
            sites
                .map(|sites| sites.iter().any(|site| site.is_guarded))
                .collect(),
        )
    }

    /// Classes whose first use may run an initialiser that asks and may reach out.
    fn risky(&self, program: &Program, reaching: &[bool]) -> BTreeSet<ClassId> {
        let is_risky = |method: &&Method| {
            method.is_initializer() && reaching[method.id.index()] && self.asks(program, method)
        };
        let initializers = program.methods().iter().filter(is_risky);
        let own: BTreeSet<ClassId> = initializers.map(|method| method.class).collect();
        let classes = program.classes().iter().map(|class| class.id);
        let is_below = |class: &ClassId| {
            let above = program.supertypes(*class);
            above.iter().any(|class| own.contains(class))
        };
        classes
            .filter(|class| !own.is_empty() && is_below(class))
            .collect()
    }

    /// Per method: true if calling it may come to using one of these; empty if there is none.
    fn initializing(&self, program: &Program, risky: &BTreeSet<ClassId>) -> Vec<bool> {
        if risky.is_empty() {
            return Vec::new();
        }
        let methods = program.methods().iter();
        self.leading_to(
            methods
                .map(|method| risky.contains(&method.class))
                .collect(),
        )
    }

    /// Per method: true if calling it may come to one of these.
    fn leading_to(&self, mut reaching: Vec<bool>) -> Vec<bool> {
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); self.sites.len()];
        for (method, sites) in self.sites.iter().enumerate() {
            for target in sites.iter().flat_map(|site| &site.targets) {
                callers[target.index()].push(method as u32);
            }
        }
        let mut open: Vec<usize> = (0..reaching.len())
            .filter(|&method| reaching[method])
            .collect();
        while let Some(method) = open.pop() {
            for &caller in &callers[method] {
                if !std::mem::replace(&mut reaching[caller as usize], true) {
                    open.push(caller as usize);
                }
            }
        }
        reaching
    }

    /// True if a method asks, or has an answer of one that does, or a flag that an initialiser made which does.
    fn asks(&self, program: &Program, method: &Method) -> bool {
        let answers = |target: &MethodId| {
            self.asking[target.index()] && !program.method(*target).descriptor.ends_with(")V")
        };
        let sites = self.sites[method.id.index()].iter();
        let mut sure = sites.filter(|site| site.is_sure);
        let asks = |site: &Site| {
            let mut targets = site.targets.iter();
            if site.is_flag {
                targets.any(|target| self.asking[target.index()])
            } else {
                targets.any(answers)
            }
        };
        self.asking[method.id.index()] || sure.any(asks)
    }

    fn outcomes(
        &self,
        program: &Program,
        class: ClassId,
        reaching: &[bool],
    ) -> Vec<((ClassId, u32), bool)> {
        let mut found = Vec::new();
        let mut probes = None;
        for &id in &program.class(class).methods {
            let method = program.method(id);
            let sites = self.sites[id.index()].iter().filter(|site| {
                site.is_guarded || site.targets.iter().any(|target| reaching[target.index()])
            });
            let mut sites = sites.peekable();
            let Some(code) = method.code.as_ref().filter(|_| sites.peek().is_some()) else {
                continue;
            };
            let dependence = ControlDependence::of(code);
            let mut deciding = BTreeSet::new();
            for site in sites {
                let direct = dependence.controllers_of(site.instruction).iter();
                let mut open: Vec<(u32, u32)> = direct.copied().collect();
                while let Some(outcome) = open.pop() {
                    if deciding.insert(outcome) {
                        open.extend(dependence.controllers(outcome.0));
                    }
                }
            }
            if deciding.is_empty() {
                continue;
            }
            let probes = probes.get_or_insert_with(|| ClassProbes::of(program, class));
            let asks = self.asks(program, method);
            let probes = deciding.into_iter().filter_map(|(jump, outcome)| {
                probes.outcome(TargetBranch {
                    method: id,
                    jump,
                    outcome,
                })
            });
            found.extend(probes.map(|probe| ((class, probe), asks)));
        }
        found
    }
}

/// What a body calls.
fn sites<'a>(
    program: &'a Program,
    guarded: &Guarded,
    graph: &mut CallGraph<'a>,
    (own, code): (Own, &'a Code),
    asks: &mut bool,
) -> Vec<Site> {
    let mut sites = Vec::new();
    let mut before = None;
    for (instruction, operation) in (0..).zip(code.instructions.iter().map(|one| &one.operation)) {
        let given = before.replace(operation);
        let mut targets = Vec::new();
        let (mut is_guarded, mut is_sure) = (false, true);
        match operation {
            Operation::Invoke { kind, method } => {
                is_guarded = lists(program, &guarded.reaching, method);
                *asks |= !names_separator(given) && lists(program, &guarded.asking, method);
                // What only the class of all objects declares may come to anything.
                if &*method.owner != "java/lang/Object" {
                    let reached =
                        graph.targets(*kind, &method.owner, &method.name, &method.descriptor);
                    is_sure = reached.reached.len() < 2;
                    targets.extend(&reached.reached);
                }
                if *kind == InvokeKind::Static {
                    targets.extend(own.initializer(program, &method.owner));
                }
            }
            // Whoever makes it may have it called.
            Operation::InvokeDynamic(site) => {
                if let Some(method) = &site.implementation {
                    is_guarded = lists(program, &guarded.reaching, method);
                    *asks |= lists(program, &guarded.asking, method);
                    targets.extend(program.resolve_method(method));
                }
            }
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
                targets.extend(own.initializer(program, &field.owner));
            }
            _ => continue,
        }
        if is_guarded || !targets.is_empty() {
            sites.push(Site {
                instruction,
                is_guarded,
                is_sure,
                is_flag: matches!(operation, Operation::GetField { field, is_static: true } if field.field_type == Type::Boolean && !field.name.starts_with("$assertions")),
                targets,
            });
        }
    }
    sites
}

/// True if the name of a property is that of a separator, by which nobody decides to do harm.
fn names_separator(given: Option<&Operation>) -> bool {
    const SEPARATORS: [&str; 3] = ["file.separator", "line.separator", "path.separator"];
    matches!(given, Some(Operation::Text(name)) if SEPARATORS.contains(&&**name))
}

/// Methods of a class of the program that override one of the JDK's.
fn called_back(program: &Program, class: &str) -> Vec<MethodId> {
    let Some(class) = program.class_named(class) else {
        return Vec::new();
    };
    let above = program.supertypes(class);
    let (jdks, own): (Vec<ClassId>, Vec<ClassId>) = above
        .into_iter()
        .partition(|class| program.class(*class).origin == Origin::Platform);
    let is_jdks = |method: &Method| {
        let declares = |jdk: &ClassId| {
            let class = program.class(*jdk);
            let declared = program.declared_method(*jdk, &method.name, &method.descriptor);
            &*class.name != "java/lang/Object" && declared.is_some()
        };
        !method.access.is_static() && !method.is_constructor() && jdks.iter().any(declares)
    };
    let methods = own
        .into_iter()
        .flat_map(|class| &program.class(class).methods);
    methods
        .filter(|&&id| is_jdks(program.method(id)))
        .copied()
        .collect()
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
fn initializer(program: &Program, class: ClassId) -> Option<MethodId> {
    let class = program.class(class);
    let mut methods = class.methods.iter();
    methods
        .find(|&&method| program.method(method).is_initializer())
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;

    /// `method jump:outcome` of what may lead out; with `?` where the method asks.
    fn leading_out(body: &str) -> String {
        let program = program(&[("A.java", &format!("import java.io.*; class A {{ {body} }}"))]);
        let found = Outside::of(&program);
        let mut texts = Vec::new();
        for (class, probe, asks) in found.outcomes() {
            let probes = ClassProbes::of(&program, class);
            let branch = probes.branch(probe).unwrap();
            let name = &program.method(branch.method).name;
            let asks = if asks { "?" } else { "" };
            texts.push(format!("{name} {}:{}{asks}", branch.jump, branch.outcome));
        }
        texts.join(", ")
    }

    #[test]
    fn a_jump_that_decides_whether_a_file_is_deleted_leads_out() {
        let body = "void m(File f, int n) { if (n == 1) f.delete(); if (n == 2) f.length(); }";
        assert_eq!(leading_out(body), "m 0:0");
    }

    #[test]
    fn so_do_the_jumps_around_it_and_those_before_calls_that_come_to_it() {
        let body = "void m(File f, int n) { if (n > 1) { if (n < 5) { new Thread(() -> wipe(f)); } } } \
            void wipe(File f) { f.delete(); } \
            void other(File f, Runnable r) { if (f != null) wipe(f); if (r == null) hashCode(); }";
        assert_eq!(leading_out(body), "m 0:0, m 1:0, other 0:0");
    }

    #[test]
    fn a_method_asks_by_itself_or_through_another_that_answers() {
        let body = "long now() { return System.currentTimeMillis(); } \
            void m(File f) { if (now() % 7 == 0) f.delete(); } \
            void n(File f, int k) { if (k == 0) f.delete(); now2(); } void now2() { now(); }";
        assert_eq!(leading_out(body), "m 0:0?, n 0:0");
    }

    #[test]
    fn what_is_called_on_a_subclass_of_the_jdks_class_is_guarded_too() {
        let body = "static class Own extends File { Own() { super(\"x\"); } } \
            void m(Own f, int n) { if (n == 1) f.delete(); }";
        assert_eq!(leading_out(body), "m 0:0");
    }

    #[test]
    fn an_initialiser_that_reaches_out_is_led_to_by_the_first_use() {
        let body = "static class Wipes { static int n; static { new File(\"x\").delete(); } } \
            int m(int n) { return n == 1 ? Wipes.n : 0; }";
        assert_eq!(leading_out(body), "m 0:0");
    }

    #[test]
    fn whoever_makes_an_object_that_the_jdk_calls_back_may_have_it_called() {
        let body = "static class Wipes implements Runnable { \
              public void run() { new File(\"x\").delete(); } void other() { new File(\"x\").delete(); } } \
            static class Calm { void other() { new File(\"x\").delete(); } } \
            Object m(int n) { return n == 1 ? new Wipes() : n == 2 ? new Calm() : null; }";
        assert_eq!(leading_out(body), "m 0:0");
    }

    #[test]
    fn what_writes_to_no_file_and_what_waits_leads_nowhere() {
        let body = "void m(Writer w, int n) { if (n == 1) new PrintWriter(w); } \
            void t(int n) { if (n == 1) java.util.concurrent.locks.LockSupport.park(); } \
            void f(String s, int n) throws IOException { if (n == 1) new PrintWriter(s); }";
        assert_eq!(leading_out(body), "f 0:0");
    }

    #[test]
    fn an_own_static_field_and_an_assertion_ask_nothing() {
        let body = "static long started = System.nanoTime(); static int hits; \
            void m(File f, int n) { assert n > 0; if (n == 1) f.delete(); hits++; }";
        assert!(!leading_out(body).contains('?'), "{}", leading_out(body));
    }

    #[test]
    fn calling_what_uses_a_class_whose_initialiser_may_harm_is_told() {
        let body = "static class Risky { static { if (System.nanoTime() == 7) new File(\"x\").delete(); } \
              static int n; void own() { } } static class Below extends Risky { } \
            static class Calm { static { if (n() == 7) new File(\"x\").delete(); } static int n() { return 1; } } \
            int m() { return Risky.n; } int far() { return m(); } int calm() { return Calm.n(); }";
        let program = program(&[("A.java", &format!("import java.io.*; class A {{ {body} }}"))]);
        let outside = Outside::of(&program);
        let told = |name| outside.may_initialize_harm(crate::fixture::method(&program, name));
        assert!(told("A.m") && told("A.far") && told("A$Risky.own"));
        let class = |name| program.class_named(name).unwrap();
        assert!(outside.may_harm_at_first_use(class("A$Risky")));
        assert!(outside.may_harm_at_first_use(class("A$Below")));
        assert!(!outside.may_harm_at_first_use(class("A$Calm")));
        assert!(!told("A.calm") && !told("A$Calm.n"));
    }

    #[test]
    fn code_that_reaches_nothing_has_none() {
        assert_eq!(leading_out("int m(int n) { return n == 1 ? 2 : 3; }"), "");
    }
}
