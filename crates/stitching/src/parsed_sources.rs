//! The payloads of an app, parsed once for everything that is made of them.

use appstitch_types::AppSources;
use serde_json::{Map, Value};

use crate::{
    agreement::Agreement,
    cask::{CaskFacts, read_with_variations},
    label::literal::Literals,
    variant::language_of,
};

/// The payloads of an app, parsed. Details and labels are made of the same values, and parsing them
/// takes longer than using them.
pub struct ParsedSources<'a> {
    pub(crate) sources: &'a AppSources,
    /// The values of the cask that rules read; empty without a cask.
    pub(crate) entry: Map<String, Value>,
    /// The values of the cask that differ by macOS release.
    variations: Option<&'a str>,
    pub(crate) cask: Option<CaskFacts>,
    pub(crate) label: Option<Literals>,
}

impl<'a> ParsedSources<'a> {
    pub fn of(sources: &'a AppSources) -> Self {
        let cask = sources.cask_catalog.as_ref();
        let read = cask.map(|cask| read_with_variations(&cask.entry_json));
        let (entry, variations) = read.unwrap_or_default();
        Self {
            sources,
            cask: cask.map(|cask| {
                let facts = CaskFacts::of(&entry);
                let language = sources.label_tool.as_ref();
                let language = language.and_then(|label| language_of(&label.label_name));
                let own =
                    language.and_then(|language| facts.in_language(&cask.entry_json, language));
                own.unwrap_or(facts)
            }),
            entry,
            variations,
            label: sources.label_tool.as_ref().map(|label| Literals::read(&label.raw)),
        }
    }

    pub fn sources(&self) -> &'a AppSources {
        self.sources
    }

    /// The app's name in the label, under which the label tool looks for it, if it is known without a shell.
    pub fn name_in_label(&self) -> Option<&str> {
        self.label.as_ref()?.name()
    }

    pub fn agreement(&self) -> Agreement {
        Agreement::read(self.sources, self.label.as_ref(), &self.entry)
    }

    /// `None` if they are the same.
    pub(crate) fn cask_on_intel(&self) -> Option<CaskFacts> {
        CaskFacts::on_intel(&self.entry, self.variations?)
    }
}
