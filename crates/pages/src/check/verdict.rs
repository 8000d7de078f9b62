//! What verdicts are called, and which matter most.

use appstitch_catalog::inventory::Verdict;

use super::Shown;

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

/// What a verdict is called.
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

/// The class of its chip.
pub(super) fn class(verdict: Verdict) -> &'static str {
    match verdict {
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

/// The options of the filter.
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
        .map(|verdict| choice(Shown::Only(verdict), title(verdict), Some(class(verdict))));
    general.into_iter().chain(single).collect()
}
