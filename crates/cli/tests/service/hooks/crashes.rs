//! A kill at any moment loses no change, and a repeat can be recognized.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use super::{
    add, publish,
    receiver::{PlannedResponse, Receiver},
    server, settled,
};

#[tokio::test]
async fn a_message_on_its_way_is_sent_again_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut first = server(&store);
    let mut receiver = Receiver::start();
    add(&first, "ops", &receiver).await;
    receiver.plan([PlannedResponse::Silence]);
    publish(&first, 3, "1").await;
    let unconfirmed = receiver.next().await;
    // What is published meanwhile must not change the message.
    publish(&first, 4, "2").await;
    first.kill();

    let second = server(&store);
    let repeat = receiver.next().await;
    assert_eq!((repeat.id(), &repeat.text), (unconfirmed.id(), &unconfirmed.text));
    let gap = receiver.next().await;
    settled(&second, "ops", 7).await;
    let numbers = [repeat.numbers(), gap.numbers()].concat();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7], "every change once");
    assert!(receiver.rest().is_empty());
}

#[tokio::test]
async fn kills_at_any_moment_lose_nothing_and_repeats_have_the_same_identifier() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("catalog.db");
    let mut running = server(&store);
    let mut receiver = Receiver::start();
    add(&running, "ops", &receiver).await;
    for round in 0..10_u64 {
        publish(&running, 3, &round.to_string()).await;
        tokio::time::sleep(Duration::from_millis(round * 4)).await;
        running.kill();
        running = server(&store);
    }
    settled(&running, "ops", 30).await;
    let mut messages: HashMap<String, Vec<u64>> = HashMap::new();
    for message in receiver.rest() {
        let known = messages.insert(message.id().to_owned(), message.numbers());
        assert!(known.is_none_or(|known| known == message.numbers()), "a repeat is the same");
    }
    let numbers: Vec<u64> = messages.into_values().flatten().collect();
    let distinct: HashSet<u64> = numbers.iter().copied().collect();
    assert_eq!(numbers.len(), distinct.len(), "every change in one message");
    assert_eq!(distinct, (1..=30).collect());
}
