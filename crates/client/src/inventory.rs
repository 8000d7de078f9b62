use appstitch_types::inventory::{InventoryReport, Verdict};
use bytes::Bytes;

use crate::{Client, RawResponse, ResponseError};

/// What to know about installed apps.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InventoryQuery {
    /// Suggest apps with similar names for apps that are not in the catalog.
    pub suggest: bool,
    /// Return only apps with these verdicts; all if it is empty.
    pub verdicts: Vec<Verdict>,
}

impl InventoryQuery {
    fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = Vec::new();
        if self.suggest {
            pairs.push(("suggest", "true".to_owned()));
        }
        if !self.verdicts.is_empty() {
            let words: Vec<&str> = self.verdicts.iter().map(|verdict| verdict.word()).collect();
            pairs.push(("verdict", words.join(",")));
        }
        pairs
    }
}

impl Client {
    /// Compares a list of installed apps with the catalog: `POST /inventory/check`. The list is what
    /// `system_profiler`, osquery, a management tool or a spreadsheet wrote; the server recognizes
    /// the format, and stores nothing. It may be compressed with gzip or zstd.
    pub async fn check_inventory(
        &self,
        list: impl Into<Bytes>,
        query: &InventoryQuery,
    ) -> Result<InventoryReport, ResponseError> {
        let url = self.transport.address("inventory/check", &query.pairs())?;
        self.transport.post(url, "application/json", Some(list.into())).await?.require()
    }

    /// Like [`Client::check_inventory`], as the server sent it, in any form that it offers: `json`,
    /// `csv` or `ndjson`. `None` if the server has no such route.
    pub async fn check_inventory_raw(
        &self,
        list: impl Into<Bytes>,
        query: &InventoryQuery,
        format: &str,
    ) -> Result<Option<RawResponse>, ResponseError> {
        let mut pairs = query.pairs();
        pairs.push(("format", format.to_owned()));
        let url = self.transport.address("inventory/check", &pairs)?;
        Ok(self.transport.post(url, "*/*", Some(list.into())).await?.raw(None))
    }
}
