//! Findings: violations with their words, as test methods that fail for the reason they name.
//!
//! Comes in: violations of one unit. Goes out: [`Finding`]s, each with its test.
//! Does not know: baselines, files, whether the test fails in a fresh JVM.

use crate::check::Conclusion;
use crate::variables::{capitalised, simple_name};
use crate::violation::Violation;
use crate::written::{Harm, Remark, Test};
use palus_bytecode::{ClassId, MethodId, Origin, Program, binary_name};
use std::collections::BTreeSet;

/// A rule that the subject breaks.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Code of the rule: `P101`.
    pub code: &'static str,
    /// Class in whose package and file the test stands.
    pub subject: ClassId,
    /// The project's class to blame.
    pub owner: ClassId,
    /// The method to blame.
    pub method: MethodId,
    /// Its class in source form, with the package.
    pub class: String,
    /// Its name; a constructor's is that of its class.
    pub member: String,
    /// What is broken, after the method's name: `is not reflexive`.
    pub broken: String,
    /// Exception and top frame, where the violation is an exception: `java.lang.NullPointerException demo.A.f`.
    pub thrown: Option<String>,
    /// The test that fails.
    pub test: Test,
    /// Words of which the failure must hold one.
    pub failure: Vec<String>,
}

impl Finding {
    /// What stays the same from run to run and tells bugs apart: `P101 demo.Account#equals`.
    pub fn identity(&self) -> String {
        let thrown = self.thrown.as_deref().map(|thrown| format!(" {thrown}"));
        format!(
            "{} {}#{}{}",
            self.code,
            self.class,
            self.member,
            thrown.unwrap_or_default()
        )
    }

    /// Says more above the test, behind its first sentence.
    pub fn explain(&mut self, sentence: String) {
        if let Some(remark) = &mut self.test.remark {
            remark.above.insert(1, sentence);
        }
    }

    /// `Account#equals is not reflexive`
    pub fn text(&self) -> String {
        let class = self.class.rsplit('.').next().unwrap_or(&self.class);
        if class == self.member {
            return format!("{class} {}", self.broken);
        }
        format!("{class}#{} {}", self.member, self.broken)
    }
}

/// Violations of one unit in words; names are unique within it.
pub(crate) fn findings(
    program: &Program,
    subject: ClassId,
    violations: &[Violation],
) -> Vec<Finding> {
    let mut names = BTreeSet::new();
    violations
        .iter()
        .map(|violation| {
            // A theory's test stands with the user's tests.
            let blamed = program.method(violation.suspect.check.blamed).class;
            let subject = match program.class(blamed).origin {
                Origin::Test => blamed,
                _ => subject,
            };
            finding(program, subject, violation, &mut names)
        })
        .collect()
}

fn finding(
    program: &Program,
    subject: ClassId,
    violation: &Violation,
    names: &mut BTreeSet<String>,
) -> Finding {
    let suspect = &violation.suspect;
    let method = program.method(suspect.check.blamed);
    let owner = program.class(suspect.owner);
    let class = program
        .source_name(owner.id)
        .unwrap_or_else(|| owner.binary_name());
    let member = if method.is_constructor() {
        simple_name(program, &owner.name)
    } else {
        method.name.to_string()
    };
    let exception = violation.breach.thrown.as_ref();
    let simple = exception.map(|thrown| simple_name(program, &thrown.class));
    let broken = match (&simple, suspect.broken) {
        (Some(simple), "throws") => format!("throws {simple}"),
        (Some(simple), broken) if !broken.contains(simple) => format!("{broken}: {simple}"),
        (_, broken) => broken.to_owned(),
    };
    let thrown = exception.map(|thrown| {
        let frame = thrown.top_frame.as_ref();
        let frame = frame.map(|(class, method)| format!(" {}.{method}", binary_name(class)));
        format!(
            "{}{}",
            binary_name(&thrown.class),
            frame.unwrap_or_default()
        )
    });
    let run = violation.shown();
    let mut finding = Finding {
        code: suspect.code,
        subject,
        owner: owner.id,
        method: method.id,
        class,
        member,
        broken,
        thrown,
        failure: Vec::new(),
        test: Test {
            name: String::new(),
            assertions: violation.assertions(&run.sequence),
            run,
            remark: None,
            harm: Harm::NotAsked,
            told: Vec::new(),
            length: usize::MAX,
            kills: Vec::new(),
        },
    };
    let message = format!("{}: {}", suspect.code, finding.text());
    finding.failure = match (exception, suspect.check.conclusion) {
        (_, Conclusion::Throws(class)) => vec![simple_name(program, class)],
        (Some(thrown), _) => vec![binary_name(&thrown.class)],
        _ => vec![message.clone()],
    };
    let says = exception.is_none() && !matches!(suspect.check.conclusion, Conclusion::Throws(_));
    let place = if method.is_constructor() {
        "class"
    } else {
        "method or its class"
    };
    finding.test.remark = Some(Remark {
        above: vec![
            format!("{message}."),
            format!(
                "Where that is wanted, put @PalusIgnore(\"{}\") on the {place}.",
                suspect.code
            ),
        ],
        message: says.then_some(message),
    });
    finding.test.name = name(program, violation, names);
    finding
}

/// `equals_isReflexive`, or `next_ofEntryIterator_throwsNoSuchElementAtTheEnd` where a nested class is to blame.
fn name(program: &Program, violation: &Violation, names: &mut BTreeSet<String>) -> String {
    let suspect = &violation.suspect;
    let method = program.method(suspect.check.blamed);
    let owner = simple_name(program, &program.class(suspect.owner).name);
    let member = if method.is_constructor() {
        format!("new{}", capitalised(&owner))
    } else {
        method.name.to_string()
    };
    let nested = program.class(suspect.owner).outer.is_some() && !method.is_constructor();
    let of = if nested {
        format!("_of{}", capitalised(&owner))
    } else {
        String::new()
    };
    let name: String = format!("{member}{of}_{}", suspect.name)
        .chars()
        .filter(|one| one.is_ascii_alphanumeric() || *one == '_')
        .collect();
    std::iter::once(name.clone())
        .chain((2..u32::MAX).map(|count| format!("{name}_{count}")))
        .find(|name| names.insert(name.clone()))
        .expect("there are more numbers than findings")
}
