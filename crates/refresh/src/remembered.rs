//! What the interfaces of the titles and the listings need to know: what was found before, and what
//! to ask for.

use appstitch_publish::{PublishError, Publisher};
use appstitch_sources::Upstream;
use appstitch_store::{Document, Store};
use serde::Deserialize;
use serde_json::value::RawValue;
use thiserror::Error;

use crate::{
    store_lookup::{EarlierListings, ListingMemory},
    titles_server::EarlierTitles,
    upstream_config::UpstreamConfig,
};

#[derive(Debug, Default)]
pub struct Remembered {
    pub(crate) titles: EarlierTitles,
    pub(crate) listings: EarlierListings,
    pub(crate) memory: ListingMemory,
    /// The bundle identifiers of the served apps.
    pub(crate) wanted: Vec<String>,
}

#[derive(Debug, Error)]
pub enum RememberedError {
    #[error(transparent)]
    Publish(#[from] PublishError),
    #[error(transparent)]
    Store(#[from] appstitch_store::StoreError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Keys {
    id: Option<serde_json::Value>,
    bundle_id: Option<String>,
}

impl Remembered {
    /// Reads what the configured interfaces need of those that are fetched.
    pub async fn read(
        config: &UpstreamConfig,
        is_chosen: impl Fn(Upstream) -> bool,
        store: &Store,
        publisher: &Publisher,
    ) -> Result<Self, RememberedError> {
        let mut remembered = Self::default();
        if config.titles().is_some() && is_chosen(Upstream::MdmInstaller) {
            for document in publisher.documents(Upstream::MdmInstaller.token()).await? {
                let id = |keys: Keys| match keys.id? {
                    serde_json::Value::String(id) => Some(id),
                    serde_json::Value::Number(id) => Some(id.to_string()),
                    _ => None,
                };
                remembered.titles.extend(entry(&document, id));
            }
        }
        if config.lookup().is_some() && is_chosen(Upstream::StoreListing) {
            let source = Upstream::StoreListing.token();
            for document in publisher.documents(source).await? {
                remembered.listings.extend(entry(&document, |keys| keys.bundle_id));
            }
            if let Some(memory) = store.refresh_memory(source.to_owned()).await? {
                // A newer version may have written it. Then everything is asked for again.
                remembered.memory = serde_json::from_str(&memory).unwrap_or_default();
            }
            remembered.wanted = wanted(publisher)?;
        }
        Ok(remembered)
    }

    /// Nothing is known, and these bundle identifiers are asked for.
    pub fn wanting(wanted: Vec<String>) -> Self {
        Self { wanted, ..Self::default() }
    }

    /// Whether there is anything to look up.
    pub fn has_wanted(&self) -> bool {
        !self.wanted.is_empty()
    }
}

/// Writes what a lookup learned, after its listings are published.
pub async fn remember(store: &Store, memory: &ListingMemory) -> Result<(), RememberedError> {
    let body = serde_json::to_string(memory)?;
    let source = Upstream::StoreListing.token().to_owned();
    Ok(store.put_refresh_memory(source, body).await?)
}

fn entry(
    document: &Document,
    key: impl Fn(Keys) -> Option<String>,
) -> Option<(String, Box<RawValue>)> {
    // The table of titles has other entries.
    let key = key(serde_json::from_slice(&document.body).ok()?)?;
    Some((key, serde_json::from_slice(&document.body).ok()?))
}

fn wanted(publisher: &Publisher) -> Result<Vec<String>, serde_json::Error> {
    let snapshot = publisher.current();
    let apps = u32::try_from(snapshot.stats().total_apps).unwrap_or(u32::MAX);
    let mut wanted = Vec::new();
    for position in 0..apps {
        wanted.extend(snapshot.read_app(position)?.bundle_id);
    }
    wanted.sort_unstable();
    wanted.dedup();
    Ok(wanted)
}
