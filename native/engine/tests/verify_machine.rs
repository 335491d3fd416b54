//! What tells of the machine and its JDK is no fact of a test.

mod worker_lab;

use palus_engine::verify::{Repeat, TestId, Verdict, Verification, verify};

/// Facts of a machine, as Java finds them.
const FACTS: [&str; 14] = [
    "System.getProperty(\"os.version\")",
    "System.getProperty(\"java.vendor\")",
    "System.getProperty(\"java.vendor.url\")",
    "System.getProperty(\"java.vm.vendor\")",
    "System.getProperty(\"java.vm.name\")",
    "System.getProperty(\"java.vm.version\")",
    "System.getProperty(\"java.runtime.name\")",
    "System.getProperty(\"java.runtime.version\")",
    "System.getProperty(\"java.version\")",
    "System.getProperty(\"java.home\")",
    "System.getProperty(\"java.library.path\")",
    // The class path itself has a folder of this test's.
    "System.getProperty(\"java.class.path\").split(java.io.File.pathSeparator).length",
    "Runtime.getRuntime().availableProcessors()",
    "java.util.concurrent.ForkJoinPool.commonPool().getParallelism()",
];

/// What holds on each machine with this release.
const LASTING: [&str; 7] = [
    "System.getProperty(\"os.name\")",
    "System.getProperty(\"java.specification.version\")",
    "System.getProperty(\"java.version\").replaceFirst(\"^1[.]\", \"\").split(\"[^0-9]\")[0]",
    "new java.io.File(System.getProperty(\"java.home\"), \"lib\").isDirectory()",
    "java.time.ZoneId.of(\"Asia/Tokyo\").getRules().isFixedOffset()",
    "java.util.Currency.getInstance(\"EUR\").getDefaultFractionDigits()",
    "java.security.Security.getProviders().length > 0",
];

/// Compiles a test for each statement and verifies them.
fn verdicts(statements: &[String]) -> Vec<Verdict> {
    let methods = statements.iter().enumerate();
    let methods: Vec<String> = methods
        .map(|(at, statement)| format!("public void fact{at}() {{ {statement} }}"))
        .collect();
    let methods = methods.join("\n");
    let text = format!("package demo; public class MachineTest {{\n{methods}}}");
    let compiled = palus_fixture::compile(&[("demo/MachineTest.java", &text)]);
    let folder = tempfile::tempdir().unwrap();
    let settings = worker_lab::settings(Vec::new(), folder.path().join("workers"));
    let tests = (0..statements.len()).map(|at| TestId {
        class: "demo.MachineTest".into(),
        method: format!("fact{at}"),
        repeat: Repeat::Never,
        is_kept: false,
    });
    let verified = verify(&Verification {
        settings: &settings,
        test_classes: &compiled.dir,
        tests: &tests.collect::<Vec<_>>(),
        coverage_agent: None,
        workers: 1,
        once: false,
        blames: true,
    });
    verified.unwrap().verdicts
}

/// What each is here: a test that throws it says so.
fn values(facts: &[&str]) -> Vec<String> {
    let statements = facts.iter();
    let statements = statements.map(|fact| format!("throw new Error(\"\" + ({fact}));"));
    let verdicts = verdicts(&statements.collect::<Vec<_>>()).into_iter();
    let values = verdicts.map(|verdict| match verdict {
        Verdict::Failed { text, .. } => text.strip_prefix("java.lang.Error: ").unwrap().to_owned(),
        Verdict::Stable => panic!("it throws"),
    });
    values.collect()
}

/// Tests that assert these values.
fn asserted(facts: &[&str]) -> Vec<Verdict> {
    let facts = facts.iter().zip(values(facts));
    let statements = facts.map(|(fact, value)| {
        format!("if (!(\"\" + ({fact})).equals(\"{value}\")) throw new Error(\"\" + ({fact}));")
    });
    verdicts(&statements.collect::<Vec<_>>())
}

#[test]
fn what_rests_on_the_machine_or_the_build_of_its_jdk_is_dropped() {
    for (verdict, fact) in asserted(&FACTS).iter().zip(FACTS) {
        let Verdict::Failed { reason, .. } = verdict else {
            panic!("{fact} is asserted");
        };
        assert_eq!(
            reason.code(),
            "fails-in-other-order-zone-or-locale",
            "{fact}"
        );
    }
}

#[test]
fn what_holds_on_each_machine_is_kept() {
    for (verdict, fact) in asserted(&LASTING).iter().zip(LASTING) {
        assert_eq!(*verdict, Verdict::Stable, "{fact}");
    }
}
