//! Every source of an app, side by side.

use appstitch_catalog::{AppSources, FoundBy};
use appstitch_feeds::encoded;

use super::Known;
use crate::{
    Day, Moment, Site,
    chip::Chip,
    source_title::{SOURCES, source_title},
};

/// One source of an app.
pub(super) struct SourceRow {
    pub(super) title: &'static str,
    /// The entry in the source, and its page.
    pub(super) entry: String,
    pub(super) link: Option<String>,
    pub(super) version: Option<String>,
    pub(super) chip: Option<Chip>,
    /// Who found the version, if the source does not state it in words.
    pub(super) found: Option<Found>,
    /// When the source was last received.
    pub(super) received: Option<Moment>,
}

/// Who found the version of a label by running it.
pub(super) struct Found {
    pub(super) by: &'static str,
    pub(super) day: Option<Day>,
}

impl SourceRow {
    /// The sources that have an entry for the app.
    pub(super) fn all(site: &Site<'_>, known: &Known<'_>) -> Vec<Self> {
        SOURCES.iter().filter_map(|token| Self::of(site, known, token)).collect()
    }

    fn of(site: &Site<'_>, known: &Known<'_>, token: &'static str) -> Option<Self> {
        let (entry, link) = entry(known.sources(), token)?;
        let (version, standing) = known.version_of(token).unzip();
        let status = site.source(token);
        let values = known.provenance.label_values.filter(|_| token == "label_tool");
        Some(Self {
            title: source_title(token),
            entry,
            link,
            version: version.map(str::to_owned),
            chip: standing.and_then(Chip::of),
            found: values.and_then(|values| values.version).map(|finding| Found {
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

/// The name of the app's entry in a source, and its page in the world.
pub(crate) fn entry(sources: &AppSources, token: &str) -> Option<(String, Option<String>)> {
    match token {
        "label_tool" => {
            let label = sources.label_tool.as_ref()?;
            Some((label.label_name.clone(), Some(label.label_url.to_string())))
        }
        "cask_catalog" => {
            let token = &sources.cask_catalog.as_ref()?.token;
            let page = format!("https://formulae.brew.sh/cask/{}", encoded(token));
            Some((token.clone(), Some(page)))
        }
        "recipe_index" => {
            let count = sources.recipe_index.as_ref()?.recipes.len();
            let text = if count == 1 { "1 recipe".to_owned() } else { format!("{count} recipes") };
            Some((text, Some("#install-autopkg".to_owned())))
        }
        "store_listing" => {
            let listing = sources.store_listing.as_ref()?;
            Some((listing.bundle_id.clone(), listing.store_url.as_ref().map(ToString::to_string)))
        }
        "mdm_installer" => Some((sources.mdm_installer.as_ref()?.title.clone(), None)),
        _ => None,
    }
}
