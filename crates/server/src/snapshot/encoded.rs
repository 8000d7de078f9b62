//! Compressed bodies: each made once per revision, on first demand, and kept.
//!
//! What is kept is bounded. Once the budget is spent, further bodies are sent as they are:
//! compressing per request would let readers buy our processor time.

use std::{
    collections::HashMap,
    io::{self, Write},
    sync::{
        Arc, PoisonError, RwLock,
        atomic::{AtomicUsize, Ordering},
    },
};

use bytes::Bytes;
use tokio::sync::OnceCell;

use super::Resource;

/// Below this many bytes a compressed body saves nothing: it fits one packet either way.
pub(crate) const WORTHWHILE: u64 = 1024;

/// How many bytes of compressed bodies one revision keeps.
const BUDGET: usize = 64 << 20;

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

type Cell = Arc<OnceCell<Bytes>>;

/// The compressed bodies of one snapshot.
#[derive(Default)]
pub(crate) struct KeptEncodings {
    cells: RwLock<HashMap<(Resource, Encoding), Cell>>,
    kept_bytes: AtomicUsize,
}

impl KeptEncodings {
    /// A body that is there already.
    pub(crate) fn ready(&self, resource: Resource, encoding: Encoding) -> Option<Bytes> {
        self.cell(resource, encoding)?.get().cloned()
    }

    /// The body, made now if it is not there; `None` once the budget is spent. Requests that
    /// come while it is being made wait for it instead of making it again.
    pub(crate) async fn make<P>(
        &self,
        resource: Resource,
        encoding: Encoding,
        plain: P,
    ) -> Option<Bytes>
    where
        P: FnOnce() -> Vec<u8>,
    {
        let cell = match self.cell(resource, encoding) {
            Some(cell) => cell,
            None if self.kept_bytes.load(Ordering::Relaxed) >= BUDGET => return None,
            None => {
                let mut cells = self.cells.write().unwrap_or_else(PoisonError::into_inner);
                Arc::clone(cells.entry((resource, encoding)).or_default())
            }
        };
        let made = cell.get_or_try_init(|| async {
            let plain = plain();
            let work = tokio::task::spawn_blocking(move || encoding.compress(&plain));
            let compressed: Bytes = work.await.map_err(io::Error::other)??.into();
            self.kept_bytes.fetch_add(compressed.len(), Ordering::Relaxed);
            io::Result::Ok(compressed)
        });
        made.await.ok().cloned()
    }

    fn cell(&self, resource: Resource, encoding: Encoding) -> Option<Cell> {
        let cells = self.cells.read().unwrap_or_else(PoisonError::into_inner);
        cells.get(&(resource, encoding)).cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

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
        let kept = KeptEncodings::default();
        assert_eq!(kept.ready(Resource::TitleCodes, Encoding::Gzip), None);
        let made = kept.make(Resource::TitleCodes, Encoding::Gzip, || vec![b'a'; 100]).await;
        let again = kept.make(Resource::TitleCodes, Encoding::Gzip, || panic!("made twice")).await;
        assert_eq!(made, again);
        assert_eq!(kept.ready(Resource::TitleCodes, Encoding::Gzip), made);
    }

    #[tokio::test]
    async fn nothing_more_is_kept_once_the_budget_is_spent() {
        let kept = KeptEncodings::default();
        kept.kept_bytes.store(BUDGET, Ordering::Relaxed);
        assert_eq!(kept.make(Resource::TitleCodes, Encoding::Zstd, || vec![b'a'; 100]).await, None);
    }
}
