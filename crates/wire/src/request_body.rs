//! Receiving the body of a request: within a size, a pace, and the memory that all requests share.

mod pace;

pub use pace::Pace;

use appstitch_budget::{Pool, Reserved};
use axum::body::Body;
use http_body::Body as _;
use http_body_util::BodyExt;
use tokio::time::{Instant, timeout_at};

use crate::drain::drain;

#[derive(Clone, Copy)]
pub struct BodyLimits<'a> {
    pub bytes: usize,
    pub pace: Pace,
    pub memory: &'a Pool,
    /// Where the memory of a small body comes from, and how large that is at most.
    pub small: Option<(&'a Pool, usize)>,
}

/// A complete body, and its memory.
#[derive(Debug)]
pub struct HeldBody {
    pub bytes: Vec<u8>,
    pub reserved: Reserved,
}

#[derive(Debug)]
pub enum BodyFault {
    TooLarge {
        limit: u64,
    },
    /// Other requests use the memory.
    Busy,
    Slow,
    /// The client stopped sending it.
    Incomplete(axum::Error),
}

/// Receives a whole body. If it is rejected while the client still sends it, the rest is read and
/// discarded, so that the client gets to see the response.
pub async fn receive(
    body: &mut Body,
    expects_continue: bool,
    limits: BodyLimits<'_>,
) -> Result<HeldBody, BodyFault> {
    let announced = body.size_hint();
    let limit = (limits.bytes as u64).min(limits.memory.size());
    if announced.lower() > limit {
        reject(body, expects_continue).await;
        return Err(BodyFault::TooLarge { limit });
    }
    let announced = announced.exact().and_then(|bytes| usize::try_from(bytes).ok());
    let received = collect(body, limits, announced).await;
    if let Err(BodyFault::TooLarge { .. } | BodyFault::Busy) = received {
        drain(body).await;
    }
    received
}

/// Reads and discards the body of a request that is rejected because of its head. A client that
/// waits for `100 Continue` sends nothing after a rejection.
pub async fn reject(body: &mut Body, expects_continue: bool) {
    if !expects_continue {
        drain(body).await;
    }
}

async fn collect(
    body: &mut Body,
    limits: BodyLimits<'_>,
    announced: Option<usize>,
) -> Result<HeldBody, BodyFault> {
    let mut growing = GrowingBody::new(limits, announced);
    let started = Instant::now();
    loop {
        let deadline = started + limits.pace.time_for(growing.held.bytes.len());
        match timeout_at(deadline, body.frame()).await {
            Err(_) => return Err(BodyFault::Slow),
            Ok(None) => return Ok(growing.held),
            Ok(Some(Err(error))) => return Err(BodyFault::Incomplete(error)),
            Ok(Some(Ok(frame))) => {
                if let Ok(data) = frame.into_data() {
                    growing.add(&data)?;
                }
            }
        }
    }
}

/// The bytes that have arrived. They are copied: the library's buffers are larger than what
/// arrives in them.
struct GrowingBody<'a> {
    limits: BodyLimits<'a>,
    announced: Option<usize>,
    held: HeldBody,
}

/// The memory that a body gets at first.
const FIRST_BYTES: usize = 1 << 10;

impl<'a> GrowingBody<'a> {
    fn new(limits: BodyLimits<'a>, announced: Option<usize>) -> Self {
        let reserved = limits.memory.reserve_nothing();
        Self { limits, announced, held: HeldBody { bytes: Vec::new(), reserved } }
    }

    fn add(&mut self, data: &[u8]) -> Result<(), BodyFault> {
        let length = self.held.bytes.len() + data.len();
        if length > self.limits.bytes {
            return Err(BodyFault::TooLarge { limit: self.limits.bytes as u64 });
        }
        if length > self.held.bytes.capacity() {
            self.make_room(length)?;
        }
        self.held.bytes.extend_from_slice(data);
        Ok(())
    }

    /// Makes room for this many bytes, and some more to come.
    fn make_room(&mut self, length: usize) -> Result<(), BodyFault> {
        let HeldBody { bytes, reserved } = &mut self.held;
        let more = bytes.capacity() + bytes.capacity() / 2;
        let mut capacity = length.max(more).max(FIRST_BYTES).min(self.limits.bytes);
        // A client that has sent a quarter of the announced size will send the rest.
        if let Some(announced) = self.announced
            && length >= announced / 4
        {
            capacity = announced.max(length);
        }
        let pool = match self.limits.small {
            Some((pool, limit)) if length <= limit => {
                capacity = capacity.min(limit);
                pool
            }
            _ => self.limits.memory,
        };
        let held = reserved.bytes();
        let limit = pool.size();
        let room = pool.reserve(capacity as u64).map_err(|_| {
            // Both are held while the bytes move.
            if held + capacity as u64 > limit {
                BodyFault::TooLarge { limit }
            } else {
                BodyFault::Busy
            }
        })?;
        bytes.reserve_exact(capacity - bytes.len());
        *reserved = room;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const PACE: Pace = Pace {
        grace: Duration::from_secs(5),
        bytes_per_second: 1000,
        total: Duration::from_secs(10),
    };

    fn limits(memory: &Pool) -> BodyLimits<'_> {
        BodyLimits { bytes: 100_000, pace: PACE, memory, small: None }
    }

    #[test]
    fn what_is_held_is_reserved() {
        let pool = Pool::new(300_000);
        let mut body = GrowingBody::new(limits(&pool), None);
        for _ in 0..100 {
            body.add(&[7; 1000]).unwrap();
            let held = body.held.bytes.capacity() as u64;
            assert_eq!((body.held.reserved.bytes(), pool.free()), (held, 300_000 - held));
        }
        assert!(matches!(body.add(&[7]), Err(BodyFault::TooLarge { limit: 100_000 })));
        assert_eq!(body.held.bytes, vec![7; 100_000]);
        drop(body);
        assert_eq!(pool.free(), 300_000);
    }

    #[test]
    fn a_quarter_of_what_was_announced_earns_the_rest() {
        let pool = Pool::new(300_000);
        let mut body = GrowingBody::new(limits(&pool), Some(80_000));
        body.add(&[0; 2000]).unwrap();
        assert!(body.held.reserved.bytes() <= 2000);
        body.add(&vec![0; 18_000]).unwrap();
        assert_eq!(body.held.reserved.bytes(), 80_000);
        let mut short = GrowingBody::new(limits(&pool), Some(300));
        short.add(&[0; 200]).unwrap();
        assert_eq!(short.held.reserved.bytes(), 300);
    }

    #[test]
    fn others_make_it_busy_and_its_own_size_too_large() {
        let pool = Pool::new(50_000);
        let mut first = GrowingBody::new(limits(&pool), None);
        first.add(&vec![0; 40_000]).unwrap();
        let mut second = GrowingBody::new(limits(&pool), None);
        assert!(matches!(second.add(&vec![0; 20_000]), Err(BodyFault::Busy)));
        assert!(matches!(first.add(&vec![0; 20_000]), Err(BodyFault::TooLarge { limit: 50_000 })));
    }

    #[test]
    fn small_bodies_have_their_own_memory() {
        let (small, large) = (Pool::new(3000), Pool::new(5000));
        let limits = BodyLimits { small: Some((&small, 1500)), ..limits(&large) };
        let mut body = GrowingBody::new(limits, None);
        body.add(&[0; 1400]).unwrap();
        assert_eq!((small.free() <= 1600, large.free()), (true, 5000));
        body.add(&[0; 200]).unwrap();
        assert_eq!((small.free(), large.free() <= 3400), (3000, true));
        let mut other = GrowingBody::new(limits, None);
        assert!(matches!(other.add(&[0; 4000]), Err(BodyFault::Busy)));
        other.add(&[0; 100]).unwrap();
    }
}
