//! Every source of an app, side by side.

use appstitch_feeds::encoded;
use appstitch_text::words::counted;
use appstitch_types::{AppSources, DriftRole, FoundBy, Payload, Source};

use super::known::Known;
use crate::{
    chip::Chip,
    display::{Day, Moment},
    site::Site,
};

pub(super) struct SourceRow {
    pub(super) title: &'static str,
    pub(super) entry: String,
    pub(super) link: Option<String>,
    pub(super) version: Option<String>,
    pub(super) chip: Option<Chip>,
    /// Why its version is not compared.
    pub(super) left_out: Option<String>,
    /// Who found the version, if the source does not state it in words.
    pub(super) found: Option<VersionFinding>,
    pub(super) received: Option<Moment>,
}

pub(super) struct VersionFinding {
    pub(super) by: &'static str,
    pub(super) day: Option<Day>,
}

impl SourceRow {
    pub(super) fn all(site: &Site<'_>, known: &Known<'_>) -> Vec<Self> {
        Source::ALL.into_iter().filter_map(|source| Self::of(site, known, source)).collect()
    }

    fn of(site: &Site<'_>, known: &Known<'_>, source: Source) -> Option<Self> {
        let (entry, link) = entry(known.sources(), source)?;
        let (version, standing) = known.version_of(source.token()).unzip();
        let status = site.source(source.token());
        let values = known.provenance.label_values.filter(|_| source == Source::LabelTool);
        Some(Self {
            title: source.describe().product,
            entry,
            link,
            version: version.map(str::to_owned),
            chip: standing.and_then(Chip::of),
            left_out: known.why_left_out(source.token()).map(str::to_owned),
            found: values.and_then(|values| values.version).map(|finding| VersionFinding {
                by: match finding.found_by {
                    FoundBy::Run => "by a run of the label",
                    FoundBy::Posted => "by a Mac",
                    FoundBy::Tracker => "by Installomator Tracker",
                },
                day: finding.found_at.map(Day::of),
            }),
            received: status.and_then(|status| status.received_at).map(Moment),
        })
    }
}

/// The name of the app's entry in a source, and its page at the source.
pub(crate) fn entry(sources: &AppSources, source: Source) -> Option<(String, Option<String>)> {
    let payload = sources.payload(source)?;
    let page = if let Payload::Cask(cask) = payload {
        Some(format!("https://formulae.brew.sh/cask/{}", encoded(&cask.token)))
    } else if let Payload::Recipes(_) = payload {
        Some("#install-autopkg".to_owned())
    } else {
        payload.page().map(ToString::to_string)
    };
    // Entries without versions are many to an app.
    let name = match source.describe().drift {
        DriftRole::Never => count_entries(source, payload),
        DriftRole::Always | DriftRole::OnRequest => payload.id(),
    };
    Some((name, page))
}

/// How many entries of a source an app has: "1 recipe", "3 recipes".
pub(crate) fn count_entries(source: Source, payload: Payload<'_>) -> String {
    counted(payload.count(), source.describe().entry)
}
