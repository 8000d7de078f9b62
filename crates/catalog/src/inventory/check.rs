//! Checks the rows of an inventory.
//!
//! One row costs as much as it has candidates in the catalog, and a hostile inventory has many rows
//! of the app with the most candidates. So the work takes steps from a budget, and its answers are
//! held against it.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use appstitch_budget::{Budget, Exceeded};

use super::{
    CheckOptions, CheckRule, CheckedApp, MatchedBy, Verdict,
    answer::Answer,
    copies,
    index::InstalledIndex,
    installed_version::{InstalledVersion, Relation},
    matching::{self, Candidates, Unchecked},
    narrowing,
    relations::Relations,
    row::Row,
    suggestions,
};
use crate::{InstalledApp, InstalledFrom};

/// The steps of comparing two versions, which is most of the work.
const COMPARISON: u64 = 16;

/// The candidates whose relations to each other take as long as one comparison.
const CANDIDATES_PER_COMPARISON: usize = 64;

/// The steps of finding apps with similar names: a name has few words, and a word leads to few apps.
const SUGGESTION: u64 = 64;

/// The different rows of an inventory. Inventories of many Macs list the same apps many times.
#[derive(Default)]
struct KnownRows<'a> {
    hasher: RandomState,
    /// By the hash of what is known about them.
    numbers: HashMap<u64, usize>,
    rows: Vec<&'a InstalledApp>,
    /// What is hashed, in one piece because a hasher takes long for many small ones.
    hashed: Vec<u8>,
}

impl<'a> KnownRows<'a> {
    /// The number of a row, and whether it is the first one with it. Of two different rows with the
    /// same hash, the second one has a number of its own each time.
    fn number(&mut self, row: &'a InstalledApp) -> (usize, bool) {
        let facts = Facts::of(row);
        let next = self.rows.len();
        facts.write(&mut self.hashed);
        let hash = self.hasher.hash_one(self.hashed.as_slice());
        let number = *self.numbers.entry(hash).or_insert(next);
        let is_known = self.rows.get(number).is_some_and(|known| Facts::of(known) == facts);
        if is_known {
            return (number, false);
        }
        self.rows.push(row);
        (next, true)
    }
}

/// Everything that an answer depends on.
#[derive(PartialEq, Eq)]
struct Facts<'a> {
    name: Option<&'a str>,
    other_names: &'a [String],
    token: Option<&'a str>,
    bundle_id: Option<&'a str>,
    short_version: Option<&'a str>,
    build: Option<&'a str>,
    path: Option<&'a str>,
    team_id: Option<&'a str>,
    origin: InstalledFrom,
    version_from_receipt: bool,
}

impl<'a> Facts<'a> {
    fn of(app: &'a InstalledApp) -> Self {
        Self {
            name: app.name.as_deref(),
            other_names: &app.other_names,
            token: app.token.as_deref(),
            bundle_id: app.bundle_id.as_deref(),
            short_version: app.short_version.as_deref(),
            build: app.build.as_deref(),
            path: app.path.as_deref(),
            team_id: app.team_id.as_deref(),
            origin: app.origin,
            version_from_receipt: app.version_from_receipt,
        }
    }

    /// Writes most of it. Rows that differ only in the rest are rare.
    fn write(&self, bytes: &mut Vec<u8>) {
        let Self { name, token, bundle_id, short_version, build, path, team_id, .. } = *self;
        bytes.clear();
        for text in [name, token, bundle_id, short_version, build, path, team_id] {
            bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
            bytes.push(0xff);
        }
    }
}

impl InstalledIndex {
    /// Checks all rows of an inventory: one answer for each row, in the same order. The budget
    /// limits the time and the memory of the answers.
    pub fn check_all(
        &self,
        rows: &[InstalledApp],
        options: CheckOptions,
        budget: &mut Budget,
    ) -> Result<Vec<CheckedApp>, Exceeded> {
        let mut known = KnownRows::default();
        let mut answers: Vec<Answer> = Vec::new();
        let mut numbers: Vec<usize> = Vec::with_capacity(rows.len());
        for row in rows {
            // Each row is compared with a copy of the app at most once.
            budget.step(COMPARISON)?;
            let (number, is_new) = known.number(row);
            if is_new {
                answers.push(self.answer(row, budget)?);
            }
            numbers.push(number);
        }
        let own = |number: &usize| &answers[*number];
        let copies = copies::others(rows, &numbers.iter().map(own).collect::<Vec<_>>());
        let mut suggested: HashMap<usize, Vec<String>> = HashMap::new();
        let mut all = Vec::with_capacity(rows.len());
        for ((row, number), is_copy) in rows.iter().zip(&numbers).zip(copies) {
            let mut checked = self.told(row, own(number), is_copy);
            if options.suggest && checked.verdict == Verdict::Unmatched {
                budget.step(SUGGESTION)?;
                let similar =
                    suggested.entry(*number).or_insert_with(|| suggestions::for_row(self, row));
                checked.did_you_mean.clone_from(similar);
            }
            budget.hold(checked.size())?;
            all.push(checked);
        }
        Ok(all)
    }

    /// The answer about a row, not regarding its copies.
    fn answer(&self, app: &InstalledApp, budget: &mut Budget) -> Result<Answer, Exceeded> {
        let row = Row::of(app);
        match matching::find(self, &row) {
            Err(Unchecked { verdict, rule }) => Ok(Answer {
                verdict,
                rule,
                matched_by: None,
                confidence: None,
                positions: Vec::new(),
                newest: None,
            }),
            Ok(candidates) => {
                let count = candidates.positions.len();
                let comparisons = count.saturating_mul(1 + count / CANDIDATES_PER_COMPARISON);
                budget.step(COMPARISON.saturating_mul(comparisons as u64))?;
                Ok(self.decide(&row, candidates))
            }
        }
    }

    fn decide(&self, row: &Row<'_>, candidates: Candidates) -> Answer {
        let mut relations = Relations::of(self, row);
        let kept = narrowing::narrow(self, row, &candidates.positions, &mut relations);
        let judged: Vec<Judged> =
            kept.iter().map(|at| self.judge(row, &candidates, *at, &mut relations)).collect();
        let is_one_product = kept.iter().all(|at| self.app(*at).is_same_product(self.app(kept[0])));
        let is_by_name = candidates.matched_by == MatchedBy::Name;
        let decided =
            if is_by_name && !is_one_product { None } else { agree(&judged, is_one_product) };
        let (verdict, rule, positions, newest) = match decided {
            Some(judged) => {
                (judged.verdict, judged.rule, vec![judged.position], judged.newest.clone())
            }
            None => (Verdict::Ambiguous, CheckRule::SeveralApps, kept, None),
        };
        Answer {
            verdict,
            rule,
            matched_by: Some(candidates.matched_by),
            confidence: Some(candidates.confidence),
            positions,
            newest,
        }
    }

    /// The verdict if the row is this app.
    fn judge(
        &self,
        row: &Row<'_>,
        candidates: &Candidates,
        position: u32,
        relations: &mut Relations<'_, '_>,
    ) -> Judged {
        let app = self.app(position);
        let told = |verdict, rule, newest: Option<&str>| Judged {
            position,
            verdict,
            rule,
            newest: newest.map(Into::into),
        };
        let (relation, newest) = if row.is_store {
            let Some(version) = app.store_version.as_deref() else {
                return told(Verdict::Store, CheckRule::NoStoreListing, None);
            };
            (row.version.with(version), version)
        } else {
            relations.with(position)
        };
        if row.version.shown().is_none() {
            let newest = app.references.newest.as_deref();
            return told(Verdict::NoVersion, CheckRule::NoInstalledVersion, newest);
        }
        if newest.is_empty() {
            return told(Verdict::NoVersion, CheckRule::NoCatalogVersion, None);
        }
        let newest = Some(newest);
        if let Relation::Older(_) = relation {
            let is_store_version = !row.is_download
                && !row.is_store
                && app
                    .store_version
                    .as_deref()
                    .is_some_and(|version| matches!(row.version.with(version), Relation::Same(_)));
            if is_store_version {
                return told(Verdict::Store, CheckRule::StoreVersion, newest);
            }
            let is_other = narrowing::is_other_major(self, row, &candidates.positions, app)
                || (candidates.has_other_id && !narrowing::has_newest_major(row, app));
            if is_other {
                return told(Verdict::NotComparable, CheckRule::OtherMajor, newest);
            }
            // The receipt keeps the version that was installed first.
            if row.is_from_receipt && app.updates_itself {
                return told(Verdict::NotComparable, CheckRule::SelfUpdating, newest);
            }
        }
        let (verdict, rule) = relation.verdict();
        told(verdict, rule, newest)
    }

    /// The answer about one row.
    fn told(&self, row: &InstalledApp, answer: &Answer, is_copy: bool) -> CheckedApp {
        let is_ambiguous = answer.verdict == Verdict::Ambiguous;
        let slugs = answer.positions.iter().map(|at| self.app(*at).slug.to_string());
        let (slug, slugs) = if is_ambiguous {
            let mut slugs: Vec<String> = slugs.collect();
            slugs.sort_unstable();
            (None, slugs)
        } else {
            (slugs.into_iter().next(), Vec::new())
        };
        let (verdict, rule) = if is_copy {
            (Verdict::Ignored, CheckRule::OtherCopy)
        } else {
            (answer.verdict, answer.rule)
        };
        let is_outdated = verdict == Verdict::Outdated;
        let app = answer.positions.first().filter(|_| is_outdated).map(|at| self.app(*at));
        let row_version = InstalledVersion::shown_of(row);
        CheckedApp {
            host: row.host.clone(),
            name: row.name.clone(),
            bundle_id: row.bundle_id.clone(),
            path: row.path.clone(),
            verdict,
            slug,
            slugs,
            installed_version: row_version
                .or(row.short_version.as_deref())
                .or(row.build.as_deref())
                .filter(|text| !text.is_empty())
                .map(str::to_owned),
            newest_version: answer.newest.as_deref().map(str::to_owned),
            download_url: app.and_then(|app| app.download_url.clone()),
            matched_by: answer.matched_by,
            confidence: answer.confidence,
            rule,
            did_you_mean: Vec::new(),
        }
    }
}

/// The verdict if a row is one of several records.
struct Judged {
    position: u32,
    verdict: Verdict,
    rule: CheckRule,
    newest: Option<Box<str>>,
}

/// The verdict that holds whichever of the records it is; `None` if it depends on that.
fn agree(judged: &[Judged], is_one_product: bool) -> Option<&Judged> {
    let is_current = |own: &&Judged| own.verdict == Verdict::Current;
    let is_same = |own: &&Judged| own.verdict == Verdict::SameReleaseOtherString;
    let found = judged.iter().find(is_current).or_else(|| judged.iter().find(is_same));
    if found.is_some() {
        return found;
    }
    let first = judged.first()?;
    if judged.iter().all(|own| own.verdict == first.verdict) {
        return Some(first);
    }
    let has = |verdict: Verdict| judged.iter().any(|own| own.verdict == verdict);
    // It is newer than one record and older than another, or the preferred record has no version.
    let is_unclear = (has(Verdict::Outdated) && has(Verdict::Newer))
        || (has(Verdict::Outdated) && first.verdict == Verdict::NoVersion);
    if is_unclear || !is_one_product {
        return None;
    }
    judged.iter().find(|own| own.verdict != Verdict::NoVersion)
}
