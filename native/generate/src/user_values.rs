//! Values that the user offers for the parameters of methods.
//!
//! Comes in: per method, constant fields of the user's own. Goes out: those that fit a position.
//! Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011, section 3.4: they are used
//! beside the recorded values, each as likely as any recorded one; for methods that no model covers, half of the time.
//! Does not know: annotations, where the fields were found.

use palus_bytecode::MethodId;
use palus_sequence::Value;
use std::collections::BTreeMap;

/// Values by method; a value is offered to every position that it fits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UserValues {
    by_method: BTreeMap<MethodId, Vec<Value>>,
}

impl UserValues {
    /// Offers a value, such as [`Value::StaticField`], for a method or constructor.
    pub fn offer(&mut self, method: MethodId, value: Value) {
        let values = self.by_method.entry(method).or_default();
        if !values.contains(&value) {
            values.push(value);
        }
    }

    /// What is offered for a method, in the order offered.
    pub fn of(&self, method: MethodId) -> &[Value] {
        self.by_method.get(&method).map_or(&[], Vec::as_slice)
    }

    /// True if nothing is offered.
    pub fn is_empty(&self) -> bool {
        self.by_method.is_empty()
    }
}
