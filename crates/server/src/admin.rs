//! Uploads: how fresh catalog data comes in. Not part of the public interface.

mod access;
mod labels;
mod refusal;
mod sources;
mod upload;

pub(crate) use labels::{resolved_labels, unresolved_labels};
pub(crate) use sources::{put_source, put_sources};

use std::sync::Arc;

use appstitch_catalog::Slug;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Response, StatusCode},
    response::IntoResponse,
};

use crate::{
    http::{Route, json},
    metrics::UploadResult,
    publish::{Batch, BatchSummary, CatalogChange, RecordsChange},
    service::Service,
};
use refusal::Refusal;

/// `PUT /admin/records`: these are all the hand-given records there are.
pub(crate) async fn replace_records(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = replace(&service, request).await;
    respond(&service, result)
}

/// `PUT /admin/records/{slug}`: one record, new or replaced.
pub(crate) async fn put_record(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = put(&service, request).await;
    respond(&service, result)
}

/// `DELETE /admin/records/{slug}`: one record less.
pub(crate) async fn delete_record(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = delete(&service, request).await;
    respond(&service, result)
}

async fn replace(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    let allow_shrink = allows_shrink(request.uri().query());
    let body = upload::receive(service, request).await?;
    let mut batch = blocking(service, move || Batch::read(&body)).await?;
    if batch.received > 0 && !batch.readable {
        return Err(Refusal::unreadable(&batch));
    }
    let change = batch.replacement(allow_shrink);
    let published = service.publisher().publish(change).await?;
    Ok(batch.summary(published))
}

async fn put(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    let slug = Route::of(request.uri().path()).slug().into_owned();
    let body = upload::receive(service, request).await?;
    let mut batch = blocking(service, move || Batch::read_one(&body)).await?;
    let Some(record) = batch.records.pop() else {
        return Err(Refusal::unreadable(&batch));
    };
    if record.app.slug != served_slug(&slug)? {
        return Err(Refusal::OtherSlug { path: slug, body: record.app.slug.to_string() });
    }
    let published = service
        .publisher()
        .publish(CatalogChange::Records(RecordsChange::Put(Box::new(record))))
        .await?;
    Ok(batch.summary(published))
}

async fn delete(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    access::check(service, request.headers())?;
    let slug = served_slug(&Route::of(request.uri().path()).slug())?;
    let published =
        service.publisher().publish(CatalogChange::Records(RecordsChange::Remove(slug))).await?;
    Ok(Batch::empty().summary(published))
}

/// The slug under which a record with the path's slug is kept.
fn served_slug(slug: &str) -> Result<Slug, Refusal> {
    let slug = Slug::parse(slug).map_err(|broken| Refusal::Unreadable(broken.to_string()))?;
    Ok(slug.unshadowed().unwrap_or(slug))
}

fn allows_shrink(query: Option<&str>) -> bool {
    form_urlencoded::parse(query.unwrap_or_default().as_bytes())
        .filter(|(name, _)| name == "allow_shrink")
        .last()
        .is_some_and(|(_, value)| {
            ["", "true", "1", "yes", "on"].iter().any(|word| value.eq_ignore_ascii_case(word))
        })
}

fn respond(service: &Service, result: Result<BatchSummary, Refusal>) -> Response<Body> {
    match result {
        Ok(summary) => {
            let outcome =
                if summary.changed { UploadResult::Changed } else { UploadResult::Unchanged };
            service.metrics().count_upload(outcome);
            tracing::info!(
                revision = summary.revision,
                changed = summary.changed,
                received = summary.received,
                rejected = summary.rejected,
                "took an upload"
            );
            json(StatusCode::OK, &summary)
        }
        Err(refusal) => {
            service.metrics().count_upload(UploadResult::Refused);
            let response = refusal.into_response();
            tracing::info!(status = response.status().as_u16(), "refused an upload");
            response
        }
    }
}

/// Runs work that would hold up an async thread, and the reads.
async fn blocking<T, W>(service: &Service, work: W) -> Result<T, Refusal>
where
    T: Send + 'static,
    W: FnOnce() -> T + Send + 'static,
{
    service.publisher().background().run_blocking(work).await.map_err(|_| Refusal::Failed)
}
