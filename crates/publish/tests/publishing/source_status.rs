//! When the sources were last received: what moves it, and who sees it.

use std::{sync::Arc, time::Duration};

use appstitch_budget::Budget;
use appstitch_network::Validators;
use appstitch_publish::{
    BackgroundPriority, Batch, CatalogChange, PublishError, Publisher, SourceUpload, StayingOrigin,
    Tally, load_sample,
};
use appstitch_sources::{Upstream, UpstreamEntry};
use appstitch_store::SourceRefresh;
use jiff::Timestamp;

use crate::support::{Catalog, LONG_AGO, casks, listing, read, status_of, unchanged};

fn cask_file(origin: &str, tokens: &[&str]) -> SourceUpload {
    read(Upstream::CaskCatalog, origin, &casks(tokens))
}

fn long_ago() -> Timestamp {
    LONG_AGO.parse().unwrap()
}

#[tokio::test]
async fn the_sample_has_documents_but_was_never_received() {
    let catalog = Catalog::empty().await;
    load_sample(&catalog.publisher).await.unwrap();
    let casks = catalog.status("cask_catalog");
    assert!(casks.documents > 0 && casks.apps > 0, "{casks:?}");
    assert_eq!((casks.received_at, casks.changed_at, casks.rejected), (None, None, None));

    // The first real file removes the sample of every source, but only its own source arrives.
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    let casks = catalog.status("cask_catalog");
    assert_eq!((casks.documents, casks.apps, casks.rejected), (1, 1, Some(0)));
    assert!(casks.received_at.is_some() && casks.received_at == casks.changed_at, "{casks:?}");
    let labels = catalog.status("label_tool");
    assert_eq!((labels.documents, labels.apps, labels.received_at), (0, 0, None));
}

#[tokio::test]
async fn the_same_entries_are_received_but_not_changed() {
    let catalog = Catalog::empty().await;
    let first = catalog.publish(vec![cask_file("upload", &["a", "b"])], &[], false).await.unwrap();
    for origin in ["upload", "https://a.example/"] {
        catalog.make_older();
        let again =
            catalog.publish(vec![cask_file(origin, &["a", "b"])], &[], false).await.unwrap();
        assert_eq!((again.changed, &again.token), (false, &first.token));
        let status = catalog.status("cask_catalog");
        assert!(status.received_at > Some(long_ago()), "from {origin}: {status:?}");
        assert_eq!(status.changed_at, Some(long_ago()), "from {origin}");
    }
    assert_eq!(catalog.store().await.revisions().await.unwrap().len(), 1);
    catalog.publish(vec![cask_file("upload", &["a", "c"])], &[], true).await.unwrap();
    assert!(catalog.status("cask_catalog").changed_at > Some(long_ago()));
}

#[tokio::test]
async fn an_address_without_news_is_received_and_a_failed_one_is_not() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("https://a.example/", &["a"])], &[], false).await.unwrap();
    catalog.make_older();
    let current = unchanged(Upstream::CaskCatalog, "https://a.example/");
    let failed = StayingOrigin { is_current: false, ..current.clone() };
    catalog.publish(Vec::new(), &[failed], false).await.unwrap();
    assert_eq!(catalog.status("cask_catalog").received_at, Some(long_ago()));
    let published = catalog.publish(Vec::new(), &[current], false).await.unwrap();
    assert!(!published.changed);
    let status = catalog.status("cask_catalog");
    assert!(status.received_at > Some(long_ago()));
    assert_eq!((status.changed_at, status.rejected), (Some(long_ago()), Some(0)));
}

#[tokio::test]
async fn rejected_entries_of_all_files_of_a_source_are_counted() {
    let catalog = Catalog::empty().await;
    let file = |origin: &str, json: &str| {
        let (origin, json) = (origin.to_owned(), json.as_bytes());
        SourceUpload::read(
            Upstream::CaskCatalog,
            origin,
            json,
            1 << 20,
            &mut Tally::default(),
            &mut Budget::default(),
        )
    };
    let uploads = vec![
        file("upload", r#"[{"token":"a","name":["A"]},{"token":7},3]"#).unwrap(),
        file("upload 0002", r#"[{"token":"b","name":["B"]},{}]"#).unwrap(),
    ];
    catalog.publish(uploads, &[], false).await.unwrap();
    let status = catalog.status("cask_catalog");
    assert_eq!((status.documents, status.rejected), (2, Some(3)));
    catalog.publish(vec![cask_file("upload", &["a", "b"])], &[], false).await.unwrap();
    assert_eq!(catalog.status("cask_catalog").rejected, Some(0));
}

#[tokio::test]
async fn a_first_file_without_entries_is_received_all_the_same() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &[])], &[], false).await.unwrap();
    let status = catalog.status("cask_catalog");
    assert!(status.received_at.is_some() && status.changed_at.is_some(), "{status:?}");
    assert_eq!((status.documents, status.rejected), (0, Some(0)));
}

#[tokio::test]
async fn nothing_is_claimed_about_changes_before_the_state_was_kept() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    catalog.sql("DELETE FROM source_state; UPDATE edition SET number = number + 1");
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    let status = catalog.status("cask_catalog");
    assert!(status.received_at.is_some(), "{status:?}");
    assert_eq!((status.changed_at, status.rejected), (None, Some(0)));
}

#[tokio::test]
async fn a_rejected_file_was_not_received() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a", "b"])], &[], false).await.unwrap();
    catalog.make_older();
    let both = vec![
        cask_file("upload", &["a"]),
        read(Upstream::StoreListing, "upload", &listing(&["com.a"])),
    ];
    let refused = catalog.publish(both, &[], false).await;
    assert!(matches!(refused, Err(PublishError::Shrinks { .. })), "{refused:?}");
    catalog.publisher.follow_store().await.unwrap();
    assert_eq!(catalog.status("cask_catalog").received_at, Some(long_ago()));
    assert_eq!(catalog.status("store_listing").received_at, None);
}

#[tokio::test]
async fn resolved_labels_and_records_are_no_source() {
    let catalog = Catalog::empty().await;
    let mut batch = Batch::read(
        br#"{"app":{"slug":"a","name":"A","sources":[]},"sources":null}"#,
        &mut Budget::default(),
    )
    .unwrap();
    catalog.publisher.publish(batch.replacement(false)).await.unwrap();
    let resolution = SourceUpload {
        source: "label_tool",
        origin: "resolved".to_owned(),
        entries: vec![UpstreamEntry {
            key: "resolution/b.sh".to_owned(),
            body: r#"{"fragment":"0-0","appNewVersion":"2.0"}"#.into(),
        }],
        rejected: 0,
        replaces: None,
        validators: Validators::default(),
    };
    catalog.publish(vec![resolution], &[], false).await.unwrap();
    assert_eq!(catalog.keys("label_tool").await, ["resolution/b.sh"]);
    let status = catalog.status("label_tool");
    assert_eq!((status.documents, status.received_at), (0, None));
}

#[tokio::test]
async fn a_start_counts_what_a_publication_counted() {
    let catalog = Catalog::empty().await;
    load_sample(&catalog.publisher).await.unwrap();
    let uploads = vec![
        cask_file("https://a.example/", &["a", "b"]),
        cask_file("https://b.example/", &["b", "c"]),
        read(Upstream::StoreListing, "upload", &listing(&["com.a"])),
    ];
    catalog.publish(uploads, &[], true).await.unwrap();
    let status = catalog.publisher.source_status();
    assert_eq!(catalog.status("cask_catalog").documents, 3);
    let reopened = || async {
        let store = catalog.store().await;
        Publisher::open(store, BackgroundPriority::Normal).await.unwrap().source_status()
    };
    assert_eq!(reopened().await, status, "with the kept catalog");
    catalog.sql("DELETE FROM served_by");
    assert_eq!(reopened().await, status, "stitched again");
}

#[tokio::test]
async fn a_follower_sees_new_times_without_loading_the_catalog_again() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    let store = catalog.store().await;
    let follower = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    let before = follower.current();
    catalog.make_older();
    // What was served cannot be read any more: a load would fail or give another catalog.
    catalog.sql("UPDATE served SET app = x'00'; UPDATE document SET body = x'00'");
    follower.follow_store().await.unwrap();
    assert_eq!(status_of(&follower, "cask_catalog").received_at, Some(long_ago()));
    assert!(Arc::ptr_eq(&before, &follower.current()), "the snapshot was swapped");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_while_a_change_is_written_stays() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    // The change waits for this writer when everything else about it is done.
    let writer = catalog.locked();
    let publisher = Arc::clone(&catalog.publisher);
    let uploads = vec![cask_file("upload", &["a", "b"])];
    let change = CatalogChange::Sources { uploads, staying: Vec::new(), allow_shrink: false };
    let publishing = tokio::spawn(async move { publisher.publish(change).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert!(!publishing.is_finished());
    catalog.publisher.show_refreshes(vec![SourceRefresh {
        source: "cask_catalog".to_owned(),
        tried_at: long_ago(),
        succeeded_at: None,
        next_at: long_ago(),
        failures: 1,
        why: Some("busy".to_owned()),
        entries: None,
        rejected: None,
        rejects: "[]".to_owned(),
    }]);
    drop(writer);
    publishing.await.unwrap().unwrap();
    let status = catalog.status("cask_catalog");
    assert_eq!(status.documents, 2);
    assert_eq!(status.refresh.unwrap().problem.as_deref(), Some("busy"));
}

#[tokio::test]
async fn a_follower_sees_what_another_process_changed() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    let store = catalog.store().await;
    let follower = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    catalog.publish(vec![cask_file("upload", &["a", "b"])], &[], false).await.unwrap();
    follower.follow_store().await.unwrap();
    assert_eq!(follower.current().token(), catalog.publisher.current().token());
    assert_eq!(follower.source_status(), catalog.publisher.source_status());
    let status = status_of(&follower, "cask_catalog");
    assert_eq!((status.documents, status.apps), (2, 2));
}

/// Histories and feeds are longer than before, so the token must be another one.
#[tokio::test]
async fn a_catalog_that_changes_back_within_a_second_has_another_token() {
    let catalog = Catalog::empty().await;
    catalog.publish(vec![cask_file("upload", &["a"])], &[], false).await.unwrap();
    let store = catalog.store().await;
    let follower = Arc::new(Publisher::open(store, BackgroundPriority::Normal).await.unwrap());
    catalog.publish(vec![cask_file("upload", &["a", "b"])], &[], false).await.unwrap();
    catalog.publish(vec![cask_file("upload", &["a"])], &[], true).await.unwrap();
    let current = catalog.publisher.current();
    assert_eq!(follower.current().content_hash(), current.content_hash());
    assert_ne!(follower.current().token(), current.token());
    follower.follow_store().await.unwrap();
    assert_eq!(follower.current().journal().newest(), current.journal().newest());
    let uploads = vec![cask_file("upload", &["a", "c"])];
    let change = CatalogChange::Sources { uploads, staying: Vec::new(), allow_shrink: false };
    assert!(follower.publish(change).await.unwrap().changed);
}
