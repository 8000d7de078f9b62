//! Deliveries to real receivers over real sockets. The tests set the clock.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod catalog;
mod clock;
mod lost_writes;
mod messages;
mod outages;
mod private_addresses;
mod receiver;
mod responses;
mod secrets;
mod shared_store;
mod unreadable_hooks;
mod unwritable_store;
