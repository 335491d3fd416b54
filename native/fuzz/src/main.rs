//! The long run: `cargo run --release -p palus-fuzz -- 50000000 [seed]`.
//!
//! Comes in: how many inputs for all readers together. Goes out: a line for each reader; status 1 and the input in
//! hexadecimal where one panics.
#![expect(clippy::print_stdout, reason = "a program whose output is its result")]

use palus_fuzz::{run, targets};
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Some(Ok(executions)), Ok(seed)) = (numbers.next(), numbers.next().unwrap_or(Ok(1))) else {
        println!("usage: palus-fuzz EXECUTIONS [SEED]");
        return ExitCode::FAILURE;
    };
    let targets = targets();
    let share = executions.div_ceil(targets.len() as u64);
    for target in &targets {
        match run(target, share, seed) {
            Ok(figures) => println!(
                "{}: {} inputs, {} taken, 0 crashes",
                target.name, figures.executions, figures.accepted
            ),
            Err(input) => {
                println!("{}: a panic on {input:02x?}", target.name);
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}
