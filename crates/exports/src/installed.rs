//! How to find out whether an installed app is as new as the catalog's.

use appstitch_stitching::VersionPlace;
use appstitch_types::Source;
use appstitch_versions::shown::{has_number_of_channel, is_long_number, is_shown};

use crate::{reason::Reason, subject::Subject};

/// The current version, and where an installed app or package shows its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shown<'a> {
    App { key: VersionKey, version: &'a str },
    Package { receipt: &'a str, version: &'a str },
}

/// The same with the identifier of the app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Installed<'a> {
    App { bundle_id: &'a str, key: VersionKey, version: &'a str },
    Package { receipt: &'a str, version: &'a str },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VersionKey {
    ShortVersion,
    BundleVersion,
}

impl<'a> Shown<'a> {
    pub(crate) fn of(subject: &'a Subject<'_>) -> Result<Self, Vec<Reason>> {
        let mut reasons = Vec::new();
        let version = version(subject, &mut reasons);
        let key = match &subject.installed.version_place {
            VersionPlace::Receipt(receipt) => {
                if is_of_a_part(receipt) {
                    reasons.push(Reason::ReceiptOfPart(receipt.to_owned()));
                }
                return match version {
                    Some(version) if reasons.is_empty() => Ok(Self::Package { receipt, version }),
                    _ => Err(reasons),
                };
            }
            VersionPlace::ShortVersion => Some(VersionKey::ShortVersion),
            VersionPlace::BundleVersion => Some(VersionKey::BundleVersion),
            VersionPlace::Function => {
                reasons.push(Reason::FoundByFunction);
                None
            }
            VersionPlace::OtherKey => {
                reasons.push(Reason::OtherVersionKey);
                None
            }
            VersionPlace::Unknown => {
                reasons.push(Reason::ComparedElsewhere);
                None
            }
        };
        if let (Some(VersionKey::ShortVersion), Some(version)) = (key, version)
            && (!is_shown(version)
                || is_long_number(version)
                || subject.is_variant() && has_number_of_channel(version))
        {
            reasons.push(Reason::NotShown(version.to_owned()));
        }
        if let (Some(_), Some(version), Some(other)) =
            (key, version, &subject.installed.shown_otherwise)
        {
            reasons.push(Reason::WrittenOtherwise {
                of: Source::product_of(&other.source).to_owned(),
                other: other.version.clone(),
                version: version.to_owned(),
            });
        }
        match (key, version) {
            (Some(key), Some(version)) if reasons.is_empty() => Ok(Self::App { key, version }),
            _ => Err(reasons),
        }
    }

    pub(crate) const fn version(self) -> &'a str {
        match self {
            Self::App { version, .. } | Self::Package { version, .. } => version,
        }
    }
}

impl<'a> Installed<'a> {
    pub(crate) fn of(subject: &'a Subject<'_>) -> Result<Self, Vec<Reason>> {
        let is_package = matches!(subject.installed.version_place, VersionPlace::Receipt(_));
        match (Shown::of(subject), subject.app.bundle_id.as_deref()) {
            (Ok(Shown::Package { receipt, version }), _) => Ok(Self::Package { receipt, version }),
            (Ok(Shown::App { .. }), Some(_)) if subject.installed.has_unsure_id => {
                Err(vec![Reason::UnsureBundleId])
            }
            (Ok(Shown::App { key, version }), Some(bundle_id)) => {
                Ok(Self::App { bundle_id, key, version })
            }
            (Ok(Shown::App { .. }), None) => Err(vec![Reason::NoBundleId]),
            (Err(mut reasons), None) if !is_package => {
                reasons.insert(0, Reason::NoBundleId);
                Err(reasons)
            }
            (Err(reasons), _) => Err(reasons),
        }
    }

    pub(crate) const fn version(self) -> &'a str {
        match self {
            Self::App { version, .. } | Self::Package { version, .. } => version,
        }
    }
}

impl<'a> From<Installed<'a>> for Shown<'a> {
    fn from(installed: Installed<'a>) -> Self {
        match installed {
            Installed::App { key, version, .. } => Self::App { key, version },
            Installed::Package { receipt, version } => Self::Package { receipt, version },
        }
    }
}

/// Whether the name of a receipt says that it is a part that several apps share or that does not change
/// with the app.
fn is_of_a_part(receipt: &str) -> bool {
    let last = receipt.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    ["licensing", "license", "helper", "uninstaller", "autoupdate", "updater"].contains(&&*last)
}

fn version<'a>(subject: &'a Subject<'_>, reasons: &mut Vec<Reason>) -> Option<&'a str> {
    let version = subject.app.current_version.as_deref();
    match version {
        None => reasons.push(Reason::NoVersion),
        Some(version) if !is_comparable(version) => {
            reasons.push(Reason::OddVersion(version.to_owned()));
            return None;
        }
        Some(_) => {}
    }
    version
}

/// A comma separates the version from the build in a cask, never in an app.
fn is_comparable(version: &str) -> bool {
    version.starts_with(|first: char| first.is_ascii_digit()) && !version.contains(',')
}
