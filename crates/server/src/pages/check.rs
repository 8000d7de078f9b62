//! `/check`: the form for a list of installed apps, and what the check found.
//!
//! The list is checked by the code of `POST /inventory/check`, with its limits and shares. It is
//! never stored or logged.

mod form_data;

use std::sync::Arc;

use appstitch_pages::{CheckForm, LONGEST_KEPT_LIST, PageError};
use appstitch_snapshot::Snapshot;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
    routing::post,
};

use self::form_data::read_form;
use super::{html_response, page, site};
use crate::{
    http_error::HttpError,
    inventory::{CheckRejection, Form, ParsedBody, ReportBody, check_body},
    message::{EndpointResult, ReadContext, ReadRequest},
    parts::ServiceParts,
    response::RETRY_AFTER,
    route::{Export, Handler, Route},
};

pub(crate) const ROUTE: Route = Route::new(
    "/check",
    Handler::Form(read, || post(check)),
    Export::LiveOnly("the page sends a list to a live server"),
);

fn read(context: &ReadContext<'_>, request: &ReadRequest<'_>) -> EndpointResult {
    page(context, request, "/check", appstitch_pages::check_form)
}

async fn check(State(service): State<Arc<ServiceParts>>, request: Request) -> Response<Body> {
    let parts = Arc::clone(&service);
    let kind = request.headers().get(header::CONTENT_TYPE).cloned();
    let understand = move |body: &[u8]| understand(kind.as_ref(), body);
    let answer = move |report: ReportBody, form: CheckForm, snapshot: &Snapshot| {
        answer(&parts, snapshot, report, &form)
    };
    match check_body(&service, request, understand, answer).await.flatten() {
        Ok(response) => response,
        Err(rejection) => {
            let (status, why) = rejection.explain();
            let snapshot = service.publisher.current();
            let page = site(&service, &snapshot);
            let text = appstitch_pages::check_problem(&page, &CheckForm::default(), &why);
            let mut response = respond(status, text);
            if status == StatusCode::SERVICE_UNAVAILABLE {
                response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
            }
            response
        }
    }
}

/// The list in the body of a form, and what is asked about it.
fn understand(
    kind: Option<&HeaderValue>,
    body: &[u8],
) -> Result<ParsedBody<CheckForm>, CheckRejection> {
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let fields = read_form(kind, body).map_err(|fault| CheckRejection::Form(fault.to_string()))?;
    let find = |name: &str| fields.iter().find(|field| field.name == name);
    let text = |name: &str| {
        let text = find(name).and_then(|field| body.get(field.value.clone()));
        // A long list is neither copied nor shown again.
        let text = text.filter(|value| name != "list" || value.len() <= LONGEST_KEPT_LIST);
        text.map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let form = CheckForm::read(text);
    let form = form.map_err(|fault| CheckRejection::Form(fault.0))?;
    let is_filled = |value: &std::ops::Range<usize>| {
        body.get(value.clone()).is_some_and(|value| !value.trim_ascii().is_empty())
    };
    // A file that was chosen counts; the text may be left from before.
    let mut lists = ["file", "list"].into_iter().filter_map(|name| Some(find(name)?.value.clone()));
    let list = lists.find(is_filled).ok_or_else(|| {
        CheckRejection::Form("The list is empty. Choose a file, or paste a list.".to_owned())
    })?;
    Ok(ParsedBody { list, suggest: form.suggest, parameters: form })
}

/// The page with the verdicts, or the file.
fn answer(
    service: &ServiceParts,
    snapshot: &Snapshot,
    report: ReportBody,
    form: &CheckForm,
) -> Result<Response<Body>, CheckRejection> {
    let mut report = report.only(|app| form.wants(app));
    if form.csv {
        let mut response = report.respond(Form::Csv);
        let headers = response.headers_mut();
        let file = HeaderValue::from_static("attachment; filename=\"verdicts.csv\"");
        headers.insert(header::CONTENT_DISPOSITION, file);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        let type_is_known = HeaderValue::from_static("nosniff");
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, type_is_known);
        return Ok(response);
    }
    let site = site(service, snapshot);
    let apps = report.take_apps()?;
    let text = appstitch_pages::check_result(&site, form, report.report(), &apps);
    Ok(respond(StatusCode::OK, text))
}

fn respond(status: StatusCode, text: Result<String, PageError>) -> Response<Body> {
    match text {
        Ok(text) => html_response(status, text),
        Err(error) => {
            tracing::error!(%error, path = ROUTE.path, "cannot make a page");
            HttpError::Internal.into_response()
        }
    }
}
