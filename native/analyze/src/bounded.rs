//! Guarded calls that reach nothing by what they are called with.
//!
//! Comes in: a body and one of its calls that workers guard. Goes out: whether it is
//! - a shutdown hook that is made where it is handed over, by a class with its own `run`: it does what that does, which
//!   counts wherever such an object is made;
//! - a file that is opened for reading, with no option: options may say that it is deleted, and file systems of the
//!   program's own may do anything.
//!
//! Does not know: what a hook's `run` does, and which file is opened.
//!
//! ```text
//! if (STATISTICS) Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { print(); } });  // as print()
//! Runtime.getRuntime().addShutdownHook(hook);                                     // anybody's: may do anything
//! ```

use crate::called_back::called_back;
use crate::control_flow::ControlFlow;
use crate::data_dependence::{DataDependence, Source};
use palus_bytecode::{ClassId, Code, InvokeKind, Method, MethodName, Operation, Origin, Program};

/// True if a call reaches nothing by itself.
pub(crate) fn reaches_nothing(program: &Program, method: &Method, code: &Code, at: u32) -> bool {
    let Operation::Invoke { method: called, .. } = &code.instructions[at as usize].operation else {
        return false;
    };
    let is_harmless: fn(&Program, &Body<'_>, u32) -> bool = match (&*called.owner, &*called.name) {
        ("java/lang/Runtime", "addShutdownHook") => is_own_thread,
        ("java/nio/file/Files", "newInputStream") => is_empty_array,
        _ => return false,
    };
    let flow = ControlFlow::of(code);
    let Some(data) = DataDependence::of(method, code, &flow) else {
        return false;
    };
    let body = Body { code, data };
    body.is_last_operand_of(at, |maker| is_harmless(program, &body, maker))
}

struct Body<'a> {
    code: &'a Code,
    data: DataDependence,
}

impl Body<'_> {
    fn operation(&self, at: u32) -> &Operation {
        &self.code.instructions[at as usize].operation
    }

    /// True if only instructions of a kind make what an instruction takes last.
    fn is_last_operand_of(&self, at: u32, is_kind: impl Fn(u32) -> bool) -> bool {
        let sources = self.data.operands(at).last();
        sources.is_some_and(|sources| {
            let is_kind =
                |source: &Source| matches!(source, Source::Instruction(maker) if is_kind(*maker));
            !sources.is_empty() && sources.iter().all(is_kind)
        })
    }
}

/// True if an instruction makes an object whose class says by itself what a thread of it runs.
fn is_own_thread(program: &Program, body: &Body<'_>, maker: u32) -> bool {
    let Operation::New(name) = body.operation(maker) else {
        return false;
    };
    let ours = |class: &ClassId| program.class(*class).origin != Origin::Platform;
    let class = program.class_named(name).filter(ours);
    let run = class.and_then(|class| program.find_method(class, "run", "()V"));
    class.zip(run).is_some_and(|(class, run)| {
        let above = program.supertypes(class);
        let mut methods = above
            .iter()
            .filter(|class| ours(class))
            .flat_map(|&class| &program.class(class).methods);
        called_back(program, name).contains(&run)
            && methods.all(|&id| !runs_what_it_was_given(program, program.method(id)))
    })
}

/// True if a method calls the JDK's `run`, which runs what the thread was made with, or may do so.
fn runs_what_it_was_given(program: &Program, method: &Method) -> bool {
    let is_jdks = |named: &MethodName| {
        let found = program.resolve_method(named);
        found.is_none_or(|id| program.class(program.method(id).class).origin == Origin::Platform)
    };
    let operations = method.code.iter().flat_map(|code| &code.instructions);
    operations
        .map(|one| &one.operation)
        .any(|operation| match operation {
            Operation::Invoke {
                kind: InvokeKind::Special,
                method,
            } => &*method.name == "run" && is_jdks(method),
            // As `super::run`.
            Operation::InvokeDynamic(site) => site
                .implementation
                .as_ref()
                .is_some_and(|method| &*method.name == "run" && is_jdks(method)),
            _ => false,
        })
}

/// True if an instruction makes an array without elements, in a program without paths and file systems of its own, which
/// the JDK would call.
fn is_empty_array(program: &Program, body: &Body<'_>, maker: u32) -> bool {
    let is_array = matches!(body.operation(maker), Operation::NewArray { .. });
    is_array
        && body.is_last_operand_of(maker, |length| {
            matches!(body.operation(length), Operation::Int(0))
        })
        && ["java/nio/file/Path", "java/nio/file/spi/FileSystemProvider"]
            .iter()
            .all(|of| !has_own(program, of))
}

/// True if a program has a class of its own that is one of the JDK's.
fn has_own(program: &Program, of: &str) -> bool {
    // By names, since the JDK's may not have been read.
    let names_it = |class: ClassId| {
        let class = program.class(class);
        let mut above = class.super_name.iter().chain(&class.interface_names);
        above.any(|name| **name == *of)
    };
    let mut classes = program.classes().iter();
    classes.any(|class| {
        let above = || program.supertypes(class.id).into_iter();
        class.origin != Origin::Platform && (names_it(class.id) || above().any(names_it))
    })
}

#[cfg(test)]
mod tests {
    use crate::fixture::program;
    use crate::outside::Outside;
    use palus_bytecode::ClassProbes;

    /// Names of the methods of a class `A` that may reach out, without those that it makes threads of.
    fn reaching(body: &str) -> String {
        let text = format!("import java.io.*; import java.nio.file.*; class A {{ {body} }}");
        let program = program(&[("A.java", &text)]);
        let outside = Outside::of(&program, program.classes().len());
        let class = program.class_named("A").unwrap();
        let probes = ClassProbes::of(&program, class);
        let own = outside.reaching().iter().filter(|(of, _)| *of == class);
        let names = own.map(|&(_, entry)| {
            let (method, _) = probes.named(entry).unwrap();
            &*program.method(method).name
        });
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_shutdown_hook_that_is_made_there_does_what_its_own_run_does() {
        let body = "static int n; static void add(Thread hook) { Runtime.getRuntime().addShutdownHook(hook); } \
            void counts() { Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { n++; } }); } \
            void wipes() { Runtime.getRuntime().addShutdownHook(new Thread() { public void run() { wipe(); } }); } \
            static void wipe() { new File(\"x\").delete(); } \
            void another(boolean is) { \
              Runtime.getRuntime().addShutdownHook(is ? new Thread() { public void run() { n++; } } : new Thread()); }";
        assert_eq!(reaching(body), "add wipes wipe another");
    }

    #[test]
    fn a_hook_that_runs_what_it_was_given_may_do_anything() {
        let body = "static class Given extends Thread { Given(Runnable job) { super(job); } \
              public void run() { hand(); } void hand() { super.run(); } } \
            static class Own extends Thread { Own(Runnable job) { super(job); } public void run() { } } \
            static class Plain extends Thread { Plain(Runnable job) { super(job); } } \
            void given(Runnable job) { Runtime.getRuntime().addShutdownHook(new Given(job)); } \
            void own(Runnable job) { Runtime.getRuntime().addShutdownHook(new Own(job)); } \
            void plain(Runnable job) { Runtime.getRuntime().addShutdownHook(new Plain(job)); }";
        assert_eq!(reaching(body), "given plain");
    }

    #[test]
    fn a_file_that_is_opened_without_options_is_read() {
        let body = "InputStream plain(Path p) throws IOException { return Files.newInputStream(p); } \
            InputStream gone(Path p) throws IOException { \
              return Files.newInputStream(p, StandardOpenOption.DELETE_ON_CLOSE); } \
            InputStream any(Path p, OpenOption... how) throws IOException { return Files.newInputStream(p, how); } \
            InputStream either(Path p, boolean is) throws IOException { return Files.newInputStream(p, \
              is ? new OpenOption[] {StandardOpenOption.DELETE_ON_CLOSE} : new OpenOption[0]); } \
            InputStream other(Path p, int n) throws IOException { return Files.newInputStream(p, new OpenOption[n]); }";
        assert_eq!(reaching(body), "gone any either other");
    }

    #[test]
    fn a_file_system_of_the_programs_own_may_do_anything() {
        let body = "static abstract class Own implements Path { } \
            InputStream plain(Path p) throws IOException { return Files.newInputStream(p); }";
        assert_eq!(reaching(body), "plain");
    }
}
