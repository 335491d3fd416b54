//! Methods that check what they are given for `null`, and exceptions by which they refuse it.
//!
//! Comes in: a method, or an exception's innermost frame and message. Goes out: whether it checks; whether `null` was refused
//! on purpose, rather than met by accident.
//! Does not know: which arguments are checked.

use palus_bytecode::{MethodId, Operation, Program};

/// Methods of the JDK and of usual libraries that throw where they are given `null`.
const CHECKS: &[&str] = &[
    "requireNonNull",
    "checkNotNull",
    "checkNonNull",
    "requireNotNull",
    "checkArgumentNotNull",
    "verifyNotNull",
    "notNull",
];

/// Calls from a method to the check: a factory calls a constructor, which checks.
const WITHIN: u32 = 1;

/// How the JVM begins what it says where `null` is met by accident.
const BY_ACCIDENT: &str = "Cannot ";

/// Whether a method, or one that it calls, hands something to a check for `null`.
pub fn checks_for_null(program: &Program, method: MethodId) -> bool {
    checks(program, method, WITHIN)
}

fn checks(program: &Program, method: MethodId, within: u32) -> bool {
    let code = program.method(method).code.as_ref();
    let mut operations = code.into_iter().flat_map(|code| &code.instructions);
    operations.any(|instruction| match &instruction.operation {
        Operation::Invoke { method, .. } if is_check(&method.name) => true,
        Operation::Invoke { method, .. } if within > 0 => {
            let called = program.resolve_method(method);
            called.is_some_and(|called| checks(program, called, within - 1))
        }
        _ => false,
    })
}

/// Whether a `NullPointerException` says that `null` is refused: by a check, or in words that somebody wrote.
pub fn refuses_null(innermost_method: Option<&str>, message: Option<&str>) -> bool {
    innermost_method.is_some_and(is_check)
        || message.is_some_and(|message| !message.starts_with(BY_ACCIDENT))
}

fn is_check(method: &str) -> bool {
    CHECKS.contains(&method)
}

#[cfg(test)]
mod tests {
    use super::*;
    use palus_bytecode::{Origin, ProgramBuilder};
    use palus_fixture::compile;

    #[test]
    fn a_check_is_seen_in_a_method_and_in_what_it_calls_but_no_further() {
        let text = "package demo; import java.util.Objects; public class Coin {
          private final String name;
          private Coin(String name) { this.name = Objects.requireNonNull(name, \"name\"); }
          public static Coin of(String name) { return new Coin(name); }
          public static Coin far(String name) { return of(name); }
          public int length(String other) { return other.length() + name.length(); } }";
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &compile(&[("demo/Coin.java", text)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let program = builder.finish();
        let coin = program.class_named("demo/Coin").unwrap();
        let methods = program.class(coin).methods.iter();
        let checking = methods.filter(|&&method| checks_for_null(&program, method));
        let names: Vec<&str> = checking
            .map(|&method| &*program.method(method).name)
            .collect();
        assert_eq!(names, ["<init>", "of"]);
    }

    #[test]
    fn null_is_refused_by_a_check_or_in_words_and_met_where_the_jvm_says_so() {
        assert!(refuses_null(Some("requireNonNull"), None));
        assert!(refuses_null(Some("add"), Some("element must not be null")));
        let met = "Cannot invoke \"String.length()\" because \"<parameter1>\" is null";
        assert!(!refuses_null(Some("add"), Some(met)));
        assert!(!refuses_null(Some("add"), None));
    }
}
