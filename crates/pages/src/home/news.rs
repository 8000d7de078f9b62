//! What changed lately: new versions, and apps that came, left or were renamed.

use appstitch_catalog::{AppChange, ChangeKind};
use appstitch_feeds::{NamedChange, is_news_of};
use appstitch_snapshot::ChangeRow;

use crate::{Moment, PageError, Site, app_page};

/// How many changes are looked at. Nothing scans the whole journal for a page.
const LOOKED_AT: usize = 1000;

/// The position of the version in [`appstitch_catalog::RECORD_FIELDS`].
const CURRENT_VERSION: usize = 4;

/// A line of the news.
pub(super) struct NewsLine {
    pub(super) name: String,
    /// The page of the app; `None` if it left.
    pub(super) path: Option<String>,
    pub(super) kind: &'static str,
    pub(super) from: Option<String>,
    pub(super) to: Option<String>,
    pub(super) at: Moment,
}

/// An app that is new in the catalog.
pub(super) struct NewApp {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) version: Option<String>,
    pub(super) vendor: Option<String>,
}

/// The newest changes that somebody who follows versions wants to see, newest first.
pub(super) fn lines(site: &Site<'_>, limit: usize) -> Vec<NewsLine> {
    let rows = site.snapshot.journal().after(0).rev().take(LOOKED_AT);
    let news = rows.filter(|row| is_news_of(row.kind(), row.has_field(CURRENT_VERSION)));
    news.take(limit).map(|row| line(site, row)).collect()
}

fn line(site: &Site<'_>, row: ChangeRow<'_>) -> NewsLine {
    let change = row.change();
    let position = site.snapshot.find(&change.slug).ok();
    let app = position.and_then(|position| site.snapshot.read_app(position).ok());
    let name = app.as_ref().map(|app| app.name.as_str());
    let name = NamedChange::new(&change, name).name;
    let version = |change: &AppChange, is_new: bool| {
        let field = change.fields.get("current_version")?;
        let value = if is_new { &field.to } else { &field.from };
        value.as_str().map(str::to_owned)
    };
    NewsLine {
        name,
        path: app.map(|_| app_page(&change.slug)),
        kind: match change.kind {
            ChangeKind::Added => "added",
            ChangeKind::Changed => "updated",
            ChangeKind::Removed => "removed",
            ChangeKind::Renamed => "renamed",
        },
        from: version(&change, false),
        to: version(&change, true),
        at: Moment(change.at),
    }
}

/// The newest apps of the catalog.
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
