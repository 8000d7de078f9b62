//! Looks up publishers by their keys and names.

use std::collections::HashMap;

use appstitch_types::Source;

use super::{
    KeyKind, Publisher,
    evidence::{Clue, Clues, Evidence, Strength},
    is_shared,
    names::fold_name,
};

#[derive(Debug, Default)]
pub struct Directory {
    publishers: Vec<Publisher>,
    by_key: HashMap<KeyKind, HashMap<String, usize>>,
    /// By folded name.
    by_name: HashMap<String, usize>,
}

#[derive(Debug, thiserror::Error)]
pub enum Broken {
    #[error("line {line} of the directory of publishers is invalid: {error}")]
    Format { line: usize, error: serde_json::Error },
    #[error("{first} and {second} both have {key} in their {}", kind.list())]
    SharedKey { kind: KeyKind, key: String, first: String, second: String },
    /// Two entries have the same name, ignoring case and legal forms.
    #[error("{first} and {second} are the same name")]
    SharedName { first: String, second: String },
}

impl Directory {
    /// Reads a directory with a publisher on each line, as JSON.
    pub fn parse(text: &str) -> Result<Self, Broken> {
        let read = |(line, text)| {
            serde_json::from_str(text).map_err(|error| Broken::Format { line, error })
        };
        let publishers: Vec<Publisher> =
            (1..).zip(text.lines()).map(read).collect::<Result<_, _>>()?;
        let mut directory = Self::default();
        for (position, publisher) in publishers.iter().enumerate() {
            let name_of = |other: usize| publishers[other].name.clone();
            for (kind, key) in publisher.keys() {
                let index = directory.by_key.entry(kind).or_default();
                if let Some(other) = index.insert(key.to_owned(), position) {
                    let (first, second) = (name_of(other), name_of(position));
                    return Err(Broken::SharedKey { kind, key: key.to_owned(), first, second });
                }
            }
            if let Some(other) = directory.by_name.insert(fold_name(&publisher.name), position) {
                let (first, second) = (name_of(other), name_of(position));
                return Err(Broken::SharedName { first, second });
            }
        }
        directory.publishers = publishers;
        Ok(directory)
    }

    /// In the order of the file.
    pub fn publishers(&self) -> &[Publisher] {
        &self.publishers
    }

    /// The publisher that the strongest evidence identifies.
    pub fn find(&self, evidence: &Evidence) -> Option<&Publisher> {
        evidence.clues().iter().find_map(|clues| self.agreed(clues))
    }

    /// The publisher that evidence of this strength identifies, and the source of the evidence.
    pub fn find_among(
        &self,
        evidence: &Evidence,
        strength: Strength,
    ) -> Option<(Source, &Publisher)> {
        let mut clues = evidence.clues().iter().filter(|clues| clues.strength == strength);
        clues.find_map(|clues| Some((clues.source, self.agreed(clues)?)))
    }

    /// The publisher with this name, ignoring case, punctuation and legal forms.
    pub fn named(&self, name: &str) -> Option<&Publisher> {
        self.by_name.get(&fold_name(name)).map(|position| &self.publishers[*position])
    }

    /// The key of the directory that a clue matches, and whose it is. The longest key counts, and a
    /// longer match with a shared host or prefix means that the clue identifies no publisher.
    pub fn key_of<'c>(&self, clue: &'c Clue) -> Option<(&'c str, &Publisher)> {
        let index = self.by_key.get(&clue.kind)?;
        let candidates: &mut dyn Iterator<Item = &'c str> = match clue.kind {
            KeyKind::TeamId | KeyKind::RepositoryOwner => &mut std::iter::once(&*clue.value),
            KeyKind::Domain => &mut std::iter::successors(Some(&*clue.value), |host| {
                host.split_once('.').map(|(_, parent)| parent)
            }),
            KeyKind::BundleIdPrefix => &mut std::iter::successors(Some(&*clue.value), |id| {
                id.rsplit_once('.').map(|(parent, _)| parent)
            }),
        };
        for candidate in candidates {
            if let Some(position) = index.get(candidate) {
                return Some((candidate, &self.publishers[*position]));
            }
            if is_shared(clue.kind, candidate) {
                return None;
            }
        }
        None
    }

    /// The only publisher that the clues identify; `None` if they contradict each other.
    fn agreed(&self, clues: &Clues) -> Option<&Publisher> {
        let mut found = clues.all.iter().filter_map(|clue| {
            let (_, publisher) = self.key_of(clue)?;
            let is_of_others = clue.kind == KeyKind::TeamId && publisher.signs_for_others;
            (!is_of_others).then_some(publisher)
        });
        let publisher = found.next()?;
        found.all(|other| other.name == publisher.name).then_some(publisher)
    }
}
