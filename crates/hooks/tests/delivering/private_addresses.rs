//! Private addresses are not called unless that is allowed.

use appstitch_hooks::{HookError, HookSettings};
use serde_json::json;

use crate::{catalog::Catalog, receiver::Receiver};

#[tokio::test(flavor = "multi_thread")]
async fn an_address_is_rejected_at_once_and_a_name_with_each_connection() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open_with(&folder, false).await;
    let mut receiver = Receiver::start();
    for url in [receiver.url(), format!("https://127.0.0.1:{}/", receiver.port)] {
        let settings = HookSettings::read(json!({"url": url}).to_string().as_bytes()).unwrap();
        let refused = catalog.hooks.put("ops", settings).await;
        assert!(matches!(refused, Err(HookError::Invalid(_))), "{refused:?}");
    }
    // What a name leads to can change after it was checked, so it is checked where the connection is
    // made.
    let url = format!("https://localhost:{}/?token=sesame", receiver.port);
    catalog.put("ops", json!({"url": url})).await;
    let test = catalog.hooks.test("ops").await.unwrap();
    let error = test.error.unwrap();
    assert!(error.contains("--allow-private-hooks") && !error.contains("sesame"), "{error}");
    catalog.publish(&[("a", "1")]).await;
    catalog.until("ops", |hook| hook.attempts == 1).await;
    assert!(receiver.rest().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stored_url_is_checked_before_each_attempt() {
    let folder = tempfile::tempdir().unwrap();
    let mut receiver = Receiver::start();
    let before = Catalog::open(&folder).await;
    let url = format!("http://localhost:{}/?token=sesame", receiver.port);
    before.put("ops", json!({"url": url})).await;
    before.hooks.stop().await;
    let catalog = Catalog::open_with(&folder, false).await;
    catalog.publish(&[("a", "1")]).await;
    catalog.until("ops", |hook| hook.attempts == 1).await;
    assert!(!catalog.hooks.test("ops").await.unwrap().delivered);
    for delivery in catalog.hooks.deliveries("ops").await.unwrap() {
        let error = delivery.error.unwrap();
        assert!(error.starts_with("the URL has to begin with https://"), "{error}");
        assert!(!error.contains("sesame"), "{error}");
    }
    assert!(receiver.rest().is_empty());
}
