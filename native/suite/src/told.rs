//! What an exception is asserted to tell: its message, and what its simple getters give.
//!
//! Comes in: how a sequence ended, and the sequence. Goes out: what to ask the exception, with the answers.
//! A message is asserted where the subject itself wrote it: the text of a constant in the class that threw, in the
//! exception's or in the one called, with values in it. What else is in the message has no blanks, so that no words of
//! the JDK, which differ between its versions, are among it. A getter is simple where it does nothing but read a field.
//! Does not know: how the exception got its name in the text.
//!
//! ```text
//! "Unexpected " + found + " at " + at        "Unexpected ) at 3": asserted
//! "Cannot read: " + cause.getMessage()       "Cannot read: For input string: \"x\"": not asserted
//! ```

use crate::assertion::{Expected, expected, expected_exception};
use crate::scope::Scope;
use crate::stable::is_stable_text;
use palus_bytecode::{Class, Code, MethodId, Operation, Origin, Program};
use palus_sequence::{End, Observation, Sequence, Statement, Thrown, Value};
use std::collections::BTreeSet;

/// Getters asked at most.
const MOST_GETTERS: usize = 3;
/// Letters that a constant must have to count as words of the subject.
const FEWEST_LETTERS: usize = 3;

/// One thing that an exception tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The getter; none for `getMessage`.
    pub getter: Option<MethodId>,
    /// What it gives.
    pub expected: Expected,
}

/// What the exception that ended a sequence tells; nothing where none did.
pub(crate) fn told(scope: Scope<'_>, sequence: &Sequence, end: &End) -> Vec<Told> {
    let program = scope.program;
    let End::Threw(thrown) = end else {
        return Vec::new();
    };
    let mut told = Vec::new();
    let message = thrown
        .message
        .as_ref()
        .filter(|message| is_own_text(program, sequence, thrown, message));
    if let Some(message) = message {
        told.push(Told {
            getter: None,
            expected: Expected::Equal(Value::Text(message.clone())),
        });
    }
    let mut getters = getters(scope, thrown);
    if let Some(message) = message {
        let fixed = fixed_texts(program, &thrown.class);
        getters.retain(|one| !is_told_by(&one.expected, message, &fixed));
    }
    told.extend(getters.into_iter().take(MOST_GETTERS));
    told
}

/// Whether a text is in the message already, or the same for all exceptions of the class.
fn is_told_by(expected: &Expected, message: &str, fixed: &BTreeSet<String>) -> bool {
    match expected {
        Expected::Equal(Value::Text(text)) => has_words(message, text) || fixed.contains(&**text),
        _ => false,
    }
}

/// Texts that each constructor of an exception's own class has: they are the same for all its objects.
fn fixed_texts(program: &Program, class: &str) -> BTreeSet<String> {
    let class = program.class_named(class).map(|class| program.class(class));
    let class = class.filter(|class| class.origin == Origin::Subject);
    let methods = class.into_iter().flat_map(|class| &class.methods);
    let constructors = methods.filter(|&&method| program.method(method).is_constructor());
    let texts = constructors.map(|&method| -> BTreeSet<String> {
        let code = program.method(method).code.as_ref();
        code.into_iter().flat_map(|code| texts_in(code)).collect()
    });
    let common = texts.reduce(|common, texts| &common & &texts);
    common.unwrap_or_default()
}

/// Whether a text stands in a message as a word or several, and says something there.
fn has_words(message: &str, text: &str) -> bool {
    let is_part = |one: Option<char>| one.is_some_and(char::is_alphanumeric);
    letters(text) >= FEWEST_LETTERS
        && message.match_indices(text).any(|(at, _)| {
            !is_part(message[..at].chars().next_back())
                && !is_part(message[at + text.len()..].chars().next())
        })
}

/// Simple getters of the class that a test names, for fields that say something.
fn getters(scope: Scope<'_>, thrown: &Thrown) -> Vec<Told> {
    let Scope {
        program, package, ..
    } = scope;
    let named = expected_exception(program, package, &thrown.class)
        .and_then(|name| program.class_named(&name));
    let Some(named) = named else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for ancestor in program.supertypes(named) {
        let class = program.class(ancestor);
        if class.origin != Origin::Subject {
            continue;
        }
        for &id in &class.methods {
            let method = program.method(id);
            let is_asked = method.method_type.parameters.is_empty()
                && !method.access.is_static()
                && !method.is_deprecated
                && &*method.name != "getMessage"
                && program.is_method_accessible(id, package);
            let Some(field) = read_field(program, id).filter(|_| is_asked) else {
                continue;
            };
            let held = thrown.fields.iter().find(|(name, _)| *name == field);
            let Some((_, held)) = held else { continue };
            let repeats = matches!((held, &thrown.message), (Observation::Value { value: Value::Text(text), .. }, Some(message)) if text == message);
            match expected(scope, held) {
                Some(expected @ (Expected::Equal(_) | Expected::Made(_))) if !repeats => {
                    found.push(Told {
                        getter: Some(id),
                        expected,
                    });
                }
                _ => {}
            }
        }
    }
    found
}

/// The field whose value a method gives, where it does nothing else.
fn read_field(program: &Program, method: MethodId) -> Option<std::sync::Arc<str>> {
    let code = program.method(method).code.as_ref()?;
    let operations: Vec<&Operation> = code
        .instructions
        .iter()
        .map(|instruction| &instruction.operation)
        .collect();
    match operations.as_slice() {
        [
            Operation::Load { slot: 0 },
            Operation::GetField {
                field,
                is_static: false,
            },
            Operation::Return { .. },
        ] => Some(field.name.clone()),
        _ => None,
    }
}

/// True if the subject wrote the message, but for single words in it.
fn is_own_text(program: &Program, sequence: &Sequence, thrown: &Thrown, message: &str) -> bool {
    if !is_stable_text(message) {
        return false;
    }
    let constants = constants(program, sequence, thrown);
    let thrower = thrown
        .top_frame
        .as_ref()
        .and_then(|(class, _)| program.class_named(class))
        .filter(|&class| program.class(class).origin != Origin::Platform);
    if thrower.is_none() {
        // `Objects.requireNonNull(name, "name")` and the like.
        return letters(message) >= FEWEST_LETTERS && constants.contains(message);
    }
    let own = sequence.statements().iter();
    let own = own.filter_map(|statement| match statement {
        Statement::Value(Value::Text(text)) if !text.is_empty() => Some(&**text),
        _ => None,
    });
    is_made_of(&constants, own, message)
}

/// Whether texts of the project's code make up a message, but for single words in it.
pub fn is_written_by(program: &Program, message: &str) -> bool {
    let classes = program.classes().iter();
    let classes = classes.filter(|class| class.origin == Origin::Subject);
    let methods = classes.flat_map(|class| &class.methods);
    let codes = methods.filter_map(|&method| program.method(method).code.as_ref());
    let constants: BTreeSet<String> = codes.flat_map(|code| texts_in(code)).collect();
    is_stable_text(message) && is_made_of(&constants, std::iter::empty(), message)
}

/// Whether words of these constants are in a message, and what else is in it, but for these texts, has no blanks.
fn is_made_of<'t>(
    constants: &'t BTreeSet<String>,
    others: impl Iterator<Item = &'t str>,
    message: &str,
) -> bool {
    let is_formatted = constants.iter().any(|text| text.contains(['%', '{']));
    let mut parts: BTreeSet<&str> = constants.iter().flat_map(|text| fragments(text)).collect();
    let has_words = parts
        .iter()
        .any(|part| letters(part) >= FEWEST_LETTERS && message.contains(part));
    parts.extend(others);
    let mut parts: Vec<&str> = parts.into_iter().collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.len()));
    let mut rest = message.to_owned();
    for part in parts.into_iter().filter(|part| part.len() > 1) {
        rest = rest.replace(part, "\0");
    }
    // What a format makes of a fraction is the locale's business.
    let is_local = |piece: &str| {
        is_formatted
            && piece.contains(['.', ','])
            && piece.contains(|one: char| one.is_ascii_digit())
    };
    has_words
        && rest
            .split('\0')
            .map(str::trim)
            .all(|piece| !piece.contains(char::is_whitespace) && !is_local(piece))
}

fn letters(text: &str) -> usize {
    text.chars().filter(|one| one.is_alphabetic()).count()
}

/// Parts of a constant between the values that are put into it: at `%s`, `{0}`, and where a sum of texts has others.
fn fragments(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['%', '{', '\u{1}', '\u{2}']) {
        parts.push(&rest[..at]);
        let from = &rest[at..];
        let end = match from.as_bytes()[0] {
            b'%' => from[1..]
                .find(|one: char| one.is_ascii_alphabetic() || one == '%')
                .map(|end| end + 2),
            b'{' => from.find('}').map(|end| end + 1),
            _ => None,
        };
        rest = &from[end.unwrap_or(1)..];
    }
    parts.push(rest);
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Texts in the classes that may have written the message.
fn constants(program: &Program, sequence: &Sequence, thrown: &Thrown) -> BTreeSet<String> {
    let called = match sequence.statements().get(thrown.statement as usize) {
        Some(Statement::Call { method, .. }) => Some(program.method(*method).class),
        _ => None,
    };
    let named = [
        Some(&thrown.class),
        thrown.top_frame.as_ref().map(|(class, _)| class),
    ];
    let named = named
        .into_iter()
        .flatten()
        .filter_map(|name| program.class_named(name));
    let classes: BTreeSet<_> = named.chain(called).collect();
    let own = classes
        .into_iter()
        .map(|class| program.class(class))
        .filter(|class| class.origin != Origin::Platform);
    own.flat_map(|class| texts(program, class)).collect()
}

fn texts<'a>(program: &'a Program, class: &'a Class) -> impl Iterator<Item = String> + 'a {
    let fields = class
        .fields
        .iter()
        .filter_map(|&field| program.field(field).constant.as_ref());
    let methods = class.methods.iter();
    let codes = methods.filter_map(|&method| program.method(method).code.as_ref());
    let of_fields = fields.filter_map(text_of);
    of_fields.chain(codes.flat_map(|code| texts_in(code)))
}

fn texts_in(code: &Code) -> impl Iterator<Item = String> + '_ {
    let instructions = code.instructions.iter();
    instructions.filter_map(|instruction| text_of(&instruction.operation))
}

fn text_of(operation: &Operation) -> Option<String> {
    match operation {
        Operation::Text(text) => Some(text.to_string()),
        Operation::InvokeDynamic(call) => call.recipe.as_ref().map(ToString::to_string),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::subject_for;
    use std::collections::BTreeMap;

    const PARSER: &[(&str, &str)] = &[(
        "demo/Parser.java",
        r#"package demo;
        public class Parser {
          public int read(String text) {
            if (text.isEmpty()) { throw new IllegalArgumentException("nothing to read"); }
            if (text.length() > 9) { throw new IllegalStateException(text + " is longer than " + 9); }
            if (text.length() > 8) { throw new IllegalStateException(String.format("rate %.2f of %s", 1.5, text)); }
            try {
              return Integer.parseInt(text);
            } catch (NumberFormatException e) {
              throw new IllegalArgumentException("cannot read: " + e.getMessage());
            }
          }
        }"#,
    )];

    fn is_own(release: u16, argument: &str, message: &str, frame: &str) -> bool {
        let subject = subject_for(PARSER, release);
        let mut script = subject.script();
        let parser = script.construct("demo/Parser", "()V", &[]);
        let text = script.text(argument);
        script.void("demo/Parser.read(Ljava/lang/String;)I", parser, &[text]);
        let mut run = script.threw("java/lang/IllegalArgumentException");
        if let End::Threw(thrown) = &mut run.outcome.end {
            thrown.message = Some(message.into());
            thrown.top_frame = Some((frame.into(), "read".into()));
        }
        let scope = Scope {
            program: &subject.program,
            package: "demo",
            makers: &BTreeMap::new(),
        };
        let told = told(scope, &run.sequence, &run.outcome.end);
        !told.is_empty()
    }

    #[test]
    fn a_message_is_asserted_where_the_subject_wrote_all_words_of_it() {
        for release in [8, 17] {
            let own = |argument, message| is_own(release, argument, message, "demo/Parser");
            assert!(own("", "nothing to read"));
            assert!(own("0123456789", "0123456789 is longer than 9"));
            // A blank of the test's own does no harm.
            assert!(own("a text of mine", "a text of mine is longer than 9"));
            assert!(!own("x", r#"cannot read: For input string: "x""#));
            assert!(!own(
                "x",
                r#"Cannot invoke "String.length()" because "<parameter1>" is null"#
            ));
            assert!(!own("012345678", "rate 1.50 of 012345678"));
        }
    }

    #[test]
    fn what_the_jdk_throws_has_a_message_of_the_subject_only_if_that_is_all_of_it() {
        assert!(is_own(8, "", "nothing to read", "java/util/Objects"));
        assert!(!is_own(8, "", "nothing to read: 3", "java/util/Objects"));
        assert!(!is_own(
            8,
            "",
            "Index 3 out of bounds for length 2",
            "java/util/ArrayList"
        ));
    }

    const REFUSED: &[(&str, &str)] = &[(
        "demo/Refused.java",
        r#"package demo;
        public class Refused extends RuntimeException {
          private final String code; private final String field; private final String kind;
          Refused(String message, String code, String field) { super(message); this.code = code; this.field = field; kind = "REFUSED"; }
          public static Refused expired(String field) { return new Refused("missing " + field, "EXPIRED", field); }
          public static Refused blocked(String field) { return new Refused("missing " + field, "BLOCKED", field); }
          public String getCode() { return code; } public String getField() { return field; } public String getKind() { return kind; }
          public static void check(String field) { throw expired(field); }
        }"#,
    )];

    #[test]
    fn a_getter_is_asserted_where_it_tells_one_exception_from_another() {
        let subject = subject_for(REFUSED, 8);
        let mut script = subject.script();
        let field = script.text("street");
        let check = "demo/Refused.check(Ljava/lang/String;)V";
        script.call(check, None, &[field], Observation::Nothing);
        let mut run = script.threw("demo/Refused");
        if let End::Threw(thrown) = &mut run.outcome.end {
            thrown.message = Some("missing street".into());
            thrown.top_frame = Some(("demo/Refused".into(), "check".into()));
            let fields = [
                ("code", "EXPIRED"),
                ("field", "street"),
                ("kind", "REFUSED"),
            ];
            thrown.fields = fields
                .map(|(name, text)| {
                    let value = Value::Text(text.into());
                    (name.into(), Observation::Value { value, boxed: true })
                })
                .to_vec();
        }
        let program = &subject.program;
        let scope = Scope {
            program,
            package: "demo",
            makers: &BTreeMap::new(),
        };
        let told = told(scope, &run.sequence, &run.outcome.end);
        let asked = told
            .iter()
            .map(|one| one.getter.map(|getter| &*program.method(getter).name));
        assert_eq!(asked.collect::<Vec<_>>(), [None, Some("getCode")]);
    }
}
