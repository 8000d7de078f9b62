//! The ranked search: which apps match a query, and in which order.
//!
//! The names of all apps are in one buffer in the form in which they are compared. A search finds
//! the apps that contain the query's longest word with one pass over the buffer, and decides about
//! each of them by itself. If nothing matches well, a second pass allows typing errors. The rules
//! are in `docs/how-it-decides/search.md`.

mod builder;
mod index;
mod keys;
mod matching;
mod nearest;
mod numbered;
mod query;
mod short_forms;
mod standing;
mod successors;
mod typo;
mod values;

#[cfg(test)]
mod tests;

pub(crate) use builder::RankedIndexBuilder;
pub(crate) use index::RankedIndex;
pub(crate) use matching::{AppMatch, WordMatch};
pub(crate) use query::Query;
pub(crate) use values::is_beyond_record;
