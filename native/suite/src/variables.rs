//! Names of local variables.
//!
//! Comes in: the type of a variable and what made it. Goes out: names such as `roadMap`, `map2`, never a keyword.
//! Does not know: which variables need a name.

use palus_bytecode::{Program, Type};
use palus_sequence::{Sequence, Statement, Variable, recorded};
use std::collections::BTreeSet;

/// Gives out names that are unique within one method.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    taken: BTreeSet<String>,
}

impl Scope {
    /// The name itself, or with the first free counter from 2.
    pub(crate) fn claim(&mut self, base: &str) -> String {
        let base = if palus_bytecode::is_reserved(base) {
            format!("{base}Value")
        } else {
            base.to_owned()
        };
        let mut name = base.clone();
        let mut count = 2;
        while !self.taken.insert(name.clone()) {
            name = if base.ends_with(|last: char| last.is_ascii_digit()) {
                format!("{base}_{count}")
            } else {
                format!("{base}{count}")
            };
            count += 1;
        }
        name
    }
}

/// A good name for a statement's variable, not yet unique.
pub(crate) fn base_name(
    program: &Program,
    sequence: &Sequence,
    variable: Variable,
    declared: &Type,
) -> String {
    let calls = recorded(program, sequence);
    if let Some((method, _)) = calls.into_iter().find(|&(_, list)| list == variable) {
        return format!("{}Calls", lower_camel(&program.method(method).name));
    }
    match &sequence.statements()[variable.index()] {
        Statement::Value(_) => parameter_name(program, sequence, variable)
            .unwrap_or_else(|| of_type(program, declared)),
        Statement::GetField { field, .. } => lower_camel(&program.field(*field).name),
        Statement::Call { method, .. } => {
            let method = program.method(*method);
            let vague = declared.is_primitive()
                || matches!(
                    declared.class_name(),
                    Some("java/lang/Object" | "java/lang/String")
                );
            if vague && !method.is_constructor() {
                of_method(&method.name)
            } else {
                of_type(program, declared)
            }
        }
        _ => of_type(program, declared),
    }
}

/// Whether a variable is passed as one parameter here and as another there, one of which has a name: what they have in
/// common is by chance.
pub(crate) fn has_several_roles(
    program: &Program,
    sequence: &Sequence,
    variable: Variable,
) -> bool {
    let mut roles: BTreeSet<(Option<&str>, String)> = BTreeSet::new();
    for statement in sequence.statements() {
        let Statement::Call {
            method, arguments, ..
        } = statement
        else {
            continue;
        };
        let method = program.method(*method);
        for (position, _) in (0..).zip(arguments).filter(|(_, one)| **one == variable) {
            let name: Option<&str> = method.parameter_names.get(position).map(|name| &**name);
            let unnamed = match name {
                Some(_) => String::new(),
                None => format!("{}{position}", method.name),
            };
            roles.insert((name, unnamed));
        }
    }
    roles.len() > 1 && roles.iter().any(|(name, _)| name.is_some())
}

/// Name of the parameter as which a variable is first passed.
pub(crate) fn parameter_name(
    program: &Program,
    sequence: &Sequence,
    variable: Variable,
) -> Option<String> {
    sequence.statements().iter().find_map(|statement| {
        let Statement::Call {
            method, arguments, ..
        } = statement
        else {
            return None;
        };
        let position = arguments
            .iter()
            .position(|&argument| argument == variable)?;
        let name = program.method(*method).parameter_names.get(position)?;
        (name.len() > 2 && is_identifier(name)).then(|| name.to_string())
    })
}

/// `Map` → `map`, `URLPattern` → `urlPattern`, `int[]` → `ints`.
pub(crate) fn of_type(program: &Program, declared: &Type) -> String {
    match declared {
        Type::Boolean => "flag".into(),
        Type::Char => "character".into(),
        Type::Byte | Type::Short | Type::Int | Type::Long => "number".into(),
        Type::Float | Type::Double | Type::Void => "value".into(),
        Type::Array(element) => match &**element {
            Type::Boolean => "flags".into(),
            Type::Char => "characters".into(),
            Type::Array(_) => "rows".into(),
            primitive if primitive.is_primitive() => {
                format!("{}s", crate::imports::keyword(primitive))
            }
            element => plural(&of_type(program, element)),
        },
        Type::Object(name) => {
            let simple = simple_name(program, name);
            match simple.as_str() {
                "String" => "text".into(),
                "Class" => "type".into(),
                "Object" => "object".into(),
                "Integer" | "Long" | "Short" | "Byte" => "number".into(),
                _ => lower_camel(&simple),
            }
        }
    }
}

/// Simple source name of a class.
pub(crate) fn simple_name(program: &Program, name: &str) -> String {
    let inner = program
        .class_named(name)
        .and_then(|id| program.class(id).inner_name.clone());
    inner.map_or_else(
        || name.rsplit(['/', '$']).next().unwrap_or(name).to_owned(),
        |inner| inner.to_string(),
    )
}

fn of_method(name: &str) -> String {
    for prefix in [
        "get", "is", "create", "make", "to", "new", "find", "read", "parse",
    ] {
        if let Some(rest) = name.strip_prefix(prefix)
            && rest.starts_with(|first: char| first.is_uppercase())
        {
            return lower_camel(rest);
        }
    }
    match name {
        "get" | "next" | "previous" | "remove" | "put" => "result".into(),
        _ => lower_camel(name),
    }
}

fn plural(name: &str) -> String {
    if name.ends_with('s') || name.ends_with('x') {
        format!("{name}es")
    } else if let Some(stem) = name
        .strip_suffix('y')
        .filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u']))
    {
        format!("{stem}ies")
    } else {
        format!("{name}s")
    }
}

/// Lowers the leading capitals of a name, keeping the start of its second word.
pub(crate) fn lower_camel(name: &str) -> String {
    let characters: Vec<char> = name
        .chars()
        .filter(|one| one.is_alphanumeric() || *one == '_')
        .skip_while(|one| !one.is_alphabetic())
        .collect();
    let capitals = characters
        .iter()
        .take_while(|one| one.is_uppercase())
        .count();
    let lowered = match capitals {
        0 | 1 => capitals,
        // The last capital of `URLPattern` begins a word; all of `URL` is one.
        _ if capitals == characters.len() || !characters[capitals].is_alphabetic() => capitals,
        _ => capitals - 1,
    };
    let mut text = String::new();
    for (position, &one) in characters.iter().enumerate() {
        if position < lowered {
            text.extend(one.to_lowercase());
        } else {
            text.push(one);
        }
    }
    if text.is_empty() {
        "value".into()
    } else {
        text
    }
}

/// Makes the first letter upper case.
pub(crate) fn capitalised(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}

/// True for an ASCII identifier that is no keyword.
pub(crate) fn is_identifier(name: &str) -> bool {
    !palus_bytecode::is_reserved(name)
        && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name
            .chars()
            .all(|one| one.is_ascii_alphanumeric() || one == '_')
}
