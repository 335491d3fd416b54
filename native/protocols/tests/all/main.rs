//! The specification's worked examples, with what makes each of them no warning, and properties that hold for all.

mod declared;
mod doubts;
mod order;
mod sites;
mod stored;
mod subject;
mod telling;
mod truth_table;
mod vectors;
