//! The files that the page of an app offers for download.

use super::{Known, install};
use crate::{PageError, Site};

/// A file of an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppFile {
    /// The label, as shell text.
    Label,
    /// A Brewfile with the app's cask.
    Brewfile,
    /// The query for the installed version.
    Query,
}

impl AppFile {
    /// The file with a name, such as `label.sh`.
    #[must_use]
    pub fn of(name: &str) -> Option<Self> {
        match name {
            "label.sh" => Some(Self::Label),
            "Brewfile" => Some(Self::Brewfile),
            "query.sql" => Some(Self::Query),
            _ => None,
        }
    }
}

/// The text of a file; `None` if the app has no such file.
pub fn app_file(
    site: &Site<'_>,
    position: u32,
    file: AppFile,
) -> Result<Option<String>, PageError> {
    let sources = || site.snapshot.source_detail(position);
    Ok(match file {
        AppFile::Label => install::label_text(site, site.snapshot.slug(position)),
        AppFile::Brewfile => install::brewfile(&Known::read(site, position, &sources()?)?),
        AppFile::Query => install::osquery_text(&Known::read(site, position, &sources()?)?),
    })
}
