//! Apps that another app succeeded.
//!
//! A product can change hands. The cask then follows it to its new maker, but the label of the old
//! one stays. So a label whose name is the token of an app of the same name that has another label
//! is that of the predecessor.

use std::collections::HashMap;

use appstitch_stitching::SearchKey;
use appstitch_types::{Alias, AliasKind, App, Source};

/// The main records that have a label, and the tokens of their casks.
#[derive(Default)]
pub(super) struct TokenOwners {
    /// By slug: the position and the name.
    by_slug: HashMap<String, (u32, String)>,
    /// By token: the same.
    by_token: HashMap<String, (u32, String)>,
}

impl TokenOwners {
    pub(super) fn push(&mut self, position: usize, app: &App, aliases: &[Alias], is_main: bool) {
        // A catalog never has four billion apps.
        let position = u32::try_from(position).unwrap_or(u32::MAX);
        if !is_main || !app.sources.iter().any(|source| source == Source::LabelTool) {
            return;
        }
        let name = SearchKey::of(&app.name).text;
        for alias in aliases.iter().filter(|alias| alias.kind == AliasKind::Token) {
            self.by_token.insert(alias.name.clone(), (position, name.clone()));
        }
        self.by_slug.insert(app.slug.to_string(), (position, name));
    }

    /// The successor of each app that has one.
    pub(super) fn successors(&self) -> HashMap<u32, u32> {
        let pairs = self.by_token.iter().filter_map(|(token, (successor, name))| {
            let (predecessor, former) = self.by_slug.get(token)?;
            (predecessor != successor && former == name).then_some((*predecessor, *successor))
        });
        pairs.collect()
    }
}
