//! Whatever well-formed sequence comes, its text compiles without a warning.

use super::javac::compile;
use super::printed::{style, test, test_class};
use super::shapes::SHAPES;
use crate::testing::{Subject, subject};
use crate::{TestFramework, print};
use palus_bytecode::{ClassId, MethodId, Type};
use palus_sequence::{End, Outcome, Run, Sequence, Statement, Value, Variable, check};
use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};

const JDK: &[&str] = &[
    "java/util/ArrayList",
    "java/util/LinkedList",
    "java/util/HashMap",
    "java/util/HashSet",
    "java/util/List",
    "java/util/Map",
    "java/util/Collection",
    "java/util/Iterator",
    "java/util/Comparator",
    "java/lang/String",
    "java/lang/Integer",
    "java/lang/Comparable",
    "java/lang/Iterable",
];

struct Maker<'a> {
    subject: &'a Subject,
    methods: Vec<MethodId>,
    random: TestRng,
}

impl Maker<'_> {
    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end as u64) as usize
    }

    fn sequence(&mut self) -> Sequence {
        let mut sequence = Sequence::default();
        for _ in 0..40 {
            let chosen = self.below(self.methods.len());
            let method = self.methods[chosen];
            let mut next = sequence.clone();
            if self.call(&mut next, method).is_some() && check(&self.subject.program, &next).is_ok()
            {
                sequence = next;
            }
            if sequence.len() > 14 {
                break;
            }
        }
        sequence
    }

    fn call(&mut self, sequence: &mut Sequence, id: MethodId) -> Option<()> {
        let method = self.subject.program.method(id).clone();
        let owner = Type::Object(self.subject.program.class(method.class).name.clone());
        let is_constructor = method.is_constructor();
        let receiver = if is_constructor || method.access.is_static() {
            None
        } else {
            Some(self.existing(sequence, &owner)?)
        };
        let mut arguments = Vec::new();
        for wanted in &method.method_type.parameters {
            arguments.push(self.argument(sequence, wanted)?);
        }
        sequence.push(Statement::Call {
            method: id,
            receiver,
            arguments,
        });
        Some(())
    }

    fn existing(&mut self, sequence: &Sequence, wanted: &Type) -> Option<Variable> {
        let fitting: Vec<Variable> = (0..sequence.len() as u32)
            .map(Variable)
            .filter(|&variable| {
                let own = sequence.type_of(&self.subject.program, variable);
                let is_null = matches!(
                    sequence.statements()[variable.index()],
                    Statement::Value(Value::Null(_))
                );
                let object = own == Type::object("java/lang/Object");
                own.is_reference()
                    && !is_null
                    && (object || self.subject.program.is_assignable(&own, wanted))
            })
            .collect();
        if fitting.is_empty() {
            None
        } else {
            Some(fitting[self.below(fitting.len())])
        }
    }

    fn argument(&mut self, sequence: &mut Sequence, wanted: &Type) -> Option<Variable> {
        let choice = self.below(4);
        if wanted.is_reference()
            && choice != 0
            && let Some(found) = self.existing(sequence, wanted)
        {
            return Some(found);
        }
        let program = &self.subject.program;
        let value = match wanted {
            Type::Boolean => Value::Boolean(choice > 1),
            Type::Byte => Value::Byte(-1),
            Type::Char => Value::Char(0x41),
            Type::Short => Value::Short(2),
            Type::Int => Value::Int([-1, 0, 1, 2][choice]),
            Type::Long => Value::Long(3),
            Type::Float => Value::Float(1.5_f32.to_bits()),
            Type::Double => Value::Double(2.5_f64.to_bits()),
            Type::Void => return None,
            Type::Array(element) => {
                let first = self.argument(sequence, element)?;
                return Some(sequence.push(Statement::NewArray {
                    element: (**element).clone(),
                    elements: vec![first],
                }));
            }
            Type::Object(name) => {
                let interface = program
                    .class_named(name)
                    .filter(|&id| palus_sequence::is_functional(program, id));
                if let Some(interface) = interface.filter(|_| choice > 1) {
                    return Some(sequence.push(Statement::Stub {
                        class: interface,
                        answers: vec![None],
                    }));
                }
                match (&**name, choice) {
                    (_, 0) => Value::Null(wanted.clone()),
                    ("java/lang/Object", 1) | ("java/lang/Integer" | "java/lang/Number", _) => {
                        Value::Int([0, 1, 2, 300][choice])
                    }
                    ("java/lang/Class", _) => Value::ClassLiteral(Type::object("java/lang/String")),
                    (
                        "java/lang/Object"
                        | "java/lang/String"
                        | "java/lang/CharSequence"
                        | "java/lang/Comparable",
                        _,
                    ) => Value::Text("t".into()),
                    _ => Value::Null(wanted.clone()),
                }
            }
        };
        Some(sequence.push(Statement::Value(value)))
    }
}

fn check_random(framework: TestFramework, language_level: u32, seed: u8) {
    let subject = subject(SHAPES);
    let program = &subject.program;
    let jdk = JDK.iter().filter_map(|name| program.class_named(name));
    let own = subject
        .compiled
        .classes
        .iter()
        .filter_map(|(name, _)| program.class_named(name));
    let classes: Vec<ClassId> = own.chain(jdk).collect();
    let is_old = |id: MethodId| {
        // Only what Java 7 had: the text is compiled against its class library.
        let method = program.method(id);
        let mentioned = format!("{}{}", method.name, method.descriptor);
        !mentioned.contains("java/util/function")
            && !mentioned.contains("java/util/stream")
            && (program.class(method.class).origin == palus_bytecode::Origin::Subject
                || method.code.is_some()
                || !method.access.is_static())
    };
    let methods = classes
        .iter()
        .flat_map(|&class| program.class(class).methods.iter().copied())
        .filter(|&id| {
            let method = program.method(id);
            let makes_abstract =
                method.is_constructor() && program.class(method.class).access.is_abstract();
            program.is_method_accessible(id, "demo")
                && !makes_abstract
                && is_old(id)
                && is_in_java_7(&method.name)
        })
        .collect();
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed; 32]);
    let mut maker = Maker {
        subject: &subject,
        methods,
        random,
    };
    let mut tests = Vec::new();
    for number in 0..150 {
        let sequence = maker.sequence();
        if crate::typing::type_sequence(program, "demo", &sequence).is_some() {
            let outcome = Outcome::new(End::Completed, Vec::new());
            tests.push(test(
                &format!("random_{number}"),
                Run { sequence, outcome },
                Vec::new(),
            ));
        }
    }
    assert!(tests.len() > 100, "{} of 150 can be written", tests.len());
    let style = style(framework, language_level);
    let class = test_class(&subject, "demo/Shapes", tests);
    let source = print(program, &class, &style);
    compile(
        &subject,
        "demo/ShapesPalusTest",
        &source.text,
        &style,
        language_level,
    );
}

/// Methods that later releases added to old classes.
fn is_in_java_7(name: &str) -> bool {
    ![
        "of",
        "ofEntries",
        "entry",
        "copyOf",
        "addFirst",
        "addLast",
        "getFirst",
        "getLast",
        "removeFirst",
        "removeLast",
        "reversed",
        "strip",
        "stripLeading",
        "stripTrailing",
        "stripIndent",
        "repeat",
        "isBlank",
        "indent",
        "compare",
        "translateEscapes",
        "formatted",
        "parseInt",
        "parseUnsignedInt",
        "toArray",
        "describeConstable",
        "resolveConstantDesc",
        "chars",
        "codePoints",
        "lines",
        "join",
        "transform",
        "getOrDefault",
        "putIfAbsent",
        "replace",
        "sort",
        "reverseOrder",
        "naturalOrder",
        "nullsFirst",
        "nullsLast",
        "comparingByKey",
        "comparingByValue",
        "thenComparing",
        "spliterator",
        "hashCode",
        "toUnsignedString",
        "toUnsignedLong",
        "divideUnsigned",
        "remainderUnsigned",
        "compareUnsigned",
        "sum",
        "max",
        "min",
        "compareTo",
        "remove",
        "newHashMap",
        "newHashSet",
        "forEachRemaining",
        "reversed",
        "stream",
        "isLatin1",
    ]
    .contains(&name)
}

#[test]
fn any_sequence_compiles_on_java_7() {
    check_random(TestFramework::Junit4Early, 7, 1);
}

#[test]
fn any_sequence_compiles_on_java_8() {
    check_random(TestFramework::Junit4, 8, 2);
}

#[test]
fn any_sequence_compiles_on_java_17() {
    check_random(TestFramework::Jupiter, 17, 3);
}
