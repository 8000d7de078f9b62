//! Single fields of apps. Letter case does not matter, except in the token of a cask.

use super::{
    answers::{BundleIdRow, MatchRow, VendorRow},
    catalog::Catalog,
    score::Score,
};

pub(super) fn vendors(rows: &[VendorRow], catalog: &Catalog) -> Score {
    let mut score = Score::default();
    for row in rows {
        let stitched = catalog.find(&row.slug, &row.names);
        let found = stitched.and_then(|stitched| stitched.record.app.vendor.as_deref());
        let mut accepted = row.vendor.iter().chain(&row.also);
        let is_accepted = found
            .is_some_and(|found| accepted.any(|name| name.to_lowercase() == found.to_lowercase()));
        score.add(&row.slug, row.vendor.as_deref(), found, is_accepted);
    }
    score
}

pub(super) fn bundle_ids(rows: &[BundleIdRow], catalog: &Catalog) -> Score {
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

pub(super) fn casks(rows: &[MatchRow], catalog: &Catalog) -> Score {
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
