//! The app's own bundle identifier, compared ignoring case.

use super::{answers::BundleIdRow, catalog::Catalog, score::Score};

pub(super) fn score(rows: &[BundleIdRow], catalog: &Catalog) -> Score {
    let mut score = Score::default();
    for row in rows {
        let stitched = catalog.find(&row.slug, &row.names);
        let found = stitched.and_then(|stitched| stitched.record.app.bundle_id.as_deref());
        let mut accepted = row.bundle_id.iter().chain(&row.also);
        let is_accepted =
            found.is_some_and(|found| accepted.any(|id| id.eq_ignore_ascii_case(found)));
        score.add(&row.slug, row.bundle_id.as_deref(), found, is_accepted);
    }
    score
}
