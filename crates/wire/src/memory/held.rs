//! The memory of responses until they are sent.

use std::{sync::Arc, time::Duration};

use appstitch_bodies::{Payload, Slices};
use appstitch_budget::{Exceeded, Pool, Reserved};
use bytes::Bytes;

use super::{ClientShare, Memory};
use crate::client_address::ClientAddress;

/// A body of up to this many bytes is not counted. It takes no more than the buffers of its connection.
const SMALL: usize = 4 << 10;

/// The memory of a response. It is given back when this is dropped.
#[derive(Debug)]
pub struct Held {
    reserved: Reserved,
    /// It must live as long as what is reserved in it.
    _share: Arc<ClientShare>,
}

/// The pool that a routed response takes its memory from until it is sent, as an extension of the
/// response. The less is left of it, the sooner a client that reads slowly is disconnected.
#[derive(Debug, Clone)]
pub struct ResponseMemory(pub Pool);

/// How long a client may take for a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Until it has to take the next bytes.
    pub(crate) pause: Duration,
    /// How many bytes per second it has to take on average.
    pub(crate) rate: u64,
}

/// How many bytes a client has to read per second on average, once it has made us wait.
const SLOWEST: u64 = 8 << 10;

impl Patience {
    /// How often to look whether others need the memory of a response that makes no progress.
    pub(crate) const LOOK: Duration = Duration::from_millis(500);

    /// What a client may take whose answer costs no memory.
    pub(crate) fn usual(pause: Duration) -> Self {
        Self { pause, rate: SLOWEST }
    }

    /// The same if its response takes memory of a pool. The less is left of that, the less patience there
    /// is: a slow reader must not cost others their responses.
    pub(crate) fn within(pool: &Pool, pause: Duration) -> Self {
        let quarters = |pool: &Pool| pool.free().saturating_mul(4) / pool.size().max(1);
        let (most, times) = match quarters(pool).min(quarters(pool.whole())) {
            2.. => return Self::usual(pause),
            1 => (Duration::from_secs(5), 4),
            0 => (Duration::from_secs(1), 16),
        };
        Self { pause: pause.min(most), rate: SLOWEST * times }
    }
}

impl Held {
    /// How long its client may take to receive it now.
    pub(crate) fn patience(&self, pause: Duration) -> Patience {
        Patience::within(self.pool(), pause)
    }

    pub(crate) fn pool(&self) -> &Pool {
        self.reserved.pool()
    }
}

impl Memory {
    /// Counts the body of a response, if it was made for one request and is not small.
    pub fn hold(
        &self,
        client: Option<ClientAddress>,
        payload: &Payload,
    ) -> Result<Option<Held>, Exceeded> {
        match payload {
            Payload::Made(slices) => self.hold_bytes(client, slices.length()),
            Payload::Memory(_) | Payload::File(_) => Ok(None),
        }
    }

    /// The same for a body of this many bytes.
    pub(crate) fn hold_bytes(
        &self,
        client: Option<ClientAddress>,
        bytes: usize,
    ) -> Result<Option<Held>, Exceeded> {
        if bytes <= SMALL {
            return Ok(None);
        }
        let share = self.of_client(client);
        let reserved = share.pools.reads.reserve(bytes as u64)?;
        Ok(Some(Held { reserved, _share: share }))
    }
}

/// Bytes with the memory of the response that they are a part of.
struct HeldSlice {
    bytes: Bytes,
    _held: Arc<Held>,
}

impl AsRef<[u8]> for HeldSlice {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Held {
    /// Slices that keep their memory counted for as long as one of them exists.
    pub(crate) fn tie_to(self: &Arc<Self>, slices: &Slices) -> Slices {
        let tie = |bytes: &Bytes| match bytes.len() {
            0 => Bytes::new(),
            _ => Bytes::from_owner(HeldSlice { bytes: bytes.clone(), _held: Arc::clone(self) }),
        };
        Slices::new(slices.slices().each_ref().map(tie))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(bytes: usize) -> Payload {
        Payload::Made(Slices::one(vec![7; bytes].into()))
    }

    fn free(memory: &Memory) -> u64 {
        let [.., (name, pool)] = memory.parts();
        assert_eq!(name, "reads");
        pool.free()
    }

    #[test]
    fn a_response_counts_until_its_last_byte_is_gone() {
        let memory = Memory::new(16 << 26);
        let all = free(&memory);
        assert!(memory.hold(None, &made(SMALL)).unwrap().is_none());
        let shared = Payload::Memory(Slices::one(vec![7; 9000].into()));
        assert!(memory.hold(None, &shared).unwrap().is_none());
        let held = memory.hold(None, &made(9000)).unwrap().unwrap();
        assert_eq!(free(&memory), all - 9000);
        let body = Slices::new(["[", "rows", "]"].map(|text| Bytes::from_static(text.as_bytes())));
        let tied = Arc::new(held).tie_to(&body);
        assert_eq!(tied.concat(), b"[rows]");
        let last = tied.slices()[2].clone();
        drop(tied);
        assert_eq!(free(&memory), all - 9000, "somebody has a part of it");
        drop(last);
        assert_eq!(free(&memory), all);
    }

    #[test]
    fn a_client_has_a_share_and_less_patience_the_more_it_holds() {
        let memory = Memory::new(16 << 26);
        let one = Some(ClientAddress::V4(1));
        let hold = |client| memory.hold(client, &made(1 << 20));
        let pause = Duration::from_secs(30);
        let first = hold(one).unwrap().unwrap();
        assert_eq!(first.patience(pause), Patience::usual(pause));
        let others: Vec<_> = (1..16).map(|_| hold(one).unwrap().unwrap()).collect();
        assert!(hold(one).is_err(), "a quarter of 64 MiB");
        assert_eq!(first.patience(pause).pause, Duration::from_secs(1));
        let other = hold(Some(ClientAddress::V4(2))).unwrap().unwrap();
        assert_eq!(other.patience(pause), Patience::usual(pause), "the others have enough");
        drop(others);
        assert_eq!(first.patience(pause), Patience::usual(pause));
    }
}
