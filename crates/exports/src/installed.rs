//! How to find out whether an installed app is as new as the catalog's.

use appstitch_stitching::VersionPlace;

use crate::{reason::Reason, subject::Subject};

/// The current version, and where the installed one is found.
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

impl<'a> Installed<'a> {
    pub(crate) fn of(subject: &'a Subject<'_>) -> Result<Self, Vec<Reason>> {
        let mut reasons = Vec::new();
        let version = version(subject, &mut reasons);
        let key = match &subject.delivery.version_place {
            VersionPlace::Receipt(receipt) => {
                let Some(version) = version else { return Err(reasons) };
                return Ok(Self::Package { receipt, version });
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
        };
        let bundle_id = subject.app.bundle_id.as_deref();
        if bundle_id.is_none() {
            reasons.insert(0, Reason::NoBundleId);
        }
        match (bundle_id, key, version) {
            (Some(bundle_id), Some(key), Some(version)) => {
                Ok(Self::App { bundle_id, key, version })
            }
            _ => Err(reasons),
        }
    }

    pub(crate) const fn version(self) -> &'a str {
        match self {
            Self::App { version, .. } | Self::Package { version, .. } => version,
        }
    }
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
