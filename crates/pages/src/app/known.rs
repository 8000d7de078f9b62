//! What is known about an app, read from the snapshot.

use appstitch_stitching::{ParsedSources, Standing};
use appstitch_types::{App, AppDetails, AppSources, Provenance, SourceVersion};

use crate::site::{PageError, Site};

pub(super) struct Known<'a> {
    pub(super) position: u32,
    pub(super) app: App,
    pub(super) parsed: ParsedSources<'a>,
    pub(super) provenance: Provenance,
    pub(super) details: AppDetails,
    pub(super) versions: Vec<SourceVersion>,
    pub(super) standings: Vec<Standing>,
}

impl<'a> Known<'a> {
    pub(super) fn read(
        site: &Site<'_>,
        position: u32,
        sources: &'a AppSources,
    ) -> Result<Self, PageError> {
        let snapshot = site.snapshot;
        let app = snapshot.read_app(position)?;
        let parsed = ParsedSources::of(sources);
        let provenance = snapshot.read_provenance(position)?;
        let details = snapshot.details_from(position, &app, &parsed, &provenance)?;
        let agreement = parsed.agreement();
        let standings = agreement.standings();
        let versions = agreement.versions;
        Ok(Self { position, app, parsed, provenance, details, versions, standings })
    }

    pub(super) fn sources(&self) -> &'a AppSources {
        self.parsed.sources()
    }

    pub(super) fn slug(&self) -> &str {
        self.app.slug.as_str()
    }

    /// The version that a source states, and how it stands to the others.
    pub(super) fn version_of(&self, token: &str) -> Option<(&str, Standing)> {
        let position = self.versions.iter().position(|stated| stated.source == token)?;
        Some((&self.versions[position].version, self.standings[position]))
    }

    /// Why the version of a source is not compared; `None` if it is.
    pub(super) fn why_left_out(&self, token: &str) -> Option<&str> {
        let agreement = self.details.version_agreement.as_ref()?;
        let stated = agreement.versions.iter().find(|stated| stated.source == token)?;
        stated.left_out.as_deref()
    }
}
