use std::collections::{BTreeMap, HashMap};

use appstitch_labels::Label;
use appstitch_sources::{UpstreamEntry, label_tool};
use appstitch_store::Document;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLabel {
    pub file: String,
    /// Its names, the main name first.
    pub names: Vec<String>,
    pub text: String,
}

impl KnownLabel {
    pub fn name(&self) -> &str {
        self.names.first().map_or(self.stem(), String::as_str)
    }

    pub fn stem(&self) -> &str {
        self.file.strip_suffix(".sh").unwrap_or(&self.file)
    }

    /// Whether its version or download URL does not follow from its text.
    pub fn needs_run(&self) -> bool {
        label_tool::unresolved(&self.file, &self.text).is_ok_and(|values| !values.is_empty())
    }
}

/// All labels that can be run, ordered by file.
#[derive(Debug)]
pub struct KnownLabels {
    labels: Vec<KnownLabel>,
    /// The position of each label, by every name. If a name is the main name of one label and
    /// another name of a second label, the first label has precedence.
    by_name: HashMap<String, usize>,
    by_stem: HashMap<String, usize>,
}

impl KnownLabels {
    pub fn of_documents(documents: &[Document]) -> Self {
        let documents = documents.iter();
        Self::of(documents.map(|document| (document.key.as_str(), document.body.as_ref())))
    }

    pub fn of_entries(entries: &[UpstreamEntry]) -> Self {
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

    pub fn iter(&self) -> impl Iterator<Item = &KnownLabel> {
        self.labels.iter()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    pub fn find(&self, name: &str) -> Option<&KnownLabel> {
        self.labels.get(*self.by_name.get(name)?)
    }

    pub fn find_stem(&self, stem: &str) -> Option<&KnownLabel> {
        self.labels.get(*self.by_stem.get(stem)?)
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().flat_map(|label| &label.names).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(labels.find("first").unwrap().file, "a.sh");
        assert_eq!(labels.find("shared").unwrap().file, "b.sh");
        assert!(labels.find("unknown").is_none());
        assert_eq!(labels.find_stem("a").unwrap().name(), "first");
        let needing: Vec<&str> =
            labels.iter().filter(|label| label.needs_run()).map(KnownLabel::name).collect();
        assert_eq!(needing, ["shared"]);
    }
}
