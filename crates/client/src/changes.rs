//! Following the changes of the catalog.

use futures_util::{Stream, TryStreamExt, stream};

use crate::{
    AppChange, AppHistory, ChangeKind, ChangesResponse, Client, ResponseError, of_app::AppRequest,
};

/// The parameters of `GET /changes`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangesQuery {
    /// Only changes after this point: `next` of an earlier response, the catalog's token, a number or a
    /// time. Without it, the server returns the newest changes.
    pub since: Option<String>,
    /// Filter by vendor (case-insensitive).
    pub vendor: Option<String>,
    /// Filter by slug.
    pub slug: Option<String>,
    /// Filter by kind.
    pub kind: Option<ChangeKind>,
    /// Filter by the name of a changed field.
    pub field: Option<String>,
    /// Whether the changes of an app are combined into one.
    pub squash: bool,
    /// The maximum number of changes, 1 to 1000 (default: 100).
    pub limit: u32,
}

impl Default for ChangesQuery {
    fn default() -> Self {
        Self {
            since: None,
            vendor: None,
            slug: None,
            kind: None,
            field: None,
            squash: false,
            limit: 100,
        }
    }
}

impl ChangesQuery {
    /// A query for everything since a point.
    #[must_use]
    pub fn since(since: impl Into<String>) -> Self {
        Self { since: Some(since.into()), ..Self::default() }
    }

    /// The parameters as name and value pairs.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let pairs = [
            ("since", self.since.clone()),
            ("vendor", self.vendor.clone()),
            ("slug", self.slug.clone()),
            ("kind", self.kind.map(|kind| kind.word().to_owned())),
            ("field", self.field.clone()),
            ("squash", self.squash.then(|| "true".to_owned())),
            ("limit", Some(self.limit.to_string())),
        ];
        pairs.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl Client {
    /// A page of changes: `GET /changes`.
    ///
    /// If the changes since then are no longer available, the error has the status 410: read all apps,
    /// then follow the changes from the token of the catalog.
    pub async fn list_changes(
        &self,
        query: &ChangesQuery,
    ) -> Result<ChangesResponse, ResponseError> {
        self.transport.read("changes", &query.pairs()).await
    }

    /// The pages of changes up to the present. The last one tells where to go on later.
    pub fn changes_pages(
        &self,
        query: ChangesQuery,
    ) -> impl Stream<Item = Result<ChangesResponse, ResponseError>> + use<> {
        let start = (self.clone(), Some(ChangesQuery { limit: 1000, ..query }));
        stream::try_unfold(start, async |(client, query)| {
            let Some(query) = query else { return Ok(None) };
            let page = client.list_changes(&query).await?;
            let next = Some(page.next.clone());
            let next = page.more.then_some(ChangesQuery { since: next, ..query });
            Ok(Some((page, (client, next))))
        })
    }

    /// Every change up to the present.
    pub fn all_changes(
        &self,
        query: ChangesQuery,
    ) -> impl Stream<Item = Result<AppChange, ResponseError>> + use<> {
        let pages = self.changes_pages(query);
        pages.map_ok(|page| stream::iter(page.changes.into_iter().map(Ok))).try_flatten()
    }

    /// The versions that an app had, or `None` if the slug is unknown: `GET /apps/{slug}/history`.
    pub async fn get_app_history(&self, slug: &str) -> Result<Option<AppHistory>, ResponseError> {
        self.read_app(slug, AppRequest::get("/history", &[])).await
    }
}
