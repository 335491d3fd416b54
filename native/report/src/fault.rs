//! Faults in words.
//!
//! Comes in: a survivor, with the name of its operator. Goes out: what is changed, as a person says it.
//! Does not know: how faults are made.

use crate::data::{MutantReport, Survivor};

/// The faults of a class that no test notices: those that one comes to, and those that none does, with what says so.
pub(crate) fn unnoticed(of: &MutantReport) -> [(&'static str, &[Survivor]); 2] {
    [
        ("Not noticed", &of.survivors),
        ("No test comes to", &of.unreached),
    ]
}

/// What a fault changes: "the value is not stored in field `title`".
pub(crate) fn in_words(fault: &Survivor) -> String {
    let detail = fault.detail.as_str();
    let field = named("field", detail);
    let call = named("call of", detail);
    match fault.operator.as_str() {
        "DATE_BOUNDARY" => format!("{detail} is true also of two that are equal"),
        "CONDITIONALS_BOUNDARY" => {
            "the comparison comes out the other way where both sides are equal".to_owned()
        }
        "REMOVE_CONDITIONALS" => "the condition always comes out the same way".to_owned(),
        "MATH" => replaced(detail),
        "INCREMENTS" => "the variable is counted the other way".to_owned(),
        "INVERT_NEGS" => "the minus sign is left out".to_owned(),
        "VOID_METHOD_CALLS" | "NON_VOID_METHOD_CALLS" => format!("the {call} is left out"),
        "EMPTY_RETURNS" => "an empty value, or 0, is returned".to_owned(),
        "FALSE_RETURNS" => "false is returned".to_owned(),
        "TRUE_RETURNS" => "true is returned".to_owned(),
        "NULL_RETURNS" => "null is returned".to_owned(),
        "PRIMITIVE_RETURNS" => "0 is returned".to_owned(),
        "EXPERIMENTAL_MEMBER_VARIABLE" => format!("the value is not stored in the {field}"),
        "EXPERIMENTAL_NAKED_RECEIVER" => {
            format!("the {call} is replaced by the object that it is made on")
        }
        "EXPERIMENTAL_ARGUMENT_PROPAGATION" => {
            format!("the {call} is replaced by one of its arguments")
        }
        "ENUM_CONSTANT" => format!("{detail} is another value"),
        // Of a run by another version.
        other => other.to_owned(),
    }
}

/// `field title`, or `field` where its name is not known.
fn named(what: &str, name: &str) -> String {
    match name {
        "" => what.trim_end_matches(" of").to_owned(),
        name => format!("{what} {name}"),
    }
}

fn replaced(sign: &str) -> String {
    let other = match sign {
        "+" => "-",
        "-" => "+",
        "*" => "/",
        "/" | "%" => "*",
        "<<" => ">>",
        ">>" | ">>>" => "<<",
        "&" => "|",
        "|" | "^" => "&",
        _ => return "the sign of arithmetic is another one".to_owned(),
    };
    format!("{sign} becomes {other}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(operator: &str, detail: &str) -> String {
        in_words(&Survivor {
            operator: operator.to_owned(),
            detail: detail.to_owned(),
            ..Survivor::default()
        })
    }

    #[test]
    fn a_fault_is_told_with_the_field_the_call_or_the_sign_that_it_is_about() {
        let told = [
            ("EXPERIMENTAL_MEMBER_VARIABLE", "title"),
            ("EXPERIMENTAL_NAKED_RECEIVER", "add"),
            ("EXPERIMENTAL_ARGUMENT_PROPAGATION", "max"),
            ("VOID_METHOD_CALLS", "clear"),
            ("MATH", "%"),
            ("ENUM_CONSTANT", "RED.wavelength"),
            ("DATE_BOUNDARY", "isAfter"),
        ];
        assert_eq!(
            told.map(|(operator, detail)| words(operator, detail)),
            [
                "the value is not stored in the field title",
                "the call of add is replaced by the object that it is made on",
                "the call of max is replaced by one of its arguments",
                "the call of clear is left out",
                "% becomes *",
                "RED.wavelength is another value",
                "isAfter is true also of two that are equal",
            ]
        );
    }

    #[test]
    fn a_fault_of_an_earlier_run_is_told_without() {
        assert_eq!(words("VOID_METHOD_CALLS", ""), "the call is left out");
        assert_eq!(words("MATH", ""), "the sign of arithmetic is another one");
    }
}
