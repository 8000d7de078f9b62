//! An installed app in the table of verdicts.

use appstitch_text::fold_case;
use appstitch_types::inventory::{CheckedApp, Verdict};

use super::{
    CheckOrder,
    reason::why,
    verdict::{BY_ATTENTION, class, needs_attention, title},
};
use crate::{
    address::app_page,
    display::Count,
    namesakes::Namesakes,
    short::{self, short},
    site::Site,
};

/// How many apps of the catalog a row lists.
const LISTED: usize = 3;

/// What a row takes besides its texts, in bytes.
const MARKUP: usize = 330;

/// What a link takes besides its texts, in bytes.
const LINK: usize = 24;

/// An installed app in the table.
pub(super) struct Row {
    /// Set on the first row of a Mac, if each Mac is for itself.
    pub(super) group: Option<Group>,
    pub(super) host: Option<String>,
    pub(super) name: String,
    pub(super) class: &'static str,
    pub(super) verdict: &'static str,
    pub(super) installed: Option<String>,
    pub(super) newest: Option<String>,
    pub(super) is_deprecated: bool,
    pub(super) is_guess: bool,
    pub(super) links: Vec<Link>,
    /// How to deploy the newest version, if the app is outdated.
    pub(super) deploy: Option<String>,
    pub(super) why: String,
}

/// The apps of a Mac.
pub(super) struct Group {
    pub(super) host: String,
    pub(super) apps: Count,
    /// How many of them somebody has to look at.
    pub(super) attention: usize,
}

pub(super) struct Link {
    pub(super) path: String,
    pub(super) name: String,
}

impl Row {
    pub(super) fn of(site: &Site<'_>, app: &CheckedApp) -> Self {
        let name = app.name.as_deref().or(app.bundle_id.as_deref()).or(app.path.as_deref());
        let slugs = app.slug.iter().chain(&app.slugs);
        let is_guess = app.slug.is_none() && app.slugs.is_empty();
        let guesses = app.did_you_mean.iter().filter(|_| is_guess);
        let version = |version: &Option<String>| {
            version.as_deref().map(|version| short(version, short::VERSION))
        };
        let outdated = app.slug.as_ref().filter(|_| app.verdict == Verdict::Outdated);
        Self {
            group: None,
            host: app.host.as_deref().map(|host| short(host, short::VERSION)),
            name: short(name.unwrap_or("without a name"), short::NAME),
            class: class(app.verdict, app.deprecated),
            verdict: title(app.verdict),
            installed: version(&app.installed_version),
            newest: version(&app.newest_version),
            is_deprecated: app.deprecated,
            is_guess,
            deploy: outdated.map(|slug| format!("{}#install", app_page(slug))),
            links: links(site, slugs.chain(guesses).take(LISTED)),
            why: why(app),
        }
    }

    /// About how many bytes the row takes.
    pub(super) fn bytes(&self) -> usize {
        let texts = [&self.host, &self.installed, &self.newest].into_iter().flatten();
        let texts = texts.chain([&self.name]).map(|text| escaped(text)).sum::<usize>();
        let links = self.links.iter().map(|link| LINK + link.path.len() + escaped(&link.name));
        MARKUP + texts + self.why.len() + self.verdict.len() + links.sum::<usize>()
    }
}

/// Links with the names of apps, or with the slugs of those that have the same name.
fn links<'a>(site: &Site<'_>, slugs: impl Iterator<Item = &'a String>) -> Vec<Link> {
    let named = slugs.map(|slug| {
        let position = site.snapshot.find(slug).ok();
        let name = position.and_then(|position| site.snapshot.app_name(position).ok());
        (name.unwrap_or_else(|| slug.clone()), slug)
    });
    let named: Vec<(String, &String)> = named.collect();
    let among = named.iter().map(|(name, slug)| (name.as_str(), slug.as_str()));
    let namesakes = Namesakes::among(among);
    let link = |(name, slug): &(String, &String)| {
        let own = namesakes.slug(name, slug);
        Link { path: app_page(slug), name: short(own.as_ref().unwrap_or(name), short::NAME) }
    };
    named.iter().map(link).collect()
}

/// The bytes of a text in HTML.
pub(super) fn escaped(text: &str) -> usize {
    let marks = text.bytes().filter(|byte| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\''));
    text.len() + marks.count() * "&#38".len()
}

/// The apps in an order; those of a name or a Mac with what somebody has to look at first.
pub(super) fn ordered<'a>(apps: &[&'a CheckedApp], order: CheckOrder) -> Vec<&'a CheckedApp> {
    let of_verdict = |verdict| apps.iter().copied().filter(move |app| app.verdict == verdict);
    // Apps of the same verdict stay in the order of the list.
    let mut apps: Vec<&CheckedApp> = BY_ATTENTION.into_iter().flat_map(of_verdict).collect();
    let name = |app: &CheckedApp| app.name.as_deref().or(app.bundle_id.as_deref()).map(fold_case);
    match order {
        CheckOrder::Attention => {}
        CheckOrder::Name => apps.sort_by_cached_key(|app| (name(app).is_none(), name(app))),
        CheckOrder::Mac => apps.sort_by_key(|app| (app.host.is_none(), app.host.as_deref())),
    }
    apps
}

/// The Macs of apps that are ordered by them, each once.
pub(super) fn groups<'a>(apps: &[&'a CheckedApp]) -> Vec<(Option<&'a str>, Group)> {
    let of_mac = |apps: &[&'a CheckedApp]| {
        let host = apps.first().and_then(|app| app.host.as_deref());
        let group = Group {
            host: short(host.unwrap_or("without a Mac"), short::VERSION),
            apps: Count(apps.len() as u64),
            attention: apps.iter().filter(|app| needs_attention(app.verdict)).count(),
        };
        (host, group)
    };
    apps.chunk_by(|left, right| left.host == right.host).map(of_mac).collect()
}
