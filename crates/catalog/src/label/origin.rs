//! The source of a label's download. All values of a download come from one source.

use super::literal::Literals;
use crate::{
    InstallMethod, MdmInstallerSource, Source, Uri,
    cask::CaskFacts,
    package_type::{self, FileKind},
    served,
};

/// A download as described by one source.
#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) source: Source,
    pub(crate) url: Option<Uri>,
    pub(crate) method: Option<InstallMethod>,
    pub(crate) version: Option<String>,
}

impl Origin {
    /// The first source with both URL and type; otherwise the first with a URL, otherwise the
    /// first with a type.
    pub(crate) fn choose(
        label: Option<&Literals>,
        cask: Option<&CaskFacts>,
        installer: Option<&MdmInstallerSource>,
    ) -> Option<Self> {
        let mut origins: Vec<Self> = [
            label.and_then(Self::of_label),
            cask.and_then(Self::of_cask),
            installer.and_then(Self::of_installer),
        ]
        .into_iter()
        .flatten()
        .collect();
        // The sort is stable: equally complete sources keep their order.
        origins.sort_by_key(|origin| match (&origin.url, origin.method) {
            (Some(_), Some(_)) => 0,
            (Some(_), None) => 1,
            _ => 2,
        });
        let mut chosen = origins.into_iter().next()?;
        if chosen.method.is_none() {
            chosen.method = chosen.url.as_ref().and_then(|url| labels_method(label?, url));
        }
        Some(chosen)
    }

    fn of_label(label: &Literals) -> Option<Self> {
        let url = label.text("downloadURL").and_then(|text| Uri::parse(text).ok());
        let method = label.text("type").and_then(InstallMethod::from_word);
        let contradictory = match (&url, method) {
            (Some(url), Some(method)) => {
                package_type::extension(url.as_str()).is_some_and(|(_, kind)| !kind.fits(method))
            }
            (None, None) => true,
            _ => false,
        };
        (!contradictory).then(|| Self {
            source: Source::LabelTool,
            url,
            method,
            version: label.version().map(str::to_owned),
        })
    }

    fn of_cask(cask: &CaskFacts) -> Option<Self> {
        Some(Self {
            source: Source::CaskCatalog,
            url: Some(cask.url.clone()?),
            method: cask.method,
            version: cask.version.clone(),
        })
    }

    /// Only external installers come from the vendor; the others are repackaged and signed by a
    /// third party.
    fn of_installer(installer: &MdmInstallerSource) -> Option<Self> {
        if installer.source != "External" {
            return None;
        }
        let url = Uri::parse(installer.download_url.as_deref()?).ok()?;
        // Only for packages does the extension determine the install method.
        let method = match package_type::extension(url.as_str()) {
            Some((_, FileKind::Package)) => Some(InstallMethod::Pkg),
            _ => None,
        };
        let version = installer.version.clone();
        Some(Self {
            source: Source::MdmInstaller,
            url: Some(url),
            method,
            version: version.filter(|text| served::check_value("version", text).is_ok()),
        })
    }
}

/// The label's type, if it is consistent with the extension of the URL. The extension does not
/// show what the file contains, but the label's type does.
fn labels_method(label: &Literals, url: &Uri) -> Option<InstallMethod> {
    let method = label.text("type").and_then(InstallMethod::from_word)?;
    let (_, kind) = package_type::extension(url.as_str())?;
    kind.fits(method).then_some(method)
}
