use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::exceeded::Exceeded;

/// A number of bytes that everything in the process shares. Clones share the same bytes.
///
/// ```
/// use appstitch_budget::{Exceeded, Pool};
///
/// let pool = Pool::new(100);
/// let mut reserved = pool.reserve(60)?;
/// assert_eq!(pool.reserve(50).err(), Some(Exceeded::Pool(100)));
/// reserved.grow(40)?;
/// drop(reserved);
/// assert_eq!(pool.free(), 100);
/// # Ok::<(), Exceeded>(())
/// ```
#[derive(Clone)]
pub struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    size: u64,
    free: AtomicU64,
    /// Where the bytes come from as well.
    whole: Option<Pool>,
}

/// They are given back on drop.
#[must_use = "the bytes are given back on drop"]
pub struct Reserved {
    pool: Pool,
    bytes: u64,
}

impl Pool {
    pub fn new(bytes: u64) -> Self {
        Self::made_of(bytes, None)
    }

    /// A part of this pool: at most this many bytes, which are taken from the whole pool as well.
    /// Others can still use all of the pool.
    #[must_use]
    pub fn part(&self, bytes: u64) -> Self {
        Self::made_of(bytes.min(self.size()), Some(self.clone()))
    }

    fn made_of(bytes: u64, whole: Option<Self>) -> Self {
        Self { shared: Arc::new(Shared { size: bytes, free: AtomicU64::new(bytes), whole }) }
    }

    /// Takes bytes, or fails at once if there are not that many.
    pub fn reserve(&self, bytes: u64) -> Result<Reserved, Exceeded> {
        let mut reserved = self.reserve_nothing();
        reserved.grow(bytes)?;
        Ok(reserved)
    }

    pub fn reserve_nothing(&self) -> Reserved {
        Reserved { pool: self.clone(), bytes: 0 }
    }

    /// The pool that this one is a part of, or this one.
    pub fn whole(&self) -> &Self {
        self.shared.whole.as_ref().unwrap_or(self)
    }

    pub fn size(&self) -> u64 {
        self.shared.size
    }

    /// The bytes that nobody has reserved at the moment. Of a part, others may have taken them from
    /// the whole pool.
    pub fn free(&self) -> u64 {
        self.shared.free.load(Ordering::Relaxed)
    }

    fn take(&self, bytes: u64) -> Result<(), Exceeded> {
        // The counter guards no other memory, so no order is needed.
        let taken = self
            .shared
            .free
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |free| free.checked_sub(bytes));
        taken.map_err(|_| Exceeded::Pool(self.size()))?;
        let of_whole = self.shared.whole.as_ref().map_or(Ok(()), |whole| whole.take(bytes));
        if of_whole.is_err() {
            self.shared.free.fetch_add(bytes, Ordering::Relaxed);
        }
        of_whole
    }

    fn give_back(&self, bytes: u64) {
        self.shared.free.fetch_add(bytes, Ordering::Relaxed);
        if let Some(whole) = &self.shared.whole {
            whole.give_back(bytes);
        }
    }
}

impl Reserved {
    /// Takes more bytes. If there are not that many, the reservation keeps what it has.
    pub fn grow(&mut self, bytes: u64) -> Result<(), Exceeded> {
        self.pool.take(bytes)?;
        self.bytes += bytes;
        Ok(())
    }

    /// Gives some bytes back, at most those that it has.
    pub fn shrink(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        self.pool.give_back(bytes);
    }

    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    pub fn pool(&self) -> &Pool {
        &self.pool
    }
}

impl Drop for Reserved {
    fn drop(&mut self) {
        self.shrink(self.bytes);
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Pool({} of {} bytes free)", self.free(), self.size())
    }
}

impl fmt::Debug for Reserved {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Reserved({} bytes)", self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_given_back_in_part_and_on_drop() {
        let pool = Pool::new(10);
        let mut reserved = pool.reserve(4).unwrap();
        assert_eq!(reserved.grow(7), Err(Exceeded::Pool(10)));
        assert_eq!((reserved.bytes(), pool.free()), (4, 6));
        reserved.grow(6).unwrap();
        reserved.shrink(3);
        assert_eq!(pool.clone().free(), 3);
        reserved.shrink(u64::MAX);
        assert_eq!((reserved.bytes(), pool.free()), (0, 10));
        reserved.grow(10).unwrap();
        drop(reserved);
        assert_eq!(pool.free(), 10);
        assert!(pool.reserve(u64::MAX).is_err());
    }

    #[test]
    fn a_part_takes_from_the_whole_and_never_more_than_its_size() {
        let pool = Pool::new(100);
        let (one, other) = (pool.part(30), pool.part(1000));
        assert_eq!((one.size(), other.size()), (30, 100));
        let mut of_one = one.reserve(20).unwrap();
        assert_eq!((one.free(), other.free(), pool.free()), (10, 100, 80));
        assert_eq!(of_one.grow(11), Err(Exceeded::Pool(30)));
        assert_eq!(other.reserve(81).err(), Some(Exceeded::Pool(100)));
        assert_eq!((other.free(), pool.free()), (100, 80), "nothing is lost by a failure");
        let of_other = other.reserve(80).unwrap();
        assert_eq!(of_one.grow(1), Err(Exceeded::Pool(100)));
        assert_eq!(one.free(), 10);
        drop((of_one, of_other));
        assert_eq!((one.free(), other.free(), pool.free()), (30, 100, 100));
    }

    #[test]
    fn threads_never_take_more_than_there_is() {
        let pool = Pool::new(100);
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        let reserved = pool.reserve(30);
                        assert!(pool.free() <= 100);
                        drop(reserved);
                    }
                });
            }
        });
        assert_eq!(pool.free(), 100);
    }
}
