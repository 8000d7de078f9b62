//! Bodies that were made on demand: each once per revision, and kept.
//!
//! Compressed bodies are kept because they cost time to make, large ones because they can be
//! sent faster from a file (see [`super::body_file`]); so a filtered page costs what an
//! unfiltered one does. What is kept, and what is being compressed at one time, is bounded.
//! Beyond the bounds bodies are sent as they are: compressing per request would let readers buy
//! our processor time.

use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use bytes::Bytes;
use hashbrown::HashMap;
use tokio::sync::Semaphore;

use super::{
    body_file::{BodyFile, FileRange},
    encoding::Encoding,
    resource::BodyKey,
};

/// How many bytes of compressed bodies one revision keeps, and how many of plain ones: whoever
/// walks through all pages of all sizes must not crowd out what others have compressed.
const BUDGET: usize = 64 << 20;

/// How many bodies are compressed at one time.
const AT_ONCE: usize = 2;

/// From this length on a body is sent from a file: the copy it saves costs more than the call.
const FILE_FROM: usize = 8 << 10;

/// A body and its coding; `None` for the plain one.
type Name = (BodyKey, Option<Encoding>);

/// A body that was kept.
#[derive(Debug, Clone)]
pub(crate) enum KeptBody {
    Memory(Bytes),
    File(FileRange),
}

impl KeptBody {
    /// How much room it takes.
    fn size(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::File(range) => range.size(),
        }
    }
}

/// The kept bodies of one snapshot.
pub(crate) struct KeptBodies {
    shelf: RwLock<Shelf>,
    making: Arc<Semaphore>,
    /// Made when the first body goes into it; `None` where there are no such files.
    file: OnceLock<Option<Arc<BodyFile>>>,
}

#[derive(Default)]
struct Shelf {
    /// `None` while a body is being made.
    bodies: HashMap<Name, Option<KeptBody>>,
    /// What is kept, and what is being made at its plain size.
    compressed_bytes: usize,
    plain_bytes: usize,
}

impl Shelf {
    fn bytes(&mut self, name: Name) -> &mut usize {
        match name {
            (_, Some(_)) => &mut self.compressed_bytes,
            (_, None) => &mut self.plain_bytes,
        }
    }
}

impl Default for KeptBodies {
    fn default() -> Self {
        Self {
            shelf: RwLock::default(),
            making: Arc::new(Semaphore::new(AT_ONCE)),
            file: OnceLock::new(),
        }
    }
}

impl KeptBodies {
    /// A body that is there already.
    pub(crate) fn get(&self, key: BodyKey, encoding: Option<Encoding>) -> Option<KeptBody> {
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        shelf.bodies.get(&(key, encoding)).cloned().flatten()
    }

    /// Keeps a plain body in a file, if it is large and there is room; `None` where it is best
    /// sent as it is.
    pub(crate) fn keep_large(&self, key: BodyKey, parts: &[Bytes]) -> Option<KeptBody> {
        let length = parts.iter().map(Bytes::len).sum();
        if length < FILE_FROM {
            return None;
        }
        let file = self.file()?;
        let name = (key, None);
        if !self.reserve(name, length) {
            return None;
        }
        let kept = file.append(parts).ok().map(KeptBody::File);
        self.put(name, length, kept.clone());
        kept
    }

    /// The compressed body, made now if it may be; `None` where the plain one must do. The work
    /// goes on, and is kept, even if the request that asked for it goes away.
    pub(crate) async fn compress(
        self: &Arc<Self>,
        key: BodyKey,
        encoding: Encoding,
        plain: impl FnOnce() -> Vec<u8>,
    ) -> Option<KeptBody> {
        let name = (key, Some(encoding));
        let permit = Arc::clone(&self.making).try_acquire_owned().ok()?;
        let plain = plain();
        if !self.reserve(name, plain.len()) {
            return self.get(key, Some(encoding));
        }
        let kept = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let made = encoding.compress(&plain).ok().map(|packed| kept.place(packed.into()));
            kept.put(name, plain.len(), made.clone());
            drop(permit);
            made
        });
        work.await.ok().flatten()
    }

    /// Puts a body where it is sent from fastest.
    fn place(&self, body: Bytes) -> KeptBody {
        let large = body.len() >= FILE_FROM;
        let file = large.then(|| self.file()).flatten();
        match file.and_then(|file| file.append(std::slice::from_ref(&body)).ok()) {
            Some(range) => KeptBody::File(range),
            None => KeptBody::Memory(body),
        }
    }

    fn file(&self) -> Option<&Arc<BodyFile>> {
        self.file.get_or_init(|| BodyFile::create().map(Arc::new)).as_ref()
    }

    /// Claims a place, unless it is taken or there is no room.
    fn reserve(&self, name: Name, size: usize) -> bool {
        let mut shelf = self.shelf.write().unwrap_or_else(PoisonError::into_inner);
        if *shelf.bytes(name) + size > BUDGET || shelf.bodies.contains_key(&name) {
            return false;
        }
        *shelf.bytes(name) += size;
        shelf.bodies.insert(name, None);
        true
    }

    /// Fills a claimed place, or gives it up.
    fn put(&self, name: Name, reserved: usize, made: Option<KeptBody>) {
        let mut shelf = self.shelf.write().unwrap_or_else(PoisonError::into_inner);
        *shelf.bytes(name) -= reserved;
        match made {
            Some(body) => {
                *shelf.bytes(name) += body.size();
                shelf.bodies.insert(name, Some(body));
            }
            None => {
                shelf.bodies.remove(&name);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: BodyKey = BodyKey::TitleCodes;

    fn bytes(body: Option<KeptBody>) -> Option<Bytes> {
        match body? {
            KeptBody::Memory(bytes) => Some(bytes),
            KeptBody::File(range) => range.read().ok(),
        }
    }

    fn kept_bytes(kept: &KeptBodies) -> usize {
        let shelf = kept.shelf.read().unwrap();
        shelf.compressed_bytes + shelf.plain_bytes
    }

    #[tokio::test]
    async fn a_body_is_made_once_and_kept() {
        let kept = Arc::new(KeptBodies::default());
        assert!(kept.get(KEY, Some(Encoding::Gzip)).is_none());
        let made = bytes(kept.compress(KEY, Encoding::Gzip, || vec![b'a'; 100]).await);
        assert!(made.is_some());
        let again = kept.compress(KEY, Encoding::Gzip, || vec![b'b'; 100]).await;
        assert_eq!(made, bytes(again));
        assert_eq!(bytes(kept.get(KEY, Some(Encoding::Gzip))), made);
        assert_eq!(kept_bytes(&kept), made.unwrap().len());
    }

    #[test]
    fn large_plain_bodies_are_kept_and_small_ones_are_not() {
        let kept = KeptBodies::default();
        let parts = |length| [Bytes::from_static(b"["), vec![b'x'; length].into()];
        assert!(kept.keep_large(KEY, &parts(100)).is_none());
        assert_eq!(kept_bytes(&kept), 0);
        let body = kept.keep_large(KEY, &parts(FILE_FROM));
        if cfg!(target_os = "linux") {
            assert_eq!(bytes(body).unwrap(), parts(FILE_FROM).concat());
            assert_eq!(bytes(kept.get(KEY, None)).unwrap(), parts(FILE_FROM).concat());
            assert_eq!(kept_bytes(&kept), FILE_FROM + 4096, "whole pages");
            assert!(kept.keep_large(KEY, &parts(FILE_FROM)).is_none(), "it is there already");
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
        while kept.get(KEY, Some(Encoding::Gzip)).is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn nothing_is_made_beyond_the_bounds() {
        let kept = Arc::new(KeptBodies::default());
        kept.shelf.write().unwrap().plain_bytes = BUDGET;
        assert!(kept.keep_large(KEY, &[vec![b'a'; FILE_FROM].into()]).is_none());
        assert!(kept.compress(KEY, Encoding::Gzip, || vec![b'a'; 100]).await.is_some());
        kept.shelf.write().unwrap().compressed_bytes = BUDGET;
        assert!(kept.compress(KEY, Encoding::Zstd, || vec![b'a'; 100]).await.is_none());
        kept.shelf.write().unwrap().compressed_bytes = 0;
        let _all =
            Arc::clone(&kept.making).acquire_many_owned(u32::try_from(AT_ONCE).unwrap()).await;
        assert!(kept.compress(KEY, Encoding::Zstd, || vec![b'a'; 100]).await.is_none());
    }
}
