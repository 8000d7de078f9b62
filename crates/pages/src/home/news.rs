//! What changed lately: new versions, and apps that came, left or were renamed.

use std::cmp::Reverse;

use appstitch_feeds::{NamedChange, is_news_of};
use appstitch_snapshot::ChangeRow;
use appstitch_types::{App, AppChange, ChangeKind};

use crate::{
    address::app_page,
    display::Moment,
    site::{PageError, Site},
};

/// How many changes are looked at. Nothing scans the whole journal for a page.
const LOOKED_AT: usize = 1000;

/// How many changes of a revision are compared to find those that most people care about.
const COMPARED: usize = 50;

/// The position of the version in [`appstitch_types::RECORD_FIELDS`].
const CURRENT_VERSION: usize = 4;

pub(super) struct NewsGroup {
    pub(super) at: Moment,
    pub(super) lines: Vec<NewsLine>,
}

pub(super) struct NewsLine {
    pub(super) name: String,
    /// The slug of an app that is not the main variant of its product, which has the same name.
    pub(super) slug: Option<String>,
    /// The page of the app; `None` if it left.
    pub(super) path: Option<String>,
    /// What happened, unless it is just another version.
    pub(super) kind: Option<&'static str>,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
}

pub(super) struct NewApp {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) version: Option<String>,
    pub(super) vendor: Option<String>,
}

/// The newest changes that somebody who follows versions wants to see, newest first. A revision can
/// have hundreds; apps that many sources know come first.
pub(super) fn groups(site: &Site<'_>, limit: usize) -> Vec<NewsGroup> {
    let rows = site.snapshot.journal().after(0).rev().take(LOOKED_AT);
    let news = rows.filter(|row| is_news_of(row.kind(), row.has_field(CURRENT_VERSION)));
    let mut news = news.peekable();
    let mut groups = Vec::new();
    let mut room = limit;
    while room > 0
        && let Some((at, revision)) = news.peek().map(|row| (row.at(), row.revision()))
    {
        // Two revisions can have the same time.
        let rows: Vec<ChangeRow<'_>> =
            std::iter::from_fn(|| news.next_if(|row| row.revision() == revision)).collect();
        let mut lines = candidates(site, &rows);
        lines.truncate(room);
        room -= lines.len();
        let lines = lines.into_iter().map(|(row, app)| line(site, row, app)).collect();
        groups.push(NewsGroup { at: Moment(at), lines });
    }
    groups
}

/// Changes of a revision with their apps, those with the most sources first. Of many changes only
/// some are looked at, from all over the alphabet.
fn candidates<'a>(site: &Site<'_>, rows: &[ChangeRow<'a>]) -> Vec<(ChangeRow<'a>, Option<App>)> {
    let step = rows.len().div_ceil(COMPARED).max(1);
    let rows = rows.iter().rev().step_by(step);
    let mut found: Vec<_> = rows.map(|row| (*row, app_of(site, *row))).collect();
    // The sort keeps those with as many sources in order.
    found.sort_by_key(|(_, app)| Reverse(app.as_ref().map_or(0, |app| app.sources.iter().count())));
    found
}

fn app_of(site: &Site<'_>, row: ChangeRow<'_>) -> Option<App> {
    let position = site.snapshot.find(row.slug()).ok()?;
    site.snapshot.read_app(position).ok()
}

fn line(site: &Site<'_>, row: ChangeRow<'_>, app: Option<App>) -> NewsLine {
    let change = row.change();
    let name = NamedChange::new(&change, app.as_ref().map(|app| app.name.as_str())).name;
    let is_main = |slug: &str| site.snapshot.is_main_variant(slug);
    NewsLine {
        name,
        slug: app.as_ref().filter(|_| !is_main(&change.slug)).map(|_| change.slug.clone()),
        path: app.map(|_| app_page(&change.slug)),
        kind: match change.kind {
            ChangeKind::Added => Some("added"),
            ChangeKind::Changed => None,
            ChangeKind::Removed => Some("removed"),
            ChangeKind::Renamed => Some("renamed"),
        },
        from: version(&change, false),
        to: version(&change, true),
    }
}

fn version(change: &AppChange, is_new: bool) -> Option<String> {
    let field = change.fields.get("current_version")?;
    let value = if is_new { &field.to } else { &field.from };
    value.as_str().map(str::to_owned)
}

pub(super) fn newest(site: &Site<'_>, limit: usize) -> Result<Vec<NewApp>, PageError> {
    let positions = site.snapshot.recent().iter().take(limit);
    let apps = positions.map(|position| {
        let app = site.snapshot.read_app(*position)?;
        Ok(NewApp {
            path: app_page(app.slug.as_str()),
            name: app.name,
            version: app.current_version,
            vendor: app.vendor,
        })
    });
    apps.collect()
}
