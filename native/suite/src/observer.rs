//! Observers: calls without side effects that show what the last call did.
//!
//! Comes in: a run that completed. Goes out: calls to append to its sequence, best first; then calls on what these gave,
//! where that is an object which no value compares with: `order.getCustomer().getName()`, `tokens.get(0).getText()`.
//! Source: Kiezun et al., "Generating Legal Test Inputs for Object-Oriented Programs", M-TOOS 2006 (regression
//! oracles from observer methods). Does not know: what the calls return, which of them get asserted.

use crate::generic::plain;
use crate::made::{Made, made};
use crate::scope::Scope;
use crate::typing::is_nameable;
use palus_analyze::ValueMaker;
use palus_bytecode::{ClassId, Method, MethodId, Origin, Program, Type};
use palus_sequence::{Observation, Run, Sequence, Statement, Value, Variable, recorded};
use std::collections::{BTreeMap, BTreeSet};

/// Observers with simple answers tried per test.
const MOST_OBSERVERS: usize = 12;
/// Observers that give objects tried per test, to ask these in turn.
const MOST_OBJECTS: usize = 4;
/// Observers with an argument tried per object.
const MOST_WITH_ARGUMENT: usize = 3;
/// Calls of a stub that are looked at, the first ones.
const MOST_CALLS: i32 = 3;
/// Observers tried per object that an observer gave.
const MOST_DEEPER: usize = 4;

/// An observer call to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Question {
    /// The object asked.
    pub(crate) asked: Variable,
    /// What it is asked.
    pub(crate) method: MethodId,
    /// With what.
    pub(crate) argument: Argument,
}

/// What an observer is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// Nothing.
    None,
    /// An earlier variable.
    Variable(Variable),
    /// The place of an element of a list.
    At(i32),
}

impl Question {
    /// The sequence and the call.
    pub(crate) fn ask(&self, sequence: &Sequence) -> Sequence {
        let mut sequence = sequence.clone();
        let arguments = match self.argument {
            Argument::None => Vec::new(),
            Argument::Variable(variable) => vec![variable],
            Argument::At(place) => vec![sequence.push(Statement::Value(Value::Int(place)))],
        };
        sequence.push(Statement::Call {
            method: self.method,
            receiver: Some(self.asked),
            arguments,
        });
        sequence
    }
}

/// What finds observers of a run's objects.
pub(crate) struct Observers<'a> {
    pub(crate) program: &'a Program,
    pub(crate) is_pure: &'a dyn Fn(MethodId) -> bool,
    pub(crate) package: &'a str,
    pub(crate) makers: &'a BTreeMap<ClassId, Vec<ValueMaker>>,
}

impl Observers<'_> {
    /// Observer calls on the objects of a run's last statement.
    pub(crate) fn first(&self, run: &Run) -> Vec<Question> {
        let mut found = Vec::new();
        let calls = recorded(self.program, &run.sequence);
        let is_calls = |asked: Variable| calls.iter().any(|(_, list)| *list == asked);
        for target in self.targets(run) {
            let Type::Object(name) = run.sequence.type_of(self.program, target) else {
                continue;
            };
            let Some(class) = self.program.class_named(&name) else {
                continue;
            };
            let mut with_argument = 0;
            for method in self.methods(class) {
                let argument = match method.method_type.parameters.as_slice() {
                    [] => Argument::None,
                    [Type::Int] if self.is_element_of_list(class, method) => Argument::At(0),
                    [wanted] if with_argument < MOST_WITH_ARGUMENT => {
                        match argument(self.program, run, target, wanted) {
                            Some(argument) => {
                                with_argument += 1;
                                Argument::Variable(argument)
                            }
                            None => continue,
                        }
                    }
                    _ => continue,
                };
                let question = Question {
                    asked: target,
                    method: method.id,
                    argument,
                };
                // What a stub was called with, and how often, is all that there is to say of it.
                let is_element = matches!(argument, Argument::At(_));
                if is_calls(target) && !is_element && &*method.name != "size" {
                    continue;
                }
                if is_calls(target) && is_element {
                    let places = (0..MOST_CALLS).map(Argument::At);
                    found.extend(places.map(|argument| Question {
                        argument,
                        ..question.clone()
                    }));
                    continue;
                }
                // What the test itself calls last is asserted there.
                let call = question.ask(&Sequence::default());
                if run.sequence.statements().last() != call.statements().last() {
                    found.push(question);
                }
            }
        }
        let (objects, simple): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|question| self.kind(question.method) == Answer::Object);
        // What a stub was called with says more than how often, and takes no room of what else is asked.
        let (mut of_calls, mut simple): (Vec<Question>, Vec<Question>) = simple
            .into_iter()
            .partition(|question| is_calls(question.asked));
        of_calls.sort_by_key(|question| !matches!(question.argument, Argument::At(_)));
        // Short questions before `toString`, which repeats their answers.
        simple.sort_by_key(|question| self.is_to_string(question));
        simple.truncate(MOST_OBSERVERS);
        simple.splice(0..0, of_calls);
        simple.extend(objects.into_iter().take(MOST_OBJECTS));
        simple
    }

    /// Observer calls on what observers gave: those from some statement on, as far as an object there is no value by itself.
    pub(crate) fn deeper(&self, run: &Run, from: usize) -> Vec<Question> {
        let mut found = Vec::new();
        for index in from..run.sequence.len() {
            let Some(seen) = run.outcome.observations.get(index) else {
                break;
            };
            let Observation::Object {
                class: runtime,
                same_as: None,
                ..
            } = seen
            else {
                continue;
            };
            if made(self.scope(), seen).is_some() {
                continue;
            }
            let target = Variable(index as u32);
            let Some(class) = self.class_of(run, target, runtime) else {
                continue;
            };
            let mut questions: Vec<Question> = self
                .methods(class)
                .into_iter()
                .filter_map(|method| {
                    let argument = match method.method_type.parameters.as_slice() {
                        [] if self.is_worth_more(class, method) => Argument::None,
                        [Type::Int] if self.is_element_of_list(class, method) => Argument::At(0),
                        _ => return None,
                    };
                    Some(Question {
                        asked: target,
                        method: method.id,
                        argument,
                    })
                })
                .collect();
            questions.sort_by_key(|question| self.is_to_string(question));
            questions.truncate(MOST_DEEPER);
            found.extend(questions);
        }
        found.truncate(MOST_OBSERVERS);
        found
    }

    fn scope(&self) -> Scope<'_> {
        Scope {
            program: self.program,
            package: self.package,
            makers: self.makers,
        }
    }

    /// The class to ask an object as: its own, where a test can name that.
    fn class_of(&self, run: &Run, target: Variable, runtime: &str) -> Option<ClassId> {
        let own = self.program.class_named(runtime).filter(|&class| {
            self.program.class(class).origin == Origin::Subject
                && is_nameable(self.program, self.package, &plain(&Type::object(runtime)))
        });
        own.or_else(|| match run.sequence.type_of(self.program, target) {
            Type::Object(name) => self.program.class_named(&name),
            _ => None,
        })
    }

    /// Of what the JDK implements, the contents tell more than anything else.
    fn is_worth_more(&self, class: ClassId, method: &Method) -> bool {
        let is_own = self.program.class(class).origin == Origin::Subject;
        let is_held = &*method.name == "get"
            && self
                .program
                .class(class)
                .name
                .starts_with("java/util/Optional");
        is_held || &*method.name == "size" || is_own && self.kind(method.id) == Answer::Simple
    }

    /// What stubs were called with, the last result, its receiver and arguments, as far as they are objects with more to
    /// them than what they equal.
    fn targets(&self, run: &Run) -> Vec<Variable> {
        let Some(last) = run.sequence.statements().last() else {
            return Vec::new();
        };
        let calls = recorded(self.program, &run.sequence).into_iter();
        let mut targets: Vec<Variable> = calls.map(|(_, list)| list).collect();
        let result = run.sequence.last();
        let candidates = last.uses().into_iter().take(3).chain([result]);
        for variable in candidates {
            let observed = run.outcome.observations.get(variable.index());
            let is_new = matches!(observed, Some(Observation::Object { same_as, .. })
            if same_as.is_none_or(|earlier| !targets.contains(&Variable(earlier))));
            let is_known = variable == result
                && observed
                    .and_then(|seen| made(self.scope(), seen))
                    // What its fields hold may be another thing each time.
                    .is_some_and(|made| !matches!(made, Made::Called { .. }));
            if is_new && !is_known && !targets.contains(&variable) {
                targets.push(variable);
            }
        }
        targets
    }

    /// Observers of a class, nearest declaration of each first.
    fn methods(&self, class: ClassId) -> Vec<&Method> {
        let program = self.program;
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for ancestor in program.supertypes(class) {
            for &id in &program.class(ancestor).methods {
                let method = program.method(id);
                let accessible = program.is_method_accessible(id, self.package)
                    || (method.access.is_public()
                        && !method.access.is_synthetic()
                        && program.is_class_accessible(class, self.package));
                let is_callable =
                    !method.access.is_static() && !method.name.starts_with('<') && accessible;
                let parameters = method.descriptor.split(')').next().unwrap_or_default();
                if is_callable && seen.insert((&method.name, parameters)) {
                    found.push(method);
                }
            }
        }
        found.retain(|method| {
            (self.is_pure)(method.id)
                && !is_skipped(program, method)
                && self.kind(method.id) != Answer::Nothing
        });
        found
    }

    /// True for what gives an element of a list, if it has that.
    fn is_element_of_list(&self, class: ClassId, method: &Method) -> bool {
        let list = self.program.class_named("java/util/List");
        &*method.name == "get" && list.is_some_and(|list| self.program.is_subclass(class, list))
    }

    fn is_to_string(&self, question: &Question) -> bool {
        &*self.program.method(question.method).name == "toString"
    }

    /// Whether a method's answer is worth an assertion, by itself or by what it says when it is asked in turn.
    fn kind(&self, method: MethodId) -> Answer {
        let method = self.program.method(method);
        let has_no_parameters = method.method_type.parameters.is_empty();
        match &method.method_type.returns {
            Type::Object(name) if is_simple(self.program, name) => Answer::Simple,
            Type::Object(name)
                if has_no_parameters && is_asked_in_turn(self.program, method, name) =>
            {
                Answer::Object
            }
            Type::Array(_) if has_no_parameters => Answer::Simple,
            Type::Void | Type::Array(_) | Type::Object(_) => Answer::Nothing,
            _ => Answer::Simple,
        }
    }
}

/// What becomes of an observer's answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    /// It is not asked.
    Nothing,
    /// Most often a value.
    Simple,
    /// An object that may have to be asked in turn.
    Object,
}

/// True for a call of `toString`.
pub(crate) fn is_to_string(program: &Program, call: &Statement) -> bool {
    matches!(call, Statement::Call { method, .. } if &*program.method(*method).name == "toString")
}

/// True for a method that answers nothing of its object, or nothing that stays.
fn is_skipped(program: &Program, method: &Method) -> bool {
    let owner = &program.class(method.class).name;
    matches!(
        &*method.name,
        "hashCode" | "getClass" | "clone" | "equals" | "compareTo" | "finalize"
    ) || &**owner == "java/lang/Object"
        || &**owner == "java/lang/Throwable" && &*method.name != "getMessage"
        || owner.starts_with("java/io/")
        || owner.starts_with("java/lang/Thread")
        || owner.starts_with("java/lang/Class")
        || method.is_deprecated
}

/// True for classes whose objects are values most often.
fn is_simple(program: &Program, name: &str) -> bool {
    let is_enum = program
        .class_named(name)
        .is_some_and(|id| program.class(id).access.is_enum());
    let is_value = name.strip_prefix("java/lang/").is_some_and(|simple| {
        matches!(
            simple,
            "String"
                | "Object"
                | "Number"
                | "Comparable"
                | "CharSequence"
                | "Boolean"
                | "Character"
                | "Byte"
                | "Short"
                | "Integer"
                | "Long"
                | "Float"
                | "Double"
        )
    });
    is_enum || is_value || name.starts_with("java/math/") || name.starts_with("java/time/")
}

/// True for getters, and for what gives objects of the subject, collections and the like.
fn is_asked_in_turn(program: &Program, method: &Method, name: &str) -> bool {
    let is_own = program
        .class_named(name)
        .is_some_and(|id| program.class(id).origin == Origin::Subject);
    let is_held = matches!(
        name.strip_prefix("java/util/"),
        Some(
            "List"
                | "Set"
                | "Map"
                | "Collection"
                | "Optional"
                | "OptionalInt"
                | "OptionalLong"
                | "OptionalDouble"
                | "UUID"
                | "Locale"
                | "Currency"
                | "Date"
        )
    );
    // A map's views say what the map says.
    let is_view = matches!(&*method.name, "entrySet" | "keySet" | "values");
    method.name.starts_with("get") || (is_own || is_held) && !is_view
}

/// The latest variable that fits a parameter, other than the object asked.
fn argument(program: &Program, run: &Run, target: Variable, wanted: &Type) -> Option<Variable> {
    let any = matches!(wanted, Type::Object(name) if &**name == "java/lang/Object");
    let statements = run.sequence.statements();
    // Anything is an Object; only what the calls on this object were given is worth asking about.
    let given = |variable: Variable| {
        statements.iter().any(|statement| {
            matches!(statement, Statement::Call { receiver: Some(receiver), arguments, .. }
                if *receiver == target && arguments.contains(&variable))
        })
    };
    (0..statements.len())
        .rev()
        .map(|index| Variable(index as u32))
        .find(|&variable| {
            let is_known = !matches!(
                run.outcome.observations.get(variable.index()),
                None | Some(Observation::Nothing | Observation::Null)
            );
            let own = run.sequence.type_of(program, variable);
            let fits = own == *wanted
                || (own.is_reference() && program.is_assignable(&own, wanted))
                || (any && own.is_primitive());
            is_known && variable != target && fits && (given(variable) || !any)
        })
}
