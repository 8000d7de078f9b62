//! The list of all titles, page by page.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use super::{SweepError, session::Session};

const PAGE_SIZE: usize = 200;
/// Ends a list without an end. The real one has three pages.
const MAX_PAGES: usize = 100;
const MAX_PAGE_BYTES: usize = 16 << 20;
/// How often the list is read if it changes meanwhile.
const MAX_ROUNDS: usize = 3;

#[derive(Debug, Default)]
pub(super) struct Listing {
    /// In the order of the server.
    pub(super) records: Vec<LeanTitle>,
    /// Whether every title was seen. Otherwise, the list changed each time while it was read.
    pub(super) is_whole: bool,
}

#[derive(Debug, Clone)]
pub(super) struct LeanTitle {
    /// `None` if it has none that can be used. The reader of the source tells it.
    pub(super) id: Option<String>,
    pub(super) record: Box<RawValue>,
}

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "totalCount")]
    total: Option<usize>,
    results: Vec<Box<RawValue>>,
}

/// Reads the list until its total or an empty page. If it changes meanwhile, a title can move to a
/// page that was read before, so it is read again.
pub(super) async fn read(session: &Session<'_>) -> Result<Listing, SweepError> {
    let mut seen = Listing::default();
    for _ in 0..MAX_ROUNDS {
        let round = read_once(session).await?;
        if round.is_whole {
            return Ok(round);
        }
        seen = seen.and(round);
    }
    Ok(seen)
}

async fn read_once(session: &Session<'_>) -> Result<Listing, SweepError> {
    let mut address = session.address(&["api", "v1", "app-installers", "titles"]);
    let mut listing = Listing::default();
    let mut ids = BTreeSet::new();
    let mut totals = BTreeSet::new();
    for number in 0..MAX_PAGES {
        let query = format!("page={number}&page-size={PAGE_SIZE}");
        address.set_query(Some(&query));
        let body = session.get(&address, "application/json", MAX_PAGE_BYTES).await?;
        let page: Page = serde_json::from_slice(&body).map_err(|error| SweepError::Shape {
            address: address.to_string(),
            why: error.to_string(),
        })?;
        totals.extend(page.total);
        let before = listing.records.len();
        let is_empty = page.results.is_empty();
        for record in page.results {
            let id = id_of(&record);
            if id.as_ref().is_none_or(|id| ids.insert(id.clone())) {
                listing.records.push(LeanTitle { id, record });
            }
        }
        let has_all = page.total.is_some_and(|total| listing.records.len() >= total);
        // A page without a new title repeats an earlier one, and so would the next.
        if has_all || listing.records.len() == before {
            // A total that does not change is what the list has in the end.
            let is_constant = totals.len() <= 1;
            let is_exact = totals.first().is_none_or(|total| listing.records.len() == *total);
            let has_end = has_all || is_empty;
            listing.is_whole = has_end && is_constant && is_exact;
            return Ok(listing);
        }
    }
    Ok(listing)
}

impl Listing {
    /// Both lists. The later one is newer.
    fn and(self, later: Self) -> Self {
        let mut newer: BTreeMap<String, LeanTitle> = BTreeMap::new();
        let mut nameless = Vec::new();
        for title in later.records {
            match title.id.clone() {
                Some(id) => drop(newer.insert(id, title)),
                None => nameless.push(title),
            }
        }
        let mut records = Vec::new();
        for title in self.records {
            if let Some(id) = &title.id {
                records.push(newer.remove(id).unwrap_or(title));
            }
        }
        records.extend(newer.into_values());
        records.extend(nameless);
        Self { records, is_whole: false }
    }
}

/// The id of a title as text. The server writes it as a string or a number.
pub(super) fn id_of(record: &RawValue) -> Option<String> {
    #[derive(Deserialize)]
    struct Identified {
        id: Value,
    }
    match serde_json::from_str::<Identified>(record.get()).ok()?.id {
        Value::String(text) if !text.trim().is_empty() => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
