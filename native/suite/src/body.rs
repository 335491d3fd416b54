//! One test method's body as lines of Java.
//!
//! Comes in: a test and its static types. Goes out: its lines, the warnings it must suppress, what it throws and
//! which assertion methods it calls.
//! Constants are written where they are used, results nobody needs are not bound, and a result that is only asserted
//! stands inside its assertion. Does not know: the rest of the compilation unit.

mod expression;
mod folder;
mod made;
mod parts;
mod stub;

use self::parts::{LONGEST, Part, parts};
use crate::assertion::{Assertion, Expected, expected_exception, is_unchecked};
use crate::file_calls::inner;
use crate::generic::erased;
use crate::imports::Imports;
use crate::told::Told;
use crate::typing::{Typing, type_sequence};
use crate::variables::{Scope, base_name, has_several_roles, parameter_name};
use crate::written::{Style, Test, TestFramework};
use palus_bytecode::{ClassId, FOR_REMOVAL, Method, Origin, Program, Type, TypeSignature};
use palus_sequence::{End, Sequence, Statement, Value, Variable};
use std::collections::BTreeSet;

/// A written body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Body {
    /// Lines without the method's own indentation.
    pub lines: Vec<String>,
    /// Lint names to suppress, sorted.
    pub suppressed: BTreeSet<&'static str>,
    /// Simple name of what the method declares to throw.
    pub throws: Option<&'static str>,
    /// Assertion methods called.
    pub asserts: BTreeSet<&'static str>,
}

/// Writes the body of a test; none when the sequence cannot be written in this package.
pub(crate) fn body(
    program: &Program,
    package: &str,
    test: &Test,
    style: &Style,
    imports: &mut Imports<'_>,
) -> Option<Body> {
    let sequence = &test.run.sequence;
    let typing = type_sequence(program, package, sequence)?;
    imports.take_warnings();
    let mut writer = Writer {
        program,
        package,
        style,
        sequence,
        length: test.length,
        assertions: &test.assertions,
        told: &test.told,
        message: test
            .remark
            .as_ref()
            .and_then(|remark| remark.message.as_deref()),
        inner: inner(program, sequence, test.length, style.language_level),
        parts: parts(program, sequence, &typing, test.length, |one| {
            let mut assertions = test.assertions.iter();
            assertions.any(|of| of.statement == one.0 || of.expected.mentions() == Some(one))
        }),
        typing,
        imports,
        names: Vec::with_capacity(sequence.len()),
        scope: Scope::default(),
        body: Body::default(),
        first_asserted: None,
    };
    writer.keep_names();
    let thrown = match &test.run.outcome.end {
        End::Threw(thrown) => Some(thrown),
        _ => None,
    };
    let mut call = 0;
    for index in 0..sequence.len() {
        let thrown = thrown.filter(|thrown| thrown.statement as usize == index);
        if index + 1 == test.length {
            call = writer.body.lines.len();
            writer.first_asserted = None;
        }
        match thrown {
            Some(thrown) => {
                writer.throwing(index, &thrown.class)?;
                break;
            }
            None => writer.statement(index),
        }
        if index + 1 == test.length {
            let after = writer.body.lines.len();
            writer.first_asserted.get_or_insert(after);
        }
    }
    let asserted = writer.first_asserted.unwrap_or(writer.body.lines.len());
    part(&mut writer.body.lines, call, asserted);
    let drawn = writer.imports.take_warnings();
    writer.body.suppressed.extend(drawn);
    if writer.typing.is_raw {
        writer.body.suppressed.extend(["rawtypes", "unchecked"]);
    }
    Some(writer.body)
}

/// Sets apart what leads to the call that the test is about, that call, and what is asserted of it.
fn part(lines: &mut Vec<String>, call: usize, asserted: usize) {
    for place in BTreeSet::from([call, asserted]).into_iter().rev() {
        if place > 0 && place < lines.len() {
            lines.insert(place, String::new());
        }
    }
}

struct Writer<'a, 'b, 'i> {
    program: &'a Program,
    package: &'a str,
    style: &'a Style,
    sequence: &'a Sequence,
    /// Statements before those that only observe.
    length: usize,
    assertions: &'a [Assertion],
    told: &'a [Told],
    /// What the last assertion says when it fails.
    message: Option<&'a str>,
    /// The statements that stand only inside others.
    inner: Vec<bool>,
    /// What may stand inside the call that it is made for.
    parts: Vec<Part>,
    typing: Typing,
    imports: &'b mut Imports<'i>,
    /// How each variable is written where it is used; empty when it is not.
    names: Vec<String>,
    scope: Scope,
    body: Body,
    /// The line of the first assertion from the call on that the test is about.
    first_asserted: Option<usize>,
}

impl Writer<'_, '_, '_> {
    fn uses(&self, variable: Variable) -> usize {
        let in_statements = self
            .sequence
            .statements()
            .iter()
            .map(|statement| {
                statement
                    .uses()
                    .iter()
                    .filter(|&&used| used == variable)
                    .count()
            })
            .sum::<usize>();
        in_statements
            + self
                .assertions
                .iter()
                .filter(|assertion| assertion.expected.mentions() == Some(variable))
                .count()
    }

    fn statement(&mut self, index: usize) {
        let variable = Variable(index as u32);
        let statement = &self.sequence.statements()[index];
        let uses = self.uses(variable);
        let assertions: Vec<&Assertion> = self
            .assertions
            .iter()
            .filter(|assertion| assertion.statement as usize == index)
            .collect();
        let is_inline = match statement {
            Statement::Value(value) => self.is_inline(value, variable, uses),
            Statement::NewArray { elements, .. } => {
                uses == 1
                    && elements.len() <= 8
                    && elements.iter().all(|&one| self.is_constant(one))
            }
            _ => false,
        };
        if let Some(name) = self.folder(index) {
            self.names.push(name);
            return;
        }
        if uses == 0 && assertions.is_empty() && self.is_name(index) {
            self.names.push(String::new());
            return;
        }
        if self.inner[index] {
            // What is written for it is written there; a path is written as any link.
            let text = if self.is_path(index) {
                self.expression(index)
            } else {
                String::new()
            };
            self.names.push(text);
            return;
        }
        if is_inline {
            let text = self.expression(index);
            self.names.push(text);
            return;
        }
        if self.is_link(index, uses, &assertions) {
            let text = self.expression(index);
            self.names.push(text);
            return;
        }
        let is_void = self.typing.declared[index] == TypeSignature::Plain(Type::Void);
        if uses > 0 && !is_void {
            let text = self.expression(index);
            if self.is_part(index, uses, &assertions, &text) {
                self.names.push(text);
                return;
            }
            let text = match statement {
                // The declaration says the type already.
                Statement::NewArray { elements, .. } if !elements.is_empty() => {
                    &text[text.find('{').expect("elements stand in braces")..]
                }
                _ => &text,
            };
            let declared = self.typing.declared[index].clone();
            let base = base_name(self.program, self.sequence, variable, &erased(&declared));
            let name = self.scope.claim(&base);
            let written = self.imports.signature(&declared);
            // An anonymous class below Java 8 sees final variables only.
            let modifier = if self.is_captured(variable) {
                "final "
            } else {
                ""
            };
            self.body
                .lines
                .push(format!("{modifier}{written} {name} = {text};"));
            if self.is_left(index) {
                self.body
                    .lines
                    .push(format!("{name}.toFile().deleteOnExit();"));
            }
            self.names.push(name.clone());
            for assertion in assertions {
                self.assert(assertion, &name);
            }
            return;
        }
        self.names.push(String::new());
        let is_effect = matches!(
            statement,
            Statement::Call { .. } | Statement::SetField { .. }
        );
        if let Some(assertion) = assertions.first().filter(|_| !is_void) {
            let text = self.expression(index);
            self.assert(assertion, &text);
        } else if is_effect {
            let text = self.expression(index);
            self.body.lines.push(format!("{text};"));
        }
    }

    /// True for an observer that is there only for what the next one asks: `order.getCustomer()` in
    /// `order.getCustomer().getName()`.
    fn is_link(&self, index: usize, uses: usize, assertions: &[&Assertion]) -> bool {
        let statements = self.sequence.statements();
        let next = statements[index + 1..]
            .iter()
            .find(|statement| !matches!(statement, Statement::Value(_)));
        let is_asked_next = matches!(next, Some(Statement::Call { receiver: Some(receiver), .. })
            if receiver.index() == index);
        index >= self.length
            && uses == 1
            && assertions.is_empty()
            && is_asked_next
            && matches!(statements[index], Statement::Call { .. })
    }

    /// True for what stands inside the call that it is made for.
    fn is_part(&self, index: usize, uses: usize, assertions: &[&Assertion], text: &str) -> bool {
        let is_short = match self.parts[index] {
            Part::None => false,
            Part::Value => text.chars().count() <= LONGEST,
            Part::Object => true,
        };
        is_short && uses == 1 && assertions.is_empty() && !self.is_left(index)
    }

    /// True if a stub that has to be an anonymous class returns the variable.
    fn is_captured(&self, variable: Variable) -> bool {
        self.style.language_level < 8
            && self.sequence.statements().iter().any(|statement| {
                matches!(statement, Statement::Stub { answers, .. } if answers.contains(&Some(variable)))
            })
    }

    /// The statement that throws, asserted to do so.
    fn throwing(&mut self, index: usize, class: &str) -> Option<()> {
        let mut exception = expected_exception(self.program, self.package, class)?;
        let has_lambda = self.style.language_level >= 8;
        let knows_assert_throws = self.style.framework != TestFramework::Junit4Early;
        let before = self.body.throws;
        let text = self.expression(index);
        if has_lambda && knows_assert_throws {
            // The lambda may throw anything.
            self.body.throws = before;
            let exception = self.imports.class(&exception);
            self.body.asserts.insert("assertThrows");
            let throws = format!("assertThrows({exception}.class, () -> {text});");
            if self.told.is_empty() {
                self.body.lines.push(throws);
            } else {
                let name = self.scope.claim("exception");
                self.body
                    .lines
                    .push(format!("{exception} {name} = {throws}"));
                self.first_asserted = Some(self.body.lines.len());
                let told = self.told_by(&name);
                self.body.lines.extend(told);
            }
            return Some(());
        }
        let is_named = self.may_catch(index, &exception);
        if !is_named {
            exception = "java/lang/Exception".into();
        }
        let simple = crate::variables::simple_name(self.program, &exception);
        let exception = self.imports.class(&exception);
        self.body.asserts.insert("fail");
        self.body.lines.extend([
            "try {".to_owned(),
            format!("  {text};"),
            format!("  fail(\"expected {simple}\");"),
            format!("}} catch ({exception} expected) {{"),
        ]);
        if !is_named {
            self.told = &[];
        }
        if self.told.is_empty() {
            let comment = "  // This is what should happen.".to_owned();
            self.body.lines.push(comment);
        }
        let told = self.told_by("expected");
        let told = told.into_iter().map(|line| format!("  {line}"));
        self.body.lines.extend(told);
        self.body.lines.push("}".to_owned());
        Some(())
    }

    /// The lines that ask an exception.
    fn told_by(&mut self, name: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for one in self.told {
            let (asked, declared) = match one.getter {
                None => ("getMessage", Type::object("java/lang/String")),
                Some(getter) => {
                    let method = self.program.method(getter);
                    (&*method.name, method.method_type.returns.clone())
                }
            };
            let actual = format!("{name}.{asked}()");
            let (name, arguments) = self.comparison(&one.expected, &actual, &declared);
            self.body.asserts.insert(name);
            lines.push(format!("{name}({arguments});"));
        }
        lines
    }

    /// A checked exception may only be caught where it can be thrown.
    fn may_catch(&self, index: usize, exception: &str) -> bool {
        if is_unchecked(self.program, exception) || exception == "java/lang/Exception" {
            return true;
        }
        let Statement::Call { method, .. } = &self.sequence.statements()[index] else {
            return false;
        };
        let Some(exception) = self.program.class_named(exception) else {
            return false;
        };
        self.program.method(*method).exceptions.iter().any(|name| {
            self.program.class_named(name).is_some_and(|declared| {
                self.program.is_subclass(exception, declared)
                    || self.program.is_subclass(declared, exception)
            })
        })
    }

    fn is_constant(&self, variable: Variable) -> bool {
        matches!(
            self.sequence.statements()[variable.index()],
            Statement::Value(_)
        ) && self
            .names
            .get(variable.index())
            .is_some_and(|name| !name.is_empty())
    }

    fn is_inline(&self, value: &Value, variable: Variable, uses: usize) -> bool {
        let (program, sequence) = (self.program, self.sequence);
        if uses <= 1 {
            return true;
        }
        let has_roles = || has_several_roles(program, sequence, variable);
        let is_named = || parameter_name(program, sequence, variable).is_some();
        match value {
            Value::Text(text) => match text.chars().count() {
                0..8 => true,
                8..24 => !is_named() || has_roles(),
                24..LONGEST => has_roles(),
                _ => false,
            },
            Value::Int(-99..=99) => true,
            Value::Long(_) | Value::Float(_) | Value::Double(_) | Value::Int(_) => {
                !is_named() || has_roles()
            }
            _ => true,
        }
    }

    fn note_serializable(&mut self, interface: ClassId) {
        let serializable = self.program.class_named("java/io/Serializable");
        if serializable
            .is_some_and(|serializable| self.program.is_subclass(interface, serializable))
        {
            self.body.suppressed.insert("serial");
        }
    }

    fn note_deprecated(&mut self, method: &Method, receiver: Option<Variable>) {
        let seen =
            receiver.and_then(
                |receiver| match erased(&self.typing.declared[receiver.index()]) {
                    Type::Object(name) => self.program.class_named(&name),
                    _ => None,
                },
            );
        let overriding = seen
            .and_then(|class| {
                self.program
                    .find_method(class, &method.name, &method.descriptor)
            })
            .filter(|&id| self.program.method(id).is_deprecated);
        let class = self.program.class(method.class);
        let of_class = class
            .annotations
            .iter()
            .any(|name| &**name == "java/lang/Deprecated");
        if method.is_deprecated || overriding.is_some() || of_class {
            self.body.suppressed.insert("deprecation");
            let annotations = [&method.annotations, &class.annotations];
            let overridden = overriding.map(|id| &self.program.method(id).annotations);
            let mut all = annotations.into_iter().chain(overridden).flatten();
            if class.origin != Origin::Subject || all.any(|name| &**name == FOR_REMOVAL) {
                self.body.suppressed.insert("removal");
            }
        }
    }

    fn note_throws(&mut self, method: &Method) {
        for name in &method.exceptions {
            if is_unchecked(self.program, name) {
                continue;
            }
            let wanted = match self.program.class_named(name) {
                Some(id) if is_named(self.program, id, "java/lang/Exception") => "Exception",
                _ => "Throwable",
            };
            if self.body.throws != Some("Throwable") {
                self.body.throws = Some(wanted);
            }
        }
    }

    /// True for a zero that JUnit 4 does not tell from its negative.
    fn is_vague_zero(&self, value: &Value, declared: &Type) -> bool {
        let is_zero = match value {
            Value::Float(bits) => bits << 1 == 0,
            Value::Double(bits) => bits << 1 == 0,
            _ => false,
        };
        is_zero && declared.is_primitive() && self.style.framework != TestFramework::Jupiter
    }

    fn assert(&mut self, assertion: &Assertion, actual: &str) {
        let declared = erased(&self.typing.declared[assertion.statement as usize]);
        let (name, arguments) = self.comparison(&assertion.expected, actual, &declared);
        let is_last = self.assertions.last() == Some(assertion);
        let arguments = match self.message.filter(|_| is_last).map(crate::literal::text) {
            None => arguments,
            Some(message) if self.style.framework == TestFramework::Jupiter => {
                format!("{arguments}, {message}")
            }
            Some(message) => format!("{message}, {arguments}"),
        };
        self.body.asserts.insert(name);
        self.first_asserted.get_or_insert(self.body.lines.len());
        self.body.lines.push(format!("{name}({arguments});"));
    }

    /// The assertion method that compares an expression with what is expected, and its arguments.
    fn comparison(
        &mut self,
        expected: &Expected,
        actual: &str,
        declared: &Type,
    ) -> (&'static str, String) {
        let earlier = expected
            .mentions()
            .map(|earlier| self.names[earlier.index()].clone())
            .unwrap_or_default();
        match expected {
            Expected::Made(made) => self.equal_to_made(made, actual, declared),
            Expected::Null => ("assertNull", actual.to_owned()),
            Expected::NotNull => ("assertNotNull", actual.to_owned()),
            Expected::Same(_) => ("assertSame", format!("{earlier}, {actual}")),
            Expected::NotSame(_) => ("assertNotSame", format!("{earlier}, {actual}")),
            Expected::EqualTo(_) => ("assertEquals", format!("{earlier}, {actual}")),
            Expected::ZeroIf(_) => ("assertEquals", format!("{earlier}, {actual} == 0")),
            Expected::OppositeOf(_) => {
                let integer = self.imports.class("java/lang/Integer");
                let arguments = format!("-{integer}.signum({earlier}), {integer}.signum({actual})");
                ("assertEquals", arguments)
            }
            Expected::Equal(Value::Boolean(value))
                if matches!(declared, Type::Boolean)
                    || *declared == Type::object("java/lang/Boolean") =>
            {
                let name = if *value { "assertTrue" } else { "assertFalse" };
                (name, actual.to_owned())
            }
            Expected::Equal(value) if self.is_vague_zero(value, declared) => {
                // A delta of 0 takes 0.0 and -0.0 for the same.
                let expected = self.value(value);
                let boxed = match declared {
                    Type::Float => "java/lang/Float",
                    _ => "java/lang/Double",
                };
                let boxed = self.imports.class(boxed);
                let compared = format!("0, {boxed}.compare({expected}, {actual})");
                ("assertEquals", compared)
            }
            Expected::Equal(value @ (Value::Float(_) | Value::Double(_)))
                if declared.is_primitive() && self.style.framework != TestFramework::Jupiter =>
            {
                let delta = if *declared == Type::Float {
                    "0.0f"
                } else {
                    "0.0"
                };
                let expected = self.value(value);
                ("assertEquals", format!("{expected}, {actual}, {delta}"))
            }
            Expected::Equal(value) => {
                let expected = match (value, declared.is_primitive()) {
                    (Value::Byte(value), true) => value.to_string(),
                    (Value::Short(value), true) => value.to_string(),
                    _ => self.value(value),
                };
                // With both a primitive and a box the overloads of assertEquals are ambiguous.
                let expected = match value.plain_type().and_then(|plain| plain.box_name()) {
                    Some(name) if *declared == Type::object(name) => {
                        format!("{}.valueOf({expected})", self.imports.class(name))
                    }
                    _ => expected,
                };
                ("assertEquals", format!("{expected}, {actual}"))
            }
        }
    }
}

fn is_named(program: &Program, class: ClassId, name: &str) -> bool {
    program
        .class_named(name)
        .is_some_and(|ancestor| program.is_subclass(class, ancestor))
}
