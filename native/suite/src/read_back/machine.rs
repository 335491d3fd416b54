//! Follows the instructions of a test with a stack of expressions, and makes statements of what is done with them.
//!
//! Comes in: a method of a test class. Goes out: statements, and which of them are asserted; none where an instruction is
//! not one that Palus's tests are compiled to.
//! An expression becomes statements where it is used up, so that what only says what is awaited becomes none. A number has
//! the type of what it is used for first.
//! Does not know: what a test is about, whether the statements are well-formed.

use super::expression::{Constant, Node, typed};
use super::lambda::{self, Answer};
use palus_bytecode::{
    ClassId, Code, DynamicCall, FieldId, InvokeKind, Method, MethodName, MethodType, Operation,
    Program, Type,
};
use palus_sequence::{Statement, Value, Variable};
use std::collections::BTreeMap;

/// Opcodes that move values of the stack (JVMS 6.5).
const POP: u8 = 0x57;
const POP2: u8 = 0x58;
const DUP: u8 = 0x59;

/// Instructions of a longer body nobody wrote, and expressions are not deeper.
const LONGEST: usize = 3_000;

/// Classes whose methods assert.
const ASSERTIONS: [&str; 2] = ["org/junit/jupiter/api/Assertions", "org/junit/Assert"];

/// What was read of a test.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) statements: Vec<Statement>,
    /// In the order in which they are asserted.
    pub(super) asserted: Vec<usize>,
    /// The statement that is to throw.
    pub(super) throwing: Option<usize>,
    /// The last call or use of a field that is not only there to be asserted.
    pub(super) last_plain: Option<usize>,
}

/// Reads one test.
pub(super) struct Machine<'a> {
    pub(super) program: &'a Program,
    pub(super) tests: &'a Program,
    pub(super) class: ClassId,
    read: Read,
    stack: Vec<Node>,
    locals: BTreeMap<u16, Node>,
    /// Statements whose constant waits for its type.
    untyped: BTreeMap<usize, Constant>,
    /// Instructions of the body that is followed.
    room: usize,
    /// Whether that is what an assertion of an exception runs.
    is_inside: bool,
}

impl<'a> Machine<'a> {
    pub(super) fn new(program: &'a Program, tests: &'a Program, class: ClassId) -> Self {
        Machine {
            program,
            tests,
            class,
            read: Read::default(),
            stack: Vec::new(),
            locals: BTreeMap::new(),
            untyped: BTreeMap::new(),
            room: 0,
            is_inside: false,
        }
    }

    pub(super) fn read(mut self, test: &Method) -> Option<Read> {
        self.run(test.code.as_deref()?)?;
        self.stack.is_empty().then_some(self.read)
    }

    /// Follows a body to its end.
    fn run(&mut self, code: &Code) -> Option<()> {
        if !code.handlers.is_empty() || code.instructions.len() > LONGEST {
            return None;
        }
        self.room = code.instructions.len();
        for instruction in &code.instructions {
            match &instruction.operation {
                Operation::Return { value: false } => return Some(()),
                operation => self.step(operation)?,
            }
        }
        None
    }

    fn step(&mut self, operation: &Operation) -> Option<()> {
        let value = |value| Node::Constant(Constant::Value(value));
        let pushed = match operation {
            Operation::Null => Node::Constant(Constant::Null),
            Operation::Int(number) => Node::Constant(Constant::Int(*number)),
            Operation::Long(number) => value(Value::Long(*number)),
            Operation::Float(number) => value(Value::Float(number.to_bits())),
            Operation::Double(number) => value(Value::Double(number.to_bits())),
            // What stands for half a letter.
            Operation::Text(text) if text.contains('\u{fffd}') => return None,
            Operation::Text(text) => value(Value::Text(text.clone())),
            Operation::ClassLiteral(class) => value(Value::ClassLiteral(class.clone())),
            Operation::Load { slot } => self.locals.get(slot)?.clone(),
            Operation::New(class) => Node::Unmade(class.clone()),
            Operation::Stack(DUP) => match self.stack.last()? {
                Node::Unmade(class) => Node::Unmade(class.clone()),
                Node::Array { .. } => Node::Again,
                _ => return None,
            },
            Operation::GetField { field, is_static } => {
                let field = self.program.resolve_field(field)?;
                if *is_static {
                    self.static_field(field)
                } else {
                    let receiver = Some(Box::new(self.stack.pop()?));
                    Node::Field { field, receiver }
                }
            }
            Operation::NewArray {
                array_type: Type::Array(element),
                dimensions: 1,
            } => {
                let Node::Constant(Constant::Int(length)) = self.stack.pop()? else {
                    return None;
                };
                // Each element has instructions of its own.
                let length = usize::try_from(length).ok();
                let length = length.filter(|length| *length <= self.room)?;
                Node::Array {
                    element: (**element).clone(),
                    elements: vec![None; length],
                }
            }
            Operation::InvokeDynamic(call) => self.lambda(call)?,
            Operation::Invoke { kind, method } => return self.invoke(*kind, method),
            other => return self.consume(other),
        };
        self.stack.push(pushed);
        Some(())
    }

    /// What uses up expressions without a call.
    fn consume(&mut self, operation: &Operation) -> Option<()> {
        match operation {
            Operation::Store { slot } => {
                let node = self.stack.pop()?;
                let local = match node {
                    Node::Thrown => Node::Thrown,
                    node => Node::Variable(self.plain(node)?),
                };
                self.locals.insert(*slot, local);
            }
            Operation::Stack(POP | POP2) => match self.stack.pop()? {
                Node::Thrown => {}
                node @ Node::Call { .. } => {
                    self.plain(node)?;
                }
                _ => return None,
            },
            Operation::ArrayStore => {
                let value = self.stack.pop()?;
                let Node::Constant(Constant::Int(at)) = self.stack.pop()? else {
                    return None;
                };
                let Node::Again = self.stack.pop()? else {
                    return None;
                };
                let Node::Array { elements, .. } = self.stack.last_mut()? else {
                    return None;
                };
                *elements.get_mut(usize::try_from(at).ok()?)? = Some(value);
            }
            Operation::PutField { field, is_static } => {
                let field = self.program.resolve_field(field)?;
                let value = self.stack.pop()?;
                let receiver = if *is_static {
                    None
                } else {
                    let receiver = self.stack.pop()?;
                    Some(self.made(receiver, None)?)
                };
                let wanted = self.program.field(field).field_type.clone();
                let value = self.made(value, Some(&wanted))?;
                self.push_plain(Statement::SetField {
                    field,
                    receiver,
                    value,
                });
            }
            // The statements say by themselves where a value has another type.
            Operation::Cast(_) => {
                self.stack.last()?;
            }
            Operation::Arithmetic { operands: 1, .. } => match self.stack.last()? {
                Node::Variable(_) | Node::Call { .. } | Node::Field { .. } => {}
                _ => return None,
            },
            Operation::Nothing => {}
            _ => return None,
        }
        Some(())
    }

    fn static_field(&self, field: FieldId) -> Node {
        let known = self.program.field(field);
        let value = if known.access.is_enum() {
            Value::EnumConstant {
                class: known.class,
                name: known.name.clone(),
            }
        } else if known.access.is_final() {
            Value::StaticField(field)
        } else {
            return Node::Field {
                field,
                receiver: None,
            };
        };
        Node::Constant(Constant::Value(value))
    }

    fn invoke(&mut self, kind: InvokeKind, named: &MethodName) -> Option<()> {
        let method_type = MethodType::parse(&named.descriptor)?;
        let count = method_type.parameters.len();
        let first = self.stack.len().checked_sub(count)?;
        let mut arguments = self.stack.split_off(first);
        if kind == InvokeKind::Static && ASSERTIONS.contains(&&*named.owner) {
            return self.assertion(&named.name, arguments);
        }
        if let Some(node) = self.boxed(kind, named, &method_type, &mut arguments) {
            self.stack.push(node);
            return Some(());
        }
        let receiver = match kind {
            InvokeKind::Static => None,
            InvokeKind::Special => {
                let Node::Unmade(_) = self.stack.pop()? else {
                    return None;
                };
                None
            }
            InvokeKind::Virtual | InvokeKind::Interface => Some(self.stack.pop()?),
        };
        if matches!(receiver, Some(Node::Thrown)) {
            self.stack.push(Node::Thrown);
            return Some(());
        }
        let node = match self.program.resolve_method(named) {
            Some(method) => Node::Call {
                method,
                receiver: receiver.map(Box::new),
                arguments,
            },
            None => Node::Other,
        };
        if named.is_constructor() {
            let Node::Unmade(_) = self.stack.pop()? else {
                return None;
            };
            self.stack.push(node);
        } else if method_type.returns == Type::Void {
            self.plain(node)?;
        } else {
            self.stack.push(node);
        }
        Some(())
    }

    /// What the compiler calls to box and unbox, and what compares zeros by their signs.
    fn boxed(
        &mut self,
        kind: InvokeKind,
        named: &MethodName,
        method_type: &MethodType,
        arguments: &mut Vec<Node>,
    ) -> Option<Node> {
        let of = method_type.parameters.first();
        let is_box = |of: &Type| of.box_name().is_some_and(|name| *name == *named.owner);
        match (kind, &*named.name, of) {
            (InvokeKind::Static, "valueOf", Some(of)) if is_box(of) => {
                let node = arguments.pop()?;
                Some(match node {
                    Node::Constant(constant) => {
                        Node::Constant(Constant::Value(typed(&constant, Some(of))))
                    }
                    node => node,
                })
            }
            (InvokeKind::Static, "compare", Some(Type::Float | Type::Double))
                if of.is_some_and(is_box) =>
            {
                arguments.pop()
            }
            (InvokeKind::Virtual, name, None)
                if name.ends_with("Value") && is_box(&method_type.returns) =>
            {
                self.stack.pop()
            }
            _ => None,
        }
    }

    /// A lambda expression: what an assertion runs, or a stub.
    fn lambda(&mut self, call: &DynamicCall) -> Option<Node> {
        let method = call.implementation.clone()?;
        let own = self.tests.class(self.class);
        if method.owner != own.name {
            return None;
        }
        let site = MethodType::parse(&call.descriptor)?;
        let first = self.stack.len().checked_sub(site.parameters.len())?;
        let captured = self.stack.split_off(first);
        let interface = site.returns.class_name()?;
        if interface.starts_with("org/junit/") {
            return Some(Node::Body { method, captured });
        }
        let class = self.program.class_named(interface)?;
        let body = self
            .tests
            .declared_method(self.class, &method.name, &method.descriptor)?;
        let answer = lambda::answer(self.program, class, self.tests.method(body), &captured)?;
        let answer = match answer {
            Answer::Default => None,
            Answer::Node(node) => Some(Box::new(node)),
        };
        Some(Node::Stub { class, answer })
    }

    fn assertion(&mut self, name: &str, mut arguments: Vec<Node>) -> Option<()> {
        let at = match name {
            "assertThrows" => return self.assert_throws(arguments),
            "assertTrue" | "assertFalse" | "assertNull" | "assertNotNull" => 0,
            "assertEquals" | "assertSame" | "assertArrayEquals" => 1,
            _ => return None,
        };
        if at >= arguments.len() {
            return None;
        }
        let asserted = match arguments.swap_remove(at) {
            Node::Thrown => return Some(()),
            node @ (Node::Variable(_) | Node::Call { .. } | Node::Field { .. }) => node,
            _ => return None,
        };
        let variable = self.made(asserted, None)?;
        self.read.asserted.push(variable.index());
        Some(())
    }

    fn assert_throws(&mut self, arguments: Vec<Node>) -> Option<()> {
        let [_, Node::Body { method, captured }] = <[Node; 2]>::try_from(arguments).ok()? else {
            return None;
        };
        if self.read.throwing.is_some() || self.is_inside {
            return None;
        }
        let body = self
            .tests
            .declared_method(self.class, &method.name, &method.descriptor)?;
        let body = self.tests.method(body).code.clone()?;
        let parameters = MethodType::parse(&method.descriptor)?.parameters;
        let outer = std::mem::take(&mut self.locals);
        let mut slot = 0;
        for (node, of) in captured.into_iter().zip(&parameters) {
            self.locals.insert(slot, node);
            slot += lambda::slots(of);
        }
        self.is_inside = true;
        self.run(&body)?;
        self.is_inside = false;
        self.locals = outer;
        self.read.throwing = Some(self.read.statements.len().checked_sub(1)?);
        self.stack.push(Node::Thrown);
        Some(())
    }

    /// Statements of an expression that the test is about, or that leads there.
    fn plain(&mut self, node: Node) -> Option<Variable> {
        let variable = match node {
            // `Type other = one;` is no way in which tests are written.
            Node::Variable(_) => return None,
            Node::Constant(constant) => {
                let value = typed(&constant, None);
                let variable = self.push(Statement::Value(value));
                self.untyped.insert(variable.index(), constant);
                return Some(variable);
            }
            node => self.made(node, None)?,
        };
        if matches!(
            self.read.statements[variable.index()],
            Statement::Call { .. } | Statement::GetField { .. }
        ) {
            self.read.last_plain = Some(variable.index());
        }
        Some(variable)
    }

    fn push_plain(&mut self, statement: Statement) {
        let variable = self.push(statement);
        self.read.last_plain = Some(variable.index());
    }

    fn push(&mut self, statement: Statement) -> Variable {
        self.read.statements.push(statement);
        Variable(self.read.statements.len() as u32 - 1)
    }

    /// Statements of an expression that is to be of some type.
    fn made(&mut self, node: Node, wanted: Option<&Type>) -> Option<Variable> {
        let statement = match node {
            Node::Variable(variable) => {
                if let Some(constant) = self.untyped.remove(&variable.index()) {
                    let value = typed(&constant, wanted);
                    self.read.statements[variable.index()] = Statement::Value(value);
                }
                return Some(variable);
            }
            Node::Constant(constant) => Statement::Value(typed(&constant, wanted)),
            Node::Call {
                method,
                receiver,
                arguments,
            } => {
                let receiver = match receiver {
                    None => None,
                    Some(receiver) => Some(self.made(*receiver, None)?),
                };
                let parameters = &self.program.method(method).method_type.parameters;
                let arguments = arguments.into_iter().zip(parameters);
                let arguments = arguments.map(|(node, wanted)| self.made(node, Some(wanted)));
                Statement::Call {
                    method,
                    receiver,
                    arguments: arguments.collect::<Option<_>>()?,
                }
            }
            Node::Field { field, receiver } => {
                let receiver = match receiver {
                    None => None,
                    Some(receiver) => Some(self.made(*receiver, None)?),
                };
                Statement::GetField { field, receiver }
            }
            Node::Array { element, elements } => {
                let elements = elements.into_iter();
                let elements = elements.map(|one| self.made(one?, Some(&element)));
                let elements = elements.collect::<Option<_>>()?;
                Statement::NewArray { element, elements }
            }
            Node::Stub { class, answer } => {
                let answer = match answer {
                    None => None,
                    Some(answer) => {
                        let method = lambda::open_method(self.program, class)?;
                        let returns = method.method_type.returns.clone();
                        Some(self.made(*answer, Some(&returns))?)
                    }
                };
                Statement::Stub {
                    class,
                    answers: vec![answer],
                }
            }
            Node::Body { .. } | Node::Thrown | Node::Other | Node::Unmade(_) | Node::Again => {
                return None;
            }
        };
        Some(self.push(statement))
    }
}
