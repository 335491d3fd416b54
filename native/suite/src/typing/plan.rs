//! Type arguments of the generic classes that a sequence instantiates, from how it uses them.
//!
//! ```text
//! v0 = new ArrayList()     E is at least String (v0.add("a")) and exactly String (Names.print(List<String>))
//! v0.add("a")              so v0 is an ArrayList<String>
//! Names.print(v0)
//! ```
//! Does not know: casts; whether the choice compiles, which typing finds out.

use super::{Typer, is_nameable, type_of};
use crate::generic::{
    Bindings, Hints, Position, as_super, bindings_of, class, exact, has_no_variable, parameters,
    plain, substitute, with_wildcards,
};
use palus_bytecode::{Method, TypeSignature};
use palus_sequence::{CALLS, Statement, Variable, is_recorded, is_thrown, open_methods};
use std::collections::BTreeMap;

impl Typer<'_> {
    /// Type arguments for each instantiated generic class, from how the sequence uses it.
    pub(super) fn plan(&self, by_use: bool) -> BTreeMap<usize, TypeSignature> {
        let statements = self.sequence.statements();
        let generic: Vec<(usize, &str)> = statements
            .iter()
            .enumerate()
            .filter_map(|(index, statement)| {
                let id = match statement {
                    Statement::Call { method, .. }
                        if self.program.method(*method).is_constructor() =>
                    {
                        self.program.method(*method).class
                    }
                    Statement::Stub { class, .. } => *class,
                    _ => return None,
                };
                let name = &*self.program.class(id).name;
                (!parameters(self.program, name).is_empty()).then_some((index, name))
            })
            .collect();
        let open = |name: &str| {
            let variables = parameters(self.program, name);
            let arguments = variables
                .iter()
                .map(|one| exact(TypeSignature::Variable(one.name.clone())));
            class(name, arguments.collect())
        };
        let mut plans = BTreeMap::new();
        if by_use && !generic.is_empty() {
            let wild = |&(index, name): &(usize, &str)| {
                (
                    index,
                    with_wildcards(self.program, &class(name, Vec::new())),
                )
            };
            let first = Typer {
                plans: generic.iter().map(wild).collect(),
                ..*self
            };
            let types = first.rough_types();
            for &(index, name) in &generic {
                let hints = self.hints(index, &open(name), &types);
                if let Some(solved) = hints.solve(self.program, parameters(self.program, name)) {
                    let solved = substitute(&open(name), &solved, Position::Read);
                    plans.extend(solved.map(|solved| (index, solved)));
                }
            }
            return plans;
        }
        for (index, name) in generic {
            let solved = Hints::default().solve(self.program, parameters(self.program, name));
            let solved = solved.and_then(|solved| substitute(&open(name), &solved, Position::Read));
            plans.extend(solved.map(|solved| (index, solved)));
        }
        plans
    }

    /// Types as far as they are known; erased where not.
    pub(super) fn rough_types(&self) -> Vec<TypeSignature> {
        let mut types = Vec::new();
        for (index, statement) in self.sequence.statements().iter().enumerate() {
            let rough = self.result(index, statement, &types);
            types.push(rough.unwrap_or_else(|_| {
                with_wildcards(self.program, &plain(&statement.defined_type(self.program)))
            }));
        }
        types
    }

    pub(super) fn hints(
        &self,
        index: usize,
        own: &TypeSignature,
        types: &[TypeSignature],
    ) -> Hints {
        let mut hints = Hints::default();
        let me = Variable(index as u32);
        for (position, statement) in self.sequence.statements().iter().enumerate() {
            match statement {
                Statement::Call {
                    method,
                    receiver,
                    arguments,
                } => {
                    let method = self.program.method(*method);
                    let Some(signature) = &method.signature else {
                        continue;
                    };
                    if signature.parameters.len() != arguments.len() {
                        continue;
                    }
                    let owner_name = &self.program.class(method.class).name;
                    let owner = if position == index {
                        Some(own.clone())
                    } else {
                        let seen = receiver.map(|receiver| {
                            if receiver == me {
                                own.clone()
                            } else {
                                type_of(types, receiver)
                            }
                        });
                        seen.and_then(|seen| as_super(self.program, &seen, owner_name))
                    };
                    let bindings = owner.map_or_else(
                        || Some(Bindings::new()),
                        |owner| bindings_of(self.program, &owner),
                    );
                    let Some(bindings) = bindings else { continue };
                    for (formal, &argument) in signature.parameters.iter().zip(arguments) {
                        let Some(formal) = substitute(formal, &bindings, Position::Passed) else {
                            continue;
                        };
                        if argument == me {
                            if has_no_variable(&formal) {
                                hints.wanted(self.program, own, &formal);
                            }
                        } else if (position == index || *receiver == Some(me))
                            && !self.is_null(argument)
                        {
                            hints.passed(self.program, &formal, &type_of(types, argument));
                        }
                    }
                }
                Statement::Stub { class, answers } if answers.contains(&Some(me)) => {
                    let stub = type_of(types, Variable(position as u32));
                    let open = open_methods(self.program, *class).into_iter().zip(answers);
                    for (method, _) in open.filter(|&(_, answer)| *answer == Some(me)) {
                        let method = self.program.method(method);
                        self.answered(&mut hints, own, method, &stub, me);
                    }
                }
                Statement::Stub { class, answers } if position == index => {
                    let open = open_methods(self.program, *class).into_iter();
                    for (method, answer) in open.zip(answers) {
                        let method = self.program.method(method);
                        let Some(answer) = answer.filter(|&answer| !self.is_null(answer)) else {
                            continue;
                        };
                        let of = self.sequence.type_of(self.program, answer);
                        let formal = self.open_return(method, own);
                        if let Some(formal) = formal
                            && !is_thrown(self.program, method, &of)
                            && !is_recorded(method, &of)
                        {
                            hints.passed(self.program, &formal, &type_of(types, answer));
                        }
                    }
                }
                _ => {}
            }
        }
        hints
    }

    /// What is learned of an object by its being what a method of a stub returns, or keeps its calls in.
    fn answered(
        &self,
        hints: &mut Hints,
        own: &TypeSignature,
        method: &Method,
        stub: &TypeSignature,
        me: Variable,
    ) {
        if is_recorded(method, &self.sequence.type_of(self.program, me)) {
            let element = parameters(self.program, CALLS).first();
            let element = element.map(|one| TypeSignature::Variable(one.name.clone()));
            if let Some((element, kept)) = element.zip(self.kept(method)) {
                hints.passed(self.program, &element, &kept);
            }
        } else if let Some(formal) = self.open_return(method, stub)
            && has_no_variable(&formal)
        {
            hints.wanted(self.program, own, &formal);
        }
    }

    /// What a list of calls of a stub's method holds, where that does not depend on type arguments.
    fn kept(&self, method: &Method) -> Option<TypeSignature> {
        let kept = match (&*method.method_type.parameters, &method.signature) {
            ([], _) => class("java/lang/String", Vec::new()),
            ([_], Some(signature)) => signature.parameters.first()?.clone(),
            ([parameter], None) => plain(parameter),
            _ => return None,
        };
        (has_no_variable(&kept) && is_nameable(self.program, self.package, &kept)).then_some(kept)
    }
}
