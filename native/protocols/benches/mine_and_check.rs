//! Mining and checking of a million calls.
//!
//! The calls are those of executions as generated sequences have them: a list that is filled, iterated and asked, twenty
//! calls each; and of one execution in which a list has many thousand iterators, which a subtrace for each of them, made
//! and walked one by one, would not end within hours. (The goal: mining a million calls and checking as many within a
//! second.)

use criterion::{Criterion, Throughput};
use palus_bytecode::Program;
use palus_protocols::{
    Call, CallSite, Checker, Documentation, End, ExceptionFacts, Execution, Failure, Frame, Miner,
    ObjectId, Protocols, Signature, SiteId, Source, TestRef, Vocabulary, Warnings,
};
use std::sync::Arc;

const CALLS: u64 = 1_000_000;
const CALLS_EACH: u64 = 20;

fn main() {
    let mut vocabulary = Vocabulary::default();
    let sites = Sites::new(&mut vocabulary);
    let passing: Vec<Execution> = (0..CALLS / CALLS_EACH)
        .map(|seed| sites.execution(&mut vocabulary, seed, 2))
        .collect();
    let failing: Vec<Execution> = passing
        .iter()
        .map(|one| fail(&mut vocabulary, one))
        .collect();
    let long = [sites.execution(&mut vocabulary, 1, CALLS / 9)];
    let mut criterion = Criterion::default().sample_size(10).configure_from_args();
    let mut group = criterion.benchmark_group("calls");
    for (name, executions) in [("mine", &passing[..]), ("mine one execution", &long[..])] {
        let calls = executions
            .iter()
            .map(|execution| execution.calls.len() as u64);
        group.throughput(Throughput::Elements(calls.sum()));
        group.bench_function(name, |bencher| {
            bencher.iter(|| mine(&vocabulary, executions));
        });
    }
    let protocols = mine(&vocabulary, &passing);
    let checker = Checker::new(&protocols, &mut vocabulary);
    let calls = failing.iter().map(|execution| execution.calls.len() as u64);
    group.throughput(Throughput::Elements(calls.sum()));
    group.bench_function("check", |bencher| {
        bencher.iter(|| check(&checker, &vocabulary, &failing));
    });
    group.bench_function("check each call", |bencher| {
        bencher.iter(|| {
            let violations = failing
                .iter()
                .map(|execution| checker.violations(&vocabulary, execution, &|_| true).len());
            violations.sum::<usize>()
        });
    });
    group.finish();
    criterion.final_summary();
}

fn mine(vocabulary: &Vocabulary, executions: &[Execution]) -> Protocols {
    let mut miner = Miner::default();
    for execution in executions {
        miner.learn(vocabulary, execution, Source::GeneratedSequence);
    }
    miner.finish(vocabulary)
}

fn check(checker: &Checker, vocabulary: &Vocabulary, executions: &[Execution]) -> usize {
    let program = Program::default();
    let documentation = [Documentation::of_jdk()];
    let facts = ExceptionFacts::new(&program, &documentation);
    let mut warnings = Warnings::default();
    for (number, execution) in (0..).zip(executions) {
        let test = TestRef { length: 3, number };
        warnings.check(checker, &facts, vocabulary, execution, test);
    }
    warnings.iter().count()
}

/// The last call is a `next` too many.
fn fail(vocabulary: &mut Vocabulary, execution: &Execution) -> Execution {
    let mut failing = execution.clone();
    let exception = "java/util/NoSuchElementException";
    let last = failing.calls.last_mut().expect("an execution has calls");
    last.thrown = Some(vocabulary.name_id(exception));
    let site = vocabulary.site(last.site);
    failing.end = End::Threw(Failure {
        lineage: vec![exception.into()],
        stack: vec![Frame {
            class: site.class.clone(),
            method: site.method.name.clone(),
            line: site.line,
            bytecode_index: None,
        }],
    });
    failing
}

struct Sites {
    new: SiteId,
    add: SiteId,
    size: SiteId,
    iterator: SiteId,
    has_next: SiteId,
    next: SiteId,
}

impl Sites {
    fn new(vocabulary: &mut Vocabulary) -> Self {
        let mut line = 0;
        let mut site = |owner: &str, name: &str, descriptor: &str| {
            line += 1;
            vocabulary.site_id(&CallSite {
                class: "P".into(),
                method: Signature::new("m", "()V"),
                line: Some(line),
                bytecode_index: None,
                owner: Arc::from(format!("java/util/{owner}")),
                called: Signature::new(name, descriptor),
            })
        };
        Sites {
            new: site("ArrayList", "<init>", "()V"),
            add: site("ArrayList", "add", "(Ljava/lang/Object;)Z"),
            size: site("ArrayList", "size", "()I"),
            iterator: site("ArrayList", "iterator", "()Ljava/util/Iterator;"),
            has_next: site("Iterator", "hasNext", "()Z"),
            next: site("Iterator", "next", "()Ljava/lang/Object;"),
        }
    }

    /// A list with so many iterators; the seed varies how far they come. The last call is a `next`.
    fn execution(&self, vocabulary: &mut Vocabulary, seed: u64, iterators: u64) -> Execution {
        let list = vocabulary.name_id("java/util/ArrayList");
        let iterator = vocabulary.name_id("java/util/Iterator");
        let call = |site, receiver: Option<u32>, result: Option<u32>| Call {
            site,
            receiver: receiver.map(ObjectId),
            arguments: Vec::new(),
            result: result.map(ObjectId),
            thrown: None,
        };
        let mut execution = Execution {
            objects: vec![list],
            calls: vec![call(self.new, None, Some(0))],
            end: End::Passed,
        };
        for number in 0..iterators {
            let object = execution.objects.len() as u32;
            execution.objects.push(iterator);
            let calls = &mut execution.calls;
            calls.push(call(self.add, Some(0), None));
            calls.push(call(self.iterator, Some(0), Some(object)));
            for _ in 0..3 {
                calls.push(call(self.has_next, Some(object), None));
                calls.push(call(self.next, Some(object), None));
            }
            if !(seed + number).is_multiple_of(3) {
                calls.push(call(self.size, Some(0), None));
            }
        }
        execution.calls.push(call(self.has_next, Some(1), None));
        execution.calls.push(call(self.next, Some(1), None));
        execution
    }
}
