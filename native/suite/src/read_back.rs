//! Written tests read back as sequences, so that a later run knows what they do and need not find it again.
//!
//! Comes in: the compiled class of a file with tests, as Palus wrote it, and the program that it tests. Goes out: per test the
//! sequence that it runs, which statements it asserts, and which call it is about.
//! A test that was written otherwise than Palus writes, by an older version or by hand, is left out; so is one that a temporary
//! folder or an anonymous class stands in.
//! Does not know: what a test awaits of what it asserts: that is what the code does now, or the test has failed.
//!
//! ```text
//! City city = new City("Bonn");                    0 "Bonn"   1 new City(0)
//!
//! assertEquals(0, city.add(new Road()));           2 new Road()   3 1.add(2)     length 4, asserted 3 and 4
//! assertTrue(city.isReached());                    4 1.isReached()
//! ```

mod expression;
mod lambda;
mod machine;

use machine::{Machine, Read};
use palus_bytecode::{ClassId, MethodId, Program};
use palus_sequence::{Sequence, Statement, check};

/// What marks a method as a test.
const TESTS: [&str; 2] = ["org/junit/jupiter/api/Test", "org/junit/Test"];

/// A written test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadTest {
    /// Its name.
    pub name: String,
    /// All that it runs.
    pub sequence: Sequence,
    /// Its statements before those that only observe; the last of them is what it is about.
    pub length: usize,
    /// The statements whose values it asserts, ascending.
    pub asserted: Vec<usize>,
    /// Whether the last statement is to throw.
    pub throws: bool,
}

/// Reads the tests of a class that is compiled and loaded in `tests`; `program` holds what they call.
pub fn read_back(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    tests: &Program,
    class: ClassId,
) -> Vec<ReadTest> {
    let methods = tests.class(class).methods.iter();
    let methods = methods.map(|&id| tests.method(id)).filter(|method| {
        let mut annotations = method.annotations.iter();
        annotations.any(|name| TESTS.contains(&&**name))
    });
    let read = methods.filter_map(|method| {
        let read = Machine::new(program, tests, class).read(method)?;
        let length = length(program, is_pure, &method.name, &read)?;
        let Read {
            statements,
            mut asserted,
            throwing,
            ..
        } = read;
        asserted.sort_unstable();
        asserted.dedup();
        let sequence = Sequence::new(statements);
        check(program, &sequence).ok()?;
        Some(ReadTest {
            name: method.name.to_string(),
            sequence,
            length,
            asserted,
            throws: throwing.is_some(),
        })
    });
    read.collect()
}

/// The statements before those that only observe. A call that is asserted where it stands may be what the test is about, or
/// ask what came of the statement before: its name tells, and that it changes something.
fn length(
    program: &Program,
    is_pure: &dyn Fn(MethodId) -> bool,
    name: &str,
    read: &Read,
) -> Option<usize> {
    if let Some(thrown) = read.throwing {
        return Some(thrown + 1);
    }
    let is_named = |index: usize| {
        let method = name.split('_').next().unwrap_or(name);
        called(program, &read.statements[index]).is_some_and(|called| called == method)
    };
    let is_change = |index: usize| match &read.statements[index] {
        Statement::Call { method, .. } => !is_pure(*method),
        _ => false,
    };
    let asserted = read.asserted.iter().copied();
    let open = asserted.filter(|&index| read.last_plain.is_none_or(|plain| index > plain));
    let named: Vec<usize> = open.clone().filter(|&index| is_named(index)).collect();
    let changing = named.iter().rev().find(|&&index| is_change(index));
    // What is asked of what a call changed may stand by itself: `Money balance = customer.getBalance();`.
    let asked_before = |plain: usize| {
        let call = (0..plain).rev().find(|&index| is_named(index))?;
        let mut behind = call + 1..=plain;
        behind.all(|index| !is_change(index)).then_some(call)
    };
    let about = match (changing.or(named.first()), read.last_plain) {
        // The name tells of either.
        (Some(&index), Some(plain)) if is_named(plain) && !is_change(index) => plain,
        (Some(&index), _) => index,
        (None, Some(plain)) if is_named(plain) => plain,
        (None, Some(plain)) => asked_before(plain).unwrap_or_else(|| {
            let first = open.min().filter(|&first| is_change(first));
            first.unwrap_or(plain)
        }),
        (None, None) => open.min()?,
    };
    Some(about + 1)
}

/// The word by which a test's name calls what it is about.
fn called(program: &Program, statement: &Statement) -> Option<String> {
    let field = |field| program.field(field).name.to_string();
    Some(match statement {
        Statement::Call { method, .. } => {
            let method = program.method(*method);
            if method.is_constructor() {
                let class = &program.class(method.class).name;
                let simple = class.rsplit(['/', '$']).next().unwrap_or(class);
                format!("new{}", crate::variables::capitalised(simple))
            } else {
                method.name.to_string()
            }
        }
        Statement::GetField { field: of, .. } => field(*of),
        Statement::SetField { field: of, .. } => {
            format!("set{}", crate::variables::capitalised(&field(*of)))
        }
        _ => return None,
    })
}

#[cfg(test)]
pub(crate) mod tests;
