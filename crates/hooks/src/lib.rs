//! Webhooks: other services learn what changed in the catalog without asking again and again.
//!
//! Each hook has a cursor in the journal of changes. A delivery covers everything after the cursor,
//! and the cursor moves only when the receiver has confirmed it, so an outage loses nothing. What to
//! do next is decided by pure functions (`plan`, `schedule`); sending and storing decide nothing.

mod chance;
mod clock;
mod counters;
mod delivery;
mod delivery_result;
mod error;
mod filter;
mod hooks;
mod message;
mod plan;
mod schedule;
mod secret;
mod sender;
mod settings;
mod shared;
mod signature;
mod status;
mod stored;
#[cfg(test)]
mod test_journal;
mod worker;

pub use clock::{Clock, HookTiming, SystemClock};
pub use counters::HookCounters;
pub use error::HookError;
pub use filter::HookFilter;
pub use hooks::{Hooks, WrittenHook};
pub use secret::{HookSecret, NoRandomness, SecretError};
pub use settings::{GivenSecret, HookSettings};
pub use status::{DeliveryStatus, HookList, HookState, HookStatus, UnreadableHook};
