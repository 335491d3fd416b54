//! Constants in the code of a class, for value pools.
//!
//! Comes in: a class of the program, or some methods. Goes out: [`Constants`], each with how often it stands there, in order of first
//! appearance: constant fields first, then the bodies in class-file order.
//! Does not know: which constants are worth trying, or their neighbours.
//!
//! The cases of a `switch` over strings are compiled to the strings' hash codes; those are left out, the strings
//! themselves follow in the code.

use palus_bytecode::{Class, Code, MethodId, Operation, Program, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Constants in the code of one class, each with how often it stands there, in order of first appearance.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Constants {
    /// int, short, byte, char and boolean constants and switch keys.
    pub ints: Vec<(i32, u32)>,
    /// long constants.
    pub longs: Vec<(i64, u32)>,
    /// float constants by their bits.
    pub floats: Vec<(u32, u32)>,
    /// double constants by their bits.
    pub doubles: Vec<(u64, u32)>,
    /// String constants that source text can write.
    pub texts: Vec<(Arc<str>, u32)>,
    /// Class literals and types tested by `instanceof` or cast to.
    pub types: Vec<(Type, u32)>,
}

/// Collects the constants of a class.
pub(crate) fn of(program: &Program, class: &Class) -> Constants {
    let mut found = Collector::default();
    for &field in &class.fields {
        if let Some(constant) = &program.field(field).constant {
            found.operation(constant);
        }
    }
    for &method in &class.methods {
        if let Some(code) = &program.method(method).code {
            found.code(code);
        }
    }
    found.constants()
}

impl Constants {
    /// The constants of some bodies.
    pub fn of_methods(program: &Program, methods: impl Iterator<Item = MethodId>) -> Constants {
        let mut found = Collector::default();
        for code in methods.filter_map(|method| program.method(method).code.as_ref()) {
            found.code(code);
        }
        found.constants()
    }
}

#[derive(Default)]
struct Collector {
    ints: Counted<i32>,
    longs: Counted<i64>,
    floats: Counted<u32>,
    doubles: Counted<u64>,
    texts: Counted<Arc<str>>,
    types: Counted<Type>,
}

impl Collector {
    fn constants(self) -> Constants {
        Constants {
            ints: self.ints.list,
            longs: self.longs.list,
            floats: self.floats.list,
            doubles: self.doubles.list,
            texts: self.texts.list,
            types: self.types.list,
        }
    }

    fn code(&mut self, code: &Code) {
        let mut before: Option<&Operation> = None;
        for instruction in &code.instructions {
            match &instruction.operation {
                Operation::Switch { cases, .. } if !before.is_some_and(is_string_hash) => {
                    for (key, _) in cases {
                        self.ints.add(*key);
                    }
                }
                operation => self.operation(operation),
            }
            before = Some(&instruction.operation);
        }
    }

    fn operation(&mut self, operation: &Operation) {
        match operation {
            Operation::Int(value) => self.ints.add(*value),
            Operation::Long(value) => self.longs.add(*value),
            Operation::Float(value) => self.floats.add(value.to_bits()),
            Operation::Double(value) => self.doubles.add(value.to_bits()),
            // A replacement character stands for half a surrogate pair, which no source text can hold.
            Operation::Text(text) if !text.contains('\u{fffd}') => self.texts.add(Arc::clone(text)),
            Operation::ClassLiteral(named)
            | Operation::InstanceOf(named)
            | Operation::Cast(named) => {
                self.types.add(named.clone());
            }
            _ => {}
        }
    }
}

fn is_string_hash(operation: &Operation) -> bool {
    matches!(operation, Operation::Invoke { method, .. }
        if &*method.owner == "java/lang/String" && &*method.name == "hashCode")
}

struct Counted<T> {
    list: Vec<(T, u32)>,
    places: BTreeMap<T, usize>,
}

impl<T> Default for Counted<T> {
    fn default() -> Self {
        Counted {
            list: Vec::new(),
            places: BTreeMap::new(),
        }
    }
}

impl<T: Clone + Ord> Counted<T> {
    fn add(&mut self, value: T) {
        if let Some(&place) = self.places.get(&value) {
            self.list[place].1 += 1;
        } else {
            self.places.insert(value.clone(), self.list.len());
            self.list.push((value, 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::program;

    #[test]
    fn constants_are_counted_in_order_of_first_appearance() {
        let program = program(&[(
            "A.java",
            "class A { static final int LIMIT = 42; static final String NAME = \"n\"; \
             double m(Object o, int x) { switch (x) { case 7: return 0.5; case 900: return -2.5f; } \
             if (o instanceof Runnable) return 7L + 42 + x; return \"tag\".equals(o) ? 0.5 : LIMIT; } \
             int s(String s) { switch (s) { case \"one\": return 1; default: return 0; } } }",
        )]);
        let found = of(&program, program.class(program.class_named("A").unwrap()));
        assert_eq!(found.ints[..3], [(42, 1), (7, 1), (900, 1)]);
        let hash = 110_182; // "one".hashCode()
        assert!(
            found.ints.iter().all(|(value, _)| *value != hash),
            "{:?}",
            found.ints
        );
        assert_eq!(found.longs, [(49, 1)]);
        assert_eq!(found.doubles[0], (0.5f64.to_bits(), 2));
        assert_eq!(found.texts[..2], [("n".into(), 1), ("tag".into(), 1)]);
        assert_eq!(found.texts[2], ("one".into(), 1));
        assert_eq!(found.types, [(Type::object("java/lang/Runnable"), 1)]);
    }

    #[test]
    fn text_that_source_cannot_write_is_left_out() {
        let program = program(&[(
            "A.java",
            "class A { String m() { return \"\\ud83d\" + \"x\"; } }",
        )]);
        let found = of(&program, program.class(program.class_named("A").unwrap()));
        assert_eq!(found.texts, []);
    }
}
