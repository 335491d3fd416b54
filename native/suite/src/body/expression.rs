//! Source text of single statements: calls, constructions, arrays and constants.
//!
//! Comes in: a statement whose variables have names already. Goes out: its expression.
//! Does not know: assertions, whether the value gets a name.

use super::Writer;
use crate::generic::{plain, with_wildcards};
use crate::literal;
use crate::typing::is_inner_construction;
use palus_bytecode::{ClassId, Method, MethodId, TypeSignature};
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
            } => match self.file_content(index) {
                Some(text) => text,
                None => self.call(index, *method, *receiver, self.said(arguments)),
            },
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
            Statement::Stub { class, answers } => self.stub(index, *class, answers),
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
        if method.is_constructor() {
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
