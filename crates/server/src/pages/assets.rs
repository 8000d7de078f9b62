//! `GET /assets/{file}`: the stylesheet and the script of the pages.

use appstitch_pages::Assets;

use super::{FOREVER, NO_SNIFFING, VARY_ENCODING, document};
use crate::{
    http_error::HttpError,
    message::{DocumentKind, EndpointResult, ReadContext, ReadRequest, fixed_field},
    route::{Export, Exported, Route},
};

pub(crate) const ROUTE: Route =
    Route::get("/assets/{file}", read, Export::Each(Exported::Assets, "assets/{}"));

const STYLE: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "text/css; charset=utf-8"),
    fields: &[FOREVER, VARY_ENCODING, NO_SNIFFING],
};

const SCRIPT: DocumentKind = DocumentKind {
    content_type: fixed_field!("content-type", "text/javascript; charset=utf-8"),
    fields: &[FOREVER, VARY_ENCODING, NO_SNIFFING],
};

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    let Assets { style, script } = Assets::get();
    let name = context.slug();
    // A name with another hash is of another version of the program. Its content is gone.
    let (kind, asset) = if *name == style.name {
        (&STYLE, style)
    } else if *name == script.name {
        (&SCRIPT, script)
    } else {
        return Err(HttpError::NotFound);
    };
    document(context, request, kind, &asset.name, |_| Ok(asset.text.to_owned()))
}
