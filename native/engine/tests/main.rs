//! Tests that run engine and workers, as one program: linked once, and no core idles at the end of each file.
//!
//! A file here is a module: `cargo test -p palus-engine --test runs kept::` runs those of `kept.rs`. The tidy test holds
//! that each is named below. Those of `features` are no part of `check`.

mod project_lab;
mod unsafe_pairs;
mod worker_lab;

mod elsewhere;
mod faults;
mod features;
mod findings;
mod folders;
mod in_place;
mod inputs;
mod interrupted;
mod kept;
mod limits;
mod listed;
mod logging;
mod looks;
mod names;
mod read_back;
mod regression;
mod sandbox_level;
mod secrets;
mod untraced;
mod verify_agents;
mod verify_dates;
mod verify_garbage;
mod verify_guards;
mod verify_machine;
mod verify_orders;
mod worker;
mod worker_denials;
mod worker_files;
mod worker_mutants;
mod worker_near;
mod worker_sandbox;
mod worker_state;
mod worker_verify;
