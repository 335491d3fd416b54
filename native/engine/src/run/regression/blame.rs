//! Which method a failing line of a test is about.
//!
//! Comes in: the text of the test's file and the line that failed. Goes out: the class and the method that the line calls,
//! and where it stands; of an asserted variable the call that it got its value from.
//! Classes are read from the class folders as they are needed: what these do not have is never named.
//! Does not know: how the test failed.

mod classes;
mod expression;

pub(super) use classes::Classes;

use super::null::Null;
use crate::write::earlier::blanked;
use expression::{Expression, assignment, end, is_name, parts};
use palus_bytecode::internal_name;
use palus_report::SourcePlace;
use std::cell::Cell;
use std::ops::Range;

/// What a line is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Blamed {
    /// In source form.
    pub(super) class: String,
    /// A constructor has the name of its class.
    pub(super) method: String,
    pub(super) is_constructor: bool,
    /// None where the sources were not found.
    pub(super) place: Option<SourcePlace>,
}

/// Statements that are looked at before one that calls nothing.
const BACK: usize = 8;
/// Expressions that are looked at for one line: enough for whatever somebody wrote, and an end where a file was made to
/// have none.
const MOST_EXPRESSIONS: u32 = 1000;

/// A file with tests, to be asked about its lines.
pub(super) struct Blame<'c> {
    /// Without comments and literals.
    text: String,
    classes: &'c Classes<'c>,
}

impl<'c> Blame<'c> {
    pub(super) fn new(text: &str, classes: &'c Classes<'c>) -> Self {
        Blame {
            text: blanked(text),
            classes,
        }
    }

    /// What a line is about where more than one call gave what it asserts, as `total` and `amount` do in
    /// `order.total().amount()`: a call of a class that differs, rather than one of a class that does not, and that which the
    /// test is named after. None where neither is known.
    pub(super) fn of_several(&self, lines: (u32, u32), line: u32, name: &str) -> Option<Blamed> {
        let left = Cell::new(MOST_EXPRESSIONS);
        let test = self.test(lines, &left);
        let (at, statement) = test.statement(self.offset(line), self.offset(line + 1))?;
        let mut givers = Vec::new();
        test.givers(assignment(statement).unwrap_or(statement), at, &mut givers);
        let is_known = givers.iter().any(|one| self.classes.differs(one));
        if is_known {
            givers.retain(|one| self.classes.differs(one));
        }
        // What a call gave says less of what made its object.
        if givers.iter().any(|one| !one.is_constructor) {
            givers.retain(|one| !one.is_constructor);
        }
        let is_named = |one: &&Blamed| match name.strip_prefix("new") {
            Some(made) if one.is_constructor => one.method == made,
            _ => one.method == name,
        };
        let named = givers.iter().find(is_named).cloned();
        named.or_else(|| givers.into_iter().next().filter(|_| is_known))
    }

    /// What a line is about; `lines` are the first and the last one of its test, from 1.
    pub(super) fn of(&self, lines: (u32, u32), line: u32) -> Option<Blamed> {
        let left = Cell::new(MOST_EXPRESSIONS);
        let test = self.test(lines, &left);
        let (at, statement) = test.statement(self.offset(line), self.offset(line + 1))?;
        test.of_statement(statement, at)
    }

    /// The call of a method that stands nearest before a line which calls nothing of the subject, as one that asks what a
    /// stub was called with.
    pub(super) fn called(&self, lines: (u32, u32), line: u32, name: &str) -> Option<Blamed> {
        let left = Cell::new(MOST_EXPRESSIONS);
        let test = self.test(lines, &left);
        let (at, _) = test.statement(self.offset(line), self.offset(line + 1))?;
        test.before(at, |found| found.method == name)
    }

    /// The method that gave the null with which a line fails, where that is known.
    pub(super) fn of_null(&self, lines: (u32, u32), line: u32, null: &Null<'_>) -> Option<Blamed> {
        let held = match *null {
            Null::Returned(class, name) => {
                return self.classes.method(&internal_name(class), name, &[]);
            }
            Null::Held(held) => held,
        };
        let left = Cell::new(MOST_EXPRESSIONS);
        let test = self.test(lines, &left);
        let (at, statement) = test.statement(self.offset(line), self.offset(line + 1))?;
        let value = assignment(statement).unwrap_or(statement);
        test.giver(value, at, held)
    }

    /// The test with these first and last lines, and so many expressions left to look at.
    fn test<'t>(&'t self, lines: (u32, u32), left: &'t Cell<u32>) -> InTest<'t> {
        InTest {
            text: &self.text,
            begin: self.offset(lines.0),
            classes: self.classes,
            left,
        }
    }

    /// The class of that name in this file, by its imports and its package, where the class folders have it.
    pub(super) fn class_named(&self, name: &str) -> Option<String> {
        class_named(&self.text, name, self.classes)
    }

    /// The whole name of a class that is gone: by its import, else in the file's package.
    pub(super) fn gone(&self, name: &str) -> String {
        let end = format!(".{name}");
        let imported = imports(&self.text).find(|import| import.ends_with(&end));
        imported.map_or_else(|| in_package(&self.text, name), str::to_owned)
    }

    fn offset(&self, line: u32) -> usize {
        let before = self.text.split_inclusive('\n');
        let before = before.take(line.saturating_sub(1) as usize);
        before.map(str::len).sum()
    }
}

/// A test, with its file around it.
#[derive(Clone, Copy)]
struct InTest<'t> {
    text: &'t str,
    begin: usize,
    classes: &'t Classes<'t>,
    /// Expressions that may still be looked at.
    left: &'t Cell<u32>,
}

impl<'t> InTest<'t> {
    /// What an expression is, while there is one left to look at.
    fn taken_apart(self, text: &'t str) -> Expression<'t> {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left == 0 {
            return Expression::Other;
        }
        Expression::of(text)
    }

    /// The statement that a line belongs to.
    fn statement(self, from: usize, to: usize) -> Option<(usize, &'t str)> {
        let line = self.text.get(from..to)?;
        let mut at = from + line.len() - line.trim_start().len();
        let front = self.text[self.begin..at].trim_end();
        if !front.ends_with([';', '{', '}']) {
            at = self.begin + front.rfind([';', '{', '}'])? + 1;
        }
        let rest = &self.text[at..];
        let statement = &rest[..end(rest)];
        Some((at, statement.trim()))
    }

    fn of_statement(self, statement: &'t str, at: usize) -> Option<Blamed> {
        let statement = statement.trim();
        if fails(statement) {
            return self.before(at, |_| true);
        }
        let value = assignment(statement).unwrap_or(statement);
        self.of_expression(value, at)
    }

    /// What the nearest statement before is about, of those that are wanted.
    fn before(self, at: usize, is_wanted: impl Fn(&Blamed) -> bool) -> Option<Blamed> {
        let mut at = at;
        for _ in 0..BACK {
            let front = &self.text[self.begin..at];
            let front = front.trim_end_matches(|one: char| one.is_whitespace() || one == '}');
            let front = front.strip_suffix(';')?;
            let start = self.begin + front.rfind([';', '{', '}'])? + 1;
            let statement = &self.text[start..self.begin + front.len()];
            at = start;
            if fails(statement) {
                continue;
            }
            let found = self.of_statement(statement, start).filter(&is_wanted);
            if found.is_some() {
                return found;
            }
        }
        None
    }

    /// The call that gives the value of an expression which stands at a place.
    fn of_expression(self, text: &'t str, at: usize) -> Option<Blamed> {
        match self.taken_apart(text) {
            Expression::New { class, arguments } => {
                let class = self.class_named(class);
                let made = class.and_then(|class| self.classes.constructor(&class, &arguments));
                made.or_else(|| self.of_any(&arguments, at))
            }
            Expression::Call {
                receiver,
                name,
                arguments,
            } => {
                let is_assert = receiver
                    .is_none_or(|one| one.ends_with("Assert") || one.ends_with("Assertions"));
                if is_assert && name.starts_with("assert") {
                    return self.of_assertion(&arguments, at);
                }
                let class = receiver.and_then(|receiver| self.class_of(receiver, at));
                let called = class.as_ref();
                let called = called.and_then(|class| self.classes.method(class, name, &arguments));
                // What an object inherits from elsewhere tells of the call that gave it, not of its constructor.
                let is_ours = class.is_some_and(|class| self.classes.has(&class));
                let of_receiver = || {
                    let found = self.of_expression(receiver?, at)?;
                    (!is_ours || !found.is_constructor).then_some(found)
                };
                called
                    .or_else(of_receiver)
                    .or_else(|| self.of_any(&arguments, at))
            }
            Expression::Name(name) => self.of_variable(name, at),
            Expression::Cast { value, .. } => self.of_expression(value, at),
            Expression::Lambda(body) => match body.strip_prefix('{') {
                Some(block) => {
                    let block = block.trim_end().strip_suffix('}')?.trim_end();
                    let end = block.strip_suffix(';')?;
                    let start = end.rfind([';', '{', '}']).map_or(0, |at| at + 1);
                    self.of_statement(&end[start..], at)
                }
                None => self.of_expression(body, at),
            },
            Expression::Operation(operands) => self.of_any(&operands, at),
            Expression::Field { .. } | Expression::Other => None,
        }
    }

    /// All calls that had a part in the value of an expression, the last one first.
    fn givers(self, text: &'t str, at: usize, found: &mut Vec<Blamed>) {
        match self.taken_apart(text) {
            Expression::Call {
                receiver,
                name,
                arguments,
            } if receiver.is_none() && name.starts_with("assert") => {
                let asserted = arguments.iter().take(2).rev();
                asserted.for_each(|one| self.givers(one, at, found));
            }
            Expression::Call { receiver, .. } => {
                let class = receiver.and_then(|receiver| self.class_of(receiver, at));
                if class.is_some_and(|class| self.classes.has(&class)) {
                    let called = self.of_expression(text, at);
                    found.extend(called.filter(|one| !found.contains(one)));
                }
                if let Some(receiver) = receiver {
                    self.givers(receiver, at, found);
                }
            }
            Expression::New { .. } => {
                let made = self.of_expression(text, at);
                found.extend(made.filter(|one| !found.contains(one)));
            }
            Expression::Cast { value, .. } => self.givers(value, at, found),
            Expression::Operation(operands) => {
                for one in operands {
                    self.givers(one, at, found);
                }
            }
            Expression::Name(name) => {
                if let Some((start, value)) = self.given(name, at) {
                    self.givers(value, start, found);
                }
            }
            Expression::Lambda(_) | Expression::Field { .. } | Expression::Other => {}
        }
    }

    /// The method that gave what a parameter of a call in this expression holds, or the variable that it is called on.
    fn giver(self, text: &'t str, at: usize, held: &str) -> Option<Blamed> {
        let given = |value: &'t str| {
            let found = self.of_expression(value, at)?;
            // A constructor gives no null.
            (!found.is_constructor).then_some(found)
        };
        match self.taken_apart(text) {
            Expression::New { class, arguments } => {
                let class = self.class_named(class);
                let place = class.and_then(|class| {
                    let name = "<init>";
                    self.classes.parameter(&class, name, &arguments, held)
                });
                match place {
                    Some(place) => given(arguments.get(place)?),
                    None => self.giver_of_any(&arguments, at, held),
                }
            }
            Expression::Call {
                receiver,
                name,
                arguments,
            } => {
                if let Some(receiver) = receiver.filter(|_| held.starts_with("<local")) {
                    return given(receiver);
                }
                let class = receiver.and_then(|receiver| self.class_of(receiver, at));
                let place =
                    class.and_then(|class| self.classes.parameter(&class, name, &arguments, held));
                match place {
                    Some(place) => given(arguments.get(place)?),
                    None => receiver
                        .and_then(|receiver| self.giver(receiver, at, held))
                        .or_else(|| self.giver_of_any(&arguments, at, held)),
                }
            }
            Expression::Cast { value, .. } => self.giver(value, at, held),
            Expression::Operation(operands) => self.giver_of_any(&operands, at, held),
            Expression::Lambda(_)
            | Expression::Name(_)
            | Expression::Field { .. }
            | Expression::Other => None,
        }
    }

    fn giver_of_any(self, texts: &[&'t str], at: usize, held: &str) -> Option<Blamed> {
        texts.iter().find_map(|text| self.giver(text, at, held))
    }

    /// Of an assertion: what it expects stands first, a message at either end. An object that it expects was made by the test,
    /// which tells nothing of its constructor.
    fn of_assertion(self, arguments: &[&'t str], at: usize) -> Option<Blamed> {
        let lambda = arguments.iter().find(|one| one.contains("->"));
        if let Some(lambda) = lambda {
            return self.of_expression(lambda, at);
        }
        let [expected, asserted, rest @ ..] = arguments else {
            return self.of_any(arguments, at);
        };
        let of_expected = || {
            let found = self.of_expression(expected, at)?;
            (!found.is_constructor).then_some(found)
        };
        self.of_expression(asserted, at)
            .or_else(of_expected)
            .or_else(|| self.of_any(rest, at))
    }

    fn of_any(self, texts: &[&'t str], at: usize) -> Option<Blamed> {
        texts.iter().find_map(|text| self.of_expression(text, at))
    }

    /// Where a variable is given its value before a place, and the expression of that.
    fn given(self, name: &str, at: usize) -> Option<(usize, &'t str)> {
        let mut places = self.places(name, at);
        places.find_map(|place| {
            let rest = &self.text[place.end..];
            let value = rest.trim_start().strip_prefix('=')?;
            (!value.starts_with('=')).then(|| (place.start, value[..end(value)].trim()))
        })
    }

    fn of_variable(self, name: &str, at: usize) -> Option<Blamed> {
        if let Some((start, value)) = self.given(name, at) {
            return self.of_expression(value, start);
        }
        // What a `catch` caught, the statements before it threw.
        let (declared, at) = self.declared(name, at)?;
        let is_caught = self.text[..at]
            .trim_end()
            .ends_with(&format!("catch ({declared}"));
        let catch = self.text[..at].rfind("catch")?;
        is_caught.then(|| self.before(catch, |_| true))?
    }

    /// Where a name stands before a place, the nearest first.
    fn places(self, name: &str, at: usize) -> impl Iterator<Item = Range<usize>> {
        let text = self.text;
        let begin = self.begin;
        let found = text[begin..at].rmatch_indices(name);
        let found = found.map(move |(from, _)| begin + from..begin + from + name.len());
        found.filter(move |place| {
            let before = text[..place.start].chars().next_back();
            let after = text[place.end..].chars().next();
            !before.is_some_and(|one| is_name(one) || one == '.') && !after.is_some_and(is_name)
        })
    }

    /// The declared type of a variable, and where its name stands then.
    fn declared(self, name: &str, at: usize) -> Option<(&'t str, usize)> {
        self.places(name, at).find_map(|place| {
            let front = &self.text[self.begin..place.start];
            let start = front
                .rfind([';', '{', '}', '(', '\n'])
                .map_or(0, |at| at + 1);
            let declared = front[start..].trim();
            let declared = declared.strip_prefix("final ").unwrap_or(declared).trim();
            let is_type =
                parts(declared).is_some() && !["return", "new", "throw"].contains(&declared);
            is_type.then_some((declared, place.start))
        })
    }

    /// The class that an expression has as its type, or names; its internal name.
    fn class_of(self, text: &'t str, at: usize) -> Option<String> {
        match self.taken_apart(text) {
            Expression::Name(name) => match self.declared(name, at) {
                Some(("var", place)) => {
                    let rest = self.text[place + name.len()..].trim_start();
                    let value = rest.strip_prefix('=')?;
                    self.class_of(value[..end(value)].trim(), place)
                }
                Some((declared, _)) => self.class_named(declared),
                None => self.class_named(name),
            },
            Expression::New { class, .. } | Expression::Cast { class, .. } => {
                self.class_named(class)
            }
            Expression::Call {
                receiver,
                name,
                arguments,
            } => {
                let class = self.class_of(receiver?, at)?;
                self.classes.returned(&class, name, &arguments)
            }
            Expression::Field { receiver, name } => self.class_named(text).or_else(|| {
                let class = self.class_of(receiver, at)?;
                self.classes.field(&class, name)
            }),
            _ => None,
        }
    }

    fn class_named(self, name: &str) -> Option<String> {
        class_named(self.text, name, self.classes)
    }
}

/// Whether a statement is there to fail where an exception was expected.
fn fails(statement: &str) -> bool {
    let statement = statement.trim_start();
    statement.starts_with("fail(") || statement.contains(".fail(")
}

fn imports(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("import "));
    lines.map(|import| import.trim_end().trim_end_matches(';').trim())
}

fn in_package(text: &str, name: &str) -> String {
    let package = text.lines().find_map(|line| line.strip_prefix("package "));
    package.map_or_else(
        || name.to_owned(),
        |package| format!("{}.{name}", package.trim().trim_end_matches(';').trim()),
    )
}

/// The internal name of a class that a text names: as a whole, by an import, in the package.
fn class_named(text: &str, name: &str, classes: &Classes<'_>) -> Option<String> {
    let name = name.split('<').next().unwrap_or(name).trim();
    if name.ends_with(']') {
        return None;
    }
    let (first, nested) = name
        .split_once('.')
        .map_or((name, ""), |(first, rest)| (first, rest));
    let whole = |outer: &str| match nested {
        "" => outer.to_owned(),
        nested => format!("{outer}.{nested}"),
    };
    let end = format!(".{first}");
    let imported = imports(text)
        .filter(|import| import.ends_with(&end))
        .map(whole);
    let on_demand = imports(text).filter_map(|import| import.strip_suffix(".*"));
    let on_demand = on_demand.map(|package| format!("{package}.{name}"));
    let mut all = imported
        .chain([in_package(text, name), name.to_owned()])
        .chain(on_demand);
    all.find_map(|name| classes.nested(&name))
}

#[cfg(test)]
mod tests;
