//! Source text of single statements: calls, constructions, arrays, lambdas and constants.
//!
//! Comes in: a statement whose variables have names already. Goes out: its expression.
//! Does not know: assertions, whether the value gets a name.

use super::Writer;
use crate::generic::{
    Position, as_super, bindings_of, parameters, plain, substitute, with_wildcards,
};
use crate::literal;
use crate::typing::{functional_method, is_inner_construction};
use crate::variables::{Scope, of_type};
use palus_bytecode::{ClassId, Method, MethodId, Type, TypeSignature};
use palus_sequence::{Statement, Value, Variable};

impl Writer<'_, '_, '_> {
    /// Source text of a statement's own expression.
    pub(super) fn expression(&mut self, index: usize) -> String {
        let sequence = self.sequence;
        match &sequence.statements()[index] {
            Statement::Value(value) => self.value(value),
            Statement::Call {
                method,
                receiver,
                arguments,
            } => self.call(index, *method, *receiver, arguments),
            Statement::NewArray { element, elements } => {
                let erased_element = plain(element);
                let element = if self.typing.is_raw {
                    erased_element
                } else {
                    with_wildcards(self.program, &erased_element)
                };
                let element = self.imports.signature(&element);
                let (base, dimensions) = element
                    .find('[')
                    .map_or((element.as_str(), ""), |at| element.split_at(at));
                if elements.is_empty() {
                    return format!("new {base}[0]{dimensions}");
                }
                let elements = self.arguments(index, elements);
                format!("new {base}[]{dimensions} {{{elements}}}")
            }
            Statement::GetField { field, receiver } => {
                let owner = self.owner(index, self.program.field(*field).class, *receiver);
                format!("{owner}.{}", self.program.field(*field).name)
            }
            Statement::SetField {
                field,
                receiver,
                value,
            } => {
                let owner = self.owner(index, self.program.field(*field).class, *receiver);
                let value = self.arguments(index, &[*value]);
                format!("{owner}.{} = {value}", self.program.field(*field).name)
            }
            Statement::Lambda { interface, returns } => self.lambda(index, *interface, *returns),
        }
    }

    pub(super) fn owner(
        &mut self,
        index: usize,
        class: ClassId,
        receiver: Option<Variable>,
    ) -> String {
        match receiver {
            None => self.imports.class(&self.program.class(class).name),
            Some(receiver) => {
                let name = self.names[receiver.index()].clone();
                let cast = self.typing.receivers[index].clone();
                match cast {
                    Some(cast) => format!("(({}) {name})", self.imports.signature(&cast)),
                    None if name.starts_with("new ") => format!("({name})"),
                    None => name,
                }
            }
        }
    }

    pub(super) fn arguments(&mut self, index: usize, arguments: &[Variable]) -> String {
        let mut texts = Vec::with_capacity(arguments.len());
        for (position, argument) in arguments.iter().enumerate() {
            let name = self.names[argument.index()].clone();
            let cast = self.typing.arguments[index]
                .get(position)
                .cloned()
                .flatten();
            texts.push(match cast {
                // A minus after a cast to a class would be a subtraction.
                Some(cast) if name.starts_with('-') => {
                    format!("({}) ({name})", self.imports.signature(&cast))
                }
                Some(cast) => format!("({}) {name}", self.imports.signature(&cast)),
                None => name,
            });
        }
        texts.join(", ")
    }

    pub(super) fn call(
        &mut self,
        index: usize,
        method: MethodId,
        receiver: Option<Variable>,
        arguments: &[Variable],
    ) -> String {
        let method = self.program.method(method);
        self.note_throws(method);
        self.note_deprecated(method, receiver);
        let written = self.arguments(index, arguments);
        if &*method.name == "<init>" {
            return self.construction(index, method, arguments, &written);
        }
        let owner = self.owner(index, method.class, receiver);
        let witnesses = self.typing.witnesses[index].clone();
        if self.style.language_level < 8 && !witnesses.is_empty() {
            let witnesses: Vec<String> = witnesses
                .iter()
                .map(|one| self.imports.signature(one))
                .collect();
            return format!(
                "{owner}.<{}>{}({written})",
                witnesses.join(", "),
                method.name
            );
        }
        format!("{owner}.{}({written})", method.name)
    }

    pub(super) fn construction(
        &mut self,
        index: usize,
        method: &Method,
        arguments: &[Variable],
        written: &str,
    ) -> String {
        let class = self.program.class(method.class);
        let declared = self.typing.declared[index].clone();
        let is_inner = is_inner_construction(self.program, method);
        let TypeSignature::Class {
            arguments: generic, ..
        } = &declared
        else {
            return format!("new {}({written})", self.imports.class(&class.name));
        };
        let name = if generic.is_empty() || self.typing.is_raw {
            self.imports.class(&class.name)
        } else if self.style.language_level >= 8
            || (arguments.is_empty() && self.uses(Variable(index as u32)) > 0)
        {
            format!("{}<>", self.imports.class(&class.name))
        } else {
            self.imports.signature(&declared)
        };
        if is_inner && let Some((outer, _)) = arguments.split_first() {
            let outer = match self.typing.arguments[index].first().cloned().flatten() {
                Some(cast) => format!(
                    "(({}) {})",
                    self.imports.signature(&cast),
                    self.names[outer.index()]
                ),
                None => self.names[outer.index()].clone(),
            };
            let rest = self.inner_arguments(index, arguments);
            let inner = class.inner_name.as_deref().unwrap_or_default();
            let diamond = if name.ends_with("<>") { "<>" } else { "" };
            return format!("{outer}.new {inner}{diamond}({rest})");
        }
        format!("new {name}({written})")
    }

    /// Arguments of an inner class's constructor without the enclosing object.
    pub(super) fn inner_arguments(&mut self, index: usize, arguments: &[Variable]) -> String {
        let casts = self.typing.arguments[index].clone();
        self.typing.arguments[index].remove(0);
        let text = self.arguments(index, &arguments[1..]);
        self.typing.arguments[index] = casts;
        text
    }

    pub(super) fn lambda(
        &mut self,
        index: usize,
        interface: ClassId,
        returns: Option<Variable>,
    ) -> String {
        let program = self.program;
        let method = functional_method(program, interface).expect("the sequence was typed");
        let result = match (returns, &method.method_type.returns) {
            (_, Type::Void) => None,
            (Some(returns), _) => Some(self.arguments(index, &[returns])),
            (None, returned) => Some(default_value(returned).to_owned()),
        };
        let mut scope = Scope::default();
        for name in self.names.iter().filter(|name| !name.is_empty()) {
            scope.claim(name);
        }
        let parameter_types = &method.method_type.parameters;
        let names: Vec<String> = (0..parameter_types.len())
            .map(|position| {
                let known = method
                    .parameter_names
                    .get(position)
                    .filter(|name| crate::variables::is_identifier(name));
                let base = known.map_or_else(
                    || of_type(program, &parameter_types[position]),
                    ToString::to_string,
                );
                scope.claim(&base)
            })
            .collect();
        let is_generic = method
            .signature
            .as_ref()
            .is_some_and(|signature| !signature.type_parameters.is_empty());
        if self.style.language_level >= 8 && !is_generic {
            let names = if let [name] = names.as_slice() {
                name.clone()
            } else {
                format!("({})", names.join(", "))
            };
            return match result {
                Some(result) => format!("{names} -> {result}"),
                None => format!("{names} -> {{}}"),
            };
        }
        let (types, returned) = self.anonymous_types(index, interface, method);
        let own = self.typing.declared[index].clone();
        let own = self.imports.signature(&own);
        let declarations: Vec<String> = types
            .iter()
            .zip(&names)
            .map(|(signature, name)| format!("{} {name}", self.imports.signature(signature)))
            .collect();
        let returned = self.imports.signature(&returned);
        let result = result.map_or_else(String::new, |result| format!("    return {result};\n"));
        self.note_serializable(interface);
        format!(
            "new {own}() {{\n  @Override\n  public {returned} {}({}) {{\n{result}  }}\n}}",
            method.name,
            declarations.join(", ")
        )
    }

    /// Parameter and return types of a functional method as an anonymous class declares them.
    pub(super) fn anonymous_types(
        &self,
        index: usize,
        interface: ClassId,
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
            && !parameters(self.program, &self.program.class(interface).name).is_empty();
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

    pub(super) fn value(&mut self, value: &Value) -> String {
        match value {
            Value::Null(_) => "null".into(),
            Value::Boolean(value) => value.to_string(),
            Value::Byte(value) => literal::byte(*value),
            Value::Char(value) => literal::char(*value),
            Value::Short(value) => literal::short(*value),
            Value::Int(value) => literal::int(*value),
            Value::Long(value) => literal::long(*value),
            Value::Float(bits) => literal::float(*bits),
            Value::Double(bits) => literal::double(*bits),
            Value::Text(text) => literal::text(text),
            Value::EnumConstant { class, name } => {
                format!(
                    "{}.{name}",
                    self.imports.class(&self.program.class(*class).name)
                )
            }
            Value::ClassLiteral(class) => format!("{}.class", self.imports.erased(class)),
            Value::StaticField(field) => {
                let field = self.program.field(*field);
                format!(
                    "{}.{}",
                    self.imports.class(&self.program.class(field.class).name),
                    field.name
                )
            }
        }
    }
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
