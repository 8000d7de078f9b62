//! The decision about a row of an inventory, and the verdicts of its candidates that lead to it.

use std::borrow::Cow;

use appstitch_types::inventory::{CheckRule, Confidence, MatchedBy, Verdict};

/// It holds for all rows that differ only in their Mac.
#[derive(Debug)]
pub(super) struct Decision<'i> {
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
    pub(super) matched_by: Option<MatchedBy>,
    pub(super) confidence: Option<Confidence>,
    /// The app, or all apps if the verdict is ambiguous.
    pub(super) positions: Cow<'i, [u32]>,
    pub(super) newest: Option<&'i str>,
    /// Whether it is the edition of the store.
    pub(super) is_store: bool,
}

pub(super) struct Judged<'i> {
    pub(super) position: u32,
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
    pub(super) newest: Option<&'i str>,
    pub(super) is_store: bool,
}

/// The verdict that holds whichever of the records it is; `None` if it depends on that.
pub(super) fn agree<'a, 'i>(
    judged: &'a [Judged<'i>],
    is_one_product: bool,
) -> Option<&'a Judged<'i>> {
    let is_current = |one: &&Judged<'_>| one.verdict == Verdict::Current;
    let is_same = |one: &&Judged<'_>| one.verdict == Verdict::SameReleaseOtherString;
    let found = judged.iter().find(is_current).or_else(|| judged.iter().find(is_same));
    if found.is_some() {
        return found;
    }
    let first = judged.first()?;
    if judged.iter().all(|one| one.verdict == first.verdict) {
        return Some(first);
    }
    let has = |verdict: Verdict| judged.iter().any(|one| one.verdict == verdict);
    // It is newer than one record and older than another, or the preferred record has no version.
    let is_unclear = (has(Verdict::Outdated) && has(Verdict::Newer))
        || (has(Verdict::Outdated) && first.verdict == Verdict::NoVersion);
    if is_unclear || !is_one_product {
        return None;
    }
    judged.iter().find(|one| one.verdict != Verdict::NoVersion)
}
