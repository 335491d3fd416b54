//! Which names source text can have: a class file may name a class or a member by nearly any text.
//!
//! Source: Java Language Specification 3.8 and 3.9; letters beyond ASCII are taken as Unicode has them.

/// True for what may name a class, a field or a method in source text of any Java version.
pub fn is_identifier(name: &str) -> bool {
    let is_letter = |one: char| one.is_alphabetic() || one == '_' || one == '$';
    name.starts_with(is_letter)
        && name.chars().all(|one| is_letter(one) || one.is_numeric())
        && !is_reserved(name)
}

/// True for keywords, literals, and `_`.
pub fn is_reserved(name: &str) -> bool {
    const RESERVED: &[&str] = &[
        "_",
        "abstract",
        "assert",
        "boolean",
        "break",
        "byte",
        "case",
        "catch",
        "char",
        "class",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "expected",
        "extends",
        "false",
        "final",
        "finally",
        "float",
        "for",
        "goto",
        "if",
        "implements",
        "import",
        "instanceof",
        "int",
        "interface",
        "long",
        "native",
        "new",
        "null",
        "package",
        "private",
        "protected",
        "public",
        "return",
        "short",
        "static",
        "strictfp",
        "super",
        "switch",
        "synchronized",
        "this",
        "throw",
        "throws",
        "transient",
        "true",
        "try",
        "void",
        "volatile",
        "while",
    ];
    RESERVED.binary_search(&name).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javac_takes_is_an_identifier() {
        for name in [
            "a",
            "_a",
            "$",
            "access$000",
            "Größe",
            "été2",
            "var",
            "String",
        ] {
            assert!(is_identifier(name), "{name}");
        }
    }

    #[test]
    fn text_that_would_be_more_than_a_name_is_none() {
        for name in [
            "", "1a", "a-b", "a b", "a()", "a\nb", "\\u0041", "a\"b", "a,b", "a/b", "class", "_",
            "true",
        ] {
            assert!(!is_identifier(name), "{name:?}");
        }
    }
}
