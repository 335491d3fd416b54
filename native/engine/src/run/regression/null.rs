//! What was null, as a `NullPointerException` of a JDK since 14 tells it.
//!
//! Comes in: what the exception says. Goes out: the method that returned it, or the name that holds it.
//! Does not know: where a name got its value from.

/// What is null where a `NullPointerException` tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Null<'t> {
    /// What a method returned: its class and its name.
    Returned(&'t str, &'t str),
    /// What a variable or a parameter holds.
    Held(&'t str),
}

/// `param` of `Cannot invoke "demo.Rate.fee()" because "param" is null`.
pub(super) fn null(text: &str) -> Option<Null<'_>> {
    let message = text.strip_prefix("java.lang.NullPointerException: ")?;
    let (_, why) = message.rsplit_once(" because ")?;
    let why = why.strip_suffix(" is null")?;
    if let Some(method) = why.strip_prefix("the return value of \"") {
        let (class, name) = method.split('(').next()?.rsplit_once('.')?;
        return Some(Null::Returned(class, name));
    }
    let name = why.strip_prefix('"')?.strip_suffix('"')?;
    Some(Null::Held(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_null_is_read_from_the_words_of_the_exception() {
        let null = |text: &'static str| null(text);
        let of = "java.lang.NullPointerException: Cannot invoke \"demo.Rate.fee()\" because \"param\" is null";
        assert_eq!(null(of), Some(Null::Held("param")));
        let of = "java.lang.NullPointerException: Cannot read the array length because the return value of \"demo.Rates.all(int, String)\" is null";
        assert_eq!(null(of), Some(Null::Returned("demo.Rates", "all")));
        assert_eq!(null("java.lang.NullPointerException: "), None);
        assert_eq!(
            null("java.lang.IllegalStateException: x because \"a\" is null"),
            None
        );
    }
}
