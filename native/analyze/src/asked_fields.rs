//! Static fields that a body fills by what it asked, and whether it answers by that.
//!
//! Comes in: a body, and which of its instructions ask. Goes out: the static fields whose value, or
//! whose being stored at all, depends on one of them, also where an object in the field was made or changed by it; and
//! whether what it returns does. A call on what a field holds, or with it, changes that if it is of the program's own or of
//! `java.util`, or if it asks; loggers tell, and keep nothing.
//! Does not know: what asking means, and what callees store.
//!
//! ```text
//! static final String STAGE = System.getenv("STAGE");              // STAGE
//! static final Map<String, String> ALL = new HashMap<>();          // ALL, through the call on it
//! static { ALL.put("stage", STAGE); }
//! static int hits = 0;                                             // not hits
//! ```

use crate::control_dependence::ControlDependence;
use crate::data_dependence::{DataDependence, Source};
use crate::guarded::Guarded;
use palus_bytecode::{Code, FieldId, FieldName, Method, Operation, Program, Type};
use std::collections::BTreeSet;

/// Instructions of one body of which it is told one by one whether they depend on others.
const MOST_TOLD: usize = 64;

/// The static fields that a body fills by what `asking` instructions give.
pub(crate) fn filled<'a>(
    method: &Method,
    code: &'a Code,
    asking: &BTreeSet<u32>,
) -> Vec<&'a FieldName> {
    let uses = uses(code);
    let Some(body) = Body::of(method, code) else {
        return uses.into_iter().map(|(_, field)| field).collect();
    };
    let mut found: Vec<&FieldName> = Vec::new();
    for (at, field) in uses {
        if !found.contains(&field) && body.depends(at, asking) {
            found.push(field);
        }
    }
    found
}

/// True if what a body returns depends on one of the instructions that ask; also where that cannot be told.
pub(crate) fn answers(method: &Method, code: &Code, asking: &BTreeSet<u32>) -> bool {
    let operations = (0..).zip(code.instructions.iter().map(|one| &one.operation));
    let returns = operations
        .filter(|(_, operation)| matches!(operation, Operation::Return { value: true }))
        .map(|(at, _)| at);
    depend(method, code, asking, returns.collect())
}

/// True if one of these instructions, what it is given or whether it runs depends on one of those that ask; also where that
/// cannot be told.
pub(crate) fn depend(
    method: &Method,
    code: &Code,
    asking: &BTreeSet<u32>,
    instructions: Vec<u32>,
) -> bool {
    if instructions.is_empty() {
        return false;
    }
    let body = Body::of(method, code);
    body.is_none_or(|body| body.comes_from(instructions, asking))
}

/// Those of these instructions that do; all of many where one does, as telling which would take long.
pub(crate) fn dependent(
    method: &Method,
    code: &Code,
    asking: &BTreeSet<u32>,
    mut instructions: Vec<u32>,
) -> Vec<u32> {
    if instructions.is_empty() {
        return instructions;
    }
    let Some(body) = Body::of(method, code) else {
        return instructions;
    };
    if !body.comes_from(instructions.clone(), asking) {
        return Vec::new();
    }
    if instructions.len() <= MOST_TOLD {
        instructions.retain(|&at| body.comes_from(vec![at], asking));
    }
    instructions
}

/// Instructions of a body that read one of these fields.
pub(crate) fn reads<'a>(
    program: &'a Program,
    code: &'a Code,
    fields: &'a BTreeSet<FieldId>,
) -> impl Iterator<Item = u32> + 'a {
    let operations = (0..).zip(code.instructions.iter().map(|one| &one.operation));
    operations.filter_map(|(at, operation)| match operation {
        Operation::GetField { field, .. } if !fields.is_empty() => {
            let field = program.resolve_field(field)?;
            fields.contains(&field).then_some(at)
        }
        _ => None,
    })
}

/// Where static fields are stored or read.
fn uses(code: &Code) -> Vec<(u32, &FieldName)> {
    let operations = (0..).zip(code.instructions.iter().map(|one| &one.operation));
    let uses = operations.filter_map(|(at, operation)| match operation {
        Operation::GetField {
            field,
            is_static: true,
        }
        | Operation::PutField {
            field,
            is_static: true,
        } => Some((at, &**field)),
        _ => None,
    });
    uses.collect()
}

struct Body<'a> {
    code: &'a Code,
    control: ControlDependence,
    data: DataDependence,
}

impl Body<'_> {
    /// None where the flow of its data cannot be told.
    fn of<'a>(method: &Method, code: &'a Code) -> Option<Body<'a>> {
        let control = ControlDependence::of(code);
        let data = DataDependence::of(method, code, control.flow())?;
        Some(Body {
            code,
            control,
            data,
        })
    }

    /// True if what a static field is given, or whether it is, depends on an instruction that asks; `at` is where it is
    /// stored or read.
    fn depends(&self, at: u32, asking: &BTreeSet<u32>) -> bool {
        let is_stored = matches!(self.operation(at), Operation::PutField { .. });
        if is_stored {
            return self.comes_from(vec![at], asking);
        }
        if !self.holds_what_changes(at) {
            return false;
        }
        let mut changes = self.changes(at, asking);
        changes.retain(|&change| change != at);
        self.comes_from(changes, asking)
    }

    /// True if one of these, or what they are given, depends on an instruction that asks.
    fn comes_from(&self, mut open: Vec<u32>, asking: &BTreeSet<u32>) -> bool {
        let mut seen: BTreeSet<u32> = open.iter().copied().collect();
        while let Some(at) = open.pop() {
            if asking.contains(&at) {
                return true;
            }
            let operands = self.data.operands(at).iter().flatten();
            let made_by = operands.filter_map(|source| match source {
                Source::Instruction(maker) => Some(*maker),
                Source::Parameter(_) | Source::Caught => None,
            });
            let jumps = self.control.flow().jumps();
            let deciding = self.control.controllers_of(at).iter();
            let deciding = deciding.map(|&(jump, _)| jumps[jump as usize].instruction);
            let mut next: Vec<u32> = made_by.chain(deciding).collect();
            if self.hands_on(at) || self.makes(at) {
                next.extend(self.uses(at));
            }
            open.extend(next.into_iter().filter(|&one| seen.insert(one)));
        }
        false
    }

    fn operation(&self, at: u32) -> &Operation {
        &self.code.instructions[at as usize].operation
    }

    /// False for a field of texts, numbers, and other values that nobody changes.
    fn holds_what_changes(&self, read: u32) -> bool {
        match self.operation(read) {
            Operation::GetField { field, .. } => match &field.field_type {
                Type::Object(name) => {
                    !name.starts_with("java/lang/") || name.starts_with("java/lang/StringBu")
                }
                Type::Array(_) => true,
                _ => false,
            },
            _ => false,
        }
    }

    fn makes(&self, at: u32) -> bool {
        matches!(
            self.operation(at),
            Operation::New(_) | Operation::NewArray { .. }
        )
    }

    fn hands_on(&self, at: u32) -> bool {
        matches!(
            self.operation(at),
            Operation::Load { .. } | Operation::Store { .. }
        )
    }

    /// What may change the object that a static field holds, where that is read.
    fn changes(&self, read: u32, asking: &BTreeSet<u32>) -> Vec<u32> {
        let mut open = vec![read];
        let mut seen = BTreeSet::from([read]);
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            for user in self.uses(at) {
                let is_change = match self.operation(user) {
                    Operation::Invoke { method, .. } => {
                        let may_fill = asking.contains(&user) && !is_logger(&method.owner);
                        may_fill || keeps(&method.owner)
                    }
                    _ => !self.hands_on(user),
                };
                if is_change {
                    found.push(user);
                } else if self.hands_on(user) && seen.insert(user) {
                    open.push(user);
                }
            }
        }
        found
    }

    /// Instructions that hand on, or may change, the object or array that an instruction made.
    fn uses(&self, maker: u32) -> impl Iterator<Item = u32> {
        let operations = (0..).zip(self.code.instructions.iter().map(|one| &one.operation));
        operations.filter_map(move |(at, operation)| {
            let may_change = matches!(
                operation,
                Operation::Invoke { .. }
                    | Operation::PutField { .. }
                    | Operation::ArrayStore
                    | Operation::Load { .. }
                    | Operation::Store { .. }
            );
            let first = self.data.operands(at).first();
            let is_on = first.is_some_and(|from| from.contains(&Source::Instruction(maker)));
            (may_change && is_on).then_some(at)
        })
    }
}

/// True if objects of a class may keep what they are called with: those of the program and its libraries, and the JDK's
/// collections and texts. Loggers tell, and keep nothing.
fn keeps(owner: &str) -> bool {
    const KEEPING: [&str; 3] = [
        "java/util/",
        "java/lang/StringBuilder",
        "java/lang/StringBuffer",
    ];
    const JDKS: [&str; 4] = ["java/", "javax/", "jdk/", "sun/"];
    let begins = |with: &[&str]| with.iter().any(|start| owner.starts_with(start));
    if begins(&JDKS) {
        begins(&KEEPING) && !is_logger(owner)
    } else {
        !is_logger(owner)
    }
}

/// True for what only tells what is logged.
fn is_logger(owner: &str) -> bool {
    owner.starts_with("java/util/logging/") || Guarded::read().logging.has(owner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;

    /// The static fields of a class that its initialiser fills by what it reads from the environment.
    fn asked(body: &str) -> String {
        let program = program(&[(
            "A.java",
            &format!("import java.util.*; class A {{ {body} }}"),
        )]);
        let initializer = crate::fixture::method(&program, "A.<clinit>");
        let method = program.method(initializer);
        let code = method.code.as_ref().unwrap();
        let fields = filled(method, code, &getenv(code)).into_iter();
        fields
            .map(|field| &*field.name)
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Where a body asks for a variable.
    fn getenv(code: &Code) -> BTreeSet<u32> {
        let operations = (0..).zip(code.instructions.iter().map(|one| &one.operation));
        let asking = operations.filter(|(_, operation)| matches!(operation, Operation::Invoke { method, .. } if &*method.name == "getenv"));
        asking.map(|(at, _)| at).collect()
    }

    #[test]
    fn a_value_that_was_asked_and_what_is_made_of_it_are_asked() {
        let body = "static String a = System.getenv(\"A\"); static int n = 3; \
            static int length = a.length() + n; static boolean is = n > 2;";
        assert_eq!(asked(body), "a");
        let body = "static int length; static { String a = System.getenv(\"A\"); length = a.length() + 1; }";
        assert_eq!(asked(body), "length");
    }

    #[test]
    fn a_body_answers_by_what_it_asked_where_its_result_depends_on_it() {
        let body = "static String direct() { return System.getenv(\"A\"); } \
            static int decided() { if (System.getenv(\"A\") != null) return 1; return 2; } \
            static int beside() { System.getenv(\"A\"); return 1; } static void none() { System.getenv(\"A\"); }";
        let program = program(&[("A.java", &format!("class A {{ {body} }}"))]);
        let does_answer = |name: &str| {
            let method = program.method(crate::fixture::method(&program, name));
            let code = method.code.as_ref().unwrap();
            answers(method, code, &getenv(code))
        };
        assert!(does_answer("A.direct") && does_answer("A.decided"));
        assert!(!does_answer("A.beside") && !does_answer("A.none"));
    }

    #[test]
    fn so_is_what_is_stored_only_because_of_an_answer() {
        let body = "static int mode, other; static { other = 1; if (System.getenv(\"A\") != null) mode = 2; }";
        assert_eq!(asked(body), "mode");
    }

    #[test]
    fn so_is_an_object_that_a_call_which_asks_is_given_and_one_of_the_programs_own() {
        let body = "static String[] all = new String[1]; static StringBuilder text = new StringBuilder(); \
            static Row row = new Row(); static Object calm = new Object(); \
            static class Row { String is; void put(String is) { this.is = is; } } \
            static String getenv(Object into) { return \"\"; } \
            static { getenv(all); row.put(System.getenv(\"A\")); calm.hashCode(); \
              if (System.getenv(\"B\") != null) text.append('x'); }";
        assert_eq!(asked(body), "all row text");
    }

    #[test]
    fn so_is_an_object_that_was_made_or_changed_by_it() {
        let body = "static Map<String, String> all = new HashMap<>(), none = new HashMap<>(); \
            static { all.put(\"a\", System.getenv(\"A\")); none.put(\"a\", \"b\"); }";
        assert_eq!(asked(body), "all");
        let body = "static StringBuilder text, calm = new StringBuilder(\"x\"); \
            static { StringBuilder b = new StringBuilder(); b.append(System.getenv(\"A\")); text = b; }";
        assert_eq!(asked(body), "text");
        let body = "static final boolean[] IS = new boolean[1]; static final Map<String, String> ALL = new HashMap<>(); \
            static List<String> calm = new ArrayList<>(); \
            static { IS[0] = System.getenv(\"A\") != null; ALL.put(\"a\", System.getenv(\"A\")); calm.add(\"b\"); }";
        assert_eq!(asked(body), "IS ALL");
        let body = "static String[] row; static { String[] r = new String[1]; r[0] = System.getenv(\"A\"); row = r; }";
        assert_eq!(asked(body), "row");
    }
}
