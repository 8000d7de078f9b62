//! `GET /drift` and `GET /drift.csv`: who lags behind whom.

use appstitch_pages::DriftRequest;

use super::{HTML, csv, document, invalid, page, parameters};
use crate::{
    http_error::HttpError,
    message::{Asked, DocumentKind, ReadContext, Reply},
    route::Route,
};

/// The route of the page.
pub(crate) const ROUTE: Route = Route::get_undocumented("/drift", read);
/// The route of the same apps for spreadsheets.
pub(crate) const CSV_ROUTE: Route = Route::get_undocumented("/drift.csv", read_csv);

const CSV: DocumentKind = csv!("drift.csv");

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    match DriftRequest::read(parameters(asked.query, DriftRequest::PARAMETERS)) {
        Ok(request) => {
            page(context, asked, &request.name(), |site| appstitch_pages::drift(site, &request))
        }
        Err(fault) => invalid(context, asked, &HTML, &fault),
    }
}

fn read_csv(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    match DriftRequest::read(parameters(asked.query, DriftRequest::PARAMETERS)) {
        Ok(request) => document(context, asked, &CSV, &request.name(), |site| {
            appstitch_pages::drift_csv(site, &request)
        }),
        Err(fault) => invalid(context, asked, &HTML, &fault),
    }
}
