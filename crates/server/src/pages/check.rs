//! `/check`: the form for a list of installed apps, and what the check found.
//!
//! The list is checked by the code of `POST /inventory/check`, with its limits and shares. Nothing of
//! it is stored or logged.

mod form_data;

use std::sync::Arc;

use appstitch_pages::{CheckForm, PageError, Site};
use appstitch_snapshot::Snapshot;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderValue, Response, StatusCode, header},
    response::IntoResponse,
    routing::post,
};

use self::form_data::read_form;
use super::{html_response, page};
use crate::{
    http_error::HttpError,
    inventory::{CheckRefusal, Form, ReportBody, Understood, check_body},
    message::{Asked, ReadContext, Reply},
    parts::ServiceParts,
    response::RETRY_AFTER,
    route::Route,
};

/// The route of the form and of its answer.
pub(crate) const ROUTE: Route = Route::form("/check", read, || post(check));

fn read(context: &ReadContext<'_>, asked: &Asked<'_>) -> Result<Reply, HttpError> {
    page(context, asked, "/check", appstitch_pages::check_form)
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
        Err(refusal) => {
            let (status, why) = refusal.explain();
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
) -> Result<Understood<CheckForm>, CheckRefusal> {
    let kind = kind.and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let fields = read_form(kind, body).map_err(|fault| CheckRefusal::Form(fault.to_string()))?;
    let find = |name: &str| fields.iter().find(|field| field.name == name);
    let text = |name: &str| {
        let own = find(name).and_then(|field| body.get(field.value.clone()));
        own.map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let form = CheckForm::read(CheckForm::FIELDS.map(text));
    let form = form.map_err(|fault| CheckRefusal::Form(fault.0))?;
    let is_filled = |value: &std::ops::Range<usize>| {
        body.get(value.clone()).is_some_and(|value| !value.trim_ascii().is_empty())
    };
    // A file that was chosen counts; the text may be left from before.
    let mut lists = ["file", "list"].into_iter().filter_map(|name| Some(find(name)?.value.clone()));
    let list = lists.find(is_filled).ok_or_else(|| {
        CheckRefusal::Form("The list is empty. Choose a file, or paste a list.".to_owned())
    })?;
    Ok(Understood { list, suggest: form.suggest, wishes: form })
}

/// The page with the verdicts, or the file.
fn answer(
    service: &ServiceParts,
    snapshot: &Snapshot,
    report: ReportBody,
    form: &CheckForm,
) -> Result<Response<Body>, CheckRefusal> {
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

fn site<'a>(service: &'a ServiceParts, snapshot: &'a Snapshot) -> Site<'a> {
    Site::new(snapshot, service.publisher.source_status(), &service.links)
}

fn respond(status: StatusCode, text: Result<String, PageError>) -> Response<Body> {
    match text {
        Ok(text) => html_response(status, text),
        Err(error) => {
            tracing::error!(%error, path = ROUTE.pattern, "cannot make a page");
            HttpError::Internal.into_response()
        }
    }
}
