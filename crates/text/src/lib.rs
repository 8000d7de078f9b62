//! Texts: which may be served, and in which form they are compared.
//!
//! [`rule`] is the one rule for every text of every source (see
//! docs/contributing/text.md), [`served`] applies it to the fields of a record, and
//! [`check_found_version`] and [`check_found_address`] apply it to what running a label returned.

mod fold;
mod junk;
pub mod normal_name;
pub mod rule;
pub mod served;
pub mod words;

pub use fold::fold_case;
pub use junk::{Junk, check_found_address, check_found_version};
pub use rule::visible;
pub use served::trimmed;
