//! Written tests compile without a warning and pass, for every framework and language level.
