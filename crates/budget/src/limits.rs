/// The limits of one piece of work. A field without a limit has the highest value of its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The bytes that are held at the same time.
    pub bytes: u64,
    /// Steps: small pieces of work that take about the same time each.
    pub steps: u64,
    pub depth: u32,
    /// Rows: entries, lines, files of an archive.
    pub rows: u64,
    /// How many problems are kept. Further ones are counted only.
    pub problems: usize,
    pub requests: u32,
}

impl Limits {
    /// No limit at all, as a base for limits on a few things.
    pub const NONE: Self = Self {
        bytes: u64::MAX,
        steps: u64::MAX,
        depth: u32::MAX,
        rows: u64::MAX,
        problems: usize::MAX,
        requests: u32::MAX,
    };

    /// The limits for reading one file, which may have any format and come from anyone. They are
    /// several times what the largest real file needs. A file that stays within them is read and
    /// published within 1 GB and 60 seconds.
    pub const FILE: Self = Self {
        bytes: 96 << 20,
        steps: 50_000_000,
        depth: 128,
        rows: 100_000,
        problems: 100,
        requests: 0,
    };

    /// The limits of work that may take several times as much. How deep things nest and what is
    /// reported stays the same.
    #[must_use]
    pub const fn times(self, factor: u64) -> Self {
        Self {
            bytes: self.bytes.saturating_mul(factor),
            steps: self.steps.saturating_mul(factor),
            rows: self.rows.saturating_mul(factor),
            ..self
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::FILE
    }
}
