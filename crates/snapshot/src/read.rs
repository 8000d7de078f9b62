//! What is read from a snapshot.

mod browse;
mod changes;
mod details;
mod feeds;
mod history;
mod installed;
mod label;
mod resource;
mod search;
mod tables;

pub use browse::{Browsed, Browsing};
pub use changes::{ChangesRequest, RenderedChanges};
pub use feeds::ResolvedFeed;
pub use resource::{Page, Resource};
pub use search::SearchPage;
