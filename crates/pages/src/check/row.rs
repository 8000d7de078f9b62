//! An installed app in the table of verdicts.

use appstitch_types::inventory::{CheckedApp, MatchedBy};

use super::verdict::{BY_ATTENTION, class, title};
use crate::{
    address::app_page,
    short::{self, short},
};

/// How many apps of the catalog a row lists.
const LISTED: usize = 3;

/// What a row takes besides its texts, in bytes.
const MARKUP: usize = 200;

/// What a link takes besides its texts, in bytes.
const LINK: usize = 24;

/// An installed app in the table.
pub(super) struct Row {
    pub(super) host: Option<String>,
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) verdict: &'static str,
    pub(super) installed: Option<String>,
    pub(super) newest: Option<String>,
    pub(super) is_guess: bool,
    pub(super) links: Vec<Link>,
    pub(super) why: String,
}

pub(super) struct Link {
    pub(super) path: String,
    pub(super) slug: String,
}

impl Row {
    pub(super) fn of(app: &CheckedApp) -> Self {
        let name = app.name.as_deref().or(app.bundle_id.as_deref()).or(app.path.as_deref());
        let slugs = app.slug.iter().chain(&app.slugs);
        let is_guess = app.slug.is_none() && app.slugs.is_empty();
        let guesses = app.did_you_mean.iter().filter(|_| is_guess);
        let link = |slug: &String| Link { path: app_page(slug), slug: short(slug, short::NAME) };
        let mut why = app.rule.word().replace('_', " ");
        if let Some(matched_by) = app.matched_by {
            why.push_str(match matched_by {
                MatchedBy::Token => ", by token",
                MatchedBy::BundleId => ", by bundle ID",
                MatchedBy::NameAndTeamId => ", by name and Team ID",
                MatchedBy::Name => ", by name",
            });
        }
        let version = |version: &Option<String>| {
            version.as_deref().map(|version| short(version, short::VERSION))
        };
        Self {
            host: app.host.as_deref().map(|host| short(host, short::VERSION)),
            name: short(name.unwrap_or("without a name"), short::NAME),
            class: class(app.verdict),
            verdict: title(app.verdict),
            installed: version(&app.installed_version),
            newest: version(&app.newest_version),
            is_guess,
            links: slugs.chain(guesses).take(LISTED).map(link).collect(),
            why,
        }
    }

    /// About how many bytes the row takes.
    pub(super) fn bytes(&self) -> usize {
        let texts = [&self.host, &self.installed, &self.newest].into_iter().flatten();
        let texts = texts.chain([&self.name]).map(|text| escaped(text)).sum::<usize>();
        let links = self.links.iter().map(|link| LINK + link.path.len() + escaped(&link.slug));
        MARKUP + texts + self.why.len() + self.verdict.len() + links.sum::<usize>()
    }
}

/// The bytes of a text in HTML.
fn escaped(text: &str) -> usize {
    let marks = text.bytes().filter(|byte| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\''));
    text.len() + marks.count() * "&#38".len()
}

/// The apps, those that somebody has to look at first; of the same verdict in the order of the list.
pub(super) fn attention<'a>(
    apps: &'a [&'a CheckedApp],
) -> impl Iterator<Item = &'a CheckedApp> + 'a {
    BY_ATTENTION
        .into_iter()
        .flat_map(move |verdict| apps.iter().copied().filter(move |app| app.verdict == verdict))
}
