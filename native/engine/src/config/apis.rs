//! The sets of classes that the setting `protocols` knows by name.
//!
//! Comes in: a name. Goes out: classes. Does not know: what is done with them.

/// Their names.
pub(crate) const SETS: &[&str] = &[
    "COLLECTIONS",
    "STREAMS",
    "SQL",
    "LOCKS",
    "MATCHER",
    "SCANNER",
    "OPTIONAL",
];

/// The classes of a set, which stand for all that extend or implement them.
pub(crate) fn classes_of(set: &str) -> Option<&'static [&'static str]> {
    Some(match set {
        "COLLECTIONS" => &[
            "java/util/Collection",
            "java/util/Iterator",
            "java/util/Vector",
            "java/util/Enumeration",
        ],
        "STREAMS" => &[
            "java/io/InputStream",
            "java/io/OutputStream",
            "java/io/Reader",
            "java/io/Writer",
        ],
        "SQL" => &[
            "java/sql/Connection",
            "java/sql/Statement",
            "java/sql/ResultSet",
            "java/sql/DriverManager",
            "javax/sql/DataSource",
        ],
        "LOCKS" => &[
            "java/util/concurrent/locks/Lock",
            "java/util/concurrent/locks/ReadWriteLock",
        ],
        "MATCHER" => &["java/util/regex/Matcher", "java/util/regex/Pattern"],
        "SCANNER" => &["java/util/Scanner"],
        "OPTIONAL" => &[
            "java/util/Optional",
            "java/util/OptionalInt",
            "java/util/OptionalLong",
            "java/util/OptionalDouble",
        ],
        _ => return None,
    })
}
