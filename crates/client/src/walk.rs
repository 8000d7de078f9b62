//! Walking through all pages of a listing.

use std::collections::VecDeque;

use futures_util::{Stream, stream};
use serde::de::DeserializeOwned;

use crate::{App, AppsQuery, Client, DriftEntry, DriftQuery, DriftResponse, ResponseError};

/// The largest page there is: the fewest requests.
const PAGE: u32 = 1000;

/// Where a walk is.
struct Walk<Q, T> {
    client: Client,
    path: &'static str,
    query: Q,
    ready: VecDeque<T>,
    /// The entity tag of the pages so far.
    etag: Option<String>,
    ended: bool,
}

impl Client {
    /// Every app that fits, page by page from `offset` on. The pages are as large as they can be,
    /// whatever `limit` says.
    ///
    /// A catalog that changes on the way ends the walk with an error: what was seen so far and
    /// what is still to come would not fit together.
    pub fn all_apps(
        &self,
        query: AppsQuery,
    ) -> impl Stream<Item = Result<App, ResponseError>> + Send + use<> {
        let query = AppsQuery { limit: PAGE, ..query };
        self.walk(
            "apps",
            query,
            AppsQuery::pairs,
            |query, count| query.offset += count,
            |page| page,
        )
    }

    /// Every entry of drift that fits, page by page from `offset` on.
    pub fn all_drift(
        &self,
        query: DriftQuery,
    ) -> impl Stream<Item = Result<DriftEntry, ResponseError>> + Send + use<> {
        let query = DriftQuery { limit: PAGE, ..query };
        self.walk(
            "apps/drift",
            query,
            DriftQuery::pairs,
            |query, count| query.offset += count,
            |page: DriftResponse| page.entries,
        )
    }

    fn walk<Q, P, T>(
        &self,
        path: &'static str,
        query: Q,
        pairs: fn(&Q) -> Vec<(&'static str, String)>,
        advance: fn(&mut Q, u64),
        rows: fn(P) -> Vec<T>,
    ) -> impl Stream<Item = Result<T, ResponseError>> + Send + use<Q, P, T>
    where
        Q: Send + Sync,
        P: DeserializeOwned,
        T: Send,
    {
        let walk = Walk {
            client: self.clone(),
            path,
            query,
            ready: VecDeque::new(),
            etag: None,
            ended: false,
        };
        stream::try_unfold(walk, move |mut walk| async move {
            if walk.ready.is_empty() && !walk.ended {
                let transport = &walk.client.transport;
                let url = transport.address(walk.path, &pairs(&walk.query))?;
                let answer = transport.get(url).await?;
                if walk.etag.is_some() && walk.etag != answer.etag {
                    let why = "the catalog changed on the way: begin again";
                    return Err(ResponseError::new(&answer.url, why));
                }
                let page = rows(answer.require()?);
                walk.ended = page.len() < PAGE as usize;
                advance(&mut walk.query, page.len() as u64);
                walk.etag = answer.etag;
                walk.ready = page.into();
            }
            Ok(walk.ready.pop_front().map(|row| (row, walk)))
        })
    }
}
