//! `PUT /admin/sources/{source}` and `PUT /admin/sources`: the files of upstreams.

use std::sync::Arc;

use appstitch_publish::{BatchSummary, CatalogChange, SourceUpload, Tally, upload_origin};
use appstitch_sources::{FileError, Upstream};
use axum::{
    body::Body,
    extract::{FromRequest, Multipart, Request, State},
    http::Response,
    routing::put,
};
use bytes::Bytes;

use super::{
    rejection::UploadRejection,
    resources::Resources,
    shared::{PUBLISHING, allows_shrink, respond},
    upload,
    work::Work,
};
use crate::{
    parts::ServiceParts,
    route::{Route, UPLOADS, last_segment},
};

pub(crate) const SOURCES_ROUTE: Route =
    Route::private("/admin/sources", || put(put_sources), UPLOADS);
pub(crate) const SOURCE_ROUTE: Route =
    Route::private("/admin/sources/{source}", || put(put_source), UPLOADS);

/// `PUT /admin/sources/{source}`: one upstream's file.
async fn put_source(State(service): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    let result = one(&service, request).await;
    respond(&service, result)
}

/// `PUT /admin/sources`: several upstreams' files as one revision.
async fn put_sources(State(service): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    let result = several(&service, request).await;
    respond(&service, result)
}

async fn one(service: &ServiceParts, request: Request) -> Result<BatchSummary, UploadRejection> {
    let token = last_segment(request.uri().path()).into_owned();
    let allow_shrink = allows_shrink(request.uri().query());
    let (body, work) = upload::receive(service, request).await?;
    let upstream = upstream(&token)?;
    publish(service, work, vec![(upstream, body)], allow_shrink).await
}

async fn several(
    service: &ServiceParts,
    request: Request,
) -> Result<BatchSummary, UploadRejection> {
    let allow_shrink = allows_shrink(request.uri().query());
    let content_type = request.headers().get(axum::http::header::CONTENT_TYPE).cloned();
    let extensions = request.extensions().clone();
    let (body, work) = upload::receive(service, request).await?;
    let size = body.len();
    // The body is complete and within its limits; now it can be split into parts.
    let mut whole = Request::new(Body::from(body));
    *whole.extensions_mut() = extensions;
    if let Some(content_type) = content_type {
        whole.headers_mut().insert(axum::http::header::CONTENT_TYPE, content_type);
    }
    // The parts are copied.
    let ((), work) = work.step(service, move |resources| Ok(resources.hold(size)?)).await?;
    let files = service.publisher.background().spawn(split_form(whole)).await;
    let files = files.map_err(|_| UploadRejection::Failed)??;
    publish(service, work, files, allow_shrink).await
}

/// The maximum number of files in a form. A source has at most a few.
const MAX_PARTS: usize = 100;

/// The files in a form. The form is in memory, so this takes processor time only.
async fn split_form(form: Request) -> Result<Vec<(Upstream, Bytes)>, UploadRejection> {
    let not_multipart = |error: String| {
        UploadRejection::Unreadable(format!("The body is not a multipart form: {error}"))
    };
    let mut parts = Multipart::from_request(form, &())
        .await
        .map_err(|error| not_multipart(error.body_text()))?;
    let mut files = Vec::new();
    while let Some(part) =
        parts.next_field().await.map_err(|error| not_multipart(error.body_text()))?
    {
        if files.len() == MAX_PARTS {
            let why = format!("The form has more than {MAX_PARTS} parts; send less at a time");
            return Err(UploadRejection::Unreadable(why));
        }
        let upstream = upstream(part.name().unwrap_or_default())?;
        let bytes = part.bytes().await.map_err(|error| not_multipart(error.body_text()))?;
        files.push((upstream, bytes));
    }
    if files.is_empty() {
        return Err(UploadRejection::Unreadable(
            "The form has no parts; send one per source, named after it".to_owned(),
        ));
    }
    Ok(files)
}

fn upstream(token: &str) -> Result<Upstream, UploadRejection> {
    Upstream::from_token(token)
        .ok_or_else(|| UploadRejection::UnknownSource(token.chars().take(100).collect()))
}

async fn publish(
    service: &ServiceParts,
    work: Work,
    files: Vec<(Upstream, Bytes)>,
    allow_shrink: bool,
) -> Result<BatchSummary, UploadRejection> {
    let limit = service.limits.unpacked_bytes;
    let reading = work.step(service, move |resources| read(files, limit, resources));
    let ((uploads, tally), work) = reading.await?;
    let change = CatalogChange::Sources { uploads, staying: Vec::new(), allow_shrink };
    let published = work.publish(service, change).await?;
    Ok(tally.summary(published))
}

fn read(
    files: Vec<(Upstream, Bytes)>,
    limit: usize,
    resources: &mut Resources,
) -> Result<(Vec<SourceUpload>, Tally), UploadRejection> {
    let mut tally = Tally::default();
    let mut uploads: Vec<SourceUpload> = Vec::new();
    for (upstream, bytes) in files {
        let number = 1 + uploads.iter().filter(|upload| upload.source == upstream.token()).count();
        let origin = upload_origin(number);
        // One for all files: it limits what the request takes.
        let budget = resources.budget();
        let read = SourceUpload::read(upstream, origin, &bytes, limit, &mut tally, budget);
        let upload = read.map_err(|error| match error {
            FileError::TooLarge { limit } => UploadRejection::TooLarge { limit, is_unpacked: true },
            FileError::Exceeded(limit) => UploadRejection::TooMuch(limit),
            why @ (FileError::Unreadable(_) | FileError::NoTable) => UploadRejection::Unreadable(
                format!("Cannot read the file of {}: {why}", upstream.token()),
            ),
        })?;
        let entries = upload.entries.iter();
        let size: usize = entries.map(|entry| entry.key.len() + entry.body.len()).sum();
        resources.hold(size.saturating_mul(PUBLISHING))?;
        uploads.push(upload);
    }
    Ok((uploads, tally))
}
