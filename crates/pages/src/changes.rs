//! `/changes`: what changed, newest first and day by day.

mod csv;
mod line;
mod listed;
mod request;

pub use csv::{MOST_CHANGES, changes_csv};
pub use request::ChangesPageRequest;

use appstitch_feeds::encoded;
use appstitch_types::{ChangeKind, RECORD_FIELDS};
use askama::Template;

use crate::{
    controls::Choice,
    display::{Count, Day},
    frame::{Frame, Section},
    namesakes::Namesakes,
    site::{PageError, Site},
};
use line::{Line, add, field_title};
use listed::ListedChange;

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
    csv: String,
    most_in_csv: Count,
    days: Vec<DayOfChanges>,
    newest: Option<String>,
    newer: Option<String>,
    older: Option<String>,
}

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
    let changes: Vec<ListedChange> =
        page.rows.into_iter().map(|row| ListedChange::of(site, row)).collect();
    let named = changes.iter().map(|listed| (listed.name.as_str(), listed.change.slug.as_str()));
    let namesakes = Namesakes::among(named);
    let mut days: Vec<DayOfChanges> = Vec::new();
    for listed in &changes {
        let (day, line) = (Day::of(listed.change.at), Line::of(listed, &namesakes));
        match days.last_mut().filter(|last| last.day == day) {
            Some(last) => add(&mut last.lines, line, &listed.change.slug),
            None => days.push(DayOfChanges { day, lines: vec![line] }),
        }
    }
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
        kinds: ChangeKind::ALL
            .map(|kind| Choice::new(kind.word(), kind.word(), filter.kind.map(ChangeKind::word)))
            .into(),
        fields: RECORD_FIELDS
            .map(|field| Choice::new(field, field_title(field), filter.field.as_deref()))
            .into(),
        vendor: filter.vendor.clone().unwrap_or_default(),
        slug: filter.slug.clone().unwrap_or_default(),
        since: request.since.clone().unwrap_or_default(),
        is_filtered: request.is_filtered(),
        feed,
        json,
        csv: request.csv_path(),
        most_in_csv: Count(MOST_CHANGES as u64),
        days,
        // The first page is the newer one; one link to it is enough.
        newest: newest.filter(|path| newer.as_ref() != Some(path)),
        newer,
        older: page.older.map(|seq| before(seq).to_string()),
    };
    Ok(page.render()?)
}
