//! Several servers on one store: each message is sent by one of them.

use jiff::SignedDuration;

use crate::{
    catalog::Catalog,
    receiver::{Received, Receiver},
};

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_delivers_and_the_other_takes_over() {
    let folder = tempfile::tempdir().unwrap();
    let first = Catalog::open(&folder).await;
    let mut receiver = Receiver::start();
    first.add("ops", &receiver).await;
    first.publish(&[("a", "1")]).await;
    first.settled("ops").await;
    let second = Catalog::open(&folder).await;
    second.publish(&[("a", "2")]).await;
    first.publisher.follow_store().await.unwrap();
    first.settled("ops").await;
    first.hooks.stop().await;
    second.publish(&[("a", "3")]).await;
    second.clock.advance(SignedDuration::from_secs(11));
    second.settled("ops").await;
    let told: Vec<u64> = receiver.rest().iter().flat_map(Received::numbers).collect();
    assert_eq!(told, second.numbers(0), "each change once");
}
