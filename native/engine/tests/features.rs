//! What whole runs give beyond what keeps the user from harm: a program part of its own, which `featuresTest` runs.

mod accept;
mod assertions;
mod differences;
mod lines;
mod promote;
mod protocols;
mod search;
mod stays;
mod templates;
mod unchanged;
mod untested;
