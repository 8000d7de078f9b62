//! Why labels stay unresolved, with equal causes in one group.

use std::collections::{BTreeMap, BTreeSet};

use appstitch_labels::{Label, Stopped, Written};
use appstitch_resolver::LabelRun;
use serde::Serialize;

use super::escape::{escape, shorten};

/// The number of characters of a reason that are kept.
const LONGEST_REASON: usize = 200;

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ReasonGroup {
    /// The reason, without addresses.
    pub(crate) reason: String,
    pub(crate) count: usize,
    pub(crate) labels: Vec<String>,
}

/// Why values of a run are unknown; nothing if it found everything that the label states.
pub(super) fn of_run(run: &LabelRun) -> BTreeSet<String> {
    let mut reasons = BTreeSet::new();
    for architecture in [&run.arm64, run.intel()] {
        for (variable, value) in [
            ("downloadURL", &architecture.download_url),
            ("appNewVersion", &architecture.app_new_version),
        ] {
            match value {
                Err(stopped) => {
                    reasons.insert(cause(stopped));
                }
                Ok(Some(value)) if value.is_empty() && is_stated(&run.text, variable) => {
                    reasons.insert(format!(
                        "{variable} is empty; the site may have changed or refused the request"
                    ));
                }
                Ok(_) => {}
            }
        }
    }
    reasons
}

fn is_stated(text: &str, variable: &str) -> bool {
    let Ok(label) = Label::parse(text) else { return false };
    label.assignments.iter().any(|(name, written)| {
        name == variable && !matches!(written, Written::Text(text) if text.is_empty())
    })
}

/// The reasons with their labels, the most frequent first.
pub(super) fn group<'r>(runs: impl Iterator<Item = &'r LabelRun>) -> Vec<ReasonGroup> {
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for run in runs {
        for reason in of_run(run) {
            groups.entry(reason).or_default().insert(run.name.clone());
        }
    }
    let mut groups: Vec<ReasonGroup> = groups
        .into_iter()
        .map(|(reason, labels)| ReasonGroup {
            reason,
            count: labels.len(),
            labels: labels.into_iter().collect(),
        })
        .collect();
    groups.sort_by(|one, other| {
        other.count.cmp(&one.count).then_with(|| one.reason.cmp(&other.reason))
    });
    groups
}

/// The words with which the HTTP library starts its message. The cause follows.
const LIBRARY: [&str; 2] = ["error sending request for url URL: ", "client error (Connect): "];

/// A reason without the addresses in it, so that equal causes are equal.
fn cause(stopped: &Stopped) -> String {
    let text = stopped.to_string();
    let words: Vec<&str> = text.split(' ').map(without_address).collect();
    let text = words.join(" ");
    let text =
        LIBRARY.iter().fold(text.as_str(), |text, start| text.strip_prefix(start).unwrap_or(text));
    shorten(&escape(text), LONGEST_REASON)
}

fn without_address(word: &str) -> &str {
    let start = word.trim_start_matches(['\'', '"', '(', '<']);
    if start.starts_with("http://") || start.starts_with("https://") {
        // The sign after an address belongs to the sentence.
        if word.ends_with(':') { "URL:" } else { "URL" }
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use appstitch_resolver::ArchitectureRun;

    use super::*;

    fn run(name: &str, text: &str, version: Result<Option<&str>, Stopped>) -> LabelRun {
        LabelRun {
            file: format!("{name}.sh"),
            name: name.to_owned(),
            text: text.to_owned(),
            started_at: "2026-03-05T10:00:00Z".parse().unwrap(),
            arm64: ArchitectureRun {
                download_url: Ok(None),
                app_new_version: version.map(|version| version.map(str::to_owned)),
                requests: 0,
            },
            i386: None,
            exchanges: Vec::new(),
        }
    }

    #[test]
    fn equal_causes_are_one_group() {
        let timeout = |host: &str| Err(Stopped::Network(format!("https://{host}/x: timed out")));
        let unsupported = Stopped::unsupported("awk", "getline");
        let runs = [
            run("c", "", Err(unsupported)),
            run("b", "", timeout("example.com")),
            run("a", "", timeout("example.org")),
            run("d", "", Ok(Some("1.0"))),
        ];
        let groups = group(runs.iter());
        let shown: Vec<_> = groups
            .iter()
            .map(|group| (group.reason.as_str(), group.count, group.labels.join(",")))
            .collect();
        assert_eq!(
            shown,
            [
                ("URL: timed out", 2, "a,b".to_owned()),
                ("awk: getline is not supported", 1, "c".to_owned())
            ]
        );
    }

    #[test]
    fn the_cause_is_reported_without_the_words_of_the_library() {
        let why = "error sending request for url (https://example.com/): client error (Connect): \
                   dns error: no such host";
        assert_eq!(cause(&Stopped::Network(why.to_owned())), "dns error: no such host");
    }

    #[test]
    fn an_empty_value_is_unresolved_only_if_the_label_states_one() {
        let stated =
            run("a", "a)\nappNewVersion=$(curl -fs https://example.com)\n;;", Ok(Some("")));
        assert_eq!(of_run(&stated).len(), 1);
        let never = run("a", "a)\nappNewVersion=\"\"\n;;", Ok(Some("")));
        assert!(of_run(&never).is_empty());
    }
}
