//! The order in which labels are run.

use std::{cmp::Ordering, collections::HashMap};

use appstitch_sources::label_tool::fingerprint;
use appstitch_store::StoredLabelRun;

use crate::label::LabelToRun;

/// Sets when each label was last run, as the store knows it. A label whose text has changed since
/// counts as never run.
pub fn with_last_runs(mut labels: Vec<LabelToRun>, runs: &[StoredLabelRun]) -> Vec<LabelToRun> {
    let known: HashMap<&str, &StoredLabelRun> =
        runs.iter().map(|run| (run.file.as_str(), run)).collect();
    for label in &mut labels {
        let run = known.get(label.file.as_str());
        let same = run.filter(|run| run.fragment == fingerprint(&label.text));
        label.last_run = same.map(|run| run.run_at);
    }
    labels
}

/// Oldest first: labels that were never run, then by the time of the last run, then by name.
pub(crate) fn oldest_first(one: &LabelToRun, other: &LabelToRun) -> Ordering {
    let by = |label: &LabelToRun| (label.last_run, label.name.clone(), label.file.clone());
    by(one).cmp(&by(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(file: &str, text: &str, last_run: Option<&str>) -> LabelToRun {
        LabelToRun {
            file: file.to_owned(),
            name: file.trim_end_matches(".sh").to_owned(),
            text: text.to_owned(),
            last_run: last_run.map(|time| time.parse().unwrap()),
        }
    }

    #[test]
    fn labels_that_never_ran_come_first_and_then_the_oldest() {
        let mut labels = [
            label("b.sh", "", Some("2026-03-05T06:07:09Z")),
            label("a.sh", "", Some("2026-03-05T06:07:09Z")),
            label("z.sh", "", None),
            label("c.sh", "", Some("2026-03-05T06:07:08.5Z")),
        ];
        labels.sort_by(oldest_first);
        let files = labels.map(|label| label.file);
        assert_eq!(files, ["z.sh", "c.sh", "a.sh", "b.sh"]);
    }

    #[test]
    fn a_changed_label_counts_as_never_run() {
        let run_at = "2026-03-05T06:07:08Z";
        let run = |file: &str, text: &str| StoredLabelRun {
            file: file.to_owned(),
            fragment: fingerprint(text),
            run_at: run_at.parse().unwrap(),
            outcome: String::new(),
            why: None,
        };
        let labels = vec![label("a.sh", "one", None), label("b.sh", "two", Some(run_at))];
        let labels = with_last_runs(labels, &[run("a.sh", "one"), run("b.sh", "older text")]);
        assert!(labels[0].last_run.is_some() && labels[1].last_run.is_none());
    }
}
