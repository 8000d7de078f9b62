//! Reads all pages of a listing.

use futures_util::{Stream, TryStreamExt, stream};
use serde::de::DeserializeOwned;

use crate::{
    App, AppsQuery, Client, DriftEntry, DriftQuery, DriftResponse, ErrorKind, ResponseError,
};

/// The maximum page size, to send as few requests as possible.
const PAGE: u32 = 1000;

/// A listing that can be read page by page.
trait PagedQuery {
    type Page: DeserializeOwned;
    const PATH: &'static str;
    fn pairs(&self) -> Vec<(&'static str, String)>;
    fn rows(page: &Self::Page) -> usize;
    fn advance(&mut self, rows: u64);
}

impl PagedQuery for AppsQuery {
    type Page = Vec<App>;
    const PATH: &'static str = "apps";
    fn pairs(&self) -> Vec<(&'static str, String)> {
        self.pairs()
    }
    fn rows(page: &Self::Page) -> usize {
        page.len()
    }
    fn advance(&mut self, rows: u64) {
        self.offset += rows;
    }
}

impl PagedQuery for DriftQuery {
    type Page = DriftResponse;
    const PATH: &'static str = "apps/drift";
    fn pairs(&self) -> Vec<(&'static str, String)> {
        self.pairs()
    }
    fn rows(page: &Self::Page) -> usize {
        page.entries.len()
    }
    fn advance(&mut self, rows: u64) {
        self.offset += rows;
    }
}

/// The position in a listing.
struct Walk<Q> {
    client: Client,
    query: Q,
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
        let pages = self.pages(AppsQuery { limit: PAGE, ..query });
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
        self.pages(DriftQuery { limit: PAGE, ..query })
    }

    fn pages<Q>(
        &self,
        query: Q,
    ) -> impl Stream<Item = Result<Q::Page, ResponseError>> + Send + use<Q>
    where
        Q: PagedQuery + Send + Sync,
    {
        let walk = Walk { client: self.clone(), query, etag: None, ended: false };
        stream::try_unfold(walk, async |mut walk| {
            if walk.ended {
                return Ok(None);
            }
            let transport = &walk.client.transport;
            let url = transport.address(Q::PATH, &walk.query.pairs())?;
            let answer = transport.get(url).await?;
            if walk.etag.is_some() && walk.etag != answer.etag {
                let why = "the catalog changed between two pages; start again";
                return Err(ResponseError::new(ErrorKind::CatalogChanged, &answer.url, why));
            }
            let page: Q::Page = answer.require()?;
            let rows = Q::rows(&page);
            walk.ended = rows < PAGE as usize;
            walk.query.advance(rows as u64);
            walk.etag = answer.etag;
            Ok(Some((page, walk)))
        })
    }
}
