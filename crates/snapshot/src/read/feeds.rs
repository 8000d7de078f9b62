//! Feeds: the newest changes of everything, of a vendor or of an app, and of drift.
//!
//! Everything follows from the journal and the revision, never from the clock, so a revision has the
//! same feeds on every server. A feed is made when it is first requested and kept with the snapshot.

mod names;
#[cfg(test)]
mod tests;

use std::convert::Infallible;

use appstitch_bodies::Slices;
use appstitch_feeds::{Entry, Feed, FeedFormat, Links, NamedChange, changes_path, is_news_of};
use appstitch_text::fold_case;
use appstitch_types::{ChangeKind, DriftEvent};
use jiff::Timestamp;
use names::{Names, app_rows};

use crate::{
    feeds::{ArchivePart, Archives, FeedKey, FeedRequest, FeedScope, Size, newest},
    journal::ChangeRow,
    snapshot::{ReadError, Snapshot},
};

#[derive(Debug, Clone)]
pub struct ResolvedFeed {
    request: FeedRequest,
    key: FeedKey,
    is_final: bool,
}

impl ResolvedFeed {
    pub fn format(&self) -> FeedFormat {
        self.request.format
    }

    pub fn key(&self) -> FeedKey {
        self.key
    }

    /// Whether no revision changes it any more.
    pub fn is_final(&self) -> bool {
        self.is_final
    }
}

impl Snapshot {
    /// Finds a feed. An app or a vendor that left the catalog has one as long as the journal knows it,
    /// so that its subscribers see that it left.
    pub fn find_feed(&self, mut request: FeedRequest) -> Result<ResolvedFeed, ReadError> {
        let mut is_final = false;
        match &mut request.scope {
            FeedScope::Everything | FeedScope::Drift => {}
            FeedScope::App(slug) => {
                if let Err(unknown) = self.find(slug)
                    && self.journal().of_app(slug).next().is_none()
                {
                    return Err(unknown);
                }
            }
            FeedScope::Vendor(vendor) => {
                let folded = fold_case(vendor);
                let is_known = self.apps().first_of_vendor(&folded).is_some()
                    || self.journal().after(0).any(|row| row.is_of_vendor(&folded));
                if !is_known {
                    return Err(ReadError::UnknownVendor(vendor.clone()));
                }
                *vendor = folded;
            }
            FeedScope::Archive(part) => {
                let found = self.archives(request.all).find(*part);
                is_final = found.ok_or_else(|| ReadError::NoArchive(part.to_string()))?;
            }
        }
        Ok(ResolvedFeed { key: FeedKey::of(&request), request, is_final })
    }

    /// The body of a feed, if it was made before.
    pub fn cached_feed(&self, feed: &ResolvedFeed) -> Option<Slices> {
        self.contents.feeds.get(&feed.key).map(Slices::one)
    }

    /// The body of a feed with its links. Making it takes milliseconds.
    pub fn feed_body(&self, feed: &ResolvedFeed, links: &Links) -> Slices {
        let make = || self.feed(&feed.request).text(feed.request.format, links).into();
        let Ok(body) = self.contents.feeds.get_or_make(feed.key, || Ok::<_, Infallible>(make()));
        Slices::one(body)
    }

    fn feed(&self, request: &FeedRequest) -> Feed {
        let entries = self.entries(request);
        let mut about = request.scope.page_path();
        let title = match &request.scope {
            FeedScope::Everything | FeedScope::Archive(_) | FeedScope::Drift => {
                "App catalog".to_owned()
            }
            FeedScope::Vendor(folded) => self.vendor_title(folded),
            FeedScope::App(slug) => {
                let found = self.find(slug).ok();
                if found.is_none() {
                    about = changes_path(slug);
                }
                found.and_then(|app| self.app_name(app).ok()).unwrap_or_else(|| slug.clone())
            }
        };
        let archives = self.archives(request.all);
        let (current, previous) = match request.scope {
            FeedScope::Archive(part) => {
                let current = FeedRequest { scope: FeedScope::Everything, ..request.clone() };
                (Some(current.path()), archives.before(part))
            }
            FeedScope::Everything if request.format == FeedFormat::Atom => {
                (None, archives.last_final())
            }
            _ => (None, None),
        };
        let archive_path =
            |part| FeedRequest { scope: FeedScope::Archive(part), ..request.clone() }.path();
        Feed {
            title: request.title(&title),
            name: request.name(),
            epoch: self.journal().epoch().to_owned(),
            path: request.path(),
            about,
            updated: entries.first().map_or_else(|| self.published_at(), Entry::at),
            entries,
            current,
            previous_archive: previous.map(archive_path),
        }
    }

    fn entries(&self, request: &FeedRequest) -> Vec<Entry> {
        let journal = self.journal();
        let is_included = |row: &ChangeRow<'_>| request.all || is_news(*row);
        match &request.scope {
            FeedScope::Drift => {
                let events = journal.drift_after(0).rev();
                let events = newest(events, Size::CATALOG, |event: &&DriftEvent| event.at);
                events.iter().map(|event| Entry::of_drift(event, journal.epoch())).collect()
            }
            FeedScope::Everything => {
                let rows = journal.after(0).rev().map(|row| (row, is_included(&row)));
                self.change_entries(rows, Size::CATALOG, request.format)
            }
            FeedScope::Vendor(folded) => {
                let is_own = |row: &ChangeRow<'_>| row.is_of_vendor(folded) && is_included(row);
                let rows = journal.after(0).rev().map(|row| (row, is_own(&row)));
                self.change_entries(rows, Size::CATALOG, request.format)
            }
            FeedScope::App(slug) => {
                let rows = app_rows(journal, slug).into_iter();
                let rows = rows.map(|(row, is_own)| (row, is_own && is_included(&row)));
                self.change_entries(rows, Size::APP, request.format)
            }
            FeedScope::Archive(part) => {
                let (first, last) = self.archives(request.all).range(*part);
                let is_own = |row: &ChangeRow<'_>| row.seq() <= last && is_included(row);
                let rows = journal.after(first.saturating_sub(1)).rev();
                let rows = rows.map(|row| (row, is_own(&row)));
                self.change_entries(rows, Size::ALL, request.format)
            }
        }
    }

    /// Entries of the rows that are marked. The other ones contain earlier names. Very many apps that
    /// one revision added are one entry; an archive has all of them.
    fn change_entries<'a>(
        &'a self,
        rows: impl Iterator<Item = (ChangeRow<'a>, bool)>,
        size: Size,
        format: FeedFormat,
    ) -> Vec<Entry> {
        let mut rows = rows.peekable();
        let mut names = Names::default();
        let mut entries = Vec::new();
        let mut newest = None;
        while let Some((first, _)) = rows.peek() {
            let revision = first.revision();
            let is_of_it = |(row, _): &(ChangeRow<'_>, bool)| row.revision() == revision;
            let changes: Vec<_> = std::iter::from_fn(|| rows.next_if(is_of_it)).collect();
            let is_added = |row: ChangeRow<'_>| row.kind() == ChangeKind::Added;
            let mut added =
                changes.iter().filter(|(row, is_included)| *is_included && is_added(*row));
            let last_added = added.next().map(|(row, _)| row.seq());
            let added = usize::from(last_added.is_some()) + added.count();
            let as_one = added > MANY_ADDED && !size.is_whole();
            for (row, is_included) in changes {
                if is_included && !(as_one && is_added(row) && Some(row.seq()) != last_added) {
                    let newest = *newest.get_or_insert(row.at());
                    if !size.has_room(entries.len(), newest, row.at()) {
                        return entries;
                    }
                    entries.push(if as_one && is_added(row) {
                        let place = (row.seq(), row.at());
                        Entry::of_added(added, place, revision, self.journal().epoch())
                    } else {
                        self.change_entry(row, &names, format)
                    });
                }
                names.go_back(self, row);
            }
        }
        entries
    }

    fn change_entry<'a>(&self, row: ChangeRow<'a>, names: &Names<'a>, format: FeedFormat) -> Entry {
        let change = row.change();
        let named = NamedChange::new(&change, Some(&names.after(self, row)));
        let entry = Entry::of_change(&named, self.journal().epoch());
        match format {
            FeedFormat::Atom => entry,
            FeedFormat::Json => entry.with_data(row.json()),
        }
    }

    /// Every archive of the feed without `all`, oldest first.
    pub fn archive_parts(&self) -> impl Iterator<Item = ArchivePart> {
        self.archives(false).all()
    }

    fn archives(&self, all: bool) -> &Archives {
        self.contents.archives[usize::from(all)].get_or_init(|| {
            let journal = self.journal();
            // Of the day up to which changes are folded, some are missing. So are those of the day on
            // which a new epoch began: its archive had them before, and readers may have kept it.
            let folded = journal.after(0).take_while(|row| row.seq() <= journal.floor()).last();
            let rows = journal.after(journal.floor()).filter(|row| all || is_news(*row));
            Archives::of(rows, folded.map(ChangeRow::at).max(journal.floor_at()))
        })
    }

    /// The vendor as its first app spells it.
    fn vendor_title(&self, folded: &str) -> String {
        let first = self.apps().first_of_vendor(folded);
        let app = first.and_then(|position| self.read_app(position).ok());
        app.and_then(|app| app.vendor).unwrap_or_else(|| folded.to_owned())
    }

    fn published_at(&self) -> Timestamp {
        self.revision().map_or(Timestamp::UNIX_EPOCH, |revision| revision.changed_at)
    }
}

/// The most apps that a revision adds as an entry each.
const MANY_ADDED: usize = 100;

/// Whether somebody who follows versions wants to see a change.
fn is_news(row: ChangeRow<'_>) -> bool {
    is_news_of(row.kind(), row.has_field(CURRENT_VERSION))
}

/// The positions of fields in [`appstitch_types::RECORD_FIELDS`].
const NAME: usize = 2;
const CURRENT_VERSION: usize = 4;
