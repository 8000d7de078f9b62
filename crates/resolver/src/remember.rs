//! What a store remembers about a run.

use appstitch_labels::Stopped;
use appstitch_sources::label_tool::fingerprint;
use appstitch_store::StoredLabelRun;

use crate::label::{ArchitectureRun, LabelRun};

const LONGEST_WHY: usize = 300;

/// What the store remembers about a run. `was_limited` says whether a host wanted no more requests:
/// a value that is missing then may be there the next time.
pub(crate) fn last_run(run: &LabelRun, was_limited: bool) -> StoredLabelRun {
    let values = |run: &ArchitectureRun| [run.app_new_version.clone(), run.download_url.clone()];
    let values: Vec<_> = [&run.arm64, run.intel()].into_iter().flat_map(values).collect();
    let is_empty = values.iter().any(|value| matches!(value, Ok(Some(text)) if text.is_empty()));
    let whys: Vec<Stopped> = values.into_iter().filter_map(Result::err).collect();
    let is_unanswered = whys.iter().any(|why| matches!(why, Stopped::Network(_)));
    let is_limited = was_limited && (is_empty || !whys.is_empty());
    let outcome = if is_unanswered || is_limited {
        StoredLabelRun::NO_ANSWER
    } else if whys.is_empty() {
        "resolved"
    } else {
        "unresolved"
    };
    let limit = || is_limited.then(|| "a host limits the number of requests".to_owned());
    let why = whys.first().map(|why| why.to_string().chars().take(LONGEST_WHY).collect());
    StoredLabelRun {
        file: run.file.clone(),
        fragment: fingerprint(&run.text),
        run_at: run.started_at,
        outcome: outcome.to_owned(),
        why: why.or_else(limit),
    }
}
