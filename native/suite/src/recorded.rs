//! Stubs that keep what they are called with, so that a test can say what the code under test asked of them.
//!
//! Comes in: runs with stubs, an executor. Goes out: the same runs, where each method of a stub that returns nothing has a list
//! of its calls; what those hold, or that they hold nothing, is asked like anything else. At last, lists that no assertion asks
//! about go.
//! Source: a test spy, Meszaros, "xUnit Test Patterns", 2007.
//! Does not know: which assertions are chosen, Java text.
//!
//! ```text
//! v0 = stub Mailer                      v0 = new ArrayList()
//! v1 = new Shop(v0)             becomes v1 = stub Mailer, send adds to v0
//! v1.close("x")                         v2 = new Shop(v1)
//!                                       v2.close("x")              and v0.get(0) is asked
//! ```

use crate::assertion::Expected;
use crate::draft::Draft;
use crate::minimize::run_all;
use palus_bytecode::{Method, MethodId, Operation, Program, Type};
use palus_sequence::{
    CALLS, End, Executor, ExecutorError, Run, Sequence, Statement, Value, Variable, open_methods,
    recorded,
};

/// Lists in one run; more say nothing that a reader would follow.
const MOST_LISTS: usize = 4;

/// Has stubs keep their calls.
pub(crate) fn record(
    program: &Program,
    mut runs: Vec<&mut Run>,
    executor: &mut dyn Executor,
) -> Result<(), ExecutorError> {
    let Some(lists) = Lists::of(program) else {
        return Ok(());
    };
    let completed = runs.iter().enumerate();
    let completed = completed.filter(|(_, run)| run.outcome.end == End::Completed);
    let all: Vec<(usize, Sequence)> = completed
        .filter_map(|(at, run)| Some((at, lists.added(&run.sequence)?)))
        .collect();
    if all.is_empty() {
        return Ok(());
    }
    let sequences: Vec<Sequence> = all.iter().map(|(_, one)| one.clone()).collect();
    executor.begin()?;
    let outcomes = run_all(executor, &sequences)?;
    for ((at, sequence), mut outcome) in all.into_iter().zip(outcomes) {
        if outcome.end == End::Completed {
            let run = &mut *runs[at];
            // It covers what it covered; only what is new is told by a run of what ran before.
            outcome.coverage = run.outcome.coverage.clone();
            run.sequence = sequence;
            run.outcome = outcome;
        }
    }
    Ok(())
}

/// The statements of a draft without lists that nothing which is asserted asks about, and what is left out of them.
pub(crate) fn forget_unasked(
    program: &Program,
    draft: &Draft,
    picked: &[(u32, usize)],
) -> (Sequence, Vec<Variable>) {
    let statements = draft.sequence.statements();
    let lists = recorded(program, &draft.sequence);
    let unasked: Vec<Variable> = lists
        .into_iter()
        .map(|(_, list)| list)
        .filter(|&list| {
            let length = draft.length;
            // A neighbour may be given the list itself.
            let mut body = statements[..length].iter();
            let is_given = body.any(|statement| {
                !matches!(statement, Statement::Stub { .. }) && statement.uses().contains(&list)
            });
            let mut picked = picked.iter();
            let is_asked = picked.any(|&(_, index)| {
                let expected = draft.expected[index].as_ref();
                expected.and_then(Expected::mentions) == Some(list)
                    || index >= length && depends(statements, length, index, list)
            });
            !is_given && !is_asked
        })
        .collect();
    let mut all = Sequence::default();
    for statement in statements {
        let mut statement = statement.clone();
        if let Statement::Stub { answers, .. } = &mut statement {
            for answer in answers.iter_mut() {
                *answer = answer.filter(|list| !unasked.contains(list));
            }
        }
        all.push(statement);
    }
    (all, unasked)
}

/// True if an observer says that a method of a stub was not called which the method under test does not mention: nobody
/// would ask that.
pub(crate) fn is_beside_the_point(program: &Program, draft: &Draft, index: usize) -> bool {
    let statements = draft.sequence.statements();
    let Statement::Call {
        method: question,
        receiver: Some(asked),
        ..
    } = &statements[index]
    else {
        return false;
    };
    let is_none = &*program.method(*question).name == "size"
        && draft.expected[index] == Some(Expected::Equal(Value::Int(0)));
    if !is_none {
        return false;
    }
    let lists = recorded(program, &draft.sequence).into_iter();
    let of_list = lists
        .filter(|(_, list)| list == asked)
        .map(|(method, _)| method);
    let mut called = of_list.map(|method| program.method(method));
    let under_test = statements.get(draft.length - 1);
    called.any(|called| !mentions(program, under_test, called))
}

/// True if an observer asks a list, or what an earlier observer got of it.
fn depends(statements: &[Statement], length: usize, index: usize, list: Variable) -> bool {
    let mut uses = statements[index].uses().into_iter();
    uses.any(|used| {
        used == list || used.index() >= length && depends(statements, length, used.index(), list)
    })
}

/// What makes lists of calls.
struct Lists<'a> {
    program: &'a Program,
    new: MethodId,
}

impl<'a> Lists<'a> {
    /// None where the program has no such list.
    fn of(program: &'a Program) -> Option<Lists<'a>> {
        let class = program.class_named(CALLS)?;
        let new = program.declared_method(class, "<init>", "()V")?;
        Some(Lists { program, new })
    }

    /// The sequence with a list for each method of a stub that returns nothing and does nothing yet, as far as there is
    /// room, those first that the last call's method mentions; none where there is no such method.
    fn added(&self, sequence: &Sequence) -> Option<Sequence> {
        let room = MOST_LISTS.saturating_sub(recorded(self.program, sequence).len());
        let mut open: Vec<(bool, usize, usize)> = Vec::new();
        for (index, statement) in sequence.statements().iter().enumerate() {
            let Statement::Stub { class, answers } = statement else {
                continue;
            };
            let methods = open_methods(self.program, *class).into_iter();
            for (at, (method, answer)) in methods.zip(answers).enumerate() {
                let method = self.program.method(method);
                if method.method_type.returns == Type::Void && answer.is_none() {
                    let is_mentioned = mentions(self.program, sequence.statements().last(), method);
                    open.push((!is_mentioned, index, at));
                }
            }
        }
        open.sort_unstable();
        open.truncate(room);
        let mut places: Vec<Variable> = Vec::with_capacity(sequence.len());
        let mut added = Sequence::default();
        for (index, statement) in sequence.statements().iter().enumerate() {
            let mut statement = statement.renamed(|used| places[used.index()]);
            if let Statement::Stub { answers, .. } = &mut statement {
                let lists = open.iter().filter(|(_, stub, _)| *stub == index);
                for &(_, _, at) in lists {
                    answers[at] = Some(added.push(Statement::Call {
                        method: self.new,
                        receiver: None,
                        arguments: Vec::new(),
                    }));
                }
            }
            places.push(added.push(statement));
        }
        (!open.is_empty()).then_some(added)
    }
}

/// True if the body of the method that a statement calls calls one of this name and descriptor.
fn mentions(program: &Program, call: Option<&Statement>, called: &Method) -> bool {
    let Some(Statement::Call { method, .. }) = call else {
        return false;
    };
    let code = program.method(*method).code.iter();
    let mut invoked = code.flat_map(|code| &code.instructions);
    invoked.any(|one| {
        matches!(&one.operation, Operation::Invoke { method, .. }
            if method.name == called.name && method.descriptor == called.descriptor)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Script, subject};

    const SHOP: &[(&str, &str)] = &[
        (
            "demo/Mailer.java",
            "package demo; public interface Mailer { void send(String text); }",
        ),
        (
            "demo/Shop.java",
            "package demo; public class Shop { private final Mailer mailer;
              public Shop(Mailer mailer) { this.mailer = mailer; }
              public void close() { mailer.send(\"x\"); }
              public boolean has(java.util.Collection<?> all) { return all.isEmpty(); } }",
        ),
    ];

    /// A shop whose stub keeps its calls, and what comes after it.
    fn draft(then: impl FnOnce(&mut Script<'_>, Variable, Variable)) -> (Program, Draft) {
        let subject = subject(SHOP);
        let mut script = subject.script();
        let calls = script.construct("java/util/ArrayList", "()V", &[]);
        let mailer = script.lambda("demo/Mailer", Some(calls));
        let shop = script.construct("demo/Shop", "(Ldemo/Mailer;)V", &[mailer]);
        then(&mut script, shop, calls);
        let mut draft = Draft::bare(&script.run());
        draft.expected = vec![None; draft.length];
        drop(script);
        (subject.program, draft)
    }

    /// Whether the stub still keeps its calls, where this statement is asserted.
    fn keeps(program: &Program, draft: &Draft, asserted: usize) -> bool {
        let (sequence, unasked) = forget_unasked(program, draft, &[(0, asserted)]);
        let keeps = !recorded(program, &sequence).is_empty();
        assert_eq!(unasked.is_empty(), keeps);
        keeps
    }

    #[test]
    fn a_list_stays_where_it_is_asked_and_where_the_test_itself_uses_it() {
        let (program, mut asked) = draft(|script, shop, calls| {
            script.void("demo/Shop.close()V", shop, &[]);
            let size = "java/util/ArrayList.size()I";
            script.call(size, Some(calls), &[], crate::testing::int(1));
            script.call(
                "java/lang/Object.hashCode()I",
                Some(shop),
                &[],
                crate::testing::int(1),
            );
        });
        asked.length = 4;
        assert!(keeps(&program, &asked, 4));
        assert!(!keeps(&program, &asked, 5));
        let (program, given) = draft(|script, shop, calls| {
            let has = "demo/Shop.has(Ljava/util/Collection;)Z";
            script.call(has, Some(shop), &[calls], crate::testing::int(1));
        });
        assert!(keeps(&program, &given, 3));
    }

    #[test]
    fn that_nothing_was_called_is_said_of_what_the_method_under_test_calls() {
        for (method, is_beside) in [("close", false), ("hashCode", true)] {
            let (program, mut draft) = draft(|script, shop, calls| {
                if method == "close" {
                    script.void("demo/Shop.close()V", shop, &[]);
                } else {
                    script.call(
                        "java/lang/Object.hashCode()I",
                        Some(shop),
                        &[],
                        crate::testing::int(1),
                    );
                }
                let size = "java/util/ArrayList.size()I";
                script.call(size, Some(calls), &[], crate::testing::int(0));
            });
            draft.length = 4;
            draft.expected[4] = Some(Expected::Equal(Value::Int(0)));
            assert_eq!(
                is_beside_the_point(&program, &draft, 4),
                is_beside,
                "{method}"
            );
            draft.expected[4] = Some(Expected::Equal(Value::Int(1)));
            assert!(!is_beside_the_point(&program, &draft, 4), "{method}");
        }
    }

    #[test]
    fn where_the_number_of_calls_is_asserted_so_is_what_the_last_one_was_given() {
        let (program, mut asked) = draft(|script, shop, calls| {
            script.void("demo/Shop.close()V", shop, &[]);
            let (size, get) = (
                "java/util/ArrayList.size()I",
                "java/util/ArrayList.get(I)Ljava/lang/Object;",
            );
            script.call(size, Some(calls), &[], crate::testing::int(2));
            for place in 0..2 {
                let place = script.int(place);
                script.call(get, Some(calls), &[place], crate::testing::int(7));
            }
        });
        let (size, last) = (4, 8);
        asked.length = 4;
        asked.expected[size] = Some(Expected::Equal(Value::Int(2)));
        for get in [6, last] {
            asked.expected[get] = Some(Expected::Equal(Value::Text("x".into())));
        }
        let kills = |statement| crate::mutants::Kills {
            own: [1].into(),
            by_statement: [(statement, [1].into())].into(),
            ..crate::mutants::Kills::default()
        };
        let asserted = |statement| {
            let mut draft = asked.clone();
            draft.kills = Some(kills(statement));
            let picked = crate::pick::pick(&program, &draft).into_iter();
            let mut picked: Vec<usize> = picked.map(|(_, index)| index).collect();
            picked.sort_unstable();
            picked
        };
        assert_eq!(asserted(size), [size, last]);
        assert_eq!(asserted(6), [6], "what a call was given says enough");
    }
}
