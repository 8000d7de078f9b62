//! Keys: generated ones are shown once, and during a change of keys two of them sign.

use appstitch_hooks::HookSecret;
use jiff::SignedDuration;
use serde_json::json;

use crate::{catalog::Catalog, receiver::Receiver};

const GIVEN: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_shown_only_when_it_is_generated() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let receiver = Receiver::start();
    let made = catalog.add("made", &receiver).await;
    let secret = made.secret.unwrap();
    assert!(HookSecret::parse(&secret).is_ok());
    let again = catalog.add("made", &receiver).await;
    assert!(!again.is_new && again.secret.is_none(), "it is kept and not shown");
    let given = catalog.put("given", json!({"url": receiver.url(), "secret": GIVEN})).await;
    assert!(given.secret.is_none());
    let rotated = catalog.put("made", json!({"url": receiver.url(), "rotate_secret": true})).await;
    let next = rotated.secret.unwrap();
    assert_ne!(next, secret);
    let shown = serde_json::to_string(&catalog.hooks.list().await.unwrap()).unwrap();
    assert!(!shown.contains("whsec_"), "{shown}");
    for secret in [secret, next, GIVEN.to_owned()] {
        assert!(!shown.contains(&secret["whsec_".len()..]), "{shown}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn both_keys_sign_for_a_day() {
    let folder = tempfile::tempdir().unwrap();
    let catalog = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    catalog.add("ops", &receiver).await;
    catalog.hooks.test("ops").await.unwrap();
    assert_eq!(receiver.next().await.signatures().len(), 1);
    let hook = catalog.put("ops", json!({"url": receiver.url(), "secret": GIVEN})).await;
    assert!(hook.status.previous_secret_until.is_some());
    catalog.hooks.test("ops").await.unwrap();
    let both = receiver.next().await;
    assert_eq!(both.signatures().len(), 2);
    assert!(both.signatures().iter().all(|signature| signature.starts_with("v1,")));
    catalog.clock.advance(SignedDuration::from_hours(25));
    catalog.hooks.test("ops").await.unwrap();
    assert_eq!(receiver.next().await.signatures().len(), 1);
    assert!(catalog.hooks.get("ops").await.unwrap().previous_secret_until.is_none());
}
