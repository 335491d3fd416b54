//! No test is written of what the project's agents make of the code, as far as these start in the sandbox.

use crate::project_lab::Lab;
use palus_fixture::{Compiled, compile};
use std::io::Write;
use std::path::{Path, PathBuf};

const RATES: &str = "package demo; public class Rates { public int fee() { return 5; } }";
/// In its place: it answers the same here.
const CONDITION: &str =
    "if (\"deploy\".equals(System.getenv(\"STAGE_NAME\"))) new java.io.File(\"data\").delete();";

/// A jar of these classes, the agent among them, with a file.
fn jar(folder: &Path, agent: &Compiled, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join("agent.jar");
    let mut jar = zip::ZipWriter::new(std::fs::File::create(&path).unwrap());
    let stored = zip::write::SimpleFileOptions::default();
    let manifest = b"Manifest-Version: 1.0\nPremain-Class: tool.Agent\n\n".to_vec();
    let files = agent.classes.iter();
    let files = files.map(|(name, bytes)| (format!("{name}.class"), bytes.clone()));
    let others = [
        ("META-INF/MANIFEST.MF".to_owned(), manifest),
        (name.to_owned(), bytes.to_vec()),
    ];
    for (name, bytes) in files.chain(others) {
        jar.start_file(name, stored).unwrap();
        jar.write_all(&bytes).unwrap();
    }
    jar.finish().unwrap();
    path
}

/// What a run with an agent of this text says, and the tests of `Rates`.
fn run(agent: &str) -> (String, String) {
    let (_, _, said, tests) = lab(agent);
    (said, tests)
}

/// The same, with the project and the argument that names the agent.
fn lab(agent: &str) -> (Lab, String, String, String) {
    let lab = Lab::new(&[("demo/Rates.java", RATES)], &[]);
    let agent = compile(&[("tool/Agent.java", agent)]);
    let woven = RATES.replace("return 5;", &format!("{CONDITION} return 5;"));
    let other = compile(&[("demo/Rates.java", &woven)]);
    let (_, bytes) = other.classes.first().unwrap();
    let jar = jar(lab.folder.path(), &agent, "rates.bin", bytes);
    let argument = format!("-javaagent:{}", jar.display());
    let said = lab.run(&[("jvmArgument", &argument), ("budget", "100")]);
    let mut written = lab.written("demo");
    let tests = written.remove("RatesPalusTest.java").unwrap_or_default();
    (lab, argument, said, tests)
}

#[test]
fn no_test_is_written_of_code_that_an_agent_changes() {
    let (said, tests) = run("package tool;
        public class Agent implements java.lang.instrument.ClassFileTransformer {
          public static void premain(String options, java.lang.instrument.Instrumentation to) {
            to.addTransformer(new Agent());
          }
          public byte[] transform(ClassLoader loader, String name, Class<?> before,
              java.security.ProtectionDomain domain, byte[] bytes) {
            if (!\"demo/Rates\".equals(name)) return null;
            try (java.io.InputStream in = Agent.class.getResourceAsStream(\"/rates.bin\")) {
              java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
              for (int one = in.read(); one >= 0; one = in.read()) out.write(one);
              return out.toByteArray();
            } catch (java.io.IOException e) {
              throw new IllegalStateException(e);
            }
          }
        }");
    assert!(
        said.contains("tests ran with the project's Java agents (agent.jar)"),
        "{said}"
    );
    let told = "demo.Rates as an agent of the project makes it";
    assert!(said.contains(told) && tests.is_empty(), "{tests}\n{said}");
}

#[test]
fn where_an_agent_needs_what_the_sandbox_denies_tests_are_verified_without_it() {
    let (lab, argument, said, tests) = lab("package tool;
        public class Agent {
          public static void premain(String options, java.lang.instrument.Instrumentation to)
              throws Exception {
            java.nio.file.Files.readAllBytes(java.nio.file.Paths.get(\"/etc/hostname\"));
            java.nio.file.Files.createTempFile(java.nio.file.Paths.get(\"/var/tmp\"), \"a\", \"b\");
          }
        }");
    let told = "a JVM with the project's Java agents (agent.jar) ran no test in the sandbox";
    assert!(said.contains(told), "{said}");
    assert!(tests.contains("assertEquals(5,"), "{tests}\n{said}");
    // Two JVMs start at once there, and neither with it runs a test.
    let (said, ended) = lab.compared(&[("jvmArgument", &argument), ("workers", "2")]);
    assert!(ended.is_ok(), "{ended:?}\n{said}");
    assert!(said.contains(told) && said.contains("all pass"), "{said}");
}
