//! The inventory check: which app of the catalog an installed app is, and whether it is up to date.
//!
//! The rules are careful: a missed update is better than a false alarm, and several
//! possible apps are better than the wrong one. Each result names the rule that decided.

mod channel;
mod check_all;
mod checked_inventory;
mod checked_json;
mod checked_row;
mod copies;
mod decision;
mod facts;
mod index;
mod install_location;
mod installed_version;
mod known_rows;
mod matching;
mod narrowing;
mod payloads;
mod reference;
mod relations;
mod row;
mod suggestions;
mod system_apps;

pub use checked_inventory::{CheckedApps, CheckedInventory};
pub use checked_row::CheckedRow;
pub use index::InstalledIndex;
pub use payloads::InstalledPayloads;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckOptions {
    /// Whether to suggest apps with similar names for apps that are not in the catalog.
    pub suggest: bool,
}

#[cfg(test)]
mod tests;
