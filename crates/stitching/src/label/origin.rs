//! The source of an app's download. All values of a download come from one source.

use appstitch_text::served;
use appstitch_types::{InstallMethod, MdmInstallerSource, Source, Uri};
use appstitch_versions::{Version, is_lower_version};

use super::literal::Literals;
use crate::{
    address::download_address,
    cask::CaskFacts,
    newest::{Newest, VersionedSources},
    package_type::{self, FileKind},
    url_version::{self, NamedVersion},
};

#[derive(Debug)]
pub(crate) struct Origin {
    pub(crate) source: Source,
    pub(crate) url: Option<Uri>,
    pub(crate) method: Option<InstallMethod>,
    pub(crate) version: Option<String>,
    /// The version with its build, as the source writes it.
    pub(super) full_version: Option<String>,
    /// Whether the URL does not name the version that the source states.
    pub(crate) names_no_version: bool,
    pub(crate) offer: Offer,
    /// Where the redirects of the URL ended when somebody looked.
    redirect: Option<String>,
    /// Whether another source's address is better: the label's is only that of a recorded redirect, and
    /// the other one is installed in the same way.
    is_second_choice: bool,
}

/// Which release the file at an origin's URL is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Offer {
    /// The newest one: the source states it.
    Newest,
    /// The newest one, whatever that is: the URL names no version.
    AlwaysNewest,
    /// An older or unknown one.
    Other,
}

#[derive(Debug)]
pub(crate) struct Download {
    pub(crate) origin: Origin,
    others: Vec<Source>,
}

impl Download {
    /// The download for a record: the first source that offers the newest version. Sources with
    /// both URL and type are preferred, then those with a URL.
    pub(crate) fn of_newest(
        sources: VersionedSources<'_>,
        newest: Option<&Newest<'_>>,
    ) -> Option<Self> {
        Self::choose(sources, newest, |origin| {
            [
                u8::from(origin.url.is_none()),
                u8::from(origin.offer == Offer::Other),
                u8::from(origin.is_second_choice),
                u8::from(origin.method.is_none()),
            ]
        })
    }

    /// The download for a label, which must be installable: a source with both URL and type goes
    /// before one that offers the newest version.
    pub(crate) fn to_install(
        sources: VersionedSources<'_>,
        newest: Option<&Newest<'_>>,
    ) -> Option<Self> {
        Self::choose(sources, newest, |origin| {
            [
                u8::from(origin.url.is_none()),
                u8::from(origin.method.is_none()),
                u8::from(origin.offer == Offer::Other),
                u8::from(origin.is_second_choice),
            ]
        })
    }

    fn choose(
        sources: VersionedSources<'_>,
        newest: Option<&Newest<'_>>,
        rank: impl Fn(&Origin) -> [u8; 4],
    ) -> Option<Self> {
        let VersionedSources { label, label_version, cask, title } = sources;
        let mut origins: Vec<Origin> = [
            label.and_then(|label| Origin::of_label(label, label_version)),
            cask.and_then(Origin::of_cask),
            title.and_then(Origin::of_installer),
        ]
        .into_iter()
        .flatten()
        .collect();
        for origin in &mut origins {
            origin.offer = origin.offer_of(newest);
            origin.names_no_version = !origin.names_stated_version();
            if origin.method.is_none() {
                let contents = cask.filter(|_| origin.source == Source::CaskCatalog);
                origin.method =
                    origin.url.as_ref().and_then(|url| labels_method(label?, url, contents));
            }
        }
        let is_behind = |origin: &Origin| origin.is_behind(newest, &origins);
        if let Some(behind) = origins.iter().position(is_behind) {
            origins[behind].offer = Offer::Other;
        }
        // A label for a package is not replaced by a disk image, nor the other way round.
        let (of_label, others): (Vec<&Origin>, Vec<&Origin>) =
            origins.iter().partition(|origin| origin.source == Source::LabelTool);
        let is_alike =
            of_label.iter().any(|label| others.iter().any(|other| label.installs_like(other)));
        for origin in &mut origins {
            origin.is_second_choice &= is_alike;
        }
        // The sort is stable: equally good sources keep their order.
        origins.sort_by_key(rank);
        let mut origins = origins.into_iter();
        let origin = origins.next()?;
        let others = origins.filter(|other| other.url.is_some());
        Some(Self { origin, others: others.map(|other| other.source).collect() })
    }

    /// Whether the file is that of the newest release.
    pub(crate) fn gives_newest(&self) -> bool {
        self.origin.url.is_some() && self.origin.offer != Offer::Other
    }

    /// Why this download was chosen, or why there is none; `None` if there was no choice.
    pub(crate) fn reason(&self, newest: &Newest<'_>) -> Option<String> {
        let Origin { source, url, offer, .. } = &self.origin;
        url.as_ref()?;
        let (source, version) = (source.token(), newest.chosen.version);
        match offer {
            Offer::Other => Some(format!("no source offers {version}")),
            _ if self.others.is_empty() => None,
            Offer::Newest => Some(format!("{source} offers {version}")),
            Offer::AlwaysNewest => {
                Some(format!("the URL of {source} names no version, so it gives the newest"))
            }
        }
    }
}

impl Origin {
    /// Which release the URL gives. A source whose version cannot be compared is judged by its URL.
    fn offer_of(&self, newest: Option<&Newest<'_>>) -> Offer {
        let (Some(url), Some(newest)) = (&self.url, newest) else { return Offer::Newest };
        let stated = self.full_version.as_deref();
        if stated.is_some_and(|version| newest.is(self.source, version)) {
            return Offer::Newest;
        }
        match url_version::named(url.as_str(), newest.full()) {
            NamedVersion::This => Offer::Newest,
            _ if self.names_stated_version() => Offer::Other,
            NamedVersion::None if self.is_refuted(newest) => Offer::Other,
            NamedVersion::None => Offer::AlwaysNewest,
            // A cask without a version promises that its URL gives the newest.
            NamedVersion::Other if self.source == Source::CaskCatalog && stated.is_none() => {
                Offer::AlwaysNewest
            }
            NamedVersion::Other => Offer::Other,
        }
    }

    /// Whether the redirect of a URL that names no version ended at a file of another version.
    fn is_refuted(&self, newest: &Newest<'_>) -> bool {
        let is_other = |url: &String| url_version::named(url, newest.full()) == NamedVersion::Other;
        self.redirect.as_ref().is_some_and(is_other)
    }

    /// Whether the URL of a label names no version while the label itself states an older one, and
    /// another source has a file of the newest version to install in the same way. The label may be
    /// right about its URL.
    fn is_behind(&self, newest: Option<&Newest<'_>>, all: &[Self]) -> bool {
        let stated = self.full_version.as_deref();
        self.source == Source::LabelTool
            && self.offer == Offer::AlwaysNewest
            && stated
                .zip(newest)
                .is_some_and(|(stated, newest)| is_lower_version(stated, newest.full()))
            && all.iter().any(|other| other.offer == Offer::Newest && other.installs_like(self))
    }

    fn installs_like(&self, other: &Self) -> bool {
        let is_package = |origin: &Self| origin.method.map(InstallMethod::is_package);
        is_package(self) == is_package(other)
    }

    fn names_stated_version(&self) -> bool {
        // A text that is not a version can be in the URL as well.
        let stated = self.full_version.as_deref().filter(|text| Version::parse(text).is_some());
        self.url
            .as_ref()
            .zip(stated)
            .is_some_and(|(url, text)| url_version::named(url.as_str(), text) == NamedVersion::This)
    }

    fn of_label(label: &Literals, version: Option<&str>) -> Option<Self> {
        // Running a label can produce a URL that ends in markup of the page it was taken from, and
        // labels themselves have some with `&amp;`.
        let written = label.text("downloadURL");
        let redirecting = label.redirecting_address().filter(|_| written.is_none());
        let url = written.or(redirecting).and_then(|text| download_address(text).ok());
        let url =
            url.filter(|url| !["%3C", "&amp;"].iter().any(|markup| url.as_str().contains(markup)));
        let method = labels_type(label);
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
            version: version.map(str::to_owned),
            full_version: version.map(str::to_owned),
            names_no_version: false,
            offer: Offer::Other,
            redirect: label.recorded_address().map(str::to_owned),
            is_second_choice: label.has_recorded_address || redirecting.is_some(),
        })
    }

    fn of_cask(cask: &CaskFacts) -> Option<Self> {
        Some(Self {
            source: Source::CaskCatalog,
            url: Some(cask.url.clone().filter(|_| !cask.is_gone)?),
            method: cask.method,
            version: cask.version.clone(),
            full_version: cask.full_version.clone(),
            names_no_version: false,
            offer: Offer::Other,
            redirect: None,
            is_second_choice: false,
        })
    }

    /// Only external installers come from the vendor; the others are repackaged and signed by a
    /// third party.
    fn of_installer(installer: &MdmInstallerSource) -> Option<Self> {
        if installer.source != "External" {
            return None;
        }
        let url = download_address(installer.download_url.as_deref()?).ok()?;
        // Only for packages does the extension determine the install method.
        let method = match package_type::extension(url.as_str()) {
            Some((_, FileKind::Package)) => Some(InstallMethod::Pkg),
            _ => None,
        };
        let version = installer.version.clone();
        let version = version.filter(|text| served::check_value("version", text).is_ok());
        Some(Self {
            source: Source::MdmInstaller,
            url: Some(url),
            method,
            full_version: version.clone(),
            version,
            names_no_version: false,
            offer: Offer::Other,
            redirect: None,
            is_second_choice: false,
        })
    }
}

/// The label's type, if it is consistent with the extension of the URL. The extension does not
/// show what the file contains, but the label's type does. Without an extension, the type must be
/// consistent with the contents that the cask lists.
fn labels_method(label: &Literals, url: &Uri, cask: Option<&CaskFacts>) -> Option<InstallMethod> {
    let method = labels_type(label)?;
    let fits = match package_type::extension(url.as_str()) {
        Some((_, kind)) => kind.fits(method),
        None => cask.is_some_and(|cask| {
            let (has_apps, has_packages) = (!cask.app_names.is_empty(), !cask.packages.is_empty());
            has_apps != has_packages && has_packages == method.is_package()
        }),
    };
    fits.then_some(method)
}

/// The label's type. The label tool treats `bz2` like `tbz`.
pub(crate) fn labels_type(label: &Literals) -> Option<InstallMethod> {
    match label.text("type")? {
        "bz2" => Some(InstallMethod::Tbz),
        word => InstallMethod::from_word(word),
    }
}
