//! The long run: `cargo run --release -p palus-fuzz -- 50000000 [seed]`.
//!
//! Comes in: how many inputs for all readers together. Goes out: a line for each reader; status 1 and the input in
//! hexadecimal where one panics, hangs or takes too much memory.
#![expect(clippy::print_stdout, reason = "a program whose output is its result")]

use palus_fuzz::{run, targets};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(executions)), Ok(seed)) = (numbers.next(), numbers.next().unwrap_or(Ok(1))) else {
        println!("usage: palus-fuzz EXECUTIONS [SEED]");
        return ExitCode::FAILURE;
    };
    let mut code = ExitCode::SUCCESS;
    for target in targets() {
        let name = target.name;
        match run(&target, (executions * target.share).div_ceil(100), seed) {
            Ok(figures) => println!(
                "{name}: {} executions, {} taken, 0 crashes, slowest input {} us, largest memory {} bytes",
                figures.executions,
                figures.accepted,
                figures.slowest.as_micros(),
                figures.most_memory
            ),
            Err(failure) => {
                println!("{name}: 1 crash, {failure}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
