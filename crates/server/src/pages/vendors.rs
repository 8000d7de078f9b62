//! `GET /vendors` and `GET /vendors/{vendor}`: who makes the apps.

use appstitch_pages::VendorsRequest;
use axum::http::StatusCode;

use super::{HTML, csv, document, invalid, page, parameters, with_status};
use crate::{
    http_error::HttpError,
    message::{Asked, DocumentKind, ReadContext, Reply},
    route::Route,
};

/// The route of all vendors.
pub(crate) const LIST_ROUTE: Route = Route::get_undocumented("/vendors", read_list);
/// The route of the same vendors for spreadsheets.
pub(crate) const CSV_ROUTE: Route = Route::get_undocumented("/vendors.csv", read_csv);
/// The route of a vendor.
pub(crate) const ROUTE: Route = Route::get_undocumented("/vendors/{vendor}", read);

const CSV: DocumentKind = csv!("vendors.csv");

fn read_list(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    match VendorsRequest::read(parameters(asked.query, VendorsRequest::PARAMETERS)) {
        Ok(request) => {
            page(context, asked, &request.name(), |site| appstitch_pages::vendors(site, &request))
        }
        Err(fault) => invalid(context, asked, &HTML, &fault),
    }
}

fn read_csv(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    match VendorsRequest::read(parameters(asked.query, VendorsRequest::PARAMETERS)) {
        Ok(request) => document(context, asked, &CSV, &request.name(), |site| {
            appstitch_pages::vendors_csv(site, &request)
        }),
        Err(fault) => invalid(context, asked, &HTML, &fault),
    }
}

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    let wanted = context.slug();
    let Some(entry) = context.snapshot.vendors().find(&wanted) else {
        let name = format!("/vendors/\0{wanted}");
        return with_status(context, asked, &HTML, StatusCode::NOT_FOUND, &name, |site| {
            appstitch_pages::unknown_vendor(site, &wanted)
        });
    };
    let [number] = parameters(asked.query, ["page"]);
    match appstitch_pages::page_number(number.as_deref()) {
        Ok(number) => {
            page(context, asked, &format!("/vendors/{}?{number}", entry.folded), |site| {
                appstitch_pages::vendor(site, entry, number)
            })
        }
        Err(fault) => invalid(context, asked, &HTML, &fault),
    }
}
