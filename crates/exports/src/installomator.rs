//! The label that `generate-label` makes, if Installomator can run it.

use appstitch_stitching::{generate_label, generate_label_fragment};

use crate::{Made, reason::Reason, subject::Subject};

/// Installomator stops without one of these.
const NEEDED: [&str; 4] = ["name", "type", "downloadURL", "expectedTeamID"];

pub(crate) fn label(subject: &Subject<'_>) -> Made {
    if subject.parsed.sources().is_empty() {
        return Err(vec![Reason::NoSources]);
    }
    let fragment = generate_label_fragment(subject.app, subject.parsed);
    let label = generate_label(subject.app, subject.parsed);
    // What only a shell can find out is in the fragment, not among the values.
    let assigns = |name: &str| {
        let start = format!("{name}=");
        fragment.lines().any(|line| line.trim_start().starts_with(&start))
    };
    let missing: Vec<Reason> = NEEDED
        .into_iter()
        .filter(|name| !label.content.contains_key(*name) && !assigns(name))
        .map(Reason::NoVariable)
        .collect();
    if missing.is_empty() { Ok((fragment, label.warnings)) } else { Err(missing) }
}
