//! The routes of the service, one function each.

use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use url::Url;

use crate::{
    App, AppSources, AppsQuery, CatalogStats, Client, DriftEntry, DriftQuery, DriftResponse,
    ErrorKind, GeneratedLabel, Provenance, RawResponse, ResponseError, transport::ServerAnswer,
};

impl Client {
    /// Apps in slug order: `GET /apps`.
    pub async fn list_apps(&self, query: &AppsQuery) -> Result<Vec<App>, ResponseError> {
        let url = self.transport.address("apps", &query.pairs())?;
        self.transport.get(url).await?.require()
    }

    /// One app, or `None` if the slug is unknown: `GET /apps/{slug}`.
    pub async fn get_app(&self, slug: &str) -> Result<Option<App>, ResponseError> {
        self.of_app(slug, "").await
    }

    /// The source data of an app, or `None` if the slug is unknown: `GET /apps/{slug}/sources`.
    pub async fn get_app_sources(&self, slug: &str) -> Result<Option<AppSources>, ResponseError> {
        self.of_app(slug, "/sources").await
    }

    /// The origin of each field of an app, or `None` if the slug is unknown:
    /// `GET /apps/{slug}/provenance`.
    pub async fn get_app_provenance(
        &self,
        slug: &str,
    ) -> Result<Option<Provenance>, ResponseError> {
        self.of_app(slug, "/provenance").await
    }

    /// The drift of an app, or `None` if its sources agree or the slug is unknown:
    /// `GET /apps/{slug}/drift`.
    pub async fn get_app_drift(&self, slug: &str) -> Result<Option<DriftEntry>, ResponseError> {
        self.of_app::<Option<DriftEntry>>(slug, "/drift").await.map(Option::flatten)
    }

    /// Apps whose sources disagree on the newest version: `GET /apps/drift`.
    pub async fn list_drift(&self, query: &DriftQuery) -> Result<DriftResponse, ResponseError> {
        let url = self.transport.address("apps/drift", &query.pairs())?;
        self.transport.get(url).await?.require()
    }

    /// Slugs by installer title code: `GET /apps/jamf-index`.
    pub async fn get_jamf_index(&self) -> Result<BTreeMap<String, Vec<String>>, ResponseError> {
        let url = self.transport.address("apps/jamf-index", &[])?;
        self.transport.get(url).await?.require()
    }

    /// An installer label, or `None` if the slug is unknown:
    /// `POST /apps/{slug}/generate-label`.
    pub async fn generate_label(
        &self,
        slug: &str,
    ) -> Result<Option<GeneratedLabel>, ResponseError> {
        let Some(url) = self.app_address(slug, "/generate-label")? else { return Ok(None) };
        self.transport.post(url, "application/json").await?.read()
    }

    /// The same label as a shell fragment for the label tool.
    pub async fn generate_label_fragment(
        &self,
        slug: &str,
    ) -> Result<Option<String>, ResponseError> {
        let Some(url) = self.app_address(slug, "/generate-label")? else { return Ok(None) };
        let answer = self.transport.post(url, "text/x-shellscript").await?;
        let text = answer.body.map(|body| String::from_utf8(body.into())).transpose();
        text.map_err(|error| {
            ResponseError::new(ErrorKind::InvalidBody, &answer.url, "the body is not UTF-8 text")
                .with_cause(error)
        })
    }

    /// Catalog statistics: `GET /stats`.
    pub async fn get_stats(&self) -> Result<CatalogStats, ResponseError> {
        let url = self.transport.address("stats", &[])?;
        self.transport.get(url).await?.require()
    }

    /// The response to `GET` on a path as the server sent it, or `None` if the slug in the path is
    /// unknown.
    pub async fn get_raw(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Option<RawResponse>, ResponseError> {
        let url = self.transport.address(path.trim_start_matches('/'), pairs)?;
        let ServerAnswer { url, body, total_count, .. } = self.transport.get(url).await?;
        Ok(body.map(|body| RawResponse { body, total_count, url }))
    }

    async fn of_app<T: DeserializeOwned>(
        &self,
        slug: &str,
        detail: &str,
    ) -> Result<Option<T>, ResponseError> {
        let Some(url) = self.app_address(slug, detail)? else { return Ok(None) };
        self.transport.get(url).await?.read()
    }

    /// The URL of an app. A slug is always encoded as one path segment. `None` for an empty slug
    /// and for `.` and `..`, which would resolve to another path.
    fn app_address(&self, slug: &str, detail: &str) -> Result<Option<Url>, ResponseError> {
        if matches!(slug, "" | "." | "..") {
            return Ok(None);
        }
        let slug = utf8_percent_encode(slug, NON_ALPHANUMERIC);
        self.transport.address(&format!("apps/{slug}{detail}"), &[]).map(Some)
    }
}
