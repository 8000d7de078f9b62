//! Versions with a total order.
//!
//! A [`Version`] is a normalized version string: a leading `v`, leading zeros, trailing `.0`
//! parts and the choice of separator are ignored. Strings without an orderable number (dates,
//! words, hashes, shell expressions) are not versions.
//!
//! Two versions that differ in this order can still mean the same release; see [`stated`].

mod build;
mod comparison;
mod normal_form;
pub mod number;
mod numbers;
mod parse;
pub mod reading;
mod scheme;
pub mod shown;
pub mod stated;
mod suffix;
mod version;
pub mod written;

pub use comparison::{compare_versions, is_lower_version};
pub use version::Version;

#[cfg(test)]
mod tests;
