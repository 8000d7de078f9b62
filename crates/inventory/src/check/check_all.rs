//! Checks the rows of an inventory.
//!
//! One row costs as much as it has candidates in the catalog, and a hostile inventory has many rows
//! of the app with the most candidates. So the work takes steps from a budget, and its results are
//! charged to it.

use std::borrow::Cow;

use appstitch_budget::{Budget, Exceeded};
use appstitch_types::inventory::{CheckRule, MatchedBy, Verdict};

use super::{
    CheckOptions, CheckedInventory,
    checked_inventory::{RowResult, SlugLists},
    copies::{self, AppGroups},
    decision::{Decision, Judged, agree},
    index::InstalledIndex,
    installed_version::Relation,
    known_rows::KnownRows,
    matching::{self, Candidates, Unchecked},
    narrowing,
    relations::Relations,
    row::Row,
    suggestions,
};
use crate::installed_app::InstalledApp;

/// The steps of comparing two versions, which is most of the work.
const COMPARISON: u64 = 16;

/// The candidates whose relations to each other take as long as one comparison.
const CANDIDATES_PER_COMPARISON: usize = 64;

impl InstalledIndex {
    /// Checks all rows of an inventory: one result for each row, in the same order. The budget
    /// limits the time, and the memory that is taken beyond that of the rows.
    pub fn check_all(
        &self,
        rows: Vec<InstalledApp>,
        options: CheckOptions,
        budget: &mut Budget,
    ) -> Result<CheckedInventory, Exceeded> {
        /// The bytes for each row: its number, and whether it is a copy.
        const KEPT: usize = size_of::<(u32, bool)>();
        /// The bytes that each distinct row needs until the end.
        const NEEDED: usize = KnownRows::SIZE + size_of::<Option<u32>>();
        let mut known = KnownRows::expecting(rows.len());
        let mut groups = AppGroups::default();
        let mut results: Vec<RowResult> = Vec::new();
        let mut numbers: Vec<u32> = Vec::with_capacity(rows.len());
        let mut needed = rows.len().saturating_mul(copies::SIZE);
        budget.hold(needed)?;
        for row in &rows {
            // Each row is compared with a copy of the app at most once.
            budget.step(COMPARISON)?;
            budget.hold(KEPT)?;
            let (number, is_new) = known.number(row);
            numbers.push(number);
            if !is_new {
                continue;
            }
            let decision = self.decision(row, budget)?;
            let mut result = self.result(&decision);
            if options.suggest && result.verdict == Verdict::Unmatched {
                let did_you_mean = suggestions::for_row(self, row, budget)?;
                result.lists = Some(Box::new(SlugLists { did_you_mean, ..SlugLists::default() }));
            }
            let more = NEEDED + groups.add(decision);
            budget.hold(more + result.size())?;
            needed += more;
            results.push(result);
        }
        let is_copy = copies::others(&rows, &numbers, &groups);
        drop((known, groups));
        budget.release(needed);
        Ok(CheckedInventory::new(rows, numbers, is_copy, results))
    }

    /// The decision about a row, without regard to its copies.
    fn decision(&self, app: &InstalledApp, budget: &mut Budget) -> Result<Decision<'_>, Exceeded> {
        let row = Row::of(app);
        match matching::find(self, &row) {
            Err(Unchecked { verdict, rule }) => Ok(Decision {
                verdict,
                rule,
                matched_by: None,
                confidence: None,
                positions: Cow::Borrowed(&[]),
                newest: None,
                is_store: false,
            }),
            Ok(candidates) => {
                let count = candidates.positions.len();
                let comparisons = count.saturating_mul(1 + count / CANDIDATES_PER_COMPARISON);
                budget.step(COMPARISON.saturating_mul(comparisons as u64))?;
                Ok(self.decide(&row, candidates))
            }
        }
    }

    fn decide<'i>(&'i self, row: &Row<'_>, candidates: Candidates<'i>) -> Decision<'i> {
        let mut relations = Relations::of(self, row);
        let (matched_by, confidence) = (Some(candidates.matched_by), Some(candidates.confidence));
        // Usually there is only one.
        if let [position] = *candidates.positions {
            let Judged { verdict, rule, newest, is_store, .. } =
                self.judge(row, &candidates, position, &mut relations);
            let positions = candidates.positions;
            return Decision { verdict, rule, matched_by, confidence, positions, newest, is_store };
        }
        let kept = narrowing::narrow(self, row, &candidates.positions, &mut relations);
        let judged: Vec<Judged<'_>> =
            kept.iter().map(|at| self.judge(row, &candidates, *at, &mut relations)).collect();
        let is_one_product = kept.iter().all(|at| self.app(*at).is_same_product(self.app(kept[0])));
        let is_by_name = candidates.matched_by == MatchedBy::Name;
        let decided =
            if is_by_name && !is_one_product { None } else { agree(&judged, is_one_product) };
        let (verdict, rule, positions, newest) = match decided {
            Some(judged) => {
                let position = Cow::Owned(vec![judged.position]);
                (judged.verdict, judged.rule, position, judged.newest)
            }
            None => (Verdict::Ambiguous, CheckRule::SeveralApps, Cow::Owned(kept), None),
        };
        let is_store = decided.is_some_and(|judged| judged.is_store);
        Decision { verdict, rule, matched_by, confidence, positions, newest, is_store }
    }

    /// The verdict if the row is this app.
    fn judge<'i>(
        &'i self,
        row: &Row<'_>,
        candidates: &Candidates<'_>,
        position: u32,
        relations: &mut Relations<'i, '_, '_>,
    ) -> Judged<'i> {
        let app = self.app(position);
        let judged = |verdict, rule, newest: Option<&'i str>| {
            let is_newest = !row.is_store && newest == app.references.newest.as_deref();
            let newest = app.references.shown.as_deref().filter(|_| is_newest).or(newest);
            Judged { position, verdict, rule, newest, is_store: row.is_store }
        };
        let (relation, newest) = if row.is_store {
            let Some(version) = app.store_version.as_deref() else {
                return judged(Verdict::Store, CheckRule::NoStoreListing, None);
            };
            (row.version.relation(version), version)
        } else {
            relations.with(position)
        };
        if row.version.shown().is_none() {
            let newest = app.references.newest.as_deref();
            return judged(Verdict::NoVersion, CheckRule::NoInstalledVersion, newest);
        }
        if newest.is_empty() {
            return judged(Verdict::NoVersion, CheckRule::NoCatalogVersion, None);
        }
        let newest = Some(newest);
        // A listing that is older than what the store sells, or the edition of another store.
        let is_other_listing = (row.is_store && matches!(relation, Relation::Newer(_)))
            || (!matches!(relation, Relation::Same(_)) && row.is_from_setapp());
        if is_other_listing {
            return judged(Verdict::Store, CheckRule::NoStoreListing, newest);
        }
        if let Relation::Older(_) = relation {
            let is_store_version = !row.is_download
                && !row.is_store
                && app.store_version.as_deref().is_some_and(|version| {
                    matches!(row.version.relation(version), Relation::Same(_))
                });
            if is_store_version {
                let newest = app.store_version.as_deref();
                let (verdict, rule) = (Verdict::Store, CheckRule::StoreVersion);
                return Judged { position, verdict, rule, newest, is_store: true };
            }
            let is_other = narrowing::is_other_major(self, row, &candidates.positions, app)
                || (candidates.has_other_id && !narrowing::has_newest_major(row, app));
            if is_other {
                return judged(Verdict::NotComparable, CheckRule::OtherMajor, newest);
            }
            // The receipt keeps the version that was installed first.
            if row.is_from_receipt && app.updates_itself {
                return judged(Verdict::NotComparable, CheckRule::SelfUpdating, newest);
            }
        }
        let (verdict, rule) = relation.verdict();
        judged(verdict, rule, newest)
    }

    fn result(&self, decision: &Decision<'_>) -> RowResult {
        let slug = |at: &u32| self.app(*at).slug.clone();
        let (slug, lists) = if decision.verdict == Verdict::Ambiguous {
            let mut slugs: Vec<_> = decision.positions.iter().map(slug).collect();
            slugs.sort_unstable();
            (None, Some(Box::new(SlugLists { slugs, ..SlugLists::default() })))
        } else {
            (decision.positions.first().map(slug), None)
        };
        let app = decision.positions.first().map(|at| self.app(*at));
        let link = app.and_then(|app| match (decision.verdict, decision.is_store) {
            // The vendor's package cannot update the edition of the store.
            (Verdict::Outdated | Verdict::Store, true) => app.store_url.clone(),
            (Verdict::Outdated, false) => app.download_url.clone(),
            _ => None,
        });
        RowResult {
            verdict: decision.verdict,
            rule: decision.rule,
            matched_by: decision.matched_by,
            confidence: decision.confidence,
            is_deprecated: slug.is_some() && app.is_some_and(|app| app.is_deprecated),
            slug,
            newest: decision.newest.map(Into::into),
            download_url: link,
            lists,
        }
    }
}
