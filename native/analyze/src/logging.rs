//! Calls of libraries that write logs.
//!
//! Comes in: the class and name of a call, and `guarded_calls.txt`. Goes out: what it does.
//! Such libraries are surroundings, as the JDK is (see `Logging` and `LoggingRules` in `java/worker`): what they read when
//! they begin, and where they write, is for whoever sets them up. Programs may make loggers and write logs; any other call
//! of one, such as of an appender that opens a file, is denied by workers, and may reach out.
//! Does not know: what the libraries do.

use std::collections::BTreeSet;

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

    /// What a call does; none for one of any other code.
    pub fn call(&self, owner: &str, name: &str) -> Option<LogCall> {
        if !self.packages.iter().any(|start| owner.starts_with(start)) {
            return None;
        }
        let is_beginning = self.beginnings.iter().any(|start| name.starts_with(start));
        let may_be = self.classes.contains(owner) && (is_beginning || self.names.contains(name));
        let does_ask = name.starts_with("is") || matches!(name, "getLevel" | "get" | "with");
        Some(match (may_be, does_ask) {
            (false, _) => LogCall::Other,
            (true, true) => LogCall::Asks,
            (true, false) => LogCall::Writes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::LogCall::{self, Asks, Other, Writes};
    use crate::guarded::Guarded;

    fn call(owner: &str, name: &str) -> Option<LogCall> {
        Guarded::read().logging.call(owner, name)
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
}
