//! Lambda expressions that stand for objects of an interface: what each answers.
//!
//! Comes in: the body of one, and the expressions that it captures. Goes out: its answer, as `stub.rs` of the sequences has
//! it; none where it does something that no stub does.
//! Does not know: what runs the lambda expression of an assertion.

use super::expression::{Constant, Node, typed};
use palus_bytecode::{ClassId, Method, MethodType, Operation, Program, Type};
use palus_sequence::{Value, open_methods};

/// What a stub answers.
pub(super) enum Answer {
    /// The default value of its type, or nothing.
    Default,
    /// What it returns, throws, or adds its calls to.
    Node(Node),
}

/// The one method that an interface leaves open.
pub(super) fn open_method(program: &Program, class: ClassId) -> Option<&Method> {
    match open_methods(program, class).as_slice() {
        [one] => Some(program.method(*one)),
        _ => None,
    }
}

/// How many slots a variable takes.
pub(super) fn slots(of: &Type) -> u16 {
    1 + u16::from(matches!(of, Type::Long | Type::Double))
}

/// What a lambda expression answers in the place of an interface.
pub(super) fn answer(
    program: &Program,
    class: ClassId,
    lambda: &Method,
    captured: &[Node],
) -> Option<Answer> {
    let open = open_method(program, class)?;
    let code = lambda.code.as_deref()?;
    let operations: Vec<&Operation> = code
        .instructions
        .iter()
        .map(|instruction| &instruction.operation)
        .filter(|operation| !matches!(operation, Operation::Cast(_)))
        .collect();
    let first = captured.first().cloned();
    match operations.as_slice() {
        [constant, boxing, Operation::Return { value: true }] if captured.is_empty() => {
            let constant = constant_of(program, constant)?;
            let value = typed(&constant, Some(&boxed(boxing)?));
            Some(Answer::Node(Node::Constant(Constant::Value(value))))
        }
        [Operation::Return { value: false }] if captured.is_empty() => Some(Answer::Default),
        [
            Operation::Load { slot: 0 },
            Operation::Return { value: true } | Operation::Throw,
        ] => first.map(Answer::Node),
        [constant, Operation::Return { value: true }] if captured.is_empty() => {
            let returns = &open.method_type.returns;
            let constant = constant_of(program, constant)?;
            Some(if is_default(&constant, returns) {
                Answer::Default
            } else {
                Answer::Node(Node::Constant(constant))
            })
        }
        // `calls.add(argument)`: which arguments they are, the method decides alone.
        [
            Operation::Load { slot: 0 },
            ..,
            add,
            Operation::Stack(_),
            Operation::Return { value: false },
        ] if is_add(add) => first.map(Answer::Node),
        _ => None,
    }
}

/// What a call puts into a box.
fn boxed(operation: &Operation) -> Option<Type> {
    let Operation::Invoke { method, .. } = operation else {
        return None;
    };
    let of = MethodType::parse(&method.descriptor)?.parameters.pop()?;
    let is_box = &*method.name == "valueOf" && of.box_name() == Some(&*method.owner);
    is_box.then_some(of)
}

fn is_add(operation: &Operation) -> bool {
    matches!(operation, Operation::Invoke { method, .. } if &*method.name == "add")
}

fn constant_of(program: &Program, operation: &Operation) -> Option<Constant> {
    Some(match operation {
        Operation::Null => Constant::Null,
        Operation::Int(number) => Constant::Int(*number),
        Operation::Long(number) => Constant::Value(Value::Long(*number)),
        Operation::Float(number) => Constant::Value(Value::Float(number.to_bits())),
        Operation::Double(number) => Constant::Value(Value::Double(number.to_bits())),
        Operation::Text(text) if !text.contains('\u{fffd}') => {
            Constant::Value(Value::Text(text.clone()))
        }
        Operation::GetField {
            field,
            is_static: true,
        } => {
            let field = program.resolve_field(field)?;
            let known = program.field(field);
            Constant::Value(if known.access.is_enum() {
                Value::EnumConstant {
                    class: known.class,
                    name: known.name.clone(),
                }
            } else {
                Value::StaticField(field)
            })
        }
        _ => return None,
    })
}

/// Whether it is what a stub answers that is told nothing.
fn is_default(constant: &Constant, returns: &Type) -> bool {
    match constant {
        Constant::Null => true,
        Constant::Int(number) => *number == 0 && returns.is_primitive(),
        Constant::Value(Value::Long(0) | Value::Float(0) | Value::Double(0)) => {
            returns.is_primitive()
        }
        Constant::Value(_) => false,
    }
}
