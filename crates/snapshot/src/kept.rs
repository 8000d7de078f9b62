//! A cache of response bodies that are made on demand.
//!
//! Compressed bodies are cached because compression is slow. Large bodies are cached because they
//! are sent faster from a file (see [`BodyFile`]), so a filtered page costs the same as an
//! unfiltered one. The cache is bounded and keeps the most requested bodies; a client that reads
//! every page once does not evict them. The number of bodies made at the same time is also
//! bounded; further ones take turns, in the order in which they were first requested. A
//! request that would have to wait too long for its turn gets the uncompressed body: compressing on
//! every request would let clients use up the CPU. All file operations run on blocking threads.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use appstitch_bodies::{BodyFile, FileRange, Payload, Slices};
use bytes::Bytes;
use quick_cache::{
    DefaultHashBuilder, OptionsBuilder, Weighter,
    sync::{Cache, DefaultLifecycle},
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::spawn_blocking,
    time::timeout,
};

use crate::{encoding::Encoding, resource::BodyKey};

/// The size in bytes of the cache for compressed bodies, and of the separate cache for plain ones.
/// They are separate so that a client reading pages of every size cannot evict compressed bodies.
const BUDGET: u64 = 64 << 20;

/// The maximum number of bodies made at the same time.
const AT_ONCE: usize = 2;

/// The maximum number of bodies that wait for their turn. Each of them holds its plain form.
const WAITING: usize = 64;

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

impl From<KeptBody> for Payload {
    fn from(kept: KeptBody) -> Self {
        match kept {
            // A large body in memory could not be written to the file. Whoever sends it may hold it
            // for longer than the cache does.
            KeptBody::Memory(bytes) if bytes.len() >= FILE_FROM => Self::Made(Slices::one(bytes)),
            KeptBody::Memory(bytes) => Self::Memory(Slices::one(bytes)),
            KeptBody::File(range) => Self::File(range),
        }
    }
}

/// How far a body is.
#[derive(Debug, Clone)]
enum Progress {
    Waiting,
    Started,
    /// `None` if it cannot be made.
    Made(Option<KeptBody>),
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
    /// The bodies being made or waiting for their turn.
    making: Mutex<HashMap<BodyName, watch::Receiver<Progress>>>,
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

    /// Writes a large plain body to a file for later requests, unless others are being made. Does
    /// not wait: the caller sends its own copy.
    pub fn keep_large(self: &Arc<Self>, key: BodyKey, slices: &[Bytes; 3]) {
        let name = (key, None);
        let length: usize = slices.iter().map(Bytes::len).sum();
        if length < FILE_FROM || !self.is_wanted(name, length) {
            return;
        }
        let Ok(place) = Arc::clone(&self.places).try_acquire_owned() else { return };
        let mut making = self.making();
        if making.contains_key(&name) {
            return;
        }
        let (sender, progress) = watch::channel(Progress::Started);
        making.insert(name, progress);
        drop(making);
        let (kept, slices) = (Arc::clone(self), slices.clone());
        tokio::spawn(async move {
            let write = move |kept: &Self| kept.file()?.append(&slices).ok().map(KeptBody::File);
            kept.make(name, place, write, &sender).await;
        });
    }

    /// Compresses a body when it is its turn, which may take as long as `patience`; `None` if the
    /// plain body must be sent instead. The work continues and is cached even if the request is
    /// canceled or loses its patience. Requests for the same body share the work.
    pub async fn compress(
        self: &Arc<Self>,
        key: BodyKey,
        encoding: Encoding,
        plain: &Slices,
        patience: Duration,
    ) -> Option<KeptBody> {
        let name = (key, Some(encoding));
        if !self.is_wanted(name, plain.length()) {
            return None;
        }
        let mut progress = self.queue(name, encoding, plain)?;
        let turn = progress.wait_for(|progress| !matches!(progress, Progress::Waiting));
        timeout(patience, turn).await.ok()?.ok()?;
        let made =
            progress.wait_for(|progress| matches!(progress, Progress::Made(_))).await.ok()?;
        match &*made {
            Progress::Made(body) => body.clone(),
            Progress::Waiting | Progress::Started => None,
        }
    }

    /// Compresses a short body on this thread and caches it: waiting for a turn would take longer.
    /// `None` if it cannot be compressed.
    pub fn compress_now(&self, key: BodyKey, encoding: Encoding, plain: &[u8]) -> Option<KeptBody> {
        let packed = encoding.compress_quickly(plain).ok()?;
        // A compressor reserves room for a body that does not compress. Only a copy gives it back.
        let body = KeptBody::Memory(Bytes::copy_from_slice(&packed));
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
        let (kept, plain) = (Arc::clone(self), plain.clone());
        tokio::spawn(async move {
            // The places are never closed, so there is always one in the end.
            if let Ok(place) = Arc::clone(&kept.places).acquire_owned().await {
                sender.send_replace(Progress::Started);
                let pack = move |kept: &Self| {
                    let packed = encoding.compress(&plain.concat()).ok()?;
                    Some(kept.place(packed.into()))
                };
                kept.make(name, place, pack, &sender).await;
            }
        });
        Some(progress)
    }

    /// Makes a body on a blocking thread and caches it.
    async fn make(
        self: &Arc<Self>,
        name: BodyName,
        place: OwnedSemaphorePermit,
        work: impl FnOnce(&Self) -> Option<KeptBody> + Send + 'static,
        progress: &watch::Sender<Progress>,
    ) {
        let kept = Arc::clone(self);
        let work = spawn_blocking(move || {
            let made = work(&kept);
            if let Some(body) = &made {
                kept.bodies(name.1).insert(name, body.clone());
            }
            made
        });
        let made = work.await.ok().flatten();
        self.making().remove(&name);
        progress.send_replace(Progress::Made(made));
        drop(place);
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

    fn making(&self) -> MutexGuard<'_, HashMap<BodyName, watch::Receiver<Progress>>> {
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
mod tests;
