//! What a rule is made of: questions about an object, claims about the answers, who is to blame.
//!
//! Comes in: an object in a run. Goes out: [`Check`]s: statements to add, and what has to hold of their results.
//! Does not know: which rules there are (`contract.rs`, `theory.rs`), how checks are run.

use crate::assertion::Expected;
use palus_bytecode::{ClassId, MethodId, Origin, Program};
use palus_sequence::{Observation, Run, Statement, Value, Variable};

/// A rule.
pub(crate) struct Contract {
    /// `P101`, ...
    pub code: &'static str,
    /// What the rule asserts, as part of a test's name: `equals_isReflexive`.
    pub name: &'static str,
    /// What is said of a method that breaks it, after its name: `is not reflexive`.
    pub broken: &'static str,
    /// How it is asked.
    pub questions: &'static [Questions],
}

/// How a rule is asked.
pub(crate) enum Questions {
    /// Of one object.
    Of(fn(&Site<'_>) -> Option<Check>),
    /// Of two objects.
    OfPair(fn(&Site<'_>, Variable, ClassId) -> Option<Check>),
    /// Of one object, after looking at it: calls to run first, then what their observations lead to.
    AfterLook(
        fn(&Site<'_>) -> Option<Check>,
        fn(&Site<'_>, &[Observation]) -> Option<Check>,
    ),
}

/// An object of a class of the subject at the end of a run.
pub(crate) struct Site<'a> {
    /// All classes.
    pub program: &'a Program,
    /// Package of the test.
    pub package: &'a str,
    /// A run that completed.
    pub run: &'a Run,
    /// The object.
    pub object: Variable,
    /// Its class when it ran.
    pub class: ClassId,
}

/// What an appended statement must give, by its place in the tail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// `true`
    True,
    /// `false`
    False,
    /// This number.
    Number(i32),
    /// 0 if an earlier statement of the tail gave true, and another number if it gave false.
    ZeroIfTrue(usize),
    /// Equal to what an earlier statement of the tail gave.
    EqualTo(usize),
    /// Equal to what an earlier statement of the tail gave, and known to be different in an ordinary JVM.
    Differs(usize),
    /// A number of the opposite sign of what an earlier statement of the tail gave.
    OppositeOf(usize),
    /// Another object than the receiver of the call.
    NotReceiver,
}

/// When a check is violated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conclusion {
    /// The claim about this statement of the tail does not hold.
    Holds(usize, Claim),
    /// A statement of the tail throws.
    Completes,
    /// The last statement does not throw this class.
    Throws(&'static str),
}

/// Which exceptions out of the tail are violations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guilty {
    /// None: they belong to another rule, or are allowed.
    None,
    /// All but these, and never the platform's errors.
    AllBut(&'static [&'static str]),
    /// Only these.
    Only(&'static [&'static str]),
    /// All but a failed assumption: assertion errors as well, but no other error of the platform.
    AssertionsToo,
}

/// Calls to append to a run, and what they must give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Check {
    /// The calls; variables are those of the run, then these.
    pub tail: Vec<Statement>,
    /// What must hold for the check to count.
    pub premises: Vec<(usize, Claim)>,
    /// What is then asserted.
    pub conclusion: Conclusion,
    /// Which exceptions violate it.
    pub guilty: Guilty,
    /// The method that is to blame, as its class declares it.
    pub blamed: MethodId,
}

impl Check {
    /// A check without statements yet that blames a method.
    pub fn of(blamed: MethodId) -> Check {
        Check {
            tail: Vec::new(),
            premises: Vec::new(),
            conclusion: Conclusion::Completes,
            guilty: Guilty::None,
            blamed,
        }
    }

    /// Appends a call; gives its place.
    pub fn call(&mut self, method: MethodId, receiver: Variable, arguments: &[Variable]) -> usize {
        self.push(Statement::Call {
            method,
            receiver: Some(receiver),
            arguments: arguments.to_vec(),
        })
    }

    /// Appends a constructor call; gives its place.
    pub fn construct(&mut self, method: MethodId, arguments: &[Variable]) -> usize {
        self.push(Statement::Call {
            method,
            receiver: None,
            arguments: arguments.to_vec(),
        })
    }

    /// Appends a constant; gives its place.
    pub fn value(&mut self, value: Value) -> usize {
        self.push(Statement::Value(value))
    }

    fn push(&mut self, statement: Statement) -> usize {
        self.tail.push(statement);
        self.tail.len() - 1
    }

    /// The check with its conclusion.
    #[must_use]
    pub fn concluding(mut self, conclusion: Conclusion, guilty: Guilty) -> Check {
        self.conclusion = conclusion;
        self.guilty = guilty;
        self
    }
}

impl Site<'_> {
    /// The variable of a statement of the tail.
    pub fn variable(&self, place: usize) -> Variable {
        Variable((self.run.sequence.len() + place) as u32)
    }

    /// True if the object is of a class or interface of this internal name.
    pub fn is_a(&self, name: &str) -> bool {
        self.program
            .class_named(name)
            .is_some_and(|ancestor| self.program.is_subclass(self.class, ancestor))
    }

    /// A method that every object has, as `Object` declares it, and the one that runs; none if that is `Object`'s own.
    pub fn of_object(&self, name: &str, descriptor: &str) -> Option<(MethodId, MethodId)> {
        let object = self.program.class_named("java/lang/Object")?;
        let declared = self.program.declared_method(object, name, descriptor)?;
        let runs = self.program.find_method(self.class, name, descriptor)?;
        (runs != declared).then_some((declared, runs))
    }

    /// A method of a platform interface that the object implements: as the interface declares it, and the one that
    /// runs.
    pub fn of_interface(
        &self,
        interface: &str,
        name: &str,
        descriptor: &str,
    ) -> Option<(MethodId, MethodId)> {
        if !self.is_a(interface) {
            return None;
        }
        let class = self.program.class_named(interface)?;
        let declared = self.program.find_method(class, name, descriptor)?;
        let runs = self.program.find_method(self.class, name, descriptor)?;
        Some((declared, runs))
    }

    /// The method with one parameter that compares the object with one of a class, callable where the test is.
    pub fn compare_to(&self, other: ClassId) -> Option<MethodId> {
        if !self.is_a("java/lang/Comparable") {
            return None;
        }
        let program = self.program;
        program
            .supertypes(self.class)
            .into_iter()
            .find_map(|class| {
                program.class(class).methods.iter().copied().find(|&id| {
                    let method = program.method(id);
                    let wanted = match method.method_type.parameters.as_slice() {
                        [palus_bytecode::Type::Object(name)] => program.class_named(name),
                        _ => None,
                    };
                    &*method.name == "compareTo"
                        && !method.access.is_synthetic()
                        && method.access.is_public()
                        && program.is_method_accessible(id, self.package)
                        && program.class(method.class).origin == Origin::Subject
                        && wanted.is_some_and(|wanted| program.is_subclass(other, wanted))
                })
            })
    }
}

impl Claim {
    /// The claim as an assertion about a statement of a sequence that begins with `base` statements of the run.
    pub fn expected(self, base: usize, statement: &Statement) -> Option<Expected> {
        let at = |place: usize| Variable((base + place) as u32);
        Some(match self {
            Claim::True => Expected::Equal(Value::Boolean(true)),
            Claim::False => Expected::Equal(Value::Boolean(false)),
            Claim::Number(number) => Expected::Equal(Value::Int(number)),
            Claim::ZeroIfTrue(place) => Expected::ZeroIf(at(place)),
            Claim::EqualTo(place) | Claim::Differs(place) => Expected::EqualTo(at(place)),
            Claim::OppositeOf(place) => Expected::OppositeOf(at(place)),
            Claim::NotReceiver => match statement {
                Statement::Call {
                    receiver: Some(receiver),
                    ..
                } => Expected::NotSame(*receiver),
                _ => return None,
            },
        })
    }

    /// Whether the claim holds; none where the observations do not tell.
    pub fn holds(
        self,
        observations: &[Observation],
        base: usize,
        place: usize,
        statement: &Statement,
    ) -> Option<bool> {
        let seen = |place: usize| observations.get(base + place);
        let number = |place: usize| match seen(place) {
            Some(Observation::Value {
                value: Value::Int(number),
                ..
            }) => Some(*number),
            _ => None,
        };
        match self {
            Claim::True | Claim::False => match seen(place)? {
                Observation::Value {
                    value: Value::Boolean(value),
                    ..
                } => Some(*value == (self == Claim::True)),
                _ => None,
            },
            Claim::Number(wanted) => Some(number(place)? == wanted),
            Claim::ZeroIfTrue(other) => match seen(other)? {
                Observation::Value {
                    value: Value::Boolean(is_equal),
                    ..
                } => Some((number(place)? == 0) == *is_equal),
                _ => None,
            },
            Claim::EqualTo(other) => match (seen(place)?, seen(other)?) {
                (
                    Observation::Value { value: one, .. },
                    Observation::Value { value: another, .. },
                ) => Some(one == another),
                (
                    Observation::Object { class: one, .. },
                    Observation::Object { class: another, .. },
                ) if one == another => None,
                _ => Some(false),
            },
            Claim::Differs(_) => Some(false),
            Claim::OppositeOf(other) => Some(number(place)?.signum() == -number(other)?.signum()),
            Claim::NotReceiver => match (seen(place)?, statement) {
                (
                    Observation::Object { same_as, .. },
                    Statement::Call {
                        receiver: Some(receiver),
                        ..
                    },
                ) => {
                    let first = match observations.get(receiver.index())? {
                        Observation::Object {
                            same_as: Some(first),
                            ..
                        } => *first,
                        _ => receiver.0,
                    };
                    Some(*same_as != Some(first))
                }
                _ => None,
            },
        }
    }
}
