use std::collections::HashSet;

use appstitch_resolver::{LabelToRun, with_last_runs};
use appstitch_store::StoredLabelRun;
use jiff::Timestamp;
use thiserror::Error;

use super::known_labels::{KnownLabel, KnownLabels};

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("unknown label '{}'", .0.escape_debug())]
pub struct UnknownLabel(pub String);

#[derive(Debug, Default)]
pub struct Choice<'c> {
    /// The names of the labels; without names, all labels that need a run.
    pub names: &'c [String],
    /// Only these labels, by main name.
    pub missing: Option<HashSet<String>>,
    /// Only labels that were last run before this time. A run without an answer does not count: the
    /// network may be back.
    pub run_before: Option<Timestamp>,
}

impl Choice<'_> {
    /// The labels to run. `runs` are the last runs, which decide about the order.
    pub fn of(
        &self,
        labels: &KnownLabels,
        runs: &[StoredLabelRun],
    ) -> Result<Vec<LabelToRun>, UnknownLabel> {
        let mut chosen: Vec<&KnownLabel> = if self.names.is_empty() {
            labels.iter().filter(|label| label.needs_run()).collect()
        } else {
            let named = self
                .names
                .iter()
                .map(|name| labels.find(name).ok_or_else(|| UnknownLabel(name.clone())));
            named.collect::<Result<_, _>>()?
        };
        chosen.sort_by(|one, other| one.file.cmp(&other.file));
        chosen.dedup_by(|one, other| one.file == other.file);
        if let Some(missing) = &self.missing {
            chosen.retain(|label| missing.contains(label.name()));
        }
        let to_run = chosen.into_iter().map(|label| LabelToRun {
            file: label.file.clone(),
            name: label.name().to_owned(),
            text: label.text.clone(),
            last_run: None,
        });
        let mut to_run = with_last_runs(to_run.collect(), runs);
        if let Some(time) = self.run_before {
            let unanswered: HashSet<&str> = runs
                .iter()
                .filter(|run| run.outcome == StoredLabelRun::NO_ANSWER)
                .map(|run| run.file.as_str())
                .collect();
            to_run.retain(|label| {
                unanswered.contains(label.file.as_str())
                    || label.last_run.is_none_or(|last| last < time)
            });
        }
        Ok(to_run)
    }
}

#[cfg(test)]
mod tests {
    use appstitch_sources::{UpstreamEntry, label_tool::fingerprint};

    use super::*;

    fn labels() -> KnownLabels {
        let entries: Vec<UpstreamEntry> = [
            ("a.sh", "a|\\\nalpha)\nname=A\nappNewVersion=$(curl -fs https://example.com/a)\n;;"),
            ("b.sh", "b)\nname=B\nappNewVersion=$(curl -fs https://example.com/b)\n;;"),
            ("c.sh", "c)\nname=C\nappNewVersion=1.0\n;;"),
        ]
        .map(|(file, text)| UpstreamEntry {
            key: format!("fragment/{file}"),
            body: text.to_owned().into(),
        })
        .into();
        KnownLabels::of_entries(&entries)
    }

    fn chosen(choice: &Choice<'_>, runs: &[StoredLabelRun]) -> Vec<String> {
        let labels = choice.of(&labels(), runs).unwrap();
        labels.into_iter().map(|label| label.name).collect()
    }

    #[test]
    fn without_names_the_labels_that_need_a_run_are_chosen() {
        assert_eq!(chosen(&Choice::default(), &[]), ["a", "b"]);
    }

    #[test]
    fn a_label_is_chosen_once_by_any_of_its_names() {
        let names = ["c".to_owned(), "alpha".to_owned(), "a".to_owned()];
        let choice = Choice { names: &names, ..Choice::default() };
        assert_eq!(chosen(&choice, &[]), ["a", "c"]);
        let names = ["unknown".to_owned()];
        let unknown = Choice { names: &names, ..Choice::default() }.of(&labels(), &[]);
        assert_eq!(unknown.unwrap_err(), UnknownLabel("unknown".to_owned()));
    }

    #[test]
    fn labels_that_are_known_or_were_run_lately_are_left_out() {
        let missing = Some(HashSet::from(["b".to_owned()]));
        assert_eq!(chosen(&Choice { missing, ..Choice::default() }, &[]), ["b"]);
        let text = labels().find("a").unwrap().text.clone();
        let run = StoredLabelRun {
            file: "a.sh".to_owned(),
            fragment: fingerprint(&text),
            run_at: "2026-03-05T10:00:00Z".parse().unwrap(),
            outcome: String::new(),
            why: None,
        };
        for (time, expected) in
            [("2026-03-05T10:00:00Z", &["b"][..]), ("2026-03-05T10:00:01Z", &["a", "b"])]
        {
            let run_before = Some(time.parse().unwrap());
            let choice = Choice { run_before, ..Choice::default() };
            assert_eq!(chosen(&choice, std::slice::from_ref(&run)), expected);
        }
        let unanswered = StoredLabelRun { outcome: StoredLabelRun::NO_ANSWER.to_owned(), ..run };
        let run_before = Some("2026-03-05T10:00:00Z".parse().unwrap());
        let choice = Choice { run_before, ..Choice::default() };
        assert_eq!(chosen(&choice, &[unanswered]), ["a", "b"]);
    }
}
