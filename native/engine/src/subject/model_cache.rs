//! The models of the last run, beside the other work files.
//!
//! Comes in: the bytes of all trace files and what learning asks of the classes, which make the key; models.
//! Goes out: the models that were kept under the same key, and the file that keeps them.
//! Does not know: how models look as bytes (see `wire`). A file that is damaged, foreign or of another key is as good
//! as none, and the next one written takes its place.

use crate::Settings;
use crate::subject::input::{Input, Watch};
use palus_analyze::Facts;
use palus_bytecode::Program;
use palus_learn::{Models, fingerprint};
use palus_wire::models::{Digest as Key, StoredModels, open, seal};
use sha2::{Digest, Sha256};
use std::io::{self, Read, Write};
use std::path::PathBuf;

/// What stands for the bytes of a trace file in the key.
pub(crate) struct TraceDigest {
    digest: Key,
    /// The state of the file whose bytes these were.
    pub(crate) watch: Watch,
}

impl TraceDigest {
    /// Reads a trace file once, block by block.
    pub(crate) fn of(mut file: Input) -> io::Result<TraceDigest> {
        let mut digest = Sha256::new();
        let mut block = vec![0; 64 << 10];
        loop {
            match file.read(&mut block)? {
                0 => break,
                length => digest.update(&block[..length]),
            }
        }
        Ok(TraceDigest {
            digest: digest.finalize().into(),
            watch: file.watch(),
        })
    }
}

/// The cache file of one run.
pub(crate) struct ModelCache {
    file: PathBuf,
    key: Key,
}

impl ModelCache {
    /// The cache for these traces, in their order, and classes.
    pub(crate) fn new(
        settings: &Settings,
        program: &Program,
        facts: &Facts,
        traces: &[TraceDigest],
    ) -> ModelCache {
        let is_pure = |method| facts.is_pure(method);
        let mut digest = Sha256::new();
        digest.update(env!("CARGO_PKG_VERSION"));
        for trace in traces {
            digest.update(trace.digest);
        }
        digest.update(fingerprint(program, &is_pure));
        ModelCache {
            file: settings.work_directory.join("models.cache"),
            key: digest.finalize().into(),
        }
    }

    /// The models kept under this key.
    pub(crate) fn read(&self, program: &Program) -> Option<Models> {
        let bytes = Input::open(&self.file).and_then(Input::bytes).ok()?;
        let (digest, body) = open(&bytes, &self.key).ok()??;
        if digest != *Sha256::digest(body) {
            return None;
        }
        restore(program, body)
    }

    /// Keeps models under this key; where that fails, the next run learns them again.
    pub(crate) fn write(&self, program: &Program, models: &Models) {
        let body = models.store(program).encode();
        let bytes = seal(&self.key, &Sha256::digest(&body).into(), &body);
        let folder = self.file.parent().expect("the file lies in a folder");
        let kept = std::fs::create_dir_all(folder).and_then(|()| {
            // Complete or not at all, also when the run is ended meanwhile.
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&bytes)?;
            file.persist(&self.file).map_err(|error| error.error)?;
            Ok(())
        });
        if let Err(error) = kept {
            log::debug!("models are not kept: {error}");
        }
    }
}

/// The models in the body of a cache file.
pub(crate) fn restore(program: &Program, body: &[u8]) -> Option<Models> {
    Models::restore(program, &StoredModels::decode(body).ok()?)
}

#[cfg(test)]
mod tests {
    use crate::Settings;
    use crate::subject::traces::{Learned, learn};
    use palus_analyze::Facts;
    use palus_bytecode::{Method, Origin, Program, ProgramBuilder};
    use palus_learn::Models;
    use palus_wire::models::{open, seal};
    use palus_wire::trace::{TraceEvent, TraceMethod, TraceValue, TraceWriter};
    use sha2::{Digest, Sha256};
    use std::path::PathBuf;

    const JAVA: &str = "public class Lamp { boolean on; public Lamp() {} public void push() { on = !on; } \
        public boolean isOn() { return on; } }";

    struct Lab {
        folder: tempfile::TempDir,
        settings: Settings,
    }

    impl Lab {
        fn new() -> Lab {
            let folder = tempfile::tempdir().unwrap();
            let path = |name: &str| folder.path().join(name).display().to_string();
            let pairs = [
                ("outputDirectory", path("out")),
                ("projectDirectory", path("")),
                ("workDirectory", path("work")),
                ("reportDirectory", path("report")),
                ("classesDirectory", path("classes")),
                ("traceDirectory", path("traces")),
                ("javaHome", path("java")),
                ("workerJar", path("worker.jar")),
            ];
            let pairs = pairs.map(|(name, value)| (name.to_owned(), value));
            let settings = Settings::from_pairs(&pairs).unwrap();
            std::fs::create_dir(folder.path().join("traces")).unwrap();
            Lab { folder, settings }
        }

        fn cache(&self) -> PathBuf {
            self.folder.path().join("work/models.cache")
        }

        /// Writes a trace of lamps, each pushed so many times.
        fn trace(&self, name: &str, pushes: &[usize]) {
            let program = program(JAVA);
            let method = |method: &Method| TraceMethod {
                class: program.class(method.class).name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
                access: method.access.0,
            };
            let methods: Vec<_> = program.methods().iter().map(method).collect();
            let index = |name: &str| methods.iter().position(|m| &*m.name == name).unwrap() as u32;
            let (create, push) = (index("<init>"), index("push"));
            let mut writer = TraceWriter::new(1, 1 << 16, methods);
            let mut call = |method, receiver, result| {
                writer.event(&TraceEvent::Enter {
                    thread: 0,
                    method,
                    receiver,
                    arguments: vec![],
                });
                writer.event(&TraceEvent::Exit { thread: 0, result });
            };
            for (id, &count) in pushes.iter().enumerate() {
                let lamp = || {
                    Some(TraceValue::Object {
                        id: id as u64 + 1,
                        class: "Lamp".into(),
                        profile: None,
                    })
                };
                call(create, None, lamp());
                for _ in 0..count {
                    call(push, lamp(), None);
                }
            }
            let file = self.folder.path().join("traces").join(name);
            std::fs::write(file, writer.finish()).unwrap();
        }

        fn learn(&self, java: &str) -> Learned {
            let program = program(java);
            learn(&self.settings, &program, &Facts::of(&program)).unwrap()
        }
    }

    fn program(java: &str) -> Program {
        let mut builder = ProgramBuilder::new();
        for (_, bytes) in &palus_fixture::compile(&[("Lamp.java", java)]).classes {
            builder.add(Origin::Subject, bytes).unwrap();
        }
        builder.finish()
    }

    #[test]
    fn an_unchanged_trace_is_not_read_again() {
        let lab = Lab::new();
        lab.trace("a.trace", &[2, 1]);
        let first = lab.learn(JAVA);
        assert!(!first.from_cache && first.models.len() == 1);
        let second = lab.learn(JAVA);
        assert!(second.from_cache);
        assert_eq!(second.models, first.models);
        assert_eq!((second.files, second.calls), (1, 5));
        // What is kept under the key is what is taken: here no model at all.
        let file = std::fs::read(lab.cache()).unwrap();
        let key = file[6..38].try_into().unwrap();
        let body = Models::default().store(&program(JAVA)).encode();
        let planted = seal(&key, &Sha256::digest(&body).into(), &body);
        std::fs::write(lab.cache(), planted).unwrap();
        assert!(lab.learn(JAVA).models.is_empty());
    }

    #[test]
    fn a_changed_added_or_removed_trace_is_read() {
        let lab = Lab::new();
        lab.trace("a.trace", &[1]);
        lab.learn(JAVA);
        lab.trace("a.trace", &[2]);
        let changed = lab.learn(JAVA);
        assert!(!changed.from_cache && changed.calls == 3);
        lab.trace("b.trace", &[0]);
        let added = lab.learn(JAVA);
        assert!(!added.from_cache && (added.files, added.calls) == (2, 4));
        std::fs::remove_file(lab.folder.path().join("traces/a.trace")).unwrap();
        let removed = lab.learn(JAVA);
        assert!(!removed.from_cache && (removed.files, removed.calls) == (1, 1));
        assert!(lab.learn(JAVA).from_cache);
    }

    #[test]
    fn classes_count_where_models_depend_on_them() {
        let lab = Lab::new();
        lab.trace("a.trace", &[1]);
        lab.learn(JAVA);
        let same_shape = JAVA.replace("on = !on", "on = true");
        assert!(lab.learn(&same_shape).from_cache);
        let pure_now = lab.learn(&JAVA.replace("on = !on", ""));
        assert!(!pure_now.from_cache);
        let edges = |learned: &Learned| learned.models.iter().next().unwrap().edges().len();
        assert_eq!(edges(&pure_now), 1);
        let impure_again = lab.learn(JAVA);
        assert!(!impure_again.from_cache && edges(&impure_again) == 2);
    }

    #[test]
    fn a_damaged_or_foreign_cache_is_passed_over_and_written_anew() {
        let lab = Lab::new();
        lab.trace("a.trace", &[1]);
        let models = lab.learn(JAVA).models;
        let good = std::fs::read(lab.cache()).unwrap();
        let mut version = good.clone();
        version[4] += 1;
        let mut flipped = good.clone();
        *flipped.last_mut().unwrap() ^= 1;
        let of_nonsense = {
            let key = good[6..38].try_into().unwrap();
            seal(&key, &Sha256::digest(b"nonsense").into(), b"nonsense")
        };
        let cut = good[..good.len() / 2].to_vec();
        let foreign = b"PK\x03\x04".to_vec();
        for bad in [version, flipped, of_nonsense, cut, foreign, Vec::new()] {
            std::fs::write(lab.cache(), &bad).unwrap();
            let learned = lab.learn(JAVA);
            assert!(!learned.from_cache);
            assert_eq!(learned.models, models);
            assert_eq!(std::fs::read(lab.cache()).unwrap(), good);
        }
        assert!(open(&good, &[0; 32]).unwrap().is_none());
    }

    #[test]
    fn a_damaged_trace_is_told_of_in_every_run() {
        let lab = Lab::new();
        lab.trace("a.trace", &[1]);
        let file = lab.folder.path().join("traces/a.trace");
        let mut bytes = std::fs::read(&file).unwrap();
        let end = bytes.iter().rposition(|&byte| byte != 0).unwrap();
        // The kind of the last record.
        bytes[end] = 0xee;
        std::fs::write(&file, bytes).unwrap();
        for _ in 0..2 {
            let learned = lab.learn(JAVA);
            assert!(!learned.from_cache);
            assert_eq!(learned.warnings.len(), 1);
        }
    }

    #[test]
    fn where_nothing_can_be_kept_models_are_learned_each_time() {
        let lab = Lab::new();
        lab.trace("a.trace", &[1]);
        std::fs::write(lab.folder.path().join("work"), "a file, no folder").unwrap();
        assert_eq!(lab.learn(JAVA).models, lab.learn(JAVA).models);
        assert!(!lab.learn(JAVA).from_cache);
    }
}
