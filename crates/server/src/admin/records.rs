//! `/admin/records`: manual records.

use std::sync::Arc;

use appstitch_publish::{Batch, BatchSummary, CatalogChange, RecordsChange};
use appstitch_types::Slug;
use axum::{
    body::Body,
    extract::{Request, State},
    http::Response,
    routing::put as put_method,
};

use super::{
    access,
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

pub(crate) const RECORDS_ROUTE: Route =
    Route::private("/admin/records", || put_method(replace_records), UPLOADS);
pub(crate) const RECORD_ROUTE: Route = Route::private(
    "/admin/records/{slug}",
    || put_method(put_record).delete(delete_record),
    UPLOADS,
);

/// `PUT /admin/records`: replaces all manual records.
async fn replace_records(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    let result = replace(&service, request).await;
    respond(&service, result)
}

/// `PUT /admin/records/{slug}`: adds or replaces one record.
async fn put_record(State(service): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    let result = put(&service, request).await;
    respond(&service, result)
}

/// `DELETE /admin/records/{slug}`: removes one record.
async fn delete_record(
    State(service): State<Arc<ServiceParts>>,
    request: Request,
) -> Response<Body> {
    let result = delete(&service, request).await;
    respond(&service, result)
}

async fn replace(
    service: &ServiceParts,
    request: Request,
) -> Result<BatchSummary, UploadRejection> {
    let allow_shrink = allows_shrink(request.uri().query());
    let (body, work) = upload::receive(service, request).await?;
    let reading = work.step(service, move |resources| {
        let batch = Batch::read(&body, resources.budget())?;
        hold_to_publish(resources)?;
        Ok(batch)
    });
    let (mut batch, work) = reading.await?;
    if batch.tally.received > 0 && !batch.readable {
        return Err(UploadRejection::unreadable(&batch));
    }
    let change = batch.replacement(allow_shrink);
    let published = work.publish(service, change).await?;
    Ok(batch.summary(published))
}

async fn put(service: &ServiceParts, request: Request) -> Result<BatchSummary, UploadRejection> {
    let slug = last_segment(request.uri().path()).into_owned();
    let (body, work) = upload::receive(service, request).await?;
    let reading = work.step(service, move |resources| {
        let batch = Batch::read_one(&body, resources.budget())?;
        hold_to_publish(resources)?;
        Ok(batch)
    });
    let (mut batch, work) = reading.await?;
    let Some(record) = batch.records.pop() else {
        return Err(UploadRejection::unreadable(&batch));
    };
    if record.app.slug != served_slug(&slug)? {
        return Err(UploadRejection::OtherSlug { path: slug, body: record.app.slug.to_string() });
    }
    let change = CatalogChange::Records(RecordsChange::Put(Box::new(record)));
    let published = work.publish(service, change).await?;
    Ok(batch.summary(published))
}

async fn delete(service: &ServiceParts, request: Request) -> Result<BatchSummary, UploadRejection> {
    access::check(service, request.headers())?;
    let slug = served_slug(&last_segment(request.uri().path()))?;
    let work = Work::without_body(service).await?;
    let change = CatalogChange::Records(RecordsChange::Remove(slug));
    let published = work.publish(service, change).await?;
    Ok(Batch::empty().summary(published))
}

/// Takes the memory to publish the records that were read.
fn hold_to_publish(resources: &mut Resources) -> Result<(), UploadRejection> {
    let records = usize::try_from(resources.budget().used().bytes).unwrap_or(usize::MAX);
    Ok(resources.hold(records.saturating_mul(PUBLISHING))?)
}

/// The slug that a record with the path's slug is stored under.
fn served_slug(slug: &str) -> Result<Slug, UploadRejection> {
    let slug =
        Slug::parse(slug).map_err(|broken| UploadRejection::Unreadable(broken.to_string()))?;
    Ok(slug.unshadowed().unwrap_or(slug))
}
