//! Cutting sequences and putting them together again: offspring that stay well-formed.
//!
//! Comes in: sequences. Goes out: sequences in which every statement finds what it uses: by its old place, by another
//! variable that fits, by a copy of what made it, or by a value made for it.
//! Does not know: why something is cut, outcomes.
//!
//! ```text
//! base    v0 = new Stack()   v1 = v0.clear()
//! donor   w0 = new Stack()   w1 = 7   | w2 = w0.push(w1)        the part behind the bar is grafted
//! result  v0 = new Stack()   v1 = v0.clear()   v2 = 7   v3 = v0.push(v2)
//! ```

use crate::parameters::REUSE;
use palus_bytecode::{Program, Type};
use palus_generate::Sources;
use palus_sequence::{Sequence, Statement, Value, Variable, check, open_methods};

/// Copies of copies of copies are not made.
const DEEPEST: u32 = 12;

/// The types wanted of the variables that a statement uses, in their order.
pub(crate) fn wanted(program: &Program, statement: &Statement) -> Vec<Type> {
    let class_type = |class| Type::Object(std::sync::Arc::clone(&program.class(class).name));
    match statement {
        Statement::Value(_) => Vec::new(),
        Statement::Call {
            method, receiver, ..
        } => {
            let method = program.method(*method);
            let own = receiver.map(|_| class_type(method.class));
            own.into_iter()
                .chain(method.method_type.parameters.iter().cloned())
                .collect()
        }
        Statement::NewArray { element, elements } => vec![element.clone(); elements.len()],
        Statement::GetField { field, receiver } => {
            let field = program.field(*field);
            receiver.iter().map(|_| class_type(field.class)).collect()
        }
        Statement::SetField {
            field, receiver, ..
        } => {
            let field = program.field(*field);
            let own = receiver.map(|_| class_type(field.class));
            own.into_iter().chain([field.field_type.clone()]).collect()
        }
        Statement::Stub { class, answers } => {
            let open = open_methods(program, *class).into_iter().zip(answers);
            let answered = open.filter(|(_, answer)| answer.is_some());
            let types =
                answered.map(|(method, _)| program.method(method).method_type.returns.clone());
            types.collect()
        }
    }
}

/// True if the place is that of an object which is called or read, where `null` will not do.
pub(crate) fn is_receiver(statement: &Statement, position: usize) -> bool {
    position == 0
        && match statement {
            Statement::Call { receiver, .. }
            | Statement::GetField { receiver, .. }
            | Statement::SetField { receiver, .. } => receiver.is_some(),
            _ => false,
        }
}

/// A drawn variable among the first `limit` that holds a value of the wanted type, other than `not`.
pub(crate) fn fitting(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    limit: usize,
    wanted: &Type,
    takes_null: bool,
    not: Option<Variable>,
) -> Option<Variable> {
    let program = sources.program();
    let mut chosen = None;
    let mut count = 0;
    for (index, statement) in sequence.statements().iter().enumerate().take(limit) {
        let variable = Variable(index as u32);
        let is_null = matches!(statement, Statement::Value(Value::Null(_)));
        if Some(variable) == not || (is_null && !takes_null) {
            continue;
        }
        let from = statement.defined_type(program);
        if from != Type::Void && sources.fits(&from, wanted) {
            count += 1;
            if sources.rng().below(count) == 0 {
                chosen = Some(variable);
            }
        }
    }
    chosen
}

/// A sequence to which statements of another are added.
pub(crate) struct Graft<'s, 'a> {
    sources: &'s mut Sources<'a>,
    result: Sequence,
    donor: &'s Sequence,
    /// Statements of the donor before this one are copied where they are needed.
    from: usize,
    /// Per variable of the donor: its new place.
    places: Vec<Option<Variable>>,
}

impl<'s, 'a> Graft<'s, 'a> {
    /// Nothing is added yet.
    pub fn new(
        sources: &'s mut Sources<'a>,
        base: Sequence,
        donor: &'s Sequence,
        from: usize,
    ) -> Graft<'s, 'a> {
        Graft {
            sources,
            result: base,
            places: vec![None; donor.len()],
            donor,
            from,
        }
    }

    /// Adds the donor's statements from one on; those for which something is missing are left out.
    pub fn finish(mut self, first: usize) -> Sequence {
        for index in first..self.donor.len() {
            self.bring(index, 0);
        }
        self.result
    }

    fn bring(&mut self, index: usize, depth: u32) -> Option<Variable> {
        if depth > DEEPEST {
            return None;
        }
        let program = self.sources.program();
        let donor = self.donor;
        let statement = &donor.statements()[index];
        let wanted = wanted(program, statement);
        let mut uses = Vec::with_capacity(wanted.len());
        for (position, (used, wanted)) in statement.uses().into_iter().zip(&wanted).enumerate() {
            let is_receiver = is_receiver(statement, position);
            uses.push(self.find(used, wanted, is_receiver, depth)?);
        }
        let mut next = uses.into_iter();
        let renamed = statement.renamed(|_| next.next().expect("one per used variable"));
        let made = self.result.push(renamed);
        self.places[index] = Some(made);
        Some(made)
    }

    fn find(
        &mut self,
        used: Variable,
        wanted: &Type,
        is_receiver: bool,
        depth: u32,
    ) -> Option<Variable> {
        if let Some(known) = self.places[used.index()] {
            return Some(known);
        }
        let is_constant = matches!(self.donor.statements()[used.index()], Statement::Value(_));
        let is_left_behind = used.index() < self.from;
        let reuses = !is_constant && self.sources.rng().percent(REUSE);
        let limit = self.result.len();
        if reuses {
            let known = fitting(
                self.sources,
                &self.result,
                limit,
                wanted,
                !is_receiver,
                None,
            );
            if known.is_some() {
                self.places[used.index()] = known;
                return known;
            }
        }
        if is_left_behind && let Some(copied) = self.bring(used.index(), depth + 1) {
            return Some(copied);
        }
        let known = fitting(
            self.sources,
            &self.result,
            limit,
            wanted,
            !is_receiver,
            None,
        );
        if known.is_some() {
            return known;
        }
        let (longer, made) = self
            .sources
            .with_value(&self.result, wanted, !is_receiver)?;
        self.result = longer;
        Some(made)
    }
}

/// Puts `head` in place of the statements up to `to`: its first `at` statements are those of the sequence. What used
/// the others finds something else, or is left out too; `same` says which of them stands where in `head`.
pub(crate) fn replace(
    sources: &mut Sources<'_>,
    sequence: &Sequence,
    (at, to): (usize, usize),
    head: Sequence,
    same: Option<(Variable, Variable)>,
) -> Sequence {
    // What is cut out is not to come back by being copied.
    let mut graft = Graft::new(sources, head, sequence, at);
    for index in 0..at as u32 {
        graft.places[index as usize] = Some(Variable(index));
    }
    if let Some((of_donor, at)) = same {
        graft.places[of_donor.index()] = Some(at);
    }
    graft.finish(to)
}

/// Without constants, arrays and stubs that nothing uses; none if the sequence is empty then or not well-formed.
pub(crate) fn tidied(program: &Program, sequence: &Sequence, longest: usize) -> Option<Sequence> {
    let statements = sequence.statements();
    let mut is_used = vec![false; statements.len()];
    for (index, statement) in statements.iter().enumerate().rev() {
        let acts = !matches!(
            statement,
            Statement::Value(_) | Statement::NewArray { .. } | Statement::Stub { .. }
        );
        is_used[index] |= acts;
        if is_used[index] {
            for used in statement.uses() {
                is_used[used.index()] = true;
            }
        }
    }
    let mut places = vec![Variable(0); statements.len()];
    let mut tidy = Vec::with_capacity(statements.len());
    for (index, statement) in statements.iter().enumerate() {
        if is_used[index] {
            places[index] = Variable(tidy.len() as u32);
            tidy.push(statement.renamed(|used| places[used.index()]));
        }
    }
    let tidy = Sequence::new(tidy);
    let is_fine = !tidy.is_empty() && tidy.len() <= longest && check(program, &tidy).is_ok();
    is_fine.then_some(tidy)
}
