//! Names of test methods: `{method}_{when}_{then}`, such as `capacity_afterAdd_isThree`.
//!
//! Comes in: a sequence, the statement under test, its outcome and assertions. Goes out: an identifier that says what
//! is called, what is special about the call, and what comes of it.
//! Does not know: Java text beyond identifiers.

use crate::assertion::{Assertion, Expected};
use crate::file_calls::asked_file;
use crate::variables::{capitalised, lower_camel, simple_name};
use palus_bytecode::{MethodId, Program, Type};
use palus_sequence::{End, Observation, Run, Statement, Value, Variable, recorded};
use std::collections::BTreeSet;

/// Longer names are cut.
const LONGEST: usize = 80;

/// Gives out names that are unique within a class.
#[derive(Debug, Default)]
pub(crate) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Names that are not given out any more.
    pub(crate) fn taken(taken: BTreeSet<String>) -> Names {
        Names { taken }
    }

    /// A unique name for a test of the statement at `under_test`.
    pub(crate) fn claim(
        &mut self,
        program: &Program,
        is_pure: &dyn Fn(MethodId) -> bool,
        run: &Run,
        under_test: usize,
        assertions: &[Assertion],
    ) -> String {
        let subject = Subject {
            program,
            is_pure,
            run,
            under_test,
        };
        let method = subject.method();
        let then = subject.then(assertions);
        let mut whens = subject.whens().into_iter();
        let mut when = whens.next().unwrap_or_default();
        loop {
            let name = joined(&method, &when, &then);
            if self.taken.insert(name.clone()) {
                return name;
            }
            // A further telling word before a number.
            match whens.next() {
                Some(more) if when.is_empty() => when = lower_camel(&more),
                Some(more) => when = format!("{when}{}", capitalised(&more)),
                None => break,
            }
        }
        let name = joined(&method, &when, &then);
        (2..=u32::MAX)
            .map(|count| format!("{name}_{count}"))
            .find(|name| self.taken.insert(name.clone()))
            .expect("there are more numbers than tests")
    }
}

fn joined(method: &str, when: &str, then: &str) -> String {
    let parts: Vec<&str> = [method, when, then]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    let mut name: String = parts
        .join("_")
        .chars()
        .filter(|one| one.is_ascii_alphanumeric() || *one == '_')
        .collect();
    if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
        name = format!("call_{name}");
    }
    if name.len() > LONGEST {
        let room = LONGEST.saturating_sub(then.len() + 1).max(20);
        let front: String = name.chars().take(room).collect();
        name = format!("{}_{then}", front.trim_end_matches('_'));
        name.truncate(LONGEST + 20);
    }
    name
}

struct Subject<'a> {
    program: &'a Program,
    is_pure: &'a dyn Fn(MethodId) -> bool,
    run: &'a Run,
    under_test: usize,
}

impl Subject<'_> {
    fn statement(&self) -> &Statement {
        &self.run.sequence.statements()[self.under_test]
    }

    fn method(&self) -> String {
        self.method_of(self.statement())
    }

    fn method_of(&self, statement: &Statement) -> String {
        match statement {
            Statement::Call { method, .. } => {
                let method = self.program.method(*method);
                if method.is_constructor() {
                    format!(
                        "new{}",
                        capitalised(&simple_name(
                            self.program,
                            &self.program.class(method.class).name
                        ))
                    )
                } else {
                    method.name.to_string()
                }
            }
            Statement::GetField { field, .. } => self.program.field(*field).name.to_string(),
            Statement::SetField { field, .. } => {
                format!("set{}", capitalised(&self.program.field(*field).name))
            }
            _ => "value".into(),
        }
    }

    /// Descriptions of the situation, most telling first.
    fn whens(&self) -> Vec<String> {
        let Statement::Call {
            method,
            receiver,
            arguments,
        } = self.statement()
        else {
            return Vec::new();
        };
        let mut whens = Vec::new();
        let special: Vec<&str> = arguments
            .iter()
            .filter_map(|&argument| self.special(argument))
            .collect();
        if let Some(first) = special.first() {
            whens.push(format!("with{first}"));
        }
        if let Some(receiver) = receiver {
            let earlier = self.earlier_calls(*receiver);
            let calls: Vec<String> = earlier
                .iter()
                .rev()
                .map(|&index| capitalised(&self.call_at(index)))
                .collect();
            match calls.as_slice() {
                [] => {
                    let made_here = matches!(&self.run.sequence.statements()[receiver.index()],
                        Statement::Call { method, .. } if self.program.method(*method).is_constructor());
                    let constant = self.constant(*receiver);
                    let object = constant.unwrap_or_else(|| self.class_of(*receiver));
                    whens.push(format!("on{}{object}", if made_here { "New" } else { "" }));
                    whens.extend(self.made_with(*receiver));
                }
                [last, more @ ..] => {
                    whens.push(format!("after{last}"));
                    whens.extend(more.iter().take(2).map(|call| format!("and{call}")));
                    whens.extend(self.made_with(*receiver));
                }
            }
        }
        whens.extend(special.iter().skip(1).map(|word| format!("and{word}")));
        if whens.is_empty() && !arguments.is_empty() {
            whens.push(format!("with{}", self.argument(arguments[0])));
            whens.extend(
                arguments[1..]
                    .iter()
                    .map(|&argument| format!("and{}", self.argument(argument))),
            );
        } else {
            whens.extend(
                arguments
                    .iter()
                    .map(|&argument| format!("with{}", self.argument(argument))),
            );
        }
        let parameters = &self.program.method(*method).method_type.parameters;
        if !parameters.is_empty() {
            let types: Vec<String> = parameters
                .iter()
                .map(|parameter| self.type_word(parameter))
                .collect();
            whens.push(format!("for{}", types.join("And")));
        }
        whens
    }

    /// The word for a constant of an enum: `OffPeak`.
    fn constant(&self, variable: Variable) -> Option<String> {
        match &self.run.sequence.statements()[variable.index()] {
            Statement::Value(value @ Value::EnumConstant { .. }) => value_word(value),
            _ => None,
        }
    }

    /// Name of a call; a constructor counts as what it makes.
    fn call_at(&self, index: usize) -> String {
        self.method_of(&self.run.sequence.statements()[index])
    }

    /// Calls that may change the object before the statement under test, in order.
    fn earlier_calls(&self, object: Variable) -> Vec<usize> {
        let statements = self.run.sequence.statements();
        (object.index() + 1..self.under_test)
            .filter(|&index| match &statements[index] {
                Statement::Call { method, .. } if (self.is_pure)(*method) => false,
                Statement::Call {
                    receiver: Some(receiver),
                    ..
                } => *receiver == object,
                Statement::Call {
                    method, arguments, ..
                } => arguments.contains(&object) && !self.program.method(*method).is_constructor(),
                Statement::SetField { receiver, .. } => *receiver == Some(object),
                _ => false,
            })
            .collect()
    }

    fn made_with(&self, object: Variable) -> Option<String> {
        match &self.run.sequence.statements()[object.index()] {
            Statement::Call { arguments, .. } => {
                let first = arguments.first()?;
                Some(format!("of{}", self.argument(*first)))
            }
            _ => None,
        }
    }

    fn special(&self, argument: Variable) -> Option<&'static str> {
        let statement = &self.run.sequence.statements()[argument.index()];
        let Statement::Value(value) = statement else {
            return match statement {
                Statement::NewArray { elements, .. } if elements.is_empty() => Some("EmptyArray"),
                _ => None,
            };
        };
        Some(match value {
            Value::Null(_) => "Null",
            Value::Text(text) if text.is_empty() => "EmptyString",
            Value::Text(text) if text.trim().is_empty() => "Blank",
            Value::Byte(number) if *number < 0 => "Negative",
            Value::Short(number) if *number < 0 => "Negative",
            Value::Int(number) if *number < 0 => "Negative",
            Value::Long(number) if *number < 0 => "Negative",
            Value::Int(0) | Value::Long(0) | Value::Short(0) | Value::Byte(0) => "Zero",
            Value::Float(bits) if f32::from_bits(*bits).is_nan() => "NaN",
            Value::Double(bits) if f64::from_bits(*bits).is_nan() => "NaN",
            Value::Float(bits) if f32::from_bits(*bits) < 0.0 => "Negative",
            Value::Double(bits) if f64::from_bits(*bits) < 0.0 => "Negative",
            _ => return None,
        })
    }

    fn argument(&self, argument: Variable) -> String {
        if let Some(special) = self.special(argument) {
            return special.into();
        }
        match &self.run.sequence.statements()[argument.index()] {
            Statement::Value(value) => value_word(value).unwrap_or_else(|| self.class_of(argument)),
            _ => self.class_of(argument),
        }
    }

    fn class_of(&self, variable: Variable) -> String {
        self.type_word(&self.run.sequence.type_of(self.program, variable))
    }

    fn type_word(&self, of: &Type) -> String {
        match of {
            Type::Object(name) => capitalised(&simple_name(self.program, name)),
            Type::Array(element) => format!("{}Array", self.type_word(element)),
            primitive => capitalised(crate::imports::keyword(primitive)),
        }
    }

    fn then(&self, assertions: &[Assertion]) -> String {
        if let End::Threw(thrown) = &self.run.outcome.end {
            let simple = simple_name(self.program, &thrown.class);
            let short = simple
                .strip_suffix("Exception")
                .filter(|short| !short.is_empty())
                .unwrap_or(&simple);
            return format!("throws{}", capitalised(short));
        }
        let own = assertions
            .iter()
            .find(|assertion| assertion.statement as usize == self.under_test);
        if let Some(own) = own {
            return self.result(&own.expected);
        }
        if let Some(first) = assertions
            .iter()
            .find(|assertion| assertion.statement as usize > self.under_test)
        {
            return self.effect(first);
        }
        match self.run.outcome.observations.get(self.under_test) {
            Some(Observation::Object { .. }) if !self.method().starts_with("new") => {
                format!("returns{}", self.class_of(Variable(self.under_test as u32)))
            }
            _ => "completes".into(),
        }
    }

    fn result(&self, expected: &Expected) -> String {
        match expected {
            Expected::Null => "returnsNull".into(),
            Expected::NotNull => {
                format!("returns{}", self.class_of(Variable(self.under_test as u32)))
            }
            Expected::Same(earlier) => {
                let is_receiver = matches!(self.statement(), Statement::Call { receiver, .. } if receiver == &Some(*earlier));
                if is_receiver {
                    "returnsItself".into()
                } else {
                    format!("returnsSame{}", self.class_of(*earlier))
                }
            }
            Expected::Equal(Value::Boolean(value)) => if *value {
                "returnsTrue"
            } else {
                "returnsFalse"
            }
            .into(),
            Expected::Equal(Value::Text(text)) => {
                let word = text_word(text).unwrap_or_else(|| "Text".into());
                format!("returns{word}")
            }
            Expected::Equal(value @ Value::EnumConstant { .. }) => {
                format!("returns{}", value_word(value).unwrap_or_default())
            }
            Expected::Made(made) => {
                let empty = if made.is_empty() { "Empty" } else { "" };
                let class = self.class_of(Variable(self.under_test as u32));
                format!("returns{empty}{class}")
            }
            Expected::Equal(value) => {
                value_word(value).map_or_else(|| "returnsValue".into(), |word| format!("is{word}"))
            }
            Expected::NotSame(_)
            | Expected::EqualTo(_)
            | Expected::OppositeOf(_)
            | Expected::ZeroIf(_) => "holds".into(),
        }
    }

    /// What an observer says of a file in the test's folder.
    fn effect_on_file(&self, assertion: &Assertion) -> Option<String> {
        let sequence = &self.run.sequence;
        let asked = sequence.statements().get(assertion.statement as usize)?;
        let name = asked_file(self.program, sequence, asked)?;
        let verb = match &assertion.expected {
            Expected::Equal(Value::Boolean(true)) => "makes",
            Expected::Equal(Value::Boolean(false)) => "deletes",
            _ => "writes",
        };
        let file = text_word(name).unwrap_or_else(|| "File".into());
        Some(format!("{verb}{file}"))
    }

    /// What the calls that a stub was given say.
    fn effect_on_stub(&self, assertion: &Assertion) -> Option<String> {
        let sequence = &self.run.sequence;
        let asked = sequence.statements().get(assertion.statement as usize)?;
        let calls = recorded(self.program, sequence);
        let (method, _) = calls
            .into_iter()
            .find(|(_, list)| asked.uses().contains(list))?;
        Some(format!(
            "calls{}",
            capitalised(&self.program.method(method).name)
        ))
    }

    /// What an observer says after a call that returns nothing of its own.
    fn effect(&self, assertion: &Assertion) -> String {
        if let Some(effect) = self.effect_on_stub(assertion) {
            return effect;
        }
        if let Some(effect) = self.effect_on_file(assertion) {
            return effect;
        }
        let observer = lower_camel(&self.call_at(assertion.statement as usize));
        let bare = observer
            .strip_prefix("get")
            .filter(|rest| !rest.is_empty())
            .map_or(observer.clone(), lower_camel);
        match &assertion.expected {
            Expected::Equal(Value::Boolean(true))
                if bare.starts_with("is") || bare.starts_with("has") =>
            {
                bare
            }
            Expected::Equal(Value::Boolean(false)) if bare.starts_with("is") => {
                format!("isNot{}", &bare[2..])
            }
            Expected::Equal(Value::Boolean(value)) => {
                format!("{bare}Is{}", if *value { "True" } else { "False" })
            }
            Expected::Equal(Value::Text(text)) => {
                format!(
                    "{bare}Is{}",
                    text_word(text).unwrap_or_else(|| "Text".into())
                )
            }
            Expected::Equal(value) => format!(
                "{bare}Is{}",
                value_word(value).unwrap_or_else(|| "Value".into())
            ),
            Expected::Null => format!("{bare}IsNull"),
            Expected::Made(made) if made.is_empty() => format!("{bare}IsEmpty"),
            Expected::Made(_) => format!("{bare}IsValue"),
            _ => format!("{bare}IsSet"),
        }
    }
}

/// A capitalised word for a constant, where there is a short one.
pub(crate) fn value_word(value: &Value) -> Option<String> {
    match value {
        Value::Boolean(value) => Some(if *value { "True" } else { "False" }.into()),
        Value::Byte(number) => Some(number_word(i64::from(*number))),
        Value::Short(number) => Some(number_word(i64::from(*number))),
        Value::Int(number) => Some(number_word(i64::from(*number))),
        Value::Long(number) => Some(number_word(*number)),
        Value::Char(unit) => {
            let character = char::from_u32(u32::from(*unit))?;
            character
                .is_ascii_alphanumeric()
                .then(|| character.to_uppercase().to_string())
        }
        Value::Float(bits) => float_word(f64::from(f32::from_bits(*bits))),
        Value::Double(bits) => float_word(f64::from_bits(*bits)),
        Value::Text(text) => text_word(text),
        Value::EnumConstant { name, .. } => Some(
            name.split('_')
                .map(|part| capitalised(&part.to_lowercase()))
                .collect(),
        ),
        _ => None,
    }
}

fn number_word(number: i64) -> String {
    const SMALL: [&str; 13] = [
        "Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
        "Eleven", "Twelve",
    ];
    let small = usize::try_from(number.unsigned_abs())
        .ok()
        .and_then(|number| SMALL.get(number));
    match (small, number < 0) {
        (Some(word), false) => (*word).into(),
        (Some(word), true) => format!("Minus{word}"),
        (None, false) => number.to_string(),
        (None, true) => format!("Minus{}", number.unsigned_abs()),
    }
}

fn float_word(number: f64) -> Option<String> {
    if number.is_nan() {
        return Some("NaN".into());
    }
    let is_whole = number.abs() < 1e9 && number.fract().abs() < f64::EPSILON;
    if is_whole {
        Some(number_word(number as i64))
    } else {
        None
    }
}

pub(crate) fn text_word(text: &str) -> Option<String> {
    if text.is_empty() {
        return Some("EmptyString".into());
    }
    let words: Vec<&str> = text
        .split(|one: char| !one.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let word: String = words.iter().map(|word| capitalised(word)).collect();
    (word.len() <= 20
        && words.len() <= 3
        && word.starts_with(|first: char| first.is_ascii_alphabetic()))
    .then_some(word)
}
