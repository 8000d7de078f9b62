//! The routes of the service, one function each.
//!
//! A read of one app accepts every name that belongs to exactly one app, unless
//! [`ClientBuilder::follow_canonical`](crate::ClientBuilder::follow_canonical) is off.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::{
    AliasMatches, App, AppDetails, AppSources, AppsQuery, CatalogStats, Client, DriftEntry,
    DriftQuery, DriftResponse, DriftScope, GeneratedLabel, LabelFormat, Provenance, RawResponse,
    ResponseError, SearchQuery, SearchResponse, SourceStatusResponse, VersionComparison,
    of_app::{AppRequest, path_segment},
};

impl Client {
    /// Apps in slug order: `GET /apps`.
    pub async fn list_apps(&self, query: &AppsQuery) -> Result<Vec<App>, ResponseError> {
        self.transport.read("apps", &query.pairs()).await
    }

    /// One app, or `None` if the slug is unknown: `GET /apps/{slug}`.
    pub async fn get_app(&self, slug: &str) -> Result<Option<App>, ResponseError> {
        self.read_app(slug, AppRequest::get("", &[])).await
    }

    /// What the sources know about an app beyond its record, or `None` if the slug is unknown:
    /// `GET /apps/{slug}/details`.
    pub async fn get_app_details(&self, slug: &str) -> Result<Option<AppDetails>, ResponseError> {
        self.read_app(slug, AppRequest::get("/details", &[])).await
    }

    /// The source data of an app, or `None` if the slug is unknown: `GET /apps/{slug}/sources`.
    pub async fn get_app_sources(&self, slug: &str) -> Result<Option<AppSources>, ResponseError> {
        self.read_app(slug, AppRequest::get("/sources", &[])).await
    }

    /// The origin of each field of an app, or `None` if the slug is unknown:
    /// `GET /apps/{slug}/provenance`.
    pub async fn get_app_provenance(
        &self,
        slug: &str,
    ) -> Result<Option<Provenance>, ResponseError> {
        self.read_app(slug, AppRequest::get("/provenance", &[])).await
    }

    /// The drift of an app between its label and its cask, or `None` if they agree or the slug is
    /// unknown: `GET /apps/{slug}/drift`.
    pub async fn get_app_drift(&self, slug: &str) -> Result<Option<DriftEntry>, ResponseError> {
        self.get_app_drift_with(slug, DriftScope::default()).await
    }

    /// The drift of an app, with further sources compared:
    /// `GET /apps/{slug}/drift?include={include}`.
    pub async fn get_app_drift_with(
        &self,
        slug: &str,
        include: DriftScope,
    ) -> Result<Option<DriftEntry>, ResponseError> {
        let pairs = DriftQuery::app_pairs(include);
        let request = AppRequest::get("/drift", &pairs);
        self.read_app::<Option<DriftEntry>>(slug, request).await.map(Option::flatten)
    }

    /// Apps whose sources disagree on the newest version: `GET /apps/drift`.
    pub async fn list_drift(&self, query: &DriftQuery) -> Result<DriftResponse, ResponseError> {
        self.transport.read("apps/drift", &query.pairs()).await
    }

    /// Slugs by installer title code: `GET /apps/jamf-index`.
    pub async fn get_jamf_index(&self) -> Result<BTreeMap<String, Vec<String>>, ResponseError> {
        self.transport.read("apps/jamf-index", &[]).await
    }

    /// The apps with exactly this name of any kind, ignoring case, or `None` if there are none:
    /// `GET /aliases/{name}`.
    pub async fn find_alias(&self, name: &str) -> Result<Option<AliasMatches>, ResponseError> {
        let found = self.find_alias_raw(name).await?;
        found.map(|found| found.decode()).transpose()
    }

    /// Like [`Client::find_alias`], as the server sent it.
    pub async fn find_alias_raw(&self, name: &str) -> Result<Option<RawResponse>, ResponseError> {
        match path_segment(name) {
            Some(name) => self.get_raw(&format!("aliases/{name}"), &[]).await,
            None => Ok(None),
        }
    }

    /// The apps that match a text, best first: `GET /search`.
    pub async fn search_apps(&self, query: &SearchQuery) -> Result<SearchResponse, ResponseError> {
        self.transport.read("search", &query.pairs()).await
    }

    /// The order of two versions, by the catalog's rules: `GET /versions/compare`.
    pub async fn compare_versions(
        &self,
        a: &str,
        b: &str,
    ) -> Result<VersionComparison, ResponseError> {
        let pairs = [("a", a.to_owned()), ("b", b.to_owned())];
        self.transport.read("versions/compare", &pairs).await
    }

    /// An installer label, or `None` if the slug is unknown:
    /// `POST /apps/{slug}/generate-label`.
    pub async fn generate_label(
        &self,
        slug: &str,
    ) -> Result<Option<GeneratedLabel>, ResponseError> {
        self.read_app(slug, AppRequest::label(LabelFormat::Json)).await
    }

    /// The same label as a shell fragment for the label tool.
    pub async fn generate_label_fragment(
        &self,
        slug: &str,
    ) -> Result<Option<String>, ResponseError> {
        let fragment = self.generate_label_raw(slug, LabelFormat::Shell).await?;
        fragment.map(|fragment| fragment.text()).transpose()
    }

    /// A label as the server sent it, or `None` if the slug is unknown.
    pub async fn generate_label_raw(
        &self,
        slug: &str,
        format: LabelFormat,
    ) -> Result<Option<RawResponse>, ResponseError> {
        self.request_app(slug, AppRequest::label(format)).await
    }

    /// What each source contributes, and how recent it is: `GET /sources`.
    pub async fn get_source_status(&self) -> Result<SourceStatusResponse, ResponseError> {
        self.transport.read("sources", &[]).await
    }

    /// Whether the server is up, and what it serves: `GET /health`. The keys depend on the server's
    /// settings; `status`, `version`, `revision`, `apps` and `store` are always there.
    pub async fn get_health(&self) -> Result<Map<String, Value>, ResponseError> {
        self.transport.read("health", &[]).await
    }

    /// Catalog statistics: `GET /stats`.
    pub async fn get_stats(&self) -> Result<CatalogStats, ResponseError> {
        self.transport.read("stats", &[]).await
    }

    /// The response to `GET` on a route of an app as the server sent it, or `None` if the slug is
    /// unknown. The route is the path after the slug, such as `/drift`; empty for the record.
    pub async fn get_app_raw(
        &self,
        slug: &str,
        route: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Option<RawResponse>, ResponseError> {
        self.request_app(slug, AppRequest::get(route, pairs)).await
    }

    /// The response to `GET` on a path as the server sent it, or `None` if the slug or name in the
    /// path is unknown.
    pub async fn get_raw(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Option<RawResponse>, ResponseError> {
        let url = self.transport.address(path.trim_start_matches('/'), pairs)?;
        Ok(self.transport.get(url).await?.raw(None))
    }
}
