//! What people call the sources: tokens come from records and from the store, so any text is
//! possible.

use appstitch_types::Source;

/// The versions that a Mac found complete the labels; they are not a source of apps.
const LABEL_VERSIONS: &str = "label_versions";

/// The titles of the patch catalog are other names of apps.
const PATCH_TITLES: &str = "patch_titles";

/// An unknown token stands for itself.
pub(crate) fn source_title(token: &str) -> &str {
    match (Source::from_token(token), token) {
        (Some(source), _) => source.describe().product,
        (None, LABEL_VERSIONS) => "Installomator Tracker",
        (None, PATCH_TITLES) => "Jamf patch titles",
        (None, "manual") => "Manual records",
        (None, other) => other,
    }
}

pub(crate) fn source_noun(token: &str) -> &'static str {
    match (Source::from_token(token), token) {
        (Some(source), _) => source.describe().entry,
        (None, LABEL_VERSIONS) => "tracked label",
        (None, PATCH_TITLES) => "patch title",
        (None, _) => "entry",
    }
}

pub(crate) fn source_home(token: &str) -> Option<&'static str> {
    Source::from_token(token).map(|source| source.describe().home)
}

pub(crate) fn source_about(token: &str) -> &'static str {
    match (Source::from_token(token), token) {
        (Some(source), _) => source.describe().about,
        (None, LABEL_VERSIONS) => {
            "Versions that labels found on a Mac. They complete the labels and never add an app."
        }
        (None, PATCH_TITLES) => {
            "The titles of Jamf's patch catalog. Their codes lead to apps; they never add one."
        }
        (None, _) => "",
    }
}
