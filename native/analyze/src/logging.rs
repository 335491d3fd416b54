//! Calls of libraries that write logs.
//!
//! Comes in: the class and name of a call, and `guarded_calls.txt`. Goes out: what it does.
//! Such libraries are surroundings, as the JDK is (see `Logging` and `LoggingRules` in `java/worker`): what they read when
//! they begin, and where they write, is for whoever sets them up. Programs may make loggers and write logs; any other call
//! of one, such as of an appender that opens a file, is denied by workers, and may reach out.
//! Does not know: what the libraries do.

use palus_bytecode::MethodName;
use std::collections::BTreeSet;

/// Loggers of the JDK's own.
const JDKS: [&str; 2] = ["java/util/logging/Logger", "java/lang/System$Logger"];

/// What a call of such a library does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogCall {
    /// Makes a logger or writes a log.
    Writes,
    /// Asks what is logged, which whoever runs the program sets.
    Asks,
    /// Anything else.
    Other,
}

/// The libraries, and what may be called of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Logging {
    packages: Vec<&'static str>,
    classes: BTreeSet<&'static str>,
    names: BTreeSet<&'static str>,
    beginnings: Vec<&'static str>,
}

impl Logging {
    /// Takes a line of the list.
    pub fn read(&mut self, kind: &str, text: &'static str) {
        match kind {
            "logging-package" => self.packages.push(text),
            "logging-class" => drop(self.classes.insert(text)),
            "logging-name" => drop(self.names.insert(text)),
            "logging-beginning" => self.beginnings.push(text),
            _ => unreachable!("the list has no such lines: {kind} {text}"),
        }
    }

    /// True for a class of one of these libraries.
    pub fn has(&self, class: &str) -> bool {
        self.packages.iter().any(|start| class.starts_with(start))
    }

    /// What a call does; none for one of any other code.
    pub fn call(&self, called: &MethodName) -> Option<LogCall> {
        let (owner, name) = (&*called.owner, &*called.name);
        let takes_code = takes_code(&called.descriptor);
        if JDKS.contains(&owner) && takes_code {
            return Some(LogCall::Asks);
        }
        if !self.has(owner) {
            return None;
        }
        let is_beginning = self.beginnings.iter().any(|start| name.starts_with(start));
        let may_be = self.classes.contains(owner) && (is_beginning || self.names.contains(name));
        let does_ask =
            takes_code || name.starts_with("is") || matches!(name, "getLevel" | "get" | "with");
        Some(match (may_be, does_ask) {
            (false, _) => LogCall::Other,
            (true, true) => LogCall::Asks,
            (true, false) => LogCall::Writes,
        })
    }
}

/// True if a call is given code that makes what is logged, which runs at some levels only: `debug(() -> text())`.
fn takes_code(descriptor: &str) -> bool {
    let parameters = descriptor.split(')').next().unwrap_or_default();
    let mut types = parameters.split(';');
    types.any(|one| one.ends_with("Supplier") || one.ends_with("LazyArg"))
}

#[cfg(test)]
mod tests {
    use super::LogCall::{self, Asks, Other, Writes};
    use crate::Outside;
    use crate::fixture::with_library;
    use crate::guarded::Guarded;
    use palus_bytecode::{ClassId, ClassProbes, MethodName};

    fn call(owner: &str, name: &str) -> Option<LogCall> {
        called(owner, name, "(Ljava/lang/String;)V")
    }

    fn called(owner: &str, name: &str, descriptor: &str) -> Option<LogCall> {
        Guarded::read().logging.call(&MethodName {
            owner: owner.into(),
            name: name.into(),
            descriptor: descriptor.into(),
        })
    }

    #[test]
    fn a_level_decides_whether_code_that_makes_a_text_runs() {
        let supplier = "(Ljava/util/function/Supplier;)V";
        let log4j =
            "(Lorg/apache/logging/log4j/Marker;Lorg/apache/logging/log4j/util/MessageSupplier;)V";
        let jul = "java/util/logging/Logger";
        assert_eq!(called(jul, "fine", supplier), Some(Asks));
        assert_eq!(called(jul, "fine", "(Ljava/lang/String;)V"), None);
        let system = "(Ljava/lang/System$Logger$Level;Ljava/util/function/Supplier;)V";
        assert_eq!(called("java/lang/System$Logger", "log", system), Some(Asks));
        assert_eq!(called("org/slf4j/Logger", "debug", supplier), Some(Asks));
        let owner = "org/apache/logging/log4j/Logger";
        assert_eq!(called(owner, "debug", log4j), Some(Asks));
    }

    #[test]
    fn what_a_library_is_made_of_is_not_what_programs_call_to_write_logs() {
        assert_eq!(call("org/slf4j/LoggerFactory", "getLogger"), Some(Writes));
        assert_eq!(call("org/slf4j/Logger", "debug"), Some(Writes));
        assert_eq!(call("org/slf4j/Logger", "isDebugEnabled"), Some(Asks));
        assert_eq!(
            call("org/apache/logging/log4j/LogManager", "getFactory"),
            Some(Other)
        );
        assert_eq!(
            call("ch/qos/logback/core/FileAppender", "start"),
            Some(Other)
        );
        assert_eq!(call("org/slf4j/Ghost", "info"), Some(Other));
        assert_eq!(call("org/slf4japi/Logger", "info"), None);
    }

    /// Names of the methods of a class `A` that ask, and of those that may reach out.
    fn told(body: &str) -> (String, String) {
        let slf4j = "package org.slf4j; public interface Logger { boolean isDebugEnabled(); void info(String text); \
            void debug(java.util.function.Supplier<String> text); void setLevel(int level); \
            static Logger of() { return null; } }";
        let text = format!("import org.slf4j.*; class A {{ static Logger log; {body} }}");
        let files = [("org/slf4j/Logger.java", slf4j), ("A.java", &*text)];
        let program = with_library("org/slf4j/", &files);
        let outside = Outside::of(&program, program.classes().len());
        let class = program.class_named("A").unwrap();
        let probes = ClassProbes::of(&program, class);
        let named = |entries: &[(ClassId, u32)]| {
            let own = entries.iter().filter(|(of, _)| *of == class);
            let names = own.map(|(_, entry)| {
                let found = probes.methods().iter().find(|(start, _)| start == entry);
                program.method(found.unwrap().1).name.to_string()
            });
            names.collect::<Vec<_>>().join(" ")
        };
        (named(outside.asking()), named(outside.reaching()))
    }

    #[test]
    fn whoever_asks_what_is_logged_asks_and_whoever_sets_it_reaches_out() {
        let (asking, reaching) = told(
            "void writes() { log.info(\"x\"); } \
             void asks() { if (log.isDebugEnabled()) log.info(\"x\"); } \
             void hands() { log.debug(() -> \"x\"); } \
             void sets() { log.setLevel(1); } \
             Runnable later() { Logger one = log; return () -> one.setLevel(1); } \
             java.util.function.IntConsumer named() { return log::setLevel; }",
        );
        assert_eq!(asking, "asks hands");
        assert_eq!(reaching, "sets later named lambda$later$1");
    }
}
