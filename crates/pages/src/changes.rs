//! `/changes`: what changed, newest first and day by day.

mod line;
mod request;

pub use request::ChangesPageRequest;

use std::collections::{BTreeSet, HashMap};

use appstitch_catalog::{ChangeKind, RECORD_FIELDS};
use appstitch_feeds::encoded;
use askama::Template;

use crate::{Count, Day, Frame, PageError, Section, Site};
use line::Line;

/// The number of changes on a page.
const PER_PAGE: usize = 50;

#[derive(Template)]
#[template(path = "changes.html")]
struct ChangesPage {
    frame: Frame,
    known: Count,
    kinds: Vec<Choice>,
    fields: Vec<Choice>,
    vendor: String,
    slug: String,
    since: String,
    is_filtered: bool,
    feed: String,
    json: String,
    days: Vec<DayOfChanges>,
    newest: Option<String>,
    newer: Option<String>,
    older: Option<String>,
}

/// An option of a filter.
struct Choice {
    value: &'static str,
    title: &'static str,
    is_chosen: bool,
}

/// The changes of a day.
struct DayOfChanges {
    day: Day,
    lines: Vec<Line>,
}

/// The page of changes. `after` is the number after which `since` begins, if the address has it.
pub fn changes(
    site: &Site<'_>,
    request: &ChangesPageRequest,
    after: u64,
) -> Result<String, PageError> {
    let journal = site.snapshot.journal();
    let page = journal.newest_first(after, request.before, &request.filter, PER_PAGE);
    let mut days: Vec<DayOfChanges> = Vec::new();
    for row in page.rows {
        let (day, line) = (Day::of(row.at()), Line::of(site, row));
        match days.last_mut().filter(|last| last.day == day) {
            Some(last) => last.lines.push(line),
            None => days.push(DayOfChanges { day, lines: vec![line] }),
        }
    }
    tell_apart(&mut days);
    let before = |seq: u64| request.before(Some(seq).filter(|seq| *seq <= journal.newest()));
    let newer = page.newer.map(|seq| before(seq).to_string());
    let newest = request.before.map(|_| request.before(None).to_string());
    let filter = &request.filter;
    let feed = match (&filter.slug, &filter.vendor) {
        (Some(slug), _) => format!("/apps/{}/feed", encoded(slug)),
        (None, Some(vendor)) => format!("/vendors/{}/feed", encoded(vendor)),
        (None, None) => "/feed".to_owned(),
    };
    let json = request.json_path();
    let frame = site
        .frame(Section::Changes, "Changes", &request.name())
        .described("What changed in the catalog, day by day: new versions, new apps, and every other field.")
        .with_json(json.clone());
    let frame = if feed == "/feed" { frame } else { frame.with_feed("New versions", feed.clone()) };
    let frame = if request.name() == "/changes" { frame } else { frame.not_indexed() };
    let page = ChangesPage {
        frame,
        known: Count(journal.len() as u64),
        kinds: kinds(filter.kind),
        fields: fields(filter.field.as_deref()),
        vendor: filter.vendor.clone().unwrap_or_default(),
        slug: filter.slug.clone().unwrap_or_default(),
        since: request.since.clone().unwrap_or_default(),
        is_filtered: request.is_filtered(),
        feed,
        json,
        days,
        // The first page is the newer one; one link to it is enough.
        newest: newest.filter(|path| newer.as_ref() != Some(path)),
        newer,
        older: page.older.map(|seq| before(seq).to_string()),
    };
    Ok(page.render()?)
}

/// Leaves the slugs out of lines whose name says enough.
fn tell_apart(days: &mut [DayOfChanges]) {
    let mut slugs: HashMap<String, BTreeSet<Option<String>>> = HashMap::new();
    for line in days.iter().flat_map(|day| &day.lines) {
        slugs.entry(line.name.clone()).or_default().insert(line.slug.clone());
    }
    for line in days.iter_mut().flat_map(|day| &mut day.lines) {
        if slugs.get(&line.name).is_some_and(|own| own.len() < 2) {
            line.slug = None;
        }
    }
}

fn kinds(chosen: Option<ChangeKind>) -> Vec<Choice> {
    let choice = |kind: ChangeKind| Choice {
        value: kind.word(),
        title: kind.word(),
        is_chosen: chosen == Some(kind),
    };
    ChangeKind::ALL.into_iter().map(choice).collect()
}

fn fields(chosen: Option<&str>) -> Vec<Choice> {
    let choice = |field: &'static str| Choice {
        value: field,
        title: field_title(field),
        is_chosen: chosen == Some(field),
    };
    RECORD_FIELDS.into_iter().map(choice).collect()
}

/// What a field is called.
fn field_title(field: &str) -> &'static str {
    match field {
        "slug" => "slug",
        "bundle_id" => "bundle ID",
        "name" => "name",
        "vendor" => "vendor",
        "current_version" => "version",
        "latest_release_date" => "release date",
        "download_url" => "download",
        "install_method" => "install method",
        "expected_team_id" => "Team ID",
        "sha256" => "SHA-256",
        "sources" => "sources",
        _ => "another field",
    }
}
