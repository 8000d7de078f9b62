//! The labels that can be run.

use std::collections::{BTreeMap, HashMap};

use anyhow::anyhow;
use appstitch_labels::Label;
use appstitch_sources::{UpstreamEntry, label_tool};
use appstitch_store::Document;

use crate::{exit::Failure, similar::Similar};

/// A label that can be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct KnownLabel {
    /// The name of its file.
    pub(super) file: String,
    /// Its names, the main name first.
    pub(super) names: Vec<String>,
    /// Its text.
    pub(super) text: String,
}

impl KnownLabel {
    /// The main name.
    pub(super) fn name(&self) -> &str {
        self.names.first().map_or(self.stem(), String::as_str)
    }

    /// The name of its file without the extension.
    pub(super) fn stem(&self) -> &str {
        self.file.strip_suffix(".sh").unwrap_or(&self.file)
    }

    /// Whether its text alone does not tell its version or download URL.
    pub(super) fn needs_run(&self) -> bool {
        label_tool::unresolved(&self.file, &self.text).is_ok_and(|values| !values.is_empty())
    }
}

/// All labels that can be run, ordered by file.
#[derive(Debug)]
pub(super) struct KnownLabels {
    labels: Vec<KnownLabel>,
    /// The position of each label, by every name. If a name is the main name of one label and
    /// another name of a second label, the first label has precedence.
    by_name: HashMap<String, usize>,
    by_stem: HashMap<String, usize>,
}

impl KnownLabels {
    /// The labels among the documents of a store.
    pub(super) fn of_documents(documents: &[Document]) -> Self {
        let documents = documents.iter();
        Self::of(documents.map(|document| (document.key.as_str(), document.body.as_ref())))
    }

    /// The labels of an archive.
    pub(super) fn of_entries(entries: &[UpstreamEntry]) -> Self {
        Self::of(entries.iter().map(|entry| (entry.key.as_str(), entry.body.as_ref())))
    }

    fn of<'d>(documents: impl Iterator<Item = (&'d str, &'d [u8])>) -> Self {
        // A store can hold a file of the same name from several addresses; the first one counts.
        let mut files = BTreeMap::new();
        for (key, body) in documents {
            let Some(file) = key.strip_prefix(label_tool::FRAGMENT) else { continue };
            let Ok(text) = std::str::from_utf8(body) else { continue };
            let Ok(label) = Label::parse(text) else { continue };
            let (file, text) = (file.to_owned(), text.to_owned());
            files.entry(file.clone()).or_insert(KnownLabel { file, names: label.names, text });
        }
        let labels: Vec<KnownLabel> = files.into_values().collect();
        let (mut by_name, mut others, mut by_stem) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        for (position, label) in labels.iter().enumerate() {
            by_stem.insert(label.stem().to_owned(), position);
            for (number, name) in label.names.iter().enumerate() {
                let names = if number == 0 { &mut by_name } else { &mut others };
                names.entry(name.clone()).or_insert(position);
            }
        }
        for (name, position) in others {
            by_name.entry(name).or_insert(position);
        }
        Self { labels, by_name, by_stem }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &KnownLabel> {
        self.labels.iter()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// The label with this name.
    pub(super) fn find(&self, name: &str) -> Option<&KnownLabel> {
        self.labels.get(*self.by_name.get(name)?)
    }

    /// The label of this file.
    pub(super) fn find_stem(&self, stem: &str) -> Option<&KnownLabel> {
        self.labels.get(*self.by_stem.get(stem)?)
    }

    /// The label with this name. An unknown one is an error with suggestions.
    pub(super) fn get(&self, name: &str) -> Result<&KnownLabel, Failure> {
        self.find(name).ok_or_else(|| {
            let names = self.labels.iter().flat_map(|label| &label.names);
            unknown(name, names.map(String::as_str))
        })
    }
}

/// The error for an unknown name, with suggestions.
pub(super) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Failure {
    let mut similar = Similar::to(name);
    for known in known {
        similar.offer(known, &[known]);
    }
    let failure = Failure::wrong_use(anyhow!("unknown label '{}'", name.escape_debug()));
    match similar.into_names().as_slice() {
        [] => failure,
        names => failure.hint(format!("did you mean {}?", names.join(" or "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::WRONG_USE;

    fn labels(files: &[(&str, &str)]) -> KnownLabels {
        let entries: Vec<UpstreamEntry> = files
            .iter()
            .map(|(file, text)| UpstreamEntry {
                key: format!("fragment/{file}"),
                body: (*text).to_owned().into(),
            })
            .collect();
        KnownLabels::of_entries(&entries)
    }

    #[test]
    fn a_label_is_found_by_every_name_and_a_main_name_comes_first() {
        let labels = labels(&[
            ("a.sh", "first|\\\nshared)\nname=A\n;;"),
            ("b.sh", "shared)\nname=B\nappNewVersion=$(curl -fs https://example.com)\n;;"),
        ]);
        assert_eq!(labels.get("first").ok().unwrap().file, "a.sh");
        assert_eq!(labels.get("shared").ok().unwrap().file, "b.sh");
        assert_eq!(labels.find_stem("a").unwrap().name(), "first");
        let needing: Vec<&str> =
            labels.iter().filter(|label| label.needs_run()).map(KnownLabel::name).collect();
        assert_eq!(needing, ["shared"]);
    }

    #[test]
    fn an_unknown_label_is_wrong_use_with_suggestions() {
        let labels = labels(&[("firefox.sh", "firefoxpkg)\nname=Firefox\n;;")]);
        let failure = labels.get("fierfoxpkg").unwrap_err();
        assert_eq!(failure.code, WRONG_USE);
        let text = failure.to_string();
        assert_eq!(text, "error: unknown label 'fierfoxpkg'\nhint: did you mean firefoxpkg?");
        assert!(!labels.get("zzz").unwrap_err().to_string().contains("hint"));
    }
}
