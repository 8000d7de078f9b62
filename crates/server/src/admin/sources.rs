//! `PUT /admin/sources/{source}` and `PUT /admin/sources`: the upstreams' own files.

use std::{
    io::{self, Read},
    sync::Arc,
};

use appstitch_sources::Upstream;
use axum::{
    body::Body,
    extract::{FromRequest, Multipart, Request, State},
    http::Response,
};
use bytes::Bytes;
use flate2::read::MultiGzDecoder;

use super::{allows_shrink, blocking, refusal::Refusal, respond, upload};
use crate::{
    http::Route,
    publish::{BatchSummary, CatalogChange, SourceUpload, Tally},
    service::Service,
};

/// `PUT /admin/sources/{source}`: one upstream's file.
pub(crate) async fn put_source(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = one(&service, request).await;
    respond(&service, result)
}

/// `PUT /admin/sources`: several upstreams' files as one revision.
pub(crate) async fn put_sources(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = several(&service, request).await;
    respond(&service, result)
}

async fn one(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    let token = Route::of(request.uri().path()).slug().into_owned();
    let allow_shrink = allows_shrink(request.uri().query());
    let body = upload::receive(service, request).await?;
    let upstream = upstream(&token)?;
    publish(service, vec![(upstream, body)], allow_shrink).await
}

async fn several(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    let allow_shrink = allows_shrink(request.uri().query());
    let content_type = request.headers().get(axum::http::header::CONTENT_TYPE).cloned();
    let extensions = request.extensions().clone();
    let body = upload::receive(service, request).await?;
    // Received whole and within bounds; now it can be taken apart.
    let mut whole = Request::new(Body::from(body));
    *whole.extensions_mut() = extensions;
    if let Some(content_type) = content_type {
        whole.headers_mut().insert(axum::http::header::CONTENT_TYPE, content_type);
    }
    let files = service.publisher().background().spawn(take_apart(whole)).await;
    publish(service, files.map_err(|_| Refusal::Failed)??, allow_shrink).await
}

/// The files in a form. The whole of it is in memory, so this is work and no waiting.
async fn take_apart(form: Request) -> Result<Vec<(Upstream, Bytes)>, Refusal> {
    let not_multipart =
        |error: String| Refusal::Unreadable(format!("The body is no multipart form: {error}"));
    let mut parts = Multipart::from_request(form, &())
        .await
        .map_err(|error| not_multipart(error.body_text()))?;
    let mut files = Vec::new();
    while let Some(part) =
        parts.next_field().await.map_err(|error| not_multipart(error.body_text()))?
    {
        let upstream = upstream(part.name().unwrap_or_default())?;
        let bytes = part.bytes().await.map_err(|error| not_multipart(error.body_text()))?;
        files.push((upstream, bytes));
    }
    if files.is_empty() {
        return Err(Refusal::Unreadable(
            "The form holds no part: name each after its source".to_owned(),
        ));
    }
    Ok(files)
}

fn upstream(token: &str) -> Result<Upstream, Refusal> {
    Upstream::from_token(token)
        .ok_or_else(|| Refusal::UnknownSource(token.chars().take(100).collect()))
}

async fn publish(
    service: &Service,
    files: Vec<(Upstream, Bytes)>,
    allow_shrink: bool,
) -> Result<BatchSummary, Refusal> {
    let limit = service.limits().unpacked_bytes;
    let (uploads, tally) = blocking(service, move || read(files, limit)).await??;
    let change = CatalogChange::Sources { uploads, allow_shrink };
    let published = service.publisher().publish(change).await?;
    Ok(tally.summary(published))
}

fn read(
    files: Vec<(Upstream, Bytes)>,
    limit: usize,
) -> Result<(Vec<SourceUpload>, Tally), Refusal> {
    let mut tally = Tally::default();
    let mut uploads: Vec<SourceUpload> = Vec::new();
    for (upstream, bytes) in files {
        let mut file =
            Bounded { reader: unpacking(upstream, &bytes), left: limit, exceeded: false };
        let read = SourceUpload::read(upstream, &mut file, &mut tally);
        if file.exceeded {
            return Err(Refusal::TooLarge { limit, unpacked: true });
        }
        let upload = read.map_err(|why| {
            Refusal::Unreadable(format!("The file of {} cannot be read: {why}", upstream.token()))
        })?;
        uploads.push(upload);
    }
    Ok((uploads, tally))
}

/// Upstream files are often kept gzipped: they are unpacked while they are read. The labels'
/// archive is gzipped by nature.
fn unpacking(upstream: Upstream, bytes: &[u8]) -> Box<dyn Read + '_> {
    if upstream == Upstream::LabelTool || !bytes.starts_with(&[0x1f, 0x8b]) {
        return Box::new(bytes);
    }
    Box::new(MultiGzDecoder::new(bytes))
}

/// A file that may not grow over a limit.
struct Bounded<'a> {
    reader: Box<dyn Read + 'a>,
    left: usize,
    exceeded: bool,
}

impl Read for Bounded<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        let Some(left) = self.left.checked_sub(read) else {
            self.exceeded = true;
            return Err(io::ErrorKind::FileTooLarge.into());
        };
        self.left = left;
        Ok(read)
    }
}
