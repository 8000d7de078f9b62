//! Publishes files to a real store and checks the served catalog.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod source_status;
mod support;

use appstitch_publish::{
    BackgroundPriority, CatalogChange, PublishError, Publisher, load_sample, upload_origin,
};
use appstitch_sources::Upstream;

use support::{Catalog, LONG_AGO, casks, fetched, listing, read, unchanged};

#[tokio::test]
async fn files_of_one_source_do_not_replace_each_other() {
    let catalog = Catalog::empty().await;
    let uploads = vec![
        read(Upstream::StoreListing, &upload_origin(1), &listing(&["com.a"])),
        read(Upstream::StoreListing, &upload_origin(2), &listing(&["com.b"])),
    ];
    catalog.publish(uploads, &[], false).await.unwrap();
    assert_eq!(catalog.keys("store_listing").await, ["com.a", "com.b"]);
    let both = vec![
        read(Upstream::CaskCatalog, "https://a.example/", &casks(&["a", "b"])),
        read(Upstream::CaskCatalog, "https://b.example/", &casks(&["c", "d"])),
    ];
    catalog.publish(both, &[], false).await.unwrap();
    assert_eq!(catalog.slugs(), ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn an_upload_replaces_the_documents_of_every_origin() {
    let catalog = Catalog::empty().await;
    let file = |origin: &str, tokens: &[&str]| read(Upstream::CaskCatalog, origin, &casks(tokens));
    let both = vec![file("https://a.example/", &["a"]), file("https://b.example/", &["b"])];
    catalog.publish(both, &[], false).await.unwrap();
    let refused = catalog.publish(vec![file("upload", &["a"])], &[], false).await;
    assert!(
        matches!(refused, Err(PublishError::Shrinks { removed: 1, present: 2, .. })),
        "{refused:?}"
    );
    catalog.publish(vec![file("upload", &["a"])], &[], true).await.unwrap();
    assert_eq!(catalog.slugs(), ["a"], "the served catalog matches the store");
    assert_eq!(catalog.keys("cask_catalog").await, ["a"]);
}

#[tokio::test]
async fn a_refresh_keeps_the_documents_of_addresses_that_sent_nothing_new() {
    let catalog = Catalog::empty().await;
    let file = |origin: &str, tokens: &[&str]| read(Upstream::CaskCatalog, origin, &casks(tokens));
    let both = vec![file("https://a.example/", &["a"]), file("https://b.example/", &["b"])];
    catalog.publish(both, &[], false).await.unwrap();
    let staying = unchanged(Upstream::CaskCatalog, "https://a.example/");
    let new = vec![file("https://b.example/", &["b", "c"])];
    catalog.publish(new, &[staying], false).await.unwrap();
    assert_eq!(catalog.slugs(), ["a", "b", "c"]);
}

#[tokio::test]
async fn validators_go_with_the_documents_they_vouch_for() {
    let catalog = Catalog::empty().await;
    let file = || fetched(Upstream::CaskCatalog, "https://a.example/", &casks(&["a"]), "\"1\"");
    catalog.publish(vec![file()], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, ["https://a.example/"]);

    // A file of another source does not affect the validators.
    let other = read(Upstream::StoreListing, "upload", &listing(&["com.a"]));
    catalog.publish(vec![other], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, ["https://a.example/"]);

    // The same bytes from another origin remove them.
    let upload = read(Upstream::CaskCatalog, "upload", &casks(&["a"]));
    catalog.publish(vec![upload], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, Vec::<String>::new());

    catalog.publish(vec![file()], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, ["https://a.example/"]);
    let unvalidated = read(Upstream::CaskCatalog, "https://a.example/", &casks(&["a"]));
    catalog.publish(vec![unvalidated], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, Vec::<String>::new(), "no longer sent");
}

#[tokio::test]
async fn an_empty_file_of_an_address_is_not_trusted_after_an_upload() {
    let catalog = Catalog::empty().await;
    let empty = fetched(Upstream::CaskCatalog, "https://a.example/", "[]", "\"1\"");
    catalog.publish(vec![empty], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, ["https://a.example/"]);
    let upload = read(Upstream::CaskCatalog, "upload", &casks(&["a"]));
    catalog.publish(vec![upload], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, Vec::<String>::new());
}

#[tokio::test]
async fn validators_of_another_reader_are_not_used() {
    let catalog = Catalog::empty().await;
    let file = fetched(Upstream::CaskCatalog, "https://a.example/", &casks(&["a"]), "\"1\"");
    catalog.publish(vec![file.clone()], &[], false).await.unwrap();
    catalog.sql("UPDATE fetched SET reader = 'another build'");
    assert_eq!(catalog.validated().await, Vec::<String>::new());
    catalog.publish(vec![file], &[], false).await.unwrap();
    assert_eq!(catalog.validated().await, ["https://a.example/"], "the file was read again");
}

#[tokio::test]
async fn the_same_file_again_writes_only_that_it_was_received() {
    let catalog = Catalog::empty().await;
    let file =
        |tag: &str| fetched(Upstream::CaskCatalog, "https://a.example/", &casks(&["a", "b"]), tag);
    let first = catalog.publish(vec![file("\"1\"")], &[], false).await.unwrap();
    catalog.make_older();
    let allowed =
        catalog.forbid_writes(&["document", "record", "app", "served", "fetched", "revision"]);
    let again = catalog.publish(vec![file("\"1\"")], &[], false).await.unwrap();
    assert_eq!((again.changed, again.total, &again.token), (false, 2, &first.token));
    assert_eq!((again.added, again.updated, again.removed), (0, 0, 0));
    assert_ne!(catalog.status("cask_catalog").received_at, Some(LONG_AGO.parse().unwrap()));
    catalog.sql(&allowed);
    let edition = catalog.edition();
    // New validators are stored even if nothing else changes.
    let again = catalog.publish(vec![file("\"2\"")], &[], false).await.unwrap();
    assert_eq!((again.changed, &again.token), (false, &first.token));
    assert_eq!(catalog.edition(), edition + 1);
    let rows = catalog.publisher.fetched().await.unwrap();
    assert_eq!(rows[0].etag.as_deref(), Some("\"2\""));
}

#[tokio::test]
async fn the_sample_makes_way_for_real_data_whatever_version_loaded_it() {
    let catalog = Catalog::empty().await;
    assert!(load_sample(&catalog.publisher).await.unwrap());
    // Simulate a different sample loaded by another version.
    catalog.sql(
        "UPDATE document SET body = CAST(replace(CAST(body AS TEXT), 'Zoom', 'Older Zoom') AS BLOB);
         UPDATE record SET body = replace(body, 'Quicksilver', 'Older Quicksilver');
         UPDATE edition SET number = number + 1",
    );
    let upload = read(Upstream::CaskCatalog, "upload", &casks(&["a"]));
    catalog.publish(vec![upload], &[], false).await.unwrap();
    assert_eq!(catalog.slugs(), ["a"]);
}

#[tokio::test]
async fn a_document_hidden_by_another_origin_takes_over_when_that_goes() {
    let catalog = Catalog::empty().await;
    let both = vec![
        read(Upstream::CaskCatalog, "https://a.example/", &casks(&["a", "b"])),
        read(Upstream::CaskCatalog, "https://b.example/", &casks(&["a", "c"])),
    ];
    catalog.publish(both, &[], false).await.unwrap();
    assert_eq!(catalog.slugs(), ["a", "b", "c"]);
    let address = unchanged(Upstream::CaskCatalog, "https://b.example/");
    let less = vec![read(Upstream::CaskCatalog, "https://a.example/", &casks(&["b"]))];
    catalog.publish(less, &[address], false).await.unwrap();
    assert_eq!(catalog.slugs(), ["a", "b", "c"]);

    // Stitching again on startup gives the same catalog.
    catalog.sql("DELETE FROM served_by");
    let token = catalog.publisher.current().token().to_owned();
    let again = Publisher::open(catalog.store().await, BackgroundPriority::Normal).await.unwrap();
    assert_eq!(again.current().token(), token);
}

#[tokio::test]
async fn a_change_without_files_is_no_change() {
    let catalog = Catalog::empty().await;
    let change =
        CatalogChange::Sources { uploads: Vec::new(), staying: Vec::new(), allow_shrink: false };
    assert!(!catalog.publisher.publish(change).await.unwrap().changed);
}
