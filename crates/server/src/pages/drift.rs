//! `GET /drift` and `GET /drift.csv`: who lags behind whom.

use appstitch_pages::DriftRequest;

use super::{HTML, csv, document, invalid, page, parameter};
use crate::{
    message::{DocumentKind, EndpointResult, ReadContext, ReadRequest},
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/drift", read, Export::Each(Exported::DriftTable, "drift/@{}.html")).catalog();
pub(crate) const CSV_ROUTE: Route = Route::get("/drift.csv", read_csv, Export::Path("drift.csv"));

const CSV: DocumentKind = csv!("drift.csv");

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    match DriftRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => {
            page(context, request, &query.name(), |site| appstitch_pages::drift(site, &query))
        }
        Err(fault) => invalid(context, request, &HTML, &fault),
    }
}

fn read_csv(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    match DriftRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => document(context, request, &CSV, &query.name(), |site| {
            appstitch_pages::drift_csv(site, &query)
        }),
        Err(fault) => invalid(context, request, &HTML, &fault),
    }
}
