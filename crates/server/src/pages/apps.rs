//! `GET /apps` for browsers: the list of apps with its filters. Programs get JSON.

use appstitch_pages::AppsRequest;

use super::{NEGOTIATED_HTML, document, invalid, parameter};
use crate::{
    message::{EndpointResult, ReadContext, ReadRequest},
    reads,
};

/// Parameters that only programs use. A browser that follows an address with one gets JSON, as links
/// from pages expect.
const FOR_PROGRAMS: [&str; 7] =
    ["limit", "offset", "slugs", "bundle_id", "team_id", "install_method", "exclude_source"];

pub(crate) fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let has = |name: &&str| parameter(request.query, name).is_some();
    if FOR_PROGRAMS.iter().any(has) {
        return reads::list_apps::read(context, request);
    }
    match AppsRequest::read(|name| parameter(request.query, name)) {
        Ok(query) => document(context, request, &NEGOTIATED_HTML, &query.name(), |site| {
            appstitch_pages::apps(site, &query)
        }),
        Err(fault) => invalid(context, request, &NEGOTIATED_HTML, &fault),
    }
}
