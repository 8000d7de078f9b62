//! Apps as files for other tools.

use bytes::Bytes;

use crate::{
    AppExports, Client, RawResponse, ResponseError,
    of_app::{AppRequest, path_segment},
};

/// Which apps an archive of exports has; all by default.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExportQuery {
    /// Only apps with these slugs, at most 500.
    pub slugs: Option<Vec<String>>,
    /// Only apps of this vendor, ignoring case.
    pub vendor: Option<String>,
    /// Only apps with this source.
    pub source: Option<String>,
}

impl ExportQuery {
    /// Only apps with these slugs.
    #[must_use]
    pub fn slugs(slugs: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { slugs: Some(slugs.into_iter().map(Into::into).collect()), ..Self::default() }
    }

    fn pairs(&self) -> Vec<(&'static str, String)> {
        let slugs = self.slugs.as_ref().map(|slugs| slugs.join(","));
        let pairs =
            [("slugs", slugs), ("vendor", self.vendor.clone()), ("source", self.source.clone())];
        pairs.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl Client {
    /// The formats that fit an app, or `None` if the slug is unknown: `GET /apps/{slug}/exports`.
    pub async fn get_app_exports(&self, slug: &str) -> Result<Option<AppExports>, ResponseError> {
        self.read_app(slug, AppRequest::get("/exports", &[])).await
    }

    /// An app as a file for another tool, or `None` if the slug is unknown:
    /// `GET /apps/{slug}/export/{format}`. An unknown format is an error.
    ///
    /// If a fact is missing that the tool needs, the error has the status 409 and says which.
    pub async fn export_app(
        &self,
        slug: &str,
        format: &str,
    ) -> Result<Option<String>, ResponseError> {
        let file = self.export_app_raw(slug, format).await?;
        file.map(|file| file.text()).transpose()
    }

    /// Like [`Client::export_app`], as the server sent it.
    pub async fn export_app_raw(
        &self,
        slug: &str,
        format: &str,
    ) -> Result<Option<RawResponse>, ResponseError> {
        let Some(format) = path_segment(format) else { return Ok(None) };
        // Names of formats have hyphens, which may stand in a path.
        let route = format!("/export/{}", format.replace("%2D", "-"));
        self.request_app(slug, AppRequest::get(&route, &[])).await
    }

    /// The files of many apps as a `tar.gz`, with a `REPORT.csv` of what does not fit, or `None` if the
    /// format cannot be part of a path: `GET /export/{format}.tar.gz`. An unknown format is an error.
    pub async fn export_apps(
        &self,
        format: &str,
        query: &ExportQuery,
    ) -> Result<Option<Bytes>, ResponseError> {
        let Some(format) = path_segment(format) else { return Ok(None) };
        let path = format!("export/{}.tar.gz", format.replace("%2D", "-"));
        let found = self.get_raw(&path, &query.pairs()).await?;
        Ok(found.map(|archive| archive.body))
    }
}
