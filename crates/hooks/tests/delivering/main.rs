//! Deliveries to real receivers over real sockets. The tests set the clock.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod answers;
mod catalog;
mod clock;
mod lost_writes;
mod messages;
mod outages;
mod private_addresses;
mod receiver;
mod secrets;
mod shared_store;
mod unwritable_store;
