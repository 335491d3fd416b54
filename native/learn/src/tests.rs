//! The worked examples of the papers, node for node, and what must not become part of a model.

mod builder;
mod carving;
mod damage;
mod dependence;
mod histories;
mod k_tail;
mod leaving_out;
mod merging;
mod road_map;
mod shapes;
mod stored;
mod threads;
