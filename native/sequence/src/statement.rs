//! Straight-line test bodies: statement `i` defines variable `i`.
//!
//! A sequence is immutable; extending or concatenating makes a new one. Boxing is implicit, as in source text: a
//! variable of type `int` may be passed where `Integer` or `Object` is wanted.
//!
//! ```text
//! v0 = new RoadMap()              Call { method: RoadMap.<init>, receiver: None, arguments: [] }
//! v1 = v0.init()                  Call { method: RoadMap.init, receiver: Some(v0), .. }   (defines nothing usable)
//! v2 = "Portland"                 Value(Text("Portland"))
//! v3 = new City(v2)               Call { method: City.<init>, arguments: [v2], .. }
//! ```

use crate::Value;
use palus_bytecode::{ClassId, FieldId, MethodId, Program, Type};

/// The variable that statement number `.0` defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

impl Variable {
    /// Position of the defining statement.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Statement {
    /// A constant.
    Value(Value),
    /// A constructor, static or instance call.
    Call {
        /// What is called; for an instance method possibly declared in a supertype of the receiver's class.
        method: MethodId,
        /// The object it is called on; none for constructors and static methods.
        receiver: Option<Variable>,
        /// One per declared parameter. A varargs parameter takes an array.
        arguments: Vec<Variable>,
    },
    /// A new array holding these elements.
    NewArray {
        /// Type of an element.
        element: Type,
        /// The elements, in order.
        elements: Vec<Variable>,
    },
    /// Reads a field.
    GetField {
        /// The field.
        field: FieldId,
        /// None when static.
        receiver: Option<Variable>,
    },
    /// Assigns a field; defines nothing.
    SetField {
        /// The field.
        field: FieldId,
        /// None when static.
        receiver: Option<Variable>,
        /// The new value.
        value: Variable,
    },
    /// An object of an interface or abstract class whose open methods ignore their arguments.
    Stub {
        /// The interface or abstract class.
        class: ClassId,
        /// Per open method, in the order of [`open_methods`](crate::open_methods), what it returns, throws where
        /// [`is_thrown`](crate::is_thrown) says so, or adds its calls to where [`is_recorded`](crate::is_recorded)
        /// does; the default value of its type when none.
        answers: Vec<Option<Variable>>,
    },
}

/// A test body: executed from the first statement to the last.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sequence {
    statements: Vec<Statement>,
}

impl Statement {
    /// The variables it uses, receiver first.
    pub fn uses(&self) -> Vec<Variable> {
        match self {
            Statement::Value(_) => Vec::new(),
            Statement::Call {
                receiver,
                arguments,
                ..
            } => receiver.iter().chain(arguments).copied().collect(),
            Statement::NewArray { elements, .. } => elements.clone(),
            Statement::GetField { receiver, .. } => receiver.iter().copied().collect(),
            Statement::SetField {
                receiver, value, ..
            } => receiver.iter().chain([value]).copied().collect(),
            Statement::Stub { answers, .. } => answers.iter().copied().flatten().collect(),
        }
    }

    /// The same statement with every used variable replaced.
    #[must_use]
    pub fn renamed(&self, mut rename: impl FnMut(Variable) -> Variable) -> Statement {
        let mut statement = self.clone();
        match &mut statement {
            Statement::Value(_) => {}
            Statement::Call {
                receiver,
                arguments,
                ..
            } => {
                for variable in receiver.iter_mut().chain(arguments) {
                    *variable = rename(*variable);
                }
            }
            Statement::NewArray { elements, .. } => {
                for variable in elements {
                    *variable = rename(*variable);
                }
            }
            Statement::GetField { receiver, .. } => {
                if let Some(variable) = receiver {
                    *variable = rename(*variable);
                }
            }
            Statement::SetField {
                receiver, value, ..
            } => {
                for variable in receiver.iter_mut().chain([value]) {
                    *variable = rename(*variable);
                }
            }
            Statement::Stub { answers, .. } => {
                for variable in answers.iter_mut().flatten() {
                    *variable = rename(*variable);
                }
            }
        }
        statement
    }

    /// Static type of the variable it defines; `Type::Void` when it defines none. A constructor defines its class.
    pub fn defined_type(&self, program: &Program) -> Type {
        let class_type = |class: ClassId| Type::Object(program.class(class).name.clone());
        match self {
            Statement::Value(Value::EnumConstant { class, .. }) | Statement::Stub { class, .. } => {
                class_type(*class)
            }
            Statement::Value(Value::StaticField(field)) | Statement::GetField { field, .. } => {
                program.field(*field).field_type.clone()
            }
            Statement::Value(value) => value
                .plain_type()
                .expect("only enums and fields lack a plain type"),
            Statement::Call { method, .. } => {
                let method = program.method(*method);
                if method.is_constructor() {
                    class_type(method.class)
                } else {
                    method.method_type.returns.clone()
                }
            }
            Statement::NewArray { element, .. } => Type::Array(Box::new(element.clone())),
            Statement::SetField { .. } => Type::Void,
        }
    }
}

impl Sequence {
    /// A sequence of these statements; well-formedness is `check`'s business.
    pub fn new(statements: Vec<Statement>) -> Self {
        Sequence { statements }
    }

    /// The statements in order.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Number of statements.
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// True without statements.
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// The variable the last statement defines.
    ///
    /// Call on a sequence that is not empty.
    pub fn last(&self) -> Variable {
        Variable(
            self.statements
                .len()
                .checked_sub(1)
                .expect("a sequence with statements") as u32,
        )
    }

    /// This sequence and one more statement.
    #[must_use]
    pub fn extended(&self, statement: Statement) -> Sequence {
        let mut statements = self.statements.clone();
        statements.push(statement);
        Sequence { statements }
    }

    /// Appends another sequence, its variables shifted; returns the shift.
    pub fn append(&mut self, other: &Sequence) -> u32 {
        let shift = self.statements.len() as u32;
        self.statements.extend(
            other
                .statements
                .iter()
                .map(|statement| statement.renamed(|variable| Variable(variable.0 + shift))),
        );
        shift
    }

    /// Appends one statement and returns its variable.
    pub fn push(&mut self, statement: Statement) -> Variable {
        self.statements.push(statement);
        self.last()
    }

    /// The first `length` statements.
    #[must_use]
    pub fn prefix(&self, length: usize) -> Sequence {
        Sequence {
            statements: self.statements[..length].to_vec(),
        }
    }

    /// Static type of a variable.
    pub fn type_of(&self, program: &Program, variable: Variable) -> Type {
        self.statements[variable.index()].defined_type(program)
    }
}
