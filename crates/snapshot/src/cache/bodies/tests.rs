//! Bodies that are queued, cached and are evicted.

use super::*;

const KEY: BodyKey = BodyKey::TitleCodes;

fn bytes(body: Option<CachedBody>) -> Option<Bytes> {
    match body? {
        CachedBody::Memory(bytes) => Some(bytes),
        CachedBody::File(range) => range.read().ok(),
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
async fn rest(cache: &BodyCache) {
    while !cache.making().is_empty() || cache.permits.available_permits() < AT_ONCE {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
}

#[tokio::test]
async fn a_body_is_made_once_and_cached() {
    let cache = Arc::new(BodyCache::default());
    assert!(cache.get(KEY, Some(Encoding::Gzip)).is_none());
    let made = bytes(cache.compress(KEY, Encoding::Gzip, &plain(vec![b'a'; 100]), PATIENCE).await);
    assert!(made.is_some());
    assert_eq!(bytes(cache.get(KEY, Some(Encoding::Gzip))), made);
    assert_eq!(cache.compressed.weight(), made.unwrap().len() as u64);
}

#[test]
fn a_short_body_is_made_at_once_and_cached() {
    let cache = BodyCache::default();
    let made = bytes(cache.compress_now(KEY, Encoding::Zstd, &[b'a'; 5_000])).unwrap();
    assert_eq!(zstd::bulk::decompress(&made, 5_000).unwrap(), [b'a'; 5_000]);
    assert_eq!(bytes(cache.get(KEY, Some(Encoding::Zstd))), Some(made));
    assert!(cache.get(KEY, Some(Encoding::Gzip)).is_none());
}

#[tokio::test]
async fn large_plain_bodies_are_cached_and_small_ones_are_not() {
    let cache = Arc::new(BodyCache::default());
    cache.store_large(KEY, &slices(100));
    rest(&cache).await;
    assert!(cache.get(KEY, None).is_none());
    cache.store_large(KEY, &slices(FILE_FROM));
    rest(&cache).await;
    if cfg!(target_os = "linux") {
        assert_eq!(bytes(cache.get(KEY, None)).unwrap(), slices(FILE_FROM).concat());
        assert_eq!(cache.plain.weight(), FILE_FROM as u64 + 4096, "whole pages");
    }
}

#[tokio::test]
async fn a_request_that_goes_away_leaves_its_work_behind() {
    let cache = Arc::new(BodyCache::default());
    let body = plain(vec![b'a'; 1 << 20]);
    let mut request = Box::pin(cache.compress(KEY, Encoding::Gzip, &body, PATIENCE));
    assert!(
        std::future::poll_fn(|context| std::task::Poll::Ready(request.as_mut().poll(context)))
            .await
            .is_pending()
    );
    drop(request);
    rest(&cache).await;
    assert!(cache.get(KEY, Some(Encoding::Gzip)).is_some());
}

fn page(from: usize) -> BodyKey {
    BodyKey::Apps(Selection::EVERYTHING, from, from + 100)
}

async fn all_permits(cache: &BodyCache) -> OwnedSemaphorePermit {
    let all = u32::try_from(AT_ONCE).unwrap();
    Arc::clone(&cache.permits).acquire_many_owned(all).await.unwrap()
}

#[tokio::test]
async fn a_body_gets_its_turn_and_is_made_once_for_all() {
    let cache = Arc::new(BodyCache::default());
    let busy = all_permits(&cache).await;
    let requests: Vec<_> = (0..20)
        .map(|_| {
            let cache = Arc::clone(&cache);
            let body = plain(vec![b'a'; 100]);
            tokio::spawn(async move { cache.compress(KEY, Encoding::Zstd, &body, PATIENCE).await })
        })
        .collect();
    while cache.making().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!(cache.making().len(), 1, "the same body waits once");
    drop(busy);
    for request in requests {
        assert!(request.await.unwrap().is_some());
    }
}

#[tokio::test]
async fn a_request_without_patience_gets_the_plain_body_and_the_next_one_the_compressed() {
    let cache = Arc::new(BodyCache::default());
    let busy = all_permits(&cache).await;
    let body = plain(vec![b'a'; 100]);
    assert!(cache.compress(KEY, Encoding::Zstd, &body, Duration::ZERO).await.is_none());
    drop(busy);
    rest(&cache).await;
    assert!(cache.get(KEY, Some(Encoding::Zstd)).is_some(), "it stayed in the queue");
}

#[tokio::test]
async fn only_so_many_bodies_wait() {
    let cache = Arc::new(BodyCache::default());
    let busy = all_permits(&cache).await;
    let body = plain(vec![b'a'; 100]);
    for number in 0..1000 {
        let made = cache.compress(page(number), Encoding::Gzip, &body, Duration::ZERO).await;
        assert!(made.is_none());
        assert!(cache.making().len() <= WAITING + AT_ONCE);
    }
    drop(busy);
    let made = cache.compress(page(0), Encoding::Gzip, &body, PATIENCE).await;
    assert!(made.is_some());
    rest(&cache).await;
    let made = cache.compress(page(2000), Encoding::Gzip, &body, PATIENCE).await;
    assert!(made.is_some(), "there is room again");
}

#[tokio::test]
async fn a_reader_of_every_page_does_not_push_out_what_others_ask_for() {
    let cache = Arc::new(BodyCache::with_budget(1 << 20));
    let popular = async || {
        for _ in 0..3 {
            if cache.get(page(0), Some(Encoding::Gzip)).is_none() {
                cache.compress(page(0), Encoding::Gzip, &noise(0, 32 << 10), PATIENCE).await;
            }
        }
    };
    popular().await;
    for number in 1..200 {
        cache.compress(page(number), Encoding::Gzip, &noise(number, 32 << 10), PATIENCE).await;
        assert!(cache.compressed.weight() <= 1 << 20);
        if number % 10 == 0 {
            popular().await;
        }
    }
    assert!(cache.get(page(0), Some(Encoding::Gzip)).is_some(), "the popular page was evicted");
    assert!(cache.get(page(199), Some(Encoding::Gzip)).is_some(), "new pages are cached");
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
        let CachedBody::Memory(body) = BodyCache::default().store(packed.into()) else {
            panic!("a small body is stored in memory");
        };
        let length = body.len();
        assert_eq!(Vec::from(body).capacity(), length, "{encoding:?}");
    }
}
