//! The answer about a whole inventory.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CheckedApp, Verdict};

/// How many installed apps got each verdict.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({
    "rows": 3, "current": 1, "outdated": 1, "newer": 0, "same_release_other_string": 0,
    "not_comparable": 0, "no_version": 0, "ambiguous": 0, "unmatched": 0, "system": 1, "store": 0,
    "ignored": 0, "matched": 2, "coverage": 1.0
}))]
pub struct InventoryTotals {
    /// All rows of the inventory.
    pub rows: u64,
    /// Rows whose installed version is the newest.
    pub current: u64,
    /// Rows for which the catalog has a newer version.
    pub outdated: u64,
    /// Rows whose installed version is newer than the catalog's.
    pub newer: u64,
    /// Rows with the newest version, written differently.
    pub same_release_other_string: u64,
    /// Rows whose version cannot be compared for sure.
    pub not_comparable: u64,
    /// Rows for which the inventory or the catalog has no version.
    pub no_version: u64,
    /// Rows that fit several apps, so that the verdict is not known.
    pub ambiguous: u64,
    /// Rows that are not in the catalog.
    pub unmatched: u64,
    /// Rows that are part of macOS.
    pub system: u64,
    /// Rows from the Mac App Store without a version to compare.
    pub store: u64,
    /// Rows that are not apps of their own, or copies.
    pub ignored: u64,
    /// The rows that lead to at least one app of the catalog, without ignored ones.
    pub matched: u64,
    /// The share of rows that lead to the catalog, of those that are neither `system` nor
    /// `ignored`; null if there are none.
    #[schema(minimum = 0, maximum = 1)]
    pub coverage: Option<f64>,
}

impl InventoryTotals {
    /// Counts the answers.
    pub fn of<'a>(apps: impl IntoIterator<Item = &'a CheckedApp>) -> Self {
        let leads_to_app = |app: &CheckedApp| app.slug.is_some() || !app.slugs.is_empty();
        Self::count_all(apps.into_iter().map(|app| (app.verdict, leads_to_app(app))))
    }

    /// Counts answers: their verdicts, and whether they lead to an app of the catalog.
    pub fn count_all(answers: impl Iterator<Item = (Verdict, bool)>) -> Self {
        let mut totals = Self::default();
        for (verdict, leads_to_app) in answers {
            totals.rows += 1;
            *totals.count_mut(verdict) += 1;
            totals.matched += u64::from(leads_to_app && verdict != Verdict::Ignored);
        }
        totals.coverage = share(totals.matched, totals.rows - totals.system - totals.ignored);
        totals
    }

    /// The number of rows with a verdict.
    pub fn count(&self, verdict: Verdict) -> u64 {
        let mut totals = self.clone();
        *totals.count_mut(verdict)
    }

    fn count_mut(&mut self, verdict: Verdict) -> &mut u64 {
        match verdict {
            Verdict::Current => &mut self.current,
            Verdict::Outdated => &mut self.outdated,
            Verdict::Newer => &mut self.newer,
            Verdict::SameReleaseOtherString => &mut self.same_release_other_string,
            Verdict::NotComparable => &mut self.not_comparable,
            Verdict::NoVersion => &mut self.no_version,
            Verdict::Ambiguous => &mut self.ambiguous,
            Verdict::Unmatched => &mut self.unmatched,
            Verdict::System => &mut self.system,
            Verdict::Store => &mut self.store,
            Verdict::Ignored => &mut self.ignored,
        }
    }
}

/// A share with three decimal places.
fn share(part: u64, whole: u64) -> Option<f64> {
    const PLACES: u64 = 1000;
    let scaled = part.checked_mul(PLACES)?.checked_div(whole)?;
    // At most a thousand, so it is exact.
    u32::try_from(scaled).ok().map(|scaled| f64::from(scaled) / 1000.0)
}

/// How many entries of an inventory are left out, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[schema(example = json!({"not_mac_apps": 12, "not_installed": 3, "empty": 0}))]
pub struct SkippedRows {
    /// They are not Mac apps: apps for other systems, browser extensions, packages.
    pub not_mac_apps: u64,
    /// They are listed, but not installed.
    pub not_installed: u64,
    /// They name no app.
    pub empty: u64,
}

/// The answer about an inventory: one row for each row of the inventory, in the same order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct InventoryReport {
    /// The revision of the catalog that the apps were compared with; null for an empty catalog.
    #[schema(example = "20261115T200000Z-0123456789ab")]
    pub catalog_version: Option<String>,
    /// What the inventory was recognized as.
    #[schema(example = json!(["system_profiler"]))]
    pub formats: Vec<String>,
    /// The entries of the inventory that are left out.
    pub skipped: SkippedRows,
    /// How many apps got each verdict.
    pub totals: InventoryTotals,
    /// The answers.
    pub apps: Vec<CheckedApp>,
}

impl InventoryReport {
    /// Counts the answers. What was read besides the rows is added by the caller.
    pub fn new(catalog_version: Option<String>, apps: Vec<CheckedApp>) -> Self {
        let totals = InventoryTotals::of(&apps);
        Self { catalog_version, formats: Vec::new(), skipped: SkippedRows::default(), totals, apps }
    }
}
