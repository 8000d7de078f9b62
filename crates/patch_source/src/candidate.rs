//! What is known of an app that may become a title.

use std::cmp::Reverse;

use appstitch_types::SeenVersion;
use jiff::civil::Date;

use crate::{choose::unfit, published::TitleHistory};

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Candidate {
    pub slug: String,
    pub name: String,
    pub vendor: Option<String>,
    pub bundle_id: Option<String>,
    /// Whether the bundle identifier may be that of a part or of another program.
    pub has_unsure_id: bool,
    pub version: Option<String>,
    pub released: Option<Date>,
    /// The file of the app, with `.app`.
    pub app_file: Option<String>,
    pub minimum_macos: Option<String>,
    /// Whether the version is that of the build, `CFBundleVersion`.
    pub counts_builds: bool,
    /// Whether the label finds the version in another place than the app's own versions.
    pub is_elsewhere: bool,
    /// A source that writes this release, or all releases, in another way than the record does.
    pub other_version: Option<OtherVersion>,
    /// Earlier versions that a source remembers.
    pub seen: Vec<SeenVersion>,
    pub standing: Standing,
}

/// What a source states instead of the record's version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherVersion {
    pub source: String,
    pub version: String,
}

/// Which of several apps with one bundle identifier is the main one: the least.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Standing {
    pub is_variant: bool,
    pub is_deprecated: bool,
    pub lacks_label: bool,
    pub recipes: Reverse<usize>,
}

impl Default for Standing {
    fn default() -> Self {
        Self { is_variant: false, is_deprecated: false, lacks_label: false, recipes: Reverse(0) }
    }
}

impl Candidate {
    /// Whose app it is. Jamf needs a publisher, so an app without a known vendor has its name.
    pub fn publisher(&self) -> &str {
        self.vendor.as_deref().unwrap_or(&self.name)
    }

    /// The app with the version that was published last, if only its version now is missing or in doubt.
    /// Macs that have a published version must not become unknown to Jamf because of a newer release. So it
    /// also keeps the bundle identifier that it was published with.
    pub fn held(&self, history: &TitleHistory) -> Option<Self> {
        unfit(self)?;
        let own = self.bundle_id.as_ref()?;
        let last = history.current()?;
        let held = Self {
            bundle_id: history.bundle_id.as_ref().or(Some(own)).cloned(),
            version: Some(last.version.clone()),
            minimum_macos: last.minimum_macos.clone(),
            released: None,
            other_version: None,
            seen: Vec::new(),
            ..self.clone()
        };
        unfit(&held).is_none().then_some(held)
    }
}
