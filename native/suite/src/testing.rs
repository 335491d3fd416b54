//! Tests only: programs from Java text, sequences written step by step, a scripted executor.

pub(crate) mod gates;

use palus_bytecode::{ClassId, Origin, Program, ProgramBuilder, Type};
use palus_fixture::{Compiled, Options, compile_with, platform_class};
use palus_sequence::{
    End, Executor, ExecutorError, Observation, Outcome, Probe, Run, Sequence, Statement, Thrown,
    Value, Variable,
};

/// A compiled subject and its program.
pub(crate) struct Subject {
    pub(crate) program: Program,
    pub(crate) compiled: Compiled,
}

/// Compiles Java files (`demo/Stack.java`, text) to Java 7 class files.
pub(crate) fn subject(files: &[(&str, &str)]) -> Subject {
    subject_for(files, 7)
}

pub(crate) fn subject_for(files: &[(&str, &str)], release: u16) -> Subject {
    let options = Options {
        release: Some(release),
        ..Options::default()
    };
    let compiled = compile_with(files, &options);
    let mut builder = ProgramBuilder::new();
    for (_, bytes) in &compiled.classes {
        builder
            .add(Origin::Subject, bytes)
            .expect("a class of the compiler");
    }
    let used = ["Object", "Error", "Exception", "RuntimeException"]
        .map(|name| format!("java/lang/{name}"));
    let collections =
        ["LinkedList", "HashSet", "ArrayList", "HashMap"].map(|name| format!("java/util/{name}"));
    let files =
        ["Files", "Path", "OpenOption", "LinkOption"].map(|name| format!("java/nio/file/{name}"));
    let more = [
        "java/io/File",
        "java/util/Locale",
        "java/nio/charset/StandardCharsets",
        "java/nio/file/attribute/FileAttribute",
    ];
    let names = used.iter().chain(&collections).chain(&files);
    for name in names.map(String::as_str).chain(more) {
        builder
            .add(
                Origin::Platform,
                &platform_class(name).expect("a JDK class"),
            )
            .expect("a JDK class");
    }
    loop {
        let missing: Vec<_> = builder
            .missing()
            .iter()
            .filter_map(|name| platform_class(name))
            .collect();
        if missing.is_empty() {
            break;
        }
        for bytes in missing {
            builder.add(Origin::Platform, &bytes).expect("a JDK class");
        }
    }
    Subject {
        program: builder.finish(),
        compiled,
    }
}

impl Subject {
    pub(crate) fn class(&self, name: &str) -> ClassId {
        self.program
            .class_named(name)
            .unwrap_or_else(|| panic!("no class {name}"))
    }

    pub(crate) fn script(&self) -> Script<'_> {
        Script {
            program: &self.program,
            sequence: Sequence::default(),
            observations: Vec::new(),
        }
    }
}

/// A sequence in the making, with what it is said to do.
#[derive(Clone)]
pub(crate) struct Script<'a> {
    program: &'a Program,
    sequence: Sequence,
    observations: Vec<Observation>,
}

impl Script<'_> {
    fn push(&mut self, statement: Statement, observation: Observation) -> Variable {
        self.observations.push(observation);
        self.sequence.push(statement)
    }

    pub(crate) fn value(&mut self, value: Value) -> Variable {
        let observation = match &value {
            Value::Null(_) => Observation::Null,
            _ => Observation::Value {
                value: value.clone(),
                boxed: false,
            },
        };
        self.push(Statement::Value(value), observation)
    }

    pub(crate) fn text(&mut self, text: &str) -> Variable {
        self.value(Value::Text(text.into()))
    }

    pub(crate) fn int(&mut self, number: i32) -> Variable {
        self.value(Value::Int(number))
    }

    pub(crate) fn null(&mut self, descriptor: &str) -> Variable {
        self.value(Value::Null(Type::parse(descriptor).expect("a descriptor")))
    }

    pub(crate) fn array(&mut self, element: &str, elements: &[Variable]) -> Variable {
        let element = Type::parse(element).expect("a descriptor");
        self.push(
            Statement::NewArray {
                element,
                elements: elements.to_vec(),
            },
            object("[?"),
        )
    }

    pub(crate) fn lambda(&mut self, interface: &str, returns: Option<Variable>) -> Variable {
        let class = self.program.class_named(interface).expect("an interface");
        let answers = vec![returns];
        self.push(Statement::Stub { class, answers }, object("?"))
    }

    /// A call; `member` is such as `demo/Stack.push(I)V` and resolved up the hierarchy.
    pub(crate) fn call(
        &mut self,
        member: &str,
        receiver: Option<Variable>,
        arguments: &[Variable],
        observation: Observation,
    ) -> Variable {
        let (class, rest) = member.split_once('.').expect("class.name(descriptor)");
        let (name, _) = rest.split_once('(').expect("class.name(descriptor)");
        let id = self
            .program
            .class_named(class)
            .unwrap_or_else(|| panic!("no class {class}"));
        let method = self
            .program
            .find_method(id, name, &rest[name.len()..])
            .unwrap_or_else(|| panic!("no method {member}"));
        self.push(
            Statement::Call {
                method,
                receiver,
                arguments: arguments.to_vec(),
            },
            observation,
        )
    }

    pub(crate) fn construct(
        &mut self,
        class: &str,
        descriptor: &str,
        arguments: &[Variable],
    ) -> Variable {
        self.call(
            &format!("{class}.<init>{descriptor}"),
            None,
            arguments,
            object(class),
        )
    }

    pub(crate) fn void(
        &mut self,
        member: &str,
        receiver: Variable,
        arguments: &[Variable],
    ) -> Variable {
        self.call(member, Some(receiver), arguments, Observation::Nothing)
    }

    /// The run up to here, completed.
    pub(crate) fn run(&self) -> Run {
        let outcome = Outcome::new(End::Completed, self.observations.clone());
        Run {
            sequence: self.sequence.clone(),
            outcome,
        }
    }

    /// The run whose last statement threw.
    pub(crate) fn threw(&self, class: &str) -> Run {
        let mut run = self.run();
        run.outcome.observations.pop();
        run.outcome.end = thrown(run.sequence.len() as u32 - 1, class);
        run
    }
}

pub(crate) fn thrown(statement: u32, class: &str) -> End {
    End::Threw(Thrown {
        statement,
        class: class.into(),
        message: None,
        top_frame: None,
        fields: Vec::new(),
    })
}

pub(crate) fn object(class: &str) -> Observation {
    Observation::Object {
        class: class.into(),
        profile: None,
        same_as: None,
        content: None,
    }
}

pub(crate) fn int(number: i32) -> Observation {
    Observation::Value {
        value: Value::Int(number),
        boxed: false,
    }
}

/// An executor that answers by a function and counts its fresh starts.
pub(crate) struct FakeExecutor<F> {
    pub(crate) answer: F,
    pub(crate) begins: usize,
    pub(crate) forgets: usize,
}

impl<F: FnMut((usize, usize), &Sequence) -> Outcome> Executor for FakeExecutor<F> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.begins += 1;
        Ok(())
    }

    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.forgets += 1;
        Ok(())
    }

    fn watch(&mut self, _probes: &[Probe]) -> Result<(), ExecutorError> {
        Ok(())
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        Ok(batch
            .iter()
            .map(|sequence| (self.answer)((self.begins, self.forgets), sequence))
            .collect())
    }
}

/// An executor that runs so many sequences, as one that has so much time.
pub(crate) struct Limited<E> {
    pub(crate) executor: E,
    /// How many it may still run, and how many without the part that is taken.
    left: usize,
    kept: Vec<usize>,
}

impl<E> Limited<E> {
    pub(crate) fn to(left: usize, executor: E) -> Limited<E> {
        Limited {
            executor,
            left,
            kept: Vec::new(),
        }
    }

    fn check(&self) -> Result<(), ExecutorError> {
        match self.left {
            0 => Err(ExecutorError::OutOfTime),
            _ => Ok(()),
        }
    }
}

impl<E: Executor> Executor for Limited<E> {
    fn begin(&mut self) -> Result<(), ExecutorError> {
        self.check()?;
        self.executor.begin()
    }

    fn take_part_of_time(&mut self, percent: Option<u32>) {
        match percent {
            Some(percent) => {
                let part = (self.left as u128 * u128::from(percent) / 100) as usize;
                self.kept.push(self.left - part);
                self.left = part;
            }
            None => self.left += self.kept.pop().expect("a part is taken"),
        }
    }

    fn forget(&mut self) -> Result<(), ExecutorError> {
        self.executor.forget()
    }

    fn watch(&mut self, probes: &[Probe]) -> Result<(), ExecutorError> {
        self.executor.watch(probes)
    }

    fn execute(&mut self, batch: &[Sequence]) -> Result<Vec<Outcome>, ExecutorError> {
        self.check()?;
        self.left = self.left.saturating_sub(batch.len());
        self.executor.execute(batch)
    }
}
