//! Classes per second from a loaded program to all its facts.
//!
//! The classes are the JDK's own of `java.lang`, `java.util`, `java.io` and some below, taken as a subject's; or, with
//! `PALUS_BENCH_JARS=a.jar:b.jar`, all classes of those jars, with the JDK's as platform, as a run has them.
//! (The goal: Rhino 1.7.14, BCEL 6.5.0, Commons Collections 3.2.2 and JSAP 2.1 together in under 1 s on two cores.)

use criterion::{Criterion, Throughput};
use palus_analyze::Facts;
use palus_bytecode::{Origin, Program, ProgramBuilder};
use palus_fixture::platform_dir;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

fn main() {
    let (program, count) = match std::env::var_os("PALUS_BENCH_JARS") {
        Some(jars) => of_jars(&std::env::split_paths(&jars).collect::<Vec<_>>()),
        None => of_the_platform(),
    };
    let mut criterion = Criterion::default().sample_size(20).configure_from_args();
    let mut group = criterion.benchmark_group("classes");
    group.throughput(Throughput::Elements(count));
    group.bench_function("facts", |bencher| bencher.iter(|| Facts::of(&program)));
    group.finish();
    criterion.final_summary();
}

/// All classes of the jars as the subject's, and the JDK's classes that they name.
fn of_jars(jars: &[PathBuf]) -> (Program, u64) {
    let mut builder = ProgramBuilder::new();
    let mut count = 0;
    for jar in jars {
        let file = File::open(jar).expect("the jar can be read");
        let mut archive = zip::ZipArchive::new(file).expect("a jar");
        for index in 0..archive.len() {
            let mut member = archive.by_index(index).expect("a member of the jar");
            if member.name().is_ok_and(|name| name.ends_with(".class")) {
                let mut bytes = Vec::new();
                member.read_to_end(&mut bytes).expect("a whole member");
                count += u64::from(builder.add(Origin::Subject, &bytes).is_ok());
            }
        }
    }
    loop {
        let missing = builder.missing();
        let found = missing
            .iter()
            .filter_map(|name| palus_fixture::platform_class(name));
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            return (builder.finish(), count);
        }
        for bytes in found {
            builder
                .add(Origin::Platform, &bytes)
                .expect("a class of the JDK");
        }
    }
}

fn of_the_platform() -> (Program, u64) {
    let mut files = Vec::new();
    collect(platform_dir(), &mut files);
    files.sort();
    let classes: Vec<Vec<u8>> = files
        .iter()
        .map(|path| std::fs::read(path).expect("the cache can be read"))
        .collect();
    let mut builder = ProgramBuilder::new();
    for bytes in &classes {
        builder
            .add(Origin::Subject, bytes)
            .expect("the JDK's classes are readable");
    }
    (builder.finish(), classes.len() as u64)
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
