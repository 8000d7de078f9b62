//! Which file a tool downloads.

use appstitch_stitching::{DirectFile, names_version};
use appstitch_types::{InstallMethod, Sha256, Source, Uri};

use crate::{reason::Reason, subject::Subject};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Download<'a> {
    pub(crate) url: &'a Uri,
    pub(crate) method: InstallMethod,
    pub(crate) sha256: &'a Sha256,
    pub(crate) differs_on_intel: bool,
    /// The sources of the address and of the checksum, if they are known.
    pub(crate) origins: [Option<&'a str>; 2],
}

impl<'a> Download<'a> {
    /// The record's file, or that of the cask if the record's redirects or has no checksum. `fits` says
    /// which types the tool can install.
    pub(crate) fn choose(
        subject: &'a Subject<'_>,
        fits: impl Fn(InstallMethod) -> bool,
    ) -> Result<Self, Vec<Reason>> {
        let own = of_record(subject, &fits);
        let direct = subject
            .delivery
            .direct
            .as_ref()
            .filter(|file| fits(file.method) && !file.needs_request_fields)
            .filter(|file| is_same_download(subject, file));
        match (own, direct) {
            (Ok(own), Some(direct)) if !names_a_file(own.url) => Ok(of_cask(direct)),
            (Ok(own), _) => Ok(own),
            (Err(_), Some(direct)) => Ok(of_cask(direct)),
            (Err(reasons), None) => Err(reasons),
        }
    }

    /// What to check before a tool that follows no redirects gets this file.
    pub(crate) fn redirects(self) -> bool {
        let host = self.url.as_str().split('/').nth(2).unwrap_or_default();
        let passes_on =
            ["github.com", "sourceforge.net", "downloads.sourceforge.net", "gitlab.com"];
        !names_a_file(self.url) || passes_on.contains(&host)
    }

    /// Whether the address has the version in it; if not, the next release breaks the checksum.
    pub(crate) fn has_version(self, version: &str) -> bool {
        names_version(self.url.as_str(), version)
    }
}

fn of_cask(file: &DirectFile) -> Download<'_> {
    Download {
        url: &file.url,
        method: file.method,
        sha256: &file.sha256,
        differs_on_intel: file.differs_on_intel,
        origins: [Some(Source::CaskCatalog.token()); 2],
    }
}

/// Whether the cask's file can stand for the record's: it is of the same type, and the record is not an
/// edition for which the cask may have the file of another one.
fn is_same_download(subject: &Subject<'_>, file: &DirectFile) -> bool {
    let is_edition = subject.label_name().is_some() && subject.is_variant();
    let method = subject.app.install_method;
    !is_edition && method.is_none_or(|method| method == file.method)
}

fn of_record<'a>(
    subject: &'a Subject<'_>,
    fits: &impl Fn(InstallMethod) -> bool,
) -> Result<Download<'a>, Vec<Reason>> {
    let app = subject.app;
    let Some(url) = &app.download_url else { return Err(vec![Reason::NoAddress]) };
    let mut reasons = Vec::new();
    match app.install_method {
        None => reasons.push(Reason::NoMethod),
        Some(method) if !fits(method) => reasons.push(Reason::Method(method)),
        Some(_) => {}
    }
    if app.sha256.is_none() {
        reasons.push(Reason::NoSha256);
    }
    if subject.delivery.needs_request_fields {
        reasons.push(Reason::NeedsRequestFields);
    }
    match (app.install_method, &app.sha256) {
        (Some(method), Some(sha256)) if reasons.is_empty() => {
            let differs_on_intel = subject.delivery.differs_on_intel;
            let origins = &subject.provenance.fields;
            let origins = [origins.download_url.as_deref(), origins.sha256.as_deref()];
            Ok(Download { url, method, sha256, differs_on_intel, origins })
        }
        _ => Err(reasons),
    }
}

/// Whether the path ends with the name of a file that is installed; other addresses lead to one.
fn names_a_file(url: &Uri) -> bool {
    let path = url.as_str().split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    [".dmg", ".pkg", ".mpkg", ".zip", ".tbz"].iter().any(|ending| path.ends_with(ending))
        && !url.as_str().contains('?')
}
