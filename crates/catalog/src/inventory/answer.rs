//! What is found about a row of an inventory.

use std::borrow::Cow;

use super::{CheckRule, Confidence, MatchedBy, Verdict};

/// What is known about a row, whichever Mac it is on.
#[derive(Debug)]
pub(super) struct Answer<'i> {
    pub(super) verdict: Verdict,
    pub(super) rule: CheckRule,
    pub(super) matched_by: Option<MatchedBy>,
    pub(super) confidence: Option<Confidence>,
    /// The app, or all apps if the verdict is ambiguous.
    pub(super) positions: Cow<'i, [u32]>,
    pub(super) newest: Option<&'i str>,
}
