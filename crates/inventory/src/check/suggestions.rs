//! Apps with similar names, for apps that are not in the catalog.

use std::sync::Arc;

use appstitch_budget::{Budget, Exceeded};
use appstitch_text::normal_name::normal;

use super::{
    index::{InstalledIndex, words},
    install_location::{file_name, without_ending},
};
use crate::installed_app::InstalledApp;

const SUGGESTIONS: usize = 3;

/// The steps of reading a name, and of each app that shares a word with it.
const NAME: u64 = 64;
const SHARED_WORD: u64 = 4;

pub(super) fn for_row(
    index: &InstalledIndex,
    row: &InstalledApp,
    budget: &mut Budget,
) -> Result<Vec<Arc<str>>, Exceeded> {
    budget.step(NAME)?;
    let name = row.name.as_deref().or_else(|| row.path.as_deref().and_then(file_name));
    match name {
        Some(name) => similar(index, without_ending(name).unwrap_or(name), budget),
        None => Ok(Vec::new()),
    }
}

/// The slugs of the apps that share the most words with a name. Rare words count more; among equals,
/// names that begin alike.
fn similar(
    index: &InstalledIndex,
    name: &str,
    budget: &mut Budget,
) -> Result<Vec<Arc<str>>, Exceeded> {
    let mut scores: Vec<(u32, f64)> = Vec::new();
    for word in words(name) {
        let positions = index.with_word(&word);
        budget.step(SHARED_WORD * positions.len() as u64)?;
        #[expect(clippy::cast_precision_loss, reason = "a word leads to few apps")]
        let weight = 1.0 / positions.len() as f64;
        scores.extend(positions.iter().map(|position| (*position, weight)));
    }
    // Stable, so that the weights of an app are added in the order of the words.
    scores.sort_by_key(|(position, _)| *position);
    scores.dedup_by(|next, kept| {
        let is_same = next.0 == kept.0;
        if is_same {
            kept.1 += next.1;
        }
        is_same
    });
    // The names of most apps need not be compared: enough others share more words.
    if scores.len() > SUGGESTIONS {
        scores.select_nth_unstable_by(SUGGESTIONS - 1, |left, right| right.1.total_cmp(&left.1));
        let least = scores[SUGGESTIONS - 1].1;
        scores.retain(|(_, score)| *score >= least);
    }
    let normal_name = normal(name);
    let begins_alike = |position: u32| {
        let names = index.app(position).names.iter();
        names.map(|other| common_beginning(&normal_name, other)).max().unwrap_or_default()
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
    Ok(found.iter().take(SUGGESTIONS).map(|(at, ..)| Arc::clone(&index.app(*at).slug)).collect())
}

fn common_beginning(left: &str, right: &str) -> usize {
    left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count()
}
