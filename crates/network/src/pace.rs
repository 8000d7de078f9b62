use std::time::Duration;

use tokio::time::Instant;

/// The fewest bytes that a server must send in each period of time. Without it, a server that sends
/// one byte every few seconds would be given all the time that there is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    pub(crate) least_bytes: u64,
    pub(crate) period: Duration,
}

impl Pace {
    /// Any pace, for requests with a short time limit.
    pub(crate) const ANY: Self = Self { least_bytes: 0, period: Duration::from_mins(1) };
}

impl Default for Pace {
    /// 1 KiB per second, over half a minute.
    fn default() -> Self {
        Self { least_bytes: 30 << 10, period: Duration::from_secs(30) }
    }
}

#[derive(Debug)]
pub(crate) struct Progress {
    pace: Pace,
    period_end: Instant,
    in_period: u64,
}

impl Progress {
    pub(crate) fn start(pace: Pace) -> Self {
        Self { pace, period_end: Instant::now() + pace.period, in_period: 0 }
    }

    pub(crate) fn period_end(&self) -> Instant {
        self.period_end
    }

    pub(crate) fn received(&mut self, bytes: u64) {
        self.in_period += bytes;
    }

    /// Ends the period and starts the next one. Too few bytes are an error, with their number.
    pub(crate) fn next_period(&mut self) -> Result<(), u64> {
        if self.in_period < self.pace.least_bytes {
            return Err(self.in_period);
        }
        self.in_period = 0;
        self.period_end = Instant::now() + self.pace.period;
        Ok(())
    }
}
