//! When a version that goes backwards is believed.

use jiff::SignedDuration;

/// How long after the first time a lower version must be found again.
pub const SETTLING_TIME: SignedDuration = SignedDuration::from_hours(1);
