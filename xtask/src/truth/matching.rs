//! The cask that belongs to a label.

use super::{answers::MatchRow, catalog::Catalog, score::Score};

pub(super) fn score(rows: &[MatchRow], catalog: &Catalog) -> Score {
    let mut score = Score::default();
    for row in rows {
        let stitched = catalog.find(&row.label, &row.names);
        let sources = stitched.and_then(|stitched| stitched.record.sources.as_ref());
        let found = sources
            .filter(|sources| sources.label_tool.is_some())
            .and_then(|sources| sources.cask_catalog.as_ref())
            .map(|cask| cask.token.as_str());
        let mut accepted = row.cask.iter().chain(&row.also);
        let is_accepted = found.is_some_and(|found| accepted.any(|token| token == found));
        score.add(&row.label, row.cask.as_deref(), found, is_accepted);
    }
    score
}
