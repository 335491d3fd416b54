//! Constants for arguments: the paper's defaults, those of the subject's code and their neighbours, recorded ones, and
//! values that calls returned.
//!
//! Comes in: [`palus_analyze::Constants`], recorded values, observed values. Goes out: a drawn [`Value`] of a wanted type.
//! Defaults: Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011.
//! Does not know: methods, sequences.

use crate::platform::CLASSES;
use crate::rng::Rng;
use palus_bytecode::Type;
use palus_sequence::Value;
use std::sync::Arc;

/// Values per type that came from runs; later ones replace drawn ones.
const MAXIMUM_SEEN: usize = 48;
/// The same in a plain pool, which has nothing else beside the paper's constants.
const MAXIMUM_SEEN_PLAIN: usize = 400;
/// Longer texts are not used as arguments.
const LONGEST_TEXT: usize = 200;
/// In the names of classes and files that a worker makes; text that tells them means nothing in a test.
const WORKERS_OWN: &str = "Palus$";
/// Numbers drawn without a pool have this deviation, and texts at most so many characters.
const BLIND_DEVIATION: f64 = 2048.0;
const BLIND_TEXT: usize = 20;
/// Share of class literals that are of any kind, in percent.
const OTHER_CLASSES: usize = 30;
/// Larger sizes make collections and arrays that use up memory.
const LARGE: i64 = 100_000;

/// The values of one type.
#[derive(Clone, Debug, Default)]
struct Values {
    defaults: Vec<Value>,
    /// From code.
    facts: Vec<Value>,
    /// From traces and runs.
    seen: Vec<Value>,
}

/// Constants of all types.
#[derive(Debug)]
pub(crate) struct ConstantPool {
    /// boolean, byte, char, short, int, long, float, double, text.
    values: [Values; 9],
    /// Class literals that mean something to the code.
    classes: Vec<Type>,
    /// Class literals of all kinds.
    all_kinds: Vec<Type>,
    /// After a crash, large numbers are no longer drawn.
    pub without_large: bool,
    /// True if there is nothing but the paper's constants and those seen, each as likely as any other.
    is_plain: bool,
    /// True if there are no constants at all: each is drawn blindly.
    is_blind: bool,
}

fn slot(wanted: &Type) -> Option<usize> {
    Some(match wanted {
        Type::Boolean => 0,
        Type::Byte => 1,
        Type::Char => 2,
        Type::Short => 3,
        Type::Int => 4,
        Type::Long => 5,
        Type::Float => 6,
        Type::Double => 7,
        Type::Object(name) if &**name == "java/lang/String" => 8,
        _ => return None,
    })
}

fn slot_of(value: &Value) -> Option<usize> {
    match value {
        Value::Text(_) => Some(8),
        Value::Null(_)
        | Value::EnumConstant { .. }
        | Value::ClassLiteral(_)
        | Value::StaticField(_) => None,
        other => slot(&other.plain_type()?),
    }
}

impl ConstantPool {
    /// The defaults and the constants of the subject's code.
    pub fn new<'a>(
        facts: impl Iterator<Item = &'a palus_analyze::Constants>,
        subjects: &[Type],
    ) -> ConstantPool {
        let mut pool = ConstantPool::empty();
        pool.paper_defaults();
        pool.more_defaults();
        for constants in facts {
            for &(value, _) in &constants.ints {
                for near in [value, value.wrapping_sub(1), value.wrapping_add(1)] {
                    pool.fact(4, Value::Int(near));
                    pool.fact(5, Value::Long(i64::from(near)));
                    if let Ok(near) = i8::try_from(near) {
                        pool.fact(1, Value::Byte(near));
                    }
                    if let Ok(near) = u16::try_from(near) {
                        pool.fact(2, Value::Char(near));
                    }
                    if let Ok(near) = i16::try_from(near) {
                        pool.fact(3, Value::Short(near));
                    }
                }
                pool.fact(7, Value::Double(f64::from(value).to_bits()));
            }
            for &(value, _) in &constants.longs {
                for near in [value, value.wrapping_sub(1), value.wrapping_add(1)] {
                    pool.fact(5, Value::Long(near));
                }
            }
            for &(value, _) in &constants.floats {
                pool.fact(6, Value::Float(value));
                pool.fact(7, Value::Double(f64::from(f32::from_bits(value)).to_bits()));
            }
            for &(value, _) in &constants.doubles {
                pool.fact(7, Value::Double(value));
            }
            for (text, _) in &constants.texts {
                if text.len() <= LONGEST_TEXT {
                    pool.fact(8, Value::Text(Arc::clone(text)));
                    let characters: Vec<u16> = text.encode_utf16().take(2).collect();
                    if let [only] = characters[..] {
                        pool.fact(2, Value::Char(only));
                    }
                }
            }
            for (named, _) in &constants.types {
                pool.class(named.clone());
            }
        }
        pool.default_classes(subjects);
        pool
    }

    /// The paper's constants alone, to which come those seen in traces and runs.
    pub fn plain(subjects: &[Type]) -> ConstantPool {
        let mut pool = ConstantPool::empty();
        pool.is_plain = true;
        pool.paper_defaults();
        pool.default_classes(subjects);
        pool
    }

    /// No constants: numbers are drawn from the normal distribution, texts character by character, as EvoSuite does
    /// without its pool (Fraser, Arcuri, "EvoSuite", ESEC/FSE 2011).
    pub fn blind(subjects: &[Type]) -> ConstantPool {
        let mut pool = ConstantPool::empty();
        pool.is_blind = true;
        pool.default_classes(subjects);
        pool
    }

    fn empty() -> ConstantPool {
        ConstantPool {
            values: Default::default(),
            classes: Vec::new(),
            all_kinds: all_kinds(),
            without_large: false,
            is_plain: false,
            is_blind: false,
        }
    }

    fn default_classes(&mut self, subjects: &[Type]) {
        for subject in subjects {
            self.class(subject.clone());
        }
        for name in ["java/lang/Object", "java/lang/String", "java/lang/Integer"] {
            self.class(Type::object(name));
        }
    }

    fn paper_defaults(&mut self) {
        let numbers = [-1i8, 0, 1, 10, 100];
        for number in numbers {
            self.values[1].defaults.push(Value::Byte(number));
            self.values[3]
                .defaults
                .push(Value::Short(i16::from(number)));
            self.values[4].defaults.push(Value::Int(i32::from(number)));
            self.values[5].defaults.push(Value::Long(i64::from(number)));
            self.values[6]
                .defaults
                .push(Value::Float(f32::from(number).to_bits()));
            self.values[7]
                .defaults
                .push(Value::Double(f64::from(number).to_bits()));
        }
        self.values[0]
            .defaults
            .extend([Value::Boolean(false), Value::Boolean(true)]);
        self.values[2]
            .defaults
            .extend(['#', ' ', '4', 'a'].map(|character| Value::Char(character as u16)));
        for text in ["", "hi!"] {
            self.values[8].defaults.push(Value::Text(text.into()));
        }
    }

    fn more_defaults(&mut self) {
        for more in [2, 3, 5] {
            self.values[4].defaults.push(Value::Int(more));
        }
        for special in [f64::NAN, f64::INFINITY, 0.5] {
            self.values[7]
                .defaults
                .push(Value::Double(special.to_bits()));
            self.values[6]
                .defaults
                .push(Value::Float((special as f32).to_bits()));
        }
        for text in ["a", "b", "c", "1"] {
            self.values[8].defaults.push(Value::Text(text.into()));
        }
    }

    fn fact(&mut self, slot: usize, value: Value) {
        let values = &mut self.values[slot];
        if values.facts.len() < 400
            && !values.defaults.contains(&value)
            && !values.facts.contains(&value)
        {
            values.facts.push(value);
        }
    }

    fn class(&mut self, named: Type) {
        if !self.classes.contains(&named) {
            self.classes.push(named);
        }
    }

    /// Types the code tests for or casts to.
    pub fn classes(&self) -> &[Type] {
        &self.classes
    }

    /// A value that a trace recorded or a call returned.
    pub fn see(&mut self, rng: &mut Rng, value: &Value) {
        if matches!(value, Value::Text(text) if text.len() > LONGEST_TEXT || text.contains(WORKERS_OWN))
        {
            return;
        }
        let Some(slot) = slot_of(value).filter(|_| !self.is_blind) else {
            return;
        };
        let values = &mut self.values[slot];
        if values.seen.contains(value)
            || values.defaults.contains(value)
            || values.facts.contains(value)
        {
            return;
        }
        let most = if self.is_plain {
            MAXIMUM_SEEN_PLAIN
        } else {
            MAXIMUM_SEEN
        };
        if values.seen.len() < most {
            values.seen.push(value.clone());
        } else if rng.percent(10) {
            let replaced = rng.below(most);
            values.seen[replaced] = value.clone();
        }
    }

    /// A constant of a primitive type or `String`; none for other types.
    pub fn draw(&self, rng: &mut Rng, wanted: &Type) -> Option<Value> {
        let slot = slot(wanted)?;
        if self.is_blind {
            return Some(draw_blindly(rng, slot));
        }
        for _ in 0..8 {
            let value = self.draw_any(rng, slot);
            if !self.without_large || !is_large(&value) {
                return Some(value);
            }
        }
        self.values[slot].defaults.first().cloned()
    }

    /// A constant of code, or a neighbour of one; none where the code has none of the type.
    pub fn draw_fact(&self, rng: &mut Rng, wanted: &Type) -> Option<Value> {
        let value = rng.pick(&self.values[slot(wanted)?].facts)?;
        (!self.without_large || !is_large(value)).then(|| value.clone())
    }

    fn draw_any(&self, rng: &mut Rng, slot: usize) -> Value {
        let values = &self.values[slot];
        if self.is_plain {
            let drawn = rng.below(values.defaults.len() + values.seen.len());
            let mut all = values.defaults.iter().chain(&values.seen);
            return all.nth(drawn).cloned().expect("every type has defaults");
        }
        let from = match rng.below(10) {
            0..=3 if !values.facts.is_empty() => &values.facts,
            4..=5 if !values.seen.is_empty() => &values.seen,
            6..=7 if (3..=5).contains(&slot) => {
                let small = i16::from(rng.below(12) as u8);
                return match slot {
                    3 => Value::Short(small),
                    4 => Value::Int(i32::from(small)),
                    _ => Value::Long(i64::from(small)),
                };
            }
            6 if slot == 2 => return Value::Char(u16::from(b'a') + rng.below(26) as u16),
            _ => &values.defaults,
        };
        rng.pick(from).cloned().expect("every type has defaults")
    }

    /// A class literal.
    pub fn draw_class(&self, rng: &mut Rng) -> Value {
        let is_any = !self.is_plain && !self.is_blind && rng.percent(OTHER_CLASSES);
        let from = if is_any {
            &self.all_kinds
        } else {
            &self.classes
        };
        Value::ClassLiteral(rng.pick(from).cloned().expect("there are default classes"))
    }
}

/// A primitive type, arrays, and classes of each kind.
fn all_kinds() -> Vec<Type> {
    let array = |element| Type::Array(Box::new(element));
    let mut kinds = vec![
        Type::Int,
        array(Type::Int),
        array(Type::object("java/lang/String")),
    ];
    kinds.extend(CLASSES.iter().map(|name| Type::object(name)));
    kinds
}

/// A value of the type at a place of [`ConstantPool::values`], out of nothing.
fn draw_blindly(rng: &mut Rng, slot: usize) -> Value {
    // Twelve even draws are near enough to a normal one.
    let normal = |rng: &mut Rng| (0..12).map(|_| rng.even()).sum::<f64>() - 6.0;
    let wide = |rng: &mut Rng| (normal(rng) * BLIND_DEVIATION).floor();
    match slot {
        0 => Value::Boolean(rng.percent(50)),
        1 => Value::Byte((rng.below(256) as u8).cast_signed()),
        2 => Value::Char(32 + rng.below(96) as u16),
        3 => Value::Short(wide(rng) as i16),
        4 => Value::Int(wide(rng) as i32),
        5 => Value::Long(wide(rng) as i64),
        6 => Value::Float(((normal(rng) * BLIND_DEVIATION) as f32).to_bits()),
        7 => Value::Double((normal(rng) * BLIND_DEVIATION).to_bits()),
        _ => {
            let length = rng.below(BLIND_TEXT + 1);
            let characters = (0..length).map(|_| char::from(32 + rng.below(95) as u8));
            Value::Text(characters.collect::<String>().into())
        }
    }
}

fn is_large(value: &Value) -> bool {
    match value {
        Value::Int(number) => i64::from(*number) > LARGE,
        Value::Long(number) => *number > LARGE,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(pool: &ConstantPool, wanted: &Type) -> Vec<Value> {
        let mut rng = Rng::of(1, "");
        let mut values: Vec<Value> = (0..2000)
            .filter_map(|_| pool.draw(&mut rng, wanted))
            .collect();
        values.sort();
        values.dedup();
        values
    }

    #[test]
    fn constants_of_the_code_are_drawn_with_their_neighbours() {
        let facts = palus_analyze::Constants {
            ints: vec![(4711, 1)],
            ..Default::default()
        };
        let pool = ConstantPool::new([&facts].into_iter(), &[]);
        let values = drawn(&pool, &Type::Int);
        for number in [4710, 4711, 4712, -1, 0, 1, 10, 100] {
            assert!(
                values.contains(&Value::Int(number)),
                "{number} in {values:?}"
            );
        }
    }

    #[test]
    fn text_that_names_classes_of_a_worker_is_not_seen() {
        let mut pool = ConstantPool::plain(&[]);
        let mut rng = Rng::of(0, "t");
        for text in ["t.Palus$Lambda7@1", "t.Pal"] {
            pool.see(&mut rng, &Value::Text(text.into()));
        }
        let values = drawn(&pool, &Type::object("java/lang/String"));
        assert!(values.contains(&Value::Text("t.Pal".into())));
        assert!(!values.contains(&Value::Text("t.Palus$Lambda7@1".into())));
    }

    #[test]
    fn a_plain_pool_has_the_papers_constants_and_what_was_seen() {
        let mut pool = ConstantPool::plain(&[]);
        let ints = [-1, 0, 1, 10, 100].map(Value::Int);
        assert_eq!(drawn(&pool, &Type::Int), ints);
        let text = Type::object("java/lang/String");
        let texts = |values: &[&str]| {
            values
                .iter()
                .map(|&value| Value::Text(value.into()))
                .collect::<Vec<_>>()
        };
        assert_eq!(drawn(&pool, &text), texts(&["", "hi!"]));
        pool.see(&mut Rng::of(0, ""), &Value::Text("recorded".into()));
        assert_eq!(drawn(&pool, &text), texts(&["", "hi!", "recorded"]));
    }

    #[test]
    fn a_blind_pool_knows_nothing() {
        let mut pool = ConstantPool::blind(&[]);
        pool.see(&mut Rng::of(0, ""), &Value::Int(4711));
        let ints = drawn(&pool, &Type::Int);
        assert!(ints.len() > 1_000, "{}", ints.len());
        let texts = drawn(&pool, &Type::object("java/lang/String"));
        assert!(texts.len() > 1_000, "{}", texts.len());
        assert_eq!(drawn(&pool, &Type::Boolean).len(), 2);
    }

    #[test]
    fn large_numbers_end_after_a_crash() {
        let facts = palus_analyze::Constants {
            ints: vec![(i32::MAX, 1)],
            ..Default::default()
        };
        let mut pool = ConstantPool::new([&facts].into_iter(), &[]);
        assert!(drawn(&pool, &Type::Int).contains(&Value::Int(i32::MAX)));
        pool.without_large = true;
        assert!(!drawn(&pool, &Type::Int).contains(&Value::Int(i32::MAX)));
    }

    #[test]
    fn returned_values_are_drawn_later() {
        let mut pool = ConstantPool::new(std::iter::empty(), &[]);
        pool.see(&mut Rng::of(0, ""), &Value::Text("returned".into()));
        assert!(
            drawn(&pool, &Type::object("java/lang/String"))
                .contains(&Value::Text("returned".into()))
        );
    }
}
