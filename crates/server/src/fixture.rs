//! A service for tests.

use std::{path::Path, sync::Arc};

use appstitch_publish::{BackgroundPriority, CatalogChange, Keep, Publisher, RecordsChange};
use appstitch_stitching::Record;
use appstitch_store::Store;
use appstitch_wire::Limits;
use serde_json::json;

use crate::{service::Service, tools::ToolAccess};

/// A service with this many apps, `app-0000` and so on.
pub(crate) async fn service(folder: &Path, apps: usize) -> Service {
    let address = format!("sqlite:{}", folder.join("catalog.db").display());
    let store = Store::open(&address.parse().unwrap()).await.unwrap();
    let publisher = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    publish(&publisher, apps).await;
    Service::new(publisher, None, Limits::default(), ToolAccess::default())
}

/// Replaces the apps by this many.
pub(crate) async fn publish(publisher: &Arc<Publisher>, apps: usize) {
    let records = (0..apps).map(|number| {
        let record = json!({"app": {
            "slug": format!("app-{number:04}"), "name": format!("App {number}"),
            "vendor": format!("Vendor {}", number % 50),
            "bundle_id": format!("com.example.app{number}"), "current_version": "1.2.3",
            "download_url": format!("https://example.com/download/app-{number}.dmg"),
            "sources": ["label_tool"],
        }, "sources": null});
        Record::admit(record.to_string().as_bytes()).unwrap().record
    });
    let change = RecordsChange::Replace {
        records: records.collect(),
        keep: Keep::Slugs(Vec::new()),
        allow_shrink: true,
    };
    publisher.publish(CatalogChange::Records(change)).await.unwrap();
}
