//! Makes the pages that visitors open first before somebody asks for them.
//!
//! They are the same for everybody until the catalog or the state of the sources changes. At the start,
//! the page of one app is made as well: that loads the code and the tables that the pages of all other
//! apps need.

use std::sync::Arc;

use appstitch_pages::app_page;
use appstitch_snapshot::Snapshot;
use appstitch_wire::RequestId;
use tokio::{sync::watch, task::spawn_blocking, time::Instant};

use crate::{
    message::{Asked, HeaderField, Verb},
    service::Service,
};

/// The pages that the head of every page links to.
const FRONT_PAGES: [&str; 6] = ["/", "/drift", "/vendors", "/changes", "/check", "/about"];

/// The forms in which browsers ask for pages.
const ENCODINGS: [&str; 3] = ["zstd", "gzip", "br"];

/// Makes the front pages now and after each change, until the publisher is gone. While they are made,
/// further changes wait, so a quick row of changes makes them only once or twice.
pub(crate) async fn make_pages_ahead(service: Arc<Service>, mut changes: watch::Receiver<()>) {
    let mut first_app = newest_app(&service.snapshot());
    loop {
        changes.mark_unchanged();
        let (own, app) = (Arc::clone(&service), first_app.take());
        let work = move || make(&own, FRONT_PAGES.into_iter().chain(app.as_deref()));
        // A page that cannot be made is an error when somebody asks for it.
        let _ = spawn_blocking(work).await;
        if changes.changed().await.is_err() {
            return;
        }
    }
}

/// The page of the newest app.
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
            drop(service.read(&snapshot, &matched, &asked(path, encoding), true));
        }
    }
}

/// What a browser asks.
fn asked<'a>(path: &'a str, encoding: &'a str) -> Asked<'a> {
    Asked {
        verb: Verb::Get,
        path,
        query: None,
        if_none_match: HeaderField::default(),
        accept: HeaderField::of([&b"text/html"[..]]),
        accept_encoding: HeaderField::of([encoding.as_bytes()]),
        request_id: RequestId::Own(b"ahead".into()),
        started: Instant::now(),
        client: None,
    }
}

#[cfg(test)]
mod tests {
    use appstitch_catalog::Record;
    use appstitch_publish::{BackgroundPriority, CatalogChange, Keep, Publisher, RecordsChange};
    use appstitch_store::Store;
    use serde_json::json;

    use super::*;
    use crate::{
        message::{DocumentBody, ReadContext, Reply},
        route::Handler,
        tools::ToolAccess,
    };
    use appstitch_wire::Limits;

    async fn service(folder: &std::path::Path) -> Service {
        let address = format!("sqlite:{}", folder.join("catalog.db").display());
        let store = Store::open(&address.parse().unwrap()).await.unwrap();
        let publisher = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
        let app = json!({"slug": "sample", "name": "Sample", "sources": ["label_tool"]});
        let record = json!({"app": app, "sources": null}).to_string();
        let records = vec![Record::admit(record.as_bytes()).unwrap().record];
        let keep = Keep::Slugs(Vec::new());
        let change = RecordsChange::Replace { records, keep, allow_shrink: true };
        publisher.publish(CatalogChange::Records(change)).await.unwrap();
        Service::new(publisher, None, Limits::default(), ToolAccess::default())
    }

    /// Whether a page is kept in a form.
    fn is_kept(service: &Service, path: &str, encoding: &'static str) -> bool {
        let (snapshot, matched) = (service.snapshot(), service.route(path));
        let context = ReadContext {
            snapshot: &snapshot,
            parts: service.parts(),
            segment: matched.segment,
            is_on_worker: true,
        };
        let (Handler::Get(read) | Handler::Form(read, _) | Handler::Negotiated { page: read, .. }) =
            &matched.route.unwrap().handler
        else {
            panic!("{path} is no page")
        };
        let reply = read(&context, &asked(path, encoding)).unwrap();
        let Reply::Document(document) = reply else { panic!("{path} is no document") };
        matches!(document.body, DocumentBody::Kept(..))
    }

    #[tokio::test]
    async fn front_pages_are_kept_before_somebody_asks() {
        let folder = tempfile::tempdir().unwrap();
        let service = service(folder.path()).await;
        assert!(!is_kept(&service, "/a/sample", "br"));
        make(&service, FRONT_PAGES.into_iter());
        for (path, encoding) in FRONT_PAGES.iter().flat_map(|path| ENCODINGS.map(|own| (path, own)))
        {
            assert!(is_kept(&service, path, encoding), "{path} as {encoding}");
        }
    }

    #[tokio::test]
    async fn pages_are_made_after_each_change_until_the_publisher_is_gone() {
        let folder = tempfile::tempdir().unwrap();
        let service = Arc::new(service(folder.path()).await);
        let (changes, receiver) = watch::channel(());
        let ahead = tokio::spawn(make_pages_ahead(Arc::clone(&service), receiver));
        while !is_kept(&service, "/a/sample", "br") {
            tokio::task::yield_now().await;
        }
        changes.send_replace(());
        drop(changes);
        ahead.await.unwrap();
        assert!(is_kept(&service, "/about", "gzip"));
    }
}
