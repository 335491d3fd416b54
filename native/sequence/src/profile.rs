//! Abstract object profiles: a coarse view of an object's fields.
//!
//! One [`AbstractValue`] per non-static, non-synthetic instance field, superclass fields first (platform classes left
//! out), in declaration order; an array has a profile of one value. Two profiles compare only for the same runtime
//! class. Source: Zhang, Saff, Bu, Ernst, "Combined Static and Dynamic Automated Test Generation", ISSTA 2011,
//! section 3.2. The agent and the worker compute them with the same code, so the numbers below are part of the wire
//! format.

use std::sync::Arc;

/// The abstraction of one field value, as the wire writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AbstractValue(pub u16);

impl AbstractValue {
    /// A null reference, array or enum field.
    pub const NULL: AbstractValue = AbstractValue(0);
    /// A reference that is not null.
    pub const NON_NULL: AbstractValue = AbstractValue(1);
    /// A number below zero.
    pub const NEGATIVE: AbstractValue = AbstractValue(2);
    /// A number equal to zero (also -0.0).
    pub const ZERO: AbstractValue = AbstractValue(3);
    /// A number above zero.
    pub const POSITIVE: AbstractValue = AbstractValue(4);
    /// Not a number.
    pub const NAN: AbstractValue = AbstractValue(5);
    /// An array of length 0.
    pub const EMPTY: AbstractValue = AbstractValue(6);
    /// A reference array with a null element.
    pub const CONTAINS_NULL: AbstractValue = AbstractValue(7);
    /// Any other array.
    pub const OTHER: AbstractValue = AbstractValue(8);
    /// `false`
    pub const FALSE: AbstractValue = AbstractValue(9);
    /// `true`
    pub const TRUE: AbstractValue = AbstractValue(10);
    /// The enum constant with this ordinal.
    pub fn enum_constant(ordinal: u16) -> AbstractValue {
        AbstractValue(16 + ordinal)
    }
}

/// The abstract values of one object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectProfile(pub Arc<[AbstractValue]>);
