//! A subject: Java text, its class files with those of the JDK, and what passing tests of it teach.

use crate::telling::{execution, mine};
use palus_bytecode::{Origin, Program, ProgramBuilder};
use palus_fixture::{compile, platform_class};
use palus_protocols::{
    Checker, Documentation, ExceptionFacts, Protocols, TestRef, Vocabulary, Warnings,
};

/// JDK classes that the examples need.
const PLATFORM: [&str; 10] = [
    "java/lang/Object",
    "java/util/Collection",
    "java/util/List",
    "java/util/AbstractList",
    "java/util/ArrayList",
    "java/util/Vector",
    "java/util/Stack",
    "java/util/Iterator",
    "java/util/ListIterator",
    "java/util/Enumeration",
];

pub struct Subject {
    pub program: Program,
    pub sources: Documentation,
    pub protocols: Protocols,
    pub vocabulary: Vocabulary,
}

impl Subject {
    /// A subject whose passing tests make such calls.
    pub fn new(file: &str, java: &str, passing: &[&str]) -> Self {
        let mut builder = ProgramBuilder::new();
        for name in PLATFORM {
            let bytes = platform_class(name).expect("the JDK has it");
            builder.add(Origin::Platform, &bytes).unwrap();
        }
        for (_, bytes) in &compile(&[(file, java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        let program = builder.finish();
        let mut sources = Documentation::default();
        sources.read_source(java, &|name| program.class_named(name).is_some());
        let mut vocabulary = Vocabulary::default();
        let protocols = mine(&mut vocabulary, passing);
        Subject {
            program,
            sources,
            protocols,
            vocabulary,
        }
    }

    /// The warnings for failing tests.
    pub fn warnings(&mut self, failing: &[&str]) -> Warnings {
        let checker = Checker::new(&self.protocols, &mut self.vocabulary);
        let documentation = [&self.sources, Documentation::of_jdk()];
        let facts = ExceptionFacts::new(&self.program, &documentation);
        let mut warnings = Warnings::default();
        for (number, text) in (0..).zip(failing) {
            let execution = execution(&mut self.vocabulary, text);
            let test = TestRef {
                length: execution.calls.len() as u32,
                number,
            };
            warnings.check(&checker, &facts, &self.vocabulary, &execution, test);
        }
        warnings
    }

    /// A line for each warning: where, what, the state by its number, what it allows, and the test.
    pub fn told(&mut self, failing: &[&str]) -> Vec<String> {
        let warnings = self.warnings(failing);
        let lines = warnings.iter().map(|warning| {
            let expected: Vec<String> = warning.expected.iter().map(ToString::to_string).collect();
            format!(
                "{}: {} throws {} in state {}, which allows {}; test {}",
                warning.site,
                warning.site.called.name,
                warning.exception.rsplit('/').next().unwrap(),
                warning.violation.states[0] + 1,
                expected.join(" "),
                warning.test.number
            )
        });
        lines.collect()
    }
}
