//! An independent judge of sequences: what a kept sequence must satisfy, whoever made it.
//!
//! Comes in: a sequence and the program. Goes out: the first [`Defect`].
//! A variable must be defined before its use and hold a value; receivers and arguments must be castable to what is
//! wanted (boxing and unboxing included); abstract classes are not instantiated; a stub throws what it may.

use crate::{Sequence, Statement, Variable, is_recorded, is_thrown, may_throw, open_methods};
use palus_bytecode::{Program, Type};

/// What is wrong with a sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Defect {
    /// A variable is used before or at its definition, or does not exist.
    #[error("statement {statement} uses v{variable} too early")]
    TooEarly {
        /// The using statement.
        statement: usize,
        /// The variable's number.
        variable: u32,
    },
    /// The variable holds nothing (void call, assignment).
    #[error("statement {statement} uses v{variable}, which holds nothing")]
    HoldsNothing {
        /// The using statement.
        statement: usize,
        /// The variable's number.
        variable: u32,
    },
    /// The value's type does not fit even with a cast.
    #[error("statement {statement}: v{variable} cannot be {wanted}")]
    Type {
        /// The using statement.
        statement: usize,
        /// The variable's number.
        variable: u32,
        /// Descriptor of the wanted type.
        wanted: String,
    },
    /// Wrong number of arguments, or a receiver where none belongs or none where one is needed.
    #[error("statement {statement} has the wrong shape for its method")]
    Shape {
        /// The statement.
        statement: usize,
    },
    /// An abstract class or interface is instantiated.
    #[error("statement {statement} instantiates an abstract class")]
    Abstract {
        /// The statement.
        statement: usize,
    },
}

/// Checks one sequence.
///
/// # Errors
/// The first [`Defect`] in statement order.
pub fn check(program: &Program, sequence: &Sequence) -> Result<(), Defect> {
    for (index, statement) in sequence.statements().iter().enumerate() {
        for variable in statement.uses() {
            if variable.index() >= index {
                return Err(Defect::TooEarly {
                    statement: index,
                    variable: variable.0,
                });
            }
            if sequence.type_of(program, variable) == Type::Void {
                return Err(Defect::HoldsNothing {
                    statement: index,
                    variable: variable.0,
                });
            }
        }
        check_statement(program, sequence, index, statement)?;
    }
    Ok(())
}

fn check_statement(
    program: &Program,
    sequence: &Sequence,
    index: usize,
    statement: &Statement,
) -> Result<(), Defect> {
    let fits = |variable: Variable, wanted: &Type| {
        if castable(program, &sequence.type_of(program, variable), wanted) {
            Ok(())
        } else {
            Err(Defect::Type {
                statement: index,
                variable: variable.0,
                wanted: wanted.to_string(),
            })
        }
    };
    let class_type = |class| Type::Object(program.class(class).name.clone());
    match statement {
        Statement::Call {
            method,
            receiver,
            arguments,
        } => {
            let method = program.method(*method);
            let needs_receiver = !method.is_constructor() && !method.access.is_static();
            if receiver.is_some() != needs_receiver
                || arguments.len() != method.method_type.parameters.len()
            {
                return Err(Defect::Shape { statement: index });
            }
            if method.is_constructor() && program.class(method.class).access.is_abstract() {
                return Err(Defect::Abstract { statement: index });
            }
            if let Some(receiver) = receiver {
                fits(*receiver, &class_type(method.class))?;
            }
            for (argument, wanted) in arguments.iter().zip(&method.method_type.parameters) {
                fits(*argument, wanted)?;
            }
        }
        Statement::NewArray { element, elements } => {
            for variable in elements {
                fits(*variable, element)?;
            }
        }
        Statement::GetField { field, receiver }
        | Statement::SetField {
            field, receiver, ..
        } => {
            let field = program.field(*field);
            if receiver.is_some() == field.access.is_static() {
                return Err(Defect::Shape { statement: index });
            }
            if let Some(receiver) = receiver {
                fits(*receiver, &class_type(field.class))?;
            }
            if let Statement::SetField { value, .. } = statement {
                fits(*value, &field.field_type)?;
            }
        }
        Statement::Stub { class, answers } => {
            let open = open_methods(program, *class);
            if open.len() != answers.len() {
                return Err(Defect::Shape { statement: index });
            }
            for (method, answer) in open.into_iter().zip(answers) {
                let (method, Some(answer)) = (program.method(method), answer) else {
                    continue;
                };
                let of = sequence.type_of(program, *answer);
                if is_recorded(method, &of) {
                    continue;
                }
                if !is_thrown(program, method, &of) {
                    fits(*answer, &method.method_type.returns)?;
                } else if !may_throw(program, method, &of) {
                    return Err(Defect::Type {
                        statement: index,
                        variable: answer.0,
                        wanted: method.method_type.returns.to_string(),
                    });
                }
            }
        }
        Statement::Value(_) => {}
    }
    Ok(())
}

/// True if source text can pass a value of static type `from` where `to` is wanted, with a reference cast if needed.
fn castable(program: &Program, from: &Type, to: &Type) -> bool {
    if program.is_assignable(from, to) {
        return true;
    }
    if let Some(name) = from.box_name() {
        return program.is_assignable(&Type::object(name), to);
    }
    if to.is_primitive() {
        return from.unboxed().as_ref() == Some(to);
    }
    let reference = from.is_reference() && to.is_reference();
    reference && (program.is_assignable(to, from) || both_open(program, from, to))
}

/// Interfaces and classes that are not final can be cast to one another.
fn both_open(program: &Program, from: &Type, to: &Type) -> bool {
    let (Type::Object(from), Type::Object(to)) = (from, to) else {
        return false;
    };
    let (Some(from), Some(to)) = (program.class_named(from), program.class_named(to)) else {
        return false;
    };
    let (from, to) = (program.class(from).access, program.class(to).access);
    (from.is_interface() && !to.is_final()) || (to.is_interface() && !from.is_final())
}

#[cfg(test)]
#[expect(
    clippy::needless_raw_string_hashes,
    reason = "expect-test writes the expected texts so"
)]
mod tests;
