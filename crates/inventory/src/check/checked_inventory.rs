//! The results of all rows of an inventory.
//!
//! An inventory has many rows, and most results repeat what the row says. So a result is only put
//! together when it is taken, and then its row is dropped.

use std::sync::Arc;

use appstitch_types::Uri;
use appstitch_types::inventory::{
    CheckRule, CheckedApp, Confidence, InventoryTotals, MatchedBy, Verdict,
};

use super::{CheckedRow, installed_version::InstalledVersion};
use crate::installed_app::InstalledApp;

/// The results of the rows of an inventory, in the same order.
#[derive(Debug, Default)]
pub struct CheckedInventory {
    rows: Vec<InstalledApp>,
    /// For each row, the position of its result.
    numbers: Vec<u32>,
    /// For each row, whether another copy on the same Mac counts instead.
    is_copy: Vec<bool>,
    results: Vec<RowResult>,
    /// How many results are left.
    count: usize,
}

/// The number of a row that is filtered out.
const FILTERED_OUT: u32 = u32::MAX;

/// The result for all rows that differ only in their Mac.
#[derive(Debug)]
pub(super) struct RowResult {
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
    pub(super) matched_by: Option<MatchedBy>,
    pub(super) confidence: Option<Confidence>,
    pub(super) slug: Option<Arc<str>>,
    pub(super) newest: Option<Box<str>>,
    /// If it is outdated.
    pub(super) download_url: Option<Arc<Uri>>,
    pub(super) is_deprecated: bool,
    /// Few rows have any.
    pub(super) lists: Option<Box<SlugLists>>,
}

#[derive(Debug, Default)]
pub(super) struct SlugLists {
    /// All apps that fit, sorted.
    pub(super) slugs: Vec<Arc<str>>,
    pub(super) did_you_mean: Vec<Arc<str>>,
}

impl RowResult {
    /// In bytes, approximately.
    pub(super) fn size(&self) -> usize {
        let lists = self.lists.as_deref().map_or(0, |lists| {
            let SlugLists { slugs, did_you_mean } = lists;
            size_of_val(lists) + size_of_val(&**slugs) + size_of_val(&**did_you_mean)
        });
        size_of::<Self>() + lists + self.newest.as_ref().map_or(0, |newest| newest.len())
    }

    fn leads_to_app(&self) -> bool {
        self.slug.is_some() || self.lists.as_ref().is_some_and(|lists| !lists.slugs.is_empty())
    }
}

impl CheckedInventory {
    /// Both lists are as long as the rows, and each number is one of `results`.
    pub(super) fn new(
        rows: Vec<InstalledApp>,
        numbers: Vec<u32>,
        is_copy: Vec<bool>,
        results: Vec<RowResult>,
    ) -> Self {
        let count = rows.len();
        Self { rows, numbers, is_copy, results, count }
    }

    pub fn len(&self) -> usize {
        self.count
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub fn totals(&self) -> InventoryTotals {
        let all = self.numbers.iter().zip(&self.is_copy);
        InventoryTotals::count_all(all.filter_map(|(number, is_copy)| {
            let result = self.results.get(*number as usize)?;
            Some((result.verdict(*is_copy), result.leads_to_app()))
        }))
    }

    pub fn retain_verdicts(&mut self, keeps: impl Fn(Verdict) -> bool) {
        for (number, is_copy) in self.numbers.iter_mut().zip(&self.is_copy) {
            let result = self.results.get(*number as usize);
            if result.is_some_and(|result| !keeps(result.verdict(*is_copy))) {
                *number = FILTERED_OUT;
                self.count -= 1;
            }
        }
    }

    /// Keeps only some results. It takes longer than [`Self::retain_verdicts`].
    pub fn retain(&mut self, keeps: impl Fn(&CheckedApp) -> bool) {
        for ((number, is_copy), row) in self.numbers.iter_mut().zip(&self.is_copy).zip(&self.rows) {
            let result = self.results.get(*number as usize);
            if result.is_some_and(|result| !keeps(&result.row(row, *is_copy).into())) {
                *number = FILTERED_OUT;
                self.count -= 1;
            }
        }
    }
}

impl RowResult {
    fn verdict(&self, is_copy: bool) -> Verdict {
        if is_copy { Verdict::Ignored } else { self.verdict }
    }

    fn row<'a>(&'a self, row: &'a InstalledApp, is_copy: bool) -> CheckedRow<'a> {
        let verdict = self.verdict(is_copy);
        let texts = |list: &'a [Arc<str>]| list.iter().map(|text| &**text).collect();
        let (slugs, did_you_mean) = match &self.lists {
            Some(lists) => (texts(&lists.slugs), texts(&lists.did_you_mean)),
            None => (Vec::new(), Vec::new()),
        };
        let download_url = self.download_url.as_ref().filter(|_| !is_copy);
        CheckedRow {
            host: row.host.as_deref(),
            name: row.name.as_deref().or(row.token.as_deref()),
            bundle_id: row.bundle_id.as_deref(),
            path: row.path.as_deref(),
            verdict,
            slug: self.slug.as_deref(),
            slugs,
            installed_version: shown(row),
            newest_version: self.newest.as_deref(),
            download_url: download_url.map(|url| &**url),
            matched_by: self.matched_by,
            confidence: self.confidence,
            rule: if is_copy { CheckRule::OtherCopy } else { self.rule },
            did_you_mean,
            deprecated: self.is_deprecated,
        }
    }
}

/// The version that was compared, or else what the inventory has instead of one.
fn shown(row: &InstalledApp) -> Option<&str> {
    let given = row.short_version.as_deref().or(row.build.as_deref());
    InstalledVersion::shown_of(row).or(given).filter(|text| !text.is_empty())
}

impl IntoIterator for CheckedInventory {
    type Item = CheckedApp;
    type IntoIter = CheckedApps;

    fn into_iter(self) -> CheckedApps {
        CheckedApps { inventory: self, next: 0 }
    }
}

#[derive(Debug)]
pub struct CheckedApps {
    inventory: CheckedInventory,
    next: usize,
}

impl CheckedApps {
    /// Passes the next result on without copying its texts. Returns `false` at the end.
    pub fn write_next(&mut self, write: impl FnOnce(CheckedRow<'_>)) -> bool {
        let Some((row, result, is_copy)) = self.advance() else { return false };
        write(result.row(row, is_copy));
        // Its texts are not needed any more.
        *row = InstalledApp::default();
        true
    }

    /// The next row, its result, and whether another copy counts instead.
    fn advance(&mut self) -> Option<(&mut InstalledApp, &RowResult, bool)> {
        let CheckedInventory { rows, numbers, is_copy, results, count } = &mut self.inventory;
        loop {
            let at = self.next;
            let number = *numbers.get(at)?;
            self.next += 1;
            if let Some(result) = results.get(number as usize) {
                *count -= 1;
                return Some((&mut rows[at], result, is_copy[at]));
            }
        }
    }
}

impl Iterator for CheckedApps {
    type Item = CheckedApp;

    fn next(&mut self) -> Option<CheckedApp> {
        let mut app = None;
        self.write_next(|row| app = Some(row.into()));
        app
    }
}
