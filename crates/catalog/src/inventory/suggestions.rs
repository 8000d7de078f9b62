//! Apps with similar names, for apps that are not in the catalog.

use std::{collections::HashMap, sync::Arc};

use super::{
    index::InstalledIndex,
    name_words::words,
    place::{file_name, without_ending},
};
use crate::{InstalledApp, normal_name::normal};

/// The most suggestions for one app.
const SUGGESTIONS: usize = 3;

/// The suggestions for a row.
pub(super) fn for_row(index: &InstalledIndex, row: &InstalledApp) -> Vec<Arc<str>> {
    let name = row.name.as_deref().or_else(|| row.path.as_deref().and_then(file_name));
    name.map(|name| similar(index, without_ending(name).unwrap_or(name))).unwrap_or_default()
}

/// The slugs of the apps that share the most words with a name. Rare words count more; among equals,
/// names that begin alike.
fn similar(index: &InstalledIndex, name: &str) -> Vec<Arc<str>> {
    let mut scores: HashMap<u32, f64> = HashMap::new();
    for word in words(name) {
        let positions = index.with_word(&word);
        for position in positions {
            #[expect(clippy::cast_precision_loss, reason = "a word leads to few apps")]
            let weight = 1.0 / positions.len() as f64;
            *scores.entry(*position).or_default() += weight;
        }
    }
    let own = normal(name);
    let begins_alike = |position: u32| {
        let names = index.app(position).names.iter();
        names.map(|other| common_beginning(&own, other)).max().unwrap_or_default()
    };
    let mut found: Vec<(u32, f64, usize)> = scores
        .into_iter()
        .map(|(position, score)| (position, score, begins_alike(position)))
        .collect();
    found.sort_by(|left, right| {
        let main = |position: u32| !index.app(position).is_main;
        right
            .1
            .total_cmp(&left.1)
            .then_with(|| right.2.cmp(&left.2))
            .then_with(|| main(left.0).cmp(&main(right.0)))
            .then_with(|| left.0.cmp(&right.0))
    });
    found.iter().take(SUGGESTIONS).map(|(at, ..)| Arc::clone(&index.app(*at).slug)).collect()
}

/// How many bytes two texts have in common at their beginning.
fn common_beginning(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count()
}
