//! The result of checking a list of installed apps.

mod checked_app;
mod report;
mod rule;

pub use checked_app::{CheckedApp, Confidence, MatchedBy, Verdict};
pub use report::{InventoryReport, InventoryTotals, SkippedRows};
pub use rule::CheckRule;
