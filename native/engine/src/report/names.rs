//! How reports name methods and types.
//!
//! Comes in: methods and types of a program. Goes out: text.
//! Does not know: what is told of them.

use palus_bytecode::{MethodId, Program, Type};

/// `connect(String, Properties)`
pub(crate) fn method_text(program: &Program, method: MethodId) -> String {
    let method = program.method(method);
    let class = program.class(method.class);
    let name = if method.is_constructor() {
        simple_text(&class.name)
    } else {
        method.name.to_string()
    };
    let parameters: Vec<String> = method
        .method_type
        .parameters
        .iter()
        .map(type_text)
        .collect();
    format!("{name}({})", parameters.join(", "))
}

/// `Entry` of `java/util/Map$Entry`
pub(crate) fn simple_text(name: &str) -> String {
    name.rsplit(['/', '$']).next().unwrap_or(name).to_owned()
}

/// `int`, `String`, `Entry[]`
pub(crate) fn type_text(parameter: &Type) -> String {
    match parameter {
        Type::Boolean => "boolean".to_owned(),
        Type::Byte => "byte".to_owned(),
        Type::Char => "char".to_owned(),
        Type::Short => "short".to_owned(),
        Type::Int => "int".to_owned(),
        Type::Long => "long".to_owned(),
        Type::Float => "float".to_owned(),
        Type::Double => "double".to_owned(),
        Type::Void => "void".to_owned(),
        Type::Object(name) => simple_text(name),
        Type::Array(element) => format!("{}[]", type_text(element)),
    }
}
