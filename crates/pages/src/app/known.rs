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
        let versions = parsed.versions();
        let standings = standings(&app, &versions);
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
}

/// How the versions of the sources stand to each other. If the app's newest version is not the highest
/// one, the sources count differently, and none of them is behind.
fn standings(app: &App, versions: &[SourceVersion]) -> Vec<Standing> {
    let mut standings = Standing::of_all(versions);
    let is_newest = |stated: &SourceVersion| app.current_version.as_ref() == Some(&stated.version);
    let mut all = versions.iter().zip(&standings);
    if all.any(|(stated, standing)| is_newest(stated) && *standing == Standing::Behind) {
        standings.fill(Standing::Unordered);
    }
    standings
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn no_source_is_behind_if_the_newest_version_is_not_the_highest() {
        use Standing::{Behind, Newest, Unordered};
        let of = |current: &str| {
            let app = json!({"slug": "a", "name": "A", "current_version": current, "sources": []});
            let app: App = serde_json::from_value(app).unwrap();
            let stated = |source: &str, version: &str| SourceVersion {
                source: source.to_owned(),
                version: version.to_owned(),
                parsed_ok: true,
            };
            standings(&app, &[stated("label_tool", "5.2"), stated("cask_catalog", "53.1")])
        };
        assert_eq!(of("53.1"), [Behind, Newest]);
        assert_eq!(of("5.2"), [Unordered, Unordered]);
    }
}
