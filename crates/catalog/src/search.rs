//! Ranked search: the wire types and the form in which names are compared.
//!
//! How an app matches a query is decided in the snapshot, which has the names of all apps; what the
//! tiers mean is told in `docs/search.md`.

mod hit;
mod key;

pub use hit::{MatchTier, SearchField, SearchHit, SearchMatch, SearchResponse};
pub use key::{SearchKey, WordStart};
