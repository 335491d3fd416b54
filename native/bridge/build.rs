//! Writes the header of what this library exports, for the test that compares it with the one `javac -h` writes.

use std::path::Path;

fn main() {
    let crate_directory = std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out_directory = std::env::var("OUT_DIR").expect("cargo sets it");
    println!("cargo::rerun-if-changed=src");
    let config = cbindgen::Config {
        language: cbindgen::Language::C,
        ..cbindgen::Config::default()
    };
    cbindgen::Builder::new()
        .with_config(config)
        .with_src(Path::new(&crate_directory).join("src/lib.rs"))
        .generate()
        .expect("the exports are plain functions")
        .write_to_file(Path::new(&out_directory).join("palus_bridge.h"));
}
