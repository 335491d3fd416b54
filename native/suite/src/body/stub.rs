//! Source text of stubs: a lambda expression where the language has it, else an anonymous class.
//!
//! Comes in: an interface or abstract class, and an answer for each of its open methods. Goes out: the expression.
//! Does not know: why a stub answers as it does.
//!
//! ```text
//! key -> "a"        key -> { throw iOException; }        new Guard() { @Override public boolean isAwake() { ... } }
//! order -> saveCalls.add(order)
//! ```

use super::Writer;
use crate::generic::{Position, as_super, bindings_of, parameters, plain, substitute};
use crate::variables::{Scope, is_identifier, of_type};
use palus_bytecode::{ClassId, Method, Type, TypeSignature};
use palus_sequence::{Variable, is_functional, is_recorded, is_thrown, open_methods};

/// What a method does, as a statement without its semicolon.
enum Action {
    Nothing,
    Return(String),
    Throw(String),
    /// A call that adds its own arguments to a list.
    Record(String),
}

impl Writer<'_, '_, '_> {
    pub(super) fn stub(
        &mut self,
        index: usize,
        class: ClassId,
        answers: &[Option<Variable>],
    ) -> String {
        let program = self.program;
        let mut casts = self.typing.arguments[index].clone().into_iter();
        let mut methods = Vec::new();
        for (method, answer) in open_methods(program, class).into_iter().zip(answers) {
            let method = program.method(method);
            let cast = answer.and_then(|_| casts.next()).flatten();
            methods.push((method, self.action(method, *answer, cast)));
        }
        if let [(method, action)] = methods.as_slice()
            && is_functional(program, class)
            && self.style.language_level >= 8
            && !is_generic(method)
        {
            let names = self.parameter_names(method);
            let names = if let [name] = names.as_slice() {
                name.clone()
            } else {
                format!("({})", names.join(", "))
            };
            return match action {
                Action::Return(value) | Action::Record(value) => format!("{names} -> {value}"),
                Action::Throw(exception) => format!("{names} -> {{ throw {exception}; }}"),
                Action::Nothing => format!("{names} -> {{}}"),
            };
        }
        self.note_serializable(class);
        let own = self.typing.declared[index].clone();
        let own = self.imports.signature(&own);
        let bodies: Vec<String> = methods
            .iter()
            .map(|(method, action)| self.implementation(index, class, method, action))
            .collect();
        format!("new {own}() {{\n{}\n}}", bodies.join("\n\n"))
    }

    fn action(
        &mut self,
        method: &Method,
        answer: Option<Variable>,
        cast: Option<TypeSignature>,
    ) -> Action {
        let returned = &method.method_type.returns;
        let Some(answer) = answer else {
            return match returned {
                Type::Void => Action::Nothing,
                returned => Action::Return(default_value(returned).to_owned()),
            };
        };
        let name = self.names[answer.index()].clone();
        let of = self.sequence.type_of(self.program, answer);
        if is_thrown(self.program, method, &of) {
            return Action::Throw(name);
        }
        if is_recorded(method, &of) {
            return self.recording(method, &name);
        }
        Action::Return(match cast {
            // A minus after a cast to a class would be a subtraction.
            Some(cast) if name.starts_with('-') => {
                format!("({}) ({name})", self.imports.signature(&cast))
            }
            Some(cast) => format!("({}) {name}", self.imports.signature(&cast)),
            None => name,
        })
    }

    /// What adds a call to the list of that name.
    fn recording(&mut self, method: &Method, list: &str) -> Action {
        if list.is_empty() {
            return Action::Nothing; // nobody asks for it
        }
        let names = self.parameter_names(method);
        let call = match names.as_slice() {
            [] => format!("\"{}\"", method.name),
            [name] => name.clone(),
            names => format!(
                "{}.asList({})",
                self.imports.class("java/util/Arrays"),
                names.join(", ")
            ),
        };
        Action::Record(format!("{list}.add({call})"))
    }

    /// Names that hide no variable of the test.
    fn parameter_names(&self, method: &Method) -> Vec<String> {
        let mut scope = Scope::default();
        for name in self.names.iter().filter(|name| !name.is_empty()) {
            scope.claim(name);
        }
        let types = method.method_type.parameters.iter().enumerate();
        let names = types.map(|(position, of)| {
            let known = method.parameter_names.get(position);
            let known = known.filter(|name| is_identifier(name));
            let base = known.map_or_else(|| of_type(self.program, of), ToString::to_string);
            scope.claim(&base)
        });
        names.collect()
    }

    fn implementation(
        &mut self,
        index: usize,
        class: ClassId,
        method: &Method,
        action: &Action,
    ) -> String {
        let (types, returned) = self.implemented_types(index, class, method);
        let names = self.parameter_names(method);
        let declarations: Vec<String> = types
            .iter()
            .zip(&names)
            .map(|(signature, name)| format!("{} {name}", self.imports.signature(signature)))
            .collect();
        let returned = self.imports.signature(&returned);
        let (throws, body) = match action {
            Action::Nothing => (String::new(), String::new()),
            Action::Return(value) => (String::new(), format!("    return {value};\n")),
            Action::Record(value) => (String::new(), format!("    {value};\n")),
            Action::Throw(exception) => {
                let declared: Vec<String> = method
                    .exceptions
                    .iter()
                    .map(|name| self.imports.class(name))
                    .collect();
                let throws = if declared.is_empty() {
                    String::new()
                } else {
                    format!(" throws {}", declared.join(", "))
                };
                (throws, format!("    throw {exception};\n"))
            }
        };
        format!(
            "  @Override\n  public {returned} {}({}){throws} {{\n{body}  }}",
            method.name,
            declarations.join(", ")
        )
    }

    /// Parameter and return types of an open method as an anonymous class declares them.
    fn implemented_types(
        &self,
        index: usize,
        class: ClassId,
        method: &Method,
    ) -> (Vec<TypeSignature>, TypeSignature) {
        let erased_types = || {
            (
                method.method_type.parameters.iter().map(plain).collect(),
                plain(&method.method_type.returns),
            )
        };
        let own = &self.typing.declared[index];
        let is_raw = self.typing.is_raw
            && !parameters(self.program, &self.program.class(class).name).is_empty();
        let Some(signature) = method.signature.as_ref().filter(|_| !is_raw) else {
            return erased_types();
        };
        let owner = as_super(self.program, own, &self.program.class(method.class).name);
        let Some(bindings) = owner.and_then(|owner| bindings_of(self.program, &owner)) else {
            return erased_types();
        };
        let read = |signature: &TypeSignature| substitute(signature, &bindings, Position::Read);
        let types: Option<Vec<_>> = signature.parameters.iter().map(read).collect();
        match (types, read(&signature.returns)) {
            (Some(types), Some(returned)) => (types, returned),
            _ => erased_types(),
        }
    }
}

fn is_generic(method: &Method) -> bool {
    let signature = method.signature.as_ref();
    signature.is_some_and(|signature| !signature.type_parameters.is_empty())
}

fn default_value(of: &Type) -> &'static str {
    match of {
        Type::Boolean => "false",
        Type::Char => "'\\0'",
        Type::Long => "0L",
        Type::Float => "0.0f",
        Type::Double => "0.0",
        Type::Byte | Type::Short | Type::Int => "0",
        _ => "null",
    }
}
