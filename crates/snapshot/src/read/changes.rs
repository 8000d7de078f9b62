//! The body of a page of changes.

use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::Timestamp;

use crate::{
    journal::{ChangeFilter, ChangeRow, SinceError, is_token, unquoted},
    snapshot::Snapshot,
};

#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ChangesRequest {
    /// From where on; `None` for the newest changes.
    pub since: Option<String>,
    pub filter: ChangeFilter,
    pub limit: usize,
    /// Whether the changes of an app are merged into one.
    pub squash: bool,
}

/// A page of changes, ready to be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RenderedChanges {
    /// The JSON of a `ChangesResponse`.
    pub body: Vec<u8>,
    /// Changes whenever the body does.
    pub tag: String,
    /// The position to go on from.
    pub next: String,
    pub count: usize,
    pub more: bool,
    /// Whether the same request always gets this page.
    pub is_final: bool,
}

impl Snapshot {
    /// The position in the journal that a client means. `now` only serves to reject times in the future.
    pub fn position(&self, since: &str, now: Timestamp) -> Result<u64, SinceError> {
        // A journal that is damaged or missing does not list the catalog's own token. Whoever has that
        // catalog is up to date; 410 would send them back to the same token for ever.
        if unquoted(since) == self.token() {
            return Ok(self.journal().newest());
        }
        self.journal().position(since, now)
    }

    /// A page of changes. `now` only serves to reject times in the future.
    pub fn changes(
        &self,
        request: &ChangesRequest,
        now: Timestamp,
    ) -> Result<RenderedChanges, SinceError> {
        let ChangesRequest { since, filter, limit, squash } = request;
        let journal = self.journal();
        let since = since.as_deref();
        let after = since.map(|since| self.position(since, now)).transpose()?;
        let mut changes = String::new();
        let (from, next, more, is_final, count, revision) = if *squash {
            let after = after.unwrap_or_else(|| journal.newest_squashed(filter, *limit));
            let page = journal.squashed_page(after, filter, *limit);
            for change in &page.changes {
                // Texts and numbers can always be written.
                changes.push_str(&serde_json::to_string(change).unwrap_or_default());
                changes.push(',');
            }
            (page.from, page.next, page.more, page.is_final, page.changes.len(), page.revision)
        } else {
            let page = match after {
                Some(after) => journal.page(after, filter, *limit),
                None => journal.newest_page(filter, *limit),
            };
            let length = page.rows.iter().map(|row| row.json().len() + 1).sum();
            changes.reserve_exact(length);
            for row in &page.rows {
                changes.push_str(row.json());
                changes.push(',');
            }
            let revision = page.rows.last().copied().map(ChangeRow::revision);
            let revision = revision.map(str::to_owned);
            (page.from, page.next, page.more, page.more, page.rows.len(), revision)
        };
        changes.pop();
        let (from, next) = (journal.token(from), journal.token(next));
        let to = revision.filter(|_| more);
        let to = to.as_deref().unwrap_or(self.token());
        let body = format!(
            r#"{{"from":"{from}","to":"{to}","next":"{next}","more":{more},"changes":[{changes}]}}"#
        );
        let mut hasher = DefaultHasher::new();
        (request, &from, &next, more).hash(&mut hasher);
        Ok(RenderedChanges {
            body: body.into_bytes(),
            tag: format!("{to}-{:08x}", hasher.finish() & 0xffff_ffff),
            next,
            count,
            more,
            is_final: is_final && since.is_some_and(is_token),
        })
    }
}
