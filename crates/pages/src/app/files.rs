//! The files that the page of an app offers for download.

use appstitch_snapshot::Exported;

use super::{app_file::AppFile, install, known::Known};
use crate::site::{PageError, Site};

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
        AppFile::Export(format) => {
            let slug = site.snapshot.slug(position);
            match site.snapshot.export(slug, format) {
                Ok(Exported::File(file)) => String::from_utf8(file.body.into()).ok(),
                _ => None,
            }
        }
        AppFile::Query => install::osquery_text(&Known::read(site, position, &sources()?)?),
    })
}
