//! Reads all pages of a listing.

use futures_util::{Stream, TryStreamExt, stream};
use serde::de::DeserializeOwned;

use crate::{
    App, AppsQuery, Client, DriftEntry, DriftQuery, DriftResponse, ErrorKind, ResponseError,
};

/// The maximum page size, to send as few requests as possible.
const PAGE: u32 = 1000;

struct Walk<P, F> {
    client: Client,
    path: &'static str,
    /// The parameters for an offset.
    pairs: F,
    rows: fn(&P) -> usize,
    offset: u64,
    /// The entity tag of the pages so far.
    etag: Option<String>,
    ended: bool,
}

impl Client {
    /// Every matching app, starting at `offset`. Reads pages of the maximum size and ignores
    /// `limit`.
    ///
    /// If the catalog changes between two pages, the stream ends with an error of kind
    /// [`ErrorKind::CatalogChanged`], because the pages would be inconsistent.
    pub fn all_apps(
        &self,
        query: AppsQuery,
    ) -> impl Stream<Item = Result<App, ResponseError>> + Send + use<> {
        let start = query.offset;
        let pairs = move |offset| AppsQuery { limit: PAGE, offset, ..query.clone() }.pairs();
        let pages = self.pages("apps", start, pairs, Vec::<App>::len);
        pages.map_ok(|page| stream::iter(page.into_iter().map(Ok))).try_flatten()
    }

    /// Every matching drift entry, like [`Client::all_apps`].
    pub fn all_drift(
        &self,
        query: DriftQuery,
    ) -> impl Stream<Item = Result<DriftEntry, ResponseError>> + Send + use<> {
        let pages = self.drift_pages(query);
        pages.map_ok(|page| stream::iter(page.entries.into_iter().map(Ok))).try_flatten()
    }

    /// Every page of drift with its totals, like [`Client::all_apps`]. There is always at least
    /// one page.
    pub fn drift_pages(
        &self,
        query: DriftQuery,
    ) -> impl Stream<Item = Result<DriftResponse, ResponseError>> + Send + use<> {
        let start = query.offset;
        let pairs = move |offset| DriftQuery { limit: PAGE, offset, ..query.clone() }.pairs();
        self.pages("apps/drift", start, pairs, |page: &DriftResponse| page.entries.len())
    }

    fn pages<P, F>(
        &self,
        path: &'static str,
        offset: u64,
        pairs: F,
        rows: fn(&P) -> usize,
    ) -> impl Stream<Item = Result<P, ResponseError>> + Send + use<P, F>
    where
        P: DeserializeOwned,
        F: Fn(u64) -> Vec<(&'static str, String)> + Send + Sync,
    {
        let client = self.clone();
        let walk = Walk { client, path, pairs, rows, offset, etag: None, ended: false };
        stream::try_unfold(walk, async |mut walk| {
            if walk.ended {
                return Ok(None);
            }
            let transport = &walk.client.transport;
            let url = transport.address(walk.path, &(walk.pairs)(walk.offset))?;
            let response = transport.get(url).await?;
            if walk.etag.is_some() && walk.etag != response.etag {
                let why = "the catalog changed between two pages; start again";
                return Err(ResponseError::new(ErrorKind::CatalogChanged, &response.url, why));
            }
            let page: P = response.require()?;
            let rows = (walk.rows)(&page);
            walk.ended = rows < PAGE as usize;
            walk.offset += rows as u64;
            walk.etag = response.etag;
            Ok(Some((page, walk)))
        })
    }
}
