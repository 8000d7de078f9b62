//! `GET /vendors` and `GET /vendors/{vendor}`: who makes the apps.

use appstitch_pages::VendorsRequest;
use axum::http::StatusCode;

use super::{HTML, csv, document, invalid, page, parameter, with_status};
use crate::{
    message::{DocumentKind, EndpointResult, ReadContext, ReadRequest},
    route::{Export, Exported, Route},
};

pub(crate) const LIST_ROUTE: Route =
    Route::get("/vendors", read_list, Export::Each(Exported::VendorTable, "vendors/@{}.html"))
        .catalog();
pub(crate) const CSV_ROUTE: Route =
    Route::get("/vendors.csv", read_csv, Export::Path("vendors.csv"));
pub(crate) const ROUTE: Route = Route::get(
    "/vendors/{vendor}",
    read,
    Export::Each(Exported::VendorAppTables, "vendors/{}/@{}.html"),
)
.catalog();

const CSV: DocumentKind = csv!("vendors.csv");

fn read_list(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    match VendorsRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => {
            page(context, request, &query.name(), |site| appstitch_pages::vendors(site, &query))
        }
        Err(fault) => invalid(context, request, &HTML, &fault),
    }
}

fn read_csv(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    match VendorsRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => document(context, request, &CSV, &query.name(), |site| {
            appstitch_pages::vendors_csv(site, &query)
        }),
        Err(fault) => invalid(context, request, &HTML, &fault),
    }
}

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let vendor = context.slug();
    let Some(entry) = context.snapshot.vendors().find(&vendor) else {
        let name = format!("/vendors/\0{vendor}");
        return with_status(context, request, &HTML, StatusCode::NOT_FOUND, &name, |site| {
            appstitch_pages::unknown_vendor(site, &vendor)
        });
    };
    match appstitch_pages::page_number(parameter(request.query, "page").as_deref()) {
        Ok(number) => {
            page(context, request, &format!("/vendors/{}?{number}", entry.folded), |site| {
                appstitch_pages::vendor(site, entry, number)
            })
        }
        Err(fault) => invalid(context, request, &HTML, &fault),
    }
}
