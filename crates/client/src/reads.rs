//! The reads of the service, one function per route.

use std::collections::BTreeMap;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use url::Url;

use crate::{
    App, AppSources, AppsQuery, CatalogStats, Client, DriftEntry, DriftQuery, DriftResponse,
    GeneratedLabel, Provenance, ResponseError,
};

impl Client {
    /// Apps in slug order: `GET /apps`.
    pub async fn list_apps(&self, query: &AppsQuery) -> Result<Vec<App>, ResponseError> {
        let url = self.transport.address("apps", &query.pairs())?;
        self.transport.get(url).await?.require()
    }

    /// One app; `None` if there is none with this slug.
    pub async fn get_app(&self, slug: &str) -> Result<Option<App>, ResponseError> {
        self.of_app(slug, "").await
    }

    /// What each source said about an app; `None` if there is none with this slug.
    pub async fn get_app_sources(&self, slug: &str) -> Result<Option<AppSources>, ResponseError> {
        self.of_app(slug, "/sources").await
    }

    /// Where an app's values are from; `None` if there is none with this slug.
    pub async fn get_app_provenance(
        &self,
        slug: &str,
    ) -> Result<Option<Provenance>, ResponseError> {
        self.of_app(slug, "/provenance").await
    }

    /// An app's drift; `None` if its sources agree, or there is no app with this slug.
    pub async fn get_app_drift(&self, slug: &str) -> Result<Option<DriftEntry>, ResponseError> {
        self.of_app::<Option<DriftEntry>>(slug, "/drift").await.map(Option::flatten)
    }

    /// Apps whose sources disagree: `GET /apps/drift`.
    pub async fn list_drift(&self, query: &DriftQuery) -> Result<DriftResponse, ResponseError> {
        let url = self.transport.address("apps/drift", &query.pairs())?;
        self.transport.get(url).await?.require()
    }

    /// Slugs by the code of their installer title: `GET /apps/jamf-index`.
    pub async fn get_jamf_index(&self) -> Result<BTreeMap<String, Vec<String>>, ResponseError> {
        let url = self.transport.address("apps/jamf-index", &[])?;
        self.transport.get(url).await?.require()
    }

    /// An installer label; `None` if there is no app with this slug.
    pub async fn generate_label(
        &self,
        slug: &str,
    ) -> Result<Option<GeneratedLabel>, ResponseError> {
        let Some(url) = self.app_address(slug, "/generate-label")? else { return Ok(None) };
        self.transport.post(url, "application/json").await?.read()
    }

    /// The same label as a fragment that the label tool can run.
    pub async fn generate_label_fragment(
        &self,
        slug: &str,
    ) -> Result<Option<String>, ResponseError> {
        let Some(url) = self.app_address(slug, "/generate-label")? else { return Ok(None) };
        let answer = self.transport.post(url, "text/x-shellscript").await?;
        let text = answer.body.map(|body| String::from_utf8(body.into())).transpose();
        text.map_err(|error| {
            ResponseError::new(&answer.url, "the answer is no text").with_source(error)
        })
    }

    /// The catalog in numbers: `GET /stats`.
    pub async fn get_stats(&self) -> Result<CatalogStats, ResponseError> {
        let url = self.transport.address("stats", &[])?;
        self.transport.get(url).await?.require()
    }

    /// The answer of a path as it is sent; `None` where there is no such app.
    pub async fn get_raw(
        &self,
        path: &str,
        pairs: &[(&'static str, String)],
    ) -> Result<Option<bytes::Bytes>, ResponseError> {
        let url = self.transport.address(path.trim_start_matches('/'), pairs)?;
        Ok(self.transport.get(url).await?.body)
    }

    async fn of_app<T: DeserializeOwned>(
        &self,
        slug: &str,
        detail: &str,
    ) -> Result<Option<T>, ResponseError> {
        let Some(url) = self.app_address(slug, detail)? else { return Ok(None) };
        self.transport.get(url).await?.read()
    }

    /// An app's address. A slug is one part of the path, whatever is in it; `None` for those that
    /// cannot be one: nothing, and dots that would lead elsewhere.
    fn app_address(&self, slug: &str, detail: &str) -> Result<Option<Url>, ResponseError> {
        if matches!(slug, "" | "." | "..") {
            return Ok(None);
        }
        let slug = utf8_percent_encode(slug, NON_ALPHANUMERIC);
        self.transport.address(&format!("apps/{slug}{detail}"), &[]).map(Some)
    }
}
