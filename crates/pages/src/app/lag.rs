//! Which sources of an app are behind: by how much, behind whom, and since when that is known.

use appstitch_snapshot::VersionGap;
use appstitch_stitching::Standing;
use appstitch_types::DriftScope;
use appstitch_versions::is_lower_version;

use super::known::Known;
use crate::{
    display::Day,
    old_finding::old_finding,
    short::{self, short},
    site::Site,
    source_names::source_title,
};

/// A source that is behind.
pub(super) struct Lag {
    pub(super) token: String,
    pub(super) title: String,
    pub(super) version: String,
    /// The source with the newest version, and that version.
    pub(super) leader: Option<(String, String)>,
    /// Whether that version is newer than the one that the record serves, which has a download.
    pub(super) lacks_download: bool,
    /// What kind of release it lacks: `a major version`.
    pub(super) gap: Option<&'static str>,
    /// Since when it is behind, if the journal goes back so far.
    pub(super) since: Option<Day>,
    /// When its version was found, if that is so long ago that it may be outdated.
    pub(super) old_finding: Option<Day>,
}

impl Lag {
    /// Every source that is behind, in the order of the sources.
    pub(super) fn all(site: &Site<'_>, known: &Known<'_>) -> Vec<Self> {
        let stated = || known.versions.iter().zip(&known.standings);
        let leader = stated().find(|(_, standing)| **standing == Standing::Newest);
        let leader = leader.map(|(leader, _)| leader);
        let line = site.snapshot.drift_line(DriftScope::EVERYTHING, known.position);
        let since = |token: &str| {
            let line = line?;
            let place = line.entry.versions.iter().position(|stated| stated.source == token)?;
            *line.lagging_since.get(place)?
        };
        let served = known.app.current_version.as_deref();
        let lacks_download = leader.zip(served);
        let lacks_download = lacks_download
            .is_some_and(|(leader, served)| is_lower_version(served, &leader.version));
        let behind = stated().filter(|(_, standing)| **standing == Standing::Behind);
        behind
            .map(|(stated, _)| Self {
                token: stated.source.clone(),
                title: source_title(&stated.source).to_owned(),
                version: short(&stated.version, short::VERSION),
                leader: leader.map(|leader| {
                    let version = short(&leader.version, short::VERSION);
                    (source_title(&leader.source).to_owned(), version)
                }),
                lacks_download,
                gap: leader
                    .and_then(|leader| VersionGap::between(&leader.version, &stated.version))
                    .map(gap_words),
                since: since(&stated.source).map(Day::of),
                old_finding: old_finding(site, &known.provenance, &stated.source),
            })
            .collect()
    }
}

fn gap_words(gap: VersionGap) -> &'static str {
    match gap {
        VersionGap::Major => "a major version",
        VersionGap::Minor => "a minor version",
        VersionGap::Patch => "a patch",
        VersionGap::Build => "a build",
    }
}
