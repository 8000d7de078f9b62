//! Compressed bodies: each made once per revision, on first demand, and kept.
//!
//! What is kept, and what is being made at one time, is bounded. Beyond the bounds bodies are
//! sent as they are: compressing per request would let readers buy our processor time.

use std::{
    collections::HashMap,
    io::{self, Write},
    sync::{Arc, PoisonError, RwLock},
};

use bytes::Bytes;
use tokio::sync::Semaphore;

use super::resource::BodyKey;

/// Below this many bytes a compressed body saves nothing: it fits one packet either way.
pub(crate) const WORTHWHILE: u64 = 1024;

/// How many bytes of compressed bodies one revision keeps.
const BUDGET: usize = 64 << 20;

/// How many bodies are compressed at one time.
const AT_ONCE: usize = 2;

/// A content coding we can send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Encoding {
    Brotli,
    Zstd,
    Gzip,
}

impl Encoding {
    /// Every coding, the smallest output first: they are made once and sent often.
    pub(crate) const ALL: [Self; 3] = [Self::Brotli, Self::Zstd, Self::Gzip];

    /// The name in HTTP headers.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Zstd => "zstd",
            Self::Gzip => "gzip",
        }
    }

    pub(crate) fn compress(self, plain: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Brotli => {
                let mut compressed = Vec::new();
                let mut writer = brotli::CompressorWriter::new(&mut compressed, 1 << 16, 7, 22);
                writer.write_all(plain)?;
                writer.flush()?;
                drop(writer);
                Ok(compressed)
            }
            Self::Zstd => zstd::bulk::compress(plain, 9),
            Self::Gzip => {
                let mut writer =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(7));
                writer.write_all(plain)?;
                writer.finish()
            }
        }
    }
}

/// The compressed bodies of one snapshot.
pub(crate) struct KeptEncodings {
    shelf: RwLock<Shelf>,
    making: Arc<Semaphore>,
}

#[derive(Default)]
struct Shelf {
    /// `None` while a body is being made.
    bodies: HashMap<(BodyKey, Encoding), Option<Bytes>>,
    /// What is kept, and what is being made at its plain size.
    bytes: usize,
}

impl Default for KeptEncodings {
    fn default() -> Self {
        Self { shelf: RwLock::default(), making: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl KeptEncodings {
    /// A body that is there already.
    pub(crate) fn ready(&self, key: BodyKey, encoding: Encoding) -> Option<Bytes> {
        let shelf = self.shelf.read().unwrap_or_else(PoisonError::into_inner);
        shelf.bodies.get(&(key, encoding)).cloned().flatten()
    }

    /// The body, made now if it may be; `None` where the plain one must do. The work goes on,
    /// and is kept, even if the request that asked for it goes away.
    pub(crate) async fn make(
        self: &Arc<Self>,
        key: BodyKey,
        encoding: Encoding,
        plain: impl FnOnce() -> Vec<u8>,
    ) -> Option<Bytes> {
        let permit = Arc::clone(&self.making).try_acquire_owned().ok()?;
        let plain = plain();
        if !self.reserve(key, encoding, plain.len()) {
            return self.ready(key, encoding);
        }
        let kept = Arc::clone(self);
        let work = tokio::task::spawn_blocking(move || {
            let made = encoding.compress(&plain).ok().map(Bytes::from);
            kept.put(key, encoding, plain.len(), made.clone());
            drop(permit);
            made
        });
        work.await.ok().flatten()
    }

    /// Claims a place, unless it is taken or there is no room.
    fn reserve(&self, key: BodyKey, encoding: Encoding, size: usize) -> bool {
        let mut shelf = self.shelf.write().unwrap_or_else(PoisonError::into_inner);
        if shelf.bytes + size > BUDGET || shelf.bodies.contains_key(&(key, encoding)) {
            return false;
        }
        shelf.bytes += size;
        shelf.bodies.insert((key, encoding), None);
        true
    }

    /// Fills a claimed place, or gives it up.
    fn put(&self, key: BodyKey, encoding: Encoding, reserved: usize, made: Option<Bytes>) {
        let mut shelf = self.shelf.write().unwrap_or_else(PoisonError::into_inner);
        shelf.bytes -= reserved;
        match made {
            Some(body) => {
                shelf.bytes += body.len();
                shelf.bodies.insert((key, encoding), Some(body));
            }
            None => {
                shelf.bodies.remove(&(key, encoding));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    const KEY: BodyKey = BodyKey::TitleCodes;

    #[test]
    fn every_coding_can_be_undone() {
        let plain = "one record after another, ".repeat(500).into_bytes();
        for encoding in Encoding::ALL {
            let packed = encoding.compress(&plain).unwrap();
            assert!(packed.len() < plain.len() / 4, "{encoding:?} packs well");
            let mut unpacked = Vec::new();
            match encoding {
                Encoding::Brotli => {
                    brotli::Decompressor::new(&packed[..], 4096).read_to_end(&mut unpacked)
                }
                Encoding::Zstd => {
                    zstd::Decoder::new(&packed[..]).unwrap().read_to_end(&mut unpacked)
                }
                Encoding::Gzip => {
                    flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked)
                }
            }
            .unwrap();
            assert_eq!(unpacked, plain, "{encoding:?}");
        }
    }

    #[tokio::test]
    async fn a_body_is_made_once_and_kept() {
        let kept = Arc::new(KeptEncodings::default());
        assert_eq!(kept.ready(KEY, Encoding::Gzip), None);
        let made = kept.make(KEY, Encoding::Gzip, || vec![b'a'; 100]).await;
        assert!(made.is_some());
        let again = kept.make(KEY, Encoding::Gzip, || vec![b'b'; 100]).await;
        assert_eq!(made, again);
        assert_eq!(kept.ready(KEY, Encoding::Gzip), made);
        assert_eq!(kept.shelf.read().unwrap().bytes, made.unwrap().len());
    }

    #[tokio::test]
    async fn a_request_that_goes_away_leaves_its_work_behind() {
        let kept = Arc::new(KeptEncodings::default());
        let mut request = Box::pin(kept.make(KEY, Encoding::Gzip, || vec![b'a'; 1 << 20]));
        assert!(
            std::future::poll_fn(|context| std::task::Poll::Ready(request.as_mut().poll(context)))
                .await
                .is_pending()
        );
        drop(request);
        while kept.ready(KEY, Encoding::Gzip).is_none() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    #[tokio::test]
    async fn nothing_is_made_beyond_the_bounds() {
        let kept = Arc::new(KeptEncodings::default());
        kept.shelf.write().unwrap().bytes = BUDGET;
        assert_eq!(kept.make(KEY, Encoding::Zstd, || vec![b'a'; 100]).await, None);
        kept.shelf.write().unwrap().bytes = 0;
        let _all =
            Arc::clone(&kept.making).acquire_many_owned(u32::try_from(AT_ONCE).unwrap()).await;
        assert_eq!(kept.make(KEY, Encoding::Zstd, || vec![b'a'; 100]).await, None);
    }
}
