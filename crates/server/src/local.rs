//! A service that is asked in this process, without a connection.
//!
//! Whoever writes answers to files gets the bytes and the header fields that a client of the same
//! revision would get, because the same handlers make them. Everything comes from one revision, the
//! one that was current at the start.

use std::sync::Arc;

use appstitch_catalog_files::CatalogFiles;
use appstitch_snapshot::Snapshot;
use appstitch_wire::LibraryBody;
use axum::http::{Response, StatusCode};
use bytes::Bytes;
use http_body_util::BodyExt;

use crate::{
    docs, endpoints::ServiceEndpoints, pages::site, route::Export, routes::ROUTES, service::Service,
};

/// A service without connections, at one revision.
pub struct LocalService {
    endpoints: ServiceEndpoints,
    snapshot: Arc<Snapshot>,
}

/// What a client would get.
#[derive(Debug, Clone)]
pub struct LocalResponse {
    pub status: u16,
    /// The header fields, in lower case, without those of a connection.
    pub headers: Vec<(String, String)>,
    /// The body, not compressed.
    pub body: Bytes,
}

impl LocalResponse {
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(field, _)| field == name).map(|(_, value)| value.as_str())
    }
}

impl LocalService {
    /// Asks a service about the revision that it has now.
    #[must_use]
    pub fn new(service: Service) -> Self {
        let snapshot = service.snapshot();
        Self { endpoints: ServiceEndpoints::new(Arc::new(service)), snapshot }
    }

    #[must_use]
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The token inside the entity tag of every page.
    #[must_use]
    pub fn page_tag(&self) -> String {
        site(self.endpoints.service().parts(), &self.snapshot).tag()
    }

    /// Makes the files of the catalog, which takes about a second.
    pub async fn make_catalog_files(&self) {
        let parts = self.endpoints.service().parts();
        // If it fails, the response to the index tells.
        drop(parts.catalog.files_of(&parts.publisher, Arc::clone(&self.snapshot)).await);
    }

    /// The files of the catalog, if they were made.
    #[must_use]
    pub fn catalog_files(&self) -> Option<Arc<CatalogFiles>> {
        self.endpoints.service().parts().catalog.find(self.snapshot.token())
    }

    /// The paths of all routes, with what is exported of them.
    pub fn routes() -> impl Iterator<Item = (&'static str, Export)> {
        ROUTES.iter().map(|route| (route.path, route.export))
    }

    /// The names of the files below `/docs/`.
    #[must_use]
    pub fn documentation_files() -> &'static [&'static str] {
        &docs::PAGE_FILES
    }

    /// The response to GET. The address is a path with its query, percent-encoded; `accept` is the value
    /// of that header field, empty for none.
    pub async fn get(&self, address: &str, accept: &str) -> LocalResponse {
        let response = self.endpoints.get(&self.snapshot, address, accept).await;
        read(response).await
    }
}

async fn read(response: Response<LibraryBody>) -> LocalResponse {
    let (parts, body) = response.into_parts();
    let fields = parts.headers.iter().filter(|(name, _)| *name != "content-length");
    let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let headers =
        fields.map(|(name, value)| (name.as_str().to_owned(), text(value.as_bytes()))).collect();
    match body.collect().await {
        Ok(body) => LocalResponse { status: parts.status.as_u16(), headers, body: body.to_bytes() },
        Err(error) => {
            tracing::error!(%error, "cannot read an answer of this process");
            let status = StatusCode::INTERNAL_SERVER_ERROR.as_u16();
            LocalResponse { status, headers, body: Bytes::new() }
        }
    }
}
