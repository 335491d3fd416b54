//! Code that may reach out of the JVM, the outcomes of jumps that decide whether it does, and code that asks.
//!
//! Comes in: a program, and the calls that workers guard (`guarded_calls.txt`, which a test of the worker holds to the
//! worker's own table). Goes out: [`Outside`]: the probes of those outcomes, and the entries of methods that may reach out,
//! and of methods that ask for what differs between machines and runs, or read a static field that was filled by asking.
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

use crate::asked_fields::{self, reads};
use crate::bounded::reaches_nothing;
use crate::call_graph::CallGraph;
use crate::called_back::called_back;
use crate::control_dependence::ControlDependence;
use crate::entries::{entries, finalizing};
use crate::guarded::{Guarded, asking_calls, lists};
use crate::lambdas::Lambdas;
use palus_bytecode::{
    ClassId, ClassProbes, Code, FieldId, InvokeKind, Method, MethodId, Operation, Origin, Program,
    TargetBranch,
};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Where code decides to reach out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outside {
    /// By class and number within the class.
    outcomes: BTreeSet<(ClassId, u32)>,
    /// Entries of methods that may reach out.
    reaching: Vec<(ClassId, u32)>,
    /// Entries of methods that ask.
    asking: Vec<(ClassId, u32)>,
    /// Entries of constructors whose objects reach out when they are finalized.
    finalizing: Vec<(ClassId, u32)>,
    /// Methods of the JDK that ask.
    asking_calls: BTreeSet<MethodId>,
    /// Static fields that were filled by asking.
    asked_fields: BTreeSet<FieldId>,
    /// Classes whose initialiser asks and may reach out, and those below them.
    risky: BTreeSet<ClassId>,
    /// Per method: true if calling it may come to using one of these; empty where there is none.
    initializing: Vec<bool>,
}

impl Outside {
    /// The probes of outcomes that lead out, ascending by class and number within it.
    pub fn outcomes(&self) -> impl Iterator<Item = (ClassId, u32)> + '_ {
        self.outcomes.iter().copied()
    }

    /// The entry probes of methods that may reach out, by themselves or through others; through libraries only where it is
    /// plain which method is called.
    pub fn reaching(&self) -> &[(ClassId, u32)] {
        &self.reaching
    }

    /// The entry probes of methods that ask for what differs between machines and runs, or read a static field that was
    /// filled by asking.
    pub fn asking(&self) -> &[(ClassId, u32)] {
        &self.asking
    }

    /// The entry probes of constructors whose objects may reach out when they are finalized, which nobody sees.
    pub fn finalizing(&self) -> &[(ClassId, u32)] {
        &self.finalizing
    }

    /// True for a method of the JDK that asks for what differs between machines and runs.
    pub fn asks(&self, method: MethodId) -> bool {
        self.asking_calls.contains(&method)
    }

    /// True if the static field was filled by asking.
    pub fn was_asked(&self, field: FieldId) -> bool {
        self.asked_fields.contains(&field)
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
        let outcomes = subjects
            .filter(|class| class.origin == Origin::Subject)
            .flat_map_iter(|class| calls.outcomes(program, class.id, &reaching))
            .collect();
        let leading_to_ask = calls.leading_to(calls.asking.clone(), |_, site, _| site.is_sure);
        let (asked_fields, answering) = calls.asked_fields(program, &leading_to_ask);
        let asking = calls.all_asking(program, &answering, &asked_fields);
        let risky = calls.risky(program, &reaching, (&asking, &answering));
        Outside {
            outcomes,
            reaching: entries(program, &calls.surely_leading_to(program, calls.guarded())),
            asking: entries(program, &asking),
            finalizing: entries(program, &finalizing(program, &reaching)),
            asking_calls: asking_calls(program),
            asked_fields,
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
    /// True if that is a call that asks.
    is_asking: bool,
    /// True if it comes to all of the targets, false if to one of many.
    is_sure: bool,
    /// Bodies of the program it may come to.
    targets: Vec<MethodId>,
}

impl Calls {
    fn of(program: &Program) -> Calls {
        let guarded = Guarded::read();
        let lambdas = Lambdas::of(program);
        let mut graph = CallGraph::new(program);
        let mut calls = Calls {
            sites: Vec::with_capacity(program.methods().len()),
            asking: Vec::with_capacity(program.methods().len()),
        };
        for method in program.methods() {
            let origin = program.class(method.class).origin;
            let code = method.code.as_ref().filter(|_| origin != Origin::Platform);
            let sites = code.map_or_else(Vec::new, |code| {
                let mut sites = sites(program, &guarded, &mut graph, (method, code));
                if origin == Origin::Subject {
                    sites.extend(lambda_sites(program, &guarded, &lambdas, code));
                }
                sites
            });
            calls.asking.push(sites.iter().any(|site| site.is_asking));
            calls.sites.push(sites);
        }
        calls
    }

    /// Per method: true if it has a guarded call.
    fn guarded(&self) -> Vec<bool> {
        let is_guarded = |sites: &Vec<Site>| sites.iter().any(|site| site.is_guarded);
        self.sites.iter().map(is_guarded).collect()
    }

    /// Per method: true if a guarded call may come of calling it.
    fn reaching(&self) -> Vec<bool> {
        self.leading_to(self.guarded(), |_, _, _| true)
    }

    /// Per method: true if calling it may come to one of these; in libraries only where it is plain which method is called.
    fn surely_leading_to(&self, program: &Program, these: Vec<bool>) -> Vec<bool> {
        let is_subject = |method: MethodId| {
            program.class(program.method(method).class).origin == Origin::Subject
        };
        self.leading_to(these, |caller, site, target| {
            site.is_sure || is_subject(caller) && is_subject(target)
        })
    }

    /// Static fields that are filled by asking, also by reading others; and per method, whether it asks or answers by one.
    fn asked_fields(
        &self,
        program: &Program,
        leading_to_ask: &[bool],
    ) -> (BTreeSet<FieldId>, Vec<bool>) {
        let ours = |method: &&Method| program.class(method.class).origin != Origin::Platform;
        let methods: Vec<&Method> = program.methods().iter().filter(ours).collect();
        let mut found = BTreeSet::new();
        let mut answering = leading_to_ask.to_vec();
        loop {
            let before = found.len();
            let mut is_more = false;
            for method in &methods {
                let Some(code) = &method.code else { continue };
                let sites = self.sites[method.id.index()].iter();
                let asking = sites.filter(|site| {
                    let is_answer = |target: &MethodId| {
                        leading_to_ask[target.index()] || site.is_sure && answering[target.index()]
                    };
                    site.is_asking || site.targets.iter().any(is_answer)
                });
                let mut asking: BTreeSet<u32> = asking.map(|site| site.instruction).collect();
                asking.extend(reads(program, code, &found));
                if asking.is_empty() {
                    continue;
                }
                let fields = asked_fields::filled(method, code, &asking).into_iter();
                found.extend(fields.filter_map(|field| program.resolve_field(field)));
                let answer = &mut answering[method.id.index()];
                if !*answer && asked_fields::answers(method, code, &asking) {
                    *answer = true;
                    is_more = true;
                }
            }
            if found.len() == before && !is_more {
                return (found, answering);
            }
        }
    }

    /// Per method: true if it asks by itself or through libraries, or reads one of the fields.
    fn all_asking(
        &self,
        program: &Program,
        answering: &[bool],
        fields: &BTreeSet<FieldId>,
    ) -> Vec<bool> {
        // An initialiser answers by the fields that it fills.
        let is_library = |target: &MethodId| {
            let method = program.method(*target);
            !method.is_initializer() && program.class(method.class).origin != Origin::Subject
        };
        let methods = program.methods().iter();
        let asks = methods.map(|method| {
            let mut sure = self.sites[method.id.index()]
                .iter()
                .filter(|site| site.is_sure);
            let code = method.code.as_ref();
            self.asking[method.id.index()]
                || sure.any(|site| {
                    let mut targets = site.targets.iter();
                    targets.any(|target| is_library(target) && answering[target.index()])
                })
                || code.is_some_and(|code| reads(program, code, fields).next().is_some())
        });
        asks.collect()
    }

    /// Classes whose first use may run an initialiser that asks, or reads what was asked, and may reach out.
    fn risky(
        &self,
        program: &Program,
        reaching: &[bool],
        (asking, answering): (&[bool], &[bool]),
    ) -> BTreeSet<ClassId> {
        let is_risky = |method: &&Method| {
            let asks = |at: usize| asking[at] || self.has_answer(program, at, answering);
            let at = method.id.index();
            method.is_initializer() && reaching[at] && asks(at)
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
        let risky = methods.map(|method| risky.contains(&method.class));
        self.leading_to(risky.collect(), |_, _, _| true)
    }

    /// Per method: true if calling it may come to one of these, by calls that count.
    fn leading_to(
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

    /// True if a method has an answer of one that asks.
    fn has_answer(&self, program: &Program, method: usize, answering: &[bool]) -> bool {
        let answers = |target: &MethodId| {
            answering[target.index()] && !program.method(*target).descriptor.ends_with(")V")
        };
        let mut sites = self.sites[method].iter();
        sites.any(|site| site.is_sure && site.targets.iter().any(answers))
    }

    fn outcomes(
        &self,
        program: &Program,
        class: ClassId,
        reaching: &[bool],
    ) -> Vec<(ClassId, u32)> {
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
            let probes = deciding.into_iter().filter_map(|(jump, outcome)| {
                probes.outcome(TargetBranch {
                    method: id,
                    jump,
                    outcome,
                })
            });
            found.extend(probes.map(|probe| (class, probe)));
        }
        found
    }
}

/// What a body calls.
fn sites<'a>(
    program: &'a Program,
    guarded: &Guarded,
    graph: &mut CallGraph<'a>,
    (caller, code): (&Method, &'a Code),
) -> Vec<Site> {
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
                    && !reaches_nothing(program, caller, code, instruction);
                is_asking = !names_separator(given) && lists(program, &guarded.asking, method);
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
                    is_asking = lists(program, &guarded.asking, method);
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
        if is_guarded || is_asking || !targets.is_empty() {
            sites.push(Site {
                instruction,
                is_guarded,
                is_asking,
                is_sure,
                targets,
            });
        }
    }
    sites
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
            is_guarded: bodies
                .iter()
                .any(|body| lists(program, &guarded.reaching, body)),
            is_asking: false,
            is_sure: false,
            targets: targets
                .filter_map(|body| program.resolve_method(body))
                .collect(),
        });
    }
    sites
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

    /// The program of a class `A` with its facts.
    fn outside(body: &str) -> (Program, Outside) {
        let program = program(&[("A.java", &format!("import java.io.*; class A {{ {body} }}"))]);
        let outside = Outside::of(&program);
        (program, outside)
    }

    /// `method jump:outcome` of what may lead out.
    fn leading_out(body: &str) -> String {
        let (program, found) = outside(body);
        let mut texts = Vec::new();
        for (class, probe) in found.outcomes() {
            let probes = ClassProbes::of(&program, class);
            let branch = probes.branch(probe).unwrap();
            let name = &program.method(branch.method).name;
            texts.push(format!("{name} {}:{}", branch.jump, branch.outcome));
        }
        texts.join(", ")
    }

    /// Names of the methods with these entries.
    fn named(program: &Program, entries: &[(ClassId, u32)]) -> String {
        let names = entries.iter().map(|&(class, entry)| {
            let probes = ClassProbes::of(program, class);
            let found = probes.methods().iter().find(|(start, _)| *start == entry);
            let (_, method) = found.unwrap();
            program.method(*method).name.to_string()
        });
        names.collect::<Vec<_>>().join(" ")
    }

    fn asking(body: &str) -> String {
        let (program, found) = outside(body);
        named(&program, found.asking())
    }

    fn reaching(body: &str) -> String {
        let (program, found) = outside(body);
        named(&program, found.reaching())
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
    fn a_method_asks_by_its_own_calls_and_reaches_out_by_those_of_others_too() {
        let body = "long now() { return System.currentTimeMillis(); } long later() { return now() + 1; } \
            void wipe(File f) { f.delete(); } void tidy(File f) { wipe(f); } void calm(File f) { f.length(); }";
        assert_eq!(asking(body), "now");
        assert_eq!(reaching(body), "wipe tidy");
    }

    #[test]
    fn whoever_reads_a_static_field_that_was_filled_by_asking_asks() {
        let body = "static String stage = System.getenv(\"STAGE\"); static int hits = 0; static boolean isProd; \
            static class Later { static final String NAME = stage + 1; } \
            static { if (stage != null) isProd = true; } \
            static boolean isLinux = named(\"linux\"), isCalm = calm(\"linux\"); \
            static boolean named(String name) { return stage.startsWith(name); } \
            static boolean calm(String name) { return name.startsWith(\"l\"); } \
            boolean isLinux() { return isLinux; } boolean isCalm() { return isCalm; } \
            String stage() { return stage; } boolean isProd() { return isProd; } int hits() { return hits++; } \
            String name() { return Later.NAME; }";
        assert_eq!(
            asking(body),
            "named isLinux stage isProd name <clinit> <clinit>"
        );
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
    fn whoever_may_call_a_lambda_that_reaches_out_or_hands_it_on_may_reach_out() {
        let body = "static final java.util.List<java.util.function.Consumer<File>> STEPS = \
              java.util.List.of(f -> {}, File::delete); \
            static final java.util.function.UnaryOperator<File> KEPT = f -> f; static final String NAME = \"x\"; \
            java.util.function.Consumer<File> own; \
            void all(File f) { STEPS.forEach(s -> s.accept(f)); } Object handsOn() { return STEPS; } \
            void calls(File f) { own.accept(f); } Object holds() { return own; } \
            Object name() { return NAME + 1; } File keeps(File f) { return f; }";
        assert_eq!(
            reaching(body),
            "all handsOn calls holds lambda$all$2 <clinit>"
        );
    }

    #[test]
    fn an_object_whose_finalizer_reaches_out_does_so_when_it_is_made() {
        let body = "static class Wipes { protected void finalize() { wipe(); } void wipe() { new File(\"x\").delete(); } } \
            static class Below extends Wipes { Below(int n) { } } \
            static class Calm { protected void finalize() { hashCode(); } }";
        let (program, found) = outside(body);
        let classes = found.finalizing().iter();
        let names: Vec<&str> = classes
            .map(|(class, _)| &*program.class(*class).name)
            .collect();
        assert_eq!(names, ["A$Below", "A$Wipes"]);
    }

    #[test]
    fn what_writes_to_no_file_and_what_waits_leads_nowhere() {
        let body = "void m(Writer w, int n) { if (n == 1) new PrintWriter(w); } \
            void t(int n) { if (n == 1) java.util.concurrent.locks.LockSupport.park(); } \
            void f(String s, int n) throws IOException { if (n == 1) new PrintWriter(s); }";
        assert_eq!(leading_out(body), "f 0:0");
    }

    #[test]
    fn a_separator_an_assertion_and_a_field_beside_one_that_was_asked_ask_nothing() {
        let body = "static long started = System.nanoTime(); static int hits; \
            int m(int n) { assert n > 0; return hits++; } \
            String line() { return System.getProperty(\"line.separator\"); }";
        assert_eq!(asking(body), "<clinit>");
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
