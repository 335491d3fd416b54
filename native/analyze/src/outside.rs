//! Code that may reach out of the JVM, the outcomes of jumps that decide whether it does, and code that asks.
//!
//! Comes in: a program, and what its bodies call. Goes out: [`Outside`]: the probes of those outcomes, and the entries of methods that may reach out,
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

use crate::asked_fields::reads;
use crate::call_sites::Calls;
use crate::control_dependence::ControlDependence;
use crate::entries::entries;
use crate::finalizers::finalizing;
use crate::first_use::FirstUse;
use crate::guarded::asking_calls;
use palus_bytecode::{
    ClassId, ClassProbes, FieldId, Method, MethodId, Operation, Origin, Program, TargetBranch,
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
    /// Per method: true if calling it uses one of these, or may come to one of a library; empty where there is none.
    initializing: Vec<bool>,
    /// Entries of methods of the subject that use one of these.
    using: Vec<(ClassId, u32)>,
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

    /// The entry probes of methods that ask for what differs between machines and runs, read a static field that was filled
    /// by asking, or decide whether to reach out by a static field that others may have changed.
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

    /// The entry probes of methods that use a class whose initialiser asks for what differs between machines and runs
    /// and may reach out by what it is told: nobody sees which outcomes an initialiser takes.
    pub fn using(&self) -> &[(ClassId, u32)] {
        &self.using
    }

    /// True if calling a method is what uses such a class, or may come to one of a library, where nobody sees what runs.
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

    /// Of a program; behind its first `near` classes stand those of libraries that only bodies name.
    pub(crate) fn of(program: &Program, near: usize) -> Outside {
        let calls = Calls::of(program, near);
        let reaching = calls.reaching();
        let subjects = program.classes().par_iter();
        let outcomes = subjects
            .filter(|class| class.origin == Origin::Subject)
            .flat_map_iter(|class| calls.outcomes(program, class.id, &reaching))
            .collect();
        let leading_to_ask = calls.leading_to(calls.asking.clone(), |_, site, _| site.is_sure());
        let (asked_fields, answering) = calls.asked_fields(program, &leading_to_ask);
        let mut asking = calls.all_asking(program, &answering, &asked_fields);
        for (asks, by_state) in asking
            .iter_mut()
            .zip(calls.deciding_by_state(program, &reaching))
        {
            *asks |= by_state;
        }
        let may_ask = calls.surely_leading_to(program, calls.asking.clone());
        let is_near = |method: MethodId| program.method(method).class.index() < near;
        let mut guarded = calls.guarded();
        for method in program.methods() {
            guarded[method.id.index()] &= is_near(method.id);
        }
        let reaching_near = calls.leading_to(guarded, |caller, _, target| {
            is_near(caller) && is_near(target)
        });
        let reach = (&*reaching, &*reaching_near);
        let risky = calls.risky(program, reach, (&may_ask, &asked_fields));
        Outside {
            outcomes,
            reaching: entries(program, &calls.surely_leading_to(program, calls.guarded())),
            asking: entries(program, &asking),
            finalizing: entries(program, &finalizing(program, &calls, &reaching)),
            asking_calls: asking_calls(program),
            asked_fields,
            initializing: calls.initializing(program, &risky),
            using: entries(program, &using(program, &risky)),
            risky,
        }
    }
}

impl Calls {
    /// Classes whose first use may run an initialiser that reaches out by an answer: one that is given an answer may do so,
    /// also by a table; one on whose way something asks, for an object or into one, does by a jump or by what it catches;
    /// and one that calls a body which is given an answer and jumps; all that as far as objects are there which bring such code along
    /// (`first_use.rs`). One of a library only where that needs no far bodies:
    /// in a large library a way out lies behind most initialisers, and each would hold back all that uses the library.
    fn risky(
        &self,
        program: &Program,
        (reaching, reaching_near): (&[bool], &[bool]),
        (may_ask, fields): (&[bool], &BTreeSet<FieldId>),
    ) -> BTreeSet<ClassId> {
        let returning = self.returning(program, fields);
        let is_given = |method: &Method| {
            let mut sites = self.answers(program, method, &returning);
            let code = method.code.iter();
            let mut read = code.flat_map(|code| reads(program, code, fields));
            sites.next().is_some() || read.next().is_some()
        };
        let is_subject = |method: &Method| program.class(method.class).origin == Origin::Subject;
        let reaching = |method: &Method| {
            if is_subject(method) {
                reaching
            } else {
                reaching_near
            }
        };
        let decides = |method: &Method| !self.deciding(method, reaching(method)).is_empty();
        let catches = |method: &Method, reaching: &[bool]| {
            let handlers = method.code.iter().flat_map(|code| &code.handlers);
            let first = handlers.map(|handler| handler.target).min();
            let mut sites = self.sites[method.id.index()].iter();
            first.is_some_and(|first| {
                sites.any(|site| site.instruction >= first && site.reaches(reaching))
            })
        };
        let methods = program.methods().iter();
        let calling = methods.map(|method| {
            let may_reach = reaching(method)[method.id.index()];
            may_reach && is_subject(method) && is_given(method) && decides(method)
        });
        let calling = self.leading_to(calling.collect(), |caller, site, target| {
            let caller = program.method(caller);
            site.is_sure() && is_subject(caller) && !program.method(target).is_initializer()
        });
        let is_risky = |method: &&Method| {
            let at = method.id.index();
            method.is_initializer()
                && reaching(method)[at]
                && (calling[at]
                    || is_given(method)
                    || may_ask[at] && (decides(method) || catches(method, reaching(method))))
        };
        // By the class hierarchy alone most initialisers of a large program may come to anything.
        let is_risky = |method: &&Method| {
            is_risky(method) && {
                let id = method.id;
                let first_use = FirstUse::of(program, self, id, false);
                // An answer may also decide what is made for later.
                let later = FirstUse::of(program, self, id, true).reaching;
                let decides = |body: &Method, reaching: &[bool]| {
                    reaching[body.id.index()] && !self.deciding(body, reaching).is_empty()
                };
                let mut bodies = first_use.bodies().map(|body| program.method(body));
                let by_jump = || decides(method, &later) || catches(method, &later);
                later[id.index()] && (is_given(method) || may_ask[id.index()] && by_jump())
                    || bodies
                        .any(|body| is_subject(body) && is_given(body) && decides(body, &later))
            }
        };
        let initializers = program.methods().iter().filter(is_risky);
        let own: BTreeSet<ClassId> = initializers.map(|method| method.class).collect();
        let own = self.with_those_that_use(program, own);
        let classes = program.classes().iter().map(|class| class.id);
        let is_below = |class: &ClassId| {
            let above = program.supertypes(*class);
            above.iter().any(|class| own.contains(class))
        };
        classes
            .filter(|class| !own.is_empty() && is_below(class))
            .collect()
    }

    /// These classes, and those whose initialisers run theirs: nobody sees that either.
    fn with_those_that_use(
        &self,
        program: &Program,
        mut risky: BTreeSet<ClassId>,
    ) -> BTreeSet<ClassId> {
        if risky.is_empty() {
            return risky;
        }
        let is_risky = |method: &Method| method.is_initializer() && risky.contains(&method.class);
        let methods = program.methods().iter();
        let leading = self.leading_to(methods.map(is_risky).collect(), |_, _, _| true);
        let others = program.methods().iter().filter(|method| {
            let is_subject = program.class(method.class).origin == Origin::Subject;
            let is_other = is_subject && !risky.contains(&method.class);
            method.is_initializer() && is_other && leading[method.id.index()]
        });
        let others: Vec<&Method> = others.collect();
        let mut others: Vec<(ClassId, BTreeSet<ClassId>)> = others
            .into_par_iter()
            .map(|method| {
                let first_use = FirstUse::of(program, self, method.id, false);
                let bodies = first_use.bodies().map(|body| program.method(body));
                let run = bodies.filter(|body| body.is_initializer());
                (method.class, run.map(|body| body.class).collect())
            })
            .collect();
        loop {
            let before = risky.len();
            others.retain(|(class, run)| {
                let is_more = !run.is_disjoint(&risky);
                if is_more {
                    risky.insert(*class);
                }
                !is_more
            });
            if risky.len() == before {
                return risky;
            }
        }
    }

    /// Per method: true if calling it uses one of these, or may come to one of a library; empty if there is none.
    fn initializing(&self, program: &Program, risky: &BTreeSet<ClassId>) -> Vec<bool> {
        if risky.is_empty() {
            return Vec::new();
        }
        let is_subject = |class: ClassId| program.class(class).origin == Origin::Subject;
        let methods = program.methods().iter();
        let of_library =
            methods.map(|method| risky.contains(&method.class) && !is_subject(method.class));
        let mut initializing = self.leading_to(of_library.collect(), |_, _, _| true);
        for method in program.methods() {
            initializing[method.id.index()] |= risky.contains(&method.class);
        }
        initializing
    }

    /// The outcomes of a body's jumps that decide whether it may reach out.
    fn deciding(&self, method: &Method, reaching: &[bool]) -> BTreeSet<(u32, u32)> {
        let sites = self.sites[method.id.index()].iter();
        let mut sites = sites.filter(|site| site.reaches(reaching)).peekable();
        let mut deciding = BTreeSet::new();
        let Some(code) = method.code.as_ref().filter(|_| sites.peek().is_some()) else {
            return deciding;
        };
        let dependence = ControlDependence::of(code);
        for site in sites {
            let direct = dependence.controllers_of(site.instruction).iter();
            let mut open: Vec<(u32, u32)> = direct.copied().collect();
            while let Some(outcome) = open.pop() {
                if deciding.insert(outcome) {
                    open.extend(dependence.controllers(outcome.0));
                }
            }
        }
        deciding
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
            let deciding = self.deciding(method, reaching);
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

/// Per method: true if it is of one of these classes, or reads or writes a static field of one.
fn using(program: &Program, risky: &BTreeSet<ClassId>) -> Vec<bool> {
    let is_of = |operation: &Operation| match operation {
        Operation::GetField {
            field,
            is_static: true,
        }
        | Operation::PutField {
            field,
            is_static: true,
        } => {
            let field = program.resolve_field(field);
            field.is_some_and(|field| risky.contains(&program.field(field).class))
        }
        _ => false,
    };
    let methods = program.methods().iter();
    let using = methods.map(|method| {
        let code = method.code.iter().filter(|_| !risky.is_empty());
        let mut operations = code.flat_map(|code| &code.instructions);
        risky.contains(&method.class) || operations.any(|one| is_of(&one.operation))
    });
    using.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{named, program};

    /// The program of a class `A` with its facts.
    fn outside(body: &str) -> (Program, Outside) {
        let program = program(&[("A.java", &format!("import java.io.*; class A {{ {body} }}"))]);
        let outside = Outside::of(&program, program.classes().len());
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

    #[test]
    fn what_could_not_be_read_may_ask_and_reach_out() {
        let text = "class A extends Base { void calls() { B.m(); } void makes() { new B(); } void refers() { r(B::m); }
            static void r(Runnable one) { } void inherits() { own(); } int plain() { return 1; } }
            class Base { void own() { } } class B { static void m() { } }";
        let options = palus_fixture::Options::default();
        let compiled = palus_fixture::compile_with(&[("A.java", text)], &options);
        let mut builder = palus_bytecode::ProgramBuilder::new();
        builder
            .add_as(Origin::Subject, "A", compiled.bytes("A"))
            .unwrap();
        for class in ["Base", "B"] {
            let cut = &compiled.bytes(class)[..40];
            assert!(builder.add_as(Origin::Subject, class, cut).is_err());
        }
        let program = builder.finish();
        let outside = Outside::of(&program, program.classes().len());
        let all = "<init> calls makes refers inherits";
        assert_eq!(named(&program, outside.asking()), all);
        assert_eq!(named(&program, outside.reaching()), all);
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
            static class Calm { protected void finalize() { hashCode(); } } \
            static class Tells { String name; protected void finalize() throws Throwable { System.out.println(name); super.finalize(); } } \
            static class Journal { Writer out; protected void finalize() throws Throwable { shut(); } \
                void shut() throws IOException { out.close(); } } \
            static class Scope { java.util.List<Runnable> end; protected void finalize() { end.forEach(Runnable::run); } } \
            static class Pool extends java.util.concurrent.ThreadPoolExecutor { Pool() { super(0, 1, 1, null, null); } \
                protected void terminated() { new File(\"x\").delete(); } } \
            static class Quiet extends java.util.concurrent.ThreadPoolExecutor { Quiet() { super(0, 1, 1, null, null); } \
                protected void terminated() { } }";
        let (program, found) = outside(body);
        let classes = found.finalizing().iter();
        let names: Vec<&str> = classes
            .map(|(class, _)| &*program.class(*class).name)
            .collect();
        assert_eq!(
            names,
            ["A$Below", "A$Journal", "A$Pool", "A$Scope", "A$Wipes"]
        );
    }

    #[test]
    fn a_finalizer_that_empties_a_container_does_so_where_nothing_that_compares_reaches_out() {
        let registry = "static class Registry { java.util.Map<Object, Object> all; Object key; \
            protected void finalize() { all.remove(key); all.clear(); } } \
            static class Shown { java.util.List<Object> all; protected void finalize() { String.valueOf(all); } }";
        let names = |more: &str| {
            let (program, found) = outside(&format!("{registry} {more}"));
            let classes = found.finalizing().iter();
            let names = classes.map(|(class, _)| program.class(*class).name.to_string());
            names.collect::<Vec<_>>().join(" ")
        };
        let harmless = "static class Key { public boolean equals(Object o) { return o == this; } } \
            static void wipe() { new File(\"x\").delete(); }";
        assert_eq!(names(harmless), "A$Shown");
        let key =
            "static class Key { public int hashCode() { new File(\"x\").delete(); return 1; } }";
        assert_eq!(names(key), "A$Registry A$Shown");
        let order =
            "static java.util.Comparator<File> order = (a, b) -> { a.delete(); return 0; };";
        assert_eq!(names(order), "A$Registry A$Shown");
        let order = "static int wipe(File a, File b) { a.delete(); return 0; } java.util.Comparator<File> order = A::wipe;";
        assert_eq!(names(order), "A$Registry A$Shown");
        let order =
            "java.util.Comparator<File> order = java.util.Comparator.comparing(File::delete);";
        assert_eq!(names(order), "A$Registry A$Shown");
        let key = "static class Key { Writer out; public boolean equals(Object o) { try { out.close(); } \
            catch (IOException e) { } return false; } }";
        assert_eq!(names(key), "A$Registry A$Shown");
        let whole = "static java.util.Map<?, ?> all() { return System.getProperties(); }";
        assert_eq!(names(whole), "A$Registry A$Shown");
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
        let outside = Outside::of(&program, program.classes().len());
        let told = |name| outside.may_initialize_harm(crate::fixture::method(&program, name));
        assert!(told("A$Risky.own"));
        // Whoever runs them is seen to.
        assert!(!told("A.m") && !told("A.far"));
        assert_eq!(
            named(&program, outside.using()),
            "m <init> <init> own <clinit>"
        );
        let class = |name| program.class_named(name).unwrap();
        assert!(outside.may_harm_at_first_use(class("A$Risky")));
        assert!(outside.may_harm_at_first_use(class("A$Below")));
        assert!(!outside.may_harm_at_first_use(class("A$Calm")));
        assert!(!told("A.calm") && !told("A$Calm.n"));
    }

    #[test]
    fn a_class_whose_initialiser_runs_one_that_may_harm_is_told_too() {
        let body = "static class Risky { static { if (System.nanoTime() == 7) new File(\"x\").delete(); } } \
            static class Holder { static final Risky HELD = new Risky(); static int n() { return 1; } } \
            static class Far { static { Holder.n(); } } static class Calm { static int n = 1; }";
        let (program, found) = outside(body);
        let is_risky = |name| found.may_harm_at_first_use(program.class_named(name).unwrap());
        assert!(is_risky("A$Risky") && is_risky("A$Holder") && is_risky("A$Far"));
        assert!(!is_risky("A$Calm"));
    }

    #[test]
    fn an_initialiser_decides_by_an_answer_only_where_what_it_is_given_depends_on_one() {
        let body = "static class Wipes implements Runnable { public void run() { new File(\"x\").delete(); } } \
            static long asked() { return System.nanoTime(); } static boolean far() { return asked() == 7; } \
            static Runnable pick() { return far() ? new Wipes() : null; } \
            static Runnable wrap(Runnable job) { asked(); return job; } static void tidies() { if (far()) wipe(); } \
            static void wipe() { new File(\"x\").delete(); } \
            static class Picks { static final Runnable JOB = pick(); } \
            static class Calls { static { tidies(); } } \
            static class Wraps { static final Runnable JOB = wrap(new Wipes()); } \
            static class Writes { static final PrintStream OUT = new PrintStream(System.err); }";
        let (program, found) = outside(body);
        let is_risky = |name| found.may_harm_at_first_use(program.class_named(name).unwrap());
        assert!(is_risky("A$Picks") && is_risky("A$Calls"));
        assert!(!is_risky("A$Wraps") && !is_risky("A$Writes"));
    }

    #[test]
    fn an_initialiser_decides_by_what_it_asked_into_an_object_and_by_what_it_catches() {
        let body = "static void wipe() { new File(\"x\").delete(); } static long now() { return System.nanoTime(); } \
            static class Day { long now; Day() { now = now(); } static Day of() { return new Day(); } \
              void load() { now = now(); } } \
            interface Clock { long day(); } static class One implements Clock { public long day() { return now(); } } \
            static class Two implements Clock { public long day() { return 2; } } static Clock clock; \
            static void fill(long[] into) { into[0] = now(); } \
            static void check() { if (now() == 7) throw new IllegalStateException(); } \
            static class Made { static { Day d = new Day(); if (d.now == 7) wipe(); } } \
            static class Got { static { if (Day.of().now == 7) wipe(); } } \
            static class Filled { static { long[] a = new long[1]; fill(a); if (a[0] == 7) wipe(); } } \
            static class Caught { static { try { check(); } catch (IllegalStateException e) { wipe(); } } } \
            static class Either { static { if (clock.day() == 7) wipe(); } } \
            static class Calm { static { Day d = new Day(); wipe(); } }";
        let (program, found) = outside(body);
        let is_risky =
            |name: &&str| found.may_harm_at_first_use(program.class_named(name).unwrap());
        let names = [
            "A$Made", "A$Got", "A$Filled", "A$Caught", "A$Either", "A$Calm",
        ];
        let risky: Vec<&str> = names.into_iter().filter(is_risky).collect();
        assert_eq!(risky, names[..5]);
    }

    #[test]
    fn a_text_of_an_object_that_reaches_out_is_made_by_whatever_is_called_of_the_jdk() {
        let evil = "static class Evil { public String toString() { new File(\"x\").delete(); return \"\"; } }";
        let body = "String m(int n, Object o) { return n == 1 ? \"\" + o : null; } \
            int k(int n, Object o) { return n == 1 ? java.util.Objects.hash(o) : 0; } int calm(int n) { return n == 1 ? 2 : 3; } \
            String held(int n, java.util.List<Object> all) { return n == 1 ? all.toString() : null; } \
            int text(int n, String text) { return n == 1 ? text.concat(\"x\").length() : 0; } \
            Object made(int n, Class<?> of) throws Exception { return n == 1 ? of.getDeclaredMethod(\"m\") : null; } \
            String caught(int n, Throwable it) { return n == 1 ? it.getMessage() : null; }";
        let found = "m 0:0, k 0:0, held 0:0";
        assert_eq!(leading_out(&format!("{body} {evil}")), found);
        let evil_error = evil.replace("Evil {", "Evil extends Exception {");
        let found = "m 0:0, k 0:0, held 0:0, caught 0:0";
        assert_eq!(leading_out(&format!("{body} {evil_error}")), found);
        assert_eq!(leading_out(body), "");
    }

    #[test]
    fn what_asks_no_object_for_its_text_makes_none() {
        let evil = "static class Evil { Evil() { super(); } \
            public int hashCode() { new File(\"x\").delete(); return 1; } }";
        let body = "Object made(int n) { return n == 1 ? new Object() : null; } \
            void copies(int n, Object[] all) { if (n == 1) System.arraycopy(all, 0, all, 1, 1); } \
            void dates(int n, java.util.Calendar c, java.util.Date d) { if (n == 1) c.setTime(d); } \
            int reads(int n, InputStream in) throws IOException { return n == 1 ? in.read() : 0; } \
            boolean holds(int n, java.util.Set<Object> all) { return n == 1 && all.contains(this); } \
            int hash(int n, Object of) { return n == 1 ? of.hashCode() : 0; }";
        let found = "holds 0:0, hash 0:0";
        assert_eq!(leading_out(&format!("{body} {evil}")), found);
        // Another method of that name is called by whoever names it.
        let other = evil.replace("hashCode()", "hashCode(int n)");
        assert_eq!(leading_out(&format!("{body} {other}")), "");
    }

    #[test]
    fn code_that_reaches_nothing_has_none() {
        assert_eq!(leading_out("int m(int n) { return n == 1 ? 2 : 3; }"), "");
    }
}
