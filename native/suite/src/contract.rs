//! Default contracts: what every object must keep to, whatever its class does.
//!
//! Comes in: a [`Site`], an object (or two) at the end of a run. Goes out: [`Check`]s, calls to append to the run and
//! what they must give. One rule per file, each with a code; what the platform documents as optional is no rule.
//! Source: Zhang et al., "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 4 (default
//! contracts); the rules are those of the platform's own documentation.
//!
//! ```text
//! run      account = new Account(5)
//! check    answer = account.equals(account)      answer must be true, else P101
//! ```
//! Does not know: how checks are run, minimised or written.

mod clone_is_another_object;
mod collection_contains_what_was_added;
mod collection_is_empty_agrees_with_size;
mod collection_size_agrees_with_iteration;
mod compare_to_agrees_with_equals;
mod compare_to_is_antisymmetric;
mod compare_to_throws_nothing;
mod equals_is_false_for_null;
mod equals_is_reflexive;
mod equals_is_symmetric;
mod equals_throws_nothing;
mod hash_code_agrees_with_equals;
mod hash_code_throws_nothing;
mod iterator_gives_what_it_promises;
mod iterator_throws_at_its_end;
mod serializable_can_be_written_and_read;
mod to_string_throws_nothing;

use crate::check::Contract;

/// All rules, by code.
pub(crate) const ALL: &[Contract] = &[
    equals_is_reflexive::CONTRACT,
    equals_is_symmetric::CONTRACT,
    equals_is_false_for_null::CONTRACT,
    equals_throws_nothing::CONTRACT,
    hash_code_agrees_with_equals::CONTRACT,
    hash_code_throws_nothing::CONTRACT,
    to_string_throws_nothing::CONTRACT,
    compare_to_throws_nothing::CONTRACT,
    compare_to_is_antisymmetric::CONTRACT,
    compare_to_agrees_with_equals::CONTRACT,
    clone_is_another_object::CONTRACT,
    iterator_gives_what_it_promises::CONTRACT,
    iterator_throws_at_its_end::CONTRACT,
    collection_size_agrees_with_iteration::CONTRACT,
    collection_contains_what_was_added::CONTRACT,
    collection_is_empty_agrees_with_size::CONTRACT,
    serializable_can_be_written_and_read::CONTRACT,
];
