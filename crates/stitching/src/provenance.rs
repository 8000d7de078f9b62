//! Where each value of a record comes from: the entries of its payloads, and manual records.

use appstitch_types::{
    App, AppSources, FieldOrigins, FieldReasons, Provenance, Source, SourceMatch, SourceMatches,
};

use crate::record::Record;

const BY_HAND: &str = "records";

/// The entries of a record's payloads. `evidence` returns the evidence for a source.
pub(crate) fn source_matches(
    sources: &AppSources,
    evidence: impl Fn(Source) -> Vec<String>,
) -> SourceMatches {
    SourceMatches::from_fn(|source| {
        let id = sources.payload(source)?.id();
        Some(SourceMatch { id, evidence: evidence(source) })
    })
}

pub fn manual_provenance(record: &Record) -> Provenance {
    let given = |present: bool| present.then(|| BY_HAND.to_owned());
    let App {
        bundle_id,
        vendor,
        current_version,
        latest_release_date,
        download_url,
        install_method,
        expected_team_id,
        sha256,
        ..
    } = &record.app;
    let no_detail = AppSources::default();
    Provenance {
        slug: record.app.slug.to_string(),
        other_names: Vec::new(),
        fields: FieldOrigins {
            bundle_id: given(bundle_id.is_some()),
            name: given(true),
            vendor: given(vendor.is_some()),
            current_version: given(current_version.is_some()),
            latest_release_date: given(latest_release_date.is_some()),
            download_url: given(download_url.is_some()),
            install_method: given(install_method.is_some()),
            expected_team_id: given(expected_team_id.is_some()),
            sha256: given(sha256.is_some()),
        },
        reasons: FieldReasons::default(),
        sources: source_matches(record.sources.as_ref().unwrap_or(&no_detail), |_| {
            vec!["given by hand".to_owned()]
        }),
        label_values: None,
        title_codes: Vec::new(),
        manual_record: true,
    }
}
