//! What a Jamf Pro server reads from an external patch source: a list of titles, and a definition of
//! each with its versions.
//!
//! Jamf looks the version of an installed app up in the definition and does not compare it. So a
//! definition keeps every version that was ever in it, and an app whose version is not the one that
//! Jamf collects from Macs gets none: see [`choose()`]. All functions are pure.

mod candidate;
mod choose;
mod definition;
mod history;
mod id;
mod published;
mod reason;

pub use candidate::{Candidate, OtherVersion, Standing};
pub use choose::{Chosen, Omission, Title, choose};
pub use definition::{
    Component, Criterion, Definition, KillApp, OmittedApp, Patch, Summary, sample,
};
pub use history::MOST_VERSIONS;
pub use id::title_id;
pub use published::{PublishedVersion, TitleHistory};
pub use reason::Reason;

/// The macOS version that is required of apps whose requirement is not known.
pub const DEFAULT_MINIMUM: &str = "10.13";
