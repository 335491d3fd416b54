//! One pass over some tests, in as many JVMs as it takes.
//!
//! Comes in: tests and their order. Goes out: verdicts of those that failed. A test during which the JVM ends is dropped,
//! and the rest goes on in a new JVM.
//! Does not know: what the other pass says.

use super::listen::{Ended, Patience, listen};
use super::report::{Report, without_secrets};
use super::verdict::{CoverageAgent, Pass, failed};
use super::{DropReason, Repeat, TestId, Verdict, Verification};
use crate::Error;
use crate::secrets::elsewhere;
use crate::worker::process::{Process, Spawner, is_past};
use crate::worker::sandbox::{Jvm, Sandbox, Surroundings};
use crate::worker::{
    Limits, PrivateFolder, START, VERIFY, agents, cannot_start, cause, is_own_file, make_private,
    refusal, silent, usual_files,
};
use crate::write::disk::{full, is_full, unwritable};
use palus_wire::response::ExitCode;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Milliseconds one test may take.
const LIMIT_MILLIS: &str = "10000";
/// Heap of a test JVM where the build says nothing, in MiB: that is what Gradle gives, and Maven gives more. Tests must
/// get by with half of what they will have, since there they share it with all others.
const USUAL_HEAP_MIB: u64 = 512;
/// The flag for the number of processors that a JVM says there are.
const PROCESSORS: &str = "-XX:ActiveProcessorCount=";
/// The flags for the size of a thread's stack, and for all direct buffers.
const STACK: &str = "-Xss";
const DIRECT_MEMORY: &str = "-XX:MaxDirectMemorySize=";
/// A stack where no flag says it, and the largest one that is made four times as large.
const USUAL_STACK: u64 = 1 << 20;
const LARGEST_STACK: u64 = 16 << 20;
/// No JVM gets less, in MiB.
const LEAST_HEAP_MIB: u64 = 32;
/// Flags that say how large a heap is at first or at most.
const HEAP_SIZES: [&str; 4] = ["-Xmx", "-Xms", "-XX:InitialHeapSize", "-XX:MaxHeapSize"];
/// The flag for whom a JVM trusts.
const TRUST: &str = "-Djavax.net.ssl.trustStore=";
/// How long a JVM may take to end once it said all, shutdown hooks included.
const END: Duration = Duration::from_secs(20);

/// Everything one pass needs.
pub struct Runner<'a> {
    pub verification: &'a Verification<'a>,
    pub sandbox: &'a Sandbox,
    pub spawner: &'a Spawner,
    pub pass: Pass,
    /// Tests that are to run often do not.
    pub runs_once: bool,
    pub coverage_agent: Option<CoverageAgent<'a>>,
    /// Beginning of the names of coverage files.
    pub coverage_name: String,
    pub coverage_files: &'a mut Vec<PathBuf>,
    /// Whether the JVM tells in which lines tests fail.
    pub tells_lines: bool,
    /// Whether a JVM was out of time.
    pub is_cut: bool,
}

/// What one JVM is to do.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Indices of tests, in the order in which they run.
    pub order: Vec<usize>,
    /// Positions in the order before which all classes are loaded anew.
    pub anew: BTreeSet<usize>,
    /// The first test runs again after each other one, to see what breaks it, until so many are found; 0 to run all.
    pub search: usize,
}

impl Runner<'_> {
    /// Runs the tests with these indices in this order and writes verdicts of those that failed.
    pub fn run(
        &mut self,
        tests: &[TestId],
        mut order: Vec<usize>,
        verdicts: &mut [Option<Verdict>],
    ) -> Result<(), Error> {
        while !order.is_empty() {
            let plan = Plan {
                order: order.clone(),
                ..Plan::default()
            };
            let report = self.run_jvm(tests, &plan)?;
            let report = report.unwrap_or_else(Report::of_none);
            self.is_cut |= report.is_cut;
            let may_pass = report.is_cut && !self.verification.is_last;
            let due = |index: usize| {
                let often = matches!(tests[index].repeat, Repeat::Often | Repeat::Drawn);
                (often || self.verification.orders > 0)
                    && self.pass == Pass::Elsewhere
                    && !self.runs_once
                    && !may_pass
            };
            let has_passed = !report.passed.is_empty();
            let left = report.settle(self.pass, &order, &due, verdicts);
            if left.len() < order.len() {
                order = left;
                continue;
            }
            // It ended while tests that had passed ran again, and nobody knows by whose doing.
            return match order.as_slice() {
                [_, _, ..] if has_passed => {
                    let others = order.split_off(order.len() / 2);
                    self.run(tests, order, verdicts)?;
                    self.run(tests, others, verdicts)
                }
                [index] if has_passed => {
                    let text = "it passes once, and the JVM ends while it runs again".to_owned();
                    verdicts[*index] = Some(failed(DropReason::KillsTheJvm, text));
                    Ok(())
                }
                _ => Err(Error::worker(
                    "the JVM that verifies the written tests says nothing about them",
                    "run again with the build's debug log and report what it says",
                )),
            };
        }
        Ok(())
    }

    /// Runs one JVM to its end; none where the run is out of time.
    ///
    /// # Errors
    /// When `java` will not start, the run is cancelled, or the JVM says nothing about any test.
    pub fn run_jvm(&mut self, tests: &[TestId], plan: &Plan) -> Result<Option<Report>, Error> {
        let settings = self.verification.settings;
        if is_past(settings.deadline) {
            return Ok(None);
        }
        let folder = match self.pass {
            Pass::AsWritten => PrivateFolder::new(&settings.work_directory, VERIFY)?,
            Pass::Elsewhere => PrivateFolder::deeper(&settings.work_directory, VERIFY)?,
        };
        // Others may leave them out while this one runs.
        let has_agents = settings.agents.are_had(&settings.jvm_arguments);
        let mut process = self.start(&folder, tests, plan)?;
        let mut report = Report::default();
        let ended = listen(
            &mut process,
            folder.path(),
            settings,
            Patience::USUAL,
            |line| {
                report.read(&without_secrets(line, &settings.secrets));
            },
        )?;
        let is_silent = ended == Ended::Silent;
        let status = match ended {
            Ended::ByItself => process.wait(END),
            Ended::OutOfTime => {
                process.kill();
                report.running = None;
                report.is_cut = true;
                return Ok(Some(report));
            }
            Ended::Full => {
                // Who runs now goes on in another JVM, with those behind it.
                process.kill();
                report.running = None;
                None
            }
            Ended::Silent => {
                process.kill();
                report.slow = report.slow.or(report.running.take());
                None
            }
            Ended::Greedy(what) => {
                process.kill();
                report.greedy = Some(what);
                None
            }
        };
        let code = status.and_then(|status| status.code());
        if code.and_then(ExitCode::of) == Some(ExitCode::TimeUsedUp) {
            report.slow = report.slow.or(report.running.take());
        }
        log::debug!(
            "verification JVM ended with {code:?}: {}",
            process.complaints()
        );
        self.keep_coverage(&folder)?;
        let is_mute = report.running.is_none()
            && report.slow.is_none()
            && report.passed.is_empty()
            && report.failed.is_empty();
        if is_mute {
            refusal(&process.complaints())?;
            if is_full(&settings.work_directory, &process.complaints()) {
                return Err(full(&settings.work_directory));
            }
            if has_agents {
                settings.agents.leave_out();
                log::debug!("verification goes on without the project's agents");
                drop(folder);
                return self.run_jvm(tests, plan);
            }
            let java = self.sandbox.java();
            if is_silent {
                return Err(silent(java, "cannot run the written tests", START));
            }
            let why = report.greedy;
            return Err(Error::configuration(
                format!(
                    "{} cannot run the written tests: {}",
                    java.display(),
                    why.unwrap_or_else(|| cause(&process.complaints()))
                ),
                "check the test class path and the arguments of the project's test JVM",
            ));
        }
        Ok(Some(report))
    }

    fn start(
        &self,
        folder: &PrivateFolder,
        tests: &[TestId],
        plan: &Plan,
    ) -> Result<Process, Error> {
        let verification = self.verification;
        let settings = verification.settings;
        folder.lay_out()?;
        // What a test finds in the user's folders is another thing on each machine.
        let user = match self.pass {
            Pass::AsWritten => {
                usual_files::plant(folder)?;
                "--user"
            }
            Pass::Elsewhere => "--bare-user",
        };
        let list = folder.path().join("tests.txt");
        let mut text = String::new();
        for (position, index) in plan.order.iter().enumerate() {
            let TestId {
                class,
                method,
                repeat,
                is_kept,
            } = &tests[*index];
            let how = match repeat {
                _ if plan.anew.contains(&position) => "\tanew",
                _ if self.pass != Pass::Elsewhere || self.runs_once => "",
                Repeat::Never => "",
                Repeat::Often => "\toften",
                Repeat::Drawn => "\tdrawn",
                Repeat::WhileCollected | Repeat::WhileCollectedThenOften => "\tcollect",
            };
            let kept = if *is_kept { "\tkept" } else { "" };
            writeln!(text, "{class}\t{method}{how}{kept}").expect("a String takes all text");
        }
        std::fs::write(&list, text).map_err(|error| unwritable(folder.path(), &error))?;
        let mut class_path = vec![
            settings.worker_jar.clone(),
            verification.test_classes.to_owned(),
        ];
        class_path.extend(settings.class_path.iter().cloned());
        let mut arguments = vec!["--limit".into(), LIMIT_MILLIS.into()];
        if plan.search > 0 {
            arguments.extend(["--search".into(), plan.search.to_string().into()]);
        }
        let orders = verification.orders;
        if orders > 0 && self.pass == Pass::Elsewhere && plan.search == 0 && !self.runs_once {
            arguments.extend(["--orders".into(), orders.to_string().into()]);
        }
        if self.tells_lines {
            arguments.push("--lines".into());
        }
        arguments.extend([user.into(), folder.path().into(), list.into()]);
        let launch = self.sandbox.launch(Jvm {
            folder: folder.path(),
            class_path,
            readable: self
                .coverage_agent
                .iter()
                .map(|agent| agent.jar.into())
                .chain(agents::jars(
                    &settings.agents.arguments(&settings.jvm_arguments),
                ))
                .collect(),
            surroundings: match self.pass {
                Pass::AsWritten => Surroundings::Named,
                Pass::Elsewhere => Surroundings::Fixed,
            },
            limits: match self.pass {
                Pass::AsWritten => Limits::USUAL,
                Pass::Elsewhere => Limits::ELSEWHERE,
            },
            flags: self.flags(folder.path()),
            main_class: "io.palus.worker.verify.VerifyMain",
            arguments,
        })?;
        let program = launch.program.clone();
        let started = self.spawner.spawn(launch);
        started.map_err(|error| cannot_start(&program, &error))
    }

    fn flags(&self, folder: &Path) -> Vec<OsString> {
        let settings = self.verification.settings;
        // Its ids are made of the bytes that it sees: before an agent of the project makes others of them.
        let mut flags: Vec<OsString> = self.coverage_flag(folder).into_iter().collect();
        // What the project says of assertions comes after it and holds.
        flags.push("-ea".into());
        let arguments = settings.agents.arguments(&settings.jvm_arguments);
        flags.extend(project_arguments(&arguments));
        // Those tests that ran before run as the project's own do now.
        if self.pass == Pass::Elsewhere || self.runs_once {
            flags.extend(project_arguments(&settings.command_line_properties));
        }
        let heap = heap_mib(&flags).unwrap_or(USUAL_HEAP_MIB);
        // A first size above the greatest would keep the JVM from starting.
        flags.retain(|flag| {
            let flag = flag.to_string_lossy();
            !HEAP_SIZES.iter().any(|start| flag.starts_with(start))
        });
        let half = (heap.min(settings.memory_mib) / 2).max(LEAST_HEAP_MIB);
        // What a test says of the heap itself is another thing on each machine.
        let most = match self.pass {
            Pass::AsWritten => half,
            Pass::Elsewhere => half + half / 2,
        };
        flags.push(format!("-Xmx{most}m").into());
        // What the JVM compiles is not to matter, and most tests run for too short a time for thorough compilation.
        let choices = [
            "-XX:TieredStopAtLevel=",
            "-XX:-TieredCompilation",
            "-Xint",
            "-Xcomp",
        ];
        let is_chosen = |flag: &OsString| {
            let flag = flag.to_string_lossy();
            choices.iter().any(|start| flag.starts_with(start))
        };
        if !flags.iter().any(is_chosen) {
            flags.push("-XX:TieredStopAtLevel=1".into());
        }
        if self.pass == Pass::Elsewhere {
            for flag in &mut flags {
                let other = flag.to_str().map(elsewhere);
                *flag = other.map_or_else(|| flag.clone(), OsString::from);
            }
            flags.extend([
                "-Duser.timezone=Pacific/Chatham".into(),
                "-Duser.language=tr".into(),
                "-Duser.country=TR".into(),
                "-Duser.name=somebody-else".into(),
            ]);
            // Whom a machine trusts is up to its administrator.
            let is_chosen = |flag: &OsString| flag.to_string_lossy().starts_with(TRUST);
            if !flags.iter().any(is_chosen) {
                flags.push(format!("{TRUST}NONE").into());
            }
            flags.extend(other_sizes(&flags));
            let is_chosen = |flag: &OsString| flag.to_string_lossy().starts_with(PROCESSORS);
            if !flags.iter().any(is_chosen) {
                let own = std::thread::available_parallelism().map_or(1, NonZero::get);
                flags.push(format!("{PROCESSORS}{}", own + 1).into());
            }
            // A small young generation: tests that hold objects weakly are to meet the collector often.
            let is_chosen = flags.iter().filter_map(|flag| flag.to_str()).any(|flag| {
                (flag.starts_with("-XX:+Use") && flag.ends_with("GC"))
                    || ["-Xmn", "-XX:NewSize", "-XX:MaxNewSize", "-XX:NewRatio"]
                        .iter()
                        .any(|start| flag.starts_with(start))
            });
            if !is_chosen {
                flags.extend([
                    "-XX:+UseSerialGC".into(),
                    "-Xmn1m".into(),
                    // What the safepoints below make of it in any case, with a warning.
                    "-XX:LoopStripMiningIter=1".into(),
                ]);
            }
            // With this collector a compiled loop over a range is not interrupted; not every compiler knows the flag.
            flags.extend([
                "-XX:+IgnoreUnrecognizedVMOptions".into(),
                "-XX:+UseCountedLoopSafepoints".into(),
            ]);
        }
        let is_chosen = |flag: &OsString| {
            let flag = flag.to_string_lossy();
            flag.contains("CodeCache") || flag.contains("CodeHeap") || flag.starts_with("-Xint")
        };
        if self.pass == Pass::Elsewhere && !flags.iter().any(is_chosen) {
            // As where the better compiler works too: the pools of memory have other names.
            flags.push("-XX:+SegmentedCodeCache".into());
        }
        // The guards of a worker: a test that needs what they deny is none. After the other agents, whose start has none.
        let mut guards = OsString::from("-javaagent:");
        guards.push(&settings.worker_jar);
        // What a test says of the date is another thing each day, and what it says of files on each machine.
        guards.push(match self.pass {
            // What was written may be run where another build sets what nobody set then.
            Pass::AsWritten if self.runs_once => "=--guard",
            Pass::AsWritten => "=--guard-first",
            Pass::Elsewhere => "=--guard-elsewhere",
        });
        if let Some(agent) = self.coverage_agent {
            guards.push(":");
            guards.push(agent.jar);
        }
        flags.push(guards);
        flags
    }

    /// The flag that measures coverage into a file in this folder.
    fn coverage_flag(&self, folder: &Path) -> Option<OsString> {
        let agent = self.coverage_agent?;
        let mut flag = OsString::from("-javaagent:");
        flag.push(agent.jar);
        flag.push("=append=true");
        if !agent.includes.is_empty() {
            flag.push(",includes=");
            flag.push(agent.includes.join(":"));
        }
        flag.push(",destfile=");
        flag.push(folder.join(COVERAGE));
        Some(flag)
    }

    /// Moves what JaCoCo's agent wrote out of the folder that is about to be removed.
    fn keep_coverage(&mut self, folder: &PrivateFolder) -> Result<(), Error> {
        let written = folder.path().join(COVERAGE);
        if self.coverage_agent.is_none() || !is_own_file(&written) {
            return Ok(());
        }
        let number = self.coverage_files.len();
        let parent = &self.verification.settings.work_directory;
        let kept = parent.join(format!("{}-{number}.exec", self.coverage_name));
        make_private(&written, 0o600)
            .and_then(|()| std::fs::rename(&written, &kept))
            .map_err(|error| unwritable(&kept, &error))?;
        self.coverage_files.push(kept);
        Ok(())
    }
}

/// Name of JaCoCo's file in a JVM's folder.
const COVERAGE: &str = "jacoco.exec";

/// The project's arguments, agents of Java among them, without native agents, debuggers, and what writes files or runs programs on errors.
fn project_arguments(arguments: &[String]) -> Vec<OsString> {
    const LEFT_OUT: &[&str] = &[
        "-agentlib:",
        "-agentpath:",
        // No guards stand in classes of the boot loader.
        "-Xbootclasspath",
        "-Xdebug",
        "-Xrunjdwp",
        "-Xlog",
        "-Xloggc",
        "-verbose",
        "-XX:OnError=",
        "-XX:OnOutOfMemoryError=",
        "-XX:ErrorFile=",
        "-XX:HeapDumpPath=",
        "-XX:+HeapDumpOnOutOfMemoryError",
        "-XX:+UsePerfData",
        "-XX:StartFlightRecording",
        "-XX:FlightRecorderOptions",
        "-Djava.io.tmpdir=",
        "-Duser.dir=",
        "-Duser.home=",
        "-Djava.awt.headless=",
        "--class-path=",
    ];
    /// With the argument behind it.
    const BOTH_LEFT_OUT: &[&str] = &["-cp", "-classpath", "--class-path", "-jar"];
    let mut left_out = false;
    let mut kept = arguments.to_vec();
    kept.retain(|argument| {
        let is_second = std::mem::replace(&mut left_out, BOTH_LEFT_OUT.contains(&&**argument));
        let is_one = LEFT_OUT.iter().any(|start| argument.starts_with(start));
        !(is_second || is_one || left_out)
    });
    kept.into_iter().map(OsString::from).collect()
}

/// The heap that flags give to a JVM, the last one if several do.
fn heap_mib(flags: &[OsString]) -> Option<u64> {
    size(flags, "-Xmx").map(|bytes| bytes >> 20)
}

/// The bytes that the last flag with this beginning says.
fn size(flags: &[OsString], start: &str) -> Option<u64> {
    let mut sizes = flags.iter().rev().filter_map(|flag| {
        let size = flag.to_str()?.strip_prefix(start)?.to_ascii_lowercase();
        let number = size.trim_end_matches(['k', 'm', 'g', 't']);
        let count: u64 = number.parse().ok()?;
        let unit = match size.as_bytes().last()? {
            b'k' => 10,
            b'm' => 20,
            b'g' => 30,
            b't' => 40,
            _ => 0,
        };
        Some(count.saturating_mul(1 << unit))
    });
    sizes.next()
}

/// Other stacks, and where the project bounds them other direct buffers, than flags give: how deep a recursion came, or
/// how much a buffer may hold, is another thing with them. Later flags win.
fn other_sizes(flags: &[OsString]) -> Vec<OsString> {
    let mut other = Vec::new();
    let stack = size(flags, STACK).unwrap_or(USUAL_STACK);
    if stack <= LARGEST_STACK {
        other.push(format!("{STACK}{}k", stack >> 8).into());
    }
    if let Some(direct) = size(flags, DIRECT_MEMORY) {
        other.push(format!("{DIRECT_MEMORY}{}k", (direct >> 10).saturating_mul(3) / 2).into());
    }
    other
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heap_sizes_are_read_as_the_jvm_does() {
        let heap = |flags: &[&str]| {
            let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
            heap_mib(&flags)
        };
        assert_eq!(heap(&["-Xmx1g"]), Some(1024));
        assert_eq!(heap(&["-Xmx2048k"]), Some(2));
        assert_eq!(heap(&["-Xmx536870912"]), Some(512));
        assert_eq!(heap(&["-Xmx64m", "-ea", "-Xmx128M"]), Some(128));
        assert_eq!(heap(&["-ea"]), None);
    }

    #[test]
    fn elsewhere_stacks_and_direct_buffers_have_other_sizes() {
        let other = |flags: &[&str]| {
            let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
            other_sizes(&flags)
        };
        assert_eq!(other(&["-ea"]), ["-Xss4096k"]);
        let given = ["-Xss512k", "-XX:MaxDirectMemorySize=96m"];
        assert_eq!(
            other(&given),
            ["-Xss2048k", "-XX:MaxDirectMemorySize=147456k"]
        );
        assert_eq!(other(&["-Xss1g"]), [""; 0], "so large a stack is meant");
    }

    #[test]
    fn native_agents_and_debuggers_of_the_project_stay_out() {
        let arguments = [
            "-Xmx1g",
            "-javaagent:/opt/x.jar=a",
            "-Dmode=test",
            "-agentlib:jdwp=x",
            "-Xbootclasspath/a:x.jar",
        ];
        assert_eq!(
            project_arguments(&arguments.map(str::to_owned)),
            ["-Xmx1g", "-javaagent:/opt/x.jar=a", "-Dmode=test"]
        );
    }
}
