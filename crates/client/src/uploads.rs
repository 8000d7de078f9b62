//! Uploads: the files of sources, and whole records. They need the server's deploy token, see
//! [`ClientBuilder::deploy_token`](crate::ClientBuilder::deploy_token).
//!
//! An upload is sent once: if the connection is lost, the server may have received it. To send it again
//! does no harm, because the same data gives the same catalog.

use appstitch_types::{App, AppSources};
use bytes::Bytes;
use reqwest::{Method, RequestBuilder, multipart};
use serde::{Deserialize, Serialize};

use crate::{Client, ErrorKind, ResponseError, of_app::path_segment};

/// How an upload is treated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct UploadOptions {
    /// Whether more than a fifth of the records of a source may be removed. Otherwise, the server
    /// rejects such an upload with the status 409.
    pub allow_shrink: bool,
}

/// What the server did with an upload.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct UploadSummary {
    /// The token of the catalog now.
    pub revision: String,
    /// Whether the catalog changed.
    pub changed: bool,
    /// The number of entries in the upload.
    pub received: u64,
    /// The number of entries that the server took.
    pub accepted: u64,
    /// The number of invalid entries.
    pub rejected: u64,
    /// The first hundred problems.
    pub problems: Vec<UploadProblem>,
    /// The effect on the apps of the catalog.
    pub apps: UploadedApps,
}

/// A problem with an upload.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct UploadProblem {
    /// The entry.
    pub what: String,
    /// What is wrong with it.
    pub why: String,
}

/// The effect of an upload on the apps of the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[non_exhaustive]
pub struct UploadedApps {
    /// The number of apps now.
    pub total: u64,
    /// The number of new apps.
    pub added: u64,
    /// The number of apps with another record than before.
    pub updated: u64,
    /// The number of apps that are gone.
    pub removed: u64,
}

#[derive(Serialize)]
struct SentRecord<'a> {
    app: &'a App,
    sources: Option<&'a AppSources>,
}

impl Client {
    /// Replaces the data of a source with the file as its upstream publishes it:
    /// `PUT /admin/sources/{source}`. The source is a token such as `cask_catalog`; the file may be
    /// compressed with gzip or zstd.
    pub async fn upload_source(
        &self,
        source: &str,
        file: impl Into<Bytes>,
        options: UploadOptions,
    ) -> Result<UploadSummary, ResponseError> {
        let path = admin_path("sources", source)?;
        self.upload(Method::PUT, &path, options, |request| request.body(file.into())).await
    }

    /// The same for several files as one change of the catalog: `PUT /admin/sources`. A source with
    /// several files is named once for each.
    pub async fn upload_sources(
        &self,
        files: impl IntoIterator<Item = (String, Bytes)>,
        options: UploadOptions,
    ) -> Result<UploadSummary, ResponseError> {
        let form = files.into_iter().fold(multipart::Form::new(), |form, (source, file)| {
            let length = file.len() as u64;
            form.part(source, multipart::Part::stream_with_length(file, length))
        });
        self.upload(Method::PUT, "admin/sources", options, |request| request.multipart(form)).await
    }

    /// Replaces all manual records: `PUT /admin/records`. The body has one object with `app` and
    /// `sources` per line.
    pub async fn replace_records(
        &self,
        lines: impl Into<Bytes>,
        options: UploadOptions,
    ) -> Result<UploadSummary, ResponseError> {
        self.upload(Method::PUT, "admin/records", options, |request| request.body(lines.into()))
            .await
    }

    /// Adds or replaces one manual record: `PUT /admin/records/{slug}`.
    pub async fn put_record(
        &self,
        app: &App,
        sources: Option<&AppSources>,
    ) -> Result<UploadSummary, ResponseError> {
        let path = admin_path("records", app.slug.as_str())?;
        let record = serde_json::to_vec(&SentRecord { app, sources }).map_err(|error| {
            ResponseError::new(ErrorKind::InvalidBody, &path, error.to_string()).with_cause(error)
        })?;
        let options = UploadOptions::default();
        self.upload(Method::PUT, &path, options, |request| request.body(record)).await
    }

    /// Removes one manual record: `DELETE /admin/records/{slug}`. An unknown one is an error with the
    /// status 404.
    pub async fn delete_record(&self, slug: &str) -> Result<UploadSummary, ResponseError> {
        let path = admin_path("records", slug)?;
        self.upload(Method::DELETE, &path, UploadOptions::default(), |request| request).await
    }

    async fn upload(
        &self,
        method: Method,
        path: &str,
        options: UploadOptions,
        fill: impl FnOnce(RequestBuilder) -> RequestBuilder,
    ) -> Result<UploadSummary, ResponseError> {
        let pairs = options.allow_shrink.then(|| ("allow_shrink", "true".to_owned()));
        let url = self.transport.address(path, pairs.as_slice())?;
        let Some(token) = &self.deploy_token else {
            let why = "an upload requires a deploy token; set it with ClientBuilder::deploy_token";
            return Err(ResponseError::new(ErrorKind::InvalidToken, url.as_str(), why));
        };
        self.transport.upload(method, url, token, fill).await?.require()
    }
}

fn admin_path(route: &str, name: &str) -> Result<String, ResponseError> {
    let invalid = || ResponseError::new(ErrorKind::InvalidUrl, name, "not a name");
    Ok(format!("admin/{route}/{}", path_segment(name).ok_or_else(invalid)?))
}
