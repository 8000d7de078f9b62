//! Lists of installed apps: readers of their formats, and the [`check`] of their rows.
//!
//! The format is recognized by the content: what a Mac writes itself, the output of management tools,
//! and tables. JSON and property lists go through one reader, which knows the keys of all formats;
//! tables and plain lists fill the same rows.
//!
//! Anyone can upload a file, so all work on them is limited by a budget, and a file that is not
//! understood is refused with what was found and what is accepted.
//!
//! ```
//! use appstitch_budget::Budget;
//!
//! let file = br#"{"SPApplicationsDataType": [{"_name": "Firefox", "version": "140.0"}]}"#;
//! let inventory = appstitch_inventory::read(file, &mut Budget::new(appstitch_inventory::LIMITS))?;
//! assert_eq!(inventory.apps[0].name.as_deref(), Some("Firefox"));
//! assert_eq!(inventory.formats[0].name(), "system_profiler");
//! # Ok::<(), appstitch_inventory::InventoryError>(())
//! ```

pub mod check;
mod collector;
pub mod csv;
mod encoding;
mod error;
mod fields;
mod format;
mod installed_app;
mod json;
mod known_keys;
mod plain_list;
mod plist;
mod slot;
mod table;
mod tree;
mod unpack;

pub use error::InventoryError;
pub use format::InventoryFormat;
pub use installed_app::{InstalledApp, InstalledFrom};

use std::borrow::Cow;

use appstitch_budget::{Budget, Limits};
use appstitch_types::inventory::SkippedRows;

use crate::collector::Collector;

/// The maximum size of a file when uncompressed, in bytes.
pub const MAX_UNPACKED_BYTES: usize = 64 << 20;

/// The maximum number of entries of a file: apps, and the Macs around them.
pub const MAX_ROWS: u64 = 100_000;

pub const LIMITS: Limits = Limits { bytes: 256 << 20, rows: MAX_ROWS, ..Limits::FILE };

/// A step is about this many bytes that are looked at.
const BYTES_PER_STEP: usize = 32;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Inventory {
    /// In the order of the file.
    pub apps: Vec<InstalledApp>,
    /// In the order in which they occur.
    pub formats: Vec<InventoryFormat>,
    pub skipped: SkippedRows,
}

/// Reads a list of installed apps. It may be compressed with gzip or zstd, be UTF-16, and consist of
/// several documents after one another.
pub fn read(file: &[u8], budget: &mut Budget) -> Result<Inventory, InventoryError> {
    let unpacked = unpack::unpack(file, MAX_UNPACKED_BYTES, budget)?;
    let inventory = read_unpacked(&unpacked, budget);
    if let Cow::Owned(unpacked) = unpacked {
        budget.release(unpacked.capacity());
    }
    inventory
}

fn read_unpacked(unpacked: &[u8], budget: &mut Budget) -> Result<Inventory, InventoryError> {
    budget.step(1 + (unpacked.len() / BYTES_PER_STEP) as u64)?;
    if plist::binary::is_binary(unpacked) {
        let mut collector = Collector::new(budget);
        plist::binary::read(unpacked, &mut collector)?;
        return collector.finish();
    }
    let text = encoding::decode(unpacked, budget)?;
    let inventory = read_text(&text, budget);
    if let Cow::Owned(text) = text {
        budget.release(text.capacity());
    }
    inventory
}

fn read_text(text: &str, budget: &mut Budget) -> Result<Inventory, InventoryError> {
    let text = text.trim_start();
    let mut collector = Collector::new(budget);
    match text.as_bytes().first() {
        None => return Err(InventoryError::Empty),
        Some(b'{' | b'[') => json::read(text, &mut collector)?,
        Some(b'<') => plist::xml::read(text, &mut collector)?,
        Some(_) if plain_list::is_plain_list(text) => plain_list::read(text, &mut collector)?,
        Some(_) => table::read(text, &mut collector)?,
    }
    collector.finish()
}
