//! Where to report a fault: to the source that is wrong, with the facts already written down.

use appstitch_feeds::encoded;
use appstitch_types::RecipeEntry;

use super::{extent::Extent, known::Known, lag::Lag};
use crate::{address::app_page, site::Site, source_names::source_title};

/// A link to the place where a source takes reports.
pub(super) struct Report {
    pub(super) link: String,
    pub(super) text: String,
    /// What is wrong with the source, if something is known to be.
    pub(super) fault: Option<String>,
    /// Whether the version was found so long ago that it says little.
    pub(super) is_old: bool,
}

impl Report {
    /// The sources that take reports; those that are behind come first.
    pub(super) fn all(
        site: &Site<'_>,
        known: &Known<'_>,
        lags: &[Lag],
        extent: Extent,
    ) -> Vec<Self> {
        let of = |token: &str, entry: &str, address: &str| {
            let lag = lags.iter().find(|lag| lag.token == token);
            Self::of(site, known, lag, token, entry, address)
        };
        let mut reports = Vec::new();
        if let Some(label) = &known.sources().label_tool {
            let address = "https://github.com/Installomator/Installomator/issues/new?";
            reports.push(of("label_tool", &label.label_name, address));
        }
        if let Some(cask) = &known.sources().cask_catalog {
            // The project takes reports by this form only.
            let address =
                "https://github.com/Homebrew/homebrew-cask/issues/new?template=01_bug_report.yml&";
            reports.push(of("cask_catalog", &cask.token, address));
        }
        let recipes = known.sources().recipe_index.as_ref().map(|index| &*index.recipes);
        for repository in repositories(recipes.unwrap_or_default(), extent.repositories) {
            let address = format!("https://github.com/{repository}/issues/new?");
            let mut report = of("recipe_index", known.slug(), &address);
            report.text = format!("AutoPkg recipes in {repository}");
            reports.push(report);
        }
        reports.sort_by_key(|report| report.fault.is_none());
        reports
    }

    fn of(
        site: &Site<'_>,
        known: &Known<'_>,
        lag: Option<&Lag>,
        token: &str,
        entry: &str,
        address: &str,
    ) -> Self {
        let text = format!("{}: {entry}", source_title(token));
        if lag.is_some_and(|lag| lag.old_finding.is_some()) {
            // Nobody should report what may be fixed since: the form stays empty.
            let link = address.trim_end_matches(['?', '&']).to_owned();
            return Self { link, text, fault: None, is_old: true };
        }
        let fault = lag.map(|lag| match &lag.leader {
            Some((leader, newest)) => format!("has {}, {leader} has {newest}", lag.version),
            None => format!("has {}, which is not the newest", lag.version),
        });
        let title = match &fault {
            Some(fault) => format!("{entry}: {fault}"),
            None => format!("{entry}: "),
        };
        let body = body(site, known);
        let link = format!("{address}title={}&body={}", encoded(&title), encoded(&body));
        Self { link, text, fault, is_old: false }
    }
}

fn body(site: &Site<'_>, known: &Known<'_>) -> String {
    let versions = known
        .versions
        .iter()
        .map(|stated| format!("- {}: {}\n", source_title(&stated.source), stated.version));
    let versions: String = versions.collect();
    let page = site.address(&app_page(known.slug()));
    let seen = if site.links.absolute("/").is_some() {
        format!("\nSeen at {page}\n")
    } else {
        String::new()
    };
    format!("{}\n\nVersions by source:\n{versions}{seen}", known.app.name)
}

/// The first repositories on GitHub that hold the recipes, in the order of the recipes.
fn repositories(recipes: &[RecipeEntry], most: usize) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for recipe in recipes {
        if found.len() >= most {
            break;
        }
        if is_repository(&recipe.repo) && !found.contains(&&*recipe.repo) {
            found.push(&recipe.repo);
        }
    }
    found
}

/// Whether a text is the name of a repository on GitHub, with its owner.
pub(super) fn is_repository(text: &str) -> bool {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|character| character.is_ascii_alphanumeric() || "-_.".contains(character))
            && !name.starts_with('.')
    };
    text.split_once('/').is_some_and(|(owner, name)| is_name(owner) && is_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_repositories_lead_to_a_link() {
        assert!(is_repository("autopkg/homebysix-recipes"));
        for text in ["autopkg", "a/b/c", "../x", "a/", "/b", "a/b?c", "a b/c", "javascript:/x"] {
            assert!(!is_repository(text), "{text}");
        }
    }
}
