//! What is read from a snapshot.

mod browse;
mod changes;
mod details;
mod exports;
mod feeds;
mod history;
mod installed;
mod label;
mod patch;
mod resource;
mod search;
mod tables;

pub use browse::{Browsed, Browsing};
pub use changes::{ChangesRequest, RenderedChanges};
pub use exports::Exported;
pub use feeds::ResolvedFeed;
pub use patch::PatchSelection;
pub use resource::{Page, Resource};
pub use search::SearchPage;
