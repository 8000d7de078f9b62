//! The answers about all rows of an inventory.
//!
//! An inventory has many rows, and most answers repeat what the row says. So an answer is only put
//! together when it is taken, and then the texts of its row move into it.

use std::sync::Arc;

use super::{
    CheckRule, CheckedApp, CheckedRow, Confidence, InventoryTotals, MatchedBy, Verdict,
    installed_version::InstalledVersion,
};
use crate::{InstalledApp, Uri};

/// The answers about the rows of an inventory, in the same order.
#[derive(Debug, Default)]
pub struct CheckedInventory {
    rows: Vec<InstalledApp>,
    /// For each row, the number of what is told about it.
    numbers: Vec<u32>,
    /// For each row, whether another copy on the same Mac counts instead.
    is_copy: Vec<bool>,
    told: Vec<Told>,
    /// How many answers are left.
    count: usize,
}

/// The number of a row whose answer is not wanted.
const UNWANTED: u32 = u32::MAX;

/// What is told about rows that are the same, whichever Mac they are on.
#[derive(Debug)]
pub(super) struct Told {
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
    pub(super) matched_by: Option<MatchedBy>,
    pub(super) confidence: Option<Confidence>,
    pub(super) slug: Option<Arc<str>>,
    pub(super) newest: Option<Box<str>>,
    /// If it is outdated.
    pub(super) download_url: Option<Arc<Uri>>,
    /// Few rows have any.
    pub(super) lists: Option<Box<SlugLists>>,
}

/// Slugs of several apps.
#[derive(Debug, Default)]
pub(super) struct SlugLists {
    /// All apps that fit, sorted.
    pub(super) slugs: Vec<Arc<str>>,
    pub(super) did_you_mean: Vec<Arc<str>>,
}

impl Told {
    /// About the bytes that it takes.
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
    /// Both lists are as long as the rows, and each number is one of `told`.
    pub(super) fn new(
        rows: Vec<InstalledApp>,
        numbers: Vec<u32>,
        is_copy: Vec<bool>,
        told: Vec<Told>,
    ) -> Self {
        let count = rows.len();
        Self { rows, numbers, is_copy, told, count }
    }

    /// The number of answers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no answers.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Counts the answers.
    #[must_use]
    pub fn totals(&self) -> InventoryTotals {
        let all = self.numbers.iter().zip(&self.is_copy);
        InventoryTotals::count_all(all.filter_map(|(number, is_copy)| {
            let told = self.told.get(*number as usize)?;
            Some((told.verdict(*is_copy), told.leads_to_app()))
        }))
    }

    /// Keeps only the answers with some verdicts.
    pub fn retain_verdicts(&mut self, is_wanted: impl Fn(Verdict) -> bool) {
        for (number, is_copy) in self.numbers.iter_mut().zip(&self.is_copy) {
            let told = self.told.get(*number as usize);
            if told.is_some_and(|told| !is_wanted(told.verdict(*is_copy))) {
                *number = UNWANTED;
                self.count -= 1;
            }
        }
    }

    /// Keeps only some answers. It takes longer than [`Self::retain_verdicts`].
    pub fn retain(&mut self, is_wanted: impl Fn(&CheckedApp) -> bool) {
        for ((number, is_copy), row) in self.numbers.iter_mut().zip(&self.is_copy).zip(&self.rows) {
            let told = self.told.get(*number as usize);
            if told.is_some_and(|told| !is_wanted(&told.about(row.clone(), *is_copy))) {
                *number = UNWANTED;
                self.count -= 1;
            }
        }
    }
}

impl Told {
    fn verdict(&self, is_copy: bool) -> Verdict {
        if is_copy { Verdict::Ignored } else { self.verdict }
    }

    /// The answer about a row.
    fn about(&self, mut row: InstalledApp, is_copy: bool) -> CheckedApp {
        let verdict = self.verdict(is_copy);
        let texts = |list: &[Arc<str>]| list.iter().map(ToString::to_string).collect();
        let (slugs, did_you_mean) = match &self.lists {
            Some(lists) => (texts(&lists.slugs), texts(&lists.did_you_mean)),
            None => (Vec::new(), Vec::new()),
        };
        CheckedApp {
            installed_version: shown_version(&mut row),
            host: row.host,
            name: row.name.or(row.token),
            bundle_id: row.bundle_id,
            path: row.path,
            verdict,
            slug: self.slug.as_deref().map(str::to_owned),
            slugs,
            newest_version: self.newest.as_deref().map(str::to_owned),
            download_url: self
                .download_url
                .as_deref()
                .filter(|_| verdict == Verdict::Outdated)
                .cloned(),
            matched_by: self.matched_by,
            confidence: self.confidence,
            rule: if is_copy { CheckRule::OtherCopy } else { self.rule },
            did_you_mean,
        }
    }
}

impl Told {
    /// The answer about a row, which borrows its texts.
    fn row<'a>(&'a self, row: &'a InstalledApp, is_copy: bool) -> CheckedRow<'a> {
        let verdict = self.verdict(is_copy);
        let texts = |list: &'a [Arc<str>]| list.iter().map(|text| &**text).collect();
        let (slugs, did_you_mean) = match &self.lists {
            Some(lists) => (texts(&lists.slugs), texts(&lists.did_you_mean)),
            None => (Vec::new(), Vec::new()),
        };
        let download_url = self.download_url.as_ref().filter(|_| verdict == Verdict::Outdated);
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
            download_url: download_url.map(|url| url.as_str()),
            matched_by: self.matched_by,
            confidence: self.confidence,
            rule: if is_copy { CheckRule::OtherCopy } else { self.rule },
            did_you_mean,
        }
    }
}

/// The version that was compared, or else what the inventory has instead of one.
fn shown(row: &InstalledApp) -> Option<&str> {
    let given = row.short_version.as_deref().or(row.build.as_deref());
    InstalledVersion::shown_of(row).or(given).filter(|text| !text.is_empty())
}

/// The same, taken out of the row.
fn shown_version(row: &mut InstalledApp) -> Option<String> {
    let shown = shown(row)?;
    // Usually it is the text as it is.
    let same = [&row.short_version, &row.build]
        .map(|text| text.as_deref().is_some_and(|text| text.len() == shown.len() && text == shown));
    match same {
        [true, _] => row.short_version.take(),
        [_, true] => row.build.take(),
        _ => Some(shown.to_owned()),
    }
}

impl IntoIterator for CheckedInventory {
    type Item = CheckedApp;
    type IntoIter = CheckedApps;

    fn into_iter(self) -> CheckedApps {
        CheckedApps { inventory: self, next: 0 }
    }
}

/// Takes the answers one after the other.
#[derive(Debug)]
pub struct CheckedApps {
    inventory: CheckedInventory,
    /// The next row.
    next: usize,
}

impl CheckedApps {
    /// Passes the next answer on without copying its texts. Returns `false` at the end.
    pub fn write_next(&mut self, write: impl FnOnce(CheckedRow<'_>)) -> bool {
        let Some((row, told, is_copy)) = self.advance() else { return false };
        write(told.row(row, is_copy));
        // Its texts are not needed any more.
        *row = InstalledApp::default();
        true
    }

    /// The next row, what is told about it, and whether another copy counts instead.
    fn advance(&mut self) -> Option<(&mut InstalledApp, &Told, bool)> {
        let CheckedInventory { rows, numbers, is_copy, told, count } = &mut self.inventory;
        loop {
            let at = self.next;
            let number = *numbers.get(at)?;
            self.next += 1;
            if let Some(told) = told.get(number as usize) {
                *count -= 1;
                return Some((&mut rows[at], told, is_copy[at]));
            }
        }
    }
}

impl Iterator for CheckedApps {
    type Item = CheckedApp;

    fn next(&mut self) -> Option<CheckedApp> {
        let (row, told, is_copy) = self.advance()?;
        Some(told.about(std::mem::take(row), is_copy))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.inventory.count, Some(self.inventory.count))
    }
}

impl ExactSizeIterator for CheckedApps {}
