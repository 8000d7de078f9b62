//! The journal of changes, replayed from its beginning.

use std::collections::BTreeMap;

use appstitch_types::{App, ChangesResponse, RecordFields, apply_change};
use serde_json::Value;

use crate::{Finding, client::Client, observed::ALL_APPS};

/// Replays all changes of a server. Fails if a number is missing, or if the result is not what the
/// server serves. Returns the number of changes.
pub(crate) async fn replay(client: &Client, base: &str) -> Result<u64, Finding> {
    let mut apps: BTreeMap<String, RecordFields> = BTreeMap::new();
    let mut since = "0".to_owned();
    let mut count = 0;
    loop {
        let response = client.read(base, &format!("/changes?limit=1000&since={since}")).await?;
        let page: ChangesResponse = serde_json::from_slice(&response.body)?;
        for change in &page.changes {
            count += 1;
            // No app of a run has drift, which would use numbers, too.
            if change.seq != count {
                let text = format!("the journal has change {} in place of {count}", change.seq);
                return Err(Finding::new(text));
            }
            apply_change(&mut apps, change);
        }
        since = page.next;
        if !page.more {
            break;
        }
    }
    let served: Vec<App> = serde_json::from_slice(&client.read(base, ALL_APPS).await?.body)?;
    let replayed = apps.into_values().map(|fields| serde_json::from_value(Value::Object(fields)));
    let replayed: Vec<App> = replayed.collect::<Result<_, _>>()?;
    if replayed == served {
        return Ok(count);
    }
    Err(Finding::new(format!("the changes lead to {replayed:?}, but {served:?} is served")))
}
