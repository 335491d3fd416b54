//! Classes per second from a loaded program to all its facts.
//!
//! The classes are the JDK's own of `java.lang`, `java.util`, `java.io` and some below, taken as a subject's.

use criterion::{Criterion, Throughput};
use palus_analyze::Facts;
use palus_bytecode::{Origin, ProgramBuilder};
use palus_fixture::platform_dir;
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    collect(platform_dir(), &mut files);
    files.sort();
    let classes: Vec<Vec<u8>> = files
        .iter()
        .map(|path| std::fs::read(path).expect("the cache can be read"))
        .collect();
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    let mut group = criterion.benchmark_group("classes");
    group.throughput(Throughput::Elements(classes.len() as u64));
    let mut builder = ProgramBuilder::new();
    for bytes in &classes {
        builder
            .add(Origin::Subject, bytes)
            .expect("the JDK's classes are readable");
    }
    let program = builder.finish();
    group.bench_function("facts", |bencher| bencher.iter(|| Facts::of(&program)));
    group.finish();
    criterion.final_summary();
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("the cache can be read") {
        let path = entry.expect("the cache can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            files.push(path);
        }
    }
}
