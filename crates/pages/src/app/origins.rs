//! Where each value comes from, and why each source was matched to the app.

use appstitch_types::Source;

use super::{extent::Extent, known::Known};
use crate::{short::short, source_names::source_title};

/// The longest value that is shown, in characters.
const LONGEST: usize = 300;

pub(super) struct Origins {
    pub(super) fields: Vec<FieldRow>,
    pub(super) matches: Vec<MatchRow>,
}

pub(super) struct FieldRow {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) source: String,
    pub(super) reason: Option<String>,
}

pub(super) struct MatchRow {
    pub(super) source: String,
    pub(super) entry: String,
    pub(super) evidence: Vec<String>,
}

impl Origins {
    pub(super) fn of(known: &Known<'_>, extent: Extent) -> Self {
        let (app, origins) = (&known.app, &known.provenance.fields);
        let reasons = &known.provenance.reasons;
        let rows = [
            ("Name", Some(app.name.clone()), &origins.name, None),
            (
                "Version",
                app.current_version.clone(),
                &origins.current_version,
                reasons.current_version.as_ref(),
            ),
            (
                "Release date",
                app.latest_release_date.map(|date| date.to_string()),
                &origins.latest_release_date,
                None,
            ),
            ("Vendor", app.vendor.clone(), &origins.vendor, None),
            ("Bundle ID", app.bundle_id.clone(), &origins.bundle_id, None),
            (
                "Team ID",
                app.expected_team_id.as_ref().map(ToString::to_string),
                &origins.expected_team_id,
                None,
            ),
            (
                "Download",
                app.download_url.as_ref().map(ToString::to_string),
                &origins.download_url,
                reasons.download_url.as_ref(),
            ),
            (
                "Install method",
                app.install_method.map(|method| method.word().to_owned()),
                &origins.install_method,
                None,
            ),
            ("SHA-256", app.sha256.as_ref().map(ToString::to_string), &origins.sha256, None),
        ];
        let fields = rows.into_iter().filter_map(|(name, value, origin, reason)| {
            // A reason can also say why there is no value.
            if value.is_none() && reason.is_none() {
                return None;
            }
            Some(FieldRow {
                name,
                value: short(&value.unwrap_or_else(|| "none".to_owned()), LONGEST),
                source: origin.as_deref().map_or("none", source_or_record).to_owned(),
                reason: reason.map(|reason| short(&with_names(reason), LONGEST)),
            })
        });
        Self { fields: fields.collect(), matches: matches(known, extent) }
    }
}

fn matches(known: &Known<'_>, extent: Extent) -> Vec<MatchRow> {
    let row = |source: Source| {
        let found = known.provenance.sources.get(source)?;
        let evidence = found.evidence.iter().take(extent.evidence);
        Some(MatchRow {
            source: source.describe().product.to_owned(),
            entry: short(&found.id, LONGEST),
            evidence: evidence.map(|text| short(text, LONGEST)).collect(),
        })
    };
    Source::ALL.into_iter().filter_map(row).collect()
}

/// A reason with the sources as people know them.
fn with_names(reason: &str) -> String {
    let descriptions = Source::ALL.into_iter().map(Source::describe);
    descriptions.fold(reason.to_owned(), |text, source| text.replace(source.token, source.product))
}

fn source_or_record(token: &str) -> &str {
    if token == "records" { "Manual record" } else { source_title(token) }
}
