//! Class files loaded per second, beside a raw parse of the same classes by the parser crate.
//!
//! The classes are the JDK's own of `java.lang`, `java.util`, `java.io` and some below, loaded with their code.
//! A raw parse frees each class; a loaded program lives as long as a run, so freeing it does not count.

use criterion::{Criterion, Throughput};
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
    group.bench_function("raw parse", |bencher| {
        bencher.iter(|| {
            let parsed = classes.iter().map(|bytes| cafebabe::parse_class(bytes));
            parsed
                .filter(|class| class.as_ref().is_ok_and(|class| !class.methods.is_empty()))
                .count()
        });
    });
    group.bench_function("load", |bencher| {
        bencher.iter_with_large_drop(|| {
            let mut builder = ProgramBuilder::new();
            for bytes in &classes {
                builder
                    .add(Origin::Library, bytes)
                    .expect("the JDK's classes are readable");
            }
            builder.finish()
        });
    });
    group.bench_function("load declarations", |bencher| {
        bencher.iter_with_large_drop(|| {
            let mut builder = ProgramBuilder::new();
            for bytes in &classes {
                builder
                    .add(Origin::Platform, bytes)
                    .expect("the JDK's classes are readable");
            }
            builder.finish()
        });
    });
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
