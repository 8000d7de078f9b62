//! Makes the pages that visitors open first ahead of the first request.
//!
//! They are the same for all visitors until the catalog or the state of the sources changes. Only a change of
//! the catalog makes them again: the state changes with every look of a mirror for news. At the start,
//! the page of one app is made as well: that loads the code and the tables that the pages of all other
//! apps need.

use std::sync::Arc;

use appstitch_pages::app_page;
use appstitch_snapshot::Snapshot;
use appstitch_wire::{Attempt, RequestId};
use tokio::{sync::watch, task::spawn_blocking, time::Instant};

use crate::{
    message::{HeaderField, ReadRequest, Verb},
    service::Service,
};

/// The pages that the head of every page links to.
const FRONT_PAGES: [&str; 8] =
    ["/", "/apps", "/drift", "/vendors", "/changes", "/compare", "/check", "/about"];

/// The forms in which browsers ask for pages.
const ENCODINGS: [&str; 3] = ["zstd", "gzip", "br"];

/// Makes the front pages now and for each revision, until the publisher is gone. While they are made,
/// further changes wait, so a quick row of changes makes them only once or twice.
pub(crate) async fn prerender(service: Arc<Service>, mut changes: watch::Receiver<()>) {
    let mut first_app = newest_app(&service.snapshot());
    loop {
        changes.mark_unchanged();
        let made_for = service.snapshot().token().to_owned();
        let (worker_service, app) = (Arc::clone(&service), first_app.take());
        let work = move || make(&worker_service, FRONT_PAGES.into_iter().chain(app.as_deref()));
        // A page that cannot be made is an error when it is requested.
        let _ = spawn_blocking(work).await;
        while service.snapshot().token() == made_for {
            if changes.changed().await.is_err() {
                return;
            }
        }
    }
}

fn newest_app(snapshot: &Snapshot) -> Option<String> {
    let app = snapshot.read_app(*snapshot.recent().first()?).ok()?;
    Some(app_page(app.slug.as_str()))
}

/// Makes pages, and keeps them as for visitors.
fn make<'a>(service: &Service, paths: impl Iterator<Item = &'a str>) {
    let snapshot = service.snapshot();
    for path in paths {
        let matched = service.route(path);
        for encoding in ENCODINGS {
            // The answer itself is not needed.
            drop(service.read(
                &snapshot,
                &matched,
                &page_request(path, encoding),
                Attempt::ON_WORKER,
            ));
        }
    }
}

fn page_request<'a>(path: &'a str, encoding: &'a str) -> ReadRequest<'a> {
    ReadRequest {
        verb: Verb::Get,
        path,
        query: None,
        if_none_match: HeaderField::default(),
        accept: HeaderField::of([&b"text/html"[..]]),
        accept_encoding: HeaderField::of([encoding.as_bytes()]),
        request_id: RequestId::Sent(b"ahead".into()),
        started: Instant::now(),
        client: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        fixture,
        message::{DocumentBody, ReadContext, Representation},
        route::Handler,
    };

    /// Whether a page is kept in a form.
    fn is_kept(service: &Service, path: &str, encoding: &'static str) -> bool {
        let (snapshot, matched) = (service.snapshot(), service.route(path));
        let context = ReadContext {
            snapshot: &snapshot,
            parts: service.parts(),
            segment: matched.segment,
            attempt: Attempt::ON_WORKER,
        };
        let (Handler::Get(read) | Handler::Form(read, _) | Handler::Negotiated { page: read, .. }) =
            &matched.route.unwrap().handler
        else {
            panic!("{path} is no page")
        };
        let reply = read(&context, &page_request(path, encoding)).unwrap();
        let Representation::Document(document) = reply else { panic!("{path} is no document") };
        matches!(document.body, DocumentBody::Kept(..))
    }

    #[tokio::test]
    async fn front_pages_are_kept_before_somebody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let service = fixture::service(folder.path(), 1).await;
        assert!(!is_kept(&service, "/a/app-0000", "br"));
        make(&service, FRONT_PAGES.into_iter());
        for (path, encoding) in
            FRONT_PAGES.iter().flat_map(|path| ENCODINGS.map(|encoding| (path, encoding)))
        {
            assert!(is_kept(&service, path, encoding), "{path} as {encoding}");
        }
    }

    #[tokio::test]
    async fn pages_are_made_after_each_change_until_the_publisher_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let service = Arc::new(fixture::service(folder.path(), 1).await);
        let (changes, receiver) = watch::channel(());
        let ahead = tokio::spawn(prerender(Arc::clone(&service), receiver));
        while !is_kept(&service, "/a/app-0000", "br") {
            tokio::task::yield_now().await;
        }
        changes.send_replace(());
        drop(changes);
        ahead.await.unwrap();
        assert!(is_kept(&service, "/about", "gzip"));
    }
}
