//! The memory of an upload: what it holds, and what its readers may take.

use std::time::Instant;

use appstitch_budget::{Budget, Exceeded, Limits, Reserved};

/// The memory of all uploads by default. [`Limits::FILE`] is chosen for it.
const DEFAULT_SIZE: u64 = 768 << 20;

/// The memory of an upload. It is given back on drop.
pub(super) struct Resources {
    /// The body, and what is not taken from the budget.
    held: Reserved,
    /// What the readers take.
    budget: Option<Budget>,
    deadline: Instant,
}

impl Resources {
    pub(super) fn new(held: Reserved, deadline: Instant) -> Self {
        Self { held, budget: None, deadline }
    }

    pub(super) fn hold(&mut self, bytes: usize) -> Result<(), Exceeded> {
        let (bytes, size) = (bytes as u64, self.held.pool().size());
        let read = self.budget.as_ref().map_or(0, Budget::reserved);
        let is_alone = self.held.bytes().saturating_add(read).saturating_add(bytes) > size;
        // More than the whole pool does not fit even if nobody else uses it.
        let full = if is_alone { Exceeded::Bytes(size) } else { Exceeded::Pool(size) };
        self.held.grow(bytes).map_err(|_| full)
    }

    pub(super) fn release(&mut self, bytes: usize) {
        self.held.shrink(bytes as u64);
    }

    /// The memory that it holds, without the budget of the readers.
    #[cfg(test)]
    pub(super) fn held(&self) -> u64 {
        self.held.bytes()
    }

    /// The memory that it may hold if nobody else does.
    pub(super) fn size(&self) -> u64 {
        self.held.pool().size()
    }

    /// The budget of the readers: that of one file, within the same memory. An operator who gives
    /// the service more memory than the default wants larger files to be read.
    pub(super) fn budget(&mut self) -> &mut Budget {
        let Self { held, budget, deadline } = self;
        budget.get_or_insert_with(|| {
            let pool = held.pool();
            let free = pool.size().saturating_sub(held.bytes());
            let file = Limits::FILE.times((pool.size() / DEFAULT_SIZE).max(1));
            let limits = Limits { bytes: file.bytes.min(free), ..file };
            Budget::new(limits).within(pool).until(*deadline)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use appstitch_budget::Pool;
    use appstitch_wire::Memory;

    use super::*;

    fn resources(pool: &Pool) -> Resources {
        Resources::new(pool.reserve_nothing(), Instant::now() + Duration::from_hours(1))
    }

    #[test]
    fn more_memory_reads_larger_files() {
        let limits = |bytes: u64| *resources(&Memory::new(bytes).uploads).budget().limits();
        assert_eq!(limits(1 << 30), Limits::FILE);
        assert_eq!(limits(12 << 30), Limits::FILE.times(12));
        assert_eq!(limits(64 << 20), Limits { bytes: 48 << 20, ..Limits::FILE });
    }

    #[test]
    fn it_tells_its_own_size_from_that_of_others() {
        let pool = Pool::new(1 << 20);
        let mut first = resources(&pool);
        let mut second = resources(&pool);
        first.hold(600_000).unwrap();
        assert_eq!(second.hold(600_000), Err(Exceeded::Pool(1 << 20)));
        assert_eq!(second.hold(1 << 21), Err(Exceeded::Bytes(1 << 20)));
        assert_eq!(second.budget().hold(600_000), Err(Exceeded::Pool(1 << 20)));
        assert_eq!(first.budget().hold(600_000), Err(Exceeded::Bytes((1 << 20) - 600_000)));
        first.budget().hold(300_000).unwrap();
        assert_eq!(first.hold(200_000), Err(Exceeded::Bytes(1 << 20)), "it is alone");
        drop((first, second));
        assert_eq!(pool.free(), pool.size());
    }
}
