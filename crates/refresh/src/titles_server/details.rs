//! The details of all titles, several at a time.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};

use futures_util::{StreamExt, stream};
use serde_json::value::RawValue;

use super::{
    EarlierTitles, FailedDetails, Titles,
    listing::{LeanTitle, Listing, id_of},
    merge::{with_details, with_earlier_details},
    session::Session,
};

const AT_A_TIME: usize = 10;
const MAX_DETAIL_BYTES: usize = 1 << 20;
/// After so many failures one after another, the server is not asked for the other details.
const MAX_FAILURES: usize = 20;
const LONGEST_ID: usize = 64;

/// Adds the details to the titles of a list.
pub(super) async fn complete(
    session: &Session<'_>,
    listing: Listing,
    earlier: &EarlierTitles,
) -> Titles {
    let failures = AtomicUsize::new(0);
    let Listing { records, is_whole } = listing;
    let answers: Vec<(LeanTitle, Result<Box<RawValue>, String>)> = stream::iter(records)
        .map(async |title| {
            let details = details_of(session, title.id.as_deref(), &failures).await;
            (title, details)
        })
        .buffered(AT_A_TIME)
        .collect()
        .await;

    let mut titles = Titles { records: Vec::new(), without_details: Vec::new(), kept: 0 };
    let mut ids = BTreeSet::new();
    for (LeanTitle { id, record }, details) in answers {
        // The reader of the source tells what is wrong with a title that has no id.
        let Some(id) = id else {
            titles.records.push(record);
            continue;
        };
        titles.records.push(match (details, earlier.get(&id)) {
            (Ok(details), _) => with_details(&record, details),
            (Err(why), earlier) => {
                titles.without_details.push(FailedDetails { id: id.clone(), why });
                earlier.map_or_else(
                    || record.clone(),
                    |earlier| with_earlier_details(&record, earlier),
                )
            }
        });
        ids.insert(id);
    }
    if !is_whole {
        let unseen = earlier.iter().filter(|(id, _)| !ids.contains(*id));
        let kept: Vec<Box<RawValue>> = unseen.map(|(_, record)| record.clone()).collect();
        titles.kept = kept.len();
        titles.records.extend(kept);
    }
    titles
}

async fn details_of(
    session: &Session<'_>,
    id: Option<&str>,
    failures: &AtomicUsize,
) -> Result<Box<RawValue>, String> {
    let Some(id) = id else { return Err("no id".to_owned()) };
    // Anything else could lead to another address.
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if id.len() > LONGEST_ID || !id.bytes().all(is_plain) {
        return Err("the id cannot be part of an address".to_owned());
    }
    if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
        return Err("not asked for, because the details of others failed".to_owned());
    }
    if session.is_over() {
        return Err(
            "not asked for, because the time or the size of the sweep is used up".to_owned()
        );
    }
    let address = session.address(&["api", "v1", "app-installers", "titles", id]);
    let details = match session.get(&address, "application/json", MAX_DETAIL_BYTES).await {
        Ok(body) => match serde_json::from_slice::<Box<RawValue>>(&body) {
            Ok(details) if id_of(&details).as_deref() == Some(id) => Ok(details),
            _ => Err(format!("{address} returned something else than the title")),
        },
        Err(error) => Err(error.to_string()),
    };
    if details.is_ok() {
        failures.store(0, Ordering::Relaxed);
    } else {
        failures.fetch_add(1, Ordering::Relaxed);
    }
    details
}
