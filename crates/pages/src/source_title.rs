//! What the sources are called in the world.

/// The sources of an app, in the order in which they are shown.
pub(crate) const SOURCES: [&str; 5] =
    ["label_tool", "cask_catalog", "recipe_index", "store_listing", "mdm_installer"];

/// The name of a source for people; a token that is unknown stands for itself.
#[must_use]
pub fn source_title(token: &str) -> &str {
    match token {
        "label_tool" => "Installomator",
        "cask_catalog" => "Homebrew Cask",
        "recipe_index" => "AutoPkg",
        "mdm_installer" => "Jamf App Installers",
        "store_listing" => "Mac App Store",
        "label_versions" => "Installomator Tracker",
        "manual" => "Manual records",
        other => other,
    }
}

/// What the entries of a source are called.
#[must_use]
pub fn source_noun(token: &str) -> &'static str {
    match token {
        "label_tool" => "labels",
        "cask_catalog" => "casks",
        "recipe_index" => "recipes",
        "mdm_installer" => "titles",
        "store_listing" => "listings",
        "label_versions" => "tracked labels",
        _ => "entries",
    }
}

/// Where a source is at home.
#[must_use]
pub fn source_home(token: &str) -> Option<&'static str> {
    match token {
        "label_tool" => Some("https://github.com/Installomator/Installomator"),
        "cask_catalog" => Some("https://formulae.brew.sh/cask/"),
        "recipe_index" => Some("https://github.com/autopkg/index"),
        "mdm_installer" => {
            Some("https://learn.jamf.com/r/en-US/jamf-app-catalog/App_Installers_Software_Titles")
        }
        "store_listing" => Some("https://apps.apple.com/"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use appstitch_catalog::Source;

    use super::*;

    #[test]
    fn every_source_has_a_name_and_a_noun() {
        for token in Source::ALL.map(Source::token).into_iter().chain(["store_listing"]) {
            assert_ne!(source_title(token), token);
            assert_ne!(source_noun(token), "entries");
        }
    }
}
