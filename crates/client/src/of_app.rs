//! Requests about one app, by its slug or another of its names.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;

use crate::{
    Client, RawResponse, ResponseError, canonical,
    transport::{ServerResponse, decode},
};

/// The format of a generated label.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelFormat {
    /// JSON with the variables, the sources and warnings.
    Json,
    /// A shell fragment for the label tool.
    Shell,
}

impl LabelFormat {
    pub(crate) const fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Shell => "text/x-shellscript",
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct AppRequest<'a> {
    /// The path after the slug, such as `/drift`.
    route: &'a str,
    pairs: &'a [(&'static str, String)],
    /// The format to generate it in, for what the server does not keep.
    generate: Option<LabelFormat>,
}

impl<'a> AppRequest<'a> {
    pub(crate) const fn get(route: &'a str, pairs: &'a [(&'static str, String)]) -> Self {
        Self { route, pairs, generate: None }
    }

    pub(crate) const fn label(format: LabelFormat) -> Self {
        Self { route: "/generate-label", pairs: &[], generate: Some(format) }
    }
}

impl Client {
    /// The response about the app with a slug. If there is none, but the name is another one of
    /// exactly one app, the response about that app.
    pub(crate) async fn request_app(
        &self,
        slug: &str,
        request: AppRequest<'_>,
    ) -> Result<Option<RawResponse>, ResponseError> {
        let Some(response) = self.request_once(slug, request).await? else { return Ok(None) };
        let canonical = response.link.as_deref().filter(|_| self.follow_canonical);
        match canonical.and_then(|link| canonical::slug_in(link, request.route)) {
            None => Ok(response.raw(None)),
            Some(canonical) => {
                tracing::debug!(name = slug, slug = %canonical, "the name belongs to another slug");
                // Not followed again: a link must not lead to a chain of requests.
                let response = self.request_once(canonical.as_str(), request).await?;
                Ok(response.and_then(|response| response.raw(Some(canonical))))
            }
        }
    }

    /// Like [`Client::request_app`], decoded.
    pub(crate) async fn read_app<T: DeserializeOwned>(
        &self,
        slug: &str,
        request: AppRequest<'_>,
    ) -> Result<Option<T>, ResponseError> {
        let response = self.request_app(slug, request).await?;
        response.map(|response| decode(&response.url, &response.body)).transpose()
    }

    /// `None` for a slug that cannot be part of a path.
    async fn request_once(
        &self,
        slug: &str,
        request: AppRequest<'_>,
    ) -> Result<Option<ServerResponse>, ResponseError> {
        let Some(slug) = path_segment(slug) else { return Ok(None) };
        let path = format!("apps/{slug}{}", request.route);
        let url = self.transport.address(&path, request.pairs)?;
        match request.generate {
            None => self.transport.get(url).await.map(Some),
            Some(format) => self.transport.post(url, format.media_type(), None).await.map(Some),
        }
    }
}

/// A text as one segment of a path. `None` for an empty one and for `.` and `..`, which would
/// resolve to another path.
pub(crate) fn path_segment(text: &str) -> Option<String> {
    (!matches!(text, "" | "." | ".."))
        .then(|| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string())
}
