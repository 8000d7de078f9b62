//! What only a running shell can tell of a label: which labels that is, and what was found.

use std::{collections::HashMap, sync::Arc};

use appstitch_sources::{
    RESOLUTION, Upstream,
    label_tool::{self, FRAGMENT, Resolution},
};
use appstitch_store::Document;
use axum::{
    body::Body,
    extract::{Request, State},
    http::{Response, StatusCode},
    response::IntoResponse,
};
use serde::Deserialize;
use serde_json::json;

use super::{access, blocking, refusal::Refusal, respond, upload};
use crate::{
    http::json as json_answer,
    publish::{BatchSummary, CatalogChange, SourceUpload, Tally},
    service::Service,
};

/// `GET /admin/labels/unresolved`: labels whose version or address only a running shell tells.
pub(crate) async fn unresolved_labels(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    if let Err(refusal) = access::check(&service, request.headers()) {
        return refusal.into_response();
    }
    match service.publisher().labels().await {
        Ok(labels) => {
            let names: Vec<&str> = labels
                .iter()
                .filter(|label| !label.unresolved.is_empty())
                .map(|label| label.slug.as_str())
                .collect();
            json_answer(StatusCode::OK, &json!({ "labels": names }))
        }
        Err(error) => Refusal::from(error).into_response(),
    }
}

/// `POST /admin/labels/resolved`: what was found, one label a line.
pub(crate) async fn resolved_labels(
    State(service): State<Arc<Service>>,
    request: Request,
) -> Response<Body> {
    let result = take(&service, request).await;
    respond(&service, result)
}

/// One line of the body.
#[derive(Deserialize)]
struct Found {
    label: String,
    ok: bool,
    #[serde(rename = "downloadURL")]
    download_url: Option<String>,
    #[serde(rename = "appNewVersion")]
    app_new_version: Option<String>,
}

async fn take(service: &Service, request: Request) -> Result<BatchSummary, Refusal> {
    let body = upload::receive(service, request).await?;
    let documents = service.publisher().documents(Upstream::LabelTool.token()).await?;
    let (documents, tally) = blocking(service, move || read(&body, &documents)).await?;
    let source = Upstream::LabelTool.token();
    let uploads = vec![SourceUpload { source, documents, replaces: None, fetched: None }];
    let change = CatalogChange::Sources { uploads, allow_shrink: true };
    let published = service.publisher().publish(change).await?;
    Ok(tally.summary(published))
}

/// Turns lines into documents, for known labels only. A failed run changes nothing.
fn read(body: &[u8], documents: &[Document]) -> (Vec<Document>, Tally) {
    let fragments = fragments(documents);
    let earlier: HashMap<&str, &Document> =
        documents.iter().map(|document| (document.key.as_str(), document)).collect();
    let mut tally = Tally::default();
    let mut resolutions: HashMap<String, Document> = HashMap::new();
    let lines = (1_usize..).zip(body.split(|byte| *byte == b'\n'));
    for (number, line) in lines.filter(|(_, line)| !line.trim_ascii().is_empty()) {
        tally.received += 1;
        let place = format!("line {number}");
        let found: Found = match serde_json::from_slice(line) {
            Ok(found) => found,
            Err(error) => {
                tally.refuse(place, error.to_string());
                continue;
            }
        };
        let place = format!("{place}, label '{}'", found.label);
        let Some((file, text)) = fragments.get(&found.label) else {
            tally.refuse(place, "there is no such label".to_owned());
            continue;
        };
        if !found.ok {
            tally.refuse(place, "the run failed: what was known before stays".to_owned());
            continue;
        }
        let (url, version) = (found.download_url.as_deref(), found.app_new_version.as_deref());
        let Some(resolution) = Resolution::new(text, url, version) else {
            tally.refuse(place, "neither downloadURL nor appNewVersion is usable".to_owned());
            continue;
        };
        let key = format!("{RESOLUTION}{file}");
        let before = earlier
            .get(key.as_str())
            .and_then(|document| serde_json::from_slice(&document.body).ok());
        match serde_json::to_vec(&resolution.or(before)) {
            Ok(body) => {
                let source = Upstream::LabelTool.token().to_owned();
                resolutions.insert(key.clone(), Document { source, key, body: body.into() });
            }
            Err(error) => tally.refuse(place, error.to_string()),
        }
    }
    let mut documents: Vec<Document> = resolutions.into_values().collect();
    documents.sort_by(|left, right| left.key.cmp(&right.key));
    (documents, tally)
}

/// Each label's file and text, by every name of the label. A name that is one label's first and
/// another's second is the first one's.
fn fragments(documents: &[Document]) -> HashMap<String, (&str, &str)> {
    let mut fragments = HashMap::new();
    let mut others = HashMap::new();
    for document in documents {
        let Some(file) = document.key.strip_prefix(FRAGMENT) else { continue };
        let Ok(text) = std::str::from_utf8(&document.body) else { continue };
        let Ok(label) = label_tool::parse(file, text) else { continue };
        for name in label.other_names {
            others.entry(name).or_insert((file, text));
        }
        fragments.insert(label.slug.to_string(), (file, text));
    }
    for (name, fragment) in others {
        fragments.entry(name).or_insert(fragment);
    }
    fragments
}
