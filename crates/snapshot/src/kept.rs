//! A cache of response bodies that are made on demand.
//!
//! Compressed bodies are cached because compression is slow. Large bodies are cached because they
//! are sent faster from a file (see [`crate::BodyFile`]), so a filtered page costs the same as an
//! unfiltered one. The cache is bounded and keeps the most requested bodies; a client that reads
//! every page once does not evict them. The number of bodies made at the same time is also
//! bounded. Beyond that, bodies are sent uncompressed: compressing on every request would let
//! clients use up the CPU. All file operations run on blocking threads.

use std::{
    collections::HashSet,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use bytes::Bytes;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use tokio::{sync::Semaphore, task::spawn_blocking};

use crate::{
    body_file::{BodyFile, FileRange},
    encoding::Encoding,
    resource::BodyKey,
};

/// The size in bytes of the cache for compressed bodies, and of the separate cache for plain ones.
/// They are separate so that a client reading pages of every size cannot evict compressed bodies.
const BUDGET: u64 = 64 << 20;

/// The maximum number of bodies made at the same time.
const AT_ONCE: usize = 2;

/// The minimum length in bytes of a body sent from a file. Below it, the extra system call costs
/// more than the copy.
const FILE_FROM: usize = 8 << 10;

/// A body and its encoding; `None` if plain.
type BodyName = (BodyKey, Option<Encoding>);

/// A cached body.
#[derive(Debug, Clone)]
pub enum KeptBody {
    /// In memory.
    Memory(Bytes),
    /// In a file.
    File(FileRange),
}

/// Weighs a body by the space it occupies.
#[derive(Clone)]
struct BySize;

impl Weighter<BodyName, KeptBody> for BySize {
    fn weight(&self, _: &BodyName, body: &KeptBody) -> u64 {
        let size = match body {
            KeptBody::Memory(bytes) => bytes.len(),
            KeptBody::File(range) => range.size(),
        };
        // The cache never evicts entries of weight zero.
        size.max(1) as u64
    }
}

type Bodies = Cache<BodyName, KeptBody, BySize>;

/// The cached bodies of one snapshot.
pub struct KeptBodies {
    compressed: Bodies,
    plain: Bodies,
    /// The bodies being made.
    making: Mutex<HashSet<BodyName>>,
    places: Arc<Semaphore>,
    /// Created with the first body to write; `None` inside if the system does not support it.
    file: OnceLock<Option<Arc<BodyFile>>>,
}

impl Default for KeptBodies {
    fn default() -> Self {
        Self::with_budget(BUDGET)
    }
}

impl KeptBodies {
    fn with_budget(budget: u64) -> Self {
        Self {
            compressed: bodies(budget),
            plain: bodies(budget),
            making: Mutex::default(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
            file: OnceLock::new(),
        }
    }

    /// Looks up a body in the cache.
    #[must_use]
    pub fn get(&self, key: BodyKey, encoding: Option<Encoding>) -> Option<KeptBody> {
        self.bodies(encoding).get(&(key, encoding))
    }

    /// Writes a large plain body to a file for later requests. Does not wait: the caller sends its
    /// own copy.
    pub fn keep_large(self: &Arc<Self>, key: BodyKey, slices: &[Bytes; 3]) {
        let length: usize = slices.iter().map(Bytes::len).sum();
        if length < FILE_FROM || !self.is_wanted((key, None), length) {
            return;
        }
        let slices = slices.clone();
        self.make((key, None), move |kept| kept.file()?.append(&slices).ok().map(KeptBody::File));
    }

    /// Compresses a body; `None` if the plain body must be sent instead. The work continues and is
    /// cached even if the request is canceled.
    pub async fn compress(
        self: &Arc<Self>,
        key: BodyKey,
        encoding: Encoding,
        plain: impl FnOnce() -> Vec<u8>,
    ) -> Option<KeptBody> {
        let name = (key, Some(encoding));
        let plain = plain();
        if !self.is_wanted(name, plain.len()) {
            return None;
        }
        let work = self.make(name, move |kept| {
            let packed = encoding.compress(&plain).ok()?;
            Some(kept.place(packed.into()))
        })?;
        work.await.ok().flatten()
    }

    /// Makes a body on a blocking thread and caches it; `None` if it is already being made or if
    /// too many others are.
    fn make(
        self: &Arc<Self>,
        name: BodyName,
        work: impl FnOnce(&Self) -> Option<KeptBody> + Send + 'static,
    ) -> Option<tokio::task::JoinHandle<Option<KeptBody>>> {
        let place = Arc::clone(&self.places).try_acquire_owned().ok()?;
        if !self.making().insert(name) {
            return None;
        }
        let kept = Arc::clone(self);
        Some(spawn_blocking(move || {
            let made = work(&kept);
            if let Some(body) = &made {
                kept.bodies(name.1).insert(name, body.clone());
            }
            kept.making().remove(&name);
            drop(place);
            made
        }))
    }

    /// Whether a body may be cached; one that takes more than half of the cache would evict too
    /// much.
    fn is_wanted(&self, name: BodyName, length: usize) -> bool {
        (length as u64) <= self.bodies(name.1).capacity() / 2
    }

    /// Stores a body in a file if it is large, else in memory.
    fn place(&self, body: Bytes) -> KeptBody {
        let large = body.len() >= FILE_FROM;
        let file = large.then(|| self.file()).flatten();
        match file.and_then(|file| file.append(std::slice::from_ref(&body)).ok()) {
            Some(range) => KeptBody::File(range),
            // A compressor reserves room for a body that does not compress. Only a copy gives it back.
            None => KeptBody::Memory(Bytes::copy_from_slice(&body)),
        }
    }

    fn file(&self) -> Option<&Arc<BodyFile>> {
        self.file.get_or_init(|| BodyFile::create().map(Arc::new)).as_ref()
    }

    fn bodies(&self, encoding: Option<Encoding>) -> &Bodies {
        if encoding.is_some() { &self.compressed } else { &self.plain }
    }

    fn making(&self) -> std::sync::MutexGuard<'_, HashSet<BodyName>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Uses one shard, because each shard has only a part of the budget and a page can be large.
fn bodies(budget: u64) -> Bodies {
    let mut options = OptionsBuilder::new();
    options.shards(1).estimated_items_capacity(1024).weight_capacity(budget);
    match options.build() {
        Ok(options) => Cache::with_options(
            options,
            BySize,
            DefaultHashBuilder::default(),
            DefaultLifecycle::default(),
        ),
        Err(_) => Cache::with_weighter(1024, budget, BySize),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

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
        let made = bytes(kept.compress(KEY, Encoding::Gzip, || vec![b'a'; 100]).await);
        assert!(made.is_some());
        assert_eq!(bytes(kept.get(KEY, Some(Encoding::Gzip))), made);
        assert_eq!(kept.compressed.weight(), made.unwrap().len() as u64);
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
        let mut request = Box::pin(kept.compress(KEY, Encoding::Gzip, || vec![b'a'; 1 << 20]));
        assert!(
            std::future::poll_fn(|context| std::task::Poll::Ready(request.as_mut().poll(context)))
                .await
                .is_pending()
        );
        drop(request);
        rest(&kept).await;
        assert!(kept.get(KEY, Some(Encoding::Gzip)).is_some());
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

    #[tokio::test]
    async fn only_so_many_are_made_at_once() {
        let kept = Arc::new(KeptBodies::default());
        let all = u32::try_from(AT_ONCE).unwrap();
        let _all = Arc::clone(&kept.places).acquire_many_owned(all).await;
        assert!(kept.compress(KEY, Encoding::Zstd, || vec![b'a'; 100]).await.is_none());
    }

    #[tokio::test]
    async fn a_reader_of_every_page_does_not_push_out_what_others_ask_for() {
        let kept = Arc::new(KeptBodies::with_budget(1 << 20));
        let page = |from: usize| BodyKey::Apps(Selection::EVERYTHING, from, from + 100);
        let popular = async || {
            for _ in 0..3 {
                if kept.get(page(0), Some(Encoding::Gzip)).is_none() {
                    kept.compress(page(0), Encoding::Gzip, || noise(0, 32 << 10)).await;
                }
            }
        };
        popular().await;
        for number in 1..200 {
            kept.compress(page(number), Encoding::Gzip, || noise(number, 32 << 10)).await;
            assert!(kept.compressed.weight() <= 1 << 20);
            if number % 10 == 0 {
                popular().await;
            }
        }
        assert!(kept.get(page(0), Some(Encoding::Gzip)).is_some(), "the popular page was evicted");
        assert!(kept.get(page(199), Some(Encoding::Gzip)).is_some(), "new pages are cached");
    }

    /// Bytes that do not compress.
    fn noise(seed: usize, length: usize) -> Vec<u8> {
        let mut state = seed as u64 + 1;
        let mut next = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()[0]
        };
        (0..length).map(|_| next()).collect()
    }
}
