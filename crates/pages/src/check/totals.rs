//! How many apps got each verdict.

use appstitch_catalog::inventory::{InventoryTotals, SkippedRows};

use super::verdict::{BY_ATTENTION, class, title};
use crate::Count;

/// How many apps got a verdict.
pub(super) struct Total {
    pub(super) title: &'static str,
    pub(super) class: &'static str,
    pub(super) apps: Count,
}

/// The verdicts that some apps got.
pub(super) fn totals(totals: &InventoryTotals) -> Vec<Total> {
    let total = |verdict| Total {
        title: title(verdict),
        class: class(verdict),
        apps: Count(totals.count(verdict)),
    };
    BY_ATTENTION.into_iter().map(total).filter(|total| total.apps.0 > 0).collect()
}

/// What was left out of the list, in words.
pub(super) fn skipped(skipped: &SkippedRows) -> Vec<String> {
    let reasons = [
        (skipped.not_mac_apps, "are not Mac apps"),
        (skipped.not_installed, "are not installed"),
        (skipped.empty, "name no app"),
    ];
    let told = reasons.into_iter().filter(|(rows, _)| *rows > 0);
    told.map(|(rows, reason)| format!("{} more entries {reason}", Count(rows))).collect()
}
