//! Bodies that take turns, are kept and are evicted.

use super::*;
use crate::listing::Selection;

const KEY: BodyKey = BodyKey::TitleCodes;

fn bytes(body: Option<KeptBody>) -> Option<Bytes> {
    match body? {
        KeptBody::Memory(bytes) => Some(bytes),
        KeptBody::File(range) => range.read().ok(),
    }
}

fn slices(length: usize) -> [Bytes; 3] {
    [Bytes::from_static(b"["), vec![b'x'; length].into(), Bytes::from_static(b"]")]
}

fn plain(body: Vec<u8>) -> Slices {
    Slices::one(body.into())
}

/// Longer than anything takes here.
const PATIENCE: Duration = Duration::from_mins(1);

/// Waits until nothing is being made.
async fn rest(kept: &KeptBodies) {
    while !kept.making().is_empty() || kept.places.available_permits() < AT_ONCE {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_body_is_made_once_and_kept() {
    let kept = Arc::new(KeptBodies::default());
    assert!(kept.get(KEY, Some(Encoding::Gzip)).is_none());
    let made = bytes(kept.compress(KEY, Encoding::Gzip, &plain(vec![b'a'; 100]), PATIENCE).await);
    assert!(made.is_some());
    assert_eq!(bytes(kept.get(KEY, Some(Encoding::Gzip))), made);
    assert_eq!(kept.compressed.weight(), made.unwrap().len() as u64);
}

#[test]
fn a_short_body_is_made_at_once_and_kept() {
    let kept = KeptBodies::default();
    let made = bytes(kept.compress_now(KEY, Encoding::Zstd, &[b'a'; 5_000])).unwrap();
    assert_eq!(zstd::bulk::decompress(&made, 5_000).unwrap(), [b'a'; 5_000]);
    assert_eq!(bytes(kept.get(KEY, Some(Encoding::Zstd))), Some(made));
    assert!(kept.get(KEY, Some(Encoding::Gzip)).is_none());
}

#[tokio::test]
async fn large_plain_bodies_are_kept_and_small_ones_are_not() {
    let kept = Arc::new(KeptBodies::default());
    kept.keep_large(KEY, &slices(100));
    rest(&kept).await;
    assert!(kept.get(KEY, None).is_none());
    kept.keep_large(KEY, &slices(FILE_FROM));
    rest(&kept).await;
    if cfg!(target_os = "linux") {
        assert_eq!(bytes(kept.get(KEY, None)).unwrap(), slices(FILE_FROM).concat());
        assert_eq!(kept.plain.weight(), FILE_FROM as u64 + 4096, "whole pages");
    }
}

#[tokio::test]
async fn a_request_that_goes_away_leaves_its_work_behind() {
    let kept = Arc::new(KeptBodies::default());
    let body = plain(vec![b'a'; 1 << 20]);
    let mut request = Box::pin(kept.compress(KEY, Encoding::Gzip, &body, PATIENCE));
    assert!(
        std::future::poll_fn(|context| std::task::Poll::Ready(request.as_mut().poll(context)))
            .await
            .is_pending()
    );
    drop(request);
    rest(&kept).await;
    assert!(kept.get(KEY, Some(Encoding::Gzip)).is_some());
}

fn page(from: usize) -> BodyKey {
    BodyKey::Apps(Selection::EVERYTHING, from, from + 100)
}

/// Occupies all places.
async fn all_places(kept: &KeptBodies) -> OwnedSemaphorePermit {
    let all = u32::try_from(AT_ONCE).unwrap();
    Arc::clone(&kept.places).acquire_many_owned(all).await.unwrap()
}

#[tokio::test]
async fn a_body_gets_its_turn_and_is_made_once_for_all() {
    let kept = Arc::new(KeptBodies::default());
    let busy = all_places(&kept).await;
    let requests: Vec<_> = (0..20)
        .map(|_| {
            let kept = Arc::clone(&kept);
            let body = plain(vec![b'a'; 100]);
            tokio::spawn(async move { kept.compress(KEY, Encoding::Zstd, &body, PATIENCE).await })
        })
        .collect();
    while kept.making().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(kept.making().len(), 1, "the same body waits once");
    drop(busy);
    for request in requests {
        assert!(request.await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_request_without_patience_gets_the_plain_body_and_the_next_one_the_compressed() {
    let kept = Arc::new(KeptBodies::default());
    let busy = all_places(&kept).await;
    let body = plain(vec![b'a'; 100]);
    assert!(kept.compress(KEY, Encoding::Zstd, &body, Duration::ZERO).await.is_none());
    drop(busy);
    rest(&kept).await;
    assert!(kept.get(KEY, Some(Encoding::Zstd)).is_some(), "it stayed in the queue");
}

#[tokio::test]
async fn only_so_many_bodies_wait() {
    let kept = Arc::new(KeptBodies::default());
    let busy = all_places(&kept).await;
    let body = plain(vec![b'a'; 100]);
    for number in 0..1000 {
        let made = kept.compress(page(number), Encoding::Gzip, &body, Duration::ZERO).await;
        assert!(made.is_none());
        assert!(kept.making().len() <= WAITING + AT_ONCE);
    }
    drop(busy);
    let made = kept.compress(page(0), Encoding::Gzip, &body, PATIENCE).await;
    assert!(made.is_some());
    rest(&kept).await;
    let made = kept.compress(page(2000), Encoding::Gzip, &body, PATIENCE).await;
    assert!(made.is_some(), "there is room again");
}

#[tokio::test]
async fn a_reader_of_every_page_does_not_push_out_what_others_ask_for() {
    let kept = Arc::new(KeptBodies::with_budget(1 << 20));
    let popular = async || {
        for _ in 0..3 {
            if kept.get(page(0), Some(Encoding::Gzip)).is_none() {
                kept.compress(page(0), Encoding::Gzip, &noise(0, 32 << 10), PATIENCE).await;
            }
        }
    };
    popular().await;
    for number in 1..200 {
        kept.compress(page(number), Encoding::Gzip, &noise(number, 32 << 10), PATIENCE).await;
        assert!(kept.compressed.weight() <= 1 << 20);
        if number % 10 == 0 {
            popular().await;
        }
    }
    assert!(kept.get(page(0), Some(Encoding::Gzip)).is_some(), "the popular page was evicted");
    assert!(kept.get(page(199), Some(Encoding::Gzip)).is_some(), "new pages are cached");
}

/// Bytes that do not compress.
fn noise(seed: usize, length: usize) -> Slices {
    let mut state = seed as u64 + 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[0]
    };
    plain((0..length).map(|_| next()).collect())
}

#[test]
fn a_body_in_memory_takes_no_more_room_than_its_length() {
    let plain = vec![b'a'; 100_000];
    for encoding in Encoding::ALL {
        let packed = encoding.compress(&plain).unwrap();
        let KeptBody::Memory(body) = KeptBodies::default().place(packed.into()) else {
            panic!("a small body is kept in memory");
        };
        let length = body.len();
        assert_eq!(Vec::from(body).capacity(), length, "{encoding:?}");
    }
}
