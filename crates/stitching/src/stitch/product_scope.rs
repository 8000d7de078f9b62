//! Which titles and recipes with an app's name or identifier are not for the app: those for another
//! system, channel, major version or product.

use appstitch_text::normal_name::normal;
use appstitch_types::{MdmInstallerSource, RecipeEntry};

use super::{
    Parts,
    likeness::{DISTINCTIVE, has_number, words},
    majors::{is_near_but_other, leading_number, number_at_the_end, number_of_file},
    names::Names,
};

/// Words in the names of recipes that do not make another product.
const DELIVERIES: [&str; 27] = [
    "apple", "app", "arm", "base", "client", "desktop", "dmg", "enterprise", "for", "intel", "it",
    "jamf", "latest", "mac", "macos", "munki", "osx", "package", "pkg", "recipe", "signed",
    "silicon", "universal", "upload", "user", "x", "zip",
];

/// Words in the names of recipes for other systems than the Mac.
const OTHER_SYSTEMS: [&str; 10] =
    ["chocolatey", "linux", "msi", "msix", "nupkg", "ubuntu", "win", "win32", "win64", "windows"];

/// Words in the names of recipes that do not install the app.
const OTHER_PURPOSES: [&str; 13] = [
    "autoconfig", "langpack", "logger", "policies", "preferences", "prefs", "profile", "removal",
    "remover", "reset", "uninstall", "uninstaller", "uninstallers",
];

/// Words in the names of recipes for another channel or edition of the app.
const OTHER_RELEASES: [&str; 12] = [
    "alpha", "beta", "canary", "classic", "dev", "edge", "insider", "insiders", "nightly",
    "prebeta", "trial", "unstable",
];

/// What limits an app among the products of its name.
pub(super) struct ProductScope {
    /// Its channel or old major version.
    pub(super) edition: Option<String>,
    pub(super) major: Option<u16>,
    /// The major version in the name of the file that its label downloads, if nothing states a version.
    pub(super) downloaded: Option<u16>,
}

impl ProductScope {
    pub(super) fn of(parts: &Parts<'_>) -> Self {
        let facts = parts.cask.map(|(_, facts)| facts);
        let of_label = || parts.label.as_ref().and_then(|(_, literals)| literals.version());
        let version = facts.and_then(|facts| facts.version.as_deref()).or_else(of_label);
        Self {
            edition: facts.and_then(|facts| facts.edition.as_deref()).map(normal),
            major: version.and_then(leading_number),
            downloaded: parts
                .label
                .as_ref()
                .filter(|_| version.is_none())
                .and_then(|(_, literals)| literals.text("downloadURL").and_then(number_of_file)),
        }
    }

    /// A channel or an older major version often has the identifier of the plain app. Only a title
    /// that names it describes it. A title for a major version has that number in its name.
    pub(super) fn fits_title(&self, title: &MdmInstallerSource) -> bool {
        let name = normal(&title.title);
        let is_of_edition =
            self.edition.as_ref().is_none_or(|edition| name.contains(edition.as_str()));
        let own_major = title.version.as_deref().and_then(leading_number);
        let is_other_major = number_at_the_end(&title.title).is_some_and(|number| {
            own_major.is_none_or(|major| major == number) && self.is_other_major(number)
        });
        let is_other_file = (self.downloaded.zip(own_major))
            .is_some_and(|(number, major)| number < major && is_near_but_other(number, major));
        is_of_edition && !is_other_major && !is_other_file
    }

    /// `displayed` is what the recipe calls the app; `all_names` are those of all apps.
    pub(super) fn fits_recipe(
        &self,
        recipe: &RecipeEntry,
        displayed: Option<&str>,
        names: &Names,
        all_names: &Names,
    ) -> bool {
        let shortname = recipe.shortname.as_deref().unwrap_or_default();
        let stem = shortname.rsplit_once('.').map_or(shortname, |(stem, _)| stem);
        let own = [recipe.name.as_deref().unwrap_or_default(), stem];
        let own = own.map(|text| (text, normal(text)));
        let is_of_edition = self.edition.as_ref().is_none_or(|edition| {
            own.iter().any(|(_, name)| match edition.parse::<u16>() {
                Ok(_) => has_number(name, edition),
                Err(_) => name.contains(edition.as_str()),
            })
        });
        let is_other_major = own.iter().flat_map(|(_, name)| numbers(name)).any(|number| {
            !names.iter().any(|name| has_number(name, &number.to_string()))
                && self.is_other_major(number)
        });
        // Some recipes were copied with what the former one called its app.
        let is_of_another = own.iter().any(|(_, name)| all_names.contains(name))
            && !own.iter().any(|(_, name)| names.contains(name));
        let displayed = displayed.filter(|_| !is_of_another);
        let [(_, name), (_, file)] = &own;
        let is_others = |name: &str| all_names.contains(name) && !names.contains(name);
        // The input of a recipe is often copied from the recipe of another app; its identifier and its
        // file are not. An input that says more than the file is not a copy.
        let last = recipe.identifier.rsplit('.').next().unwrap_or_default();
        let is_own = |text: &str| names.contains(&without_deliveries(text));
        let is_copied = if name.starts_with(file.as_str()) {
            is_others(name)
        } else {
            is_others(file) && !is_own(stem) && !names.contains(&normal(last))
        };
        let mut named = own.iter().filter(|(_, name)| !name.is_empty()).peekable();
        let is_named = named.peek().is_none()
            || named
                .any(|(text, name)| names.contains(name) || is_delivery(text, displayed, names));
        is_of_edition
            && !is_other_major
            && !is_copied
            && is_named
            && !has_word(stem, &OTHER_PURPOSES, names)
            && !has_word(stem, &OTHER_RELEASES, names)
    }

    fn is_other_major(&self, number: u16) -> bool {
        self.major.is_some_and(|major| is_near_but_other(number, major))
    }
}

/// Whether a name is one of the app's with words for a delivery. If the recipe calls the app by a long
/// name, that says enough, whatever its own name is: other apps can have a short one, too.
fn is_delivery(text: &str, displayed: Option<&str>, names: &Names) -> bool {
    let is_long = |name: &str| normal(name).len() >= DISTINCTIVE;
    displayed.is_some_and(is_long) || names.contains(&without_deliveries(text))
}

/// A normal name without the words for deliveries and without numbers.
fn without_deliveries(text: &str) -> String {
    let is_kept = |word: &String| {
        !DELIVERIES.contains(&word.as_str()) && !word.bytes().all(|byte| byte.is_ascii_digit())
    };
    words(text).into_iter().filter(is_kept).collect()
}

/// Whether the name of a recipe has one of the words, and no name of the app has it. An abbreviation can
/// be written together with the word behind it: `ESRPolicies`.
fn has_word(stem: &str, listed: &[&str], names: &Names) -> bool {
    let written = words(stem);
    let last = written.last().map_or("", String::as_str);
    let has = |word: &str| {
        written.iter().any(|own| own == word)
            || (word.len() >= DISTINCTIVE - 1 && last.ends_with(word))
    };
    listed.iter().any(|word| has(word) && !names.iter().any(|name| name.contains(word)))
}

fn numbers(name: &str) -> impl Iterator<Item = u16> + '_ {
    name.split(|character: char| !character.is_ascii_digit())
        .filter_map(|digits| digits.parse().ok())
}

/// Whether a recipe is for another system. The name of such a recipe is no evidence for a Mac app.
pub(super) fn is_for_another_system(entry: &RecipeEntry) -> bool {
    let texts =
        [Some(entry.path.as_str()), Some(entry.identifier.as_str()), entry.shortname.as_deref()];
    texts.into_iter().flatten().any(|text| {
        let words = text.split(|character: char| !character.is_ascii_alphanumeric());
        let mut words = words.map(str::to_ascii_lowercase);
        words.any(|word| OTHER_SYSTEMS.contains(&word.as_str()))
            || text.ends_with("Win")
            || text.contains("Windows")
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn scope(edition: &str, major: u16) -> ProductScope {
        let edition = (!edition.is_empty()).then(|| edition.to_owned());
        ProductScope { edition, major: Some(major), downloaded: None }
    }

    fn recipe(name: &str, shortname: &str) -> RecipeEntry {
        let entry = json!({"identifier": "com.example.x", "name": name, "path": "x.recipe",
            "repo": "r", "shortname": shortname});
        serde_json::from_value(entry).unwrap()
    }

    #[test]
    fn a_recipe_of_another_product_major_version_or_channel_does_not_fit() {
        let names = Names::from_iter(["zoom", "zoombeta", "zoomus"]);
        let fits = |scope: &ProductScope, name: &str, file: &str| {
            scope.fits_recipe(&recipe(name, file), Some("Zoom"), &names, &names)
        };
        let plain = scope("", 7);
        assert!(fits(&plain, "Zoom", "Zoom.munki"));
        assert!(fits(&plain, "", "Zoom-pkg-upload.jamf"));
        assert!(fits(&plain, "Zoom", "Zoom7.munki"));
        assert!(!fits(&plain, "Zoom", "Zoom6.munki"), "another major version");
        assert!(!fits(&plain, "Zoom", "ZoomUninstaller.munki"), "another purpose");
        assert!(!fits(&plain, "Zoom", "ZoomESRPolicies.munki"), "another purpose");
        assert!(!fits(&plain, "Zoom", "Zoom_unstable.munki"), "another channel");
        assert!(!fits(&plain, "MakerZoom", "MakerZoom.munki"), "another product");
        let long = Names::from_iter(["zoom", "zoomconference"]);
        let displayed = |text: &str, all: &[&str]| {
            let all: Names = all.iter().copied().collect();
            plain.fits_recipe(&recipe("MakerZoom", "MakerZoom.munki"), Some(text), &long, &all)
        };
        assert!(!displayed("Zoom", &[]), "only a short name");
        assert!(displayed("Zoom Conference", &["zoom"]));
        assert!(!displayed("Zoom Conference", &["makerzoom"]), "another app has its name");
        let copied = |name: &str, file: &str| {
            let all = Names::from_iter(["sample", "sampleplus", "zoom"]);
            !plain.fits_recipe(&recipe(name, file), None, &names, &all)
        };
        assert!(copied("Zoom", "Sample.munki"), "the input is that of another recipe");
        assert!(copied("Zoom", "SamplePlus.munki"));
        assert!(!copied("Zoom", "Other.munki"), "no app is called like that");
        assert!(!copied("Zoom", "ZoomClient.munki"));
        let beta = scope("beta", 7);
        assert!(fits(&beta, "Zoom Beta", "ZoomBeta.munki"));
        assert!(!fits(&beta, "Zoom", "Zoom.munki"), "the plain app");
    }

    #[test]
    fn a_title_of_another_major_version_does_not_fit() {
        let fits = |scope: &ProductScope, title: &str, version: &str| {
            let title = json!({"title": title, "source": "Jamf", "version": version});
            scope.fits_title(&serde_json::from_value(title).unwrap())
        };
        assert!(!fits(&scope("", 26), "Sample 19", "19.4"));
        assert!(fits(&scope("", 26), "Sample", "19.4"), "it lags behind");
        assert!(fits(&scope("", 26), "Sample 3", "26.1"), "the number is part of the name");
        assert!(fits(&scope("19", 19), "Sample 19", "19.4"));
        assert!(!fits(&scope("19", 19), "Sample", "26.1"));
        let of_file = ProductScope { edition: None, major: None, downloaded: Some(2) };
        assert!(!fits(&of_file, "Sample", "3.8"), "the label downloads sample-v2.dmg");
        assert!(fits(&of_file, "Sample", "2.9"));
        assert!(fits(&of_file, "Sample", "1.9"), "it lags behind");
    }

    #[test]
    fn recipes_for_other_systems_are_known_by_a_word() {
        for file in ["Sample-Linux.download", "Sample.nupkg", "SampleWin", "Sample-msi.pkg"] {
            assert!(is_for_another_system(&recipe("Sample", file)), "{file}");
        }
        assert!(!is_for_another_system(&recipe("Sample", "SampleDebug.munki")));
    }
}
