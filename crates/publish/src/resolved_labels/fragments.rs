//! The labels that an upload can resolve, and what is stored for them.

use std::collections::{HashMap, HashSet};

use appstitch_sources::{
    RESOLUTION, Upstream,
    label_tool::{self, FRAGMENT, HeldValues, Resolution},
    label_versions::TrackedVersions,
};
use appstitch_store::Document;
use appstitch_types::FoundBy;

pub(super) struct KnownFragment<'a> {
    pub(super) file: &'a str,
    pub(super) text: &'a str,
    /// The label's names, the main one first.
    names: Vec<String>,
}

/// The known labels with their findings.
pub(super) struct KnownFragments<'a> {
    fragments: Vec<KnownFragment<'a>>,
    /// The position of the fragment of each name. If a name is the main name of one label and
    /// another name of a second label, the first label has precedence.
    names: HashMap<String, usize>,
    main_names: HashSet<String>,
    stored: HashMap<&'a str, Vec<Resolution>>,
    tracked: TrackedVersions,
}

impl<'a> KnownFragments<'a> {
    /// Reads the documents of the labels and of their tracked versions.
    pub(super) fn read(documents: &[&'a Document]) -> Self {
        let of = |upstream: Upstream| {
            documents.iter().copied().filter(move |document| document.source == upstream.token())
        };
        let mut fragments = Vec::new();
        let mut stored: HashMap<&str, Vec<Resolution>> = HashMap::new();
        for document in of(Upstream::LabelTool) {
            if let Some(file) = document.key.strip_prefix(RESOLUTION) {
                stored.entry(file).or_default().extend(serde_json::from_slice(&document.body).ok());
            } else if let Some(file) = document.key.strip_prefix(FRAGMENT)
                && let Ok(text) = std::str::from_utf8(&document.body)
                && let Ok(names) = label_tool::names(text)
            {
                fragments.push(KnownFragment { file, text, names });
            }
        }
        let mut names = HashMap::new();
        let mut main_names = HashSet::new();
        for (position, fragment) in fragments.iter().enumerate() {
            if let Some(main) = fragment.names.first() {
                names.insert(main.clone(), position);
                main_names.insert(main.clone());
            }
        }
        for (position, fragment) in fragments.iter().enumerate() {
            for other in fragment.names.iter().skip(1) {
                names.entry(other.clone()).or_insert(position);
            }
        }
        let tracked =
            of(Upstream::LabelVersions).map(|document| (document.key.as_str(), &document.body[..]));
        let tracked = TrackedVersions::decode(tracked);
        Self { fragments, names, main_names, stored, tracked }
    }

    pub(super) fn find(&self, label: &str) -> Result<&KnownFragment<'a>, String> {
        let position = self.names.get(label).ok_or("unknown label")?;
        self.fragments.get(*position).ok_or_else(|| "unknown label".to_owned())
    }

    /// What a finder has found for this text of the label.
    pub(super) fn stored(
        &self,
        fragment: &KnownFragment<'_>,
        finder: FoundBy,
    ) -> Option<&Resolution> {
        let stored = self.stored.get(fragment.file)?;
        stored
            .iter()
            .find(|resolution| resolution.found_by() == finder && resolution.is_of(fragment.text))
    }

    /// The values that hold for a label. `newer` has what replaces the stored findings of a finder.
    pub(super) fn held<'f>(
        &'f self,
        fragment: &KnownFragment<'_>,
        newer: impl Fn(FoundBy) -> Option<&'f Resolution>,
    ) -> HeldValues {
        let finders = [FoundBy::Run, FoundBy::Posted].into_iter();
        let resolutions: Vec<&Resolution> = finders
            .filter_map(|finder| newer(finder).or_else(|| self.stored(fragment, finder)))
            .collect();
        let tracked = self.tracked.of_label(&fragment.names, |name| self.main_names.contains(name));
        HeldValues::choose(resolutions, tracked, fragment.text)
    }
}
