//! What verdicts are called, and which matter most.

use appstitch_types::inventory::{InventoryTotals, SkippedRows, Verdict};

use crate::display::Count;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shown {
    #[default]
    All,
    /// Those that somebody has to look at.
    Attention,
    Only(Verdict),
}

impl Shown {
    /// How the form names it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::All => "",
            Self::Attention => "attention",
            Self::Only(verdict) => verdict.word(),
        }
    }
}

/// Every verdict, those that somebody has to look at first.
pub(super) const BY_ATTENTION: [Verdict; 11] = [
    Verdict::Outdated,
    Verdict::Ambiguous,
    Verdict::Unmatched,
    Verdict::NotComparable,
    Verdict::NoVersion,
    Verdict::Newer,
    Verdict::SameReleaseOtherString,
    Verdict::Current,
    Verdict::Store,
    Verdict::System,
    Verdict::Ignored,
];

pub(super) fn title(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Current => "current",
        Verdict::Outdated => "outdated",
        Verdict::Newer => "newer",
        Verdict::SameReleaseOtherString => "same release",
        Verdict::NotComparable => "cannot compare",
        Verdict::NoVersion => "no version",
        Verdict::Ambiguous => "ambiguous",
        Verdict::Unmatched => "not in catalog",
        Verdict::System => "part of macOS",
        Verdict::Store => "App Store",
        Verdict::Ignored => "ignored",
    }
}

/// The color of a verdict. A deprecated app is not fine, even if it is current.
pub(super) fn class(verdict: Verdict, is_deprecated: bool) -> &'static str {
    match verdict {
        Verdict::Current | Verdict::SameReleaseOtherString if is_deprecated => "neutral",
        Verdict::Current | Verdict::SameReleaseOtherString => "ok",
        Verdict::Outdated => "behind",
        _ => "neutral",
    }
}

/// Whether somebody has to look at an app.
pub(super) fn needs_attention(verdict: Verdict) -> bool {
    matches!(
        verdict,
        Verdict::Outdated | Verdict::Ambiguous | Verdict::Unmatched | Verdict::NotComparable
    )
}

/// An option of the filter. The script takes the titles and classes of verdicts from here, too.
pub(super) struct Choice {
    pub(super) value: &'static str,
    pub(super) title: &'static str,
    pub(super) class: Option<&'static str>,
    pub(super) is_chosen: bool,
    /// Whether somebody has to look at apps with this verdict.
    pub(super) needs_attention: bool,
}

pub(super) fn choices(chosen: Shown) -> Vec<Choice> {
    let choice = |shown: Shown, title, class| Choice {
        value: shown.word(),
        title,
        class,
        is_chosen: chosen == shown,
        needs_attention: matches!(shown, Shown::Only(verdict) if needs_attention(verdict)),
    };
    let general = [
        choice(Shown::All, "everything", None),
        choice(Shown::Attention, "what needs attention", None),
    ];
    let single = BY_ATTENTION
        .map(|verdict| choice(Shown::Only(verdict), title(verdict), Some(class(verdict, false))));
    general.into_iter().chain(single).collect()
}

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
        class: class(verdict, false),
        apps: Count(totals.count(verdict)),
    };
    BY_ATTENTION.into_iter().map(total).filter(|total| total.apps.0 > 0).collect()
}

/// The entries that were skipped, by reason.
pub(super) fn skipped(skipped: &SkippedRows) -> String {
    let reasons = [
        (skipped.not_mac_apps, "not Mac apps"),
        (skipped.not_installed, "not installed"),
        (skipped.empty, "without a name or an identifier"),
    ];
    let counted = reasons.into_iter().filter(|(rows, _)| *rows > 0);
    let counted: Vec<String> =
        counted.map(|(rows, reason)| format!("{} ({reason})", Count(rows))).collect();
    counted.join(", ")
}
