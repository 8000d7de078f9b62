//! An app in a list of apps: of the whole catalog, or of a vendor.

use appstitch_types::DriftScope;

use crate::{
    address::{app_page, vendor_page},
    short::{self, short},
    site::{PageError, Site},
    source_names::source_title,
    verdict::Verdict,
};

pub(crate) struct AppRow {
    pub(crate) path: String,
    pub(crate) name: String,
    pub(crate) slug: String,
    /// The path and the name.
    pub(crate) vendor: Option<(String, String)>,
    pub(crate) version: Option<String>,
    pub(crate) is_deprecated: bool,
    /// Set if the sources disagree.
    pub(crate) drift: Option<Verdict>,
    pub(crate) sources: String,
}

impl AppRow {
    pub(crate) fn all(site: &Site<'_>, positions: &[u32]) -> Result<Vec<Self>, PageError> {
        positions.iter().map(|position| Self::of(site, *position)).collect()
    }

    fn of(site: &Site<'_>, position: u32) -> Result<Self, PageError> {
        let app = site.snapshot.read_app(position)?;
        let sources = site.snapshot.sources_of(position);
        let sources: Vec<&str> = sources.map(|source| source_title(source.token())).collect();
        let drift = site.snapshot.drift_line(DriftScope::EVERYTHING, position);
        Ok(Self {
            path: app_page(app.slug.as_str()),
            name: short(&app.name, short::NAME),
            slug: short(app.slug.as_str(), short::NAME),
            vendor: app
                .vendor
                .as_deref()
                .map(|vendor| (vendor_page(vendor), short(vendor, short::NAME))),
            version: app.current_version.as_deref().map(|version| short(version, short::VERSION)),
            is_deprecated: site.snapshot.is_deprecated(position),
            drift: drift.map(Verdict::of_line),
            sources: sources.join(", "),
        })
    }
}
