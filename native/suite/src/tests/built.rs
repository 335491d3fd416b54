//! What is chosen, shortened, observed and asserted.
