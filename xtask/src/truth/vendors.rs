//! Who makes an app.

use super::{answers::VendorRow, catalog::Catalog, score::Score};

pub(super) fn score(rows: &[VendorRow], catalog: &Catalog) -> Score {
    let mut score = Score::default();
    for row in rows {
        let stitched = catalog.find(&row.slug, &row.names);
        let found = stitched.and_then(|stitched| stitched.record.app.vendor.as_deref());
        let accepted = row.vendor.iter().chain(&row.also);
        let is_accepted = found.is_some_and(|found| {
            accepted.into_iter().any(|name| name.to_lowercase() == found.to_lowercase())
        });
        score.add(&row.slug, row.vendor.as_deref(), found, is_accepted);
    }
    score
}
