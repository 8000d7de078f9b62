//! The rows of webhooks. A backup has their URLs and keys only if they are sealed: a reader of a
//! backup must not be able to send messages in the name of the service, or to a chat.

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::{Deserialize, Serialize};

use super::{
    cell::{Cell, Row},
    error::BackupError,
    seal::BackupKey,
};
use crate::{
    error::StoreError,
    hook::{JournalPosition, StoredHook},
};

// The positions of columns in the table of the hooks.
const ID: usize = 0;
const URL: usize = 1;
const SECRET: usize = 2;
const PREVIOUS_SECRET: usize = 3;
const PREVIOUS_UNTIL: usize = 4;
const FORMAT: usize = 6;
const DISABLED: usize = 7;
const CURSOR_EPOCH: usize = 8;
const CURSOR_SEQ: usize = 9;
const PENDING_EPOCH: usize = 10;
const PENDING_SEQ: usize = 11;
const REPLAY_AT: usize = 12;
const GENERATION: usize = 16;

/// The epoch of a cursor that leads nowhere. No journal has it.
const NO_EPOCH: &str = "restored";

/// What of a hook is secret.
#[derive(Serialize, Deserialize)]
struct Secrets {
    url: String,
    secret: String,
    previous_secret: Option<String>,
}

/// The row for a backup: its secrets are sealed with the key, or left out without one.
pub(super) fn sealed(mut row: Row, key: Option<&BackupKey>) -> Result<Row, BackupError> {
    let secret = match key {
        None => Cell::Null,
        Some(key) => {
            let secrets = Secrets {
                url: text(&row, URL).to_owned(),
                secret: text(&row, SECRET).to_owned(),
                previous_secret: row[PREVIOUS_SECRET].text().map(str::to_owned),
            };
            let plain = serde_json::to_vec(&secrets).map_err(|_| BackupError::Sealing)?;
            Cell::Text(key.seal(text(&row, ID), plain)?)
        }
    };
    row[URL] = Cell::Text(shown(text(&row, URL)));
    row[SECRET] = secret;
    row[PREVIOUS_SECRET] = Cell::Null;
    Ok(row)
}

/// The row of a backup with its secrets, if they are sealed with this key. Otherwise the secret is
/// NULL.
pub(super) fn opened(mut row: Row, key: Option<&BackupKey>) -> Result<Row, BackupError> {
    let (Some(sealed), Some(key)) = (row[SECRET].text(), key) else {
        row[SECRET] = Cell::Null;
        row[PREVIOUS_SECRET] = Cell::Null;
        return Ok(row);
    };
    let plain = key.open(text(&row, ID), sealed)?;
    let secrets: Secrets = serde_json::from_slice(&plain).map_err(|_| BackupError::WrongKey)?;
    row[URL] = Cell::Text(secrets.url);
    row[SECRET] = Cell::Text(secrets.secret);
    row[PREVIOUS_SECRET] = Cell::optional(secrets.previous_secret);
    Ok(row)
}

pub(super) fn is_sealed(row: &Row) -> bool {
    row[SECRET] != Cell::Null
}

/// Completes rows for a store that has these hooks. Returns the names of the hooks that are without
/// their secrets afterwards.
///
/// A hook of the same name and format that the store has already gives its URL and keys: they are what
/// the receiver knows now. A hook without secrets sends nothing until they are set again.
pub(crate) fn complete(
    rows: &mut [Row],
    existing: &[StoredHook],
) -> Result<Vec<String>, StoreError> {
    let mut bare = Vec::new();
    for row in rows {
        let found = existing.iter().find(|hook| hook.id == text(row, ID));
        if let Some(found) = found {
            // A delivery that is on its way must not write its progress over the restored one.
            let newest = i64::try_from(found.generation).unwrap_or(i64::MAX);
            if let Cell::Number(generation) = &mut row[GENERATION] {
                *generation = newest.max(*generation).saturating_add(1);
            }
            forget_lost(row, found);
        }
        if row[SECRET] != Cell::Null {
            continue;
        }
        let giver = found.filter(|hook| hook.format == text(row, FORMAT) && !hook.url.is_empty());
        if let Some(hook) = giver {
            let (previous, until) = hook.previous_secret.clone().unzip();
            row[URL] = Cell::Text(hook.url.clone());
            row[SECRET] = Cell::Text(hook.secret.0.clone());
            row[PREVIOUS_SECRET] = Cell::optional(previous.map(|previous| previous.0));
            row[PREVIOUS_UNTIL] =
                until.map_or(Cell::Null, |until| Cell::Number(until.as_millisecond()));
        } else {
            bare.push(text(row, ID).to_owned());
            strip(row)?;
        }
    }
    Ok(bare)
}

/// The receiver of a hook may have got changes that are lost with the replaced catalog. Then its cursor
/// leads nowhere, so that the receiver has to read the whole catalog.
fn forget_lost(row: &mut Row, existing: &StoredHook) {
    let position = |epoch: usize, seq: usize| match (&row[epoch], &row[seq]) {
        (Cell::Text(epoch), Cell::Number(seq)) => Some((epoch.clone(), u64::try_from(*seq).ok()?)),
        _ => None,
    };
    let pair = |position: &JournalPosition| (position.epoch.clone(), position.seq);
    let progress = &existing.progress;
    let is_same = position(CURSOR_EPOCH, CURSOR_SEQ) == Some(pair(&progress.cursor))
        && position(PENDING_EPOCH, PENDING_SEQ) == progress.pending.as_ref().map(pair);
    if !is_same {
        row[CURSOR_EPOCH] = Cell::Text(NO_EPOCH.to_owned());
        row[PENDING_EPOCH] = Cell::Null;
        row[PENDING_SEQ] = Cell::Null;
        row[REPLAY_AT] = Cell::Null;
    }
}

/// Makes a hook that has no URL. Its key is random, so that nothing is ever signed with a known one.
fn strip(row: &mut Row) -> Result<(), StoreError> {
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|_| StoreError::WorkerGone)?;
    let why = format!(
        "restored without its URL ({}) and secret; give them again with `appstitch hooks add`",
        text(row, URL)
    );
    row[DISABLED] = Cell::Text(why);
    row[URL] = Cell::Text(String::new());
    row[SECRET] = Cell::Text(format!("whsec_{}", STANDARD.encode(key)));
    row[PREVIOUS_UNTIL] = Cell::Null;
    Ok(())
}

fn text(row: &Row, column: usize) -> &str {
    row[column].text().unwrap_or_default()
}

/// The scheme and host of a URL. The rest, and what is before the host, may be secret.
fn shown(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}/…")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backup::table::{HOOK, TABLES};

    #[test]
    fn only_the_host_of_a_url_is_shown() {
        for (url, expected) in [
            ("https://hooks.slack.com/services/T0/sesame", "https://hooks.slack.com/…"),
            ("https://sesame@example.com:8443?token=sesame", "https://example.com:8443/…"),
            ("https://a:b@c@example.com#sesame", "https://example.com/…"),
            ("https://example.com\\sesame", "https://example.com/…"),
            ("https://[2001:db8::1]/x", "https://[2001:db8::1]/…"),
            ("https://…/…", "https://…/…"),
            ("sesame", ""),
            ("", ""),
        ] {
            assert_eq!(shown(url), expected);
        }
    }

    #[test]
    fn the_columns_have_their_places() {
        let table = TABLES.iter().find(|table| table.name == HOOK).unwrap();
        let name = |position: usize| table.columns[position].name;
        assert_eq!([name(ID), name(URL), name(SECRET)], ["id", "url", "secret"]);
        assert_eq!(
            [name(PREVIOUS_SECRET), name(PREVIOUS_UNTIL)],
            ["previous_secret", "previous_until"]
        );
        assert_eq!(
            [name(FORMAT), name(DISABLED), name(GENERATION)],
            ["format", "disabled", "generation"]
        );
        let positions = [CURSOR_EPOCH, CURSOR_SEQ, PENDING_EPOCH, PENDING_SEQ, REPLAY_AT].map(name);
        let names = ["cursor_epoch", "cursor_seq", "pending_epoch", "pending_seq", "replay_at"];
        assert_eq!(positions, names);
    }
}
