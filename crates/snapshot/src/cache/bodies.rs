//! A cache of response bodies that are made on demand.
//!
//! Compressed bodies are cached because compression is slow. Large bodies are cached because they
//! are sent faster from a file (see [`BodyFile`]), so a filtered page costs the same as an
//! unfiltered one. The cache is bounded and keeps the most requested bodies; a client that reads
//! every page once does not evict them. The number of bodies made at the same time is also
//! bounded; further ones are queued. A request that would have to wait too long gets the
//! uncompressed body: compressing on every request would let clients use up the CPU. All file operations run on blocking threads.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use appstitch_bodies::{BodyFile, FileRange, Payload, Slices};
use appstitch_types::DriftScope;
use bytes::Bytes;
use quick_cache::{Weighter, sync::Cache};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::spawn_blocking,
    time::timeout,
};

use super::{bounded::bounded, texts::DocumentKey};
use crate::{encoding::Encoding, feeds::FeedKey, listing::Selection};

/// The size in bytes of the cache for compressed bodies, and of the separate cache for plain ones.
/// They are separate so that a client reading pages of every size cannot evict compressed bodies.
const BUDGET: u64 = 64 << 20;

const AT_ONCE: usize = 2;

/// The maximum number of bodies that are queued. Each of them holds its plain form.
const WAITING: usize = 64;

/// The minimum length in bytes of a body sent from a file. Below it, the extra system call costs
/// more than the copy.
const FILE_FROM: usize = 8 << 10;

/// The cache key of a body. Requests that resolve to the same rows have the same key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BodyKey {
    /// Rows of a selection: start and end.
    Apps(Selection, usize, usize),
    /// Rows of drift: start, end and the number of apps scanned.
    Drift(DriftScope, Selection, usize, usize, u64),
    /// By the position of the app, like the following.
    Sources(u32),
    Provenance(u32),
    Details(u32),
    TitleCodes,
    PatchSummaries,
    Feed(FeedKey),
    Document(DocumentKey),
}

/// A body and its encoding; `None` if plain.
type BodyName = (BodyKey, Option<Encoding>);

#[derive(Debug, Clone)]
pub enum CachedBody {
    Memory(Bytes),
    File(FileRange),
}

impl From<CachedBody> for Payload {
    fn from(body: CachedBody) -> Self {
        match body {
            // A large body in memory could not be written to the file. Whoever sends it may hold it
            // for longer than the cache does.
            CachedBody::Memory(bytes) if bytes.len() >= FILE_FROM => Self::Made(Slices::one(bytes)),
            CachedBody::Memory(bytes) => Self::Memory(Slices::one(bytes)),
            CachedBody::File(range) => Self::File(range),
        }
    }
}

#[derive(Debug, Clone)]
enum Progress {
    Waiting,
    Started,
    /// `None` if it cannot be made.
    Made(Option<CachedBody>),
}

#[derive(Clone)]
struct BySize;

impl Weighter<BodyName, CachedBody> for BySize {
    fn weight(&self, _: &BodyName, body: &CachedBody) -> u64 {
        let size = match body {
            CachedBody::Memory(bytes) => bytes.len(),
            CachedBody::File(range) => range.size(),
        };
        // The cache never evicts entries of weight zero.
        size.max(1) as u64
    }
}

type Bodies = Cache<BodyName, CachedBody, BySize>;

pub struct BodyCache {
    compressed: Bodies,
    plain: Bodies,
    making: Mutex<HashMap<BodyName, watch::Receiver<Progress>>>,
    permits: Arc<Semaphore>,
    /// Created with the first body to write; `None` inside if the system does not support it.
    file: OnceLock<Option<Arc<BodyFile>>>,
}

impl Default for BodyCache {
    fn default() -> Self {
        Self::with_budget(BUDGET)
    }
}

impl BodyCache {
    fn with_budget(budget: u64) -> Self {
        Self {
            compressed: bounded(budget, BySize),
            plain: bounded(budget, BySize),
            making: Mutex::default(),
            permits: Arc::new(Semaphore::new(AT_ONCE)),
            file: OnceLock::new(),
        }
    }

    pub fn get(&self, key: BodyKey, encoding: Option<Encoding>) -> Option<CachedBody> {
        self.bodies(encoding).get(&(key, encoding))
    }

    /// Writes a large plain body to a file for later requests, unless others are being made. Does
    /// not wait: the caller sends its own copy.
    pub fn store_large(self: &Arc<Self>, key: BodyKey, slices: &[Bytes; 3]) {
        let name = (key, None);
        let length: usize = slices.iter().map(Bytes::len).sum();
        if length < FILE_FROM || !self.may_cache(name, length) {
            return;
        }
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else { return };
        let mut making = self.making();
        if making.contains_key(&name) {
            return;
        }
        let (sender, progress) = watch::channel(Progress::Started);
        making.insert(name, progress);
        drop(making);
        let (cache, slices) = (Arc::clone(self), slices.clone());
        tokio::spawn(async move {
            let write =
                move |cache: &Self| cache.file()?.append(&slices).ok().map(CachedBody::File);
            cache.make(name, permit, write, &sender).await;
        });
    }

    /// Compresses a body as soon as there is a permit, which may take as long as `max_wait`; `None` if the
    /// plain body must be sent instead. The work continues and is cached even if the request is
    /// canceled or times out. Requests for the same body share the work.
    pub async fn compress(
        self: &Arc<Self>,
        key: BodyKey,
        encoding: Encoding,
        plain: &Slices,
        max_wait: Duration,
    ) -> Option<CachedBody> {
        let name = (key, Some(encoding));
        if !self.may_cache(name, plain.length()) {
            return None;
        }
        let mut progress = self.queue(name, encoding, plain)?;
        let turn = progress.wait_for(|progress| !matches!(progress, Progress::Waiting));
        timeout(max_wait, turn).await.ok()?.ok()?;
        let made =
            progress.wait_for(|progress| matches!(progress, Progress::Made(_))).await.ok()?;
        match &*made {
            Progress::Made(body) => body.clone(),
            Progress::Waiting | Progress::Started => None,
        }
    }

    /// Compresses a short body on this thread and caches it: queueing would take longer.
    /// `None` if it cannot be compressed.
    pub fn compress_now(
        &self,
        key: BodyKey,
        encoding: Encoding,
        plain: &[u8],
    ) -> Option<CachedBody> {
        let packed = encoding.compress_quickly(plain).ok()?;
        // A compressor reserves room for a body that does not compress. Only a copy gives it back.
        let body = CachedBody::Memory(Bytes::copy_from_slice(&packed));
        self.compressed.insert((key, Some(encoding)), body.clone());
        Some(body)
    }

    /// The progress of a body, which joins the queue if it is new; `None` if the queue is full.
    fn queue(
        self: &Arc<Self>,
        name: BodyName,
        encoding: Encoding,
        plain: &Slices,
    ) -> Option<watch::Receiver<Progress>> {
        let mut making = self.making();
        if let Some(progress) = making.get(&name) {
            return Some(progress.clone());
        }
        // It may have been finished since the caller looked.
        if let Some(made) = self.bodies(name.1).get(&name) {
            return Some(watch::channel(Progress::Made(Some(made))).1);
        }
        if making.len() >= WAITING + AT_ONCE {
            return None;
        }
        let (sender, progress) = watch::channel(Progress::Waiting);
        making.insert(name, progress.clone());
        drop(making);
        let (cache, plain) = (Arc::clone(self), plain.clone());
        tokio::spawn(async move {
            // The permits are never closed, so there is always one in the end.
            if let Ok(permit) = Arc::clone(&cache.permits).acquire_owned().await {
                sender.send_replace(Progress::Started);
                let pack = move |cache: &Self| {
                    let packed = encoding.compress(&plain.concat()).ok()?;
                    Some(cache.store(packed.into()))
                };
                cache.make(name, permit, pack, &sender).await;
            }
        });
        Some(progress)
    }

    async fn make(
        self: &Arc<Self>,
        name: BodyName,
        permit: OwnedSemaphorePermit,
        work: impl FnOnce(&Self) -> Option<CachedBody> + Send + 'static,
        progress: &watch::Sender<Progress>,
    ) {
        let cache = Arc::clone(self);
        let work = spawn_blocking(move || {
            let made = work(&cache);
            if let Some(body) = &made {
                cache.bodies(name.1).insert(name, body.clone());
            }
            made
        });
        let made = work.await.ok().flatten();
        self.making().remove(&name);
        progress.send_replace(Progress::Made(made));
        drop(permit);
    }

    /// Whether a body may be cached; one that takes more than half of the cache would evict too
    /// much.
    fn may_cache(&self, name: BodyName, length: usize) -> bool {
        (length as u64) <= self.bodies(name.1).capacity() / 2
    }

    fn store(&self, body: Bytes) -> CachedBody {
        let large = body.len() >= FILE_FROM;
        let file = large.then(|| self.file()).flatten();
        match file.and_then(|file| file.append(std::slice::from_ref(&body)).ok()) {
            Some(range) => CachedBody::File(range),
            // A compressor reserves room for a body that does not compress. Only a copy gives it back.
            None => CachedBody::Memory(Bytes::copy_from_slice(&body)),
        }
    }

    fn file(&self) -> Option<&Arc<BodyFile>> {
        self.file.get_or_init(|| BodyFile::create().map(Arc::new)).as_ref()
    }

    fn bodies(&self, encoding: Option<Encoding>) -> &Bodies {
        if encoding.is_some() { &self.compressed } else { &self.plain }
    }

    fn making(&self) -> MutexGuard<'_, HashMap<BodyName, watch::Receiver<Progress>>> {
        self.making.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
