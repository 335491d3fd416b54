//! Calls that make a logger or write a log.
//!
//! Comes in: the name of the class that a call names. Goes out: whether it is what programs use to write logs.
//! Libraries that write logs are surroundings, as the JDK is (see `Logging` in `java/worker`): what they read when they
//! begin, and where they write, is for whoever sets them up. A call of what such a library is made of, such as an appender
//! that opens a file, is a call like any other.

/// Packages, with a slash at the end, and classes.
const NAMES: [&str; 10] = [
    "org/slf4j/",
    "org/apache/commons/logging/",
    "org/apache/logging/log4j/",
    "org/apache/log4j/Category",
    "org/apache/log4j/LogManager",
    "org/apache/log4j/Logger",
    "org/jboss/logging/",
    "org/tinylog/Logger",
    "org/tinylog/TaggedLogger",
    "com/google/common/flogger/",
];
/// Below one of them, and what a library is made of.
const CORE: &str = "org/apache/logging/log4j/core/";

/// True if methods of a class, by its internal name, make loggers or write logs.
pub(crate) fn is_logging(owner: &str) -> bool {
    let is_named = |name: &str| owner == name || name.ends_with('/') && owner.starts_with(name);
    NAMES.into_iter().any(is_named) && !owner.starts_with(CORE)
}

#[cfg(test)]
mod tests {
    use super::is_logging;

    #[test]
    fn what_a_library_is_made_of_is_not_what_programs_call_to_write_logs() {
        assert!(is_logging("org/slf4j/LoggerFactory") && is_logging("org/slf4j/spi/MDCAdapter"));
        assert!(is_logging("org/apache/log4j/Logger"));
        assert!(
            !is_logging("org/apache/log4j/LoggerX") && !is_logging("org/apache/log4j/FileAppender")
        );
        assert!(!is_logging(
            "org/apache/logging/log4j/core/appender/FileAppender"
        ));
        assert!(
            !is_logging("org/slf4japi/Logger") && !is_logging("ch/qos/logback/core/FileAppender")
        );
    }
}
