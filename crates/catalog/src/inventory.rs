//! The inventory check: which app of the catalog an installed app is, and whether it is up to date.
//!
//! The rules are careful: a missed update is better than a false alarm, and an answer of several
//! apps is better than the wrong one. Each answer names the rule that decided.

mod answer;
mod channel;
mod check;
mod checked_app;
mod checked_inventory;
mod checked_json;
mod checked_row;
mod copies;
mod facts;
mod index;
mod installed_version;
mod known_rows;
mod matching;
mod name_words;
mod narrowing;
mod payloads;
mod place;
mod reference;
mod relations;
mod report;
mod row;
mod rule;
mod suggestions;
mod system_apps;

pub use checked_app::{CheckedApp, Confidence, MatchedBy, Verdict};
pub use checked_inventory::{CheckedApps, CheckedInventory};
pub use checked_row::CheckedRow;
pub use index::InstalledIndex;
pub use payloads::InstalledPayloads;
pub use report::{InventoryReport, InventoryTotals, SkippedRows};
pub use rule::CheckRule;

/// What a check does besides the usual.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// Whether to suggest apps with similar names for apps that are not in the catalog.
    pub suggest: bool,
}

#[cfg(test)]
mod tests;
