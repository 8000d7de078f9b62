//! Webhooks in a backup: never with their secrets in clear.

use reqwest::Method;
use serde_json::json;

use super::{add, ask, get, publish, put, receiver::Receiver, server};
use crate::support::run;

#[tokio::test]
async fn a_restored_hook_waits_for_its_secret_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let first = server(&folder.path().join("first.db"));
    let mut receiver = Receiver::start();
    let secret = add(&first, "ops", &receiver).await["secret"].as_str().unwrap().to_owned();
    publish(&first, 1, "1").await;
    receiver.next().await;
    super::settled(&first, "ops", 1).await;
    let before = get(&first, "ops").await;
    std::fs::write(file("key"), "0123456789abcdef0123456789abcdef\n").unwrap();
    let store = |name: &str| format!("sqlite:{}", file(name));
    let (code, _, printed) = run(&["backup", &file("plain"), "--store", &store("first.db")]);
    assert!(
        code == 0 && printed.contains("note: the URLs and secrets of webhooks are not"),
        "{printed}"
    );
    let (code, _, printed) = run(&[
        "backup",
        &file("sealed"),
        "--store",
        &store("first.db"),
        "--secrets-key-file",
        &file("key"),
    ]);
    assert!(code == 0 && !printed.contains("note:"), "{printed}");
    for name in ["plain", "sealed"] {
        let text = zstd::decode_all(&std::fs::read(file(name)).unwrap()[..]).unwrap();
        let text = String::from_utf8(text).unwrap();
        assert!(!text.contains(&secret) && !text.contains("whsec_"), "{text}");
    }

    let (code, _, printed) = run(&["restore", &file("plain"), "--store", &store("bare.db")]);
    assert!(code == 0 && printed.contains("warning: disabled webhooks"), "{printed}");
    assert!(printed.contains("unknown: ops\n"), "{printed}");
    let bare = server(&folder.path().join("bare.db"));
    let hook = get(&bare, "ops").await;
    assert_eq!((&hook["state"], &hook["cursor"]), (&json!("disabled"), &before["cursor"]));
    assert!(hook["reason"].as_str().unwrap().contains("restored without its URL"), "{hook}");
    for path in ["/ops/enable", "/ops/test"] {
        let response = ask(&bare, Method::POST, path, None).await;
        assert_eq!(response.status, 422, "{response:?}");
        assert!(response.detail().contains("no URL"), "{response:?}");
    }
    publish(&bare, 1, "2").await;
    let revived = put(&bare, "ops", json!({"url": receiver.url()})).await.json();
    assert!(revived["secret"].as_str().unwrap().starts_with("whsec_"), "{revived}");
    assert_eq!(revived["state"], "enabled");
    let message = receiver.next().await;
    assert_eq!(message.kind(), "catalog.changed", "it goes on where it was");
    drop(bare);

    let (code, _, printed) = run(&[
        "restore",
        &file("sealed"),
        "--store",
        &store("whole.db"),
        "--secrets-key-file",
        &file("key"),
    ]);
    assert!(code == 0 && !printed.contains("warning"), "{printed}");
    let whole = server(&folder.path().join("whole.db"));
    assert_eq!(get(&whole, "ops").await, before);
    std::fs::write(file("key"), "another key, which is long enough").unwrap();
    let (code, _, printed) = run(&[
        "restore",
        &file("sealed"),
        "--store",
        &store("none.db"),
        "--secrets-key-file",
        &file("key"),
    ]);
    assert!(code == 2 && printed.contains("the key does not open the secrets"), "{printed}");
    assert!(!folder.path().join("none.db").exists());
}

#[tokio::test]
async fn a_receiver_that_got_changes_which_are_lost_is_asked_to_start_again() {
    let folder = tempfile::tempdir().unwrap();
    let (store, file) = (folder.path().join("catalog.db"), folder.path().join("backup"));
    let server = server(&store);
    let (store, file) = (format!("sqlite:{}", store.display()), file.display().to_string());
    let mut receiver = Receiver::start();
    add(&server, "ops", &receiver).await;
    publish(&server, 1, "1").await;
    receiver.next().await;
    super::settled(&server, "ops", 1).await;
    let (code, _, printed) = run(&["backup", &file, "--store", &store]);
    assert_eq!(code, 0, "{printed}");
    // Nothing was delivered since the backup, so nothing is lost.
    let (code, _, printed) = run(&["restore", &file, "--store", &store, "--replace"]);
    assert_eq!(code, 0, "{printed}");
    publish(&server, 1, "2").await;
    assert_eq!(receiver.next().await.kind(), "catalog.changed");
    super::settled(&server, "ops", 2).await;

    let (code, _, printed) = run(&["restore", &file, "--store", &store, "--replace"]);
    assert_eq!(code, 0, "{printed}");
    assert_eq!(receiver.next().await.kind(), "catalog.reset");
    publish(&server, 1, "3").await;
    let message = receiver.next().await;
    assert_eq!(message.kind(), "catalog.changed");
}
