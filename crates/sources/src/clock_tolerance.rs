//! When a time counts as being in the future.

use jiff::SignedDuration;

/// How far the clock of a finder may be ahead.
pub const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_mins(5);
